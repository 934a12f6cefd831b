//! The umpire for programs as `UMPIRE.md` describes it, by lines as they go over the wire. What a client makes of it is
//! tested in `tests/mcp`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::Room;
use blazon_fixtures::Section;
use serde_json::{Value, json};

/// Sends calls of tools at once, without waiting, and answers them by their numbers, from 1 on.
fn ask(room: &Room, args: &[&str], calls: &[(&str, Value)]) -> Vec<Value> {
    let mut input = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }})
    .to_string();
    input += "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\nno JSON\n";
    for (place, (tool, arguments)) in calls.iter().enumerate() {
        let call = json!({
            "jsonrpc": "2.0", "id": place + 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        });
        input += &format!("{call}\n");
    }
    let all: Vec<&str> = [&["mcp", "two-rivers"], args].concat();
    let run = room.run(&all, input);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = run.out.lines().map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let answers: BTreeMap<u64, Value> =
        lines.filter_map(|line| Some((line["id"].as_u64()?, line["result"].clone()))).collect();
    assert_eq!(answers.len(), calls.len() + 1, "each call is answered, and nothing else");
    answers.into_values().skip(1).collect()
}

/// What a refusal says, line by line.
fn refusal(answer: &Value) -> String {
    assert_eq!(answer["isError"], true, "{answer}");
    let told = &answer["structuredContent"];
    let field = |name: &str| told[name].as_str().map(|text| format!("{name}: {text}\n")).unwrap_or_default();
    ["code", "message", "help", "drawn"].map(field).concat()
}

#[test]
fn calls_are_done_in_their_order() {
    let mut calls = vec![("begin", json!({"seed": 3}))];
    calls.extend((0..8).map(|_| ("choose", json!({"id": 0}))));
    let answers = ask(&Room::new(), &[], &calls);
    let taken: Vec<&Value> = answers.iter().map(|answer| &answer["structuredContent"]["decisions"]).collect();
    assert_eq!(taken, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn an_answer_is_an_object_and_the_same_as_text() {
    let answers = ask(&Room::new(), &[], &[("check", json!({}))]);
    let text = answers[0]["content"][0]["text"].as_str().expect("there is a text");
    let parsed: Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(parsed, answers[0]["structuredContent"]);
    assert_eq!(parsed["whole"], true);
}

#[test]
fn what_cannot_be_done_says_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/mcp");
    blazon_fixtures::each(&folder, |fixture| {
        let lines = fixture.section("calls").unwrap_or_default().lines();
        let calls: Vec<(&str, Value)> = lines
            .filter_map(|line| line.split_once(' '))
            .map(|(tool, arguments)| (tool, serde_json::from_str(arguments).unwrap()))
            .collect();
        let answers = ask(&Room::new(), &[], &calls);
        let refused = calls.iter().zip(&answers).filter(|(_, answer)| answer["isError"] == true);
        let told =
            refused.map(|((tool, arguments), answer)| format!("{tool} {arguments}\n{}\n", refusal(answer)));
        vec![Section::new("refused", &told.collect::<String>())]
    });
}

#[test]
fn whoever_does_not_speak_the_protocol_is_told() {
    let room = Room::new();
    let run = room.run(&["mcp", "two-rivers"], "hello\n");
    assert_eq!(run.code, 3);
    assert!(run.err.contains("Model Context Protocol"), "{}", run.err);
    let run = room.run(&["mcp", "nowhere"], "");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let run = room.run(&["mcp", "two-rivers", "-V", "nothing"], "");
    assert_eq!(run.code, 2);
}
