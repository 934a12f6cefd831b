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
        self.since.push(stored);
    }
}
