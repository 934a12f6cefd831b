//! The syntax tree: what stands in one file, as written, with the place of every part.
//!
//! Large parts are shared, not copied: whoever lays pages together changes only what is amended.
//! Nothing is resolved here: a name is text, a thing is text, a table cell is text. Amendments are still
//! apart from what they amend. The checker (`blazon-check`) turns trees into one book.

mod amendments;
mod declarations;
mod expressions;
mod operators;
pub mod print;
mod procedures;
mod test_items;
pub mod visit;

use std::sync::Arc;

use blazon_diagnostics::{SourceId, Span};

pub use amendments::*;
pub use declarations::*;
pub use expressions::*;
pub use operators::*;
pub use procedures::*;
pub use test_items::*;

/// A name or a thing as written, blanks between its words folded to one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The words.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A citation: `@5.21` is `5.21`.
pub type Cite = Name;

/// One file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Which source it was read from.
    pub source: SourceId,
    /// Its items in the written order.
    pub items: Vec<Item>,
    /// Its citations in the written order, whatever they belong to; those of items that could not be read, too.
    pub cites: Vec<Cite>,
    /// What its items that are played come to, in the written order.
    pub digests: Vec<ItemDigest>,
    /// The comments that document items and lines.
    pub docs: crate::Docs,
}

/// What the text of one item comes to, as far as it is played: see [`crate::digest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemDigest {
    /// The hash of its tokens.
    pub hash: u64,
    /// The word that it begins with.
    pub span: Span,
}

/// One item at the left margin.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// From its first word to its last.
    pub span: Span,
}

impl Item {
    /// The test that it holds; one that a variant puts in another's place, too.
    pub fn test(&self) -> Option<&Test> {
        match &self.kind {
            ItemKind::Test(test) => Some(test),
            ItemKind::Amend(Amend { kind: AmendKind::Replace { new: Node::Test(test), .. }, .. }) => {
                Some(test)
            }
            ItemKind::Amend(_) | ItemKind::Declaration(_) | ItemKind::Scene(_) => None,
        }
    }
}

/// What may stand at the left margin.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// A declaration of the book.
    Declaration(Declaration),
    /// A change of what is declared elsewhere.
    Amend(Amend),
    /// `test "…" { … }`
    Test(Arc<Test>),
    /// `scene … { … }`
    Scene(Arc<Scene>),
}
