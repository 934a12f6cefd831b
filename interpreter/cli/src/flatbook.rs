//! The flat rulebook as text: every line of the checked book with its paragraphs and the place it comes from.
//!
//! What holds is told from the book, so that amendments stand where they work; how it reads is taken from the source
//! of each part ([`source`]), so that a line looks as it was written.

mod content;
mod procedure;
mod source;

use blazon_check::book::{Book, Local};
use blazon_check::project::Parsed;

use crate::console::{Console, columns, harmless, paint, style};
use crate::terminal::cited;
use source::Origins;

/// Where paragraphs stand, counted from the beginning of the text.
const PARAGRAPHS: usize = 92;

/// A line of the flat rulebook.
struct Line {
    depth: usize,
    text: String,
    cites: Vec<String>,
    origin: String,
}

/// The lines, as they are put together.
struct Pages<'a> {
    book: &'a Book,
    origins: Origins<'a>,
    lines: Vec<Line>,
    /// The variables of the step that is being told.
    locals: &'a [Local],
}

impl Pages<'_> {
    /// A heading between empty lines.
    fn heading(&mut self, text: &str) {
        self.lines.push(Line { depth: 0, text: String::new(), cites: Vec::new(), origin: String::new() });
        let text = format!("{}{}{}", style::STRONG, harmless(text), format_args!("{:#}", style::STRONG));
        self.lines.push(Line { depth: 0, text, cites: Vec::new(), origin: String::new() });
    }

    /// A part as it was written; further lines keep their distance from the first.
    fn part(&mut self, depth: usize, span: blazon_diagnostics::Span, text: &str, cites: &[String]) {
        for (number, line) in source::tidy(text).into_iter().enumerate() {
            let origin = self.origins.of(span, number);
            let cites = if number == 0 { once(cites) } else { Vec::new() };
            self.lines.push(Line { depth, text: harmless(&line), cites, origin });
        }
    }

    /// A line of our own words.
    fn said(&mut self, depth: usize, text: &str) {
        self.lines.push(Line { depth, text: harmless(text), cites: Vec::new(), origin: String::new() });
    }

    /// A line of our own words about something that stands in a file.
    fn said_of(&mut self, depth: usize, span: blazon_diagnostics::Span, text: &str, cites: &[String]) {
        let origin = self.origins.of(span, 0);
        self.lines.push(Line { depth, text: harmless(text), cites: once(cites), origin });
    }
}

/// Each paragraph once.
fn once(cites: &[String]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for cite in cites {
        if !told.contains(cite) {
            told.push(cite.clone());
        }
    }
    told
}

/// Prints the flat rulebook.
pub fn print(book: &Book, parsed: &Parsed, console: &Console) {
    let mut pages = Pages { book, origins: Origins::new(book, parsed), lines: Vec::new(), locals: &[] };
    pages.all();
    let gutter = pages.lines.iter().map(|line| line.origin.chars().count()).max().unwrap_or(0);
    for line in &pages.lines {
        let text = format!("{}{}", "  ".repeat(line.depth), line.text);
        let gap = " ".repeat(PARAGRAPHS.saturating_sub(columns(&text)).max(1));
        let cites = if line.cites.is_empty() {
            String::new()
        } else {
            format!("{gap}{}", paint(style::PLACE, cited(&line.cites).trim_start()))
        };
        let origin = paint(style::FAINT, format!("{:gutter$}", line.origin));
        let whole = format!("{origin}  {text}{cites}");
        console.line(if line.origin.is_empty() && line.text.is_empty() { "" } else { whole.trim_end() });
    }
}
