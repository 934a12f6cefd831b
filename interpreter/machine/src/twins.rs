//! Positions that differ only in what a player may not see: what he reads must be the same in both, and he cannot tell
//! what holds in but one of them.

use blazon_book::{Base, ColumnId, KindId};
use blazon_kernel::chance;
use blazon_program::ir::{ABSENT, slot};

use crate::fault::{Fault, Trap};
use crate::machine::Machine;
use crate::unseen::canonical::is_on_back;
use crate::unseen::renaming::Renaming;
use crate::unseen::{Unseen, is_kept, keys_of};

/// How many values of a state are tried at most.
const MOST_VALUES: i64 = 64;

/// Something that may be otherwise without a player seeing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Two things of a kind whose faces he does not see and whose backs are printed alike change places.
    Change(KindId, u32, u32),
    /// A state on the face of such a thing has another value: the entry of the state, and the value. It may be kept of
    /// other things, too.
    Face(ColumnId, u64, i64),
    /// Somebody who is asked with others has answered otherwise: which of his options he took.
    Answer(u32, usize),
    /// The dice to come are others.
    Luck(u64),
}

impl Machine {
    /// What may be otherwise without a player seeing it, each by itself. Some of it may show nevertheless, where who sees
    /// a face hangs on it: whether it does is told by the views before and after [`Self::differ`].
    ///
    /// # Errors
    /// A [`Fault`] of a rule that says who sees what.
    pub fn differences(&mut self, viewer: u32) -> Result<Vec<Difference>, Fault> {
        let unseen = self.unseen(viewer).map_err(|trap| self.fault(trap))?;
        let mut differences = Vec::new();
        for unseen in unseen.kinds() {
            for class in &unseen.classes {
                let pairs = class.iter().enumerate().flat_map(|(at, &one)| {
                    class[at + 1..].iter().map(move |&other| Difference::Change(unseen.kind, one, other))
                });
                differences.extend(pairs);
            }
        }
        for column in self.face_states() {
            for entry in self.unseen_entries(&unseen, column) {
                differences.extend(self.other_values(column, entry));
            }
        }
        differences.extend(self.other_answers(viewer).map_err(|trap| self.fault(trap))?);
        differences.push(Difference::Luck(chance::finish(self.position()[slot::SEED])));
        Ok(differences)
    }

    /// Makes a position otherwise. What is being decided is not looked at anew.
    ///
    /// # Errors
    /// A [`Fault`] of the rules that say what else somebody could have answered.
    pub fn differ(&mut self, difference: &Difference) -> Result<(), Fault> {
        match *difference {
            Difference::Change(kind, one, other) => {
                let prepared = self.prepared.clone();
                let mut renaming = Renaming::none(&prepared);
                renaming.rename(&prepared, kind, one, other);
                renaming.rename(&prepared, kind, other, one);
                renaming.apply(&prepared, &mut self.mem[..self.end]);
            }
            Difference::Face(column, entry, value) => {
                let col = self.prepared.columns[column.0 as usize];
                let mut now = col.entry(&self.mem, entry);
                now.iter_mut().take(1).for_each(|word| *word = value as u64);
                col.set_entry(&mut self.mem, entry, &now);
            }
            Difference::Answer(asked, option) => {
                self.answer_otherwise(asked, option).map_err(|trap| self.fault(trap))?;
            }
            Difference::Luck(seed) => self.mem[slot::SEED] = seed,
        }
        self.ctx.memo.forget();
        Ok(())
    }

    /// A difference in words, as a condition: "Archers and Spearmen change places".
    pub fn tell_difference(&self, difference: &Difference) -> String {
        let book = &self.prepared.program.book;
        let name = |kind: KindId, thing: u32| book.kind(kind).things[thing as usize].name.clone();
        match *difference {
            Difference::Change(kind, one, other) => {
                format!("{} and {} changed places", name(kind, one), name(kind, other))
            }
            Difference::Face(column, entry, value) => {
                let info = book.column(column);
                let things = keys_of(&self.prepared, column.0 as usize, entry);
                let keys = info.keys.iter().zip(things).map(|(&kind, thing)| name(kind, thing as u32));
                let keys: Vec<String> = keys.collect();
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
                format!("`{}` of {} were {value}", info.name, blazon_diagnostics::list(&keys, "and"))
            }
            Difference::Answer(asked, option) => {
                let who = self.player_name(asked);
                format!("{who} had answered otherwise, by the option in place {option}")
            }
            Difference::Luck(_) => "the dice to come were others".to_owned(),
        }
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

    /// The states on the faces of hidden things, whatever else they are kept of.
    fn face_states(&self) -> Vec<ColumnId> {
        let program = &self.prepared.program;
        let is_face = |&column: &usize| {
            let keys = &program.book.columns[column].keys;
            let is_hidden = keys.iter().any(|kind| program.seen[kind.0 as usize].is_some());
            is_hidden && is_kept(&self.prepared, column) && !is_on_back(&self.prepared, column)
        };
        (0..program.book.columns.len()).filter(is_face).map(|column| ColumnId(column as u32)).collect()
    }

    /// The entries of a state that are kept of something unseen.
    fn unseen_entries(&self, unseen: &Unseen, column: ColumnId) -> Vec<u64> {
        let kinds = &self.prepared.program.book.column(column).keys;
        let is_unseen = |&entry: &u64| {
            let things = keys_of(&self.prepared, column.0 as usize, entry);
            kinds.iter().zip(things).any(|(&kind, thing)| unseen.has(kind, thing))
        };
        (0..self.prepared.columns[column.0 as usize].len).filter(is_unseen).collect()
    }

    /// The other values of an entry; of sets those with one thing more or fewer in their first word.
    fn other_values(&self, column: ColumnId, entry: u64) -> Vec<Difference> {
        let col = &self.prepared.columns[column.0 as usize];
        let base = self.prepared.program.book.column(column).ty.base;
        let other = |value| Difference::Face(column, entry, value);
        if col.set_words > 0 {
            let Base::Set(members) = base else { return Vec::new() };
            let now = col.entry(&self.mem, entry).first().copied().unwrap_or_default();
            let count = self.prepared.things(members).min(64);
            return (0..count).map(|one| other((now ^ 1 << one) as i64)).collect();
        }
        let now = col.load(&self.mem, entry);
        let most = col.hi.min(col.lo.saturating_add(MOST_VALUES - 1));
        let absent = col.optional.then_some(ABSENT);
        let values =
            absent.into_iter().chain(col.lo..=most).filter(|&value| value != now && col.takes(value));
        values.map(other).collect()
    }

    /// What else others could have answered whose answers a player does not know.
    fn other_answers(&mut self, viewer: u32) -> Result<Vec<Difference>, Trap> {
        let mut differences = Vec::new();
        for asked in self.secret_answers(viewer)? {
            let options = self.options_of_answered(asked)?;
            let given = self.answers().into_iter().find(|answer| answer.asked == asked);
            let is_given = |place: &usize| {
                let open = options.get(*place).map(|open| (open.option, open.args.to_vec()));
                given.as_ref().map(|given| (given.option, given.args.clone())) == open
            };
            let places = (0..options.len()).filter(|place| !is_given(place));
            differences.extend(places.map(|place| Difference::Answer(asked, place)));
        }
        Ok(differences)
    }

    /// Somebody has taken another option of those that were open to him.
    fn answer_otherwise(&mut self, asked: u32, place: usize) -> Result<(), Trap> {
        let options = self.options_of_answered(asked)?;
        if let Some(at) = self.place_of_answer(asked) {
            self.mem[at].fill(0);
            self.keep(asked, &options, place);
        }
        Ok(())
    }
}
