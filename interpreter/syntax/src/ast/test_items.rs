//! Tests in the language.

use blazon_diagnostics::Span;

use super::*;

/// `test "…" { … }`
#[derive(Clone, Debug)]
pub struct Test {
    /// What it shows.
    pub name: Text,
    /// Its lines.
    pub lines: Vec<TestLine>,
    /// What it shows, by paragraph and statement.
    pub cites: Vec<Cite>,
    /// From `test` to the opening brace.
    pub span: Span,
}

/// `scene March Ahead { … }`: a beginning that tests share.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name.
    pub name: Name,
    /// Its lines.
    pub lines: Vec<TestLine>,
    /// Paragraphs and statements.
    pub cites: Vec<Cite>,
    /// From `scene` to the opening brace.
    pub span: Span,
}

/// A line of a test.
#[derive(Clone, Debug)]
pub struct TestLine {
    /// What it says.
    pub kind: TestLineKind,
    /// Paragraphs.
    pub cites: Vec<Cite>,
    /// The whole line.
    pub span: Span,
}

/// The lines of a test.
#[derive(Clone, Debug)]
pub enum TestLineKind {
    /// `from Kingmaker`: a setup or a scene.
    From(Name),
    /// `position (block: side, at) { … }`
    Position(Placing),
    /// `ruling long days = yes`
    Ruling(Name, RulingValue),
    /// `play turn(Red)`
    Play(Call),
    /// `dice 2, 6`: the next rolls.
    Dice(Vec<i64>),
    /// `cards Sun, Moon`: the next draws.
    Cards(Vec<Name>),
    /// `Red: march(Lancers, Hill)`
    Decide(Name, Call),
    /// `offer Red: march(Lancers, Hill)`
    Offer(Name, Call),
    /// `refuse Red: march(Lancers, Hill) "reason"`
    Refuse(Name, Call, Option<Text>),
    /// `expect …, …`
    Expect(Vec<Expr>),
    /// `Red sees Hussars, Militia`, `Red does not see Hussars`
    Sight {
        /// Which player.
        who: Name,
        /// Whether he sees their faces.
        sees: bool,
        /// Of which things.
        things: Vec<Name>,
    },
    /// `Red can tell whether …`, `Red cannot tell whether …`
    Telling {
        /// Which player.
        who: Name,
        /// Whether he can.
        can: bool,
        /// Whether what holds.
        condition: Expr,
    },
    /// `fails "…"`: the line before ends in this run-time error.
    Fails(Text),
    /// `marches left := 2`
    Assign(Statement),
}
