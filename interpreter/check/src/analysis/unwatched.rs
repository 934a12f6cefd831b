//! Watches that come too late for what they read: a watch looks when a step ends that sets something of it, and before the
//! choices of such a step. Where only the step sets it with which the game begins, that is when all is over; and what is
//! fresh each such step is fresh again by then.

use std::collections::BTreeSet;

use blazon_book::walk::Deeds;
use blazon_book::{Book, ColumnId, Role, Step, StepId, Watch};
use blazon_diagnostics::Diagnostic;

use crate::analysis::Calls;
use crate::analysis::lost::first_set;
use crate::project::Parsed;

/// Warns of each watch that sees nothing of what the game sets of its condition before all is over. Whoever plays by the
/// library, or lays something on a game, cannot mend theirs.
pub(crate) fn unwatched(book: &Book, calls: &Calls, parsed: &Parsed, diagnostics: &mut Vec<Diagnostic>) {
    if book.watches.is_empty() {
        return;
    }
    let lines = Lines::of(book, calls);
    for watch in &book.watches {
        if parsed.is_judged_at(watch.span) {
            diagnostics.extend(lines.too_late(calls, watch));
        }
    }
}

/// What the steps of a game set.
struct Lines<'b> {
    book: &'b Book,
    /// For each state the steps that set it and are done in a game.
    setters: Vec<Vec<StepId>>,
    /// For each state the titles of the steps for which it is fresh.
    fresh: Vec<BTreeSet<&'b str>>,
    /// The titles of steps in which somebody is asked.
    choosing: BTreeSet<&'b str>,
}

impl<'b> Lines<'b> {
    fn of(book: &'b Book, calls: &Calls) -> Self {
        let watches = book.watches.iter().map(|watch| watch.body);
        let roots: Vec<StepId> = std::iter::once(book.begins).chain(watches).collect();
        let mut setters = vec![Vec::new(); book.columns.len()];
        for step in calls.reachable_from(&roots, &[]) {
            calls.sets[step.0 as usize].iter().for_each(|column| setters[column.0 as usize].push(step));
        }
        let fresh = book.columns.iter().map(|column| match &column.role {
            Role::State { fresh, .. } => fresh.iter().map(|step| book.step(*step).title()).collect(),
            Role::Fact(_) => BTreeSet::new(),
        });
        let fresh = fresh.collect();
        let choosing = book.steps.iter().filter(|step| Deeds::of_block(&step.body).chooses);
        let choosing = choosing.map(Step::title).collect();
        Self { book, setters, fresh, choosing }
    }

    /// Whether a watch can see, before all is over, what a step sets of a state. What changes make of a step is one with it.
    fn sees(&self, step: StepId, column: ColumnId) -> bool {
        let title = self.book.step(step).title();
        let is_last = self.book.step(self.book.begins).title() == title;
        self.choosing.contains(title) || !self.is_fresh(step, column) && !is_last
    }

    /// Whether a state is made fresh where a step ends.
    fn is_fresh(&self, step: StepId, column: ColumnId) -> bool {
        self.fresh[column.0 as usize].contains(self.book.step(step).title())
    }

    fn too_late(&self, calls: &Calls, watch: &Watch) -> Option<Diagnostic> {
        let book = self.book;
        let reads = calls.reads(&watch.condition);
        let mut missed: Option<(StepId, ColumnId)> = None;
        for column in reads.iter().map(|column| ColumnId(column as u32)) {
            for &step in &self.setters[column.0 as usize] {
                if self.sees(step, column) {
                    return None;
                }
                missed.get_or_insert((step, column));
            }
        }
        let (step, column) = missed?;
        let (declared, title) = (book.column(column), book.step(step).title());
        let (name, at) = (&declared.name, first_set(book, step, column)?);
        let said = match self.is_fresh(step, column) {
            true => {
                let message = format!("`whenever {}` never sees what sets `{name}`", watch.name);
                Diagnostic::warning("lint::unwatched", watch.condition.span, message)
                    .label(format!("looked at when `{title}` ends: by then `{name}` is fresh again"))
                    .related(at, format!("only `{title}` sets it"))
                    .related(declared.span, "fresh each time that it ends")
                    .help(format!("do here what is to happen, or set `{name}` in a step that `{title}` does"))
            }
            false => {
                let message =
                    format!("`whenever {}` is looked at for the first time when all is over", watch.name);
                Diagnostic::warning("lint::unwatched", watch.condition.span, message)
                    .label("looked at when a step ends that sets what this reads")
                    .related(at, format!("only `{title}` sets `{name}`, and it ends with the game"))
                    .help(format!(
                        "set `{name}` in a step of its own that `{title}` does, and that ends each time"
                    ))
            }
        };
        Some(said)
    }
}
