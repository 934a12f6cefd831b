//! What happened where on the board, counted over many games: who stood where, where pieces of two players met, where
//! pieces left the board, which links were walked.
//!
//! Which things move, and by which states, the board guesses from the declarations ([`Movers`]). What the rules store there
//! while a decision is carried out tells the way of each thing: who marches and falls in one decision has walked the link, and
//! fell at its end. Where everything stands is looked at every few decisions. All that is kept are whole numbers: added up in
//! any order they come to the same.

mod paired;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use blazon_board::Movers;
use blazon_book::ColumnId;
use blazon_machine::{Machine, Stored};
use blazon_program::Program;
use blazon_program::ir::{ABSENT, Column, Space};

use crate::game::{Row, Watch};
use crate::tally::add_to;

pub use paired::{Shared, Together};

/// Of so many decisions one is a moment at which it is looked where everything stands.
const MOMENT: u64 = 8;
/// No place, or nobody's.
const NONE: u32 = u32::MAX;

/// Sums over games, from which a mean and how sure it is can be worked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// How often.
    pub sum: u64,
    /// The squares of how often in each game.
    pub squares: u64,
    /// How often in each game, times its moments.
    pub moments: u64,
}

impl Cell {
    fn add(&mut self, count: u64, moments: u64) {
        self.sum = self.sum.saturating_add(count);
        self.squares = self.squares.saturating_add(count.saturating_mul(count));
        self.moments = self.moments.saturating_add(count.saturating_mul(moments));
    }

    fn merge(&mut self, other: &Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
        self.moments = self.moments.saturating_add(other.moments);
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The pieces of a side that stood on a place, at each moment.
    Stood(usize),
    /// The moments at which pieces of two sides stood on a place.
    Met,
    /// The pieces of a side that stood on a place and, once a decision was carried out, on none.
    Left(usize),
    /// The pieces of a side that went from one end of a link to the other.
    Walked(usize),
}

/// Counts by place and link.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heat {
    #[serde(skip)]
    read: Option<Arc<Read>>,
    games: u64,
    moments: u64,
    squares: u64,
    cells: Vec<Cell>,
    /// Pieces that went where no link leads: side, from, to.
    #[serde(with = "crate::part::pairs")]
    jumped: BTreeMap<(u32, u32, u32), u64>,
    #[serde(skip)]
    game: Game,
}

/// What is kept of the game under way.
#[derive(Clone, Debug, Default)]
struct Game {
    /// The same counts as in [`Heat::cells`].
    counts: Vec<u64>,
    /// Pieces that went where no link leads.
    jumped: BTreeMap<(u32, u32, u32), u64>,
    /// The moments so far.
    now: u64,
    /// The decisions so far.
    decisions: u64,
    /// The words of the states that are watched, as they were.
    before: Vec<u64>,
    /// The sides that stood on each place at the moment, as bits.
    here: Vec<u64>,
}

impl Game {
    /// Nothing of it has happened yet.
    fn new(read: &Read) -> Self {
        Self {
            counts: vec![0; read.len()],
            before: vec![0; read.kept],
            here: vec![0; read.places],
            ..Self::default()
        }
    }
}

/// What is read of a position.
#[derive(Debug)]
struct Read {
    /// The sides, and after them nobody.
    sides: usize,
    places: usize,
    links: usize,
    /// How many words are kept of a position.
    kept: usize,
    movers: Vec<Watched>,
    /// The links at each place: the place at the other end, and the link.
    joined: Vec<Vec<(u32, u32)>>,
}

/// A kind that moves.
#[derive(Debug)]
struct Watched {
    /// The state that says where it is.
    column: ColumnId,
    at: Field,
    whose: Whose,
}

/// Whose a thing is.
#[derive(Debug)]
enum Whose {
    /// As a state says.
    State(Field),
    /// As it is printed.
    Fact(Vec<u32>),
}

/// Where the entries of a state lie.
#[derive(Debug)]
struct Field {
    words: Range<usize>,
    /// The same words among those that are kept.
    kept: usize,
    len: u32,
    shift: u8,
    bias: i64,
    optional: bool,
}

impl Field {
    /// A scalar of one key; nothing else has its things in a row.
    fn new(column: &Column, kept: &mut usize) -> Option<Self> {
        let (begin, shift) = (column.offset as usize, column.shift.min(6));
        let words = ((column.len as usize) << shift).div_ceil(64);
        let field = Self {
            words: begin..begin + words,
            kept: *kept,
            len: column.len,
            shift,
            bias: column.bias,
            optional: column.optional,
        };
        *kept += words;
        (column.set_words == 0).then_some(field)
    }

    /// The thing that an entry holds.
    fn thing(&self, words: &[u64], key: u32) -> u32 {
        let bit = (key as usize) << self.shift;
        let Some(word) = words.get(bit >> 6) else { return NONE };
        let mask = if self.shift == 6 { u64::MAX } else { (1 << (1 << self.shift)) - 1 };
        let raw = word >> (bit & 63) & mask;
        let value = match (self.shift, self.optional) {
            (6, _) => raw as i64,
            (_, true) if raw == 0 => ABSENT,
            _ => (raw as i64).wrapping_add(self.bias),
        };
        u32::try_from(value).unwrap_or(NONE)
    }

    fn kept(&self) -> Range<usize> {
        self.kept..self.kept + self.words.len()
    }

    /// The entries that differ between the words as they were and as they are.
    fn changed(&self, before: &[u64], now: &[u64], found: &mut dyn FnMut(u32)) {
        let lane = if self.shift == 6 { u64::MAX } else { (1 << (1 << self.shift)) - 1 };
        for (place, (before, now)) in before.iter().zip(now).enumerate() {
            let mut changed = before ^ now;
            while changed != 0 {
                let within = changed.trailing_zeros() >> self.shift << self.shift;
                changed &= !(lane << within);
                let key = ((place as u32) << 6 | within) >> self.shift;
                if key < self.len {
                    found(key);
                }
            }
        }
    }
}

impl Read {
    fn of(program: &Program) -> Option<Self> {
        let book = &program.book;
        let movers = Movers::of(book)?;
        let (sides, mut kept) = (book.kind(book.player).things.len(), 0);
        let side_of = |value: i64| u32::try_from(value).ok().filter(|&side| (side as usize) < sides);
        let mut watched = Vec::new();
        for mover in &movers.kinds {
            let column = |column: blazon_book::ColumnId| program.columns.get(column.0 as usize);
            let Some(at) = column(mover.at).and_then(|at| Field::new(at, &mut kept)) else { continue };
            let things = book.kind(mover.kind).things.len();
            let side = mover.side.and_then(column);
            let whose = match side {
                Some(side) if side.space == Space::State => Field::new(side, &mut kept).map(Whose::State),
                Some(side) => Field::new(side, &mut 0).map(|field| {
                    let words = program.facts.get(field.words.clone()).unwrap_or_default();
                    let of = |thing| side_of(i64::from(field.thing(words, thing))).unwrap_or(sides as u32);
                    Whose::Fact((0..things as u32).map(of).collect())
                }),
                None => None,
            };
            let whose = whose.unwrap_or_else(|| Whose::Fact(vec![sides as u32; things]));
            watched.push(Watched { column: mover.at, at, whose });
        }
        let places = book.kind(movers.places).things.len();
        let links = movers.links.map(|links| book.kind(links).things.as_slice()).unwrap_or_default();
        let mut joined = vec![Vec::new(); places];
        for (link, (a, b)) in (0..).zip(links).filter_map(|(at, link)| Some((at, link.ends?))) {
            for (from, to) in [(a, b), (b, a)] {
                if let Some(joined) = joined.get_mut(from as usize) {
                    joined.push((to, link));
                }
            }
        }
        Some(Self { sides, places, links: links.len(), kept, movers: watched, joined })
    }

    /// Where the counts of a sort begin, and how many there are.
    fn range(&self, counted: Counted) -> Range<usize> {
        let (all, places) = (self.sides + 1, self.places);
        let (begin, len) = match counted {
            Counted::Stood(side) => (side.min(self.sides) * places, places),
            Counted::Left(side) => ((all + side.min(self.sides)) * places, places),
            Counted::Met => (2 * all * places, places),
            Counted::Walked(side) => ((2 * all + 1) * places + side.min(self.sides) * self.links, self.links),
        };
        begin..begin + len
    }

    fn len(&self) -> usize {
        self.range(Counted::Walked(self.sides)).end
    }
}

impl Watched {
    /// Whose a thing was when the words of the states were so; nobody's is after all sides.
    fn side(&self, words: &[u64], sides: usize, thing: u32) -> usize {
        let side = match &self.whose {
            Whose::State(field) => words.get(field.kept()).map_or(NONE, |words| field.thing(words, thing)),
            Whose::Fact(sides) => sides.get(thing as usize).copied().unwrap_or(NONE),
        };
        (side as usize).min(sides)
    }

    fn fields(&self) -> impl Iterator<Item = &Field> {
        let whose = match &self.whose {
            Whose::State(field) => Some(field),
            Whose::Fact(_) => None,
        };
        std::iter::once(&self.at).chain(whose)
    }
}

impl Heat {
    /// Nothing yet, for games of a program.
    pub fn new(program: &Program) -> Self {
        let Some(read) = Read::of(program) else { return Self::default() };
        let cells = vec![Cell::default(); read.len()];
        Self { read: Some(Arc::new(read)), cells, ..Self::default() }
    }

    /// All that others have counted of the same program, too.
    pub fn merge(&mut self, other: &Self) {
        add_to(&mut self.games, other.games);
        self.moments = self.moments.saturating_add(other.moments);
        self.squares = self.squares.saturating_add(other.squares);
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell.merge(more);
        }
        for (&way, &more) in &other.jumped {
            add_to(self.jumped.entry(way).or_default(), more);
        }
    }

    /// Whether this was counted of a program of the same shape as another was.
    pub fn fits(&self, other: &Self) -> bool {
        self.cells.len() == other.cells.len()
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many moments there were in all games, and the sum of the squares of how many in each.
    pub fn moments(&self) -> (u64, u64) {
        (self.moments, self.squares)
    }

    /// What was counted, by place or link; after all sides stands nobody. Nothing for a game without places.
    pub fn cells(&self, counted: Counted) -> &[Cell] {
        let range = self.read.as_ref().map(|read| read.range(counted));
        range.and_then(|range| self.cells.get(range)).unwrap_or_default()
    }

    /// How often pieces went from a place to one that no link joins with it: side, from, to.
    pub fn jumped(&self) -> &BTreeMap<(u32, u32, u32), u64> {
        &self.jumped
    }
}

impl Game {
    /// Where everything stands.
    fn look(&mut self, read: &Read) {
        self.now += 1;
        let met = read.range(Counted::Met).start;
        for mover in &read.movers {
            let Some(at) = self.before.get(mover.at.kept()) else { continue };
            for thing in 0..mover.at.len {
                let place = mover.at.thing(at, thing) as usize;
                if place < read.places {
                    let side = mover.side(&self.before, read.sides, thing);
                    self.counts[side * read.places + place] += 1;
                    if side < read.sides {
                        self.here[place] |= 1 << (side & 63);
                    }
                }
            }
        }
        for (count, here) in self.counts[met..].iter_mut().zip(&mut self.here) {
            *count += u64::from(here.count_ones() > 1);
            *here = 0;
        }
    }

    /// What moved since the position was looked at last, by what was stored meanwhile.
    fn moved(&mut self, read: &Read, position: &[u64], stored: &[Stored]) {
        for mover in &read.movers {
            let now = position.get(mover.at.words.clone()).unwrap_or_default();
            let before = self.before.get(mover.at.kept()).unwrap_or_default();
            // The way of each thing that was moved, one place after the other.
            let mut ways: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for stored in stored.iter().filter(|stored| stored.column == mover.column) {
                if let Ok(thing) = u32::try_from(stored.key) {
                    ways.entry(thing).or_default().push(u32::try_from(stored.value).unwrap_or(NONE));
                }
            }
            if now != before {
                mover.at.changed(before, now, &mut |thing| {
                    ways.entry(thing).or_default();
                });
            }
            for (thing, way) in ways {
                let side = mover.side(&self.before, read.sides, thing);
                let mut at = mover.at.thing(before, thing);
                let end = mover.at.thing(now, thing);
                // Who is taken up to be put elsewhere has not left.
                for to in way.into_iter().chain([end]).filter(|to| (*to as usize) < read.places) {
                    let joined = read.joined.get(at as usize).filter(|_| to != at);
                    match joined.map(|joined| joined.iter().find(|(other, _)| *other == to)) {
                        None => {}
                        Some(Some((_, link))) => {
                            self.counts[read.range(Counted::Walked(side)).start + *link as usize] += 1;
                        }
                        Some(None) => *self.jumped.entry((side as u32, at, to)).or_default() += 1,
                    }
                    at = to;
                }
                if end as usize >= read.places && (at as usize) < read.places {
                    self.counts[(read.sides + 1 + side) * read.places + at as usize] += 1;
                }
            }
        }
        self.keep(read, position);
    }

    /// Keeps the words of the states that are watched.
    fn keep(&mut self, read: &Read, position: &[u64]) {
        for field in read.movers.iter().flat_map(Watched::fields) {
            let now = position.get(field.words.clone());
            if let Some((kept, now)) = self.before.get_mut(field.kept()).zip(now) {
                kept.copy_from_slice(now);
            }
        }
    }
}

impl Heat {
    /// The game that was played last came to an end, and the other one of its pair: it is added up. What happened in one that
    /// was broken off is no more than its beginning.
    pub fn keep_whole(&mut self) {
        if self.read.is_none() {
            return;
        }
        let Game { counts, jumped, now, .. } = std::mem::take(&mut self.game);
        self.games += 1;
        self.moments = self.moments.saturating_add(now);
        self.squares = self.squares.saturating_add(now.saturating_mul(now));
        for (cell, &count) in self.cells.iter_mut().zip(&counts) {
            if count > 0 {
                cell.add(count, now);
            }
        }
        for (way, more) in jumped {
            *self.jumped.entry(way).or_default() += more;
        }
    }
}

impl Watch for Heat {
    fn starts(&mut self, machine: &mut Machine, _game: u64) {
        let columns = self.read.iter().flat_map(|read| read.movers.iter().map(|mover| mover.column));
        machine.watch_stores(&columns.collect::<Vec<_>>());
        self.game = self.read.as_ref().map(|read| Game::new(read)).unwrap_or_default();
    }

    fn begins(&mut self, machine: &mut Machine) {
        let Some(read) = &self.read else { return };
        self.game.keep(read, machine.position());
        self.game.look(read);
    }

    fn decided(&mut self, machine: &mut Machine) {
        let Some(read) = &self.read else { return };
        self.game.moved(read, machine.position(), machine.stored());
        self.game.decisions += 1;
        if self.game.decisions.is_multiple_of(MOMENT) {
            self.game.look(read);
        }
    }

    /// Whether it counts is not known yet: see [`Heat::keep_whole`].
    fn ends(&mut self, _machine: &mut Machine, _row: &Row) {}
}
