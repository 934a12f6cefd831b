//! Steps that end the game whatever happens: nothing behind them is ever done.

use std::collections::BTreeSet;

use blazon_syntax::ast;

use crate::infer::options::can::call_of;
use crate::merge::merged::Merged;
use crate::merge::visit::may_leave;

/// The steps, by place, in which somebody wins on every way through them. Choices and loops are not looked into: whether they
/// come to a win is not plain from their text.
pub(crate) fn sure_wins(merged: &Merged) -> BTreeSet<usize> {
    let mut sure = BTreeSet::new();
    // Each turn finds those that do one that is known, until there are no more.
    loop {
        let found: BTreeSet<usize> = (0..merged.steps.len())
            .filter(|&place| !sure.contains(&place) && wins(merged, &sure, &merged.steps[place].step.body))
            .collect();
        if found.is_empty() {
            return sure;
        }
        sure.extend(found);
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
