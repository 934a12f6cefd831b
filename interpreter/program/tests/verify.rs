//! The verifier: each thing that it promises to catch, shown by a program broken by hand.

#[path = "common/board.rs"]
mod board;

use std::sync::{Arc, OnceLock};

use blazon_book::{Base, RuleId, StepId, Type};
use blazon_diagnostics::Span;
use blazon_program::ir::{
    Column, Function, Held, Holds, Op, OptionInfo, OptionParam, Origin, Pc, Reg, Space, TextInfo, TextPiece,
};
use blazon_program::{Program, verify};

const PAGE: &str = "
state allies(side): set of side
state tired(piece): flag, fresh each sally
step sally { for p in pieces { tired(p) := yes }; allies(Red) := [Blue] }
step orders(s: side) {
  choose by s \"Whose turn?\" {
    option march(p in pieces, to in p.at.neighbours)
      needs own: p.owner = s else \"{p} is another's\"
    { p.at := to }
    option wait { }
  } else { }
}
step bid { choose by each s in sides { option show(c in cards where c.hand = s) { c.hand := none } } else { } }
rule held(a: area): set of piece = all p in pieces where p.at = a
rule friends(s: side): set of side = s.allies
rule may rest(p: piece): permission
  needs tired: p.strength < 4
";

/// The registers of a function made here: the header's or parameters' words, then these.
const A: Reg = 3;
const B: Reg = 4;
/// How many words its frame has; none of them lasts.
const FRAME: u16 = 12;

fn whole() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| board::program(PAGE))
}

/// What is said about the program after a change.
fn broken(change: impl FnOnce(&mut Program)) -> String {
    let mut program = whole().clone();
    change(&mut program);
    verify(&program).expect_err("a broken program")
}

/// Whether a message says this.
#[track_caller]
fn says(message: &str, what: &str) {
    assert!(message.contains(what), "`{message}` does not say `{what}`");
}

fn append(program: &mut Program, ops: &[Op]) -> (Pc, Pc) {
    let entry = program.code.len() as Pc;
    program.code.extend_from_slice(ops);
    program.spans.resize(program.code.len(), Span::default());
    (entry, program.code.len() as Pc)
}

fn function(origin: Origin, (entry, end): (Pc, Pc)) -> Function {
    let local_words = if matches!(origin, Origin::Step(_)) { 3 } else { 0 };
    let name = "by hand".to_owned();
    Function { name, origin, entry, end, param_words: 0, result_words: 0, local_words, frame_words: FRAME }
}

/// What the verifier says of a pure function of this code.
fn pure(ops: &[Op]) -> Result<(), String> {
    let mut program = whole().clone();
    let code = append(&mut program, ops);
    program.functions.push(function(Origin::Made, code));
    verify(&program)
}

/// What it says of a step of this code: it takes the place of the step `nothing`.
fn step(ops: &[Op]) -> Result<(), String> {
    let mut program = whole().clone();
    let code = append(&mut program, ops);
    let place = step_of(&program, "nothing");
    let old = program.functions[place].clone();
    let new = function(old.origin, code);
    program.functions[place] = new;
    program.functions.push(Function { origin: Origin::Made, ..old });
    verify(&program)
}

fn step_of(program: &Program, name: &str) -> usize {
    program.book.steps.iter().position(|step| step.name == name).expect("a step")
}

fn column(name: &str) -> u16 {
    whole().book.columns.iter().position(|column| column.name == name).expect("a column") as u16
}

fn kind(name: &str) -> u16 {
    whole().book.kinds.iter().position(|kind| kind.name == name).expect("a kind") as u16
}

/// The code of a pure function with this instruction is refused with these words.
#[track_caller]
fn refused(op: Op, what: &str) {
    let int = |dst| Op::Int { dst, value: 0 };
    let code = [int(A), int(B), op, Op::Return { src: 0 }];
    says(&pure(&code).expect_err(what), what);
}

/// The same of a step.
#[track_caller]
fn refused_in_step(op: Op, what: &str) {
    let int = |dst| Op::Int { dst, value: 0 };
    let code = [int(A), int(B), op, Op::Return { src: 0 }];
    says(&step(&code).expect_err(what), what);
}

#[test]
fn whole_programs_are_accepted() {
    assert_eq!(verify(whole()), Ok(()));
    assert_eq!(pure(&[Op::Int { dst: 0, value: 1 }, Op::Return { src: 0 }]), Ok(()));
    let store = Op::Store { column: column("active"), key: A, src: A };
    assert_eq!(step(&[Op::Int { dst: A, value: 0 }, store, Op::Return { src: 0 }]), Ok(()));
}

#[test]
fn a_program_has_all_its_parts() {
    says(&broken(|p| p.code[0] = Op::Done), "instruction 0 is not `over`");
    says(&broken(|p| p.spans.truncate(1)), "not every instruction has a place");
    says(&broken(|p| p.kinds.truncate(1)), "kinds are missing");
    says(&broken(|p| p.seen.truncate(1)), "kinds are missing");
    says(&broken(|p| p.columns.truncate(1)), "columns are missing");
    says(&broken(|p| p.functions.truncate(2)), "functions are missing");
    says(&broken(|p| p.state_words = 7), "the machine's own words are missing");
    says(&broken(|p| p.functions[1].entry += 1), "functions do not lie side by side");
    let lost = broken(|p| {
        append(p, &[Op::Over]);
    });
    says(&lost, "code lies outside all functions");
    says(
        &broken(|p| p.functions[0].origin = Origin::Rule(RuleId(0))),
        "function 0 is not what its number says",
    );
    let rules = whole().book.steps.len();
    says(&broken(|p| p.functions[rules].origin = Origin::Made), "is not what its number says");
    says(&broken(|p| p.functions[rules].origin = Origin::Rule(RuleId(1))), "is not what its number says");
    says(&broken(|p| p.starts.push((0, 0))), "a start or a view is no function");
    says(&broken(|p| p.seen[0] = Some(u32::MAX)), "a start or a view is no function");
}

#[test]
fn columns_lie_well() {
    let with =
        |name: &str, change: fn(&mut Column)| broken(|p| change(&mut p.columns[column(name) as usize]));
    says(&with("at", |c| c.offset = 100_000), "column at: it lies outside its space");
    says(&with("worth", |c| c.offset = 100_000), "column worth: it lies outside its space");
    says(&with("strength", |c| (c.shift, c.len) = (7, 0)), "column strength: its entries have no size");
    says(&with("allies", |c| (c.set_words, c.shift, c.len) = (2, 3, 0)), "its entries have no size");
    says(&with("at", |c| c.set_words = 1), "it cannot have an inverse index");
    says(&with("at", |c| c.inverse = 100_000), "its inverse index lies outside the states");
    says(&with("at", |c| c.hi = 100_000), "its inverse index lies outside the states");
    says(&with("at", |c| c.key_words = 0), "its inverse index is too small");
}

#[test]
fn frames_have_room() {
    let of = |change: fn(&mut Function)| {
        broken(|p| {
            let place = step_of(p, "orders");
            change(&mut p.functions[place]);
        })
    };
    says(&of(|f| f.param_words = 9), "orders: its parameters have no room");
    says(&of(|f| f.local_words = 3), "orders: its parameters have no room");
    says(&of(|f| f.frame_words = f.local_words - 1), "orders: its frame is smaller than its locals");
    says(&of(|f| f.frame_words = f.local_words), "lies outside its frame");
    refused(Op::Int { dst: FRAME, value: 0 }, "r12 lies outside its frame");
    refused(Op::Empty { dst: A, words: 10 }, "r3 lies outside its frame");
    refused_in_step(Op::Int { dst: 2, value: 0 }, "r2 lies in the header of the frame");
    refused_in_step(Op::Copy { dst: A, src: 2, words: 1 }, "r2 lies in the header of the frame");
    let mut program = whole().clone();
    let code = append(&mut program, &[Op::Return { src: FRAME }]);
    program.functions.push(Function { result_words: 1, ..function(Origin::Made, code) });
    says(&verify(&program).expect_err("no result"), "its result lies outside its frame");
}

#[test]
fn code_stays_in_its_function() {
    says(&pure(&[Op::Int { dst: A, value: 0 }]).expect_err("no end"), "its code runs out at its end");
    says(&pure(&[Op::Jump { to: 0 }]).expect_err("a jump"), "it jumps out of its function");
    refused(Op::JumpIf { a: A, to: 1 }, "it jumps out of its function");
    refused(Op::NextNumber { counter: A, limit: B, exit: u32::MAX }, "it jumps out of its function");
}

#[test]
fn rules_have_no_effects() {
    let active = column("active");
    refused(Op::Store { column: active, key: A, src: A }, "a rule has no effects");
    refused(Op::Reset { scope: 0 }, "a rule has no effects");
    refused(Op::Do { function: 0, args: A, dst: A, key: A }, "a rule has no effects");
    refused(Op::Win { player: A }, "a rule has no effects");
    refused(Op::Die { dst: A, sides: A, key: B }, "a rule has no effects");
    refused(Op::Say { text: 0, announce: false }, "a rule has no effects");
    refused(Op::Refuse { need: 0 }, "a rule has no effects");
    let explains = |op: Op| {
        broken(|p| {
            let code = append(p, &[Op::Int { dst: A, value: 0 }, op, Op::Return { src: 0 }]);
            p.functions.push(function(Origin::Explain(RuleId(0)), code));
        })
    };
    says(&explains(Op::Store { column: active, key: A, src: A }), "an explanation has no effects");
    says(&explains(Op::Say { text: 0, announce: false }), "an explanation has no effects");
}

#[test]
fn numbers_stand_for_something() {
    let none = u16::MAX;
    refused(Op::Number { dst: A, index: 1 << 20 }, "there is no such number");
    refused(Op::Set { dst: A, words: 1, index: 1 << 20 }, "there is no such set");
    refused(Op::Load { dst: A, column: none, key: A }, "there is no such column");
    refused(Op::Fact { dst: A, key: A, len: 1, offset: 1 << 20 }, "there is no such fact");
    refused(Op::Word { dst: A, offset: 1 << 20 }, "there is no such word");
    refused(Op::WordBoth { dst: A, a: A, read: B, offset: 1 << 20 }, "there is no such word");
    refused(Op::WordWithout { dst: A, a: A, read: B, offset: 1 << 20 }, "there is no such word");
    refused(Op::Alike { set: A, kind: none }, "there is no such kind");
    refused(Op::Links { dst: A, kind: none, a: A }, "there is no such kind");
    refused(Op::Call { function: none, args: A, dst: A }, "there is no such rule");
    refused(Op::Call { function: 0, args: A, dst: A }, "there is no such rule");
    refused(Op::Table { dst: A, table: none, args: A }, "there is no such table");
    refused(Op::Keep { value: A, range: none }, "there is no such range");
    let rule = whole().book.steps.len() as u16;
    refused_in_step(Op::Do { function: rule, args: A, dst: A, key: A }, "there is no such step");
    refused_in_step(Op::Do { function: none, args: A, dst: A, key: A }, "there is no such step");
    refused_in_step(Op::Reset { scope: none }, "there is no such scope");
    refused_in_step(Op::Choose { choice: none }, "there is no such choice");
    refused_in_step(Op::Choose { choice: 0 }, "there is no such choice");
    refused_in_step(Op::EachNext { choice: 0 }, "there is no such choice");
    refused_in_step(Op::Emit { option: 0, args: A, count: 2 }, "there is no such option");
    refused_in_step(
        Op::EmitAll { option: 0, args: A, count: 2, set: B, words: 1 },
        "there is no such option",
    );
    let pairs = Op::EmitPairs { option: 0, first: A, words: 1, second: B, others: 1 };
    refused_in_step(pairs, "there is no such option");
    refused_in_step(Op::Text { text: u32::MAX }, "there is no such text");
    refused_in_step(Op::Say { text: u32::MAX, announce: false }, "there is no such text");
    refused_in_step(Op::Refuse { need: u32::MAX }, "there is no such need");
    refused_in_step(Op::Draw { dst: A, set: A, count: A, key: A, kind: none }, "there is no such kind");
    refused_in_step(Op::MixSet { dst: A, key: A, set: A, kind: none }, "there is no such kind");
    refused_in_step(Op::MixValue { dst: A, key: A, value: A, kind: 99 }, "there is no such kind");
}

#[test]
fn columns_and_kinds_have_the_right_shape() {
    let (at, allies, worth, strength) = (column("at"), column("allies"), column("worth"), column("strength"));
    refused(Op::Load { dst: A, column: allies, key: A }, "the column holds sets");
    refused(Op::LoadSet { dst: A, column: at, key: A }, "the column holds no sets");
    refused_in_step(Op::Store { column: allies, key: A, src: A }, "the column holds sets");
    refused_in_step(Op::StoreSet { column: at, key: A, src: A }, "the column holds no sets");
    refused_in_step(Op::Store { column: worth, key: A, src: A }, "a fact does not change");
    refused(Op::Members { dst: A, column: strength }, "the column holds no flags");
    refused(Op::Image { dst: A, column: allies, set: A, words: 1 }, "the column holds no such things");
    refused(Op::Image { dst: A, column: at, set: A, words: 0 }, "the column holds no such things");
    refused(Op::Where { dst: A, column: allies, value: A }, "the column is not asked by value");
    refused(Op::WhereIs { dst: A, column: allies, value: 0 }, "the column is not asked by value");
    let group = Op::Group { set: A, group: B, column: allies, value: A, elem: A };
    refused(group, "the column is not asked by value");
    let entry = Op::LoadAt { dst: A, column: allies, a: A, b: A, key: B, size: 2 };
    refused(entry, "the column holds sets");
    let both = Op::WhereBoth { dst: A, a: A, read: B, column: strength, value: A };
    refused(both, "the column has no inverse index of single words");
    for op in [
        Op::Links { dst: A, kind: kind("area"), a: A },
        Op::Neighbours { dst: A, kind: kind("area"), a: A },
        Op::NeighboursOf { dst: A, kind: kind("area"), set: A },
        Op::Between { dst: A, kind: kind("area"), a: A, b: A },
        Op::Ends { dst: A, kind: kind("area"), a: A },
    ] {
        refused(op, "this is no kind of links");
    }
    let reset = broken(|p| p.scopes[0].push(worth));
    says(&reset, "a fact does not change");
}

#[test]
fn words_are_written_before_they_are_read() {
    let (int, end) = (Op::Int { dst: A, value: 0 }, Op::Return { src: 0 });
    let unwritten = |ops: &[Op]| pure(ops).expect_err("a word that holds nothing");
    says(&unwritten(&[Op::Not { dst: A, a: B }, end]), "reads r4 before it is written");
    says(&unwritten(&[Op::Count { dst: A, set: A, words: 2 }, end]), "reads r3 before it is written");
    says(&unwritten(&[int, Op::Count { dst: A, set: A, words: 2 }, end]), "reads r4 before it is written");
    // Written on one way only.
    let entry = whole().code.len() as Pc;
    let fork = [
        int,
        Op::JumpIf { a: A, to: entry + 3 },
        Op::Int { dst: B, value: 0 },
        Op::Not { dst: A, a: B },
        end,
    ];
    says(&unwritten(&fork), "reads r4 before it is written");
    // A loop gives its variable only where it goes on.
    let exit = entry + 2;
    let next = [int, Op::Next { set: A, words: 1, elem: B, exit }, Op::Return { src: 0 }];
    assert_eq!(pure(&next), Ok(()));
    // What is returned.
    let mut program = whole().clone();
    let code = append(&mut program, &[Op::Return { src: A }]);
    program.functions.push(Function { result_words: 1, ..function(Origin::Made, code) });
    says(&verify(&program).expect_err("no result"), "reads r3 before it is written");
    // The holes of a text.
    let mut program = whole().clone();
    program
        .texts
        .push(TextInfo { pieces: vec![TextPiece::Value(A, Type::of(Base::Flag))], span: Span::default() });
    let text = program.texts.len() as u32 - 1;
    let code = append(&mut program, &[Op::Text { text }, end]);
    program.functions.push(function(Origin::Explain(RuleId(0)), code));
    says(&verify(&program).expect_err("an empty hole"), "reads r3 before it is written");
}

#[test]
fn temporaries_end_where_a_step_is_done() {
    let other = step_of(whole(), "sally") as u16;
    let (int, end) = (Op::Int { dst: A, value: 0 }, Op::Return { src: 0 });
    let site = Op::MixSite { dst: B, key: 2, site: 1 };
    let done = Op::Do { function: other, args: 5, dst: 5, key: B };
    assert_eq!(step(&[int, site, done, end]), Ok(()));
    let read = Op::Copy { dst: 6, src: A, words: 1 };
    says(&step(&[int, site, done, read, end]).expect_err("a lost word"), "reads r3 before it is written");
}

#[test]
fn what_is_held_lies_in_its_step() {
    let held = |held: Held| broken(|p| p.held.push(held));
    let step = whole().functions[whole().choices[0].step.0 as usize].clone();
    let at = |reg| Held { from: step.entry, to: step.end, reg, holds: Holds::Counts };
    says(&held(at(0)), "lies in no step");
    says(&held(at(step.local_words - 3)), "lies in no step");
    says(&held(Held { to: step.end + 1, ..at(3) }), "lies in no step");
    says(&held(Held { holds: Holds::Answers(u16::MAX), ..at(Reg::MAX) }), "lies in no step");
}

#[test]
fn choices_are_whole() {
    let first = |change: fn(&mut Program)| broken(change);
    says(&first(|p| p.choices[0].step = StepId(99)), "there is no such choice");
    // Behind the code of its step.
    says(&first(|p| p.choices[0].after = 0), "there is no such option");
    says(&first(|p| p.choices[0].who = 0), "choice 0: 0 lies outside its step");
    says(&first(|p| p.choices[0].prompt = Some(0)), "choice 0: 0 lies outside its step");
    says(&first(|p| p.choices[0].otherwise = Some(0)), "choice 0: 0 lies outside its step");
    let option = |change: fn(&mut OptionInfo)| broken(|p| change(&mut p.choices[0].options[0]));
    says(&option(|o| o.body = 0), "choice 0: 0 lies outside its step");
    says(&option(|o| o.explain = 0), "choice 0: 0 lies outside its step");
    says(&option(|o| o.label = Some(0)), "choice 0: 0 lies outside its step");
    says(&option(|o| o.params.truncate(1)), "there is no such option");
    let param = |change: fn(&mut OptionParam)| broken(|p| change(&mut p.choices[0].options[0].params[0]));
    says(&param(|o| o.local = 2), "choice 0: r2 is no local of its step");
    says(&param(|o| o.local = 900), "choice 0: r900 is no local of its step");
    let each = whole().choices.iter().position(|choice| choice.each.is_some()).expect("a choice by each");
    let of_each = |change: fn(&mut blazon_program::ir::EachInfo)| {
        broken(|p| p.choices[each].each.iter_mut().for_each(change))
    };
    says(&of_each(|e| e.words = 0), "an answer has no room for its arguments");
    says(&of_each(|e| e.local = 0), "r0 is no local of its step");
    says(&of_each(|e| e.slots = 900), "r900 is no local of its step");
}

#[test]
fn a_choice_without_a_step_is_refused() {
    let mut program = whole().clone();
    // Nothing stops for it any more: only the choice itself is wrong.
    let mut lost = program.choices[0].clone();
    (lost.step, lost.options) = (StepId(u32::MAX), Vec::new());
    program.choices.push(lost);
    says(&verify(&program).expect_err("no step"), "it has no step");
    assert_eq!(program.columns[column("worth") as usize].space, Space::Fact);
    assert!(Arc::ptr_eq(&program.book, &whole().book));
}

#[test]
fn parameters_of_options_stand_in_temporaries() {
    // An option that nothing emits or explains with its arguments: only where they stand is wrong.
    let message = broken(|p| {
        let local = p.choices[0].options[0].params[0].local;
        p.choices[0].options[1].params = vec![OptionParam {
            name: "x".to_owned(),
            kind: None,
            local,
            scratch: local,
            named: false,
            told: true,
        }];
        let count = |op: &mut Op| {
            if let Op::Emit { option: 1, count, .. } = op {
                *count = 1;
            }
        };
        let place = step_of(p, "orders");
        let (entry, end) = (p.functions[place].entry as usize, p.functions[place].end as usize);
        p.code[entry..end].iter_mut().for_each(count);
    });
    says(&message, "is no temporary of its step");
}
