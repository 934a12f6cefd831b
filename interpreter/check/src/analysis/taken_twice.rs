//! What two players may both take, who are asked at once: an option that is open for things of which something holds, and
//! whose block makes that hang on who took it. Who is carried out later took what is no longer there, and nobody asked again.
//! What comes to the same whoever does it, and however often, is no matter.

use std::collections::BTreeSet;

use blazon_book::walk::{Named, Reads, Visit, walk_choose};
use blazon_book::{
    Block, Book, ChoiceOption, Choose, Chooser, ColumnId, Expr, ExprKind, LocalId, StatementKind, StepId,
};
use blazon_diagnostics::Diagnostic;

use crate::project::{Layer, Parsed};

/// Warns of it.
pub(crate) fn taken_twice(book: &Book, parsed: &Parsed, diagnostics: &mut Vec<Diagnostic>) {
    let mut finder = Finder { book, found: Vec::new() };
    book.steps.iter().for_each(|step| finder.visit_block(&step.body));
    for said in finder.found {
        // Whoever plays by the library cannot mend it.
        if said.span.is_some_and(|span| parsed.layer_of(span.source) != Some(Layer::Library)) {
            diagnostics.push(said);
        }
    }
}

struct Finder<'b> {
    book: &'b Book,
    found: Vec<Diagnostic>,
}

impl<'b> Visit<'b> for Finder<'b> {
    fn visit_choose(&mut self, choose: &'b Choose) {
        if let Chooser::Each(asked, _) = &choose.by {
            choose.options.iter().for_each(|option| self.option(option, *asked));
        }
        walk_choose(self, choose);
    }
}

impl Finder<'_> {
    fn option(&mut self, option: &ChoiceOption, asked: LocalId) {
        for binder in &option.binders {
            let needs = option.needs.iter().map(|need| &need.condition);
            let conditions = binder.filter.iter().chain(needs);
            let about: Vec<&Expr> =
                conditions.filter(|condition| named(condition).contains(&binder.local)).collect();
            // What is open to each by what is his own is not open to another.
            let hangs_on_who = |expr: &&Expr| named(expr).contains(&asked);
            if about.iter().chain([&&binder.source]).any(hangs_on_who) {
                continue;
            }
            let set = self.set(&option.body, (binder.local, asked), &mut BTreeSet::new());
            let mut states = about.iter().flat_map(|condition| columns_of(condition, binder.local));
            let Some(column) = states.find(|column| set.contains(column)) else { continue };
            let state = &self.book.column(column).name;
            let name = self.book.text(binder.source.span);
            let message = format!("two who are asked at once may both take the same of `{name}`");
            let said = Diagnostic::warning("lint::taken-twice", option.span, message)
                .label(format!("open by its `{state}`, which the block sets"))
                .help(format!(
                    "the blocks are done one after the other: ask for `{state}` once more in the block, `if … {{ … }}`"
                ));
            self.found.push(said);
        }
    }

    /// The states that a block surely sets of what a variable holds, before it asks for them, to what hangs on who is asked.
    fn set(
        &self,
        block: &Block,
        (of, asked): (LocalId, LocalId),
        met: &mut BTreeSet<(StepId, usize, usize)>,
    ) -> BTreeSet<ColumnId> {
        let (mut set, mut read) = (BTreeSet::new(), BTreeSet::new());
        for statement in block {
            match &statement.kind {
                StatementKind::Assign { column, keys, value, .. } if keys.iter().any(|key| is(key, of)) => {
                    let mut named = Named::default();
                    named.visit_value(value);
                    if named.0.contains(&asked) && !read.contains(column) {
                        set.insert(*column);
                    }
                }
                StatementKind::Do(step, args) => {
                    let place = |local: LocalId| args.iter().position(|arg| is(arg, local));
                    if let Some((thing, who)) = place(of).zip(place(asked))
                        && met.insert((*step, thing, who))
                    {
                        let params = (LocalId(thing as u32), LocalId(who as u32));
                        let done = self.set(&self.book.step(*step).body, params, met);
                        set.extend(done.difference(&read));
                    }
                }
                StatementKind::Let(..)
                | StatementKind::Assign { .. }
                | StatementKind::If(..)
                | StatementKind::For { .. }
                | StatementKind::While(..)
                | StatementKind::Case { .. }
                | StatementKind::Stop
                | StatementKind::Return(_)
                | StatementKind::Choose(_)
                | StatementKind::Say { .. }
                | StatementKind::Win(_)
                | StatementKind::Invalid(_) => {}
            }
            read.extend(Reads::of_statement(statement).columns);
        }
        set
    }
}

/// Whether an expression is a variable.
fn is(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(own) if own == local)
}

fn named(expr: &Expr) -> BTreeSet<LocalId> {
    let mut named = Named::default();
    named.visit_expr(expr);
    named.0
}

/// The states and facts that an expression asks of a variable itself.
fn columns_of(expr: &Expr, of: LocalId) -> Vec<ColumnId> {
    let mut columns = Vec::new();
    blazon_book::walk::each_expr(expr, &mut |part| {
        if let ExprKind::Column(column, keys) = &part.kind
            && keys.iter().any(|key| is(key, of))
        {
            columns.push(*column);
        }
    });
    columns
}
