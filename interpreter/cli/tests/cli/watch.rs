//! `blazon watch`, driven as an editor would: files are written while it runs, and what it says is waited for.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::Room;

/// Longer than any machine takes; a test that waits so long has failed.
const LONG: Duration = Duration::from_secs(120);

/// The program at work, and what it says.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn of(room: &Room, args: &[&str]) -> Self {
        let mut all = vec!["watch"];
        all.extend(args);
        let mut child = room.start(&all);
        let (sender, lines) = channel();
        let said = BufReader::new(child.stdout.take().expect("it says something"));
        std::thread::spawn(move || said.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    /// Waits for a line with these words; answers all that was said until then.
    fn until(&self, words: &str) -> String {
        let mut said = String::new();
        loop {
            match self.lines.recv_timeout(LONG) {
                Ok(line) => {
                    said += &line;
                    said.push('\n');
                    if line.contains(words) {
                        return said;
                    }
                }
                Err(_) => panic!("`{words}` was not said, but:\n{said}"),
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page of the game, changed.
fn changed(room: &Room, page: &str, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(room.path(page)).expect("the page");
    assert!(text.contains(from), "{page}: {text}");
    text.replace(from, to)
}

const PLAY: &str = "two-rivers/2-play.blazon";

#[test]
fn errors_come_first_and_tests_when_they_are_mended() {
    let room = Room::new();
    let watching = Watching::of(&room, &["two-rivers"]);
    let said = watching.until("passed, ");
    assert!(said.contains(" watching\n"), "{said}");
    assert!(said.contains("with each variant: no errors") && said.contains(", 0 failed\n"), "{said}");
    let good = std::fs::read_to_string(room.path(PLAY)).expect("the page");
    room.write(PLAY, changed(&room, PLAY, "not a.tired else", "not a.tyred else"));
    let said = watching.until("the tests wait until that is mended");
    assert!(said.contains("changed: two-rivers/2-play.blazon\n"), "{said}");
    assert!(said.contains("names::unknown") && said.contains("did you mean `tired`?"), "{said}");
    assert_eq!(said.matches("names::unknown").count(), 1, "once, not for each variant: {said}");
    room.write(PLAY, &good);
    let said = watching.until("passed, ");
    assert!(said.contains(", 0 failed"), "{said}");
    assert!(said.contains("1 page read"), "only the page that changed: {said}");
}

#[test]
fn the_first_failure_is_told_in_full_and_the_others_by_name() {
    let room = Room::new();
    let watching = Watching::of(&room, &["two-rivers"]);
    watching.until("passed, ");
    let good = std::fs::read_to_string(room.path(PLAY)).expect("the page");
    room.write(PLAY, changed(&room, PLAY, "\"{p} is crowded\"", "\"{p} is full\""));
    let said = watching.until("passed, ");
    let told = "FAIL a place holds one army  Two Rivers, two-rivers/tests/play.blazon:1:1\n";
    assert!(said.contains(told), "{said}");
    assert!(said.contains("Ford is full") && said.ends_with("2 passed, 1 failed\n"), "{said}");
    room.write(PLAY, &good);
    let said = watching.until("passed, ");
    assert!(said.ends_with("3 passed, 0 failed\n"), "a change of rules runs all: {said}");
}

#[test]
fn a_change_of_a_test_runs_that_test_alone() {
    let room = Room::new();
    let watching = Watching::of(&room, &["two-rivers"]);
    watching.until("passed, ");
    let tests = "two-rivers/tests/play.blazon";
    let good = std::fs::read_to_string(room.path(tests)).expect("the page");
    room.write(tests, changed(&room, tests, "Grey.at = Ford", "Grey.at = Mill"));
    let said = watching.until("passed, ");
    assert!(said.contains("`Grey.at = Mill` does not hold"), "{said}");
    assert!(said.ends_with("2 passed, 1 failed (2 as before, not run again)\n"), "{said}");
    // A comment is a change that no test hangs on; the one that failed runs again.
    room.write(tests, format!("-- More.\n{}", changed(&room, tests, "Grey.at = Mill", "Grey.at = Mill")));
    let said = watching.until("passed, ");
    assert!(said.ends_with("2 passed, 1 failed (2 as before, not run again)\n"), "{said}");
    room.write(tests, &good);
    let said = watching.until("passed, ");
    assert!(said.ends_with("3 passed, 0 failed (3 as before, not run again)\n"), "{said}");
}

#[test]
fn editors_save_in_many_ways() {
    let room = Room::new();
    let watching = Watching::of(&room, &["two-rivers"]);
    watching.until("passed, ");
    let good = std::fs::read_to_string(room.path(PLAY)).expect("the page");
    let bad = good.replace("not a.tired else", "not a.tyred else");
    // Beside it, and renamed.
    room.write("two-rivers/2-play.blazon~", &bad);
    std::fs::rename(room.path("two-rivers/2-play.blazon~"), room.path(PLAY)).expect("it is renamed");
    watching.until("the tests wait until that is mended");
    // Taken away, and made anew.
    std::fs::remove_file(room.path(PLAY)).expect("it is removed");
    room.write(PLAY, &good);
    watching.until("passed, ");
    // Half of it, and later the rest.
    room.write(PLAY, &good[..good.len() / 2]);
    watching.until("the tests wait until that is mended");
    room.write(PLAY, &good);
    watching.until("passed, ");
    // A page that is new, in a folder that is new.
    room.write("two-rivers/more/more.blazon", "rule more: number = les\n");
    let said = watching.until("the tests wait until that is mended");
    assert!(said.contains("more.blazon:1:21") || said.contains("two-rivers/more/more.blazon"), "{said}");
    std::fs::remove_dir_all(room.path("two-rivers/more")).expect("it is removed");
    watching.until("passed, ");
    // All of it, renamed and brought back; then what is saved is seen again.
    std::fs::rename(room.path("two-rivers"), room.path("elsewhere")).expect("it is renamed");
    watching.until("the rules cannot be read");
    std::fs::rename(room.path("elsewhere"), room.path("two-rivers")).expect("it is renamed");
    room.write(PLAY, &bad);
    watching.until("the tests wait until that is mended");
    room.write(PLAY, &good);
    watching.until("passed, ");
}

#[test]
fn a_variant_is_watched_with_its_game() {
    let room = Room::new();
    let watching = Watching::of(&room, &["two-rivers/variants/floods"]);
    let said = watching.until("passed, ");
    assert!(said.ends_with("1 passed, 0 failed\n"), "{said}");
    room.write(PLAY, changed(&room, PLAY, "rule may enter", "rule could enter"));
    let said = watching.until("the tests wait until that is mended");
    assert!(said.contains("amend::missing"), "{said}");
}

#[test]
fn what_cannot_change_is_not_watched() {
    let room = Room::empty();
    let run = room.run(&["watch", "Richard III"], "");
    let told = "error: `Richard III` comes with the program, and nothing of it can change: name a folder\n";
    assert_eq!((run.code, run.err.as_str()), (2, told));
    let run = room.run(&["watch", "nowhere"], "");
    assert_eq!(run.code, 2, "{}", run.err);
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_it() {
    let room = Room::new();
    let mut watching = Watching::of(&room, &["two-rivers"]);
    watching.until("passed, ");
    let id = watching.child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("a signal can be sent").success());
    let ended = watching.child.wait().expect("it ends");
    assert_eq!(ended.code(), Some(130));
}
