//! Hidden means hidden: two positions that differ only in what a side may not know look the same to it, byte for byte:
//! its view, what it is asked, what it may do, what it may not do and why, and what it is told.

use blazon_book::TestLineKind;
use blazon_check::Settings;
use blazon_check::project::Page;
use blazon_machine::Machine;
use blazon_tests::{parsed, program, project};

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
    let mut known = format!("{:#?}\n", machine.view(Some(viewer)).expect("a view"));
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
