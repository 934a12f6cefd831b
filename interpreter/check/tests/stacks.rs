//! A stack of variants is a set. For random pairs of them, which name comes first decides nothing: either both ways give
//! the same flat book, or something is said both ways. `BLAZON_ALL=1`, as in `.ci/run`, tries four times as many.

use std::collections::BTreeSet;
use std::path::Path;

use blazon_check::project::{Folder, Page, Project, parse};
use blazon_check::{Settings, check, print};
use blazon_fixtures::tries;
use proptest::prelude::*;
use proptest::sample::subsequence;

/// Changes of the Ford, the small game of the checker's tests: of every sort, at the same parts and at different ones.
const CHANGES: &[&str] = &[
    "before march { say \"off\" }",
    "before march { p.strength := 1 }",
    "after march { p.strength -= 1 }",
    "after march in turn { say \"done\" }",
    "after wound in turn { say \"hurt\" }",
    "before turn { say \"{s} begins\" }",
    "after turn { fog := yes }",
    "before turn { fog := no }",
    "before game { let omen = roll(d6); say \"{omen}\" }",
    "before game { let sign = roll(d6); say \"{sign}\" }",
    "in step turn { option dig \"Dig in\" { } }",
    "in step turn { option dig beside wait \"Dig out\" { } }",
    "in step turn { option rest beside march \"Rest\" { } }",
    "in step turn { in option march { needs light: not fog else \"it is dark\" } }",
    "in step turn { in option march { needs fit: p.strength > 1 else \"too weak\" } }",
    "in step turn { in option march { waive peace } }",
    "in step turn { in option march { replace needs peace: not to.held(s.rival) or fog else \"held\" } }",
    "in step turn { remove option wait }",
    "in step turn { replace option wait \"Pause\" { } }",
    "in step turn { replace whole option march(p in s.army, to in areas) \"{p} flies to {to}\" { march(p, to) } }",
    "replace step turn(s: side) { choose by s \"Move?\" { option wait \"Wait\" { }; option sleep \"Sleep\" { } } }",
    "replace step turn(who: side) { choose by who \"Move?\" { option march(p in who.army, to in areas) \"{p} to {to}\" { march(p, to) }; option wait \"Wait\" { } } }",
    "replace whole step turn(s: side) { say \"nobody moves\" }",
    "under fog { replace step wound(hit: piece) { say \"{hit} is missed\" } }",
    "under not fog { replace step wound(p: piece) { p.strength := 0; p.at := none } }",
    "replace step wound(p: piece) { p.at := none }",
    "in step march { needs alive: p.strength > 0 else \"{p} is gone\" }",
    "in rule power { + brave: 1 if p.owner = Red }",
    "in rule power { + brave: 2 if p.owner = Blue }",
    "in rule power { remove clause hill }",
    "in rule power { replace + hill: 2 if any a in p.at where a.hill }",
    "under fog { in rule power { replace + hill: 0 } }",
    "under fog { in rule power { remove clause last } }",
    "under fog { in rule power { - fog: 1 } }",
    "under fog { in rule power { replace except last: 6 } }",
    "under mud { in rule power { replace except last: 5 } }",
    "under mud { in rule power { remove clause hill } }",
    "under mud { replace rule power(p: piece): number = 4\n  except last: 7 if p.strength = 0\n  + hill: 5",
    "in rule power { except few beats last: 1 if p.strength < 2 }",
    "in rule power { replace except last: 8 if p.strength = 0 }",
    "under fog { in step turn { in option march { replace needs peace: no else \"fog\" } } }",
    "under mud { in step turn { in option march { waive peace } } }",
    "under fog { in step turn { replace option wait \"Wait for the sun\" { } } }",
    "under mud { in step turn { remove option wait } }",
    "under fog { in step march { replace needs map: no else \"fog\" } }",
    "under mud { in step march { replace needs map: no else \"mud\" } }",
    "under fog { replace whole rule power(p: piece): number = 6 }",
    "under fog { replace whole step march(p: piece, to: area) { p.at := none } }",
    "replace rule power(p: piece): number = 1",
    "replace whole rule power(mine: piece): number = mine.strength",
    "under fog { replace rule power(p: piece): number = 2 }",
    "under not fog { replace rule power(p: piece): number = 3 }",
    "under fog { replace rule toll(w: weather, die: 1..6): 0..3 = 0 }",
    "in rule toll { replace | Wet | 2 | 0 | }",
    "in table area { replace Mill: worth 2 }",
    "in table area { replace Mill: worth 3 }",
    "in table area { replace Mill: hill yes }",
    "replace fact worth(Chapel) = 4",
    "replace fact worth(Chapel) = 5",
    "in table area { | Moor | | 2 | }\nin links road (width: 1) { Moor - Chapel }",
    "in table area { replace | Mill | | 3 | }",
    "replace fact worth(Mill) = 6",
    "replace fact width(Mill - Ford) = 1",
    "in links road (width: 2) { replace Ford - Mill }",
    "in setup Dawn { Guard.strength := 2 }",
    "in setup Dawn { strength(Guard) := 1 }",
    "in setup Dawn { Guard.strength -= 1 }",
    "in setup Dawn { Levy.strength := Guard.strength }",
    "in setup Dawn { Scouts.at := Ford }",
    "in setup Dawn { remove Scouts; others: Ford }",
    "in setup Dawn { remove Scouts; others: Mill }",
    "in setup Dawn { replace Scouts: Ford }",
    "in setup Dawn { replace Scouts: Chapel }",
    "in setup Dawn { remove Levy }",
    "replace setup Dawn (piece: at) { Guard: Mill; Scouts: Mill; Levy: Beacon }",
    "remove Ford - Mill",
    "in links road (width: 2) { Ford - Chapel }",
    "replace state fog: flag = yes",
    "remove fact hill",
    "in kind piece { state tired: flag }\nafter march { p.tired := not p.tired }",
    "in kind piece { state fresh legs: flag }\nbefore march { p.fresh legs := not p.fresh legs }",
    "in kind order { in seen by v { except won: yes if order.won } }",
    "in kind order { in seen by w { except won: yes if w = Red and order.won } }",
    "in kind order { in seen by v { except masked: no if fog } }",
    "in kind order { in seen by who { except lost beats open: who = Blue if order.won } }",
    "in kind order { in seen by v { remove clause open } }",
    "in kind order { in seen by v { replace except open: yes if fog } }",
    "under fog { in kind order { in seen by v { replace except open: no if order.known } } }",
    "in kind order { replace seen by w: w = order.held or order.won }",
    "in kind order { replace whole seen by v: v = order.held }",
    "under fog { in kind order { in seen by v { except foggy: no } } }",
    "under fog { in kind order { replace seen by w: w = Blue } }",
    "under not fog { in kind order { replace seen by w: w = Red } }",
    "in kind order { in back { + known: known } }",
    "in kind order { in back { + known: won; - hold: held } }",
    "in kind order { in back { remove clause won } }",
    "in kind order { in back { replace + won: known } }",
    "in kind order { replace back: held, known }",
    "in kind order { replace whole back: won }",
    // Parts within parts.
    "in step omens { replace when 1 { choose by Blue \"Hm?\" { option pray \"Blue prays\" { }; option laugh \"Laugh\" { } } } }",
    "in step omens { replace when 2 { say \"rain\" } }",
    "in step omens { remove when 1 }",
    "in step omens { replace when 1, 2 { choose by Blue \"Now?\" { option pray \"Blue prays\" { }; option weep \"Weep\" { } } } }",
    "in step omens { replace option pray \"Pray hard\" { } }",
    "in step omens { remove option pray }",
    "in step omens { in option pray { needs faith: not fog else \"no faith\" } }",
    "in step omens { in option pray { remove clause alive } }",
    "in step omens { in when 2 { option dance beside pray \"Dance\" { } } }",
    "in step camp { replace option settle \"Settle down\" { choose by Blue \"Where now?\" { option tent \"Tent\" { }; option cave \"Cave\" { } } } }",
    "in step camp { replace whole option settle \"Settle anew\" { choose by Blue \"Where?\" { option tent \"Tent\" { }; option hut \"Hut\" { } } } }",
    "in step camp { remove option settle }",
    "in step camp { replace option hut \"Big hut\" { } }",
    "in step camp { remove option hut }",
    "in step camp { in option settle { option barn beside tent \"Barn\" { } } }",
    "in step camp { option shed beside tent \"Shed\" { } }",
    "in step camp { in option tent { needs dry: not mud else \"it is wet\" } }",
    "under fog { in step camp { replace option settle \"Settle in fog\" { choose by Blue \"Where in fog?\" { option tent \"Tent\" { }; option hut \"Hut\" { } } } } }",
    // What only another change adds.
    "in rule power { replace + brave: 5 if p.owner = Red }",
    "in step turn { replace option dig \"Dig deep\" { } }",
    "in step turn { in option rest { needs calm: not fog else \"no rest\" } }",
    "in table area { replace | Moor | yes | 1 | }",
    "in kind piece { replace state tired: flag = yes }",
    "in kind area { Mill }",
    "in setup Dawn { replace Spy: Ford }",
    "in rule power { except rash beats few: 3 if p.strength = 3 }",
    // What others need to find something, or find no more.
    "in table piece { Spy: owner Red; steps 1 }\nin setup Dawn { Spy: Mill }",
    "remove Mill - Ford",
    "in step turn { replace option march(p in s.army, a in p.at.neighbours) \"{p} to {a}\" { march(p, a) } }",
];

/// The Ford, with a state to hang conditions on, and orders with hidden faces.
fn ford() -> Folder {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ford");
    let page = |name: &str| Page {
        name: name.to_owned(),
        text: std::fs::read_to_string(folder.join(name)).expect("a file of the Ford"),
    };
    let more = "state fog: flag @2\nstate mud: flag @2\nbefore game { fog := not any p in pieces; mud := fog }\n\
        kind order = Attack, Hold {\n  state held: side?\n  state known: flag\n  state won: flag\n  \
        seen by v: v = order.held\n    except open: yes if order.known\n  back: held\n    + won: won\n}\n\
        in step turn { option halt beside wait \"Halt\" { } }\n\
        in step march { needs map: any to.neighbours else \"lost\" }\n\
        before game { for o in orders { o.held := Red; o.known := no; o.won := no } }\n\
        step omens(n: 1..6) {\n  case n {\n    when 1, 2 {\n      choose by Red \"Pray?\" {\n        \
        option pray \"Pray\"\n          needs alive: any Red.army else \"nobody is left\"\n        { }\n        \
        option curse \"Curse\" { }\n      }\n    }\n    when 3 { say \"sun\" }\n    else { }\n  }\n}\n\
        step camp {\n  choose by Blue \"Camp?\" {\n    option settle \"Settle\" {\n      \
        choose by Blue \"Where?\" { option tent \"Tent\" { }; option hut \"Hut\" { } }\n    }\n    \
        option roam \"Roam\" { }\n  }\n}\n\
        before game { let n = roll(d6); omens(n); camp; if fog or mud { say \"foul weather\" } }\n"
        .to_owned();
    Folder {
        manifest: Some(page("blazon.ron")),
        pages: vec![page("ford.blazon"), Page { name: "more.blazon".to_owned(), text: more }],
        data: vec![page("outline.txt")],
        ..Folder::default()
    }
}

fn variant(name: &str, changes: &[&str]) -> Folder {
    variant_after(name, "", changes)
}

/// A variant that knows of another one, if that has a name.
fn variant_after(name: &str, after: &str, changes: &[&str]) -> Folder {
    let after = if after.is_empty() { String::new() } else { format!(", after: [\"{after}\"]") };
    let manifest = format!("Variant(name: \"{name}\", game: \"The Ford\"{after})\n");
    Folder {
        manifest: Some(Page { name: format!("{name}/blazon.ron"), text: manifest }),
        pages: vec![Page { name: format!("{name}/page.blazon"), text: changes.join("\n") }],
        ..Folder::default()
    }
}

/// What comes of a project.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// Something is said, by these codes.
    Told(BTreeSet<&'static str>),
    /// Nothing is said, and this is the flat book: its lines, in no order, since what two variants add to one list
    /// stands there by their names.
    Book(Vec<String>),
}

fn outcome(project: &Project) -> Outcome {
    let parsed = match parse(project) {
        Ok(parsed) => parsed,
        Err((_, diagnostics)) => return Outcome::Told(diagnostics.iter().map(|d| d.code).collect()),
    };
    let mut said = check(&parsed, &Settings::default()).diagnostics;
    // What one change leaves to nobody says nothing of how it meets another.
    said.retain(|said| !["names::unused", "lint::never-set"].contains(&said.code));
    if said.is_empty() {
        let mut lines: Vec<String> =
            // Two that stand in the place of one clause are told apart by a stroke.
            print::print(&parsed).into_iter().map(|line| line.text.replace('\'', "")).collect();
        lines.sort();
        Outcome::Book(lines)
    } else {
        Outcome::Told(said.iter().map(|d| d.code).collect())
    }
}

/// The Ford with variants of these names and changes.
fn stack(variants: &[(&str, &[&str])]) -> Outcome {
    let variants = variants.iter().map(|(name, changes)| variant(name, changes)).collect();
    outcome(&Project { game: ford(), variants, ..Project::default() })
}

fn is_told(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Told(_))
}

/// What a pair comes to, whichever is named first, on the command line and by its name.
fn same_either_way(a: &[&str], b: &[&str]) -> Result<Outcome, TestCaseError> {
    let first = stack(&[("A", a), ("B", b)]);
    prop_assert_eq!(&first, &stack(&[("B", b), ("A", a)]), "the order of asking decides");
    let second = stack(&[("A", b), ("B", a)]);
    let agree = is_told(&first) && is_told(&second) || first == second;
    prop_assert!(agree, "the names decide:\n{a:?}\n{b:?}\n{first:#?}\n{second:#?}");
    Ok(first)
}

fn some_changes() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(CHANGES, 1..=3)
}

fn few_changes() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(CHANGES, 1..=2)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tries(250, 1000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_two_variants_decides_nothing(a in some_changes(), b in some_changes()) {
        same_either_way(&a, &b)?;
    }

    #[test]
    fn the_names_of_three_decide_nothing(a in few_changes(), b in few_changes(), c in few_changes()) {
        // The third knows of the first.
        let of = |[x, y, z]: [&str; 3]| {
            let variants = vec![variant(x, &a), variant(y, &b), variant_after(z, x, &c)];
            outcome(&Project { game: ford(), variants, ..Project::default() })
        };
        let first = of(["A", "B", "C"]);
        for names in [["C", "B", "A"], ["B", "C", "A"], ["C", "A", "B"]] {
            let other = of(names);
            let agree = is_told(&first) && is_told(&other) || first == other;
            prop_assert!(agree, "{names:?}:\n{a:?}\n{b:?}\n{c:?}\n{first:#?}\n{other:#?}");
        }
    }

    #[test]
    fn the_order_of_lines_in_a_page_decides_nothing(a in some_changes()) {
        let turned: Vec<&str> = a.iter().rev().copied().collect();
        let (one, other) = (stack(&[("A", &a)]), stack(&[("A", &turned)]));
        prop_assert!(is_told(&one) && is_told(&other) || one == other, "{a:?}\n{one:#?}\n{other:#?}");
    }
}

/// Every change against every other one, alone; or against every fourth of them.
#[test]
fn any_two_changes_agree_or_are_told() {
    assert!(!is_told(&stack(&[])), "{:?}", stack(&[]));
    let step = tries(4, 1);
    let mut told = 0;
    for (place, a) in CHANGES.iter().enumerate() {
        for b in CHANGES[place..].iter().step_by(step) {
            told += usize::from(is_told(&same_either_way(&[a], &[b]).expect("no order decides")));
        }
    }
    // So many of them fight. Look at what changed before this number does.
    assert_eq!(told, tries(506, 1789));
}

/// What two take out is taken out by both: who knows of one of them finds it gone, whichever of the two comes first.
#[test]
fn what_two_take_out_is_taken_out_by_either() {
    let waived = ["in step turn { in option march { waive peace } }"];
    let again = ["under mud { in step turn { in option march { waive peace } } }"];
    for [a, b, c] in [["A", "B", "C"], ["C", "B", "A"], ["B", "A", "C"]] {
        let variants = vec![variant(a, &waived), variant(b, &waived), variant_after(c, a, &again)];
        let outcome = outcome(&Project { game: ford(), variants, ..Project::default() });
        assert_eq!(outcome, Outcome::Told(BTreeSet::from(["amend::clash"])), "{a}, {b}, {c}");
    }
}

/// In which order watches come up hangs on their layers and lines, not on whether they stand under a condition.
#[test]
fn a_watch_under_a_condition_comes_up_where_it_stands() {
    let order = |variants: Vec<Folder>| -> Vec<String> {
        let parsed = parse(&Project { game: ford(), variants, ..Project::default() }).expect("manifests");
        let lines = print::print(&parsed).into_iter().map(|line| line.text);
        lines.filter_map(|line| Some(line.strip_prefix("whenever ")?.split_once(':')?.0.to_owned())).collect()
    };
    let watch = |name: &str| format!("whenever {name}: weather = Wet {{ win(Blue) }}");
    let under = |name: &str| format!("under weather = Snow {{ {} }}", watch(name));
    let game = order(Vec::new()).len();
    let (one, two, three, four) = (under("one"), watch("two"), under("three"), watch("four"));
    let first = variant("A", &[&one, &two, &three]);
    let found = order(vec![first, variant_after("B", "A", &[&four])]);
    assert_eq!(found[game..], ["one", "two", "three", "four"]);
}
