//! Talkative rules: what they tell is stopped before it fills the memory, and what a game keeps of it has bounds.

mod common;

use blazon::{Error, Game, Limits, Program, Selection};
use common::rules;
use std::sync::Arc;

/// A game that does something, with a hundred things and a number.
fn program(things: usize, game: &str) -> Arc<Program> {
    let rows: String = (0..things / 100).map(|row| format!("  | Bean {row} | 100 |\n")).collect();
    let page = format!(
        "kind side = North, South\nkind thing\nstate n: number\nstate m(thing): number\ntable thing\n  \
         | name | copies |\n{rows}setup Start (side: luck) {{ others: 0 }}\n\
         state luck(side): number\nstep game {{\n{game}\n}}\nwhenever many: m(first things) > 5 {{ n := 0 }}\n"
    );
    rules(&page).program(&Selection::default()).expect("it compiles")
}

#[test]
fn what_is_told_without_end_is_stopped() {
    for told in ["say \"{things}\"", "let d = roll(d6)", "let d = draw(things, 90); n := count d"] {
        let program = program(100, &format!("while n < 1000 {{ n := 1\n{told} }}"));
        let limits = Limits { told: 10_000, ..Limits::default() };
        let mut game = Game::with_limits(program, limits).expect("it has a start");
        let Err(Error::Fault(failure)) = game.begin(7) else { panic!("{told}: it goes on") };
        assert_eq!(failure.fault.code, "run::memory", "{told}");
        let said = "what is said, rolled and drawn before the next decision fills more than 10000 words";
        assert_eq!(failure.fault.message, said, "{told}");
        assert_eq!(failure.fault.stack[0].name, "game", "{told}");
        assert!(game.events().is_empty(), "{told}");
    }
}

#[test]
fn the_oldest_events_are_dropped() {
    let talk = "while yes { for i in 1..2000 { say \"{things}\" }\nchoose by North \"More?\" {\n\
                option more \"More\" { n += 1 }\noption end \"No\" { win(North) } } }";
    let mut game = Game::new(program(6400, talk)).expect("it has a start");
    game.begin(7).expect("it begins");
    let decisions = 12;
    for _ in 0..decisions {
        let north = game.decider().expect("it goes on");
        game.choose(north, 0.into()).expect("an open option");
    }
    assert_eq!(game.event_count(), 2000 + decisions * 2001);
    let kept = game.events().len();
    assert!((2001..18_100).contains(&kept), "{kept} are kept");
    assert_eq!(game.events_since(game.event_count() - 5).len(), 5);
    assert_eq!(game.take_events().len(), kept);
    assert_eq!((game.events().len(), game.event_count()), (0, 2000 + decisions * 2001));
}

#[test]
fn the_oldest_ways_back_are_dropped() {
    let ask = "while yes { choose by North \"More?\" {\n\
               option more \"More\" { n += 1; for t in first things { t.m := min(n, 3) } }\noption end \"No\" { win(North) } } }";
    let mut game = Game::new(program(60_000, ask)).expect("it has a start");
    game.keep_back(true);
    game.begin(7).expect("it begins");
    let north = game.decider().expect("it goes on");
    let words = game.machine().position().len();
    assert!(words > 10_000, "a large position: {words}");
    let most = (1 << 21) / words;
    for _ in 0..most + 5 {
        game.choose(north, 0.into()).expect("an open option");
    }
    let back = (0..most + 5).take_while(|_| game.undo(north, |_| true).is_ok()).count();
    assert_eq!(back, most, "as many positions as have room");
}

/// A game with so many things of different names.
fn named(things: usize, game: &str) -> Arc<Program> {
    let rows: String = (0..things).map(|row| format!("  | Bean {row} |\n")).collect();
    let page = format!(
        "kind side = North, South\nkind thing\ntable thing\n  | name |\n{rows}setup Start (side: luck) {{ others: 0 \
         }}\nstate luck(side): number\nstep game {{\n{game}\n}}\n"
    );
    rules(&page).program(&Selection::default()).expect("it compiles")
}

#[test]
fn what_nobody_can_read_through_is_cut() {
    let long = "so it was ".repeat(500);
    let talk = format!(
        "say \"{{things}}\"\nsay \"{long}\"\nchoose by North \"What?\" {{\noption many \"{{things}}\" {{ win(North) \
         }}\noption few \"Few\" {{ win(South) }} }}"
    );
    let mut game = Game::new(named(5000, &talk)).expect("it has a start");
    game.begin(7).expect("it begins");
    let north = game.decider().expect("it goes on");
    let label = game.label(north, 0.into());
    assert!(label.starts_with("Bean 0, Bean 1, ") && label.ends_with("Bean 99 and 4900 more"), "{label}");
    let told: Vec<String> = game.events().iter().filter_map(|event| game.tell(event, None)).collect();
    assert_eq!(told[0], label);
    assert!(told[1].ends_with("so it was …") && told[1].chars().count() == 4001, "{}", told[1]);
}

#[test]
fn a_choice_of_more_than_anybody_can_look_through_is_a_fault() {
    let pairs =
        "choose by North \"Which?\" {\noption pair(a in things, b in things) \"{a}, {b}\" { win(North) } }";
    let begun = |things| Game::new(named(things, pairs)).expect("it has a start").begin(7);
    assert!(begun(256).is_ok(), "65,536 may be");
    let Err(Error::Fault(failure)) = begun(257) else { panic!("it goes on") };
    assert_eq!(failure.fault.code, "run::memory");
    assert_eq!(failure.fault.message, "a choice has more than 65536 options");
}
