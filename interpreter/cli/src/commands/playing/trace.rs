//! `blazon trace`: why a rule's value is what it is in a saved game, clause by clause.

mod report;

use std::path::Path;

use blazon::trace::Traced;
use blazon::{Game, Selection};
use blazon_machine::save::{Replayed, Save};
use serde_json::json;

use crate::args::TraceArgs;
use crate::commands::playing::play::of_replayed;
use crate::console::{Console, harmless};
use crate::exit::{Failure, Result};
use crate::save_file;

/// Replays a saved game as far as is asked, and traces what is asked there.
///
/// # Errors
/// If the file cannot be read, or the question is wrong.
pub fn run(args: &TraceArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let text = save_file::read(&args.file).map_err(Failure::Environment)?;
    let save = Save::from_text(&text)?;
    let (mut rules, with, others) = of_replayed(&save, args.game.as_deref(), &args.with, library)?;
    others.iter().for_each(|other| console.note(harmless(other)));
    let wanted = Selection { variants: with.variants, rulings: with.rulings, ..Selection::default() };
    if args.with.variants.is_empty() && args.with.rulings.is_empty() && others.is_empty() {
        // Who asks for other rules knows that they are.
        let program = rules.program(&wanted)?;
        if let Some(difference) = save.rules.difference(&program.book) {
            console.note(format!("{}; what follows is by the rules as they are now", harmless(&difference)));
        }
    }
    let tracer = rules.tracer(&wanted, &args.question, usize::from(args.deep))?;
    let count = save.log.len();
    let at = match args.at {
        Some(at) if at > count => {
            return Err(Failure::Usage(format!(
                "the saved game has {count} choices, and {at} are asked for"
            )));
        }
        Some(at) => at,
        None => count,
    };
    // What waits to be answered at the end belongs to the end alone.
    let save = if args.at.is_some() { save.until(at) } else { save };
    let mut game = Game::new(tracer.program().clone())?;
    let mut stands = at;
    if let Replayed::Until(divergence) = game.replay(&save)? {
        stands = divergence.step.min(at);
        console.note(format!("the games part, and it is asked there: {}", harmless(&divergence.to_string())));
    }
    let traced = tracer.answers(&mut game);
    if args.json {
        console.line(json!({ "schema": 1, "choices": stands, "traced": traced }));
    } else {
        console.note(format!("after {stands} of {count} choices"));
        traced.iter().for_each(|traced| report::tell(traced, console));
    }
    if traced.iter().any(failed) { Err(Failure::Problems) } else { Ok(()) }
}

/// Whether what was asked could not be answered.
fn failed(traced: &Traced) -> bool {
    traced.value.failed
}
