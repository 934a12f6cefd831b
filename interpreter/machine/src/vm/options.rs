//! What may be chosen: the options that the loop emits.

use std::ops::Range;

use blazon_kernel::bits;

use crate::decision::veiled::{Meaning, Veil};

/// The open options of one player, in the order of the rules.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Those of one name that follow each other stand together: of a hundred options there are a handful of these.
    runs: Vec<Run>,
    /// Their arguments; behind those in use stand some of options that there were before.
    args: Vec<i64>,
    used: usize,
    len: usize,
    /// What stands behind them, where some mean things that who is asked does not see.
    veil: Option<Box<Veil>>,
}

/// Options of one name that follow each other.
#[derive(Clone, Copy, Debug)]
struct Run {
    option: u16,
    /// How many arguments each has.
    count: u16,
    /// The place of the first of them, and where its arguments begin.
    first: u32,
    start: u32,
    /// Which values stand as first and as second arguments, as sets. It is told only of options that came as sets of one
    /// word, and have no third.
    values: [u64; 2],
    is_told: bool,
}

/// One option with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen<'a> {
    /// Which of the choice's options.
    pub option: u16,
    /// Its arguments: things by their place in their kind, or numbers.
    pub args: &'a [i64],
}

impl Options {
    /// Becomes like another, in the buffers that are there.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.runs.clone_from(&other.runs);
        self.args.clear();
        self.args.extend_from_slice(other.args());
        (self.used, self.len) = (other.used, other.len);
        self.veil.clone_from(&other.veil);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The option at a place.
    pub fn get(&self, index: usize) -> Option<Chosen<'_>> {
        let run = self.run_of(index)?;
        Some(Chosen { option: run.option, args: self.args.get(run.args_of(index))? })
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Chosen<'_>> {
        Iter::new(self)
    }

    /// Where the run of options of one name ends in which a place lies.
    #[inline]
    pub(crate) fn end_of_run(&self, from: usize) -> usize {
        let next = self.runs.iter().find(|run| run.first as usize > from);
        next.map_or(self.len, |run| run.first as usize)
    }

    /// The places of a run of options of one name, by how many of them stand before it.
    #[inline]
    pub(crate) fn run(&self, number: usize) -> Option<Range<usize>> {
        let from = self.runs.get(number)?.first as usize;
        Some(from..self.runs.get(number + 1).map_or(self.len, |next| next.first as usize))
    }

    /// The arguments of options of one run.
    #[inline]
    pub(crate) fn args_of(&self, places: Range<usize>) -> impl Iterator<Item = (usize, &[i64])> {
        let run = self.run_of(places.start);
        places.filter_map(move |place| Some((place, self.args.get(run?.args_of(place))?)))
    }

    fn args(&self) -> &[i64] {
        &self.args[..self.used]
    }

    fn run_of(&self, index: usize) -> Option<&Run> {
        self.runs.iter().rfind(|run| run.first as usize <= index).filter(|_| index < self.len)
    }

    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        (self.used, self.len) = (0, 0);
        self.veil = None;
    }

    /// Puts behind the options what they stand for.
    pub(crate) fn cover(&mut self, veil: Veil) {
        self.veil = Some(Box::new(veil));
    }

    /// The options as who is asked can tell them apart; none where he sees all that they mean.
    pub(crate) fn meanings(&self) -> &[Meaning] {
        self.veil.as_ref().map_or(&[], |veil| &veil.meanings)
    }

    /// Whether who is asked is offered the same, as far as he can tell.
    pub(crate) fn looks_like(&self, other: &Self) -> bool {
        match (&self.veil, &other.veil) {
            (Some(veil), Some(other)) => veil.meanings == other.meanings,
            _ => self == other,
        }
    }

    /// The place of the first option that is meant, and which of those that it stands for, unless it is the option itself.
    pub(crate) fn meant(&self, is_meant: impl Fn(u16, &[i64]) -> bool) -> Option<(usize, Option<usize>)> {
        if let Some(place) = self.iter().position(|open| is_meant(open.option, open.args)) {
            return Some((place, None));
        }
        let veil = self.veil.as_ref()?;
        veil.members.iter().enumerate().find_map(|(place, members)| {
            let option = self.run_of(place)?.option;
            Some((place, Some(members.iter().position(|args| is_meant(option, args))?)))
        })
    }

    /// Has an option mean another of those that it stands for.
    pub(crate) fn bring_forward(&mut self, place: usize, member: usize) {
        let Some(own) = self.run_of(place).map(|run| run.args_of(place)) else { return };
        let args = self.veil.as_ref().and_then(|veil| veil.members.get(place)?.get(member));
        if let (Some(own), Some(args)) = (self.args.get_mut(own), args) {
            own.iter_mut().zip(args).for_each(|(own, arg)| *own = *arg);
        }
    }

    /// Which values stand at a place among the arguments of a run's options, as one set; nothing where that is not told.
    pub(crate) fn values(&self, run: usize, place: usize) -> Option<u64> {
        self.runs.get(run).filter(|run| run.is_told)?.values.get(place).copied()
    }

    /// Room for so many options of a name; answers where their arguments go. At once for all of them: many are added, and
    /// then a check for each is most of the work.
    #[inline(always)]
    fn room(&mut self, option: u16, count: usize, things: usize) -> &mut [i64] {
        let (start, end, count) = (self.used, self.used + things * count, count as u16);
        match self.runs.last() {
            Some(last) if (last.option, last.count) == (option, count) => {}
            _ => self.begin(Run {
                option,
                count,
                first: self.len as u32,
                start: start as u32,
                values: [0; 2],
                is_told: true,
            }),
        }
        (self.len, self.used) = (self.len + things, end);
        if self.args.len() < end {
            self.grow(end);
        }
        &mut self.args[start..end]
    }

    /// Notes which values the arguments of options have that are put into the last run.
    #[inline(always)]
    fn note(&mut self, values: Option<[u64; 2]>) {
        if let Some(run) = self.runs.last_mut() {
            match values {
                Some([first, second]) => run.values = [run.values[0] | first, run.values[1] | second],
                None => run.is_told = false,
            }
        }
    }

    #[inline(never)]
    fn begin(&mut self, run: Run) {
        self.runs.push(run);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) {
        self.args.resize(end.next_power_of_two(), 0);
    }

    /// An option for each thing of a set, which is its last argument; answers whether there are no more than `most` then.
    pub(crate) fn push_all(&mut self, option: u16, first: &[u64], last: &[u64], most: usize) -> bool {
        let things = if let &[last] = last { last.count_ones() as usize } else { bits::count(last) };
        let count = first.len() + 1;
        if things == 0 || self.len + things > most {
            return things == 0;
        }
        let all = self.room(option, count, things);
        match first {
            [] => all.iter_mut().zip(Things::of(last)).for_each(|(arg, thing)| *arg = thing),
            &[first] => {
                let (pairs, _) = all.as_chunks_mut();
                match last {
                    &[last] if first < 64 => pairs_of_words(1 << first, last, pairs),
                    _ => pairs
                        .iter_mut()
                        .zip(Things::of(last))
                        .for_each(|(pair, thing)| *pair = [first as i64, thing]),
                }
            }
            _ => {
                for (args, thing) in all.chunks_exact_mut(count).zip(Things::of(last)) {
                    args.iter_mut().zip(first).for_each(|(arg, &word)| *arg = word as i64);
                    args[count - 1] = thing;
                }
            }
        }
        self.note(match (first, last) {
            ([], &[last]) => Some([last, 0]),
            (&[first @ 0..64], &[last]) => Some([1 << first, last]),
            _ => None,
        });
        true
    }

    /// An option for each thing of a set with each of another; answers whether there are no more than `most` then.
    pub(crate) fn push_pairs(&mut self, option: u16, first: &[u64], last: &[u64], most: usize) -> bool {
        let things = match (first, last) {
            (&[first], &[last]) => (first.count_ones() * last.count_ones()) as usize,
            _ => bits::count(first) * bits::count(last),
        };
        if things == 0 || self.len + things > most {
            return things == 0;
        }
        let (pairs, _) = self.room(option, 2, things).as_chunks_mut();
        if let (&[first], &[last]) = (first, last) {
            pairs_of_words(first, last, pairs);
            self.note(Some([first, last]));
            return true;
        }
        let mut pairs = pairs.iter_mut();
        for first in Things::of(first) {
            Things::of(last).zip(pairs.by_ref()).for_each(|(last, pair)| *pair = [first, last]);
        }
        self.note(None);
        true
    }

    /// The options as runs of the same one: which, how many arguments each has, and the arguments of all of them.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u16, usize, &[i64])> {
        self.runs.iter().enumerate().filter_map(|(place, run)| {
            let end = self.runs.get(place + 1).map_or(self.used, |next| next.start as usize);
            Some((run.option, usize::from(run.count), self.args.get(run.start as usize..end)?))
        })
    }

    #[inline]
    pub(crate) fn push(&mut self, option: u16, words: &[u64]) {
        let args = self.room(option, words.len(), 1);
        args.iter_mut().zip(words).for_each(|(arg, &word)| *arg = word as i64);
        // To tell it of options that come one by one costs more than to look at them.
        self.note(None);
    }
}

impl PartialEq for Options {
    fn eq(&self, other: &Self) -> bool {
        let shape = |run: &Run| (run.option, run.count, run.first);
        let same = self.runs.iter().map(shape).eq(other.runs.iter().map(shape));
        same && self.len == other.len && self.args() == other.args() && self.veil == other.veil
    }
}

impl Eq for Options {}

impl Run {
    /// Where the arguments of an option of it stand.
    fn args_of(&self, index: usize) -> Range<usize> {
        let count = usize::from(self.count);
        let start = self.start as usize + (index - self.first as usize) * count;
        start..start + count
    }
}

/// Goes through options, run by run.
struct Iter<'o> {
    option: u16,
    count: usize,
    /// The arguments of the options of this run that are left, and how many these are.
    args: &'o [i64],
    here: usize,
    left: usize,
    runs: std::slice::Iter<'o, Run>,
    options: &'o Options,
}

impl<'o> Iter<'o> {
    fn new(options: &'o Options) -> Self {
        Self {
            option: 0,
            count: 0,
            args: &[],
            here: 0,
            left: options.len,
            runs: options.runs.iter(),
            options,
        }
    }

    /// Begins the next run.
    #[cold]
    fn turn(&mut self) -> Option<()> {
        let run = self.runs.next()?;
        let end = self.runs.as_slice().first().map_or(self.options.len, |next| next.first as usize);
        self.here = end - run.first as usize;
        (self.option, self.count) = (run.option, usize::from(run.count));
        self.args = self.options.args.get(run.start as usize..)?;
        Some(())
    }
}

impl<'o> Iterator for Iter<'o> {
    type Item = Chosen<'o>;

    #[inline]
    fn next(&mut self) -> Option<Chosen<'o>> {
        if self.here == 0 {
            self.turn()?;
        }
        let (args, rest) = self.args.split_at_checked(self.count)?;
        self.args = rest;
        self.here -= 1;
        self.left -= 1;
        Some(Chosen { option: self.option, args })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    /// All at once: then it is known of a run what its options have in common.
    #[inline]
    fn fold<T, F: FnMut(T, Chosen<'o>) -> T>(mut self, first: T, mut with: F) -> T {
        let mut all = first;
        loop {
            let option = self.option;
            let empty = if self.count == 0 { self.here } else { 0 };
            for args in self.args.chunks_exact(self.count.max(1)).take(self.here - empty) {
                all = with(all, Chosen { option, args });
            }
            for _ in 0..empty {
                all = with(all, Chosen { option, args: &[] });
            }
            if self.turn().is_none() {
                return all;
            }
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Each thing of one set of one word with each of another.
#[inline(always)]
fn pairs_of_words(mut first: u64, last: u64, pairs: &mut [[i64; 2]]) {
    let mut pairs = pairs.iter_mut();
    while first != 0 {
        let (thing, mut rest) = (i64::from(first.trailing_zeros()), last);
        while rest != 0
            && let Some(pair) = pairs.next()
        {
            *pair = [thing, i64::from(rest.trailing_zeros())];
            rest &= rest - 1;
        }
        first &= first - 1;
    }
}

/// The things of a set, in order.
struct Things<'s> {
    word: u64,
    base: i64,
    rest: &'s [u64],
}

impl<'s> Things<'s> {
    fn of(set: &'s [u64]) -> Self {
        match set.split_first() {
            Some((&word, rest)) => Self { word, base: 0, rest },
            None => Self { word: 0, base: 0, rest: &[] },
        }
    }
}

impl Iterator for Things<'_> {
    type Item = i64;

    #[inline(always)]
    fn next(&mut self) -> Option<i64> {
        while self.word == 0 {
            let (&word, rest) = self.rest.split_first()?;
            (self.word, self.rest, self.base) = (word, rest, self.base + 64);
        }
        let thing = self.base + i64::from(self.word.trailing_zeros());
        self.word &= self.word - 1;
        Some(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1 << 10;

    /// Every way to put options in, one name after the other.
    fn some() -> Options {
        let mut options = Options::default();
        options.push(0, &[]);
        options.push(0, &[]);
        assert!(options.push_all(1, &[], &[0b101, 1], MOST));
        assert!(options.push_all(2, &[3], &[0b110], MOST));
        assert!(options.push_pairs(2, &[0b11], &[0b1000], MOST));
        assert!(options.push_pairs(3, &[1, 1], &[0b10], MOST));
        assert!(options.push_all(4, &[1, 70], &[0b1], MOST));
        options.push(5, &[u64::MAX, 5]);
        options
    }

    fn list(options: &Options) -> Vec<(u16, Vec<i64>)> {
        options.iter().map(|open| (open.option, open.args.to_vec())).collect()
    }

    #[test]
    fn options_are_the_same_however_they_are_asked_for() {
        let options = some();
        let expected: [(u16, &[i64]); 13] = [
            (0, &[]),
            (0, &[]),
            (1, &[0]),
            (1, &[2]),
            (1, &[64]),
            (2, &[3, 1]),
            (2, &[3, 2]),
            (2, &[0, 3]),
            (2, &[1, 3]),
            (3, &[0, 1]),
            (3, &[64, 1]),
            (4, &[1, 70, 0]),
            (5, &[-1, 5]),
        ];
        assert_eq!(options.len(), expected.len());
        assert_eq!(options.iter().len(), expected.len());
        for (place, (open, want)) in options.iter().zip(expected).enumerate() {
            assert_eq!((open.option, open.args), want);
            assert_eq!(options.get(place), Some(open));
        }
        let mut folded = Vec::new();
        options.iter().for_each(|open| folded.push((open.option, open.args.to_vec())));
        assert_eq!(folded, list(&options));
        let mut begun = options.iter();
        begun.next();
        assert_eq!(begun.fold(0, |all, _| all + 1), expected.len() - 1);
        assert_eq!(options.get(expected.len()), None);
    }

    #[test]
    fn options_of_one_name_stand_in_one_run() {
        let options = some();
        let runs: Vec<_> = (0..).map_while(|run| options.run(run)).collect();
        assert_eq!(runs, [0..2, 2..5, 5..9, 9..11, 11..12, 12..13]);
        for run in &runs {
            run.clone().for_each(|place| assert_eq!(options.end_of_run(place), run.end));
            let args: Vec<_> = options.args_of(run.clone()).collect();
            let gotten: Vec<_> = run.clone().filter_map(|at| Some((at, options.get(at)?.args))).collect();
            assert_eq!(args, gotten);
        }
        let shapes: Vec<_> =
            options.runs().map(|(option, count, args)| (option, count, args.len())).collect();
        assert_eq!(shapes, [(0, 0, 0), (1, 1, 3), (2, 2, 8), (3, 2, 4), (4, 3, 3), (5, 2, 2)]);
    }

    #[test]
    fn values_are_told_where_all_are_small() {
        let options = some();
        let told: Vec<_> = (0..7).map(|run| (options.values(run, 0), options.values(run, 1))).collect();
        let none = (None, None);
        let pairs = (Some(0b1011), Some(0b1110));
        assert_eq!(told, [none, none, pairs, none, none, none, none]);
        assert_eq!(options.values(2, 2), None);
    }

    #[test]
    fn what_there_was_before_is_not_seen() {
        let (mut options, fresh) = (some(), Options::default());
        options.clear();
        assert_eq!(options, fresh);
        assert!(options.is_empty() && options.get(0).is_none() && options.iter().next().is_none());
        options.push(7, &[4]);
        let mut copy = some();
        copy.copy(&options);
        assert_eq!((copy.len(), list(&copy)), (1, vec![(7, vec![4])]));
        assert_eq!(copy, options);
        assert_ne!(copy, some());
    }

    #[test]
    fn no_more_are_put_in_than_there_may_be() {
        let mut options = Options::default();
        assert!(!options.push_all(0, &[], &[0b111], 2));
        assert!(!options.push_pairs(0, &[0b11], &[0b11], 3));
        assert!(options.push_all(0, &[], &[0], 0) && options.push_pairs(0, &[0b1], &[0], 0));
        assert!(options.is_empty());
    }
}
