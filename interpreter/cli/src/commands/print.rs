//! `blazon print`: the whole rulebook as it holds, or the program it is compiled to.

use std::path::Path;

use blazon_check::Settings;

use crate::args::PrintArgs;
use crate::console::Console;
use crate::flatbook;
use crate::rules::{Reading, find};
use crate::trouble::Result;

/// Prints the flat rulebook.
///
/// # Errors
/// If the game is not found or has errors.
pub fn run(args: &PrintArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut found = find::find(&args.path, library, console)?;
    let stack = found.stack(&args.with.variants)?;
    let settings = Settings { setup: None, rulings: args.with.rulings.clone() };
    let reading = Reading::new(&found, &stack);
    let program = reading.compile(&settings).program(console)?;
    if args.code {
        console.write(program.listing());
    } else if let Some(parsed) = &reading.parsed {
        flatbook::print(parsed, console);
    }
    Ok(())
}
