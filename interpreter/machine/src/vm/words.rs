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

/// The most names in a list: nobody reads more, and there may be a hundred thousand.
const MOST_LISTED: usize = 100;
/// What stands where a text has been cut.
const CUT: &str = "…";

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

    /// `a, b and c`; nothing is `none`, and of very many the last are counted.
    pub(crate) fn list(mut names: Vec<Self>) -> Self {
        let more = names.len().saturating_sub(MOST_LISTED);
        names.truncate(MOST_LISTED);
        names.extend((more > 0).then(|| format!("{more} more").into()));
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

    /// The same, but for what stands behind so many letters: a sign says that there was more.
    pub(crate) fn up_to(mut self, letters: usize) -> Self {
        let mut left = letters;
        for (place, word) in self.0.iter_mut().enumerate() {
            let (Word::Plain(text) | Word::Thing(_, _, text)) = word;
            if let Some((end, _)) = text.char_indices().nth(left) {
                text.truncate(end);
                self.0.truncate(place + 1);
                self.push(CUT);
                break;
            }
            left -= text.chars().count();
        }
        self
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
    fn of_very_many_the_last_are_counted() {
        let list = |count| Words::list(vec!["a".into(); count]).to_string();
        assert!(list(MOST_LISTED).ends_with("a, a and a"));
        assert!(list(MOST_LISTED + 1).ends_with("a, a and 1 more"));
        assert_eq!(list(MOST_LISTED + 50).len(), list(MOST_LISTED + 10).len());
    }

    #[test]
    fn a_text_is_cut_between_letters_and_says_so() {
        let mut words = Words::from("élan of ");
        words.extend(Words::thing(KindId(1), 2, "Ford".to_owned()));
        words.extend(", today".into());
        let cut = |letters| words.clone().up_to(letters).to_string();
        assert_eq!(cut(1), "é…");
        assert_eq!(cut(8), "élan of …");
        assert_eq!(cut(10), "élan of Fo…");
        assert_eq!(cut(19), "élan of Ford, today");
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
