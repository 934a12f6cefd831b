//! What tables of the same rules share: a program, its machines, its board, its text.

use std::sync::Arc;

use blazon::{Game, Limits, Pool, Program, Project};

use super::{Wanted, Wrong};
use crate::draw::Board;

/// A stranger's rules should not keep the others waiting: a tenth of the usual operations.
const OPERATIONS: u64 = 5_000_000;

/// What tables of the same rules share.
pub struct Kit {
    /// What of which game it is.
    pub wanted: Wanted,
    /// Its text, without tests.
    pub project: Project,
    /// Lends machines.
    pub pool: Pool,
    /// Draws.
    pub board: Board,
    /// By what its rules are known again.
    pub digest: String,
}

impl Kit {
    /// Of rules that have been compiled.
    ///
    /// # Errors
    /// If the game's map cannot be shown, or the states of the program have no start.
    pub fn new(wanted: &Wanted, project: Project, program: Arc<Program>) -> Result<Self, Wrong> {
        let map = project.variants.iter().rev().chain([&project.game]).find_map(|folder| folder.map.as_ref());
        let board = Board::new(program.clone(), map.map(|page| page.text.as_str()))?;
        let digest = crate::table::digest(&program.book);
        let pool = Pool::new(program, limits())?;
        Ok(Self { wanted: wanted.clone(), project, pool, board, digest })
    }

    /// A game of its own, to look back in.
    ///
    /// # Errors
    /// If the states of the program have no start.
    pub fn game(&self) -> Result<Game, blazon::Error> {
        Game::with_limits(self.pool.program().clone(), limits())
    }
}

fn limits() -> Limits {
    Limits { ops: OPERATIONS, ..Limits::default() }
}
