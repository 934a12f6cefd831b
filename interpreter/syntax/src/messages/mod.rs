//! What the grammar engine found wrong, in the words of the language.

mod lines;
mod rule_names;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span, did_you_mean, near_keyword};
use blazon_grammar::Rule;
use pest::error::{Error, ErrorVariant, InputLocation};

use crate::ast::{Quantifier, compares};
use crate::keywords::{INNER_WORDS, NAMED_WORDS, QUANTIFIERS, begins_item, class, reserved};
use crate::lexer::{Token, TokenKind};
pub(crate) use crate::messages::rule_names::{Description, Group, describe};

/// Where and in what an error happened.
pub(crate) struct Scene<'t> {
    /// The file.
    pub source: SourceId,
    /// The file's text.
    pub text: &'t str,
    /// The tokens that were read: those of an item, or all.
    pub tokens: &'t [Token],
    /// Where the text given to the engine begins in the file.
    pub base: usize,
    /// What is read, for the end of it: "the rule", "the expression".
    pub whole: &'t str,
}

/// The first token at or after a place.
pub(crate) fn token_at(tokens: &[Token], at: usize) -> Option<usize> {
    let index = tokens.partition_point(|token| token.end <= at);
    (index < tokens.len()).then_some(index)
}

/// Turns the engine's error into a diagnostic.
pub(crate) fn explain(error: &Error<Rule>, scene: &Scene<'_>) -> Diagnostic {
    let at = scene.base
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let index = token_at(scene.tokens, at);
    let token = index.map(|i| scene.tokens[i]);
    let positives = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        ErrorVariant::CustomError { .. } => return too_long(scene, at),
    };
    let (span, found) = found(scene, at, token);
    let expected = Expected::new(positives);
    if let Some(diagnostic) = reserved_word(scene, index, span, &expected) {
        return diagnostic;
    }
    let diagnostic = Diagnostic::error("syntax::expected", span, format!("expected {}", expected.sentence()))
        .label(format!("found {found}"));
    match help(scene, index, &expected) {
        Some(Help { words, write: Some(written) }) => {
            diagnostic.help(words).fix(Fix::replace(format!("write `{written}`"), span, written))
        }
        Some(Help { words, write: None }) => diagnostic.help(words),
        None => diagnostic,
    }
}

/// The engine gave up counting.
fn too_long(scene: &Scene<'_>, at: usize) -> Diagnostic {
    let end = scene.text.len();
    let start = at.min(end.saturating_sub(1));
    Diagnostic::error(
        "syntax::depth",
        Span::new(scene.source, start, start + 1),
        "an item is too long to be read",
    )
    .label(format!("{} goes on too long", scene.whole))
    .help("split it; long lists of printed values belong in a file beside the page")
}

/// What stands at the place of an error, and where.
fn found(scene: &Scene<'_>, at: usize, token: Option<Token>) -> (Span, String) {
    let Some(token) = token else {
        let end = scene.tokens.last().map_or(at, |last| last.end);
        let end = end.min(scene.text.len());
        return (Span::new(scene.source, end.saturating_sub(1), end), format!("the end of {}", scene.whole));
    };
    match token.kind {
        TokenKind::Newline => {
            let start =
                scene.tokens[..].iter().rev().find(|t| t.end <= token.start).map_or(token.start, |t| t.end);
            let start = start.min(token.start);
            (Span::new(scene.source, start, (start + 1).min(token.end)), "the end of the line".into())
        }
        TokenKind::Row if at > token.start => {
            (Span::new(scene.source, at.min(token.end), token.end), "another part of the row".into())
        }
        TokenKind::Text if at > token.start => {
            let rest = &scene.text[at..token.end];
            let c = rest.chars().next().unwrap_or('"');
            (Span::new(scene.source, at, at + c.len_utf8()), format!("`{c}` in a text"))
        }
        TokenKind::Word
        | TokenKind::Text
        | TokenKind::Quoted
        | TokenKind::Cite
        | TokenKind::Row
        | TokenKind::Open(_)
        | TokenKind::Close(_)
        | TokenKind::Sign => {
            let start = at.max(token.start);
            let shown: String = scene.text.get(start..token.end).unwrap_or("").chars().take(40).collect();
            (Span::new(scene.source, start, token.end), format!("`{shown}`"))
        }
    }
}

/// What the engine would have taken, each once.
struct Expected {
    all: Vec<Description>,
    groups: Vec<Group>,
}

impl Expected {
    fn new(positives: &[Rule]) -> Self {
        let mut expected = Expected { all: Vec::new(), groups: Vec::new() };
        for description in positives.iter().copied().filter_map(describe) {
            if !expected.groups.contains(&description.group) {
                expected.groups.push(description.group);
            }
            if !expected.expects(description.words) {
                expected.all.push(description);
            }
        }
        let strong = |group: &Group| !matches!(group, Group::More);
        if expected.groups.iter().any(strong) {
            let weak: Vec<&str> = positives
                .iter()
                .filter_map(|&r| describe(r))
                .filter(|d| d.group == Group::More)
                .map(|d| d.words)
                .collect();
            expected.all.retain(|description| !weak.contains(&description.words));
        }
        expected
    }

    fn has(&self, group: Group) -> bool {
        self.groups.contains(&group)
    }

    fn expects(&self, words: &str) -> bool {
        self.all.iter().any(|description| description.words == words)
    }

    /// Whether nothing else was expected.
    fn only(&self, words: &str) -> bool {
        self.all.len() == 1 && self.expects(words)
    }

    fn keywords(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().filter_map(|description| description.keyword).map(|keyword| keyword.word)
    }

    /// "`option` or `}`": long lists of keywords become what they begin, and what ends something comes last.
    fn sentence(&self) -> String {
        let mut all = self.all.clone();
        for category in &CATEGORIES {
            let opened = category.needs.is_none_or(|words| all.iter().any(|d| d.words == words));
            if opened && all.iter().filter(|description| category.holds(description)).count() >= 4 {
                all.retain(|description| {
                    !category.holds(description) && description.words != category.phrase
                });
                all.insert(0, Description { words: category.phrase, group: Group::Other, keyword: None });
            }
        }
        const CLOSERS: [&str; 4] = ["`}`", "`)`", "`]`", "the end of the line"];
        let mut words: Vec<&str> = all.iter().map(|description| description.words).collect();
        words.sort_by_key(|word| {
            CLOSERS.iter().position(|closer| closer == word).map_or(0, |place| place + 1)
        });
        match words.as_slice() {
            [] => "something else".to_owned(),
            [one] => (*one).to_owned(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }
}

/// The steps, options and cases that can be opened.
const OPENED: &str = "`step`, `option`";

/// What keywords begin that are too many to list.
struct Category {
    /// Its keywords.
    class: u16,
    /// What else counts among them.
    others: &'static [&'static str],
    /// What must be expected, too.
    needs: Option<&'static str>,
    /// What is said instead.
    phrase: &'static str,
}

impl Category {
    fn holds(&self, description: &Description) -> bool {
        self.others.contains(&description.words)
            || description.keyword.is_some_and(|keyword| keyword.is(self.class))
    }
}

const CATEGORIES: [Category; 5] = [
    Category {
        class: class::OPENED,
        others: &[OPENED],
        needs: Some(OPENED),
        phrase: "what is opened (`rule`, `step`, `option` …)",
    },
    Category {
        class: class::TEST_LINE,
        others: &["a thing"],
        needs: None,
        phrase: "a line of a test (`Red: …`, `expect` …)",
    },
    Category {
        class: class::DECLARATION,
        others: &[],
        needs: None,
        phrase: "a declaration (`rule`, `step` …)",
    },
    Category {
        class: class::CHANGE,
        others: &["a change"],
        needs: None,
        phrase: "a change (`in`, `replace` …)",
    },
    Category { class: class::STATEMENT, others: &["a value", "a thing"], needs: None, phrase: "a statement" },
];

/// A reserved word where a name should stand, or within one.
fn reserved_word(
    scene: &Scene<'_>,
    index: Option<usize>,
    span: Span,
    expected: &Expected,
) -> Option<Diagnostic> {
    let index = index?;
    let word = scene.tokens[index].text(scene.text);
    if scene.tokens[index].kind != TokenKind::Word || !reserved(word) {
        return None;
    }
    if expected.has(Group::Name) && !expected.has(Group::Value) {
        return Some(
            Diagnostic::error("syntax::reserved", span, format!("`{word}` is a word of the language"))
                .label("a name should stand here")
                .help(format!("a name cannot begin with `{word}`: choose another word")),
        );
    }
    // Only words stand between the keyword at the line's beginning and this one: it is meant as part of a name.
    let line =
        scene.tokens[..index].iter().rposition(|t| !matches!(t.kind, TokenKind::Word)).map_or(0, |i| i + 1);
    let heading = scene.tokens.get(line).is_some_and(|t| NAMED_WORDS.contains(&t.text(scene.text)));
    if heading && index > line + 1 && INNER_WORDS.contains(&word) {
        return Some(
            Diagnostic::error("syntax::reserved", span, format!("`{word}` is a word of the language"))
                .label("it ends the name before it")
                .help(format!(
                    "a name cannot contain `{word}`: choose other words, or join them with a hyphen"
                )),
        );
    }
    None
}

/// How to mend something: in words and, where that is certain, what to write in the place of the word found.
struct Help {
    words: String,
    write: Option<String>,
}

impl Help {
    fn write(what: &str, words: impl Into<String>) -> Self {
        Self { words: words.into(), write: Some(what.to_owned()) }
    }
}

impl<W: Into<String>> From<W> for Help {
    fn from(words: W) -> Self {
        Self { words: words.into(), write: None }
    }
}

/// How other languages say something.
const SAYING: [&str; 7] = ["print", "echo", "log", "message", "puts", "show", "tell"];

/// What is said where a heading has no block.
pub(crate) const NO_BODY: &str = "what begins above has no body yet: `{ … }`";

/// How to mend it, where that can be guessed.
fn help(scene: &Scene<'_>, index: Option<usize>, expected: &Expected) -> Option<Help> {
    let index = index?;
    let token = scene.tokens[index];
    let word = token.text(scene.text);
    let fresh = index == 0 || scene.tokens[index - 1].kind == TokenKind::Newline;
    let previous = index.checked_sub(1).map(|i| scene.tokens[i].text(scene.text)).unwrap_or_default();
    if fresh && expected.expects("`{`") && !expected.expects("the end of the line") && word != "{" {
        return Some(NO_BODY.into());
    }
    if expected.only("`-`") && scene.whole != "the kind" {
        return Some("a link is written `Ford - Mill`, with blanks around the minus".into());
    }
    let before = index.checked_sub(2).map(|i| scene.tokens[i].text(scene.text)).unwrap_or_default();
    if expected.only("`by`") && before == "choose" {
        return Some(format!("who is asked stands behind `by`: `choose by {previous}`").into());
    }
    if let Some(typed) = without_type(scene, index, expected) {
        return Some(typed.into());
    }
    if let Some(line) = lines::help(scene, index, expected) {
        return Some(line);
    }
    match (token.kind, word) {
        (TokenKind::Sign, ":=") if expected.expects("`=`") => {
            return Some(Help::write("=", "what something is stands behind `=`; `:=` sets a state"));
        }
        (TokenKind::Sign | TokenKind::Close(_), "," | ")")
            if expected.only("`:`") && behind(scene, index, |word| matches!(word, "step" | "rule")) =>
        {
            return Some(
                format!("a parameter says behind a colon what it is, a kind or a type: `{previous}: number`")
                    .into(),
            );
        }
        (TokenKind::Sign, "=") if expected.only("`in`") && behind(scene, index, |word| word == "for") => {
            return Some("a loop goes through a range or a set: `for n in 1..3 { … }`".into());
        }
        (TokenKind::Sign, "+" | "-")
            if expected.expects("`:=`") && scene.text[token.end..].starts_with(word) =>
        {
            return Some(format!("it is changed by a number that is said: `{previous} {word}= 1`").into());
        }
        (TokenKind::Sign, "?") if expected.has(Group::Operator) => {
            return Some(
                "one value or the other is a rule with a clause, `except label: VALUE if CONDITION`; in a step it is \
                 `if CONDITION { … } else { … }`"
                    .into(),
            );
        }
        (TokenKind::Word, "if") if previous == "return" => {
            return Some("write what decides first: `if … { return }`".into());
        }
        (TokenKind::Word, "if")
            if (expected.has(Group::Value) || expected.has(Group::Operator))
                && behind(scene, index, |word| word == "rule")
                && !behind(scene, index, |word| word == "except") =>
        {
            return Some(
                "the value that holds otherwise stands here, alone; below it a clause says when it is another: \
                 `except label: VALUE if CONDITION`"
                    .into(),
            );
        }
        (TokenKind::Word, "then") if expected.expects("`{`") => {
            return Some("what is done then stands in braces: `if … { … }`".into());
        }
        (TokenKind::Close(_), ")") if expected.only("a name") && previous == "(" => {
            return Some("what takes nothing has no brackets behind its name".into());
        }
        (TokenKind::Open(_), "{")
            if expected.expects("`=`")
                && line_of(scene, index).first().is_some_and(|token| token.text(scene.text) == "rule") =>
        {
            return Some("a rule has a value, `rule … : number = 3`; what is done stands in a `step`".into());
        }
        (TokenKind::Quoted, _) if expected.only("a text") => {
            return Some("a text stands in double quotes: `\"…\"`; single ones are for printed names".into());
        }
        (TokenKind::Text, _) if expected.expects("`:=`") && SAYING.contains(&previous) => {
            return Some(format!("something is told by `say`: `say {word}`").into());
        }
        (TokenKind::Word, "not") if previous == "is" => {
            return Some("to compare write `=` or `!=`, in the place of `is` and `is not`".into());
        }
        (TokenKind::Word, "needs") if expected.expects("`option`") && follows_block(scene, index) => {
            return Some("the needs of an option stand before its block: `option … needs … { … }`".into());
        }
        (TokenKind::Newline, _) if expected.expects("`{`") => {
            let names_file = |token: &Token| {
                token.kind == TokenKind::Text && names_data(token.text(scene.text).trim_matches('"'))
            };
            let line = line_of(scene, index);
            let is_setup = line.first().is_some_and(|token| token.text(scene.text) == "setup");
            return Some(if is_setup && line.iter().any(names_file) { NO_FILE } else { NO_BODY }.into());
        }
        (TokenKind::Sign, "==") => return Some(Help::write("=", "equality is one sign: `=`")),
        (TokenKind::Sign, "!") if !expected.has(Group::Operator) => {
            return Some("denial is the word `not`".into());
        }
        (TokenKind::Sign, "=") if expected.expects("`:=`") => {
            return Some(Help::write(":=", "to set a state write `:=`; `=` compares"));
        }
        (TokenKind::Sign, ":=") if expected.has(Group::Operator) => {
            return Some(Help::write("=", "`:=` sets a state; to compare write `=`"));
        }
        (TokenKind::Sign, "-") if expected.has(Group::Value) => {
            return Some("what is below nothing is taken from 0: `0 - …`".into());
        }
        (TokenKind::Sign, "-") if expected.has(Group::Operator) => {
            return Some("a minus has blanks around it".into());
        }
        (TokenKind::Sign, "/" | "#") if fresh || word == "#" || previous == "/" => {
            return Some("a comment begins with `--`".into());
        }
        (TokenKind::Sign, "“" | "”" | "„" | "«" | "»") => {
            return Some("a text stands in straight quotes: `\"…\"`".into());
        }
        _ if index > 0 && scene.tokens[index - 1].kind == TokenKind::Cite && !fresh => {
            return Some("a citation stands at the end of a line".into());
        }
        (TokenKind::Cite, _) => return Some("a citation stands at the end of a line".into()),
        (TokenKind::Text, _) if expected.has(Group::Operator) => {
            return Some(if scene.tokens.iter().any(|t| t.text(scene.text) == "needs") {
                "a reason stands after `else`".into()
            } else {
                "a text cannot stand here; is a word missing before it?".into()
            });
        }
        (TokenKind::Text, _) if expected.expects("`|`") => {
            return Some(
                "a hole with a colon chooses words, those of one and of several: `{hits: hit | hits}`".into(),
            );
        }
        (TokenKind::Sign, ":")
            if expected.has(Group::Operator) && behind(scene, index, |word| QUANTIFIERS.contains(&word)) =>
        {
            return Some("a condition that holds for each of a set is asked by `every d in dice: …`".into());
        }
        (TokenKind::Sign, ":") if expected.expects("`{`") && behind(scene, index, |word| word == "for") => {
            return Some("what is done for each stands in braces: `for … { … }`".into());
        }
        (TokenKind::Word, _) if previous == "repeat" && expected.expects("`:=`") => {
            return Some(
                "what is done so many times is a loop through numbers: `for n in 1..3 { … }`".into(),
            );
        }
        (TokenKind::Sign, ",") if expected.has(Group::Operator) && behind(scene, index, compares) => {
            return Some(
                "a key that is a condition stands in brackets: `by (p.rank = Guard), p.steps`".into(),
            );
        }
        // `Red except Blue` may be a name.
        (TokenKind::Word, "if")
            if expected.has(Group::Operator)
                && behind(scene, index, |word| word == "except")
                && line_of(scene, index).first().is_none_or(|token| token.text(scene.text) != "except") =>
        {
            return Some("`except` begins a line of its own, below what it is an exception to".into());
        }
        (TokenKind::Sign, ":")
            if expected.has(Group::Operator) && behind_words(scene, index, ["needs", "not"]) =>
        {
            return Some("a label cannot begin with `not`: `needs free: not …`".into());
        }
        (TokenKind::Word, _) if previous == "no" && expected.has(Group::Operator) => {
            return Some(format!("that there is none is asked so: `not any {word} in … where …`").into());
        }
        (TokenKind::Word, "where")
            if expected.has(Group::Operator)
                && behind(scene, index, |word| matches!(word, "by" | "within")) =>
        {
            return Some("`where` stands before `by` and `within`, behind what is gone through".into());
        }
        (TokenKind::Word, "where") if expected.has(Group::Operator) => {
            return Some(
                "what `where` asks of has a name: `all p in … where p. …`; so it is with `any` and `count`"
                    .into(),
            );
        }
        (TokenKind::Word, "by") if behind(scene, index, |word| word == "sum") => {
            return Some("a sum is asked so: `total p in … by …`".into());
        }
        (TokenKind::Word, "by") if behind(scene, index, |word| word == "within") => {
            return Some(
                "what ways cost stands before `within`, behind where they lead: `reach h in start by n in h.neighbours by \
                 n.cost within 6`"
                    .into(),
            );
        }
        (TokenKind::Word, "by")
            if expected.has(Group::Operator)
                && ["reach", "by"].into_iter().all(|one| behind(scene, index, |word| word == one)) =>
        {
            return Some(
                "where ways cost something, what they lead to has a variable: `reach h in start by n in h.neighbours by n.cost \
                 within 6`"
                    .into(),
            );
        }
        (TokenKind::Word, "by") if expected.has(Group::Operator) && behind(scene, index, takes_no_by) => {
            return Some(
                "`by` belongs to `most`, `least`, `highest`, `lowest`, `max`, `min`, `total` and `reach`"
                    .into(),
            );
        }
        (TokenKind::Word, "within") if expected.has(Group::Operator) && behind(scene, index, opens_query) => {
            return Some("`within` belongs to `reach`, which counts hops or spends what ways cost".into());
        }
        (TokenKind::Word, "else") if behind(scene, index, |word| word == "permission") => {
            return Some(
                "what a permission asks stands in lines below it: `needs label: … else \"…\"`".into(),
            );
        }
        (TokenKind::Word, "not") if expected.has(Group::Value) => {
            return Some("put the denied condition in brackets: `(not …)`".into());
        }
        _ if (expected.expects("`:`") || expected.only("`in`"))
            && behind(scene, index, |word| word == "every") =>
        {
            return Some(
                "`every` asks a condition of each, behind a colon: `every d in dice: odd(d)`".into(),
            );
        }
        (TokenKind::Newline, _) => return end_help(expected).map(Help::from),
        (TokenKind::Sign, ",") if expected.expects("`-`") && scene.whole == "the kind" => {
            return Some(
                "a thing begins with a capital, or stands in quotes; links have two ends: `area - area`"
                    .into(),
            );
        }
        (TokenKind::Word, _) if previous == "." && word.starts_with(|c: char| c.is_ascii_digit()) => {
            return Some("after a dot stands a name; numbers are whole".into());
        }
        (TokenKind::Word, _) if fresh && begins_item(word) && !expected.keywords().any(|k| k == word) => {
            return Some(
                format!("a new item begins at the margin: remove the blanks before `{word}`").into(),
            );
        }
        (TokenKind::Word, _) if previous == "}" && !fresh && expected.expects("the end of the line") => {
            return Some("one line says one thing: write `;` between them, also behind a `}`".into());
        }
        (TokenKind::Word, _) => {}
        _ => return None,
    }
    if let Some((number, die)) = several_dice(word) {
        return Some(format!("several dice are rolled by their number: `roll({die}, {number})`").into());
    }
    let next = scene.tokens.get(index + 1).map(|token| token.text(scene.text)).unwrap_or_default();
    if previous == "remove" && next.starts_with(|c: char| c == '\'' || c.is_uppercase()) {
        return Some(
            format!("open the kind that it belongs to: `in kind {word} {{ remove {next} }}`").into(),
        );
    }
    if word.starts_with("round") && expected.has(Group::Operator) {
        return Some("a quotient is rounded by `rounded up`, `rounded`, or `rounded down` behind it".into());
    }
    if let Some(meant) = near_keyword(word, expected.keywords()) {
        return Some(Help::write(meant, did_you_mean(meant)));
    }
    let capital = word.starts_with(char::is_uppercase);
    if previous == "choose" && word.starts_with(char::is_alphabetic) {
        return Some(format!("who is asked stands behind `by`: `choose by {word}`").into());
    }
    if capital && expected.has(Group::Name) && !expected.has(Group::Thing) && !expected.has(Group::Value) {
        return Some(
            format!(
                "a name of the rules begins with a small letter, `{}`; capitals are for things printed on \
                 components",
                begun(word, char::to_lowercase)
            )
            .into(),
        );
    }
    if !capital && !reserved(word) && expected.has(Group::Thing) && !expected.has(Group::Value) {
        let help = match word.starts_with(char::is_alphabetic) {
            true => format!(
                "a thing begins with a capital, `{}`, or stands in quotes: `'1710'`",
                begun(word, char::to_uppercase)
            ),
            false => "a thing begins with a capital, or stands in quotes: `'1710'`".to_owned(),
        };
        return Some(help.into());
    }
    if let Some(printed) = printed_name(scene, index) {
        return Some(
            format!("a name cannot contain a number by itself; quote a printed name: `'{printed}'`").into(),
        );
    }
    if expected.only("a text") {
        return Some("a text stands in quotes: `\"…\"`".into());
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) && expected.has(Group::Operator) {
        return Some(
            format!("a name cannot contain a number by itself; quote a printed name: `'{previous} {word}'`")
                .into(),
        );
    }
    None
}

/// The name of a thing in which a number stands, which is to be quoted: `The Year 1250`.
fn printed_name(scene: &Scene<'_>, index: usize) -> Option<String> {
    let of = |token: &Token| token.text(scene.text);
    if !of(&scene.tokens[index]).starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_word = |token: &&Token| token.kind == TokenKind::Word;
    let line = line_of(scene, index);
    let before = line.iter().rev().take_while(is_word).count();
    // What stands before the first capital is a word of the language, or a name of the rules.
    let begins_name = |token: &&Token| !of(token).starts_with(char::is_uppercase);
    let name = line[line.len() - before..].iter().skip_while(begins_name);
    let mut words: Vec<&str> = name.map(of).collect();
    if words.is_empty() {
        return None;
    }
    words.extend(scene.tokens[index..].iter().take_while(is_word).map(of));
    Some(words.join(" "))
}

/// What is said where a setup names a file.
pub(crate) const NO_FILE: &str =
    "a setup takes no file: who stands where is written in its braces, `Lancers: Hill`";

/// Whether a text is the name of a file of rows.
pub(crate) fn names_data(text: &str) -> bool {
    [".tsv", ".csv", ".txt"].iter().any(|ending| text.ends_with(ending))
}

/// `2d6`: the number and the die.
fn several_dice(word: &str) -> Option<(&str, &str)> {
    let at = word.find('d')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (is_number(&word[..at]) && is_number(&word[at + 1..])).then_some((&word[..at], &word[at..]))
}

/// `rule hand size = 3`, `rule hand size: 3`: what is declared has no type. How it is written, with the type that its
/// value seems to have.
fn without_type(scene: &Scene<'_>, index: usize, expected: &Expected) -> Option<String> {
    let text = |token: &Token| token.text(scene.text);
    let line = line_of(scene, index);
    let first = line.iter().position(|token| matches!(text(token), "rule" | "fact" | "state"))?;
    let (end, value) = if text(&scene.tokens[index]) == "=" && expected.only("`:`") {
        (line.len(), text(scene.tokens.get(index + 1)?))
    } else if expected.only("`..`") {
        (line.iter().rposition(|token| text(token) == ":")?, text(line.last()?))
    } else {
        return None;
    };
    let name = line.get(first + 1..end).filter(|name| !name.is_empty())?;
    let name = scene.text.get(name[0].start..name[name.len() - 1].end)?;
    let ty = match value {
        "yes" | "no" => "flag",
        _ if value.starts_with(|c: char| c.is_ascii_digit()) => "number",
        _ => {
            return Some(format!("behind a colon stands its type: `{name}: number = …`, `{name}: flag = …`"));
        }
    };
    let heading = scene.text.get(line[0].start..line[first].end)?;
    Some(format!("behind a colon stands its type: `{heading} {name}: {ty} = {value}`"))
}

/// Whether the line before a token ends with a block.
fn follows_block(scene: &Scene<'_>, index: usize) -> bool {
    let mut before = scene.tokens[..index].iter().rev();
    before.find(|token| token.kind != TokenKind::Newline).is_some_and(|token| token.text(scene.text) == "}")
}

/// Whether such a word stands before a token on its line.
fn behind(scene: &Scene<'_>, index: usize, is_it: impl Fn(&str) -> bool) -> bool {
    let before = scene.tokens[..index].iter().rev();
    before
        .take_while(|token| token.kind != TokenKind::Newline && token.text(scene.text) != ";")
        .any(|token| token.kind == TokenKind::Word && is_it(token.text(scene.text)))
}

/// Whether a word opens a query that compares and sums nothing.
fn takes_no_by(word: &str) -> bool {
    opens_query(word) && !compares(word) && !matches!(word, "total" | "reach" | "max" | "min")
}

fn opens_query(word: &str) -> bool {
    Quantifier::written(word).is_some()
}

/// What stands before a token on its line.
fn line_of<'s>(scene: &'s Scene<'_>, index: usize) -> &'s [Token] {
    let newline = scene.tokens[..index].iter().rposition(|token| token.kind == TokenKind::Newline);
    &scene.tokens[newline.map_or(0, |at| at + 1)..index]
}

/// Whether these words stand one behind the other before a token on its line.
fn behind_words(scene: &Scene<'_>, index: usize, words: [&str; 2]) -> bool {
    let of = |token: &Token| token.text(scene.text);
    line_of(scene, index).windows(2).any(|pair| pair.iter().map(of).eq(words))
}

/// A word with another first letter.
fn begun<I: Iterator<Item = char>>(word: &str, turn: impl Fn(char) -> I) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(turn).chain(letters).collect()
}

/// How to mend something that ends too early.
fn end_help(expected: &Expected) -> Option<String> {
    if expected.has(Group::Value) {
        return Some(
            "a line goes on after a comma or a sign, inside brackets, and before `and`, `or`, `where`".into(),
        );
    }
    expected.expects("`|`").then(|| "a row ends with `|`".to_owned())
}
