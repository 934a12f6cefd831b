//! Lines and columns for editors: each counts columns in units of its own, and all count from 0.

use crate::{Source, Span};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ColumnUnit {
    /// Bytes of UTF-8, as the text is kept.
    Utf8,
    /// Characters (Unicode scalar values), as messages count them.
    Characters,
    /// Units of UTF-16, as the language server protocol counts them unless agreed otherwise.
    #[default]
    Utf16,
}

impl ColumnUnit {
    /// How wide a text is.
    fn width(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Characters => text.chars().count(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }

    /// How wide a character is.
    fn width_of(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Characters => 1,
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// A place in a text, line and column from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in the units that were asked for.
    pub column: usize,
}

impl Source {
    /// The place of a byte offset. An offset inside a character counts as its beginning, one behind the text as its
    /// end.
    pub fn position(&self, offset: u32, unit: ColumnUnit) -> Position {
        let offset = crate::span::floor(&self.text, offset as usize);
        let line = self.line_of(offset);
        let start = self.bytes_of(line, line).start;
        Position { line, column: unit.width(&self.text[start..offset]) }
    }

    /// The byte offset of a place. A column inside a character counts as its beginning, one behind the line as the
    /// line's end (before its line break), a line behind the text as the text's end.
    pub fn offset(&self, position: Position, unit: ColumnUnit) -> u32 {
        let bytes = self.bytes_of(position.line, position.line);
        let written = &self.text[bytes.clone()];
        let line = written.strip_suffix('\n').unwrap_or(written);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut left = position.column;
        let mut at = bytes.start;
        for c in line.chars() {
            let width = unit.width_of(c);
            if left < width {
                break;
            }
            left -= width;
            at += c.len_utf8();
        }
        at as u32
    }

    /// The places where a span begins and ends.
    pub fn range(&self, span: Span, unit: ColumnUnit) -> (Position, Position) {
        (self.position(span.start, unit), self.position(span.end, unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceId, Sources};

    const UNITS: [ColumnUnit; 3] = [ColumnUnit::Utf8, ColumnUnit::Characters, ColumnUnit::Utf16];

    fn source(text: &str) -> (Sources, SourceId) {
        let mut sources = Sources::default();
        let id = sources.add("a.blazon", text);
        (sources, id)
    }

    /// An astral letter (4 bytes, 2 units), a combining mark (2 bytes, 1 unit), CRLF and an empty last line.
    const TEXT: &str = "𝔘x\r\ne\u{301}y\n";

    #[test]
    fn each_unit_counts_its_own() {
        let (sources, id) = source(TEXT);
        let x = TEXT.find('x').unwrap() as u32;
        let columns = UNITS.map(|unit| sources.get(id).position(x, unit).column);
        assert_eq!(columns, [4, 1, 2]);
        let y = TEXT.find('y').unwrap() as u32;
        let places = UNITS.map(|unit| sources.get(id).position(y, unit));
        assert_eq!(places.map(|place| place.line), [1, 1, 1]);
        assert_eq!(places.map(|place| place.column), [3, 2, 2]);
    }

    #[test]
    fn every_offset_comes_back() {
        let (sources, id) = source(TEXT);
        let source = sources.get(id);
        for (offset, c) in TEXT.char_indices().chain([(TEXT.len(), ' ')]) {
            for unit in UNITS {
                let place = source.position(offset as u32, unit);
                // A line break is no place of its own to an editor: between CR and LF is the line's end.
                let expected = if c == '\n' && TEXT[..offset].ends_with('\r') { offset - 1 } else { offset };
                assert_eq!(source.offset(place, unit) as usize, expected, "{offset} in {unit:?}");
            }
        }
    }

    #[test]
    fn places_are_moved_into_the_text() {
        let (sources, id) = source(TEXT);
        let offset = |line, column, unit| sources.get(id).offset(Position { line, column }, unit);
        assert_eq!(offset(0, 99, ColumnUnit::Utf16), 5, "behind the line is before its CRLF");
        assert_eq!(offset(0, 1, ColumnUnit::Utf16), 0, "the middle of a surrogate pair is its beginning");
        assert_eq!(offset(2, 0, ColumnUnit::Utf16), TEXT.len() as u32, "the empty last line");
        assert_eq!(offset(9, 9, ColumnUnit::Utf8), TEXT.len() as u32);
        let end = sources.get(id).position(u32::MAX, ColumnUnit::Utf16);
        assert_eq!(end, Position { line: 2, column: 0 });
        assert_eq!(sources.get(id).position(2, ColumnUnit::Utf8), Position::default(), "inside a character");
    }

    #[test]
    fn a_span_is_a_range() {
        let (sources, id) = source("a 𝔘\nb");
        let (start, end) = sources.get(id).range(Span::new(id, 2, 8), ColumnUnit::Utf16);
        assert_eq!((start, end), (Position { line: 0, column: 2 }, Position { line: 1, column: 1 }));
    }
}
