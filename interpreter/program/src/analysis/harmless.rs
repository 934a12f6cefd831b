//! What can be asked where nobody needs it: it never stops a game, and is asked once for all.

use blazon_book::graph::{Numbers, handed_on};
use blazon_book::walk::{ExprKey, each_expr_of_rule, each_part};
use blazon_book::{
    Arithmetic, Base, Book, Comparison, Exception, Expr, ExprKind, Quantifier, Rule, RuleBody, bounds, fits,
};

use crate::analysis::effects::Uses;

/// Whether an expression can be asked where nobody needs it. What it takes to be present must be known to be so.
pub(crate) fn is_harmless(uses: &Uses, expr: &Expr) -> bool {
    // The machine remembers what a rule without parameters answers, and what is printed is looked up.
    let is_slow =
        matches!(&expr.kind, ExprKind::Rule(rule, args) if !args.is_empty() && !uses.is_printed(*rule));
    !is_slow && !stops(uses, expr) && each_holds(expr, |part| is_harmless(uses, part))
}

/// Whether it makes no difference to a game how often an expression is asked, however much work that is.
pub(crate) fn never_stops(uses: &Uses, expr: &Expr) -> bool {
    !stops(uses, expr) && each_holds(expr, |part| never_stops(uses, part))
}

fn each_holds(expr: &Expr, holds: impl Fn(&Expr) -> bool) -> bool {
    let mut all = true;
    each_part(expr, &mut |part| all = all && holds(part));
    all
}

/// Whether an expression may stop a game, apart from its parts.
fn stops(uses: &Uses, expr: &Expr) -> bool {
    if let ExprKind::Rule(rule, _) = &expr.kind { uses.rule_stops[rule.0 as usize] } else { may_stop(expr) }
}

/// Whether an expression surely has an answer, if what it takes to be present is so: else it can be asked only where the
/// rules ask it.
pub(crate) fn never_fails(uses: &Uses, expr: &Expr) -> bool {
    let fails = if let ExprKind::Rule(rule, _) = &expr.kind {
        uses.rule_fails[rule.0 as usize]
    } else {
        may_fail(expr)
    };
    !fails && each_holds(expr, |part| never_fails(uses, part))
}

/// For each rule whether it may have no answer: a number out of its range, exceptions of which no one outranks the others, or
/// because it asks itself and comes to no end. `asks` are the rules that each asks.
pub(crate) fn rules_that_fail(book: &Book, asks: &[Vec<usize>]) -> Vec<bool> {
    rules_that(book, asks, |rule| {
        let mut fails = match &rule.body {
            RuleBody::Value { exceptions, .. } => {
                let ranks = |a: usize, b: usize| exceptions[a].beats.contains(&b);
                let mut pairs = (0..exceptions.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
                let agree = |a: usize, b: usize| never_differ(&exceptions[a], &exceptions[b]);
                exceptions.len() > MANY
                    || !pairs.all(|(a, b)| ranks(a, b) || ranks(b, a) || agree(a, b))
                    || !keeps_its_range(rule)
            }
            RuleBody::Permission(_) | RuleBody::Table(_) => false,
        };
        each_expr_of_rule(rule, &mut |expr| fails |= may_fail(expr));
        fails
    })
}

/// Of more exceptions it is not looked at each with each whether they could disagree.
const MANY: usize = 16;

/// Whether two exceptions surely give the same, or never hold together.
fn never_differ(a: &Exception, b: &Exception) -> bool {
    let conditions = || {
        parts(a.when.as_ref())
            .into_iter()
            .flat_map(|one| parts(b.when.as_ref()).into_iter().map(move |other| (one, other)))
    };
    ExprKey::of(&a.value) == ExprKey::of(&b.value) || conditions().any(|(one, other)| exclude(one, other))
}

/// What must all hold where a condition does.
fn parts(condition: Option<&Expr>) -> Vec<&Expr> {
    match condition.map(|condition| &condition.kind) {
        Some(ExprKind::And(all)) => all.iter().collect(),
        Some(_) => condition.into_iter().collect(),
        None => Vec::new(),
    }
}

/// Whether two conditions never hold together: one denies the other, or they say of one thing that it is two.
fn exclude(one: &Expr, other: &Expr) -> bool {
    let denies =
        |a: &Expr, b: &Expr| matches!(&a.kind, ExprKind::Not(inner) if ExprKey::of(inner) == ExprKey::of(b));
    let said = |expr: &Expr| {
        let ExprKind::Compare(Comparison::Equal, of, is) = &expr.kind else { return None };
        if let ExprKind::Word(word) = is.kind { Some((ExprKey::of(of), word)) } else { None }
    };
    let says_other = said(one)
        .zip(said(other))
        .is_some_and(|((of, one), (other_of, other))| of == other_of && one != other);
    denies(one, other) || denies(other, one) || says_other
}

/// Whether what a rule gives surely lies in the range of its type.
fn keeps_its_range(rule: &Rule) -> bool {
    !matches!(rule.ty.base, Base::Number(..)) || fits(rule.reach(), rule.ty)
}

/// Whether an expression may have no answer, apart from its parts and the rules that it asks.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others always have one")]
fn may_fail(expr: &Expr) -> bool {
    match &expr.kind {
        // That a sum or product leaves what numbers there are is not looked for: no game prints such numbers, and most rules
        // give a `number` without a range.
        ExprKind::Arithmetic(Arithmetic::Over | Arithmetic::OverUp | Arithmetic::OverNearest, _, by) => {
            let (least, most) = bounds(by.ty);
            least <= 0 && most >= 0
        }
        // What goes through very many numbers may come to no end.
        ExprKind::Range(lo, hi) => bounds(hi.ty).1 - bounds(lo.ty).0 > MANY_NUMBERS,
        ExprKind::Kept(..) | ExprKind::Invalid(_) => true,
        _ => false,
    }
}

/// How many numbers are surely gone through.
const MANY_NUMBERS: i64 = 1_000;

/// For each rule whether it may stop a game, itself or through others: by a number out of its range, by exceptions of
/// which no one outranks the others, or because it asks itself and comes to no end. `asks` are the rules that each asks.
pub(crate) fn rules_that_stop(book: &Book, asks: &[Vec<usize>]) -> Vec<bool> {
    rules_that(book, asks, rule_may_stop)
}

/// For each rule whether it is so of it or of one that it asks; of one that asks itself it always is.
fn rules_that(book: &Book, asks: &[Vec<usize>], is_so: impl Fn(&Rule) -> bool) -> Vec<bool> {
    let all = asks.iter().map(|asks| asks.iter().copied().collect()).collect();
    let reached: Vec<Numbers> = handed_on(asks, all);
    let own = book.rules.iter().zip(reached).enumerate();
    let own = own.map(|(place, (rule, reached))| is_so(rule) || reached.iter().any(|rule| rule == place));
    handed_on(asks, own.collect())
}

fn rule_may_stop(rule: &Rule) -> bool {
    let mut stops = match &rule.body {
        RuleBody::Value { exceptions, modifiers, .. } => exceptions.len() > 1 || !modifiers.is_empty(),
        RuleBody::Permission(_) => false,
        RuleBody::Table(_) => true,
    };
    each_expr_of_rule(rule, &mut |expr| stops |= may_stop(expr));
    stops
}

/// Whether an expression may stop a game by what it does itself, or be much work for another reason than the rules it asks.
fn may_stop(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Query(query) => match query.quantifier {
            Quantifier::All | Quantifier::Any | Quantifier::Count | Quantifier::First => false,
            Quantifier::Most | Quantifier::Least | Quantifier::Max | Quantifier::Min => true,
            Quantifier::Total | Quantifier::Reach | Quantifier::Ways => true,
        },
        ExprKind::Arithmetic(..)
        | ExprKind::Kept(..)
        | ExprKind::Range(..)
        | ExprKind::Between(..)
        | ExprKind::Invalid(_) => true,
        ExprKind::Word(_)
        | ExprKind::Absent
        | ExprKind::Everything(_)
        | ExprKind::Players
        | ExprKind::Winner
        | ExprKind::Local(_)
        | ExprKind::Column(..)
        | ExprKind::Rule(..)
        | ExprKind::Links(..)
        | ExprKind::Neighbours(..)
        | ExprKind::Ends(..)
        | ExprKind::Each(..)
        | ExprKind::ToSet(_)
        | ExprKind::Not(_)
        | ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Compare(..)
        | ExprKind::In(..)
        | ExprKind::Within(..)
        | ExprKind::Sets(..)
        | ExprKind::Odd(_)
        | ExprKind::Otherwise(..)
        | ExprKind::List(_)
        | ExprKind::Choice(..) => false,
    }
}
