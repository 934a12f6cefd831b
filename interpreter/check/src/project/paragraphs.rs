//! The files that list the paragraphs of a rulebook, and the statements that tests may cite: an id a line, and what it is
//! called.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, SourceId, Sources, Span};

/// A line of such a file.
pub(super) struct Listed<'s> {
    /// What a citation names.
    pub id: &'s str,
    /// What stands behind it.
    pub title: &'s str,
}

/// Reads a file line by line; empty lines, and those that begin with `--`, are left out. An id that stands there twice is told:
/// of two titles only one would be shown.
pub(super) fn read<'s>(
    file: SourceId,
    sources: &'s Sources,
    what: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Listed<'s>> {
    let text = &sources.get(file).text;
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut listed = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        let at = start + whole.len() - whole.trim_start().len();
        start += whole.len();
        if line.is_empty() || line.starts_with("--") {
            continue;
        }
        let (id, title) = line.split_once(' ').unwrap_or((line, ""));
        let span = Span::new(file, at, at + id.len());
        match known.get(id) {
            Some(&first) => diagnostics.push(
                Diagnostic::warning("cites::twice", span, format!("the {what} `{id}` stands here twice"))
                    .related(first, "first here")
                    .help("take one of the lines out, or correct its number"),
            ),
            None => {
                known.insert(id, span);
            }
        }
        listed.push(Listed { id, title: title.trim() });
    }
    listed
}
