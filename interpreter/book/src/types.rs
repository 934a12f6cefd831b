//! Types and variables.

use crate::build::NUMBER;
use crate::{Kind, KindId};

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What it is when it is there.
    pub base: Base,
    /// Whether it may be absent (things and numbers only).
    pub optional: bool,
}

/// The types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// `yes` or `no`.
    Flag,
    /// A number in these bounds, both included.
    Number(i64, i64),
    /// One thing.
    Thing(KindId),
    /// A set of things.
    Set(KindId),
    /// A roll of several dice.
    Dice,
    /// A die to roll, by its number of sides.
    Die,
    /// A text (facts and rulings' questions only).
    Text,
    /// Two numbers.
    Point,
    /// Yes, or no with a reason.
    Permission,
    /// `1..n`, as the source of a loop or the right side of `in`.
    Numbers,
    /// The type of `none`.
    Nothing,
    /// Not known, for what stands there is wrong and that is said. Only in a book with holes.
    Unknown,
}

/// The most dice that are rolled, or kept together, at once; each with at most 255 sides.
pub const MAX_DICE: usize = 24;

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty for one that the checker made.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// One that is always there.
    pub fn of(base: Base) -> Self {
        Self { base, optional: false }
    }
    /// One that may be absent.
    pub fn maybe(base: Base) -> Self {
        Self { base, optional: true }
    }

    /// The type as it is written in rules.
    pub fn words(self, kinds: &[Kind]) -> String {
        let kind = |id: KindId| kinds.get(id.0 as usize).map_or("thing", |kind| kind.name.as_str());
        let name = match self.base {
            Base::Flag => "flag".to_owned(),
            Base::Number(lo, hi) if (lo, hi) == NUMBER => "number".to_owned(),
            Base::Number(lo, hi) => format!("{lo}..{hi}"),
            Base::Thing(id) => kind(id).to_owned(),
            Base::Set(id) => format!("set of {}", kind(id)),
            Base::Dice => "dice".to_owned(),
            Base::Die => "die".to_owned(),
            Base::Text => "text".to_owned(),
            Base::Point => "point".to_owned(),
            Base::Permission => "permission".to_owned(),
            Base::Numbers => "range of numbers".to_owned(),
            Base::Nothing => return "none".to_owned(),
            Base::Unknown => return "not known".to_owned(),
        };
        if self.optional { format!("{name}?") } else { name }
    }
}

impl Base {
    /// The kind of one thing.
    pub fn thing(self) -> Option<KindId> {
        if let Self::Thing(kind) = self { Some(kind) } else { None }
    }

    /// The kind of a thing or of a set of things.
    pub fn kind(self) -> Option<KindId> {
        match self {
            Self::Thing(kind) | Self::Set(kind) => Some(kind),
            Self::Flag
            | Self::Number(..)
            | Self::Dice
            | Self::Die
            | Self::Text
            | Self::Point
            | Self::Permission
            | Self::Numbers
            | Self::Nothing
            | Self::Unknown => None,
        }
    }
}

/// The sides of a die as it is written, `d6`: from 2 to 255.
pub fn sides_of(written: &str) -> Option<i64> {
    let digits = written.strip_prefix('d').filter(|digits| !digits.starts_with(['0', '+']))?;
    digits.parse().ok().filter(|sides| (2..=255).contains(sides))
}
