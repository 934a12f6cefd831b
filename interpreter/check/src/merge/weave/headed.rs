//! What others find of a step: its heading as each layer knows it, and the variables of its bodies.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::Visit;
use blazon_syntax::ast::{Name, Param};

use super::bodies::Body;
use super::headings::{Renaming, told_apart};
use super::sight::{Binds, Names};
use super::{Headings, Weaver};
use crate::hygiene::{named_in, named_in_edit};
use crate::merge::edits::{ClauseEdit, Edit, PartEdit, StepEdit};
use crate::merge::merged::MergedStep;
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
        let bodies = std::iter::once(printed).chain(others).map(|body| body.layer);
        let put_by: BTreeSet<Layer> = puts.map(|edit| edit.layer).chain(bodies).collect();
        for edit in hung {
            let is_known =
                |by: Layer| matches!(self.order.of(edit.layer, by), Standing::Same | Standing::Above);
            if put_by.iter().all(|by| is_known(*by)) {
                continue;
            }
            let known = declared.iter().filter(|(by, _)| is_known(*by));
            let bound = known.flat_map(|(_, binds)| binds.0.clone()).collect();
            let mut names = Names { bound: &bound, found: &mut self.variables };
            match &edit.kind {
                StepEdit::Need(_, ClauseEdit::Add(clause) | ClauseEdit::Put(clause)) => {
                    names.visit_clause(clause)
                }
                StepEdit::Part(_, PartEdit::AddOption(option)) => names.visit_option(option),
                StepEdit::Part(_, PartEdit::AddWhen(when)) => names.visit_block(&when.body),
                // What is put has its own body in sight; what runs around it knows no variable of it.
                StepEdit::Part(..)
                | StepEdit::Need(..)
                | StepEdit::Body { .. }
                | StepEdit::Law(_)
                | StepEdit::Hook { .. }
                | StepEdit::HookOf { .. }
                | StepEdit::Cites(..) => continue,
            }
            edit.under.iter().for_each(|under| names.visit_expr(under));
        }
    }
}

/// What is bound in each body of a step that is declared or put, and in each option that is put.
pub(super) fn bodies_of(merged: &MergedStep) -> Vec<(Layer, Binds)> {
    let mut all = vec![(Layer::Library, Binds::default())];
    all[0].1.visit_block(&merged.step.body);
    for edit in &merged.edits {
        let mut binds = Binds::default();
        match &edit.kind {
            StepEdit::Body { step, .. } => binds.visit_block(&step.body),
            StepEdit::Part(_, PartEdit::PutOption { option, .. }) => binds.visit_option(option),
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
        let others = others.map(|(_, step)| (step.params.as_slice(), named_in(&step.body, &step.laws)));
        let hung = merged.edits.iter().map(|edit| {
            (headings.found_by(edit.layer, order), named_in_edit(&edit.kind, edit.under.as_ref()))
        });
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
