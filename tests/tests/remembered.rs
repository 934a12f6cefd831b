//! What rules have answered is remembered while what they read is the same; a machine that has seen much of a game answers
//! as one that has seen nothing.

use std::sync::Arc;

use blazon_book::{Base, RuleId};
use blazon_check::Settings;
use blazon_check::project::Page;
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_machine::Machine;
use blazon_program::Program;
use blazon_tests::{game, parsed, program, rules_only};

/// So many of the rules are asked in each position.
const ASKED: usize = 60;

/// A question to a rule whose arguments are things or numbers; nothing for others.
fn question(program: &Program, luck: &mut Stream) -> Option<(RuleId, Vec<i64>)> {
    let rule = RuleId(luck.below(program.book.rules.len()) as u32);
    let params = &program.book.rule(rule).locals[..program.book.rule(rule).params];
    let args: Option<Vec<i64>> = params
        .iter()
        .map(|param| match param.ty.base {
            // Few of each, so that the same is asked again and again.
            Base::Thing(kind) => Some(luck.below(program.book.kind(kind).things.len().min(6)) as i64),
            Base::Number(lo, _) => Some(lo.max(0)),
            _ => None,
        })
        .collect();
    let words = program.functions[program.rule(rule) as usize].param_words as usize;
    args.filter(|args| args.len() == words).map(|args| (rule, args))
}

/// Asks both machines the same; the second has seen nothing else.
fn compare(program: &Arc<Program>, machine: &mut Machine, luck: &mut Stream) -> usize {
    let mut fresh = Machine::new(program.clone()).expect("a machine");
    fresh.restore(&machine.snapshot()).expect("a position of a game");
    for &player in &program.book.players {
        let options = [&mut *machine, &mut fresh].map(|one| {
            let open = 0..one.options(player).len();
            open.map(|place| one.label(player, place, None)).collect::<Vec<_>>()
        });
        assert_eq!(options[0], options[1]);
    }
    let mut asked = 0;
    for _ in 0..ASKED {
        let Some((rule, args)) = question(program, luck) else { continue };
        let (known, new) = (machine.ask(rule, &args), fresh.ask(rule, &args));
        assert_eq!(known.ok(), new.ok(), "{}{args:?}", program.book.rule(rule).name);
        asked += 1;
    }
    asked
}

/// Plays by lot, and now and then goes back to a position that was there before.
fn answers_are_those_of_a_machine_that_has_seen_nothing(name: &str, decisions: usize) {
    let program = game(name, &[]);
    let (mut luck, mut asked) = (Stream::new(7), 0);
    for seed in 0..3 {
        let mut machine = Machine::new(program.clone()).expect("a machine");
        machine.start(0, seed).expect("a game");
        let mut before: Vec<Position> = Vec::new();
        for number in 0..decisions {
            match machine.deciders().first() {
                Some(&player) => {
                    if luck.below(4) == 0 {
                        before.push(machine.snapshot());
                    }
                    let place = luck.below(machine.options(player).len());
                    machine.choose(player, place).expect("a choice");
                }
                None => machine.restore(&before[luck.below(before.len())]).expect("a position of a game"),
            }
            if number % 5 == 0 && !before.is_empty() {
                machine.restore(&before[luck.below(before.len())]).expect("a position of a game");
            }
            if number % 3 == 0 {
                asked += compare(&program, &mut machine, &mut luck);
            }
        }
    }
    assert!(asked > 3 * decisions / 3 * ASKED / 4, "{asked} questions");
}

#[test]
fn in_richard_iii() {
    answers_are_those_of_a_machine_that_has_seen_nothing("richard-iii", 240);
}

#[test]
fn in_the_lionheart() {
    answers_are_those_of_a_machine_that_has_seen_nothing("lionheart", 240);
}

#[test]
fn on_the_salt_road() {
    answers_are_those_of_a_machine_that_has_seen_nothing("salt-road", 240);
}

/// Who has won is no state, and rules may ask it.
#[test]
fn who_has_won_is_asked_anew_when_the_game_is_over() {
    let mut project = rules_only("salt-road", &[]);
    let text = "\
rule verdict(s: side): number =
    (count o in sides where winner = o and o = s) + 2 * (count o in sides where winner = o and o != s)
";
    project.game.pages.push(Page { name: "verdict.blazon".to_owned(), text: text.to_owned() });
    let program = program(&parsed(&project), &Settings::default());
    let rule = program.book.rules.iter().position(|rule| rule.name == "verdict").expect("it is there");
    let mut machine = Machine::new(program.clone()).expect("a machine");
    let verdicts = |machine: &mut Machine| {
        [0, 1].map(|side| machine.ask(RuleId(rule as u32), &[side]).expect("an answer")[0])
    };
    let mut luck = Stream::new(5);
    machine.start(0, 5).expect("a game");
    let begun = machine.snapshot();
    while let Some(&player) = machine.deciders().first() {
        assert_eq!(verdicts(&mut machine), [0, 0]);
        let place = luck.below(machine.options(player).len());
        machine.choose(player, place).expect("a choice");
    }
    let mut over = verdicts(&mut machine);
    over.sort_unstable();
    assert_eq!(over, [1, 2]);
    machine.restore(&begun).expect("a position of a game");
    assert_eq!(verdicts(&mut machine), [0, 0]);
}
