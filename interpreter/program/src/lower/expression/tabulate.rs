//! Rules that read nothing but what is printed, as tables: their answers are worked out here, for all arguments.

use blazon_book::{Base, Expr, LocalId, RuleBody, RuleId};

use crate::analysis::const_eval::{Eval, Known};
use crate::ir::{Column, Op, Reg};
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
        let place = id.0 as usize;
        let book = self.book.clone();
        let rule = book.rule(id);
        let states = !self.uses.rule_reads[place].is_empty() || self.uses.rule_winner[place];
        if states || rule.params == 0 || matches!(rule.body, RuleBody::Table(_)) {
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
        let mut eval = Eval::new(&book, &self.program.kinds);
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
