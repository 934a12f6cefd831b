//! The games of the repository from outside: every one, and every variant of it, is checked without a warning, and all
//! the tests that stand in its rules text pass, each by the rulings that it asks for.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of the games.
fn games() -> Vec<PathBuf> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let entries = rules.read_dir().expect("the rules are there");
    let folders = entries.map(|entry| entry.expect("an entry").path());
    let mut games: Vec<PathBuf> = folders.filter(|folder| folder.join("blazon.ron").is_file()).collect();
    games.sort();
    assert!(games.len() >= 3, "{games:?}");
    games
}

/// Runs the program on a game; answers what it says when all is well.
fn blazon(words: &[&str], game: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_blazon"))
        .arg(words[0])
        .arg(game)
        .args(&words[1..])
        .output()
        .expect("the binary runs");
    let told =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{words:?} {}:\n{told}", game.display());
    told
}

#[test]
fn every_game_and_variant_is_checked_without_a_warning() {
    for game in games() {
        blazon(&["check", "--all", "--deny", "warnings"], &game);
    }
}

#[test]
fn every_test_of_every_game_and_variant_passes() {
    for game in games() {
        let told = blazon(&["test"], &game);
        let closing = told.lines().last().unwrap_or_default();
        let passed = closing.strip_suffix(" passed, 0 failed").and_then(|count| count.parse::<usize>().ok());
        assert!(passed.is_some_and(|passed| passed > 0), "{}: {closing}", game.display());
    }
}
