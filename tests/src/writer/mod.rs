//! A writer of small rules: steps, rules, options and watches put together at random, but of the right types, from what a
//! game of hidden cards has. Most of what it writes for the proof of what is hidden says too much and is refused; what is
//! not is played. With open cards nothing is refused, and what rules answer and options offer is worked out anew.

mod absence;
mod expressions;
mod statements;

use blazon_kernel::chance::Stream;

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// A card.
    Card,
    /// A card that may be absent.
    Maybe,
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
rule dear(c: card): number? = c.luck
  except held: none if c.hand = Blue
  + high: c.worth if c.is high
  - told: 1 if told > 1
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

/// What rules that are played have beside it.
const MORE: &str = "
state spot : card?
state debt : -20..20
state lead : card, fresh each probe
rule narrow(c: card): 0..5 = c.worth
  - low: 2 if c = Low
rule broad(n: 0..3): 0..6 = n * 2 + narrow(Two)
rule lowly(c: card): 0..9 = c.narrow + broad(2)
";

/// The same with open cards, and a question behind each turn.
pub fn open_game() -> String {
    let hides =
        |line: &str| ["seen by", "back:", "known to all"].iter().any(|word| line.trim().starts_with(word));
    let game = GAME.replace("option wait \"Wait\" { }", "option wait \"Wait\" { }; option go \"Go\" { }");
    game.lines().filter(|line| !hides(line)).map(|line| format!("{line}\n")).collect::<String>() + MORE
}

/// A page under way.
pub struct Writer {
    stream: Stream,
    scope: Vec<(String, Type)>,
    names: usize,
    loops: usize,
    choosing: bool,
    /// Whether what may be absent, sums and luck are written, too.
    ventures: bool,
    /// What the step that is written returns.
    returns: Option<Type>,
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
            ventures: false,
            returns: None,
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
            let position = writer.position(place, "probe");
            writer.items.push(position);
        }
        writer.items.join("\n")
    }

    /// The rules of a seed for a game with open cards, and positions to play `step probe(s: side)` from.
    pub fn play(seed: u64) -> String {
        let mut writer = Self::of(seed);
        writer.ventures = true;
        for _ in 0..writer.below(4) {
            writer.helper();
        }
        writer.probe();
        for place in 0..3 {
            let position = writer.position(place, "turn");
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

    /// A position: a test that plays a step from it.
    fn position(&mut self, place: usize, step: &str) -> String {
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
        format!("test \"position {place}\" {{\n  from Dawn\n{}\n  play {step}({who})\n}}", lines.join("\n"))
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
        writer.probe();
        writer.items.join("\n")
    }

    fn probe(&mut self) {
        self.choosing = true;
        self.scope.push(("s".to_owned(), Type::Side));
        let block = self.block(if self.ventures { 3 } else { 2 });
        self.items.push(format!("step probe(s: side) {block}"));
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
        // Whether what may be absent is there, the check says.
        let of = if self.ventures && of == Type::Card && self.one_in(12) { Type::Maybe } else { of };
        let all: Vec<String> =
            self.scope.iter().filter(|(_, other)| *other == of).map(|(name, _)| name.clone()).collect();
        // The innermost is the one that there is a reason to speak of.
        match all.len() {
            0 => None,
            n if self.one_in(3) => Some(all[self.stream.below(n)].clone()),
            _ => all.last().cloned(),
        }
    }
}
