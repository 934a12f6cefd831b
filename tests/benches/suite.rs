//! The benchmark suite: `cargo bench -p blazon-tests --bench suite`, or with a part of a name behind `--`. With
//! `--test` everything is done once. At the end stands how far the interpreted rules are from the native yardstick.
//!
//! Times on a loaded machine lie; `instructions.sh` counts instead.

mod native;
mod work;

use std::hint::black_box;
use std::time::{Duration, Instant};

use blazon_kernel::Position;
use blazon_machine::bots::{Bot, Pick, Random};
use criterion::{Criterion, Throughput};
use native::{Board, Order};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    for work in work::all() {
        let (group, name) = work.name.rsplit_once('/').expect("a group");
        let mut group = criterion.benchmark_group(group);
        if work.decisions > 0 {
            group.throughput(Throughput::Elements(work.decisions));
        }
        group.bench_function(name, |bencher| {
            let mut run = (work.ready)();
            bencher.iter(&mut run);
        });
        group.finish();
    }
    criterion.final_summary();
    let rounds = if std::env::args().any(|arg| arg == "--test") { 1 } else { 15 };
    yardstick(rounds);
}

/// The orders of two hundred positions of random play, found by the rules and by hand, in turn.
fn yardstick(rounds: usize) {
    let program = blazon_tests::game("richard-iii", &[]);
    let mut machine = work::machine(&program);
    let mut positions: Vec<(Position, u32)> = Vec::new();
    let mut boards: Vec<Board> = Vec::new();
    for seed in 0.. {
        machine.start(program.book.default_setup, seed).expect("a game");
        let mut bot = Random::new(seed, Pick::ByName);
        while let Some(&player) = machine.deciders().first() {
            if machine.taken().is_multiple_of(7)
                && let Some(board) = Board::read(&machine, boards.last())
            {
                positions.push((machine.snapshot(), player));
                boards.push(board);
            }
            let index = bot.decide(&mut machine, player);
            machine.choose(player, index).expect("a legal choice");
        }
        if positions.len() >= 200 {
            break;
        }
    }
    let mut orders: Vec<Order> = Vec::new();
    let (mut by_rules, mut by_hand) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = Instant::now();
        for (position, player) in &positions {
            machine.restore(position).expect("a position");
            // Every option is looked at, since the machine may have found whole sets of them at once.
            machine.options(*player).iter().for_each(|open| {
                black_box(open);
            });
        }
        by_rules.push(start.elapsed());
        let start = Instant::now();
        // Too short to be timed once.
        for _ in 0..10 {
            for board in &boards {
                board.orders(&mut orders);
                black_box(&orders);
            }
        }
        by_hand.push(start.elapsed() / 10);
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2] / positions.len() as u32
    };
    let (rules, hand) = (median(&mut by_rules), median(&mut by_hand));
    println!(
        "orders of {} positions: {rules:.2?} each by the rules, {hand:.2?} by hand, ratio {:.1}",
        positions.len(),
        rules.as_secs_f64() / hand.as_secs_f64()
    );
}
