//! Games by keyboard alone: real strokes of Tab, arrows, Enter and Escape. The focus is never lost, and the log is the
//! machine's.

use blazon_browser_tests::{Browser, Keyboard, TALL, Tables, WIDE, lines};
use fantoccini::Locator;
use fantoccini::key::Key;

const SEED: u64 = 7;
/// More steps than any of these games needs.
const MOST: u32 = 600;

/// Plays until a page's log says something of its own seat.
async fn play(game: &str, seat: usize, until: &str) {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open(game, SEED);
    let laid = tables.lay(&browser, &[], seat).await;
    let mut keyboard = Keyboard::new(&browser, SEED);
    let until = until.replace("{seat}", &laid.seat);
    let mut steps = 0;
    while !browser.log().await.iter().any(|line| line.starts_with(&until)) {
        assert!(steps < MOST, "{game}: no `{until}` after {steps} steps");
        keyboard.step().await;
        steps += 1;
    }
    println!("{game} as {}: {steps} steps, {} strokes", laid.seat, keyboard.strokes);
    // The game may go on with what others do: the page is compared once it stands still.
    keyboard.ready().await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_game_is_played_to_its_end() {
    play("salt-road", 0, "over: ").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_many_choices_is_played() {
    play("richard-iii", 0, "chosen: {seat}: End the action phase").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn escape_is_a_step_back() {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open("salt-road", SEED);
    tables.lay(&browser, &[], 0).await;
    let mut keyboard = Keyboard::new(&browser, SEED);
    let mut look = keyboard.ready().await;
    while look.picked == 0 {
        assert!(!look.over, "nothing was ever picked");
        look = keyboard.step().await;
    }
    keyboard.press(Key::Escape).await;
    while keyboard.look().await.picked == look.picked {
        // The first closes what was open over the page.
        keyboard.press(Key::Escape).await;
    }
    assert_eq!(keyboard.look().await.picked, look.picked - 1);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_cover_no_key_does_anything() {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open("salt-road", SEED);
    let page = &browser.page;
    page.goto(&tables.front).await.expect("a lobby");
    for select in page.find_all(Locator::Css("#new select[name^='seat.']")).await.expect("a form") {
        select.select_by_value("mine").await.expect("a seat of one's own");
    }
    browser.click("#new button.go").await;
    // What can be taken back when the other is asked.
    let click = "document.querySelector('#decision:not([aria-busy]) :is(.verb.do, .verb.end, .opts .to)')?.click() ?? 0";
    browser.until("document.querySelector('#tabs')").await;
    while !browser.run::<bool>("return !!document.querySelector('#cover')").await {
        let _: Option<u32> = browser.run(click).await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let posts = "const ask = fetch; window.told = []; window.fetch = (to, how) => { told.push(String(to)); return ask(to, how) }";
    let _: Option<bool> = browser.run(posts).await;
    for key in ['u', '1', 'b', '?'] {
        browser.press(key).await;
    }
    assert_eq!(browser.run::<Vec<String>>("return told").await, Vec::<String>::new());
    // A page that is loaded meanwhile shows nothing before its cover, and the button gives the screen to the other.
    page.refresh().await.expect("the page again");
    browser.until("document.activeElement.closest('#cover')").await;
    assert!(!browser.run::<bool>("return document.body.classList.contains('passing')").await);
    browser.click("#cover button").await;
    browser.until("document.querySelector('#decision .opts .to, #decision .verb.do') && !document.querySelector('#cover')").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn digits_stay_until_the_button_is_up() {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open("richard-iii", SEED);
    tables.lay(&browser, &[], 0).await;
    browser.until("document.querySelector('#decision .opts .to')").await;
    browser.press('\u{e00c}').await;
    browser.until("document.body.classList.contains('keys')").await;
    let _: Option<bool> = browser
        .run("addEventListener('pointerup', () => (window.had = document.body.classList.contains('keys')))")
        .await;
    browser.click("#decision .opts .to").await;
    browser.until("window.had && !document.body.classList.contains('keys')").await;
    browser.close().await;
}

/// The digits on the page, as one text.
const DIGITS: &str =
    "return [...document.querySelectorAll('[data-digit]')].map((e) => e.dataset.digit).sort().join('')";

#[tokio::test(flavor = "multi_thread")]
async fn a_digit_stands_on_one_thing_also_after_a_search() {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open("richard-iii", SEED);
    let laid = tables.lay(&browser, &[], 0).await;
    let mut keyboard = Keyboard::new(&browser, SEED);
    // Until more is open than there are digits, and something ends it.
    while !browser.run::<bool>("return document.querySelectorAll('#decision :is(.verbs button, .opts .to)').length > 9 && !!document.querySelector('#decision .verb.end')").await {
        keyboard.step().await;
    }
    assert_eq!(browser.run::<String>(DIGITS).await, "123456789", "{}", laid.seat);
    let search = |text: &str| {
        format!(
            "const find = document.querySelector('#find'); find.value = '{text}'; find.dispatchEvent(new Event('input')); return null"
        )
    };
    browser.run::<Option<bool>>(&search("nothing is called so")).await;
    browser.until("document.querySelector('#decision .verb.end[data-digit]')").await;
    browser.run::<Option<bool>>(&search("")).await;
    browser.until("document.querySelectorAll('#decision .opts .to').length > 3").await;
    assert_eq!(browser.run::<String>(DIGITS).await, "123456789");
    browser.close().await;
}
