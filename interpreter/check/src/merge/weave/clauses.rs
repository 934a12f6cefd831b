//! Changes of clauses, needs and laws, which have labels: the same for rules, options and steps.

use blazon_diagnostics::Span;
use blazon_syntax::ast::{Clause, Expr, Name, PartKind};

use super::address::Outcome;
use crate::merge::edits::ClauseEdit;
use crate::merge::pieces::{label_in, not, restrict};

/// Applies a change to clauses. What is put or dropped under a condition holds on where the condition doesn't.
/// `found` is told the place of a label that the change names.
pub(super) fn apply(
    clauses: &mut Vec<Clause>,
    edit: &ClauseEdit,
    under: Option<&Expr>,
    found: &mut dyn FnMut(&Name, Span),
) -> Outcome {
    match edit {
        ClauseEdit::Add(clause) => {
            if let Some(old) = label_in(clauses, clause) {
                return Outcome::Exists(old);
            }
            clauses.push(under_condition(clause, under));
        }
        ClauseEdit::Put(clause) => {
            let Some(label) = &clause.label else { return Outcome::Homeless };
            let Some(place) = labelled(clauses, label) else { return missing(clauses, label) };
            found(label, label_span(&clauses[place]));
            match under {
                None => clauses[place] = clause.clone(),
                Some(condition) => {
                    restrict(&mut clauses[place], &not(condition));
                    let mut clause = under_condition(clause, under);
                    clause.label = Some(changed(label, clauses));
                    clauses.push(clause);
                }
            }
        }
        ClauseEdit::Drop(label) => {
            let Some(place) = labelled(clauses, label) else { return missing(clauses, label) };
            found(label, label_span(&clauses[place]));
            match under {
                None => {
                    clauses.remove(place);
                }
                Some(condition) => restrict(&mut clauses[place], &not(condition)),
            }
        }
    }
    Outcome::Done
}

/// The label that a change names, if any.
pub(super) fn label(edit: &ClauseEdit) -> Option<&Name> {
    match edit {
        ClauseEdit::Add(clause) | ClauseEdit::Put(clause) => clause.label.as_ref(),
        ClauseEdit::Drop(label) => Some(label),
    }
}

/// A clause that holds only under a condition.
pub(super) fn under_condition(clause: &Clause, under: Option<&Expr>) -> Clause {
    let mut clause = clause.clone();
    if let Some(condition) = under {
        restrict(&mut clause, condition);
    }
    clause
}

fn labelled(clauses: &[Clause], label: &Name) -> Option<usize> {
    clauses.iter().position(|clause| clause.label.as_ref().is_some_and(|l| l.text == label.text))
}

fn label_span(clause: &Clause) -> Span {
    clause.label.as_ref().map_or(clause.span, |label| label.span)
}

fn missing(clauses: &[Clause], label: &Name) -> Outcome {
    let known = clauses.iter().filter_map(|clause| Some(clause.label.as_ref()?.text.clone())).collect();
    Outcome::Missing { name: label.clone(), kind: PartKind::Rule, known }
}

/// A label for what stands in another's place under a condition; its own, so that two of them can be told apart.
fn changed(label: &Name, clauses: &[Clause]) -> Name {
    let mut name = Name { text: format!("{} (changed)", label.text), span: label.span };
    while labelled(clauses, &name).is_some() {
        name.text.push('\'');
    }
    name
}
