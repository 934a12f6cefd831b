//! In which order the variants of a stack lie on each other, and which of them bear each other.

use std::collections::{BTreeMap, HashSet};

use blazon_diagnostics::{Diagnostic, Sources, Span, few};

use crate::project::manifest::VariantManifest;
use crate::project::{Folder, Word};

/// A variant that is laid: what its manifest says, its folder, and where the manifest stands.
pub(super) type Laid<'f> = (VariantManifest, &'f Folder, Span);

/// So many of a circle of variants are shown.
const SHOWN: usize = 6;

/// Complains of variants that cannot be played together.
pub(super) fn exclusions(variants: &[Laid<'_>], sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    for (variant, _, span) in variants {
        for (name, reason) in &variant.excludes {
            if let Some((other, _, second)) = variants.iter().find(|(other, ..)| other.name == *name) {
                let message = format!("`{}` cannot be played with `{}`", variant.name, other.name);
                let word = Word { manifest: Some(*span), entry: "excludes", word: name };
                diagnostics.push(
                    word.wrong(sources, "amend::excludes", message)
                        .label(reason.clone())
                        .related(*second, "the other")
                        .help("leave one of them out"),
                );
            }
        }
    }
}

/// Puts each variant behind those that its `needs` and `after` name, otherwise by name: a stack is a set, so the order asked
/// for says nothing. Those that wait for each other are left out, and all that wait for them.
pub(super) fn ordered<'f>(mut waiting: Vec<Laid<'f>>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Laid<'f>> {
    let mut ordered: Vec<Laid<'f>> = Vec::new();
    while !waiting.is_empty() {
        let waits: HashSet<&str> = waiting.iter().map(|(variant, ..)| variant.name.as_str()).collect();
        let is_free = |variant: &VariantManifest| {
            !variant.beneath().any(|name| *name != variant.name && waits.contains(name.as_str()))
        };
        let free = (0..waiting.len())
            .filter(|&place| is_free(&waiting[place].0))
            .min_by(|&a, &b| waiting[a].0.name.cmp(&waiting[b].0.name));
        let Some(place) = free else {
            diagnostics.push(circle(&waiting));
            break;
        };
        let (variant, folder, span) = waiting.remove(place);
        if let Some((.., first)) = ordered.iter().find(|(other, ..)| other.name == variant.name) {
            let message = format!("the variant `{}` is named twice", variant.name);
            let diagnostic = Diagnostic::error("amend::exists", span, message)
                .related(*first, "the first of this name")
                .help("name it once; if these are two variants, give one of them another name");
            diagnostics.push(diagnostic);
        } else {
            ordered.push((variant, folder, span));
        }
    }
    ordered
}

/// Shows variants that wait for each other, of many that wait.
fn circle(waiting: &[Laid<'_>]) -> Diagnostic {
    let by_name: BTreeMap<&str, &Laid<'_>> =
        waiting.iter().map(|laid| (laid.0.name.as_str(), laid)).collect();
    let next = |variant: &VariantManifest| {
        let mut others = variant.beneath().filter(|name| **name != variant.name);
        others.find_map(|name| by_name.get(name.as_str()).copied())
    };
    // From one that waits to one that it waits for: as none is free, that comes round.
    let (mut way, mut met): (Vec<&Laid<'_>>, HashSet<&str>) = (Vec::new(), HashSet::new());
    let mut at = by_name.values().next().copied();
    while let Some(laid) = at.filter(|laid| met.insert(&laid.0.name)) {
        way.push(laid);
        at = next(&laid.0);
    }
    let entry = way.iter().position(|laid| at.is_some_and(|at| at.0.name == laid.0.name)).unwrap_or_default();
    let mut round = way.split_off(entry);
    let first = (0..round.len()).min_by_key(|&place| &round[place].0.name).unwrap_or_default();
    round.rotate_left(first);
    let names = few(SHOWN, round.iter().map(|(variant, ..)| &variant.name), "and");
    let message = format!("{names} each want to come after another of them");
    let span = round.first().map(|(.., span)| *span).unwrap_or_default();
    let mut said = Diagnostic::error("amend::cycle", span, message)
        .help("take a name out of one of their lists `needs` and `after`");
    for (variant, _, span) in round.iter().take(SHOWN).skip(1) {
        let beneath: Vec<&str> = variant.beneath().map(String::as_str).collect();
        said = said.related(*span, format!("`{}` comes after {}", variant.name, beneath.join(", ")));
    }
    said
}
