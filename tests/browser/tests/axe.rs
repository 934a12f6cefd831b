//! What axe-core finds wrong with the pages, for those who do not see them or see them otherwise. It is not in this
//! repository: `npm install axe-core@4.14.1` somewhere, and name its `axe.min.js` in AXE. `.ci/run` does so.

use blazon_browser_tests::{Browser, TALL, Tables, WIDE};

const SEED: u64 = 7;
const RUN: &str = "const done = arguments[0]; axe.run(document).then((found) => done(found.violations.flatMap((wrong) => \
    wrong.nodes.map((node) => `${wrong.id}: ${node.html.slice(0, 160)} ${node.any.map((why) => why.message).join('; ')}`))), (error) => done([String(error)]))";

struct Axe {
    source: String,
    browser: Browser,
    wrong: Vec<String>,
}

impl Axe {
    /// Looks at the page that is open.
    async fn look(&mut self, name: &str) {
        let page = &self.browser.page;
        page.execute(&self.source, Vec::new()).await.expect("axe in the page");
        let found = page.execute_async(RUN, Vec::new()).await.expect("what axe finds");
        let found: Vec<String> = serde_json::from_value(found).expect("what axe finds");
        self.wrong.extend(found.into_iter().map(|wrong| format!("{name}: {wrong}")));
    }

    /// A table of a game after some clicks.
    async fn table(&self, game: &str, clicks: u32) -> Tables {
        let tables = Tables::open(game, SEED);
        tables.lay(&self.browser, &[], 0).await;
        let played = self.browser.play(SEED, clicks).await;
        assert_eq!(played.problems, Vec::<String>::new(), "{game}");
        tables
    }

    async fn dark(&self) {
        let _: Option<bool> = self.browser.run("document.documentElement.dataset.theme = 'dark'").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs axe-core: `npm install axe-core@4.14.1`, AXE=node_modules/axe-core/axe.min.js; `.ci/run` does so"]
async fn axe_finds_nothing() {
    let path = std::env::var_os("AXE").expect("AXE, the path of axe.min.js");
    let source = std::fs::read_to_string(&path).expect("axe.min.js");
    let mut axe = Axe { source, browser: Browser::start(WIDE, TALL).await, wrong: Vec::new() };
    let tables = Tables::open("richard-iii", SEED);
    axe.browser.page.goto(&tables.front).await.expect("a lobby");
    axe.look("lobby").await;
    let areas = axe.table("richard-iii", 40).await;
    axe.look("areas").await;
    axe.dark().await;
    axe.look("areas, dark").await;
    drop(areas);
    let hexes = axe.table("lionheart", 30).await;
    axe.look("hexes").await;
    axe.dark().await;
    axe.look("hexes, dark").await;
    drop(hexes);
    let points = axe.table("salt-road", 60_000).await;
    axe.look("a game that is over").await;
    axe.browser.click("#menu").await;
    axe.look("the menu").await;
    axe.browser.click("[role=menu] button").await;
    axe.browser.until("document.querySelector('#replay')").await;
    axe.look("looking back").await;
    drop(points);
    assert!(axe.wrong.is_empty(), "{}", axe.wrong.join("\n"));
    axe.browser.close().await;
}
