//! What tests ask for that is not there yet: before a setup is placed a thing that every setup must say is nowhere said, and
//! before a step is played what exists only during that step does not exist. There only what the test has set itself is known.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::graph::{Join, Numbers};
use blazon_book::walk::{Visit, each_expr_of_block, each_expr_of_rule, walk_statement};
use blazon_book::{
    Book, Column, ColumnId, Expr, ExprKind, Pick, RuleId, Seen, Statement, StatementKind, StepId, Test,
    TestLine, TestLineKind,
};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;
use crate::analysis::scopes::Scoped;

/// Complains of what tests ask for too early.
pub(super) fn asked_too_early(
    book: &Book,
    calls: &Calls,
    scoped: &Scoped,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let columns = (0u32..).map(ColumnId).zip(&book.columns);
    let unsaid: BTreeSet<ColumnId> =
        columns.filter(|(_, column)| column.must_be_said()).map(|(id, _)| id).collect();
    for test in &book.tests {
        diagnostics.extend(unplayed(book, calls, scoped, test));
        // Where a beginning is wrong it is not known what was said.
        let last = test.lines.last().map_or(test.span, |line| line.span);
        let is_within = |span: Span| {
            span.source == test.span.source && test.span.start <= span.start && span.start <= last.end
        };
        if !diagnostics.iter().any(|said| said.is_error() && said.span.is_some_and(is_within)) {
            diagnostics.extend(unplaced(book, calls, &unsaid, test));
        }
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
        if matches!(line.kind, TestLineKind::From(_)) {
            known.clear();
        } else if let TestLineKind::Set(step) = &line.kind {
            known.extend(&calls.sets[step.0 as usize]);
        } else if matches!(line.kind, TestLineKind::Play(_)) {
            // From here on something is under way.
            return None;
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
    // Of which things a state has been set; of one that is in no more anything may have been.
    let mut said: BTreeMap<ColumnId, BTreeSet<Vec<i64>>> =
        unsaid.iter().map(|column| (*column, BTreeSet::new())).collect();
    for TestLine { kind, span, .. } in &test.lines {
        if matches!(kind, TestLineKind::From(_)) || said.is_empty() {
            return None;
        }
        // A step that is played may ask for what it has set; what the test itself sets follows from what was there.
        if let TestLineKind::Play(step) = kind {
            said.retain(|column, _| !calls.may_set_one(*step, *column));
        }
        let (reads, named) = (read_by(book, calls, kind, &[]), named_by(book, kind));
        let is_unsaid = |(column, said): &(&ColumnId, &BTreeSet<Vec<i64>>)| match said.is_empty() {
            true => reads.contains(column.0 as usize),
            false => named.iter().any(|(other, things)| other == *column && !said.contains(things)),
        };
        if let Some((column, _)) = said.iter().find(is_unsaid) {
            return Some(nowhere(book, *column, *span));
        }
        if let TestLineKind::Set(step) = kind {
            for (column, things) in set_by(book, *step) {
                match (things, said.get_mut(&column)) {
                    (Some(things), Some(said)) => {
                        said.insert(things);
                    }
                    (None, _) => {
                        said.remove(&column);
                    }
                    (Some(_), None) => {}
                }
            }
        }
    }
    None
}

/// The facts and states of things by their names that a line asks for itself.
fn named_by(book: &Book, line: &TestLineKind) -> Vec<(ColumnId, Vec<i64>)> {
    let mut found = Vec::new();
    let mut note = |part: &Expr| {
        if let ExprKind::Column(column, keys) = &part.kind {
            found.extend(words(keys).map(|things| (*column, things)));
        }
    };
    if let TestLineKind::Set(step) = line {
        each_expr_of_block(&book.step(*step).body, &mut note);
    }
    for one in line.expectations() {
        each_expr_of_rule(book.rule(one.condition), &mut note);
    }
    found
}

/// The states that a line of a test sets, each with the things of which it is set, if they go by their names.
fn set_by(book: &Book, step: StepId) -> Vec<(ColumnId, Option<Vec<i64>>)> {
    struct Set(Vec<(ColumnId, Option<Vec<i64>>)>);
    impl<'b> Visit<'b> for Set {
        fn visit_statement(&mut self, statement: &'b Statement) {
            if let StatementKind::Assign { column, keys, .. } = &statement.kind {
                self.0.push((*column, words(keys)));
            }
            walk_statement(self, statement);
        }
    }
    let mut set = Set(Vec::new());
    set.visit_block(&book.step(step).body);
    set.0
}

/// Things that all go by their names.
fn words(keys: &[Expr]) -> Option<Vec<i64>> {
    let word = |key: &Expr| if let ExprKind::Word(word) = key.kind { Some(word) } else { None };
    keys.iter().map(word).collect()
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
        TestLineKind::Expect(_) | TestLineKind::Tells(..) => {
            all(line.expectations().iter().map(|one| through(one.condition)))
        }
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
