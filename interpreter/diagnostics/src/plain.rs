//! Foreign text made harmless: names and texts come from strangers, and what they write must not steer a terminal, turn
//! the order of the letters around, or pass for a line of ours.

/// Whether a character steers what shows it: control characters but the end of a line and the tab, and the marks that
/// turn the direction of writing around.
pub fn steers(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text without characters that steer. It may have lines.
pub fn harmless(text: &str) -> String {
    text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A name, harmless and on one line.
pub fn plain(name: &str) -> String {
    let shown = |c: char| if steers(c) || c == '\n' { char::REPLACEMENT_CHARACTER } else { c };
    name.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("a\x1b[2Jb\u{202e}\u{9b}"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}");
        assert_eq!(harmless("two\nlines"), "two\nlines");
        assert_eq!(plain("two\nlines\r"), "two\u{fffd}lines\u{fffd}");
    }
}
