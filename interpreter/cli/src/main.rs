//! `blazon`: check, test, play and print games written as rules text.
//!
//! This file reads the arguments and hands over to one module of [`commands`] each.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod args;
mod blocks;
mod commands;
mod console;
mod coverage;
mod data;
mod dice;
mod drawing;
mod exit;
mod failed;
mod figures;
mod input;
mod load;
mod print;
mod protocol;
mod save_file;
mod seats;
mod seed;
mod shell;
mod terminal;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::{Args, Command};
use crate::console::Console;
use crate::exit::{Failure, Result};

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let color = args::color_asked(std::env::args_os());
    let matches = Args::command().color(color.into()).get_matches();
    let args = match Args::from_arg_matches(&matches) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    let console = Console::new(args.color);
    match on_a_deep_stack(|| run(args, &console)) {
        Ok(()) if console.is_broken() => Failure::Environment(String::new()).exit_code(),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell(&console);
            failure.exit_code()
        }
    }
}

fn run(args: Args, console: &Console) -> Result<()> {
    let library = args.library.as_deref();
    match args.command {
        Command::Check(args) => commands::writing::check::run(&args, library, console),
        Command::Format(args) => commands::writing::format::run(&args, console),
        Command::Test(args) => commands::writing::test::run(&args, library, console),
        Command::Watch(args) => commands::writing::watch::run(&args, library, console),
        Command::Play(args) => commands::playing::play::run(&args, library, console),
        Command::Serve(args) => commands::serving::serve::run(&args, library, console),
        Command::Lsp(args) => commands::serving::lsp::run(&args, library),
        Command::Mcp(args) => commands::serving::mcp::run(&args, library, console),
        Command::Print(args) => commands::writing::print::run(&args, library, console),
        Command::Picture(args) => commands::playing::picture::run(&args, library, console),
        Command::Map(args) => commands::playing::map::run(&args, library, console),
        Command::Rulings(args) => commands::writing::rulings::run(&args, library, console),
        Command::Table(args) => commands::writing::table::run(&args, library, console),
        Command::Replay(args) => commands::playing::replay::run(&args, library, console),
        Command::Trace(args) => commands::playing::trace::run(&args, library, console),
        Command::New(args) => commands::writing::new::run(&args, library, console),
        Command::Simulate(args) => commands::studies::simulate::run(&args, library, console),
        Command::Merge(args) => commands::studies::merge::run(&args, library, console),
        Command::Compare(args) => commands::studies::compare::run(&args, library, console),
        Command::Ladder(args) => commands::studies::ladder::run(&args, library, console),
        Command::Learn(args) => commands::studies::learn::run(&args, library, console),
        Command::Explain(args) => commands::writing::explain::run(&args, console),
        Command::Completions(args) => commands::completions::run(&args, console),
    }
}

/// Runs the work on a thread with a generous stack: rules come from strangers, and deeply nested ones should meet a
/// limit with a message, not the end of the stack.
fn on_a_deep_stack(work: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    const STACK: usize = 256 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("blazon".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or(Err(Failure::Bug)),
            Err(error) => Err(Failure::Environment(format!("no thread can be started: {error}"))),
        }
    })
}
