//! What was offered, what was taken, and who won then: by the names of steps and options, so that two rule sets can be
//! laid side by side.

use std::collections::BTreeMap;

use blazon_machine::Machine;
use blazon_program::Program;

use crate::game::{Row, Watch};

/// How an option fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fared {
    /// At how many decisions it was open in some way.
    pub offered: u64,
    /// At how many it was taken.
    pub taken: u64,
    /// In how many games who took it won, each game counted once for each player who did.
    pub won: u64,
    /// In how many games it was taken, each counted once for each player who did.
    pub games: u64,
}

impl Fared {
    fn add(&mut self, other: Self) {
        self.offered += other.offered;
        self.taken += other.taken;
        self.won += other.won;
        self.games += other.games;
    }
}

/// Counts the options of many games.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// For each choice of the program where its options begin in `fared`.
    #[serde(skip)]
    begins: Vec<usize>,
    fared: Vec<Fared>,
    /// What was open in the game under way: a game that is given up counts for nothing.
    #[serde(skip)]
    offered: Vec<usize>,
    /// Who took which option in it.
    #[serde(skip)]
    taken: Vec<(u32, usize)>,
}

impl Choices {
    /// None of the options of a program yet.
    pub fn new(program: &Program) -> Self {
        let mut begins = Vec::new();
        let mut all = 0;
        for choice in &program.choices {
            begins.push(all);
            all += choice.options.len();
        }
        Self { begins, fared: vec![Fared::default(); all], offered: Vec::new(), taken: Vec::new() }
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
        for (choice, &begins) in program.choices.iter().zip(&self.begins) {
            let step = &program.book.step(choice.step).name;
            for (option, fared) in choice.options.iter().zip(&self.fared[begins..]) {
                all.entry((step.clone(), option.name.clone())).or_default().add(*fared);
            }
        }
        all
    }
}

impl Watch for Choices {
    fn begins(&mut self, _machine: &mut Machine) {
        self.offered.clear();
        self.taken.clear();
    }

    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        let Some(&begins) = machine.choice_place().and_then(|choice| self.begins.get(choice)) else { return };
        let options = machine.options(player);
        let mut last = None;
        // The options of one name stand in one run.
        for open in options.iter() {
            if last != Some(open.option) {
                last = Some(open.option);
                self.offered.push(begins + usize::from(open.option));
            }
        }
        if let Some(open) = options.get(index) {
            self.taken.push((player, begins + usize::from(open.option)));
        }
    }

    fn ends(&mut self, _machine: &mut Machine, row: &Row) {
        for &place in &self.offered {
            self.fared[place].offered += 1;
        }
        for &(_, place) in &self.taken {
            self.fared[place].taken += 1;
        }
        self.taken.sort_unstable();
        self.taken.dedup();
        for &(player, place) in &self.taken {
            self.fared[place].games += 1;
            self.fared[place].won += u64::from(row.end.winner() == Some(player));
        }
    }
}
