//! Rules from texts in memory.

use blazon_check::project::{Folder, Page};

use super::{Rules, embedded};

/// The name of the manifest.
pub const MANIFEST: &str = "blazon.ron";

/// The name of the drawn map.
pub(super) const MAP: &str = "map.svg";

/// Puts a file where it belongs, or leaves it out if it is none of ours; `name` is relative to the folder.
pub fn put(folder: &mut Folder, name: &str, page: Page) {
    let in_tests = name.starts_with("tests/");
    match name.rsplit('.').next() {
        _ if name == MANIFEST => folder.manifest = Some(page),
        _ if name == MAP => folder.map = Some(page),
        Some("blazon") if in_tests => folder.tests.push(page),
        Some("blazon") => folder.pages.push(page),
        Some("txt" | "tsv") if !in_tests => folder.data.push(page),
        _ => {}
    }
}

impl Rules {
    /// A game of texts, with the library of the program: pairs of a file's name, as it would have in the game's
    /// folder, and its text. One of them is the manifest `blazon.ron`.
    pub fn from_texts<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut game = Folder::default();
        for (name, text) in files {
            put(&mut game, name, Page { name: name.to_owned(), text: text.to_owned() });
        }
        Self::new(game, embedded::library())
    }
}
