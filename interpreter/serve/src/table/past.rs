//! Looking back: the game as it stood after some of its choices.

use blazon::Game;

use super::live::player;
use super::seen::{Now, Rest, Seen};
use super::{Sitting, Viewer};
use crate::problem::Problem;

/// A line of play has so many steps at most: the last of them, since nobody looks at more one after the other.
const STEPS: usize = 40;

impl Sitting<'_> {
    /// What a viewer saw after so many choices, as JSON, whole and without a decision. Where nobody had another choice
    /// nothing is to be seen: then it is what he saw at the next one, or, where he goes `back`, at the one before.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn replay(&mut self, viewer: Viewer, choices: usize, back: bool) -> Result<String, Problem> {
        let all = self.live.standing.choices;
        let save = self.live.saved()?;
        let made: Vec<_> = save.log.iter().chain(&save.pending).collect();
        let mut choices = choices.min(all);
        while back && choices > 0 && made.get(choices).is_some_and(|entry| entry.forced) {
            choices -= 1;
        }
        let mut game = self.after(choices)?;
        // An answer that was the only one is given already where others are asked.
        let waits = |game: &Game, choices: usize| {
            let answers = made.get(game.log().len()..choices).unwrap_or_default();
            !answers.is_empty() && answers.iter().all(|entry| entry.forced)
        };
        while !back && choices < all && waits(&game, choices) {
            choices += 1;
            game = self.after(choices)?;
        }
        // What was the only choice is taken by the rules again.
        let choices = choices.max(game.log().len());
        let mut now = self.seen_in(&mut game, viewer, choices)?;
        now.rest.choices = choices;
        now.rest.title = format!("{} – {choices} of {all}", self.facts.title);
        Seen::new(1, 0, now).update(0, None, |line| self.live.line(line, viewer))
    }

    /// What a viewer has seen since so many choices, as JSON: for each that changed something for him how many there were
    /// with it, and an update without a decision, which tells what is otherwise than before it.
    ///
    /// # Errors
    /// If the rules fail that say who sees what.
    pub fn line_of_play(&mut self, viewer: Viewer, from: usize) -> Result<String, Problem> {
        let save = self.live.saved()?;
        let mut game = self.after(from)?;
        // What was the only choice is taken by the rules again.
        let from = game.log().len().max(from);
        let taken: Vec<_> = save.log.iter().skip(from).filter(|entry| !entry.forced).collect();
        let now = self.seen_in(&mut game, viewer, from)?;
        let mut seen = Seen::new(1, 0, now);
        let unseen = taken.len().saturating_sub(STEPS);
        let mut steps = Vec::new();
        for (place, entry) in taken.into_iter().enumerate() {
            let found = game.find(entry);
            let (player, option) =
                found.ok_or_else(|| Problem::internal("a choice that was made is not open"))?;
            game.choose(player, option)?;
            if place >= unseen {
                let (since, choices) = (seen.version, game.log().len());
                let now = self.seen_in(&mut game, viewer, choices)?;
                // What he does not see is no step: it might tell whether somebody had a choice.
                if seen.look(0, now) {
                    let update = seen.update(since, None, |line| self.live.line(line, viewer))?;
                    steps.push(format!("[{choices},{update}]"));
                }
            }
        }
        Ok(format!("[{}]", steps.join(",")))
    }

    /// What a viewer sees in a game of so many choices, without a decision.
    fn seen_in(&self, game: &mut Game, viewer: Viewer, choices: usize) -> Result<Now, Problem> {
        let player = viewer.and_then(|viewer| player(game, viewer));
        let shown = self.live.kit.board.show(game, player)?;
        let read = self.live.told.iter().filter(|told| told.choice <= choices);
        let lines = read.filter(|told| told.text_for(viewer).is_some()).map(|told| told.number()).collect();
        let mut fragments = shown.fragments;
        blazon_board::Board::recall(&mut fragments, &self.live.thrown(viewer, choices));
        fragments.extend(self.live.kit.board.besides(viewer.is_some()));
        Ok(Now { fragments, decision: None, picks: shown.picks, lines, rest: Rest::default() })
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
