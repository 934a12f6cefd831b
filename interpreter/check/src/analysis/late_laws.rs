//! Laws are asked where an option is offered. What its block sets before it does the step is not so yet: a law that is asked of
//! that would be asked of what was.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::walk::{Deeds, Named, Visit, walk_option};
use blazon_book::{Book, ChoiceOption, ColumnId, Expr, LocalId, Statement, StatementKind, Value};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;

/// A law that an option inherits where it does a step.
#[derive(Clone, Debug)]
pub(crate) struct Inherited {
    /// The law.
    pub law: Span,
    /// The step whose law it is.
    pub step: String,
    /// Which of what the step is done with the law is asked of.
    pub args: BTreeSet<usize>,
}

/// Complains of laws that are asked of what their option sets before it does the step; they are found by the statements that
/// do it.
pub(crate) fn late_laws(
    book: &Book,
    calls: &Calls,
    laws: &BTreeMap<Span, Inherited>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if laws.is_empty() {
        return;
    }
    let mut options = Options { calls, laws, found: Vec::new() };
    book.steps.iter().for_each(|step| options.visit_block(&step.body));
    // Bodies that stand in one another's place share statements.
    let mut told = BTreeSet::new();
    diagnostics.extend(options.found.into_iter().filter(|said| told.insert(said.span)));
}

struct Options<'a> {
    calls: &'a Calls,
    laws: &'a BTreeMap<Span, Inherited>,
    found: Vec<Diagnostic>,
}

impl<'b> Visit<'b> for Options<'_> {
    fn visit_option(&mut self, option: &'b ChoiceOption) {
        let inherits = |statement: &Statement| self.laws.contains_key(&statement.span);
        if option.body.iter().any(inherits) {
            let mut block = Block { calls: self.calls, set: BTreeMap::new(), late: BTreeMap::new() };
            for statement in &option.body {
                self.found.extend(self.laws.get(&statement.span).and_then(|law| block.asked(statement, law)));
                block.go_on(statement);
            }
        }
        walk_option(self, option);
    }
}

/// The way through the block of an option.
struct Block<'a> {
    calls: &'a Calls,
    /// What has been set, and where first.
    set: BTreeMap<ColumnId, Span>,
    /// The variables that hold what was not so where the option was offered, and what has made it so.
    late: BTreeMap<LocalId, Span>,
}

impl Block<'_> {
    /// What has made a value otherwise since the option was offered.
    fn made_late(&self, value: &Expr) -> Option<Span> {
        let reads = self.calls.reads(value);
        let mut named = Named(BTreeSet::new());
        named.visit_expr(value);
        let by_name = named.0.iter().find_map(|local| self.late.get(local)).copied();
        let by_state = || reads.iter().find_map(|column| self.set.get(&ColumnId(column as u32))).copied();
        by_name.or_else(by_state)
    }

    fn asked(&self, statement: &Statement, inherited: &Inherited) -> Option<Diagnostic> {
        let StatementKind::Do(_, args) = &statement.kind else { return None };
        let asked = args.iter().enumerate().filter(|(place, _)| inherited.args.contains(place));
        let (arg, set) = asked.filter_map(|(_, arg)| Some((arg, self.made_late(arg)?))).next()?;
        let message = format!(
            "the law of `{}` is asked where the option is offered, before this is set",
            inherited.step
        );
        Some(
            Diagnostic::error("rules::effect", arg.span, message)
                .label("the law would be asked of what it was")
                .related(set, "it is set here, when the option is carried out")
                .related(inherited.law, "the law")
                .help("do the step with what is known before the choice, or name that by `let` at the top of the block"),
        )
    }

    fn go_on(&mut self, statement: &Statement) {
        if let StatementKind::Let(local, Value::Expr(value)) = &statement.kind
            && let Some(set) = self.made_late(value)
        {
            self.late.insert(*local, set);
        }
        let deeds = Deeds::of_statement(statement);
        let steps = deeds.steps.iter().flat_map(|step| self.calls.reachable(*step, &[]));
        let by_steps = steps.flat_map(|step| self.calls.sets[step.0 as usize].iter().copied());
        for column in by_steps.chain(deeds.writes.iter().copied()) {
            self.set.entry(column).or_insert(statement.span);
        }
    }
}
