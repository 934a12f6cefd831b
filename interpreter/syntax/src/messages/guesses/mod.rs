//! How to mend what cannot be read, where that can be guessed from the tokens around it.
//!
//! A guess looks at one slip that people make, and answers what helps. They are asked one after another, and the first that
//! knows something is said: what is sure stands before what is likely.

mod keywords;
mod lines;
mod names;
mod queries;
mod signs;
mod texts;

use super::{Expected, Scene};
use crate::keywords::begins_item;
use crate::lexer::{Token, TokenKind};
use crate::messages::rule_names::Group;

pub(crate) use self::texts::{NO_FILE, names_data};

/// What is said where a heading has no block.
pub(crate) const NO_BODY: &str = "what begins above has no body yet: `{ … }`";

/// How to mend something: in words and, where that is certain, what to write in the place of the word found.
pub(super) struct Help {
    pub words: String,
    pub write: Option<String>,
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

/// The place where reading failed.
pub(super) struct Slip<'s> {
    scene: &'s Scene<'s>,
    expected: &'s Expected,
    /// The token that could not be read, by its place.
    index: usize,
    token: Token,
    /// What stands there.
    word: &'s str,
    /// The token before it; nothing if there is none.
    previous: &'s str,
    /// Whether it begins its line.
    fresh: bool,
}

impl<'s> Slip<'s> {
    fn new(scene: &'s Scene<'s>, expected: &'s Expected, index: usize) -> Self {
        let token = scene.tokens[index];
        let previous = index.checked_sub(1).map(|before| scene.tokens[before]);
        Self {
            scene,
            expected,
            index,
            token,
            word: token.text(scene.text),
            previous: previous.map(|token| token.text(scene.text)).unwrap_or_default(),
            fresh: previous.is_none_or(|token| token.kind == TokenKind::Newline),
        }
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    fn text(&self, token: &Token) -> &'s str {
        token.text(self.scene.text)
    }

    /// The token behind it; nothing if there is none.
    fn next(&self) -> &'s str {
        self.scene.tokens.get(self.index + 1).map(|token| self.text(token)).unwrap_or_default()
    }

    /// Whether a citation stands before it on its line.
    fn follows_citation(&self) -> bool {
        self.line().last().is_some_and(|token| token.kind == TokenKind::Cite)
    }

    /// What stands before it on its line.
    fn line(&self) -> &'s [Token] {
        let newline =
            self.scene.tokens[..self.index].iter().rposition(|token| token.kind == TokenKind::Newline);
        &self.scene.tokens[newline.map_or(0, |at| at + 1)..self.index]
    }

    /// The first word of its line, if it is not that itself.
    fn line_begins(&self) -> Option<&'s str> {
        self.line().first().map(|token| self.text(token))
    }

    /// Whether such a word stands before it on its line, behind the last `;`.
    fn behind(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let before = self.line().iter().rev().take_while(|token| self.text(token) != ";");
        before.into_iter().any(|token| token.kind == TokenKind::Word && is_it(self.text(token)))
    }

    /// Whether these words stand one behind the other before it on its line.
    fn behind_words(&self, words: [&str; 2]) -> bool {
        self.line().windows(2).any(|pair| pair.iter().map(|token| self.text(token)).eq(words))
    }
}

/// The guesses, in the order in which they are asked.
const GUESSES: [fn(&Slip<'_>) -> Option<Help>; 9] = [
    heading,
    lines::help,
    signs::help,
    texts::help,
    keywords::help,
    citation,
    queries::help,
    layout,
    names::help,
];

/// How to mend it, where that can be guessed.
pub(super) fn help(scene: &Scene<'_>, index: Option<usize>, expected: &Expected) -> Option<Help> {
    let slip = Slip::new(scene, expected, index?);
    GUESSES.iter().find_map(|guess| guess(&slip))
}

/// Headings that lack what only one thing can be.
fn heading(slip: &Slip<'_>) -> Option<Help> {
    let Slip { scene, expected, index, previous, .. } = slip;
    let before = index.checked_sub(2).map(|before| slip.text(&scene.tokens[before])).unwrap_or_default();
    if slip.fresh && expected.expects("`{`") && !expected.expects("the end of the line") && slip.word != "{" {
        return Some(NO_BODY.into());
    }
    if expected.only("`-`") && scene.whole != "the kind" {
        return Some("a link is written `Ford - Mill`, with blanks around the minus".into());
    }
    if expected.only("`by`") && before == "choose" {
        return Some(format!("who is asked stands behind `by`: `choose by {previous}`").into());
    }
    without_type(slip).map(Help::from)
}

/// `rule hand size = 3`, `rule hand size: 3`: what is declared has no type. How it is written, with the type that its
/// value seems to have.
fn without_type(slip: &Slip<'_>) -> Option<String> {
    let Slip { scene, expected, .. } = slip;
    let line = slip.line();
    let first = line.iter().position(|token| matches!(slip.text(token), "rule" | "fact" | "state"))?;
    let (end, value) = if slip.word == "=" && expected.only("`:`") {
        (line.len(), slip.text(scene.tokens.get(slip.index + 1)?))
    } else if expected.only("`..`") {
        (line.iter().rposition(|token| slip.text(token) == ":")?, slip.text(line.last()?))
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

/// Citations that do not stand at the end of their lines.
fn citation(slip: &Slip<'_>) -> Option<Help> {
    (slip.is(TokenKind::Cite) || slip.follows_citation())
        .then(|| "a citation stands at the end of a line".into())
}

/// Lines that begin or end at the wrong place.
fn layout(slip: &Slip<'_>) -> Option<Help> {
    let Slip { expected, word, .. } = slip;
    if slip.is(TokenKind::Newline) {
        return end(expected).map(Help::from);
    }
    if !slip.is(TokenKind::Word) {
        return None;
    }
    if slip.fresh && begins_item(word) && !expected.keywords().any(|keyword| keyword == *word) {
        return Some(format!("a new item begins at the margin: remove the blanks before `{word}`").into());
    }
    (slip.previous == "}" && !slip.fresh && expected.expects("the end of the line"))
        .then(|| "one line says one thing: write `;` between them, also behind a `}`".into())
}

/// Of a line that ends too early.
fn end(expected: &Expected) -> Option<&'static str> {
    if expected.has(Group::Value) {
        return Some(
            "a line goes on after a comma or a sign, inside brackets, and before `and`, `or`, `where`",
        );
    }
    expected.expects("`|`").then_some("a row ends with `|`")
}
