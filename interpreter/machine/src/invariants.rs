//! Invariants of the rules: what must hold whenever somebody is asked. Only a program that was checked for them has any.
//!
//! One that held is looked at again only when a state that it reads has changed since.

use crate::fault::{BacktraceEntry, Fault, Trap, code};
use crate::machine::Machine;
use crate::vm::call;
use crate::vm::context::Stop;
use crate::vm::memo::Worth;
use crate::vm::text::{self, Line};
use crate::vm::traps::out_of_memory;

impl Machine {
    /// Looks at all invariants of the program in the position as it is; there are none to hold while nobody is asked.
    ///
    /// # Errors
    ///
    /// `run::invariant` for the first that does not hold, or a [`Fault`] of the rules that it asks.
    pub fn check_invariants(&mut self) -> Result<(), Fault> {
        let broken = self.broken_invariant()?;
        broken.map_or(Ok(()), |(place, reason)| Err(self.broken(place, "", &reason)))
    }

    /// The same after something was done, which is taken back if one does not hold; `done` says what it was.
    pub(crate) fn keep_invariants(
        &mut self,
        events: usize,
        done: impl FnOnce(&mut Self) -> String,
    ) -> Result<(), Fault> {
        if !self.keeps_invariants {
            return Ok(());
        }
        let broken = self.broken_invariant();
        if !matches!(broken, Ok(None)) {
            self.go_back(events);
        }
        let Some((place, reason)) = broken? else { return Ok(()) };
        let done = done(self);
        Err(self.broken(place, &format!(" {done}"), &reason))
    }

    /// The place of the first invariant that does not hold, and why.
    fn broken_invariant(&mut self) -> Result<Option<(usize, String)>, Fault> {
        if self.prepared.program.invariants.is_empty() || self.deciders().is_empty() {
            return Ok(None);
        }
        let prepared = self.prepared.clone();
        // As much is left to whoever goes on as if all were looked at.
        self.ctx.refuel();
        for (place, &function) in prepared.program.invariants.iter().enumerate() {
            if self.still_holds(place) {
                continue;
            }
            if let Some(reason) = self.refusal(function).map_err(|trap| self.fault(trap))? {
                return Ok(Some((place, reason)));
            }
            self.holds(place);
        }
        Ok(None)
    }

    /// Whether an invariant holds because it did, and nothing that it reads has changed since.
    fn still_holds(&mut self, place: usize) -> bool {
        let worth = self.prepared.groups.invariants.get(place).copied().unwrap_or(Worth::NOTHING);
        let held = self.held.get(place).copied().unwrap_or_default();
        !self.is_counting() && held >= self.ctx.memo.since(worth)
    }

    /// Notes that an invariant holds in the position as it is.
    fn holds(&mut self, place: usize) {
        if self.held.len() <= place {
            self.held.resize(place + 1, 0);
        }
        self.held[place] = self.ctx.memo.now();
    }

    /// What is said of the invariant at a place; `done` is what was done before, with a blank.
    fn broken(&self, place: usize, done: &str, reason: &str) -> Fault {
        let invariant = &self.prepared.program.book.invariants[place];
        let entry = BacktraceEntry {
            name: format!("invariant {}", invariant.name),
            span: invariant.span,
            cites: invariant.cites.clone(),
        };
        let message = format!("the invariant `{}` does not hold{done}: {reason}", invariant.name);
        Fault { code: code::INVARIANT, message, stack: vec![entry] }
    }

    /// Why a function refuses; nothing if it does not.
    fn refusal(&mut self, function: u32) -> Result<Option<String>, Trap> {
        let prepared = self.prepared.clone();
        let info = &prepared.program.functions[function as usize];
        let at = self.free();
        if at + info.frame_words as usize > self.ctx.limits.words {
            return Err(out_of_memory(&self.ctx));
        }
        self.ctx.refuel();
        self.ctx.line = Line::default();
        let stop = call::exec(&prepared, &mut self.mem, &mut self.ctx, info.entry as usize, at, true)?;
        let Stop::Refused(need) = stop else { return Ok(None) };
        let reason = std::mem::take(&mut self.ctx.line);
        let need = &prepared.program.needs[need as usize];
        Ok(Some(match need.has_reason && !reason.is_blank() {
            true => text::render(&prepared, &reason, None, false).to_string(),
            false => format!("`{}`", need.condition),
        }))
    }
}
