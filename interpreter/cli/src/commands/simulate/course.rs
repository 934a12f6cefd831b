//! The course of a game: the outermost steps that are done again and again, whatever a game calls them.

use std::collections::VecDeque;

use blazon_check::book::{Block, Book, StatementKind, StepId, Value};

/// How many steps, each inside the one before, are counted.
const DEPTH: usize = 2;

/// The steps whose turns measure a game, the outermost first: the first step that is done in a loop, and the first
/// one that is done in a loop in it.
pub fn rounds(book: &Book) -> Vec<StepId> {
    let mut rounds = Vec::new();
    let mut looked = vec![false; book.steps.len()];
    let mut waiting = VecDeque::from([book.begins]);
    while let Some(step) = waiting.pop_front() {
        if std::mem::replace(&mut looked[step.0 as usize], true) {
            continue;
        }
        let mut done = Vec::new();
        each_step(&book.step(step).body, false, &mut |step, again| done.push((step, again)));
        let repeated = done.iter().find(|(step, again)| *again && !rounds.contains(step));
        if let Some(&(step, _)) = repeated {
            rounds.push(step);
            if rounds.len() == DEPTH {
                break;
            }
            waiting = VecDeque::from([step]);
        } else if rounds.is_empty() {
            // The loop may lie deeper, but not inside of a round: what comes again there is no round of the game.
            waiting.extend(done.into_iter().map(|(step, _)| step));
        }
    }
    rounds
}

/// Calls `found` with each step that a block does, and whether it does it in a loop.
fn each_step(block: &Block, again: bool, found: &mut dyn FnMut(StepId, bool)) {
    for statement in block {
        match &statement.kind {
            StatementKind::Do(step, _)
            | StatementKind::Let(_, Value::Step(step, _))
            | StatementKind::Assign { value: Value::Step(step, _), .. } => found(*step, again),
            StatementKind::Return(Some(Value::Step(step, _))) => found(*step, again),
            StatementKind::If(_, then, otherwise) => {
                each_step(then, again, found);
                each_step(otherwise, again, found);
            }
            StatementKind::For { body, otherwise, .. } => {
                each_step(body, true, found);
                if let Some(otherwise) = otherwise {
                    each_step(otherwise, again, found);
                }
            }
            StatementKind::While(_, body) => each_step(body, true, found),
            StatementKind::Case { arms, otherwise, .. } => {
                for (_, arm) in arms {
                    each_step(arm, again, found);
                }
                if let Some(otherwise) = otherwise {
                    each_step(otherwise, again, found);
                }
            }
            StatementKind::Choose(choose) => {
                for option in &choose.options {
                    each_step(&option.body, again, found);
                }
                if let Some(otherwise) = &choose.otherwise {
                    each_step(otherwise, again, found);
                }
            }
            StatementKind::Let(..)
            | StatementKind::Assign { .. }
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Say { .. }
            | StatementKind::Win(_) => {}
        }
    }
}
