//! `blazon print`: the whole rulebook as it holds, or the program it is compiled to.

use std::path::Path;

use blazon_check::Settings;

use crate::args::PrintArgs;
use crate::console::Console;
use crate::flatbook::{self, changes};
use crate::rules::{Reading, find};
use crate::trouble::{Result, Trouble};

/// Prints the flat rulebook, or what variants change in it.
///
/// # Errors
/// If the game is not found or has errors, or no variant is named whose changes could be shown.
pub fn run(args: &PrintArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut found = find::find(&args.path, library, console)?;
    let stack = found.stack(&args.with.variants)?;
    if args.changes && stack.is_empty() {
        return Err(Trouble::Usage("name the variants whose changes to show: `--variant NAME`".to_owned()));
    }
    let settings = Settings { setup: None, rulings: args.with.rulings.clone() };
    let reading = Reading::new(&found, &stack);
    let program = reading.program(&settings, console)?;
    if args.code {
        console.write(program.listing());
    } else if args.changes {
        let base = Reading::new(&found, &[]);
        if let (Some(before), Some(after)) = (&base.parsed, &reading.parsed) {
            changes::print(before, after, console);
        }
    } else if let Some(parsed) = &reading.parsed {
        flatbook::print(parsed, console);
    }
    Ok(())
}
