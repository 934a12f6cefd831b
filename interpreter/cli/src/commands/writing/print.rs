//! `blazon print`: the whole rulebook as it holds, or the program it is compiled to.

use std::path::Path;

use blazon::{Reading, Settings};

use crate::args::PrintArgs;
use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::load;
use crate::print::{self, changes};

/// Prints the flat rulebook, or what variants change in it.
///
/// # Errors
/// If the game is not rules or has errors, or no variant is named whose changes could be shown.
pub fn run(args: &PrintArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let mut rules = load::game(args.path.as_deref(), &args.with.variants, library)?;
    let stack = rules.stack(&args.with.variants)?;
    if args.changes && stack.is_empty() {
        return Err(Failure::Usage("name the variants whose changes to show: `--variant NAME`".to_owned()));
    }
    let settings = Settings { rulings: args.with.rulings.clone(), ..Settings::default() };
    let reading = Reading::new(&rules, &stack);
    let program = reading.program(&settings)?;
    if args.code {
        console.write(program.listing());
    } else if args.changes {
        let base = Reading::new(&rules, &[]);
        let book = base.compile(&Settings::default()).program.map(|program| program.book.clone());
        if let (Some(before), Some(after)) = (&base.parsed, &reading.parsed) {
            changes::print((before, book.as_deref()), (after, &program.book), console);
        }
    } else if let Some(parsed) = &reading.parsed {
        print::print(parsed, &program.book, console);
    }
    Ok(())
}
