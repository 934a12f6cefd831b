//! Pieces get other names: what stands on their backs, and in whatever points to them, goes with the piece, and what is
//! on a face stays with the name.

use blazon_book::KindId;
use blazon_kernel::bits;
use blazon_program::ir::{EachInfo, Holds, Pc, slot};

use super::{back_states, is_kept, kind_held};
use crate::vm::prepared::Prepared;

/// For each kind the name that each thing gets; nothing where all keep theirs.
#[derive(Clone, Debug)]
pub(crate) struct Renaming(Vec<Option<Vec<u32>>>);

impl Renaming {
    /// All keep their names.
    pub fn none(prepared: &Prepared) -> Self {
        Self(vec![None; prepared.program.book.kinds.len()])
    }

    /// A thing gets a name.
    pub fn rename(&mut self, prepared: &Prepared, kind: KindId, thing: u32, name: u32) {
        if let Some(names) = self.0.get_mut(kind.0 as usize) {
            let names = names.get_or_insert_with(|| (0..prepared.things(kind) as u32).collect());
            if let Some(place) = names.get_mut(thing as usize) {
                *place = name;
            }
        }
    }

    fn of(&self, kind: KindId) -> Option<&[u32]> {
        self.0.get(kind.0 as usize)?.as_deref()
    }

    fn thing(&self, kind: KindId, word: &mut u64) {
        let name = self.of(kind).and_then(|names| names.get(usize::try_from(*word).ok()?));
        if let Some(&name) = name {
            *word = u64::from(name);
        }
    }

    fn set(&self, kind: KindId, words: &mut [u64]) {
        let Some(names) = self.of(kind) else { return };
        let before = words.to_vec();
        words.fill(0);
        for thing in bits::iter(&before) {
            bits::insert(words, names.get(thing).map_or(thing, |&name| name as usize));
        }
    }

    /// Renames the pieces in a position.
    pub fn apply(&self, prepared: &Prepared, words: &mut [u64]) {
        self.point(prepared, words);
        for (place, names) in self.0.iter().enumerate() {
            let Some(names) = names else { continue };
            for column in back_states(prepared, KindId(place as u32)) {
                let col = &prepared.columns[column];
                let keys = 0..col.len.min(names.len() as u64);
                let moved: Vec<u64> = keys.filter(|&key| u64::from(names[key as usize]) != key).collect();
                let before: Vec<Vec<u64>> = moved.iter().map(|&key| col.entry(words, key)).collect();
                for (&key, entry) in moved.iter().zip(&before) {
                    col.set_entry(words, u64::from(names[key as usize]), entry);
                }
            }
        }
        for slot in slots(prepared, words) {
            match slot {
                Slot::Thing(kind, at) => self.thing(kind, &mut words[at]),
                Slot::Set(kind, at) => {
                    let end = at + usize::from(prepared.program.kinds[kind.0 as usize].words);
                    self.set(kind, &mut words[at..end]);
                }
                Slot::Key(_) | Slot::Count(_) => {}
            }
        }
    }

    /// The states that point to pieces.
    fn point(&self, prepared: &Prepared, words: &mut [u64]) {
        for (column, col) in prepared.columns.iter().enumerate().take(prepared.program.book.columns.len()) {
            let Some((kind, is_set)) = kind_held(prepared, column) else { continue };
            if self.of(kind).is_none() || !is_kept(prepared, column) {
                continue;
            }
            for key in 0..col.len {
                let before = col.entry(words, key);
                let mut entry = before.clone();
                match is_set {
                    true => self.set(kind, &mut entry),
                    false => entry.iter_mut().take(1).for_each(|word| self.thing(kind, word)),
                }
                if entry != before {
                    col.set_entry(words, key, &entry);
                }
            }
        }
    }
}

/// Words of the frames of steps under way that can tell of hidden things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A thing, or none.
    Thing(KindId, usize),
    /// The first word of a set.
    Set(KindId, usize),
    /// The key of a step's dice: the names of what it is done with are in it.
    Key(usize),
    /// The first of the four words that count rolls by such keys.
    Count(usize),
}

/// The frames of the steps under way, the innermost first: where the step stands still, and where its frame begins.
fn frames(prepared: &Prepared, words: &[u64]) -> Vec<(Pc, usize)> {
    let (mut pc, mut base) = (words[slot::PC], words[slot::BASE] as usize);
    let mut frames = Vec::new();
    while pc != 0 && base >= prepared.template.len() && base + 2 < words.len() {
        frames.push((pc as Pc, base));
        let (back, caller) = (words[base], words[base + 1] as usize);
        if back == 0 || caller >= base {
            break;
        }
        (pc, base) = (back - 1, caller);
    }
    frames
}

/// All words of the frames that can tell of hidden things.
pub(crate) fn slots(prepared: &Prepared, words: &[u64]) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (pc, base) in frames(prepared, words) {
        slots.push(Slot::Key(base + 2));
        for held in prepared.program.held_at(pc) {
            let at = base + usize::from(held.reg);
            if at + prepared.program.held_words(held) > words.len() {
                continue;
            }
            match held.holds {
                Holds::Thing(kind) => slots.push(Slot::Thing(kind, at)),
                Holds::Set(kind) => slots.push(Slot::Set(kind, at)),
                Holds::Sequence(kind) => {
                    let length = (words[at + 1] as usize).min(words.len() - at - 2);
                    slots.extend((0..length).map(|place| Slot::Thing(kind, at + 2 + place)));
                }
                Holds::Answers(choice) => answers(prepared, words, choice, at, &mut slots),
                Holds::Counts => slots.push(Slot::Count(at)),
            }
        }
    }
    slots
}

/// What the answers mean that wait in a frame.
fn answers(prepared: &Prepared, words: &[u64], choice: u16, at: usize, slots: &mut Vec<Slot>) {
    let Some(info) = prepared.program.choices.get(usize::from(choice)) else { return };
    let Some(each) = info.each else { return };
    for player in 0..prepared.things(prepared.program.book.player) {
        let answer = at + 1 + player * usize::from(each.words);
        let option = match words[answer] {
            0 | EachInfo::NOT_ASKED => continue,
            answer => info.options.get(answer as usize - 1),
        };
        let params = option.map_or(&[] as &[_], |option| &option.params);
        let kinds = params.iter().take(usize::from(each.words) - 1).enumerate();
        slots.extend(kinds.filter_map(|(place, param)| Some(Slot::Thing(param.kind?, answer + 1 + place))));
    }
}
