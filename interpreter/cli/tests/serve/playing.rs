//! Playing at the socket.

use serde_json::json;

use crate::client::{Browser, options};
use crate::server::{Server, two_rivers};

fn begin(data: &tempfile::TempDir, args: &[&str]) -> Server {
    Server::start(&two_rivers().display().to_string(), data.path(), args)
}

#[test]
fn whoever_opens_the_link_plays_against_a_bot_to_the_end() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let north = server.player();
    let page = north.ask("");
    assert_eq!(page.status, 200);
    for part in ["id=\"stage\"", "id=\"board\"", "id=\"state\"", "/web/table.js", "data-seat=\"North\""] {
        assert!(page.body.contains(part), "{part}");
    }
    let mut taken = 0;
    loop {
        let update = north.wait_for_turn();
        if !update["over"].is_null() {
            break;
        }
        let answer = north.choose(&update, taken % options(&update));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["whole"], false, "a page is told what is new");
        taken += 1;
        assert!(taken < 500);
    }
    let end = north.update();
    assert!(end["decision"].is_null(), "{end}");
    assert!(end["log"]["lines"].as_array().unwrap().len() > 5);
    // The saved game is the machine's: the command line plays it again to the same end.
    let save = north.tell("save", &serde_json::json!({})).unwrap();
    assert_eq!(save.status, 200, "{save:?}");
    let file = data.path().join("whole.game");
    std::fs::write(&file, &save.body).unwrap();
    let replay = std::process::Command::new(env!("CARGO_BIN_EXE_blazon"))
        .args(["replay", "--game"])
        .arg(two_rivers())
        .arg(&file)
        .output()
        .unwrap();
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
}

#[test]
fn a_bot_tells_what_it_would_do_on_the_seat() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let update = north.update();
    let hint = north.ask("hint");
    assert_eq!(hint.status, 200, "{hint:?}");
    let hint = hint.json();
    assert_eq!(hint["number"], update["decision"]["number"]);
    let hints = hint["hints"].as_array().unwrap();
    assert!((1..=3).contains(&hints.len()), "{hint}");
    for one in hints {
        assert!(one["option"].as_u64().unwrap() < options(&update) as u64, "{hint}");
        assert!(one["worth"].as_u64().unwrap() <= 100 && one["tries"].as_u64().unwrap() <= 100, "{hint}");
    }
    // Asking changes nothing, and the answer is the same.
    assert_eq!(north.ask("hint").json(), hint);
    assert_eq!(north.update()["version"], update["version"]);
    assert_eq!(north.choose(&update, hints[0]["option"].as_u64().unwrap() as usize).status, 200);
}

#[test]
fn two_tabs_cannot_decide_twice() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let old = north.update();
    assert_eq!(north.choose(&old, 0).status, 200);
    let before = north.update();
    let late = north.choose(&old, 0);
    assert_eq!(late.status, 409, "{late:?}");
    assert_eq!(
        late.json()["decision"]["number"],
        before["decision"]["number"],
        "it is told what is asked now"
    );
    assert_eq!(north.update(), before, "and nothing was done");
    let none = north.choose(&before, 9999);
    assert_eq!((none.status, none.json()["code"].as_str()), (400, Some("serve::request")));
}

#[test]
fn choices_are_taken_back_and_the_others_are_told() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let watch = server.follow(1);
    let mut events = watch.listen();
    let first = events.next();
    let before = north.update();
    assert_eq!(before["undo"], false);
    // To rest ends the orders: nothing is shown by it.
    let rest =
        before["decision"]["options"].as_array().unwrap().iter().position(|option| option[2] == "Rest");
    let after = north.choose(&before, rest.unwrap()).json();
    assert_eq!(after["undo"], true, "{after}");
    assert!(events.next() > first, "spectators are told");
    let back = north.tell("undo", &json!({"since": after["version"]})).unwrap().json();
    assert_eq!(back["decision"]["options"], before["decision"]["options"]);
    assert_ne!(back["decision"]["number"], before["decision"]["number"], "an older page's answer is stale");
    assert_eq!(back["log"]["from"], before["log"]["lines"].as_array().unwrap().len());
    let again = north.tell("undo", &json!({})).unwrap();
    assert_eq!((again.status, again.json()["code"].as_str()), (409, Some("serve::refused")));
}

#[test]
fn one_gives_up_and_both_play_again() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    assert_eq!(north.tell("rematch", &json!({})).unwrap().status, 409, "it is not over");
    let over = north.tell("resign", &json!({})).unwrap().json();
    assert_eq!(
        (over["over"].as_str(), &over["decision"]),
        (Some("North resigned"), &serde_json::Value::Null)
    );
    assert_eq!(north.tell("resign", &json!({})).unwrap().status, 409);
    let one = north.tell("rematch", &json!({})).unwrap().json();
    let south = Browser { seat: "South".to_owned(), ..north.clone() };
    let two = south.tell("rematch", &json!({})).unwrap().json();
    let table = |url: &serde_json::Value| url["url"].as_str().unwrap().split('?').next().unwrap().to_owned();
    assert_eq!(table(&one), table(&two), "they meet at the same table");
    let again = Browser { table: table(&one), ..north };
    assert_eq!(again.update()["decision"]["yours"], true);
}

#[test]
fn the_past_can_be_looked_at_and_gone_on_from() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let begun = north.update();
    let mut now = begun.clone();
    for _ in 0..3 {
        let seat = now["decision"]["deciders"][0].as_str().unwrap().to_owned();
        let decider = Browser { seat, ..north.clone() };
        let update = decider.update();
        assert_eq!(decider.choose(&update, 0).status, 200);
        now = north.update();
    }
    let past = north.ask("replay/0").json();
    assert_eq!(past["fragments"], begun["fragments"], "as it was seen then");
    assert_eq!((&past["decision"], &past["whole"]), (&serde_json::Value::Null, &true.into()));
    // What follows unasked follows again: only where somebody was asked the number is the same.
    let at = begun["choices"].as_u64().unwrap();
    let fork = north.tell("fork", &json!({ "at": at })).unwrap();
    assert_eq!(fork.status, 200, "{fork:?}");
    let url = fork.json()["url"].as_str().unwrap().to_owned();
    let other = Browser { table: url.split('?').next().unwrap().to_owned(), ..north.clone() };
    assert_eq!(other.update()["choices"], at);
    assert_eq!(north.update()["choices"], now["choices"], "the first game stands as it did");
}

#[test]
fn what_is_refused_has_reasons_and_what_can_be_told_before_is_told() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let update = north.update();
    let why = north.ask("why").json();
    assert_eq!(why["number"], update["decision"]["number"]);
    let refusals = why["refusals"].as_array().unwrap();
    assert!(refusals.iter().any(|refusal| refusal["reason"] == "Ford is crowded"), "{why}");
    let number = &update["decision"]["number"];
    for (option, line) in update["decision"]["options"].as_array().unwrap().iter().enumerate() {
        let tried = north.ask(&format!("try?number={number}&option={option}")).json();
        let told = tried["changes"].to_string();
        match line[2].as_str().unwrap() {
            "Rest" => assert!(!tried["changes"].is_null(), "{tried}"),
            words => assert!(tried["chance"] == true || told.contains("→"), "{words}: {tried}"),
        }
    }
    assert_eq!(north.update(), update, "nothing was done by it");
    let paragraph = north.ask("paragraph/2.1").json();
    assert!(paragraph["html"].as_str().unwrap().contains("is crowded"), "{paragraph}");
    assert_eq!(north.ask("paragraph/99").status, 404);
}
