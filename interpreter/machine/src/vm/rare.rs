//! The instructions that are met seldom, or that are so much work that a call more does not matter: out of the way of the
//! loop in [`crate::vm::dispatch`].

use blazon_book::{MOST, divide, divide_nearest, divide_up};
use blazon_program::ir::{ABSENT, DICE_WORDS, Function, HEADER, Op, slot};

use crate::fault::{Trap, code};
use crate::vm::context::{Call, Context, Stop};
use crate::vm::dispatch::Window;
use crate::vm::memo::{Memo, Worth};
use crate::vm::prepared::{Prepared, PreparedColumn};
use crate::vm::traps::{bad_key, bad_value, clash, out_of_range, outside};
use crate::vm::{dice, sets};

/// The most options of one choice: nobody looks through more, and whoever plays is told them all.
const MOST_OPTIONS: usize = 1 << 16;

#[cold]
fn too_many() -> Trap {
    Trap::new(code::MEMORY, format!("a choice has more than {MOST_OPTIONS} options"))
}

/// The key of a column's entry.
fn key(prepared: &Prepared, frame: &Window, column: u16, reg: u16) -> Result<u64, Trap> {
    let col = &prepared.columns[column as usize];
    let key = if col.len == 1 { 0 } else { frame[reg as usize] };
    if key >= col.len { Err(bad_key(prepared, column, key)) } else { Ok(key) }
}

/// Does an instruction after which the next one comes.
#[cold]
#[inline(never)]
#[allow(clippy::wildcard_enum_match_arm, reason = "the loop names those that it hands on")]
pub(crate) fn work(
    prepared: &Prepared,
    state: &mut [u64],
    frame: &mut Window,
    ctx: &mut Context,
    pc: usize,
) -> Result<(), Trap> {
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
    macro_rules! arith {
        ($dst:expr, $value:expr) => {
            match $value {
                Some(value) if (-MOST..=MOST).contains(&value) => word!($dst) = value as u64,
                _ => return Err(out_of_range()),
            }
        };
    }
    // So many words from a register on.
    macro_rules! run_of {
        ($reg:expr, $words:expr) => {
            frame[$reg as usize..][..$words as usize]
        };
    }
    match prepared.program.code[pc] {
        Op::Emit { option, args, count } => {
            if ctx.emit.len() >= MOST_OPTIONS {
                return Err(too_many());
            }
            ctx.emit.push(option, &run_of!(args, count));
        }
        Op::Between { dst, kind, a, b } => {
            word!(dst) = sets::between(&prepared.program.kinds[kind as usize], int!(a), int!(b))? as u64;
        }
        Op::Image { dst, column, set, words } => {
            let col = &prepared.columns[column as usize];
            let source = if col.fact { &prepared.program.facts } else { &*state };
            if (col.key_words, words) == (1, 1) {
                word!(dst) = image(col, source, word!(set));
            } else {
                sets::image(frame, col, source, set as usize, dst as usize, words as usize);
            }
        }
        Op::NeighboursOf { dst, kind, set } => {
            sets::neighbours_of(frame, &prepared.links[kind as usize], set as usize, dst as usize);
        }
        Op::Store { column, key: reg, src } => {
            let col = &prepared.columns[column as usize];
            let key = key(prepared, frame, column, reg)?;
            let value = int!(src);
            if !col.takes(value) {
                return Err(bad_value(prepared, column, value));
            }
            col.store(state, key, value);
            ctx.stores.note(column, key, value);
            ctx.memo.change(prepared.groups.of_column[column as usize]);
        }
        Op::StoreSet { column, key: reg, src } => {
            let col = &prepared.columns[column as usize];
            let key = key(prepared, frame, column, reg)?;
            col.set_entry(state, key, &run_of!(src, col.set_words));
            ctx.memo.change(prepared.groups.of_column[column as usize]);
        }
        Op::WhereIs { dst, column, value } => {
            let source =
                if prepared.columns[column as usize].fact { &prepared.program.facts } else { &*state };
            let value = if value < 0 { ABSENT } else { i64::from(value) };
            sets::holders(prepared, frame, column, source, value, dst)?;
        }
        Op::Mul { dst, a, b } => arith!(dst, int!(a).checked_mul(int!(b))),
        Op::Div { dst, a, b } => arith!(dst, divide(int!(a), int!(b))),
        Op::DivUp { dst, a, b } => arith!(dst, divide_up(int!(a), int!(b))),
        Op::DivNearest { dst, a, b } => arith!(dst, divide_nearest(int!(a), int!(b))),
        Op::Tick { flag, site } => ctx.tick(site, word!(flag) != 0),
        Op::Reset { scope } => {
            for range in &prepared.scopes[scope as usize] {
                state[range.clone()].copy_from_slice(&prepared.template[range.clone()]);
            }
            ctx.memo.change(prepared.groups.of_scope[scope as usize]);
        }
        Op::Alike { set, kind } => sets::alike(prepared, state, frame, set as usize, kind),
        Op::Ends { dst, kind, a } => {
            let link = int!(a);
            sets::ends(prepared, frame, dst as usize, kind, link)?;
        }
        Op::AddDie { dice, die } => {
            let fell = word!(die);
            sets::add_die(&mut run_of!(dice, DICE_WORDS), fell)?;
        }
        Op::DropDie { dice, die } => {
            let fell = word!(die);
            sets::drop_die(&mut run_of!(dice, DICE_WORDS), fell);
        }
        Op::Reach { set, purse, kind, elem, left } => {
            let (elem, left) = (int!(elem), int!(left));
            sets::reach(frame, &prepared.program.kinds[kind as usize], (set, purse), elem, left)?;
        }
        Op::Push { seq, elem } => {
            let elem = word!(elem);
            sets::push(frame, seq as usize, elem)?;
        }
        Op::PushAll { seq, set, words } => {
            sets::push_all(frame, seq as usize, set as usize, words as usize)?;
        }
        Op::Table { dst, table, args } => {
            let info = &prepared.program.tables[table as usize];
            word!(dst) = sets::look_up(prepared, info, &run_of!(args, info.leading + 1))? as u64;
        }
        Op::MixSite { dst, key, site } => word!(dst) = dice::site(word!(key), site),
        Op::MixValue { dst, key, value, kind } => {
            word!(dst) = dice::value(prepared, word!(key), kind, word!(value));
        }
        Op::MixSet { dst, key, set, kind } => {
            word!(dst) = dice::set(prepared, word!(key), kind, &frame[set as usize..]);
        }
        Op::MixCount { dst, key, slots } => {
            let key = word!(key);
            word!(dst) = dice::count(&mut run_of!(slots, 4), key);
        }
        Op::Die { dst, sides, key } => {
            word!(dst) = dice::die(ctx, pc, state[slot::SEED], int!(sides), word!(key))? as u64;
        }
        Op::Dice { dst, sides, count, key } => {
            let seed = state[slot::SEED];
            let rolled = dice::dice(ctx, pc, seed, int!(sides), int!(count), word!(key))?;
            run_of!(dst, DICE_WORDS).copy_from_slice(&rolled);
        }
        Op::Draw { dst, set, count, key, kind } => {
            let lot = dice::Lot { kind, count: int!(count), seed: state[slot::SEED], key: word!(key) };
            dice::draw(prepared, frame, ctx, pc, lot, set as usize, dst as usize)?;
        }
        _ => return Err(outside()),
    }
    Ok(())
}

/// An option for each thing of a set, which is its last argument.
#[inline(never)]
pub(crate) fn emit_all(ctx: &mut Context, option: u16, first: &[u64], last: &[u64]) -> Result<(), Trap> {
    if ctx.emit.push_all(option, first, last, MOST_OPTIONS) { Ok(()) } else { Err(too_many()) }
}

/// An option for each thing of a set with each of another.
#[inline(never)]
pub(crate) fn emit_pairs(ctx: &mut Context, option: u16, first: &[u64], last: &[u64]) -> Result<(), Trap> {
    if ctx.emit.push_pairs(option, first, last, MOST_OPTIONS) { Ok(()) } else { Err(too_many()) }
}

/// Takes the group of a thing out of a set of several words, or by a column without an index, as [`Op::Group`] says; the
/// value is there already.
#[cold]
#[inline(never)]
pub(crate) fn group(
    prepared: &Prepared,
    state: &[u64],
    frame: &mut Window,
    op: &Op,
    thing: u64,
) -> Result<(), Trap> {
    let Op::Group { set, group, column, value, .. } = *op else { return Err(outside()) };
    let col = &prepared.columns[column as usize];
    let source = if col.fact { &prepared.program.facts } else { state };
    let own = frame[value as usize] as i64;
    sets::holders(prepared, frame, column, source, own, group)?;
    let (set, of, words) = (set as usize, group as usize, col.key_words as usize);
    sets::zip(frame, of, of, set, words, |holding, all| holding & all);
    sets::zip(frame, set, set, of, words, |all, taken| all & !taken);
    *frame.get_mut(of + (thing >> 6) as usize).ok_or_else(outside)? |= 1 << (thing & 63);
    Ok(())
}

/// The values that the things of a set of one word hold.
fn image(col: &PreparedColumn, source: &[u64], set: u64) -> u64 {
    let within = if col.len >= 64 { u64::MAX } else { (1 << col.len) - 1 };
    let (mut rest, mut image) = (set & within, 0);
    while rest != 0 {
        // Of an absent value nothing is left: it is no thing of a kind.
        let value = col.load(source, u64::from(rest.trailing_zeros())) as u64;
        image |= u64::from(value < 64) << (value & 63);
        rest &= rest - 1;
    }
    image
}

/// The next die, or the next of a sequence; answers whether there is one.
#[cold]
#[inline(never)]
#[allow(clippy::wildcard_enum_match_arm, reason = "the loop names those that it hands on")]
pub(crate) fn next(prepared: &Prepared, frame: &mut Window, pc: usize) -> Result<bool, Trap> {
    let (to, next) = match prepared.program.code[pc] {
        Op::NextDie { dice, die, .. } => (die, sets::next_die(&mut frame[dice as usize..][..DICE_WORDS])),
        Op::NextWay { set, purse, kind, elem, .. } => {
            (elem, sets::next_way(frame, &prepared.program.kinds[kind as usize], (set, purse)))
        }
        Op::NextOf { seq, elem, .. } => (elem, sets::next_of(frame, seq as usize)?),
        _ => return Err(outside()),
    };
    if let Some(next) = next {
        frame[to as usize] = next;
    }
    Ok(next.is_some())
}

/// Lays out the frame of a step at `next`: its header, its arguments, which are temporaries of the caller and may lie where it
/// begins, and its other locals.
#[cold]
#[inline(never)]
pub(crate) fn lay_out(frame: &mut Window, info: &Function, args: u16, next: usize, header: [u64; HEADER]) {
    let (from, params) = (args as usize, info.param_words as usize);
    frame.copy_within(from..from + params, next + HEADER);
    let locals = (info.local_words as usize).max(HEADER + params);
    frame[next + HEADER + params..next + locals].fill(0);
    frame[next..next + HEADER].copy_from_slice(&header);
}

/// Copies a result of several words, or none, to who asked for it.
#[cold]
#[inline(never)]
pub(crate) fn hand_back(mem: &mut [u64], from: usize, words: usize, to: usize) {
    mem.copy_within(from..from + words, to);
}

/// Takes an answer of several words that was given before; whether there is one.
pub(crate) fn answered(
    frame: &mut Window,
    memo: &mut Memo,
    (key, worth): (u64, Worth),
    dst: u16,
    words: u16,
) -> bool {
    let words = usize::from(words);
    match (memo.get_wide(key, worth, words), frame.get_mut(usize::from(dst)..usize::from(dst) + words)) {
        (Some(answer), Some(place)) => {
            place.copy_from_slice(answer);
            true
        }
        _ => false,
    }
}

/// Remembers an answer of several words that a call hands back.
pub(crate) fn remember(memo: &mut Memo, call: &Call, mem: &[u64], from: usize) {
    if let Some(answer) = mem.get(from..from + usize::from(call.words)) {
        memo.put_wide(call.memo, answer);
    }
}

/// Why the loop stops at an instruction.
#[cold]
#[inline(never)]
#[allow(clippy::wildcard_enum_match_arm, reason = "the loop names those that it hands on")]
pub(crate) fn stop(prepared: &Prepared, frame: &Window, pc: usize) -> Result<Stop, Trap> {
    match prepared.program.code[pc] {
        Op::Win { player } => Ok(Stop::Won(frame[player as usize] as i64)),
        Op::Over => Ok(Stop::Over),
        Op::Done => Ok(Stop::Done),
        Op::Clash => Err(clash(prepared, pc)),
        Op::Choose { choice } => Ok(Stop::Choose(choice)),
        Op::EachNext { choice } => Ok(Stop::EachNext(choice)),
        Op::Refuse { need } => Ok(Stop::Refused(need)),
        _ => Err(outside()),
    }
}
