//! Statements that only tell. Whether something is told, and of whom, is a matter of words: no rule is broken with it.

use blazon_syntax::ast::{Block, Statement, StatementKind};

/// Whether a statement does nothing but say and announce, on whatever condition.
pub fn only(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Say { .. } => true,
        StatementKind::If(_, then, otherwise) => all(then) && otherwise.as_ref().is_none_or(all),
        StatementKind::For { body, otherwise, .. } | StatementKind::With { body, otherwise, .. } => {
            all(body) && otherwise.as_ref().is_none_or(all)
        }
        StatementKind::Let(..)
        | StatementKind::While(..)
        | StatementKind::Case { .. }
        | StatementKind::Stop
        | StatementKind::Return(_)
        | StatementKind::Choose(_)
        | StatementKind::Assign { .. }
        | StatementKind::Do(_) => false,
    }
}

fn all(block: &Block) -> bool {
    block.statements.iter().all(only)
}
