//! The games of the repository from outside: every one, and every variant of it, is checked without a warning, and all
//! the tests that stand in its rules text pass, each by the rulings that it asks for; those of the game on its variants,
//! too, and on stacks of them. Of those, which take minutes, the ordinary run takes one variant of each game and one
//! stack, and it checks each ruling's other values in the games alone; `BLAZON_ALL=1` takes all, and so does `.ci/run`.

use std::path::{Path, PathBuf};
use std::process::Command;

use blazon_fixtures::{takes_all, tries};

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
fn every_game_and_variant_is_checked_without_a_warning_by_each_ruling() {
    for game in games() {
        if takes_all() {
            blazon(&["check", "--all", "--readings", "--deny", "warnings"], &game);
        } else {
            blazon(&["check", "--all", "--deny", "warnings"], &game);
            blazon(&["check", "--readings", "--deny", "warnings"], &game);
        }
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

/// The names of the variants of a game.
fn variants(game: &Path) -> Vec<String> {
    let Ok(entries) = game.join("variants").read_dir() else { return Vec::new() };
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The tests that fail where a game's own tests, and those of its variants, run on a stack of variants; and what else
/// was said.
fn failing(game: &Path, stack: &[&str]) -> (Vec<String>, String) {
    let asked = stack.iter().flat_map(|variant| ["-V", variant]);
    let output = Command::new(env!("CARGO_BIN_EXE_blazon"))
        .arg("test")
        .arg(game)
        .args(asked)
        .output()
        .expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = told.lines().last().unwrap_or_default();
    assert!(last.contains(" passed, "), "{stack:?}: {told}{}", String::from_utf8_lossy(&output.stderr));
    let failed = told.lines().filter_map(|line| line.strip_prefix("FAIL "));
    let names = failed.map(|line| line.split("  ").next().unwrap_or_default().to_owned());
    (names.collect(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Every variant says which tests of its game it means to change, and those only.
#[test]
fn on_each_variant_the_tests_of_its_game_pass_but_those_it_means_to_change() {
    for game in games() {
        let most = tries(1, usize::MAX);
        for variant in variants(&game).into_iter().take(most) {
            let (failed, said) = failing(&game, &[&variant]);
            assert_eq!((failed, said.as_str()), (Vec::new(), ""), "{variant}");
        }
    }
}

/// Stacks of variants with the tests that fail on them. What a variant's own test shows of the printed game, another
/// variant may change; no variant can say so of one that it does not know.
const STACKS: &[(&str, &[&str], &[&str])] = &[
    ("richard-iii", &["commission", "welsh-hills"], &[]),
    ("richard-iii", &["faithless", "long-war", "open-faces"], &[]),
    ("richard-iii", &["devonshire", "wandering-shield"], &[]),
    // Nobody is made whole in a hard winter, before the events or after.
    (
        "richard-iii",
        &["hard-winter", "historical-events"],
        &["the events come when the blocks have stood up and the Rebel has changed sides"],
    ),
    // His shield stands in the hills.
    (
        "richard-iii",
        &["long-retreats", "welsh-hills", "thornbury"],
        &["Thornbury hits with 3 where his shield is"],
    ),
    ("richard-iii", &["commons-rise", "field-guns", "winter-quarters"], &[]),
    ("richard-iii", &["steadfast", "open-faces", "long-war", "commission"], &[]),
    ("richard-iii", &["thornbury", "historical-events", "winter-quarters"], &[]),
    ("lionheart", &["all-castles", "chalus-1733"], &[]),
    // Limoges is a stronghold of the Limousin, too.
    ("lionheart", &["all-castles", "chalus-1733", "limoges"], &["Chalus stands in 1733"]),
];

#[test]
fn on_stacks_of_variants_only_the_tests_fail_that_are_known_to() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let most = tries(1, STACKS.len());
    for (game, stack, known) in STACKS.iter().take(most) {
        let (failed, _) = failing(&rules.join(game), stack);
        assert_eq!(failed, *known, "{game} {stack:?}");
    }
}
