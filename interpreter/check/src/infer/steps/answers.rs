//! A step that returns something does so on every way through it: whoever does it needs the answer.

use blazon_book::build;
use blazon_book::{Block, Chooser, Statement, StatementKind, Type};
use blazon_diagnostics::{Diagnostic, Span};

use crate::infer::steps::ways_out::stops;
use crate::resolve::checker::Checker;

impl Checker<'_> {
    /// Complains of a step with a result that can end without `return`.
    pub(crate) fn answered(&mut self, name: &str, ty: Type, body: &Block, span: Span) {
        let Some(place) = silent(body, span) else { return };
        let shown = self.show_one(ty);
        self.diagnostics.push(
            Diagnostic::error(
                "steps::answer",
                place,
                format!("`{name}` returns {shown}, but can end here without an answer"),
            )
            .help("write `return` with the answer here, or as the last line of the step"),
        );
    }
}

/// Where a block can end without an answer: one of its branches, or `place`, which is its own.
fn silent(block: &Block, place: Span) -> Option<Span> {
    if block.iter().any(answers) {
        return None;
    }
    let branches = block.last().map(branches).unwrap_or_default();
    branches.into_iter().find_map(|(branch, at)| silent(branch, at)).or(Some(place))
}

/// Whether a statement gives the answer, ends the game, or goes on until one of the two happens.
fn answers(statement: &Statement) -> bool {
    match &statement.kind {
        // What should stand in a hole may well return.
        StatementKind::Return(_) | StatementKind::Win(_) | StatementKind::Invalid(_) => true,
        StatementKind::If(condition, then, otherwise) => match build::constant(condition) {
            Some(true) => all(then),
            Some(false) => all(otherwise),
            None => all(then) && all(otherwise),
        },
        StatementKind::For { body, otherwise, .. } => all(body) && otherwise.as_ref().is_some_and(all),
        StatementKind::While(condition, body) => build::constant(condition) == Some(true) && !stops(body),
        StatementKind::Case { arms, otherwise, .. } => {
            arms.iter().all(|(_, block)| all(block)) && otherwise.as_ref().is_none_or(all)
        }
        StatementKind::Choose(choose) => {
            // Of several players perhaps none is asked.
            let always_asked = matches!(choose.by, Chooser::One(_));
            choose.options.iter().all(|option| all(&option.body))
                && choose.otherwise.as_ref().map_or(always_asked, all)
        }
        StatementKind::Let(..)
        | StatementKind::Assign { .. }
        | StatementKind::Stop
        | StatementKind::Say { .. }
        | StatementKind::Do(..) => false,
    }
}

fn all(block: &Block) -> bool {
    block.iter().any(answers)
}

/// The ways that a statement can take, each with its place.
fn branches(statement: &Statement) -> Vec<(&Block, Span)> {
    let place = |block: &Block| match (block.first(), block.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => statement.span,
    };
    match &statement.kind {
        StatementKind::If(_, then, otherwise) => vec![(then, place(then)), (otherwise, place(otherwise))],
        StatementKind::Case { arms, otherwise, .. } => {
            let arms = arms.iter().map(|(_, block)| block);
            arms.chain(otherwise).map(|block| (block, place(block))).collect()
        }
        StatementKind::Choose(choose) => {
            let options = choose.options.iter().map(|option| (&option.body, option.span));
            options.chain(choose.otherwise.iter().map(|block| (block, place(block)))).collect()
        }
        StatementKind::Let(..)
        | StatementKind::Assign { .. }
        | StatementKind::For { .. }
        | StatementKind::While(..)
        | StatementKind::Stop
        | StatementKind::Return(_)
        | StatementKind::Say { .. }
        | StatementKind::Do(..)
        | StatementKind::Win(_)
        | StatementKind::Invalid(_) => Vec::new(),
    }
}
