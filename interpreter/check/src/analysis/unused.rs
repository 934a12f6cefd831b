//! Names that nothing uses.

use std::collections::BTreeSet;

use blazon_book::walk::{Named, Visit};
use blazon_book::{ColumnId, ExprKind, LocalId, Rule, RuleBody, RuleId, Step, StepId, title_of};
use blazon_diagnostics::Diagnostic;
use blazon_syntax::ast;
use blazon_syntax::ast::visit::Visit as _;

use crate::infer::options::can::call_of;
use crate::infer::slips::idle;
use crate::merge::merged::{ColumnDecl, column_key, rule_key, step_key};
use crate::project::{Layer, Parsed};
use crate::resolve::checker::{Checker, Function};

impl Checker<'_> {
    /// Rules, steps, states, rulings and variables that nothing names, and states that are none of those that the rules
    /// `set`. The library may offer more than a game uses.
    pub(crate) fn unused(&mut self, set: &BTreeSet<ColumnId>) {
        let merged = self.merged;
        let mut found = Vec::new();
        let parsed = self.parsed;
        let judged = |layer| parsed.is_judged(layer);
        // What the game itself does and sets, if variants are laid on it.
        let own = (!self.parsed.variants.is_empty()).then(|| Own::of(self.parsed));
        let lost = |layer: Layer, is_own: &dyn Fn(&Own<'_>) -> bool| {
            layer == Layer::Game && own.as_ref().is_some_and(is_own)
        };
        let mut left = Vec::new();
        // What stands in the place of something of the game is used as that is.
        let put = merged.put();
        for (place, rule) in merged.rules.iter().enumerate() {
            let id = Function::Rule(RuleId(place as u32));
            if judged(rule.layer)
                && rule.promised.is_none()
                && !self.used.contains(id)
                && !self.is_asked_by_the_machine(place)
                && !put.contains(rule_key(&rule.rule).as_str())
            {
                found.push(("rule", rule.rule.name.clone()));
            }
        }
        // What is hung on a step where another does it makes another one of it, which has its name.
        let is_used = |place: usize| self.used.contains(Function::Step(StepId(place as u32)));
        let done = (0..merged.steps.len()).filter(|&place| is_used(place));
        let done: BTreeSet<&str> = done.map(|place| title_of(&merged.steps[place].step.name.text)).collect();
        for step in merged.steps.iter() {
            let is_done = done.contains(title_of(&step.step.name.text));
            if judged(step.layer)
                && !is_done
                && step.step.name.text != self.parsed.game.begins
                && !put.contains(step_key(&step.step.name.text).as_str())
            {
                found.push(("step", step.step.name.clone()));
            } else if !is_done && lost(step.layer, &|own| own.done.contains(&*step.step.name.text)) {
                left.push(("names::unused", "does the step", &step.step.name, ""));
            }
        }
        for (place, column) in merged.columns.iter().enumerate() {
            let id = ColumnId(place as u32);
            let ColumnDecl::State(state) = &column.decl else { continue };
            if !set.contains(&id)
                && self.used.contains(Function::Column(id))
                && lost(column.layer, &|own| own.set.contains(&*state.name.text))
            {
                left.push(("lint::never-set", "sets the state", &state.name, ": it stays as it starts"));
            }
            if !judged(column.layer) || put.contains(column_key(column).as_str()) {
                continue;
            }
            match (set.contains(&id), self.used.contains(Function::Column(id))) {
                (false, false) => found.push(("state", state.name.clone())),
                (true, false) => self.only_set(&state.name),
                (false, true) => self.never_set(&state.name),
                (true, true) => {}
            }
        }
        for (place, ruling) in merged.rulings.iter().enumerate() {
            let is_judged = self.parsed.layer_of(ruling.span.source).is_some_and(judged);
            if is_judged && !self.used.contains(Function::Ruling(place)) {
                found.push(("ruling", ruling.name.clone()));
            }
        }
        for (what, name) in found {
            self.diagnostics.push(idle(name.span, format!("nothing uses the {what} `{}`", name.text)));
        }
        for (code, what, name, so) in left {
            let message =
                format!("with what is laid on the game nothing {what} `{}` any more{so}", name.text);
            let word = what.rsplit(' ').next().unwrap_or_default();
            let help = format!(
                "what a variant puts in the place of something leaves out all of that; take this out, too, with `remove {word} {}`, if that is meant",
                name.text
            );
            self.diagnostics.push(Diagnostic::warning(code, name.span, message).help(help));
        }
        for (span, name) in std::mem::take(&mut self.lets) {
            if !self.named.contains_key(&span) && self.parsed.layer_of(span.source).is_some_and(judged) {
                self.if_right.push(idle(span, format!("nothing uses `{name}`")));
            }
        }
    }

    /// Parameters that the body of their rule or step does not name. What others change, or stands in the place of something,
    /// has the parameters that it needs there; a rule that is one number, and a step that does nothing, are there to be changed.
    pub(crate) fn unused_parameters(&mut self, rules: &[Rule], steps: &[Step]) {
        let merged = self.merged;
        let (parsed, put) = (self.parsed, merged.put());
        let judged = |layer| parsed.is_judged(layer);
        let mut found = Vec::new();
        for (own, rule) in merged.rules.iter().zip(rules) {
            let is_open = match &rule.body {
                RuleBody::Value { base, exceptions, modifiers } => {
                    matches!(base.kind, ExprKind::Word(_)) && exceptions.is_empty() && modifiers.is_empty()
                }
                RuleBody::Permission(needs) => needs.is_empty(),
                RuleBody::Table(_) => true,
            };
            let key = rule_key(&own.rule);
            if judged(own.layer)
                && !own.is_amended
                && own.promised.is_none()
                && !is_open
                && !put.contains(key.as_str())
            {
                let mut named = Named::default();
                named.visit_rule(rule);
                found.extend(missing(&named, &own.rule.params).map(|name| (&own.rule.name, name)));
            }
        }
        for (own, step) in merged.steps.iter().zip(steps) {
            let key = step_key(&own.step.name.text);
            if judged(own.layer) && !own.is_amended && !step.body.is_empty() && !put.contains(key.as_str()) {
                let mut named = Named::default();
                named.visit_block(&step.body);
                found.extend(missing(&named, &own.step.params).map(|name| (&own.step.name, name)));
            }
        }
        // What only an option is asked for by, `can take(n) in turn(s)`, may be left out of the book where that has no need of it.
        found.retain(|(_, name)| !self.named.contains_key(&name.span));
        for (of, name) in found {
            let message = format!("`{}` does not ask for its `{}`", of.text, name.text);
            self.if_right.push(idle(name.span, message));
        }
    }
}

/// What the steps and watches of a game do and set by themselves, whatever is laid on it.
#[derive(Default)]
struct Own<'p> {
    done: BTreeSet<&'p str>,
    set: BTreeSet<&'p str>,
}

impl<'p> Own<'p> {
    fn of(parsed: &'p Parsed) -> Self {
        let mut own = Self::default();
        let pages = parsed.files.iter().filter(|(layer, _)| *layer == Layer::Game);
        let pages = pages.filter(|(_, file)| !parsed.tests.contains(&file.source));
        for item in pages.flat_map(|(_, file)| &file.items) {
            match &item.kind {
                ast::ItemKind::Declaration(ast::Declaration::Step(step)) => own.visit_block(&step.body),
                ast::ItemKind::Declaration(ast::Declaration::Watch(watch)) => own.visit_block(&watch.body),
                ast::ItemKind::Declaration(_)
                | ast::ItemKind::Amend(_)
                | ast::ItemKind::Test(_)
                | ast::ItemKind::Scene(_) => {}
            }
        }
        own
    }
}

impl<'p> ast::visit::Visit<'p> for Own<'p> {
    fn visit_statement(&mut self, statement: &'p ast::Statement) {
        if let ast::StatementKind::Assign { target, .. } = &statement.kind {
            self.set.extend(called(target));
        }
        ast::visit::walk_statement(self, statement);
    }

    fn visit_expr(&mut self, expr: &'p ast::Expr) {
        self.done.extend(called(expr));
        ast::visit::walk_expr(self, expr);
    }
}

/// The name that an expression asks for.
fn called(expr: &ast::Expr) -> Option<&str> {
    let (_, call) = call_of(expr)?;
    Some(&call.name.text)
}

/// The parameters that a body does not name.
fn missing<'p>(named: &Named, params: &'p [ast::Param]) -> impl Iterator<Item = &'p ast::Name> {
    let missing: Vec<usize> =
        (0..params.len()).filter(|place| !named.0.contains(&LocalId(*place as u32))).collect();
    missing.into_iter().map(|place| &params[place].name)
}
