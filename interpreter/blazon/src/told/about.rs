//! What is played, and how it ended.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::Game;

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    /// Game, variants, setup in one line.
    pub played: String,
    /// The name of the game.
    pub game: String,
    /// Its version.
    pub version: String,
    /// Its variants.
    pub variants: Vec<Variant>,
    /// Its rulings with the values that hold.
    pub rulings: BTreeMap<String, Option<String>>,
    /// The players at the table.
    pub players: Vec<String>,
    /// The setup it began with.
    pub setup: Option<String>,
    /// All setups.
    pub setups: Vec<String>,
    /// The seed of its dice.
    pub seed: u64,
}

/// A variant that is played with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl About {
    pub(crate) fn of(game: &Game) -> Self {
        let book = game.book();
        let rulings = book.rulings.iter();
        let rulings = rulings.map(|ruling| (ruling.name.clone(), ruling.values.get(ruling.chosen).cloned()));
        let variants = book.variants.iter();
        let variants =
            variants.map(|(name, version)| Variant { name: name.clone(), version: version.clone() });
        let setups: Vec<String> = book.setups.iter().map(|setup| setup.name.clone()).collect();
        Self {
            played: book.played(game.setup().into()),
            game: book.title.clone(),
            version: book.version.clone(),
            variants: variants.collect(),
            rulings: rulings.collect(),
            players: game.players().into_iter().map(|player| game.player_name(player)).collect(),
            setup: setups.get(game.setup().index()).cloned(),
            setups,
            seed: game.seed(),
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// `won`, `drawn` or `unfinished`.
    pub outcome: &'static str,
    /// Who won.
    pub winner: Option<String>,
    /// How many decisions were taken.
    pub decisions: u64,
    /// The seed of its dice.
    pub seed: u64,
}

impl End {
    pub(crate) fn of(game: &Game) -> Self {
        let outcome = game.outcome();
        let winner = outcome.and_then(|outcome| outcome.winner).map(|winner| game.player_name(winner));
        let word = match (&outcome, &winner) {
            (None, _) => "unfinished",
            (Some(_), None) => "drawn",
            (Some(_), Some(_)) => "won",
        };
        Self { outcome: word, winner, decisions: game.taken(), seed: game.seed() }
    }
}
