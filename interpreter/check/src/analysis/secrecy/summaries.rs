//! What rules ask, found once for each way in which they are given things, and asked of what they are given.

use std::collections::HashMap;
use std::rc::Rc;

use blazon_book::walk::{ExprKey, Put};
use blazon_book::{Base, Expr, ExprKind, LocalId, RuleBody, RuleId, Type};
use blazon_diagnostics::Span;
use rustc_hash::FxHashMap;

use super::demand::{Asked, Demand, Reading};
use super::facts::hash_of;
use super::names::Places;
use super::terms::{Renewal, Shared, kind_of, local, not};
use super::{Secrecy, deeper};

/// What a rule asks.
pub(super) struct Summary {
    params: Vec<LocalId>,
    /// Of the things that decide its answer.
    pub(super) demands: Vec<Demand>,
    /// Of each thing in its answer, if that is a thing or a set: what made it one.
    pub(super) members: Vec<Demand>,
    one: Expr,
    own: std::ops::Range<u32>,
}

impl Secrecy<'_> {
    /// What a rule asks, asked of these.
    pub(super) fn call(
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
            let is_own = |param: &LocalId| matches!(demand.thing.kind, ExprKind::Local(own) if own == *param);
            let place = self.is_followed(&demand.thing).then(|| summary.params.iter().position(is_own));
            let set = place.flatten().and_then(|place| args.get(place));
            let thing = renewal.apply(&demand.thing);
            let facts: Vec<Shared> = demand.facts.iter().map(|fact| Rc::new(renewal.apply(fact))).collect();
            let released: Vec<Shared> =
                demand.released.iter().map(|when| Rc::new(renewal.apply(when))).collect();
            renewed.push((thing, set, facts, released, demand));
        }
        self.next = next;
        for (thing, set, facts, released, demand) in renewed {
            let mut inner = reading.inner();
            inner.facts.extend(facts);
            if demand.is_strict {
                inner.supposed.clear();
                inner.is_strict = true;
            }
            // What makes things members of a set that is given is asked of them where they are gone through; of the variables
            // that it holds it is asked here.
            let asked = if let Some(set) = set { self.origins(set) } else { vec![thing] };
            for thing in asked {
                self.ask(thing, demand.asked, demand.column, at, &mut inner);
            }
            for mut found in inner.found {
                if found.trail == [at] {
                    found.lead_on(&demand.trail);
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
        let summary = Rc::new(deeper(|| self.make_summary(id, &key.1)));
        self.rules.insert(key, summary.clone());
        summary
    }

    fn make_summary(&mut self, id: RuleId, by_name: &Places) -> Summary {
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
        self.are_names(&args, by_name);
        args.iter().for_each(|arg| self.follow(arg));
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
        Summary { params, demands, members, one, own: start..self.next + 1 }
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

/// Without those that ask what another asks already, of the same thing under no more than these facts: where that one is
/// seen, so are they. A rule that asks another twice, which asks a third twice, would ask that four times.
fn tidied(demands: Vec<Demand>) -> Vec<Demand> {
    let mut order: Vec<usize> = (0..demands.len()).collect();
    // Those that are asked under least come first, and of these the first.
    order.sort_by_key(|&place| demands[place].facts.len());
    let mut known: FxHashMap<ExprKey, Vec<Wanting>> = FxHashMap::default();
    let mut kept: Vec<usize> = Vec::new();
    for place in order {
        let demand = &demands[place];
        let wanting = Wanting::of(demand);
        let others = known.entry(ExprKey::of(&demand.thing)).or_default();
        if !others.iter().any(|other| other.covers(&wanting)) {
            others.push(wanting);
            kept.push(place);
        }
    }
    kept.sort_unstable();
    let mut demands: Vec<Option<Demand>> = demands.into_iter().map(Some).collect();
    kept.into_iter().filter_map(|place| demands[place].take()).collect()
}

/// What a demand asks of its thing, for holding it against others.
pub(super) struct Wanting {
    asked: Asked,
    is_strict: bool,
    is_kept: bool,
    facts: Vec<u64>,
    released: Vec<u64>,
}

impl Wanting {
    pub(super) fn of(demand: &Demand) -> Self {
        let keys = |all: &[Shared]| {
            let mut keys: Vec<u64> = all.iter().map(|one| hash_of(&ExprKey::of(one))).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        let Demand { asked, is_strict, is_kept, .. } = *demand;
        Self { asked, is_strict, is_kept, facts: keys(&demand.facts), released: keys(&demand.released) }
    }

    /// Whether whoever sees what this asks sees what the other asks, too, of the same thing.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let is_in = |few: &[u64], many: &[u64]| few.iter().all(|one| many.binary_search(one).is_ok());
        self.asked == other.asked
            && self.is_kept == other.is_kept
            && (self.is_strict || !other.is_strict)
            && is_in(&self.facts, &other.facts)
            && is_in(&self.released, &other.released)
    }
}
