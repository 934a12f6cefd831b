//! Dice and draws: keys are mixed here, and what a test has laid ready comes before chance.
//!
//! The functions here decide what falls; changing one changes every saved game.

use blazon_book::KindId;
use blazon_kernel::{bits, chance};
use blazon_program::ir::{ABSENT, DICE_WORDS, MAX_DICE};

use crate::fault::{Trap, code};
use crate::vm::context::Context;
use crate::vm::event::Event;
use crate::vm::prepared::Prepared;

const SITE: u64 = chance::hash_text("site");
const VALUE: u64 = chance::hash_text("value");
const NOTHING: u64 = chance::hash_text("nothing");
const SET: u64 = chance::hash_text("set");
const COUNT: u64 = chance::hash_text("count");
const OTHERS: u64 = chance::hash_text("others");
/// The key of the outermost step.
pub(crate) const OUTERMOST: u64 = chance::hash_text("outermost");

/// A key for a place in the book.
#[inline]
pub(crate) fn site(key: u64, site: u32) -> u64 {
    chance::mix(key ^ SITE, u64::from(site))
}

/// A key for a thing (by its name) or a number.
#[inline]
pub(crate) fn value(prepared: &Prepared, key: u64, kind: u16, value: u64) -> u64 {
    if value == ABSENT as u64 {
        return chance::mix(key ^ VALUE, NOTHING);
    }
    let name = prepared.luck.get(kind as usize).and_then(|names| names.get(usize::try_from(value).ok()?));
    chance::mix(key ^ VALUE, name.copied().unwrap_or(value))
}

/// A key for a set, whatever the order of its kind; `words` begins with the set.
pub(crate) fn set(prepared: &Prepared, key: u64, kind: u16, words: &[u64]) -> u64 {
    let names = &prepared.luck[kind as usize];
    let words = &words[..(prepared.program.kinds[kind as usize].words as usize).min(words.len())];
    let sum = bits::iter(words)
        .filter_map(|thing| names.get(thing))
        .fold(0u64, |sum, &name| sum.wrapping_add(chance::finish(name)));
    chance::mix(key ^ SET, sum)
}

/// A key for how often this key came here: three keys are counted each for itself (40 bits of the key, 24 of count),
/// all others together, so that no key ever comes twice.
pub(crate) fn count(slots: &mut [u64], key: u64) -> u64 {
    let tag = chance::finish(key) >> 24 << 24;
    for slot in &mut slots[..3] {
        if *slot == 0 {
            *slot = tag;
        }
        if *slot >> 24 << 24 == tag && *slot & 0xff_ffff < 0xff_ffff {
            *slot += 1;
            return chance::mix(key ^ COUNT, *slot & 0xff_ffff);
        }
    }
    slots[3] = slots[3].wrapping_add(1);
    chance::mix(key ^ OTHERS, slots[3])
}

fn fall(ctx: &mut Context, seed: u64, sides: i64, key: u64) -> Result<i64, Trap> {
    if !(1..=255).contains(&sides) {
        return Err(Trap::new(code::RANGE, format!("a die cannot have {sides} sides")));
    }
    match ctx.dice.pop_front() {
        Some(laid) if (1..=sides).contains(&laid) => Ok(laid),
        Some(laid) => Err(Trap::new(
            code::SCRIPT,
            format!("the next die of the test shows {laid}, and this one has {sides} sides"),
        )),
        None => Ok(chance::die(chance::mix(seed, key), sides as u64) as i64),
    }
}

/// One die.
#[inline]
pub(crate) fn die(ctx: &mut Context, pc: usize, seed: u64, sides: i64, key: u64) -> Result<i64, Trap> {
    let fell = fall(ctx, seed, sides, key)?;
    ctx.tells(0)?;
    if ctx.record {
        ctx.events.push(Event::Rolled { sides, dice: vec![fell as u8], at: pc as u32 });
    }
    Ok(fell)
}

/// Several dice.
pub(crate) fn dice(
    ctx: &mut Context,
    pc: usize,
    seed: u64,
    sides: i64,
    count: i64,
    key: u64,
) -> Result<[u64; DICE_WORDS], Trap> {
    if !(0..=MAX_DICE as i64).contains(&count) {
        return Err(Trap::new(
            code::RANGE,
            format!("{count} dice cannot be rolled at once; the most is {MAX_DICE}"),
        ));
    }
    ctx.tells(count as usize / 8)?;
    let mut rolled = [0; DICE_WORDS];
    let mut record = Vec::new();
    rolled[0] = count as u64;
    for i in 0..count as usize {
        let fell = fall(ctx, seed, sides, chance::mix(key, i as u64))?;
        rolled[1 + i / 8] |= (fell as u64) << (i % 8 * 8);
        if ctx.record {
            record.push(fell as u8);
        }
    }
    if ctx.record {
        ctx.events.push(Event::Rolled { sides, dice: record, at: pc as u32 });
    }
    Ok(rolled)
}

/// What is drawn, and with which luck.
#[derive(Clone, Copy)]
pub(crate) struct Lot {
    pub kind: u16,
    pub count: i64,
    pub seed: u64,
    pub key: u64,
}

/// So many of a set: those that the test names, then those with the least luck. The set and the place of the result
/// are counted from the beginning of the frame.
pub(crate) fn draw(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    pc: usize,
    Lot { kind, count, seed, key }: Lot,
    set: usize,
    dst: usize,
) -> Result<(), Trap> {
    let names = &prepared.luck[kind as usize];
    let words = prepared.program.kinds[kind as usize].words as usize;
    let key = chance::mix(seed, key);
    ctx.marks.clear();
    ctx.marks.resize(words, 0);
    let Ok(mut wanted) = usize::try_from(count) else {
        return Err(Trap::new(code::RANGE, format!("{count} things cannot be drawn")));
    };
    while wanted > 0 {
        let Some((k, named)) = ctx.cards.pop_front() else { break };
        let kinds = &prepared.program.book.kinds;
        let name = || kinds[k.0 as usize].things.get(named as usize).map_or("?", |thing| thing.name.as_str());
        if k.0 != u32::from(kind) {
            let (name, drawn) = (name(), &kinds[kind as usize].name);
            return Err(Trap::new(
                code::SCRIPT,
                format!("the next draw of the test is {name}, and this is one of the kind `{drawn}`"),
            ));
        }
        let is_free = |thing: &usize| !bits::has(&ctx.marks, *thing);
        let found = bits::iter(&mem[set..set + words])
            .filter(is_free)
            .filter(|&thing| {
                thing == named as usize || prepared.alike(Some(k), thing as i64, i64::from(named))
            })
            .min_by_key(|&thing| thing != named as usize);
        let Some(thing) = found else {
            return Err(Trap::new(
                code::SCRIPT,
                format!("the test draws {}, which is not there to be drawn", name()),
            ));
        };
        bits::insert(&mut ctx.marks, thing);
        wanted -= 1;
    }
    ctx.lots.clear();
    for thing in bits::iter(&mem[set..set + words]) {
        if !bits::has(&ctx.marks, thing) {
            let Some(&name) = names.get(thing) else {
                return Err(Trap::internal(format!("there is no thing {thing}")));
            };
            ctx.lots.push((chance::luck(key, name), thing as u32));
        }
    }
    if wanted > 0 && wanted < ctx.lots.len() {
        ctx.lots.select_nth_unstable(wanted - 1);
    }
    for &(_, thing) in ctx.lots.iter().take(wanted) {
        bits::insert(&mut ctx.marks, thing as usize);
    }
    mem[dst..dst + words].copy_from_slice(&ctx.marks);
    // Each thing of the set was looked at, and those drawn are told.
    ctx.fuel -= ctx.lots.len() as i64;
    ctx.tells(bits::count(&ctx.marks) / 2)?;
    if ctx.record {
        let things = bits::iter(&ctx.marks).map(|thing| thing as u32).collect();
        ctx.events.push(Event::Drawn { kind: KindId(u32::from(kind)), things, at: pc as u32 });
    }
    Ok(())
}
