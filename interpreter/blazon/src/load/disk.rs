//! Finds the game that a path means, with its variants.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is what the feature `folders` is for"
)]

use std::path::{Path, PathBuf};

use blazon_check::manifest::Manifest;
use blazon_check::project::Folder;
use blazon_diagnostics::{Diagnostic, did_you_mean, near_miss};

use super::folders::Reader;
use super::pages::MANIFEST;
use super::{Rules, Variant, embedded, embedded_games};
use crate::error::{Error, Problems, Result};

/// The most bytes of all variants of a game.
const LARGEST_VARIANTS: usize = 16 << 20;

/// The most variants of a game.
const MOST_VARIANTS: usize = 1000;

/// The game or variant that a path lies in.
pub(super) fn find(path: &Path, reader: &Reader) -> Result<Rules> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match nearest(&absolute) {
        Some(folder) => of_folder(&folder, reader),
        None => Err(Error::unknown(
            "files::missing",
            format!(
                "there is no {MANIFEST} in `{}` or any folder around it; a game is a folder with a manifest",
                reader.shown(path)
            ),
        )),
    }
}

/// The nearest folder with a manifest, from a path upward.
pub(super) fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|folder| folder.join(MANIFEST).is_file()).map(Path::to_owned)
}

fn manifest_of(folder: &Path, reader: &Reader) -> Option<Manifest> {
    let real = folder.canonicalize().ok()?;
    Manifest::read(&reader.read_inside(&real, &folder.join(MANIFEST)).ok()?).ok()
}

fn of_folder(folder: &Path, reader: &Reader) -> Result<Rules> {
    let Some(Manifest::Variant(variant)) = manifest_of(folder, reader) else {
        return Ok(game(folder, reader));
    };
    // Two up, `<game>/variants/<variant>`, or else any game around it, or one inside the program: the one that its
    // manifest names, and only if there is none the one around it.
    let name_of = |around: &Path| match manifest_of(around, reader) {
        Some(Manifest::Game(game)) => Some(game.name),
        Some(Manifest::Variant(_)) | None => None,
    };
    let games = || folder.ancestors().skip(1).filter_map(|around| Some((around, name_of(around)?)));
    let named = games().find(|(_, name)| *name == variant.game);
    let inside = super::embedded_game(&variant.game).filter(|_| named.is_none());
    let around = named.or_else(|| games().next().filter(|_| inside.is_none())).map(|(around, _)| around);
    let mut rules = match (around, inside) {
        (Some(around), _) => game(around, reader),
        (None, Some(inside)) => embedded::rules(&inside),
        (None, None) => return Err(game_missing(&variant.game)),
    };
    rules.reader = reader.clone();
    let real = folder.canonicalize().ok();
    let key = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let known = around.is_some_and(|game| folder.parent() == Some(&game.join("variants")) || real.is_none());
    rules.inside = rules.variants.iter().position(|other| known && other.key == key);
    if rules.inside.is_none() {
        rules.inside = Some(add(&mut rules, folder, &key));
    }
    Ok(rules)
}

/// What is said where the game that a variant names is nowhere.
fn game_missing(name: &str) -> Error {
    let games = embedded_games();
    let message = format!("the game `{name}` of this variant was not found");
    let diagnostic = Diagnostic::global("files::missing", message);
    let diagnostic = match near_miss(name, games.iter().map(|game| game.name.as_str())) {
        Some(near) => {
            diagnostic.help(format!("{} The variant's blazon.ron names its game", did_you_mean(near)))
        }
        None => diagnostic.help("put the variant's folder into the folder `variants` of its game"),
    };
    Problems { diagnostics: vec![diagnostic], ..Problems::default() }.into()
}

/// A game with the variants in its folder.
fn game(folder: &Path, reader: &Reader) -> Rules {
    let (game, diagnostics) = reader.read(folder);
    let mut rules = Rules::new(game, embedded::library());
    rules.root = Some(folder.to_owned());
    rules.diagnostics = diagnostics;
    rules.reader = reader.clone();
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let entries = folder.join("variants").read_dir().into_iter().flatten().filter_map(|entry| entry.ok());
    let mut variants: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join(MANIFEST).is_file()).collect();
    variants.sort();
    let mut bytes = 0;
    for variant in variants {
        let more = match (bytes > LARGEST_VARIANTS, rules.variants.len() >= MOST_VARIANTS) {
            (true, _) => Some(format!(
                "the variants of `{}` have more than {} MB in all",
                reader.shown(folder),
                LARGEST_VARIANTS >> 20
            )),
            (false, true) => {
                Some(format!("`{}` has more than {MOST_VARIANTS} variants", reader.shown(folder)))
            }
            (false, false) => None,
        };
        if let Some(more) = more {
            let message = format!("{more}; the others are not read");
            rules.diagnostics.push(Diagnostic::global("files::unreadable", message));
            break;
        }
        if let Err(outside) = reader.inside(&real, &variant) {
            rules.diagnostics.push(*outside);
            continue;
        }
        let key = variant.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let place = add(&mut rules, &variant, &key);
        bytes += size(&rules.variants[place].folder);
    }
    rules
}

/// The bytes of a folder's texts.
fn size(folder: &Folder) -> usize {
    let pages = folder.pages.iter().chain(&folder.tests).chain(&folder.data).chain(&folder.manifest);
    pages.map(|page| page.text.len()).sum()
}

/// Reads one more variant; answers its place.
fn add(rules: &mut Rules, folder: &Path, key: &str) -> usize {
    let (pages, diagnostics) = rules.reader.read(folder);
    let root = folder.canonicalize().ok();
    rules.variants.push(Variant { root, ..Variant::new(key, pages, diagnostics) });
    rules.variants.len() - 1
}

/// The game that a variant in the folder that a name means as a path is for. None if there is no such folder, or if the
/// game around the current folder is the one.
///
/// # Errors
/// If the variant's game is nowhere.
pub(super) fn game_of_variant(name: &str, reader: &Reader) -> Result<Option<Rules>> {
    let Ok(path) = std::path::absolute(name) else { return Ok(None) };
    let Some(folder) = nearest(&path).filter(|_| path.exists()) else { return Ok(None) };
    let Some(Manifest::Variant(variant)) = manifest_of(&folder, reader) else { return Ok(None) };
    let here = std::env::current_dir().ok().and_then(|here| nearest(&here));
    let is_here = here.and_then(|here| manifest_of(&here, reader)).is_some_and(|here| match here {
        Manifest::Game(game) => game.name == variant.game,
        Manifest::Variant(other) => other.game == variant.game,
    });
    if is_here { Ok(None) } else { of_folder(&folder, reader).map(Some) }
}

/// Reads the variant in the folder that a name means as a path, if there is something of that name; answers its place.
///
/// # Errors
/// If the path lies in no folder with a manifest.
pub(super) fn add_named(rules: &mut Rules, name: &str) -> Result<Option<usize>> {
    if !Path::new(name).exists() {
        return Ok(None);
    }
    let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
    let Some(folder) = nearest(&path) else {
        let message = format!("there is no {MANIFEST} in `{}`", rules.reader.shown(&path));
        return Err(Error::unknown("files::missing", message));
    };
    // One that is there already is not read again.
    let real = folder.canonicalize().ok();
    if let Some(place) = rules.variants.iter().position(|other| real.is_some() && other.root == real) {
        return Ok(Some(place));
    }
    let key = folder.file_name().map(|key| key.to_string_lossy().into_owned());
    Ok(Some(add(rules, &folder, &key.unwrap_or_default())))
}
