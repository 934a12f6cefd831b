//! Who asks a rule or does a step, and what it asks and does itself; who amends it is among those that ask.

use std::collections::BTreeMap;

use blazon_check::{Definition, DefinitionKind};
use blazon_diagnostics::{SourceId, Span};
use lsp_types::{CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Range, SymbolKind};

use super::symbols;
use crate::occurrences::{InStack, everywhere};
use crate::outline::{self, Entry, Sort};
use crate::subject;
use crate::workspace::{Analysed, Belongs, Home, Page, Read, Workspace};

/// What can be asked or done at an offset.
pub fn prepare(page: &Page, offset: u32) -> Option<Vec<CallHierarchyItem>> {
    let subject = subject::at(page, offset)?;
    let callable = subject.definitions.iter().filter(|definition| is_callable(definition.kind));
    let items: Vec<_> = callable.filter_map(|definition| item_of(&page.book, *definition)).collect();
    (!items.is_empty()).then_some(items)
}

fn is_callable(kind: DefinitionKind) -> bool {
    matches!(
        kind,
        DefinitionKind::Rule
            | DefinitionKind::Step
            | DefinitionKind::Option
            | DefinitionKind::State
            | DefinitionKind::Fact
    )
}

/// A definition as an item; none if it lies where the editor cannot go.
fn item_of(book: &Analysed, definition: Definition) -> Option<CallHierarchyItem> {
    let read = &book.read;
    if matches!(read.home(definition.span.source), Some(Home::Inside)) {
        return None;
    }
    let entry = subject::entry_of(book, definition);
    let extent = entry.map_or(definition.span, |entry| entry.extent.to(entry.at));
    item(
        read,
        subject::name_of(book, definition),
        symbols::of_definition(definition.kind),
        extent,
        definition.span,
    )
}

fn item(read: &Read, name: String, kind: SymbolKind, extent: Span, at: Span) -> Option<CallHierarchyItem> {
    let detail = read.source(at.source).map(|source| source.name.to_string());
    let uri = read.uri(at.source)?;
    let (range, selection_range) = (read.range(extent), read.range(at));
    Some(CallHierarchyItem { name, kind, tags: None, detail, uri, range, selection_range, data: None })
}

/// Who asks, does or amends what stands at an offset: each item of a page with the places in it.
pub fn incoming(
    workspace: &mut Workspace,
    belongs: &Belongs,
    page: &Page,
    offset: u32,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let subject = subject::at(page, offset)?;
    let mut calls: Vec<CallHierarchyIncomingCall> = Vec::new();
    for InStack { book, spans, declared, .. } in
        everywhere(workspace, belongs, &page.book, &subject.definitions, &[])
    {
        let uses = spans.into_iter().filter(|span| !declared.contains(span));
        for (entry, spans) in by_entry(&book.read, uses) {
            let read = &book.read;
            let Some(from) = item(
                read,
                entry.name.clone(),
                symbols::kind(entry.sort),
                entry.extent.to(entry.at),
                entry.at,
            ) else {
                continue;
            };
            if matches!(read.home(entry.at.source), Some(Home::Inside)) {
                continue;
            }
            let from_ranges: Vec<Range> = spans.into_iter().map(|span| read.range(span)).collect();
            let call = CallHierarchyIncomingCall { from, from_ranges };
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    Some(calls)
}

/// What the rule or step at an offset asks and does.
pub fn outgoing(page: &Page, offset: u32) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let subject = subject::at(page, offset)?;
    let definition = *subject.definitions.first()?;
    let entry = subject::entry_of(&page.book, definition)?;
    let mut found: BTreeMap<Definition, Vec<Span>> = BTreeMap::new();
    for (span, used) in page.book.checked.references.iter() {
        if entry.extent.contains(span) && is_callable(used.kind) && used.span != definition.span {
            found.entry(used).or_default().push(span);
        }
    }
    let call = |(used, spans): (Definition, Vec<Span>)| {
        let to = item_of(&page.book, used)?;
        let from_ranges = spans.into_iter().map(|span| page.read().range(span)).collect();
        Some(CallHierarchyOutgoingCall { to, from_ranges })
    };
    Some(found.into_iter().filter_map(call).collect())
}

/// Places, by the outermost item that they stand in.
fn by_entry(read: &Read, uses: impl Iterator<Item = Span>) -> Vec<(Entry, Vec<Span>)> {
    let mut pages: BTreeMap<SourceId, Vec<Entry>> = BTreeMap::new();
    let mut found: BTreeMap<(SourceId, u32), (Entry, Vec<Span>)> = BTreeMap::new();
    for span in uses {
        let entries = pages
            .entry(span.source)
            .or_insert_with(|| read.file(span.source).map(outline::entries).unwrap_or_default());
        let Some(entry) = entries.iter().find(|entry| entry.extent.contains(span)) else { continue };
        if entry.sort == Sort::Omitted {
            continue;
        }
        let known = found.entry((span.source, entry.extent.start));
        known.or_insert_with(|| (entry.clone(), Vec::new())).1.push(span);
    }
    found.into_values().collect()
}
