//! What happened where on the board, counted over many games: who stood where, where pieces of two players met, where
//! pieces left the board, which links were walked.
//!
//! Which things move, and by which states, the board guesses from the declarations ([`Movers`]). What the rules store there
//! while a decision is carried out tells the way of each thing: who marches and falls in one decision has walked the link, and
//! fell at its end. Where everything stands is counted at every decision, so no rhythm of a game hides or doubles a place; and
//! of each game a mean is kept, so a long game counts no more than a short one. All that is kept are whole numbers: added up
//! in any order they come to the same.

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

/// What the mean over the decisions of a game is counted in: parts of one piece, or of all decisions.
const PARTS: u64 = 10_000;
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
}

impl Cell {
    fn add(&mut self, count: u64) {
        self.sum = self.sum.saturating_add(count);
        self.squares = self.squares.saturating_add(count.saturating_mul(count));
    }

    fn merge(&mut self, other: &Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }
}

/// What is counted in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The pieces of a side that stood on a place: the mean over all decisions.
    Stood(usize),
    /// The share of all decisions at which pieces of two sides stood on a place.
    Met,
    /// The pieces of a side that stood on a place and, once a decision was carried out, on none.
    Left(usize),
    /// The pieces of a side that went from one end of a link to the other.
    Walked(usize),
}

impl Counted {
    /// What one is counted as: what is a mean over the decisions of a game, in parts.
    pub fn unit(self) -> u64 {
        match self {
            Self::Stood(_) | Self::Met => PARTS,
            Self::Left(_) | Self::Walked(_) => 1,
        }
    }
}

/// Counts by place and link.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heat {
    #[serde(skip)]
    read: Option<Arc<Read>>,
    games: u64,
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
    /// The same counts as in [`Heat::cells`]; until the game is over, what is a mean there is a number of decisions.
    counts: Vec<u64>,
    /// Pieces that went where no link leads.
    jumped: BTreeMap<(u32, u32, u32), u64>,
    /// The decisions so far.
    now: u64,
    /// The words of the states that are watched, as they were.
    before: Vec<u64>,
    /// Where each thing stands, mover by mover.
    stands: Vec<Vec<Stand>>,
    /// Who stands at each place.
    here: Vec<Here>,
}

/// Where a thing stands.
#[derive(Clone, Copy, Debug)]
struct Stand {
    place: u32,
    side: usize,
    /// The decisions that there were when it came there, or became that side's.
    since: u64,
}

/// Who stands at a place.
#[derive(Clone, Debug)]
struct Here {
    /// The pieces of each side.
    pieces: Vec<u32>,
    /// How many sides have pieces there.
    sides: u32,
    /// The decisions that there were when these became two.
    since: u64,
}

impl Game {
    /// Nothing of it has happened yet.
    fn new(read: &Read) -> Self {
        let nobody = Here { pieces: vec![0; read.sides], sides: 0, since: 0 };
        let nowhere = Stand { place: NONE, side: read.sides, since: 0 };
        Self {
            counts: vec![0; read.len()],
            before: vec![0; read.kept],
            stands: read.movers.iter().map(|mover| vec![nowhere; mover.at.len as usize]).collect(),
            here: vec![nobody; read.places],
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
            Counted::Met => (all * places, places),
            Counted::Left(side) => ((all + 1 + side.min(self.sides)) * places, places),
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

    /// What was counted, by place or link, in units of [`Counted::unit`]; after all sides stands nobody. Nothing for a game
    /// without places.
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
    /// The first decision is asked: where everything stands.
    fn begin(&mut self, read: &Read, position: &[u64]) {
        self.keep(read, position);
        for (place, mover) in read.movers.iter().enumerate() {
            (0..mover.at.len).for_each(|thing| self.stand(read, place, thing));
        }
    }

    /// A thing stands where the states that are kept say: what it stood for elsewhere is counted.
    fn stand(&mut self, read: &Read, mover: usize, thing: u32) {
        let watched = &read.movers[mover];
        let at = self.before.get(watched.at.kept()).map_or(NONE, |at| watched.at.thing(at, thing));
        let side = watched.side(&self.before, read.sides, thing);
        let stand = &mut self.stands[mover][thing as usize];
        let was = std::mem::replace(stand, Stand { place: at, side, since: self.now });
        if let Some(here) = self.here.get_mut(was.place as usize) {
            let place = was.place as usize;
            self.counts[was.side * read.places + place] += self.now - was.since;
            if let Some(pieces) = here.pieces.get_mut(was.side) {
                *pieces -= 1;
                if *pieces == 0 {
                    here.sides -= 1;
                    if here.sides == 1 {
                        self.counts[read.range(Counted::Met).start + place] += self.now - here.since;
                    }
                }
            }
        }
        if let Some(here) = self.here.get_mut(at as usize)
            && let Some(pieces) = here.pieces.get_mut(side)
        {
            *pieces += 1;
            if *pieces == 1 {
                here.sides += 1;
                if here.sides == 2 {
                    here.since = self.now;
                }
            }
        }
    }

    /// The game is over: counts what still stands, and makes means of numbers of decisions.
    fn end(&mut self, read: &Read) {
        for stand in self.stands.iter().flatten().filter(|stand| (stand.place as usize) < read.places) {
            self.counts[stand.side * read.places + stand.place as usize] += self.now - stand.since;
        }
        let met = read.range(Counted::Met);
        for (count, here) in
            self.counts[met.clone()].iter_mut().zip(&self.here).filter(|(_, here)| here.sides > 1)
        {
            *count += self.now - here.since;
        }
        // A game without a decision has no mean, and nothing was counted in it.
        let decisions = self.now.max(1);
        for count in &mut self.counts[..met.end] {
            *count = count.saturating_mul(PARTS).saturating_add(decisions / 2) / decisions;
        }
    }

    /// What moved since the position was looked at last, by what was stored meanwhile.
    fn moved(&mut self, read: &Read, position: &[u64], stored: &[Stored]) {
        self.now += 1;
        let mut changed: Vec<(usize, u32)> = Vec::new();
        for (place, mover) in read.movers.iter().enumerate() {
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
                    changed.push((place, thing));
                });
            }
            if let Whose::State(whose) = &mover.whose {
                let now = position.get(whose.words.clone()).unwrap_or_default();
                let before = self.before.get(whose.kept()).unwrap_or_default();
                whose.changed(before, now, &mut |thing| changed.push((place, thing)));
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
                    self.counts[read.range(Counted::Left(side)).start + at as usize] += 1;
                }
            }
        }
        self.keep(read, position);
        for (mover, thing) in changed {
            self.stand(read, mover, thing);
        }
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
        let Game { counts, jumped, .. } = std::mem::take(&mut self.game);
        self.games += 1;
        for (cell, &count) in self.cells.iter_mut().zip(&counts) {
            cell.add(count);
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
        if let Some(read) = &self.read {
            self.game.begin(read, machine.position());
        }
    }

    fn decided(&mut self, machine: &mut Machine) {
        if let Some(read) = &self.read {
            self.game.moved(read, machine.position(), machine.stored());
        }
    }

    /// Whether it counts is not known yet: see [`Heat::keep_whole`].
    fn ends(&mut self, _machine: &mut Machine, _row: &Row) {
        if let Some(read) = &self.read {
            self.game.end(read);
        }
    }
}
