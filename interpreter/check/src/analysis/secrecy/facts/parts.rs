//! What a fact comes to: a rule its cases, a member of a set what made it one.

use std::cell::OnceCell;
use std::rc::Rc;

use blazon_book::walk::{ExprKey, each_expr};
use blazon_book::{Base, Comparison, Expr, ExprKind, Quantifier, RuleBody, SetOp, Type, build};

use super::super::Secrecy;
use super::super::terms::{self, equal, local, locals_of, member, not};
use super::equality::{Keyed, canonical, hash_of, is_tie};
use super::{Fact, Facts, Held, Known};

/// What an expression comes to, where it holds.
pub(super) enum Parts {
    Whole,
    All(Vec<Expr>),
    Cases(Vec<Vec<Expr>>),
}

impl Secrecy<'_> {
    /// What a flag says that holds.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only comparisons have sides")]
    pub(super) fn look(&mut self, fact: Expr) -> Known {
        let (expr, holds) = canonical(fact);
        if let Some(constant) = build::constant(&expr) {
            return if constant == holds { Known::Nothing } else { Known::Never };
        }
        if let ExprKind::Compare(Comparison::Equal, a, b) = &expr.kind {
            let is_there = |e: &Expr| !e.ty.optional && !matches!(e.kind, ExprKind::Absent);
            let nothing = |e: &Expr| matches!(e.kind, ExprKind::Absent);
            if nothing(a) && is_there(b) || nothing(b) && is_there(a) {
                return if holds { Known::Never } else { Known::Nothing };
            }
        }
        if !self.can_matter(&expr) {
            return Known::Nothing;
        }
        let key = (ExprKey::of(&expr), holds);
        if let Some(fact) = self.looked.get(&key) {
            return Known::Fact(fact.clone());
        }
        let sides = match &expr.kind {
            ExprKind::Compare(Comparison::Equal, a, b) if holds => {
                let side = |side: &Expr| Rc::new(Keyed::of(side.clone()));
                Some([side(a), side(b)])
            }
            _ => None,
        };
        let (reads, locals) = (self.calls.reads(&expr), locals_of(&expr));
        let (expr, parts) = (Rc::new(expr), OnceCell::new());
        let hash = hash_of(&key.0);
        let fact = Rc::new(Fact { expr, key: key.0.clone(), holds, reads, locals, sides, hash, parts });
        self.looked.insert(key, fact.clone());
        Known::Fact(fact)
    }

    /// Whether it can have to do with who sees what.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others read nothing themselves")]
    fn can_matter(&self, expr: &Expr) -> bool {
        let (mut matters, mut reads) = (false, false);
        each_expr(expr, &mut |e| match &e.kind {
            ExprKind::Column(column, _) => {
                reads = true;
                matters |= self.matters.contains(column.0 as usize);
            }
            ExprKind::Rule(rule, _) => {
                let (rule_matters, rule_reads) = self.rules_matter[rule.0 as usize];
                matters |= rule_matters;
                reads |= rule_reads;
            }
            _ => {}
        });
        matters || !reads && is_tie(expr)
    }

    pub(super) fn held(&mut self, parts: Parts) -> Held {
        let mut look = |all: Vec<Expr>| all.into_iter().map(|one| self.look(one)).collect::<Vec<Known>>();
        match parts {
            Parts::Whole => Held::Whole,
            Parts::All(all) => Held::All(look(all)),
            // A case of which nothing is known makes the others worth nothing.
            Parts::Cases(cases) => {
                let cases: Vec<Vec<Known>> = cases.into_iter().map(look).collect();
                let says = |case: &Vec<Known>| case.iter().any(|known| !matches!(known, Known::Nothing));
                if cases.iter().all(says) { Held::Cases(cases) } else { Held::Whole }
            }
        }
    }

    /// Takes a fact apart.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what says no more than itself")]
    pub(super) fn parts(&mut self, expr: &Expr, holds: bool, facts: &Facts) -> Parts {
        match (&expr.kind, holds) {
            (ExprKind::And(all), true) => Parts::All(all.clone()),
            (ExprKind::Or(all), false) => Parts::All(all.iter().cloned().map(not).collect()),
            (ExprKind::Or(all), true) => Parts::Cases(all.iter().map(|one| vec![one.clone()]).collect()),
            (ExprKind::And(all), false) => {
                Parts::Cases(all.iter().map(|one| vec![not(one.clone())]).collect())
            }
            (ExprKind::Choice(c, a, b), _) => {
                let turned = |e: &Expr| if holds { e.clone() } else { not(e.clone()) };
                Parts::Cases(vec![vec![(**c).clone(), turned(a)], vec![not((**c).clone()), turned(b)]])
            }
            (ExprKind::Rule(id, args), _) => self.rule_parts(*id, args, holds),
            (ExprKind::In(thing, set), true) => self.member_parts(thing, set, facts),
            (ExprKind::Compare(Comparison::Equal, a, b), true) => {
                let turned = self.equal_parts(a, b);
                if matches!(turned, Parts::Whole) { self.equal_parts(b, a) } else { turned }
            }
            (ExprKind::Each(y, source, body), true) => {
                let one = self.fresh();
                let kind = terms::kind_of(source);
                let Some(kind) = kind else { return Parts::Whole };
                let of = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *y, &of);
                Parts::All(vec![member(of, (**source).clone()), body])
            }
            (ExprKind::Query(query), true) if query.quantifier == Quantifier::Any => {
                let Some(kind) = terms::kind_of(&query.source) else { return Parts::Whole };
                let one = self.fresh();
                let of = local(one, Type::of(Base::Thing(kind)), query.source.span);
                let filter = query.filter.as_ref().map(|filter| self.put(filter, query.local, &of));
                Parts::All([member(of, query.source.clone())].into_iter().chain(filter).collect())
            }
            _ => Parts::Whole,
        }
    }

    fn rule_parts(&mut self, id: blazon_book::RuleId, args: &[Expr], holds: bool) -> Parts {
        let book = self.book;
        if let RuleBody::Permission(needs) = &book.rule(id).body {
            let needs: Vec<Expr> = needs.iter().map(|need| self.of_rule(&need.condition, args)).collect();
            return if holds { Parts::All(needs) } else { Parts::Whole };
        }
        let Some(alternatives) = self.alternatives(id, args) else { return Parts::Whole };
        let turned = |value: Expr| if holds { value } else { not(value) };
        Parts::Cases(
            alternatives
                .into_iter()
                .filter(|(_, value)| build::constant(value) != Some(!holds))
                .map(|(mut when, value)| {
                    when.push(turned(value));
                    when
                })
                .collect(),
        )
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of other sets no more is known")]
    fn member_parts(&mut self, thing: &Expr, set: &Expr, facts: &Facts) -> Parts {
        let of = |set: &Expr| member(thing.clone(), set.clone());
        match &set.kind {
            ExprKind::ToSet(one) => Parts::All(vec![equal(thing.clone(), (**one).clone())]),
            ExprKind::List(all) => {
                Parts::Cases(all.iter().map(|one| vec![equal(thing.clone(), one.clone())]).collect())
            }
            ExprKind::Sets(SetOp::Union, a, b) => Parts::Cases(vec![vec![of(a)], vec![of(b)]]),
            ExprKind::Sets(SetOp::Both, a, b) => Parts::All(vec![of(a), of(b)]),
            ExprKind::Sets(SetOp::Without, a, b) => Parts::All(vec![of(a), not(of(b))]),
            ExprKind::Choice(c, a, b) => {
                Parts::Cases(vec![vec![(**c).clone(), of(a)], vec![not((**c).clone()), of(b)]])
            }
            ExprKind::Query(query) if query.quantifier != Quantifier::Reach => {
                let filter = query.filter.as_ref().map(|filter| self.put(filter, query.local, thing));
                Parts::All([of(&query.source)].into_iter().chain(filter).collect())
            }
            ExprKind::Each(y, source, body) => {
                let Some(kind) = terms::kind_of(source) else { return Parts::Whole };
                let one = self.fresh();
                let local = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *y, &local);
                Parts::All(vec![member(local, (**source).clone()), of(&body)])
            }
            ExprKind::Local(name) => {
                let Some((one, known)) = facts.sets.get(name).cloned() else { return Parts::Whole };
                let about = known
                    .all
                    .iter()
                    .map(|f| if f.holds { (*f.expr).clone() } else { not((*f.expr).clone()) });
                let about: Vec<Expr> = about.collect();
                let mut parts: Vec<Expr> = about.iter().map(|fact| self.put(fact, one, thing)).collect();
                for case in &known.cases {
                    let cases: Vec<Expr> = case
                        .iter()
                        .map(|facts| {
                            let all = facts.all.iter().map(|f| {
                                let e = (*f.expr).clone();
                                if f.holds { e } else { not(e) }
                            });
                            build::and(all.collect(), thing.span)
                        })
                        .collect();
                    let case = build::or(cases, thing.span);
                    parts.push(self.put(&case, one, thing));
                }
                Parts::All(parts)
            }
            ExprKind::Rule(id, args) => self.rule_member_parts(thing, *id, args),
            _ => Parts::Whole,
        }
    }

    fn rule_member_parts(&mut self, thing: &Expr, id: blazon_book::RuleId, args: &[Expr]) -> Parts {
        if let Some(alternatives) = self.alternatives(id, args) {
            let with = |(mut when, value): (Vec<Expr>, Expr)| {
                when.push(member(thing.clone(), value));
                when
            };
            return Parts::Cases(alternatives.into_iter().map(with).collect());
        }
        let book = self.book;
        let RuleBody::Value { base, exceptions, modifiers } = &book.rule(id).body else {
            return Parts::Whole;
        };
        let values = std::iter::once((None, base))
            .chain(exceptions.iter().map(|e| (e.when.as_ref(), &e.value)))
            .chain(modifiers.iter().filter(|m| !m.minus).map(|m| (m.when.as_ref(), &m.value)));
        let mut cases = Vec::new();
        for (when, value) in values {
            let when = when.map(|when| self.of_rule(when, args));
            let value = self.of_rule(value, args);
            cases.push(when.into_iter().chain([member(thing.clone(), value)]).collect());
        }
        Parts::Cases(cases)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of other values no more is known")]
    fn equal_parts(&mut self, thing: &Expr, value: &Expr) -> Parts {
        let certain = !thing.ty.optional && !matches!(thing.kind, ExprKind::Absent);
        match &value.kind {
            ExprKind::Rule(id, args) if certain && matches!(value.ty.base, Base::Thing(_)) => {
                let Some(alternatives) = self.alternatives(*id, args) else { return Parts::Whole };
                let cases =
                    alternatives.into_iter().filter(|(_, value)| !matches!(value.kind, ExprKind::Absent));
                let with = |(mut when, value): (Vec<Expr>, Expr)| {
                    when.push(equal(thing.clone(), value));
                    when
                };
                Parts::Cases(cases.map(with).collect())
            }
            ExprKind::Query(query) if certain && query.quantifier == Quantifier::First => {
                let filter = query.filter.as_ref().map(|filter| self.put(filter, query.local, thing));
                Parts::All([member(thing.clone(), query.source.clone())].into_iter().chain(filter).collect())
            }
            ExprKind::Otherwise(a, b) if certain => Parts::Cases(vec![
                vec![equal(thing.clone(), (**a).clone())],
                vec![equal(thing.clone(), (**b).clone())],
            ]),
            ExprKind::Choice(c, a, b) => Parts::Cases(vec![
                vec![(**c).clone(), equal(thing.clone(), (**a).clone())],
                vec![not((**c).clone()), equal(thing.clone(), (**b).clone())],
            ]),
            ExprKind::Each(y, source, body) if certain => {
                let Some(kind) = terms::kind_of(source) else { return Parts::Whole };
                let one = self.fresh();
                let of = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *y, &of);
                Parts::All(vec![member(of, (**source).clone()), equal(thing.clone(), body)])
            }
            _ => Parts::Whole,
        }
    }
}
