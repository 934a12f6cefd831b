//! Positions out and in: snapshots, going back after a fault, and what a restored position must be like.

use blazon_book::StepId;
use blazon_kernel::Position;
use blazon_program::ir::{Op, Origin, slot};

use crate::fault::{BacktraceEntry, Fault, Trap, code};
use crate::machine::Machine;
use crate::question::Decision;

/// A position and what is decided in it: whoever comes back to it often need not list what is open every time.
#[derive(Default)]
pub(crate) struct Bookmark {
    words: Vec<u64>,
    decision: Decision,
    depth: usize,
}

impl Machine {
    /// Keeps the position with what is decided in it, for this machine.
    pub(crate) fn keep_in(&self, mark: &mut Bookmark) {
        mark.words.clear();
        mark.words.extend_from_slice(self.position());
        mark.decision.copy(&self.decision);
        mark.depth = self.ctx.depth;
    }

    /// Comes back to what was kept of this machine: as [`Machine::restore`] does, but nothing is listed anew.
    pub(crate) fn come_back(&mut self, mark: &Bookmark) {
        let Some(place) = self.mem.get_mut(..mark.words.len()) else { return };
        self.ctx.memo.compare(&self.prepared.groups, place, &mark.words);
        place.copy_from_slice(&mark.words);
        self.end = mark.words.len();
        self.ended = None;
        self.decision.copy(&mark.decision);
        self.ctx.depth = mark.depth;
        self.ctx.refuel();
    }

    /// Keeps the position, to come back to it.
    pub(crate) fn remember(&mut self) {
        self.last.clear();
        self.last.extend_from_slice(&self.mem[..self.end]);
    }

    /// After a trap: makes the fault and goes back.
    pub(crate) fn settle(&mut self, result: Result<(), Trap>, events: usize) -> Result<(), Fault> {
        let Err(trap) = result else { return Ok(()) };
        let fault = self.fault(trap);
        self.go_back(events);
        Err(fault)
    }

    /// Goes back to the position that was remembered.
    pub(crate) fn go_back(&mut self, events: usize) {
        self.ctx.events.truncate(events);
        let last = std::mem::take(&mut self.last);
        // What was a position stays one; if its decision cannot be computed there is nothing to decide.
        let _ = self.take_over(&last);
        self.last = last;
    }

    #[cold]
    pub(crate) fn fault(&mut self, trap: Trap) -> Fault {
        let (code, message) = trap.into_parts();
        let stack = match code {
            code::ILLEGAL | code::RESTORE => Vec::new(),
            _ => {
                let mut places = crate::vm::traps::places(&self.prepared, &self.mem, &self.ctx);
                // Of two exceptions that disagree both are shown.
                if code == code::CLASH
                    && let Some(other) =
                        places.first().and_then(|&pc| crate::vm::traps::other_side(&self.prepared, pc))
                {
                    places.insert(1, other);
                }
                places.into_iter().filter_map(|pc| self.frame_at(pc)).collect()
            }
        };
        self.ctx.calls.clear();
        Fault { code, message, stack }
    }

    /// A place in the code as people know it.
    pub(crate) fn frame_at(&self, pc: usize) -> Option<BacktraceEntry> {
        let program = &self.prepared.program;
        let function = self.prepared.function_at(pc)?;
        let cites = match program.functions[function].origin {
            Origin::Step(step) => program.book.step(step).cites.clone(),
            Origin::Rule(rule) | Origin::Explain(rule) => program.book.rule(rule).cites.clone(),
            Origin::Made => Vec::new(),
        };
        Some(BacktraceEntry {
            name: program.functions[function].name.clone(),
            span: program.spans[pc],
            cites,
        })
    }

    /// The words of the position.
    pub fn position(&self) -> &[u64] {
        &self.mem[..self.end]
    }

    /// A copy of the position.
    pub fn snapshot(&self) -> Position {
        Position::from(self.position())
    }

    /// Copies the position into one that is there already.
    pub fn snapshot_into(&self, position: &mut Position) {
        let words = position.words_mut();
        words.clear();
        words.extend_from_slice(self.position());
    }

    /// Goes on from a position. One that this program cannot go on from is refused, and nothing changes.
    ///
    /// # Errors
    ///
    /// `run::restore`: it is no position at a decision of this program.
    pub fn restore(&mut self, position: &Position) -> Result<(), Fault> {
        self.remember();
        let events = self.ctx.events.len();
        let taken = self.take_over(position.words());
        self.settle(taken, events)
    }

    fn take_over(&mut self, words: &[u64]) -> Result<(), Trap> {
        let depth = self.check(words)?;
        self.ctx.memo.compare(&self.prepared.groups, &self.mem, words);
        self.mem[..words.len()].copy_from_slice(words);
        self.end = words.len();
        self.ended = None;
        self.decision.clear();
        self.ctx.depth = depth;
        self.ctx.refuel();
        match (words[slot::PC] as usize, words[slot::BASE] as usize) {
            (0, _) => Ok(()),
            (pc, base) => self.look_again(pc, base),
        }
    }

    /// The steps under way, the innermost first.
    pub fn under_way(&self) -> Vec<StepId> {
        let (mut pc, mut base) = (self.mem[slot::PC] as usize, self.mem[slot::BASE] as usize);
        let mut steps = Vec::new();
        while pc != 0 && base + 1 < self.mem.len() {
            let Some(function) = self.prepared.function_at(pc) else { break };
            if let Origin::Step(step) = self.prepared.program.functions[function].origin {
                steps.push(step);
            }
            (pc, base) = (self.mem[base] as usize, self.mem[base + 1] as usize);
        }
        steps
    }

    /// The position before the last choice, or before the game was begun.
    pub fn previous(&self) -> Position {
        Position::from(self.last.as_slice())
    }

    /// Whether words have the shape of a position of this program: sizes, the place in the code, the chain of frames.
    /// Answers how many steps are under way.
    fn check(&self, words: &[u64]) -> Result<usize, Trap> {
        let (prepared, program) = (&self.prepared, &self.prepared.program);
        let refuse =
            |what: &str| Err(Trap::new(code::RESTORE, format!("the position cannot be restored: {what}")));
        let bottom = prepared.template.len();
        if words.len() < bottom || words.len() > self.ctx.limits.words {
            return refuse("its size is wrong");
        }
        let players = prepared.things(program.book.player) as u64;
        if words[slot::OUTCOME] >= 2 + players {
            return refuse("its outcome is unknown");
        }
        let (pc, mut base) = (words[slot::PC] as usize, words[slot::BASE] as usize);
        if pc == 0 {
            return if words.len() == bottom && base == bottom {
                Ok(0)
            } else {
                refuse("its frames are wrong")
            };
        }
        let Some(Op::Choose { choice }) = program.code.get(pc) else {
            return refuse("it does not stand at a decision");
        };
        let Some(mut function) = prepared.function_at(pc) else { return refuse("it stands nowhere") };
        if program.choices[*choice as usize].step.0 as usize != function || words[slot::OUTCOME] != 0 {
            return refuse("its decision is wrong");
        }
        let mut end = words.len();
        let mut depth = 1;
        loop {
            let info = &program.functions[function];
            let fits = base >= bottom && base.checked_add(info.local_words as usize) == Some(end);
            if !fits || base + info.frame_words as usize > self.ctx.limits.words {
                return refuse("its frames are wrong");
            }
            let (back, caller) = (words[base] as usize, words[base + 1] as usize);
            if back == 0 {
                return if base == bottom { Ok(depth) } else { refuse("its frames are wrong") };
            }
            match program.code.get(back - 1) {
                Some(Op::Do { function: called, .. }) if *called as usize == function => {}
                _ => return refuse("a step returns to nowhere"),
            }
            let Some(next) = prepared.function_at(back) else { return refuse("a step returns to nowhere") };
            if caller >= base || !matches!(program.functions[next].origin, Origin::Step(_)) {
                return refuse("its frames are wrong");
            }
            (end, base, function) = (base, caller, next);
            depth += 1;
        }
    }
}
