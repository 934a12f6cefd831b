//! Expressions, queries and texts.

use std::borrow::Cow;

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
    /// `a / b rounded up`: a quotient.
    Rounded(Rounding, Box<Expr>),
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
    /// `by …`: what is compared, the first key first; what is summed; the next hop, or a query for the ways
    /// ([`Quantifier::Way`]), whose own `by` is what they cost.
    pub by: Vec<Expr>,
    /// `within …`: how many hops, or how much all may cost.
    pub within: Option<Expr>,
    /// Behind the colon of `every`: what holds for each.
    pub holds: Option<Expr>,
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
    /// `{…: hit | hits}`
    Plural(Expr, Plural),
}

/// The words between which a hole chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plural {
    /// Of one.
    pub one: String,
    /// Of several, or of none.
    pub many: String,
}

impl Expr {
    /// The name that it consists of: a thing's, one without arguments, or a number that is one.
    pub fn as_name(&self) -> Option<Cow<'_, str>> {
        match &self.kind {
            ExprKind::Thing(name) => Some(Cow::Borrowed(name)),
            ExprKind::Call(call) if call.args.is_empty() => Some(Cow::Borrowed(&call.name.text)),
            ExprKind::Number(number) => Some(Cow::Owned(number.to_string())),
            ExprKind::Text(_)
            | ExprKind::Flag(_)
            | ExprKind::None
            | ExprKind::Call(_)
            | ExprKind::Dot(..)
            | ExprKind::Not(_)
            | ExprKind::Binary(..)
            | ExprKind::Rounded(..)
            | ExprKind::Range(..)
            | ExprKind::Otherwise(..)
            | ExprKind::Query(_)
            | ExprKind::List(_) => None,
        }
    }

    /// Whether another is written alike, wherever it stands.
    pub fn same_as(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (ExprKind::Text(a), ExprKind::Text(b)) => a.same_as(b),
            (ExprKind::Number(a), ExprKind::Number(b)) => a == b,
            (ExprKind::Flag(a), ExprKind::Flag(b)) => a == b,
            (ExprKind::None, ExprKind::None) => true,
            (ExprKind::Thing(a), ExprKind::Thing(b)) => a == b,
            (ExprKind::Call(a), ExprKind::Call(b)) => a.same_as(b),
            (ExprKind::Dot(a, f), ExprKind::Dot(b, g)) => a.same_as(b) && f.same_as(g),
            (ExprKind::Not(a), ExprKind::Not(b)) => a.same_as(b),
            (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
                op == other && a.same_as(c) && b.same_as(d)
            }
            (ExprKind::Rounded(a, quotient), ExprKind::Rounded(b, other)) => {
                a == b && quotient.same_as(other)
            }
            (ExprKind::Range(a, b), ExprKind::Range(c, d))
            | (ExprKind::Otherwise(a, b), ExprKind::Otherwise(c, d)) => a.same_as(c) && b.same_as(d),
            (ExprKind::Query(a), ExprKind::Query(b)) => a.same_as(b),
            (ExprKind::List(a), ExprKind::List(b)) => all_same(a, b),
            (
                ExprKind::Text(_)
                | ExprKind::Number(_)
                | ExprKind::Flag(_)
                | ExprKind::None
                | ExprKind::Thing(_)
                | ExprKind::Call(_)
                | ExprKind::Dot(..)
                | ExprKind::Not(_)
                | ExprKind::Binary(..)
                | ExprKind::Rounded(..)
                | ExprKind::Range(..)
                | ExprKind::Otherwise(..)
                | ExprKind::Query(_)
                | ExprKind::List(_),
                _,
            ) => false,
        }
    }
}

fn all_same(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b))
}

fn both_same(a: Option<&Expr>, b: Option<&Expr>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same_as(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

impl Call {
    fn same_as(&self, other: &Self) -> bool {
        self.name.text == other.name.text && all_same(&self.args, &other.args)
    }
}

impl Query {
    fn same_as(&self, other: &Self) -> bool {
        let name = |query: &Self| query.name.as_ref().map(|name| name.text.clone());
        self.quantifier == other.quantifier
            && name(self) == name(other)
            && self.source.same_as(&other.source)
            && both_same(self.filter.as_ref(), other.filter.as_ref())
            && all_same(&self.by, &other.by)
            && both_same(self.within.as_ref(), other.within.as_ref())
            && both_same(self.holds.as_ref(), other.holds.as_ref())
    }
}

impl Text {
    fn same_as(&self, other: &Self) -> bool {
        self.pieces.len() == other.pieces.len()
            && self.pieces.iter().zip(&other.pieces).all(|pair| match pair {
                (Piece::Plain(a), Piece::Plain(b)) => a == b,
                (Piece::Hole(a), Piece::Hole(b)) => a.same_as(b),
                (Piece::Plural(a, words), Piece::Plural(b, others)) => words == others && a.same_as(b),
                (Piece::Plain(_) | Piece::Hole(_) | Piece::Plural(..), _) => false,
            })
    }

    /// Its words, where nothing stands in holes, with the place between the quotes.
    pub fn as_name(&self) -> Name {
        let Span { source, start, end } = self.span;
        let span = Span { source, start: start + 1, end: end.saturating_sub(1).max(start + 1) };
        Name { text: self.plain().unwrap_or_default(), span }
    }

    /// The text if it has no holes.
    pub fn plain(&self) -> Option<String> {
        self.pieces.iter().map(|p| if let Piece::Plain(s) = p { Some(s.as_str()) } else { None }).collect()
    }
}
