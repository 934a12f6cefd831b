//! Values that are computed when they are first asked, and kept as long as what they depend on stays the same: what
//! does not change in a loop is computed once, but only if it is asked at all.

use std::borrow::Cow;
use std::collections::HashMap;

use blazon_book::walk::{Put, each_expr, substitute};
use blazon_book::{Expr, ExprKind, LocalId};

use crate::analysis::harmless::{is_harmless, never_fails, never_stops};
use crate::ir::{Op, Reg};
use crate::lower::expression::asks::Asks;
use crate::lower::function_builder::{FunctionBuilder, Lazy};

impl FunctionBuilder<'_> {
    /// A variable for a value that is computed when it is first asked.
    pub fn lazy(&mut self, expr: Expr) -> Expr {
        let depends = self.dependences(&expr);
        let (ty, span) = (expr.ty, expr.span);
        let local = self.fresh(ty);
        self.lazies.insert(local, Lazy { expr, depends, place: None, eager: false, asks: Asks::default() });
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
        let places = self.place_lazies(locals);
        self.empty_lazies(places);
    }

    /// Gives lazy values their places, side by side: the first of them, and their words. As yet they hold nothing.
    pub fn place_lazies(&mut self, locals: &[LocalId]) -> Option<(Reg, u16)> {
        let mut places: Option<(Reg, u16)> = None;
        for local in locals {
            let Some(ty) = self.lazies.get(local).map(|lazy| lazy.expr.ty) else { continue };
            let words = 1 + self.words(ty).max(1);
            let flag = self.temp(words);
            places = Some(places.map_or((flag, words), |(first, all)| (first, all + words)));
            self.begin_asks(*local, None);
            if let Some(lazy) = self.lazies.get_mut(local) {
                (lazy.place, lazy.eager) = (Some((flag, flag + 1)), false);
            }
        }
        places
    }

    /// None of these lazy values is there yet.
    pub fn empty_lazies(&mut self, places: Option<(Reg, u16)>) {
        if let Some((dst, words)) = places {
            self.emit(Op::Empty { dst, words });
        }
    }

    /// Whether a test cannot be answered without any of these lazy values.
    pub fn asks_all(&self, test: &Expr, lazies: &[LocalId]) -> bool {
        lazies.iter().all(|local| surely_asks(test, *local))
    }

    /// The next turn of a loop begins: what its lazy values depend on has changed. Those that the first test surely asks
    /// are computed at once.
    pub fn renew_lazies(&mut self, locals: &[LocalId], tests: &[Expr]) {
        for local in locals {
            let Some(Lazy { expr, place: Some((flag, reg)), .. }) = self.lazies.get(local).cloned() else {
                continue;
            };
            let eager = tests.first().is_some_and(|test| surely_asks(test, *local));
            match eager {
                true => self.put(&expr, reg),
                false => {
                    self.word(flag, 0);
                    let reset = self.emitted(Op::Int { dst: flag, value: 0 });
                    self.begin_asks(*local, reset);
                }
            }
            if let Some(lazy) = self.lazies.get_mut(local) {
                lazy.eager = eager;
            }
        }
    }

    /// The loop is over: its lazy values have no places any more.
    pub fn end_lazies(&mut self, locals: &[LocalId]) {
        for local in locals {
            self.end_asks(*local);
            if let Some(lazy) = self.lazies.get_mut(local) {
                (lazy.place, lazy.eager) = (None, false);
            }
        }
    }

    /// Computes before a loop what its tests mostly ask, where that can do no harm: then nothing in the loop asks whether it
    /// is there. Answers what was computed, for [`FunctionBuilder::end_forced`].
    pub fn force<'e>(&mut self, over: LocalId, tests: impl IntoIterator<Item = &'e Expr>) -> Vec<LocalId> {
        let mut asked: Vec<LocalId> = Vec::new();
        for test in tests {
            mostly_asked(test, &mut |local| {
                if !asked.contains(&local) {
                    asked.push(local);
                }
            });
        }
        asked.retain(|local| {
            let Some(lazy) = self.lazies.get(local) else { return false };
            let is_due = lazy.place.is_some() && !lazy.eager && !lazy.depends.contains(&over);
            is_due && self.stands_alone(&lazy.expr) && self.is_harmless(&lazy.expr)
        });
        for local in &asked {
            match self.lazies.get(local).cloned() {
                // A constant is made as quickly as it is asked whether it is there.
                Some(Lazy { expr, place: Some((_, reg)), .. }) if self.known(&expr).is_some() => {
                    self.put(&expr, reg);
                }
                _ => {
                    self.lazy_value(*local);
                }
            }
            self.is_there(*local);
        }
        asked
    }

    /// A lazy value that was only just asked is there. Answers whether that was not known; then it is for
    /// [`FunctionBuilder::end_forced`].
    pub fn is_there(&mut self, local: LocalId) -> bool {
        match self.lazies.get_mut(&local) {
            Some(lazy) if lazy.place.is_some() && !lazy.eager => {
                lazy.eager = true;
                true
            }
            _ => false,
        }
    }

    /// Whether an expression can be asked where nobody needs it, if what it takes to be present is so.
    pub fn is_harmless(&self, expr: &Expr) -> bool {
        is_harmless(&self.lowering.uses, &self.expanded(expr))
    }

    /// Whether it makes no difference how often an expression is asked, if what it takes to be present is so.
    pub fn never_stops(&self, expr: &Expr) -> bool {
        never_stops(&self.lowering.uses, &self.expanded(expr))
    }

    /// Whether an expression surely has an answer, if what it takes to be present is so.
    pub fn never_fails(&self, expr: &Expr) -> bool {
        never_fails(&self.lowering.uses, &self.expanded(expr))
    }

    /// The loop is over: what was computed before it may not be there where the loop was passed by.
    pub fn end_forced(&mut self, forced: &[LocalId]) {
        for local in forced {
            if let Some(lazy) = self.lazies.get_mut(local) {
                lazy.eager = false;
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
        let asked = self.ask_whether(flag, there);
        self.put(&lazy.expr, reg);
        self.say_there(local, flag, asked);
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

/// The variables that a test mostly asks: not every way to its answer leads by them.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn mostly_asked(test: &Expr, note: &mut dyn FnMut(LocalId)) {
    match &test.kind {
        ExprKind::Local(local) => note(*local),
        ExprKind::And(all) | ExprKind::Or(all) => {
            // What has become a constant is not asked, and what is only looked at does not put off the next.
            for part in all {
                mostly_asked(part, note);
                if !matches!(part.kind, ExprKind::Word(_) | ExprKind::Local(_)) {
                    break;
                }
            }
        }
        ExprKind::Choice(condition, ..) => mostly_asked(condition, note),
        ExprKind::Not(_)
        | ExprKind::Compare(..)
        | ExprKind::Column(..)
        | ExprKind::Rule(..)
        | ExprKind::Arithmetic(..)
        | ExprKind::Sets(..)
        | ExprKind::In(..) => test.parts().into_iter().for_each(|part| mostly_asked(part, note)),
        ExprKind::Each(_, source, _) => mostly_asked(source, note),
        // What a query asks is mostly done as sets, all of them.
        ExprKind::Query(query) => {
            mostly_asked(&query.source, note);
            match query.filter.as_ref().map(|filter| (&filter.kind, filter)) {
                Some((ExprKind::And(all), _)) => all.iter().for_each(|part| mostly_asked(part, note)),
                Some((_, filter)) => mostly_asked(filter, note),
                None => {}
            }
        }
        _ => {}
    }
}
