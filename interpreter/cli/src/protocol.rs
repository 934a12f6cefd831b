//! The line protocol: one JSON object a line, for programs that play. `PROTOCOL.md` beside this crate's manifest is
//! its description; keep the two together.
//!
//! The other end of the line is trusted with everything, as an umpire is; what a player may know of it is said in each
//! object.

mod answer;
mod message;
mod request;

use std::path::Path;

use blazon_machine::Fault;

use crate::console::Console;
use crate::keep;
use crate::seats::Seats;
use crate::session::Session;
use crate::terminal::line;
use crate::trouble::{Result, Trouble};
use message::Message;
use request::{Problem, Request, Which};

/// A game over the line.
struct Line<'a> {
    session: Session,
    seats: Seats,
    console: &'a Console,
    /// How many decisions programs inside may take in a row.
    most: usize,
    /// How many events have been told.
    told: usize,
    /// Whether the end of this game has been told.
    ended: bool,
}

/// How a game begins.
pub struct Begin<'a> {
    /// The setup.
    pub setup: usize,
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
pub fn run(session: Session, seats: Seats, begin: &Begin, console: &Console) -> Result<()> {
    let mut line = Line { session, seats, console, most: begin.most, told: 0, ended: false };
    let begun = match begin.load {
        Some(path) => {
            let text = keep::read(path).map_err(Trouble::Environment)?;
            line.load(&text)
        }
        None => line.session.start(begin.setup, begin.seed).map_err(|fault| line.problem(&fault)),
    };
    if let Err(problem) = begun {
        line.say(&Message::error(&problem, None));
        return Err(Trouble::Problems);
    }
    line.say(&Message::game(&line.session));
    line.go_on();
    line.serve();
    Ok(())
}

impl Line<'_> {
    fn say(&self, message: &Message) {
        self.console.line(message.to_json());
    }

    /// Answers requests until there are no more.
    fn serve(&mut self) {
        while let Some(bytes) = line() {
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
            self.say(&Message::end(&self.session));
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
                let player = self.decider(player.as_deref())?;
                let index = self.open(player, &which)?;
                self.session.choose(player, index).map_err(|fault| self.problem(&fault))?;
                self.go_on();
            }
            Request::Decision => self.decisions(),
            Request::View(viewer) => {
                let viewer = viewer.map(|name| self.player(&name)).transpose()?;
                let view = self.session.machine.view(viewer).map_err(|fault| self.problem(&fault))?;
                self.say(&message::view(&self.session, &view, id));
            }
            Request::Why { player, which } => {
                let player = self.decider(player.as_deref())?;
                let answer = self.why(player, which.as_ref(), id)?;
                self.say(&answer);
            }
            Request::Position => {
                let text = self.session.to_text()?;
                self.say(&Message::position(text, id));
            }
            Request::Load(text) => {
                self.load(&text)?;
                self.begin_again();
            }
            Request::New { setup, seed } => {
                let setup = self.setup(setup.as_deref())?;
                let seed = seed.unwrap_or_else(crate::session::new_seed);
                self.session.start(setup, seed).map_err(|fault| self.problem(&fault))?;
                self.begin_again();
            }
            Request::Dice(dice) => {
                self.session.lay_dice(dice);
                self.say(&Message::ok(id));
            }
            Request::Cards(names) => {
                let cards =
                    names.iter().map(|name| self.thing(name)).collect::<std::result::Result<_, _>>()?;
                self.session.lay_cards(cards);
                self.say(&Message::ok(id));
            }
            Request::Seed(seed) => {
                self.session.reseed(seed);
                self.say(&Message::ok(id));
            }
            Request::Quit => return Ok(false),
        }
        Ok(true)
    }

    /// Goes on with a saved game; what is to be known of it is said aside.
    fn load(&mut self, text: &str) -> std::result::Result<(), Problem> {
        let note = self.session.load(text)?;
        note.iter().for_each(|note| self.console.note(note));
        Ok(())
    }

    /// Another game stands there now.
    fn begin_again(&mut self) {
        self.told = 0;
        self.ended = false;
        self.say(&Message::game(&self.session));
        self.go_on();
    }

    /// Lets programs on seats of their own choose, tells what happened, and asks.
    fn go_on(&mut self) {
        for taken in 0.. {
            self.events();
            let decider = self.session.machine.deciders().first().copied();
            let Some(player) = decider.filter(|&player| !self.seats.is_human(player)) else { break };
            if taken == self.most {
                let message = format!("the programs inside have taken {taken} decisions in a row");
                self.say(&Message::error(&Problem::new("protocol::endless", message), None));
                break;
            }
            let index = self.seats.decide(&mut self.session.machine, player).unwrap_or(0);
            if let Err(fault) = self.session.choose(player, index) {
                let problem = self.problem(&fault);
                self.say(&Message::error(&problem, None));
                break;
            }
        }
        if self.session.machine.outcome().is_some() {
            if !std::mem::replace(&mut self.ended, true) {
                self.say(&Message::end(&self.session));
            }
        } else {
            self.decisions();
        }
    }

    fn events(&mut self) {
        let from = std::mem::replace(&mut self.told, self.session.events.len());
        for event in &self.session.events[from..] {
            self.say(&message::event(&self.session, event));
        }
    }

    /// One object for each player who must decide.
    fn decisions(&mut self) {
        for player in self.session.machine.deciders().to_vec() {
            let message = message::decision(&mut self.session, player);
            self.say(&message);
        }
    }

    fn problem(&self, fault: &Fault) -> Problem {
        let sources = &self.session.machine.program().book.sources;
        let place = |span: blazon_diagnostics::Span| sources.find(span.source).map(|_| sources.place(span));
        let stack = fault.stack.iter().map(|frame| match place(frame.span) {
            Some(place) => format!("{} {place}{}", frame.name, crate::terminal::cited(&frame.cites)),
            None => frame.name.clone(),
        });
        Problem { code: fault.code, message: fault.message.clone(), stack: stack.collect() }
    }

    /// The player who answers: the one named, or the only one asked.
    fn decider(&self, name: Option<&str>) -> std::result::Result<u32, Problem> {
        let deciders = self.session.machine.deciders();
        match (name, deciders) {
            (Some(name), _) => {
                let player = self.player(name)?;
                match deciders.contains(&player) {
                    true => Ok(player),
                    false => Err(Problem::new("protocol::player", format!("{name} is not asked"))),
                }
            }
            (None, [one]) => Ok(*one),
            (None, []) => {
                Err(Problem::new("protocol::over", "nothing is asked: the game is over".to_owned()))
            }
            (None, _) => Err(Problem::new(
                "protocol::player",
                "several are asked: say which one in `player`".to_owned(),
            )),
        }
    }

    /// The place of the option that is meant.
    fn open(&mut self, player: u32, which: &Which) -> std::result::Result<usize, Problem> {
        match which {
            Which::Index(index) => {
                let open = self.session.machine.options(player).len();
                match *index < open {
                    true => Ok(*index),
                    false => Err(Problem::new(
                        "run::illegal",
                        format!("there is no option {index}; {open} are open"),
                    )),
                }
            }
            Which::Meaning(option, args) => self.meant(player, option, args),
        }
    }
}
