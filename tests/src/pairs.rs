//! Pairs of positions that differ only in what one seat may not know ([`Difference`]), as random games come by them. What
//! the seat reads must be the same in both (`tests/hidden.rs`), and what a bot on it chooses, too (`tests/bots.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blazon_book::{Test, TestLineKind};
use blazon_kernel::chance::Stream;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_machine::{Difference, Fault, Machine};
use blazon_program::Program;

/// Two positions that look the same to a seat.
pub struct Pair<'m> {
    /// The position that a game came to.
    pub one: &'m mut Machine,
    /// The other.
    pub other: &'m mut Machine,
    /// Who cannot tell them apart.
    pub viewer: u32,
    /// What they differ in.
    pub difference: &'m Difference,
}

/// How many positions are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Positions of a book.
    pub positions: usize,
    /// Differences of one sort that are tried at a position for a seat.
    pub tried: usize,
}

/// What was looked at.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    /// How many positions.
    pub positions: usize,
    /// How many pairs, by what they differ in.
    pub pairs: BTreeMap<&'static str, usize>,
    /// How often somebody else would not have been asked in the other position, for want of a choice: no pairs.
    pub silent: usize,
    /// The questions that were asked in them, and who was asked.
    pub asked: BTreeSet<(usize, u32)>,
    /// What a seat could tell by, counted by what was asked: each with the first pair that shows it.
    pub told: BTreeMap<String, (usize, String)>,
}

impl Looked {
    /// How many pairs in all.
    pub fn count(&self) -> usize {
        self.pairs.values().sum()
    }

    /// In a line, for whoever wants the figures.
    pub fn figures(&self) -> String {
        let questions: BTreeSet<usize> = self.asked.iter().map(|&(choice, _)| choice).collect();
        let pairs: Vec<String> = self.pairs.iter().map(|(of, count)| format!("{count} of {of}")).collect();
        format!(
            "{} positions, {} questions, {} with who is asked, {} pairs: {}; {} times somebody else would not be asked",
            self.positions,
            questions.len(),
            self.asked.len(),
            self.count(),
            pairs.join(", "),
            self.silent
        )
    }
}

/// The number of an environment variable.
pub fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Everything that a player can learn at a decision.
///
/// # Panics
/// If the rules fail that say who sees what.
pub fn knows(machine: &mut Machine, viewer: u32) -> String {
    let mut known = format!("{:?}\n", machine.view(Some(viewer)).expect("a view"));
    known.push_str(&machine.prompt(Some(viewer)));
    if machine.deciders().contains(&viewer) {
        for index in 0..machine.options(viewer).len() {
            known.push_str(&machine.label(viewer, index, Some(viewer)));
            known.push('\n');
        }
        for refusal in machine.refused(viewer) {
            known.push_str(&format!("{}: {}\n", refusal.label, refusal.reason));
        }
    }
    for event in machine.take_events() {
        known.push_str(&machine.tell_event(&event, Some(viewer)).unwrap_or_default());
        known.push_str(&format!(" {:?}", machine.is_forced(&event, Some(viewer))));
        known.push('\n');
    }
    known
}

/// Leads a machine to where a test begins: its setup, its position, what it plays.
///
/// # Panics
/// If the test has lines of other sorts, or the rules fail.
pub fn lead(machine: &mut Machine, test: &Test) {
    try_lead(machine, test).expect("a setup, a position, a decision");
}

/// The same where the rules may fail.
///
/// # Errors
/// If they do.
///
/// # Panics
/// If the test has lines of other sorts.
pub fn try_lead(machine: &mut Machine, test: &Test) -> Result<(), Fault> {
    for line in &test.lines {
        match &line.kind {
            TestLineKind::From(setup) => machine.place(*setup, 1)?,
            TestLineKind::Set(step) => machine.set(*step)?,
            TestLineKind::Play(step) => machine.play(*step)?,
            _ => unreachable!("a line of another sort"),
        }
    }
    Ok(())
}

/// What a difference is one of.
fn sort(difference: &Difference) -> &'static str {
    match difference {
        Difference::Change(..) => "names",
        Difference::Face(..) => "faces",
        Difference::Answer(..) => "answers",
        Difference::Luck(_) => "luck",
    }
}

/// What is done with each pair: where the two differ, the sort of difference and what is told of it.
pub type Compare<'c> = dyn FnMut(Pair<'_>, &mut Stream) -> Option<(&'static str, String)> + 'c;

/// Plays random games, and shows pairs of each position on the way that is looked at: of every question that comes up, by
/// whomever it is asked, the first few times, and of others now and then. `compare` answers by what the seat can tell the
/// two apart, and how.
///
/// # Panics
/// If the rules fail.
pub fn look(program: &Arc<Program>, extent: Extent, compare: &mut Compare<'_>) -> Looked {
    let mut looked = Looked::default();
    let mut stream = Stream::new(7);
    let mut often: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut seed = 0;
    while looked.positions < extent.positions {
        let mut machine = Machine::new(program.clone()).expect("a machine");
        machine.record(true);
        machine.start(program.book.default_setup, seed).expect("a game");
        let mut bot = Random::new(seed, Pick::ByName);
        seed += 1;
        for _ in 0..400 {
            let deciders = machine.deciders().to_vec();
            let (Some(&first), Some(choice)) = (deciders.first(), choice_of(&machine)) else { break };
            let rare = deciders.iter().any(|&player| often.get(&(choice, player)).is_none_or(|&n| n < 2));
            if (rare || stream.below(10) == 0) && looked.positions < extent.positions {
                for &player in &deciders {
                    *often.entry((choice, player)).or_default() += 1;
                    looked.asked.insert((choice, player));
                }
                looked.positions += 1;
                for &viewer in &program.book.players {
                    at_position(&machine, viewer, extent.tried, &mut stream, &mut looked, compare);
                }
            }
            // Of several who are asked any may answer first.
            let player = deciders.get(stream.below(deciders.len())).copied().unwrap_or(first);
            let index = bot.decide(&mut machine, player);
            machine.choose(player, index).expect("a choice");
        }
    }
    looked
}

/// Whether nobody is asked in a position, since only one option is open to him who would be.
fn is_silence(fault: &Fault) -> bool {
    fault.message.ends_with("there is nothing to decide")
}

fn choice_of(machine: &Machine) -> Option<usize> {
    let choice = machine.choice()?;
    machine.program().choices.iter().position(|other| std::ptr::eq(other, choice))
}

/// Shows pairs of one position for a seat, some of each sort.
fn at_position(
    machine: &Machine,
    viewer: u32,
    tried: usize,
    stream: &mut Stream,
    looked: &mut Looked,
    compare: &mut Compare<'_>,
) {
    let root = machine.snapshot();
    let mut one = machine.clone();
    let seen = one.view(Some(viewer)).expect("who sees what");
    let mut sorts: BTreeMap<&str, Vec<Difference>> = BTreeMap::new();
    for difference in one.differences(viewer).expect("who sees what") {
        sorts.entry(sort(&difference)).or_default().push(difference);
    }
    let step = machine.choice().map(|choice| {
        let place = machine.program().book.sources.place(choice.span);
        format!("{} ({place})", machine.program().book.step(choice.step).name)
    });
    let step = step.unwrap_or_default();
    for (of, mut differences) in sorts {
        for _ in 0..tried.min(differences.len()) {
            let difference = differences.swap_remove(stream.below(differences.len()));
            let mut other = machine.clone();
            other.differ(&difference).expect("an answer");
            if other.view(Some(viewer)).expect("who sees what") != seen {
                continue;
            }
            let told = match other.restore(&other.snapshot()) {
                // That somebody else has nothing to choose, and so isn't asked, is what he says himself.
                Err(fault) if !machine.deciders().contains(&viewer) && is_silence(&fault) => {
                    looked.silent += 1;
                    None
                }
                Err(fault) => Some(("who is asked", fault.to_string())),
                Ok(()) => {
                    *looked.pairs.entry(of).or_default() += 1;
                    one.restore(&root).expect("the position");
                    let pair = Pair { one: &mut one, other: &mut other, viewer, difference: &difference };
                    compare(pair, stream)
                }
            };
            if let Some((what, line)) = told {
                let line = format!("if {}: {line}", machine.tell_difference(&difference));
                looked.told.entry(format!("{step}: {what}")).or_insert((0, line)).0 += 1;
            }
        }
    }
}
