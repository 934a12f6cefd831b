//! A bot's choices are keyed by what is decided: an option that a variant adds disturbs only what it wins, and one that it
//! moves disturbs nothing.

use std::sync::Arc;

use blazon::{Rules, Selection};
use blazon_check::Settings;
use blazon_check::project::{Layer, Parsed};
use blazon_machine::Machine;
use blazon_machine::bots::{Advised, Bot, Effort, Flat, Pick, Random, Search};
use blazon_program::Program;
use blazon_syntax::ast::{Block, Declaration, ItemKind, Statement, StatementKind};
use blazon_tests::{parsed, program, rules_only};

/// How far a game under the rules and one under changed rules went the same way, and what parted them.
struct Parted {
    decisions: usize,
    /// What was taken, under the rules and under the changed rules; nothing if they never parted.
    by: Option<[String; 2]>,
}

/// Plays a game under both with the same luck and the same bots, up to where they take different options.
fn part(programs: &[Arc<Program>; 2], seed: u64, pick: Pick) -> Parted {
    let mut games = programs.each_ref().map(|program| Machine::new(program.clone()).expect("a machine"));
    let players = programs[0].book.players.len() as u64;
    let mut bots = [(); 2].map(|()| (0..players).map(|n| Random::new(seed + n, pick)).collect::<Vec<_>>());
    for game in &mut games {
        game.start(0, seed).expect("a game");
    }
    for decisions in 0.. {
        let Some(&player) = games[0].deciders().first() else { return Parted { decisions, by: None } };
        if games[0].deciders() != games[1].deciders() {
            return Parted { decisions, by: None };
        }
        let open = games.each_mut().map(|game| {
            let open = 0..game.options(player).len();
            open.map(|place| game.label(player, place, None)).collect::<Vec<_>>()
        });
        let taken = [0, 1].map(|side| {
            let place = bots[side][player as usize].decide(&mut games[side], player);
            games[side].choose(player, place).expect("a choice");
            open[side][place].clone()
        });
        if taken[0] != taken[1] {
            // Otherwise both were open to both.
            let is_new = !open[0].contains(&taken[1]) || !open[1].contains(&taken[0]);
            assert!(is_new, "seed {seed}, decision {decisions}: {taken:?}");
            return Parted { decisions, by: Some(taken) };
        }
    }
    unreachable!("a game ends")
}

#[test]
fn an_added_option_disturbs_only_what_it_wins() {
    let rules = |stack: &[&str]| program(&parsed(&rules_only("richard-iii", stack)), &Settings::default());
    let programs = [rules(&[]), rules(&["spies"])];
    for pick in [Pick::ByName, Pick::Evenly] {
        let (mut parted, mut together) = (0, 0);
        for seed in 0..40 {
            let found = part(&programs, seed * 100, pick);
            together += found.decisions;
            if let Some([one, other]) = found.by {
                parted += 1;
                assert!(other.starts_with("Spy on"), "seed {seed}: `{one}`, with spies `{other}`");
            }
        }
        assert!(parted > 20, "{parted} games parted");
        assert!(together > 200, "they went together for {together} decisions");
    }
}

#[test]
fn what_stands_between_shifts_no_other() {
    // A block more, and an area more, move the places of others in their kind.
    let rules = |stack: &[&str]| program(&parsed(&rules_only("richard-iii", stack)), &Settings::default());
    let base = rules(&[]);
    for variant in ["thornbury", "devonshire"] {
        let programs = [base.clone(), rules(&[variant])];
        let together: usize = (0..40).map(|seed| part(&programs, seed * 100, Pick::Evenly).decisions).sum();
        assert!(together > 200, "{variant}: they went together for {together} decisions");
    }
}

/// Turns the options of all choices round.
fn turn(statements: &mut [Statement]) -> usize {
    let of = |block: &mut Block| turn(&mut block.statements);
    let of_rest = |block: &mut Option<Block>| block.as_mut().map_or(0, |block| turn(&mut block.statements));
    let turned = |statement: &mut Statement| match &mut statement.kind {
        StatementKind::If(_, body, rest) => of(body) + of_rest(rest),
        StatementKind::For { body, otherwise, .. } | StatementKind::With { body, otherwise, .. } => {
            of(body) + of_rest(otherwise)
        }
        StatementKind::While(_, body) => of(body),
        StatementKind::Case { whens, otherwise, .. } => {
            whens.iter_mut().map(|when| of(&mut when.body)).sum::<usize>() + of_rest(otherwise)
        }
        StatementKind::Choose(choose) => {
            choose.options.reverse();
            let within: usize = choose.options.iter_mut().map(|option| of(&mut option.body)).sum();
            usize::from(choose.options.len() > 1) + within + of_rest(&mut choose.otherwise)
        }
        _ => 0,
    };
    statements.iter_mut().map(turned).sum()
}

/// The rules of a game with the options of all its choices turned round, and in how many.
fn turned_round(mut parsed: Parsed) -> (Arc<Program>, usize) {
    let mut count = 0;
    for (_, file) in parsed.files.iter_mut().filter(|(layer, _)| *layer == Layer::Game) {
        for item in &mut Arc::make_mut(file).items {
            if let ItemKind::Declaration(Declaration::Step(step)) = &mut item.kind {
                count += turn(&mut Arc::make_mut(step).body.statements);
            }
        }
    }
    (program(&parsed, &Settings::default()), count)
}

#[test]
fn in_what_order_options_stand_does_not_matter() {
    for (game, most) in [("salt-road", 60), ("richard-iii", 60), ("lionheart", 40)] {
        let parsed = parsed(&rules_only(game, &[]));
        let as_written = program(&parsed, &Settings::default());
        let (turned, count) = turned_round(parsed);
        assert!(count > 0, "{game}: {count} choices");
        for way in ["random", "even", "greedy", "search"] {
            let mut games =
                [&as_written, &turned].map(|program| Machine::new(program.clone()).expect("a machine"));
            games.iter_mut().for_each(|game| game.start(0, 7).expect("a game"));
            let bot = |seed| -> Box<dyn Bot> {
                match way {
                    "random" => Box::new(Random::new(seed, Pick::ByName)),
                    "even" => Box::new(Random::new(seed, Pick::Evenly)),
                    "greedy" => Box::new(Flat::new(seed, Effort { positions: 60, horizon: 10 })),
                    _ => Box::new(Search::new(seed, Effort { positions: 120, horizon: 10 })),
                }
            };
            let players = as_written.book.players.len() as u64;
            let mut bots = [(); 2].map(|()| (0..players).map(bot).collect::<Vec<_>>());
            for number in 0..most {
                let Some(&player) = games[0].deciders().first() else { break };
                let taken = [0, 1].map(|side| {
                    let place = bots[side][player as usize].decide(&mut games[side], player);
                    let line = games[side].label(player, place, None);
                    games[side].choose(player, place).expect("a choice");
                    line
                });
                assert_eq!(taken[0], taken[1], "{game}, `{way}`, decision {number}");
            }
        }
    }
}

/// A game of one decision that matters or not, a throw by both, and a prize that chance takes.
const PRIZES: &str = r#"
kind side = North, South { state won: 0..9 }
kind prize { fact worth: 0..9 }
table prize
  | name   | worth |
  | Scrap  | 0     |
  | Apples | 4     |
  | Beans  | 9     |
  | Cider  | 5     |
  | Dates  | 7     |
  | Eggs   | 6     |
  | Figs   | 3     |
  | Grapes | 8     |
  | Honey  | 5     |
state opened: flag
setup Fair (side: won) { North: 0; South: 0 }
rule outlook(s: side): number = s.won
step game {
  for s in sides {
    choose by s "The chest with scrap?" {
      option leave { opened := no }
      option pass { opened := no }
      option open { opened := yes }
    }
    choose by s "Which prize?" {
      option take(p in prizes where p != Scrap or opened) { s.won := p.worth }
    } else { }
  }
  win(North)
}
"#;

#[test]
fn what_is_tried_differs_by_what_it_changes_and_not_by_luck() {
    let manifest = r#"Game(name: "Fair", player: "side", begins: "game")"#;
    let mut rules = Rules::from_texts([("blazon.ron", manifest), ("fair.blazon", PRIZES)]);
    let mut machine =
        Machine::new(rules.program(&Selection::default()).expect("a program")).expect("a machine");
    let (mut together, mut beside, mut better) = (0, 0, 0.0);
    for seed in 0..40 {
        machine.start(0, seed).expect("a game");
        let mut bot = Search::new(seed, Effort { positions: 40, horizon: 2 });
        let advice = bot.advise(&mut machine, 0).expect("a choice");
        let of = |place: usize| {
            let found = advice.options.iter().find(|option| option.place == place);
            found.unwrap_or_else(|| panic!("option {place} was not tried"))
        };
        let (leave, pass, open) = (of(0), of(1), of(2));
        // Two of the three are tried to the end, in the same games.
        if leave.tries == pass.tries {
            together += 1;
            assert_eq!(
                leave,
                &Advised { place: leave.place, ..pass.clone() },
                "seed {seed}: to the last digit"
            );
        }
        // One more prize, which is worth nothing, changes only the games in which chance takes it.
        for other in [leave, pass].into_iter().filter(|other| other.tries == open.tries) {
            beside += 1;
            better += other.value - open.value;
        }
    }
    assert!(together > 10 && beside > 5 && better > 0.0, "{together} and {beside}: {better}");
}

/// Two who throw, one after the other, and are asked what they think of it.
const THROWS: &str = r#"
kind side = North, South
setup Fair { }
step game { for s in sides { throw(s) }; win(North) }
step throw(s: side) {
  let dice = roll(d6, 4)
  let sum = total d in dice by d
  choose by s "Well?" { option tell "{s} has {sum}" { return }; option wait { } }
}
"#;

#[test]
fn what_hangs_around_a_step_leaves_its_luck() {
    let manifest = r#"Game(name: "Fair", player: "side", begins: "game")"#;
    let thrown = |hooks: &str, seed: u64| {
        let texts = [("blazon.ron", manifest), ("fair.blazon", THROWS), ("hooks.blazon", hooks)];
        let mut rules = Rules::from_texts(texts);
        let mut game =
            Machine::new(rules.program(&Selection::default()).expect("a program")).expect("a machine");
        game.start(0, seed).expect("a game");
        let mut said = Vec::new();
        while let Some(&player) = game.deciders().first() {
            said.push(game.label(player, 0, None));
            game.choose(player, 0).expect("a choice");
        }
        said
    };
    let rolls = "{ let die = roll(d6); say \"{die}\" }";
    let hooks = [
        format!("after throw {rolls}\n"),
        format!("before throw {rolls}\n"),
        "before throw { if s = North { let die = roll(d6); say \"{die}\" } }\nafter throw { let die = roll(d6); say \"{die}\" }\n".to_owned(),
        format!("before throw in game {rolls}\n"),
        format!("before throw in game {rolls}\nafter throw in game {rolls}\nafter throw {rolls}\n"),
    ];
    for seed in 0..20 {
        let plain = thrown("", seed);
        assert_eq!(plain.len(), 2);
        for hooks in &hooks {
            assert_eq!(thrown(hooks, seed), plain, "seed {seed}:\n{hooks}");
        }
    }
}
