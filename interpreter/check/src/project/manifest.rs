//! `blazon.ron`, the manifest at the top of a game's or variant's folder.

use std::collections::BTreeSet;

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
    /// Those that do not sit there.
    #[serde(default)]
    pub unseats: Vec<String>,
    /// Variants that it is written on: wherever it is played, they are, and come before it.
    #[serde(default)]
    pub needs: Vec<String>,
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

/// Something that a manifest cannot mean.
pub(crate) struct Fault<'m> {
    /// The word that says it.
    pub word: &'m str,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

fn strs(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

/// Whether a version is numbers with dots between them.
fn is_version(version: &str) -> bool {
    version.split('.').all(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

fn first_version() -> String {
    "1.0.0".to_owned()
}

impl VariantManifest {
    /// The variants that it was written with in sight: those that it needs, and those that come before it where both are played.
    pub fn beneath(&self) -> impl Iterator<Item = &String> {
        self.needs.iter().chain(&self.after)
    }
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
                texts.extend(variant.players.iter().chain(&variant.unseats).chain(variant.beneath()));
                texts.extend(variant.excludes.iter().flat_map(|(a, b)| [a, b]));
                (texts, [&variant.outline, &variant.statements], &variant.rulings)
            }
        };
        texts.extend(files.into_iter().flatten());
        texts.extend(rulings.iter().flat_map(|(name, value)| [name, value]));
        texts.into_iter().map(String::as_str).collect()
    }

    /// What it says that can be read, but not meant: each with the word that says it and how to mend it.
    pub(crate) fn faults(&self) -> Vec<Fault<'_>> {
        let mut faults = Vec::new();
        let (version, fits, lists): (_, _, Vec<(_, Vec<&str>)>) = match self {
            Self::Game(game) => {
                let rulings = game.rulings.iter().map(|(name, _)| name.as_str()).collect();
                (
                    &game.version,
                    None,
                    vec![("uses", strs(&game.uses)), ("players", strs(&game.players)), ("rulings", rulings)],
                )
            }
            Self::Variant(variant) => {
                let excludes = variant.excludes.iter().map(|(name, _)| name.as_str()).collect();
                let rulings = variant.rulings.iter().map(|(name, _)| name.as_str()).collect();
                let lists = vec![
                    ("players", strs(&variant.players)),
                    ("unseats", strs(&variant.unseats)),
                    ("needs", strs(&variant.needs)),
                    ("after", strs(&variant.after)),
                    ("excludes", excludes),
                    ("rulings", rulings),
                ];
                (&variant.version, Some(&variant.game_version), lists)
            }
        };
        if self.name().trim().is_empty() {
            let message =
                "`name` says nothing: this is what it is called in menus and saved games".to_owned();
            faults.push(Fault { word: self.name(), message, help: "give it a name".to_owned() });
        }
        for (field, version) in
            [("version", Some(version)), ("game_version", fits.filter(|fits| !fits.is_empty()))]
        {
            let Some(version) = version.filter(|version| !is_version(version)) else { continue };
            let message = format!("`{field}` is numbers with dots between them, and `{version}` is not");
            faults.push(Fault { word: version, message, help: format!("write it as `{field}: \"1.0.0\"`") });
        }
        if let Self::Variant(variant) = self {
            let seated: BTreeSet<&String> = variant.players.iter().collect();
            for word in variant.unseats.iter().filter(|name| seated.contains(name)) {
                let message = format!("`players` and `unseats` both name `{word}`");
                let help = "he sits at the table or he does not: take him out of one of the two".to_owned();
                faults.push(Fault { word, message, help });
            }
        }
        for (field, list) in lists {
            let mut met = BTreeSet::new();
            for word in list.into_iter().filter(|word| !met.insert(*word)) {
                let message = format!("`{field}` names `{word}` twice");
                faults.push(Fault { word, message, help: "take one of the two out".to_owned() });
            }
        }
        faults
    }

    /// The rulings that it settles, with their values.
    pub fn rulings(&self) -> &[(String, String)] {
        match self {
            Self::Game(game) => &game.rulings,
            Self::Variant(variant) => &variant.rulings,
        }
    }

    /// The variants that must be laid beneath it, by name.
    pub fn needs(&self) -> &[String] {
        match self {
            Self::Game(_) => &[],
            Self::Variant(variant) => &variant.needs,
        }
    }

    /// The name it gives.
    pub fn name(&self) -> &str {
        match self {
            Self::Game(game) => &game.name,
            Self::Variant(variant) => &variant.name,
        }
    }
}
