//! Instructions, one by one.

mod common;

use blazon_book::{Base, RuleId, Type};
use blazon_machine::{Limits, Machine, code};
use blazon_program::ir::*;
use common::*;

/// Asks a rule of so many parameters and result words, made of this code.
fn ask(params: &[i64], result: u16, body: impl FnOnce(&mut Asm)) -> Result<Vec<i64>, &'static str> {
    let mut a = Asm::new();
    a.step("main", 0, 0, |a| {
        a.op(Op::Return { src: 0 });
    });
    a.setup("Empty", 0);
    a.program.pool = vec![0b1011, 1, 0b110, 1];
    a.program.numbers = vec![1 << 40, ABSENT];
    let rule = a.rule("asked", params.len() as u16, result, 40, number(), body);
    let mut machine = Machine::new(a.finish()).map_err(|f| f.code)?;
    machine.place(0, 7).map_err(|f| f.code)?;
    let words = machine.ask(rule, params).map_err(|f| f.code)?;
    Ok(words.into_iter().map(|w| w as i64).collect())
}

fn binary(a: i64, b: i64, op: Op) -> Result<i64, &'static str> {
    ask(&[a, b], 1, |asm| asm.ops(&[op, Op::Return { src: 2 }])).map(|words| words[0])
}

#[test]
fn arithmetic() {
    let (dst, a, b) = (2, 0, 1);
    assert_eq!(binary(3, -5, Op::Add { dst, a, b }), Ok(-2));
    assert_eq!(binary(3, -5, Op::Sub { dst, a, b }), Ok(8));
    assert_eq!(binary(3, -5, Op::Mul { dst, a, b }), Ok(-15));
    for (x, y, q) in [(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (6, 2, 3), (-6, 2, -3), (0, -3, 0)] {
        assert_eq!(binary(x, y, Op::Div { dst, a, b }), Ok(q), "{x} / {y}");
    }
    for (x, y, up, nearest) in [(7, 2, 4, 4), (-7, 2, -3, -3), (7, -2, -3, -3), (-8, 3, -2, -3), (6, 2, 3, 3)]
    {
        assert_eq!(binary(x, y, Op::DivUp { dst, a, b }), Ok(up), "{x} / {y}");
        assert_eq!(binary(x, y, Op::DivNearest { dst, a, b }), Ok(nearest), "{x} / {y}");
    }
    assert_eq!(binary(3, -5, Op::Min { dst, a, b }), Ok(-5));
    assert_eq!(binary(3, -5, Op::Max { dst, a, b }), Ok(3));
    assert_eq!(binary(-3, 0, Op::Odd { dst, a }), Ok(1));
    assert_eq!(binary(-4, 0, Op::Odd { dst, a }), Ok(0));
    assert_eq!(binary(-1, 1, Op::Lt { dst, a, b }), Ok(1));
    assert_eq!(binary(1, 1, Op::Le { dst, a, b }), Ok(1));
    assert_eq!(binary(ABSENT, ABSENT, Op::Eq { dst, a, b }), Ok(1));
    assert_eq!(binary(ABSENT, 0, Op::Ne { dst, a, b }), Ok(1));
    assert_eq!(binary(ABSENT, 0, Op::IsAbsent { dst, a }), Ok(1));
    assert_eq!(binary(-4, 0, Op::EqInt { dst, a, value: -4 }), Ok(1));
    assert_eq!(binary(0, 0, Op::Not { dst, a }), Ok(1));
    assert_eq!(binary(3, 4, Op::Index { dst, a, b, size: 10 }), Ok(34));
    assert_eq!(binary(0, 0, Op::Number { dst, index: 0 }), Ok(1 << 40));
}

#[test]
fn arithmetic_out_of_range() {
    let (dst, a, b) = (2, 0, 1);
    let most = 1_000_000_000_000_000;
    assert_eq!(binary(1, 0, Op::Div { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(i64::MIN, -1, Op::Div { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(1, 0, Op::DivUp { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(i64::MIN, -1, Op::DivNearest { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(most, 1, Op::Add { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(-most, 1, Op::Sub { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(most, most, Op::Mul { dst, a, b }), Err(code::RANGE));
    assert_eq!(binary(ABSENT, ABSENT, Op::Add { dst, a, b }), Err(code::RANGE));
}

#[test]
fn sets_of_two_words() {
    let made = |op: Op| {
        ask(&[], 2, |asm| {
            asm.ops(&[Op::Set { dst: 0, words: 2, index: 0 }, Op::Set { dst: 2, words: 2, index: 2 }, op]);
            asm.op(Op::Return { src: 4 });
        })
    };
    let (dst, a, b, words) = (4, 0, 2, 2);
    assert_eq!(made(Op::Union { dst, a, b, words }), Ok(vec![0b1111, 1]));
    assert_eq!(made(Op::Both { dst, a, b, words }), Ok(vec![0b0010, 1]));
    assert_eq!(made(Op::Without { dst, a, b, words }), Ok(vec![0b1001, 0]));
    assert_eq!(made(Op::SetEq { dst, a, b, words }).unwrap()[0], 0);
    assert_eq!(made(Op::SetEq { dst, a, b: a, words }).unwrap()[0], 1);
    assert_eq!(made(Op::Count { dst, set: 0, words }).unwrap()[0], 4);
    assert_eq!(made(Op::Some { dst, set: 0, words }).unwrap()[0], 1);
    assert_eq!(made(Op::First { dst, set: 2, words }).unwrap()[0], 1);
    assert_eq!(made(Op::First { dst, set: 10, words }).unwrap()[0], ABSENT);
}

#[test]
fn two_constants_at_once() {
    let made = ask(&[], 2, |asm| {
        asm.op(Op::Ints { dst: 0, value: -7, dst2: 1, value2: 5 });
        asm.op(Op::Int { dst: 1, value: 5 });
        asm.op(Op::Return { src: 0 });
    });
    assert_eq!(made, Ok(vec![-7, 5]));
}

#[test]
fn a_set_may_take_the_place_of_one_that_it_is_made_of() {
    let made = |op: Op, at: u16| {
        ask(&[], 2, |asm| {
            asm.ops(&[Op::Set { dst: 0, words: 2, index: 0 }, Op::Set { dst: 2, words: 2, index: 2 }, op]);
            asm.op(Op::Return { src: at });
        })
    };
    let (a, b, words) = (0, 2, 2);
    for dst in [a, b, 4] {
        assert_eq!(made(Op::Union { dst, a, b, words }, dst), Ok(vec![0b1111, 1]), "{dst}");
        assert_eq!(made(Op::Both { dst, a, b, words }, dst), Ok(vec![0b0010, 1]), "{dst}");
        assert_eq!(made(Op::Without { dst, a, b, words }, dst), Ok(vec![0b1001, 0]), "{dst}");
    }
    for dst in [a, 4] {
        assert_eq!(made(Op::Union { dst, a, b: a, words }, dst), Ok(vec![0b1011, 1]), "{dst}");
        assert_eq!(made(Op::Without { dst, a, b: a, words }, dst), Ok(vec![0, 0]), "{dst}");
    }
    // Words that lie across each other are taken one after the other.
    assert_eq!(made(Op::Union { dst: 1, a: 0, b: 1, words }, 1), Ok(vec![0b1011 | 1, 0b1011 | 1 | 0b110]));
}

#[test]
fn members_come_and_go() {
    // Adds its argument to a set, takes 64 out, and says the set and whether it has the argument.
    let run = |thing: i64| {
        ask(&[thing], 3, |asm| {
            asm.ops(&[
                Op::Set { dst: 1, words: 2, index: 0 },
                Op::Insert { set: 1, elem: 0 },
                Op::Has { dst: 3, set: 1, elem: 0 },
                Op::Int { dst: 4, value: 64 },
                Op::Delete { set: 1, elem: 4 },
                Op::Return { src: 1 },
            ]);
        })
    };
    assert_eq!(run(2), Ok(vec![0b1111, 0, 1]));
    assert_eq!(run(69), Ok(vec![0b1011, 32, 1]));
    assert_eq!(run(ABSENT), Ok(vec![0b1011, 0, 0]));
    assert_eq!(run(1 << 40), Err(code::INTERNAL));
    assert_eq!(run(-1), Err(code::INTERNAL));
}

#[test]
fn loops() {
    // The sum of the things of a set.
    let sum = ask(&[], 1, |asm| {
        asm.ops(&[Op::Set { dst: 0, words: 2, index: 0 }, Op::Int { dst: 2, value: 0 }]);
        let (again, out) = (asm.mark(), asm.label());
        asm.to(Op::Next { set: 0, words: 2, elem: 3, exit: 0 }, out);
        asm.op(Op::Add { dst: 2, a: 2, b: 3 });
        asm.jump(again);
        asm.bind(out);
        asm.op(Op::Return { src: 2 });
    });
    assert_eq!(sum, Ok(vec![1 + 3 + 64]));
    // The same with the next turn begun at the end of the one before.
    let sum = ask(&[], 1, |asm| {
        asm.ops(&[Op::Set { dst: 0, words: 2, index: 0 }, Op::Int { dst: 2, value: 0 }]);
        let (turn, out) = (asm.label(), asm.label());
        asm.to(Op::Next { set: 0, words: 2, elem: 3, exit: 0 }, out);
        asm.bind(turn);
        asm.op(Op::Add { dst: 2, a: 2, b: 3 });
        asm.to(Op::Again { set: 0, words: 2, elem: 3, to: 0 }, turn);
        asm.bind(out);
        asm.op(Op::Return { src: 2 });
    });
    assert_eq!(sum, Ok(vec![1 + 3 + 64]));
    // 1 + … + n
    let total = |n: i64| {
        ask(&[n], 1, |asm| {
            asm.ops(&[Op::Int { dst: 1, value: 0 }, Op::Int { dst: 2, value: 0 }]);
            let (again, out) = (asm.mark(), asm.label());
            asm.to(Op::NextNumber { counter: 1, limit: 0, exit: 0 }, out);
            asm.op(Op::Add { dst: 2, a: 2, b: 1 });
            asm.jump(again);
            asm.bind(out);
            asm.op(Op::Return { src: 2 });
        })
    };
    assert_eq!(total(100), Ok(vec![5050]));
    assert_eq!(total(0), Ok(vec![0]));
    assert_eq!(total(i64::MAX), Err(code::ENDLESS));
    // A sequence of a set, one thing and nothing, as decimal digits.
    let digits = ask(&[4], 1, |asm| {
        asm.ops(&[
            Op::Empty { dst: 1, words: 6 },
            Op::Int { dst: 10, value: 7 },
            Op::Push { seq: 1, elem: 10 },
            Op::Number { dst: 11, index: 1 },
            Op::Push { seq: 1, elem: 11 },
            Op::Set { dst: 11, words: 1, index: 2 },
            Op::PushAll { seq: 1, set: 11, words: 1 },
            Op::Push { seq: 1, elem: 0 },
            Op::Int { dst: 12, value: 0 },
        ]);
        let (again, out) = (asm.mark(), asm.label());
        asm.to(Op::NextOf { seq: 1, elem: 13, exit: 0 }, out);
        asm.ops(&[
            Op::Int { dst: 14, value: 10 },
            Op::Mul { dst: 12, a: 12, b: 14 },
            Op::Add { dst: 12, a: 12, b: 13 },
        ]);
        asm.jump(again);
        asm.bind(out);
        asm.op(Op::Return { src: 12 });
    });
    assert_eq!(digits, Ok(vec![7124]));
}

#[test]
fn what_is_reached_with_most_left_is_gone_on_from_first() {
    const AREAS: u16 = 2;
    // The set, the purse of four areas and what is left at one of them.
    let (set, purse, kind) = (1, 2, AREAS);
    let reach = |asm: &mut Asm, elem: i32, left: i32| {
        asm.ops(&[
            Op::Int { dst: 10, value: elem },
            Op::Int { dst: 11, value: left },
            Op::Reach { set, purse, kind, elem: 10, left: 11 },
        ]);
    };
    let digits = ask(&[], 1, |asm| {
        asm.ops(&[Op::Empty { dst: set, words: 1 }, Op::Empty { dst: purse, words: 5 }]);
        for (elem, left) in [(3, 2), (1, 4), (0, 4), (3, 0), (2, -1), (3, 5), (1, 3)] {
            reach(asm, elem, left);
        }
        asm.ops(&[
            Op::Number { dst: 10, index: 1 },
            Op::Int { dst: 11, value: 9 },
            Op::Reach { set, purse, kind, elem: 10, left: 11 },
            Op::Int { dst: 12, value: 0 },
            Op::Int { dst: 13, value: 10 },
        ]);
        let (again, out) = (asm.mark(), asm.label());
        asm.to(Op::NextWay { set, purse, kind, elem: 10, exit: 0 }, out);
        for part in [10, purse + 4] {
            asm.ops(&[Op::Mul { dst: 12, a: 12, b: 13 }, Op::Add { dst: 12, a: 12, b: part }]);
        }
        asm.jump(again);
        asm.bind(out);
        asm.op(Op::Return { src: 12 });
    });
    assert_eq!(digits, Ok(vec![35_04_14]), "each with what is left there; of as much the first");
    let beyond = ask(&[], 1, |asm| {
        asm.ops(&[Op::Empty { dst: set, words: 1 }, Op::Empty { dst: purse, words: 5 }]);
        reach(asm, 4, 1);
        asm.op(Op::Return { src: 10 });
    });
    assert_eq!(beyond, Err(code::INTERNAL));
}

#[test]
fn dice_are_joined_and_parted() {
    // Dice of a number, then 5; without one 3; what is left, as digits.
    let parted = ask(&[], 1, |asm| {
        asm.ops(&[Op::Empty { dst: 3, words: 4 }, Op::Int { dst: 8, value: 0 }]);
        for value in [3, 1, 3, 6] {
            asm.ops(&[Op::Int { dst: 7, value }, Op::AddDie { dice: 3, die: 7 }]);
        }
        asm.ops(&[
            Op::Int { dst: 7, value: 3 },
            Op::DropDie { dice: 3, die: 7 },
            Op::Int { dst: 7, value: 5 },
            Op::DropDie { dice: 3, die: 7 },
            Op::AddDie { dice: 3, die: 7 },
            Op::Int { dst: 9, value: 10 },
        ]);
        let (again, out) = (asm.mark(), asm.label());
        asm.to(Op::NextDie { dice: 3, die: 7, exit: 0 }, out);
        asm.ops(&[Op::Mul { dst: 8, a: 8, b: 9 }, Op::Add { dst: 8, a: 8, b: 7 }]);
        asm.jump(again);
        asm.bind(out);
        asm.op(Op::Return { src: 8 });
    });
    assert_eq!(parted, Ok(vec![1365]));
    let many = ask(&[], 1, |asm| {
        asm.ops(&[Op::Empty { dst: 3, words: 4 }, Op::Int { dst: 7, value: 6 }]);
        for _ in 0..25 {
            asm.op(Op::AddDie { dice: 3, die: 7 });
        }
        asm.op(Op::Return { src: 7 });
    });
    assert!(many.is_err(), "25 dice are too many");
}

#[test]
fn dice_are_taken_in_order() {
    let mut a = Asm::new();
    a.step("main", 0, 20, |a| {
        a.ops(&[
            Op::Int { dst: 3, value: 6 },
            Op::Int { dst: 4, value: 20 },
            Op::Dice { dst: 5, sides: 3, count: 4, key: 2 },
            Op::Int { dst: 10, value: 0 },
        ]);
        let (again, out) = (a.mark(), a.label());
        a.to(Op::NextDie { dice: 5, die: 9, exit: 0 }, out);
        a.ops(&[
            Op::Int { dst: 11, value: 2 },
            Op::Mul { dst: 10, a: 10, b: 11 },
            Op::Add { dst: 10, a: 10, b: 9 },
        ]);
        a.jump(again);
        a.bind(out);
        a.ops(&[
            Op::Int { dst: 11, value: 0 },
            Op::Store { column: 0, key: 11, src: 10 },
            Op::Return { src: 0 },
        ]);
    });
    a.state("sum", &[], number(), 6, 0, 1 << 50, false);
    a.setup("Empty", 0);
    let mut machine = Machine::new(a.finish()).unwrap();
    machine.record(true);
    machine.script_dice((0..20).map(|i| i % 6 + 1).collect());
    machine.place(0, 1).unwrap();
    let expected = (0..20).fold(0, |sum, i| sum * 2 + i % 6 + 1);
    assert_eq!(machine.column(blazon_book::ColumnId(0), &[]), Some(vec![expected]));
    assert_eq!(machine.script(), (Vec::new(), Vec::new()));
    // By chance they are the same for the same seed, and others for another.
    let mut fall = |seed| {
        machine.place(0, seed).unwrap();
        machine.column(blazon_book::ColumnId(0), &[]).unwrap()[0]
    };
    assert_eq!(fall(5), fall(5));
    assert_ne!(fall(5), fall(6));
    machine.script_dice(vec![7]);
    assert_eq!(machine.place(0, 1).unwrap_err().code, code::SCRIPT);
}

#[test]
fn links() {
    let kind = BORDER.0 as u16;
    let of =
        |thing: i64, op: Op| ask(&[thing, 2], 1, |asm| asm.ops(&[op, Op::Return { src: 2 }])).map(|w| w[0]);
    assert_eq!(of(1, Op::Neighbours { dst: 2, kind, a: 0 }), Ok(0b101));
    assert_eq!(of(1, Op::Links { dst: 2, kind, a: 0 }), Ok(0b011));
    assert_eq!(of(ABSENT, Op::Links { dst: 2, kind, a: 0 }), Ok(0));
    assert_eq!(of(9, Op::Links { dst: 2, kind, a: 0 }), Err(code::INTERNAL));
    assert_eq!(of(1, Op::Between { dst: 2, kind, a: 0, b: 1 }), Ok(1));
    assert_eq!(of(0, Op::Between { dst: 2, kind, a: 0, b: 1 }), Ok(ABSENT));
    assert_eq!(of(-7, Op::Between { dst: 2, kind, a: 0, b: 1 }), Err(code::INTERNAL));
    assert_eq!(of(2, Op::Ends { dst: 2, kind, a: 0 }), Ok(0b1100));
    assert_eq!(of(3, Op::Ends { dst: 2, kind, a: 0 }), Err(code::INTERNAL));
}

#[test]
fn look_alikes() {
    let kept = ask(&[0b111110], 1, |asm| {
        asm.ops(&[Op::Alike { set: 0, kind: CARD.0 as u16 }, Op::Return { src: 0 }])
    });
    assert_eq!(kept, Ok(vec![0b010110]));
}

#[test]
fn ranges_are_kept() {
    let keep = |value: i64, optional: bool| {
        ask(&[value], 1, |asm| {
            asm.program.ranges.push(RangeInfo {
                lo: -1,
                hi: 3,
                optional,
                keeper: "`n` of `r` takes".to_owned(),
            });
            asm.ops(&[Op::Keep { value: 0, range: 0 }, Op::Return { src: 0 }]);
        })
        .map(|w| w[0])
    };
    for value in [-1, 0, 3] {
        assert_eq!(keep(value, false), Ok(value));
    }
    for value in [-2, 4, ABSENT] {
        assert_eq!(keep(value, false), Err(code::RANGE));
    }
    assert_eq!(keep(ABSENT, true), Ok(ABSENT));
}

#[test]
fn tables() {
    let look = |row: i64, across: i64| {
        ask(&[row, across], 1, |asm| {
            asm.program.tables.push(TableInfo {
                leading: 1,
                across: vec![(i64::MIN, 0), (1, 3), (4, i64::MAX)],
                rows: vec![vec![(0, 0)], vec![(1, 5)]],
                cells: vec![10, 11, 12, 20, ABSENT, 22],
                rule: RuleId(0),
            });
            asm.ops(&[Op::Table { dst: 2, table: 0, args: 0 }, Op::Return { src: 2 }]);
        })
        .map(|w| w[0])
    };
    assert_eq!(look(0, -3), Ok(10));
    assert_eq!(look(5, 9), Ok(22));
    assert_eq!(look(1, 2), Ok(ABSENT));
    assert_eq!(look(6, 2), Err(code::RANGE));
}

#[test]
fn columns_of_all_widths() {
    for (shift, lo, hi, optional) in [
        (0, 0, 1, false),
        (3, -4, 250, true),
        (4, -300, 300, false),
        (5, 0, 1 << 30, true),
        (6, i64::MIN + 1, i64::MAX, true),
    ] {
        let mut a = Asm::new();
        let ty = Type { base: Base::Number(lo, hi), optional };
        let column = a.state("before", &[BLOCK], ty, shift, lo, hi, false);
        let column = a.state("value", &[BLOCK], ty, shift, lo, hi, false).max(column);
        a.state("behind", &[BLOCK], ty, shift, lo, hi, false);
        a.program.numbers = vec![lo, hi, ABSENT, hi.saturating_add(1), lo.saturating_sub(1)];
        for (i, value) in [0, 1, if optional { 2 } else { 0 }, 1, 0].into_iter().enumerate() {
            a.step(&format!("set {i}"), 0, 2, |a| {
                a.ops(&[
                    Op::Int { dst: 3, value: 13 * i as i32 },
                    Op::Number { dst: 4, index: value },
                    Op::Store { column, key: 3, src: 4 },
                    Op::Return { src: 0 },
                ]);
            });
        }
        a.step("too much", 0, 2, |a| {
            a.ops(&[
                Op::Int { dst: 3, value: 1 },
                Op::Number { dst: 4, index: 3 },
                Op::Store { column, key: 3, src: 4 },
            ]);
            a.op(Op::Return { src: 0 });
        });
        a.step("nowhere", 0, 2, |a| {
            a.ops(&[
                Op::Int { dst: 3, value: 70 },
                Op::Number { dst: 4, index: 0 },
                Op::Store { column, key: 3, src: 4 },
            ]);
            a.op(Op::Return { src: 0 });
        });
        for step in 0..7 {
            a.setup(&format!("{step}"), step);
        }
        let mut machine = Machine::new(a.finish()).unwrap();
        let id = blazon_book::ColumnId(u32::from(column));
        let start = if optional { ABSENT } else { 0.clamp(lo, hi) };
        let at = |m: &Machine, key: u32| m.column(id, &[key]).unwrap()[0] as i64;
        for step in 0..5u32 {
            machine.place(step as usize, 0).unwrap();
            let expected = [lo, hi, if optional { ABSENT } else { lo }, hi, lo][step as usize];
            assert_eq!(at(&machine, 13 * step), expected, "{shift} bits");
            for other in (0..70).filter(|&other| other != 13 * step) {
                assert_eq!(at(&machine, other), start, "{shift} bits, entry {other}");
            }
            for column in [0, 2] {
                let all_start = (0..70)
                    .all(|k| machine.column(blazon_book::ColumnId(column), &[k]) == Some(vec![start as u64]));
                assert!(all_start, "{shift} bits: the neighbour changed");
            }
        }
        if shift < 6 {
            assert_eq!(machine.place(5, 0).unwrap_err().code, code::RANGE);
        }
        assert_eq!(machine.place(6, 0).unwrap_err().code, code::INTERNAL);
    }
}

#[test]
fn inverse_indexes_follow() {
    asked_by_value(3, true);
}

#[test]
fn entries_are_searched_without_an_index() {
    (2..=6).for_each(|shift| asked_by_value(shift, false));
}

/// Who is in an area: by an index, or by searching entries of so many bits.
fn asked_by_value(shift: u8, index: bool) {
    let mut a = Asm::new();
    let at = a.state("at", &[BLOCK], Type::maybe(Base::Thing(AREA)), shift, 0, 3, index);
    a.step("setup", 0, 4, |a| {
        // Block 69 to area 2, block 3 to area 2 and then 1, block 5 to area 0 and away.
        for (block, area) in [(69, 2), (3, 2), (3, 1), (5, 0), (5, -1)] {
            a.op(Op::Int { dst: 3, value: block });
            match area {
                -1 => a.op(Op::Number { dst: 4, index: 0 }),
                area => a.op(Op::Int { dst: 4, value: area }),
            };
            a.op(Op::Store { column: at, key: 3, src: 4 });
        }
        a.op(Op::Return { src: 0 });
    });
    a.program.scopes = vec![vec![at]];
    a.step("reset", 0, 0, |a| a.ops(&[Op::Reset { scope: 0 }, Op::Return { src: 0 }]));
    a.setup("Here", 0);
    a.program.numbers = vec![ABSENT];
    let here = a.rule("here", 1, 2, 2, number(), |a| {
        a.ops(&[Op::Where { dst: 1, column: at, value: 0 }, Op::Return { src: 1 }]);
    });
    a.program.pool = vec![u64::MAX, 63, 0b10_0000, 0];
    // A set and the group of a block that is taken out of it.
    let [of_all, of_one] = [0, 2].map(|index| {
        a.rule("group", 1, 4, 6, number(), |a| {
            a.op(Op::Set { dst: 1, words: 2, index });
            a.op(Op::Group { set: 1, group: 3, column: at, value: 5, elem: 0 });
            a.op(Op::Return { src: 1 });
        })
    });
    let entry = a.rule("entry", 2, 2, 4, number(), |a| {
        a.op(Op::LoadAt { dst: 2, column: at, a: 0, b: 1, key: 3, size: 10 });
        a.op(Op::Load { dst: 2, column: at, key: 3 });
        a.op(Op::Return { src: 2 });
    });
    let mut machine = Machine::new(a.finish()).unwrap();
    machine.place(0, 0).unwrap();
    assert_eq!(machine.ask(of_all, &[69]).unwrap(), [u64::MAX, 31, 0, 32]);
    assert_eq!(machine.ask(of_all, &[3]).unwrap(), [!8, 63, 8, 0]);
    assert_eq!(machine.ask(of_all, &[5]).unwrap(), [8, 32, !8, 31]);
    assert_eq!(machine.ask(of_one, &[69]).unwrap(), [0b10_0000, 0, 0, 32]);
    assert_eq!(machine.ask(of_one, &[70]).unwrap_err().code, code::INTERNAL);
    assert_eq!(machine.ask(entry, &[6, 9]).unwrap(), [2, 69]);
    assert_eq!(machine.ask(entry, &[0, 5]).unwrap(), [ABSENT as u64, 5]);
    assert_eq!(machine.ask(entry, &[7, 0]).unwrap_err().code, code::INTERNAL);
    assert_eq!(machine.ask(here, &[2]).unwrap(), [0, 32]);
    assert_eq!(machine.ask(here, &[1]).unwrap(), [8, 0]);
    assert_eq!(machine.ask(here, &[0]).unwrap(), [0, 0]);
    assert_eq!(machine.ask(here, &[ABSENT]).unwrap(), [!8, 31]);
    assert_eq!(machine.ask(here, &[4]).unwrap_err().code, code::INTERNAL);
    machine.set(blazon_book::StepId(1)).unwrap();
    assert_eq!(machine.ask(here, &[ABSENT]).unwrap(), [u64::MAX, 63]);
    assert_eq!(machine.ask(here, &[2]).unwrap(), [0, 0]);
}

#[test]
fn draws_take_the_least() {
    let mut a = Asm::new();
    let drawn = a.set_state("drawn", &[SIDE], CARD);
    a.step("setup", 0, 10, |a| {
        a.ops(&[
            Op::Int { dst: 3, value: 0b111111 },
            Op::Int { dst: 4, value: 3 },
            Op::Draw { dst: 5, set: 3, count: 4, key: 2, kind: CARD.0 as u16 },
            Op::Int { dst: 6, value: 0 },
            Op::StoreSet { column: drawn, key: 6, src: 5 },
            Op::Return { src: 0 },
        ]);
    });
    a.setup("Deal", 0);
    let mut machine = Machine::new(a.finish()).unwrap();
    let id = blazon_book::ColumnId(u32::from(drawn));
    let mut counts = [0; 6];
    for seed in 0..3000 {
        machine.place(0, seed).unwrap();
        let set = machine.column(id, &[0]).unwrap()[0];
        assert_eq!(set.count_ones(), 3);
        (0..6).filter(|i| set >> i & 1 != 0).for_each(|i| counts[i] += 1);
    }
    // Look-alikes have one name and yet each its own luck.
    assert!(counts.iter().all(|&n| (1380..1620).contains(&n)), "{counts:?}");
    machine.script_draws(vec![(CARD, 2), (CARD, 2)]);
    machine.place(0, 9).unwrap();
    assert_eq!(machine.column(id, &[0]).unwrap()[0] & 0b1100, 0b1100, "one copy each");
    machine.script_draws(vec![(CARD, 2), (CARD, 2), (CARD, 3)]);
    assert_eq!(machine.place(0, 9).unwrap_err().code, code::SCRIPT);
}

#[test]
fn keys_never_come_twice() {
    // Rolls with the same key in a loop: all keys differ.
    let mut a = Asm::new();
    let seen = a.state("seen", &[BLOCK], number(), 6, i64::MIN + 1, i64::MAX, false);
    a.step("setup", 4, 10, |a| {
        a.ops(&[Op::Int { dst: 7, value: -1 }, Op::Int { dst: 8, value: 69 }]);
        let (again, out) = (a.mark(), a.label());
        a.to(Op::NextNumber { counter: 7, limit: 8, exit: 0 }, out);
        a.ops(&[
            Op::Int { dst: 10, value: 7 },
            Op::Div { dst: 9, a: 7, b: 10 },
            Op::MixValue { dst: 9, key: 2, value: 9, kind: u16::MAX },
            Op::MixCount { dst: 9, key: 9, slots: 3 },
            Op::Store { column: seen, key: 7, src: 9 },
        ]);
        a.jump(again);
        a.bind(out);
        a.op(Op::Return { src: 0 });
    });
    a.setup("All", 0);
    let mut machine = Machine::new(a.finish()).unwrap();
    machine.place(0, 0).unwrap();
    let id = blazon_book::ColumnId(u32::from(seen));
    let keys: std::collections::BTreeSet<u64> =
        (0..70).map(|k| machine.column(id, &[k]).unwrap()[0]).collect();
    assert_eq!(keys.len(), 70);
}

#[test]
fn limits_stop_what_does_not_end() {
    let mut a = Asm::new();
    // Endless; deep: a chain of rules; wide: a rule with a frame that is too large.
    a.step("endless", 0, 1, |a| {
        let again = a.mark();
        a.jump(again);
    });
    a.step("deep", 0, 2, |a| a.ops(&[Op::Call { function: 3, args: 3, dst: 3 }, Op::Return { src: 0 }]));
    a.step("wide", 0, 2, |a| a.ops(&[Op::Call { function: 7, args: 3, dst: 3 }, Op::Return { src: 0 }]));
    for i in 0..4u16 {
        a.rule(&format!("level {i}"), 0, 1, 2, number(), |a| {
            a.ops(&[Op::Call { function: (4 + i).min(6), args: 0, dst: 0 }, Op::Return { src: 0 }]);
        });
    }
    a.rule("wide", 0, 1, 50_000, number(), |a| {
        a.op(Op::Return { src: 0 });
    });
    for step in 0..3 {
        a.setup(&format!("{step}"), step);
    }
    let program = a.finish();
    let limits = Limits { ops: 100_000, words: 20_000, depth: 50, told: 1 << 20 };
    let mut machine = Machine::with_limits(program, limits).unwrap();
    let fault = machine.place(0, 0).unwrap_err();
    assert_eq!((fault.code, fault.stack[0].name.as_str()), (code::ENDLESS, "endless"));
    assert_eq!(fault.stack[0].cites, ["1.1"]);
    let fault = machine.place(1, 0).unwrap_err();
    assert_eq!(fault.code, code::DEPTH);
    assert_eq!(fault.stack.len(), 51);
    assert_eq!((fault.stack[0].name.as_str(), fault.stack[50].name.as_str()), ("level 3", "deep"));
    assert_eq!(machine.place(2, 0).unwrap_err().code, code::MEMORY);
    assert!(machine.outcome().is_none() && machine.deciders().is_empty());
}
