//! Where options stand: every choice of every step, with what is named around it.

use std::rc::Rc;

use blazon_book::title_of;
use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::{Visit, walk_block, walk_choose, walk_expr, walk_option, walk_statement};
use blazon_syntax::ast::{
    self, Block, ChoiceOption, Choose, Chooser, Clause, Expr, ExprKind, Name, Query, Statement, StatementKind,
};

use crate::merge::Merged;

/// An option, and what stands around it.
#[derive(Clone, Debug)]
pub(crate) struct Offer<'m> {
    /// The step, by its place in the merged tree; none for what a watch does.
    pub step: Option<usize>,
    pub step_name: &'m str,
    /// Which choice it belongs to, counted through all steps.
    pub choice: usize,
    /// Who is asked, where several are asked at once.
    pub each: Option<&'m Name>,
    pub option: &'m ChoiceOption,
    /// All options of the choice.
    siblings: &'m [ChoiceOption],
    /// The variables that are bound around the choice.
    bound: Rc<[&'m str]>,
    /// The conditions that changes put around the choice, and whether each must hold.
    pub guards: Rc<[(&'m Expr, bool)]>,
}

impl Offer<'_> {
    /// The name of the option.
    pub fn name(&self) -> &str {
        &self.option.name.text
    }

    /// Where the options of the choice lie in the merged tree: that is found again when it is checked.
    pub fn choice_at(&self) -> usize {
        address(self.siblings)
    }

    /// Whether a condition lets at most one of two choices stand.
    pub fn excludes(&self, other: &Self) -> bool {
        let is_denied = |(guard, holds): &(&Expr, bool)| {
            other.guards.iter().any(|(there, stands)| stands != holds && there.same_as(guard))
        };
        self.guards.iter().any(is_denied)
    }

    /// Whether an option of this name stands in the same choice.
    pub fn stands_beside(&self, name: &str) -> bool {
        let mut others = self.siblings.iter().filter(|other| other.span != self.option.span);
        others.any(|other| other.name.text == name)
    }

    /// A variable of the step around that the option asks for, and where.
    pub fn asks_for_variable(&self) -> Option<(String, Span)> {
        let mut free = free_names(self.option);
        free.retain(|name| self.bound.contains(&name.text.as_str()));
        free.into_iter().next().map(|name| (name.text.clone(), name.span))
    }
}

/// Where the options of a choice lie in the merged tree.
pub(crate) fn address(options: &[ChoiceOption]) -> usize {
    options.as_ptr().addr()
}

/// All options of the book.
pub(crate) fn offers(merged: &Merged) -> Vec<Offer<'_>> {
    let mut all = Vec::new();
    let mut choices = 0;
    let steps = merged.steps.iter().enumerate();
    let steps = steps.map(|(place, step)| (Some(place), &step.step.name.text, &step.step.body));
    let watches = merged.watches.iter().map(|watch| (None, &watch.name.text, &watch.body));
    for (step, name, body) in steps.chain(watches) {
        let mut walk = Walk {
            step,
            name: title_of(name),
            choices,
            bound: Vec::new(),
            guards: Vec::new(),
            all: &mut all,
        };
        walk.visit_block(body);
        choices = walk.choices;
    }
    all
}

/// Whether a condition was put around a statement by a change: it is written outside of it.
pub(crate) fn is_woven(statement: &Statement, condition: &Expr) -> bool {
    !statement.span.contains(condition.span)
}

/// Whether a need of an option is the condition under which a change has put it there: it is not written in the option.
pub(crate) fn is_put_under(option: &ChoiceOption, need: &Clause) -> bool {
    need.span == option.span
}

struct Walk<'m, 'a> {
    step: Option<usize>,
    name: &'m str,
    choices: usize,
    bound: Vec<&'m str>,
    guards: Vec<(&'m Expr, bool)>,
    all: &'a mut Vec<Offer<'m>>,
}

impl<'m> Walk<'m, '_> {
    fn guarded(&mut self, guard: (&'m Expr, bool), block: &'m Block) {
        self.guards.push(guard);
        self.visit_block(block);
        self.guards.pop();
    }
}

impl<'m> Visit<'m> for Walk<'m, '_> {
    fn visit_block(&mut self, block: &'m Block) {
        let mark = self.bound.len();
        walk_block(self, block);
        self.bound.truncate(mark);
    }

    fn visit_statement(&mut self, statement: &'m Statement) {
        match &statement.kind {
            StatementKind::For { name, .. } | StatementKind::With { name, .. } => {
                self.bound.push(&name.text);
                walk_statement(self, statement);
                self.bound.pop();
            }
            StatementKind::Let(name, _) => {
                walk_statement(self, statement);
                self.bound.push(&name.text);
            }
            StatementKind::If(condition, then, otherwise) if is_woven(statement, condition) => {
                self.guarded((condition, true), then);
                otherwise.iter().for_each(|block| self.guarded((condition, false), block));
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

    fn visit_choose(&mut self, choose: &'m Choose) {
        self.choices += 1;
        let guards: Rc<[(&Expr, bool)]> = self.guards.as_slice().into();
        let each = match &choose.by {
            Chooser::Each { name, .. } => Some(name),
            Chooser::One(_) => None,
        };
        let bound: Rc<[&str]> = self.bound.as_slice().into();
        for option in &choose.options {
            self.all.push(Offer {
                step: self.step,
                step_name: self.name,
                choice: self.choices,
                each,
                option,
                siblings: &choose.options,
                bound: bound.clone(),
                guards: guards.clone(),
            });
        }
        walk_choose(self, choose);
    }

    fn visit_option(&mut self, option: &'m ChoiceOption) {
        let mark = self.bound.len();
        self.bound.extend(option.binders.iter().map(|binder| binder.name.text.as_str()));
        walk_option(self, option);
        self.bound.truncate(mark);
    }

    fn visit_expr(&mut self, _: &'m Expr) {}
}

/// The names that an option asks for in what must hold, but for its own variables and those of queries.
fn free_names(option: &ChoiceOption) -> Vec<Name> {
    let mut free = Free { hidden: Vec::new(), found: Vec::new() };
    for binder in &option.binders {
        free.visit_expr(&binder.source);
        free.hidden.push(binder.name.text.clone());
        binder.filter.iter().for_each(|filter| free.visit_expr(filter));
    }
    option.needs.iter().for_each(|need| free.visit_clause(need));
    free.found
}

struct Free {
    hidden: Vec<String>,
    found: Vec<Name>,
}

impl<'t> Visit<'t> for Free {
    fn visit_expr(&mut self, expr: &'t Expr) {
        if let ExprKind::Call(ast::Call { name, args }) = &expr.kind
            && args.is_empty()
            && !self.hidden.contains(&name.text)
        {
            self.found.push(name.clone());
        }
        walk_expr(self, expr);
    }

    fn visit_query(&mut self, query: &'t Query) {
        let mark = self.hidden.len();
        self.visit_expr(&query.source);
        query.within.iter().for_each(|within| self.visit_expr(within));
        self.hidden.extend(query.name.iter().map(|name| name.text.clone()));
        let inner = query.filter.iter().chain(&query.by).chain(&query.holds);
        inner.for_each(|part| self.visit_expr(part));
        self.hidden.truncate(mark);
    }
}
