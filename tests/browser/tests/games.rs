//! Whole random games in a real browser, by clicking only what is lit.

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

#[tokio::test(flavor = "multi_thread")]
async fn the_smallest_game_is_played_by_clicks() {
    let browser = Browser::start(1440, 900).await;
    whole(&browser, "salt-road", &[], 7).await;
    browser.close().await;
}
