//! Where the variables of all steps are bound: for a name that is known in another step than where it is asked for.

use std::collections::BTreeMap;

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::{Visit, walk_choose, walk_option, walk_statement};
use blazon_syntax::ast::{self, Chooser, StatementKind};

use crate::hygiene::plain;
use crate::merge::Merged;

/// Where variables of a name are bound: in which step, and the place.
pub(crate) type Bound = BTreeMap<String, Vec<(String, Span)>>;

/// Where variables are bound in the steps of a book.
pub(crate) fn bound(merged: &Merged) -> Bound {
    let mut binders = Binders { owner: String::new(), found: Bound::new() };
    for step in &merged.steps {
        binders.owner = of_step(&step.step.name.text);
        step.step.params.iter().for_each(|param| binders.bind(&param.name));
        binders.visit_block(&step.step.body);
    }
    binders.found
}

/// What a step is called that binds a variable.
pub(crate) fn of_step(name: &str) -> String {
    format!("the step `{name}`")
}

struct Binders {
    owner: String,
    found: Bound,
}

impl Binders {
    fn bind(&mut self, name: &ast::Name) {
        let owners = self.found.entry(plain(&name.text).to_owned()).or_default();
        if owners.last().is_none_or(|(owner, _)| *owner != self.owner) {
            owners.push((self.owner.clone(), name.span));
        }
    }
}

impl<'t> Visit<'t> for Binders {
    fn visit_statement(&mut self, statement: &'t ast::Statement) {
        if let StatementKind::Let(name, _)
        | StatementKind::For { name, .. }
        | StatementKind::With { name, .. } = &statement.kind
        {
            self.bind(name);
        }
        walk_statement(self, statement);
    }
    fn visit_choose(&mut self, choose: &'t ast::Choose) {
        if let Chooser::Each { name, .. } = &choose.by {
            self.bind(name);
        }
        walk_choose(self, choose);
    }
    fn visit_option(&mut self, option: &'t ast::ChoiceOption) {
        option.binders.iter().for_each(|binder| self.bind(&binder.name));
        walk_option(self, option);
    }
    fn visit_expr(&mut self, _: &'t ast::Expr) {}
}
