//! What expressions come to and what statements do ([`play`]), worked out in the plainest way: no registers, no sets of bits,
//! no order of tests, nothing remembered. Only what [`blazon_tests::writer`] writes.

pub mod play;

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::{
    Base, Book, ColumnId, Comparison, Constant, Expr, ExprKind, KindId, LocalId, Modifier, Quantifier, Query,
    RuleBody, RuleId, SetOp, Type,
};
use blazon_machine::Machine;
use blazon_program::ir::ABSENT;

/// What something comes to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Nothing.
    Absent,
    /// A flag, a number, a thing.
    Word(i64),
    /// Things.
    Set(BTreeSet<i64>),
}

use Value::{Absent, Set, Word};

/// Why something comes to nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Exceptions that hold at once say different things.
    Clash,
    /// A number is none that may stand there.
    Range,
    /// A state is read that was not set, something absent is asked as if it were there, or a variable has no value: what a
    /// check without a word rules out.
    Unsound(&'static str),
}

use Trouble::{Clash, Range, Unsound};

const ABSENT_HERE: Trouble = Unsound("something absent, where it is asked as if it were there");

/// What comes of an expression.
pub type Comes<T> = Result<T, Trouble>;

/// The values of variables.
pub type Env = BTreeMap<LocalId, Value>;

/// What facts and states hold, by their keys. A state that does not exist yet is not there.
pub type Cells = BTreeMap<(ColumnId, Vec<u32>), Value>;

/// A position.
pub struct Position<'p> {
    /// The rules.
    pub book: &'p Book,
    /// What it is.
    pub cells: Cells,
}

impl<'p> Position<'p> {
    /// The position of a machine.
    pub fn of(book: &'p Book, machine: &Machine) -> Self {
        let mut cells = Cells::new();
        for (place, column) in book.columns.iter().enumerate() {
            let id = ColumnId(place as u32);
            for keys in every(book, &column.keys) {
                if let Some(words) = machine.column(id, &keys) {
                    cells.insert((id, keys), read(column.ty, &words));
                }
            }
        }
        Self { book, cells }
    }

    /// What an expression comes to.
    pub fn value(&self, expr: &Expr, env: &Env) -> Comes<Value> {
        Ok(match &expr.kind {
            ExprKind::Word(word) => Word(*word),
            ExprKind::Absent => nothing(expr.ty),
            ExprKind::Everything(kind) => Set((0..self.book.kind(*kind).things.len() as i64).collect()),
            ExprKind::Players => Set(self.book.players.iter().map(|&player| i64::from(player)).collect()),
            ExprKind::Local(local) => env.get(local).cloned().ok_or(Unsound("a variable without a value"))?,
            ExprKind::Column(column, keys) => {
                let mut of = Vec::new();
                for key in keys {
                    let Word(key) = self.value(key, env)? else { return Ok(nothing(expr.ty)) };
                    of.push(key as u32);
                }
                self.cells.get(&(*column, of)).cloned().ok_or(Unsound("a state that does not exist"))?
            }
            ExprKind::Rule(rule, args) => {
                let args: Comes<Vec<Value>> = args.iter().map(|arg| self.value(arg, env)).collect();
                self.rule(*rule, args?)?
            }
            ExprKind::Neighbours(kind, of) => {
                let Word(of) = self.value(of, env)? else { return Ok(Set(BTreeSet::new())) };
                let ends = self.book.kind(*kind).things.iter().filter_map(|link| link.ends);
                let other = |(a, b): (u32, u32)| match (i64::from(a), i64::from(b)) {
                    (a, b) if a == of => Some(b),
                    (a, b) if b == of => Some(a),
                    _ => None,
                };
                Set(ends.filter_map(other).collect())
            }
            ExprKind::Between(kind, a, b) => {
                let (Word(a), Word(b)) = (self.value(a, env)?, self.value(b, env)?) else {
                    return Ok(Absent);
                };
                let joins = |(x, y): (u32, u32)| [(a, b), (b, a)].contains(&(i64::from(x), i64::from(y)));
                let links = &self.book.kind(*kind).things;
                let place = links.iter().position(|link| link.ends.is_some_and(joins));
                place.map_or(Absent, |place| Word(place as i64))
            }
            ExprKind::Each(local, source, body) => {
                let mut all = BTreeSet::new();
                let things = match self.value(source, env)? {
                    Set(things) => things,
                    Word(thing) => return self.value(body, &with(env, *local, thing)),
                    Absent => return Ok(nothing(expr.ty)),
                };
                for thing in things {
                    match self.value(body, &with(env, *local, thing))? {
                        Set(found) => all.extend(found),
                        Word(found) => all.extend([found]),
                        Absent => {}
                    }
                }
                Set(all)
            }
            ExprKind::ToSet(one) => as_set([self.value(one, env)?]),
            ExprKind::List(all) => {
                as_set(all.iter().map(|item| self.value(item, env)).collect::<Comes<Vec<_>>>()?)
            }
            ExprKind::Not(flag) => yes(!self.holds(flag, env)?),
            ExprKind::And(all) => yes(self.each_in_turn(all, true, env)?),
            ExprKind::Or(all) => yes(!self.each_in_turn(all, false, env)?),
            ExprKind::Compare(by, a, b) => {
                let (a, b) = (self.value(a, env)?, self.value(b, env)?);
                yes(match by {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                })
            }
            ExprKind::In(thing, set) => match (self.value(thing, env)?, self.value(set, env)?) {
                (Word(thing), Set(set)) => yes(set.contains(&thing)),
                _ => yes(false),
            },
            ExprKind::Sets(op, a, b) => {
                let (Set(a), Set(b)) = (self.value(a, env)?, self.value(b, env)?) else {
                    return Err(ABSENT_HERE);
                };
                Set(match op {
                    SetOp::Union => a.union(&b).copied().collect(),
                    SetOp::Both => a.intersection(&b).copied().collect(),
                    SetOp::Without => a.difference(&b).copied().collect(),
                })
            }
            ExprKind::Otherwise(a, b) => match self.value(a, env)? {
                Absent => self.value(b, env)?,
                there => there,
            },
            ExprKind::Kept(_, inner) => fits(expr.ty, self.value(inner, env)?)?,
            ExprKind::Query(query) => self.query(query, env)?,
            ExprKind::Arithmetic(by, a, b) => {
                let (Word(a), Word(b)) = (self.value(a, env)?, self.value(b, env)?) else {
                    return Err(ABSENT_HERE);
                };
                Word(by.apply(a, b).ok_or(Range)?)
            }
            ExprKind::Range(from, to) => {
                let (Word(from), Word(to)) = (self.value(from, env)?, self.value(to, env)?) else {
                    return Err(ABSENT_HERE);
                };
                Set((from..=to).collect())
            }
            ExprKind::Winner
            | ExprKind::Links(..)
            | ExprKind::Ends(..)
            | ExprKind::Within(..)
            | ExprKind::Odd(_)
            | ExprKind::Choice(..)
            | ExprKind::Invalid(_) => unreachable!("nobody writes {:?}", expr.kind),
        })
    }

    /// Whether a flag holds.
    pub fn holds(&self, expr: &Expr, env: &Env) -> Comes<bool> {
        match self.value(expr, env)? {
            Word(flag) => Ok(flag == 1),
            Absent | Set(_) => Err(ABSENT_HERE),
        }
    }

    /// Whether all of them hold, or all fail; those behind the first that doesn't are not asked.
    fn each_in_turn(&self, all: &[Expr], wanted: bool, env: &Env) -> Comes<bool> {
        for part in all {
            if self.holds(part, env)? != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is reached by ways that do not cost more than so much together: what is reached with more left is gone on from
    /// again, until nothing is.
    fn reached_by_ways(
        &self,
        query: &Query,
        (ways, most): (&Query, &Expr),
        start: &[i64],
        env: &Env,
    ) -> Comes<Value> {
        let Word(most) = self.value(most, env)? else { return Err(ABSENT_HERE) };
        let mut reached: BTreeSet<i64> = start.iter().copied().collect();
        let mut left: BTreeMap<i64, i64> =
            start.iter().map(|&thing| (thing, most)).filter(|_| most >= 0).collect();
        let mut edge: Vec<i64> = left.keys().copied().collect();
        while let Some(here) = edge.pop() {
            let env = with(env, query.local, here);
            let Set(next) = self.value(&ways.source, &env)? else { return Err(ABSENT_HERE) };
            for there in next {
                let env = with(&env, ways.local, there);
                let is_way = ways.filter.as_ref().map_or(Ok(true), |filter| self.holds(filter, &env))?;
                let cost =
                    ways.by.as_ref().filter(|_| is_way).map_or(Ok(Absent), |cost| self.value(cost, &env))?;
                let Word(cost) = cost else { continue };
                if cost < 0 {
                    return Err(Range);
                }
                let more = left[&here] - cost;
                if more >= 0 && left.get(&there).is_none_or(|&before| before < more) {
                    left.insert(there, more);
                    reached.insert(there);
                    edge.push(there);
                }
            }
        }
        Ok(Set(reached))
    }

    /// What is reached from things, hop after hop, each thing asked for its next ones.
    fn reached(&self, query: &Query, mut edge: Vec<i64>, env: &Env) -> Comes<Value> {
        if let (Some(ways), Some(most)) = (query.ways(), &query.within) {
            return self.reached_by_ways(query, (ways, most), &edge, env);
        }
        let within = match &query.within {
            Some(within) => self.value(within, env)?,
            None => Word(i64::MAX),
        };
        let (Word(mut left), Some(by)) = (within, &query.by) else { return Err(ABSENT_HERE) };
        let mut reached: BTreeSet<i64> = edge.iter().copied().collect();
        while left > 0 && !edge.is_empty() {
            let mut found = Vec::new();
            for thing in edge {
                let Set(next) = self.value(by, &with(env, query.local, thing))? else {
                    return Err(ABSENT_HERE);
                };
                found.extend(next);
            }
            edge = found.into_iter().filter(|thing| reached.insert(*thing)).collect();
            left -= 1;
        }
        Ok(Set(reached))
    }

    fn query(&self, query: &Query, env: &Env) -> Comes<Value> {
        let Set(source) = self.value(&query.source, env)? else { return Err(ABSENT_HERE) };
        let (mut kept, mut keys) = (Vec::new(), Vec::new());
        for thing in source {
            let env = with(env, query.local, thing);
            if query.filter.as_ref().map_or(Ok(true), |filter| self.holds(filter, &env))? {
                kept.push(thing);
                if let Some(by) = query.by.as_ref().filter(|_| query.quantifier != Quantifier::Reach) {
                    let Word(key) = self.value(by, &env)? else { return Err(ABSENT_HERE) };
                    keys.push(key);
                }
            }
        }
        let best = |key: Option<&i64>| -> BTreeSet<i64> {
            kept.iter().zip(&keys).filter(|(_, other)| Some(*other) == key).map(|(thing, _)| *thing).collect()
        };
        let one = |key: Option<&i64>| key.map_or(Absent, |key| Word(*key));
        Ok(match query.quantifier {
            Quantifier::All => Set(kept.into_iter().collect()),
            Quantifier::Any => yes(!kept.is_empty()),
            Quantifier::Count => Word(kept.len() as i64),
            Quantifier::First => one(kept.first()),
            Quantifier::Most => Set(best(keys.iter().max())),
            Quantifier::Least => Set(best(keys.iter().min())),
            Quantifier::Max => one(keys.iter().max()),
            Quantifier::Min => one(keys.iter().min()),
            Quantifier::Total => Word(keys.iter().sum()),
            Quantifier::Reach => self.reached(query, kept, env)?,
            Quantifier::Ways => Set(kept.into_iter().collect()),
        })
    }

    /// What a rule answers.
    pub fn rule(&self, id: RuleId, args: Vec<Value>) -> Comes<Value> {
        fits(self.book.rule(id).ty, self.answer(id, args)?)
    }

    fn answer(&self, id: RuleId, args: Vec<Value>) -> Comes<Value> {
        let args = args.into_iter().enumerate();
        let env: Env = args.map(|(place, arg)| (LocalId(place as u32), arg)).collect();
        let when = |when: &Option<Expr>| when.as_ref().map_or(Ok(true), |when| self.holds(when, &env));
        match &self.book.rule(id).body {
            RuleBody::Value { base, exceptions, modifiers } => {
                let mut decide = Vec::new();
                for exception in exceptions {
                    if when(&exception.when)? {
                        decide.push(&exception.value);
                    }
                }
                // All that hold must say the same.
                let values: Comes<Vec<Value>> = decide.iter().map(|value| self.value(value, &env)).collect();
                let mut values = values?;
                values.dedup();
                let value = match (values.pop(), values.is_empty()) {
                    (None, _) => self.value(base, &env)?,
                    (Some(value), true) => value,
                    (Some(_), false) => return Err(Clash),
                };
                self.modified(value, modifiers, &env)
            }
            RuleBody::Permission(needs) => {
                let needs: Vec<Expr> = needs.iter().map(|need| need.condition.clone()).collect();
                Ok(yes(self.each_in_turn(&needs, true, &env)?))
            }
            RuleBody::Table(table) => {
                let lies = |local: &LocalId, (from, to): (i64, i64)| matches!(env.get(local), Some(Word(word)) if (from..=to).contains(word));
                let row = table.rows.iter().find(|row| {
                    table.leading.iter().zip(&row.ranges).all(|(local, range)| lies(local, *range))
                });
                let column = table.headings.iter().position(|range| lies(&table.across, *range));
                let (Some(row), Some(column)) = (row, column) else { return Err(Range) };
                Ok(match &row.values[column] {
                    Constant::Word(word) => Word(*word),
                    Constant::Absent => Absent,
                    Constant::Set(things) => Set(things.iter().map(|&thing| i64::from(thing)).collect()),
                    Constant::Text(_) | Constant::Point(..) => unreachable!("nobody writes it"),
                })
            }
        }
    }

    fn modified(&self, mut value: Value, modifiers: &[Modifier], env: &Env) -> Comes<Value> {
        for modifier in modifiers {
            // Nothing is added to what is not there.
            if value == Absent {
                break;
            }
            if modifier.when.as_ref().map_or(Ok(true), |when| self.holds(when, env))? {
                value = match (value, self.value(&modifier.value, env)?) {
                    (Word(a), Word(b)) => Word(if modifier.minus { a - b } else { a + b }),
                    (Set(a), Set(b)) if modifier.minus => Set(a.difference(&b).copied().collect()),
                    (Set(a), Set(b)) => Set(a.union(&b).copied().collect()),
                    _ => return Err(ABSENT_HERE),
                };
            }
        }
        Ok(value)
    }
}

/// Every combination of keys.
pub fn every(book: &Book, kinds: &[KindId]) -> Vec<Vec<u32>> {
    kinds.iter().fold(vec![Vec::new()], |all, &kind| {
        let things = 0..book.kind(kind).things.len() as u32;
        let with = |keys: &Vec<u32>| {
            things.clone().map(|thing| [keys.as_slice(), &[thing]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

/// A value where a range is kept.
pub fn fits(ty: Type, value: Value) -> Comes<Value> {
    match (ty.base, &value) {
        (Base::Number(least, most), Word(word)) if !(least..=most).contains(word) => Err(Range),
        _ => Ok(value),
    }
}

fn with(env: &Env, local: LocalId, thing: i64) -> Env {
    let mut env = env.clone();
    env.insert(local, Word(thing));
    env
}

fn yes(holds: bool) -> Value {
    Word(i64::from(holds))
}

fn as_set(all: impl IntoIterator<Item = Value>) -> Value {
    let mut set = BTreeSet::new();
    for one in all {
        match one {
            Word(one) => set.extend([one]),
            Set(some) => set.extend(some),
            Absent => {}
        }
    }
    Set(set)
}

fn nothing(ty: Type) -> Value {
    if matches!(ty.base, Base::Set(_)) {
        Set(BTreeSet::new())
    } else if matches!(ty.base, Base::Flag | Base::Permission) {
        yes(false)
    } else {
        Absent
    }
}

/// A value as the machine keeps it.
pub fn read(ty: Type, words: &[u64]) -> Value {
    if matches!(ty.base, Base::Set(_)) {
        let bits = (0..words.len() * 64).filter(|bit| words[bit / 64] >> (bit % 64) & 1 == 1);
        return Set(bits.map(|bit| bit as i64).collect());
    }
    match words[0] as i64 {
        ABSENT => Absent,
        word => Word(word),
    }
}
