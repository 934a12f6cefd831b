//! What follows from what is known.

use std::rc::Rc;

use blazon_book::walk::ExprKey;
use blazon_book::{
    ColumnId, Comparison, Exception, Expr, ExprKind, LocalId, Quantifier, RuleBody, SetOp, build,
};

use super::super::Secrecy;
use super::super::terms::{Alternative, flag, locals_of, member};
use super::equality::{Keyed, canonical};
use super::{DEPTH, Facts};

/// The exceptions that outrank one of them, by way of others, too.
fn outranking(exceptions: &[Exception], place: usize) -> Vec<usize> {
    let mut found = vec![place];
    let mut at = 0;
    while let Some(&one) = found.get(at) {
        at += 1;
        let above = |(_, other): &(usize, &Exception)| other.beats.contains(&one);
        for (other, _) in exceptions.iter().enumerate().filter(above) {
            if !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found.remove(0);
    found
}

impl Secrecy<'_> {
    /// Whether something is known as it stands, without looking at cases.
    pub(in super::super) fn is_plain_in(&mut self, goal: &Expr, facts: &Facts) -> bool {
        facts.absurd || self.holds(goal, facts, true, 0)
    }

    /// Whether something follows from what is known.
    pub(in super::super) fn follows(&mut self, goal: &Expr, facts: &Facts) -> bool {
        let locals = locals_of(goal);
        self.follows_within(goal, &locals, facts, 0)
    }

    fn follows_within(&mut self, goal: &Expr, locals: &[LocalId], facts: &Facts, depth: usize) -> bool {
        if facts.absurd || self.holds(goal, facts, true, 0) {
            return true;
        }
        if depth >= DEPTH {
            return false;
        }
        (0..facts.cases.len()).any(|place| {
            if !facts.cases[place].iter().any(|case| case.is_about(locals)) {
                return false;
            }
            let mut rest = facts.clone();
            let cases = rest.cases.remove(place);
            cases.iter().all(|case| {
                let mut facts = rest.clone();
                facts.join(case);
                self.follows_within(goal, locals, &facts, depth + 1)
            })
        })
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "others hold where they are known to")]
    fn holds(&mut self, goal: &Expr, facts: &Facts, wanted: bool, depth: usize) -> bool {
        let (goal, turned) = canonical(goal.clone());
        let wanted = wanted == turned;
        if let Some(constant) = build::constant(&goal) {
            return constant == wanted;
        }
        if facts.has(&ExprKey::of(&goal), wanted) {
            return true;
        }
        if depth > 8 {
            return false;
        }
        match &goal.kind {
            ExprKind::And(all) if wanted => all.iter().all(|one| self.holds(one, facts, true, depth + 1)),
            ExprKind::And(all) => all.iter().any(|one| self.holds(one, facts, false, depth + 1)),
            ExprKind::Or(all) if wanted => all.iter().any(|one| self.holds(one, facts, true, depth + 1)),
            ExprKind::Or(all) => all.iter().all(|one| self.holds(one, facts, false, depth + 1)),
            ExprKind::Choice(c, a, b) => {
                let (yes, no) =
                    (self.holds(c, facts, true, depth + 1), self.holds(c, facts, false, depth + 1));
                (no || self.holds(a, facts, wanted, depth + 1))
                    && (yes || self.holds(b, facts, wanted, depth + 1))
            }
            ExprKind::Rule(id, args) => self.rule_holds(*id, args, facts, wanted, depth),
            ExprKind::Compare(Comparison::Equal, a, b) => self.equal_holds(a, b, facts, wanted),
            ExprKind::In(thing, set) if wanted => self.member_holds(thing, set, facts, depth),
            ExprKind::In(thing, set) => {
                let ExprKind::List(items) = &set.kind else { return false };
                items.iter().all(|item| self.equal_holds(thing, item, facts, false))
            }
            ExprKind::Column(column, keys) => self.alias_holds(*column, keys, &goal, facts, wanted),
            _ => false,
        }
    }

    /// A flag of something that equals another of which it is known.
    fn alias_holds(
        &mut self,
        column: ColumnId,
        keys: &[Expr],
        goal: &Expr,
        facts: &Facts,
        wanted: bool,
    ) -> bool {
        let [key] = keys else { return false };
        facts.equals(key).into_iter().skip(1).any(|other| {
            let goal = flag(ExprKind::Column(column, vec![other.expr.clone()]), goal.span);
            facts.has(&ExprKey::of(&goal), wanted)
        })
    }

    fn rule_holds(
        &mut self,
        id: blazon_book::RuleId,
        args: &[Expr],
        facts: &Facts,
        wanted: bool,
        depth: usize,
    ) -> bool {
        let book = self.book;
        if let RuleBody::Permission(needs) = &book.rule(id).body {
            let needs: Vec<Expr> = needs.iter().map(|need| self.of_rule(&need.condition, args)).collect();
            return wanted && needs.iter().all(|need| self.holds(need, facts, true, depth + 1));
        }
        let Some(alternatives) = self.alternatives(id, args) else { return false };
        let RuleBody::Value { exceptions: written, .. } = &book.rule(id).body else { return false };
        let (exceptions, base) = alternatives.split_at(written.len());
        // What decides against what is wanted must surely not hold.
        let is_harmless = |secrecy: &mut Self, (when, value): &Alternative| {
            secrecy.holds(value, facts, wanted, depth + 1)
                || when.iter().any(|when| secrecy.holds(when, facts, false, depth + 1))
        };
        for (place, (when, value)) in exceptions.iter().enumerate() {
            let decides = when.iter().all(|when| self.holds(when, facts, true, depth + 1))
                && self.holds(value, facts, wanted, depth + 1);
            if decides
                && outranking(written, place).iter().all(|&other| is_harmless(self, &exceptions[other]))
            {
                return true;
            }
        }
        base.iter().all(|(_, base)| self.holds(base, facts, wanted, depth + 1))
            && exceptions.iter().all(|exception| is_harmless(self, exception))
    }

    fn equal_holds(&mut self, a: &Expr, b: &Expr, facts: &Facts, wanted: bool) -> bool {
        if ExprKey::of(a) == ExprKey::of(b) {
            return wanted;
        }
        if wanted && (facts.is_free(a) || facts.is_free(b)) {
            return false;
        }
        let of_a = facts.equals(a);
        if wanted {
            // What equals nothing else isn't equal to this.
            return of_a.len() > 1 && facts.equals(b).iter().any(|b| of_a.iter().any(|a| a.is(b)));
        }
        let of_b = facts.equals(b);
        let word = |all: &[Rc<Keyed>]| {
            all.iter().find_map(|e| if let ExprKind::Word(word) = e.expr.kind { Some(word) } else { None })
        };
        if let (Some(a), Some(b)) = (word(&of_a), word(&of_b)) {
            return a != b;
        }
        // What equals something that is surely there, or is in a set, is there.
        let is_nothing = |e: &Expr| matches!(e.kind, ExprKind::Absent);
        let path = if is_nothing(b) { &of_a } else { &of_b };
        let is_there = |e: &Rc<Keyed>| !e.expr.ty.optional && !is_nothing(&e.expr);
        (is_nothing(a) || is_nothing(b)) && (path.iter().any(is_there) || Self::in_some_set(path, facts))
    }

    fn in_some_set(of: &[Rc<Keyed>], facts: &Facts) -> bool {
        facts.all.iter().filter(|fact| fact.holds).any(|fact| {
            let ExprKind::In(thing, _) = &fact.expr.kind else { return false };
            let key = ExprKey::of(thing);
            of.iter().any(|one| one.key == key)
        })
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of other sets it must be known")]
    fn member_holds(&mut self, thing: &Expr, set: &Expr, facts: &Facts, depth: usize) -> bool {
        let mut of = |set: &Expr, wanted: bool| {
            let goal = member(thing.clone(), set.clone());
            self.holds(&goal, facts, wanted, depth + 1)
        };
        match &set.kind {
            ExprKind::ToSet(one) => of(one, true),
            ExprKind::List(items) => {
                let equals = facts.equals(thing);
                items.iter().any(|item| {
                    let key = ExprKey::of(item);
                    equals.iter().any(|equal| equal.key == key)
                })
            }
            ExprKind::Sets(SetOp::Union, a, b) => of(a, true) || of(b, true),
            ExprKind::Sets(SetOp::Both, a, b) => of(a, true) && of(b, true),
            ExprKind::Sets(SetOp::Without, a, b) => of(a, true) && of(b, false),
            ExprKind::Query(query) if query.quantifier == Quantifier::All => {
                if !of(&query.source, true) {
                    return false;
                }
                let Some(filter) = &query.filter else { return true };
                let filter = self.put(filter, query.local, thing);
                self.holds(&filter, facts, true, depth + 1)
            }
            ExprKind::Rule(id, args) => {
                let Some(alternatives) = self.alternatives(*id, args) else { return false };
                let [(_, base)] = &alternatives[..] else { return false };
                let goal = member(thing.clone(), base.clone());
                self.holds(&goal, facts, true, depth + 1)
            }
            ExprKind::Everything(_) => true,
            _ => false,
        }
    }
}
