//! Which part of the change is to blame for where the two games of a pair part: found by trying, as for saved games
//! ([`blazon::change::Blame`]). Here the players play again, by rules with a part of the change: what makes them decide the
//! same other thing at the same place, and of which nothing can be left out, is to blame.

use std::collections::HashMap;
use std::sync::Arc;

use blazon::change::{Blame, Change, Hunk, Settled};
use blazon::{Program, Settings};
use blazon_book::Book;
use blazon_machine::Machine;

use super::pair::{Parting, Table, same};
use crate::game::Plan;

/// What is to blame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Cause {
    /// The lines that are shown first.
    #[serde(flatten)]
    pub first: Lines,
    /// Those that are needed beside them, in their order.
    pub others: Vec<Lines>,
    /// Whether none of them can be left out; else it was not tried any further, since it takes too long.
    pub is_least: bool,
}

/// Lines of a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Lines {
    /// Their place, as messages name places; empty if nothing in the texts is to blame.
    pub place: String,
    /// The first line of the item around them; of a manifest the ruling that it settles.
    pub item: String,
}

impl Cause {
    /// Nothing in the texts makes them part: a ruling does, or what the change needs as a whole.
    pub const ELSE: Self = Self {
        first: Lines { place: String::new(), item: String::new() },
        others: Vec::new(),
        is_least: true,
    };

    /// All lines that are needed.
    pub fn lines(&self) -> impl Iterator<Item = &Lines> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl Lines {
    fn of(hunk: &Hunk) -> Self {
        Self { place: hunk.place(), item: hunk.item.trim().to_owned() }
    }
}

/// Finds causes; the rules that it tries are kept.
pub struct Causes<'c> {
    change: &'c Change,
    blame: Blame<'c>,
    plan: &'c Plan,
    /// The names of the setups that the plan has in turn.
    setups: Vec<String>,
    tables: HashMap<usize, Option<Table>>,
    /// Hunks that were to blame alone before, the latest last: they are tried first.
    known: Vec<usize>,
    /// What is to blame where the games part by rulings alone; nothing if no ruling was settled by who asks or a variant.
    ruled: Option<Cause>,
}

impl<'c> Causes<'c> {
    /// For pairs under a change, where games by the changed rules are played by a plan.
    pub fn new(change: &'c Change, settings: &Settings, changed: &Book, plan: &'c Plan) -> Self {
        let setups =
            plan.setups.iter().map(|&setup| changed.setups.get(setup).map(|setup| setup.name.clone()));
        Self {
            change,
            blame: Blame::new(change, settings),
            plan,
            setups: setups.map(Option::unwrap_or_default).collect(),
            tables: HashMap::new(),
            known: Vec::new(),
            ruled: ruled(change, settings),
        }
    }

    /// What is to blame for where a pair parts.
    pub fn of(&mut self, game: u64, parting: Parting) -> Cause {
        let suspects = if self.change.hunks().len() > 1 { self.known.clone() } else { Vec::new() };
        let (tables, plan, setups) = (&mut self.tables, self.plan, &self.setups);
        let mut parts = |program: &Arc<Program>| {
            let key = Arc::as_ptr(program) as usize;
            let table = tables.entry(key).or_insert_with(|| table(program, plan, setups));
            table.as_mut().is_some_and(|table| {
                let decided = table.decided(game, parting.after);
                decided.split_at_checked(parting.after).is_some_and(|(before, at)| {
                    at.first() == Some(&parting.decided[1]) && same(before) == parting.before
                })
            })
        };
        // Rulings are in force whatever lines are left out: by these alone no line could be found.
        if let Some(ruled) = &self.ruled
            && self.blame.comes_of_no_text(&mut parts)
        {
            return ruled.clone();
        }
        // Who was to blame for others most likely is again.
        let known = suspects.into_iter().rev().find(|&suspect| self.blame.alone(suspect, &mut parts));
        let Some(culprit) = self.blame.find(known, &mut parts) else { return Cause::ELSE };
        if culprit.others.is_empty()
            && let Some(place) = self.blame.place_of(culprit.first)
        {
            self.known.retain(|&known| known != place);
            self.known.push(place);
        }
        let others = culprit.others.iter().map(|hunk| Lines::of(hunk)).collect();
        Cause { first: Lines::of(culprit.first), others, is_least: culprit.is_least }
    }
}

/// What is to blame where the games part by rulings alone: the manifest that settles one, if it is the only one that is
/// settled and nobody asked for another.
fn ruled(change: &Change, settings: &Settings) -> Option<Cause> {
    match (&change.settled()[..], &settings.rulings[..]) {
        ([], []) => None,
        ([Settled { name, value, place }], []) => {
            let first = Lines { place: place.clone(), item: format!("ruling {name} = {value}") };
            Some(Cause { first, others: Vec::new(), is_least: true })
        }
        _ => Some(Cause::ELSE),
    }
}

/// What plays games by rules with a part of the change; nothing if they have not all the setups. Whatever has a number in a
/// book has another in these: the setups are found by name, and no step is counted.
fn table(program: &Arc<Program>, plan: &Plan, setups: &[String]) -> Option<Table> {
    let book = &program.book;
    let place = |name: &String| book.setups.iter().position(|setup| setup.name == *name);
    let setups: Option<Vec<usize>> = setups.iter().map(place).collect();
    let mut machine = Machine::new(program.clone()).ok()?;
    machine.record(false);
    Some(Table::new(machine, Plan { setups: setups?, rounds: Vec::new(), ..plan.clone() }))
}
