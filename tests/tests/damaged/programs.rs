//! Programs with a single number changed: each is refused by the verifier, or harmless. Harmless is what can be played
//! without a panic, a hang or more memory than was allowed; the game may end in a fault.
//!
//! `BLAZON_MUTATED=20000` tries so many programs; a failure names the instruction and its seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use blazon_check::Settings;
use blazon_check::project::Project;
use blazon_kernel::chance::Stream;
use blazon_machine::{Fault, Limits, Machine};
use blazon_program::ir::Op;
use blazon_program::{Program, verify};
use blazon_tests::{folder, parsed, program, rules_only, top};

/// How many programs are tried where the environment does not say.
const PROGRAMS: u64 = 3_000;
/// How many decisions are taken in each.
const DECISIONS: usize = 20;
/// What a mutated program may use.
const LIMITS: Limits = Limits { ops: 20_000, words: 1 << 14, depth: 64, told: 1 << 20 };

/// A number in an instruction.
enum Field<'o> {
    Byte(&'o mut u8),
    Short(&'o mut u16),
    Long(&'o mut u32),
    Small(&'o mut i16),
    Signed(&'o mut i32),
    Flag(&'o mut bool),
}

impl<'o> From<&'o mut u8> for Field<'o> {
    fn from(field: &'o mut u8) -> Self {
        Self::Byte(field)
    }
}
impl<'o> From<&'o mut u16> for Field<'o> {
    fn from(field: &'o mut u16) -> Self {
        Self::Short(field)
    }
}
impl<'o> From<&'o mut u32> for Field<'o> {
    fn from(field: &'o mut u32) -> Self {
        Self::Long(field)
    }
}
impl<'o> From<&'o mut i16> for Field<'o> {
    fn from(field: &'o mut i16) -> Self {
        Self::Small(field)
    }
}
impl<'o> From<&'o mut i32> for Field<'o> {
    fn from(field: &'o mut i32) -> Self {
        Self::Signed(field)
    }
}
impl<'o> From<&'o mut bool> for Field<'o> {
    fn from(field: &'o mut bool) -> Self {
        Self::Flag(field)
    }
}

/// Matches all instructions and lists their fields: one that is new has to be put here.
macro_rules! fields {
    ($op:expr; $($name:ident { $($field:ident),* })*) => {
        match $op {
            $(Op::$name { $($field),* } => vec![$(Field::from($field)),*],)*
        }
    };
}

#[rustfmt::skip]
fn fields(op: &mut Op) -> Vec<Field<'_>> {
    fields!(op;
        Int { dst, value }
        Number { dst, index }
        Set { dst, words, index }
        Empty { dst, words }
        Copy { dst, src, words }
        Add { dst, a, b }
        Sub { dst, a, b }
        Mul { dst, a, b }
        Div { dst, a, b }
        DivUp { dst, a, b }
        DivNearest { dst, a, b }
        Min { dst, a, b }
        Max { dst, a, b }
        Tick { flag, site }
        Odd { dst, a }
        Keep { value, range }
        Eq { dst, a, b }
        Ne { dst, a, b }
        Lt { dst, a, b }
        Le { dst, a, b }
        EqInt { dst, a, value }
        IsAbsent { dst, a }
        Not { dst, a }
        Index { dst, a, b, size }
        Load { dst, column, key }
        Store { column, key, src }
        LoadSet { dst, column, key }
        StoreSet { column, key, src }
        Members { dst, column }
        Where { dst, column, value }
        NeighboursOf { dst, kind, set }
        WhereIs { dst, column, value }
        Fact { dst, key, len, offset }
        Word { dst, offset }
        Image { dst, column, set, words }
        Reset { scope }
        Union { dst, a, b, words }
        Both { dst, a, b, words }
        Without { dst, a, b, words }
        SetEq { dst, a, b, words }
        Insert { set, elem }
        Delete { set, elem }
        Has { dst, set, elem }
        Count { dst, set, words }
        Some { dst, set, words }
        First { dst, set, words }
        Group { set, group, column, value, elem }
        Alike { set, kind }
        Links { dst, kind, a }
        Neighbours { dst, kind, a }
        Between { dst, kind, a, b }
        Ends { dst, kind, a }
        Next { set, words, elem, exit }
        Again { set, words, elem, to }
        NextNumber { counter, limit, exit }
        NextDie { dice, die, exit }
        AddDie { dice, die }
        DropDie { dice, die }
        Reach { set, purse, kind, elem, left }
        NextWay { set, purse, kind, elem, exit }
        Push { seq, elem }
        PushAll { seq, set, words }
        NextOf { seq, elem, exit }
        Jump { to }
        JumpIf { a, to }
        JumpUnless { a, to }
        Call { function, args, dst }
        Do { function, args, dst, key }
        Return { src }
        Table { dst, table, args }
        Win { player }
        Over { }
        Done { }
        Clash { }
        MixSite { dst, key, site }
        MixValue { dst, key, value, kind }
        MixSet { dst, key, set, kind }
        MixCount { dst, key, slots }
        Die { dst, sides, key }
        Dice { dst, sides, count, key }
        Draw { dst, set, count, key, kind }
        Choose { choice }
        EachNext { choice }
        Emit { option, args, count }
        EmitAll { option, args, count, set, words }
        EmitPairs { option, first, words, second, others }
        Text { text }
        Say { text, announce }
        Refuse { need }
        Copies { dst, src, dst2, src2 }
        WordBoth { dst, a, read, offset }
        WordWithout { dst, a, read, offset }
        Ints { dst, value, dst2, value2 }
        LoadAt { dst, column, a, b, key, size }
        WhereBoth { dst, a, read, column, value }
        JumpEq { dst, a, b, to, when }
        JumpNe { dst, a, b, to, when }
        JumpLt { dst, a, b, to, when }
        JumpLe { dst, a, b, to, when }
        JumpEqInt { dst, a, value, to, when }
        JumpAbsent { dst, a, to, when }
        JumpHas { dst, set, elem, to, when }
        JumpSome { dst, set, words, to, when }
    )
}

/// Another number, near by or far away.
fn other(value: i64, stream: &mut Stream) -> i64 {
    match stream.below(8) {
        0 => value + 1,
        1 => value - 1,
        2 => 0,
        3 => stream.below(8) as i64,
        4 => stream.below(200) as i64,
        5 => value.wrapping_mul(2),
        6 => value ^ 1 << stream.below(32),
        _ => -1 - stream.below(3) as i64,
    }
}

/// Changes one number of one instruction; answers which instruction it was.
fn mutate(program: &mut Program, stream: &mut Stream) -> usize {
    loop {
        let pc = stream.below(program.code.len());
        let mut op = program.code[pc];
        let mut fields = fields(&mut op);
        if fields.is_empty() {
            continue;
        }
        let place = stream.below(fields.len());
        match &mut fields[place] {
            Field::Byte(field) => **field = other((**field).into(), stream) as u8,
            Field::Short(field) => **field = other((**field).into(), stream) as u16,
            Field::Long(field) => **field = other((**field).into(), stream) as u32,
            Field::Small(field) => **field = other((**field).into(), stream) as i16,
            Field::Signed(field) => **field = other((**field).into(), stream) as i32,
            Field::Flag(field) => **field = !**field,
        }
        if op != program.code[pc] {
            program.code[pc] = op;
            return pc;
        }
    }
}

fn play(program: Program, seed: u64) -> Result<(), Fault> {
    let mut machine = Machine::with_limits(Arc::new(program), LIMITS)?;
    let mut stream = Stream::new(seed);
    machine.start(machine.program().book.default_setup, seed)?;
    for _ in 0..DECISIONS {
        let Some(&player) = machine.deciders().first() else { break };
        machine.prompt(Some(player));
        machine.refused(player);
        machine.view(Some(player))?;
        let index = stream.below(machine.options(player).len());
        machine.label(player, index, None);
        machine.choose(player, index)?;
    }
    machine.view(None).map(drop)
}

#[test]
fn a_changed_number_is_refused_or_harmless() {
    let tries = std::env::var("BLAZON_MUTATED").ok().and_then(|value| value.parse().ok()).unwrap_or(PROGRAMS);
    let rivers =
        Project { game: folder(&top().join("interpreter/cli/tests/two-rivers")), ..Project::default() };
    let ford = Project { game: folder(&top().join("interpreter/check/tests/ford")), ..Project::default() };
    let programs = [rivers, ford, rules_only("salt-road", &[])]
        .map(|project| program(&parsed(&project), &Settings::default()));
    let (mut refused, mut wrong) = (0, Vec::new());
    for seed in 0..tries {
        let mut stream = Stream::new(seed);
        let original = &programs[stream.below(programs.len())];
        let mut mutant = Program::clone(original);
        let pc = mutate(&mut mutant, &mut stream);
        let told = format!(
            "seed {seed}, {}: {:?} became {:?}",
            original.book.title, original.code[pc], mutant.code[pc]
        );
        let ended = catch_unwind(AssertUnwindSafe(|| match verify(&mutant) {
            Err(_) => true,
            Ok(()) => {
                // A fault is a proper end.
                let _ = play(mutant, seed);
                false
            }
        }));
        match ended {
            Ok(was_refused) => refused += u64::from(was_refused),
            Err(_) => wrong.push(told),
        }
    }
    assert!(wrong.is_empty(), "{} programs made something panic:\n{}", wrong.len(), wrong.join("\n"));
    println!("{refused} of {tries} were refused");
    // Were all of them refused, the machine would not have been tried; were none, the verifier would not.
    assert!(refused * 4 > tries && refused < tries, "{refused} of {tries} were refused");
}
