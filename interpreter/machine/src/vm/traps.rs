//! What the loop says when it cannot go on, and where it was then.

use blazon_book::RuleBody;
use blazon_program::ir::{ABSENT, Origin, RangeInfo};

use crate::fault::{Trap, code};
use crate::vm::context::Context;
use crate::vm::prepared::Prepared;

#[cold]
pub(crate) fn out_of_range() -> Trap {
    Trap::new(code::RANGE, "a number is divided by zero or leaves ±1,000,000,000,000,000")
}

#[cold]
pub(crate) fn endless(ctx: &Context) -> Trap {
    Trap::new(code::ENDLESS, format!("no decision after {} operations", ctx.limits.ops))
}

#[cold]
pub(crate) fn out_of_memory(ctx: &Context) -> Trap {
    Trap::new(code::MEMORY, format!("more than {} words of memory are wanted", ctx.limits.words))
}

#[cold]
pub(crate) fn too_much_told(ctx: &Context) -> Trap {
    Trap::new(
        code::MEMORY,
        format!(
            "what is said, rolled and drawn before the next decision fills more than {} words",
            ctx.limits.told
        ),
    )
}

#[cold]
pub(crate) fn no_room(ctx: &Context, memory: bool) -> Trap {
    if memory {
        out_of_memory(ctx)
    } else if ctx.fuel < 0 {
        endless(ctx)
    } else {
        Trap::new(code::DEPTH, format!("more than {} steps or rules are under way at once", ctx.limits.depth))
    }
}

#[cold]
pub(crate) fn outside() -> Trap {
    Trap::internal("a value lies outside its frame")
}

#[cold]
pub(crate) fn clash(prepared: &Prepared, pc: usize) -> Trap {
    let program = &prepared.program;
    let function = prepared.function_at(pc).map(|function| &program.functions[function]);
    let name = function.map_or("a rule", |function| function.name.as_str());
    let exceptions = match function.map(|function| function.origin) {
        Some(Origin::Rule(rule)) => match &program.book.rule(rule).body {
            RuleBody::Value { exceptions, .. } => exceptions.as_slice(),
            RuleBody::Permission(_) | RuleBody::Table(_) => &[],
        },
        Some(Origin::Step(_) | Origin::Explain(_) | Origin::Made) | None => &[],
    };
    let labels: Vec<String> = other_side(prepared, pc)
        .into_iter()
        .chain([pc])
        .filter_map(|pc| exceptions.iter().find(|exception| exception.span == program.spans[pc]))
        .filter(|exception| !exception.label.is_empty())
        .map(|exception| format!("`{}`", exception.label))
        .collect();
    let message = match labels.as_slice() {
        [a, b] => format!("the exceptions {b} and {a} of `{name}` hold at once and disagree"),
        _ => format!("two exceptions of `{name}` hold at once and disagree"),
    };
    Trap::new(code::CLASH, message)
}

/// The place of the exception that is compared, where two disagree: the operation itself stands at the first of them.
pub(crate) fn other_side(prepared: &Prepared, pc: usize) -> Option<usize> {
    let spans = &prepared.program.spans;
    let before = pc.checked_sub(1)?;
    (spans.get(before)? != spans.get(pc)?).then_some(before)
}

#[cold]
pub(crate) fn bad_key(prepared: &Prepared, column: u16, key: u64) -> Trap {
    let name =
        prepared.program.book.columns.get(column as usize).map_or("a hidden column", |c| c.name.as_str());
    Trap::internal(format!("`{name}` is asked of entry {}, which it does not have", key as i64))
}

#[cold]
pub(crate) fn bad_value(prepared: &Prepared, column: u16, value: i64) -> Trap {
    let col = &prepared.columns[column as usize];
    let name =
        prepared.program.book.columns.get(column as usize).map_or("a hidden column", |c| c.name.as_str());
    let what = if value == ABSENT { "nothing".to_owned() } else { value.to_string() };
    Trap::new(code::RANGE, format!("`{name}` holds {} to {} and cannot become {what}", col.lo, col.hi))
}

#[cold]
pub(crate) fn not_kept(range: &RangeInfo, value: i64) -> Trap {
    let RangeInfo { lo, hi, keeper, .. } = range;
    Trap::new(code::RANGE, format!("{keeper} {lo} to {hi}, not {value}"))
}

/// The steps and rules under way, the innermost first: code place of each.
pub(crate) fn places(prepared: &Prepared, mem: &[u64], ctx: &Context) -> Vec<usize> {
    let mut places = vec![ctx.pc];
    places.extend(ctx.calls.iter().rev().map(|call| call.pc as usize - 1));
    let mut base = ctx.calls.first().map_or(ctx.base, |call| call.base as usize);
    while let Some(function) = places.last().and_then(|&pc| prepared.function_at(pc)) {
        if !matches!(prepared.program.functions[function].origin, Origin::Step(_)) || base + 1 >= mem.len() {
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
