//! Random games in a real browser, by clicking only what is lit: the smallest game inside the program to its end, the
//! beginning of the others, and a game as `blazon new game` begins one. With `BLAZON_ALL=1`, as in `.ci/run`, every game
//! to its end, its first variant for some hundred clicks, and of all other variants the beginning, which takes minutes. At the
//! end the page's log must be what the machine tells that seat of the kept choices, line by line.
//!
//! The windows are put away: a page is laid out and hit as ever then but not painted, which would take half the time. The
//! pages are told that they are seen. `pictures`, `keyboard` and `tabs` look at windows that are painted.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use blazon::Loader;
use blazon_browser_tests::{Browser, TALL, Tables, WIDE, lines};
use blazon_fixtures::takes_all;

/// More clicks than any game needs.
const MOST: u32 = 60_000;
/// The clicks of a beginning of a variant: some turns of any game.
const SOME: u32 = 60;
/// Those of a game of which nothing else is played, and of its first variant.
const MORE: u32 = 400;
/// The game that is played to its end in any case.
const SMALLEST: &str = "salt-road";
/// The seed of the games and of the player.
const SEED: u64 = 7;

/// A game with a variant, or without one, and how many clicks of it are played at most.
type Wanted = (String, Option<String>, u32);

/// Plays a game to its end, or as many clicks of it as are wanted; answers what is wrong with it.
async fn play(browser: &Browser, (game, variant, most): &Wanted, seat: usize) -> Vec<String> {
    let begun = Instant::now();
    let tables = Tables::open(game, SEED);
    let variants: Vec<&str> = variant.iter().map(String::as_str).collect();
    let laid = tables.lay(browser, &variants, seat).await;
    let played = browser.play(SEED, *most).await;
    let mut wrong = played.problems.clone();
    let is_over = !played.over.is_empty();
    if wrong.is_empty() && !is_over && *most == MOST {
        wrong.push("it did not end".to_owned());
    }
    // The log of the page is read first: while a game goes on others may choose after it was.
    let log = browser.log().await;
    let told = lines(&tables, &laid);
    let all = if is_over { told.len().max(log.len()) } else { log.len() };
    let differs = (0..all).find(|&at| told.get(at) != log.get(at));
    if let Some(at) = differs {
        let (page, machine) = (log.get(at), told.get(at));
        wrong.push(format!("line {at} of the log: the page has {page:?}, the machine tells {machine:?}"));
    }
    let (seat, clicks, covered) = (&laid.seat, played.clicks, played.covered);
    let (lines, seconds, over) = (log.len(), begun.elapsed().as_secs_f32(), &played.over);
    println!(
        "{game} {variants:?} as {seat}: {clicks} clicks, {covered} covered, {lines} lines, {seconds:.1} s: {over}"
    );
    wrong
        .iter()
        .map(|wrong| format!("{game} {variants:?} as {seat}, after {clicks} clicks: {wrong}"))
        .collect()
}

/// Plays games in as many browsers as there are cores; nothing may go wrong in any.
async fn play_all(games: impl IntoIterator<Item = Wanted>) {
    let waiting: VecDeque<(usize, Wanted)> = games.into_iter().enumerate().collect();
    let browsers = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, waiting.len());
    let waiting = Arc::new(Mutex::new(waiting));
    let players = (0..browsers).map(|_| {
        let waiting = waiting.clone();
        tokio::spawn(async move {
            let browser = Browser::start(WIDE, TALL).await;
            browser.page.minimize_window().await.expect("a window that can be put away");
            let mut wrong = Vec::new();
            loop {
                let next = waiting.lock().expect("a queue").pop_front();
                let Some((seat, game)) = next else { break };
                wrong.extend(play(&browser, &game, seat).await);
            }
            browser.close().await;
            wrong
        })
    });
    let mut wrong = Vec::new();
    for player in players.collect::<Vec<_>>() {
        wrong.extend(player.await.expect("a player"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A game, and its variants if all are asked for, with how many clicks of each.
fn with_variants(game: &str) -> Vec<Wanted> {
    if !takes_all() {
        return vec![(game.to_owned(), None, if game == SMALLEST { MOST } else { MORE })];
    }
    let rules = Loader::new().find(game).expect("a game");
    let variants = rules.variants.iter().map(|variant| Some(variant.key.clone()));
    let each = std::iter::once(None).chain(variants).enumerate();
    let clicks = |place| [MOST, MORE].get(place).copied().unwrap_or(SOME);
    each.map(|(place, variant)| (game.to_owned(), variant, clicks(place))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_inside_the_program_is_played_by_clicks() {
    // The longest first, so that no browser waits long for the other at the end.
    let games = ["lionheart", "richard-iii", SMALLEST];
    let inside: Vec<String> = blazon::embedded_games().into_iter().map(|game| game.key).collect();
    assert!(
        inside.len() == games.len() && games.iter().all(|game| inside.iter().any(|other| other == game)),
        "{inside:?}"
    );
    play_all(games.into_iter().flat_map(with_variants)).await;
}

/// The program beside this test, built if it is not there.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let folder = test.parent().and_then(Path::parent).expect("a folder of builds");
    let program = folder.join(format!("blazon{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let built = Command::new(env!("CARGO")).args(["build", "--package", "blazon-cli"]).status();
        assert!(built.is_ok_and(|status| status.success()), "the program cannot be built");
    }
    program
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_just_begun_is_played_by_clicks() {
    let folder = tempfile::tempdir().expect("a folder");
    let begun = Command::new(program()).args(["new", "game", "Two Hills"]).current_dir(&folder).output();
    let begun = begun.expect("a program that runs");
    assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
    let game = folder.path().join("two-hills").to_str().expect("a path in letters").to_owned();
    play_all([(game, None, MOST)]).await;
}
