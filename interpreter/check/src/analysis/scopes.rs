//! States that exist only while a step is under way: nothing that may happen or be asked at another time reads or sets
//! them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use blazon_book::graph::Numbers;
use blazon_book::meant::OUTLOOK;
use blazon_book::walk::Reads;
use blazon_book::{Book, ColumnId, Expectation, Role, Setup, StepId, TestLineKind};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::unset::read_unset;
use crate::analysis::{Calls, lost, test_lines, watches};

/// The states that exist only during steps, with these steps.
pub(crate) type Scoped = BTreeMap<ColumnId, Vec<StepId>>;

/// States that have no start exist only while their step is under way: nothing outside may read them, and the step
/// must set them before anything in it reads them. Also finds for each watch when it is awake.
pub(crate) fn scopes(book: &mut Book, calls: &Calls, diagnostics: &mut Vec<Diagnostic>) {
    let scoped: Scoped = book
        .columns
        .iter()
        .enumerate()
        .filter_map(|(place, column)| match &column.role {
            Role::State { fresh, .. } if !fresh.is_empty() => (column.lacks_start()
                && column.keys.is_empty())
            .then(|| (ColumnId(place as u32), fresh.clone())),
            Role::Fact(_) | Role::State { .. } => None,
        })
        .collect();
    for column in &book.columns {
        let Role::State { start: Some(start), .. } = &column.role else { continue };
        let state = calls
            .reads(&start.value)
            .iter()
            .map(|column| ColumnId(column as u32))
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
    touched_outside(book, calls, &scoped, diagnostics);
    stale(book, calls, &scoped, diagnostics);
    lost::lost(book, calls, &scoped, diagnostics);
    always_asked(book, calls, &scoped, diagnostics);
    watches::wake(book, calls, &scoped, diagnostics);
    read_unset(book, calls, &scoped, diagnostics);
    test_lines::asked_too_early(book, calls, &scoped, diagnostics);
    note_lives(book, calls, &scoped);
}

/// Notes what each expectation of a test asks for that need not be there: who runs the test knows what is under way.
fn note_lives(book: &mut Book, calls: &Calls, scoped: &Scoped) {
    for line in book.tests.iter_mut().flat_map(|test| &mut test.lines) {
        for expectation in expectations_of(&mut line.kind) {
            let reads = calls.through_rules(&calls.rules[expectation.condition.0 as usize]);
            let lives = scoped.keys().copied().filter(|column| reads.contains(column.0 as usize));
            expectation.lives = lives.collect();
        }
    }
}

/// What a line of a test asks for.
fn expectations_of(line: &mut TestLineKind) -> &mut [Expectation] {
    match line {
        TestLineKind::Expect(expectations) => expectations,
        TestLineKind::Tells(_, _, expectation) => std::slice::from_mut(expectation),
        TestLineKind::From(_)
        | TestLineKind::Set(_)
        | TestLineKind::Play(_)
        | TestLineKind::Dice(_)
        | TestLineKind::Cards(_)
        | TestLineKind::Decide(..)
        | TestLineKind::Offer(..)
        | TestLineKind::Refuse(..)
        | TestLineKind::Sees(..)
        | TestLineKind::Fails(_) => &mut [],
    }
}

/// What is asked whether a step is under way or not may not read a state that exists only during one: who sees a thing,
/// who is asked, how things look for a player, and what must hold whenever somebody is asked.
fn always_asked(book: &Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    for (what, span, reads) in at_any_time(book, calls) {
        let Some((column, scope)) = scoped.iter().find(|(column, _)| reads.contains(column.0 as usize))
        else {
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

/// What is asked at any time: what it is, where it stands, and the columns that it reads.
pub(super) fn at_any_time(book: &Book, calls: &Calls) -> Vec<(String, Span, Numbers)> {
    let mut asked: Vec<(String, Span, Numbers)> = Vec::new();
    for kind in &book.kinds {
        if let Some(seen) = &kind.seen {
            let what = format!("who sees {}", blazon_diagnostics::Article(&kind.name));
            let parts = match seen.rule {
                // With clauses each is told by itself.
                Some(rule) => book.rule(rule).conditions(),
                None => vec![&seen.when],
            };
            asked.extend(parts.into_iter().map(|part| (what.clone(), part.span, calls.reads(part))));
        }
    }
    if let Some(rule) = book.chooser.and_then(|rule| Some((rule, book.rules.get(rule.0 as usize)?))) {
        let reads = calls.through_rules(&calls.rules[rule.0.0 as usize]);
        asked.push((format!("`{}`, who is asked,", rule.1.name), rule.1.span, reads));
    }
    // Bots judge any position by it.
    if let Some(rule) = book.outlook(OUTLOOK).map(|rule| book.rule(rule)) {
        let reads = calls.through_rules(&Reads::of_rule(rule));
        asked.push(("`outlook`, how things look for a player,".to_owned(), rule.span, reads));
    }
    for invariant in &book.invariants {
        let reads = calls.through_rules(&Reads::of_rule(book.rule(invariant.rule)));
        asked.push((format!("the invariant `{}`", invariant.name), invariant.span, reads));
    }
    asked
}

/// What is read and set where the steps are not under way for whose time it exists.
fn touched_outside(book: &Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    let mut outside: HashMap<&[StepId], Vec<StepId>> = HashMap::new();
    let mut set = Vec::new();
    for (column, scope) in scoped {
        let steps = outside.entry(scope).or_insert_with(|| calls.reachable(book.begins, scope));
        let reads = |step: &&StepId| calls.step_columns[step.0 as usize].contains(column.0 as usize);
        let sets = |step: &&StepId| calls.sets[step.0 as usize].contains(column);
        if let Some(step) = steps.iter().find(reads) {
            diagnostics.push(outside_message(book, calls, *column, scope, *step));
        }
        if let Some(step) = steps.iter().find(sets) {
            set.push(set_outside_message(book, *column, scope, *step));
        }
        let sets = |setup: &&Setup| calls.sets[setup.body.0 as usize].contains(column);
        if let Some(setup) = book.setups.iter().find(sets) {
            set.push(set_outside_message(book, *column, scope, setup.body));
        }
    }
    diagnostics.extend(set);
}

/// Warns of what is set by one step and read by another where nothing is under way for which it is fresh: there it is not
/// made fresh again.
fn stale(book: &Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    let mut outside: HashMap<&[StepId], Vec<StepId>> = HashMap::new();
    for (place, column) in book.columns.iter().enumerate() {
        let id = ColumnId(place as u32);
        let Role::State { fresh, .. } = &column.role else { continue };
        if fresh.is_empty() || scoped.contains_key(&id) {
            continue;
        }
        let steps = outside.entry(fresh).or_insert_with(|| calls.reachable(book.begins, fresh));
        let sets = |step: &&StepId| calls.sets[step.0 as usize].contains(&id);
        let reads = |step: &&StepId| calls.step_columns[step.0 as usize].contains(place);
        let Some(set) = steps.iter().find(sets) else {
            let inside: BTreeSet<StepId> =
                fresh.iter().flat_map(|step| calls.reachable(*step, &[])).collect();
            if inside.iter().any(|step| sets(&step)) {
                // A rule is often asked while it lasts and at other times: then what it is begun with is what is meant.
                let is_read_inside = inside.iter().any(|step| reads(&step));
                let own = |step: &&StepId| calls.steps[step.0 as usize].columns.contains(&id);
                let late = |step: &&StepId| match is_read_inside {
                    true => own(step) && !inside.contains(step),
                    false => reads(step),
                };
                let late = steps.iter().find(late);
                diagnostics.extend(late.map(|read| read_too_late(book, id, fresh, *read)));
            }
            continue;
        };
        let Some(read) = steps.iter().filter(|step| !sets(step)).find(reads) else { continue };
        let (name, during) = (&column.name, &book.step(fresh[0]).name);
        let (set, read) = (book.step(*set), book.step(*read));
        let message = format!("`{}` sets `{name}` outside `{during}`, where it is not made fresh", set.name);
        diagnostics.push(
            Diagnostic::warning("names::scope", set.span, message)
                .label(format!("done outside `{during}`, too"))
                .related(read.span, format!("`{}` reads it there", read.name))
                .related(column.span, "declared here")
                .help(format!("name the step in which it is also used, `fresh each {during}, …`, or set it inside `{during}` only")),
        );
    }
}

/// What is set only while steps are under way for which it is fresh, and read only when they are not: nothing is left of it.
fn read_too_late(book: &Book, column: ColumnId, fresh: &[StepId], read: StepId) -> Diagnostic {
    let (column, read) = (book.column(column), book.step(read));
    let (name, during) = (&column.name, &book.step(fresh[0]).name);
    let message = format!("`{name}` is set only during `{during}`, and read outside");
    Diagnostic::warning("names::scope", column.span, message)
        .label(format!("it is made fresh when `{during}` ends"))
        .related(read.span, format!("`{}` reads it", read.name))
        .help("name a step behind `fresh each` that both belong to, or leave `fresh each` out")
}

fn set_outside_message(book: &Book, column: ColumnId, scope: &[StepId], step: StepId) -> Diagnostic {
    let (name, scope, step) = (&book.column(column).name, &book.step(scope[0]).name, book.step(step));
    let message = format!("`{}` sets `{name}`, which exists only during `{scope}`", step.name);
    Diagnostic::error("names::scope", step.span, message)
        .label(format!("done outside `{scope}`, too"))
        .related(book.column(column).span, "declared here, without a start value")
        .help(format!("set it inside `{scope}` only"))
}

fn outside_message(
    book: &Book,
    calls: &Calls,
    column: ColumnId,
    scope: &[StepId],
    step: StepId,
) -> Diagnostic {
    let (name, scope) = (&book.column(column).name, &book.step(scope[0]).name);
    let (way, asked) = (calls.way_to(book, step, column), &book.step(step).name);
    let message = format!("`{asked}` reads `{name}`, which exists only during `{scope}`");
    let mut diagnostic = Diagnostic::error("names::scope", way.shown(book.step(step).span), message).label(
        match way.is_direct() {
            true => "read here".to_owned(),
            false => format!("it comes to `{name}` from here"),
        },
    );
    if !way.is_direct() {
        diagnostic = diagnostic.related(way.read(book.step(step).span), "read here");
    }
    diagnostic
        .related(book.step(step).span, format!("`{asked}` is done outside `{scope}`, too"))
        .related(book.column(column).span, "declared here, without a start value")
        .help(format!("read it inside `{scope}` only, or give it a start value"))
}
