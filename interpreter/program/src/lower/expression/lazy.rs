//! Values that are computed when they are first asked, and kept as long as what they depend on stays the same: what
//! does not change in a loop is computed once, but only if it is asked at all.

use std::borrow::Cow;
use std::collections::HashMap;

use blazon_book::walk::{Put, each_expr, substitute};
use blazon_book::{Expr, ExprKind, LocalId};

use crate::ir::{Op, Reg};
use crate::lower::function_builder::{FunctionBuilder, Lazy};

impl FunctionBuilder<'_> {
    /// A variable for a value that is computed when it is first asked.
    pub fn lazy(&mut self, expr: Expr) -> Expr {
        let depends = self.dependences(&expr);
        let (ty, span) = (expr.ty, expr.span);
        let local = self.fresh(ty);
        self.lazies.insert(local, Lazy { expr, depends, place: None, eager: false });
        Expr { kind: ExprKind::Local(local), ty, span }
    }

    fn dependences(&self, expr: &Expr) -> Vec<LocalId> {
        let mut depends = Vec::new();
        each_expr(&self.expanded(expr), &mut |e| {
            if let ExprKind::Local(local) = e.kind {
                depends.push(local);
            }
        });
        depends
    }

    /// Finds again what lazy values depend on, after they have been changed.
    pub fn lazy_dependences(&mut self) {
        let all: Vec<(LocalId, Vec<LocalId>)> =
            self.lazies.iter().map(|(local, lazy)| (*local, self.dependences(&lazy.expr))).collect();
        for (local, depends) in all {
            if let Some(lazy) = self.lazies.get_mut(&local) {
                lazy.depends = depends;
            }
        }
    }

    /// Whether an expression depends on a variable.
    pub fn mentions(&self, expr: &Expr, local: LocalId) -> bool {
        let mut found = false;
        each_expr(expr, &mut |e| {
            if let ExprKind::Local(l) = e.kind {
                found |= l == local || self.lazies.get(&l).is_some_and(|lazy| lazy.depends.contains(&local));
            }
        });
        found
    }

    /// An expression with the lazy values in it written out.
    pub fn expanded<'e>(&self, expr: &'e Expr) -> Cow<'e, Expr> {
        let mut expanded = Cow::Borrowed(expr);
        for _ in 0..16 {
            let mut map = HashMap::new();
            each_expr(&expanded, &mut |e| {
                if let ExprKind::Local(local) = e.kind
                    && let Some(lazy) = self.lazies.get(&local)
                {
                    map.insert(local, Put::Expr(lazy.expr.clone()));
                }
            });
            if map.is_empty() {
                break;
            }
            substitute(expanded.to_mut(), &mut map, &mut |local| local);
        }
        expanded
    }

    /// Gives lazy values their places: none is there yet.
    pub fn begin_lazies(&mut self, locals: &[LocalId]) {
        let mut all = 0;
        let mut first = None;
        for local in locals {
            let Some(ty) = self.lazies.get(local).map(|lazy| lazy.expr.ty) else { continue };
            let words = self.words(ty).max(1);
            let flag = self.temp(1 + words);
            first.get_or_insert(flag);
            all += 1 + words;
            if let Some(lazy) = self.lazies.get_mut(local) {
                (lazy.place, lazy.eager) = (Some((flag, flag + 1)), false);
            }
        }
        if let Some(dst) = first {
            self.emit(Op::Empty { dst, words: all });
        }
    }

    /// The next turn of a loop begins: what its lazy values depend on has changed. Those that the first test surely asks
    /// are computed at once.
    pub fn renew_lazies(&mut self, locals: &[LocalId], tests: &[Expr]) {
        for local in locals {
            let Some(Lazy { expr, place: Some((flag, reg)), .. }) = self.lazies.get(local).cloned() else {
                continue;
            };
            if tests.first().is_some_and(|test| surely_asks(test, *local)) {
                self.put(&expr, reg);
                if let Some(lazy) = self.lazies.get_mut(local) {
                    lazy.eager = true;
                }
            } else {
                self.word(flag, 0);
            }
        }
    }

    /// The loop is over: its lazy values have no places any more.
    pub fn end_lazies(&mut self, locals: &[LocalId]) {
        for local in locals {
            if let Some(lazy) = self.lazies.get_mut(local) {
                (lazy.place, lazy.eager) = (None, false);
            }
        }
    }

    /// The value of a lazy variable, computed now if it is not there yet.
    pub fn lazy_value(&mut self, local: LocalId) -> Option<Reg> {
        let lazy = self.lazies.get(&local)?.clone();
        let Some((flag, reg)) = lazy.place else {
            return Some(self.own(&lazy.expr));
        };
        if lazy.eager {
            return Some(reg);
        }
        let there = self.label();
        self.jump_if_set(flag, there);
        self.put(&lazy.expr, reg);
        self.word(flag, 1);
        self.set(there);
        Some(reg)
    }
}

/// Whether a test cannot be answered without a variable.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn surely_asks(test: &Expr, local: LocalId) -> bool {
    match &test.kind {
        ExprKind::Local(l) => *l == local,
        ExprKind::And(all) | ExprKind::Or(all) => all.first().is_some_and(|part| surely_asks(part, local)),
        ExprKind::Not(_)
        | ExprKind::Compare(..)
        | ExprKind::Column(..)
        | ExprKind::Rule(..)
        | ExprKind::Arithmetic(..) => test.parts().into_iter().any(|part| surely_asks(part, local)),
        ExprKind::In(thing, set) => surely_asks(thing, local) || surely_asks(set, local),
        _ => false,
    }
}
