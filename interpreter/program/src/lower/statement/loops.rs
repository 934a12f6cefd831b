//! Loops of steps. What a loop goes through is taken once; it lives in locals where its body may stand still.

use blazon_book::walk::Deeds;
use blazon_book::{Base, Block, Expr, LocalId};

use crate::ir::{DICE_WORDS, Holds, Op, Reg};
use crate::lower::dice_keys;
use crate::lower::function_builder::{FunctionBuilder, Label, Scope};
use crate::lower::query::Through;

/// Whether something in a block ends the life of temporaries.
fn ends_temporaries(block: &Block) -> bool {
    let deeds = Deeds::of_block(block);
    deeds.chooses || !deeds.steps.is_empty()
}

/// A loop under construction.
struct Loop<'b> {
    scope: Scope,
    local: LocalId,
    body: &'b Block,
    otherwise: Option<&'b Block>,
    /// Whether what it goes through must live in locals.
    keeps: bool,
    /// Where it goes when it is over.
    out: Label,
    /// Where it goes when there is nothing to go through.
    none: Label,
    /// Whether luck may come twice with one value of the variable.
    repeats: bool,
    /// Whether the filter must be asked when each thing's turn comes: the body may change what it reads.
    late: bool,
}

impl FunctionBuilder<'_> {
    /// `while`
    pub fn while_loop(&mut self, condition: &Expr, body: &Block) {
        let scope = self.open();
        let out = self.label();
        let head = self.here();
        self.jump_when(condition, false, out);
        self.loops.push(out);
        self.keys.counted += 1;
        self.block(body);
        self.keys.counted -= 1;
        self.loops.pop();
        self.jump(head);
        self.set(out);
        self.close(scope);
    }

    /// `for`
    pub fn for_loop(
        &mut self,
        local: LocalId,
        sources: &[Expr],
        filter: Option<&Expr>,
        body: &Block,
        otherwise: Option<&Block>,
    ) {
        let scope = self.open();
        let (out, none) = (self.label(), self.label());
        let (keeps, repeats) = (ends_temporaries(body), dice_keys::repeats(sources));
        let book = self.book.clone();
        let late = filter.is_some_and(|filter| {
            let reads = self.lowering.uses.reads(&book, filter);
            !reads.is_disjoint(&self.lowering.uses.changes_of(&book, self.step, body))
                || self.lowering.uses.asks_winner(filter)
        });
        let this = Loop { scope, local, body, otherwise, keeps, out, none, repeats, late };
        match sources {
            [source] => match source.ty.base {
                Base::Set(_) => self.over_set(&this, source, filter),
                Base::Numbers => self.over_numbers(&this, source, filter),
                Base::Dice => self.over_dice(&this, source, filter),
                Base::Flag
                | Base::Number(..)
                | Base::Thing(_)
                | Base::Die
                | Base::Text
                | Base::Point
                | Base::Permission
                | Base::Nothing
                | Base::Unknown => self.over_one(&this, source, filter),
            },
            _ => self.over_several(&this, sources, filter),
        }
        self.shut(scope);
    }

    fn state(&mut self, this: &Loop, words: u16) -> Reg {
        if this.keeps { self.local(words) } else { self.temp(words) }
    }

    /// The body, then back to the head, and what comes after the loop.
    fn turn(&mut self, this: &Loop, head: Option<Label>) {
        self.loops.push(this.out);
        self.keys.loops.push(this.local);
        self.keys.counted += usize::from(this.repeats);
        self.block(this.body);
        self.keys.counted -= usize::from(this.repeats);
        self.keys.loops.pop();
        self.loops.pop();
        if let Some(head) = head {
            self.jump(head);
        }
        self.set(this.out);
        self.wipe(this.scope);
        let end = self.label();
        if this.otherwise.is_some() {
            self.jump(end);
        }
        self.set(this.none);
        if let Some(otherwise) = this.otherwise {
            self.wipe(this.scope);
            self.block(otherwise);
        }
        self.set(end);
    }

    /// Goes where there is nothing to go through.
    fn unless(&mut self, this: &Loop, flag: Reg) {
        if this.otherwise.is_some() {
            self.jump_if_clear(flag, this.none);
        }
    }

    fn over_one(&mut self, this: &Loop, source: &Expr, filter: Option<&Expr>) {
        let elem = self.place(this.local);
        self.put(source, elem);
        let none = if this.otherwise.is_some() { this.none } else { this.out };
        if source.ty.optional {
            let mark = self.mark();
            let absent = self.temp(1);
            self.emit(Op::IsAbsent { dst: absent, a: elem });
            self.jump_if_set(absent, none);
            self.release(mark);
        }
        if let Some(filter) = filter {
            self.jump_when(filter, false, none);
        }
        self.turn(this, None);
    }

    fn over_set(&mut self, this: &Loop, source: &Expr, filter: Option<&Expr>) {
        let (early, late) = if this.late { (None, filter) } else { (filter, None) };
        let filter: Vec<Expr> = early.into_iter().cloned().collect();
        let words = self.words(source.ty);
        let kept = this.keeps.then(|| self.local(words));
        if let Some(kept) = kept {
            self.holds(kept, source.ty);
        }
        let mark = self.mark();
        let (through, rest) = self.candidates(this.local, source, &filter);
        let Through::Set(found, _) = through else { return };
        self.sift(this.local, found, words, &rest);
        let set = match kept {
            Some(kept) => {
                self.copy(kept, found, words);
                self.release(mark);
                kept
            }
            None => found,
        };
        let any = self.count_turns(this, late.is_some());
        if any.is_none() && this.otherwise.is_some() {
            let at = self.mark();
            let flag = self.temp(1);
            self.emit(Op::Some { dst: flag, set, words });
            self.unless(this, flag);
            self.release(at);
        }
        let elem = self.place(this.local);
        self.filtered(this, &Through::Set(set, words), elem, late, any);
    }

    /// Numbers: which of them are taken is asked one by one.
    fn over_numbers(&mut self, this: &Loop, source: &Expr, filter: Option<&Expr>) {
        let counter = self.place(this.local);
        let limit = self.state(this, 1);
        let mark = self.mark();
        let range = self.own(source);
        self.copy(counter, range, 1);
        self.copy(limit, range + 1, 1);
        self.release(mark);
        let any = self.count_turns(this, filter.is_some());
        if any.is_none() && this.otherwise.is_some() {
            let mark = self.mark();
            let flag = self.temp(1);
            self.emit(Op::Lt { dst: flag, a: counter, b: limit });
            self.unless(this, flag);
            self.release(mark);
        }
        self.filtered(this, &Through::Numbers(counter, limit), counter, filter, any);
    }

    fn over_dice(&mut self, this: &Loop, source: &Expr, filter: Option<&Expr>) {
        let dice = self.state(this, DICE_WORDS as u16);
        self.put(source, dice);
        let any = self.count_turns(this, filter.is_some());
        if any.is_none() {
            self.unless(this, dice);
        }
        let elem = self.place(this.local);
        self.filtered(this, &Through::Dice(dice), elem, filter, any);
    }

    /// Where it is not known before whether there is anything to go through, a word that says whether there was.
    fn count_turns(&mut self, this: &Loop, filtered: bool) -> Option<Reg> {
        (filtered && this.otherwise.is_some()).then(|| {
            let any = self.state(this, 1);
            self.word(any, 0);
            any
        })
    }

    fn filtered(
        &mut self,
        this: &Loop,
        through: &Through,
        elem: Reg,
        filter: Option<&Expr>,
        any: Option<Reg>,
    ) {
        let done = self.label();
        let exit = if any.is_some() { done } else { this.out };
        let head = self.begin_loop(this.local, through, Some(elem), exit);
        if let Some(filter) = filter {
            self.jump_when(filter, false, head);
        }
        if let Some(any) = any {
            let begin = self.label();
            self.word(any, 1);
            self.jump(begin);
            self.set(done);
            self.unless(this, any);
            self.jump(this.out);
            self.set(begin);
        }
        self.turn(this, Some(head));
    }

    /// Several sources, one after the other; what is in two of them comes twice.
    fn over_several(&mut self, this: &Loop, sources: &[Expr], filter: Option<&Expr>) {
        let (early, late) = if this.late { (None, filter) } else { (filter, None) };
        let filter: Vec<Expr> = early.into_iter().cloned().collect();
        let room: usize = sources
            .iter()
            .map(|source| match source.ty.base {
                Base::Set(kind) => self.book.kind(kind).things.len(),
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
                | Base::Unknown => 1,
            })
            .sum();
        if room > usize::from(u16::MAX / 4) {
            self.lowering.too_large(self.span, "a loop goes through too many things at once".to_owned());
            return;
        }
        let seq = self.state(this, 2 + room as u16);
        if let Some(kind) = sources.first().and_then(|source| source.ty.base.kind()).filter(|_| this.keeps) {
            self.note(seq, Holds::Sequence(kind));
        }
        self.emit(Op::Empty { dst: seq, words: 2 });
        for source in sources {
            let mark = self.mark();
            if let Base::Set(_) = source.ty.base {
                let (through, rest) = self.candidates(this.local, source, &filter);
                if let Through::Set(set, words) = through {
                    self.sift(this.local, set, words, &rest);
                    self.emit(Op::PushAll { seq, set, words });
                }
            } else {
                let (elem, next) = (self.own(source), self.label());
                self.bind_var(this.local, elem);
                if source.ty.optional && !filter.is_empty() {
                    let absent = self.temp(1);
                    self.emit(Op::IsAbsent { dst: absent, a: elem });
                    self.jump_if_set(absent, next);
                }
                filter.iter().for_each(|condition| self.jump_when(condition, false, next));
                self.emit(Op::Push { seq, elem });
                self.set(next);
            }
            self.release(mark);
        }
        let any = self.count_turns(this, late.is_some());
        if any.is_none() {
            self.unless(this, seq + 1);
        }
        let elem = self.place(this.local);
        self.filtered(this, &Through::Several(seq), elem, late, any);
    }
}
