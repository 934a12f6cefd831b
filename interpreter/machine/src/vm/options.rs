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
