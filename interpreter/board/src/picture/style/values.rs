//! What a declaration says once its variables are put in: a plain colour, a plain length, one property after the other.

use std::collections::BTreeMap;

/// What can be put in, by name.
#[derive(Clone, Debug, Default)]
pub struct Variables<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Variables<'a> {
    /// One more.
    pub fn insert(&mut self, name: &'a str, value: &'a str) {
        self.0.insert(name, value);
    }

    /// These, and others before them.
    pub fn and(&self, others: &Self) -> Self {
        Self(self.0.iter().chain(&others.0).map(|(name, value)| (*name, *value)).collect())
    }

    /// Whether a value uses one of them.
    pub fn uses(&self, value: &str) -> bool {
        self.0.keys().any(|name| value.contains(&format!("var({name})")))
    }

    /// A value with all of them put in.
    fn put_in(&self, value: &str) -> String {
        let mut value = value.to_owned();
        // What is put in may use others; no chain is so long.
        for _ in 0..8 {
            let Some((before, rest)) = value.split_once("var(") else { break };
            let Some((name, after)) = rest.split_once(')') else { break };
            value = format!("{before}{}{after}", self.0.get(name).copied().unwrap_or("none"));
        }
        value
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Variables<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

/// What means something on a page only.
const OF_PAGES: [&str; 4] = ["filter", "pointer-events", "vector-effect", "cursor"];

/// A declaration as others that every viewer knows.
pub fn declaration(name: &str, value: &str, variables: &Variables) -> Vec<String> {
    if OF_PAGES.contains(&name) {
        return Vec::new();
    }
    let value = variables.put_in(value);
    match name {
        "fill" | "stroke" | "color" => colour(name, &value),
        "font" => font(&value),
        _ => vec![format!("{name}: {value}")],
    }
}

fn colour(name: &str, value: &str) -> Vec<String> {
    let Some((red, green, blue, alpha)) = mixed(value) else { return vec![format!("{name}: {value}")] };
    let hex = format!("#{red:02x}{green:02x}{blue:02x}");
    match alpha {
        0 => vec![format!("{name}: none")],
        255 => vec![format!("{name}: {hex}")],
        alpha => vec![
            format!("{name}: {hex}"),
            format!("{name}-opacity: {}", (f64::from(alpha) / 2.55).round() / 100.0),
        ],
    }
}

/// Red, green, blue, and how much of them.
type Colour = (u8, u8, u8, u8);

/// A colour in light, mixed if it is a mixture.
fn mixed(value: &str) -> Option<Colour> {
    let value = value.trim();
    if let Some(both) = inside(value, "light-dark(") {
        return mixed(arguments(both).first()?);
    }
    if let Some(mixture) = inside(value, "color-mix(in srgb,") {
        let parts = arguments(mixture);
        let (first, share) = parts.first()?.trim().rsplit_once(' ')?;
        let share: f64 = share.strip_suffix('%')?.parse::<f64>().ok()? / 100.0;
        let (a, b) = (mixed(first)?, mixed(parts.get(1)?)?);
        if b.3 == 0 {
            return Some((a.0, a.1, a.2, (f64::from(a.3) * share).round() as u8));
        }
        let mix = |a: u8, b: u8| (f64::from(a) * share + f64::from(b) * (1.0 - share)).round() as u8;
        return Some((mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2), mix(a.3, b.3)));
    }
    if value == "transparent" {
        return Some((0, 0, 0, 0));
    }
    let digits: Vec<u8> = value
        .strip_prefix('#')?
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let two = |at: usize| Some(digits.get(at)? * 16 + digits.get(at + 1)?);
    let one = |at: usize| Some(digits.get(at)? * 17);
    match digits.len() {
        3 => Some((one(0)?, one(1)?, one(2)?, 255)),
        4 => Some((one(0)?, one(1)?, one(2)?, one(3)?)),
        6 => Some((two(0)?, two(2)?, two(4)?, 255)),
        8 => Some((two(0)?, two(2)?, two(4)?, two(6)?)),
        _ => None,
    }
}

/// What stands between a function's name and its last bracket.
fn inside<'a>(value: &'a str, function: &str) -> Option<&'a str> {
    value.strip_prefix(function)?.strip_suffix(')')
}

/// What stands between commas that no bracket is around.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut from) = (0, 0);
    let mut all = Vec::new();
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                all.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(&text[from..]);
    all
}

/// `italic 600 13px FACES`, property by property; what it does not say is as it is without it.
fn font(value: &str) -> Vec<String> {
    let Some((before, faces)) = value.split_once("px ") else { return vec![format!("font: {value}")] };
    let (mut style, mut weight, mut size) = ("normal", "400", "14");
    for word in before.split(' ') {
        match word {
            "italic" => style = word,
            word if word.len() == 3 && word.ends_with("00") => weight = word,
            word => size = word,
        }
    }
    vec![
        format!("font-style: {style}"),
        format!("font-weight: {weight}"),
        format!("font-size: {size}px"),
        format!("font-family: {faces}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_worked_out() {
        let said = |value: &str| declaration("fill", value, &Variables::default()).join("; ");
        assert_eq!(said("light-dark(#fff, #000)"), "fill: #ffffff");
        assert_eq!(said("light-dark(#00000059, #000000b0)"), "fill: #000000; fill-opacity: 0.35");
        assert_eq!(said("color-mix(in srgb, #fff 50%, light-dark(#000, #fff))"), "fill: #808080");
        assert_eq!(said("color-mix(in srgb, #123456 50%, transparent)"), "fill: #123456; fill-opacity: 0.5");
        assert_eq!(said("transparent"), "fill: none");
        assert_eq!(said("currentColor"), "fill: currentColor");
    }

    #[test]
    fn fonts_are_taken_apart() {
        let mut variables = Variables::default();
        variables.insert("--serif", "\"Palatino\", serif");
        assert_eq!(
            declaration("font", "italic 10.5px var(--serif)", &variables).join("; "),
            "font-style: italic; font-weight: 400; font-size: 10.5px; font-family: \"Palatino\", serif"
        );
        assert_eq!(declaration("font", "600 13px var(--serif)", &variables)[1], "font-weight: 600");
        assert!(declaration("filter", "drop-shadow(0 1px #000)", &variables).is_empty());
    }
}
