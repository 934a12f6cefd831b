//! What a bot chooses is a function of what its seat may know: in two positions that differ only in what the seat may not
//! see every bot chooses the same, and the guesses that it makes are the same, word for word.
//!
//! Of 24 positions of each game, and 6 of each variant; `BLAZON_BOTS=300` takes so many of each.

use std::sync::Arc;

use blazon_check::Settings;
use blazon_kernel::chance::Stream;
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Effort, Flat, Pick, Random, Search, imagine};
use blazon_program::Program;
use blazon_tests::pairs::{Extent, Looked, Pair, knows, look, number};
use blazon_tests::{games, parsed, program, rules_only};

/// Every sort of bot. Those that look ahead look as far as those with their names, but try less.
fn bots(seed: u64) -> Vec<(&'static str, Box<dyn Bot>)> {
    vec![
        ("random", Box::new(Random::new(seed, Pick::ByName))),
        ("even", Box::new(Random::new(seed, Pick::Evenly))),
        ("greedy", Box::new(Flat::new(seed, Effort { positions: 60, horizon: 10 }))),
        ("search", Box::new(Search::new(seed, Effort { positions: 120, horizon: 10 }))),
    ]
}

/// What was imagined.
#[derive(Default)]
struct Guessed {
    /// How many guesses there were, and how often there was none.
    made: usize,
    none: usize,
    /// How many guesses were not the truth in what is hidden.
    otherwise: usize,
}

/// What the bots of a seat choose, and what they guess, in both positions.
fn compare(pair: Pair<'_>, stream: &mut Stream, guessed: &mut Guessed) -> Option<(&'static str, String)> {
    let Pair { one, other, viewer, .. } = pair;
    let (root, others) = (one.snapshot(), other.snapshot());
    let truth = one.view(None).expect("a view");
    for seed in [stream.word(), stream.word()] {
        one.restore(&root).expect("the position");
        other.restore(&others).expect("the position");
        let made = imagine(one, viewer, seed).expect("a guess");
        let same = made == imagine(other, viewer, seed).expect("a guess");
        if !same || made && one.position() != other.position() {
            return Some(("guesses otherwise", format!("by the seed {seed}")));
        }
        guessed.made += usize::from(made);
        guessed.none += usize::from(!made);
        guessed.otherwise += usize::from(one.view(None).expect("a view") != truth);
    }
    one.restore(&root).expect("the position");
    other.restore(&others).expect("the position");
    chosen(one, other, viewer, stream).or_else(|| later(one, other, viewer, stream))
}

/// What every sort of bot chooses in both positions.
fn chosen(
    one: &mut Machine,
    other: &mut Machine,
    viewer: u32,
    stream: &mut Stream,
) -> Option<(&'static str, String)> {
    if !one.deciders().contains(&viewer) {
        return None;
    }
    let seed = stream.word();
    for ((name, mut first), (_, mut second)) in bots(seed).into_iter().zip(bots(seed)) {
        let (a, b) = (first.decide(one, viewer), second.decide(other, viewer));
        let (a, b) = (one.label(viewer, a, Some(viewer)), other.label(viewer, b, Some(viewer)));
        if a != b {
            return Some(("chooses otherwise", format!("{name} takes `{a}`, or `{b}`")));
        }
    }
    let effort = Effort { positions: 60, horizon: 4 };
    let (a, b) =
        (Search::new(seed, effort).advise(one, viewer), Search::new(seed, effort).advise(other, viewer));
    (a != b).then(|| ("advises otherwise", format!("{a:?}, or {b:?}")))
}

/// As long as the seat reads the same the two go the same way, and the guesses stay the same.
fn later(
    one: &mut Machine,
    other: &mut Machine,
    viewer: u32,
    stream: &mut Stream,
) -> Option<(&'static str, String)> {
    for _ in 0..4 {
        let decider = *one.deciders().get(stream.below(one.deciders().len().max(1)))?;
        let open = one.options(decider).get(stream.below(one.options(decider).len()))?;
        let (option, args) = (open.option, open.args.to_vec());
        other.find(decider, option, &args)?;
        one.take_events();
        other.take_events();
        if one.choose_by(decider, option, &args).is_err() || other.choose_by(decider, option, &args).is_err()
        {
            return None;
        }
        let (root, others) = (one.snapshot(), other.snapshot());
        if knows(one, viewer) != knows(other, viewer) {
            return None;
        }
        let seed = stream.word();
        let made = imagine(one, viewer, seed).expect("a guess");
        let same = made == imagine(other, viewer, seed).expect("a guess");
        if !same || made && one.position() != other.position() {
            let step = one.choice().map(|choice| one.program().book.step(choice.step).name.clone());
            return Some(("guesses otherwise later", format!("in {}", step.unwrap_or_default())));
        }
        one.restore(&root).expect("the position");
        other.restore(&others).expect("the position");
    }
    None
}

fn seats_alone_count(game: &str, stack: &[&str], usual: usize) -> Looked {
    let program: Arc<Program> = program(&parsed(&rules_only(game, stack)), &Settings::default());
    let mut guessed = Guessed::default();
    let extent = Extent { positions: number("BLAZON_BOTS", usual), tried: 1 };
    let looked = look(&program, extent, &mut |pair, stream| compare(pair, stream, &mut guessed));
    let Guessed { made, none, otherwise } = guessed;
    println!("{game} {stack:?}: {}; {made} guesses, {none} times none", looked.figures());
    let leaks = looked.told.iter().filter(|(asked, _)| !asked.ends_with("who is asked"));
    let wrong: Vec<String> =
        leaks.map(|(asked, (times, line))| format!("{times} times at {asked}: {line}")).collect();
    let pairs = looked.count();
    assert!(wrong.is_empty(), "{game} {stack:?}, of {pairs} pairs:\n{}", wrong.join("\n"));
    // What the side of a seat may hide it need not have hidden yet: the points of envoys, before any are sent.
    let hides = looked.pairs.contains_key("names") && game != "lionheart";
    assert!(
        !hides || otherwise * 4 > made,
        "{game} {stack:?}: {otherwise} of {made} guesses are not the truth"
    );
    assert!(none * 4 < made, "{game} {stack:?}: {none} times no guess, {made} guesses");
    looked
}

fn with_variants(game: &str, positions: usize) {
    let looked = seats_alone_count(game, &[], positions);
    assert!(looked.count() > positions, "{game}: {}", looked.figures());
    for variant in games::variants(game) {
        seats_alone_count(game, &[&variant], positions / 4);
    }
}

#[test]
fn bots_know_what_their_seat_knows_in_richard_iii() {
    with_variants("richard-iii", 24);
}

#[test]
fn bots_know_what_their_seat_knows_in_lionheart() {
    with_variants("lionheart", 24);
}

#[test]
fn bots_know_what_their_seat_knows_in_salt_road() {
    seats_alone_count("salt-road", &[], 24);
}
