//! The course of a game: the outermost steps that are done again and again, whatever a game calls them.

use std::collections::VecDeque;

use blazon_book::graph::handed_on;
use blazon_book::walk::Deeds;
use blazon_book::{Block, Book, StatementKind, StepId, Value};

/// So many steps of the outermost loop are counted.
const MOST: usize = 4;

/// The steps whose turns measure a game: those that are done in its outermost loop, the first four of them, and then
/// the first that is done in a loop in one of these. Steps in which somebody decides come before others, such as one that deals
/// cards to each.
pub fn rounds(book: &Book) -> Vec<StepId> {
    let mut rounds: Vec<StepId> = Vec::new();
    let mut looked = vec![false; book.steps.len()];
    let mut waiting = VecDeque::from([book.begins]);
    let mut inside = false;
    let decides = decides(book);
    while let Some(step) = waiting.pop_front() {
        if std::mem::replace(&mut looked[step.0 as usize], true) {
            continue;
        }
        let (mut once, mut repeated) = (Vec::new(), Vec::new());
        each_step(book, &book.step(step).body, false, &mut |step, again| {
            let list = if again { &mut repeated } else { &mut once };
            if !has(book, list, step) {
                list.push(step);
            }
        });
        repeated.retain(|&step| !has(book, &rounds, step));
        repeated.sort_by_key(|step| !decides[step.0 as usize]);
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

/// Whether somebody decides in each step, or in one that it does.
fn decides(book: &Book) -> Vec<bool> {
    let deeds: Vec<Deeds> = book.steps.iter().map(|step| Deeds::of_block(&step.body)).collect();
    let does = |deeds: &Deeds| deeds.steps.iter().map(|step| step.0 as usize).collect();
    handed_on(&deeds.iter().map(does).collect::<Vec<_>>(), deeds.iter().map(|deeds| deeds.chooses).collect())
}

/// Whether there is a step among some, or another that changes made of the same.
fn has(book: &Book, steps: &[StepId], step: StepId) -> bool {
    steps.iter().any(|&other| book.step(other).title() == book.step(step).title())
}

/// The steps that measure games by two rule sets that are compared, by names: for each side its own, and what the other's
/// are called if it has such a step, too. Those of the rules as they were stand first in both.
pub fn rounds_of_both(base: &Book, changed: &Book) -> [Vec<StepId>; 2] {
    let (old, new) = (rounds(base), rounds(changed));
    let mut names: Vec<&str> = old.iter().map(|&step| base.step(step).title()).collect();
    for &step in &new {
        let name = changed.step(step).title();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    [(base, &old), (changed, &new)].map(|(book, own)| {
        let of = |name: &&str| {
            let own = own.iter().copied().find(|&step| book.step(step).title() == *name);
            own.or_else(|| {
                let place = book.steps.iter().position(|step| !step.is_part && step.title() == *name)?;
                Some(StepId(u32::try_from(place).ok()?))
            })
        };
        names.iter().filter_map(of).collect()
    })
}

/// Calls `found` with each step that a block does, and whether it does it in a loop; a part of a step, which changes have
/// made of it, is looked into.
fn each_step(book: &Book, block: &Block, again: bool, found: &mut dyn FnMut(StepId, bool)) {
    for statement in block {
        match &statement.kind {
            StatementKind::Do(step, _)
            | StatementKind::Let(_, Value::Step(step, _))
            | StatementKind::Assign { value: Value::Step(step, _), .. }
            | StatementKind::Return(Some(Value::Step(step, _))) => match book.step(*step) {
                part if part.is_part => each_step(book, &part.body, again, found),
                _ => found(*step, again),
            },
            StatementKind::If(_, then, otherwise) => {
                each_step(book, then, again, found);
                each_step(book, otherwise, again, found);
            }
            StatementKind::For { body, otherwise, .. } => {
                each_step(book, body, true, found);
                if let Some(otherwise) = otherwise {
                    each_step(book, otherwise, again, found);
                }
            }
            StatementKind::While(_, body) => each_step(book, body, true, found),
            StatementKind::Case { arms, otherwise, .. } => {
                for (_, arm) in arms {
                    each_step(book, arm, again, found);
                }
                if let Some(otherwise) = otherwise {
                    each_step(book, otherwise, again, found);
                }
            }
            StatementKind::Choose(choose) => {
                for option in &choose.options {
                    each_step(book, &option.body, again, found);
                }
                if let Some(otherwise) = &choose.otherwise {
                    each_step(book, otherwise, again, found);
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
