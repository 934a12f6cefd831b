//! Saved games that outlive the program: what was saved once can be loaded for ever, and where it cannot the message
//! says truly why.
//!
//! * [`golden`]: saves of the games of this repository, some written by the program before format 2.
//! * [`frozen`]: a small game whose text never changes, with every digest written out.
//! * [`messages`]: what makes a save foreign or damaged, what does not, and what is said.
//! * [`copies`]: look-alikes, of which a save says which was meant.
//! * [`everywhere`]: random games, saved at random decisions and gone on with.

mod copies;
mod everywhere;
mod frozen;
mod golden;
mod messages;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blazon_check::Settings;
use blazon_check::manifest::Manifest;
use blazon_check::project::Project;
use blazon_kernel::chance::Stream;
use blazon_machine::Machine;
use blazon_machine::save::{Entry, Rules, Save};
use blazon_program::Program;
use blazon_tests::{folder, parsed, program, rules_only, top};

/// Where the saves lie.
fn saves() -> PathBuf {
    top().join("tests/saves")
}

/// The saves of a folder: name without ending, and text.
fn games_in(folder: &str) -> Vec<(String, String)> {
    let mut games: Vec<(String, String)> = std::fs::read_dir(saves().join(folder))
        .expect("the saves")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "game"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("text"))
        })
        .collect();
    games.sort();
    assert!(!games.is_empty(), "no saves in {folder}");
    games
}

/// The game whose text never changes, with its variant or without.
fn mill(with_flood: bool) -> Project {
    let path = saves().join("rules");
    let variants = if with_flood { vec![folder(&path.join("variants/flood"))] } else { Vec::new() };
    Project { game: folder(&path), variants, ..Project::default() }
}

fn compiled(project: &Project, rulings: &[(String, String)]) -> Arc<Program> {
    program(&parsed(project), &Settings { rulings: rulings.to_vec(), ..Settings::default() })
}

/// The rules that a game of this repository was played by, made once for each choice of variants and rulings.
#[derive(Default)]
struct Shelf(HashMap<String, Arc<Program>>);

impl Shelf {
    fn of(&mut self, rules: &Rules) -> Arc<Program> {
        let key = format!("{} {:?} {:?}", rules.game, rules.variants, rules.rulings);
        self.0
            .entry(key)
            .or_insert_with(|| {
                let game = named(&top().join("rules"), &rules.game);
                let below = top().join("rules").join(&game).join("variants");
                let variants: Vec<String> =
                    rules.variants.iter().map(|(name, _)| named(&below, name)).collect();
                let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
                compiled(&rules_only(&game, &variants), &rules.rulings)
            })
            .clone()
    }
}

/// The folder whose manifest has that name.
fn named(within: &Path, name: &str) -> String {
    let folders = std::fs::read_dir(within).expect("folders").map(|entry| entry.expect("an entry").path());
    let found = folders.filter(|path| path.is_dir()).find(|path| {
        let manifest = std::fs::read_to_string(path.join("blazon.ron"));
        manifest.is_ok_and(|text| Manifest::read(&text).expect("a manifest").name() == name)
    });
    let found = found.unwrap_or_else(|| panic!("no folder of `{name}`"));
    found.file_name().expect("a name").to_string_lossy().into_owned()
}

fn machine(program: &Arc<Program>) -> Machine {
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(true);
    machine
}

/// Takes the log of what has happened since this was last asked.
fn told(machine: &mut Machine) -> Vec<Entry> {
    let events = machine.take_events();
    events.iter().filter_map(|event| Entry::of(machine.program(), event)).collect()
}

/// What a player chooses by lot: one of the names that are open, then one of its options. The bots of the program may
/// learn to choose otherwise; what is fixed here may not hang on them.
fn chosen(machine: &Machine, player: u32, stream: &mut Stream) -> usize {
    let options = machine.options(player);
    if options.len() < 2 {
        return stream.below(options.len().max(1));
    }
    let names: Vec<u16> = options.iter().map(|open| open.option).collect();
    let mut runs: Vec<u16> = names.clone();
    runs.dedup();
    let skipped = stream.below(runs.len());
    let starts: Vec<usize> =
        (0..names.len()).filter(|&place| place == 0 || names[place] != names[place - 1]).collect();
    let from = starts[skipped];
    let to = starts.get(skipped + 1).copied().unwrap_or(names.len());
    from + stream.below(to - from)
}

/// Lets random players take so many decisions, or play to the end; answers what they chose.
fn play(machine: &mut Machine, seed: u64, most: usize) -> Vec<Entry> {
    let mut streams: Vec<Stream> = (0..4).map(|place| Stream::new(seed * 4 + place)).collect();
    let mut log = told(machine);
    for _ in 0..most {
        let Some(&player) = machine.deciders().last() else { break };
        let index = chosen(machine, player, &mut streams[player as usize]);
        machine.choose(player, index).expect("an open option");
        log.extend(told(machine));
    }
    log
}

/// A game from its start, after so many random decisions.
fn played(machine: &mut Machine, seed: u64, most: usize) -> Save {
    let setup = machine.program().book.default_setup;
    machine.start(setup, seed).expect("a start");
    let log = play(machine, seed, most);
    Save::new(machine, setup, seed, log)
}
