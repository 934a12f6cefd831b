//! What changes note in the ledger, and what is missed because another change took it out.

use blazon_diagnostics::Span;
use blazon_syntax::ast::{self, BinaryOp, Expr, ExprKind, Name, PlacingLine, Statement, StatementKind};

use super::Amender;
use crate::merge::ledger::{Entry, Op};
use crate::merge::merged::{Merged, Removed};
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

impl Merged {
    /// What a line of a setup speaks of.
    pub(super) fn placed(&self, line: &PlacingLine) -> Vec<String> {
        match line {
            PlacingLine::Placed { things, .. } => {
                things.iter().map(|(thing, _)| thing.text.clone()).collect()
            }
            PlacingLine::Group { lines, .. } => lines.iter().flat_map(|line| self.placed(line)).collect(),
            PlacingLine::Others(_) => vec!["others".to_owned()],
            PlacingLine::Assign(Statement { kind: StatementKind::Assign { target, .. }, .. }) => {
                vec![self.entry(target)]
            }
            PlacingLine::Assign(_) => Vec::new(),
        }
    }

    /// A state of certain things as one text: `f(b, x)` and `b.f(x)` are the same.
    pub(super) fn entry(&self, target: &Expr) -> String {
        match &target.kind {
            ExprKind::Dot(subject, call) => {
                let keys: Vec<&Expr> = std::iter::once(&**subject).chain(&call.args).collect();
                self.entry_of(&call.name.text, &keys)
            }
            ExprKind::Call(call) => self.entry_of(&call.name.text, &call.args.iter().collect::<Vec<_>>()),
            ExprKind::Text(_)
            | ExprKind::Number(_)
            | ExprKind::Flag(_)
            | ExprKind::None
            | ExprKind::Thing(_)
            | ExprKind::Not(_)
            | ExprKind::Binary(..)
            | ExprKind::Rounded(..)
            | ExprKind::Range(..)
            | ExprKind::Otherwise(..)
            | ExprKind::Query(_)
            | ExprKind::List(_) => ast::print::expr(target),
        }
    }

    /// A fact or state of certain things as one text, however they are written.
    pub(super) fn entry_of(&self, name: &str, keys: &[&Expr]) -> String {
        let keys: Vec<String> = keys.iter().map(|key| self.key_text(key)).collect();
        format!("{name}({})", keys.join(", "))
    }

    /// A thing by its name alone; a link with its ends in alphabetical order.
    fn key_text(&self, key: &Expr) -> String {
        if let ExprKind::Binary(BinaryOp::Minus, from, to) = &key.kind {
            let (from, to) = (self.key_text(from), self.key_text(to));
            return if from <= to { format!("{from} - {to}") } else { format!("{to} - {from}") };
        }
        let Some(name) = key.as_name() else { return ast::print::expr(key) };
        let bare = name.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        match bare {
            Some((bare, kind)) if self.kinds.find(kind).is_some() => bare.to_owned(),
            Some(_) | None => name.into_owned(),
        }
    }
}
