//! Numbers compared with the ends of what they may be: `points left > 0` asks whether there are none.

use blazon_book::{Base, Comparison, Expr, ExprKind};

use crate::ir::ABSENT;
use crate::lower::expression::inline;
use crate::lower::function_builder::FunctionBuilder;

impl FunctionBuilder<'_> {
    /// What says the same as `a < b` or `a <= b` in fewer words, if a constant is compared with what a column holds.
    pub fn by_bounds(&mut self, op: Comparison, a: &Expr, b: &Expr) -> Option<Expr> {
        if let Some(parted) = self.parted(op, a, b) {
            return Some(parted);
        }
        let least = match op {
            Comparison::Less => 0,
            Comparison::AtMost => 1,
            Comparison::Equal | Comparison::NotEqual => return None,
        };
        if let Some(constant) = self.constant(a) {
            // More than so much.
            let (lo, hi) = self.bounds(b)?;
            let below = constant - least;
            return self.against(
                b,
                [(below < lo, Some(true)), (below >= hi, Some(false))],
                (below, lo, hi),
                true,
            );
        }
        // Less than so much.
        let above = self.constant(b)? + least;
        let (lo, hi) = self.bounds(a)?;
        self.against(a, [(above > hi, Some(true)), (above <= lo, Some(false))], (above - 1, lo, hi), false)
    }

    /// A comparison that is settled, or one with the end of a range; `more` than a limit, or no more than it.
    fn against(
        &self,
        own: &Expr,
        settled: [(bool, Option<bool>); 2],
        (limit, lo, hi): (i64, i64, i64),
        more: bool,
    ) -> Option<Expr> {
        if let Some((_, flag)) = settled.iter().find(|(is, _)| *is) {
            return flag.map(|flag| inline::flag(ExprKind::Word(i64::from(flag)), own));
        }
        let (op, end) = match (limit == lo, limit == hi - 1) {
            (true, _) => (if more { Comparison::NotEqual } else { Comparison::Equal }, lo),
            (_, true) => (if more { Comparison::Equal } else { Comparison::NotEqual }, hi),
            _ => return None,
        };
        let end = Expr { kind: ExprKind::Word(end), ..own.clone() };
        let kind = ExprKind::Compare(op, Box::new(own.clone()), Box::new(end));
        Some(inline::flag(kind, own))
    }

    /// One of two constants compared with what is soon read: each by itself.
    fn parted(&mut self, op: Comparison, a: &Expr, b: &Expr) -> Option<Expr> {
        let (choice, other, first) = if self.bounds(b).is_some() { (a, b, true) } else { (b, a, false) };
        self.bounds(other).filter(|_| inline::is_simple(other, 1))?;
        let written_out = self.written_out(choice, inline::SMALL);
        let choice = written_out.as_ref().unwrap_or(choice);
        let ExprKind::Choice(condition, yes, no) = &choice.kind else { return None };
        let mut part = |own: &Expr| {
            let is_part = self.constant(own).is_some() || matches!(own.kind, ExprKind::Choice(..));
            let (a, b) = if first { (own, other) } else { (other, own) };
            is_part.then(|| self.by_bounds(op, a, b)).flatten()
        };
        let (yes, no) = (part(yes)?, part(no)?);
        let kind = ExprKind::Choice(condition.clone(), Box::new(yes), Box::new(no));
        Some(inline::flag(kind, choice))
    }

    fn constant(&self, expr: &Expr) -> Option<i64> {
        self.known(expr)?.word().filter(|&word| word != ABSENT)
    }

    /// What a column may hold where an expression reads one that surely has a number.
    fn bounds(&self, expr: &Expr) -> Option<(i64, i64)> {
        let ExprKind::Column(column, _) = &expr.kind else { return None };
        let column = self.column(column.0 as u16);
        let is_number = matches!(expr.ty.base, Base::Number(..)) && !expr.ty.optional && !column.optional;
        (is_number && column.set_words == 0).then_some((column.lo, column.hi))
    }
}
