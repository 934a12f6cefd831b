//! The list of mutants that no game can tell from the original. An entry is a paragraph: the page, the line as it is, the
//! line as it becomes (both without citations, with single blanks), and why.
//!
//! ```text
//! rules/the-ford/ford.blazon
//! - state tired : 0..99
//! + state tired : 0..100
//! Nobody is ever more than 9 times tired.
//! ```

use std::collections::BTreeMap;

/// The entries: page and lines, and whether one was met.
#[derive(Debug, Default)]
pub struct Equivalents {
    entries: BTreeMap<(String, String, String), bool>,
}

impl Equivalents {
    /// Reads the list.
    ///
    /// # Errors
    /// If a paragraph is not an entry.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut entries = BTreeMap::new();
        let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
        for paragraph in paragraphs.filter(|paragraph| !paragraph.starts_with('#')) {
            let mut lines = paragraph.lines();
            let page = lines.next().unwrap_or_default();
            let was = lines.next().and_then(|line| line.strip_prefix("- "));
            let becomes = lines.next().and_then(|line| line.strip_prefix('+'));
            let reason = lines.next();
            match (was, becomes, reason) {
                (Some(was), Some(becomes), Some(_)) => {
                    entries.insert((page.to_owned(), was.to_owned(), becomes.trim().to_owned()), false);
                }
                _ => {
                    return Err(format!("not an entry of page, `- line`, `+ line` and reason:\n{paragraph}"));
                }
            }
        }
        Ok(Self { entries })
    }

    /// Whether a mutant is on the list.
    pub fn has(&mut self, page: &str, was: &str, becomes: &str) -> bool {
        let key = (page.to_owned(), was.to_owned(), becomes.to_owned());
        match self.entries.get_mut(&key) {
            Some(met) => {
                *met = true;
                true
            }
            None => false,
        }
    }

    /// The entries of some pages that were not met: their lines have changed.
    pub fn stale<'t>(&'t self, of: impl Fn(&str) -> bool + 't) -> impl Iterator<Item = String> + 't {
        let stale = self.entries.iter().filter(move |((page, ..), met)| !**met && of(page));
        stale.map(|((page, was, becomes), _)| format!("{page}\n- {was}\n+ {becomes}"))
    }
}
