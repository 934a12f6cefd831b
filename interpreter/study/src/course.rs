//! The course of a game: the outermost steps that are done again and again, whatever a game calls them.

use std::collections::VecDeque;

use blazon_book::{Block, Book, StatementKind, StepId, Value};

/// So many steps of the outermost loop are counted.
const MOST: usize = 4;

/// The steps whose turns measure a game: those that are done in its outermost loop, the first four of them, and then
/// the first that is done in a loop in one of these.
pub fn rounds(book: &Book) -> Vec<StepId> {
    let mut rounds: Vec<StepId> = Vec::new();
    let mut looked = vec![false; book.steps.len()];
    let mut waiting = VecDeque::from([book.begins]);
    let mut inside = false;
    while let Some(step) = waiting.pop_front() {
        if std::mem::replace(&mut looked[step.0 as usize], true) {
            continue;
        }
        let (mut once, mut repeated) = (Vec::new(), Vec::new());
        each_step(&book.step(step).body, false, &mut |step, again| {
            let list = if again { &mut repeated } else { &mut once };
            if !list.contains(&step) {
                list.push(step);
            }
        });
        repeated.retain(|step| !rounds.contains(step));
        if inside {
            if let Some(&step) = repeated.first() {
                rounds.push(step);
                break;
            }
        } else if repeated.is_empty() {
            // The loop may lie deeper.
            waiting.extend(once);
        } else {
            repeated.truncate(MOST);
            rounds.extend(&repeated);
            waiting = VecDeque::from(repeated);
            inside = true;
        }
    }
    rounds
}

/// The steps that measure games by two rule sets that are compared, by names: for each side its own, and what the other's
/// are called if it has such a step, too. Those of the rules as they were stand first in both.
pub fn rounds_of_both(base: &Book, changed: &Book) -> [Vec<StepId>; 2] {
    let (old, new) = (rounds(base), rounds(changed));
    let mut names: Vec<&str> = old.iter().map(|&step| base.step(step).name.as_str()).collect();
    for &step in &new {
        let name = changed.step(step).name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    [(base, &old), (changed, &new)].map(|(book, own)| {
        let of = |name: &&str| {
            let own = own.iter().copied().find(|&step| book.step(step).name == *name);
            own.or_else(|| {
                let place = book.steps.iter().position(|step| step.name == *name)?;
                Some(StepId(u32::try_from(place).ok()?))
            })
        };
        names.iter().filter_map(of).collect()
    })
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
            | StatementKind::Win(_)
            | StatementKind::Invalid(_) => {}
        }
    }
}
