//! Whole random games in a real browser, by clicking only what is lit: every game inside the program, each with all its
//! variants in turn, and a game as `blazon new game` begins it.

use blazon_browser_tests::{Browser, Table};

/// Plays a game to its end; nothing may go wrong on the way.
async fn whole(browser: &Browser, game: &str, variants: &[&str], seed: u64) {
    let table = Table::open(game, variants);
    let played = browser.play(&table.link, seed, 60_000).await;
    println!("{game} {variants:?}: {} clicks, {} covered, {}", played.clicks, played.covered, played.over);
    assert_eq!(played.problems, Vec::<String>::new(), "{game} {variants:?} after {} clicks", played.clicks);
    assert!(!played.over.is_empty(), "{game} {variants:?} did not end");
    assert!(!table.kept().is_empty());
}

/// A game inside the program, alone.
async fn alone(game: &str) {
    let browser = Browser::start(1440, 900).await;
    whole(&browser, game, &[], 7).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_points_is_played_by_clicks() {
    alone("salt-road").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_areas_is_played_by_clicks() {
    alone("richard-iii").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_hexes_is_played_by_clicks() {
    alone("lionheart").await;
}
