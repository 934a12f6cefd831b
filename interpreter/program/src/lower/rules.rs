//! Rules: base, exceptions, modifiers; permissions and their explanations; tables.

use std::collections::{BTreeSet, HashMap};

use blazon_book::walk::{ExprKey, Put, substitute};
use blazon_book::{
    Base, Book, Comparison, Constant, Exception, Expr, ExprKind, Keeper, LocalId, Modifier, Need, RuleBody,
    RuleId, RuleTable, SetOp, Type,
};
use blazon_kernel::bits;

use crate::analysis::const_eval::{Eval, Fixed, Known};
use crate::ir::{ABSENT, NeedInfo, Op, Origin, Reg, TableInfo};
use crate::lower::function_builder::{FunctionBuilder, Label};
use crate::lower::lowering::Lowering;

impl Lowering {
    /// Lowers a rule.
    pub fn rule(&mut self, id: RuleId) {
        let book = self.book.clone();
        let rule = book.rule(id);
        let function = self.program.rule(id);
        let mut builder = FunctionBuilder::new(self, &rule.locals, false, rule.span);
        let words = builder.params(rule.params);
        let result_words = builder.words(rule.ty);
        let result = builder.temp(result_words);
        match &rule.body {
            RuleBody::Value { base, exceptions, modifiers } => {
                builder.rule_value(base, exceptions, rule.ty, result);
                builder.modify(id, modifiers, rule.ty, result);
                if !blazon_book::fits(rule.reach(), rule.ty) {
                    builder.keep(Keeper::Rule(id), result);
                }
            }
            RuleBody::Permission(needs) => {
                let end = builder.label();
                builder.word(result, 0);
                for need in needs {
                    builder.jump_when(&need.condition, false, end);
                }
                builder.word(result, 1);
                builder.set(end);
            }
            RuleBody::Table(table) => builder.table(id, table, rule.ty, result),
        }
        builder.emit(Op::Return { src: result });
        // What only guards ask is no rule of the book.
        let own = (id.0 as usize) < builder.lowering.program.book.rules.len();
        let origin = if own { Origin::Rule(id) } else { Origin::Made };
        builder.finish(function, rule.name.clone(), origin, words, result_words);
    }

    /// Lowers the explanation of a permission: it refuses or returns.
    pub fn explain_rule(&mut self, id: RuleId) {
        let book = self.book.clone();
        let rule = book.rule(id);
        let (Some(&function), RuleBody::Permission(needs)) = (self.explains.get(&id), &rule.body) else {
            return;
        };
        let mut builder = FunctionBuilder::new(self, &rule.locals, false, rule.span);
        let words = builder.params(rule.params);
        let nothing = builder.temp(1);
        for need in needs {
            builder.explain(need);
        }
        builder.emit(Op::Return { src: nothing });
        builder.finish(function, rule.name.clone(), Origin::Explain(id), words, 0);
    }
}

/// The most exceptions of a rule of which every pair is looked at.
const PAIRED: usize = 64;

/// How two exceptions stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// They never disagree, or one outranks the other.
    Settled,
    /// They may hold together with different values.
    Clash,
}

impl FunctionBuilder<'_> {
    // ---------------------------------------------------------------------------------------- values

    /// The first exception that holds, in an order in which none comes after one that it outranks; then the base.
    fn rule_value(&mut self, base: &Expr, exceptions: &[Exception], ty: Type, result: Reg) {
        if exceptions.len() > PAIRED {
            return self.many_exceptions(base, exceptions, ty, result);
        }
        let end = self.label();
        let order = order(exceptions);
        let settled = self.settled(exceptions, &order);
        for (place, &i) in order.iter().enumerate() {
            let exception = &exceptions[i];
            let next = self.label();
            if let Some(when) = &exception.when {
                self.jump_when(when, false, next);
            }
            self.put(&exception.value, result);
            for &k in order[place + 1..].iter().filter(|&&k| !settled.contains(&(i, k))) {
                self.clash(exceptions, Some(i), k, ty, result);
            }
            self.jump(end);
            self.set(next);
        }
        self.put(base, result);
        self.set(end);
    }

    /// The pairs of exceptions, in an order, that never disagree.
    fn settled(&self, exceptions: &[Exception], order: &[usize]) -> BTreeSet<(usize, usize)> {
        let meetings = Meetings::new(self.lowering.fixed(), exceptions);
        let pairs =
            order.iter().enumerate().flat_map(|(place, &i)| order[place + 1..].iter().map(move |&k| (i, k)));
        pairs.filter(|&(i, k)| meetings.of(i, k) == Meeting::Settled).collect()
    }

    /// The same where there are so many that the code of all pairs would fill the memory: the exceptions are asked one
    /// after another, and from the first that holds on all the others are compared with it.
    fn many_exceptions(&mut self, base: &Expr, exceptions: &[Exception], ty: Type, result: Reg) {
        let order = order(exceptions);
        let end = self.label();
        let behind: Vec<Label> = order.iter().map(|_| self.label()).collect();
        for (&i, &behind) in order.iter().zip(&behind) {
            let next = self.label();
            if let Some(when) = &exceptions[i].when {
                self.jump_when(when, false, next);
            }
            self.put(&exceptions[i].value, result);
            self.jump(behind);
            self.set(next);
        }
        self.put(base, result);
        self.jump(end);
        for (place, (&k, &behind)) in order.iter().zip(&behind).enumerate() {
            if place > 0 {
                self.clash(exceptions, None, k, ty, result);
            }
            self.set(behind);
        }
        self.set(end);
    }

    /// Exception `k` may not hold undisputed with another value than that found, which is that of `first`, where one is
    /// known. The operation that tells it stands at `first`, what leads to it at `k`: so both places are found again.
    fn clash(&mut self, exceptions: &[Exception], first: Option<usize>, k: usize, ty: Type, result: Reg) {
        let mark = self.mark();
        let fine = self.label();
        let span = std::mem::replace(&mut self.span, exceptions[k].span);
        if let Some(when) = &exceptions[k].when {
            self.jump_when(when, false, fine);
        }
        for other in exceptions.iter().filter(|other| other.beats.contains(&k)) {
            match &other.when {
                Some(when) => self.jump_when(when, true, fine),
                None => self.jump(fine),
            }
        }
        let words = self.words(ty);
        let (value, same) = (self.temp(words), self.temp(1));
        self.put(&exceptions[k].value, value);
        self.emit(match ty.base {
            Base::Set(_) | Base::Dice => Op::SetEq { dst: same, a: result, b: value, words },
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => Op::Eq { dst: same, a: result, b: value },
        });
        self.jump_if_set(same, fine);
        self.span = first.map_or(self.span, |first| exceptions[first].span);
        self.emit(Op::Clash);
        self.set(fine);
        self.span = span;
        self.release(mark);
    }

    fn modify(&mut self, rule: RuleId, modifiers: &[Modifier], ty: Type, result: Reg) {
        let end = self.label();
        if ty.optional && !modifiers.is_empty() {
            let mark = self.mark();
            let absent = self.temp(1);
            self.emit(Op::IsAbsent { dst: absent, a: result });
            self.jump_if_set(absent, end);
            self.release(mark);
        }
        for (place, modifier) in modifiers.iter().enumerate() {
            let mark = self.mark();
            let next = self.label();
            if let Some(when) = &modifier.when {
                self.jump_when(when, false, next);
            }
            if matches!(modifier.value.ty.base, Base::Set(_)) {
                let op = if modifier.minus { SetOp::Without } else { SetOp::Union };
                self.combine(op, result, &modifier.value);
            } else {
                let b = match self.lowering.clauses.get(&(rule, place)) {
                    Some(&function) => {
                        // The parameters stand first in the frame.
                        let dst = self.temp(1);
                        self.emit(Op::Call { function: function as u16, args: 0, dst });
                        dst
                    }
                    None => self.value(&modifier.value),
                };
                self.emit(match modifier.minus {
                    true => Op::Sub { dst: result, a: result, b },
                    false => Op::Add { dst: result, a: result, b },
                });
            }
            self.set(next);
            self.release(mark);
        }
        self.set(end);
    }

    fn table(&mut self, id: RuleId, table: &RuleTable, ty: Type, result: Reg) {
        let number = self.lowering.program.tables.len();
        if number > usize::from(u16::MAX) {
            self.lowering.too_large(self.span, "the book has too many tables".to_owned());
            return;
        }
        let answers = table.rows.iter().flat_map(|row| &row.values);
        // A table of sets finds the place of its answer among the sets of a column.
        let (cells, sets) = match ty.base {
            Base::Set(kind) => {
                let (places, sets) = distinct_sets(answers, self.kind_words(kind));
                (places, Some(self.lowering.made_sets(&sets)))
            }
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
            | Base::Unknown => (answers.map(word_of).collect(), None),
        };
        self.lowering.program.tables.push(TableInfo {
            leading: table.leading.len() as u16,
            across: table.headings.clone(),
            rows: table.rows.iter().map(|row| row.ranges.clone()).collect(),
            cells,
            rule: id,
        });
        let args = self.temp(table.leading.len() as u16 + 1);
        for (place, local) in table.leading.iter().chain([&table.across]).enumerate() {
            let src = self.var(*local);
            self.copy(args + place as u16, src, 1);
        }
        let table = number as u16;
        match sets {
            Some(column) => {
                let key = self.temp(1);
                self.emit(Op::Table { dst: key, table, args });
                self.emit(Op::LoadSet { dst: result, column, key });
            }
            None => self.emit(Op::Table { dst: result, table, args }),
        }
    }

    // ---------------------------------------------------------------------------------- explanations

    /// Refuses with a need's reason, if it does not hold.
    pub fn explain(&mut self, need: &Need) {
        let span = std::mem::replace(&mut self.span, need.span);
        let mark = self.mark();
        if let Some(reason) = &need.reason {
            let fine = self.label();
            self.jump_when(&need.condition, true, fine);
            let text = self.text(reason, false);
            self.emit(Op::Text { text });
            self.refuse(need, true);
            self.set(fine);
        } else {
            let fine = self.label();
            self.explain_condition(&need.condition, need, fine);
            self.set(fine);
        }
        self.release(mark);
        self.span = span;
    }

    fn refuse(&mut self, need: &Need, has_reason: bool) {
        let info = NeedInfo {
            label: need.label.clone(),
            has_reason,
            condition: self.book.needed(&need.condition).words,
            cites: need.cites.clone(),
            span: need.span,
        };
        self.lowering.program.needs.push(info);
        let need = self.lowering.program.needs.len() as u32 - 1;
        self.emit(Op::Refuse { need });
    }

    /// Goes to `fine` or falls through if a condition holds, and refuses otherwise; a permission gives its own reason.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn explain_condition(&mut self, condition: &Expr, need: &Need, fine: Label) {
        match &condition.kind {
            ExprKind::Rule(rule, args) if self.lowering.explains.contains_key(rule) => {
                let (rule, function) = (*rule, self.lowering.explains[rule]);
                let mark = self.mark();
                let dst = self.temp(1);
                self.call_function(rule, function as u16, args, dst);
                self.release(mark);
            }
            ExprKind::Choice(test, a, b) => {
                let (other, end) = (self.label(), self.label());
                self.jump_when(test, false, other);
                self.explain_condition(a, need, end);
                self.jump(end);
                self.set(other);
                self.explain_condition(b, need, end);
                self.set(end);
            }
            ExprKind::And(all) => {
                for part in all {
                    let next = self.label();
                    self.explain_condition(part, need, next);
                    self.set(next);
                }
            }
            ExprKind::Each(local, source, body) if !matches!(source.ty.base, Base::Set(_)) => {
                let (thing, absent, there) = (self.value(source), self.temp(1), self.label());
                self.bind_var(*local, thing);
                self.emit(Op::IsAbsent { dst: absent, a: thing });
                self.jump_if_clear(absent, there);
                self.refuse(need, false);
                self.set(there);
                self.explain_condition(body, need, fine);
            }
            _ => {
                self.jump_when(condition, true, fine);
                self.refuse(need, false);
            }
        }
    }
}

/// An order in which no exception comes before one that outranks it; the earlier first.
fn order(exceptions: &[Exception]) -> Vec<usize> {
    let mut outranked = vec![0_usize; exceptions.len()];
    for (place, exception) in exceptions.iter().enumerate() {
        exception.beats.iter().filter(|&&beaten| beaten != place).for_each(|&beaten| outranked[beaten] += 1);
    }
    let mut free: BTreeSet<usize> = (0..exceptions.len()).filter(|&place| outranked[place] == 0).collect();
    let mut left: BTreeSet<usize> = (0..exceptions.len()).collect();
    let mut order = Vec::new();
    // Those that outrank each other in a circle all fall under the first.
    while let Some(place) = free.pop_first().or_else(|| left.first().copied()) {
        left.remove(&place);
        order.push(place);
        for &beaten in exceptions[place].beats.iter().filter(|&&beaten| beaten != place) {
            outranked[beaten] = outranked[beaten].saturating_sub(1);
            if outranked[beaten] == 0 && left.contains(&beaten) {
                free.insert(beaten);
            }
        }
    }
    order
}

/// A base and exceptions that never disagree, as one expression: the first that holds.
pub(crate) fn as_choices(fixed: Fixed, base: &Expr, exceptions: &[Exception]) -> Option<Expr> {
    if exceptions.len() > PAIRED {
        return None;
    }
    let order = order(exceptions);
    let meetings = Meetings::new(fixed, exceptions);
    let mut value = base.clone();
    for (place, &i) in order.iter().enumerate().rev() {
        if order[place + 1..].iter().any(|&k| meetings.of(i, k) == Meeting::Clash) {
            return None;
        }
        let exception = &exceptions[i];
        let ty = either(value.ty, exception.value.ty);
        value = match &exception.when {
            None => exception.value.clone(),
            Some(when) => Expr {
                kind: ExprKind::Choice(
                    Box::new(when.clone()),
                    Box::new(exception.value.clone()),
                    Box::new(value),
                ),
                ty,
                ..base.clone()
            },
        };
    }
    Some(value)
}

/// The type of what is one thing or the other: absent, if one of them may be.
fn either(one: Type, other: Type) -> Type {
    let base = match (one.base, other.base) {
        (Base::Number(least, most), Base::Number(lo, hi)) => Base::Number(least.min(lo), most.max(hi)),
        (base, _) => base,
    };
    Type { base, optional: one.optional || other.optional }
}

/// What is asked of every pair of exceptions, worked out once for each of them.
struct Meetings<'e> {
    fixed: Fixed<'e>,
    exceptions: &'e [Exception],
    /// The path that an exception gives.
    paths: Vec<Option<ExprKey>>,
    /// What must all hold for an exception to hold, rules that are asked for it taken apart.
    conditions: Vec<Vec<Expr>>,
    /// What that says of paths.
    facts: Vec<Vec<(ExprKey, i64)>>,
}

impl<'e> Meetings<'e> {
    fn new(fixed: Fixed<'e>, exceptions: &'e [Exception]) -> Self {
        let conditions: Vec<Vec<Expr>> = exceptions
            .iter()
            .map(|exception| {
                let mut all = Vec::new();
                exception.when.iter().for_each(|when| take_apart(fixed.book, when, 0, &mut all));
                all
            })
            .collect();
        Self {
            fixed,
            exceptions,
            paths: exceptions.iter().map(|exception| ExprKey::of_path(&exception.value)).collect(),
            facts: conditions.iter().map(|all| all.iter().filter_map(fact).collect()).collect(),
            conditions,
        }
    }

    fn of(&self, i: usize, k: usize) -> Meeting {
        let (a, b) = (&self.exceptions[i], &self.exceptions[k]);
        let ordered = a.beats.contains(&k) || b.beats.contains(&i);
        let same = match (&a.value.kind, &b.value.kind) {
            (ExprKind::Word(x), ExprKind::Word(y)) => x == y,
            (ExprKind::Absent, ExprKind::Absent) => true,
            _ => self.paths[i].is_some() && self.paths[i] == self.paths[k],
        };
        if ordered || same || self.never_both(i, k) { Meeting::Settled } else { Meeting::Clash }
    }

    /// Whether two conditions surely never hold together: one path is said to be two different things, or what one says a
    /// variable to be is not so as the other wants it.
    fn never_both(&self, i: usize, k: usize) -> bool {
        let differs = |(path, word): &(ExprKey, i64)| {
            self.facts[k].iter().any(|(other, value)| path == other && word != value)
        };
        self.facts[i].iter().any(differs) || self.rules_out(i, k) || self.rules_out(k, i)
    }

    /// Whether one condition says a variable to be a thing for which another does not hold by what is printed.
    fn rules_out(&self, i: usize, k: usize) -> bool {
        let mut eval = Eval::new(self.fixed);
        self.conditions[i].iter().filter_map(is_thing).any(|(local, word)| {
            let asked = self.conditions[k].iter().filter(|condition| condition.mentions(local));
            asked.into_iter().any(|condition| eval.with(&[(local, word)], condition) == Some(Known::Word(0)))
        })
    }
}

/// Takes a condition apart into those that must all hold; rules that are nothing but a condition are written out.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised stays whole")]
fn take_apart(book: &Book, condition: &Expr, depth: usize, all: &mut Vec<Expr>) {
    match &condition.kind {
        ExprKind::And(parts) => parts.iter().for_each(|part| take_apart(book, part, depth, all)),
        ExprKind::Rule(rule, args) if depth < DEEP => {
            let rule = book.rule(*rule);
            let mut bodies: Vec<Expr> = match &rule.body {
                RuleBody::Value { base, exceptions, modifiers }
                    if exceptions.is_empty() && modifiers.is_empty() =>
                {
                    vec![base.clone()]
                }
                RuleBody::Permission(needs) => needs.iter().map(|need| need.condition.clone()).collect(),
                RuleBody::Value { .. } | RuleBody::Table(_) => return all.push(condition.clone()),
            };
            // The variables that a rule binds itself are not those of who asks: their numbers are put out of the way.
            let apart = |local: LocalId| LocalId(local.0.saturating_add(APART * (depth as u32 + 1)));
            for body in &mut bodies {
                let args = args.iter().enumerate();
                let mut map: HashMap<LocalId, Put> =
                    args.map(|(place, arg)| (LocalId(place as u32), Put::Expr(arg.clone()))).collect();
                substitute(body, &mut map, &mut |local| apart(local));
                take_apart(book, body, depth + 1, all);
            }
        }
        _ => all.push(condition.clone()),
    }
}

/// How deep conditions are taken apart, and how far apart the variables of rules written out are numbered.
const DEEP: usize = 4;
const APART: u32 = 1 << 20;

/// The thing that a condition says a variable to be.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others say something else")]
fn is_thing(condition: &Expr) -> Option<(LocalId, i64)> {
    match &condition.kind {
        ExprKind::Compare(Comparison::Equal, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Local(local), ExprKind::Word(word))
            | (ExprKind::Word(word), ExprKind::Local(local)) => Some((*local, *word)),
            _ => None,
        },
        _ => None,
    }
}

/// What a condition says of a path: the word that it is.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn fact(condition: &Expr) -> Option<(ExprKey, i64)> {
    match &condition.kind {
        ExprKind::Compare(Comparison::Equal, x, y) => match (&x.kind, &y.kind) {
            (_, ExprKind::Word(word)) => ExprKey::of_path(x).map(|path| (path, *word)),
            (ExprKind::Word(word), _) => ExprKey::of_path(y).map(|path| (path, *word)),
            _ => None,
        },
        ExprKind::Not(inner) => ExprKey::of_path(inner).map(|path| (path, 0)),
        _ => ExprKey::of_path(condition).map(|path| (path, 1)),
    }
}

/// A printed value as a word.
fn word_of(constant: &Constant) -> i64 {
    match constant {
        Constant::Word(word) => *word,
        Constant::Absent | Constant::Set(_) | Constant::Text(_) | Constant::Point(..) => ABSENT,
    }
}

/// The different sets among printed values, and for each value its place among them.
fn distinct_sets<'a>(answers: impl Iterator<Item = &'a Constant>, words: u16) -> (Vec<i64>, Vec<Vec<u64>>) {
    let mut sets: Vec<Vec<u64>> = Vec::new();
    let places = answers.map(|answer| {
        let mut set = vec![0; usize::from(words)];
        if let Constant::Set(things) = answer {
            for &thing in things {
                bits::insert(&mut set, thing as usize);
            }
        }
        let place = sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            sets.push(set);
            sets.len() - 1
        });
        place as i64
    });
    (places.collect(), sets)
}
