//! Tables of games: `blazon simulate --data`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Room, Run};

/// Runs `blazon simulate` with a game and more.
fn simulate(room: &Room, args: &[&str]) -> Run {
    let mut all = vec!["simulate", "two-rivers", "--seed", "4"];
    all.extend(args);
    room.run(&all, "")
}

fn read(room: &Room, name: &str) -> String {
    std::fs::read_to_string(room.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rows of a table of CSV, cells by column.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    // No cell of these tests has a comma or a quote but those in quotes.
    let cells = |line: &str| {
        let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                other => cell.push(other),
            }
        }
        cells.push(cell);
        cells
    };
    let mut lines = text.lines().map(cells);
    let heads = lines.next().expect("there is a line of names");
    lines.map(|line| heads.iter().cloned().zip(line).collect()).collect()
}

fn json_rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
}

/// Names of what is in a folder.
fn inside(room: &Room, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = room
        .path(folder)
        .read_dir()
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn three_tables_and_what_they_are() {
    let room = Room::new();
    let run = simulate(&room, &["-n", "40", "--data", "out/tables", "--players", "North=even,South=random"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(inside(&room, "out/tables"), ["decisions.csv", "events.csv", "games.csv", "schema.json"]);
    let games = rows(&read(&room, "out/tables/games.csv"));
    let decisions = rows(&read(&room, "out/tables/decisions.csv"));
    let events = rows(&read(&room, "out/tables/events.csv"));
    assert_eq!(games.len(), 40);
    assert_eq!((games[0]["plays_North"].as_str(), games[0]["plays_South"].as_str()), ("even", "random"));
    assert_eq!(games[0]["setup"], "Spring");
    // Decisions are numbered in each game, and are as many as its row tells.
    let taken: usize = games.iter().map(|game| game["decisions"].parse::<usize>().unwrap()).sum();
    assert_eq!(decisions.len(), taken);
    assert_eq!((decisions[0]["game"].as_str(), decisions[0]["n"].as_str()), ("0", "1"));
    let first = decisions.iter().find(|decision| decision["option"] == "move").expect("somebody moves");
    assert_eq!((first["step"].as_str(), first["paragraphs"].as_str()), ("orders", "2"));
    // Where the folder of the rules lies is nobody's business.
    assert!(first["place"].starts_with("two-rivers/2-play.blazon:"), "{first:?}");
    for decision in &decisions {
        let open: BTreeMap<String, u64> = serde_json::from_str(&decision["names_open"]).unwrap();
        assert_eq!(open.values().sum::<u64>(), decision["offered"].parse::<u64>().unwrap());
        assert!(open.contains_key(&decision["option"]) && decision["player"] == decision["asked"]);
        assert_eq!(decision["outlook"], "");
        let args: BTreeMap<String, String> = serde_json::from_str(&decision["args"]).unwrap();
        assert_eq!(args.keys().collect::<Vec<_>>().len(), if decision["option"] == "move" { 2 } else { 0 });
    }
    assert!(decisions.iter().any(|decision| decision["args"].contains("{\"a\":\"Grey\",\"to\":\"")));
    // Each decision is told as an event, by the same names; a forced one is told, and is no decision.
    let chosen: Vec<_> = events.iter().filter(|event| event["kind"] == "chosen").collect();
    let free: Vec<_> = chosen.iter().filter(|event| event["forced"] == "false").collect();
    assert_eq!(free.len(), decisions.len());
    for (event, decision) in free.iter().zip(&decisions) {
        for name in ["game", "n", "player", "asked", "option", "args", "step", "paragraphs"] {
            assert_eq!(event[name], decision[name], "{name}");
        }
    }
    assert!(chosen.len() > free.len(), "nothing was forced");
    let rolled = events.iter().find(|event| event["kind"] == "rolled").expect("somebody fights");
    assert_eq!((rolled["what"].as_str(), rolled["step"].as_str()), ("d6", "fight"));
    assert_eq!(rolled["paragraphs"], "3");
    assert!(serde_json::from_str::<Vec<u8>>(&rolled["results"]).unwrap().len() == 1);
    let said = events.iter().find(|event| event["kind"] == "said").expect("a fight is told");
    assert!(said["text"].contains(" fights ") && said["step"] == "fight", "{said:?}");
    let over = events.iter().filter(|event| event["kind"] == "over").count();
    assert_eq!(over, 40);
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let room = Room::new();
    for format in ["csv", "jsonl"] {
        for threads in ["1", "2", "5"] {
            let folder = format!("{format}-{threads}");
            let args = ["-n", "300", "--threads", threads, "--data", &folder, "--data-format", format];
            let run = simulate(&room, &args);
            assert_eq!(run.code, 0, "{}", run.err);
        }
        for table in ["games", "decisions", "events"] {
            let one = read(&room, &format!("{format}-1/{table}.{format}"));
            for threads in ["2", "5"] {
                assert!(one == read(&room, &format!("{format}-{threads}/{table}.{format}")), "{table}");
            }
        }
        let told = |threads: &str| {
            let text = read(&room, &format!("{format}-{threads}/schema.json"));
            let mut told: Value = serde_json::from_str(&text).unwrap();
            told["command"].take();
            told
        };
        assert_eq!(told("1"), told("5"));
    }
}

/// Who looks on changes nothing: the games are the same whatever is written of them.
#[test]
fn tables_change_no_game() {
    let room = Room::new();
    simulate(&room, &["-n", "100", "--out", "games.csv"]);
    simulate(&room, &["-n", "100", "--data", "all"]);
    simulate(&room, &["-n", "100", "--data", "some", "--tables", "games,decisions", "--out", "too.csv"]);
    assert_eq!(inside(&room, "some"), ["decisions.csv", "games.csv", "schema.json"]);
    let games = read(&room, "games.csv");
    assert_eq!(games, read(&room, "all/games.csv"));
    assert_eq!(games, read(&room, "some/games.csv"));
    assert_eq!(games, read(&room, "too.csv"));
    assert_eq!(read(&room, "all/decisions.csv"), read(&room, "some/decisions.csv"));
    // Fewer games are the first of more.
    simulate(&room, &["-n", "7", "--data", "few"]);
    for table in ["games", "decisions", "events"] {
        let (few, all) = (read(&room, &format!("few/{table}.csv")), read(&room, &format!("all/{table}.csv")));
        assert!(all.starts_with(&few), "{table}");
    }
}

#[test]
fn lines_of_json_have_what_cells_have() {
    let room = Room::new();
    simulate(&room, &["-n", "20", "--data", "csv"]);
    simulate(&room, &["-n", "20", "--data", "jsonl", "--data-format", "jsonl", "--out", "alone.jsonl"]);
    assert_eq!(read(&room, "alone.jsonl"), read(&room, "jsonl/games.jsonl"));
    let told: Value = serde_json::from_str(&read(&room, "jsonl/schema.json")).unwrap();
    for table in ["games", "decisions", "events"] {
        let cells = rows(&read(&room, &format!("csv/{table}.csv")));
        let objects = json_rows(&read(&room, &format!("jsonl/{table}.jsonl")));
        assert_eq!(cells.len(), objects.len());
        assert_eq!(told["tables"][table]["rows"], objects.len());
        let columns = told["tables"][table]["columns"].as_array().unwrap();
        for (cells, object) in cells.iter().zip(&objects) {
            assert_eq!(object.as_object().unwrap().len(), columns.len());
            for column in columns {
                let name = column["name"].as_str().unwrap();
                let (value, text) = match &object[name] {
                    Value::Null => ("any", String::new()),
                    Value::Number(number) => ("integer", number.to_string()),
                    Value::Bool(flag) => ("flag", flag.to_string()),
                    Value::String(text) => ("text", text.clone()),
                    other @ (Value::Array(_) | Value::Object(_)) => panic!("{name}: {other}"),
                };
                assert!(value == "any" || column["type"] == value, "{name}");
                assert_eq!(cells[name], text, "{name}");
            }
        }
    }
}

#[test]
fn the_manifest_tells_the_rules() {
    let room = Room::new();
    let args = ["-n", "9", "-V", "floods", "-R", "crowds=yes", "--data", "tables", "--tables", "games"];
    assert_eq!(simulate(&room, &args).code, 0);
    let told: Value = serde_json::from_str(&read(&room, "tables/schema.json")).unwrap();
    assert_eq!((&told["blazon_tables"], &told["format"]), (&1.into(), &"csv".into()));
    assert_eq!((&told["seed"], &told["asked"], &told["games"]), (&4.into(), &9.into(), &9.into()));
    assert_eq!(told["interrupted"], false);
    let rules = &told["rules"][0];
    assert_eq!((&rules["game"], &rules["variants"][0][0]), (&"Two Rivers".into(), &"Floods".into()));
    assert_eq!((&rules["rulings"]["crowds"], &rules["players"]["North"]), (&"yes".into(), &"random".into()));
    assert_eq!(rules["setups"][0], "Spring");
    let command: Vec<&str> =
        told["command"].as_array().unwrap().iter().skip(1).filter_map(Value::as_str).collect();
    assert_eq!(command[..4], ["simulate", "two-rivers", "--seed", "4"]);
    assert_eq!(told["tables"].as_object().unwrap().len(), 1);
    let games = &told["tables"]["games"];
    assert_eq!((&games["file"], &games["rows"]), (&"games.csv".into(), &9.into()));
    let header: Vec<&str> =
        games["columns"].as_array().unwrap().iter().filter_map(|column| column["name"].as_str()).collect();
    assert!(read(&room, "tables/games.csv").starts_with(&(header.join(",") + "\n")));
}

/// A rule `outlook` is told as it stood before the choice, and asking it is not counted as a part of the game.
#[test]
fn the_outlook_of_who_decides() {
    let room = Room::new();
    room.write("two-rivers/3-outlook.blazon", "rule outlook(r: realm): number = r.score - r.other.score\n");
    simulate(&room, &["-n", "40", "--data", "tables"]);
    let decisions = rows(&read(&room, "tables/decisions.csv"));
    let outlooks: Vec<i64> = decisions.iter().map(|decision| decision["outlook"].parse().unwrap()).collect();
    assert!(outlooks.iter().any(|&outlook| outlook > 0) && outlooks.iter().any(|&outlook| outlook < 0));
    assert!(decisions.iter().zip(&outlooks).all(|(decision, &outlook)| decision["n"] != "1" || outlook == 0));
    let plain = simulate(&room, &["-n", "40", "--coverage", "--json"]);
    let told = simulate(&room, &["-n", "40", "--coverage", "--json", "--data", "tables"]);
    let coverage = |run: &Run| serde_json::from_str::<Value>(&run.out).unwrap()["coverage"].take();
    assert_eq!(coverage(&plain), coverage(&told));
    let measures = |words: &[&str]| {
        let run = simulate(&room, &[&["-n", "400", "--json"], words].concat());
        serde_json::from_str::<Value>(&run.out).unwrap()["measures"].take()
    };
    let measured = measures(&[]);
    assert!(measured["weight"]["count"].as_u64() > Some(1), "{measured}");
    assert_eq!(
        measures(&["--coverage"]),
        measured,
        "what comes up is counted, and nothing else is otherwise"
    );
    // Where more options are open than are tried of a decision.
    let weight = |words: &[&str]| {
        let run =
            room.run(&[&["simulate", "salt-road", "-n", "100", "--seed", "1", "--json"], words].concat(), "");
        serde_json::from_str::<Value>(&run.out).unwrap()["measures"]["weight"].take()
    };
    assert_eq!(weight(&["--coverage"]), weight(&[]));
}

/// Games that fail have rows up to where they failed.
#[test]
fn games_that_fail_are_told() {
    let room = Room::new();
    let page = "two-rivers/1-things.blazon";
    room.write(page, read(&room, page).replace("0..9", "0..1"));
    let run = simulate(&room, &["-n", "60", "--data", "tables", "-R", "crowds=yes"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let games = rows(&read(&room, "tables/games.csv"));
    let events = rows(&read(&room, "tables/events.csv"));
    let failed: Vec<_> = games.iter().filter(|game| game["outcome"] == "fault").collect();
    assert!(!failed.is_empty() && games.len() == 60);
    for game in failed {
        assert!(game["error"].contains("cannot become 2") && game["winner"].is_empty(), "{game:?}");
        let last = events.iter().rfind(|event| event["game"] == game["game"]).expect("it was begun");
        // What came of the decision at which it failed is no more; the decision is.
        let number = |text: &str| text.parse::<u64>().expect("a number");
        assert_eq!((number(&last["n"]) + 1, last["kind"] == "over"), (number(&game["decisions"]), false));
    }
}

#[test]
fn what_is_not_ours_stays() {
    let room = Room::new();
    room.write("file", "mine\n");
    room.write("mine/games.csv", "date,price\n1,2\n");
    room.write("other/schema.json", "{\"title\": \"mine\"}\n");
    room.write("part/events.csv.part", "mine\n");
    room.write("stale/events.jsonl", "{\"game\":0,\"event\":1}\n");
    for (folder, words) in [
        ("file", "`file` is no folder"),
        ("file/below", "cannot be made"),
        ("mine", "holds no rows of games"),
        ("other", "tells of no tables of games"),
        ("part", "where the rows are written first"),
        ("stale", "would stay beside tables of other games"),
    ] {
        let run = simulate(&room, &["-n", "3", "--data", folder]);
        assert_eq!(run.code, 3, "{folder}: {}", run.err);
        assert!(run.err.contains(words) && run.out.is_empty(), "{folder}: {}", run.err);
    }
    assert_eq!(read(&room, "mine/games.csv"), "date,price\n1,2\n");
    assert_eq!(inside(&room, "mine"), ["games.csv"]);
    assert_eq!(inside(&room, "other"), ["schema.json"]);
    assert_eq!(inside(&room, "stale"), ["events.jsonl"]);
}

#[test]
fn what_cannot_be_asked_for() {
    let room = Room::new();
    for (args, words) in [
        (&["--data-format", "jsonl"] as &[&str], "--data <FOLDER>"),
        (&["--tables", "games"], "--data <FOLDER>"),
        (&["--data", "x", "--tables", "games,moves"], "there are `games`, `decisions` and `events`"),
        (&["--data", "x", "--data-format", "xlsx"], "there are `csv`, `jsonl` and `parquet`"),
        (&["--data", "x", "--out", "x/games.csv"], "by --out and by --data"),
    ] {
        let run = simulate(&room, &[&["-n", "3"], args].concat());
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
    if !cfg!(feature = "parquet") {
        for args in [&["--data", "x", "--data-format", "parquet"] as &[&str], &["--out", "games.parquet"]] {
            let run = simulate(&room, args);
            assert_eq!(run.code, 2, "{args:?}: {}", run.err);
            assert!(run.err.contains("built without parquet") && run.err.contains("--features parquet"));
            assert!(run.err.contains("copy 'games.csv' to 'games.parquet'"), "{}", run.err);
        }
    }
}

/// Tables of an earlier run are replaced, all at once.
#[test]
fn tables_replace_tables() {
    let room = Room::new();
    simulate(&room, &["-n", "30", "--data", "tables"]);
    // What a killed run leaves.
    room.write("tables/decisions.csv.part", "game,n,player,");
    simulate(&room, &["-n", "3", "--data", "tables"]);
    assert_eq!(read(&room, "tables/games.csv").lines().count(), 4);
    assert_eq!(inside(&room, "tables"), ["decisions.csv", "events.csv", "games.csv", "schema.json"]);
    // Fewer tables would leave one of other games.
    let run = simulate(&room, &["-n", "3", "--data", "tables", "--tables", "games"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("decisions.csv") && run.err.contains("delete it"), "{}", run.err);
}

/// Whole games are kept, in all tables the same.
#[cfg(unix)]
#[test]
fn an_interruption_keeps_whole_games() {
    let room = Room::new();
    let child =
        room.start(&["simulate", "two-rivers", "--seed", "4", "-n", "1000000000", "--data", "tables"]);
    let id = child.id().to_string();
    while std::fs::metadata(room.path("tables/events.csv.part")).map_or(0, |file| file.len()) < 200_000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &id]).status().expect("it is interrupted");
    let run = Run::of(child);
    assert_eq!(run.code, 130, "{}", run.err);
    assert_eq!(inside(&room, "tables"), ["decisions.csv", "events.csv", "games.csv", "schema.json"]);
    let told: Value = serde_json::from_str(&read(&room, "tables/schema.json")).unwrap();
    assert_eq!(told["interrupted"], true);
    let count = told["games"].as_u64().unwrap().to_string();
    simulate(&room, &["-n", &count, "--data", "again"]);
    for table in ["games", "decisions", "events"] {
        let (kept, again) =
            (read(&room, &format!("tables/{table}.csv")), read(&room, &format!("again/{table}.csv")));
        assert!(kept == again, "{table}");
    }
}

/// Where it is killed, tables that were there before stay whole, and stay together.
#[cfg(unix)]
#[test]
fn a_kill_leaves_the_earlier_tables() {
    let room = Room::new();
    simulate(&room, &["-n", "30", "--data", "tables"]);
    let files = ["games.csv", "decisions.csv", "events.csv", "schema.json"];
    let before = files.map(|file| read(&room, &format!("tables/{file}")));
    let mut child =
        room.start(&["simulate", "two-rivers", "--seed", "5", "-n", "1000000000", "--data", "tables"]);
    while std::fs::metadata(room.path("tables/events.csv.part")).map_or(0, |file| file.len()) < 200_000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
    assert_eq!(before, files.map(|file| read(&room, &format!("tables/{file}"))));
}

/// Parquet is the same on any number of threads, too, and is told from what is not ours.
#[cfg(feature = "parquet")]
#[test]
fn parquet() {
    let room = Room::new();
    for threads in ["1", "3"] {
        let args = ["-n", "200", "--threads", threads, "--data", threads, "--data-format", "parquet"];
        let run = simulate(&room, &args);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    for table in ["games", "decisions", "events"] {
        let [one, three] = ["1", "3"].map(|threads| {
            std::fs::read(room.path(&format!("{threads}/{table}.parquet"))).expect("it was written")
        });
        assert!(one.starts_with(b"PAR1") && one.ends_with(b"PAR1") && one == three, "{table}");
    }
    // Its own are replaced, others are not.
    let again = ["-n", "2", "--data", "1", "--data-format", "parquet"];
    assert_eq!(simulate(&room, &again).code, 0);
    room.write("1/games.parquet", "PAR1 by another PAR1");
    let run = simulate(&room, &again);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("holds no rows of games"), "{}", run.err);
    assert_eq!(simulate(&room, &["-n", "2", "--out", "alone.parquet"]).code, 0);
}

/// What a comparison plays is told of both sides, a pair after the other.
#[test]
fn tables_of_both_sides_of_a_comparison() {
    let room = Room::new();
    let words = ["compare", "two-rivers", "-V", "floods", "--levels", "random", "--seed", "4", "--json"];
    let tell = |more: &[&str]| {
        let run = room.run(&[&words, more].concat(), "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
        serde_json::from_str::<Value>(&run.out).expect("what was found")
    };
    let found = tell(&["-n", "130", "--all", "--data", "one", "-j", "1"]);
    assert_eq!(found, tell(&["-n", "130", "--all", "--data", "other", "-j", "3"]));
    let files = ["decisions.csv", "events.csv", "games.csv", "schema.json"];
    assert_eq!(inside(&room, "one"), files);
    for file in &files[..3] {
        assert_eq!(read(&room, &format!("one/{file}")), read(&room, &format!("other/{file}")), "{file}");
    }
    let games = read(&room, "one/games.csv");
    let rows: Vec<Vec<&str>> = games.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), &rows[0][..5]), (261, &["game", "side", "seed", "outcome", "winner"][..]));
    for (number, pair) in rows[1..].chunks(2).enumerate() {
        let number = number.to_string();
        assert_eq!((pair[0][0], pair[0][1], pair[1][0], pair[1][1]), (&*number, "base", &*number, "changed"));
        assert_eq!(pair[0][2], pair[1][2], "on the same luck");
    }
    // Who won stands in the tables as it is told.
    for player in found["levels"][0]["players"].as_array().expect("players") {
        for (place, side) in ["base", "changed"].into_iter().enumerate() {
            let won = rows.iter().filter(|row| row[1] == side && player["player"] == row[4]).count();
            assert_eq!(player["won"][place], won, "{player}");
        }
    }
    let schema: Value = serde_json::from_str(&read(&room, "one/schema.json")).expect("what the tables are");
    assert_eq!(
        (&schema["rules"][0]["side"], &schema["rules"][1]["side"]),
        (&"base".into(), &"changed".into())
    );
    assert_eq!((&schema["asked"], &schema["games"]), (&260.into(), &260.into()));
    assert_eq!(schema["rules"][1]["variants"][0][0], "Floods");
    // When it is sure, it stops, and so do the tables.
    let found = tell(&["--points", "20", "--data", "sure", "--tables", "games"]);
    let pairs = found["levels"][0]["pairs"].as_u64().expect("a number");
    assert!(pairs < 20_000, "{pairs}");
    assert_eq!(read(&room, "sure/games.csv").lines().count() as u64, 2 * pairs + 1);
}

#[test]
fn what_a_comparison_keeps_no_tables_of() {
    let room = Room::new();
    for (args, words) in [
        (&["--data", "x"][..], "the tables of a run are of one level, and 2 are asked for"),
        (
            &[
                "--levels", "random", "--seed", "4", "--from", "0", "--count", "64", "--parts", "x",
                "--tables", "games",
            ],
            "the parts of a comparison keep no tables",
        ),
    ] {
        let run = room.run(&[&["compare", "two-rivers", "-V", "floods", "-n", "64"], args].concat(), "");
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
    assert!(!room.path("x").exists());
}
