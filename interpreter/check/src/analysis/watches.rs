//! When watches are awake: while all that their conditions read exists. What their blocks read and set must exist then, too.

use std::collections::BTreeSet;

use blazon_book::{Book, ColumnId, StepId};
use blazon_diagnostics::{Diagnostic, list};

use crate::analysis::Calls;
use crate::analysis::scopes::Scoped;

/// Finds for each watch when it is awake, and looks at its block.
pub(crate) fn wake(book: &mut Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    if scoped.is_empty() {
        return;
    }
    for place in 0..book.watches.len() {
        let reads = calls.reads(&book.watches[place].condition);
        let read: Vec<ColumnId> =
            scoped.keys().copied().filter(|column| reads.contains(column.0 as usize)).collect();
        let steps: BTreeSet<StepId> = read.iter().flat_map(|column| &scoped[column]).copied().collect();
        let awake: Vec<StepId> = steps
            .iter()
            .copied()
            .filter(|&step| read.iter().all(|column| is_inside(book, calls, step, &scoped[column])))
            .collect();
        if awake.is_empty() && !read.is_empty() {
            diagnostics.push(never_awake(book, place, &read));
        }
        // As it would be without what is wrong.
        book.watches[place].awake = if awake.is_empty() { steps.into_iter().collect() } else { awake };
        diagnostics.extend(touched(book, calls, scoped, place));
    }
}

/// The states that surely exist while a watch is awake.
pub(crate) fn surely_there(book: &Book, calls: &Calls, scoped: &Scoped, place: usize) -> BTreeSet<ColumnId> {
    let awake = &book.watches[place].awake;
    let is_there = |scope: &[StepId]| {
        !awake.is_empty() && awake.iter().all(|&awake| is_inside(book, calls, awake, scope))
    };
    scoped.iter().filter(|(_, scope)| is_there(scope)).map(|(column, _)| *column).collect()
}

/// Whether, while a step is under way, one of these surely is. What the game does not do yet, tests may.
fn is_inside(book: &Book, calls: &Calls, step: StepId, scope: &[StepId]) -> bool {
    if scope.contains(&step) {
        return true;
    }
    let leads =
        |from: &[StepId], scope: &[StepId]| calls.reachable_from(from, scope).binary_search(&step).is_ok();
    match leads(&[book.begins], &[]) {
        true => !leads(&[book.begins], scope),
        false => !leads(&calls.first(), scope),
    }
}

/// Complains of a state that a watch's block reads or sets, and that need not exist when the watch is awake.
fn touched(book: &Book, calls: &Calls, scoped: &Scoped, place: usize) -> Option<Diagnostic> {
    let watch = &book.watches[place];
    let there = surely_there(book, calls, scoped, place);
    for (column, scope) in scoped {
        let touches = |step: &StepId| {
            let step = step.0 as usize;
            calls.step_columns[step].contains(column.0 as usize) || calls.sets[step].contains(column)
        };
        let Some(step) = calls.reachable(watch.body, scope).into_iter().find(touches) else { continue };
        if there.contains(column) {
            continue;
        }
        let (name, during) = (&book.column(*column).name, &book.step(scope[0]).name);
        let message =
            format!("what `{}` does needs `{name}`, which exists only during `{during}`", watch.name);
        let at = calls.way_to(book, step, *column).shown(book.step(step).span);
        return Some(
            Diagnostic::error("names::scope", at, message)
                .related(watch.span, "this may come up at another time")
                .related(book.column(*column).span, "declared here, without a start value")
                .help(format!(
                    "let the condition read `{name}`, too: then the watch sleeps outside `{during}`"
                )),
        );
    }
    None
}

fn never_awake(book: &Book, place: usize, read: &[ColumnId]) -> Diagnostic {
    let names: Vec<String> = read.iter().map(|column| book.column(*column).name.clone()).collect();
    let watch = &book.watches[place];
    let message = format!("{} do not exist at one time", list(&names, "and"));
    let mut said = Diagnostic::error("names::scope", watch.condition.span, message)
        .label("this would never be looked at")
        .help("each exists only during its steps: read those of one step");
    for column in read {
        said = said.related(book.column(*column).span, "declared here, without a start value");
    }
    said
}
