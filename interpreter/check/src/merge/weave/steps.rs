//! Steps: which body stands, what is changed within it, and what runs around it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Clause, Expr, Name, Step};

use super::address::{Outcome, Target, at};
use super::bodies::{Body, found_by, named};
use super::clauses::Clauses;
use super::headed::{Headed, bodies_of};
use super::headings::{Heading, fits, misfit, rename_block, rename_clauses};
use super::hooks::Made;
use super::rules::is_gone;
use super::within::{By, Rehung};
use super::{Ground, Hung, Owner, Weaver, clauses, conditions, ranked, several};
use crate::hygiene::captured;
use crate::merge::edits::{ClauseEdit, Edit, Opened, PartEdit, StepEdit};
use crate::merge::merged::MergedStep;
use crate::merge::named_list::NamedList;
use crate::merge::order::Standing;
use crate::merge::pieces::not;
use crate::merge::sort::Sort;
use crate::project::Layer;
use crate::references::DefinitionKind;

type Edits = Vec<Edit<StepEdit>>;

/// Takes out what layers below hung around a step, where another does it, that a layer above puts whole.
fn without_what_went(steps: &mut NamedList<MergedStep>) {
    let mut whole: BTreeMap<String, Layer> = BTreeMap::new();
    for step in steps.iter() {
        let puts = |edit: &Edit<StepEdit>| {
            let is_whole = matches!(edit.kind, StepEdit::Body { whole: true, .. });
            (is_whole && edit.under.is_none()).then_some(edit.layer)
        };
        let highest = step.edits.iter().filter_map(puts).max();
        whole.extend(highest.map(|layer| (step.step.name.text.clone(), layer)));
    }
    for step in steps.iter_mut().filter(|_| !whole.is_empty()) {
        step.edits.retain(|edit| match &edit.kind {
            StepEdit::HookOf { step, .. } => whole.get(&step.text).is_none_or(|layer| edit.layer >= *layer),
            StepEdit::Body { .. }
            | StepEdit::Law(_)
            | StepEdit::Need(..)
            | StepEdit::Part(..)
            | StepEdit::Hook { .. }
            | StepEdit::Cites(..) => true,
        });
    }
}

impl Weaver<'_> {
    pub(super) fn steps(&mut self) {
        let mut steps = std::mem::take(&mut self.merged.steps);
        without_what_went(&mut steps);
        let around = |edit: &Edit<StepEdit>| matches!(edit.kind, StepEdit::HookOf { .. });
        let has_around = steps.iter().any(|step| step.edits.iter().any(around));
        let headed = steps.iter().filter(|_| has_around);
        let headed = headed.map(|step| (step.step.name.text.clone(), Headed::of(step, self.order))).collect();
        let mut made = Made { headed, steps: Vec::new(), wraps: Vec::new() };
        for step in steps.into_parts() {
            let woven = if step.edits.is_empty() { step } else { self.step(step, &mut made) };
            self.merged.steps.push(woven);
        }
        made.steps.into_iter().for_each(|step| self.merged.steps.push(step));
        self.wrapped(made.wraps);
    }

    fn step(&mut self, mut merged: MergedStep, made: &mut Made) -> MergedStep {
        let headed = Headed::of(&merged, self.order);
        let declared = bodies_of(&merged);
        let edits = in_order(std::mem::take(&mut merged.edits));
        let (mut printed, others, mut hung) = self.step_bodies(merged, edits, &headed);
        self.old_variables(&declared, &printed, &others, &hung);
        let layer = printed.layer;
        let mut others = ranked(self, others, |b| b.layer, condition_of, |b| b.step.span);
        self.fit_steps(&printed, &mut others);
        let mut bodies: Vec<&mut Body> = std::iter::once(&mut printed).chain(&mut others).collect();
        let (name, mut hooks) = (bodies[0].step.name.clone(), super::hooks::taken(&mut hung));
        for edit in structural(&hung) {
            self.part(&name, &mut bodies, &mut hooks, edit);
        }
        let mut met = BTreeSet::new();
        for edit in needs_in_order(&hung) {
            self.needs(&name, &mut bodies, &mut hooks, edit, &mut met);
        }
        self.meetings(met);
        let mut fights: Vec<_> = bodies.iter_mut().flat_map(|body| body.within.take_fights()).collect();
        fights.extend(hooks.iter_mut().flat_map(|hook| hook.body.within.take_fights()));
        self.fights(fights);
        let laws = self.laws(&bodies, &hung);
        let mut step = self.hooked(printed, others, hooks, made);
        step.laws = laws;
        for edit in hung {
            if let StepEdit::Cites(path, cites) = edit.kind
                && path.is_empty()
            {
                step.cites.extend(cites);
            }
        }
        MergedStep::made(step, layer, false)
    }

    /// The printed body, those under conditions, and what hangs on them all.
    fn step_bodies(&mut self, merged: MergedStep, edits: Edits, headed: &Headed) -> (Body, Vec<Body>, Edits) {
        let mut printed = Body::new(None, Arc::unwrap_or_clone(merged.step), merged.layer, false);
        let (mut others, mut hung) = (Vec::new(), Vec::new());
        for edit in edits {
            let Edit { layer, under, names, kind, span } = edit;
            let StepEdit::Body { step, whole } = kind else {
                hung.push(Edit { layer, under, names, kind, span });
                continue;
            };
            let mut body = Body::new(under, *step, layer, true);
            body.whole = whole;
            if body.under.is_some() {
                others.push(body);
                continue;
            }
            if whole {
                others.retain(|other: &Body| other.layer >= layer);
                hung.retain(|edit| edit.layer >= layer);
            }
            self.merged.unseen.heading(&printed.step.params, printed.step.ty.as_ref());
            printed = body;
        }
        let own = std::mem::replace(&mut printed.step.params, headed.printed.clone());
        rename_block(&mut printed.step.body, &own, &headed.printed, &mut self.parameters);
        rename_clauses(&mut printed.step.laws, &own, &headed.printed, &mut self.parameters);
        for body in &mut others {
            if let Some(under) = &mut body.under
                && let Some(mut renaming) = headed.renaming(body.layer, self.order, &mut self.parameters)
            {
                renaming.condition(under);
                self.diagnostics.extend(renaming.told(&headed.name, "step"));
            }
        }
        for edit in &mut hung {
            if let Some(mut renaming) = headed.renaming(edit.layer, self.order, &mut self.parameters) {
                renaming.step_edit(edit);
                self.diagnostics.extend(renaming.told(&headed.name, "step"));
            }
        }
        (printed, others, hung)
    }

    /// Bodies under conditions have headings of their own, which must fit the printed one.
    fn fit_steps(&mut self, printed: &Body, others: &mut [Body]) {
        let old = heading(&printed.step);
        for body in others {
            if !fits(heading(&body.step), old) {
                self.diagnostics.push(misfit(heading(&body.step), old));
                continue;
            }
            self.merged.unseen.heading(&body.step.params, body.step.ty.as_ref());
            let from = body.step.params.clone();
            let to = &printed.step.params;
            rename_block(&mut body.step.body, &from, to, &mut self.parameters);
            rename_clauses(&mut body.step.laws, &from, to, &mut self.parameters);
        }
    }

    /// Adds, puts or drops an option or a case.
    fn part(
        &mut self,
        name: &Name,
        bodies: &mut [&mut Body],
        hooks: &mut [super::hooks::Hook],
        edit: &Edit<StepEdit>,
    ) {
        let StepEdit::Part(path, part) = &edit.kind else { return };
        if let (PartEdit::AddOption(option) | PartEdit::PutOption { option, .. }, Some(under)) =
            (part, &edit.under)
            && let Some((variable, asked)) = captured(option, under)
        {
            let name = &variable.text;
            let message = format!("`{name}` is a variable of this option, and something else outside of it");
            self.diagnostics.push(
                Diagnostic::error("names::ambiguous", variable.span, message)
                    .label("this variable")
                    .related(asked, "the condition that the option stands under asks for something called so")
                    .help("give the variable another name"),
            );
            return;
        }
        let adds = matches!(part, PartEdit::AddOption(_) | PartEdit::AddWhen(_));
        let (mut outcomes, mut rehung) = (Vec::new(), Vec::new());
        let mut removed = Vec::new();
        let mut met = BTreeSet::new();
        for body in bodies.iter_mut() {
            if body.is_above_all(edit.layer, self.order) {
                continue;
            }
            let below = self.order.of(edit.layer, body.layer) == Standing::Below;
            if below && !adds && edit.under.is_none() {
                // It was done within a body that is there no more.
                outcomes.push((body.ground(), Outcome::Done));
                continue;
            }
            let outcome = body.part(
                path,
                part,
                edit,
                self.order,
                &mut |name, kind, span| {
                    self.merged.uses.note(name.span, kind, span);
                },
                &mut met,
            );
            if matches!(outcome, Outcome::Done) && edit.under.is_none() {
                removed.extend(dropped(part, name));
            }
            rehung.extend(body.within.take_rehung());
            let (ground, outcome) = body.found_lost(outcome, edit, adds, self.order);
            let ground = match outcome {
                Outcome::Exists(old) => Ground { layer: body.part_layer(old), ..body.ground() },
                Outcome::Done | Outcome::Missing { .. } | Outcome::Homeless | Outcome::Several(_) => ground,
            };
            outcomes.push((ground, outcome));
        }
        let is_done = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Done));
        // The choices of hooks are meant only by what stands in them.
        let whole: Vec<Opened> = path.iter().cloned().chain(found_by(part)).collect();
        if !is_done && !whole.is_empty() {
            let mut homes = super::hooks::that_have(hooks, &whole, edit.layer, self.order);
            if self.are_several(&homes, edit, adds) {
                return;
            }
            if let Some(hook) = homes.first_mut() {
                let note = &mut |name: &Name, kind, span| self.merged.uses.note(name.span, kind, span);
                let outcome = hook.body.part(path, part, edit, self.order, note, &mut met);
                if matches!(outcome, Outcome::Done) {
                    let rehung = hook.body.within.take_rehung();
                    self.meetings(met);
                    self.rehung(name, rehung);
                    return;
                }
            }
        }
        for (sort, name) in removed {
            self.note_removed(sort, &name, edit.layer);
        }
        self.meetings(met);
        let what = part_name(part);
        let owner = Owner { name, word: "step", option: None, what: &what };
        let drops = edit.under.is_none() && dropped(part, name).is_some();
        self.settle(Hung { layer: edit.layer, span: edit.span, adds, drops }, owner, outcomes);
        self.rehung(name, rehung);
    }

    /// Whether several hooks have what a change means: then that is said.
    fn are_several(&mut self, homes: &[&mut super::hooks::Hook], edit: &Edit<StepEdit>, adds: bool) -> bool {
        if homes.len() > 1 {
            let spans: Vec<Span> = homes.iter().map(|hook| hook.span).collect();
            self.diagnostics.push(several(edit.span, &spans, adds));
        }
        homes.len() > 1
    }

    /// Says what was added to a part of a step, and finds no place in what another change put there.
    fn rehung(&mut self, name: &Name, rehung: Vec<Rehung>) {
        for Rehung { added, ground, outcome } in rehung {
            let what = part_name(&added.part);
            let owner = Owner { name, word: "step", option: None, what: &what };
            let hung = Hung { layer: added.by.layer, span: added.by.span, adds: true, drops: false };
            self.settle(hung, owner, vec![(ground, outcome)]);
        }
    }

    /// Changes the needs and paragraphs of an option.
    fn needs(
        &mut self,
        name: &Name,
        bodies: &mut [&mut Body],
        hooks: &mut [super::hooks::Hook],
        edit: &Edit<StepEdit>,
        met: &mut BTreeSet<(Span, Span)>,
    ) {
        let path = match &edit.kind {
            StepEdit::Need(path, _) => path,
            StepEdit::Cites(path, _) if !path.is_empty() => path,
            StepEdit::Cites(..)
            | StepEdit::Body { .. }
            | StepEdit::Law(_)
            | StepEdit::Part(..)
            | StepEdit::Hook { .. }
            | StepEdit::HookOf { .. } => return,
        };
        let option = path.last().map(|opened| opened.name.text.clone()).unwrap_or_default();
        let mut outcomes = Vec::new();
        for body in bodies.iter_mut() {
            let meant = body.as_known(edit.layer, self.order, |body| body.meant(path));
            let is_whole = meant.slot().is_some_and(|slot| body.put_whole(slot, edit.layer, self.order));
            if body.is_above_all(edit.layer, self.order) || is_whole {
                continue;
            }
            let written_by = meant.slot().map_or(body.layer, |slot| body.option_layer(slot));
            let drops = matches!(&edit.kind, StepEdit::Need(_, ClauseEdit::Put(_) | ClauseEdit::Drop(_)));
            let below = self.order.of(edit.layer, written_by) == Standing::Below;
            let gone = body.is_dropped(&meant, edit.layer, self.order);
            if gone || below && drops && edit.under.is_none() {
                outcomes.push((body.ground(), Outcome::Done));
                continue;
            }
            let outcome = self.need(body, path, edit, met);
            let (ground, outcome) = body.found_lost(outcome, edit, !drops, self.order);
            let layer = if matches!(outcome, Outcome::Missing { .. }) { ground.layer } else { written_by };
            outcomes.push((Ground { layer, ..ground }, outcome));
        }
        if !outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Done)) {
            let mut homes = super::hooks::that_have(hooks, path, edit.layer, self.order);
            if self.are_several(&homes, edit, false) {
                return;
            }
            if let Some(hook) = homes.first_mut()
                && matches!(self.need(&mut hook.body, path, edit, met), Outcome::Done)
            {
                return;
            }
        }
        let is_done = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Done));
        if let (StepEdit::Need(_, ClauseEdit::Drop(label)), true, None) = (&edit.kind, is_done, &edit.under) {
            self.note_removed(Sort::NeedOf(option.clone()), label, edit.layer);
        }
        let label = if let StepEdit::Need(_, edit) = &edit.kind {
            clauses::label(edit).map(|label| label.text.clone())
        } else {
            None
        };
        let what = label.unwrap_or_else(|| option.clone());
        let owner = Owner { name, word: "step", option: Some(&option), what: &what };
        let drops = matches!((&edit.kind, &edit.under), (StepEdit::Need(_, ClauseEdit::Drop(_)), None));
        self.settle(Hung { layer: edit.layer, span: edit.span, adds: false, drops }, owner, outcomes);
    }

    fn need(
        &mut self,
        body: &mut Body,
        path: &[Opened],
        edit: &Edit<StepEdit>,
        met: &mut BTreeSet<(Span, Span)>,
    ) -> Outcome {
        body.as_known(edit.layer, self.order, |body| self.need_of(body, path, edit, met))
    }

    fn need_of(
        &mut self,
        body: &mut Body,
        path: &[Opened],
        edit: &Edit<StepEdit>,
        met: &mut BTreeSet<(Span, Span)>,
    ) -> Outcome {
        let (uses, order) = (&mut self.merged.uses, self.order);
        let wholes = body.wholes_under(edit.layer, order);
        let (needs, within) = (&mut body.needs, &mut body.within);
        let mut hung = None;
        let outcome = at(&mut body.step.body, path, &mut |target| {
            let Target::Option(option) = target else { return Outcome::Homeless };
            if wholes.contains(&option.span) {
                // On this body nothing from below hangs.
                return Outcome::Done;
            }
            if let Some(opened) = path.last() {
                uses.note(opened.name.span, DefinitionKind::Option, option.name.span);
            }
            match &edit.kind {
                StepEdit::Need(_, need) => {
                    if edit.under.is_none() && !matches!(need, ClauseEdit::Add(_)) {
                        within.touch(option.span, By::of(edit), order);
                    }
                    hung = Some(option.span);
                    let all = needs.entry(option.span).or_insert_with(|| Clauses::of(&option.needs));
                    let mut found =
                        |label: &Name, declared| uses.note(label.span, DefinitionKind::Clause, declared);
                    let outcome = all.apply(need, edit.change(order), &[], &mut found, met);
                    option.needs = all.woven(order);
                    outcome
                }
                StepEdit::Cites(_, cites) => {
                    option.cites.extend(cites.iter().cloned());
                    Outcome::Done
                }
                StepEdit::Body { .. }
                | StepEdit::Law(_)
                | StepEdit::Part(..)
                | StepEdit::Hook { .. }
                | StepEdit::HookOf { .. } => Outcome::Homeless,
            }
        });
        if let Some(option) = hung {
            body.within.hang(option, &body.step.body, By::of(edit), order);
        }
        outcome
    }

    /// The laws of a step: each body's own, and those that hang on it.
    fn laws(&mut self, bodies: &[&mut Body], hung: &Edits) -> Vec<Clause> {
        let Some((printed, others)) = bodies.split_first() else { return Vec::new() };
        let conditions: Vec<&Expr> = others.iter().filter_map(|body| body.under.as_ref()).collect();
        let elsewhere: Vec<Expr> = conditions.iter().map(|condition| not(condition)).collect();
        let mut laws = Clauses::default();
        laws.body(printed.layer, None, &elsewhere, printed.step.laws.iter().cloned());
        for (place, body) in others.iter().enumerate() {
            let when = conditions::stands(&conditions, place);
            laws.body(body.layer, body.under.as_ref(), &[when], body.step.laws.iter().cloned());
        }
        let name = &printed.step.name;
        let mut met = BTreeSet::new();
        let changes = hung.iter().filter_map(|edit| match &edit.kind {
            StepEdit::Law(law) => Some((edit, law)),
            StepEdit::Body { .. }
            | StepEdit::Need(..)
            | StepEdit::Part(..)
            | StepEdit::Hook { .. }
            | StepEdit::HookOf { .. }
            | StepEdit::Cites(..) => None,
        });
        let mut edits: Vec<(&Edit<StepEdit>, &ClauseEdit)> = changes.collect();
        edits.sort_by_key(|(edit, law)| clauses::rank(law, edit.layer, edit.under.is_some()));
        for (edit, law) in edits {
            let free = others.iter().filter(|body| body.is_above_all(edit.layer, self.order));
            let free: Vec<&Expr> = free.filter_map(|body| body.under.as_ref()).collect();
            let uses = &mut self.merged.uses;
            let mut found = |label: &Name, declared| uses.note(label.span, DefinitionKind::Clause, declared);
            let outcome = laws.apply(law, edit.change(self.order), &free, &mut found, &mut met);
            if let (ClauseEdit::Drop(label), Outcome::Done, None) = (law, &outcome, &edit.under) {
                self.note_removed(Sort::NeedOf(name.text.clone()), label, edit.layer);
            }
            if is_gone(law, edit.under.as_ref(), &outcome)
                && self.order.of(edit.layer, printed.layer) == Standing::Below
            {
                continue;
            }
            let what = clauses::label(law).map(|label| label.text.clone()).unwrap_or_default();
            let owner = Owner { name, word: "step", option: None, what: &what };
            let drops = matches!((law, &edit.under), (ClauseEdit::Drop(_), None));
            let hung = Hung { layer: edit.layer, span: edit.span, adds: false, drops };
            self.settle(hung, owner, vec![(printed.ground(), outcome)]);
        }
        self.meetings(met);
        laws.woven(self.order)
    }
}

/// Layer by layer, each in its written order.
fn in_order(mut edits: Edits) -> Edits {
    edits.sort_by_key(|edit| edit.layer);
    edits
}

/// Changes of options and cases in the order in which they are made: layer by layer what is added, put and taken out
/// for good, then what is put and taken out under conditions.
fn structural(hung: &Edits) -> Vec<&Edit<StepEdit>> {
    let class = |edit: &Edit<StepEdit>| match &edit.kind {
        StepEdit::Part(_, PartEdit::AddOption(_) | PartEdit::AddWhen(_)) => Some(0),
        StepEdit::Part(_, PartEdit::PutOption { .. } | PartEdit::PutWhen(_)) => Some(1),
        StepEdit::Part(_, PartEdit::DropOption(_) | PartEdit::DropWhen(_)) => Some(2),
        StepEdit::Body { .. }
        | StepEdit::Law(_)
        | StepEdit::Need(..)
        | StepEdit::Hook { .. }
        | StepEdit::HookOf { .. }
        | StepEdit::Cites(..) => None,
    };
    let mut parts: Vec<(bool, Layer, i32, &Edit<StepEdit>)> = hung
        .iter()
        .filter_map(|edit| {
            let class = class(edit)?;
            Some((class > 0 && edit.under.is_some(), edit.layer, class, edit))
        })
        .collect();
    parts.sort_by_key(|&(conditional, layer, class, _)| (conditional, layer, class));
    let same = |a: &(bool, Layer, i32, _), b: &(bool, Layer, i32, _)| (a.0, a.1, a.2) == (b.0, b.1, b.2);
    parts.chunk_by(same).flat_map(|parts| by_homes(parts.iter().map(|(.., edit)| *edit).collect())).collect()
}

/// Puts what is added behind what it is added to: the page may say them in any order.
fn by_homes(mut waiting: Vec<&Edit<StepEdit>>) -> Vec<&Edit<StepEdit>> {
    // How many options of each name are still to be added.
    let mut to_come: BTreeMap<&str, usize> = BTreeMap::new();
    for name in waiting.iter().filter_map(|edit| added(edit)) {
        *to_come.entry(name).or_default() += 1;
    }
    let mut ordered = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let is_there = |home: &&str| to_come.get(home).is_none_or(|&count| count == 0);
        let next = waiting.iter().position(|edit| homes(edit).iter().all(is_there)).unwrap_or(0);
        let edit = waiting.remove(next);
        if let Some(count) = added(edit).and_then(|name| to_come.get_mut(name)) {
            *count -= 1;
        }
        ordered.push(edit);
    }
    ordered
}

/// The names of the options by which a change is found that adds something.
fn homes(edit: &Edit<StepEdit>) -> Vec<&str> {
    let StepEdit::Part(path, part @ (PartEdit::AddOption(_) | PartEdit::AddWhen(_))) = &edit.kind else {
        return Vec::new();
    };
    let beside = if let PartEdit::AddOption(option) = part { option.beside.as_ref() } else { None };
    let opened = path.iter().flat_map(|opened| std::iter::once(&opened.name).chain(&opened.beside));
    opened.chain(beside).map(|name| name.text.as_str()).collect()
}

/// The name of the option that a change adds.
fn added(edit: &Edit<StepEdit>) -> Option<&str> {
    match &edit.kind {
        StepEdit::Part(_, PartEdit::AddOption(option)) => Some(&option.name.text),
        StepEdit::Part(..)
        | StepEdit::Body { .. }
        | StepEdit::Law(_)
        | StepEdit::Need(..)
        | StepEdit::Hook { .. }
        | StepEdit::HookOf { .. }
        | StepEdit::Cites(..) => None,
    }
}

/// Changes of needs in the order in which they are made.
fn needs_in_order(hung: &Edits) -> Vec<&Edit<StepEdit>> {
    let mut edits: Vec<&Edit<StepEdit>> = hung.iter().collect();
    edits.sort_by_key(|edit| match &edit.kind {
        StepEdit::Need(_, need) => clauses::rank(need, edit.layer, edit.under.is_some()),
        StepEdit::Body { .. }
        | StepEdit::Law(_)
        | StepEdit::Part(..)
        | StepEdit::Hook { .. }
        | StepEdit::HookOf { .. }
        | StepEdit::Cites(..) => (false, edit.layer, 0),
    });
    edits
}

fn part_name(part: &PartEdit) -> String {
    match part {
        PartEdit::AddOption(option) => option.name.text.clone(),
        PartEdit::AddWhen(when) => {
            when.values.first().map(blazon_syntax::ast::print::expr).unwrap_or_default()
        }
        PartEdit::PutOption { .. }
        | PartEdit::PutWhen(_)
        | PartEdit::DropOption(_)
        | PartEdit::DropWhen(_) => named(part).map(|opened| opened.name.text).unwrap_or_default(),
    }
}

fn dropped(part: &PartEdit, step: &Name) -> Option<(Sort, Name)> {
    match part {
        PartEdit::DropOption(opened) => Some((Sort::OptionOf(step.text.clone()), opened.name.clone())),
        PartEdit::DropWhen(opened) => Some((Sort::CaseOf(step.text.clone()), opened.name.clone())),
        PartEdit::AddOption(_) | PartEdit::AddWhen(_) | PartEdit::PutOption { .. } | PartEdit::PutWhen(_) => {
            None
        }
    }
}

fn condition_of(body: &Body) -> Option<&Expr> {
    body.under.as_ref()
}

fn heading(step: &Step) -> Heading<'_> {
    Heading { name: &step.name, params: &step.params, ty: step.ty.as_ref() }
}
