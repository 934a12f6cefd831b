//! Whether the rules say the same under the new name: every name means what it meant, and nothing is wrong that was not.

use std::collections::BTreeMap;

use blazon_check::project::{Project, parse_anyway};
use blazon_check::{Checked, Definition};
use blazon_diagnostics::{Diagnostic, SourceId, Span};

use super::edits::Edits;
use crate::occurrences::InStack;
use crate::workspace::{Analysed, Belongs, Home, Read, Workspace};

/// Looks at a stack under the new name.
///
/// # Errors
/// In words, if it says something else.
pub fn same(
    workspace: &Workspace,
    belongs: &Belongs,
    stack: &InStack,
    edits: &Edits,
    new: &str,
) -> Result<(), String> {
    let Some(game) = workspace.game(belongs) else { return Ok(()) };
    let mut project = game.texts.project(&stack.stack, workspace.documents());
    rewrite(&mut project, &stack.book.read, edits);
    let before = &stack.book.checked;
    let mut trees = game.trees(&stack.stack);
    let parsed = parse_anyway(&project, &mut trees);
    let read = std::sync::Arc::new(Read::new(parsed, &game.texts.ground, workspace.encoding));
    // The same items: those that were looked at before.
    let after = Analysed::of_items(&read, stack.book.extent.clone(), stack.book.items.clone());
    if let Some(wrong) = news(&before.diagnostics, &after.checked.diagnostics) {
        let place = wrong.span.map(|span| read.place(span)).unwrap_or_default();
        return Err(format!("`{new}` cannot be the name: {} ({place})", wrong.message));
    }
    if shape(before) != shape(&after.checked) {
        return Err(format!("with the name `{new}` the rules would mean something else; take another name"));
    }
    Ok(())
}

/// Makes the edits in the texts of a project.
pub fn rewrite(project: &mut Project, read: &Read, edits: &Edits) {
    let folders = std::iter::once(&mut project.game).chain(&mut project.variants);
    let pages = folders.flat_map(|folder| {
        folder.pages.iter_mut().chain(&mut folder.tests).chain(&mut folder.data).chain(&mut folder.manifest)
    });
    for page in pages.chain(&mut project.library) {
        let named = read.parsed.sources.iter().find(|(_, source)| *source.name == *page.name);
        if let Some((id, _)) = named
            && let Some(Home::File(path)) = read.home(id)
            && let Some(text) = edits.apply(path, &page.text)
        {
            page.text = text;
        }
    }
}

/// The first message that there was not before, wherever it stood: places move with names.
fn news<'d>(before: &[Diagnostic], after: &'d [Diagnostic]) -> Option<&'d Diagnostic> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for said in before {
        *known.entry(said.code).or_default() += 1;
    }
    after.iter().find(|said| match known.get_mut(said.code) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        Some(_) | None => true,
    })
}

/// What every name means, by its place among all names: that does not hang on how long a name is.
fn shape(checked: &Checked) -> Vec<(SourceId, usize, usize)> {
    let mut spans: Vec<Span> =
        checked.references.iter().flat_map(|(at, Definition { span, .. })| [at, span]).collect();
    spans.sort_unstable();
    spans.dedup();
    let rank = |span: Span| spans.binary_search(&span).unwrap_or(usize::MAX);
    let uses = checked.references.iter().map(|(at, definition)| (at.source, rank(at), rank(definition.span)));
    let mut uses: Vec<_> = uses.collect();
    uses.sort_unstable();
    uses
}
