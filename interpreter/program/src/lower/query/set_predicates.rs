//! Conditions on the variable of a query as sets: what the machine does with a few words instead of a loop.

use blazon_book::walk::ExprKey;
use blazon_book::{Base, ColumnId, Comparison, Expr, ExprKind, KindId, LocalId, Quantifier, SetOp, Type};
use blazon_kernel::bits;

use crate::analysis::const_eval::Known;
use crate::ir::{ABSENT, Op, Reg, Space};
use crate::lower::expression::inline;
use crate::lower::function_builder::FunctionBuilder;

/// Those things of a kind for which a condition holds.
#[derive(Debug)]
pub(crate) enum SetPredicate {
    /// All or none: the variable does not occur.
    Free(Expr),
    /// A set known beforehand.
    Known(Vec<u64>),
    /// Those whose flag is set.
    Members(u16),
    /// Those that hold a value.
    Where(u16, Expr),
    /// Those that hold one of these values.
    WhereIn(u16, Expr),
    /// Those of which facts give a value: a made column of sets by value, and those of which they give nothing.
    Printed(u16, Vec<u64>, Expr),
    /// The same of several values.
    PrintedIn(u16, Expr),
    /// One thing.
    Is(Expr),
    /// The things of a set.
    In(Expr),
    /// The others.
    Not(Box<SetPredicate>),
    /// Those in all.
    And(Vec<SetPredicate>),
    /// Those in any.
    Or(Vec<SetPredicate>),
    /// One or the other set.
    If(Expr, Box<SetPredicate>, Box<SetPredicate>),
    /// What is asked only where these are present, because others before it see to that: where one is not, it is asked of
    /// nothing.
    Guarded(Vec<Expr>, Box<SetPredicate>),
}

impl SetPredicate {
    /// Whether it can be made by itself, without a set to begin with.
    pub fn is_positive(&self) -> bool {
        match self {
            Self::Known(_) | Self::Members(_) | Self::Where(..) | Self::WhereIn(..) => true,
            Self::Printed(..) | Self::PrintedIn(..) | Self::Is(_) | Self::In(_) => true,
            Self::Free(_) | Self::Not(_) | Self::And(_) | Self::Or(_) | Self::If(..) | Self::Guarded(..) => {
                false
            }
        }
    }

    /// Whether one question decides of all things at once.
    pub fn asks_but_once(&self) -> bool {
        match self {
            Self::Not(inner) => inner.asks_but_once(),
            Self::Known(_) | Self::Members(_) | Self::Where(..) | Self::WhereIn(..) | Self::Printed(..) => {
                true
            }
            Self::PrintedIn(..) | Self::Is(_) | Self::In(_) | Self::Free(_) => true,
            Self::And(_) | Self::Or(_) | Self::If(..) | Self::Guarded(..) => false,
        }
    }
}

/// A variable over a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub local: LocalId,
    pub kind: KindId,
}

impl FunctionBuilder<'_> {
    /// The set that a condition is, if it is one.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    pub fn mask(&mut self, expr: &Expr, of: Subject) -> Option<SetPredicate> {
        if !self.mentions(expr, of.local) {
            return Some(SetPredicate::Free(expr.clone()));
        }
        if let Some(known) = self.known_mask(expr, of) {
            return Some(SetPredicate::Known(known));
        }
        match &expr.kind {
            ExprKind::Not(inner) => Some(SetPredicate::Not(Box::new(self.mask(inner, of)?))),
            ExprKind::And(all) => Some(SetPredicate::And(self.masks(all, of)?)),
            ExprKind::Or(all) => Some(SetPredicate::Or(self.masks(all, of)?)),
            ExprKind::Choice(condition, a, b) if !self.mentions(condition, of.local) => {
                let (a, b) = (self.mask(a, of)?, self.mask(b, of)?);
                Some(SetPredicate::If((**condition).clone(), Box::new(a), Box::new(b)))
            }
            ExprKind::Column(column, keys) => match keys.as_slice() {
                [key] if is(key, of.local) && self.column(column.0 as u16).set_words == 0 => {
                    (self.column(column.0 as u16).shift == 0)
                        .then_some(SetPredicate::Members(column.0 as u16))
                }
                _ => None,
            },
            ExprKind::Rule(..) => {
                if let Some(mask) = self.table_mask(expr, of) {
                    return Some(mask);
                }
                let body = self.written_out(expr, inline::LARGE)?;
                self.deeper(|builder| builder.mask(&body, of))
            }
            ExprKind::Compare(Comparison::Equal, a, b) => self.equal_mask(a, b, of),
            ExprKind::Compare(Comparison::NotEqual, a, b) => {
                Some(SetPredicate::Not(Box::new(self.equal_mask(a, b, of)?)))
            }
            ExprKind::In(thing, set) => self.member_mask(thing, set, of),
            ExprKind::Query(query) if query.quantifier == Quantifier::Any && query.filter.is_none() => {
                if let Some(mask) = self.table_mask(expr, of) {
                    return Some(mask);
                }
                match self.overlap_mask(&query.source, of) {
                    Some(mask) => Some(mask),
                    None => self.image_mask(expr, of),
                }
            }
            ExprKind::Query(_) => self.image_mask(expr, of),
            _ => None,
        }
    }

    /// `any` of a set whose things hold the variable: those that they hold.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn image_mask(&mut self, expr: &Expr, of: Subject) -> Option<SetPredicate> {
        match self.image(expr, &[of.local])?.kind {
            ExprKind::In(_, held) => Some(SetPredicate::In(*held)),
            _ => None,
        }
    }

    /// `any (x.sets & S)`: a printed set of the variable that has a thing in common with another.
    fn overlap_mask(&mut self, source: &Expr, of: Subject) -> Option<SetPredicate> {
        let ExprKind::Sets(SetOp::Both, a, b) = &source.kind else { return None };
        let (own, other) = if self.mentions(a, of.local) { (a, b) } else { (b, a) };
        if self.mentions(other, of.local) {
            return None;
        }
        let Base::Set(kind) = own.ty.base else { return None };
        let column = self.printed_sets(own, kind, of)?;
        Some(SetPredicate::PrintedIn(column, (**other).clone()))
    }

    fn masks(&mut self, all: &[Expr], of: Subject) -> Option<Vec<SetPredicate>> {
        let mut masks = Vec::new();
        for part in all {
            // Each is made of all things: what it takes to be present, because a part before it says so, it must ask for.
            let mut guards = self.guards(part)?;
            let is_asked =
                |guard: &Expr| ExprKey::of_path(guard).is_some_and(|path| self.asserted.contains(&path));
            guards.retain(|guard| !self.mentions(guard, of.local) && !is_asked(guard));
            let mask = self.mask(part, of)?;
            masks.push(match guards.is_empty() || masks.is_empty() {
                true => mask,
                false => SetPredicate::Guarded(guards, Box::new(mask)),
            });
        }
        Some(masks)
    }

    /// A condition on facts alone.
    pub fn known_mask(&self, expr: &Expr, of: Subject) -> Option<Vec<u64>> {
        let things = self.book.kind(of.kind).things.len();
        let mut set = vec![0; self.kind_words(of.kind) as usize];
        let mut eval = self.printed_eval(expr)?;
        for thing in 0..things {
            if eval.with(&[(of.local, thing as i64)], expr)?.word()? != 0 {
                bits::insert(&mut set, thing);
            }
        }
        Some(set)
    }

    fn equal_mask(&mut self, a: &Expr, b: &Expr, of: Subject) -> Option<SetPredicate> {
        let (own, other) = if self.mentions(a, of.local) { (a, b) } else { (b, a) };
        if self.mentions(other, of.local) || matches!(own.ty.base, Base::Set(_)) {
            return None;
        }
        if is(own, of.local) {
            return Some(SetPredicate::Is(other.clone()));
        }
        if let ExprKind::Rule(..) = own.kind {
            let body = self.written_out(own, inline::LARGE)?;
            return self.deeper(|builder| builder.equal_mask(&body, other, of));
        }
        if let Some(column) = self.asked_by_value(own, of.local) {
            return Some(SetPredicate::Where(column, other.clone()));
        }
        if let ExprKind::Between(kind, x, y) = &own.kind
            && matches!(self.known(other), Some(Known::Word(ABSENT)))
        {
            // No link to it: not one of the neighbours.
            let end = if is(x, of.local) { y } else { x };
            if !self.mentions(end, of.local) && (is(x, of.local) || is(y, of.local)) {
                return Some(SetPredicate::Not(Box::new(SetPredicate::In(self.neighbours(*kind, end)))));
            }
        }
        let (column, absent) = self.printed(own, of)?;
        Some(SetPredicate::Printed(column, absent, other.clone()))
    }

    fn neighbours(&self, kind: KindId, of: &Expr) -> Expr {
        let end = self.book.kind(kind).ends.map_or(kind, |ends| ends.0);
        let kind = ExprKind::Neighbours(kind, Box::new(of.clone()));
        Expr { kind, ty: Type::of(Base::Set(end)), span: of.span }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn member_mask(&mut self, thing: &Expr, set: &Expr, of: Subject) -> Option<SetPredicate> {
        let set_is_free = !self.mentions(set, of.local);
        if is(thing, of.local) && set_is_free {
            return Some(SetPredicate::In(set.clone()));
        }
        if set_is_free {
            if let ExprKind::Rule(..) = thing.kind {
                let body = self.written_out(thing, inline::LARGE)?;
                return self.deeper(|builder| builder.member_mask(&body, set, of));
            }
            if let Some(column) = self.asked_by_value(thing, of.local) {
                // Asked of the value it may be but one or two comparisons.
                let test = inline::membership(self, thing, set);
                let mask = test.and_then(|test| self.deeper(|builder| builder.mask(&test, of)));
                return Some(mask.unwrap_or_else(|| SetPredicate::WhereIn(column, set.clone())));
            }
            let (column, _) = self.printed(thing, of)?;
            return Some(SetPredicate::PrintedIn(column, set.clone()));
        }
        if self.mentions(thing, of.local) {
            return None;
        }
        match &set.kind {
            // Neighbours are so on both sides.
            ExprKind::Neighbours(kind, other) if is(other, of.local) => {
                Some(SetPredicate::In(self.neighbours(*kind, thing)))
            }
            ExprKind::Links(kind, other) if is(other, of.local) => {
                let ends = ExprKind::Ends(*kind, Box::new(thing.clone()));
                Some(SetPredicate::In(Expr {
                    kind: ends,
                    ty: Type::of(Base::Set(of.kind)),
                    span: thing.span,
                }))
            }
            ExprKind::ToSet(other) if is(other, of.local) => Some(SetPredicate::Is(thing.clone())),
            ExprKind::Sets(op, a, b) => {
                let (a, b) = (self.member_mask_of(thing, a, of)?, self.member_mask_of(thing, b, of)?);
                Some(match op {
                    SetOp::Union => SetPredicate::Or(vec![a, b]),
                    SetOp::Both => SetPredicate::And(vec![a, b]),
                    SetOp::Without => SetPredicate::And(vec![a, SetPredicate::Not(Box::new(b))]),
                })
            }
            _ if inline::is_printed(&self.book, &self.lowering.uses, set) => {
                // A printed set, asked the other way round.
                let column = self.printed_sets(set, thing.ty.base.kind()?, of)?;
                Some(SetPredicate::Printed(column, Vec::new(), thing.clone()))
            }
            _ => {
                let test = inline::membership(self, thing, set)?;
                self.deeper(|builder| builder.mask(&test, of))
            }
        }
    }

    fn member_mask_of(&mut self, thing: &Expr, set: &Expr, of: Subject) -> Option<SetPredicate> {
        if self.mentions(set, of.local) {
            return self.member_mask(thing, set, of);
        }
        let kind = ExprKind::In(Box::new(thing.clone()), Box::new(set.clone()));
        Some(SetPredicate::Free(Expr { kind, ty: Type::of(Base::Flag), span: set.span }))
    }

    /// A state of the variable that has an inverse index.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn asked_by_value(&self, expr: &Expr, local: LocalId) -> Option<u16> {
        match &expr.kind {
            ExprKind::Column(ColumnId(column), keys) if matches!(keys.as_slice(), [key] if is(key, local)) => {
                self.has_index(ColumnId(*column)).then_some(*column as u16)
            }
            _ => None,
        }
    }

    /// A thing that facts give of the variable: a made column of those by value, and those of which there is none.
    fn printed(&mut self, expr: &Expr, of: Subject) -> Option<(u16, Vec<u64>)> {
        let Base::Thing(value_kind) = expr.ty.base else { return None };
        let things = self.book.kind(of.kind).things.len();
        let mut values = Vec::with_capacity(things);
        let mut eval = self.printed_eval(expr)?;
        for thing in 0..things {
            values.push(eval.with(&[(of.local, thing as i64)], expr)?.word()?);
        }
        let mut absent = vec![0; self.kind_words(of.kind) as usize];
        let mut sets = vec![absent.clone(); self.book.kind(value_kind).things.len().max(1)];
        for (thing, &value) in values.iter().enumerate() {
            match usize::try_from(value).ok().and_then(|value| sets.get_mut(value)) {
                Some(set) => bits::insert(set, thing),
                None => bits::insert(&mut absent, thing),
            };
        }
        Some((self.made_sets(&[i64::from(of.kind.0), i64::from(value_kind.0)], &sets), absent))
    }

    /// A printed set of the variable: a made column of those that have a thing in it.
    fn printed_sets(&mut self, set: &Expr, value_kind: KindId, of: Subject) -> Option<u16> {
        let empty = vec![0; self.kind_words(of.kind) as usize];
        let mut sets = vec![empty; self.book.kind(value_kind).things.len().max(1)];
        let mut eval = self.printed_eval(set)?;
        for holder in 0..self.book.kind(of.kind).things.len() {
            for value in bits::iter(&eval.with(&[(of.local, holder as i64)], set)?.set()?) {
                bits::insert(sets.get_mut(value)?, holder);
            }
        }
        Some(self.made_sets(&[i64::from(of.kind.0), i64::from(value_kind.0)], &sets))
    }

    /// A column of sets made of facts, by a number; the same sets are the same column.
    pub fn made_sets(&mut self, kinds: &[i64], sets: &[Vec<u64>]) -> u16 {
        let mut signature = kinds.to_vec();
        signature.extend(sets.iter().flatten().map(|&word| word as i64));
        if let Some(&column) = self.lowering.by_value.get(&signature) {
            return column;
        }
        let column = self.lowering.made_sets(sets);
        self.lowering.by_value.insert(signature, column);
        column
    }

    // -------------------------------------------------------------------------------------- instructions

    /// The set of a positive mask into a register.
    pub fn make_mask(&mut self, mask: &SetPredicate, dst: Reg, words: u16) {
        let at = self.mark();
        match mask {
            SetPredicate::Known(bits) => self.set_of(dst, bits),
            SetPredicate::Members(column) => self.members(*column, dst),
            SetPredicate::Where(column, value) => match self.known(value).and_then(|known| known.word()) {
                Some(ABSENT) => self.emit(Op::WhereIs { dst, column: *column, value: -1 }),
                Some(value) if i32::try_from(value).is_ok() => {
                    self.emit(Op::WhereIs { dst, column: *column, value: value as i32 });
                }
                _ => {
                    let value = self.value(value);
                    self.emit(Op::Where { dst, column: *column, value });
                }
            },
            SetPredicate::WhereIn(column, set) | SetPredicate::PrintedIn(column, set) => {
                let by_index = matches!(mask, SetPredicate::WhereIn(..));
                self.gather(*column, by_index, set, dst, words);
            }
            SetPredicate::Printed(column, absent, value) => {
                let known = self.known(value).and_then(|known| known.word());
                let key = self.value(value);
                if value.ty.optional && known.is_none_or(|word| word == ABSENT) {
                    let (flag, there, end) = (self.temp(1), self.label(), self.label());
                    self.emit(Op::IsAbsent { dst: flag, a: key });
                    self.jump_if_clear(flag, there);
                    match absent.is_empty() {
                        true => self.emit(Op::Empty { dst, words }),
                        false => self.set_of(dst, absent),
                    }
                    self.jump(end);
                    self.set(there);
                    self.emit(Op::LoadSet { dst, column: *column, key });
                    self.set(end);
                } else {
                    self.emit(Op::LoadSet { dst, column: *column, key });
                }
            }
            SetPredicate::Is(thing) => {
                let elem = self.value(thing);
                self.emit(Op::Empty { dst, words });
                self.emit(Op::Insert { set: dst, elem });
            }
            SetPredicate::In(set) => self.put(set, dst),
            SetPredicate::Free(_)
            | SetPredicate::Not(_)
            | SetPredicate::And(_)
            | SetPredicate::Or(_)
            | SetPredicate::If(..)
            | SetPredicate::Guarded(..) => {
                self.emit(Op::Empty { dst, words });
            }
        }
        self.release(at);
    }

    fn members(&mut self, column: u16, dst: Reg) {
        let info = *self.column(column);
        if info.space == Space::Fact {
            let from = info.offset as usize;
            let bits = self.lowering.program.facts[from..from + info.key_words as usize].to_vec();
            self.set_of(dst, &bits);
        } else {
            self.emit(Op::Members { dst, column });
        }
    }

    /// Those that hold one of several values.
    fn gather(&mut self, column: u16, by_index: bool, values: &Expr, dst: Reg, words: u16) {
        let (some, elem) = (self.temp(words), self.temp(1));
        let take = |builder: &mut Self, dst: Reg| match by_index {
            true => builder.emit(Op::Where { dst, column, value: elem }),
            false => builder.emit(Op::LoadSet { dst, column, key: elem }),
        };
        if let Some(Known::Set(known)) = self.known(values) {
            if bits::iter(&known).next().is_none() {
                self.emit(Op::Empty { dst, words });
            }
            for (place, value) in bits::iter(&known).enumerate() {
                self.word(elem, value as i64);
                if place == 0 {
                    take(self, dst);
                } else {
                    take(self, some);
                    self.emit(Op::Union { dst, a: dst, b: some, words });
                }
            }
            return;
        }
        let rest = self.own(values);
        let of_values = self.words(values.ty);
        self.emit(Op::Empty { dst, words });
        let (head, end) = (self.here(), self.label());
        self.emit(Op::Next { set: rest, words: of_values, elem, exit: end.0 });
        take(self, some);
        self.emit(Op::Union { dst, a: dst, b: some, words });
        self.jump(head);
        self.set(end);
    }

    /// Narrows a set in place to those for which a mask holds (or does not).
    pub fn narrow(&mut self, set: Reg, words: u16, mask: &SetPredicate, holds: bool) {
        let at = self.mark();
        match mask {
            SetPredicate::Free(condition) => {
                let end = self.label();
                self.jump_when(condition, holds, end);
                self.emit(Op::Empty { dst: set, words });
                self.set(end);
            }
            SetPredicate::Not(inner) => self.narrow(set, words, inner, !holds),
            SetPredicate::And(all) if holds => {
                all.iter().for_each(|mask| self.narrow(set, words, mask, true))
            }
            SetPredicate::Or(all) if !holds => {
                all.iter().for_each(|mask| self.narrow(set, words, mask, false))
            }
            // What is settled without the variable comes first: then there may be nothing to join.
            SetPredicate::And(all) | SetPredicate::Or(all) => {
                let end = self.label();
                let is_free = |mask: &&SetPredicate| matches!(mask, SetPredicate::Free(_));
                let (free, all): (Vec<&SetPredicate>, Vec<&SetPredicate>) = all.iter().partition(is_free);
                for mask in free {
                    if let SetPredicate::Free(condition) = mask {
                        self.jump_when(condition, holds, end);
                    }
                }
                if let [mask] = all.as_slice() {
                    self.narrow(set, words, mask, holds);
                    self.set(end);
                    self.release(at);
                    return;
                }
                let (sum, part) = (self.temp(words), self.temp(words));
                self.emit(Op::Empty { dst: sum, words });
                for mask in all {
                    self.copy(part, set, words);
                    self.narrow(part, words, mask, holds);
                    self.emit(Op::Union { dst: sum, a: sum, b: part, words });
                }
                self.copy(set, sum, words);
                self.set(end);
            }
            SetPredicate::If(condition, a, b) => {
                let (other, end) = (self.label(), self.label());
                self.jump_when(condition, false, other);
                self.narrow(set, words, a, holds);
                self.jump(end);
                self.set(other);
                self.narrow(set, words, b, holds);
                self.set(end);
            }
            SetPredicate::Guarded(guards, inner) => {
                let (none, end) = (self.label(), self.label());
                guards.iter().for_each(|guard| self.jump_if_absent(guard, none));
                self.narrow(set, words, inner, holds);
                self.jump(end);
                self.set(none);
                self.emit(Op::Empty { dst: set, words });
                self.set(end);
            }
            SetPredicate::Is(thing) if !holds => {
                let elem = self.value(thing);
                self.emit(Op::Delete { set, elem });
            }
            SetPredicate::In(with) => {
                let b = self.value(with);
                self.meet(set, words, b, holds);
            }
            SetPredicate::Known(_)
            | SetPredicate::Members(_)
            | SetPredicate::Where(..)
            | SetPredicate::WhereIn(..)
            | SetPredicate::Printed(..)
            | SetPredicate::PrintedIn(..)
            | SetPredicate::Is(_) => {
                let with = self.temp(words);
                self.make_mask(mask, with, words);
                self.meet(set, words, with, holds);
            }
        }
        self.release(at);
    }

    fn meet(&mut self, set: Reg, words: u16, with: Reg, holds: bool) {
        self.emit(match holds {
            true => Op::Both { dst: set, a: set, b: with, words },
            false => Op::Without { dst: set, a: set, b: with, words },
        });
    }
}

fn is(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(l) if l == local)
}
