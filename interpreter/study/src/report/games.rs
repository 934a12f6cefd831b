//! What the games were like: how long, how close, who led when.

use blazon_machine::bots::OUTLOOK;
use maud::{Markup, html};

use super::picture::{Axis, Curve, Mark, Strip, curves, decimals, round_step, spreads, strips};
use super::table::{Cell, Table, figure};
use super::wins::WHICH;
use super::words::{grouped, percent, player, ratio, signed};
use super::{Level, Report};
use crate::compare::{Counted, Paired, Side, Sum, counted};
use crate::measure::PARTS;
use crate::stats::{FEW, Spread};

/// A measure of games: its name, what it is, how it is written, and where it is found.
struct Measure {
    name: &'static str,
    what: &'static str,
    times: f64,
    decimals: usize,
}

const MEASURES: [Measure; 4] = [
    Measure {
        name: "Drama",
        what: "Percent of the decisions at which who won in the end was behind",
        times: 100.0,
        decimals: 1,
    },
    Measure {
        name: "Changes of the lead",
        what: "How often another took the lead in a game",
        times: 1.0,
        decimals: 2,
    },
    Measure {
        name: "Settled",
        what: "Percent of the decisions that were left when who won took the lead for good",
        times: 100.0,
        decimals: 1,
    },
    Measure {
        name: "Weight of a decision",
        what: "How far apart the leads lie of who decides, one decision on by each of his options, in points of the outlook",
        times: 1.0,
        decimals: 3,
    },
];

/// How long games are.
pub fn lengths(report: &Report, level: &Level) -> Markup {
    let found = level.found;
    let all = found.sums.sides.each_ref().map(|side| side.lengths().collect::<Vec<&Spread>>());
    let decisions = Length {
        name: "decisions".to_owned(),
        of: all.each_ref().map(|lengths| lengths.first().copied()),
        paired: found.sums.lengths.first(),
    };
    let books = [&report.base.program.book, &report.changed.program.book];
    let steps = counted([(books[0], level.plans[0]), (books[1], level.plans[1])]);
    let steps = steps.into_iter().enumerate().map(|(at, Counted { step, places })| {
        // The decisions stand before the turns.
        let of = |side: usize| all[side].get(places[side]? + 1).copied();
        Length { name: step, of: [of(0), of(1)], paired: found.sums.lengths.get(at + 1) }
    });
    let lengths: Vec<Length> = std::iter::once(decisions).chain(steps).collect();
    let heads = ["", "by", "games", "mean", "least", "quarter", "half", "three quarters", "most"];
    let mut all = Table::new("length", heads);
    for Length { name, of, .. } in &lengths {
        for (which, spread) in WHICH.iter().zip(of) {
            let Some(spread) = spread else { continue };
            let mean = Cell::Figure(spread.mean(), format!("{:.1}", spread.mean()));
            let mut cells = vec![Cell::text(name), Cell::text(*which), Cell::whole(spread.count()), mean];
            let quarters = [1, 2, 3].map(|quarters| spread.quarter(quarters));
            cells.push(Cell::whole(spread.least()));
            cells.extend(quarters.map(Cell::whole));
            cells.push(Cell::whole(spread.most()));
            all.row(cells);
        }
    }
    html! {
        @for (place, length) in lengths.iter().enumerate() {
            // What is the same in all games of a side needs no picture, but where the other side has no such step.
            @if place == 0 || length.of.iter().any(|of| of.is_none_or(|of| of.least() < of.most())) { (length.drawn()) }
        }
        (all.beneath("How long games are, in everything that is counted"))
    }
}

/// How long games are, counted by decisions or by a step.
struct Length<'f> {
    name: String,
    /// By the rules as they were and by the changed ones; nothing where they have no such step.
    of: [Option<&'f Spread>; 2],
    paired: Option<&'f Paired>,
}

impl Length<'_> {
    fn drawn(&self) -> Markup {
        let none = Spread::default();
        length(self, self.of.map(|of| of.unwrap_or(&none)))
    }

    /// Of whose rules it is, if only one side has it.
    fn only(&self) -> Option<&'static str> {
        match self.of {
            [Some(_), None] => Some("Only the rules as they were have this step; they are drawn in outline."),
            [None, Some(_)] => Some("Only the changed rules have this step."),
            [Some(_), Some(_)] | [None, None] => None,
        }
    }
}

fn length(length: &Length, of: [&Spread; 2]) -> Markup {
    let (name, paired) = (length.name.as_str(), length.paired);
    /// About so many bars.
    const BARS: f64 = 30.0;
    let least = of.iter().filter(|spread| spread.count() > 0).map(|spread| spread.least()).min();
    let (least, most) = (least.unwrap_or_default(), of[0].most().max(of[1].most()));
    let step = round_step(most.saturating_sub(least) as f64, BARS).unwrap_or(1.0).max(1.0) as u64;
    let first = least / step;
    let bars = usize::try_from(most / step - first + 1).unwrap_or(1).clamp(1, 200);
    let mut counts = [vec![0u64; bars], vec![0u64; bars]];
    for (counts, spread) in counts.iter_mut().zip(of) {
        for (number, count) in spread.bins() {
            let bar = usize::try_from(number / step - first).unwrap_or(bars).min(bars - 1);
            counts[bar] += count;
        }
    }
    let end = |bar: u64| ((first + bar) * step) as f64;
    let bins: Vec<(f64, f64)> = (0..bars as u64).map(|bar| (end(bar), end(bar + 1))).collect();
    let axis = Axis::in_steps([end(0), end(bars as u64)], 1.0, |tick, _| grouped(tick.max(0.0) as u64));
    let title = format!("How long games are, counted by {name}");
    let picture = spreads(&title, &axis, &bins, [&counts[0], &counts[1]]);
    let heads = [name.to_owned(), "below".into(), "base: games".into(), "changed: games".into()];
    let mut table = Table::new("lengths", heads).sums(format!("{} {}", of[0].count(), of[1].count()));
    for (bar, (from, to)) in bins.iter().enumerate() {
        table.row([*from as u64, *to as u64, counts[0][bar], counts[1][bar]].map(Cell::whole));
    }
    let means = paired.and_then(|paired| {
        Some((paired, paired.base.mean()?, paired.changed.mean()?, paired.difference.mean()?))
    });
    let caption = html! {
        strong { "Length, counted by " (name) ". " }
        @if let Some((paired, base, changed, mean)) = means {
            span data-longer=(format!("{} {} {}", told(&paired.base), told(&paired.changed), told(&paired.difference))) data-v=(mean) {
                (format!("{base:.1}")) " by the rules as they were (outline), " (format!("{changed:.1}"))
                " by the changed ones (filled): " strong { (signed(mean, 1)) }
            }
            @if let Some(half) = paired.difference.half() { " ± " span data-v=(half) { (format!("{half:.1}")) } }
            " in a pair"
            @if of.iter().any(|of| of.count() != paired.count()) { ", in the " (grouped(paired.count())) " pairs of which both games came to an end" }
            "."
        } @else if let Some(only) = length.only() {
            (only)
        } @else {
            "The rules as they were in outline, the changed ones filled."
        }
    };
    figure(&picture, &caption, &table)
}

/// Whether games were close.
pub fn measures(report: &Report, level: &Level) -> Markup {
    let found = level.found;
    if found.sums.like.iter().all(|paired| paired.count() == 0) {
        let books = [report.base.program, report.changed.program].map(|program| &program.book);
        let why = match books.map(|book| book.outlook(OUTLOOK).is_some()) {
            [false, false] => {
                "The rules have no outlook, so nobody knows who leads: there is no drama, no lead and no weight to measure. A rule `outlook(player): number` would say it."
            }
            [true, false] => {
                "The changed rules have no outlook, so nobody knows who leads by them: there is no drama, no lead and no weight to hold against each other."
            }
            [false, true] => {
                "The rules as they were have no outlook, so nobody knows who leads by them: there is no drama, no lead and no weight to hold against each other."
            }
            [true, true] => {
                "There is no pair of which both games came to an end and in which somebody decided something: there is no drama, no lead and no weight to measure."
            }
        };
        return html! { p class="small" { (why) } };
    }
    html! {
        @for (measure, paired) in MEASURES.iter().zip(&found.sums.like) { (one_measure(measure, paired)) }
    }
}

fn one_measure(measure: &Measure, paired: &Paired) -> Markup {
    let (sums, difference) = ([&paired.base, &paired.changed], &paired.difference);
    let written = |value: f64| format!("{:.*}", measure.decimals, value * measure.times);
    let mut table = Table::new("measures", [measure.name, "pairs", "mean", "±"]);
    let mut marks = Vec::new();
    for (place, sum) in sums.into_iter().enumerate() {
        table.row_of(
            told(sum),
            [
                Cell::text(WHICH[place]),
                Cell::whole(sum.count()),
                Cell::of(sum.mean(), written),
                Cell::of(sum.half(), written),
            ],
        );
        if let Some(mean) = sum.mean() {
            let between = sum.half().map(|half| (mean - half, mean + half));
            marks.push(Mark {
                value: mean,
                between,
                filled: place == 1,
                told: format!("{}: {}", WHICH[place], written(mean)),
            });
        }
    }
    let signed = |value: f64| signed(value * measure.times, measure.decimals);
    table.row_of(
        told(difference),
        [
            Cell::text("difference"),
            Cell::whole(difference.count()),
            Cell::of(difference.mean(), signed),
            Cell::of(difference.half(), written),
        ],
    );
    let ends: Vec<f64> = marks
        .iter()
        .flat_map(|mark| mark.between.map_or([mark.value; 2], |(least, most)| [least, most]))
        .collect();
    let axis = Axis::around(ends, |tick, step| {
        let decimals = decimals(step * measure.times).max(measure.decimals);
        format!("{:.decimals$}", tick * measure.times)
    });
    let note = difference
        .mean()
        .zip(difference.half())
        .map(|(mean, half)| format!("{} ± {}", signed(mean), written(half)));
    let strip = Strip {
        label: measure.name.to_owned(),
        note: note.unwrap_or_default(),
        colour: "t-none".to_owned(),
        marks,
    };
    let picture = strips(measure.name, &[strip], &axis, None);
    let caption = html! {
        (measure.what) "; in the " (grouped(paired.count())) " pairs of which both games have it."
    };
    figure(&picture, &caption, &table)
}

fn told(sum: &Sum) -> String {
    format!("{} {} {}", sum.count(), sum.sums().0, sum.sums().1)
}

/// Who leads, and how often who leads wins, through the course of the game.
pub fn course(report: &Report, level: &Level) -> Markup {
    let (book, sides) = (&report.base.program.book, &level.found.sums.sides);
    if sides.iter().all(|side| side.led.iter().flatten().all(|led| led.games == 0)) {
        return html! {};
    }
    let mut table = Table::new(
        "leading",
        [
            "tenths of the game",
            "player",
            "base: led",
            "games",
            "share",
            "won then",
            "share",
            "changed: led",
            "games",
            "share",
            "won then",
            "share",
        ],
    );
    let mut leading = Vec::new();
    for &side in &book.players {
        for (which, of) in sides.iter().enumerate() {
            let shares: Vec<Option<f64>> = (0..PARTS)
                .map(|part| Some(ratio(led(of, part, side).0, of.tally.decisions.count())))
                .collect();
            let told = (0..PARTS).map(|part| {
                format!(
                    "{}, {}: led in {}",
                    player(book, side),
                    WHICH[which],
                    percent(shares[part].unwrap_or_default())
                )
            });
            leading.push(Curve {
                colour: report.colour(side),
                filled: which == 1,
                told: told.collect(),
                shares,
            });
        }
        for part in 0..PARTS {
            let mut cells = vec![Cell::whole(part as u64), Cell::text(player(book, side))];
            for of in sides {
                let (led, won) = led(of, part, side);
                let whole = of.tally.decisions.count();
                let share = ratio(led, whole);
                cells.extend([Cell::whole(led), Cell::whole(whole), Cell::Figure(share, percent(share))]);
                cells.extend([Cell::whole(won), Cell::of((led > 0).then(|| ratio(won, led)), percent)]);
            }
            table.row(cells);
        }
    }
    let mut winning = Vec::new();
    let mut decided = Table::new(
        "decided",
        ["tenths of the game", "base: somebody led", "won", "share", "changed: somebody led", "won", "share"],
    );
    let all = |of: &Side, part: usize| {
        book.players
            .iter()
            .map(|&side| led(of, part, side))
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    for (which, of) in sides.iter().enumerate() {
        let shares: Vec<Option<f64>> = (0..PARTS)
            .map(|part| all(of, part))
            .map(|(led, won)| (led >= FEW).then(|| ratio(won, led)))
            .collect();
        let told =
            shares.iter().map(|share| format!("{}: {}", WHICH[which], percent(share.unwrap_or_default())));
        winning.push(Curve { colour: "t-none".to_owned(), filled: which == 1, told: told.collect(), shares });
    }
    for part in 0..PARTS {
        let mut cells = vec![Cell::whole(part as u64)];
        for of in sides {
            let (led, won) = all(of, part);
            cells.extend([
                Cell::whole(led),
                Cell::whole(won),
                Cell::of((led > 0).then(|| ratio(won, led)), percent),
            ]);
        }
        decided.row(cells);
    }
    let ticks = (0..PARTS).map(|part| (part as f64, format!("{part}"))).collect();
    let axis = Axis { least: 0.0, most: PARTS as f64 - 1.0, ticks };
    let key = html! { @for &side in &book.players { span class={ "key " (report.colour(side)) } { i {} (player(book, side)) } } };
    html! {
        (figure(
            &curves("In how many games each player leads, by tenths of the game", &axis, &leading),
            &html! { strong { "Who leads " } "after so many tenths of the decisions, in percent of the pairs of which both games came to an end. Dashed and hollow: the rules as they were. " (key) },
            &table,
        ))
        (figure(
            &curves("How often who leads wins, by tenths of the game", &axis, &winning),
            &html! { strong { "How often who leads then wins, " } "in percent: how early the game is decided. Where somebody led in fewer than " (FEW) " games, nothing is drawn." },
            &decided,
        ))
    }
}

fn led(of: &Side, part: usize, side: u32) -> (u64, u64) {
    let led = of.led.get(part).and_then(|led| led.get(side as usize));
    led.map_or((0, 0), |led| (led.games, led.won))
}
