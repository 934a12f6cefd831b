//! Look-alikes that a state tells apart are offered each; which of them was taken a save says, and one that doesn't say it,
//! as older ones don't, means any.

use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_machine::save::{Entry, Save};
use blazon_tests::compiled;

const PAGE: &str = r#"
kind side = Red, Blue
kind area = Aa, Bb, Cc
kind cart { state at: area }
table cart
  | name | copies |
  | Cart | 3      |
setup Start (cart: at) { Cart: Aa; Cart: Bb; Cart: Bb }
step game {
  choose by Red "Which?" {
    option go(c in carts) "{c} at {c.at}" needs out: c.at != Cc else "{c} is out" { c.at := Cc }
    option halt "Halt" { }
  }
  choose by Red "Which now?" {
    option go on(c in carts) "{c} at {c.at}" needs on: c.at = Bb else "{c} at {c.at} stays" { c.at := Cc }
    option rest "Rest" { }
    option wait "Wait" { }
  }
  win(Red)
}
"#;

fn machine() -> Machine {
    let mut machine = Machine::new(compiled(PAGE).expect("a game")).expect("a machine");
    machine.record(true);
    machine.start(0, 1).expect("a start");
    machine
}

fn labels(machine: &mut Machine) -> Vec<String> {
    (0..machine.options(0).len()).map(|index| machine.label(0, index, Some(0))).collect()
}

/// Where the carts are: the places of the areas.
fn places(machine: &Machine) -> Vec<u64> {
    let columns = &machine.program().book.columns;
    let at = columns.iter().position(|column| column.name == "at").expect("a state");
    (0..3)
        .flat_map(|cart| machine.column(blazon_book::ColumnId(at as u32), &[cart]).expect("a cart"))
        .collect()
}

fn log(machine: &mut Machine) -> Vec<Entry> {
    let events = machine.take_events();
    events.iter().filter_map(|event| Entry::of(machine.program(), event)).collect()
}

#[test]
fn look_alikes_in_two_places_are_two_options() {
    let mut machine = machine();
    assert_eq!(labels(&mut machine), ["Cart at Aa", "Cart at Bb", "Halt"]);
    machine.choose(0, 1).expect("an option");
    assert_eq!(places(&machine), [0, 2, 1]);
    assert_eq!(labels(&mut machine), ["Cart at Bb", "Rest", "Wait"]);
    let refused: Vec<String> = machine.refused(0).into_iter().map(|refusal| refusal.reason).collect();
    assert_eq!(refused, ["Cart at Aa stays", "Cart at Cc stays"]);
}

#[test]
fn a_save_says_which_was_taken() {
    let mut first = machine();
    first.choose(0, 1).expect("an option");
    let log = log(&mut first);
    assert_eq!(log[0].to_string(), "Red: go(Cart #2)");
    let text = Save::new(&first, 0, 1, log).to_text().expect("a text");
    let mut again = machine();
    Save::from_text(&text).expect("a save").replay(&mut again, 0).expect("it is followed");
    assert_eq!(places(&again), [0, 2, 1]);
}

#[test]
fn one_that_does_not_say_it_means_any() {
    let entry = Entry {
        player: "Red".to_owned(),
        option: "go on".to_owned(),
        args: vec!["Cart".to_owned()],
        forced: false,
    };
    let mut machine = machine();
    machine.choose(0, 0).expect("an option");
    let (player, place) = entry.find(&machine).expect("it is open");
    machine.choose(player, place).expect("an option");
    assert_eq!(places(&machine), [2, 2, 1]);
}

#[test]
fn bots_take_either() {
    let mut taken: Vec<Vec<u64>> = (0..40)
        .map(|seed| {
            let mut machine = machine();
            let index = Random::new(seed, Pick::ByName).decide(&mut machine, 0);
            machine.choose(0, index).expect("an option");
            places(&machine)
        })
        .collect();
    taken.sort();
    taken.dedup();
    assert_eq!(taken, [[0, 1, 1], [0, 2, 1], [2, 1, 1]]);
}
