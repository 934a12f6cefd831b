//! What is asked of the commands that play many games to answer a question.

use std::path::PathBuf;

use blazon_machine::bots::Skill;
use clap::ValueHint;

use super::{BlockArgs, DataArgs, WithArgs};

/// `blazon compare`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon compare -V faithless                      a variant against its game
  blazon compare my-richard --base richard-iii     your copy of a game against the game
  blazon compare -V fog --beneath floods           one variant more, on top of another
  blazon compare my-game -R 'river crossing=Halts' a ruling against the printed one
  blazon compare -V faithless --levels greedy --points 5
  blazon compare -V faithless --report change.html
  blazon compare -V faithless --levels greedy -n 50 --all --data faithless
                                                   tables of both sides' games

Both rule sets are played with the same seeds; dice and players' choices are
keyed by what they are for, so that games part only where the change is felt.
It stops when it is sure: whether somebody wins more or less often by the
change, or not by as much as --points.

Exit codes: 0 all games came to an end, 1 some did not (a fault in the rules, or
--most), 2 the two cannot be compared as asked, 3 a file cannot be read or
written, 130 interrupted.")]
pub struct CompareArgs {
    /// The changed rules: a game's name, a folder of rules, or a variant's folder; else as for `blazon simulate`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// The rules as they were, if they lie elsewhere: a game's name, or a folder
    #[arg(long, value_name = "GAME", value_hint = ValueHint::AnyPath)]
    pub base: Option<String>,

    /// A variant that both have
    #[arg(long, value_name = "VARIANT")]
    pub beneath: Vec<String>,

    /// Who plays, on all seats: one comparison for each, from the weakest on
    #[arg(short, long, visible_alias = "players", visible_short_alias = 'p')]
    #[arg(value_name = "WHO,…", value_delimiter = ',', default_value = "random,greedy")]
    pub levels: Vec<Skill>,

    /// By how many points in a hundred games somebody must win more, or less, that it matters
    #[arg(long, value_name = "POINTS", default_value_t = 2.0, allow_negative_numbers = true, value_parser = points)]
    pub points: f64,

    /// How often, in a hundred comparisons, it may be wrong
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, allow_negative_numbers = true, value_parser = percent)]
    pub error: f64,

    /// The most pairs of games at each level; if not given, 20,000 where nobody thinks, else 400
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u64>(1..=1_000_000_000))]
    pub pairs: Option<u64>,

    /// Play all pairs, even if it is sure before
    #[arg(long)]
    pub all: bool,

    /// The seed that the games' seeds come from; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::seed)]
    pub seed: Option<u64>,

    /// The setup to begin with, by name or second name
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
    pub scenario: Option<String>,

    /// Begin with all setups in turn, and tell each apart
    #[arg(long, conflicts_with = "scenario")]
    pub each_setup: bool,

    /// How many games are played at once; as many as there are cores, if not given
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u16>(1..=1024))]
    pub threads: Option<u16>,

    /// Of so many pairs that part it is found out which lines of the rules do it
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = super::whole::<usize>(..))]
    pub blame: usize,

    /// Give both sides luck of their own, to see what the same luck saves
    #[arg(long)]
    pub apart: bool,

    #[command(flatten)]
    pub data: DataArgs,

    #[command(flatten)]
    pub block: BlockArgs,

    /// Write what was found as JSON
    #[arg(long)]
    pub json: bool,

    /// Write it to be looked at: one HTML file with pictures, the tables beneath them, and maps
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "parts")]
    pub report: Option<PathBuf>,

    /// Stop a game after so many decisions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(allow_negative_numbers = true, value_parser = super::whole::<u64>(1..))]
    pub most: u64,
}

/// `blazon ladder`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon ladder richard-iii
  blazon ladder salt-road --players random,greedy,search@1000,search -n 50
  blazon ladder my-game --players greedy,greedy:other outlook

Each plays each: pairs of games on the same luck, once on each seat. Strength is
in points of Elo above the first; 95 % intervals. A pair of which a game does not
come to an end is left out, and told.

Exit codes: 0 all games came to an end, 1 some did not, 130 interrupted.")]
pub struct LadderArgs {
    /// A game's name, or a folder of rules; else as for `blazon simulate`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// Who plays, from the weakest on: random, even, greedy, search, with @POSITIONS and :RULE
    #[arg(
        short,
        long,
        value_name = "WHO,…",
        value_delimiter = ',',
        default_value = "random,greedy,search@1000"
    )]
    pub players: Vec<Skill>,

    /// How many pairs of games each plays against each
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    #[arg(allow_negative_numbers = true, value_parser = super::whole::<u64>(1..=1_000_000))]
    pub pairs: u64,

    /// Only neighbours in the list play against each other
    #[arg(long)]
    pub neighbours: bool,

    /// The seed that the games' seeds come from; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::seed)]
    pub seed: Option<u64>,

    /// The setup to begin with, by name or second name
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
    pub scenario: Option<String>,

    /// How many games are played at once; as many as there are cores, if not given
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u16>(1..=1024))]
    pub threads: Option<u16>,

    #[command(flatten)]
    pub block: BlockArgs,

    /// Write the ladder as JSON
    #[arg(long)]
    pub json: bool,

    /// Write the ladder to a file, as Markdown
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "parts")]
    pub out: Option<PathBuf>,
}

pub(super) fn points(text: &str) -> Result<f64, String> {
    between(text, 0.01, 100.0, "points in a hundred games")
}

pub(super) fn percent(text: &str) -> Result<f64, String> {
    between(text, 0.01, 49.0, "percent")
}

fn between(text: &str, least: f64, most: f64, of: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(_) | Err(_) => Err(format!("write a number of {of}, {least} to {most}")),
    }
}
