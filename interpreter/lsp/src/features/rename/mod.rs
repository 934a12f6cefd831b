//! Another name for the same thing, in every page, test, table and variant.
//!
//! What is renamed is looked at again under its new name before anything is answered: if any name would mean something
//! else than before, or anything would be wrong that was not, nothing is renamed, and the reason is said.

mod edits;
mod names;
mod verify;

use std::collections::HashMap;

use blazon_check::{Definition, DefinitionKind};
use lsp_types::{PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, Uri, WorkspaceEdit};
use rayon::prelude::*;

use crate::cores;
use crate::occurrences::{InStack, everywhere, longest};
use crate::subject::{self, Subject, kind_word};
use crate::workspace::{Belongs, Home, Page, Workspace};

use edits::Edits;

/// What would be renamed at an offset.
///
/// # Errors
/// In words, if nothing can be.
pub fn prepare(page: &Page, offset: u32) -> Result<PrepareRenameResult, String> {
    let subject = subject(page, offset)?;
    let placeholder = blazon_syntax::plain_name(page.read().text(subject.definitions[0].span));
    let range = page.read().range(subject.at);
    Ok(PrepareRenameResult::PrepareRenamePlaceholder(PrepareRenamePlaceholder { range, placeholder }))
}

/// The changes that give the name at an offset another one.
///
/// # Errors
/// In words, if that would change what the rules mean, or cannot be done.
pub fn rename(
    workspace: &mut Workspace,
    belongs: &Belongs,
    page: &Page,
    offset: u32,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let subject = subject(page, offset)?;
    let definition = subject.definitions[0];
    let old = subject::name_of(&page.book, definition);
    let new = new.split_whitespace().collect::<Vec<_>>().join(" ");
    names::check(&page.book, definition, &old, &new)?;
    // What has the new name already is looked at, too: it must go on meaning what it means.
    let others = [longest(&new)];
    let found = everywhere(workspace, belongs, &page.book, &subject.definitions, &others);
    inside(&found, &old)?;
    let edits = Edits::of(workspace, belongs, &found, definition.kind, &old, &new)?;
    let workspace = &*workspace;
    let same = |stack: &InStack| verify::same(workspace, belongs, stack, &edits, &new);
    // The first that says no is told, whichever is through first.
    let said: Vec<Result<(), String>> = cores::on_all(|| found.par_iter().map(same).collect());
    said.into_iter().collect::<Result<(), String>>()?;
    let changes: HashMap<Uri, Vec<TextEdit>> = edits.by_uri();
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// What stands at an offset, if it can have another name.
fn subject(page: &Page, offset: u32) -> Result<Subject, String> {
    let Some(subject) = subject::at(page, offset) else {
        return Err("no name that can be changed stands here".to_owned());
    };
    let Some(&Definition { kind, .. }) = subject.definitions.first() else {
        return Err("no name that can be changed stands here".to_owned());
    };
    if subject.definitions.iter().any(|other| other.kind != kind) {
        return Err("this name means several things of different sorts here; rename it where it is declared"
            .to_owned());
    }
    if matches!(
        kind,
        DefinitionKind::Case
            | DefinitionKind::Look
            | DefinitionKind::Links
            | DefinitionKind::Table
            | DefinitionKind::Grid
    ) {
        return Err(format!(
            "a {} has no name of its own: rename what it names where that is declared",
            kind_word(kind)
        ));
    }
    let is_link = subject.definitions.iter().any(|definition| {
        let kinds = &page.book.checked.model.kinds;
        let mut things = kinds.iter().flat_map(|kind| &kind.things);
        things.any(|thing| thing.span == definition.span && thing.ends.is_some())
    });
    if is_link {
        return Err("a link has no name of its own: it is called by its two ends".to_owned());
    }
    Ok(subject)
}

/// What lies inside the program cannot be written.
fn inside(found: &[InStack], old: &str) -> Result<(), String> {
    for InStack { book, spans, .. } in found {
        for span in spans {
            if matches!(book.read.home(span.source), Some(Home::Inside)) {
                let page =
                    book.read.source(span.source).map(|source| source.name.to_string()).unwrap_or_default();
                return Err(format!(
                    "`{old}` is used in `{page}` inside the program, which cannot be changed; to change the library, \
                     start the server with --library and the folder of your own"
                ));
            }
        }
    }
    Ok(())
}
