//! Figures and verdicts in words.

use blazon_book::Book;

use crate::stats::Verdict;

/// A part of a whole; 0 of nothing.
pub fn ratio(hits: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { hits as f64 / of as f64 }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A difference of shares, in points of a hundred, with its sign.
pub fn points(difference: f64) -> String {
    signed(difference * 100.0, 1)
}

/// An end of an interval, in points: one that is not 0 is not written as if it were.
pub fn bound(end: f64) -> String {
    let decimals = (1..4)
        .find(|&decimals| end == 0.0 || signed(end * 100.0, decimals).contains(|c| ('1'..='9').contains(&c)));
    signed(end * 100.0, if end == 0.0 { 1 } else { decimals.unwrap_or(4) })
}

/// A number with its sign.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_nothing = text.trim_matches(['-', '0', '.']).is_empty();
    match (is_nothing, number > 0.0) {
        (true, _) => text.trim_start_matches('-').to_owned(),
        (false, true) => format!("+{text}"),
        (false, false) => text.replace('-', "−"),
    }
}

/// A whole number with its thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of games or pairs that is worked out.
pub fn about(number: f64) -> String {
    if number.is_finite() && number >= 0.0 { grouped(number.ceil() as u64) } else { "?".to_owned() }
}

/// The name of a player.
pub fn player(book: &Book, player: u32) -> &str {
    book.kind(book.player).things.get(player as usize).map_or("?", |thing| thing.name.as_str())
}

/// What a test says of how often a player wins by the changed rules, and how that is marked.
pub fn verdict(verdict: Verdict, name: &str, matters: f64) -> (String, &'static str) {
    match verdict {
        Verdict::More => (format!("{name} wins more often"), "more"),
        Verdict::Less => (format!("{name} wins less often"), "less"),
        Verdict::Same => {
            (format!("{name} wins as often: no difference of {} points", trimmed(matters * 100.0)), "same")
        }
        Verdict::Open => (format!("{name}: not sure yet"), "open"),
    }
}

/// A number without decimals that say nothing.
pub fn trimmed(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!((grouped(1_234_567), grouped(12)), ("1,234,567".into(), "12".into()));
        assert_eq!(
            (points(0.0312), points(-0.0312), points(-0.0001)),
            ("+3.1".into(), "−3.1".into(), "0.0".into())
        );
        assert_eq!([0.0132, 0.0004, -0.00003, 0.0].map(bound), ["+1.3", "+0.04", "−0.003", "0.0"]);
        assert_eq!((trimmed(2.0), trimmed(0.5)), ("2".into(), "0.5".into()));
        assert_eq!((about(2.1), about(f64::NAN), about(f64::INFINITY)), ("3".into(), "?".into(), "?".into()));
    }
}
