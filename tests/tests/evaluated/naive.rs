//! What expressions come to, worked out in the plainest way: no registers, no sets of bits, no order of tests, nothing
//! remembered. Only what [`blazon_tests::writer`] writes.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::{
    Base, Book, Comparison, Constant, Expr, ExprKind, LocalId, Quantifier, Query, RuleBody, RuleId, SetOp,
    Type,
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

/// The values of variables.
pub type Env = BTreeMap<LocalId, Value>;

/// A position.
pub struct Position<'p> {
    /// The rules.
    pub book: &'p Book,
    /// Where it is kept.
    pub machine: &'p Machine,
}

impl Position<'_> {
    /// What an expression comes to; `None` where its parts cannot be told, as where exceptions clash.
    pub fn value(&self, expr: &Expr, env: &Env) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Word(word) => Word(*word),
            ExprKind::Absent => nothing(expr.ty),
            ExprKind::Everything(kind) => Set((0..self.book.kind(*kind).things.len() as i64).collect()),
            ExprKind::Players => Set(self.book.players.iter().map(|&player| i64::from(player)).collect()),
            ExprKind::Local(local) => env.get(local).cloned()?,
            ExprKind::Column(column, keys) => {
                let mut of = Vec::new();
                for key in keys {
                    let Word(key) = self.value(key, env)? else { return Some(nothing(expr.ty)) };
                    of.push(key as u32);
                }
                read(expr.ty, &self.machine.column(*column, &of)?)
            }
            ExprKind::Rule(rule, args) => {
                let args: Option<Vec<Value>> = args.iter().map(|arg| self.value(arg, env)).collect();
                self.rule(*rule, args?)?
            }
            ExprKind::Neighbours(kind, of) => {
                let Word(of) = self.value(of, env)? else { return Some(Set(BTreeSet::new())) };
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
                    return Some(Absent);
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
                    Absent => return Some(nothing(expr.ty)),
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
                as_set(all.iter().map(|item| self.value(item, env)).collect::<Option<Vec<_>>>()?)
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
                let (Set(a), Set(b)) = (self.value(a, env)?, self.value(b, env)?) else { return None };
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
            ExprKind::Kept(_, inner) => self.value(inner, env)?,
            ExprKind::Query(query) => self.query(query, env)?,
            ExprKind::Winner
            | ExprKind::Links(..)
            | ExprKind::Ends(..)
            | ExprKind::Within(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Odd(_)
            | ExprKind::Range(..)
            | ExprKind::Choice(..)
            | ExprKind::Invalid(_) => unreachable!("nobody writes {:?}", expr.kind),
        })
    }

    /// Whether a flag holds.
    pub fn holds(&self, expr: &Expr, env: &Env) -> Option<bool> {
        Some(self.value(expr, env)? == Word(1))
    }

    /// Whether all of them hold, or all fail; those behind the first that doesn't are not asked.
    fn each_in_turn(&self, all: &[Expr], wanted: bool, env: &Env) -> Option<bool> {
        for part in all {
            if self.holds(part, env)? != wanted {
                return Some(false);
            }
        }
        Some(true)
    }

    fn query(&self, query: &Query, env: &Env) -> Option<Value> {
        let Set(source) = self.value(&query.source, env)? else { return None };
        let (mut kept, mut keys) = (Vec::new(), Vec::new());
        for thing in source {
            let env = with(env, query.local, thing);
            if query.filter.as_ref().map_or(Some(true), |filter| self.holds(filter, &env))? {
                kept.push(thing);
                if let Some(by) = &query.by {
                    let Word(key) = self.value(by, &env)? else { return None };
                    keys.push(key);
                }
            }
        }
        let best = |key: Option<&i64>| -> BTreeSet<i64> {
            kept.iter().zip(&keys).filter(|(_, other)| Some(*other) == key).map(|(thing, _)| *thing).collect()
        };
        let one = |key: Option<&i64>| key.map_or(Absent, |key| Word(*key));
        Some(match query.quantifier {
            Quantifier::All => Set(kept.into_iter().collect()),
            Quantifier::Any => yes(!kept.is_empty()),
            Quantifier::Count => Word(kept.len() as i64),
            Quantifier::First => one(kept.first()),
            Quantifier::Most => Set(best(keys.iter().max())),
            Quantifier::Least => Set(best(keys.iter().min())),
            Quantifier::Max => one(keys.iter().max()),
            Quantifier::Min => one(keys.iter().min()),
            Quantifier::Total => Word(keys.iter().sum()),
            Quantifier::Reach => unreachable!("nobody writes it"),
        })
    }

    /// What a rule answers.
    pub fn rule(&self, id: RuleId, args: Vec<Value>) -> Option<Value> {
        let args = args.into_iter().enumerate();
        let env: Env = args.map(|(place, arg)| (LocalId(place as u32), arg)).collect();
        let when = |when: &Option<Expr>| when.as_ref().map_or(Some(true), |when| self.holds(when, &env));
        match &self.book.rule(id).body {
            RuleBody::Value { base, exceptions, modifiers } => {
                let mut decide = Vec::new();
                for exception in exceptions {
                    if when(&exception.when)? {
                        decide.push(&exception.value);
                    }
                }
                let [value] = &decide[..] else {
                    return if decide.is_empty() { self.modified(base, modifiers, &env) } else { None };
                };
                self.modified(value, modifiers, &env)
            }
            RuleBody::Permission(needs) => {
                let needs: Vec<Expr> = needs.iter().map(|need| need.condition.clone()).collect();
                Some(yes(self.each_in_turn(&needs, true, &env)?))
            }
            RuleBody::Table(table) => {
                let lies = |local: &LocalId, (from, to): (i64, i64)| matches!(env.get(local), Some(Word(word)) if (from..=to).contains(word));
                let row = table.rows.iter().find(|(ranges, _)| {
                    table.leading.iter().zip(ranges).all(|(local, range)| lies(local, *range))
                })?;
                let column = table.headings.iter().position(|range| lies(&table.across, *range))?;
                Some(match row.1.get(column)? {
                    Constant::Word(word) => Word(*word),
                    Constant::Absent => Absent,
                    Constant::Set(things) => Set(things.iter().map(|&thing| i64::from(thing)).collect()),
                    Constant::Text(_) | Constant::Point(..) => return None,
                })
            }
        }
    }

    fn modified(&self, value: &Expr, modifiers: &[blazon_book::Modifier], env: &Env) -> Option<Value> {
        let mut value = self.value(value, env)?;
        for modifier in modifiers {
            if modifier.when.as_ref().map_or(Some(true), |when| self.holds(when, env))? {
                value = match (value, self.value(&modifier.value, env)?) {
                    (Word(a), Word(b)) => Word(if modifier.minus { a - b } else { a + b }),
                    (Set(a), Set(b)) if modifier.minus => Set(a.difference(&b).copied().collect()),
                    (Set(a), Set(b)) => Set(a.union(&b).copied().collect()),
                    _ => return None,
                };
            }
        }
        Some(value)
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
    match ty.base {
        Base::Set(_) => Set(BTreeSet::new()),
        Base::Flag | Base::Permission => yes(false),
        Base::Number(..)
        | Base::Thing(_)
        | Base::Dice
        | Base::Die
        | Base::Text
        | Base::Point
        | Base::Numbers
        | Base::Nothing
        | Base::Unknown => Absent,
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
