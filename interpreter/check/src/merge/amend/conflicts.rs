//! What changes note in the ledger, and what is missed because another change took it out.

use blazon_diagnostics::Span;
use blazon_syntax::ast::{self, Expr, Name, PlacingLine, Statement, StatementKind};

use super::Amender;
use crate::merge::ledger::{Entry, Op};
use crate::merge::merged::Removed;
use crate::merge::sort::Sort;

impl Amender<'_> {
    /// Notes what is done to the part at the end of a path.
    pub(in crate::merge) fn note(&mut self, path: Vec<String>, op: Op, span: Span) {
        let conditional = !self.under.is_empty();
        self.merged.ledger.push(Entry { path, op, layer: self.layer, conditional, span });
    }

    /// Notes that something is taken out for good, to be shown where somebody still names it.
    pub(in crate::merge) fn note_removed(&mut self, what: Sort, name: &Name) {
        if self.under.is_empty() {
            self.merged.removed.push(Removed {
                what,
                name: name.text.clone(),
                layer: self.layer,
                span: name.span,
            });
        }
    }
}

/// What a line of a setup speaks of.
pub(super) fn placed(line: &PlacingLine) -> Vec<String> {
    match line {
        PlacingLine::Placed { things, .. } => things.iter().map(|(thing, _)| thing.text.clone()).collect(),
        PlacingLine::Group { lines, .. } => lines.iter().flat_map(placed).collect(),
        PlacingLine::Others(_) => vec!["others".to_owned()],
        PlacingLine::Assign(Statement { kind: StatementKind::Assign { target, .. }, .. }) => {
            vec![keys_text(std::slice::from_ref(target))]
        }
        PlacingLine::Assign(_) => Vec::new(),
    }
}

/// Whether a line of a setup gives a state its value.
pub(super) fn sets(line: &PlacingLine) -> bool {
    matches!(
        line,
        PlacingLine::Assign(Statement { kind: StatementKind::Assign { op: ast::AssignOp::Set, .. }, .. })
    )
}

/// Simple values as one text, to tell nodes apart.
pub(super) fn keys_text(args: &[Expr]) -> String {
    args.iter().map(ast::print::expr).collect::<Vec<_>>().join(", ")
}
