//! Who asks and amends a rule, and what it asks.

use serde_json::{Value, json};

use crate::room::Room;

fn names(calls: &Value, side: &str) -> Vec<String> {
    let mut names: Vec<String> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|call| {
            let item = &call[side];
            format!("{} ({})", item["name"].as_str().unwrap(), item["detail"].as_str().unwrap())
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_rule_knows_who_asks_and_amends_it() {
    let room = Room::new();
    let mut client = room.client();
    let items = client.ask("prepareCallHierarchy", &room.ford(), "rule ^power").unwrap();
    assert_eq!(items[0]["name"], "power");
    let asked = json!({ "item": items[0] });
    let incoming = client.request("callHierarchy/incomingCalls", asked.clone()).unwrap();
    assert_eq!(
        names(&incoming, "from"),
        ["in rule power (variants/floods/floods.blazon)", "turn (ford.blazon)"]
    );
    let outgoing = client.request("callHierarchy/outgoingCalls", asked).unwrap();
    assert_eq!(names(&outgoing, "to"), ["at (ford.blazon)", "hill (ford.blazon)", "strength (ford.blazon)"]);
}

#[test]
fn an_option_knows_the_tests_that_take_it() {
    let room = Room::new();
    let mut client = room.client();
    let items = client.ask("prepareCallHierarchy", &room.ford(), "option ^march").unwrap();
    let incoming = client.request("callHierarchy/incomingCalls", json!({ "item": items[0] })).unwrap();
    assert_eq!(names(&incoming, "from"), ["a march (tests/tests.blazon)"]);
    assert_eq!(client.ask("prepareCallHierarchy", &room.ford(), "-- Who ^plays").unwrap(), Value::Null);
}
