//! How a loop is left from within: by `stop`, by `return`, by a win. What is done in other steps is not looked at.

use blazon_book::walk::{Visit, walk_statement};
use blazon_book::{Expr, Statement, StatementKind};

/// Whether a loop's body can leave it, or a part of a block what stands behind it.
pub(crate) fn leaves(body: &[Statement]) -> bool {
    WaysOut::of(body).found
}

/// Whether a loop's body can leave it and stay in the step.
pub(crate) fn stops(body: &[Statement]) -> bool {
    WaysOut::of(body).stops
}

/// Looks for what leaves a loop.
struct WaysOut {
    /// How many loops stand between here and the one to leave: `stop` leaves only the innermost.
    loops: usize,
    found: bool,
    /// Whether what was found is a `stop`.
    stops: bool,
}

impl WaysOut {
    fn of(body: &[Statement]) -> Self {
        let mut ways = Self { loops: 0, found: false, stops: false };
        body.iter().for_each(|statement| ways.visit_statement(statement));
        ways
    }
}

impl<'b> Visit<'b> for WaysOut {
    fn visit_statement(&mut self, statement: &'b Statement) {
        match &statement.kind {
            StatementKind::Stop if self.loops == 0 => (self.found, self.stops) = (true, true),
            StatementKind::Stop => {}
            // What should stand in a hole may well leave.
            StatementKind::Return(_) | StatementKind::Win(_) | StatementKind::Invalid(_) => self.found = true,
            StatementKind::For { body, otherwise, .. } => {
                self.loops += 1;
                self.visit_block(body);
                self.loops -= 1;
                otherwise.iter().for_each(|block| self.visit_block(block));
            }
            StatementKind::While(_, body) => {
                self.loops += 1;
                self.visit_block(body);
                self.loops -= 1;
            }
            StatementKind::Let(..)
            | StatementKind::Assign { .. }
            | StatementKind::If(..)
            | StatementKind::Case { .. }
            | StatementKind::Choose(_)
            | StatementKind::Say { .. }
            | StatementKind::Do(..) => walk_statement(self, statement),
        }
    }

    /// No expression leaves anything.
    fn visit_expr(&mut self, _: &'b Expr) {}
}
