//! What must hold after every decision of a game of Richard I the Lionheart, under all variants and rulings.

use blazon_book::{Book, ColumnId};
use blazon_machine::Machine;
use blazon_program::ir::ABSENT;

use super::{column, column_of, holds, kind, thing, word};

/// The columns that the invariants read, and what the game was worth at the last decision.
#[derive(Clone)]
pub struct Map {
    leaders: u32,
    trains: u32,
    strongholds: u32,
    sides: u32,
    arms: u32,
    at: ColumnId,
    train_at: ColumnId,
    side: ColumnId,
    inside: ColumnId,
    captor: ColumnId,
    troops: ColumnId,
    room: ColumnId,
    hex: ColumnId,
    site: ColumnId,
    gaillard: i64,
    holder: ColumnId,
    ruined: ColumnId,
    besieged: ColumnId,
    inner: ColumnId,
    garrison: ColumnId,
    purse: ColumnId,
    terrain: ColumnId,
    sea: i64,
    month: ColumnId,
    year: ColumnId,
    may: i64,
    winter: i64,
    /// With whether it was a time of levies and taxes.
    worth: Option<(i64, bool)>,
}

/// What a surrender can add: a damaged stronghold comes with all of its intrinsic strength. In half ducats.
const RESTORED: i64 = 10;

impl Map {
    /// Of a book with the columns of the Lionheart.
    ///
    /// # Panics
    /// If it has not got them.
    pub fn new(book: &Book) -> Self {
        let [leader, train, stronghold, terrain, month] =
            ["leader", "train", "stronghold", "terrain", "month"].map(|name| kind(book, name));
        let things = |kind| book.kind(kind).things.len() as u32;
        Self {
            leaders: things(leader),
            trains: things(train),
            strongholds: things(stronghold),
            sides: things(book.player),
            arms: things(kind(book, "arm")),
            at: column_of(book, "at", 1, Some(leader)),
            train_at: column_of(book, "at", 1, Some(train)),
            side: column_of(book, "side", 1, Some(leader)),
            inside: column(book, "inside", 1),
            captor: column(book, "captor", 1),
            troops: column(book, "troops", 2),
            room: column(book, "room", 1),
            hex: column(book, "hex", 1),
            site: column(book, "site of Gaillard", 0),
            gaillard: thing(book, stronghold, "Chateau Gaillard"),
            holder: column(book, "holder", 1),
            ruined: column(book, "ruined", 1),
            besieged: column(book, "besieged", 1),
            inner: column(book, "inner", 1),
            garrison: column(book, "garrison", 2),
            purse: column(book, "purse", 1),
            terrain: column(book, "terrain", 1),
            sea: thing(book, terrain, "Sea"),
            month: column(book, "month", 0),
            year: column(book, "year", 0),
            may: thing(book, month, "May"),
            winter: thing(book, month, "Winter"),
            worth: None,
        }
    }

    /// Checks a position, and that nothing came from nowhere since the last one.
    ///
    /// # Errors
    /// With what does not hold.
    pub fn check(&mut self, machine: &Machine) -> Result<(), String> {
        // A victory ends the game in the midst of a step.
        if machine.deciders().is_empty() {
            return Ok(());
        }
        (0..self.leaders).try_for_each(|leader| self.check_leader(machine, leader))?;
        for train in 0..self.trains {
            self.check_land(machine, word(machine, self.train_at, &[train]), || format!("train {train}"))?;
        }
        for place in 0..self.strongholds {
            let ruined = word(machine, self.ruined, &[place]) != 0;
            let held = self.arms_of(machine, self.garrison, place);
            holds(!ruined || held == 0, || format!("{held} points are stationed in the ruin {place}"))?;
            let besieged = word(machine, self.besieged, &[place]) != 0;
            holds(!ruined || !besieged, || format!("the ruin {place} is besieged"))?;
        }
        self.check_worth(machine)
    }

    fn check_leader(&self, machine: &Machine, leader: u32) -> Result<(), String> {
        let word = |column, keys: &[u32]| word(machine, column, keys);
        let (at, led) = (word(self.at, &[leader]), self.arms_of(machine, self.troops, leader));
        let room = word(self.room, &[leader]);
        holds(led <= room, || format!("leader {leader} leads {led} points, but has room for {room}"))?;
        if at == ABSENT {
            holds(led == 0, || format!("leader {leader} is off the map with {led} points"))?;
        } else {
            // While it is asked where his troops go he is still counted where he fell.
            let captive = word(self.captor, &[leader]) != ABSENT && led == 0;
            holds(!captive, || format!("the captive {leader} is on the map"))?;
        }
        self.check_land(machine, at, || format!("leader {leader}"))?;
        if word(self.inside, &[leader]) != 0 {
            let place = (0..self.strongholds).find(|&place| at != ABSENT && self.site(machine, place) == at);
            let own = |place| {
                word(self.ruined, &[place]) == 0 && word(self.holder, &[place]) == word(self.side, &[leader])
            };
            holds(place.is_some_and(own), || format!("leader {leader} is inside no stronghold of his"))?;
        }
        Ok(())
    }

    fn check_land(&self, machine: &Machine, at: i64, who: impl FnOnce() -> String) -> Result<(), String> {
        let afloat = at != ABSENT && word(machine, self.terrain, &[at as u32]) == self.sea;
        holds(!afloat, || format!("{} is at sea", who()))
    }

    fn site(&self, machine: &Machine, place: u32) -> i64 {
        match i64::from(place) == self.gaillard {
            true => word(machine, self.site, &[]),
            false => word(machine, self.hex, &[place]),
        }
    }

    fn arms_of(&self, machine: &Machine, column: ColumnId, who: u32) -> i64 {
        (0..self.arms).map(|arm| word(machine, column, &[who, arm])).sum()
    }

    /// Troops cost at least a ducat, and five ducats or points of troops restore a stronghold's intrinsic strength. So
    /// between the winters money and strength together never grow.
    fn check_worth(&mut self, machine: &Machine) -> Result<(), String> {
        let money: i64 = (0..self.sides).map(|side| word(machine, self.purse, &[side])).sum();
        let led: i64 = (0..self.leaders).map(|leader| self.arms_of(machine, self.troops, leader)).sum();
        let held: i64 = (0..self.strongholds)
            .map(|place| self.arms_of(machine, self.garrison, place) + word(machine, self.inner, &[place]))
            .sum();
        let worth = money + 2 * (led + held);
        let month = word(machine, self.month, &[]);
        // The opening of May 1194 brings levies, and so does winter, with taxes.
        let grows = month == self.winter || (month == self.may && word(machine, self.year, &[]) == 1194);
        // What follows the last choice of winter still belongs to it.
        let before = self.worth.replace((worth, grows));
        match before {
            Some((before, false)) if !grows => holds(worth <= before + RESTORED, || {
                format!("money and strength grew from {before} to {worth} half ducats")
            }),
            _ => Ok(()),
        }
    }
}
