//! The visitor that changes: what the parts of an expression are, once more, to be written to. Statements are not
//! changed once they are checked.

use crate::*;

/// Something that changes expressions.
pub trait VisitMut {
    /// An expression. What it becomes is not looked at again unless this method does so.
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        walk_expr_mut(self, expr);
    }
    /// A variable where it is bound; [`LocalId::NONE`] for a query without one. It comes before whatever reads it.
    fn visit_binding_mut(&mut self, local: &mut LocalId) {
        let _ = local;
    }
}

/// The direct parts of an expression, in the written order.
pub fn walk_expr_mut<V: VisitMut + ?Sized>(visitor: &mut V, expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Word(_)
        | ExprKind::Absent
        | ExprKind::Everything(_)
        | ExprKind::Players
        | ExprKind::Winner
        | ExprKind::Local(_) => {}
        ExprKind::Column(_, all)
        | ExprKind::Rule(_, all)
        | ExprKind::And(all)
        | ExprKind::Or(all)
        | ExprKind::List(all)
        | ExprKind::Invalid(all) => all.iter_mut().for_each(|part| visitor.visit_expr_mut(part)),
        ExprKind::Links(_, a)
        | ExprKind::Neighbours(_, a)
        | ExprKind::Ends(_, a)
        | ExprKind::ToSet(a)
        | ExprKind::Not(a)
        | ExprKind::Odd(a)
        | ExprKind::Kept(_, a) => visitor.visit_expr_mut(a),
        ExprKind::Each(local, a, b) => {
            visitor.visit_expr_mut(a);
            visitor.visit_binding_mut(local);
            visitor.visit_expr_mut(b);
        }
        ExprKind::Between(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::In(a, b)
        | ExprKind::Arithmetic(_, a, b)
        | ExprKind::Sets(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Otherwise(a, b) => {
            visitor.visit_expr_mut(a);
            visitor.visit_expr_mut(b);
        }
        ExprKind::Within(a, b, c) | ExprKind::Choice(a, b, c) => {
            visitor.visit_expr_mut(a);
            visitor.visit_expr_mut(b);
            visitor.visit_expr_mut(c);
        }
        ExprKind::Query(query) => walk_query_mut(visitor, query),
    }
}

/// The parts of a query. Its variable is not known in what it goes through: there, one of the same number is another.
fn walk_query_mut<V: VisitMut + ?Sized>(visitor: &mut V, query: &mut Query) {
    visitor.visit_expr_mut(&mut query.source);
    visitor.visit_binding_mut(&mut query.local);
    for part in [&mut query.filter, &mut query.by, &mut query.within].into_iter().flatten() {
        visitor.visit_expr_mut(part);
    }
}
