//! What a failing test tells of the position: who is asked what, which options are open, what was taken unasked.

use blazon_book::{Base, Pick, Type};
use blazon_diagnostics::written_thing;

use crate::machine::Machine;
use crate::vm::event::Event;

/// The most options that a summary lists.
const SHOWN: usize = 12;

/// Who is asked what, and what is open: of the option that somebody asks about each by itself, those with most of his
/// arguments first; of the others how many.
pub(super) fn summary(machine: &mut Machine, about: Option<&Pick>) -> String {
    if let Some(outcome) = machine.outcome() {
        return outcome
            .winner
            .map_or("the game is over".to_owned(), |w| format!("{} has won", machine.player_name(w)));
    }
    let mut lines = Vec::new();
    for player in machine.deciders().to_vec() {
        let open = machine.options(player).len();
        let prompt = machine.prompt(Some(player));
        let asked = format!("{} is asked \"{prompt}\", {open} open", machine.player_name(player));
        let near = about.map(|pick| near(machine, player, pick)).unwrap_or_default();
        match about {
            Some(_) if near.len() == open => lines.push(format!("{asked}:")),
            Some(pick) if !near.is_empty() => {
                lines.push(format!("{asked}, {} of `{}`:", near.len(), pick.name))
            }
            Some(pick) => lines.push(format!("{asked}, none of `{}`: {}", pick.name, names(machine, player))),
            None => lines.push(format!("{asked}: {}", names(machine, player))),
        }
        for &index in near.iter().take(SHOWN) {
            lines.push(format!("  {}", by_meaning(machine, player, index)));
        }
        if near.len() > SHOWN {
            lines.push(format!("  and {} others", near.len() - SHOWN));
        }
    }
    if lines.is_empty() { "nothing is asked".to_owned() } else { lines.join("\n") }
}

/// The places of the open options of a name, those with most of the arguments first.
fn near(machine: &Machine, player: u32, pick: &Pick) -> Vec<usize> {
    let Some(info) = machine.choice() else { return Vec::new() };
    let mut near = Vec::new();
    for (index, open) in machine.options(player).iter().enumerate() {
        let Some(option) = info.options.get(open.option as usize).filter(|option| option.name == pick.name)
        else {
            continue;
        };
        let args = option.params.iter().zip(open.args).zip(&pick.args);
        let other = args.filter(|((param, arg), readings)| {
            let is_meant =
                |&(kind, value): &(_, i64)| kind == param.kind && machine.alike(kind, value, **arg);
            !readings.iter().any(is_meant)
        });
        near.push((other.count(), index));
    }
    near.sort_unstable();
    near.into_iter().map(|(_, index)| index).collect()
}

/// The names of the open options, each with how many there are of it.
fn names(machine: &Machine, player: u32) -> String {
    let Some(info) = machine.choice() else { return String::new() };
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for open in machine.options(player).iter() {
        let Some(option) = info.options.get(open.option as usize) else { continue };
        match counts.iter_mut().find(|(name, _)| *name == option.name) {
            Some((_, count)) => *count += 1,
            None => counts.push((&option.name, 1)),
        }
    }
    let show = |(name, count): &(&str, usize)| match count {
        1 => (*name).to_owned(),
        _ => format!("{name} ({count})"),
    };
    counts.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// An open option as a test writes it: `march(Guard, Mill)`.
pub fn by_meaning(machine: &mut Machine, player: u32, index: usize) -> String {
    let Some(chosen) = machine.options(player).get(index) else { return String::new() };
    let (option, args) = (chosen.option, chosen.args.to_vec());
    let Some(info) = machine.choice().and_then(|c| c.options.get(option as usize)) else {
        return String::new();
    };
    let (name, kinds) = (info.name.clone(), info.params.iter().map(|p| p.kind).collect::<Vec<_>>());
    written(machine, name, &kinds, &args)
}

/// What was taken unasked, since it was the only open option, as tests write it.
pub(super) fn unasked(machine: &mut Machine) -> Vec<String> {
    let program = machine.program().clone();
    let mut taken = Vec::new();
    for event in machine.take_events() {
        let Event::Chosen { asked, choice, option, args, forced: true, .. } = event else { continue };
        let info = &program.choices[choice as usize].options[option as usize];
        let kinds: Vec<_> = info.params.iter().map(|param| param.kind).collect();
        let option = written(machine, info.name.clone(), &kinds, &args);
        taken.push(format!("{}: {option}", machine.player_name(asked)));
    }
    taken
}

fn written(
    machine: &mut Machine,
    name: String,
    kinds: &[Option<blazon_book::KindId>],
    args: &[i64],
) -> String {
    let show = |(&kind, &arg): (&Option<_>, &i64)| {
        let ty =
            kind.map_or(Type::of(Base::Number(i64::MIN, i64::MAX)), |kind| Type::maybe(Base::Thing(kind)));
        let shown = machine.show(ty, &[arg as u64], None);
        // As a page names it: in quotes where it needs them.
        match kind.and_then(|kind| machine.program().book.kind(kind).things.get(usize::try_from(arg).ok()?)) {
            Some(thing) if thing.name == shown => written_thing(&shown),
            _ => shown,
        }
    };
    let args: Vec<String> = kinds.iter().zip(args).map(show).collect();
    if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) }
}
