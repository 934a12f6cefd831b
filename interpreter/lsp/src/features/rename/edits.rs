//! The edits of a new name, by file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use blazon_check::DefinitionKind;
use blazon_diagnostics::{SourceId, Sources};
use blazon_syntax::ast::print;
use blazon_syntax::plain_name;
use lsp_types::{Range, TextEdit, Uri};

use super::drawn::Drawn;
use crate::occurrences::InStack;
use crate::places::Encoding;
use crate::uris;
use crate::workspace::{Belongs, Read, Workspace};

/// A stretch of a file's bytes, and what is written there.
pub type Edit = (u32, u32, String);

/// The edits, by file.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    files: BTreeMap<PathBuf, (Lines, BTreeSet<Edit>)>,
}

/// The text of a file, to say where its bytes stand.
#[derive(Clone, Debug)]
struct Lines {
    sources: Sources,
    encoding: Encoding,
}

impl Edits {
    /// The edits of all places of a name in pages, tables and manifests.
    ///
    /// # Errors
    /// In words, if a place is written in a way that cannot be renamed.
    pub fn of(found: &[InStack], kind: DefinitionKind, old: &str, new: &str) -> Result<Self, String> {
        let mut edits = Self::default();
        for InStack { book, spans, .. } in found {
            let read = &book.read;
            for span in spans {
                let Some(path) = read.path(span.source) else { continue };
                let written = read.text(*span);
                let found = within(written, kind, old, new);
                let is_found = !found.is_empty();
                for (start, end, text) in found {
                    edits.add(path, read, span.source, (span.start + start, span.start + end, text));
                }
                if is_found {
                    continue;
                }
                if plain_name(written) != "neighbours" && kind != DefinitionKind::Kind {
                    return Err(format!("`{written}` in {} cannot be renamed by itself", read.place(*span)));
                }
            }
            for (source, edit) in manifests(read, kind, old, new) {
                if let Some(path) = read.path(source) {
                    edits.add(path, read, source, edit);
                }
            }
        }
        Ok(edits)
    }

    /// Adds an edit of a page.
    pub fn add(&mut self, path: &Path, read: &Read, source: SourceId, edit: Edit) {
        let text = read.source(source).map(|source| source.text.clone()).unwrap_or_default();
        self.insert(path, &text, read.encoding, edit);
    }

    fn insert(&mut self, path: &Path, text: &str, encoding: Encoding, edit: Edit) {
        let made = || {
            let mut sources = Sources::default();
            sources.add("", text);
            (Lines { sources, encoding }, BTreeSet::new())
        };
        self.files.entry(path.to_owned()).or_insert_with(made).1.insert(edit);
    }

    /// Adds the labels of drawn maps.
    pub fn maps(
        &mut self,
        workspace: &Workspace,
        belongs: &Belongs,
        drawn: &Drawn,
        (old, new): (&str, &str),
    ) {
        let Some(game) = workspace.game(belongs) else { return };
        let all: Vec<usize> = (0..game.texts.rules.variants.len()).collect();
        let project = game.texts.project(&all, workspace.documents());
        let folders = std::iter::once(&project.game).chain(&project.variants);
        for map in folders.filter_map(|folder| folder.map.as_ref()) {
            let path = game.texts.ground.root.join(&map.name);
            for edit in drawn.edits(&map.text, old, new) {
                self.insert(&path, &map.text, workspace.encoding, edit);
            }
        }
    }

    /// A text with the edits of its file made.
    pub fn apply(&self, path: &Path, text: &str) -> Option<String> {
        let (_, edits) = self.files.get(path)?;
        let mut changed = text.to_owned();
        for (start, end, new) in edits.iter().rev() {
            let range = *start as usize..*end as usize;
            if changed.get(range.clone()).is_some() {
                changed.replace_range(range, new);
            }
        }
        Some(changed)
    }

    /// The edits as an editor wants them.
    pub fn by_uri(&self) -> HashMap<Uri, Vec<TextEdit>> {
        let mut found = HashMap::new();
        for (path, (text, edits)) in &self.files {
            let Some(uri) = uris::uri_of(path) else { continue };
            let source = text.sources.get(SourceId(0));
            let edit = |(start, end, new): &Edit| {
                let [start, end] = [*start, *end].map(|offset| text.encoding.position(source, offset));
                TextEdit { range: Range { start, end }, new_text: new.clone() }
            };
            found.insert(uri, edits.iter().map(edit).collect());
        }
        found
    }
}

/// The edits in a stretch that is a name, or a cell of a table that lists it: `Mill, Ford`, `river Ouse`.
fn within(written: &str, kind: DefinitionKind, old: &str, new: &str) -> Vec<Edit> {
    if let Some(text) = renamed(written, kind, old, new) {
        return vec![(0, written.len() as u32, text)];
    }
    // `steps 4` in a row by name.
    let is_column = matches!(kind, DefinitionKind::Fact | DefinitionKind::State);
    let mut found = Vec::new();
    let mut at = 0;
    for part in written.split(',') {
        let start = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        let part = part.trim();
        let behind = part.strip_suffix(old).filter(|before| before.ends_with(' ')).map_or(0, str::len);
        if let Some(text) = renamed(&part[behind..], kind, old, new) {
            found.push(((start + behind) as u32, (start + part.len()) as u32, text));
        } else if is_column && part.strip_prefix(old).is_some_and(|value| value.starts_with(' ')) {
            found.push((start as u32, (start + old.len()) as u32, new.to_owned()));
        }
    }
    found
}

/// What is written in the place of a name; none if it is written in another way than the name.
fn renamed(written: &str, kind: DefinitionKind, old: &str, new: &str) -> Option<String> {
    let plain = plain_name(written);
    let is_thing = matches!(kind, DefinitionKind::Thing | DefinitionKind::RulingValue);
    if plain == old {
        let needs_quotes = is_thing && print::thing(new).starts_with('\'');
        let was_quoted = written.starts_with('\'');
        return Some(if was_quoted || needs_quotes {
            format!("'{}'", new.trim_matches('\''))
        } else {
            new.to_owned()
        });
    }
    if kind == DefinitionKind::Kind && plain == format!("{old}s") {
        return Some(format!("{new}s"));
    }
    None
}

/// The values of a manifest that are names of this sort.
fn manifests(read: &Read, kind: DefinitionKind, old: &str, new: &str) -> Vec<(SourceId, Edit)> {
    let keys: &[&str] = match kind {
        DefinitionKind::Kind => &["player"],
        DefinitionKind::Thing => &["players", "unseats"],
        DefinitionKind::Step => &["begins"],
        DefinitionKind::Setup => &["setup"],
        DefinitionKind::Ruling | DefinitionKind::RulingValue => &["rulings"],
        DefinitionKind::Plural
        | DefinitionKind::Fact
        | DefinitionKind::State
        | DefinitionKind::Rule
        | DefinitionKind::Option
        | DefinitionKind::Variable
        | DefinitionKind::Clause
        | DefinitionKind::Case
        | DefinitionKind::Watch
        | DefinitionKind::Invariant
        | DefinitionKind::Look
        | DefinitionKind::Scene
        | DefinitionKind::Links
        | DefinitionKind::Table
        | DefinitionKind::Grid => return Vec::new(),
    };
    let mut found = Vec::new();
    for manifest in &read.parsed.manifests {
        let text = read.source(manifest.source).map(|source| source.text.clone()).unwrap_or_default();
        for (key, start, end) in values(&text) {
            if keys.contains(&key) && text.get(start..end) == Some(old) {
                found.push((manifest.source, (start as u32, end as u32, new.to_owned())));
            }
        }
    }
    found
}

/// The texts of a manifest: the key that each stands behind, and its bytes between the quotes.
fn values(text: &str) -> Vec<(&str, usize, usize)> {
    let mut found = Vec::new();
    let (mut key, mut at) = ("", 0);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if c == '"' {
            let end = at + 1 + rest[1..].find('"').unwrap_or(rest.len() - 1);
            found.push((key, at + 1, end));
            at = end + 1;
        } else if c.is_alphabetic() {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            if rest[length..].trim_start().starts_with(':') {
                key = &rest[..length];
            }
            at += length;
        } else {
            at += c.len_utf8();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_manifests_have_keys() {
        let text =
            "Game(\n  name: \"A\", // \"no\"\n  players: [\"Red\", \"Blue\"],\n  setup: Some(\"Dawn\"))";
        let found: Vec<(&str, &str)> =
            values(text).into_iter().map(|(key, a, b)| (key, &text[a..b])).collect();
        assert_eq!(found, [("name", "A"), ("players", "Red"), ("players", "Blue"), ("setup", "Dawn")]);
    }

    #[test]
    fn names_keep_their_form() {
        use DefinitionKind::{Kind, Rule, Thing};
        assert_eq!(renamed("may  march", Rule, "may march", "can march").as_deref(), Some("can march"));
        assert_eq!(renamed("areas", Kind, "area", "place").as_deref(), Some("places"));
        assert_eq!(renamed("'1710'", Thing, "1710", "1711").as_deref(), Some("'1711'"));
        assert_eq!(renamed("Mill", Thing, "Mill", "1711").as_deref(), Some("'1711'"));
        assert_eq!(renamed("neighbours", Kind, "road", "way"), None);
        let cell = |written| within(written, Thing, "Mill", "Weir");
        assert_eq!(cell("Ford,  Mill, Mill Hill"), [(7, 11, "Weir".to_owned())]);
        assert_eq!(cell("river Mill"), [(6, 10, "Weir".to_owned())]);
        let column = |written| within(written, DefinitionKind::Fact, "drawn at", "point");
        assert_eq!(column("drawn at 5, 10"), [(0, 8, "point".to_owned())]);
    }
}
