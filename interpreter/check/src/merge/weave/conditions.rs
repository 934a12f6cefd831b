//! Conditions of changes: which of them can hold together.

use blazon_syntax::ast::{BinaryOp, Expr, ExprKind};

use crate::merge::pieces::{binary, not};

/// Whether two conditions surely never hold together: they ask the same for different things, or one denies what the
/// other says.
pub(super) fn exclude_each_other(a: &Expr, b: &Expr) -> bool {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    conjuncts(a, &mut left);
    conjuncts(b, &mut right);
    left.iter().any(|x| right.iter().any(|y| opposite(x, y)))
}

/// When the body at a place stands: where its condition holds and none does that outranks it. The highest comes first.
pub(super) fn stands(conditions: &[&Expr], place: usize) -> Expr {
    let own = conditions[place];
    let above = conditions[..place].iter().filter(|higher| !exclude_each_other(higher, own));
    above.fold(own.clone(), |all, higher| binary(BinaryOp::And, all, not(higher)))
}

/// A change's condition outside the conditions of bodies that it does not hang on; none if it holds always.
pub(super) fn outside<'e>(under: Option<&Expr>, free: impl Iterator<Item = &'e Expr>) -> Option<Expr> {
    under.cloned().into_iter().chain(free.map(not)).reduce(|all, next| binary(BinaryOp::And, all, next))
}

fn conjuncts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    if let ExprKind::Binary(BinaryOp::And, a, b) = &expr.kind {
        conjuncts(a, parts);
        conjuncts(b, parts);
    } else {
        parts.push(expr);
    }
}

fn opposite(x: &Expr, y: &Expr) -> bool {
    let denies = |x: &Expr, y: &Expr| matches!(&x.kind, ExprKind::Not(inner) if inner.same_as(y));
    if denies(x, y) || denies(y, x) {
        return true;
    }
    match (compared(x), compared(y)) {
        (Some((true, a, v)), Some((true, b, w))) => {
            a.same_as(b) && is_constant(v) && is_constant(w) && !v.same_as(w) && !is_one_thing(v, w)
        }
        (Some((same, a, v)), Some((other, b, w))) => same != other && a.same_as(b) && v.same_as(w),
        (Some(_), None) | (None, _) => false,
    }
}

/// `a = v` or `a != v`: which of them, and both sides.
fn compared(expr: &Expr) -> Option<(bool, &Expr, &Expr)> {
    let ExprKind::Binary(op, a, b) = &expr.kind else { return None };
    let is_equal = *op == BinaryOp::Equal;
    (is_equal || *op == BinaryOp::NotEqual).then_some((is_equal, &**a, &**b))
}

/// Whether two names may mean one thing: `Mill` and `Mill (area)`.
fn is_one_thing(a: &Expr, b: &Expr) -> bool {
    let bare =
        |expr: &Expr| expr.as_name().map(|name| name.split(" (").next().unwrap_or_default().to_owned());
    bare(a).is_some_and(|name| bare(b) == Some(name))
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Thing(_) | ExprKind::Number(_) | ExprKind::Flag(_))
}
