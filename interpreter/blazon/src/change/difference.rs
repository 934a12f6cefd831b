//! What is otherwise at the same decision under other rules.

use serde::Serialize;

use super::standpoint::Standpoint;
use crate::told::{Change, Refusal};

/// What is otherwise between two positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// What was asked and what is asked, where that is not the same.
    pub asked: Option<(String, String)>,
    /// Options that are open now.
    pub came: Vec<Came>,
    /// Options that are open no longer.
    pub went: Vec<Went>,
    /// Values of rules that are others.
    pub values: Vec<OtherValue>,
    /// States that are others.
    pub moved: Vec<Change>,
    /// How many values of rules were too many to be looked at.
    pub unread: usize,
}

/// An option that is open now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Came {
    /// Whose.
    pub player: String,
    /// Its line.
    pub label: String,
    /// What refused it before, if that could be asked about.
    pub before: Option<Refusal>,
}

/// An option that is open no longer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Went {
    /// Whose.
    pub player: String,
    /// Its line, as it was.
    pub label: String,
    /// What refuses it now, if that can be asked about.
    pub now: Option<Refusal>,
}

/// A rule whose answer is another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherValue {
    /// The rule.
    pub rule: String,
    /// The thing that it is asked about; empty if it is asked about none.
    pub thing: String,
    /// What it gave.
    pub from: String,
    /// What it gives.
    pub to: String,
    /// File and line of the rule.
    pub place: String,
}

impl Difference {
    pub(super) fn between(before: &Standpoint, after: &Standpoint) -> Self {
        let asked = (before.asked != after.asked).then(|| (before.asked.clone(), after.asked.clone()));
        let moved = match (&before.view, &after.view) {
            (Some(was), Some(is)) => was.changes(is),
            _ => Vec::new(),
        };
        Self {
            asked,
            came: came(before, after),
            went: went(before, after),
            values: values(before, after),
            moved,
            unread: after.unread,
        }
    }

    /// Whether everything is as it was.
    pub fn is_empty(&self) -> bool {
        *self == Self { unread: self.unread, ..Self::default() }
    }
}

fn came(before: &Standpoint, after: &Standpoint) -> Vec<Came> {
    let new = after.open.iter().filter(|(choice, _)| !before.open.contains_key(*choice));
    new.map(|(choice, label)| Came {
        player: choice.player.clone(),
        label: label.clone(),
        before: before.refused.get(choice).cloned(),
    })
    .collect()
}

fn went(before: &Standpoint, after: &Standpoint) -> Vec<Went> {
    let gone = before.open.iter().filter(|(choice, _)| !after.open.contains_key(*choice));
    gone.map(|(choice, label)| Went {
        player: choice.player.clone(),
        label: label.clone(),
        now: after.refused.get(choice).cloned(),
    })
    .collect()
}

/// Only rules that both have are held against each other: what a rule that is new gives says nothing of the change.
fn values(before: &Standpoint, after: &Standpoint) -> Vec<OtherValue> {
    let other = after.values.iter().filter_map(|(asked, now)| {
        let was = before.values.get(asked)?;
        (was.value != now.value).then(|| OtherValue {
            rule: asked.rule.clone(),
            thing: asked.thing.clone(),
            from: was.value.clone(),
            to: now.value.clone(),
            place: now.place.clone(),
        })
    });
    other.collect()
}
