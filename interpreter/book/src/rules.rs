//! Rules: exceptions, modifiers, needs, tables.

use blazon_diagnostics::Span;

use crate::*;

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The title of a printed table.
    pub title: Option<String>,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// Parameters and all variables of its queries.
    pub locals: Vec<Local>,
    /// What it gives.
    pub ty: Type,
    /// Where it says that its answer is known to all, whatever it reads. Nothing of this is asked while playing.
    pub known: Vec<Release>,
    /// How.
    pub body: RuleBody,
    /// Paragraphs of the base.
    pub cites: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

impl Rule {
    /// Between which numbers lies what the rule gives, as far as its parts tell; the range of its type, if it gives no
    /// number or is a table, whose cells were looked at one by one.
    pub fn reach(&self) -> (i64, i64) {
        let RuleBody::Value { base, exceptions, modifiers } = &self.body else { return bounds(self.ty) };
        let values = std::iter::once(base).chain(exceptions.iter().map(|exception| &exception.value));
        let (mut lo, mut hi) = values
            .map(|value| bounds(value.ty))
            .fold((i64::MAX, i64::MIN), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)));
        for modifier in modifiers {
            let (a, b) = bounds(modifier.value.ty);
            let (least, most) = if modifier.minus { (-b, -a) } else { (a, b) };
            let certain = modifier.when.is_none();
            lo += if certain { least } else { least.min(0) };
            hi += if certain { most } else { most.max(0) };
        }
        (lo, hi)
    }
}

/// The bounds of a number; of what is none, those that everything lies between.
pub fn bounds(ty: Type) -> (i64, i64) {
    if let Base::Number(lo, hi) = ty.base { (lo, hi) } else { build::NUMBER }
}

/// Whether a number of some bounds surely fits a type; what is no number does.
pub fn fits((lo, hi): (i64, i64), ty: Type) -> bool {
    let (least, most) = bounds(ty);
    (least, most) == build::NUMBER || (least <= lo && hi <= most)
}

/// `known to all if when`: the answer is released.
#[derive(Clone, Debug)]
pub struct Release {
    /// When; always, if absent.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// How a rule is answered.
#[derive(Clone, Debug)]
pub enum RuleBody {
    /// A base, exceptions, modifiers.
    Value {
        /// The base.
        base: Expr,
        /// The exceptions. Of those that hold, one that no other holding one outranks decides; two such with
        /// different values are the run-time error `run::clash`.
        exceptions: Vec<Exception>,
        /// The modifiers; all that hold are added.
        modifiers: Vec<Modifier>,
    },
    /// Needs, in order; the first that fails refuses.
    Permission(Vec<Need>),
    /// A table: rows tried by the leading parameters, columns by the last one. Complete and without overlap.
    Table(RuleTable),
}

/// `except label beats …: value if when`
#[derive(Clone, Debug)]
pub struct Exception {
    /// Its label or an empty text.
    pub label: String,
    /// The places (in `exceptions`) of those that it outranks.
    pub beats: Vec<usize>,
    /// The value instead.
    pub value: Expr,
    /// When.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `+ label: value if when`
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Its label or an empty text.
    pub label: String,
    /// Whether it takes away.
    pub minus: bool,
    /// What is added: a number, or a set (or one thing, as a set).
    pub value: Expr,
    /// When.
    pub when: Option<Expr>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `needs label: condition else "reason"`
#[derive(Clone, Debug)]
pub struct Need {
    /// Its label or an empty text.
    pub label: String,
    /// A flag or a permission; when a permission fails, its own reason is given.
    pub condition: Expr,
    /// Why not.
    pub reason: Option<Text>,
    /// Paragraphs.
    pub cites: Vec<String>,
    /// Where.
    pub span: Span,
}

/// A rule that is a table.
#[derive(Clone, Debug)]
pub struct RuleTable {
    /// The leading columns: which parameter each one reads.
    pub leading: Vec<LocalId>,
    /// The parameter that the other columns read.
    pub across: LocalId,
    /// The ranges (or things, as `t..t`) of the other columns, in order.
    pub headings: Vec<(i64, i64)>,
    /// The rows, no two of which hold for the same.
    pub rows: Vec<TableRow>,
    /// The rows as printed, the heading first.
    pub printed: Vec<Vec<String>>,
}

/// A row of a rule's table.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// The range (or thing, as `t..t`) of each leading column.
    pub ranges: Vec<(i64, i64)>,
    /// One value for each heading.
    pub values: Vec<Constant>,
    /// Where: what a variant puts into a table stands on a page of the variant.
    pub span: Span,
}

impl RuleTable {
    /// The row that holds for the values of the leading columns.
    pub fn row(&self, leading: &[i64]) -> Option<usize> {
        let holds =
            |row: &TableRow| row.ranges.len() == leading.len() && row.ranges.iter().zip(leading).all(within);
        self.rows.iter().position(holds)
    }

    /// The column, behind the leading ones, that holds for a value.
    pub fn column(&self, across: i64) -> Option<usize> {
        self.headings.iter().position(|heading| within((heading, &across)))
    }
}

fn within((&(lo, hi), value): (&(i64, i64), &i64)) -> bool {
    (lo..=hi).contains(value)
}
