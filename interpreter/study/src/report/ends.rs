//! Where games ended, what parted the pairs, who won by setup.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::picture::{Axis, Mark, Strip, decimals, strips};
use super::table::{Cell, Table, figure};
use super::wins::{FAILED, STOPPED, WHICH};
use super::words::{bound, grouped, percent, player, points, ratio};
use super::{Level, Report};
use crate::compare::{Cause, Side};
use crate::stats::{Counts, wilson};
use crate::tally::{Ended, Ending};

/// Shares of games by both rule sets, one strip each.
fn shares_of(rows: &[(String, [u64; 2])], games: [u64; 2]) -> (Vec<Strip>, Axis) {
    let strip = |(name, counts): &(String, [u64; 2])| {
        let shares = [0, 1].map(|place: usize| ratio(counts[place], games[place]));
        let mark = |place: usize| Mark {
            value: shares[place],
            between: Some(wilson(counts[place], games[place])),
            filled: place == 1,
            told: format!("{}: {}", WHICH[place], percent(shares[place])),
        };
        Strip {
            label: name.clone(),
            note: format!("{} → {}", percent(shares[0]), percent(shares[1])),
            colour: "t-none".to_owned(),
            marks: vec![mark(0), mark(1)],
        }
    };
    let strips: Vec<Strip> = rows.iter().map(strip).collect();
    let most =
        strips.iter().flat_map(|strip| &strip.marks).filter_map(|mark| mark.between).map(|between| between.1);
    let axis = Axis::around(most.chain([0.0]).collect::<Vec<_>>(), share_tick);
    (strips, axis)
}

/// A share at an axis with steps of that size.
fn share_tick(tick: f64, step: f64) -> String {
    format!("{:.*} %", decimals(step * 100.0), tick * 100.0)
}

/// Where games end.
pub fn endings(level: &Level) -> Markup {
    let of = level.found.sums.sides.each_ref().map(|side| &side.tally.endings);
    let games = level.found.sums.sides.each_ref().map(|side| side.tally.games);
    let all: BTreeSet<&Ending> = of.iter().flat_map(|endings| endings.keys()).collect();
    let count = |endings: &BTreeMap<Ending, Ended>, ending: &Ending| {
        endings.get(ending).map_or(0, |ended| ended.games)
    };
    let mut rows: Vec<(&Ending, [u64; 2])> =
        all.into_iter().map(|ending| (ending, of.map(|endings| count(endings, ending)))).collect();
    rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts[0] + counts[1]));
    let mut table =
        Table::new("endings", ["ended in", "paragraphs", "base", "share", "changed", "share", "difference"]);
    for (ending, counts) in &rows {
        let shares = [0, 1].map(|place: usize| ratio(counts[place], games[place]));
        table.row([
            Cell::text(if ending.step.is_empty() { "?" } else { &ending.step }),
            Cell::text(cites(ending)),
            Cell::whole(counts[0]),
            Cell::Figure(shares[0], percent(shares[0])),
            Cell::whole(counts[1]),
            Cell::Figure(shares[1], percent(shares[1])),
            Cell::Figure(shares[1] - shares[0], points(shares[1] - shares[0])),
        ]);
    }
    for (name, of) in [
        (FAILED, level.found.sums.sides.each_ref().map(|side| side.tally.faults)),
        (STOPPED, level.found.sums.sides.each_ref().map(|side| side.tally.limits)),
    ] {
        if of != [0, 0] {
            let shares = [0, 1].map(|place: usize| ratio(of[place], games[place]));
            table.row([
                Cell::text(name),
                Cell::Blank,
                Cell::whole(of[0]),
                Cell::Figure(shares[0], percent(shares[0])),
                Cell::whole(of[1]),
                Cell::Figure(shares[1], percent(shares[1])),
                Cell::Figure(shares[1] - shares[0], points(shares[1] - shares[0])),
            ]);
        }
    }
    let named: Vec<(String, [u64; 2])> = rows
        .iter()
        .take(12)
        .map(|(ending, counts)| (format!("{} {}", ending.step, cites(ending)), *counts))
        .collect();
    let (drawn, axis) = shares_of(&named, games);
    let caption = html! {
        strong { "Where games end: " } "the step that ended them, and its paragraphs; in shares of all games."
    };
    figure(&strips("Where games end", &drawn, &axis, None), &caption, &table)
}

fn cites(ending: &Ending) -> String {
    ending.cites.iter().map(|cite| format!("@{cite}")).collect::<Vec<_>>().join(" ")
}

/// What parted the pairs.
pub fn parted(level: &Level) -> Markup {
    let (parted, pairs) = (level.found.sums.parted.len() as u64, level.found.sums.pairs);
    let mut causes: Vec<(&Cause, u64)> = level.causes.iter().map(|(cause, &count)| (cause, count)).collect();
    causes.sort_by(|(one, count), (other, more)| more.cmp(count).then_with(|| one.cmp(other)));
    let mut table = Table::new("causes", ["where", "item", "with others", "pairs", "share"])
        .sums(format!("{} {parted} {pairs}", level.tried));
    let mut rows = Vec::new();
    for (cause, count) in &causes {
        let share = ratio(*count, level.tried);
        let place = if **cause == Cause::ELSE { "something else" } else { &cause.first.place };
        let item = cause.first.item.as_str();
        let mut others: Vec<_> =
            cause.others.iter().map(|other| format!("{}: {}", other.place, other.item)).collect();
        others
            .extend((!cause.is_least).then(|| "or fewer of these: it was not tried any further".to_owned()));
        table.row([
            Cell::text(place),
            Cell::text(item),
            Cell::text(others.join("; ")),
            Cell::whole(*count),
            Cell::Figure(share, percent(share)),
        ]);
        let label = if item.is_empty() { place } else { item };
        let places: Vec<&str> = cause.others.iter().map(|other| other.place.as_str()).collect();
        let told = match &places[..] {
            [] => format!("{place}: {count}"),
            places => format!("{place} with {}: {count}", places.join(", ")),
        };
        rows.push(Strip {
            label: label.to_owned(),
            note: format!("{} · {}", grouped(*count), percent(share)),
            colour: "t-none".to_owned(),
            marks: vec![Mark { value: share, between: Some((0.0, share)), filled: true, told }],
        });
    }
    rows.truncate(15);
    let axis = Axis::around(
        rows.iter().flat_map(|row| &row.marks).map(|mark| mark.value).chain([0.0]).collect::<Vec<_>>(),
        share_tick,
    );
    let same = pairs.saturating_sub(parted);
    html! {
        p { "Of " (grouped(pairs)) " pairs " strong { (grouped(same)) " went the same way" } ": the same choices, the same winner. " (grouped(parted)) " part somewhere." }
        @if level.is_cut { p { "It was stopped before it had been tried which lines all of them part at." } }
        @if !table.is_empty() {
            (figure(
                &strips("What parted the pairs", &rows, &axis, None),
                &html! { strong { "The lines at which they part. " } "Found by trying, in the first " (grouped(level.tried)) " pairs that part: without these lines they would not part there." },
                &table,
            ))
        }
    }
}

/// Who wins by setup.
pub fn setups(report: &Report, level: &Level) -> Markup {
    let (book, sides) = (&report.base.program.book, &level.found.sums.sides);
    if level.plans[0].setups.len() < 2 {
        return html! {};
    }
    let mut table = Table::new(
        "setups",
        [
            "setup",
            "player",
            "base: won",
            "games",
            "share",
            "changed: won",
            "games",
            "share",
            "difference",
            "from",
            "to",
        ],
    );
    let mut figures = Vec::new();
    for (place, &setup) in level.plans[0].setups.iter().enumerate() {
        let name = book.setups.get(setup).map_or("?", |setup| setup.name.as_str());
        for (seat, &side) in book.players.iter().enumerate() {
            let differences = level.found.sums.by_setup.get(place).and_then(|counts| counts.get(seat));
            let of = |of: &Side| {
                of.by_setup.get(place).map_or((0, 0), |row| {
                    (
                        row.get(side as usize).copied().unwrap_or_default(),
                        row.last().copied().unwrap_or_default(),
                    )
                })
            };
            let counts = sides.each_ref().map(of);
            let shares = counts.map(|(won, games)| ratio(won, games));
            let mut cells = vec![Cell::text(name), Cell::text(player(book, side))];
            let mut marks = Vec::new();
            for (which, (won, games)) in counts.into_iter().enumerate() {
                cells.extend([
                    Cell::whole(won),
                    Cell::whole(games),
                    Cell::Figure(shares[which], percent(shares[which])),
                ]);
                marks.push(Mark {
                    value: shares[which],
                    between: Some(wilson(won, games)),
                    filled: which == 1,
                    told: format!("{}: {}", WHICH[which], percent(shares[which])),
                });
            }
            cells.push(Cell::Figure(shares[1] - shares[0], points(shares[1] - shares[0])));
            let (least, most) = differences.map_or((-1.0, 1.0), Counts::interval);
            cells.extend([least, most].map(|end| Cell::Figure(end, bound(end))));
            let told = differences.map_or_else(String::new, |counts| {
                [1.0, 0.0, -1.0].map(|value| counts.of_value(value).to_string()).join(" ")
            });
            table.row_of(told, cells);
            figures.push(Strip {
                label: format!("{name}: {}", player(book, side)),
                note: format!("{} → {}", percent(shares[0]), percent(shares[1])),
                colour: report.colour(side),
                marks,
            });
        }
    }
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick: f64| (tick, format!("{:.0} %", tick * 100.0))).into();
    let axis = Axis { least: 0.0, most: 1.0, ticks };
    html! {
        section {
            h3 { "By setup" }
            (figure(&strips("Who wins, by setup", &figures, &axis, None), &html! { strong { "How often each wins, by setup. " } "The lines are of each rule set by itself; in the table stands by how much it differs, by the pairs, at 95 percent for each setup by itself." }, &table))
        }
    }
}
