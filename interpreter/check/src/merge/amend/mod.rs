//! Applies amendments to the merged tree: `in`, `replace`, `remove`, `waive`, `before`, `after`, `under`.
//!
//! Everything happens here, once, on the tree; nothing of it is left at run time but the conditions of `under`,
//! which become conditions of the clauses, options and statements that they govern.

mod adding;
mod citing;
mod conflicts;
mod faces;
mod missing;
mod opening;
mod removing;
mod replacing;
mod replacing_parts;
mod steps;
mod tests;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Amend, AmendKind, Expr, Node, Removable};

use crate::merge::edits::Opened;
use crate::merge::merged::Merged;
use crate::merge::order::Order;
use crate::project::Layer;
use faces::Face;

/// Where an amendment stands.
#[derive(Clone, Debug)]
enum Place {
    Top,
    Kind(usize),
    Rule(usize),
    /// Who sees a kind, or what its back shows.
    Face(Face),
    Step(usize),
    /// A part of a step: the path to an option, a case or a choice.
    Part(usize, Vec<Opened>),
    Table(usize),
    Links(usize),
    Setup(usize),
}

/// Applies one amendment of a layer.
pub(crate) fn apply(
    merged: &mut Merged,
    layer: Layer,
    amend: &Amend,
    order: &Order,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut amender = Amender { merged, layer, order, diagnostics, under: Vec::new(), removes: false };
    amender.change(&Place::Top, amend);
}

/// One amendment being applied.
pub(super) struct Amender<'a> {
    pub(super) merged: &'a mut Merged,
    layer: Layer,
    order: &'a Order,
    diagnostics: &'a mut Vec<Diagnostic>,
    under: Vec<Expr>,
    /// Whether something is being taken out.
    removes: bool,
}

impl Amender<'_> {
    fn change(&mut self, place: &Place, amend: &Amend) {
        match &amend.kind {
            AmendKind::Inside { part, changes } => {
                if changes.is_empty() {
                    self.changes_nothing(place, part, amend);
                }
                if let Some(inner) = self.open(place, part) {
                    self.cite(&inner, &amend.cites);
                    let several = self.lists_of(&inner, part);
                    // A heading of its own that rows below are read by.
                    let mut brought: Option<Span> = None;
                    for change in changes {
                        if let AmendKind::Add(Node::Rows(rows)) = &change.kind
                            && adding::begins_with(rows, &["name"])
                        {
                            brought = rows.first().map(|row| row.span);
                        }
                        let puts_rows = matches!(&change.kind, AmendKind::Replace { new: Node::Rows(_), .. });
                        if let (Place::Table(_), Some(heading), true) = (&inner, brought, puts_rows) {
                            self.row_of_other_heading(heading, change.span);
                            continue;
                        }
                        // What is added is of the list that it is added to; what is there already is meant by its name.
                        let puts = matches!(
                            change.kind,
                            AmendKind::Add(_) | AmendKind::Replace { new: Node::Links(_), .. }
                        );
                        if !several.is_empty() && puts {
                            self.one_of_several(part, &several, change.span);
                        } else if !several.is_empty()
                            && matches!(change.kind, AmendKind::Remove(Removable::Link(_)))
                        {
                            self.change(&Place::Top, change);
                        } else {
                            self.change(&inner, change);
                        }
                    }
                }
            }
            AmendKind::Cite(parts) => self.cite_part(place, parts, &amend.cites),
            AmendKind::Members { name, args, lines } => self.members(name, args, lines, amend.span),
            AmendKind::Under { condition, changes } => {
                self.under.push(condition.clone());
                for change in changes {
                    self.change(place, change);
                }
                self.under.pop();
            }
            AmendKind::Hook { before, step, within, body } => {
                self.hook(*before, step, within.as_ref(), body, amend.span);
            }
            AmendKind::Add(node) => self.add(place, node, amend.span),
            AmendKind::Replace { new, whole } => self.replace(place, new, *whole, amend.span),
            AmendKind::Remove(what) => self.remove(place, what, amend.span),
            AmendKind::Waive(label) => self.waive(place, label),
        }
    }
}
