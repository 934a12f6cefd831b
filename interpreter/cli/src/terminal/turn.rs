//! One person's turn at the keyboard: what is asked, and what he types.

use std::path::Path;

use blazon::present::cited;
use blazon::{Error, OptionId, PlayerId, shown};
use blazon_machine::save::Save;

use super::commands::{self, Typed};
use super::options::{self, Listed, Open};
use super::{TerminalGame, Turn, board, hints, look, reasons};
use crate::console::{harmless, paint, style};
use crate::save_file;

/// How much of the log is shown at once.
const LINES: usize = 20;

impl TerminalGame<'_> {
    /// Asks a person until the game goes on or ends.
    pub(super) fn turn(&mut self, player: PlayerId) -> Turn {
        if !self.hand_over(player) {
            return Turn::Left;
        }
        if self.acted != Some(player) {
            let board = self.board_text(Some(player));
            self.console.write(board);
        }
        self.tell(Some(player));
        let open = options::all(&mut self.game, player);
        self.ask(player, &open);
        let prompt = format!(
            "{} ",
            paint(style::player(player.into()), format!("{}>", self.game.player_name(player)))
        );
        loop {
            let Some(line) = self.input.read(&prompt, self.console) else {
                self.left_open();
                return Turn::Left;
            };
            if !self.input.interactive && line.is_empty() {
                continue;
            }
            let typed = commands::read(&line);
            let is_plain = matches!(typed, Typed::Option(_)) || line.starts_with('/');
            if !is_plain && self.is_both(&line, &open) {
                continue;
            }
            if let Some(turn) = self.follow(player, typed, &open) {
                return turn;
            }
        }
    }

    /// Clears the screen between two people, so that nobody sees the other's side: only in a game that hides something.
    fn hand_over(&mut self, player: PlayerId) -> bool {
        let before = self.last.replace(player);
        let several = self.seats.humans(self.game.book()) > 1;
        if !self.input.interactive || !several || before == Some(player) || !self.hides() {
            return true;
        }
        let name = paint(style::player(player.into()), self.game.player_name(player));
        if before.is_some() {
            self.console.clear();
        }
        let prompt = format!("It is {name}'s turn. {name}: press Enter when only you are looking. ");
        if self.input.read(&prompt, self.console).is_none() {
            self.left_open();
            return false;
        }
        self.console.clear();
        self.acted = None;
        true
    }

    /// Whether somebody may know what others may not: a face, or an answer that waits for those of others.
    fn hides(&self) -> bool {
        let program = self.game.program();
        program.book.kinds.iter().any(|kind| kind.seen.is_some())
            || program.choices.iter().any(|choice| choice.each.is_some())
    }

    /// What is asked, and the options.
    fn ask(&mut self, player: PlayerId, open: &[Open]) {
        let name = paint(style::player(player.into()), self.game.player_name(player));
        let prompt = self.game.prompt(player);
        let cites = self.game.paragraphs();
        let prompt = if prompt.is_empty() { "what now?".to_owned() } else { harmless(&prompt) };
        let cites = paint(style::PLACE, cited(&cites));
        self.console.line(format!("{name}: {}{cites}", paint(style::STRONG, prompt)));
        let all: Vec<&Open> = open.iter().collect();
        self.console.write(options::list(&all, Listed::Asked, self.console.width()));
    }

    /// Does what was typed; answers how the turn ends, if it does.
    fn follow(&mut self, player: PlayerId, typed: Typed, open: &[Open]) -> Option<Turn> {
        match typed {
            Typed::Option(words) => return self.take(player, &words, open),
            Typed::List => {
                let all: Vec<&Open> = open.iter().collect();
                self.console.write(options::list(&all, Listed::All, self.console.width()));
            }
            Typed::Why(words) => {
                let text = reasons::why(&mut self.game, player, &words, open);
                self.console.write(text);
            }
            Typed::Hint => {
                let text = hints::hint(&self.game, player, open);
                self.console
                    .write(text.unwrap_or_else(|error| format!("  {}\n", harmless(&error.to_string()))));
            }
            Typed::Board => {
                let board = self.board_text(Some(player));
                self.console.write(board);
            }
            Typed::Map(around) => {
                let map = self.map_text(Some(player), &around);
                self.console.write(map);
            }
            Typed::Hand => {
                let hand = self.hand(player);
                self.console.write(hand);
            }
            Typed::Look(words) => {
                let book = self.game.book().clone();
                match self.game.view_by_id(Some(player)) {
                    Ok(view) => self.console.write(look::look(&book, &view, &words, self.console.width())),
                    Err(error) => self.failed_with(&error),
                }
            }
            Typed::Paragraph(number) => {
                let book = self.game.book().clone();
                self.console.write(reasons::paragraphs(&book, &number));
            }
            Typed::Log(lines) => {
                let text = self.events(0, Some(player));
                let count = text.lines().count();
                let skipped = count.saturating_sub(lines.unwrap_or(LINES));
                self.console
                    .write(text.lines().skip(skipped).flat_map(|line| [line, "\n"]).collect::<String>());
            }
            Typed::Help => self.console.write(commands::HELP),
            Typed::Unknown(line) => {
                self.mistakes += usize::from(!self.input.interactive);
                self.wrong(format!("there is no command `{line}`; `/help` lists them"));
            }
            Typed::Undo => return self.undo(player),
            Typed::Save(file) => {
                self.save(&file);
            }
            Typed::Load(file) => return self.load_another(&file),
            Typed::Resign => return self.sure("Do you give up? (yes/no) ").then_some(Turn::Resigned),
            Typed::Quit => return self.quit().then_some(Turn::Left),
        }
        None
    }

    /// Whether a line that is a command may as well mean an option that begins with that word; then it is neither, and what
    /// to type is said.
    fn is_both(&mut self, line: &str, open: &[Open]) -> bool {
        let meant = options::begun_by(line, open);
        let instead = match meant.as_slice() {
            [] => return false,
            [one] => format!("option {}: type `{}`, or `/{line}`", one.number(), one.number()),
            several => format!("the beginning of {} options: type a number, or `/{line}`", several.len()),
        };
        self.mistakes += usize::from(!self.input.interactive);
        self.wrong(format!("`{line}` is a command and {instead}"));
        if meant.len() > 1 {
            self.console.write(options::list(&meant, Listed::Found, self.console.width()));
        }
        true
    }

    /// Takes the option that the words mean, if they mean one.
    fn take(&mut self, player: PlayerId, words: &str, open: &[Open]) -> Option<Turn> {
        if words.is_empty() {
            self.ask(player, open);
            return None;
        }
        let meant = options::meant(words, open);
        match meant.as_slice() {
            [one] => self.choose(player, one.id),
            [] => {
                self.mistakes += usize::from(!self.input.interactive);
                if let Some(whole) = commands::unfinished(words) {
                    self.wrong(format!("no option is `{words}` here, and the command is `{whole}`"));
                    return None;
                }
                self.wrong(format!("no option is `{words}` here"));
                let why = reasons::why(&mut self.game, player, words, &[]);
                if !why.contains("nothing like that") {
                    self.console.write(why);
                }
                None
            }
            several => {
                self.mistakes += usize::from(!self.input.interactive);
                self.wrong(format!("`{words}` fits {} options; type a number or more words", several.len()));
                self.console.write(options::list(several, Listed::Found, self.console.width()));
                None
            }
        }
    }

    fn choose(&mut self, player: PlayerId, option: OptionId) -> Option<Turn> {
        match self.game.choose(player, option) {
            Ok(()) => {
                self.acted = Some(player);
                Some(Turn::Chosen)
            }
            Err(error) => {
                self.failed(&error);
                None
            }
        }
    }

    fn failed(&mut self, error: &Error) {
        self.mistakes += usize::from(!self.input.interactive);
        self.failed_with(error);
        self.console.note("the game stands as it did: choose something else, or save it");
    }

    /// Something was typed that cannot be done. A person is told where he looks, a program beside the results.
    fn wrong(&self, message: impl std::fmt::Display) {
        if self.input.interactive {
            self.console.line(paint(style::CARE, message));
        } else {
            self.console.note(harmless(&message.to_string()));
        }
    }

    fn hand(&mut self, player: PlayerId) -> String {
        let book = self.game.book().clone();
        let Ok(view) = self.game.view_by_id(Some(player)) else { return String::new() };
        let width = self.console.width();
        let hand = board::Board { book: &book, shape: &self.shape, view: &view, width }.hands(false);
        if hand.is_empty() { "  you hold nothing\n".to_owned() } else { hand }
    }

    fn undo(&mut self, player: PlayerId) -> Option<Turn> {
        let Self { game, seats, .. } = self;
        match game.undo(player, |player| seats.is_human(player)) {
            Ok(()) => {
                let events = self.game.event_count();
                for told in &mut self.told {
                    *told = (*told).min(events);
                }
                self.console.line("taken back");
                self.acted = Some(player);
                Some(Turn::Changed)
            }
            Err(no_way_back) => {
                self.wrong(no_way_back);
                None
            }
        }
    }

    /// Saves the game; answers whether it is saved.
    fn save(&mut self, file: &str) -> bool {
        if file.is_empty() {
            self.wrong("name a file: save evening.game");
            return false;
        }
        let path = Path::new(file);
        if self.holds_another_game(path) {
            let there = format!("`{}` holds another game", shown(path));
            if !self.input.interactive {
                self.mistakes += 1;
                self.wrong(format!("{there}; take another name"));
                return false;
            }
            if !self.sure(&format!("{there}. Write over it? (yes/no) ")) {
                return false;
            }
        }
        let text = self.game.save().map_err(|error| error.to_string());
        match text.and_then(|text| save_file::write(path, &text).map(|()| text)) {
            Ok(text) => {
                self.saved = Some(text);
                self.tell_saved(path);
                true
            }
            Err(message) => {
                self.mistakes += usize::from(!self.input.interactive);
                self.wrong(message);
                false
            }
        }
    }

    /// Whether there is a saved game that is not this one, earlier or later.
    fn holds_another_game(&self, path: &Path) -> bool {
        let there = save_file::read(path).ok().and_then(|text| Save::from_text(&text).ok());
        let book = self.game.book();
        let setup = book.setups.get(usize::from(self.game.setup())).map(|setup| &setup.name);
        let is_this = |save: &Save| {
            save.seed == self.game.seed() && Some(&save.setup) == setup && save.rules.game == book.title
        };
        there.is_some_and(|save| !is_this(&save))
    }

    fn load_another(&mut self, file: &str) -> Option<Turn> {
        let loaded = save_file::read(Path::new(file)).and_then(|text| {
            self.game.load(&text).map_err(|error| format!("{} [{}]", error.message, error.code))
        });
        match loaded {
            Ok(note) => {
                note.iter().for_each(|note| self.console.note(note));
                self.told.fill(0);
                self.acted = None;
                self.console.line(format!("loaded {}", shown(Path::new(file))));
                Some(Turn::Changed)
            }
            Err(message) => {
                self.mistakes += usize::from(!self.input.interactive);
                self.wrong(message);
                None
            }
        }
    }

    fn sure(&self, question: &str) -> bool {
        if !self.input.interactive {
            return true;
        }
        let answer = self.input.read(question, self.console).unwrap_or_default();
        matches!(answer.to_lowercase().as_str(), "y" | "yes")
    }

    /// Offers to save, if that is not done yet or anyway; answers whether the program may end.
    fn quit(&mut self) -> bool {
        let is_saved = self.saved.is_some() && self.game.save().ok() == self.saved;
        if !self.input.interactive || self.keep.is_some() || is_saved {
            return true;
        }
        loop {
            let question = "Save the game first? Type a file name, Enter to go without, or `back`. ";
            match self.input.read(question, self.console).as_deref() {
                None | Some("") | Some("n" | "no") => return true,
                Some("back") => return false,
                Some(file) => {
                    if self.save(file) {
                        return true;
                    }
                }
            }
        }
    }

    /// The input is at its end before the game is. A person has perhaps slipped on the keys: his game is kept.
    fn left_open(&mut self) {
        if !self.input.interactive {
            self.console.note("the input ends before the game does");
            return;
        }
        self.console.line("");
        if self.game.log().has_decisions() && self.keep.is_none() {
            let name = unused(Path::new(""), self.game.seed());
            self.save(&name);
        }
    }
}

/// A name for a game that nobody named, which no file in the folder has.
fn unused(folder: &Path, seed: u64) -> String {
    let named = |count: u32| match count {
        1 => format!("left-{seed}.game"),
        count => format!("left-{seed}-{count}.game"),
    };
    let free = (1..=u32::MAX).map(named).find(|name| folder.join(name).symlink_metadata().is_err());
    free.unwrap_or_else(|| named(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_kept_unasked_takes_no_name_of_another() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(unused(dir.path(), 7), "left-7.game");
        std::fs::write(dir.path().join("left-7.game"), "").unwrap();
        assert_eq!(unused(dir.path(), 7), "left-7-2.game");
    }
}
