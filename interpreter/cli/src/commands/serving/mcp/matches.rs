//! What the amendment does to the game, in pairs of games on the same luck.

use std::sync::atomic::AtomicUsize;

use blazon_machine::bots::Skill;
use serde_json::Value;

use super::desk::Desk;
use super::refusal::Refusal;
use crate::args::{BlockArgs, CompareArgs, DataArgs, WithArgs};
use crate::commands::studies::compare::{self, Sides};
use crate::seats::may_judge;
use crate::seed::new_study_seed;

/// The most pairs that are played unless others are asked for: where nobody thinks, and where somebody does.
const PAIRS: (u64, u64) = (4_000, 40);
/// Of so many pairs that part it is found out which lines do it.
const BLAME: usize = 60;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Who plays, on all seats.
    pub player: Skill,
    /// The most pairs.
    pub pairs: Option<u64>,
    /// By how many points in a hundred games somebody must win more, or less, that it matters.
    pub points: f64,
    /// The setup.
    pub setup: Option<String>,
    /// The seed.
    pub seed: Option<u64>,
}

/// Plays by the rules beneath the amendment and by those with it: an object as that of `blazon compare --json`, of one
/// level. `seen` is told how many pairs there are, of how many.
///
/// # Errors
/// If nothing is amended, or one of the two has errors.
pub fn play(
    desk: &Desk,
    asked: Asked,
    stop: &AtomicUsize,
    seen: &mut dyn FnMut(u64, u64),
) -> Result<Value, Refusal> {
    if desk.amendment.is_empty() {
        let message = "nothing is amended, so there is nothing to compare";
        return Err(Refusal::new("mcp::amendment", message).help("lay a page on the game with `amend` first"));
    }
    let pairs = asked.pairs.unwrap_or(if asked.player.cost() > 1 { PAIRS.1 } else { PAIRS.0 });
    let args = CompareArgs {
        game: None,
        with: WithArgs { variants: desk.variants(), rulings: desk.with.rulings.clone() },
        base: None,
        beneath: desk.with.variants.clone(),
        levels: vec![asked.player.clone()],
        points: asked.points,
        error: 5.0,
        pairs: Some(pairs),
        all: false,
        seed: asked.seed,
        scenario: asked.setup,
        each_setup: false,
        threads: None,
        blame: BLAME,
        apart: false,
        data: DataArgs::default(),
        block: BlockArgs::default(),
        json: true,
        report: None,
        most: 100_000,
    };
    let rules = desk.rules()?;
    // Both sides have the rulings: what is compared is the amendment.
    let beneath = WithArgs { variants: args.beneath.clone(), rulings: args.with.rulings.clone() };
    let sides = Sides::between((rules.clone(), beneath), (rules, args.with.clone()), &args)?;
    may_judge(&sides.base.book, &asked.player)?;
    may_judge(&sides.changed.book, &asked.player)?;
    let seed = args.seed.unwrap_or_else(new_study_seed);
    Ok(compare::told(&args, &sides, seed, stop, &mut |found| seen(found, pairs))?)
}
