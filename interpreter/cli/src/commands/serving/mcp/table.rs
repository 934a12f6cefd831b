//! The game under way: what is asked, what was chosen, why something is not open, what would come of it.

use blazon::told::Event;
use blazon::trace::Tracer;
use blazon::{Game, PlayerId, Rules, Selection};
use blazon_machine::save::{Replayed, Save};
use serde_json::{Map, Value, json};

use super::refusal::Refusal;
use crate::protocol::answer;
use crate::protocol::request::Which;
use crate::seats::{Seat, Seats};
use crate::seed::new_seed;

/// The most events that one answer tells: the last of them.
const EVENTS: usize = 200;
/// So many decisions programs inside may take in a row.
const IN_A_ROW: usize = 100_000;
/// So many options a question tells, unless others are asked for.
const OPTIONS: usize = 60;

/// A game and who plays it.
pub struct Table {
    game: Game,
    seats: Seats,
    /// Who sits there, as it was asked for.
    players: Vec<(Option<String>, Seat)>,
    /// The rules by which it is played, as they were when it was begun.
    rules: Rules,
    /// What of them.
    selection: Selection,
    /// How many events have been told.
    told: usize,
}

/// What of a question is told.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Only options of this name.
    pub only: Option<String>,
    /// From this one on.
    pub from: usize,
}

impl Table {
    /// Begins a game.
    ///
    /// # Errors
    /// If the rules have errors or fail, or there is no such setup or player.
    pub fn begin(
        rules: Rules,
        selection: Selection,
        seed: Option<u64>,
        players: &[String],
    ) -> Result<Self, Refusal> {
        let seed = seed.unwrap_or_else(new_seed);
        let mut table = Self::new(rules, selection, seed, &seats_of(players)?)?;
        let setup = table.game.setup();
        table.game.start(setup, seed)?;
        Ok(table)
    }

    fn new(
        mut rules: Rules,
        selection: Selection,
        seed: u64,
        players: &[(Option<String>, Seat)],
    ) -> Result<Self, Refusal> {
        let game = Game::new(rules.program(&selection)?)?;
        let seats = Seats::new(game.book(), players, seed)?;
        Ok(Self { game, seats, players: players.to_vec(), rules, selection, told: 0 })
    }

    /// A saved game, and what whoever goes on with it should know.
    ///
    /// # Errors
    /// If it is damaged, or of other rules.
    pub fn of_save(
        rules: Rules,
        selection: Selection,
        text: &str,
        players: &[String],
    ) -> Result<(Self, Option<Value>), Refusal> {
        let save = Save::from_text(text).map_err(blazon::Error::from)?;
        let mut table = Self::new(rules, selection, save.seed, &seats_of(players)?)?;
        let note = table.game.load(text).map_err(blazon::Error::from)?;
        Ok((table, note.map(Value::from)))
    }

    /// The same game played again from its start, by the rules as they are now, as far as they allow; and how far that is.
    ///
    /// # Errors
    /// If these have errors, or fail before the first decision.
    pub fn again(&self, rules: Rules, selection: Selection) -> Result<(Self, Value), Refusal> {
        let mut table = Self::new(rules, selection, self.game.seed(), &self.players)?;
        let replayed = table.game.replay(&self.game.saved())?;
        let again = match replayed {
            Replayed::Whole => json!({ "whole": true, "decisions": self.game.taken() }),
            Replayed::Until(divergence) => json!({ "whole": false, "parted": divergence.to_string() }),
        };
        Ok((table, again))
    }

    /// What is played.
    pub fn played(&self) -> Value {
        json!(self.game.about())
    }

    /// Lets programs on seats of their own choose, and tells what happened and what is asked now.
    ///
    /// # Errors
    /// If the rules fail; the game stands before that.
    pub fn go_on(&mut self) -> Result<Value, Refusal> {
        for taken in 0.. {
            let Some(player) = self.game.decider().filter(|&player| !self.seats.is_human(player)) else {
                break;
            };
            if taken == IN_A_ROW {
                let message = format!("the programs at the table have taken {taken} decisions in a row");
                return Err(Refusal::new("protocol::endless", message)
                    .help("choose for one of them, or begin another game"));
            }
            let option = self.seats.decide(&mut self.game, player).unwrap_or_default();
            self.game.choose(player, option)?;
        }
        let mut news = self.asked(&Shown::default())?;
        let from = std::mem::replace(&mut self.told, self.game.event_count());
        let events = self.game.events_since(from);
        let left_off = (self.told - from).saturating_sub(EVENTS);
        let last = &events[events.len().saturating_sub(EVENTS)..];
        news["events"] = last.iter().map(|event| json!(Event::of(&self.game, event))).collect();
        if left_off > 0 {
            news["events_left_off"] = left_off.into();
        }
        Ok(news)
    }

    /// What is asked, and how many decisions were taken; or how it ended.
    ///
    /// # Errors
    /// If options of a name are asked for that nobody has.
    pub fn asked(&mut self, shown: &Shown) -> Result<Value, Refusal> {
        if self.game.outcome().is_some() {
            return Ok(json!({ "decisions": self.game.taken(), "asked": [], "end": self.game.end() }));
        }
        let names: Vec<String> = self.game.option_names().into_iter().map(|(name, _)| name).collect();
        if let Some(only) = shown.only.as_ref().filter(|only| !names.contains(only)) {
            let message = format!(
                "there is no option `{}` here; there are {}",
                blazon::present::harmless(only),
                blazon_diagnostics::list(&names, "and")
            );
            return Err(Refusal::new("protocol::name", message));
        }
        let asked: Vec<Value> =
            self.game.deciders().into_iter().map(|player| self.question(player, shown)).collect();
        Ok(json!({ "decisions": self.game.taken(), "asked": asked }))
    }

    fn question(&mut self, player: PlayerId, shown: &Shown) -> Value {
        let mut question = self.game.question(player);
        let mut by_name: Map<String, Value> = Map::new();
        for offer in &question.options {
            let count = by_name.get(&offer.option).and_then(Value::as_u64).unwrap_or(0);
            by_name.insert(offer.option.clone(), (count + 1).into());
        }
        if let Some(only) = &shown.only {
            question.options.retain(|offer| offer.option == *only);
        }
        let fitting = question.options.len();
        question.options = question.options.into_iter().skip(shown.from).take(OPTIONS).collect();
        let next = shown.from + question.options.len();
        let mut told = json!(question);
        told["open"] = by_name.into();
        if next < fitting {
            told["next"] = next.into();
        }
        told
    }

    /// A player takes an option; the game goes on.
    ///
    /// # Errors
    /// If it is not open, with the reason; or if the rules fail.
    pub fn choose(&mut self, player: Option<&str>, which: &Which) -> Result<Value, Refusal> {
        let player = answer::decider(&self.game, player)?;
        let option = answer::open(&mut self.game, player, which)?;
        self.game.choose(player, option)?;
        self.go_on()
    }

    /// Whether an option is open, or why not; of none: all that is refused.
    ///
    /// # Errors
    /// If there is none of that name, or nobody is asked.
    pub fn why(&mut self, player: Option<&str>, which: Option<&Which>) -> Result<Value, Refusal> {
        let player = answer::decider(&self.game, player)?;
        Ok(match which {
            Some(which) => json!(answer::standing(&mut self.game, player, which)?),
            None => json!({ "refused": self.game.refusals(player) }),
        })
    }

    /// What an option would change, if that can be told.
    ///
    /// # Errors
    /// If it is not open, or the rules fail.
    pub fn attempt(&mut self, player: Option<&str>, which: &Which) -> Result<Value, Refusal> {
        let player = answer::decider(&self.game, player)?;
        let option = answer::open(&mut self.game, player, which)?;
        let changes = self.game.attempt(player, option)?;
        Ok(json!({ "chance": changes.is_none(), "changes": changes }))
    }

    /// What somebody sees; nobody sees everything.
    ///
    /// # Errors
    /// If there is no such player, or the rules fail.
    pub fn view(&mut self, viewer: Option<&str>) -> Result<Value, Refusal> {
        let viewer = viewer.map(|name| answer::player(&self.game, name)).transpose()?;
        Ok(json!(self.game.view(viewer)?))
    }

    /// What an expression of the language comes to in this position, and which clauses made it so.
    ///
    /// # Errors
    /// If it is none, or cannot be asked.
    pub fn ask(&mut self, question: &str, depth: usize) -> Result<Value, Refusal> {
        let tracer: Tracer = self.rules.tracer(&self.selection, question, depth)?;
        let mut game = tracer.bring(&self.game)?;
        Ok(json!({ "traced": tracer.answers(&mut game) }))
    }

    /// Goes back to where so many decisions were taken.
    ///
    /// # Errors
    /// If there were never so many, or so few cannot be reached.
    pub fn back(&mut self, decisions: u64) -> Result<Value, Refusal> {
        let taken = self.game.taken();
        let Some(game) = self.game.at(decisions)? else {
            let message = format!("there is no decision {decisions} to go back to; {taken} were taken");
            return Err(Refusal::new("protocol::name", message));
        };
        self.game = game;
        self.told = self.game.event_count();
        self.asked(&Shown::default())
    }

    /// The game as a text.
    ///
    /// # Errors
    /// If it cannot be written as one.
    pub fn save(&self) -> Result<String, Refusal> {
        self.game.save().map_err(|error| Refusal::from(blazon::Error::from(error)))
    }
}

/// Who sits where: `you` is the program that asks.
fn seats_of(players: &[String]) -> Result<Vec<(Option<String>, Seat)>, Refusal> {
    let seat = |text: &String| {
        let (name, who) = match text.split_once('=') {
            Some((name, who)) => (Some(name.trim().to_owned()), who.trim()),
            None => (None, text.trim()),
        };
        let seat = match who {
            "you" => Ok(Seat::Human),
            "human" => Err("nobody sits at a keyboard here; `you` plays by `choose`".to_owned()),
            skill => skill.parse().map_err(|why: String| why.replace("`human`", "`you`")),
        };
        seat.map(|seat| (name, seat)).map_err(|why| Refusal::new("mcp::request", why))
    };
    match players {
        [] => Ok(vec![(None, Seat::Human)]),
        players => players.iter().map(seat).collect(),
    }
}
