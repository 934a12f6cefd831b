//! That what is counted of games is what happened in them: figures held against rows, and against what is known to be true.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::common::{Room, Run};

const MANIFEST: &str =
    "Game(name: \"Three\", version: \"1.0.0\", player: \"side\", begins: \"whole game\", uses: [])";

const THREE: &str = r#"kind side = Ada, Bob, Cy
kind area { fact drawn at: point }
kind road = area - area
kind piece { fact owner: side; state at: area? }
table area
  | name | drawn at |
  | North | 10, 10 |
  | South | 10, 90 |
  | East  | 90, 50 |
  | Mid   | 50, 50 |
links road
  North - Mid, South - Mid, East - Mid
table piece
  | name | owner |
  | Pawn | Ada |
  | Rook | Bob |
  | King | Cy |
state pot(side): 0..99
setup Long (piece: at) { Pawn: North; Rook: South; King: East }
setup Short (piece: at) { Pawn: Mid; others: Mid; pot(Ada) := 3 }
rule outlook(s: side): number = s.pot
step whole game {
  for n in 1..5 { round }
  let best = most s in sides by s.pot
  if count best = 1 { for s in best { win(s) } }
}
step round { for s in sides { turn(s) } }
step turn(s: side) {
  choose by s "What now?" {
    option go(p in pieces where p.owner = s, a in p.at.neighbours) "{p} goes to {a}" { p.at := a; gain(s, a) }
    option wait "Waits" { s.pot += 1 }
  }
}
step gain(s: side, a: area) {
  let d = roll(d6)
  if a = Mid { s.pot += d / 2 } else { if d = 6 { s.pot += 5 } }
}
"#;

/// Two choices of one step that both have an option to pass.
const SAME: &str = r#"kind side = Ada, Bob
state pot(side): 0..99
setup Start { }
rule outlook(s: side): number = s.pot
step whole game {
  for n in 1..4 { round }
  if Ada.pot > Bob.pot { win(Ada) }
  if Bob.pot > Ada.pot { win(Bob) }
}
step round {
  for s in sides {
    choose by s "First" { option raise "Raises" { s.pot += 2 }; option pass "Passes" { } }
    choose by s "Second" { option lift "Lifts" { s.pot += 1 }; option pass "Passes" { } }
  }
}
"#;

/// A die decides after the last decision.
const DICE: &str = r#"kind side = Ada, Bob
setup Start { }
rule outlook(s: side): number = 1
step whole game {
  for n in 1..3 { for s in sides { choose by s "Which?" { option a "A" { }; option b "B" { } } } }
  let d = roll(d2)
  if d = 1 { win(Ada) } else { win(Bob) }
}
"#;

fn room() -> Room {
    let room = Room::empty();
    for (name, page) in [("three", THREE), ("same", SAME), ("dice", DICE)] {
        room.write(&format!("{name}/blazon.ron"), MANIFEST);
        room.write(&format!("{name}/rules.blazon"), page);
    }
    for (name, page) in [
        (
            "three/variants/startcrash",
            "before whole game { let d = roll(d6); if d <= 3 { Ada.pot -= 99 } }\n",
        ),
        ("three/variants/crash", "after turn { if s = Bob and Bob.pot > 7 { Cy.pot -= 99 } }\n"),
        ("three/variants/at-once", "before whole game { win(Ada) }\n"),
        (
            "three/variants/loops",
            "step prelude { say \"prelude\" }\nreplace step whole game {\n  for n in 1..5 { prelude; prelude; round }\n  \
             let best = most s in sides by s.pot\n  if count best = 1 { for s in best { win(s) } }\n}\n",
        ),
        ("three/variants/short", "in setup Short { Rook: East }\n"),
        ("three/variants/more", "before gain { if a = Mid { s.pot += 1 } }\n"),
        (
            "three/variants/blame",
            "remove setup Long\nsetup Other (piece: at) { Pawn: East; Rook: East; King: North }\n\
             before gain { if a = Mid { s.pot += 1 } }\n",
        ),
        (
            "three/variants/within",
            "state calls: 0..99\nrule called: number = calls\nbefore turn in round { calls += 1 }\n\
             after whole game { say \"{called}\" }\n",
        ),
        ("three/variants/never", "before whole game { Ada.pot -= 99 }\n"),
        ("same/variants/ties", "after whole game { if Ada.pot = Bob.pot { win(Ada) } }\n"),
    ] {
        room.write(
            &format!("{name}/blazon.ron"),
            format!(
                "Variant(name: \"{}\", version: \"1.0.0\", game: \"Three\")",
                name.rsplit('/').next().unwrap()
            ),
        );
        room.write(&format!("{name}/v.blazon"), page);
    }
    room
}

fn run(room: &Room, words: &str) -> Run {
    room.run(&words.split(' ').collect::<Vec<_>>(), "")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

fn rows(room: &Room, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(room.path(file)).expect("a table");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Offered, taken, player-games and won of each option of a side, worked out from its rows.
fn options(games: &[Value], decisions: &[Value], side: &str) -> BTreeMap<(String, String), [u64; 4]> {
    let of_side = |row: &&Value| row["side"] == side;
    let winners: BTreeMap<u64, String> = games
        .iter()
        .filter(of_side)
        .map(|row| (row["game"].as_u64().unwrap(), text(&row["winner"])))
        .collect();
    let mut all: BTreeMap<(String, String), [u64; 4]> = BTreeMap::new();
    let mut once = BTreeSet::new();
    for row in decisions.iter().filter(of_side) {
        let names = &row["names_open"];
        let open: BTreeMap<String, u64> = match names.as_str() {
            Some(written) => serde_json::from_str(written).expect("names"),
            None => serde_json::from_value(names.clone()).expect("names"),
        };
        for name in open.into_keys() {
            all.entry((text(&row["step"]), name)).or_default()[0] += 1;
        }
        let key = (text(&row["step"]), text(&row["option"]));
        let counts = all.entry(key.clone()).or_default();
        counts[1] += 1;
        let (game, player) = (row["game"].as_u64().unwrap(), text(&row["player"]));
        if once.insert((key, game, player.clone())) {
            counts[2] += 1;
            counts[3] += u64::from(winners[&game] == player);
        }
    }
    all
}

/// Holds the options that a comparison tells of against its tables.
fn options_agree(room: &Room, words: &str) -> Value {
    let told = json(&run(room, &format!("{words} -j 1 --json")));
    run(room, &format!("{words} --data tables --data-format jsonl"));
    let (games, decisions) = (rows(room, "tables/games.jsonl"), rows(room, "tables/decisions.jsonl"));
    for side in ["base", "changed"] {
        let counted = options(&games, &decisions, side);
        for option in told["levels"][0]["options"].as_array().expect("options") {
            let key = (text(&option["step"]), text(&option["option"]));
            let fared = ["offered", "taken", "games", "won"].map(|of| option[side][of].as_u64().unwrap_or(0));
            assert_eq!(fared, counted.get(&key).copied().unwrap_or_default(), "{side}: {key:?}");
        }
    }
    told
}

/// Nothing of one game is told of another, though its rules fail before the first decision.
#[test]
fn a_game_that_fails_at_its_beginning_counts_as_itself() {
    let room = room();
    let words = "compare three -V startcrash --levels random --seed 5 -n 128 --all";
    let told = options_agree(&room, words);
    let changed = &told["levels"][0]["sides"][1];
    let (faults, games) = (changed["faults"].as_u64().unwrap(), changed["games"].as_u64().unwrap());
    assert!(faults > 30 && faults < games - 30, "{changed}");
    let led: u64 =
        changed["led"][9].as_array().unwrap().iter().map(|led| led["games"].as_u64().unwrap()).sum();
    assert!(led <= games - faults, "{led} of {games} with {faults} that never began");
    assert_eq!(told, json(&run(&room, &format!("{words} -j 2 --json"))));
    // And a single game is what it is among others.
    let simulate = "simulate three -V startcrash -n 60 --seed 3 --json";
    let whole = json(&run(&room, &format!("{simulate} -j 1")));
    for from in [0, 20, 40] {
        run(
            &room,
            &format!("simulate three -V startcrash -n 60 --seed 3 --from {from} --count 20 --parts parts"),
        );
    }
    let merged = json(&run(&room, "merge parts --json"));
    assert_eq!(whole["options"], merged["options"]);
    assert_eq!(whole["measures"], merged["measures"]);
}

#[test]
fn an_option_counts_once_for_a_player_of_a_game() {
    let room = room();
    let told = options_agree(&room, "compare same -V ties --levels random --seed 5 -n 64 --all");
    let options = told["levels"][0]["options"].as_array().expect("options");
    let pass = options.iter().find(|option| option["option"] == "pass").expect("an option");
    assert!(pass["base"]["games"].as_u64() <= Some(128), "{pass}");
}

/// A game that fails has as many decisions as rows, and its options are counted as they are told.
#[test]
fn the_decision_at_which_rules_fail_is_one() {
    let room = room();
    options_agree(&room, "compare three -V crash --levels random --seed 5 -n 64 --all");
    let games = rows(&room, "tables/games.jsonl");
    assert!(games.iter().any(|row| row["outcome"] == "fault"));
    let mut counted: BTreeMap<(u64, String), u64> = BTreeMap::new();
    for row in rows(&room, "tables/decisions.jsonl") {
        *counted.entry((row["game"].as_u64().unwrap(), text(&row["side"]))).or_default() += 1;
    }
    for row in games {
        let key = (row["game"].as_u64().unwrap(), text(&row["side"]));
        assert_eq!(row["decisions"].as_u64(), counted.get(&key).copied().or(Some(0)), "{row}");
    }
}

/// A game that is over before anybody decides was neither close nor not.
#[test]
fn games_without_a_decision_have_no_drama() {
    let room = room();
    let told = json(&run(&room, "compare three -V at-once --levels random --seed 5 -n 64 --all --json"));
    let measures = &told["levels"][0]["measures"];
    assert_eq!(measures["settled"]["difference"]["count"], 0, "{measures}");
    assert_eq!(measures["behind"]["changed"]["count"], 0, "{measures}");
    let simulated = json(&run(&room, "simulate three -V at-once -n 20 --seed 5 --json"));
    assert!(!simulated.to_string().contains("\"settled\":{\"count\":20"), "{simulated}");
}

#[test]
fn steps_are_compared_by_name() {
    let room = room();
    let run = run(&room, "compare three -V loops --levels random --seed 3 -n 64 --all --report r.html");
    let line = |name: &str| {
        let line = run
            .out
            .lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap_or_else(|| panic!("{}", run.out));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line("round"), ["round", "5.00", "5.00", "+0.00", "±", "0.00", "64"]);
    assert_eq!(line("turn"), ["turn", "15.00", "15.00", "+0.00", "±", "0.00", "64"]);
    assert_eq!(line("prelude"), ["prelude", "new", "10.00", "64"]);
    let report = std::fs::read_to_string(room.path("r.html")).expect("a report");
    assert!(
        report.contains("Length, counted by prelude. </strong>Only the changed rules have this step."),
        "{report}"
    );
    let told = self::run(&room, "compare three -V loops --levels random --seed 3 -n 64 --all --json");
    let level = &json(&told)["levels"][0];
    let steps = level["measures"]["steps"].as_array().expect("steps");
    let prelude = steps.iter().find(|step| step["step"] == "prelude").expect("a step");
    assert_eq!((&prelude["base"], &prelude["difference"]), (&Value::Null, &Value::Null));
    assert_eq!(prelude["changed"]["mean"], 10.0);
    // The lengths of each side have the names of its own steps.
    for (side, turns) in [(0, 5.0), (1, 5.0)] {
        let lengths = level["sides"][side]["lengths"].as_array().expect("lengths");
        let round = lengths.iter().find(|length| length["of"] == "round").expect("a step");
        assert_eq!(round["mean"], turns, "side {side}");
    }
}

/// The setups of rules with a part of the change have other numbers.
#[test]
fn what_is_to_blame_is_tried_with_the_same_setup() {
    let room = room();
    let blamed = |variant: &str| {
        let words =
            format!("compare three -V {variant} -s Short --levels random -n 256 --seed 3 --all --json");
        let told = json(&run(&room, &words));
        let causes = told["levels"][0]["causes"].as_array().expect("causes").clone();
        causes
            .iter()
            .map(|cause| (text(&cause["item"]), cause["others"].clone(), cause["pairs"].clone()))
            .collect::<Vec<_>>()
    };
    let (all, alone) = (blamed("blame"), blamed("more"));
    assert_eq!(all, alone);
    assert!(!alone.is_empty() && alone.iter().all(|(item, ..)| item.contains("before gain")), "{alone:?}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let room = room();
    let refused = run(&room, "compare three -V blame --levels random --seed 5 -n 64");
    assert_eq!(
        (refused.code, refused.err.as_str()),
        (
            2,
            "error: the changed rules have no setup `Long`, with which games begin by the rules as they were \
             [compare::setup]; name the one that both have: `Short` (-s)\n"
        )
    );
    assert_eq!(run(&room, "explain compare::setup").code, 0);
    let each = run(&room, "compare three -V blame --each-setup --levels random --seed 5 -n 64 --all");
    for words in [
        "not compared, since only the rules as they were have it: `Long`\n",
        "not compared, since only the changed rules have it: `Other`\n",
    ] {
        assert!(each.out.contains(words), "{words}: {}", each.out);
    }
    let told =
        json(&run(&room, "compare three -V blame --each-setup --levels random --seed 5 -n 64 --all --json"));
    assert_eq!(told["setups"], serde_json::json!(["Short"]));
    assert_eq!(told["left_out"], serde_json::json!({ "base": ["Long"], "changed": ["Other"] }));
}

/// What the change does to a setup that is not played is not seen, and a folder that differs elsewhere is no game with a variant
/// alone: both are said above all.
#[test]
fn what_is_not_seen_and_what_else_differs_is_said() {
    let room = room();
    let told = |words: &str| {
        let words = format!("compare three {words} --levels random --seed 5 -n 64 --all");
        let out = run(&room, &words).out;
        let unplayed = json(&run(&room, &format!("{words} --json")))["unplayed"].clone();
        (out.lines().take(2).map(str::to_owned).collect::<Vec<_>>(), unplayed)
    };
    let (lines, unplayed) = told("-V short");
    assert_eq!(
        lines,
        ["three: what `short` does, seed 5", "changed, and not played: `Short` (-s, or --each-setup)"]
            .map(|line| line.replace("three:", "Three 1.0.0 · Long:"))
    );
    assert_eq!(unplayed, serde_json::json!(["Short"]));
    for words in ["-V short --each-setup", "-V short -s Long", "-V more"] {
        let (lines, unplayed) = told(words);
        assert!(!lines[1].contains("not played"), "{words}: {lines:?}");
        assert_eq!(unplayed, serde_json::json!([]), "{words}");
    }
    crate::common::copy(&room.path("three"), &room.path("old"));
    room.write("old/rules.blazon", THREE.replace("if d = 6 { s.pot += 5 }", "if d = 6 { s.pot += 4 }"));
    let (lines, _) = told("-V more --base old");
    assert_eq!(lines[0], "Three 1.0.0 · Long: what `more` and 1 changed place do, seed 5");
    let (lines, _) = told("--base old");
    assert_eq!(lines[0], "Three 1.0.0 · Long: what 1 changed place does, seed 5");
    let report = |words: &str| {
        let words = format!("compare three {words} --levels random --seed 5 -n 64 --all --report r.html");
        assert_eq!(run(&room, &words).code, 0);
        std::fs::read_to_string(room.path("r.html")).expect("a report")
    };
    assert!(report("-V short").contains("Changed, and not played: </strong>the setup Short."));
    assert!(report("--base old").contains("<title>Three against Three (old)</title>"));
}

/// The setups are told apart, and what is said of them comes to what is said of all.
#[test]
fn what_differs_is_told_setup_by_setup() {
    let room = room();
    let words = "compare three -V more --each-setup --levels random --seed 5 -n 130 --all";
    let level = json(&run(&room, &format!("{words} --json")))["levels"][0].clone();
    let setups = level["setups"].as_array().expect("setups").clone();
    let number = |value: &Value, key: &str| value[key].as_u64().expect("a number");
    assert_eq!(setups.iter().map(|setup| text(&setup["setup"])).collect::<Vec<_>>(), ["Long", "Short"]);
    assert_eq!(setups.iter().map(|setup| number(setup, "pairs")).collect::<Vec<_>>(), [65, 65]);
    for (place, player) in level["players"].as_array().expect("players").iter().enumerate() {
        for key in ["won_by_change", "lost_by_change"] {
            let each = setups.iter().map(|setup| number(&setup["players"][place], key));
            assert_eq!(each.sum::<u64>(), number(player, key), "{place}: {key}");
        }
        for setup in &setups {
            let (own, end) =
                (&setup["players"][place], |at: usize| setup["players"][place]["interval"][at].as_f64());
            let difference = own["difference"].as_f64();
            assert!(own["player"] == player["player"] && end(0) < difference && difference < end(1), "{own}");
        }
    }
    let out = run(&room, words).out;
    assert!(out.contains("  by setup"), "{out}");
}

/// A pair begins with the setup that the rules as they were begin with, whatever setup the changed rules have first: so does a
/// game of it that is played again.
#[test]
fn a_game_is_played_again_from_the_setup_of_its_pair() {
    let room = room();
    let (long, short) = (THREE.find("setup Long").expect("it"), THREE.find("setup Short").expect("it"));
    let rest = THREE.find("rule outlook").expect("it");
    let swapped = [&THREE[..long], &THREE[short..rest], &THREE[long..short], &THREE[rest..]].concat();
    room.write("swapped/blazon.ron", MANIFEST);
    room.write("swapped/rules.blazon", swapped.replace("{ round }", "{ round; if n = 3 { Bob.pot -= 99 } }"));
    let told = json(&run(&room, "compare swapped --base three --levels random --seed 5 -n 8 --all --json"));
    let side = |place: usize| told["levels"][0]["sides"][place]["failed"].as_array().expect("a list").clone();
    assert!(side(0).is_empty());
    let again = text(&side(1)[0]["again"]);
    assert!(again.starts_with("blazon play swapped --scenario Long --players random --seed "), "{again}");
}

/// What nobody decides differs, so it is not said that nothing does.
#[test]
fn pairs_that_go_the_same_way_may_differ() {
    let room = room();
    let run = run(&room, "compare three -V more --levels random --seed 5 -n 128 --all --report r.html");
    assert!(run.out.contains("the others went the same way: same choices, same winner"), "{}", run.out);
    let report = std::fs::read_to_string(room.path("r.html")).expect("a report");
    assert!(report.contains("went the same way</strong>: the same choices, the same winner."), "{report}");
}

/// Each game is counted once, and what measures it not at all.
#[test]
fn coverage_counts_what_came_up_in_the_games() {
    let room = room();
    run(&room, "simulate dice --seed 5 -n 5 -j 1 --lcov y.lcov");
    let lcov = std::fs::read_to_string(room.path("y.lcov")).expect("a file");
    assert!(!lcov.contains("outlook"), "what bots ask and the game does not is not there to come up: {lcov}");
    assert!(lcov.contains("DA:7,5\n"), "{lcov}");
    let twofold: u64 = lcov
        .lines()
        .filter_map(|line| line.strip_prefix("BRDA:7,0,"))
        .map(|line| line.split(',').nth(1).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(twofold, 5, "{lcov}");
}

/// What stands around a step only where another does it makes another step of it, which is the same to whoever counts.
#[test]
fn a_step_that_is_amended_within_another_is_counted_as_itself() {
    let room = room();
    let is_told = |run: &Run| ["(in ", "everywhere"].iter().any(|made| run.out.contains(made));
    for levels in ["random", "greedy@20"] {
        let words = format!("compare three -V within --levels {levels} --seed 7 -n 64 --all");
        let told = run(&room, &words);
        assert!(told.out.contains("none of 64 pairs part") && !is_told(&told), "{}{}", told.out, told.err);
    }
    let told = run(&room, "compare three -V within --levels random --seed 7 -n 64 --all --json");
    for step in json(&told)["levels"][0]["measures"]["steps"].as_array().expect("steps") {
        assert_eq!(step["difference"]["mean"], 0.0, "{step}");
    }
    let told = run(&room, "simulate three -V within --seed 7 -n 20 --coverage");
    assert!(!told.out.contains("the step `turn`") && !is_told(&told), "{}{}", told.out, told.err);
}

/// Tables tell lines: blocks of pages with other lines do not lie side by side.
#[test]
fn a_comment_makes_another_key() {
    let room = room();
    let block = |from: &str| {
        let words =
            format!("simulate three -n 20 --seed 7 --tables decisions --from {from} --count 10 --parts p");
        assert_eq!(run(&room, &words).code, 0);
    };
    block("0");
    room.write("three/rules.blazon", format!("-- A comment.\n{THREE}"));
    block("10");
    let merged = run(&room, "merge p --data m");
    assert!(merged.code == 2 && merged.err.contains("there are parts of several runs"), "{}", merged.err);
    let key =
        merged.err.split("--run ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a key").to_owned();
    let other =
        merged.err.split("--run ").nth(2).and_then(|rest| rest.split(' ').next()).expect("a key").to_owned();
    let told = [key, other].map(|key| run(&room, &format!("merge p --run {key} --so-far --data m")).err);
    assert!(
        told.iter()
            .any(|err| err.contains("the pages of Three 1.0.0 have other comments, lines or names here")),
        "{told:?}"
    );
}

/// An honest report of games that failed is held against its own tables, and nothing in it is wrong.
#[test]
fn reports_of_broken_games_are_worked_out_once_more() {
    let room = room();
    let check = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/report/check.py");
    for variant in ["crash", "never", "loops", "at-once"] {
        let words =
            format!("compare three -V {variant} --levels random --seed 5 -n 128 --all --report r.html");
        run(&room, &words);
        let told = run(&room, &format!("{words} --json"));
        room.write("r.json", &told.out);
        let files = [room.path("r.html"), room.path("r.json")];
        let checked = match std::process::Command::new("python3").arg(&check).args(&files).output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            checked => checked.expect("Python runs"),
        };
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{variant}: {said}");
        // What is narrower than games allow that came to no end is found.
        if variant == "crash" {
            let page = std::fs::read_to_string(&files[0]).expect("a report");
            let row = page.find("data-table=\"differences\"").expect("a table");
            let body = row + page[row..].find("<tbody").expect("rows");
            let sums = body + page[body..].find("data-sums=\"").expect("sums") + "data-sums=\"".len();
            let end = sums + page[sums..].find('"').expect("an end");
            let whole = format!("{}0 128 0 0 128 0{}", &page[..sums], &page[end..]);
            room.write("r.html", whole);
            let checked =
                std::process::Command::new("python3").arg(&check).arg(&files[0]).output().expect("it runs");
            assert_eq!(checked.status.code(), Some(1));
        }
    }
}
