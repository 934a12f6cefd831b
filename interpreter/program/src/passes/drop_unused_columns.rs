//! Where the columns lie in the end: what nothing asks by value gets no inverse index, and what nothing reads or writes
//! no space in the position. Rulings and variants leave many such states behind.

use crate::ir::op_info::{Reference, Shape};
use crate::ir::{ABSENT, Column, Program, RESERVED, Space};

/// The most words of an inverse index, beside which searching the entries is slow. A larger one would make positions
/// slow to copy.
const LARGEST_INDEX: u64 = 256;

/// What instructions do with a column.
#[derive(Clone, Copy, Default)]
struct Use {
    by_value: bool,
    written: bool,
}

/// Lays the columns of states out anew.
pub(crate) fn pack(program: &mut Program) {
    let uses = uses(program);
    let mut next = RESERVED as u64;
    for place in order(program) {
        let (of, column) = (uses[place], program.columns[place]);
        // What lies on the machine's own words stays there.
        if column.space == Space::Fact || (column.offset as usize) < RESERVED {
            continue;
        }
        if !of.written && !of.by_value {
            let column = printed(program, column);
            program.columns[place] = column;
            continue;
        }
        let column = &mut program.columns[place];
        column.offset = next as u32;
        next += column.words();
        let index = (column.hi.max(-1) + 2) as u64 * u64::from(column.key_words);
        if of.by_value && index <= LARGEST_INDEX {
            column.inverse = next as u32;
            next += index;
        }
    }
    let columns = &program.columns;
    program.scopes.iter_mut().for_each(|scope| scope.retain(|&c| columns[c as usize].space == Space::State));
    program.state_words = next as usize;
}

/// A state that nothing writes is the same in all positions: it lies among the facts.
fn printed(program: &mut Program, mut column: Column) -> Column {
    let words = column.words() as usize;
    column.space = Space::Fact;
    column.offset = program.facts.len() as u32;
    program.facts.resize(program.facts.len() + words, 0);
    if column.set_words == 0 {
        let start = if column.optional { ABSENT } else { 0.clamp(column.lo, column.hi.max(column.lo)) };
        for key in 0..column.len as usize {
            column.store(&mut program.facts, key, start);
        }
    }
    column
}

/// What is fresh together lies together, so that it is reset at one stroke.
fn order(program: &Program) -> Vec<usize> {
    let scopes_of = |place: usize| -> Vec<usize> {
        let holds = |scope: &usize| program.scopes[*scope].contains(&(place as u16));
        (0..program.scopes.len()).filter(holds).collect()
    };
    let mut order: Vec<usize> = (0..program.columns.len()).collect();
    order.sort_by_cached_key(|&place| scopes_of(place));
    order
}

fn uses(program: &Program) -> Vec<Use> {
    let mut uses = vec![Use::default(); program.columns.len()];
    let mut used = |reference| {
        let Reference::Column(column, shape) = reference else { return };
        let used = &mut uses[column as usize];
        match shape {
            Shape::ByValue | Shape::Indexed => used.by_value = true,
            Shape::KeptScalar | Shape::KeptSets => used.written = true,
            Shape::Scalar | Shape::Sets | Shape::Flags | Shape::Things(_) => {}
        }
    };
    program.code.iter().for_each(|op| op.references(&mut used));
    // A start that is worked out is written when a game begins.
    program.starts.iter().for_each(|(column, _)| uses[*column as usize].written = true);
    uses
}
