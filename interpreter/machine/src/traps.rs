//! What the loop says when it cannot go on, and where it was then.

use blazon_program::ir::{ABSENT, Origin};

use crate::context::Cx;
use crate::fault::{Trap, code};
use crate::shared::Shared;

#[cold]
pub(crate) fn out_of_range() -> Trap {
    Trap::new(code::RANGE, "a number is divided by zero or leaves ±1,000,000,000,000,000")
}

#[cold]
pub(crate) fn endless(cx: &Cx) -> Trap {
    Trap::new(code::ENDLESS, format!("no decision after {} operations", cx.limits.ops))
}

#[cold]
pub(crate) fn out_of_memory(cx: &Cx) -> Trap {
    Trap::new(code::MEMORY, format!("more than {} words of memory are wanted", cx.limits.words))
}

#[cold]
pub(crate) fn no_room(cx: &Cx, memory: bool) -> Trap {
    if memory {
        out_of_memory(cx)
    } else if cx.fuel < 0 {
        endless(cx)
    } else {
        Trap::new(code::DEPTH, format!("more than {} steps or rules are under way at once", cx.limits.depth))
    }
}

#[cold]
pub(crate) fn outside() -> Trap {
    Trap::internal("a value lies outside its frame")
}

#[cold]
pub(crate) fn clash(sh: &Shared, pc: usize) -> Trap {
    let name = sh.function_at(pc).map_or("a rule", |f| sh.program.functions[f].name.as_str());
    Trap::new(code::CLASH, format!("two exceptions of `{name}` hold at once and disagree"))
}

#[cold]
pub(crate) fn bad_key(sh: &Shared, column: u16, key: u64) -> Trap {
    let name = sh.program.book.columns.get(column as usize).map_or("a hidden column", |c| c.name.as_str());
    Trap::internal(format!("`{name}` is asked of entry {}, which it does not have", key as i64))
}

#[cold]
pub(crate) fn bad_value(sh: &Shared, column: u16, value: i64) -> Trap {
    let col = &sh.columns[column as usize];
    let name = sh.program.book.columns.get(column as usize).map_or("a hidden column", |c| c.name.as_str());
    let what = if value == ABSENT { "nothing".to_owned() } else { value.to_string() };
    Trap::new(code::RANGE, format!("`{name}` holds {} to {} and cannot become {what}", col.lo, col.hi))
}

/// The steps and rules under way, the innermost first: code place of each.
pub(crate) fn places(sh: &Shared, mem: &[u64], cx: &Cx) -> Vec<usize> {
    let mut places = vec![cx.pc];
    places.extend(cx.calls.iter().rev().map(|call| call.pc as usize - 1));
    let mut base = cx.calls.first().map_or(cx.base, |call| call.base as usize);
    while let Some(function) = places.last().and_then(|&pc| sh.function_at(pc)) {
        if !matches!(sh.program.functions[function].origin, Origin::Step(_)) || base + 1 >= mem.len() {
            break;
        }
        let (back, caller) = (mem[base] as usize, mem[base + 1] as usize);
        if back == 0 || caller >= base {
            break;
        }
        places.push(back - 1);
        base = caller;
    }
    places
}
