//! Hidden means hidden: two positions that differ only in what a side may not know look the same to it, byte for byte:
//! its view, what it is asked, what it may do, what it may not do and why, and what it is told.
//!
//! Beside a pair written by hand stand pairs at random: of 40 positions of each game, and 10 of each variant;
//! `BLAZON_TWINS=300` takes so many, and a quarter of them of each variant.

use std::collections::BTreeMap;
use std::sync::Arc;

use blazon_book::TestLineKind;
use blazon_check::Settings;
use blazon_check::project::Page;
use blazon_kernel::Position;
use blazon_kernel::chance::Stream;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_machine::{Difference, Event, Machine};
use blazon_program::Program;
use blazon_tests::{parsed, program, project, rules_only};

/// Pairs of positions. York may not tell the members of a pair apart.
const TWINS: &str = r#"
test "one: Clifford at full strength stands in Chester, Muster is in hand" {
  from Wars of the Roses
  position (block: side, at, status, strength) {
    Lancaster { Clifford 3, Devon 1: Chester; Henry VI: Middlesex; Exeter: Cornwall; Prince Edward, Richmond: Minor }
    York { March, Norfolk: Derby; York, Rutland: Ireland; Clarence, Gloucester: Minor; Warwick, Rebel: Pool }
    Lancaster { Beaumont, Oxford: Pool }
    others: Pool
  }
  position (card: hand) { AP2, Muster: Lancaster; AP3, AP4: York }
  play game turn
}
test "two: Beaumont, hurt, stands in Chester, Plague is in hand" {
  from Wars of the Roses
  position (block: side, at, status, strength) {
    Lancaster { Beaumont 2, Oxford 3: Chester; Exeter: Middlesex; Henry VI 2: Cornwall; Prince Edward, Richmond: Minor }
    York { March, Norfolk: Derby; York, Rutland: Ireland; Clarence, Gloucester: Minor; Warwick, Rebel: Pool }
    Lancaster { Clifford, Devon: Pool }
    others: Pool
  }
  position (card: hand) { AP2, Plague: Lancaster; AP3, AP4: York }
  play game turn
}
"#;

/// Everything that a player can learn at a decision.
fn knows(machine: &mut Machine, viewer: u32) -> String {
    let mut known = format!("{:?}\n", machine.view(Some(viewer)).expect("a view"));
    known.push_str(&machine.prompt(Some(viewer)));
    if machine.deciders().contains(&viewer) {
        for index in 0..machine.options(viewer).len() {
            known.push_str(&machine.label(viewer, index, Some(viewer)));
            known.push('\n');
        }
        for refusal in machine.refused(viewer) {
            known.push_str(&format!("{}: {}\n", refusal.label, refusal.reason));
        }
    }
    for event in machine.take_events() {
        known.push_str(&machine.tell_event(&event, Some(viewer)).unwrap_or_default());
        known.push('\n');
    }
    known
}

fn take(machine: &mut Machine, player: u32, label: &str) {
    let index = (0..machine.options(player).len()).find(|&i| machine.label(player, i, None) == label);
    let index = index.unwrap_or_else(|| panic!("nobody can take `{label}`"));
    machine.choose(player, index).expect("a legal choice");
}

#[test]
fn york_cannot_tell_whether_clifford_or_beaumont_stands_in_chester() {
    let mut project = project("richard-iii", &[]);
    project.game.pages.retain(|page| !page.name.contains("/tests/"));
    project.game.pages.push(Page { name: "twins.blazon".to_owned(), text: TWINS.to_owned() });
    let program = program(&parsed(&project), &Settings::default());
    let side = |name: &str| {
        let things = &program.book.kind(program.book.player).things;
        things.iter().position(|thing| thing.name == name).expect("a side") as u32
    };
    let (lancaster, york) = (side("Lancaster"), side("York"));

    let mut seen: Vec<Vec<String>> = Vec::new();
    for test in &program.book.tests {
        let mut machine = Machine::new(program.clone()).expect("a machine");
        let mut at_each_decision = Vec::new();
        for line in &test.lines {
            match &line.kind {
                TestLineKind::From(setup) => machine.place(*setup, 1).expect("a setup"),
                TestLineKind::Set(step) => machine.set(*step).expect("a position"),
                TestLineKind::Play(step) => machine.play(*step).expect("a decision"),
                _ => unreachable!("a line of another sort"),
            }
        }
        at_each_decision.push(knows(&mut machine, york));
        take(&mut machine, lancaster, "Play AP2");
        // A card that lies face down is no business of the other side's.
        at_each_decision.push(knows(&mut machine, york));
        take(&mut machine, york, "Play AP3");
        at_each_decision.push(knows(&mut machine, york));
        take(&mut machine, york, "March marches to Warwick");
        at_each_decision.push(knows(&mut machine, york));
        // What Lancaster knows does differ: the test would be void if nothing did.
        at_each_decision.push(String::new());
        seen.push(at_each_decision);
        let own = format!("{:?}", machine.view(Some(lancaster)).expect("a view"));
        assert!(own.len() > 100);
        seen.push(vec![own]);
    }
    let [one, one_own, two, two_own] = &seen[..] else { panic!("two tests") };
    for (decision, (one, two)) in one.iter().zip(two).enumerate() {
        if one != two {
            let line = one.lines().zip(two.lines()).find(|(a, b)| a != b);
            panic!("York can tell at decision {decision}: {line:?}");
        }
    }
    assert_ne!(one_own, two_own, "Lancaster must see its own blocks");
}

/// How many positions of each book are looked at.
fn positions() -> usize {
    std::env::var("BLAZON_TWINS").ok().and_then(|value| value.parse().ok()).unwrap_or(40)
}

/// How many differences are tried at each position for each seat.
const TRIED: usize = 4;

/// What a seat could tell by, counted by what was asked: each with the first pair that shows it.
type Told = BTreeMap<String, (usize, String)>;

/// Plays random games, and compares so many positions on the way with such as differ in what one seat may not see.
fn compare(program: &Arc<Program>, positions: usize) -> (usize, Told) {
    let (mut pairs, mut told) = (0, Told::new());
    let mut stream = Stream::new(7);
    let (mut looked, mut seed) = (0, 0);
    while looked < positions {
        let mut machine = Machine::new(program.clone()).expect("a machine");
        machine.record(true);
        machine.start(program.book.default_setup, seed).expect("a game");
        let mut bot = Random::new(seed, Pick::ByName);
        seed += 1;
        for _ in 0..400 {
            let Some(&player) = machine.deciders().first() else { break };
            if stream.below(10) == 0 && looked < positions {
                looked += 1;
                for &viewer in &program.book.players {
                    pairs += look(&machine, viewer, &mut stream, &mut told);
                }
            }
            let index = bot.decide(&mut machine, player);
            machine.choose(player, index).expect("a choice");
        }
    }
    (pairs, told)
}

/// Looks at a position and some that differ from it for a seat; answers how many pairs there were.
fn look(machine: &Machine, viewer: u32, stream: &mut Stream, told: &mut Told) -> usize {
    let root = machine.snapshot();
    let mut straight = machine.clone();
    let mut differences = straight.differences(viewer).expect("who sees what");
    let mut pairs = 0;
    for _ in 0..TRIED.min(differences.len()) {
        let difference = differences.swap_remove(stream.below(differences.len()));
        let mut other = machine.clone();
        if let Difference::Change(_, one, two) = difference
            && [one, two].iter().any(|&thing| is_held(machine, thing))
        {
            continue;
        }
        if !other.differ(viewer, &difference).expect("who sees what") {
            continue;
        }
        let position: Position = other.snapshot();
        let asked = machine.choice().map(|choice| {
            let step = program_step(machine, choice.step);
            let line = machine.program().book.sources.place(choice.span);
            format!("{step} ({line})")
        });
        let note = |told: &mut Told, what: &str, line: String| {
            let key = format!("{}: {what}", asked.clone().unwrap_or_default());
            let pair = format!("if {}: {line}", machine.tell_difference(&difference));
            told.entry(key).or_insert((0, pair)).0 += 1;
        };
        if let Err(fault) = other.restore(&position) {
            note(told, "who is asked", fault.to_string());
            continue;
        }
        pairs += 1;
        straight.restore(&root).expect("the position");
        let (one, two) = (knows(&mut straight, viewer), knows(&mut other, viewer));
        if one != two {
            let mut lines = one.lines().zip(two.lines());
            let line = lines.find(|(a, b)| a != b).map(|(a, b)| format!("`{a}` and `{b}`"));
            note(told, "reads otherwise", line.unwrap_or_else(|| "more or fewer lines".to_owned()));
            continue;
        }
        if let Some(line) = taken(&mut straight, &mut other, viewer, &difference, stream) {
            note(told, "is told otherwise", line);
        }
    }
    pairs
}

/// Whether a step under way may hold a thing in a variable: then it would mean another thing than it did.
fn is_held(machine: &Machine, thing: u32) -> bool {
    machine.position()[machine.program().state_words..].contains(&u64::from(thing))
}

fn program_step(machine: &Machine, step: blazon_book::StepId) -> String {
    machine.program().book.step(step).name.clone()
}

/// Takes the same option in both positions, and compares how the seat is told of it.
fn taken(
    one: &mut Machine,
    two: &mut Machine,
    viewer: u32,
    by: &Difference,
    stream: &mut Stream,
) -> Option<String> {
    let decider = *one.deciders().first()?;
    let open = one.options(decider).get(stream.below(one.options(decider).len()))?;
    let kinds: Vec<_> =
        one.choice()?.options[usize::from(open.option)].params.iter().map(|p| p.kind).collect();
    let (option, args) = (open.option, open.args.to_vec());
    let turned = kinds.iter().zip(&args).map(|(kind, &arg)| match *by {
        Difference::Change(of, a, b) if *kind == Some(of) && arg == i64::from(a) => i64::from(b),
        Difference::Change(of, a, b) if *kind == Some(of) && arg == i64::from(b) => i64::from(a),
        _ => arg,
    });
    let turned: Vec<i64> = turned.collect();
    two.find(decider, option, &turned)?;
    let tell = |machine: &mut Machine, args: &[i64]| {
        machine.record(true);
        machine.take_events();
        machine.choose_by(decider, option, args).ok()?;
        let events = machine.take_events();
        let event = events.into_iter().find(|event| matches!(event, Event::Chosen { .. }))?;
        let line = machine.tell_event(&event, Some(viewer))?;
        Some(format!("{line} {:?}", machine.event_args(&event, Some(viewer))))
    };
    let (one, two) = (tell(one, &args)?, tell(two, &turned)?);
    (one != two).then(|| format!("`{one}` and `{two}`"))
}

/// Where a seat can tell nevertheless, by what the rules ask and not by how it is told: game, step, what it can tell by.
/// Here somebody is asked only where more than one option is open to him, and that hangs on faces of his.
const IMPLICIT: &[(&str, &str, &str)] =
    &[("richard-iii", "go home", "who is asked"), ("salt-road", "evening", "who is asked")];

fn nobody_can_tell(game: &str, stacks: &[&[&str]]) {
    let mut wrong = Vec::new();
    for stack in stacks {
        let program = program(&parsed(&rules_only(game, stack)), &Settings::default());
        let positions = if stack.is_empty() { positions() } else { positions() / 4 };
        let (pairs, told) = compare(&program, positions);
        assert!(pairs > positions / 4, "{game} {stack:?}: only {pairs} pairs");
        for (asked, (times, line)) in told {
            let is_known = |(of, step, by): &(&str, &str, &str)| {
                *of == game && asked.starts_with(step) && asked.ends_with(by)
            };
            if !IMPLICIT.iter().any(is_known) {
                wrong.push(format!("{game} {stack:?}, {times} times of {pairs}: {asked}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nobody_can_tell_in_richard_iii() {
    nobody_can_tell("richard-iii", &[&[]]);
}

#[test]
fn nobody_can_tell_in_its_variants() {
    let variants = project_variants("richard-iii");
    let stacks: Vec<&[&str]> = variants.iter().map(std::slice::from_ref).collect();
    nobody_can_tell("richard-iii", &stacks);
}

#[test]
fn nobody_can_tell_in_lionheart() {
    let variants = project_variants("lionheart");
    let stacks: Vec<&[&str]> = variants.iter().map(std::slice::from_ref).chain([&[] as &[&str]]).collect();
    nobody_can_tell("lionheart", &stacks);
}

#[test]
fn nobody_can_tell_in_salt_road() {
    nobody_can_tell("salt-road", &[&[]]);
}

/// The names of the variants of a game.
fn project_variants(game: &str) -> Vec<&'static str> {
    let folder = blazon_tests::top().join("rules").join(game).join("variants");
    let mut names: Vec<String> = folder
        .read_dir()
        .expect("variants")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .collect();
    names.sort();
    names.into_iter().map(|name| &*name.leak()).collect()
}
