//! The larger instructions: on sets, links, sequences and tables.

use blazon_book::{Base, KindId};
use blazon_kernel::bits;
use blazon_program::ir::{ABSENT, DICE_WORDS, KindInfo, MAX_DICE, TableInfo};

use crate::fault::{Trap, code};
use crate::vm::prepared::{LinkSets, Prepared, PreparedColumn};
use crate::vm::traps::bad_key;

/// Keeps only the first of look-alikes that nothing tells apart.
pub(crate) fn alike(prepared: &Prepared, state: &[u64], mem: &mut [u64], set: usize, kind: u16) {
    let info = &prepared.program.kinds[kind as usize];
    let Some(groups) = &info.groups else { return };
    let mut kept: Vec<(u32, u32)> = Vec::new();
    for i in 0..info.words as usize {
        let mut rest = mem[set + i];
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let thing = i * 64 + bit.trailing_zeros() as usize;
            let Some(&group) = groups.get(thing) else { continue };
            let is_same = |&(of, other): &(u32, u32)| {
                of == group && is_same(prepared, state, KindId(kind.into()), (other, thing as u32))
            };
            if kept.iter().any(is_same) {
                mem[set + i] &= !bit;
            } else {
                kept.push((group, thing as u32));
            }
        }
    }
}

/// Whether no state tells two look-alikes apart: none of theirs differs, and none holds one of them without the other.
pub(crate) fn is_same(prepared: &Prepared, state: &[u64], kind: KindId, things: (u32, u32)) -> bool {
    let columns = prepared.columns.iter().zip(&prepared.program.book.columns);
    let mut states = columns.filter(|(column, declared)| {
        !column.fact && (declared.keys.contains(&kind) || declared.ty.base.kind() == Some(kind))
    });
    things.0 == things.1
        || states.all(|(column, declared)| {
            strides(prepared, &declared.keys).filter(|(of, ..)| *of == kind).all(|(_, stride, count)| {
                let (a, b) = (u64::from(things.0) * stride, u64::from(things.1) * stride);
                let mut rows = (0..column.len).step_by((stride * count) as usize);
                rows.all(|row| (row..row + stride).all(|key| is_equal(column, state, key + a, key + b)))
            }) && holds_both_or_none(column, state, declared.ty.base, kind, things)
        })
}

fn is_equal(column: &PreparedColumn, state: &[u64], one: u64, other: u64) -> bool {
    if column.set_words > 1 {
        column.entry(state, one) == column.entry(state, other)
    } else {
        column.bits(state, one) == column.bits(state, other)
    }
}

/// Of each key its kind, how many entries lie between two of its things, and how many things there are.
fn strides(prepared: &Prepared, keys: &[KindId]) -> impl Iterator<Item = (KindId, u64, u64)> {
    let mut stride = 1;
    keys.iter().rev().map(move |&of| {
        let (count, before) = (prepared.things(of) as u64, stride);
        stride *= count;
        (of, before, count)
    })
}

fn holds_both_or_none(
    column: &PreparedColumn,
    state: &[u64],
    base: Base,
    kind: KindId,
    things: (u32, u32),
) -> bool {
    let holds = |entry: &[u64], one: u32| {
        if base == Base::Set(kind) { bits::has(entry, one as usize) } else { entry == [u64::from(one)] }
    };
    base.kind() != Some(kind)
        || (0..column.len).map(|key| column.entry(state, key)).all(|entry| {
            // Of a single thing neither may be it.
            holds(&entry, things.0) == holds(&entry, things.1)
        })
}

/// The set that a thing has in a list of sets; of an absent thing the empty one.
#[cold]
#[inline(never)]
pub(crate) fn of_thing(
    mem: &mut [u64],
    dst: usize,
    sets: &[u64],
    words: usize,
    thing: u64,
) -> Result<(), Trap> {
    if thing == ABSENT as u64 {
        mem[dst..dst + words].fill(0);
        return Ok(());
    }
    let from = usize::try_from(thing).ok().and_then(|thing| thing.checked_mul(words));
    match from.and_then(|from| sets.get(from..from.checked_add(words)?)) {
        Some(&[word]) => mem[dst] = word,
        Some(set) => mem[dst..dst + words].copy_from_slice(set),
        None => return Err(no_thing(thing as i64)),
    }
    Ok(())
}

// The work on sets of several words stands here, outside the loop: sets of one word are done there. That these are
// `cold` says nothing of how often they are called, but that the loop is not to make room for the call.

/// A set from two. Where it takes the place of one of them it is made in place, as it is of a copy where it lies apart
/// from both: the machine has instructions for that.
#[cold]
#[inline(never)]
pub(crate) fn zip(
    frame: &mut [u64],
    dst: usize,
    a: usize,
    b: usize,
    words: usize,
    join: impl Fn(u64, u64) -> u64,
) {
    let apart = |x: usize, y: usize| x + words <= y || y + words <= x;
    if apart(dst, b) {
        if dst != a {
            frame.copy_within(a..a + words, dst);
        }
        in_place(frame, dst, b, words, join);
    } else if dst == b && apart(dst, a) {
        in_place(frame, dst, a, words, |own, other| join(other, own));
    } else {
        for i in 0..words {
            frame[dst + i] = join(frame[a + i], frame[b + i]);
        }
    }
}

/// A set from itself and one that lies apart.
#[inline(always)]
fn in_place(frame: &mut [u64], dst: usize, other: usize, words: usize, join: impl Fn(u64, u64) -> u64) {
    let (below, above) = frame.split_at_mut(dst.max(other));
    let (own, other) = match dst < other {
        true => (&mut below[dst..][..words], &above[..words]),
        false => (&mut above[..words], &below[other..][..words]),
    };
    own.iter_mut().zip(other).for_each(|(own, &other)| *own = join(*own, other));
}

/// A set from elsewhere.
#[cold]
#[inline(never)]
pub(crate) fn take(frame: &mut [u64], dst: u16, source: &[u64], from: usize, words: u16) {
    frame[dst as usize..][..words as usize].copy_from_slice(&source[from..][..words as usize]);
}

/// The empty set.
#[cold]
#[inline(never)]
pub(crate) fn clear(frame: &mut [u64], dst: u16, words: u16) {
    frame[dst as usize..][..words as usize].fill(0);
}

/// A set, or other words, from elsewhere in the frame.
#[cold]
#[inline(never)]
pub(crate) fn copy(frame: &mut [u64], dst: u16, src: u16, words: u16) {
    frame.copy_within(src as usize..src as usize + words as usize, dst as usize);
}

/// Whether two sets are the same.
#[cold]
#[inline(never)]
pub(crate) fn same(frame: &[u64], a: u16, b: u16, words: u16) -> bool {
    frame[a as usize..][..words as usize] == frame[b as usize..][..words as usize]
}

/// The first thing, or absent.
#[cold]
#[inline(never)]
pub(crate) fn first(frame: &[u64], set: u16, words: u16) -> i64 {
    bits::first(&frame[set as usize..][..words as usize]).map_or(ABSENT, |thing| thing as i64)
}

/// Whether anything is in.
#[cold]
#[inline(never)]
pub(crate) fn any(frame: &[u64], set: u16, words: u16) -> bool {
    !bits::is_empty(&frame[set as usize..][..words as usize])
}

/// How many things are in.
#[cold]
#[inline(never)]
pub(crate) fn count(frame: &[u64], set: u16, words: u16) -> usize {
    bits::count(&frame[set as usize..][..words as usize])
}

/// Takes the first thing out.
#[cold]
#[inline(never)]
pub(crate) fn take_first(frame: &mut [u64], set: u16, words: u16) -> Option<usize> {
    bits::take_first(&mut frame[set as usize..][..words as usize])
}

/// A thing is reached with so much left: [`blazon_program::ir::Op::Reach`].
pub(crate) fn reach(
    frame: &mut [u64],
    kind: &KindInfo,
    (set, purse): (u16, u16),
    elem: i64,
    left: i64,
) -> Result<(), Trap> {
    if elem == ABSENT || left < 0 {
        return Ok(());
    }
    let thing = usize::try_from(elem).ok().filter(|&thing| thing < kind.hashes.len());
    let Some(thing) = thing else { return Err(Trap::internal("a way leads to no thing of its kind")) };
    let most = &mut frame[usize::from(purse) + thing];
    if left as u64 + 1 > *most {
        *most = left as u64 + 1;
        bits::insert(&mut frame[usize::from(set)..], thing);
    }
    Ok(())
}

/// The thing of a set with the most left, which is taken out: [`blazon_program::ir::Op::NextWay`]. Of those with as much it is
/// the first.
pub(crate) fn next_way(frame: &mut [u64], kind: &KindInfo, (set, purse): (u16, u16)) -> Option<u64> {
    let (set, purse, things) = (usize::from(set), usize::from(purse), kind.hashes.len());
    let open = bits::iter(&frame[set..][..usize::from(kind.words)]);
    let open = open.take_while(|&thing| thing < things).map(|thing| (frame[purse + thing], thing));
    let (most, thing) = open.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    bits::remove(&mut frame[set..], thing);
    frame[purse + things] = most.saturating_sub(1);
    Some(thing as u64)
}

/// The keys that hold a value, by the index or by searching the entries.
#[cold]
#[inline(never)]
pub(crate) fn holders(
    prepared: &Prepared,
    frame: &mut [u64],
    column: u16,
    source: &[u64],
    value: i64,
    dst: u16,
) -> Result<(), Trap> {
    let col = &prepared.columns[column as usize];
    let keys = &mut frame[dst as usize..][..col.key_words as usize];
    if col.inverse == 0 {
        return if col.search(source, value, keys) {
            Ok(())
        } else {
            Err(bad_key(prepared, column, value as u64))
        };
    }
    let Some(from) = col.holders(value) else { return Err(bad_key(prepared, column, value as u64)) };
    keys.copy_from_slice(&source[from..][..col.key_words as usize]);
    Ok(())
}

/// The values that the things of a set of keys hold.
pub(crate) fn image(
    frame: &mut [u64],
    col: &PreparedColumn,
    source: &[u64],
    set: usize,
    dst: usize,
    words: usize,
) {
    frame[dst..dst + words].fill(0);
    for i in 0..col.key_words as usize {
        let mut rest = frame[set + i];
        while rest != 0 {
            let key = i as u64 * 64 + u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            if key < col.len {
                // An absent value lies outside every set.
                bits::insert(&mut frame[dst..dst + words], col.load(source, key) as u64 as usize);
            }
        }
    }
}

/// The neighbours of all things of a set; it may be the same as the one that is written.
#[cold]
#[inline(never)]
pub(crate) fn neighbours_of(frame: &mut [u64], links: &LinkSets, set: usize, dst: usize) {
    let words = links.end_words;
    let apart = set + words <= dst || dst + words <= set;
    if !apart {
        let own = frame[set..set + words].to_vec();
        join_neighbours(&own, links, &mut frame[dst..dst + words]);
        return;
    }
    let (below, above) = frame.split_at_mut(dst.max(set));
    match dst < set {
        true => join_neighbours(&above[..words], links, &mut below[dst..][..words]),
        false => join_neighbours(&below[set..][..words], links, &mut above[..words]),
    }
}

/// The neighbours of all things of one set into another.
fn join_neighbours(set: &[u64], links: &LinkSets, to: &mut [u64]) {
    to.fill(0);
    for (place, &word) in set.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let thing = place * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            // What is no thing has none.
            for &(place, near) in links.near.get(thing).into_iter().flatten() {
                if let Some(word) = to.get_mut(place as usize) {
                    *word |= near;
                }
            }
        }
    }
}

/// The first link between two things.
pub(crate) fn between(info: &KindInfo, a: i64, b: i64) -> Result<i64, Trap> {
    if a == ABSENT || b == ABSENT {
        return Ok(ABSENT);
    }
    let range = usize::try_from(a).ok().and_then(|a| Some((*info.first.get(a)?, *info.first.get(a + 1)?)));
    let joined = range.and_then(|(from, to)| info.joined.get(from as usize..to as usize));
    let Some(joined) = joined else { return Err(no_thing(a)) };
    Ok(joined.iter().find(|(other, _)| i64::from(*other) == b).map_or(ABSENT, |(_, link)| i64::from(*link)))
}

/// The two ends of a link, as a set.
pub(crate) fn ends(
    prepared: &Prepared,
    mem: &mut [u64],
    dst: usize,
    kind: u16,
    link: i64,
) -> Result<(), Trap> {
    let words = prepared.links[kind as usize].end_words;
    let set = &mut mem[dst..dst + words];
    set.fill(0);
    if link == ABSENT {
        return Ok(());
    }
    let ends =
        usize::try_from(link).ok().and_then(|link| prepared.program.kinds[kind as usize].ends.get(link));
    let Some(&(a, b)) = ends else { return Err(no_thing(link)) };
    bits::insert(set, a as usize);
    bits::insert(set, b as usize);
    Ok(())
}

/// Appends a thing to a sequence in a frame: cursor, length, things. An absent one adds nothing.
#[inline]
pub(crate) fn push(frame: &mut [u64], seq: usize, elem: u64) -> Result<(), Trap> {
    if elem == ABSENT as u64 {
        return Ok(());
    }
    let length = frame[seq + 1];
    match frame.get_mut((seq + 2).saturating_add(length as usize)) {
        Some(place) => *place = elem,
        None => return Err(Trap::internal("a sequence is too long")),
    }
    frame[seq + 1] = length + 1;
    Ok(())
}

/// Appends the things of a set in order.
pub(crate) fn push_all(frame: &mut [u64], seq: usize, set: usize, words: usize) -> Result<(), Trap> {
    for i in 0..words {
        let mut rest = frame[set + i];
        while rest != 0 {
            let elem = i * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            push(frame, seq, elem as u64)?;
        }
    }
    Ok(())
}

/// The next thing of a sequence.
#[inline]
pub(crate) fn next_of(frame: &mut [u64], seq: usize) -> Result<Option<u64>, Trap> {
    let (cursor, length) = (frame[seq], frame[seq + 1]);
    if cursor >= length {
        return Ok(None);
    }
    frame[seq] = cursor + 1;
    let thing = frame.get((seq + 2).saturating_add(cursor as usize)).copied();
    thing.map(Some).ok_or_else(|| Trap::internal("a sequence is too long"))
}

/// Takes the first die out of dice.
pub(crate) fn next_die(dice: &mut [u64]) -> Option<u64> {
    let count = dice[0].checked_sub(1)?;
    let fell = dice[1] & 0xff;
    dice[0] = count;
    for i in 1..dice.len() {
        let above = dice.get(i + 1).map_or(0, |next| next << 56);
        dice[i] = dice[i] >> 8 | above;
    }
    Some(fell)
}

/// Adds a die to dice, behind the others.
pub(crate) fn add_die(dice: &mut [u64], fell: u64) -> Result<(), Trap> {
    let count = dice[0] as usize;
    if count >= MAX_DICE {
        return Err(Trap::new(code::RANGE, format!("more than {MAX_DICE} dice cannot be kept together")));
    }
    dice[0] += 1;
    dice[1 + count / 8] |= (fell & 0xff) << (count % 8 * 8);
    Ok(())
}

/// Takes the first die that shows this out of dice.
pub(crate) fn drop_die(dice: &mut [u64], fell: u64) {
    let mut left = [0; DICE_WORDS];
    let mut is_found = false;
    while let Some(next) = next_die(dice) {
        if next == fell && !is_found {
            is_found = true;
        } else if add_die(&mut left, next).is_err() {
            return; // There were not so many.
        }
    }
    dice.copy_from_slice(&left);
}

/// Looks up a rule's table: the leading values, then the one across.
pub(crate) fn look_up(prepared: &Prepared, table: &TableInfo, values: &[u64]) -> Result<i64, Trap> {
    let within = |range: &(i64, i64), value: u64| range.0 <= value as i64 && value as i64 <= range.1;
    let leading = table.leading as usize;
    let row =
        table.rows.iter().position(|row| row.iter().zip(values).all(|(range, &value)| within(range, value)));
    let column = table.across.iter().position(|range| within(range, values[leading]));
    match (row, column) {
        (Some(row), Some(column)) => Ok(table.cells[row * table.across.len() + column]),
        _ => {
            let asked: Vec<String> = values.iter().map(|&value| (value as i64).to_string()).collect();
            let name = &prepared.program.book.rule(table.rule).name;
            Err(Trap::new(code::RANGE, format!("the table `{name}` has no place for {}", asked.join(", "))))
        }
    }
}

#[cold]
fn no_thing(thing: i64) -> Trap {
    Trap::internal(format!("there is no thing {thing}"))
}
