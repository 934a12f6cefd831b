//! `remove …` and `waive …`.

use blazon_diagnostics::{Article, Diagnostic, Span};
use blazon_syntax::ast::{self, Clause, Name, Removable};

use super::opening::label_of;
use super::pieces::{need_not, not, remove_placed, restrict};
use super::{Amender, Place};
use crate::merge::merged::{RemovedLink, Scope, column_key, rule_key};
use crate::merge::sort::Sort;
use crate::merge::visit::{choices_in, find_option, says};
use crate::references::DefinitionKind;

impl Amender<'_> {
    pub(super) fn remove(&mut self, place: &Place, what: &Removable, span: Span) {
        let can_hang = match (what, place) {
            (Removable::Named { what, .. }, Place::Rule(_) | Place::Option(..) | Place::Step(_)) => {
                matches!(what.text.as_str(), "clause" | "needs" | "option")
            }
            _ => false,
        };
        if !can_hang && self.is_conditional(span) {
            return;
        }
        match what {
            Removable::Link(link) => self.remove_link(place, link),
            Removable::Thing(thing) => self.remove_thing(place, thing),
            Removable::Named { what, name } => match (what.text.as_str(), place) {
                ("clause" | "needs", Place::Rule(rule)) => {
                    if self.drop_clause(*rule, name) {
                        let rule = &self.merged.rules[*rule].rule;
                        let node = format!("{} {}", rule_key(rule), name.text);
                        let what = Sort::ClauseOf(rule.name.text.clone());
                        self.note_change(&node, span);
                        self.note_removed(what, name);
                    }
                }
                ("clause" | "needs", _) => self.waive(place, name),
                ("option", Place::Step(step)) => self.remove_option(*step, name),
                ("rule", _) => {
                    if let Some(found) = self.find_rule(name) {
                        let rule = self.merged.rules.remove(found).rule;
                        self.note_whole(&rule_key(&rule), span);
                        self.note_removed(Sort::Rule, name);
                    }
                }
                ("step", _) => {
                    if let Some(found) = self.find_step(name) {
                        self.merged.steps.remove(found);
                        self.note_whole(&format!("step {}", name.text), span);
                        self.note_removed(Sort::Step, name);
                    }
                }
                ("kind", _) => {
                    let names = self.merged.kinds.iter().map(|kind| kind.name.text.clone()).collect();
                    if let Some(found) = self.find(&Sort::Kind, name, names) {
                        self.merged.kinds.remove(found);
                        self.note_whole(&format!("kind {}", name.text), span);
                        self.note_removed(Sort::Kind, name);
                    }
                }
                ("fact" | "state", _) => {
                    let names =
                        self.merged.columns.iter().map(|column| column.decl.name().text.clone()).collect();
                    if let Some(found) = self.find(&Sort::Column, name, names) {
                        let column = self.merged.columns.remove(found);
                        self.note_change(&column_key(&column), span);
                        self.note_removed(Sort::Column, name);
                    }
                }
                ("when", Place::Step(step)) => {
                    let mut gone = false;
                    crate::merge::visit::cases_in(&mut self.merged.steps[*step].step.body, &mut |whens| {
                        let before = whens.len();
                        whens.retain(|when| !when.values.iter().any(|value| says(value, &name.text)));
                        gone |= whens.len() < before;
                    });
                    let step = self.merged.steps[*step].step.name.text.clone();
                    if gone {
                        self.note_change(&format!("step {step} when {}", name.text), span);
                        self.note_removed(Sort::CaseOf(step), name);
                    } else {
                        self.missing(&Sort::CaseOf(step), name, &[]);
                    }
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
        } else if self.take_link(link) {
            self.note_removed(Sort::Link, &name);
        } else {
            self.missing(&Sort::Link, &name, &[]);
        }
    }

    /// Puts a link into a list and takes it out of those that say the same of it.
    pub(super) fn replace_link(&mut self, list: usize, link: &ast::Link) {
        if !self.merged.grids.is_empty() || self.merged.links.iter().any(|links| !links.rows.is_empty()) {
            self.merged.removed_links.push(RemovedLink { scope: Scope::Replaced(list), link: link.clone() });
        } else {
            self.remove_link(&Place::Top, link);
        }
        self.merged.links[list].links.push(link.clone());
    }

    fn take_link(&mut self, link: &ast::Link) -> bool {
        let found = self.merged.links.iter_mut().find_map(|links| {
            let same = |l: &ast::Link| {
                (l.from.text == link.from.text && l.to.text == link.to.text)
                    || (l.from.text == link.to.text && l.to.text == link.from.text)
            };
            links.links.iter().position(same).map(|i| links.links.remove(i))
        });
        found.is_some()
    }

    pub(super) fn remove_option(&mut self, step: usize, name: &Name) {
        let condition = self.condition();
        let title = self.merged.steps[step].step.name.text.clone();
        let body = &mut self.merged.steps[step].step.body;
        let Some(option) = find_option(body, &name.text) else {
            self.option_missing(step, name);
            return;
        };
        if let Some(condition) = condition {
            option.needs.push(need_not(&condition, name.span));
            let declared = option.name.span;
            self.merged.uses.note(name.span, DefinitionKind::Option, declared);
        } else {
            let declared = option.name.span;
            self.merged.uses.note(name.span, DefinitionKind::Option, declared);
            let body = &mut self.merged.steps[step].step.body;
            choices_in(body, &mut |choose| choose.options.retain(|option| option.name.text != name.text));
            self.note_change(&format!("step {title} option {}", name.text), name.span);
            self.note_removed(Sort::OptionOf(title), name);
        }
    }

    pub(super) fn remove_thing(&mut self, place: &Place, thing: &Name) {
        match place {
            Place::Setup(setup) => {
                let title = self.merged.setups[*setup].name.text.clone();
                self.note_change(&format!("setup {title}: {}", thing.text), thing.span);
                if !remove_placed(&mut self.merged.setups[*setup].placing.lines, &thing.text) {
                    self.missing(&Sort::Placed, thing, &[]);
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
                self.merged.kinds[place].things.retain(|old| old.text != thing.text);
                if self.merged.kinds[place].things.len() == before {
                    self.drop_rows(&kind, thing);
                }
            }
            Place::Top
            | Place::Rule(_)
            | Place::Step(_)
            | Place::Option(..)
            | Place::When(..)
            | Place::Links(_) => self.missing(&Sort::Listing, thing, &[]),
        }
    }

    pub(super) fn drop_rows(&mut self, kind: &str, thing: &Name) {
        let mut gone = false;
        for table in self.merged.tables.iter().filter(|table| table.kind.text == kind) {
            let rows = table.rows.iter().skip(1).filter_map(|row| row.cells.first());
            let mut names = rows.chain(table.named_rows.iter().map(|row| &row.thing));
            if let Some(old) = names.find(|name| name.text == thing.text) {
                self.merged.uses.note(thing.span, DefinitionKind::Thing, old.span);
            }
        }
        for table in self.merged.tables.iter_mut().filter(|table| table.kind.text == kind) {
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
        } else {
            self.missing(&Sort::Thing(kind.to_owned()), thing, &[]);
        }
    }

    /// Takes a clause away, or lets it hold only where the condition of `under` does not.
    pub(super) fn drop_clause(&mut self, rule: usize, label: &Name) -> bool {
        let condition = self.condition();
        let target = &mut self.merged.rules[rule].rule;
        let labels: Vec<String> = target
            .clauses
            .iter()
            .filter_map(|clause| clause.label.as_ref().map(|l| l.text.clone()))
            .collect();
        let Some(found) =
            target.clauses.iter().position(|c| c.label.as_ref().is_some_and(|l| l.text == label.text))
        else {
            let what = Sort::ClauseOf(target.name.text.clone());
            self.missing(&what, label, &labels);
            return false;
        };
        let declared = label_of(&target.clauses, &label.text);
        self.note_label(label, declared);
        let target = &mut self.merged.rules[rule].rule;
        match condition {
            None => {
                target.clauses.remove(found);
            }
            Some(condition) => restrict(&mut target.clauses[found], &not(&condition)),
        }
        true
    }

    pub(super) fn waive(&mut self, place: &Place, label: &Name) {
        let what = self.need_of(place);
        let condition = self.condition();
        let named = |clause: &Clause| clause.label.as_ref().is_some_and(|l| l.text == label.text);
        let needs: Option<&mut Vec<Clause>> = match place {
            Place::Rule(rule) => Some(&mut self.merged.rules[*rule].rule.clauses),
            Place::Step(step) => Some(&mut self.merged.steps[*step].step.laws),
            Place::Option(step, name) => {
                find_option(&mut self.merged.steps[*step].step.body, name).map(|option| &mut option.needs)
            }
            Place::Top
            | Place::Kind(_)
            | Place::When(..)
            | Place::Table(_)
            | Place::Links(_)
            | Place::Setup(_) => None,
        };
        let Some(needs) = needs else {
            self.missing(&what, label, &[]);
            return;
        };
        let labels: Vec<String> =
            needs.iter().filter_map(|clause| clause.label.as_ref().map(|l| l.text.clone())).collect();
        let declared = label_of(needs, &label.text);
        match needs.iter().position(named) {
            Some(found) => match condition {
                None => {
                    needs.remove(found);
                    self.note_removed(what, label);
                }
                Some(condition) => restrict(&mut needs[found], &not(&condition)),
            },
            None => self.missing(&what, label, &labels),
        }
        self.note_label(label, declared);
    }
}
