//! What can be said on the command line.

mod block;
mod data;
mod learn;
mod play;
mod rules;
mod served;
mod shown;
mod simulate;
mod study;

use std::ffi::OsString;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum, ValueHint};

pub use block::{BlockArgs, MergeArgs};
pub use data::DataArgs;
pub use learn::LearnArgs;
pub use play::{PlayArgs, ReplayArgs, TraceArgs};
pub use rules::{CheckArgs, FormatArgs, NewArgs, NewWhat, TestArgs, WatchArgs};
pub use served::{LspArgs, McpArgs, ServeArgs};
pub use shown::{MapArgs, PictureArgs, PrintArgs, RulingsArgs, TableArgs};
pub use simulate::SimulateArgs;
pub use study::{CompareArgs, LadderArgs};

use crate::console::Color;
use crate::figures::grouped;

/// Check, test, play and print board games that are written as rules text.
#[derive(Debug, Parser)]
#[command(name = "blazon", version)]
#[command(after_help = "\
Begin here:
  blazon play                          play the game that comes with the program
  blazon play --players human,greedy   the same, against the program
  blazon serve                         the same in the browser
  blazon check my-game                 find every mistake in a folder of rules
  blazon test my-game                  run its tests
  blazon explain names::unknown        what a message means, with an example

Exit codes: 0 all is well, 1 the rules, a test or a saved game has problems,
2 the command line is wrong, 3 a file or stream cannot be used,
130 it was interrupted.")]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help = "When to colour: auto, always or never")]
    pub color: Color,

    /// The folder of library modules, instead of the one inside the program.
    #[arg(long, global = true, value_name = "FOLDER", env = "BLAZON_LIBRARY", value_hint = ValueHint::DirPath)]
    #[arg(hide_env_values = true)]
    pub library: Option<PathBuf>,
}

/// The colour asked for, before anything else is understood: the messages about the rest should follow it, too.
pub fn color_asked(args: impl IntoIterator<Item = OsString>) -> Color {
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--") => break,
            Some("--color") => args.next().and_then(|value| value.into_string().ok()),
            Some(arg) => arg.strip_prefix("--color=").map(str::to_owned),
            None => None,
        };
        if let Some(color) = value.and_then(|value| Color::from_str(&value, true).ok()) {
            return color;
        }
    }
    Color::Auto
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the mistakes in a game or variant
    Check(CheckArgs),
    /// Lay pages out: one layout for all
    Format(FormatArgs),
    /// Run the tests of a game and its variants
    Test(TestArgs),
    /// Check and test again on each save
    Watch(WatchArgs),
    /// Play a game at the terminal, or let programs play it
    Play(PlayArgs),
    /// Play games in the browser: people, bots, spectators
    Serve(ServeArgs),
    /// Serve an editor: mistakes while writing, hover, definitions, completion, rename
    Lsp(LspArgs),
    /// Serve a program that reads, checks, amends, tests, compares and plays: the Model Context Protocol
    Mcp(McpArgs),
    /// Print the whole rulebook as it holds, with the origin of every line
    Print(PrintArgs),
    /// Draw the board of a position as one SVG file
    Picture(PictureArgs),
    /// Begin a drawn map: a shape for each place, to be bent in Inkscape
    Map(MapArgs),
    /// List the rulings of a game: open questions, and the answers to choose from
    Rulings(RulingsArgs),
    /// Print a table of a game, ask it, or roll on it
    Table(TableArgs),
    /// Play a saved game again, choice by choice; or all of a folder
    Replay(ReplayArgs),
    /// Tell why a rule's value is what it is in a saved game
    Trace(TraceArgs),
    /// Begin a variant or a game: a small folder that checks and has a test that passes
    New(NewArgs),
    /// Let programs play many games, and tell how they come out
    Simulate(SimulateArgs),
    /// Put together what was simulated, compared or ranked in blocks
    Merge(MergeArgs),
    /// Tell what a change of the rules does to the game: pairs of games on the same luck
    Compare(CompareArgs),
    /// Let programs play against each other, and tell how strong each is
    Ladder(LadderArgs),
    /// Learn from games against itself who is ahead, and write it as rules
    Learn(LearnArgs),
    /// Explain the code of a message
    Explain(ExplainArgs),
    /// Write a completion script for a shell
    Completions(CompletionsArgs),
}

/// Which variants and rulings a game is read with.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct WithArgs {
    /// A variant to play with: its name, its folder's name, or a path; several stack, in whatever order
    #[arg(short = 'V', long = "variant", value_name = "VARIANT")]
    pub variants: Vec<String>,

    /// A ruling to play by; `blazon rulings` lists them
    #[arg(short = 'R', long = "ruling", value_name = "NAME=VALUE", value_parser = ruling)]
    pub rulings: Vec<(String, String)>,
}

/// What is told of what never came up.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct CoverageArgs {
    /// Tell which options, needs, exceptions, cases, rows, steps and lines of the rules never came up
    #[arg(long)]
    pub coverage: bool,

    /// Write that as lcov, which editors show, to a file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub lcov: Option<PathBuf>,
}

impl CoverageArgs {
    /// Whether it has to be counted.
    pub fn is_wanted(&self) -> bool {
        self.coverage || self.lcov.is_some()
    }
}

/// A seed, as it is typed.
fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// A whole number in a range, as it is typed.
fn whole<N: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number: u64| N::try_from(number).ok()).ok_or_else(|| {
            let least = match range.start_bound() {
                Bound::Included(&least) => least,
                Bound::Excluded(&below) => below.saturating_add(1),
                Bound::Unbounded => 0,
            };
            match range.end_bound() {
                Bound::Included(most) => format!("write a whole number from {least} to {}", grouped(*most)),
                Bound::Excluded(_) | Bound::Unbounded => format!("write a whole number, {least} or more"),
            }
        })
    }
}

fn ruling(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE, in quotes if it has blanks")?;
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((tidy(name), tidy(value)))
}

/// `blazon explain`
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// The code of a message, like `names::unknown`; without it all codes are listed
    pub code: Option<String>,
}

/// `blazon completions`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  blazon completions bash > ~/.local/share/bash-completion/completions/blazon")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn rulings_are_name_and_value() {
        assert_eq!(ruling(" may  sail = no"), Ok(("may sail".to_owned(), "no".to_owned())));
        assert!(ruling("may sail").is_err());
    }

    #[test]
    fn colour_is_found_early() {
        let asked = |words: &[&str]| color_asked(words.iter().map(OsString::from));
        assert_eq!(asked(&["blazon", "check", "--color", "always"]), Color::Always);
        assert_eq!(asked(&["blazon", "--color=never", "x"]), Color::Never);
        assert_eq!(asked(&["blazon", "--", "--color=never"]), Color::Auto);
    }
}
