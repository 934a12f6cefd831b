//! Runs in blocks: `--from A --count N --parts FOLDER`, and `blazon merge`.

use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Room, Run};

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

/// The words of a run of 100 games with all tables.
const GAMES: [&str; 6] = ["simulate", "two-rivers", "--seed", "4", "-n", "100"];

fn block(room: &Room, words: &[&str], from: &str, count: &str, folder: &str) -> Run {
    room.run(&[words, &["--from", from, "--count", count, "--parts", folder]].concat(), "")
}

/// A folder with three blocks of all games.
fn parts(room: &Room, folder: &str, words: &[&str]) {
    for (from, count) in [("70", "40"), ("0", "35"), ("35", "35")] {
        let run = block(room, words, from, count, folder);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    }
}

/// The files of parts in a folder, in order.
fn files(room: &Room, folder: &str) -> Vec<PathBuf> {
    let entries = room.path(folder).read_dir().expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "part")).collect();
    paths.sort();
    paths
}

/// What is told that does not hang on time and threads.
fn figures(run: &Run) -> Value {
    let mut told = json(run);
    told["seconds"].take();
    told["threads"].take();
    told
}

#[test]
fn blocks_come_to_what_one_run_comes_to() {
    let room = Room::new();
    let with_tables = [&GAMES[..], &["--tables", "games,decisions,events"]].concat();
    parts(&room, "parts", &with_tables);
    let whole = room.run(&[&GAMES[..], &["--data", "one", "--json"]].concat(), "");
    let merged = room.run(&["merge", "parts", "--data", "merged", "--json"], "");
    assert_eq!((merged.code, merged.err.as_str()), (0, ""));
    assert_eq!(figures(&whole), figures(&merged));
    for table in ["games.csv", "decisions.csv", "events.csv"] {
        let read = |folder: &str| std::fs::read(room.path(&format!("{folder}/{table}"))).expect("a table");
        assert!(read("one") == read("merged"), "{table}");
    }
    // The text, too, but for the time.
    let whole = room.run(&GAMES, "").out;
    let merged = room.run(&["merge", "parts"], "").out;
    assert_eq!(
        whole.lines().take(merged.lines().count()).collect::<Vec<_>>(),
        merged.lines().collect::<Vec<_>>()
    );
    // One file of games, and no other form than the parts have.
    assert_eq!(room.run(&["merge", "parts", "-o", "games.csv"], "").code, 0);
    let run = room.run(&["merge", "parts", "-o", "games.jsonl"], "");
    assert_eq!((run.code, run.err.contains("they cannot be written as jsonl")), (2, true), "{}", run.err);
}

#[test]
fn a_block_is_the_same_bytes_whenever_it_is_played() {
    let room = Room::new();
    parts(&room, "one", &GAMES);
    parts(&room, "two", &[&GAMES[..], &["-j", "3"]].concat());
    for (one, two) in files(&room, "one").iter().zip(files(&room, "two")) {
        assert_eq!(one.file_name(), two.file_name());
        assert!(std::fs::read(one).expect("a part") == std::fs::read(two).expect("a part"));
    }
    // What is there is not played again, unless it is to be held against.
    let again = block(&room, &GAMES, "0", "35", "one");
    assert!(again.out.contains("games 0 to 34, was there"), "{}", again.out);
    let again = block(&room, &[&GAMES[..], &["--again", "--json"]].concat(), "0", "35", "one");
    assert_eq!((json(&again)["was_there"].as_bool(), json(&again)["count"].as_u64()), (Some(true), Some(35)));
    // In two folders every block is there twice.
    let look = room.run(&["merge", "one", "two", "--look"], "");
    assert_eq!(look.code, 0, "{}", look.err);
    assert!(look.out.contains("100 of 100 games in 3 parts, 3 of them there more than once"), "{}", look.out);
    let manifest = std::fs::read_to_string(room.path("one/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("it is JSON");
    assert_eq!(manifest["runs"][0]["parts"][0]["copies"], 2);
    assert_eq!(manifest["runs"][0]["missing"], serde_json::json!([]));
}

#[test]
fn what_is_missing_or_damaged_is_told_and_how_to_mend_it() {
    let room = Room::new();
    parts(&room, "parts", &GAMES);
    let middle = &files(&room, "parts")[1];
    let bytes = std::fs::read(middle).expect("a part");
    std::fs::write(middle, &bytes[..bytes.len() - 1]).expect("it can be cut off");
    let run = room.run(&["merge", "parts"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("counts for nothing: it is not whole"), "{}", run.err);
    assert!(
        run.err.contains("35 of 100 games are missing")
            && run.err.contains(
                "blazon simulate two-rivers --players random -n 100 --seed 4 --from 35 --count 35 --parts FOLDER"
            ),
        "{}",
        run.err
    );
    // Of the others it may be told.
    let some = room.run(&["merge", "parts", "--so-far", "--json"], "");
    assert_eq!(
        (some.code, json(&some)["games"].as_u64(), json(&some)["asked"].as_u64()),
        (0, Some(65), Some(100))
    );
    // The block is played again where its file is damaged, and says so.
    let run = block(&room, &GAMES, "35", "35", "parts");
    assert!(run.code == 0 && run.err.contains("is played again: it is not whole"), "{}", run.err);
    assert_eq!(room.run(&["merge", "parts"], "").code, 0);
}

#[test]
fn what_differs_stops_the_merge() {
    let room = Room::new();
    parts(&room, "one", &GAMES);
    // The same name and the same words, but somebody else's game of it: as if a machine had another program.
    crate::common::copy(&room.path("two-rivers"), &room.path("kept"));
    let page = std::fs::read_to_string(room.path("two-rivers/1-things.blazon")).expect("a page");
    room.write("two-rivers/1-things.blazon", page.replace("0..9", "0..8"));
    parts(&room, "two", &GAMES);
    let run = room.run(&["merge", "one"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("the rules of Two Rivers 1.0.0 have other words here"), "{}", run.err);
    let run = room.run(&["merge", "one", "two"], "");
    assert!(run.code == 2 && run.err.contains("parts of several runs"), "{}", run.err);
    assert_eq!(room.run(&["merge", "one", "--game", "kept"], "").code, 0);
    // Another block under the same numbers: the one cut out of it overlaps.
    room.write("two-rivers/1-things.blazon", page);
    let run = block(&room, &GAMES, "10", "40", "one");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = room.run(&["merge", "one"], "");
    assert!(run.code == 1 && run.err.contains("overlap in 25 numbers from 10 on"), "{}", run.err);
}

#[test]
fn a_comparison_is_sure_at_the_same_pair() {
    let room = Room::new();
    let words =
        ["compare", "two-rivers", "-V", "floods", "--levels", "random", "--seed", "4", "--pairs", "600"];
    let whole = room.run(&[&words[..], &["--json"]].concat(), "");
    // The last one ends with the run.
    for (from, count) in [("384", "256"), ("0", "192"), ("192", "192")] {
        assert_eq!(block(&room, &words, from, count, "parts").code, 0);
    }
    let merged = room.run(&["merge", "parts", "--json"], "");
    assert_eq!((merged.code, merged.err.as_str()), (0, ""));
    assert_eq!(json(&whole), json(&merged));
    // All pairs, of which the last block is missing.
    let all = [&words[..], &["--all"]].concat();
    for from in ["0", "192"] {
        assert_eq!(block(&room, &all, from, "192", "all").code, 0);
    }
    let run = room.run(&["merge", "all"], "");
    assert!(run.code == 1 && run.err.contains("(--all), and the parts end after 384 pairs"), "{}", run.err);
    let next = "--pairs 600 --seed 4 --all --from 384 --count 192 --parts FOLDER";
    assert!(run.err.contains(next), "{}", run.err);
    let run = room.run(&["merge", "nowhere"], "");
    assert!(run.code == 3 && run.err.contains("there is no folder `nowhere`"), "{}", run.err);
    room.write("file", "");
    let run = room.run(&["merge", "file"], "");
    assert!(run.code == 3 && run.err.contains("`file` is no folder; parts lie in one"), "{}", run.err);
    let look = json(&room.run(&["merge", "all", "--look", "--json"], ""));
    assert_eq!((&look["schema"], &look["of"]), (&1.into(), &600.into()));
    assert_eq!(look["missing"], serde_json::json!([[384, 216]]));
    assert_eq!(json(&room.run(&["merge", "all", "--so-far", "--json"], ""))["levels"][0]["pairs"], 384);
    // The run is made longer, and then judged otherwise.
    let longer: Vec<&str> = words.iter().map(|word| if *word == "600" { "1000" } else { word }).collect();
    for (from, count) in [("0", "64"), ("64", "64")] {
        let words = if from == "0" { &words[..] } else { &longer };
        assert_eq!(block(&room, words, from, count, "longer").code, 0);
    }
    assert_eq!(json(&room.run(&["merge", "longer", "--look", "--json"], ""))["of"], 1000);
    let told = json(&room.run(&["merge", "longer", "--so-far", "--json"], ""));
    assert_eq!(told["levels"][0]["most"], 1000);
    let other = [&longer[..], &["--points", "5"]].concat();
    assert_eq!(block(&room, &other, "128", "64", "longer").code, 0);
    let run = room.run(&["merge", "longer", "--so-far"], "");
    let said = "to be judged otherwise than each other: --points 2 --error 5 or --points 5 --error 5; say which it is";
    assert!(run.code == 2 && run.err.contains(said), "{}", run.err);
    let told = json(&room.run(&["merge", "longer", "--so-far", "--json", "--points", "10"], ""));
    assert_eq!((&told["points"], &told["error"]), (&10.0.into(), &5.0.into()));
    let run = room.run(&["merge", "longer", "--points", "-3"], "");
    assert!(run.code == 2 && !run.err.contains("tip:"), "{}", run.err);
    // Blocks of two sizes lie across each other.
    assert_eq!(block(&room, &words, "0", "128", "longer").code, 0);
    let run = room.run(&["merge", "longer", "--so-far", "--points", "2"], "");
    assert!(run.code == 1 && run.err.contains("move one of the two elsewhere"), "{}", run.err);
    for (args, words) in [
        (&["--from", "10", "--count", "64"][..], "a block is a multiple of 64"),
        (&["--from", "640", "--count", "64"], "is behind the end"),
    ] {
        let run = room.run(&[&words_of(&["--pairs", "600"])[..], args, &["--parts", "x"]].concat(), "");
        assert!(run.code == 2 && run.err.contains(words), "{}", run.err);
    }
    let run = room.run(
        &[
            "compare",
            "two-rivers",
            "-V",
            "floods",
            "--seed",
            "4",
            "--from",
            "0",
            "--count",
            "64",
            "--parts",
            "x",
        ],
        "",
    );
    assert!(run.code == 2 && run.err.contains("a block is of one level"), "{}", run.err);
}

fn words_of<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let words = ["compare", "two-rivers", "-V", "floods", "--levels", "random", "--seed", "4"];
    [&words[..], more].concat()
}

#[test]
fn a_ladder_in_blocks() {
    let room = Room::new();
    let words = ["ladder", "two-rivers", "--players", "random,even,greedy@20", "-n", "10", "--seed", "3"];
    let whole = room.run(&[&words[..], &["--json"]].concat(), "");
    for from in ["0", "13", "26"] {
        assert_eq!(block(&room, &words, from, "13", "parts").code, 0);
    }
    let merged = room.run(&["merge", "parts", "--json", "-o", "ladder.md"], "");
    assert_eq!((json(&whole), merged.code), (json(&merged), 0));
    let run = room.run(&["merge", "parts", "--data", "x"], "");
    assert!(run.code == 2 && run.err.contains("these are parts of `blazon ladder`"), "{}", run.err);
}

/// Parts of strangers say which command they are of: what that may reach is what this command line names.
#[test]
fn a_part_names_no_folder_and_writes_nothing() {
    let room = Room::new();
    parts(&room, "parts", &GAMES);
    let file = &files(&room, "parts")[0];
    let text = std::fs::read_to_string(file).expect("a part without tables is text");
    for (words, code, said) in [
        (r#"["simulate","../two-rivers","--seed","4"]"#, 2, "say where these lie here (--game PATH)"),
        (r#"["simulate","two-rivers","-V","/etc","--seed","4"]"#, 2, "say where these lie here (-V PATH)"),
        (r#"["serve"]"#, 1, "is none that plays games"),
        (r#"["simulate","two-rivers","--seed","4","-o","x.csv"]"#, 1, "is none that plays games"),
        (r#"["simulate","two-rivers","--seed","4","--lcov","x.info"]"#, 0, ""),
        (r#"["simulate","two-rivers","--seed","4","--library","."]"#, 1, "is none that plays games"),
        (r#"["\u001b[31m"]"#, 1, "is none that plays games"),
    ] {
        let begin = text.find("\"words\":").expect("words") + "\"words\":".len();
        let end = begin + text[begin..].find(']').expect("their end") + 1;
        let other = format!("{}{words}{}", &text[..begin], &text[end..]);
        std::fs::write(file, other).expect("it can be written");
        let run = room.run(&["merge", "parts"], "");
        assert_eq!((run.code, run.err.contains(said)), (code, true), "{words}: {} {}", run.out, run.err);
        assert!(!run.err.contains('\u{1b}') && !run.out.contains('\u{1b}'), "{}", run.err);
        assert!(!room.path("x.csv").exists() && !room.path("x.info").exists());
    }
    // A manifest of something else is not written over.
    room.write("parts/manifest.json", "{\"name\": \"an app\"}");
    let run = room.run(&["merge", "parts"], "");
    assert!(run.code == 3 && run.err.contains("tells of no parts"), "{}", run.err);
    let run = room.run(&[&GAMES[..], &["--from", "0", "--count", "9"]].concat(), "");
    assert!(run.code == 2 && run.err.contains("--parts"), "{}", run.err);
}

/// Of a comparison the variants beneath may lie elsewhere, too, and are named as the parts ask.
#[test]
fn what_lies_beneath_is_named_where_it_lies() {
    let room = Room::new();
    crate::common::copy(&room.path("two-rivers/variants/floods"), &room.path("elsewhere"));
    let words = ["compare", "two-rivers", "--beneath", "./elsewhere", "--apart", "--levels", "random"];
    let words = [&words[..], &["--seed", "4", "--pairs", "64"]].concat();
    let run = block(&room, &words, "0", "64", "parts");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = room.run(&["merge", "parts"], "");
    assert!(run.code == 2 && run.err.contains("say where these lie here (--beneath PATH)"), "{}", run.err);
    let merged = room.run(&["merge", "parts", "--beneath", "./elsewhere", "--json"], "");
    assert_eq!(json(&merged), json(&room.run(&[&words[..], &["--json"]].concat(), "")));
    let run = room.run(&["merge", "parts", "--beneath", "./elsewhere", "--out", "x.csv"], "");
    assert!(run.code == 2 && run.err.contains("--report or --json"), "{}", run.err);
}

/// Who stops a block is told that nothing of it is kept; nothing is.
#[cfg(unix)]
#[test]
fn an_interrupted_block_is_no_block() {
    let studies: [&[&str]; 2] = [
        &["simulate", "two-rivers", "--players", "search@100000", "-n", "100"],
        &["compare", "two-rivers", "-V", "floods", "--levels", "search@100000", "--all", "-n", "640"],
    ];
    for study in studies {
        let room = Room::new();
        let words = ["--seed", "4", "--from", "0", "--count", "64", "--parts", "parts"];
        let child = room.start(&[study, &words].concat());
        while !room.path("parts").is_dir() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().expect("it is interrupted");
        let run = Run::of(child);
        let told = "the block was not played to its end, and nothing of it is kept";
        assert_eq!((run.code, run.out.as_str()), (130, ""), "{}", run.err);
        assert!(run.err.contains(told), "{}", run.err);
        assert_eq!(room.path("parts").read_dir().expect("a folder").count(), 0);
    }
}
