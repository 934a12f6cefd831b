//! A bot that searches a tree of what all players may choose, over many guesses at what its seat cannot see.
//!
//! It is the information set tree search with one tree of Cowling, Powley, Whitehouse, *Information Set Monte Carlo Tree
//! Search* (IEEE Transactions on Computational Intelligence and AI in Games 4, 2012): every game that is tried begins in a
//! new guess ([`super::worlds`]) with dice of its own, and all of them are counted in one tree. A node stands for what the
//! seat has seen happen, so the bot cannot plan on something that it will not know. What others choose and the seat does
//! not see is counted for them by what they know, and leads on by what the seat sees of it; answers that are given at
//! once are counted as if nobody knew the others'. Chance is no node: what follows is counted over all dice.
//!
//! Each player goes for his own value (max^n), so there may be any number of players. What a way is worth before it was
//! tried is said by the outlook one decision on, where the book has one, and by how games went in which the same value of
//! the same argument was chosen anywhere (AMAF, Gelly and Silver 2007).
//!
//! Thinking is counted in positions: choices that are made, and guesses. The same seed chooses the same on any machine.

mod levels;
mod node;
mod select;
mod trial;

use blazon_kernel::Position;
use blazon_kernel::chance::{Stream, mix};

use super::keys::{self, Asked};
use super::outlook::{Judge, OUTLOOK};
use super::worlds::Guesses;
use super::{Bot, Effort, Pick};
use crate::machine::Machine;
use crate::vm::options::Options;
use levels::Question;
use node::{ROOT, Shared, Tree};
use select::{Way, most_visited};

/// The bot.
pub struct Search {
    seed: u64,
    asked: Asked,
    effort: Effort,
    scratch: Option<Machine>,
    /// The rule that positions are judged by.
    outlook: String,
}

impl Search {
    /// A bot that thinks so hard; the same seed thinks the same.
    pub fn new(seed: u64, effort: Effort) -> Self {
        Self { seed, asked: Asked::default(), effort, scratch: None, outlook: OUTLOOK.to_owned() }
    }

    /// The same bot, judging positions by the rule of another name, if one is given.
    pub fn by(mut self, outlook: Option<&str>) -> Self {
        if let Some(outlook) = outlook {
            outlook.clone_into(&mut self.outlook);
        }
        self
    }
}

/// One decision that is thought about.
struct Thought<'a> {
    machine: &'a mut Machine,
    guesses: &'a Guesses,
    judge: Judge,
    /// What is decided, and the options as the seat is offered them.
    question: Question,
    options: &'a Options,
    /// The value of each option one decision on; empty if that is not known.
    promises: Vec<f64>,
    tree: Tree,
    shared: Shared,
    effort: Effort,
    /// How many positions have been tried.
    spent: usize,
    /// What the guesses are made of.
    seed: u64,
}

/// Of the positions so many parts may go into looking one decision on from the root, one part at most for each guess.
const FIRST_LOOKS: usize = 8;
/// No more guesses are looked at in this way.
const FIRST_GUESSES: usize = 4;

impl Thought<'_> {
    /// Thinks until the positions are used up. Answers the place of the best option; nothing if there is no guess to think
    /// in.
    fn think(&mut self) -> Option<usize> {
        self.look_one_on()?;
        // A game may be tried without a new position only where nothing can be tried at all.
        while self.spent < self.effort.positions {
            self.try_game()?;
        }
        self.decided()
    }

    /// The guess of a number; it is the same for the same number, so that options are compared in the same guesses with
    /// the same dice. Answers the luck of the game that is tried in it.
    fn guess(&mut self, number: u64, world: &mut Position) -> Option<Stream> {
        let mut stream = Stream::new(mix(self.seed, number));
        self.spent += 1;
        self.guesses.guess(self.machine, &mut stream, world).then_some(stream)
    }

    /// Judges each option one decision on, where the book has an outlook and there are enough positions.
    fn look_one_on(&mut self) -> Option<()> {
        let open = self.options.len();
        let most = self.effort.positions / FIRST_LOOKS;
        if !self.judge.has_outlook() || open > 2 * most {
            return Some(());
        }
        let guesses = (most / open).clamp(1, FIRST_GUESSES);
        let mut sums = vec![0.0; open];
        let mut world = Position::default();
        for number in 0..guesses {
            self.guess(number as u64, &mut world)?;
            for (place, sum) in sums.iter_mut().enumerate() {
                self.spent += 1;
                let player = self.question.player;
                let is_tried =
                    self.machine.restore(&world).is_ok() && self.machine.choose(player, place).is_ok();
                *sum += if is_tried { self.value(player) } else { super::outlook::EVEN };
            }
        }
        self.promises = sums.into_iter().map(|sum| sum / guesses as f64).collect();
        Some(())
    }

    /// What the position in which the machine stands is worth to a player.
    fn value(&mut self, player: u32) -> f64 {
        let values = self.judge.values(self.machine);
        values.get(player as usize).copied().unwrap_or(super::outlook::EVEN)
    }

    /// The option that was tried most often, level by level.
    fn decided(&self) -> Option<usize> {
        let mut places: Vec<usize> = (0..self.options.len()).collect();
        let mut node = ROOT;
        for level in 0.. {
            let ways = self.ways(&places, level);
            let Some(way) = most_visited(&self.tree, node, &ways).map(|way| ways[way].key) else { break };
            node = self.tree.child(node, way)?;
            places.retain(|&place| {
                levels::key(&self.machine.prepared, self.question, self.options, place, level) == Some(way)
            });
        }
        // What is left was not tried level by level to its end: the best promise of it.
        let promise = |place: usize| self.promises.get(place).copied().unwrap_or_default();
        places.into_iter().reduce(|best, place| if promise(place) > promise(best) { place } else { best })
    }

    /// The ways of the root's options at a level.
    fn ways(&self, places: &[usize], level: usize) -> Vec<Way> {
        trial::ways(
            &self.machine.prepared,
            &self.shared,
            self.question,
            self.options,
            &self.promises,
            places,
            level,
        )
    }
}

impl Bot for Search {
    fn decide(&mut self, machine: &mut Machine, player: u32) -> usize {
        let options = machine.options(player).clone();
        let Some(question) = Question::of(machine, player).filter(|_| options.len() > 1) else { return 0 };
        let seed = self.asked.decision(self.seed, machine, player);
        let mut scratch = super::scratch(self.scratch.take(), machine);
        let best = Guesses::new(&mut scratch, player).ok().and_then(|guesses| {
            let mut world = Position::default();
            // What is worth nothing and what is worth all is measured from a guess, not from the truth.
            if !guesses.guess(&mut scratch, &mut Stream::new(seed), &mut world) {
                return None;
            }
            let judge = Judge::new(&mut scratch, &self.outlook);
            let most = self.effort.positions;
            let mut thought = Thought {
                machine: &mut scratch,
                guesses: &guesses,
                judge,
                question,
                options: &options,
                promises: Vec::new(),
                tree: Tree::new(most),
                shared: Shared::new(most),
                effort: self.effort,
                spent: 1,
                seed,
            };
            thought.think()
        });
        self.scratch = Some(scratch);
        best.unwrap_or_else(|| keys::pick(machine, player, Pick::ByName, seed))
    }
}
