//! Hidden means hidden, at the socket: everything that a seat's connection carries is the same bytes for two games that
//! differ only in what the seat may not know.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::client::{Browser, options};
use crate::server::{Server, two_rivers};

/// A game of the tests or of the repository, with something in it otherwise.
fn twin(room: &Path, name: &str, game: &Path, changes: &[(&str, &str, &str)]) -> PathBuf {
    let folder = room.join(name).join(game.file_name().unwrap());
    copy(game, &folder);
    for (page, old, new) in changes {
        let page = folder.join(page);
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.contains(old), "{old}");
        fs::write(page, text.replacen(old, new, 1)).unwrap();
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// A server of a game whose ready table has a seed: the dice are no secret of a seat.
fn with_seed(game: &Path, data: &Path, seed: u64) -> (Server, Browser, Browser) {
    let server = Server::start(&game.display().to_string(), data, &["--hotseat"]);
    let (player, watch) = (server.player(), server.follow(1));
    server.stop();
    let name = player.table.trim_matches('/').trim_start_matches("t/").to_owned();
    let facts = data.join(name).join("table.json");
    let mut text: serde_json::Value = serde_json::from_str(&fs::read_to_string(&facts).unwrap()).unwrap();
    text["seed"] = json!(seed);
    fs::write(&facts, text.to_string()).unwrap();
    let server = Server::start(&game.display().to_string(), data, &["--hotseat"]);
    let (player, watch) = (player.at(server.port), watch.at(server.port));
    (server, player, watch)
}

/// Everything that a seat is sent at a moment, with the table's own name left out.
fn carried(browser: &Browser) -> String {
    let mut all = String::new();
    let mut asked = vec![
        "".to_owned(),
        "update?since=0".to_owned(),
        "replay/0".to_owned(),
        "replay/1".to_owned(),
        "line/0".to_owned(),
        "why".to_owned(),
        "save".to_owned(),
    ];
    let update = browser.update();
    if update["decision"]["yours"] == true {
        let number = &update["decision"]["number"];
        asked.extend((0..options(&update)).map(|option| format!("try?number={number}&option={option}")));
    }
    for what in asked {
        if what == "save" && !browser.seat.is_empty() {
            // The whole game is told where all seats are one browser's, as in this test.
            continue;
        }
        let answer = browser.ask(&what);
        all += &format!(
            "{what} {} {:?}\n{}\n",
            answer.status,
            answer
                .headers
                .iter()
                .filter(|(name, _)| name != "date" && name != "content-length")
                .collect::<Vec<_>>(),
            answer.body
        );
    }
    all += &format!("{}\n", browser.listen().next());
    all.replace(browser.table.trim_matches('/').trim_start_matches("t/"), "TABLE")
}

fn same(one: &str, two: &str, who: &str) {
    if one != two {
        let at = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count();
        let near = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(80)..(at + 80).min(text.len())])
                .into_owned()
        };
        panic!("{who} can tell:\n{}\n{}", near(one), near(two));
    }
}

/// The same choice in both games: one that both have in the same words, rather one that names nothing.
fn common(one: &serde_json::Value, two: &serde_json::Value) -> (usize, usize) {
    let options = |update: &serde_json::Value| update["decision"]["options"].as_array().unwrap().clone();
    let (one, two) = (options(one), options(two));
    let pairs = one.iter().enumerate().filter_map(|(place, option)| {
        let other = two.iter().position(|other| other[2] == option[2])?;
        Some((option[1].as_array().unwrap().len(), place, other))
    });
    let (_, place, other) = pairs.min().expect("both can do the same");
    (place, other)
}

/// What a seat and a spectator are sent is the same in both games.
fn nobody_can_tell(one: (&Browser, &Browser), two: (&Browser, &Browser), viewer: &str, choice: usize) {
    let at = format!("{viewer}, after {choice} choices,");
    same(&carried(&as_seat(one.0, viewer)), &carried(&as_seat(two.0, viewer)), &at);
    same(&carried(one.1), &carried(two.1), &format!("a spectator after {choice} choices"));
}

fn as_seat(browser: &Browser, seat: &str) -> Browser {
    Browser { seat: seat.to_owned(), ..browser.clone() }
}

/// Whoever is asked takes what names nothing, until something is asked that begins so.
fn pass_until(browser: &Browser, prompt: &str) {
    for _ in 0..40 {
        let update = browser.update();
        if update["decision"]["prompt"].as_str().is_some_and(|told| told.starts_with(prompt)) {
            return;
        }
        let asked = as_seat(browser, update["decision"]["deciders"][0].as_str().unwrap());
        let update = asked.update();
        let options = update["decision"]["options"].as_array().unwrap();
        let passes = |option: &serde_json::Value| option[1].as_array().is_some_and(Vec::is_empty);
        let place = options.iter().position(passes).expect("an option that names nothing");
        assert_eq!(asked.choose(&update, place).status, 200);
    }
    panic!("nothing is asked that begins with {prompt}");
}

fn game(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(name)
}

/// Lets both games go on in the same way, and compares what `viewer` and a spectator are sent all along.
fn compare(one: (&Browser, &Browser), two: (&Browser, &Browser), viewer: &str, choices: usize) {
    for choice in 0..=choices {
        nobody_can_tell(one, two, viewer, choice);
        let decider = one.0.update()["decision"]["deciders"][0].as_str().unwrap().to_owned();
        let (first, second) = (as_seat(one.0, &decider), as_seat(two.0, &decider));
        let (asked, other) = (first.update(), second.update());
        let (place, place_of_other) = common(&asked, &other);
        assert_eq!(first.choose(&asked, place).status, 200);
        assert_eq!(second.choose(&other, place_of_other).status, 200);
    }
}

#[test]
fn armies_seen_from_behind_are_not_told_apart() {
    let room = tempfile::tempdir().unwrap();
    let swapped = [("1-things.blazon", "White: Tower; Black: Hill", "Black: Tower; White: Hill")];
    let (one, two) = (two_rivers(), twin(room.path(), "two", &two_rivers(), &swapped));
    let (_one, a, wa) = with_seed(&one, &room.path().join("data-1"), 7);
    let (_two, b, wb) = with_seed(&two, &room.path().join("data-2"), 7);
    compare((&a, &wa), (&b, &wb), "North", 3);
    let south = |browser: &Browser| as_seat(browser, "South").update()["fragments"].clone();
    assert_ne!(south(&a), south(&b), "South sees its own");
}

#[test]
fn companies_seen_from_behind_are_not_told_apart() {
    let room = tempfile::tempdir().unwrap();
    let road = game("salt-road");
    let swapped = [
        ("1-board.blazon", "  Gate Guard, Old Mortar: Highgate", "  Stonecutters, Foresters: Highgate"),
        ("1-board.blazon", "  Foresters, Stonecutters: Shepherds", "  Gate Guard, Old Mortar: Shepherds"),
    ];
    let two = twin(room.path(), "two", &road, &swapped);
    let (_one, a, wa) = with_seed(&road, &room.path().join("data-1"), 5);
    let (_two, b, wb) = with_seed(&two, &room.path().join("data-2"), 5);
    compare((&a, &wa), (&b, &wb), "Coast", 4);
}

#[test]
fn nobles_seen_from_behind_are_not_told_apart() {
    let room = tempfile::tempdir().unwrap();
    let roses = game("richard-iii");
    let swapped = [
        ("board.blazon", "    Oxford: Essex", "    Beaumont: Essex"),
        ("board.blazon", "    Beaumont: Lincoln", "    Oxford: Lincoln"),
    ];
    let two = twin(room.path(), "two", &roses, &swapped);
    let (_one, a, wa) = with_seed(&roses, &room.path().join("data-1"), 11);
    let (_two, b, wb) = with_seed(&two, &room.path().join("data-2"), 11);
    compare((&a, &wa), (&b, &wb), "York", 6);
    let lancaster = |browser: &Browser| as_seat(browser, "Lancaster").update()["fragments"].clone();
    assert_ne!(lancaster(&a), lancaster(&b), "Lancaster sees its own");
}

#[test]
fn secret_answers_are_not_told_before_all_are_in() {
    let room = tempfile::tempdir().unwrap();
    let war = game("lionheart");
    let (_one, a, wa) = with_seed(&war, &room.path().join("data-1"), 3);
    let (_two, b, wb) = with_seed(&war, &room.path().join("data-2"), 3);
    let answers = [
        ("English", "1 on Anjou (English)", "1 on Poitou (English)"),
        ("French", "2 on Berry (French)", "2 on Berry (French)"),
        ("English", "2 on Maine (English)", "2 on Brittany (English)"),
        ("French", "1 on Marche (French)", "1 on Marche (French)"),
        ("English", "No more", "No more"),
    ];
    for browser in [&a, &b] {
        pass_until(browser, "Influence");
    }
    for (choice, (seat, in_one, in_two)) in answers.into_iter().enumerate() {
        for (browser, label) in [(&a, in_one), (&b, in_two)] {
            let browser = as_seat(browser, seat);
            let asked = browser.update();
            let offered = asked["decision"]["options"].as_array().unwrap();
            let place =
                offered.iter().position(|option| option[2].as_str().is_some_and(|told| told == label));
            let place = place.unwrap_or_else(|| panic!("`{label}` is not among {offered:?}"));
            assert_eq!(browser.choose(&asked, place).status, 200);
        }
        nobody_can_tell((&a, &wa), (&b, &wb), "French", choice + 1);
        // Who has answered is told what, until the others have, too.
        let prompt = as_seat(&a, seat).update()["decision"]["prompt"].to_string();
        assert_eq!(prompt.contains("✓"), choice % 2 == 0, "{choice}: {prompt}");
        let plain: String = prompt.split('<').map(|part| part.rsplit('>').next().unwrap_or(part)).collect();
        assert!(choice % 2 == 1 || plain.contains(&format!("✓ {in_one}")), "{choice}: {plain}");
    }
    let english = |browser: &Browser| as_seat(browser, "English").update()["fragments"].clone();
    assert_ne!(english(&a), english(&b), "the English see their own");
    let told = english(&a).to_string();
    assert!(told.contains("Anjou (English): points 1"), "{told}");
}
