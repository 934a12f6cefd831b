//! What is wrong is said of all files while they are written.

use serde_json::json;

use crate::client::Client;
use crate::room::{FORD, Room};

#[test]
fn what_is_wrong_is_said_and_taken_back() {
    let room = Room::new();
    let mut client = room.client();
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    client.write(&room.ford(), &FORD.replace("number = p.strength", "number = p.strenght"));
    let expected = "43: error[names::unknown] `strenght` cannot be asked of a piece (no such thing)\ndid you mean `strength`?";
    assert_eq!(client.said(&room.ford()), [expected]);
    client.write(&room.ford(), FORD);
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
}

#[test]
fn what_a_change_breaks_elsewhere_is_said_there() {
    let room = Room::new();
    let mut client = room.client();
    let variant = room.path("ford/variants/floods/floods.blazon");
    client.open(&variant);
    assert_eq!(client.said(&variant), Vec::<String>::new());
    client.write(
        &room.ford(),
        &FORD.replace("rule power(p: piece)", "rule might(p: piece)").replace("p.power", "p.might"),
    );
    let tests = room.path("ford/tests/tests.blazon");
    let uri = crate::client::uri(&variant);
    client.wait("the variant's mistakes", |client| client.published[&uri]["diagnostics"] != json!([]));
    let said = client.published[&uri]["diagnostics"][0]["message"].as_str().unwrap().to_owned();
    assert!(said.starts_with("there is no rule `power`"), "{said}");
    assert!(!client.published.contains_key(&crate::client::uri(&tests)), "nothing is wrong there");
}

#[test]
fn columns_are_counted_as_agreed() {
    let room = Room::new();
    let text = FORD.replace("-- Who is against whom.", "-- 𝔘.").replace("\"Wait\" { }", "\"𝔘\" { waits }");
    let column = |capabilities| {
        let mut client = Client::with(
            &room.folder(),
            blazon_lsp::Settings { library: None, tables: None, pause: std::time::Duration::ZERO },
            capabilities,
        );
        client.open_as(&room.ford(), &text);
        assert_eq!(client.said(&room.ford()).len(), 1);
        let said = &client.published[&crate::client::uri(&room.ford())]["diagnostics"][0];
        said["range"]["start"]["character"].as_u64().unwrap()
    };
    assert_eq!(column(json!({})), 23);
    assert_eq!(column(json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } })), 25);
}

#[test]
fn a_manifest_that_cannot_be_read_is_said_there() {
    let room = Room::new();
    let mut client = room.client();
    let manifest = room.path("ford/blazon.ron");
    client.open_as(&manifest, "Game(");
    let said = client.said(&manifest);
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("1: error[files::manifest]"), "{said:?}");
    assert!(client.ask("hover", &room.ford(), "number = p.^strength").is_ok(), "the pages are still known");
}
