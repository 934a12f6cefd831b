//! Ways into the loop: a piece of code in a frame, and a function asked beside everything else.

use crate::context::{Cx, Stop};
use crate::exec;
use crate::fault::Trap;
use crate::shared::Shared;
use crate::traps::out_of_memory;

/// Asks a function that does nothing; its frame begins at `at`. Answers where its result stands.
pub(crate) fn run_function(
    sh: &Shared,
    mem: &mut [u64],
    cx: &mut Cx,
    function: u32,
    at: usize,
    args: &[u64],
) -> Result<usize, Trap> {
    let info = &sh.program.functions[function as usize];
    if args.len() != info.param_words as usize {
        let (name, takes, given) = (&info.name, info.param_words, args.len());
        return Err(Trap::internal(format!("`{name}` takes {takes} words, not {given}")));
    }
    if at + info.frame_words as usize > cx.limits.words {
        return Err(out_of_memory(cx));
    }
    mem[at..at + args.len()].copy_from_slice(args);
    match exec(sh, mem, cx, info.entry as usize, at, true)? {
        Stop::Returned(result) => Ok(result),
        other => Err(Trap::internal(format!("`{}` did not answer but {other:?}", info.name))),
    }
}

/// Runs from `pc` in the frame at `base`. With `pure`, a return stops the loop; otherwise it returns from a step.
pub(crate) fn exec(
    sh: &Shared,
    mem: &mut [u64],
    cx: &mut Cx,
    pc: usize,
    base: usize,
    pure: bool,
) -> Result<Stop, Trap> {
    let floor = cx.calls.len();
    let stop = exec::run(sh, mem, cx, pc, base, pure, floor);
    if stop.is_ok() {
        cx.calls.truncate(floor);
    }
    stop
}
