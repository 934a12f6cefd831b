//! The way back: choices are taken back as long as nobody has learned anything by them.

use blazon_kernel::Position;

use super::Game;
use crate::ids::PlayerId;

/// The words of positions that are kept, unless fewer are asked for.
pub(super) const MOST_BACK: usize = 1 << 21;

/// The state before a choice.
#[derive(Clone, Debug)]
pub(super) struct Before {
    player: PlayerId,
    position: Position,
    log: usize,
    events: usize,
}

/// Why a choice cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWayBack {
    /// Nothing was chosen since dice fell, cards were drawn or a face was shown.
    Nothing,
    /// Another person has chosen since.
    Another,
}

impl std::fmt::Display for NoWayBack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nothing => "there is nothing to take back: not past dice, draws or faces that were shown",
            Self::Another => "somebody else has chosen since",
        })
    }
}

impl std::error::Error for NoWayBack {}

/// The faces that each player sees, as sets of each kind; nothing where the rules failed to tell.
#[derive(Debug)]
pub(super) struct Faces(Option<Vec<Vec<Option<Vec<u64>>>>>);

impl Faces {
    /// Whether somebody sees a face now that he did not see; where the rules failed to tell, it may be so.
    pub(super) fn shown(&self, now: &Self) -> bool {
        let (Some(before), Some(now)) = (&self.0, &now.0) else { return true };
        let is_new = |(before, now): (&Option<Vec<u64>>, &Option<Vec<u64>>)| match (before, now) {
            (Some(before), Some(now)) => before.iter().zip(now).any(|(before, now)| now & !before != 0),
            (Some(_), None) => true,
            (None, _) => false,
        };
        before.iter().zip(now).any(|(before, now)| before.iter().zip(now).any(is_new))
    }
}

impl Game {
    /// Whether choices can be taken back from now on. It costs time and memory, so it is off unless a person plays: up
    /// to 16 megabytes of positions are kept, then the oldest are dropped.
    pub fn keep_back(&mut self, on: bool) {
        self.keep_back_within(if on { MOST_BACK } else { 0 });
    }

    /// The same with so many words of eight bytes at most; the last choice can be taken back in any case, unless it
    /// is none at all.
    pub fn keep_back_within(&mut self, words: usize) {
        self.record.keeps_back = words;
        if words == 0 {
            self.record.back.clear();
        }
    }

    pub(super) fn before(&mut self, player: PlayerId) -> (Before, Faces) {
        let before = Before {
            player,
            position: self.machine.snapshot(),
            log: self.record.log.len(),
            events: self.record.happened.count(),
        };
        (before, self.faces())
    }

    /// Keeps the way back to before a choice, unless it showed something; `last` says that it cannot be taken back.
    pub(super) fn remember(&mut self, before: Before, faces: &Faces, last: bool) {
        if last || faces.shown(&self.faces()) {
            self.record.back.clear();
        } else {
            self.record.back.push(before);
            self.drop_oldest();
        }
    }

    /// Keeps no more words of positions than were asked for, and the last one in any case.
    fn drop_oldest(&mut self) {
        let most = self.record.keeps_back;
        let back = &mut self.record.back;
        let mut words = 0;
        let kept = back.iter().rev().take_while(|before| {
            words += before.position.words().len();
            words <= most
        });
        let kept = kept.count().max(1);
        back.drain(..back.len().saturating_sub(kept));
    }

    /// The faces that each player sees.
    pub(super) fn faces(&mut self) -> Faces {
        let players = self.book().players.clone();
        Faces(players.into_iter().map(|player| self.machine.faces(player).ok()).collect())
    }

    /// Takes back the last choice of a person, with all that programs chose since; `is_human` tells persons.
    ///
    /// # Errors
    /// If there is none that can be taken back.
    pub fn undo(&mut self, player: PlayerId, is_human: impl Fn(PlayerId) -> bool) -> Result<(), NoWayBack> {
        let place = self.way_back(player, is_human)?;
        let Some(before) = self.record.back.drain(place..).next() else { return Err(NoWayBack::Nothing) };
        if self.machine.restore(&before.position).is_err() {
            return Err(NoWayBack::Nothing);
        }
        self.machine.take_events();
        self.record.log.truncate(before.log);
        self.lay_back();
        self.record.happened.truncate(before.events);
        Ok(())
    }

    /// Whether [`Self::undo`] would take something back.
    ///
    /// # Errors
    /// As there.
    pub fn can_undo(&self, player: PlayerId, is_human: impl Fn(PlayerId) -> bool) -> Result<(), NoWayBack> {
        self.way_back(player, is_human).map(|_| ())
    }

    /// Which of the states that are kept stood before a player's last choice.
    fn way_back(&self, player: PlayerId, is_human: impl Fn(PlayerId) -> bool) -> Result<usize, NoWayBack> {
        let back = &self.record.back;
        match back.iter().rposition(|before| is_human(before.player)) {
            None => Err(NoWayBack::Nothing),
            Some(place) if back[place].player != player => Err(NoWayBack::Another),
            Some(place) => Ok(place),
        }
    }
}
