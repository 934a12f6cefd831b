//! What is said of pages as nobody writes them by hand (`blazon_tests::shapes`): of each mistake once, and of what has none
//! nothing. That it does not take longer than the pages are long is seen in `benches/scaling.rs`; here only that it ends.

use blazon_check::project::parse;
use blazon_check::{Settings, check};
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::lower;
use blazon_tests::shapes::SHAPES;

const PARTS: usize = 600;

#[test]
fn each_part_is_judged_once() {
    let mut wrong = Vec::new();
    for shape in &SHAPES {
        let parsed = parse(&shape.project(PARTS)).unwrap_or_else(|_| panic!("{}: no manifest", shape.name));
        let checked = check(&parsed, &Settings::default());
        let codes: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        let wanted = shape.code.map_or(Vec::new(), |code| vec![code; PARTS - shape.quiet]);
        if codes != wanted {
            let first: Vec<String> = checked
                .diagnostics
                .iter()
                .take(3)
                .map(|said| format!("{}: {}", said.code, said.message))
                .collect();
            wrong.push(format!("{}: {} said, such as {first:?}", shape.name, codes.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_has_no_mistake_is_played() {
    for shape in SHAPES.iter().filter(|shape| shape.code.is_none()) {
        let parsed = parse(&shape.project(PARTS)).unwrap_or_else(|_| panic!("{}: no manifest", shape.name));
        let book = check(&parsed, &Settings::default()).book.unwrap_or_else(|| panic!("{}", shape.name));
        let program = lower(book).unwrap_or_else(|said| panic!("{}: {said:?}", shape.name));
        let mut machine = Machine::new(std::sync::Arc::new(program)).expect("states begin");
        machine.start(0, 7).unwrap_or_else(|fault| panic!("{}: {fault}", shape.name));
        let mut bot = Random::new(7, Pick::Evenly);
        while let Some(&player) = machine.deciders().first() {
            let option = bot.decide(&mut machine, player);
            machine.choose(player, option).unwrap_or_else(|fault| panic!("{}: {fault}", shape.name));
        }
        assert!(machine.outcome().is_some(), "{}", shape.name);
    }
}
