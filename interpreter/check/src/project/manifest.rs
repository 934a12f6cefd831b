//! `blazon.ron`, the manifest at the top of a game's or variant's folder.

use serde::{Deserialize, Serialize};

/// What a folder holds.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub enum Manifest {
    /// A game of its own.
    Game(GameManifest),
    /// Changes of a game.
    Variant(VariantManifest),
}

/// The manifest of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct GameManifest {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default = "first_version")]
    pub version: String,
    /// The rulebook that it plays.
    #[serde(default)]
    pub rulebook: String,
    /// A file beside it: one paragraph a line, number and title. Without it citations are not checked.
    #[serde(default)]
    pub outline: Option<String>,
    /// A file beside it: one statement id a line, which tests may cite.
    #[serde(default)]
    pub statements: Option<String>,
    /// The modules of the library that it uses.
    #[serde(default)]
    pub uses: Vec<String>,
    /// The kind whose things decide.
    pub player: String,
    /// Those of its things that sit at the table; all, if empty.
    #[serde(default)]
    pub players: Vec<String>,
    /// The first step.
    pub begins: String,
    /// The setup used when nothing else is asked for; the first written, if absent.
    #[serde(default)]
    pub setup: Option<String>,
    /// Rulings that this game is played under, where they are not the first value: name and value.
    #[serde(default)]
    pub rulings: Vec<(String, String)>,
}

/// The manifest of a variant.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct VariantManifest {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default = "first_version")]
    pub version: String,
    /// The game that it changes.
    pub game: String,
    /// The versions of the game that it was written for, as a prefix: `1` or `1.2`. Any, if empty.
    #[serde(default)]
    pub game_version: String,
    /// The text that it is taken from.
    #[serde(default)]
    pub rulebook: String,
    /// As for a game.
    #[serde(default)]
    pub outline: Option<String>,
    /// As for a game.
    #[serde(default)]
    pub statements: Option<String>,
    /// Things of the kind that decides that sit at the table, too.
    #[serde(default)]
    pub players: Vec<String>,
    /// Variants that come before it where both are played.
    #[serde(default)]
    pub after: Vec<String>,
    /// Variants that it cannot be played with, each with the reason.
    #[serde(default)]
    pub excludes: Vec<(String, String)>,
    /// Rulings that it is played under, where they are not the first value: name and value.
    #[serde(default)]
    pub rulings: Vec<(String, String)>,
}

fn first_version() -> String {
    "1.0.0".to_owned()
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// What RON says about the text, with line and column.
    pub fn read(text: &str) -> Result<Self, ron::error::SpannedError> {
        ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            .with_default_extension(ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES)
            .from_str(text)
    }

    /// All that it says in words.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let (mut texts, files, rulings): (Vec<&String>, _, _) = match self {
            Self::Game(game) => {
                let mut texts = vec![&game.name, &game.version, &game.rulebook, &game.player, &game.begins];
                texts.extend(game.uses.iter().chain(&game.players).chain(&game.setup));
                (texts, [&game.outline, &game.statements], &game.rulings)
            }
            Self::Variant(variant) => {
                let mut texts = vec![
                    &variant.name,
                    &variant.version,
                    &variant.game,
                    &variant.game_version,
                    &variant.rulebook,
                ];
                texts.extend(variant.after.iter().chain(variant.excludes.iter().flat_map(|(a, b)| [a, b])));
                (texts, [&variant.outline, &variant.statements], &variant.rulings)
            }
        };
        texts.extend(files.into_iter().flatten());
        texts.extend(rulings.iter().flat_map(|(name, value)| [name, value]));
        texts.into_iter().map(String::as_str).collect()
    }

    /// The name it gives.
    pub fn name(&self) -> &str {
        match self {
            Self::Game(game) => &game.name,
            Self::Variant(variant) => &variant.name,
        }
    }
}
