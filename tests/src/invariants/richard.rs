//! What must hold after every decision of a game of Richard III. Variants and rulings change the game; what is asked
//! here must hold under all of them.

use blazon_book::{Book, ColumnId};
use blazon_machine::Machine;
use blazon_program::ir::ABSENT;

use super::{column, holds, kind, thing, word};

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

    /// Checks a position.
    ///
    /// # Errors
    /// With what does not hold.
    pub fn check(&self, machine: &Machine) -> Result<(), String> {
        for block in 0..self.blocks as u32 {
            self.check_block(machine, block)?;
        }
        for border in 0..self.borders as u32 {
            let limit = word(machine, self.limit, &[word(machine, self.colour, &[border]) as u32]);
            for side in 0..self.sides as u32 {
                let traffic = word(machine, self.traffic, &[border, side]);
                holds(traffic <= limit + 1, || {
                    format!("{traffic} blocks crossed border {border}, which takes {limit}")
                })?;
            }
        }
        Ok(())
    }

    fn check_block(&self, machine: &Machine, block: u32) -> Result<(), String> {
        let word = |column, keys: &[u32]| word(machine, column, keys);
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
