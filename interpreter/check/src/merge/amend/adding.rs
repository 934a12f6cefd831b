//! What simply stands in an opened part is added to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{BinaryOp, Declaration, Links, Member, Name, Node, PlacingLine, Row, Table};

use super::replacing_parts::row_key;
use super::{Amender, Place};
use crate::merge::edits::{ClauseEdit, PartEdit, RuleEdit};
use crate::merge::ledger::Op;
use crate::merge::merged::column_path;
use crate::merge::pieces::{binary, merge_placing, not};

impl Amender<'_> {
    pub(super) fn add(&mut self, place: &Place, node: &Node, span: Span) {
        match (place, node) {
            (Place::Top, Node::Declaration(Declaration::Invariant(invariant))) => {
                let mut invariant = invariant.clone();
                if let Some(condition) = self.condition() {
                    // Under a condition it holds only then.
                    let always = invariant.condition.clone();
                    invariant.condition = binary(BinaryOp::Or, not(&condition), always);
                }
                self.merged.declare(self.layer, &Declaration::Invariant(invariant), self.diagnostics);
                return;
            }
            (Place::Top, Node::Declaration(Declaration::Watch(watch))) => {
                let mut watch = watch.clone();
                if let Some(condition) = self.condition() {
                    // Under a condition it watches only then.
                    watch.condition = binary(BinaryOp::And, condition, watch.condition);
                }
                self.merged.declare(self.layer, &Declaration::Watch(watch), self.diagnostics);
                return;
            }
            (Place::Top, Node::Declaration(declaration)) => {
                self.merged.declare(self.layer, declaration, self.diagnostics);
                return;
            }
            (_, Node::Clause(clause))
                if self.edit_clause(place, ClauseEdit::Add(clause.clone()), clause.span) =>
            {
                return;
            }
            (_, Node::Option(option))
                if self.edit_part(place, PartEdit::AddOption(option.clone()), option.span) =>
            {
                return;
            }
            _ => {}
        }
        // What is left is what it is for the whole game.
        if self.is_conditional(span) {
            return;
        }
        match (place, node) {
            // One that held only at times would keep its values from `else` at all times.
            (_, Node::When(when)) if self.edit_part(place, PartEdit::AddWhen(when.clone()), when.span) => {}
            (Place::Rule(rule), Node::Rows(rows)) => {
                for row in rows {
                    let asked = crate::merge::weave::asked(&self.merged.rules[*rule].rule, row);
                    let path = [format!("row {asked}")];
                    self.edit_rule(*rule, RuleEdit::Rows(vec![row.clone()]), (Op::Add, &path), row.span);
                }
            }
            (Place::Face(face), Node::Rows(_)) => self.no_rows(face, span),
            (Place::Kind(kind), Node::Things(things)) => {
                self.merged.add_things(*kind, things, self.diagnostics);
                let kind = self.merged.kinds[*kind].name.text.clone();
                self.are_in_rows(&kind, things);
                for thing in things {
                    self.note(vec![format!("kind {kind}"), thing.text.clone()], Op::Hang, thing.span);
                }
            }
            (Place::Kind(kind), Node::Member(member)) => {
                self.merged.add_member(self.layer, *kind, member, self.diagnostics);
                let kind = self.merged.kinds[*kind].name.text.clone();
                self.note(vec![format!("kind {kind}"), String::new()], Op::Hang, span);
                let name = match member {
                    Member::Fact(fact) => Some(&fact.name),
                    Member::State(state) => Some(&state.name),
                    Member::Seen(_) | Member::Back(_) => None,
                };
                if let Some(name) = name {
                    self.note(vec![column_path(&name.text, &kind)], Op::Add, span);
                }
            }
            (Place::Table(table), Node::Rows(rows)) => self.add_rows(*table, rows),
            (Place::Table(table), Node::NamedRows(rows)) => {
                let kind = self.merged.tables[*table].kind.text.clone();
                for row in rows {
                    self.note(vec![row_key(&kind, &row.thing)], Op::Hang, row.span);
                }
                Arc::make_mut(&mut self.merged.tables[*table]).named_rows.extend(rows.iter().cloned());
            }
            (Place::Links(links), Node::Links(more)) => {
                for link in more {
                    self.note_link(link, Op::Hang);
                }
                Arc::make_mut(&mut self.merged.links[*links]).links.extend(more.iter().cloned());
            }
            (Place::Links(links), Node::Rows(rows)) => self.add_link_rows(*links, rows),
            (Place::Setup(setup), Node::Placing(line)) => {
                let title = self.merged.setups[*setup].name.text.clone();
                // Two that place one thing, or set one state, are told by the setup.
                let op = match line {
                    PlacingLine::Placed { .. } | PlacingLine::Group { .. } => Op::Declare,
                    PlacingLine::Others { .. } | PlacingLine::Assign(_) => Op::Hang,
                };
                for name in self.merged.placed(line) {
                    self.note(vec![format!("setup {title}"), name], op, span);
                }
                merge_placing(&mut Arc::make_mut(&mut self.merged.setups[*setup]).placing.lines, line);
            }
            _ => {
                let mut diagnostic = Diagnostic::error("amend::missing", span, "this cannot be added here");
                diagnostic = diagnostic.help("open what it belongs to: `in rule …`, `in step …`, `in kind …`, `in table …`, `in setup …`");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The things that rows of tables make, and where.
    fn made_by_rows(&self, kind: &str) -> BTreeMap<&str, Span> {
        let tables = self.merged.tables.iter().filter(|table| table.kind.text == kind);
        let rows = tables.flat_map(|table| table.rows.iter().skip(1)).filter_map(|row| row.cells.first());
        rows.map(|cell| (cell.text.as_str(), cell.span)).collect()
    }

    /// Things are added that rows of a table have made already.
    fn are_in_rows(&mut self, kind: &str, things: &[Name]) {
        let made = self.made_by_rows(kind);
        let again = things.iter().filter_map(|thing| Some((thing, *made.get(thing.text.as_str())?)));
        let said: Vec<Diagnostic> = again
            .map(|(thing, old)| {
                let message = format!("the {kind} `{}` exists already", thing.text);
                Diagnostic::error("amend::exists", thing.span, message)
                    .related(old, "this row makes it")
                    .help("leave it out: a thing is made once")
            })
            .collect();
        self.diagnostics.extend(said);
    }

    /// Rows of a table: in the order of its heading, or of one that they bring; then they are a table beside it.
    fn add_rows(&mut self, table: usize, rows: &[Row]) {
        let kind = self.merged.tables[table].kind.text.clone();
        let heading = usize::from(begins_with(rows, &["name"]));
        let listed = self.merged.kinds.find(&kind).map(|kind| &kind.things);
        let made = self.made_by_rows(&kind);
        // A row of a thing that is there says more of it.
        let is_there = |thing: &str| {
            made.contains_key(thing) || listed.is_some_and(|things| things.find(thing).is_some())
        };
        let firsts = rows[heading..].iter().filter_map(|row| Some((row.cells.first()?, row.span)));
        let noted: Vec<_> = firsts
            .map(|(first, span)| {
                let op = if is_there(&first.text) { Op::Hang } else { Op::Add };
                (row_key(&kind, first), op, span)
            })
            .collect();
        noted.into_iter().for_each(|(key, op, span)| self.note(vec![key], op, span));
        let opened = &mut self.merged.tables[table];
        if heading == 0 {
            Arc::make_mut(opened).rows.extend(rows.iter().cloned());
            return;
        }
        let beside =
            Table { file: None, rows: rows.to_vec(), named_rows: Vec::new(), ..Table::clone(opened) };
        self.merged.tables.push(beside.into());
    }

    /// Rows of a list of links, likewise.
    fn add_link_rows(&mut self, links: usize, rows: &[Row]) {
        let opened = &mut self.merged.links[links];
        if !begins_with(rows, &["from", "to"]) {
            Arc::make_mut(opened).rows.extend(rows.iter().cloned());
            return;
        }
        let beside = Links { file: None, rows: rows.to_vec(), links: Vec::new(), ..Links::clone(opened) };
        self.merged.links.push(beside.into());
    }
}

/// Whether the first of these rows is a heading: its first cells are these.
pub(super) fn begins_with(rows: &[Row], words: &[&str]) -> bool {
    rows.first().is_some_and(|row| {
        row.cells.len() >= words.len() && row.cells.iter().zip(words).all(|(cell, word)| cell.text == *word)
    })
}
