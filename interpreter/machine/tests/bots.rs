//! Bots at a program written by hand.

mod common;

use blazon_kernel::chance::Stream;
use blazon_machine::bots::{Bot, Effort, Pick, Random, Search, play_out};
use common::*;

#[test]
fn bots_play_and_leave_no_trace() {
    let sample = sample();
    let mut wins = 0;
    for seed in 0..6 {
        let mut machine = small(&sample.program);
        machine.start(0, seed).unwrap();
        let mut clever = Search::new(seed, Effort { positions: 600, horizon: 12 });
        let mut random = Random::new(seed, Pick::ByName);
        let before = machine.snapshot();
        let (one, two) = (
            clever.decide(&mut machine, 0),
            Search::new(seed, Effort { positions: 600, horizon: 12 }).decide(&mut machine, 0),
        );
        assert_eq!(one, two, "the same seed thinks the same");
        assert_eq!(machine.snapshot(), before);
        let (outcome, taken) = play_out(&mut machine, &mut [&mut clever, &mut random], 500).unwrap();
        assert!(taken < 500);
        wins += usize::from(outcome.unwrap().winner == Some(0));
    }
    assert!(wins >= 5, "{wins} of 6");
}

#[test]
fn random_by_name_is_fair_to_names() {
    let sample = sample();
    let mut machine = small(&sample.program);
    machine.start(0, 1).unwrap();
    let mut count = |pick| {
        let mut bot = Random::new(1, pick);
        (0..2000).filter(|_| bot.decide(&mut machine, 0) == 70).count()
    };
    assert!((900..1100).contains(&count(Pick::ByName)));
    assert!(count(Pick::Evenly) < 80);
}

#[test]
fn advice_is_what_is_decided() {
    let sample = sample();
    let mut machine = small(&sample.program);
    for seed in 0..10 {
        machine.start(0, seed).unwrap();
        let player = machine.deciders()[0];
        let mut bot = Search::new(seed, Effort { positions: 2000, horizon: 4 });
        let before = machine.snapshot();
        let advice = bot.advise(&mut machine, player).unwrap();
        assert_eq!(machine.snapshot(), before);
        assert_eq!(bot.advise(&mut machine, player).as_ref(), Some(&advice), "to ask again changes nothing");
        assert_eq!(bot.decide(&mut machine, player), advice.options[0].place);
        assert!(advice.options.is_sorted_by(|a, b| a.tries >= b.tries), "{advice:?}");
        assert!(advice.options.iter().all(|option| (0.0..=1.0).contains(&option.value)), "{advice:?}");
        assert!((2000..4000).contains(&advice.positions), "{} positions", advice.positions);
        assert_eq!(bot.advise(&mut machine, 1 - player), None, "who is not asked has nothing to decide");
    }
}

#[test]
fn what_is_learned_at_one_seat_is_not_for_another() {
    let sample = sample();
    let mut machine = small(&sample.program);
    let effort = Effort { positions: 600, horizon: 12 };
    let mut asked = 0;
    for seed in 0..10 {
        machine.start(0, seed).unwrap();
        let (mut bot, mut other) = (Search::new(seed, effort), Random::new(seed, Pick::ByName));
        let mut decided = 0;
        while let Some(&player) = machine.deciders().first() {
            let place = if player == 0 {
                decided += 1;
                bot.decide(&mut machine, 0)
            } else {
                if decided > 0 && machine.options(1).len() > 1 {
                    let fresh = Search::new(seed, effort).advise(&mut machine, 1);
                    assert_eq!(bot.advise(&mut machine, 1), fresh);
                    asked += 1;
                }
                other.decide(&mut machine, 1)
            };
            machine.choose(player, place).unwrap();
        }
    }
    assert!(asked > 10, "{asked} times");
}

/// How far counts lie from all being alike, in standard deviations of a chi-square.
fn unevenness(counts: &[usize]) -> f64 {
    let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    let chi: f64 = counts.iter().map(|&count| (count as f64 - mean) * (count as f64 - mean) / mean).sum();
    let freedom = (counts.len() - 1) as f64;
    (chi - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn over_seeds_every_option_is_as_likely() {
    let sample = sample();
    let mut machine = small(&sample.program);
    machine.start(0, 1).unwrap();
    let open = machine.options(0).len();
    let mut stream = Stream::new(1);
    let mut counts = vec![0; open];
    let mut names = [0; 2];
    let mut later = vec![0; open];
    for _ in 0..100 * open {
        let seed = stream.word();
        let mut bot = Random::new(seed, Pick::Evenly);
        counts[bot.decide(&mut machine, 0)] += 1;
        // The same question a second time is another decision.
        later[bot.decide(&mut machine, 0)] += 1;
        names[usize::from(Random::new(seed, Pick::ByName).decide(&mut machine, 0) == 70)] += 1;
    }
    assert!(open > 70);
    for counts in [&counts[..], &later[..], &names[..]] {
        assert!(unevenness(counts) < 4.0, "{counts:?}");
    }
}
