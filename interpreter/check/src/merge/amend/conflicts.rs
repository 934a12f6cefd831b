//! What changes note in the ledger, and what is missed because another change took it out.

use std::collections::BTreeSet;

use blazon_diagnostics::Span;
use blazon_syntax::ast::{self, BinaryOp, Expr, ExprKind, Name, PlacingLine, Statement, StatementKind};

use super::Amender;
use crate::merge::ledger::{Entry, Op};
use crate::merge::merged::{FactChange, Merged, Removed, first_key};
use crate::merge::order::Standing;
use crate::merge::sort::Sort;
use crate::merge::visit::kind_in_brackets;

impl Amender<'_> {
    /// Notes what is done to the part at the end of a path.
    pub(in crate::merge) fn note(&mut self, path: Vec<String>, op: Op, span: Span) {
        let conditional = !self.under.is_empty();
        self.merged.ledger.push(Entry { path, op, layer: self.layer, conditional, span });
    }

    /// Notes that values are printed anew in a row, or at a link. What layers below printed there is there no more: another
    /// value, and what they took from a set. What they added to it hangs on it.
    pub(super) fn print_anew(&mut self, row: &str, columns: &[(&str, Span)]) {
        let at = |column: &str| vec![row.to_owned(), column.to_owned()];
        for (column, span) in columns {
            self.note(at(column), Op::Put, *span);
        }
        let is_printed = |path: &Vec<String>| columns.iter().any(|(column, _)| at(column) == *path);
        let mut changes = std::mem::take(&mut self.merged.fact_values);
        changes.retain_mut(|change| {
            let mut paths = self.merged.printed_at(&change.name.text, &change.args).into_iter();
            if self.order.of(self.layer, change.layer) != Standing::Above
                || !paths.any(|path| is_printed(&path))
            {
                return true;
            }
            let FactChange::Members(lines) = &mut change.change else { return false };
            lines.retain(|line| !line.minus);
            change.is_printed_over = true;
            !lines.is_empty()
        });
        self.merged.fact_values = changes;
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
            PlacingLine::Others { .. } => vec!["others".to_owned()],
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

    /// Where a printed value stands: in the row of its thing or at its link, whether it is printed anew there or as a fact
    /// of its own. Of facts of one name those of all kinds are meant.
    pub(super) fn printed_at(&self, name: &str, keys: &[Expr]) -> Vec<Vec<String>> {
        let alone = || vec![vec![format!("fact {}", self.entry_of(name, &keys.iter().collect::<Vec<_>>()))]];
        let Some((first, others)) = keys.split_first() else { return alone() };
        let (thing, others) = (self.key_text(first), others.iter().map(|key| self.key_text(key)));
        let others: Vec<String> = others.collect();
        let column = match others.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", others.join(", ")),
        };
        let is_link = matches!(first.kind, ExprKind::Binary(BinaryOp::Minus, ..));
        let columns = self.columns.named(name).iter().map(|&place| &self.columns[place]);
        let rows: BTreeSet<String> = columns
            .filter_map(first_key)
            .map(|kind| if is_link { format!("link {thing}") } else { format!("row {kind} {thing}") })
            .collect();
        if rows.is_empty() {
            return alone();
        }
        rows.into_iter().map(|row| vec![row, column.clone()]).collect()
    }

    /// The column of a cell of a row by name, with a key in brackets if it has one: the longest name that begins the cell.
    pub(crate) fn column_of_cell<'c>(&self, kind: &str, cell: &'c str) -> &'c str {
        let begins = |name: &str| {
            cell.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '(']))
        };
        let of_kind = self.columns.iter().filter(|column| first_key(column).as_deref() == Some(kind));
        let names = of_kind.map(|column| column.decl.name().text.as_str()).filter(|name| begins(name));
        let mut length = names.map(str::len).max().unwrap_or_else(|| cell.find(' ').unwrap_or(cell.len()));
        if cell[length..].starts_with('(')
            && let Some(close) = cell[length..].find(')')
        {
            length += close + 1;
        }
        &cell[..length]
    }

    /// A thing by its name alone; a link with its ends in alphabetical order.
    fn key_text(&self, key: &Expr) -> String {
        if let ExprKind::Binary(BinaryOp::Minus, from, to) = &key.kind {
            let (from, to) = (self.key_text(from), self.key_text(to));
            return if from <= to { format!("{from} - {to}") } else { format!("{to} - {from}") };
        }
        let Some(name) = key.as_name() else { return ast::print::expr(key) };
        match kind_in_brackets(&name) {
            Some((bare, kind)) if self.kinds.find(kind).is_some() => bare.to_owned(),
            Some(_) | None => name.into_owned(),
        }
    }
}
