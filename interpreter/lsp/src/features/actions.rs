//! Mends of what is wrong, as the checker offers them.

use std::collections::HashMap;

use blazon_diagnostics::{Diagnostic, Fix};
use lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Uri, WorkspaceEdit};

use crate::diagnostics::shown;
use crate::workspace::{Home, Page, Read};

/// The mends of what is wrong in a stretch of a page; none where only actions of other kinds are wanted.
pub fn actions(page: &Page, range: Range, only: Option<&[CodeActionKind]>) -> Vec<CodeAction> {
    let holds_mends =
        |kind: &CodeActionKind| [CodeActionKind::Empty, CodeActionKind::QuickFix].contains(kind);
    if only.is_some_and(|only| !only.iter().any(holds_mends)) {
        return Vec::new();
    }
    let (start, end) = (page.offset(range.start), page.offset(range.end));
    let touches = |diagnostic: &&Diagnostic| {
        diagnostic
            .span
            .is_some_and(|span| span.source == page.source && span.start <= end && start <= span.end)
    };
    let mut found = Vec::new();
    for diagnostic in page.book.checked.diagnostics.iter().filter(touches) {
        let is_sole = diagnostic.fixes.len() == 1;
        for fix in &diagnostic.fixes {
            let Some(changes) = edits(page.read(), fix) else { continue };
            let at = diagnostic.span.map(|span| page.read().range(span)).unwrap_or_default();
            found.push(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![shown(diagnostic, at, page.read())]),
                is_preferred: is_sole.then_some(true),
                edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
                ..CodeAction::default()
            });
        }
    }
    found
}

/// The edits of a mend, by file; none if one lies where nothing can be written.
fn edits(read: &Read, fix: &Fix) -> Option<HashMap<Uri, Vec<TextEdit>>> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in &fix.edits {
        if !matches!(read.home(edit.span.source), Some(Home::File(_))) {
            return None;
        }
        let location = read.location(edit.span)?;
        let edit = TextEdit { range: location.range, new_text: edit.replacement.clone() };
        changes.entry(location.uri).or_default().push(edit);
    }
    Some(changes)
}
