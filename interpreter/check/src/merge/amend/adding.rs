//! What simply stands in an opened part is added to it.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{ChoiceOption, Clause, Name, Node};

use super::pieces::{label_in, label_text, merge_placing};
use super::{Amender, Place};
use crate::merge::merged::exists;
use crate::merge::sort::Sort;
use crate::merge::visit::{choices_in, find_option, find_when, says};

impl Amender<'_> {
    pub(super) fn add(&mut self, place: &Place, node: &Node, span: Span) {
        match (place, node) {
            (Place::Top, Node::Declaration(declaration)) => {
                self.merged.declare(self.layer, declaration, self.diagnostics)
            }
            (Place::Kind(kind), Node::Things(things)) => {
                self.merged.add_things(*kind, things, self.diagnostics)
            }
            (Place::Kind(kind), Node::Member(member)) => {
                self.merged.add_member(self.layer, *kind, member, self.diagnostics);
            }
            (Place::Rule(rule), Node::Clause(clause)) => {
                let clause = self.conditioned(clause.clone());
                self.add_clause(*rule, clause);
            }
            (Place::Rule(rule), Node::Rows(rows)) => {
                self.merged.rules[*rule].rule.rows.extend(rows.iter().cloned())
            }
            (Place::Step(step), Node::Clause(clause)) => {
                let clause = self.conditioned(clause.clone());
                if let Some(old) = label_in(&self.merged.steps[*step].step.laws, &clause) {
                    self.diagnostics.push(exists(&label_text(&clause), clause.span, old));
                } else {
                    self.merged.steps[*step].step.laws.push(clause);
                }
            }
            (Place::Step(step), Node::Option(option)) => self.add_option(*step, option, span),
            (Place::When(step, name), Node::Option(option)) => {
                let option = self.conditioned_option(option.clone());
                let mut added = false;
                if let Some(when) =
                    find_when(&mut self.merged.steps[*step].step.body, &|value| says(value, name))
                {
                    choices_in(&mut when.body, &mut |choose| {
                        if !added {
                            choose.options.push(option.clone());
                            added = true;
                        }
                    });
                }
                if !added {
                    let name = Name { text: name.clone(), span };
                    self.missing(&Sort::CaseChoice, &name, &[]);
                }
            }
            (Place::Step(step), Node::When(when)) => {
                let mut when = when.clone();
                when.body = self.guarded(when.body);
                let mut added = false;
                crate::merge::visit::cases_in(&mut self.merged.steps[*step].step.body, &mut |whens| {
                    if !added {
                        whens.push(when.clone());
                        added = true;
                    }
                });
                if !added {
                    self.missing(&Sort::CaseBlock, &self.merged.steps[*step].step.name.clone(), &[]);
                }
            }
            (Place::Option(step, name), Node::Clause(clause)) => {
                let clause = self.conditioned(clause.clone());
                if let Some(option) = find_option(&mut self.merged.steps[*step].step.body, name) {
                    if let Some(old) = label_in(&option.needs, &clause) {
                        self.diagnostics.push(exists(&label_text(&clause), clause.span, old));
                    } else {
                        option.needs.push(clause);
                    }
                }
            }
            (Place::Table(table), Node::Rows(rows)) => {
                // Rows added later stand in the order of the table's heading.
                let target = &mut self.merged.tables[*table];
                target.rows.extend(rows.iter().cloned());
            }
            (Place::Table(table), Node::NamedRows(rows)) => {
                self.merged.tables[*table].named_rows.extend(rows.iter().cloned());
            }
            (Place::Links(links), Node::Links(more)) => {
                self.merged.links[*links].links.extend(more.iter().cloned())
            }
            (Place::Links(links), Node::Rows(rows)) => {
                self.merged.links[*links].rows.extend(rows.iter().cloned());
            }
            (Place::Setup(setup), Node::Placing(line)) => {
                let setup = &mut self.merged.setups[*setup];
                merge_placing(&mut setup.placing.lines, line);
            }
            _ => {
                let mut diagnostic = Diagnostic::error("amend::missing", span, "this cannot be added here");
                diagnostic = diagnostic.help("open what it belongs to: `in rule …`, `in step …`, `in kind …`, `in table …`, `in setup …`");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    pub(super) fn add_clause(&mut self, rule: usize, clause: Clause) {
        let target = &mut self.merged.rules[rule].rule;
        if let Some(old) = label_in(&target.clauses, &clause) {
            self.diagnostics.push(exists(&label_text(&clause), clause.span, old));
        } else {
            target.clauses.push(clause);
        }
    }

    pub(super) fn add_option(&mut self, step: usize, option: &ChoiceOption, span: Span) {
        let option = self.conditioned_option(option.clone());
        let body = &mut self.merged.steps[step].step.body;
        if let Some(old) = find_option(body, &option.name.text) {
            let first = old.span;
            self.diagnostics.push(exists(&option.name.text, option.span, first));
            return;
        }
        let mut count = 0;
        choices_in(body, &mut |_| count += 1);
        if count == 0 {
            let name = self.merged.steps[step].step.name.clone();
            self.diagnostics.push(
                Diagnostic::error(
                    "amend::missing",
                    span,
                    format!("the step `{}` has no choice to add an option to", name.text),
                )
                .related(name.span, "the step"),
            );
            return;
        }
        let mut added = false;
        choices_in(body, &mut |choose| {
            if !added {
                choose.options.push(option.clone());
                added = true;
            }
        });
    }
}
