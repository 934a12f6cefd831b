//! What may be chosen: the options that the loop emits.

use blazon_kernel::bits;

use crate::decision::veiled::{Meaning, Veil};

/// The open options of one player, in the order of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    heads: Vec<Head>,
    args: Vec<i64>,
    /// What stands behind them, where some mean things that who is asked does not see.
    veil: Option<Box<Veil>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    option: u16,
    count: u16,
    start: u32,
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
        self.heads.clone_from(&other.heads);
        self.args.clone_from(&other.args);
        self.veil.clone_from(&other.veil);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The option at a place.
    pub fn get(&self, index: usize) -> Option<Chosen<'_>> {
        self.heads.get(index).map(|head| self.chosen(head))
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Chosen<'_>> {
        self.heads.iter().map(|head| self.chosen(head))
    }

    /// Where the run of options of one name ends in which a place lies.
    #[inline]
    pub(crate) fn end_of_run(&self, from: usize, option: u16) -> usize {
        let rest = self.heads.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|head| head.option == option).count()
    }

    fn chosen(&self, head: &Head) -> Chosen<'_> {
        Chosen { option: head.option, args: &self.args[head.start as usize..][..head.count as usize] }
    }

    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.args.clear();
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
            let option = self.heads.get(place)?.option;
            Some((place, Some(members.iter().position(|args| is_meant(option, args))?)))
        })
    }

    /// Has an option mean another of those that it stands for.
    pub(crate) fn bring_forward(&mut self, place: usize, member: usize) {
        let args = self.veil.as_ref().and_then(|veil| veil.members.get(place)?.get(member));
        if let (Some(head), Some(args)) = (self.heads.get(place), args)
            && let Some(own) = self.args.get_mut(head.start as usize..head.start as usize + args.len())
        {
            own.copy_from_slice(args);
        }
    }

    /// An option for each thing of a set, which is its last argument; answers whether there are no more than `most` then.
    pub(crate) fn push_all(&mut self, option: u16, first: &[u64], last: &[u64], most: usize) -> bool {
        let (count, things, start) = (first.len() + 1, bits::count(last), self.args.len());
        if things == 0 || self.heads.len() + things > most {
            return things == 0;
        }
        let head = |place| Head { option, count: count as u16, start: (start + place * count) as u32 };
        self.heads.extend((0..things).map(head));
        // Room for all of them at once: many are pushed, and then a check for each is most of the work.
        self.args.resize(start + things * count, 0);
        let all = &mut self.args[start..];
        match first {
            [] => all.iter_mut().zip(Things::of(last)).for_each(|(arg, thing)| *arg = thing),
            &[first] => {
                let (pairs, _) = all.as_chunks_mut();
                pairs
                    .iter_mut()
                    .zip(Things::of(last))
                    .for_each(|(pair, thing)| *pair = [first as i64, thing]);
            }
            _ => {
                for (args, thing) in all.chunks_exact_mut(count).zip(Things::of(last)) {
                    args.iter_mut().zip(first).for_each(|(arg, &word)| *arg = word as i64);
                    args[count - 1] = thing;
                }
            }
        }
        true
    }

    /// An option for each thing of a set with each of another; answers whether there are no more than `most` then.
    pub(crate) fn push_pairs(&mut self, option: u16, first: &[u64], last: &[u64], most: usize) -> bool {
        if bits::is_empty(last) {
            return true;
        }
        let (things, start) = (bits::count(first) * bits::count(last), self.args.len());
        if self.heads.len() + things > most {
            return false;
        }
        let head = |place| Head { option, count: 2, start: (start + place * 2) as u32 };
        self.heads.extend((0..things).map(head));
        self.args.resize(start + things * 2, 0);
        let (pairs, _) = self.args[start..].as_chunks_mut();
        let mut pairs = pairs.iter_mut();
        for first in Things::of(first) {
            Things::of(last).zip(pairs.by_ref()).for_each(|(last, pair)| *pair = [first, last]);
        }
        true
    }

    /// The options as runs of the same one: which, how many arguments each has, and the arguments of all of them.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u16, usize, &[i64])> {
        self.heads.chunk_by(|a, b| a.option == b.option).filter_map(|run| {
            let (first, last) = (run.first()?, run.last()?);
            let args = self.args.get(first.start as usize..last.start as usize + last.count as usize)?;
            Some((first.option, first.count as usize, args))
        })
    }

    #[inline]
    pub(crate) fn push(&mut self, option: u16, words: &[u64]) {
        let start = self.args.len() as u32;
        self.heads.push(Head { option, count: words.len() as u16, start });
        self.args.extend(words.iter().map(|&word| word as i64));
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
