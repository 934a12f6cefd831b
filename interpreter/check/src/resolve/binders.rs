//! Where the variables of all steps are bound: for a name that is known in another step than where it is asked for.

use std::collections::BTreeMap;

use blazon_diagnostics::Span;
use blazon_syntax::ast;
use blazon_syntax::ast::visit::Visit;

use crate::hygiene::{Binders, plain};
use crate::merge::Merged;

/// Where variables of a name are bound: in which step, and the place.
pub(crate) type Bound = BTreeMap<String, Vec<(String, Span)>>;

/// Where variables are bound in the steps of a book.
pub(crate) fn bound(merged: &Merged) -> Bound {
    let mut found = Bound::new();
    for step in &merged.steps {
        let of = of_step(&step.step.name.text);
        let mut bind = |name: &ast::Name| {
            let owners = found.entry(plain(&name.text).to_owned()).or_default();
            if owners.last().is_none_or(|(owner, _)| *owner != of) {
                owners.push((of.clone(), name.span));
            }
        };
        step.step.params.iter().for_each(|param| bind(&param.name));
        Binders(bind).visit_block(&step.step.body);
    }
    found
}

/// What a step is called that binds a variable.
pub(crate) fn of_step(name: &str) -> String {
    format!("the step `{name}`")
}
