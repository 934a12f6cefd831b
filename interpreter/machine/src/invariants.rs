//! Invariants of the rules: what must hold whenever somebody is asked. Only a program that was checked for them has any.

use crate::fault::{BacktraceEntry, Fault, Trap, code};
use crate::machine::Machine;
use crate::vm::call;
use crate::vm::context::Stop;
use crate::vm::text::{self, Line};
use crate::vm::traps::out_of_memory;

impl Machine {
    /// Looks at all invariants of the program in the position as it is; there are none to hold while nobody is asked.
    ///
    /// # Errors
    ///
    /// `run::invariant` for the first that does not hold, or a [`Fault`] of the rules that it asks.
    pub fn check_invariants(&mut self) -> Result<(), Fault> {
        if self.prepared.program.invariants.is_empty() || self.deciders().is_empty() {
            return Ok(());
        }
        let prepared = self.prepared.clone();
        for (invariant, &function) in
            prepared.program.book.invariants.iter().zip(&prepared.program.invariants)
        {
            let refused = self.refusal(function).map_err(|trap| self.fault(trap))?;
            if let Some(reason) = refused {
                let entry = BacktraceEntry {
                    name: format!("invariant {}", invariant.name),
                    span: invariant.span,
                    cites: invariant.cites.clone(),
                };
                let message = format!("the invariant `{}` does not hold: {reason}", invariant.name);
                return Err(Fault { code: code::INVARIANT, message, stack: vec![entry] });
            }
        }
        Ok(())
    }

    /// The same after something was done, which is taken back if one does not hold; `done` says what it was.
    pub(crate) fn keep_invariants(
        &mut self,
        events: usize,
        done: impl FnOnce(&mut Self) -> String,
    ) -> Result<(), Fault> {
        self.check_invariants().map_err(|mut fault| {
            self.go_back(events);
            if fault.code == code::INVARIANT {
                let done = done(self);
                fault.message =
                    fault.message.replacen(" does not hold", &format!(" does not hold {done}"), 1);
            }
            fault
        })
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
            true => text::render(&prepared, &reason, None, false),
            false => format!("`{}`", need.condition),
        }))
    }
}
