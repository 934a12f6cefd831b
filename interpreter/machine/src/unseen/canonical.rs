//! The one position that stands for all that a player cannot tell from the one he is in.
//!
//! Its pieces have names by what he can tell of them: what stands on their backs, and what points to them from where he
//! may look. What is on faces that he does not see is as at the start, and nothing is left that names of hidden things,
//! answers of others or the true luck went into. So whatever is made of it is made of what he may know.
//!
//! Pieces are told apart by refining colours, as graphs are (B. Weisfeiler, A. Lehman, 1968): each piece's colour is mixed
//! with those of the pieces that it points to or that point to it, until no colour splits any more. Where pieces of one
//! colour point to pieces, one of them is set apart and all is done again. That answers the same for all pieces but those
//! of very regular shapes, which no board has.

use blazon_book::KindId;
use blazon_kernel::{bits, chance};
use blazon_program::ir::slot;

use super::renaming::{Renaming, Slot, slots};
use super::{Unseen, back_states, is_kept, keys_of, kind_held};
use crate::vm::prepared::Prepared;

const PIECE: u64 = chance::hash_text("piece");
const KNOWN: u64 = chance::hash_text("known");
const OWN: u64 = chance::hash_text("own");
const POINTED: u64 = chance::hash_text("pointed");
const HELD: u64 = chance::hash_text("held");
const APART: u64 = chance::hash_text("apart");
const FRAME: u64 = chance::hash_text("frame");

/// Brings a position to the one that stands for it.
pub(crate) fn canonical(prepared: &Prepared, unseen: &Unseen, words: &mut [u64]) {
    names(prepared, unseen, words).apply(prepared, words);
    turn_faces(prepared, unseen, words);
    for (depth, slot) in slots(prepared, words).into_iter().enumerate() {
        match slot {
            Slot::Key(at) if words[at] != 0 => words[at] = chance::mix(FRAME, depth as u64),
            Slot::Count(at) => words[at..at + 4].fill(0),
            Slot::Key(_) | Slot::Thing(..) | Slot::Set(..) => {}
        }
    }
    words[slot::SEED] = 0;
}

/// What is on faces that a player does not see becomes what it is at the start.
fn turn_faces(prepared: &Prepared, unseen: &Unseen, words: &mut [u64]) {
    for (column, info) in prepared.program.book.columns.iter().enumerate() {
        let is_hidden = info.keys.iter().any(|&kind| prepared.program.seen[kind.0 as usize].is_some());
        if !is_hidden || !is_kept(prepared, column) || is_on_back(prepared, column) {
            continue;
        }
        let col = &prepared.columns[column];
        for key in 0..col.len {
            let things = keys_of(prepared, column, key);
            if info.keys.iter().zip(things).any(|(&kind, thing)| unseen.has(kind, thing)) {
                col.set_entry(words, key, &col.entry(&prepared.template, key));
            }
        }
    }
}

/// Whether a state of one key stands on the backs of its kind.
pub(crate) fn is_on_back(prepared: &Prepared, column: usize) -> bool {
    match prepared.program.book.columns[column].keys[..] {
        [kind] => prepared.program.book.kind(kind).back.iter().any(|back| back.0 as usize == column),
        _ => false,
    }
}

/// The names that pieces get: of those whose backs are printed alike in the order of their colours.
fn names(prepared: &Prepared, unseen: &Unseen, words: &[u64]) -> Renaming {
    let mut colours = Colours::new(prepared, unseen);
    let links = Links::of(prepared, unseen, words);
    colours.refine(&links);
    while let Some((kind, thing)) = colours.tied(&links) {
        let colour = &mut colours.of[kind][thing as usize];
        *colour = chance::mix(*colour, APART);
        colours.refine(&links);
    }
    let mut renaming = Renaming::none(prepared);
    for unseen in unseen.kinds() {
        let of_kind = &colours.of[unseen.kind.0 as usize];
        for class in &unseen.classes {
            let mut sorted = class.clone();
            sorted.sort_by_key(|&thing| (of_kind[thing as usize], thing));
            for (&thing, &name) in sorted.iter().zip(class) {
                renaming.rename(prepared, unseen.kind, thing, name);
            }
        }
    }
    renaming
}

/// What a player can tell of pieces, without and with the colours of other pieces.
struct Links {
    /// For each kind and thing what does not hang on other pieces.
    plain: Vec<Vec<u64>>,
    /// From which piece to which, and by what.
    between: Vec<(Piece, Piece, u64)>,
}

/// A kind and a thing.
type Piece = (usize, u32);

impl Links {
    fn of(prepared: &Prepared, unseen: &Unseen, words: &[u64]) -> Self {
        let book = &prepared.program.book;
        let plain = (0..book.kinds.len()).map(|kind| vec![0; prepared.things(KindId(kind as u32))]).collect();
        let mut links = Self { plain, between: Vec::new() };
        for kind in unseen.kinds().filter(|kind| !kind.classes.is_empty()) {
            for column in back_states(prepared, kind.kind) {
                links.own(prepared, unseen, words, kind.kind, column);
            }
        }
        for column in 0..book.columns.len() {
            links.pointing(prepared, unseen, words, column);
        }
        for (place, slot) in slots(prepared, words).into_iter().enumerate() {
            let by = chance::mix(HELD, place as u64);
            match slot {
                Slot::Thing(kind, at) => links.point(prepared, unseen, (kind, words[at]), by),
                Slot::Set(kind, at) => {
                    let end = at + usize::from(prepared.program.kinds[kind.0 as usize].words);
                    for thing in bits::iter(&words[at..end]) {
                        links.point(prepared, unseen, (kind, thing as u64), by);
                    }
                }
                Slot::Key(_) | Slot::Count(_) => {}
            }
        }
        links
    }

    /// What stands on the backs of pieces; those that it points to are links.
    fn own(&mut self, prepared: &Prepared, unseen: &Unseen, words: &[u64], kind: KindId, column: usize) {
        let col = &prepared.columns[column];
        let held = kind_held(prepared, column);
        for key in (0..col.len).filter(|&key| unseen.has(kind, key)) {
            let by = chance::mix(OWN, column as u64);
            let mut own = by;
            let entry = col.entry(words, key);
            let things: Vec<u64> = match held {
                Some((_, true)) => bits::iter(&entry).map(|thing| thing as u64).collect(),
                _ => entry.clone(),
            };
            for thing in things {
                match held {
                    Some((of, _))
                        if unseen.is_piece(prepared, of, thing) && (thing as usize) < prepared.things(of) =>
                    {
                        let from = (kind.0 as usize, key as u32);
                        self.between.push((from, (of.0 as usize, thing as u32), by));
                    }
                    _ => own = chance::mix(own, thing),
                }
            }
            self.add((kind.0 as usize, key as u32), own);
        }
    }

    /// What points to pieces from where the player may look.
    fn pointing(&mut self, prepared: &Prepared, unseen: &Unseen, words: &[u64], column: usize) {
        let Some((kind, is_set)) = kind_held(prepared, column) else { return };
        if unseen.kinds().all(|unseen| unseen.kind != kind) || !is_kept(prepared, column) {
            return;
        }
        let (info, col) = (&prepared.program.book.columns[column], &prepared.columns[column]);
        for key in 0..col.len {
            let keys = keys_of(prepared, column, key);
            // Faces tell nothing, and of pieces `own` knows.
            if info.keys.iter().zip(keys).any(|(&kind, thing)| unseen.has(kind, thing)) {
                continue;
            }
            let by = chance::mix(chance::mix(POINTED, column as u64), key);
            let entry = col.entry(words, key);
            if is_set {
                for thing in bits::iter(&entry) {
                    self.point(prepared, unseen, (kind, thing as u64), by);
                }
            } else if let Some(&thing) = entry.first() {
                self.point(prepared, unseen, (kind, thing), by);
            }
        }
    }

    /// Something that can be told points to a thing.
    fn point(&mut self, prepared: &Prepared, unseen: &Unseen, (kind, thing): (KindId, u64), by: u64) {
        if (thing as usize) < prepared.things(kind) && unseen.is_piece(prepared, kind, thing) {
            self.add((kind.0 as usize, thing as u32), by);
        }
    }

    /// The order in which things are added counts for nothing.
    fn add(&mut self, (kind, thing): Piece, what: u64) {
        let sum = &mut self.plain[kind][thing as usize];
        *sum = sum.wrapping_add(chance::finish(what));
    }
}

/// What pieces are told apart by.
struct Colours {
    of: Vec<Vec<u64>>,
}

impl Colours {
    /// As their backs are printed; whatever is no piece is known by its name.
    fn new(prepared: &Prepared, unseen: &Unseen) -> Self {
        let known = |kind: usize| -> Vec<u64> {
            (0..prepared.things(KindId(kind as u32)) as u64).map(|thing| chance::mix(KNOWN, thing)).collect()
        };
        let mut of: Vec<Vec<u64>> = (0..prepared.program.book.kinds.len()).map(known).collect();
        for unseen in unseen.kinds() {
            for (place, class) in unseen.classes.iter().enumerate() {
                for &thing in class {
                    of[unseen.kind.0 as usize][thing as usize] = chance::mix(PIECE, place as u64);
                }
            }
        }
        Self { of }
    }

    /// Mixes colours with what is told of pieces until no more of them can be told apart.
    fn refine(&mut self, links: &Links) {
        let mut count = self.count();
        loop {
            let mut next: Vec<Vec<u64>> = links.plain.clone();
            for &((kind, from), (other, to), by) in &links.between {
                let (own, its) = (self.of[kind][from as usize], self.of[other][to as usize]);
                let forth = &mut next[kind][from as usize];
                *forth = forth.wrapping_add(chance::finish(chance::mix(by, its)));
                let back = &mut next[other][to as usize];
                *back = back.wrapping_add(chance::finish(chance::mix(by ^ POINTED, own)));
            }
            for (colours, sums) in self.of.iter_mut().zip(&next) {
                for (colour, &sum) in colours.iter_mut().zip(sums).filter(|(_, sum)| **sum != 0) {
                    *colour = chance::mix(*colour, sum);
                }
            }
            let now = self.count();
            if now <= count {
                return;
            }
            count = now;
        }
    }

    /// How many colours there are.
    fn count(&self) -> usize {
        let count = |colours: &Vec<u64>| {
            let mut colours = colours.clone();
            colours.sort_unstable();
            colours.dedup();
            colours.len()
        };
        self.of.iter().map(count).sum()
    }

    /// A piece of those that cannot be told apart yet, though it points to others or others to it: of the least colour
    /// the first.
    fn tied(&self, links: &Links) -> Option<Piece> {
        if links.between.is_empty() {
            return None;
        }
        let ends = links.between.iter().flat_map(|&(from, to, _)| [from, to]);
        let is_tied = |&(kind, thing): &Piece| {
            let colours = &self.of[kind];
            let same = colours.iter().filter(|&&colour| colour == colours[thing as usize]);
            same.count() > 1
        };
        ends.filter(is_tied).min_by_key(|&(kind, thing)| (kind, self.of[kind][thing as usize], thing))
    }
}
