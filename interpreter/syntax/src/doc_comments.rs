//! Comments that document: the `--` lines directly above an item or a line of one.

use std::ops::Range;

use blazon_diagnostics::{SourceId, Span};

/// The comments of a page that document something, by the line that they stand above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Docs {
    lines: Vec<Doc>,
}

/// A run of comment lines and the line directly below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Doc {
    comment: Span,
    line: Span,
}

impl Docs {
    /// Takes the comments among the blanks of a page.
    pub(crate) fn find(source: SourceId, text: &str, blanks: &[Range<usize>]) -> Self {
        let mut docs = Self::default();
        let mut comments = blanks.iter().filter(|blank| is_whole_line(text, blank)).peekable();
        while let Some(first) = comments.next() {
            let mut end = first.end;
            while let Some(next) = comments
                .next_if(|next| text[end..next.start].trim() == "" && breaks(&text[end..next.start]) == 1)
            {
                end = next.end;
            }
            docs.take(source, text, first.start..end);
        }
        docs
    }

    fn take(&mut self, source: SourceId, text: &str, comment: Range<usize>) {
        let below = text[comment.end..].strip_prefix('\n').unwrap_or_default();
        let length = below.find('\n').unwrap_or(below.len());
        let span = Span::new(source, comment.start, comment.end);
        if !below[..length].trim().is_empty() {
            let start = comment.end + 1;
            self.lines.push(Doc { comment: span, line: Span::new(source, start, start + length) });
        }
    }

    /// The comment directly above the line in which a span begins.
    pub fn above(&self, span: Span) -> Option<Span> {
        let place = self.lines.partition_point(|doc| doc.line.end < span.start);
        self.lines.get(place).filter(|doc| doc.line.start <= span.start).map(|doc| doc.comment)
    }
}

/// What a comment says: its lines without their dashes.
pub fn doc_text(comment: &str) -> String {
    let line = |line: &str| {
        let bare = line.trim().trim_start_matches('-');
        bare.strip_prefix(' ').unwrap_or(bare).to_owned()
    };
    comment.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a blank is a comment that has its line to itself.
pub(crate) fn is_whole_line(text: &str, blank: &Range<usize>) -> bool {
    // A line may hold very many other blanks, but only one comment: only that looks back to the line's beginning.
    text[blank.start..].starts_with("--") && {
        let before = &text[..blank.start];
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        line.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
    }
}

fn breaks(between: &str) -> usize {
    between.matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docs(text: &str) -> Docs {
        crate::parse(SourceId(0), text).0.docs
    }

    fn above(text: &str, word: &str) -> Option<String> {
        let at = text.find(word).unwrap();
        let span = docs(text).above(Span::new(SourceId(0), at, at + word.len()))?;
        Some(doc_text(&text[span.start as usize..span.end as usize]))
    }

    const PAGE: &str = "\
-- The head.
--   It goes on.

-- What a side is.
kind side = Red, Blue -- the sides

kind block {
  -- How many
  -- steps it has.
  fact steps: 1..4

  -- Lost in a gap.

  state at: side?
}
";

    #[test]
    fn what_stands_directly_above_documents() {
        assert_eq!(above(PAGE, "side =").as_deref(), Some("What a side is."));
        assert_eq!(above(PAGE, "steps:").as_deref(), Some("How many\nsteps it has."));
        assert_eq!(above(PAGE, "block"), None, "a comment behind something documents nothing");
        assert_eq!(above(PAGE, "at: side?"), None, "a blank line sets the comment off");
    }
}
