//! The keys of dice: every roll is keyed by where it stands, what it is done with, and how often.

use std::collections::BTreeSet;

use blazon_book::walk::{Visit, walk_statement};
use blazon_book::{Base, Block, Expr, Statement, StatementKind, StepId, Type, Value};

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
    let mut rolls = RepeatedRolls { lo, repeated, found: false };
    rolls.visit_block(block);
    rolls.found
}

/// What a block rolls, draws and does that rolls, as keys call it.
pub(crate) fn callees(lo: &Lowering, block: &[Statement]) -> BTreeSet<String> {
    let mut callees = Callees { lo, found: BTreeSet::new() };
    block.iter().for_each(|statement| callees.visit_statement(statement));
    callees.found
}

/// Looks for what is keyed.
struct Callees<'l> {
    lo: &'l Lowering,
    found: BTreeSet<String>,
}

impl<'b> Visit<'b> for Callees<'_> {
    fn visit_value(&mut self, value: &'b Value) {
        match value {
            Value::Expr(_) => {}
            Value::Step(step, args) => self.visit_step_call(*step, args),
            Value::Die(_) | Value::Dice(..) => drop(self.found.insert(ROLL.to_owned())),
            Value::Draw(..) => drop(self.found.insert(DRAW.to_owned())),
        }
    }

    fn visit_step_call(&mut self, step: StepId, _: &'b [Expr]) {
        if self.lo.uses.rolls[step.0 as usize] {
            self.found.insert(self.lo.book.step(step).title().to_owned());
        }
    }

    /// Expressions do not roll.
    fn visit_expr(&mut self, _: &'b Expr) {}
}

/// What rolls and draws are called in keys.
pub(crate) const ROLL: &str = "roll";
pub(crate) const DRAW: &str = "draw";

/// Looks for rolls that may come twice with the same variables.
struct RepeatedRolls<'l> {
    lo: &'l Lowering,
    repeated: bool,
    found: bool,
}

impl<'b> Visit<'b> for RepeatedRolls<'_> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        let around = self.repeated;
        match &statement.kind {
            StatementKind::While(..) => self.repeated = true,
            StatementKind::For { sources, .. } => self.repeated |= repeats(sources),
            StatementKind::Let(..)
            | StatementKind::Assign { .. }
            | StatementKind::If(..)
            | StatementKind::Case { .. }
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Choose(_)
            | StatementKind::Say { .. }
            | StatementKind::Do(..)
            | StatementKind::Win(_)
            | StatementKind::Invalid(_) => {}
        }
        walk_statement(self, statement);
        self.repeated = around;
    }

    fn visit_value(&mut self, value: &'b Value) {
        match value {
            Value::Expr(_) => {}
            Value::Step(step, args) => self.visit_step_call(*step, args),
            Value::Die(_) | Value::Dice(..) | Value::Draw(..) => self.found |= self.repeated,
        }
    }

    fn visit_step_call(&mut self, step: StepId, _: &'b [Expr]) {
        self.found |= self.repeated && self.lo.uses.rolls[step.0 as usize];
    }

    /// Expressions do not roll.
    fn visit_expr(&mut self, _: &'b Expr) {}
}

impl FunctionBuilder<'_> {
    /// The key of a step to be done, whose arguments stand at `args`. A step that rolls nothing gets 0.
    pub fn step_key(&mut self, step: StepId, args: Reg, types: &[Type]) -> Reg {
        let key = self.temp(1);
        if !self.lowering.uses.rolls[step.0 as usize] {
            self.word(key, 0);
            return key;
        }
        let callee = self.book.step(step);
        if callee.is_part {
            // It is done once, in its step: what hangs around what is printed leaves the luck of that as it is.
            return KEY;
        }
        let title = callee.title().to_owned();
        self.site_key(key, &title);
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
            // Their words decide nothing, and where those stand says nothing.
            Base::Text | Base::Point => {}
            Base::Flag
            | Base::Number(..)
            | Base::Die
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => self.emit(Op::MixValue { dst: key, key, value, kind: NO_KIND }),
        }
    }
}
