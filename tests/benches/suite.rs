//! The benchmark suite: `cargo bench -p blazon-tests --bench suite`, or with a part of a name behind `--`. With
//! `--test` everything is done once. At the end stands how far the interpreted rules are from the native yardstick.
//!
//! Times on a loaded machine lie; `instructions.sh` counts instead.

mod native;
mod work;
mod yardstick;

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use yardstick::Yardstick;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    for work in work::all(None) {
        let (group, name) = work.name.rsplit_once('/').expect("a group");
        let mut group = criterion.benchmark_group(group);
        let decisions = (work.decisions)();
        if decisions > 0 {
            group.throughput(Throughput::Elements(decisions));
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
    let mut yardstick = Yardstick::new(&blazon_tests::game("richard-iii", &[]));
    let (mut by_rules, mut by_hand) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = Instant::now();
        yardstick.by_rules();
        by_rules.push(start.elapsed());
        let start = Instant::now();
        // Too short to be timed once.
        (0..10).for_each(|_| yardstick.by_hand());
        by_hand.push(start.elapsed() / 10);
    }
    let positions = yardstick.len();
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2] / positions as u32
    };
    let (rules, hand) = (median(&mut by_rules), median(&mut by_hand));
    println!(
        "orders of {positions} positions: {rules:.2?} each by the rules, {hand:.2?} by hand, ratio {:.1}",
        rules.as_secs_f64() / hand.as_secs_f64()
    );
}
