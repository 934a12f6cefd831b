//! Loops that never end once they have begun: nothing leaves them, and nothing that happens in them, in the steps that
//! they do or in what happens whenever something comes true, changes what their condition looks at.

use blazon_book::graph::{Join, Numbers, handed_on};
use blazon_book::walk::{Deeds, Visit, walk_statement};
use blazon_book::{Block, Book, ColumnId, Expr, Role, Statement, StatementKind, build};
use blazon_diagnostics::{Diagnostic, list};

use crate::analysis::Calls;
use crate::analysis::idle::idle_turn;
use crate::infer::steps::ways_out::leaves;
use crate::project::Parsed;

/// Complains of every loop that never ends. The book has no holes: what should stand there may well end a loop.
pub(crate) fn endless(book: &Book, calls: &Calls, parsed: &Parsed, diagnostics: &mut Vec<Diagnostic>) {
    let mut loops = Loops::default();
    book.steps.iter().for_each(|step| loops.visit_block(&step.body));
    if loops.all.is_empty() {
        return;
    }
    let effects = Effects::of(book, calls);
    for (statement, condition, body) in loops.all {
        let (changed, wins) = effects.of_body(body);
        let said = diagnostics.len();
        if !wins && !leaves(body) {
            never_ends(book, calls, (statement, condition), &changed, diagnostics);
        }
        if diagnostics.len() == said {
            idle_turn(parsed, condition, body, diagnostics);
        }
    }
}

/// Complains of a loop that nothing leaves if nothing that happens in it can end it.
fn never_ends(
    book: &Book,
    calls: &Calls,
    (statement, condition): (&Statement, &Expr),
    changed: &Numbers,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if build::constant(condition) == Some(true) {
        diagnostics.push(
            Diagnostic::error("steps::endless", statement.span, "this loop can never end")
                .label("nothing in it stops, returns or wins")
                .help("write `stop` or `return` somewhere in it, or a condition that can become no"),
        );
    } else if build::constant(condition).is_none() && calls.reads(condition).is_disjoint(changed) {
        diagnostics.push(
            Diagnostic::error("steps::endless", condition.span, "once begun, this loop never ends")
                .label(looked_at(book, &calls.reads(condition)))
                .help("change in the loop what its condition looks at, or leave it with `stop` or `return`"),
        );
    }
}

/// What a condition looks at, in words. Of many states the first are told.
fn looked_at(book: &Book, reads: &Numbers) -> String {
    const TOLD: usize = 3;
    let columns = reads.iter().map(|column| book.column(ColumnId(column as u32)));
    let states = columns.filter(|column| matches!(column.role, Role::State { .. }));
    let mut names: Vec<&str> = states.map(|state| state.name.as_str()).collect();
    if names.is_empty() {
        return "nothing that this looks at ever changes".to_owned();
    }
    names.sort_unstable();
    let others = if names.len() > TOLD { ", among others" } else { "" };
    names.truncate(TOLD);
    format!("nothing in the loop changes what this looks at: {}{others}", list(&names, "and"))
}

/// The loops with a condition: the statement, the condition and the body.
#[derive(Default)]
struct Loops<'b> {
    all: Vec<(&'b Statement, &'b Expr, &'b Block)>,
}

impl<'b> Visit<'b> for Loops<'b> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::While(condition, body) = &statement.kind {
            self.all.push((statement, condition, body));
        }
        walk_statement(self, statement);
    }

    /// No loop stands in an expression.
    fn visit_expr(&mut self, _: &'b Expr) {}
}

/// What steps come to, with the steps that they do, and with what happens whenever something comes true by it.
struct Effects {
    /// The states that each step changes.
    changes: Vec<Numbers>,
    /// Whether it may win the game.
    wins: Vec<bool>,
    /// For each watch what it looks at, and the step that happens.
    watches: Vec<(Numbers, usize)>,
}

impl Effects {
    fn of(book: &Book, calls: &Calls) -> Self {
        let watches: Vec<(Numbers, usize)> =
            book.watches.iter().map(|watch| (calls.reads(&watch.condition), watch.body.0 as usize)).collect();
        let mut sets: Vec<Vec<usize>> =
            calls.sets.iter().map(|sets| sets.iter().map(|column| column.0 as usize).collect()).collect();
        // A step that begins or ends makes states fresh.
        for (column, declared) in book.columns.iter().enumerate() {
            if let Role::State { fresh, .. } = &declared.role {
                fresh.iter().for_each(|step| sets[step.0 as usize].push(column));
            }
        }
        let own: Vec<Numbers> = sets.into_iter().map(|sets| sets.into_iter().collect()).collect();
        let mut does = calls.does.clone();
        for (does, own) in does.iter_mut().zip(&own) {
            does.extend(woken(&watches, own));
        }
        Self { changes: handed_on(&does, own), wins: handed_on(&does, calls.wins.clone()), watches }
    }

    /// What a loop's body changes, and whether it may win the game.
    fn of_body(&self, body: &Block) -> (Numbers, bool) {
        let deeds = Deeds::of_block(body);
        let mut changed: Numbers = deeds.writes.iter().map(|column| column.0 as usize).collect();
        let steps = deeds.steps.iter().map(|step| step.0 as usize);
        let mut wins = false;
        for step in steps.chain(woken(&self.watches, &changed).collect::<Vec<_>>()) {
            changed.join(&self.changes[step]);
            wins |= self.wins[step];
        }
        (changed, wins)
    }
}

/// The steps of the watches that look at one of these states.
fn woken<'w>(watches: &'w [(Numbers, usize)], changed: &'w Numbers) -> impl Iterator<Item = usize> + 'w {
    watches.iter().filter(|(looks_at, _)| !looks_at.is_disjoint(changed)).map(|&(_, step)| step)
}
