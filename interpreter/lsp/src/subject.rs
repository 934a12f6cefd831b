//! What a place in a page is about: the name that stands there and what it means.

use blazon_book::KindOrigin;
use blazon_check::{Definition, DefinitionKind};
use blazon_diagnostics::Span;
use blazon_syntax::ast::Cite;
use blazon_syntax::plain_name;

use crate::outline::{self, Entry, Sort};
use crate::workspace::{Analysed, Page};

/// A name in a page.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Where it stands.
    pub at: Span,
    /// What it can mean; one thing mostly.
    pub definitions: Vec<Definition>,
}

/// The name at an offset: a use, or where something is declared. Where a table or a look is called by what it is about, that
/// table or look is meant.
pub fn at(page: &Page, offset: u32) -> Option<Subject> {
    let mut subject = named_at(page, offset)?;
    if subject.definitions.iter().any(|definition| is_called_by_another(definition.kind)) {
        subject.definitions.retain(|definition| is_called_by_another(definition.kind));
    }
    Some(subject)
}

/// The same, and there what the table or look is about.
pub fn bearer_at(page: &Page, offset: u32) -> Option<Subject> {
    let mut subject = named_at(page, offset)?;
    if subject.definitions.iter().any(|definition| !is_called_by_another(definition.kind)) {
        subject.definitions.retain(|definition| !is_called_by_another(definition.kind));
    }
    Some(subject)
}

/// Whether what is declared so has no name of its own, but that of what it is about.
pub fn is_called_by_another(kind: DefinitionKind) -> bool {
    matches!(
        kind,
        DefinitionKind::Case
            | DefinitionKind::Look
            | DefinitionKind::Links
            | DefinitionKind::Table
            | DefinitionKind::Grid
    )
}

fn named_at(page: &Page, offset: u32) -> Option<Subject> {
    let references = &page.book.checked.references;
    let definitions = references.at(page.source, offset);
    if !definitions.is_empty() {
        let spans = references.iter().map(|(span, _)| span).filter(|span| span.touches(page.source, offset));
        let at = spans.min_by_key(|span| span.end - span.start)?;
        return Some(Subject { at, definitions });
    }
    if let Some(definition) = references.definition_at(page.source, offset) {
        return Some(Subject { at: definition.span, definitions: vec![definition] });
    }
    // A thing in the row of a table, of which no other page that was looked at speaks.
    let kinds = page.book.checked.model.kinds.iter().filter(|kind| kind.origin == KindOrigin::Declared);
    let mut things = kinds.flat_map(|kind| &kind.things).filter(|thing| thing.ends.is_none());
    if let Some(thing) = things.find(|thing| thing.span.touches(page.source, offset)) {
        return Some(Subject {
            at: thing.span,
            definitions: vec![Definition { kind: DefinitionKind::Thing, span: thing.span }],
        });
    }
    let entries = outline::entries(page.file()?);
    let here = |entry: &&&Entry| entry.at.touches(page.source, offset);
    let all = outline::all(&entries);
    let entry = all.iter().filter(here).min_by_key(|entry| entry.at.end - entry.at.start)?;
    let Sort::Definition(kind) = entry.sort else { return None };
    Some(Subject { at: entry.at, definitions: vec![Definition { kind, span: entry.at }] })
}

/// The citation at an offset.
pub fn cite_at(page: &Page, offset: u32) -> Option<&Cite> {
    page.file()?.cites.iter().find(|cite| cite.span.touches(page.source, offset))
}

/// The name that a definition has.
pub fn name_of(book: &Analysed, definition: Definition) -> String {
    plain_name(book.read.text(definition.span))
}

/// The entry that declares something.
pub fn entry_of(book: &Analysed, definition: Definition) -> Option<Entry> {
    let file = book.read.file(definition.span.source)?;
    let entries = outline::entries(file);
    outline::all(&entries).into_iter().find(|entry| entry.at == definition.span).cloned()
}

/// A kind of definition, in words.
pub fn kind_word(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Kind => "kind",
        DefinitionKind::Plural => "set of all of a kind",
        DefinitionKind::Thing => "thing",
        DefinitionKind::Fact => "fact",
        DefinitionKind::State => "state",
        DefinitionKind::Rule => "rule",
        DefinitionKind::Step => "step",
        DefinitionKind::Option => "option",
        DefinitionKind::Variable => "variable",
        DefinitionKind::Ruling => "ruling",
        DefinitionKind::RulingValue => "value of a ruling",
        DefinitionKind::Setup => "setup",
        DefinitionKind::Clause => "clause",
        DefinitionKind::Case => "case",
        DefinitionKind::Watch => "watch",
        DefinitionKind::Invariant => "invariant",
        DefinitionKind::Look => "look",
        DefinitionKind::Scene => "scene",
        DefinitionKind::Links => "list of links",
        DefinitionKind::Table => "table",
        DefinitionKind::Grid => "grid",
    }
}
