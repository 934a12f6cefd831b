//! `blazon serve`: games in the browser.

use std::path::{Path, PathBuf};

use blazon_serve::{Editor, Links, Seating, Server, Settings, StartError};

use crate::args::ServeArgs;
use crate::console::{Console, paint, style};
use crate::exit::{Failure, Result};
use crate::load;

/// Serves games until Ctrl-C.
///
/// # Errors
/// If a game is not found or has errors, the folder of tables cannot be written to, or the address is taken.
pub fn run(args: &ServeArgs, library: Option<&Path>, console: &Console) -> Result<()> {
    let data = tables(args.data.as_deref());
    let editor = args.editor.as_deref().filter(|editor| !editor.is_empty()).map(Editor::of).transpose();
    let editor = editor.map_err(Failure::Usage)?;
    let settings = Settings {
        address: args.address,
        port: args.port,
        hosts: args.hosts.clone(),
        public: args.public.clone(),
        webhook_hosts: args.webhook_hosts.clone(),
        games: args.games.clone(),
        variants: args.with.variants.clone(),
        rulings: args.with.rulings.clone(),
        watch: !args.no_watch,
        editor,
        loader: load::loader(library),
        ..Settings::new(&data)
    };
    let server = Server::open(settings)?;
    for strange in &server.strange {
        console.note(strange);
    }
    if let Some(wrong) = server.wrong.clone() {
        Failure::from(wrong).tell(console);
        console.note("nobody can begin a game by these rules before they are mended; tables go on by the rules that they were begun by");
    }
    if args.watch && !server.watches() {
        let text = "there is nothing to watch: these games lie inside the program; name a folder of rules";
        return Err(Failure::Usage(text.to_owned()));
    }
    let seating = if args.hotseat { Seating::HotSeat } else { Seating::Bots };
    match server.ready_table(args.scenario.clone(), seating)? {
        Some(links) => tell(&server, &links, args, console),
        None => tell_front(&server, args, console),
    }
    if server.watches() {
        console.line("Change its rules while you play: save a page, and the board shows what that does.");
    }
    let at = blazon::shown(&data);
    console.line(format!("Tables are kept in {at}. Ctrl-C stops the server; nothing is lost."));
    Ok(server.run_until_interrupted()?)
}

fn tell(server: &Server, links: &Links, args: &ServeArgs, console: &Console) {
    let who = if args.hotseat { "all at one screen" } else { "you against a bot" };
    let goes_on = if links.goes_on { ", where it stood" } else { "" };
    console.line(format!("{}, {who}{goes_on}:\n", links.title));
    if let Some((_, link)) = links.seats.first() {
        console.line(format!("  {}\n", paint(style::STRONG, link)));
    }
    if let Some(watch) = &links.watch {
        console.line(format!("To look on: {watch}"));
    }
    tell_front(server, args, console);
}

fn tell_front(server: &Server, args: &ServeArgs, console: &Console) {
    console.line(format!("Other games, other people: {}/", server.outside().unwrap_or(server.front())));
    if !args.address.is_loopback() {
        console.note("whoever can reach this machine can open the lobby and begin games");
    }
}

/// The folder of all tables: the one that is named, in the environment if not here, or the user's own.
pub fn tables(named: Option<&Path>) -> PathBuf {
    let told = || std::env::var_os("BLAZON_DATA").filter(|value| !value.is_empty()).map(PathBuf::from);
    named.map(Path::to_owned).or_else(told).unwrap_or_else(own_folder)
}

/// Where a program keeps what it keeps for its user.
fn own_folder() -> PathBuf {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || var("HOME");
    let folder = if cfg!(windows) {
        var("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        var("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    };
    match folder {
        Some(folder) => folder.join("blazon").join("tables"),
        None => PathBuf::from("blazon-tables"),
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Rules(error) => Self::from(error),
            StartError::Wrong(error @ ("serve::folder" | "serve::address" | "serve::kept"), text) => {
                Self::Environment(format!("{text} [{error}]"))
            }
            // What the command line wants is not there.
            StartError::Wrong("serve::request", text) => Self::Usage(text),
            StartError::Wrong(code, text) => Self::Problem(format!("{text} [{code}]")),
        }
    }
}
