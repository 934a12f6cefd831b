//! `replace …` inside an opened item: clauses, needs, options, cases, lines of setups, rows.

use blazon_diagnostics::Span;
use blazon_syntax::ast::{self, ChoiceOption, Clause, Name, NamedRow, PlacingLine, Row, When};

use super::Amender;
use super::conflicts::placed;
use super::opening::label_of;
use super::pieces::{need_not, not, replace_placing, restrict, unlabelled};
use crate::merge::merged::rule_key;
use crate::merge::sort::Sort;
use crate::merge::visit::{choices_in, find_option, find_when};
use crate::references::DefinitionKind;

impl Amender<'_> {
    /// A clause of a rule, by its label.
    pub(super) fn replace_clause(&mut self, rule: usize, clause: &Clause) {
        let Some(label) = &clause.label else {
            self.diagnostics.push(unlabelled(clause.span));
            return;
        };
        if self.drop_clause(rule, label) {
            let node = format!("{} {}", rule_key(&self.merged.rules[rule].rule), label.text);
            self.note_change(&node, clause.span);
            let mut clause = self.conditioned(clause.clone());
            if !self.under.is_empty() {
                clause.label = Some(Name { text: format!("{} (changed)", label.text), span: label.span });
            }
            self.merged.rules[rule].rule.clauses.push(clause);
        }
    }

    /// An option of a step, by its name.
    pub(super) fn replace_option(&mut self, step: usize, option: &ChoiceOption, span: Span) {
        let under = self.condition();
        let title = self.merged.steps[step].step.name.text.clone();
        self.note_change(&format!("step {title} option {}", option.name.text), span);
        let replacement = self.conditioned_option(option.clone());
        let body = &mut self.merged.steps[step].step.body;
        if let Some(declared) = find_option(body, &option.name.text).map(|old| old.name.span) {
            self.merged.uses.note(option.name.span, DefinitionKind::Option, declared);
        }
        let body = &mut self.merged.steps[step].step.body;
        match find_option(body, &option.name.text) {
            Some(old) => match under {
                None => *old = replacement,
                Some(condition) => {
                    old.needs.push(need_not(&condition, old.span));
                    choices_in(body, &mut |choose| {
                        if choose.options.iter().any(|o| o.name.text == option.name.text) {
                            choose.options.push(replacement.clone());
                        }
                    });
                }
            },
            None => self.option_missing(step, &option.name),
        }
    }

    /// A need of an option, by its label.
    pub(super) fn replace_need(&mut self, step: usize, name: &str, what: &Sort, clause: &Clause) {
        let condition = self.condition();
        let mut clause = self.conditioned(clause.clone());
        if let Some(label) = &clause.label {
            let title = self.merged.steps[step].step.name.text.clone();
            self.note_change(&format!("step {title} option {name} {}", label.text), clause.span);
        }
        let Some(option) = find_option(&mut self.merged.steps[step].step.body, name) else { return };
        let declared = clause.label.as_ref().and_then(|label| label_of(&option.needs, &label.text));
        if let Some((label, declared)) = clause.label.as_ref().zip(declared) {
            self.merged.uses.note(label.span, DefinitionKind::Clause, declared);
        }
        let Some(option) = find_option(&mut self.merged.steps[step].step.body, name) else { return };
        let label = clause.label.as_ref().map(|label| label.text.clone());
        match option.needs.iter_mut().find(|need| need.label.as_ref().map(|l| l.text.clone()) == label) {
            Some(old) if label.is_some() => match condition {
                None => *old = clause,
                Some(condition) => {
                    restrict(old, &not(&condition));
                    if let Some(label) = &mut clause.label {
                        label.text.push_str(" (changed)");
                    }
                    option.needs.push(clause);
                }
            },
            _ => {
                let name = clause.label.clone().unwrap_or(Name { text: "needs".into(), span: clause.span });
                self.missing(what, &name, &[]);
            }
        }
    }

    /// A case of a step, by its first value.
    pub(super) fn replace_when(&mut self, step: usize, when: &When, span: Span) {
        let Some(value) = when.values.first() else { return };
        let name = ast::print::expr(value);
        let title = self.merged.steps[step].step.name.text.clone();
        self.note_change(&format!("step {title} when {name}"), span);
        match find_when(&mut self.merged.steps[step].step.body, &|old| old.same_as(value)) {
            Some(old) => *old = when.clone(),
            None => {
                let name = Name { text: name, span: when.span };
                self.missing(&Sort::CaseOf(title), &name, &[]);
            }
        }
    }

    /// A line of a setup, by what it speaks of.
    pub(super) fn replace_placed(&mut self, setup: usize, line: &PlacingLine, span: Span) {
        let title = self.merged.setups[setup].name.text.clone();
        for name in placed(line) {
            self.note_change(&format!("setup {title}: {name}"), span);
        }
        let lines = &mut self.merged.setups[setup].placing.lines;
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
                self.note_change(&format!("row {kind} {} {column}", row.thing.text), cell.span);
            }
            self.merged.overrides.push((kind.clone(), row.clone()));
        }
    }

    /// Rows of a table, by their first cell.
    pub(super) fn replace_rows(&mut self, table: usize, rows: &[Row]) {
        for row in rows {
            let first = row.cells.first().map(|cell| cell.text.clone()).unwrap_or_default();
            let kind = self.merged.tables[table].kind.text.clone();
            self.note_change(&format!("row {kind} {first}"), row.span);
            let target = &mut self.merged.tables[table].rows;
            match target.iter_mut().skip(1).find(|old| old.cells.first().is_some_and(|c| c.text == first)) {
                Some(old) => *old = row.clone(),
                None => self.missing(&Sort::Row, &Name { text: first, span: row.span }, &[]),
            }
        }
    }

    /// Rows of a rule that is a table: those that ask the same of the parameters to the left.
    pub(super) fn replace_rows_of_rule(&mut self, rule: usize, rows: &[Row]) {
        for row in rows {
            let target = &mut self.merged.rules[rule].rule;
            let params: Vec<&str> = target.params.iter().map(|param| param.name.text.as_str()).collect();
            let heading = target.rows.first().map(|row| row.cells.as_slice()).unwrap_or_default();
            let leading = heading.iter().take_while(|cell| params.contains(&cell.text.as_str())).count();
            let asked = |row: &Row| {
                row.cells.iter().take(leading).map(|cell| cell.text.clone()).collect::<Vec<_>>().join(" | ")
            };
            let wanted = asked(row);
            let node = format!("{} row {wanted}", rule_key(target));
            match target.rows.iter_mut().skip(1).find(|old| asked(old) == wanted) {
                Some(old) => {
                    *old = row.clone();
                    self.note_change(&node, row.span);
                }
                None => {
                    let what = Sort::RowOf(target.name.text.clone());
                    self.missing(&what, &Name { text: wanted, span: row.span }, &[]);
                }
            }
        }
    }
}
