//! Rules as a text in the program itself: what is wrong with them, and a game by them once it is mended.

use blazon::{Error, Game, Rules, Selection};

const MANIFEST: &str = r#"Game(name: "Beans", player: "side", begins: "game")"#;
const RULES: &str = r#"
kind side = North, South { state beans: 0..9 }
setup Start (side: beans) { North: 7; South: 6 }

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

fn main() -> Result<(), Error> {
    let wrong = RULES.replace("s.beans -= n", "s.bens -= n");
    if let Err(error) = play(&wrong) {
        println!("With a slip of the pen:\n{error}\n");
    }
    println!("Mended:");
    for line in play(RULES)? {
        println!("{line}");
    }
    Ok(())
}

/// Plays a game in which everybody takes his last option; answers what happened.
fn play(rules: &str) -> Result<Vec<String>, Error> {
    let mut rules = Rules::from_texts([("blazon.ron", MANIFEST), ("beans.blazon", rules)]);
    let mut game = Game::new(rules.program(&Selection::default())?)?;
    game.begin(1)?;
    while let Some(player) = game.decider() {
        let open = game.options(player);
        let Some(last) = open.last() else { break };
        game.choose(player, last.id)?;
    }
    Ok(game.events().iter().filter_map(|event| game.tell(event, None)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_to_its_end() {
        let told = play(RULES).expect("a game");
        assert_eq!(told.first().map(String::as_str), Some("North: throws 3"));
        assert_eq!(told.last().map(String::as_str), Some("South wins"));
    }

    #[test]
    fn a_slip_of_the_pen_is_told_with_its_place() {
        let error = play(&RULES.replace("s.beans -= n", "s.bens -= n")).expect_err("there is no `bens`");
        assert!(error.to_string().starts_with("beans.blazon:11:"), "{error}");
        assert!(error.diagnostics().iter().any(|found| found.help.iter().any(|help| help.contains("beans"))));
    }
}
