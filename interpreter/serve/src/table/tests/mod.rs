//! Tables without a socket: how they are begun, how much memory one takes, how long a decision takes.

mod past;

use std::collections::BTreeMap;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use blazon::Loader;
use blazon::bots::Skill;

use super::bots::Played;
use super::{Chosen, New, Table};
use crate::hall::{Design, Hall, Most};
use crate::keep::{Data, Facts, Sits};
use crate::shelf::{Shelf, Wanted};

/// What a table may take of memory, with what its seats and spectators have been shown.
const MOST_MEMORY: usize = 1 << 20;

fn hall(folder: &std::path::Path) -> Arc<Hall> {
    hall_of(folder, &[])
}

fn hall_of(folder: &std::path::Path, games: &[String]) -> Arc<Hall> {
    hall_with(folder, games, Most::default())
}

fn hall_with(folder: &std::path::Path, games: &[String], most: Most) -> Arc<Hall> {
    let (shelf, _) = Shelf::new(&Loader::new(), games, &[]).expect("there are games");
    let data = Data::open(folder).expect("a folder");
    let (hall, strange) = Hall::open(
        shelf,
        data,
        most,
        crate::calls::Calls::new(Vec::new(), String::new()),
        None,
        Design::Fixed,
    );
    assert_eq!(strange, Vec::<String>::new());
    Arc::new(hall)
}

fn wanted(game: &str) -> Wanted {
    Wanted { game: game.to_owned(), ..Wanted::default() }
}

fn table(hall: &Arc<Hall>, game: &str) -> Arc<Table> {
    let wanted = wanted(game);
    let new =
        New { wanted, seats: BTreeMap::new(), browser: Some("me".into()), mine: true, ..New::default() };
    let made = hall.make(new).expect("a table");
    hall.table(&made.name).expect("a table")
}

/// Takes so many decisions as they come; answers the times of each: choosing, and showing it to all.
async fn play(hall: &Arc<Hall>, table: &Arc<Table>, decisions: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    for turn in 0..decisions {
        let took = table.with(hall, move |sitting| {
            let Some(&seat) = sitting.live.standing.deciders.first() else { return Ok(None) };
            let update: serde_json::Value =
                serde_json::from_str(&sitting.update(Some(seat), 0)?).expect("an update");
            let number = update["decision"]["number"].as_u64().expect("a number");
            let options = update["decision"]["options"].as_array().map_or(0, Vec::len);
            let begun = Instant::now();
            let chosen = sitting.choose(seat, number, (turn * 7) % options, 0)?;
            assert!(matches!(chosen, Chosen::Taken(_)));
            for viewer in [Some(0), Some(1), None] {
                sitting.look(viewer)?;
            }
            Ok(Some(begun.elapsed()))
        });
        match took.await.expect("a decision") {
            Some(took) => times.push(took),
            None => break,
        }
    }
    times
}

#[test]
fn the_end_is_told_with_the_rule_that_brought_it() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    let by = |table: &Arc<Table>| {
        let told = runtime.block_on(table.with(&hall, |sitting| sitting.update(Some(0), 0)));
        let update: serde_json::Value = serde_json::from_str(&told.expect("an update")).expect("an update");
        assert!(update["over"].as_str().is_some_and(|over| over.ends_with("wins")), "{}", update["over"]);
        update["by"].clone()
    };
    // Not every step cites a paragraph.
    let mut games = (0..40).map(|_| {
        let table = table(&hall, "salt-road");
        runtime.block_on(play(&hall, &table, 2000));
        (by(&table), table)
    });
    let (told, table) = games.find(|(by, _)| *by != serde_json::json!([])).expect("an end by a paragraph");
    assert!(told[0][0].is_string() && told[0][1].is_string(), "{told}");
    // Also when it has slept.
    runtime.block_on(table.sleep());
    assert_eq!(by(&table), told);
}

#[test]
fn tables_begun_at_once_are_all_there() {
    const TABLES: usize = 8;
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    let kit = hall.shelf.kit(&wanted("richard-iii")).ok().expect("rules");
    let all_are_there = Barrier::new(TABLES);
    std::thread::scope(|scope| {
        for _ in 0..TABLES {
            scope.spawn(|| {
                all_are_there.wait();
                table(&hall, "richard-iii");
            });
        }
    });
    assert_eq!(hall.tables().len(), TABLES);
    let rules = crate::keep::kept_rules(&hall.data.rules(&kit.digest)).expect("rules that can be read");
    assert!(rules.is_some(), "what one wrote is not taken away by another");
}

#[test]
fn nobody_who_asks_waits_for_the_disk() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    let table = table(&hall, "richard-iii");
    runtime.block_on(async {
        let somebody_writes = table.writing.clone().lock_owned().await;
        let sits_down = tokio::spawn({
            let table = table.clone();
            async move { table.change_soon(|facts| facts.seats[0].access.give("you")).await }
        });
        assert!(hall.browsers.know("me") && !hall.browsers.know("you"));
        assert!(!table.facts().knows("you") && !sits_down.is_finished());
        drop(somebody_writes);
        sits_down.await.expect("it ends").expect("it is written");
        assert!(hall.browsers.know("you") && table.facts().knows("you"));
        std::fs::remove_dir_all(&table.folder).expect("it is away");
        let given_away = table.change_soon(|facts| facts.owner = "another".to_owned()).await;
        assert_eq!(given_away.expect_err("it cannot be written").code, "serve::kept");
        assert!(hall.browsers.know("me") && !hall.browsers.know("another"));
    });
}

#[test]
fn a_bot_that_thinks_keeps_nobody_from_the_table() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    let table = table(&hall, "richard-iii");
    let bots = |facts: &mut Facts| {
        for seat in &mut facts.seats {
            seat.sits = Sits::Bot(Skill::SEARCH);
        }
    };
    runtime.block_on(async {
        table.change_soon(bots).await.expect("bots sit down");
        let thought = || async {
            match table.with(&hall, |sitting| sitting.play_bots()).await.expect("bots play") {
                Played::Thinks { thought, .. } => thought.think().expect("a choice"),
                Played::Due { .. } | Played::Done => panic!("all bots think for long"),
            }
        };
        let made = || table.with(&hall, |sitting| Ok(sitting.live.made));
        let too_late = thought().await;
        table.with(&hall, |sitting| sitting.reseat(None, 0)).await.expect("the table is free");
        table.with(&hall, |sitting| sitting.take_thought(too_late)).await.expect("it is let go");
        assert_eq!(made().await.expect("a table"), 0, "what was thought of another position is not done");
        let decided = thought().await;
        table.with(&hall, |sitting| sitting.take_thought(decided)).await.expect("it is done");
        assert_eq!(made().await.expect("a table"), 1);
    });
}

#[test]
fn a_hint_is_thought_about_away_from_the_table_and_told_only_where_it_fits() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    let table = table(&hall, "salt-road");
    runtime.block_on(async {
        play(&hall, &table, 3).await;
        let seat = table.asked().expect("it is known")[0];
        // Others have taken all that there is to think with.
        let (end, may_end) = std::sync::mpsc::channel::<()>();
        let may_end = Arc::new(std::sync::Mutex::new(may_end));
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let mut busy = Vec::new();
        for _ in 0..cores.saturating_sub(1).max(1) {
            let (begun, has_begun) = tokio::sync::oneshot::channel();
            let (thinking, may_end) = (hall.thinking.clone(), may_end.clone());
            busy.push(tokio::spawn(async move {
                thinking
                    .work(move || (begun.send(()), may_end.lock().map(|end| end.recv()).is_ok()))
                    .await
                    .is_ok()
            }));
            has_begun.await.expect("it thinks");
        }
        let waits = tokio::time::timeout(Duration::from_millis(100), table.hint(&hall, seat)).await;
        assert!(waits.is_err(), "it was thought about at the table");
        play(&hall, &table, 1).await;
        drop(end);
        for one in busy {
            assert!(one.await.expect("it ends"));
        }
        // What was thought of another position is told to nobody.
        let seat = table.asked().expect("it is known")[0];
        let question = table.with(&hall, move |sitting| sitting.question(seat)).await.expect("a question");
        let number = question.number;
        play(&hall, &table, 1).await;
        question.think().expect("a hint");
        let fits = table.with(&hall, move |sitting| sitting.fits(seat, number)).await;
        assert_eq!(fits.expect_err("something else is asked").code, "serve::stale");
        let seat = table.asked().expect("it is known")[0];
        let hints = table.hint(&hall, seat).await.expect("a hint");
        assert!(hints.number > 0);
    });
}

#[test]
fn bots_at_a_table_do_not_put_off_for_ever() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/python/rules/sacks").to_owned();
    for skill in ["greedy@60", "search@1000"] {
        let data = tempfile::tempdir_in(folder.path()).expect("a folder");
        let hall = hall_of(data.path(), std::slice::from_ref(&game));
        let table = table(&hall, &game);
        let skill: Skill = skill.parse().expect("a bot");
        let bots = move |facts: &mut Facts| {
            facts.seats.iter_mut().for_each(|seat| seat.sits = Sits::Bot(skill.clone()));
        };
        runtime.block_on(async {
            table.change_soon(bots).await.expect("bots sit down");
            for _ in 0..60 {
                match table.with(&hall, |sitting| sitting.play_bots()).await.expect("bots play") {
                    Played::Thinks { thought, .. } => {
                        let decided = thought.think().expect("a choice");
                        table.with(&hall, |sitting| sitting.take_thought(decided)).await.expect("it is done");
                    }
                    Played::Due { .. } => {}
                    Played::Done => return,
                }
            }
            panic!("it looks into the sack for ever");
        });
    }
}

/// A game in which one player is asked again and again, and the other never.
const ENDLESS: &str = "\
kind side = Red, Blue
state pot: 0..9
setup Start { }
step play {
  while pot < 5 {
    choose by Red \"How much?\" {
      option less \"Less\" { pot := 0 }
      option more \"More\" { pot := 1 }
    }
  }
  win(Blue)
}
";
const ENDLESS_GAME: &str = "Game(name: \"Endless\", version: \"1.0.0\", rulebook: \"For the tests\", player: \"side\", \
                            players: [\"Red\", \"Blue\"], begins: \"play\", setup: Some(\"Start\"))";

/// A table of that game with a bot for the one who is asked.
async fn endless(folder: &std::path::Path, most: Most) -> (Arc<Hall>, Arc<Table>) {
    let game = folder.join("endless");
    std::fs::create_dir(&game).expect("a folder");
    std::fs::write(game.join("blazon.ron"), ENDLESS_GAME).expect("a file");
    std::fs::write(game.join("endless.blazon"), ENDLESS).expect("a file");
    let game = game.display().to_string();
    let hall = hall_with(&folder.join("data"), std::slice::from_ref(&game), most);
    let table = table(&hall, &game);
    table.change_soon(|facts| facts.seats[0].sits = Sits::Bot(Skill::RANDOM)).await.expect("a bot sits down");
    (hall, table)
}

/// Lets bots play until they have done all; answers how many choices there are, and what whoever waits for them is told.
async fn until_done(hall: &Arc<Hall>, table: &Arc<Table>) -> (usize, String) {
    for _ in 0..10_000 {
        if matches!(table.with(hall, |sitting| sitting.play_bots()).await.expect("bots play"), Played::Done) {
            let made = table.with(hall, |sitting| {
                let told =
                    told(sitting, Some(1))["decision"]["prompt"].as_str().unwrap_or_default().to_owned();
                Ok((sitting.live.made, told))
            });
            return made.await.expect("a table");
        }
    }
    panic!("they play for ever");
}

#[test]
fn bots_stop_that_choose_on_and_on_without_a_person() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    runtime.block_on(async {
        let (hall, table) = endless(folder.path(), Most { alone: 600, ..Most::default() }).await;
        let told = "The bots have stopped: they chose 600 times in a row, and no person did anything meanwhile. Whoever \
                    gives one of their seats to another bot, or to a person, lets them go on: “Who plays” in the menu.";
        assert_eq!(until_done(&hall, &table).await, (600, told.to_owned()));
        // Whoever only looks changes nothing, nor does a sleep.
        assert_eq!(until_done(&hall, &table).await, (600, told.to_owned()));
        table.sleep().await;
        assert_eq!(until_done(&hall, &table).await, (600, told.to_owned()));
        table.with(&hall, |sitting| sitting.reseat(Some(1), 0)).await.expect("somebody is there");
        assert_eq!(until_done(&hall, &table).await, (1200, told.to_owned()));
        // Where nobody is asked for long, nobody waits for the next.
        let played = table.with(&hall, |sitting| {
            sitting.live.alone = 500;
            sitting.play_bots()
        });
        let played = played.await.expect("bots play");
        assert!(matches!(played, Played::Due { paced: true }));
    });
}

#[test]
fn a_full_log_is_told_and_can_still_be_read() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    runtime.block_on(async {
        let (hall, table) = endless(folder.path(), Most::default()).await;
        let short = table.with(&hall, |sitting| {
            sitting.journal.most = (1 << 20) + 4_000;
            Ok(())
        });
        short.await.expect("a table");
        let (made, told) = until_done(&hall, &table).await;
        assert!(made > 20 && told.starts_with("The bots have stopped: `"), "{made} {told}");
        assert!(told.contains("/log.jsonl`, the table's log, is full: it has "), "{told}");
        assert!(told.ends_with("to play on, begin another table."), "{told}");
        // A person is refused, too, and the game stands as it did, until somebody gives up.
        table.change_soon(|facts| facts.seats[0].sits = Sits::Human).await.expect("a person sits down");
        let refused = table.with(&hall, |sitting| {
            let number = sitting.look(Some(0))?.number;
            let refused = sitting.choose(0, number, 0, 0).err().expect("it is full");
            Ok((refused, sitting.live.made))
        });
        let (refused, left) = refused.await.expect("a table");
        assert_eq!((refused.code, left), ("serve::kept", made));
        assert!(refused.text.starts_with("nothing was done: `"), "{refused}");
        table.with(&hall, |sitting| sitting.resign(0, 0)).await.expect("that is taken");
        table.sleep().await;
        let woke = table.with(&hall, |sitting| Ok((sitting.live.made, sitting.live.ended())));
        assert_eq!(woke.await.expect("it wakes"), (made, Some("Red resigned".to_owned())));
    });
}

/// The rules go on asking whoever was to choose; the table doesn't.
#[test]
fn nobody_chooses_after_somebody_gave_up() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    runtime.block_on(async {
        let (hall, table) = endless(folder.path(), Most::default()).await;
        table.change_soon(|facts| facts.seats[0].sits = Sits::Human).await.expect("a person sits down");
        let refused = table.with(&hall, |sitting| {
            sitting.resign(1, 0)?;
            let number = sitting.look(Some(0))?.number;
            Ok((sitting.choose(0, number, 0, 0).err(), sitting.live.made))
        });
        let (refused, made) = refused.await.expect("a table");
        assert_eq!(refused.map(|refused| refused.text).as_deref(), Some("the game is over: Blue resigned"));
        assert_eq!(made, 0);
    });
}

#[test]
fn a_table_takes_little_memory_and_wakes_as_it_was() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    for game in ["richard-iii", "lionheart", "salt-road"] {
        let table = table(&hall, game);
        let mut times = runtime.block_on(play(&hall, &table, 120));
        times.sort();
        let woke = runtime.block_on(table.with(&hall, |sitting| {
            Ok((sitting.live.memory(), [Some(0), Some(1), None].map(|viewer| told(sitting, viewer))))
        }));
        let (memory, before) = woke.expect("a table");
        let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
        println!("{game}: {memory} bytes, p50 {:?}, p99 {:?} a decision", at(50), at(99));
        assert!(memory < MOST_MEMORY, "{game}: {memory}");
        runtime.block_on(table.sleep());
        let begun = Instant::now();
        let after = runtime.block_on(
            table.with(&hall, |sitting| Ok([Some(0), Some(1), None].map(|viewer| told(sitting, viewer)))),
        );
        println!("{game}: awake in {:?}", begun.elapsed());
        assert_eq!(after.expect("it wakes"), before, "{game}");
    }
}

#[test]
fn who_decides_is_known_after_a_start() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let first = hall(folder.path());
    let [slept, dozed, killed] = ["salt-road"; 3].map(|game| table(&first, game));
    for table in [&slept, &dozed, &killed] {
        runtime.block_on(play(&first, table, 3));
    }
    let asked = [&slept, &dozed, &killed].map(|table| table.asked().expect("it is known"));
    assert!(asked.iter().all(|asked| !asked.is_empty()));
    runtime.block_on(slept.sleep());
    runtime.block_on(dozed.doze());
    runtime.block_on(killed.sleep());
    // What was done since was not written down: a server that is killed says nothing of it.
    runtime.block_on(play(&first, &killed, 1));
    let [slept, dozed, killed] = [slept, dozed, killed].map(|table| table.name.clone());
    drop(first);
    let second = hall(folder.path());
    let found = |name: &str| second.table(name).expect("a table");
    assert_eq!(found(&slept).asked(), Some(asked[0].clone()));
    assert_eq!(found(&dozed).asked(), Some(asked[1].clone()));
    assert_eq!(found(&killed).asked(), None);
    drop(second);
    // What nobody has written so is not told.
    let log = std::fs::metadata(folder.path().join(&slept).join("log.jsonl")).expect("a log").len();
    let strange = format!("{{\"log\":{log},\"course\":0,\"asked\":[7],\"ended\":null}}");
    std::fs::write(folder.path().join(&slept).join("standing.json"), strange).expect("it is written");
    let third = hall(folder.path());
    assert_eq!(third.table(&slept).expect("a table").asked(), None);
}

/// A table goes on by the rules that are kept for it, as they were written, though the game's folder says something else.
#[test]
fn rules_that_are_kept_are_those_that_were_written() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("endless/endless.blazon");
    let (name, rules) = runtime.block_on(async {
        let (_hall, table) = endless(folder.path(), Most::default()).await;
        (table.name.clone(), folder.path().join(format!("data/rules/{}.json", table.facts().rules)))
    });
    let text = std::fs::read_to_string(&page).expect("a page");
    std::fs::write(&page, text.replace("pot < 5", "pot < 4")).expect("it is written");
    let game = folder.path().join("endless").display().to_string();
    let woke = || {
        let hall = hall_of(&folder.path().join("data"), std::slice::from_ref(&game));
        let table = hall.table(&name).expect("a table");
        runtime.block_on(table.with(&hall, |sitting| Ok(sitting.live.made)))
    };
    assert_eq!(woke().expect("it goes on"), 0);
    let kept = std::fs::read_to_string(&rules).expect("the rules are kept");
    std::fs::write(&rules, kept.replace("pot < 5", "pot < 3")).expect("it is written");
    let told = woke().expect_err("they have been changed");
    assert!(
        told.code == "serve::damaged" && told.text.contains("has been changed since it was written"),
        "{told}"
    );
}

/// What was lost while no server was there is told, and nothing is begun in its place.
#[test]
fn a_log_that_became_shorter_is_told_after_a_start() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let first = hall(folder.path());
    let table = table(&first, "salt-road");
    runtime.block_on(play(&first, &table, 3));
    runtime.block_on(table.sleep());
    let (name, of) = (table.name.clone(), folder.path().join(&table.name));
    drop((table, first));
    let log = std::fs::read_to_string(of.join("log.jsonl")).expect("a log");
    let last = log.trim_end().rfind('\n').expect("several lines") + 1;
    let saved = std::fs::read(of.join("save.game")).expect("a copy");
    for shorter in ["", &log[..last]] {
        std::fs::write(of.join("log.jsonl"), shorter).expect("it is written");
        let hall = hall(folder.path());
        let table = hall.table(&name).expect("a table");
        let woke = runtime.block_on(table.with(&hall, |sitting| Ok(sitting.live.made)));
        let told = woke.expect_err("it is damaged");
        assert_eq!(told.code, "serve::damaged");
        let (has, was) = (shorter.len(), log.len());
        assert!(told.text.contains(&format!("log.jsonl` has {has} bytes, and {was} were written")), "{told}");
        runtime.block_on(table.sleep());
        assert_eq!(std::fs::read(of.join("save.game")).expect("a copy"), saved, "the copy is as it was");
    }
    // A line that was begun and never answered is no loss, and what is as it was goes on.
    std::fs::write(of.join("log.jsonl"), format!("{log}{{\"choice\":")).expect("it is written");
    let hall = hall(folder.path());
    let table = hall.table(&name).expect("a table");
    let woke = runtime.block_on(table.with(&hall, |sitting| Ok(sitting.live.made)));
    assert!(woke.expect("it wakes") >= 3);
}

/// What a viewer is told as a whole, without what counts.
fn told(sitting: &mut super::Sitting<'_>, viewer: super::Viewer) -> serde_json::Value {
    let text = sitting.update(viewer, 0).expect("an update");
    let mut update: serde_json::Value = serde_json::from_str(&text).expect("an update");
    update["version"] = 0.into();
    update["undo"] = false.into();
    if !update["decision"].is_null() {
        update["decision"]["number"] = 0.into();
    }
    update
}
