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
    // After a while it is told in large letters, and nothing looks as if it could be pressed.
    browser.until("document.querySelector('#away')").await;
    assert!(browser.run::<bool>("return document.querySelector('#decision').inert && !document.querySelector('#board .can, #reach .to')").await);
    tables.start_again(SEED);
    browser.until("!document.body.classList.contains('lost')").await;
    assert!(
        browser
            .run::<bool>(
                "return !document.querySelector('#away') && !document.querySelector('#decision').inert"
            )
            .await
    );
    // A click before the page has heard what is asked now is told so, and does nothing.
    browser.play(SEED, 1).await;
    browser.until(ASKED).await;
    play(&browser, 30).await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_begins_at_its_end_and_names_on_the_board_are_plain() {
    let (browser, _tables, _) = begin("richard-iii").await;
    play(&browser, 30).await;
    browser.page.refresh().await.expect("the page again");
    browser.until(ASKED).await;
    browser.until("(() => { const log = document.querySelector('#log ol'); return log.clientHeight > 0 && log.scrollHeight - log.clientHeight > 50 && log.scrollHeight - log.scrollTop - log.clientHeight < 2 })()").await;
    let lines: Vec<String> = browser.run("return [...document.querySelectorAll('#board g')].map((group) => getComputedStyle(group).textDecorationLine)").await;
    assert!(lines.len() > 50 && lines.iter().all(|line| line == "none"), "{lines:?}");
    browser.close().await;
}

/// What stands in the line that passes.
const TOLD: &str = "return document.querySelector('#pass')?.textContent ?? ''";
/// A server whose answers to choices never come, though it takes them.
const MUTE: &str = "const ask = fetch; window.fetch = (to, how) => String(to).startsWith('choose') ? ask(to, how).then(() => Promise.reject(new TypeError('gone'))) : ask(to, how)";

#[tokio::test(flavor = "multi_thread")]
async fn more_tabs_than_a_browser_has_connections_are_played_in() {
    let (browser, tables, laid) = begin("salt-road").await;
    let page = &browser.page;
    for _ in 0..8 {
        let tab = page.new_window(true).await.expect("another tab").handle;
        page.switch_to_window(tab).await.expect("another tab");
        page.goto(&laid.url).await.expect("the table");
        browser.until(ASKED).await;
    }
    play(&browser, 6).await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_not_seen_hears_what_is_new_when_it_is() {
    let (browser, tables, laid) = begin("salt-road").await;
    let page = &browser.page;
    let streams = "const Stream = EventSource; window.streams = []; window.EventSource = class extends Stream { constructor(to) { super(to); streams.push(this) } }";
    let seen = |hidden: bool| {
        format!(
            "Object.defineProperty(document, 'hidden', {{ configurable: true, value: {hidden} }}); document.dispatchEvent(new Event('visibilitychange'))"
        )
    };
    let opened = "streams.filter((stream) => stream.readyState !== EventSource.CLOSED).length";
    let _: Option<bool> = browser.run(&format!("{streams}; {}", seen(false))).await;
    browser.until(&format!("{opened} === 1")).await;
    let _: Option<bool> = browser.run(&seen(true)).await;
    browser.until(&format!("{opened} === 0")).await;
    let first = page.window().await.expect("a tab");
    let second = page.new_window(true).await.expect("another tab").handle;
    page.switch_to_window(second).await.expect("another tab");
    page.goto(&laid.url).await.expect("the table");
    play(&browser, 8).await;
    let shows = face(&browser).await;
    page.switch_to_window(first).await.expect("a tab");
    let _: Option<bool> = browser.run(&seen(false)).await;
    browser.until(&format!("(() => {{ {FACE} }})() === {}", serde_json::json!(shows))).await;
    browser.until(&format!("{opened} === 1")).await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_whose_answer_is_lost_is_told_and_made_once() {
    let (browser, tables, laid) = begin("salt-road").await;
    play(&browser, 6).await;
    let _: Option<bool> = browser.run(MUTE).await;
    let kept = laid.kept().len();
    for _ in 0..20 {
        browser.play(SEED, 1).await;
        if laid.kept().len() > kept {
            break;
        }
    }
    browser.until("document.querySelector('#pass.bad')").await;
    let told: String = browser.run(TOLD).await;
    assert_eq!(told, "The server does not answer. What it has taken is shown as soon as it does.");
    // The page asks what came of it, and shows that.
    browser.until(ASKED).await;
    browser
        .until(&format!("document.querySelectorAll('#log li').length === {}", lines(&tables, &laid).len()))
        .await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_that_takes_long_is_seen_to_be_under_way() {
    let (browser, tables, laid) = begin("salt-road").await;
    let slow = "const ask = fetch; window.fetch = async (to, how) => { if (String(to).startsWith('choose')) await new Promise((go) => (window.go = go)); return ask(to, how) }";
    let _: Option<bool> = browser.run(slow).await;
    let click = "document.querySelector('#decision :is(.verb.do, .verb.end, .opts .to)')?.click() ?? 0";
    while !browser.run::<bool>("return !!window.go").await {
        let _: Option<u32> = browser.run(click).await;
    }
    browser
        .until("document.querySelector('#pass')?.textContent === 'Sent; the server has not answered yet.'")
        .await;
    // What is clicked meanwhile is not chosen.
    let _: Option<u32> = browser.run(click).await;
    let _: Option<u32> = browser.run("window.go()").await;
    browser.until("!document.querySelector('#decision[aria-busy]')").await;
    assert!(!browser.run::<String>(TOLD).await.contains("has not answered"));
    browser.until(ASKED).await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_table_has_gone_is_told_so() {
    let (browser, mut tables, _) = begin("salt-road").await;
    tables.stop();
    tables.forget();
    tables.start_again(SEED);
    browser.until("document.querySelector('#pass')?.textContent === 'there is no such table here'").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_bots_do_is_seen_step_by_step_and_can_be_skipped() {
    let (browser, tables, laid) = begin("richard-iii").await;
    browser.show_as("", Some(("prefers-reduced-motion", "no-preference")));
    // Which lines are added, and when: none is ever told again.
    let watch = "window.added = []; new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(() => added.push(performance.now())))) \
                 .observe(document.querySelector('#log ol'), { childList: true })";
    let _: Option<bool> = browser.run(watch).await;
    let lines_of = "document.querySelectorAll('#log li').length";
    let before: usize = browser.run(&format!("return {lines_of}")).await;
    let idle = "!document.querySelector('#decision[aria-busy], [data-k=skip]') && document.querySelector('#decision :is(.verb.end, .opts .to, .verb.do)')";
    let press = "document.querySelector('#decision :is(.verb.end, .opts .to, .verb.do)').click()";
    let mut waited = 0;
    for turn in 0..24 {
        browser.until(idle).await;
        let _: Option<bool> = browser.run(press).await;
        let begun = std::time::Instant::now();
        while begun.elapsed() < std::time::Duration::from_millis(500) {
            if browser.run::<bool>("return !!document.querySelector('[data-k=skip]')").await {
                waited += 1;
                if turn % 2 == 0 {
                    browser.press('\u{e00c}').await;
                    browser.until("!document.querySelector('[data-k=skip]')").await;
                }
                break;
            }
        }
    }
    assert!(waited > 3, "{waited} lines of play");
    browser.until(idle).await;
    assert_eq!(browser.log().await, lines(&tables, &laid));
    let (now, added): (usize, usize) = browser.run(&format!("return [{lines_of}, added.length]")).await;
    assert_eq!(now - before, added, "a line is told once");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_the_log_goes_on_reading() {
    let (browser, _tables, _) = begin("richard-iii").await;
    play(&browser, 30).await;
    let list = "const log = document.querySelector('#log ol')";
    let _: Option<bool> = browser.run(&format!("{list}; log.scrollTo(0, 20)")).await;
    browser.until("document.querySelector('#log ol').scrollTop === 20").await;
    let lines = "document.querySelectorAll('#log li').length";
    let before: u32 = browser.run(&format!("return {lines}")).await;
    while browser.run::<u32>(&format!("return {lines}")).await <= before {
        play(&browser, 1).await;
    }
    let frames =
        "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done(0)))";
    browser.page.execute_async(frames, Vec::new()).await.expect("a frame");
    assert_eq!(browser.run::<f64>(&format!("{list}; return log.scrollTop")).await, 20.0);
    // Back at the end, what is new is seen again.
    let _: Option<bool> = browser.run(&format!("{list}; log.scrollTo(0, log.scrollHeight)")).await;
    let before: u32 = browser.run(&format!("return {lines}")).await;
    while browser.run::<u32>(&format!("return {lines}")).await <= before {
        play(&browser, 1).await;
    }
    browser.until("(() => { const log = document.querySelector('#log ol'); return log.scrollHeight - log.scrollTop - log.clientHeight < 2 })()").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_shows_whose_turn_it_is_by_its_title_and_its_icon() {
    let (browser, _tables, _) = begin("salt-road").await;
    browser.until(ASKED).await;
    let shows = "return `${document.title} ${document.querySelector('#icon').getAttribute('href')}`";
    let told: String = browser.run(shows).await;
    assert!(told.starts_with("● ") && told.ends_with("/web/turn.svg"), "{told}");
    let _: Option<bool> = browser.run("fetch('resign?' + new URLSearchParams({ seat: document.body.dataset.seat }), { method: 'POST', body: '{}' })").await;
    browser.until("document.querySelector('#prompt').textContent.includes('resigned')").await;
    let told: String = browser.run(shows).await;
    assert!(!told.contains("● ") && told.ends_with("/web/icon.svg"), "{told}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_says_who_plays_and_resigning_takes_more_than_enter() {
    let (browser, _tables, _) = begin("salt-road").await;
    browser.click("#menu").await;
    let item = |word: &str| {
        format!(
            "[...document.querySelectorAll('[role=menu] button')].find((b) => b.textContent === '{word}').click()"
        )
    };
    let _: Option<bool> = browser.run(&item("Who plays")).await;
    browser.until("document.querySelector('dialog select')").await;
    let told: Vec<String> = browser
        .run("return [...document.querySelectorAll('dialog select')].map((s) => `${s.selectedOptions[0].textContent} ${s.disabled}`)")
        .await;
    assert_eq!(told, ["you true", "a bot that moves without a thought false"]);
    let _: Option<bool> = browser.run("document.querySelector('dialog').close()").await;
    browser.click("#menu").await;
    let _: Option<bool> = browser.run(&item("The board as a list")).await;
    browser.until("document.querySelector('dialog .list li')").await;
    let told: Vec<String> = browser
        .run("return [...document.querySelectorAll('dialog li')].map((line) => line.textContent)")
        .await;
    let market = "Market: salt; salt";
    let ford = "Ford";
    let watch =
        "Saltmouth: salt; Harbour Watch, Coast, B3, strength 4 of 4; Ship's Gun, Coast, C4, strength 2 of 2";
    assert!([market, ford, watch].iter().all(|line| told.iter().any(|told| told == line)), "{told:?}");
    let _: Option<bool> = browser.run("document.querySelector('dialog').close()").await;
    // Where the whole game is told to nobody, that is said at the table.
    let refused = "const ask = fetch; window.fetch = (to, how) => String(to).startsWith('save') ? Promise.resolve(Response.json({ error: 'It is told to nobody.', code: 'serve::secret' }, { status: 403 })) : ask(to, how)";
    let _: Option<bool> = browser.run(refused).await;
    browser.click("#menu").await;
    let _: Option<bool> = browser.run(&item("Download the game")).await;
    browser.until(&format!("(() => {{ {TOLD} }})() === 'It is told to nobody.'")).await;
    browser.click("#menu").await;
    let _: Option<bool> = browser.run(&item("Resign")).await;
    browser.until("document.activeElement.closest('dialog')").await;
    assert_eq!(browser.run::<String>("return document.activeElement.textContent").await, "Cancel");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_over_offers_to_look_back_and_to_play_again() {
    let (browser, _tables, _) = begin("salt-road").await;
    let played = browser.play(SEED, 5000).await;
    assert!(!played.over.is_empty(), "{played:?}");
    browser.until("document.querySelector('#decision [data-k=replay]')").await;
    let told: Vec<String> = browser
        .run("return [document.querySelector('#prompt .par')?.textContent ?? '', document.querySelector('#decision .note').textContent, ...['replay', 'newGame', 'rematch'].map((k) => document.querySelector(`#decision [data-k=${k}]`)?.textContent ?? '')]")
        .await;
    assert!(told[0].starts_with("§ ") && told[1].is_empty(), "{told:?}");
    assert_eq!(told[2..], ["Look back", "New game", "Play again"]);
    browser.click("#decision [data-k=replay]").await;
    browser.until("document.querySelector('#replay')").await;
    browser.close().await;
}

/// A game of four hexes.
const HEXES: &str = "kind side = North, South
kind rider { fact side: side; state at: hex? }
table hex
  | name | number |
  | 0101 | 0101   |
  | 0201 | 0201   |
  | 0102 | 0102   |
  | 0202 | 0202   |
grid hexside by number, even columns low
table rider
  | name  | side  |
  | Scout | North |
setup Start (rider: at) { Scout: '0101' }
step game {
  while yes {
    choose by North \"Where to?\" {
      option ride(r in riders, to in r.at.neighbours) \"{r} rides to {to}\" { r.at := to }
      option rest \"Rest\" { stop }
    }
  }
}
";
/// How many of the hexes that can be reached have their outline where they are: what cuts it off at their edge, and is in the
/// coordinates of what it cuts, is moved by nothing, so that it lies where the outline does.
const OUTLINED: &str = "[...document.querySelectorAll('#reach [clip-path]')].filter((e) => { const cut = document.querySelector(e.getAttribute('clip-path').slice(4, -1)); const same = (a, b) => a.getAttribute('x') === b.getAttribute('x') && a.getAttribute('y') === b.getAttribute('y'); return !['x', 'y', 'transform'].some((moves) => e.hasAttribute(moves)) && same(cut.firstElementChild, e.querySelector('.ht')) }).length";

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_reached_is_outlined_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = r#"Game(name: "Riders", player: "side", begins: "game", uses: ["hexes"])"#;
    std::fs::write(folder.path().join("blazon.ron"), manifest).expect("a file");
    std::fs::write(folder.path().join("riders.blazon"), HEXES).expect("a file");
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::open(&folder.path().display().to_string(), SEED);
    tables.lay(&browser, &[], 0).await;
    browser.until(ASKED).await;
    browser.click("#pieces .can").await;
    browser.until(&format!("{OUTLINED} === 2")).await;
    browser.close().await;
}
