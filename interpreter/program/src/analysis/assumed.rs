//! What an expression takes to be present only because of what stands before it.

use blazon_book::walk::{ExprKey, each_expr};
use blazon_book::{Base, Book, Expr, ExprKind, LocalId};

/// What an expression assumes to be present, because something before it says so: such paths may be absent where
/// the expression is asked out of order. `None`: it also tests such a path itself, so it must stay where it is.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others are there whenever their parts are")]
pub(crate) fn assumed<'e>(
    book: &Book,
    local_optional: &dyn Fn(LocalId) -> bool,
    expr: &'e Expr,
) -> Option<Vec<&'e Expr>> {
    let own = expr.bound();
    // A variable of its own is known wherever it is asked.
    let free = |e: &Expr| {
        let inner = e.bound();
        let is_outer = |local: &&LocalId| **local != LocalId::NONE && !inner.contains(local);
        !own.iter().filter(is_outer).any(|local| e.mentions(*local))
    };
    let mut narrowed: Vec<(Option<ExprKey>, &Expr)> = Vec::new();
    let mut tested: Vec<ExprKey> = Vec::new();
    each_expr(expr, &mut |e| {
        let may_be_absent = match &e.kind {
            ExprKind::Local(local) => local_optional(*local),
            ExprKind::Column(column, _) => book.column(*column).ty.optional,
            ExprKind::Rule(rule, _) => book.rule(*rule).ty.optional,
            ExprKind::Between(..) | ExprKind::Absent => true,
            ExprKind::Each(_, source, _) => {
                matches!(source.ty.base, Base::Thing(_) | Base::Number(..))
                    && matches!(e.ty.base, Base::Thing(_) | Base::Number(..))
            }
            _ => false,
        };
        if !may_be_absent {
            return;
        }
        if e.ty.optional {
            if !matches!(e.kind, ExprKind::Absent) {
                tested.extend(ExprKey::of_path(e));
            }
        } else if free(e) {
            narrowed.push((ExprKey::of_path(e), e));
        }
    });
    if narrowed.iter().any(|(key, _)| key.as_ref().is_none_or(|key| tested.contains(key))) {
        return None;
    }
    // Inner paths stand behind the paths that hold them.
    let mut guards: Vec<&Expr> = Vec::new();
    let mut seen: Vec<&Option<ExprKey>> = Vec::new();
    for (key, guard) in narrowed.iter().rev() {
        if !seen.contains(&key) {
            seen.push(key);
            guards.push(guard);
        }
    }
    Some(guards)
}
