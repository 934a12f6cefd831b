//! The trees of pages that did not change since they were last parsed.

use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, SourceId, Sources};
use blazon_syntax::ast;

/// The trees of the last parse of a project, to be given to the next: only pages whose text is another are parsed
/// again. A tree holds the number of its source, so a page that moved to another place among the pages is parsed, too.
#[derive(Clone, Debug, Default)]
pub struct ParseCache {
    /// By the number of the source.
    pages: Vec<Option<Parse>>,
    /// How many pages were parsed since the beginning.
    parsed: usize,
}

/// One page as it was parsed.
#[derive(Clone, Debug)]
struct Parse {
    name: Arc<str>,
    text: Arc<str>,
    file: Arc<ast::File>,
    diagnostics: Vec<Diagnostic>,
}

impl ParseCache {
    /// How many pages were parsed, those that were found here left out.
    pub fn parsed(&self) -> usize {
        self.parsed
    }

    /// The tree of a source and what is wrong with it.
    pub(crate) fn parse(&mut self, sources: &Sources, id: SourceId) -> (Arc<ast::File>, &[Diagnostic]) {
        let source = sources.get(id);
        let place = id.0 as usize;
        if self.pages.len() <= place {
            self.pages.resize(place + 1, None);
        }
        let slot = &mut self.pages[place];
        if slot.as_ref().is_none_or(|known| known.name != source.name || known.text != source.text) {
            *slot = None;
        }
        let parsed = &mut self.parsed;
        let known = slot.get_or_insert_with(|| {
            *parsed += 1;
            let (file, diagnostics) = blazon_syntax::parse(id, &source.text);
            Parse { name: source.name.clone(), text: source.text.clone(), file: Arc::new(file), diagnostics }
        });
        (known.file.clone(), &known.diagnostics)
    }

    /// Forgets what lies behind so many sources.
    pub(crate) fn keep(&mut self, sources: usize) {
        self.pages.truncate(sources);
    }
}
