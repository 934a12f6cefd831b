//! The other readings of a game: each other value of each of its rulings, one at a time.

use std::collections::BTreeSet;

use blazon::{Compiled, Reading, Settings};
use blazon_book::Ruling;
use blazon_diagnostics::Diagnostic;
use rayon::prelude::*;

/// What came of them.
#[derive(Default)]
pub struct Others {
    /// How many were checked.
    pub count: usize,
    /// Those of which more is said than of the reading that was checked before, in the order of the rulings.
    pub wrong: Vec<Other>,
}

/// One of them.
pub struct Other {
    /// The ruling with its value, as `-R` takes it.
    pub name: String,
    /// What is said of it alone.
    pub said: Vec<Diagnostic>,
}

impl Others {
    /// Checks, for each ruling that is not chosen by the settings, its other values. The settings are those under which the
    /// rules were compiled; if they have errors under these, nothing more is looked for.
    pub fn of(reading: &Reading, compiled: &Compiled, settings: &Settings) -> Self {
        let Some(program) = &compiled.program else { return Self::default() };
        // Tests say themselves by which rulings they run.
        let untested = Settings { tests: Some(BTreeSet::new()), ..settings.clone() };
        let untested = Settings { unproved: reading.is_proved_of_all_readings(&untested), ..untested };
        let is_open = |ruling: &&Ruling| settings.rulings.iter().all(|(name, _)| *name != ruling.name);
        let rulings = program.book.rulings.iter().filter(is_open);
        let others: Vec<(&Ruling, &String)> = rulings
            .flat_map(|ruling| {
                let values = ruling.values.iter().enumerate();
                values.filter(|(place, _)| *place != ruling.chosen).map(move |(_, value)| (ruling, value))
            })
            .collect();
        if others.is_empty() {
            return Self::default();
        }
        let before = [compiled.diagnostics.clone(), reading.compile(&untested).diagnostics].concat();
        let is_news = |said: &Diagnostic| !before.iter().any(|other| is_same(said, other));
        let wrong = others.par_iter().filter_map(|(ruling, value)| {
            let mut settings = untested.clone();
            settings.rulings.push((ruling.name.clone(), (*value).clone()));
            let said = reading.compile(&settings).diagnostics.into_iter().filter(is_news);
            let told = |said: Diagnostic| Diagnostic {
                message: format!("{} (with `{}` = {value})", said.message, ruling.name),
                ..said.related(ruling.span, "the ruling")
            };
            let said: Vec<Diagnostic> = said.map(told).collect();
            (!said.is_empty()).then(|| Other { name: format!("{}={value}", ruling.name), said })
        });
        Self { count: others.len(), wrong: wrong.collect() }
    }
}

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    (one.code, one.span, &one.message) == (other.code, other.span, &other.message)
}
