//! The other variants that a manifest names. Without one in its `needs` the variant cannot be played; a name in `after` or
//! `excludes` that no variant has does nothing, so it is told.

use blazon_diagnostics::{Diagnostic, Sources, list, near_miss};

use crate::project::Word;
use crate::project::stacking::Laid;

/// Complains of names that no variant has: neither one that is played nor another of the game. Answers whether all that one
/// needs is there.
pub(crate) fn known(
    variants: &[Laid<'_>],
    others: &[String],
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut all_there = true;
    for (variant, _, manifest) in variants {
        let is_laid = |name: &str| variants.iter().any(|(laid, ..)| laid.name == name);
        let played = variants.iter().map(|(other, ..)| other.name.as_str());
        let mut known: Vec<&str> = played.chain(others.iter().map(String::as_str)).collect();
        known.retain(|name| *name != variant.name);
        known.sort_unstable();
        known.dedup();
        let mut entry = |entry, names: Vec<&String>, is_there: &dyn Fn(&str) -> bool| {
            for name in names.into_iter().filter(|name| !is_there(name)) {
                let word = Word { manifest: Some(*manifest), entry, word: name };
                let said = match name {
                    name if *name == variant.name => itself(&variant.name, word, sources),
                    _ if entry == "needs" => lacking(&variant.name, word, sources, (&known, others)),
                    _ => idle(word, sources, &known),
                };
                all_there &= !said.is_error();
                diagnostics.push(said);
            }
        };
        let is_known = |name: &str| known.contains(&name);
        entry("needs", variant.needs.iter().collect(), &|name| is_laid(name) && name != variant.name);
        entry("after", variant.after.iter().collect(), &is_known);
        entry("excludes", variant.excludes.iter().map(|(name, _)| name).collect(), &is_known);
    }
    all_there
}

fn itself(variant: &str, word: Word<'_>, sources: &Sources) -> Diagnostic {
    let message = format!("`{variant}` names itself in its `{}`", word.entry);
    word.wrong(sources, "files::manifest", message).as_warning().help("take the name out of the list")
}

/// Of a name in `after` or `excludes` that no variant has.
fn idle(word: Word<'_>, sources: &Sources, known: &[&str]) -> Diagnostic {
    let Word { entry, word: name, .. } = word;
    let message = format!("the game has no variant `{name}`");
    let said = word.wrong(sources, "files::manifest", message).as_warning();
    let said = said.label(format!("`{entry}` says nothing then"));
    word.mended(said, sources, near_miss(name, known.iter().copied()), || match known {
        [] => "it has no other variant; is this one missing?".to_owned(),
        known => format!("beside this one it has {}", list(known, "and")),
    })
}

/// Of what a variant is written on, and that is not laid: it is not among the game's own, or several there have its name.
fn lacking(
    variant: &str,
    word: Word<'_>,
    sources: &Sources,
    (known, others): (&[&str], &[String]),
) -> Diagnostic {
    let name = word.word;
    let message = format!("`{variant}` needs `{name}`, and that is not here");
    let said = word.wrong(sources, "amend::needs", message);
    let count = others.iter().filter(|other| *other == name).count();
    if count > 1 {
        let label = format!("{count} variants of the game are called so");
        return said.label(label).help("name the folder of the one that is meant, too: `-V FOLDER`");
    }
    word.mended(said, sources, near_miss(name, known.iter().copied()), || match known {
        [] => "put its folder beside this one, into the folder `variants` of the game, or name it by its path: `-V PATH`"
            .to_owned(),
        known => format!(
            "beside this one the game has {}; one that lies elsewhere is named by its path: `-V PATH`",
            list(known, "and")
        ),
    })
}
