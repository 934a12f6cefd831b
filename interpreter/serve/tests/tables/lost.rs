//! Files that should be there and are not, or are not as they were: nothing is guessed, nothing is begun in their place.

use std::fs;

use blazon_serve::Seating;
use serde_json::json;

use crate::client::Browser;
use crate::server::{Running, decide, folder, play, said, sent_on};

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[test]
fn a_folder_that_is_away_for_a_moment_costs_nothing() {
    let around = tempfile::tempdir().unwrap();
    let (data, gone) = (around.path().join("data"), around.path().join("gone"));
    let server = Running::start(&data, Seating::HotSeat);
    let north = server.player();
    play(&north, 6);
    let before = north.update();
    let log = folder(&data, &north).join("log.jsonl");
    let written = fs::read_to_string(&log).unwrap();
    assert_eq!(written.lines().count(), 6, "{written}");

    let form = server.form();
    fs::rename(&data, &gone).unwrap();
    let answer = decide(&north);
    assert_eq!(said(&answer), refused(507, "serve::kept"), "{answer:?}");
    assert!(answer.json()["error"].as_str().unwrap().contains("is not there"), "{answer:?}");
    for what in ["undo", "resign"] {
        assert_ne!(north.tell(what, &json!({})).unwrap().status, 200, "{what}");
    }
    // What was done before is held, and nothing is written where the folder was.
    let held = north.update();
    assert_eq!((&held["fragments"], &held["choices"]), (&before["fragments"], &before["choices"]));
    let game = north.tell("save", &json!({})).unwrap();
    assert_ne!(game.status, 200, "that somebody was told cannot be written down: {game:?}");
    let new = server.new_game(&north, &form);
    assert_eq!(said(&new), refused(507, "serve::kept"), "{new:?}");
    assert!(!data.exists());

    fs::rename(&gone, &data).unwrap();
    assert_eq!(north.update()["choices"], before["choices"]);
    play(&north, 1);
    let now = fs::read_to_string(&log).unwrap();
    assert!(now.starts_with(&written) && now.lines().count() == 7, "{now}");
}

#[test]
fn a_log_that_has_gone_is_told_and_not_begun_anew() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    let log = folder(data.path(), &north).join("log.jsonl");
    assert_eq!(fs::read_to_string(&log).unwrap(), "", "it is made with the table");
    play(&north, 6);
    let before = north.update();
    let written = fs::read_to_string(&log).unwrap();

    fs::remove_file(&log).unwrap();
    let answer = decide(&north);
    assert_eq!(said(&answer), refused(500, "serve::damaged"), "{answer:?}");
    assert!(answer.json()["error"].as_str().unwrap().contains("/log.jsonl` is not there"), "{answer:?}");
    assert_eq!(north.update()["choices"], before["choices"], "it is held in memory");
    drop(server);
    assert!(!log.exists());
    assert!(folder(data.path(), &north).join("save.game").exists(), "a copy to go on from");

    let server = Running::start(data.path(), Seating::HotSeat);
    assert!(server.strange.contains("its `log.jsonl` is not there"), "{}", server.strange);
    assert!(!server.links.goes_on);
    let north = north.at(server.port);
    let answer = north.ask("update");
    assert_eq!(said(&answer), refused(500, "serve::damaged"), "{answer:?}");
    assert!(!log.exists());
    // Put back, the game goes on, without another start.
    fs::write(&log, &written).unwrap();
    let after = north.update();
    assert_eq!((&after["fragments"], &after["choices"]), (&before["fragments"], &before["choices"]));
    play(&north, 1);
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 7);
}

#[test]
fn tables_of_older_servers_load_as_before() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    drop(server);
    let folder = folder(data.path(), &north);
    let facts = folder.join("table.json");
    let older = || {
        let mut all: serde_json::Value = serde_json::from_str(&fs::read_to_string(&facts).unwrap()).unwrap();
        all.as_object_mut().unwrap().remove("logged").expect("a note");
        all.as_object_mut().unwrap().remove("saved").expect("a note");
        fs::write(&facts, all.to_string()).unwrap();
    };
    // They began the log with the first choice.
    older();
    fs::remove_file(folder.join("log.jsonl")).unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    assert!(server.links.goes_on && server.strange.is_empty(), "{}", server.strange);
    play(&north.at(server.port), 3);
    drop(server);
    older();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = north.at(server.port);
    assert!(server.links.goes_on);
    play(&north, 1);
    assert_eq!(fs::read_to_string(folder.join("log.jsonl")).unwrap().lines().count(), 4);
    drop(server);
    // From then on it must be there.
    fs::remove_file(folder.join("log.jsonl")).unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    assert_eq!(said(&north.at(server.port).ask("update")), refused(500, "serve::damaged"));
}

#[test]
fn the_save_that_a_table_goes_on_from_must_be_there() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    play(&north, 2);
    let fork = sent_on(&north, &north.tell("fork", &json!({ "at": 1 })).unwrap());
    drop(server);
    let begin = folder(data.path(), &fork).join("begin.game");
    let text = fs::read_to_string(&begin).unwrap();
    fs::remove_file(&begin).unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let fork = fork.at(server.port);
    let answer = fork.ask("update");
    assert_eq!(said(&answer), refused(500, "serve::damaged"), "{answer:?}");
    assert!(answer.json()["error"].as_str().unwrap().contains("`begin.game`"), "{answer:?}");
    fs::write(&begin, text).unwrap();
    assert_eq!(fork.update()["choices"], 1);
}

#[test]
fn a_table_that_cannot_be_read_is_told_to_those_who_sit_there() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    play(&north, 1);
    drop(server);
    let facts = folder(data.path(), &north).join("table.json");
    let whole = fs::read_to_string(&facts).unwrap();
    let seed = whole.lines().find(|line| line.contains("\"seed\"")).unwrap();
    let newer = whole.replacen("\"format\": 1", "\"format\": 2", 1);
    for (broken, why) in [
        (whole.replacen(seed, "  \"seed\": \"secret\",", 1), "line 8"),
        (newer, "take a newer blazon"),
        (whole[..whole.len() - 20].to_owned(), "is not as it was written"),
    ] {
        fs::write(&facts, &broken).unwrap();
        let server = Running::start(data.path(), Seating::HotSeat);
        assert!(server.strange.contains("`table.json`"), "{}", server.strange);
        let north = north.at(server.port);
        let answer = north.ask("update");
        assert_eq!(said(&answer), refused(500, "serve::damaged"), "{answer:?}");
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(why) && error.contains("put the file back"), "{error}");
        assert!(!error.contains("secret"), "nothing of what stands there is told: {error}");
        assert_eq!(said(&north.ask("")), refused(500, "serve::damaged"), "the page says so, too");
        assert!(north.get("/").body.contains("cannot be read"));
        assert!(!Browser::new(server.port).get("/").body.contains("cannot be read"));
        drop(server);
        assert_eq!(fs::read_to_string(&facts).unwrap(), broken, "it is left alone");
    }
    fs::remove_file(&facts).unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    assert_eq!(said(&north.at(server.port).ask("update")), refused(500, "serve::damaged"));
    drop(server);
    fs::write(&facts, &whole).unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    assert!(server.strange.is_empty(), "{}", server.strange);
    assert_eq!(north.at(server.port).update()["choices"], 1);
}

#[test]
fn lines_that_nobody_could_have_written_are_damage() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    play(&north, 2);
    drop(server);
    let log = folder(data.path(), &north).join("log.jsonl");
    let written = fs::read_to_string(&log).unwrap();
    for (line, why) in [
        ("{\"left\":99999999}", "it leaves 99999999 choices, and there were 2"),
        ("{\"left\":3}", "it leaves 3 choices, and there were 2"),
        ("{\"resigned\":\"Nobody\"}", "`Nobody` has no seat to give up; there are North, South"),
    ] {
        let broken = format!("{written}{line}\n");
        fs::write(&log, &broken).unwrap();
        let server = Running::start(data.path(), Seating::HotSeat);
        let answer = north.at(server.port).ask("update");
        assert_eq!(said(&answer), refused(500, "serve::damaged"), "{answer:?}");
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("line 3") && error.contains(why), "{error}");
        drop(server);
        assert_eq!(fs::read_to_string(&log).unwrap(), broken);
    }
    fs::write(&log, format!("{written}{{\"left\":1}}\n{{\"resigned\":\"South\"}}\n")).unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let update = north.at(server.port).update();
    assert_eq!((&update["choices"], &update["over"]), (&json!(1), &json!("South resigned")));
}
