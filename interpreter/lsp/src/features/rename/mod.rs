//! Another name for the same thing, in every page, test, table and variant.
//!
//! What is renamed is looked at again under its new name before anything is answered: if any name would mean something
//! else than before, or anything would be wrong that was not, nothing is renamed, and the reason is said. Nor is it where a
//! test would not hold any more, or where the name stands in what cannot be read.

mod drawn;
mod edits;
mod names;
mod texts;
mod unread;
mod verify;

use std::collections::HashMap;

use blazon_check::project::Layer;
use blazon_check::{Definition, DefinitionKind};
use blazon_diagnostics::Article;
use lsp_types::{PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, Uri, WorkspaceEdit};
use rayon::prelude::*;

use crate::cores;
use crate::occurrences::{InStack, everywhere, longest};
use crate::subject::{self, Subject, is_called_by_another, kind_word};
use crate::workspace::{Belongs, Home, Page, Workspace};

use drawn::Drawn;
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

/// The changes that give the name at an offset another one, and what is to be said of them.
///
/// # Errors
/// In words, if that would change what the rules mean, or cannot be done.
pub fn rename(
    workspace: &mut Workspace,
    belongs: &Belongs,
    page: &Page,
    offset: u32,
    new: &str,
) -> Result<(WorkspaceEdit, Vec<String>), String> {
    let subject = subject(page, offset)?;
    let definition = subject.definitions[0];
    let old = subject::name_of(&page.book, definition);
    let new = new.split_whitespace().collect::<Vec<_>>().join(" ");
    names::check(&page.book, definition, &old, &new)?;
    // What has the new name already is looked at, too: it must go on meaning what it means.
    let others = [longest(&new)];
    let found = everywhere(workspace, belongs, &page.book, &subject.definitions, &others);
    inside(&found, &old)?;
    shared(&found, &old)?;
    unread::none(&found, definition.kind, &old)?;
    let mut edits = Edits::of(&found, definition.kind, &old, &new)?;
    let drawn = Drawn::of(&page.book.checked.model, &subject.definitions, &old, &new);
    edits.maps(workspace, belongs, &drawn, (&old, &new));
    let workspace = &*workspace;
    let same = |stack: &InStack| verify::same(workspace, belongs, stack, &edits, &new);
    // The first that says no is told, whichever is through first.
    let said: Vec<Result<(), String>> = cores::on_all(|| found.par_iter().map(same).collect());
    said.into_iter().collect::<Result<(), String>>()?;
    let mut notes = Vec::new();
    if can_be_said(definition.kind) {
        for stack in &found {
            notes.extend(texts::in_tests(workspace, belongs, stack, &mut edits, (&old, &new))?);
        }
    }
    let changes: HashMap<Uri, Vec<TextEdit>> = edits.by_uri();
    Ok((WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }, notes))
}

/// Whether a refusal or a run-time error can say a name: variables are said as what they are worth, labels not at all.
fn can_be_said(kind: DefinitionKind) -> bool {
    !matches!(kind, DefinitionKind::Variable | DefinitionKind::Clause | DefinitionKind::Scene)
}

/// Where the old name means something else besides: that would keep it, and be meant there no more. Asked for at such a
/// place both have the new name.
fn shared(found: &[InStack], old: &str) -> Result<(), String> {
    for InStack { book, spans, declared, .. } in found {
        // In a cell such as `class Foot` the two stand beside each other.
        for span in spans.iter().filter(|span| blazon_syntax::plain_name(book.read.text(**span)) == old) {
            let meant = book.checked.references.meant_at(*span);
            let mut others =
                meant.filter(|other| !is_called_by_another(other.kind) && !declared.contains(&other.span));
            if let Some(other) = others.next() {
                return Err(format!(
                    "in {} `{old}` means {} as well, declared in {}, which would keep the name: rename it there, and both have \
                     the new one; or tell the two apart there first",
                    book.read.place(*span),
                    Article(kind_word(other.kind)),
                    book.read.place(other.span)
                ));
            }
        }
    }
    Ok(())
}

/// What stands at an offset, if it can have another name.
fn subject(page: &Page, offset: u32) -> Result<Subject, String> {
    let Some(subject) = subject::bearer_at(page, offset) else {
        return Err("no name that can be changed stands here".to_owned());
    };
    let Some(&Definition { kind, .. }) = subject.definitions.first() else {
        return Err("no name that can be changed stands here".to_owned());
    };
    if subject.definitions.iter().any(|other| other.kind != kind) {
        return Err("this name means several things of different sorts here; rename it where it is declared"
            .to_owned());
    }
    if is_called_by_another(kind) {
        return Err(format!(
            "a {} has no name of its own: rename what it names where that is declared",
            kind_word(kind)
        ));
    }
    let is_of_grid = |definition: &Definition| page.read().text(definition.span).starts_with("grid ");
    if kind == DefinitionKind::Fact && subject.definitions.iter().any(is_of_grid) {
        return Err("where a thing lies on a grid is called `across` and `down` in every game".to_owned());
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
                let is_library = book.read.layer(span.source) == Some(Layer::Library);
                let help = match is_library {
                    true => {
                        "to change the library, start the server with --library and the folder of your own"
                    }
                    false => "to change the game, open a folder with its pages",
                };
                return Err(format!(
                    "`{old}` is used in `{page}` inside the program, which cannot be changed; {help}"
                ));
            }
        }
    }
    Ok(())
}
