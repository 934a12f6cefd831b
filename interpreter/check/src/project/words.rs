//! The words of a manifest that can be read and mean nothing: each is told at its place, and mended there.

use blazon_diagnostics::{Diagnostic, Fix, Sources, Span, did_you_mean};

use crate::project::{Layer, Parsed};

/// A word that stands in quotes behind an entry of a manifest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'w> {
    /// Where the manifest stands; none if no manifest says it.
    pub manifest: Option<Span>,
    /// The entry.
    pub entry: &'static str,
    /// What it says.
    pub word: &'w str,
}

impl Word<'_> {
    /// Where it stands. A word that is written in another way than it reads is not found.
    pub fn place(&self, sources: &Sources) -> Option<Span> {
        let Span { source, .. } = self.manifest?;
        let text = &sources.find(source)?.text;
        let list = text.find(&format!("{}:", self.entry))?;
        let quoted = format!("\"{}\"", self.word);
        let at = list + text[list..].find(&quoted)?;
        Some(Span::new(source, at, at + quoted.len()))
    }

    /// Says what is wrong with it: there, or else of the manifest.
    pub fn wrong(&self, sources: &Sources, code: &'static str, message: impl Into<String>) -> Diagnostic {
        match self.place(sources).or(self.manifest) {
            Some(at) => Diagnostic::error(code, at, message),
            None => Diagnostic::global(code, message),
        }
    }

    /// Says which word was probably meant, and offers to write it; or else what helps.
    pub fn mended(
        &self,
        said: Diagnostic,
        sources: &Sources,
        near: Option<&str>,
        otherwise: impl FnOnce() -> String,
    ) -> Diagnostic {
        let Some(near) = near else { return said.help(otherwise()) };
        let fix = |at| Fix::replace(format!("write `{near}`"), at, format!("\"{near}\""));
        said.help(did_you_mean(near)).with_fixes(self.place(sources).map(fix))
    }
}

impl Parsed {
    /// A word that the manifest of the game or of a variant says.
    pub(crate) fn word<'w>(&self, layer: Layer, entry: &'static str, word: &'w str) -> Word<'w> {
        let manifest = Some(self.manifest(layer)).filter(|span| *span != Span::default());
        Word { manifest, entry, word }
    }
}
