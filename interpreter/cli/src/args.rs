//! What can be said on the command line.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;

use blazon_diagnostics::Format;
mod block;
mod data;
mod learn;
mod simulate;
mod study;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand, ValueEnum, ValueHint};

pub use block::{BlockArgs, MergeArgs};
pub use data::DataArgs;
pub use learn::LearnArgs;
pub use simulate::SimulateArgs;
pub use study::{CompareArgs, LadderArgs};

use crate::console::Color;
use crate::dice::Dice;
use crate::seats::Seat;

/// Check, test, play and print board games that are written as rules text.
#[derive(Debug, Parser)]
#[command(name = "blazon", version, disable_help_subcommand = true)]
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

fn ruling(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE, in quotes if it has blanks")?;
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((tidy(name), tidy(value)))
}

/// `blazon check`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon check                                   the game around the current folder
  blazon check rules/my-game/variants/floods     a variant, on top of its game
  blazon check my-game -V floods -V fog          two variants, stacked
  blazon check my-game --all                     the game, then each variant on its own
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
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
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
  blazon play --protocol jsonl                   for programs: one JSON object a line

Who can play: human, random, greedy, search. One for all, or one for each
player in order, or NAME=WHO. At the prompt, type a number, or words of the
option you want (`march north`); `help` lists the rest.")]
pub struct PlayArgs {
    /// A game's name, or a folder of rules; else that of a `-V PATH`, the game around here, or the one in the program
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// The setup to begin with, by name or second name
    #[arg(short, long, value_name = "SETUP")]
    pub scenario: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// The seed of dice and draws; a new one each time, if not given
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Who plays: human, random, greedy, search; in order, or NAME=WHO
    #[arg(short, long, value_name = "WHO,…", value_delimiter = ',', value_parser = seat)]
    pub players: Vec<(Option<String>, Seat)>,

    /// Talk to a program over standard input and output
    #[arg(long, value_name = "FORMAT", value_parser = ["jsonl"])]
    pub protocol: Option<String>,

    /// Go on with a saved game
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["scenario", "seed"])]
    pub load: Option<PathBuf>,

    /// Look at the invariants of the rules after every decision, and when a game is loaded
    #[arg(long)]
    pub invariants: bool,

    /// Stop a game of programs after so many decisions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub most: usize,
}

fn seat(text: &str) -> Result<(Option<String>, Seat), String> {
    match text.split_once('=') {
        Some((name, seat)) => Ok((Some(name.trim().to_owned()), seat.parse()?)),
        None => Ok((None, text.parse()?)),
    }
}

/// `blazon serve`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon serve                                 the games inside the program; a table is ready
  blazon serve my-game                         a folder of rules, as it was saved a minute ago
  blazon serve --hotseat                       people at one screen
  blazon serve my-game -V floods -s Spring     the ready table with a variant and a setup
  blazon serve --address 0.0.0.0               for others on this network, too
  blazon serve --public https://games.example  behind a server that speaks https

A secret link opens a seat: whoever has it plays there. Every choice is on the
disk before anybody sees what it did; Ctrl-C, or a loss of power, loses nothing.")]
pub struct ServeArgs {
    /// Names of games or folders of rules; all inside the program, if not given
    #[arg(value_name = "GAME", value_hint = ValueHint::AnyPath)]
    pub games: Vec<String>,

    /// The setup of the ready table, by name
    #[arg(short, long, value_name = "SETUP")]
    pub scenario: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// People at one screen, not a person against bots
    #[arg(long)]
    pub hotseat: bool,

    /// The folder that tables are kept in; your own folder for programs' data, if not given
    #[arg(long, value_name = "FOLDER", env = "BLAZON_DATA", value_hint = ValueHint::DirPath)]
    #[arg(hide_env_values = true)]
    pub data: Option<PathBuf>,

    /// Where to listen; by default nobody but this machine gets in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub address: IpAddr,

    /// The port; the first free one from 4711 on, if not given
    #[arg(long, value_name = "NUMBER")]
    pub port: Option<u16>,

    /// A name under which browsers may call this server, besides addresses and localhost; several may be given
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,

    /// A host that seats may have called when it is their turn, as discord.com; several may be given
    #[arg(long = "webhook-host", value_name = "NAME", value_parser = host)]
    pub webhook_hosts: Vec<String>,

    /// How browsers reach this server if not directly
    #[arg(long, value_name = "URL", value_parser = public)]
    pub public: Option<String>,

    /// Take changed files of rules in while games are under way, at tables that are all yours; so it is for games from
    /// folders if nothing is said
    #[arg(long, overrides_with = "no_watch")]
    pub watch: bool,

    /// Leave games under way as they are until the server starts again
    #[arg(long)]
    pub no_watch: bool,

    /// Your editor, which then opens from the board: vscode, vscodium, cursor, zed, idea, textmate, or a link with {path},
    /// {line} and {column}
    #[arg(long, value_name = "NAME|URL", env = "BLAZON_EDITOR", hide_env_values = true)]
    pub editor: Option<String>,
}

fn host(text: &str) -> Result<String, String> {
    match text.is_empty() || text.contains(['/', '@', ' ']) {
        true => Err("write it as discord.com, without https:// and without a path".to_owned()),
        false => Ok(text.to_owned()),
    }
}

fn public(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if !host.is_empty() && !host.contains('/') => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("write it as https://games.example, without a path".to_owned()),
    }
}

/// `blazon lsp`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An editor starts this and talks to it over standard input and output in the
language server protocol. How to set one up is in grammar/editors/README.md.

A page belongs to the game or variant of the nearest blazon.ron around it. The
library is the one inside the program, or that of --library, or of
{ \"initializationOptions\": { \"library\": FOLDER } }.")]
pub struct LspArgs {
    /// For editors that say so; there is no other way to talk
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `blazon mcp`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon mcp                              the default game, or the one around here
  blazon mcp my-game -V floods            a game with a variant
  blazon mcp my-game --keep my-game/variants/draft
                                          what is amended may be kept there

A program starts this and talks to it over standard input and output in the
Model Context Protocol: it reads rules, checks, amends, tests and compares them,
plays, and asks why. Amendments are in memory; nothing is written but by --keep.")]
pub struct McpArgs {
    /// A folder with blazon.ron, or anything in it; a game's name; else the one around here, or of a `-V PATH`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// A folder in which the amendment may be kept as a variant: one that is empty, or not there yet
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub keep: Option<PathBuf>,
}

/// `blazon print`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon print my-game | less             the rulebook, library and all
  blazon print my-game -V floods          with a variant's changes in their places
  blazon print my-game/variants/floods --changes
                                          only what the variant changes, beside what was there
  blazon print my-game --code             what it is compiled to")]
pub struct PrintArgs {
    /// A folder with blazon.ron, or anything in it; a game's name; else the one around here, or of a `-V PATH`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub path: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// Print only what the variants change: the game on the left, the game with them on the right
    #[arg(long, conflicts_with = "code")]
    pub changes: bool,

    /// Print the compiled program instead
    #[arg(long)]
    pub code: bool,
}

/// `blazon picture`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon picture my-game -o board.svg            the board as the game begins
  blazon picture my-game -V floods -s Spring -o board.svg
                                                 with a variant, and of another beginning
  blazon picture --load evening.game -o now.svg  where a saved game stands
  blazon picture --load evening.game --seat North -o north.svg
                                                 the same as North sees it, hand and all

Without --seat it shows what everybody may see. The file needs nothing beside
it: browsers, Inkscape and rsvg-convert show it.")]
pub struct PictureArgs {
    /// A game's name, or a folder of rules; else that of a `-V PATH`, the game around here, or the one in the program
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    /// The setup, by name or second name
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
    pub scenario: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// The seed of what is drawn and rolled before the first decision
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,

    /// The position of a saved game
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["scenario", "seed"])]
    pub load: Option<PathBuf>,

    /// As this player sees it
    #[arg(long, value_name = "NAME", conflicts_with = "spectator")]
    pub seat: Option<String>,

    /// As everybody may see it, as without --seat
    #[arg(long)]
    pub spectator: bool,

    /// Write it to a file; else to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
}

/// `blazon map`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon map my-game --svg -o my-game/map.svg    a map to begin with
  blazon check my-game                           holds what became of it against the rules

Places are laid out as a grid, points, or the links between them say. In Inkscape
bend the shapes as you like; each is known by its label.")]
pub struct MapArgs {
    /// A game's name, or a folder of rules; else that of a `-V PATH`, the game around here, or the one in the program
    #[arg(value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// As SVG: the only form so far, and written without this, too
    #[arg(long)]
    pub svg: bool,

    /// Write it to a file that is not there yet; else to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// Write over a file that is there
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// `blazon rulings`
#[derive(Debug, clap::Args)]
pub struct RulingsArgs {
    /// A folder with blazon.ron, or anything in it; a game's name; else the one around here, or of a `-V PATH`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub path: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,
}

/// `blazon table`
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  blazon table my-game                                   which tables there are
  blazon table my-game \"Losses in the field\"             one of them, as printed
  blazon table my-game losses --row B --column 5         one cell
  blazon table my-game losses --row \"Horse, B\" -c 5      with two leading columns
  blazon table my-game losses --row B --roll d6          roll the last value
  blazon table my-game losses --row B --roll d6 --plus 1 --times 10000

A table has the title that stands behind its rule, and the rule's name.")]
pub struct TableArgs {
    /// A folder with blazon.ron, or anything in it; a game's name
    #[arg(value_hint = ValueHint::AnyPath, default_value = ".")]
    pub path: String,

    /// The title of a table, or the name of its rule; without it all are listed
    pub title: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// The row: the value of its leading column, or of several with commas
    #[arg(long, short, value_name = "VALUE,…", requires = "title", allow_hyphen_values = true)]
    pub row: Option<String>,

    /// The column
    #[arg(long, short, value_name = "VALUE", requires = "title", allow_hyphen_values = true)]
    pub column: Option<String>,

    /// Roll these dice for the last value: `d6`, `2d6`
    #[arg(long, value_name = "DICE", requires = "title", conflicts_with = "column")]
    pub roll: Option<Dice>,

    /// Add this to the dice
    #[arg(long, value_name = "N", requires = "roll", default_value_t = 0, allow_negative_numbers = true)]
    pub plus: i64,

    /// Roll so many times, and count
    #[arg(long, value_name = "N", requires = "roll", value_parser = clap::value_parser!(u32).range(1..))]
    pub times: Option<u32>,

    /// The seed of the dice; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", requires = "roll")]
    pub seed: Option<u64>,

    /// Answer in JSON, for programs
    #[arg(long)]
    pub json: bool,
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
or of --was FOLDER. Games that part by the same lines are told together.

Exit codes: 0 all of it could be played, 1 a game parts or cannot be read.")]
pub struct ReplayArgs {
    /// The saved game, or a folder of them
    #[arg(value_hint = ValueHint::AnyPath)]
    pub file: PathBuf,

    /// The game to replay it with: a folder or a name, if not the one it was played with
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

    /// The game to replay it with: a folder or a name, if not the one it was played with
    #[arg(long, value_hint = ValueHint::AnyPath)]
    pub game: Option<String>,

    #[command(flatten)]
    pub with: WithArgs,

    /// Ask it after so many choices of the log, from 0; at its end, if not given
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,

    /// Trace the rules that it asks, too, so many levels down; 3 if no number is given
    #[arg(long, value_name = "LEVELS", num_args = 0..=1, default_value = "0", default_missing_value = "3")]
    #[arg(value_parser = clap::value_parser!(u8).range(..=8), hide_default_value = true)]
    pub deep: u8,

    /// Answer in JSON, for programs
    #[arg(long)]
    pub json: bool,
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
