//! Walks through a step's body to find and change what amendments name: options, cases, calls.

use std::collections::{BTreeSet, HashMap};

use blazon_book::graph::{Join, Numbers, handed_on};
use blazon_syntax::ast::visit::{Visit, VisitMut, walk_block, walk_statement, walk_statement_mut};
use blazon_syntax::ast::{Block, Choose, Expr, ExprKind, Name, Statement, StatementKind, When};

use crate::merge::merged::Merged;

/// A closure for statements, outer before inner.
struct Statements<'t, 'f>(&'f mut dyn FnMut(&'t Statement));

impl<'t> Visit<'t> for Statements<'t, '_> {
    fn visit_statement(&mut self, statement: &'t Statement) {
        (self.0)(statement);
        walk_statement(self, statement);
    }
    fn visit_expr(&mut self, _: &'t Expr) {}
}

/// A name without the kind in brackets behind it, `Ford (piece)`, and that kind, if it ends so.
pub(crate) fn kind_in_brackets(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix(')')?.rsplit_once(" (")
}

/// Whether a value of a case is what a name, or the text of a number or range, says.
pub(crate) fn says(value: &Expr, name: &str) -> bool {
    let number = |expr: &Expr, text: &str| match expr.kind {
        ExprKind::Number(number) => text.trim().parse() == Ok(number),
        ExprKind::Text(_)
        | ExprKind::Flag(_)
        | ExprKind::None
        | ExprKind::Thing(_)
        | ExprKind::Call(_)
        | ExprKind::Dot(..)
        | ExprKind::Not(_)
        | ExprKind::Binary(..)
        | ExprKind::Rounded(..)
        | ExprKind::Range(..)
        | ExprKind::Otherwise(..)
        | ExprKind::Query(_)
        | ExprKind::List(_) => false,
    };
    match &value.kind {
        ExprKind::Range(lo, hi) => name.split_once("..").is_some_and(|(a, b)| number(lo, a) && number(hi, b)),
        ExprKind::Number(_) => number(value, name),
        ExprKind::Flag(flag) => name == if *flag { "yes" } else { "no" },
        ExprKind::Text(_)
        | ExprKind::None
        | ExprKind::Thing(_)
        | ExprKind::Call(_)
        | ExprKind::Dot(..)
        | ExprKind::Not(_)
        | ExprKind::Binary(..)
        | ExprKind::Rounded(..)
        | ExprKind::Otherwise(..)
        | ExprKind::Query(_)
        | ExprKind::List(_) => value.as_name().is_some_and(|own| own == name),
    }
}

/// A closure that changes statements, outer before inner.
struct StatementsMut<'f>(&'f mut dyn FnMut(&mut Statement));

impl<'t> VisitMut<'t> for StatementsMut<'_> {
    fn visit_statement_mut(&mut self, statement: &'t mut Statement) {
        (self.0)(statement);
        walk_statement_mut(self, statement);
    }
    fn visit_expr_mut(&mut self, _: &'t mut Expr) {}
}

/// Lets calls of one step call another; says how many.
pub(crate) fn wrap_calls(block: &mut Block, from: &str, to: &str) -> usize {
    let mut count = 0;
    let mut wrap = |statement: &mut Statement| {
        let expr = match &mut statement.kind {
            StatementKind::Do(expr)
            | StatementKind::Let(_, expr)
            | StatementKind::Return(Some(expr))
            | StatementKind::Assign { value: expr, .. }
            | StatementKind::Case { subject: expr, .. }
            | StatementKind::With { value: expr, .. }
            | StatementKind::If(expr, ..) => expr,
            StatementKind::For { .. }
            | StatementKind::While(..)
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Choose(_)
            | StatementKind::Say { .. } => return,
        };
        let (ExprKind::Call(call) | ExprKind::Dot(_, call)) = &mut expr.kind else { return };
        if call.name.text == from {
            to.clone_into(&mut call.name.text);
            count += 1;
        }
    };
    StatementsMut(&mut wrap).visit_block_mut(block);
    count
}

/// Whether a body can leave before its end.
pub(crate) fn returns(block: &Block) -> bool {
    let mut found = false;
    read_statements(block, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Return(_));
    });
    found
}

/// Whether a body returns a value.
pub(crate) fn answers(block: &Block) -> bool {
    let mut found = false;
    read_statements(block, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Return(Some(_)));
    });
    found
}

/// Whether a body may leave its step without a value.
pub(crate) fn leaves(block: &Block) -> bool {
    let mut found = false;
    read_statements(block, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Return(None));
    });
    found
}

/// Whether a statement may leave its step, or the loop around it.
pub(crate) fn may_leave(statement: &Statement) -> bool {
    let mut found = false;
    let mut look = |inner: &Statement| {
        found |= matches!(inner.kind, StatementKind::Stop | StatementKind::Return(_));
    };
    Statements(&mut look).visit_statement(statement);
    found
}

/// Calls `found` with every choice of a body that is only read, outer before inner.
pub(crate) fn read_choices<'t>(block: &'t Block, found: &mut dyn FnMut(&'t Choose)) {
    read_statements(block, &mut |statement| {
        if let StatementKind::Choose(choose) = &statement.kind {
            found(choose);
        }
    });
}

/// Calls `found` with every case of a body that is only read, outer before inner.
pub(crate) fn read_cases<'t>(block: &'t Block, found: &mut dyn FnMut(&'t When)) {
    read_statements(block, &mut |statement| {
        if let StatementKind::Case { whens, .. } = &statement.kind {
            whens.iter().for_each(&mut *found);
        }
    });
}

/// Calls `found` with every `beside` that is left in a body.
pub(crate) fn read_besides<'t>(block: &'t Block, found: &mut dyn FnMut(&'t Name)) {
    read_statements(block, &mut |statement| match &statement.kind {
        StatementKind::Choose(choose) => {
            choose.options.iter().filter_map(|o| o.beside.as_ref()).for_each(&mut *found)
        }
        StatementKind::Case { whens, .. } => {
            whens.iter().filter_map(|when| when.beside.as_ref()).for_each(&mut *found)
        }
        StatementKind::Let(..)
        | StatementKind::If(..)
        | StatementKind::For { .. }
        | StatementKind::With { .. }
        | StatementKind::While(..)
        | StatementKind::Stop
        | StatementKind::Return(_)
        | StatementKind::Say { .. }
        | StatementKind::Assign { .. }
        | StatementKind::Do(_) => {}
    });
}

fn read_statements<'t>(block: &'t Block, found: &mut dyn FnMut(&'t Statement)) {
    Statements(found).visit_block(block);
}

/// The states that each step sets, as [`writes`] found them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes {
    /// The states that are set anywhere, in alphabetical order.
    states: Vec<String>,
    by_step: HashMap<String, Numbers>,
    /// Whether each step sets something itself.
    sets: Vec<bool>,
    /// What all watches together may set.
    watches: Numbers,
}

impl Writes {
    /// The states that a step may set, by number, if there is such a step.
    pub fn of(&self, step: &str) -> Option<&Numbers> {
        self.by_step.get(step)
    }

    /// Whether a step, by its place, sets something itself: then watches may be looked at in it.
    pub fn sets(&self, place: usize) -> bool {
        self.sets.get(place).copied().unwrap_or(true)
    }

    /// The states that the watches may set.
    pub fn of_watches(&self) -> &Numbers {
        &self.watches
    }

    /// The states that may be set while one of these blocks is done.
    pub fn of_blocks<'t>(&self, blocks: impl Iterator<Item = &'t Block>) -> Numbers {
        let mut changing = Changing { writes: self, found: Numbers::default(), inner_loops: None };
        blocks.for_each(|block| changing.visit_block(block));
        changing.found
    }

    /// The states that may be set between one turn of a loop and the next: not what is done on the way out of it.
    pub fn between_turns(&self, body: &Block) -> Numbers {
        let mut changing = Changing { writes: self, found: Numbers::default(), inner_loops: Some(0) };
        changing.visit_block(body);
        changing.found
    }

    /// The number of a state that is set anywhere.
    pub fn number(&self, state: &str) -> Option<usize> {
        self.states.binary_search_by(|other| other.as_str().cmp(state)).ok()
    }
}

/// What may be set while a block is done.
struct Changing<'w> {
    writes: &'w Writes,
    found: Numbers,
    /// In how many loops within the one that is looked at a block stands, if what leaves that one does not count.
    inner_loops: Option<usize>,
}

impl<'t> Visit<'t> for Changing<'_> {
    fn visit_block(&mut self, block: &'t Block) {
        let last = block.statements.last().map(|statement| &statement.kind);
        let leaves = match (self.inner_loops, last) {
            (Some(_), Some(StatementKind::Return(_))) | (Some(0), Some(StatementKind::Stop)) => true,
            (None | Some(_), _) => false,
        };
        if !leaves {
            walk_block(self, block);
        }
    }

    fn visit_statement(&mut self, statement: &'t Statement) {
        let (set, called) = set_and_called(statement);
        self.found.join(&set.and_then(|state| self.writes.number(state)).into_iter().collect());
        if let Some(theirs) = called.and_then(|step| self.writes.of(step)) {
            self.found.join(theirs);
        }
        if matches!(statement.kind, StatementKind::Choose(_)) {
            self.found.join(&self.writes.watches);
        }
        let is_loop = matches!(statement.kind, StatementKind::For { .. } | StatementKind::While(..));
        let around = self.inner_loops;
        self.inner_loops = around.map(|loops| loops + usize::from(is_loop));
        walk_statement(self, statement);
        self.inner_loops = around;
    }

    fn visit_expr(&mut self, _: &'t Expr) {}
}

/// The state that a statement sets, and the step that it does, by their names: what is called may be a rule, too.
fn set_and_called(statement: &Statement) -> (Option<&str>, Option<&str>) {
    match &statement.kind {
        StatementKind::Assign { target, value, .. } => (called_name(target), called_name(value)),
        StatementKind::Do(expr)
        | StatementKind::Let(_, expr)
        | StatementKind::Return(Some(expr))
        | StatementKind::Case { subject: expr, .. }
        | StatementKind::With { value: expr, .. }
        | StatementKind::If(expr, ..) => (None, called_name(expr)),
        StatementKind::For { .. }
        | StatementKind::While(..)
        | StatementKind::Stop
        | StatementKind::Return(_)
        | StatementKind::Choose(_)
        | StatementKind::Say { .. } => (None, None),
    }
}

/// The states that each step sets, by name, itself or through the steps that it does, watches included: a watch may
/// wake up at the end of any step.
pub(crate) fn writes(merged: &Merged) -> Writes {
    let steps = merged.steps.iter().map(|step| (&step.step.name.text, &step.step.body));
    let watches = merged.watches.iter().map(|watch| &watch.body);
    let mut set: Vec<BTreeSet<&str>> = Vec::new();
    let mut called: Vec<BTreeSet<&str>> = Vec::new();
    for body in steps.clone().map(|(_, body)| body).chain(watches.clone()) {
        let (mut sets, mut calls) = (BTreeSet::new(), BTreeSet::new());
        read_statements(body, &mut |statement| {
            let (set, called) = set_and_called(statement);
            sets.extend(set);
            calls.extend(called);
        });
        set.push(sets);
        called.push(calls);
    }
    // States are reset where the steps that they are fresh for begin and end.
    for column in &merged.columns {
        if let crate::merge::merged::ColumnDecl::State(state) = &column.decl {
            for step in state.fresh.iter().filter_map(|step| merged.steps.place(&step.text)) {
                set[step].insert(&state.name.text);
            }
        }
    }
    // The states by number; what is called may be a rule or an effect: only steps lead on, and behind all steps stands a
    // node that leads to every watch.
    let states: BTreeSet<&str> = set.iter().flatten().copied().collect();
    let states: Vec<&str> = states.into_iter().collect();
    let number = |state: &&str| states.binary_search(state).ok();
    let own: Vec<Numbers> = set.iter().map(|set| set.iter().filter_map(number).collect()).collect();
    let mut next: Vec<Vec<usize>> = called
        .iter()
        .map(|called| called.iter().filter_map(|name| merged.steps.place(name)).collect())
        .collect();
    let woken: Vec<usize> = (merged.steps.len()..next.len()).collect();
    next[..merged.steps.len()].iter_mut().for_each(|next| next.push(own.len()));
    next.push(woken);
    let sets = own[..merged.steps.len()].iter().map(|own| !own.is_empty()).collect();
    let through = handed_on(&next, own.into_iter().chain([Numbers::default()]).collect());
    let watches = through.last().cloned().unwrap_or_default();
    let by_step = steps.zip(through).map(|((name, _), states)| (name.clone(), states)).collect();
    Writes { states: states.into_iter().map(str::to_owned).collect(), by_step, sets, watches }
}

fn called_name(expr: &blazon_syntax::ast::Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Call(call) | ExprKind::Dot(_, call) => Some(&call.name.text),
        ExprKind::Text(_)
        | ExprKind::Number(_)
        | ExprKind::Flag(_)
        | ExprKind::None
        | ExprKind::Thing(_)
        | ExprKind::Not(_)
        | ExprKind::Binary(..)
        | ExprKind::Rounded(..)
        | ExprKind::Range(..)
        | ExprKind::Otherwise(..)
        | ExprKind::Query(_)
        | ExprKind::List(_) => None,
    }
}

/// The options of all steps and watches: name and number of parameters.
pub(crate) fn options(merged: &Merged) -> BTreeSet<(String, usize)> {
    let mut options = BTreeSet::new();
    let steps = merged.steps.iter().map(|step| &step.step.body);
    for body in steps.chain(merged.watches.iter().map(|watch| &watch.body)) {
        read_choices(body, &mut |choose| {
            options
                .extend(choose.options.iter().map(|option| (option.name.text.clone(), option.binders.len())));
        });
    }
    options
}
