//! Whether a choice always has an open option, as far as that can be seen: what its options need is taken as statements
//! joined by `and`, `or` and `not`, and whatever each of them says, one option must be open. So an option, and the one
//! that stands in its place under a condition, are together always open, and so are two of which one needs more than the
//! other leaves.

use std::collections::BTreeMap;

use blazon_book::walk::ExprKey;
use blazon_book::{ChoiceOption, Comparison, Expr, ExprKind, build};

use crate::infer::holes::is_hole;
use crate::resolve::checker::Checker;

/// So many statements are tried in all ways; more conditions than that in one choice nobody follows.
const MOST: usize = 10;

impl Checker<'_> {
    /// Whether, whatever holds, one of the options is open.
    pub(crate) fn always_open(&self, options: &[ChoiceOption]) -> bool {
        let never_empty = |option: &&ChoiceOption| {
            let mut binders = option.binders.iter();
            binders.all(|binder| binder.filter.is_none() && build::never_empty(&binder.source, &self.kinds))
        };
        let options: Vec<&ChoiceOption> = options.iter().filter(never_empty).collect();
        let mut said = BTreeMap::new();
        for need in options.iter().flat_map(|option| &option.needs) {
            statements(&need.condition, &mut said);
        }
        if said.len() > MOST {
            return options.iter().any(|option| option.needs.is_empty());
        }
        // A variable of an option has one value in each combination, so any one combination may stand for all. Where statements
        // cannot be so together, as a number that is both more and less, there is no such combination.
        let said: Vec<(ExprKey, (&Expr, bool))> = said.into_iter().collect();
        (0..1u32 << said.len()).all(|world| {
            let is_open =
                |option: &&ChoiceOption| option.needs.iter().all(|need| holds(&need.condition, &said, world));
            let is_so = |place: usize| {
                let (condition, says) = said[place].1;
                (condition, (world >> place & 1 == 1) == says)
            };
            options.iter().any(is_open) || !self.can_be(&(0..said.len()).map(is_so).collect::<Vec<_>>())
        })
    }
}

/// The statements that a condition is made of: where each is made first, and whether it is said or denied there.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others are statements")]
fn statements<'e>(condition: &'e Expr, said: &mut BTreeMap<ExprKey, (&'e Expr, bool)>) {
    match &condition.kind {
        ExprKind::Not(inner) => statements(inner, said),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().for_each(|part| statements(part, said)),
        _ if build::constant(condition).is_some() || is_hole(condition) => {}
        _ => {
            let (key, says) = statement(condition);
            said.entry(key).or_insert((condition, says));
        }
    }
}

/// A statement, and whether the condition says it, or denies it.
fn statement(condition: &Expr) -> (ExprKey, bool) {
    if let ExprKind::Compare(Comparison::NotEqual, a, b) = &condition.kind {
        let kind = ExprKind::Compare(Comparison::Equal, a.clone(), b.clone());
        return (ExprKey::of(&Expr { kind, ..condition.clone() }), false);
    }
    (ExprKey::of(condition), true)
}

/// Whether a condition holds where the statements hold whose bits are set.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others are statements")]
fn holds(condition: &Expr, said: &[(ExprKey, (&Expr, bool))], world: u32) -> bool {
    match &condition.kind {
        ExprKind::Not(inner) => !holds(inner, said, world),
        ExprKind::And(parts) => parts.iter().all(|part| holds(part, said, world)),
        ExprKind::Or(parts) => parts.iter().any(|part| holds(part, said, world)),
        // A need that is wrong may well hold.
        _ if is_hole(condition) => true,
        _ => match build::constant(condition) {
            Some(value) => value,
            None => {
                let (key, says) = statement(condition);
                let found = said.binary_search_by(|(other, _)| other.cmp(&key));
                found.is_ok_and(|place| (world >> place & 1 == 1) == says)
            }
        },
    }
}
