//! What tests ask for that is not there yet: before a setup is placed a thing that every setup must say is nowhere said, and
//! before a step is played what exists only during that step does not exist. There only what the test has set itself is known.

use std::collections::BTreeSet;

use blazon_book::graph::{Join, Numbers};
use blazon_book::{Book, Column, ColumnId, Pick, RuleId, Seen, StepId, Test, TestLine, TestLineKind};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;
use crate::analysis::scopes::Scoped;

/// Complains of what tests ask for too early.
pub(super) fn tests(book: &Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    let columns = (0u32..).map(ColumnId).zip(&book.columns);
    let unsaid: BTreeSet<ColumnId> =
        columns.filter(|(_, column)| column.must_be_said()).map(|(id, _)| id).collect();
    for test in &book.tests {
        diagnostics.extend(unplayed(book, calls, scoped, test));
        diagnostics.extend(unplaced(book, calls, &unsaid, test));
    }
}

/// What exists only during a step, asked for before anything is played.
fn unplayed(book: &Book, calls: &Calls, scoped: &Scoped, test: &Test) -> Option<Diagnostic> {
    let mut known: BTreeSet<ColumnId> = BTreeSet::new();
    for line in &test.lines {
        let is_read = |(column, scope): &(&ColumnId, &Vec<StepId>)| {
            !known.contains(column) && read_by(book, calls, &line.kind, scope).contains(column.0 as usize)
        };
        if let Some((column, scope)) = scoped.iter().find(is_read) {
            return Some(read_in_test(book, *column, scope, line.span));
        }
        match &line.kind {
            TestLineKind::From(_) => known.clear(),
            TestLineKind::Set(step) => known.extend(&calls.sets[step.0 as usize]),
            // From here on something is under way.
            TestLineKind::Play(_) => return None,
            TestLineKind::Expect(_)
            | TestLineKind::Tells(..)
            | TestLineKind::Decide(..)
            | TestLineKind::Offer(..)
            | TestLineKind::Refuse(..)
            | TestLineKind::Dice(_)
            | TestLineKind::Cards(_)
            | TestLineKind::Sees(..)
            | TestLineKind::Fails(_) => {}
        }
    }
    None
}

fn read_in_test(book: &Book, column: ColumnId, scope: &[StepId], span: Span) -> Diagnostic {
    let (name, scope) = (&book.column(column).name, &book.step(scope[0]).name);
    let message = format!("this reads `{name}`, which exists only during `{scope}`");
    Diagnostic::error("names::scope", span, message)
        .label(format!("`{scope}` is not under way here"))
        .related(book.column(column).span, "declared here, without a start value")
        .help(format!("play `{scope}`, or set it first: `{name} := …`"))
}

/// What every setup must say, asked for where no setup is placed and nothing has set it.
fn unplaced(book: &Book, calls: &Calls, unsaid: &BTreeSet<ColumnId>, test: &Test) -> Option<Diagnostic> {
    let mut unsaid = unsaid.clone();
    for TestLine { kind, span, .. } in &test.lines {
        if matches!(kind, TestLineKind::From(_)) {
            return None;
        }
        let reads = read_by(book, calls, kind, &[]);
        // A step that is played may ask for what it has set; what the test itself sets follows from what was there.
        if let TestLineKind::Play(step) = kind {
            unsaid.retain(|column| !calls.may_set_one(*step, *column));
        }
        if let Some(column) = unsaid.iter().find(|column| reads.contains(column.0 as usize)) {
            return Some(nowhere(book, *column, *span));
        }
        if let TestLineKind::Set(step) = kind {
            unsaid.retain(|column| !calls.may_set_one(*step, *column));
        }
    }
    None
}

fn nowhere(book: &Book, column: ColumnId, span: Span) -> Diagnostic {
    let Column { name, span: declared, .. } = book.column(column);
    let message = format!("this asks for `{name}`, and nothing in this test has said it");
    Diagnostic::error("tests::nowhere", span, message)
        .label("it comes to the first thing there is, whatever the setups say")
        .related(*declared, "declared here, without a start value")
        .help(format!("begin with a setup or a scene, `from …`, or set `{name}` first"))
}

/// The columns that a line of a test asks for, through all rules; of what is played, what is asked for in the steps that are
/// reached without these.
fn read_by(book: &Book, calls: &Calls, line: &TestLineKind, without: &[StepId]) -> Numbers {
    let through = |rule: RuleId| calls.through_rules(&calls.rules[rule.0 as usize]);
    let of_pick = |pick: &Pick| all(pick.asked.iter().map(|(_, rule)| through(*rule)));
    match line {
        TestLineKind::Set(step) => calls.step_columns[step.0 as usize].clone(),
        TestLineKind::Play(step) => {
            let steps = calls.reachable(*step, without).into_iter();
            all(steps.map(|step| calls.step_columns[step.0 as usize].clone()))
        }
        TestLineKind::Expect(all_of) => all(all_of.iter().map(|one| through(one.condition))),
        TestLineKind::Tells(_, _, one) => through(one.condition),
        TestLineKind::Decide(_, pick) | TestLineKind::Offer(_, pick) | TestLineKind::Refuse(_, pick, _) => {
            of_pick(pick)
        }
        TestLineKind::Sees(_, _, things) => {
            let seen = things.iter().filter_map(|(kind, _)| book.kind(*kind).seen.as_ref());
            all(seen.map(|Seen { when, .. }| calls.reads(when)))
        }
        TestLineKind::From(_) | TestLineKind::Dice(_) | TestLineKind::Cards(_) | TestLineKind::Fails(_) => {
            Numbers::default()
        }
    }
}

fn all(some: impl Iterator<Item = Numbers>) -> Numbers {
    some.fold(Numbers::default(), |mut all, some| {
        all.join(&some);
        all
    })
}
