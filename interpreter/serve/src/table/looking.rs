//! What the pages of a table are told.

use super::live::player;
use super::seen::Seen;
use super::{Sitting, Viewer};
use crate::draw::Changes;
use crate::problem::Problem;

impl Sitting<'_> {
    /// What a page is told that has seen a version, as JSON.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn update(&mut self, viewer: Viewer, since: u64) -> Result<String, Problem> {
        self.look(viewer)?;
        self.told(viewer, since, None)
    }

    /// The version of what a viewer sees now.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn version(&mut self, viewer: Viewer) -> Result<u64, Problem> {
        Ok(self.look(viewer)?.version)
    }

    /// What a page is told, without a new look, and why what it wanted was not done, if so.
    pub(super) fn told(
        &self,
        viewer: Viewer,
        since: u64,
        refused: Option<&Problem>,
    ) -> Result<String, Problem> {
        let place = self.place(viewer);
        let Some(Some(seen)) = self.live.views.get(place) else {
            return Err(Problem::internal("nobody has looked"));
        };
        seen.update(since, refused, |line| self.live.line(line, viewer))
    }

    /// The pieces of a viewer's picture, by layer and id.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn pieces(&mut self, viewer: Viewer) -> Result<Vec<(String, String)>, Problem> {
        let seen = self.look(viewer)?;
        Ok(seen.pieces().iter().map(|(layer, _, html)| ((*layer).to_owned(), (*html).to_owned())).collect())
    }

    /// The lines of the log that a viewer may read.
    pub fn lines(&self, viewer: Viewer) -> Vec<String> {
        self.live.told.iter().filter_map(|told| told.text_for(viewer)).map(str::to_owned).collect()
    }

    /// Where a viewer's picture is kept: spectators last.
    pub(super) fn place(&self, viewer: Viewer) -> usize {
        viewer.unwrap_or(self.live.views.len() - 1)
    }

    /// What a viewer sees now; pages that look are told if it is something new.
    pub(super) fn look(&mut self, viewer: Viewer) -> Result<&mut Seen, Problem> {
        self.look_all(&[viewer])?;
        let place = self.place(viewer);
        self.live.views[place].as_mut().ok_or_else(|| Problem::internal("nobody has looked"))
    }

    /// The same for several at once.
    fn look_all(&mut self, viewers: &[Viewer]) -> Result<(), Problem> {
        let at = self.live.done;
        let is_old = |viewer: &Viewer| {
            let seen = self.live.views.get(self.place(*viewer)).and_then(Option::as_ref);
            seen.is_none_or(|seen| seen.at != at)
        };
        let old: Vec<Viewer> = viewers.iter().copied().filter(is_old).collect();
        if old.is_empty() {
            return Ok(());
        }
        for (viewer, now) in old.iter().zip(self.live.now(&self.facts, &old)?) {
            let channel = self.table.versions(*viewer);
            let place = self.place(*viewer);
            let slot = &mut self.live.views[place];
            match slot {
                Some(seen) => {
                    seen.look(at, now);
                }
                None => *slot = Some(Seen::new(*channel.borrow() + 1, at, now)),
            }
            let version = slot.as_ref().map(|seen| seen.version).unwrap_or_default();
            channel.send_if_modified(|told| std::mem::replace(told, version) != version);
        }
        Ok(())
    }

    /// Lets everybody see who has a page open, and who did something; the others look when they come.
    pub(super) fn show_all(&mut self, doer: Viewer) -> Result<(), Problem> {
        let players = self.live.views.len() - 1;
        let listens = |viewer: &Viewer| {
            self.table.versions(*viewer).receiver_count() > 0 || viewer.is_some() && *viewer == doer
        };
        let viewers: Vec<Viewer> = (0..players).map(Some).chain([None]).filter(listens).collect();
        self.look_all(&viewers)
    }

    /// Whether a number is that of what a seat is asked now.
    ///
    /// # Errors
    /// `serve::stale` if it is not.
    pub(super) fn fits(&mut self, seat: usize, number: u64) -> Result<(), Problem> {
        if self.look(Some(seat))?.number == number {
            return Ok(());
        }
        Err(Problem::stale())
    }

    /// Why what a seat could ask about is not open, as JSON.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn why(&mut self, seat: usize) -> Result<String, Problem> {
        let number = self.look(Some(seat))?.number;
        let kit = self.live.kit.clone();
        self.live.act(|game, _| match player(game, seat) {
            Some(player) => kit.board.why(game, player, number),
            None => Err(Problem::seat()),
        })?
    }

    /// What an option would change, as far as no luck and nobody else has a part in it.
    ///
    /// # Errors
    /// If the number or the option does not fit.
    pub fn attempt(&mut self, seat: usize, number: u64, option: usize) -> Result<Changes, Problem> {
        self.fits(seat, number)?;
        let picks = self.look(Some(seat))?.picks.clone();
        let Some(option) = picks.take(option, 0) else {
            return Err(Problem::request("there is no such option"));
        };
        let pool = &self.live.kit.pool;
        let player = pool.program().book.players.get(seat).copied().ok_or_else(Problem::seat)?;
        // Where the rules fail on the way nothing is told before: whoever takes it hears of it.
        Ok(Changes::of(pool.attempt(&self.live.game, player.into(), option).ok().flatten()))
    }
}
