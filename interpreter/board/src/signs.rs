//! Words that say by themselves how a thing is drawn, wherever a fact, a flag or a value bears them; tinctures, devices
//! and glyphs.
//!
//! These are words of maps and heraldry, not of any game: what is called a port gets an anchor in every game.

use maud::{Markup, PreEscaped, html};

/// The ground of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// What bears no word.
    Clear,
    /// Water.
    Sea,
    /// Trees.
    Wood,
    /// Rises.
    Hill,
    /// Wet land.
    Marsh,
    /// Dry land.
    Sand,
}

impl Ground {
    /// The ground that a word means.
    pub fn of(word: &str) -> Option<Self> {
        Some(match word.to_lowercase().as_str() {
            "sea" | "ocean" | "lake" | "water" => Self::Sea,
            "forest" | "wood" | "woods" | "jungle" => Self::Wood,
            "hill" | "hills" | "rough" | "mountain" | "mountains" => Self::Hill,
            "marsh" | "swamp" | "bog" => Self::Marsh,
            "desert" | "sand" | "beach" => Self::Sand,
            _ => return None,
        })
    }

    /// The class that it is drawn by.
    pub fn class(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Sea => "water",
            Self::Wood => "wood",
            Self::Hill => "hill",
            Self::Marsh => "marsh",
            Self::Sand => "sand",
        }
    }
}

/// What runs along or across the side between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// Along, wide.
    River,
    /// Along, narrow.
    Stream,
    /// Across water.
    Bridge,
    /// From middle to middle.
    Road,
    /// Along, of stone.
    Wall,
}

impl Line {
    /// The line that a word means.
    pub fn of(word: &str) -> Option<Self> {
        Some(match word.to_lowercase().as_str() {
            "river" => Self::River,
            "stream" | "brook" => Self::Stream,
            "bridge" | "ford" => Self::Bridge,
            "road" | "rail" | "track" | "path" => Self::Road,
            "wall" | "cliff" => Self::Wall,
            _ => return None,
        })
    }
}

/// The colours that a link's word may name.
pub const COLOURS: [&str; 10] =
    ["yellow", "blue", "red", "green", "white", "black", "brown", "purple", "grey", "orange"];

/// The sorts of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Of a player.
    Tincture,
    /// Beside a name, or on a piece.
    Glyph,
    /// Of a place on a grid.
    Ground,
    /// Between two places of a grid.
    Line,
    /// Of a line.
    Colour,
}

impl Sort {
    /// Whether a sign is one of this sort.
    pub fn is(self, sign: &str) -> bool {
        match self {
            Self::Tincture => tincture_of(sign).is_some(),
            Self::Glyph => GLYPHS.iter().any(|(glyph, _)| *glyph == sign),
            Self::Ground => sign == "clear" || Ground::of(sign).is_some(),
            Self::Line => Line::of(sign).is_some(),
            Self::Colour => COLOURS.contains(&sign),
        }
    }

    /// What it is called, with what to write.
    pub fn called(self) -> &'static str {
        match self {
            Self::Tincture => "a tincture, such as `azure`",
            Self::Glyph => "a glyph, such as `anchor`",
            Self::Ground => "a ground, such as `wood`",
            Self::Line => "a line, such as `river`",
            Self::Colour => "a colour, such as `blue`",
        }
    }
}

/// Heralds' tinctures, in the order in which sides get them that ask for none.
pub const TINCTURES: [&str; 7] = ["azure", "gules", "or", "vert", "purpure", "sable", "argent"];

/// The tincture that a sign means, where it is one or a colour.
pub fn tincture_of(sign: &str) -> Option<&'static str> {
    let tincture = match sign {
        "gold" | "yellow" | "orange" => "or",
        "blue" => "azure",
        "red" => "gules",
        "green" => "vert",
        "purple" => "purpure",
        "black" | "brown" => "sable",
        "white" | "grey" => "argent",
        other => other,
    };
    TINCTURES.into_iter().find(|other| *other == tincture)
}

/// The colour that a word names.
pub fn colour_of(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    COLOURS.into_iter().find(|colour| *colour == word)
}

/// The glyph that a word means.
pub fn glyph_of(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().as_str() {
        "port" | "harbour" => "anchor",
        "city" | "town" => "town",
        "cathedral" | "church" | "abbey" => "cross",
        "crown" | "king" => "crown",
        "shield" | "shields" | "arms" => "shield",
        "castle" | "tower" => "tower",
        "fortress" | "citadel" => "castle",
        "gold" | "coins" | "mine" | "gem" => "gem",
        "door" | "gate" => "door",
        "supply" | "wagon" | "wheel" => "wheel",
        "battle" | "fight" => "swords",
        "star" | "goal" | "objective" => "star",
        "box" | "store" => "box",
        _ => return None,
    })
}

/// The glyphs by name, drawn on 16 × 16; `class="o"` is drawn by its line alone.
const GLYPHS: [(&str, &str); 13] = [
    (
        "anchor",
        r#"<circle class="o" cx="8" cy="3.4" r="1.6"/><path class="o" d="M8 5v9M5 7.4h6M2.6 9.6c.6 3 2.8 4.6 5.4 4.6s4.8-1.6 5.4-4.6"/>"#,
    ),
    ("town", r#"<path d="M1.5 14.5v-7l3-2.5 3 2.5v-5l2-1.5 2 1.5v6h3v6z"/>"#),
    ("cross", r#"<path d="M6.8 1.5h2.4v3.7h3.8v2.4h-3.8v6.9h-2.4v-6.9h-3.8v-2.4h3.8z"/>"#),
    ("crown", r#"<path d="M2 13.5v-9l3.2 3.5 2.8-5 2.8 5 3.2-3.5v9z"/>"#),
    ("shield", r#"<path d="M2.5 2h11v5.5c0 3.5-2.3 5.7-5.5 7-3.2-1.3-5.5-3.5-5.5-7z"/>"#),
    ("door", r#"<path d="M1.5 9.5l1.8 4h9.4l1.8-4zM7.4 8.5v-7l5.2 7z"/>"#),
    ("gem", r#"<path d="M8 1.5l5.5 5-5.5 8-5.5-8z"/>"#),
    (
        "tower",
        r#"<path d="M3.5 14.5v-8.5h-1v-4h2.4v1.7h1.9v-1.7h2.4v1.7h1.9v-1.7h2.4v4h-1v8.5h-3.2v-3.5h-2.6v3.5z"/>"#,
    ),
    (
        "castle",
        r#"<path d="M.7 14.5v-10h2v1.4h1.4v-1.4h1.4v3h.9v-6.5h1.2l2.8 1.3-1.7.9v4.3h.8v-3h1.4v1.4h1.4v-1.4h2v10h-4.5v-3.3h-2.9v3.3z"/>"#,
    ),
    (
        "wheel",
        r#"<circle class="o" cx="8" cy="8" r="5.8"/><path class="o thin" d="M8 2.2v11.6M2.2 8h11.6M4 4l8 8M12 4l-8 8"/>"#,
    ),
    ("swords", r#"<path class="o" d="M3 2l10 11M13 2l-10 11M2.5 10.5l3 3M13.5 10.5l-3 3"/>"#),
    ("star", r#"<path d="M8 1.5l2 4.4 4.7.5-3.5 3.2 1 4.7-4.2-2.4-4.2 2.4 1-4.7-3.5-3.2 4.7-.5z"/>"#),
    ("box", r#"<path class="o" d="M2 4.5h12v9h-12zM2 4.5l2-2.5h8l2 2.5"/>"#),
];

/// A number with one decimal at most.
pub fn n(value: f64) -> String {
    // A picture has thousands of them, and whole numbers are written ten times as fast.
    let tenths = (value * 10.0).round_ties_even() as i64;
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    let sign = if tenths < 0 { "-" } else { "" };
    if tenth == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenth}") }
}

/// A glyph in the middle of a point, so large.
pub fn glyph(name: &str, x: f64, y: f64, size: f64, class: &str) -> Markup {
    let drawing = GLYPHS.iter().find(|(other, _)| *other == name).map_or("", |(_, drawing)| drawing);
    let scale = size / 16.0;
    html! {
        g class={ "gl " (class) } transform={ "translate(" (n(x - size / 2.0)) "," (n(y - size / 2.0)) ") scale(" (format!("{scale:.3}")) ")" } {
            (PreEscaped(drawing))
        }
    }
}

/// What a side wears beside its colour, by its order: colour is never the only sign.
pub fn device(side: usize, x: f64, y: f64, r: f64) -> Markup {
    let path = match side % 6 {
        0 => format!(
            "M{},{}L{},{}L{},{}L{},{}Z",
            n(x),
            n(y - r * 1.15),
            n(x + r),
            n(y),
            n(x),
            n(y + r * 1.15),
            n(x - r),
            n(y)
        ),
        1 => return html! { circle class="dev" cx=(n(x)) cy=(n(y)) r=(n(r * 0.95)) {} },
        2 => format!(
            "M{},{}L{},{}L{},{}L{},{}Z",
            n(x - r),
            n(y + r * 0.7),
            n(x),
            n(y - r * 0.6),
            n(x + r),
            n(y + r * 0.7),
            n(x),
            n(y + r * 0.1)
        ),
        3 => format!("M{},{}h{}v{}h{}z", n(x - r * 0.8), n(y - r * 0.8), n(r * 1.6), n(r * 1.6), n(r * -1.6)),
        4 => format!("M{},{}h{}v{}h{}z", n(x - r), n(y - r * 0.35), n(2.0 * r), n(r * 0.7), n(-2.0 * r)),
        _ => format!("M{},{}h{}v{}h{}z", n(x - r * 0.35), n(y - r), n(r * 0.7), n(2.0 * r), n(r * -0.7)),
    };
    html! { path class="dev" d=(path) {} }
}

/// Petra Sancta's hatching, as engravers cut tinctures since 1638: the pattern says the colour.
pub fn hatches() -> Markup {
    let of = |name: &str, size: &str, drawing: &str| {
        html! { pattern id={ "h-" (name) } class={ "hatch t-" (name) } width=(size) height=(size) patternUnits="userSpaceOnUse" { path d=(drawing) {} } }
    };
    html! {
        (of("gules", "4", "M2 0v4"))
        (of("azure", "4", "M0 2h4"))
        (of("vert", "5", "M-1 -1l7 7M-1 4l2 2M4 -1l2 2"))
        (of("purpure", "5", "M6 -1l-7 7M1 -1l-2 2M6 4l-2 2"))
        (of("or", "5", "M1.3 .8v1M3.8 3.3v1"))
        (of("sable", "4", "M0 2h4M2 0v4"))
        (of("argent", "8", ""))
        (of("none", "8", ""))
    }
}

#[cfg(test)]
mod tests {
    use blazon::book::SIGNS;

    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            (n(1.0), n(-0.04), n(2.25), n(-3.16)),
            ("1".into(), "0".into(), "2.2".into(), "-3.2".into())
        );
    }

    #[test]
    fn every_glyph_that_a_word_means_is_drawn() {
        for word in [
            "port", "city", "church", "king", "arms", "castle", "fortress", "gold", "gate", "wagon",
            "battle", "goal", "store",
        ] {
            let name = glyph_of(word).unwrap();
            assert!(GLYPHS.iter().any(|(other, _)| *other == name), "{word} means {name}");
        }
        assert_eq!(glyph_of("weather"), None);
    }

    /// What rules may name and what is drawn are listed apart.
    #[test]
    fn the_signs_of_the_rules_are_those_that_are_drawn() {
        let sorts = [Sort::Tincture, Sort::Glyph, Sort::Ground, Sort::Line, Sort::Colour];
        for sign in SIGNS {
            assert!(sorts.iter().any(|sort| sort.is(sign)), "{sign} is drawn");
        }
        for sign in blazon::book::TINCTURES {
            assert!(SIGNS.contains(sign) && Sort::Tincture.is(sign), "{sign}");
        }
        for sign in GLYPHS.iter().map(|(glyph, _)| *glyph).chain(COLOURS) {
            assert!(SIGNS.contains(&sign), "{sign} can be named");
        }
    }
}
