//! Closures in place of visitors: for each expression, each part, each statement; and what is asked so most often.

use crate::walk::{Visit, VisitMut, walk_expr, walk_expr_mut, walk_statement};
use crate::*;

/// A closure for expressions and all that stands in them, outer before inner.
struct EachExpr<'b, 'f>(&'f mut dyn FnMut(&'b Expr));

impl<'b> Visit<'b> for EachExpr<'b, '_> {
    fn visit_expr(&mut self, expr: &'b Expr) {
        (self.0)(expr);
        walk_expr(self, expr);
    }
}

/// Looks at an expression and all that stands in it.
pub fn each_expr<'b>(expr: &'b Expr, f: &mut dyn FnMut(&'b Expr)) {
    EachExpr(f).visit_expr(expr);
}

/// Looks at all expressions of a rule, those of its texts and the inner ones included.
pub fn each_expr_of_rule<'b>(rule: &'b Rule, f: &mut dyn FnMut(&'b Expr)) {
    EachExpr(f).visit_rule(rule);
}

/// Looks at all expressions of a block, those of its texts and the inner ones included.
pub fn each_expr_of_block<'b>(block: &'b Block, f: &mut dyn FnMut(&'b Expr)) {
    EachExpr(f).visit_block(block);
}

/// A closure for the parts of one expression.
struct EachPart<'b, 'f>(&'f mut dyn FnMut(&'b Expr));

impl<'b> Visit<'b> for EachPart<'b, '_> {
    fn visit_expr(&mut self, expr: &'b Expr) {
        (self.0)(expr);
    }
}

/// Looks at the direct parts of an expression.
pub fn each_part<'b>(expr: &'b Expr, f: &mut dyn FnMut(&'b Expr)) {
    walk_expr(&mut EachPart(f), expr);
}

/// A closure that changes the parts of one expression.
struct EachPartMut<'f>(&'f mut dyn FnMut(&mut Expr));

impl VisitMut for EachPartMut<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        (self.0)(expr);
    }
}

/// Changes the direct parts of an expression.
pub fn each_part_mut(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    walk_expr_mut(&mut EachPartMut(f), expr);
}

/// A closure for the blocks of one statement.
struct Blocks<'b>(Vec<&'b Block>);

impl<'b> Visit<'b> for Blocks<'b> {
    fn visit_block(&mut self, block: &'b Block) {
        self.0.push(block);
    }
    fn visit_expr(&mut self, _: &'b Expr) {}
}

/// The variables bound, in order.
struct Bound(Vec<LocalId>);

impl<'b> Visit<'b> for Bound {
    fn visit_binding(&mut self, local: LocalId) {
        self.0.push(local);
    }
}

impl Expr {
    /// Its direct parts, in the written order.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut all = Vec::new();
        each_part(self, &mut |part| all.push(part));
        all
    }

    /// How many expressions it is, itself and all that stands in it.
    pub fn size(&self) -> usize {
        let mut count = 0;
        each_expr(self, &mut |_| count += 1);
        count
    }

    /// Whether a variable stands in it.
    pub fn mentions(&self, local: LocalId) -> bool {
        let mut found = false;
        each_expr(self, &mut |e| found |= matches!(e.kind, ExprKind::Local(l) if l == local));
        found
    }

    /// The variables that it or something in it binds.
    pub fn bound(&self) -> Vec<LocalId> {
        let mut bound = Bound(Vec::new());
        bound.visit_expr(self);
        bound.0
    }

    /// The variable that it binds for its parts.
    pub fn own_variable(&self) -> Option<LocalId> {
        // A visitor that goes to no part hears of nothing else.
        struct Own(Option<LocalId>);
        impl<'b> Visit<'b> for Own {
            fn visit_expr(&mut self, _: &'b Expr) {}
            fn visit_binding(&mut self, local: LocalId) {
                self.0 = Some(local);
            }
        }
        let mut own = Own(None);
        walk_expr(&mut own, self);
        own.0
    }
}

impl Statement {
    /// The blocks that stand directly in it.
    pub fn blocks(&self) -> Vec<&Block> {
        let mut blocks = Blocks(Vec::new());
        walk_statement(&mut blocks, self);
        blocks.0
    }
}

/// What stands directly in a rule, without its texts.
struct Conditions<'b>(Vec<&'b Expr>);

impl<'b> Visit<'b> for Conditions<'b> {
    fn visit_expr(&mut self, expr: &'b Expr) {
        self.0.push(expr);
    }
    fn visit_text(&mut self, _: &'b Text) {}
}

impl Rule {
    /// The expressions that decide what it answers: all but those of its reasons.
    pub fn conditions(&self) -> Vec<&Expr> {
        let mut conditions = Conditions(Vec::new());
        conditions.visit_rule(self);
        conditions.0
    }
}
