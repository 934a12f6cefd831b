//! Looking back: the game as it stood after some of its choices.

use blazon::Game;

use super::live::player;
use super::seen::{Now, Rest, Seen};
use super::{Sitting, Viewer};
use crate::problem::Problem;

impl Sitting<'_> {
    /// What a viewer saw after so many choices, as JSON, whole and without a decision.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn replay(&mut self, viewer: Viewer, choices: usize) -> Result<String, Problem> {
        let choices = choices.min(self.live.standing.choices);
        let mut game = self.after(choices)?;
        let player = viewer.and_then(|viewer| player(&game, viewer));
        let shown = self.live.kit.board.show(&mut game, player)?;
        let read = self.live.told.iter().filter(|told| told.choice <= choices);
        let lines = read.filter(|told| told.text_for(viewer).is_some()).map(|told| told.number()).collect();
        let title = format!("{} – {choices} of {}", self.facts.title, self.live.standing.choices);
        let rest = Rest { over: None, undo: false, choices: self.live.standing.choices, title };
        let mut fragments = shown.fragments;
        fragments.extend(self.live.kit.board.besides(viewer.is_some()));
        let now = Now { fragments, decision: None, picks: shown.picks, lines, rest };
        Seen::new(1, 0, now).update(0, None, |line| self.live.line(line, viewer))
    }

    /// The first choices of the game as a saved game, to begin another table with.
    ///
    /// # Errors
    /// If the browser may not have the whole game.
    pub fn fork(&mut self, browser: Option<&str>, choices: usize) -> Result<String, Problem> {
        self.is_no_secret(browser)?;
        Ok(self.after(choices)?.save()?)
    }

    /// The game as it stood after so many choices.
    fn after(&self, choices: usize) -> Result<Game, Problem> {
        let save = self.live.saved()?.until(choices);
        let mut game = self.live.kit.game()?;
        game.replay(&save)?;
        Ok(game)
    }
}
