//! Mends.

use serde_json::json;

use crate::client::{edited, uri};
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
