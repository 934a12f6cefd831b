//! Statements that several variants hang on one step, and watches of several that may wake together: whether it matters
//! which of them run first. Names tell what each has to do with, also through what it does without naming it: who is asked
//! is what `chooser` says, who is told what `seen by` says, what is fresh each step is set by the step, and what is set
//! wakes watches.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::meant::{CHOOSER, RESULT};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::visit::{Visit, walk_choose, walk_expr, walk_statement};
use blazon_syntax::ast::{
    Block, Choose, Clause, Expr, ExprKind, Piece, PlacingLine, Statement, StatementKind,
};

use crate::merge::edits::StepEdit;
use crate::merge::merged::{ColumnDecl, Merged};
use crate::merge::order::{Order, Standing};
use crate::merge::visit::{answers, leaves};
use crate::project::{Layer, Parsed};

/// Where something hangs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// Around a step, or around one that it does; and whether before.
    Step(String, Option<String>, bool),
    /// Where watches wake.
    Watch,
    /// The lines that set states in the setup of that name.
    Setup(String),
}

/// What a variant hangs on a step, or does when something comes true.
pub(super) struct Hung {
    place: Spot,
    /// What a watch wakes at, or the condition that the other stands under.
    when: Option<Expr>,
    body: Block,
    layer: Layer,
    span: Span,
}

/// What variants hang on steps of which several hang something, before it is woven in.
pub(super) fn hung(merged: &Merged, parsed: &Parsed) -> Vec<Hung> {
    let mut all = Vec::new();
    for watch in merged.watches.iter() {
        if let Some(layer @ Layer::Variant(_)) = parsed.layer_of(watch.span.source) {
            let (when, body) = (Some(watch.condition.clone()), watch.body.clone());
            all.push(Hung { place: Spot::Watch, when, body, layer, span: watch.span });
        }
    }
    for setup in merged.setups.iter() {
        let place = Spot::Setup(setup.name.text.clone());
        each_setting(&setup.placing.lines, &mut |line| {
            if let Some(layer @ Layer::Variant(_)) = parsed.layer_of(line.span.source) {
                let body = Block { statements: vec![line.clone()], span: line.span };
                all.push(Hung { place: place.clone(), when: None, body, layer, span: line.span });
            }
        });
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
            let (when, body) = (edit.under.clone(), body.clone());
            all.push(Hung { place, when, body, layer: edit.layer, span: edit.span });
        }
    }
    all
}

/// Calls `found` with every line of a setup that sets a state.
fn each_setting(lines: &[PlacingLine], found: &mut dyn FnMut(&Statement)) {
    for line in lines {
        match line {
            PlacingLine::Assign(statement) => found(statement),
            PlacingLine::Group { lines, .. } => each_setting(lines, found),
            PlacingLine::Placed { .. } | PlacingLine::Others { .. } => {}
        }
    }
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
    let doing = |one: &Hung| match one.place {
        Spot::Setup(_) => names.doing_of_setting(&one.body),
        Spot::Step(..) | Spot::Watch => names.doing(one),
    };
    let hung: Vec<(&Hung, Doing)> = hung.iter().map(|one| (*one, doing(one))).collect();
    // One is told of each, however many there are: one word in a manifest mends them all.
    let mut told: BTreeSet<Span> = BTreeSet::new();
    for (place, (a, of_a)) in hung.iter().enumerate() {
        for (b, of_b) in &hung[place + 1..] {
            let (first, second) = if a.layer < b.layer { (a, b) } else { (b, a) };
            if order.of(a.layer, b.layer) != Standing::Beside || told.contains(&second.span) {
                continue;
            }
            let why = match a.place {
                Spot::Setup(_) => of_a.own.read(&of_b.own).or_else(|| of_b.own.read(&of_a.own)),
                Spot::Step(..) | Spot::Watch => of_a.meeting(of_b),
            };
            let Some(why) = why else { continue };
            told.insert(second.span);
            let message = match a.place {
                Spot::Step(..) => format!("two variants do something at one place, and {why}"),
                Spot::Watch => format!("watches of two variants may wake together, and {why}"),
                Spot::Setup(_) => format!("two variants set states in one setup, and {why}"),
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
    /// Whether it says something of which somebody may not know all.
    tells: bool,
    /// Whether somebody may win by it.
    wins: bool,
    /// Whether it may leave the step: what comes behind it is not done then.
    leaves: bool,
}

impl Effects {
    /// What the one reads that the other sets.
    fn read(&self, other: &Self) -> Option<String> {
        let state = other.sets.iter().find(|name| self.reads.contains(*name))?;
        Some(format!("one reads `{state}`, which the other sets"))
    }

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
        if self.wins && other.wins {
            return Some("in both somebody may win, who then does first".to_owned());
        }
        let leaves = self.leaves || other.leaves;
        leaves.then(|| "after a `return` in the one the other is not done".to_owned())
    }

    fn add(&mut self, more: &Self) {
        self.sets.extend(more.sets.iter().cloned());
        self.reads.extend(more.reads.iter().cloned());
        self.asks |= more.asks;
        self.draws |= more.draws;
        self.tells |= more.tells;
        self.wins |= more.wins;
    }
}

/// What something does, and what the watches do that it may wake.
struct Doing {
    own: Effects,
    woken: BTreeMap<usize, Effects>,
}

impl Doing {
    /// Why the order of two matters. One watch that both may wake is no reason: it looks when both are done, too.
    fn meeting(&self, other: &Self) -> Option<String> {
        let woken = |own: &Effects, woken: &BTreeMap<usize, Effects>| {
            woken.values().find_map(|effects| own.meeting(effects))
        };
        let both = || {
            let pairs = self.woken.iter().flat_map(|one| other.woken.iter().map(move |two| (one, two)));
            pairs.filter(|(one, two)| one.0 != two.0).find_map(|(one, two)| one.1.meeting(two.1))
        };
        self.own
            .meeting(&other.own)
            .or_else(|| woken(&self.own, &other.woken))
            .or_else(|| woken(&other.own, &self.woken))
            .or_else(both)
    }
}

/// What rules, steps and watches name, by their names.
struct Names<'t> {
    own: BTreeMap<&'t str, Effects>,
    /// What the condition of each watch names, and what its block does.
    watches: Vec<(BTreeSet<String>, Effects)>,
    /// The rules that say who sees something.
    seers: Vec<&'t str>,
}

impl<'t> Names<'t> {
    fn of(merged: &'t Merged) -> Self {
        let mut own: BTreeMap<&str, Effects> = BTreeMap::new();
        let seen = merged.kinds.iter().filter_map(|kind| kind.seen.as_ref());
        for rule in merged.rules.iter().chain(seen.clone()) {
            let mut look = Look(own.remove(rule.rule.name.text.as_str()).unwrap_or_default());
            rule.rule.base.iter().for_each(|base| look.visit_expr(base));
            rule.rule.clauses.iter().for_each(|clause: &Clause| look.visit_clause(clause));
            own.insert(&rule.rule.name.text, look.0);
        }
        for step in &merged.steps {
            let mut look = Look(own.remove(step.step.name.text.as_str()).unwrap_or_default());
            look.visit_block(&step.step.body);
            // Whoever offers to do it asks its laws.
            step.step.laws.iter().for_each(|law| look.visit_clause(law));
            own.insert(&step.step.name.text, look.0);
        }
        // A step sets what is fresh each time that it is done.
        for column in &merged.columns {
            let ColumnDecl::State(state) = &column.decl else { continue };
            for step in &state.fresh {
                own.entry(&step.text).or_default().sets.insert(state.name.text.clone());
            }
        }
        let seers = seen.map(|seen| seen.rule.name.text.as_str()).collect();
        let mut names = Self { own, watches: Vec::new(), seers };
        let watches = merged.watches.iter().map(|watch| {
            let mut look = Look(Effects::default());
            look.visit_expr(&watch.condition);
            let condition = names.through(look.0).reads;
            (condition, names.through(Look::at(&watch.body)))
        });
        names.watches = watches.collect();
        names
    }

    /// What something that hangs somewhere does.
    fn doing(&self, hung: &Hung) -> Doing {
        let mut own = Look::at(&hung.body);
        if let Some(when) = &hung.when {
            let mut look = Look(own);
            look.visit_expr(when);
            own = look.0;
        }
        own.leaves = leaves(&hung.body);
        if answers(&hung.body) {
            // What is hung behind a step answers in its place.
            own.sets.insert(RESULT.to_owned());
        }
        let own = self.through(own);
        let mut woken: BTreeMap<usize, Effects> = BTreeMap::new();
        let mut waiting = vec![own.sets.clone()];
        while let Some(set) = waiting.pop() {
            for (place, (condition, effects)) in self.watches.iter().enumerate() {
                if !woken.contains_key(&place) && !condition.is_disjoint(&set) {
                    waiting.push(effects.sets.clone());
                    woken.insert(place, effects.clone());
                }
            }
        }
        Doing { own, woken }
    }

    /// Of lines of a setup: two that set one state are told when it is known of what, so here one must read it. No watch
    /// wakes there.
    fn doing_of_setting(&self, lines: &Block) -> Doing {
        let mut look = Look(Effects::default());
        for line in &lines.statements {
            if let StatementKind::Assign { target, value, .. } = &line.kind
                && let ExprKind::Call(call) | ExprKind::Dot(_, call) = &target.kind
            {
                if let ExprKind::Dot(subject, _) = &target.kind {
                    look.visit_expr(subject);
                }
                call.args.iter().chain([value]).for_each(|expr| look.visit_expr(expr));
                look.0.sets.insert(call.name.text.clone());
            }
        }
        let own = Effects { draws: false, asks: false, ..self.through(look.0) };
        Doing { own, woken: BTreeMap::new() }
    }

    /// What something does through everything that it names.
    fn through(&self, mut all: Effects) -> Effects {
        let mut waiting: Vec<String> = all.reads.iter().cloned().collect();
        loop {
            let asked = all.asks.then_some(CHOOSER);
            let seers = self.seers.iter().copied().filter(|_| all.tells || all.asks);
            for name in asked.into_iter().chain(seers) {
                if all.reads.insert(name.to_owned()) {
                    waiting.push(name.to_owned());
                }
            }
            let Some(name) = waiting.pop() else { return all };
            let Some(own) = self.own.get(name.as_str()) else { continue };
            let new = own.reads.iter().filter(|name| !all.reads.contains(*name));
            waiting.extend(new.cloned());
            all.add(own);
        }
    }
}

struct Look(Effects);

impl Look {
    /// What is done and named in a block itself.
    fn at(block: &Block) -> Effects {
        let mut look = Self(Effects::default());
        look.visit_block(block);
        look.0
    }
}

impl<'t> Visit<'t> for Look {
    fn visit_statement(&mut self, statement: &'t Statement) {
        if let StatementKind::Assign {
            target: Expr { kind: ExprKind::Call(call) | ExprKind::Dot(_, call), .. },
            ..
        } = &statement.kind
        {
            self.0.sets.insert(call.name.text.clone());
        }
        if let StatementKind::Say { announce: false, text } = &statement.kind {
            self.0.tells |= text.pieces.iter().any(|piece| !matches!(piece, Piece::Plain(_)));
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
            self.0.wins |= call.name.text == "win";
            self.0.reads.insert(call.name.text.clone());
        }
        walk_expr(self, expr);
    }
}
