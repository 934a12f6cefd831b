//! What people do at a table.

use blazon::bots::Skill;

use super::live::{is_human, player};
use super::{Sitting, Viewer};
use crate::keep::Line;
use crate::problem::Problem;

/// After so many choices a copy for people is written.
const COPY: usize = 64;

/// What came of a choice.
pub enum Chosen {
    /// It was taken.
    Taken(String),
    /// It belongs to what was asked before; that, and what is asked now.
    Stale(String),
}

impl Sitting<'_> {
    /// A seat takes an option of the decision of a number; answers what is new since a version.
    ///
    /// # Errors
    /// If there is no such option, the rules fail, or the disk does not take it: the game stands as before then.
    pub fn choose(&mut self, seat: usize, number: u64, option: usize, since: u64) -> Result<Chosen, Problem> {
        if self.look(Some(seat))?.number != number {
            return self.told(Some(seat), since, Some(&Problem::stale())).map(Chosen::Stale);
        }
        // Who resigned has ended it for all: the rules know nothing of that, and would go on asking.
        self.is_under_way()?;
        self.make_ready()?;
        self.journal.has_room()?;
        // Which of several that look alike: nobody may learn anything by which one it is.
        let chance = self.table.chance.number(seat)?;
        let Some(option) = self.look(Some(seat))?.picks.take(option, chance) else {
            return Err(Problem::request("there is no such option"));
        };
        self.live.is_void = true;
        let entry = self.live.act(|game, tell| tell.take(game, seat, |_, _| option))??;
        self.keep(vec![Line::Choice(entry)])?;
        self.attend();
        self.show_all(Some(seat))?;
        self.update(Some(seat), since).map(Chosen::Taken)
    }

    /// Takes back a seat's last choice, with what bots did since.
    ///
    /// # Errors
    /// If there is no way back, or the disk does not take it.
    pub fn undo(&mut self, seat: usize, since: u64) -> Result<String, Problem> {
        self.is_under_way()?;
        self.make_ready()?;
        if !self.look(Some(seat))?.may_undo() {
            return Err(Problem::refused(
                "there is nothing to take back: not past dice, draws, faces that were shown, or what others chose",
            ));
        }
        let facts = self.facts.clone();
        self.live.is_void = true;
        let gone = self.live.act(|game, tell| {
            let player = player(game, seat).ok_or_else(Problem::seat)?;
            let people: Vec<_> =
                game.players().into_iter().filter(|&other| is_human(&facts, game, other)).collect();
            let before = game.taken();
            game.undo(player, |other| people.contains(&other))
                .map_err(|why| Problem::refused(why.to_string()))?;
            tell.forget(game.log().len());
            Ok::<u64, Problem>(before - game.taken())
        })??;
        let left = self.live.made.saturating_sub(usize::try_from(gone).unwrap_or(usize::MAX));
        self.keep(vec![Line::Left(left)])?;
        self.live.bots.forget();
        self.attend();
        self.show_all(Some(seat))?;
        self.update(Some(seat), since)
    }

    /// A seat gives up: the game is over for all. The rules have no part in that, so nobody is said to have won.
    ///
    /// # Errors
    /// If it is over already, or the disk does not take it.
    pub fn resign(&mut self, seat: usize, since: u64) -> Result<String, Problem> {
        self.is_under_way()?;
        self.make_ready()?;
        let name = self.facts.seats.get(seat).map(|seat| seat.player.clone()).ok_or_else(Problem::seat)?;
        self.live.is_void = true;
        self.live.resigned = Some(name.clone());
        self.live.act(|_, _| ())?;
        self.keep(vec![Line::Resigned(name)])?;
        self.show_all(Some(seat))?;
        self.update(Some(seat), since)
    }

    /// Another sits down on a seat, which may change what is to be seen: whose turn it is does not, but what can be
    /// taken back. Bots that had stopped go on.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn reseat(&mut self, viewer: Viewer, since: u64) -> Result<String, Problem> {
        self.attend();
        self.live.done += 1;
        self.show_all(viewer)?;
        self.update(viewer, since)
    }

    /// Before something is done. Where the log is not as it was written nothing is even tried: the game in memory is held
    /// then, and can be looked at until the log is there again.
    fn make_ready(&mut self) -> Result<(), Problem> {
        self.settle()?;
        self.journal.is_there()
    }

    fn is_under_way(&self) -> Result<(), Problem> {
        match self.live.ended() {
            None => Ok(()),
            Some(over) => Err(Problem::refused(format!("the game is over: {over}"))),
        }
    }

    /// Writes down what was done; nobody has seen anything of it yet. If the disk does not take it, or anything failed
    /// before, the game in memory is void: what the disk has is made again from there.
    pub(super) fn keep(&mut self, lines: Vec<Line>) -> Result<(), Problem> {
        self.live.is_void = true;
        self.journal.append(&lines)?;
        self.live.is_void = false;
        self.live.done += 1;
        let before = self.live.made;
        for line in &lines {
            match line {
                Line::Choice(_) => self.live.made += 1,
                Line::Left(left) => self.live.made = *left,
                Line::Resigned(_) => {}
            }
        }
        self.is_kept(self.live.made / COPY != before / COPY || self.live.ended().is_some());
        Ok(())
    }

    /// The disk has another position. Now and then there is to be a copy of it, and always where a designer's editor tells
    /// from it what rules are worth now.
    pub(super) fn is_kept(&mut self, now_and_then: bool) {
        self.live.is_copied = false;
        if now_and_then || self.is_open_to_design() {
            self.keep_copy();
        }
    }

    /// Writes a copy of the game as the disk has it, unless there is one. The log has it all: one that the disk does not take
    /// is missed by nobody.
    pub fn keep_copy(&mut self) {
        let live = self.trial.as_mut().map_or(&mut *self.live, |trial| &mut trial.base);
        live.is_copied = live.is_copied || self.table.copy(live).is_ok();
    }

    /// The game as a saved game, for a browser that could learn nothing by it.
    ///
    /// # Errors
    /// If it could, or the game cannot be written.
    pub fn save(&self, browser: Option<&str>) -> Result<String, Problem> {
        self.is_no_secret(browser)?;
        self.live.save()
    }

    /// Whether nobody else could sit down any more, if the whole game were told to a browser.
    ///
    /// # Errors
    /// `serve::secret` if it is not told.
    pub fn would_tell(&self, browser: Option<&str>) -> Result<bool, Problem> {
        if self.live.ended().is_some() && self.facts.may_watch(browser) {
            return Ok(false);
        }
        if self.facts.is_alone(browser) { Ok(!self.facts.told) } else { Err(kept_secret()) }
    }

    /// Tells the whole game to a browser, if it may be told: from then on nobody else may sit down here.
    ///
    /// # Errors
    /// `serve::secret` if not; `serve::kept` if the disk does not take it.
    pub(super) fn is_no_secret(&self, browser: Option<&str>) -> Result<(), Problem> {
        if !self.would_tell(browser)? {
            return Ok(());
        }
        // Somebody may just have sat down.
        let is_alone = self.table.change(|facts| {
            let is_alone = facts.is_alone(browser);
            facts.told |= is_alone;
            is_alone
        })?;
        if is_alone { Ok(()) } else { Err(kept_secret()) }
    }

    /// The seats whose turn it is and that a bot plays.
    pub(super) fn bots_due(&self) -> Vec<(usize, Skill)> {
        // Bots have no part in what rules are tried.
        if self.trial.is_some() {
            return Vec::new();
        }
        let due = self.live.standing.deciders.iter();
        due.filter_map(|&seat| Some((seat, self.facts.seats.get(seat)?.sits.bot()?.clone()))).collect()
    }
}

fn kept_secret() -> Problem {
    Problem::secret(
        "others have seats here, and the whole game holds what they keep secret: it can be downloaded, and gone on with from an \
         earlier point, when it is over",
    )
}
