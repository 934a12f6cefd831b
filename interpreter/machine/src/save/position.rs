//! What a position comes to by meaning: states by name, values by name, whose turn it is. How the machine numbers, packs
//! or leaves out columns does not count. The encoding is described in
//! `interpreter/blazon/SAVES.md` and fixed for ever, since saves hold it.

use blazon_book::KindId;
use blazon_kernel::chance;

use super::entry::{Entry, thing_name};
use crate::machine::Machine;
use crate::view::{Value, exists};

/// The digest of a position, in sixteen hexadecimal digits.
pub(super) fn digest(machine: &Machine) -> String {
    let mut lines = states(machine);
    lines.extend(asked(machine));
    lines.sort_unstable();
    let text = format!("position 1\n{}", lines.concat());
    format!("{:016x}", chance::hash_text(&text))
}

/// A line for each entry of each state that there is.
fn states(machine: &Machine) -> Vec<String> {
    let book = &machine.program().book;
    let view = machine.everything();
    let under_way = machine.under_way();
    let mut lines = Vec::new();
    let mut line = |column: blazon_book::ColumnId, keys: &[u32], value: &Value| {
        let of = book.column(column);
        if !exists(book, column, &under_way) {
            return;
        }
        let keys = of.keys.iter().zip(keys).map(|(&kind, &key)| {
            format!("{} {}", book.kind(kind).name, quoted(machine, kind, i64::from(key)))
        });
        let keys: Vec<String> = keys.collect();
        lines.push(format!("state {}({}) = {}\n", of.name, keys.join(", "), value_text(machine, value)));
    };
    for kind in &view.kinds {
        for thing in &kind.seen {
            thing.states.iter().for_each(|(column, value)| line(*column, &[thing.thing], value));
        }
    }
    view.states.iter().for_each(|entry| line(entry.column, &entry.keys, &entry.value));
    lines
}

/// Who is asked what, who has answered, how it ended.
fn asked(machine: &Machine) -> Vec<String> {
    let player = machine.program().book.player;
    let mut lines = Vec::new();
    let options = machine.choice().map(|choice| {
        let names: Vec<&str> = choice.options.iter().map(|option| option.name.as_str()).collect();
        names.join(", ")
    });
    for (asked, decider) in machine.decision.questions() {
        let (asked, decider) =
            (quoted(machine, player, i64::from(asked)), quoted(machine, player, i64::from(decider)));
        lines.push(format!("asked {asked} by {decider}: {}\n", options.as_deref().unwrap_or_default()));
    }
    lines.extend(Entry::pending(machine).iter().map(|entry| format!("answered {entry}\n")));
    if let Some(outcome) = machine.outcome() {
        let winner = outcome.winner.map(|winner| quoted(machine, player, i64::from(winner)));
        lines.push(format!("over {}\n", winner.as_deref().unwrap_or("none")));
    }
    lines
}

fn quoted(machine: &Machine, kind: KindId, thing: i64) -> String {
    format!("'{}'", thing_name(machine.program(), kind, thing))
}

fn value_text(machine: &Machine, value: &Value) -> String {
    match value {
        Value::Absent => "none".to_owned(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Thing(kind, thing) => quoted(machine, *kind, i64::from(*thing)),
        Value::Hidden(kind) => format!("hidden {}", machine.program().book.kind(*kind).name),
        Value::Set(kind, things, hidden) => {
            let mut names: Vec<String> =
                things.iter().map(|&thing| quoted(machine, *kind, i64::from(thing))).collect();
            names.sort_unstable();
            names.extend((*hidden > 0).then(|| format!("{hidden} hidden")));
            format!("{{{}}}", names.join(", "))
        }
        Value::Dice(dice) => {
            let dice: Vec<String> = dice.iter().map(u8::to_string).collect();
            format!("[{}]", dice.join(", "))
        }
    }
}
