//! A decision as levels of the tree: first the name of the option, then its arguments, one at a time.
//!
//! What stands for a level is what it means to who decides: an argument whose face he does not see is its back. So what he
//! has learned of an option counts wherever it means the same, whichever thing it is in a guess.

use blazon_kernel::chance::mix;

use crate::decision::veiled::{Meaning, Meant};
use crate::machine::Machine;
use crate::view::Value;
use crate::vm::options::Options;

/// What a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// Who decides.
    pub player: u32,
    /// What is decided, by whom and for whom, as a key.
    pub key: u64,
    /// Whether others answer at the same time, and what they answer is not known before.
    pub at_once: bool,
}

impl Question {
    /// What a player decides in the position of a machine; nothing if he is not asked.
    pub fn of(machine: &Machine, player: u32) -> Option<Self> {
        let (choice, asked) = (machine.decision.choice()?, machine.decision.asked(player)?);
        let key = [u64::from(asked), u64::from(player)].into_iter().fold(u64::from(choice), mix);
        let at_once = machine.choice().is_some_and(|info| info.each.is_some());
        Some(Self { player, key, at_once })
    }
}

/// The key of an option at a level: 0 is its name, the others are its arguments. Nothing where it has no more of them.
pub(super) fn key(question: Question, options: &Options, place: usize, level: usize) -> Option<u64> {
    let open = options.get(place)?;
    let name = mix(question.key, u64::from(open.option));
    let Some(argument) = level.checked_sub(1) else { return Some(name) };
    let value = match options.meanings().get(place) {
        Some((_, meant)) => key_of_meant(meant.get(argument)?),
        None => key_of_known(*open.args.get(argument)?),
    };
    Some(mix(mix(name, level as u64), value))
}

/// A key of an option as a viewer can tell it from others who sees it chosen. Nothing if he sees all that it means, or
/// if the rules that say what he sees fail.
pub(super) fn key_to(machine: &mut Machine, viewer: u32, question: Question, place: usize) -> Option<u64> {
    let choice = machine.decision.choice()?;
    let prepared = machine.prepared.clone();
    if prepared.veiled[usize::from(choice)].is_empty() {
        return None;
    }
    let open = machine.options(question.player).get(place)?;
    let words: Vec<u64> = open.args.iter().map(|&arg| arg as u64).collect();
    let mut one = Options::default();
    one.push(open.option, &words);
    let info = &prepared.program.choices[usize::from(choice)];
    let meanings = machine.meanings(info, viewer, &one).ok()??;
    meanings.first().map(|meaning| key_of_meaning(question, meaning))
}

fn key_of_meaning(question: Question, (option, meant): &Meaning) -> u64 {
    meant.iter().map(key_of_meant).fold(mix(question.key, u64::from(*option)), mix)
}

fn key_of_known(arg: i64) -> u64 {
    mix(0, arg as u64)
}

fn key_of_meant(meant: &Meant) -> u64 {
    match meant {
        Meant::Known(arg) => key_of_known(*arg),
        Meant::Back(back, first) => {
            let start = mix(1, *first as u64);
            back.iter().fold(start, |key, (column, value)| {
                words_of(value).into_iter().fold(mix(key, u64::from(column.0)), mix)
            })
        }
    }
}

/// A value as words; different values have different words.
fn words_of(value: &Value) -> Vec<u64> {
    match value {
        Value::Absent => vec![0],
        Value::Flag(flag) => vec![1, u64::from(*flag)],
        Value::Number(number) => vec![2, *number as u64],
        Value::Thing(kind, thing) => vec![3, u64::from(kind.0), u64::from(*thing)],
        Value::Hidden(kind) => vec![4, u64::from(kind.0)],
        Value::Set(kind, things, others) => {
            let head = [5, u64::from(kind.0), *others as u64, things.len() as u64];
            head.into_iter().chain(things.iter().map(|&thing| u64::from(thing))).collect()
        }
        Value::Dice(dice) => {
            [6, dice.len() as u64].into_iter().chain(dice.iter().map(|&die| u64::from(die))).collect()
        }
    }
}
