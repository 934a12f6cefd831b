//! How long an editor waits: an edit, then a request, over and over, on the pages of a game.
//!
//! ```text
//! cargo run --release -p blazon-lsp --example latency -- rules/my-game [ROUNDS]
//! ```

#[path = "../tests/lsp/client.rs"]
mod client;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use client::{Client, position, uri};
use serde_json::{Value, json};

/// As in the program: looking at a game asks for memory all the time.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What is asked; what takes a place first.
const ASKED: [&str; 15] = [
    "hover",
    "definition",
    "completion",
    "signatureHelp",
    "documentHighlight",
    "prepareRename",
    "prepareCallHierarchy",
    "references",
    "rename",
    "codeLens",
    "codeAction",
    "semanticTokens/full",
    "documentSymbol",
    "foldingRange",
    "formatting",
];

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("a folder of rules")).canonicalize().expect("a folder");
    let rounds: usize = args.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(300);
    // Nothing is checked in the background meanwhile: what is measured is the requests.
    let settings =
        blazon_lsp::Settings { pause: Duration::from_secs(3600), ..blazon_lsp::Settings::default() };
    let mut client = Client::with(&folder, settings, json!({}));
    let pages = pages(&folder);
    for page in &pages {
        client.open(page);
        let _ = client.ask_page("semanticTokens/full", page);
    }
    let mut took: BTreeMap<&str, Vec<(Duration, Duration)>> = BTreeMap::new();
    let mut dice = 0x5eed_u64;
    for round in 0..rounds {
        let mut below = |limit: usize| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) as usize % limit.max(1)
        };
        let page = &pages[below(pages.len())];
        let text = client.text(page);
        let words: Vec<usize> = text.match_indices(char::is_alphanumeric).map(|(at, _)| at).collect();
        let at = position(&text, words[below(words.len())]);
        let asked = ASKED[round % ASKED.len()];
        // A letter is put in and taken out again: each request meets a text that was never looked at.
        let there = json!({ "start": at, "end": at });
        client.change(page, json!([{ "range": there, "text": " " }]));
        let after = json!({ "line": at["line"], "character": at["character"].as_u64().unwrap_or(0) + 1 });
        client.change(page, json!([{ "range": { "start": at, "end": after }, "text": "" }]));
        let params = json!({
            "textDocument": { "uri": uri(page) }, "position": at, "newName": "quite another name",
            "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1, "isRetrigger": false }, "range": there,
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        let (begun, worked) = (Instant::now(), work());
        let _: Result<Value, _> = client.request(&format!("textDocument/{asked}"), params);
        let worked = work().saturating_sub(worked);
        took.entry(asked).or_default().push((begun.elapsed(), worked));
    }
    let mut all: Vec<(Duration, Duration)> = took.values().flatten().copied().collect();
    println!("{:24}{:>8}{:>24}{:>24}", "", "", "by the clock, ms", "work of all cores, ms");
    println!("{:24}{:>8}{:>12}{:>12}{:>12}{:>12}", "request", "count", "p50", "p99", "p50", "p99");
    for (asked, times) in &mut took {
        tell(asked, times);
    }
    tell("all", &mut all);
}

fn tell(what: &str, times: &mut [(Duration, Duration)]) {
    let mut clock: Vec<Duration> = times.iter().map(|(clock, _)| *clock).collect();
    let mut work: Vec<Duration> = times.iter().map(|(_, work)| *work).collect();
    let [(a, b), (c, d)] = [&mut clock, &mut work].map(|times| {
        times.sort();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share) as usize).min(times.len() - 1);
            times[place].as_secs_f64() * 1000.0
        };
        (at(0.5), at(0.99))
    });
    println!("{what:24}{:>8}{a:>12.1}{b:>12.1}{c:>12.1}{d:>12.1}", times.len());
}

/// How long the threads of this process have worked, where the system tells it: on a machine that does other things as
/// well the clock says little.
fn work() -> Duration {
    let tasks = Path::new("/proc/self/task").read_dir().into_iter().flatten().flatten();
    let worked = tasks.filter_map(|task| {
        let told = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        told.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(worked.sum())
}

/// The pages of a game and of its variants.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            // A page of every variant would be open nowhere.
            if path.file_name().is_some_and(|name| name != "variants") {
                found.extend(pages(&path));
            }
        } else if path.extension().is_some_and(|ending| ending == "blazon") {
            found.push(path);
        }
    }
    found.sort();
    found
}
