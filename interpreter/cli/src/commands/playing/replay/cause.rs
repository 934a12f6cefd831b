//! What is to blame for where a game parts: lines of the rules, a ruling, or nothing of what was changed.

use std::sync::Arc;

use blazon::Game;
use blazon::change::{Blame, Hunk};
use blazon_machine::save::{Divergence, Replayed, Save};
use blazon_program::Program;
use serde::Serialize;

use super::ending::Ending;
use super::sides::{OtherRuling, Pair};

/// What is to blame; games that part by the same are told together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Cause {
    /// Lines of the rules.
    Lines {
        /// Those to be shown first.
        first: Lines,
        /// Those without which it would not part there.
        others: Vec<Lines>,
        /// Whether none of them can be left out.
        least: bool,
    },
    /// Rulings with other values.
    Rulings {
        /// Each as `name = value`, and the value that it had.
        rulings: Vec<(String, String)>,
    },
    /// By the rules without the change it parts there, too.
    Without,
    /// Nothing was changed but the text of the rules since the game was saved.
    Since {
        /// How they differ, in words; empty if the text is the same.
        difference: String,
    },
    /// Neither lines nor rulings by themselves make it part there.
    Unknown,
}

/// Lines that became others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Lines {
    /// File and line.
    pub place: String,
    /// The first line of the item around them.
    pub item: String,
    /// What went and what came, as a diff.
    pub diff: String,
}

impl Lines {
    fn of(hunk: &Hunk) -> Self {
        Self { place: hunk.place(), item: hunk.item.clone(), diff: hunk.diff() }
    }
}

/// In what a game is another one by the rules after the change.
#[derive(Clone, Copy)]
pub enum Otherwise<'g> {
    /// It parts there.
    Parts(&'g Divergence),
    /// All choices can be made, and it ends so.
    Ends(&'g Ending),
}

impl Otherwise<'_> {
    /// Whether a game is another one in that by other rules.
    fn comes_by(self, program: &Arc<Program>, save: &Save) -> bool {
        match self {
            Self::Ends(ending) => Ending::by(program, save).as_ref() == Some(ending),
            Self::Parts(parting) => match Game::new(program.clone()).and_then(|mut game| game.replay(save)) {
                Ok(Replayed::Until(other)) => (other.step, &other.entry) == (parting.step, &parting.entry),
                Ok(Replayed::Whole) | Err(_) => false,
            },
        }
    }
}

/// Finds what is to blame by trying.
pub fn cause(pair: &Pair, blame: &mut Blame<'_>, save: &Save, otherwise: Otherwise<'_>) -> Cause {
    if pair.change.is_empty() && pair.rulings.is_empty() {
        let difference = save.rules.difference(&pair.after.book).unwrap_or_default();
        return Cause::Since { difference };
    }
    if pair.before.as_ref().is_some_and(|before| otherwise.comes_by(before, save)) {
        return Cause::Without;
    }
    if let Some(rulings) = by_rulings(pair, save, otherwise) {
        return Cause::Rulings { rulings };
    }
    let culprit = match otherwise {
        Otherwise::Parts(parting) => blame.of(save, parting),
        Otherwise::Ends(_) => blame.find(None, &mut |program| otherwise.comes_by(program, save)),
    };
    match culprit {
        Some(culprit) => Cause::Lines {
            first: Lines::of(culprit.first),
            others: culprit.others.iter().map(|hunk| Lines::of(hunk)).collect(),
            least: culprit.is_least,
        },
        None => Cause::Unknown,
    }
}

/// The rulings by which it parts: it would not if they had the values that they had. One alone, if there is one.
fn by_rulings(pair: &Pair, save: &Save, otherwise: Otherwise<'_>) -> Option<Vec<(String, String)>> {
    let all: Vec<&OtherRuling> = pair.rulings.iter().collect();
    let comes_without = |rulings: &[&OtherRuling]| {
        pair.with_old_rulings(rulings).is_some_and(|program| otherwise.comes_by(&program, save))
    };
    if all.is_empty() || comes_without(&all) {
        return None;
    }
    let alone = all.iter().find(|&&one| {
        let others: Vec<&OtherRuling> = all.iter().filter(|&&other| other != one).copied().collect();
        comes_without(&others)
    });
    let to_blame = alone.map_or(all.clone(), |&one| vec![one]);
    Some(to_blame.into_iter().map(|r| (format!("{} = {}", r.name, r.is), r.was.clone())).collect())
}
