//! What happened where, on the board's own map: by the rules as they were, by the changed ones, and how that differs.

use std::collections::BTreeMap;

use blazon_board::{Board, Heat as Value, HeatMap, Movers, Scale};
use maud::{Markup, PreEscaped, html};

use super::table::{Cell, Table};
use super::words::{player, signed};
use super::{Level, Report, Rules};
use crate::heat::{Cell as Counts, Counted, Heat, Shared, Together};
use crate::stats::{FEW, student};

/// The table of a map has so many rows at most, those that differ most.
const ROWS: usize = 400;

/// What is shown on one map.
struct Layer {
    title: String,
    what: String,
    name: &'static str,
    counted: Counted,
    times: f64,
    walked: Option<Counted>,
}

/// A mean with its variance.
type Mean = (f64, f64);

fn layers(report: &Report) -> Vec<Layer> {
    let book = &report.base.program.book;
    let mut layers = Vec::new();
    for &side in &book.players {
        let (name, place) = (player(book, side), side as usize);
        layers.push(Layer {
            title: format!("Where {name} stands and walks"),
            what: "pieces, on average".to_owned(),
            name: "stood",
            counted: Counted::Stood(place),
            times: 1.0,
            walked: Some(Counted::Walked(place)),
        });
    }
    layers.push(Layer {
        title: "Where sides meet".to_owned(),
        what: "percent of decisions with pieces of two sides".to_owned(),
        name: "met",
        counted: Counted::Met,
        times: 100.0,
        walked: None,
    });
    for &side in &book.players {
        layers.push(Layer {
            title: format!("Where {} leaves the board", player(book, side)),
            what: "pieces in a game".to_owned(),
            name: "left",
            counted: Counted::Left(side as usize),
            times: 1.0,
            walked: None,
        });
    }
    layers
}

/// The means of all cells, in the order of places or links; nothing where there was no game.
fn means(heat: &Heat, counted: Counted) -> Vec<Option<Mean>> {
    let (games, unit) = (heat.games() as f64, counted.unit() as f64);
    let mean = |cell: &Counts| {
        let (sum, squares) = (cell.sum as f64, cell.squares as f64);
        let variance = (squares - sum * sum / games) / (games * (games - 1.0).max(1.0));
        (games > 0.0).then(|| (sum / games / unit, variance.max(0.0) / (unit * unit)))
    };
    heat.cells(counted).iter().map(mean).collect()
}

/// The names of places, or of links, of a rule set.
fn names<'r>(rules: &Rules<'r>, links: bool) -> Vec<&'r str> {
    let book = &rules.program.book;
    let Some(movers) = Movers::of(book) else { return Vec::new() };
    let kind = if links { movers.links } else { Some(movers.places) };
    kind.map(|kind| book.kind(kind).things.iter().map(|thing| thing.name.as_str()).collect())
        .unwrap_or_default()
}

/// A value by base and changed rules, for everything that is called so in either of them.
struct Both<'r> {
    name: &'r str,
    /// Its place in each rule set.
    at: [Option<usize>; 2],
    mean: [Option<Mean>; 2],
    /// Half the width of the interval of 95 percent of the difference, where both have it; nothing of a few pairs.
    half: Option<f64>,
}

impl Both<'_> {
    fn difference(&self) -> Option<f64> {
        let (base, changed) = self.mean[0].zip(self.mean[1])?;
        Some(changed.0 - base.0)
    }

    fn is_sure(&self) -> bool {
        self.difference().zip(self.half).is_some_and(|(difference, half)| difference.abs() > half)
    }
}

/// The counts of both games of all pairs, and how they hang together.
#[derive(Clone, Copy)]
struct Heats<'h> {
    each: [&'h Heat; 2],
    together: &'h Together,
}

impl Heats<'_> {
    /// The variance of the difference of the means of a place of both: the variances of the two, less twice what they have in
    /// common in a pair.
    fn apart(&self, counted: Counted, place: usize, mean: [Mean; 2]) -> f64 {
        let shared = self.together.cells(self.each[0], counted).get(place).copied().unwrap_or_default();
        let [(one, variance), (other, variance_of_other)] = mean;
        let (games, unit) = (self.each[0].games() as f64, counted.unit() as f64);
        let common =
            (shared.both as f64 / (unit * unit) - games * one * other) / (games * (games - 1.0).max(1.0));
        let apart = (variance + variance_of_other - 2.0 * common).max(0.0);
        // Two made-up pairs more, which differ as much as the others that do: few of these tell little.
        let otherwise = shared.otherwise.max(1) as f64;
        apart * (otherwise + 2.0) / otherwise
    }
}

fn both<'r>(names: &[Vec<&'r str>; 2], heats: Heats<'_>, counted: Counted) -> Vec<Both<'r>> {
    let means = heats.each.map(|heat| means(heat, counted));
    let mut all: Vec<Both> = Vec::new();
    // Things of one name in one rule set, as two links between the same places, are told apart by their order.
    let mut found: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for which in 0..2 {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, (&name, &mean)) in names[which].iter().zip(&means[which]).enumerate() {
            let number = seen.entry(name).or_default();
            let place = *found.entry((name, *number)).or_insert_with(|| {
                all.push(Both { name, at: [None; 2], mean: [None; 2], half: None });
                all.len() - 1
            });
            *number += 1;
            all[place].at[which] = Some(at);
            all[place].mean[which] = mean;
        }
    }
    for both in &mut all {
        if let ([Some(at), Some(_)], [Some(base), Some(changed)]) = (both.at, both.mean) {
            let apart = heats.apart(counted, at, [base, changed]);
            both.half = student(heats.each[0].games()).map(|student| student * apart.sqrt());
        }
    }
    all
}

/// What the maps of a report use, once: the grounds of both boards, and the words by which they are found.
pub struct Grounds {
    /// To be written before all maps.
    pub drawn: String,
    words: [&'static str; 2],
}

impl Grounds {
    /// The grounds; one where both boards look the same.
    pub fn of(report: &Report) -> Self {
        let of = |rules: &Rules, word| rules.board.map(|board| board.ground(word));
        let (base, same) = (of(&report.base, "base"), of(&report.changed, "base"));
        match base {
            Some(base) if Some(&base) == same.as_ref() => Self { drawn: base, words: ["base"; 2] },
            base => Self {
                drawn: base.into_iter().chain(of(&report.changed, "changed")).collect(),
                words: ["base", "changed"],
            },
        }
    }
}

/// All maps of a level.
pub fn maps(report: &Report, level: &Level, number: usize, grounds: &Grounds) -> Markup {
    let (Some(base), Some(changed)) = (report.base.board, report.changed.board) else { return html! {} };
    let sums = &level.found.sums;
    let heats =
        Heats { each: sums.gathered.each_ref().map(|gathered| &gathered.heat), together: &sums.together };
    if heats.each.iter().any(|heat| heat.games() == 0 || heat.cells(Counted::Met).is_empty()) {
        return html! {};
    }
    html! {
        section {
            h3 { "On the map" }
            p class="small" {
                "In a difference only what is surely one is tinted, by the pairs, at 95 percent for each place by itself: of twenty places where nothing differs, one is tinted by chance; of fewer than " (FEW) " pairs nothing is. "
                "How many stand somewhere is the mean over all decisions of a game; each game counts as much."
            }
            @for (place, layer) in layers(report).iter().enumerate() {
                (one(report, layer, heats, [base, changed], grounds, &format!("m{number}-{place}"), place == 0))
            }
        }
    }
}

fn one(
    report: &Report,
    layer: &Layer,
    heats: Heats<'_>,
    boards: [&Board; 2],
    grounds: &Grounds,
    id: &str,
    open: bool,
) -> Markup {
    let rules = [&report.base, &report.changed];
    let of = |links, counted| both(&rules.map(|rules| names(rules, links)), heats, counted);
    let places = of(false, layer.counted);
    if places.iter().flat_map(|both| both.mean).flatten().all(|mean| mean.0 == 0.0) {
        return html! { p class="layer" { (layer.title) ": nowhere, ever." } };
    }
    let links = layer.walked.map(|walked| of(true, walked)).unwrap_or_default();
    let scale = |all: &[Both], times: f64, differs: bool| {
        let strongest = |both: &Both| match differs {
            true => both.difference().filter(|_| both.is_sure()).map_or(0.0, f64::abs),
            false => both.mean.iter().flatten().map(|mean| mean.0).fold(0.0, f64::max),
        };
        Scale::to(all.iter().map(strongest).fold(0.0, f64::max), differs, times)
    };
    let values = |all: &[Both], which: Option<usize>| {
        let at = which.unwrap_or(1);
        let len = all.iter().filter_map(|both| both.at[at]).max().map_or(0, |last| last + 1);
        let mut values = vec![None; len];
        for both in all {
            let value = match which {
                Some(which) => both.mean[which].map(|(value, _)| Value { value, sure: true }),
                None => both.difference().map(|value| Value { value, sure: both.is_sure() }),
            };
            if let Some(at) = both.at[at] {
                values[at] = value;
            }
        }
        values
    };
    let panes = [("Base", Some(0)), ("Changed", Some(1)), ("Difference", None)].map(|(name, which)| {
        let differs = which.is_none();
        let scale_of_places = scale(&places, layer.times, differs);
        let scale_of_links = scale(&links, 1.0, differs);
        let (places, links) = (values(&places, which), values(&links, which));
        let title = format!("{}: {}", layer.title, name.to_lowercase());
        let map = HeatMap {
            title: &title,
            places: &places,
            scale: (scale_of_places, &layer.what),
            links: &links,
            walked: layer.walked.map(|_| (scale_of_links, "walked in a game")),
        };
        let at = which.unwrap_or(1);
        (name, boards[at].heat(grounds.words[at], &map).unwrap_or_default())
    });
    // A figure more than on the map.
    let table = |name, all: &[Both], counted, times, heads: &str| {
        let decimals = scale(all, times, false).decimals + 1;
        table(name, all, heats, counted, (times, decimals), heads)
    };
    html! {
        details class="layer" open[open] {
            summary { h4 { (layer.title) } }
            figure {
                div class="switch" {
                    @for (place, (name, _)) in panes.iter().enumerate() {
                        input type="radio" name=(id) id={ (id) "-" (place) } class={ "s" (place) } checked[place == 2];
                        label for={ (id) "-" (place) } { (name) }
                    }
                    @for (place, (name, drawn)) in panes.iter().enumerate() {
                        div class={ "pane p" (place) } { p class="on-paper" { (name) } (PreEscaped(drawn)) }
                    }
                }
                (table(layer.name, &places, layer.counted, layer.times, &layer.what).beneath("The figures of places"))
                @if let Some(walked) = layer.walked { (table("walked", &links, walked, 1.0, "walked in a game").beneath("The figures of links")) }
            }
            @if let Counted::Stood(side) = layer.counted { (elsewhere(report, heats.each, side)) }
        }
    }
}

fn table(
    name: &'static str,
    all: &[Both],
    heats: Heats<'_>,
    counted: Counted,
    (times, decimals): (f64, usize),
    what: &str,
) -> Table {
    let [base, changed] = heats.each.map(Heat::games);
    let of_all = format!("{base} {changed} {}", counted.unit());
    let mut table = Table::new(name, [what, "base", "changed", "difference", "±", "sure"]).sums(of_all);
    let mut rows: Vec<&Both> =
        all.iter().filter(|both| both.mean.iter().flatten().any(|mean| mean.0 > 0.0)).collect();
    let weight = |both: &Both| both.difference().map_or(f64::INFINITY, f64::abs);
    rows.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    let written = |value: f64| format!("{:.decimals$}", value * times);
    for both in rows.into_iter().take(ROWS) {
        let counts = [0, 1].map(|which: usize| {
            let cell = both.at[which]
                .and_then(|at| heats.each[which].cells(counted).get(at))
                .copied()
                .unwrap_or_default();
            format!("{} {}", cell.sum, cell.squares)
        });
        let shared = both.at[0].and_then(|at| heats.together.cells(heats.each[0], counted).get(at)).copied();
        let Shared { both: cross, otherwise } = shared.unwrap_or_default();
        let difference = both.difference();
        table.row_of(
            format!("{} {cross} {otherwise}", counts.join(" ")),
            [
                Cell::text(both.name),
                Cell::of(both.mean[0].map(|mean| mean.0), written),
                Cell::of(both.mean[1].map(|mean| mean.0), written),
                Cell::of(difference, |value| signed(value * times, decimals)),
                Cell::of(both.half, written),
                Cell::text(if both.is_sure() { "yes" } else { "" }),
            ],
        );
    }
    table
}

/// Pieces that went where no link leads.
fn elsewhere(report: &Report, heats: [&Heat; 2], side: usize) -> Markup {
    let book = &report.base.program.book;
    let of = |heat: &Heat| -> u64 {
        heat.jumped().iter().filter(|((whose, ..), _)| *whose as usize == side).map(|(_, count)| count).sum()
    };
    let means = heats.map(|heat| of(heat) as f64 / heat.games().max(1) as f64);
    html! {
        @if means != [0.0, 0.0] { p class="small" {
            "Beside that, " (player(book, side as u32)) " went " (format!("{:.2}", means[0])) " times in a game by the rules as they were and "
            (format!("{:.2}", means[1])) " times by the changed ones to a place that no link joins."
        } }
    }
}
