//! What is asked of the commands that show something of a game: components, maps, tables, rulings.

use std::path::PathBuf;

use clap::ValueHint;

use super::WithArgs;
use crate::dice::Dice;

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
    #[arg(allow_negative_numbers = true, value_parser = super::seed)]
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

    /// Roll these dice, `d6` or `2d6`, for the value that is not said: the column, or the row's last with `-c`
    #[arg(long, value_name = "DICE", requires = "title")]
    pub roll: Option<Dice>,

    /// Add this to the dice
    #[arg(long, value_name = "N", requires = "roll", default_value_t = 0, allow_negative_numbers = true)]
    pub plus: i64,

    /// Roll so many times, and count
    #[arg(long, value_name = "N", requires = "roll", value_parser = super::whole::<u32>(1..))]
    pub times: Option<u32>,

    /// The seed of the dice; a new one each time, if not given
    #[arg(long, value_name = "NUMBER", requires = "roll", allow_negative_numbers = true, value_parser = super::seed)]
    pub seed: Option<u64>,

    /// Answer in JSON, for programs
    #[arg(long)]
    pub json: bool,
}
