//! Where rules come from: folders on the disk, the games inside the program, texts in memory.
//!
//! A [`Loader`] finds a game by path or name; [`Rules`] is what it found, or what was put together from texts. Nothing is
//! parsed here: that is the work of [`crate::Reading`].
//!
//! Rules are strangers' work. Nothing outside a game's folder is read for it: the library comes from the program or
//! from the folder that the caller names, never from around the game, and links that lead out of a folder are refused
//! with a message. Files have a most length, folders a most number of files.

#[cfg(feature = "folders")]
mod disk;
mod embedded;
#[cfg(feature = "folders")]
mod folders;
mod pages;
mod rules;

#[cfg(feature = "folders")]
use std::path::{Path, PathBuf};

use blazon_diagnostics::{did_you_mean, near_miss};

use crate::error::{Error, Result};
use crate::present::harmless;

pub use embedded::{Embedded, default_game, embedded_game, embedded_games};
#[cfg(feature = "folders")]
pub use folders::shown;
pub use pages::{MANIFEST, put};
pub use rules::{Rules, Variant};

/// Finds games.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    #[cfg(feature = "folders")]
    reader: folders::Reader,
    #[cfg(feature = "folders")]
    library: Option<PathBuf>,
}

impl Loader {
    /// Finds games inside the program and, with the feature `folders`, on the disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the library from a folder, not from the program.
    #[cfg(feature = "folders")]
    #[must_use]
    pub fn library(mut self, folder: impl Into<PathBuf>) -> Self {
        self.library = Some(folder.into());
        self
    }

    /// The folder that the library is taken from; none if it is the program's.
    #[cfg(feature = "folders")]
    pub fn library_folder(&self) -> Option<&Path> {
        self.library.as_deref()
    }

    /// Shows the names of files from this folder on, not from the current one.
    #[cfg(feature = "folders")]
    #[must_use]
    pub fn names_from(mut self, folder: impl Into<PathBuf>) -> Self {
        self.reader = folders::Reader::from(folder.into());
        self
    }

    /// The game that a path or a name means: the nearest manifest from the path upward, or a game inside the program.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is neither, [`Error::Rules`] if a variant's game is not found,
    /// [`Error::Unreadable`] if the library is no folder. What is wrong with files is told in
    /// [`Rules::diagnostics`].
    pub fn find(&self, target: &str) -> Result<Rules> {
        let on_disk = self.on_disk(target)?;
        let rules = match on_disk.or_else(|| embedded_game(target).map(|game| embedded::rules(&game))) {
            Some(rules) => rules,
            None => return Err(unknown(target)),
        };
        self.with_library(rules)
    }

    /// The game that the first of these variants that is given as a path is for. None if none is, or if the game around
    /// the current folder is the one.
    ///
    /// # Errors
    /// As [`Self::find`] of the variant's path.
    pub fn game_of(&self, variants: &[String]) -> Result<Option<Rules>> {
        for variant in variants {
            if let Some(rules) = self.game_of_variant(variant)? {
                return self.with_library(rules).map(Some);
            }
        }
        Ok(None)
    }

    /// As [`Self::find`]; without a target the game around the current folder, or else the default game of the
    /// program.
    ///
    /// # Errors
    /// As [`Self::find`], and if nothing is named and there is no game at all.
    pub fn find_or_default(&self, target: Option<&str>) -> Result<Rules> {
        let here = || self.around_here().then(|| ".".to_owned());
        let target = target.map(str::to_owned).or_else(here).or_else(|| Some(default_game()?.key));
        match target {
            Some(target) => self.find(&target),
            None => {
                Err(Error::unknown("files::missing", "name a folder of rules: this program holds no game"))
            }
        }
    }
}

#[cfg(feature = "folders")]
#[allow(clippy::disallowed_methods, reason = "this is what the feature `folders` is for")]
impl Loader {
    fn on_disk(&self, target: &str) -> Result<Option<Rules>> {
        let path = Path::new(target);
        if path.exists() { disk::find(path, &self.reader).map(Some) } else { Ok(None) }
    }

    fn game_of_variant(&self, name: &str) -> Result<Option<Rules>> {
        disk::game_of_variant(name, &self.reader)
    }

    fn around_here(&self) -> bool {
        std::env::current_dir().is_ok_and(|here| disk::nearest(&here).is_some())
    }

    fn with_library(&self, mut rules: Rules) -> Result<Rules> {
        let Some(folder) = &self.library else { return Ok(rules) };
        if !folder.is_dir() {
            let message = format!("the library `{}` is no folder", self.reader.shown(folder));
            return Err(Error::Unreadable(message));
        }
        let (pages, diagnostics) = self.reader.read_library(folder);
        rules.library = pages;
        rules.diagnostics.extend(diagnostics);
        Ok(rules)
    }
}

/// Without folders there is only what the program holds.
#[cfg(not(feature = "folders"))]
impl Loader {
    fn on_disk(&self, _target: &str) -> Result<Option<Rules>> {
        Ok(None)
    }

    fn game_of_variant(&self, _name: &str) -> Result<Option<Rules>> {
        Ok(None)
    }

    fn around_here(&self) -> bool {
        false
    }

    fn with_library(&self, rules: Rules) -> Result<Rules> {
        Ok(rules)
    }
}

fn unknown(target: &str) -> Error {
    let games = embedded_games();
    let names: Vec<&str> = games.iter().flat_map(|game| [game.name.as_str(), game.key.as_str()]).collect();
    let mut message = format!("there is no file or folder `{}`, and no game of that name", harmless(target));
    if let Some(near) = near_miss(target, names) {
        message += &format!("; {}", did_you_mean(near));
    }
    Error::unknown("files::missing", message)
}
