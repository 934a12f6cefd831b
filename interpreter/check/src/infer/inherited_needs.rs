//! Laws: the needs of a step bind every option that does it.

use blazon_book::build;
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::rules::same;
use crate::project::{Layer, Parsed};
use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

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
                | ast::ExprKind::Rounded(..)
                | ast::ExprKind::Range(..)
                | ast::ExprKind::Otherwise(..)
                | ast::ExprKind::Query(_)
                | ast::ExprKind::List(_) => continue,
            };
            self.laws_of(env, &call.name.text, &args, &mut inherited, 0);
        }
        inherited
    }

    /// Warns of laws that bind nothing, since no option does their step. The library may offer more than a game uses, and
    /// what stood below a variant is not its fault. Beside an error it might be the error's consequence, and is not said.
    pub(crate) fn laws_for_nothing(&mut self) {
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let merged = self.merged;
        let top = self.parsed.files.iter().map(|(layer, _)| *layer).max();
        for (place, step) in merged.steps.iter().enumerate() {
            if self.laws_met.contains(&place) {
                continue;
            }
            let judged = |layer: Layer| {
                layer != Layer::Library
                    && matches!(layer, Layer::Variant(_)) == matches!(top, Some(Layer::Variant(_)))
            };
            let laws = step.step.laws.iter().filter(|law| self.layer_of(law.span).is_some_and(judged));
            for law in laws.collect::<Vec<_>>() {
                if let Some(option) = behind_option(self.parsed, law.span) {
                    let name = &option.name.text;
                    self.diagnostics.push(
                        Diagnostic::error("rules::dead", law.span, "this need belongs to no option")
                            .label(format!("behind the block of `{name}` it is a law of the step around"))
                            .related(option.name.span, "the option")
                            .help(format!(
                                "the needs of an option stand before its block: write this line between the heading of `{name}` and its `{{`"
                            )),
                    );
                    continue;
                }
                self.diagnostics.push(
                    Diagnostic::warning("rules::dead", law.span, "this law binds nothing")
                        .label(format!("no option does `{}`", step.step.name.text))
                        .help("a law binds the options that do its step, not inside `if` or a loop; to leave the step, write `before … { if … { return } }`"),
                );
            }
        }
    }

    /// The layer of a page.
    pub(crate) fn layer_of(&self, span: Span) -> Option<Layer> {
        let mut files = self.parsed.files.iter();
        files.find(|(_, file)| file.source == span.source).map(|(layer, _)| *layer)
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
            self.laws_met.insert(place);
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
                | ast::ExprKind::Rounded(..)
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
                    | ast::ExprKind::Rounded(..)
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

/// The option that a law stands behind, in one opened step: there its writer may have meant a need of the option.
fn behind_option(parsed: &Parsed, law: Span) -> Option<&ast::ChoiceOption> {
    fn within(changes: &[ast::Amend], law: Span) -> Option<&ast::ChoiceOption> {
        let mut option = None;
        for change in changes {
            match &change.kind {
                ast::AmendKind::Add(ast::Node::Option(added)) => option = Some(added),
                ast::AmendKind::Add(ast::Node::Clause(clause)) if clause.span == law => return option,
                ast::AmendKind::Add(ast::Node::Clause(_)) => {}
                ast::AmendKind::Inside { changes, .. } | ast::AmendKind::Under { changes, .. } => {
                    if let Some(found) = within(changes, law) {
                        return Some(found);
                    }
                    option = None;
                }
                ast::AmendKind::Add(_)
                | ast::AmendKind::Cite(_)
                | ast::AmendKind::Members { .. }
                | ast::AmendKind::Hook { .. }
                | ast::AmendKind::Replace { .. }
                | ast::AmendKind::Remove(_)
                | ast::AmendKind::Waive(_) => option = None,
            }
        }
        None
    }
    let (_, file) = parsed.files.iter().find(|(_, file)| file.source == law.source)?;
    file.items.iter().find_map(|item| match &item.kind {
        ast::ItemKind::Amend(amend) => within(std::slice::from_ref(amend), law),
        ast::ItemKind::Declaration(_) | ast::ItemKind::Test(_) | ast::ItemKind::Scene(_) => None,
    })
}
