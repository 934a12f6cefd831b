//! The line protocol: one JSON object a line, for programs that play. `PROTOCOL.md` beside this crate's manifest is
//! its description; keep the two together.
//!
//! The other end of the line is trusted with everything, as an umpire is; what a player may know of it is said in each
//! object.

pub mod answer;
mod message;
pub mod request;

use std::path::Path;

use blazon::told::Event;
use blazon::{Game, PlayerId, SetupId};

use crate::console::Console;
use crate::exit::{Failure, Result};
use crate::input::{LONGEST, Line, line};
use crate::save_file;
use crate::seats::Seats;
use crate::seed::new_seed;
use message::{Changes, Message, Refused, Tried};
use request::{Problem, Request};

/// A game over the line.
struct Connection<'a> {
    game: Game,
    seats: Seats,
    console: &'a Console,
    /// How many decisions programs inside may take in a row.
    most: usize,
    /// How many events have been told.
    told: usize,
    /// Whether the end of this game has been told.
    ended: bool,
    /// Whether texts are also told in parts.
    words: bool,
}

/// How a game begins.
pub struct Begin<'a> {
    /// The setup.
    pub setup: SetupId,
    /// The seed.
    pub seed: u64,
    /// A saved game to go on with instead.
    pub load: Option<&'a Path>,
    /// How many decisions programs inside may take before the other end is asked again.
    pub most: usize,
}

/// Plays a game with the program at the other end.
///
/// # Errors
/// If the game cannot begin, or a saved game cannot be gone on with.
pub fn run(game: Game, seats: Seats, begin: &Begin, console: &Console) -> Result<()> {
    let mut connection =
        Connection { game, seats, console, most: begin.most, told: 0, ended: false, words: false };
    let begun = match begin.load {
        Some(path) => {
            let text = save_file::read(path).map_err(Failure::Environment)?;
            connection.load(&text)
        }
        None => connection.game.start(begin.setup, begin.seed).map_err(Problem::from),
    };
    if let Err(problem) = begun {
        connection.say(&Message::error(&problem, None));
        return Err(Failure::Problems);
    }
    connection.say(&Message::game(&connection.game));
    connection.go_on();
    connection.serve();
    Ok(())
}

impl Connection<'_> {
    fn say(&self, message: &Message) {
        self.console.line(message.to_json());
    }

    /// Answers requests until there are no more.
    fn serve(&mut self) {
        while let Some(line) = line() {
            let Line::Whole(bytes) = line else {
                let message = format!("the line has more than {LONGEST} bytes; nothing of it was read");
                self.say(&Message::error(&Problem::new("protocol::request", message), None));
                continue;
            };
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let (id, request) = request::read(&bytes);
            match request.and_then(|request| self.follow(request, id.as_ref())) {
                Ok(true) => {}
                Ok(false) => break,
                Err(problem) => self.say(&Message::error(&problem, id.as_ref())),
            }
        }
        if !self.ended {
            self.say(&Message::end(&self.game));
        }
    }

    /// Does what is asked; answers whether to go on.
    fn follow(
        &mut self,
        request: Request,
        id: Option<&serde_json::Value>,
    ) -> std::result::Result<bool, Problem> {
        match request {
            Request::Choose { player, which } => {
                let player = answer::decider(&self.game, player.as_deref())?;
                let option = answer::open(&mut self.game, player, &which)?;
                self.game.choose(player, option)?;
                self.go_on();
            }
            Request::Decision => match self.game.deciders().is_empty() {
                true => return Err(answer::over()),
                false => self.decisions(),
            },
            Request::View(viewer) => {
                let viewer = viewer.map(|name| answer::player(&self.game, &name)).transpose()?;
                let view = self.game.view(viewer)?;
                self.say(&Message::new("view", view, id));
            }
            Request::Why { player, which } => {
                let player = answer::decider(&self.game, player.as_deref())?;
                let answer = match which {
                    Some(which) => Message::new("why", answer::standing(&mut self.game, player, &which)?, id),
                    None => Message::new("why", Refused { refused: self.game.refusals(player) }, id),
                };
                self.say(&answer);
            }
            Request::Book => self.say(&Message::new("book", self.game.sheet(), id)),
            Request::Try { player, which } => {
                let player = answer::decider(&self.game, player.as_deref())?;
                let option = answer::open(&mut self.game, player, &which)?;
                let changes = self.game.attempt(player, option)?;
                self.say(&Message::new("try", Tried { chance: changes.is_none(), changes }, id));
            }
            Request::Changes { since, viewer } => {
                let viewer = viewer.map(|name| answer::player(&self.game, &name)).transpose()?;
                let changes = self.changes(since, viewer)?;
                self.say(&Message::new("changes", changes, id));
            }
            Request::Words(on) => {
                self.words = on;
                self.say(&Message::ok(id));
            }
            Request::Position => {
                let text = self.game.save()?;
                self.say(&Message::position(text, id));
            }
            Request::Load(text) => {
                self.load(&text)?;
                self.begin_again();
            }
            Request::New { setup, seed } => {
                let setup = answer::setup(&self.game, setup.as_deref())?;
                let seed = seed.unwrap_or_else(new_seed);
                self.game.start(setup, seed)?;
                self.begin_again();
            }
            Request::Dice(dice) => {
                self.game.lay_dice(dice);
                self.say(&Message::ok(id));
            }
            Request::Cards(names) => {
                let cards = names
                    .iter()
                    .map(|name| answer::thing(&self.game, name))
                    .collect::<std::result::Result<_, _>>()?;
                self.game.lay_cards(cards);
                self.say(&Message::ok(id));
            }
            Request::Seed(seed) => {
                self.game.reseed(seed);
                self.say(&Message::ok(id));
            }
            Request::Quit => return Ok(false),
        }
        Ok(true)
    }

    /// Goes on with a saved game; what is to be known of it is said aside.
    fn load(&mut self, text: &str) -> std::result::Result<(), Problem> {
        let note = self.game.load(text)?;
        note.iter().for_each(|note| self.console.note(note));
        Ok(())
    }

    /// Another game stands there now.
    fn begin_again(&mut self) {
        self.told = 0;
        self.ended = false;
        self.say(&Message::game(&self.game));
        self.go_on();
    }

    /// Lets programs on seats of their own choose, tells what happened, and asks.
    fn go_on(&mut self) {
        for taken in 0.. {
            self.events();
            let Some(player) = self.game.decider().filter(|&player| !self.seats.is_human(player)) else {
                break;
            };
            if taken == self.most {
                let message = format!("the programs inside have taken {taken} decisions in a row");
                self.say(&Message::error(&Problem::new("protocol::endless", message), None));
                break;
            }
            let option = self.seats.decide(&mut self.game, player).unwrap_or_default();
            if let Err(error) = self.game.choose(player, option) {
                self.say(&Message::error(&Problem::from(error), None));
                break;
            }
        }
        if self.game.outcome().is_some() {
            if !std::mem::replace(&mut self.ended, true) {
                self.say(&Message::end(&self.game));
            }
        } else {
            self.decisions();
        }
    }

    fn events(&mut self) {
        let from = std::mem::replace(&mut self.told, self.game.event_count());
        for event in self.game.events_since(from) {
            let mut message = Message::new("event", Event::of(&self.game, event), None);
            if self.words {
                message.add("words", self.game.event_parts(event, None));
            }
            self.say(&message);
        }
    }

    /// What somebody sees otherwise than when so many decisions had been taken.
    fn changes(&mut self, since: u64, viewer: Option<PlayerId>) -> std::result::Result<Changes, Problem> {
        let taken = self.game.taken();
        let Some(mut before) = self.game.at(since)? else {
            let message = format!("there is no decision {since} to look back to; {taken} were taken");
            return Err(Problem::new("protocol::name", message));
        };
        let changes = before.view(viewer)?.changes(&self.game.view(viewer)?);
        Ok(Changes {
            viewer: viewer.map(|viewer| self.game.player_name(viewer)),
            since,
            decision: taken,
            changes,
        })
    }

    /// One object for each player who must decide.
    fn decisions(&mut self) {
        for player in self.game.deciders() {
            let question = self.game.question(player);
            let words = self.words.then(|| {
                let labels = question.options.iter().map(|offer| self.game.label_parts(player, offer.id));
                (labels.collect::<Vec<_>>(), self.game.prompt_parts(player))
            });
            let mut message = Message::new("decision", question, None);
            if let Some((labels, prompt)) = words {
                message.add("words", prompt);
                message.add_each("options", "words", labels);
            }
            self.say(&message);
        }
    }
}
