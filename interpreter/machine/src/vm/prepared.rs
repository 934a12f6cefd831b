//! What all machines of one program share: columns ready to be read, link sets, names' hashes, the start.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use blazon_book::{Base, ColumnId, KindId, Role, StepId};
use blazon_kernel::{bits, chance};
use blazon_program::Program;
use blazon_program::ir::{ABSENT, ChoiceInfo, Column, Op, OptionInfo, RESERVED, Space};

use crate::fault::Trap;
use crate::vm::memo::Groups;
use crate::vm::names::Names;
use crate::vm::text;

/// A program and what is derived from it.
pub(crate) struct Prepared {
    pub program: Arc<Program>,
    pub columns: Vec<PreparedColumn>,
    /// For each instruction the function it belongs to.
    pub owner: Vec<u32>,
    /// The columns at their start, and nothing under way.
    pub template: Vec<u64>,
    /// For each kind and thing what its luck is keyed by; look-alikes differ.
    pub luck: Vec<Vec<u64>>,
    /// What questions and options are called.
    pub names: Names,
    /// For each kind of links.
    pub links: Vec<LinkSets>,
    /// For each kind the column on its back that holds a player, if there is one.
    pub back_owner: Vec<Option<u16>>,
    /// For each choice the kinds of what its options mean and who is asked may not see.
    pub veiled: Vec<Vec<KindId>>,
    /// For each step the functions of all that its page calls by its name: itself, and what changes have made of it to be
    /// done in its place.
    pub alike_steps: Vec<Vec<u32>>,
    /// For each scope the words that begin anew with it.
    pub scopes: Vec<Vec<Range<usize>>>,
    /// What answers of rules hang on.
    pub groups: Groups,
    /// For each text the words that it may take when it is kept.
    pub text_words: Vec<usize>,
    /// The same for the line of each option of each choice.
    lines: Vec<Vec<usize>>,
}

/// For each step the functions of all steps of its title, but for those that end before the step does whose part they are.
fn alike_steps(program: &Program) -> Vec<Vec<u32>> {
    let steps = || program.book.steps.iter().zip(0..);
    let mut by_title: HashMap<&str, Vec<u32>> = HashMap::new();
    for (step, place) in steps().filter(|(step, _)| !step.is_part) {
        by_title.entry(step.title()).or_default().push(program.step(StepId(place)));
    }
    steps().map(|(step, _)| by_title.get(step.title()).cloned().unwrap_or_default()).collect()
}

/// The words that an option's line may take: that of its texts, wherever its code goes.
fn words_of_line(program: &Program, text_words: &[usize], option: &OptionInfo) -> usize {
    let Some(label) = option.label else { return 0 };
    let code = program.code.get(label as usize..).unwrap_or_default();
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others keep no text")]
    let words = |op: &Op| match op {
        Op::Text { text } => text_words.get(*text as usize).copied().unwrap_or(0),
        _ => 0,
    };
    code.iter().take_while(|op| !matches!(op, Op::Done)).map(words).sum()
}

/// Links and neighbours of each thing, as sets.
#[derive(Default)]
pub(crate) struct LinkSets {
    pub link_words: usize,
    pub end_words: usize,
    pub links: Vec<u64>,
    pub neighbours: Vec<u64>,
    /// Of each thing which words of the set of its neighbours are not empty, and what stands there.
    pub near: Vec<Vec<(u32, u64)>>,
}

/// A column, ready to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreparedColumn {
    pub offset: usize,
    pub len: u64,
    pub mask: u64,
    pub bias: i64,
    /// The entry that stands for an absent value; one that no entry has, if there is none.
    pub absent: u64,
    pub lo: i64,
    pub hi: i64,
    pub inverse: usize,
    pub shift: u8,
    pub fact: bool,
    pub optional: bool,
    pub set_words: u16,
    pub key_words: u16,
}

impl PreparedColumn {
    fn new(column: &Column) -> Self {
        let shift = column.shift.min(6);
        Self {
            offset: column.offset as usize,
            len: u64::from(column.len),
            mask: if shift == 6 { u64::MAX } else { (1 << (1 << shift)) - 1 },
            bias: if shift == 6 { 0 } else { column.bias },
            absent: match (shift, column.optional) {
                (6, _) => ABSENT as u64,
                (_, true) => 0,
                (_, false) => u64::MAX,
            },
            lo: column.lo,
            hi: column.hi,
            inverse: column.inverse as usize,
            shift,
            fact: column.space == Space::Fact,
            optional: column.optional,
            set_words: column.set_words,
            key_words: column.key_words,
        }
    }

    /// The words it takes, its inverse index not counted.
    pub fn words(&self) -> usize {
        let words = if self.set_words > 1 {
            self.len as usize * self.set_words as usize
        } else {
            ((self.len as usize) << self.shift).div_ceil(64)
        };
        words.max(1)
    }

    /// The words of its inverse index.
    pub fn inverse_words(&self) -> usize {
        if self.inverse == 0 { 0 } else { (self.hi.max(-1) + 2) as usize * self.key_words as usize }
    }

    /// Where its words stand, and those of its inverse index.
    pub fn places(&self) -> [Range<usize>; 2] {
        [self.offset..self.offset + self.words(), self.inverse..self.inverse + self.inverse_words()]
    }

    /// The bits of an entry; `key` is below `len`.
    #[inline(always)]
    pub fn bits(&self, words: &[u64], key: u64) -> u64 {
        let bit = (key as usize) << self.shift;
        words[self.offset + (bit >> 6)] >> (bit & 63) & self.mask
    }

    /// Writes the bits of an entry; `key` is below `len`.
    #[inline(always)]
    pub fn put_bits(&self, words: &mut [u64], key: u64, bits: u64) {
        let bit = (key as usize) << self.shift;
        let word = &mut words[self.offset + (bit >> 6)];
        let place = bit & 63;
        *word = *word & !(self.mask << place) | (bits & self.mask) << place;
    }

    /// A scalar entry; `key` is below `len`.
    #[inline(always)]
    pub fn load(&self, words: &[u64], key: u64) -> i64 {
        let raw = self.bits(words, key);
        if raw == self.absent { ABSENT } else { (raw as i64).wrapping_add(self.bias) }
    }

    /// The bits that stand for a value.
    #[inline(always)]
    fn raw(&self, value: i64) -> u64 {
        if value == ABSENT && self.shift != 6 { 0 } else { value.wrapping_sub(self.bias) as u64 }
    }

    /// Writes a scalar entry as it is; `key` is below `len` and the value in range.
    #[inline(always)]
    pub fn put(&self, words: &mut [u64], key: u64, value: i64) {
        self.put_bits(words, key, self.raw(value));
    }

    /// An entry as it stands in registers; `key` is below `len`.
    pub fn entry(&self, words: &[u64], key: u64) -> Vec<u64> {
        match self.set_words {
            0 => vec![self.load(words, key) as u64],
            1 => vec![self.bits(words, key)],
            many => words[self.offset + key as usize * many as usize..][..many as usize].to_vec(),
        }
    }

    /// Writes an entry that stands in registers, and keeps the inverse index.
    pub fn set_entry(&self, words: &mut [u64], key: u64, entry: &[u64]) {
        match (self.set_words, entry) {
            (0, &[value]) => self.store(words, key, value as i64),
            (1, &[set]) => self.put_bits(words, key, set),
            _ => {
                let to = self.offset + key as usize * self.set_words as usize;
                words[to..to + entry.len()].copy_from_slice(entry);
            }
        }
    }

    /// Searches the entries for those that hold a value: says whether it is one.
    pub fn search(&self, words: &[u64], value: i64, keys: &mut [u64]) -> bool {
        keys.fill(0);
        if value == ABSENT && !self.optional {
            return true;
        }
        if value != ABSENT && !(0..=self.hi).contains(&value) {
            return false;
        }
        // The value in every entry of a word; where it stands an entry becomes zero.
        let lowest = u64::MAX / self.mask;
        let (pattern, highest) =
            (lowest.wrapping_mul(self.raw(value) & self.mask), lowest << (self.lane() - 1));
        for (place, word) in words[self.offset..][..self.words()].iter().enumerate() {
            let word = word ^ pattern;
            // Adding carries into the highest bit of every entry in which a lower one is set.
            let mut found = !(((word & !highest) + !highest) | word) & highest;
            while found != 0 {
                let key = ((place << 6) + found.trailing_zeros() as usize) >> self.shift;
                found &= found - 1;
                if key < self.len as usize {
                    bits::insert(keys, key);
                }
            }
        }
        true
    }

    /// The bits of an entry.
    fn lane(&self) -> u32 {
        1 << self.shift
    }

    /// Whether a value may be stored.
    #[inline(always)]
    pub fn takes(&self, value: i64) -> bool {
        value >= self.lo && value <= self.hi || value == ABSENT && self.optional
    }

    /// Where the keys that hold a value stand in the inverse index.
    #[inline(always)]
    pub fn holders(&self, value: i64) -> Option<usize> {
        if value == ABSENT {
            Some(self.inverse)
        } else if value >= 0 && value <= self.hi {
            Some(self.inverse + (value as usize + 1) * self.key_words as usize)
        } else {
            None
        }
    }

    /// Writes an entry and keeps the inverse index.
    #[inline(always)]
    pub fn store(&self, words: &mut [u64], key: u64, value: i64) {
        if self.inverse != 0 {
            let (word, bit) = ((key >> 6) as usize, 1u64 << (key & 63));
            if let Some(at) = self.holders(self.load(words, key)) {
                words[at + word] &= !bit;
            }
            self.put(words, key, value);
            if let Some(at) = self.holders(value) {
                words[at + word] |= bit;
            }
        } else {
            self.put(words, key, value);
        }
    }

    /// What it holds before anything is said.
    fn zero(&self) -> i64 {
        if self.optional { ABSENT } else { 0.clamp(self.lo, self.hi.max(self.lo)) }
    }
}

impl Prepared {
    /// The words that the line of an option may take.
    pub fn line_words(&self, choice: Option<u16>, option: u16) -> usize {
        let lines = choice.and_then(|choice| self.lines.get(usize::from(choice)));
        lines.and_then(|lines| lines.get(usize::from(option))).copied().unwrap_or(0)
    }

    /// All but the start values of states; says what is wrong with the program otherwise.
    pub fn new(program: Arc<Program>) -> Result<Self, Trap> {
        let book = &program.book;
        let wrong = |what: &str| Err(Trap::internal(format!("the program is malformed: {what}")));
        if [program.kinds.len(), program.seen.len(), program.faces.len()] != [book.kinds.len(); 3] {
            return wrong("kinds");
        }
        if program.columns.len() < book.columns.len() || program.spans.len() != program.code.len() {
            return wrong("tables");
        }
        if program.functions.len() < book.steps.len() + book.rules.len() || program.state_words < RESERVED {
            return wrong("functions");
        }
        let columns: Vec<PreparedColumn> = program.columns.iter().map(PreparedColumn::new).collect();
        for col in &columns {
            let room = if col.fact { program.facts.len() } else { program.state_words };
            let index_end = col.inverse + col.inverse_words();
            if col.offset + col.words() > room || index_end > program.state_words {
                return wrong("a column lies outside its space");
            }
            if col.inverse != 0 && (col.key_words as u64) * 64 < col.len {
                return wrong("an inverse index is too small");
            }
            if col.set_words > 1 && col.shift != 6 {
                return wrong("a column of sets has narrow entries");
            }
        }
        let mut owner = vec![u32::MAX; program.code.len()];
        for (i, function) in program.functions.iter().enumerate() {
            match owner.get_mut(function.entry as usize..function.end as usize) {
                Some(range) => range.fill(i as u32),
                None => return wrong("a function lies outside the code"),
            }
        }
        let mut template = vec![0; program.state_words];
        for col in columns.iter().filter(|c| !c.fact && c.set_words == 0 && c.offset >= RESERVED) {
            for key in 0..col.len {
                col.put(&mut template, key, col.zero());
            }
        }
        if program.scopes.iter().flatten().any(|&c| columns.get(c as usize).is_none_or(|col| col.fact)) {
            return wrong("a scope resets what is no state");
        }
        let text_words: Vec<usize> =
            program.texts.iter().map(|text| text::most_words(&program, text)).collect();
        let line = |option: &OptionInfo| words_of_line(&program, &text_words, option);
        let mut prepared = Self {
            alike_steps: alike_steps(&program),
            scopes: program.scopes.iter().map(|scope| ranges(&columns, scope)).collect(),
            luck: luck(&program),
            names: Names::of(&program),
            links: links(&program),
            back_owner: back_owners(&program),
            groups: Groups::new(&program, &columns),
            veiled: program.choices.iter().map(|choice| veiled_kinds(&program, choice)).collect(),
            lines: program.choices.iter().map(|choice| choice.options.iter().map(line).collect()).collect(),
            text_words,
            program,
            columns,
            owner,
            template,
        };
        prepared.index_template();
        Ok(prepared)
    }

    /// Builds the inverse indexes of the template anew.
    pub fn index_template(&mut self) {
        for col in self.columns.iter().filter(|c| !c.fact && c.inverse != 0) {
            self.template[col.inverse..col.inverse + col.inverse_words()].fill(0);
            for key in 0..col.len {
                let value = col.load(&self.template, key);
                if let Some(at) = col.holders(value) {
                    bits::insert(&mut self.template[at..at + col.key_words as usize], key as usize);
                }
            }
        }
    }

    /// The number of things of a kind.
    pub fn things(&self, kind: KindId) -> usize {
        self.program.book.kind(kind).things.len()
    }

    /// Whether a column of the book is a state.
    pub fn is_state(&self, column: ColumnId) -> bool {
        matches!(self.program.book.column(column).role, Role::State { .. })
    }

    /// The place of the function that an instruction belongs to.
    pub fn function_at(&self, pc: usize) -> Option<usize> {
        self.owner.get(pc).map(|&f| f as usize).filter(|&f| f < self.program.functions.len())
    }

    /// All that look like a thing, the thing itself among them, in printed order; nothing for one that is alone in its looks.
    pub fn look_alikes(&self, kind: KindId, thing: i64) -> impl Iterator<Item = i64> {
        let groups = self.program.kinds[kind.0 as usize].groups.as_deref().unwrap_or_default();
        let group = usize::try_from(thing).ok().and_then(|thing| groups.get(thing));
        let things = (0..).zip(groups);
        things.filter(move |(_, of)| Some(*of) == group).map(|(thing, _)| thing)
    }

    /// Whether two things of a kind are the same or look alike.
    pub fn alike(&self, kind: Option<KindId>, a: i64, b: i64) -> bool {
        a == b
            || kind.and_then(|k| self.program.kinds[k.0 as usize].groups.as_ref()).is_some_and(|groups| {
                let group = |thing: i64| usize::try_from(thing).ok().and_then(|t| groups.get(t));
                group(a).is_some() && group(a) == group(b)
            })
    }
}

/// The words of columns and their indexes; those that lie side by side are one range.
fn ranges(columns: &[PreparedColumn], scope: &[u16]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> =
        scope.iter().flat_map(|&column| columns[column as usize].places()).collect();
    all.retain(|range| !range.is_empty());
    all.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in all {
        match joined.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// What the luck of things is keyed by: the hash of the name, and of look-alikes which one of them it is.
fn luck(program: &Program) -> Vec<Vec<u64>> {
    let of_kind = |hashes: &Vec<u64>| {
        let mut seen: HashMap<u64, u64> = HashMap::with_capacity(hashes.len());
        hashes
            .iter()
            .map(|&hash| match seen.entry(hash) {
                Entry::Occupied(mut count) => {
                    *count.get_mut() += 1;
                    chance::mix(hash, *count.get())
                }
                Entry::Vacant(first) => {
                    first.insert(0);
                    hash
                }
            })
            .collect()
    };
    program.kinds.iter().map(|kind| of_kind(&kind.hashes)).collect()
}

fn links(program: &Program) -> Vec<LinkSets> {
    let mut all = Vec::new();
    for (kind, info) in program.book.kinds.iter().zip(&program.kinds) {
        let Some((end, _)) = kind.ends else {
            all.push(LinkSets::default());
            continue;
        };
        let things = program.book.kind(end).things.len();
        let (link_words, end_words) = (info.words as usize, program.kinds[end.0 as usize].words as usize);
        let (mut links, mut neighbours) = (vec![0; things * link_words], vec![0; things * end_words]);
        for thing in 0..things {
            let from = info.first.get(thing).map_or(0, |&i| i as usize);
            let to = info.first.get(thing + 1).map_or(0, |&i| i as usize);
            for &(other, link) in info.joined.get(from..to).unwrap_or_default() {
                bits::insert(&mut links[thing * link_words..][..link_words], link as usize);
                bits::insert(&mut neighbours[thing * end_words..][..end_words], other as usize);
            }
        }
        let near = neighbours.chunks(end_words.max(1)).map(|set| {
            let words = (0..).zip(set.iter().copied());
            words.filter(|&(_, word)| word != 0).collect()
        });
        let near = near.collect();
        all.push(LinkSets { link_words, end_words, links, neighbours, near });
    }
    all
}

/// The kinds with hidden faces that go through options of a choice unnamed.
fn veiled_kinds(program: &Program, choice: &ChoiceInfo) -> Vec<KindId> {
    let params = choice.options.iter().flat_map(|option| &option.params).filter(|param| !param.named);
    let is_hidden =
        |kind: &KindId| program.seen[kind.0 as usize].is_some() && !program.book.kind(*kind).name_on_back;
    let mut kinds: Vec<KindId> = params.filter_map(|param| param.kind).filter(is_hidden).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn back_owners(program: &Program) -> Vec<Option<u16>> {
    let book = &program.book;
    let owner = |(i, kind): (usize, &blazon_book::Kind)| {
        kind.back
            .iter()
            .find(|&&c| {
                let column = book.column(c);
                column.keys == [KindId(i as u32)] && column.ty.base == Base::Thing(book.player)
            })
            .map(|c| c.0 as u16)
    };
    book.kinds.iter().enumerate().map(owner).collect()
}
