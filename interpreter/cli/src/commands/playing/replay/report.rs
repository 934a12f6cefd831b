//! What came of a folder of saved games: how many part, by what, and where first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::cause::{Cause, Lines};
use super::corpus::{End, Outcome, Parting, Replay};
use crate::console::{Console, harmless, paint, style};

/// So many files that cannot be replayed are told by name.
const NAMED: usize = 20;

/// Games that part by the same.
struct Group<'r, G> {
    cause: &'r Cause,
    /// Each with its file, the one that parts first before the others.
    games: Vec<(&'r str, &'r G)>,
}

/// How many came out how.
struct Counts {
    all: usize,
    through: usize,
    parted: usize,
    otherwise: usize,
    failed: usize,
}

impl Counts {
    fn of(replays: &[Replay]) -> Self {
        let count = |wanted: fn(&End) -> bool| replays.iter().filter(|replay| wanted(&replay.end)).count();
        Self {
            all: replays.len(),
            through: count(|end| matches!(end, End::Through)),
            parted: count(|end| matches!(end, End::Parted(_))),
            otherwise: count(|end| matches!(end, End::Otherwise(_))),
            failed: count(|end| matches!(end, End::Failed(_))),
        }
    }
}

/// Those that part by the same together: the most first.
fn groups(replays: &[Replay]) -> Vec<Group<'_, Parting>> {
    let mut groups = by_cause(replays, |end| match end {
        End::Parted(parting) => Some((&parting.cause, &**parting)),
        End::Through | End::Otherwise(_) | End::Failed(_) => None,
    });
    for group in &mut groups {
        group.games.sort_by_key(|(file, parting)| (parting.divergence.step, *file));
    }
    groups
}

/// Those that come out otherwise by the same together: the most first.
fn otherwise(replays: &[Replay]) -> Vec<Group<'_, Outcome>> {
    by_cause(replays, |end| match end {
        End::Otherwise(outcome) => Some((&outcome.cause, &**outcome)),
        End::Through | End::Parted(_) | End::Failed(_) => None,
    })
}

fn by_cause<'r, G>(
    replays: &'r [Replay],
    of: impl Fn(&'r End) -> Option<(&'r Cause, &'r G)>,
) -> Vec<Group<'r, G>> {
    let mut by_cause: BTreeMap<&Cause, Vec<(&str, &G)>> = BTreeMap::new();
    for replay in replays {
        if let Some((cause, game)) = of(&replay.end) {
            by_cause.entry(cause).or_default().push((&replay.file, game));
        }
    }
    let groups = by_cause.into_iter().map(|(cause, games)| Group { cause, games });
    let mut groups: Vec<Group<'r, G>> = groups.collect();
    groups.sort_by_key(|group| Reverse(group.games.len()));
    groups
}

/// Tells it in lines.
pub fn tell(pairs: &[(String, usize)], replays: &[Replay], console: &Console) {
    for (title, count) in pairs {
        console.line(format!("{} · {}", paint(style::STRONG, title), counted(*count)));
    }
    groups(replays).iter().for_each(|group| tell_group(group, console));
    otherwise(replays).iter().for_each(|group| tell_otherwise(group, console));
    let counts = Counts::of(replays);
    tell_failed(replays, counts.failed, console);
    console.line("");
    let how = if counts.through == counts.all { style::GOOD } else { style::BAD };
    let failed =
        if counts.failed > 0 { format!(", {} cannot be replayed", counts.failed) } else { String::new() };
    let goes = if counts.through == 1 { "goes" } else { "go" };
    let parts = if counts.parted == 1 { "parts" } else { "part" };
    let otherwise = match counts.otherwise {
        0 => String::new(),
        1 => ", 1 comes out otherwise".to_owned(),
        more => format!(", {more} come out otherwise"),
    };
    let said = format!("{} {goes} through, {} {parts}{otherwise}{failed}", counts.through, counts.parted);
    console.line(paint(how, said));
}

/// The games that cannot be replayed, and why.
fn tell_failed(replays: &[Replay], count: usize, console: &Console) {
    let failed = replays.iter().filter_map(|replay| match &replay.end {
        End::Failed(why) => Some((&replay.file, why)),
        End::Through | End::Parted(_) | End::Otherwise(_) => None,
    });
    if count == 0 {
        return;
    }
    console.line("");
    for (file, why) in failed.take(NAMED) {
        console.line(format!("{} {}", paint(style::BAD, file), harmless(why)));
    }
    if count > NAMED {
        console.line(format!("{} more cannot be replayed, either", count - NAMED));
    }
}

fn tell_otherwise(group: &Group<'_, Outcome>, console: &Console) {
    let count = group.games.len();
    let come = if count == 1 { "1 game comes" } else { &format!("{count} games come") };
    console.line("");
    tell_cause(group.cause, &paint(style::STRONG, format!("{come} out otherwise")), console);
    if let Some((file, outcome)) = group.games.first() {
        let first = if count == 1 { "" } else { "first: " };
        console.line(format!("  {first}{} {}", paint(style::PLACE, file), harmless(&outcome.words)));
    }
}

fn tell_group(group: &Group<'_, Parting>, console: &Console) {
    let count = group.games.len();
    let part = if count == 1 { "1 game parts" } else { &format!("{count} games part") };
    console.line("");
    tell_cause(group.cause, &paint(style::STRONG, part), console);
    if let Some((file, parting)) = group.games.first() {
        tell_first(file, parting, count == 1, console);
    }
}

fn tell_cause(cause: &Cause, part: &str, console: &Console) {
    match cause {
        Cause::Lines { first, others, least } => {
            console.line(format!("{part} by {}", lines_of(first)));
            tell_diff(first, console);
            for other in others {
                console.line(format!("    together with {}", lines_of(other)));
            }
            if !least {
                console.line("    (more may be listed than are needed: too many were to be tried)");
            }
        }
        Cause::Rulings { rulings } => {
            let words: Vec<String> =
                rulings.iter().map(|(is, was)| format!("the ruling {is}, which was {was}")).collect();
            console.line(format!("{part} by {}", harmless(&words.join(" and "))));
        }
        Cause::Without => console.line(format!("{part} by the rules without the change, too")),
        Cause::Since { difference } if difference.is_empty() => {
            console.line(format!("{part}, though the text of the rules is the one by which it was saved"));
        }
        Cause::Since { difference } => {
            console.line(format!("{part} by the rules as they are now: {}", harmless(difference)));
            console.line("  name the older rules to be told by which lines: --was FOLDER");
        }
        Cause::Unknown => console.line(format!("{part} by no part of the change alone")),
    }
}

/// Where the first of some games parts.
fn tell_first(file: &str, parting: &Parting, is_only: bool, console: &Console) {
    let divergence = &parting.divergence;
    let (place, choice) = match &divergence.entry {
        Some(entry) => (format!("at choice {}", divergence.step + 1), format!(", `{entry}`")),
        None => (format!("after choice {}", divergence.step), String::new()),
    };
    let first = if is_only { "" } else { "first: " };
    console.line(format!("  {first}{} {place}{}", paint(style::PLACE, file), harmless(&choice)));
    console.line(format!("    {}", harmless(&divergence.message)));
    if !parting.asked.is_empty() {
        console.line(format!("    asked there: {}", harmless(&parting.asked)));
    }
}

fn lines_of(lines: &Lines) -> String {
    let item = lines.item.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = paint(style::PLACE, &lines.place);
    if item.is_empty() { place } else { format!("{place}  {}", harmless(&item)) }
}

/// So many lines of a change are shown.
const SHOWN: usize = 16;

fn tell_diff(lines: &Lines, console: &Console) {
    let (all, mut told) = (lines.diff.lines().count(), 0);
    // Lines that are empty say nothing.
    for line in lines.diff.lines().filter(|line| line.trim().len() > 1).take(SHOWN) {
        let how = if line.starts_with('+') { style::GOOD } else { style::BAD };
        console.line(format!("    {}", paint(how, line.trim_end())));
        told += 1;
    }
    if told == SHOWN && all > SHOWN {
        console.line(format!("    … of {all} lines"));
    }
}

fn counted(count: usize) -> String {
    if count == 1 { "1 saved game".to_owned() } else { format!("{count} saved games") }
}

/// Tells it to programs.
pub fn json(pairs: &[(String, usize)], replays: &[Replay], console: &Console) {
    let counts = Counts::of(replays);
    let rules: Vec<Value> =
        pairs.iter().map(|(title, count)| json!({ "rules": title, "games": count })).collect();
    let groups: Vec<Value> = groups(replays)
        .iter()
        .map(|group| {
            let games: Vec<Value> = group.games.iter().map(|(file, parting)| game(file, parting)).collect();
            json!({ "count": games.len(), "blame": group.cause, "games": games })
        })
        .collect();
    let otherwise: Vec<Value> = otherwise(replays)
        .iter()
        .map(|group| {
            let games =
                group.games.iter().map(|(file, outcome)| json!({ "file": file, "why": outcome.words }));
            let games: Vec<Value> = games.collect();
            json!({ "count": games.len(), "blame": group.cause, "games": games })
        })
        .collect();
    let failed: Vec<Value> = replays
        .iter()
        .filter_map(|replay| match &replay.end {
            End::Failed(why) => Some(json!({ "file": replay.file, "why": why })),
            End::Through | End::Parted(_) | End::Otherwise(_) => None,
        })
        .collect();
    console.line(json!({
        "schema": 1,
        "replayed_by": rules,
        "games": counts.all,
        "through": counts.through,
        "parted": counts.parted,
        "otherwise": counts.otherwise,
        "groups": groups,
        "groups_otherwise": otherwise,
        "failed": failed,
    }));
}

fn game(file: &str, parting: &Parting) -> Value {
    let divergence = &parting.divergence;
    json!({
        "file": file,
        "choice": divergence.step + 1,
        "entry": divergence.entry.as_ref().map(ToString::to_string),
        "why": divergence.message,
        "asked": parting.asked,
    })
}
