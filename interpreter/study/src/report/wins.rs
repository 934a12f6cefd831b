//! Who wins how often by both rule sets, by how much that differs, what the test says of it.

use blazon_program::Program;
use maud::{Markup, html};

use super::picture::{Axis, Mark, Strip, strips};
use super::table::{Cell, Table, figure};
use super::words::{about, grouped, percent, player, points, ratio, trimmed, verdict};
use super::{Level, Report};
use crate::compare::Side;
use crate::stats::{Counts, Sprt, Verdict, wilson};

/// The test as it is made for each player.
pub fn sprt(report: &Report, level: &Level) -> Sprt {
    level.found.tested(&report.sprt)
}

/// What the test says of each player, in words.
pub fn verdicts(report: &Report, level: &Level) -> Markup {
    let (book, found) = (&report.base.program.book, level.found);
    html! {
        ul class="verdicts" {
            @for ((&side, &said), counts) in book.players.iter().zip(&found.verdicts).zip(&found.sums.differences) {
                @let (words, class) = verdict(said, player(book, side), report.sprt.matters);
                li class={ "verdict " (class) " " (report.colour(side)) } {
                    i aria-hidden="true" { (match said { Verdict::More => "▲", Verdict::Less => "▼", Verdict::Same => "=", Verdict::Open => "?" }) }
                    div {
                        strong { (words) }
                        span { (difference(report, level, counts)) }
                    }
                }
            }
        }
    }
}

fn difference(report: &Report, level: &Level, counts: &Counts) -> String {
    let mean = points(counts.mean());
    match level.found.tested(&report.sprt).interval(counts) {
        Some((least, most)) => {
            let (least, most) = (points(least), points(most));
            format!(
                "{mean} points; {} percent sure: between {least} and {most}",
                trimmed(100.0 - report.sprt.error * 100.0)
            )
        }
        None => format!("{mean} points"),
    }
}

/// How often each player wins.
pub fn shares(report: &Report, level: &Level) -> Markup {
    let (program, found) = (report.base.program, level.found);
    let sides: Vec<Option<u32>> =
        seated(program, &found.sums.sides).into_iter().map(Some).chain([None]).collect();
    let mut table = Table::new(
        "wins",
        ["", "base: won", "of", "share", "from", "to", "changed: won", "of", "share", "from", "to"],
    );
    let mut rows = Vec::new();
    for &side in &sides {
        let won = found.sums.sides.each_ref().map(|of| match side {
            Some(side) => of.tally.won.get(side as usize).copied().unwrap_or_default(),
            None => of.tally.games - of.tally.won.iter().sum::<u64>(),
        });
        if side.is_none() && won == [0, 0] {
            continue;
        }
        let name = side.map_or("nobody", |side| player(&program.book, side)).to_owned();
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
        rows.push(Strip {
            label: name,
            note: format!("{base} → {changed}"),
            colour: side.map_or_else(|| "t-none".to_owned(), |side| report.colour(side)),
            marks,
        });
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
    let sprt = sprt(report, level);
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
    .sums(format!("{} {} {}", sprt.matters, sprt.error, report.sprt.error));
    let mut rows = Vec::new();
    let judged = found.verdicts.iter().zip(&found.sure);
    for ((&side, counts), (verdict, sure)) in book.players.iter().zip(&found.sums.differences).zip(judged) {
        let name = player(book, side);
        let of = |counts: &Counts| [1.0, 0.0, -1.0].map(|value| Cell::whole(counts.of_value(value)));
        let between = level.found.tested(&report.sprt).interval(counts);
        let mut cells = vec![Cell::text(name)];
        cells.extend(of(counts));
        cells.push(Cell::Figure(counts.mean(), points(counts.mean())));
        cells.push(Cell::of(between.map(|(least, _)| least), points));
        cells.push(Cell::of(between.map(|(_, most)| most), points));
        cells.push(Cell::text(format!("{verdict:?}").to_lowercase()));
        match sure {
            Some(sure) => {
                cells.push(Cell::whole(sure.count()));
                cells.extend(of(sure));
            }
            None => cells.extend([(); 4].map(|()| Cell::Blank)),
        }
        let needed = needed(&sprt, counts, found.sums.sides.each_ref(), side);
        cells.extend(needed.map(|needed| Cell::of(Some(needed), about)));
        table.row(cells);
        let told = difference(report, level, counts);
        let mark = Mark { value: counts.mean(), between, filled: true, told };
        rows.push(Strip {
            label: name.to_owned(),
            note: points(counts.mean()),
            colour: report.colour(side),
            marks: vec![mark],
        });
    }
    let matters = report.sprt.matters;
    let ends = rows.iter().flat_map(|row| &row.marks).flat_map(|mark| {
        let (least, most) = mark.between.unwrap_or((mark.value, mark.value));
        [least, most]
    });
    let axis = Axis::around(ends.chain([-matters * 1.5, matters * 1.5]), |tick| {
        super::words::signed(tick * 100.0, decimals(matters))
    });
    let picture =
        strips("Differences of how often each player wins", &rows, &axis, Some((-matters, matters)));
    let caption = html! {
        strong { "By how much that differs, in points of a hundred. " }
        "The line is an interval of " (trimmed(100.0 - report.sprt.error * 100.0)) " percent that holds whenever one looks. Within the band of ±" (trimmed(matters * 100.0))
        " points a difference is taken not to matter. In " (grouped(found.sums.differences.first().map_or(0, Counts::discordant)))
        " of " (grouped(found.sums.pairs)) " pairs somebody else won."
    };
    html! {
        (figure(&picture, &caption, &table))
        (how_many(report, level, &sprt))
    }
}

fn decimals(matters: f64) -> usize {
    if matters < 0.004 { 1 } else { 0 }
}

/// How many pairs tell a difference that matters from none, and how many games of each side do that are no pairs.
fn needed(sprt: &Sprt, counts: &Counts, sides: [&Side; 2], side: u32) -> [f64; 2] {
    let apart = sides.map(|of| {
        let share = ratio(of.tally.won.get(side as usize).copied().unwrap_or_default(), of.tally.games);
        share * (1.0 - share)
    });
    [sprt.needed(counts.variance()), sprt.needed(apart.iter().sum())]
}

fn how_many(report: &Report, level: &Level, sprt: &Sprt) -> Markup {
    let (book, found) = (&report.base.program.book, level.found);
    let most = book
        .players
        .iter()
        .zip(&found.sums.differences)
        .map(|(&side, counts)| needed(sprt, counts, found.sums.sides.each_ref(), side));
    let most = most.fold([0.0; 2], |most: [f64; 2], needed| [most[0].max(needed[0]), most[1].max(needed[1])]);
    if most[0] == 0.0 {
        return html! { p class="small" { "No pair came out otherwise by the changed rules. Played: " (grouped(found.sums.pairs)) " pairs." } };
    }
    html! {
        p class="small" {
            "To tell " (trimmed(report.sprt.matters * 100.0)) " points from none at " (trimmed(report.sprt.error * 100.0))
            " percent of error, about " strong { (about(most[0])) " pairs" } " are needed here, or " (about(most[1]))
            " games of each side that have nothing to do with each other. Played: " (grouped(found.sums.pairs)) " pairs."
        }
    }
}
