//! The arguments of `blazon learn`.

use std::path::PathBuf;

use blazon_machine::bots::Skill;
use clap::ValueHint;

use super::WithArgs;

/// `blazon learn`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon learn my-game                           plays, and prints a rule `outlook`
  blazon learn my-game -o my-game/variants/learned --seed 7
                                                 writes it as a variant; the same one each time
  blazon learn my-game --games 2000 --rounds 3   from more games
  blazon learn my-game --players greedy@100      by players that think less, so sooner

An outlook says by a number how things look for a player; greedy and search play
by it. The first round is played by the game's own outlook or, where it has none,
at random, each further one by what was learned before. Candidates are made of
the declarations: counts and totals of what is a player's, by place and sort,
what the rules count for him, and what is kept of him. A few that tell who wins
are weighed (logistic regression, games held out), and written as clauses of one
rule, to be read and changed. Then pairs of games are played, from each seat, by
it and by the game's own, and it is said whether it plays better.

--out overwrites a page that was learned and that nobody has changed, and
nothing else; --again one that somebody has changed, too.

Exit codes: 0 something was learned, whether or not it plays better; 1 there is
nothing to learn; 2 the folder holds something else; 130 interrupted.")]
pub struct LearnArgs {
    /// A game's name, or a folder of rules; else that of a `-V PATH`, the game around here, or the one in the program
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// How many games are played in each round, 20 or more
    #[arg(short = 'n', long, value_name = "N", default_value_t = 400, value_parser = games)]
    pub games: u64,

    /// How many rounds, each by what the one before has learned
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = super::whole::<u64>(1..=20))]
    pub rounds: u64,

    /// The seed that all games' seeds come from; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::seed)]
    pub seed: Option<u64>,

    /// Who plays once there is an outlook: greedy, search, with `@N` for how many positions they try
    #[arg(short, long, value_name = "WHO", default_value = "greedy")]
    #[arg(value_parser = crate::commands::studies::learn::skill)]
    pub players: Skill,

    /// The most clauses of the rule
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = super::whole::<usize>(1..=40))]
    pub clauses: usize,

    /// How many pairs of games tell whether it plays better; 0 for none
    #[arg(long, value_name = "N", default_value_t = 40, allow_negative_numbers = true, value_parser = super::whole::<u64>(..))]
    pub pairs: u64,

    /// The setup to begin with, by name or second name
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
    pub scenario: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// How many games are played at once; as many as there are cores, if not given
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u16>(1..=1024))]
    pub threads: Option<u16>,

    /// Write a variant into this folder
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,

    /// Write over a page that was learned even if somebody has changed it since
    #[arg(long, requires = "out")]
    pub again: bool,

    /// Write the summary as JSON
    #[arg(long)]
    pub json: bool,
}

/// Fewer games tell nothing.
const LEAST: u64 = 20;

fn games(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(games) if games >= LEAST => Ok(games),
        Ok(_) | Err(_) => Err(format!("write a number of games, {LEAST} or more")),
    }
}
