//! What came of many mutants: counts by page and by operator, and the survivors with their lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Operator;
use super::trial::Fate;

/// A mutant and what became of it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The page.
    pub page: String,
    /// The line, from 1.
    pub line: usize,
    /// What was done.
    pub operator: Operator,
    /// The lines as they are.
    pub was: String,
    /// The lines as they become.
    pub becomes: String,
    /// What became of it.
    pub fate: Fate,
}

#[derive(Default)]
struct Count {
    refused: usize,
    warned: usize,
    killed: usize,
    survived: usize,
}

impl Count {
    fn add(&mut self, fate: &Fate) {
        match fate {
            Fate::Refused => self.refused += 1,
            Fate::Warned => self.warned += 1,
            Fate::Killed(_) => self.killed += 1,
            Fate::Survived => self.survived += 1,
            Fate::Unreadable => {}
        }
    }

    fn row(&self, name: &str) -> String {
        let Self { refused, warned, killed, survived } = *self;
        let all = refused + warned + killed + survived;
        let share = 100.0 * (all - survived) as f64 / all.max(1) as f64;
        format!("{name:<40} {all:>7} {refused:>8} {warned:>7} {killed:>7} {survived:>9} {share:>7.1} %\n")
    }
}

/// The whole report.
pub fn text(trials: &[Trial]) -> String {
    let mut pages: BTreeMap<&str, Count> = BTreeMap::new();
    let mut operators: BTreeMap<Operator, Count> = BTreeMap::new();
    let mut all = Count::default();
    for trial in trials {
        pages.entry(&trial.page).or_default().add(&trial.fate);
        operators.entry(trial.operator).or_default().add(&trial.fate);
        all.add(&trial.fate);
    }
    let head = |what| format!("{what:<40} mutants  refused  warned  killed  survived    fallen\n");
    let mut out = String::new();
    for trial in trials.iter().filter(|trial| trial.fate == Fate::Survived) {
        let Trial { page, line, operator, was, becomes, fate: _ } = trial;
        let _ = writeln!(out, "{page}:{line}: {}\n- {was}\n+ {becomes}\n", operator.word());
    }
    out += &head("page");
    pages.iter().for_each(|(page, count)| out += &count.row(page));
    out += "\n";
    out += &head("operator");
    operators.iter().for_each(|(operator, count)| out += &count.row(operator.word()));
    out += &all.row("together");
    out
}
