//! Positions that differ only in what a player may not see: what he reads must be the same in both, and he cannot tell
//! what holds in but one of them.

use blazon_book::{Base, ColumnId, KindId};
use blazon_kernel::bits;
use blazon_program::ir::ABSENT;

use crate::fault::Fault;
use crate::machine::Machine;

/// How many values of a state are tried at most.
const MOST_VALUES: i64 = 64;

/// Something that may be otherwise without a player seeing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Two things of a kind whose faces he does not see and whose backs are printed alike change places.
    Change(KindId, u32, u32),
    /// A state on the face of such a thing has another value.
    Face(ColumnId, u32, i64),
}

impl Machine {
    /// What may be otherwise without a player seeing it, each by itself. Some of it may show nevertheless, where who sees
    /// a face hangs on it: [`Self::differ`] says whether it does.
    ///
    /// # Errors
    /// A [`Fault`] of a rule that says who sees what.
    pub fn differences(&mut self, viewer: u32) -> Result<Vec<Difference>, Fault> {
        let mut differences = Vec::new();
        let prepared = self.prepared.clone();
        for (place, info) in
            prepared.program.book.kinds.iter().enumerate().filter(|(_, info)| info.seen.is_some())
        {
            let kind = KindId(place as u32);
            let unseen = self.unseen(viewer, kind)?;
            if !info.name_on_back {
                let print: Vec<_> = unseen.iter().map(|&thing| self.printed_back(kind, thing)).collect();
                for (at, &one) in unseen.iter().enumerate() {
                    let others =
                        unseen.iter().zip(&print).skip(at + 1).filter(|(_, other)| **other == print[at]);
                    differences.extend(others.map(|(&other, _)| Difference::Change(kind, one, other)));
                }
            }
            for column in self.face_states(kind) {
                for &thing in &unseen {
                    differences.extend(self.other_values(column, thing));
                }
            }
        }
        Ok(differences)
    }

    /// Makes a position otherwise; answers whether the player sees just what he saw. What is being decided is not
    /// looked at anew.
    ///
    /// # Errors
    /// A [`Fault`] of a rule that says who sees what.
    pub fn differ(&mut self, viewer: u32, difference: &Difference) -> Result<bool, Fault> {
        let before = self.view(Some(viewer))?;
        match *difference {
            Difference::Change(kind, one, other) => self.change_places(kind, one, other),
            Difference::Face(column, thing, value) => {
                let col = self.prepared.columns[column.0 as usize];
                col.set_entry(&mut self.mem, u64::from(thing), &[value as u64]);
            }
        }
        self.ctx.memo.forget();
        Ok(self.view(Some(viewer))? == before)
    }

    /// A difference in words, as a condition: "Clifford and Devon change places".
    pub fn tell_difference(&self, difference: &Difference) -> String {
        let book = &self.prepared.program.book;
        let name = |kind: KindId, thing: u32| book.kind(kind).things[thing as usize].name.clone();
        match *difference {
            Difference::Change(kind, one, other) => {
                format!("{} and {} changed places", name(kind, one), name(kind, other))
            }
            Difference::Face(column, thing, value) => {
                let info = book.column(column);
                let value = match info.ty.base {
                    _ if value == ABSENT => "none".to_owned(),
                    Base::Thing(kind) => name(kind, value as u32),
                    Base::Set(_) => "another set".to_owned(),
                    Base::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
                    Base::Number(..)
                    | Base::Die
                    | Base::Dice
                    | Base::Text
                    | Base::Point
                    | Base::Permission
                    | Base::Numbers
                    | Base::Nothing
                    | Base::Unknown => value.to_string(),
                };
                format!("`{}` of {} were {value}", info.name, name(info.keys[0], thing))
            }
        }
    }

    /// The things of a kind whose faces a player does not see.
    fn unseen(&mut self, viewer: u32, kind: KindId) -> Result<Vec<u32>, Fault> {
        let count = self.prepared.things(kind) as u32;
        let mut unseen = Vec::new();
        for thing in 0..count {
            if !self.sees(viewer, kind, thing)? {
                unseen.push(thing);
            }
        }
        Ok(unseen)
    }

    /// Whether a player sees the face of a thing.
    ///
    /// # Errors
    /// A [`Fault`] of the rule that says who sees it.
    pub fn sees(&mut self, viewer: u32, kind: KindId, thing: u32) -> Result<bool, Fault> {
        let (prepared, at) = (self.prepared.clone(), self.free());
        self.ctx.refuel();
        crate::vm::text::sees(&prepared, &mut self.mem, &mut self.ctx, at, viewer, kind, thing)
            .map_err(|trap| self.fault(trap))
    }

    /// The facts on the back of a thing.
    fn printed_back(&self, kind: KindId, thing: u32) -> Vec<u64> {
        let book = &self.prepared.program.book;
        let facts = book.kind(kind).back.iter().filter(|&&column| !self.prepared.is_state(column));
        let facts = facts.filter(|&&column| book.column(column).keys == [kind]);
        facts
            .flat_map(|&column| {
                self.prepared.columns[column.0 as usize].entry(&self.prepared.program.facts, u64::from(thing))
            })
            .collect()
    }

    /// The states on the face of a kind of which other values can be tried.
    fn face_states(&self, kind: KindId) -> Vec<ColumnId> {
        let book = &self.prepared.program.book;
        let back = &book.kind(kind).back;
        let columns = (0..book.columns.len()).map(|column| ColumnId(column as u32));
        let is_face = |column: &ColumnId| {
            self.prepared.is_state(*column)
                && book.column(*column).keys == [kind]
                && !back.contains(column)
                && self.prepared.columns[column.0 as usize].set_words <= 1
        };
        columns.filter(is_face).collect()
    }

    fn other_values(&self, column: ColumnId, thing: u32) -> Vec<Difference> {
        let col = &self.prepared.columns[column.0 as usize];
        if u64::from(thing) >= col.len {
            return Vec::new();
        }
        if col.set_words == 1 {
            let now = col.bits(&self.mem, u64::from(thing));
            let members = self.prepared.program.book.column(column).ty.base.kind();
            let count = members.map_or(0, |kind| self.prepared.things(kind));
            return (0..count).map(|one| Difference::Face(column, thing, (now ^ 1 << one) as i64)).collect();
        }
        let now = col.load(&self.mem, u64::from(thing));
        let most = col.hi.min(col.lo.saturating_add(MOST_VALUES - 1));
        let absent = col.optional.then_some(ABSENT);
        let values =
            absent.into_iter().chain(col.lo..=most).filter(|&value| value != now && col.takes(value));
        values.map(|value| Difference::Face(column, thing, value)).collect()
    }

    /// Two things change places: what stands on their backs, and in whatever points to them.
    fn change_places(&mut self, kind: KindId, one: u32, other: u32) {
        let prepared = self.prepared.clone();
        let book = &prepared.program.book;
        let back = &book.kind(kind).back;
        for (place, info) in book.columns.iter().enumerate() {
            let column = ColumnId(place as u32);
            let col = &prepared.columns[place];
            if !prepared.is_state(column) || col.len == 0 {
                continue;
            }
            if info.ty.base.kind() == Some(kind) {
                for key in 0..col.len {
                    let entry = col.entry(&self.mem, key);
                    let turned = pointing_the_other_way(info.ty.base, entry, one, other);
                    col.set_entry(&mut self.mem, key, &turned);
                }
            }
            if back.contains(&column) && info.keys == [kind] {
                let (a, b) = (col.entry(&self.mem, u64::from(one)), col.entry(&self.mem, u64::from(other)));
                col.set_entry(&mut self.mem, u64::from(one), &b);
                col.set_entry(&mut self.mem, u64::from(other), &a);
            }
        }
    }
}

/// A value that points to one of two things as it points to the other.
fn pointing_the_other_way(base: Base, mut entry: Vec<u64>, one: u32, other: u32) -> Vec<u64> {
    if matches!(base, Base::Set(_)) {
        let (a, b) = (bits::has(&entry, one as usize), bits::has(&entry, other as usize));
        for (thing, is_in) in [(one, b), (other, a)] {
            match is_in {
                true => bits::insert(&mut entry, thing as usize),
                false => bits::remove(&mut entry, thing as usize),
            };
        }
    } else if let Some(word) = entry.first_mut() {
        if *word == u64::from(one) {
            *word = u64::from(other);
        } else if *word == u64::from(other) {
            *word = u64::from(one);
        }
    }
    entry
}
