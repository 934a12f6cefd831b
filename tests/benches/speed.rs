//! How long things take: `cargo bench -p blazon-tests`. Figures are of the time that the thread was really running,
//! medians of several runs; machines differ, so compare figures of one run only.

use std::hint::black_box;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use blazon_book::Book;
use blazon_check::project::{Parsed, Project, parse};
use blazon_check::{Settings, check};
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::{Program, lower};
use blazon_tests::project;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// How long this thread has been running: what others do on the machine does not count.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    ran.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// How long work takes, done again and again for long enough to be told from nothing.
fn timed(mut work: impl FnMut()) -> Duration {
    let mut round = || {
        let (start, mut times) = (clock(), 0);
        while times == 0 || clock() - start < Duration::from_millis(50) && !once() {
            (0..8).for_each(|_| work());
            times += 8;
        }
        (clock() - start) / times
    };
    median(std::iter::repeat_with(&mut round).take(if once() { 1 } else { 5 }).collect())
}

/// Whether everything is only to be done once, to see that it can be.
fn once() -> bool {
    std::env::args().any(|word| word == "--test")
}

/// From text to a program.
fn front(project: &Project, parsed: &Parsed, book: &Arc<Book>, program: &Arc<Program>) {
    println!("  parse              {:10.2?}", timed(|| drop(black_box(parse(project)))));
    println!("  check              {:10.2?}", timed(|| drop(black_box(check(parsed, &Settings::default())))));
    println!("  lower              {:10.2?}", timed(|| drop(black_box(lower(book.clone())))));
    println!("  ready to play      {:10.2?}", timed(|| drop(black_box(Machine::new(program.clone())))));
}

fn main() {
    // Everything on one thread, the one that is timed.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(bench);
}

fn bench() {
    // `cargo bench -p blazon-tests --bench speed -- front` leaves the games out, `play` everything else.
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    for (game, many) in [("richard-iii", 200), ("lionheart", 40)] {
        let mut project = project(game, &[]);
        project.game.pages.retain(|page| !page.name.contains("/tests/"));
        let parsed = parse(&project).expect("a manifest");
        let book = check(&parsed, &Settings::default()).book.expect("a book");
        let program = Arc::new(lower(book.clone()).expect("a program"));
        println!(
            "{game}: {} instructions of {} bytes",
            program.code.len(),
            size_of::<blazon_program::ir::Op>()
        );
        if only != "play" {
            front(&project, &parsed, &book, &program);
        }
        if only == "front" {
            continue;
        }
        let mut machine = Machine::new(program.clone()).expect("a machine");
        machine.record(false);
        machine.start(book.default_setup, 1).expect("a game");
        let mut position = machine.snapshot();
        println!("  a position         {:10} bytes", position.words().len() * 8);
        println!("  a position as text {:10} bytes", position.to_text().len());
        let copies = 1000;
        let copy = timed(|| (0..copies).for_each(|_| machine.snapshot_into(black_box(&mut position))));
        println!("  a copy             {:10.2?}", copy / copies);

        for (name, pick) in [("evenly", Pick::Evenly), ("by name", Pick::ByName)] {
            let (mut decisions, mut games, mut best) = (0, 0, Duration::MAX);
            for round in 0..if once() { 1 } else { 5 } {
                let start = clock();
                (decisions, games) = (0, 0);
                for seed in 0..if once() { 2 } else { many } {
                    machine.start(book.default_setup, round * 1000 + seed).expect("a game");
                    let mut bot = Random::new(seed, pick);
                    while let Some(&player) = machine.deciders().first() {
                        let index = bot.decide(&mut machine, player);
                        machine.choose(player, index).expect("a legal choice");
                        decisions += 1;
                    }
                    games += 1;
                }
                best = best.min(clock() - start);
            }
            let second = best.as_secs_f64();
            println!(
                "  random, {name:8}   {:10.0} decisions a second, {:.0} games a second, {} decisions a game",
                f64::from(decisions) / second,
                f64::from(games) / second,
                decisions / games
            );
        }
    }
}
