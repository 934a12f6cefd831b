//! A text as somebody reads it, with the things that it names.

use std::fmt;

use blazon_book::KindId;

/// A text as somebody reads it. What it says is its `Display`; clients that show a board also learn which things it
/// names. A thing that the reader may not know is told by its back, in plain words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<Word>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// What names nothing.
    Plain(String),
    /// A thing by its name.
    Thing(KindId, u32, String),
}

impl Words {
    /// The parts in order; no two plain ones stand beside each other.
    pub fn iter(&self) -> impl Iterator<Item = &Word> {
        self.0.iter()
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, plain: &str) {
        match self.0.last_mut() {
            _ if plain.is_empty() => {}
            Some(Word::Plain(text)) => text.push_str(plain),
            Some(Word::Thing(..)) | None => self.0.push(Word::Plain(plain.to_owned())),
        }
    }

    pub(crate) fn extend(&mut self, words: Self) {
        for word in words.0 {
            match word {
                Word::Plain(plain) => self.push(&plain),
                Word::Thing(..) => self.0.push(word),
            }
        }
    }

    pub(crate) fn thing(kind: KindId, thing: u32, name: String) -> Self {
        Self(vec![Word::Thing(kind, thing, name)])
    }

    /// `a, b and c`; nothing is `none`.
    pub(crate) fn list(names: Vec<Self>) -> Self {
        let count = names.len();
        let mut list = Self::default();
        for (place, name) in names.into_iter().enumerate() {
            list.push(match place {
                0 => "",
                _ if place + 1 == count => " and ",
                _ => ", ",
            });
            list.extend(name);
        }
        if count == 0 { "none".into() } else { list }
    }
}

impl From<&str> for Words {
    fn from(plain: &str) -> Self {
        let mut words = Self::default();
        words.push(plain);
        words
    }
}

impl From<String> for Words {
    fn from(plain: String) -> Self {
        plain.as_str().into()
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for word in &self.0 {
            match word {
                Word::Plain(text) | Word::Thing(_, _, text) => f.write_str(text)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_as_people_write_it() {
        let list = |names: &[&str]| Words::list(names.iter().map(|&name| name.into()).collect()).to_string();
        assert_eq!(list(&[]), "none");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn plain_words_run_together() {
        let mut words = Words::from("to ");
        words.extend("the ".into());
        words.extend(Words::thing(KindId(1), 2, "Ford".to_owned()));
        words.push("");
        assert_eq!(words.iter().count(), 2);
        assert_eq!(words.to_string(), "to the Ford");
    }
}
