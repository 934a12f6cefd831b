//! `before …`, `after …`, and the conditions of `under`.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Block, ChoiceOption, Clause, Expr, Name, StatementKind};

use super::Amender;
use super::pieces::{block, call_of, conjunction, need_that, restrict, statement};
use crate::merge::merged::MergedStep;
use crate::merge::visit::wrap_calls;

impl Amender<'_> {
    pub(super) fn hook(
        &mut self,
        before: bool,
        step: &Name,
        within: Option<&Name>,
        body: &Block,
        span: Span,
    ) {
        let Some(found) = self.find_step(step) else { return };
        let changed = within.unwrap_or(step).text.clone();
        self.note_touch(format!("step {changed}"), span);
        let body = self.guarded(body.clone());
        match within {
            None => {
                let target = &mut self.merged.steps[found].step;
                if before {
                    target.body.statements.splice(0..0, body.statements);
                } else if crate::merge::visit::returns(&target.body) {
                    // A `return` must not skip what comes after: the printed body becomes a step of its own.
                    let mut inner = target.clone();
                    inner.name.text = format!("{} (as printed)", inner.name.text);
                    inner.laws.clear();
                    let call = call_of(&inner, span);
                    target.body = block(std::iter::once(call).chain(body.statements).collect());
                    self.merged.steps.push(MergedStep { step: inner, layer: self.layer });
                } else {
                    target.body.statements.extend(body.statements);
                }
            }
            Some(outer) => {
                let Some(outer) = self.find_step(outer) else { return };
                let mut wrapper = self.merged.steps[found].step.clone();
                let printed = wrapper.name.clone();
                let called = call_of(&wrapper, span);
                wrapper.name.text =
                    format!("{} (in {})", printed.text, self.merged.steps[outer].step.name.text);
                while self.merged.steps.iter().any(|s| s.step.name.text == wrapper.name.text) {
                    wrapper.name.text.push('\'');
                }
                wrapper.laws.clear();
                wrapper.body = block(if before {
                    body.statements.into_iter().chain(std::iter::once(called)).collect()
                } else {
                    std::iter::once(called).chain(body.statements).collect()
                });
                let count =
                    wrap_calls(&mut self.merged.steps[outer].step.body, &printed.text, &wrapper.name.text);
                if count == 0 {
                    let name = self.merged.steps[outer].step.name.clone();
                    self.diagnostics.push(
                        Diagnostic::error(
                            "amend::missing",
                            span,
                            format!("the step `{}` does not do `{}`", name.text, printed.text),
                        )
                        .related(name.span, "the step"),
                    );
                    return;
                }
                self.merged.steps.push(MergedStep { step: wrapper, layer: self.layer });
            }
        }
    }

    pub(super) fn condition(&self) -> Option<Expr> {
        (!self.under.is_empty()).then(|| conjunction(&self.under))
    }

    pub(super) fn conditioned(&self, mut clause: Clause) -> Clause {
        if let Some(condition) = self.condition() {
            restrict(&mut clause, &condition);
        }
        clause
    }

    pub(super) fn conditioned_option(&self, mut option: ChoiceOption) -> ChoiceOption {
        if let Some(condition) = self.condition() {
            option.needs.insert(0, need_that(condition, option.span));
        }
        option
    }

    pub(super) fn guarded(&self, body: Block) -> Block {
        match self.condition() {
            None => body,
            Some(condition) => {
                let span = body.span;
                block(vec![statement(StatementKind::If(condition, body, None), span)])
            }
        }
    }
}
