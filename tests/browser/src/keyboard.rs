//! A player who has nothing but a keyboard: Tab, arrows, Enter, Escape.

use fantoccini::key::Key;
use serde::Deserialize;

use crate::Browser;

const LOOK: &str = include_str!("keys.js");
/// With so many strokes of Tab one has been everywhere.
const AROUND: u32 = 120;

/// What he knows of the page.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Look {
    /// Whether the game is over.
    pub over: bool,
    busy: bool,
    menu: bool,
    board: bool,
    rows: bool,
    /// How many things are picked.
    pub picked: u32,
    /// Where the focus is.
    pub focus: String,
    /// What the panel says.
    pub shows: String,
    lines: u32,
}

/// A player at the keyboard.
pub struct Keyboard<'a> {
    browser: &'a Browser,
    state: u64,
    /// How many keys he pressed.
    pub strokes: u32,
}

impl<'a> Keyboard<'a> {
    /// A player; the same seed does the same on the same page.
    pub fn new(browser: &'a Browser, seed: u64) -> Self {
        Self { browser, state: seed, strokes: 0 }
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % u64::from(bound)) as u32
    }

    /// What is to be seen.
    pub async fn look(&self) -> Look {
        self.browser.run(LOOK).await
    }

    /// Presses a key.
    pub async fn press(&mut self, key: Key) {
        self.strokes += 1;
        self.browser.press(key.into()).await;
    }

    /// Presses Tab until the focus is somewhere.
    ///
    /// # Panics
    /// If it never comes there.
    pub async fn tab_to(&mut self, focus: &str) {
        let mut been = Vec::new();
        for _ in 0..AROUND {
            let look = self.look().await;
            if look.focus == focus {
                return;
            }
            been.push(look.focus);
            self.press(Key::Tab).await;
        }
        panic!("Tab never comes to the {focus}, but to {been:?}");
    }

    /// Goes to something that is open on the board.
    async fn go_to_board(&mut self) {
        // Whatever has the focus there, an arrow goes on to what is open.
        for arrow in [Key::Right, Key::Left, Key::Up, Key::Down] {
            if self.look().await.focus == "bare board" {
                self.press(arrow).await;
            }
        }
        self.tab_to("board").await;
    }

    /// Waits until something can be done; what is to be seen then.
    ///
    /// # Panics
    /// If nothing can be done for long.
    pub async fn ready(&self) -> Look {
        let open = "#pieces .can, #reach .to, #hand .can, #trays .can, #decision .opts .to, #decision .verb.do, #decision .verb.end";
        let ready = "document.querySelector('#log .over, [role=menu]')";
        self.browser.until(&format!("!document.querySelector('#decision[aria-busy]') && ({ready} || document.querySelector('{open}'))")).await;
        self.look().await
    }

    /// Picks or takes something that is open, somewhere; answers what is to be seen after that.
    ///
    /// # Panics
    /// If a key does nothing, or the focus is lost.
    pub async fn step(&mut self) -> Look {
        let before = self.ready().await;
        if before.over {
            return before;
        }
        if before.menu {
            assert_eq!(before.focus, "menu", "a menu that opens has the focus");
            for _ in 0..self.below(3) {
                self.press(Key::Down).await;
            }
        } else if before.board && (!before.rows || self.below(2) == 0) {
            self.go_to_board().await;
            for _ in 0..self.below(4) {
                let arrow = [Key::Up, Key::Down, Key::Left, Key::Right][self.below(4) as usize];
                self.press(arrow).await;
            }
        } else {
            self.tab_to("row").await;
            for _ in 0..self.below(6) {
                self.press(Key::Tab).await;
            }
            self.tab_to("row").await;
        }
        let from = self.look().await;
        self.press(Key::Enter).await;
        let changed = format!(
            "document.querySelector('#log .over, [role=menu], #decision[aria-busy]') || document.querySelectorAll('#log li').length !== {} || \
             document.querySelector('#decision').textContent !== {}",
            from.lines,
            serde_json::json!(from.shows)
        );
        if !before.menu {
            self.browser.until(&changed).await;
        }
        let after = self.ready().await;
        assert!(after.over || after.focus != "nothing", "the focus is lost after Enter on {from:?}");
        after
    }
}
