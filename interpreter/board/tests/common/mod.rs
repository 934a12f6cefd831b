//! What several tests of boards are played on.

use std::sync::Arc;

use blazon::{Loader, Program, Selection};

/// A game inside the program.
pub fn program(name: &str) -> Arc<Program> {
    Loader::new().find(name).unwrap().program(&Selection::default()).unwrap()
}

/// A game of two places.
pub const PLACES: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford
kind road = area - area
links road
  Mill - Ford
kind piece = Foot { state at: area?; state side: side; fact steps: 1..4 = 3; state strength: 0..4 = piece.steps }
look Red: vert
setup Start (piece: side, at) { Foot: Red, Mill }
step game { choose by Red { option pass "Pass" { win(Red) } } }
"#;
