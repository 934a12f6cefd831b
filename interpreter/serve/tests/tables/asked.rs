//! What is asked in a way that cannot be read is answered as everything is: by an error and a code.

use std::sync::Barrier;

use blazon_serve::Seating;
use serde_json::json;

use crate::client::Browser;
use crate::server::{Running, folder, said};

#[test]
fn what_cannot_be_read_is_answered_with_a_code() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    let expected = (400, "serve::request".to_owned());
    for strange in [
        "replay/-1",
        "replay/x",
        "replay/99999999999999999999",
        "try?number=-1&option=0",
        "try?number=1",
        "where?line=-1",
        "where?option=-1",
        "update?since=-1",
        "edit/page",
        "edit/link?at=a&at=b",
    ] {
        let answer = north.ask(strange);
        assert_eq!(said(&answer), expected, "{strange}: {answer:?}");
        assert!(answer.json()["error"].as_str().unwrap().contains("not what is wanted"), "{answer:?}");
    }
    assert_eq!(said(&north.get("/?game=a&game=b")), expected);
    assert_eq!(
        said(&server.post(&north, "/new", "text/plain", "game=x")),
        (415, "serve::request".to_owned())
    );
    let long = "x".repeat(5 << 20);
    let limit = (413, "serve::limit".to_owned());
    assert_eq!(said(&server.post(&north, "/load", "text/plain", &long)), limit);
    assert_eq!(said(&north.tell("choose", &json!({ "number": &long[..20_000] })).unwrap()), limit);
    assert_eq!(said(&Browser::new(server.port).get("/t/kd9f6vjb/update")).0, 404);
}

#[test]
fn whoever_goes_there_himself_is_shown_a_page() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    let mut watches = Browser::new(server.port);
    watches.follow(server.links.watch.as_ref().unwrap());
    let save = format!("{}save?seat=", watches.table);
    let page = ("Accept", "text/html,application/xhtml+xml;q=0.9");
    let refused = watches.send("GET", &save, &[page], "").unwrap();
    assert_eq!(said(&refused), (403, "serve::secret".to_owned()));
    assert!(refused.body.contains("<h1>This did not work</h1>"), "{refused:?}");
    assert!(watches.get(&save).json()["error"].is_string(), "a script is told in JSON");
    let elsewhere = watches.send("GET", "/", &[page, ("Host", "elsewhere.example")], "").unwrap();
    assert_eq!(elsewhere.status, 421);
    assert!(elsewhere.body.contains("<h1>This did not work</h1>"), "{elsewhere:?}");
    for nowhere in ["/t/%0d%0aX:y", "/t/kd9f6vjb"] {
        assert_eq!(said(&north.get(nowhere)), (404, "serve::table".to_owned()), "{nowhere}");
    }
    let bare = north.get(&format!("{}?seat=North", north.table.trim_end_matches('/')));
    assert_eq!((bare.status, bare.header("location")), (303, Some(&*format!("{}?seat=North", north.table))));
    for (method, path) in [("PUT", "/".to_owned()), ("DELETE", format!("{}choose", north.table))] {
        let origin = format!("http://127.0.0.1:{}", server.port);
        let answer = north.send(method, &path, &[("Origin", &origin)], "").unwrap();
        assert_eq!(said(&answer), (405, "serve::request".to_owned()), "{method} {path}: {answer:?}");
    }
}

#[test]
fn an_open_seat_is_one_browsers() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    let form = server.form().replace("South=mine", "South=open");
    let lobby = server.new_game(&north, &form);
    assert_eq!(lobby.status, 303, "{lobby:?}");
    let open = Browser::new(server.port).get("/").body;
    let path =
        open.split("action=\"").find_map(|rest| rest.split('"').next().filter(|it| it.contains("/sit?")));
    let path = path.expect("an open seat");
    let all_are_there = Barrier::new(4);
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let sit = || {
            let browser = Browser::new(server.port);
            all_are_there.wait();
            server.post(&browser, path, "application/x-www-form-urlencoded", "").status
        };
        let sitting: Vec<_> = (0..4).map(|_| scope.spawn(sit)).collect();
        sitting.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|&&status| status == 303).count(), 1, "{answers:?}");
}

#[test]
fn whoever_only_looks_at_a_link_takes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let link = &server.links.seats[0].1;
    let path = &link[link.find("/join/").unwrap()..];
    let looks = Browser::new(server.port);
    for method in ["GET", "HEAD"] {
        let answer = looks.send(method, path, &[], "").unwrap();
        assert_eq!((answer.status, answer.header("set-cookie")), (200, None), "{method}: {answer:?}");
    }
    assert!(looks.get(path).body.contains("Sit down as North"));
    let mut north = looks;
    north.follow(link);
    let table = folder(data.path(), &north).join("table.json");
    let facts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(table).unwrap()).unwrap();
    assert_eq!(facts["seats"][0]["access"]["browsers"].as_array().unwrap().len(), 1, "{facts}");
    assert_eq!(north.get(path).status, 303, "whoever has sat down is sent to the table");
}

#[test]
fn spectators_take_no_place_from_those_who_play() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let mut watches = Browser::new(server.port);
    watches.follow(server.links.watch.as_ref().unwrap());
    let streams: Vec<_> =
        (0..32).map(|_| watches.listen()).map(|mut events| (events.next(), events)).collect();
    assert_eq!(said(&watches.ask("events")), (429, "serve::limit".to_owned()));
    // It hears of its version as soon as it listens.
    server.player().listen().next();
    drop(streams);
}

#[test]
fn there_is_always_a_link_for_a_person() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    // Whoever lets a bot play for him has no seat of a person any more.
    let lets_play = |bot: &str| north.tell("bot", &json!({ "seat": "North", "bot": bot })).unwrap();
    let strange = lets_play("search@100000000");
    assert_eq!(said(&strange), (400, "serve::request".to_owned()));
    assert!(strange.json()["error"].as_str().unwrap().contains("`greedy`, `search`"), "{strange:?}");
    assert_eq!(lets_play("search").status, 200);
    assert_eq!(lets_play("random").status, 200);
    drop(server);
    let server = Running::start(data.path(), Seating::Bots);
    assert_eq!(server.links.seats.len(), 1, "{:?}", server.links);
    server.player().update();
}
