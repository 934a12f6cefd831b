//! What happened in a game: the last of it, within bounds.

use blazon_machine::Event;

/// About so many words of events are kept (16 megabytes); what a single decision brought is kept whole.
const MOST: usize = 1 << 21;

/// The events of a game, the oldest dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Happened {
    events: Vec<Event>,
    /// How many came before those that are here.
    gone: usize,
    words: usize,
}

impl Happened {
    /// Those that are here.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many there were in all.
    pub fn count(&self) -> usize {
        self.gone + self.events.len()
    }

    /// Those from a place among all on, as far as they are here.
    pub fn since(&self, place: usize) -> &[Event] {
        self.events.get(place.saturating_sub(self.gone)..).unwrap_or_default()
    }

    /// Adds what a decision brought.
    pub fn extend(&mut self, news: Vec<Event>) {
        let words: usize = news.iter().map(Event::words).sum();
        if self.words + words > MOST {
            self.drop_oldest(MOST / 2);
        }
        self.words += words;
        self.events.extend(news);
    }

    /// Drops the oldest, so that no more than so many words are left.
    fn drop_oldest(&mut self, left: usize) {
        let mut over = self.words.saturating_sub(left);
        let mut count = 0;
        while let Some(event) = self.events.get(count).filter(|_| over > 0) {
            let words = event.words();
            over = over.saturating_sub(words);
            self.words -= words;
            count += 1;
        }
        self.events.drain(..count);
        self.events.shrink_to_fit();
        self.gone += count;
    }

    /// Takes all away.
    pub fn take(&mut self) -> Vec<Event> {
        (self.gone, self.words) = (self.count(), 0);
        std::mem::take(&mut self.events)
    }

    /// Goes back to when there were so many.
    pub fn truncate(&mut self, count: usize) {
        self.events.truncate(count.saturating_sub(self.gone));
        self.gone = self.gone.min(count);
        self.words = self.events.iter().map(Event::words).sum();
    }

    /// Takes no more memory than it needs.
    pub fn shrink(&mut self) {
        self.events.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(things: usize) -> Event {
        Event::Drawn { kind: blazon_book::KindId(0), things: vec![0; things], at: 0 }
    }

    #[test]
    fn the_oldest_events_are_dropped() {
        let mut happened = Happened::default();
        for _ in 0..3 {
            happened.extend(vec![drawn(2 * MOST / 3); 2]);
            assert!(happened.words <= 2 * MOST, "a decision and half of the rest");
        }
        assert_eq!(happened.count(), 6, "they count all the same");
        assert!(happened.events().len() < 5);
        assert_eq!(happened.since(5).len(), 1);
        assert_eq!(happened.since(0).len(), happened.events().len(), "as far as they are here");
        assert!(happened.since(7).is_empty());
    }

    #[test]
    fn going_back_and_taking_keep_count() {
        let mut happened = Happened::default();
        happened.extend(vec![drawn(1), drawn(2), drawn(3)]);
        happened.truncate(2);
        assert_eq!((happened.count(), happened.words), (2, drawn(1).words() + drawn(2).words()));
        assert_eq!(happened.take().len(), 2);
        assert_eq!((happened.count(), happened.events().len(), happened.words), (2, 0, 0));
        happened.extend(vec![drawn(1)]);
        assert_eq!((happened.count(), happened.since(2).len()), (3, 1));
        happened.truncate(1);
        assert_eq!(happened.count(), 1, "even before what was taken");
    }
}
