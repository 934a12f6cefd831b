//! How a position looks to each player: who has won it, or by how much each leads as the book's rule `outlook` says.

use blazon_book::meant::OUTLOOK;
use blazon_book::{Book, RuleId};

use crate::fault::Fault;
use crate::machine::Machine;

use super::Skill;

/// What an even position, or one that cannot be judged, is worth.
pub(super) const EVEN: f64 = 0.5;
/// A lead without end is worth so much more than an even position: a game that is won is worth more still.
const REACH: f64 = 0.45;
/// Over so many leads their usual size is taken.
const MEMORY: f64 = 64.0;

/// What the rule says of a player.
///
/// # Errors
/// A [`Fault`] of the rule: it says nothing of this position.
pub fn outlook_of(machine: &mut Machine, rule: RuleId, player: u32) -> Result<f64, Fault> {
    let words = machine.ask(rule, &[i64::from(player)])?;
    Ok(words.first().map_or(0.0, |&word| word as i64 as f64))
}

/// The rules by which positions are judged where bots of these skills play: the book's outlook, by which it is told who
/// leads, and what the bots judge by.
pub fn outlooks<'s>(book: &Book, bots: impl IntoIterator<Item = &'s Skill>) -> Vec<RuleId> {
    let bots = bots.into_iter().filter_map(|bot| bot.judges_by(book));
    let mut all: Vec<RuleId> = book.outlook(OUTLOOK).into_iter().chain(bots).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Looks whether rules say something of everybody at the table in the position in which a machine stands. Who judges by a
/// rule that fails takes the position for even, and a reader of figures would never know.
///
/// # Errors
/// The first [`Fault`] of one of them.
pub fn judged(machine: &mut Machine, rules: &[RuleId]) -> Result<(), Fault> {
    let players = if rules.is_empty() { Vec::new() } else { machine.program().book.players.clone() };
    for (&rule, player) in rules.iter().flat_map(|rule| players.iter().map(move |&player| (rule, player))) {
        outlook_of(machine, rule, player)?;
    }
    Ok(())
}

/// A clause that adds to an outlook or takes from it, as rules that can be asked of a player by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Says whether the clause holds, if it does not always.
    pub when: Option<RuleId>,
    /// How much it is.
    pub value: RuleId,
    /// Whether it is taken away.
    pub minus: bool,
}

impl Share {
    /// What the clause gives a player; 0 where it does not hold, or fails.
    fn of(&self, machine: &mut Machine, player: u32) -> f64 {
        let mut says = |rule| outlook_of(machine, rule, player).unwrap_or_default();
        let holds = self.when.is_none_or(|when| says(when) != 0.0);
        let value = if holds { says(self.value) } else { 0.0 };
        if self.minus { -value } else { value }
    }
}

/// What a game that is over is worth to a player.
pub(super) fn worth_of(winner: Option<u32>, player: u32) -> f64 {
    match winner {
        Some(winner) if winner == player => 1.0,
        Some(_) => 0.0,
        None => EVEN,
    }
}

/// How a position looks.
#[derive(Debug)]
pub(super) enum Look {
    /// The game is over: what it is worth to each thing of the players' kind.
    Over(Vec<f64>),
    /// By how much the lead of each is greater than where it is measured from.
    Ahead(Vec<f64>),
    /// The rules failed on the way, or the book does not say, or what it says fails.
    Unknown,
}

/// Judges positions for all players, from 0 (lost) to 1 (won).
///
/// A lead is how much better the outlook of a player is than that of the best of the others. It is measured from the
/// lead in the position that is thought about, in units of what leads differed from it by so far, so that what can
/// still be won or lost there counts, however far ahead somebody is.
pub(super) struct Judge {
    rule: Option<RuleId>,
    /// Those who sit at the table.
    players: Vec<u32>,
    /// For each thing of the players' kind the lead that is worth [`EVEN`].
    centre: Vec<f64>,
    /// How far leads usually lie from there, and of how many that is known.
    scale: f64,
    known: f64,
    /// What the rule said last.
    outlooks: Vec<f64>,
    /// Why the rule says nothing of the position that is measured from.
    fault: Option<Fault>,
}

impl Judge {
    /// A judge who measures from the position in which a machine stands by a rule of this name.
    pub fn new(machine: &mut Machine, name: &str) -> Self {
        let players = machine.program().book.players.clone();
        let rule = machine.program().book.outlook(name);
        let mut judge = Self {
            rule,
            players,
            centre: Vec::new(),
            scale: 1.0,
            known: 0.0,
            outlooks: Vec::new(),
            fault: None,
        };
        judge.centre = vec![0.0; machine.players()];
        // Where the rule fails in the position that is thought about, leads are measured from none.
        match judge.rule.map(|rule| judge.leads(machine, rule)) {
            Some(Ok(leads)) => judge.centre = leads,
            Some(Err(fault)) => judge.fault = Some(fault),
            None => {}
        }
        judge
    }

    /// Whether the book says how a position looks before the game is over.
    pub fn has_outlook(&self) -> bool {
        self.rule.is_some()
    }

    /// What the position in which a machine stands is worth: for each thing of the players' kind, 0 to 1.
    pub fn values(&mut self, machine: &mut Machine) -> Vec<f64> {
        let look = self.look(machine);
        self.take_in(&look);
        self.worth(&look)
    }

    /// What positions are worth that are held against each other, each as [`Self::values`]: by one measure, so that what
    /// looks the same is worth the same.
    pub fn values_of<'l>(&mut self, looks: impl Iterator<Item = &'l Look> + Clone) -> Vec<Vec<f64>> {
        for look in looks.clone() {
            self.take_in(look);
        }
        looks.map(|look| self.worth(look)).collect()
    }

    /// How the position looks in which a machine stands.
    pub fn look(&mut self, machine: &mut Machine) -> Look {
        self.outlooks.clear();
        if let Some(outcome) = machine.outcome() {
            let worth = |player| worth_of(outcome.winner, player as u32);
            return Look::Over((0..machine.players()).map(worth).collect());
        }
        let Some(Ok(leads)) = self.rule.map(|rule| self.leads(machine, rule)) else { return Look::Unknown };
        Look::Ahead(leads.into_iter().zip(&self.centre).map(|(lead, centre)| lead - centre).collect())
    }

    /// Learns from a position how far leads usually lie.
    fn take_in(&mut self, look: &Look) {
        let Look::Ahead(gains) = look else { return };
        for gain in self.players.iter().filter_map(|&player| gains.get(player as usize)) {
            self.known = (self.known + 1.0).min(MEMORY);
            self.scale += (gain.abs() - self.scale) / self.known;
        }
    }

    /// What a position is worth that looks like this, by the size that leads usually have.
    fn worth(&self, look: &Look) -> Vec<f64> {
        match look {
            Look::Over(values) => values.clone(),
            Look::Ahead(gains) => {
                let worth = |gain: &f64| EVEN + REACH * gain / (gain.abs() + self.scale.max(1.0));
                gains.iter().map(worth).collect()
            }
            Look::Unknown => vec![EVEN; self.centre.len()],
        }
    }

    /// What the rule said of each thing of the players' kind in the position that was judged last; empty if the game was
    /// over, or there is no rule.
    pub fn outlooks(&self) -> &[f64] {
        &self.outlooks
    }

    /// Why the rule says nothing of the position that is measured from, if it does not.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// What clauses give in the position in which a machine stands: for each clause, for each thing of the players' kind.
    pub fn shares(&self, machine: &mut Machine, shares: &[Share]) -> Vec<Vec<f64>> {
        let of = |share: &Share, machine: &mut Machine| {
            let mut given = vec![0.0; machine.players()];
            for &player in &self.players {
                if let Some(given) = given.get_mut(player as usize) {
                    *given = share.of(machine, player);
                }
            }
            given
        };
        shares.iter().map(|share| of(share, machine)).collect()
    }

    /// The position last judged is not that of the game that was tried last.
    pub fn forget(&mut self) {
        self.outlooks.clear();
    }

    /// By how much each leads; 0 for things of the kind that do not sit at the table.
    fn leads(&mut self, machine: &mut Machine, rule: RuleId) -> Result<Vec<f64>, Fault> {
        self.outlooks.clear();
        let outlook = |&player: &u32| outlook_of(machine, rule, player);
        let outlooks = self.players.iter().map(outlook).collect::<Result<Vec<f64>, Fault>>()?;
        let mut leads = vec![0.0; machine.players()];
        self.outlooks.resize(leads.len(), 0.0);
        for (place, &player) in self.players.iter().enumerate() {
            let others = outlooks.iter().enumerate().filter(|&(other, _)| other != place);
            let best = others.map(|(_, &outlook)| outlook).fold(f64::NEG_INFINITY, f64::max);
            if let (Some(lead), Some(own)) =
                (leads.get_mut(player as usize), self.outlooks.get_mut(player as usize))
            {
                *own = outlooks[place];
                *lead = if best.is_finite() { outlooks[place] - best } else { outlooks[place] };
            }
        }
        Ok(leads)
    }
}
