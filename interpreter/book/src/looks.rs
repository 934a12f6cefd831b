//! How a game looks on a board: which facts and states are drawn, and by which signs. Nothing of it changes how a game
//! is played.

use blazon_diagnostics::Span;

use crate::{Base, Column, ColumnId, KindId, StepId};

/// `look block corner: rating`, `look battle display: here, attacker, defender`, `look Water: sea`
#[derive(Clone, Debug)]
pub struct Look {
    /// As it is called: `block corner`.
    pub name: String,
    /// What it says.
    pub says: Says,
    /// Where.
    pub span: Span,
}

/// What a look says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// What is drawn for a part of a kind; nothing, if there are none.
    Part(KindId, Part, Vec<ColumnId>),
    /// What is drawn while a step is under way: the state that holds the place where it goes on, those that hold who has
    /// part in it, and what is counted; no display, if there are none.
    Display(StepId, Vec<ColumnId>),
    /// What bears this name is drawn by a sign; by none, if there is none.
    Sign(String, Option<&'static str>),
}

/// The display that a board makes by itself of the states that belong to a step and have no key, in their order: the state of a
/// place, then those of two or more players, then numbers. None if there are no such.
pub fn display_by_itself(
    own: &[(ColumnId, &Column)],
    is_place: impl Fn(KindId) -> bool,
    player: KindId,
) -> Option<Vec<ColumnId>> {
    let all = |is: &dyn Fn(&Column) -> bool| -> Vec<ColumnId> {
        own.iter().filter(|(_, column)| is(column)).map(|(id, _)| *id).collect()
    };
    let at = *all(&|column| column.ty.base.thing().is_some_and(&is_place)).first()?;
    let sides = all(&|column| column.ty.base.thing() == Some(player));
    let numbers = all(&|column| matches!(column.ty.base, Base::Number(..)));
    (sides.len() > 1).then(|| [at].into_iter().chain(sides).chain(numbers).collect())
}

/// Makes [`Part`] and the table of its words.
macro_rules! parts {
    ($($(#[doc = $doc:literal])+ $Part:ident = $word:literal;)*) => {
        /// A part of how a kind looks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Part {
            $($(#[doc = $doc])+ $Part,)*
        }

        impl Part {
            /// All of them, with their words.
            pub const ALL: &[(&str, Self)] = &[$(($word, Self::$Part)),*];

            /// The word of it in the rules.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$Part => $word,)*
                }
            }
        }
    };
}

parts! {
    /// Of a piece: where it stands.
    At = "at";
    /// Of a piece or a card: whose it is.
    Side = "side";
    /// Of a piece: how many steps are left, and of how many.
    Pips = "pips";
    /// Of a piece: what stands in its corner.
    Corner = "corner";
    /// Of a piece: what is counted on its face, by a second kind.
    Counts = "counts";
    /// Of a piece: a fact whose word is drawn.
    Glyph = "glyph";
    /// Of a piece: a flag that is drawn at its corner.
    Badge = "badge";
    /// Of a piece: where it lies that stands nowhere.
    Box = "box";
    /// Of a piece: a flag of those who stand aside where something goes on.
    Aside = "aside";
    /// Of a piece: a flag of those who have acted, and are faded.
    Spent = "spent";
    /// Of a card: in whose hand it is.
    Hand = "hand";
    /// Of a card: its value.
    Value = "value";
    /// Of a place: what is drawn beside its name.
    Marks = "marks";
    /// Of a place: whose home it is.
    Home = "home";
    /// Of a place: what ground it is.
    Ground = "ground";
    /// Of a place: what many share.
    Region = "region";
    /// Of a place: where it is drawn.
    Point = "point";
    /// Of a link: what its line is drawn by.
    Line = "line";
}

impl Part {
    /// The part of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(other, _)| *other == word).map(|(_, part)| *part)
    }
}

/// The signs that a player can be drawn by: tinctures, and the colours that are called otherwise.
pub const TINCTURES: &[&str] = &[
    "argent", "azure", "gold", "gules", "purpure", "sable", "vert", "black", "blue", "brown", "green",
    "grey", "orange", "purple", "red", "white", "yellow",
];

/// The signs that a word can be drawn by: tinctures of sides, glyphs, grounds, lines along and across, colours of lines.
pub const SIGNS: &[&str] = &[
    "argent", "azure", "gold", "gules", "purpure", "sable", "vert", // tinctures
    "anchor", "box", "castle", "cross", "crown", "door", "gem", "shield", "star", "swords", "tower", "town",
    "wheel", "clear", "hill", "marsh", "sand", "sea", "wood", // grounds
    "bridge", "river", "road", "stream", "wall", // lines
    "black", "blue", "brown", "green", "grey", "orange", "purple", "red", "white", "yellow", // colours
];
