//! The only module that knows miette: diagnostics drawn with the source underlined.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};

use super::{Style, harmless, readable, short, steers, summary, word};
use crate::{Diagnostic, Severity, Source, SourceId, Sources, Span};

/// Lines shown before and after an underlined place.
const CONTEXT: usize = 1;
/// A place of more lines than this is underlined in its first line only.
const TALLEST: usize = 6;
/// Narrower terminals are written as if they had this many columns.
const NARROWEST: usize = 30;
/// Columns between tab stops.
const TAB: usize = 4;
/// Lines of more bytes than this are not drawn: miette panics at 65,536 columns, and nobody could read them.
const LONGEST: usize = 4000;
/// Of one code so many are drawn; the others are counted. One slip in a table can be a thousand errors.
const MOST: usize = 10;

/// Draws all diagnostics in the given order, with a closing count.
pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources, style: Style) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let theme = match (style.color, style.unicode) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::ascii(),
        (false, true) => GraphicalTheme::unicode_nocolor(),
        (false, false) => GraphicalTheme::none(),
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width.max(NARROWEST))
        .with_context_lines(CONTEXT)
        .tab_width(TAB)
        .with_urls(false)
        .without_syntax_highlighting();

    let excerpts: BTreeMap<SourceId, Excerpt> = sources.iter().map(|(id, s)| (id, Excerpt::new(s))).collect();
    let mut out = String::new();
    let mut met: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        let count = met.entry((word(diagnostic.severity), diagnostic.code)).or_default();
        *count += 1;
        if *count > MOST {
            continue;
        }
        let start = out.len();
        let drawn = !is_long(diagnostic, sources)
            && handler.render_report(&mut out, &Report::new(diagnostic, sources, &excerpts)).is_ok();
        if !drawn {
            out.truncate(start);
            out += &short(diagnostic, sources);
            out.push('\n');
        }
        out.push('\n');
    }
    let more: Vec<_> = met.into_iter().filter(|(_, count)| *count > MOST).collect();
    for ((severity, code), count) in &more {
        out += &format!("… and {} more like it: {severity}[{code}]\n", count - MOST);
    }
    if !more.is_empty() {
        out.push('\n');
    }
    out += &summary(diagnostics.iter().copied());
    out.push('\n');
    // Lines that were only padded would make copies and comparisons untidy.
    out.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Whether a line that would be drawn is too long for it.
fn is_long(diagnostic: &Diagnostic, sources: &Sources) -> bool {
    let spans = diagnostic.span.iter().chain(diagnostic.related.iter().map(|(span, _)| span));
    spans.filter_map(|span| Some((sources.find(span.source)?, span))).any(|(source, span)| {
        let bytes = source.clamp(*span);
        let first = source.line_of(bytes.start).saturating_sub(CONTEXT);
        (first..=source.line_of(bytes.end) + CONTEXT).any(|line| source.bytes_of(line, line).len() > LONGEST)
    })
}

/// One diagnostic as miette wants it: places in its own source are labels, places elsewhere are reports of their own.
struct Report<'a> {
    message: String,
    code: Option<String>,
    severity: miette::Severity,
    help: Option<String>,
    excerpt: Option<&'a Excerpt<'a>>,
    labels: Vec<LabeledSpan>,
    elsewhere: Vec<Report<'a>>,
}

impl<'a> Report<'a> {
    fn new(
        diagnostic: &Diagnostic,
        sources: &Sources,
        excerpts: &'a BTreeMap<SourceId, Excerpt<'a>>,
    ) -> Self {
        let place = readable(diagnostic.span, sources);
        let mut report = Report {
            message: harmless(&diagnostic.message),
            code: Some(format!("{}[{}]", word(diagnostic.severity), diagnostic.code)),
            severity: match diagnostic.severity {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            },
            help: diagnostic.help.as_deref().map(harmless),
            excerpt: place.and_then(|span| excerpts.get(&span.source)),
            labels: Vec::new(),
            elsewhere: Vec::new(),
        };
        if let (Some(span), Some(excerpt)) = (place, report.excerpt) {
            report
                .labels
                .push(LabeledSpan::new_primary_with_span(said(&diagnostic.label), excerpt.shown(span)));
        }
        for (span, words) in &diagnostic.related {
            let Some(excerpt) = excerpts.get(&span.source) else { continue };
            let shown = excerpt.shown(*span);
            if place.is_some_and(|place| place.source == span.source) {
                report.labels.push(LabeledSpan::new_with_span(said(words), shown));
            } else {
                report.elsewhere.push(Report {
                    message: said(words).unwrap_or_else(|| "see also".to_owned()),
                    code: None,
                    severity: miette::Severity::Advice,
                    help: None,
                    excerpt: Some(excerpt),
                    labels: vec![LabeledSpan::new_primary_with_span(None, shown)],
                    elsewhere: Vec::new(),
                });
            }
        }
        report
    }
}

/// A label, or none where there is nothing to say.
fn said(words: &str) -> Option<String> {
    let words = words.trim();
    (!words.is_empty()).then(|| harmless(words))
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }

    fn related<'b>(&'b self) -> Option<Box<dyn Iterator<Item = &'b dyn miette::Diagnostic> + 'b>> {
        let reports = self.elsewhere.iter().map(|report| report as &dyn miette::Diagnostic);
        (!self.elsewhere.is_empty()).then(|| Box::new(reports) as Box<dyn Iterator<Item = _>>)
    }
}

/// A source as it is quoted. miette's own reading counts columns in bytes and lets escape sequences through.
struct Excerpt<'a> {
    source: &'a Source,
    name: String,
    /// The text, byte for byte in the same places, without characters that steer the terminal.
    text: Cow<'a, str>,
}

impl<'a> Excerpt<'a> {
    fn new(source: &'a Source) -> Self {
        Self { source, name: harmless(&source.name), text: quoted(&source.text) }
    }

    /// The part of a span that is underlined.
    fn shown(&self, span: Span) -> SourceSpan {
        let mut bytes = self.source.clamp(span);
        let (first, last) = (self.source.line_of(bytes.start), self.source.line_of(bytes.end));
        if last - first >= TALLEST {
            let line = self.source.bytes_of(first, first);
            bytes.end = line.start + self.text[line].trim_end().len();
            bytes.end = bytes.end.max(bytes.start);
        }
        // Behind the last line end there is no line to draw under.
        if bytes.is_empty() && bytes.start == self.text.len() {
            let end = self.text.trim_end().len();
            bytes = end..end;
        }
        (bytes.start, bytes.len()).into()
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        if end > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        let (line, column) = self.source.line_col(start as u32);
        let (first, bytes, column) = if lines_before + lines_after == 0 {
            (line - 1, start..end, column - 1)
        } else {
            let first = (line - 1).saturating_sub(lines_before);
            let last = self.source.line_of(end.saturating_sub(1).max(start)) + lines_after;
            (first, self.source.bytes_of(first, last), 0)
        };
        let data = &self.text.as_bytes()[bytes.clone()];
        let lines = data.iter().filter(|&&byte| byte == b'\n').count();
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            data,
            (bytes.start, bytes.len()).into(),
            first,
            column,
            lines,
        )))
    }
}

/// The text with every steering character replaced by a harmless one of the same length in bytes.
fn quoted(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(match c {
            '\r' if rest.peek() == Some(&'\n') => c,
            c if !steers(c) => c,
            c => match c.len_utf8() {
                1 => '?',
                2 => '¿',
                _ => char::REPLACEMENT_CHARACTER,
            },
        });
    }
    debug_assert_eq!(out.len(), text.len());
    Cow::Owned(out)
}
