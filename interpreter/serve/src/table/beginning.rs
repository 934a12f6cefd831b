//! Making a table.

use std::collections::BTreeMap;

use blazon::Program;
use blazon::book::Book;
use blazon::bots::Skill;
use blazon::files::put_whole;
use blazon::machine::save::Save;

use super::keep_facts;
use crate::hall::{Hall, now};
use crate::keep::{Access, Facts, Journal, Seat, Sits, keep_rules};
use crate::problem::Problem;
use crate::secret::{hash, new_secret, new_seed};
use crate::shelf::Wanted;

/// What is wanted of a new table.
#[derive(Clone, Debug, Default)]
pub struct New {
    /// The rules.
    pub wanted: Wanted,
    /// The setup; the rules' own if none is named.
    pub setup: Option<String>,
    /// For players by name who takes the seat; a person with a link where nothing is said.
    pub seats: BTreeMap<String, Opening>,
    /// The hash of the browser that makes it.
    pub browser: Option<String>,
    /// Whether the server makes it by itself.
    pub ready: bool,
    /// The saved game that it goes on with.
    pub saved: Option<String>,
    /// Whether seats of which nothing is said are the maker's.
    pub mine: bool,
}

/// Who takes a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Whoever makes the table.
    Mine,
    /// Whoever has the link.
    Link,
    /// Whoever comes to the lobby first, or has the link.
    Open,
    /// A bot.
    Bot(Skill),
}

/// A table that was made, with the secrets of its links, which are nowhere else.
pub struct Made {
    /// Its name.
    pub name: String,
    /// For each seat, and last for spectators, the link's secret.
    pub secrets: Vec<String>,
}

impl Hall {
    /// Makes a table.
    ///
    /// # Errors
    /// If there are too many, what is wanted is not there, or the disk does not take it.
    pub fn make(&self, new: New) -> Result<Made, Problem> {
        self.has_room()?;
        let kit = self.shelf.kit(&new.wanted)?;
        let program = kit.pool.program();
        let (setup, seed) = match &new.saved {
            Some(text) => {
                // A game that these rules cannot have reached is refused here.
                kit.pool.load(text)?;
                let save = Save::from_text(text)?;
                (save.setup, save.seed)
            }
            None => {
                let setup = setup(program, new.setup.as_deref())?;
                let seed = self.seed.map_or_else(new_seed, Ok)?;
                kit.pool.start(setup.into(), seed)?;
                (program.book.setups[setup].name.clone(), seed)
            }
        };
        let (seats, secrets) = seats(program, &new)?;
        let watch = new_secret()?;
        let facts = Facts {
            format: Facts::FORMAT,
            game: new.wanted.game.clone(),
            title: program.book.title.clone(),
            variants: new.wanted.variants.clone(),
            rulings: new.wanted.rulings.clone(),
            setup,
            seed,
            rules: kit.digest.clone(),
            course: 0,
            saved: new.saved.is_some(),
            logged: true,
            made: now(),
            ready: new.ready,
            seats,
            watch: Access { link: hash(&watch), browsers: Vec::new() },
            owner: new.browser.clone().unwrap_or_default(),
            rematch: None,
            // A saved game tells everything: whoever brings one may have read it. One that was taken from another table has
            // its luck and its secrets in common with that: what is to come here can be seen there.
            told: new.saved.is_some(),
        };
        keep_rules(&self.data.rules(&kit.digest), &kit.project)?;
        let name = self.keep_new(facts, new.saved.as_deref())?;
        Ok(Made { name, secrets: secrets.into_iter().chain([watch]).collect() })
    }

    fn keep_new(&self, facts: Facts, saved: Option<&str>) -> Result<String, Problem> {
        let name = self.data.new_table()?;
        let folder = self.data.table(&name);
        let saved = saved.map_or(Ok(()), |text| {
            let written = put_whole(&folder.join("begin.game"), text);
            written.map_err(|error| Problem::kept(format!("the table cannot be written down: {error}")))
        });
        let logged = saved.and_then(|()| Journal::begin(&folder.join(facts.log())));
        // A folder becomes a table with its facts, which come last.
        if let Err(problem) = logged.and_then(|()| keep_facts(&folder, &facts)) {
            self.data.remove(&name);
            return Err(problem);
        }
        self.add_new(&name, facts);
        Ok(name)
    }
}

fn setup(program: &Program, name: Option<&str>) -> Result<usize, Problem> {
    let Some(name) = name else { return Ok(program.book.default_setup) };
    let found = program.book.setups.iter().position(|setup| setup.name == name);
    found.ok_or_else(|| Problem::request(format!("there is no setup `{name}`")))
}

/// The seats, and the secrets of their links.
fn seats(program: &Program, new: &New) -> Result<(Vec<Seat>, Vec<String>), Problem> {
    let things = &program.book.kind(program.book.player).things;
    let (mut seats, mut secrets) = (Vec::new(), Vec::new());
    for &player in &program.book.players {
        let name = things.get(player as usize).map(|thing| thing.name.clone()).unwrap_or_default();
        let opening =
            new.seats.get(&name).cloned().unwrap_or(if new.mine { Opening::Mine } else { Opening::Link });
        let secret = new_secret()?;
        let mut access = Access { link: hash(&secret), browsers: Vec::new() };
        if let (Opening::Mine, Some(browser)) = (&opening, &new.browser) {
            access.give(browser);
        }
        let open = opening == Opening::Open;
        let sits = match opening {
            Opening::Bot(skill) => Sits::Bot(skill),
            Opening::Mine | Opening::Link | Opening::Open => Sits::Human,
        };
        seats.push(Seat { player: name, sits, open, access, webhook: None });
        secrets.push(secret);
    }
    Ok((seats, secrets))
}

/// By what rules are known again.
pub fn digest(book: &Book) -> String {
    let rules = blazon::machine::save::Rules::of(book);
    rules.text.map(|text| text.digest().to_owned()).unwrap_or_default()
}

impl New {
    /// What was wanted of another table; a seat that a person has is one with a link.
    pub fn again(facts: &Facts) -> Self {
        let wanted = facts.wanted();
        let seats = facts.seats.iter().map(|seat| {
            let opening = match &seat.sits {
                Sits::Human => Opening::Link,
                Sits::Bot(skill) => Opening::Bot(skill.clone()),
            };
            (seat.player.clone(), opening)
        });
        Self { wanted, seats: seats.collect(), ..Self::default() }
    }
}
