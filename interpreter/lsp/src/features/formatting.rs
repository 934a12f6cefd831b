//! The one layout of a page, as the smallest change of whole lines.

use blazon_diagnostics::Source;
use lsp_types::{Position, Range, TextEdit};

/// What lays a page out; nothing where it is laid out already.
pub fn format(source: &Source) -> Vec<TextEdit> {
    let old: &str = &source.text;
    let new = blazon_syntax::format(old).text;
    if new == old {
        return Vec::new();
    }
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let rest = before.len().min(after.len()) - head;
    let tails = before.iter().rev().zip(after.iter().rev()).take(rest);
    let mut tail = tails.take_while(|(a, b)| a == b).count();
    // The last line may lack its end: then what ends at it is not said by lines.
    if !old.ends_with('\n') || !new.ends_with('\n') {
        tail = 0;
    }
    let line = |line: usize| Position { line: u32::try_from(line).unwrap_or(u32::MAX), character: 0 };
    // Behind a last line without an end a place beyond it means the end of the text.
    let range =
        Range { start: line(head), end: line(before.len() - tail + usize::from(!old.ends_with('\n'))) };
    vec![TextEdit { range, new_text: after[head..after.len() - tail].concat() }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::Encoding;
    use blazon_diagnostics::Sources;

    fn formatted(text: &str) -> String {
        let mut sources = Sources::default();
        let id = sources.add("a.blazon", text);
        let source = sources.get(id);
        let mut out = text.to_owned();
        for edit in format(source).into_iter().rev() {
            let offset = |place| Encoding::default().offset(source, place) as usize;
            out.replace_range(offset(edit.range.start)..offset(edit.range.end), &edit.new_text);
        }
        out
    }

    #[test]
    fn the_edit_makes_the_layout() {
        for text in [
            "kind side = Red,   Blue\n\n\n\nkind area = Ford\n",
            "kind side = Red, Blue",
            "kind side =  Red, Blue",
            "\n\nkind side = Red, Blue\n\n\n",
            "kind side = Red, Blue\n\n\nkind  é =  Ford",
            "",
            "  ",
        ] {
            assert_eq!(formatted(text), blazon_syntax::format(text).text, "{text:?}");
        }
    }

    #[test]
    fn lines_end_as_they_did() {
        let text = "kind side = Red,   Blue\r\n\r\n\r\n\r\nkind area = Ford\r\n";
        let laid_out = "kind side = Red, Blue\r\n\r\nkind area = Ford\r\n";
        assert_eq!(formatted(text), laid_out);
        let mut sources = Sources::default();
        let id = sources.add("a.blazon", laid_out);
        assert_eq!(format(sources.get(id)), []);
        // One line with another end is no reason to change it all.
        assert_eq!(
            formatted("kind side = Red, Blue\r\nkind area = Ford\r\nkind piece\n"),
            "kind side = Red, Blue\r\nkind area = Ford\r\nkind piece\r\n"
        );
        assert_eq!(
            formatted("kind side = Red, Blue\nkind area = Ford\r\n"),
            "kind side = Red, Blue\nkind area = Ford\n"
        );
    }
}
