//! The games and the library inside the binary.

use blazon_check::manifest::Manifest;
use blazon_check::project::{Folder, Page};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../rules"]
struct Games;

#[derive(RustEmbed)]
#[folder = "../../stdlib"]
#[include = "*.blazon"]
struct Library;

/// A file of the games' folder that names the folder of the game played when none is named.
const DEFAULT: &str = "default.txt";

/// A game inside the binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its folder.
    pub key: String,
    /// Its name.
    pub name: String,
}

/// The library, in the order of the modules' names.
pub fn library() -> Vec<Page> {
    let mut pages: Vec<Page> = Library::iter()
        .filter_map(|path| Some(Page { name: format!("stdlib/{path}"), text: text(&Library::get(&path)?)? }))
        .collect();
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// The games, by name.
pub fn games() -> Vec<Game> {
    let mut games: Vec<Game> = Games::iter()
        .filter_map(|path| {
            let key = path.strip_suffix("/blazon.ron").filter(|key| !key.contains('/'))?;
            let manifest = Manifest::read(&text(&Games::get(&path)?)?).ok()?;
            matches!(manifest, Manifest::Game(_))
                .then(|| Game { key: key.to_owned(), name: manifest.name().to_owned() })
        })
        .collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

/// The game that is played when none is named: the one that `default.txt` names, or else the first.
pub fn default_game() -> Option<Game> {
    let games = games();
    let marked = Games::get(DEFAULT).and_then(|file| text(&file));
    let marked = marked.and_then(|key| games.iter().find(|game| game.key == key.trim()).cloned());
    marked.or_else(|| games.into_iter().next())
}

/// The game of that name or folder, capitals aside.
pub fn game(name: &str) -> Option<Game> {
    let name = name.to_lowercase();
    games().into_iter().find(|game| game.name.to_lowercase() == name || game.key.to_lowercase() == name)
}

/// A game's or variant's folder, by its path below the games' folder.
pub fn folder(path: &str) -> Folder {
    let below = format!("{path}/");
    let mut names: Vec<String> =
        Games::iter().filter(|name| name.starts_with(&below)).map(String::from).collect();
    names.sort();
    let inner: Vec<String> = names
        .iter()
        .filter_map(|name| name.strip_suffix("blazon.ron"))
        .filter(|folder| folder.len() > below.len())
        .map(str::to_owned)
        .collect();
    let mut folder = Folder::default();
    for name in names.iter().filter(|name| !inner.iter().any(|inner| name.starts_with(inner.as_str()))) {
        let Some(text) = Games::get(name).and_then(|file| text(&file)) else { continue };
        let page = Page { name: format!("rules/{name}"), text };
        super::folders::put(&mut folder, &name[below.len()..], page);
    }
    folder
}

/// The paths of a game's variants below the games' folder.
pub fn variants(game: &Game) -> Vec<String> {
    let below = format!("{}/variants/", game.key);
    let mut variants: Vec<String> = Games::iter()
        .filter(|path| path.starts_with(&below))
        .filter_map(|path| path.strip_suffix("/blazon.ron").map(str::to_owned))
        .collect();
    variants.sort();
    variants
}

fn text(file: &rust_embed::EmbeddedFile) -> Option<String> {
    String::from_utf8(file.data.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_game_to_play() {
        let game = default_game().expect("the binary holds a game");
        assert!(folder(&game.key).manifest.is_some());
        assert!(!folder(&game.key).pages.is_empty());
        assert_eq!(super::game(&game.name.to_uppercase()), Some(game));
        assert!(!library().is_empty());
    }
}
