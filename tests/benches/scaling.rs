//! How costs grow: ten times the rules text, and ten times the map, as generated variants of Richard III; and ten times
//! the parts of pages as nobody writes them by hand.
//! `cargo bench -p blazon-tests --bench scaling`; with `--test` everything is done once.

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use blazon_check::project::{Folder, Page, Project, parse};
use blazon_check::{Settings, check};
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::{Program, lower};
use blazon_tests::shapes::SHAPES;
use blazon_tests::{parsed, program, project};

/// How many times the text and the map.
const TIMES: usize = 10;

fn main() {
    let once = std::env::args().any(|arg| arg == "--test");
    let (rounds, games) = if once { (1, 1) } else { (9, 40) };
    text(rounds);
    map(rounds, games);
    shapes(if once { 20 } else { 1000 });
}

/// Ten times the parts of every shape: to be parsed, checked and compiled.
fn shapes(parts: usize) {
    println!("{TIMES} times {parts} parts");
    for shape in &SHAPES {
        let times = [parts, TIMES * parts].map(|parts| {
            let project = shape.project(parts);
            best(1, || {
                let book = parse(&project).ok().and_then(|parsed| check(&parsed, &Settings::default()).book);
                drop(black_box(book.map(lower)));
            })
        });
        let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
        println!("  {:32} {:>10.2?} {:>10.2?}   {ratio:5.1} times", shape.name, times[0], times[1]);
    }
}

/// The game without its tests.
fn plain() -> Project {
    let mut project = project("richard-iii", &[]);
    project.game.pages.retain(|page| !page.name.contains("/tests/"));
    project
}

fn variant(name: &str, pages: Vec<Page>) -> Folder {
    let manifest = format!("Variant(name: \"{name}\", version: \"1.0.0\", game: \"Richard III\")");
    Folder {
        manifest: Some(Page { name: format!("{name}/blazon.ron"), text: manifest }),
        pages,
        ..Folder::default()
    }
}

/// Words and signs: blanks and comments are no work.
fn size(project: &Project) -> usize {
    let folders = project.variants.iter().chain([&project.game]).flat_map(|folder| &folder.pages);
    let lines = project.library.iter().chain(folders).flat_map(|page| page.text.lines());
    lines.map(|line| tokens(line.split("--").next().unwrap_or_default())).sum()
}

fn tokens(line: &str) -> usize {
    let mut count = 0;
    let mut in_word = false;
    for c in line.chars() {
        let word = c.is_alphanumeric();
        count += usize::from(!(c.is_whitespace() || word && in_word));
        in_word = word;
    }
    count
}

/// A page of new rules, steps, cards and areas; `i` names them.
fn page(i: usize) -> Page {
    let mut text = format!("-- Page {i}.\n\n");
    let phases =
        ["supply phase", "battle phase", "card phase", "political turn", "levies disband", "usurpation"];
    let after = phases[i % phases.len()];
    let beside = ["Wilts", "Oxford", "Powys", "Derby"][i % 4];
    let _ = write!(
        text,
        "in table area {{\n  V{i}: seas North Sea; crown; drawn at {i}, 7\n}}\n\
         in links border (colour: Blue) {{\n  V{i} - {beside}\n}}\n\
         in table card {{\n  C{i}: copies 1; points 2\n}}\n\
         state burden{i}(block) : 0..9, fresh each game turn\n\n"
    );
    for j in 0..8 {
        let before = if j == 0 { "b.strength".to_owned() } else { format!("b.weight{i}x{}", j - 1) };
        let _ = write!(
            text,
            "rule weight{i}x{j}(b: block): number = {before}\n\
             \x20 + shield: 1 if b.side = throne and any a in b.at where b in a.shields\n\
             \x20 - levy:   1 if b.class = Levy and not any s in b.side.enemies where s = throne\n\
             rule host{i}x{j}(s: side, a: area): set of block =\n\
             \x20   all b in s.force(a) where b.weight{i}x{j} > {j} and not b.moved\n\
             \x20 known to all\n"
        );
    }
    let _ = write!(
        text,
        "\nstep errand{i}(s: side) {{\n\
         \x20 for a in areas where any s.host{i}x7(a) {{\n\
         \x20   choose by s \"Who carries load {i} at {{a}}?\" {{\n\
         \x20     option carry{i}(b in s.host{i}x6(a), to in b.at.neighbours) \"{{b}} carries it to {{to}}\"\n\
         \x20       needs b.may leave\n\
         \x20       needs light: b.burden{i} < 3 else \"{{b}} carries enough\"\n\
         \x20     {{ b.burden{i} += 1; say \"{{b}} is off to {{to}}\" }}\n\
         \x20     option leave{i} \"Leave it\" {{ }}\n\
         \x20   }}\n\
         \x20 }}\n\
         }}\n\
         after {after} {{ errand{i}(throne) }}\n"
    );
    Page { name: format!("Longer/{i:04}.blazon"), text }
}

/// The best of some rounds: what disturbs only ever adds.
fn best(rounds: usize, mut work: impl FnMut()) -> Duration {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Ten times the rules text.
fn text(rounds: usize) {
    let short = plain();
    let mut pages = Vec::new();
    let mut long = short.clone();
    while size(&long) < TIMES * size(&short) {
        pages.push(page(pages.len()));
        long.variants = vec![variant("Longer", pages.clone())];
    }
    let settings = Settings::default();
    let times = [&short, &long].map(|project| {
        let trees = parsed(project);
        let book = check(&trees, &settings).book.unwrap_or_else(|| program(&trees, &settings).book.clone());
        [
            best(rounds, || drop(black_box(parse(project)))),
            best(rounds, || drop(black_box(check(&trees, &settings)))),
            best(rounds, || drop(black_box(lower(book.clone())))),
        ]
    });
    let factor = size(&long) as f64 / size(&short) as f64;
    println!("{factor:.1} times the rules text ({} more pages)", pages.len());
    let told = |name: &str, short: Duration, long: Duration| {
        let ratio = long.as_secs_f64() / short.as_secs_f64();
        println!("  {name:10} {short:>10.2?} {long:>10.2?}   {ratio:5.1} times");
    };
    for (place, name) in ["parse", "check", "lower"].into_iter().enumerate() {
        told(name, times[0][place], times[1][place]);
    }
    told("together", times[0].iter().sum(), times[1].iter().sum());
}

/// A map of ten times the areas: nine new ones behind each of the old ones.
fn map(rounds: usize, games: u64) {
    let small = plain();
    let trees = parsed(&small);
    let usual = program(&trees, &Settings::default());
    let area = usual.book.kinds.iter().find(|kind| kind.name == "area").expect("areas");
    let old: Vec<&str> = area.things.iter().map(|thing| thing.name.as_str()).collect();
    let (mut areas, mut links) = (String::new(), String::new());
    for (place, name) in old.iter().enumerate() {
        for step in 0..TIMES - 1 {
            let _ = writeln!(areas, "  M{place}x{step}: drawn at {place}, {step}");
            let before = if step == 0 { (*name).to_owned() } else { format!("M{place}x{}", step - 1) };
            let _ = writeln!(links, "  {before} - M{place}x{step}");
        }
        // The chains touch each other: nobody walks into a dead end.
        let next = (place + 1) % old.len();
        let _ = writeln!(links, "  M{place}x8 - M{next}x7");
    }
    let text = format!("in table area {{\n{areas}}}\nin links border (colour: Yellow) {{\n{links}}}\n");
    let mut large = small.clone();
    large.variants = vec![variant("Wider", vec![Page { name: "Wider/map.blazon".to_owned(), text }])];
    let wide = program(&parsed(&large), &Settings::default());
    let speeds = [&usual, &wide].map(|program| speed(program, rounds, games));
    println!("a map of {TIMES} times the areas ({} of them)", old.len() * TIMES);
    println!(
        "  {:.0} and {:.0} random decisions a second, {:.2} of the speed",
        speeds[0].0,
        speeds[1].0,
        speeds[1].0 / speeds[0].0
    );
    println!("  {:.1} and {:.1} options a decision", speeds[0].1, speeds[1].1);
}

/// Random decisions a second, and options a decision.
fn speed(program: &Arc<Program>, rounds: usize, games: u64) -> (f64, f64) {
    let mut machine = Machine::new(program.clone()).expect("a machine");
    machine.record(false);
    let (mut decisions, mut options) = (0u64, 0usize);
    let time = best(rounds.min(5), || {
        (decisions, options) = (0, 0);
        for seed in 0..games {
            machine.start(program.book.default_setup, seed).expect("a game");
            let mut bot = Random::new(seed, Pick::Evenly);
            while let Some(&player) = machine.deciders().first() {
                options += machine.options(player).len();
                let index = bot.decide(&mut machine, player);
                machine.choose(player, index).expect("a legal choice");
                decisions += 1;
            }
        }
    });
    (decisions as f64 / time.as_secs_f64(), options as f64 / decisions.max(1) as f64)
}
