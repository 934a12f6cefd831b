//! Learns an outlook from games that programs play against themselves, and writes it as rules text.
//!
//! | module | what it does |
//! | --- | --- |
//! | `features` | what can be known of a player, as expressions made of the book's declarations |
//! | `trial` | the game with these expressions laid beside it; what cannot be checked is dropped |
//! | `sample` | positions of many games, what each expression says in them, and who has won |
//! | `fit`, `select` | which few tell who wins, and how much each weighs |
//! | `page` | the page that says so |
//! | `duel` | whether it plays better by it |

pub mod duel;
pub mod features;
pub mod fit;
pub mod page;
mod sample;
pub mod select;
mod trial;
mod work;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use blazon_book::Book;
use blazon_kernel::chance::{hash_text, mix};
use blazon_machine::bots::{OUTLOOK, Skill};
use blazon_program::Program;

use crate::Plan;
use crate::tally::{Failed, Failures, TOLD};
use duel::{Duel, duel};
use features::{Feature, candidates};
use fit::{Case, Cases};
use page::Origin;
use sample::{Seen, sample};
use select::{Part, Selected, select};
use trial::free;

pub use page::MARK;
pub use trial::Ground;
pub use work::{Hands, Progress};

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The seed of all games.
    pub seed: u64,
    /// How many games are played in each round.
    pub games: u64,
    /// How many rounds: the first by what there is, each further one by what the round before has learned.
    pub rounds: u64,
    /// How many positions of each game are looked at.
    pub positions: usize,
    /// The most clauses.
    pub clauses: usize,
    /// Who plays, once there is an outlook to play by.
    pub skill: Skill,
    /// How many sets of games tell whether it plays better; none are played if it is 0.
    pub sets: u64,
    /// What to type to learn the same again.
    pub again: String,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The clauses with their weights.
    pub clauses: Vec<(Feature, i64)>,
    /// How many candidates there were, and how many of them told positions apart.
    pub candidates: (usize, usize),
    /// Where it comes from.
    pub origin: Origin,
    /// The games that tell nothing.
    pub unfinished: Unfinished,
    /// How it plays.
    pub duels: Vec<Duel>,
    /// Whether the game has an outlook of its own.
    pub replaces: bool,
    /// The page.
    pub page: String,
}

/// Games that came to no end, of those that are learned from: nobody knows who was ahead in them.
#[derive(Clone, Debug, Default)]
pub struct Unfinished {
    /// How many games were played.
    pub played: u64,
    /// Of them the rules failed.
    pub faults: u64,
    /// And so many were given up after [`LONGEST`] decisions.
    pub limits: u64,
    /// The first of those that the game plays again as it is, and who played.
    pub first: Vec<(Failed, Skill)>,
}

impl Unfinished {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.faults + self.limits
    }

    fn add(&mut self, played: u64, failures: Failures, skill: &Skill) {
        self.played += played;
        self.faults += failures.faults;
        self.limits += failures.limits;
        // By what is being learned nobody else can play.
        if skill.outlook.is_none() {
            self.first.extend(failures.first.into_iter().map(|failed| (failed, skill.clone())));
            self.first.truncate(TOLD);
        }
    }
}

/// Why nothing was learned.
#[derive(Debug)]
pub enum Trouble {
    /// Somebody stopped it.
    Stopped,
    /// The rules have errors.
    Rules(blazon::Error),
    /// Fewer than two sit at the table.
    Alone,
    /// Nobody is ever asked anything.
    NoDecisions,
    /// No game came to an end.
    NoEnd(Box<Unfinished>),
    /// Nothing tells who wins.
    Nothing(Sought, Box<Unfinished>),
    /// The page that was learned is not sound, which is a mistake of this program.
    Unsound(Vec<String>),
    /// A game panicked, which is a mistake of this program and has been told by then.
    Bug,
}

/// Where nothing was found that tells who wins.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    /// The round and how many there are to be; 0 is the look at a few games beforehand.
    pub round: (u64, u64),
    /// In how many games it was looked for that came to an end.
    pub games: usize,
    /// How many features were looked at.
    pub features: usize,
}

impl fmt::Display for Sought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.round {
            (0, _) => f.write_str("a first look: ")?,
            (_, 1) => {}
            (round, all) => write!(f, "round {round} of {all}: ")?,
        }
        let Self { games, features, .. } = self;
        let (games_end, features_end) = (plural(*games), plural(*features));
        write!(
            f,
            "of {features} feature{features_end} that the declarations give none tells in {games} game{games_end} who will \
             win, beyond what luck would do"
        )
    }
}

/// The end of a word for so many.
fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl From<blazon::Error> for Trouble {
    fn from(error: blazon::Error) -> Self {
        Self::Rules(error)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Rules(error) => error.fmt(f),
            Self::Alone => f.write_str("fewer than two players sit at the table: nobody is ahead of anybody"),
            Self::NoDecisions => f.write_str("nobody is ever asked anything: there is nothing to judge"),
            Self::NoEnd(_) => f.write_str("none of the games came to an end: there is nothing to learn from"),
            Self::Nothing(sought, _) => write!(f, "{sought}; more games may tell more (`--games`)"),
            Self::Unsound(said) => {
                write!(f, "what was learned cannot be written down:\n{}", said.join("\n"))
            }
            Self::Bug => f.write_str("a game could not be played, and nothing was learned"),
        }
    }
}

impl std::error::Error for Trouble {}

/// How many games show which candidates tell positions apart, and how many positions of each.
const PILOT: (u64, usize) = (24, 16);
/// A game is given up after so many decisions.
pub const LONGEST: u64 = 20_000;

/// Learns an outlook.
///
/// # Errors
/// If it is stopped, the rules fail, or there is nothing to learn.
pub fn learn(
    ground: &mut Ground,
    program: &Arc<Program>,
    wish: &Wish,
    hands: Hands<'_>,
    progress: &mut dyn Progress,
) -> Result<Learned, Trouble> {
    let book = &program.book;
    if book.players.len() < 2 {
        return Err(Trouble::Alone);
    }
    let has_own = book.outlook(OUTLOOK).is_some();
    let all = candidates(book);
    let mut unfinished = Unfinished::default();
    let kept = pilot(ground, book, &all, wish, (hands, progress), &mut unfinished)?;
    // What is told is of the games that are learned from.
    let mut unfinished = Unfinished::default();
    let name = free(book, "learned outlook");
    let mut rounds: Vec<Vec<Seen>> = Vec::new();
    let mut players = Vec::new();
    let mut clauses: Vec<(Feature, i64)> = Vec::new();
    let mut selected = Selected::default();
    for round in 0..wish.rounds.max(1) {
        let (skill, rule) = match (wish.skill.effort().is_some(), clauses.is_empty()) {
            (true, false) => {
                let skill = Skill { outlook: Some(name.clone()), ..wish.skill.clone() };
                players.push(format!("{} with what was learned before", wish.skill));
                (skill, page::rule(book, &format!("rule {name}"), &clauses))
            }
            // Without an outlook a game is played to its end for each option: that takes long, and tells little more.
            (thinks, _) => {
                let skill = if thinks && has_own { wish.skill.clone() } else { Skill::RANDOM };
                players.push(skill.to_string());
                (skill, String::new())
            }
        };
        let trial = ground.try_out(book, &kept, &rule)?;
        let rules: Vec<_> = trial.features.iter().map(|(_, rule)| *rule).collect();
        let plan = Plan {
            most: LONGEST,
            ..Plan::new(&trial.program.book, mix(wish.seed, round + 1), skill.clone())
        };
        progress.begins(&format!("round {} of {}", round + 1, wish.rounds.max(1)), wish.games);
        let (seen, failures) =
            sample(&trial.program, &rules, &plan, (wish.games, wish.positions), hands, progress)?;
        progress.ends();
        unfinished.add(wish.games, failures, &skill);
        rounds.push(seen);
        let cases = cases(book, kept.len(), &rounds);
        let burdens: Vec<usize> = kept.iter().map(Feature::burden).collect();
        selected = select(&cases, wish.clauses, &|column| burdens.get(column).copied().unwrap_or_default());
        let feature = |&(column, weight): &(usize, i64)| Some((kept.get(column)?.clone(), weight));
        clauses = selected.weights.iter().filter_map(feature).collect();
        if clauses.is_empty() {
            let unfinished = Box::new(unfinished);
            let games = rounds.iter().map(Vec::len).sum();
            let sought = Sought { round: (round + 1, wish.rounds.max(1)), games, features: kept.len() };
            return Err(match games {
                0 => Trouble::NoEnd(unfinished),
                _ => Trouble::Nothing(sought, unfinished),
            });
        }
    }
    let mut learned = Learned {
        clauses,
        candidates: (all.len(), kept.len()),
        origin: Origin {
            what: what(book),
            seed: wish.seed,
            again: wish.again.clone(),
            games: rounds.iter().map(Vec::len).sum(),
            failed: unfinished.count(),
            players,
            held: selected.held,
            verdicts: Vec::new(),
        },
        unfinished,
        duels: Vec::new(),
        replaces: book.rules.iter().any(|rule| rule.name == OUTLOOK),
        page: String::new(),
    };
    learned.fight(ground, book, (&name, has_own), wish, hands, progress)?;
    learned.origin.verdicts = learned.duels.iter().map(ToString::to_string).collect();
    learned.page = page::page(book, learned.replaces, &learned.clauses, &learned.origin);
    let manifest = page::manifest("Tried out", &book.title, ground.beneath());
    let said = ground.said_of(manifest, learned.page.clone());
    if said.is_empty() { Ok(learned) } else { Err(Trouble::Unsound(said)) }
}

impl Learned {
    /// Plays by it.
    fn fight(
        &mut self,
        ground: &mut Ground,
        book: &Book,
        (name, has_own): (&str, bool),
        wish: &Wish,
        hands: Hands<'_>,
        progress: &mut dyn Progress,
    ) -> Result<(), Trouble> {
        if wish.sets == 0 {
            return Ok(());
        }
        let trial = ground.try_out(book, &[], &page::rule(book, &format!("rule {name}"), &self.clauses))?;
        let plain = if wish.skill.effort().is_some() { wish.skill.clone() } else { Skill::GREEDY };
        let skill = Skill { outlook: Some(name.to_owned()), ..plain.clone() };
        let against = if has_own { "the game's own outlook" } else { "the same player without an outlook" };
        let seed = mix(wish.seed, hash_text("duel"));
        for (other, against) in [(&plain, against), (&Skill::RANDOM, "random")] {
            let pair = (&skill, other);
            let duel = duel(&trial.program, pair, against, (seed, wish.sets), hands, progress)?;
            self.duels.push(duel);
        }
        Ok(())
    }
}

/// Game, setup, variants and rulings, in words.
fn what(book: &Book) -> String {
    let setup = book.setups.get(book.default_setup).map_or("", |setup| &setup.name);
    let variants = book.variants.iter().map(|(name, _)| name.clone());
    let with: Vec<String> = variants.chain(book.other_rulings()).collect();
    match with.is_empty() {
        true => format!("{} ({setup})", book.title),
        false => format!("{} ({setup}) with {}", book.title, blazon_diagnostics::list(&with, "and")),
    }
}

/// Those of the candidates that can be checked, never fail, and tell positions of a few games apart; of those that tell
/// the same the plainest.
fn pilot(
    ground: &mut Ground,
    book: &Book,
    all: &[Feature],
    wish: &Wish,
    (hands, progress): (Hands<'_>, &mut dyn Progress),
    unfinished: &mut Unfinished,
) -> Result<Vec<Feature>, Trouble> {
    let trial = ground.try_out(book, all, "")?;
    let rules: Vec<_> = trial.features.iter().map(|(_, rule)| *rule).collect();
    let plan = Plan { most: LONGEST, ..Plan::new(&trial.program.book, mix(wish.seed, 0), Skill::RANDOM) };
    progress.begins("a first look", PILOT.0);
    let (seen, failures) = sample(&trial.program, &rules, &plan, PILOT, hands, progress)?;
    progress.ends();
    unfinished.add(PILOT.0, failures, &Skill::RANDOM);
    if seen.is_empty() {
        return Err(Trouble::NoEnd(Box::new(std::mem::take(unfinished))));
    }
    let sought = Sought { round: (0, wish.rounds), games: seen.len(), features: all.len() };
    let cases = cases(book, rules.len(), &[seen]);
    if cases.cases.is_empty() {
        return Err(Trouble::NoDecisions);
    }
    let mut known: BTreeMap<Vec<u64>, ()> = BTreeMap::new();
    let mut kept = Vec::new();
    for (column, (feature, _)) in cases.columns.iter().zip(&trial.features) {
        let tells = column.iter().any(|&value| value != 0.0);
        let bits = column.iter().map(|value| value.to_bits()).collect();
        if tells && known.insert(bits, ()).is_none() {
            kept.push(feature.clone());
        }
    }
    match kept.is_empty() {
        true => Err(Trouble::Nothing(sought, Box::new(std::mem::take(unfinished)))),
        false => Ok(kept),
    }
}

/// What each player has more than the others, position by position. Two players are each other's mirror: one of them is
/// enough. Of several others their mean counts, so that a sum of clauses is the sum of what they say.
fn cases(book: &Book, columns: usize, rounds: &[Vec<Seen>]) -> Cases {
    let seats = book.players.len();
    let seen_from = if seats == 2 { 1 } else { seats };
    let mut cases = Cases {
        columns: vec![Vec::new(); columns],
        groups: seen_from * rounds.len(),
        views: seen_from,
        ..Cases::default()
    };
    let mut fails = vec![false; columns];
    let mut game = 0;
    for (round, seen) in rounds.iter().enumerate() {
        for seen in seen {
            let weight = 1.0 / (seen.positions.len() * seen_from).max(1) as f64;
            for values in &seen.positions {
                for (seat, &player) in book.players.iter().enumerate().take(seen_from) {
                    let won = match seen.winner {
                        Some(winner) => f64::from(u8::from(winner == player)),
                        None => 1.0 / seats as f64,
                    };
                    let group = round * seen_from + seat;
                    cases.cases.push(Case { game, part: Part::of(seen.key), weight, won, group });
                    for (place, column) in cases.columns.iter_mut().enumerate() {
                        let of = values.get(place * seats..(place + 1) * seats).unwrap_or_default();
                        let others = of.iter().sum::<f64>() - of.get(seat).copied().unwrap_or_default();
                        let lead =
                            of.get(seat).copied().unwrap_or_default() - others / (seats - 1).max(1) as f64;
                        fails[place] |= !lead.is_finite();
                        column.push(lead);
                    }
                }
            }
            game += 1;
        }
    }
    for (column, _) in cases.columns.iter_mut().zip(fails).filter(|(_, fails)| *fails) {
        column.fill(0.0);
    }
    cases
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use blazon::{Rules, Settings};

    use super::*;

    /// Whoever has more coins wins; what else is kept is noise.
    const COINS: &str = "
kind side = Red, Blue { state coins: 0..99; state noise: 0..99 }
setup Start (side: coins) { Red, Blue: 5 }
step game {
  for n in 1..8 {
    for s in sides {
      choose by s \"Toss?\" {
        option toss \"Toss\" { s.coins += roll(d6); s.noise += roll(d6) }
        option wait \"Wait\" { s.coins += roll(d3); s.noise += roll(d3) }
      }
    }
  }
  if Red.coins > Blue.coins { win(Red) }
  if Blue.coins > Red.coins { win(Blue) }
}
";

    fn ground() -> (Ground, Arc<Program>) {
        let manifest = r#"Game(name: "Coins", player: "side", begins: "game")"#;
        let rules = Rules::from_texts([("blazon.ron", manifest), ("coins.blazon", COINS)]);
        Ground::new(&rules, &[], Settings::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn wish() -> Wish {
        let (seed, games, positions) = (3, 300, 6);
        Wish {
            seed,
            games,
            rounds: 1,
            positions,
            clauses: 4,
            skill: Skill::GREEDY,
            sets: 0,
            again: String::new(),
        }
    }

    #[test]
    fn the_cause_is_learned_on_any_number_of_threads() {
        let pages = [1, 3].map(|threads| {
            let (mut ground, program) = ground();
            let hands = Hands { threads, stop: &AtomicUsize::new(0) };
            learn(&mut ground, &program, &wish(), hands, &mut ()).unwrap_or_else(|error| panic!("{error}"))
        });
        let clauses: Vec<_> =
            pages[0].clauses.iter().map(|(feature, weight)| (&*feature.text, *weight > 0)).collect();
        assert_eq!(clauses, [("s.coins", true)], "{}", pages[0].page);
        assert_eq!(pages[0].page, pages[1].page);
        assert!(pages[0].origin.held.right > 0.7, "{}", pages[0].page);
    }

    #[test]
    fn what_cannot_be_checked_is_dropped() {
        let (mut ground, program) = ground();
        let texts = ["s.coins", "s.coin", "count 3", "s.noise + (", "winner = s", "count s.coins"];
        let feature = |text: &str| Feature {
            label: "x".to_owned(),
            text: text.to_owned(),
            is_condition: text.contains('='),
        };
        let features = texts.map(feature);
        let trial = ground.try_out(&program.book, &features, "").unwrap_or_else(|error| panic!("{error}"));
        let left: Vec<&str> = trial.features.iter().map(|(feature, _)| &*feature.text).collect();
        assert_eq!(left, ["s.coins", "winner = s"]);
    }

    #[test]
    fn it_can_be_stopped() {
        let (mut ground, program) = ground();
        let hands = Hands { threads: 2, stop: &AtomicUsize::new(1) };
        let learned = learn(&mut ground, &program, &wish(), hands, &mut ());
        assert!(matches!(learned, Err(Trouble::Stopped)));
    }
}
