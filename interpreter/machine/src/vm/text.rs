//! Texts: their values are kept when they are said, and they are rendered when somebody reads them.

use blazon_book::{Base, KindId, Type};
use blazon_kernel::bits;
use blazon_program::Program;
use blazon_program::ir::{ABSENT, DICE_WORDS, MAX_DICE, Reg, TextInfo, TextPiece};

use crate::fault::Trap;
use crate::vm::call::run_function;
use crate::vm::context::Context;
use crate::vm::prepared::Prepared;
use crate::vm::words::Words;

/// A text with its values as they were when it was said, and who could see the hidden things in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The text's place in the program; `None` for an option without a line of its own: name and arguments.
    text: Option<u32>,
    words: Vec<u64>,
    sights: Vec<Sight>,
    /// For each guard of the text who saw all faces on which the value behind it hangs; bit i: player i.
    guards: Vec<u64>,
    /// Of a line without a text the kinds of its arguments; numbers have none.
    kinds: Vec<Option<KindId>>,
}

/// Of a hidden thing in a text: who saw it, and what its back said of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// Bit i: player i saw its face.
    mask: u64,
    /// The player on its back, or absent.
    owner: i64,
}

impl Line {
    /// The words of its values, and of who could see them.
    pub(crate) fn words(&self) -> usize {
        self.words.len() + 2 * self.sights.len() + self.guards.len()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_none()
    }

    /// The text's place in the program.
    pub(crate) fn text(&self) -> Option<u32> {
        self.text
    }
}

/// A viewer who sits on no seat: what all players see.
pub const PUBLIC: u32 = u32::MAX;

/// Whether a viewer sees the face of a thing now; `at` is free memory.
pub(crate) fn sees(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    at: usize,
    viewer: u32,
    kind: KindId,
    thing: u32,
) -> Result<bool, Trap> {
    match prepared.program.seen[kind.0 as usize] {
        None => Ok(true),
        Some(_) if viewer == PUBLIC => {
            for player in 0..prepared.things(prepared.program.book.player) as u32 {
                if !sees(prepared, mem, ctx, at, player, kind, thing)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Some(function) => {
            let result =
                run_function(prepared, mem, ctx, function, at, &[u64::from(viewer), u64::from(thing)])?;
            Ok(mem[result] != 0)
        }
    }
}

/// Keeps a text with its values; `base` is the frame that its registers are counted from.
pub(crate) fn capture(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    base: usize,
    at: usize,
    text: u32,
) -> Result<Line, Trap> {
    let mut line = Line { text: Some(text), ..Line::default() };
    for piece in &prepared.program.texts[text as usize].pieces {
        if let TextPiece::Guard(reg, ty) = piece {
            let from = base + *reg as usize;
            let words = mem[from..from + prepared.program.words_of(*ty)].to_vec();
            line.guards.push(who_sees_all(prepared, mem, ctx, at, *ty, &words)?);
        }
        for (reg, ty) in piece.values() {
            let from = base + reg as usize;
            let words = mem[from..from + prepared.program.words_of(ty)].to_vec();
            sights(prepared, mem, ctx, at, ty, &words, &mut line.sights)?;
            line.words.extend(words);
        }
    }
    Ok(line)
}

/// Which players see the faces of all things of a value.
fn who_sees_all(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    at: usize,
    ty: Type,
    words: &[u64],
) -> Result<u64, Trap> {
    let things = hidden_things(prepared, ty, words);
    let mut mask = 0;
    for viewer in 0..prepared.things(prepared.program.book.player).min(64) as u32 {
        let mut all = true;
        if let [(kind, thing)] = things[..] {
            all = sees(prepared, mem, ctx, at, viewer, kind, thing)?;
        } else if let Some((kind, _)) = things.first() {
            let faces = faces(prepared, mem, ctx, at, viewer, *kind)?;
            all = things
                .iter()
                .all(|(_, thing)| faces.is_none_or(|set| bits::has(&mem[set..], *thing as usize)));
        }
        mask |= u64::from(all) << viewer;
    }
    Ok(mask)
}

/// Where the set of the things of a kind stands whose faces a viewer sees; `None`: he sees all. `at` is free memory.
pub(crate) fn faces(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    at: usize,
    viewer: u32,
    kind: KindId,
) -> Result<Option<usize>, Trap> {
    let function = prepared.program.faces[kind.0 as usize];
    function.map(|function| run_function(prepared, mem, ctx, function, at, &[u64::from(viewer)])).transpose()
}

/// The words that a text may take when it is kept.
pub(crate) fn most_words(program: &Program, text: &TextInfo) -> usize {
    let words = |(_, ty): (Reg, Type)| {
        let hidden = ty.base.kind().filter(|kind| program.seen[kind.0 as usize].is_some());
        let things = match (ty.base, hidden) {
            (Base::Set(_), Some(kind)) => program.book.kind(kind).things.len(),
            (_, Some(_)) => 1,
            (_, None) => 0,
        };
        program.words_of(ty) + 2 * things
    };
    let guards = text.pieces.iter().filter(|piece| matches!(piece, TextPiece::Guard(..))).count();
    text.pieces.iter().flat_map(TextPiece::values).map(words).sum::<usize>() + guards
}

/// Keeps the arguments of an option that has no line.
pub(crate) fn capture_args(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    at: usize,
    args: &[(Option<KindId>, i64)],
) -> Result<Line, Trap> {
    let mut line = Line { kinds: args.iter().map(|&(kind, _)| kind).collect(), ..Line::default() };
    for &(kind, value) in args {
        sights(prepared, mem, ctx, at, argument_type(kind), &[value as u64], &mut line.sights)?;
        line.words.push(value as u64);
    }
    Ok(line)
}

pub(crate) fn argument_type(kind: Option<KindId>) -> Type {
    match kind {
        Some(kind) => Type::maybe(Base::Thing(kind)),
        None => Type::maybe(Base::Number(i64::MIN, i64::MAX)),
    }
}

/// Notes who sees the hidden things of a value.
pub(crate) fn sights(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    at: usize,
    ty: Type,
    words: &[u64],
    into: &mut Vec<Sight>,
) -> Result<(), Trap> {
    for (kind, thing) in hidden_things(prepared, ty, words) {
        let mut mask = 0;
        for viewer in 0..prepared.things(prepared.program.book.player).min(64) as u32 {
            if sees(prepared, mem, ctx, at, viewer, kind, thing)? {
                mask |= 1 << viewer;
            }
        }
        let owner = match prepared.back_owner[kind.0 as usize] {
            Some(column) => {
                let col = &prepared.columns[column as usize];
                if u64::from(thing) < col.len && col.set_words == 0 {
                    col.load(if col.fact { &prepared.program.facts } else { mem }, u64::from(thing))
                } else {
                    ABSENT
                }
            }
            None => ABSENT,
        };
        into.push(Sight { mask, owner });
    }
    Ok(())
}

/// The things of a value whose faces are not for everybody.
fn hidden_things(prepared: &Prepared, ty: Type, words: &[u64]) -> Vec<(KindId, u32)> {
    let (Base::Thing(kind) | Base::Set(kind)) = ty.base else { return Vec::new() };
    if prepared.program.seen[kind.0 as usize].is_none() {
        return Vec::new();
    }
    things(prepared, ty, kind, words).into_iter().map(|thing| (kind, thing)).collect()
}

fn things(prepared: &Prepared, ty: Type, kind: KindId, words: &[u64]) -> Vec<u32> {
    let count = prepared.things(kind);
    match ty.base {
        Base::Set(_) => bits::iter(words).filter(|&t| t < count).map(|t| t as u32).collect(),
        Base::Flag
        | Base::Number(..)
        | Base::Thing(_)
        | Base::Dice
        | Base::Die
        | Base::Text
        | Base::Point
        | Base::Permission
        | Base::Numbers
        | Base::Nothing
        | Base::Unknown => words.iter().filter(|&&w| w < count as u64).map(|&w| w as u32).collect(),
    }
}

/// What is read of a value that hangs on a face which the reader does not see.
const UNKNOWN: &str = "?";

/// Whether a viewer is among those of a mask; all players must be, if what all may know is asked for.
fn is_in(mask: u64, viewer: u32, players: usize) -> bool {
    match viewer {
        PUBLIC => mask.count_ones() as usize == players,
        64.. => false,
        viewer => mask >> viewer & 1 == 1,
    }
}

/// The most letters of a text: a page may be megabytes, and what it says is said again and again.
pub(crate) const MOST_LETTERS: usize = 4000;

/// A text as a viewer reads it; without a viewer everything is named. `announce`: everything is named to all.
pub(crate) fn render(prepared: &Prepared, line: &Line, viewer: Option<u32>, announce: bool) -> Words {
    let mut out = Words::default();
    let Some(text) = line.text else { return out };
    let viewer = viewer.filter(|_| !announce);
    let players = prepared.things(prepared.program.book.player).min(64);
    let (mut at, mut sights, mut guards) = (0, line.sights.iter(), line.guards.iter());
    let mut hidden = false;
    for piece in &prepared.program.texts[text as usize].pieces {
        match piece {
            TextPiece::Plain(plain) => out.push(plain),
            TextPiece::Guard(..) => {
                let mask = guards.next().copied().unwrap_or_default();
                hidden |= viewer.is_some_and(|viewer| !is_in(mask, viewer, players));
            }
            TextPiece::Value(_, ty) => {
                let words = prepared.program.words_of(*ty);
                let shown = value(prepared, *ty, &line.words[at..at + words], &mut sights, viewer);
                at += words;
                if std::mem::take(&mut hidden) { out.push(UNKNOWN) } else { out.extend(shown) }
            }
            TextPiece::Plural { of, one, many, .. } => {
                let mut several = line.words[at] != 0;
                at += 1;
                let is_unknown = std::mem::take(&mut hidden);
                if let Some((_, ty)) = of {
                    let words = prepared.program.words_of(*ty);
                    for (kind, _) in hidden_things(prepared, *ty, &line.words[at..at + words]) {
                        several &= !is_hidden(prepared, kind, sights.next(), viewer);
                    }
                    at += words;
                    // Of whom nobody knows the words of one are said: "? stands".
                    several &= !is_unknown;
                } else {
                    // Of how many nobody knows the words of several are said: "? steps".
                    several |= is_unknown;
                }
                out.push(if several { many } else { one });
            }
        }
    }
    out.up_to(MOST_LETTERS)
}

/// Names things to a viewer: who is offered a thing by its name knows that name, whatever its back shows.
pub(crate) fn name_to(prepared: &Prepared, line: &mut Line, named: &[(KindId, u32)], viewer: u32) {
    let mask = if viewer < 64 { 1 << viewer } else { 0 };
    let types: Vec<Type> = match line.text {
        Some(text) => prepared.program.texts[text as usize]
            .pieces
            .iter()
            .flat_map(TextPiece::values)
            .map(|(_, ty)| ty)
            .collect(),
        // An option without a line of its own: its arguments.
        None => line.kinds.iter().map(|kind| argument_type(*kind)).collect(),
    };
    let (mut at, mut sight) = (0, 0);
    for ty in types {
        let words = prepared.program.words_of(ty);
        for thing in hidden_things(prepared, ty, &line.words[at..at + words]) {
            if named.contains(&thing)
                && let Some(sight) = line.sights.get_mut(sight)
            {
                sight.mask |= mask;
            }
            sight += 1;
        }
        at += words;
    }
}

/// The arguments of an option as a viewer reads them.
pub(crate) fn render_args(
    prepared: &Prepared,
    line: &Line,
    kinds: impl Iterator<Item = Option<KindId>>,
    viewer: Option<u32>,
) -> Vec<Words> {
    let mut sights = line.sights.iter();
    let show = |(kind, word): (Option<KindId>, &u64)| {
        value(prepared, argument_type(kind), std::slice::from_ref(word), &mut sights, viewer)
    };
    kinds.zip(&line.words).map(show).collect()
}

/// A value as a viewer reads it; the sights are those of its hidden things, in order.
pub(crate) fn value<'a>(
    prepared: &Prepared,
    ty: Type,
    words: &[u64],
    sights: &mut impl Iterator<Item = &'a Sight>,
    viewer: Option<u32>,
) -> Words {
    let first = words.first().map_or(ABSENT, |&word| word as i64);
    match ty.base {
        Base::Flag | Base::Permission => if first != 0 { "yes" } else { "no" }.into(),
        Base::Number(..) if first == ABSENT => "none".into(),
        Base::Number(..) => first.to_string().into(),
        Base::Numbers => format!("{first}..{}", words.get(1).map_or(first, |&word| word as i64)).into(),
        Base::Dice => dice(words),
        Base::Die if first == ABSENT => "none".into(),
        Base::Die => format!("d{first}").into(),
        Base::Thing(kind) | Base::Set(kind) => {
            let things = things(prepared, ty, kind, words);
            if things.is_empty() && first != ABSENT && matches!(ty.base, Base::Thing(_)) {
                return format!("{} {first}?", prepared.program.book.kind(kind).name).into();
            }
            Words::list(names(prepared, kind, &things, sights, viewer))
        }
        Base::Text | Base::Point if first == ABSENT => "none".into(),
        Base::Text | Base::Point => {
            let printed = usize::try_from(first).ok().and_then(|place| prepared.program.printed.get(place));
            printed.cloned().unwrap_or_default().into()
        }
        Base::Nothing | Base::Unknown => Words::default(),
    }
}

fn dice(words: &[u64]) -> Words {
    let count = (words.first().copied().unwrap_or(0) as usize).min(MAX_DICE);
    let die = |i: usize| words.get(1 + i / 8).map_or(0, |word| word >> (i % 8 * 8) & 0xff);
    debug_assert!(words.len() <= DICE_WORDS);
    Words::list((0..count).map(|i| die(i).to_string().into()).collect())
}

/// Whether a viewer reads the back of a thing in place of its name.
fn is_hidden(prepared: &Prepared, kind: KindId, sight: Option<&Sight>, viewer: Option<u32>) -> bool {
    if prepared.program.book.kind(kind).name_on_back {
        return false;
    }
    let players = prepared.things(prepared.program.book.player).min(64);
    match (viewer, sight) {
        (Some(viewer), Some(sight)) => !is_in(sight.mask, viewer, players),
        (None, _) | (_, None) => false,
    }
}

/// The names of those that the viewer sees, then the others by their backs, counted.
fn names<'a>(
    prepared: &Prepared,
    kind: KindId,
    things: &[u32],
    sights: &mut impl Iterator<Item = &'a Sight>,
    viewer: Option<u32>,
) -> Vec<Words> {
    let info = prepared.program.book.kind(kind);
    let hidden_kind = prepared.program.seen[kind.0 as usize].is_some();
    let mut names = Vec::new();
    let mut backs: Vec<(i64, usize)> = Vec::new();
    for &thing in things {
        let sight = if hidden_kind { sights.next() } else { None };
        let hidden = is_hidden(prepared, kind, sight, viewer);
        match sight {
            Some(sight) if hidden => match backs.iter_mut().find(|(owner, _)| *owner == sight.owner) {
                Some((_, count)) => *count += 1,
                None => backs.push((sight.owner, 1)),
            },
            _ => names.push(Words::thing(kind, thing, info.things[thing as usize].name.clone())),
        }
    }
    backs.sort_unstable_by_key(|&(owner, _)| (owner == ABSENT, owner));
    for (owner, count) in backs {
        let players = &prepared.program.book.kind(prepared.program.book.player).things;
        let owner = usize::try_from(owner).ok().and_then(|o| players.get(o));
        let of = owner.map(|thing| format!("{} ", thing.name)).unwrap_or_default();
        names.push(Words::from(if count == 1 {
            let words = format!("{of}{}", info.name);
            let vowel = words.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']);
            format!("{} {words}", if vowel { "an" } else { "a" })
        } else {
            format!("{count} {of}{}", info.plural)
        }));
    }
    names
}
