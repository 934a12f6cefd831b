//! `blazon table`: tables as printed, single cells, dice.

use crate::common::{Room, Run};

fn table(args: &[&str]) -> Run {
    let room = Room::with("long-march");
    let mut all = vec!["table", "long-march"];
    all.extend(args);
    room.run(&all, "")
}

#[test]
fn a_table_is_printed_as_it_is_printed() {
    let run = table(&["losses on the march"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "Losses on the march",
            "  arm    | ..0  1..2  3..5  6",
            "  Foot   | -    -     .1    1/2",
            "  Horse  | -    .1    1/2   -1/0",
        ]
    );
    // By the name of the rule, too; and without a title all are listed.
    assert_eq!(table(&["LOSSES"]).out, run.out);
    let all = table(&[]);
    assert_eq!(all.out, "Losses on the march  losses\ndays\n", "{}", all.err);
}

#[test]
fn one_cell_is_asked() {
    let cell = |args: &[&str]| {
        let run = table(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        run.out.trim_end().to_owned()
    };
    assert_eq!(cell(&["losses", "--row", "Foot", "--column", "6"]), "1/2");
    assert_eq!(cell(&["losses", "-r", "horse", "-c", "-1"]), "-");
    assert_eq!(cell(&["days", "--row", "Foot, 3"]), "4");
    let json: serde_json::Value =
        serde_json::from_str(&cell(&["losses", "--row", "Horse", "--column", "6", "--json"])).expect("JSON");
    assert_eq!((json["rule"].as_str(), json["value"].as_str()), (Some("losses"), Some("-1/0")));
    let whole: serde_json::Value = serde_json::from_str(&cell(&["losses", "--json"])).expect("JSON");
    assert_eq!(whole["columns"][1], "..0");
    assert_eq!(whole["rows"][1][4], "-1/0");
}

#[test]
fn what_is_not_in_it_is_said() {
    for (args, code, words) in [
        (&["losess"] as &[&str], 2, "did you mean `losses`?"),
        (&["march"], 2, "is it `Losses on the march`?"),
        (&["weather"], 2, "without a title all tables are listed"),
        (&["losses", "--row", "Hores", "--column", "1"], 2, "did you mean `Horse`?"),
        (&["losses", "--row", "Foot"], 2, "say which column: `..0`, `1..2`, `3..5` and `6`"),
        (&["losses", "--column", "1"], 2, "say which row: `Foot` and `Horse`"),
        (&["losses", "--row", "Foot", "--column", "9"], 1, "9 lies outside the table"),
        (&["losses", "--row", "Foot", "--column", "x"], 2, "`x` is no number"),
        (&["losses", "--row", "Foot, 3", "--column", "1"], 2, "no arm is called `Foot, 3`"),
        (&["days", "--row", "Foot"], 2, "a row is said by its `arm` and `die`, with commas"),
        (&["days", "--row", "Foot, 4"], 1, "the table has no row for"),
        (&["days", "--row", "Foot, 3", "--column", "1"], 2, "this table has one column"),
    ] {
        let run = table(args);
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}

#[test]
fn what_a_rule_is_never_asked_is_no_cell() {
    let room = Room::with("long-march");
    let page = "rule rush price(a: arm, n: 1..4): 0..3\n  | a     | 1 | 2.. |\n  | Foot  | 1 | 2   |\n  | Horse | 0 | 3   |\n\
                before march { if rush price(Foot, 2) > 1 { say \"dear\" } }\n";
    room.write("long-march/price.blazon", page);
    let ask = |column: &str| room.run(&["table", "long-march", "rush price", "-r", "Foot", "-c", column], "");
    assert_eq!((ask("4").code, ask("4").out.trim()), (0, "2"), "{}", ask("4").err);
    let run = ask("7");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("7 never fits `n` of `rush price`, which is 1..4"), "{}", run.err);
}

#[test]
fn tables_are_rolled() {
    let roll = |args: &[&str]| {
        let mut all = vec!["losses", "--row", "Foot", "--seed", "4", "--roll"];
        all.extend(args);
        table(&all)
    };
    let one = roll(&["d6"]);
    assert_eq!(one.code, 0, "{}", one.err);
    assert!(one.out.starts_with("die by d6: "), "{}", one.out);
    assert_eq!(one.out, roll(&["d6"]).out);
    let many = roll(&["d6", "--plus", "-2", "--times", "6000"]);
    assert_eq!(many.code, 0, "{}", many.err);
    let mut lines = many.out.lines();
    assert_eq!(lines.next(), Some("die by d6 - 2, 6000 times:"));
    let values: Vec<&str> = lines.map(|line| line.split(' ').next().unwrap_or("")).collect();
    assert_eq!(values, ["-", ".1"], "{}", many.out);
    let out = roll(&["d6", "--plus", "7"]);
    assert_eq!(out.code, 1);
    assert!(out.err.contains("lies outside the table, whose columns are"), "{}", out.err);
    let leading = table(&["days", "--row", "Horse", "--roll", "d3", "--seed", "1"]);
    assert!(leading.out.ends_with(": 2\n"), "{}{}", leading.out, leading.err);
    assert_eq!(roll(&["d0"]).code, 2);
}

/// What is not said is rolled, and named.
#[test]
fn the_row_is_rolled_where_the_column_is_said() {
    let room = Room::with("long-march");
    let page = "rule fire(die: 1..6, odds: 1..2): 0..9 \"Fire\"\n  | die  | 1 | 2 |\n  | 1..3 | 4 | 5 |\n  | 4..6 | 7 | 8 |\n\
                rule weather(die: 1..6): 0..9\n  | 1..5 | 6 |\n  | 0    | 1 |\n\
                before march { if fire(1, 2) > 6 or weather(2) > 1 { say \"loud\" } }\n";
    room.write("long-march/fire.blazon", page);
    let roll = |title: &str, args: &[&str]| {
        let mut all = vec!["table", "long-march", title, "--seed", "1", "--roll", "d6"];
        all.extend(args);
        room.run(&all, "")
    };
    let many = roll("fire", &["-c", "2", "--times", "600"]);
    assert_eq!(many.code, 0, "{}", many.err);
    let firsts: Vec<&str> = many.out.lines().map(|line| line.split("  ").next().unwrap_or("")).collect();
    assert_eq!(firsts, ["die by d6, 600 times:", "5", "8"]);
    let json: serde_json::Value =
        serde_json::from_str(&roll("fire", &["-c", "1", "--json"]).out).expect("JSON");
    assert_eq!((json["rolls"].as_str(), json["rule"].as_str()), (Some("die"), Some("fire")));
    // What lies beside the table is counted, too; and rows and columns are named as they are printed.
    let beside = roll("fire", &["-c", "1", "--plus", "2", "--times", "600"]);
    assert_eq!(beside.code, 0, "{}", beside.err);
    let last = beside.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("(outside the table)  "), "{}", beside.out);
    let cell = |args: &[&str]| room.run(&[&["table", "long-march", "fire"], args].concat(), "");
    assert_eq!(cell(&["-r", "4..6", "-c", "2"]).out.trim(), "8");
    assert_eq!(table(&["losses", "-r", "Foot", "-c", "..0"]).out.trim(), "-");
    assert!(roll("fire", &["-r", "1..3", "--plus", "-9"]).err.contains("lies outside the table"));
    // The column, where the row is said; and where the table is read by one value, nothing need be named.
    let column = roll("fire", &["-r", "5", "--plus", "-9"]);
    assert!(column.err.contains("lies outside the table, whose columns are"), "{}{}", column.out, column.err);
    assert!(roll("weather", &[]).out.starts_with("d6: "), "{}", roll("weather", &[]).err);
    for (title, args, words) in [
        ("fire", &["-c", "1", "-r", "5"] as &[&str], "the row is rolled: say only the column"),
        ("fire", &[], "say which row: `1..3` and `4..6`"),
        ("weather", &["-c", "2"], "the table has no rows to roll"),
        ("losses", &["-c", "2"], "`arm` would be rolled, and it is no number: say the others"),
    ] {
        let run = roll(title, args);
        assert_eq!(run.code, 2, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}

#[test]
fn grids_and_files_are_printed_with_the_rest() {
    let room = Room::with("long-march");
    let run = room.run(&["print", "long-march"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "grid side line by number, even columns low",
        "links side line (river: yes)",
        "| Brookend | 0204 |",
        "rule losses(arm: arm, die: -1..6): toll \"Losses on the march\"",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    let row = run.out.lines().find(|line| line.contains("| Camber Sands |")).unwrap_or_default();
    assert!(row.starts_with("game/hexes.tsv:"), "{row}");
}
