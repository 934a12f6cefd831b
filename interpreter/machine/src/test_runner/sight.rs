//! The lines of a test that say who sees what, and who can tell what.

use blazon_book::{Expectation, KindId};
use blazon_diagnostics::Span;

use super::Run;
use crate::fault::Fault;
use crate::twins::Difference;

/// How many differences between positions are tried.
const MOST_TRIED: usize = 20_000;

impl Run {
    /// A player sees the face of a thing, or does not; of look-alikes one, or none.
    pub(super) fn sees(&mut self, player: u32, sees: bool, kind: KindId, alike: &[u32], span: Span) {
        let (who, name) = (self.machine.player_name(player), self.name(kind, alike));
        let mut seen = false;
        for &thing in alike {
            match self.machine.sees(player, kind, thing) {
                Ok(sight) => seen |= sight,
                Err(fault) => {
                    self.stopped_by(&fault);
                    let message = format!("who sees {name} cannot be asked: {fault}");
                    self.fail(span, message, None, None, None);
                    return;
                }
            }
        }
        if seen == sees {
            return;
        }
        let verb = |sees: bool| if sees { "sees" } else { "does not see" };
        let message = format!("{who} {} {name}", verb(seen));
        self.fail(span, message, Some(format!("{who} {} {name}", verb(sees))), None, None);
    }

    fn name(&self, kind: KindId, alike: &[u32]) -> String {
        let things = &self.machine.program().book.kind(kind).things;
        let thing = alike.first().and_then(|&thing| things.get(thing as usize));
        thing.map(|thing| thing.name.clone()).unwrap_or_default()
    }

    /// A player can tell whether something holds: it is so in all positions that differ from this one only in what he may
    /// not see.
    pub(super) fn tells(&mut self, player: u32, can: bool, condition: &Expectation) {
        if let Some((state, step)) = self.gone(condition) {
            let message = format!("`{state}` exists only during `{step}`, and that is not under way");
            self.fail(condition.span, message, Some(condition.text.clone()), None, None);
            return;
        }
        let who = self.machine.player_name(player);
        let verb = |can: bool| if can { "can" } else { "cannot" };
        let expected = Some(format!("{who} {} tell whether {}", verb(can), condition.text));
        match (self.otherwise(player, condition), can) {
            (Err(fault), _) => {
                self.stopped_by(&fault);
                let message = format!("`{}` cannot be asked: {fault}", condition.text);
                self.fail(condition.span, message, expected, None, None);
            }
            (Ok((_, None)), true) | (Ok((_, Some(_))), false) => {}
            (Ok((holds, Some(difference))), true) => {
                let message = format!("{who} cannot tell whether `{}`", condition.text);
                let now = if holds { "holds" } else { "does not hold" };
                let actual =
                    format!("it {now}, and would be otherwise if {difference}: {who} could not see that");
                self.fail(condition.span, message, expected, Some(actual), None);
            }
            (Ok((holds, None)), false) => {
                let message = format!("{who} can tell whether `{}`", condition.text);
                let now = if holds { "holds" } else { "does not hold" };
                let actual = format!("it {now}, whatever {who} does not see");
                self.fail(condition.span, message, expected, Some(actual), None);
            }
        }
    }

    /// Whether a condition holds, and what could be otherwise unseen by a player so that it is answered otherwise.
    fn otherwise(&mut self, player: u32, condition: &Expectation) -> Result<(bool, Option<String>), Fault> {
        let holds = self.holds(condition)?;
        let kept = self.machine.position().to_vec();
        // What comes up in positions that are only tried has not come up.
        let hits = self.machine.ctx.hits.clone();
        let found = self.told_apart(player, condition, holds, &kept);
        self.machine.ctx.hits = hits;
        Ok((holds, found?))
    }

    /// What could be otherwise unseen by a player so that a condition is answered otherwise.
    fn told_apart(
        &mut self,
        player: u32,
        condition: &Expectation,
        holds: bool,
        kept: &[u64],
    ) -> Result<Option<String>, Fault> {
        let seen = self.machine.view(Some(player))?;
        for difference in self.machine.differences(player)?.into_iter().take(MOST_TRIED) {
            let differs = self.differs(&difference, condition, holds);
            // To look at everything costs far more than the condition: that comes second, and seldom.
            let is_unseen = match differs {
                Ok(true) => self.machine.view(Some(player)).map(|view| view == seen),
                other => other,
            };
            self.machine.mem[..kept.len()].copy_from_slice(kept);
            self.machine.ctx.memo.forget();
            if is_unseen? {
                return Ok(Some(self.machine.tell_difference(&difference)));
            }
        }
        Ok(None)
    }

    /// Makes the position otherwise; whether a condition is then answered otherwise. One that cannot be asked there says
    /// nothing.
    fn differs(
        &mut self,
        difference: &Difference,
        condition: &Expectation,
        holds: bool,
    ) -> Result<bool, Fault> {
        self.machine.differ(difference)?;
        Ok(self.holds(condition).is_ok_and(|now| now != holds))
    }

    fn holds(&mut self, condition: &Expectation) -> Result<bool, Fault> {
        let words = self.machine.ask(condition.condition, &[])?;
        Ok(words.first().is_some_and(|&word| word != 0))
    }
}
