//! What the name at a place is: its heading, its comment, its type, its paragraphs, who amends it.

use blazon_book::{Base, Book, Constant, KindId, Role};
use blazon_check::project::Layer;
use blazon_check::{Definition, DefinitionKind};
use lsp_types::{Contents, Hover, MarkupContent, MarkupKind};

use super::links;
use crate::amendments::Amendment;
use crate::running::Running;
use crate::subject::{self, kind_word};
use crate::workspace::{Home, Page};

/// The most lines of a heading that are shown.
const LINES: usize = 12;
/// The most facts of a thing that are shown.
const FACTS: usize = 16;
/// The most changes that are listed.
const CHANGES: usize = 8;

/// What is to be said of the name or citation at an offset.
pub fn hover(page: &Page, offset: u32, amendments: &[Amendment], running: &mut Running) -> Option<Hover> {
    if let Some(cite) = subject::cite_at(page, offset) {
        let title = links::title(page.read(), &cite.text)?;
        return Some(shown(page, cite.span, format!("**@{}** {}", escaped(&cite.text), escaped(title))));
    }
    let subject = subject::at(page, offset)?;
    let mut parts = Vec::new();
    for definition in subject.definitions.iter().take(3) {
        let mut words = told(page, offset, *definition, amendments);
        if definition.kind == DefinitionKind::Rule
            && let Some(worth) = running.worth(page.book.checked.model.playable(), *definition)
        {
            words += &format!("\n\n*On the board* {}", escaped(&worth));
        }
        parts.push(words);
    }
    Some(shown(page, subject.at, parts.join("\n\n---\n\n")))
}

fn shown(page: &Page, at: blazon_diagnostics::Span, value: String) -> Hover {
    let value = blazon_diagnostics::harmless(&value);
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    Hover { contents, range: Some(page.read().range(at)) }
}

/// Everything that is known of a definition.
fn told(page: &Page, offset: u32, definition: Definition, amendments: &[Amendment]) -> String {
    let read = page.read();
    let mut parts = vec![format!("```blazon\n{}\n```", heading(page, offset, definition))];
    parts.extend(read.parsed.doc(definition).map(|doc| escaped(&doc)));
    let facts = if definition.kind == DefinitionKind::Thing { facts(page, definition) } else { Vec::new() };
    if !facts.is_empty() {
        parts.push(facts.join("  \n"));
    }
    parts.extend(paragraphs(page, definition));
    parts.extend(changes(page, definition, amendments));
    parts.extend(origin(page, definition));
    parts.join("\n\n")
}

/// What it is, as it is written: the declaration without its body, or a line made of its type.
fn heading(page: &Page, offset: u32, definition: Definition) -> String {
    let book = &page.book;
    let name = subject::name_of(book, definition);
    if definition.kind == DefinitionKind::Variable {
        return match variable(page, offset, definition) {
            Some(ty) => format!("{name}: {ty}"),
            None => name,
        };
    }
    if definition.kind == DefinitionKind::Thing {
        let kind = thing(&book.checked.model, definition).map(|(kind, _)| kind.name.as_str());
        return format!("{name}: {}", kind.unwrap_or("thing"));
    }
    let Some(entry) = subject::entry_of(book, definition) else {
        return format!("{} {name}", kind_word(definition.kind));
    };
    let text = book.read.text(entry.heading);
    let indent = column(page, entry.heading);
    let lines = text.lines().take(LINES).map(|line| {
        let blanks = line.len() - line.trim_start().len();
        line.get(blanks.min(indent)..).unwrap_or(line).trim_end()
    });
    let lines: Vec<&str> = lines.collect();
    let written = lines.join("\n");
    written.trim_end_matches([' ', '{']).trim_end().replace("```", "'''")
}

/// How far in a span begins.
fn column(page: &Page, span: blazon_diagnostics::Span) -> usize {
    page.read().source(span.source).map_or(0, |source| source.line_col(span.start).1.saturating_sub(1))
}

/// The type of a variable: where it is used, or where it is first used.
fn variable(page: &Page, offset: u32, definition: Definition) -> Option<String> {
    let model = &page.book.checked.model;
    let first = page.book.checked.references.uses_of(definition).next();
    let places = [(page.source, offset)].into_iter().chain(first.map(|span| (span.source, span.start)));
    let found = places.flat_map(|(source, offset)| model.variables_at(source, offset));
    let mut found = found.filter(|variable| variable.span == definition.span);
    found.next().map(|variable| variable.ty.words(&model.kinds))
}

/// A thing with its kind.
fn thing(book: &Book, definition: Definition) -> Option<(&blazon_book::Kind, usize)> {
    book.kinds.iter().find_map(|kind| {
        let place = kind.things.iter().position(|thing| thing.span == definition.span)?;
        Some((kind, place))
    })
}

/// The printed facts of a thing.
fn facts(page: &Page, definition: Definition) -> Vec<String> {
    let model = &page.book.checked.model;
    let Some((kind, place)) = thing(model, definition) else { return Vec::new() };
    let id = model.kinds.iter().position(|other| std::ptr::eq(other, kind)).unwrap_or_default();
    let mut found = Vec::new();
    for column in model.columns.iter().filter(|column| column.keys == [KindId(id as u32)]) {
        let Role::Fact(values) = &column.role else { continue };
        if let Some(value) = values.get(place).and_then(|value| constant(model, column.ty.base, value)) {
            found.push(format!("{}: {}", escaped(&column.name), escaped(&value)));
        }
    }
    found.truncate(FACTS);
    found
}

/// A printed value in words; nothing where it is absent, empty or `no`.
pub fn constant(book: &Book, base: Base, value: &Constant) -> Option<String> {
    let name = |kind: KindId, thing: usize| {
        book.kinds.get(kind.0 as usize)?.things.get(thing).map(|thing| thing.name.clone())
    };
    match (base, value) {
        (Base::Flag, Constant::Word(word)) => (*word != 0).then(|| "yes".to_owned()),
        (Base::Thing(kind), Constant::Word(word)) => name(kind, usize::try_from(*word).ok()?),
        (_, Constant::Word(word)) => Some(word.to_string()),
        (Base::Set(kind), Constant::Set(things)) => {
            let names: Vec<String> = things.iter().filter_map(|&thing| name(kind, thing as usize)).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        (_, other) => other.words(),
    }
}

/// The paragraphs that it cites, with their titles.
fn paragraphs(page: &Page, definition: Definition) -> Option<String> {
    let read = page.read();
    let entry = subject::entry_of(&page.book, definition)?;
    let file = read.file(entry.at.source)?;
    let source = read.source(entry.at.source)?;
    // What stands on the lines of the heading belongs to it.
    let (first, last) = (source.line_col(entry.heading.start).0, source.line_col(entry.heading.end).0);
    let here = file.cites.iter().filter(|cite| (first..=last).contains(&source.line_col(cite.span.start).0));
    let mut lines: Vec<String> = Vec::new();
    for cite in here {
        let title = links::title(read, &cite.text).unwrap_or_default();
        let line = format!("@{} {}", escaped(&cite.text), escaped(title));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    (!lines.is_empty()).then(|| lines.join("  \n"))
}

/// Who amends it, in the game and in all its variants.
fn changes(page: &Page, definition: Definition, amendments: &[Amendment]) -> Option<String> {
    let name = subject::name_of(&page.book, definition);
    let fits = |amendment: &&Amendment| {
        amendment.name == name && amendment.kind.is_none_or(|kind| kind == definition.kind)
    };
    let all: Vec<&Amendment> = amendments.iter().filter(fits).collect();
    let mut lines: Vec<String> =
        all.iter().take(CHANGES).map(|one| format!("- {}", escaped(&one.told()))).collect();
    if all.len() > CHANGES {
        lines.push(format!("- and {} more", all.len() - CHANGES));
    }
    (!lines.is_empty()).then(|| format!("Amended by:\n{}", lines.join("\n")))
}

/// Where it stands, if not in the game's own pages.
fn origin(page: &Page, definition: Definition) -> Option<String> {
    let read = page.read();
    let source = read.source(definition.span.source)?;
    let module = source.name.rsplit('/').next()?.trim_end_matches(".blazon");
    match (read.layer(definition.span.source)?, read.home(definition.span.source)?) {
        (Layer::Library, Home::Inside) => {
            Some(format!("*From the module `{module}` of the library inside the program.*"))
        }
        (Layer::Library, Home::File(_)) => Some(format!("*From the module `{module}` of the library.*")),
        (Layer::Game, Home::Inside) => Some("*From the game inside the program.*".to_owned()),
        (Layer::Variant(place), _) => {
            let name = &read.parsed.variants.get(place)?.name;
            Some(format!("*From the variant {}.*", escaped(name)))
        }
        (Layer::Game, Home::File(_)) => None,
    }
}

/// A text that means nothing to Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
