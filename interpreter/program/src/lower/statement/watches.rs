//! Watches: looked at where a step that writes what they read comes to its end or to a choice.

use blazon_book::StepId;

use crate::ir::Op;
use crate::lower::function_builder::FunctionBuilder;

impl FunctionBuilder<'_> {
    /// Looks at all watches of a step. No temporaries may be in use.
    pub fn look_at_watches(&mut self, step: StepId) {
        for watch in self.lowering.uses.watched[step.0 as usize].clone() {
            self.look_at_watch(watch);
        }
    }

    fn look_at_watch(&mut self, place: usize) {
        let book = self.book.clone();
        let watch = &book.watches[place];
        let span = std::mem::replace(&mut self.span, watch.span);
        let mark = self.mark();
        let column = self.lowering.watch_flags[place];
        let (before, now, next, asleep) = (self.temp(1), self.temp(1), self.label(), self.label());
        if !watch.awake.is_empty() {
            // Asleep it is as if its condition did not hold.
            self.word(now, 0);
            let awake = self.label();
            self.jump_if_awake(&watch.awake, awake);
            self.jump(asleep);
            self.set(awake);
        }
        let function = self.lowering.watch_functions[place] as u16;
        self.emit(Op::Call { function, args: now, dst: now });
        self.set(asleep);
        self.emit(Op::Load { dst: before, column, key: before });
        self.emit(Op::Store { column, key: now, src: now });
        self.jump_if_clear(now, next);
        self.jump_if_set(before, next);
        let key = self.watch_key(watch.body, &watch.name);
        self.emit(Op::Do { function: watch.body.0 as u16, args: key, dst: key, key });
        self.set(next);
        self.release(mark);
        self.span = span;
    }

    fn jump_if_awake(&mut self, steps: &[StepId], awake: crate::lower::function_builder::Label) {
        let count = self.temp(1);
        for step in steps {
            if let Some(&column) = self.lowering.under_way.get(step) {
                self.emit(Op::Load { dst: count, column, key: count });
                self.jump_if_set(count, awake);
            }
        }
    }

    /// A step that wakes watches begins or ends.
    pub fn under_way(&mut self, step: StepId, begins: bool) {
        let Some(&column) = self.lowering.under_way.get(&step) else { return };
        let mark = self.mark();
        let (count, one) = (self.temp(1), self.temp(1));
        self.word(one, 1);
        self.emit(Op::Load { dst: count, column, key: count });
        self.emit(match begins {
            true => Op::Add { dst: count, a: count, b: one },
            false => Op::Sub { dst: count, a: count, b: one },
        });
        self.emit(Op::Store { column, key: count, src: count });
        if !begins {
            // Who falls asleep forgets what held.
            let book = self.book.clone();
            for (place, watch) in book.watches.iter().enumerate() {
                if watch.awake.contains(&step) {
                    let awake = self.label();
                    self.jump_if_awake(&watch.awake, awake);
                    self.word(one, 0);
                    self.emit(Op::Store { column: self.lowering.watch_flags[place], key: one, src: one });
                    self.set(awake);
                }
            }
        }
        self.release(mark);
    }
}
