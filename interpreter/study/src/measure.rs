//! What a game was like, beside who won it: whether it was close, how often the lead changed, when it was decided, how
//! much hung on its decisions.
//!
//! Who leads is who has the greatest outlook by the book's rule `outlook`. A book without one has no such measures.

use blazon_book::RuleId;
use blazon_kernel::chance;
use blazon_machine::Machine;
use blazon_machine::bots::{OUTLOOK, outlook_of};

use crate::game::{Row, Watch, aside};
use crate::meaning::Names;

/// So many parts of a game its course is told in.
pub const PARTS: usize = 10;
/// Of so many decisions one is weighed.
const WEIGHED: u64 = 512;
/// So many of its options are tried.
const TRIED: usize = 16;
/// Nobody leads.
const NOBODY: u8 = u8::MAX;

/// What a game was like.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Measures {
    /// The part of the decisions, 0 to 1, at which somebody else led than who won in the end.
    pub behind: Option<f64>,
    /// How often another took the lead; nothing of a game without a decision, which has none of these.
    pub lead_changes: Option<f64>,
    /// The part of the decisions, 0 to 1, that were left when who won took the lead for good.
    pub settled: Option<f64>,
    /// How far the outlooks of a decision's options lie apart (their standard deviation one decision on), in points of the
    /// outlook, of the decisions that were weighed.
    pub weight: Option<f64>,
    /// Who led when so many parts of the decisions were taken; nothing if nobody did.
    pub leaders: Vec<Option<u32>>,
}

/// Measures games, one after the other.
pub struct Measure {
    rule: Option<RuleId>,
    players: Vec<u32>,
    names: Names,
    /// Where options are tried that are weighed, and questions put that are not to count.
    scratch: Option<Machine>,
    game: Game,
    /// Of the last game.
    pub measures: Measures,
}

/// What is kept of the game under way.
#[derive(Debug, Default)]
struct Game {
    /// Who led at each decision.
    leaders: Vec<u8>,
    seed: u64,
    /// The weights of decisions, added up, and of how many.
    weights: (f64, u64),
}

impl Measure {
    /// For games of the program that a machine runs.
    pub fn new(machine: &Machine) -> Self {
        let book = &machine.program().book;
        Self {
            rule: book.outlook(OUTLOOK),
            players: book.players.clone(),
            names: Names::of(machine),
            scratch: None,
            game: Game::default(),
            measures: Measures::default(),
        }
    }

    fn leader(&mut self, machine: &mut Machine, rule: RuleId) -> u8 {
        let machine = aside(machine, &mut self.scratch);
        let (mut best, mut leader) = (f64::NEG_INFINITY, NOBODY);
        for &player in &self.players {
            // Where the rule says nothing, nobody leads.
            let Ok(outlook) = outlook_of(machine, rule, player) else { return NOBODY };
            if outlook > best {
                (best, leader) = (outlook, u8::try_from(player).unwrap_or(NOBODY));
            } else if outlook == best {
                leader = NOBODY;
            }
        }
        leader
    }

    /// By how much a player leads the best of the others; nothing where the rule fails.
    fn lead(&self, machine: &mut Machine, rule: RuleId, player: u32) -> Option<f64> {
        let own = outlook_of(machine, rule, player).ok()?;
        let mut best = f64::NEG_INFINITY;
        for &other in self.players.iter().filter(|&&other| other != player) {
            best = best.max(outlook_of(machine, rule, other).ok()?);
        }
        Some(if best.is_finite() { own - best } else { own })
    }

    fn weigh(&mut self, machine: &Machine, rule: RuleId, player: u32) {
        let open = machine.options(player).len();
        if open < 2 {
            return;
        }
        let mut scratch = self.scratch.take().unwrap_or_else(|| machine.clone());
        scratch.record(false);
        let root = machine.snapshot();
        let mut places: Vec<usize> = (0..open).collect();
        if open > TRIED {
            // By what they mean: programs of the same rules may list them in another order.
            let decision = chance::mix(self.game.seed, self.game.leaders.len() as u64);
            let lot = |place: usize| chance::mix(decision, self.names.decided(machine, player, place));
            places.sort_by_cached_key(|&place| lot(place));
            places.truncate(TRIED);
        }
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for place in places {
            let is_there = scratch.restore(&root).is_ok();
            if is_there
                && scratch.choose(player, place).is_ok()
                && let Some(lead) = self.lead(&mut scratch, rule, player)
            {
                count += 1.0;
                sum += lead;
                squares += lead * lead;
            }
        }
        if count > 1.0 {
            let variance: f64 = (squares - sum * sum / count) / (count - 1.0);
            self.game.weights.0 += variance.max(0.0).sqrt();
            self.game.weights.1 += 1;
        }
        self.scratch = Some(scratch);
    }

    fn measured(&self, row: &Row) -> Measures {
        let Game { leaders: at, weights, .. } = &self.game;
        let winner = row.end.winner().and_then(|winner| u8::try_from(winner).ok());
        let mut measures = Measures::default();
        if at.is_empty() {
            // A part of no decisions is no number, and nobody was seen to lead.
            return measures;
        }
        let all = at.len() as f64;
        if weights.1 > 0 {
            measures.weight = Some(weights.0 / weights.1 as f64);
        }
        let leaders = at.iter().copied().filter(|&leader| leader != NOBODY);
        let (mut last, mut changes) = (NOBODY, 0u32);
        for leader in leaders {
            changes += u32::from(last != NOBODY && leader != last);
            last = leader;
        }
        measures.lead_changes = Some(f64::from(changes));
        measures.leaders = (0..PARTS).map(|part| self.leader_at(part)).collect();
        let Some(winner) = winner else { return measures };
        let others_lead = |&&leader: &&u8| leader != NOBODY && leader != winner;
        measures.behind = Some(at.iter().filter(others_lead).count() as f64 / all);
        let for_good = at.iter().rev().take_while(|&&leader| leader == winner).count();
        measures.settled = Some(for_good as f64 / all);
        measures
    }

    /// Who led when so many parts of the game were over.
    fn leader_at(&self, part: usize) -> Option<u32> {
        let leaders = &self.game.leaders;
        let leader = *leaders.get(leaders.len() * part / PARTS)?;
        (leader != NOBODY).then(|| u32::from(leader))
    }
}

impl Watch for Measure {
    fn starts(&mut self, _machine: &mut Machine, game: u64) {
        // What is weighed hangs on nothing but the game's number: it is the same in every run, by whatever program of the rules
        // it is played.
        let seed = chance::mix(WEIGHED, game);
        (self.game, self.measures) = (Game { seed, ..Game::default() }, Measures::default());
    }

    fn decides(&mut self, machine: &mut Machine, player: u32, _index: usize) {
        let Some(rule) = self.rule else { return };
        let leader = self.leader(machine, rule);
        self.game.leaders.push(leader);
        if chance::mix(self.game.seed, self.game.leaders.len() as u64).is_multiple_of(WEIGHED) {
            self.weigh(machine, rule, player);
        }
    }

    fn ends(&mut self, _machine: &mut Machine, row: &Row) {
        // What a game was like that was broken off is no more than its beginning.
        if self.rule.is_some() && row.end.is_over() {
            self.measures = self.measured(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;

    fn measured(leaders: &[u8], winner: Option<u32>) -> Measures {
        let measure = Measure {
            rule: None,
            players: vec![0, 1],
            names: Names::default(),
            scratch: None,
            game: Game { leaders: leaders.to_vec(), ..Game::default() },
            measures: Measures::default(),
        };
        let end = End::Over { winner, place: None, said: String::new() };
        measure.measured(&Row { game: 0, seed: 0, setup: 0, end, decisions: 0, turns: Vec::new() })
    }

    #[test]
    fn a_lead_is_counted_by_who_won_in_the_end() {
        let measures = measured(&[NOBODY, 1, 1, NOBODY, 0, 1, 0, 0, 0, 0], Some(0));
        assert_eq!(measures.behind, Some(0.3));
        assert_eq!(measures.lead_changes, Some(3.0));
        assert_eq!(measures.settled, Some(0.4));
        assert_eq!(measures.leaders[1], Some(1));
        assert_eq!(measures.leaders[0], None);
    }

    #[test]
    fn a_game_without_a_decision_has_no_measures() {
        assert_eq!(measured(&[], Some(0)), Measures::default());
    }

    #[test]
    fn without_a_winner_nobody_was_behind() {
        let measures = measured(&[1, 0], None);
        assert_eq!((measures.behind, measures.settled, measures.lead_changes), (None, None, Some(1.0)));
    }
}
