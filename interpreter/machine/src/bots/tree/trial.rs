//! One game that is tried: down the tree, a step beyond it, on by chance for a while, and back with what came of it.

use blazon_kernel::Position;
use blazon_kernel::chance::{Stream, mix};

use super::super::outlook::EVEN;
use super::super::{LONGEST, Pick, pick_of};
use super::Thought;
use super::levels::{self, Question};
use super::node::{NodeId, ROOT, Shared};
use super::select::{Way, select};
use crate::vm::options::Options;
use crate::vm::prepared::Prepared;

/// So many visits elsewhere what is known of a value of an argument counts at most.
const ELSEWHERE: f64 = 8.0;
/// What the steps are keyed by that are no choices of an option, beside what they mean.
const SEEN: u64 = blazon_kernel::chance::hash_text("seen");

/// What was chosen in the game that is tried.
#[derive(Default)]
struct Course {
    /// The nodes that were visited, each with who chose to go there.
    nodes: Vec<(NodeId, u32)>,
    /// The values of arguments that were chosen, each with who did.
    values: Vec<(u64, u32)>,
}

/// An option that was selected.
struct Selected {
    place: usize,
    /// Where it leads to; nothing if the tree is full.
    node: Option<NodeId>,
    is_new: bool,
}

/// What the seat knows of the course of a game: a node, and the answers to a question that is put to several at once.
struct Seen {
    node: NodeId,
    answers: u64,
}

impl Thought<'_> {
    /// Tries a game. Nothing if there is no guess to try it in.
    pub(super) fn try_game(&mut self) -> Option<()> {
        let mut course = Course::default();
        // The root's options are the same in all guesses. So the first is selected before, and is tried in the guesses
        // of the same numbers as the others.
        let first = self.select(ROOT, None, &mut course);
        let number = first.node.map_or(0, |node| u64::from(self.tree.node(node).visits));
        let mut luck = self.guess(number, &mut Position::default())?;
        let values =
            match self.descend(first, &mut course).and_then(|()| self.play_on(&mut luck, &mut course)) {
                Ok(()) => self.judge.values(self.machine),
                Err(Failed) => vec![EVEN; self.machine.players()],
            };
        let of = |player: u32| values.get(player as usize).copied().unwrap_or(EVEN);
        self.tree.visit(ROOT, 0.0);
        for (node, player) in course.nodes {
            self.tree.visit(node, of(player));
        }
        for (key, player) in course.values {
            self.shared.add(key, of(player));
        }
        Some(())
    }

    /// Goes down the tree until a step has been gone that nobody had gone before.
    fn descend(&mut self, first: Selected, course: &mut Course) -> Result<(), Failed> {
        let mut seen = Seen { node: ROOT, answers: 0 };
        let mut question = Some(self.question);
        let mut selected = first;
        while let Some(asked) = question {
            if !self.step(asked, &selected, &mut seen, course)? {
                return Ok(());
            }
            question = self.machine.deciders().first().and_then(|&next| Question::of(self.machine, next));
            if let Some(asked) = question {
                selected = self.select(seen.node, Some(asked), course);
            }
        }
        Ok(())
    }

    /// Takes an option that was selected. Answers whether the tree goes on behind it.
    fn step(
        &mut self,
        asked: Question,
        selected: &Selected,
        seen: &mut Seen,
        course: &mut Course,
    ) -> Result<bool, Failed> {
        let viewer = self.question.player;
        let is_own = asked.player == viewer;
        let veiled = if is_own { None } else { levels::key_to(self.machine, viewer, asked, selected.place) };
        let is_last = !asked.at_once || self.machine.deciders_by_each() == 1;
        self.choose(asked.player, selected.place)?;
        let Some(node) = selected.node else { return Ok(false) };
        // What leads on is what the seat sees, when it sees it.
        let known = veiled.unwrap_or_else(|| mix(asked.key, u64::from(node)));
        if !asked.at_once && veiled.is_none() {
            seen.node = node;
            return Ok(!selected.is_new);
        }
        seen.answers = mix(seen.answers, known);
        if !is_last {
            return Ok(true);
        }
        let answers = mix(SEEN, std::mem::take(&mut seen.answers));
        let Some((node, is_new)) = self.tree.grow(seen.node, answers) else { return Ok(false) };
        course.nodes.push((node, asked.player));
        seen.node = node;
        Ok(!is_new && !selected.is_new)
    }

    /// Plays on by chance as far as is looked ahead; without an outlook to the end.
    fn play_on(&mut self, luck: &mut Stream, course: &mut Course) -> Result<(), Failed> {
        let prepared = self.machine.prepared.clone();
        let horizon = if self.judge.has_outlook() { self.effort.horizon } else { LONGEST };
        for _ in 0..horizon {
            let Some(&player) = self.machine.deciders().first() else { break };
            let place = pick_of(luck, Pick::ByName, self.machine.options(player));
            if let Some(asked) = Question::of(self.machine, player) {
                let options = self.machine.options(player);
                let keys = (0..).map_while(|level| levels::key(&prepared, asked, options, place, level));
                course.values.extend(keys.map(|key| (key, player)));
            }
            self.choose(player, place)?;
        }
        Ok(())
    }

    fn choose(&mut self, player: u32, place: usize) -> Result<(), Failed> {
        self.spent += 1;
        self.machine.choose(player, place).map_err(|_| Failed)
    }

    /// Selects an option level by level, from a node; of the root's question if no other is given.
    fn select(&mut self, from: NodeId, other: Option<Question>, course: &mut Course) -> Selected {
        let (question, options, promises) = match other {
            None => (self.question, self.options, &self.promises[..]),
            Some(question) => (question, self.machine.options(question.player), &[][..]),
        };
        let prepared = &self.machine.prepared;
        let mut places: Vec<usize> = (0..options.len()).collect();
        let mut node = Some(from);
        let mut is_new = false;
        for level in 0.. {
            let ways = ways(prepared, &self.shared, question, options, promises, &places, level);
            let selected = match node {
                Some(node) => select(&mut self.tree, node, &ways),
                // The tree is full: what promises most.
                None => None,
            };
            let Some(key) = selected.or((!ways.is_empty()).then_some(0)).map(|way| ways[way].key) else {
                break;
            };
            course.values.push((key, question.player));
            let grown = node.and_then(|node| self.tree.grow(node, key));
            node = grown.map(|(node, _)| node);
            is_new |= grown.is_some_and(|(_, is_new)| is_new);
            course.nodes.extend(node.map(|node| (node, question.player)));
            places.retain(|&place| levels::key(prepared, question, options, place, level) == Some(key));
        }
        Selected { place: places.first().copied().unwrap_or_default(), node, is_new }
    }
}

/// The rules failed on the way.
struct Failed;

/// The ways on by some options at a level: one for each value, in the order of the options. What a way promises is what
/// the best of its options does, if that is known, and how games went in which the value was chosen.
pub(super) fn ways(
    prepared: &Prepared,
    shared: &Shared,
    question: Question,
    options: &Options,
    promises: &[f64],
    places: &[usize],
    level: usize,
) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    let mut last = None;
    for &place in places {
        let Some(key) = levels::key(prepared, question, options, place, level) else { continue };
        let promise = promises.get(place).copied();
        // The options of one value stand in one run.
        if last == Some(key)
            && let Some(way) = ways.last_mut()
        {
            way.promise = way.promise.max(promise.unwrap_or_default());
            continue;
        }
        last = Some(key);
        ways.push(Way { key, promise: promise.unwrap_or_default() });
    }
    for way in &mut ways {
        let record = shared.of(way.key);
        let weight = f64::from(record.visits).min(ELSEWHERE);
        let mean = if record.visits == 0 { EVEN } else { record.sum / f64::from(record.visits) };
        let own = if promises.is_empty() { EVEN } else { way.promise };
        way.promise = (own + weight * mean) / (1.0 + weight);
    }
    ways
}
