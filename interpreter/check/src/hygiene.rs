//! Hygiene: a name means what it means where it is written, wherever its text is put. What is woven into a step or asked
//! of an option keeps its own variables apart from those that it finds there, by a mark that no page can write (the idea is
//! that of E. Kohlbecker, D. P. Friedman, M. Felleisen, B. Duba, "Hygienic Macro Expansion", LISP and Functional Programming
//! 1986, 151-161).

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::visit::{
    Visit, VisitMut, walk_choose, walk_choose_mut, walk_expr, walk_expr_mut, walk_option, walk_option_mut,
    walk_query_mut, walk_statement, walk_statement_mut,
};
use blazon_syntax::ast::{
    Block, ChoiceOption, Choose, Chooser, Clause, Expr, ExprKind, Name, Query, Statement, StatementKind,
};

use crate::merge::edits::{ClauseEdit, Edit, PartEdit, StepEdit};

pub(crate) use blazon_diagnostics::marks::{is_marked, marked, may_be_meant, plain, shown};

/// A message without marks.
pub(crate) fn unmark(said: &mut Diagnostic) {
    let texts = [&mut said.message, &mut said.label].into_iter().chain(&mut said.help);
    let texts = texts.chain(said.related.iter_mut().map(|(_, words)| words));
    let fixes = said.fixes.iter_mut().flat_map(|fix| {
        std::iter::once(&mut fix.title).chain(fix.edits.iter_mut().map(|edit| &mut edit.replacement))
    });
    texts.chain(fixes).for_each(|text| *text = shown(std::mem::take(text)));
}

/// Is told of each name of a variable: where it is bound, and where it might be asked for.
pub(crate) struct Variables<F>(pub F);

impl<'t, F: FnMut(&mut Name)> VisitMut<'t> for Variables<F> {
    fn visit_statement_mut(&mut self, statement: &'t mut Statement) {
        match &mut statement.kind {
            StatementKind::Let(name, _)
            | StatementKind::For { name, .. }
            | StatementKind::With { name, .. } => (self.0)(name),
            StatementKind::If(..)
            | StatementKind::While(..)
            | StatementKind::Case { .. }
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Choose(_)
            | StatementKind::Say { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Do(_) => {}
        }
        walk_statement_mut(self, statement);
    }

    fn visit_choose_mut(&mut self, choose: &'t mut Choose) {
        if let Chooser::Each { name, .. } = &mut choose.by {
            (self.0)(name);
        }
        walk_choose_mut(self, choose);
    }

    fn visit_option_mut(&mut self, option: &'t mut ChoiceOption) {
        option.binders.iter_mut().for_each(|binder| (self.0)(&mut binder.name));
        walk_option_mut(self, option);
    }

    fn visit_query_mut(&mut self, query: &'t mut Query) {
        query.name.iter_mut().for_each(|name| (self.0)(name));
        walk_query_mut(self, query);
    }

    fn visit_expr_mut(&mut self, expr: &'t mut Expr) {
        if let ExprKind::Call(call) = &mut expr.kind
            && call.args.is_empty()
        {
            (self.0)(&mut call.name);
        }
        walk_expr_mut(self, expr);
    }
}

/// Marks some names wherever they stand.
fn mark_in(names: &[String], mark: &str) -> Variables<impl FnMut(&mut Name)> {
    Variables(move |name: &mut Name| {
        if names.contains(&name.text) {
            name.text = marked(&name.text, mark);
        }
    })
}

/// The variables that the statements of a place name by `let` are theirs alone, though others come to stand behind them.
pub(crate) fn own_variables(statements: &mut [Statement], at: Span) {
    let (mark, mut names) = (format!("{}:{}:{}", at.source.0, at.start, at.end), Vec::new());
    for statement in statements {
        if !names.is_empty() {
            mark_in(&names, &mark).visit_statement_mut(statement);
        }
        if let StatementKind::Let(name, _) = &mut statement.kind
            && !is_marked(&name.text)
        {
            names.push(name.text.clone());
            name.text = marked(&name.text, &mark);
        }
    }
}

/// The names that are asked for without anything, and where: those of variables among them.
#[derive(Default)]
pub(crate) struct Asked(pub Vec<(String, Span)>);

impl<'t> Visit<'t> for Asked {
    fn visit_expr(&mut self, expr: &'t Expr) {
        if let ExprKind::Call(call) = &expr.kind
            && call.args.is_empty()
        {
            self.0.push((call.name.text.clone(), call.name.span));
        }
        walk_expr(self, expr);
    }
}

impl Asked {
    /// In a body and its laws.
    pub fn in_body(body: &Block, laws: &[Clause]) -> Self {
        let mut asked = Self::default();
        asked.visit_block(body);
        laws.iter().for_each(|law| asked.visit_clause(law));
        asked
    }

    /// In the value and the clauses of a rule.
    pub fn in_rule<'t>(
        base: impl IntoIterator<Item = &'t Expr>,
        clauses: impl IntoIterator<Item = &'t Clause>,
    ) -> Self {
        let mut asked = Self::default();
        base.into_iter().for_each(|base| asked.visit_expr(base));
        clauses.into_iter().for_each(|clause| asked.visit_clause(clause));
        asked
    }

    /// In what a change hangs on a step.
    pub fn in_edit(edit: &Edit<StepEdit>) -> Self {
        let mut asked = Self::default();
        edit.under.iter().for_each(|under| asked.visit_expr(under));
        match &edit.kind {
            StepEdit::Law(ClauseEdit::Add(clause) | ClauseEdit::Put(clause))
            | StepEdit::Need(_, ClauseEdit::Add(clause) | ClauseEdit::Put(clause)) => {
                asked.visit_clause(clause);
            }
            StepEdit::Part(_, PartEdit::AddOption(option) | PartEdit::PutOption { option, .. }) => {
                asked.visit_option(option);
            }
            StepEdit::Part(_, PartEdit::AddWhen(when) | PartEdit::PutWhen(when)) => {
                when.values.iter().for_each(|value| asked.visit_expr(value));
                when.title.iter().for_each(|title| asked.visit_text(title));
                asked.visit_block(&when.body);
            }
            StepEdit::Hook { body, .. } => asked.visit_block(body),
            StepEdit::Law(ClauseEdit::Drop(_))
            | StepEdit::Need(_, ClauseEdit::Drop(_))
            | StepEdit::Part(_, PartEdit::DropOption(_) | PartEdit::DropWhen(_))
            | StepEdit::Body { .. }
            | StepEdit::HookOf { .. }
            | StepEdit::Cites(..) => {}
        }
        asked
    }

    /// Whether a name is among them.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(asked, _)| asked == name)
    }
}

/// Is told of each name by which a statement, a choice or an option binds a variable.
pub(crate) struct Binders<F>(pub F);

impl<'t, F: FnMut(&'t Name)> Visit<'t> for Binders<F> {
    fn visit_statement(&mut self, statement: &'t Statement) {
        if let StatementKind::Let(name, _)
        | StatementKind::For { name, .. }
        | StatementKind::With { name, .. } = &statement.kind
        {
            (self.0)(name);
        }
        walk_statement(self, statement);
    }

    fn visit_choose(&mut self, choose: &'t Choose) {
        if let Chooser::Each { name, .. } = &choose.by {
            (self.0)(name);
        }
        walk_choose(self, choose);
    }

    fn visit_option(&mut self, option: &'t ChoiceOption) {
        option.binders.iter().for_each(|binder| (self.0)(&binder.name));
        walk_option(self, option);
    }

    fn visit_expr(&mut self, _: &'t Expr) {}
}

/// The variable of an option that is called as something that a condition around the option asks for, and where it does.
pub(crate) fn captured<'o>(option: &'o ChoiceOption, condition: &Expr) -> Option<(&'o Name, Span)> {
    let mut asked = Asked::default();
    asked.visit_expr(condition);
    let mut names = option.binders.iter().map(|binder| &binder.name);
    names.find_map(|name| {
        let (_, at) = asked.0.iter().find(|(asked, _)| *asked == name.text)?;
        Some((name, *at))
    })
}

/// An expression in which some variables have a mark, wherever they stand.
pub(crate) fn with_marks(expr: &Expr, has_mark: &dyn Fn(&str) -> bool, mark: &str) -> Expr {
    let mut expr = expr.clone();
    let mut variables = Variables(|name: &mut Name| {
        if has_mark(&name.text) {
            name.text = marked(&name.text, mark);
        }
    });
    variables.visit_expr_mut(&mut expr);
    expr
}
