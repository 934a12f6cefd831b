//! Expressions, queries, texts.

use blazon_diagnostics::Span;

use crate::*;

/// A text with holes.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// Where.
    pub span: Span,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// As written.
    Plain(String),
    /// A value.
    Hole(Expr),
    /// The words of one or of several.
    Plural(Plural),
}

/// Words that hang on whether one or several are spoken of.
#[derive(Clone, Debug)]
pub struct Plural {
    /// The thing that is spoken of, if it is one: who does not see its face reads the words of one.
    pub of: Option<Expr>,
    /// Whether the words of several are meant: a flag.
    pub several: Expr,
    /// The words of one.
    pub one: String,
    /// The words of several.
    pub many: String,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// The expressions. Operands have exactly the types that are said here; the checker has put [`ExprKind::ToSet`]
/// and [`ExprKind::Each`] where the text leaves them out.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a flag (0, 1) or a thing, by the type.
    Word(i64),
    /// Absent.
    Absent,
    /// All things of a kind.
    Everything(KindId),
    /// The players at the table, a set.
    Players,
    /// Who has won: an optional player.
    Winner,
    /// A variable.
    Local(LocalId),
    /// A fact or a state.
    Column(ColumnId, Vec<Expr>),
    /// A rule.
    Rule(RuleId, Vec<Expr>),
    /// All links at a thing.
    Links(KindId, Box<Expr>),
    /// All things that a link of this kind joins to a thing.
    Neighbours(KindId, Box<Expr>),
    /// The link between two things, optional.
    Between(KindId, Box<Expr>, Box<Expr>),
    /// The ends of a link, a set.
    Ends(KindId, Box<Expr>),
    /// The body is asked of each thing of the source (a set, or an optional thing) and the answers are joined:
    /// a set; or, of an optional source, optional (things, numbers), or `no` (flags, permissions). Of numbers and dice only a
    /// set is joined, of the faces that are asked.
    Each(LocalId, Box<Expr>, Box<Expr>),
    /// A thing or an optional thing, as a set.
    ToSet(Box<Expr>),
    /// `not`
    Not(Box<Expr>),
    /// `and`, from the left, the right side only if the left holds.
    And(Vec<Expr>),
    /// `or`, likewise.
    Or(Vec<Expr>),
    /// Two of one type: words (absent equals absent) or sets.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// A thing (perhaps absent: then `no`) in a set.
    In(Box<Expr>, Box<Expr>),
    /// A number between two numbers.
    Within(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Numbers.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// Sets.
    Sets(SetOp, Box<Expr>, Box<Expr>),
    /// `odd(n)`
    Odd(Box<Expr>),
    /// A number that could leave the range of what it is given to: where it does, the game stops.
    Kept(Keeper, Box<Expr>),
    /// `1..n`
    Range(Box<Expr>, Box<Expr>),
    /// The right side where the left is absent.
    Otherwise(Box<Expr>, Box<Expr>),
    /// A query.
    Query(Box<Query>),
    /// Things as a set; an absent one adds nothing.
    List(Vec<Expr>),
    /// The second where the first holds, else the third: made by the checker for changes under a condition.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A hole: what stands here is wrong, and that is said. It holds those of its parts that could be typed. Only in a
    /// book with holes, which is never played.
    Invalid(Vec<Expr>),
}

/// What keeps a number in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keeper {
    /// What a rule gives.
    Rule(RuleId),
    /// A parameter of a rule.
    RuleParameter(RuleId, LocalId),
    /// What a step returns.
    Step(StepId),
    /// A parameter of a step.
    StepParameter(StepId, LocalId),
}

/// The comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, numbers
    Less,
    /// `<=`, numbers
    AtMost,
}

/// Operations on sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SetOp {
    /// `+`
    Union,
    /// `&`
    Both,
    /// `-`
    Without,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which.
    pub quantifier: Quantifier,
    /// The variable; [`LocalId::NONE`] if the text names none.
    pub local: LocalId,
    /// A set, or dice, or (where no thing is given) numbers. For `reach`: where it starts.
    pub source: Expr,
    /// Which of them, a flag.
    pub filter: Option<Expr>,
    /// `most`, `least`, `max`, `min`, `total`: a number. `reach`: the next hops, a set, which is a query for
    /// [`Quantifier::Ways`] where going there costs something. Ways: what each costs, a number that is absent where none leads.
    pub by: Option<Expr>,
    /// `reach`: how many hops, without end if absent; or how much all ways to a thing may cost.
    pub within: Option<Expr>,
}

impl Query {
    /// The ways of a `reach` where going on costs something: a query whose `by` is what each costs.
    pub fn ways(&self) -> Option<&Query> {
        match self.by.as_ref().map(|by| &by.kind) {
            Some(ExprKind::Query(ways)) if ways.quantifier == Quantifier::Ways => Some(ways),
            _ => None,
        }
    }
}

/// What a query gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantifier {
    /// The set.
    All,
    /// A flag.
    Any,
    /// A number.
    Count,
    /// An optional thing in printed order, or number; of dice the first of them, or none.
    First,
    /// The set of the greatest.
    Most,
    /// The set of the least.
    Least,
    /// The greatest number, optional.
    Max,
    /// The least number, optional.
    Min,
    /// A sum.
    Total,
    /// A set, the start included.
    Reach,
    /// A set: where one goes to from a thing that is reached. Nothing but the `by` of a [`Self::Reach`], of which it is a part:
    /// it cannot be worked out apart from it.
    Ways,
}
