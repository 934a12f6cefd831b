//! The games and the library inside the program. Without the feature `embedded` there are none.

use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page};

use super::{Rules, Variant, put};

/// The files inside the program: games by their path below `rules`, modules by their name.
#[cfg(feature = "embedded")]
#[allow(clippy::disallowed_methods, reason = "a debug build reads the embedded files where they lie")]
mod files {
    use rust_embed::{EmbeddedFile, RustEmbed};

    #[derive(RustEmbed)]
    #[folder = "../../rules"]
    struct Games;

    #[derive(RustEmbed)]
    #[folder = "../../stdlib"]
    #[include = "*.blazon"]
    struct Library;

    fn text(file: &EmbeddedFile) -> Option<String> {
        String::from_utf8(file.data.to_vec()).ok()
    }

    pub fn of_games() -> impl Iterator<Item = String> {
        Games::iter().map(String::from)
    }

    pub fn of_game(name: &str) -> Option<String> {
        text(&Games::get(name)?)
    }

    pub fn modules() -> impl Iterator<Item = String> {
        Library::iter().map(String::from)
    }

    pub fn module(name: &str) -> Option<String> {
        text(&Library::get(name)?)
    }
}

/// No files.
#[cfg(not(feature = "embedded"))]
mod files {
    pub fn of_games() -> impl Iterator<Item = String> {
        std::iter::empty()
    }

    pub fn of_game(_name: &str) -> Option<String> {
        None
    }

    pub fn modules() -> impl Iterator<Item = String> {
        std::iter::empty()
    }

    pub fn module(_name: &str) -> Option<String> {
        None
    }
}

/// A file of the games' folder that names the folder of the game played when none is named.
const DEFAULT: &str = "default.txt";

/// A game inside the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// Its folder.
    pub key: String,
    /// Its name.
    pub name: String,
}

/// The library, in the order of the modules' names.
pub(super) fn library() -> Vec<Page> {
    let mut pages: Vec<Page> = files::modules()
        .filter_map(|path| Some(Page { name: format!("stdlib/{path}"), text: files::module(&path)? }))
        .collect();
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// The games inside the program, by name.
pub fn embedded_games() -> Vec<Embedded> {
    let mut games: Vec<Embedded> = files::of_games()
        .filter_map(|path| {
            let key = path.strip_suffix("/blazon.ron").filter(|key| !key.contains('/'))?;
            let manifest = Manifest::read(&files::of_game(&path)?).ok()?;
            matches!(manifest, Manifest::Game(_))
                .then(|| Embedded { key: key.to_owned(), name: manifest.name().to_owned() })
        })
        .collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

/// The game that is played when none is named: the one that `default.txt` names, or else the first.
pub fn default_game() -> Option<Embedded> {
    let games = embedded_games();
    let marked = files::of_game(DEFAULT);
    let marked = marked.and_then(|key| games.iter().find(|game| game.key == key.trim()).cloned());
    marked.or_else(|| games.into_iter().next())
}

/// The game inside the program of that name or folder, capitals aside.
pub fn embedded_game(name: &str) -> Option<Embedded> {
    let name = name.to_lowercase();
    embedded_games()
        .into_iter()
        .find(|game| game.name.to_lowercase() == name || game.key.to_lowercase() == name)
}

/// A game with its variants.
pub(super) fn rules(game: &Embedded) -> Rules {
    let mut rules = Rules::new(folder(&game.key), library());
    for path in variants(game) {
        let key = path.rsplit('/').next().unwrap_or(&path);
        rules.variants.push(Variant::new(key, folder(&path), Vec::new()));
    }
    rules
}

/// A game's or variant's folder, by its path below the games' folder.
fn folder(path: &str) -> Folder {
    let below = format!("{path}/");
    let mut names: Vec<String> = files::of_games().filter(|name| name.starts_with(&below)).collect();
    names.sort();
    let inner: Vec<String> = names
        .iter()
        .filter_map(|name| name.strip_suffix("blazon.ron"))
        .filter(|folder| folder.len() > below.len())
        .map(str::to_owned)
        .collect();
    let mut folder = Folder::default();
    for name in names.iter().filter(|name| !inner.iter().any(|inner| name.starts_with(inner.as_str()))) {
        let Some(text) = files::of_game(name) else { continue };
        put(&mut folder, &name[below.len()..], Page { name: format!("rules/{name}"), text });
    }
    folder
}

/// The paths of a game's variants below the games' folder.
fn variants(game: &Embedded) -> Vec<String> {
    let below = format!("{}/variants/", game.key);
    let mut variants: Vec<String> = files::of_games()
        .filter(|path| path.starts_with(&below))
        .filter_map(|path| path.strip_suffix("/blazon.ron").map(str::to_owned))
        .collect();
    variants.sort();
    variants
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_game_to_play() {
        let game = default_game().expect("the program holds a game");
        assert!(folder(&game.key).manifest.is_some());
        assert!(!folder(&game.key).pages.is_empty());
        assert_eq!(embedded_game(&game.name.to_uppercase()), Some(game));
        assert!(!library().is_empty());
    }
}
