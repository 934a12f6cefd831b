//! Pictures of figures as SVG that is as wide as there is room: what lies across is in percent, so that words are as large
//! on a phone as on a desk.

use maud::{Markup, html};

/// From what to what a picture goes across.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its left end.
    pub least: f64,
    /// Its right end.
    pub most: f64,
    /// What is written beneath it, and where.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis around values, with round numbers beneath it, as they are written in steps of some size.
    pub fn around(values: impl IntoIterator<Item = f64>, written: impl Fn(f64, f64) -> String) -> Self {
        Self::in_steps(values, 0.0, written)
    }

    /// The same, with steps that are not smaller than that.
    pub fn in_steps(
        values: impl IntoIterator<Item = f64>,
        smallest: f64,
        written: impl Fn(f64, f64) -> String,
    ) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (0.0, 1.0);
        }
        let step = round_step(most - least, 5.0)
            .unwrap_or_else(|| round_step(most.abs(), 5.0).unwrap_or(1.0))
            .max(smallest);
        (least, most) = ((least / step).floor() * step, (most / step).ceil() * step);
        if least == most {
            most += step;
        }
        let count = ((most - least) / step).round().clamp(1.0, 12.0) as u32;
        let ticks =
            (0..=count).map(|tick| least + f64::from(tick) * step).map(|tick| (tick, written(tick, step)));
        Self { least, most, ticks: ticks.collect() }
    }

    /// Where a value lies, in percent; a little is kept free at both ends, for words that stand in the middle of it.
    pub fn across(&self, value: f64) -> String {
        let part = ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0);
        format!("{:.2}%", 6.0 + 88.0 * if part.is_finite() { part } else { 0.0 })
    }

    fn drawn(&self, from: f64, to: f64) -> Markup {
        html! {
            @for (tick, text) in &self.ticks {
                line class={ "tick" @if *tick == 0.0 { " zero" } } x1=(self.across(*tick)) x2=(self.across(*tick)) y1=(from) y2=(to) {}
                text class="axis" x=(self.across(*tick)) y=(to + 14.0) { (text) }
            }
        }
    }
}

/// A round number of which about so many make up a range: 1, 2 or 5 times a power of ten.
pub fn round_step(range: f64, parts: f64) -> Option<f64> {
    let rough = range / parts;
    if !(rough.is_finite() && rough > 0.0) {
        return None;
    }
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough * 0.999)
}

/// The decimals by which numbers in steps of that size are told apart.
pub fn decimals(step: f64) -> usize {
    (0..9).find(|&decimals| step.abs() * 10f64.powi(decimals) >= 0.999).unwrap_or_default() as usize
}

/// A value, and between what it lies.
pub struct Mark {
    /// The value.
    pub value: f64,
    /// The interval, if there is one.
    pub between: Option<(f64, f64)>,
    /// Whether it is by the changed rules, or a difference: then it is filled.
    pub filled: bool,
    /// What it is, for those who point at it.
    pub told: String,
}

/// Some values of one thing.
pub struct Strip {
    /// What they are of.
    pub label: String,
    /// What is said at the other end of the line.
    pub note: String,
    /// The class of its colour.
    pub colour: String,
    /// The values, one below the other.
    pub marks: Vec<Mark>,
}

/// Values with their intervals on one axis; between the ends of `band` is what does not matter.
pub fn strips(title: &str, strips: &[Strip], axis: &Axis, band: Option<(f64, f64)>) -> Markup {
    let (mut top, mut rows) = (4.0, Vec::new());
    for strip in strips {
        rows.push((top, strip));
        top += 22.0 + 15.0 * strip.marks.len() as f64 + 8.0;
    }
    html! {
        div class="strips-of" {
            svg class="plot-of strips" width="100%" height=(top + 20.0) role="img" {
                title { (title) }
                @if let Some((least, most)) = band {
                    svg x=(axis.across(least)) width=(width(axis, least, most)) height=(top) { rect class="band" width="100%" height="100%" {} }
                }
                (axis.drawn(0.0, top))
                @for (top, strip) in &rows {
                    g class=(strip.colour) {
                        @for (place, mark) in strip.marks.iter().enumerate() {
                            @let y = top + 27.0 + 15.0 * place as f64;
                            g class=(if mark.filled { "mark-of full" } else { "mark-of" }) {
                                title { (mark.told) }
                                @if let Some((least, most)) = mark.between {
                                    line class="case" x1=(axis.across(least)) x2=(axis.across(most)) y1=(y) y2=(y) {}
                                    line class="core" x1=(axis.across(least)) x2=(axis.across(most)) y1=(y) y2=(y) {}
                                }
                                circle cx=(axis.across(mark.value)) cy=(y) r="5" {}
                            }
                        }
                    }
                }
            }
            @for (top, strip) in &rows {
                // As HTML: what is too long for the page is cut, so that it does not run into the other end.
                p style=(format!("top:{top}px")) { strong title=(strip.label) { (strip.label) } span { (strip.note) } }
            }
        }
    }
}

fn width(axis: &Axis, from: f64, to: f64) -> String {
    let of = |value: f64| axis.across(value).trim_end_matches('%').parse::<f64>().unwrap_or(0.0);
    format!("{:.2}%", (of(to) - of(from)).max(0.0))
}

/// How two spreads lie over each other: the first by its outline, the second filled. Both are counts of the same bins.
pub fn spreads(title: &str, axis: &Axis, bins: &[(f64, f64)], counts: [&[u64]; 2]) -> Markup {
    const HEIGHT: f64 = 150.0;
    let most = counts.iter().flat_map(|counts| counts.iter()).copied().max().unwrap_or(0).max(1) as f64;
    let high = |count: u64| count as f64 / most * (HEIGHT - 8.0);
    html! {
        svg class="plot-of spreads" width="100%" height=(HEIGHT + 20.0) role="img" {
            title { (title) }
            (axis.drawn(0.0, HEIGHT))
            @for (class, counts) in [("bar full", counts[1]), ("bar", counts[0])] {
                @for ((from, to), &count) in bins.iter().zip(counts).filter(|(_, count)| **count > 0) {
                    rect class=(class) x=(axis.across(*from)) width=(width(axis, *from, *to)) y=(format!("{:.1}", HEIGHT - high(count))) height=(format!("{:.1}", high(count))) {}
                }
            }
        }
    }
}

/// A line through shares, one for each part of a game; parts without one leave a gap.
pub struct Curve {
    /// The class of its colour.
    pub colour: String,
    /// Whether it is by the changed rules: then it is drawn through.
    pub filled: bool,
    /// The shares.
    pub shares: Vec<Option<f64>>,
    /// What each point is.
    pub told: Vec<String>,
}

/// Shares by the parts of a game.
pub fn curves(title: &str, axis: &Axis, curves: &[Curve]) -> Markup {
    const HEIGHT: f64 = 190.0;
    let y = |share: f64| format!("{:.1}", 6.0 + (1.0 - share) * (HEIGHT - 12.0));
    html! {
        svg class="plot-of curves" width="100%" height=(HEIGHT + 20.0) role="img" {
            title { (title) }
            (axis.drawn(0.0, HEIGHT))
            @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line class="tick" x1="6%" x2="94%" y1=(y(share)) y2=(y(share)) {}
                text class="axis left" x="0" y=(format!("{:.1}", 10.0 + (1.0 - share) * (HEIGHT - 12.0))) { (format!("{:.0}", share * 100.0)) }
            }
            @for curve in curves {
                g class={ (curve.colour) @if curve.filled { " mark-of full" } @else { " mark-of" } } {
                    @for (place, pair) in curve.shares.windows(2).enumerate() {
                        @if let [Some(from), Some(to)] = pair {
                            @let (x1, x2) = (axis.across(place as f64), axis.across(place as f64 + 1.0));
                            line class="case" x1=(x1) x2=(x2) y1=(y(*from)) y2=(y(*to)) {}
                            line class="core" x1=(x1) x2=(x2) y1=(y(*from)) y2=(y(*to)) {}
                        }
                    }
                    @for (place, share) in curve.shares.iter().enumerate() {
                        @if let Some(share) = share {
                            circle cx=(axis.across(place as f64)) cy=(y(*share)) r="4" { title { (curve.told.get(place).map_or("", String::as_str)) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let axis = Axis::around([0.013, 0.094], |tick, step| format!("{tick:.*}", decimals(step)));
        assert_eq!(
            axis.ticks.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["0.00", "0.02", "0.04", "0.06", "0.08", "0.10"]
        );
        assert_eq!((axis.across(0.0), axis.across(0.1)), ("6.00%".into(), "94.00%".into()));
        for odd in [vec![], vec![f64::NAN], vec![3.0, 3.0], vec![0.0], vec![f64::INFINITY]] {
            let axis = Axis::around(odd, |tick, _| tick.to_string());
            assert!(axis.least < axis.most && axis.ticks.len() < 14, "{axis:?}");
        }
    }
}
