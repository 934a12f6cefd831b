//! What steps do, held against the plainest way to do it ([`super::naive::play`]): rules put together at random are played
//! with random choices, and what was offered, said and set must be the same. A check without a word promises that nothing
//! absent, and no state that is not there, is ever asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_book::{ColumnId, StepId, Test, TestLine, TestLineKind};
use blazon_kernel::chance::Stream;
use blazon_machine::{Event, Machine};
use blazon_program::Program;
use blazon_tests::compiled;
use blazon_tests::pairs::{lead, number};
use blazon_tests::writer::{Writer, open_game};
use rayon::prelude::*;

use super::naive::play::{Answered, End, Play, Script};
use super::naive::{Cells, Position, Trouble};

/// What the machine came to.
struct Done {
    script: Script,
    said: Vec<String>,
    /// The position at the end, or the code of the fault.
    came: Result<Cells, &'static str>,
}

/// Plays a step to its end, or to a fault, with random choices.
fn perform(machine: &mut Machine, step: StepId, seed: u64) -> Done {
    let book = machine.program().book.clone();
    let mut stream = Stream::new(seed);
    let (mut script, mut said) = (Script::default(), Vec::new());
    machine.reseed(seed);
    let mut came = machine.play(step);
    loop {
        for event in machine.take_events() {
            match &event {
                Event::Said { .. } => said.push(machine.tell_event(&event, None).unwrap_or_default()),
                Event::Rolled { dice, .. } => script.dice.extend(dice.iter().map(|&die| i64::from(die))),
                Event::Drawn { things, .. } => {
                    script.draws.push_back(things.iter().map(|&thing| i64::from(thing)).collect());
                }
                Event::Chosen { .. } | Event::Over { .. } => {}
            }
        }
        if let Err(fault) = came {
            return Done { script, said, came: Err(fault.code) };
        }
        let ended = machine.choice().is_none_or(|choice| book.step(choice.step).name == "turn");
        let Some(&player) = machine.deciders().first().filter(|_| !ended) else {
            return Done { script, said, came: Ok(Position::of(&book, machine).cells) };
        };
        let open: Vec<_> =
            machine.options(player).iter().map(|one| (one.option, one.args.to_vec())).collect();
        let index = stream.below(open.len());
        let taken = open[index].clone();
        script.answers.push_back(Answered { player, open, taken });
        came = machine.choose(player, index);
    }
}

/// In what the two differ, if they do.
fn differs(program: &Program, before: Cells, step: StepId, done: Done) -> Option<String> {
    let book = &program.book;
    let mut play = Play { position: Position { book, cells: before }, script: done.script, said: Vec::new() };
    let end = play.step(step, Vec::new());
    let by_hand = match &end {
        // Behind the step that is looked at stands one more question, which nobody has answered.
        Err(End::Over) => Ok(play.position.cells),
        Ok(_) => return Some("no question behind".to_owned()),
        Err(End::Trouble(Trouble::Unsound(what))) => {
            return Some(format!("{what}, machine {:?}", done.came.err()));
        }
        Err(End::Trouble(trouble)) => Err(*trouble),
        Err(End::Differs(how)) => return Some(how.clone()),
        Err(End::Untold) => {
            let stopped = matches!(done.came, Err("run::range" | "run::clash"));
            return if stopped { None } else { Some("luck that the machine did not try".to_owned()) };
        }
    };
    match (done.came, by_hand) {
        (Err("run::range"), Err(Trouble::Range)) | (Err("run::clash"), Err(Trouble::Clash)) => None,
        (Ok(machine), Ok(cells)) => {
            if done.said != play.said {
                return Some(format!("said {:?}, by hand {:?}", done.said, play.said));
            }
            let other = machine
                .iter()
                .find(|(cell, value)| cells.get(*cell).is_some_and(|by_hand| by_hand != *value));
            let name = |column: ColumnId| &book.column(column).name;
            other.map(|(cell, value)| {
                format!("{}{:?} is {value:?}, by hand {:?}", name(cell.0), cell.1, cells[cell])
            })
        }
        (machine, by_hand) => Some(format!("machine {:?}, by hand {:?}", machine.err(), by_hand.err())),
    }
}

/// What came of a page, or of many.
#[derive(Default)]
struct Came {
    clean: usize,
    played: usize,
    answers: usize,
    faults: usize,
    refused: BTreeMap<String, usize>,
    differ: Vec<String>,
}

impl Came {
    fn page(game: &str, rules: &str, seed: u64) -> Self {
        let mut came = Self::default();
        let program: Arc<Program> = match compiled(&format!("{game}{rules}\n")) {
            Ok(program) => program,
            Err(codes) => {
                if std::env::var_os("BLAZON_WRITTEN").is_some() {
                    println!("{codes:?}: {rules}");
                }
                for code in codes {
                    *came.refused.entry(code.to_owned()).or_default() += 1;
                }
                return came;
            }
        };
        came.clean = 1;
        for test in program.book.tests.iter().filter(|test| test.name.starts_with("position")) {
            let mut machine = Machine::new(program.clone()).expect("a machine");
            machine.record(true);
            let (played, before): (Vec<_>, Vec<_>) =
                test.lines.iter().cloned().partition(|line| matches!(line.kind, TestLineKind::Play(_)));
            lead(&mut machine, &Test { lines: before, ..test.clone() });
            let [TestLine { kind: TestLineKind::Play(step), .. }] = played[..] else {
                unreachable!("it plays one step")
            };
            for turn in 0..3 {
                let mut machine = machine.clone();
                let before = Position::of(&program.book, &machine).cells;
                let done = perform(&mut machine, step, seed * 3 + turn);
                came.played += 1;
                came.answers += done.script.answers.len();
                came.faults += usize::from(done.came.is_err());
                if let Some(differs) = differs(&program, before, step, done) {
                    let (rules, positions) = rules.split_once("\ntest").unwrap_or((rules, ""));
                    let position =
                        positions.split("\ntest").find(|one| one.contains(&test.name)).unwrap_or("");
                    came.differ.push(format!("{rules}\n {}\n  {differs}", position.replace("\n ", ";")));
                    return came;
                }
            }
        }
        came
    }

    fn and(mut self, other: Self) -> Self {
        self.clean += other.clean;
        self.played += other.played;
        self.answers += other.answers;
        self.faults += other.faults;
        for (code, count) in other.refused {
            *self.refused.entry(code).or_default() += count;
        }
        self.differ.extend(other.differ);
        self
    }
}

/// `BLAZON_PLAYED=200000` looks at more pages.
#[test]
fn steps_do_what_they_say() {
    let (game, from) = (open_game(), number("BLAZON_PLAYED_FROM", 0) as u64);
    let seeds = number("BLAZON_PLAYED", 1500) as u64;
    let pages = (from..from + seeds).into_par_iter().map(|seed| Came::page(&game, &Writer::play(seed), seed));
    let Came { clean, played, answers, faults, refused, mut differ } = pages.reduce(Came::default, Came::and);
    println!(
        "{clean} clean, played {played} times with {answers} answers, {faults} faults; refused: {refused:?}"
    );
    differ.sort_by_key(String::len);
    let many = differ.len();
    differ.truncate(6);
    assert!(differ.is_empty(), "{many} differ:\n{}", differ.join("\n\n"));
    assert!(2 * clean as u64 > seeds && answers > clean && faults > 0);
}
