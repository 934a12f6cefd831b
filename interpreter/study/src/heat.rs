//! What happened where on the board, counted over many games.

use blazon_program::Program;

use crate::game::Watch;

/// Counts by place.
#[derive(Clone, Debug, Default)]
pub struct Heat {}

impl Heat {
    /// Nothing yet, for games of a program.
    pub fn new(_program: &Program) -> Self {
        Self {}
    }

    /// All that others have counted of the same program, too.
    pub fn merge(&mut self, _other: &Self) {}
}

impl Watch for Heat {}
