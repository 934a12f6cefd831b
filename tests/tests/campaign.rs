//! A thousand games of the 1460 campaign between random players: every one comes to a proper end, and after every
//! decision what must always hold does.

use std::sync::Arc;

use blazon_check::book::{Book, ColumnId, KindId};
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::Program;
use blazon_program::ir::ABSENT;
use blazon_tests::game;

/// The most decisions that a proper game can take.
const MOST: usize = 20_000;

/// A state's or fact's column, by name and number of keys.
fn column(book: &Book, name: &str, keys: usize) -> ColumnId {
    let found = book.columns.iter().position(|c| c.name == name && c.keys.len() == keys);
    ColumnId(found.unwrap_or_else(|| panic!("no column `{name}`")) as u32)
}

fn kind(book: &Book, name: &str) -> KindId {
    KindId(book.kinds.iter().position(|k| k.name == name).expect("a kind") as u32)
}

fn thing(book: &Book, kind: KindId, name: &str) -> i64 {
    book.kind(kind).things.iter().position(|t| t.name == name).expect("a thing") as i64
}

/// The columns that the invariants read.
struct Board {
    blocks: usize,
    sides: usize,
    at: ColumnId,
    status: ColumnId,
    side: ColumnId,
    strength: ColumnId,
    steps: ColumnId,
    exile: ColumnId,
    traffic: ColumnId,
    colour: ColumnId,
    limit: ColumnId,
    borders: usize,
    on_map: i64,
    home_down: i64,
    captive: i64,
}

impl Board {
    fn new(book: &Book) -> Self {
        let (block, status) = (kind(book, "block"), kind(book, "status"));
        Self {
            blocks: book.kind(block).things.len(),
            sides: book.kind(book.player).things.len(),
            at: column(book, "at", 1),
            status: column(book, "status", 1),
            side: column(book, "side", 1),
            strength: column(book, "strength", 1),
            steps: column(book, "steps", 1),
            exile: column(book, "exile", 1),
            traffic: column(book, "traffic", 2),
            colour: column(book, "colour", 1),
            limit: column(book, "limit", 1),
            borders: book.kind(kind(book, "border")).things.len(),
            on_map: thing(book, status, "On Map"),
            home_down: thing(book, status, "Face Down"),
            captive: thing(book, status, "Captive"),
        }
    }

    fn word(machine: &Machine, column: ColumnId, keys: &[u32]) -> i64 {
        machine.column(column, keys).expect("a value")[0] as i64
    }

    fn check(&self, machine: &Machine) {
        let word = |column, keys: &[u32]| Self::word(machine, column, keys);
        for block in 0..self.blocks as u32 {
            let (at, status) = (word(self.at, &[block]), word(self.status, &[block]));
            // A block is on the map, or a captive there, or a mercenary lying in its home; otherwise nowhere.
            if status == self.on_map || status == self.captive {
                assert_ne!(at, ABSENT, "block {block} is on the map, but nowhere");
            } else if status != self.home_down {
                assert_eq!(at, ABSENT, "block {block} is off the map, but at {at}");
            }
            let (strength, steps) = (word(self.strength, &[block]), word(self.steps, &[block]));
            assert!((0..=steps).contains(&strength), "block {block} has strength {strength} of {steps}");
            if status == self.on_map {
                assert!(strength > 0, "block {block} stands without strength");
            }
            // Nobody stands in the enemy's exile.
            if at != ABSENT && status == self.on_map {
                let exile = word(self.exile, &[at as u32]);
                assert!(
                    exile == ABSENT || exile == word(self.side, &[block]),
                    "block {block} is in enemy exile"
                );
            }
        }
        for border in 0..self.borders as u32 {
            let colour = word(self.colour, &[border]);
            let limit = word(self.limit, &[colour as u32]);
            for side in 0..self.sides as u32 {
                let traffic = word(self.traffic, &[border, side]);
                assert!(
                    traffic <= limit + 1,
                    "{traffic} blocks crossed border {border}, which takes {limit}"
                );
            }
        }
    }
}

fn bots(seed: u64) -> Vec<Random> {
    (0..4).map(|place| Random::new(seed * 4 + place, Pick::ByName)).collect()
}

/// Plays a game to its end; answers how many decisions it took.
fn play(machine: &mut Machine, seed: u64, mut after: impl FnMut(&mut Machine)) -> usize {
    let setup = machine.program().book.default_setup;
    machine.start(setup, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    let mut bots = bots(seed);
    for taken in 0..MOST {
        let Some(&player) = machine.deciders().first() else {
            let outcome = machine.outcome().expect("nobody decides, so it is over");
            assert!(outcome.winner.is_some(), "seed {seed} ended without a winner");
            return taken;
        };
        assert!(!machine.options(player).is_empty(), "seed {seed}: an empty choice");
        let index = bots[player as usize].decide(machine, player);
        machine
            .choose(player, index)
            .unwrap_or_else(|fault| panic!("seed {seed}, decision {taken}: {fault}"));
        after(machine);
    }
    panic!("seed {seed} does not end");
}

fn machine(program: &Arc<Program>) -> Machine {
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(false);
    machine
}

#[test]
fn a_thousand_games_come_to_a_proper_end_and_the_board_stays_sound() {
    let program = game("richard-iii", &[]);
    let board = Board::new(&program.book);
    let mut machine = machine(&program);
    for seed in 0..1000 {
        play(&mut machine, seed, |machine| board.check(machine));
    }
}

#[test]
fn straight_play_equals_saving_and_resuming_after_every_decision() {
    let program = game("richard-iii", &[]);
    let (mut straight, mut resumed) = (machine(&program), machine(&program));
    for seed in 0..20 {
        let mut positions = Vec::new();
        play(&mut straight, seed, |machine| positions.push(machine.snapshot()));
        let mut taken = 0;
        play(&mut resumed, seed, |machine| {
            assert_eq!(machine.snapshot(), positions[taken], "seed {seed}, decision {taken}");
            let text = machine.snapshot().to_text();
            let position = blazon_kernel::Position::from_text(&text).expect("what was saved");
            // A machine that has seen nothing of the game goes on from the text alone.
            if taken % 50 == 0 {
                *machine = self::machine(&program);
            }
            if !machine.deciders().is_empty() || taken % 50 == 0 {
                machine.restore(&position).expect("what was saved");
            }
            taken += 1;
        });
        assert_eq!(taken, positions.len());
    }
}
