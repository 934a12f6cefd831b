//! Mends.

use serde_json::json;

use crate::client::{Client, edited, uri};
use crate::room::{FORD, Room};

#[test]
fn a_near_miss_is_mended() {
    let room = Room::new();
    let mut client = room.client();
    let wrong = FORD.replace("number = p.strength", "number = p.strenght");
    client.write(&room.ford(), &wrong);
    let at = client.place(&room.ford(), "p.stre^nght");
    let asked = json!({
        "textDocument": { "uri": uri(&room.ford()) },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let actions = client.request("textDocument/codeAction", asked).unwrap();
    let actions = actions.as_array().unwrap();
    assert_eq!(actions.len(), 1);
    assert_eq!(actions[0]["title"], "write `strength`");
    assert_eq!((&actions[0]["kind"], &actions[0]["isPreferred"]), (&json!("quickfix"), &json!(true)));
    assert_eq!(edited(&wrong, &actions[0]["edit"]["changes"][uri(&room.ford())]), FORD);
    assert_eq!(actions[0]["diagnostics"][0]["code"], "names::unknown");
}

#[test]
fn nothing_is_mended_where_nothing_is_wrong() {
    let room = Room::new();
    let mut client = room.client();
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": uri(&room.ford()) }, "range": range, "context": { "diagnostics": [] } });
    assert_eq!(client.request("textDocument/codeAction", asked).unwrap(), json!([]));
}

#[test]
fn only_what_is_wanted_is_offered() {
    let room = Room::new();
    let mut client = room.client();
    client.write(&room.ford(), &FORD.replace("number = p.strength", "number = p.strenght"));
    let at = client.place(&room.ford(), "p.stre^nght");
    let mut offered = |only: &[&str]| {
        let asked = json!({
            "textDocument": { "uri": uri(&room.ford()) },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "only": only },
        });
        client.request("textDocument/codeAction", asked).unwrap().as_array().unwrap().len()
    };
    assert_eq!(offered(&["quickfix"]), 1);
    assert_eq!(offered(&["refactor", ""]), 1);
    // What an editor asks for when a page is saved, to do it at once.
    assert_eq!(offered(&["source.fixAll"]), 0);
    assert_eq!(offered(&["source.organizeImports", "refactor"]), 0);
}

#[test]
fn a_slip_in_a_declaration_is_not_spread() {
    let room = Room::new();
    let mut client = room.client();
    let offered = |client: &mut Client, text: &str, at: &str| {
        client.write(&room.ford(), text);
        let at = client.place(&room.ford(), at);
        let asked = json!({
            "textDocument": { "uri": uri(&room.ford()) },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [] },
        });
        client.request("textDocument/codeAction", asked).unwrap().as_array().unwrap().clone()
    };
    let right = format!(
        "{FORD}\nrule income(s: side): number = count s.army\nrule rich(s: side): flag = s.income > 2\n"
    );
    // One use only: which of the two is meant is for a person to say.
    let wrong = right.replace("rule income", "rule incmoe");
    let actions = offered(&mut client, &wrong, "s.in^come > 2");
    let titles: Vec<_> = actions.iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["write `incmoe`", "write `income` where `incmoe` is declared"]);
    assert!(actions.iter().all(|action| action["isPreferred"].is_null()), "{actions:?}");
    // Several agree.
    let right = format!("{right}rule poor(s: side): flag = s.income = 0\n");
    let wrong = right.replace("rule income", "rule incmoe");
    let actions = offered(&mut client, &wrong, "s.in^come > 2");
    assert_eq!(actions.len(), 1, "{actions:?}");
    assert_eq!(edited(&wrong, &actions[0]["edit"]["changes"][uri(&room.ford())]), right);
}
