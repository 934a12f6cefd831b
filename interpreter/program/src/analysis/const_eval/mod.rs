//! What can be known without a position: constants, facts, links, and rules that read nothing else.

mod reach;

use blazon_book::graph::components;
use blazon_book::walk::Reads;
use blazon_book::{
    Arithmetic, Base, Book, Comparison, Constant, Exception, Expr, ExprKind, KindId, LocalId, Modifier,
    Quantifier, Query, Role, RuleBody, RuleId, SetOp, Type, fits,
};

use blazon_kernel::bits;
use smallvec::{SmallVec, smallvec};

use crate::analysis::effects::Uses;
use crate::ir::{ABSENT, KindInfo};

/// The words of a set. Most kinds have few things: their sets take no memory of their own.
pub(crate) type Bits = SmallVec<[u64; 4]>;

/// A value that is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    /// A flag, number or thing, or [`ABSENT`].
    Word(i64),
    /// A set.
    Set(Bits),
}

impl Known {
    pub fn word(&self) -> Option<i64> {
        match self {
            Self::Word(word) => Some(*word),
            Self::Set(_) => None,
        }
    }
    pub fn set(self) -> Option<Bits> {
        match self {
            Self::Set(bits) => Some(bits),
            Self::Word(_) => None,
        }
    }
    fn words(&self) -> usize {
        match self {
            Self::Set(bits) => bits.len(),
            Self::Word(_) => 1,
        }
    }
}

/// What rules without parameters answer where that is known, found once for each.
///
/// Each is worked out after those that it asks, and what they answer is looked up: however long a chain of such rules
/// is, each takes the steps of its own text, and the stack of one.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    answers: Vec<Option<Known>>,
}

impl Constants {
    pub fn of(book: &Book, kinds: &[KindInfo], uses: &Uses) -> Self {
        let asks = |rule| Reads::of_rule(rule).rules.iter().map(|rule| rule.0 as usize).collect();
        let asks: Vec<Vec<usize>> = book.rules.iter().map(asks).collect();
        let mut constants = Self { answers: vec![None; book.rules.len()] };
        let (mut room, mut steps) = (MOST_REMEMBERED, MOST_STEPS);
        for place in components(&asks).into_iter().flatten() {
            let rule = RuleId(place as u32);
            if book.rule(rule).params > 0 || book.counter == Some(rule) || !uses.is_printed(rule) {
                continue;
            }
            let mut eval = Eval::new(Fixed { book, kinds, constants: &constants });
            let fuel = ONCE.min(steps);
            let answer = eval.answer(rule, &[], fuel);
            steps -= fuel - eval.fuel;
            let words = answer.as_ref().map_or(0, Known::words);
            if let Some(left) = room.checked_sub(words) {
                room = left;
                constants.answers[place] = answer;
            }
        }
        constants
    }

    fn answer(&self, rule: RuleId) -> Option<Known> {
        self.answers.get(rule.0 as usize)?.clone()
    }
}

/// What stays the same all through a game.
#[derive(Clone, Copy)]
pub(crate) struct Fixed<'b> {
    pub book: &'b Book,
    pub kinds: &'b [KindInfo],
    pub constants: &'b Constants,
}

/// Evaluates with a limited number of steps; gives up on everything that needs a position.
pub(crate) struct Eval<'b> {
    book: &'b Book,
    kinds: &'b [KindInfo],
    constants: &'b Constants,
    fuel: u32,
    /// How many expressions are under way, one within another.
    depth: u32,
    /// The values of variables: those of the rule under way behind those of the rules that ask it.
    env: Vec<(LocalId, Known)>,
    /// Where those of the rule under way begin.
    own: usize,
}

/// How many steps the evaluation of one constant may take.
const FUEL: u32 = 20_000;

/// The same of a rule without parameters, which is worked out once and for all: what goes through a large map takes many.
const ONCE: u32 = 1 << 18;

/// How many steps all of these may take together.
const MOST_STEPS: u32 = 1 << 26;

/// How many expressions may be under way, one within another and through rules with parameters: far more than one text
/// nests, and few enough for the stack of a small host.
const DEEPEST: u32 = 256;

/// How many words of answers are remembered. Sets of many things in many rules would fill the memory; what finds no room
/// is found out while the game is played.
const MOST_REMEMBERED: usize = 1 << 20;

impl<'b> Eval<'b> {
    pub fn new(Fixed { book, kinds, constants }: Fixed<'b>) -> Self {
        Self { book, kinds, constants, fuel: FUEL, depth: 0, env: Vec::new(), own: 0 }
    }

    /// The value of an expression with these values of its variables.
    pub fn with(&mut self, env: &[(LocalId, i64)], expr: &Expr) -> Option<Known> {
        self.begin(env, FUEL);
        self.eval(expr)
    }

    /// What a rule answers with these values of its parameters, in so many steps.
    pub fn answer(&mut self, rule: RuleId, env: &[(LocalId, i64)], fuel: u32) -> Option<Known> {
        self.begin(env, fuel);
        self.rule(rule)
    }

    fn begin(&mut self, env: &[(LocalId, i64)], fuel: u32) {
        (self.fuel, self.own) = (fuel, 0);
        self.env.clear();
        self.env.extend(env.iter().map(|(local, word)| (*local, Known::Word(*word))));
    }

    fn empty(&self, kind: KindId) -> Bits {
        smallvec![0; self.kinds[kind.0 as usize].words as usize]
    }

    fn flag(&mut self, expr: &Expr) -> Option<bool> {
        Some(self.eval(expr)?.word()? != 0)
    }

    fn number(&mut self, expr: &Expr) -> Option<i64> {
        self.eval(expr)?.word()
    }

    fn set(&mut self, expr: &Expr) -> Option<Bits> {
        self.eval(expr)?.set()
    }

    /// The value, if it can be known.
    fn eval(&mut self, expr: &Expr) -> Option<Known> {
        self.fuel = self.fuel.checked_sub(1)?;
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let value = self.value(expr);
        self.depth -= 1;
        value
    }

    fn value(&mut self, expr: &Expr) -> Option<Known> {
        let word = |flag: bool| Known::Word(i64::from(flag));
        Some(match &expr.kind {
            ExprKind::Word(value) => Known::Word(*value),
            ExprKind::Absent => Known::Word(ABSENT),
            ExprKind::Everything(kind) => {
                let mut all = self.empty(*kind);
                for thing in 0..self.book.kind(*kind).things.len() {
                    bits::insert(&mut all, thing);
                }
                Known::Set(all)
            }
            ExprKind::Players => {
                let mut all = self.empty(self.book.player);
                for &player in &self.book.players {
                    bits::insert(&mut all, player as usize);
                }
                Known::Set(all)
            }
            ExprKind::Local(local) => self.env[self.own..].iter().rev().find(|(l, _)| l == local)?.1.clone(),
            ExprKind::Column(column, keys) => {
                let column = self.book.column(*column);
                let Role::Fact(values) = &column.role else { return None };
                let mut at = 0usize;
                for (key, kind) in keys.iter().zip(&column.keys) {
                    let things = self.book.kind(*kind).things.len();
                    let key = usize::try_from(self.eval(key)?.word()?).ok().filter(|&key| key < things)?;
                    at = at * things + key;
                }
                match values.get(at)? {
                    Constant::Absent => Known::Word(ABSENT),
                    Constant::Word(word) => Known::Word(*word),
                    Constant::Set(things) => {
                        let Base::Set(kind) = column.ty.base else { return None };
                        let mut set = self.empty(kind);
                        for &thing in things {
                            bits::insert(&mut set, thing as usize);
                        }
                        Known::Set(set)
                    }
                    Constant::Text(_) | Constant::Point(..) => return None,
                }
            }
            // Nobody knows beforehand how often something is counted.
            ExprKind::Rule(rule, _) if self.book.counter == Some(*rule) => return None,
            ExprKind::Rule(rule, args) if args.is_empty() => return self.constants.answer(*rule),
            ExprKind::Rule(rule, args) => {
                let values = args.iter().map(|arg| self.eval(arg));
                let values = values.collect::<Option<SmallVec<[Known; 4]>>>()?;
                let outer = std::mem::replace(&mut self.own, self.env.len());
                let params = values.into_iter().enumerate();
                self.env.extend(params.map(|(place, value)| (LocalId(place as u32), value)));
                let result = self.rule(*rule);
                self.env.truncate(self.own);
                self.own = outer;
                result?
            }
            ExprKind::Links(kind, thing) => {
                let mut set = self.empty(*kind);
                for &(_, link) in self.joined(*kind, thing)? {
                    bits::insert(&mut set, link as usize);
                }
                Known::Set(set)
            }
            ExprKind::Neighbours(kind, thing) => {
                let (end, _) = self.book.kind(*kind).ends?;
                let mut set = self.empty(end);
                for &(other, _) in self.joined(*kind, thing)? {
                    bits::insert(&mut set, other as usize);
                }
                Known::Set(set)
            }
            ExprKind::Between(kind, a, b) => {
                let joined = self.joined(*kind, a)?;
                let b = self.number(b)?;
                let found = joined.iter().find(|(other, _)| i64::from(*other) == b);
                Known::Word(found.map_or(ABSENT, |(_, link)| i64::from(*link)))
            }
            ExprKind::Ends(kind, link) => {
                let (end, _) = self.book.kind(*kind).ends?;
                let mut set = self.empty(end);
                let link = self.number(link)?;
                if link != ABSENT {
                    let &(a, b) = self.kinds[kind.0 as usize].ends.get(usize::try_from(link).ok()?)?;
                    bits::insert(&mut set, a as usize);
                    bits::insert(&mut set, b as usize);
                }
                Known::Set(set)
            }
            ExprKind::Each(local, source, body) => return self.each(expr, *local, source, body),
            ExprKind::ToSet(thing) => {
                let Base::Set(kind) = expr.ty.base else { return None };
                let mut set = self.empty(kind);
                if let Ok(thing) = usize::try_from(self.number(thing)?) {
                    bits::insert(&mut set, thing);
                }
                Known::Set(set)
            }
            ExprKind::Not(inner) => word(!self.flag(inner)?),
            ExprKind::And(all) => {
                for part in all {
                    if !self.flag(part)? {
                        return Some(word(false));
                    }
                }
                word(true)
            }
            ExprKind::Or(all) => {
                for part in all {
                    if self.flag(part)? {
                        return Some(word(true));
                    }
                }
                word(false)
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                word(match op {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => a.word()? < b.word()?,
                    Comparison::AtMost => a.word()? <= b.word()?,
                })
            }
            ExprKind::In(thing, set) => {
                let (thing, set) = (self.number(thing)?, self.set(set)?);
                word(usize::try_from(thing).is_ok_and(|thing| bits::has(&set, thing)))
            }
            ExprKind::Within(a, lo, hi) => {
                let (a, lo, hi) = (self.number(a)?, self.number(lo)?, self.number(hi)?);
                word(lo <= a && a <= hi)
            }
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Known::Word(op.apply(a, b)?)
            }
            ExprKind::Sets(op, a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                let join = |(a, b): (&u64, &u64)| match op {
                    SetOp::Union => a | b,
                    SetOp::Both => a & b,
                    SetOp::Without => a & !b,
                };
                Known::Set(a.iter().zip(&b).map(join).collect())
            }
            ExprKind::Odd(a) => word(self.number(a)? & 1 != 0),
            ExprKind::Kept(keeper, a) => {
                let value = self.eval(a)?;
                return is_kept(&value, self.book.kept_type(*keeper)).then_some(value);
            }
            ExprKind::Otherwise(a, b) => match self.eval(a)? {
                Known::Word(ABSENT) => return self.eval(b),
                value @ (Known::Word(_) | Known::Set(_)) => value,
            },
            ExprKind::Query(query) => return self.query(expr, query),
            ExprKind::List(all) => {
                let Base::Set(kind) = expr.ty.base else { return None };
                let mut set = self.empty(kind);
                for part in all {
                    if let Ok(thing) = usize::try_from(self.number(part)?) {
                        bits::insert(&mut set, thing);
                    }
                }
                Known::Set(set)
            }
            ExprKind::Choice(condition, a, b) => {
                return if self.flag(condition)? { self.eval(a) } else { self.eval(b) };
            }
            ExprKind::Winner | ExprKind::Range(..) | ExprKind::Invalid(_) => return None,
        })
    }

    /// What a rule answers; its parameters have values.
    fn rule(&mut self, rule: RuleId) -> Option<Known> {
        let book = self.book;
        let rule = book.rule(rule);
        match &rule.body {
            RuleBody::Value { base, exceptions, modifiers } => {
                let value = match self.exception(exceptions)? {
                    Some(value) => value,
                    None => self.eval(base)?,
                };
                let value = self.modified(value, modifiers)?;
                is_kept(&value, rule.ty).then_some(value)
            }
            RuleBody::Permission(needs) => {
                for need in needs {
                    if !self.flag(&need.condition)? {
                        return Some(Known::Word(0));
                    }
                }
                Some(Known::Word(1))
            }
            RuleBody::Table(_) => None,
        }
    }

    /// The value of the exceptions that hold and are not outranked; not known if they disagree, which is an error of
    /// the game and no matter of the lowering.
    fn exception(&mut self, exceptions: &[Exception]) -> Option<Option<Known>> {
        let mut holding: SmallVec<[usize; 8]> = SmallVec::new();
        for (place, exception) in exceptions.iter().enumerate() {
            let holds = exception.when.as_ref().map_or(Some(true), |when| self.flag(when))?;
            if holds {
                holding.push(place);
            }
        }
        let mut found: Option<Known> = None;
        for &place in &holding {
            if holding.iter().any(|&other| exceptions[other].beats.contains(&place)) {
                continue;
            }
            let value = self.eval(&exceptions[place].value)?;
            match &found {
                Some(other) if *other != value => return None,
                _ => found = Some(value),
            }
        }
        match (found, holding.is_empty()) {
            // They outrank each other in a circle.
            (None, false) => None,
            (found, _) => Some(found),
        }
    }

    fn modified(&mut self, mut value: Known, modifiers: &[Modifier]) -> Option<Known> {
        if value == Known::Word(ABSENT) {
            return Some(value);
        }
        for modifier in modifiers {
            if !modifier.when.as_ref().map_or(Some(true), |when| self.flag(when))? {
                continue;
            }
            value = match (value, self.eval(&modifier.value)?) {
                (Known::Word(a), Known::Word(b)) => {
                    let op = if modifier.minus { Arithmetic::Minus } else { Arithmetic::Plus };
                    Known::Word(op.apply(a, b)?)
                }
                (Known::Set(a), Known::Set(b)) => {
                    let join = |(a, b): (&u64, &u64)| if modifier.minus { a & !b } else { a | b };
                    Known::Set(a.iter().zip(&b).map(join).collect())
                }
                _ => return None,
            };
        }
        Some(value)
    }

    fn joined(&mut self, kind: KindId, thing: &Expr) -> Option<&'b [(u32, u32)]> {
        let thing = self.number(thing)?;
        if thing == ABSENT {
            return Some(&[]);
        }
        let info = &self.kinds[kind.0 as usize];
        let thing = usize::try_from(thing).ok()?;
        let (from, to) = (*info.first.get(thing)?, *info.first.get(thing + 1)?);
        info.joined.get(from as usize..to as usize)
    }

    fn each(&mut self, expr: &Expr, local: LocalId, source: &Expr, body: &Expr) -> Option<Known> {
        let things: SmallVec<[i64; 8]> = match self.eval(source)? {
            Known::Word(ABSENT) => SmallVec::new(),
            Known::Word(thing) => smallvec![thing],
            Known::Set(set) => bits::iter(&set).map(|thing| thing as i64).collect(),
        };
        let ask = |this: &mut Self, thing: i64| {
            this.env.push((local, Known::Word(thing)));
            let value = this.eval(body);
            this.env.pop();
            value
        };
        match expr.ty.base {
            Base::Set(kind) => {
                let mut all = self.empty(kind);
                for thing in things {
                    match ask(self, thing)? {
                        Known::Word(word) => {
                            if let Ok(word) = usize::try_from(word) {
                                bits::insert(&mut all, word);
                            }
                        }
                        Known::Set(set) => all.iter_mut().zip(set).for_each(|(a, b)| *a |= b),
                    }
                }
                Some(Known::Set(all))
            }
            Base::Flag | Base::Permission => match things.first() {
                Some(&thing) => ask(self, thing),
                None => Some(Known::Word(0)),
            },
            Base::Number(..)
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => match things.first() {
                Some(&thing) => ask(self, thing),
                None => Some(Known::Word(ABSENT)),
            },
        }
    }

    fn query(&mut self, expr: &Expr, query: &Query) -> Option<Known> {
        let mut set = self.set(&query.source)?;
        if let Some(filter) = &query.filter {
            for thing in bits::iter(&set.clone()) {
                self.env.push((query.local, Known::Word(thing as i64)));
                let holds = self.flag(filter);
                self.env.pop();
                if !holds? {
                    set[thing / 64] &= !(1 << (thing % 64));
                }
            }
        }
        Some(match query.quantifier {
            Quantifier::All => Known::Set(set),
            Quantifier::Any => Known::Word(i64::from(set.iter().any(|&word| word != 0))),
            Quantifier::Count => Known::Word(bits::iter(&set).count() as i64),
            Quantifier::First if matches!(expr.ty.base, Base::Thing(_)) => {
                Known::Word(bits::iter(&set).next().map_or(ABSENT, |thing| thing as i64))
            }
            Quantifier::First
            | Quantifier::Most
            | Quantifier::Least
            | Quantifier::Max
            | Quantifier::Min
            | Quantifier::Total
            | Quantifier::Ways => return None,
            Quantifier::Reach => Known::Set(self.reached(set, query)?),
        })
    }
}

/// Whether a value lies in the range of its type. What leaves it has no answer: that is told when it is asked.
fn is_kept(value: &Known, ty: Type) -> bool {
    match (value, ty.base) {
        (Known::Word(ABSENT), Base::Number(..)) => ty.optional,
        (Known::Word(number), Base::Number(..)) => fits((*number, *number), ty),
        (Known::Word(_) | Known::Set(_), _) => true,
    }
}
