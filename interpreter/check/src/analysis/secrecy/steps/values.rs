//! What is named, set, rolled, drawn and returned, and what other steps are given.

use std::rc::Rc;

use blazon_book::graph::{Join, Numbers};
use blazon_book::walk::{ExprKey, Put};
use blazon_book::{AssignOp, Base, Expr, ExprKind, LocalId, StepId, Type, Value, build};
use blazon_diagnostics::Span;

use super::super::demand::{Asked, Demand};
use super::super::names::GoesBy;
use super::super::report::Shown;
use super::super::terms::{Renewal, Shared, equal, kind_of, local, locals_of, not};
use super::super::{Effects, Secrecy};
use super::{Place, Viewer, Walk};

impl Secrecy<'_> {
    pub(super) fn let_(
        &mut self,
        name: LocalId,
        value: &Value,
        at: Span,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        let variable = Self::variable(walk, name, at);
        let ExprKind::Local(own) = variable.kind else { return };
        match value {
            Value::Expr(expr) => {
                let expr = self.own(expr, walk);
                if place.named.contains(&ExprKey::of(&expr)) {
                    // What is named once more is the same thing.
                    place.named.push(ExprKey::of(&variable));
                }
                let demands = self.demands(&expr);
                let known: Vec<Shared> = place.facts.about(&locals_of(&expr));
                let labels = demands.into_iter().map(|mut demand| {
                    demand.facts.extend(known.iter().cloned());
                    demand
                });
                let labels: Vec<Demand> = labels.collect();
                if !labels.is_empty() {
                    self.labels.insert(own, Rc::new(labels));
                }
                if kind_of(&expr).is_some() {
                    let members = self.demands_of_member(&variable, &expr);
                    self.meet(&variable, members);
                }
                if matches!(expr.ty.base, Base::Set(_)) {
                    let origins = self.origins(&expr);
                    self.held.insert(own, origins);
                    let mut facts = std::mem::take(&mut place.facts);
                    self.know_set(&mut facts, own, &expr);
                    place.facts = facts;
                } else {
                    self.know(&mut place.facts, equal(variable, expr));
                }
            }
            Value::Draw(set, count) => {
                self.value(value, at, place, walk);
                if matches!(count.kind, ExprKind::Word(1)) {
                    self.singles.insert(own);
                }
                let set = self.own(set, walk);
                let mut members = self.demands_of_member(&variable, &set);
                let is_parameter = matches!(set.kind, ExprKind::Local(of) if walk.params.contains(&of));
                if self.is_hidden(kind_of(&set)) && (members.is_empty() || is_parameter) {
                    // Which were drawn is as hidden as where a thing lies: luck tells nobody names.
                    members.push(Demand::of(variable.clone(), Asked::Back, at));
                }
                self.meet(&variable, members);
                let origins = self.origins(&set);
                self.held.insert(own, origins);
                let mut facts = std::mem::take(&mut place.facts);
                self.know_set(&mut facts, own, &set);
                place.facts = facts;
            }
            Value::Step(..) | Value::Die(_) | Value::Dice(..) => {
                let goes_by = self.value(value, at, place, walk);
                self.goes_by(&variable, own, goes_by);
            }
        }
    }

    /// What is set, rolled, drawn or returned: all see that it is. Answers what it goes by, if not by pieces alone.
    pub(super) fn value(
        &mut self,
        value: &Value,
        at: Span,
        place: &mut Place,
        walk: &mut Walk,
    ) -> Option<GoesBy> {
        match value {
            Value::Expr(expr) => {
                let expr = self.own(expr, walk);
                let demands = self.demands(&expr);
                self.settle(demands, &Viewer::Everybody, &Shown::Answer(at), place, walk);
                return self.goes_by_name(&expr);
            }
            Value::Step(step, args) => return self.call_step(*step, args, at, place, walk),
            Value::Die(sides) => self.rolled(&[sides], at, place, walk),
            Value::Dice(sides, count) => self.rolled(&[sides, count], at, place, walk),
            Value::Draw(set, count) => self.rolled(&[set, count], at, place, walk),
        }
        None
    }

    fn rolled(&mut self, parts: &[&Expr], at: Span, place: &mut Place, walk: &mut Walk) {
        for part in parts {
            let part = self.own(part, walk);
            let demands = self.demands(&part);
            self.settle(demands, &Viewer::Everybody, &Shown::Luck(at), place, walk);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of the statement")]
    pub(super) fn assign(
        &mut self,
        column: blazon_book::ColumnId,
        keys: &[Expr],
        op: AssignOp,
        value: &Value,
        at: Span,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        let face = keys.iter().find(|key| self.asked_of(column, key) == Some(Asked::Face)).cloned();
        let pure = if let Value::Expr(expr) = value { Some(self.own(expr, walk)) } else { None };
        let mut demands = pure.as_ref().map(|expr| self.demands(expr)).unwrap_or_default();
        for key in keys {
            demands.extend(self.demands(key));
        }
        if pure.is_none() {
            self.value(value, at, place, walk);
        }
        let shown = Shown::State(at, column);
        match face {
            // Who sees the thing sees what is set.
            Some(thing) => {
                let name = self.fresh();
                let viewer = local(name, Type::of(Base::Thing(self.book.player)), at);
                let mut inner = place.clone();
                if let Some(seen) = self.seen(&viewer, &thing) {
                    self.know(&mut inner.facts, seen);
                }
                demands.extend(std::mem::take(&mut inner.quiet));
                self.settle(demands, &Viewer::One(viewer), &shown, &mut inner, walk);
            }
            None => {
                for key in keys {
                    if self.asked_of(column, key) == Some(Asked::Back) {
                        demands.extend(self.demands_of_key(key, column));
                    }
                }
                // What is kept for all to see is seen as a piece.
                if let Some(value) = &pure {
                    demands.extend(self.pieces_of(value));
                }
                self.settle(demands, &Viewer::Everybody, &shown, place, walk);
            }
        }
        let flag = match (op, pure.as_ref().and_then(build::constant)) {
            (AssignOp::Set, constant) => constant,
            (AssignOp::Add | AssignOp::Take, _) => None,
        };
        let set: Numbers = [column.0 as usize].into_iter().collect();
        let other = |of: bool| if flag == Some(of) { Numbers::default() } else { set.clone() };
        let effects =
            Effects { set_to: [other(false), other(true)], writes: set.clone(), ..Effects::default() };
        self.change(&effects, place);
        if let (AssignOp::Set, Some(value)) = (op, pure) {
            let ty = self.book.column(column).ty;
            let target = Expr { kind: blazon_book::ExprKind::Column(column, keys.to_vec()), ty, span: at };
            let reads_itself = self.calls.reads(&value).contains(column.0 as usize);
            match flag {
                Some(true) => self.know(&mut place.facts, target),
                Some(false) => self.know(&mut place.facts, not(target)),
                None if reads_itself || !matches!(ty.base, Base::Thing(_)) => {}
                None => self.know(&mut place.facts, equal(target, value)),
            }
        }
    }

    /// A step that is done, with what it must know. Answers as [`Self::value`] does, of what it returns.
    pub(super) fn call_step(
        &mut self,
        id: StepId,
        args: &[Expr],
        at: Span,
        place: &mut Place,
        walk: &mut Walk,
    ) -> Option<GoesBy> {
        let args: Vec<Expr> = args.iter().map(|arg| self.own(arg, walk)).collect();
        let effects = self.effects[id.0 as usize].clone();
        for arg in &args {
            let demands = self.demands(arg);
            if !demands.is_empty() && !effects.is_nothing() {
                self.settle(demands, &Viewer::Everybody, &Shown::Given(arg.span), place, walk);
            }
        }
        if !place.quiet.is_empty() && !effects.is_nothing() {
            self.inline(id, &args, place.clone(), walk);
        }
        let by_name = self.given_by_name(&args);
        let summary = self.step(id, by_name);
        for pending in &summary.pending {
            let map = summary.params.iter().copied().zip(args.iter().cloned().map(Put::Expr)).collect();
            let mut next = self.next;
            let mut renewal = Renewal { map, own: summary.own.clone(), next: &mut next };
            let mut demand = pending.demand.clone();
            demand.thing = renewal.apply(&demand.thing);
            demand.facts = demand.facts.iter().map(|fact| Rc::new(renewal.apply(fact))).collect();
            demand.released = demand.released.iter().map(|when| Rc::new(renewal.apply(when))).collect();
            let by_way = |expr: &Expr| locals_of(expr).iter().any(|local| summary.params.contains(local));
            let asked = if let Viewer::One(one) = &pending.viewer { by_way(one) } else { false };
            if asked || by_way(&pending.demand.thing) {
                let way = std::mem::replace(&mut demand.trail, vec![at]);
                demand.lead_on(&way);
            }
            let viewer = match &pending.viewer {
                Viewer::Everybody => Viewer::Everybody,
                Viewer::One(one) => Viewer::One(renewal.apply(one)),
            };
            self.next = next;
            let mut then = place.clone();
            self.change(&pending.changed, &mut then);
            self.settle(vec![demand], &viewer, &pending.shown, &mut then, walk);
        }
        let mut effects = effects;
        effects.join(&self.watched);
        self.change(&effects, place);
        summary.by_name
    }
}
