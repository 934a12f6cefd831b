//! The games of this repository are lowered and sound, alone and with each of their variants.

#[path = "common/load.rs"]
#[allow(dead_code)]
mod load;

use std::path::{Path, PathBuf};

fn folders(path: &Path) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(path) else { return Vec::new() };
    let mut all: Vec<PathBuf> =
        read.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    all.sort();
    all
}

fn is_sound(game: &Path, variants: &[PathBuf]) {
    let book = load::load(game, variants).unwrap_or_else(|message| panic!("{}: {message}", game.display()));
    let program = blazon_program::lower(book).unwrap_or_else(|found| panic!("{}: {found:?}", game.display()));
    assert_eq!(blazon_program::verify(&program), Ok(()), "{} {variants:?}", game.display());
    assert!(!program.listing().is_empty());
}

#[test]
fn all_games_are_sound() {
    for game in folders(&load::root().join("rules")) {
        is_sound(&game, &[]);
        for variant in folders(&game.join("variants")) {
            is_sound(&game, &[variant]);
        }
    }
}
