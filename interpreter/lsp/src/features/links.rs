//! Links from citations to the outline of paragraphs.

use blazon_diagnostics::Span;
use lsp_types::{DocumentLink, Location, Uri};

use crate::workspace::{Page, Read};

/// The citations of a page, each a link to the paragraph's line in the outline.
pub fn links(page: &Page) -> Vec<DocumentLink> {
    let read = page.read();
    let Some(file) = page.file() else { return Vec::new() };
    let link = |cite: &blazon_syntax::ast::Cite| {
        let span = line_of(read, &cite.text)?;
        let line = read.source(span.source)?.line_col(span.start).0;
        let mut target: Uri = read.uri(span.source)?;
        target.set_fragment(Some(&format!("L{line}")));
        Some(DocumentLink {
            range: read.range(cite.span),
            target: Some(target),
            tooltip: title(read, &cite.text).map(|title| format!("@{} {title}", cite.text)),
            data: None,
        })
    };
    file.cites.iter().filter_map(link).collect()
}

/// The title of a paragraph, if the outline has it.
pub fn title<'r>(read: &'r Read, number: &str) -> Option<&'r str> {
    read.parsed.outline.iter().find(|(other, _)| other == number).map(|(_, title)| title.as_str())
}

/// The place of a paragraph in the outline.
pub fn paragraph(page: &Page, number: &str) -> Option<Location> {
    page.read().location(line_of(page.read(), number)?)
}

/// The line of an outline or list of statements that begins with a number.
fn line_of(read: &Read, number: &str) -> Option<Span> {
    let manifests = [Some(&read.parsed.game.outline), Some(&read.parsed.game.statements)];
    let variants = read.parsed.variants.iter().flat_map(|variant| [&variant.outline, &variant.statements]);
    let names: Vec<&String> = manifests.into_iter().flatten().chain(variants).flatten().collect();
    let named = |name: &str| names.iter().any(|one| name == **one || name.ends_with(&format!("/{one}")));
    let files = read.parsed.data.iter().filter(|(_, name, _)| named(name));
    for (_, _, source) in files {
        let text = &read.source(*source)?.text;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim();
            if bare.split(' ').next() == Some(number) {
                let start = at + (line.len() - line.trim_start().len());
                return Some(Span::new(*source, start, start + bare.len()));
            }
            at += line.len();
        }
    }
    None
}
