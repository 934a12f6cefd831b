//! What was offered, what was taken, and who won then: by the names of steps and options, so that two rule sets can be
//! laid side by side.

use std::collections::{BTreeMap, HashMap};

use blazon_machine::Machine;
use blazon_program::Program;

use crate::game::{Row, Watch};
use crate::tally::add_to;

/// How an option fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fared {
    /// At how many decisions it was open in some way.
    pub offered: u64,
    /// At how many it was taken.
    pub taken: u64,
    /// In how many games it was the only one that was open, and so done unasked: such are no decisions.
    #[serde(default)]
    pub alone: u64,
    /// In how many games who took it won, each game counted once for each player who did.
    pub won: u64,
    /// In how many games it was taken, each counted once for each player who did.
    pub games: u64,
    /// How often it was taken in games that came to an end, of a comparison in pairs of which both did: only these can be told
    /// by the game, or held against each other.
    pub to_end: u64,
    /// At how many decisions of such games it was open.
    pub offered_to_end: u64,
    /// In how many such games it was taken, each counted once for each player who did.
    pub games_to_end: u64,
    /// And in how many of these who took it won.
    pub won_to_end: u64,
}

impl Fared {
    /// Whether it was never done, though it was open.
    pub fn is_shunned(&self) -> bool {
        self.offered > 0 && self.taken == 0 && self.alone == 0
    }

    /// Whether it was never open, be it as the only one.
    pub fn was_never_open(&self) -> bool {
        self.offered == 0 && self.alone == 0
    }

    fn add(&mut self, other: Self) {
        add_to(&mut self.offered, other.offered);
        add_to(&mut self.taken, other.taken);
        add_to(&mut self.alone, other.alone);
        add_to(&mut self.won, other.won);
        add_to(&mut self.games, other.games);
        add_to(&mut self.to_end, other.to_end);
        add_to(&mut self.offered_to_end, other.offered_to_end);
        add_to(&mut self.games_to_end, other.games_to_end);
        add_to(&mut self.won_to_end, other.won_to_end);
    }
}

/// Counts the options of many games.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// For each choice of the program, for each of its options, its place in `fared`: those of one name in one step have the
    /// same, so that a player who takes two of them in a game has taken one option.
    #[serde(skip)]
    places: Vec<Vec<usize>>,
    fared: Vec<Fared>,
    #[serde(skip)]
    game: Game,
    /// What is to be added if the game that was played last counts as one that came to its end.
    #[serde(skip)]
    last: Vec<(usize, Fared)>,
}

/// What is kept of the game under way: a game that is given up counts for nothing.
#[derive(Clone, Debug, Default)]
struct Game {
    /// What was open, once for each decision.
    offered: Vec<usize>,
    /// Who took which option.
    taken: Vec<(u32, usize)>,
}

impl Choices {
    /// None of the options of a program yet.
    pub fn new(program: &Program) -> Self {
        let mut known: HashMap<(&str, &str), usize> = HashMap::new();
        let places = program.choices.iter().map(|choice| {
            let step = program.book.step(choice.step).title();
            let places = choice.options.iter().map(|option| {
                let next = known.len();
                *known.entry((step, &option.name)).or_insert(next)
            });
            places.collect()
        });
        let places: Vec<Vec<usize>> = places.collect();
        Self { places, fared: vec![Fared::default(); known.len()], game: Game::default(), last: Vec::new() }
    }

    /// The game that was played last came to an end, and the other one of its pair.
    pub fn keep_whole(&mut self) {
        for (place, more) in self.last.drain(..) {
            self.fared[place].add(more);
        }
    }

    /// All that others have counted of the same program, too.
    pub fn merge(&mut self, other: &Self) {
        for (fared, &more) in self.fared.iter_mut().zip(&other.fared) {
            fared.add(more);
        }
    }

    /// Whether this was counted of a program of the same shape as another was.
    pub fn fits(&self, other: &Self) -> bool {
        self.fared.len() == other.fared.len()
    }

    /// How each option fared, by step and option; those of one name in one step are counted together. Options that never
    /// came up are there, too.
    pub fn by_name(&self, program: &Program) -> BTreeMap<(String, String), Fared> {
        let mut all: BTreeMap<(String, String), Fared> = BTreeMap::new();
        for (choice, places) in program.choices.iter().zip(&self.places) {
            let step = program.book.step(choice.step).title();
            for (option, &place) in choice.options.iter().zip(places) {
                let fared = self.fared.get(place).copied().unwrap_or_default();
                all.insert((step.to_owned(), option.name.clone()), fared);
            }
        }
        all
    }
}

impl Watch for Choices {
    fn starts(&mut self, machine: &mut Machine, _game: u64) {
        machine.keep_unasked();
        self.game = Game::default();
    }

    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        let Some(places) = machine.choice_place().and_then(|choice| self.places.get(choice)) else { return };
        let options = machine.options(player);
        let (mut last, before) = (None, self.game.offered.len());
        // An option's ways stand in one run; but two options may have one name.
        for open in options.iter() {
            if last != Some(open.option) {
                last = Some(open.option);
                let place = places.get(usize::from(open.option)).copied();
                let is_new = |place: &usize| !self.game.offered[before..].contains(place);
                if let Some(place) = place.filter(is_new) {
                    self.game.offered.push(place);
                }
            }
        }
        let taken = options.get(index).and_then(|open| places.get(usize::from(open.option)));
        self.game.taken.extend(taken.map(|&place| (player, place)));
    }

    fn ends(&mut self, machine: &mut Machine, row: &Row) {
        let place = |&(choice, option): &(u16, u16)| {
            self.places.get(usize::from(choice))?.get(usize::from(option)).copied()
        };
        let mut alone: Vec<usize> = machine.take_unasked().iter().filter_map(place).collect();
        alone.sort_unstable();
        alone.dedup();
        for place in alone {
            self.fared[place].alone += 1;
        }
        let Game { offered, mut taken } = std::mem::take(&mut self.game);
        self.last.clear();
        for place in offered {
            self.fared[place].offered += 1;
            self.last.push((place, Fared { offered_to_end: 1, ..Fared::default() }));
        }
        for &(_, place) in &taken {
            self.fared[place].taken += 1;
            self.last.push((place, Fared { to_end: 1, ..Fared::default() }));
        }
        taken.sort_unstable();
        taken.dedup();
        for (player, place) in taken {
            let won = u64::from(row.end.winner() == Some(player));
            self.fared[place].games += 1;
            self.fared[place].won += won;
            self.last.push((place, Fared { games_to_end: 1, won_to_end: won, ..Fared::default() }));
        }
    }
}
