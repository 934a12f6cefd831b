//! Steps and their statements.

pub(crate) mod loops;
mod watches;

use blazon_book::build::NUMBER;
use blazon_book::{
    AssignOp, Base, Block, ColumnId, Expr, ExprKind, Keeper, SetOp, Statement, StatementKind, StepId, Type,
    Value, bounds, fits,
};

use crate::ir::{Holds, Op, Origin, RangeInfo, Reg};
use crate::lower::dice_keys;
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::lowering::Lowering;

impl Lowering {
    /// Lowers a step.
    pub fn step(&mut self, id: StepId) {
        let book = self.book.clone();
        let step = book.step(id);
        let place = id.0 as usize;
        let scoped = self.uses.scoped[place].clone();
        let watched = self.uses.watched[place].clone();
        let wakes = self.under_way.contains_key(&id);
        let counts = dice_keys::counts(self, &step.body, false)
            || watched.iter().any(|&watch| self.uses.rolls[book.watches[watch].body.0 as usize]);
        let clean = self.uses.pauses[place];
        let is_split = self.uses.is_split[place];
        let mut builder = FunctionBuilder::new(self, &step.locals, true, step.span);
        let param_words = builder.params(step.params);
        builder.clean = clean;
        builder.keys.step = match is_split {
            true => format!("{} (around)", step.name),
            false => step.title().to_owned(),
        };
        if counts {
            let slots = builder.local(4);
            builder.note(slots, Holds::Counts);
            builder.keys.slots = Some(slots);
        }
        let result_words = step.ty.map_or(0, |ty| builder.words(ty));
        if !scoped.is_empty() || !watched.is_empty() || wakes {
            builder.exit = Some(builder.label());
            if !watched.is_empty() {
                builder.result = builder.local(result_words);
            } else {
                builder.result = builder.temp(result_words);
            }
        }
        builder.reset(&scoped);
        builder.under_way(id, true);
        builder.step = id;
        let (before, body) = step.body.split_at(step.before.min(step.body.len()));
        if !before.is_empty() {
            builder.keys.own = dice_keys::callees(builder.lowering, body);
        }
        builder.keys.is_before = true;
        builder.statements(before);
        builder.keys.is_before = false;
        builder.statements(body);
        if let Some(exit) = builder.exit {
            builder.set(exit);
            if let Some(ty) = step.ty.filter(|_| !watched.is_empty()) {
                builder.holds(builder.result, ty);
            }
            builder.reset(&scoped);
            builder.under_way(id, false);
            if !step.is_part {
                builder.look_at_watches(id);
            }
        }
        let src = builder.result;
        builder.emit(Op::Return { src });
        builder.finish(id.0, step.name.clone(), Origin::Step(id), param_words, result_words);
    }
}

impl FunctionBuilder<'_> {
    /// The states of a scope begin anew.
    fn reset(&mut self, scoped: &[ColumnId]) {
        if scoped.is_empty() {
            return;
        }
        let columns: Vec<u16> = scoped.iter().map(|column| column.0 as u16).collect();
        let scopes = &mut self.lowering.program.scopes;
        let scope = scopes.iter().position(|scope| *scope == columns).unwrap_or_else(|| {
            scopes.push(columns);
            scopes.len() - 1
        });
        self.emit(Op::Reset { scope: scope as u16 });
    }

    /// Statements in order; their locals end with them.
    pub fn block(&mut self, block: &Block) {
        let scope = self.open();
        self.statements(block);
        self.close(scope);
    }

    /// Statements in order, whose locals live on.
    pub fn statements(&mut self, block: &[Statement]) {
        for statement in block {
            if self.live() {
                self.statement(statement);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = std::mem::replace(&mut self.span, statement.span);
        let mark = self.mark();
        match &statement.kind {
            StatementKind::Let(local, value) => {
                let reg = self.room(*local);
                self.value_into(value, reg);
                self.holds(reg, self.vars[local.0 as usize].ty);
            }
            StatementKind::Invalid(_) => self.lowering.hole(statement.span),
            StatementKind::Assign { column, keys, op, value } => self.assign(*column, keys, *op, value),
            StatementKind::If(condition, then, otherwise) => {
                let (other, end) = (self.label(), self.label());
                self.jump_when(condition, false, other);
                self.block(then);
                if !otherwise.is_empty() {
                    self.jump(end);
                }
                self.set(other);
                self.block(otherwise);
                self.set(end);
            }
            StatementKind::For { local, sources, filter, body, otherwise } => {
                self.for_loop(*local, sources, filter.as_ref(), body, otherwise.as_ref());
            }
            StatementKind::While(condition, body) => self.while_loop(condition, body),
            StatementKind::Case { subject, arms, otherwise } => {
                let subject = self.var(*subject);
                self.case(subject, arms, otherwise.as_ref());
            }
            StatementKind::Stop => match self.loops.last() {
                Some(&out) => self.jump(out),
                None => self.lowering.problem(statement.span, "`stop` without a loop"),
            },
            StatementKind::Return(value) => self.leave(value.as_ref()),
            StatementKind::Choose(choose) => self.choose(choose),
            StatementKind::Say { announce, text } => {
                let text = self.text(text, *announce);
                self.emit(Op::Say { text, announce: *announce });
            }
            StatementKind::Do(step, args) => {
                let words = self.book.step(*step).ty.map_or(1, |ty| self.words(ty));
                let dst = self.temp(words);
                self.do_step(*step, args, dst);
            }
            StatementKind::Win(player) => {
                let player = self.value(player);
                self.emit(Op::Win { player });
            }
        }
        self.release(mark);
        self.span = span;
    }

    fn leave(&mut self, value: Option<&Value>) {
        if let Some(exit) = self.exit {
            if let Some(value) = value {
                let result = self.result;
                self.value_into(value, result);
                self.keep_returned(value, result);
            }
            self.jump(exit);
        } else {
            let src = match value {
                Some(Value::Expr(expr)) => {
                    let reg = self.value(expr);
                    self.keep_returned(&Value::Expr(expr.clone()), reg);
                    reg
                }
                Some(value) => {
                    let words = self.book.step(self.step).ty.map_or(1, |ty| self.words(ty));
                    let reg = self.temp(words);
                    self.value_into(value, reg);
                    self.keep_returned(value, reg);
                    reg
                }
                None => 0,
            };
            self.emit(Op::Return { src });
        }
    }

    /// Keeps what a step returns in the range of its type, where that is not certain.
    fn keep_returned(&mut self, value: &Value, reg: Reg) {
        let Some(ty) = self.book.step(self.step).ty else { return };
        let reach = match value {
            Value::Expr(expr) => bounds(expr.ty),
            Value::Step(step, _) => self.book.step(*step).ty.map_or(NUMBER, bounds),
            Value::Die(Expr { kind: ExprKind::Word(sides), .. }) => (1, *sides),
            Value::Die(_) | Value::Dice(..) | Value::Draw(..) => NUMBER,
        };
        if !fits(reach, ty) {
            self.keep(Keeper::Step(self.step), reg);
        }
    }

    /// Stops the game where a number is outside its range.
    pub fn keep(&mut self, keeper: Keeper, value: Reg) {
        let book = self.book.clone();
        let ty = book.kept_type(keeper);
        let Base::Number(lo, hi) = ty.base else { return };
        let keeper = match keeper {
            Keeper::Rule(rule) => format!("`{}` gives", book.rule(rule).name),
            Keeper::Step(step) => format!("`{}` returns", book.step(step).name),
            Keeper::RuleParameter(rule, local) => {
                let rule = book.rule(rule);
                format!("`{}` of `{}` takes", rule.locals[local.0 as usize].name, rule.name)
            }
            Keeper::StepParameter(step, local) => {
                let step = book.step(step);
                format!("`{}` of `{}` takes", step.locals[local.0 as usize].name, step.name)
            }
        };
        self.keep_in(RangeInfo { lo, hi, optional: ty.optional, keeper }, value);
    }

    /// Stops the game where a number is outside a range.
    pub fn keep_in(&mut self, info: RangeInfo, value: Reg) {
        let ranges = &mut self.lowering.program.ranges;
        let place = ranges.iter().position(|range| *range == info).unwrap_or_else(|| {
            ranges.push(info);
            ranges.len() - 1
        });
        match u16::try_from(place) {
            Ok(range) => self.emit(Op::Keep { value, range }),
            Err(_) => self.lowering.too_large(self.span, "the book has too many ranges".to_owned()),
        }
    }

    /// A value that may roll or do a step, into registers.
    pub fn value_into(&mut self, value: &Value, dst: Reg) {
        let mark = self.mark();
        match value {
            Value::Expr(expr) => self.put(expr, dst),
            Value::Step(step, args) => self.do_step(*step, args, dst),
            Value::Die(sides) => {
                let sides = self.value(sides);
                let key = self.chance_key(dice_keys::ROLL);
                self.emit(Op::Die { dst, sides, key });
            }
            Value::Dice(sides, count) => {
                let (sides, count) = (self.value(sides), self.value(count));
                let key = self.chance_key(dice_keys::ROLL);
                self.emit(Op::Dice { dst, sides, count, key });
            }
            Value::Draw(set, count) => {
                let kind = set.ty.base.kind().map_or(0, |kind| kind.0 as u16);
                let (set, count) = (self.value(set), self.value(count));
                let key = self.chance_key(dice_keys::DRAW);
                self.emit(Op::Draw { dst, set, count, key, kind });
            }
        }
        self.release(mark);
    }

    /// Does a step. No temporaries may be in use.
    fn do_step(&mut self, step: StepId, args: &[Expr], dst: Reg) {
        let mark = self.mark();
        let book = self.book.clone();
        let callee = book.step(step);
        let types: Vec<Type> = callee.locals[..callee.params].iter().map(|local| local.ty).collect();
        let args = self.args(args, &types);
        let key = self.step_key(step, args, &types);
        self.emit(Op::Do { function: step.0 as u16, args, dst, key });
        self.release(mark);
    }

    fn value_type(&self, column: ColumnId, value: &Value) -> Type {
        match value {
            Value::Expr(expr) => expr.ty,
            Value::Step(..) | Value::Die(_) | Value::Dice(..) | Value::Draw(..) => {
                self.book.column(column).ty
            }
        }
    }

    fn assign(&mut self, column: ColumnId, keys: &[Expr], op: AssignOp, value: &Value) {
        let number = column.0 as u16;
        let is_set = self.column(number).set_words > 0;
        let ty = self.value_type(column, value);
        // The value first: a step done for it leaves no temporaries alive.
        let (src, single) = match value {
            Value::Expr(expr) => match (&expr.kind, op) {
                (ExprKind::ToSet(_), AssignOp::Add | AssignOp::Take) => (0, Some(expr)),
                _ => (self.value(expr), None),
            },
            Value::Step(..) | Value::Die(_) | Value::Dice(..) | Value::Draw(..) => {
                let reg = self.temp(self.words(ty));
                self.value_into(value, reg);
                (reg, None)
            }
        };
        let key = self.key(column, keys);
        if op == AssignOp::Set {
            self.emit(match is_set {
                true => Op::StoreSet { column: number, key, src },
                false => Op::Store { column: number, key, src },
            });
            return;
        }
        if !is_set {
            let now = self.temp(1);
            self.emit(Op::Load { dst: now, column: number, key });
            self.emit(match op {
                AssignOp::Take => Op::Sub { dst: now, a: now, b: src },
                AssignOp::Set | AssignOp::Add => Op::Add { dst: now, a: now, b: src },
            });
            self.emit(Op::Store { column: number, key, src: now });
            return;
        }
        let Base::Set(kind) = self.book.column(column).ty.base else { return };
        let words = self.kind_words(kind);
        let now = self.temp(words);
        self.emit(Op::LoadSet { dst: now, column: number, key });
        let join = if op == AssignOp::Take { SetOp::Without } else { SetOp::Union };
        match (single, join) {
            (Some(single), _) => self.combine(join, now, single),
            (None, SetOp::Without) => self.emit(Op::Without { dst: now, a: now, b: src, words }),
            _ => self.emit(Op::Union { dst: now, a: now, b: src, words }),
        }
        self.emit(Op::StoreSet { column: number, key, src: now });
    }

    fn case(&mut self, subject: Reg, arms: &[(Vec<(i64, i64)>, Block)], otherwise: Option<&Block>) {
        let end = self.label();
        for (ranges, body) in arms {
            let (take, next) = (self.label(), self.label());
            for &(lo, hi) in ranges {
                self.jump_if_within(subject, lo, hi, take);
            }
            self.jump(next);
            self.set(take);
            self.block(body);
            self.jump(end);
            self.set(next);
        }
        if let Some(otherwise) = otherwise {
            self.block(otherwise);
        }
        self.set(end);
    }

    fn jump_if_within(&mut self, subject: Reg, lo: i64, hi: i64, to: crate::lower::function_builder::Label) {
        let mark = self.mark();
        let (bound, flag, out) = (self.temp(1), self.temp(1), self.label());
        if lo == hi && i32::try_from(lo).is_ok() {
            self.emit(Op::EqInt { dst: flag, a: subject, value: lo as i32 });
            self.jump_if_set(flag, to);
        } else {
            self.word(bound, lo);
            self.emit(Op::Le { dst: flag, a: bound, b: subject });
            self.jump_if_clear(flag, out);
            self.word(bound, hi);
            self.emit(Op::Le { dst: flag, a: subject, b: bound });
            self.jump_if_set(flag, to);
        }
        self.set(out);
        self.release(mark);
    }
}
