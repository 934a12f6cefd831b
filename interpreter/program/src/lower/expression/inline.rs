//! Plain rules written out where they are asked, conditions taken apart, sets asked for one thing.

use std::collections::HashMap;
use std::sync::Arc;

use blazon_book::walk::{Put, each_expr, each_part, substitute};
use blazon_book::{
    Arithmetic, Base, Book, Comparison, Expr, ExprKind, Keeper, LocalId, Modifier, Quantifier, Role,
    RuleBody, RuleId, SetOp, Type,
};

use crate::analysis::const_eval::Fixed;
use crate::analysis::effects::Uses;
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::rules;

/// The nodes of a rule that is written out although it is asked of nothing.
const TINY: usize = 4;
/// The nodes of a rule that is written out wherever it is asked.
pub(crate) const SMALL: usize = 10;
/// The nodes of a rule that is written out where parts of it may be known before others.
pub(crate) const MIDDLE: usize = 20;
/// The nodes of a rule that is written out where a query can make use of it.
pub(crate) const LARGE: usize = 80;
/// How deep rules are written out.
const DEEP: usize = 6;

/// Whether an expression reads nothing but what is printed, and its variables.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
pub(crate) fn is_printed(book: &Book, uses: &Uses, expr: &Expr) -> bool {
    let mut printed = match &expr.kind {
        ExprKind::Column(column, _) => matches!(book.column(*column).role, Role::Fact(_)),
        ExprKind::Rule(rule, _) => uses.is_printed(*rule),
        ExprKind::Winner => false,
        _ => true,
    };
    if printed {
        each_part(expr, &mut |part| printed = printed && is_printed(book, uses, part));
    }
    printed
}

/// Whether an argument may be evaluated more than once.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
pub(crate) fn is_simple(expr: &Expr, depth: usize) -> bool {
    match &expr.kind {
        ExprKind::Local(_)
        | ExprKind::Word(_)
        | ExprKind::Absent
        | ExprKind::Everything(_)
        | ExprKind::Players => true,
        ExprKind::Column(_, keys) => depth > 0 && keys.iter().all(|key| is_simple(key, depth - 1)),
        ExprKind::ToSet(thing) => is_simple(thing, depth),
        _ => false,
    }
}

/// The expression that a rule is, and how many nodes that has.
pub(crate) struct Plain {
    body: Expr,
    size: usize,
    /// Whether it asks other rules of all things of a set: much to find out, and so remembered.
    is_much: bool,
    /// Whether it looks at many things.
    searches: bool,
}

impl Plain {
    /// Of a rule that is nothing but an expression.
    fn of(builder: &mut FunctionBuilder, rule: RuleId) -> Option<Arc<Self>> {
        if let Some(known) = builder.lowering.plain.get(&rule) {
            return known.clone();
        }
        let found = plain(builder.lowering.fixed(), rule);
        let found = found.map(|body| {
            let (size, is_much, searches) = (body.size(), is_much(&body), searches(&body));
            Arc::new(Self { body, size, is_much, searches })
        });
        builder.lowering.plain.insert(rule, found.clone());
        found
    }
}

/// Whether an expression looks at all things of a set.
fn searches(body: &Expr) -> bool {
    let mut searches = false;
    each_expr(body, &mut |part| searches |= matches!(part.kind, ExprKind::Query(_)));
    searches
}

/// Whether an expression asks rules of all things of a set.
fn is_much(body: &Expr) -> bool {
    let mut asks = false;
    each_expr(body, &mut |part| {
        if let ExprKind::Query(_) = part.kind {
            each_expr(part, &mut |part| asks |= matches!(part.kind, ExprKind::Rule(..)));
        }
    });
    asks
}

/// The expression that a rule is, if it is nothing but one.
fn plain(fixed: Fixed, rule: RuleId) -> Option<Expr> {
    let book = fixed.book;
    match &book.rule(rule).body {
        RuleBody::Value { base, exceptions, modifiers } => {
            let value = rules::as_choices(fixed, base, exceptions)?;
            let value = modifiers.iter().try_fold(value, modified)?;
            let whole = book.rule(rule);
            if blazon_book::fits(whole.reach(), whole.ty) {
                return Some(value);
            }
            let span = value.span;
            Some(Expr { kind: ExprKind::Kept(Keeper::Rule(rule), Box::new(value)), ty: whole.ty, span })
        }
        RuleBody::Permission(needs) => {
            let span = book.rule(rule).span;
            let all: Vec<Expr> = needs.iter().map(|need| need.condition.clone()).collect();
            Some(Expr { kind: ExprKind::And(all), ty: Type::of(Base::Flag), span })
        }
        RuleBody::Table(_) => None,
    }
}

/// A number that is surely there, and what a modifier adds to it.
fn modified(value: Expr, modifier: &Modifier) -> Option<Expr> {
    let (ty, span) = (value.ty, value.span);
    if !matches!(ty.base, Base::Number(..)) || ty.optional {
        return None;
    }
    let op = if modifier.minus { Arithmetic::Minus } else { Arithmetic::Plus };
    let more = match &modifier.when {
        None => modifier.value.clone(),
        Some(when) => {
            let nothing = Expr { kind: ExprKind::Word(0), ..modifier.value.clone() };
            let kind =
                ExprKind::Choice(Box::new(when.clone()), Box::new(modifier.value.clone()), Box::new(nothing));
            Expr { kind, ..modifier.value.clone() }
        }
    };
    Some(Expr { kind: ExprKind::Arithmetic(op, Box::new(value), Box::new(more)), ty, span })
}

/// Whether a rule looks at many things: then it is sooner looked up than written out.
pub(crate) fn is_search(builder: &mut FunctionBuilder, rule: RuleId) -> bool {
    Plain::of(builder, rule).is_some_and(|plain| plain.searches)
}

/// The body of a plain rule with its arguments put in place of its parameters.
pub(crate) fn write_out(builder: &mut FunctionBuilder, expr: &Expr, most: usize) -> Option<Expr> {
    let ExprKind::Rule(rule, args) = &expr.kind else { return None };
    if builder.book.counter == Some(*rule) {
        return None;
    }
    let simple = args.iter().all(|arg| is_simple(arg, 2));
    let written_out = simple || builder.planning && most == LARGE;
    if builder.inlined >= DEEP || !written_out {
        return None;
    }
    // What reads nothing but facts is looked up, or known beforehand.
    let branches = matches!(&builder.book.rule(*rule).body, RuleBody::Value { exceptions, modifiers, .. }
        if !exceptions.is_empty() || !modifiers.is_empty());
    if branches && builder.lowering.uses.is_printed(*rule) {
        return None;
    }
    // The machine remembers what rules answer: those that are asked of nothing are asked again and again.
    let most = if args.is_empty() { most.min(TINY) } else { most };
    let plain = Plain::of(builder, *rule).filter(|plain| plain.size <= most)?;
    // While a step goes on, what it stores makes most of what was remembered worth nothing.
    let is_in_step = builder.step.0 != u32::MAX;
    if plain.is_much && most == SMALL && !is_in_step {
        return None;
    }
    let mut body = plain.body.clone();
    let book = builder.book.clone();
    let locals = &book.rule(*rule).locals;
    let mut map: HashMap<LocalId, Put> = HashMap::new();
    for (place, arg) in args.iter().enumerate() {
        let arg = if is_simple(arg, 2) { arg.clone() } else { builder.lazy(arg.clone()) };
        map.insert(LocalId(place as u32), Put::Expr(arg));
    }
    substitute(&mut body, &mut map, &mut |old| {
        builder.fresh(locals.get(old.0 as usize).map_or(Type::of(Base::Nothing), |local| local.ty))
    });
    // A rule may say more than is known where it is asked.
    body.ty.optional = body.ty.optional && expr.ty.optional;
    Some(body)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
pub(crate) fn not(expr: Expr) -> Expr {
    let span = expr.span;
    match expr.kind {
        ExprKind::Not(inner) => *inner,
        _ => Expr { kind: ExprKind::Not(Box::new(expr)), ty: Type::of(Base::Flag), span },
    }
}

pub(crate) fn flag(kind: ExprKind, like: &Expr) -> Expr {
    Expr { kind, ty: Type::of(Base::Flag), span: like.span }
}

/// Takes a condition apart into conditions that must all hold; plain rules are written out.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
pub(crate) fn conjuncts(
    builder: &mut FunctionBuilder,
    expr: &Expr,
    holds: bool,
    depth: usize,
    out: &mut Vec<Expr>,
) {
    match &expr.kind {
        ExprKind::Not(inner) => conjuncts(builder, inner, !holds, depth, out),
        ExprKind::And(all) if holds => all.iter().for_each(|part| conjuncts(builder, part, true, depth, out)),
        ExprKind::Or(all) if !holds => {
            all.iter().for_each(|part| conjuncts(builder, part, false, depth, out))
        }
        ExprKind::Rule(..) if depth < DEEP => match write_out(builder, expr, LARGE) {
            Some(body) => conjuncts(builder, &body, holds, depth + 1, out),
            None => out.push(if holds { expr.clone() } else { not(expr.clone()) }),
        },
        ExprKind::In(thing, set) if holds => match membership(builder, thing, set) {
            Some(test) if depth < DEEP => conjuncts(builder, &test, true, depth + 1, out),
            _ => out.push(expr.clone()),
        },
        _ => match builder.known_flag(expr) {
            Some(value) if value == holds => {}
            Some(_) => out.push(flag(ExprKind::Word(0), expr)),
            None => out.push(if holds { expr.clone() } else { not(expr.clone()) }),
        },
    }
}

/// Whether one thing is in a set, asked without making the set: a condition that says the same.
pub(crate) fn membership(builder: &mut FunctionBuilder, thing: &Expr, set: &Expr) -> Option<Expr> {
    if !is_simple(thing, 1) || builder.inlined >= DEEP || builder.known(set).is_some() {
        return None;
    }
    membership_at(builder, thing, set, 0)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn membership_at(builder: &mut FunctionBuilder, thing: &Expr, set: &Expr, depth: usize) -> Option<Expr> {
    let is_in = |builder: &mut FunctionBuilder, set: &Expr| {
        let inner = if depth < DEEP { membership_at(builder, thing, set, depth + 1) } else { None };
        inner.unwrap_or_else(|| flag(ExprKind::In(Box::new(thing.clone()), Box::new(set.clone())), set))
    };
    match &set.kind {
        ExprKind::Everything(_) if thing.ty.optional => {
            let absent =
                Expr { kind: ExprKind::Absent, ty: Type { optional: true, ..thing.ty }, span: thing.span };
            Some(flag(
                ExprKind::Compare(Comparison::NotEqual, Box::new(thing.clone()), Box::new(absent)),
                thing,
            ))
        }
        ExprKind::Everything(_) => Some(flag(ExprKind::Word(1), set)),
        ExprKind::Query(query) if query.quantifier == Quantifier::All => {
            let mut all = vec![is_in(builder, &query.source)];
            if let Some(filter) = &query.filter {
                let mut filter = filter.clone();
                let mut map = HashMap::from([(query.local, Put::Expr(thing.clone()))]);
                substitute(&mut filter, &mut map, &mut |local| local);
                all.push(filter);
            }
            Some(flag(ExprKind::And(all), set))
        }
        ExprKind::Sets(op, a, b) => {
            let (a, b) = (is_in(builder, a), is_in(builder, b));
            Some(match op {
                SetOp::Union => flag(ExprKind::Or(vec![a, b]), set),
                SetOp::Both => flag(ExprKind::And(vec![a, b]), set),
                SetOp::Without => flag(ExprKind::And(vec![a, not(b)]), set),
            })
        }
        ExprKind::ToSet(other) if !thing.ty.optional || !other.ty.optional => {
            Some(flag(ExprKind::Compare(Comparison::Equal, Box::new(thing.clone()), other.clone()), set))
        }
        ExprKind::Rule(..) => {
            let body = write_out(builder, set, LARGE)?;
            membership_at(builder, thing, &body, depth + 1)
        }
        _ => None,
    }
}

/// A source with its own conditions taken out of it: the set that remains and what must hold of the variable.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
pub(crate) fn source(
    builder: &mut FunctionBuilder,
    local: LocalId,
    source: &Expr,
    out: &mut Vec<Expr>,
) -> Expr {
    match &source.kind {
        ExprKind::Query(query)
            if query.quantifier == Quantifier::All && matches!(query.source.ty.base, Base::Set(_)) =>
        {
            let inner = self::source(builder, local, &query.source, out);
            if let Some(filter) = &query.filter {
                let mut filter = filter.clone();
                let ty = Type::of(source.ty.base.kind().map_or(Base::Nothing, Base::Thing));
                let variable = Expr { kind: ExprKind::Local(local), ty, span: source.span };
                let mut map = HashMap::from([(query.local, Put::Expr(variable))]);
                substitute(&mut filter, &mut map, &mut |local| local);
                conjuncts(builder, &filter, true, 0, out);
            }
            inner
        }
        ExprKind::Rule(..) => match write_out(builder, source, LARGE) {
            Some(body) if !matches!(body.kind, ExprKind::Choice(..) | ExprKind::List(_)) => {
                self::source(builder, local, &body, out)
            }
            _ => source.clone(),
        },
        ExprKind::Each(it, of, body)
            if matches!((of.ty.base, body.ty.base), (Base::Set(_), Base::Set(_))) =>
        {
            each_source(builder, local, *it, of, body, out).unwrap_or_else(|| source.clone())
        }
        ExprKind::Sets(SetOp::Both, a, b) if builder.known(source).is_none() => {
            let inner = self::source(builder, local, a, out);
            let ty = Type::of(source.ty.base.kind().map_or(Base::Nothing, Base::Thing));
            let variable = Expr { kind: ExprKind::Local(local), ty, span: source.span };
            let test = flag(ExprKind::In(Box::new(variable), b.clone()), source);
            conjuncts(builder, &test, true, 0, out);
            inner
        }
        ExprKind::Sets(SetOp::Without, a, b) if builder.known(source).is_none() => {
            let inner = self::source(builder, local, a, out);
            let ty = Type::of(source.ty.base.kind().map_or(Base::Nothing, Base::Thing));
            let variable = Expr { kind: ExprKind::Local(local), ty, span: source.span };
            let test = flag(ExprKind::In(Box::new(variable), b.clone()), source);
            conjuncts(builder, &test, false, 0, out);
            inner
        }
        _ => source.clone(),
    }
}

/// `sides.force(a)`: where each thing of a set asks for those that have it as a value, ask for those whose value is in
/// the set.
fn each_source(
    builder: &mut FunctionBuilder,
    local: LocalId,
    it: LocalId,
    of: &Expr,
    body: &Expr,
    out: &mut Vec<Expr>,
) -> Option<Expr> {
    let mut conditions = Vec::new();
    let inner = source(builder, local, body, &mut conditions);
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Local(l) if l == it);
    let (with, without): (Vec<Expr>, Vec<Expr>) =
        conditions.into_iter().partition(|c| builder.mentions(c, it));
    let [Expr { kind: ExprKind::Compare(Comparison::Equal, a, b), span, .. }] = with.as_slice() else {
        return None;
    };
    let value = if is_it(b) { a } else { b };
    if builder.mentions(&inner, it) || builder.mentions(value, it) || !(is_it(a) || is_it(b)) {
        return None;
    }
    out.extend(without);
    let kind = ExprKind::In(value.clone(), Box::new(of.clone()));
    let test = Expr { kind, ty: Type::of(Base::Flag), span: *span };
    conjuncts(builder, &test, true, 0, out);
    Some(inner)
}
