//! The other variants that a manifest names, in `after` and `excludes`: a name that no variant has does nothing, so it is
//! told.

use blazon_diagnostics::{Diagnostic, Sources, Span, list, near_miss};

use crate::project::Folder;
use crate::project::Word;
use crate::project::manifest::VariantManifest;

/// Warns of names that no variant has: neither one that is played nor another of the game.
pub(crate) fn unknown(
    variants: &[(VariantManifest, &Folder, Span)],
    others: &[String],
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (variant, _, manifest) in variants {
        let played = variants.iter().map(|(other, ..)| other.name.as_str());
        let mut known: Vec<&str> = played.chain(others.iter().map(String::as_str)).collect();
        known.retain(|name| *name != variant.name);
        known.sort_unstable();
        known.dedup();
        let entries = [
            ("after", variant.after.iter().collect::<Vec<_>>()),
            ("excludes", variant.excludes.iter().map(|(name, _)| name).collect()),
        ];
        for (entry, names) in entries {
            for name in names.into_iter().filter(|name| !known.contains(&name.as_str())) {
                let word = Word { manifest: Some(*manifest), entry, word: name };
                diagnostics.push(warning(&variant.name, word, sources, &known));
            }
        }
    }
}

fn warning(variant: &str, word: Word<'_>, sources: &Sources, known: &[&str]) -> Diagnostic {
    let Word { entry, word: name, .. } = word;
    let warning = |message| word.wrong(sources, "files::manifest", message).as_warning();
    if name == variant {
        let message = format!("`{variant}` names itself in its `{entry}`");
        return warning(message).help("take the name out of the list");
    }
    let said =
        warning(format!("the game has no variant `{name}`")).label(format!("`{entry}` says nothing then"));
    word.mended(said, sources, near_miss(name, known.iter().copied()), || match known {
        [] => "it has no other variant; is this one missing?".to_owned(),
        known => format!("beside this one it has {}", list(known, "and")),
    })
}
