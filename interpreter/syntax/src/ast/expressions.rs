//! Expressions, queries and texts.

use blazon_diagnostics::Span;

use super::*;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `"…"`
    Text(Text),
    /// `4`
    Number(i64),
    /// `yes`, `no`
    Flag(bool),
    /// `none`
    None,
    /// `Old Mill`, `Ford (guard)`: capital, or quoted. A bracket after it is part of the text.
    Thing(String),
    /// `leader`, `force(s, a)`: a variable, state, rule or set.
    Call(Call),
    /// `b.at`, `a.border(to)`
    Dot(Box<Expr>, Call),
    /// `not x`
    Not(Box<Expr>),
    /// `a and b`, `a + b`, `a = b`, `a in b` …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `1..n`
    Range(Box<Expr>, Box<Expr>),
    /// `x otherwise y`
    Otherwise(Box<Expr>, Box<Expr>),
    /// `all b in blocks where …`, `any S`, `least h in S by h.rank`
    Query(Box<Query>),
    /// `[Ford, Mill]`
    List(Vec<Expr>),
}

/// A name with arguments.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name.
    pub name: Name,
    /// The arguments in brackets.
    pub args: Vec<Expr>,
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `+`: sum or union
    Plus,
    /// `-`: difference; between two things, a link
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down
    Over,
    /// `&`: what both have
    Both,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which.
    pub quantifier: Quantifier,
    /// The variable; absent in `any S`, `count S`, `first S`, `all S`.
    pub name: Option<Name>,
    /// Where from.
    pub source: Expr,
    /// Which of them.
    pub filter: Option<Expr>,
    /// `by …`: what is compared, summed, or the next hop.
    pub by: Option<Expr>,
    /// `within …`: hops.
    pub within: Option<Expr>,
}

/// The words that open a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// The set.
    All,
    /// Whether there is one.
    Any,
    /// How many.
    Count,
    /// The first in printed order.
    First,
    /// Those with the greatest `by`.
    Most,
    /// Those with the least `by`.
    Least,
    /// The sum of `by`.
    Total,
    /// All that is reached in hops.
    Reach,
}

/// `"{b} marches to {to}"`
#[derive(Clone, Debug)]
pub struct Text {
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// With its quotes.
    pub span: Span,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// As written.
    Plain(String),
    /// `{…}`
    Hole(Expr),
}

impl Text {
    /// The text if it has no holes.
    pub fn plain(&self) -> Option<String> {
        self.pieces.iter().map(|p| if let Piece::Plain(s) = p { Some(s.as_str()) } else { None }).collect()
    }
}
