//! Queries: candidates by set algebra, then a loop over those that remain.

mod inverse_image;
mod printed_pairs;
mod reach;
pub(crate) mod set_predicates;
mod sieve;

use blazon_book::walk::ExprKey;
use blazon_book::{Base, Expr, ExprKind, KindId, LocalId, Quantifier, Query, SetOp, Type};

use crate::analysis::assumed::assumed;
use crate::ir::{DICE_WORDS, Op, Reg};
use crate::lower::expression::inline;
use crate::lower::function_builder::{FunctionBuilder, Label};
use crate::lower::query::set_predicates::{SetPredicate, Subject};

/// What a query goes through.
pub(crate) enum Through {
    /// A set that may be used up: register and words.
    Set(Reg, u16),
    /// Dice that may be used up.
    Dice(Reg),
    /// Counter and limit.
    Numbers(Reg, Reg),
    /// A sequence.
    Several(Reg),
    /// One thing, which may be absent if so said.
    One(Reg, bool),
}

impl FunctionBuilder<'_> {
    /// The same, where a set of one thing need not be made.
    pub fn candidates_or_one(
        &mut self,
        local: LocalId,
        source: &Expr,
        conditions: &[Expr],
    ) -> (Through, Vec<Expr>) {
        if matches!(source.ty.base, Base::Set(_)) {
            let mut all = Vec::new();
            let inner = inline::source(self, local, source, &mut all);
            if let ExprKind::ToSet(thing) = &inner.kind
                && self.known(&inner).is_none()
            {
                for condition in conditions {
                    inline::conjuncts(self, condition, true, 0, &mut all);
                }
                let reg = self.value(thing);
                return (Through::One(reg, thing.ty.optional), all);
            }
        }
        self.candidates(local, source, conditions)
    }

    /// The candidates of a query in temporaries of their own, and what must still be tested of each.
    pub fn candidates(&mut self, local: LocalId, source: &Expr, conditions: &[Expr]) -> (Through, Vec<Expr>) {
        match source.ty.base {
            Base::Dice => (Through::Dice(self.own(source)), conditions.to_vec()),
            Base::Numbers => {
                let counter = self.own(source);
                (Through::Numbers(counter, counter + 1), conditions.to_vec())
            }
            base @ (Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Set(_)
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Nothing
            | Base::Unknown) => {
                let kind = base.kind().unwrap_or(KindId(0));
                let words = self.kind_words(kind);
                let set = self.temp(words);
                let rest = self.narrowed(Subject { local, kind }, source, conditions, set);
                (Through::Set(set, words), rest)
            }
        }
    }

    /// The candidates of a set by set algebra; answers the conditions that are none.
    fn narrowed(&mut self, of: Subject, source: &Expr, conditions: &[Expr], set: Reg) -> Vec<Expr> {
        let words = self.kind_words(of.kind);
        let mut all = Vec::new();
        let source = inline::source(self, of.local, source, &mut all);
        for condition in conditions {
            inline::conjuncts(self, condition, true, 0, &mut all);
        }
        let mut masks = Vec::new();
        let mut rest: Vec<Expr> = Vec::new();
        for condition in &all {
            // What is asked out of order must say itself what it takes to be present.
            let guards = self.guards(condition).map(|mut guards| {
                guards.retain(|guard| !self.mentions(guard, of.local));
                guards
            });
            // What may have no answer is asked only of what those before it leave, and only if they leave something.
            let is_sure = self.never_fails(condition);
            let mask = guards.and_then(|guards| {
                let before = self.asserted.len();
                self.asserted.extend(guards.iter().filter_map(ExprKey::of_path));
                let mask = self.mask(condition, of);
                self.asserted.truncate(before);
                Some((mask?, guards))
            });
            match mask.filter(|(mask, _)| is_sure || rest.is_empty() && mask.asks_but_once()) {
                Some((mask, guards)) => masks.push((mask, guards, is_sure)),
                None => rest.push(condition.clone()),
            }
        }
        // From all things of a kind it is shorter to begin with those that one condition leaves.
        let (none, end) = (self.label(), self.label());
        let begins = matches!(source.kind, ExprKind::Everything(_) | ExprKind::Local(_));
        let start = match begins {
            true => masks
                .iter()
                .position(|(mask, guards, is_sure)| mask.is_positive() && guards.is_empty() && *is_sure),
            false => None,
        };
        // Conditions without the variable and without assumptions come first: if they fail nothing need be looked at.
        let mut free = Vec::new();
        let mut sets = Vec::new();
        for (place, (mask, guards, is_sure)) in masks.into_iter().enumerate() {
            match (mask, guards.is_empty() && is_sure) {
                (SetPredicate::Free(condition), true) => free.push(condition),
                (mask, _) => sets.push((place, mask, guards, is_sure)),
            }
        }
        for condition in &free {
            self.jump_when(condition, false, none);
        }
        match start.and_then(|start| sets.iter().position(|(place, ..)| *place == start)) {
            Some(start) => {
                let (_, mask, ..) = sets.remove(start);
                self.make_mask(&mask, set, words);
                if !matches!(source.kind, ExprKind::Everything(_)) {
                    self.combine(SetOp::Both, set, &source);
                }
            }
            None => self.put(&source, set),
        }
        let mut reaches_none = !free.is_empty();
        for (_, mask, guards, is_sure) in &sets {
            if !is_sure {
                let some = self.temp(1);
                self.emit(Op::Some { dst: some, set, words });
                self.jump_if_clear(some, none);
                reaches_none = true;
            }
            for guard in guards {
                self.jump_if_absent(guard, none);
                reaches_none = true;
            }
            self.narrow(set, words, mask, true);
        }
        if reaches_none {
            self.jump(end);
            self.set(none);
            self.emit(Op::Empty { dst: set, words });
        } else {
            self.set(none);
        }
        self.set(end);
        rest
    }

    /// What a condition takes to be present; `None` if it cannot be asked out of order.
    pub fn guards(&self, condition: &Expr) -> Option<Vec<Expr>> {
        let optional = |local: LocalId| self.vars.get(local.0 as usize).is_some_and(|var| var.ty.optional);
        let condition = self.expanded(condition);
        let guards = assumed(&self.book, &optional, &condition)?;
        Some(guards.into_iter().cloned().collect())
    }

    /// Begins a loop: gives the variable its register. Answers the head of the loop.
    pub fn begin_loop(&mut self, local: LocalId, through: &Through, elem: Option<Reg>, exit: Label) -> Label {
        if let Through::One(thing, optional) = *through {
            // No loop at all: its next turn is its end.
            if optional {
                let mark = self.mark();
                let absent = self.temp(1);
                self.emit(Op::IsAbsent { dst: absent, a: thing });
                self.jump_if_set(absent, exit);
                self.release(mark);
            }
            if let Some(elem) = elem {
                self.copy(elem, thing, 1);
            }
            self.bind_var(local, elem.unwrap_or(thing));
            return exit;
        }
        let head = self.here();
        let exit = exit.0;
        let elem = match *through {
            Through::One(thing, _) => thing,
            Through::Several(seq) => {
                let elem = elem.unwrap_or_else(|| self.temp(1));
                self.emit(Op::NextOf { seq, elem, exit });
                elem
            }
            Through::Set(set, words) => {
                let elem = elem.unwrap_or_else(|| self.temp(1));
                self.emit(Op::Next { set, words, elem, exit });
                elem
            }
            Through::Dice(dice) => {
                let die = elem.unwrap_or_else(|| self.temp(1));
                self.emit(Op::NextDie { dice, die, exit });
                die
            }
            Through::Numbers(counter, limit) => {
                self.emit(Op::NextNumber { counter, limit, exit });
                match elem {
                    Some(elem) => {
                        self.copy(elem, counter, 1);
                        elem
                    }
                    None => counter,
                }
            }
        };
        self.bind_var(local, elem);
        head
    }

    pub fn tests(&mut self, rest: &[Expr], otherwise: Label) {
        rest.iter().for_each(|condition| self.jump_when(condition, false, otherwise));
    }

    /// Where the variable of a query lives after the loop has begun.
    fn elem(&mut self, query: &Query, through: &Through, exit: Label) -> (Label, Reg) {
        let head = self.begin_loop(query.local, through, None, exit);
        let reg = self.var(query.local);
        (head, reg)
    }

    /// A query whose variable has a number, even where the text names none.
    fn numbered(&mut self, query: &Query) -> Query {
        let mut query = query.clone();
        if query.local == LocalId::NONE {
            let kind = query.source.ty.base.kind();
            query.local = self.fresh(Type::of(kind.map_or(Base::Number(1, 255), Base::Thing)));
        }
        query
    }

    /// Jumps if there is any (or none).
    pub fn any(&mut self, query: &Query, when: bool, to: Label) {
        let query = &self.numbered(query);
        let mut conditions = Vec::new();
        let source = match query.source.ty.base {
            Base::Set(_) => inline::source(self, query.local, &query.source, &mut conditions),
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => query.source.clone(),
        };
        // Of several sets joined each is asked by itself.
        if matches!(source.kind, ExprKind::Each(..))
            && conditions.is_empty()
            && let ExprKind::Each(local, source, body) = &query.source.kind
            && matches!(source.ty.base, Base::Set(_))
            && matches!(body.ty.base, Base::Set(_))
            && self.known(&query.source).is_none()
        {
            let (found, end) = (self.label(), self.label());
            let (through, rest) = self.candidates(*local, source, &[]);
            let head = self.begin_loop(*local, &through, None, end);
            self.tests(&rest, head);
            let inner = Query { source: (**body).clone(), ..query.clone() };
            self.any(&inner, true, if when { to } else { found });
            self.jump(head);
            self.set(end);
            if !when {
                self.jump(to);
                self.set(found);
            }
            return;
        }
        conditions.extend(query.filter.iter().cloned());
        let (through, rest) = self.candidates_or_one(query.local, &source, &conditions);
        if let (Through::Set(set, words), true) = (&through, rest.is_empty()) {
            let flag = self.temp(1);
            self.emit(Op::Some { dst: flag, set: *set, words: *words });
            self.jump_on(flag, when, to);
            return;
        }
        let end = self.label();
        let (head, _) = self.elem(query, &through, if when { end } else { to });
        match rest.split_last() {
            None => {}
            Some((last, first)) => {
                self.tests(first, head);
                if when {
                    self.jump_when(last, true, to);
                    self.jump(head);
                } else {
                    self.jump_when(last, false, head);
                }
            }
        }
        if rest.is_empty() && when {
            self.jump(to);
        }
        self.set(end);
    }

    /// The answer of a query.
    pub fn query(&mut self, query: &Query, dst: Reg) {
        let query = &self.numbered(query);
        if query.quantifier == Quantifier::Any {
            let end = self.label();
            self.word(dst, 0);
            self.any(query, false, end);
            self.word(dst, 1);
            self.set(end);
            return;
        }
        let filter: Vec<Expr> = query.filter.iter().cloned().collect();
        let (through, rest) = match query.quantifier {
            Quantifier::Count | Quantifier::First | Quantifier::Max | Quantifier::Min | Quantifier::Total => {
                self.candidates_or_one(query.local, &query.source, &filter)
            }
            Quantifier::All
            | Quantifier::Any
            | Quantifier::Most
            | Quantifier::Least
            | Quantifier::Reach
            | Quantifier::Ways => self.candidates(query.local, &query.source, &filter),
        };
        match query.quantifier {
            Quantifier::Any => {}
            // Where one goes to, whatever it costs: only a `reach` asks what.
            Quantifier::All | Quantifier::Ways => self.all(query, &through, &rest, dst),
            Quantifier::Count => self.count(query, &through, &rest, dst),
            Quantifier::First => self.first(query, &through, &rest, dst),
            Quantifier::Most | Quantifier::Least => self.best(query, &through, &rest, dst),
            Quantifier::Max | Quantifier::Min => self.extreme(query, &through, &rest, dst),
            Quantifier::Total => self.total(query, &through, &rest, dst),
            Quantifier::Reach => match (query.ways(), &query.within) {
                (Some(ways), Some(most)) => self.reach_by_ways(query, &through, &rest, (ways, most), dst),
                _ => self.reach(query, &through, &rest, dst),
            },
        }
    }

    fn all(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        match *through {
            Through::Set(set, words) => {
                self.sift(query.local, set, words, rest);
                self.copy(dst, set, words);
            }
            Through::Dice(_) => {
                let end = self.label();
                let found = self.temp(DICE_WORDS as u16);
                self.emit(Op::Empty { dst: found, words: DICE_WORDS as u16 });
                let (head, die) = self.elem(query, through, end);
                self.tests(rest, head);
                self.emit(Op::AddDie { dice: found, die });
                self.jump(head);
                self.set(end);
                self.copy(dst, found, DICE_WORDS as u16);
            }
            Through::Numbers(..) | Through::Several(_) | Through::One(..) => {}
        }
    }

    /// The first of dice, or none of them.
    fn first_die(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        let end = self.label();
        let found = self.temp(DICE_WORDS as u16);
        self.emit(Op::Empty { dst: found, words: DICE_WORDS as u16 });
        let (head, die) = self.elem(query, through, end);
        self.tests(rest, head);
        self.emit(Op::AddDie { dice: found, die });
        self.set(end);
        self.copy(dst, found, DICE_WORDS as u16);
    }

    /// Adds what a query has found to what it gives, in place.
    fn keep_found(&mut self, through: &Through, all: Reg, elem: Reg) {
        self.emit(match through {
            Through::Dice(_) => Op::AddDie { dice: all, die: elem },
            Through::Set(..) | Through::Numbers(..) | Through::Several(_) | Through::One(..) => {
                Op::Insert { set: all, elem }
            }
        });
    }

    fn count(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        match *through {
            Through::Set(set, words) if rest.is_empty() => {
                self.emit(Op::Count { dst, set, words });
                return;
            }
            Through::Dice(dice) if rest.is_empty() => {
                self.copy(dst, dice, 1);
                return;
            }
            Through::Set(..)
            | Through::Dice(_)
            | Through::Numbers(..)
            | Through::Several(_)
            | Through::One(..) => {}
        }
        let (count, one, end) = (self.temp(1), self.temp(1), self.label());
        self.word(count, 0);
        self.word(one, 1);
        let (head, _) = self.elem(query, through, end);
        self.tests(rest, head);
        self.emit(Op::Add { dst: count, a: count, b: one });
        self.jump(head);
        self.set(end);
        self.copy(dst, count, 1);
    }

    fn first(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        if let (Through::Set(set, words), true) = (through, rest.is_empty()) {
            self.emit(Op::First { dst, set: *set, words: *words });
            return;
        }
        if let Through::Dice(_) = through {
            self.first_die(query, through, rest, dst);
            return;
        }
        let (none, end) = (self.label(), self.label());
        let (head, elem) = self.elem(query, through, none);
        self.tests(rest, head);
        self.copy(dst, elem, 1);
        self.jump(end);
        self.set(none);
        self.absent(dst);
        self.set(end);
    }

    fn by(&mut self, query: &Query) -> Reg {
        match &query.by {
            Some(by) => self.value(by),
            None => {
                let zero = self.temp(1);
                self.word(zero, 0);
                zero
            }
        }
    }

    fn best(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        let words = match *through {
            Through::Set(_, words) => words,
            Through::Dice(_) => DICE_WORDS as u16,
            Through::Numbers(..) | Through::Several(_) | Through::One(..) => return,
        };
        let (best, value, any, flag) = (self.temp(words), self.temp(1), self.temp(1), self.temp(1));
        let (end, better) = (self.label(), self.label());
        self.emit(Op::Empty { dst: best, words });
        self.word(any, 0);
        self.word(value, 0);
        let (head, elem) = self.elem(query, through, end);
        self.tests(rest, head);
        let by = self.by(query);
        self.jump_if_clear(any, better);
        self.emit(match query.quantifier {
            Quantifier::Least => Op::Lt { dst: flag, a: by, b: value },
            Quantifier::All
            | Quantifier::Any
            | Quantifier::Count
            | Quantifier::First
            | Quantifier::Most
            | Quantifier::Max
            | Quantifier::Min
            | Quantifier::Total
            | Quantifier::Reach
            | Quantifier::Ways => Op::Lt { dst: flag, a: value, b: by },
        });
        self.jump_if_set(flag, better);
        self.emit(Op::Eq { dst: flag, a: by, b: value });
        self.jump_if_clear(flag, head);
        self.keep_found(through, best, elem);
        self.jump(head);
        self.set(better);
        self.emit(Op::Empty { dst: best, words });
        self.keep_found(through, best, elem);
        self.copy(value, by, 1);
        self.word(any, 1);
        self.jump(head);
        self.set(end);
        self.copy(dst, best, words);
    }

    /// The greatest or least number; absent if there is none.
    fn extreme(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        let (value, none, end) = (self.temp(1), self.temp(1), self.label());
        self.absent(value);
        let (head, _) = self.elem(query, through, end);
        self.tests(rest, head);
        let by = self.by(query);
        if query.quantifier == Quantifier::Max {
            // What is absent is less than any number.
            self.emit(Op::Max { dst: value, a: value, b: by });
        } else {
            let (first, next) = (self.label(), self.label());
            self.emit(Op::IsAbsent { dst: none, a: value });
            self.jump_if_set(none, first);
            self.emit(Op::Min { dst: value, a: value, b: by });
            self.jump(next);
            self.set(first);
            self.copy(value, by, 1);
            self.set(next);
        }
        self.jump(head);
        self.set(end);
        self.copy(dst, value, 1);
    }

    fn total(&mut self, query: &Query, through: &Through, rest: &[Expr], dst: Reg) {
        let (sum, end) = (self.temp(1), self.label());
        self.word(sum, 0);
        let (head, _) = self.elem(query, through, end);
        self.tests(rest, head);
        let by = self.by(query);
        self.emit(Op::Add { dst: sum, a: sum, b: by });
        self.jump(head);
        self.set(end);
        self.copy(dst, sum, 1);
    }
}
