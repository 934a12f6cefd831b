//! A writer of small rules: steps, rules, options and watches put together at random, but of the right types, from what a
//! game of hidden cards has. Most of what it writes for the proof of what is hidden says too much and is refused; what is
//! not is played. With open cards nothing is refused, and what rules answer and options offer is worked out anew.

use std::sync::Arc;

use blazon_check::project::{Folder, Page, Project, parse};
use blazon_check::{Settings, check};
use blazon_kernel::chance::Stream;
use blazon_program::Program;

const MANIFEST: &str = r#"Game(name: "Written", player: "side", begins: "game")"#;

/// The program of a game of one page.
///
/// # Errors
///
/// The codes of the errors.
pub fn compiled(text: &str) -> Result<Arc<Program>, Vec<&'static str>> {
    let page = |name: &str, text: &str| Page { name: name.to_owned(), text: text.to_owned() };
    let game = Folder {
        manifest: Some(page("blazon.ron", MANIFEST)),
        pages: vec![page("written.blazon", text)],
        ..Folder::default()
    };
    let parsed = parse(&Project { game, ..Project::default() });
    let parsed = parsed.map_err(|(_, said)| said.iter().map(|said| said.code).collect::<Vec<_>>())?;
    let checked = check(&parsed, &Settings::default());
    let errors = checked.diagnostics.iter().filter(|said| said.is_error());
    let book = checked.book.ok_or_else(|| errors.map(|error| error.code).collect::<Vec<_>>())?;
    blazon_program::lower(book).map(Arc::new).map_err(|said| said.iter().map(|said| said.code).collect())
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// A card.
    Card,
    /// A set of cards.
    Cards,
    /// A token.
    Token,
    /// A side.
    Side,
    /// A number from 0 to 9.
    Number,
    /// Yes or no.
    Flag,
}

/// Everything that rules written here are about: cards that are hidden in hands, tokens that are hidden and lie on cards.
pub const GAME: &str = r#"
kind side = Red, Blue { state purse : 0..9 }
kind card {
  fact  worth  : 1..9 = 1
  state hand   : side?
  state tapped : flag
  state shown  : flag
  state place  : 1..3 = 1
  seen by v: v = card.hand or card.shown
  back: hand, place
}
table card
  | name | worth |
  | Ace  | 9     |
  | Low  | 1     |
  | Two  | 2     |
  | Ten  | 9     |
kind token {
  state under : card?
  state owner : side?
  seen by v: v = token.owner
  back: owner
}
table token
  | name  |
  | Spear |
  | Stone |
kind tie = card - card
links tie
  Ace - Two, Two - Ten
state tag  : 0..9 = 1, fresh each peek
state gone : flag
state open : flag
state told : 0..9
state rounds : 0..3
state kept : card?
state pile : set of card
state once : 0..9, fresh each turn
setup Dawn (card: hand) { Two: Red; Ten: Blue; others: none }
rule hand(s: side): set of card = all c in cards where c.hand = s
rule high: set of card = all c in cards where c.worth > 5
rule same(s: set of card): set of card = s
rule one(c: card): card = c
rule away(s: set of card): number = count c in s where c.hand = Blue
rule is high(c: card): flag = any d in cards where d.worth > 5 and d = c
rule luck(c: card): 0..9
  | c   | n |
  | Ace | 3 |
  | Low | 1 |
  | Two | 1 |
  | Ten | 2 |
rule holder(c: card): side? = c.hand
rule sought(c: card): flag = c.hand = Blue
  known to all if open
rule known high: set of card = all c in cards where c.hand = Blue and c.worth > 5
  known to all if open
step game { for s in sides { turn(s) }; win(Red) }
step peek { for c in Blue.hand { c.tapped := yes } }
step turn(s: side) {
  tag := 5
  probe(s)
  choose by s "Next?" { option wait "Wait" { } }
}
test "one"   { from Dawn; position (card: hand) { Ace: Blue; Low: none }; play turn(Red) }
test "two"   { from Dawn; position (card: hand) { Low: Blue; Ace: none }; play turn(Red) }
test "three" { from Dawn; position (card: hand, tapped) { Ace: Blue, yes; Low: none }; play turn(Red) }
test "four"  { from Dawn; position (card: hand) { Ace: Blue; Low: none }; position (token: owner, under) { Spear: Blue, Two; Stone: Blue, Ace }; play turn(Red) }
test "five"  { from Dawn; position (card: hand) { Ace: Blue; Low: none }; position (token: owner, under) { Stone: Blue, Two; Spear: Blue, Ace }; play turn(Red) }
test "six"   { from Dawn; position (card: hand, place) { Ace: Blue, 1; Ten: Blue, 2 }; play turn(Red) }
test "seven" { from Dawn; position (card: hand, place) { Ace: Blue, 2; Ten: Blue, 1 }; play turn(Red) }
"#;

/// The same with open cards.
pub fn open_game() -> String {
    let hides =
        |line: &str| ["seen by", "back:", "known to all"].iter().any(|word| line.trim().starts_with(word));
    GAME.lines().filter(|line| !hides(line)).map(|line| format!("{line}\n")).collect()
}

/// A page under way.
pub struct Writer {
    stream: Stream,
    scope: Vec<(String, Type)>,
    names: usize,
    loops: usize,
    choosing: bool,
    helpers: Vec<(String, Vec<Type>, Option<Type>)>,
    items: Vec<String>,
}

impl Writer {
    fn of(seed: u64) -> Self {
        Self {
            stream: Stream::new(seed),
            scope: Vec::new(),
            names: 0,
            loops: 0,
            choosing: false,
            helpers: Vec::new(),
            items: Vec::new(),
        }
    }

    /// Rules of a seed that ask and offer, and positions to ask them in: `step probe(s: side)` is one choice.
    pub fn questions(seed: u64) -> String {
        let mut writer = Self::of(seed);
        for _ in 0..1 + writer.below(4) {
            writer.rule();
        }
        writer.scope.push(("s".to_owned(), Type::Side));
        let mut options = Vec::new();
        for place in 0..1 + writer.below(2) {
            options.push(writer.question(place));
        }
        let options = options.join("; ");
        writer.items.push(format!(
            "step probe(s: side) {{ choose by s \"Which?\" {{ {options}; option leave \"Leave\" {{ }}; option stay \"Stay\" {{ }} }} }}"
        ));
        for place in 0..3 {
            let position = writer.position(place);
            writer.items.push(position);
        }
        writer.items.join("\n")
    }

    /// An option of one or two cards with needs.
    fn question(&mut self, place: usize) -> String {
        let height = self.scope.len();
        let mut binders = Vec::new();
        for _ in 0..1 + self.below(2) {
            let of = self.cards(2);
            let name = self.fresh();
            self.scope.push((name.clone(), Type::Card));
            let guard = if self.one_in(3) { format!(" where {}", self.flag(2)) } else { String::new() };
            binders.push(format!("{name} in {of}{guard}"));
        }
        let mut needs = String::new();
        for need in 0..self.below(3) {
            let label = if need == 0 { "fit" } else { "fine" };
            needs.push_str(&format!(" needs {label}: {} else \"no\"", self.flag(2)));
        }
        self.scope.truncate(height);
        let label = if place == 0 { "take" } else { "give" };
        format!("option {label}({}) \"{label}\"{needs} {{ }}", binders.join(", "))
    }

    /// A position: a test that plays `probe` from it.
    fn position(&mut self, place: usize) -> String {
        let mut lines = Vec::new();
        for card in ["Ace", "Low", "Two", "Ten"] {
            let (hand, place) = (["Red", "Blue", "none"][self.below(3)], 1 + self.below(3));
            lines.push(format!("  {card}.hand := {hand}"));
            lines.push(format!("  {card}.place := {place}"));
            for state in ["tapped", "shown"] {
                let holds = ["yes", "no"][self.below(2)];
                lines.push(format!("  {card}.{state} := {holds}"));
            }
        }
        for token in ["Spear", "Stone"] {
            let (owner, under) =
                (["Red", "Blue", "none"][self.below(3)], ["Ace", "Two", "none"][self.below(3)]);
            lines.push(format!("  {token}.owner := {owner}\n  {token}.under := {under}"));
        }
        let (gone, told) = (["yes", "no"][self.below(2)], self.below(4));
        let (kept, pile) =
            (["Low", "Ten", "none"][self.below(3)], ["[Ace, Two]", "[Low]", "cards", "none"][self.below(4)]);
        lines.push(format!("  gone := {gone}\n  told := {told}\n  kept := {kept}\n  pile := {pile}"));
        let who = ["Red", "Blue"][self.below(2)];
        format!("test \"position {place}\" {{\n  from Dawn\n{}\n  play probe({who})\n}}", lines.join("\n"))
    }

    /// The rules of a seed: `step probe(s: side)`, what it does and what it calls.
    pub fn page(seed: u64) -> String {
        let mut writer = Self::of(seed);
        for _ in 0..writer.below(5).saturating_sub(2) {
            writer.helper();
        }
        if writer.one_in(8) {
            let condition = writer.flag(2);
            let block = writer.block(1);
            writer.items.push(format!("whenever noticed: {condition} {block}"));
        }
        if writer.one_in(12) {
            let condition = writer.flag(2);
            writer.items.push(format!("rule chooser(s: side): side = s\n  except told: Red if {condition}"));
        }
        writer.choosing = true;
        writer.scope.push(("s".to_owned(), Type::Side));
        let block = writer.block(2);
        writer.items.push(format!("step probe(s: side) {block}"));
        writer.items.join("\n")
    }

    fn below(&mut self, bound: usize) -> usize {
        self.stream.below(bound)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        self.letters("")
    }

    /// A name that nothing else has: numbers may stand in names, but not everywhere.
    fn letters(&self, before: &str) -> String {
        let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
        format!("{before}v{}{}", letter(self.names / 26), letter(self.names))
    }

    /// A variable of a type that is in scope.
    fn variable(&mut self, of: Type) -> Option<String> {
        let all: Vec<String> =
            self.scope.iter().filter(|(_, other)| *other == of).map(|(name, _)| name.clone()).collect();
        // The innermost is the one that there is a reason to speak of.
        match all.len() {
            0 => None,
            n if self.one_in(3) => Some(all[self.stream.below(n)].clone()),
            _ => all.last().cloned(),
        }
    }

    /// What a helper answers, asked with values of the types that it takes.
    fn asked(&mut self, of: Type, depth: usize, effect: bool) -> Option<String> {
        let fit: Vec<_> = self
            .helpers
            .iter()
            .filter(|(name, _, gives)| *gives == Some(of) && name.starts_with("do") == effect)
            .cloned()
            .collect();
        if fit.is_empty() {
            return None;
        }
        let (name, takes, _) = fit[self.below(fit.len())].clone();
        Some(self.call(&name, &takes, depth))
    }

    fn call(&mut self, name: &str, takes: &[Type], depth: usize) -> String {
        let given: Vec<String> = takes.iter().map(|of| self.value(*of, depth)).collect();
        if given.is_empty() { name.to_owned() } else { format!("{name}({})", given.join(", ")) }
    }

    fn value(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Card => self.card(depth),
            Type::Cards => self.cards(depth),
            Type::Token => self.token(),
            Type::Side => self.side(),
            Type::Number => self.number(depth),
            Type::Flag => self.flag(depth),
        }
    }

    fn side(&mut self) -> String {
        match self.below(3) {
            0 => "Red".to_owned(),
            1 => "Blue".to_owned(),
            _ => self.variable(Type::Side).unwrap_or_else(|| "Blue".to_owned()),
        }
    }

    fn token(&mut self) -> String {
        self.variable(Type::Token).unwrap_or_else(|| "Spear".to_owned())
    }

    fn card(&mut self, depth: usize) -> String {
        if !self.one_in(4)
            && let Some(name) = self.variable(Type::Card)
        {
            return if self.one_in(8) { format!("one({name})") } else { name };
        }
        if self.one_in(3)
            && depth > 0
            && let Some(call) = self.asked(Type::Card, depth - 1, false)
        {
            return call;
        }
        match self.below(3) {
            0 => "Ace",
            1 => "Low",
            _ => "Two",
        }
        .to_owned()
    }

    /// A card that may be absent.
    fn perhaps(&mut self, depth: usize) -> String {
        match self.below(5) {
            0 => "kept".to_owned(),
            1 if depth > 0 => {
                let (name, of, by) = self.query(depth - 1);
                let word = if self.one_in(2) { "lowest" } else { "highest" };
                format!("({word} {name} in {of} by {by})")
            }
            2 => format!("{}.under", self.token()),
            _ => format!("first {}", self.cards(depth.saturating_sub(1))),
        }
    }

    /// The variable of a query, where it goes through, and a number of it.
    fn query(&mut self, depth: usize) -> (String, String, String) {
        let of = self.cards(depth);
        let name = self.fresh();
        self.scope.push((name.clone(), Type::Card));
        let by = if self.one_in(2) { format!("{name}.worth") } else { self.number(depth) };
        self.scope.pop();
        (name, of, by)
    }

    /// A variable of a query, where it goes through, and what holds of it.
    fn filter(&mut self, depth: usize) -> (String, String, String) {
        let (of, gone_through) =
            if self.one_in(5) { (Type::Token, "tokens".to_owned()) } else { (Type::Card, self.cards(depth)) };
        self.filter_of(of, gone_through, depth)
    }

    fn filter_of(&mut self, of: Type, gone_through: String, depth: usize) -> (String, String, String) {
        let name = self.fresh();
        self.scope.push((name.clone(), of));
        let condition = self.flag(depth);
        self.scope.pop();
        (name, gone_through, condition)
    }

    fn cards(&mut self, depth: usize) -> String {
        if self.one_in(3)
            && let Some(name) = self.variable(Type::Cards)
        {
            return name;
        }
        if depth > 0 {
            match self.below(8) {
                0 | 1 => {
                    let through = self.cards(depth - 1);
                    let (name, of, condition) = self.filter_of(Type::Card, through, depth - 1);
                    return format!("(all {name} in {of} where {condition})");
                }
                2 => {
                    let sign = ["+", "-", "&"][self.below(3)];
                    return format!("({} {sign} {})", self.cards(depth - 1), self.cards(depth - 1));
                }
                3 => {
                    let word = if self.one_in(2) { "least" } else { "most" };
                    let (name, of, by) = self.query(depth - 1);
                    return format!("({word} {name} in {of} by {by})");
                }
                4 if self.one_in(2) => return format!("{}.tie neighbours", self.card(0)),
                4 => return format!("{}.same", self.cards(depth - 1)),
                5 => {
                    if let Some(call) = self.asked(Type::Cards, depth - 1, false) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        match self.below(10) {
            0 | 1 => "cards".to_owned(),
            2 | 3 => format!("{}.hand", self.side()),
            4 => "high".to_owned(),
            5 => "pile".to_owned(),
            6 => "known high".to_owned(),
            7 => format!("[{}]", self.card(0)),
            8 => format!("[{}, Low]", self.card(0)),
            _ => "Blue.hand".to_owned(),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if self.one_in(4)
            && let Some(name) = self.variable(Type::Number)
        {
            return name;
        }
        match self.below(8) {
            0 => self.below(4).to_string(),
            1 => "told".to_owned(),
            2 => format!("{}.worth", self.card(0)),
            3 if self.one_in(2) => format!("luck({})", self.card(0)),
            3 => format!("{}.place", self.card(0)),
            4 if depth > 0 => format!("count {}", self.cards(depth - 1)),
            5 if depth > 0 => {
                let (name, of, by) = self.query(depth - 1);
                format!("(total {name} in {of} by {by})")
            }
            6 if depth > 0 => {
                let (name, of, condition) = self.filter(depth - 1);
                format!("(count {name} in {of} where {condition})")
            }
            7 if depth > 0 => {
                self.asked(Type::Number, depth - 1, false).unwrap_or_else(|| format!("{}.purse", self.side()))
            }
            _ => format!("away({})", self.cards(depth.saturating_sub(1))),
        }
    }

    fn flag(&mut self, depth: usize) -> String {
        if self.one_in(8)
            && let Some(name) = self.variable(Type::Flag)
        {
            return name;
        }
        if depth > 0 {
            match self.below(12) {
                0 => return format!("({} and {})", self.flag(depth - 1), self.flag(depth - 1)),
                1 => return format!("({} or {})", self.flag(depth - 1), self.flag(depth - 1)),
                2 => return format!("not ({})", self.flag(depth - 1)),
                3 | 4 => {
                    let (name, of, condition) = self.filter(depth - 1);
                    return format!("(any {name} in {of} where {condition})");
                }
                5 => {
                    let (name, of, condition) = self.filter(depth - 1);
                    return format!("(every {name} in {of}: {condition})");
                }
                6 => {
                    let sign = [">", "=", "<"][self.below(3)];
                    return format!("{} {sign} {}", self.number(depth - 1), self.number(depth - 1));
                }
                7 => return format!("{} in {}", self.card(depth - 1), self.cards(depth - 1)),
                8 => return format!("any {}", self.cards(depth - 1)),
                9 => {
                    if let Some(call) = self.asked(Type::Flag, depth - 1, false) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        match self.below(17) {
            16 => format!("any tie({}, {})", self.card(0), self.card(0)),
            0 | 1 => format!("{}.hand = {}", self.card(0), self.side()),
            2 => format!("any {}.hand", self.card(0)),
            3 => format!("{}.tapped", self.card(0)),
            4 => format!("{}.shown", self.card(0)),
            5 | 6 => format!("{}.worth > 5", self.card(0)),
            7 => format!("{} = {}", self.card(0), self.card(0)),
            8 => format!("{}.is high", self.card(0)),
            9 => "gone".to_owned(),
            10 => format!("{}.place = 1", self.card(0)),
            11 => format!("sought({})", self.card(0)),
            12 => format!("{}.under = {}", self.token(), self.card(0)),
            13 => format!("kept = {}", self.card(0)),
            14 => format!("{}.owner = {}", self.token(), self.side()),
            _ => format!("holder({}) = {}", self.card(0), self.side()),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let height = self.scope.len();
        let mut all = Vec::new();
        for _ in 0..1 + usize::from(self.one_in(3)) {
            all.push(self.statement(depth));
        }
        self.scope.truncate(height);
        format!("{{ {} }}", all.join("; "))
    }

    /// A block with a variable.
    fn block_of(&mut self, name: &str, of: Type, depth: usize) -> String {
        self.scope.push((name.to_owned(), of));
        let block = self.block(depth);
        self.scope.pop();
        block
    }

    fn otherwise(&mut self, depth: usize) -> String {
        if self.one_in(3) { format!(" else {}", self.block(depth)) } else { String::new() }
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 || self.one_in(3) {
            return self.deed(depth);
        }
        let inner = depth - 1;
        match self.below(12) {
            0 | 1 => format!("if {} {}{}", self.flag(2), self.block(inner), self.otherwise(inner)),
            2 | 3 => {
                let of = self.cards(2);
                let name = self.fresh();
                self.scope.push((name.clone(), Type::Card));
                let guard = if self.one_in(3) { format!(" where {}", self.flag(1)) } else { String::new() };
                self.scope.pop();
                self.loops += 1;
                let block = self.block_of(&name, Type::Card, inner);
                self.loops -= 1;
                format!("for {name} in {of}{guard} {block}{}", self.otherwise(inner))
            }
            4 => {
                let of = self.perhaps(2);
                let name = self.fresh();
                format!(
                    "with {name} = {of} {}{}",
                    self.block_of(&name, Type::Card, inner),
                    self.otherwise(inner)
                )
            }
            5 => {
                let name = self.fresh();
                self.loops += 1;
                let block = self.block_of(&name, Type::Token, inner);
                self.loops -= 1;
                format!("for {name} in tokens {block}")
            }
            6 => {
                self.loops += 1;
                let line = format!(
                    "while rounds < 3 and {} {{ rounds += 1; {} }}",
                    self.flag(1),
                    self.statement(inner)
                );
                self.loops -= 1;
                line
            }
            7 if self.one_in(3) => format!(
                "case {} {{ when Ace {}; else {} }}",
                self.card(0),
                self.block(inner),
                self.block(inner)
            ),
            7 => format!(
                "case {} {{ when 0..1 {}; else {} }}",
                self.number(1),
                self.block(inner),
                self.block(inner)
            ),
            8 | 9 if self.choosing => self.choice(inner),
            10 => {
                let of = [Type::Card, Type::Cards, Type::Number, Type::Flag][self.below(4)];
                let name = self.fresh();
                let effect = self.one_in(2);
                let value = if effect { self.asked(of, 1, true) } else { None };
                let value = value.unwrap_or_else(|| self.value(of, 2));
                let rest = self.block_of(&name, of, inner);
                // What follows the `let` is all that it is for.
                format!("let {name} = {value}; {}", &rest[2..rest.len() - 2])
            }
            _ => {
                let fit: Vec<_> =
                    self.helpers.iter().filter(|(_, _, gives)| gives.is_none()).cloned().collect();
                if fit.is_empty() {
                    return self.deed(depth);
                }
                let (name, takes, _) = fit[self.below(fit.len())].clone();
                self.call(&name, &takes, 1)
            }
        }
    }

    fn deed(&mut self, depth: usize) -> String {
        let depth = depth.min(1);
        match self.below(20) {
            18 => "peek".to_owned(),
            19 => "once := min(9, once + 1)".to_owned(),
            0 | 1 => "gone := yes".to_owned(),
            2 => format!("gone := {}", self.flag(depth)),
            3 => format!("told := min(9, {})", self.number(depth)),
            4 => "told := min(9, told + 1)".to_owned(),
            5 => format!("kept := {}", self.card(depth)),
            6 => format!("pile += {}", self.card(0)),
            7 => format!("pile := {}", self.cards(depth)),
            8 => format!("{}.hand := {}", self.card(0), ["none", "Red", "Blue"][self.below(3)]),
            9 => format!("{}.tapped := {}", self.card(0), self.flag(0)),
            10 => format!("{}.shown := yes", self.card(0)),
            11 => format!("{}.place := {}", self.card(0), 1 + self.below(3)),
            12 => format!("{}.under := {}", self.token(), self.card(0)),
            13 => format!("say \"{{{}}}\"", self.card(0)),
            14 => format!("say \"there {{{}}}\"", self.number(depth)),
            15 => format!("announce \"tells {{{}}}\"", self.card(0)),
            16 if self.loops > 0 => "stop".to_owned(),
            _ => "say \"something\"".to_owned(),
        }
    }

    fn option(&mut self, label: &str, depth: usize) -> String {
        let of = self.cards(2);
        let name = self.fresh();
        self.scope.push((name.clone(), Type::Card));
        let named = if self.one_in(4) { "named " } else { "" };
        let guard = if self.one_in(3) { format!(" where {}", self.flag(1)) } else { String::new() };
        let needs = if self.one_in(3) {
            format!(" needs fit: {} else \"not {{{name}}}\"", self.flag(1))
        } else {
            String::new()
        };
        let held = self.loops;
        self.loops = 0;
        let block = self.block(depth);
        self.loops = held;
        self.scope.pop();
        format!("option {label}({named}{name} in {of}{guard}) \"{label} {{{name}}}\"{needs} {block}")
    }

    fn choice(&mut self, depth: usize) -> String {
        let label = self.letters("take ");
        let free = "option leave \"Leave\" { }; option stay \"Stay\" { }";
        if self.one_in(3) {
            let name = self.fresh();
            self.scope.push((name.clone(), Type::Side));
            let option = self.option(&label, depth);
            self.scope.pop();
            return format!("choose by each {name} in players \"Which?\" {{ {option}; {free} }}");
        }
        let who = self.side();
        let option = self.option(&label, depth);
        format!("choose by {who} \"Which?\" {{ {option}; {free} }}")
    }

    /// A rule or a step that is asked or done elsewhere.
    fn helper(&mut self) {
        match self.below(4) {
            0 | 1 => self.rule(),
            2 => self.step(),
            _ => self.act(),
        }
    }

    /// Parameters, now in scope, and their types.
    fn parameters(&mut self) -> (String, Vec<Type>) {
        let of = |n: usize| [Type::Card, Type::Card, Type::Cards, Type::Side][n];
        let takes: Vec<Type> = (0..1 + self.below(2)).map(|_| of(self.below(4))).collect();
        let mut params = Vec::new();
        for of in &takes {
            let name = self.fresh();
            let kind = match of {
                Type::Cards => "set of card",
                Type::Side => "side",
                Type::Card | Type::Token | Type::Number | Type::Flag => "card",
            };
            params.push(format!("{name}: {kind}"));
            self.scope.push((name, *of));
        }
        (params.join(", "), takes)
    }

    /// What something may answer.
    fn answer(&mut self) -> (Type, &'static str) {
        [(Type::Card, "card"), (Type::Cards, "set of card"), (Type::Number, "number"), (Type::Flag, "flag")]
            [self.below(4)]
    }

    /// A name that no other helper has.
    fn called(&self, what: &str) -> String {
        format!("{what} {}", ["one", "two", "three", "four", "five"][self.helpers.len() % 5])
    }

    fn rule(&mut self) {
        let height = self.scope.len();
        let called = self.called("ask");
        let (params, takes) = self.parameters();
        let (of, kind) = self.answer();
        let value = self.value(of, 2);
        let mut clauses = String::new();
        if self.one_in(3) {
            clauses = format!("\n  except {} if {}", self.value(of, 1), self.flag(1));
        }
        if self.one_in(4) && matches!(of, Type::Cards | Type::Number) {
            let sign = ["+", "-"][self.below(2)];
            clauses.push_str(&format!("\n  {sign} {} if {}", self.value(of, 1), self.flag(1)));
        }
        self.items.push(format!("rule {called}({params}): {kind} = {value}{clauses}"));
        self.helpers.push((called, takes, Some(of)));
        self.scope.truncate(height);
    }

    fn step(&mut self) {
        let height = self.scope.len();
        let called = self.called("do");
        let (params, takes) = self.parameters();
        let (of, kind) = self.answer();
        let statement = self.statement(1);
        let value = self.value(of, 2);
        let early = if self.one_in(3) {
            format!("if {} {{ return {} }}; ", self.flag(1), self.value(of, 1))
        } else {
            String::new()
        };
        self.items.push(format!("step {called}({params}): {kind} {{ {early}{statement}; return {value} }}"));
        self.helpers.push((called, takes, Some(of)));
        self.scope.truncate(height);
    }

    fn act(&mut self) {
        let height = self.scope.len();
        let called = self.called("act");
        let (params, takes) = self.parameters();
        self.choosing = true;
        let block = self.block(2);
        self.choosing = false;
        self.items.push(format!("step {called}({params}) {block}"));
        self.helpers.push((called, takes, None));
        self.scope.truncate(height);
    }
}
