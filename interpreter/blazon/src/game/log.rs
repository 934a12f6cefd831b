//! What was chosen, by meaning, in little memory: a game of hundreds of choices takes a few kilobytes, since all words
//! stand in one text.

use blazon_machine::save::Entry;

/// The choices of a game, from its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// All players, options and arguments, one after the other.
    text: String,
    /// Where each of them ends in the text.
    ends: Vec<u32>,
    /// Where each choice begins in `ends`, shifted by one bit, and whether it was taken unasked.
    choices: Vec<u32>,
}

impl Log {
    /// How many choices.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Whether the choice at a place was the only one and so taken unasked.
    pub fn is_forced(&self, place: usize) -> bool {
        self.choices.get(place).is_some_and(|choice| choice & 1 == 1)
    }

    /// Whether somebody was asked at all.
    pub fn has_decisions(&self) -> bool {
        self.choices.iter().any(|choice| choice & 1 == 0)
    }

    /// The choice at a place.
    pub fn get(&self, place: usize) -> Option<Entry> {
        let first = (*self.choices.get(place)? >> 1) as usize;
        let last = self.choices.get(place + 1).map_or(self.ends.len(), |next| (next >> 1) as usize);
        let mut words = (first..last).map(|word| self.word(word).to_owned());
        let (player, option) = (words.next()?, words.next()?);
        Some(Entry { player, option, args: words.collect(), forced: self.is_forced(place) })
    }

    /// All choices in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// The bytes of memory that it takes.
    pub fn memory(&self) -> usize {
        self.text.capacity() + size_of::<u32>() * (self.ends.capacity() + self.choices.capacity())
    }

    pub(super) fn push(&mut self, entry: &Entry) {
        let first = self.ends.len() as u32;
        self.choices.push(first << 1 | u32::from(entry.forced));
        for word in [&entry.player, &entry.option].into_iter().chain(&entry.args) {
            self.text.push_str(word);
            self.ends.push(self.text.len() as u32);
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        let Some(first) = self.choices.get(len).map(|choice| (choice >> 1) as usize) else { return };
        self.choices.truncate(len);
        self.text.truncate(self.start(first));
        self.ends.truncate(first);
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.choices.shrink_to_fit();
    }

    /// Where a word begins.
    fn start(&self, word: usize) -> usize {
        word.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize)
    }

    fn word(&self, word: usize) -> &str {
        let end = self.ends.get(word).map_or(self.text.len(), |&end| end as usize);
        self.text.get(self.start(word)..end).unwrap_or_default()
    }
}

impl FromIterator<Entry> for Log {
    fn from_iter<T: IntoIterator<Item = Entry>>(entries: T) -> Self {
        let mut log = Self::default();
        for entry in entries {
            log.push(&entry);
        }
        log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(player: &str, option: &str, args: &[&str], forced: bool) -> Entry {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Entry { player: player.to_owned(), option: option.to_owned(), args, forced }
    }

    #[test]
    fn choices_come_back_as_they_went_in() {
        let entries = [
            entry("North", "march", &["Grey", "Mill"], false),
            entry("South", "", &[""], true),
            entry("", "pass", &[], false),
            entry("North", "ö", &["none", "3"], false),
        ];
        let mut log: Log = entries.iter().cloned().collect();
        assert_eq!(log.iter().collect::<Vec<_>>(), entries);
        assert!(log.is_forced(1) && !log.is_forced(0) && log.has_decisions());
        log.truncate(9);
        assert_eq!(log.len(), 4);
        log.truncate(2);
        assert_eq!(log.iter().collect::<Vec<_>>(), entries[..2]);
        log.push(&entries[3]);
        assert_eq!(log.get(2).as_ref(), Some(&entries[3]));
        log.truncate(0);
        assert_eq!(log, Log::default());
        assert_eq!(log.get(0), None);
    }

    #[test]
    fn a_long_game_takes_a_few_kilobytes() {
        let one = entry("Eastern League", "march", &["Grey", "Old Mill"], false);
        let mut log: Log = std::iter::repeat_n(one, 250).collect();
        log.shrink();
        assert!(log.memory() < 14_000, "{}", log.memory());
    }
}
