//! A browser, a server, and a player who clicks only what is lit.
//!
//! The browser is Chromium, driven over WebDriver. Where it or its driver is missing, tests fail and say how to get it.

mod browser;
mod keyboard;
mod table;
mod told;

pub use browser::{Browser, Played, TALL, WIDE};
pub use keyboard::{Keyboard, Look};
pub use table::{Laid, Tables};
pub use told::lines;
