//! Expressions: into registers, or into jumps.

pub(crate) mod asks;
mod bounds;
pub(crate) mod inline;
pub(crate) mod lazy;
pub(crate) mod lift;
pub(crate) mod tabulate;

use blazon_book::{
    Arithmetic, Base, ColumnId, Comparison, Expr, ExprKind, LocalId, Quantifier, Query, RuleId, SetOp, Type,
};
use blazon_kernel::bits;

use crate::analysis::const_eval::{Eval, Known};
use crate::ir::{ABSENT, Op, Reg, Space};
use crate::lower::function_builder::{FunctionBuilder, Label};

impl FunctionBuilder<'_> {
    /// The value of an expression that needs no position.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    pub fn known(&self, expr: &Expr) -> Option<Known> {
        match &expr.kind {
            ExprKind::Word(word) => return Some(Known::Word(*word)),
            ExprKind::Absent => return Some(Known::Word(ABSENT)),
            ExprKind::Local(_) | ExprKind::Winner => return None,
            _ => {}
        }
        self.known_with(expr, &[])
    }

    /// The same with values of variables.
    fn known_with(&self, expr: &Expr, env: &[(LocalId, i64)]) -> Option<Known> {
        self.printed_eval(expr)?.with(env, expr)
    }

    /// What finds the values of an expression that reads nothing but facts and its variables.
    pub fn printed_eval(&self, expr: &Expr) -> Option<Eval<'_>> {
        let fixed = self.lowering.fixed();
        inline::is_printed(fixed.book, &self.lowering.uses, expr).then(|| Eval::new(fixed))
    }

    /// The value of a flag that needs no position.
    pub fn known_flag(&self, expr: &Expr) -> Option<bool> {
        Some(self.known(expr)?.word()? != 0)
    }

    /// The value in a register, which must not be changed.
    pub fn value(&mut self, expr: &Expr) -> Reg {
        if let ExprKind::Local(local) = &expr.kind {
            return self.var(*local);
        }
        self.own(expr)
    }

    /// The value into registers. All temporaries taken meanwhile are given back.
    pub fn put(&mut self, expr: &Expr, dst: Reg) {
        let mark = self.mark();
        let span = std::mem::replace(&mut self.span, expr.span);
        match self.known(expr) {
            Some(Known::Word(word)) => self.word(dst, word),
            Some(Known::Set(bits)) => self.set_of(dst, &bits),
            None => self.compute(expr, dst),
        }
        self.span = span;
        self.release(mark);
    }

    fn compute(&mut self, expr: &Expr, dst: Reg) {
        match &expr.kind {
            ExprKind::Word(word) => self.word(dst, *word),
            ExprKind::Absent => self.absent(dst),
            ExprKind::Invalid(_) => self.lowering.hole(expr.span),
            ExprKind::Everything(kind) => {
                let all = self.lowering.everything(*kind);
                self.set_of(dst, &all);
            }
            ExprKind::Players => {
                let mut all = vec![0; self.kind_words(self.book.player) as usize];
                for &player in &self.book.players {
                    bits::insert(&mut all, player as usize);
                }
                self.set_of(dst, &all);
            }
            ExprKind::Winner => self.winner(dst),
            ExprKind::Local(local) => {
                let (src, words) = (self.var(*local), self.words(expr.ty));
                self.copy(dst, src, words);
            }
            ExprKind::Column(column, keys) => {
                if !self.composed(expr, dst) {
                    self.load(*column, keys, dst);
                }
            }
            ExprKind::Rule(rule, args) if self.book.counter == Some(*rule) => self.tick(args, dst),
            ExprKind::Rule(rule, args) if self.look_up(*rule, args, dst) => {}
            ExprKind::Rule(rule, args)
                if inline::is_search(self, *rule) && self.look_up_partly(*rule, args, dst) => {}
            ExprKind::Rule(rule, args) => match self.written_out(expr, inline::SMALL) {
                Some(body) => self.deeper(|builder| builder.put(&body, dst)),
                None if self.look_up_partly(*rule, args, dst) => {}
                None => self.call(*rule, args, dst),
            },
            ExprKind::Links(kind, thing) => {
                let a = self.value(thing);
                self.emit(Op::Links { dst, kind: kind.0 as u16, a });
            }
            ExprKind::Neighbours(kind, thing) => {
                let a = self.value(thing);
                self.emit(Op::Neighbours { dst, kind: kind.0 as u16, a });
            }
            ExprKind::Between(kind, a, b) if self.link_table(*kind, a, b, dst) => {}
            ExprKind::Between(kind, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.emit(Op::Between { dst, kind: kind.0 as u16, a, b });
            }
            ExprKind::Ends(kind, link) => {
                let a = self.value(link);
                self.emit(Op::Ends { dst, kind: kind.0 as u16, a });
            }
            ExprKind::Each(local, source, body) => self.each(expr.ty, *local, source, body, dst),
            ExprKind::ToSet(thing) => {
                let words = self.words(expr.ty);
                let elem = self.value(thing);
                self.emit(Op::Empty { dst, words });
                self.emit(Op::Insert { set: dst, elem });
            }
            ExprKind::List(all) => {
                let words = self.words(expr.ty);
                self.emit(Op::Empty { dst, words });
                for part in all {
                    let mark = self.mark();
                    let elem = self.value(part);
                    self.emit(Op::Insert { set: dst, elem });
                    self.release(mark);
                }
            }
            ExprKind::Not(inner) if !self.branches(inner) => {
                let a = self.value(inner);
                self.emit(Op::Not { dst, a });
            }
            ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) => self.flag_by_jumps(expr, dst),
            ExprKind::Compare(op, a, b) => match self.by_bounds(*op, a, b) {
                Some(instead) => self.put(&instead, dst),
                None => self.compare(*op, a, b, dst),
            },
            ExprKind::In(thing, set) => match inline::membership(self, thing, set) {
                Some(test) => self.deeper(|builder| builder.flag_by_jumps(&test, dst)),
                None => {
                    let set = self.value(set);
                    let elem = self.value(thing);
                    self.emit(Op::Has { dst, set, elem });
                }
            },
            ExprKind::Within(a, lo, hi) => {
                let a = self.value(a);
                let end = self.label();
                let lo = self.value(lo);
                self.emit(Op::Le { dst, a: lo, b: a });
                self.jump_if_clear(dst, end);
                let hi = self.value(hi);
                self.emit(Op::Le { dst, a, b: hi });
                self.set(end);
            }
            ExprKind::Arithmetic(op, a, b) if self.add_if(*op, a, b, dst) => {}
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.emit(match op {
                    Arithmetic::Plus => Op::Add { dst, a, b },
                    Arithmetic::Minus => Op::Sub { dst, a, b },
                    Arithmetic::Times => Op::Mul { dst, a, b },
                    Arithmetic::Over => Op::Div { dst, a, b },
                    Arithmetic::OverUp => Op::DivUp { dst, a, b },
                    Arithmetic::OverNearest => Op::DivNearest { dst, a, b },
                    Arithmetic::Min => Op::Min { dst, a, b },
                    Arithmetic::Max => Op::Max { dst, a, b },
                });
            }
            ExprKind::Sets(op, a, b) => {
                self.put(a, dst);
                self.combine(*op, dst, b);
            }
            ExprKind::Odd(a) => {
                let a = self.value(a);
                self.emit(Op::Odd { dst, a });
            }
            ExprKind::Kept(keeper, a) => {
                self.put(a, dst);
                self.keep(*keeper, dst);
            }
            ExprKind::Range(lo, hi) => {
                // As a loop wants it: one below the first, then the last.
                match self.known(lo).and_then(|known| known.word()?.checked_sub(1)) {
                    Some(below) => self.word(dst, below),
                    None => {
                        self.put(lo, dst);
                        let one = self.temp(1);
                        self.word(one, 1);
                        self.emit(Op::Sub { dst, a: dst, b: one });
                    }
                }
                self.put(hi, dst + 1);
            }
            ExprKind::Otherwise(a, b) => {
                self.put(a, dst);
                let (end, absent) = (self.label(), self.temp(1));
                self.emit(Op::IsAbsent { dst: absent, a: dst });
                self.jump_if_clear(absent, end);
                self.put(b, dst);
                self.set(end);
            }
            ExprKind::Query(query) => self.query(query, dst),
            ExprKind::Choice(condition, a, b) => {
                let (other, end) = (self.label(), self.label());
                self.jump_when(condition, false, other);
                self.put(a, dst);
                self.jump(end);
                self.set(other);
                self.put(b, dst);
                self.set(end);
            }
        }
    }

    /// A number and what a condition adds to it or takes from it, as modifiers do: where it does not hold the number stays
    /// as it is. Says whether it is one.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn add_if(&mut self, op: Arithmetic, number: &Expr, more: &Expr, dst: Reg) -> bool {
        let ExprKind::Choice(when, more, nothing) = &more.kind else { return false };
        if !matches!(op, Arithmetic::Plus | Arithmetic::Minus) || !self.is_word(nothing, 0) {
            return false;
        }
        self.put(number, dst);
        let next = self.label();
        self.jump_when(when, false, next);
        let b = self.value(more);
        self.emit(match op {
            Arithmetic::Minus => Op::Sub { dst, a: dst, b },
            _ => Op::Add { dst, a: dst, b },
        });
        self.set(next);
        true
    }

    /// Joins a set in place with another.
    pub fn combine(&mut self, op: SetOp, dst: Reg, with: &Expr) {
        if with.ty.base == Base::Dice {
            return self.combine_dice(op, dst, with);
        }
        let mark = self.mark();
        let words = self.words(with.ty);
        match (&with.kind, op) {
            (ExprKind::ToSet(thing), SetOp::Union) => {
                let elem = self.value(thing);
                self.emit(Op::Insert { set: dst, elem });
            }
            (ExprKind::ToSet(thing), SetOp::Without) => {
                let elem = self.value(thing);
                self.emit(Op::Delete { set: dst, elem });
            }
            _ => {
                let b = self.value(with);
                self.emit(match op {
                    SetOp::Union => Op::Union { dst, a: dst, b, words },
                    SetOp::Both => Op::Both { dst, a: dst, b, words },
                    SetOp::Without => Op::Without { dst, a: dst, b, words },
                });
            }
        }
        self.release(mark);
    }

    /// Joins dice in place with others, or takes one of them for each of the others that shows the same.
    fn combine_dice(&mut self, op: SetOp, dst: Reg, with: &Expr) {
        let mark = self.mark();
        let others = self.own(with);
        let (die, end) = (self.temp(1), self.label());
        let head = self.here();
        self.emit(Op::NextDie { dice: others, die, exit: end.0 });
        self.emit(match op {
            SetOp::Union => Op::AddDie { dice: dst, die },
            SetOp::Without | SetOp::Both => Op::DropDie { dice: dst, die },
        });
        self.jump(head);
        self.set(end);
        self.release(mark);
    }

    fn winner(&mut self, dst: Reg) {
        let Some(column) = self.lowering.winner else {
            self.absent(dst);
            return;
        };
        let (nobody, end) = (self.temp(1), self.label());
        self.emit(Op::Load { dst, column, key: dst });
        self.emit(Op::EqInt { dst: nobody, a: dst, value: -1 });
        self.jump_if_clear(nobody, end);
        self.absent(dst);
        self.set(end);
    }

    /// The entry of a column: the place of its keys.
    pub fn key(&mut self, column: ColumnId, keys: &[Expr]) -> Reg {
        let kinds = self.book.column(column).keys.clone();
        let Some((first, rest)) = keys.split_first() else { return 0 };
        let mut key = self.value(first);
        for (next, kind) in rest.iter().zip(&kinds[1..]) {
            let b = self.value(next);
            let dst = self.temp(1);
            let size = self.book.kind(*kind).things.len() as u32;
            self.emit(Op::Index { dst, a: key, b, size });
            key = dst;
        }
        key
    }

    fn load(&mut self, column: ColumnId, keys: &[Expr], dst: Reg) {
        let key = match keys {
            [] => dst,
            _ => self.key(column, keys),
        };
        let number = column.0 as u16;
        self.emit(match self.column(number).set_words {
            0 => Op::Load { dst, column: number, key },
            _ => Op::LoadSet { dst, column: number, key },
        });
    }

    /// Arguments, one after the other.
    pub fn args(&mut self, args: &[Expr], types: &[Type]) -> Reg {
        let words = types.iter().fold(0u16, |sum, ty| sum.saturating_add(self.words(*ty)));
        let block = self.temp(words);
        let mut at = block;
        for (arg, ty) in args.iter().zip(types) {
            self.put(arg, at);
            at = at.saturating_add(self.words(*ty));
        }
        block
    }

    pub fn call(&mut self, rule: RuleId, args: &[Expr], dst: Reg) {
        let function = self.lowering.program.rule(rule) as u16;
        self.call_function(rule, function, args, dst);
    }

    /// Calls a rule, or a function with its parameters.
    pub fn call_function(&mut self, rule: RuleId, function: u16, args: &[Expr], dst: Reg) {
        let book = self.book.clone();
        let rule = book.rule(rule);
        let types: Vec<Type> = rule.locals[..rule.params].iter().map(|local| local.ty).collect();
        let args = match args {
            // What is a variable here is handed on from where it stands.
            [Expr { kind: ExprKind::Local(local), .. }] => self.var(*local),
            _ => self.args(args, &types),
        };
        self.emit(Op::Call { function, args, dst });
    }

    /// Whether a flag is better found by jumping.
    fn branches(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) | ExprKind::Choice(..))
    }

    fn flag_by_jumps(&mut self, expr: &Expr, dst: Reg) {
        let end = self.label();
        self.word(dst, 0);
        self.jump_when(expr, false, end);
        self.word(dst, 1);
        self.set(end);
    }

    fn compare(&mut self, op: Comparison, a: &Expr, b: &Expr, dst: Reg) {
        let (a, b) = if matches!(a.kind, ExprKind::Word(_) | ExprKind::Absent) && is_equality(op) {
            (b, a)
        } else {
            (a, b)
        };
        if let Base::Set(kind) = a.ty.base {
            let words = self.kind_words(kind);
            let (a, b) = (self.value(a), self.value(b));
            self.emit(Op::SetEq { dst, a, b, words });
        } else {
            let x = self.value(a);
            let small = self.known(b).and_then(|known| known.word());
            match (op, small) {
                (Comparison::Equal | Comparison::NotEqual, Some(ABSENT)) => {
                    self.emit(Op::IsAbsent { dst, a: x })
                }
                (Comparison::Equal | Comparison::NotEqual, Some(word)) if i32::try_from(word).is_ok() => {
                    self.emit(Op::EqInt { dst, a: x, value: word as i32 });
                }
                _ => {
                    let y = self.value(b);
                    self.emit(match op {
                        Comparison::Equal => Op::Eq { dst, a: x, b: y },
                        Comparison::NotEqual => Op::Ne { dst, a: x, b: y },
                        Comparison::Less => Op::Lt { dst, a: x, b: y },
                        Comparison::AtMost => Op::Le { dst, a: x, b: y },
                    });
                    return;
                }
            }
        }
        if op == Comparison::NotEqual {
            self.emit(Op::Not { dst, a: dst });
        }
    }

    // -------------------------------------------------------------------------------------------- jumps

    /// Jumps if a flag is as said.
    pub fn jump_when(&mut self, expr: &Expr, when: bool, to: Label) {
        let mark = self.mark();
        let span = std::mem::replace(&mut self.span, expr.span);
        match self.known_flag(expr) {
            Some(flag) if flag == when => self.jump(to),
            Some(_) => {}
            None => self.branch(expr, when, to),
        }
        self.span = span;
        self.release(mark);
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn branch(&mut self, expr: &Expr, when: bool, to: Label) {
        match &expr.kind {
            ExprKind::Not(inner) => self.jump_when(inner, !when, to),
            ExprKind::And(all) if !when => all.iter().for_each(|part| self.jump_when(part, false, to)),
            ExprKind::Or(all) if when => all.iter().for_each(|part| self.jump_when(part, true, to)),
            ExprKind::And(all) | ExprKind::Or(all) => {
                let skip = self.label();
                if let Some((last, first)) = all.split_last() {
                    first.iter().for_each(|part| self.jump_when(part, !when, skip));
                    self.jump_when(last, when, to);
                } else if matches!(expr.kind, ExprKind::And(_)) == when {
                    self.jump(to);
                }
                self.set(skip);
            }
            ExprKind::Choice(condition, a, b) => {
                let (other, end) = (self.label(), self.label());
                self.jump_when(condition, false, other);
                self.jump_when(a, when, to);
                self.jump(end);
                self.set(other);
                self.jump_when(b, when, to);
                self.set(end);
            }
            ExprKind::Each(local, source, body) if !matches!(source.ty.base, Base::Set(_)) => {
                let (thing, absent, end) = (self.value(source), self.temp(1), self.label());
                self.bind_var(*local, thing);
                self.emit(Op::IsAbsent { dst: absent, a: thing });
                self.jump_if_set(absent, if when { end } else { to });
                self.jump_when(body, when, to);
                self.set(end);
            }
            ExprKind::Compare(op @ (Comparison::Less | Comparison::AtMost), a, b)
                if let Some(instead) = self.by_bounds(*op, a, b) =>
            {
                self.jump_when(&instead, when, to);
            }
            ExprKind::Compare(Comparison::NotEqual, a, b) => {
                let flag = self.temp(1);
                self.compare(Comparison::Equal, a, b, flag);
                self.jump_on(flag, !when, to);
            }
            ExprKind::Query(query) if query.quantifier == Quantifier::Any => self.any(query, when, to),
            ExprKind::Compare(op @ (Comparison::Less | Comparison::AtMost), least, count)
                if self.is_word(least, i64::from(*op == Comparison::AtMost))
                    && self.counted(count).is_some() =>
            {
                if let Some(query) = self.counted(count) {
                    self.deeper(|builder| builder.any(&query, when, to));
                }
            }
            _ => {
                let instead = match &expr.kind {
                    ExprKind::In(thing, set) => inline::membership(self, thing, set),
                    ExprKind::Rule(rule, _) if self.lowering.table_of(*rule).is_none() => {
                        self.written_out(expr, inline::SMALL)
                    }
                    _ => None,
                };
                match instead {
                    Some(instead) => self.deeper(|builder| builder.jump_when(&instead, when, to)),
                    None => {
                        let flag = self.value(expr);
                        self.jump_on(flag, when, to);
                    }
                }
            }
        }
    }

    /// Whether a value is known to be this word.
    fn is_word(&self, expr: &Expr, word: i64) -> bool {
        self.known(expr).and_then(|known| known.word()) == Some(word)
    }

    /// Whether there are any of those that a count counts: asked so, nothing need be counted.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn counted(&mut self, count: &Expr) -> Option<Query> {
        match &count.kind {
            ExprKind::Query(query) if query.quantifier == Quantifier::Count => {
                let any = Query { quantifier: Quantifier::Any, ..(**query).clone() };
                matches!(query.source.ty.base, Base::Set(_)).then_some(any)
            }
            ExprKind::Rule(..) => {
                let body = self.written_out(count, inline::SMALL)?;
                self.deeper(|builder| builder.counted(&body))
            }
            _ => None,
        }
    }

    /// A flag, counted at its site.
    fn tick(&mut self, args: &[Expr], dst: Reg) {
        let [held, Expr { kind: ExprKind::Word(site), .. }] = args else { return };
        self.put(held, dst);
        self.emit(Op::Tick { flag: dst, site: *site as u32 });
    }

    /// Jumps if a flag in a register is as said.
    pub fn jump_on(&mut self, flag: Reg, when: bool, to: Label) {
        if when {
            self.jump_if_set(flag, to);
        } else {
            self.jump_if_clear(flag, to);
        }
    }

    /// Jumps if an expression that is taken to be present is absent after all.
    pub fn jump_if_absent(&mut self, guard: &Expr, to: Label) {
        let mark = self.mark();
        let (thing, absent) = (self.value(guard), self.temp(1));
        self.emit(Op::IsAbsent { dst: absent, a: thing });
        self.jump_if_set(absent, to);
        self.release(mark);
    }

    /// A column that queries ask by value.
    pub fn has_index(&self, column: ColumnId) -> bool {
        self.column(column.0 as u16).space == Space::State && self.lowering.uses.compared.contains(&column)
    }

    /// Does something with a rule written out, one level deeper.
    pub fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.inlined += 1;
        let result = f(self);
        self.inlined -= 1;
        result
    }

    /// The body of a plain rule with its arguments put in, if it is small enough.
    pub fn written_out(&mut self, expr: &Expr, most: usize) -> Option<Expr> {
        inline::write_out(self, expr, most)
    }
}

fn is_equality(op: Comparison) -> bool {
    matches!(op, Comparison::Equal | Comparison::NotEqual)
}
