//! What is asked of the commands that serve others: browsers, editors, programs.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::ValueHint;

use super::WithArgs;

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
    #[arg(short, long, visible_alias = "setup", value_name = "SETUP")]
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
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = super::whole::<u16>(..=65_535))]
    pub port: Option<u16>,

    /// A name under which browsers may call this server, besides addresses and localhost; several may be given
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
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
        true => {
            Err("write the name alone, such as games.example, without https:// and without a path".to_owned())
        }
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
