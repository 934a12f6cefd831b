//! Where a name is declared.

use lsp_types::{Definition as Found, Location};

use crate::subject;
use crate::workspace::{Home, Page};

/// The declarations of the name at an offset. What lies inside the program is shown only to an editor that can open it.
pub fn definition(page: &Page, offset: u32, opens_inside: bool) -> Option<Found> {
    let read = page.read();
    if let Some(cite) = subject::cite_at(page, offset) {
        return super::links::paragraph(page, &cite.text).map(|location| Found::LocationList(vec![location]));
    }
    let subject = subject::at(page, offset)?;
    let spans = subject.definitions.iter().map(|definition| definition.span);
    let shown = spans.filter(|span| opens_inside || !matches!(read.home(span.source), Some(Home::Inside)));
    let mut found: Vec<Location> = shown.filter_map(|span| read.location(span)).collect();
    found.dedup();
    (!found.is_empty()).then_some(Found::LocationList(found))
}
