//! What a player may see of a position, as plain data.
//!
//! A view is made of what the viewer may know and of nothing else: of a thing whose face he does not see there is
//! only its back, without its number, and backs are sorted by what stands on them.

use std::collections::BTreeSet;

use blazon_book::walk::Reads;
use blazon_book::{Base, Book, ColumnId, KindId, Role, RuleId, StepId, Type};
use blazon_kernel::bits;
use blazon_program::ir::{ABSENT, MAX_DICE};

use crate::fault::{Fault, Trap};
use crate::machine::{Machine, Outcome};
use crate::vm::context::Context;
use crate::vm::prepared::Prepared;
use crate::vm::text;

/// A position as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Who; `None` sees everything.
    pub viewer: Option<u32>,
    /// How it ended, if it is over.
    pub outcome: Option<Outcome>,
    /// Who must decide.
    pub deciders: Vec<u32>,
    /// The kinds, with their things.
    pub kinds: Vec<KindView>,
    /// The states without keys, and those with several of which the viewer sees all keys.
    pub states: Vec<Entry>,
}

/// The things of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KindView {
    /// The kind.
    pub kind: KindId,
    /// The things whose faces the viewer sees, in printed order.
    pub seen: Vec<ThingView>,
    /// The backs of the others, sorted by what stands on them.
    pub backs: Vec<Vec<(ColumnId, Value)>>,
}

/// A thing with its states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThingView {
    /// Which.
    pub thing: u32,
    /// Its states of one key.
    pub states: Vec<(ColumnId, Value)>,
}

/// An entry of a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Which state.
    pub column: ColumnId,
    /// Of what; nothing for a state without keys.
    pub keys: Vec<u32>,
    /// What it holds.
    pub value: Value,
}

/// A value as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Nothing.
    Absent,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A thing.
    Thing(KindId, u32),
    /// A thing whose face the viewer does not see.
    Hidden(KindId),
    /// Things: those that the viewer knows, and how many others.
    Set(KindId, Vec<u32>, usize),
    /// Dice.
    Dice(Vec<u8>),
}

impl Value {
    /// The thing, if it is one whose face is seen.
    pub fn thing(&self) -> Option<u32> {
        if let Self::Thing(_, thing) = self { Some(*thing) } else { None }
    }
}

/// Which things stand behind the backs of a [`View`]. No part of it may be told to the viewer.
#[derive(Clone, Debug)]
pub struct Behind(Vec<Vec<u32>>);

impl Behind {
    /// The things of a kind in the order of [`KindView::backs`].
    pub fn backs(&self, kind: KindId) -> &[u32] {
        self.0.get(kind.0 as usize).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Machine {
    /// What a viewer sees; without a viewer everything.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of a rule that says who sees what.
    pub fn view(&mut self, viewer: Option<u32>) -> Result<View, Fault> {
        self.view_and_behind(viewer).map(|(view, _)| view)
    }

    /// The same, and what stands behind the backs in it, which is for whoever sits between viewer and machine alone.
    ///
    /// # Errors
    ///
    /// As [`Self::view`].
    pub fn view_and_behind(&mut self, viewer: Option<u32>) -> Result<(View, Behind), Fault> {
        let (prepared, at) = (self.prepared.clone(), self.free());
        self.ctx.refuel();
        let faces = match faces(&prepared, &mut self.mem, &mut self.ctx, at, viewer) {
            Ok(faces) => faces,
            Err(trap) => return Err(self.fault(trap)),
        };
        Ok(self.look(viewer, faces))
    }

    /// The sets of things whose faces a viewer sees, by kind; nothing for a kind that hides none. A name on the back tells
    /// which piece it is and not what stands on its face, so this is more than what a [`KindView`] names.
    ///
    /// # Errors
    ///
    /// As [`Self::view`].
    pub fn faces(&mut self, viewer: u32) -> Result<Vec<Option<Vec<u64>>>, Fault> {
        let kinds = self.prepared.program.book.kinds.len() as u32;
        let faces = (0..kinds).map(|kind| self.faces_seen(viewer, KindId(kind))).collect::<Result<_, _>>();
        faces.map_err(|trap| self.fault(trap))
    }

    /// What somebody sees who sees everything.
    pub(crate) fn everything(&self) -> View {
        self.look(None, self.prepared.program.seen.iter().map(|_| None).collect()).0
    }

    /// What words are as a value of a type, to one who sees everything: of a die its sides, of a text or a place on a
    /// board nothing.
    pub fn value(&self, ty: Type, words: &[u64]) -> Option<Value> {
        if matches!(ty.base, Base::Text | Base::Point) {
            return None;
        }
        let faces = self.prepared.program.seen.iter().map(|_| None).collect();
        let look = Look { prepared: &self.prepared, mem: &self.mem, faces, under_way: Vec::new() };
        Some(look.shown(ty, words))
    }

    /// A state that a rule asks for, itself or through others, and that does not exist now; with the step that it exists
    /// during.
    pub fn gone(&self, rule: RuleId) -> Option<(ColumnId, StepId)> {
        let book = &self.prepared.program.book;
        let under_way = self.under_way();
        let mut gone = None;
        let mut seen = BTreeSet::from([rule]);
        let mut waiting = vec![rule];
        while let Some(next) = waiting.pop() {
            let reads = Reads::of_rule(book.rules.get(next.0 as usize)?);
            for column in reads.columns {
                let Role::State { start: None, fresh } = &book.column(column).role else { continue };
                let ty = book.column(column).ty;
                let must_be_set = matches!(ty.base, Base::Thing(_)) && !ty.optional;
                if must_be_set && book.column(column).keys.is_empty() && !exists(book, column, &under_way) {
                    gone = gone.or(fresh.first().map(|step| (column, *step)));
                }
            }
            waiting.extend(reads.rules.into_iter().filter(|rule| seen.insert(*rule)));
        }
        gone
    }

    /// What a viewer may know of things in the position as it is.
    pub(crate) fn look_of(&mut self, viewer: u32) -> Result<Look<'_>, Trap> {
        let at = self.free();
        let faces = faces(&self.prepared.clone(), &mut self.mem, &mut self.ctx, at, Some(viewer))?;
        Ok(Look { prepared: &self.prepared, mem: &self.mem, faces, under_way: Vec::new() })
    }

    fn look(&self, viewer: Option<u32>, faces: Faces) -> (View, Behind) {
        let under_way = self.under_way();
        let look = Look { prepared: &self.prepared, mem: &self.mem, faces, under_way };
        let kinds = self.prepared.program.book.kinds.len();
        let (kinds, behind) = (0..kinds).map(|kind| look.kind(KindId(kind as u32))).unzip();
        let view = View {
            viewer,
            outcome: self.outcome(),
            deciders: self.deciders().to_vec(),
            kinds,
            states: look.states(),
        };
        (view, Behind(behind))
    }
}

/// A state without a start exists only while a step that it is fresh for is under way.
pub(crate) fn exists(book: &Book, column: ColumnId, under_way: &[StepId]) -> bool {
    match &book.column(column).role {
        Role::State { start: None, fresh } if !fresh.is_empty() => {
            fresh.iter().any(|step| under_way.contains(step))
        }
        Role::Fact(_) | Role::State { .. } => true,
    }
}

/// For each kind the things whose faces the viewer sees; `None`: all of them.
type Faces = Vec<Option<Vec<u64>>>;

fn faces(
    prepared: &Prepared,
    mem: &mut [u64],
    ctx: &mut Context,
    at: usize,
    viewer: Option<u32>,
) -> Result<Faces, Trap> {
    let mut faces = Vec::new();
    for (kind, seen) in prepared.program.seen.iter().enumerate() {
        let (Some(viewer), Some(_)) = (viewer, seen) else {
            faces.push(None);
            continue;
        };
        let kind = KindId(kind as u32);
        if (viewer as usize) < prepared.things(prepared.program.book.player)
            && let Some(set) = text::faces(prepared, mem, ctx, at, viewer, kind)?
        {
            let words = bits::words_for(prepared.things(kind));
            faces.push(Some(mem[set..set + words].to_vec()));
            continue;
        }
        let mut set = vec![0; bits::words_for(prepared.things(kind))];
        for thing in 0..prepared.things(kind) {
            if text::sees(prepared, mem, ctx, at, viewer, kind, thing as u32)? {
                bits::insert(&mut set, thing);
            }
        }
        faces.push(Some(set));
    }
    Ok(faces)
}

pub(crate) struct Look<'a> {
    prepared: &'a Prepared,
    mem: &'a [u64],
    faces: Faces,
    under_way: Vec<StepId>,
}

impl Look<'_> {
    fn sees(&self, kind: KindId, thing: usize) -> bool {
        self.faces[kind.0 as usize].as_ref().is_none_or(|set| bits::has(set, thing))
    }

    /// Whether a viewer may connect the name with what is known: its face is seen, or its name stands on the back.
    pub(crate) fn knows(&self, kind: KindId, thing: usize) -> bool {
        self.sees(kind, thing) || self.prepared.program.book.kind(kind).name_on_back
    }

    /// The things of a kind, and which of them stand behind the backs.
    fn kind(&self, kind: KindId) -> (KindView, Vec<u32>) {
        let book = &self.prepared.program.book;
        let of_kind = |(_, column): &(usize, &blazon_book::Column)| column.keys == [kind];
        let states: Vec<ColumnId> = book
            .columns
            .iter()
            .enumerate()
            .filter(of_kind)
            .map(|(i, _)| ColumnId(i as u32))
            .filter(|&column| self.prepared.is_state(column))
            .collect();
        let (mut seen, mut backs) = (Vec::new(), Vec::new());
        for thing in 0..self.prepared.things(kind) {
            let of = |columns: &[ColumnId]| {
                let single = columns.iter().filter(|&&column| book.column(column).keys == [kind]);
                single
                    .filter_map(|&column| Some((column, self.value(column, thing as u64)?)))
                    .collect::<Vec<_>>()
            };
            if self.sees(kind, thing) {
                seen.push(ThingView { thing: thing as u32, states: of(&states) });
            } else if book.kind(kind).name_on_back {
                seen.push(ThingView { thing: thing as u32, states: self.back(kind, thing as u64) });
            } else {
                backs.push((self.back(kind, thing as u64), thing as u32));
            }
        }
        backs.sort_unstable();
        let (backs, behind) = backs.into_iter().unzip();
        (KindView { kind, seen, backs }, behind)
    }

    /// What stands on the back of a thing.
    pub(crate) fn back(&self, kind: KindId, thing: u64) -> Vec<(ColumnId, Value)> {
        let book = &self.prepared.program.book;
        let back = book.kind(kind).back.iter().filter(|&&column| book.column(column).keys == [kind]);
        back.filter_map(|&column| Some((column, self.value(column, thing)?))).collect()
    }

    fn states(&self) -> Vec<Entry> {
        let book = &self.prepared.program.book;
        let mut entries = Vec::new();
        for (i, column) in book.columns.iter().enumerate() {
            let id = ColumnId(i as u32);
            if column.keys.len() == 1 || !self.prepared.is_state(id) || !exists(book, id, &self.under_way) {
                continue;
            }
            for entry in 0..self.prepared.columns[i].len {
                let keys = self.prepared.program.book.keys_of(column, entry as usize);
                if column.keys.iter().zip(&keys).all(|(&kind, &key)| self.sees(kind, key as usize))
                    && let Some(value) = self.value(id, entry)
                {
                    entries.push(Entry { column: id, keys, value });
                }
            }
        }
        entries
    }

    fn value(&self, column: ColumnId, entry: u64) -> Option<Value> {
        let ty = self.prepared.program.book.column(column).ty;
        let col = &self.prepared.columns[column.0 as usize];
        let words = if col.fact { &self.prepared.program.facts } else { self.mem };
        if entry >= col.len || matches!(ty.base, Base::Text | Base::Point | Base::Die) {
            return None;
        }
        Some(self.shown(ty, &col.entry(words, entry)))
    }

    fn shown(&self, ty: Type, words: &[u64]) -> Value {
        let first = words.first().map_or(ABSENT, |&word| word as i64);
        match ty.base {
            Base::Set(kind) => {
                let (known, others): (Vec<usize>, Vec<usize>) = bits::iter(words)
                    .filter(|&thing| thing < self.prepared.things(kind))
                    .partition(|&thing| self.knows(kind, thing));
                Value::Set(kind, known.into_iter().map(|thing| thing as u32).collect(), others.len())
            }
            Base::Dice => {
                let count = first.clamp(0, MAX_DICE as i64) as usize;
                let die = |i: usize| words.get(1 + i / 8).map_or(0, |word| (word >> (i % 8 * 8)) as u8);
                Value::Dice((0..count).map(die).collect())
            }
            _ if first == ABSENT => Value::Absent,
            Base::Flag | Base::Permission => Value::Flag(first != 0),
            Base::Thing(kind) if self.knows(kind, first as usize) => Value::Thing(kind, first as u32),
            Base::Thing(kind) => Value::Hidden(kind),
            Base::Number(..)
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => Value::Number(first),
        }
    }
}
