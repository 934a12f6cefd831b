//! What a clean check promises, held against the machine on small rules: where things come from, how they are handed on,
//! and what is done with them at the end, put together from parts ([`parts`]) or at random ([`blazon_tests::writer`]). Two positions differ
//! only in what Red may not know; what is checked without a word looks the same to him in both, and is told alike.

mod parts;

use std::sync::Arc;

use blazon_book::TestLineKind;
use blazon_kernel::chance::Stream;
use blazon_machine::{Fault, Machine};
use blazon_program::Program;
use blazon_tests::compiled;
use blazon_tests::pairs::{knows, number, try_lead};
use blazon_tests::writer::{self, Writer};
use rayon::prelude::*;

/// How two positions that Red cannot tell apart were told.
enum Held {
    /// They were not.
    Alike,
    /// What Blue is free to do hangs on what he hides, and so does what he does.
    Others,
    /// The names of hidden things were announced, or the things turned up, and are others.
    Announced,
    /// By what Red read in the one and in the other.
    Told(String, String),
    /// The rules failed: a number left its range.
    Failed(Fault),
}

/// Which thing has the name of which other in the second position.
type Swap = (&'static str, &'static str);

/// What somebody is free to do, as he reads it himself, with the names that things would have in the other position.
fn open_to(machine: &mut Machine, player: u32, swap: Option<Swap>) -> Vec<String> {
    let labels = (0..machine.options(player).len()).map(|index| machine.label(player, index, Some(player)));
    let Some((one, two)) = swap else { return labels.collect() };
    let labels: Vec<String> = labels.collect();
    let swapped = |label: &String| label.replace(one, "\0").replace(two, one).replace('\0', two);
    labels.iter().map(swapped).collect()
}

/// Which things somebody sees.
fn seen(machine: &mut Machine, viewer: u32) -> Vec<u32> {
    let view = machine.view(Some(viewer)).expect("a view");
    view.kinds.iter().flat_map(|kind| kind.seen.iter().map(|thing| thing.thing)).collect()
}

/// Plays on from where two tests lead, with the same choices, and compares what Red reads.
fn compare(program: &Arc<Program>, tests: (&str, &str), swap: Option<Swap>, seed: u64) -> Held {
    play(program, tests, swap, seed).unwrap_or_else(Held::Failed)
}

fn play(program: &Arc<Program>, tests: (&str, &str), swap: Option<Swap>, seed: u64) -> Result<Held, Fault> {
    let begin = |name: &str, plays: bool| {
        let mut test = program.book.tests.iter().find(|other| other.name == name).expect("a test").clone();
        test.lines.retain(|line| plays || !matches!(line.kind, TestLineKind::Play(_)));
        let mut machine = Machine::new(program.clone()).expect("a machine");
        machine.record(true);
        try_lead(&mut machine, &test).map(|()| machine)
    };
    let (mut one, mut two) = match (begin(tests.0, true), begin(tests.1, true)) {
        (Ok(one), Ok(two)) => (one, two),
        (Err(one), Err(_)) => return Err(one),
        (Err(fault), Ok(_)) => return Ok(Held::Told(fault.message, "it goes on".to_owned())),
        (Ok(_), Err(fault)) => return Ok(Held::Told("it goes on".to_owned(), fault.message)),
    };
    let things = &program.book.kind(program.book.player).things;
    let red = things.iter().position(|side| side.name == "Red").expect("a side") as u32;
    let begun = seen(&mut begin(tests.0, false)?, red).len();
    let mut stream = Stream::new(seed);
    for _ in 0..8 {
        let (a, b) = (knows(&mut one, red), knows(&mut two, red));
        if a != b {
            let announced = a.contains("tells ") || b.contains("tells ");
            // As many have come to be seen, and so their names are.
            let (here, there) = (seen(&mut one, red), seen(&mut two, red));
            let turned_up = here.len() == there.len() && (here != there || here.len() > begun);
            return Ok(if announced || turned_up { Held::Announced } else { Held::Told(a, b) });
        }
        let Some(&decider) = one.deciders().first() else { break };
        let (here, there) = (open_to(&mut one, decider, None), open_to(&mut two, decider, swap));
        let index = stream.below(here.len());
        let other = if decider == red {
            Some(index)
        } else {
            let alike = here.len() == there.len() && here.iter().all(|label| there.contains(label));
            there.iter().position(|label| alike && *label == here[index])
        };
        let Some(other) = other else { return Ok(Held::Others) };
        one.choose(decider, index)?;
        two.choose(decider, other)?;
    }
    Ok(Held::Alike)
}

/// What came of many rules.
#[derive(Default)]
struct Came {
    clean: usize,
    others: usize,
    announced: usize,
    failed: usize,
    leaks: usize,
    rest: usize,
    told: Vec<String>,
}

impl Came {
    /// Looks at one page more: its rules are what stands in it from some place on.
    fn look(&mut self, game: &str, rules: &str, pairs: &[(&str, &str, Option<Swap>)], seed: u64) {
        match compiled(&format!("{game}{rules}\n")) {
            Ok(program) => {
                self.clean += 1;
                for &(one, two, swap) in pairs {
                    match compare(&program, (one, two), swap, seed) {
                        Held::Alike => {}
                        Held::Others => self.others += 1,
                        Held::Announced => self.announced += 1,
                        Held::Failed(fault) => {
                            assert_eq!(fault.code, "run::range", "{fault:?}: {rules}");
                            self.failed += 1;
                        }
                        Held::Told(a, b) => {
                            let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
                            let (a, b) = line.unwrap_or(("more lines", "or fewer"));
                            self.told.push(format!("{rules}\n  {one}: `{a}`\n  {two}: `{b}`"));
                            break;
                        }
                    }
                }
            }
            Err(codes) if codes.iter().all(|code| *code == "hidden::leak") => self.leaks += 1,
            Err(codes) => {
                self.rest += 1;
                if std::env::var_os("BLAZON_WRITTEN").is_some() {
                    println!("{codes:?}: {rules}");
                }
            }
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.clean += other.clean;
        self.others += other.others;
        self.announced += other.announced;
        self.failed += other.failed;
        self.leaks += other.leaks;
        self.rest += other.rest;
        self.told.extend(other.told);
        self
    }

    /// Says what came, and fails if anything was told.
    fn conclude(mut self) {
        let Self { clean, others, announced, failed, leaks, rest, .. } = self;
        println!(
            "{clean} clean; of their pairs {others} with other options for Blue, {announced} with other names told, \
             {failed} whose numbers left their range; {leaks} rules tell, {rest} are none"
        );
        self.told.sort_by_key(String::len);
        self.told.truncate(8);
        assert!(self.told.is_empty(), "{}", self.told.join("\n\n"));
    }
}

#[test]
fn rules_put_together_from_parts_tell_nothing() {
    let mut came = Came::default();
    for source in parts::SOURCES {
        for way in parts::WAYS {
            for deed in parts::DEEDS {
                let rules = parts::page(source, way, deed);
                came.look(parts::GAME, &rules, &[("one", "two", Some(("Ace", "Low")))], 1);
            }
        }
    }
    assert_eq!(came.rest, 0, "rules that are none");
    assert!(came.clean > 300 + came.others && came.leaks > 300);
    came.conclude();
}

#[test]
fn what_decides_who_sees_tells_nothing() {
    let mut came = Came::default();
    for source in parts::SOURCES {
        for label in parts::LABELS {
            for rules in parts::labelled(source, label) {
                came.look(parts::GAME, &rules, &[("one", "two", Some(("Ace", "Low")))], 1);
            }
        }
    }
    assert_eq!(came.rest, 0, "rules that are none");
    assert!(came.clean > 20 && came.leaks > 20, "{} clean, {} tell", came.clean, came.leaks);
    came.conclude();
}

/// How many pages are written: `BLAZON_SECRETS=200000` for a long look.
#[test]
fn rules_put_together_at_random_tell_nothing() {
    let pairs = [
        ("one", "two", Some(("Ace", "Low"))),
        ("one", "three", None),
        ("four", "five", Some(("Spear", "Stone"))),
        ("six", "seven", Some(("Ace", "Ten"))),
    ];
    let from = number("BLAZON_SECRETS_FROM", 0) as u64;
    let count = number("BLAZON_SECRETS", 6000) as u64;
    let all = (from..from + count).into_par_iter().fold(Came::default, |mut came, seed| {
        came.look(writer::GAME, &Writer::page(seed), &pairs, seed);
        came
    });
    all.reduce(Came::default, Came::and).conclude();
}
