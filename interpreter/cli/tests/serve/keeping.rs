//! What lies on the disk: a restart, a disk that takes nothing, files that are not as they were.

use std::fs;
use std::path::Path;

use crate::client::{choice, options};
use crate::server::{Server, command, two_rivers};

fn begin(data: &Path, args: &[&str]) -> Server {
    Server::start(&two_rivers().display().to_string(), data, args)
}

/// The only table's folder.
fn table(data: &Path) -> std::path::PathBuf {
    let entries = data.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries.into_iter().find(|path| path.join("table.json").exists()).expect("a table")
}

#[test]
fn a_restart_goes_on_where_it_stood() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(data.path(), &["--hotseat"]);
    let north = server.player();
    let south = crate::client::Browser { seat: "South".to_owned(), ..north.clone() };
    for seat in [&north, &south, &north, &south] {
        // To rest is the last option: nothing hangs on dice.
        let update = seat.update();
        assert_eq!(seat.choose(&update, options(&update) - 1).status, 200);
    }
    let before = north.update();
    let secret = server.links[0].rsplit('/').next().unwrap().to_owned();
    server.stop();
    let files: Vec<_> = table(data.path()).read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains(&secret), "{} holds a secret", file.display());
    }
    let saved = fs::read_to_string(table(data.path()).join("save.game")).expect("a copy for people");
    assert!(saved.starts_with("Save("));

    let server = begin(data.path(), &["--hotseat"]);
    assert!(server.said.contains("where it stood"), "{}", server.said);
    let north = north.at(server.port);
    let after = north.update();
    for same in ["fragments", "over", "choices", "title"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    assert_eq!(after["log"], before["log"], "the log is told in the same words");
    assert_eq!(after["decision"]["options"], before["decision"]["options"]);
    assert!(after["version"].as_u64() > before["version"].as_u64(), "versions grow on");
    // An old page's answer is stale, and what it is told is whole.
    let late = north.choose(&before, 0);
    assert_eq!((late.status, &late.json()["whole"]), (409, &true.into()));
    assert_eq!(north.choose(&after, 0).status, 200);
}

#[test]
fn a_disk_that_takes_nothing_is_told_and_the_game_stands() {
    let data = tempfile::tempdir().unwrap();
    let first = begin(data.path(), &["--hotseat"]);
    let north = first.player();
    first.stop();
    // Files may grow to so many blocks and no further; the signal is ignored, as on a full disk.
    let mut limited = std::process::Command::new("sh");
    let program = format!(
        "trap '' XFSZ; ulimit -f 4; exec '{}' serve '{}' --port 0 --hotseat --data '{}'",
        env!("CARGO_BIN_EXE_blazon"),
        two_rivers().display(),
        data.path().display()
    );
    let server = Server::of(limited.args(["-c", &program]));
    let north = north.at(server.port);
    let mut taken = 0;
    let refused = loop {
        let update = north.update();
        let seat = update["decision"]["deciders"][0].as_str().expect("the game goes on").to_owned();
        let decider = crate::client::Browser { seat, ..north.clone() };
        let asked = decider.update();
        // Rest, and take it back: a game without an end.
        let rest = options(&asked) - 1;
        let answer = decider.choose(&asked, rest);
        if answer.status != 200 {
            assert_eq!(decider.update()["decision"]["options"], asked["decision"]["options"], "it stands");
            break answer;
        }
        taken += 1;
        let version = answer.json()["version"].clone();
        let undone = decider.tell("undo", &serde_json::json!({ "since": version })).unwrap();
        if undone.status != 200 {
            break undone;
        }
        assert!(taken < 200, "the limit does not hold");
    };
    assert_eq!(refused.status, 507, "{refused:?}");
    assert_eq!(refused.json()["code"], "serve::kept");
    assert!(refused.json()["error"].as_str().unwrap().contains("nothing was done"));
    let stands = north.update();
    server.kill();
    let server = begin(data.path(), &["--hotseat"]);
    let north = north.at(server.port);
    let after = north.update();
    assert_eq!((&after["fragments"], &after["choices"]), (&stands["fragments"], &stands["choices"]));
    let seat = after["decision"]["deciders"][0].as_str().unwrap().to_owned();
    let decider = crate::client::Browser { seat, ..north };
    let asked = decider.update();
    assert_eq!(decider.choose(&asked, 0).status, 200, "and goes on when the disk takes files again");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_at_the_start() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("file");
    fs::write(&file, "x").unwrap();
    let game = two_rivers().display().to_string();
    let output = command(&file.join("tables"), &[&game, "--port", "0"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("serve::folder") && said.contains("cannot be written to"), "{said}");

    let server = begin(data.path(), &[]);
    let output = command(data.path(), &[&game, "--port", "0"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("another server keeps its tables"), "{said}");
    let port = server.port.to_string();
    let other = tempfile::tempdir().unwrap();
    let output = command(other.path(), &[&game, "--port", &port]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("serve::address") && said.contains(&port), "{said}");
}

#[test]
fn files_that_are_not_as_they_were_are_told_and_left_alone() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(data.path(), &["--hotseat"]);
    let north = server.player();
    for _ in 0..2 {
        let update = north.update();
        let seat = update["decision"]["deciders"][0].as_str().unwrap().to_owned();
        let decider = crate::client::Browser { seat, ..north.clone() };
        let asked = decider.update();
        assert_eq!(decider.tell("choose", &choice(&asked, 0)).unwrap().status, 200);
    }
    let before = north.update();
    server.kill();
    let log = table(data.path()).join("log.jsonl");
    let whole = fs::read_to_string(&log).unwrap();
    assert_eq!(whole.lines().count(), 2, "{whole}");
    // A line that was not written to its end was never answered.
    fs::write(&log, format!("{whole}{{\"choice\":{{\"pla")).unwrap();
    let server = begin(data.path(), &["--hotseat"]);
    assert_eq!(north.at(server.port).update()["fragments"], before["fragments"]);
    server.kill();
    // A strange line in the midst is no line of ours: nothing is guessed, nothing is overwritten.
    for (broken, why) in [
        (whole.replacen("{\"choice\"", "{\"chance\"", 1), "line 1"),
        (whole.replacen("\"option\":\"move\"", "\"option\":\"fly\"", 1), "does not hold"),
    ] {
        fs::write(&log, &broken).unwrap();
        let server = begin(data.path(), &["--hotseat"]);
        let answer = north.at(server.port).ask("update");
        assert_eq!(
            (answer.status, answer.json()["code"].as_str()),
            (500, Some("serve::damaged")),
            "{answer:?}"
        );
        assert!(answer.json()["error"].as_str().unwrap().contains(why), "{answer:?}");
        assert_eq!(fs::read_to_string(&log).unwrap(), broken);
    }
}
