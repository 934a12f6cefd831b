//! Places as an editor counts them: lines and columns from 0, columns in the units that were agreed on.

use blazon_diagnostics::{ColumnUnit, Source, Span};
use lsp_types::{Position, PositionEncodingKind, Range};
use serde_json::Value;

/// How columns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding(ColumnUnit);

impl Encoding {
    /// What is agreed on with an editor that can do these: bytes if it can, for that is how texts are kept, otherwise
    /// UTF-16, which all can.
    pub fn agreed(capabilities: &Value) -> Self {
        let offered = capabilities.pointer("/general/positionEncodings").and_then(Value::as_array);
        let bytes = offered.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        Self(if bytes { ColumnUnit::Utf8 } else { ColumnUnit::Utf16 })
    }

    /// Its name in the protocol.
    pub fn name(self) -> PositionEncodingKind {
        match self.0 {
            ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
            ColumnUnit::Characters => PositionEncodingKind::UTF32,
            ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The place of a byte.
    pub fn position(self, source: &Source, offset: u32) -> Position {
        let place = source.position(offset, self.0);
        Position { line: small(place.line), character: small(place.column) }
    }

    /// The byte of a place; one outside the text counts as the nearest inside.
    pub fn offset(self, source: &Source, place: Position) -> u32 {
        let place =
            blazon_diagnostics::Position { line: place.line as usize, column: place.character as usize };
        source.offset(place, self.0)
    }

    /// The places of a span.
    pub fn range(self, source: &Source, span: Span) -> Range {
        Range { start: self.position(source, span.start), end: self.position(source, span.end) }
    }

    /// How wide a text is.
    pub fn width(self, text: &str) -> u32 {
        small(match self.0 {
            ColumnUnit::Utf8 => text.len(),
            ColumnUnit::Characters => text.chars().count(),
            ColumnUnit::Utf16 => text.chars().map(char::len_utf16).sum(),
        })
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
