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
        &[r#"{"choose":0}"#, r#"{"new":{"seed":8}}"#, r#"{"quit":true}"#],
    );
    let ends = of_type(&lines, "end");
    assert_eq!(ends.len(), 2, "{lines:?}");
    assert_eq!(ends[1]["seed"], 8);
    assert_eq!(of_type(&lines, "error")[0]["code"], "protocol::over");
}
