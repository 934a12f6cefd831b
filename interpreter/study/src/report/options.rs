//! Which options were open and taken by both rule sets, who won then, and what never came up.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::picture::{Axis, Mark, Strip, strips};
use super::table::{Cell, Table, figure};
use super::wins::WHICH;
use super::words::{grouped, percent, points, ratio};
use super::{Level, Report};
use crate::choices::Fared;

/// So many are in the picture.
const SHOWN: usize = 14;

/// An option of either rule set.
struct Row {
    step: String,
    option: String,
    /// How it fared by each; nothing where it is not there.
    fared: [Option<Fared>; 2],
}

impl Row {
    /// How often it was taken where it was open, in pairs of which both games came to an end, as everything that is held
    /// against each other here.
    fn share(&self, which: usize) -> Option<f64> {
        let fared = self.fared[which].filter(|fared| fared.offered_to_end > 0)?;
        Some(ratio(fared.to_end, fared.offered_to_end))
    }

    fn difference(&self) -> Option<f64> {
        self.share(0).zip(self.share(1)).map(|(base, changed)| changed - base)
    }

    /// How much the difference weighs: shares of what is seldom open differ by chance, so the difference is measured by how
    /// far such shares would lie apart if each decision had nothing to do with the others. By that they are put in order, and
    /// no more is said.
    fn weight(&self) -> f64 {
        let [Some(base), Some(changed)] = self.fared else { return f64::INFINITY };
        let (n, m) = (base.offered_to_end as f64, changed.offered_to_end as f64);
        let all = (base.to_end + changed.to_end) as f64 / (n + m);
        let error = (all * (1.0 - all) * (1.0 / n + 1.0 / m)).sqrt();
        let weight = self.difference().map_or(0.0, f64::abs) / error;
        if weight.is_finite() { weight } else { 0.0 }
    }
}

fn rows(report: &Report, level: &Level) -> Vec<Row> {
    let mut all: BTreeMap<(String, String), [Option<Fared>; 2]> = BTreeMap::new();
    let programs = [report.base.program, report.changed.program];
    for (which, (gathered, program)) in level.found.sums.gathered.iter().zip(programs).enumerate() {
        for (name, fared) in gathered.choices.by_name(program) {
            all.entry(name).or_default()[which] = Some(fared);
        }
    }
    let row = |((step, option), fared)| Row { step, option, fared };
    let mut rows: Vec<Row> = all.into_iter().map(row).collect();
    // By name before, so the order is the same each time.
    rows.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
    rows
}

/// The options, those first that fare most differently.
pub fn options(report: &Report, level: &Level) -> Markup {
    let rows = rows(report, level);
    let came = |row: &&Row| row.fared.iter().flatten().any(|fared| fared.offered_to_end > 0);
    let mut table = Table::new(
        "options",
        [
            "option",
            "of the step",
            "base: open",
            "taken",
            "share",
            "games for a player",
            "won",
            "share",
            "changed: open",
            "taken",
            "share",
            "games for a player",
            "won",
            "share",
            "difference taken",
            "difference won",
        ],
    );
    let mut drawn = Vec::new();
    for row in rows.iter().filter(came) {
        let mut cells = vec![Cell::text(&row.option), Cell::text(&row.step)];
        let mut won = [None; 2];
        for (which, fared) in row.fared.iter().enumerate() {
            let Some(fared) = fared else {
                cells.extend([(); 6].map(|()| Cell::Blank));
                continue;
            };
            won[which] = (fared.games_to_end > 0).then(|| ratio(fared.won_to_end, fared.games_to_end));
            let taken = [fared.offered_to_end, fared.to_end].map(Cell::whole);
            cells.extend(taken.into_iter().chain([Cell::of(row.share(which), percent)]));
            let games = [fared.games_to_end, fared.won_to_end].map(Cell::whole);
            cells.extend(games.into_iter().chain([Cell::of(won[which], percent)]));
        }
        let won = won[0].zip(won[1]).map(|(base, changed)| changed - base);
        cells.extend([Cell::of(row.difference(), points), Cell::of(won, points)]);
        table.row(cells);
        if drawn.len() < SHOWN {
            drawn.push(strip(row));
        }
    }
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick: f64| (tick, format!("{:.0} %", tick * 100.0))).into();
    let axis = Axis { least: 0.0, most: 1.0, ticks };
    let caption = html! {
        strong { "How often options are taken where they are open. " }
        "The " (drawn.len()) " that differ most, for how often they are open; all of them are in the table, with how often who took them won. That is no cause: who is ahead has other options."
        @if level.found.sums.broken() > 0 { " In the " (grouped(level.found.sums.whole())) " pairs of which both games came to an end." }
    };
    html! {
        (figure(&strips("How often options are taken where they are open", &drawn, &axis, None), &caption, &table))
        (never(&rows))
    }
}

fn strip(row: &Row) -> Strip {
    let marks = (0..2).filter_map(|which| {
        let (fared, share) = (row.fared[which]?, row.share(which)?);
        let told =
            format!("{}: {} of {}", WHICH[which], grouped(fared.to_end), grouped(fared.offered_to_end));
        // Decisions of one game hang together, so no interval could be said from their number.
        Some(Mark { value: share, between: None, filled: which == 1, told })
    });
    let note = match row.fared {
        [None, Some(_)] => "new".to_owned(),
        [Some(_), None] => "gone".to_owned(),
        _ => row.difference().map_or(String::new(), |difference| format!("{} points", points(difference))),
    };
    Strip {
        label: format!("{} · {}", row.option, row.step),
        note,
        colour: "t-none".to_owned(),
        marks: marks.collect(),
    }
}

/// What was never open, and what was open and never taken.
fn never(rows: &[Row]) -> Markup {
    let list = |is: fn(&Fared) -> bool| -> Vec<Vec<String>> {
        let of = |which: usize| {
            let all = rows.iter().filter(|row| row.fared[which].as_ref().is_some_and(is));
            all.map(|row| format!("{} · {}", row.option, row.step)).collect()
        };
        vec![of(0), of(1)]
    };
    let told =
        [("Never open", list(Fared::was_never_open)), ("Open, and never taken", list(Fared::is_shunned))];
    html! {
        @for (what, lists) in told.iter().filter(|(_, lists)| lists.iter().any(|list| !list.is_empty())) {
            div class="never" {
                h4 { (what) }
                @for (which, list) in WHICH.iter().zip(lists) {
                    p { strong { (which) ": " } @if list.is_empty() { "none" } @else { (list.join(", ")) } }
                }
            }
        }
    }
}
