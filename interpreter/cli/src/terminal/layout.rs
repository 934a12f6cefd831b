//! Lines no wider than the terminal.

use crate::console::columns;

/// A heading, then pieces one after the other; further lines begin below the first piece.
pub fn hanging(heading: &str, pieces: &[String], between: &str, width: usize) -> String {
    let indent = columns(heading);
    let mut out = heading.to_owned();
    let mut column = indent;
    for (place, piece) in pieces.iter().enumerate() {
        let piece = if place + 1 < pieces.len() { format!("{piece}{between}") } else { piece.clone() };
        let needed = columns(piece.trim_end());
        if column > indent && column + needed > width {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        // A blank that keeps pieces apart has nothing to do at the beginning of a line.
        let piece = if column == indent { piece.trim_start() } else { &piece };
        out += piece;
        column += columns(piece);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hang() {
        let pieces = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
        assert_eq!(hanging("ab: ", &pieces, ", ", 13), "ab: one, two,\n    three\n");
        assert_eq!(hanging("ab: ", &[], ", ", 13), "ab:\n");
    }
}
