//! Guesses at what a player may not know.
//!
//! A guess is made of nothing but what he may know: of the one position that stands for all that he cannot tell from the
//! one he is in ([`crate::unseen::canonical`]), and of a stream of chance. What is unseen is dealt out from there: names
//! among the pieces whose printed backs are alike; what is on faces as it is at the start, changed as it is changed on
//! faces that he does see; the answers of others that wait, any that is open to them; and other dice.
//!
//! A guess counts if he sees the same faces in it, is asked the same and has the same options, as far as he can tell
//! them. If none of several does, there is no guess, and never the truth instead.
//!
//! What it does not forget are numbers and flags in variables of steps under way: a rule that keeps what it has read on a
//! face, and asks a player who does not see that face before it uses it, has his bot look ahead with it. So it is with
//! what a `whenever` remembers of its condition. A game that does so shows it in the pairs of the tests.

use blazon_book::{Base, KindId};
use blazon_kernel::chance::{Stream, mix};
use blazon_kernel::{Position, bits};
use blazon_program::ir::{ABSENT, slot};

use super::trail::Here;
use super::{Pick, keys};
use crate::fault::{Fault, Trap};
use crate::machine::Machine;
use crate::unseen::canonical::{canonical, is_on_back};
use crate::unseen::renaming::Renaming;
use crate::unseen::{Unseen, UnseenKind, back_states, is_kept};
use crate::vm::options::Options;

/// How many guesses are made before there is none.
const GUESSES: usize = 8;

/// Of how many things on whose faces one looks the one is taken to which the most has happened that happened to a thing.
const LIKE: usize = 3;

/// Makes guesses at what a player may not know in one position.
pub(crate) struct Guesses {
    player: u32,
    /// The position that all guesses are made of.
    words: Vec<u64>,
    unseen: Unseen,
    /// Those of a choice by each who have answered, and whose answers the player does not know.
    secret: Vec<u32>,
    /// What the player is asked, with his options.
    asked: Option<u32>,
    options: Options,
}

impl Guesses {
    /// Guesses at the position in which a machine stands. It stands anywhere afterwards.
    pub fn new(machine: &mut Machine, player: u32) -> Result<Self, Fault> {
        let found = Self::of(machine, player);
        found.map_err(|trap| machine.fault(trap))
    }

    fn of(machine: &mut Machine, player: u32) -> Result<Self, Trap> {
        let (asked, options) = (machine.decision.asked(player), machine.options(player).clone());
        let mut words = machine.position().to_vec();
        let unseen = machine.unseen(player)?;
        let secret = machine.secret_answers(player)?;
        for at in secret.iter().filter_map(|&asked| machine.place_of_answer(asked)) {
            words[at].fill(0);
        }
        if !unseen.is_nothing() {
            canonical(&machine.prepared.clone(), &unseen, &mut words);
            turn_unseen(machine, player, &unseen, &mut words)?;
        }
        Ok(Self { player, words, unseen, secret, asked, options })
    }

    /// The position that guesses are made of, as a key: the same wherever the player can tell no difference, but for how many
    /// decisions were taken.
    pub fn here(&self) -> Here {
        let told = |&(at, _): &(usize, &u64)| at != slot::SEED && at != slot::TAKEN;
        let words = self.words.iter().enumerate().filter(told);
        let begun = self.asked.map_or(0, u64::from);
        let key = words.fold(begun, |key, (_, &word)| mix(key, word));
        Here { key, taken: self.words.get(slot::TAKEN).copied().unwrap_or_default() }
    }

    /// Makes a guess; answers whether there is one. The machine, one of the same program, stands there then; otherwise it
    /// stands anywhere.
    pub fn guess(&self, machine: &mut Machine, stream: &mut Stream, world: &mut Position) -> bool {
        let (seed, dealt) = (stream.word(), stream.word());
        if self.unseen.is_nothing() && self.secret.is_empty() {
            self.begin(seed, world);
            return machine.restore(world).is_ok();
        }
        let mut stream = Stream::new(dealt);
        for attempt in 0..=GUESSES {
            self.begin(seed, world);
            if attempt < GUESSES {
                self.deal(machine, &mut stream, world.words_mut());
            }
            if matches!(self.settle(machine, &mut stream, world), Ok(true)) {
                return true;
            }
        }
        false
    }

    fn begin(&self, seed: u64, world: &mut Position) {
        let words = world.words_mut();
        words.clear();
        words.extend_from_slice(&self.words);
        words[slot::SEED] = seed;
    }

    /// Deals names among pieces whose backs are printed alike, and guesses what is on faces.
    fn deal(&self, machine: &Machine, stream: &mut Stream, words: &mut [u64]) {
        let prepared = &machine.prepared;
        let mut renaming = Renaming::none(prepared);
        for unseen in self.unseen.kinds() {
            for class in &unseen.classes {
                let mut names = class.clone();
                for i in (1..names.len()).rev() {
                    names.swap(i, stream.below(i + 1));
                }
                for (&thing, &name) in class.iter().zip(&names) {
                    renaming.rename(prepared, unseen.kind, thing, name);
                }
            }
        }
        renaming.apply(prepared, words);
        for unseen in self.unseen.kinds() {
            self.guess_faces(machine, stream, unseen, words);
        }
    }

    /// What is on an unseen face differs from the start as it does on a face that is seen, rather of a thing to which the
    /// same has happened as far as backs tell: what happens to things of a kind happens to all of them.
    fn guess_faces(&self, machine: &Machine, stream: &mut Stream, unseen: &UnseenKind, words: &mut [u64]) {
        let prepared = &machine.prepared;
        let seen: Vec<u64> = bits::iter(&unseen.faces).map(|thing| thing as u64).collect();
        if seen.is_empty() {
            return;
        }
        let columns: Vec<usize> = face_states(machine, unseen.kind).collect();
        let backs: Vec<usize> = back_states(prepared, unseen.kind).collect();
        for &thing in &unseen.things {
            let thing = u64::from(thing);
            let alike = |other: u64| {
                let same = |&&column: &&usize| {
                    let col = &prepared.columns[column];
                    col.entry(words, thing) == col.entry(words, other)
                };
                backs.iter().filter(same).count()
            };
            let lots = (0..LIKE).map(|_| seen[stream.below(seen.len())]);
            let Some(like) = lots.max_by_key(|&other| alike(other)) else { continue };
            for &column in &columns {
                change_as(machine, column, like, thing, words);
            }
        }
    }

    /// Whether the player cannot tell a guess from the position; the answers of others are given in it before.
    fn settle(&self, machine: &mut Machine, stream: &mut Stream, world: &mut Position) -> Result<bool, Trap> {
        machine.lay(world.words());
        for unseen in self.unseen.kinds() {
            let faces = machine.faces_seen(self.player, unseen.kind)?.unwrap_or_default();
            if faces != unseen.faces {
                self.turn_back(machine, unseen, &faces, world.words_mut());
            }
        }
        machine.lay(world.words());
        for unseen in self.unseen.kinds() {
            if machine.faces_seen(self.player, unseen.kind)?.as_ref() != Some(&unseen.faces) {
                return Ok(false);
            }
        }
        if !self.secret.is_empty() {
            machine.answer_anew(&self.secret, world.words_mut(), |machine, options| {
                keys::pick_of(machine, options, Pick::ByName, stream.word())
            })?;
        }
        Ok(machine.restore(world).is_ok()
            && machine.decision.asked(self.player) == self.asked
            && machine.options(self.player).looks_like(&self.options))
    }

    /// What would let faces be seen that are not is taken back.
    fn turn_back(&self, machine: &Machine, unseen: &UnseenKind, faces: &[u64], words: &mut [u64]) {
        for &thing in unseen.things.iter().filter(|&&thing| bits::has(faces, thing as usize)) {
            for column in face_states(machine, unseen.kind) {
                let col = &machine.prepared.columns[column];
                col.set_entry(words, u64::from(thing), &col.entry(&self.words, u64::from(thing)));
            }
        }
    }
}

/// The states of one key on the faces of a kind.
fn face_states(machine: &Machine, kind: KindId) -> impl Iterator<Item = usize> {
    let prepared = &machine.prepared;
    let columns = 0..prepared.program.book.columns.len();
    columns.filter(move |&column| {
        prepared.program.book.columns[column].keys == [kind]
            && is_kept(prepared, column)
            && !is_on_back(prepared, column)
    })
}

/// A state of one thing changes from its start as that of another did.
fn change_as(machine: &Machine, column: usize, like: u64, thing: u64, words: &mut [u64]) {
    let col = &machine.prepared.columns[column];
    let (then, now) = (col.entry(&machine.prepared.template, like), col.entry(words, like));
    if then == now {
        return;
    }
    let base = machine.prepared.program.book.columns[column].ty.base;
    let own = col.entry(words, thing);
    let entry = match (base, &then[..], &now[..], &own[..]) {
        (Base::Number(..), &[then], &[now], &[own]) => {
            let [then, now, own] = [then, now, own].map(|word| word as i64);
            let is_there = ![then, now, own].contains(&ABSENT);
            let changed = own.saturating_add(now.saturating_sub(then)).clamp(col.lo, col.hi.max(col.lo));
            vec![if is_there { changed } else { now } as u64]
        }
        _ => now,
    };
    if col.set_words > 0 || entry.first().is_some_and(|&word| col.takes(word as i64)) {
        col.set_entry(words, thing, &entry);
    }
}

/// The most values of a state that are tried.
const MOST_VALUES: i64 = 64;

/// At the start a face may lie open that lies hidden now: then the first value that hides it is taken.
fn turn_unseen(machine: &mut Machine, player: u32, unseen: &Unseen, words: &mut [u64]) -> Result<(), Trap> {
    machine.lay(words);
    for unseen in unseen.kinds() {
        let faces = machine.faces_seen(player, unseen.kind)?.unwrap_or_default();
        let open: Vec<u32> =
            unseen.things.iter().copied().filter(|&thing| bits::has(&faces, thing as usize)).collect();
        for thing in open {
            hide(machine, player, unseen.kind, thing, words)?;
        }
    }
    Ok(())
}

/// Tries the values of the states on a face, one after the other, until it is hidden.
fn hide(machine: &mut Machine, player: u32, kind: KindId, thing: u32, words: &mut [u64]) -> Result<(), Trap> {
    let prepared = machine.prepared.clone();
    let columns: Vec<usize> =
        face_states(machine, kind).filter(|&column| prepared.columns[column].set_words == 0).collect();
    for column in columns {
        let col = &prepared.columns[column];
        let start = col.entry(words, u64::from(thing));
        let most = col.hi.min(col.lo.saturating_add(MOST_VALUES - 1));
        for value in (col.lo..=most).chain(col.optional.then_some(ABSENT)) {
            col.set_entry(words, u64::from(thing), &[value as u64]);
            machine.lay(words);
            let faces = machine.faces_seen(player, kind)?.unwrap_or_default();
            if !bits::has(&faces, thing as usize) {
                return Ok(());
            }
        }
        col.set_entry(words, u64::from(thing), &start);
    }
    machine.lay(words);
    Ok(())
}
