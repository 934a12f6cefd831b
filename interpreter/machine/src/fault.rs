//! What can go wrong while a game is played, and the limits that stop it.

use std::fmt;

use blazon_diagnostics::Span;

/// The codes of faults: first those that are the rules' doing, then those that are the caller's or ours.
pub mod code {
    /// A number left its range, or a table was asked outside its headings.
    pub const RANGE: &str = "run::range";
    /// The limit of operations was reached.
    pub const ENDLESS: &str = "run::endless";
    /// The limit of depth was reached.
    pub const DEPTH: &str = "run::depth";
    /// The limit of memory was reached.
    pub const MEMORY: &str = "run::memory";
    /// A choice with nothing to choose and no `else`.
    pub const EMPTY_CHOICE: &str = "run::empty-choice";
    /// Somebody is asked who does not sit at the table.
    pub const SEAT: &str = "run::seat";
    /// Two exceptions of a rule hold with different values.
    pub const CLASH: &str = "run::clash";
    /// An invariant of the rules does not hold.
    pub const INVARIANT: &str = "run::invariant";
    /// The program or the position is not what it should be.
    pub const INTERNAL: &str = "run::internal";
    /// A position was restored that this program cannot go on from.
    pub const RESTORE: &str = "run::restore";
    /// Somebody answered who is not asked, or with an option that is not open.
    pub const ILLEGAL: &str = "run::illegal";
    /// A test's dice or cards do not fit the roll or draw.
    pub const SCRIPT: &str = "run::script";
}

/// So many of the innermost steps and rules under way are told in one line.
const INNERMOST: usize = 12;

/// So many of the outermost are told where there are too many.
const OUTERMOST: usize = 2;

/// A game could not go on; the position is what it was at the last decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// One of [`code`].
    pub code: &'static str,
    /// One sentence: what is wrong.
    pub message: String,
    /// The steps and rules under way, the innermost first.
    pub stack: Vec<BacktraceEntry>,
}

/// A step or rule that was under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BacktraceEntry {
    /// Its name.
    pub name: String,
    /// Where in it.
    pub span: Span,
    /// Its paragraphs.
    pub cites: Vec<String>,
}

impl Fault {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), stack: Vec::new() }
    }

    /// The steps and rules under way that are worth telling: so many of the innermost, how many lie between, and the
    /// outermost. Who goes too deep has thousands, nearly all alike.
    pub fn told(&self, most: usize) -> (&[BacktraceEntry], usize, &[BacktraceEntry]) {
        match self.stack.len().checked_sub(most + OUTERMOST) {
            None | Some(0) => (&self.stack, 0, &[]),
            Some(between) => (&self.stack[..most], between, &self.stack[most + between..]),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        let mut before = " (in ";
        let (inner, between, outer) = self.told(INNERMOST);
        for (place, frame) in inner.iter().chain(outer).enumerate() {
            if place == inner.len() {
                write!(f, ", in {between} more")?;
            }
            write!(f, "{before}{}", frame.name)?;
            for cite in &frame.cites {
                write!(f, " @{cite}")?;
            }
            before = ", in ";
        }
        if self.stack.is_empty() { Ok(()) } else { write!(f, ")") }
    }
}

impl std::error::Error for Fault {}

/// What a game may use before it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations from one decision to the next, counted by stretches (about one a loop turn, more a call).
    pub ops: u64,
    /// Words of memory: the position and what stands above it.
    pub words: usize,
    /// Steps and rules under way at once.
    pub depth: usize,
    /// Words of what is told from one decision to the next: what is said, rolled, drawn and chosen. They count whether
    /// somebody keeps them or not, so that a game ends in the same way whoever looks on.
    pub told: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { ops: 50_000_000, words: 1 << 16, depth: 4096, told: 1 << 23 }
    }
}

/// A fault on its way out of the loop: small, so that results stay in registers.
#[derive(Debug)]
pub(crate) struct Trap(Box<(&'static str, String)>);

impl Trap {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new((code, message.into())))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(code::INTERNAL, message)
    }

    pub(crate) fn into_parts(self) -> (&'static str, String) {
        *self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_the_innermost_and_the_outermost_are_told() {
        let frame = |name: String| BacktraceEntry { name, span: Span::default(), cites: Vec::new() };
        let mut fault = Fault::new(code::DEPTH, "too deep");
        fault.stack.extend((1..=14).map(|step| frame(step.to_string())));
        assert_eq!(fault.told(INNERMOST).1, 0);
        assert!(fault.to_string().ends_with(", in 12, in 13, in 14)"), "{fault}");
        fault.stack.extend((15..=4096).map(|step| frame(step.to_string())));
        assert!(fault.to_string().ends_with(", in 12, in 4082 more, in 4095, in 4096)"), "{fault}");
        let (inner, between, outer) = fault.told(3);
        assert_eq!((inner.len(), between, outer.len()), (3, 4091, 2));
    }
}
