//! What a change does, and how strong programs are.

use std::io::{BufRead, BufReader, Read};

use serde_json::Value;

use crate::common::{Room, Run};

fn compare(room: &Room, args: &[&str]) -> Run {
    let mut all = vec!["compare", "two-rivers", "--seed", "4", "--levels", "random"];
    all.extend(args);
    room.run(&all, "")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

#[test]
fn a_variant_against_its_game() {
    let room = Room::new();
    let run = compare(&room, &["-V", "floods", "-n", "500", "--all"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    for words in [
        "Two Rivers",
        "what `Floods` does, seed 4\n",
        "random against random: 500 pairs of games\n",
        "95 % at all times",
        "all 500 pairs part",
        "Sure to 95 in 100",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn the_same_on_any_number_of_threads_and_as_data() {
    let room = Room::new();
    let told = |threads: &str| {
        json(&compare(&room, &["-V", "floods", "-n", "300", "--all", "--json", "-j", threads]))
    };
    let one = told("1");
    assert_eq!(one, told("3"));
    assert_eq!((&one["schema"], &one["levels"][0]["pairs"]), (&1.into(), &300.into()));
    let players = one["levels"][0]["players"].as_array().expect("players").clone();
    for player in &players {
        let number = |key: &str| player[key].as_f64().expect("a number");
        let won = [&player["won"][0], &player["won"][1]].map(|won| won.as_f64().expect("a number"));
        assert!((number("difference") - (won[1] - won[0]) / 300.0).abs() < 1e-12, "{player}");
        assert_eq!(number("won_by_change") - number("lost_by_change"), won[1] - won[0]);
    }
}

#[test]
fn a_copy_against_the_game() {
    let room = Room::new();
    crate::common::copy(&room.path("two-rivers"), &room.path("mine"));
    let text = std::fs::read_to_string(room.path("mine/1-things.blazon")).expect("a page");
    room.write("mine/1-things.blazon", text.replace("0..9", "0..8"));
    let run = room.run(
        &[
            "compare",
            "mine",
            "--base",
            "two-rivers",
            "--seed",
            "4",
            "--levels",
            "random",
            "-n",
            "100",
            "--all",
        ],
        "",
    );
    assert_eq!(run.code, 0, "{} {}", run.out, run.err);
    assert!(run.out.contains("100 pairs of games"), "{}", run.out);
}

#[test]
fn what_cannot_be_compared_says_why() {
    let room = Room::new();
    for (args, words) in [
        (&["compare", "two-rivers"][..], "nothing is changed: name a variant (-V)"),
        (
            &["compare", "two-rivers", "-R", "crowds=no"],
            "nothing is changed: `crowds = no` is what is played already",
        ),
        (&["serve", "two-rivers", "-s", "Noon", "--data", "tables"], "there is no setup `Noon`"),
        (&["compare", "two-rivers", "-V", "nowhere"], "nowhere"),
        (&["compare", "two-rivers", "-V", "floods", "--levels", "human"], "nobody is called `human`"),
        (
            &["compare", "two-rivers", "-V", "floods", "--levels", "greedy,greedy@400"],
            "`greedy@400` plays as `greedy` (--levels): it would play the same games",
        ),
        (
            &["ladder", "two-rivers", "--players", "greedy@400,greedy"],
            "`greedy@400` and `greedy` play the same (--players)",
        ),
        (
            &["compare", "two-rivers", "-V", "floods", "--points", "0"],
            "write a number of points in a hundred games",
        ),
        (&["compare", "two-rivers", "-V", "floods", "--error", "60"], "write a number of percent"),
        (&["compare", "two-rivers", "-V", "floods", "--levels", "greedy:hope"], "there is no rule `hope`"),
        (&["simulate", "two-rivers", "--players", "greedy:hope"], "there is no rule `hope`"),
        (&["play", "two-rivers", "--players", "search:hope"], "there is no rule `hope`"),
        (&["ladder", "two-rivers", "--players", "random"], "one player alone makes no ladder"),
        (&["ladder", "two-rivers", "--players", "random,greedy:hope"], "there is no rule `hope`"),
        (&["ladder", "two-rivers", "--players", "random@3"], "tries no positions"),
    ] {
        let run = room.run(args, "");
        assert_eq!(run.code, 2, "{args:?}: {} {}", run.out, run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_ladder_changes_seats() {
    let room = Room::new();
    let args = ["ladder", "two-rivers", "--players", "random,even", "-n", "40", "--seed", "3"];
    let run = room.run(&args, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("Elo, 95 % interval") && run.out.contains("won as North"), "{}", run.out);
    let told = json(&room.run(&[&args[..], &["--json", "-j", "1"]].concat(), ""));
    let again = json(&room.run(&[&args[..], &["--json", "-j", "3"]].concat(), ""));
    assert_eq!(told, again);
    assert_eq!(told["meetings"][0]["games"], 80);
    assert_eq!(told["meetings"][0]["seats"][0][0], 40);
    // The file is written, and nothing else is written over.
    let write = [&args[..], &["-o", "ladder.md"]].concat();
    assert_eq!(room.run(&write, "").code, 0);
    let text = std::fs::read_to_string(room.path("ladder.md")).expect("a ladder");
    assert!(text.contains("| `even` |") && text.contains("blazon ladder two-rivers"), "{text}");
    room.write("ladder.md", "a diary");
    let run = room.run(&write, "");
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("is no ladder"), "{}", run.err);
}

/// What was found before an interruption makes a report, but takes no place of a whole one.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_leaves_a_whole_report() {
    let room = Room::new();
    assert_eq!(compare(&room, &["-V", "floods", "-n", "100", "--all", "--report", "out.html"]).code, 0);
    let whole = std::fs::read_to_string(room.path("out.html")).expect("a report");
    let long = ["compare", "two-rivers", "--seed", "4", "--levels", "random,search@100000", "-V", "floods"];
    for file in ["out.html", "part.html"] {
        let mut child = room.start(&[&long[..], &["--all", "-n", "100", "--report", file]].concat());
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        // The first level is told as it is done; the second takes long.
        while !told.contains("random against random") {
            assert!(out.read_line(&mut told).unwrap() > 0, "{told}");
        }
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().expect("it is interrupted");
        out.read_to_string(&mut told).unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{err}");
        let is_kept = err.contains("`out.html` is as it was: this comparison was interrupted");
        assert_eq!(is_kept, file == "out.html", "{err}");
    }
    assert_eq!(std::fs::read_to_string(room.path("out.html")).expect("a report"), whole);
    let part = std::fs::read_to_string(room.path("part.html")).expect("a report");
    assert!(part.contains("stopped before it was done"), "it says so");
}

#[test]
fn a_report_to_look_at() {
    let room = Room::new();
    let run = compare(&room, &["-V", "floods", "-n", "100", "--all", "--report", "out.html"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let page = std::fs::read_to_string(room.path("out.html")).expect("a report");
    for words in
        ["<!DOCTYPE html>", "Two Rivers + Floods", "blazon compare two-rivers -V floods --levels random"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("<script") && !page.contains("src=\"http"), "{page}");
    // The same again is the same, and is written over; nothing else is.
    assert_eq!(
        compare(&room, &["-V", "floods", "-n", "100", "--all", "--report", "out.html", "-j", "1"]).code,
        0
    );
    assert_eq!(std::fs::read_to_string(room.path("out.html")).expect("a report"), page);
    room.write("out.html", "<!DOCTYPE html><title>A diary</title>");
    let run = compare(&room, &["-V", "floods", "--report", "out.html"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("is no report"), "{}", run.err);
}

/// The first line of what the first parted pairs were parted by, its blanks as one.
fn blamed(room: &Room, more: &[&str]) -> String {
    let mut args = vec!["compare", "sun", "--seed", "1", "--levels", "random", "-n", "64", "--all"];
    args.extend(more);
    let run = room.run(&args, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let mut lines = run.out.lines().skip_while(|line| !line.contains("first parted by"));
    let line = lines.nth(1).unwrap_or_default();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// No line of a variant is to blame for what a ruling does.
#[test]
fn a_ruling_is_to_blame_beside_a_variant() {
    let room = crate::common::sun();
    let ruling = "no line alone a ruling, or the change as a whole 64";
    assert_eq!(blamed(&room, &["-R", "sun=no"]), ruling);
    assert_eq!(blamed(&room, &["-R", "sun=no", "-V", "quiet"]), ruling);
    assert_eq!(blamed(&room, &["-V", "other"]), "other/blazon.ron:4 ruling sun = no 64");
}

/// What paragraphs are called parts no game, nor does a test on a page; and what the test needs may stand among the tests.
#[test]
fn outlines_and_tests_are_not_to_blame() {
    let room = crate::common::sun();
    crate::common::for_bob(&room);
    assert_eq!(blamed(&room, &["-V", "bob"]), "bob/a.blazon:2 replace rule lucky: player = Bob @X.1 64");
}

/// An option that is gone is told as such, and a setup that only one side has is told of the other.
#[test]
fn what_only_one_side_has_is_told() {
    let room = crate::common::sun();
    room.write("late/blazon.ron", "Variant(name: \"Late\", game: \"Sun\")\n");
    room.write("late/a.blazon", "setup Late { }\nin step whole { remove option stay }\n");
    let args = ["compare", "sun", "-V", "late", "--seed", "1", "--levels", "random", "-n", "64", "--all"];
    let run = room.run(&args, "");
    let told: Vec<&str> = run.out.lines().filter(|line| line.trim_start().starts_with("stay")).collect();
    assert!(told.len() == 1 && told[0].contains(" gone "), "{}{}", run.out, run.err);
    let run = room.run(&["compare", "sun", "-V", "late", "-s", "Late"], "");
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("the rules as they were: there is no setup `Late`"), "{}", run.err);
    let run = room.run(&["compare", "sun", "-V", "late", "-s", "Noon"], "");
    assert!(run.err.contains("error: there is no setup `Noon`"), "{}", run.err);
}

/// Two choices: the second is none any more where the limit is 1, and its one option is done in every game.
const FORCED: &str = r#"kind side = Red, Blue
setup Start { }
state coins: 0..9
fact limit: number = 2
step game {
  choose by Red "First?" {
    option take "Takes one" { coins += 1 }
    option leave "Leaves it" { }
  }
  choose by Red "Then?" {
    option again "Takes one more" { coins += 1 }
    option grab "Takes two" needs room: limit > 1 else "there is one"
    { coins += 2 }
  }
  if coins > 1 { win(Red) }
  win(Blue)
}
"#;

#[test]
fn what_is_done_unasked_was_open() {
    let room = Room::empty();
    let game = "Game(name: \"Coins\", version: \"1.0.0\", player: \"side\", begins: \"game\", uses: [])";
    room.write("coins/blazon.ron", game);
    room.write("coins/coins.blazon", FORCED);
    let variant = "Variant(name: \"One\", version: \"1.0.0\", game: \"Coins\")";
    room.write("coins/variants/one/blazon.ron", variant);
    room.write("coins/variants/one/one.blazon", "replace fact limit: number = 1\n");
    let run =
        room.run(&["compare", "coins", "-V", "one", "-n", "30", "--levels", "random", "--seed", "1"], "");
    assert!(
        run.out.contains("  never open by the changed rules: `grab` in `game`\n"),
        "{}{}",
        run.out,
        run.err
    );
}
