//! What an expression asks of things that somebody may not see.
//!
//! A thing of a kind with a face is met in two ways: as the piece that lies there, told apart from others by its back
//! alone, or by its name. A piece says where it lies and keeps its name to itself; a name has what is printed under it,
//! and keeps to itself where it lies. Only who asks both, or what is on the face alone, asks for a secret.

use std::collections::HashMap;
use std::rc::Rc;

use blazon_book::walk::{ExprKey, Put};
use blazon_book::{
    Base, ColumnId, Comparison, Expr, ExprKind, KindId, LocalId, Quantifier, Query, Role, RuleBody, RuleId,
    SetOp, Type,
};
use blazon_diagnostics::Span;

use super::Secrecy;
use super::names::{Places, are_by_name};
use super::terms::{Renewal, Shared, equal, kind_of, local, locals_of, member, not};

/// What is asked of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Asked {
    /// Which it is: its name, or what is printed on its face.
    Name,
    /// What its back shows.
    Back,
    /// What only who sees the face knows.
    Face,
}

/// A thing that is asked something, and must be seen by whoever learns the answer.
#[derive(Clone)]
pub(super) struct Demand {
    /// Of a kind with a face.
    pub(super) thing: Expr,
    pub(super) asked: Asked,
    /// What holds where it is asked.
    pub(super) facts: Vec<Shared>,
    /// From the place that asks to the place that reads: calls of rules and steps.
    pub(super) trail: Vec<Span>,
    /// The fact or state that is read.
    pub(super) column: Option<ColumnId>,
    /// Where one of these holds, the rules tell it to all.
    pub(super) released: Vec<Shared>,
    /// Whether it was asked before, and only the answer stands here: no text shows that as a back.
    pub(super) is_kept: bool,
    /// Whether it must be seen in either of two positions, and what holds only in the one is no help.
    pub(super) is_strict: bool,
}

impl Demand {
    /// Something asked at a place, of which nothing is known.
    pub(super) fn of(thing: Expr, asked: Asked, at: Span) -> Self {
        let (facts, released) = (Vec::new(), Vec::new());
        Self {
            thing,
            asked,
            facts,
            trail: vec![at],
            column: None,
            released,
            is_strict: false,
            is_kept: false,
        }
    }
}

/// What a rule asks.
pub(super) struct Summary {
    params: Vec<LocalId>,
    /// Of the things that decide its answer.
    demands: Vec<Demand>,
    /// Of each thing in its answer, if that is a thing or a set: what made it one.
    members: Vec<Demand>,
    one: Expr,
    own: std::ops::Range<u32>,
}

/// A variable over a source, and what is asked of it.
struct Bound<'e> {
    name: LocalId,
    source: &'e Expr,
    /// Whether it goes through things of the source, not through what can be reached from there.
    are_members: bool,
    /// Whether which of them comes first counts.
    in_order: bool,
    filter: Option<&'e Expr>,
    body: Option<&'e Expr>,
}

/// What is known around, and what has been found.
///
/// Take two positions that somebody cannot tell apart, and a flag that holds in the first. If he sees there all that
/// decided it, then it is decided alike in the second, and holds there, too. So for a flag it is enough that its things are
/// seen if it holds: that much may be *supposed*. Read from either side this says that it holds in both or in none. What is
/// no flag, or is asked under `not`, has no such side: there only *facts* count, which hold in both positions.
#[derive(Clone, Default)]
pub(super) struct Reading {
    /// What holds in both positions wherever the answer counts.
    facts: Vec<Shared>,
    /// What holds in the first.
    supposed: Vec<Shared>,
    /// Whether what was supposed further out does not count here.
    is_strict: bool,
    pub(super) found: Vec<Demand>,
}

impl Reading {
    /// With these facts.
    fn of(facts: Vec<Shared>) -> Self {
        Self { facts, ..Self::default() }
    }

    /// The same place, where nothing has been found.
    fn inner(&self) -> Self {
        Self { found: Vec::new(), ..self.clone() }
    }

    /// Adds facts; answers how many there were.
    fn under(&mut self, facts: impl IntoIterator<Item = Expr>) -> usize {
        let before = self.facts.len();
        self.facts.extend(facts.into_iter().map(Rc::new));
        before
    }

    /// Adds what may be supposed; answers how much there was.
    fn suppose(&mut self, flags: impl IntoIterator<Item = Expr>) -> usize {
        let before = self.supposed.len();
        self.supposed.extend(flags.into_iter().map(Rc::new));
        before
    }

    /// Adds what is known here to something that is asked.
    fn put_under(&self, demand: &mut Demand) {
        demand.facts.extend(self.facts.iter().cloned());
        if !demand.is_strict {
            demand.facts.extend(self.supposed.iter().cloned());
        }
        demand.is_strict |= self.is_strict;
    }
}

impl Secrecy<'_> {
    pub(super) fn is_hidden(&self, kind: Option<KindId>) -> bool {
        kind.is_some_and(|kind| self.hidden[kind.0 as usize])
    }

    /// Whether it asks only what decides what the rules are.
    fn is_open(&self, expr: &Expr) -> bool {
        let reads = self.calls.reads(expr);
        !reads.is_empty()
            && reads.iter().all(|column| self.open.contains(column))
            && locals_of(expr).is_empty()
    }

    /// What an expression asks.
    pub(super) fn demands(&mut self, expr: &Expr) -> Vec<Demand> {
        let mut reading = Reading::default();
        self.read(expr, &mut reading);
        reading.found
    }

    /// What makes a thing a member of a set, or the value of an expression.
    pub(super) fn demands_of_member(&mut self, thing: &Expr, of: &Expr) -> Vec<Demand> {
        let mut reading = Reading::default();
        self.read_member(thing, of, &mut reading);
        reading.found
    }

    /// Reads what must be the same in two positions, whatever further flags hold in one of them.
    fn strictly(&mut self, reading: &mut Reading, read: impl FnOnce(&mut Self, &mut Reading)) {
        let supposed = std::mem::take(&mut reading.supposed);
        let is_strict = std::mem::replace(&mut reading.is_strict, true);
        read(self, reading);
        reading.supposed = supposed;
        reading.is_strict = is_strict;
    }

    /// A part of something that is no flag itself.
    fn read_value(&mut self, expr: &Expr, reading: &mut Reading) {
        if expr.ty.base == Base::Flag {
            self.strictly(reading, |secrecy, reading| secrecy.read(expr, reading));
        } else {
            self.read(expr, reading);
        }
    }

    /// What an expression asks; of a flag, where it holds.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others hold nothing")]
    fn read(&mut self, expr: &Expr, reading: &mut Reading) {
        match &expr.kind {
            // That it fails is known just as well if it fails only of things that are seen.
            ExprKind::Compare(Comparison::NotEqual, a, b) => self.strictly(reading, |secrecy, reading| {
                reading.suppose([equal((**a).clone(), (**b).clone())]);
                secrecy.read_parts(expr, reading);
            }),
            ExprKind::Compare(..)
            | ExprKind::In(..)
            | ExprKind::Column(..)
            | ExprKind::Rule(..)
            | ExprKind::Each(..)
            | ExprKind::Within(..)
                if expr.ty.base == Base::Flag =>
            {
                let before = reading.suppose([expr.clone()]);
                self.read_parts(expr, reading);
                reading.supposed.truncate(before);
            }
            _ => self.read_parts(expr, reading),
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the others ask what their parts ask")]
    fn read_parts(&mut self, expr: &Expr, reading: &mut Reading) {
        match &expr.kind {
            ExprKind::Local(name) => {
                let Some(labels) = self.labels.get(name).cloned() else { return };
                for demand in labels.iter() {
                    let mut demand = Demand { is_kept: true, ..demand.clone() };
                    reading.put_under(&mut demand);
                    reading.found.push(demand);
                }
            }
            ExprKind::Column(column, keys) => {
                for key in keys {
                    self.read_value(key, reading);
                    if let Some(asked) = self.asked_of(*column, key) {
                        self.ask(key.clone(), asked, Some(*column), expr.span, reading);
                    }
                }
            }
            ExprKind::Rule(rule, args) => {
                args.iter().for_each(|arg| self.read_value(arg, reading));
                let by_name = self.given_by_name(args);
                let summary = self.summary(*rule, by_name);
                self.call(&summary, &summary.demands, args, None, expr.span, reading);
            }
            ExprKind::And(parts) => self.read_all(parts, reading),
            ExprKind::Or(parts) => {
                let before = reading.facts.len();
                // What the rules are is known to all, wherever that is asked.
                let (rules, rest): (Vec<&Expr>, Vec<&Expr>) =
                    parts.iter().partition(|part| self.is_open(part));
                for part in rules.into_iter().chain(rest) {
                    self.read(part, reading);
                    // Where it holds in the second position, so does the whole.
                    reading.under([not(part.clone())]);
                }
                reading.facts.truncate(before);
            }
            ExprKind::Choice(c, a, b) => {
                self.strictly(reading, |secrecy, reading| secrecy.read(c, reading));
                let before = reading.under([(**c).clone()]);
                self.read(a, reading);
                reading.facts.truncate(before);
                reading.under([not((**c).clone())]);
                self.read(b, reading);
                reading.facts.truncate(before);
            }
            ExprKind::Compare(_, a, b) => {
                self.read_value(a, reading);
                self.read_value(b, reading);
                let absent = |e: &Expr| matches!(e.kind, ExprKind::Absent);
                if absent(a) || absent(b) {
                    return;
                }
                if self.is_hidden(kind_of(a)) && matches!(a.ty.base, Base::Thing(_)) {
                    // Whose name is known that the other side has, knows the answer: a name by itself asks nothing.
                    let word = |e: &Expr| matches!(e.kind, ExprKind::Word(_));
                    if !word(a) {
                        self.read_member(a, b, reading);
                    }
                    if !word(b) {
                        self.read_member(b, a, reading);
                    }
                } else if self.is_hidden(kind_of(a)) {
                    self.strictly(reading, |secrecy, reading| {
                        secrecy.compare_sets(a, b, reading);
                        secrecy.compare_sets(b, a, reading);
                    });
                }
            }
            ExprKind::In(thing, set) => {
                self.read_value(thing, reading);
                self.read_value(set, reading);
                if self.is_hidden(kind_of(thing)) {
                    self.read_member(thing, set, reading);
                    for origin in self.origins(set) {
                        self.read_member(&origin, thing, reading);
                    }
                }
            }
            ExprKind::Each(name, source, body) => {
                self.read_value(source, reading);
                let (name, body) = (*name, Some(&**body));
                let bound = Bound { name, source, are_members: true, in_order: false, filter: None, body };
                self.bound_of(&bound, expr.ty.base == Base::Flag, reading);
            }
            ExprKind::Query(query) => self.query(query, reading),
            ExprKind::Links(..) | ExprKind::Neighbours(..) | ExprKind::Between(..) | ExprKind::Ends(..) => {
                // Links are printed between names.
                for part in expr.parts() {
                    self.read_value(part, reading);
                    if self.is_hidden(kind_of(part)) {
                        self.ask(part.clone(), Asked::Name, None, expr.span, reading);
                    }
                }
            }
            _ => expr.parts().into_iter().for_each(|part| self.read_value(part, reading)),
        }
    }

    /// Of flags that must all hold, each if they all do; those before it hold in both positions.
    fn read_all(&mut self, parts: &[Expr], reading: &mut Reading) {
        let supposed = reading.suppose(parts.iter().cloned());
        let before = reading.facts.len();
        // What is asked from the other side can only use what holds in both.
        let is_turned = |part: &&Expr| {
            matches!(part.kind, ExprKind::Not(_) | ExprKind::Compare(Comparison::NotEqual, ..))
        };
        let (turned, straight): (Vec<&Expr>, Vec<&Expr>) = parts.iter().partition(is_turned);
        for part in straight.into_iter().chain(turned) {
            self.read(part, reading);
            reading.under([part.clone()]);
        }
        reading.facts.truncate(before);
        reading.supposed.truncate(supposed);
    }

    /// Whether two sets are the same asks what makes a thing a member of either.
    fn compare_sets(&mut self, set: &Expr, other: &Expr, reading: &mut Reading) {
        let Some(kind) = kind_of(set) else { return };
        let name = self.fresh();
        let one = local(name, Type::of(Base::Thing(kind)), set.span);
        let mut inner = reading.inner();
        inner.under([member(one.clone(), set.clone())]);
        self.read_member(&one, set, &mut inner);
        self.read_member(&one, other, &mut inner);
        let mut origins = self.origins(set);
        origins.extend(self.origins(other));
        for origin in origins {
            self.hand_on(name, &origin, &mut inner);
        }
        self.settle_bound(name, inner.found, false, reading);
    }

    fn query(&mut self, query: &Query, reading: &mut Reading) {
        self.read_value(&query.source, reading);
        if let Some(within) = &query.within {
            self.read_value(within, reading);
        }
        let name = if query.local == LocalId::NONE { self.fresh() } else { query.local };
        let bound = Bound {
            name,
            source: &query.source,
            are_members: query.quantifier != Quantifier::Reach,
            in_order: self.goes_by_order(query),
            filter: query.filter.as_ref(),
            body: query.by.as_ref(),
        };
        self.bound_of(&bound, query.quantifier == Quantifier::Any, reading);
    }

    /// Whether what a query gives is one of several, by their printed order.
    fn goes_by_order(&self, query: &Query) -> bool {
        let source = &query.source.kind;
        query.quantifier == Quantifier::First
            && !matches!(source, ExprKind::ToSet(_))
            && !matches!(source, ExprKind::Local(set) if self.singles.contains(set))
    }

    /// A variable over a source: a flag that asks whether there is one, or a value that all together make.
    fn bound_of(&mut self, bound: &Bound, is_flag: bool, reading: &mut Reading) {
        if is_flag {
            self.bound(bound, reading);
        } else {
            self.strictly(reading, |secrecy, reading| secrecy.bound(bound, reading));
        }
    }

    fn bound(&mut self, bound: &Bound, reading: &mut Reading) {
        let Bound { name, source, .. } = *bound;
        let parts = || bound.filter.into_iter().chain(bound.body);
        let Some(kind) = kind_of(source) else {
            parts().for_each(|part| self.read_value(part, reading));
            return;
        };
        let one = local(name, Type::of(Base::Thing(kind)), source.span);
        let mut inner = reading.inner();
        if bound.are_members {
            inner.under([member(one.clone(), source.clone())]);
        }
        inner.suppose(bound.filter.cloned());
        parts().for_each(|part| self.read(part, &mut inner));
        let mut by_name = false;
        if self.is_hidden(Some(kind)) {
            let before = inner.found.len();
            self.read_member(&one, source, &mut inner);
            by_name = are_by_name(&inner.found[before..]);
            if bound.in_order {
                self.ask(one, Asked::Name, None, source.span, &mut inner);
            }
        }
        if self.is_hidden(Some(kind)) {
            let mut others = self.origins(source);
            for part in parts() {
                others.extend(self.held_against(part, name));
            }
            for other in others {
                self.hand_on(name, &other, &mut inner);
            }
        }
        self.settle_bound(name, inner.found, by_name, reading);
    }

    /// What is asked of a variable that goes through all is asked of the thing, too, that it is held against.
    fn hand_on(&mut self, name: LocalId, other: &Expr, inner: &mut Reading) {
        let is_own = |demand: &&Demand| matches!(demand.thing.kind, ExprKind::Local(local) if local == name);
        let own: Vec<Demand> = inner.found.iter().filter(is_own).cloned().collect();
        for demand in own.into_iter().filter(|demand| demand.asked != Asked::Face) {
            let mut reading = Reading { is_strict: demand.is_strict, ..Reading::of(demand.facts) };
            let at = demand.trail.first().copied().unwrap_or(other.span);
            self.ask(other.clone(), demand.asked, demand.column, at, &mut reading);
            inner.found.append(&mut reading.found);
        }
    }

    /// Of a variable that goes through all: who asks for its name alone, or for its back alone, asks for no secret.
    fn settle_bound(&mut self, name: LocalId, found: Vec<Demand>, by_name: bool, reading: &mut Reading) {
        let is_own = |demand: &Demand| matches!(demand.thing.kind, ExprKind::Local(local) if local == name);
        let asks = |asked| found.iter().any(|demand| is_own(demand) && demand.asked == asked);
        let both = asks(Asked::Name) && asks(Asked::Back);
        // Of names that are given it must be seen where they lie; of pieces that are given, who they are.
        let secret = if by_name { Asked::Back } else { Asked::Name };
        for mut demand in found {
            if is_own(&demand) {
                match demand.asked {
                    Asked::Face => {}
                    asked if both && asked == secret => demand.asked = Asked::Face,
                    Asked::Name | Asked::Back => continue,
                }
            }
            reading.found.push(demand);
        }
    }

    /// Whether a state of a kind is on the face of its things alone.
    pub(super) fn is_on_face(&self, column: ColumnId, kind: KindId) -> bool {
        let is_state = matches!(self.book.column(column).role, Role::State { .. });
        let on_back = self.book.kind(kind).back.contains(&column) || self.tells.contains(column.0 as usize);
        self.hidden[kind.0 as usize] && is_state && !on_back
    }

    /// What a fact or state asks of one of its keys.
    pub(super) fn asked_of(&self, column: ColumnId, key: &Expr) -> Option<Asked> {
        let kind = key.ty.base.thing()?;
        if !self.hidden[kind.0 as usize] {
            return None;
        }
        let on_back = self.book.kind(kind).back.contains(&column);
        Some(match &self.book.column(column).role {
            Role::Fact(_) if on_back => return None,
            Role::Fact(_) => Asked::Name,
            Role::State { .. } if on_back || self.tells.contains(column.0 as usize) => Asked::Back,
            Role::State { .. } => Asked::Face,
        })
    }

    /// Something is asked of a thing.
    fn ask(&mut self, thing: Expr, asked: Asked, column: Option<ColumnId>, at: Span, reading: &mut Reading) {
        let demand = |thing, asked, reading: &Reading| {
            let mut demand = Demand { column, ..Demand::of(thing, asked, at) };
            reading.put_under(&mut demand);
            demand
        };
        if matches!(thing.kind, ExprKind::Local(_)) {
            reading.found.push(demand(thing, asked, reading));
            return;
        }
        if matches!(thing.kind, ExprKind::Absent) {
            return;
        }
        if matches!(thing.kind, ExprKind::Word(_)) {
            if asked != Asked::Name {
                reading.found.push(demand(thing, asked, reading));
            }
            return;
        }
        // What the expression says of the thing counts, too.
        let name = self.fresh();
        let one = local(name, Type { optional: false, ..thing.ty }, thing.span);
        let mut inner = reading.inner();
        inner.under([equal(one.clone(), thing.clone())]);
        self.read_member(&one, &thing, &mut inner);
        inner.found.push(demand(one, asked, &inner));
        for origin in self.origins(&thing) {
            self.hand_on(name, &origin, &mut inner);
        }
        self.settle_bound(name, inner.found, false, reading);
    }

    /// What makes a thing a member of a set, or equal to another.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what else gives things gives pieces")]
    fn read_member(&mut self, thing: &Expr, of: &Expr, reading: &mut Reading) {
        let key = ExprKey::of(thing);
        let ours = |demand: &Demand| ExprKey::of(&demand.thing) == key;
        match &of.kind {
            ExprKind::Word(_)
            | ExprKind::Links(..)
            | ExprKind::Neighbours(..)
            | ExprKind::Between(..)
            | ExprKind::Ends(..) => self.ask(thing.clone(), Asked::Name, None, of.span, reading),
            ExprKind::Column(column, _) => {
                let printed = matches!(self.book.column(*column).role, Role::Fact(_));
                let asked = if printed { Asked::Name } else { Asked::Back };
                self.ask(thing.clone(), asked, Some(*column), of.span, reading);
            }
            ExprKind::ToSet(one) => self.read_member(thing, one, reading),
            ExprKind::List(items) => items.iter().for_each(|item| self.read_member(thing, item, reading)),
            ExprKind::Sets(SetOp::Union | SetOp::Both, a, b) | ExprKind::Otherwise(a, b) => {
                self.read_member(thing, a, reading);
                self.read_member(thing, b, reading);
            }
            ExprKind::Sets(SetOp::Without, a, b) => {
                self.read_member(thing, a, reading);
                self.strictly(reading, |secrecy, reading| secrecy.read_member(thing, b, reading));
            }
            ExprKind::Choice(_, a, b) => {
                self.read_member(thing, a, reading);
                self.read_member(thing, b, reading);
            }
            ExprKind::Each(name, source, body) => {
                let Some(kind) = kind_of(source) else { return };
                let one = self.fresh();
                let with = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *name, &with);
                let before = reading.under([member(with, (**source).clone())]);
                self.read_member(thing, &body, reading);
                reading.facts.truncate(before);
            }
            ExprKind::Query(query) => {
                self.read_member(thing, &query.source, reading);
                let mut inner = reading.inner();
                inner.under([member(thing.clone(), query.source.clone())]);
                if let Some(filter) = &query.filter {
                    let filter = self.put(filter, query.local, thing);
                    inner.suppose([filter]);
                }
                for part in [&query.filter, &query.by].into_iter().flatten() {
                    let part = self.put(part, query.local, thing);
                    self.read(&part, &mut inner);
                }
                // What is reached is reached by way of names, from wherever the way begins.
                if self.goes_by_order(query) || query.quantifier == Quantifier::Reach {
                    self.ask(thing.clone(), Asked::Name, None, of.span, &mut inner);
                }
                reading.found.extend(inner.found.into_iter().filter(ours));
            }
            ExprKind::Rule(rule, args) => {
                let by_name = self.given_by_name(args);
                let summary = self.summary(*rule, by_name);
                self.call(&summary, &summary.members, args, Some(thing), of.span, reading);
            }
            ExprKind::Local(name) => {
                let Some(defined) = self.names.get(name).cloned() else { return };
                if matches!(of.ty.base, Base::Thing(_)) {
                    // A piece that is pointed at is known as that piece, as is one that was chosen; a name is known as
                    // a name, and what is both stays both.
                    let (names, pieces): (Vec<&Demand>, Vec<&Demand>) =
                        defined.1.iter().partition(|demand| demand.asked == Asked::Name);
                    if !names.is_empty() && !self.chosen.contains(name) {
                        self.ask(thing.clone(), Asked::Name, None, of.span, reading);
                        if !pieces.is_empty() {
                            self.ask(thing.clone(), Asked::Back, None, of.span, reading);
                        }
                    }
                    return;
                }
                for demand in defined.1.iter() {
                    let mut demand = demand.clone();
                    demand.thing = self.put(&demand.thing, defined.0, thing);
                    reading.put_under(&mut demand);
                    reading.found.push(demand);
                }
            }
            _ => {}
        }
    }

    /// What a rule asks, asked of these.
    fn call(
        &mut self,
        summary: &Summary,
        demands: &[Demand],
        args: &[Expr],
        one: Option<&Expr>,
        at: Span,
        reading: &mut Reading,
    ) {
        if demands.is_empty() {
            return;
        }
        let mut map: HashMap<LocalId, Put> =
            summary.params.iter().copied().zip(args.iter().cloned().map(Put::Expr)).collect();
        if let (ExprKind::Local(name), Some(one)) = (&summary.one.kind, one) {
            map.insert(*name, Put::Expr(one.clone()));
        }
        let mut renewed = Vec::new();
        let mut next = self.next;
        let mut renewal = Renewal { map, own: summary.own.clone(), next: &mut next };
        for demand in demands {
            let thing = renewal.apply(&demand.thing);
            let facts: Vec<Shared> = demand.facts.iter().map(|fact| Rc::new(renewal.apply(fact))).collect();
            let released: Vec<Shared> =
                demand.released.iter().map(|when| Rc::new(renewal.apply(when))).collect();
            renewed.push((thing, facts, released, demand));
        }
        self.next = next;
        for (thing, facts, released, demand) in renewed {
            let mut inner = reading.inner();
            inner.facts.extend(facts);
            if demand.is_strict {
                inner.supposed.clear();
                inner.is_strict = true;
            }
            self.ask(thing, demand.asked, demand.column, at, &mut inner);
            for mut found in inner.found {
                if found.trail == [at] {
                    found.trail.extend(demand.trail.iter().copied());
                    found.released.extend(released.iter().cloned());
                }
                reading.found.push(found);
            }
        }
    }

    /// What a rule asks, if these of its parameters are given by name.
    pub(super) fn summary(&mut self, id: RuleId, by_name: Places) -> Rc<Summary> {
        let key = (id, by_name);
        if let Some(summary) = self.rules.get(&key) {
            return summary.clone();
        }
        let book = self.book;
        let rule = book.rule(id);
        let start = self.next + 1;
        let mut args = Vec::new();
        let mut params = Vec::new();
        for param in &rule.locals[..rule.params] {
            let name = self.fresh();
            params.push(name);
            args.push(local(name, param.ty, rule.span));
        }
        self.are_names(&args, &key.1);
        let name = self.fresh();
        let ty = kind_of(&Expr { kind: ExprKind::Absent, ty: rule.ty, span: rule.span })
            .map_or(rule.ty, |kind| Type::of(Base::Thing(kind)));
        let one = local(name, ty, rule.span);
        let (mut demands, mut members) = (Vec::new(), Vec::new());
        let needs_nothing = !self.touches(id);
        if !needs_nothing {
            let mut reading = Reading::default();
            let mut of_members = Reading::default();
            self.read_rule(&rule.body, &args, &one, &mut reading, &mut of_members);
            demands = tidied(reading.found);
            members = tidied(of_members.found);
            let key = ExprKey::of(&one);
            members.retain(|demand| ExprKey::of(&demand.thing) == key);
        }
        for release in &rule.known {
            let Some(when) = &release.when else {
                // Which things it gives is known by their names.
                demands.clear();
                members = if self.is_hidden(kind_of(&one)) {
                    vec![Demand::of(one.clone(), Asked::Name, rule.span)]
                } else {
                    Vec::new()
                };
                break;
            };
            let when = Rc::new(self.of_rule(when, &args));
            demands.iter_mut().chain(&mut members).for_each(|demand| demand.released.push(when.clone()));
        }
        let summary = Rc::new(Summary { params, demands, members, one, own: start..self.next + 1 });
        self.rules.insert(key, summary.clone());
        summary
    }

    /// What a state asks of a thing as it is set, for all to see.
    pub(super) fn demands_of_key(&mut self, key: &Expr, column: ColumnId) -> Vec<Demand> {
        let mut reading = Reading::default();
        self.ask(key.clone(), Asked::Back, Some(column), key.span, &mut reading);
        reading.found
    }

    /// Whether a rule has to do with things of a kind with a face at all.
    fn touches(&self, id: RuleId) -> bool {
        let rule = self.book.rule(id);
        rule.locals[..rule.params].iter().any(|param| self.is_hidden(param.ty.base.kind()))
            || self.is_hidden(rule.ty.base.kind())
            || self.calls.rules_read(id).any(|column| self.hidden_columns.contains(&column))
    }

    fn read_rule(
        &mut self,
        body: &RuleBody,
        args: &[Expr],
        one: &Expr,
        reading: &mut Reading,
        members: &mut Reading,
    ) {
        let has_members = self.is_hidden(kind_of(one));
        match body {
            RuleBody::Table(_) => {
                // Its rows are printed under names, and so are the things in them.
                for arg in args.iter().filter(|arg| self.is_hidden(kind_of(arg))).cloned().collect::<Vec<_>>()
                {
                    let at = arg.span;
                    self.ask(arg, Asked::Name, None, at, reading);
                }
                if has_members {
                    self.ask(one.clone(), Asked::Name, None, one.span, members);
                }
            }
            RuleBody::Permission(needs) => {
                let needs: Vec<Expr> = needs.iter().map(|need| self.of_rule(&need.condition, args)).collect();
                self.read_all(&needs, reading);
            }
            RuleBody::Value { base, exceptions, modifiers } => {
                let before = reading.facts.len();
                let mut none = Vec::new();
                let parts = exceptions
                    .iter()
                    .map(|e| (&e.value, e.when.as_ref(), true))
                    .chain(modifiers.iter().map(|m| (&m.value, m.when.as_ref(), false)));
                for (value, when, excepts) in parts {
                    let when = when.map(|when| self.of_rule(when, args));
                    let value = self.of_rule(value, args);
                    if let Some(when) = &when {
                        self.strictly(reading, |secrecy, reading| secrecy.read(when, reading));
                    }
                    reading.under(when.clone());
                    members.under(when.clone());
                    self.read(&value, reading);
                    if has_members {
                        self.read_member(one, &value, members);
                    }
                    reading.facts.truncate(before);
                    members.facts.truncate(before);
                    if excepts {
                        none.extend(when.map(not));
                    }
                }
                let base = self.of_rule(base, args);
                reading.under(none.clone());
                members.under(none);
                self.read(&base, reading);
                if has_members {
                    self.read_member(one, &base, members);
                }
                reading.facts.truncate(before);
                members.facts.truncate(before);
            }
        }
    }
}

/// Without those that ask the same of the same under the same facts.
fn tidied(demands: Vec<Demand>) -> Vec<Demand> {
    let mut seen = rustc_hash::FxHashSet::default();
    let key = |demand: &Demand| {
        let facts: Vec<ExprKey> = demand.facts.iter().map(|fact| ExprKey::of(fact)).collect();
        (ExprKey::of(&demand.thing), demand.asked, facts)
    };
    demands.into_iter().filter(|demand| seen.insert(key(demand))).collect()
}
