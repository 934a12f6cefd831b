//! A server: what it is given, how it starts, how it stops.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon::Loader;
use blazon::bots::Skill;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::calls::Calls;
use crate::editor::Editor;
use crate::files::Watching;
use crate::hall::{Design, Hall, Most};
use crate::http::{App, Doors, Entrance, Peer, Reach, routes};
use crate::keep::Data;
use crate::links::to_join;
use crate::problem::Problem;
use crate::secret::{hash, new_secret};
use crate::shelf::{Shelf, Wanted, Wrong};
use crate::table::{New, Opening, Table};
use crate::watch::watch;

/// The port if none is asked for.
const PORT: u16 = 4711;
/// So many ports after it are tried.
const NEXT: u16 = 20;

/// What a server is given.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where tables are kept.
    pub data: PathBuf,
    /// Where it listens.
    pub address: IpAddr,
    /// At which port; the first free one from 4711 on if none is named.
    pub port: Option<u16>,
    /// Names under which it may be called, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// How browsers reach it, if not directly: `https://games.example`.
    pub public: Option<String>,
    /// Hosts that may be called when it is somebody's turn.
    pub webhook_hosts: Vec<String>,
    /// The games, by name or folder; without any all inside the program.
    pub games: Vec<String>,
    /// Variants of the first game for the table that is ready, by name, folder or path.
    pub variants: Vec<String>,
    /// Rulings for it.
    pub rulings: Vec<(String, String)>,
    /// How games are found.
    pub loader: Loader,
    /// How much there may be of everything.
    pub most: Most,
    /// Whether changed files of rules are taken in while games are under way.
    pub watch: bool,
    /// The designer's editor, which is opened from the board.
    pub editor: Option<Editor>,
    /// The seed of every new table and of its bots, so that tests play the same game each time; without it nobody
    /// foresees anything. Secrets never come from it.
    pub seed: Option<u64>,
}

impl Settings {
    /// A server of this machine alone, with tables in a folder.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self {
            data: data.into(),
            address: Ipv4Addr::LOCALHOST.into(),
            port: None,
            hosts: Vec::new(),
            public: None,
            webhook_hosts: Vec::new(),
            games: Vec::new(),
            variants: Vec::new(),
            rulings: Vec::new(),
            loader: Loader::new(),
            most: Most::default(),
            watch: false,
            editor: None,
            seed: None,
        }
    }
}

/// Why a server does not start.
#[derive(Clone, Debug)]
pub enum StartError {
    /// Its folder, its address, what is wanted: a code and a sentence.
    Wrong(&'static str, String),
    /// A game is not found or has errors.
    Rules(blazon::Error),
}

impl StartError {
    /// Whether whoever mends the pages of the rules has mended all.
    fn can_be_mended(&self) -> bool {
        matches!(self, Self::Rules(blazon::Error::Rules(_)))
    }
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Wrong(code, text) => write!(f, "{text} [{code}]"),
            Self::Rules(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<Wrong> for StartError {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Rules(error) => Self::Rules(error),
            Wrong::Other(problem) => problem.into(),
        }
    }
}

impl From<Problem> for StartError {
    fn from(problem: Problem) -> Self {
        Self::Wrong(problem.code, problem.text)
    }
}

/// Who plays at a table that the server makes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// A person against bots.
    Bots,
    /// People at one screen.
    HotSeat,
}

/// The links of a table.
#[derive(Clone, Debug)]
pub struct Links {
    /// What is played.
    pub title: String,
    /// Each seat's link, by player; only those that were asked for.
    pub seats: Vec<(String, String)>,
    /// For spectators, from wherever they reach the server.
    pub watch: Option<String>,
    /// Whether the table was there already.
    pub goes_on: bool,
}

/// A server that listens and has not begun to answer.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    app: App,
    /// How a browser on this machine reaches it, and how others do.
    front: String,
    outside: Option<String>,
    ready: Wanted,
    /// Whether a proxy stands before it, from whose address all come.
    behind_one: bool,
    /// Tells of changes as long as the server lives.
    _watcher: Option<Watching>,
    /// What the folder holds that cannot be read.
    pub strange: Vec<String>,
    /// What is wrong with the rules of the first game, where there is more to serve: its tables go on by the rules that they
    /// were begun by, and there its pages can be mended.
    pub wrong: Option<StartError>,
}

impl Server {
    /// Takes the folder and the address.
    ///
    /// # Errors
    /// If a game is not found, or has errors and there is nothing else to serve, the folder cannot be written to, or the address
    /// is taken.
    pub fn open(settings: Settings) -> Result<Self, StartError> {
        let shelf = Shelf::new(&settings.loader, &settings.games, &settings.variants);
        let (shelf, variants) = shelf.map_err(StartError::Rules)?;
        let game = shelf.games().first().map(|game| game.key.clone()).unwrap_or_default();
        let ready = Wanted { game, variants, rulings: settings.rulings }.sorted();
        // A mistake in the rules is told now, not to the first who comes.
        let wrong = shelf.kit(&ready).err().map(|wrong| {
            // Told with the names that files have from here.
            let again =
                settings.loader.find(&ready.game).and_then(|mut rules| rules.program(&ready.selection()));
            again.map_or_else(StartError::Rules, |_| wrong.into())
        });
        let is_all = shelf.games().len() == 1;
        let wrong = match wrong {
            Some(wrong) if !wrong.can_be_mended() || is_all && !settings.data.exists() => return Err(wrong),
            wrong => wrong,
        };
        let data = Data::open(&settings.data).map_err(|text| StartError::Wrong("serve::folder", text))?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| StartError::Wrong("serve::address", format!("no threads: {error}")))?;
        let listener = runtime.block_on(listen(settings.address, settings.port))?;
        let address = listener.local_addr().unwrap_or(SocketAddr::new(settings.address, PORT));
        let front = settings.public.clone().unwrap_or_else(|| front(address));
        let front = front.trim_end_matches('/').to_owned();
        let reach = match (&settings.public, settings.address) {
            (Some(_), _) => Reach::Public(front.clone()),
            (None, listens) if listens.is_loopback() => Reach::Machine,
            (None, listens) if listens.is_unspecified() => Reach::Net(in_the_net(listens)),
            (None, listens) => Reach::Net(Some(listens)),
        };
        let outside = match &reach {
            Reach::Machine | Reach::Net(None) => None,
            Reach::Net(Some(own)) => Some(format!("http://{}", SocketAddr::new(*own, address.port()))),
            Reach::Public(front) => Some(front.clone()),
        };
        let mut hosts = settings.hosts;
        hosts.extend(front.split_once("://").map(|(_, host)| host.to_owned()));
        let doors = Doors { hosts, reach, rates: Default::default(), new_tables: Default::default() };
        let calls = Calls::new(settings.webhook_hosts, outside.clone().unwrap_or_else(|| front.clone()));
        let watches = settings.watch && shelf.games().iter().any(|game| game.root.is_some());
        let edits = watches && settings.address.is_loopback() && settings.public.is_none();
        let wants_editor = settings.editor.is_some();
        let design = match (watches, edits) {
            (_, true) => Design::Edited { editor: settings.editor },
            (true, false) => Design::Watched,
            (false, false) => Design::Fixed,
        };
        let (hall, mut strange) = Hall::open(shelf, data, settings.most, calls, settings.seed, design);
        if wants_editor && !edits {
            let text = "no editor is opened from the board: that takes a game in a folder whose changes are taken in, \
                        and a server that listens to this machine alone";
            strange.push(text.to_owned());
        }
        if let Some(wrong) = wrong.clone().filter(|_| is_all)
            && hall.tables().iter().all(|table| table.facts().game != ready.game)
        {
            return Err(wrong);
        }
        let hall = Arc::new(hall);
        // Variants may be named by paths that lie elsewhere.
        let elsewhere = settings.variants.iter().map(Path::new).filter(|path| path.exists());
        let others: Vec<&Path> = elsewhere.chain(settings.loader.library_folder()).collect();
        let watcher = watches.then(|| watch(&hall, &others, runtime.handle().clone()));
        let watcher = watcher.and_then(|watcher| {
            let wrong = |error| strange.push(format!("changes of the rules are not seen: {error}"));
            watcher.map_err(wrong).ok()
        });
        let app = App { hall, doors: Arc::new(doors) };
        let behind_one = settings.public.is_some();
        Ok(Self {
            runtime,
            listener,
            app,
            front,
            outside,
            ready,
            behind_one,
            _watcher: watcher,
            strange,
            wrong,
        })
    }

    /// Where it is reached from this machine.
    pub fn front(&self) -> &str {
        &self.front
    }

    /// Where others reach it, if they can and that is known.
    pub fn outside(&self) -> Option<&str> {
        self.outside.as_deref()
    }

    /// Whether it takes in changed rules while games are under way: if it was asked to, and a game lies in a folder.
    pub fn watches(&self) -> bool {
        self.app.hall.design.watches()
    }

    /// How many tables it keeps.
    pub fn tables(&self) -> usize {
        self.app.hall.tables().len()
    }

    /// A table to play at once: the one that an earlier start made, as long as its game is not over, or a new one; none if its
    /// rules have errors.
    ///
    /// # Errors
    /// If there is no such setup, or the disk does not take it.
    pub fn ready_table(&self, setup: Option<String>, seating: Seating) -> Result<Option<Links>, StartError> {
        if setup.is_none()
            && let Some(table) = self.unfinished(seating)
        {
            return Ok(Some(self.links_again(&table)?));
        }
        if self.wrong.is_some() {
            return Ok(None);
        }
        let wanted = self.ready.clone();
        let kit = self.app.hall.shelf.kit(&wanted)?;
        let book = &kit.pool.program().book;
        let things = &book.kind(book.player).things;
        let names = book.players.iter().filter_map(|&player| things.get(player as usize));
        let opening = |place: usize| match seating {
            Seating::Bots if place > 0 => Opening::Bot(Skill::GREEDY),
            Seating::Bots | Seating::HotSeat => Opening::Link,
        };
        let seats: BTreeMap<String, Opening> =
            names.enumerate().map(|(place, thing)| (thing.name.clone(), opening(place))).collect();
        let made = self.app.hall.make(New { wanted, setup, seats, ready: true, ..New::default() })?;
        let table = self.app.hall.table(&made.name)?;
        if let Some(first) = made.secrets.first().filter(|_| seating == Seating::HotSeat) {
            table.change(|facts| facts.share_link(&hash(first)))?;
        }
        self.links(&table, &made.secrets, false).map(Some)
    }

    fn unfinished(&self, seating: Seating) -> Option<Arc<Table>> {
        let wanted = &self.ready;
        let tables = self.app.hall.tables();
        tables.into_iter().find(|table| {
            let facts = table.facts();
            let bots = facts.seats.iter().any(|seat| !seat.sits.is_human());
            // One whose only person has given his seat to a bot has no seat for a link any more.
            facts.ready
                && facts.seats.iter().any(|seat| seat.sits.is_human())
                && facts.wanted() == *wanted
                && bots == (seating == Seating::Bots)
                && self.goes_on(table)
        })
    }

    /// Whether a table can be gone on with: its rules are here and the same, and its game is not over.
    fn goes_on(&self, table: &Arc<Table>) -> bool {
        let hall = &self.app.hall;
        let ended = self.runtime.block_on(table.with(hall, |sitting| Ok(sitting.live.ended().is_some())));
        matches!(ended, Ok(false))
    }

    fn links_again(&self, table: &Table) -> Result<Links, Problem> {
        let facts = table.facts();
        let first = facts.seats.iter().position(|seat| seat.sits.is_human());
        let (seat, watch) = (new_secret()?, new_secret()?);
        let at_one_screen = facts.seats.iter().all(|seat| seat.sits.is_human());
        table.change(|facts| {
            if let Some(first) = first {
                facts.link_anew(Some(first), &hash(&seat));
            }
            facts.link_anew(None, &hash(&watch));
            if at_one_screen {
                facts.share_link(&hash(&seat));
            }
        })?;
        let of_seat = |place| if Some(place) == first { seat.clone() } else { String::new() };
        let secrets: Vec<String> = (0..facts.seats.len()).map(of_seat).chain([watch]).collect();
        self.links(table, &secrets, true).map_err(|error| Problem::internal(error.to_string()))
    }

    fn links(&self, table: &Table, secrets: &[String], goes_on: bool) -> Result<Links, StartError> {
        let facts = table.facts();
        let join = |front: &str, secret: &String| format!("{front}{}", to_join(&table.name, secret));
        let people = facts.seats.iter().zip(secrets);
        let people = people.filter(|(seat, secret)| seat.sits.is_human() && !secret.is_empty());
        Ok(Links {
            title: format!("{}: {}", facts.title, facts.setup),
            seats: people.map(|(seat, secret)| (seat.player.clone(), join(&self.front, secret))).collect(),
            watch: secrets
                .get(facts.seats.len())
                .map(|secret| join(self.outside().unwrap_or(&self.front), secret)),
            goes_on,
        })
    }

    /// Answers until it is told to stop; then every game is on the disk.
    ///
    /// # Errors
    /// If the system takes the address away.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), StartError> {
        let Self { runtime, listener, app, behind_one, _watcher, .. } = self;
        let hall = app.hall.clone();
        runtime.block_on(async move {
            let entrance = Entrance::new(listener, hall.most.connections, behind_one);
            tokio::spawn(hall.clone().doze());
            let service = routes(app).into_make_service_with_connect_info::<Peer>();
            let served = axum::serve(entrance, service);
            let ended = tokio::select! {
                served = served => served.map_err(|error| StartError::Wrong("serve::address", error.to_string())),
                () = stop => Ok(()),
            };
            hall.close().await;
            ended
        })
    }

    /// The same until Ctrl-C, or until the system asks the program to end.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_until_interrupted(self) -> Result<(), StartError> {
        self.run(interrupted())
    }
}

async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut ended) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = ended.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Takes the port asked for, or the first free one.
async fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, StartError> {
    let mut last = String::new();
    for port in port.map_or(PORT..=PORT + NEXT, |port| port..=port) {
        match TcpListener::bind((address, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => last = format!("{address} cannot be listened at, port {port}: {error}"),
        }
    }
    Err(StartError::Wrong("serve::address", last))
}

/// How a browser on this machine reaches an address.
fn front(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        return format!("http://localhost:{}", address.port());
    }
    format!("http://{address}")
}

/// The address that others have this machine by. The system says with which it would ask a machine far away: nothing is sent,
/// and the one that is named here is nobody's.
fn in_the_net(listens: IpAddr) -> Option<IpAddr> {
    let own = |from: &str, to: &str| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_loopback() && !own.is_unspecified()).then_some(own)
    };
    let six = || own("::", "2001:db8::1").filter(|_| listens.is_ipv6());
    own("0.0.0.0", "192.0.2.1").or_else(six)
}
