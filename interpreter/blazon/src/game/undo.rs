//! The way back: choices are taken back as long as nobody has learned anything by them.

use std::collections::BTreeSet;

use blazon_book::KindId;
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

/// The faces that each player sees.
pub(super) type Faces = Vec<BTreeSet<(KindId, u32)>>;

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
        let now = self.faces();
        let shown = faces.iter().zip(&now).any(|(before, now)| !now.is_subset(before));
        if last || shown {
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

    /// The faces that each player sees; only of kinds that have hidden ones.
    fn faces(&mut self) -> Faces {
        let book = self.book().clone();
        let mut faces = Faces::new();
        for &player in &book.players {
            let mut seen = BTreeSet::new();
            if let Ok(view) = self.machine.view(Some(player)) {
                for kind in view.kinds.iter().filter(|kind| book.kind(kind.kind).seen.is_some()) {
                    seen.extend(kind.seen.iter().map(|thing| (kind.kind, thing.thing)));
                }
            }
            faces.push(seen);
        }
        faces
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
