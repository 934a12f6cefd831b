//! The bodies of a step, and what changes do to the options and cases in them.

use std::collections::{BTreeMap, BTreeSet};

use blazon_diagnostics::Span;
use blazon_syntax::ast::{Block, ChoiceOption, Choose, Expr, Name, PartKind, Step, When};

use super::address::{Outcome, Target, at, has_value, home, home_of_case, in_case, in_choice};
use super::clauses::Clauses;
use super::slots::{Meant, Slot, veil};
use super::within::{By, Change, Old, Within, surroundings};
use super::{Ground, conditions};
use crate::merge::edits::{Edit, Opened, PartEdit, StepEdit};
use crate::merge::order::{Order, Standing};
use crate::merge::pieces::{need_not, need_that};
use crate::project::Layer;
use crate::references::DefinitionKind;

/// One of the bodies of a step.
pub(super) struct Body {
    /// When it stands; the printed one has no condition.
    pub under: Option<Expr>,
    pub step: Step,
    pub layer: Layer,
    /// Whether nothing from below hangs on it.
    pub whole: bool,
    pub is_put: bool,
    /// Options that changes put there, and those that they took out under conditions.
    options: Vec<PutOption>,
    /// Options that changes added under conditions: whatever is put in their place stays under these.
    hung: Vec<(Span, Expr)>,
    /// Options and cases that changes took out for good.
    dropped: Vec<Dropped>,
    /// The needs that changes have changed, by the option that has them.
    pub needs: BTreeMap<Span, Clauses>,
    pub within: Within,
}

struct PutOption {
    slot: Slot,
    layer: Layer,
    /// Whether with nothing from below.
    whole: bool,
    /// Under which condition it stands there.
    under: Option<Conditional>,
}

/// An option that is put, or taken out, under a condition.
#[derive(Clone)]
struct Conditional {
    under: Expr,
    /// Where the change is written.
    span: Span,
    removes: bool,
}

/// An option or a case that a change took out, and whose doing that was.
struct Dropped {
    slot: Slot,
    layer: Layer,
}

impl Body {
    pub fn new(under: Option<Expr>, step: Step, layer: Layer, is_put: bool) -> Self {
        Self {
            under,
            step,
            layer,
            whole: false,
            is_put,
            options: Vec::new(),
            hung: Vec::new(),
            dropped: Vec::new(),
            needs: BTreeMap::new(),
            within: Within::default(),
        }
    }

    /// The statements of a hook.
    pub fn of_hook(body: Block, layer: Layer) -> Self {
        let (span, name) = (body.span, Name { text: String::new(), span: body.span });
        let (params, laws, cites) = (Vec::new(), Vec::new(), Vec::new());
        Self::new(None, Step { name, params, ty: None, laws, body, before: 0, cites, span }, layer, false)
    }

    pub fn ground(&self) -> Ground {
        Ground { layer: self.layer, span: self.step.span, is_put: self.is_put, is_part: false }
    }

    /// Who wrote what a change found, or missed: of what went with the part that it stood in, whoever put another there. What
    /// lies below went with it.
    pub fn found_lost(
        &self,
        outcome: Outcome,
        edit: &Edit<StepEdit>,
        hangs: bool,
        order: &Order,
    ) -> (Ground, Outcome) {
        let Outcome::Missing { name, .. } = &outcome else { return (self.ground(), outcome) };
        let Some(lost) = self.within.lost(&name.text) else { return (self.ground(), outcome) };
        let is_below = order.of(edit.layer, lost.ground().layer) == Standing::Below;
        if is_below && (lost.whole || !hangs) {
            (self.ground(), Outcome::Done)
        } else {
            (lost.ground(), outcome)
        }
    }

    /// Whether nothing of a layer hangs on it.
    pub fn is_above_all(&self, layer: Layer, order: &Order) -> bool {
        self.whole && order.of(layer, self.layer) == Standing::Below
    }

    /// Whether a layer above put what stands in a place with nothing from below, at all times.
    pub fn put_whole(&self, slot: &Slot, layer: Layer, order: &Order) -> bool {
        let is_above = |by: Layer| order.of(layer, by) == Standing::Below;
        let puts = self.options.iter().filter(|put| put.slot == *slot && put.whole && put.under.is_none());
        puts.map(|put| put.layer).any(is_above)
    }

    /// The options that layers above put with nothing from below where a condition holds.
    pub fn wholes_under(&self, layer: Layer, order: &Order) -> BTreeSet<Span> {
        let is_above = |by: Layer| order.of(layer, by) == Standing::Below;
        let puts = self.options.iter().filter(|put| put.whole && is_above(put.layer));
        puts.filter_map(|put| Some(put.under.as_ref()?.span)).collect()
    }

    /// Whether a layer above took out what a change means.
    pub fn is_dropped(&self, meant: &Meant, layer: Layer, order: &Order) -> bool {
        let is_above = |by: Layer| order.of(layer, by) == Standing::Below;
        self.dropped.iter().any(|dropped| meant.may_be(&dropped.slot) && is_above(dropped.layer))
    }

    /// Who wrote what stands in a place, before anything is put there under a condition.
    pub fn option_layer(&self, slot: &Slot) -> Layer {
        let first = slot.options(&self.step.body).next();
        first.map_or(self.layer, |option| self.part_layer(option.span))
    }

    /// Who wrote the option or case that begins there.
    pub fn part_layer(&self, part: Span) -> Layer {
        self.within.owner(part).unwrap_or(self.layer)
    }

    /// What a change means by the option that it opens.
    pub fn meant(&self, path: &[Opened]) -> Meant {
        Meant::of(&self.step.body, path)
    }

    /// Does something with the body as a layer knows it: without the options that others have added of which it knows nothing.
    pub fn as_known<T>(&mut self, layer: Layer, order: &Order, work: impl FnOnce(&mut Self) -> T) -> T {
        let strange = self.within.strange(layer, order);
        veil(&mut self.step.body, &strange, true);
        let done = work(self);
        veil(&mut self.step.body, &strange, false);
        done
    }

    /// Changes an option or a case.
    pub fn part(
        &mut self,
        path: &[Opened],
        part: &PartEdit,
        edit: &Edit<StepEdit>,
        order: &Order,
        note: &mut dyn FnMut(&Name, DefinitionKind, Span),
        met: &mut BTreeSet<(Span, Span)>,
    ) -> Outcome {
        if matches!(part, PartEdit::AddOption(_) | PartEdit::AddWhen(_)) {
            // Two of one name must be seen.
            return self.change(path, part, edit, order, note, met);
        }
        self.as_known(edit.layer, order, |body| body.change(path, part, edit, order, note, met))
    }

    fn change(
        &mut self,
        path: &[Opened],
        part: &PartEdit,
        edit: &Edit<StepEdit>,
        order: &Order,
        note: &mut dyn FnMut(&Name, DefinitionKind, Span),
        met: &mut BTreeSet<(Span, Span)>,
    ) -> Outcome {
        if let Some(opened) = named(part) {
            let whole: Vec<Opened> = path.iter().cloned().chain([opened]).collect();
            let meant = self.meant(&whole);
            // With a whole one from above goes what from below stood there under conditions, too.
            let is_over = edit.under.is_some()
                && meant.slot().is_some_and(|slot| self.put_whole(slot, edit.layer, order));
            if is_over || self.is_dropped(&meant, edit.layer, order) {
                return Outcome::Done;
            }
        }
        let adds = matches!(part, PartEdit::AddOption(_) | PartEdit::AddWhen(_));
        let around = if adds { BTreeMap::new() } else { surroundings(&self.step.body) };
        let around = |part: Span| around.get(&part).cloned().unwrap_or_default();
        let (options, dropped, within) = (&mut self.options, &mut self.dropped, &mut self.within);
        let hung = &mut self.hung;
        let outcome = at(&mut self.step.body, path, &mut |target| match part {
            PartEdit::AddOption(option) => {
                let outcome = add_part(target, part, edit.under.as_ref());
                if matches!(outcome, Outcome::Done) {
                    within.add(option.span, path, edit);
                    hung.extend(edit.under.iter().map(|under| (option.span, under.clone())));
                }
                outcome
            }
            PartEdit::AddWhen(when) => {
                let outcome = add_part(target, part, None);
                if matches!(outcome, Outcome::Done) {
                    within.add(when.span, path, edit);
                }
                outcome
            }
            PartEdit::PutOption { option, whole } => {
                let mut put = Put { edit, order, options, hung, within, note, met };
                put_option(target, option, *whole, &mut put, &around)
            }
            PartEdit::DropOption(opened) => in_target(target, opened, &mut |choose| {
                let named = |option: &ChoiceOption| option.name.text == opened.name.text;
                let there = choose.options.iter().find(|option| named(option));
                there.iter().for_each(|old| note(&opened.name, DefinitionKind::Option, old.name.span));
                let Some(condition) = &edit.under else {
                    for old in choose.options.iter().filter(|option| named(option)) {
                        let old = Old {
                            is: &|opened| is_option(opened, &old.name),
                            span: old.span,
                            body: &old.body,
                            around: around(old.span),
                        };
                        within.replace(old, None, Change::Remove, By::of(edit), order);
                    }
                    choose.options.retain(|option| !named(option));
                    dropped.push(Dropped { slot: Slot::of(choose.span, &opened.name), layer: edit.layer });
                    return Outcome::Done;
                };
                let new = Conditional { under: condition.clone(), span: edit.span, removes: true };
                give_way(choose, &opened.name, &new, edit.layer, order, options, met);
                let slot = Slot::of(choose.span, &opened.name);
                options.push(PutOption { slot, layer: edit.layer, whole: false, under: Some(new) });
                Outcome::Done
            }),
            PartEdit::PutWhen(_) | PartEdit::DropWhen(_) => case_part(target, part, note, &mut |old, new| {
                let stays = |name: &Name| matches!(part, PartEdit::PutWhen(new) if has_value(new, name));
                let is = |opened: &Opened| opened.kind == PartKind::When && stays(&opened.name);
                let old = Old { is: &is, span: old.span, body: &old.body, around: around(old.span) };
                let change = if new.is_some() { Change::PutCase } else { Change::Remove };
                within.replace(old, new, change, By::of(edit), order);
            }),
        });
        let added = match part {
            PartEdit::AddOption(option) => Some(option.span),
            PartEdit::AddWhen(when) => Some(when.span),
            PartEdit::PutOption { .. }
            | PartEdit::DropOption(_)
            | PartEdit::PutWhen(_)
            | PartEdit::DropWhen(_) => None,
        };
        if let (Outcome::Done, Some(added)) = (&outcome, added) {
            self.within.hang(added, &self.step.body, By::of(edit), order);
        }
        outcome
    }
}

/// Whether what a change opens is the option of this name.
fn is_option(opened: &Opened, name: &Name) -> bool {
    opened.kind == PartKind::Option && opened.name.text == name.text
}

/// What a change that puts an option looks at, and what it notes.
struct Put<'a> {
    edit: &'a Edit<StepEdit>,
    order: &'a Order,
    options: &'a mut Vec<PutOption>,
    hung: &'a mut Vec<(Span, Expr)>,
    within: &'a mut Within,
    note: &'a mut dyn FnMut(&Name, DefinitionKind, Span),
    met: &'a mut BTreeSet<(Span, Span)>,
}

/// Adds an option or a case.
pub(super) fn add_part(target: Target<'_>, part: &PartEdit, under: Option<&Expr>) -> Outcome {
    match part {
        PartEdit::AddOption(option) => add_option(target, option, under),
        PartEdit::AddWhen(when) => {
            let Some(block) = cases_of(target) else { return Outcome::Homeless };
            home_of_case(block, when.beside.as_ref(), &mut |whens| {
                whens.push(When { beside: None, ..when.clone() });
                Outcome::Done
            })
        }
        PartEdit::PutOption { .. }
        | PartEdit::DropOption(_)
        | PartEdit::PutWhen(_)
        | PartEdit::DropWhen(_) => Outcome::Homeless,
    }
}

/// Where cases are looked for.
fn cases_of(target: Target<'_>) -> Option<&mut Block> {
    match target {
        Target::Block(block) => Some(block),
        Target::Option(option) => Some(&mut option.body),
        Target::When(when) => Some(&mut when.body),
        Target::Choice(_) => None,
    }
}

/// Where something is looked for: a whole body, or the choice that is opened.
fn in_target(target: Target<'_>, opened: &Opened, change: &mut dyn FnMut(&mut Choose) -> Outcome) -> Outcome {
    match target {
        Target::Block(block) => in_choice(block, opened, change),
        Target::Option(option) => in_choice(&mut option.body, opened, change),
        Target::When(when) => in_choice(&mut when.body, opened, change),
        Target::Choice(choose) => {
            let known = super::address::names(choose);
            if known.contains(&opened.name.text) {
                return change(choose);
            }
            Outcome::Missing { name: opened.name.clone(), kind: PartKind::Option, known }
        }
    }
}

fn add_option(target: Target<'_>, option: &ChoiceOption, under: Option<&Expr>) -> Outcome {
    let mut new = option.clone();
    let beside = new.beside.take();
    if let Some(condition) = under {
        new.needs.insert(0, need_that(condition.clone(), new.span));
    }
    let mut add = |choose: &mut Choose| {
        if let Some(old) = choose.options.iter().find(|old| old.name.text == new.name.text) {
            return Outcome::Exists(old.span);
        }
        choose.options.push(new.clone());
        Outcome::Done
    };
    match target {
        Target::Block(block) => home(block, beside.as_ref(), &mut add),
        Target::Option(option) => home(&mut option.body, beside.as_ref(), &mut add),
        Target::When(when) => home(&mut when.body, beside.as_ref(), &mut add),
        Target::Choice(choose) => add(choose),
    }
}

fn put_option(
    target: Target<'_>,
    option: &ChoiceOption,
    whole: bool,
    put: &mut Put<'_>,
    around: &dyn Fn(Span) -> Vec<Span>,
) -> Outcome {
    let mut new = option.clone();
    let opened = Opened { kind: PartKind::Option, name: new.name.clone(), beside: new.beside.take() };
    let Put { edit, order, options, hung, within, note, met } = put;
    in_target(target, &opened, &mut |choose| {
        let choice = choose.span;
        let Some(old) = choose.options.iter_mut().find(|old| old.name.text == new.name.text) else {
            return Outcome::Homeless;
        };
        note(&new.name, DefinitionKind::Option, old.name.span);
        let slot = Slot::of(choice, &new.name);
        let is_put = PutOption { slot, layer: edit.layer, whole, under: None };
        let mut new = new.clone();
        let is = |opened: &Opened| is_option(opened, &option.name);
        let gone = Old { is: &is, span: old.span, body: &old.body, around: around(old.span) };
        let Some(condition) = &edit.under else {
            let change = if whole { Change::Whole } else { Change::PutOption };
            within.replace(gone, Some((new.span, &mut new.body)), change, By::of(edit), order);
            if let Some((_, under)) = hung.iter().find(|(span, _)| *span == old.span).cloned() {
                new.needs.insert(0, need_that(under.clone(), new.span));
                hung.push((new.span, under));
            }
            *old = new;
            options.push(is_put);
            return Outcome::Done;
        };
        if !whole {
            within.rehang_on(&gone, &mut new.body, By::of(edit));
        }
        let exception = Conditional { under: condition.clone(), span: option.span, removes: false };
        give_way(choose, &new.name, &exception, edit.layer, order, options, met);
        options.push(PutOption { under: Some(exception), ..is_put });
        new.needs.insert(0, need_that(condition.clone(), new.span));
        choose.options.push(new);
        Outcome::Done
    })
}

/// What stands in a choice under a name gives way where the condition of a new change holds.
fn give_way(
    choose: &mut Choose,
    name: &Name,
    new: &Conditional,
    layer: Layer,
    order: &Order,
    options: &[PutOption],
    met: &mut BTreeSet<(Span, Span)>,
) {
    let slot = Slot::of(choose.span, name);
    let there = options.iter().filter(|put| put.slot == slot);
    let earlier: Vec<(Layer, &Conditional)> =
        there.filter_map(|put| Some((put.layer, put.under.as_ref()?))).collect();
    for option in choose.options.iter_mut().filter(|option| option.name.text == name.text) {
        let old = earlier.iter().find(|(_, old)| !old.removes && old.span == option.span);
        if !old.is_some_and(|(_, old)| conditions::exclude_each_other(&old.under, &new.under)) {
            // Where it does not stand, its own needs are no matter.
            option.needs.insert(0, need_not(&new.under, option.span));
        }
    }
    let meets = |(by, old): &(Layer, &Conditional)| {
        let agree = old.removes && new.removes;
        let ordered = order.of(layer, *by) == Standing::Above;
        !agree && !ordered && !conditions::exclude_each_other(&old.under, &new.under)
    };
    // The first is told, however many there are.
    met.extend(earlier.iter().find(|earlier| meets(earlier)).map(|(_, first)| (first.span, new.span)));
}

/// Is told of a case that gives way, and what comes in its place.
type Gone<'g> = dyn FnMut(&When, Option<(Span, &mut Block)>) + 'g;

/// Puts a case in the place of another, or takes one out; `gone` is told what gives way, and to what.
fn case_part(
    target: Target<'_>,
    part: &PartEdit,
    note: &mut dyn FnMut(&Name, DefinitionKind, Span),
    gone: &mut Gone<'_>,
) -> Outcome {
    let Some(block) = cases_of(target) else { return Outcome::Homeless };
    match part {
        PartEdit::PutWhen(when) => {
            let Some(opened) = named(part) else { return Outcome::Homeless };
            let name = &opened.name;
            in_case(block, &opened, &mut |whens| {
                let Some(old) = whens.iter_mut().find(|old| has_value(old, name)) else {
                    return Outcome::Homeless;
                };
                if let (Some(new), Some(there)) = (when.values.first(), old.values.first()) {
                    note(&Name { text: name.text.clone(), span: new.span }, DefinitionKind::Case, there.span);
                }
                let mut new = when.clone();
                gone(old, Some((new.span, &mut new.body)));
                *old = When { beside: None, ..new };
                Outcome::Done
            })
        }
        PartEdit::DropWhen(opened) => in_case(block, opened, &mut |whens| {
            for old in whens.iter().filter(|when| has_value(when, &opened.name)) {
                gone(old, None);
            }
            whens.retain(|when| !has_value(when, &opened.name));
            Outcome::Done
        }),
        PartEdit::AddOption(_)
        | PartEdit::AddWhen(_)
        | PartEdit::PutOption { .. }
        | PartEdit::DropOption(_) => Outcome::Homeless,
    }
}

/// The option or case that a change puts or drops.
pub(super) fn named(part: &PartEdit) -> Option<Opened> {
    match part {
        PartEdit::AddOption(_) | PartEdit::AddWhen(_) => None,
        PartEdit::PutOption { option, .. } => {
            let (name, beside) = (option.name.clone(), option.beside.clone());
            Some(Opened { kind: PartKind::Option, name, beside })
        }
        PartEdit::DropOption(opened) | PartEdit::DropWhen(opened) => Some(opened.clone()),
        PartEdit::PutWhen(when) => {
            let value = when.values.first()?;
            let name = Name { text: blazon_syntax::ast::print::expr(value), span: value.span };
            Some(Opened { kind: PartKind::When, name, beside: when.beside.clone() })
        }
    }
}

/// What a change is found by in a step: the option or case that it puts or drops, or beside which it adds something.
pub(super) fn found_by(part: &PartEdit) -> Option<Opened> {
    let opened = |kind, name: &Name| Opened { kind, name: name.clone(), beside: None };
    match part {
        PartEdit::AddOption(option) => option.beside.as_ref().map(|name| opened(PartKind::Option, name)),
        PartEdit::AddWhen(when) => when.beside.as_ref().map(|name| opened(PartKind::When, name)),
        PartEdit::PutOption { .. }
        | PartEdit::DropOption(_)
        | PartEdit::PutWhen(_)
        | PartEdit::DropWhen(_) => named(part),
    }
}
