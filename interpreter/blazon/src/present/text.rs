//! Texts made safe, paragraphs as they are cited, and the kinds that a person knows of.

use blazon_book::{Book, KindId, KindOrigin};

/// A text without characters that steer a terminal: names and texts come from strangers.
pub fn harmless(text: &str) -> String {
    let steering = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if steering(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Paragraphs as they are cited: ` @5.21 @6.3`.
pub fn cited(cites: &[String]) -> String {
    cites.iter().map(|cite| format!(" @{cite}")).collect()
}

/// All kinds, but those that the checker made for the values of rulings.
pub fn kinds(book: &Book) -> impl Iterator<Item = KindId> + '_ {
    let written = |kind: &KindId| match book.kind(*kind).origin {
        KindOrigin::Declared => true,
        KindOrigin::Ruling(_) => false,
    };
    (0..book.kinds.len() as u32).map(KindId).filter(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("a\x1b[2Jb\u{202e}"), "a\u{fffd}[2Jb\u{fffd}");
    }

    #[test]
    fn paragraphs_are_marked() {
        assert_eq!(cited(&["5.21".to_owned(), "6".to_owned()]), " @5.21 @6");
    }
}
