//! What others find of a step: its heading as each layer knows it, and the variables of its bodies.

use std::collections::{BTreeMap, HashMap};

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::Visit;
use blazon_syntax::ast::{Name, Param};

use super::bodies::Body;
use super::headings::{Renaming, told_apart};
use super::{Headings, Weaver};
use crate::hygiene::{Asked, Binders};
use crate::merge::edits::{Edit, PartEdit, StepEdit};
use crate::merge::merged::{Gone, MergedStep};
use crate::merge::order::{Order, Standing};
use crate::project::Layer;

impl Weaver<'_> {
    /// Notes which names in what hangs in the step may mean variables of bodies and options that others have put something in
    /// the place of.
    pub(super) fn old_variables(
        &mut self,
        declared: &[(Layer, Binds)],
        printed: &Body,
        others: &[Body],
        hung: &[Edit<StepEdit>],
    ) {
        let puts =
            hung.iter().filter(|edit| matches!(edit.kind, StepEdit::Part(_, PartEdit::PutOption { .. })));
        let bodies = std::iter::once(printed).chain(others).map(|body| (body.layer, body.step.span));
        let put_by: BTreeMap<Layer, Span> = puts.map(|edit| (edit.layer, edit.span)).chain(bodies).collect();
        for edit in hung {
            let is_known =
                |by: Layer| matches!(self.order.of(edit.layer, by), Standing::Same | Standing::Above);
            let Some((_, &put)) = put_by.iter().find(|(by, _)| !is_known(**by)) else { continue };
            let known = declared.iter().filter(|(by, _)| is_known(*by));
            let bound: Binds = known.flat_map(|(_, binds)| binds.clone()).collect();
            // What is put has its own body in sight; what runs around it knows no variable of it.
            let hangs_within = matches!(
                edit.kind,
                StepEdit::Need(..) | StepEdit::Part(_, PartEdit::AddOption(_) | PartEdit::AddWhen(_))
            );
            let asked = Asked::in_edit(edit).0.into_iter().filter(|_| hangs_within);
            let gone = asked.filter_map(|(name, at)| Some((at, Gone { variable: *bound.get(&name)?, put })));
            self.merged.gone.extend(gone);
        }
    }
}

/// The variables that are bound in a body, its own parameters left out, and where.
type Binds = HashMap<String, Span>;

/// What is bound in each body of a step that is declared or put, and in each option that is put.
pub(super) fn bodies_of(merged: &MergedStep) -> Vec<(Layer, Binds)> {
    let mut all = vec![(Layer::Library, Binds::new())];
    bind_into(&mut all[0].1).visit_block(&merged.step.body);
    for edit in &merged.edits {
        let mut binds = Binds::new();
        match &edit.kind {
            StepEdit::Body { step, .. } => bind_into(&mut binds).visit_block(&step.body),
            StepEdit::Part(_, PartEdit::PutOption { option, .. }) => {
                bind_into(&mut binds).visit_option(option)
            }
            StepEdit::Part(..)
            | StepEdit::Law(_)
            | StepEdit::Need(..)
            | StepEdit::Hook { .. }
            | StepEdit::HookOf { .. }
            | StepEdit::Cites(..) => continue,
        }
        all.push((edit.layer, binds));
    }
    all
}

/// Notes what is bound where it looks.
fn bind_into(binds: &mut Binds) -> Binders<impl FnMut(&Name)> {
    Binders(|name: &Name| {
        binds.insert(name.text.clone(), name.span);
    })
}

/// The heading of a step as each layer finds it.
pub(super) struct Headed {
    pub name: Name,
    headings: Headings,
    /// What its parameters are called in the end.
    pub printed: Vec<Param>,
}

impl Headed {
    /// Of a step before it is woven.
    pub fn of(merged: &MergedStep, order: &Order) -> Self {
        let (mut printed, mut highest) = (&*merged.step, None);
        let mut headings = Headings(BTreeMap::from([(Layer::Library, printed.params.clone())]));
        let bodies = merged.edits.iter().filter_map(|edit| match &edit.kind {
            StepEdit::Body { step, .. } => Some((edit, step)),
            StepEdit::Law(_)
            | StepEdit::Need(..)
            | StepEdit::Part(..)
            | StepEdit::Hook { .. }
            | StepEdit::HookOf { .. }
            | StepEdit::Cites(..) => None,
        });
        for (edit, step) in bodies.clone().filter(|(edit, _)| edit.under.is_none()) {
            headings.0.insert(edit.layer, step.params.clone());
            if highest.is_none_or(|highest| edit.layer >= highest) {
                (printed, highest) = (step, Some(edit.layer));
            }
        }
        let others = bodies.filter(|(edit, _)| edit.under.is_some());
        let others = others.map(|(_, step)| (step.params.as_slice(), Asked::in_body(&step.body, &step.laws)));
        let hung =
            merged.edits.iter().map(|edit| (headings.found_by(edit.layer, order), Asked::in_edit(edit)));
        let apart = told_apart(&printed.params, others.chain(hung));
        let name = Name { text: merged.step.name.text.clone(), span: printed.name.span };
        Self { name, headings, printed: apart }
    }

    /// What renames what a layer has written of the step.
    pub fn renaming<'p>(
        &self,
        layer: Layer,
        order: &Order,
        parameters: &'p mut HashMap<Span, String>,
    ) -> Option<Renaming<'p>> {
        Renaming::new(self.headings.found_by(layer, order), &self.printed, parameters)
    }
}
