//! Instructions that stand for what columns lie where, and for two instructions that often follow each other. Nothing
//! moves: an instruction that does the work of two stands in place of the first, and the second stays behind it.

use crate::ir::{Op, Program, RESERVED, Space};

/// Puts the quicker instructions in place.
pub(crate) fn fuse(program: &mut Program) {
    entries_of_two_keys(program);
    for pc in 0..program.code.len() {
        if let Some(op) = word(program, program.code[pc]) {
            program.code[pc] = op;
        }
    }
    return_at_once(program);
    let plain = program.code.clone();
    for (op, two) in program.code.iter_mut().zip(plain.windows(2)) {
        if let Some(both) = both(program.columns.as_slice(), two[0], two[1]) {
            *op = both;
        }
    }
}

/// An entry of two keys is found and read at once.
fn entries_of_two_keys(program: &mut Program) {
    for pc in 1..program.code.len() {
        if let (Op::Index { dst: index, a, b, size }, Op::Load { dst, column, key }) =
            (program.code[pc - 1], program.code[pc])
            && key == index
            && let Ok(size) = u8::try_from(size)
        {
            program.code[pc - 1] = Op::LoadAt { dst, column, a, b, key, size };
        }
    }
}

/// What is copied only to be returned is returned from where it stands.
fn return_at_once(program: &mut Program) {
    for function in &program.functions {
        let code = program.code.get_mut(function.entry as usize..function.end as usize).unwrap_or_default();
        for place in 1..code.len() {
            if let (Op::Copy { dst, src, words }, Op::Return { src: result }) = (code[place - 1], code[place])
                && (dst, words) == (result, function.result_words)
            {
                code[place - 1] = Op::Return { src };
            }
        }
    }
}

/// An instruction that does nothing but read a word of the states.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn word(program: &Program, op: Op) -> Option<Op> {
    match op {
        Op::Load { dst, column, key } | Op::LoadSet { dst, column, key }
            if program.columns[column as usize].space == Space::Fact =>
        {
            let column = &program.columns[column as usize];
            let len = u16::try_from(column.len).ok().filter(|&len| len > 1)?;
            let whole = column.shift == 6 && column.bias == 0 && column.set_words <= 1;
            whole.then_some(Op::Fact { dst, key, len, offset: column.offset })
        }
        Op::Load { dst, column, .. } => {
            let column = &program.columns[column as usize];
            let whole = column.space == Space::State && (column.len, column.shift) == (1, 6);
            let own = column.offset as usize >= RESERVED;
            (whole && own && column.bias == 0).then_some(Op::Word { dst, offset: column.offset })
        }
        Op::Members { dst, column } => {
            let column = &program.columns[column as usize];
            let whole = column.space == Space::State && column.key_words == 1;
            whole.then_some(Op::Word { dst, offset: column.offset })
        }
        Op::WhereIs { dst, column, value } => {
            let column = &program.columns[column as usize];
            let whole = column.inverse != 0 && column.key_words == 1 && i64::from(value) <= column.hi;
            let place = u32::try_from(value + 1).ok()?;
            whole.then_some(Op::Word { dst, offset: column.inverse + place })
        }
        _ => None,
    }
}

/// One instruction for two.
fn both(columns: &[crate::ir::Column], first: Op, second: Op) -> Option<Op> {
    Some(match (first, second) {
        (Op::Copy { dst, src, words: 1 }, Op::Copy { dst: dst2, src: src2, words: 1 }) => {
            Op::Copies { dst, src, dst2, src2 }
        }
        (Op::Int { dst, value }, Op::Int { dst: dst2, value: value2 }) => {
            Op::Ints { dst, value: value.try_into().ok()?, dst2, value2: value2.try_into().ok()? }
        }
        (Op::Word { dst: read, offset }, Op::Both { dst, a, b, words: 1 }) if (a == read) != (b == read) => {
            Op::WordBoth { dst, a: if a == read { b } else { a }, read, offset }
        }
        (Op::Word { dst: read, offset }, Op::Without { dst, a, b, words: 1 }) if b == read && a != read => {
            Op::WordWithout { dst, a, read, offset }
        }
        (Op::Where { dst: read, column, value }, Op::Both { dst, a, b, words: 1 })
            if (a == read) != (b == read) && indexed(columns, column) =>
        {
            Op::WhereBoth { dst, a: if a == read { b } else { a }, read, column, value }
        }
        (flag, Op::JumpIf { a, to }) => jump(flag, a, to, true)?,
        (flag, Op::JumpUnless { a, to }) => jump(flag, a, to, false)?,
        _ => return None,
    })
}

/// Whether a column has an inverse index of single words.
fn indexed(columns: &[crate::ir::Column], column: u16) -> bool {
    let column = &columns[column as usize];
    column.inverse != 0 && column.key_words == 1
}

/// A flag found and asked at once.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn jump(flag: Op, asked: u16, to: u32, when: bool) -> Option<Op> {
    match flag {
        Op::Eq { dst, a, b } if dst == asked => Some(Op::JumpEq { dst, a, b, to, when }),
        Op::Ne { dst, a, b } if dst == asked => Some(Op::JumpNe { dst, a, b, to, when }),
        Op::Lt { dst, a, b } if dst == asked => Some(Op::JumpLt { dst, a, b, to, when }),
        Op::Le { dst, a, b } if dst == asked => Some(Op::JumpLe { dst, a, b, to, when }),
        Op::EqInt { dst, a, value } if dst == asked => {
            let value = i16::try_from(value).ok()?;
            Some(Op::JumpEqInt { dst, a, value, to, when })
        }
        Op::IsAbsent { dst, a } if dst == asked => Some(Op::JumpAbsent { dst, a, to, when }),
        Op::Has { dst, set, elem } if dst == asked => Some(Op::JumpHas { dst, set, elem, to, when }),
        Op::Some { dst, set, words } if dst == asked => Some(Op::JumpSome { dst, set, words, to, when }),
        _ => None,
    }
}
