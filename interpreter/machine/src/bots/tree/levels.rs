//! A decision as levels of the tree: first the name of the option, then its arguments, one at a time.
//!
//! What stands for a level is what it means to who decides: an argument whose face he does not see is its back. So what he
//! has learned of an option counts wherever it means the same, whichever thing it is in a guess.

use blazon_kernel::chance::mix;

use super::super::keys::{key_of_known, key_of_meant, key_of_question};
use crate::decision::veiled::Meaning;
use crate::machine::Machine;
use crate::vm::options::Options;
use crate::vm::prepared::Prepared;

/// What a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// Who decides.
    pub player: u32,
    /// What is decided, by whom and for whom, as a key.
    pub key: u64,
    /// Whether others answer at the same time, and what they answer is not known before.
    pub at_once: bool,
    /// The program's choice.
    choice: u16,
}

impl Question {
    /// What a player decides in the position of a machine; nothing if he is not asked.
    pub fn of(machine: &Machine, player: u32) -> Option<Self> {
        let key = key_of_question(machine, player)?;
        let at_once = machine.choice().is_some_and(|info| info.each.is_some());
        Some(Self { player, key, at_once, choice: machine.decision.choice()? })
    }
}

/// The key of an option at a level: 0 is its name, the others are its arguments. Nothing where it has no more of them.
pub(super) fn key(
    prepared: &Prepared,
    question: Question,
    options: &Options,
    place: usize,
    level: usize,
) -> Option<u64> {
    let open = options.get(place)?;
    let names = prepared.names.choices.get(usize::from(question.choice))?;
    let names = names.options.get(usize::from(open.option))?;
    let name = mix(question.key, names.name);
    let Some(argument) = level.checked_sub(1) else { return Some(name) };
    let kind = *names.kinds.get(argument)?;
    let value = match options.meanings().get(place) {
        Some((_, meant)) => key_of_meant(prepared, kind, meant.get(argument)?),
        None => key_of_known(prepared, kind, *open.args.get(argument)?),
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
    meanings.first().map(|meaning| key_of_meaning(&prepared, question, meaning))
}

fn key_of_meaning(prepared: &Prepared, question: Question, (option, meant): &Meaning) -> u64 {
    let names = prepared.names.choices.get(usize::from(question.choice));
    let Some(names) = names.and_then(|names| names.options.get(usize::from(*option))) else {
        return question.key;
    };
    let meant = names.kinds.iter().zip(meant).map(|(&kind, meant)| key_of_meant(prepared, kind, meant));
    meant.fold(mix(question.key, names.name), mix)
}
