//! What is told of a round: all of it on standard output, so that one thing stands behind the other wherever it goes.

use std::collections::BTreeSet;

use blazon::diagnostics::{Diagnostic, Format, Sources, Style, render};

use crate::console::{Console, harmless, paint, style};
use crate::exit::Failure;

/// So many names are told; of more only how many.
const NAMED: usize = 5;

/// The time, and what has changed; nothing of that the first time.
pub fn heading(changed: Option<&BTreeSet<String>>, console: &Console) {
    console.new_page();
    let time = jiff::Zoned::now().strftime("%H:%M:%S").to_string();
    let what = match changed {
        None => "watching".to_owned(),
        Some(changed) if changed.is_empty() => "going on".to_owned(),
        Some(changed) => format!("changed: {}", some(changed.iter())),
    };
    console.line(format!("{} {}", paint(style::STRONG, time), harmless(&what)));
}

/// The folder cannot be read, for now.
pub fn unread(failure: &Failure, console: &Console) {
    console.new_page();
    let time = jiff::Zoned::now().strftime("%H:%M:%S").to_string();
    console.line(format!("{} the rules cannot be read", paint(style::STRONG, time)));
    match failure {
        Failure::Problem(message) | Failure::Usage(message) | Failure::Environment(message) => {
            console.line(paint(style::BAD, message));
        }
        Failure::Unreported(error) => {
            console.write(error.rendered(Format::Human, console.out_style()));
        }
        Failure::Problems | Failure::Interrupted | Failure::Bug => {}
    }
}

/// A message as one line, to be known again.
pub fn short(said: &Diagnostic, sources: &Sources) -> String {
    render(std::slice::from_ref(said), sources, Format::Short, Style::default())
}

/// Which of the stacks have errors.
pub fn checked(broken: &[&str], all: usize, parsed: usize, console: &Console) {
    let pages = if parsed == 1 { "1 page read".to_owned() } else { format!("{parsed} pages read") };
    let said = match (broken, all) {
        ([], 1) => paint(style::GOOD, "checked, no errors"),
        ([], _) => paint(style::GOOD, format!("checked {all} times, with each variant: no errors")),
        (broken, _) => paint(style::BAD, format!("errors: {}", some(broken.iter()))),
    };
    console.line(format!("{said}{}", paint(style::FAINT, format!("  {pages}"))));
}

/// Nothing is tested while there are errors.
pub fn waiting(console: &Console) {
    console.line("the tests wait until that is mended");
}

/// What came of the tests.
pub struct Tested {
    /// How many passed, those that kept their result among them.
    pub passed: usize,
    pub failed: usize,
    /// How many kept their result.
    pub kept: usize,
    /// The names of those that failed beside the first.
    pub others: Vec<String>,
    /// Whether something was saved before all had run.
    pub broken_off: bool,
}

/// How many passed and failed, and which others failed beside the one that was told.
pub fn tested(tested: &Tested, console: &Console) {
    let Tested { passed, failed, kept, others, broken_off } = tested;
    if !others.is_empty() {
        console.line("");
        console.line(format!("{} {}", paint(style::BAD, "failed, too:"), harmless(&some(others.iter()))));
    }
    let how = if *failed > 0 { style::BAD } else { style::GOOD };
    let said = paint(how, format!("{passed} passed, {failed} failed"));
    let kept = if *kept > 0 { format!(" ({kept} as before, not run again)") } else { String::new() };
    let so_far = if *broken_off { " so far: something was saved" } else { "" };
    console.line(format!("{said}{kept}{so_far}"));
}

/// Names, of many the first.
fn some<T: AsRef<str>>(names: impl ExactSizeIterator<Item = T>) -> String {
    let count = names.len();
    let mut told: Vec<String> = names.take(NAMED).map(|name| name.as_ref().to_owned()).collect();
    if count > NAMED {
        told.push(format!("{} more", count - NAMED));
    }
    told.join(", ")
}
