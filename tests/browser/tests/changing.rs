//! Rules that are changed while a game is on the board, as their designer sees it.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use blazon_browser_tests::{Browser, TALL, Tables, WIDE};

const SEED: u64 = 7;
/// What shows of the game. What has just happened is marked for a moment; how long that stays hangs on the machine, so it
/// is left out.
const FACE: &str = "return ['#pieces', '#trays', '#hand', '#decision', '#log ol', '#prompt'].map((s) => { const part = document.querySelector(s).cloneNode(true); for (const mark of part.querySelectorAll('.changed')) mark.classList.remove('changed'); for (const note of part.querySelectorAll('.note')) note.replaceChildren(); return part.innerHTML }).join('\\n')";
/// How many options are refused with a word.
const REFUSED: &str = "return fetch('why?' + new URLSearchParams({ seat: document.body.dataset.seat })).then((r) => r.json()).then((why) => (why.refusals ?? []).filter((r) => r.reason.includes('border')).length)";
/// What is wrong with a page is known late, as on a busy machine: the next answers are those of the text before.
const LATE: &str = "const real = window.fetch; let left = 5; window.fetch = async (...asked) => { const answer = await real(...asked); if (!String(asked[0]?.url ?? asked[0]).includes('edit/look') || left-- <= 0) return answer; const told = await answer.json(); const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }; return Response.json({ ...told, messages: [{ range, severity: 1, message: 'as it was' }], checked: false }) }; return null";
const STRIP: &str = "return document.querySelector('#strip')?.innerText ?? ''";

/// A copy of the game's folder that can be changed.
struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    fn of(game: &str) -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(game);
        let folder = tempfile::tempdir().expect("a folder");
        copy(&from, &folder.path().join(game));
        Self { folder }
    }

    fn root(&self, game: &str) -> PathBuf {
        self.folder.path().join(game)
    }

    /// Writes a page with texts in the place of others; answers what stood there.
    fn edit(&self, page: &str, changes: &[(&str, &str)]) -> String {
        let path = self.folder.path().join(page);
        let before = std::fs::read_to_string(&path).expect("a page");
        let mut text = before.clone();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        std::fs::write(&path, text).expect("a page");
        before
    }

    fn put_back(&self, page: &str, text: &str) {
        std::fs::write(self.folder.path().join(page), text).expect("a page");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in from.read_dir().expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(path, target).expect("a file")),
        }
    }
}

/// Where pictures are put for people to look at, if they want any.
async fn picture(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("BLAZON_SHOTS") {
        let png = browser.page.screenshot().await.expect("a picture");
        std::fs::write(PathBuf::from(folder).join(name), png).expect("a file");
    }
}

async fn face(browser: &Browser) -> String {
    browser.run(FACE).await
}

/// Two pages are the same; if not, where they part.
fn same(now: &str, before: &str) {
    let part = now.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| text.chars().skip(part.saturating_sub(80)).take(240).collect::<String>();
    assert!(now == before, "before: …{}…\nnow: …{}…", near(before), near(now));
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_secs_f64() * 1000.0
}

const BOARD: &str = "richard-iii/board.blazon";
const SHUT: [(&str, &str); 3] = [
    ("| Yellow | 4     |", "| Yellow | 0     |"),
    ("| Blue   | 3     |", "| Blue   | 0     |"),
    ("| Red    | 2     |", "| Red    | 0     |"),
];

/// A table at which the player gives orders and no border may be crossed.
async fn shut() -> (Copy, Tables, Browser) {
    let copy = Copy::of("richard-iii");
    copy.edit(BOARD, &SHUT);
    let browser = Browser::start(WIDE, TALL).await;
    let tables = Tables::watching(&copy.root("richard-iii"), SEED);
    tables.lay(&browser, &[], 0).await;
    for _ in 0..40 {
        if browser.run::<u32>(REFUSED).await > 3 {
            return (copy, tables, browser);
        }
        let played = browser.play(SEED, 1).await;
        assert_eq!(played.problems, Vec::<String>::new());
    }
    panic!("nobody is refused by a border");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_borders_that_is_raised_opens_them_on_the_board() {
    let (copy, _tables, browser) = shut().await;
    let before = face(&browser).await;
    let mut times = Vec::new();
    for _ in 0..5 {
        // The page says itself when it has shown something.
        let watch = "window.seen = 0; new MutationObserver((_, o) => { if (document.querySelector('#strip.whole .came')) { window.seen = Date.now(); o.disconnect(); } }).observe(document.body, { childList: true, subtree: true })";
        browser.run::<Option<bool>>(&format!("{watch}; return null")).await;
        let page = copy.edit(BOARD, &[("| Yellow | 0     |", "| Yellow | 4     |")]);
        let written = now();
        browser.until("window.seen > 0").await;
        times.push(browser.run::<f64>("return window.seen").await - written);
        let said: String = browser.run(STRIP).await;
        assert!(said.contains("the same game, the same decision"), "{said}");
        assert!(said.contains("was refused:"), "{said}");
        picture(&browser, "changed.png").await;
        copy.put_back(BOARD, &page);
        browser.until("!document.querySelector('#strip')").await;
        same(&face(&browser).await, &before);
    }
    times.sort_by(f64::total_cmp);
    println!("from the save of a page to the option on the board: {times:.0?} ms");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_need_that_is_added_parts_the_game_and_one_click_goes_on() {
    let (copy, _tables, browser) = shut().await;
    copy.edit(BOARD, &[("| Yellow | 0     |", "| Yellow | 4     |")]);
    browser.until("document.querySelector('#strip.whole .came')").await;
    // March by the rules as they are now.
    let begun = Instant::now();
    let mut marched = String::new();
    while marched.is_empty() && begun.elapsed().as_secs() < 60 {
        let played = browser.play(SEED, 1).await;
        assert_eq!(played.problems, Vec::<String>::new());
        let log: Vec<String> = browser.log().await;
        marched = log.into_iter().rfind(|line| line.contains("march")).unwrap_or_default();
    }
    assert_ne!(marched, "", "somebody marches");
    browser.until("!document.querySelector('#strip')").await;
    let page = "richard-iii/4-events.blazon";
    let need = "in step give orders { in option march { needs frost: b.at = Caernarvon else \"the roads are frozen\" } }\n";
    let text = std::fs::read_to_string(copy.folder.path().join(page)).expect("a page");
    std::fs::write(copy.folder.path().join(page), format!("{text}\n{need}")).expect("a page");
    browser.until("document.querySelector('#strip.parted')").await;
    let said: String = browser.run(STRIP).await;
    assert!(said.contains("march(") && said.contains("the roads are frozen"), "{said}");
    assert!(said.contains(&format!("+ {}", need.trim_end())), "{said}");
    picture(&browser, "parted.png").await;
    browser.click("#strip [data-design=go]").await;
    browser.until("!document.querySelector('#strip')").await;
    let played = browser.play(SEED, 3).await;
    assert_eq!(played.problems, Vec::<String>::new());
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_changed_beside_the_board() {
    let (copy, _tables, browser) = shut().await;
    let before = face(&browser).await;
    browser.click("#head a[href='#edit=']").await;
    browser.until("document.querySelector('#edit textarea')?.value.length > 0").await;
    let open = format!(
        "return import('/web/edit.js').then((edit) => edit.openEdit('{BOARD}:40:3')).then(() => null)"
    );
    browser.run::<Option<bool>>(&open).await;
    browser.until("document.querySelector('#edit textarea').value.includes('| Yellow | 0     |')").await;
    browser.until("document.querySelector('#edit pre .tk-keyword')").await;
    let type_in = |from: &str, to: &str| {
        format!(
            "const area = document.querySelector('#edit textarea'); const at = area.value.indexOf('{from}'); \
             area.setRangeText('{to}', at, at + {}, 'end'); area.dispatchEvent(new Event('input')); return null",
            from.len()
        )
    };
    browser.run::<Option<bool>>(&type_in("| Yellow | 0     |", "| Yellow | 0    0 |")).await;
    browser
        .until("document.querySelector('#edit .said .wrong') && document.querySelector('#edit pre .wrong')")
        .await;
    picture(&browser, "mistake.png").await;
    browser.run::<Option<bool>>(LATE).await;
    browser.run::<Option<bool>>(&type_in("| Yellow | 0    0 |", "| Yellow | 4     |")).await;
    browser.until("!document.querySelector('#edit .said .wrong')").await;
    same(&face(&browser).await, &before);
    browser.click("#edit header .verb").await;
    browser.until("document.querySelector('#strip.whole .came')").await;
    assert!(
        std::fs::read_to_string(copy.folder.path().join(BOARD))
            .expect("a page")
            .contains("| Yellow | 4     |")
    );
    picture(&browser, "editing.png").await;
    browser.click("#strip figcaption .at").await;
    browser.until("document.activeElement?.tagName === 'TEXTAREA'").await;
    browser.close().await;
}

/// Opens a page beside the board, and types at its end.
async fn type_beside(browser: &Browser, text: &str) {
    let open =
        format!("return import('/web/edit.js').then((edit) => edit.openEdit('{BOARD}:1')).then(() => null)");
    browser.run::<Option<bool>>(&open).await;
    browser.until("document.querySelector('#edit textarea')?.value.includes('| Yellow |')").await;
    let typed = "const area = document.querySelector('#edit textarea'); area.setRangeText(arguments[0], area.value.length, area.value.length, 'end'); area.dispatchEvent(new Event('input'))";
    browser.page.execute(typed, vec![serde_json::json!(text)]).await.expect("a text area");
}

/// Whether the browser would ask before the page is left.
const WOULD_ASK: &str = "const leaving = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaving); return leaving.defaultPrevented";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_beside_the_board_is_not_lost() {
    let (copy, _tables, browser) = shut().await;
    assert!(!browser.run::<bool>(WOULD_ASK).await);
    type_beside(&browser, "-- mine\n").await;
    assert!(browser.run::<bool>(WOULD_ASK).await, "whatever leaves the page, the browser asks first");
    // Meanwhile somebody else saves the page.
    let text = || std::fs::read_to_string(copy.folder.path().join(BOARD)).expect("a page");
    copy.edit(BOARD, &[("| Yellow | 0     |", "| Yellow | 1     |")]);
    let save = "#edit header .verb";
    browser.click(save).await;
    browser
        .until("document.querySelector('dialog[open]')?.textContent.includes('has been changed elsewhere')")
        .await;
    assert!(text().contains("| Yellow | 1     |") && !text().contains("-- mine"), "neither is lost");
    browser.click("dialog .verb.do").await;
    browser.until("document.querySelector('#edit header .verb').disabled").await;
    assert!(text().contains("| Yellow | 0     |") && text().contains("-- mine"), "{}", text());
    assert!(!browser.run::<bool>(WOULD_ASK).await);
    type_beside(&browser, "-- more\n").await;
    copy.edit(BOARD, &[("| Yellow | 0     |", "| Yellow | 2     |")]);
    browser.click(save).await;
    browser.until("document.querySelector('dialog[open]')").await;
    browser.click("dialog .verb.do + .verb.do").await;
    browser.until("document.querySelector('#edit textarea').value.includes('| Yellow | 2     |')").await;
    let value = "document.querySelector('#edit textarea').value";
    assert!(!browser.run::<String>(&format!("return {value}")).await.contains("-- more"));
    assert!(!browser.run::<bool>(WOULD_ASK).await);
    // What was typed is had back, and not on the disk before it is saved over what is there by will.
    assert!(browser.run::<bool>("return document.execCommand('undo')").await);
    browser.until(&format!("{value}.includes('-- more') && !{value}.includes('| Yellow | 2     |')")).await;
    assert!(text().contains("| Yellow | 2     |") && !text().contains("-- more"), "{}", text());
    assert!(browser.run::<bool>(WOULD_ASK).await);
    // So it is where the other only took something out.
    let mine = browser.run::<String>(&format!("return {value}")).await;
    let less = mine.split("-- mine").next().expect("a page").to_owned();
    std::fs::write(copy.folder.path().join(BOARD), &less).expect("a page");
    browser.click(save).await;
    browser.until("document.querySelector('dialog[open]')").await;
    browser.click("dialog .verb.do + .verb.do").await;
    browser.until(&format!("!{value}.includes('-- mine')")).await;
    assert_eq!(browser.run::<String>(&format!("return {value}")).await, less);
    assert!(browser.run::<bool>("return document.execCommand('undo')").await);
    browser.until(&format!("{value}.includes('-- more')")).await;
    assert_eq!(browser.run::<String>(&format!("return {value}")).await, mine);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_change_does_never_lies_over_the_text() {
    let (copy, _tables, browser) = shut().await;
    type_beside(&browser, "-- mine\n").await;
    browser.click("#edit header .verb").await;
    browser.until("document.querySelector('#pass')?.textContent === 'Saved.'").await;
    copy.edit(BOARD, &[("| Yellow | 0     |", "| Yellow | 4     |")]);
    browser.until("document.querySelector('#strip.whole .came')").await;
    for (width, height) in [(1440, 900), (1024, 768), (600, 900)] {
        browser.page.set_window_size(width, height).await.expect("a window");
        browser.until(&format!("innerWidth === {width}")).await;
        let covered: bool = browser
            .run(
                "const strip = document.querySelector('#strip').getBoundingClientRect(); \
                 return ['#edit header', '#edit .code'].map((part) => document.querySelector(part).getBoundingClientRect()) \
                 .some((at) => strip.left < at.right && at.left < strip.right && strip.top < at.bottom && at.top < strip.bottom)",
            )
            .await;
        assert!(!covered, "{width} × {height}");
    }
    browser.close().await;
}

/// Somebody types while a page is read anew.
const TYPING: &str = "const real = window.fetch; window.fetch = async (...asked) => { const answer = await real(...asked); if (String(asked[0]?.url ?? asked[0]).includes('edit/page')) { const area = document.querySelector('#edit textarea'); area.value += '-- mine'; area.dispatchEvent(new Event('input')); setTimeout(() => document.body.dataset.read = 'yes', 500); } return answer }; return null";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_while_a_page_is_read_stays() {
    let (copy, _tables, browser) = shut().await;
    type_beside(&browser, "").await;
    browser.run::<Option<bool>>(TYPING).await;
    copy.edit(BOARD, &[("| Yellow | 0     |", "| Yellow | 3     |")]);
    browser.until("document.body.dataset.read").await;
    let text = browser.run::<String>("return document.querySelector('#edit textarea').value").await;
    assert!(text.ends_with("-- mine") && text.contains("| Yellow | 0     |"), "{text}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_completed_can_be_taken_back() {
    let (_copy, _tables, browser) = shut().await;
    type_beside(&browser, "\n").await;
    let value = "document.querySelector('#edit textarea').value";
    let type_in = |text: &str| {
        format!(
            "const area = document.querySelector('#edit textarea'); area.focus(); \
             area.setSelectionRange(area.value.length, area.value.length); \
             return document.execCommand('insertText', false, '{text}')"
        )
    };
    assert!(browser.run::<bool>(&type_in("rul")).await);
    browser
        .until("document.querySelector('#edit .offer:not([hidden])')?.textContent.includes('ruling')")
        .await;
    let tab = "const area = document.querySelector('#edit textarea'); \
               return !area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }))";
    assert!(browser.run::<bool>(tab).await);
    browser.until(&format!("{value}.endsWith('\\nrule')")).await;
    let back = "return document.execCommand('undo')";
    assert!(browser.run::<bool>(back).await);
    browser.until(&format!("{value}.endsWith('\\nrul')")).await;
    assert!(browser.run::<bool>(back).await);
    browser.until(&format!("!{value}.includes('\\nrul\\n') && !{value}.endsWith('rul')")).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_stand_there_is_seen_on_every_line() {
    let (_copy, _tables, browser) = shut().await;
    type_beside(&browser, &"\n".repeat(60)).await;
    for lines_on in [0, 3, 12] {
        let at = format!(
            "const area = document.querySelector('#edit textarea'); area.focus(); \
             area.setSelectionRange(area.value.length - {lines_on}, area.value.length - {lines_on}); \
             area.scrollTop = area.scrollHeight; \
             area.dispatchEvent(new KeyboardEvent('keydown', {{ key: ' ', ctrlKey: true, bubbles: true }})); return null"
        );
        browser.run::<Option<bool>>(&at).await;
        browser.until("document.querySelectorAll('#edit .offer:not([hidden]) li').length > 3").await;
        let seen: bool = browser
            .run(
                "const box = (part) => document.querySelector(part).getBoundingClientRect(); \
                 const [list, code] = [box('#edit .offer'), box('#edit .code')]; \
                 return list.height > 60 && list.top >= code.top && list.bottom <= code.bottom + 1 && list.right <= code.right + 1",
            )
            .await;
        assert!(seen, "{lines_on} lines above the last");
        browser.run::<Option<bool>>("document.querySelector('#edit textarea').blur(); return null").await;
        browser.until("document.querySelector('#edit .offer').hidden").await;
    }
    browser.close().await;
}
