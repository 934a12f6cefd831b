//! A text with references to the things that it names.

use blazon_book::Book;
use blazon_machine::{Word, Words};
use serde::Serialize;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Part {
    /// What names nothing.
    Plain(String),
    /// A thing that the reader may know.
    Thing {
        /// Its kind.
        kind: String,
        /// Its name.
        thing: String,
    },
    /// A thing of which the reader sees the back.
    Back {
        /// Its kind.
        kind: String,
        /// How it is told of.
        back: String,
    },
}

/// The parts of a text in order; put together they are the text.
pub(crate) fn parts(book: &Book, words: &Words) -> Vec<Part> {
    let part = |word: &Word| match word {
        Word::Plain(text) => Part::Plain(text.clone()),
        Word::Thing(kind, thing, said) => {
            let info = book.kind(*kind);
            let kind = info.name.clone();
            match info.things.get(*thing as usize).is_some_and(|thing| thing.name == *said) {
                true => Part::Thing { kind, thing: said.clone() },
                false => Part::Back { kind, back: said.clone() },
            }
        }
    };
    words.iter().map(part).collect()
}
