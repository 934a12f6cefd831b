//! What came of the tests, in words.

use std::time::Duration;

use blazon_diagnostics::{Format, Sources, Span, render};
use blazon_machine::test_runner::Failure;

use super::plan::{Case, Outcome, Part};
use crate::console::{Console, harmless, paint, style};

/// Tells of all tests, then of the failures in full. Answers how many passed and how many failed.
pub fn results(parts: &[Part], console: &Console) -> (usize, usize) {
    let (mut passed, mut failed) = (0, 0);
    for part in parts.iter().filter(|part| !part.cases.is_empty()) {
        console.line(paint(style::STRONG, &part.name));
        for case in &part.cases {
            let Some(outcome) = &case.outcome else { continue };
            let (word, time) = match outcome {
                Outcome::Run(report, time) if report.passed => (paint(style::GOOD, "ok  "), Some(*time)),
                Outcome::Run(_, time) => (paint(style::BAD, "FAIL"), Some(*time)),
                Outcome::Broken(_) => (paint(style::BAD, "FAIL"), None),
            };
            if outcome.passed() {
                passed += 1;
            } else {
                failed += 1;
            }
            let time = time.map(brief).unwrap_or_default();
            console.line(format!(
                "  {word} {}  {}",
                paint(style::FAINT, format!("{time:>8}")),
                harmless(&case.test.name)
            ));
        }
    }
    for part in parts {
        for case in part.cases.iter().filter(|case| case.outcome.as_ref().is_some_and(|o| !o.passed())) {
            failure(part, case, console);
        }
    }
    (passed, failed)
}

/// `12 passed, 0 failed`; where rules have errors nothing is counted that was not run.
pub fn closing(passed: usize, failed: usize, left_out: usize, broken: usize, console: &Console) {
    let style = if failed + broken > 0 { style::BAD } else { style::GOOD };
    let said = match (passed + failed, broken) {
        (0, 1..) => "no test was run: mend the errors first".to_owned(),
        (_, 0) => format!("{passed} passed, {failed} failed"),
        (_, 1..) => format!("{passed} passed, {failed} failed, others not run because of errors"),
    };
    let left_out = if left_out > 0 { format!(" ({left_out} not asked for)") } else { String::new() };
    console.line(format!("{}{left_out}", paint(style, said)));
}

/// Microseconds, milliseconds or seconds, three digits.
fn brief(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        m if m < 1e3 => format!("{m:.0} µs"),
        m if m < 1e6 => format!("{:.1} ms", m / 1e3),
        m => format!("{:.1} s", m / 1e6),
    }
}

/// Tells of a failure in full.
pub fn failure(part: &Part, case: &Case, console: &Console) {
    let test = &case.test;
    console.line("");
    console.line(format!(
        "{} {}  {}",
        paint(style::BAD, "FAIL"),
        paint(style::STRONG, &test.name),
        paint(style::FAINT, format!("{}, {}", part.name, part.sources.place(test.span)))
    ));
    for (name, value) in &test.rulings {
        console.line(format!("  under the ruling {} = {}", harmless(name), harmless(value)));
    }
    match &case.outcome {
        Some(Outcome::Run(report, _)) => {
            let mut before = None;
            for failure in &report.failures {
                line_failed(failure, before.replace(failure), &part.sources, console);
            }
        }
        Some(Outcome::Broken(diagnostics)) => {
            console.line(match test.rulings.is_empty() {
                true => "  it does not fit the rules:",
                false => "  it does not fit the rules under this ruling:",
            });
            console.write(render(diagnostics, &part.sources, Format::Human, console.out_style()));
        }
        None => {}
    }
}

/// One line; what stands as it did at the failure before is not told again.
fn line_failed(failure: &Failure, before: Option<&Failure>, sources: &Sources, console: &Console) {
    console.line(format!(
        "  {}: {}",
        paint(style::PLACE, sources.place(failure.span)),
        paint(style::BAD, &failure.message)
    ));
    let line = |span: Span| {
        let (number, text) = source_line(span, sources);
        console.line(format!("  {}", paint(style::FAINT, format!("{number:>5} | {text}"))));
    };
    if let Some(from) = failure.from {
        line(from);
    }
    line(failure.span);
    let told = |what: &str, text: &str| {
        if !text.is_empty() {
            let text = harmless(text).replace('\n', "\n              ");
            console.line(format!("  {}  {text}", paint(style::STRONG, format!("{what:>10}"))));
        }
    };
    // What the line of the test asks itself stops there.
    let is_elsewhere = |stopped: &Span| {
        stopped.source != failure.span.source
            || source_line(*stopped, sources) != source_line(failure.span, sources)
    };
    if let Some(stopped) = failure.stopped.filter(is_elsewhere) {
        console.line(format!(
            "  {}  {}",
            paint(style::STRONG, format!("{:>10}", "stopped")),
            paint(style::PLACE, sources.place(stopped))
        ));
        line(stopped);
    }
    told("expected", failure.expected.as_deref().unwrap_or_default());
    told("actual", failure.actual.as_deref().unwrap_or_default());
    if before.is_some_and(|before| before.unasked == failure.unasked && before.position == failure.position) {
        return told("position", "as above");
    }
    let left_out = failure.unasked.len().saturating_sub(MOST_UNASKED);
    let mut unasked = failure.unasked[left_out..].join("\n");
    if left_out > 0 {
        unasked = format!("{left_out} others, then\n{unasked}");
    }
    if before.is_none_or(|before| before.unasked != failure.unasked) {
        told("unasked", &unasked);
    }
    told("position", &failure.position);
}

/// How many options that were taken unasked are told.
const MOST_UNASKED: usize = 8;

/// The number of the line that a span begins in, and its text.
fn source_line(span: Span, sources: &Sources) -> (usize, String) {
    let Some(source) = sources.find(span.source) else { return (0, String::new()) };
    let (number, _) = source.line_col(span.start);
    let text = source.text.lines().nth(number - 1).unwrap_or_default();
    (number, text.trim_end().to_owned())
}
