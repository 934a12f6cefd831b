//! A fault as a diagnostic.

use blazon_diagnostics::Diagnostic;
use blazon_machine::{BacktraceEntry, Fault, code};

use super::cited;

/// The most frames around the innermost one that are told.
const MOST: usize = 6;

/// A fault as a diagnostic: the innermost frame is the place, the others lead to it.
pub fn fault_diagnostic(fault: &Fault) -> Diagnostic {
    let told = |frame: &BacktraceEntry| format!("in `{}`{}", frame.name, cited(&frame.cites));
    let (inner, between, outer) = fault.told(MOST + 1);
    let mut frames = inner.iter();
    let mut diagnostic = match frames.next() {
        Some(frame) => Diagnostic::error(fault.code, frame.span, &fault.message).label(told(frame)),
        None => Diagnostic::global(fault.code, &fault.message),
    };
    if fault.code == code::CLASH {
        diagnostic =
            diagnostic.help("say which of them outranks the other, `except … beats …: …`, or let their conditions exclude each other");
    }
    for frame in frames {
        diagnostic = diagnostic.related(frame.span, told(frame));
    }
    for (place, frame) in outer.iter().enumerate() {
        let more = if place == 0 { format!(", with {between} more between") } else { String::new() };
        diagnostic = diagnostic.related(frame.span, format!("{}{more}", told(frame)));
    }
    diagnostic
}
