//! What the comments above a definition say.

use blazon_diagnostics::{SourceId, Span};
use blazon_syntax::{ast, doc_text};

use crate::project::Parsed;
use crate::{Definition, DefinitionKind};

impl Parsed {
    /// What the comment directly above a definition says. A thing has one only where it begins its line: what stands
    /// above a list of things speaks of their kind.
    pub fn doc(&self, definition: Definition) -> Option<String> {
        let span = definition.span;
        if definition.kind == DefinitionKind::Thing && !self.begins_line(span) {
            return None;
        }
        self.said(self.file(span.source)?.docs.above(span)?)
    }

    fn file(&self, source: SourceId) -> Option<&ast::File> {
        self.files.iter().map(|(_, file)| &**file).find(|file| file.source == source)
    }

    fn said(&self, comment: Span) -> Option<String> {
        Some(doc_text(
            self.sources.find(comment.source)?.text.get(comment.start as usize..comment.end as usize)?,
        ))
    }

    fn begins_line(&self, span: Span) -> bool {
        let before = self.sources.find(span.source).and_then(|source| source.text.get(..span.start as usize));
        let line = before.and_then(|text| text.rsplit('\n').next());
        line.is_some_and(|line| line.chars().all(|c| c.is_whitespace() || matches!(c, '|' | '\'')))
    }
}
