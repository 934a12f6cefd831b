//! What was decided, as a number that means the same under other rules: made of names, not of places in lists.

use blazon_kernel::chance::{hash_text, mix};
use blazon_machine::Machine;

/// The names of a program's things, options and steps, as keys.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// For each kind its things.
    things: Vec<Vec<u64>>,
    /// For each choice its step and its options.
    choices: Vec<(u64, Vec<u64>)>,
}

/// What the game came to when nobody was asked any more.
pub const OVER: u64 = hash_text("over");

impl Names {
    /// The names of the program that a machine runs.
    pub fn of(machine: &Machine) -> Self {
        let program = machine.program();
        let book = &program.book;
        let things =
            book.kinds.iter().map(|kind| kind.things.iter().map(|thing| hash_text(&thing.name)).collect());
        let choices = program.choices.iter().map(|choice| {
            let options = choice.options.iter().map(|option| hash_text(&option.name)).collect();
            (hash_text(book.step(choice.step).title()), options)
        });
        Self { things: things.collect(), choices: choices.collect() }
    }

    /// What a player decides by taking the option at a place: the step, who decides, the option and its arguments.
    pub fn decided(&self, machine: &Machine, player: u32, index: usize) -> u64 {
        let Some((info, place)) = machine.choice().zip(machine.choice_place()) else { return OVER };
        let Some((step, options)) = self.choices.get(place) else { return OVER };
        let question = mix(*step, self.thing(machine.program().book.player.0 as usize, i64::from(player)));
        let Some(open) = machine.options(player).get(index) else { return question };
        let name = options.get(usize::from(open.option)).copied().unwrap_or_default();
        let params = info.options.get(usize::from(open.option)).map(|option| &option.params);
        let args = params.into_iter().flatten().zip(open.args);
        args.fold(mix(question, name), |key, (param, &arg)| match param.kind {
            Some(kind) => mix(key, self.thing(kind.0 as usize, arg)),
            None => mix(key, arg as u64),
        })
    }

    /// The key of a thing; of what is absent its number.
    fn thing(&self, kind: usize, thing: i64) -> u64 {
        let place = usize::try_from(thing).ok();
        let name = place.and_then(|place| self.things.get(kind)?.get(place));
        name.copied().unwrap_or(thing as u64)
    }
}
