//! Hidden means hidden: two positions that differ only in what a side may not know look the same to it, byte for byte:
//! its view, what it is asked, what it may do, what it may not do and why, and what it is told.
//!
//! Beside a pair written by hand stand pairs at random: of 40 positions of each game, and 10 of each variant;
//! `BLAZON_TWINS=300` takes so many of each. They differ in which pieces lie where, in what is on faces, in what others
//! have answered in secret, and in the dice and draws to come.

use blazon_check::Settings;
use blazon_check::project::Page;
use blazon_kernel::chance::Stream;
use blazon_machine::{Difference, Event, Machine};
use blazon_tests::pairs::{Extent, Pair, knows, lead, look, number};
use blazon_tests::{games, parsed, program, project, rules_only};

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
        lead(&mut machine, test);
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

/// How many positions of a book are looked at; of a variant a quarter, unless it is said.
fn extent(of_variant: bool) -> Extent {
    let usual = if of_variant { 10 } else { 40 };
    Extent { positions: number("BLAZON_TWINS", usual), tried: 3 }
}

/// By what a seat can tell two positions apart.
fn compare(pair: Pair<'_>, stream: &mut Stream) -> Option<(&'static str, String)> {
    let Pair { one, other, viewer, difference } = pair;
    let (first, second) = (knows(one, viewer), knows(other, viewer));
    if first != second {
        let line =
            first.lines().zip(second.lines()).find(|(a, b)| a != b).map(|(a, b)| format!("`{a}` and `{b}`"));
        return Some(("reads otherwise", line.unwrap_or_else(|| "more or fewer lines".to_owned())));
    }
    taken(one, other, viewer, difference, stream).map(|line| ("is told otherwise", line))
}

/// Takes the same option in both positions, and compares how the seat is told of it.
fn taken(
    one: &mut Machine,
    two: &mut Machine,
    viewer: u32,
    by: &Difference,
    stream: &mut Stream,
) -> Option<String> {
    let decider = *one.deciders().get(stream.below(one.deciders().len()))?;
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
        // What others have answered is told when all have.
        let is_own = |event: &Event| matches!(event, Event::Chosen { player, .. } if *player == decider);
        let event = events.into_iter().find(is_own)?;
        let line = machine.tell_event(&event, Some(viewer))?;
        Some(format!("{line} {:?}", machine.event_args(&event, Some(viewer))))
    };
    let (one, two) = (tell(one, &args)?, tell(two, &turned)?);
    (one != two).then(|| format!("`{one}` and `{two}`"))
}

/// Where a seat can tell nevertheless, by what the rules ask and not by how it is told: game, step, what it can tell by.
/// Here several are asked at once, and another would not be who has but one option, which hangs on faces of his.
const IMPLICIT: &[(&str, &str, &str)] =
    &[("richard-iii", "card phase", "who is asked"), ("lionheart", "influence", "who is asked")];

fn nobody_can_tell(game: &str, stacks: &[&[&str]]) {
    let mut wrong = Vec::new();
    for stack in stacks {
        let program = program(&parsed(&rules_only(game, stack)), &Settings::default());
        let looked = look(&program, extent(!stack.is_empty()), &mut compare);
        let pairs = looked.count();
        println!("{game} {stack:?}: {}", looked.figures());
        assert!(pairs > looked.positions / 4, "{game} {stack:?}: only {pairs} pairs");
        for (asked, (times, line)) in looked.told {
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

fn nobody_can_tell_in_variants(game: &str) {
    for variant in games::variants(game) {
        nobody_can_tell(game, &[&[variant.as_str()]]);
    }
}

#[test]
fn nobody_can_tell_in_richard_iii() {
    nobody_can_tell("richard-iii", &[&[]]);
}

#[test]
fn nobody_can_tell_in_its_variants() {
    nobody_can_tell_in_variants("richard-iii");
}

#[test]
fn nobody_can_tell_in_lionheart() {
    nobody_can_tell("lionheart", &[&[]]);
    nobody_can_tell_in_variants("lionheart");
}

#[test]
fn nobody_can_tell_in_salt_road() {
    nobody_can_tell("salt-road", &[&[]]);
}

/// What a rule answers that is `known to all` is read in a text by everybody, and worked out where the text is compiled.
#[test]
fn what_is_known_to_all_is_read_by_all() {
    let head = "kind side = Blue, Red\nkind unit = A, B {\n  state owner: side\n  state strength: 0..9\n  seen by v: v = \
                unit.owner\n  back: owner\n}\nstate told: flag\nsetup Start (unit: owner, strength) { A 1: Blue; B 2: Red }\n\
                rule army(s: side): set of unit = all u in units where u.owner = s\n";
    let read = |rule: &str, when: &str| {
        let page = format!(
            "{head}rule might(s: side): number = {rule}\n  known to all{when}\nstep game {{\n  told := yes\n  \
             say \"{{Red.might}}\"\n  choose by Blue \"Red has {{Red.might}}\" {{ option go \"Go\" {{ }}; option stay \
             \"Stay {{Red.might}}\" {{ }} }}\n}}\n"
        );
        let manifest = r#"Game(name: "Might", player: "side", begins: "game")"#;
        let mut rules =
            blazon::Rules::from_texts([("blazon.ron", manifest), ("might.blazon", page.as_str())]);
        let program =
            rules.program(&blazon::Selection::default()).unwrap_or_else(|error| panic!("{rule}: {error}"));
        let mut game = blazon::Game::new(program).expect("it has a start");
        game.begin(1).expect("it begins");
        let blue = game.decider().expect("it goes on");
        let said = game.tell(&game.events()[0], Some(blue)).expect("it is said");
        (said, game.prompt(blue), game.label(blue, 1.into()))
    };
    for (rule, number) in [
        ("count u in units where u.owner = s and u.strength > 1", 1),
        ("total u in units where u.owner = s by u.strength", 2),
        ("total u in units where u.owner = s and u.strength > 1 by u.strength", 2),
        ("min(3, total u in s.army by u.strength)", 2),
        ("(max u in units where u.owner = s by u.strength) otherwise 0", 2),
        ("count (most u in units where u.owner = s by u.strength)", 1),
    ] {
        for when in ["", " if told"] {
            let known = (number.to_string(), format!("Red has {number}"), format!("Stay {number}"));
            assert_eq!(read(rule, when), known, "{rule}{when}");
        }
    }
}

/// Others read the line of what was chosen, and no argument that it does not say.
#[test]
fn what_a_line_does_not_say_is_told_to_nobody_else() {
    let page = "kind side = Blue, Red\nkind hex (hexes) = P, Q, R\nkind unit = A, B {\n  state owner: side\n  state goal: hex?\n  \
                seen by v: v = unit.owner\n  back: name, owner\n}\nsetup Start (unit: owner) { A: Blue; B: Red }\nstep game {\n  \
                choose by Blue \"Plot\" {\n    option plot(u in units where u.owner = Blue, h in hexes) \"{u} has its orders\" \
                { u.goal := h }\n    option wait \"Wait\" { }\n  }\n  choose by Red \"And you?\" { option attack \"Attack\" { }; \
                option rest \"Rest\" { } }\n}\n";
    let manifest = r#"Game(name: "Plot", player: "side", begins: "game")"#;
    let mut rules = blazon::Rules::from_texts([("blazon.ron", manifest), ("plot.blazon", page)]);
    let program = rules.program(&blazon::Selection::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut game = blazon::Game::new(program).expect("it has a start");
    game.begin(1).expect("it begins");
    let blue = game.decider().expect("it goes on");
    game.choose(blue, 1.into()).expect("an open option");
    let told = game.events().last().expect("that was chosen");
    let told = serde_json::to_value(blazon::told::Event::of(&game, told)).expect("JSON");
    assert_eq!(told["args"], serde_json::json!({"u": "A", "h": "Q"}));
    assert_eq!(told["args_for"], serde_json::json!({"Red": {"u": "A"}}), "{told}");
}
