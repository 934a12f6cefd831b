//! What each name of a page is, for colours: what only the checker knows, beside what an editor's own grammar colours.

use blazon_check::{Definition, DefinitionKind};
use blazon_diagnostics::{Source, Span};
use lsp_types::{SemanticToken, SemanticTokens, SemanticTokensLegend};

use crate::outline::{self, Sort};
use crate::places::Encoding;
use crate::workspace::Page;

/// The types of tokens, as the protocol calls them, and the modifiers.
pub fn legend() -> SemanticTokensLegend {
    let types = [
        "class",
        "enumMember",
        "property",
        "variable",
        "function",
        "method",
        "event",
        "parameter",
        "enum",
        "namespace",
        "label",
    ];
    SemanticTokensLegend {
        token_types: types.map(str::to_owned).to_vec(),
        token_modifiers: ["declaration", "readonly"].map(str::to_owned).to_vec(),
    }
}

/// The place of a type in the legend, and the modifiers beside that of declarations.
fn look(kind: DefinitionKind) -> (u32, u32) {
    match kind {
        DefinitionKind::Kind | DefinitionKind::Plural => (0, 0),
        DefinitionKind::Thing | DefinitionKind::RulingValue | DefinitionKind::Case => (1, 0),
        DefinitionKind::Fact => (2, 2),
        DefinitionKind::State => (2, 0),
        DefinitionKind::Rule => (4, 0),
        DefinitionKind::Step => (5, 0),
        DefinitionKind::Option | DefinitionKind::Watch => (6, 0),
        DefinitionKind::Variable => (7, 0),
        DefinitionKind::Ruling => (8, 0),
        DefinitionKind::Setup
        | DefinitionKind::Scene
        | DefinitionKind::Links
        | DefinitionKind::Table
        | DefinitionKind::Grid => (9, 0),
        DefinitionKind::Clause | DefinitionKind::Invariant | DefinitionKind::Look => (10, 0),
    }
}

/// The tokens of a page.
pub fn tokens(page: &Page) -> Option<SemanticTokens> {
    let source = page.text()?;
    let references = &page.book.checked.references;
    let mut names: Vec<(Span, u32, u32)> = Vec::new();
    let mut push = |span: Span, kind: DefinitionKind, declares: u32| {
        if span.source == page.source && span.start < span.end {
            let (ty, modifiers) = look(kind);
            names.push((span, ty, modifiers | declares));
        }
    };
    for (span, Definition { kind, span: declared }) in references.iter() {
        push(span, kind, 0);
        push(declared, kind, 1);
    }
    let entries = page.file().map(outline::entries).unwrap_or_default();
    for entry in outline::all(&entries) {
        let Sort::Definition(kind) = entry.sort else { continue };
        // These are called by the name of a kind, which is coloured as such.
        if !matches!(
            kind,
            DefinitionKind::Links | DefinitionKind::Table | DefinitionKind::Grid | DefinitionKind::Look
        ) {
            push(entry.at, kind, 1);
        }
    }
    // Of two at one place the declaration counts; of two that overlap the shorter.
    names.sort_by_key(|(span, _, modifiers)| (span.start, span.end, 1 - (modifiers & 1)));
    Some(SemanticTokens { result_id: None, data: encoded(source, page.read().encoding, &names) })
}

/// Tokens as the protocol counts them: each from the one before.
fn encoded(source: &Source, encoding: Encoding, names: &[(Span, u32, u32)]) -> Vec<SemanticToken> {
    let mut data = Vec::new();
    let (mut line, mut column, mut end) = (0, 0, 0);
    for (span, token_type, token_modifiers_bitset) in names {
        let text = source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        // A token stands on one line.
        if span.start < end || text.contains('\n') || text.is_empty() {
            continue;
        }
        end = span.end;
        let at = encoding.position(source, span.start);
        let delta_start = if at.line == line { at.character - column } else { at.character };
        data.push(SemanticToken {
            delta_line: at.line - line,
            delta_start,
            length: encoding.width(text),
            token_type: *token_type,
            token_modifiers_bitset: *token_modifiers_bitset,
        });
        (line, column) = (at.line, at.character);
    }
    data
}
