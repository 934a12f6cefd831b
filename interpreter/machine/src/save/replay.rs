//! Playing a game again by its log: by the same rules to come to the same position, by others to see where it parts.

use super::by_hand::ByHand;
use super::entry::Entry;
use crate::decision::standing::Refusal;
use crate::fault::Fault;
use crate::machine::Machine;

/// Where a log can no longer be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The place in the log, from 0; its length if the game goes on where the log ends.
    pub step: usize,
    /// What was chosen there.
    pub entry: Option<Entry>,
    /// Why it cannot be chosen now.
    pub message: String,
    /// The need that refuses it, if one does.
    pub refusal: Option<Box<Refusal>>,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "choice {} of the log, `{entry}`: {}", self.step + 1, self.message),
            None => write!(f, "after the log: {}", self.message),
        }
    }
}

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// The whole log was followed; the machine stands where it ends.
    Whole,
    /// The log could not be followed to its end; the machine stands where it stopped.
    Until(Divergence),
}

/// A game as it was played, from its start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Course<'a> {
    /// The setup's place in the program.
    pub setup: usize,
    /// The seed.
    pub seed: u64,
    /// What was laid ready by hand, in order.
    pub by_hand: &'a [ByHand],
    /// What was chosen.
    pub log: &'a [Entry],
    /// The answers given in a choice by each that is not over yet; they come after the log.
    pub pending: &'a [Entry],
}

/// Plays a log by meaning from the start, perhaps by other rules than those it was made by. Choices that were made
/// unasked may be asked now, and the other way round.
///
/// # Errors
/// If the rules fail before the first decision.
pub fn replay(machine: &mut Machine, setup: usize, seed: u64, log: &[Entry]) -> Result<Replayed, Fault> {
    follow(machine, &Course { setup, seed, log, ..Course::default() }).map(|followed| followed.replayed)
}

/// What came of playing a game again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// How far it could be followed.
    pub replayed: Replayed,
    /// The log that this machine made of it.
    pub made: Vec<Entry>,
}

/// Plays a game again from its start, as [`replay`] does, with what was laid ready by hand.
pub(super) fn follow(machine: &mut Machine, course: &Course<'_>) -> Result<Followed, Fault> {
    machine.take_events();
    machine.record(true);
    machine.script_dice(Vec::new());
    machine.script_draws(Vec::new());
    let mut follow = Follow { by_hand: course.by_hand, ..Follow::default() };
    let until = |follow: Follow<'_>, step: usize, entry: Option<&Entry>, parted: Parted| Followed {
        replayed: Replayed::Until(Divergence {
            step,
            entry: entry.cloned(),
            message: parted.message,
            refusal: parted.refusal,
        }),
        made: follow.made,
    };
    if let Err(message) = follow.lay(machine, None) {
        return Ok(until(follow, 0, course.log.first(), message.into()));
    }
    machine.start(course.setup, course.seed)?;
    for (step, entry) in course.log.iter().chain(course.pending).enumerate() {
        follow.listen(machine);
        if let Err(parted) = follow.entry(machine, step, entry) {
            return Ok(until(follow, step, Some(entry), parted));
        }
    }
    follow.listen(machine);
    if let Err(message) = follow.lay(machine, Some(machine.taken())) {
        return Ok(until(follow, course.log.len(), None, message.into()));
    }
    let replayed = match follow.waiting.first() {
        Some((step, entry)) if !by_each(machine) => {
            let message = "by these rules it was not taken unasked".to_owned();
            Replayed::Until(Divergence { step: *step, entry: Some(entry.clone()), message, refusal: None })
        }
        _ => Replayed::Whole,
    };
    Ok(Followed { replayed, made: follow.made })
}

/// Why a log cannot be followed.
struct Parted {
    message: String,
    refusal: Option<Box<Refusal>>,
}

impl From<String> for Parted {
    fn from(message: String) -> Self {
        Self { message, refusal: None }
    }
}

/// A log that is followed.
#[derive(Default)]
struct Follow<'a> {
    /// What was laid ready by hand and does not lie there yet.
    by_hand: &'a [ByHand],
    /// The choices that this machine told of.
    made: Vec<Entry>,
    /// What was taken unasked and has not been met in the log yet.
    unasked: Vec<Entry>,
    /// What the log has of a choice by each that the machine will tell when all have answered: place and entry.
    waiting: Vec<(usize, Entry)>,
}

impl Follow<'_> {
    /// Lays ready what was laid by hand up to so many decisions; `None`: before the game.
    fn lay(&mut self, machine: &mut Machine, taken: Option<u64>) -> Result<(), String> {
        while let Some((first, rest)) = self.by_hand.split_first()
            && first.at <= taken
        {
            first.laid.lay(machine)?;
            self.by_hand = rest;
        }
        Ok(())
    }

    /// Hears what was taken unasked.
    fn listen(&mut self, machine: &mut Machine) {
        let events = machine.take_events();
        let told: Vec<Entry> = events.iter().filter_map(|e| Entry::of(machine.program(), e)).collect();
        self.unasked.extend(told.iter().filter(|e| e.forced).cloned());
        self.made.extend(told);
        let unasked = &mut self.unasked;
        self.waiting.retain(|(_, entry)| match unasked.iter().position(|other| entry.same(other)) {
            Some(place) => {
                unasked.remove(place);
                false
            }
            None => true,
        });
    }

    /// Takes the next entry of the log, or says why it cannot be taken.
    fn entry(&mut self, machine: &mut Machine, step: usize, entry: &Entry) -> Result<(), Parted> {
        if let Some(place) = self.unasked.iter().position(|other| entry.same(other)) {
            self.unasked.remove(place);
            return Ok(());
        }
        let asked = machine.deciders().iter().filter_map(|&d| machine.decision.asked(d));
        let is_asked = asked.map(|a| machine.player_name(a)).any(|name| name == entry.player);
        if by_each(machine) && !is_asked {
            // Perhaps he answered unasked, which nobody may know yet.
            self.waiting.push((step, entry.clone()));
            return Ok(());
        }
        let (player, index) = find(machine, entry).map_err(|parted| match self.unasked.first() {
            Some(only) => {
                let message = format!(
                    "by these rules `{only}` was the only choice before it and taken unasked; {}",
                    parted.message
                );
                Parted { message, ..parted }
            }
            None => parted,
        })?;
        if let Some(first) = self.unasked.first() {
            return Err(format!("by these rules `{first}` comes first, unasked").into());
        }
        if let Some((_, other)) = self.waiting.first().filter(|_| !by_each(machine)) {
            return Err(format!("by these rules `{other}` was not taken before").into());
        }
        self.lay(machine, Some(machine.taken()))?;
        machine.choose(player, index).map_err(|fault| fault.to_string().into())
    }
}

fn by_each(machine: &Machine) -> bool {
    machine.choice().is_some_and(|choice| choice.each.is_some())
}

/// Finds an entry among what is asked now, or says why it is not there.
fn find(machine: &mut Machine, entry: &Entry) -> Result<(u32, usize), Parted> {
    if let Some(outcome) = machine.outcome() {
        let winner = outcome.winner.map_or("nobody".to_owned(), |w| machine.player_name(w));
        return Err(format!("the game is over, {winner} has won").into());
    }
    let Some(info) = machine.choice() else { return Err("nothing is asked".to_owned().into()) };
    let names: Vec<String> = info.options.iter().map(|option| option.name.clone()).collect();
    if let Some((decider, place, member)) = entry.find_member(machine) {
        machine.bring_forward(decider, place, member);
        return Ok((decider, place));
    }
    let asked = machine.deciders().iter().filter_map(|&decider| machine.decision.asked(decider));
    let asked: Vec<(u32, String)> =
        machine.deciders().iter().copied().zip(asked.map(|asked| machine.player_name(asked))).collect();
    let Some((decider, _)) = asked.iter().find(|(_, name)| *name == entry.player) else {
        let names: Vec<&str> = asked.iter().map(|(_, name)| name.as_str()).collect();
        return Err(format!("{} is asked, not {}", names.join(" and "), entry.player).into());
    };
    let prompt = machine.prompt(None);
    if !names.contains(&entry.option) {
        return Err(format!("another thing is asked: \"{prompt}\" ({})", names.join(", ")).into());
    }
    for refusal in machine.refused(*decider) {
        if entry.means(machine, refusal.option, &refusal.args) {
            let message = format!("it is refused: {}", refusal.reason);
            return Err(Parted { message, refusal: Some(Box::new(refusal)) });
        }
    }
    Err(format!("it cannot be chosen at \"{prompt}\"").into())
}
