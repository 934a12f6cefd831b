//! What must hold after every decision of a game of Richard III, and random games that come to a proper end. Variants
//! and rulings change the game; what is asked here must hold under all of them.

use std::sync::Arc;

use blazon_check::book::{Book, ColumnId, KindId};
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::Program;
use blazon_program::ir::ABSENT;

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
pub struct Board {
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
    /// Whether a ruling opens the enemy's exile to retreats while it is empty.
    exile_opens: bool,
}

impl Board {
    /// Of a book with the columns of Richard III.
    ///
    /// # Panics
    /// If it has not got them.
    pub fn new(book: &Book) -> Self {
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
            exile_opens: book.rulings.iter().any(|r| r.name == "empty enemy exile" && r.chosen != 0),
        }
    }

    fn word(machine: &Machine, column: ColumnId, keys: &[u32]) -> i64 {
        machine.column(column, keys).expect("a value")[0] as i64
    }

    /// Checks a position.
    ///
    /// # Errors
    /// With what does not hold.
    pub fn check(&self, machine: &Machine) -> Result<(), String> {
        for block in 0..self.blocks as u32 {
            self.check_block(machine, block)?;
        }
        for border in 0..self.borders as u32 {
            let limit =
                Self::word(machine, self.limit, &[Self::word(machine, self.colour, &[border]) as u32]);
            for side in 0..self.sides as u32 {
                let traffic = Self::word(machine, self.traffic, &[border, side]);
                holds(traffic <= limit + 1, || {
                    format!("{traffic} blocks crossed border {border}, which takes {limit}")
                })?;
            }
        }
        Ok(())
    }

    fn check_block(&self, machine: &Machine, block: u32) -> Result<(), String> {
        let word = |column, keys: &[u32]| Self::word(machine, column, keys);
        let (at, status) = (word(self.at, &[block]), word(self.status, &[block]));
        // A block is on the map, or a captive there, or a mercenary lying in its home; otherwise nowhere.
        if status == self.on_map || status == self.captive {
            holds(at != ABSENT, || format!("block {block} is on the map, but nowhere"))?;
        } else if status != self.home_down {
            holds(at == ABSENT, || format!("block {block} is off the map, but at {at}"))?;
        }
        let (strength, steps) = (word(self.strength, &[block]), word(self.steps, &[block]));
        holds((0..=steps).contains(&strength), || {
            format!("block {block} has strength {strength} of {steps}")
        })?;
        if status == self.on_map {
            holds(strength > 0, || format!("block {block} stands without strength"))?;
        }
        // Nobody stands in the enemy's exile.
        if at != ABSENT && status == self.on_map && !self.exile_opens {
            let exile = word(self.exile, &[at as u32]);
            let at_peace = exile == ABSENT || exile == word(self.side, &[block]);
            holds(at_peace, || format!("block {block} is in enemy exile"))?;
        }
        Ok(())
    }
}

fn holds(condition: bool, or: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(or()) }
}

fn bots(seed: u64) -> Vec<Random> {
    (0..4).map(|place| Random::new(seed * 4 + place, Pick::ByName)).collect()
}

/// A machine that keeps no record of what happens.
///
/// # Panics
/// If the program has no start.
pub fn machine(program: &Arc<Program>) -> Machine {
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(false);
    machine
}

/// Plays a game between random players to its end; answers how many decisions it took.
///
/// # Errors
/// If the rules fail, somebody has nothing to choose from, the game does not end or nobody wins, or `after`, which is
/// asked after every decision, says so; always with the seed and the number of the decision.
pub fn play(
    machine: &mut Machine,
    seed: u64,
    mut after: impl FnMut(&mut Machine) -> Result<(), String>,
) -> Result<usize, String> {
    let setup = machine.program().book.default_setup;
    machine.start(setup, seed).map_err(|fault| format!("seed {seed}: {fault}"))?;
    let mut bots = bots(seed);
    for taken in 0..MOST {
        let wrong = |what: String| format!("seed {seed}, decision {taken}: {what}");
        let Some(&player) = machine.deciders().first() else {
            return match machine.outcome() {
                Some(outcome) if outcome.winner.is_some() => Ok(taken),
                _ => Err(wrong("the game is over and nobody has won".to_owned())),
            };
        };
        if machine.options(player).is_empty() {
            return Err(wrong("an empty choice".to_owned()));
        }
        let index = bots[player as usize].decide(machine, player);
        machine.choose(player, index).map_err(|fault| wrong(fault.to_string()))?;
        after(machine).map_err(wrong)?;
    }
    Err(format!("seed {seed} does not end"))
}
