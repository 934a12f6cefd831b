//! Changes that cannot both have their way: two that put something in one place, one that puts a whole in the place of
//! what another has changed a part of, one that changes what another has taken out. Whoever names the other variant in
//! his `after:` has looked at it, and has the last word.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Expr, Name, PlacingLine, Statement, StatementKind};

use super::{Amender, Place};
use crate::merge::merged::{Removed, rule_key};
use crate::merge::sort::Sort;
use crate::merge::visit::find_option;
use crate::project::Layer;

/// How a clash is ended.
const HELP: &str =
    "keep one of them, or let the manifest of one name the other in `after:`: then it has the last word";

impl Amender<'_> {
    /// Notes that something is put in the place of a node, or that it is taken out. Two variants that do so need an
    /// order, which their manifests give; the same variant changing a node twice without `under` is a slip.
    pub(super) fn note_change(&mut self, node: &str, span: Span) {
        if !self.under.is_empty() {
            return;
        }
        let first = self.merged.changed.insert(node.to_owned(), (self.layer, span));
        if let Some((layer, first)) = first
            && (layer == self.layer || self.is_unordered(layer))
        {
            self.diagnostics.push(
                Diagnostic::error("amend::clash", span, "two changes fight over one place")
                    .label("the second")
                    .related(first, "the first")
                    .help(HELP),
            );
        }
    }

    /// Notes that a part of a node is changed.
    pub(super) fn note_touch(&mut self, node: String, span: Span) {
        if matches!(self.layer, Layer::Variant(_)) {
            self.merged.touched.push((node, self.layer, span));
        }
    }

    /// The same for what is opened.
    pub(super) fn note_opened(&mut self, place: &Place, span: Span) {
        let node = match place {
            Place::Rule(rule) => rule_key(&self.merged.rules[*rule].rule),
            Place::Step(step) | Place::Option(step, _) | Place::When(step, _) => {
                format!("step {}", self.merged.steps[*step].step.name.text)
            }
            Place::Setup(setup) => format!("setup {}", self.merged.setups[*setup].name.text),
            Place::Top | Place::Kind(_) | Place::Table(_) | Place::Links(_) => return,
        };
        self.note_touch(node, span);
    }

    /// Notes that a whole is put in the place of a node, or that it is taken out: what another variant has changed in
    /// it would be lost without a word.
    pub(in crate::merge) fn note_whole(&mut self, node: &str, span: Span) {
        self.note_change(node, span);
        if !self.under.is_empty() {
            return;
        }
        let lost =
            self.merged.touched.iter().find(|(other, layer, _)| other == node && self.is_unordered(*layer));
        if let Some((_, _, lost)) = lost {
            self.diagnostics.push(
                Diagnostic::error("amend::clash", span, "two changes fight over one place")
                    .label("this leaves nothing of the other")
                    .related(*lost, "the other")
                    .help(HELP),
            );
        }
    }

    /// Notes that something is taken out for good, to be shown where somebody still names it.
    pub(in crate::merge) fn note_removed(&mut self, what: Sort, name: &Name) {
        if self.under.is_empty() {
            self.merged.removed.push(Removed {
                what,
                name: name.text.clone(),
                layer: self.layer,
                span: name.span,
            });
        }
    }

    /// Whether an earlier change is another variant's, which this one does not name in its `after:`.
    fn is_unordered(&self, earlier: Layer) -> bool {
        match (earlier, self.layer) {
            (Layer::Variant(first), Layer::Variant(second)) if first != second => {
                let name = self.variants.get(first).map(|variant| &variant.name);
                !self.variants.get(second).is_some_and(|v| v.after.iter().any(|a| Some(a) == name))
            }
            _ => false,
        }
    }

    /// Complains that what is to be changed was taken out before by another change; answers whether it was.
    pub(super) fn was_removed(&mut self, what: &Sort, name: &Name) -> bool {
        let Some(removed) = self.merged.removed.iter().find(|r| r.what == *what && r.name == name.text)
        else {
            return false;
        };
        self.diagnostics.push(
            Diagnostic::error(
                "amend::clash",
                name.span,
                format!("the {what} `{}` is there no more", name.text),
            )
            .label("to be changed here")
            .related(removed.span, "it is taken out here")
            .help(match removed.layer == self.layer {
                true => "do one or the other",
                false => "the two variants cannot be played together as they are; change one of them",
            }),
        );
        true
    }

    /// What a need there is.
    pub(super) fn need_of(&mut self, place: &Place) -> Sort {
        match place {
            Place::Rule(rule) => Sort::NeedOf(self.merged.rules[*rule].rule.name.text.clone()),
            Place::Step(step) => Sort::NeedOf(self.merged.steps[*step].step.name.text.clone()),
            Place::Option(step, name) => match find_option(&mut self.merged.steps[*step].step.body, name) {
                Some(option) => Sort::NeedOf(option.name.text.clone()),
                None => Sort::Need,
            },
            Place::Top
            | Place::Kind(_)
            | Place::When(..)
            | Place::Table(_)
            | Place::Links(_)
            | Place::Setup(_) => Sort::Need,
        }
    }
}

/// What a line of a setup speaks of.
pub(super) fn placed(line: &PlacingLine) -> Vec<String> {
    match line {
        PlacingLine::Placed { things, .. } => things.iter().map(|(thing, _)| thing.text.clone()).collect(),
        PlacingLine::Group { lines, .. } => lines.iter().flat_map(placed).collect(),
        PlacingLine::Others(_) => vec!["others".to_owned()],
        PlacingLine::Assign(Statement { kind: StatementKind::Assign { target, .. }, .. }) => {
            vec![keys_text(std::slice::from_ref(target))]
        }
        PlacingLine::Assign(_) => Vec::new(),
    }
}

/// Simple values as one text, to tell nodes apart.
pub(super) fn keys_text(args: &[Expr]) -> String {
    args.iter().map(ast::print::expr).collect::<Vec<_>>().join(", ")
}
