//! What reads nothing but what is printed, as tables: rules, facts of facts and links. The answers are worked out here, for
//! all arguments.

use blazon_book::walk::ExprKey;
use blazon_book::{Base, Expr, ExprKind, KindId, LocalId, Role, RuleBody, RuleId, Type};

use crate::analysis::const_eval::{Eval, Known};
use crate::ir::{ABSENT, Column, Op, Reg};
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::layout;
use crate::lower::lowering::Lowering;

/// The most words of a table.
pub(crate) const LARGEST: usize = 1 << 12;
/// How many steps one answer may take.
const FUEL: u32 = 2_000;

impl FunctionBuilder<'_> {
    /// Looks the answer of a rule up, if it is a table.
    pub fn look_up(&mut self, rule: RuleId, args: &[Expr], dst: Reg) -> bool {
        let Some(column) = self.lowering.table_of(rule) else { return false };
        let Some((first, rest)) = args.split_first() else { return false };
        let mark = self.mark();
        let mut key = self.value(first);
        for (place, next) in rest.iter().enumerate() {
            let b = self.value(next);
            let dst = self.temp(1);
            let size = self.lowering.sizes(rule).and_then(|sizes| sizes.get(place + 1).copied()).unwrap_or(1);
            self.emit(Op::Index { dst, a: key, b, size: size as u32 });
            key = dst;
        }
        self.emit(match self.column(column).set_words {
            0 => Op::Load { dst, column, key },
            _ => Op::LoadSet { dst, column, key },
        });
        self.release(mark);
        true
    }
}

impl FunctionBuilder<'_> {
    /// Looks up a fact of a fact, `w.colour.limit`, in one table, if it is one.
    pub fn composed(&mut self, expr: &Expr, dst: Reg) -> bool {
        let Some((inner, key, kind)) = self.chain(expr) else { return false };
        if inner == 0 {
            return false;
        }
        let local = self.fresh(Type::of(Base::Thing(kind)));
        let variable =
            Expr { kind: ExprKind::Local(local), ty: Type::of(Base::Thing(kind)), span: expr.span };
        let (mut whole, key) = (expr.clone(), key.clone());
        put_key(&mut whole, inner, &variable);
        let place = (kind, ExprKey::of_function(&whole, &[local]));
        let column = match self.lowering.composed.get(&place) {
            Some(known) => *known,
            None => {
                let column = self.compose(&whole, local, kind);
                self.lowering.composed.insert(place, column);
                column
            }
        };
        let Some(column) = column else { return false };
        let key = self.value(&key);
        self.emit(match self.column(column).set_words {
            0 => Op::Load { dst, column, key },
            _ => Op::LoadSet { dst, column, key },
        });
        true
    }

    /// How many facts of one key stand in one another behind the outermost, and the innermost key with its kind.
    fn chain<'e>(&self, expr: &'e Expr) -> Option<(usize, &'e Expr, KindId)> {
        let ExprKind::Column(column, keys) = &expr.kind else { return None };
        let [key] = keys.as_slice() else { return None };
        let column = self.book.column(*column);
        if !matches!(column.role, Role::Fact(_)) || key.ty.optional {
            return None;
        }
        match self.chain(key) {
            Some((inner, key, kind)) => Some((inner + 1, key, kind)),
            None => Some((0, key, *column.keys.first()?)),
        }
    }

    /// The column of what an expression is for each thing.
    fn compose(&mut self, whole: &Expr, local: LocalId, kind: KindId) -> Option<u16> {
        let words = match whole.ty.base {
            Base::Set(of) => self.kind_words(of),
            Base::Flag | Base::Number(..) | Base::Thing(_) => 0,
            Base::Permission
            | Base::Die
            | Base::Dice
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => return None,
        };
        let things = self.book.kind(kind).things.len();
        if things == 0 || things * usize::from(words.max(1)) > LARGEST {
            return None;
        }
        let mut table = Vec::with_capacity(things * usize::from(words.max(1)));
        let mut eval = self.printed_eval(whole)?;
        for thing in 0..things {
            match eval.with(&[(local, thing as i64)], whole)? {
                Known::Word(word) if words == 0 => table.push(word as u64),
                Known::Set(set) if set.len() == usize::from(words) && words > 0 => table.extend(set),
                Known::Word(_) | Known::Set(_) => return None,
            }
        }
        let column = Column { len: things as u32, set_words: words, ..layout::words_of_facts() };
        Some(self.lowering.made_facts(column, &table))
    }

    /// Looks the link between two things up, where a table of all pairs is small.
    pub fn link_table(&mut self, kind: KindId, a: &Expr, b: &Expr, dst: Reg) -> bool {
        let Some((end, _)) = self.book.kind(kind).ends else { return false };
        let things = self.book.kind(end).things.len();
        if a.ty.optional || b.ty.optional || things == 0 || things * things > LARGEST {
            return false;
        }
        let column = match self.lowering.link_tables.get(&kind) {
            Some(&known) => known,
            None => {
                let mut table = vec![ABSENT as u64; things * things];
                let info = &self.lowering.program.kinds[kind.0 as usize];
                for (thing, range) in info.first.windows(2).enumerate() {
                    // The first link between two counts.
                    for &(other, link) in info.joined[range[0] as usize..range[1] as usize].iter().rev() {
                        table[thing * things + other as usize] = u64::from(link);
                    }
                }
                let column = Column { len: (things * things) as u32, ..layout::words_of_facts() };
                let column = self.lowering.made_facts(column, &table);
                self.lowering.link_tables.insert(kind, column);
                column
            }
        };
        let (a, b, key) = (self.value(a), self.value(b), self.temp(1));
        self.emit(Op::Index { dst: key, a, b, size: things as u32 });
        self.emit(Op::Load { dst, column, key });
        true
    }
}

/// Puts another key in place of the innermost.
fn put_key(expr: &mut Expr, inner: usize, key: &Expr) {
    if let ExprKind::Column(_, keys) = &mut expr.kind
        && let [own] = keys.as_mut_slice()
    {
        match inner.checked_sub(1) {
            Some(inner) => put_key(own, inner, key),
            None => *own = key.clone(),
        }
    }
}

impl Lowering {
    /// How many things each parameter may be; none if one is no thing, or may be absent.
    fn sizes(&self, rule: RuleId) -> Option<Vec<usize>> {
        let rule = self.book.rule(rule);
        let size = |param: &blazon_book::Local| match (param.ty.base, param.ty.optional) {
            (Base::Thing(kind), false) => Some(self.book.kind(kind).things.len()),
            _ => None,
        };
        rule.locals[..rule.params].iter().map(size).collect()
    }

    /// The column of a rule's answers, made when it is first asked for.
    pub fn table_of(&mut self, rule: RuleId) -> Option<u16> {
        if let Some(known) = self.tabled.get(&rule) {
            return *known;
        }
        let column = self.answers(rule);
        self.tabled.insert(rule, column);
        column
    }

    fn answers(&mut self, id: RuleId) -> Option<u16> {
        let rule = self.book.rule(id);
        if !self.uses.is_printed(id) || rule.params == 0 || matches!(rule.body, RuleBody::Table(_)) {
            return None;
        }
        let words = match rule.ty.base {
            Base::Flag | Base::Permission | Base::Number(..) | Base::Thing(_) | Base::Die => 0,
            Base::Set(kind) => self.program.kinds[kind.0 as usize].words as usize,
            Base::Dice | Base::Text | Base::Point | Base::Numbers | Base::Nothing | Base::Unknown => {
                return None;
            }
        };
        let sizes = self.sizes(id)?;
        let entries = sizes.iter().try_fold(1usize, |all, &size| all.checked_mul(size))?;
        if entries == 0 || entries.checked_mul(words.max(1))? > LARGEST {
            return None;
        }
        let mut table = Vec::with_capacity(entries * words.max(1));
        let mut eval = Eval::new(self.fixed());
        let mut env: Vec<(LocalId, i64)> = (0..sizes.len()).map(|i| (LocalId(i as u32), 0)).collect();
        for entry in 0..entries {
            let mut rest = entry;
            for ((_, value), &size) in env.iter_mut().zip(&sizes).rev() {
                *value = (rest % size) as i64;
                rest /= size;
            }
            match eval.answer(id, &env, FUEL)? {
                Known::Word(word) if words == 0 => table.push(word as u64),
                Known::Set(set) if set.len() == words => table.extend(set),
                Known::Word(_) | Known::Set(_) => return None,
            }
        }
        let column = Column { len: entries as u32, set_words: words as u16, ..layout::words_of_facts() };
        Some(self.made_facts(column, &table))
    }
}
