//! A game with a stack of variants, parsed: which of its sources is which file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use blazon_check::project::{Layer, Parsed};
use blazon_diagnostics::{Source, SourceId, Span};
use blazon_syntax::ast;
use lsp_types::{Location, Uri};

use crate::places::Encoding;
use crate::uris;

/// Where a source lies.
#[derive(Clone, Debug)]
pub enum Home {
    /// On the disk.
    File(PathBuf),
    /// Inside the program.
    Inside,
}

/// What the names of sources count from.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The folder that names begin in.
    pub root: PathBuf,
    /// Whether the library lies on the disk.
    pub has_library: bool,
    /// Whether the game itself lies inside the program, and only a variant of it on the disk.
    pub is_inside: bool,
}

/// A game with a stack of variants, parsed.
#[derive(Debug)]
pub struct Read {
    /// The trees.
    pub parsed: Parsed,
    /// Where each source lies, by number.
    homes: Vec<Home>,
    /// The sources on the disk.
    by_path: BTreeMap<PathBuf, SourceId>,
    /// How columns are counted.
    pub encoding: Encoding,
}

impl Read {
    /// Finds out where the sources of a parsed project lie.
    pub fn new(parsed: Parsed, ground: &Ground, encoding: Encoding) -> Self {
        let layers: BTreeMap<SourceId, Layer> =
            parsed.files.iter().map(|(layer, file)| (file.source, *layer)).collect();
        let games = parsed.manifests.first().map(|span| span.source);
        let home = |(id, source): (SourceId, &Source)| {
            let inside = match layers.get(&id) {
                Some(Layer::Library) => !ground.has_library,
                Some(Layer::Game) => ground.is_inside,
                Some(Layer::Variant(_)) => false,
                None => ground.is_inside && (games == Some(id) || source.name.starts_with("rules/")),
            };
            if inside { Home::Inside } else { Home::File(ground.root.join(&*source.name)) }
        };
        let homes: Vec<Home> = parsed.sources.iter().map(home).collect();
        let on_disk = homes.iter().enumerate().filter_map(|(place, home)| match home {
            Home::File(path) => Some((path.clone(), SourceId(place as u32))),
            Home::Inside => None,
        });
        let by_path = on_disk.collect();
        Self { by_path, homes, parsed, encoding }
    }

    /// The source that a file is.
    pub fn source_of(&self, path: &Path) -> Option<SourceId> {
        self.by_path.get(path).copied()
    }

    /// Where a source lies.
    pub fn home(&self, source: SourceId) -> Option<&Home> {
        self.homes.get(source.0 as usize)
    }

    /// The file that a source is.
    pub fn path(&self, source: SourceId) -> Option<&Path> {
        match self.home(source)? {
            Home::File(path) => Some(path),
            Home::Inside => None,
        }
    }

    /// The source of another stack that is the same file.
    pub fn same(&self, other: &Self, source: SourceId) -> Option<SourceId> {
        match other.home(source)? {
            Home::File(path) => self.source_of(path),
            Home::Inside => {
                let name = &other.source(source)?.name;
                let is_same = |(id, source): &(SourceId, &Source)| {
                    source.name == *name && matches!(self.home(*id), Some(Home::Inside))
                };
                self.parsed.sources.iter().find(is_same).map(|(id, _)| id)
            }
        }
    }

    /// How the editor calls a source.
    pub fn uri(&self, source: SourceId) -> Option<Uri> {
        match self.home(source)? {
            Home::File(path) => uris::uri_of(path),
            Home::Inside => uris::inside(&self.source(source)?.name),
        }
    }

    /// A source.
    pub fn source(&self, source: SourceId) -> Option<&Source> {
        self.parsed.sources.find(source)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = self.source(span.source).map(|source| &*source.text).unwrap_or_default();
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// A span as the editor counts it.
    pub fn range(&self, span: Span) -> lsp_types::Range {
        self.source(span.source).map(|source| self.encoding.range(source, span)).unwrap_or_default()
    }

    /// A span with its file.
    pub fn location(&self, span: Span) -> Option<Location> {
        Some(Location { uri: self.uri(span.source)?, range: self.range(span) })
    }

    /// The tree of a page.
    pub fn file(&self, source: SourceId) -> Option<&ast::File> {
        self.parsed.files.iter().map(|(_, file)| &**file).find(|file| file.source == source)
    }

    /// Which layer a page belongs to.
    pub fn layer(&self, source: SourceId) -> Option<Layer> {
        self.parsed.files.iter().find(|(_, file)| file.source == source).map(|(layer, _)| *layer)
    }

    /// The line, from 1, on which a span begins, with the page's name.
    pub fn place(&self, span: Span) -> String {
        match self.source(span.source) {
            Some(source) => format!("{}:{}", source.name, source.line_col(span.start).0),
            None => String::new(),
        }
    }
}
