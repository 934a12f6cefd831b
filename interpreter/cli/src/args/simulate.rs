//! What is asked of `blazon simulate`.

use std::path::PathBuf;

use clap::ValueHint;

use super::play::seat;
use super::{BlockArgs, CoverageArgs, DataArgs, WithArgs};
use crate::seats::Seat;

/// `blazon simulate`
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon simulate                                  a thousand random games
  blazon simulate my-game --games 20000 --seed 7   more of them, and the same ones each time
  blazon simulate --players greedy,random -n 200   one program against another
  blazon simulate -V floods --out floods.csv       with a variant, and a row for each game
  blazon simulate -n 200 --data floods             tables of games, decisions and events
  blazon simulate -n 9000 --seed 7 --from 3000 --count 3000 --parts parts
                                                   a block of a run, for `merge`
  blazon simulate --json > summary.json            for programs
  blazon simulate my-game --coverage               which options and rules never came up

Who can play: random, even, greedy, search. One for all, or one for each player
in order, or NAME=WHO.

Game I of seed S is the same on any number of threads; its own seed stands in
its row, and `blazon play --seed` with the same players, variants and rulings
plays it again. The rows stand in the order of the games:
  game, seed      its number, from 0, and its seed
  outcome         won; none (over, and nobody has won); fault; limit
  winner          who has won
  ended_in        the step in which the rules ended it, and
  paragraphs      its paragraphs
  said            the last line of the log, if one came after the last decision
  decisions       how many were taken
  count_STEP      how often the outermost steps were done that come again and
                  again, like turns and rounds
  error           why it could not go on
  setup           the setup that it began with
  plays_PLAYER    the program that sits there

--data writes these rows and those of all decisions and events, each in a file
of its own, for DuckDB, Polars and spreadsheets; schema.json beside them tells
what they are. They name hidden things, too. interpreter/study/TABLES.md has the
columns, and how to read them.

Ctrl-C stops it: games under way may end for two seconds (Ctrl-C again: not at
all), and what was played is kept and told.

Exit codes: 0 all games came to an end, 1 some did not (a fault in the rules, or
--most), 3 rows cannot be written, 130 interrupted.")]
pub struct SimulateArgs {
    /// A game's name, or a folder of rules; else that of a `-V PATH`, the game around here, or the one in the program
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// How many games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000)]
    #[arg(allow_negative_numbers = true, value_parser = super::whole::<u64>(1..))]
    pub games: u64,

    /// The seed that the games' seeds come from; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::seed)]
    pub seed: Option<u64>,

    /// Who plays: random, even, greedy, search, greedy@2000 (positions), greedy:rule (judge); in order, or NAME=WHO
    #[arg(short, long, value_name = "WHO,…", value_delimiter = ',', value_parser = seat)]
    #[arg(default_value = "random")]
    pub players: Vec<(Option<String>, Seat)>,

    /// The setup to begin with, by name or second name
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
    pub scenario: Option<String>,

    /// Begin with all setups in turn, and tell each apart
    #[arg(long, conflicts_with = "scenario")]
    pub each_setup: bool,

    #[command(flatten)]
    pub with: WithArgs,

    /// How many games are played at once; as many as there are cores, if not given
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u16>(1..=1024))]
    pub threads: Option<u16>,

    /// Write a row for each game, as they come, to a .csv file (or .jsonl, or .parquet)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "parts")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub data: DataArgs,

    #[command(flatten)]
    pub block: BlockArgs,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Write the summary as JSON
    #[arg(long)]
    pub json: bool,

    /// Stop a game after so many decisions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(allow_negative_numbers = true, value_parser = super::whole::<u64>(1..))]
    pub most: u64,
}
