//! Expressions in place of variables.

use std::collections::HashMap;

use crate::walk::{VisitMut, walk_expr_mut};
use crate::*;

/// What comes in place of a variable.
#[derive(Clone, Debug)]
pub enum Put {
    /// An expression.
    Expr(Expr),
    /// The same variable under another number.
    Renamed(LocalId),
}

/// Puts expressions in place of variables; `fresh` renames those that the expression binds. What is put keeps the
/// place in the text of the variable, and is as certain as the variable or as itself.
pub fn substitute(
    expr: &mut Expr,
    map: &mut HashMap<LocalId, Put>,
    fresh: &mut dyn FnMut(LocalId) -> LocalId,
) {
    Substitution { map, fresh }.visit_expr_mut(expr);
}

struct Substitution<'m> {
    map: &'m mut HashMap<LocalId, Put>,
    fresh: &'m mut dyn FnMut(LocalId) -> LocalId,
}

impl VisitMut for Substitution<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let ExprKind::Local(local) = &mut expr.kind else { return walk_expr_mut(self, expr) };
        match self.map.get(local) {
            Some(Put::Renamed(new)) => *local = *new,
            Some(Put::Expr(with)) => {
                expr.kind = with.kind.clone();
                expr.ty.optional &= with.ty.optional;
            }
            None => {}
        }
    }

    fn visit_binding_mut(&mut self, local: &mut LocalId) {
        if *local != LocalId::NONE {
            let new = (self.fresh)(*local);
            self.map.insert(*local, Put::Renamed(new));
            *local = new;
        }
    }
}
