//! What an instruction touches: its registers, its jump, what it reads and writes.

use crate::ir::{DICE_WORDS, Op, Pc, Program, Reg};

/// Asks for every register of an instruction, to move it.
pub(crate) fn registers(op: &mut Op, f: &mut dyn FnMut(&mut Reg)) {
    match op {
        Op::Int { dst, .. } | Op::Number { dst, .. } | Op::Set { dst, .. } | Op::Empty { dst, .. } => f(dst),
        Op::Members { dst, .. } | Op::WhereIs { dst, .. } | Op::Word { dst, .. } => f(dst),
        Op::Copy { dst, src, .. } => {
            f(dst);
            f(src);
        }
        Op::Add { dst, a, b }
        | Op::Sub { dst, a, b }
        | Op::Mul { dst, a, b }
        | Op::Div { dst, a, b }
        | Op::Min { dst, a, b }
        | Op::Max { dst, a, b }
        | Op::Eq { dst, a, b }
        | Op::Ne { dst, a, b }
        | Op::Lt { dst, a, b }
        | Op::Le { dst, a, b }
        | Op::Index { dst, a, b, .. }
        | Op::Union { dst, a, b, .. }
        | Op::Both { dst, a, b, .. }
        | Op::Without { dst, a, b, .. }
        | Op::SetEq { dst, a, b, .. }
        | Op::JumpEq { dst, a, b, .. }
        | Op::JumpNe { dst, a, b, .. }
        | Op::JumpLt { dst, a, b, .. }
        | Op::JumpLe { dst, a, b, .. }
        | Op::Between { dst, a, b, .. } => {
            f(dst);
            f(a);
            f(b);
        }
        Op::Copies { dst, src, dst2, src2 } => [dst, src, dst2, src2].into_iter().for_each(f),
        Op::WordBoth { dst, a, read, .. } | Op::WordWithout { dst, a, read, .. } => {
            [dst, a, read].into_iter().for_each(f);
        }
        Op::WhereBoth { dst, a, read, value, .. } => [dst, a, read, value].into_iter().for_each(f),
        Op::Odd { dst, a }
        | Op::EqInt { dst, a, .. }
        | Op::IsAbsent { dst, a }
        | Op::JumpEqInt { dst, a, .. }
        | Op::JumpAbsent { dst, a, .. }
        | Op::Not { dst, a }
        | Op::Links { dst, a, .. }
        | Op::Neighbours { dst, a, .. }
        | Op::Ends { dst, a, .. } => {
            f(dst);
            f(a);
        }
        Op::Load { dst, key, .. }
        | Op::Fact { dst, key, .. }
        | Op::LoadSet { dst, key, .. }
        | Op::MixSite { dst, key, .. } => {
            f(dst);
            f(key);
        }
        Op::Store { key, src, .. } | Op::StoreSet { key, src, .. } => {
            f(key);
            f(src);
        }
        Op::Where { dst, value, .. } => {
            f(dst);
            f(value);
        }
        Op::Image { dst, set, .. } | Op::NeighboursOf { dst, set, .. } => {
            f(dst);
            f(set);
        }
        Op::Insert { set, elem } | Op::Delete { set, elem } => {
            f(set);
            f(elem);
        }
        Op::Next { set, elem, .. } => {
            f(set);
            f(elem);
        }
        Op::Has { dst, set, elem } | Op::JumpHas { dst, set, elem, .. } => {
            f(dst);
            f(set);
            f(elem);
        }
        Op::Count { dst, set, .. }
        | Op::Some { dst, set, .. }
        | Op::JumpSome { dst, set, .. }
        | Op::First { dst, set, .. } => {
            f(dst);
            f(set);
        }
        Op::Alike { set, .. } => f(set),
        Op::NextNumber { counter, limit, .. } => {
            f(counter);
            f(limit);
        }
        Op::NextDie { dice, die, .. } => {
            f(dice);
            f(die);
        }
        Op::Push { seq, elem } | Op::NextOf { seq, elem, .. } => {
            f(seq);
            f(elem);
        }
        Op::PushAll { seq, set, .. } => {
            f(seq);
            f(set);
        }
        Op::JumpIf { a, .. } | Op::JumpUnless { a, .. } => f(a),
        Op::Call { args, dst, .. } | Op::Table { args, dst, .. } => {
            f(args);
            f(dst);
        }
        Op::Do { args, dst, key, .. } => {
            f(args);
            f(dst);
            f(key);
        }
        Op::Return { src } => f(src),
        Op::Win { player } => f(player),
        Op::MixValue { dst, key, value, .. } => {
            f(dst);
            f(key);
            f(value);
        }
        Op::MixSet { dst, key, set, .. } => {
            f(dst);
            f(key);
            f(set);
        }
        Op::MixCount { dst, key, slots } => {
            f(dst);
            f(key);
            f(slots);
        }
        Op::Die { dst, sides, key } => {
            f(dst);
            f(sides);
            f(key);
        }
        Op::Dice { dst, sides, count, key } => {
            f(dst);
            f(sides);
            f(count);
            f(key);
        }
        Op::Draw { dst, set, count, key, .. } => {
            f(dst);
            f(set);
            f(count);
            f(key);
        }
        Op::Emit { args, .. } => f(args),
        Op::EmitAll { args, set, .. } => {
            f(args);
            f(set);
        }
        Op::Reset { .. }
        | Op::Jump { .. }
        | Op::Over
        | Op::Done
        | Op::Clash
        | Op::Choose { .. }
        | Op::EachNext { .. }
        | Op::Text { .. }
        | Op::Say { .. }
        | Op::Refuse { .. } => {}
    }
}

/// Where an instruction may jump to.
pub(crate) fn target(op: &mut Op) -> Option<&mut Pc> {
    match op {
        Op::Jump { to } | Op::JumpIf { to, .. } | Op::JumpUnless { to, .. } => Some(to),
        Op::JumpEq { to, .. } | Op::JumpNe { to, .. } | Op::JumpLt { to, .. } | Op::JumpLe { to, .. } => {
            Some(to)
        }
        Op::JumpEqInt { to, .. } | Op::JumpAbsent { to, .. } => Some(to),
        Op::JumpHas { to, .. } | Op::JumpSome { to, .. } => Some(to),
        Op::Next { exit, .. }
        | Op::NextNumber { exit, .. }
        | Op::NextDie { exit, .. }
        | Op::NextOf { exit, .. } => Some(exit),
        _ => None,
    }
}

/// How many places an instruction takes: those that do the work of two have the second behind them.
pub(crate) fn length(op: &Op) -> Pc {
    match op {
        Op::Copies { .. }
        | Op::WordBoth { .. }
        | Op::WordWithout { .. }
        | Op::WhereBoth { .. }
        | Op::JumpEq { .. }
        | Op::JumpNe { .. }
        | Op::JumpLt { .. }
        | Op::JumpLe { .. }
        | Op::JumpEqInt { .. }
        | Op::JumpAbsent { .. }
        | Op::JumpHas { .. }
        | Op::JumpSome { .. } => 2,
        _ => 1,
    }
}

/// Whether nothing comes after an instruction (where it does not jump).
pub(crate) fn ends(op: &Op) -> bool {
    matches!(
        op,
        Op::Jump { .. }
            | Op::Return { .. }
            | Op::Win { .. }
            | Op::Over
            | Op::Done
            | Op::Clash
            | Op::Choose { .. }
            | Op::EachNext { .. }
            | Op::Refuse { .. }
    )
}

/// Whether only steps may have it.
pub(crate) fn is_effect(op: &Op) -> bool {
    matches!(
        op,
        Op::Store { .. }
            | Op::StoreSet { .. }
            | Op::Reset { .. }
            | Op::Do { .. }
            | Op::Win { .. }
            | Op::Over
            | Op::Done
            | Op::MixSite { .. }
            | Op::MixValue { .. }
            | Op::MixSet { .. }
            | Op::MixCount { .. }
            | Op::Die { .. }
            | Op::Dice { .. }
            | Op::Draw { .. }
            | Op::Choose { .. }
            | Op::EachNext { .. }
            | Op::Emit { .. }
            | Op::EmitAll { .. }
            | Op::Say { .. }
    )
}

/// The registers that an instruction reads and writes: first word and how many.
#[derive(Default)]
pub(crate) struct Touch {
    pub reads: Vec<(Reg, usize)>,
    pub writes: Vec<(Reg, usize)>,
}

impl Touch {
    fn new(reads: &[(Reg, usize)], writes: &[(Reg, usize)]) -> Self {
        Self { reads: reads.to_vec(), writes: writes.to_vec() }
    }
}

/// What an instruction touches. Numbers of columns, functions … must have been found to be in range.
pub(crate) fn touch(program: &Program, op: &Op) -> Touch {
    let kind_words = |kind: u16| program.kinds[kind as usize].words as usize;
    let end_words = |kind: u16| {
        let ends = program.book.kinds[kind as usize].ends;
        ends.map_or(1, |(end, _)| program.kinds[end.0 as usize].words as usize)
    };
    let column = |column: u16| &program.columns[column as usize];
    match *op {
        Op::Int { dst, .. } | Op::Number { dst, .. } => Touch::new(&[], &[(dst, 1)]),
        Op::Set { dst, words, .. } | Op::Empty { dst, words } => Touch::new(&[], &[(dst, words.into())]),
        Op::Copy { dst, src, words } => Touch::new(&[(src, words.into())], &[(dst, words.into())]),
        Op::Add { dst, a, b }
        | Op::Sub { dst, a, b }
        | Op::Mul { dst, a, b }
        | Op::Div { dst, a, b }
        | Op::Min { dst, a, b }
        | Op::Max { dst, a, b }
        | Op::Eq { dst, a, b }
        | Op::Ne { dst, a, b }
        | Op::Lt { dst, a, b }
        | Op::Le { dst, a, b }
        | Op::Index { dst, a, b, .. }
        | Op::JumpEq { dst, a, b, .. }
        | Op::JumpNe { dst, a, b, .. }
        | Op::JumpLt { dst, a, b, .. }
        | Op::JumpLe { dst, a, b, .. }
        | Op::Between { dst, a, b, .. } => Touch::new(&[(a, 1), (b, 1)], &[(dst, 1)]),
        Op::Odd { dst, a }
        | Op::EqInt { dst, a, .. }
        | Op::IsAbsent { dst, a }
        | Op::JumpEqInt { dst, a, .. }
        | Op::JumpAbsent { dst, a, .. }
        | Op::Not { dst, a } => Touch::new(&[(a, 1)], &[(dst, 1)]),
        Op::Fact { dst, key, .. } => Touch::new(&[(key, 1)], &[(dst, 1)]),
        Op::Word { dst, .. } => Touch::new(&[], &[(dst, 1)]),
        Op::WhereIs { dst, column: c, .. } => Touch::new(&[], &[(dst, column(c).key_words.into())]),
        // In the order in which they are done: what is written first may be read then.
        Op::Copies { dst, src, dst2, src2 } if src2 == dst => Touch::new(&[(src, 1)], &[(dst, 1), (dst2, 1)]),
        Op::Copies { dst, src, dst2, src2 } => Touch::new(&[(src, 1), (src2, 1)], &[(dst, 1), (dst2, 1)]),
        Op::WordBoth { dst, a, read, .. } | Op::WordWithout { dst, a, read, .. } => {
            Touch::new(&[(a, 1)], &[(read, 1), (dst, 1)])
        }
        Op::WhereBoth { dst, a, read, value, .. } => {
            Touch::new(&[(a, 1), (value, 1)], &[(read, 1), (dst, 1)])
        }
        Op::Load { dst, column: c, key } => match column(c).len {
            1 => Touch::new(&[], &[(dst, 1)]),
            _ => Touch::new(&[(key, 1)], &[(dst, 1)]),
        },
        Op::Store { column: c, key, src } => match column(c).len {
            1 => Touch::new(&[(src, 1)], &[]),
            _ => Touch::new(&[(key, 1), (src, 1)], &[]),
        },
        Op::LoadSet { dst, column: c, key } => {
            let words = column(c).set_words as usize;
            match column(c).len {
                1 => Touch::new(&[], &[(dst, words)]),
                _ => Touch::new(&[(key, 1)], &[(dst, words)]),
            }
        }
        Op::StoreSet { column: c, key, src } => {
            let words = column(c).set_words as usize;
            match column(c).len {
                1 => Touch::new(&[(src, words)], &[]),
                _ => Touch::new(&[(key, 1), (src, words)], &[]),
            }
        }
        Op::Members { dst, column: c } => Touch::new(&[], &[(dst, column(c).key_words.into())]),
        Op::Where { dst, column: c, value } => {
            Touch::new(&[(value, 1)], &[(dst, column(c).key_words.into())])
        }
        Op::Image { dst, column: c, set, words } => {
            Touch::new(&[(set, column(c).key_words.into())], &[(dst, words.into())])
        }
        Op::Union { dst, a, b, words } | Op::Both { dst, a, b, words } | Op::Without { dst, a, b, words } => {
            Touch::new(&[(a, words.into()), (b, words.into())], &[(dst, words.into())])
        }
        Op::SetEq { dst, a, b, words } => Touch::new(&[(a, words.into()), (b, words.into())], &[(dst, 1)]),
        Op::Insert { set, elem } | Op::Delete { set, elem } => Touch::new(&[(set, 1), (elem, 1)], &[]),
        Op::Has { dst, set, elem } | Op::JumpHas { dst, set, elem, .. } => {
            Touch::new(&[(set, 1), (elem, 1)], &[(dst, 1)])
        }
        Op::Count { dst, set, words }
        | Op::Some { dst, set, words }
        | Op::JumpSome { dst, set, words, .. }
        | Op::First { dst, set, words } => Touch::new(&[(set, words.into())], &[(dst, 1)]),
        Op::Alike { set, kind } => Touch::new(&[(set, kind_words(kind))], &[]),
        Op::Links { dst, kind, a } => Touch::new(&[(a, 1)], &[(dst, kind_words(kind))]),
        Op::Neighbours { dst, kind, a } | Op::Ends { dst, kind, a } => {
            Touch::new(&[(a, 1)], &[(dst, end_words(kind))])
        }
        Op::NeighboursOf { dst, kind, set } => {
            Touch::new(&[(set, end_words(kind))], &[(dst, end_words(kind))])
        }
        Op::Next { set, words, elem, .. } => Touch::new(&[(set, words.into())], &[(elem, 1)]),
        Op::NextNumber { counter, limit, .. } => Touch::new(&[(counter, 1), (limit, 1)], &[]),
        Op::NextDie { dice, die, .. } => Touch::new(&[(dice, DICE_WORDS)], &[(die, 1)]),
        Op::Push { seq, elem } => Touch::new(&[(seq, 2), (elem, 1)], &[]),
        Op::PushAll { seq, set, words } => Touch::new(&[(seq, 2), (set, words.into())], &[]),
        Op::NextOf { seq, elem, .. } => Touch::new(&[(seq, 2)], &[(elem, 1)]),
        Op::JumpIf { a, .. } | Op::JumpUnless { a, .. } => Touch::new(&[(a, 1)], &[]),
        Op::Call { function, args, dst } => {
            let f = &program.functions[function as usize];
            Touch::new(&[(args, f.param_words.into())], &[(dst, f.result_words.into())])
        }
        Op::Do { function, args, dst, key } => {
            let f = &program.functions[function as usize];
            Touch::new(&[(args, f.param_words.into()), (key, 1)], &[(dst, f.result_words.into())])
        }
        // How much is returned is known by the function it stands in.
        Op::Return { .. } => Touch::default(),
        Op::Table { dst, table, args } => {
            let leading = program.tables[table as usize].leading as usize;
            Touch::new(&[(args, leading + 1)], &[(dst, 1)])
        }
        Op::Win { player } => Touch::new(&[(player, 1)], &[]),
        Op::MixSite { dst, key, .. } => Touch::new(&[(key, 1)], &[(dst, 1)]),
        Op::MixValue { dst, key, value, .. } => Touch::new(&[(key, 1), (value, 1)], &[(dst, 1)]),
        Op::MixSet { dst, key, set, kind } => Touch::new(&[(key, 1), (set, kind_words(kind))], &[(dst, 1)]),
        Op::MixCount { dst, key, slots } => Touch::new(&[(key, 1), (slots, 4)], &[(dst, 1)]),
        Op::Die { dst, sides, key } => Touch::new(&[(sides, 1), (key, 1)], &[(dst, 1)]),
        Op::Dice { dst, sides, count, key } => {
            Touch::new(&[(sides, 1), (count, 1), (key, 1)], &[(dst, DICE_WORDS)])
        }
        Op::Draw { dst, set, count, key, kind } => {
            Touch::new(&[(set, kind_words(kind)), (count, 1), (key, 1)], &[(dst, kind_words(kind))])
        }
        Op::Emit { args, count, .. } => Touch::new(&[(args, count.into())], &[]),
        Op::EmitAll { args, count, set, words, .. } => {
            Touch::new(&[(args, usize::from(count).saturating_sub(1)), (set, words.into())], &[])
        }
        Op::Reset { .. }
        | Op::Jump { .. }
        | Op::Over
        | Op::Done
        | Op::Clash
        | Op::Choose { .. }
        | Op::EachNext { .. }
        | Op::Text { .. }
        | Op::Say { .. }
        | Op::Refuse { .. } => Touch::default(),
    }
}
