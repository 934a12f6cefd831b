//! What must hold after every decision of a game of Richard I the Lionheart beside the invariants of its rules: what only a
//! comparison with the position before can tell.

use blazon_book::{Book, ColumnId, KindId};
use blazon_machine::Machine;

/// The columns that are read, and what the game was worth at the last decision.
#[derive(Clone)]
pub struct Worth {
    leaders: u32,
    strongholds: u32,
    sides: u32,
    arms: u32,
    troops: ColumnId,
    inner: ColumnId,
    garrison: ColumnId,
    treasury: ColumnId,
    month: ColumnId,
    year: ColumnId,
    may: i64,
    winter: i64,
    /// With whether it was a time of levies and taxes.
    last: Option<(i64, bool)>,
}

/// What a surrender can add: a damaged stronghold comes with all of its intrinsic strength. In half ducats.
const RESTORED: i64 = 10;

impl Worth {
    /// Of a book with the columns of the Lionheart.
    ///
    /// # Panics
    /// If it has not got them.
    pub fn new(book: &Book) -> Self {
        let [leader, stronghold, month, arm] =
            ["leader", "stronghold", "month", "arm"].map(|name| kind(book, name));
        let things = |kind| book.kind(kind).things.len() as u32;
        Self {
            leaders: things(leader),
            strongholds: things(stronghold),
            sides: things(book.player),
            arms: things(arm),
            troops: column(book, "troops", 2),
            inner: column(book, "inner", 1),
            garrison: column(book, "garrison", 2),
            treasury: column(book, "half ducats", 1),
            month: column(book, "month", 0),
            year: column(book, "year", 0),
            may: thing(book, month, "May"),
            winter: thing(book, month, "Winter"),
            last: None,
        }
    }

    /// Troops cost at least a ducat, and five ducats or points of troops restore a stronghold's intrinsic strength. So
    /// between the winters money and strength together never grow.
    ///
    /// # Errors
    /// With what came from nowhere since the last decision.
    pub fn check(&mut self, machine: &Machine) -> Result<(), String> {
        // A victory ends the game in the midst of a step.
        if machine.deciders().is_empty() {
            return Ok(());
        }
        let money: i64 = (0..self.sides).map(|side| word(machine, self.treasury, &[side])).sum();
        let led: i64 = (0..self.leaders).map(|leader| self.arms_of(machine, self.troops, leader)).sum();
        let held: i64 = (0..self.strongholds)
            .map(|place| self.arms_of(machine, self.garrison, place) + word(machine, self.inner, &[place]))
            .sum();
        let worth = money + 2 * (led + held);
        let month = word(machine, self.month, &[]);
        // The opening of May 1194 brings levies, and so does winter, with taxes.
        let grows = month == self.winter || (month == self.may && word(machine, self.year, &[]) == 1194);
        // What follows the last choice of winter still belongs to it.
        match self.last.replace((worth, grows)) {
            Some((before, false)) if !grows && worth > before + RESTORED => {
                Err(format!("money and strength grew from {before} to {worth} half ducats"))
            }
            _ => Ok(()),
        }
    }

    fn arms_of(&self, machine: &Machine, column: ColumnId, who: u32) -> i64 {
        (0..self.arms).map(|arm| word(machine, column, &[who, arm])).sum()
    }
}

/// A state's or fact's column, by name and number of keys.
fn column(book: &Book, name: &str, keys: usize) -> ColumnId {
    let found = book.columns.iter().position(|column| column.name == name && column.keys.len() == keys);
    ColumnId(found.unwrap_or_else(|| panic!("no column `{name}`")) as u32)
}

fn kind(book: &Book, name: &str) -> KindId {
    KindId(book.kinds.iter().position(|k| k.name == name).expect("a kind") as u32)
}

fn thing(book: &Book, kind: KindId, name: &str) -> i64 {
    book.kind(kind).things.iter().position(|t| t.name == name).expect("a thing") as i64
}

fn word(machine: &Machine, column: ColumnId, keys: &[u32]) -> i64 {
    machine.column(column, keys).expect("a value")[0] as i64
}
