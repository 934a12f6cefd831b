//! What is set where nothing will ever read it: before a step begins for which the state is fresh, if only that step
//! looks at it.

use std::collections::{BTreeSet, HashMap};

use blazon_book::graph::{Join, Numbers};
use blazon_book::walk::{Visit, walk_statement};
use blazon_book::{Book, ColumnId, Role, Statement, StatementKind, StepId, Test, TestLineKind};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;
use crate::analysis::scopes::{Scoped, at_any_time};

/// Warns of each step, setup and test that sets what is made fresh before it is read.
pub(super) fn lost(book: &Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    let mut always = Numbers::default();
    at_any_time(book, calls).iter().for_each(|(.., reads)| always.join(reads));
    for watch in &book.watches {
        always.join(&calls.reads(&watch.condition));
        for step in calls.reachable(watch.body, &[]) {
            always.join(&calls.step_columns[step.0 as usize]);
        }
    }
    let mut around: HashMap<&[StepId], (Vec<StepId>, BTreeSet<StepId>)> = HashMap::new();
    for (place, column) in book.columns.iter().enumerate() {
        let id = ColumnId(place as u32);
        let Role::State { fresh, .. } = &column.role else { continue };
        if fresh.is_empty() || scoped.contains_key(&id) || always.contains(place) {
            continue;
        }
        let (outside, inside) = around.entry(fresh).or_insert_with(|| {
            let inside = fresh.iter().flat_map(|step| calls.reachable(*step, &[])).collect();
            (calls.reachable(book.begins, fresh), inside)
        });
        let reads = |step: &StepId| calls.step_columns[step.0 as usize].contains(place);
        // What nobody reads at all is told elsewhere.
        if outside.iter().any(reads) || !inside.iter().any(reads) {
            continue;
        }
        let sets = |step: &StepId| calls.sets[step.0 as usize].contains(&id);
        let alone = outside.iter().filter(|step| sets(step) && !inside.contains(step));
        let steps = alone.map(|&step| (step, format!("`{}`", book.step(step).title())));
        let setups = book.setups.iter().filter(|setup| sets(&setup.body));
        let setups = setups.map(|setup| (setup.body, format!("the setup `{}`", setup.name)));
        for (step, who) in steps.chain(setups) {
            let during = book.step(fresh[0]).title();
            let help = format!(
                "set it during `{during}`, or another state that `{during}` sets it by; what is to last from before is not \
                 `fresh each {during}`"
            );
            let said = said(book, id, fresh[0], step, &who);
            diagnostics
                .extend(said.map(|said| said.label(format!("lost: only `{during}` reads it")).help(help)));
        }
    }
    for test in &book.tests {
        in_test(book, calls, scoped, test, diagnostics);
    }
}

/// What a test sets, and then plays the step that makes it fresh.
fn in_test(book: &Book, calls: &Calls, scoped: &Scoped, test: &Test, diagnostics: &mut Vec<Diagnostic>) {
    let mut set: Vec<(ColumnId, StepId)> = Vec::new();
    for line in &test.lines {
        match &line.kind {
            TestLineKind::From(_) => set.clear(),
            TestLineKind::Set(step) => {
                let reads = &calls.step_columns[step.0 as usize];
                set.retain(|(column, _)| !reads.contains(column.0 as usize));
                set.extend(calls.sets[step.0 as usize].iter().map(|column| (*column, *step)));
            }
            TestLineKind::Play(step) => {
                // Its body does the step that is played.
                let played = calls.does[step.0 as usize].first().map(|step| StepId(*step as u32));
                for (column, by) in std::mem::take(&mut set) {
                    if let (Role::State { fresh, .. }, Some(played)) = (&book.column(column).role, played)
                        && fresh.contains(&played)
                        && !scoped.contains_key(&column)
                    {
                        let during = book.step(played).title();
                        let help =
                            format!("set it behind `play {during}`, or play a step that `{during}` does");
                        let said = said(book, column, played, by, "the test");
                        diagnostics.extend(said.map(|said| said.label("lost").help(help)));
                    }
                }
            }
            TestLineKind::Dice(_) | TestLineKind::Cards(_) => {}
            TestLineKind::Expect(expectations) => {
                for expectation in expectations {
                    let reads = calls.through_rules(&calls.rules[expectation.condition.0 as usize]);
                    set.retain(|(column, _)| !reads.contains(column.0 as usize));
                }
            }
            // What these ask may hang on anything.
            TestLineKind::Decide(..)
            | TestLineKind::Offer(..)
            | TestLineKind::Refuse(..)
            | TestLineKind::Sees(..)
            | TestLineKind::Tells(..)
            | TestLineKind::Fails(_) => set.clear(),
        }
    }
}

fn said(book: &Book, column: ColumnId, fresh: StepId, by: StepId, who: &str) -> Option<Diagnostic> {
    let (declared, during) = (book.column(column), book.step(fresh).title());
    let name = &declared.name;
    let message = format!("{who} sets `{name}`, which is made fresh when `{during}` begins");
    let said = Diagnostic::warning("names::scope", first_set(book, by, column)?, message);
    Some(said.related(declared.span, "declared here"))
}

/// The first place where a step sets a state.
pub(super) fn first_set(book: &Book, step: StepId, column: ColumnId) -> Option<Span> {
    let mut place = Place { column, found: None };
    place.visit_block(&book.step(step).body);
    place.found
}

/// The first place where a state is set.
struct Place {
    column: ColumnId,
    found: Option<Span>,
}

impl<'b> Visit<'b> for Place {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Assign { column, .. } = &statement.kind
            && *column == self.column
        {
            self.found.get_or_insert(statement.span);
        }
        walk_statement(self, statement);
    }
}
