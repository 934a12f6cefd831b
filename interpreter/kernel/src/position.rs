//! A game in progress as a run of words, and its text form.
//!
//! The words mean something to machines of one program only: this is for snapshots that go from one such machine to
//! another while a program runs. Saved games hold none but those of the first format.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::chance::hash_words;

/// The version of the text form that is written.
const VERSION: u32 = 1;
/// A position of more words than this is refused when read: few letters can stand for many words.
const MOST_WORDS: usize = 1 << 20;

/// A game in progress: copied, compared and hashed as plain words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(Vec<u64>);

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// It does not have the form of one.
    #[error("this is not a saved position: {0}")]
    Form(String),
    /// It is of another version.
    #[error("the position has format {0}, and this program reads format {VERSION}")]
    Version(u32),
    /// A word is not one.
    #[error("the position is damaged: word {place} reads `{text}`")]
    Word {
        /// Which one, from 1.
        place: usize,
        /// What stands there.
        text: String,
    },
    /// The number of words is not the number that was saved.
    #[error("the position is damaged: it has {found} words and should have {expected}")]
    Length {
        /// How many there are.
        found: usize,
        /// How many were saved.
        expected: usize,
    },
    /// The words are not those that were saved.
    #[error("the position is damaged: its checksum does not match")]
    Checksum,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Position", deny_unknown_fields)]
struct Text {
    version: u32,
    length: usize,
    checksum: String,
    words: Vec<String>,
}

impl Position {
    /// A position of these words.
    pub fn new(words: Vec<u64>) -> Self {
        Self(words)
    }

    /// Its words.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Its words, to be changed in place.
    pub fn words_mut(&mut self) -> &mut Vec<u64> {
        &mut self.0
    }

    /// A hash that is the same on every machine.
    pub fn fingerprint(&self) -> u64 {
        hash_words(&self.0)
    }

    /// The text form: RON with the words in hexadecimal, sixteen values a line, runs of equal words as `value*times`.
    pub fn to_text(&self) -> String {
        let mut values = Vec::new();
        for run in self.0.chunk_by(|a, b| a == b) {
            values.push(if run.len() == 1 {
                format!("{:x}", run[0])
            } else {
                format!("{:x}*{}", run[0], run.len())
            });
        }
        let mut text = String::new();
        let (length, checksum) = (self.0.len(), self.fingerprint());
        // Writing to a string cannot fail.
        let _ = write!(text, "Position(\n    version: {VERSION},\n    length: {length},\n");
        let _ = write!(text, "    checksum: \"{checksum:016x}\",\n    words: [\n");
        for line in values.chunks(16) {
            let _ = writeln!(text, "        \"{}\",", line.join(" "));
        }
        text.push_str("    ],\n)");
        text
    }

    /// Reads the text form; damage is refused with the reason.
    ///
    /// # Errors
    ///
    /// [`PositionError`] says why: the text has not the form of a position, or its words do not fit each other.
    pub fn from_text(text: &str) -> Result<Self, PositionError> {
        let saved: Text = ron::from_str(text).map_err(|error| PositionError::Form(error.to_string()))?;
        if saved.version != VERSION {
            return Err(PositionError::Version(saved.version));
        }
        let mut words = Vec::new();
        for (place, value) in saved.words.iter().flat_map(|line| line.split_ascii_whitespace()).enumerate() {
            let damaged = || PositionError::Word { place: place + 1, text: value.chars().take(40).collect() };
            let (word, times) = value.split_once('*').unwrap_or((value, "1"));
            let word = u64::from_str_radix(word, 16).map_err(|_| damaged())?;
            let times: usize = times.parse().map_err(|_| damaged())?;
            if times > MOST_WORDS || words.len() + times > MOST_WORDS {
                return Err(damaged());
            }
            words.extend(std::iter::repeat_n(word, times));
        }
        if words.len() != saved.length {
            return Err(PositionError::Length { found: words.len(), expected: saved.length });
        }
        let position = Self(words);
        if format!("{:016x}", position.fingerprint()) != saved.checksum {
            return Err(PositionError::Checksum);
        }
        Ok(position)
    }
}

impl AsRef<[u64]> for Position {
    fn as_ref(&self) -> &[u64] {
        &self.0
    }
}

impl From<&[u64]> for Position {
    fn from(words: &[u64]) -> Self {
        Self(words.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn damage_is_refused() {
        let position = Position::new(vec![1, 0, 0, 0, u64::MAX, 7]);
        let text = position.to_text();
        assert_eq!(Position::from_text(&text).as_ref(), Ok(&position));
        assert!(text.contains("1 0*3 ffffffffffffffff 7"), "{text}");
        assert_eq!(Position::from_text(&text.replace("0*3", "2*3")), Err(PositionError::Checksum));
        assert_eq!(
            Position::from_text(&text.replace("0*3", "0*2")),
            Err(PositionError::Length { found: 5, expected: 6 })
        );
        assert_eq!(
            Position::from_text(&text.replace("version: 1", "version: 9")),
            Err(PositionError::Version(9))
        );
        assert!(matches!(
            Position::from_text(&text.replace("0*3", "0*x")),
            Err(PositionError::Word { place: 2, .. })
        ));
        assert!(matches!(Position::from_text(&text[..text.len() / 2]), Err(PositionError::Form(_))));
        assert!(matches!(Position::from_text(""), Err(PositionError::Form(_))));
        let huge = text.replace("0*3", "0*99999999999");
        assert!(matches!(Position::from_text(&huge), Err(PositionError::Word { .. })));
    }

    proptest! {
        #[test]
        fn text_and_back(words in prop::collection::vec(prop_oneof![Just(0u64), any::<u64>()], 0..200)) {
            let position = Position::new(words);
            prop_assert_eq!(Position::from_text(&position.to_text()), Ok(position));
        }

        #[test]
        fn any_slip_is_found(words in prop::collection::vec(any::<u64>(), 1..40), at in any::<prop::sample::Index>()) {
            let text = Position::new(words.clone()).to_text();
            let digits: Vec<usize> = text.char_indices().skip(text.find('[').unwrap_or(0))
                .filter(|(_, c)| c.is_ascii_hexdigit()).map(|(i, _)| i).collect();
            let place = digits[at.index(digits.len())];
            let other = if &text[place..=place] == "3" { "4" } else { "3" };
            let slipped = format!("{}{other}{}", &text[..place], &text[place + 1..]);
            let read = Position::from_text(&slipped);
            // A leading zero changed to another digit is found, too; only the very same words may be read.
            prop_assert!(read.is_err() || read == Ok(Position::new(words)));
        }
    }
}
