//! What a bot is asked and what it may choose, as keys that chance is asked by: made of names alone, and of what the bot
//! may know.
//!
//! An option's key is its name, the names of the things among its arguments and its numbers; a thing whose face is not seen
//! is its back. A decision's key is the question, who is asked, who decides, which run of this question it is, and the place
//! in the run: a run is a stretch in which a bot is asked the same without anything else between. So whoever marches once
//! more in his first turn thinks and throws in his second as he would have.
//!
//! Of the options the one with the least lot is taken. Another option beside them changes what is chosen only if its own
//! lot is less than all of theirs: two games under two rule sets go the same way until that happens.

use std::collections::BTreeMap;
use std::ops::Range;

use blazon_book::KindId;
use blazon_kernel::chance::{finish, mix};

use super::Pick;
use crate::decision::veiled::Meant;
use crate::machine::Machine;
use crate::view::Value;
use crate::vm::names::ChoiceNames;
use crate::vm::options::{Chosen, Options};
use crate::vm::prepared::Prepared;

/// What is asked, by whom and for whom; nothing if the player is not asked.
pub(super) fn key_of_question(machine: &Machine, player: u32) -> Option<u64> {
    let (choice, asked) = (machine.decision.choice()?, machine.decision.asked(player)?);
    let prepared = &machine.prepared;
    let names = prepared.names.choices.get(usize::from(choice))?;
    let kind = prepared.program.book.player;
    let asked = key_of_thing(prepared, kind, i64::from(asked));
    let decider = key_of_thing(prepared, kind, i64::from(player));
    Some(mix(mix(names.question, asked), decider))
}

/// The key of an argument by what it means; look-alikes have the same.
#[inline]
pub(super) fn key_of_known(prepared: &Prepared, kind: Option<KindId>, arg: i64) -> u64 {
    match kind {
        Some(kind) => key_of_thing(prepared, kind, arg),
        None => arg as u64,
    }
}

#[inline]
fn key_of_thing(prepared: &Prepared, kind: KindId, thing: i64) -> u64 {
    let names = prepared.program.kinds.get(kind.0 as usize).map(|kind| &kind.hashes);
    let name = names.and_then(|names| names.get(usize::try_from(thing).ok()?));
    name.copied().unwrap_or(thing as u64)
}

/// The key of an argument as who is asked can tell it.
pub(super) fn key_of_meant(prepared: &Prepared, kind: Option<KindId>, meant: &Meant) -> u64 {
    match meant {
        Meant::Known(arg) => key_of_known(prepared, kind, *arg),
        Meant::Back(back, first) => {
            // The order of columns is no name: what stands in them is added up.
            let columns = back.iter().map(|(column, value)| {
                let name = prepared.names.columns.get(column.0 as usize);
                mix(name.copied().unwrap_or_default(), key_of_value(prepared, value))
            });
            mix(mix(BACK, *first as u64), columns.fold(0, u64::wrapping_add))
        }
    }
}

/// What the keys of unseen things begin with, beside what stands on their backs.
const BACK: u64 = blazon_kernel::chance::hash_text("back");

/// A key of a value; different values have different keys.
fn key_of_value(prepared: &Prepared, value: &Value) -> u64 {
    let name_of = |kind: &KindId| prepared.names.kinds.get(kind.0 as usize).copied().unwrap_or_default();
    match value {
        Value::Absent => finish(1),
        Value::Flag(flag) => mix(2, u64::from(*flag)),
        Value::Number(number) => mix(3, *number as u64),
        Value::Thing(kind, thing) => {
            mix(mix(4, name_of(kind)), key_of_thing(prepared, *kind, (*thing).into()))
        }
        Value::Hidden(kind) => mix(5, name_of(kind)),
        Value::Set(kind, things, others) => {
            let names = things.iter().map(|&thing| finish(key_of_thing(prepared, *kind, thing.into())));
            mix(mix(mix(6, name_of(kind)), *others as u64), names.fold(0, u64::wrapping_add))
        }
        Value::Dice(dice) => dice.iter().fold(7, |key, &die| mix(key, u64::from(die))),
    }
}

/// The key of the arguments of an option, begun with another key.
#[inline]
fn key_of_args(prepared: &Prepared, names: &ChoiceNames, options: &Options, place: usize, begun: u64) -> u64 {
    let Some(Chosen { option, args }) = options.get(place) else { return begun };
    let Some(names) = names.options.get(usize::from(option)) else { return begun };
    match options.meanings().get(place) {
        None => names
            .kinds
            .iter()
            .zip(args)
            .fold(begun, |key, (&kind, &arg)| mix(key, key_of_known(prepared, kind, arg))),
        Some((_, meant)) => names
            .kinds
            .iter()
            .zip(meant)
            .fold(begun, |key, (&kind, meant)| mix(key, key_of_meant(prepared, kind, meant))),
    }
}

/// The options of a question with their lots in the order of the rules, under a key of a decision.
pub(super) fn lots<'a>(
    machine: &'a Machine,
    player: u32,
    decision: u64,
) -> impl Iterator<Item = (u64, usize)> + 'a {
    let options = machine.options(player);
    let names = names_of(machine);
    (0..options.len()).map(move |place| {
        let Some(names) = names else { return (0, place) };
        let begun = mix(decision, name_of(names, options, place));
        (key_of_args(&machine.prepared, names, options, place, begun), place)
    })
}

fn names_of(machine: &Machine) -> Option<&ChoiceNames> {
    machine.prepared.names.choices.get(usize::from(machine.decision.choice()?))
}

#[inline]
fn name_of(names: &ChoiceNames, options: &Options, place: usize) -> u64 {
    let option = options.get(place).and_then(|open| names.options.get(usize::from(open.option)));
    option.map_or(0, |option| option.name)
}

/// Picks the open option of a player with the least lot under a key of a decision; 0 if none is open.
pub(super) fn pick(machine: &Machine, player: u32, how: Pick, decision: u64) -> usize {
    pick_of(machine, machine.options(player), how, decision)
}

/// Picks one of some options of the question under way, as [`pick`] does.
pub(super) fn pick_of(machine: &Machine, options: &Options, how: Pick, decision: u64) -> usize {
    let Some(names) = names_of(machine).filter(|_| options.len() > 1) else { return 0 };
    let mut least = None;
    let runs = (0..).map_while(|number| options.run(number));
    for run in runs {
        let lot = mix(decision, name_of(names, options, run.start));
        let one = match how {
            Pick::Evenly => least_of_run(&machine.prepared, names, options, run, lot),
            // The run with the least lot, and then the least lot in it.
            Pick::ByName => (lot, run.start),
        };
        least = Some(least.map_or(one, |least: (u64, usize)| least.min(one)));
    }
    match (how, least) {
        (_, None) => 0,
        (Pick::Evenly, Some((_, place))) => place,
        (Pick::ByName, Some((lot, place))) => {
            let run = place..options.end_of_run(place);
            if run.len() < 2 { place } else { least_of_run(&machine.prepared, names, options, run, lot).1 }
        }
    }
}

/// The option with the least lot among those of one name; their keys begin with another key. What all of them have in
/// common is looked up once: at random this is most of what a player costs.
fn least_of_run(
    prepared: &Prepared,
    names: &ChoiceNames,
    options: &Options,
    run: Range<usize>,
    begun: u64,
) -> (u64, usize) {
    let named = options.get(run.start).and_then(|open| names.options.get(usize::from(open.option)));
    let kinds = named.map_or(&[][..], |names| &names.kinds);
    let has_copies = named.is_some_and(|names| names.has_copies);
    if has_copies || !options.meanings().is_empty() || kinds.len() > 2 {
        let lots = run.map(|place| (key_of_args(prepared, names, options, place, begun), place));
        let least = if has_copies { one_of_least(&lots.collect::<Vec<_>>()) } else { lots.min() };
        return least.unwrap_or((begun, 0));
    }
    let hashes = |place: usize| -> Option<&[u64]> {
        let kind = (*kinds.get(place)?)?;
        prepared.program.kinds.get(kind.0 as usize).map(|kind| &kind.hashes[..])
    };
    let key = |hashes: Option<&[u64]>, arg: i64| {
        let name = hashes.and_then(|hashes| hashes.get(usize::try_from(arg).ok()?));
        name.copied().unwrap_or(arg as u64)
    };
    let (first, second) = (hashes(0), hashes(1));
    let mut least = (u64::MAX, run.start);
    // Options stand by their first argument.
    let (mut before, mut begun_with) = (None, begun);
    for (place, args) in options.args_of(run) {
        if before != args.first().copied() {
            before = args.first().copied();
            begun_with = before.map_or(begun, |arg| mix(begun, key(first, arg)));
        }
        let lot = args.get(1).map_or(begun_with, |&arg| mix(begun_with, key(second, arg)));
        if lot < least.0 {
            least = (lot, place);
        }
    }
    least
}

/// One of those with the least lot, as that lot says which: options of look-alikes have one key.
fn one_of_least(lots: &[(u64, usize)]) -> Option<(u64, usize)> {
    let &(least, _) = lots.iter().min()?;
    let all: Vec<_> = lots.iter().filter(|(lot, _)| *lot == least).collect();
    all.get(blazon_kernel::chance::below(least, all.len() as u64) as usize).map(|&&lot| lot)
}

/// Counts what a bot is asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// The question asked last, and how often it was asked in this run.
    last: Option<u64>,
    place: u64,
    /// Of each question how many runs there were.
    runs: BTreeMap<u64, u64>,
    run: u64,
}

impl Asked {
    /// The key of the decision that a player takes now, which begins with a seed. It is another each time.
    pub fn decision(&mut self, seed: u64, machine: &Machine, player: u32) -> u64 {
        let question = key_of_question(machine, player).unwrap_or_default();
        let (run, place) = self.count(question);
        mix(mix(mix(seed, question), run), place)
    }

    /// Which run of a question this is, and which place in it.
    fn count(&mut self, question: u64) -> (u64, u64) {
        if self.last == Some(question) {
            self.place += 1;
        } else {
            let run = self.runs.entry(question).or_default();
            *run += 1;
            (self.last, self.place, self.run) = (Some(question), 0, *run);
        }
        (self.run, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_more_in_one_run_shifts_no_other() {
        let count = |questions: &[u64]| {
            let mut asked = Asked::default();
            questions.iter().map(|&question| (question, asked.count(question))).collect::<Vec<_>>()
        };
        let few = count(&[1, 1, 2, 1, 1, 3]);
        let more = count(&[1, 1, 1, 2, 1, 1, 3]);
        assert_eq!(few[2..], more[3..]);
        assert_eq!(few[..2], more[..2]);
        assert_eq!(few[3], (1, (2, 0)), "the second run begins anew");
    }
}
