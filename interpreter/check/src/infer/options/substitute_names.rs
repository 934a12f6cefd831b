//! Puts expressions in the place of names in a need: how a law of a step becomes a need of an option.

use blazon_syntax::ast::visit::{VisitMut, walk_expr_mut};
use blazon_syntax::ast::{Clause, Expr, ExprKind, Query};

use crate::hygiene::marked;

/// A clause with names replaced.
pub(crate) fn clause(clause: &Clause, bound: &[(String, Expr)]) -> Clause {
    let mut clause = clause.clone();
    Substitution { bound, hidden: Vec::new() }.visit_clause_mut(&mut clause);
    clause
}

/// Puts expressions in the place of names in another.
pub(crate) fn put_in(expr: &mut Expr, bound: &[(String, Expr)]) {
    if !bound.is_empty() {
        Substitution { bound, hidden: Vec::new() }.visit_expr_mut(expr);
    }
}

/// Replaces names by expressions, which are not looked at again.
struct Substitution<'b> {
    bound: &'b [(String, Expr)],
    /// The variables of the queries around: they hide parameters of their names, and are not what an expression that is
    /// put there means by them.
    hidden: Vec<String>,
}

/// The mark of variables of queries into which expressions are put.
const OF_QUERY: &str = "query";

impl Substitution<'_> {
    fn replacement(&self, name: &str) -> Option<&Expr> {
        self.bound.iter().find(|(bound, _)| bound == name).map(|(_, new)| new)
    }
}

impl<'t> VisitMut<'t> for Substitution<'_> {
    fn visit_expr_mut(&mut self, expr: &'t mut Expr) {
        if let ExprKind::Call(call) = &mut expr.kind
            && call.args.is_empty()
        {
            if self.hidden.contains(&call.name.text) {
                call.name.text = marked(&call.name.text, OF_QUERY);
            } else if let Some(new) = self.replacement(&call.name.text) {
                expr.kind = new.kind.clone();
            }
            return;
        }
        walk_expr_mut(self, expr);
    }

    fn visit_query_mut(&mut self, query: &'t mut Query) {
        let Query { quantifier: _, name, source, filter, by, within, holds } = query;
        self.visit_expr_mut(source);
        within.iter_mut().for_each(|within| self.visit_expr_mut(within));
        let mark = self.hidden.len();
        self.hidden.extend(name.iter().map(|name| name.text.clone()));
        name.iter_mut().for_each(|name| name.text = marked(&name.text, OF_QUERY));
        for part in filter.iter_mut().chain(by).chain(holds) {
            self.visit_expr_mut(part);
        }
        self.hidden.truncate(mark);
    }
}
