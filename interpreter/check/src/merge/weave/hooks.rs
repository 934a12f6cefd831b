//! What runs before and after a step, everywhere or where another step does it, and which body runs between.

use std::collections::BTreeMap;

use blazon_book::meant::RESULT;
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Block, Expr, ExprKind, Name, Statement, StatementKind, Step};

use super::bodies::Body;
use super::headed::Headed;
use super::{Weaver, conditions};
use crate::hygiene::own_variables;
use crate::merge::edits::{Edit, Opened, StepEdit};
use crate::merge::merged::{ColumnDecl, MergedStep};
use crate::merge::order::{Order, Standing};
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
    pub span: Span,
}

/// The hooks that a layer knows of and in which there is what it opens.
pub(super) fn that_have<'h>(
    hooks: &'h mut [Hook],
    path: &[Opened],
    layer: Layer,
    order: &Order,
) -> Vec<&'h mut Hook> {
    let is_known = |by: Layer| matches!(order.of(layer, by), Standing::Same | Standing::Above);
    let known = hooks.iter_mut().filter(|hook| is_known(hook.body.layer));
    known.filter(|hook| super::slots::has(&hook.body.step.body, path)).collect()
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

/// What is made while steps are woven.
pub(super) struct Made {
    /// The headings of all steps, if something stands around one of them where another does it.
    pub headed: BTreeMap<String, Headed>,
    pub steps: Vec<MergedStep>,
    pub wraps: Vec<Wrap>,
}

/// What stands around a step where another one does it: made when both are woven.
pub(super) struct Wrap {
    /// The step, and the name under which it is done there.
    of: Name,
    name: String,
    around: Around,
    layer: Layer,
}

impl Weaver<'_> {
    /// The step with one body and what stands around it.
    pub(super) fn hooked(
        &mut self,
        printed: Body,
        others: Vec<Body>,
        hooks: Vec<Hook>,
        made: &mut Made,
    ) -> Step {
        let layer = printed.layer;
        let mut around = Around::default();
        let mut inner: Vec<(Name, Around, Layer, Span)> = Vec::new();
        for mut hook in hooks {
            let (of, before, layer, span) = (hook.of.clone(), hook.before, hook.body.layer, hook.span);
            if let Some(headed) = of.as_ref().and_then(|of| made.headed.get(&of.text))
                && let Some(mut renaming) = headed.renaming(layer, self.order, &mut self.parameters)
            {
                renaming.hook(hook.under.as_mut(), &mut hook.body.step.body);
                self.diagnostics.extend(renaming.told(&headed.name, "step"));
            }
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
            self.wrap(&mut step, &mut around, of, within, (layer, span), made);
        }
        around.close(&mut step, layer, &mut made.steps);
        step
    }

    /// Lets a step do another under a name of its own, with statements around it.
    fn wrap(
        &mut self,
        step: &mut Step,
        around: &mut Around,
        of: Name,
        within: Around,
        (layer, span): (Layer, Span),
        made: &mut Made,
    ) {
        let Some(inner) = made.headed.get(&of.text) else {
            let known: Vec<String> = made.headed.keys().cloned().collect();
            self.missing((layer, false), &Sort::Step, &of, &known);
            return;
        };
        self.merged.uses.note(of.span, DefinitionKind::Step, inner.name.span);
        let name = format!("{} (in {})", inner.name.text, step.name.text);
        let mut count = wrap_calls(&mut step.body, &inner.name.text, &name);
        for statements in std::iter::once(&mut around.before).chain(&mut around.after) {
            let mut body = block(std::mem::take(statements));
            count += wrap_calls(&mut body, &inner.name.text, &name);
            *statements = body.statements;
        }
        if count == 0 {
            let message = format!("the step `{}` does not do `{}`", step.name.text, inner.name.text);
            self.diagnostics
                .push(Diagnostic::error("amend::missing", span, message).related(step.name.span, "the step"));
            return;
        }
        made.wraps.push(Wrap { of, name, around: within, layer });
    }

    /// Makes the steps around which something stands only where another one does them. They are the step in everything: its
    /// laws bind them, what is fresh each time that it is done is fresh in them, and watches look when they have ended.
    pub(super) fn wrapped(&mut self, wraps: Vec<Wrap>) {
        let mut split: BTreeMap<String, Step> = BTreeMap::new();
        let mut made = Vec::new();
        for Wrap { of, name, around, layer } in wraps {
            let Some(place) = self.merged.steps.place(&of.text) else { continue };
            let whole = &mut self.merged.steps[place];
            let everywhere = split.entry(of.text.clone()).or_insert_with(|| {
                let everywhere = part_of(&whole.step, "everywhere");
                let mut step = Step::clone(&whole.step);
                (step.body, step.before) = (block(vec![call_of(&everywhere, step.span)]), 0);
                (whole.step, whole.is_amended) = (step.into(), true);
                made.push(MergedStep::made(everywhere.clone(), whole.layer, true));
                everywhere
            });
            let mut step = Step::clone(&whole.step);
            step.name.text = name;
            step.before = around.before.len();
            step.body = match step.ty {
                Some(_) => around.amended(everywhere, &step.name.text, layer, &mut made),
                None => {
                    let after = around.after.into_iter().flatten();
                    let call = call_of(everywhere, step.span);
                    block(around.before.into_iter().chain([call]).chain(after).collect())
                }
            };
            for column in self.merged.columns.iter_mut() {
                if let ColumnDecl::State(state) = &mut column.decl
                    && state.fresh.iter().any(|fresh| fresh.text == of.text)
                {
                    state.fresh.push(Name { text: step.name.text.clone(), span: of.span });
                }
            }
            made.push(MergedStep::made(step, layer, false));
        }
        made.into_iter().for_each(|step| self.merged.steps.push(step));
    }
}

/// A step as a part of itself, without its laws.
fn part_of(step: &Step, what: &str) -> Step {
    let mut part = step.clone();
    part.name.text = format!("{} ({what})", part.name.text);
    part.laws.clear();
    part
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
            next.before = before.len();
            next.body = block(before.into_iter().chain(answering(&answers, statements)).collect());
            if is_last {
                return next.body;
            }
            made.push(MergedStep::made(next.clone(), layer, true));
            answers = next;
        }
        block(before.into_iter().chain([call_of(&answers, step.span)]).collect())
    }

    fn close(self, step: &mut Step, layer: Layer, made: &mut Vec<MergedStep>) {
        let span = step.span;
        if !self.after.is_empty() && returns(&step.body) {
            // A `return` must not skip what comes after: the printed body becomes a step of its own.
            let inner = part_of(step, "as printed");
            made.push(MergedStep::made(inner.clone(), layer, true));
            if step.ty.is_some() {
                let name = step.name.text.clone();
                step.before = self.before.len();
                step.body = self.amended(&inner, &name, layer, made);
                return;
            }
            step.body = block(vec![call_of(&inner, span)]);
        }
        step.before = self.before.len();
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
