//! Laws: the needs of a step bind every option that does it.

use blazon_book::build;
use blazon_syntax::ast;

use crate::infer::rules::same;
use crate::resolve::checker::{Checker, Env};

impl Checker<'_> {
    /// The need of every option that does a step, with the step's arguments put in place of its parameters.
    pub(crate) fn inherited_laws(&mut self, env: &mut Env, body: &ast::Block) -> Vec<blazon_book::Need> {
        let mut inherited = Vec::new();
        for statement in &body.statements {
            let ast::StatementKind::Do(expr) = &statement.kind else { continue };
            let (call, args): (&ast::Call, Vec<&ast::Expr>) = match &expr.kind {
                ast::ExprKind::Call(call) => (call, call.args.iter().collect()),
                ast::ExprKind::Dot(target, call) => {
                    (call, std::iter::once(&**target).chain(&call.args).collect())
                }
                ast::ExprKind::Text(_)
                | ast::ExprKind::Number(_)
                | ast::ExprKind::Flag(_)
                | ast::ExprKind::None
                | ast::ExprKind::Thing(_)
                | ast::ExprKind::Not(_)
                | ast::ExprKind::Binary(..)
                | ast::ExprKind::Range(..)
                | ast::ExprKind::Otherwise(..)
                | ast::ExprKind::Query(_)
                | ast::ExprKind::List(_) => continue,
            };
            self.laws_of(env, &call.name.text, &args, &mut inherited, 0);
        }
        inherited
    }

    fn laws_of(
        &mut self,
        env: &mut Env,
        step: &str,
        args: &[&ast::Expr],
        inherited: &mut Vec<blazon_book::Need>,
        depth: usize,
    ) {
        let merged = self.merged;
        let Some(place) = merged.steps.place(step) else { return };
        let declared = &merged.steps[place].step;
        if depth > 16 || declared.params.len() != args.len() {
            return;
        }
        if !declared.laws.is_empty() {
            // The laws are checked as if they stood in the option, its parameters bound to the arguments' text.
            let mut bound = Vec::new();
            for (param, arg) in declared.params.iter().zip(args) {
                bound.push((param.name.text.clone(), (*arg).clone()));
            }
            for law in &declared.laws {
                let law = crate::infer::substitute_names::clause(law, &bound);
                // Its own names are noted where it stands.
                if let Some(need) = self.unnoted(|checker| checker.need(env, &law))
                    && build::constant(&need.condition) != Some(true)
                    && !inherited
                        .iter()
                        .any(|old| old.span == need.span && same(&old.condition, &need.condition))
                {
                    inherited.push(need);
                }
            }
        }
        for statement in &declared.body.statements {
            let ast::StatementKind::Do(expr) = &statement.kind else { continue };
            let (call, inner): (&ast::Call, Vec<&ast::Expr>) = match &expr.kind {
                ast::ExprKind::Call(call) => (call, call.args.iter().collect()),
                ast::ExprKind::Dot(target, call) => {
                    (call, std::iter::once(&**target).chain(&call.args).collect())
                }
                ast::ExprKind::Text(_)
                | ast::ExprKind::Number(_)
                | ast::ExprKind::Flag(_)
                | ast::ExprKind::None
                | ast::ExprKind::Thing(_)
                | ast::ExprKind::Not(_)
                | ast::ExprKind::Binary(..)
                | ast::ExprKind::Range(..)
                | ast::ExprKind::Otherwise(..)
                | ast::ExprKind::Query(_)
                | ast::ExprKind::List(_) => continue,
            };
            // Only parameters passed on unchanged.
            let passed: Option<Vec<&ast::Expr>> = inner
                .iter()
                .map(|arg| match &arg.kind {
                    ast::ExprKind::Call(call) if call.args.is_empty() => declared
                        .params
                        .iter()
                        .position(|param| param.name.text == call.name.text)
                        .map(|place| args[place]),
                    ast::ExprKind::Thing(_) | ast::ExprKind::Number(_) | ast::ExprKind::Flag(_) => Some(*arg),
                    ast::ExprKind::Text(_)
                    | ast::ExprKind::None
                    | ast::ExprKind::Call(_)
                    | ast::ExprKind::Dot(..)
                    | ast::ExprKind::Not(_)
                    | ast::ExprKind::Binary(..)
                    | ast::ExprKind::Range(..)
                    | ast::ExprKind::Otherwise(..)
                    | ast::ExprKind::Query(_)
                    | ast::ExprKind::List(_) => None,
                })
                .collect();
            if let Some(passed) = passed {
                self.laws_of(env, &call.name.text, &passed, inherited, depth + 1);
            }
        }
    }
}
