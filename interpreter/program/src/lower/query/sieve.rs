//! A set sifted by conditions that are no sets: a loop that takes out those for which one fails.
//!
//! Where a condition is met at once by many things, as "it is none of those, or …", only the others go through its loop: what
//! stands before the first `or` is done as a set, and what does not depend on the thing is asked before the loop.

use blazon_book::{Expr, ExprKind, LocalId};

use crate::ir::{Op, Reg};
use crate::lower::expression::inline::not;
use crate::lower::function_builder::{FunctionBuilder, Label};
use crate::lower::query::Through;
use crate::lower::query::set_predicates::{SetPredicate, Subject};

/// Conditions that go through one loop.
#[derive(Default)]
struct Sieve {
    /// What nothing passes by that is left; then it goes through no loop.
    unless: Unless,
    /// What goes through the loop must pass all of these.
    tests: Vec<Expr>,
}

/// What need not go through a loop.
#[derive(Default)]
enum Unless {
    /// All must.
    #[default]
    Never,
    /// Nothing, if a set is empty.
    Empty(Expr),
    /// Those for which one of these holds.
    Any(Vec<(SetPredicate, Expr)>),
}

impl FunctionBuilder<'_> {
    /// Tests what remains to be tested, in place: afterwards the set holds those for which all holds.
    pub fn sift(&mut self, local: LocalId, set: Reg, words: u16, rest: &[Expr]) {
        self.sift_with(local, set, words, rest, &[]);
    }

    /// The same with lazy values that change with the variable.
    pub fn sift_with(&mut self, local: LocalId, set: Reg, words: u16, rest: &[Expr], lazies: &[LocalId]) {
        if rest.is_empty() {
            return;
        }
        let mark = self.mark();
        let places = self.place_lazies(lazies);
        let forced = self.force(local, rest);
        let end = self.label();
        for sieve in self.sieves(local, rest) {
            self.sift_through(local, set, words, &sieve, (lazies, places), end);
        }
        self.set(end);
        self.end_forced(&forced);
        self.end_lazies(lazies);
        self.release(mark);
    }

    /// One loop; `end` is where nothing is left to be sifted.
    fn sift_through(
        &mut self,
        local: LocalId,
        set: Reg,
        words: u16,
        sieve: &Sieve,
        (lazies, places): (&[LocalId], Option<(Reg, u16)>),
        end: Label,
    ) {
        let Some((last, first)) = sieve.tests.split_last() else { return };
        let mark = self.mark();
        let (left, done, fail) = (self.temp(words), self.label(), self.label());
        let mut sure = Vec::new();
        let asked = match &sieve.unless {
            Unless::Never => Vec::new(),
            Unless::Empty(set) => vec![set],
            Unless::Any(all) => all.iter().map(|(_, condition)| condition).collect(),
        };
        if asked.iter().any(|asked| !self.is_harmless(asked)) {
            // Of nothing nothing is asked, as in the loop.
            let some = self.temp(1);
            self.emit(Op::Some { dst: some, set, words });
            self.jump_if_clear(some, end);
        }
        match &sieve.unless {
            Unless::Never => self.copy(left, set, words),
            Unless::Empty(of) => {
                let (with, some) = (self.value(of), self.temp(1));
                self.emit(Op::Some { dst: some, set: with, words: self.words(of.ty) });
                self.jump_if_clear(some, done);
                if let ExprKind::Local(local) = of.kind {
                    sure.extend(Some(local).filter(|&local| self.is_there(local)));
                }
                self.copy(left, set, words);
            }
            Unless::Any(all) => {
                for (mask, _) in all {
                    // Written out it may not name the thing any more, as a rule that does not ask for its parameter.
                    if let SetPredicate::Free(condition) = mask {
                        self.jump_when(condition, true, done);
                    }
                }
                self.copy(left, set, words);
                for (mask, _) in all {
                    if !matches!(mask, SetPredicate::Free(_)) {
                        self.narrow(left, words, mask, false);
                    }
                }
            }
        }
        // Those that the first test asks are there whenever they are asked for.
        if !self.asks_all(&sieve.tests[0], lazies) {
            self.empty_lazies(places);
        }
        let head = self.begin_loop(local, &Through::Set(left, words), None, done);
        let elem = self.var(local);
        self.renew_lazies(lazies, &sieve.tests);
        self.tests(first, fail);
        self.jump_when(last, true, head);
        self.set(fail);
        self.emit(Op::Delete { set, elem });
        self.jump(head);
        self.set(done);
        self.end_forced(&sure);
        self.release(mark);
    }

    /// The loops that conditions go through, in their order.
    fn sieves(&mut self, local: LocalId, rest: &[Expr]) -> Vec<Sieve> {
        let kind = self.vars.get(local.0 as usize).and_then(|var| var.ty.base.kind());
        let mut sieves: Vec<Sieve> = vec![Sieve::default()];
        for condition in rest {
            match kind.and_then(|kind| self.sieve(condition, Subject { local, kind })) {
                Some(sieve) => sieves.extend([sieve, Sieve::default()]),
                None => {
                    sieves.iter_mut().last().into_iter().for_each(|last| last.tests.push(condition.clone()))
                }
            }
        }
        sieves.retain(|sieve| !sieve.tests.is_empty());
        sieves
    }

    /// A condition that begins with what can be done as a set.
    fn sieve(&mut self, condition: &Expr, of: Subject) -> Option<Sieve> {
        let mut parts = Vec::new();
        disjuncts(condition, true, &mut parts);
        let mut unless = Vec::new();
        if let ([only], Some(set)) = (parts.as_slice(), none_of(condition)) {
            // Of an empty set nothing is a member.
            if self.mentions(set, of.local) || !self.stands_alone(set) {
                return None;
            }
            return Some(Sieve { unless: Unless::Empty(set.clone()), tests: vec![only.clone()] });
        }
        let mut rest = parts.as_slice();
        while let [first, others @ ..] = rest {
            // Of what meets one of them the next is not asked.
            let is_asked = unless.is_empty() || self.is_harmless(first);
            if others.is_empty() || !is_asked || !self.stands_alone(first) {
                break;
            }
            match self.mask(first, of) {
                Some(mask) if is_cheap(&mask) => unless.push((mask, first.clone())),
                _ => break,
            }
            rest = others;
        }
        let (first, others) = rest.split_first()?;
        if unless.is_empty() {
            return None;
        }
        let test = match others {
            [] => first.clone(),
            _ => Expr { kind: ExprKind::Or(rest.to_vec()), ..condition.clone() },
        };
        Some(Sieve { unless: Unless::Any(unless), tests: vec![test] })
    }

    /// Whether an expression assumes nothing that something before it says.
    pub fn stands_alone(&self, expr: &Expr) -> bool {
        self.guards(expr).is_some_and(|guards| guards.is_empty())
    }
}

/// What it takes one of to meet a condition, in the order in which it is asked.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised is asked as it stands")]
fn disjuncts(expr: &Expr, holds: bool, out: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::Not(inner) => disjuncts(inner, !holds, out),
        ExprKind::Or(all) if holds => all.iter().for_each(|part| disjuncts(part, true, out)),
        ExprKind::And(all) if !holds => all.iter().for_each(|part| disjuncts(part, false, out)),
        _ => out.push(if holds { expr.clone() } else { not(expr.clone()) }),
    }
}

/// The set that a condition says something is not in, where that is found out for each thing by itself.
fn none_of(condition: &Expr) -> Option<&Expr> {
    let ExprKind::Not(inner) = &condition.kind else { return None };
    if let ExprKind::In(_, set) = &inner.kind { Some(set) } else { None }
}

/// Whether it is quicker to make a set than to ask a thing.
fn is_cheap(mask: &SetPredicate) -> bool {
    match mask {
        SetPredicate::Not(inner) => is_cheap(inner),
        SetPredicate::Free(_)
        | SetPredicate::Known(_)
        | SetPredicate::Members(_)
        | SetPredicate::Where(..)
        | SetPredicate::Is(_)
        | SetPredicate::In(_) => true,
        SetPredicate::WhereIn(..)
        | SetPredicate::Printed(..)
        | SetPredicate::PrintedIn(..)
        | SetPredicate::And(_)
        | SetPredicate::Or(_)
        | SetPredicate::If(..)
        | SetPredicate::Guarded(..) => false,
    }
}
