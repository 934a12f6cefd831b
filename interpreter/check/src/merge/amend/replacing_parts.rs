//! `replace …` inside an opened item: lines of setups, rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Expr, FactLine, Name, NamedRow, PlacingLine, Row};

use super::Amender;
use crate::merge::edits::RuleEdit;
use crate::merge::ledger::Op;
use crate::merge::merged::{FactChange, FactValue};
use crate::merge::order::Standing;
use crate::merge::pieces::{drop_settings, replace_placing};
use crate::merge::sort::Sort;

impl Amender<'_> {
    /// `in fact guards(North Gate) { + Archers; - Spearmen }`: members of what is printed there.
    pub(super) fn members(&mut self, name: &Name, args: &[Expr], lines: &[FactLine], span: Span) {
        if self.is_conditional(span) {
            return;
        }
        let facts = self.merged.printed_at(&name.text, args);
        for line in lines {
            // What is added hangs on the set; what is taken is taken out of it.
            let op = if line.minus { Op::Remove } else { Op::Hang };
            for member in &line.members {
                for fact in &facts {
                    let path = fact.iter().cloned().chain([ast::print::expr(member)]).collect();
                    self.note(path, op, member.span);
                }
            }
        }
        self.merged.fact_values.push(FactValue {
            name: name.clone(),
            args: args.to_vec(),
            change: FactChange::Members(lines.to_vec()),
            layer: self.layer,
            is_printed_over: false,
        });
    }

    /// A line of a setup, by what it speaks of.
    pub(super) fn replace_placed(&mut self, setup: usize, line: &PlacingLine, span: Span) {
        let title = self.merged.setups[setup].name.text.clone();
        for name in self.merged.placed(line) {
            self.note(vec![format!("setup {title}"), name], Op::Put, span);
        }
        let sets_below = self.set_below(setup, &title, line);
        let mut lines = std::mem::take(&mut Arc::make_mut(&mut self.merged.setups[setup]).placing.lines);
        drop_settings(&mut lines, &|target| sets_below.contains(&self.merged.entry(target)));
        let is_replaced = replace_placing(&mut lines, line, &|target| self.merged.entry(target));
        Arc::make_mut(&mut self.merged.setups[setup]).placing.lines = lines;
        if !is_replaced {
            let name = Name { text: "line of this setup".into(), span };
            self.missing(&Sort::SetupLine, &name, &[]);
        }
    }

    /// The states that lines below a layer set of what its line places anew: that line says them now.
    fn set_below(&self, setup: usize, title: &str, line: &PlacingLine) -> BTreeSet<String> {
        let keys = &self.merged.setups[setup].placing.keys;
        let things = if matches!(line, PlacingLine::Placed { .. } | PlacingLine::Group { .. }) {
            self.merged.placed(line)
        } else {
            Vec::new()
        };
        let entries =
            things.iter().flat_map(|thing| keys.iter().map(move |key| format!("{}({thing})", key.text)));
        let is_known = |entry: &String| {
            let path = [format!("setup {title}"), entry.clone()];
            let mut by = self.merged.ledger.iter().filter(|one| one.path == path);
            by.all(|one| self.order.of(self.layer, one.layer) == Standing::Above)
        };
        entries.filter(is_known).collect()
    }

    /// Cells of a table, by their thing and column.
    pub(super) fn replace_named_rows(&mut self, table: usize, rows: &[NamedRow]) {
        let kind = self.merged.tables[table].kind.text.clone();
        for row in rows {
            // Two variants may print different columns of a thing anew.
            let columns: Vec<(&str, Span)> = row
                .cells
                .iter()
                .map(|cell| (self.merged.column_of_cell(&kind, &cell.text), cell.span))
                .collect();
            self.print_anew(&row_key(&kind, &row.thing), &columns);
            self.merged.overrides.push((kind.clone(), row.clone()));
        }
    }

    /// Rows of a table, by their first cell.
    pub(super) fn replace_rows(&mut self, table: usize, rows: &[Row]) {
        for row in rows {
            let Some(name) = row.cells.first() else { continue };
            let first = name.text.clone();
            let kind = self.merged.tables[table].kind.text.clone();
            let key = row_key(&kind, name);
            self.note(vec![key.clone()], Op::Put, row.span);
            let heading = self.merged.tables[table].rows.first().cloned();
            let cells = heading.iter().flat_map(|heading| &heading.cells).skip(1);
            let columns: Vec<(&str, Span)> = cells.map(|cell| (cell.text.as_str(), row.span)).collect();
            self.print_anew(&key, &columns);
            // What the row says now, nothing below says otherwise.
            let mut overrides = std::mem::take(&mut self.merged.overrides);
            for (_, old) in overrides.iter_mut().filter(|(of, old)| row_key(of, &old.thing) == key) {
                let is_printed = |cell: &Name| {
                    let column = self.merged.column_of_cell(&kind, &cell.text);
                    columns.iter().any(|(printed, _)| *printed == column)
                };
                old.cells.retain(|cell| !is_printed(cell));
            }
            overrides.retain(|(_, row)| !row.cells.is_empty());
            self.merged.overrides = overrides;
            let is_meant = |old: &Row| old.cells.first().is_some_and(|c| c.text == first && self.is_known(c));
            let rows = &self.merged.tables[table].rows;
            let meant = rows.iter().skip(1).position(is_meant);
            match meant {
                Some(meant) => Arc::make_mut(&mut self.merged.tables[table]).rows[meant + 1] = row.clone(),
                None => self.missing(&Sort::Row, &Name { text: first, span: row.span }, &[]),
            }
        }
    }

    /// Complains of a row that would be replaced below a heading that stands in the same braces: that is of new rows.
    pub(super) fn row_of_other_heading(&mut self, heading: Span, row: Span) {
        let message = "a row that is replaced has the columns of the table that is opened";
        let said = Diagnostic::error("amend::missing", row, message)
            .related(heading, "this heading is of rows that are added");
        self.diagnostics.push(said.help(
            "write it by name, with the columns that change: `replace NAME: COLUMN VALUE; COLUMN VALUE`",
        ));
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

/// What the ledger calls a row of a table.
pub(super) fn row_key(kind: &str, thing: &Name) -> String {
    format!("row {kind} {}", thing.text.trim_matches('\''))
}
