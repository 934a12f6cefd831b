//! Two exceptions that disagree while a game is played: both are shown, with what mends it.

use blazon::{Game, Rules, Selection};
use blazon_diagnostics::{Format, Style};

const MANIFEST: &str = r#"Game(name: "Mud", player: "side", begins: "game")"#;

const PAGE: &str = r#"kind side = Red, Blue
state turn : 0..9
state mud  : flag
rule pace: number = 2
  except horse: 3 if turn > 0
  except mire: 1 if mud
setup Start { }
step game { turn += 1; mud := yes; say "{pace}"; win(Red) }
"#;

/// What is said where the game of a page begins.
fn said(page: &str) -> String {
    let mut rules = Rules::from_texts([("blazon.ron", MANIFEST), ("mud.blazon", page)]);
    let program = rules.program(&Selection::default()).expect("it compiles");
    let mut game = Game::new(program).expect("it has a start");
    let error = game.begin(7).expect_err("two exceptions disagree");
    error.rendered(Format::Human, Style { color: false, unicode: true, width: 110 })
}

#[test]
fn both_exceptions_are_shown() {
    let told = said(PAGE);
    assert_eq!(told.trim_end(), SAID.trim(), "{told}");
}

#[test]
fn exceptions_without_labels_are_shown_by_their_places() {
    let told = said(&PAGE.replace("except horse: ", "except "));
    assert!(told.contains("two exceptions of `pace` hold at once and disagree"), "{told}");
    assert!(told.contains("except 3 if") && told.contains("except mire: 1"), "{told}");
}

const SAID: &str = r#"error[run::clash]

  × the exceptions `horse` and `mire` of `pace` hold at once and disagree
   ╭─[mud.blazon:5:3]
 4 │ rule pace: number = 2
 5 │   except horse: 3 if turn > 0
   ·   ─────────────┬─────────────
   ·                ╰── in `pace`
 6 │   except mire: 1 if mud
   ·   ──────────┬──────────
   ·             ╰── in `pace`
 7 │ setup Start { }
 8 │ step game { turn += 1; mud := yes; say "{pace}"; win(Red) }
   ·                                          ──┬─
   ·                                            ╰── in `game`
   ╰────
  help: say which of them outranks the other, `except … beats …: …`, or let their conditions exclude each
        other

1 error
"#;
