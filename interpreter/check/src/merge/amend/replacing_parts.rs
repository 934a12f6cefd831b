//! `replace …` inside an opened item: lines of setups, rows.

use std::sync::Arc;

use blazon_diagnostics::Span;
use blazon_syntax::ast::{self, Expr, FactLine, Name, NamedRow, PlacingLine, Row};

use super::Amender;
use super::conflicts::{keys_text, placed};
use crate::merge::edits::RuleEdit;
use crate::merge::ledger::Op;
use crate::merge::merged::{FactChange, FactValue};
use crate::merge::pieces::replace_placing;
use crate::merge::sort::Sort;

impl Amender<'_> {
    /// `in fact guards(North Gate) { + Archers; - Spearmen }`: members of what is printed there.
    pub(super) fn members(&mut self, name: &Name, args: &[Expr], lines: &[FactLine], span: Span) {
        if self.is_conditional(span) {
            return;
        }
        let fact = format!("fact {}({})", name.text, keys_text(args));
        for line in lines {
            // What is added hangs on the set; what is taken is taken out of it.
            let op = if line.minus { Op::Remove } else { Op::Hang };
            for member in &line.members {
                self.note(vec![fact.clone(), ast::print::expr(member)], op, member.span);
            }
        }
        self.merged.fact_values.push(FactValue {
            name: name.clone(),
            args: args.to_vec(),
            change: FactChange::Members(lines.to_vec()),
            layer: self.layer,
        });
    }

    /// A line of a setup, by what it speaks of.
    pub(super) fn replace_placed(&mut self, setup: usize, line: &PlacingLine, span: Span) {
        let title = self.merged.setups[setup].name.text.clone();
        for name in placed(line) {
            self.note(vec![format!("setup {title}"), name], Op::Put, span);
        }
        let lines = &mut Arc::make_mut(&mut self.merged.setups[setup]).placing.lines;
        if !replace_placing(lines, line) {
            let name = Name { text: "line of this setup".into(), span };
            self.missing(&Sort::SetupLine, &name, &[]);
        }
    }

    /// Cells of a table, by their thing and column.
    pub(super) fn replace_named_rows(&mut self, table: usize, rows: &[NamedRow]) {
        let kind = self.merged.tables[table].kind.text.clone();
        for row in rows {
            // Two variants may print different columns of a thing anew; a cell begins with its column's name.
            for cell in &row.cells {
                let column = cell.text.split(' ').next().unwrap_or_default();
                let path = vec![format!("row {kind} {}", row.thing.text), column.to_owned()];
                self.note(path, Op::Put, cell.span);
            }
            self.merged.overrides.push((kind.clone(), row.clone()));
        }
    }

    /// Rows of a table, by their first cell.
    pub(super) fn replace_rows(&mut self, table: usize, rows: &[Row]) {
        for row in rows {
            let first = row.cells.first().map(|cell| cell.text.clone()).unwrap_or_default();
            let kind = self.merged.tables[table].kind.text.clone();
            self.note(vec![format!("row {kind} {first}")], Op::Put, row.span);
            let target = &mut Arc::make_mut(&mut self.merged.tables[table]).rows;
            match target.iter_mut().skip(1).find(|old| old.cells.first().is_some_and(|c| c.text == first)) {
                Some(old) => *old = row.clone(),
                None => self.missing(&Sort::Row, &Name { text: first, span: row.span }, &[]),
            }
        }
    }

    /// Rows of a rule that is a table: those that ask the same of the parameters to the left.
    pub(super) fn replace_rows_of_rule(&mut self, rule: usize, rows: &[Row]) {
        for row in rows {
            let asked = crate::merge::weave::asked(&self.merged.rules[rule].rule, row);
            let path = [format!("row {asked}")];
            self.edit_rule(rule, RuleEdit::PutRows(vec![row.clone()]), (Op::Put, &path), row.span);
        }
    }
}
