//! Changes of rules and steps: noted where they hang, and woven in when all are known.

use std::collections::BTreeSet;

use blazon_diagnostics::Span;
use blazon_syntax::ast::{self, Block, Cite, Name, When};

use super::faces::Face;
use super::{Amender, Place};
use crate::merge::edits::{ClauseEdit, Edit, Opened, PartEdit, RuleEdit, StepEdit};
use crate::merge::ledger::Op;
use crate::merge::merged::{rule_key, step_key};
use crate::merge::pieces::{conjunction, label_text, unlabelled};
use crate::merge::visit::{read_cases, read_choices, says};
use crate::merge::weave::Meant;

impl Amender<'_> {
    /// The conditions around a change as one.
    pub(super) fn condition(&self) -> Option<ast::Expr> {
        (!self.under.is_empty()).then(|| conjunction(&self.under))
    }

    /// `before give orders { … }`, `after retreat in battle round { … }`
    pub(super) fn hook(
        &mut self,
        before: bool,
        step: &Name,
        within: Option<&Name>,
        body: &Block,
        span: Span,
    ) {
        let Some(found) = self.find_step(within.unwrap_or(step)) else { return };
        let body = body.clone();
        let kind = match within {
            None => StepEdit::Hook { before, body },
            Some(_) => {
                // It hangs on that step, too.
                self.note(vec![step_key(&step.text)], Op::Hang, span);
                StepEdit::HookOf { step: step.clone(), before, body }
            }
        };
        self.edit_step(found, kind, (Op::Hang, &[]), span);
    }

    /// Notes a change of a rule, of the part at the path.
    pub(super) fn edit_rule(&mut self, rule: usize, kind: RuleEdit, (op, path): (Op, &[String]), span: Span) {
        let under = self.condition();
        let merged = &mut self.merged.rules[rule];
        let mut whole = vec![rule_key(&merged.rule)];
        whole.extend(path.iter().cloned());
        merged.edits.push(Edit { layer: self.layer, under, names: None, kind, span });
        self.note(whole, op, span);
    }

    /// Notes a change of a step, of the part at the path.
    pub(super) fn edit_step(&mut self, step: usize, kind: StepEdit, (op, path): (Op, &[String]), span: Span) {
        let under = self.condition();
        let merged = &mut self.merged.steps[step];
        let mut whole = vec![step_key(&merged.step.name.text)];
        whole.extend(path.iter().cloned());
        merged.edits.push(Edit { layer: self.layer, under, names: None, kind, span });
        self.note(whole, op, span);
    }

    /// A change of a clause of a rule, a law of a step, a need of an option; false if the place has none.
    pub(super) fn edit_clause(&mut self, place: &Place, edit: ClauseEdit, span: Span) -> bool {
        let op = match &edit {
            ClauseEdit::Add(clause) if clause.label.is_none() => Op::Hang,
            ClauseEdit::Add(_) => Op::Add,
            ClauseEdit::Put(clause) if clause.label.is_none() => {
                self.diagnostics.push(unlabelled(clause.span));
                return true;
            }
            ClauseEdit::Put(_) => Op::Put,
            ClauseEdit::Drop(_) => Op::Remove,
        };
        let label = match &edit {
            ClauseEdit::Add(clause) | ClauseEdit::Put(clause) => label_text(clause),
            ClauseEdit::Drop(label) => label.text.clone(),
        };
        let clause = format!("clause {label}");
        match place {
            Place::Rule(rule) => {
                self.note_beaten(*rule, &edit);
                self.edit_rule(*rule, RuleEdit::Clause(edit), (op, &[clause]), span);
            }
            Place::Face(face) => self.edit_face(face, RuleEdit::Clause(edit), (op, &[clause]), span),
            Place::Step(step) => self.edit_step(*step, StepEdit::Law(edit), (op, &[clause]), span),
            Place::Part(step, path) if is_option(path) => {
                let meant = self.meant(*step, path);
                if let Some((last, around)) = path.split_last() {
                    let beside = last.beside.as_ref().map(|name| self.key(*step, &meant.beside(name)));
                    self.note_addresses(*step, around, beside, span);
                }
                let steps = [self.key(*step, &meant), clause];
                self.edit_step(*step, StepEdit::Need(path.clone(), edit), (op, &steps), span);
            }
            Place::Part(..)
            | Place::Top
            | Place::Kind(_)
            | Place::Table(_)
            | Place::Links(_)
            | Place::Setup(_) => return false,
        }
        true
    }

    /// An exception hangs on those that it beats: one that a variant beside it brings it does not know.
    fn note_beaten(&mut self, rule: usize, edit: &ClauseEdit) {
        let (ClauseEdit::Add(clause) | ClauseEdit::Put(clause)) = edit else { return };
        let ast::ClauseKind::Except { beats, .. } = &clause.kind else { return };
        let key = rule_key(&self.merged.rules[rule].rule);
        for beaten in beats {
            self.note(vec![key.clone(), format!("clause {}", beaten.text)], Op::Hang, beaten.span);
        }
    }

    /// A change of the options or cases of what is opened; false if the place has none.
    pub(super) fn edit_part(&mut self, place: &Place, part: PartEdit, span: Span) -> bool {
        let (step, path) = match place {
            Place::Step(step) => (*step, Vec::new()),
            Place::Part(step, path) => (*step, path.clone()),
            Place::Top
            | Place::Kind(_)
            | Place::Rule(_)
            | Place::Face(_)
            | Place::Table(_)
            | Place::Links(_)
            | Place::Setup(_) => return false,
        };
        let values = |when: &When| when.values.iter().map(ast::print::expr).collect();
        let option = |name: &Name, beside: Option<&Name>| {
            let meant = self.meant_within(step, &path, name, beside);
            let beside = beside.map(|name| self.key(step, &meant.beside(name)));
            (vec![self.key(step, &meant)], beside)
        };
        let case = |values, beside: Option<&Name>| {
            (self.case_names(step, values), beside.map(|name| format!("when {}", name.text)))
        };
        let (op, (names, beside)) = match &part {
            PartEdit::AddOption(new) => {
                (self.op_of_added(step, &part, &path), option(&new.name, new.beside.as_ref()))
            }
            PartEdit::PutOption { option: new, whole } => {
                (if *whole { Op::Whole } else { Op::Put }, option(&new.name, new.beside.as_ref()))
            }
            PartEdit::DropOption(opened) => (Op::Remove, option(&opened.name, opened.beside.as_ref())),
            PartEdit::AddWhen(new) => {
                (self.op_of_added(step, &part, &path), case(values(new), new.beside.as_ref()))
            }
            PartEdit::PutWhen(new) => (Op::Put, case(values(new), new.beside.as_ref())),
            PartEdit::DropWhen(opened) => {
                (Op::Remove, case(vec![opened.name.text.clone()], opened.beside.as_ref()))
            }
        };
        self.note_addresses(step, &path, beside, span);
        let title = step_key(&self.merged.steps[step].step.name.text);
        let Some((first, others)) = names.split_first() else { return true };
        others.iter().for_each(|name| self.note(vec![title.clone(), name.clone()], op, span));
        self.edit_step(step, StepEdit::Part(path, part), (op, std::slice::from_ref(first)), span);
        true
    }

    /// What a change of a step means by the option that it opens.
    fn meant(&self, step: usize, path: &[Opened]) -> Meant {
        Meant::of(&self.merged.steps[step].step.body, path)
    }

    /// The same of an option in what a path opens.
    fn meant_within(&self, step: usize, path: &[Opened], name: &Name, beside: Option<&Name>) -> Meant {
        let opened = Opened { kind: ast::PartKind::Option, name: name.clone(), beside: beside.cloned() };
        self.meant(step, &path.iter().cloned().chain([opened]).collect::<Vec<_>>())
    }

    /// What the ledger calls an option.
    fn key(&self, step: usize, meant: &Meant) -> String {
        meant.key(&self.merged.steps[step].step.body)
    }

    /// What adding an option or case is to the ledger. Where another choice or `case` of the step has one of the name, and it
    /// is not said beside what the new one stands, others may mean that; two of one name in one choice are seen when they
    /// are woven.
    fn op_of_added(&self, step: usize, part: &PartEdit, path: &[Opened]) -> Op {
        let body = &self.merged.steps[step].step.body;
        let mut is_there = false;
        match part {
            PartEdit::AddOption(new) => {
                let meant = self.meant_within(step, path, &new.name, new.beside.as_ref());
                let is_free = meant.slot().is_some_and(|slot| slot.options(body).next().is_none());
                read_choices(body, &mut |choose| {
                    is_there |=
                        !is_free && choose.options.iter().any(|option| option.name.text == new.name.text);
                });
            }
            PartEdit::AddWhen(new) => read_cases(body, &mut |when| {
                let says_so =
                    |value: &ast::Expr| when.values.iter().any(|own| says(own, &ast::print::expr(value)));
                is_there |= new.values.iter().any(says_so);
            }),
            PartEdit::PutOption { .. }
            | PartEdit::DropOption(_)
            | PartEdit::PutWhen(_)
            | PartEdit::DropWhen(_) => {}
        }
        if is_there { Op::Hang } else { Op::Add }
    }

    /// What the ledger calls a case: by each of its values, for it may be named by any of them. Of a case of the step
    /// these are also those that a change leaves out.
    fn case_names(&self, step: usize, values: Vec<String>) -> Vec<String> {
        let mut all: BTreeSet<String> = values.iter().cloned().collect();
        read_cases(&self.merged.steps[step].step.body, &mut |when| {
            if values.iter().any(|value| when.values.iter().any(|own| says(own, value))) {
                all.extend(when.values.iter().map(ast::print::expr));
            }
        });
        all.into_iter().map(|value| format!("when {value}")).collect()
    }

    /// Notes what a change is found by: it hangs on that, too.
    fn note_addresses(&mut self, step: usize, path: &[Opened], beside: Option<String>, span: Span) {
        let title = step_key(&self.merged.steps[step].step.name.text);
        for (place, opened) in path.iter().enumerate() {
            let meant = self.meant(step, &path[..=place]);
            for name in std::iter::once(&opened.name).chain(&opened.beside) {
                let names = match opened.kind {
                    ast::PartKind::When => self.case_names(step, vec![name.text.clone()]),
                    ast::PartKind::Choice => Vec::new(),
                    ast::PartKind::Option
                    | ast::PartKind::Kind
                    | ast::PartKind::Rule
                    | ast::PartKind::Step
                    | ast::PartKind::Table
                    | ast::PartKind::Links
                    | ast::PartKind::Setup
                    | ast::PartKind::Seen
                    | ast::PartKind::Back => vec![self.key(step, &meant.beside(name))],
                };
                names.into_iter().for_each(|name| self.note(vec![title.clone(), name], Op::Hang, span));
            }
        }
        if let Some(beside) = beside {
            self.note(vec![title, beside], Op::Hang, span);
        }
    }

    /// `in rule pinned { } @5.22`: the paragraphs are those of what was opened, too.
    pub(super) fn cite_woven(&mut self, place: &Place, cites: &[Cite]) {
        let (layer, under) = (self.layer, self.condition());
        let Some(span) = cites.first().map(|cite| cite.span) else { return };
        match place {
            Place::Rule(rule) => {
                let kind = RuleEdit::Cites(cites.to_vec());
                self.merged.rules[*rule].edits.push(Edit { layer, under, names: None, kind, span });
            }
            Place::Face(Face { kind: of, side, .. }) => {
                let kind = RuleEdit::Cites(cites.to_vec());
                if let Some(face) = self.face_mut(*of, *side) {
                    face.edits.push(Edit { layer, under, names: None, kind, span });
                }
            }
            Place::Step(step) => {
                let kind = StepEdit::Cites(Vec::new(), cites.to_vec());
                self.merged.steps[*step].edits.push(Edit { layer, under, names: None, kind, span });
            }
            Place::Part(step, path) if is_option(path) => {
                let kind = StepEdit::Cites(path.clone(), cites.to_vec());
                self.merged.steps[*step].edits.push(Edit { layer, under, names: None, kind, span });
            }
            Place::Part(..)
            | Place::Top
            | Place::Kind(_)
            | Place::Table(_)
            | Place::Links(_)
            | Place::Setup(_) => {}
        }
    }
}

/// Whether a path leads to an option.
fn is_option(path: &[Opened]) -> bool {
    path.last().is_some_and(|opened| opened.kind == ast::PartKind::Option)
}
