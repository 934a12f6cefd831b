//! What is measured: each piece of work by name, made ready when it is wanted. `suite.rs` takes the time of it,
//! `instructions.rs` counts its instructions.

use std::hint::black_box;
use std::sync::Arc;

use blazon_check::project::{Parsed, parse};
use blazon_check::{Settings, check};
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_machine::save::{Entry, replay};
use blazon_program::{Program, lower};
use blazon_tests::{parsed, program, project};

use crate::yardstick::Yardstick;

/// Does a piece of work once.
pub type Run = Box<dyn FnMut()>;

/// A piece of work.
pub struct Work {
    /// Its name.
    pub name: String,
    /// How many decisions it takes, or positions it looks at; 0 if that says nothing.
    pub decisions: Box<dyn Fn() -> u64>,
    /// Makes it ready.
    pub ready: Box<dyn Fn() -> Run>,
}

/// A game of the repository and what its decisions are called.
struct Game {
    folder: &'static str,
    /// Kinds of decisions: how each is called here, and an option that is open there and taken.
    decisions: &'static [(&'static str, &'static str)],
    /// An option of a decision with very many of them.
    long: &'static str,
    /// How many whole games are played at once.
    games: u64,
    /// Whether its orders are found by hand, too.
    by_hand: bool,
}

const GAMES: &[Game] = &[
    Game {
        folder: "richard-iii",
        decisions: &[
            ("card", "play"),
            ("move", "march"),
            ("recruit", "recruit"),
            ("battle turn", "fire"),
            ("retreat", "retreat"),
            ("political", "next"),
        ],
        long: "march",
        games: 20,
        by_hand: true,
    },
    Game {
        folder: "lionheart",
        decisions: &[("move", "march"), ("recruit", "recruit"), ("troops", "give"), ("winter", "winter")],
        long: "march",
        games: 5,
        by_hand: false,
    },
];

/// All of it, or the game alone to which a name belongs.
pub fn all(name: Option<&str>) -> Vec<Work> {
    let wanted = |game: &&Game| name.is_none_or(|name| name.split('/').next() == Some(game.folder));
    GAMES.iter().filter(wanted).flat_map(of_game).collect()
}

fn of_game(game: &'static Game) -> Vec<Work> {
    let folder = game.folder;
    let mut project = project(folder, &[]);
    // Tests are checked when they are run, not when a game is played.
    project.game.pages.retain(|page| !page.name.contains("/tests/"));
    let trees = Arc::new(parsed(&project));
    let program = program(&trees, &Settings::default());
    let mut works = Works { folder, works: Vec::new() };

    works.add("rules/parse", 0, move || {
        let project = project.clone();
        Box::new(move || drop(black_box(parse(&project))))
    });
    let of_trees = |work: fn(&Parsed)| {
        let trees = trees.clone();
        move || {
            let trees = trees.clone();
            Box::new(move || work(&trees)) as Run
        }
    };
    works.add("rules/check", 0, of_trees(|trees| drop(black_box(check(trees, &Settings::default())))));
    let of_program = |work: fn(&Arc<Program>)| {
        let program = program.clone();
        move || {
            let program = program.clone();
            Box::new(move || work(&program)) as Run
        }
    };
    works.add("rules/lower", 0, of_program(|program| drop(black_box(lower(program.book.clone())))));
    works.add("rules/ready", 0, of_program(|program| drop(black_box(Machine::new(program.clone())))));

    positions(&mut works, &program, game.long);
    for &(name, option) in game.decisions {
        decision(&mut works, &program, name, option);
    }
    texts(&mut works, &program, game.long);
    if game.by_hand {
        orders(&mut works, &program);
    }
    a_replay(&mut works, &program);
    for (place, setup) in program.book.setups.iter().enumerate() {
        let title = setup.title.as_ref().unwrap_or(&setup.name);
        for (how, pick) in [("evenly", Pick::Evenly), ("by name", Pick::ByName)] {
            whole_games(&mut works, &program, place, &format!("games/{title} {how}"), pick, game.games);
        }
    }
    works.works
}

struct Works {
    folder: &'static str,
    works: Vec<Work>,
}

impl Works {
    fn add(&mut self, name: &str, decisions: u64, ready: impl Fn() -> Run + 'static) {
        self.add_counted(name, move || decisions, ready);
    }

    fn add_counted(
        &mut self,
        name: &str,
        decisions: impl Fn() -> u64 + 'static,
        ready: impl Fn() -> Run + 'static,
    ) {
        let name = format!("{}/{name}", self.folder);
        self.works.push(Work { name, decisions: Box::new(decisions), ready: Box::new(ready) });
    }
}

/// A machine that records nothing.
pub fn machine(program: &Arc<Program>) -> Machine {
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(false);
    machine
}

/// Where an option is open in random play: the position, who is asked, and the option's place. Not the first such
/// position but the twentieth, so that the game is well under way.
pub fn find(program: &Arc<Program>, option: &str) -> (Position, u32, usize) {
    let mut machine = machine(program);
    let mut left = 20;
    for seed in 0..500 {
        machine.start(program.book.default_setup, seed).expect("a game");
        let mut bot = Random::new(seed, Pick::ByName);
        while let Some(&player) = machine.deciders().first() {
            let wanted = machine.choice().and_then(|c| c.options.iter().position(|o| o.name == option));
            let open = machine.options(player);
            let place = wanted.and_then(|wanted| open.iter().position(|o| o.option as usize == wanted));
            if let Some(place) = place {
                left -= 1;
                if left == 0 {
                    return (machine.snapshot(), player, place);
                }
            }
            let index = bot.decide(&mut machine, player);
            machine.choose(player, index).expect("a legal choice");
        }
    }
    panic!("nobody was ever asked to {option}");
}

/// Copies of positions, and their text.
fn positions(works: &mut Works, program: &Arc<Program>, option: &'static str) {
    let held = program.clone();
    works.add("position/copy", 0, move || {
        let (position, ..) = find(&held, option);
        let mut machine = machine(&held);
        machine.restore(&position).expect("a position");
        let mut copy = machine.snapshot();
        Box::new(move || machine.snapshot_into(black_box(&mut copy)))
    });
    let held = program.clone();
    works.add("position/to text", 0, move || {
        let (position, ..) = find(&held, option);
        Box::new(move || drop(black_box(position.to_text())))
    });
    let held = program.clone();
    works.add("position/from text", 0, move || {
        let text = find(&held, option).0.to_text();
        Box::new(move || drop(black_box(Position::from_text(&text))))
    });
}

/// A decision: its options found, and counted by name, and one of them taken up to the next decision.
fn decision(works: &mut Works, program: &Arc<Program>, name: &str, option: &'static str) {
    let at = |work: fn(&mut Machine, u32, usize)| {
        let program = program.clone();
        move || {
            let (position, player, place) = find(&program, option);
            let mut machine = machine(&program);
            Box::new(move || {
                machine.restore(&position).expect("a position");
                work(&mut machine, player, place);
            }) as Run
        }
    };
    works.add(
        &format!("decision/{name}/options"),
        0,
        at(|machine, player, _| {
            black_box(machine.options(player).len());
        }),
    );
    works.add(
        &format!("decision/{name}/count"),
        0,
        at(|machine, player, _| {
            let mut counts = [0u32; 16];
            machine.options(player).iter().for_each(|open| counts[open.option as usize % 16] += 1);
            black_box(counts);
        }),
    );
    works.add(
        &format!("decision/{name}/take"),
        1,
        at(|machine, player, place| machine.choose(player, place).expect("a legal choice")),
    );
}

/// What people see at a decision: the table, the lines of all options, the reasons against the others.
fn texts(works: &mut Works, program: &Arc<Program>, option: &'static str) {
    let at = |work: fn(&mut Machine, u32)| {
        let program = program.clone();
        move || {
            let (position, player, _) = find(&program, option);
            let mut machine = machine(&program);
            machine.restore(&position).expect("a position");
            Box::new(move || work(&mut machine, player)) as Run
        }
    };
    works.add(
        "texts/view",
        0,
        at(|machine, player| drop(black_box(machine.view(Some(player)).expect("a view")))),
    );
    works.add(
        "texts/options",
        0,
        at(|machine, player| {
            for place in 0..machine.options(player).len() {
                black_box(machine.label(player, place, Some(player)));
            }
        }),
    );
    works.add("texts/reasons", 0, at(|machine, player| drop(black_box(machine.refused(player)))));
}

/// The orders of two hundred positions of random play, by the rules and by hand.
fn orders(works: &mut Works, program: &Arc<Program>) {
    let held = program.clone();
    let positions = move || Yardstick::new(&held).len() as u64;
    let held = program.clone();
    works.add_counted("orders/by the rules", positions.clone(), move || {
        let mut yardstick = Yardstick::new(&held);
        Box::new(move || yardstick.by_rules())
    });
    let held = program.clone();
    works.add_counted("orders/by hand", positions, move || {
        let mut yardstick = Yardstick::new(&held);
        Box::new(move || yardstick.by_hand())
    });
}

/// A whole game again, from its log.
fn a_replay(works: &mut Works, program: &Arc<Program>) {
    let setup = program.book.default_setup;
    let recorded = move |program: &Arc<Program>| {
        let mut machine = machine(program);
        machine.record(true);
        machine.start(setup, 1).expect("a game");
        let mut bot = Random::new(1, Pick::ByName);
        while let Some(&player) = machine.deciders().first() {
            let index = bot.decide(&mut machine, player);
            machine.choose(player, index).expect("a legal choice");
        }
        machine
    };
    let of = move |recorded: Machine, program: &Program| -> Vec<Entry> {
        let mut recorded = recorded;
        recorded.take_events().iter().filter_map(|event| Entry::of(program, event)).collect()
    };
    let held = program.clone();
    let program = program.clone();
    works.add_counted(
        "replay",
        move || recorded(&held).taken(),
        move || {
            let log = of(recorded(&program), &program);
            let mut machine = machine(&program);
            Box::new(move || drop(black_box(replay(&mut machine, setup, 1, &log).expect("a game"))))
        },
    );
}

/// Whole games between random players, always the same ones.
fn whole_games(works: &mut Works, program: &Arc<Program>, setup: usize, name: &str, pick: Pick, games: u64) {
    let play = move |machine: &mut Machine| -> u64 {
        let mut decisions = 0;
        let mut seeds = Stream::new(1);
        for _ in 0..games {
            let seed = seeds.word();
            machine.start(setup, seed).expect("a game");
            let mut bot = Random::new(seed, pick);
            while let Some(&player) = machine.deciders().first() {
                let index = bot.decide(machine, player);
                machine.choose(player, index).expect("a legal choice");
                decisions += 1;
            }
        }
        decisions
    };
    let held = program.clone();
    let decisions = move || play(&mut machine(&held));
    let program = program.clone();
    works.add_counted(name, decisions, move || {
        let mut machine = machine(&program);
        Box::new(move || {
            black_box(play(&mut machine));
        })
    });
}
