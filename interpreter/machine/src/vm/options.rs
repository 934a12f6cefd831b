//! What may be chosen: the options that the loop emits.

use blazon_kernel::bits;

/// The open options of one player, in the order of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    heads: Vec<Head>,
    args: Vec<i64>,
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

    fn chosen(&self, head: &Head) -> Chosen<'_> {
        Chosen { option: head.option, args: &self.args[head.start as usize..][..head.count as usize] }
    }

    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.args.clear();
    }

    #[inline]
    pub(crate) fn push_all(&mut self, option: u16, first: &[u64], last: &[u64]) {
        let count = first.len() as u16 + 1;
        for thing in bits::iter(last) {
            let start = self.args.len() as u32;
            self.heads.push(Head { option, count, start });
            self.args.extend(first.iter().map(|&word| word as i64));
            self.args.push(thing as i64);
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, option: u16, words: &[u64]) {
        let start = self.args.len() as u32;
        self.heads.push(Head { option, count: words.len() as u16, start });
        self.args.extend(words.iter().map(|&word| word as i64));
    }
}
