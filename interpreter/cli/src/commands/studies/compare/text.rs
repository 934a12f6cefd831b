//! Tells people what a change does.

use std::fmt::Write;

use blazon_study::compare::{Cause, Counted, Ended, Found, Paired, Side, Sum};
use blazon_study::stats::{Counts, Verdict};
use blazon_study::tally::{Failed, Tally};

use super::sides::Sides;
use super::{Level, certainty, missing};
use crate::args::{CompareArgs, WithArgs};
use crate::console::{harmless, paint, style};
use crate::failed;
use crate::figures::{Table, counted, grouped, joined, ratio, share};
use crate::words::Words;

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
    // What differs beside the variants that are named is there, too: two folders of a game need not be the same.
    let beside = sides.change.beside(&what) as u64;
    let mut what: Vec<String> = what.iter().map(|name| format!("`{name}`")).collect();
    what.extend((beside > 0).then(|| counted(beside, "changed place")));
    let does = if what.len() > 1 || beside > 1 { "do" } else { "does" };
    let what = if what.is_empty() { "nothing".to_owned() } else { joined(&what, "and") };
    let apart = if args.apart { ", each side on luck of its own" } else { "" };
    let mut out = format!(
        "{}: what {} {does}, seed {seed}{apart}\n",
        paint(style::STRONG, setup),
        paint(style::STRONG, what)
    );
    for (names, whose) in sides.left_out.iter().zip(["the rules as they were", "the changed rules"]) {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let left_out = format!("not compared, since only {whose} have it: {}", joined(&names, "and"));
            let _ = writeln!(out, "{}", paint(style::CARE, harmless(&left_out)));
        }
    }
    if !sides.unplayed.is_empty() {
        let names: Vec<String> = sides.unplayed.iter().map(|name| format!("`{name}`")).collect();
        let told = format!("changed, and not played: {} (-s, or --each-setup)", joined(&names, "and"));
        let _ = writeln!(out, "{}", paint(style::CARE, harmless(&told)));
    }
    if let Some(told) = sides.judged(args) {
        let _ = writeln!(out, "{}", paint(style::CARE, told));
    }
    out
}

/// What was found at a level.
pub fn level(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let mut out = format!(
        "{}: {} of games{}\n",
        paint(style::STRONG, format!("{} against {}", level.player, level.player)),
        counted(found.sums.pairs, "pair"),
        match found.ended {
            Ended::Done => String::new(),
            Ended::Interrupted => format!(" of {}, interrupted", grouped(level.most)),
            Ended::Bug => format!(" of {}, then given up", grouped(level.most)),
        }
    );
    if found.sums.pairs == 0 {
        return out;
    }
    out += &came_to_no_end(found);
    out += &wins(args, sides, level);
    out += &said(args, sides, level);
    out += &lengths(sides, level);
    out += &partings(args, level);
    out += &options(sides, found);
    if sides.setups.len() > 1 {
        out += &by_setup(sides, found);
    }
    out += &failures(args, sides, level);
    out
}

/// Whose games they are.
const BY: [&str; 2] = ["by the rules as they were", "by the changed rules"];

/// How many games did not come to an end: what is said of the others is to be read with that in mind.
fn came_to_no_end(found: &Found) -> String {
    let mut out = String::new();
    for (side, by) in found.sums.sides.iter().zip(BY) {
        let (games, broken) = (side.tally.games, side.tally.broken());
        if broken > 0 {
            let told =
                format!("{} of {} {by} did not come to an end", grouped(broken), counted(games, "game"));
            let _ = writeln!(out, "  {}", paint(style::BAD, told));
        }
    }
    out
}

fn name(sides: &Sides, player: u32) -> String {
    let book = &sides.base.book;
    book.kind(book.player).things.get(player as usize).map_or_else(String::new, |thing| thing.name.clone())
}

fn points(value: f64) -> String {
    format!("{:+.1}", value * 100.0)
}

/// An end of an interval in points: one that is not 0 is not written as if it were.
fn bound(end: f64) -> String {
    let written = |decimals: usize| format!("{:+.decimals$}", end * 100.0);
    let is_told = |text: &String| text.contains(|c| ('1'..='9').contains(&c));
    (1..4).map(written).find(is_told).unwrap_or_else(|| points(end))
}

/// Who wins how often by both.
fn wins(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let sure = format!("{} % at all times", 100.0 - args.error);
    let mut table = Table::new(["", "base", "changed", "points", &sure, "lost/won"], 1);
    let differences = found.sums.differences.iter().zip(&found.intervals);
    for ((counts, interval), &player) in differences.zip(&sides.base.book.players) {
        let of = |side: &Side| share(side.tally.won[player as usize], side.tally.games);
        let between = format!("{} to {}", bound(interval.least), bound(interval.most));
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
    let others = |tally: &Tally| {
        [("nobody", tally.nobody), ("the rules failed", tally.faults), ("stopped, too long", tally.limits)]
    };
    let [base, changed] = found.sums.sides.each_ref().map(|side| others(&side.tally));
    let games = found.sums.sides.each_ref().map(|side| side.tally.games);
    for ((name, base), (_, changed)) in base.into_iter().zip(changed) {
        let [base, changed] = [(base, games[0]), (changed, games[1])];
        if base.0 + changed.0 > 0 {
            let apart = ratio(changed.0, changed.1) - ratio(base.0, base.1);
            let shares = [share(base.0, base.1), share(changed.0, changed.1)];
            let [one, other] = shares;
            table.row([name.to_owned(), one, other, points(apart), String::new(), String::new()]);
        }
    }
    table.text()
}

/// What is sure, in words; and what the same luck saves.
fn said(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let found = &level.found;
    let mut out = String::new();
    for sentence in verdicts(args, sides, found) {
        let _ = writeln!(out, "  {}", paint(style::STRONG, sentence));
    }
    let _ = write!(
        out,
        "  {} of {} pairs ended otherwise",
        grouped(found.sums.otherwise()),
        grouped(found.sums.pairs)
    );
    if found.sums.broken() > 0 {
        let _ = write!(out, ", and in {} more a game did not come to an end", grouped(found.sums.broken()));
    }
    out += &match needed(args, sides, found) {
        // They have nothing in common that could be said to save games.
        (_, Some(unpaired)) if args.apart => {
            let (points, games) = (args.points, grouped(unpaired));
            format!(
                "; for {points} points about {games} games of each side are needed on luck of their own\n"
            )
        }
        (None, _) => format!(": how many tell {} points cannot be said from these\n", args.points),
        (Some(paired), None) => format!(
            "; for {} points about {} pairs on the same luck are needed\n",
            args.points,
            grouped(paired)
        ),
        (Some(paired), Some(unpaired)) => format!(
            "; for {} points about {} pairs on the same luck are needed, {} on luck of their own\n",
            args.points,
            grouped(paired),
            grouped(unpaired)
        ),
    };
    out
}

/// A sentence for each player, or one for two who mirror each other.
pub fn verdicts(args: &CompareArgs, sides: &Sides, found: &Found) -> Vec<String> {
    let players = &sides.base.book.players;
    let more = match found.ended {
        Ended::Interrupted => "it was stopped before".to_owned(),
        Ended::Bug => "it was given up before".to_owned(),
        Ended::Done if found.sums.hide(args.points / 100.0) => {
            format!(
                "first all games must come to an end: what {} of {} pairs might have come to hides {} points",
                grouped(found.sums.broken()),
                grouped(found.sums.pairs),
                args.points
            )
        }
        Ended::Done if found.sums.broken() > 0 => {
            "more pairs are needed (-n), and what came to no end might be anybody's".to_owned()
        }
        Ended::Done => "more pairs are needed (-n)".to_owned(),
    };
    // Where it went on after it was sure, it is said when it was.
    let since = |sure: &Option<Counts>| match sure {
        Some(sure) if sure.count() < found.sums.pairs => {
            format!(", sure after {} pairs", grouped(sure.count()))
        }
        _ => String::new(),
    };
    let told = found.verdicts.iter().zip(&found.sure).zip(players).map(|((verdict, sure), &player)| {
        let (name, since) = (name(sides, player), since(sure));
        match verdict {
            Verdict::More => format!("{name} wins more often{since}."),
            Verdict::Less => format!("{name} wins less often{since}."),
            Verdict::Same => {
                format!("{name} wins neither {} points more often nor less{since}.", args.points)
            }
            Verdict::Open => format!("Not sure yet of {name}: {more}."),
        }
    });
    let told: Vec<String> = told.collect();
    let all = |said: Verdict| found.verdicts.iter().all(|verdict| *verdict == said);
    match found.sure.first() {
        Some(sure)
            if all(Verdict::Same)
                && found
                    .sure
                    .iter()
                    .all(|other| other.as_ref().map(Counts::count) == sure.as_ref().map(Counts::count)) =>
        {
            vec![format!("No difference of {} points{}.", args.points, since(sure))]
        }
        Some(_) if all(Verdict::Open) => vec![format!("Not sure yet: {more}.")],
        _ => told,
    }
}

/// About how many pairs are needed on the same luck, and how many on luck of their own: for the player of whom most are.
/// Nothing where all games came out the same: it cannot be told from those.
pub fn needed(args: &CompareArgs, sides: &Sides, found: &Found) -> (Option<u64>, Option<u64>) {
    let [paired, apart] = found.most_needed(&certainty(args), &sides.base.book.players);
    let about = |needed: Option<f64>| needed.map(|needed| needed.ceil() as u64);
    (about(paired.filter(|_| !args.apart)), about(apart))
}

fn sum(sum: &Sum, scale: f64) -> [String; 2] {
    let mean = sum.mean().map_or_else(String::new, |mean| format!("{:+.2}", mean * scale));
    let half = sum.half().map_or_else(String::new, |half| format!("± {:.2}", half * scale));
    [mean, half]
}

/// How long games are, and what they are like: of the same pairs by both rules, those of which both came to an end.
fn lengths(sides: &Sides, level: &Level) -> String {
    let sums = &level.found.sums;
    let mut table = Table::new(["in a game", "base", "changed", "difference", "95 %", "pairs"], 1);
    let steps = sides.counted(&level.plans).into_iter();
    let steps = steps.map(|Counted { step, places }| (step, places.map(|place| place.is_some())));
    let lengths = std::iter::once(("decisions".to_owned(), [true; 2])).chain(steps).zip(&sums.lengths);
    let like = ["winner behind, % of it", "lead changes", "settled for the last, %", "weight of a decision"];
    let like = like.map(str::to_owned).into_iter().zip([100.0, 1.0, 100.0, 1.0]).zip(&sums.like);
    let rows = lengths
        .enumerate()
        .map(|(place, ((name, has), paired))| (name, has, 1.0, usize::from(place > 0) + 1, paired));
    let rows = rows.chain(like.map(|((name, scale), paired)| (name, [true; 2], scale, 2, paired)));
    for (name, has, scale, decimals, paired) in rows {
        let Paired { base, changed, difference } = paired;
        let mean = |sum: &Sum| sum.mean().map(|mean| format!("{:.decimals$}", mean * scale));
        // A step that only one side has is no difference in length.
        let (one, other) = match has {
            [true, false] => (mean(base), Some("gone".to_owned())),
            [false, true] => (Some("new".to_owned()), mean(changed)),
            [true, true] | [false, false] => (mean(base), mean(changed)),
        };
        let (Some(one), Some(other)) = (one, other) else { continue };
        let [difference, half] = sum(difference, scale);
        table.row([name, one, other, difference, half, grouped(paired.count())]);
    }
    if sums.lengths.iter().all(|paired| paired.count() == 0) { String::new() } else { table.text() }
}

/// How many pairs part, and what does it.
fn partings(args: &CompareArgs, level: &Level) -> String {
    let found = &level.found;
    let parted = found.sums.parted.len() as u64;
    // Games on luck of their own go their own ways.
    if args.apart || found.sums.pairs == 0 {
        return String::new();
    }
    if parted == 0 {
        let pairs = grouped(found.sums.pairs);
        return match found.sums.pairs {
            1 => "  the pair does not part: the same choices, the same end\n".to_owned(),
            _ => format!("  none of {pairs} pairs part: the same choices, the same end\n"),
        };
    }
    let mut out = match parted == found.sums.pairs {
        true if parted == 1 => "  the pair parts\n".to_owned(),
        true => format!("  all {} pairs part\n", grouped(parted)),
        false => format!(
            "  {} of {} pairs part somewhere; the others went the same way: same choices, same winner\n",
            grouped(parted),
            grouped(found.sums.pairs)
        ),
    };
    let mut causes: Vec<_> = level.causes.iter().collect();
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut table = Table::new(["first parted by", "", "pairs"], 2);
    for (cause, count) in causes.iter().take(CAUSES) {
        if **cause == Cause::ELSE {
            let all = "a ruling, or the change as a whole".to_owned();
            table.row(["no line alone".to_owned(), all, grouped(**count)]);
            continue;
        }
        table.row([cause.first.place.clone(), short(&cause.first.item), grouped(**count)]);
        for other in cause.others.iter().take(CAUSES) {
            table.row([format!("  with {}", other.place), short(&other.item), String::new()]);
        }
        if !cause.is_least {
            table.row(["  or fewer of these".to_owned(), "not tried any further".to_owned(), String::new()]);
        }
        if cause.others.len() > CAUSES {
            let left = format!("  with {} others", cause.others.len() - CAUSES);
            table.row([left, String::new(), String::new()]);
        }
    }
    if causes.is_empty() {
        out += match level.cut {
            true => "  (it was stopped before which lines do it was found out)\n",
            false => "  (which lines do it was not looked for)\n",
        };
        return out;
    }
    out += &table.text();
    if causes.len() > CAUSES {
        let _ = writeln!(out, "  and {} more", counted((causes.len() - CAUSES) as u64, "place"));
    }
    if level.cut {
        let _ = writeln!(out, "  (of the first {}: it was stopped)", grouped(level.blamed));
    } else if level.blamed < parted {
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

/// The options that the change adds, those whose share of what was taken changed most, and what never came up.
fn options(sides: &Sides, found: &Found) -> String {
    let old = found.sums.gathered[0].choices.by_name(&sides.base);
    let new = found.sums.gathered[1].choices.by_name(&sides.changed);
    let games = found.sums.whole().max(1) as f64;
    let mut rows = Vec::new();
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        let [one, other] = [&old, &new].map(|all| all.get(key).copied().unwrap_or_default());
        let apart = (other.to_end as f64 - one.to_end as f64) / games;
        rows.push((apart, key, one, other));
    }
    let is_new = |key: &(String, String)| !old.contains_key(key);
    rows.sort_by(|a, b| is_new(b.1).cmp(&is_new(a.1)).then(b.0.abs().total_cmp(&a.0.abs())));
    rows.retain(|(apart, ..)| apart.abs() >= 0.005);
    let cut = rows.len().saturating_sub(OPTIONS);
    let mut out = String::new();
    if !rows.is_empty() {
        let mut table = Table::new(["taken in a game", "in", "base", "changed", "difference"], 2);
        let mut unasked: Vec<String> = Vec::new();
        for (apart, key, one, other) in rows.into_iter().take(OPTIONS) {
            let (step, option) = key;
            let named = format!("`{option}`");
            if one.alone + other.alone > 0 && !unasked.contains(&named) {
                unasked.push(named);
            }
            let of = |taken: u64| format!("{:.2}", taken as f64 / games);
            let base = if is_new(key) { "new".to_owned() } else { of(one.to_end) };
            let changed = if new.contains_key(key) { of(other.to_end) } else { "gone".to_owned() };
            table.row([option.clone(), step.clone(), base, changed, format!("{apart:+.2}")]);
        }
        out += &table.text();
        if !unasked.is_empty() {
            let names = harmless(&joined(&unasked, "and"));
            let _ = writeln!(
                out,
                "  (decisions alone: what was done unasked, since nothing else was open, is not among them: {names})"
            );
        }
        if found.sums.broken() > 0 {
            let _ = writeln!(
                out,
                "  (in the {} pairs of which both came to an end)",
                grouped(found.sums.whole())
            );
        }
        if cut > 0 {
            let _ = writeln!(out, "  and {} more; --json and --report have them", grouped(cut as u64));
        }
    }
    let told = |names: Vec<String>, what: &str| match names.is_empty() {
        true => String::new(),
        false => format!("  {what}: {}\n", harmless(&joined(&names, "and"))),
    };
    let quoted = |(step, option): &(String, String)| format!("`{option}` in `{step}`");
    let shunned = new.iter().filter(|(key, fared)| is_new(key) && fared.is_shunned());
    out += &told(shunned.map(|(key, _)| quoted(key)).collect(), "new, open, and never taken");
    let never = new.iter().filter(|(key, fared)| {
        fared.was_never_open() && old.get(*key).is_none_or(|old| !old.was_never_open())
    });
    out += &told(never.map(|(key, _)| quoted(key)).collect(), "never open by the changed rules");
    out
}

/// Who wins with which setup.
fn by_setup(sides: &Sides, found: &Found) -> String {
    let book = &sides.base.book;
    let mut table = Table::new(["by setup", "", "pairs", "base", "changed", "points", "95 %"], 2);
    for (place, (&(setup, _), counts)) in sides.setups.iter().zip(&found.sums.by_setup).enumerate() {
        let mut title = book.setups.get(setup).map_or_else(String::new, |setup| setup.name.clone());
        for (&player, counts) in book.players.iter().zip(counts) {
            let pairs = counts.count();
            let shares = found.sums.sides.each_ref();
            let [base, changed] = shares.map(|side| share(side.by_setup[place][player as usize], pairs));
            let (least, most) = counts.interval();
            let between = format!("{} to {}", bound(least), bound(most));
            let who = name(sides, player);
            table.row([
                std::mem::take(&mut title),
                who,
                grouped(pairs),
                base,
                changed,
                points(counts.mean()),
                between,
            ]);
        }
    }
    table.text()
}

/// The games that did not come to an end, and how each is played again.
fn failures(args: &CompareArgs, sides: &Sides, level: &Level) -> String {
    let mut out = String::new();
    for (place, side) in level.found.sums.sides.iter().enumerate() {
        let failed = side.tally.broken();
        if failed == 0 {
            continue;
        }
        let head = format!("{} did not come to an end {}", counted(failed, "game"), BY[place]);
        let _ = writeln!(out, "  {}", paint(style::BAD, head));
        let rows = side.tally.failed.iter().map(|row| {
            (
                format!("game {}", row.game),
                row,
                failed::again(words(args, sides, level, place, row), row, args.most),
            )
        });
        out += &failed::list(&rows.collect::<Vec<_>>(), failed);
    }
    out
}

/// What begins a game of a side, as it is typed.
pub fn words(args: &CompareArgs, sides: &Sides, level: &Level, side: usize, row: &Failed) -> Words {
    let plan = &level.plans[side];
    let book = [&sides.base.book, &sides.changed.book][side];
    // A game that is played by itself begins with the first setup of its own rules, a pair with one that both have.
    let setup = plan.setup_of(row.game);
    let is_named = args.scenario.is_some() || setup != book.default_setup;
    let setup = book.setups.get(setup).map(|setup| setup.name.as_str());
    let scenario = setup.filter(|_| is_named);
    let base = (sides.base_game(args), WithArgs { variants: args.beneath.clone(), rulings: Vec::new() });
    let variants = args.beneath.iter().chain(&args.with.variants).cloned().collect();
    let changed = (args.game.clone(), WithArgs { variants, rulings: args.with.rulings.clone() });
    let (game, with) = if side == 0 { base } else { changed };
    Words::game((game.as_ref(), &with), scenario, &level.player.to_string(), row.seed)
}

/// Where players of one strength are sure of something else than those of another.
pub fn disagreements(sides: &Sides, levels: &[Level]) -> Vec<String> {
    let named: Vec<(String, &Found)> =
        levels.iter().map(|level| (level.player.to_string(), &level.found)).collect();
    blazon_study::compare::disagreements(&sides.base.book, &named)
}

/// Whether the levels agree, and how sure what was said is.
pub fn agreement(args: &CompareArgs, sides: &Sides, levels: &[Level]) -> String {
    let mut out = String::new();
    let missing = missing(args, levels);
    if !missing.is_empty() {
        let told = format!("It was stopped before {} had played.", missing.join(", "));
        let _ = writeln!(out, "{}", paint(style::CARE, told));
    }
    for told in disagreements(sides, levels) {
        let _ = writeln!(out, "{}", paint(style::CARE, told));
    }
    if args.points > 0.0 && levels.iter().any(|level| level.found.sums.pairs > 0) {
        // Two players mirror each other, unless there is a third way for a game to end.
        let nobody = |level: &Level| level.found.sums.sides.iter().any(|side| side.tally.nobody > 0);
        let each = match sides.base.book.players.len() == 2 && levels.iter().any(nobody) {
            true => " of each player",
            false => "",
        };
        let told = format!(
            "Sure to {} in 100: where nothing changed it says more or less{each} in at most {} of 100 comparisons; a change of {} \
             points it calls none in at most {}. Between 0 and {} points it may say either.",
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
