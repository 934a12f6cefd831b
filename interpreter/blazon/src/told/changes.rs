//! What differs between two positions as the same viewer sees them.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::view::{KindView, Value, View};

/// A difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Change {
    /// A state of a thing whose face the viewer saw and sees.
    Thing {
        /// Its kind.
        kind: String,
        /// Its name.
        name: String,
        /// Which state.
        state: String,
        /// What it held.
        from: Value,
        /// What it holds.
        to: Value,
    },
    /// A state without keys or with several.
    State {
        /// Its name.
        state: String,
        /// The things of which.
        keys: Vec<String>,
        /// What it held.
        from: Value,
        /// What it holds.
        to: Value,
    },
    /// A face is seen that was not.
    Shown {
        /// Its kind.
        kind: String,
        /// Its name.
        name: String,
        /// Its states.
        states: BTreeMap<String, Value>,
    },
    /// A face is seen no longer.
    Covered {
        /// Its kind.
        kind: String,
        /// Its name.
        name: String,
    },
    /// Backs are others than they were; which is which nobody knows.
    Backs {
        /// Their kind.
        kind: String,
        /// What stood on those that are gone.
        gone: Vec<BTreeMap<String, Value>>,
        /// What stands on those that are new.
        come: Vec<BTreeMap<String, Value>>,
    },
}

impl View {
    /// What is otherwise in a later view of the same viewer.
    pub fn changes(&self, after: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        let none = KindView { seen: Vec::new(), backs: Vec::new() };
        for (kind, now) in &after.kinds {
            of_kind(kind, self.kinds.get(kind).unwrap_or(&none), now, &mut changes);
        }
        // There may be very many of several keys, as of each thing and each place.
        let was: HashMap<_, _> =
            self.states.iter().map(|old| ((&old.state, &old.keys), &old.value)).collect();
        let is: HashSet<_> = after.states.iter().map(|state| (&state.state, &state.keys)).collect();
        for state in &after.states {
            let from = was.get(&(&state.state, &state.keys)).map_or(Value::Nothing, |value| (*value).clone());
            if from != state.value {
                let (state, keys, to) = (state.state.clone(), state.keys.clone(), state.value.clone());
                changes.push(Change::State { state, keys, from, to });
            }
        }
        for old in self.states.iter().filter(|old| !is.contains(&(&old.state, &old.keys))) {
            let (state, keys, from) = (old.state.clone(), old.keys.clone(), old.value.clone());
            changes.push(Change::State { state, keys, from, to: Value::Nothing });
        }
        changes
    }
}

fn of_kind(kind: &str, was: &KindView, now: &KindView, changes: &mut Vec<Change>) {
    // Look-alikes have one name: the first that was seen stands for the first that is.
    let mut old = was.seen.iter().collect::<Vec<_>>();
    for thing in &now.seen {
        let (kind, name) = (kind.to_owned(), thing.name.clone());
        let Some(place) = old.iter().position(|old| old.name == thing.name) else {
            changes.push(Change::Shown { kind, name, states: thing.states.clone() });
            continue;
        };
        let old = old.remove(place);
        for (state, to) in &thing.states {
            let from = old.states.get(state).unwrap_or(&Value::Nothing);
            if from != to {
                let (kind, name, state) = (kind.clone(), name.clone(), state.clone());
                changes.push(Change::Thing { kind, name, state, from: from.clone(), to: to.clone() });
            }
        }
    }
    let covered = old.iter().map(|old| Change::Covered { kind: kind.to_owned(), name: old.name.clone() });
    changes.extend(covered);
    let (gone, come) = (without(&was.backs, &now.backs), without(&now.backs, &was.backs));
    if !gone.is_empty() || !come.is_empty() {
        changes.push(Change::Backs { kind: kind.to_owned(), gone, come });
    }
}

/// What of the first is not in the second, each as often.
fn without(
    these: &[BTreeMap<String, Value>],
    those: &[BTreeMap<String, Value>],
) -> Vec<BTreeMap<String, Value>> {
    let mut those: Vec<_> = those.iter().collect();
    let mut is_left = |back: &&BTreeMap<String, Value>| match those.iter().position(|other| *other == *back) {
        Some(place) => {
            those.swap_remove(place);
            false
        }
        None => true,
    };
    these.iter().filter(|back| is_left(back)).cloned().collect()
}
