//! Ways into the loop: a piece of code in a frame, and a function asked beside everything else.

use crate::fault::Trap;
use crate::vm::context::{Context, Stop};
use crate::vm::dispatch;
use crate::vm::prepared::Prepared;
use crate::vm::traps::out_of_memory;

/// Asks a function that does nothing; its frame begins at `at`. Answers where its result stands.
pub(crate) fn run_function(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    function: u32,
    at: usize,
    args: &[u64],
) -> Result<usize, Trap> {
    let info = &prepared.program.functions[function as usize];
    if args.len() != info.param_words as usize {
        let (name, takes, given) = (&info.name, info.param_words, args.len());
        return Err(Trap::internal(format!("`{name}` takes {takes} words, not {given}")));
    }
    if at + info.frame_words as usize > ctx.limits.words {
        return Err(out_of_memory(ctx));
    }
    mem[at..at + args.len()].copy_from_slice(args);
    match exec(prepared, mem, ctx, info.entry as usize, at, true)? {
        Stop::Returned(result) => Ok(result),
        other @ (Stop::Over
        | Stop::Won(_)
        | Stop::Choose(_)
        | Stop::EachNext(_)
        | Stop::Done
        | Stop::Refused(_)) => Err(Trap::internal(format!("`{}` did not answer but {other:?}", info.name))),
    }
}

/// Runs from `pc` in the frame at `base`. With `pure`, a return stops the loop; otherwise it returns from a step.
pub(crate) fn exec(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    pc: usize,
    base: usize,
    pure: bool,
) -> Result<Stop, Trap> {
    let floor = ctx.calls.len();
    let stop = dispatch::run(prepared, mem, ctx, pc, base, pure, floor);
    if stop.is_ok() {
        ctx.calls.truncate(floor);
    }
    stop
}
