//! Statements that several variants hang on one step, and watches of several that may wake together: whether it matters
//! which of them run first.

use std::collections::{BTreeMap, BTreeSet};

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::visit::{Visit, walk_choose, walk_expr, walk_statement};
use blazon_syntax::ast::{Block, Choose, Clause, Expr, ExprKind, Statement, StatementKind};

use crate::merge::edits::StepEdit;
use crate::merge::merged::Merged;
use crate::merge::order::{Order, Standing};
use crate::merge::visit::{answers, leaves};
use crate::merge::weave::RESULT;
use crate::project::{Layer, Parsed};

/// Where something hangs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// Around a step, or around one that it does; and whether before.
    Step(String, Option<String>, bool),
    /// Where watches wake.
    Watch,
}

/// What a variant hangs on a step, or does when something comes true.
pub(super) struct Hung {
    place: Spot,
    body: Block,
    layer: Layer,
    span: Span,
}

/// What variants hang on steps of which several hang something, before it is woven in.
pub(super) fn hung(merged: &Merged, parsed: &Parsed) -> Vec<Hung> {
    let mut all = Vec::new();
    for watch in merged.watches.iter() {
        if let Some(layer @ Layer::Variant(_)) = parsed.layer_of(watch.span.source) {
            all.push(Hung { place: Spot::Watch, body: watch.body.clone(), layer, span: watch.span });
        }
    }
    for step in &merged.steps {
        for edit in step.edits.iter().filter(|edit| matches!(edit.layer, Layer::Variant(_))) {
            let (of, before, body) = match &edit.kind {
                StepEdit::Hook { before, body } => (None, *before, body),
                StepEdit::HookOf { step, before, body } => (Some(step.text.clone()), *before, body),
                StepEdit::Body { .. }
                | StepEdit::Law(_)
                | StepEdit::Need(..)
                | StepEdit::Part(..)
                | StepEdit::Cites(..) => continue,
            };
            let place = Spot::Step(step.step.name.text.clone(), of, before);
            all.push(Hung { place, body: body.clone(), layer: edit.layer, span: edit.span });
        }
    }
    all
}

/// Warns of every two that run by the names of their variants although it matters.
pub(super) fn warn(hung: &[Hung], merged: &Merged, order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let mut by_place: BTreeMap<&Spot, Vec<&Hung>> = BTreeMap::new();
    hung.iter().for_each(|one| by_place.entry(&one.place).or_default().push(one));
    by_place.retain(|_, hung| hung.iter().any(|one| one.layer != hung[0].layer));
    if by_place.is_empty() {
        return;
    }
    let names = Names::of(merged);
    for hung in by_place.values() {
        warn_at(hung, &names, order, diagnostics);
    }
}

/// The same of one place.
fn warn_at(hung: &[&Hung], names: &Names<'_>, order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let hung: Vec<(&Hung, Effects)> = hung.iter().map(|one| (*one, names.effects(&one.body))).collect();
    for (place, (a, of_a)) in hung.iter().enumerate() {
        for (b, of_b) in &hung[place + 1..] {
            if order.of(a.layer, b.layer) != Standing::Beside {
                continue;
            }
            let Some(why) = of_a.meeting(of_b) else { continue };
            let (first, second) = if a.layer < b.layer { (a, b) } else { (b, a) };
            let message = match a.place {
                Spot::Step(..) => format!("two variants do something at one place, and {why}"),
                Spot::Watch => format!("watches of two variants may wake together, and {why}"),
            };
            diagnostics.push(
                Diagnostic::warning("amend::order", second.span, message)
                    .label("this runs second, by the name of its variant")
                    .related(first.span, "this runs first")
                    .help("let the manifest of the one that is to run second name the other in `after:`"),
            );
        }
    }
}

/// What running something does, as far as names tell.
#[derive(Clone, Debug, Default)]
struct Effects {
    sets: BTreeSet<String>,
    /// Everything that is named: rules, facts, states.
    reads: BTreeSet<String>,
    asks: bool,
    draws: bool,
    /// Whether it may leave the step: what comes behind it is not done then.
    leaves: bool,
}

impl Effects {
    /// Why the order of two matters.
    fn meeting(&self, other: &Self) -> Option<String> {
        let touched = |a: &Self, b: &Self| {
            a.sets.iter().find(|name| b.sets.contains(*name) || b.reads.contains(*name)).cloned()
        };
        if let Some(state) = touched(self, other).or_else(|| touched(other, self)) {
            return Some(format!("both have to do with `{state}`"));
        }
        if self.draws && other.draws {
            return Some("both roll or draw".to_owned());
        }
        if self.asks && other.asks {
            return Some("both ask somebody".to_owned());
        }
        let leaves = self.leaves || other.leaves;
        leaves.then(|| "after a `return` in the one the other is not done".to_owned())
    }
}

/// What rules and steps name, by their names.
struct Names<'t> {
    own: BTreeMap<&'t str, Effects>,
}

impl<'t> Names<'t> {
    fn of(merged: &'t Merged) -> Self {
        let mut own: BTreeMap<&str, Effects> = BTreeMap::new();
        for rule in merged.rules.iter() {
            let mut look = Look(own.remove(rule.rule.name.text.as_str()).unwrap_or_default());
            rule.rule.base.iter().for_each(|base| look.visit_expr(base));
            rule.rule.clauses.iter().for_each(|clause: &Clause| look.visit_clause(clause));
            own.insert(&rule.rule.name.text, look.0);
        }
        for step in &merged.steps {
            let mut look = Look(own.remove(step.step.name.text.as_str()).unwrap_or_default());
            look.visit_block(&step.step.body);
            own.insert(&step.step.name.text, look.0);
        }
        Self { own }
    }

    /// Of a block, through everything that it names.
    fn effects(&self, block: &Block) -> Effects {
        let mut look = Look(Effects::default());
        look.visit_block(block);
        let mut all = look.0;
        all.leaves = leaves(block);
        if answers(block) {
            // What is hung behind a step answers in its place.
            all.sets.insert(RESULT.to_owned());
        }
        let mut waiting: Vec<String> = all.reads.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            let Some(own) = self.own.get(name.as_str()) else { continue };
            all.sets.extend(own.sets.iter().cloned());
            all.asks |= own.asks;
            all.draws |= own.draws;
            for name in &own.reads {
                if all.reads.insert(name.clone()) {
                    waiting.push(name.clone());
                }
            }
        }
        all
    }
}

struct Look(Effects);

impl<'t> Visit<'t> for Look {
    fn visit_statement(&mut self, statement: &'t Statement) {
        if let StatementKind::Assign {
            target: Expr { kind: ExprKind::Call(call) | ExprKind::Dot(_, call), .. },
            ..
        } = &statement.kind
        {
            self.0.sets.insert(call.name.text.clone());
        }
        walk_statement(self, statement);
    }

    fn visit_choose(&mut self, choose: &'t Choose) {
        self.0.asks = true;
        walk_choose(self, choose);
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        if let ExprKind::Call(call) | ExprKind::Dot(_, call) = &expr.kind {
            self.0.draws |= matches!(call.name.text.as_str(), "roll" | "roll again" | "draw");
            self.0.reads.insert(call.name.text.clone());
        }
        walk_expr(self, expr);
    }
}
