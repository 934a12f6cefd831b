//! Steps that end the game whatever happens: nothing behind them is ever done.

use std::collections::{BTreeMap, BTreeSet};

use blazon_syntax::ast;
use blazon_syntax::ast::visit::{Visit, walk_statement};

use crate::infer::options::can::call_of;
use crate::merge::merged::Merged;
use crate::merge::visit::may_leave;

/// The steps, by place, in which somebody wins on every way through them. Choices and loops are not looked into: whether they
/// come to a win is not plain from their text.
pub(crate) fn sure_wins(merged: &Merged) -> BTreeSet<usize> {
    let mut sure = BTreeSet::new();
    // A step is looked at anew when one that it does has been found.
    let mut callers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for place in 0..merged.steps.len() {
        let mut done = Done { merged, steps: BTreeSet::new() };
        done.visit_block(&merged.steps[place].step.body);
        done.steps.into_iter().for_each(|step| callers.entry(step).or_default().push(place));
    }
    let mut waiting: BTreeSet<usize> = (0..merged.steps.len()).collect();
    while !waiting.is_empty() {
        waiting.retain(|&place| wins(merged, &sure, &merged.steps[place].step.body));
        sure.extend(&waiting);
        let callers = waiting.iter().filter_map(|place| callers.get(place)).flatten();
        waiting = callers.copied().filter(|place| !sure.contains(place)).collect();
    }
    sure
}

/// The steps that a block does.
struct Done<'m> {
    merged: &'m Merged,
    steps: BTreeSet<usize>,
}

impl<'t> Visit<'t> for Done<'_> {
    fn visit_statement(&mut self, statement: &'t ast::Statement) {
        if let ast::StatementKind::Do(expr) = &statement.kind
            && let Some((_, call)) = call_of(expr)
        {
            self.steps.extend(self.merged.steps.place(&call.name.text));
        }
        walk_statement(self, statement);
    }
}

/// Whether the game is over behind a block, on every way through it that stays in the step.
fn wins(merged: &Merged, sure: &BTreeSet<usize>, block: &ast::Block) -> bool {
    for statement in &block.statements {
        if statement_wins(merged, sure, statement) {
            return true;
        }
        if may_leave(statement) {
            return false;
        }
    }
    false
}

fn statement_wins(merged: &Merged, sure: &BTreeSet<usize>, statement: &ast::Statement) -> bool {
    let block_wins = |block: &ast::Block| wins(merged, sure, block);
    let else_wins = |block: &Option<ast::Block>| block.as_ref().is_some_and(block_wins);
    match &statement.kind {
        ast::StatementKind::Do(expr) => call_of(expr).is_some_and(|(target, call)| {
            let args = call.args.len() + usize::from(target.is_some());
            match merged.steps.place(&call.name.text) {
                Some(step) => sure.contains(&step),
                None => call.name.text == "win" && args == 1,
            }
        }),
        ast::StatementKind::If(_, body, otherwise) | ast::StatementKind::With { body, otherwise, .. } => {
            block_wins(body) && else_wins(otherwise)
        }
        ast::StatementKind::Case { whens, otherwise, .. } => {
            whens.iter().all(|when| block_wins(&when.body)) && else_wins(otherwise)
        }
        ast::StatementKind::Let(..)
        | ast::StatementKind::For { .. }
        | ast::StatementKind::While(..)
        | ast::StatementKind::Stop
        | ast::StatementKind::Return(_)
        | ast::StatementKind::Choose(_)
        | ast::StatementKind::Say { .. }
        | ast::StatementKind::Assign { .. } => false,
    }
}
