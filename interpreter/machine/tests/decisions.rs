//! Decisions: asked, refused, forced, secret; faults in the middle of them.

mod common;

use std::sync::Arc;

use blazon_book::{Base, ColumnId, StepId, Type};
use blazon_machine::{Event, Limits, Machine, Outcome, Standing, code};
use blazon_program::Program;
use blazon_program::ir::*;
use common::*;

#[test]
fn a_game_from_start_to_end() {
    let sample = sample();
    let mut machine = Machine::new(sample.program.clone()).unwrap();
    machine.record(true);
    assert!(machine.deciders().is_empty());
    machine.script_dice(vec![6, 1, 6, 1, 6, 1, 6]);
    machine.start(0, 1).unwrap();
    assert_eq!(machine.deciders(), [0]);
    assert_eq!(machine.options(0).len(), 71);
    assert!(machine.options(1).is_empty());
    assert_eq!(machine.prompt(Some(0)), "You rolled 6");
    assert_eq!(machine.label(0, 3, Some(0)), "Take Block 3 for 6");
    assert_eq!(machine.label(0, 70, None), "pass");
    machine.choose(0, 3).unwrap();
    assert_eq!(machine.deciders(), [1]);
    assert_eq!(machine.options(1).len(), 30);
    assert_eq!(machine.choose(0, 0).unwrap_err().code, code::ILLEGAL);
    assert_eq!(machine.choose(1, 30).unwrap_err().code, code::ILLEGAL);
    machine.choose_by(1, 1, &[]).unwrap();
    for block in [69, 20, 21] {
        assert_eq!(machine.outcome(), None);
        machine.choose_by(0, 0, &[block]).unwrap();
        if machine.outcome().is_none() {
            machine.choose_by(1, 1, &[]).unwrap();
        }
    }
    assert_eq!(machine.outcome(), Some(Outcome { winner: Some(0) }));
    assert!(machine.deciders().is_empty() && machine.choice().is_none());
    assert_eq!(machine.taken(), 7);
    let events = machine.take_events();
    let told: Vec<String> = events.iter().filter_map(|e| machine.tell_event(e, Some(1))).collect();
    assert_eq!(told[..4], ["d6: 6", "Lancaster: Take Block 3 for 6", "Gone: Block 3", "d6: 1"]);
    assert_eq!(told[told.len() - 1], "Lancaster wins");
    assert!(machine.take_events().is_empty());
}

#[test]
fn refusals_say_why() {
    let sample = sample();
    let mut machine = Machine::new(sample.program.clone()).unwrap();
    machine.start(0, 3).unwrap();
    machine.choose_by(0, 0, &[5]).unwrap();
    let before = machine.snapshot();
    let refused = machine.refused(1);
    assert_eq!(refused.len(), 41);
    assert_eq!(refused[0].args, [5]);
    assert_eq!((refused[0].reason.as_str(), refused[0].need.as_str()), ("Block 5 is taken", "free"));
    assert!(refused[0].label.starts_with("Take Block 5 for "), "{}", refused[0].label);
    assert_eq!(refused[0].cites, ["5.2"]);
    assert_eq!((refused[1].args[0], refused[1].reason.as_str()), (30, "may take(b)"));
    assert_eq!(machine.why(1, 0, &[6]), Standing::Open);
    assert_eq!(machine.why(1, 0, &[33]), Standing::Refused(refused[4].clone()));
    assert_eq!(machine.why(1, 0, &[99]), Standing::Outside);
    assert_eq!(machine.why(1, 7, &[]), Standing::Outside);
    assert_eq!(machine.why(0, 0, &[6]), Standing::Outside);
    assert_eq!(machine.snapshot(), before, "looking changes nothing");
    assert!(machine.refused(0).is_empty());
}

#[test]
fn rules_are_asked_on_the_side() {
    let sample = sample();
    let mut machine = Machine::new(sample.program.clone()).unwrap();
    machine.start(0, 3).unwrap();
    machine.set(sample.lay).unwrap();
    let before = machine.snapshot();
    assert_eq!(machine.ask(sample.score, &[1]).unwrap(), [10]);
    assert_eq!(machine.ask(sample.score, &[0]).unwrap(), [0]);
    assert_eq!(machine.ask(sample.score, &[]).unwrap_err().code, code::INTERNAL);
    assert_eq!(machine.snapshot(), before);
    assert_eq!(machine.deciders(), [0], "the decision is still there");
    assert_eq!(machine.show(Type::of(Base::Thing(BLOCK)), &[7], None), "Block 7");
    assert_eq!(machine.show(Type::of(Base::Set(BLOCK)), &[0b111, 0], None), "Block 0, Block 1 and Block 2");
    assert_eq!(machine.show(Type::maybe(Base::Thing(BLOCK)), &[ABSENT as u64], None), "none");
    assert_eq!(machine.show(Type::of(Base::Dice), &[2, 0x0605, 0, 0], None), "5 and 6");
    assert_eq!(machine.show(flag(), &[1], None), "yes");
}

/// A choice with so many options (by a bit set), each of which stores its argument; with or without an `else`.
fn few(open: i32, otherwise: bool) -> Arc<Program> {
    let mut a = Asm::new();
    let value = a.state("value", &[], number(), 4, -9, 99, false);
    a.step("main", 1, 8, |a| {
        a.op(Op::Choose { choice: 0 });
        let who = a.here();
        a.ops(&[Op::Int { dst: 4, value: 1 }, Op::Done]);
        let enumerate = a.here();
        a.op(Op::Int { dst: 4, value: open });
        let (next, out) = (a.mark(), a.label());
        a.to(Op::Next { set: 4, words: 1, elem: 5, exit: 0 }, out);
        a.op(Op::Emit { option: 0, args: 5, count: 1 });
        a.jump(next);
        a.bind(out);
        let done = a.op(Op::Done);
        let body = a.here();
        a.ops(&[
            Op::Int { dst: 4, value: 0 },
            Op::Store { column: value, key: 4, src: 3 },
            Op::Return { src: 0 },
        ]);
        let other = a.here();
        a.ops(&[Op::Int { dst: 3, value: 77 }, Op::Jump { to: body }]);
        a.program.choices.push(ChoiceInfo {
            step: blazon_book::StepId(0),
            question: 1,
            who,
            who_reg: 4,
            enumerate,
            domain: enumerate,
            prompt: None,
            options: vec![option("set", vec![param("n", None, 3, 5)], body, None, done)],
            otherwise: otherwise.then_some(other),
            after: body,
            each: None,
            cites: Vec::new(),
            span: Default::default(),
        });
    });
    a.step("setup", 0, 0, |a| {
        a.op(Op::Return { src: 0 });
    });
    a.setup("Empty", 1);
    a.finish()
}

#[test]
fn none_one_and_two() {
    let value = |m: &Machine| m.column(ColumnId(0), &[]).unwrap()[0];
    let start = |open, otherwise| {
        let mut machine = Machine::new(few(open, otherwise)).unwrap();
        machine.record(true);
        let started = machine.start(0, 0);
        (machine, started)
    };
    let (machine, fault) = start(0, false);
    let fault = fault.unwrap_err();
    assert_eq!((fault.code, fault.stack.len()), (code::EMPTY_CHOICE, 1));
    assert_eq!(value(&machine), 0);
    let (machine, started) = start(0, true);
    assert_eq!((started, value(&machine)), (Ok(()), 77));
    assert_eq!(machine.outcome(), Some(Outcome { winner: None }));
    let (mut machine, started) = start(0b1000, false);
    assert_eq!((started, value(&machine)), (Ok(()), 3));
    assert_eq!(machine.taken(), 0);
    let events = machine.take_events();
    assert!(
        matches!(&events[0], Event::Chosen { player: 1, forced: true, args, .. } if args[..] == [3]),
        "{events:?}"
    );
    assert_eq!(machine.tell_event(&events[0], None).unwrap(), "York: set (3)");
    let (mut machine, started) = start(0b1100, false);
    assert_eq!((started, machine.deciders()), (Ok(()), &[1][..]));
    assert_eq!(machine.label(1, 1, None), "set (3)");
    machine.choose(1, 1).unwrap();
    assert_eq!(value(&machine), 3);
    assert!(matches!(&machine.take_events()[0], Event::Chosen { forced: false, .. }));
}

/// Both sides name a number at once: Lancaster of three, York of as many as `york` has bits; both are added as digits.
fn secret(york: i32) -> Arc<Program> {
    let mut a = Asm::new();
    let value = a.state("value", &[], number(), 5, 0, 9999, false);
    // Locals: 3 the side, 4 the number, 5.. the answers (1 + 2·2 words); temporaries from 10.
    a.step("main", 7, 8, |a| {
        a.op(Op::Choose { choice: 0 });
        let who = a.here();
        a.ops(&[Op::Int { dst: 10, value: 3 }, Op::Done]);
        let enumerate = a.here();
        let (of_york, go) = (a.label(), a.label());
        a.to(Op::JumpIf { a: 3, to: 0 }, of_york);
        a.op(Op::Int { dst: 10, value: 0b1110 });
        a.jump(go);
        a.bind(of_york);
        a.op(Op::Int { dst: 10, value: york });
        a.bind(go);
        let (next, out) = (a.mark(), a.label());
        a.to(Op::Next { set: 10, words: 1, elem: 11, exit: 0 }, out);
        a.op(Op::Emit { option: 0, args: 11, count: 1 });
        a.jump(next);
        a.bind(out);
        let done = a.op(Op::Done);
        let prompt = a.here();
        let text = a.text(vec![
            TextPiece::Value(3, Type::of(Base::Thing(SIDE))),
            TextPiece::Plain(" names a number".into()),
        ]);
        a.ops(&[Op::Text { text }, Op::Done]);
        let body = a.here();
        let said = a.text(vec![
            TextPiece::Value(3, Type::of(Base::Thing(SIDE))),
            TextPiece::Plain(" had ".into()),
            TextPiece::Value(4, number()),
        ]);
        a.ops(&[
            Op::Load { dst: 10, column: value, key: 10 },
            Op::Int { dst: 11, value: 10 },
            Op::Mul { dst: 10, a: 10, b: 11 },
            Op::Add { dst: 10, a: 10, b: 4 },
            Op::Store { column: value, key: 10, src: 10 },
            Op::Say { text: said, announce: false },
            Op::EachNext { choice: 0 },
        ]);
        let after = a.op(Op::Return { src: 0 });
        a.program.choices.push(ChoiceInfo {
            step: blazon_book::StepId(0),
            question: 2,
            who,
            who_reg: 10,
            enumerate,
            domain: enumerate,
            prompt: Some(prompt),
            options: vec![option("name", vec![param("n", None, 4, 11)], body, None, done)],
            otherwise: (york == 0).then_some(after),
            after,
            each: Some(EachInfo { local: 3, slots: 5, words: 2 }),
            cites: Vec::new(),
            span: Default::default(),
        });
    });
    a.step("setup", 0, 0, |a| {
        a.op(Op::Return { src: 0 });
    });
    a.setup("Empty", 1);
    a.finish()
}

#[test]
fn secret_answers_wait() {
    let value = |m: &Machine| m.column(ColumnId(0), &[]).unwrap()[0];
    for first in [0, 1] {
        let mut machine = Machine::new(secret(0b11100)).unwrap();
        machine.record(true);
        machine.start(0, 0).unwrap();
        assert_eq!(machine.deciders(), [0, 1]);
        assert_eq!(machine.prompt(Some(1)), "York names a number");
        assert_eq!(machine.prompt(Some(0)), "Lancaster names a number");
        let second = 1 - first;
        let seen = |m: &mut Machine| {
            (
                m.view(Some(second)).unwrap().kinds,
                m.view(Some(second)).unwrap().states,
                m.options(second).clone(),
                m.prompt(Some(second)),
            )
        };
        let before = seen(&mut machine);
        machine.choose(first, 1).unwrap();
        assert_eq!(machine.deciders(), [second]);
        assert_eq!(seen(&mut machine), before, "a pending answer shows nowhere");
        assert!(machine.take_events().is_empty());
        assert!(machine.choose(first, 0).is_err(), "once is enough");
        // It can be saved in between.
        let half = machine.snapshot();
        machine.choose(second, 0).unwrap();
        let end = if first == 0 { 22 } else { 13 };
        assert_eq!(value(&machine), end, "bodies run in the order of players");
        let told: Vec<String> = {
            let e = machine.take_events();
            e.iter().filter_map(|e| machine.tell_event(e, Some(0))).collect()
        };
        assert_eq!(told.len(), 5);
        assert!(told[0].starts_with("Lancaster: name") && told[1].starts_with("York: name"), "{told:?}");
        let done = machine.snapshot();
        machine.restore(&half).unwrap();
        assert_eq!(machine.deciders(), [second]);
        machine.choose(second, 0).unwrap();
        assert_eq!(machine.snapshot(), done);
    }
}

/// What all have chosen at once counts as what is told, as one choice does.
#[test]
fn secret_answers_count_as_told() {
    let plays = |told: usize, record: bool| {
        let limits = Limits { told, ..Limits::default() };
        let mut machine = Machine::with_limits(secret(0b1110), limits).unwrap();
        machine.record(record);
        machine.start(0, 0).unwrap();
        machine.choose(0, 0).unwrap();
        machine.choose(1, 0).map_err(|fault| fault.code)
    };
    let least = (0..1000).find(|&told| plays(told, false).is_ok()).expect("it ends");
    // An event is sixteen words, and an argument three.
    assert_eq!(least, 2 * (16 + 3));
    assert_eq!(plays(least - 1, true), Err(code::MEMORY));
    assert_eq!(plays(least, true), Ok(()));
}

/// Whether the end of a step is that of the game belongs to the position.
#[test]
fn a_step_that_was_played_by_itself_does_not_outlast_it() {
    let mut machine = Machine::new(secret(0b1110)).unwrap();
    machine.start(0, 0).unwrap();
    machine.choose(0, 0).unwrap();
    let under_way = machine.snapshot();
    machine.play(StepId(1)).unwrap();
    assert_eq!(machine.outcome(), None);
    machine.restore(&under_way).unwrap();
    machine.choose(1, 0).unwrap();
    assert_eq!(machine.outcome(), Some(Outcome { winner: None }));
}

#[test]
fn forced_secret_answers() {
    let value = |m: &Machine| m.column(ColumnId(0), &[]).unwrap()[0];
    let mut machine = Machine::new(secret(0b100000)).unwrap();
    machine.record(true);
    machine.start(0, 0).unwrap();
    assert_eq!(machine.deciders(), [0]);
    assert!(machine.take_events().is_empty());
    machine.choose(0, 0).unwrap();
    assert_eq!(value(&machine), 15);
    let events = machine.take_events();
    assert!(matches!(events[0], Event::Chosen { asked: 0, forced: false, .. }));
    assert!(matches!(events[1], Event::Chosen { asked: 1, forced: true, .. }));
    // Who has nothing to choose from is passed over where there is an `else`.
    let mut machine = Machine::new(secret(0)).unwrap();
    machine.start(0, 0).unwrap();
    machine.choose(0, 2).unwrap();
    assert_eq!(value(&machine), 3);
}

/// After a choice the game divides by the number chosen.
#[test]
fn a_fault_goes_back() {
    let mut a = Asm::new();
    let value = a.state("value", &[], number(), 4, 0, 99, false);
    a.step("main", 1, 8, |a| {
        a.op(Op::Choose { choice: 0 });
        let who = a.here();
        a.ops(&[Op::Int { dst: 4, value: 0 }, Op::Done]);
        let enumerate = a.here();
        a.ops(&[
            Op::Int { dst: 4, value: 0 },
            Op::Emit { option: 0, args: 4, count: 1 },
            Op::Int { dst: 4, value: 2 },
            Op::Emit { option: 0, args: 4, count: 1 },
        ]);
        let done = a.op(Op::Done);
        let body = a.here();
        a.ops(&[
            Op::Int { dst: 4, value: 0 },
            Op::Int { dst: 5, value: 42 },
            Op::Store { column: value, key: 4, src: 5 },
            Op::Copy { dst: 4, src: 3, words: 1 },
            Op::Do { function: 1, args: 4, dst: 4, key: 2 },
            Op::Return { src: 0 },
        ]);
        a.program.choices.push(ChoiceInfo {
            step: blazon_book::StepId(0),
            question: 3,
            who,
            who_reg: 4,
            enumerate,
            domain: enumerate,
            prompt: None,
            options: vec![option("set", vec![param("n", None, 3, 5)], body, None, done)],
            otherwise: None,
            after: body,
            each: None,
            cites: Vec::new(),
            span: Default::default(),
        });
    });
    a.step_with("divide", 1, 0, 3, 0, |a| {
        a.ops(&[Op::Int { dst: 4, value: 84 }, Op::Div { dst: 4, a: 4, b: 3 }, Op::Return { src: 0 }]);
    });
    a.step("setup", 0, 0, |a| {
        a.op(Op::Return { src: 0 });
    });
    a.setup("Empty", 2);
    let mut machine = Machine::new(a.finish()).unwrap();
    machine.record(true);
    machine.start(0, 0).unwrap();
    let before = machine.snapshot();
    let fault = machine.choose(0, 0).unwrap_err();
    assert_eq!(fault.code, code::RANGE);
    let names: Vec<&str> = fault.stack.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["divide", "main"]);
    assert!(fault.to_string().contains("in divide @1.1, in main @1.1"), "{fault}");
    assert_eq!(machine.snapshot(), before);
    assert_eq!((machine.deciders(), machine.options(0).len()), (&[0][..], 2));
    assert!(machine.take_events().is_empty());
    machine.choose(0, 1).unwrap();
    assert_eq!(machine.column(ColumnId(0), &[]), Some(vec![42]));
}

#[test]
fn another_chooses() {
    // Lancaster decides for York.
    let program = few(0b1100, false);
    let mut a = (*program).clone();
    let mut book = (*a.book).clone();
    let at = a.code.len() as Pc;
    a.code.extend([Op::Int { dst: 1, value: 0 }, Op::Return { src: 1 }]);
    a.spans.extend([blazon_diagnostics::Span::default(); 2]);
    a.functions.push(Function {
        name: "chooser".into(),
        origin: Origin::Rule(blazon_book::RuleId(0)),
        entry: at,
        end: at + 2,
        param_words: 1,
        result_words: 1,
        local_words: 1,
        frame_words: 2,
    });
    let sample = sample();
    book.rules.push(sample.program.book.rules[0].clone());
    book.chooser = Some(blazon_book::RuleId(0));
    a.book = Arc::new(book);
    let mut machine = Machine::new(Arc::new(a)).unwrap();
    machine.record(true);
    machine.start(0, 0).unwrap();
    assert_eq!(machine.deciders(), [0]);
    machine.choose(0, 0).unwrap();
    assert!(matches!(machine.take_events()[0], Event::Chosen { player: 0, asked: 1, .. }));
}

#[test]
fn hidden_cards_stay_hidden() {
    let sample = sample();
    let mut machine = Machine::new(sample.program.clone()).unwrap();
    machine.start(0, 3).unwrap();
    // Card 1 is Lancaster's, card 4 York's, the others nobody's.
    let hand = ColumnId(u32::from(sample.hand));
    let all = machine.view(None).unwrap();
    assert_eq!(all.kinds[CARD.0 as usize].seen.len(), 6);
    let lancaster = machine.view(Some(0)).unwrap();
    let cards = &lancaster.kinds[CARD.0 as usize];
    assert_eq!(cards.seen.iter().map(|t| t.thing).collect::<Vec<_>>(), [1]);
    let backs: Vec<_> = cards.backs.iter().map(|b| b[0].clone()).collect();
    let nobody = (hand, blazon_machine::Value::Absent);
    assert_eq!(
        backs,
        [
            nobody.clone(),
            nobody.clone(),
            nobody.clone(),
            nobody,
            (hand, blazon_machine::Value::Thing(SIDE, 1))
        ]
    );
    // Which card York has changes nothing for Lancaster.
    let mut other = machine.snapshot();
    let program = machine.program().clone();
    let column = &program.columns[sample.hand as usize];
    let word = &mut other.words_mut()[column.offset as usize];
    *word = *word & !0xff_0000_0000 | 2 << 40;
    let index = column.inverse as usize;
    for (value, set) in [(0, 0b011101), (1, 0b000010), (2, 0b100000)] {
        other.words_mut()[index + value] = set;
    }
    machine.restore(&other).unwrap();
    assert_eq!(machine.view(Some(0)).unwrap(), lancaster);
    assert_ne!(machine.view(Some(1)).unwrap(), lancaster);
    let cards = Type::of(Base::Set(CARD));
    assert_eq!(machine.show(cards, &[0b111111], Some(1)), "AP3, a Lancaster card and 4 cards");
    assert_eq!(machine.show(cards, &[0b000010], Some(0)), "AP1");
    assert_eq!(machine.show(cards, &[0b100000], None), "AP3");
}
