//! `kill -9` at any moment: what was answered is there again, and the pages go on by themselves.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Browser, choice, options};
use crate::server::{Server, two_rivers};

/// How many moments; `BLAZON_KILLS=1000` tries more.
fn moments() -> u64 {
    std::env::var("BLAZON_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(100)
}

/// What pages were told last, by table and seat: how many choices the game has had.
type Answered = Mutex<BTreeMap<(String, String), u64>>;

/// What all pages of the test share.
#[derive(Default)]
struct Shared {
    port: AtomicU16,
    stop: AtomicBool,
    answered: Answered,
    clicks: AtomicU64,
}

impl Shared {
    /// A page that clicks as fast as it can, and goes on by itself when the server comes back.
    fn click(&self, mut page: Browser) {
        let mut turn = 0;
        while !self.stop.load(Ordering::SeqCst) {
            page = page.at(self.port.load(Ordering::SeqCst));
            turn += 1;
            if self.turn(&mut page, turn).is_err() {
                // The server is gone; it comes back.
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    fn turn(&self, page: &mut Browser, turn: usize) -> io::Result<()> {
        let path = format!("{}update?seat={}", page.table, page.seat);
        let answer = page.send("GET", &path, &[], "")?;
        assert_eq!(answer.status, 200, "{answer:?}");
        let update = answer.json();
        self.note(page, &update);
        if !update["over"].is_null() {
            let next = page.tell("rematch", &json!({}))?;
            assert_eq!(next.status, 200, "{next:?}");
            let url = next.json()["url"].as_str().expect("a table").to_owned();
            page.table = url.split('?').next().expect("a path").to_owned();
        } else if update["decision"]["yours"] == true {
            let answer = page.tell("choose", &choice(&update, turn % options(&update)))?;
            assert!(matches!(answer.status, 200 | 409), "{answer:?}");
            self.clicks.fetch_add(u64::from(answer.status == 200), Ordering::SeqCst);
            self.note(page, &answer.json());
        } else {
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// What was answered once is never taken back.
    fn note(&self, page: &Browser, update: &Value) {
        let choices = update["choices"].as_u64().expect("a number");
        let mut answered = self.answered.lock().expect("no page has failed");
        let before = answered.insert((page.table.clone(), page.seat.clone()), choices).unwrap_or_default();
        assert!(choices >= before, "{page:?} was told of {before} choices, and now there are {choices}");
    }
}

#[test]
fn nothing_that_was_answered_is_lost() {
    let data = tempfile::tempdir().unwrap();
    let game = two_rivers().display().to_string();
    let start = || Server::start(&game, data.path(), &["--hotseat"]);
    let mut server = start();
    let north = server.player();
    let fork = north.tell("fork", &json!({"at": 0})).expect("an answer").json();
    let table = fork["url"].as_str().expect("a table").split('?').next().expect("a path").to_owned();
    let other = Browser { table, ..north.clone() };
    let shared = Shared::default();
    shared.port.store(server.port, Ordering::SeqCst);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for table in [&north, &other] {
            for seat in ["North", "South"] {
                let page = Browser { seat: seat.to_owned(), ..table.clone() };
                scope.spawn(|| shared.click(page));
            }
        }
        let mut wait = 1u64;
        for _ in 0..moments() {
            // Between 1 and 100 ms after it has begun, always the same ones.
            wait = wait.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            std::thread::sleep(Duration::from_millis(1 + (wait >> 33) % 100));
            server.kill();
            server = start();
            shared.port.store(server.port, Ordering::SeqCst);
        }
        shared.stop.store(true, Ordering::SeqCst);
    });
    let clicks = shared.clicks.into_inner();
    println!("{} moments, {clicks} clicks answered, {:?}", moments(), begun.elapsed());
    assert!(clicks > moments() / 2, "only {clicks} clicks were answered");
}
