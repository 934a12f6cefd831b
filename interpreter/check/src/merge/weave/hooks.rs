//! What runs before and after a step, everywhere or where another step does it, and which body runs between.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Expr, Name, Statement, StatementKind, Step};

use super::steps::Body;
use super::{Weaver, conditions};
use crate::merge::edits::{Edit, StepEdit};
use crate::merge::merged::MergedStep;
use crate::merge::pieces::{block, call_of, statement};
use crate::merge::sort::Sort;
use crate::merge::visit::{returns, wrap_calls};
use crate::project::Layer;
use crate::references::DefinitionKind;

/// Statements before or after a step.
pub(super) struct Hook {
    /// Its choices are parts of the step, too.
    pub body: Body,
    under: Option<Expr>,
    before: bool,
    /// The step around which they stand, if it is not the one on which they hang.
    of: Option<Name>,
    span: Span,
}

/// Takes the hooks out of what hangs on a step: layer by layer, each in its written order.
pub(super) fn taken(hung: &mut Vec<Edit<StepEdit>>) -> Vec<Hook> {
    let (mut hooks, mut others) = (Vec::new(), Vec::new());
    for Edit { layer, under, kind, span } in hung.drain(..) {
        match kind {
            StepEdit::Hook { before, body } => {
                hooks.push(Hook { body: Body::of_hook(body, layer), under, before, of: None, span });
            }
            StepEdit::HookOf { step, before, body } => {
                hooks.push(Hook { body: Body::of_hook(body, layer), under, before, of: Some(step), span });
            }
            StepEdit::Body { .. }
            | StepEdit::Law(_)
            | StepEdit::Need(..)
            | StepEdit::Part(..)
            | StepEdit::Cites(..) => others.push(Edit { layer, under, kind, span }),
        }
    }
    *hung = others;
    hooks
}

impl Weaver<'_> {
    /// The step with one body and what stands around it.
    pub(super) fn hooked(
        &mut self,
        printed: Body,
        others: Vec<Body>,
        hooks: Vec<Hook>,
        headings: &BTreeMap<String, Step>,
        made: &mut Vec<MergedStep>,
    ) -> Step {
        let layer = printed.layer;
        let mut around = Around::default();
        let mut inner: Vec<(Name, Around, Layer, Span)> = Vec::new();
        for hook in hooks {
            let (of, before, layer, span) = (hook.of.clone(), hook.before, hook.body.layer, hook.span);
            let statements = hook.statements(&others);
            match of {
                None => around.add(before, statements),
                Some(of) => match inner.iter_mut().find(|(name, ..)| name.text == of.text) {
                    Some((_, around, ..)) => around.add(before, statements),
                    None => {
                        let mut around = Around::default();
                        around.add(before, statements);
                        inner.push((of, around, layer, span));
                    }
                },
            }
        }
        let mut step = chosen(printed, others);
        for (of, within, layer, span) in inner {
            self.wrap(&mut step, &mut around, of, within, (layer, span), headings, made);
        }
        around.close(&mut step, layer, made);
        step
    }

    /// Puts statements around another step where this one does it.
    #[allow(clippy::too_many_arguments, reason = "what the two steps are made of")]
    fn wrap(
        &mut self,
        step: &mut Step,
        around: &mut Around,
        of: Name,
        within: Around,
        (layer, span): (Layer, Span),
        headings: &BTreeMap<String, Step>,
        made: &mut Vec<MergedStep>,
    ) {
        let Some(inner) = headings.get(&of.text) else {
            let known: Vec<String> = headings.keys().cloned().collect();
            self.missing(layer, &Sort::Step, &of, &known);
            return;
        };
        self.merged.uses.note(of.span, DefinitionKind::Step, inner.name.span);
        let mut wrapper = inner.clone();
        wrapper.name.text = format!("{} (in {})", inner.name.text, step.name.text);
        let call = call_of(inner, span);
        wrapper.body = block(within.before.into_iter().chain([call]).chain(within.after).collect());
        let mut count = wrap_calls(&mut step.body, &inner.name.text, &wrapper.name.text);
        for statements in [&mut around.before, &mut around.after] {
            let mut body = block(std::mem::take(statements));
            count += wrap_calls(&mut body, &inner.name.text, &wrapper.name.text);
            *statements = body.statements;
        }
        if count == 0 {
            let message = format!("the step `{}` does not do `{}`", step.name.text, inner.name.text);
            self.diagnostics
                .push(Diagnostic::error("amend::missing", span, message).related(step.name.span, "the step"));
            return;
        }
        made.push(MergedStep { step: wrapper, layer, edits: Vec::new() });
    }
}

impl Hook {
    /// Its statements, only where its condition holds and no body stands that it does not hang on.
    fn statements(self, others: &[Body]) -> Vec<Statement> {
        let free = others.iter().filter(|body| body.is_above_all(self.body.layer));
        let condition = conditions::outside(self.under.as_ref(), free.filter_map(|body| body.under.as_ref()));
        let body = self.body.step.body;
        match condition {
            None => body.statements,
            Some(condition) => {
                let span = body.span;
                vec![statement(StatementKind::If(condition, body, None), span)]
            }
        }
    }
}

/// What stands around a step.
#[derive(Default)]
struct Around {
    before: Vec<Statement>,
    after: Vec<Statement>,
}

impl Around {
    fn add(&mut self, before: bool, statements: Vec<Statement>) {
        if before { &mut self.before } else { &mut self.after }.extend(statements);
    }

    fn close(self, step: &mut Step, layer: Layer, made: &mut Vec<MergedStep>) {
        let span = step.span;
        if !self.after.is_empty() && returns(&step.body) {
            // A `return` must not skip what comes after: the printed body becomes a step of its own.
            let mut inner = step.clone();
            inner.name.text = format!("{} (as printed)", inner.name.text);
            inner.laws.clear();
            step.body = block(vec![call_of(&inner, span)]);
            made.push(MergedStep { step: inner, layer, edits: Vec::new() });
        }
        let body = std::mem::take(&mut step.body.statements);
        step.body.statements = self.before.into_iter().chain(body).chain(self.after).collect();
    }
}

/// The body whose condition holds, else the printed one.
fn chosen(printed: Body, others: Vec<Body>) -> Step {
    let mut step = printed.step;
    for body in others.into_iter().rev() {
        let Some(condition) = body.under else { continue };
        let otherwise = std::mem::take(&mut step.body);
        let at = body.step.span;
        step.body = block(vec![statement(StatementKind::If(condition, body.step.body, Some(otherwise)), at)]);
    }
    step
}
