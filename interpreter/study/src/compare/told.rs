//! What was found, as values for programs: the same from the command line, from Python, and from the umpire.

use blazon_book::Book;
use serde_json::{Value, json};

use super::{Counted, Found, Interval, Paired, Side, Sum, Verdict};
use crate::Plan;
use crate::report::bound;

impl Found {
    /// For each player the games that he won by both rules, how many he won and lost by the change, the difference with its
    /// interval, what is sure, and after how many pairs it was.
    pub fn players(&self, book: &Book) -> Vec<Value> {
        let things = &book.kind(book.player).things;
        let judged = self.verdicts.iter().zip(&self.sure).zip(&self.intervals);
        let places = book.players.iter().zip(self.sums.differences.iter().zip(judged));
        let players = places.map(|(&player, (counts, ((verdict, sure), interval)))| {
            json!({
                "player": things.get(player as usize).map(|thing| thing.name.as_str()),
                "won": self.sums.sides.each_ref().map(|side| side.tally.won[player as usize]),
                "lost_by_change": counts.of_value(-1.0),
                "won_by_change": counts.of_value(1.0),
                "difference": counts.mean(),
                "interval": (counts.count() > 0).then_some([interval.least, interval.most]),
                "verdict": verdict,
                "sure_after": sure.as_ref().map(|counts| counts.count()),
            })
        });
        players.collect()
    }

    /// What games were like by both rules, and the differences: of the same pairs, those of which both came to an end. A step
    /// that only one side has is told of that side alone.
    pub fn measures(&self, steps: &[Counted]) -> Value {
        let of = |paired: &Paired| json!({ "base": mean(&paired.base), "changed": mean(&paired.changed), "difference": mean(&paired.difference) });
        let decisions = self.sums.lengths.first().map(|paired| {
            // The difference stood here alone at first, and so it stands here still.
            let (mut told, difference) = (of(paired), mean(&paired.difference));
            for key in ["count", "mean", "half"] {
                told[key] = difference[key].clone();
            }
            told
        });
        let one = |sum: &Sum, place: Option<usize>| place.map(|_| mean(sum));
        let steps = steps.iter().zip(self.sums.lengths.iter().skip(1)).map(|(step, paired)| {
            let [base, changed] = step.places;
            json!({
                "step": step.step,
                "base": one(&paired.base, base),
                "changed": one(&paired.changed, changed),
                "difference": one(&paired.difference, base.and(changed)),
            })
        });
        let [behind, lead_changes, settled, weight] = self.sums.like.each_ref().map(of);
        json!({
            "decisions": decisions,
            "steps": steps.collect::<Vec<_>>(),
            "behind": behind,
            "lead_changes": lead_changes,
            "settled": settled,
            "weight": weight,
        })
    }
}

/// Where what is sure of players of one strength contradicts what is sure of those of another: a sentence for each player of
/// the game of whom that is so, or for one of two who mirror each other. Only who contradicts somebody is named.
pub fn disagreements(book: &Book, levels: &[(String, &Found)]) -> Vec<String> {
    let mut told = Vec::new();
    for (place, &player) in book.players.iter().enumerate() {
        let all = levels
            .iter()
            .filter_map(|(who, found)| Some((who, *found.verdicts.get(place)?, found.intervals.get(place)?)));
        let all: Vec<_> = all.collect();
        // Intervals that have nothing in common cannot both hold the same difference. Of a small one it may be sure at one
        // strength that there is one, and at another that it is small.
        let contradicts = |a: &Interval| all.iter().any(|(.., b)| a.most < b.least || b.most < a.least);
        let disagree: Vec<_> = all.iter().filter(|(.., a)| contradicts(a)).collect();
        if disagree.is_empty() {
            continue;
        }
        let each = disagree.iter().map(|(who, verdict, interval)| {
            let verdict = match verdict {
                Verdict::More => "more often",
                Verdict::Less => "less often",
                Verdict::Same => "about as often",
                Verdict::Open => "perhaps as often",
            };
            let [least, most] = [interval.least, interval.most].map(bound);
            format!("{verdict} between {who} players ({least} to {most} points)")
        });
        let mut each: Vec<String> = each.collect();
        let last = each.pop().unwrap_or_default();
        let each = format!("{} and {last}", each.join(", "));
        let name = book.kind(book.player).things.get(player as usize).map_or("?", |thing| &thing.name);
        told.push(format!("The players disagree: {name} wins {each}. Believe the stronger."));
        if book.players.len() == 2 {
            break;
        }
    }
    told
}

impl Side {
    /// How long its games were: decisions, and turns of each round of the plan.
    pub fn told_lengths(&self, book: &Book, plan: &Plan) -> Vec<Value> {
        let rounds = plan.rounds.iter().map(|&step| book.step(step).title().to_owned());
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
