//! Whether a choice always has an open option, as far as that can be seen: what its options need is taken as statements
//! joined by `and`, `or` and `not`, and whatever each of them says, one option must be open. So an option, and the one
//! that stands in its place under a condition, are together always open.

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
        let mut said = Vec::new();
        for need in options.iter().flat_map(|option| &option.needs) {
            statements(&need.condition, &mut said);
        }
        said.sort();
        said.dedup();
        if said.len() > MOST {
            return options.iter().any(|option| option.needs.is_empty());
        }
        // A variable of an option has one value in each combination, so any one combination may stand for all.
        (0..1u32 << said.len()).all(|world| {
            let is_open =
                |option: &&ChoiceOption| option.needs.iter().all(|need| holds(&need.condition, &said, world));
            options.iter().any(is_open)
        })
    }
}

/// The statements that a condition is made of.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others are statements")]
fn statements(condition: &Expr, said: &mut Vec<ExprKey>) {
    match &condition.kind {
        ExprKind::Not(inner) => statements(inner, said),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().for_each(|part| statements(part, said)),
        _ if build::constant(condition).is_some() || is_hole(condition) => {}
        _ => said.push(statement(condition).0),
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
fn holds(condition: &Expr, said: &[ExprKey], world: u32) -> bool {
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
                said.binary_search(&key).is_ok_and(|place| (world >> place & 1 == 1) == says)
            }
        },
    }
}
