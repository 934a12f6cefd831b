//! `blazon test` beyond the tests that pass: what a failure tells, stacks of variants, invariants.

use crate::common::Room;

/// What is told from the first failure on: above it stand times.
fn failures(out: &str) -> &str {
    out.find("\nFAIL").map_or("", |at| &out[at..])
}

#[test]
fn a_failure_tells_what_is_open_of_the_option_and_what_was_taken_unasked() {
    let room = Room::new();
    let page = "scene Grey Marches { from Spring; play duel }\n\
        step duel { pause(South); orders(North) }\n\
        step pause(r: realm) { choose by r { option wait \"Wait\" { } } }\n\
        test \"of the option\" {\n\
        \x20 from Grey Marches\n\
        \x20 offer North: move(Grey, Tower)\n\
        \x20 refuse North: move(Brown, Hill) \"Brown is tired\"\n\
        \x20 refuse North: wait\n\
        \x20 expect Grey.at = Ford\n\
        }\n\
        test \"who is asked\" { from Spring; play orders(North); South: rest }\n";
    room.write("two-rivers/tests/failing.blazon", page);
    let run = room.run(&["test", "two-rivers", "failing"], "");
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(failures(&run.out), FAILURES);
}

const FAILURES: &str = r#"
FAIL of the option  Two Rivers, two-rivers/tests/failing.blazon:4:1
  two-rivers/tests/failing.blazon:6:3: `move(Grey, Tower)` is not open
      6 |   offer North: move(Grey, Tower)
    expected  open
      actual  not among what can be chosen here
     unasked  South: wait
    position  North is asked "Where to?", 2 open, 1 of `move`:
                move(Brown, Hill)
  two-rivers/tests/failing.blazon:7:3: `move(Brown, Hill)` is open
      7 |   refuse North: move(Brown, Hill) "Brown is tired"
    expected  refused: Brown is tired
      actual  open
    position  as above
  two-rivers/tests/failing.blazon:8:3: nobody asks about `wait` here: it is no option of this question
      8 |   refuse North: wait
    expected  refused
      actual  another question is asked
    position  North is asked "Where to?", 2 open, none of `wait`: move, rest
  two-rivers/tests/failing.blazon:9:10: `Grey.at = Ford` does not hold
      9 |   expect Grey.at = Ford
    expected  Grey.at = Ford
      actual  Mill
    position  North is asked "Where to?", 2 open: move, rest

FAIL who is asked  Two Rivers, two-rivers/tests/failing.blazon:11:1
  two-rivers/tests/failing.blazon:11:56: North is asked, not South
     11 | test "who is asked" { from Spring; play orders(North); South: rest }
    expected  South: rest
    position  North is asked "Where to?", 2 open: move, rest
0 passed, 2 failed (3 not asked for)
"#;

/// What a choice does not write out is worked out where the play has come to it.
#[test]
fn values_of_a_choice_are_worked_out() {
    let room = Room::new();
    room.write(
        "two-rivers/tests/failing.blazon",
        "test \"worked out\" {\n  from Spring\n  play orders(North)\n  offer North: move(first a in armies where a.realm = North and a.at = Ford, first to in Ford.neighbours where to.region = Lower)\n}\n\
         test \"nobody\" {\n  from Spring\n  play orders(North)\n  North: move(first a in armies where not any a.at, Tower)\n}\n\
         test \"nothing to divide by\" {\n  from Spring\n  play orders(North)\n  refuse North: move(first a in armies where 6 / North.score = 1, Tower)\n}\n",
    );
    let run = room.run(&["test", "two-rivers", "failing"], "");
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(failures(&run.out), WORKED_OUT);
}

const WORKED_OUT: &str = r#"
FAIL nobody  Two Rivers, two-rivers/tests/failing.blazon:6:1
  two-rivers/tests/failing.blazon:9:3: argument 1 of `move(first a in armies where not any a.at, Tower)` is none
      9 |   North: move(first a in armies where not any a.at, Tower)
    expected  a thing or a number
      actual  none
    position  North is asked "Where to?", 2 open: move, rest

FAIL nothing to divide by  Two Rivers, two-rivers/tests/failing.blazon:11:1
  two-rivers/tests/failing.blazon:14:3: `move(first a in armies where 6 / North.score = 1, Tower)` cannot be asked: a number is divided by zero or leaves ±1,000,000,000,000,000 (in argument of "nothing to divide by")
     14 |   refuse North: move(first a in armies where 6 / North.score = 1, Tower)
    position  North is asked "Where to?", 2 open: move, rest
1 passed, 2 failed (3 not asked for)
"#;

/// Where the rules stop a game the test shows the line of the rules.
#[test]
fn a_game_that_stops_is_told_with_its_line() {
    let room = Room::new();
    let page = "state hands: 0..3\nstep tally hands {\n  hands := 0\n  say \"{6 / hands}\"\n}\n\
        before round { if hands > 0 { tally hands } }\n\
        test \"it stops\" {\n  from Spring\n  play tally hands\n}\n\
        test \"so does what is asked\" { from Spring; expect 6 / hands = 2 }\n";
    room.write("two-rivers/3-hands.blazon", page);
    let run = room.run(&["test", "two-rivers", "3-hands"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let stopped: Vec<&str> = run.out.lines().filter(|line| line.contains("stopped")).collect();
    assert_eq!(stopped, ["     stopped  two-rivers/3-hands.blazon:4:9"], "{}", run.out);
    assert!(run.out.contains("      4 |   say \"{6 / hands}\""), "{}", run.out);
}

/// Where something is to hold of each, the first is told for which it does not.
#[test]
fn what_fails_for_one_of_many_is_told_with_its_name() {
    let room = Room::new();
    let page = "test \"of each\" {\n  from Spring\n  expect every n in 1..6: n < 4\n  expect every a in armies: a.at != Tower\n  \
        expect not any a in armies where a.at = Mill\n}\n";
    room.write("two-rivers/tests/each.blazon", page);
    let run = room.run(&["test", "two-rivers", "of each"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let actual: Vec<&str> = run.out.lines().filter_map(|line| line.trim().strip_prefix("actual  ")).collect();
    assert_eq!(actual, ["n = 4", "a = White", "a = Grey"], "{}", run.out);
}

#[test]
fn what_exists_only_during_a_step_cannot_be_expected_when_it_is_over() {
    let room = Room::new();
    let page = "state host: realm, fresh each feast\n\
        step feast { host := North; choose by North { option eat \"Eat\" { }; option talk \"Talk\" { } }; say \"{host}\" }\n\
        before round { feast }\n\
        test \"a feast\" {\n\
        \x20 from Spring\n\
        \x20 play feast\n\
        \x20 expect host = North\n\
        \x20 North: eat\n\
        \x20 expect host = North\n\
        }\n\
        test \"set by itself\" { from Spring; host := South; expect host = South }\n";
    room.write("two-rivers/4-feast.blazon", page);
    let run = room.run(&["test", "two-rivers", "feast"], "");
    assert_eq!(run.code, 1, "{}", run.err);
    let wanted =
        "two-rivers/4-feast.blazon:9:10: `host` exists only during `feast`, and that is not under way";
    assert!(failures(&run.out).contains(wanted), "{}", run.out);
    assert!(run.out.contains("1 passed, 1 failed"), "{}", run.out);
}

#[test]
fn the_tests_of_a_game_run_on_its_variants() {
    let room = Room::new();
    let variant = |name: &str, page: &str, tests: &str| {
        let folder = format!("two-rivers/variants/{name}");
        let manifest = format!("Variant(name: \"{name}\", game: \"Two Rivers\")\n");
        room.write(&format!("{folder}/blazon.ron"), manifest);
        room.write(&format!("{folder}/page.blazon"), page);
        room.write(&format!("{folder}/tests/changed.blazon"), tests);
    };
    variant("Narrow", "in rule may enter { waive room }\n", "");
    variant("Lonely", "remove step fight\nreplace step orders(r: realm) { }\n", "");
    let run = room.run(&["test", "two-rivers", "-V", "Narrow"], "");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("FAIL a place holds one army  Two Rivers + Narrow"), "{}", run.out);
    // What cannot be checked fails by itself.
    let run = room.run(&["test", "two-rivers", "-V", "Lonely", "-V", "floods"], "");
    assert_eq!(failures(&run.out), BROKEN);
    // The variant says that it is so; what it need not say is a warning.
    variant("Narrow", "in rule may enter { waive room }\n", "remove test \"a place holds one army\"\n");
    assert_eq!(room.run(&["test", "two-rivers", "-V", "Narrow"], "").code, 0);
    assert_eq!(room.run(&["check", "two-rivers", "-V", "Narrow", "-D", "warnings"], "").code, 0);
    assert_eq!(room.run(&["play", "two-rivers", "-V", "Narrow", "--players", "random"], "").code, 0);
    variant("Narrow", "-- nothing\n", "remove test \"a place holds one army\"\n");
    let run = room.run(&["test", "two-rivers", "-V", "Narrow"], "");
    assert_eq!((run.code, run.err.as_str()), (0, NEEDLESS));
}

const BROKEN: &str = r#"
FAIL a place holds one army  Two Rivers + Lonely + Floods, two-rivers/tests/play.blazon:1:1
  it does not fit the rules:
error[names::unknown]

  × no step has an option `move`
   ╭─[two-rivers/tests/play.blazon:4:17]
 3 │   play orders(North)
 4 │   refuse North: move(Grey, Ford) "Ford is crowded"                                          @2.1
   ·                 ────
 5 │ }
   ╰────

1 error

FAIL two may stand together where crowds may  Two Rivers + Lonely + Floods, two-rivers/tests/play.blazon:7:1
  it does not fit the rules:
error[names::unknown]

  × no step has an option `move`
    ╭─[two-rivers/tests/play.blazon:11:10]
 10 │   play orders(North)
 11 │   North: move(Grey, Ford)
    ·          ────
 12 │   expect Grey.at = Ford
    ╰────

1 error

FAIL the ford is flooded  Two Rivers + Lonely + Floods, two-rivers/variants/floods/tests/floods.blazon:1:1
  it does not fit the rules:
error[names::unknown]

  × no step has an option `move`
    ╭─[two-rivers/variants/floods/tests/floods.blazon:9:17]
  8 │   play orders(North)
  9 │   refuse North: move(Grey, Ford) "Ford is flooded"
    ·                 ────
 10 │   offer North: move(Brown, Tower)
    ╰────

error[names::unknown]

  × no step has an option `move`
    ╭─[two-rivers/variants/floods/tests/floods.blazon:10:16]
  9 │   refuse North: move(Grey, Ford) "Ford is flooded"
 10 │   offer North: move(Brown, Tower)
    ·                ────
 11 │ }
    ╰────

2 errors
0 passed, 3 failed
"#;
const NEEDLESS: &str = r#"warning[tests::needless]

  ⚠ this test passes as it is
   ╭─[two-rivers/variants/Narrow/tests/changed.blazon:1:14]
 1 │ remove test "a place holds one army"
   ·              ──────────────────────
   ╰────
  help: leave it to the game: take this out

Advice:
  ☞ the game's test
   ╭─[two-rivers/tests/play.blazon:1:1]
 1 │ test "a place holds one army" {                                                             @2.1 @S-1
   · ─────────────────────────────
 2 │   from Spring
   ╰────

1 warning
"#;

#[test]
fn invariants_are_looked_at_by_tests_and_games_of_programs() {
    let room = Room::new();
    let page = "invariant peace: not any a in armies where not any a.at @3\n\
        \x20 else \"{all a in armies where not any a.at} is nowhere\"\n";
    room.write("two-rivers/3-peace.blazon", page);
    let games = ["simulate", "two-rivers", "--games", "40", "--seed", "7", "--players", "even"];
    let run = room.run(&games, "");
    assert_eq!(run.code, 1, "{}", run.out);
    let wrong = run.out.lines().find(|line| line.contains("run::invariant")).unwrap_or_default();
    assert!(wrong.contains("the invariant `peace` does not hold after `"), "{}", run.out);
    let again = run.out.lines().find(|line| line.contains("blazon play")).unwrap_or_default();
    assert!(again.ends_with(" --invariants"), "{again}");
    let words: Vec<&str> = again.split_whitespace().skip(1).collect();
    let run = room.run(&words, "");
    assert!(run.code == 1 && run.err.contains("run::invariant"), "{}{}", run.out, run.err);
    // Nobody else looks at them.
    assert_eq!(room.run(&words[..words.len() - 1], "").code, 0);
}

#[test]
fn what_never_came_up_is_told() {
    let room = Room::new();
    // An option that an amendment has put into a question which never comes.
    let page = "before round { if 1 > count armies { choose by North \"Plague?\" { option wait \"Wait\" { } } } }\n\
        in step round { option dig beside wait \"Dig in\" { } }\n\
        rule depth(a: army): number = 1\n\
        \x20 except deep: 2 if a.tired\n\
        after round { for a in armies where a.depth > 9 { a.tired := yes } }\n\
        after round { if 1 < count armies { say \"armies\" } }\n";
    room.write("two-rivers/3-dig.blazon", page);
    let games =
        ["simulate", "two-rivers", "--games", "20", "--seed", "7", "--coverage", "--lcov", "out.info"];
    let run = room.run(&games, "");
    assert_eq!(run.code, 0, "{}", run.err);
    let told = run.out.find("\nWhat came up").map_or("", |at| &run.out[at..]);
    assert_eq!(told, COVERAGE);
    let lcov = std::fs::read_to_string(room.path("out.info")).expect("it is written");
    assert_eq!(
        lcov.lines().skip_while(|line| !line.ends_with("3-dig.blazon")).collect::<Vec<_>>().join("\n"),
        LCOV
    );
    // On any number of threads it is the same.
    let one = room.run(&[&games[..7], &["--threads", "1"]].concat(), "");
    assert!(one.out.ends_with(told), "{}", one.out);
    // Counting changes nothing of what is played or tested.
    let counted = room.run(&["test", "two-rivers", "--coverage", "--format", "json"], "");
    assert_eq!(counted.code, 0, "{}", counted.err);
    assert!(counted.err.contains(" passed, 0 failed"), "{}", counted.err);
    let documents: Vec<serde_json::Value> =
        counted.out.lines().map(|line| serde_json::from_str(line).expect("it is JSON alone")).collect();
    let document = &documents[0];
    assert_eq!(document["coverage"][0]["page"], "two-rivers/2-play.blazon");
}

#[test]
fn clauses_of_who_sees_are_counted() {
    let room = Room::new();
    let page = "kind letter = Plan, Plea, Pact {\n  state held: realm?\n  state opened: flag\n  state stolen: flag\n  \
                seen by r: r = letter.held\n    except opened: yes if letter.opened\n    \
                except stolen: yes if letter.stolen\n  back: held\n}\n\
                before round { for l in letters { l.opened := no; l.stolen := no; l.held := none } }\n\
                test \"a letter is whose it is\" {\n  from Spring\n  Plea.held := South\n  Plan.opened := yes\n  \
                South sees Plea\n  North does not see Plea\n  North sees Plan\n  \
                North can tell whether (count l in letters where l.held = South) = 1\n}\n";
    room.write("two-rivers/3-letters.blazon", page);
    let run = room.run(&["test", "two-rivers", "--coverage"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let told = run.out.lines().skip_while(|line| *line != "two-rivers/3-letters.blazon");
    let told: Vec<&str> = told.take_while(|line| !line.is_empty()).collect();
    // What is tried to see who can tell what has not come up.
    assert!(told.iter().any(|line| line.ends_with("the exception `stolen` never held")), "{}", run.out);
    assert!(!told.iter().any(|line| line.contains("`opened`")), "{}", run.out);
}

/// A scene counts with the test that takes it up, not in another reading, in which that test is not tried.
#[test]
fn scenes_are_counted_where_they_are_taken_up() {
    let room = Room::empty();
    room.write("hills/blazon.ron", r#"Game(name: "Hills", player: "side", begins: "game")"#);
    let page = "kind side = Red, Blue\nkind hill = High, Low\nkind unit = Foot, Horse { state at: hill? }\nstate tired: 0..9\n\
                rule march(n: 0..5): number = n + 1\nsetup Start (unit: at) { others: High }\n\
                step game { rest(Red) }\nstep rest(s: side) {\n  choose by s { option go { tired += march(1) }; option stay { } }\n  \
                if any Foot.at { win(Red) }\n}\nruling slow: yes or no \"Are they slow?\"\n\
                under slow = no { replace rule march(n: 0..5): number = n }\n";
    room.write("hills/hills.blazon", page);
    let tests = "scene An Opening { from Start; position (unit: at) { Foot: Low }; tired := 1; play rest(Red) }\n\
                 test \"a march\" { from An Opening; Red: go; expect tired = 3 }\n\
                 test \"a quick one\" { ruling slow = no; from Start; expect march(1) = 1 }\n";
    room.write("hills/tests/hills.blazon", tests);
    let run = room.run(&["test", "hills", "--coverage"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("hills/hills.blazon") && !run.out.contains("scene"), "{}", run.out);
}

/// A name that is drawn when its turn comes, or nothing is.
#[test]
fn what_a_test_draws_is_of_the_kind_that_is_drawn() {
    let room = Room::empty();
    room.write("draws/blazon.ron", r#"Game(name: "Draws", player: "side", begins: "game")"#);
    let page = r#"kind side = Red, Blue
kind card = Sun, Moon { state held: side? }
kind ship = Gull, Tern
setup Start { }
step game { deal; win(Red) }
step deal { let one = draw(cards, 1); for c in one { c.held := Red } }
test "the moon is dealt" { from Start; cards Moon; play deal; expect Moon.held = Red }
test "a ship is no card" {
  from Start
  cards Gull, Moon
  play deal
  fails "the next draw of the test is Gull, and this is one of the kind `card`"
}
test "nobody draws the moon twice" {
  from Start
  cards Moon
  play deal
  cards Moon, Moon
  play deal
}
"#;
    room.write("draws/draws.blazon", page);
    let run = room.run(&["test", "draws"], "");
    assert!(run.out.contains("3 passed, 0 failed"), "{}{}", run.out, run.err);
}

const COVERAGE: &str = r#"
What came up
  two-rivers/2-play.blazon  100.0 %  32 of 32
  two-rivers/3-dig.blazon    42.9 %  6 of 14

two-rivers/3-dig.blazon
     1  a condition of `round` never held
     1  a line of `round` was never reached
     1  the option `wait` was never open
     2  the option `dig` was never open
     5  a line of `round` was never reached
     6  a condition of `round` always held
"#;
const LCOV: &str = r#"SF:two-rivers/3-dig.blazon
FN:3,depth
FNDA:308,depth
BRDA:1,0,0,0
BRDA:1,0,1,100
BRDA:4,0,0,92
BRDA:4,0,1,308
BRDA:6,0,0,100
BRDA:6,0,1,0
DA:1,100
DA:2,0
DA:3,308
DA:4,400
DA:5,100
DA:6,100
end_of_record"#;
