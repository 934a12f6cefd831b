//! Whole random games in a real browser, by clicking only what is lit: every game inside the program. A game of a thousand
//! hexes takes minutes to draw so often, so of it only the first clicks are played; `BLAZON_WHOLE=1` plays it to its end.

use blazon_browser_tests::{Browser, Table};

/// Plays a game to its end, or so many clicks of it; nothing may go wrong on the way.
async fn play(game: &str, most: Option<u32>) {
    let browser = Browser::start(1440, 900).await;
    let table = Table::open(game, &[]);
    let most = most.filter(|_| std::env::var_os("BLAZON_WHOLE").is_none());
    let played = browser.play(&table.link, 7, most.unwrap_or(60_000)).await;
    println!("{game}: {} clicks, {} covered, {}", played.clicks, played.covered, played.over);
    assert_eq!(played.problems, Vec::<String>::new(), "{game} after {} clicks", played.clicks);
    match most {
        Some(most) => assert!(played.clicks == most || !played.over.is_empty(), "{game} stopped"),
        None => assert!(!played.over.is_empty(), "{game} did not end"),
    }
    assert!(!table.kept().is_empty(), "{game}: nothing was kept");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_points_is_played_by_clicks() {
    play("salt-road", None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_areas_is_played_by_clicks() {
    play("richard-iii", None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_hexes_is_played_by_clicks() {
    play("lionheart", Some(150)).await;
}
