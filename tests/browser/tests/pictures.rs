//! Pictures of the board, as the README shows them, and as those see it who hold a phone, sit in the dark or do not tell
//! red from green. They are looked at by people: here only that each can be taken, and that what it should show is on the
//! page. `BLESS=1` writes them into `tests/browser/pictures`.

use blazon_browser_tests::{Browser, TALL, Tables, WIDE};
use fantoccini::Locator;
use fantoccini::wd::PrintConfiguration;

/// What somebody without one sort of cones in the eye sees of a colour (Machado and others, 2009: deuteranopia), and what
/// is left of it without any.
const FILTERS: [(&str, &str); 2] = [
    ("deutan", "0.367 0.861 -0.228 0 0  0.280 0.673 0.047 0 0  -0.012 0.043 0.969 0 0  0 0 0 1 0"),
    ("grey", "0.213 0.715 0.072 0 0  0.213 0.715 0.072 0 0  0.213 0.715 0.072 0 0  0 0 0 1 0"),
];

/// Lays a table and plays some clicks at it.
async fn table(browser: &Browser, game: &str, seed: u64, clicks: u32) -> Tables {
    let tables = Tables::open(game, seed);
    tables.lay(browser, &[], 0).await;
    let played = browser.play(seed, clicks).await;
    assert_eq!(played.problems, Vec::<String>::new(), "{game}");
    for what in ["#board .place", "#pieces .piece", "#decision h1", "#log li"] {
        let found = browser.page.find_all(Locator::Css(what)).await.expect("a page");
        assert!(!found.is_empty(), "{game} shows no {what}");
    }
    tables
}

/// Takes a picture.
async fn take(browser: &Browser, name: &str) {
    // What has just changed is painted with the next frame.
    let frame = "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done(0)))";
    browser.page.execute_async(frame, Vec::new()).await.expect("a frame");
    let png = browser.page.screenshot().await.expect("a picture");
    if std::env::var_os("BLESS").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/pictures");
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(format!("{folder}/{name}.png"), png).expect("a file");
    }
}

/// Shows the page in a theme.
async fn theme(browser: &Browser, name: &str) {
    let _: Option<bool> = browser.run(&format!("document.documentElement.dataset.theme = '{name}'")).await;
}

/// Shows the page as somebody else sees it; as it is, if nobody is named.
async fn seen_by(browser: &Browser, name: &str) {
    let filters = FILTERS.map(|(name, matrix)| {
        format!("<filter id='sees-{name}'><feColorMatrix type='matrix' values='{matrix}'/></filter>")
    });
    let script = format!(
        "document.body.insertAdjacentHTML('beforeend', `<svg width='0' height='0' aria-hidden='true'>{}</svg>`); \
         document.documentElement.style.filter = '{name}' && 'url(#sees-{name})'",
        filters.concat()
    );
    let _: Option<bool> = browser.run(&script).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pictures_of_the_readme_can_be_taken() {
    let browser = Browser::start(WIDE, TALL).await;
    let areas = table(&browser, "richard-iii", 3, 28).await;
    take(&browser, "areas").await;
    for (name, _) in FILTERS {
        seen_by(&browser, name).await;
        take(&browser, &format!("areas-{name}")).await;
    }
    seen_by(&browser, "").await;
    theme(&browser, "dark").await;
    take(&browser, "areas-dark").await;
    drop(areas);
    let hexes = table(&browser, "lionheart", 3, 30).await;
    take(&browser, "hexes").await;
    theme(&browser, "dark").await;
    take(&browser, "hexes-dark").await;
    drop(hexes);
    let points = table(&browser, "salt-road", 3, 20).await;
    take(&browser, "points").await;
    drop(points);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_shows_all_games() {
    let browser = Browser::phone().await;
    for (game, clicks, name) in [
        ("richard-iii", 30, "areas-phone"),
        ("lionheart", 30, "hexes-phone"),
        ("salt-road", 12, "points-phone"),
    ] {
        let tables = table(&browser, game, 3, clicks).await;
        let wide: f64 = browser.run("return document.documentElement.scrollWidth - innerWidth").await;
        assert!(wide <= 0.0, "{game} is {wide} px wider than the screen");
        take(&browser, name).await;
        drop(tables);
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_drawer_of_a_phone_leaves_the_board_and_the_buttons_free() {
    let browser = Browser::phone().await;
    let _tables = table(&browser, "richard-iii", 3, 30).await;
    let scale = "return document.querySelector('#stage').clientWidth / document.querySelector('#board').viewBox.baseVal.width";
    let near: f64 = browser.run(scale).await;
    let covers = "const at = (id) => document.getElementById(id).getBoundingClientRect(); const [zoom, head] = [at('zoom'), at('head')]; \
                  return zoom.height > 0 && zoom.top < head.bottom";
    for height in ["full", "low", "half"] {
        browser.click("#handle").await;
        browser.until(&format!("document.body.dataset.drawer === '{height}'")).await;
        assert!(!browser.run::<bool>(covers).await, "{height}: the buttons lie over the head");
        let tools: bool = browser.run("const e = document.querySelector('#decision .tools .tool'); const at = e.getBoundingClientRect(); return e.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2))").await;
        assert!(tools, "{height}: what ends it cannot be pressed");
        let now: f64 = browser.run(scale).await;
        assert!((now / near - 1.0).abs() < 0.02, "{height}: {near} is {now}");
    }
    // Whoever looks at his cards or the log sees by the tab that he is asked.
    let mark = "const tab = document.querySelector('#tabs [data-tab=\"decide\"]'); return getComputedStyle(tab, '::after').content + ' ' + tab.getAttribute('aria-label')";
    assert!(browser.run::<String>(mark).await.starts_with("none "), "the decision is in sight");
    browser.click("#tabs [data-tab=\"log\"]").await;
    let told: String = browser.run(mark).await;
    assert!(told.starts_with("\"●\" ") && told.ends_with(", it is your decision"), "{told}");
    browser.click("#tabs [data-tab=\"decide\"]").await;
    for (down, height) in [(-120.0, "full"), (120.0, "half"), (90.0, "low"), (90.0, "low"), (-90.0, "half")] {
        browser.draw("#handle", down).await;
        browser.until(&format!("document.body.dataset.drawer === '{height}'")).await;
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_clock_moves_what_is_about_to_be_pressed() {
    let browser = Browser::phone().await;
    let tables = Tables::open("richard-iii", 3);
    tables.lay(&browser, &[], 0).await;
    let fast = "const wait = setTimeout; window.setTimeout = (f, ms, ...more) => wait(f, ms < 10_000 ? ms / 1000 : ms, ...more); return 0";
    let _: u32 = browser.run(fast).await;
    let note = "return document.querySelector('#decision .note').textContent";
    let mut noted = Vec::new();
    for seed in 1..80 {
        assert_eq!(browser.play(seed, 1).await.problems, Vec::<String>::new());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        noted.push(browser.run::<String>(note).await);
    }
    // What was the only choice is told while the next decision is thought about, and no longer.
    assert!(noted.iter().any(|told| told.starts_with("Only one choice: ")), "{noted:#?}");
    assert!(noted.chunk_by(|a, b| a == b).any(|run| run.len() > 1 && !run[0].is_empty()), "{noted:#?}");
    assert!(noted.windows(2).any(|pair| !pair[0].is_empty() && pair[1].is_empty()), "{noted:#?}");
    browser.close().await;
}

/// What can be pressed and is not reached even where it is scrolled to.
const COVERED: &str = "return [...document.querySelectorAll('#menu, #tabs button, #zoom button, #decision :is(.opts .to, .opts .go, .verbs .verb, .tools button), #hand .card')] \
    .filter((e) => e.getClientRects().length > 0).filter((e) => { e.scrollIntoView({ block: 'center' }); const at = e.getBoundingClientRect(); \
    const hit = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2); return !hit || !(e.contains(hit) || hit.closest('.pop, #pass, .sheet')) }).map((e) => e.outerHTML.slice(0, 200))";

/// What is not seen as the page opens.
const HIDDEN: &str = "return [...document.querySelectorAll('{first}')].filter((e) => { const at = e.getBoundingClientRect(); \
    const hit = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2); return !hit || !e.contains(hit) }).map((e) => e.outerHTML.slice(0, 200))";

#[tokio::test(flavor = "multi_thread")]
async fn low_screens_and_large_letters_reach_everything() {
    // A phone on its side, and screens of laptops at 200 % and at 400 %.
    for (width, height) in [(844, 390), (720, 450), (512, 384), (360, 225)] {
        let browser = Browser::hand(width, height).await;
        let tables = Tables::open("richard-iii", 3);
        tables.lay(&browser, &[], 0).await;
        browser.until("document.querySelector('#decision .tools button')").await;
        // Before anything is scrolled: what is asked, and what can be done but where there is no room for it at all.
        let first = if height < 300 {
            "#prompt"
        } else {
            "#prompt, #decision .opts li:first-child, #decision .tools button"
        };
        let hidden: Vec<String> = browser.run(&HIDDEN.replace("{first}", first)).await;
        assert!(hidden.is_empty(), "{width} × {height}: {hidden:#?}");
        for _ in 0..12 {
            let press = "document.querySelector('#decision:not([aria-busy]) :is(.opts .to, .verb.do, .verb.end)')?.click() ?? 0";
            let _: Option<u32> = browser.run(press).await;
            browser.until("!document.querySelector('#decision[aria-busy]')").await;
            let covered: Vec<String> = browser.run(COVERED).await;
            assert!(covered.is_empty(), "{width} × {height}: {covered:#?}");
            let rows: f64 = browser.run("return document.querySelector('#decision .opts li')?.offsetParent ? document.querySelector('.opts').clientHeight : 99").await;
            assert!(rows >= 31.0, "{width} × {height}: {rows} px for what is open");
        }
        let wide: f64 = browser.run("return document.documentElement.scrollWidth - innerWidth").await;
        assert!(wide <= 0.0, "{wide} px wider than the screen");
        take(&browser, &format!("areas-low-{width}")).await;
        drop(tables);
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_rules_say_their_options_are_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = r#"Game(name: "<b>Long</b>", version: "1.0.0", player: "side", begins: "game")"#;
    let (word, words) = ("L".repeat(4000), "word ".repeat(1200));
    let page = format!(
        "kind side = Red, Blue\nkind area = Mill, Ford\nkind road = area - area\nlinks road\n  Mill - Ford\n\
         kind pawn = Pawn, Other {{ state at: area?; state side: side }}\n\
         setup Start \"<b>bold</b>\" (pawn: side, at) {{ Pawn: Red, Mill; Other: Blue, Ford }}\n\
         step game {{\n  while yes {{\n    for s in sides {{\n      \
         choose by s \"What now <script>document.title = 1</script> {word} {words}?\" {{\n        \
         option pass \"Pass {word}\" {{ win(s) }}\n        \
         option go(p in pawns, a in areas) \"{{p}} walks {word} to {{a}}\" {{ p.at := a }}\n      }}\n    }}\n  }}\n}}\n"
    );
    std::fs::write(folder.path().join("blazon.ron"), manifest).expect("a file");
    std::fs::write(folder.path().join("long.blazon"), page).expect("a file");
    for (width, height) in [(1280, 720), (390, 844)] {
        let browser = Browser::hand(width, height).await;
        let tables = Tables::open(&folder.path().display().to_string(), 3);
        tables.lay(&browser, &[], 0).await;
        for turn in 0..4 {
            browser.until("document.querySelector('#decision:not([aria-busy]) .tools .verb')").await;
            let covered: Vec<String> = browser.run(COVERED).await;
            assert!(covered.is_empty(), "{width} × {height}: {covered:#?}");
            let wide: f64 = browser.run("return Math.max(...['#decision', '#log ol', '#pass'].flatMap((part) => { const e = document.querySelector(part); return e ? [e.scrollWidth - e.clientWidth] : [] }))").await;
            assert!(wide <= 1.0, "{width} × {height}: {wide} px too wide");
            let press =
                format!("document.querySelectorAll('#decision .opts .to')[{}]?.click() ?? 0", turn % 2);
            let _: Option<u32> = browser.run(&press).await;
        }
        drop(tables);
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_printed_with_all_of_its_log() {
    let browser = Browser::start(WIDE, TALL).await;
    let tables = table(&browser, "richard-iii", 3, 40).await;
    let printed = browser.page.print(PrintConfiguration::default()).await.expect("paper");
    let sheets =
        printed.windows(12).filter(|bytes| bytes.starts_with(b"/Type /Page") && bytes[11] != b's').count();
    assert!(sheets > 1, "{sheets} sheets");
    drop(tables);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_decides_is_seen_where_colours_are_forced() {
    let browser = Browser::start(WIDE, TALL).await;
    let _tables = table(&browser, "richard-iii", 3, 40).await;
    browser.show_as("", Some(("forced-colors", "active")));
    browser.until("matchMedia('(forced-colors: active)').matches").await;
    let grounds: Vec<String> = browser
        .run("return ['#trays .asked', '#trays .side i:not(.asked)'].map((e) => getComputedStyle(document.querySelector(e)).backgroundColor)")
        .await;
    take(&browser, "areas-forced").await;
    assert_ne!(grounds[0], grounds[1]);
    let edge: String = browser
        .run(
            "const pass = document.querySelector('#pass') ?? document.body.appendChild(Object.assign(document.createElement('p'), { id: 'pass' })); \
             return getComputedStyle(pass).borderTopStyle",
        )
        .await;
    assert_eq!(edge, "solid");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paper_has_the_board_first_and_the_log_last() {
    let browser = Browser::start(WIDE, TALL).await;
    let _tables = table(&browser, "richard-iii", 3, 40).await;
    browser.show_as("print", None);
    browser.until("matchMedia('print').matches").await;
    let order: Vec<String> = browser
        .run(
            "const at = (id) => document.getElementById(id).getBoundingClientRect(); \
             return ['log', 'trays', 'head', 'decision', 'stage'].filter((id) => at(id).height > 0) \
             .sort((a, b) => at(a).top - at(b).top)",
        )
        .await;
    assert_eq!(order, ["head", "stage", "decision", "trays", "log"]);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn trays_beyond_the_edge_of_a_tablet_fade() {
    let browser = Browser::hand(800, 1100).await;
    let _tables = table(&browser, "richard-iii", 3, 40).await;
    // As far as it goes, nothing but the padding lies where it fades.
    let rest: f64 = browser
        .run(
            "const trays = document.getElementById('trays'); trays.scrollLeft = 1e6; \
             const ends = [...trays.children].map((e) => e.getBoundingClientRect().right); \
             return trays.getBoundingClientRect().right - Math.max(...ends)",
        )
        .await;
    assert!(rest >= 29.0, "{rest}");
    let (wide, mask): (bool, String) = browser
        .run(
            "const trays = document.getElementById('trays'); trays.scrollLeft = 0; \
             return [trays.scrollWidth > trays.clientWidth, getComputedStyle(trays).maskImage]",
        )
        .await;
    assert!(wide && mask.starts_with("linear-gradient"), "{wide} {mask}");
    take(&browser, "trays").await;
    browser.close().await;
}
