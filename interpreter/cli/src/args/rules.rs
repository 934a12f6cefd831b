//! What is asked of the commands that work on rules: check, lay out, test, begin.

use std::path::PathBuf;

use blazon_diagnostics::Format;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Subcommand, ValueHint};

use super::{CoverageArgs, WithArgs, ruling};

/// `blazon check`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon check                                   the game around the current folder
  blazon check rules/my-game/variants/floods     a variant, on top of its game
  blazon check my-game -V floods -V fog          two variants, stacked
  blazon check my-game --all                     the game, then each variant on its own
  blazon check my-game --readings                and by each other value of each ruling
  blazon check my-game --format short            one line each, for editors
  blazon check my-game -D warnings               warnings are failures, too

Messages for people go to standard error, messages for programs (short, json)
to standard output. `blazon explain CODE` says more about each.")]
pub struct CheckArgs {
    /// A folder with blazon.ron, or anything in it; a game's name; else the one around here, or of a `-V PATH`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub path: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// How problems are written: human, short or json
    #[arg(long, default_value_t = Format::Human, hide_possible_values = true, value_parser = formats())]
    pub format: Format,

    /// Check each variant of the game, too, each on its own
    #[arg(long, conflicts_with = "variants")]
    pub all: bool,

    /// Check by each other value of each ruling, too, one at a time
    #[arg(long)]
    pub readings: bool,

    /// Fail at warnings, too
    #[arg(short = 'D', long, value_name = "WHAT", value_parser = ["warnings"])]
    pub deny: Option<String>,

    /// List where the game tells on purpose what not everybody sees
    #[arg(long)]
    pub told: bool,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse::<Format>().unwrap_or_default())
}

/// `blazon format`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon format                             every page here and below
  blazon format rules/my-game               every page of a folder
  blazon format --check rules/my-game       only tell which would change; fails if one would
  blazon format - < page > laid-out         from standard input to standard output

Where lines end stays as it is written. An item that cannot be read is left alone.")]
pub struct FormatArgs {
    /// Pages, or folders of pages; `-` is standard input
    #[arg(value_hint = ValueHint::AnyPath, default_value = ".")]
    pub paths: Vec<PathBuf>,

    /// Change nothing; fail if a page is laid out otherwise
    #[arg(long)]
    pub check: bool,
}

/// `blazon test`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon test rules/my-game                 all tests of the game and its variants
  blazon test my-game/variants/floods       only that variant's
  blazon test my-game bridge                tests with `bridge` in their name
  blazon test my-game @5.21                 tests that cite a paragraph
  blazon test my-game --statements          which statements of the rulebook are shown
  blazon test my-game -R crowds=yes         which tests another reading changes
  blazon test my-game -V floods -V fog      which of the game's tests fail with both
  blazon test my-game --coverage            which rules and options no test comes to
  blazon test my-game --lcov tests.info     the same for an editor

Each variant's tests run with the variant, tests that ask for a ruling by it.")]
pub struct TestArgs {
    /// A folder with blazon.ron, or anything in it; a game's name; else the one around here, or of a `-V PATH`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub path: Option<String>,

    /// Only tests with this in their name or file, or `@` and a paragraph or statement they cite
    pub filter: Option<String>,

    /// List the tests, run none
    #[arg(long)]
    pub list: bool,

    /// Report each statement of the rulebook: which tests show it, or none
    #[arg(long, conflicts_with = "list")]
    pub statements: bool,

    /// A variant to lay on the game: all tests run, its own and the game's; several stack
    #[arg(short = 'V', long = "variant", value_name = "VARIANT")]
    pub variants: Vec<String>,

    /// A ruling to test by, where a test does not ask for another; tests of the other reading then fail
    #[arg(short = 'R', long = "ruling", value_name = "NAME=VALUE", value_parser = ruling)]
    pub rulings: Vec<(String, String)>,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// How what never came up is written: human or json
    #[arg(long, default_value = "human", value_parser = ["human", "json"], hide_possible_values = true)]
    pub format: String,

    /// How many tests run at once; as many as there are cores, if not given
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u16>(1..))]
    pub jobs: Option<u16>,
}

/// `blazon watch`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon watch my-game                      the game, and with each of its variants
  blazon watch my-game/variants/floods      only that variant
  blazon watch my-game -V floods -V fog     two variants, stacked: all tests run with them

On each save what changed is read and checked again; messages come first. Where
all is well tests are run: those that failed last first, then those on pages that
changed, then those that cite what a changed page cites, then the others. The
first failure is told in full at once, the others by name. A change of tests
runs these alone; a change of rules runs all, for what a test comes by is not
known before. Ctrl-C ends it.")]
pub struct WatchArgs {
    /// A folder with blazon.ron, or anything in it; else the one around here, or of a `-V PATH`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub path: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,
}

/// `blazon new`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon new variant \"Deep Snow\"                of the game around this folder, or the one in the program
  blazon new variant \"Deep Snow\" --of my-game   of another game
  blazon new game \"Two Rivers\"                  a game of ten areas, in a folder here

A variant is put into the folder `variants` of its game; of a game inside the
program, into the current folder. What is there already is left alone.")]
pub struct NewArgs {
    /// What to begin
    #[command(subcommand)]
    pub what: NewWhat,
}

/// What `blazon new` begins.
#[derive(Debug, Subcommand)]
pub enum NewWhat {
    /// Changes of a game, in a folder of their own
    Variant {
        /// Its name; the folder is named after it
        name: String,
        /// The game that it changes: a name or a folder
        #[arg(long, value_name = "GAME", value_hint = ValueHint::AnyPath)]
        of: Option<String>,
    },
    /// A game of its own
    Game {
        /// Its name; the folder is named after it
        name: String,
    },
}
