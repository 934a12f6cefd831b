//! Which numbers of a run are played here, and where what comes of them is kept; and how such parts are put together.

use std::path::PathBuf;

use clap::ValueHint;

use super::WithArgs;

/// A block of a run.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BlockArgs {
    /// Play only a block: its first number, from 0
    #[arg(long, value_name = "A", requires_all = ["count", "parts"])]
    #[arg(allow_negative_numbers = true, value_parser = super::whole::<u64>(..))]
    pub from: Option<u64>,

    /// Play only a block: how many games (or pairs)
    #[arg(long, value_name = "N", requires_all = ["from", "parts"])]
    #[arg(allow_negative_numbers = true, value_parser = super::whole::<u64>(1..))]
    pub count: Option<u64>,

    /// Keep what the block comes to as a file in this folder; `blazon merge` puts all together
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, group = "rows")]
    #[arg(requires_all = ["from", "count", "seed"])]
    pub parts: Option<PathBuf>,

    /// Play nothing, and tell as JSON what hands out blocks must know: the run's key, its size, and what divides blocks
    #[arg(long, requires = "seed", conflicts_with = "from", group = "rows")]
    pub describe: bool,

    /// Play the block even if its part is there, and hold both against each other, byte for byte
    #[arg(long, requires = "parts")]
    pub again: bool,
}

/// `blazon merge`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon simulate my-game -n 100000 --seed 7 --from 0 --count 2000 --parts parts
  blazon simulate my-game -n 100000 --seed 7 --from 2000 --count 2000 --parts parts
  …
  blazon merge parts                      tells what `blazon simulate` would
  blazon merge parts --data floods        and writes the tables that the parts keep
  blazon merge one two                    parts that lie in several folders

A part is named by a hash of the rules, variants, rulings, players, setups and
seed, and by its numbers. The same block is the same bytes wherever it is
played; where a block is there twice, both are held against each other.
manifest.json beside the parts says what is there, what is missing and what
differs. interpreter/study/BLOCKS.md tells more, with recipes.

Exit codes: 0 all is there, or --so-far told of what is, 1 something is missing
or differs, or games did not come to an end, 2 the parts are of other rules than
those that lie here, 3 a folder cannot be read.")]
pub struct MergeArgs {
    /// The folders that the parts lie in
    #[arg(required = true, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub parts: Vec<PathBuf>,

    /// The run, by the beginning of its key, where there are parts of several
    #[arg(long, value_name = "KEY")]
    pub run: Option<String>,

    /// The game that was played, if the parts do not name one of the program: a name, or a folder of rules
    #[arg(long, value_name = "GAME", value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// Of a comparison, the rules as they were, if they lie elsewhere
    #[arg(long, value_name = "GAME", value_hint = ValueHint::AnyPath)]
    pub base: Option<String>,

    /// Of a comparison, the variants that both have, if the parts do not name those of the game
    #[arg(long, value_name = "VARIANT")]
    pub beneath: Vec<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// Write the tables that the parts keep into a folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub data: Option<PathBuf>,

    /// Write a row for each game to a file (or a ladder, as Markdown)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// Of a comparison, write it to be looked at: one HTML file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Of a comparison, by how many points in a hundred games somebody must win more, or less, that it matters, if not
    /// by what its parts say
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = super::study::points)]
    pub points: Option<f64>,

    /// Of a comparison, how often, in a hundred, it may be wrong, if not as often as its parts say
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = super::study::percent)]
    pub error: Option<f64>,

    /// Of a comparison, of so many pairs that part it is found out which lines of the rules do it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<usize>(..))]
    pub blame: Option<usize>,

    /// Write what was found as JSON
    #[arg(long)]
    pub json: bool,

    /// Tell of what is there, even if something is missing; of a comparison up to the first gap
    #[arg(long)]
    pub so_far: bool,

    /// Only look what is there, and write manifest.json
    #[arg(long)]
    pub look: bool,
}
