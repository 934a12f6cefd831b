//! What runs before and after a step, everywhere or where another step does it, and which body runs between.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Block, Expr, ExprKind, Name, Statement, StatementKind, Step};

use super::bodies::Body;
use super::{Weaver, conditions};
use crate::hygiene::own_variables;
use crate::merge::edits::{Edit, StepEdit};
use crate::merge::merged::MergedStep;
use crate::merge::order::Order;
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
    for Edit { layer, under, names, kind, span } in hung.drain(..) {
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
            | StepEdit::Cites(..) => others.push(Edit { layer, under, names, kind, span }),
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
            let statements = hook.statements(&others, self.order);
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
        if inner.ty.is_some() {
            // The step answers through the laws of none: those bind whoever does the step itself.
            wrapper.body = within.amended(inner, &wrapper.name.text, layer, made);
        } else {
            let call = call_of(inner, span);
            let after = within.after.into_iter().flatten();
            wrapper.body = block(within.before.into_iter().chain([call]).chain(after).collect());
        }
        let mut count = wrap_calls(&mut step.body, &inner.name.text, &wrapper.name.text);
        for statements in std::iter::once(&mut around.before).chain(&mut around.after) {
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
        made.push(MergedStep { step: wrapper.into(), layer, is_amended: true, edits: Vec::new() });
    }
}

impl Hook {
    /// Its statements, only where its condition holds and no body stands that it does not hang on.
    fn statements(self, others: &[Body], order: &Order) -> Vec<Statement> {
        let free = others.iter().filter(|body| body.is_above_all(self.body.layer, order));
        let condition = conditions::outside(self.under.as_ref(), free.filter_map(|body| body.under.as_ref()));
        let mut body = self.body.step.body;
        // What it names is known to nothing that stands before or behind it.
        own_variables(&mut body.statements, self.span);
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
    /// What each change hangs behind it.
    after: Vec<Vec<Statement>>,
}

/// The name of what a step has returned, in what is hung behind it.
pub(crate) const RESULT: &str = "result";

impl Around {
    fn add(&mut self, before: bool, statements: Vec<Statement>) {
        match before {
            true => self.before.extend(statements),
            false => self.after.push(statements),
        }
    }

    /// A body that lets a step answer and then what is hung behind it, each in a step of its own: it knows what those
    /// before it have answered as `result`, and may answer something else.
    fn amended(self, step: &Step, name: &str, layer: Layer, made: &mut Vec<MergedStep>) -> Block {
        let mut answers = step.clone();
        let mut before = self.before;
        let count = self.after.len();
        for (place, statements) in self.after.into_iter().enumerate() {
            let mut next = step.clone();
            next.laws.clear();
            next.name.text = format!("{name} (after {})", place + 1);
            let is_last = place + 1 == count;
            let before = if is_last { std::mem::take(&mut before) } else { Vec::new() };
            next.body = block(before.into_iter().chain(answering(&answers, statements)).collect());
            if is_last {
                return next.body;
            }
            made.push(MergedStep { step: next.clone().into(), layer, is_amended: true, edits: Vec::new() });
            answers = next;
        }
        block(before.into_iter().chain([call_of(&answers, step.span)]).collect())
    }

    fn close(self, step: &mut Step, layer: Layer, made: &mut Vec<MergedStep>) {
        let span = step.span;
        if !self.after.is_empty() && returns(&step.body) {
            // A `return` must not skip what comes after: the printed body becomes a step of its own.
            let mut inner = step.clone();
            inner.name.text = format!("{} (as printed)", inner.name.text);
            inner.laws.clear();
            made.push(MergedStep { step: inner.clone().into(), layer, is_amended: true, edits: Vec::new() });
            if step.ty.is_some() {
                let name = step.name.text.clone();
                step.body = self.amended(&inner, &name, layer, made);
                return;
            }
            step.body = block(vec![call_of(&inner, span)]);
        }
        let mut body = std::mem::take(&mut step.body.statements);
        if !self.after.is_empty() {
            own_variables(&mut body, span);
        }
        let after = self.after.into_iter().flatten();
        step.body.statements = self.before.into_iter().chain(body).chain(after).collect();
    }
}

/// Lets a step answer, then does what is hung behind it; where that answers nothing else, the answer stands.
fn answering(step: &Step, after: Vec<Statement>) -> Vec<Statement> {
    let span = after.first().map_or(step.span, |first| first.span);
    // A parameter of that name outranks it.
    let is_taken = step.params.iter().any(|param| param.name.text == RESULT);
    let text = if is_taken { format!("{RESULT} (of {})", step.name.text) } else { RESULT.to_owned() };
    let result = Name { text, span: Span { end: span.start, ..span } };
    let StatementKind::Return(Some(call)) = call_of(step, span).kind else { return after };
    let answers = matches!(after.last().map(|last| &last.kind), Some(StatementKind::Return(_)));
    let known = Expr { kind: ExprKind::Call(ast::Call { name: result.clone(), args: Vec::new() }), span };
    let stands = (!answers).then(|| statement(StatementKind::Return(Some(known)), span));
    let taken = statement(StatementKind::Let(result, call), span);
    std::iter::once(taken).chain(after).chain(stands).collect()
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
