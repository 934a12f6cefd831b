//! The function under construction: registers, labels, scopes of locals, what can be reached.

use std::sync::Arc;

use blazon_book::walk::ExprKey;
use blazon_book::{Base, Book, Expr, KindId, Local, LocalId, StepId, Type};
use blazon_diagnostics::Span;
use rustc_hash::FxHashMap;

use crate::ir::{ABSENT, Column, DICE_WORDS, Function, HEADER, Held, Holds, Op, Origin, Pc, Reg};
use crate::lower::expression::asks::Asks;
use crate::lower::keys::Keys;
use crate::lower::lowering::Lowering;

/// Temporaries are counted from here until the function is finished: then they move to where the locals end.
const TEMPORARY: u32 = 0x8000;

/// No temporary is given a greater number, so that the words after it have one, too.
const FURTHEST: u32 = 0xf000;

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(pub u32);

/// A variable of the function.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub ty: Type,
    /// Where it lives, while it does.
    pub reg: Option<Reg>,
}

/// A scope of locals that has been opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    top: u32,
    high: u32,
}

/// A value that may be computed later.
#[derive(Clone, Debug)]
pub(crate) struct Lazy {
    pub expr: Expr,
    /// The variables that it depends on, through others, too.
    pub depends: Vec<LocalId>,
    /// Whether it is there, and where.
    pub place: Option<(Reg, Reg)>,
    /// Whether it is surely there.
    pub eager: bool,
    /// Where the code asks whether it is there.
    pub asks: Asks,
}

/// What cuts a set that was only just copied need not wait for the copy.
#[allow(clippy::wildcard_enum_match_arm, reason = "only these cut a set")]
fn joined(first: Op, second: Op) -> Option<Op> {
    let Op::Copy { dst: copy, src, words: copied } = first else { return None };
    Some(match second {
        Op::Both { dst, a, b, words } if (dst, a, words) == (copy, copy, copied) && apart(b, copy, words) => {
            Op::Both { dst, a: src, b, words }
        }
        Op::Without { dst, a, b, words }
            if (dst, a, words) == (copy, copy, copied) && apart(b, copy, words) =>
        {
            Op::Without { dst, a: src, b, words }
        }
        _ => return None,
    })
}

/// Whether two sets of so many words have none of them in common.
fn apart(a: Reg, b: Reg, words: u16) -> bool {
    a.abs_diff(b) >= words
}

/// A function under construction.
pub(crate) struct FunctionBuilder<'l> {
    pub lowering: &'l mut Lowering,
    pub book: Arc<Book>,
    pub vars: Vec<Var>,
    /// Where what is emitted comes from.
    pub span: Span,
    pub keys: Keys,
    /// Whether locals that have died must be zero again: the step may stand still at a decision.
    pub clean: bool,
    /// The loops around: where `stop` goes.
    pub loops: Vec<Label>,
    /// What leaves a step.
    pub exit: Option<Label>,
    /// Where a step that has something to do at its end keeps its result.
    pub result: Reg,
    /// The step that it is, if it is one.
    pub step: StepId,
    /// Values that are computed when they are first asked.
    pub lazies: FxHashMap<LocalId, Lazy>,
    /// Whether an option is planned: what rules are asked with may become lazy.
    pub planning: bool,
    /// The paths that are asked to be present before what is being made of a condition.
    pub asserted: Vec<ExprKey>,
    /// How deep rules have been written out.
    pub inlined: usize,
    code: Vec<Op>,
    spans: Vec<Span>,
    /// Instructions that turned out to say nothing: they go when the function is finished.
    idle: Vec<u32>,
    labels: Vec<u32>,
    used: Vec<bool>,
    /// Where code leads back, and to where.
    back: Vec<(u32, u32)>,
    /// Where the last label stands.
    last_label: u32,
    live: bool,
    temp: u32,
    temp_most: u32,
    top: u32,
    high: u32,
    most: u32,
    first_choice: usize,
    first_text: usize,
    /// What the locals of a step hold; as yet without an end where the scope is open.
    held: Vec<Held>,
    has_frame: bool,
}

impl<'l> FunctionBuilder<'l> {
    /// A function whose locals begin after its header (steps) or at once (rules).
    pub fn new(lowering: &'l mut Lowering, locals: &[Local], step: bool, span: Span) -> Self {
        let book = lowering.book.clone();
        let vars = locals.iter().map(|local| Var { ty: local.ty, reg: None }).collect();
        let top = if step { HEADER as u32 } else { 0 };
        let (first_choice, first_text) = (lowering.program.choices.len(), lowering.program.texts.len());
        Self {
            lowering,
            book,
            vars,
            span,
            keys: Keys::default(),
            clean: false,
            loops: Vec::new(),
            exit: None,
            result: 0,
            step: StepId(u32::MAX),
            lazies: FxHashMap::default(),
            planning: false,
            asserted: Vec::new(),
            inlined: 0,
            code: Vec::new(),
            spans: Vec::new(),
            idle: Vec::new(),
            labels: Vec::new(),
            used: Vec::new(),
            back: Vec::new(),
            last_label: u32::MAX,
            live: true,
            temp: TEMPORARY,
            temp_most: TEMPORARY,
            top,
            high: top,
            most: top,
            first_choice,
            first_text,
            held: Vec::new(),
            has_frame: step,
        }
    }

    // ------------------------------------------------------------------------------------------ words

    /// The words of a set of a kind.
    pub fn kind_words(&self, kind: KindId) -> u16 {
        self.lowering.program.kinds[kind.0 as usize].words
    }

    /// The words of a value.
    pub fn words(&self, ty: Type) -> u16 {
        match ty.base {
            Base::Set(kind) => self.kind_words(kind),
            Base::Dice => DICE_WORDS as u16,
            Base::Numbers => 2,
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Nothing
            | Base::Unknown => 1,
        }
    }

    /// A column.
    pub fn column(&self, column: u16) -> &Column {
        &self.lowering.program.columns[column as usize]
    }

    // -------------------------------------------------------------------------------------- registers

    /// Temporaries; given back by [`FunctionBuilder::release`].
    pub fn temp(&mut self, words: u16) -> Reg {
        let reg = self.temp;
        self.temp += u32::from(words.max(1));
        self.temp_most = self.temp_most.max(self.temp);
        // Too many are reported when the function is finished.
        reg.min(FURTHEST) as Reg
    }

    /// The temporaries in use.
    pub fn mark(&self) -> u32 {
        self.temp
    }

    /// Gives back all temporaries taken since a mark.
    pub fn release(&mut self, mark: u32) {
        self.temp = mark;
    }

    /// Locals of the innermost scope.
    pub fn local(&mut self, words: u16) -> Reg {
        let reg = self.top;
        self.top += u32::from(words);
        self.high = self.high.max(self.top);
        self.most = self.most.max(self.top);
        reg.min(TEMPORARY - 0x1000) as Reg
    }

    /// Gives a variable a local that holds its value from here on.
    pub fn place(&mut self, local: LocalId) -> Reg {
        let reg = self.room(local);
        self.holds(reg, self.vars[local.0 as usize].ty);
        reg
    }

    /// Gives a variable a local that holds nothing yet.
    pub fn room(&mut self, local: LocalId) -> Reg {
        let words = self.words(self.vars[local.0 as usize].ty);
        let reg = self.local(words);
        self.vars[local.0 as usize].reg = Some(reg);
        reg
    }

    /// Notes that locals hold a value from here to the end of their scope.
    pub fn holds(&mut self, reg: Reg, ty: Type) {
        match ty.base {
            Base::Thing(kind) => self.note(reg, Holds::Thing(kind)),
            Base::Set(kind) => self.note(reg, Holds::Set(kind)),
            Base::Flag
            | Base::Number(..)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {}
        }
    }

    /// Notes what locals hold, where it can be a thing with a hidden face, or hang on one.
    pub fn note(&mut self, reg: Reg, holds: Holds) {
        let is_hidden = match holds {
            Holds::Thing(kind) | Holds::Set(kind) | Holds::Sequence(kind) => {
                self.book.kind(kind).seen.is_some()
            }
            Holds::Answers(_) | Holds::Counts => self.book.kinds.iter().any(|kind| kind.seen.is_some()),
        };
        if self.has_frame && is_hidden {
            self.held.push(Held { from: self.code.len() as Pc, to: Pc::MAX, reg, holds });
        }
    }

    /// Gives a variable a place that is there already.
    pub fn bind_var(&mut self, local: LocalId, reg: Reg) {
        if let Some(var) = self.vars.get_mut(local.0 as usize) {
            var.reg = Some(reg);
        }
    }

    /// A new variable.
    pub fn fresh(&mut self, ty: Type) -> LocalId {
        self.vars.push(Var { ty, reg: None });
        LocalId(self.vars.len() as u32 - 1)
    }

    /// Where a variable lives.
    pub fn var(&mut self, local: LocalId) -> Reg {
        if let Some(reg) = self.lazy_value(local) {
            return reg;
        }
        match self.vars.get(local.0 as usize).and_then(|var| var.reg) {
            Some(reg) => reg,
            None => {
                self.lowering.problem(self.span, "a variable is read where it has no value");
                0
            }
        }
    }

    /// Opens a scope of locals.
    pub fn open(&mut self) -> Scope {
        let scope = Scope { top: self.top, high: self.high };
        self.high = self.top;
        scope
    }

    /// Zeroes what was used since a scope was opened: at the end of a turn of a loop.
    pub fn wipe(&mut self, scope: Scope) {
        if self.clean && self.high > scope.top {
            let (dst, words) = (scope.top as Reg, (self.high - scope.top) as u16);
            self.emit(Op::Empty { dst, words });
        }
    }

    /// Closes a scope and zeroes what it used.
    pub fn close(&mut self, scope: Scope) {
        self.wipe(scope);
        self.shut(scope);
    }

    /// Closes a scope whose locals are zero already.
    pub fn shut(&mut self, scope: Scope) {
        let here = self.code.len() as Pc;
        let ends = |held: &&mut Held| held.to == Pc::MAX && u32::from(held.reg) >= scope.top;
        self.held.iter_mut().filter(ends).for_each(|held| held.to = here);
        self.top = scope.top;
        self.high = self.high.max(scope.high);
    }

    // ------------------------------------------------------------------------------------------- code

    /// Emits an instruction, unless it can never be reached.
    pub fn emit(&mut self, mut op: Op) {
        if !self.live {
            return;
        }
        if let Some(to) = op.target() {
            let to = *to as usize;
            self.used[to] = true;
            if self.labels[to] != u32::MAX {
                self.back.push((self.next_place(), self.labels[to]));
            }
        }
        // The same words emptied twice in a row, as where two scopes end: who jumps to the second may as well go to the first.
        if matches!(op, Op::Empty { .. }) && self.code.last() == Some(&op) {
            let here = self.next_place();
            if self.last_label == here {
                self.labels.iter_mut().filter(|label| **label == here).for_each(|label| *label = here - 1);
                self.last_label = here - 1;
            }
            return;
        }
        if self.last_label != self.next_place()
            && let Some(joined) = self.code.last().and_then(|last| joined(*last, op))
            && let Some(last) = self.code.last_mut()
        {
            *last = joined;
            return;
        }
        self.live = !op.ends();
        self.code.push(op);
        self.spans.push(self.span);
    }

    /// Whether what comes next can be reached.
    pub fn live(&self) -> bool {
        self.live
    }

    /// A place to jump to.
    pub fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.used.push(false);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label stands here.
    pub fn set(&mut self, label: Label) {
        let here = self.next_place();
        if self.code.last() == Some(&Op::Jump { to: label.0 }) && self.last_label != here {
            // A jump to what comes next anyway.
            self.code.pop();
            self.spans.pop();
            self.live = true;
        }
        self.last_label = self.next_place();
        self.labels[label.0 as usize] = self.last_label;
        self.live |= self.used[label.0 as usize];
    }

    /// The label stands here and is reached from outside.
    pub fn entry(&mut self, label: Label) {
        self.used[label.0 as usize] = true;
        self.set(label);
    }

    /// A label that stands here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.set(label);
        label
    }

    pub fn jump(&mut self, to: Label) {
        let there = self.labels[to.0 as usize];
        if let Some(&Op::Next { set, words, elem, exit }) = self.code.get(there as usize) {
            // Back to the head of a loop: its next thing is taken here.
            self.labels.push(there + 1);
            self.used.push(false);
            self.emit(Op::Again { set, words, elem, to: self.labels.len() as u32 - 1 });
            self.emit(Op::Jump { to: exit });
            return;
        }
        self.emit(Op::Jump { to: to.0 });
    }

    pub fn jump_if_set(&mut self, a: Reg, to: Label) {
        self.emit(Op::JumpIf { a, to: to.0 });
    }

    pub fn jump_if_clear(&mut self, a: Reg, to: Label) {
        self.emit(Op::JumpUnless { a, to: to.0 });
    }

    /// A constant word.
    pub fn word(&mut self, dst: Reg, value: i64) {
        match i32::try_from(value) {
            Ok(value) => self.emit(Op::Int { dst, value }),
            Err(_) => {
                let index = self.lowering.number(value);
                self.emit(Op::Number { dst, index });
            }
        }
    }

    pub fn absent(&mut self, dst: Reg) {
        self.word(dst, ABSENT);
    }

    /// A constant set.
    pub fn set_of(&mut self, dst: Reg, bits: &[u64]) {
        let words = bits.len() as u16;
        if bits.iter().all(|&word| word == 0) {
            self.emit(Op::Empty { dst, words });
        } else {
            let index = self.lowering.pool(bits);
            self.emit(Op::Set { dst, words, index });
        }
    }

    pub fn copy(&mut self, dst: Reg, src: Reg, words: u16) {
        if dst != src {
            self.emit(Op::Copy { dst, src, words });
        }
    }

    /// A copy in temporaries, to be changed.
    pub fn own(&mut self, expr: &Expr) -> Reg {
        let reg = self.temp(self.words(expr.ty));
        self.put(expr, reg);
        reg
    }

    /// Where the next instruction will stand.
    pub fn next_place(&self) -> u32 {
        self.code.len() as u32
    }

    /// Where the instruction stands that was emitted last, if it is this one: what cannot be reached was not emitted.
    pub fn emitted(&self, op: Op) -> Option<u32> {
        self.next_place().checked_sub(1).filter(|_| self.live && self.code.last() == Some(&op))
    }

    /// An instruction says nothing.
    pub fn leave_out(&mut self, place: u32) {
        self.idle.push(place);
    }

    /// Whether what comes behind a place leads back to it, or before it as far as another.
    pub fn goes_round(&self, from: u32, place: u32) -> bool {
        let mut behind = self.back.iter().rev().take_while(|(at, _)| *at >= place);
        behind.any(|(_, to)| (from..=place).contains(to))
    }

    // --------------------------------------------------------------------------------------- the end

    /// Takes out the instructions that say nothing.
    fn close_up(&mut self) {
        if self.idle.is_empty() {
            return;
        }
        let mut stays = vec![true; self.code.len()];
        for &place in &self.idle {
            stays[place as usize] = false;
        }
        let mut place = 0;
        let mut moved = Vec::with_capacity(stays.len() + 1);
        for &stays in &stays {
            moved.push(place);
            place += u32::from(stays);
        }
        moved.push(place);
        let there = |place: &mut u32| {
            if let Some(&moved) = moved.get(*place as usize) {
                *place = moved;
            }
        };
        self.labels.iter_mut().for_each(there);
        self.held.iter_mut().flat_map(|held| [&mut held.from, &mut held.to]).for_each(there);
        let (mut of_code, mut of_spans) = (stays.iter(), stays.iter());
        self.code.retain(|_| of_code.next() == Some(&true));
        self.spans.retain(|_| of_spans.next() == Some(&true));
    }

    /// The number of the instruction that a label will have.
    fn at(labels: &[u32], start: u32, label: Pc) -> Pc {
        start + labels[label as usize]
    }

    /// Puts the function into the program.
    pub fn finish(mut self, index: u32, name: String, origin: Origin, param_words: u16, result_words: u16) {
        self.close_up();
        let start = self.lowering.program.code.len() as u32;
        let local_words = match origin {
            Origin::Step(_) => self.most,
            Origin::Rule(_) | Origin::Explain(_) | Origin::Made => u32::from(param_words),
        };
        let frame_words = local_words.max(self.most) + (self.temp_most - TEMPORARY);
        if frame_words > u32::from(Reg::MAX) / 2 {
            let message = format!("`{name}` needs {frame_words} words of memory at once");
            self.lowering.too_large(self.span, message);
        }
        let shift = local_words.max(self.most);
        let move_reg = |reg: &mut Reg| {
            if u32::from(*reg) >= TEMPORARY {
                *reg = (u32::from(*reg) - TEMPORARY + shift).min(u32::from(Reg::MAX)) as Reg;
            }
        };
        for op in &mut self.code {
            op.registers(&mut |reg| move_reg(reg));
            if let Some(to) = op.target() {
                *to = Self::at(&self.labels, start, *to);
            }
        }
        let program = &mut self.lowering.program;
        let code = self.code.len() as Pc;
        for mut held in self.held {
            (held.from, held.to) = (start + held.from, start + held.to.min(code));
            program.held.push(held);
        }
        for text in &mut program.texts[self.first_text..] {
            for piece in &mut text.pieces {
                piece.registers(&mut |reg| move_reg(reg));
            }
        }
        for choice in &mut program.choices[self.first_choice..] {
            let fix = |pc: &mut Pc| *pc = Self::at(&self.labels, start, *pc);
            fix(&mut choice.who);
            fix(&mut choice.enumerate);
            fix(&mut choice.domain);
            fix(&mut choice.after);
            choice.prompt.as_mut().map(fix);
            choice.otherwise.as_mut().map(fix);
            move_reg(&mut choice.who_reg);
            for option in &mut choice.options {
                fix(&mut option.body);
                fix(&mut option.explain);
                option.label.as_mut().map(fix);
                for param in &mut option.params {
                    move_reg(&mut param.local);
                    move_reg(&mut param.scratch);
                }
            }
        }
        program.code.append(&mut self.code);
        program.spans.append(&mut self.spans);
        program.functions[index as usize] = Function {
            name,
            origin,
            entry: start,
            end: program.code.len() as u32,
            param_words,
            result_words,
            local_words: local_words.min(u32::from(Reg::MAX)) as u16,
            frame_words: frame_words.min(u32::from(Reg::MAX)) as u16,
        };
    }
}
