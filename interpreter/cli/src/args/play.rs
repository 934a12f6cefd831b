//! What is asked of the commands that play a game, play it again, or ask about one.

use std::path::PathBuf;

use clap::ValueHint;

use super::WithArgs;
use crate::seats::Seat;

/// `blazon play`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon play                                    two people at one keyboard
  blazon play --players human,greedy             against the program
  blazon play my-game --scenario Spring          a folder of rules, another beginning
  blazon play -V \"High Water\" --seed 7           with a variant, and dice that repeat
  blazon play --load evening.game                go on where you stopped
  blazon play --players random --seed 1          watch a game
  blazon play --players greedy --save a.game     keep it, to replay it or go on with it
  blazon play --protocol jsonl                   for programs: one JSON object a line

Who can play: human, random, greedy, search. One for all, or one for each
player in order, or NAME=WHO. At the prompt, type a number, or words of the
option you want (`march north`); `help` lists the rest.")]
pub struct PlayArgs {
    /// A game's name, or a folder of rules; else that of a `-V PATH`, the game around here, or the one in the program
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// The setup to begin with, by name or second name
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
    pub scenario: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// The seed of dice and draws; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::seed)]
    pub seed: Option<u64>,

    /// Who plays: human, random, greedy, search; in order, or NAME=WHO
    #[arg(short, long, value_name = "WHO,…", value_delimiter = ',', value_parser = seat_or_human)]
    pub players: Vec<(Option<String>, Seat)>,

    /// Talk to a program over standard input and output
    #[arg(long, value_name = "FORMAT", value_parser = ["jsonl"])]
    pub protocol: Option<String>,

    /// Go on with a saved game
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["scenario", "seed"])]
    pub load: Option<PathBuf>,

    /// Save the game in a file as it ends, however that is
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "protocol")]
    pub save: Option<PathBuf>,

    /// Look at the invariants of the rules after every decision, and when a game is loaded
    #[arg(long)]
    pub invariants: bool,

    /// Stop a game of programs after so many decisions
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = super::whole::<usize>(..))]
    pub most: usize,
}

/// Who plays, as it is typed, and on which seat, if that is named.
pub(super) fn seat(text: &str) -> Result<(Option<String>, Seat), String> {
    match text.split_once('=') {
        Some((name, seat)) => Ok((Some(name.trim().to_owned()), seat.parse()?)),
        None => Ok((None, text.parse()?)),
    }
}

/// The same where a person may sit there.
fn seat_or_human(text: &str) -> Result<(Option<String>, Seat), String> {
    seat(text).map_err(|why| format!("{why}; or `human` sits there"))
}

/// `blazon replay`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon replay evening.game                    does it come out the same?
  blazon replay evening.game --log              and list the choices
  blazon replay evening.game --game my-game     by changed rules: where does it part?
  blazon replay evening.game -R \"x=no\"          by another ruling
  blazon replay evening.game --save new.game    carry a game over to changed rules
  blazon replay games -V floods                 all saved games (*.game) below a folder, with
                                                a variant: how many part, and by which lines
  blazon replay games --was ../older            by these rules, where they were made by others

Of a folder all games are replayed by the rules asked for. What is to blame for
where one parts is found by trying: these lines make it part at this choice, and
none of them can be left out. The rules before are those that a saved game names,
or of --was FOLDER. Games that part by the same lines are told together. Where all
choices can be made and another wins, that is told by itself.

Rulings are those of the saved game, but for what is asked for (-R) and what a
variant that is added, or the game of --game, settles in its manifest.

Exit codes: 0 all of it could be played, 1 a game parts, comes out otherwise, or
cannot be read.")]
pub struct ReplayArgs {
    /// The saved game, or a folder of them
    #[arg(value_hint = ValueHint::AnyPath)]
    pub file: PathBuf,

    /// The game to replay it with: a folder or a name, if not the one it was played with, which is looked for in the program,
    /// around here and in the folders that lie here
    #[arg(long, value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// Of a folder of games: the rules that they were made by, if these are others now
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::AnyPath)]
    pub was: Option<String>,

    /// Of a folder of games: answer in JSON, for programs
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub with: WithArgs,

    /// List the choices, too; everything is named
    #[arg(long)]
    pub log: bool,

    /// Look at the invariants of the rules after every choice
    #[arg(long)]
    pub invariants: bool,

    /// Save the game as it stands after the replay, by the rules it was replayed by
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub save: Option<PathBuf>,
}

/// `blazon trace`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon trace evening.game \"levy(Ford)\"        a rule with its arguments
  blazon trace evening.game \"levy(Ford)\" --at 40  as it was after 40 choices
  blazon trace evening.game \"levy(Ford)\" --deep   and the rules that it asks
  blazon trace evening.game \"move(Grey, Ford)\"   an option: which needs hold
  blazon trace evening.game \"can move(Grey, Ford) in turn(North)\"
                                               the same of a step with parameters
  blazon trace evening.game \"count u in units where u.at = Ford\"
                                               any expression

Each clause is told with its paragraphs and its place: it holds, or does not, or
was not looked at; what decided is marked. This is for those who write the rules:
it sees everything, hidden hands too. A question changes nothing.")]
pub struct TraceArgs {
    /// The saved game
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// What is asked, as it would stand on a page: `levy(Ford)`
    pub question: String,

    /// The game to replay it with: a folder or a name, if not the one it was played with, which is looked for in the program,
    /// around here and in the folders that lie here
    #[arg(long, value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// Ask it after so many choices of the log, from 0; at its end, if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<usize>(..))]
    pub at: Option<usize>,

    /// Trace the rules that it asks, too, so many levels down; 3 if no number is given
    #[arg(long, value_name = "LEVELS", num_args = 0..=1, default_value = "0", default_missing_value = "3")]
    #[arg(value_parser = super::whole::<u8>(..=8), hide_default_value = true)]
    pub deep: u8,

    /// Answer in JSON, for programs
    #[arg(long)]
    pub json: bool,
}
