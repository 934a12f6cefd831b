//! Lines above items, and what they do.

use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::room::{FORD, Room};

fn titles(client: &mut Client, page: &std::path::Path) -> Vec<String> {
    let lenses = client.ask_page("codeLens", page).unwrap();
    let lenses = lenses.as_array().unwrap().iter();
    lenses
        .map(|lens| {
            let line = lens["range"]["start"]["line"].as_u64().unwrap() + 1;
            format!("{line}: {}", lens["command"]["title"].as_str().unwrap())
        })
        .collect()
}

fn shown(client: &Client) -> Vec<String> {
    let shown = client.told.iter().filter(|(method, _)| method == "window/showMessage");
    shown.map(|(_, params)| params["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_rule_says_which_rulings_touch_it() {
    let room = Room::new();
    let mut client = room.client();
    assert_eq!(titles(&mut client, &room.ford()), ["50: touched by the ruling night march"]);
    let more = room
        .put("ford/more.blazon", "under night march = Allowed {\n  in rule power {\n    + dark: 1\n  }\n}\n");
    client.open(&more);
    client
        .notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(&more), "type": 1 }] }));
    let expected = ["43: touched by the ruling night march", "50: touched by the ruling night march"];
    assert_eq!(titles(&mut client, &room.ford()), expected);
    let lens = client.ask_page("codeLens", &room.ford()).unwrap()[0]["command"].clone();
    client
        .request(
            "workspace/executeCommand",
            json!({ "command": lens["command"], "arguments": lens["arguments"] }),
        )
        .unwrap();
    client.wait("the ruling", |client| !shown(client).is_empty());
    assert_eq!(shown(&client), ["night march: Forbidden or Allowed; May one march by night?"]);
}

fn run(client: &mut Client, command: &Value) {
    let before = shown(client).len();
    let asked = json!({ "command": command["command"], "arguments": command["arguments"] });
    assert_eq!(client.request("workspace/executeCommand", asked).unwrap(), Value::Null);
    client.wait("the outcome", |client| shown(client).len() > before);
}

#[test]
fn a_test_is_run_and_what_failed_is_marked() {
    let room = Room::new();
    let mut client = room.client();
    let page = room.path("ford/tests/tests.blazon");
    client.open(&page);
    assert_eq!(
        titles(&mut client, &page),
        ["1: run this test", "8: run this test", "1: run all tests, count what comes up"]
    );
    let lenses = client.ask_page("codeLens", &page).unwrap();
    run(&mut client, &lenses[0]["command"]);
    assert_eq!(shown(&client), ["passed: a march"]);
    run(&mut client, &lenses[1]["command"]);
    assert!(shown(&client)[1].starts_with("FAILED: a wrong one\n"), "{:?}", shown(&client));
    let (address, wrong) = (uri(&page), "10: error[tests::failed] ");
    client.wait("the mark", |client| {
        client.published.get(&address).is_some_and(|said| said["diagnostics"] != json!([]))
    });
    assert!(client.said(&page)[0].starts_with(wrong), "{:?}", client.said(&page));
    let expected =
        ["1: run this test (passed)", "8: run this test (FAILED)", "1: run all tests, count what comes up"];
    assert_eq!(titles(&mut client, &page), expected);
    // Another text has not been tried.
    client.write(&page, &client.text(&page).replace("= Beacon", "= Ford"));
    assert_eq!(client.said(&page), Vec::<String>::new());
    assert_eq!(titles(&mut client, &page)[1], "8: run this test");
}

#[test]
fn all_tests_count_what_comes_up() {
    let room = Room::new();
    let mut client = room.client();
    let all = json!({ "command": "blazon.testAll", "arguments": [uri(&room.ford())] });
    run(&mut client, &all);
    assert_eq!(shown(&client), ["1 passed, 1 failed; the first: a wrong one"]);
    let address = uri(&room.ford());
    client.wait("the counts", |client| {
        client.published.get(&address).is_some_and(|said| said["diagnostics"] != json!([]))
    });
    let said = client.said(&room.ford());
    assert!(
        said.iter().any(|one| one
            .ends_with("information[tests::never] the option `wait` was never taken in the last tests")),
        "{said:?}"
    );
    let titles = titles(&mut client, &room.ford());
    assert!(titles.contains(&"56: never came up in the last tests".to_owned()), "{titles:?}");
    assert!(titles.contains(&"59: came up once in the last tests".to_owned()), "{titles:?}");
    client.write(&room.ford(), &FORD.replace("Wait", "Rest"));
    assert_eq!(client.said(&room.ford()), Vec::<String>::new(), "of another text nothing is known");
}

#[test]
fn what_is_no_command_is_refused() {
    let room = Room::new();
    let mut client = room.client();
    let mut refused = |command: &str, arguments: Value| {
        let asked = json!({ "command": command, "arguments": arguments });
        client.request("workspace/executeCommand", asked).unwrap_err().1
    };
    assert_eq!(refused("blazon.fly", json!([uri(&room.ford())])), "there is no command `blazon.fly`");
    assert_eq!(refused("blazon.test", json!([])), "`blazon.test` needs 1 texts");
    assert_eq!(
        refused("blazon.test", json!(["no address"])),
        "`blazon.test` needs the address of a page: relative URL without a base"
    );
}
