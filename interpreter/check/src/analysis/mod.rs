//! What can only be seen of the whole book: cycles, states outside their scope, names never used.

mod read_path;

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::walk::{Deeds, Reads};
use blazon_book::{Base, Book, ColumnId, Expr, Role, RuleId, StatementKind, StepId};
use blazon_diagnostics::{Diagnostic, Span};

use crate::project::Layer;
use crate::resolve::checker::{Checker, Function};

/// What every rule and step reads and does, directly.
#[derive(Default)]
pub(crate) struct Calls {
    pub(crate) rules: Vec<Reads>,
    pub(crate) steps: Vec<Reads>,
    /// The steps that each step does.
    pub(crate) does: Vec<BTreeSet<StepId>>,
}

impl Calls {
    pub(crate) fn of(book: &Book) -> Self {
        Self {
            rules: book.rules.iter().map(Reads::of_rule).collect(),
            steps: book.steps.iter().map(|step| Reads::of_block(&step.body)).collect(),
            does: book.steps.iter().map(|step| Deeds::of_block(&step.body).steps).collect(),
        }
    }

    /// The columns that an expression reads, through all rules.
    pub(crate) fn reads(&self, expr: &Expr) -> BTreeSet<ColumnId> {
        self.through_rules(&Reads::of_expr(expr))
    }

    fn through_rules(&self, reads: &Reads) -> BTreeSet<ColumnId> {
        let mut columns = reads.columns.clone();
        let mut waiting: Vec<RuleId> = reads.rules.iter().copied().collect();
        let mut seen: BTreeSet<RuleId> = reads.rules.clone();
        while let Some(rule) = waiting.pop() {
            let Some(reads) = self.rules.get(rule.0 as usize) else { continue };
            columns.extend(&reads.columns);
            for next in &reads.rules {
                if seen.insert(*next) {
                    waiting.push(*next);
                }
            }
        }
        columns
    }

    /// The columns that a step reads through rules and, without going into `stop`, the steps that it does.
    fn step_reads(&self, step: StepId, stop: &[StepId]) -> BTreeSet<ColumnId> {
        let mut columns = BTreeSet::new();
        for step in self.reachable(step, stop) {
            columns.extend(self.through_rules(&self.steps[step.0 as usize]));
        }
        columns
    }

    /// A step and all that it does, without those in `stop`.
    fn reachable(&self, from: StepId, stop: &[StepId]) -> BTreeSet<StepId> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(step) = waiting.pop() {
            if stop.contains(&step) || !seen.insert(step) {
                continue;
            }
            waiting.extend(self.does.get(step.0 as usize).into_iter().flatten());
        }
        seen
    }
}

/// Rules and steps that lead back to themselves.
pub(crate) fn cycles(book: &Book, calls: &Calls, diagnostics: &mut Vec<Diagnostic>) {
    let rules: Vec<Vec<usize>> =
        calls.rules.iter().map(|reads| reads.rules.iter().map(|r| r.0 as usize).collect()).collect();
    for cycle in find_cycles(&rules) {
        let names: Vec<&str> = cycle.iter().map(|i| book.rules[*i].name.as_str()).collect();
        let spans: Vec<Span> = cycle.iter().map(|i| book.rules[*i].span).collect();
        diagnostics.push(cycle_message("rules::cycle", "rule", &names, &spans));
    }
    let steps: Vec<Vec<usize>> =
        calls.does.iter().map(|steps| steps.iter().map(|s| s.0 as usize).collect()).collect();
    for cycle in find_cycles(&steps) {
        let names: Vec<&str> = cycle.iter().map(|i| book.steps[*i].name.as_str()).collect();
        let spans: Vec<Span> = cycle.iter().map(|i| book.steps[*i].span).collect();
        diagnostics.push(cycle_message("steps::cycle", "step", &names, &spans));
    }
}

fn cycle_message(code: &'static str, what: &str, names: &[&str], spans: &[Span]) -> Diagnostic {
    let path =
        names.iter().chain(names.first()).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ");
    let mut diagnostic = Diagnostic::error(
        code,
        spans[0],
        format!("the {what} `{}` leads back to itself", names[0]),
    )
    .label(path)
    .help(if what == "rule" {
        "what is reached in many hops is asked with `reach`; otherwise one of them must not ask the next"
    } else {
        "repeat with `while` or `for` instead of doing the step again from within"
    });
    for (name, span) in names.iter().zip(spans).skip(1) {
        diagnostic = diagnostic.related(*span, format!("by way of `{name}`"));
    }
    diagnostic
}

/// One cycle for each set of nodes that lead to each other.
fn find_cycles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut state = vec![0_u8; next.len()];
    let mut cycles = Vec::new();
    for start in 0..next.len() {
        if state[start] != 0 {
            continue;
        }
        // Depth first without recursion: a path of nodes, each with the place of its next edge.
        let mut path = vec![(start, 0)];
        state[start] = 1;
        while let Some((node, edge)) = path.last_mut() {
            if let Some(&to) = next[*node].get(*edge) {
                *edge += 1;
                match state.get(to) {
                    Some(0) => {
                        state[to] = 1;
                        path.push((to, 0));
                    }
                    Some(1) => {
                        let from = path.iter().position(|(n, _)| *n == to).unwrap_or(0);
                        cycles.push(path[from..].iter().map(|(n, _)| *n).collect());
                    }
                    _ => {}
                }
            } else {
                state[*node] = 2;
                path.pop();
            }
        }
    }
    cycles
}

/// States that have no start exist only while their step is under way: nothing outside may read them, and the step
/// must set them before anything in it reads them. Also finds for each watch when it is awake.
pub(crate) fn scopes(book: &mut Book, calls: &Calls, diagnostics: &mut Vec<Diagnostic>) {
    let scoped: BTreeMap<ColumnId, Vec<StepId>> = book
        .columns
        .iter()
        .enumerate()
        .filter_map(|(place, column)| match &column.role {
            Role::State { start: None, fresh } if !fresh.is_empty() => {
                let needs_value = matches!(column.ty.base, Base::Thing(_)) && !column.ty.optional;
                (needs_value && column.keys.is_empty()).then(|| (ColumnId(place as u32), fresh.clone()))
            }
            Role::Fact(_) | Role::State { .. } => None,
        })
        .collect();
    for column in &book.columns {
        let Role::State { start: Some(start), .. } = &column.role else { continue };
        let state = calls
            .reads(&start.value)
            .into_iter()
            .find(|c| matches!(book.column(*c).role, Role::State { .. }));
        if let Some(state) = state {
            let read = &book.column(state).name;
            diagnostics.push(
                Diagnostic::error("names::scope", start.value.span, format!("a start value reads the state `{read}`"))
                    .label("directly or through a rule")
                    .related(book.column(state).span, "declared as a state here")
                    .help("a start value follows from what is printed alone; set the state in the setup or in a step"),
            );
        }
    }
    for (column, scope) in &scoped {
        let name = &book.column(*column).name;
        for step in calls.reachable(book.begins, scope) {
            if calls.through_rules(&calls.steps[step.0 as usize]).contains(column) {
                let scope_name = &book.step(scope[0]).name;
                let (way, asked) = (calls.way_to(book, step, *column), &book.step(step).name);
                let message = format!("`{asked}` reads `{name}`, which exists only during `{scope_name}`");
                let mut diagnostic =
                    Diagnostic::error("names::scope", way.shown(book.step(step).span), message).label(
                        match way.is_direct() {
                            true => "read here".to_owned(),
                            false => format!("it comes to `{name}` from here"),
                        },
                    );
                if !way.is_direct() {
                    diagnostic = diagnostic.related(way.read(book.step(step).span), "read here");
                }
                diagnostics.push(
                    diagnostic
                        .related(
                            book.step(step).span,
                            format!("`{asked}` is done outside `{scope_name}`, too"),
                        )
                        .related(book.column(*column).span, "declared here, without a start value")
                        .help(format!("read it inside `{scope_name}` only, or give it a start value")),
                );
                break;
            }
        }
        for step in scope {
            set_before_read(book, calls, *column, *step, diagnostics);
        }
    }
    always_asked(book, calls, &scoped, diagnostics);
    written_outside(book, calls, &scoped, diagnostics);
    for place in 0..book.watches.len() {
        let reads = calls.reads(&book.watches[place].condition);
        let mut awake: BTreeSet<StepId> = BTreeSet::new();
        for (column, scope) in &scoped {
            if reads.contains(column) {
                awake.extend(scope);
            }
        }
        book.watches[place].awake = awake.into_iter().collect();
    }
}

/// What is asked whether a step is under way or not may not read a state that exists only during one: who sees a thing,
/// and who is asked.
fn always_asked(
    book: &Book,
    calls: &Calls,
    scoped: &BTreeMap<ColumnId, Vec<StepId>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut asked: Vec<(String, Span, BTreeSet<ColumnId>)> = Vec::new();
    for kind in &book.kinds {
        if let Some(seen) = &kind.seen {
            let what = format!("who sees {}", blazon_diagnostics::Article(&kind.name));
            asked.push((what, seen.when.span, calls.reads(&seen.when)));
        }
    }
    if let Some(rule) = book.chooser.and_then(|rule| Some((rule, book.rules.get(rule.0 as usize)?))) {
        let reads = calls.through_rules(&calls.rules[rule.0.0 as usize]);
        asked.push((format!("`{}`, who is asked,", rule.1.name), rule.1.span, reads));
    }
    for (what, span, reads) in asked {
        let Some((column, scope)) = scoped.iter().find(|(column, _)| reads.contains(column)) else {
            continue;
        };
        let (name, scope) = (&book.column(*column).name, &book.step(scope[0]).name);
        diagnostics.push(
            Diagnostic::error(
                "names::scope",
                span,
                format!("{what} depends on `{name}`, which exists only during `{scope}`"),
            )
            .label("asked at any time")
            .related(book.column(*column).span, "declared here, without a start value")
            .help(format!("write `?` behind the type of `{name}`: then it is absent outside `{scope}`")),
        );
    }
}

/// A step that may be done outside the steps during which a state exists may not set it.
fn written_outside(
    book: &Book,
    calls: &Calls,
    scoped: &BTreeMap<ColumnId, Vec<StepId>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (column, scope) in scoped {
        for step in calls.reachable(book.begins, scope) {
            let Some(step) = book.steps.get(step.0 as usize) else { continue };
            if !Deeds::of_block(&step.body).writes.contains(column) {
                continue;
            }
            let (name, scope) = (&book.column(*column).name, &book.step(scope[0]).name);
            diagnostics.push(
                Diagnostic::error(
                    "names::scope",
                    step.span,
                    format!("`{}` sets `{name}`, which exists only during `{scope}`", step.name),
                )
                .label(format!("done outside `{scope}`, too"))
                .related(book.column(*column).span, "declared here, without a start value")
                .help(format!("set it inside `{scope}` only")),
            );
            break;
        }
    }
}

fn set_before_read(
    book: &Book,
    calls: &Calls,
    column: ColumnId,
    step: StepId,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let body = &book.step(step).body;
    for statement in body {
        if let StatementKind::Assign { column: set, keys, op: blazon_book::AssignOp::Set, value } =
            &statement.kind
            && *set == column
            && keys.is_empty()
            && !matches!(value, blazon_book::Value::Step(..))
        {
            return;
        }
        let mut reads = calls.through_rules(&Reads::of_statement(statement));
        for inner in &Deeds::of_statement(statement).steps {
            reads.extend(calls.step_reads(*inner, &[]));
        }
        if reads.contains(&column) {
            let name = &book.column(column).name;
            diagnostics.push(
                Diagnostic::error(
                    "names::scope",
                    statement.span,
                    format!("`{name}` is read here before it is set"),
                )
                .related(book.column(column).span, "it has no start value")
                .help(format!("set it first: `{name} := …` at the top of `{}`", book.step(step).name)),
            );
            return;
        }
    }
    // Never set at the top, and never read either: harmless unless a caller reads it, which is an error above.
}

impl Checker<'_> {
    /// Rules, steps and states that nothing names. The library may offer more than a game uses.
    pub(crate) fn unused(&mut self) {
        let merged = self.merged;
        let mut found = Vec::new();
        // With variants the game's own tests are left out, and what only they use is no slip.
        let varied = !self.parsed.variants.is_empty();
        let judged = |layer: Layer| match layer {
            Layer::Library => false,
            Layer::Game => !varied,
            Layer::Variant(_) => true,
        };
        for (place, rule) in merged.rules.iter().enumerate() {
            let id = Function::Rule(RuleId(place as u32));
            if judged(rule.layer)
                && rule.promised.is_none()
                && !self.used.contains(&id)
                && rule.rule.name.text != "chooser"
                && rule.rule.name.text != "outlook"
            {
                found.push(("rule", rule.rule.name.clone()));
            }
        }
        for (place, step) in merged.steps.iter().enumerate() {
            let id = Function::Step(StepId(place as u32));
            if judged(step.layer)
                && !self.used.contains(&id)
                && step.step.name.text != self.parsed.game.begins
            {
                found.push(("step", step.step.name.clone()));
            }
        }
        for (place, column) in merged.columns.iter().enumerate() {
            let id = Function::Column(ColumnId(place as u32));
            let state = matches!(column.decl, crate::merge::merged::ColumnDecl::State(_));
            if state && judged(column.layer) && !self.used.contains(&id) {
                found.push(("state", column.decl.name().clone()));
            }
        }
        for (what, name) in found {
            self.diagnostics.push(
                Diagnostic::warning(
                    "names::unused",
                    name.span,
                    format!("nothing uses the {what} `{}`", name.text),
                )
                .help("take it out, or is it misspelt where it is meant?"),
            );
        }
    }
}
