//! What a bot would do that knows what the player knows, and what it expects of it.

use std::fmt::Write;

use blazon::bots::{Advised, Effort, OUTLOOK, Search, outlook};
use blazon::{Game, PlayerId};

use super::options::Open;
use crate::console::{harmless, paint, style};

/// So many options are told.
const TOLD: usize = 3;
/// So many positions are tried: what one waits for gladly.
const EFFORT: Effort = Effort { positions: 4_000, ..Effort::THOROUGH };

/// The best options of a player, with what came of them.
pub fn hint(game: &mut Game, player: PlayerId, open: &[Open]) -> String {
    // The same question is answered in the same way.
    let seed = game.log().len() as u64;
    let Some(advice) = game.advise(player, &mut Search::new(seed, EFFORT)) else {
        return "  there is nothing to choose between\n".to_owned();
    };
    let mut out = String::new();
    let tries: u32 = advice.options.iter().map(|option| option.tries).sum();
    for advised in advice.options.iter().take(TOLD) {
        let Some(option) = open.iter().find(|option| option.id.index() == advised.place) else { continue };
        let _ = writeln!(
            out,
            "  {:<3} {}   {}",
            option.number(),
            paint(style::STRONG, &option.label),
            paint(style::FAINT, said(advised, tries))
        );
        let _ = write!(out, "{}", expected(game, &advice.outlook, &advised.outlook));
    }
    if outlook(game.book(), OUTLOOK).is_none() {
        out += "  (the rules have no `outlook`: games were tried to their end, at random)\n";
    }
    out
}

fn said(advised: &Advised, tries: u32) -> String {
    format!("{} of {tries} tries, worth {:.0} of 100", advised.tries, advised.value * 100.0)
}

/// What the outlook of each is expected to become.
fn expected(game: &Game, now: &[f64], then: &[f64]) -> String {
    let told = game.players().into_iter().filter_map(|player| {
        let (now, then) = (now.get(player.index())?, then.get(player.index())?);
        Some(format!("{} {now:.0} to {then:.1}", harmless(&game.player_name(player))))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("      outlook: {}\n", told.join(", ")) }
}
