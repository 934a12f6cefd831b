//! What is surely there: where a condition before says that a path is present, what comes after need not ask for it.
//! A condition that does so itself could not be asked earlier than it stands; without its question it can.

use std::collections::HashMap;

use blazon_book::walk::{ExprKey, Put, each_part_mut, substitute};
use blazon_book::{Base, ColumnId, Comparison, Expr, ExprKind, LocalId};

use crate::lower::choice::option_plan::Level;
use crate::lower::expression::inline;

/// The paths that conditions say to be present.
pub(crate) fn certain(levels: &[Level]) -> Vec<ExprKey> {
    levels.iter().flat_map(|level| &level.conditions).filter_map(said_present).collect()
}

/// The path that a condition says to be present, if it is such a one.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised says nothing")]
pub(crate) fn said_present(condition: &Expr) -> Option<ExprKey> {
    let (compared, how) = match &condition.kind {
        ExprKind::Not(inner) => (&**inner, Comparison::Equal),
        _ => (condition, Comparison::NotEqual),
    };
    match &compared.kind {
        ExprKind::Compare(op, a, b) if *op == how && matches!(b.kind, ExprKind::Absent) => {
            ExprKey::of_path(a)
        }
        _ => None,
    }
}

/// Settles in an expression what is asked of paths that are surely present: whether they are, and what there is to be
/// asked of them only then.
pub(crate) fn settle(expr: &mut Expr, certain: &[ExprKey]) {
    if certain.is_empty() {
        return;
    }
    let is_certain = |path: &Expr| ExprKey::of_path(path).is_some_and(|key| certain.contains(&key));
    each_part_mut(expr, &mut |part| settle(part, certain));
    if matches!(expr.kind, ExprKind::Column(..)) && expr.ty.optional && is_certain(expr) {
        expr.ty.optional = false;
    }
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others are as their parts are")]
    match &mut expr.kind {
        ExprKind::Compare(op @ (Comparison::Equal | Comparison::NotEqual), path, absent)
            if matches!(absent.kind, ExprKind::Absent) && is_certain(path) =>
        {
            expr.kind = ExprKind::Word(i64::from(*op == Comparison::NotEqual));
        }
        ExprKind::Each(local, source, body)
            if matches!(source.ty.base, Base::Thing(_))
                && inline::is_simple(source, 2)
                && is_certain(source) =>
        {
            let there = Expr { ty: blazon_book::Type { optional: false, ..source.ty }, ..(**source).clone() };
            let mut map = HashMap::from([(*local, Put::Expr(there))]);
            substitute(body, &mut map, &mut |local| local);
            expr.ty.optional &= body.ty.optional;
            expr.kind = body.kind.clone();
        }
        _ => {}
    }
}

/// Puts a variable in place of a column of another.
pub(crate) fn put_value(expr: &mut Expr, column: ColumnId, of: LocalId, value: LocalId) {
    if let ExprKind::Column(c, keys) = &expr.kind
        && *c == column
        && matches!(keys.as_slice(), [Expr { kind: ExprKind::Local(local), .. }] if *local == of)
    {
        expr.kind = ExprKind::Local(value);
        return;
    }
    each_part_mut(expr, &mut |part| put_value(part, column, of, value));
}
