//! Which states the answer of a function hangs on: as long as they are the same, so is the answer.

use crate::ir::op_info::Reference;
use crate::ir::{Function, Op, Origin, Program, Space};

/// For each function which columns of states its answer hangs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// For each function a set of columns, of so many words; of one that hangs on more than states nothing is said.
    sets: Vec<Option<Vec<u64>>>,
}

impl Reads {
    /// The columns that a function reads, itself or through those that it asks; apart from its arguments nothing else has a
    /// part in its answer. Nothing where that cannot be said, as of a step.
    pub fn of(&self, function: u32) -> Option<impl Iterator<Item = u16> + '_> {
        let set = self.sets.get(function as usize)?.as_ref()?;
        let words = set.iter().zip(0u16..);
        Some(words.flat_map(|(&word, at)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| at * 64 + bit)
        }))
    }
}

impl Program {
    /// What its functions read of a position.
    pub fn reads(&self) -> Reads {
        let words = self.columns.len().div_ceil(64);
        let mut asks: Vec<Vec<usize>> = Vec::with_capacity(self.functions.len());
        let mut sets: Vec<Option<Vec<u64>>> = Vec::with_capacity(self.functions.len());
        for function in &self.functions {
            let (mut set, mut asked) = (Some(vec![0; words]), Vec::new());
            for op in self.code_of(function) {
                // Why a need is not met is no part of whether it is.
                let is_reason = matches!((op, function.origin), (Op::Text { .. }, Origin::Explain(_)));
                if !is_answer(op) && !is_reason {
                    set = None;
                }
                op.references(&mut |reference| match reference {
                    Reference::Column(column, _) => self.add_column(&mut set, column.into()),
                    Reference::State(word) => match self.column_of(word) {
                        Some(column) => self.add_column(&mut set, column),
                        None => set = None,
                    },
                    Reference::Rule(rule) => asked.push(usize::from(rule)),
                    Reference::Step(_) => set = None,
                    Reference::Kind(_)
                    | Reference::Links(_)
                    | Reference::Table(_)
                    | Reference::Range(_)
                    | Reference::Choice(_)
                    | Reference::Scope(_)
                    | Reference::Option { .. }
                    | Reference::Text(_)
                    | Reference::Need(_)
                    | Reference::Number(_)
                    | Reference::Pool { .. }
                    | Reference::Facts { .. } => {}
                });
            }
            asks.push(asked);
            sets.push(set);
        }
        close(&mut sets, &asks);
        Reads { sets }
    }

    fn code_of(&self, function: &Function) -> &[Op] {
        self.code.get(function.entry as usize..function.end as usize).unwrap_or_default()
    }

    /// A column of states is read; facts are the same in all positions.
    fn add_column(&self, set: &mut Option<Vec<u64>>, column: usize) {
        if self.columns.get(column).is_some_and(|of| of.space == Space::State)
            && let Some(word) = set.as_mut().and_then(|set| set.get_mut(column / 64))
        {
            *word |= 1 << (column % 64);
        }
    }

    /// The column of states that a word of a position belongs to, or to whose inverse index.
    fn column_of(&self, word: u32) -> Option<usize> {
        let word = u64::from(word);
        let is_in = |from: u32, words: u64| (u64::from(from)..u64::from(from) + words).contains(&word);
        self.columns.iter().position(|column| {
            column.space == Space::State
                && (is_in(column.offset, column.words()) || is_in(column.inverse, column.inverse_words()))
        })
    }
}

/// Who asks a function reads what it reads: until nothing is added any more.
fn close(sets: &mut [Option<Vec<u64>>], asks: &[Vec<usize>]) {
    let mut is_closed = false;
    while !is_closed {
        is_closed = true;
        for (place, asked) in asks.iter().enumerate() {
            let Some(mut own) = sets.get_mut(place).and_then(Option::take) else { continue };
            let mut is_known = true;
            for &other in asked.iter().filter(|&&other| other != place) {
                match sets.get(other).and_then(Option::as_ref) {
                    Some(read) => {
                        for (word, &more) in own.iter_mut().zip(read) {
                            is_closed &= more & !*word == 0;
                            *word |= more;
                        }
                    }
                    None => is_known = false,
                }
            }
            is_closed &= is_known;
            if let Some(set) = sets.get_mut(place).filter(|_| is_known) {
                *set = Some(own);
            }
        }
    }
}

/// Whether what an instruction gives depends on nothing but registers, facts, the map, what it asks, and the states that it
/// names. One that is not known to counts as one that hangs on more.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "to take a new instruction for one that hangs on more is safe"
)]
fn is_answer(op: &Op) -> bool {
    match op {
        Op::Load { .. }
        | Op::LoadAt { .. }
        | Op::LoadSet { .. }
        | Op::Members { .. }
        | Op::Where { .. }
        | Op::WhereBoth { .. }
        | Op::WhereIs { .. }
        | Op::Image { .. }
        | Op::Word { .. }
        | Op::WordBoth { .. }
        | Op::WordWithout { .. }
        | Op::Call { .. } => true,
        Op::Int { .. }
        | Op::Ints { .. }
        | Op::Number { .. }
        | Op::Set { .. }
        | Op::Empty { .. }
        | Op::Copy { .. }
        | Op::Copies { .. } => true,
        Op::Add { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::Div { .. }
        | Op::DivUp { .. }
        | Op::DivNearest { .. } => true,
        Op::Min { .. }
        | Op::Max { .. }
        | Op::Odd { .. }
        | Op::Not { .. }
        | Op::Index { .. }
        | Op::Fact { .. } => true,
        Op::Eq { .. }
        | Op::Ne { .. }
        | Op::Lt { .. }
        | Op::Le { .. }
        | Op::EqInt { .. }
        | Op::IsAbsent { .. } => true,
        Op::Union { .. } | Op::Both { .. } | Op::Without { .. } | Op::SetEq { .. } | Op::Insert { .. } => {
            true
        }
        Op::Delete { .. } | Op::Has { .. } | Op::Count { .. } | Op::Some { .. } | Op::First { .. } => true,
        Op::Links { .. }
        | Op::Neighbours { .. }
        | Op::NeighboursOf { .. }
        | Op::Between { .. }
        | Op::Ends { .. } => true,
        Op::Next { .. } | Op::Again { .. } | Op::NextNumber { .. } | Op::Return { .. } => true,
        Op::Reach { .. } | Op::NextWay { .. } => true,
        Op::Jump { .. }
        | Op::JumpIf { .. }
        | Op::JumpUnless { .. }
        | Op::JumpEq { .. }
        | Op::JumpNe { .. } => true,
        Op::JumpLt { .. } | Op::JumpLe { .. } | Op::JumpEqInt { .. } | Op::JumpAbsent { .. } => true,
        Op::JumpHas { .. } | Op::JumpSome { .. } | Op::Table { .. } | Op::Keep { .. } => true,
        // A count of what came up, and a need that is not met: the way to it is all that it hangs on.
        Op::Tick { .. } | Op::Refuse { .. } => true,
        _ => false,
    }
}
