//! Changes of clauses, needs and laws, which have labels: the same for rules, options and steps.

use std::collections::BTreeSet;

use blazon_diagnostics::Span;
use blazon_syntax::ast::{Clause, ClauseKind, Expr, Name, PartKind};

use super::address::Outcome;
use super::{by_rank, conditions};
use crate::merge::edits::ClauseEdit;
use crate::merge::order::{Order, Standing};
use crate::merge::pieces::{not, restrict};
use crate::project::Layer;

/// The clauses of a rule, option or step while changes are worked in. A label means every clause that has it, in
/// whichever body it stands. What is put or taken out under a condition is an exception: it is kept apart until all are
/// known, for then it is clear which of them outranks which.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    /// Who wrote each body, and when that stands: always, if absent.
    bodies: Vec<(Layer, Option<Expr>)>,
    held: Vec<Held>,
    exceptions: Vec<Exception>,
}

/// A clause that is printed in a body, or hung on all of them.
#[derive(Clone, Debug)]
struct Held {
    clause: Clause,
    /// The body in which it is printed.
    body: Option<usize>,
    /// The condition of the change that hung it there.
    under: Option<Expr>,
    /// Where the bodies stand that it belongs to.
    standing: Vec<Expr>,
}

/// What is put in the place of a clause under a condition; nothing, if it is taken out.
#[derive(Clone, Debug)]
struct Exception {
    label: Name,
    clause: Option<Clause>,
    under: Expr,
    layer: Layer,
    span: Span,
}

/// Who makes a change, and when it holds.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub layer: Layer,
    pub under: Option<&'a Expr>,
    pub span: Span,
    pub order: &'a Order,
}

impl Clauses {
    /// The needs of an option, which has one body.
    pub fn of(clauses: &[Clause]) -> Self {
        let held =
            |clause: &Clause| Held { clause: clause.clone(), body: None, under: None, standing: Vec::new() };
        Self { held: clauses.iter().map(held).collect(), ..Self::default() }
    }

    /// Adds a body, and what is printed in it: all of that holds only where the body stands.
    pub fn body(
        &mut self,
        layer: Layer,
        under: Option<&Expr>,
        standing: &[Expr],
        clauses: impl IntoIterator<Item = Clause>,
    ) {
        let body = Some(self.bodies.len());
        self.bodies.push((layer, under.cloned()));
        let standing = standing.to_vec();
        let held = |clause| Held { clause, body, under: None, standing: standing.clone() };
        self.held.extend(clauses.into_iter().map(held));
    }

    /// Applies a change. `free` are the bodies on which it does not hang, by their conditions. `found` is told the place
    /// of a label that the change names, `met` what nothing ranks.
    pub fn apply(
        &mut self,
        edit: &ClauseEdit,
        change: Change<'_>,
        free: &[&Expr],
        found: &mut dyn FnMut(&Name, Span),
        met: &mut BTreeSet<(Span, Span)>,
    ) -> Outcome {
        match edit {
            ClauseEdit::Add(clause) => self.add(clause, change, free),
            ClauseEdit::Put(clause) => match &clause.label {
                Some(label) => self.change(label, Some(clause), change, free, found, met),
                None => Outcome::Homeless,
            },
            ClauseEdit::Drop(label) => self.change(label, None, change, free, found, met),
        }
    }

    fn add(&mut self, clause: &Clause, change: Change<'_>, free: &[&Expr]) -> Outcome {
        let mut standing: Vec<Expr> = free.iter().map(|condition| not(condition)).collect();
        for old in self.held.iter().filter(|old| clause.label.as_ref().is_some_and(|label| old.is(label))) {
            match old.body.map(|body| &self.bodies[body]) {
                // Who wrote that body had this in sight: there his own stands.
                Some((layer, Some(condition)))
                    if change.order.of(change.layer, *layer) == Standing::Below =>
                {
                    standing.push(not(condition));
                }
                Some(_) | None => return Outcome::Exists(old.clause.span),
            }
        }
        let (clause, under) = (clause.clone(), change.under.cloned());
        self.held.push(Held { clause, body: None, under, standing });
        Outcome::Done
    }

    /// Puts a clause in the place of those of its label, or takes those out. Under a condition they hold on where it does
    /// not.
    fn change(
        &mut self,
        label: &Name,
        clause: Option<&Clause>,
        change: Change<'_>,
        free: &[&Expr],
        found: &mut dyn FnMut(&Name, Span),
        met: &mut BTreeSet<(Span, Span)>,
    ) -> Outcome {
        let Change { layer, under, span, order } = change;
        let named = |held: &Held| held.is(label);
        if !self.held.iter().any(named) {
            let labels = self.held.iter().filter_map(|held| Some(held.clause.label.as_ref()?.text.clone()));
            return Outcome::Missing { name: label.clone(), kind: PartKind::Rule, known: labels.collect() };
        }
        // What it did within the old body went with that.
        let gone = |held: &Held| {
            let by = held.body.map(|body| self.bodies[body].0);
            under.is_none() && by.is_some_and(|by| order.of(layer, by) == Standing::Below)
        };
        let meant: Vec<bool> = self.held.iter().map(|held| named(held) && !gone(held)).collect();
        for (held, _) in self.held.iter().zip(&meant).filter(|(_, meant)| **meant) {
            found(label, held.clause.label.as_ref().map_or(held.clause.span, |label| label.span));
        }
        if let Some(under) = conditions::outside(under, free.iter().copied()).filter(|_| under.is_some()) {
            let new = Exception { label: label.clone(), clause: clause.cloned(), under, layer, span };
            let old = self.exceptions.iter().filter(|old| old.label.text == label.text);
            // The first is told, however many there are.
            let first = old.into_iter().find(|old| old.meets(&new, order));
            met.extend(first.map(|first| (first.span, span)));
            self.exceptions.push(new);
            return Outcome::Done;
        }
        let has = |body| self.held.iter().zip(&meant).any(|(held, meant)| *meant && held.body == Some(body));
        let everywhere = (0..self.bodies.len()).all(has);
        let mut meant = meant.into_iter();
        let mut is_put = false;
        self.held.retain_mut(|held| {
            if !meant.next().unwrap_or(false) {
                return true;
            }
            let Some(clause) = clause else { return false };
            // Of what stands in every body one is enough.
            let again = everywhere && std::mem::replace(&mut is_put, true);
            let standing = if everywhere { Vec::new() } else { std::mem::take(&mut held.standing) };
            let body = if everywhere { None } else { held.body };
            // What was hung there under a condition, as an event's, stays under it.
            *held = Held { clause: clause.clone(), body, under: held.under.take(), standing };
            !again
        });
        Outcome::Done
    }

    /// All clauses as they hold: each has a label of its own, and what outranks one of a label outranks all of it.
    pub fn woven(&self, order: &Order) -> Vec<Clause> {
        let mut all: Vec<(Clause, Option<usize>)> = Vec::new();
        for held in &self.held {
            let mut clause = held.clause.clone();
            held.under.iter().chain(&held.standing).for_each(|condition| restrict(&mut clause, condition));
            let mut conditions: Vec<&Expr> = Vec::new();
            for Exception { under, .. } in self.exceptions.iter().filter(|one| held.is(&one.label)) {
                if !conditions.iter().any(|condition| condition.same_as(under)) {
                    restrict(&mut clause, &not(under));
                    conditions.push(under);
                }
            }
            all.push((clause, held.body));
        }
        let mut ranked: Vec<&Exception> = self.exceptions.iter().collect();
        by_rank(&mut ranked, order, |one| one.layer, |one| Some(&one.under));
        for (place, exception) in ranked.iter().enumerate() {
            let Some(clause) = &exception.clause else { continue };
            let above = || ranked[..place].iter().filter(|other| other.label.text == exception.label.text);
            if above().any(|other| other.under.same_as(&exception.under)) {
                // It never stands.
                continue;
            }
            let mut conditions: Vec<&Expr> = above().map(|other| &other.under).collect();
            conditions.push(&exception.under);
            let mut clause = clause.clone();
            restrict(&mut clause, &conditions::stands(&conditions, conditions.len() - 1));
            // Needs are asked in order: it stands where that stands in whose place it is put.
            let has_label = |(old, _): &(Clause, Option<usize>)| {
                old.label.as_ref().is_some_and(|label| label.text == exception.label.text)
            };
            let behind = all.iter().rposition(has_label).map_or(all.len(), |last| last + 1);
            all.insert(behind, (clause, None));
        }
        told_apart(all)
    }
}

impl Held {
    fn is(&self, label: &Name) -> bool {
        self.clause.label.as_ref().is_some_and(|own| own.text == label.text)
    }
}

impl Exception {
    /// Whether nothing says which of two outranks the other, and it matters.
    fn meets(&self, other: &Self, order: &Order) -> bool {
        let agree = self.clause.is_none() && other.clause.is_none();
        let ordered = matches!(order.of(self.layer, other.layer), Standing::Above | Standing::Below);
        !agree && !ordered && !conditions::exclude_each_other(&self.under, &other.under)
    }
}

/// Gives each clause a label of its own. What outranks a label outranks all clauses that had it, but for those of a body
/// that never stands where it does.
fn told_apart(mut all: Vec<(Clause, Option<usize>)>) -> Vec<Clause> {
    let mut taken = BTreeSet::new();
    let mut labels: Vec<(String, String, Option<usize>)> = Vec::new();
    for (clause, body) in &mut all {
        let Some(label) = &mut clause.label else { continue };
        let written = label.text.clone();
        if taken.contains(&label.text) {
            label.text.push_str(" (changed)");
        }
        while !taken.insert(label.text.clone()) {
            label.text.push('\'');
        }
        labels.push((written, label.text.clone(), *body));
    }
    for (clause, body) in &mut all {
        let ClauseKind::Except { beats, .. } = &mut clause.kind else { continue };
        *beats = std::mem::take(beats)
            .into_iter()
            .flat_map(|beaten| {
                let is_meant = |written: &str, of: Option<usize>| {
                    written == beaten.text && (body.is_none() || of.is_none() || *body == of)
                };
                let meant = labels.iter().filter(|(written, _, of)| is_meant(written, *of));
                let all: Vec<Name> =
                    meant.map(|(_, text, _)| Name { text: text.clone(), span: beaten.span }).collect();
                if all.is_empty() { vec![beaten] } else { all }
            })
            .collect();
    }
    all.into_iter().map(|(clause, _)| clause).collect()
}

/// The label that a change names, if any.
pub(super) fn label(edit: &ClauseEdit) -> Option<&Name> {
    match edit {
        ClauseEdit::Add(clause) | ClauseEdit::Put(clause) => clause.label.as_ref(),
        ClauseEdit::Drop(label) => Some(label),
    }
}

/// Layer by layer what is added, put and dropped for good, then what is put and dropped under conditions.
pub(super) fn rank(edit: &ClauseEdit, layer: Layer, is_conditional: bool) -> (bool, Layer, i32) {
    let class = match edit {
        ClauseEdit::Add(_) => 0,
        ClauseEdit::Put(_) => 1,
        ClauseEdit::Drop(_) => 2,
    };
    (class > 0 && is_conditional, layer, class)
}
