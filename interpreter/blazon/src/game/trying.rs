//! What an option would do, told before it is taken, and the game as it stood before.

use blazon_machine::Event;

use super::Game;
use crate::error::Result;
use crate::ids::{OptionId, PlayerId};
use crate::told::Change;

/// In so many guesses at what a player may not know an option must do the same to be told before. What comes of few of all
/// positions that there may be can still be missed.
const GUESSES: u64 = 6;

/// What an option does, if it does the same in every guess at what may not be known; `tried` takes it in one of them.
pub(crate) fn in_every_guess(
    mut tried: impl FnMut(u64) -> Result<Option<Vec<Change>>>,
) -> Result<Option<Vec<Change>>> {
    let mut said: Option<Vec<Change>> = None;
    for guess in 0..GUESSES {
        let Some(changes) = tried(guess)? else { return Ok(None) };
        if said.as_ref().is_some_and(|said| *said != changes) {
            return Ok(None);
        }
        said = Some(changes);
    }
    Ok(said)
}

impl Game {
    /// What a player would see otherwise if he took an option; nothing where luck or somebody else has a part in it, or
    /// what he may not know. It is tried in several guesses at that, never in the position itself.
    ///
    /// # Errors
    /// [`crate::Error::Fault`] if the rules fail.
    pub fn attempt(&self, player: PlayerId, option: OptionId) -> Result<Option<Vec<Change>>> {
        in_every_guess(|guess| self.clone().attempt_in_guess(player, option, guess))
    }

    /// The same in one guess; the game is another afterwards.
    pub(crate) fn attempt_in_guess(
        &mut self,
        player: PlayerId,
        option: OptionId,
        guess: u64,
    ) -> Result<Option<Vec<Change>>> {
        self.keep_back(false);
        self.take_events();
        if !self.imagine(player, guess)? {
            return Ok(None);
        }
        let (before, faces) = (self.view(Some(player))?, self.faces());
        self.choose(player, option)?;
        let events = self.take_events();
        if events.iter().any(|event| is_chance(event, player)) || faces.shown(&self.faces()) {
            return Ok(None);
        }
        Ok(Some(before.changes(&self.view(Some(player))?)))
    }

    /// The game as it stood when so many decisions had been taken; nothing if it never did.
    ///
    /// # Errors
    /// [`crate::Error::Save`] or [`crate::Error::Fault`] if it cannot be played again.
    pub fn at(&self, decisions: u64) -> Result<Option<Self>> {
        if decisions == self.taken() {
            return Ok(Some(self.clone()));
        }
        let saved = self.saved();
        let (mut decided, mut choices) = (0, 0);
        let mut made = saved.choices();
        while decided < decisions {
            let Some(choice) = made.next() else { return Ok(None) };
            // Choices that were the only ones follow by themselves.
            decided += u64::from(!choice.forced);
            choices += 1;
        }
        drop(made);
        let mut game = self.clone();
        game.replay(&saved.until(choices))?;
        Ok(Some(game))
    }
}

/// Whether luck or somebody else had a part in something: then what comes of it may not be told before.
fn is_chance(event: &Event, player: PlayerId) -> bool {
    match event {
        Event::Rolled { .. } | Event::Drawn { .. } => true,
        Event::Said { announce, .. } => *announce,
        Event::Chosen { player: by, .. } => *by != u32::from(player),
        Event::Over { .. } => false,
    }
}
