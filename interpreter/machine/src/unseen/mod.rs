//! What a player does not see: which things, and which of them nothing printed on their backs tells apart. Those may
//! stand for one another, so a position may be taken to another one that looks the same to him ([`renaming`]), and all
//! positions that look the same because of it to one and the same ([`canonical`]).

pub(crate) mod canonical;
pub(crate) mod renaming;

use blazon_book::{Base, ColumnId, KindId};
use blazon_kernel::bits;
use blazon_program::ir::{Op, slot};

use crate::fault::Trap;
use crate::machine::Machine;
use crate::vm::prepared::Prepared;
use crate::vm::text;

/// What a player does not see, kind by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unseen {
    kinds: Vec<Option<UnseenKind>>,
}

/// The things of a kind that a player does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnseenKind {
    /// Which.
    pub kind: KindId,
    /// The set of things whose faces he sees.
    pub faces: Vec<u64>,
    /// The things whose faces he does not see.
    pub things: Vec<u32>,
    /// Those of them whose backs are printed alike, together; nothing where names stand on the backs.
    pub classes: Vec<Vec<u32>>,
}

impl Unseen {
    /// The kinds of which something is unseen.
    pub fn kinds(&self) -> impl Iterator<Item = &UnseenKind> {
        self.kinds.iter().flatten()
    }

    /// Whether a player sees everything.
    pub fn is_nothing(&self) -> bool {
        self.kinds().next().is_none()
    }

    /// Whether the face of a thing is unseen.
    pub fn has(&self, kind: KindId, thing: u64) -> bool {
        let kind = self.kinds.get(kind.0 as usize).and_then(Option::as_ref);
        kind.is_some_and(|kind| !bits::has(&kind.faces, thing as usize))
    }

    /// Whether a thing is a piece that a player cannot name.
    pub fn is_piece(&self, prepared: &Prepared, kind: KindId, thing: u64) -> bool {
        self.has(kind, thing) && !prepared.program.book.kind(kind).name_on_back
    }
}

impl Machine {
    /// What a player does not see in the position as it is.
    pub(crate) fn unseen(&mut self, viewer: u32) -> Result<Unseen, Trap> {
        let prepared = self.prepared.clone();
        let mut kinds = vec![None; prepared.program.book.kinds.len()];
        for (place, unseen) in kinds.iter_mut().enumerate() {
            let kind = KindId(place as u32);
            let Some(faces) = self.faces_seen(viewer, kind)? else { continue };
            let count = prepared.things(kind) as u32;
            let things: Vec<u32> = (0..count).filter(|&thing| !bits::has(&faces, thing as usize)).collect();
            if !things.is_empty() {
                let classes = classes(&prepared, kind, &things);
                *unseen = Some(UnseenKind { kind, faces, things, classes });
            }
        }
        Ok(Unseen { kinds })
    }

    /// The set of things of a kind whose faces a player sees; `None` where nobody hides any.
    pub(crate) fn faces_seen(&mut self, viewer: u32, kind: KindId) -> Result<Option<Vec<u64>>, Trap> {
        let (prepared, at) = (self.prepared.clone(), self.free());
        self.ctx.refuel();
        let set = text::faces(&prepared, &mut self.mem, &mut self.ctx, at, viewer, kind)?;
        let words = bits::words_for(prepared.things(kind));
        Ok(set.map(|set| self.mem[set..set + words].to_vec()))
    }

    /// Lays out a position of this program, perhaps one that nobody can be asked anything in: rules can be asked of it.
    pub(crate) fn lay(&mut self, words: &[u64]) {
        self.ctx.memo.compare(&self.prepared.groups, &self.mem, words);
        self.mem[..words.len()].copy_from_slice(words);
        self.end = words.len();
        self.decision.clear();
        if let Some(&Op::Choose { choice }) = self.prepared.program.code.get(words[slot::PC] as usize) {
            self.open(choice, words[slot::PC] as usize, words[slot::BASE] as usize);
        }
    }
}

/// The things whose backs are printed alike, together; in printed order.
fn classes(prepared: &Prepared, kind: KindId, things: &[u32]) -> Vec<Vec<u32>> {
    let mut classes: Vec<(Vec<u64>, Vec<u32>)> = Vec::new();
    if prepared.program.book.kind(kind).name_on_back {
        return Vec::new();
    }
    for &thing in things {
        let print = printed_back(prepared, kind, thing);
        match classes.iter_mut().find(|(other, _)| *other == print) {
            Some((_, class)) => class.push(thing),
            None => classes.push((print, vec![thing])),
        }
    }
    classes.into_iter().map(|(_, class)| class).collect()
}

/// The facts on the back of a thing.
fn printed_back(prepared: &Prepared, kind: KindId, thing: u32) -> Vec<u64> {
    let book = &prepared.program.book;
    let is_shown = |column: &&ColumnId| {
        // Of a text or a point the place of its words says which it is.
        book.column(**column).keys == [kind] && !prepared.is_state(**column)
    };
    let facts = book.kind(kind).back.iter().filter(is_shown);
    let entry = |column: &ColumnId| {
        prepared.columns[column.0 as usize].entry(&prepared.program.facts, u64::from(thing))
    };
    facts.flat_map(entry).collect()
}

/// The states of one key on the backs of a kind, which go wherever a piece goes.
pub(crate) fn back_states(prepared: &Prepared, kind: KindId) -> impl Iterator<Item = usize> {
    let book = &prepared.program.book;
    let back = book.kind(kind).back.iter().map(|column| column.0 as usize);
    back.filter(move |&column| book.columns[column].keys == [kind] && is_kept(prepared, column))
}

/// Whether a column lies in the position.
pub(crate) fn is_kept(prepared: &Prepared, column: usize) -> bool {
    let col = &prepared.columns[column];
    prepared.is_state(ColumnId(column as u32)) && !col.fact && col.len > 0
}

/// Whether a column holds a thing or a set of a kind, and of which.
pub(crate) fn kind_held(prepared: &Prepared, column: usize) -> Option<(KindId, bool)> {
    let base = prepared.program.book.columns[column].ty.base;
    Some((base.kind()?, matches!(base, Base::Set(_))))
}

/// The things that an entry is kept of.
pub(crate) fn keys_of(prepared: &Prepared, column: usize, entry: u64) -> Vec<u64> {
    let book = &prepared.program.book;
    book.keys_of(&book.columns[column], entry as usize).into_iter().map(u64::from).collect()
}
