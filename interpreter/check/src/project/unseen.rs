//! Signs that nobody sees: in names and texts they would steer the terminal of whoever plays, or show him other words
//! than those that are meant.

use blazon_diagnostics::{Diagnostic, Fix, SourceId, Sources, Span, steers};

use crate::project::manifest::Manifest;

/// How many are told of one file.
const TOLD: usize = 20;

/// Complains of such signs in every file.
pub(super) fn in_files(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    for (id, source) in sources.iter() {
        diagnostics.extend(signs(&source.text).take(TOLD).map(|(at, c)| message(id, at, c)));
    }
}

/// Complains of such signs in the texts of a manifest, where they can be written as `\u{…}`. Those that stand there
/// themselves are told of where they stand, as in every file.
pub(super) fn in_manifest(text: &str, manifest: &Manifest, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    if signs(text).next().is_some() {
        return;
    }
    let unseen = |text: &&str| text.chars().any(|c| steers(c) || c == '\n');
    if let Some(text) = manifest.texts().into_iter().find(unseen) {
        let message = format!("the manifest has signs that nobody sees, in {text:?}");
        diagnostics.push(
            Diagnostic::error("files::manifest", span, message)
                .help("write it without `\\u`, `\\x`, `\\r` and `\\n`"),
        );
    }
}

/// Where they stand. The end of a line may have two signs.
fn signs(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let ends_line = |at: usize| text.as_bytes().get(at + 1) == Some(&b'\n');
    // Nearly all bytes are letters that everybody sees: only the others are looked at as characters.
    let is_plain = |byte: u8| byte == b'\n' || (b' '..=b'~').contains(&byte);
    let others = text.bytes().enumerate().filter(move |&(_, byte)| !is_plain(byte));
    let chars = others.filter_map(|(at, _)| Some((at, text.get(at..)?.chars().next()?)));
    chars.filter(move |&(at, c)| steers(c) && !(c == '\r' && ends_line(at)))
}

fn message(source: SourceId, at: usize, c: char) -> Diagnostic {
    let span = Span::new(source, at, at + c.len_utf8());
    let message = format!("an invisible character, U+{:04X}, stands in the rules", c as u32);
    Diagnostic::error("syntax::expected", span, message)
        .label("here")
        .help("delete it; a rules file holds plain text")
        .fix(Fix::replace("delete it", span, ""))
}
