//! Where code asks whether a lazy value is there. Who asks first, with no loop around it, need not ask: nobody has computed it
//! yet. And if nobody else asks, nobody need know that it has been.

use blazon_book::LocalId;

use crate::ir::{Op, Reg};
use crate::lower::function_builder::{FunctionBuilder, Label};

/// Where it is asked whether a lazy value is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asks {
    /// Here it is not there yet; and the instruction that says so of it alone, if one does.
    from: u32,
    reset: Option<u32>,
    /// The instructions that ask, each with the one that says that it is there now.
    sites: Vec<(u32, u32)>,
}

impl FunctionBuilder<'_> {
    /// From here on a lazy value is not there.
    pub fn begin_asks(&mut self, local: LocalId, reset: Option<u32>) {
        self.end_asks(local);
        let from = self.next_place();
        if let Some(lazy) = self.lazies.get_mut(&local) {
            lazy.asks = Asks { from, reset, sites: Vec::new() };
        }
    }

    /// Asks whether a lazy value is there, and goes on elsewhere if it is. Answers where that is asked, if it ever is.
    pub fn ask_whether(&mut self, flag: Reg, there: Label) -> Option<u32> {
        self.jump_if_set(flag, there);
        self.emitted(Op::JumpIf { a: flag, to: there.0 })
    }

    /// Says that a lazy value is there now that was asked for at a place.
    pub fn say_there(&mut self, local: LocalId, flag: Reg, asked: Option<u32>) {
        self.word(flag, 1);
        let said = self.emitted(Op::Int { dst: flag, value: 1 });
        if let (Some(lazy), Some(asked), Some(said)) = (self.lazies.get_mut(&local), asked, said) {
            lazy.asks.sites.push((asked, said));
        }
    }

    /// Nobody asks any more, or it is not there again: what need not have been asked or said is taken out.
    pub fn end_asks(&mut self, local: LocalId) {
        let Some(lazy) = self.lazies.get_mut(&local) else { return };
        let Asks { from, reset, sites } = std::mem::take(&mut lazy.asks);
        let only = sites.len() < 2;
        if let Some(&(asked, said)) = sites.iter().min() {
            if self.goes_round(from, asked) {
                return;
            }
            self.leave_out(asked);
            if only {
                self.leave_out(said);
            }
        }
        if let Some(reset) = reset.filter(|_| only) {
            self.leave_out(reset);
        }
    }
}
