//! Tests.

use blazon_diagnostics::Span;

use crate::*;

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it shows.
    pub name: String,
    /// Paragraphs, statements, examples, rulings.
    pub cites: Vec<String>,
    /// The rulings it asks for: the book must be checked under these.
    pub rulings: Vec<(String, String)>,
    /// Its lines.
    pub lines: Vec<TestLine>,
    /// Where.
    pub span: Span,
}

/// A line of a test.
#[derive(Clone, Debug)]
pub struct TestLine {
    /// What it says.
    pub kind: TestLineKind,
    /// Where.
    pub span: Span,
    /// The line of the test that takes up the scene in which this one stands.
    pub from: Option<Span>,
}

/// The lines of a test.
#[derive(Clone, Debug)]
pub enum TestLineKind {
    /// The position of a setup.
    From(usize),
    /// A step without parameters that only sets states.
    Set(StepId),
    /// A step without parameters that is played to its first decision (its body does one step).
    Play(StepId),
    /// The next rolls.
    Dice(Vec<i64>),
    /// The next draws, by kind and thing.
    Cards(Vec<(KindId, u32)>),
    /// A player takes an option.
    Decide(u32, Pick),
    /// An option must be open to a player.
    Offer(u32, Pick),
    /// An option must be refused, perhaps for this reason.
    Refuse(u32, Pick, Option<String>),
    /// These must hold; each a rule of no parameters giving a flag, and its text.
    Expect(Vec<Expectation>),
    /// A player sees the faces of all these things, or of none; each with all that look like it.
    Sees(u32, bool, Vec<(KindId, Vec<u32>)>),
    /// A player can tell, or cannot, whether this holds.
    Tells(u32, bool, Expectation),
    /// The line before must have ended in this run-time error.
    Fails(String),
}

impl TestLineKind {
    /// The conditions that it asks for.
    pub fn expectations(&self) -> &[Expectation] {
        match self {
            Self::Expect(all) => all,
            Self::Tells(_, _, one) => std::slice::from_ref(one),
            Self::From(_)
            | Self::Set(_)
            | Self::Play(_)
            | Self::Dice(_)
            | Self::Cards(_)
            | Self::Decide(..)
            | Self::Offer(..)
            | Self::Refuse(..)
            | Self::Sees(..)
            | Self::Fails(_) => &[],
        }
    }
}

/// One condition of an `expect` line.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// A flag.
    pub condition: RuleId,
    /// To be shown when it fails: of a comparison its left side; of `every x in …` the first for which it does not hold.
    pub actual: Option<RuleId>,
    /// What that is the value of: of `every x in …` the variable, else an empty text.
    pub actual_of: String,
    /// The states that it asks for and that exist only while a step is under way.
    pub lives: Vec<ColumnId>,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An option by meaning: its name and its arguments. An argument lists all readings of what was written.
#[derive(Clone, Debug)]
pub struct Pick {
    /// The option's name.
    pub name: String,
    /// Each argument's readings: a thing of a kind, or a number (without kind). Of those that are worked
    /// out nothing but the kind is known yet.
    pub args: Vec<Vec<(Option<KindId>, i64)>>,
    /// The arguments that are worked out where the line is reached: the place of each, and the rule that gives it.
    pub asked: Vec<(usize, RuleId)>,
    /// As written.
    pub text: String,
}
