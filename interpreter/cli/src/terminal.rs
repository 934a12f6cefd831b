//! Playing at the terminal, line by line: people at one keyboard, people against programs, programs alone.

mod board;
mod commands;
mod hints;
mod input;
mod layout;
mod look;
mod map;
mod options;
mod reasons;
mod shape;
mod turn;

use std::path::{Path, PathBuf};

use blazon::{Error, Game, PlayerId, SetupId, shown};

use crate::console::{Console, paint, style};
use crate::exit::{Failure, Result};
use crate::figures::counted;
use crate::load;
use crate::save_file;
use crate::seats::Seats;
use crate::shell::quoted;
use input::Input;
use shape::Shape;

/// A game at the terminal.
pub struct TerminalGame<'a> {
    console: &'a Console,
    game: Game,
    seats: Seats,
    shape: Shape,
    input: Input,
    /// How many events each player has been told.
    told: Vec<usize>,
    /// The person who last looked at the screen.
    last: Option<PlayerId>,
    /// Who decided last.
    acted: Option<PlayerId>,
    /// The game as it was last saved.
    saved: Option<String>,
    /// Piped lines that could not be understood.
    mistakes: usize,
    /// How the program is called to go on with a saved game.
    again: String,
    /// What was asked for beside the game, as a replay takes it.
    asked: String,
    /// Whether the seed was named by who plays.
    knows_seed: bool,
    /// Where the game is saved as it ends.
    keep: Option<PathBuf>,
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

impl<'a> TerminalGame<'a> {
    /// Sits down; the game is to be started or loaded yet. `again` begins the words by which a saved game is gone
    /// on with; `keep` is where it is to be saved as it ends, however that is.
    pub fn new(
        mut game: Game,
        seats: Seats,
        again: String,
        keep: Option<PathBuf>,
        console: &'a Console,
    ) -> Self {
        let shape = Shape::new(&mut game);
        let book = game.book().clone();
        let players = book.kind(book.player).things.len();
        game.keep_back(seats.humans(&book) > 0);
        Self {
            console,
            game,
            seats,
            shape,
            input: Input::new(keep.is_some()),
            told: vec![0; players],
            last: None,
            acted: None,
            saved: None,
            mistakes: 0,
            again,
            asked: String::new(),
            knows_seed: false,
            keep,
        }
    }

    /// The seed was named by who plays, so that he may be told it at the beginning.
    pub fn knows_seed(mut self, knows: bool) -> Self {
        self.knows_seed = knows;
        self
    }

    /// What was asked for beside the game, as [`load::asked`] writes it.
    pub fn asked(mut self, asked: String) -> Self {
        self.asked = asked;
        self
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// If the rules fail before the first decision.
    pub fn start(&mut self, setup: SetupId, seed: u64) -> Result<()> {
        Ok(self.game.start(setup, seed)?)
    }

    /// Goes on with a saved game.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged or foreign.
    pub fn load(&mut self, path: &Path) -> Result<()> {
        let text = save_file::read(path).map_err(Failure::Environment)?;
        let note = load::go_on(&mut self.game, path, &text, &self.asked)?;
        note.iter().for_each(|note| self.console.note(note));
        Ok(())
    }

    /// Plays to the end, or until somebody leaves.
    ///
    /// # Errors
    /// If the rules fail in a program's hands, piped lines could not be understood, or the game cannot be saved.
    pub fn run(&mut self, most: usize) -> Result<()> {
        let played = self.play(most);
        self.kept()?;
        played
    }

    fn play(&mut self, most: usize) -> Result<()> {
        self.greet();
        let people = self.seats.humans(self.game.book());
        let mut taken = 0;
        loop {
            if people == 0 {
                self.tell(None);
            }
            if self.game.outcome().is_some() {
                self.finish(people);
                break;
            }
            let Some(decider) = self.game.decider() else { break };
            if self.seats.is_human(decider) {
                match self.turn(decider) {
                    Turn::Chosen | Turn::Changed => {}
                    Turn::Resigned => {
                        self.resigned(decider);
                        break;
                    }
                    Turn::Left if self.input.is_interrupted() => return self.interrupted(),
                    Turn::Left => break,
                }
                continue;
            }
            if self.input.is_interrupted() {
                return self.interrupted();
            }
            if people == 0 && taken == most {
                self.console.note(format!("stopped after {taken} decisions; --most sets the limit"));
                break;
            }
            self.program_decides(decider)?;
            taken += 1;
        }
        if self.mistakes > 0 {
            let lines = counted(self.mistakes as u64, "line");
            return Err(Failure::Problem(format!("{lines} of the input could not be followed")));
        }
        Ok(())
    }

    /// Somebody ended the program while the game was under way. Whoever sits at the terminal did so himself.
    fn interrupted(&self) -> Result<()> {
        if self.input.interactive && self.seats.humans(self.game.book()) > 0 {
            return Ok(());
        }
        let taken = counted(self.game.taken(), "decision");
        self.console.note(format!("interrupted after {taken}"));
        Err(Failure::Interrupted)
    }

    /// Saves the game where it was asked for.
    fn kept(&self) -> Result<()> {
        let Some(path) = &self.keep else { return Ok(()) };
        let text = self.game.save()?;
        save_file::write(path, &text).map_err(Failure::Environment)?;
        self.tell_saved(path);
        Ok(())
    }

    /// What can be done with a game that has been saved.
    fn tell_saved(&self, path: &Path) {
        let file = quoted(&shown(path));
        self.console.line(match self.game.outcome() {
            Some(_) => format!("saved; play it again with: blazon replay {file}"),
            None => format!("saved; go on with: {} --load {file}", self.again),
        });
    }

    /// The game, and all that is needed to play it again.
    fn greet(&mut self) {
        let book = self.game.book().clone();
        let played = paint(style::STRONG, book.played(self.game.setup().into()));
        // Who knows the seed knows all that is to come: it is told in the end, unless he named it himself.
        match self.knows_seed || self.seats.humans(&book) == 0 {
            true => self.console.line(format!("{played} · seed {}", self.game.seed())),
            false => self.console.line(played),
        }
        if self.input.interactive && self.seats.humans(&book) > 0 {
            self.console
                .line(paint(style::FAINT, "Type a number, or words of an option; `help` lists the rest."));
        }
    }

    /// Lets the program on a seat choose.
    fn program_decides(&mut self, player: PlayerId) -> Result<()> {
        let mut done = self.judged();
        if done.is_ok() {
            let option = self.seats.decide(&mut self.game, player).unwrap_or_default();
            self.acted = Some(player);
            done = self.game.choose(player, option);
        }
        done.map_err(|error| {
            self.failed_with(&error);
            let taken = counted(self.game.taken(), "decision");
            let stands =
                format!("the game stands before that decision: seed {}, after {taken}", self.game.seed());
            self.console.note(stands);
            Failure::Problems
        })
    }

    /// Whether programs that play among themselves have something to judge by: as where many games are played, it is a
    /// failure of the rules if the outlook fails. With people the game goes on; nor are they told, since it might tell
    /// what they may not know.
    fn judged(&mut self) -> blazon::Result<()> {
        match self.seats.skills(self.game.book()) {
            Ok(skills) => self.game.judged(&skills),
            Err(_) => Ok(()),
        }
    }

    /// Tells a viewer what happened since he was last told; without a viewer, everything.
    fn tell(&mut self, viewer: Option<PlayerId>) {
        let place = viewer.map_or(0, PlayerId::index);
        let from = std::mem::replace(&mut self.told[place], self.game.event_count());
        let text = self.events(from, viewer);
        self.console.write(text);
    }

    /// Events from a place on, as a viewer may know them.
    fn events(&self, from: usize, viewer: Option<PlayerId>) -> String {
        let events = self.game.events_since(from).iter();
        let lines = events.filter_map(|event| {
            let line = self.game.tell(event, viewer)?;
            let unasked = self.game.is_forced(event, viewer) == Some(true);
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
        let outcome = self.game.outcome().and_then(|outcome| outcome.winner);
        let words = match outcome {
            Some(winner) => format!("{} has won", self.game.player_name(winner)),
            None => "The game is over; nobody has won".to_owned(),
        };
        let taken = self.game.taken();
        self.console.line(format!(
            "{} after {taken} decisions, seed {}.",
            paint(style::GOOD, words),
            self.game.seed()
        ));
    }

    fn resigned(&mut self, player: PlayerId) {
        let name = self.game.player_name(player);
        let others = self.game.players().into_iter().filter(|&other| other != player);
        let others: Vec<String> = others.map(|other| self.game.player_name(other)).collect();
        let won = if others.len() == 1 { format!(": {} has won", others[0]) } else { String::new() };
        self.console.line(format!("{}.", paint(style::GOOD, format!("{name} resigns{won}"))));
    }

    /// The whole table as somebody sees it.
    fn board_text(&mut self, viewer: Option<PlayerId>) -> String {
        match self.game.view_by_id(viewer) {
            Ok(view) => {
                let book = self.game.book().clone();
                let width = self.console.width();
                board::Board { book: &book, shape: &self.shape, view: &view, width }.text()
            }
            Err(error) => format!("the table cannot be shown: {}\n", in_one_line(&error)),
        }
    }

    /// The map as somebody sees it, or the part around a place.
    fn map_text(&mut self, viewer: Option<PlayerId>, around: &str) -> String {
        let book = self.game.book().clone();
        match self.game.view_by_id(viewer) {
            Ok(view) => match map::Map::new(&book, &self.shape, &view, self.console.width()) {
                Some(map) => map.text(around),
                None => "  this game has no map of hexes; `board` shows the table\n".to_owned(),
            },
            Err(error) => format!("the map cannot be shown: {}\n", in_one_line(&error)),
        }
    }

    /// Says that the rules failed, with the steps and rules under way.
    fn failed_with(&self, error: &Error) {
        self.console.report(&error.diagnostics(), &error.sources());
    }
}

/// What went wrong, in one line.
fn in_one_line(error: &Error) -> String {
    match error {
        Error::Fault(failure) => failure.fault.to_string(),
        Error::Unknown(_) | Error::Unreadable(_) | Error::Rules(_) | Error::Save(_) => error.to_string(),
    }
}
