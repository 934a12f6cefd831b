//! Playing at the terminal, line by line: people at one keyboard, people against programs, programs alone.

mod board;
mod commands;
mod input;
mod layout;
mod look;
mod map;
mod options;
mod reasons;
mod shape;
mod turn;
pub mod values;

use std::path::Path;

use blazon_diagnostics::Diagnostic;
use blazon_machine::Fault;

pub use input::line;
pub use layout::padded;
pub use options::{argument, cited};
pub use shape::kinds;
pub use turn::quoted;

use crate::console::{Console, paint, style};
use crate::keep;
use crate::rules::compile::report;
use crate::rules::folders::shown;
use crate::seats::Seats;
use crate::session::Session;
use crate::trouble::{Result, Trouble};
use input::Input;
use shape::Shape;

/// A game at the terminal.
pub struct Table<'a> {
    console: &'a Console,
    session: Session,
    seats: Seats,
    shape: Shape,
    input: Input,
    /// How many events each player has been told.
    told: Vec<usize>,
    /// The person who last looked at the screen.
    last: Option<u32>,
    /// Who decided last.
    acted: Option<u32>,
    /// Piped lines that could not be understood.
    mistakes: usize,
    /// How the program is called to go on with a saved game.
    again: String,
}

/// How a turn at the keyboard ends.
enum Turn {
    /// Somebody chose.
    Chosen,
    /// The game was taken back, or another one was loaded.
    Changed,
    /// A player gave up.
    Resigned,
    /// The program ends.
    Left,
}

impl<'a> Table<'a> {
    /// Sits down; the session is to be started or loaded yet. `again` begins the words by which a saved game is gone
    /// on with.
    pub fn new(mut session: Session, seats: Seats, again: String, console: &'a Console) -> Self {
        let shape = Shape::new(&mut session.machine);
        let book = session.machine.program().book.clone();
        let players = book.kind(book.player).things.len();
        session.keeps_back = seats.humans(&book) > 0;
        Self {
            console,
            session,
            seats,
            shape,
            input: Input::new(),
            told: vec![0; players],
            last: None,
            acted: None,
            mistakes: 0,
            again,
        }
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// If the rules fail before the first decision.
    pub fn start(&mut self, setup: usize, seed: u64) -> Result<()> {
        self.session.start(setup, seed).map_err(|fault| {
            self.fault(&fault);
            Trouble::Problems
        })
    }

    /// Goes on with a saved game.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged or foreign.
    pub fn load(&mut self, path: &Path) -> Result<()> {
        let text = keep::read(path).map_err(Trouble::Environment)?;
        let note = self.session.load(&text).map_err(|error| {
            let hint = match error.code {
                "save::foreign" => format!("; try: blazon replay {} --save NEW-FILE", quoted(&shown(path))),
                _ => String::new(),
            };
            Trouble::Problem(format!("{} [{}]{hint}", error.message, error.code))
        })?;
        note.iter().for_each(|note| self.console.note(note));
        Ok(())
    }

    /// Plays to the end, or until somebody leaves.
    ///
    /// # Errors
    /// If the rules fail in a program's hands, or piped lines could not be understood.
    pub fn run(&mut self, most: usize) -> Result<()> {
        self.greet();
        let people = self.seats.humans(&self.session.machine.program().book);
        let mut taken = 0;
        loop {
            if people == 0 {
                self.tell(None);
            }
            if self.session.machine.outcome().is_some() {
                self.finish(people);
                break;
            }
            let Some(&decider) = self.session.machine.deciders().first() else { break };
            if self.seats.is_human(decider) {
                match self.turn(decider) {
                    Turn::Chosen | Turn::Changed => {}
                    Turn::Resigned => {
                        self.resigned(decider);
                        break;
                    }
                    Turn::Left => break,
                }
                continue;
            }
            if people == 0 && taken == most {
                self.console.note(format!("stopped after {taken} decisions; --most sets the limit"));
                break;
            }
            self.program_decides(decider)?;
            taken += 1;
        }
        if self.mistakes > 0 {
            let lines =
                if self.mistakes == 1 { "1 line".to_owned() } else { format!("{} lines", self.mistakes) };
            return Err(Trouble::Problem(format!("{lines} of the input could not be followed")));
        }
        Ok(())
    }

    /// The game, and all that is needed to play it again.
    fn greet(&mut self) {
        let book = self.session.machine.program().book.clone();
        let played = paint(style::STRONG, book.played(self.session.setup));
        self.console.line(format!("{played} · seed {}", self.session.seed));
        if self.input.interactive && self.seats.humans(&book) > 0 {
            self.console
                .line(paint(style::FAINT, "Type a number, or words of an option; `help` lists the rest."));
        }
    }

    /// Lets the program on a seat choose.
    fn program_decides(&mut self, player: u32) -> Result<()> {
        let index = self.seats.decide(&mut self.session.machine, player).unwrap_or(0);
        self.acted = Some(player);
        self.session.choose(player, index).map_err(|fault| {
            self.fault(&fault);
            let again = format!("seed {}, decision {}", self.session.seed, self.session.machine.taken());
            self.console.note(format!("the game stands before that decision: {again}"));
            Trouble::Problems
        })
    }

    /// Tells a viewer what happened since he was last told; without a viewer, everything.
    fn tell(&mut self, viewer: Option<u32>) {
        let from = match viewer {
            Some(player) => std::mem::replace(&mut self.told[player as usize], self.session.events.len()),
            None => std::mem::replace(&mut self.told[0], self.session.events.len()),
        };
        let text = self.events(from, viewer);
        self.console.write(text);
    }

    /// Events from a place on, as a viewer may know them.
    fn events(&self, from: usize, viewer: Option<u32>) -> String {
        let events = self.session.events.iter().skip(from);
        let lines = events.filter_map(|event| {
            let line = self.session.machine.tell_event(event, viewer)?;
            let unasked = matches!(event, blazon_machine::Event::Chosen { forced: true, .. });
            let style = if unasked { style::FAINT } else { anstyle::Style::new() };
            Some(format!("  {}\n", paint(style, line)))
        });
        lines.collect()
    }

    fn finish(&mut self, people: usize) {
        if people > 0 {
            let viewer = self.last;
            if let Some(viewer) = viewer {
                self.tell(Some(viewer));
            }
            let board = self.board_text(None);
            self.console.write(board);
        }
        let outcome = self.session.machine.outcome().and_then(|outcome| outcome.winner);
        let words = match outcome {
            Some(winner) => format!("{} has won", self.session.player_name(winner)),
            None => "The game is over; nobody has won".to_owned(),
        };
        let taken = self.session.machine.taken();
        self.console.line(format!(
            "{} after {taken} decisions, seed {}.",
            paint(style::GOOD, words),
            self.session.seed
        ));
    }

    fn resigned(&mut self, player: u32) {
        let book = self.session.machine.program().book.clone();
        let name = self.session.player_name(player);
        let others: Vec<String> = book
            .players
            .iter()
            .filter(|&&other| other != player)
            .map(|&other| self.session.player_name(other))
            .collect();
        let won = if others.len() == 1 { format!(": {} has won", others[0]) } else { String::new() };
        self.console.line(format!("{}.", paint(style::GOOD, format!("{name} resigns{won}"))));
    }

    /// The whole table as somebody sees it.
    fn board_text(&mut self, viewer: Option<u32>) -> String {
        match self.session.machine.view(viewer) {
            Ok(view) => {
                let book = self.session.machine.program().book.clone();
                let width = self.console.width();
                board::Board { book: &book, shape: &self.shape, view: &view, width }.text()
            }
            Err(fault) => format!("the table cannot be shown: {fault}\n"),
        }
    }

    /// The map as somebody sees it, or the part around a place.
    fn map_text(&mut self, viewer: Option<u32>, around: &str) -> String {
        let book = self.session.machine.program().book.clone();
        match self.session.machine.view(viewer) {
            Ok(view) => match map::Map::new(&book, &self.shape, &view, self.console.width()) {
                Some(map) => map.text(around),
                None => "  this game has no map of hexes; `board` shows the table\n".to_owned(),
            },
            Err(fault) => format!("the map cannot be shown: {fault}\n"),
        }
    }

    /// Says that the rules failed, with the steps and rules under way.
    fn fault(&self, fault: &Fault) {
        let program = self.session.machine.program();
        report(&[diagnostic(fault)], &program.book.sources, self.console);
    }
}

/// A fault as a diagnostic: the innermost frame is the place, the others lead to it.
pub fn diagnostic(fault: &Fault) -> Diagnostic {
    let told = |frame: &blazon_machine::BacktraceEntry| format!("in `{}`{}", frame.name, cited(&frame.cites));
    let mut frames = fault.stack.iter();
    let mut diagnostic = match frames.next() {
        Some(frame) => Diagnostic::error(fault.code, frame.span, &fault.message).label(told(frame)),
        None => Diagnostic::global(fault.code, &fault.message),
    };
    for frame in frames.take(6) {
        diagnostic = diagnostic.related(frame.span, told(frame));
    }
    diagnostic
}
