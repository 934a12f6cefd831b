//! The native yardstick of the benchmarks gives the same orders as the rules, on a thousand positions of random play.

#[path = "../benches/native.rs"]
mod native;

use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_tests::game;
use native::{Board, Order};

/// The open options as the yardstick writes them, sorted.
fn open(machine: &Machine, player: u32) -> Vec<Order> {
    let byte = |args: &[i64], place: usize| args.get(place).map_or(u8::MAX, |&arg| arg as u8);
    let options = machine.options(player).iter();
    let mut open: Vec<Order> = options.map(|o| (o.option, byte(o.args, 0), byte(o.args, 1))).collect();
    open.sort_unstable();
    open
}

#[test]
fn the_yardstick_gives_the_same_orders() {
    let program = game("richard-iii", &[]);
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(false);
    let (mut before, mut orders) = (None, Vec::new());
    let mut kinds = std::collections::BTreeMap::new();
    let mut positions = 0;
    for seed in 0.. {
        let setup = seed as usize % program.book.setups.len();
        machine.start(setup, seed).expect("a game");
        let mut bot = Random::new(seed, if seed.is_multiple_of(2) { Pick::ByName } else { Pick::Evenly });
        while let Some(&player) = machine.deciders().first() {
            // Every third, so that the thousand come from many games.
            if machine.taken().is_multiple_of(3)
                && let Some(board) = Board::read(&machine, before.as_ref())
            {
                board.orders(&mut orders);
                orders.sort_unstable();
                let open = open(&machine, player);
                let extra: Vec<_> = orders.iter().filter(|order| !open.contains(order)).collect();
                let missing: Vec<_> = open.iter().filter(|order| !orders.contains(order)).collect();
                let place = (seed, machine.taken());
                assert!(orders == open, "{place:?}: {extra:?} too many, {missing:?} missing");
                for order in &orders {
                    *kinds.entry(order.0).or_insert(0) += 1;
                }
                before = Some(board);
                positions += 1;
            }
            let index = bot.decide(&mut machine, player);
            machine.choose(player, index).expect("a legal choice");
        }
        if positions >= 1000 {
            break;
        }
    }
    assert_eq!(kinds.len(), 4, "marches, voyages, recruits and the end of the phase: {kinds:?}");
}
