//! What was found, as values for programs: the same from the command line, from Python, and from the umpire.

use blazon_book::Book;
use serde_json::{Value, json};

use super::{Found, Side, Sum};
use crate::Plan;
use crate::stats::Sprt;

impl Found {
    /// For each player the games that he won by both rules, how many he won and lost by the change, the difference with its
    /// interval, and what the test says.
    pub fn players(&self, book: &Book, sprt: &Sprt) -> Vec<Value> {
        let things = &book.kind(book.player).things;
        let tested = self.tested(sprt);
        let places = book.players.iter().zip(self.sums.differences.iter().zip(&self.verdicts));
        let players = places.map(|(&player, (counts, verdict))| {
            json!({
                "player": things.get(player as usize).map(|thing| thing.name.as_str()),
                "won": self.sums.sides.each_ref().map(|side| side.tally.won[player as usize]),
                "lost_by_change": counts.of_value(-1.0),
                "won_by_change": counts.of_value(1.0),
                "difference": counts.mean(),
                "interval": tested.interval(counts).map(|(least, most)| [least, most]),
                "verdict": verdict,
            })
        });
        players.collect()
    }

    /// What games were like by both rules, and the differences of pairs.
    pub fn measures(&self) -> Value {
        let [base, changed] = self.sums.sides.each_ref().map(|side| &side.means);
        let of = |old: &Sum, new: &Sum, apart: &Sum| json!({ "base": mean(old), "changed": mean(new), "difference": mean(apart) });
        json!({
            "decisions": mean(&self.sums.longer),
            "behind": of(&base.behind, &changed.behind, &self.sums.like[0]),
            "lead_changes": of(&base.lead_changes, &changed.lead_changes, &self.sums.like[1]),
            "settled": of(&base.settled, &changed.settled, &self.sums.like[2]),
            "weight": of(&base.weight, &changed.weight, &self.sums.like[3]),
        })
    }
}

impl Side {
    /// How long its games were: decisions, and turns of each round of the plan.
    pub fn told_lengths(&self, book: &Book, plan: &Plan) -> Vec<Value> {
        let rounds = plan.rounds.iter().map(|&step| book.step(step).name.clone());
        let names = std::iter::once("decisions".to_owned()).chain(rounds);
        let lengths = self.lengths().zip(names).map(|(spread, name)| {
            let quarters = [1, 2, 3].map(|quarter| spread.quarter(quarter));
            json!({
                "of": name, "mean": spread.mean(), "least": spread.least(), "quarters": quarters, "most": spread.most(),
            })
        });
        lengths.collect()
    }
}

/// How many there are, their mean, and half the width of its interval.
fn mean(sum: &Sum) -> Value {
    json!({ "count": sum.count(), "mean": sum.mean(), "half": sum.half() })
}
