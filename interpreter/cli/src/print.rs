//! The flat rulebook at the terminal: every line with the layer, file and line that it comes from, and its paragraphs.

pub mod changes;

use std::collections::BTreeMap;

use blazon::present::cited;
use blazon_book::Book;
use blazon_check::print;
use blazon_check::project::{Layer, Parsed};
use blazon_diagnostics::{SourceId, Span};

use crate::console::{Console, columns, harmless, paint, style};

/// Where paragraphs stand, counted from the beginning of the text.
const PARAGRAPHS: usize = 92;

/// The lines of the flat rulebook; at a ruling stands what it is settled to, if that is not what holds unless it is settled.
fn lines_of(parsed: &Parsed, book: Option<&Book>) -> Vec<print::Line> {
    let mut lines = print::print(parsed);
    for ruling in book.into_iter().flat_map(|book| &book.rulings).filter(|ruling| ruling.chosen > 0) {
        let opens = format!("ruling {}", ruling.name);
        let line = lines.iter_mut().find(|line| line.opens.as_ref() == Some(&opens));
        if let (Some(line), Some(value)) = (line, ruling.values.get(ruling.chosen)) {
            line.text = format!("{} -- settled: {value}", line.text);
        }
    }
    lines
}

/// Prints the flat rulebook, as a book of it has its rulings.
pub fn print(parsed: &Parsed, book: &Book, console: &Console) {
    let layers = layers(parsed);
    let lines: Vec<(String, print::Line)> = lines_of(parsed, Some(book))
        .into_iter()
        .map(|line| (line.origin.map(|span| place(parsed, &layers, span)).unwrap_or_default(), line))
        .collect();
    let gutter = lines.iter().map(|(origin, _)| columns(origin)).max().unwrap_or(0);
    let mut before = "";
    for (origin, line) in &lines {
        // A place is told once for all that stands on its line.
        let told = if origin == before { "" } else { origin.as_str() };
        before = origin;
        let text = harmless(&line.text);
        let mut cites = String::new();
        if !line.cites.is_empty() {
            let mut once = line.cites.clone();
            once.dedup();
            let gap = " ".repeat(PARAGRAPHS.saturating_sub(columns(&text)).max(1));
            cites = format!("{gap}{}", paint(style::PLACE, cited(&once).trim_start()));
        }
        let origin = paint(style::FAINT, format!("{told:gutter$}"));
        console.line(format!("{origin}  {text}{cites}").trim_end());
    }
}

/// The names of the layers that files belong to.
fn layers(parsed: &Parsed) -> BTreeMap<SourceId, String> {
    let name = |layer: &Layer| match layer {
        Layer::Library => "library".to_owned(),
        Layer::Game => "game".to_owned(),
        Layer::Variant(place) => {
            parsed.variants.get(*place).map_or_else(|| "variant".to_owned(), |variant| variant.name.clone())
        }
    };
    let source = |file: &blazon_syntax::ast::File| file.items.first().map(|item| item.span.source);
    let pages = parsed.files.iter().filter_map(|(layer, file)| Some((source(file)?, name(layer))));
    let data = parsed.data.iter().map(|(layer, _, source)| (*source, name(layer)));
    pages.chain(data).collect()
}

/// `layer/file:line` of a place.
fn place(parsed: &Parsed, layers: &BTreeMap<SourceId, String>, span: Span) -> String {
    let Some(source) = parsed.sources.find(span.source) else { return String::new() };
    let file = source.name.rsplit('/').next().unwrap_or(&source.name);
    let layer = layers.get(&span.source).map_or("data", String::as_str);
    harmless(&format!("{layer}/{file}:{}", source.line_col(span.start).0))
}
