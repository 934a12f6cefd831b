//! Which expressions are known to be equal: the classes of a congruence, as far as they are asked for.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use blazon_book::walk::ExprKey;
use blazon_book::{Comparison, Expr, ExprKind, Quantifier};
use rustc_hash::FxHasher;

use super::super::terms::equal;
use super::Facts;

/// How many equals of one expression are looked at.
const CLASS: usize = 12;
/// How deep arguments of arguments are put for their equals.
const NESTED: usize = 2;

/// An expression with its key.
pub(super) struct Keyed {
    pub(super) expr: Expr,
    pub(super) key: ExprKey,
    hash: u64,
}

impl Keyed {
    pub(super) fn of(expr: Expr) -> Self {
        let key = ExprKey::of(&expr);
        let hash = hash_of(&key);
        Self { expr, key, hash }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.hash == other.hash && self.key == other.key
    }
}

/// Different keys have different hashes, nearly always.
pub(in super::super) fn hash_of(key: &ExprKey) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// A comparison in one form: equal or not, the sides in order; presence as inequality with nothing.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others have one form")]
pub(super) fn canonical(expr: Expr) -> (Expr, bool) {
    match expr.kind {
        ExprKind::Not(inner) => {
            let (expr, holds) = canonical(*inner);
            (expr, !holds)
        }
        ExprKind::Compare(op @ (Comparison::Equal | Comparison::NotEqual), a, b) => {
            let (a, b) = if ExprKey::of(&a) <= ExprKey::of(&b) { (a, b) } else { (b, a) };
            let expr = Expr { kind: ExprKind::Compare(Comparison::Equal, a, b), ..expr };
            (expr, op == Comparison::Equal)
        }
        ExprKind::Query(query)
            if query.quantifier == Quantifier::Any
                && query.filter.is_none()
                && matches!(query.source.kind, ExprKind::ToSet(_)) =>
        {
            let ExprKind::ToSet(one) = query.source.kind else { unreachable!("looked at above") };
            let ty = one.ty;
            let nothing = Expr { kind: ExprKind::Absent, ty, span: one.span };
            let (expr, holds) = canonical(equal(*one, nothing));
            (expr, !holds)
        }
        kind => (Expr { kind, ..expr }, true),
    }
}

/// Whether it ties variables to each other.
pub(super) fn is_tie(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Compare(Comparison::Equal, ..) | ExprKind::In(..))
}

impl Facts {
    /// Whether it is a variable of which nothing is known: it equals itself alone.
    pub(super) fn is_free(&self, expr: &Expr) -> bool {
        let ExprKind::Local(local) = expr.kind else { return false };
        !self.all.iter().any(|fact| fact.locals.contains(&local))
    }

    /// What equals something, itself first.
    pub(super) fn equals(&self, expr: &Expr) -> Vec<Rc<Keyed>> {
        self.class(Rc::new(Keyed::of(expr.clone())), 0).into_iter().map(|member| member.expr).collect()
    }

    fn class(&self, expr: Rc<Keyed>, depth: usize) -> Vec<Member> {
        let mut all = vec![Member { expr, by_argument: false }];
        let mut at = 0;
        while at < all.len() && all.len() < CLASS {
            // The class of the argument has been gone through where an expression came from that.
            if !all[at].by_argument && depth < NESTED {
                self.of_equals(at, &mut all, depth);
            }
            let one = all[at].expr.clone();
            at += 1;
            for [a, b] in self.ties.iter().filter_map(|fact| fact.sides.as_ref()) {
                let other = if a.is(&one) {
                    b
                } else if b.is(&one) {
                    a
                } else {
                    continue;
                };
                if !all.iter().any(|old| old.expr.is(other)) {
                    all.push(Member { expr: other.clone(), by_argument: false });
                }
            }
        }
        all
    }

    /// What is asked of equals is equal.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are asked of nothing")]
    fn of_equals(&self, at: usize, all: &mut Vec<Member>, depth: usize) {
        let one = all[at].expr.clone();
        let (ExprKind::Column(_, of) | ExprKind::Rule(_, of)) = &one.expr.kind else { return };
        let [of] = &of[..] else { return };
        for other in self.class(Rc::new(Keyed::of(of.clone())), depth + 1).iter().skip(1) {
            let of = vec![other.expr.expr.clone()];
            let kind = match &one.expr.kind {
                ExprKind::Rule(rule, _) => ExprKind::Rule(*rule, of),
                ExprKind::Column(column, _) => ExprKind::Column(*column, of),
                _ => continue,
            };
            let expr = Keyed::of(Expr { kind, ty: one.expr.ty, span: one.expr.span });
            if !all.iter().any(|old| old.expr.is(&expr)) {
                all.push(Member { expr: Rc::new(expr), by_argument: true });
            }
        }
    }
}

/// One of a class of equals.
struct Member {
    expr: Rc<Keyed>,
    /// Whether it is another of the class with its argument put for an equal one.
    by_argument: bool,
}
