//! Where columns and kinds lie in memory.

use blazon_book::{Base, Book, Column as BookColumn, Constant, Kind, Role};
use blazon_kernel::{bits, chance};

use crate::ir::{ABSENT, Column, DICE_WORDS, KindInfo, RESERVED, Space, slot};
use crate::lower::lowering::Lowering;

/// The most entries of a fact that has a word for each: as many as a large map has hexes.
const LARGEST_QUICK: u32 = 4096;

/// The place of the last text that facts may have.
const MOST_PRINTED: i64 = (1 << 31) - 1;

/// The most words of a position: those that a game has by default.
const LARGEST_POSITION: u64 = 1 << 16;

/// What the machine needs of each kind.
pub(crate) fn kinds(book: &Book) -> Vec<KindInfo> {
    book.kinds.iter().map(|info| kind(book, info)).collect()
}

fn kind(book: &Book, kind: &Kind) -> KindInfo {
    let alike = kind.things.iter().enumerate().any(|(place, thing)| thing.group as usize != place);
    let ends: Vec<(u32, u32)> = kind.things.iter().filter_map(|thing| thing.ends).collect();
    let mut at: Vec<Vec<(u32, u32)>> = Vec::new();
    if let Some((from, to)) = kind.ends {
        at = vec![Vec::new(); book.kind(from).things.len()];
        for (link, &(a, b)) in ends.iter().enumerate() {
            let link = link as u32;
            if let Some(joined) = at.get_mut(a as usize) {
                joined.push((b, link));
            }
            if from == to
                && a != b
                && let Some(joined) = at.get_mut(b as usize)
            {
                joined.push((a, link));
            }
        }
    }
    let mut first = Vec::new();
    let mut joined = Vec::new();
    if kind.ends.is_some() {
        for mut here in at {
            first.push(joined.len() as u32);
            here.sort_unstable();
            joined.extend(here);
        }
        first.push(joined.len() as u32);
    }
    KindInfo {
        words: set_words(kind.things.len()),
        hashes: kind.things.iter().map(|thing| chance::hash_text(&thing.name)).collect(),
        groups: alike.then(|| kind.things.iter().map(|thing| thing.group).collect()),
        ends,
        first,
        joined,
    }
}

/// The words of a set of so many things; never none, so that a set is told from a scalar.
pub(crate) fn set_words(things: usize) -> u16 {
    things.div_ceil(64).clamp(1, usize::from(u16::MAX)) as u16
}

impl Lowering {
    /// Lays all columns out: those of the book, then the hidden ones.
    pub fn lay_out(&mut self) {
        let book = self.book.clone();
        let mut next = RESERVED as u64;
        for column in &book.columns {
            let mut info = self.shape(column);
            let words = info.words();
            match &column.role {
                Role::Fact(values) => {
                    info.space = Space::Fact;
                    info.offset = self.program.facts.len() as u32;
                    self.program.facts.resize(self.program.facts.len() + words as usize, 0);
                    self.print(&info, values);
                }
                Role::State { .. } => {
                    info.offset = next as u32;
                    next += words;
                }
            }
            self.program.columns.push(info);
        }
        let flag = |offset: u64| Column { offset: offset as u32, shift: 6, ..flag() };
        for _ in &book.watches {
            let column = self.hidden(flag(next));
            self.watch_flags.push(column);
            next += 1;
        }
        for step in self.uses.awake.clone() {
            let column = self.hidden(Column { hi: 255, ..flag(next) });
            self.under_way.insert(step, column);
            next += 1;
        }
        if self.uses.winner {
            // 0 under way, 1 nobody, 2 + player: absent, −1, player.
            let column = Column {
                shift: 5,
                bias: -2,
                optional: true,
                lo: -1,
                hi: i64::from(i16::MAX),
                ..flag(slot::OUTCOME as u64)
            };
            self.winner = Some(self.hidden(column));
        }
        if next > LARGEST_POSITION {
            self.no_position(next);
        }
        if next > u64::from(u32::MAX / 4) || self.program.columns.len() > usize::from(u16::MAX / 2) {
            self.too_large(Default::default(), format!("the states of the game need {next} words"));
        }
        self.program.state_words = next as usize;
    }

    /// Says which state makes the position larger than any game may have.
    fn no_position(&mut self, words: u64) {
        let columns = self.program.columns.iter().zip(&self.book.columns);
        let states = columns.filter(|(info, _)| info.space == Space::State);
        let Some((info, column)) = states.max_by_key(|(info, _)| info.words()) else { return };
        let (name, own, span) = (column.name.clone(), info.words(), column.span);
        self.too_large(
            span,
            format!(
                "the states need {words} words, more than {LARGEST_POSITION}: `{name}` alone needs {own}"
            ),
        );
    }

    fn hidden(&mut self, column: Column) -> u16 {
        self.program.columns.push(column);
        (self.program.columns.len() - 1) as u16
    }

    /// A column of sets in the facts, made by the lowering: its number.
    pub fn made_sets(&mut self, sets: &[Vec<u64>]) -> u16 {
        let set_words = sets.first().map_or(1, Vec::len) as u16;
        let column = Column { len: sets.len() as u32, set_words, ..words_of_facts() };
        self.made_facts(column, &sets.concat())
    }

    /// A column of facts made by the lowering: its number.
    pub fn made_facts(&mut self, column: Column, words: &[u64]) -> u16 {
        let offset = self.program.facts.len() as u32;
        self.program.facts.extend(words);
        self.hidden(Column { offset, ..column })
    }

    fn shape(&self, column: &BookColumn) -> Column {
        let sizes: Vec<u64> =
            column.keys.iter().map(|kind| self.book.kind(*kind).things.len() as u64).collect();
        let len: u64 = sizes.iter().product();
        let len = if len > u64::from(u32::MAX / 64) { 0 } else { len as u32 };
        let key_words = match column.keys.as_slice() {
            [kind] => self.program.kinds[kind.0 as usize].words,
            _ => set_words(len as usize),
        };
        let whole = match column.role {
            Role::State { .. } => column.keys.is_empty(),
            // No position holds facts: they take the room that they are read quickly in, while they are few.
            Role::Fact(_) => len <= LARGEST_QUICK,
        };
        let scalar = |lo: i64, hi: i64| {
            let values = (i128::from(hi) - i128::from(lo) + 1 + i128::from(column.ty.optional)).max(1);
            // What has a whole word is read without ado.
            let shift = match whole {
                true => 6,
                false => bits_for(128 - (values - 1).leading_zeros()).max(1),
            };
            let bias = match (shift, column.ty.optional) {
                (6, _) => 0,
                (_, true) => lo - 1,
                (_, false) => lo,
            };
            Column { len, key_words, shift, bias, lo, hi, optional: column.ty.optional, ..flag() }
        };
        match column.ty.base {
            Base::Flag | Base::Permission => {
                let by_itself = whole && column.keys.is_empty();
                Column { len, key_words, shift: if by_itself { 6 } else { 0 }, ..flag() }
            }
            Base::Number(lo, hi) => scalar(lo, hi),
            Base::Thing(kind) => scalar(0, self.book.kind(kind).things.len() as i64 - 1),
            Base::Set(kind) => {
                let set_words = self.program.kinds[kind.0 as usize].words;
                let narrow = matches!(column.role, Role::State { .. }) && set_words == 1;
                let shift = if narrow { bits_for(self.book.kind(kind).things.len() as u32) } else { 6 };
                Column { len, key_words, set_words, shift, ..flag() }
            }
            Base::Die => scalar(0, 255),
            Base::Dice => Column { len, key_words, set_words: DICE_WORDS as u16, shift: 6, ..flag() },
            Base::Text | Base::Point => scalar(0, MOST_PRINTED),
            // No column is of these.
            Base::Numbers | Base::Nothing | Base::Unknown => {
                Column { len, key_words, shift: 3, hi: 255, ..flag() }
            }
        }
    }

    /// Writes the values of a fact.
    fn print(&mut self, info: &Column, values: &[Constant]) {
        for (key, value) in values.iter().enumerate().take(info.len as usize) {
            let word = match value {
                Constant::Set(things) => {
                    let from = info.offset as usize + key * info.set_words as usize;
                    let set = &mut self.program.facts[from..from + info.set_words as usize];
                    for &thing in things {
                        bits::insert(set, thing as usize);
                    }
                    continue;
                }
                Constant::Word(word) => *word,
                Constant::Absent => ABSENT,
                Constant::Text(_) | Constant::Point(..) => match value.words() {
                    Some(words) => self.printed(words),
                    None => ABSENT,
                },
            };
            // The empty set has nothing to write.
            if info.set_words == 0 {
                info.store(&mut self.program.facts, key, word);
            }
        }
    }
}

/// A flag of one entry.
fn flag() -> Column {
    Column {
        space: Space::State,
        offset: 0,
        len: 1,
        set_words: 0,
        shift: 0,
        bias: 0,
        optional: false,
        lo: 0,
        hi: 1,
        inverse: 0,
        key_words: 1,
    }
}

/// A column of facts whose entries are words as they stand in registers.
pub(crate) fn words_of_facts() -> Column {
    Column { space: Space::Fact, shift: 6, lo: i64::MIN, hi: i64::MAX, optional: true, ..flag() }
}

/// log2 of the bits of an entry that takes so many.
fn bits_for(bits: u32) -> u8 {
    bits.clamp(1, 64).next_power_of_two().trailing_zeros() as u8
}
