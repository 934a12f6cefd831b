//! More than one page, a page that is old, a page that is loaded again, a server that is away for a while.

use blazon_browser_tests::{Browser, Laid, TALL, Tables, WIDE, lines};

const SEED: u64 = 7;
/// What the prompt and the log say; what is picked is each page's own.
const FACE: &str =
    "return [...document.querySelectorAll('#prompt, #log ol')].map((e) => e.textContent).join('|')";
/// Something can be picked, and nothing is under way.
const ASKED: &str = "!document.querySelector('#decision[aria-busy]') && document.querySelector('#pieces .can, #reach .to, #hand .can, #trays .can, #scene .can, #decision :is(.verb.do, .verb.end, .opts .to, .opts .go, .verbs .verb:not(.none))')";

async fn begin(game: &str) -> (Browser, Tables, Laid) {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open(game, SEED);
    let laid = tables.lay(&browser, &[], 0).await;
    (browser, tables, laid)
}

/// Plays so many clicks; nothing goes wrong.
async fn play(browser: &Browser, clicks: u32) {
    let played = browser.play(SEED, clicks).await;
    assert_eq!(played.problems, Vec::<String>::new());
    browser.until(ASKED).await;
}

async fn face(browser: &Browser) -> String {
    browser.run(FACE).await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_of_a_seat_follow_each_other() {
    let (browser, tables, laid) = begin("salt-road").await;
    let page = &browser.page;
    let first = page.window().await.expect("a tab");
    let second = page.new_window(true).await.expect("another tab").handle;
    page.switch_to_window(second.clone()).await.expect("another tab");
    page.goto(&laid.url).await.expect("the table");
    browser.until(ASKED).await;
    for tab in [&first, &second, &first] {
        page.switch_to_window(tab.clone()).await.expect("a tab");
        play(&browser, 10).await;
        let (shows, other) = (face(&browser).await, if *tab == first { &second } else { &first });
        page.switch_to_window(other.clone()).await.expect("a tab");
        browser.until(&format!("(() => {{ {FACE} }})() === {}", serde_json::json!(shows))).await;
    }
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_page_is_told_what_is_asked_now() {
    let (browser, tables, laid) = begin("salt-road").await;
    let page = &browser.page;
    play(&browser, 6).await;
    let old = page.window().await.expect("a tab");
    // A page that hears nothing any more.
    let deaf = "const ask = fetch; window.fetch = (to, how) => String(to).startsWith('update') ? new Promise(() => {}) : ask(to, how)";
    let _: Option<bool> = browser.run(deaf).await;
    let second = page.new_window(true).await.expect("another tab").handle;
    page.switch_to_window(second).await.expect("another tab");
    page.goto(&laid.url).await.expect("the table");
    browser.until(ASKED).await;
    let kept = laid.kept().len();
    while laid.kept().len() == kept {
        play(&browser, 1).await;
    }
    let (now, kept) = (face(&browser).await, laid.kept());
    page.switch_to_window(old).await.expect("a tab");
    assert_ne!(face(&browser).await, now);
    for _ in 0..20 {
        browser.play(SEED, 1).await;
        if browser.run("return !!document.querySelector('#pass.bad')").await {
            break;
        }
    }
    let said: String = browser.run("return document.querySelector('#pass.bad')?.textContent ?? ''").await;
    assert_eq!(said, "that was asked before; this is what is asked now");
    assert_eq!((face(&browser).await, laid.kept()), (now, kept), "what was clicked there is not done");
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_loaded_again_goes_on() {
    let (browser, tables, laid) = begin("richard-iii").await;
    for _ in 0..3 {
        play(&browser, 12).await;
        let log = browser.log().await;
        browser.page.refresh().await.expect("the page again");
        browser.until(ASKED).await;
        assert_eq!(browser.log().await, log);
    }
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_away_is_found_again() {
    let (browser, mut tables, laid) = begin("salt-road").await;
    play(&browser, 8).await;
    let before = face(&browser).await;
    tables.stop();
    browser.until("document.body.classList.contains('lost')").await;
    assert_eq!(face(&browser).await, before, "what was to be seen is still there");
    tables.start_again(SEED);
    browser.until("!document.body.classList.contains('lost')").await;
    // A click before the page has heard what is asked now is told so, and does nothing.
    browser.play(SEED, 1).await;
    browser.until(ASKED).await;
    play(&browser, 30).await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}
