//! The games that are served, and what is made of them: a program, its machines, its board. Tables of the same game,
//! variants and rulings share all this.

mod kit;
mod offered;
mod trouble;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use blazon::{Loader, Selection};

use crate::problem::Problem;

pub use kit::Kit;
pub use offered::{Offered, kept_kit};
pub use trouble::Trouble;

/// How many programs are kept that no table uses.
const SPARE: usize = 8;

/// The games that are served.
pub struct Shelf {
    games: Vec<Offered>,
    /// By the rules as they are now.
    kits: Mutex<Vec<Arc<Kit>>>,
    /// By rules as they were; tables that still go by them hold them.
    old: Mutex<Vec<Weak<Kit>>>,
    /// What is wrong with what is played; then the rules before are in force.
    troubles: Mutex<Vec<(Wanted, Arc<Trouble>)>>,
    /// Grows when rules, or what is wrong with them, are others.
    edition: AtomicU64,
}

/// What of a game is played. [`Self::sorted`], two orders of the same are one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The game's key.
    pub game: String,
    /// The folders of its variants.
    pub variants: Vec<String>,
    /// The rulings asked for.
    pub rulings: Vec<(String, String)>,
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
        for (place, key) in targets.iter().enumerate() {
            let (game, variants) = Offered::find(loader, key, if place == 0 { asked } else { &[] })?;
            if place == 0 {
                wanted = variants;
            }
            games.push(game);
        }
        let (kits, old, troubles) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok((Self { games, kits, old, troubles, edition: AtomicU64::new(0) }, wanted))
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
        let variants = game.variants();
        if let Some(strange) =
            wanted.variants.iter().find(|key| !variants.iter().any(|known| known.key == **key))
        {
            return Err(Problem::request(format!("{} has no variant `{strange}`", game.name)).into());
        }
        let (mut readings, mut kit) = (game.readings(), Arc::new(game.kit(wanted)?));
        let mut kits = loop {
            let kits = lock(&self.kits);
            if game.readings() == readings {
                break kits;
            }
            // The files changed while it was compiled, and nobody knew yet that it is played.
            drop(kits);
            (readings, kit) = (game.readings(), Arc::new(game.kit(wanted)?));
        };
        // Another table may have wanted the same meanwhile.
        if let Some(known) = kits.iter().find(|kit| kit.wanted == *wanted) {
            return Ok(known.clone());
        }
        let spare = kits.iter().filter(|kit| Arc::strong_count(kit) == 1).count();
        let oldest = kits.iter().position(|kit| Arc::strong_count(kit) == 1);
        if let (true, Some(oldest)) = (spare >= SPARE, oldest) {
            kits.remove(oldest);
        }
        kits.push(kit.clone());
        Ok(kit)
    }

    /// What a table goes on by: the rules that it was begun by, as they are now or as some table still has them.
    pub fn by_digest(&self, wanted: &Wanted, digest: &str) -> Option<Arc<Kit>> {
        let fits = |kit: &Arc<Kit>| kit.wanted == *wanted && kit.digest == digest;
        let now = lock(&self.kits).iter().find(|kit| fits(kit)).cloned();
        now.or_else(|| lock(&self.old).iter().filter_map(Weak::upgrade).find(fits))
    }

    /// Takes in rules that are those of no file any more, so that other tables find them.
    pub fn add_old(&self, kit: &Arc<Kit>) {
        let mut old = lock(&self.old);
        old.retain(|kit| kit.strong_count() > 0);
        old.push(Arc::downgrade(kit));
    }

    /// The rules of something that is played, as they were when they were last without errors.
    pub fn known(&self, wanted: &Wanted) -> Option<Arc<Kit>> {
        lock(&self.kits).iter().find(|kit| kit.wanted == *wanted).cloned()
    }

    /// What is wrong with the rules of something as they stand in the files.
    pub fn trouble(&self, wanted: &Wanted) -> Option<Arc<Trouble>> {
        lock(&self.troubles).iter().find(|(other, _)| other == wanted).map(|(_, trouble)| trouble.clone())
    }

    /// Takes in the files of a game as they are now: what is played of it is compiled anew, and where that has errors it
    /// stays as it was. Answers what of it is another, or has other errors.
    pub fn read_again(&self, game: &Offered) -> Vec<Wanted> {
        if !game.read_again() {
            return Vec::new();
        }
        let mut played: Vec<Wanted> = lock(&self.kits).iter().map(|kit| kit.wanted.clone()).collect();
        // What had errors from the beginning has none yet.
        let troubled: Vec<Wanted> = lock(&self.troubles).iter().map(|(wanted, _)| wanted.clone()).collect();
        played.extend(troubled.into_iter().filter(|wanted| self.known(wanted).is_none()));
        played.retain(|wanted| wanted.game == game.key);
        played.into_iter().filter(|wanted| self.take(wanted, game.kit_again(wanted))).collect()
    }

    /// Says of what was read again whether somebody learns what is hidden; answers whether that is news.
    pub fn prove(&self, game: &Offered, wanted: &Wanted) -> bool {
        if self.trouble(wanted).is_some() {
            return false;
        }
        let trouble = game.proof(wanted).map(|trouble| Trouble { is_in_force: true, ..trouble });
        trouble.is_some_and(|trouble| self.say(wanted, Some(trouble)))
    }

    /// Notes what is wrong with rules that have errors from the beginning, for the tables that go on by older ones.
    pub fn note_trouble(&self, wanted: &Wanted) {
        if self.trouble(wanted).is_none()
            && let Some(Err(trouble)) = self.game(&wanted.game).map(|game| game.kit_again(wanted))
        {
            self.say(wanted, Some(trouble));
        }
    }

    /// How often rules, or what is wrong with them, have become others.
    pub fn edition(&self) -> u64 {
        self.edition.load(Ordering::SeqCst)
    }

    fn take(&self, wanted: &Wanted, kit: Result<Kit, Trouble>) -> bool {
        let kit = match kit {
            Ok(kit) => Arc::new(kit),
            Err(trouble) => return self.say(wanted, Some(trouble)),
        };
        self.say(wanted, None);
        let mut kits = lock(&self.kits);
        if let Some(place) = kits.iter().position(|kit| kit.wanted == *wanted) {
            let old = std::mem::replace(&mut kits[place], kit);
            self.add_old(&old);
        } else {
            kits.push(kit);
        }
        drop(kits);
        self.edition.fetch_add(1, Ordering::SeqCst);
        true
    }

    fn say(&self, wanted: &Wanted, trouble: Option<Trouble>) -> bool {
        let mut troubles = lock(&self.troubles);
        let before = troubles.iter().position(|(other, _)| other == wanted);
        let before = before.map(|place| troubles.remove(place).1);
        let is_news = before.as_deref() != trouble.as_ref();
        troubles.extend(trouble.map(|trouble| (wanted.clone(), Arc::new(trouble))));
        drop(troubles);
        self.edition.fetch_add(u64::from(is_news), Ordering::SeqCst);
        is_news
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
    /// The same in the one order in which it is kept: a stack of variants is a set, and so are rulings.
    pub fn sorted(mut self) -> Self {
        self.variants.sort();
        self.variants.dedup();
        self.rulings.sort();
        self
    }

    /// The same as the library takes it.
    pub fn selection(&self) -> Selection {
        let (variants, rulings) = (self.variants.clone(), self.rulings.clone());
        Selection { variants, rulings, ..Selection::default() }
    }
}

/// What stands behind these locks is whole at any moment, whoever panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(games: &[&str]) -> Shelf {
        let games: Vec<String> = games.iter().map(|&game| game.to_owned()).collect();
        Shelf::new(&Loader::new(), &games, &[]).expect("there are games").0
    }

    #[test]
    fn one_choice_in_two_orders_is_compiled_once() {
        let shelf = shelf(&["richard-iii"]);
        let wanted = |game: &str| Wanted { game: game.to_owned(), ..Wanted::default() };
        let first = shelf.kit(&wanted("richard-iii")).ok().expect("rules");
        let rulings: Vec<(String, String)> = {
            let rulings = first.pool.program().book.rulings.iter().take(2);
            rulings.map(|ruling| (ruling.name.clone(), ruling.values[1].clone())).collect()
        };
        assert_eq!(rulings.len(), 2);
        let backwards: Vec<_> = rulings.iter().rev().cloned().collect();
        let [a, b] = [rulings, backwards].map(|rulings| {
            let wanted = Wanted { rulings, ..wanted("richard-iii") }.sorted();
            shelf.kit(&wanted).ok().expect("rules")
        });
        assert!(Arc::ptr_eq(&a, &b) && !Arc::ptr_eq(&a, &first));
    }

    #[test]
    fn whoever_asks_for_variants_waits_for_nobody() {
        let shelf = shelf(&["richard-iii"]);
        let game = shelf.game("richard-iii").expect("a game");
        let before = game.variants();
        let somebody_reads = game.held();
        assert_eq!(before, game.variants());
        drop(somebody_reads);
    }

    #[test]
    fn nothing_is_held_while_a_game_is_compiled() {
        let shelf = Arc::new(shelf(&["richard-iii"]));
        let compiles = std::thread::spawn({
            let shelf = shelf.clone();
            move || {
                let wanted = Wanted { game: "richard-iii".to_owned(), ..Wanted::default() };
                assert!(shelf.kit(&wanted).is_ok());
            }
        });
        // Whoever had to wait would be answered once, at the end.
        let game = shelf.game("richard-iii").expect("a game");
        let mut answered = 0;
        while !compiles.is_finished() {
            game.readings();
            answered += 1;
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        compiles.join().expect("it compiles");
        assert!(answered > 3, "{answered}");
    }
}
