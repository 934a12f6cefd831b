//! Conditions that read nothing but what is printed of two things: a set for each thing that the second may be, worked
//! out here.

use blazon_book::walk::{ExprKey, each_expr};
use blazon_book::{Base, Expr, ExprKind, KindId, LocalId};
use blazon_kernel::bits;

use crate::lower::expression::tabulate::LARGEST;
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::query::set_predicates::{SetPredicate, Subject};

impl FunctionBuilder<'_> {
    /// A condition on facts of the variable and one other: a set for each thing that the other may be.
    pub fn table_mask(&mut self, expr: &Expr, of: Subject) -> Option<SetPredicate> {
        let mut others: Vec<&Expr> = Vec::new();
        let bound = expr.bound();
        each_expr(expr, &mut |e| {
            if let ExprKind::Local(local) = e.kind
                && local != of.local
                && !bound.contains(&local)
                && !others.iter().any(|other| matches!(other.kind, ExprKind::Local(l) if l == local))
            {
                others.push(e);
            }
        });
        let [other] = others.as_slice() else { return None };
        let (ExprKind::Local(local), Base::Thing(kind), false) =
            (&other.kind, other.ty.base, other.ty.optional)
        else {
            return None;
        };
        let (local, other) = (*local, (*other).clone());
        let (things, values) = (self.book.kind(of.kind).things.len(), self.book.kind(kind).things.len());
        let optional = self.vars.get(local.0 as usize).is_none_or(|var| var.ty.optional);
        if optional || self.lazies.contains_key(&local) || things * values > LARGEST {
            return None;
        }
        let pair = [(of.local, of.kind), (local, kind)];
        let key = (of.kind, kind, ExprKey::of_function(expr, &[of.local, local]));
        let column = match self.lowering.pairs.get(&key) {
            Some(known) => *known,
            None => {
                let column = self.pairs(expr, pair);
                self.lowering.pairs.insert(key, column);
                column
            }
        };
        Some(SetPredicate::Printed(column?, Vec::new(), other))
    }

    /// For each thing that the second variable may be, those of the first for which a condition holds.
    fn pairs(&mut self, expr: &Expr, [(local, kind), (other, of)]: [(LocalId, KindId); 2]) -> Option<u16> {
        let (things, values) = (self.book.kind(kind).things.len(), self.book.kind(of).things.len());
        let mut sets = vec![vec![0; self.kind_words(kind) as usize]; values.max(1)];
        let mut eval = self.printed_eval(expr)?;
        for (value, set) in sets.iter_mut().enumerate().take(values) {
            for thing in 0..things {
                if eval.with(&[(local, thing as i64), (other, value as i64)], expr)?.word()? != 0 {
                    bits::insert(set, thing);
                }
            }
        }
        Some(self.made_sets(&[i64::from(kind.0), i64::from(of.0)], &sets))
    }
}
