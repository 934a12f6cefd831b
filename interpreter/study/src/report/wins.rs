//! Who wins how often by both rule sets, by how much that differs, what the test says of it.

use blazon_program::Program;
use maud::{Markup, html};

use super::picture::{Axis, Mark, Strip, decimals, strips};
use super::table::{Cell, Table, figure};
use super::words::{about, bound, grouped, percent, player, points, ratio, trimmed, verdict};
use super::{Level, Report};
use crate::compare::Side;
use crate::stats::{Certainty, Counts, Interval, Verdict, wilson};

/// The test as it is made for each player.
pub fn certainty(report: &Report, level: &Level) -> Certainty {
    level.found.tested(&report.certainty)
}

/// What the test says of each player, in words.
pub fn verdicts(report: &Report, level: &Level) -> Markup {
    let (book, found) = (&report.base.program.book, level.found);
    html! {
        ul class="verdicts" {
            @for (place, (&side, &said)) in book.players.iter().zip(&found.verdicts).enumerate() {
                @let (words, class) = verdict(said, player(book, side), report.certainty.matters);
                li class={ "verdict " (class) " " (report.colour(side)) } {
                    i aria-hidden="true" { (match said { Verdict::More => "▲", Verdict::Less => "▼", Verdict::Same => "=", Verdict::Open => "?" }) }
                    div {
                        strong { (words) }
                        span { (difference(report, level, place)) }
                    }
                }
            }
        }
    }
}

/// The difference of the player at a place, between what it lies, and after how many pairs it was sure.
fn difference(report: &Report, level: &Level, place: usize) -> String {
    let found = level.found;
    let Some(counts) = found.sums.differences.get(place) else { return String::new() };
    let mut told = format!("{} points", points(counts.mean()));
    if let Some((least, most)) = between(level, place) {
        let error = trimmed(100.0 - report.certainty.error * 100.0);
        told += &format!("; {error} percent sure: between {} and {}", bound(least), bound(most));
    }
    if let Some(sure) = found.sure.get(place).and_then(Option::as_ref)
        && sure.count() < found.sums.pairs
    {
        told += &format!("; sure after {} pairs", grouped(sure.count()));
    }
    told
}

/// Between what a difference lies.
fn between(level: &Level, place: usize) -> Option<(f64, f64)> {
    let interval: &Interval = level.found.intervals.get(place)?;
    (level.found.sums.pairs > 0).then_some((interval.least, interval.most))
}

/// How often each player wins.
pub fn shares(report: &Report, level: &Level) -> Markup {
    let (program, found) = (report.base.program, level.found);
    let won = |side: u32| {
        let of = |of: &Side| of.tally.won.get(side as usize).copied().unwrap_or_default();
        (player(&program.book, side).to_owned(), report.colour(side), found.sums.sides.each_ref().map(of))
    };
    let other = |name: &str, of: fn(&Side) -> u64| {
        (name.to_owned(), "t-none".to_owned(), found.sums.sides.each_ref().map(of))
    };
    let others = [
        other("nobody", |of| of.tally.nobody),
        other(FAILED, |of| of.tally.faults),
        other(STOPPED, |of| of.tally.limits),
    ];
    let others = others.into_iter().filter(|(.., count)| *count != [0, 0]);
    let mut table = Table::new(
        "wins",
        ["", "base: won", "of", "share", "from", "to", "changed: won", "of", "share", "from", "to"],
    );
    let mut rows = Vec::new();
    for (name, colour, won) in seated(program, &found.sums.sides).into_iter().map(won).chain(others) {
        let games = found.sums.sides.each_ref().map(|of| of.tally.games);
        let mut cells = vec![Cell::text(name.clone())];
        let mut marks = Vec::new();
        for (place, (won, games)) in won.into_iter().zip(games).enumerate() {
            let ((least, most), share) = (wilson(won, games), ratio(won, games));
            cells.extend([Cell::whole(won), Cell::whole(games)]);
            cells.extend([share, least, most].map(|share| Cell::Figure(share, percent(share))));
            let told =
                format!("{}: {} ({} to {})", WHICH[place], percent(share), percent(least), percent(most));
            marks.push(Mark { value: share, between: Some((least, most)), filled: place == 1, told });
        }
        table.row(cells);
        let [base, changed] = [0, 1].map(|place: usize| percent(ratio(won[place], games[place])));
        rows.push(Strip { label: name, note: format!("{base} → {changed}"), colour, marks });
    }
    let axis = Axis {
        least: 0.0,
        most: 1.0,
        ticks: [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick: f64| (tick, format!("{:.0} %", tick * 100.0))).into(),
    };
    let picture = strips("How often each player wins, by both rule sets", &rows, &axis, None);
    let caption = html! { strong { "How often each wins. " } "Hollow: the rules as they were; filled: the changed ones; the lines are intervals of 95 percent (Wilson's)." };
    figure(&picture, &caption, &table)
}

/// What games are called whose rules failed, and that were stopped at the most decisions.
pub const FAILED: &str = "the rules failed";
/// See [`FAILED`].
pub const STOPPED: &str = "stopped, too long";

/// The names of the two rule sets in pictures.
pub const WHICH: [&str; 2] = ["base", "changed"];

/// All sides at the table, and those without a seat that have won.
pub fn seated(program: &Program, sides: &[Side; 2]) -> Vec<u32> {
    let seated = &program.book.players;
    let has_won =
        |side: &u32| sides.iter().any(|of| of.tally.won.get(*side as usize).is_some_and(|&won| won > 0));
    let all = program.book.kind(program.book.player).things.len() as u32;
    let others = (0..all).filter(|side| !seated.contains(side)).filter(has_won);
    seated.iter().copied().chain(others).collect()
}

/// By how much each player wins more often by the changed rules.
pub fn differences(report: &Report, level: &Level) -> Markup {
    let (book, found) = (&report.base.program.book, level.found);
    let certainty = certainty(report, level);
    let needed = found.needed(&report.certainty, &book.players);
    let mut table = Table::new(
        "differences",
        [
            "",
            "won instead of lost",
            "the same",
            "lost instead of won",
            "difference",
            "from",
            "to",
            "verdict",
            "after pairs",
            "then won",
            "the same",
            "lost",
            "pairs needed",
            "without pairing",
        ],
    )
    .sums(format!(
        "{} {} {} {}",
        certainty.matters,
        certainty.error,
        report.certainty.error,
        u8::from(report.apart)
    ));
    let mut rows = Vec::new();
    let judged = found.verdicts.iter().zip(&found.sure).enumerate();
    for ((&side, counts), (place, (verdict, sure))) in
        book.players.iter().zip(&found.sums.differences).zip(judged)
    {
        let name = player(book, side);
        let of = |counts: &Counts| [1.0, 0.0, -1.0].map(|value| Cell::whole(counts.of_value(value)));
        let between = between(level, place);
        let mut cells = vec![Cell::text(name)];
        cells.extend(of(counts));
        cells.push(Cell::Figure(counts.mean(), points(counts.mean())));
        cells.push(Cell::of(between.map(|(least, _)| least), bound));
        cells.push(Cell::of(between.map(|(_, most)| most), bound));
        cells.push(Cell::text(format!("{verdict:?}").to_lowercase()));
        match sure {
            Some(sure) => {
                cells.push(Cell::whole(sure.count()));
                cells.extend(of(sure));
            }
            None => cells.extend([(); 4].map(|()| Cell::Blank)),
        }
        let [paired, unpaired] = needed.get(place).copied().unwrap_or_default();
        // Games on luck of their own are no pairs.
        cells.extend([paired.filter(|_| !report.apart), unpaired].map(|needed| Cell::of(needed, about)));
        // What was counted when the ends of the interval were found: below, then above.
        let ends = found.intervals.get(place).map_or_else(String::new, |interval| {
            let counts = [&interval.least_at, &interval.most_at];
            let all = counts.iter().flat_map(|counts| [1.0, 0.0, -1.0].map(|value| counts.of_value(value)));
            all.map(|count| count.to_string()).collect::<Vec<_>>().join(" ")
        });
        table.row_of(ends, cells);
        let told = difference(report, level, place);
        let mark = Mark { value: counts.mean(), between, filled: true, told };
        rows.push(Strip {
            label: name.to_owned(),
            note: points(counts.mean()),
            colour: report.colour(side),
            marks: vec![mark],
        });
    }
    let matters = report.certainty.matters;
    let ends = rows.iter().flat_map(|row| &row.marks).flat_map(|mark| {
        let (least, most) = mark.between.unwrap_or((mark.value, mark.value));
        [least, most]
    });
    let axis = Axis::around(ends.chain([-matters * 1.5, matters * 1.5]), |tick, step| {
        super::words::signed(tick * 100.0, decimals(step * 100.0))
    });
    let picture =
        strips("Differences of how often each player wins", &rows, &axis, Some((-matters, matters)));
    let caption = html! {
        strong { "By how much that differs, in points of a hundred. " }
        "The line is an interval of " (trimmed(100.0 - report.certainty.error * 100.0)) " percent that holds whenever one looks. Within the band of ±" (trimmed(matters * 100.0))
        " points a difference is taken not to matter."
    };
    html! {
        (figure(&picture, &caption, &table))
        (outcomes(report, level))
        (how_many(report, level))
    }
}

/// How pairs came out by both rule sets.
fn outcomes(report: &Report, level: &Level) -> Markup {
    let (book, sums) = (&report.base.program.book, &level.found.sums);
    let things = sums.outcomes.len().saturating_sub(3);
    let others = ["nobody", FAILED, STOPPED].map(str::to_owned);
    let names: Vec<String> =
        (0..things as u32).map(|side| player(book, side).to_owned()).chain(others).collect();
    let mut table = Table::new("outcomes", ["base: won", "changed: won", "pairs"]);
    for (base, row) in names.iter().zip(&sums.outcomes) {
        for (changed, &count) in names.iter().zip(row).filter(|(_, count)| **count > 0) {
            table.row([Cell::text(base), Cell::text(changed), Cell::whole(count)]);
        }
    }
    let (otherwise, broken) = (sums.otherwise(), sums.broken());
    html! {
        p class="small" {
            "In " span data-count="otherwise" data-v=(otherwise) { (grouped(otherwise)) } " of " (grouped(sums.pairs))
            " pairs somebody else won, or nobody did."
            @if broken > 0 {
                " In " span data-count="broken" data-v=(broken) { (grouped(broken)) } " more a game did not come to an end."
            }
        }
        (table.beneath("How the pairs came out"))
    }
}

/// What did not come to an end, which whoever reads the rest must know.
pub fn failures(level: &Level) -> Markup {
    let sides = level.found.sums.sides.each_ref();
    let told = sides.into_iter().zip(["by the rules as they were", "by the changed rules"]);
    let told = told.filter(|(side, _)| side.tally.broken() > 0);
    html! {
        @for (side, by) in told {
            p class="failed" {
                strong { (grouped(side.tally.broken())) " of " (grouped(side.tally.games)) " games " (by) " did not come to an end" }
                ": in " (grouped(side.tally.faults)) " the rules failed, " (grouped(side.tally.limits)) " were stopped as too long. Nobody has won them; what is said of the others may not be true of a game that works."
            }
        }
    }
}

/// Where players of one strength are sure of something else than those of another.
pub fn disagreements(report: &Report) -> Markup {
    let levels: Vec<_> = report.levels.iter().map(|level| (level.name.to_string(), level.found)).collect();
    let told = crate::compare::disagreements(&report.base.program.book, &levels);
    html! {
        @if !told.is_empty() {
            section class="headline" { @for told in &told { p { strong { (told) } } } }
        }
    }
}

fn how_many(report: &Report, level: &Level) -> Markup {
    let found = level.found;
    let [paired, apart] = found.most_needed(&report.certainty, &report.base.program.book.players);
    let points = trimmed(report.certainty.matters * 100.0);
    let played = found.sums.pairs;
    if found.sums.hide(report.certainty.matters) {
        let broken = grouped(found.sums.broken());
        return html! {
            p class="small" {
                "What " (broken) " of " (grouped(played)) " pairs might have come to hides " (points)
                " points: no number of pairs tells them before all games come to an end."
            }
        };
    }
    if report.apart {
        return html! {
            p class="small" {
                @match apart {
                    None => { "All games of each side came out the same: how many tell " (points) " points cannot be said from these." }
                    Some(apart) => {
                        "To tell " (points) " points from none at " (trimmed(report.certainty.error * 100.0))
                        " percent of error, looking once, about " strong { (about(apart)) " games of each side" }
                        " are needed, which have nothing to do with each other."
                    }
                }
                " Played: " (grouped(played)) " of each."
            }
        };
    }
    html! {
        p class="small" {
            @match paired {
                None => { "All pairs came out the same, or all in the same other way: how many tell " (points) " points cannot be said from these." }
                Some(paired) => {
                    "To tell " (points) " points from none at " (trimmed(report.certainty.error * 100.0))
                    " percent of error, looking once, about " strong { (about(paired)) " pairs" } " are needed here"
                    @if let Some(apart) = apart { ", or " (about(apart)) " games of each side that have nothing to do with each other" }
                    "."
                }
            }
            " Played: " (grouped(played)) " pairs."
        }
    }
}
