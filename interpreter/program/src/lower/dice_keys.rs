//! The keys of dice: every roll is keyed by where it stands, what it is done with, and how often.

use blazon_book::{Base, Block, Expr, StatementKind, StepId, Type, Value};

use crate::analysis::exprs;
use crate::ir::{DICE_WORDS, Op, Reg};
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::lowering::Lowering;

/// The register of a step's own key.
const KEY: Reg = 2;
/// No kind.
const NO_KIND: u16 = u16::MAX;

/// Whether a loop may give its variable the same value twice.
pub(crate) fn repeats(sources: &[Expr]) -> bool {
    sources.len() > 1 || sources.iter().any(|source| source.ty.base == Base::Dice)
}

/// Whether something in a block rolls where it may come twice with the same variables.
pub(crate) fn counts(lo: &Lowering, block: &Block, repeated: bool) -> bool {
    block.iter().any(|statement| {
        let rolls = match exprs::value(statement) {
            Some(Value::Die(_) | Value::Dice(..) | Value::Draw(..)) => true,
            Some(Value::Step(step, _)) => lo.uses.rolls[step.0 as usize],
            _ => matches!(&statement.kind, StatementKind::Do(step, _) if lo.uses.rolls[step.0 as usize]),
        };
        let inner = match &statement.kind {
            StatementKind::While(..) => true,
            StatementKind::For { sources, .. } => repeated || repeats(sources),
            _ => repeated,
        };
        repeated && rolls || exprs::blocks(statement).into_iter().any(|block| counts(lo, block, inner))
    })
}

impl FunctionBuilder<'_> {
    /// The key of a step to be done, whose arguments stand at `args`. A step that rolls nothing gets 0.
    pub fn step_key(&mut self, step: StepId, args: Reg, types: &[Type]) -> Reg {
        let key = self.temp(1);
        if !self.lowering.uses.rolls[step.0 as usize] {
            self.word(key, 0);
            return key;
        }
        let callee = self.book.step(step).name.clone();
        self.site_key(key, &callee);
        let mut at = args;
        for ty in types {
            self.mix(key, at, *ty);
            at = at.saturating_add(self.words(*ty));
        }
        self.count_key(key, false);
        key
    }

    /// The key of a roll or draw.
    pub fn chance_key(&mut self, what: &str) -> Reg {
        let key = self.temp(1);
        self.site_key(key, what);
        self.count_key(key, false);
        key
    }

    /// The key of a watch's body, which may come any number of times.
    pub fn watch_key(&mut self, step: StepId, watch: &str) -> Reg {
        let key = self.temp(1);
        if self.lowering.uses.rolls[step.0 as usize] {
            self.site_key(key, watch);
            self.count_key(key, true);
        } else {
            self.word(key, 0);
        }
        key
    }

    fn site_key(&mut self, key: Reg, callee: &str) {
        let site = self.keys.site(callee);
        self.emit(Op::MixSite { dst: key, key: KEY, site });
        for local in self.keys.loops.clone() {
            let ty = self.vars[local.0 as usize].ty;
            let reg = self.var(local);
            self.mix(key, reg, ty);
        }
    }

    fn count_key(&mut self, key: Reg, always: bool) {
        if let Some(slots) = self.keys.slots.filter(|_| always || self.keys.counted > 0) {
            self.emit(Op::MixCount { dst: key, key, slots });
        }
    }

    /// Mixes a value into a key.
    fn mix(&mut self, key: Reg, value: Reg, ty: Type) {
        match ty.base {
            Base::Thing(kind) => self.emit(Op::MixValue { dst: key, key, value, kind: kind.0 as u16 }),
            Base::Set(kind) => self.emit(Op::MixSet { dst: key, key, set: value, kind: kind.0 as u16 }),
            Base::Dice => {
                for word in 0..DICE_WORDS as u16 {
                    self.emit(Op::MixValue { dst: key, key, value: value + word, kind: NO_KIND });
                }
            }
            _ => self.emit(Op::MixValue { dst: key, key, value, kind: NO_KIND }),
        }
    }
}
