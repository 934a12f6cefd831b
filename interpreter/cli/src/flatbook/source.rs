//! Parts of source texts, made fit to stand elsewhere, and the names of where they stood.

use std::collections::BTreeMap;

use blazon_check::book::Book;
use blazon_check::project::{Layer, Parsed};
use blazon_diagnostics::{SourceId, Sources, Span};

/// Where lines come from.
pub struct Origins<'a> {
    sources: &'a Sources,
    layers: BTreeMap<SourceId, String>,
}

impl<'a> Origins<'a> {
    /// The layers of all files.
    pub fn new(book: &'a Book, parsed: &Parsed) -> Self {
        let mut layers = BTreeMap::new();
        for (layer, file) in &parsed.files {
            let name = match layer {
                Layer::Library => "library".to_owned(),
                Layer::Game => "game".to_owned(),
                Layer::Variant(place) => parsed
                    .variants
                    .get(*place)
                    .map_or_else(|| "variant".to_owned(), |variant| variant.name.clone()),
            };
            if let Some(item) = file.items.first() {
                layers.insert(item.span.source, name);
            }
        }
        Self { sources: &book.sources, layers }
    }

    /// `layer/file:line` of a place, so many lines on.
    pub fn of(&self, span: Span, further: usize) -> String {
        let Some(source) = self.sources.find(span.source) else { return String::new() };
        let (line, _) = source.line_col(span.start);
        let file = source.name.rsplit('/').next().unwrap_or(&source.name);
        let layer = self.layers.get(&span.source).map_or("data", String::as_str);
        crate::console::harmless(&format!("{layer}/{file}:{}", line + further))
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        match self.sources.find(span.source) {
            Some(_) => self.sources.slice(span),
            None => "",
        }
    }

    /// The text from a place up to another one in the same file.
    pub fn between(&self, span: Span, end: u32) -> &'a str {
        self.slice(Span { end: end.max(span.start), ..span })
    }

    /// The text of a span up to its first brace outside quotes.
    pub fn head(&self, span: Span) -> &'a str {
        let text = self.slice(span);
        let mut quoted = false;
        for (at, c) in text.char_indices() {
            match c {
                '"' => quoted = !quoted,
                '{' if !quoted => return text[..at].trim_end(),
                _ => {}
            }
        }
        text
    }
}

/// The lines of a part without citations and comments at their ends; those after the first keep their distance from
/// the least indented of them.
pub fn tidy(text: &str) -> Vec<String> {
    let mut lines: Vec<&str> = text.lines().map(bare).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let further = |line: &&str| format!("    {}", line.get(least..).unwrap_or_default());
    let first = lines.first().map(|line| line.trim().to_owned());
    first
        .into_iter()
        .chain(lines.iter().skip(1).map(further))
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// A line without the citations and the comment at its end.
fn bare(line: &str) -> &str {
    let mut quoted = false;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '@' if !quoted && before == ' ' => return line[..at].trim_end(),
            '-' if !quoted && line[at..].starts_with("-- ") => return line[..at].trim_end(),
            _ => {}
        }
        before = c;
    }
    line.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_tidied() {
        assert_eq!(
            tidy("rule a: number = 2      @1.1 @2\n      + \"@\" -- more"),
            ["rule a: number = 2", "    + \"@\""]
        );
        assert_eq!(tidy(""), Vec::<String>::new());
    }
}
