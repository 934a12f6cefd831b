//! Values on the board's own map: places tinted by them, links as wide as they were walked, a scale with its numbers.
//! Nothing stands on it. The ground is written once into a document ([`Board::ground`]) and used by every map in it.

use maud::{Markup, PreEscaped, html};

use crate::board::Board;
use crate::layout::Layout;
use crate::signs::n;

/// The steps of a scale to each side.
const STEPS: usize = 6;
/// Above so many places no figures are printed on the map: they would cover it.
const MANY: usize = 120;

/// A value of a place or a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// The value; a difference may be below 0.
    pub value: f64,
    /// Whether it may be said to be other than nothing: else there is no tint.
    pub sure: bool,
}

/// From what to what the tints or widths go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// What is as strong as can be, on either side.
    pub most: f64,
    /// Whether values may be below 0.
    pub differs: bool,
    /// A value is written as so many times itself.
    pub times: f64,
    /// With so many decimals.
    pub decimals: usize,
}

impl Scale {
    /// A scale to a value that is the strongest, with as many decimals as tell its steps apart.
    pub fn to(most: f64, differs: bool, times: f64) -> Self {
        let step = most * times / STEPS as f64;
        let decimals = if step > 0.0 { (-step.log10()).ceil().clamp(0.0, 6.0) as usize } else { 0 };
        Self { most, differs, times, decimals }
    }

    /// The step of a value, from 1; 0 for nothing.
    fn step(&self, value: f64) -> usize {
        let part = value.abs() / self.most;
        if value == 0.0 || !part.is_finite() {
            0
        } else {
            ((part * STEPS as f64).ceil() as usize).clamp(1, STEPS)
        }
    }

    /// A value as it is written.
    pub fn text(&self, value: f64) -> String {
        let text = format!("{:.*}", self.decimals, value * self.times);
        let is_nothing = text.trim_matches(['-', '0', '.']).is_empty();
        match (is_nothing, self.differs && value > 0.0) {
            (true, _) => text.trim_start_matches('-').to_owned(),
            (false, true) => format!("+{text}"),
            (false, false) => text.replace('-', "−"),
        }
    }

    fn is_seen(&self, value: f64) -> bool {
        self.text(value).contains(|sign: char| ('1'..='9').contains(&sign))
    }

    /// The steps with signs before them: the class, and from what to what.
    fn steps(&self) -> impl Iterator<Item = (i32, String)> + '_ {
        let steps = STEPS as i32;
        let first = if self.differs { -steps } else { 1 };
        (first..=steps).filter(|step| *step != 0).map(move |step| {
            let bound = |step: i32| self.text(f64::from(step) * self.most / f64::from(steps));
            let (least, most) =
                (bound(step.min(step - step.signum())), bound(step.max(step - step.signum())));
            (step, format!("{least} to {most}"))
        })
    }
}

/// A map with values.
pub struct HeatMap<'a> {
    /// What it shows, for those who read by ear.
    pub title: &'a str,
    /// The values of places.
    pub places: &'a [Option<Heat>],
    /// Their scale, and what they are.
    pub scale: (Scale, &'a str),
    /// The values of links.
    pub links: &'a [Option<Heat>],
    /// Their scale, and what they are; without one there are none.
    pub walked: Option<(Scale, &'a str)>,
}

fn sign(scale: &Scale, step: i32) -> &'static str {
    match (scale.differs, step > 0) {
        (false, _) => "seq",
        (true, true) => "up",
        (true, false) => "down",
    }
}

impl Board {
    /// What every map of a document uses: to be written into it once, before them. The ids in it begin with a word that
    /// must be another for each board.
    pub fn ground(&self, word: &str) -> String {
        let layout = self.layout();
        let own = |drawn: &Markup| {
            // What a page asks by its id and by its role is not asked here.
            let drawn = drawn.0.replace(" id=\"", &format!(" id=\"{word}-"));
            PreEscaped(drawn.replace("=\"#", &format!("=\"#{word}-")).replace(" role=\"img\"", ""))
        };
        let ground = html! {
            svg width="0" height="0" aria-hidden="true" style="position:absolute" {
                defs {
                    clipPath id={ (word) "-edge" } { rect width=(n(layout.width)) height=(n(layout.height)) {} }
                    g id={ (word) "-ground" } { (own(&layout.ground)) }
                    g id={ (word) "-lines" } { (own(&layout.lines)) }
                    g id={ (word) "-names" } { (self.names()) }
                    @for (at, shape) in layout.shapes.iter().enumerate().filter(|(_, shape)| !shape.is_empty()) {
                        path id={ (word) "-" (at) } d=(shape) {}
                    }
                }
            }
        };
        ground.into_string()
    }

    /// Names as they stand where nothing else does.
    fn names(&self) -> Markup {
        let layout = self.layout();
        if let Some(names) = &layout.names {
            return names.clone();
        }
        html! {
            @for (at, spot) in layout.spots.iter().enumerate() {
                @if let Some(spot) = spot {
                    text class="place-name" x=(n(spot.x)) y=(n(spot.y - self.apart().0)) { (self.place_name(at)) }
                }
            }
        }
    }

    /// How far above and below the middle of a place its name and its value stand: farther where links meet in it.
    fn apart(&self) -> (f64, f64) {
        if self.layout().ways.is_empty() { (2.0, 11.0) } else { (14.0, 23.0) }
    }

    /// A map with values, and its scale, as HTML; the document has the [ground](Self::ground) of that word. Nothing for
    /// a game without places.
    pub fn heat(&self, word: &str, map: &HeatMap) -> Option<String> {
        let layout = self.layout();
        if layout.spots.is_empty() {
            return None;
        }
        let scale = &map.scale.0;
        let few = layout.spots.len() <= MANY;
        let places = map.places.iter().enumerate().filter_map(|(at, heat)| Some((at, (*heat)?)));
        let drawn: Vec<(usize, Heat)> =
            places.filter(|(at, _)| layout.shapes.get(*at).is_some_and(|shape| !shape.is_empty())).collect();
        let picture = html! {
            svg class="heat" viewBox={ "0 0 " (n(layout.width)) " " (n(layout.height)) } role="img" {
                title { (map.title) }
                g clip-path={ "url(#" (word) "-edge)" } { use href={ "#" (word) "-ground" } {} }
                @for (at, heat) in drawn.iter().filter(|(_, heat)| heat.sure && scale.step(heat.value) > 0) {
                    use class={ "tint q" (scale.step(heat.value)) " " (sign(scale, if heat.value > 0.0 { 1 } else { -1 })) } href={ "#" (word) "-" (at) } {
                        title { (self.place_name(*at)) ": " (scale.text(heat.value)) }
                    }
                }
                g clip-path={ "url(#" (word) "-edge)" } { use href={ "#" (word) "-lines" } {} }
                @if let Some((walked, _)) = &map.walked { (self.walks(map.links, walked)) }
                use href={ "#" (word) "-names" } {}
                @if few {
                    @for (at, heat) in drawn.iter().filter(|(_, heat)| scale.is_seen(heat.value)) {
                        @if let Some(spot) = layout.spots[*at] {
                            text class={ "value" @if !heat.sure { " unsure" } } x=(n(spot.x)) y=(n(spot.y + self.apart().1)) { (scale.text(heat.value)) }
                        }
                    }
                }
            }
            (legend(map))
        };
        Some(picture.into_string())
    }

    fn walks(&self, links: &[Option<Heat>], scale: &Scale) -> Markup {
        let layout = self.layout();
        let walked = links.iter().enumerate().filter_map(|(at, heat)| Some((at, (*heat)?)));
        html! {
            @for (at, heat) in walked.filter(|(_, heat)| heat.sure && scale.step(heat.value) > 0) {
                @if let Some((name, path)) = self.way(layout, at) {
                    @let class = match (scale.differs, heat.value > 0.0) { (false, _) => "", (true, true) => " more", (true, false) => " fewer" };
                    path class={ "walk k" (scale.step(heat.value)) (class) } d=(path) { title { (name) ": " (scale.text(heat.value)) } }
                }
            }
        }
    }

    /// The name and the way of a link.
    fn way(&self, layout: &Layout, link: usize) -> Option<(&str, String)> {
        let book = self.book();
        let thing = book.kind(self.looks().links?).things.get(link)?;
        if let Some(Some(way)) = layout.ways.get(link) {
            return Some((&thing.name, way.clone()));
        }
        let (a, b) = thing.ends?;
        let spot = |place: u32| layout.spots.get(place as usize).copied().flatten();
        let (from, to) = (spot(a)?, spot(b)?);
        Some((&thing.name, format!("M{},{}L{},{}", n(from.x), n(from.y), n(to.x), n(to.y))))
    }
}

fn legend(map: &HeatMap) -> Markup {
    let (scale, what) = &map.scale;
    html! {
        ul class="legend" {
            li { (what) ":" }
            @for (step, text) in scale.steps().filter(|_| scale.most > 0.0) {
                li { i class={ "q" (step.abs()) " " (sign(scale, step)) } {} (text) }
            }
            @if scale.most == 0.0 { li { "nothing that is sure" } } @else if scale.differs { li { i class="even" {} "may be chance" } }
        }
        @if let Some((walked, what)) = map.walked.as_ref().filter(|(walked, _)| walked.most > 0.0) {
            ul class="legend" {
                li { (what) ":" }
                @for (step, text) in walked.steps().filter(|(step, _)| step % 2 == 0) {
                    @let class = match (walked.differs, step > 0) { (false, _) => "", (true, true) => " more", (true, false) => " fewer" };
                    li { svg viewBox="0 0 46 14" aria-hidden="true" { path class={ "walk k" (step.abs()) (class) } d="M2,7H44" {} } (text) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_into_steps_and_are_written_short() {
        let scale = Scale { most: 3.0, differs: true, times: 1.0, decimals: 1 };
        assert_eq!([0.0, 0.1, 0.5, 0.6, 3.0, -9.0].map(|value| scale.step(value)), [0, 1, 1, 2, 6, 6]);
        assert_eq!([0.0, -0.01, 0.26, -2.0].map(|value| scale.text(value)), ["0.0", "0.0", "+0.3", "−2.0"]);
        assert_eq!(scale.steps().count(), 12);
        assert_eq!(scale.steps().next(), Some((-6, "−3.0 to −2.5".to_owned())));
        assert_eq!(Scale::to(0.13, true, 1.0).decimals, 2);
        assert_eq!(Scale::to(0.13, true, 100.0).decimals, 0);
        assert_eq!(Scale::to(0.0, true, 1.0).decimals, 0);
        assert_eq!(Scale { most: 0.0, ..scale }.step(0.0), 0);
    }
}
