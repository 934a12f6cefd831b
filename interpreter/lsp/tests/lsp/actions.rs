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
