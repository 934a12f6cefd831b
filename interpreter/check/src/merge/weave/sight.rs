//! Sight: a name means what whoever wrote it had in sight. A body that a change puts brings variables of its own; what others
//! have hung on the old one knew nothing of them, and must not come to mean them in silence.
//!
//! A variable of the old body is known in the new one by its name, as parts are. So what is wrong is a name that means a
//! variable now and something else where its page is read without that of the variable: a rule, a state, a fact, a ruling; or
//! the other way round.
//! The parameters of a heading are known by their places, whatever they are called.

use std::collections::HashMap;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::visit::{Visit, walk_block, walk_expr, walk_statement, walk_text};
use blazon_syntax::ast::{
    ChoiceOption, Choose, Chooser, Clause, Expr, ExprKind, Name, Param, Query, Statement, StatementKind,
};

use super::Weaver;
use crate::hygiene::plain;
use crate::merge::Merged;
use crate::merge::merged::Gone;
use crate::merge::order::{Order, Standing};

impl Weaver<'_> {
    /// Looks at everything that was woven.
    pub(super) fn sight(&mut self) {
        let mut found = Vec::new();
        let merged = &*self.merged;
        for step in merged.steps.iter().filter(|step| step.is_amended) {
            let mut look = Look::new(self, &step.step.params);
            look.clauses(&step.step.laws);
            look.visit_block(&step.step.body);
            found.extend(look.found);
        }
        let faces = merged.kinds.iter().flat_map(|kind| kind.seen.iter().chain(&kind.back));
        for rule in merged.rules.iter().chain(faces).filter(|rule| rule.is_amended) {
            let mut look = Look::new(self, &rule.rule.params);
            rule.rule.base.iter().for_each(|base| look.visit_expr(base));
            look.clauses(&rule.rule.clauses);
            found.extend(look.found);
        }
        // A page is told once of each variable.
        found.sort_by_key(|captured| (captured.variable, captured.at));
        found.dedup_by_key(|captured| (captured.variable, captured.at.source));
        self.diagnostics.extend(found.iter().map(Captured::told));
    }
}

/// A name that has come to mean something else.
struct Captured {
    name: String,
    at: Span,
    /// Where the variable is bound.
    variable: Span,
    now: Now,
}

/// What has become of the name.
enum Now {
    /// It means a variable of which its page does not know.
    Variable,
    /// It means the variable, and not the parameter that its page calls so, which has this name in another heading.
    Parameter(String),
    /// It means the variable no more.
    Lost,
}

impl Captured {
    fn told(&self) -> Diagnostic {
        let name = &self.name;
        if let Now::Lost = self.now {
            let message =
                format!("`{name}` was a variable where this was written, and is something else here");
            return Diagnostic::error("names::ambiguous", self.at, message)
                .label("which is meant?")
                .related(self.variable, "the variable, which the body that stands there now does not have")
                .help(
                    "keep the variable in the new body; or let the manifest of the variant that asks for it name the \
                     other in `after:`, if the variable is not meant",
                );
        }
        if let Now::Parameter(parameter) = &self.now {
            let message =
                format!("`{parameter}` is called `{name}` in another heading, and so is something else here");
            return Diagnostic::error("names::ambiguous", self.at, message)
                .label("this parameter")
                .related(self.variable, "this is called so, too")
                .help(
                    "use the same names for the parameters in both headings, or give the other another name",
                );
        }
        let message = format!("`{name}` is a variable here, and something else on its own page");
        Diagnostic::error("names::ambiguous", self.at, message)
            .label("which is meant?")
            .related(self.variable, "the variable, of which this page does not know")
            .help(
                "give the variable another name; or let the manifest of the variant that asks for it name the other in \
                 `after:`, if the variable is meant",
            )
    }
}

/// A variable that is known at a place.
struct Bound {
    name: String,
    at: Span,
    is_parameter: bool,
}

struct Look<'m> {
    merged: &'m Merged,
    order: &'m Order,
    /// The names that mean parameters, as they are written.
    parameters: &'m HashMap<Span, String>,
    bound: Vec<Bound>,
    found: Vec<Captured>,
}

impl<'m> Look<'m> {
    fn new(weaver: &'m Weaver<'_>, params: &[Param]) -> Self {
        let Weaver { merged, order, parameters, .. } = weaver;
        let mut look = Self { merged, order, parameters, bound: Vec::new(), found: Vec::new() };
        params.iter().for_each(|param| look.bind(&param.name, true));
        look
    }

    fn bind(&mut self, name: &Name, is_parameter: bool) {
        self.bound.push(Bound { name: name.text.clone(), at: name.span, is_parameter });
    }

    /// Looks at something in which a variable is known, if it has a name.
    fn within(&mut self, name: Option<&Name>, look: impl FnOnce(&mut Self)) {
        let mark = self.bound.len();
        name.into_iter().for_each(|name| self.bind(name, false));
        look(self);
        self.bound.truncate(mark);
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        clauses.iter().for_each(|clause| self.visit_clause(clause));
    }

    fn name(&mut self, name: &Name) {
        let Some(variable) = self.bound.iter().rev().find(|bound| bound.name == name.text) else {
            if let Some(&Gone { variable, .. }) = self.merged.gone.get(&name.span)
                && self.is_declared(plain(&name.text))
            {
                let (name, at) = (plain(&name.text).to_owned(), name.span);
                self.found.push(Captured { name, at, variable, now: Now::Lost });
            }
            return;
        };
        let parameter = self.parameters.get(&name.span).cloned();
        let is_captured = match parameter {
            // A variable of the same lines was renamed with it.
            Some(_) => !variable.is_parameter && !self.parameters.contains_key(&variable.at),
            None => {
                !self.knows(name.span, variable.at)
                    && (variable.is_parameter || self.is_declared(plain(&name.text)))
            }
        };
        if is_captured {
            let (name, at, variable) = (plain(&name.text).to_owned(), name.span, variable.at);
            let now = parameter.map_or(Now::Variable, Now::Parameter);
            self.found.push(Captured { name, at, variable, now });
        }
    }

    /// Whether whoever wrote at a place had another in sight.
    fn knows(&self, here: Span, there: Span) -> bool {
        let layer = |span: Span| self.merged.layers.get(&span.source).copied();
        let (Some(here), Some(there)) = (layer(here), layer(there)) else { return true };
        matches!(self.order.of(here, there), Standing::Same | Standing::Above)
    }

    /// Whether a name means something where no variable is called so.
    fn is_declared(&self, name: &str) -> bool {
        !self.merged.rules.named(name).is_empty()
            || !self.merged.columns.named(name).is_empty()
            || self.merged.rulings.find(name).is_some()
    }
}

impl<'t> Visit<'t> for Look<'_> {
    fn visit_block(&mut self, block: &'t blazon_syntax::ast::Block) {
        self.within(None, |look| walk_block(look, block));
    }

    fn visit_statement(&mut self, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Let(name, value) => {
                self.visit_expr(value);
                // It is known up to the end of the block.
                self.bind(name, false);
            }
            StatementKind::For { name, sources, filter, body, otherwise } => {
                sources.iter().for_each(|source| self.visit_expr(source));
                self.within(Some(name), |look| {
                    filter.iter().for_each(|filter| look.visit_expr(filter));
                    look.visit_block(body);
                });
                otherwise.iter().for_each(|block| self.visit_block(block));
            }
            StatementKind::With { name, value, body, otherwise } => {
                self.visit_expr(value);
                self.within(Some(name), |look| look.visit_block(body));
                otherwise.iter().for_each(|block| self.visit_block(block));
            }
            StatementKind::If(..)
            | StatementKind::While(..)
            | StatementKind::Case { .. }
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Choose(_)
            | StatementKind::Say { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Do(_) => walk_statement(self, statement),
        }
    }

    fn visit_choose(&mut self, choose: &'t Choose) {
        let (name, filter) = match &choose.by {
            Chooser::One(player) => {
                self.visit_expr(player);
                (None, None)
            }
            Chooser::Each { name, source, filter } => {
                self.visit_expr(source);
                (Some(name), filter.as_ref())
            }
        };
        self.within(name, |look| {
            filter.into_iter().for_each(|filter| look.visit_expr(filter));
            choose.prompt.iter().for_each(|prompt| walk_text(look, prompt));
            choose.options.iter().for_each(|option| look.visit_option(option));
            choose.otherwise.iter().for_each(|block| look.visit_block(block));
        });
    }

    fn visit_option(&mut self, option: &'t ChoiceOption) {
        self.within(None, |look| {
            for binder in &option.binders {
                look.visit_expr(&binder.source);
                look.bind(&binder.name, false);
                binder.filter.iter().for_each(|filter| look.visit_expr(filter));
            }
            option.label.iter().for_each(|label| look.visit_text(label));
            look.clauses(&option.needs);
            look.visit_block(&option.body);
        });
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        if let ExprKind::Call(call) = &expr.kind
            && call.args.is_empty()
        {
            self.name(&call.name);
        }
        walk_expr(self, expr);
    }

    fn visit_query(&mut self, query: &'t Query) {
        let Query { quantifier: _, name, source, filter, by, within, holds } = query;
        self.visit_expr(source);
        within.iter().for_each(|within| self.visit_expr(within));
        self.within(name.as_ref(), |look| {
            filter.iter().chain(by).chain(holds).for_each(|part| look.visit_expr(part));
        });
    }
}
