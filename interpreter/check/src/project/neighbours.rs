//! The other variants that a manifest names, in `after` and `excludes`: a name that no variant has does nothing, so it is
//! told.

use blazon_diagnostics::{Diagnostic, Fix, Span, list, near_miss};

use crate::project::Folder;
use crate::project::manifest::VariantManifest;

/// Warns of names that no variant has: neither one that is played nor another of the game.
pub(crate) fn unknown(
    variants: &[(VariantManifest, &Folder, Span)],
    others: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (variant, folder, span) in variants {
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
                let at = folder.manifest.as_ref().and_then(|page| named(&page.text, entry, name, *span));
                diagnostics.push(warning(&variant.name, entry, name, (at, *span), &known));
            }
        }
    }
}

fn warning(
    variant: &str,
    entry: &str,
    name: &str,
    (at, manifest): (Option<Span>, Span),
    known: &[&str],
) -> Diagnostic {
    let place = at.unwrap_or(manifest);
    if name == variant {
        let message = format!("`{variant}` names itself in its `{entry}`");
        return Diagnostic::warning("files::manifest", place, message).help("take the name out of the list");
    }
    let message = format!("the game has no variant `{name}`");
    let warning =
        Diagnostic::warning("files::manifest", place, message).label(format!("`{entry}` says nothing then"));
    match near_miss(name, known.iter().copied()) {
        Some(near) => {
            let fix = at.map(|at| Fix::replace(format!("write `{near}`"), at, format!("\"{near}\"")));
            warning.help(blazon_diagnostics::did_you_mean(near)).with_fixes(fix)
        }
        None if known.is_empty() => warning.help("it has no other variant; is this one missing?"),
        None => warning.help(format!("beside this one it has {}", list(known, "and"))),
    }
}

/// Where a list of a manifest names something.
pub(super) fn named(manifest: &str, entry: &str, name: &str, of: Span) -> Option<Span> {
    let list = manifest.find(&format!("{entry}:"))?;
    let quoted = format!("\"{name}\"");
    let at = list + manifest[list..].find(&quoted)?;
    Some(Span::new(of.source, at, at + quoted.len()))
}
