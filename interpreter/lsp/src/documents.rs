//! The texts that are open in the editor, as they are on its screen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon_diagnostics::{Source, SourceId, Sources};
use lsp_types::{Range, TextDocumentContentChangeEvent, Uri};

use crate::places::Encoding;

/// A text that is open.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the editor calls it.
    pub uri: Uri,
    /// The editor's number of this text.
    pub version: i32,
    /// The how many-th text that was opened this is: one that is closed and opened again begins its versions anew.
    pub opening: u64,
    sources: Sources,
}

impl Document {
    /// A text.
    pub fn new(uri: Uri, version: i32, text: &str) -> Self {
        let mut sources = Sources::default();
        sources.add(uri.as_str(), text);
        Self { uri, version, opening: 0, sources }
    }

    /// The text with its lines.
    pub fn source(&self) -> &Source {
        self.sources.get(SourceId(0))
    }

    /// The text.
    pub fn text(&self) -> Arc<str> {
        self.source().text.clone()
    }

    /// Changes it as the editor says, each change in the text that the one before left.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            let text = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    self.replaced(part.range, &part.text, encoding)
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => whole.text,
            };
            *self = Self { opening: self.opening, ..Self::new(self.uri.clone(), version, &text) };
        }
        self.version = version;
    }

    fn replaced(&self, range: Range, new: &str, encoding: Encoding) -> String {
        let source = self.source();
        let [start, end] = [range.start, range.end].map(|place| encoding.offset(source, place) as usize);
        let (start, end) = (start.min(end), start.max(end));
        let text = &source.text;
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        [before, new, after].concat()
    }
}

/// All texts that are open, by their files.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    all: BTreeMap<PathBuf, Document>,
    /// How many were opened.
    openings: u64,
}

impl Documents {
    /// Opens a text, or takes another in its place.
    pub fn open(&mut self, path: PathBuf, document: Document) {
        self.openings += 1;
        self.all.insert(path, Document { opening: self.openings, ..document });
    }

    /// Closes a text; whether it was open.
    pub fn close(&mut self, path: &Path) -> bool {
        self.all.remove(path).is_some()
    }

    /// The text of a file, if it is open.
    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.all.get(path)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, path: &Path) -> Option<&mut Document> {
        self.all.get_mut(path)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Document)> {
        self.all.iter().map(|(path, document)| (path.as_path(), document))
    }
}
