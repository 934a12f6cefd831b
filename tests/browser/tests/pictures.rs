//! Pictures of the board, as the README shows them. They are looked at by people: here only that each can be taken, and
//! that what it should show is on the page. `BLESS=1` writes them into `tests/browser/pictures`.

use blazon_browser_tests::{Browser, TALL, Tables, WIDE};
use fantoccini::Locator;

/// Takes a picture of a table after some clicks of a random player.
async fn picture(browser: &Browser, game: &str, seed: u64, clicks: u32, name: &str) {
    let tables = Tables::open(game, seed);
    tables.lay(browser, &[], 0).await;
    let played = browser.play(seed, clicks).await;
    assert_eq!(played.problems, Vec::<String>::new(), "{game}");
    for what in ["#board .place", "#pieces .piece", "#decision h1", "#log li"] {
        let found = browser.page.find_all(Locator::Css(what)).await.expect("a page");
        assert!(!found.is_empty(), "{game} shows no {what}");
    }
    let png = browser.page.screenshot().await.expect("a picture");
    if std::env::var_os("BLESS").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/pictures");
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(format!("{folder}/{name}.png"), png).expect("a file");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pictures_of_the_readme_can_be_taken() {
    let browser = Browser::start(WIDE, TALL).await;
    picture(&browser, "richard-iii", 3, 40, "areas").await;
    picture(&browser, "lionheart", 3, 30, "hexes").await;
    picture(&browser, "salt-road", 3, 20, "points").await;
    browser.close().await;
}
