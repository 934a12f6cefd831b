//! How a game stands where its log ends: of two rule sets by which all choices can be made, one may let another win.

use std::sync::Arc;

use blazon::Game;
use blazon_machine::save::{Replayed, Save};
use blazon_program::Program;

/// How a game stands where its log ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// It is under way.
    UnderWay,
    /// It is over, and nobody has won.
    Nobody,
    /// Somebody has won.
    Won(String),
}

impl Ending {
    /// Of a game.
    pub fn of(game: &Game) -> Self {
        match game.outcome().map(|outcome| outcome.winner) {
            None => Self::UnderWay,
            Some(None) => Self::Nobody,
            Some(Some(winner)) => Self::Won(game.player_name(winner)),
        }
    }

    /// Of a saved game by these rules, if all its choices can be made by them.
    pub fn by(program: &Arc<Program>, save: &Save) -> Option<Self> {
        let mut game = Game::new(program.clone()).ok()?;
        (game.replay(save).ok()? == Replayed::Whole).then(|| Self::of(&game))
    }

    /// How it stands, which is not how it stood: half a sentence.
    pub fn not_as(&self, was: &Self) -> String {
        let is = match self {
            Self::UnderWay => "the game is not over".to_owned(),
            Self::Nobody => "nobody wins".to_owned(),
            Self::Won(winner) => format!("{winner} wins"),
        };
        match (self, was) {
            (Self::Won(_), Self::Won(winner)) => format!("{is}, not {winner}"),
            (_, Self::Won(winner)) => format!("{is}, and {winner} had won"),
            (_, Self::Nobody) => format!("{is}, and it was over, and nobody had won"),
            (_, Self::UnderWay) => format!("{is}, and it was not over"),
        }
    }
}
