//! A small game as texts: two sides throw beans away, and hide one.

use std::sync::Arc;

use blazon::{Game, Program, Rules, Selection};

/// Its manifest.
pub const MANIFEST: &str = r#"Game(name: "Beans", player: "side", begins: "game")"#;
/// Its page.
pub const RULES: &str = r#"
kind side = North, South { state beans: 0..9 }
setup Start (side: beans) { North: 7; South: 6 }
setup Few "short" (side: beans) { North: 2; South: 2 }

step game {
  while yes {
    for s in sides {
      choose by s "How many beans do you throw?" {
        option throw(n in 1..3) "throws {n}"
          needs enough: n <= s.beans else "so many are not left"
        { s.beans -= n; if s.beans = 0 { win(s) } }
      } else { win(s) }
    }
  }
}
"#;

/// The game with its page changed.
pub fn rules(page: &str) -> Rules {
    Rules::from_texts([("blazon.ron", MANIFEST), ("beans.blazon", page)])
}

/// Its program.
pub fn program() -> Arc<Program> {
    rules(RULES).program(&Selection::default()).expect("it compiles")
}

/// A game at its first decision.
#[allow(dead_code, reason = "not every test plays")]
pub fn game() -> Game {
    let mut game = Game::new(program()).expect("it has a start");
    game.begin(7).expect("it begins");
    game
}
