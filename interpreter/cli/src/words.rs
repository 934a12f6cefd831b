//! Commands as words, to be typed once more: beneath what they told, and in the parts of a run.

use std::fmt;

use crate::args::{CompareArgs, LadderArgs, LearnArgs, SimulateArgs, WithArgs};
use crate::seats;
use crate::shell::quoted;

/// The words of a command, without the program's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("blazon")?;
        self.0.iter().try_for_each(|word| write!(f, " {}", quoted(word)))
    }
}

impl Words {
    fn new(command: &str, game: Option<&String>, with: &WithArgs) -> Self {
        let mut words = Self(vec![command.to_owned()]);
        words.0.extend(game.cloned());
        words.each("-V", &with.variants);
        for (name, value) in &with.rulings {
            words.add("-R", format!("{name}={value}"));
        }
        words
    }

    fn add(&mut self, option: &str, value: impl fmt::Display) {
        self.0.extend([option.to_owned(), value.to_string()]);
    }

    fn each(&mut self, option: &str, values: &[String]) {
        values.iter().for_each(|value| self.add(option, value));
    }

    fn some(&mut self, option: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.add(option, value);
        }
    }

    /// A value that is not what it is without being said.
    fn other<T: fmt::Display + PartialEq>(&mut self, option: &str, value: T, unsaid: T) {
        self.some(option, (value != unsaid).then_some(value));
    }

    fn flag(&mut self, option: &str, is_asked: bool) {
        self.0.extend(is_asked.then(|| option.to_owned()));
    }

    /// `blazon simulate` with a seed; the files that are written, and the block, are not among them.
    pub fn simulate(args: &SimulateArgs, seed: u64) -> Self {
        let mut words = Self::new("simulate", args.game.as_ref(), &args.with);
        words.some("--scenario", args.scenario.as_ref());
        words.flag("--each-setup", args.each_setup);
        words.add("--players", players(args));
        words.add("-n", args.games);
        words.add("--seed", seed);
        words.other("--most", args.most, MOST);
        if !args.data.tables.is_empty() {
            let tables: Vec<String> = args.data.tables.iter().map(ToString::to_string).collect();
            words.add("--tables", tables.join(","));
            words.other("--data-format", args.data.data_format.name(), "csv");
        }
        words
    }

    /// `blazon play` for one game of a run, with a setup if it is not the first one.
    pub fn play(args: &SimulateArgs, scenario: Option<&str>, seed: u64) -> Self {
        Self::game((args.game.as_ref(), &args.with), scenario, &players(args), seed)
    }

    /// `blazon play` for one game of any rules between programs, as they are written on the command line.
    pub fn game(
        (game, with): (Option<&String>, &WithArgs),
        scenario: Option<&str>,
        players: &str,
        seed: u64,
    ) -> Self {
        let mut words = Self::new("play", game, with);
        words.some("--scenario", scenario);
        words.add("--players", players);
        words.add("--seed", seed);
        words
    }

    /// `blazon play` for somebody who tries a variant in a folder against a program, which plays all the others.
    pub fn play_with(game: Option<&String>, with: &WithArgs, folder: &str, players: usize) -> Self {
        let mut words = Self::new("play", game, with);
        words.add("-V", folder);
        let others = vec!["greedy"; players.saturating_sub(1)];
        words.add("--players", [&["human"], others.as_slice()].concat().join(","));
        words
    }

    /// One word more.
    pub fn and(mut self, words: &[&str]) -> Self {
        self.0.extend(words.iter().map(|word| (*word).to_owned()));
        self
    }

    /// `blazon learn` with a seed; the folder that is written is not among them.
    pub fn learn(args: &LearnArgs, seed: u64) -> Self {
        let mut words = Self::new("learn", args.game.as_ref(), &args.with);
        words.some("--scenario", args.scenario.as_ref());
        words.add("-n", args.games);
        words.add("--rounds", args.rounds);
        words.add("--players", &args.players);
        words.add("--clauses", args.clauses);
        words.add("--pairs", args.pairs);
        words.add("--seed", seed);
        words
    }

    /// `blazon compare` with a seed.
    pub fn compare(args: &CompareArgs, seed: u64) -> Self {
        let mut words = Self::new("compare", args.game.as_ref(), &args.with);
        words.some("--base", args.base.as_ref());
        words.each("--beneath", &args.beneath);
        let levels: Vec<String> = args.levels.iter().map(ToString::to_string).collect();
        words.add("--levels", levels.join(","));
        words.add("--points", args.points);
        words.add("--error", args.error);
        words.some("--pairs", args.pairs);
        words.add("--seed", seed);
        words.some("--scenario", args.scenario.as_ref());
        words.flag("--all", args.all);
        words.flag("--each-setup", args.each_setup);
        words.flag("--apart", args.apart);
        words.other("--blame", args.blame, BLAME);
        words.other("--most", args.most, MOST);
        words
    }

    /// `blazon ladder` with a seed.
    pub fn ladder(args: &LadderArgs, seed: u64) -> Self {
        let mut words = Self::new("ladder", args.game.as_ref(), &args.with);
        words.some("--scenario", args.scenario.as_ref());
        let players: Vec<String> = args.players.iter().map(ToString::to_string).collect();
        words.add("--players", players.join(","));
        words.add("-n", args.pairs);
        words.add("--seed", seed);
        words.flag("--neighbours", args.neighbours);
        words
    }
}

/// A game is stopped after so many decisions, if nothing else is said.
const MOST: u64 = 100_000;
/// So many pairs are looked into, if nothing else is said.
const BLAME: usize = 200;

fn players(args: &SimulateArgs) -> String {
    seats::written(&args.players)
}
