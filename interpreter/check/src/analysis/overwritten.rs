//! What is set and, before anything can have read it, set anew: by the next lines of the same step, with what changes hang
//! around it, or since the step ends there for which it is fresh.

use std::collections::BTreeMap;

use blazon_book::walk::{ExprKey, Reads, Visit, walk_block};
use blazon_book::{
    AssignOp, Block, Book, ColumnId, Expr, Role, Statement, StatementKind, Step, StepId, Value,
};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;
use crate::analysis::of_tests::OfTests;
use crate::project::{Layer, Parsed};

/// Warns of each line that sets what another sets anew before it is read. Whoever plays by the library cannot mend it, and
/// what stands among tests may be tried in any way.
pub(crate) fn overwritten(
    book: &Book,
    calls: &Calls,
    of_tests: &OfTests,
    parsed: &Parsed,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let steps = (0..).map(StepId).zip(&book.steps);
    for (_, step) in steps.filter(|(id, _)| !of_tests.steps.contains(id)) {
        let mut found = Found { book, calls, parsed, told: Vec::new() };
        let left = found.unread(&step.body);
        if !step.is_part {
            found.made_fresh(step, left);
        }
        walk_block(&mut found, &step.body);
        diagnostics.append(&mut found.told);
    }
}

/// The states of things that are set and not read yet, and where.
type Unread = BTreeMap<ColumnId, BTreeMap<Vec<ExprKey>, Span>>;

struct Found<'b> {
    book: &'b Book,
    calls: &'b Calls,
    parsed: &'b Parsed,
    told: Vec<Diagnostic>,
}

impl Found<'_> {
    /// Goes straight through a block: what leads elsewhere may come to where all is read. What is set and not read at the end.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others may lead to where anything is read")]
    fn unread(&mut self, block: &Block) -> Unread {
        let mut unread = Unread::new();
        for statement in block {
            match &statement.kind {
                StatementKind::Let(_, Value::Expr(_)) | StatementKind::Say { .. } => {
                    self.read(statement, &mut unread);
                }
                StatementKind::Assign { column, keys, op: AssignOp::Set, value } if !is_step(value) => {
                    self.read(statement, &mut unread);
                    // What a way that changes leads to may be another thing each time.
                    if keys.iter().any(|key| !is_steady(key)) {
                        continue;
                    }
                    let things = keys.iter().map(ExprKey::of).collect();
                    if let Some(first) = unread.entry(*column).or_default().insert(things, statement.span) {
                        self.overwritten(*column, first, statement.span);
                    }
                }
                _ => unread.clear(),
            }
        }
        unread
    }

    fn read(&self, statement: &Statement, unread: &mut Unread) {
        let read = self.calls.through_rules(&Reads::of_statement(statement));
        for column in read.iter() {
            unread.remove(&ColumnId(column as u32));
        }
    }

    /// Whether somebody may be told of a line. What a layer sets anew of those below it, it means to.
    fn is_judged(&self, at: Span, by: Span) -> bool {
        let layer = |span: Span| self.parsed.layer_of(span.source);
        let is_meant = match layer(by) {
            Some(above @ Layer::Variant(_)) => layer(at) != Some(above),
            Some(below) => layer(at) < Some(below),
            None => true,
        };
        !is_meant && !at.is_empty() && self.parsed.is_judged_at(at)
    }

    fn overwritten(&mut self, column: ColumnId, first: Span, by: Span) {
        if !self.is_judged(first, by) {
            return;
        }
        let message = format!("`{}` is set anew before anything reads this", self.book.column(column).name);
        let said = Diagnostic::warning("lint::changes-nothing", first, message)
            .label("lost")
            .related(by, "set anew here");
        self.told.push(
            said.help(
                "take one of the two out; what shall come later stands behind the other, or in its place",
            ),
        );
    }

    fn made_fresh(&mut self, step: &Step, unread: Unread) {
        for (column, at) in
            unread.into_iter().flat_map(|(column, all)| all.into_values().map(move |at| (column, at)))
        {
            let declared = self.book.column(column);
            let Role::State { fresh, .. } = &declared.role else { continue };
            let is_own = |fresh: &StepId| self.book.step(*fresh).title() == step.title();
            if self.is_judged(at, at) && fresh.iter().any(is_own) {
                let (name, title) = (&declared.name, step.title());
                let message =
                    format!("`{name}` is made fresh before anything reads this: `{title}` ends here");
                let said = Diagnostic::warning("lint::changes-nothing", at, message).label("lost");
                let help = format!("set it where it is read, or leave `fresh each {title}` out");
                self.told.push(said.related(declared.span, "declared here").help(help));
            }
        }
    }
}

fn is_step(value: &Value) -> bool {
    matches!(value, Value::Step(..))
}

/// Whether an expression is the same thing however states change.
fn is_steady(key: &Expr) -> bool {
    let reads = Reads::of_expr(key);
    reads.columns.is_empty() && reads.rules.is_empty()
}

impl<'b> Visit<'b> for Found<'_> {
    fn visit_block(&mut self, block: &'b Block) {
        self.unread(block);
        walk_block(self, block);
    }

    /// Expressions set nothing.
    fn visit_expr(&mut self, _: &'b Expr) {}
}
