//! What is stored in states that somebody watches: between two decisions a thing may come through several places, and the
//! position tells only the last.

use blazon_book::ColumnId;

/// That a state was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The state.
    pub column: ColumnId,
    /// Of what, as a number among the keys of the state.
    pub key: u64,
    /// What it was set to: [`blazon_program::ir::ABSENT`] for none.
    pub value: i64,
}

/// So many are kept of one decision: rules may set a state as often as they like.
const MOST: usize = 1 << 16;

/// What is kept of them.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    /// For each state whether it is watched; empty if none is.
    watched: Vec<bool>,
    pub since: Vec<Stored>,
}

impl Stores {
    /// Watches these states from now on.
    pub fn watch(&mut self, columns: &[ColumnId]) {
        let most = columns.iter().map(|column| column.0 as usize + 1).max().unwrap_or(0);
        self.watched = vec![false; most];
        columns.iter().for_each(|column| self.watched[column.0 as usize] = true);
        self.since.clear();
    }

    /// A state is set.
    #[inline]
    pub fn note(&mut self, column: u16, key: u64, value: i64) {
        if self.watched.get(column as usize) == Some(&true) {
            self.keep(Stored { column: ColumnId(column.into()), key, value });
        }
    }

    #[cold]
    fn keep(&mut self, stored: Stored) {
        if self.since.len() < MOST {
            self.since.push(stored);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_watched_is_kept_and_no_more_than_there_is_room_for() {
        let mut stores = Stores::default();
        stores.note(2, 0, 1);
        assert!(stores.since.is_empty(), "nobody watches");
        stores.watch(&[ColumnId(2)]);
        for value in 0..MOST as i64 + 5 {
            stores.note(1, 0, value);
            stores.note(2, 3, value);
            stores.note(900, 0, value);
        }
        assert_eq!(stores.since.len(), MOST);
        assert_eq!(stores.since[1], Stored { column: ColumnId(2), key: 3, value: 1 });
        stores.watch(&[]);
        assert!(stores.since.is_empty());
    }
}
