//! A stack of variants is a set: so are those that come with the games. (Random changes of a small game are stacked in
//! the checker's own tests.)

use blazon_check::{Settings, check, print};
use blazon_fixtures::tries;
use blazon_tests::{parsed, rules_only, top};

/// What is said of a stack, and its flat book.
fn outcome(game: &str, variants: &[&str]) -> (Vec<(&'static str, String)>, Vec<String>) {
    let parsed = parsed(&rules_only(game, variants));
    let said = check(&parsed, &Settings::default()).diagnostics;
    let lines = print::print(&parsed).into_iter().map(|line| line.text).collect();
    (said.into_iter().map(|diagnostic| (diagnostic.code, diagnostic.message)).collect(), lines)
}

/// Every two of the variants that come with a game, or every fourth such pair: the order of asking decides nothing.
#[test]
fn shipped_variants_agree_or_are_told() {
    for game in ["richard-iii", "lionheart"] {
        let folder = top().join("rules").join(game).join("variants");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .expect("variants")
            .map(|entry| entry.expect("a folder").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        for (place, a) in names.iter().enumerate() {
            for b in names[place + 1..].iter().step_by(tries(4, 1)) {
                assert_eq!(outcome(game, &[a, b]), outcome(game, &[b, a]), "{a} and {b}");
            }
        }
    }
}
