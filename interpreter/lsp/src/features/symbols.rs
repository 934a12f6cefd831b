//! The outline of a page, and names of all games.

use blazon_check::DefinitionKind;
use lsp_types::{
    BaseSymbolInformation, DocumentSymbol, SymbolKind, WorkspaceSymbol, WorkspaceSymbolLocation,
};

use crate::outline::{self, Entry, Sort};
use crate::workspace::Read;
use blazon_diagnostics::SourceId;

/// How many names are answered at most.
const MOST: usize = 500;

/// What a page holds.
pub fn of_page(read: &Read, source: SourceId) -> Vec<DocumentSymbol> {
    let entries = read.file(source).map(outline::entries).unwrap_or_default();
    entries.iter().map(|entry| symbol(read, entry)).collect()
}

fn symbol(read: &Read, entry: &Entry) -> DocumentSymbol {
    let name = if entry.name.is_empty() { "…".to_owned() } else { entry.name.clone() };
    let range = read.range(entry.extent.to(entry.at));
    let children: Vec<DocumentSymbol> = entry.inner.iter().map(|inner| symbol(read, inner)).collect();
    #[allow(deprecated, reason = "the field is part of the type")]
    DocumentSymbol {
        name,
        detail: None,
        kind: kind(entry.sort),
        tags: None,
        deprecated: None,
        range,
        selection_range: read.range(entry.at),
        children: (!children.is_empty()).then_some(children),
    }
}

/// The names in which all letters of a query stand in order, of all pages of a game.
pub fn of_game(read: &Read, query: &str) -> Vec<WorkspaceSymbol> {
    let query: Vec<char> = query.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let mut found = Vec::new();
    for (_, file) in &read.parsed.files {
        let entries = outline::entries(file);
        let page = read.source(file.source).map(|source| source.name.to_string());
        for entry in outline::all(&entries) {
            if found.len() >= MOST || !holds(&entry.name, &query) {
                continue;
            }
            let Some(location) = read.location(entry.at) else { continue };
            found.push(WorkspaceSymbol {
                location: WorkspaceSymbolLocation::Location(location),
                data: None,
                base_symbol_information: BaseSymbolInformation {
                    name: entry.name.clone(),
                    kind: kind(entry.sort),
                    tags: None,
                    container_name: page.clone(),
                },
            });
        }
    }
    found
}

fn holds(name: &str, query: &[char]) -> bool {
    let mut left = query.iter().peekable();
    for c in name.to_lowercase().chars() {
        left.next_if(|wanted| **wanted == c);
    }
    left.peek().is_none()
}

/// The editor's sign for it.
pub fn kind(sort: Sort) -> SymbolKind {
    match sort {
        Sort::Test => SymbolKind::Event,
        Sort::Change => SymbolKind::Namespace,
        Sort::Omitted => SymbolKind::String,
        Sort::Definition(kind) => of_definition(kind),
    }
}

/// The editor's sign for a definition.
pub fn of_definition(kind: DefinitionKind) -> SymbolKind {
    match kind {
        DefinitionKind::Kind | DefinitionKind::Plural => SymbolKind::Class,
        DefinitionKind::Thing | DefinitionKind::RulingValue => SymbolKind::EnumMember,
        DefinitionKind::Fact => SymbolKind::Property,
        DefinitionKind::State => SymbolKind::Field,
        DefinitionKind::Rule => SymbolKind::Function,
        DefinitionKind::Step => SymbolKind::Method,
        DefinitionKind::Option => SymbolKind::Constructor,
        DefinitionKind::Variable => SymbolKind::Variable,
        DefinitionKind::Ruling => SymbolKind::Enum,
        DefinitionKind::Setup | DefinitionKind::Scene => SymbolKind::Module,
        DefinitionKind::Clause | DefinitionKind::Case => SymbolKind::Key,
        DefinitionKind::Watch => SymbolKind::Event,
        DefinitionKind::Invariant => SymbolKind::Boolean,
        DefinitionKind::Look => SymbolKind::Object,
        DefinitionKind::Links | DefinitionKind::Table | DefinitionKind::Grid => SymbolKind::Array,
    }
}
