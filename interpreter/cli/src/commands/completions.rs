//! `blazon completions`: scripts that let a shell complete commands.

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};
use crate::console::Console;
use crate::exit::Result;

/// Prints the script.
///
/// # Errors
/// None: the shell has been checked with the arguments.
pub fn run(args: &CompletionsArgs, console: &Console) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "blazon", &mut script);
    console.write(String::from_utf8_lossy(&script));
    Ok(())
}
