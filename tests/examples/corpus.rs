//! Plays games by programs and keeps each as a saved game, to be replayed under changed rules:
//!
//! ```sh
//! cargo run -p blazon-tests --example corpus -- richard-iii games 500
//! blazon replay games --game rules/richard-iii -V steadfast
//! ```
//!
//! Every fourth game is played by a program that looks ahead, the others by chance. The same number gives the same games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use blazon::Settings;
use blazon_tests::corpus::save_games;
use blazon_tests::{parsed, program, rules_only};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, folder, count] = &words[..] else {
        eprintln!("corpus GAME FOLDER COUNT");
        return ExitCode::from(2);
    };
    let Ok(count) = count.parse() else {
        eprintln!("`{count}` is not a number");
        return ExitCode::from(2);
    };
    let program = program(&parsed(&rules_only(game, &[])), &Settings::default());
    match save_games(&program, &PathBuf::from(folder), count) {
        Ok(choices) => {
            println!("{count} games of {choices} choices are saved in {}", Path::new(folder).display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
