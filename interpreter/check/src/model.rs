//! A checked book to be looked at, whole or not.

use std::ops::Deref;
use std::sync::Arc;

use blazon_book::{Book, KindId, Type};
use blazon_diagnostics::{SourceId, Span};

/// A book to be looked at, perhaps with holes. Only one without can be had as a book that is lowered and played.
#[derive(Clone, Debug)]
pub struct Model {
    book: Arc<Book>,
    known: Arc<Known>,
}

/// What a page can name, as far as the book itself does not say it. Nothing, where nobody asked.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// What can be asked of the things of each kind.
    pub askable: Vec<Vec<String>>,
    /// The variables of blocks and queries, inner ones before those around them.
    pub scopes: Vec<(Span, Vec<Variable>)>,
}

/// A variable that can be named at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds; [`blazon_book::Base::Unknown`] where that is wrong.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

impl Model {
    pub(crate) fn new(book: Book, known: Known) -> Self {
        Self { book: Arc::new(book), known: Arc::new(known) }
    }

    /// Whether it has no holes and there was no error.
    pub fn is_playable(&self) -> bool {
        self.book.whole
    }

    /// The book, if it can be played.
    pub fn playable(&self) -> Option<Arc<Book>> {
        self.is_playable().then(|| self.book.clone())
    }

    /// What can be asked of a thing of a kind, behind a dot, in the order of the alphabet. Empty unless
    /// [`crate::analyse`] made the model.
    pub fn askable(&self, kind: KindId) -> &[String] {
        self.known.askable.get(kind.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The variables that can be named at an offset, the innermost first; of two of one name the first is meant. Empty
    /// unless [`crate::analyse`] made the model.
    pub fn variables_at(&self, source: SourceId, offset: u32) -> Vec<&Variable> {
        let scopes = self.known.scopes.iter().filter(|(span, _)| span.touches(source, offset));
        let Some((_, variables)) = scopes.min_by_key(|(span, _)| span.end - span.start) else {
            return Vec::new();
        };
        let declared = |variable: &&Variable| variable.span.source != source || variable.span.end < offset;
        variables.iter().rev().filter(declared).collect()
    }
}

impl Deref for Model {
    type Target = Book;

    fn deref(&self) -> &Book {
        &self.book
    }
}
