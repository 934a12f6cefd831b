//! Many tables at once: how long it takes from a click until both pages have what is new. `BLAZON_TABLES=200` and
//! `BLAZON_SECONDS=30` ask for more; by default it only shows that nobody is forgotten.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{Browser, choice, options};
use crate::server::Server;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A table with both seats in one browser.
fn table(server: &Server) -> [Browser; 2] {
    let origin = format!("http://127.0.0.1:{}", server.port);
    let headers = [("Origin", origin.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let form = "game=richard-iii&seat.Lancaster=mine&seat.York=mine";
    let mut browser = Browser::new(server.port);
    let begun = loop {
        let begun = browser.send("POST", "/new", &headers, form).expect("an answer");
        if begun.status != 429 {
            break begun;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(begun.status, 303, "{begun:?}");
    browser.cookie =
        begun.header("set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
    let (table, seat) = begun.header("location").and_then(|to| to.split_once("?seat=")).expect("a seat");
    (browser.table, browser.seat) = (table.to_owned(), seat.to_owned());
    let other = Browser { seat: "York".to_owned(), ..browser.clone() };
    [browser, other]
}

/// Plays at one table, two decisions a second; the times from the click to both pages.
fn play(pages: &[Browser; 2], until: Instant, times: &Mutex<Vec<Duration>>, bytes: &AtomicU64) {
    let mut events = pages.each_ref().map(Browser::listen);
    let mut known = pages.each_ref().map(Browser::update);
    let version = |update: &Value| update["version"].as_u64().expect("a version");
    let mut turn = 0;
    while Instant::now() < until {
        let Some(mover) = known.iter().position(|update| update["decision"]["yours"] == true) else { break };
        let other = 1 - mover;
        turn += 1;
        let click = Instant::now();
        let body = choice(&known[mover], turn % options(&known[mover]));
        let answer = pages[mover].tell("choose", &body).expect("an answer");
        assert_eq!(answer.status, 200, "{answer:?}");
        bytes.fetch_add(answer.body.len() as u64, Ordering::Relaxed);
        while events[other].next() <= version(&known[other]) {}
        let news = pages[other].ask(&format!("update?since={}", version(&known[other])));
        assert_eq!(news.status, 200, "{news:?}");
        let took = click.elapsed();
        times.lock().expect("no page has failed").push(took);
        (known[mover], known[other]) = (answer.json(), news.json());
        std::thread::sleep(Duration::from_millis(500).saturating_sub(took));
    }
}

#[test]
fn many_tables_are_played_at_once() {
    let data = tempfile::tempdir().unwrap();
    let tables = number("BLAZON_TABLES", 4);
    let server = Server::start("richard-iii", data.path(), &[]);
    let empty = server.memory();
    let pages: Vec<[Browser; 2]> = (0..tables).map(|_| table(&server)).collect();
    let (times, bytes) = (Mutex::new(Vec::new()), AtomicU64::new(0));
    let until = Instant::now() + Duration::from_secs(number("BLAZON_SECONDS", 3));
    std::thread::scope(|scope| {
        for (place, pages) in pages.iter().enumerate() {
            let (times, bytes) = (&times, &bytes);
            scope.spawn(move || {
                // People do not click in step.
                std::thread::sleep(Duration::from_millis(place as u64 * 7919 % 500));
                play(pages, until, times, bytes);
            });
        }
    });
    let mut times = times.into_inner().expect("no page has failed");
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
    println!("{tables} tables, {} decisions: p50 {:?}, p99 {:?}", times.len(), at(50), at(99));
    println!("{} bytes a decision, uncompressed", bytes.into_inner() / times.len().max(1) as u64);
    if let (Some(empty), Some(full)) = (empty, server.memory()) {
        println!("{} bytes of memory a table", full.saturating_sub(empty) / tables);
    }
    assert!(times.len() as u64 >= tables, "each table was played at");
}
