//! Rows from files: a table or a list of links that names a file takes its rows in before anything else looks at it, so
//! that amendments and the printed rulebook treat them as rows of the page.

use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Span, did_you_mean};
use blazon_syntax::ast::{self, Amend, AmendKind, Declaration, ItemKind, Name, Node};

use crate::project::{COPY, Layer, Parsed, TakenIn, leads_out};

/// How the files end whose rows are read.
const ROWS: &str = ".tsv";

/// Puts the rows of files into the tables and lists of links that name them.
pub(crate) fn take_in(parsed: &mut Parsed) {
    let mut files = std::mem::take(&mut parsed.files);
    for (layer, file) in &mut files {
        if !file.items.iter().any(names_file) {
            continue;
        }
        for item in &mut Arc::make_mut(file).items {
            match &mut item.kind {
                ItemKind::Declaration(declaration) => declared(parsed, *layer, declaration),
                ItemKind::Amend(amend) => changed(parsed, *layer, amend),
                ItemKind::Test(_) | ItemKind::Scene(_) => {}
            }
        }
    }
    parsed.files = files;
    let empty: Vec<Diagnostic> =
        parsed.files.iter().flat_map(|(_, file)| &file.items).filter_map(empty).collect();
    parsed.diagnostics.extend(empty);
}

/// Complains of a table, or a list of links, in which nothing stands.
fn empty(item: &ast::Item) -> Option<Diagnostic> {
    let ItemKind::Declaration(declaration) = &item.kind else { return None };
    let (what, span, help) = if let Declaration::Table(table) = declaration {
        let is_empty = table.file.is_none() && table.rows.is_empty() && table.named_rows.is_empty();
        let help = "write a heading and its rows below it, `| name | …`, or rows by name, `Mill: …`";
        is_empty.then_some(("this table has no heading and no rows", table.span, help))
    } else if let Declaration::Links(links) = declaration {
        let is_empty = links.file.is_none() && links.rows.is_empty() && links.links.is_empty();
        is_empty.then_some(("this list has no links", links.span, "write the links below it, `Mill - Ford`"))
    } else {
        None
    }?;
    Some(Diagnostic::error("tables::empty", span, what).help(help))
}

/// Whether an item names a file. A tree that is kept for the next parse is only copied if one does.
fn names_file(item: &ast::Item) -> bool {
    match &item.kind {
        ItemKind::Declaration(declaration) => declares_file(declaration),
        ItemKind::Amend(amend) => changes_file(amend),
        ItemKind::Test(_) | ItemKind::Scene(_) => false,
    }
}

fn declares_file(declaration: &Declaration) -> bool {
    let file = if let Declaration::Table(table) = declaration {
        &table.file
    } else if let Declaration::Links(links) = declaration {
        &links.file
    } else {
        return false;
    };
    file.is_some()
}

fn changes_file(amend: &Amend) -> bool {
    match &amend.kind {
        AmendKind::Inside { changes, .. } | AmendKind::Under { changes, .. } => {
            changes.iter().any(changes_file)
        }
        AmendKind::Add(node) | AmendKind::Replace { new: node, .. } => {
            matches!(node, Node::Declaration(declaration) if declares_file(declaration))
        }
        AmendKind::Hook { .. }
        | AmendKind::Cite(_)
        | AmendKind::Members { .. }
        | AmendKind::Remove(_)
        | AmendKind::Waive(_) => false,
    }
}

fn changed(parsed: &mut Parsed, layer: Layer, amend: &mut Amend) {
    match &mut amend.kind {
        AmendKind::Inside { changes, .. } | AmendKind::Under { changes, .. } => {
            changes.iter_mut().for_each(|change| changed(parsed, layer, change));
        }
        AmendKind::Add(Node::Declaration(declaration))
        | AmendKind::Replace { new: Node::Declaration(declaration), .. } => {
            declared(parsed, layer, declaration)
        }
        AmendKind::Add(_)
        | AmendKind::Hook { .. }
        | AmendKind::Replace { .. }
        | AmendKind::Cite(_)
        | AmendKind::Members { .. }
        | AmendKind::Remove(_)
        | AmendKind::Waive(_) => {}
    }
}

fn declared(parsed: &mut Parsed, layer: Layer, declaration: &mut Declaration) {
    if !declares_file(declaration) {
        return;
    }
    let (name, file, rows) = if let Declaration::Table(table) = declaration {
        let table = Arc::make_mut(table);
        (&table.kind, &table.file, &mut table.rows)
    } else if let Declaration::Links(links) = declaration {
        let links = Arc::make_mut(links);
        (&links.kind, &links.file, &mut links.rows)
    } else {
        return;
    };
    let Some(file) = file else { return };
    let Some(source) = find(parsed, layer, file) else { return };
    parsed.taken.push(TakenIn { layer, name: name.text.clone(), source });
    let read = rows_of(parsed, source);
    if read.is_empty() {
        let name = file.plain().unwrap_or_default();
        let said = Diagnostic::error("tables::empty", file.span, format!("there is no row in `{name}`"));
        let help = "its first row is the heading; cells are parted by tabs, and lines that begin with `--` are left out";
        parsed.diagnostics.push(said.help(help));
    }
    // What stands below the line that names the file goes on with the file's columns.
    rows.splice(0..0, read);
}

/// A file lies in the folder of the page that names it, or below it.
fn find(parsed: &mut Parsed, layer: Layer, file: &ast::Text) -> Option<SourceId> {
    let name = file.plain().unwrap_or_default();
    let near = match parsed.beside(layer, &parsed.sources.get(file.span.source).name, &name) {
        Ok(source) => return Some(source),
        Err(near) => near,
    };
    if leads_out(&name) {
        let message = format!("`{name}` leads out of the folder of the rules");
        parsed.diagnostics.push(Diagnostic::error("files::outside", file.span, message).help(COPY));
        return None;
    }
    let diagnostic =
        Diagnostic::error("files::missing", file.span, format!("there is no file `{name}` beside this page"));
    let diagnostic = match near {
        Some(near) => diagnostic.help(did_you_mean(near)).fix(Fix::replace(
            format!("write `{near}`"),
            file.span,
            format!("\"{near}\""),
        )),
        None if !name.to_lowercase().ends_with(ROWS) => diagnostic
            .help(format!("rows are read from files that end in `{ROWS}`, with tabs between their cells")),
        None => diagnostic.help("the file must lie in the folder of the page that names it, or below it"),
    };
    parsed.diagnostics.push(diagnostic);
    None
}

/// The rows of a file: cells between tabs; empty lines and lines that begin with `--` are left out.
fn rows_of(parsed: &Parsed, source: SourceId) -> Vec<ast::Row> {
    let text = &parsed.sources.get(source).text;
    let mut rows = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if !bare.is_empty() && !bare.starts_with("--") {
            let mut at = offset;
            let mut cells = Vec::new();
            for cell in bare.split('\t') {
                let start = at + (cell.len() - cell.trim_start().len());
                let end = start + cell.trim().len();
                cells.push(Name { text: cell.trim().to_owned(), span: Span::new(source, start, end) });
                at += cell.len() + 1;
            }
            let span = Span::new(source, offset, offset + bare.len());
            rows.push(ast::Row { cells, cites: Vec::new(), span });
        }
        offset += line.len();
    }
    rows
}
