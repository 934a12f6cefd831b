//! Library, game and variants become one tree: laid together, then changed as the amendments say. Nothing has a type yet.

mod amend;
mod commute;
pub(crate) mod edits;
pub(crate) mod faces;
pub(crate) mod ledger;
pub(crate) mod merged;
mod named_list;
pub(crate) mod order;
mod pieces;
pub mod print;
pub mod printed_before;
mod sort;
pub(crate) mod visit;
mod weave;
mod wholes;

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{AmendKind, Declaration, ItemKind};

use crate::project::{Layer, Parsed};
use crate::references::Uses;
use order::{Order, Standing};

pub(crate) use merged::Merged;
pub(crate) use pieces::{need_that, not};
pub(crate) use sort::Sort;

/// The one tree of a project.
pub(crate) fn merge(parsed: &Parsed, uses: Uses, diagnostics: &mut Vec<Diagnostic>) -> Merged {
    let (mut merged, mut amends) = Merged::collect(parsed, uses, diagnostics);
    // What is changed in a declaration is changed in the one that stands there in the end, wherever that is written.
    amends.sort_by_key(|(layer, amend)| {
        let class = match &amend.kind {
            AmendKind::Replace { .. } => 0,
            AmendKind::Remove(_) => 2,
            AmendKind::Inside { .. }
            | AmendKind::Add(_)
            | AmendKind::Cite(_)
            | AmendKind::Members { .. }
            | AmendKind::Hook { .. }
            | AmendKind::Under { .. }
            | AmendKind::Waive(_) => 1,
        };
        (*layer, class)
    });
    let order = Order::new(&parsed.variants);
    for (layer, amend) in &amends {
        amend::apply(&mut merged, *layer, amend, &order, diagnostics);
    }
    merged.order_watches();
    ledger::clashes(&merged.ledger, &order, diagnostics);
    let hung = commute::hung(&merged, parsed);
    weave::weave(&mut merged, &order, diagnostics);
    commute::warn(&hung, &merged, &order, diagnostics);
    misplaced(&merged, diagnostics);
    rulings(parsed, &order, diagnostics);
    settled_by_neighbours(parsed, &order, diagnostics);
    merged
}

/// `beside` says where a change puts something; where nothing is put it would say nothing.
fn misplaced(merged: &Merged, diagnostics: &mut Vec<Diagnostic>) {
    let steps = merged.steps.iter().map(|step| &step.step.body);
    for body in steps.chain(merged.watches.iter().map(|watch| &watch.body)) {
        visit::read_besides(body, &mut |beside| {
            diagnostics.push(
                Diagnostic::error("amend::missing", beside.span, "`beside` belongs to a change of a step")
                    .label("this stands here already")
                    .help("leave `beside` out; to add to a choice that stands elsewhere, open its step: `in step … { option … beside … }`"),
            );
        });
    }
}

/// Complains of rulings that a variant settles and that another, of which it does not know, asks.
fn settled_by_neighbours(parsed: &Parsed, order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let mut asked: BTreeMap<&str, (Layer, Span)> = BTreeMap::new();
    for (layer, file) in parsed.files.iter().filter(|(layer, _)| matches!(layer, Layer::Variant(_))) {
        for item in &file.items {
            if let ItemKind::Declaration(Declaration::Ruling(ruling)) = &item.kind {
                asked.entry(&ruling.name.text).or_insert((*layer, ruling.name.span));
            }
        }
    }
    for (place, variant) in parsed.variants.iter().enumerate() {
        let own = Layer::Variant(place);
        for (name, _) in &variant.rulings {
            let Some((layer, at)) = asked.get(name.as_str()) else { continue };
            if order.of(own, *layer) == Standing::Beside {
                let word = parsed.word(own, "rulings", name);
                let message = format!("the ruling `{name}` is declared by a variant beside this one");
                let said = word.wrong(&parsed.sources, "amend::clash", message).label("settled here");
                diagnostics.push(said.related(*at, "declared here").help(ledger::NEIGHBOUR));
            }
        }
    }
}

/// Two variants that want different things of one ruling.
fn rulings(parsed: &Parsed, order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let spans = parsed.manifests.iter().skip(1).copied();
    let variants: Vec<_> = parsed.variants.iter().zip(spans).enumerate().collect();
    for (place, (second, (b, at))) in variants.iter().enumerate() {
        for (first, (a, before)) in &variants[..place] {
            if order.of(Layer::Variant(*first), Layer::Variant(*second)) != Standing::Beside {
                continue;
            }
            for (name, value) in &b.rulings {
                if a.rulings.iter().any(|(other, wanted)| other == name && wanted != value) {
                    let message = format!("two variants are played under different readings of `{name}`");
                    let settled = |place: usize| parsed.word(Layer::Variant(place), "rulings", name);
                    let before = settled(*first).place(&parsed.sources).unwrap_or(*before);
                    diagnostics.push(
                        Diagnostic::error("amend::clash", settled(*second).place(&parsed.sources).unwrap_or(*at), message)
                            .label(format!("`{value}` is wanted here"))
                            .related(before, "something else here")
                            .help("leave one of the variants out, or let the manifest of one name the other in `after:`"),
                    );
                }
            }
        }
    }
}
