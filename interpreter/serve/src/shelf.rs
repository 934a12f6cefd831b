//! The games that are served, and what is made of them: a program, its machines, its board. Tables of the same game,
//! variants and rulings share all this.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use blazon::{Game, Limits, Loader, Pool, Rules, Selection};

use crate::draw::Board;
use crate::problem::Problem;

/// A stranger's rules should not keep the others waiting: a tenth of the usual operations.
const OPERATIONS: u64 = 5_000_000;
/// How many programs are kept that no table uses.
const SPARE: usize = 8;

/// The games that are served.
pub struct Shelf {
    games: Vec<Offered>,
    kits: Mutex<Vec<(Wanted, Arc<Kit>)>>,
}

/// A game that is served.
pub struct Offered {
    /// How it is named to the server: a folder, or the key of a game inside the program.
    pub key: String,
    /// Its own name.
    pub name: String,
    /// Its variants: folder and name.
    pub variants: Vec<(String, String)>,
    rules: Mutex<Rules>,
}

/// What of a game is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The game's key.
    pub game: String,
    /// The folders of its variants.
    pub variants: Vec<String>,
    /// The rulings asked for.
    pub rulings: Vec<(String, String)>,
}

/// What tables of the same rules share.
pub struct Kit {
    /// Lends machines.
    pub pool: Pool,
    /// Draws.
    pub board: Board,
    /// By what its rules are known again.
    pub digest: String,
}

impl Kit {
    /// A game of its own, to look back in.
    ///
    /// # Errors
    /// If the states of the program have no start.
    pub fn game(&self) -> Result<Game, blazon::Error> {
        Game::with_limits(self.pool.program().clone(), limits())
    }
}

fn limits() -> Limits {
    Limits { ops: OPERATIONS, ..Limits::default() }
}

impl Shelf {
    /// The games of these names or folders; without any, all inside the program, the default game first. Comes with the
    /// folders of the variants that are asked for by name or path: of the first game, beside which they lie then.
    ///
    /// # Errors
    /// If one is not found.
    pub fn new(
        loader: &Loader,
        targets: &[String],
        asked: &[String],
    ) -> Result<(Self, Vec<String>), blazon::Error> {
        let mut targets = targets.to_vec();
        if targets.is_empty() {
            let first = blazon::default_game().map(|game| game.key);
            let others = blazon::embedded_games().into_iter().map(|game| game.key);
            targets = first.iter().cloned().chain(others.filter(|key| Some(key) != first.as_ref())).collect();
        }
        let (mut games, mut wanted) = (Vec::new(), Vec::new());
        for (place, key) in targets.into_iter().enumerate() {
            let mut rules = found(loader, &key)?;
            if place == 0 {
                let stack = rules.stack(asked)?;
                let laid = stack.iter().filter(|&&place| Some(place) != rules.inside);
                wanted = laid.map(|&place| rules.variants[place].key.clone()).collect();
                wanted.sort();
            }
            let variants = rules.variants.iter();
            let variants = variants.map(|variant| (variant.key.clone(), variant.name.clone())).collect();
            games.push(Offered { name: rules.name(), variants, rules: Mutex::new(rules), key });
        }
        Ok((Self { games, kits: Mutex::default() }, wanted))
    }

    /// All games.
    pub fn games(&self) -> &[Offered] {
        &self.games
    }

    /// The game of a key.
    pub fn game(&self, key: &str) -> Option<&Offered> {
        self.games.iter().find(|game| game.key == key)
    }

    /// What is needed to play something.
    ///
    /// # Errors
    /// If there is no such game, variant or ruling, or the rules have errors.
    pub fn kit(&self, wanted: &Wanted) -> Result<Arc<Kit>, Wrong> {
        if let Some(kit) = self.known(wanted) {
            return Ok(kit);
        }
        let Some(game) = self.game(&wanted.game) else {
            let text = format!("the game `{}` is not served here; name it to `blazon serve`", wanted.game);
            return Err(Problem::new(axum::http::StatusCode::NOT_FOUND, "serve::game", text).into());
        };
        // A path would be read from the disk: only what lies beside the game may be asked for from outside.
        if let Some(strange) =
            wanted.variants.iter().find(|key| !game.variants.iter().any(|(k, _)| k == *key))
        {
            return Err(Problem::request(format!("{} has no variant `{strange}`", game.name)).into());
        }
        let kit = Arc::new(game.kit(wanted)?);
        let mut kits = lock(&self.kits);
        let spare = kits.iter().filter(|(_, kit)| Arc::strong_count(kit) == 1).count();
        let oldest = kits.iter().position(|(_, kit)| Arc::strong_count(kit) == 1);
        if let (true, Some(oldest)) = (spare >= SPARE, oldest) {
            kits.remove(oldest);
        }
        kits.push((wanted.clone(), kit.clone()));
        Ok(kit)
    }

    fn known(&self, wanted: &Wanted) -> Option<Arc<Kit>> {
        lock(&self.kits).iter().find(|(other, _)| other == wanted).map(|(_, kit)| kit.clone())
    }
}

/// Why something cannot be played.
pub enum Wrong {
    /// The rules have errors.
    Rules(blazon::Error),
    /// It is not here.
    Other(Problem),
}

impl From<blazon::Error> for Wrong {
    fn from(error: blazon::Error) -> Self {
        Self::Rules(error)
    }
}

impl From<Problem> for Wrong {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Rules(error) => error.into(),
            Wrong::Other(problem) => problem,
        }
    }
}

impl Wanted {
    /// The same as the library takes it.
    pub fn selection(&self) -> Selection {
        let (variants, rulings) = (self.variants.clone(), self.rulings.clone());
        Selection { variants, rulings, ..Selection::default() }
    }
}

impl Offered {
    fn kit(&self, wanted: &Wanted) -> Result<Kit, Wrong> {
        let mut rules = lock(&self.rules);
        let program = rules.program(&wanted.selection())?;
        let stack = rules.stack(&wanted.variants)?;
        let map = rules.map(&stack).map(|page| page.text.as_str());
        let board = Board::new(program.clone(), map)?;
        let digest = crate::table::digest(&program.book);
        let pool = Pool::new(program, limits())?;
        Ok(Kit { pool, board, digest })
    }
}

/// A game, its files named from its own folder on: players are told where a rule stands, not where this machine keeps it.
fn found(loader: &Loader, key: &str) -> Result<Rules, blazon::Error> {
    let rules = loader.find(key)?;
    match rules.root.as_deref().and_then(Path::parent) {
        Some(around) => loader.clone().names_from(around).find(key),
        None => Ok(rules),
    }
}

/// What stands behind these locks is whole at any moment, whoever panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
