//! Numbers into the tables of a book.

#[cfg(doc)]
use crate::Book;

/// A kind of things, by its place in [`Book::kinds`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);
/// A fact or a state, by its place in [`Book::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u32);
/// A rule, by its place in [`Book::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);
/// A step, by its place in [`Book::steps`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);
/// A variable of a rule or step, by its place in the `locals` of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

impl LocalId {
    /// The variable of a query that has none.
    pub const NONE: Self = Self(u32::MAX);
}
