//! Positions out and in: the same game, and nothing that a file can say does harm.

mod common;

use std::sync::Arc;

use blazon_book::{DigestLayer, ItemDigest, PageDigest};
use blazon_diagnostics::Span;
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_machine::save::{self, Entry, Replayed, Save};
use blazon_machine::{Machine, code};
use blazon_program::Program;
use common::*;
use proptest::prelude::*;

/// Plays so many random decisions.
fn play(machine: &mut Machine, stream: &mut Stream, most: usize) {
    for _ in 0..most {
        let Some(&player) = machine.deciders().first() else { break };
        let index = stream.below(machine.options(player).len());
        machine.choose(player, index).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn restored_games_go_on_the_same(seed in any::<u64>(), before in 0usize..30, after in 0usize..30) {
        let sample = sample();
        let mut straight = small(&sample.program);
        let mut stream = Stream::new(seed);
        straight.start(0, seed).unwrap();
        play(&mut straight, &mut stream, before);
        let middle = Position::from_text(&straight.snapshot().to_text()).unwrap();
        let mut other = small(&sample.program);
        other.restore(&middle).unwrap();
        prop_assert_eq!(other.snapshot(), straight.snapshot());
        prop_assert_eq!(other.deciders(), straight.deciders());
        let mut copy = straight.clone();
        let mut again = stream.clone();
        let mut third = stream.clone();
        play(&mut straight, &mut stream, after);
        play(&mut other, &mut again, after);
        play(&mut copy, &mut third, after);
        prop_assert_eq!(other.snapshot(), straight.snapshot());
        prop_assert_eq!(copy.snapshot(), straight.snapshot());
        prop_assert_eq!(other.outcome(), straight.outcome());
    }

    #[test]
    fn changed_words_never_panic(seed in any::<u64>(), changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![any::<u64>(), 0u64..200]), 1..8), cut in 0usize..6) {
        let sample = sample();
        let mut machine = small(&sample.program);
        let mut stream = Stream::new(seed);
        machine.start(0, seed).unwrap();
        play(&mut machine, &mut stream, (seed % 20) as usize);
        let kept = machine.snapshot();
        let mut words = kept.words().to_vec();
        for (place, word) in changes {
            let at = place.index(words.len());
            words[at] = word;
        }
        words.truncate(words.len() - cut.saturating_sub(3));
        match machine.restore(&Position::new(words)) {
            Err(_) => prop_assert_eq!(machine.snapshot(), kept),
            Ok(()) => {
                for _ in 0..20 {
                    let Some(&player) = machine.deciders().first() else { break };
                    let _ = (machine.prompt(None), machine.label(player, 0, Some(1)), machine.view(Some(1)));
                    let _ = machine.refused(player);
                    let index = stream.below(machine.options(player).len());
                    if machine.choose(player, index).is_err() { break }
                }
            }
        }
    }

    #[test]
    fn any_words_are_refused_or_played(words in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..100], 0..60)) {
        let sample = sample();
        let mut machine = small(&sample.program);
        if machine.restore(&Position::new(words)).is_ok()
            && let Some(&player) = machine.deciders().first()
        {
            let _ = machine.choose(player, 0);
        }
    }

    #[test]
    fn saves_with_a_slip_are_refused(place in any::<prop::sample::Index>(), byte in 32u8..127) {
        let (program, text) = saved();
        let at = place.index(text.len());
        let mut bytes = text.clone().into_bytes();
        bytes[at] = byte;
        let slipped = String::from_utf8(bytes).unwrap();
        let mut machine = small(&program);
        if let Ok(read) = save::load(&mut machine, &slipped) {
            // Only blanks between the parts may differ.
            prop_assert_eq!(read.to_text().unwrap(), text);
        }
    }
}

fn saved() -> (Arc<Program>, String) {
    let sample = sample();
    let mut machine = small(&sample.program);
    machine.record(true);
    machine.start(0, 5).unwrap();
    play(&mut machine, &mut Stream::new(2), 6);
    let log = machine.take_events().iter().filter_map(|e| Entry::of(machine.program(), e)).collect();
    let text = Save::new(&machine, 0, 5, log).to_text().unwrap();
    (sample.program, text)
}

#[test]
fn nonsense_is_refused_in_words() {
    let sample = sample();
    let mut machine = small(&sample.program);
    machine.start(0, 1).unwrap();
    let kept = machine.snapshot();
    let refused = |machine: &mut Machine, change: &dyn Fn(&mut Vec<u64>)| {
        let mut words = kept.words().to_vec();
        change(&mut words);
        let fault = machine.restore(&Position::new(words)).unwrap_err();
        assert_eq!(fault.code, code::RESTORE);
        assert_eq!(machine.snapshot(), kept);
        assert_eq!(machine.deciders(), [0]);
        fault.message
    };
    assert!(refused(&mut machine, &|w| w.clear()).contains("size"));
    assert!(refused(&mut machine, &|w| w.push(0)).contains("frames"));
    assert!(refused(&mut machine, &|w| w[0] += 1).contains("decision"));
    assert!(refused(&mut machine, &|w| w[0] = u64::MAX).contains("decision"));
    assert!(refused(&mut machine, &|w| w[1] = 3).contains("frames"));
    assert!(refused(&mut machine, &|w| w[3] = 9).contains("outcome"));
    let bottom = kept.words()[1] as usize;
    assert!(refused(&mut machine, &|w| w[bottom] = 12).contains("nowhere"));
}

#[test]
fn saved_and_loaded() {
    let (program, text) = saved();
    let mut machine = small(&program);
    let save = save::load(&mut machine, &text).unwrap();
    assert_eq!(save.log.len(), 6);
    assert_eq!(save.setup_in(&program), Ok(0));
    let mut straight = small(&program);
    straight.start(0, 5).unwrap();
    play(&mut straight, &mut Stream::new(2), 6);
    assert_eq!(machine.snapshot(), straight.snapshot());
    // The log gives the same game.
    let mut again = small(&program);
    assert_eq!(save::replay(&mut again, 0, 5, &save.log), Ok(Replayed::Whole));
    assert_eq!(again.snapshot(), machine.snapshot());
    // Damage and other rules.
    let cut = Save::from_text(&text[..text.len() - 30]).unwrap_err();
    assert_eq!(cut.code, "save::damaged");
    let changed = text.replacen("Block 2", "Block 3", 1).replacen("seed: 5", "seed: 6", 1);
    assert_eq!(Save::from_text(&changed).unwrap_err().code, "save::damaged");
    let mut other = (*program).clone();
    let mut book = (*other.book).clone();
    book.variants.push(("Winter".into(), "1.0.0".into()));
    other.book = Arc::new(book);
    let foreign = save::load(&mut small(&Arc::new(other)), &text).unwrap_err();
    assert_eq!(foreign.code, "save::foreign");
    assert_eq!(foreign.message, "it was played without variants; here it would be with Winter 1.0.0");
    // Another text of the rules; nothing has changed in the machine then.
    let mut other = (*program).clone();
    let mut book = (*other.book).clone();
    let items = vec![ItemDigest { hash: 1 << 32, span: Span::default() }];
    book.digest.pages.push(PageDigest { layer: DigestLayer::Game, name: "a.blazon".into(), items });
    other.book = Arc::new(book);
    let mut machine = small(&Arc::new(other));
    machine.start(0, 1).unwrap();
    let kept = machine.snapshot();
    let foreign = save::load(&mut machine, &text).unwrap_err();
    assert_eq!(
        foreign.message,
        "the text of the rules has changed since it was saved: an item in a.blazon (line 0) is new or changed"
    );
    assert_eq!(machine.snapshot(), kept);
    assert_eq!(machine.deciders(), [0]);
}

#[test]
fn a_replay_by_other_rules_says_where_it_ends() {
    let sample = sample();
    let choice = |player: &str, option: &str, args: &[&str]| Entry {
        player: player.into(),
        option: option.into(),
        args: args.iter().map(ToString::to_string).collect(),
        forced: false,
    };
    let mut machine = small(&sample.program);
    let run = |machine: &mut Machine, log: &[Entry]| match save::replay(machine, 0, 1, log).unwrap() {
        Replayed::Whole => "whole".to_owned(),
        Replayed::Until(divergence) => divergence.to_string(),
    };
    let take = choice("Lancaster", "take", &["Block 3"]);
    assert_eq!(run(&mut machine, &[take.clone(), choice("York", "pass", &[])]), "whole");
    assert_eq!(
        run(&mut machine, &[take.clone(), choice("York", "take", &["Block 3"])]),
        "choice 2 of the log, `York: take(Block 3)`: it is refused: Block 3 is taken"
    );
    assert_eq!(
        run(&mut machine, &[take.clone(), choice("York", "take", &["Block 44"])]),
        "choice 2 of the log, `York: take(Block 44)`: it is refused: may take(b)"
    );
    assert!(run(&mut machine, &[choice("York", "pass", &[])]).ends_with("Lancaster is asked, not York"));
    assert!(run(&mut machine, &[choice("Lancaster", "march", &[])]).contains("another thing is asked"));
}
