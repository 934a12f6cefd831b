//! Whether one player made of code beats another: the same games from each seat, and what may be said of the difference.

use std::sync::Arc;

use blazon_machine::bots::Skill;
use blazon_program::Program;

use super::Trouble;
use super::work::{Hands, Progress};
use crate::stats::matched;
use crate::{End, Plan};

/// What came of a duel. In each set of games the challenger has each seat once; dice and all others are the same. A set of which
/// a game came to no end tells nothing, and counts for nothing.
#[derive(Clone, Debug)]
pub struct Duel {
    /// Whom he was set against, in words.
    pub against: String,
    /// The games of sets that came to their end.
    pub games: u64,
    /// Those that he has won.
    pub won: u64,
    /// Those that are over, and nobody has won.
    pub nobody: u64,
    /// The games that came to no end, of other sets.
    pub failed: u64,
    /// How many seats there are.
    pub seats: usize,
    /// For each set that came to its end how much of it he has won; what nobody wins is shared.
    pub sets: Vec<f64>,
}

/// What may be said of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// He wins more than his part.
    Beats,
    /// So many games do not tell.
    Even,
    /// He wins less than his part.
    Loses,
}

impl Verdict {
    /// For programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Beats => "beats",
            Self::Even => "even",
            Self::Loses => "loses",
        }
    }
}

impl Duel {
    /// The share of games that he has won; what nobody wins is shared. Nothing where no set came to its end.
    pub fn share(&self) -> Option<f64> {
        let sets = self.sets.len();
        (sets > 0).then(|| self.sets.iter().sum::<f64>() / sets as f64)
    }

    /// What he would win if he were no better and no worse.
    pub fn part(&self) -> f64 {
        1.0 / self.seats.max(1) as f64
    }

    /// Between what the true share lies, with 95 percent confidence.
    ///
    /// The games of a set are not independent: who has the better seat often wins both. So sets are counted, as [`matched`]
    /// pairs are. With more than two seats as much is added.
    pub fn interval(&self) -> (f64, f64) {
        matched(self.sets.iter().map(|&share| (share, 1.0)), [0.0, self.part(), 1.0])
    }

    /// What may be said.
    pub fn verdict(&self) -> Verdict {
        let (least, most) = self.interval();
        if least > self.part() {
            Verdict::Beats
        } else if most < self.part() {
            Verdict::Loses
        } else {
            Verdict::Even
        }
    }
}

impl std::fmt::Display for Duel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let said = match self.verdict() {
            Verdict::Beats => "learned beats",
            Verdict::Even => "learned cannot be told from",
            Verdict::Loses => "learned does not beat, but loses to",
        };
        let against = &self.against;
        let Some(share) = self.share() else {
            return write!(
                f,
                "{said} {against}: {} games did not come to an end, and the others do not count",
                self.failed
            );
        };
        let (least, most) = self.interval();
        let [share, least, most] = [share, least, most].map(|share| 100.0 * share);
        write!(f, "{said} {against}: it wins {} of {} games", self.won, self.games)?;
        match self.nobody {
            0 => write!(f, ", {share:.1} % ({least:.0} to {most:.0} %)")?,
            // All at the table share what nobody has won.
            nobody => write!(
                f,
                " and shares {nobody} that nobody wins: {share:.1} % of the points ({least:.0} to {most:.0} %)"
            )?,
        }
        match self.failed {
            0 => Ok(()),
            failed => write!(f, "; {failed} more did not come to an end"),
        }
    }
}

/// Sets one player against another in so many sets of games.
///
/// # Errors
/// If it is stopped.
pub fn duel(
    program: &Arc<Program>,
    (challenger, other): (&Skill, &Skill),
    against: &str,
    (seed, sets): (u64, u64),
    hands: Hands<'_>,
    progress: &mut dyn Progress,
) -> Result<Duel, Trouble> {
    let players = &program.book.players;
    let seats = players.len();
    let plans: Vec<Plan> = players
        .iter()
        .map(|&seat| {
            let mut plan = Plan::new(&program.book, seed, other.clone());
            if let Some(skill) = plan.players.get_mut(seat as usize) {
                skill.clone_from(challenger);
            }
            plan
        })
        .collect();
    let total = sets * seats as u64;
    progress.begins(&format!("against {against}"), total);
    let ends: Vec<End> = hands.all(program, total, progress, |machine, number, stop| {
        let plan = plans.get(number as usize % seats)?;
        plan.play(machine, number / seats as u64, &mut (), stop).map(|row| row.end)
    })?;
    progress.ends();
    let mut duel =
        Duel { against: against.to_owned(), games: 0, won: 0, nobody: 0, failed: 0, seats, sets: Vec::new() };
    for set in ends.chunks(seats.max(1)) {
        let failed = set.iter().filter(|end| !end.is_over()).count() as u64;
        if failed > 0 {
            duel.failed += failed;
            continue;
        }
        duel.games += set.len() as u64;
        let mut share = 0.0;
        for (end, seat) in set.iter().zip(players) {
            match end.winner() {
                Some(winner) if winner == *seat => {
                    duel.won += 1;
                    share += 1.0;
                }
                Some(_) => {}
                None => {
                    duel.nobody += 1;
                    share += duel.part();
                }
            }
        }
        duel.sets.push(share / set.len() as f64);
    }
    Ok(duel)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sets: &[f64]) -> Duel {
        let games = 2 * sets.len() as u64;
        let won = (2.0 * sets.iter().sum::<f64>()) as u64;
        Duel {
            against: "another".to_owned(),
            games,
            won,
            nobody: 0,
            failed: 0,
            seats: 2,
            sets: sets.to_vec(),
        }
    }

    /// Agresti and Min's interval of the difference of matched proportions, halved, since a difference of -1 to 1 is a
    /// share of 0 to 1: for 26 sets won, 7 lost and 67 shared the difference is (26.5 - 7.5) / 102 = 0.18627, its error
    /// sqrt(34 - 19² / 102) / 102 = 0.05410.
    #[test]
    fn intervals_are_those_of_matched_pairs() {
        let mut sets = vec![0.5; 67];
        sets.extend([1.0; 26]);
        sets.extend([0.0; 7]);
        let (least, most) = of(&sets).interval();
        let (middle, half) = (0.5 + 0.186_275 / 2.0, 1.959_964 * 0.054_102 / 2.0);
        assert!((least - (middle - half)).abs() < 1e-4, "{least} {}", middle - half);
        assert!((most - (middle + half)).abs() < 1e-4, "{most} {}", middle + half);
        assert_eq!(of(&sets).verdict(), Verdict::Beats);
    }

    #[test]
    fn nothing_is_told_of_no_games() {
        let told = Duel { failed: 12, ..of(&[]) };
        assert_eq!((told.share(), told.verdict()), (None, Verdict::Even));
        assert_eq!(
            told.to_string(),
            "learned cannot be told from another: 12 games did not come to an end, and the others do not count"
        );
    }

    #[test]
    fn few_games_tell_little() {
        assert_eq!(of(&[1.0, 0.5]).verdict(), Verdict::Even);
        assert_eq!(of(&[0.5; 40]).verdict(), Verdict::Even);
        assert_eq!(of(&[1.0; 12]).verdict(), Verdict::Beats);
        assert_eq!(of(&[0.0; 12]).verdict(), Verdict::Loses);
        let told = of(&[0.0; 12]).to_string();
        assert!(told.starts_with("learned does not beat, but loses to another: it wins 0 of 24"), "{told}");
    }
}
