//! Rules that are changed while a game is under way: the game is played again under them, from its beginning to where it
//! stands, and shown there. Nothing of that is written down before somebody goes on from it; the log on the disk is the
//! game as it was played, and with the old text everything is as it was.
//!
//! Only a table that is in one hand does so ([`Facts::is_in_one_hand`](crate::keep::Facts::is_in_one_hand)): other people
//! go on by the rules that they sat down to.

use std::sync::Arc;

use blazon::Settings;
use blazon::change::{Blame, Change, Difference, Hunk, Standpoint};
use blazon::files::put_whole;
use blazon::machine::save::{Divergence, Entry, Replayed, Save};

use super::Sitting;
use super::live::Live;
use super::strip;
use crate::keep::{Journal, Line, keep_rules};
use crate::problem::Problem;
use crate::shelf::Kit;

/// The game of a table under changed rules.
pub struct Trial {
    /// The game as the disk has it, under the rules that it was played by.
    pub(super) base: Live,
    /// What was played, perhaps without choices that were taken out.
    course: Save,
    /// Its log under the changed rules.
    lines: Vec<Line>,
    /// What came of it.
    pub outcome: Outcome,
    /// What changed in the rules.
    pub hunks: Vec<Hunk>,
}

/// What came of playing a game again.
pub enum Outcome {
    /// It came to the same decision; what is otherwise there.
    Whole(Box<Difference>),
    /// It parts.
    Parted(Box<Parting>),
}

/// Where a game parts.
pub struct Parting {
    /// The choice that cannot be taken, its place in the log and why.
    pub at: Divergence,
    /// The paragraphs of the need that refuses it, and where that stands.
    pub refusal: Option<(Vec<String>, String)>,
    /// What is open there instead.
    pub open: Vec<String>,
    /// What of the change is to blame: the first, and what it needs.
    pub blamed: Vec<Hunk>,
}

impl Sitting<'_> {
    /// Plays the game again if the rules in the files are others than those that it stands under.
    ///
    /// # Errors
    /// If the disk does not take that somebody has been told all.
    pub fn catch_up(&mut self) -> Result<(), Problem> {
        if !self.is_open_to_design() {
            // Nobody could say any more what becomes of rules that were being tried.
            if self.is_no_longer_designed() {
                self.go_back();
                self.live.strip = None;
                self.live.done += 1;
                return self.show_all(None);
            }
            return Ok(());
        }
        let mut said = None;
        if let Some(kit) = self.hall.shelf.known(&self.facts.wanted()) {
            let base = self.trial.as_ref().map_or(&*self.live, |trial| &trial.base);
            if kit.digest == base.kit.digest {
                self.go_back();
                // The same rules, whose lines, words or drawn map may be others.
                if !Arc::ptr_eq(&kit, &self.live.kit) {
                    self.tell_again(kit);
                }
            } else if self.stays.as_ref() == Some(&kit.digest) {
                // Whatever was tried since, these are the rules that were turned down.
                self.go_back();
                said = Some(strip::staying());
            } else if !Arc::ptr_eq(&kit, &self.live.kit) {
                let course = base.saved()?;
                if let Err(problem) = self.try_rules(kit, course) {
                    self.go_back();
                    said = Some(strip::problem(&problem));
                }
            }
        }
        self.say(said)
    }

    /// Whether something is shown for a designer where somebody else has come to look on.
    pub(super) fn is_no_longer_designed(&self) -> bool {
        (self.trial.is_some() || self.live.strip.is_some()) && !self.is_open_to_design()
    }

    /// Says to the designer what is wrong with the rules, or else what they do; from the latter on nobody else may sit down,
    /// since it tells what seats may not know.
    fn say(&mut self, said: Option<String>) -> Result<(), Problem> {
        let trouble = self.hall.shelf.trouble(&self.facts.wanted());
        let told_anything = said.is_some();
        let now = match (&trouble, self.trial.as_ref()) {
            (Some(trouble), Some(trial)) if trouble.is_in_force => {
                Some(strip::trial(trial, &self.live.kit, Some(trouble)))
            }
            (Some(trouble), _) => Some(strip::trouble(trouble)),
            (None, Some(trial)) if said.is_none() => Some(strip::trial(trial, &self.live.kit, None)),
            (None, _) => said,
        };
        // What is wrong with the text of rules tells nothing of the game.
        if (self.trial.is_some() || told_anything)
            && let Err(problem) = self.tell_all()
        {
            self.go_back();
            return Err(problem);
        }
        self.live.strip = now;
        self.live.done += 1;
        self.show_all(None)
    }

    /// Somebody is told what seats may not know: from then on nobody else may sit down. Before he hears of it.
    ///
    /// # Errors
    /// `serve::secret` if others have sat down by now; `serve::kept` if the disk does not take it.
    pub fn tell_all(&mut self) -> Result<(), Problem> {
        if self.facts.told {
            return Ok(());
        }
        let is_alone = self.table.change(|facts| {
            let is_alone = facts.is_in_one_hand();
            facts.told |= is_alone;
            is_alone
        })?;
        self.facts = self.table.facts();
        if is_alone { Ok(()) } else { Err(Problem::secret("somebody else has just sat down at this table")) }
    }

    /// Plays a game again under other rules and shows it; the game as it was stays behind it.
    fn try_rules(&mut self, kit: Arc<Kit>, course: Save) -> Result<(), Problem> {
        if !course.by_hand.is_empty() {
            let text = "dice or draws of this game were laid ready by hand: it is not played again under other rules";
            return Err(Problem::refused(text));
        }
        let (mut live, replayed, lines) = self.under(&kit, &course)?;
        let base = self.trial.as_ref().map_or(&*self.live, |trial| &trial.base);
        let change = Change::new(&base.kit.project, &kit.project);
        let outcome = match replayed {
            Replayed::Whole => {
                let was = standpoint(base)?;
                Outcome::Whole(Box::new(was.difference(&standpoint(&live)?)))
            }
            Replayed::Until(at) => Outcome::Parted(Box::new(parting(&kit, &live, &change, &course, at)?)),
        };
        live.replace(self.live);
        let shown = std::mem::replace(self.live, live);
        let base = match self.trial.take() {
            Some(trial) => trial.base,
            None => shown,
        };
        *self.trial = Some(Trial { base, course, lines, outcome, hunks: change.hunks().to_vec() });
        Ok(())
    }

    /// A game under other rules, as far as it comes, and its log there.
    fn under(&self, kit: &Arc<Kit>, course: &Save) -> Result<(Live, Replayed, Vec<Line>), Problem> {
        let mut game = kit.game()?;
        let replayed = game.replay(course)?;
        let pending = Entry::pending(game.machine());
        let made = game.log().iter().chain(pending).filter(|entry| !entry.forced).map(Line::Choice);
        let base = self.trial.as_ref().map_or(&*self.live, |trial| &trial.base);
        let resigned = base.resigned.clone().filter(|_| replayed == Replayed::Whole).map(Line::Resigned);
        let lines: Vec<Line> = made.chain(resigned).collect();

        let start = kit.pool.start(course.setup_in(kit.pool.program())?.into(), course.seed)?;
        let mut live = Live::new(kit.clone(), start, &self.facts);
        live.follow(&self.facts, &lines)?;
        Ok((live, replayed, lines))
    }

    /// The same game in the words of its rules as they are now. Where it cannot be told anew what has been said stays.
    fn tell_again(&mut self, kit: Arc<Kit>) {
        let course = self.live.saved().ok().filter(|course| course.by_hand.is_empty());
        let told = course.and_then(|course| self.under(&kit, &course).ok());
        if let Some((mut live, Replayed::Whole, _)) = told {
            live.replace(self.live);
            (live.made, live.is_copied) = (self.live.made, self.live.is_copied);
            *self.live = live;
        } else {
            self.live.kit = kit;
        }
    }

    /// The game as the disk has it stands here again.
    fn go_back(&mut self) {
        if let Some(Trial { mut base, .. }) = self.trial.take() {
            base.replace(self.live);
            *self.live = base;
        }
    }

    /// The game goes on from where it is shown, under the changed rules: that is on the disk afterwards. The log as it was
    /// is left beside it.
    ///
    /// # Errors
    /// `serve::kept` if the disk does not take it; nothing has changed then.
    pub fn go_on(&mut self) -> Result<(), Problem> {
        let Some(trial) = self.trial.take() else { return Ok(()) };
        let kept = self.keep_course(&trial.lines);
        if let Err(problem) = kept {
            *self.trial = Some(trial);
            return Err(problem);
        }
        self.is_kept(true);
        self.say(None)
    }

    fn keep_course(&mut self, lines: &[Line]) -> Result<(), Problem> {
        let kit = self.live.kit.clone();
        keep_rules(&self.hall.data.rules(&kit.digest), &kit.project)?;
        let course = self.facts.course + 1;
        let next = crate::keep::Facts { course, ..crate::keep::Facts::clone(&self.facts) };
        let path = self.table.folder.join(next.log());
        // What an earlier attempt left there was never the game.
        put_whole(&path, "").map_err(|error| Problem::kept(format!("the log cannot be begun: {error}")))?;
        let (mut journal, _) = Journal::open(&path)?;
        journal.append(lines)?;
        self.table.change(|facts| (facts.course, facts.rules) = (course, kit.digest.clone()))?;
        self.facts = self.table.facts();
        *self.journal = journal;
        Ok(())
    }

    /// The game stays under the rules that it was played by, until they change once more.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn stay(&mut self) -> Result<(), Problem> {
        if self.trial.is_some() {
            *self.stays = Some(self.live.kit.digest.clone());
            self.go_back();
            return self.say(Some(strip::staying()));
        }
        self.say(None)
    }

    /// The rules that were turned down are taken in after all.
    ///
    /// # Errors
    /// As [`Self::catch_up`].
    pub fn take_in(&mut self) -> Result<(), Problem> {
        *self.stays = None;
        self.catch_up()
    }

    /// The game is played again without the choice at which it parts.
    ///
    /// # Errors
    /// If it does not part, or cannot be played again.
    pub fn take_out(&mut self) -> Result<(), Problem> {
        let Some(Trial { course, outcome: Outcome::Parted(parting), .. }) = self.trial.as_ref() else {
            return Err(Problem::refused("the game does not part here"));
        };
        let (mut course, step, kit) = (course.clone(), parting.at.step, self.live.kit.clone());
        match step.checked_sub(course.log.len()) {
            None => drop(course.log.remove(step)),
            Some(place) if place < course.pending.len() => drop(course.pending.remove(place)),
            Some(_) => return Err(Problem::refused("there is no choice to be taken out")),
        }
        self.try_rules(kit, course)?;
        self.say(None)
    }

    /// What somebody does at a table whose rules have changed: he goes on by these. Where the game parts he must say first
    /// what becomes of it.
    ///
    /// # Errors
    /// `serve::parted` if it parts, or as [`Self::go_on`].
    pub(super) fn settle(&mut self) -> Result<(), Problem> {
        match self.trial.as_ref().map(|trial| &trial.outcome) {
            None => Ok(()),
            Some(Outcome::Whole(_)) => self.go_on(),
            Some(Outcome::Parted(_)) => Err(Problem::parted()),
        }
    }
}

fn standpoint(live: &Live) -> Result<Standpoint, Problem> {
    let mut game = live.game.clone();
    Ok(live.kit.pool.act(&mut game, Standpoint::of)??)
}

fn parting(
    kit: &Kit,
    live: &Live,
    change: &Change,
    course: &Save,
    at: Divergence,
) -> Result<Parting, Problem> {
    let mut game = live.game.clone();
    let open = kit.pool.act(&mut game, |game| {
        let mut open = Vec::new();
        for player in game.deciders() {
            let name = game.player_name(player);
            open.extend(game.options(player).into_iter().map(|offer| format!("{name}: {}", offer.label)));
        }
        open
    })?;
    let settings = Settings { rulings: kit.wanted.rulings.clone(), ..Settings::default() };
    let mut blame = Blame::new(change, &settings);
    let culprit = blame.of(course, &at);
    let blamed = culprit
        .iter()
        .flat_map(|culprit| std::iter::once(culprit.first).chain(culprit.others.iter().copied()));
    let sources = &kit.pool.program().book.sources;
    let refusal = at.refusal.as_ref().map(|refusal| (refusal.cites.clone(), sources.place(refusal.span)));
    Ok(Parting { refusal, open, blamed: blamed.cloned().collect(), at })
}
