//! Where things are that stand on no place.

use std::collections::BTreeSet;

use blazon_book::walk::{Visit, walk_block};
use blazon_book::{Block, Book, ColumnId, ExprKind, Statement, StatementKind, Value};

/// The states that a step sets in the same breath as it takes a thing from its place: they say what becomes of it, such as
/// in which box it lies then. A state that goes on whether a thing stands anywhere or not, as where it faces, is none.
pub fn set_when_taken_off(book: &Book, at: ColumnId) -> BTreeSet<ColumnId> {
    let mut taken = Taken { at, found: BTreeSet::new() };
    book.steps.iter().for_each(|step| taken.visit_block(&step.body));
    let keys = &book.column(at).keys;
    taken.found.retain(|column| *column != at && book.column(*column).keys == *keys);
    taken.found
}

struct Taken {
    at: ColumnId,
    found: BTreeSet<ColumnId>,
}

impl<'b> Visit<'b> for Taken {
    fn visit_block(&mut self, block: &'b Block) {
        let set = |statement: &'b Statement| {
            let StatementKind::Assign { column, value, .. } = &statement.kind else { return None };
            Some((*column, value))
        };
        let is_absent =
            |value: &Value| matches!(value, Value::Expr(expr) if matches!(expr.kind, ExprKind::Absent));
        if block.iter().filter_map(set).any(|(column, value)| column == self.at && is_absent(value)) {
            self.found.extend(block.iter().filter_map(set).map(|(column, _)| column));
        }
        walk_block(self, block);
    }
}
