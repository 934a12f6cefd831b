//! A player made of code, written against what any client can see: it looks at the options that are open to it, prefers
//! names that it has not chosen for a while, and plays a built-in game against a random player.

use std::collections::BTreeMap;

use blazon::bots::{Pick, Random};
use blazon::told::Offer;
use blazon::{Error, Game, Loader, PlayerId, Selection};

/// Chooses what it has chosen least often, the first of several.
#[derive(Default)]
struct Curious {
    /// How often an option of a name was chosen.
    chosen: BTreeMap<String, u32>,
}

impl Curious {
    fn decide<'o>(&mut self, open: &'o [Offer]) -> Option<&'o Offer> {
        let often = |offer: &&Offer| self.chosen.get(&offer.option).copied().unwrap_or_default();
        let best = open.iter().min_by_key(often)?;
        *self.chosen.entry(best.option.clone()).or_default() += 1;
        Some(best)
    }
}

fn main() -> Result<(), Error> {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let game = play(seed, 5000)?;
    let about = game.about();
    println!("{}, seed {seed}", about.played);
    println!("{} plays against {}", about.players[0], about.players[1..].join(", "));
    let end = game.end();
    println!("{}: {} after {} decisions", end.outcome, end.winner.unwrap_or_default(), end.decisions);
    Ok(())
}

/// Plays the default game to its end, or until so many decisions are taken; the first player is the curious one.
fn play(seed: u64, most: u64) -> Result<Game, Error> {
    let program = Loader::new().find_or_default(None)?.program(&Selection::default())?;
    let mut game = Game::new(program)?;
    game.begin(seed)?;
    let first: Option<PlayerId> = game.players().first().copied();
    let (mut curious, mut random) = (Curious::default(), Random::new(seed, Pick::ByName));
    while let Some(player) = game.decider() {
        if game.taken() == most {
            break;
        }
        if Some(player) == first {
            let open = game.options(player);
            let Some(offer) = curious.decide(&open) else { break };
            game.choose(player, offer.id)?;
        } else {
            game.choose_by(player, &mut random)?;
        }
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_against_chance_comes_to_its_end() {
        let game = play(7, 5000).expect("no fault");
        assert!(game.outcome().is_some(), "{} decisions", game.taken());
        let again = play(7, 5000).expect("no fault");
        assert_eq!(game.log(), again.log(), "the same seed is the same game");
    }
}
