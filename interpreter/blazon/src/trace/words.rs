//! What is asked and where it stands, in words.

use blazon_book::{Book, Local, PageDigest};
use blazon_diagnostics::Span;

use super::ask::Asking;
use super::told::Paragraph;
use crate::present::values;

impl Asking<'_> {
    /// A rule with its arguments in words.
    pub fn called(&self, name: &str, params: &[Local], args: &[i64]) -> String {
        let mut rest = args;
        let mut words = Vec::new();
        for param in params {
            let count = self.game.program().words_of(param.ty).min(rest.len());
            let (own, others) = rest.split_at(count);
            let own: Vec<u64> = own.iter().map(|&word| word as u64).collect();
            let value = self.game.machine.value(param.ty, &own);
            words.push(value.map_or_else(String::new, |value| values::value(&self.book, &value)));
            rest = others;
        }
        called(name, &words)
    }

    /// What is written somewhere, on one line.
    pub fn text(&self, span: Span) -> String {
        self.book.text(span)
    }

    /// Paragraphs with their titles, each once.
    pub fn paragraphs(&self, cites: &[String]) -> Vec<Paragraph> {
        let title = |number: &String| {
            let found = self.book.outline.iter().find(|(other, _)| other == number);
            found.map(|(_, title)| title.clone()).unwrap_or_default()
        };
        let mut once: Vec<&String> = Vec::new();
        cites.iter().for_each(|number| {
            if !once.contains(&number) {
                once.push(number)
            }
        });
        once.into_iter().map(|number| Paragraph { number: number.clone(), title: title(number) }).collect()
    }

    /// File and line of something.
    pub fn place(&self, span: Span) -> Option<String> {
        place(&self.book, span)
    }

    /// Whose page something stands on.
    pub fn origin(&self, span: Span) -> String {
        let on = |page: &&PageDigest| page.items.iter().any(|item| item.span.source == span.source);
        self.book.digest.pages.iter().find(on).map(|page| page.layer.to_string()).unwrap_or_default()
    }
}

/// File and line of something in a book.
pub(crate) fn place(book: &Book, span: Span) -> Option<String> {
    let source = book.sources.find(span.source)?;
    Some(format!("{}:{}", source.name, source.line_col(span.start).0))
}

/// A name with its arguments.
pub(super) fn called(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}
