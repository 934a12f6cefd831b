//! Random games of every scenario, of the variant with a table of events, and of random stacks of variants under random
//! rulings: each comes to a proper end, and after every decision the invariants of the rules hold.

use blazon_check::Settings;
use blazon_tests::games::{End, play_many, play_random_settings};
use blazon_tests::{parsed, program, rules_only};

/// A thousand games of a scenario.
fn thousand(name: &str, variants: &[&str]) {
    let settings = Settings { setup: Some(name.to_owned()), invariants: true, ..Settings::default() };
    let program = program(&parsed(&rules_only("richard-iii", variants)), &settings);
    play_many(&program, 1000, End::HasWinner, || |_| Ok(()));
}

#[test]
fn a_thousand_games_of_kingmaker() {
    thousand("Kingmaker", &[]);
}

#[test]
fn a_thousand_games_of_1483() {
    thousand("1483", &[]);
}

#[test]
fn a_thousand_games_with_historical_events() {
    thousand("1460", &["historical-events"]);
}

#[test]
fn games_with_random_rulings_and_variants() {
    play_random_settings("richard-iii", 40, 15, End::HasWinner, |_| |_| Ok(()));
}
