//! Where a name is used: in all pages, tests and variants; and in one page, to be marked.

use std::collections::BTreeSet;

use blazon_diagnostics::Span;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};

use crate::occurrences::{InStack, everywhere};
use crate::subject;
use crate::workspace::{Belongs, Home, Page, Workspace};

/// All uses of the name at an offset, and its declarations if they are wanted.
pub fn references(
    workspace: &mut Workspace,
    belongs: &Belongs,
    page: &Page,
    offset: u32,
    with_declarations: bool,
    opens_inside: bool,
) -> Option<Vec<Location>> {
    let subject = subject::at(page, offset)?;
    let found = everywhere(workspace, belongs, &page.book, &subject.definitions, &[]);
    let mut seen = BTreeSet::new();
    let mut locations = Vec::new();
    for InStack { book, spans, declared, .. } in &found {
        let read = &book.read;
        let wanted = |span: &&Span| {
            let is_open = opens_inside || !matches!(read.home(span.source), Some(Home::Inside));
            is_open && (with_declarations || !declared.contains(span))
        };
        for span in spans.iter().filter(wanted) {
            let Some(uri) = read.uri(span.source) else { continue };
            if seen.insert((uri.clone(), span.start, span.end)) {
                locations.push(Location { uri, range: read.range(*span) });
            }
        }
    }
    Some(locations)
}

/// The places of a page where the name at an offset stands.
pub fn highlights(page: &Page, offset: u32) -> Option<Vec<DocumentHighlight>> {
    let subject = subject::at(page, offset)?;
    let mut spans: BTreeSet<(Span, bool)> = BTreeSet::new();
    for definition in subject.definitions {
        let family = page.book.checked.references.family(definition);
        spans.extend(family.into_iter().map(|span| (span, span == definition.span)));
    }
    let here = spans.into_iter().filter(|(span, _)| span.source == page.source);
    let kind = |declares| if declares { DocumentHighlightKind::Write } else { DocumentHighlightKind::Read };
    let highlight =
        |(span, declares)| DocumentHighlight { range: page.read().range(span), kind: Some(kind(declares)) };
    Some(here.map(highlight).collect())
}
