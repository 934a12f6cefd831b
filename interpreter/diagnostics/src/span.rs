//! Where a piece of text stands: sources, spans, lines and columns.

use std::ops::Range;
use std::sync::Arc;

/// One file of rules text, by its place in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u32);

/// A run of bytes in one source: `start..end`, half open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span of `start..end` in `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Self { source, start: start as u32, end: end as u32 }
    }

    /// The empty span before this one: of what is meant there and not written.
    pub fn before(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// Whether nothing is written there.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether a part lies within this: it may begin where this begins, and end where it ends.
    pub fn contains(self, part: Span) -> bool {
        self.source == part.source && self.start <= part.start && part.end <= self.end
    }

    /// Whether a caret at an offset is at this: in it, before its first letter or behind its last.
    pub fn touches(self, source: SourceId, offset: u32) -> bool {
        self.contains(Span { source, start: offset, end: offset })
    }

    /// The smallest span that covers both; both must lie in one source, otherwise the first is returned.
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file: its name as users know it (relative to the rules folder) and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown in diagnostics, with `/` between folders.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    lines: Vec<u32>,
}

impl Source {
    fn new(name: Arc<str>, text: Arc<str>) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect();
        Self { name, text, lines }
    }

    /// Line and column of a byte offset, both from 1; columns count characters. An offset inside a character
    /// counts as its beginning, one behind the text as its end.
    pub fn line_col(&self, offset: u32) -> (usize, usize) {
        let offset = floor(&self.text, offset as usize);
        let line = self.line_of(offset);
        let start = self.lines[line] as usize;
        (line + 1, self.text[start..offset].chars().count() + 1)
    }

    /// The line, from 0, that holds a byte offset.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start as usize <= offset).max(1) - 1
    }

    /// The bytes of lines `first..=last`, from 0, their line ends included; lines behind the text are left out.
    pub(crate) fn bytes_of(&self, first: usize, last: usize) -> Range<usize> {
        let start_of = |line: usize| self.lines.get(line).map_or(self.text.len(), |&start| start as usize);
        start_of(first)..start_of(last + 1)
    }

    /// The bytes of a span moved to where they can be read: within the text, in order, and on whole characters.
    pub(crate) fn clamp(&self, span: Span) -> Range<usize> {
        let start = floor(&self.text, span.start as usize);
        let mut end = (span.end as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }
}

/// All files read, in the order of reading. A copy shares their texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<Source>>,
}

impl Sources {
    /// Adds a file and returns its number.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        self.files.push(Arc::new(Source::new(name.into(), text.into())));
        SourceId(self.files.len() as u32 - 1)
    }

    /// Puts a new text in the place of a file's; its number and name stay. Says whether there is such a file.
    pub fn replace(&mut self, id: SourceId, text: impl Into<Arc<str>>) -> bool {
        let Some(file) = self.files.get_mut(id.0 as usize) else { return false };
        *file = Arc::new(Source::new(file.name.clone(), text.into()));
        true
    }

    /// The file of that number, if there is one.
    pub fn find(&self, id: SourceId) -> Option<&Source> {
        self.files.get(id.0 as usize).map(|file| &**file)
    }

    /// The file of that number.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// The text a span covers; empty when the span lies outside its file.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.find(span.source).map_or("", |source| &source.text);
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// `file:line:column` of a span's start.
    pub fn place(&self, span: Span) -> String {
        let source = self.get(span.source);
        let (line, column) = source.line_col(span.start);
        format!("{}:{line}:{column}", source.name)
    }

    /// All files in order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.files.iter().enumerate().map(|(i, s)| (SourceId(i as u32), &**s))
    }
}

/// The last character boundary at or before `offset`.
pub(crate) fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_may_lie_at_either_end() {
        let [one, other] = [SourceId(0), SourceId(1)];
        let whole = Span::new(one, 3, 7);
        for (start, end, is_part) in
            [(3, 7, true), (3, 3, true), (7, 7, true), (4, 5, true), (2, 3, false), (6, 8, false)]
        {
            assert_eq!(whole.contains(Span::new(one, start, end)), is_part, "{start}..{end}");
            assert!(!whole.contains(Span::new(other, start, end)));
        }
        let touched: Vec<u32> = (0..10).filter(|&offset| whole.touches(one, offset)).collect();
        assert_eq!(touched, [3, 4, 5, 6, 7]);
        assert!(!whole.touches(other, 4));
    }

    #[test]
    fn columns_count_characters() {
        let mut sources = Sources::default();
        let id = sources.add("a.blazon", "Zürich: Höhe\n\tÉtang\n");
        let source = sources.get(id);
        assert_eq!(source.line_col(0), (1, 1));
        assert_eq!(source.line_col(9), (1, 9), "ü takes two bytes and one column");
        assert_eq!(source.line_col(2), (1, 2), "the middle of ü is its beginning");
        assert_eq!(source.line_col(source.text.find('É').unwrap() as u32), (2, 2), "a tab is one character");
        assert_eq!(source.line_col(source.text.len() as u32), (3, 1));
        assert_eq!(source.line_col(u32::MAX), (3, 1));
    }

    #[test]
    fn a_text_is_replaced_in_its_place() {
        let mut sources = Sources::default();
        let (first, second) = (sources.add("a.blazon", "a"), sources.add("b.blazon", "b"));
        let before = sources.clone();
        assert!(sources.replace(first, "one\ntwo"));
        assert_eq!(sources.place(Span::new(first, 4, 5)), "a.blazon:2:1");
        assert_eq!(&*sources.get(second).text, "b");
        assert_eq!(&*before.get(first).text, "a", "a copy keeps what it had");
        assert!(!sources.replace(SourceId(7), "none"));
    }

    #[test]
    fn spans_are_moved_into_the_text() {
        let mut sources = Sources::default();
        let id = sources.add("a.blazon", "aüb");
        let clamp = |start, end| sources.get(id).clamp(Span { source: id, start, end });
        assert_eq!(clamp(2, 2), 1..3);
        assert_eq!(clamp(0, 99), 0..4);
        assert_eq!(clamp(3, 1), 3..3);
        assert_eq!(clamp(50, 60), 4..4);
    }
}
