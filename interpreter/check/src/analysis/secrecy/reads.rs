//! What an expression asks of things that somebody may not see.
//!
//! A thing of a kind with a face is met in two ways: as the piece that lies there, told apart from others by its back
//! alone, or by its name. A piece says where it lies and keeps its name to itself; a name has what is printed under it,
//! and keeps to itself where it lies. Only who asks both, or what is on the face alone, asks for a secret.

use blazon_book::walk::ExprKey;
use blazon_book::{
    Base, ColumnId, Comparison, Expr, ExprKind, KindId, LocalId, Quantifier, Query, Role, SetOp, Type,
};
use blazon_diagnostics::Span;

use super::Secrecy;
use super::demand::{Asked, Demand, Reading};
use super::names::are_by_name;
use super::terms::{equal, kind_of, local, locals_of, member, not};

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
    pub(super) fn strictly(&mut self, reading: &mut Reading, read: impl FnOnce(&mut Self, &mut Reading)) {
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
    pub(super) fn read(&mut self, expr: &Expr, reading: &mut Reading) {
        if self.gives_up() {
            return;
        }
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
    pub(super) fn read_all(&mut self, parts: &[Expr], reading: &mut Reading) {
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
        self.read_filtered(bound.filter, bound.body, &mut inner);
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

    /// What must hold of a thing, and what is asked of those of which it does. What decides it is seen where it holds, so it
    /// holds of them in both positions.
    fn read_filtered(&mut self, filter: Option<&Expr>, body: Option<&Expr>, inner: &mut Reading) {
        inner.suppose(filter.cloned());
        if let Some(filter) = filter {
            self.read(filter, inner);
        }
        let before = inner.under(filter.cloned());
        if let Some(body) = body {
            self.read(body, inner);
        }
        inner.facts.truncate(before);
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
        self.faces[kind.0 as usize] && is_state && !on_back
    }

    /// What a fact or state asks of one of its keys.
    pub(super) fn asked_of(&self, column: ColumnId, key: &Expr) -> Option<Asked> {
        let kind = key.ty.base.thing()?;
        if !self.hidden[kind.0 as usize] {
            // Whose name is on its back has no secret but what stands on its face.
            return self.is_on_face(column, kind).then_some(Asked::Face);
        }
        Some(match &self.book.column(column).role {
            Role::Fact(_) if self.book.kind(kind).back.contains(&column) => return None,
            Role::Fact(_) => Asked::Name,
            Role::State { .. } if self.is_on_face(column, kind) => Asked::Face,
            Role::State { .. } => Asked::Back,
        })
    }

    /// Something is asked of a thing.
    pub(super) fn ask(
        &mut self,
        thing: Expr,
        asked: Asked,
        column: Option<ColumnId>,
        at: Span,
        reading: &mut Reading,
    ) {
        let demand = |thing, asked, reading: &Reading| {
            let mut demand = Demand { column, ..Demand::of(thing, asked, at) };
            reading.put_under(&mut demand);
            demand
        };
        if self.gives_up() {
            return;
        }
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
    pub(super) fn read_member(&mut self, thing: &Expr, of: &Expr, reading: &mut Reading) {
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
                let [filter, by] = [&query.filter, &query.by]
                    .map(|part| part.as_ref().map(|part| self.put(part, query.local, thing)));
                self.read_filtered(filter.as_ref(), by.as_ref(), &mut inner);
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

    /// What a state asks of a thing as it is set, for all to see.
    pub(super) fn demands_of_key(&mut self, key: &Expr, column: ColumnId) -> Vec<Demand> {
        let mut reading = Reading::default();
        self.ask(key.clone(), Asked::Back, Some(column), key.span, &mut reading);
        reading.found
    }
}
