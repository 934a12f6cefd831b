//! What a bot would do that knows what the player knows, and what it expects of it.

use std::fmt::Write;

use blazon::bots::{Effort, Search};
use blazon::hints::{Hint, Prospect, hints};
use blazon::{Game, PlayerId};

use super::options::Open;
use crate::console::{harmless, paint, style};

/// So many options are told.
const TOLD: usize = 3;
/// So many positions are tried: what one waits for gladly.
const EFFORT: Effort = Effort { positions: 4_000, ..Effort::THOROUGH };
/// So many clauses of an outlook are told, those that change most.
const CLAUSES: usize = 4;

/// The best options of a player, with what came of them.
///
/// # Errors
/// As [`hints`].
pub fn hint(game: &Game, player: PlayerId, open: &[Open]) -> blazon::Result<String> {
    // The same question is answered in the same way.
    let seed = game.log().len() as u64;
    let Some(hints) = hints(game, player, Search::new(seed, EFFORT))? else {
        return Ok("  there is nothing to choose between\n".to_owned());
    };
    let mut out = String::new();
    for hint in hints.options.iter().take(TOLD) {
        let Some(option) = open.iter().find(|option| option.id == hint.option) else { continue };
        let _ = writeln!(
            out,
            "  {:<3} {}{}   {}",
            option.number(),
            paint(style::STRONG, &option.label),
            option.apart(),
            paint(style::FAINT, said(hint, hints.tries, !hints.outlook.is_empty()))
        );
        out += &expected(&hint.outlook);
    }
    if hints.outlook.is_empty() {
        out += "  (the rules have no `outlook`: games were tried to their end, at random)\n";
    }
    Ok(out)
}

/// By an outlook it is told what it is worth against how things stand; else how many of the games were won.
fn said(hint: &Hint, tries: u32, is_judged: bool) -> String {
    let value = hint.value * 100.0;
    match is_judged {
        true => format!("{} of {tries} tries, worth {value:.0} of 100, where 50 is as it stands", hint.tries),
        false => format!("{} of {tries} tries, won {value:.0} of 100", hint.tries),
    }
}

/// What the outlook of each is expected to become, and by which clauses.
fn expected(outlook: &[Prospect]) -> String {
    let whole = |of: &Prospect| format!("{} {:.0} to {:.1}", harmless(&of.player), of.now, of.then);
    if outlook.is_empty() {
        return String::new();
    }
    let told: Vec<String> = outlook.iter().map(whole).collect();
    let mut out = format!("      outlook: {}\n", told.join(", "));
    for of in outlook {
        let changes = of.clauses.iter().map(|clause| (harmless(&clause.label), clause.then - clause.now));
        let told: Vec<String> = changes
            .filter(|(_, change)| change.abs() >= 0.05)
            .take(CLAUSES)
            .map(|(label, change)| format!("{label} {change:+.1}"))
            .collect();
        if !told.is_empty() {
            let _ = writeln!(out, "        {}: {}", harmless(&of.player), told.join(", "));
        }
    }
    out
}
