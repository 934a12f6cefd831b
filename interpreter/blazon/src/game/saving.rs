//! Saving a game as text, going on with it, and playing its log again.

use blazon_machine::save::{Comparison, Followed, Replayed, Save, SaveError};

use super::Game;
use crate::error::Result;

impl Game {
    /// The game as it is saved: what was played and where it stands.
    pub fn saved(&self) -> Save {
        let log = self.record.log.iter().collect();
        let save = Save::new(&self.machine, self.record.setup.into(), self.record.seed, log);
        save.with_by_hand(self.record.by_hand.clone())
    }

    /// The same as a text.
    ///
    /// # Errors
    /// If it cannot be written as text.
    pub fn save(&self) -> std::result::Result<String, SaveError> {
        self.saved().to_text()
    }

    /// Goes on with a saved game; answers with what whoever plays it should know, if there is something.
    ///
    /// # Errors
    /// If it is damaged or belongs to other rules; then nothing has changed.
    pub fn load(&mut self, text: &str) -> std::result::Result<Option<String>, SaveError> {
        let save = Save::from_text(text)?;
        let setup = save.setup_in(self.machine.program())?;
        let resumed = save.resume(&mut self.machine)?;
        self.machine.take_events();
        self.forget(setup.into(), save.seed, resumed.log.into_iter().collect(), save.by_hand);
        Ok(resumed.note)
    }

    /// Plays the log of a saved game from its start, perhaps by other rules than those it was made by, as far as they
    /// allow. The game stands there then, and its log is what was made.
    ///
    /// # Errors
    /// [`crate::Error::Save`] if these rules have no such setup, [`crate::Error::Fault`] if they fail before the first
    /// decision.
    pub fn replay(&mut self, save: &Save) -> Result<Replayed> {
        let setup = save.setup_in(self.machine.program())?;
        let followed = save.replay(&mut self.machine, setup);
        self.machine.record(true);
        let Followed { replayed, made } = followed.map_err(|fault| self.failed(fault))?;
        self.machine.take_events();
        self.forget(setup.into(), save.seed, made.into_iter().collect(), save.by_hand.clone());
        Ok(replayed)
    }

    /// Whether the game stands where a saved game of the same rules stood.
    pub fn compare(&self, save: &Save) -> Comparison {
        save.compare(&self.machine)
    }
}
