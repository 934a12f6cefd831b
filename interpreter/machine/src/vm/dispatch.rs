//! The loop: one instruction after the other, until something outside must be asked.
//!
//! Rules are called on a stack of their own ([`Context::calls`]), never by native recursion; steps keep their return
//! addresses in the position. Operations are counted where code can repeat: at jumps backwards, at calls and at
//! choices.
//!
//! What an ordinary question is made of stands in the loop; the rest is done by functions of their own ([`rare`]), which
//! the compiler is told are called seldom: then what the loop always needs stays in the processor's registers.
//!
//! The frame is looked at through a window of [`WINDOW`] words, as many as a register can name: a register is always
//! inside, so reading one costs no check and no program can make it fail. Memory has that much slack at its end.

use blazon_book::MOST;
use blazon_program::Program;
use blazon_program::ir::{ABSENT, Op};

use crate::fault::Trap;
use crate::vm::context::{Call, Context, Stop};
use crate::vm::event::Event;
use crate::vm::memo::{self, Worth};
use crate::vm::prepared::Prepared;
use crate::vm::traps::{bad_key, endless, no_room, not_kept, out_of_range, outside};
use crate::vm::{rare, sets, text};

/// The words that a register can name, and the slack at the end of memory.
pub(crate) const WINDOW: usize = 1 << 16;
/// A frame and what may stand above it.
pub(crate) type Window = [u64; WINDOW];
/// What a call costs.
const CALL_COST: i64 = 16;
/// What a choice costs.
pub(crate) const CHOICE_COST: i64 = 16;

/// The window on the frame at `base`.
#[inline(always)]
fn window(frames: &mut [u64], from: usize) -> Option<&mut Window> {
    frames.get_mut(from..from.checked_add(WINDOW)?)?.first_chunk_mut()
}

/// The first thing of a set of one word.
#[inline(always)]
fn first_of(bits: u64) -> i64 {
    if bits == 0 { ABSENT } else { i64::from(bits.trailing_zeros()) }
}

/// Runs as [`crate::vm::call::exec`] does; the rules under way at the beginning are the first `floor` calls.
#[allow(clippy::too_many_lines)] // One arm for each instruction.
pub(crate) fn run(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    mut pc: usize,
    mut base: usize,
    pure: bool,
    floor: usize,
) -> Result<Stop, Trap> {
    let program: &Program = &prepared.program;
    let code = program.code.as_slice();
    let functions = program.functions.as_slice();
    let bottom = prepared.template.len();
    let mut top = base + functions[prepared.owner[pc] as usize].frame_words as usize;

    // Every turn of this loop has a frame of its own, or has let go of it for something larger.
    let end = 'frame: loop {
        let (state, frames) = mem.split_at_mut(bottom);
        let Some(frame) = window(frames, base.wrapping_sub(bottom)) else { break 'frame Err(outside()) };

        macro_rules! word {
            ($reg:expr) => {
                frame[$reg as usize]
            };
        }
        macro_rules! int {
            ($reg:expr) => {
                frame[$reg as usize] as i64
            };
        }
        macro_rules! put {
            ($reg:expr, $value:expr) => {
                frame[$reg as usize] = $value as u64
            };
        }
        macro_rules! tri {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(trap) => break 'frame Err(trap),
                }
            };
        }
        macro_rules! arith {
            ($dst:expr, $value:expr) => {
                match $value {
                    Some(value) if (-MOST..=MOST).contains(&value) => put!($dst, value),
                    _ => break 'frame Err(out_of_range()),
                }
            };
        }
        macro_rules! jump {
            ($to:expr) => {{
                let to = $to as usize;
                if to <= pc {
                    ctx.fuel -= (pc - to + 1) as i64;
                    if ctx.fuel < 0 {
                        break 'frame Err(endless(ctx));
                    }
                }
                pc = to;
                continue;
            }};
        }
        // A flag.
        macro_rules! flag {
            ($dst:expr, $value:expr) => {{
                let value: bool = $value;
                put!($dst, value);
            }};
        }
        // A flag, and a jump if it is as said; the jump by itself comes next and is passed over.
        macro_rules! branch {
            ($dst:expr, $value:expr, $to:expr, $when:expr) => {{
                let value: bool = $value;
                put!($dst, value);
                if value == $when {
                    jump!($to);
                } else {
                    pc += 1;
                }
            }};
        }
        // Whether a thing is in a set.
        macro_rules! has {
            ($set:expr, $elem:expr) => {
                match word!($elem) {
                    elem if elem == ABSENT as u64 => false,
                    elem => *spot!($set, elem) >> (elem & 63) & 1 != 0,
                }
            };
        }
        // The key of a column's entry.
        macro_rules! key {
            ($col:expr, $reg:expr, $column:expr) => {{
                let key = if $col.len == 1 { 0 } else { word!($reg) };
                if key >= $col.len {
                    break 'frame Err(bad_key(prepared, $column, key));
                }
                key
            }};
        }
        // So many words from a register on.
        macro_rules! run_of {
            ($reg:expr, $words:expr) => {
                frame[$reg as usize..][..$words as usize]
            };
        }
        // A set from sets, word by word.
        macro_rules! zip {
            ($dst:expr, $a:expr, $b:expr, $words:expr, $op:expr) => {
                if $words == 1 {
                    put!($dst, $op(word!($a), word!($b)))
                } else {
                    sets::zip(frame, $dst as usize, $a as usize, $b as usize, $words as usize, $op);
                }
            };
        }
        // The word of a set in which a thing stands.
        macro_rules! spot {
            ($set:expr, $elem:expr) => {
                match frame.get_mut(($set as usize).saturating_add(($elem >> 6) as usize)) {
                    Some(word) => word,
                    None => break 'frame Err(outside()),
                }
            };
        }

        loop {
            let op = &code[pc];
            // By place: copying the whole instruction first costs more than reading the fields that are wanted. Where a jump
            // goes is read when it jumps: read with the rest, it takes a register from all that is done before.
            match *op {
                Op::Int { dst, value } => put!(dst, i64::from(value)),
                Op::Ints { dst, value, dst2, value2 } => {
                    put!(dst, i64::from(value));
                    put!(dst2, i64::from(value2));
                    pc += 1;
                }
                Op::Number { dst, index } => put!(dst, program.numbers[index as usize]),
                Op::Set { dst, words, index } => match words {
                    1 => put!(dst, program.pool[index as usize]),
                    _ => sets::take(frame, dst, &program.pool, index as usize, words),
                },
                Op::Empty { dst, words } => match words {
                    1 => put!(dst, 0),
                    _ => sets::clear(frame, dst, words),
                },
                Op::Copy { dst, src, words } => match words {
                    1 => put!(dst, word!(src)),
                    _ => sets::copy(frame, dst, src, words),
                },

                Op::Add { dst, a, b } => arith!(dst, int!(a).checked_add(int!(b))),
                Op::Sub { dst, a, b } => arith!(dst, int!(a).checked_sub(int!(b))),
                Op::Min { dst, a, b } => put!(dst, int!(a).min(int!(b))),
                Op::Max { dst, a, b } => put!(dst, int!(a).max(int!(b))),
                Op::Odd { dst, a } => put!(dst, int!(a) & 1),
                Op::Eq { dst, a, b } => flag!(dst, word!(a) == word!(b)),
                Op::Ne { dst, a, b } => flag!(dst, word!(a) != word!(b)),
                Op::Lt { dst, a, b } => flag!(dst, int!(a) < int!(b)),
                Op::Le { dst, a, b } => flag!(dst, int!(a) <= int!(b)),
                Op::EqInt { dst, a, value } => flag!(dst, int!(a) == i64::from(value)),
                Op::IsAbsent { dst, a } => flag!(dst, int!(a) == ABSENT),
                Op::Not { dst, a } => flag!(dst, word!(a) == 0),

                Op::Index { dst, a, b, size } => {
                    put!(dst, word!(a).wrapping_mul(u64::from(size)).wrapping_add(word!(b)));
                }
                Op::Load { dst, column, key } => {
                    let col = &prepared.columns[column as usize];
                    let key = key!(col, key, column);
                    put!(dst, col.load(if col.fact { &program.facts } else { state }, key));
                }
                Op::LoadAt { dst, column, a, b, key, size } => {
                    let at = word!(a).wrapping_mul(u64::from(size)).wrapping_add(word!(b));
                    put!(key, at);
                    let col = &prepared.columns[column as usize];
                    if at >= col.len {
                        break 'frame Err(bad_key(prepared, column, at));
                    }
                    let source = if col.fact { &program.facts } else { &*state };
                    // What has a word of its own is as it stands there.
                    if col.shift == 6 {
                        put!(dst, source[col.offset + at as usize]);
                    } else {
                        put!(dst, col.load(source, at));
                    }
                    pc += 1;
                }
                Op::LoadSet { dst, column, key } => {
                    let col = &prepared.columns[column as usize];
                    let key = key!(col, key, column);
                    let source = if col.fact { &program.facts } else { &*state };
                    match col.set_words {
                        1 => put!(dst, col.bits(source, key)),
                        words => {
                            sets::take(frame, dst, source, col.offset + key as usize * words as usize, words)
                        }
                    }
                }
                Op::Members { dst, column } => {
                    let col = &prepared.columns[column as usize];
                    let source = if col.fact { &program.facts } else { &*state };
                    match col.key_words {
                        1 => put!(dst, source[col.offset]),
                        words => sets::take(frame, dst, source, col.offset, words),
                    }
                }
                Op::Where { dst, column, value } => {
                    let col = &prepared.columns[column as usize];
                    match (col.inverse != 0, col.holders(int!(value)), col.key_words) {
                        (true, Some(from), 1) => put!(dst, state[from]),
                        _ => {
                            let source = if col.fact { &program.facts } else { &*state };
                            let value = int!(value);
                            tri!(sets::holders(prepared, frame, column, source, value, dst));
                        }
                    }
                }
                Op::WhereBoth { dst, a, read, column, value } => {
                    let col = &prepared.columns[column as usize];
                    let Some(from) = col.holders(int!(value)) else {
                        break 'frame Err(bad_key(prepared, column, word!(value)));
                    };
                    put!(read, state[from]);
                    put!(dst, word!(a) & word!(read));
                    pc += 1;
                }
                Op::Fact { dst, key, len, offset } => {
                    let key = word!(key);
                    if key >= u64::from(len) {
                        break 'frame Err(outside());
                    }
                    put!(dst, program.facts[offset as usize + key as usize]);
                }
                Op::Word { dst, offset } => put!(dst, state[offset as usize]),
                Op::WordBoth { dst, a, read, offset } => {
                    put!(read, state[offset as usize]);
                    put!(dst, word!(a) & word!(read));
                    pc += 1;
                }
                Op::WordWithout { dst, a, read, offset } => {
                    put!(read, state[offset as usize]);
                    put!(dst, word!(a) & !word!(read));
                    pc += 1;
                }
                Op::Copies { dst, src, dst2, src2 } => {
                    put!(dst, word!(src));
                    put!(dst2, word!(src2));
                    pc += 1;
                }
                Op::Union { dst, a, b, words } => zip!(dst, a, b, words, |a: u64, b: u64| a | b),
                Op::Both { dst, a, b, words } => zip!(dst, a, b, words, |a: u64, b: u64| a & b),
                Op::Without { dst, a, b, words } => zip!(dst, a, b, words, |a: u64, b: u64| a & !b),
                Op::SetEq { dst, a, b, words } => match words {
                    1 => flag!(dst, word!(a) == word!(b)),
                    _ => flag!(dst, sets::same(frame, a, b, words)),
                },
                Op::Insert { set, elem } => match word!(elem) {
                    elem if elem == ABSENT as u64 => {}
                    elem => *spot!(set, elem) |= 1 << (elem & 63),
                },
                Op::Delete { set, elem } => match word!(elem) {
                    elem if elem == ABSENT as u64 => {}
                    elem => *spot!(set, elem) &= !(1 << (elem & 63)),
                },
                Op::Has { dst, set, elem } => flag!(dst, has!(set, elem)),
                Op::JumpEq { dst, a, b, ref to, when } => branch!(dst, word!(a) == word!(b), *to, when),
                Op::JumpNe { dst, a, b, ref to, when } => branch!(dst, word!(a) != word!(b), *to, when),
                Op::JumpLt { dst, a, b, ref to, when } => branch!(dst, int!(a) < int!(b), *to, when),
                Op::JumpLe { dst, a, b, ref to, when } => branch!(dst, int!(a) <= int!(b), *to, when),
                Op::JumpEqInt { dst, a, value, ref to, when } => {
                    branch!(dst, int!(a) == i64::from(value), *to, when)
                }
                Op::JumpAbsent { dst, a, ref to, when } => branch!(dst, int!(a) == ABSENT, *to, when),
                Op::JumpHas { dst, set, elem, ref to, when } => branch!(dst, has!(set, elem), *to, when),
                Op::JumpSome { dst, set, words, ref to, when } => match words {
                    1 => branch!(dst, word!(set) != 0, *to, when),
                    _ => branch!(dst, sets::any(frame, set, words), *to, when),
                },
                Op::Count { dst, set, words } => match words {
                    1 => put!(dst, word!(set).count_ones()),
                    _ => put!(dst, sets::count(frame, set, words)),
                },
                Op::Some { dst, set, words } => match words {
                    1 => flag!(dst, word!(set) != 0),
                    _ => flag!(dst, sets::any(frame, set, words)),
                },
                Op::First { dst, set, words } => match words {
                    1 => put!(dst, first_of(word!(set))),
                    _ => put!(dst, sets::first(frame, set, words)),
                },
                Op::Links { dst, kind, a } => {
                    let (links, thing) = (&prepared.links[kind as usize], word!(a));
                    match (links.link_words, links.links.get(thing as usize)) {
                        (1, Some(&set)) => put!(dst, set),
                        (words, _) => tri!(sets::of_thing(frame, dst as usize, &links.links, words, thing)),
                    }
                }
                Op::Neighbours { dst, kind, a } => {
                    let (links, thing) = (&prepared.links[kind as usize], word!(a));
                    match (links.end_words, links.neighbours.get(thing as usize)) {
                        (1, Some(&set)) => put!(dst, set),
                        (words, _) => {
                            tri!(sets::of_thing(frame, dst as usize, &links.neighbours, words, thing));
                        }
                    }
                }
                Op::Next { set, words, elem, ref exit } => {
                    if words == 1 {
                        let bits = word!(set);
                        if bits == 0 {
                            jump!(*exit);
                        } else {
                            put!(set, bits & (bits - 1));
                            put!(elem, bits.trailing_zeros());
                        }
                    } else {
                        match sets::take_first(frame, set, words) {
                            Some(thing) => put!(elem, thing),
                            None => jump!(*exit),
                        }
                    }
                }
                Op::Again { set, words, elem, ref to } => {
                    if words == 1 {
                        let bits = word!(set);
                        if bits != 0 {
                            put!(set, bits & (bits - 1));
                            put!(elem, bits.trailing_zeros());
                            jump!(*to);
                        }
                    } else if let Some(thing) = sets::take_first(frame, set, words) {
                        put!(elem, thing);
                        jump!(*to);
                    }
                }
                Op::NextNumber { counter, limit, ref exit } => {
                    let next = int!(counter).wrapping_add(1);
                    put!(counter, next);
                    if next > int!(limit) {
                        jump!(*exit);
                    }
                }
                Op::Jump { ref to } => jump!(*to),
                Op::JumpIf { a, ref to } => {
                    if word!(a) != 0 {
                        jump!(*to);
                    }
                }
                Op::JumpUnless { a, ref to } => {
                    if word!(a) == 0 {
                        jump!(*to);
                    }
                }
                Op::Call { function, args, dst } => {
                    let info = &functions[function as usize];
                    let mut memo = 0;
                    let worth = prepared.groups.worth[function as usize];
                    if worth != Worth::NOTHING {
                        memo = memo::key(function, &run_of!(args, info.param_words));
                        if info.result_words == 1 {
                            if let Some(answer) = ctx.memo.get(memo, worth) {
                                put!(dst, answer);
                                pc += 1;
                                continue;
                            }
                        } else if rare::answered(frame, &mut ctx.memo, (memo, worth), dst, info.result_words)
                        {
                            pc += 1;
                            continue;
                        }
                    }
                    let above = top + info.frame_words as usize;
                    ctx.fuel -= CALL_COST;
                    if above > ctx.limits.words || ctx.fuel < 0 || ctx.calls.len() >= ctx.limits.depth {
                        break 'frame Err(no_room(ctx, above > ctx.limits.words));
                    }
                    let next = top - base;
                    for i in 0..info.param_words as usize {
                        frame[next + i] = frame[args as usize + i];
                    }
                    let words = info.result_words;
                    ctx.calls.push(Call {
                        pc: pc as u32 + 1,
                        base: base as u32,
                        top: top as u32,
                        dst,
                        words,
                        memo,
                    });
                    base = top;
                    top = above;
                    pc = info.entry as usize;
                    continue 'frame;
                }
                Op::Do { function, args, key, .. } => {
                    let info = &functions[function as usize];
                    let next = functions[prepared.owner[pc] as usize].local_words as usize;
                    let above = base + next + info.frame_words as usize;
                    ctx.fuel -= CALL_COST;
                    if above > ctx.limits.words || ctx.fuel < 0 || ctx.depth >= ctx.limits.depth {
                        break 'frame Err(no_room(ctx, above > ctx.limits.words));
                    }
                    ctx.depth += 1;
                    if let Some(count) = ctx.counts.get_mut(function as usize) {
                        *count += 1;
                    }
                    let header = [pc as u64 + 1, base as u64, word!(key)];
                    rare::lay_out(frame, info, args, next, header);
                    base += next;
                    top = above;
                    pc = info.entry as usize;
                    continue 'frame;
                }
                Op::Return { src } => {
                    let from = base + src as usize;
                    if ctx.calls.len() > floor {
                        let Some(call) = ctx.calls.pop() else { break 'frame Err(outside()) };
                        let to = call.base as usize + call.dst as usize;
                        match call.words {
                            1 => {
                                if call.memo != 0 {
                                    ctx.memo.put(call.memo, mem[from]);
                                }
                                mem[to] = mem[from];
                            }
                            words => {
                                if call.memo != 0 {
                                    rare::remember(&mut ctx.memo, &call, mem, from);
                                }
                                rare::hand_back(mem, from, words as usize, to);
                            }
                        }
                        (pc, base, top) = (call.pc as usize, call.base as usize, call.top as usize);
                        continue 'frame;
                    }
                    if pure {
                        break 'frame Ok(Stop::Returned(from));
                    }
                    let (back, caller) = (frame[0] as usize, frame[1] as usize);
                    if back == 0 {
                        pc = 0;
                        continue;
                    }
                    let Some(Op::Do { function, dst, .. }) = code.get(back - 1).copied() else {
                        break 'frame Err(outside());
                    };
                    let words = functions[function as usize].result_words as usize;
                    rare::hand_back(mem, from, words, caller + dst as usize);
                    ctx.depth = ctx.depth.saturating_sub(1);
                    (pc, base) = (back, caller);
                    top = base + functions[prepared.owner[pc - 1] as usize].frame_words as usize;
                    continue 'frame;
                }
                Op::Keep { value, range } => {
                    let info = &program.ranges[range as usize];
                    let value = int!(value);
                    let fits = info.lo <= value && value <= info.hi || info.optional && value == ABSENT;
                    if !fits {
                        break 'frame Err(not_kept(info, value));
                    }
                }
                Op::Text { text } => {
                    ctx.line = tri!(text::capture(prepared, mem, ctx, base, top, text));
                    pc += 1;
                    continue 'frame;
                }
                Op::Say { text, announce } => {
                    tri!(ctx.tells(prepared.text_words[text as usize]));
                    if ctx.record {
                        let line = tri!(text::capture(prepared, mem, ctx, base, top, text));
                        ctx.events.push(Event::Said { announce, line });
                    }
                    pc += 1;
                    continue 'frame;
                }

                Op::Mul { .. }
                | Op::Div { .. }
                | Op::DivUp { .. }
                | Op::DivNearest { .. }
                | Op::Tick { .. }
                | Op::Store { .. }
                | Op::StoreSet { .. }
                | Op::WhereIs { .. }
                | Op::Image { .. }
                | Op::Reset { .. }
                | Op::Alike { .. }
                | Op::NeighboursOf { .. }
                | Op::Between { .. }
                | Op::Ends { .. }
                | Op::AddDie { .. }
                | Op::DropDie { .. }
                | Op::Reach { .. }
                | Op::Push { .. }
                | Op::PushAll { .. }
                | Op::Table { .. }
                | Op::MixSite { .. }
                | Op::MixValue { .. }
                | Op::MixSet { .. }
                | Op::MixCount { .. }
                | Op::Die { .. }
                | Op::Dice { .. }
                | Op::Draw { .. }
                | Op::Emit { .. } => tri!(rare::work(prepared, state, frame, ctx, pc)),
                Op::EmitAll { option, args, count, set, words } => {
                    let first = &run_of!(args, count.saturating_sub(1));
                    tri!(rare::emit_all(ctx, option, first, &run_of!(set, words)));
                }
                Op::EmitPairs { option, first, words, second, others } => {
                    tri!(rare::emit_pairs(ctx, option, &run_of!(first, words), &run_of!(second, others)));
                }
                Op::Group { set, group, column, value, elem } => {
                    let col = &prepared.columns[column as usize];
                    let key = key!(col, elem, column);
                    let own = col.load(if col.fact { &program.facts } else { state }, key);
                    put!(value, own);
                    match (col.inverse != 0, col.holders(own), col.key_words) {
                        (true, Some(from), 1) => {
                            let (all, holding) = (word!(set), state[from]);
                            put!(group, all & holding | 1 << (key & 63));
                            put!(set, all & !holding);
                        }
                        _ => tri!(rare::group(prepared, state, frame, op, key)),
                    }
                }
                Op::NextDie { ref exit, .. } | Op::NextOf { ref exit, .. } | Op::NextWay { ref exit, .. } => {
                    if !tri!(rare::next(prepared, frame, pc)) {
                        jump!(*exit);
                    }
                }
                Op::Win { .. }
                | Op::Over
                | Op::Done
                | Op::Clash
                | Op::Choose { .. }
                | Op::EachNext { .. }
                | Op::Refuse { .. } => break 'frame rare::stop(prepared, frame, pc),
            }
            pc += 1;
        }
    };
    if end.is_err() || !pure {
        (ctx.pc, ctx.base) = (pc, base);
    }
    end
}
