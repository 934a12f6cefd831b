//! The line protocol as `PROTOCOL.md` describes it.

use crate::common::Room;
use serde_json::{Value, json};

fn talk(room: &Room, args: &[&str], requests: &[&str]) -> (i32, Vec<Value>) {
    let mut all = vec!["play", "two-rivers", "--protocol", "jsonl", "--seed", "3"];
    all.extend(args);
    let run = room.run(&all, requests.iter().map(|request| format!("{request}\n")).collect::<String>());
    let lines =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")));
    (run.code, lines.collect())
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

#[test]
fn a_game_is_played_by_id_and_by_meaning() {
    let room = Room::new();
    let requests =
        [r#"{"choose":0}"#, r#"{"dice":[6],"id":1}"#, r#"{"decision":true}"#, r#"{"option":"rest"}"#];
    let (code, lines) = talk(&room, &[], &requests);
    assert_eq!(code, 0);
    assert_eq!(lines[0]["type"], "game");
    assert!(
        lines[0]["played"].as_str().is_some_and(|line| line.starts_with("Two Rivers 1.0.0 · Spring (first)"))
    );
    assert_eq!(lines[0]["players"], json!(["North", "South"]));
    let decision = of_type(&lines, "decision")[0];
    assert_eq!(decision["player"], "North");
    assert_eq!(decision["options"][0]["args"], json!({"a": "Brown", "to": "Hill"}));
    assert_eq!(decision["options"][0]["paragraphs"], json!(["2"]));
    let rolled: Vec<_> =
        of_type(&lines, "event").into_iter().filter(|event| event["event"] == "rolled").collect();
    assert_eq!(rolled.len(), 1);
    assert_eq!(of_type(&lines, "ok"), [&json!({"type": "ok", "id": 1})]);
    assert_eq!(lines.last().expect("there is an end")["outcome"], "unfinished");
}

#[test]
fn reasons_and_views() {
    let room = Room::new();
    let requests = [
        r#"{"why":{"option":"move","args":{"a":"Grey","to":"Ford"}},"id":"w"}"#,
        r#"{"why":{}}"#,
        r#"{"view":"North"}"#,
        r#"{"view":null}"#,
    ];
    let (_, lines) = talk(&room, &[], &requests);
    let why = of_type(&lines, "why");
    assert_eq!(why[0]["id"], "w");
    assert_eq!(why[0]["standing"], "refused");
    assert_eq!(why[0]["reason"], "Ford is crowded");
    assert_eq!(why[0]["paragraphs"], json!(["2.1"]));
    assert!(why[1]["refused"].as_array().is_some_and(|refused| !refused.is_empty()));
    let view = of_type(&lines, "view");
    let army = &view[0]["kinds"]["army"];
    assert_eq!(army["seen"].as_array().map(Vec::len), Some(2));
    assert_eq!(army["backs"][0], json!({"realm": "South", "at": "Hill"}));
    assert_eq!(view[1]["kinds"]["army"]["backs"], json!([]));
}

#[test]
fn positions_go_and_come_back() {
    let room = Room::new();
    let (_, lines) = talk(&room, &[], &[r#"{"position":true}"#]);
    let text = of_type(&lines, "position")[0]["text"].clone();
    let load = json!({ "load": text }).to_string();
    let (_, lines) = talk(&room, &[], &[r#"{"choose":0}"#, &load, r#"{"load":"Save(1)"}"#]);
    assert_eq!(of_type(&lines, "game").len(), 2);
    let decisions = of_type(&lines, "decision");
    assert_eq!(decisions.first(), decisions.last());
    assert_eq!(of_type(&lines, "error")[0]["code"], "save::damaged");
}

#[test]
fn what_was_laid_by_hand_is_in_the_position() {
    let room = Room::new();
    let requests = [r#"{"dice":[6,6,6,6,6,6]}"#, r#"{"choose":0}"#, r#"{"seed":5}"#, r#"{"position":true}"#];
    let (_, lines) = talk(&room, &[], &requests);
    let text = of_type(&lines, "position")[0]["text"].clone();
    let asked = of_type(&lines, "decision");
    assert!(
        text.as_str().is_some_and(|text| text.contains("Seed(5)") && text.contains("Dice([6, ")),
        "{text}"
    );
    let load = json!({ "load": text }).to_string();
    let (_, lines) = talk(&room, &[], &[&load, r#"{"position":true}"#]);
    assert_eq!(of_type(&lines, "decision").last(), asked.last());
    assert_eq!(of_type(&lines, "position")[0]["text"], text);
}

#[test]
fn errors_are_objects() {
    let room = Room::new();
    let requests = [
        "nonsense",
        "[1]",
        r#"{"choose":99}"#,
        r#"{"choose":0,"player":"South"}"#,
        r#"{"option":"fly"}"#,
        r#"{"option":"move","args":{"who":"Grey"}}"#,
        r#"{"option":"move","args":{"a":"Grey","to":"Ford"}}"#,
        r#"{"view":"East"}"#,
        r#"{"cards":["Nothing"]}"#,
        r#"{"new":{"setup":"Winter"}}"#,
        "\u{1b}[2J",
    ];
    let (code, lines) = talk(&room, &[], &requests);
    assert_eq!(code, 0);
    let errors = of_type(&lines, "error");
    let codes: Vec<_> = errors.iter().map(|error| error["code"].as_str().unwrap_or_default()).collect();
    assert_eq!(
        codes,
        [
            "protocol::json",
            "protocol::request",
            "run::illegal",
            "protocol::player",
            "protocol::name",
            "protocol::name",
            "run::illegal",
            "protocol::player",
            "protocol::name",
            "protocol::name",
            "protocol::json",
        ]
    );
    assert!(errors[6]["message"].as_str().is_some_and(|message| message.contains("Ford is crowded")));
}

#[test]
fn games_end_and_begin_again() {
    let room = Room::new();
    let (_, lines) = talk(
        &room,
        &["--players", "random"],
        &[r#"{"choose":0}"#, r#"{"decision":true,"id":4}"#, r#"{"new":{"seed":8}}"#, r#"{"quit":true}"#],
    );
    let ends = of_type(&lines, "end");
    assert_eq!(ends.len(), 2, "{lines:?}");
    assert_eq!(ends[1]["seed"], 8);
    let errors = of_type(&lines, "error");
    assert_eq!(errors.iter().map(|error| &error["code"]).collect::<Vec<_>>(), ["protocol::over"; 2]);
    assert_eq!(errors[1]["id"], 4);
}

#[test]
fn what_an_option_would_change_is_told() {
    let room = Room::new();
    let requests = [
        r#"{"try":{"option":"move","args":{"a":"Brown","to":"Hill"}},"id":7}"#,
        r#"{"try":{"option":"rest"}}"#,
        r#"{"try":99}"#,
        r#"{"try":{"opinion":"move"}}"#,
        r#"{"option":"move","args":{"a":"Brown","to":"Hill"}}"#,
        r#"{"changes":0,"view":"North"}"#,
        r#"{"changes":0}"#,
        r#"{"changes":9}"#,
    ];
    let (_, lines) = talk(&room, &[], &requests);
    let tried = of_type(&lines, "try");
    // Armies meet on the Hill, and fight with a die.
    assert_eq!(tried[0], &json!({"type": "try", "id": 7, "chance": true}));
    assert_eq!((tried.len(), &tried[1]["chance"]), (2, &json!(false)));
    let moved = json!({"change": "thing", "kind": "army", "name": "Brown", "state": "at", "from": "Ford", "to": "Hill"});
    let has = |object: &Value, change: &Value| {
        object["changes"].as_array().is_some_and(|changes| changes.contains(change))
    };
    assert!(tried[1]["changes"].is_array(), "{}", tried[1]);
    let changes = of_type(&lines, "changes");
    assert_eq!((&changes[0]["viewer"], &changes[1]["viewer"]), (&json!("North"), &Value::Null));
    assert!(has(changes[0], &moved) && has(changes[1], &moved), "{changes:?}");
    let errors: Vec<&str> =
        of_type(&lines, "error").iter().filter_map(|error| error["message"].as_str()).collect();
    let told = |part: &str| errors.iter().any(|error| error.contains(part));
    assert!(told("there is no option 99"), "{errors:?}");
    assert!(told("`try` expects an `option`"), "{errors:?}");
    assert!(told("there is no decision 9 to look back to; 1 were taken"), "{errors:?}");
}

#[test]
fn the_book_and_texts_in_parts() {
    let room = Room::new();
    let requests = [r#"{"book":true}"#, r#"{"words":true}"#, r#"{"decision":true}"#, r#"{"choose":0}"#];
    let (_, lines) = talk(&room, &[], &requests);
    let book = of_type(&lines, "book")[0];
    assert_eq!(book["players"], "realm");
    let kind = |name: &str| {
        let kinds = book["kinds"].as_array().expect("kinds");
        kinds.iter().find(|kind| kind["name"] == name).unwrap_or_else(|| panic!("no {name} in {book}"))
    };
    let names: Vec<&str> = kind("army")["things"]
        .as_array()
        .expect("things")
        .iter()
        .filter_map(|t| t["name"].as_str())
        .collect();
    assert!(names.contains(&"Brown"), "{names:?}");
    assert_eq!(kind("road")["joins"], json!(["place", "place"]));
    assert_eq!(kind("road")["things"][0]["ends"].as_array().map(Vec::len), Some(2));
    let options: Vec<&Value> =
        book["choices"].as_array().expect("choices").iter().map(|choice| &choice["options"][0]).collect();
    assert!(
        options.iter().any(|option| option["option"] == "move"
            && option["args"] == json!([{"name": "a", "kind": "army"}, {"name": "to", "kind": "place"}])),
        "{options:?}"
    );
    let decisions = of_type(&lines, "decision");
    assert_eq!(decisions[0]["options"][0]["words"], Value::Null, "only when asked for");
    let words = decisions[1]["options"][0]["words"].as_array().expect("words");
    assert_eq!(words[0], json!({"kind": "army", "thing": "Brown"}));
    let whole: String = words
        .iter()
        .filter_map(|part| part.as_str().or(part["thing"].as_str()).or(part["back"].as_str()))
        .collect();
    assert_eq!(decisions[1]["options"][0]["label"], whole.as_str());
    let events = of_type(&lines, "event");
    assert!(events.iter().any(|event| event["words"].is_array()), "{events:?}");
}
