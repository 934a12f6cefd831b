//! `remove …` and `waive …`.

use std::sync::Arc;

use blazon_diagnostics::{Article, Diagnostic, Span};
use blazon_syntax::ast::{self, Name, PartKind, Removable};

use super::replacing_parts::row_key;
use super::{Amender, Place};
use crate::merge::edits::{ClauseEdit, Opened, PartEdit};
use crate::merge::ledger::Op;
use crate::merge::merged::{RemovedLink, Scope, column_key, rule_key, step_key};
use crate::merge::pieces::remove_placed;
use crate::merge::sort::Sort;
use crate::merge::visit::read_choices;
use crate::references::DefinitionKind;

impl Amender<'_> {
    /// Takes something out. Variants that agree in this do not clash.
    pub(super) fn remove(&mut self, place: &Place, what: &Removable, span: Span) {
        self.removes = true;
        self.remove_part(place, what, span);
        self.removes = false;
    }

    fn remove_part(&mut self, place: &Place, what: &Removable, span: Span) {
        if let Removable::Named { what, name, beside } = what {
            let opened = |kind| Opened { kind, name: name.clone(), beside: beside.clone() };
            let hangs = match what.text.as_str() {
                "clause" | "needs" => {
                    self.edit_clause(place, ClauseEdit::Drop(name.clone()), name.span)
                        || self.nothing_to_waive(&format!("remove {}", what.text), name)
                }
                "option" => self.edit_part(place, PartEdit::DropOption(opened(PartKind::Option)), name.span),
                _ => false,
            };
            if hangs {
                return;
            }
        }
        if self.is_conditional(span) {
            return;
        }
        match what {
            Removable::Link(link) => {
                self.note_link(link, Op::Remove);
                self.remove_link(place, link);
            }
            Removable::Thing(thing) => self.remove_thing(place, thing),
            Removable::Test(name) => self.remove_test(place, name, span),
            Removable::Named { what, name, beside } => match (what.text.as_str(), place) {
                ("when", Place::Step(_) | Place::Part(..)) => {
                    let opened = Opened { kind: PartKind::When, name: name.clone(), beside: beside.clone() };
                    self.edit_part(place, PartEdit::DropWhen(opened), name.span);
                }
                ("rule", _) => {
                    if let Some(found) = self.find_rule(name) {
                        let rule = self.merged.rules.remove(found).rule;
                        self.note(vec![rule_key(&rule)], Op::Remove, span);
                        self.note_removed(Sort::Rule, name);
                    }
                }
                ("step", _) => {
                    if let Some(found) = self.find_step(name) {
                        self.merged.steps.remove(found);
                        self.note(vec![step_key(&name.text)], Op::Remove, span);
                        self.note_removed(Sort::Step, name);
                    }
                }
                ("kind", _) => {
                    let names = self.merged.kinds.iter().map(|kind| kind.name.text.clone()).collect();
                    if let Some(found) = self.find(&Sort::Kind, name, names) {
                        self.merged.kinds.remove(found);
                        self.note(vec![format!("kind {}", name.text)], Op::Remove, span);
                        self.note_removed(Sort::Kind, name);
                    }
                }
                ("fact" | "state", _) => {
                    let names =
                        self.merged.columns.iter().map(|column| column.decl.name().text.clone()).collect();
                    if let Some(found) = self.find(&Sort::Column, name, names) {
                        let column = self.merged.columns.remove(found);
                        self.note(vec![column_key(&column)], Op::Remove, span);
                        self.note_removed(Sort::Column, name);
                    }
                }
                ("look", _) => {
                    let old = self.merged.looks.find(&name.text).cloned();
                    // It says the names again that the look says.
                    let here = old.clone().map(|look| ast::Look { name: name.clone(), ..look });
                    self.merged.unseen.looks.extend(old.into_iter().chain(here));
                    self.remove_whole(what, name, span);
                }
                _ if self.remove_whole(what, name, span) => {}
                _ => self.diagnostics.push(
                    Diagnostic::error(
                        "amend::missing",
                        span,
                        format!("{} cannot be removed here", Article(&what.text)),
                    )
                    .help("open what it belongs to first: `in rule …`, `in step …`"),
                ),
            },
        }
    }

    /// Takes a link out: at the margin wherever it is, inside a list of links out of that.
    fn remove_link(&mut self, place: &Place, link: &ast::Link) {
        let name = Name { text: format!("{} - {}", link.from.text, link.to.text), span: link.span };
        if !self.merged.grids.is_empty() || self.merged.links.iter().any(|links| !links.rows.is_empty()) {
            // Grids and files name things by numbers, too: what is meant is known when they are.
            let scope = if let Place::Links(list) = place { Scope::List(*list) } else { Scope::Everywhere };
            self.merged.removed_links.push(RemovedLink { scope, link: link.clone() });
            self.note_removed(Sort::Link, &name);
        } else if self.take_link(place, link) {
            self.note_removed(Sort::Link, &name);
        } else {
            // Another may have taken it out by its other end.
            let turned = Name { text: format!("{} - {}", link.to.text, link.from.text), span: link.span };
            if !(self.removes && self.is_agreed(&Sort::Link, &turned)) {
                self.missing(&Sort::Link, &name, &[]);
            }
        }
    }

    /// Puts a link into a list and takes it out of those that say the same of it.
    pub(super) fn replace_link(&mut self, list: usize, link: &ast::Link) {
        if !self.merged.grids.is_empty() || self.merged.links.iter().any(|links| !links.rows.is_empty()) {
            self.merged.removed_links.push(RemovedLink { scope: Scope::Replaced(list), link: link.clone() });
        } else if let Some((old, place)) = self.find_link(&Place::Top, link) {
            self.merged.moved_links.insert(self.merged.links[old].links[place].span);
        } else {
            self.remove_link(&Place::Top, link);
        }
        Arc::make_mut(&mut self.merged.links[list]).links.push(link.clone());
    }

    fn take_link(&mut self, place: &Place, link: &ast::Link) -> bool {
        let Some((list, place)) = self.find_link(place, link) else { return false };
        Arc::make_mut(&mut self.merged.links[list]).links.remove(place);
        true
    }

    /// The list that says a link, inside a list that one, and the place there.
    fn find_link(&self, within: &Place, link: &ast::Link) -> Option<(usize, usize)> {
        let same = |l: &ast::Link| {
            let is_same = (l.from.text == link.from.text && l.to.text == link.to.text)
                || (l.from.text == link.to.text && l.to.text == link.from.text);
            is_same && !self.merged.moved_links.contains(&l.span)
        };
        let is_meant = |list: usize| if let Place::Links(only) = within { *only == list } else { true };
        let mut lists = self.merged.links.iter().enumerate().filter(|(list, _)| is_meant(*list));
        lists.find_map(|(list, links)| Some((list, links.links.iter().position(same)?)))
    }

    /// Notes what is done to a link, by its ends.
    pub(super) fn note_link(&mut self, link: &ast::Link, op: Op) {
        self.note(vec![link_key(link)], op, link.span);
        self.note_ends(link);
    }

    pub(super) fn remove_thing(&mut self, place: &Place, thing: &Name) {
        match place {
            Place::Setup(setup) => {
                let title = self.merged.setups[*setup].name.text.clone();
                self.note(vec![format!("setup {title}"), thing.text.clone()], Op::Remove, thing.span);
                if let Some(kind) = self.merged.setups[*setup].placing.kind.clone() {
                    self.note_thing(&kind.text, thing);
                }
                if !remove_placed(
                    &mut Arc::make_mut(&mut self.merged.setups[*setup]).placing.lines,
                    &thing.text,
                ) {
                    self.missing(&Sort::PlacedIn(title), thing, &[]);
                } else {
                    self.note_removed(Sort::PlacedIn(title), thing);
                }
            }
            Place::Table(table) => {
                let kind = self.merged.tables[*table].kind.text.clone();
                self.drop_rows(&kind, thing);
            }
            Place::Kind(kind) => {
                let kind = self.merged.kinds[*kind].name.text.clone();
                let place = self.merged.kinds.iter().position(|k| k.name.text == kind).unwrap_or(0);
                let before = self.merged.kinds[place].things.len();
                if let Some(old) = self.merged.kinds[place].things.iter().find(|old| old.text == thing.text) {
                    let declared = old.span;
                    self.merged.uses.note(thing.span, DefinitionKind::Thing, declared);
                }
                let things = &mut self.merged.kinds[place].things;
                if let Some(found) = things.place(&thing.text) {
                    things.remove(found);
                }
                if self.merged.kinds[place].things.len() == before {
                    self.drop_rows(&kind, thing);
                } else {
                    self.note_removed(Sort::Thing(kind), thing);
                }
            }
            Place::Top
            | Place::Rule(_)
            | Place::Face(_)
            | Place::Step(_)
            | Place::Part(..)
            | Place::Links(_) => self.missing(&Sort::Listing, thing, &[]),
        }
    }

    pub(super) fn drop_rows(&mut self, kind: &str, thing: &Name) {
        self.note(vec![row_key(kind, thing)], Op::Remove, thing.span);
        let mut gone = false;
        self.note_thing(kind, thing);
        for table in self.merged.tables.iter_mut().filter(|table| table.kind.text == kind) {
            let table = Arc::make_mut(table);
            let before = table.rows.len() + table.named_rows.len();
            let mut heading = true;
            table.rows.retain(|row| {
                let keep = heading || row.cells.first().is_none_or(|cell| cell.text != thing.text);
                heading = false;
                keep
            });
            table.named_rows.retain(|row| row.thing.text != thing.text);
            gone |= table.rows.len() + table.named_rows.len() < before;
        }
        if gone {
            self.merged.removed_things.push((kind.to_owned(), thing.clone()));
            self.note_removed(Sort::Thing(kind.to_owned()), thing);
        } else {
            self.missing(&Sort::Thing(kind.to_owned()), thing, &[]);
        }
    }

    /// `waive peace`
    pub(super) fn waive(&mut self, place: &Place, label: &Name) {
        if !self.edit_clause(place, ClauseEdit::Drop(label.clone()), label.span) {
            self.nothing_to_waive("waive", label);
        }
    }

    /// Complains of a clause that is taken out where nothing is opened that has clauses.
    fn nothing_to_waive(&mut self, word: &str, label: &Name) -> bool {
        let has = |clauses: &[ast::Clause]| {
            let is_it = |clause: &ast::Clause| matches!(&clause.label, Some(own) if own.text == label.text);
            clauses.iter().any(is_it)
        };
        let rules = self.merged.rules.iter().filter(|rule| has(&rule.rule.clauses));
        let steps = self.merged.steps.iter().filter(|step| has(&step.step.laws));
        let rules = rules.map(|rule| format!("in rule {}", rule.rule.name.text));
        let mut homes: Vec<String> =
            rules.chain(steps.map(|step| format!("in step {}", step.step.name.text))).collect();
        for step in self.merged.steps.iter() {
            read_choices(&step.step.body, &mut |choose| {
                let options = choose.options.iter().filter(|option| has(&option.needs));
                homes.extend(options.map(|option| {
                    format!("in step {} {{ in option {}", step.step.name.text, option.name.text)
                }));
            });
        }
        let [home] = &homes[..] else {
            self.missing(&Sort::Need, label, &[]);
            return true;
        };
        let closed = " }".repeat(home.matches(" { ").count() + 1);
        let said = Diagnostic::error(
            "amend::missing",
            label.span,
            "a clause belongs to a rule, a step or an option",
        );
        let help = format!("open that first: `{home} {{ {word} {}{closed}`", label.text);
        self.diagnostics.push(said.help(help));
        true
    }
}

/// What the ledger calls a link: its ends, in alphabetical order.
pub(super) fn link_key(link: &ast::Link) -> String {
    let (a, b) = (&link.from.text, &link.to.text);
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    format!("link {a} - {b}")
}
