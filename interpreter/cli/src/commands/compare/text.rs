//! Tells people what a change does.

use std::fmt::Write;

use blazon_study::compare::{Found, Side, Sum};
use blazon_study::stats::{Counts, Verdict};

use super::sides::Sides;
use super::{Level, sprt};
use crate::args::CompareArgs;
use crate::console::{harmless, paint, style};
use crate::figures::{Table, grouped, ratio, share};

/// So many options are told of that fare differently.
const OPTIONS: usize = 6;
/// So many lines that are to blame are told.
const CAUSES: usize = 8;

/// What is compared.
pub fn heading(args: &CompareArgs, sides: &Sides, seed: u64) -> String {
    let setup = match &sides.setups[..] {
        [(one, _)] => sides.base.book.played(*one),
        many => format!("{}, all {} setups", sides.base.book.title, many.len()),
    };
    let changed = &sides.changed.book;
    let mut what: Vec<String> = changed.variants.iter().map(|(name, _)| name.clone()).collect();
    what.retain(|name| !sides.base.book.variants.iter().any(|(other, _)| other == name));
    what.extend(args.with.rulings.iter().map(|(name, value)| format!("{name} = {value}")));
    if what.is_empty() {
        let lines = sides.change.hunks().len();
        what.push(if lines == 0 { "nothing".to_owned() } else { format!("{lines} changed places") });
    }
    let apart = if args.apart { ", each side on luck of its own" } else { "" };
    format!(
        "{}: what {} does, seed {seed}{apart}\n",
        paint(style::STRONG, setup),
        paint(style::STRONG, blazon_diagnostics::list(&what, "and"))
    )
}

/// What was found at a level.
pub fn level(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let mut out = format!(
        "{}: {} pairs of games{}\n",
        paint(style::STRONG, format!("{} against {}", level.player, level.player)),
        grouped(found.sums.pairs),
        if found.interrupted { ", interrupted" } else { "" }
    );
    if found.sums.pairs == 0 {
        return out;
    }
    out += &wins(args, sides, level);
    out += &said(args, sides, level);
    out += &lengths(sides, level);
    out += &partings(level);
    out += &options(sides, found);
    if sides.setups.len() > 1 {
        out += &by_setup(sides, found);
    }
    out += &failures(found);
    out
}

fn name(sides: &Sides, player: u32) -> String {
    let book = &sides.base.book;
    book.kind(book.player).things.get(player as usize).map_or_else(String::new, |thing| thing.name.clone())
}

fn points(value: f64) -> String {
    format!("{:+.1}", value * 100.0)
}

/// Who wins how often by both.
fn wins(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let mut table = Table::new(["", "base", "changed", "points", "95 % whenever one looks", "lost/won"], 1);
    for (counts, &player) in found.sums.differences.iter().zip(&sides.base.book.players) {
        let of = |side: &Side| share(side.tally.won[player as usize], side.tally.games);
        let between = found
            .tested(&sprt(args))
            .interval(counts)
            .map_or_else(String::new, |(least, most)| format!("{} to {}", points(least), points(most)));
        let [base, changed] = &found.sums.sides;
        table.row([
            name(sides, player),
            of(base),
            of(changed),
            points(counts.mean()),
            between,
            format!("{}/{}", grouped(counts.of_value(-1.0)), grouped(counts.of_value(1.0))),
        ]);
    }
    let nobody = found.sums.sides.each_ref().map(|side| side.tally.nobody);
    if nobody != [0, 0] {
        let [base, changed] = &found.sums.sides;
        let shares = [share(nobody[0], base.tally.games), share(nobody[1], changed.tally.games)];
        let apart = ratio(nobody[1], changed.tally.games) - ratio(nobody[0], base.tally.games);
        let [one, other] = shares;
        table.row(["nobody".to_owned(), one, other, points(apart), String::new(), String::new()]);
    }
    table.text()
}

/// What the test says, in words; and what the same luck saves.
fn said(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let mut out = String::new();
    for sentence in verdicts(args, sides, found) {
        let _ = writeln!(out, "  {}", paint(style::STRONG, sentence));
    }
    if let Some((paired, unpaired)) = needed(args, found) {
        let _ = writeln!(
            out,
            "  {} of {} pairs ended otherwise; for {} points about {} pairs on the same luck are needed, {} on luck of \
             their own",
            grouped(found.sums.differences.iter().map(Counts::discordant).max().unwrap_or_default()),
            grouped(found.sums.pairs),
            args.points,
            grouped(paired),
            grouped(unpaired)
        );
    }
    out
}

/// A sentence for each player, or one for two who mirror each other.
pub fn verdicts(args: &CompareArgs, sides: &Sides, found: &Found) -> Vec<String> {
    let players = &sides.base.book.players;
    let told = found.verdicts.iter().zip(players).map(|(verdict, &player)| {
        let name = name(sides, player);
        match verdict {
            Verdict::More => format!("{name} wins more often."),
            Verdict::Less => format!("{name} wins less often."),
            Verdict::Same => format!("{name} wins neither {} points more often nor less.", args.points),
            Verdict::Open => format!("Not sure yet of {name}: more pairs are needed (-n)."),
        }
    });
    let told: Vec<String> = told.collect();
    let same = found.verdicts.iter().all(|verdict| *verdict == Verdict::Same);
    match found.verdicts.first() {
        Some(Verdict::Same) if same => vec![format!("No difference of {} points.", args.points)],
        Some(Verdict::Open) if found.verdicts.iter().all(|verdict| *verdict == Verdict::Open) => {
            vec!["Not sure yet: more pairs are needed (-n).".to_owned()]
        }
        _ => told,
    }
}

/// About how many pairs are needed on the same luck, and on luck of their own: for the player of whom most are.
pub fn needed(args: &CompareArgs, found: &Found) -> Option<(u64, u64)> {
    let sprt = sprt(args);
    let [base, changed] = &found.sums.sides;
    let each = found.sums.differences.iter().enumerate().map(|(place, counts)| {
        let variance = |side: &Side| {
            let won = side.tally.won.get(place).copied().unwrap_or_default();
            let p = ratio(won, side.tally.games);
            p * (1.0 - p)
        };
        // One pair that would have ended otherwise: what was never seen may come.
        let floor = 1.0 / (counts.count().max(1) as f64);
        let paired = sprt.needed(counts.variance().max(floor));
        (paired.ceil() as u64, sprt.needed(variance(base) + variance(changed)).ceil() as u64)
    });
    each.max()
}

fn sum(sum: &Sum, scale: f64) -> [String; 2] {
    let mean = sum.mean().map_or_else(String::new, |mean| format!("{:+.2}", mean * scale));
    let half = sum.half().map_or_else(String::new, |half| format!("± {:.2}", half * scale));
    [mean, half]
}

/// How long games are, and what they are like.
fn lengths(sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let mut table = Table::new(["in a game", "base", "changed", "difference", "95 %"], 1);
    let [base, changed] = &found.sums.sides;
    let [difference, half] = sum(&found.sums.longer, 1.0);
    let means = [base, changed].map(|side| format!("{:.1}", side.tally.decisions.mean()));
    let [one, other] = means;
    table.row(["decisions".to_owned(), one, other, difference, half]);
    let turns = base.tally.turns.iter().zip(&changed.tally.turns);
    for ((old, new), &step) in turns.zip(&level.plans[0].rounds) {
        let [one, other] = [old, new].map(|spread| format!("{:.2}", spread.mean()));
        let apart = format!("{:+.2}", new.mean() - old.mean());
        table.row([sides.base.book.step(step).name.clone(), one, other, apart, String::new()]);
    }
    let named = [
        ("winner behind, % of it", 100.0, base.means.behind, changed.means.behind),
        ("lead changes", 1.0, base.means.lead_changes, changed.means.lead_changes),
        ("settled for the last, %", 100.0, base.means.settled, changed.means.settled),
        ("weight of a decision", 1.0, base.means.weight, changed.means.weight),
    ];
    for ((name, scale, old, new), like) in named.into_iter().zip(&found.sums.like) {
        let (Some(one), Some(other)) = (old.mean(), new.mean()) else { continue };
        let [difference, half] = sum(like, scale);
        let [one, other] = [one, other].map(|mean| format!("{:.2}", mean * scale));
        table.row([name.to_owned(), one, other, difference, half]);
    }
    table.text()
}

/// How many pairs part, and what does it.
fn partings(level: &Level) -> String {
    let found = &level.found;
    let parted = found.sums.parted.len() as u64;
    if parted == 0 {
        return String::new();
    }
    let mut out = match parted == found.sums.pairs {
        true => format!("  all {} pairs part\n", grouped(parted)),
        false => format!(
            "  {} of {} pairs part somewhere; the others never feel the change\n",
            grouped(parted),
            grouped(found.sums.pairs)
        ),
    };
    let mut causes: Vec<_> = level.causes.iter().collect();
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut table = Table::new(["parted by", "", "pairs"], 2);
    for (cause, count) in causes.iter().take(CAUSES) {
        let (place, item) = match cause.place.as_str() {
            "" => ("no line alone".to_owned(), "a ruling, or the change as a whole".to_owned()),
            place => (place.to_owned(), cause.item.clone()),
        };
        let more = if cause.others > 0 { format!(" and {} more", cause.others) } else { String::new() };
        table.row([place, format!("{}{more}", short(&item)), grouped(**count)]);
    }
    out += &table.text();
    if causes.len() > CAUSES {
        let _ = writeln!(out, "  and {} more places", causes.len() - CAUSES);
    }
    if level.blamed < parted {
        let _ = writeln!(out, "  (of the first {}; --blame takes more)", grouped(level.blamed));
    }
    out
}

fn short(text: &str) -> String {
    let text = harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(60).collect();
    if chars.next().is_some() { format!("{head}…") } else { head }
}

/// The options whose share of what was taken changed most, and what never came up.
fn options(sides: &Sides, found: &Found) -> String {
    let old = found.sums.gathered[0].choices.by_name(&sides.base);
    let new = found.sums.gathered[1].choices.by_name(&sides.changed);
    let games = found.sums.pairs.max(1) as f64;
    let mut rows = Vec::new();
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        let [one, other] = [&old, &new].map(|all| all.get(key).copied().unwrap_or_default());
        let apart = (other.taken as f64 - one.taken as f64) / games;
        rows.push((apart, key, one, other));
    }
    rows.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    rows.retain(|(apart, ..)| apart.abs() >= 0.005);
    let mut out = String::new();
    if !rows.is_empty() {
        let mut table = Table::new(["taken in a game", "in", "base", "changed", "difference"], 2);
        for (apart, (step, option), one, other) in rows.into_iter().take(OPTIONS) {
            let of = |taken: u64| format!("{:.2}", taken as f64 / games);
            table.row([option.clone(), step.clone(), of(one.taken), of(other.taken), format!("{apart:+.2}")]);
        }
        out += &table.text();
    }
    let never = new
        .iter()
        .filter(|(key, fared)| fared.offered == 0 && old.get(*key).is_none_or(|old| old.offered > 0));
    let never: Vec<String> = never.map(|((step, option), _)| format!("`{option}` in `{step}`")).collect();
    if !never.is_empty() {
        let _ = writeln!(
            out,
            "  never open by the changed rules: {}",
            harmless(&blazon_diagnostics::list(&never, "and"))
        );
    }
    out
}

/// Who wins with which setup.
fn by_setup(sides: &Sides, found: &Found) -> String {
    let players = &sides.base.book.players;
    let heads = players.iter().flat_map(|&player| {
        let name = name(sides, player);
        [name.clone(), format!("{name}, changed")]
    });
    let mut table = Table::new(["by setup".to_owned(), "pairs".to_owned()].into_iter().chain(heads), 1);
    for (place, &(setup, _)) in sides.setups.iter().enumerate() {
        let name = sides.base.book.setups.get(setup).map_or_else(String::new, |setup| setup.name.clone());
        let games = found.sums.sides[0].by_setup[place].last().copied().unwrap_or_default();
        let shares = players.iter().flat_map(|&player| {
            found.sums.sides.each_ref().map(|side| share(side.by_setup[place][player as usize], games))
        });
        table.row([name, grouped(games)].into_iter().chain(shares));
    }
    table.text()
}

/// The games that did not come to an end.
fn failures(found: &Found) -> String {
    let mut out = String::new();
    for (side, words) in found.sums.sides.iter().zip(["by the rules as they were", "by the changed rules"]) {
        let failed = side.tally.faults + side.tally.limits;
        if failed == 0 {
            continue;
        }
        let games = if failed == 1 { "1 game".to_owned() } else { format!("{} games", grouped(failed)) };
        let told =
            format!("{games} did not come to an end {words}; `blazon simulate` with the same seed tells why");
        let _ = writeln!(out, "  {}", paint(style::BAD, told));
    }
    out
}

/// Whether the levels agree, and how to repeat it all.
pub fn agreement(args: &CompareArgs, sides: &Sides, levels: &[Level]) -> String {
    let mut out = String::new();
    for (place, &player) in sides.base.book.players.iter().enumerate() {
        let all = levels.iter().map(|level| (&level.player, level.found.verdicts[place]));
        let sure: Vec<_> = all.filter(|(_, verdict)| *verdict != Verdict::Open).collect();
        let Some((_, first)) = sure.first() else { continue };
        if sure.iter().any(|(_, verdict)| verdict != first) {
            let each = sure.iter().map(|(who, verdict)| {
                let verdict = match verdict {
                    Verdict::More => "more often",
                    Verdict::Less => "less often",
                    Verdict::Same | Verdict::Open => "as often",
                };
                format!("{verdict} between {who} players")
            });
            let each = blazon_diagnostics::list(each.collect::<Vec<_>>(), "and");
            let told =
                format!("The players disagree: {} wins {each}. Believe the stronger.", name(sides, player));
            let _ = writeln!(out, "{}", paint(style::CARE, told));
            // Of two who mirror each other one is enough.
            if sides.base.book.players.len() == 2 {
                break;
            }
        }
    }
    if args.points > 0.0 && levels.iter().any(|level| level.found.sums.pairs > 0) {
        let told = format!(
            "Sure to {} in 100: where nothing changed it says more or less in at most {} of 100 comparisons; a change of {} \
             points it misses in at most {}. Between 0 and {} points it may say either.",
            100.0 - args.error,
            args.error,
            args.points,
            args.error,
            args.points
        );
        let _ = writeln!(out, "{}", paint(style::FAINT, told));
    }
    out
}
