//! Invariants: found broken as soon as they are, however the position came about, though one that held is asked again only
//! when what it reads has changed.

mod common;

use std::sync::Arc;

use blazon_book::Invariant;
use blazon_diagnostics::Span;
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_machine::{Machine, code};
use blazon_program::Program;
use blazon_program::coverage::{Site, What};
use blazon_program::ir::{Function, Op, Origin};
use common::*;
use proptest::prelude::*;

/// No side may have more points.
const MOST: i64 = 9;

/// The sample game with two invariants: no side has more than [`MOST`] points, which a rule finds that it asks; and a side is
/// in turn.
fn guarded() -> (Sample, Arc<Program>) {
    let sample = sample();
    let mut program = Program::clone(&sample.program);
    let mut book = (*program.book).clone();
    let (points, turn) = (sample.points, sample.turn);
    let function = |program: &mut Program, name: &str, result_words: u16, ops: &[Op]| {
        let entry = program.code.len() as u32;
        program.code.extend_from_slice(ops);
        let end = program.code.len() as u32;
        program.functions.push(Function {
            name: name.to_owned(),
            origin: Origin::Made,
            entry,
            end,
            param_words: 0,
            result_words,
            local_words: 0,
            frame_words: 4,
        });
        (program.functions.len() - 1) as u32
    };
    let most = function(
        &mut program,
        "the most points",
        1,
        &[
            Op::Int { dst: 0, value: 0 },
            Op::Load { dst: 1, column: points, key: 0 },
            Op::Int { dst: 0, value: 1 },
            Op::Load { dst: 2, column: points, key: 0 },
            Op::Max { dst: 1, a: 1, b: 2 },
            Op::Tick { flag: 0, site: 0 },
            Op::Return { src: 1 },
        ],
    );
    let here = program.code.len() as u32;
    let few = function(
        &mut program,
        "few points",
        0,
        &[
            Op::Call { function: most as u16, args: 0, dst: 0 },
            Op::Int { dst: 1, value: MOST as i32 },
            Op::Le { dst: 0, a: 0, b: 1 },
            Op::JumpIf { a: 0, to: here + 5 },
            Op::Refuse { need: 0 },
            Op::Return { src: 0 },
        ],
    );
    let here = program.code.len() as u32;
    let turns = function(
        &mut program,
        "turns",
        0,
        &[
            Op::Load { dst: 0, column: turn, key: 0 },
            Op::Int { dst: 1, value: 1 },
            Op::Le { dst: 0, a: 0, b: 1 },
            Op::JumpIf { a: 0, to: here + 5 },
            Op::Refuse { need: 0 },
            Op::Return { src: 0 },
        ],
    );
    program.invariants = vec![turns, few];
    let invariant = |name: &str| Invariant {
        name: name.to_owned(),
        rule: sample.score,
        cites: Vec::new(),
        span: Span::default(),
    };
    book.invariants = vec![invariant("turns"), invariant("few points")];
    program.spans.resize(program.code.len(), Span::default());
    program.book = Arc::new(book);
    let program = Arc::new(program);
    (sample, program)
}

/// Whether an invariant is broken in a position, as a machine says that has seen no other.
fn broken(program: &Arc<Program>, position: &Position) -> bool {
    let mut fresh = small(program);
    fresh.restore(position).unwrap();
    fresh.check_invariants().is_err()
}

fn most_points(machine: &Machine, sample: &Sample) -> i64 {
    let points =
        |side| machine.column(blazon_book::ColumnId(sample.points.into()), &[side]).unwrap()[0] as i64;
    points(0).max(points(1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_breaks_one_is_taken_back_each_time(seed in any::<u64>()) {
        let (sample, program) = guarded();
        let (mut machine, mut free) = (small(&program), small(&sample.program));
        let mut stream = Stream::new(seed);
        machine.start(0, seed).unwrap();
        let mut refused = 0;
        for _ in 0..60 {
            let Some(&player) = machine.deciders().first() else { break };
            let index = stream.below(machine.options(player).len().min(3));
            let before = machine.snapshot();
            // The same without invariants.
            free.restore(&before).unwrap();
            free.choose(player, index).unwrap();
            let breaks = !free.deciders().is_empty() && most_points(&free, &sample) > MOST;
            for _ in 0..2 {
                let done = machine.choose(player, index);
                prop_assert_eq!(done.as_ref().err().map(|fault| fault.code), breaks.then_some(code::INVARIANT));
                if !breaks {
                    break;
                }
                prop_assert_eq!(machine.snapshot(), before.clone());
                refused += 1;
            }
            prop_assert_eq!(machine.check_invariants().is_err(), broken(&program, &machine.snapshot()));
            if refused > 8 {
                break;
            }
        }
    }
}

#[test]
fn a_broken_position_is_found_however_it_came_about() {
    let (sample, program) = guarded();
    let mut machine = small(&program);
    machine.start(0, 1).unwrap();
    machine.check_invariants().unwrap();
    let good = machine.snapshot();
    // A line of a test, which nothing looks at.
    machine.set(sample.lay).unwrap();
    let bad = machine.snapshot();
    for _ in 0..3 {
        let fault = machine.check_invariants().unwrap_err();
        assert_eq!(fault.code, code::INVARIANT);
        assert!(fault.message.contains("`few points`"), "{}", fault.message);
        machine.restore(&good).unwrap();
        machine.check_invariants().unwrap();
        machine.restore(&bad).unwrap();
    }
}

#[test]
fn what_is_counted_is_counted_each_time() {
    let (_, program) = guarded();
    let mut counting = Program::clone(&program);
    counting.sites =
        vec![Site { span: Span::default(), what: What::Rule, name: "the most points".to_owned() }];
    for (program, asked) in [(program, None), (Arc::new(counting), Some(4))] {
        let mut machine = small(&program);
        machine.count_sites();
        machine.start(0, 1).unwrap();
        for _ in 0..3 {
            machine.check_invariants().unwrap();
        }
        assert_eq!(machine.hits().first().map(|hits| hits[0]), asked);
    }
}
