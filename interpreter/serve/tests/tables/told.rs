//! Where somebody has been told the whole game, nobody else sits down: not at a table either that is made of what he was
//! told.

use blazon_serve::Seating;
use serde_json::{Value, json};

use crate::client::{Answer, Browser, options};
use crate::server::{Running, decide, folder, play, said, sent_on};

/// What stands in a table's `table.json`.
fn facts(data: &std::path::Path, browser: &Browser) -> Value {
    let text = std::fs::read_to_string(folder(data, browser).join("table.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A new link for a seat, which a browser asks for.
fn link(browser: &Browser, seat: &str) -> String {
    let asks = Browser { seat: seat.to_owned(), ..browser.clone() };
    let page = asks.tell("link", &json!({})).unwrap();
    assert_eq!(page.status, 200, "{page:?}");
    let at = page.body.find("/join/").expect("a link");
    page.body[at..].chars().take_while(|letter| *letter != '<').collect()
}

/// What is answered to somebody whom nobody knows, and who opens a link.
fn stranger(browser: &Browser, link: &str) -> Answer {
    Browser::new(browser.port).sit_down(link)
}

fn refused() -> (u16, String) {
    (403, "serve::secret".to_owned())
}

#[test]
fn a_table_from_a_point_of_another_is_for_its_maker_alone() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    north.wait_for_turn();
    assert_eq!(facts(data.path(), &north)["told"], false);
    for at in [0, 1000] {
        let fork = sent_on(&north, &north.tell("fork", &json!({ "at": at })).unwrap());
        assert_eq!(facts(data.path(), &fork)["told"], true, "from {at} on");
        // Alone and against bots it goes on.
        fork.wait_for_turn();
        assert_eq!(decide(&fork).status, 200);
        // A person for the bot's seat: nobody else, but whoever made the table.
        fork.wait_for_turn();
        assert_eq!(fork.tell("bot", &json!({ "seat": "South", "bot": "" })).unwrap().status, 200);
        let link = link(&fork, "South");
        let answer = stranger(&fork, &link);
        assert_eq!(said(&answer), refused(), "{answer:?}");
        assert!(answer.body.contains("from a point of another"), "{answer:?}");
        let mut south = fork.clone();
        south.follow(&link);
        assert_eq!(south.seat, "South");
        play(&south, 2);
        // And again from there: what is made of a told table is told.
        let again = sent_on(&south, &south.tell("fork", &json!({ "at": 0 })).unwrap());
        assert_eq!(facts(data.path(), &again)["told"], true);
    }
    // At the first table what was forked can be looked at before: nobody else sits down there either.
    assert_eq!(facts(data.path(), &north)["told"], true);
}

#[test]
fn a_loaded_game_is_for_whoever_brought_it() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::HotSeat);
    let north = server.player();
    play(&north, 2);
    let save = north.tell("save", &json!({})).unwrap();
    assert_eq!(save.status, 200, "{save:?}");
    let answer = server.post(&north, "/load", "text/plain", &save.body);
    let loaded = sent_on(&north, &answer);
    assert_eq!(facts(data.path(), &loaded)["told"], true);
    play(&loaded, 2);
    // A new link is for all seats at once: another device of the same person, or nobody who could play against him.
    let link = link(&loaded, "South");
    let mut tablet = Browser::new(server.port);
    tablet.follow(&link);
    for seat in ["North", "South"] {
        assert_eq!(Browser { seat: seat.to_owned(), ..tablet.clone() }.ask("update").status, 200, "{seat}");
    }
    play(&tablet, 2);
}

#[test]
fn a_downloaded_game_goes_on_with_its_bots_and_its_log() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    // To rest: then hardly anybody has won.
    for _ in 0..2 {
        let asked = north.wait_for_turn();
        if asked["over"].is_null() {
            assert_eq!(north.choose(&asked, options(&asked) - 1).status, 200);
        }
    }
    let before = north.wait_for_turn();
    let save = north.tell("save", &json!({})).unwrap();
    let loaded = sent_on(&north, &server.post(&north, "/load", "text/plain", &save.body));
    let after = loaded.update();
    assert_eq!((&after["log"]["lines"], &after["choices"]), (&before["log"]["lines"], &before["choices"]));
    let seats = loaded.ask("bot").json();
    assert_eq!(
        (&seats[0]["seat"], &seats[0]["bot"], &seats[0]["yours"]),
        (&json!("North"), &json!(""), &json!(true))
    );
    assert_eq!((&seats[1]["seat"], &seats[1]["yours"]), (&json!("South"), &json!(false)));
    assert_eq!(seats[1]["bot"], north.ask("bot").json()[1]["bot"]);
    assert_ne!(seats[1]["bot"], "");
    // Whoever changed the line by hand may have what there is, or nobody.
    let strange = save.body.replace("// Bots: ", "// Bots: no ");
    let loaded = sent_on(&north, &server.post(&north, "/load", "text/plain", &strange));
    assert_eq!(loaded.ask("bot").json()[1]["bot"], "");
}

#[test]
fn a_damaged_file_is_told_in_words() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    let answer = server.post(&north, "/load", "text/plain", "something else");
    assert_eq!(said(&answer), (422, "save::damaged".to_owned()));
    let told = answer.json()["error"].as_str().unwrap().to_owned();
    assert!(told.starts_with("This file is no saved game, or it is damaged. Choose one"), "{told}");
}

#[test]
fn a_link_from_before_opens_no_seat_of_a_told_table() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let begun = server.new_game(&Browser::new(server.port), &server.form());
    assert_eq!(begun.status, 303, "{begun:?}");
    let cookie = begun.header("set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
    let (table, seat) = begun.header("location").unwrap().split_once("?seat=").unwrap();
    let host = Browser { port: server.port, cookie, table: table.to_owned(), seat: seat.to_owned() };
    let early = link(&host, "South");
    assert_eq!(host.tell("save", &json!({})).unwrap().status, 200);
    assert_eq!(said(&stranger(&host, &early)), refused());
    // For his own other device he makes one that opens both.
    let mut tablet = Browser::new(server.port);
    tablet.follow(&link(&host, "North"));
    assert_eq!(Browser { seat: "South".to_owned(), ..tablet }.ask("update").status, 200);
}

#[test]
fn tables_of_older_servers_are_told_that_go_on_from_a_save() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    let fork = sent_on(&north, &north.tell("fork", &json!({ "at": 0 })).unwrap());
    assert_eq!(fork.tell("bot", &json!({ "seat": "South", "bot": "" })).unwrap().status, 200);
    let link = link(&fork, "South");
    drop(server);
    let mut older = facts(data.path(), &fork);
    let fields = older.as_object_mut().unwrap();
    fields.insert("told".to_owned(), false.into());
    for new in ["saved", "logged"] {
        assert!(fields.remove(new).is_some(), "{new}");
    }
    std::fs::write(folder(data.path(), &fork).join("table.json"), older.to_string()).unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let fork = fork.at(server.port);
    assert_eq!(said(&stranger(&fork, &link)), refused());
    assert_eq!(fork.ask("update").status, 200);
}

#[test]
fn whoever_plays_again_begins_anew() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    assert_eq!(north.tell("save", &json!({})).unwrap().status, 200);
    assert_eq!(north.tell("resign", &json!({})).unwrap().status, 200);
    let next = sent_on(&north, &north.tell("rematch", &json!({})).unwrap());
    assert_eq!(facts(data.path(), &next)["told"], false, "nobody knows anything of other dice");
    // What is over is told to all, and a table from there is its maker's.
    let fork = sent_on(&north, &north.tell("fork", &json!({ "at": 0 })).unwrap());
    assert_eq!(facts(data.path(), &fork)["told"], true);
}

/// Says who plays a seat.
fn give(browser: &Browser, seat: &str, to: &str) -> (u16, String) {
    said(&browser.tell("bot", &json!({ "seat": seat, "bot": to })).unwrap())
}

#[test]
fn nobody_looks_into_a_bots_hand_behind_the_others() {
    let fine = || (200, String::new());
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    let as_south = Browser { seat: "South".to_owned(), ..north.clone() };
    // No link for a seat that a bot plays, and one from before opens nothing.
    let refused = as_south.tell("link", &json!({})).unwrap();
    assert_eq!(said(&refused), (409, "serve::refused".to_owned()));
    assert!(
        refused.body.contains("A bot plays this seat") && refused.body.contains("“Who plays”"),
        "{refused:?}"
    );
    assert_eq!(give(&north, "South", ""), fine());
    let early = link(&north, "South");
    assert_eq!(give(&north, "South", "greedy"), fine());
    assert_eq!(said(&north.sit_down(&early)), (409, "serve::refused".to_owned()));
    assert_eq!(said(&north.get(&early[early.find("/join/").unwrap()..])), (409, "serve::refused".to_owned()));
    for what in ["update", ""] {
        assert_eq!(said(&as_south.ask(what)), (403, "serve::seat".to_owned()), "{what}");
    }
    // As long as he is alone, whoever made the table plays for whom he likes.
    assert_eq!(decide(&north).status, 200);
    assert_eq!((give(&north, "South", ""), give(&north, "South", "random")), (fine(), fine()));
    // Once another has a seat, the bot's hand stays its own.
    let mut other = Browser::new(server.port);
    other.follow(&server.links.seats[0].1);
    let refused = north.tell("bot", &json!({ "seat": "South", "bot": "" })).unwrap();
    assert_eq!(said(&refused), (403, "serve::secret".to_owned()));
    assert!(refused.json()["error"].as_str().unwrap().contains("give it to another bot"), "{refused:?}");
    assert_eq!(said(&north.sit_down(&early)), (409, "serve::refused".to_owned()));
    assert_eq!(give(&north, "South", "greedy"), fine());
    // Who lets a bot play for him takes his seat back, and it is told whose it is.
    assert_eq!(give(&north, "North", "greedy"), fine());
    assert!(north.get("/").body.contains("a bot that looks ahead, for you"));
    assert!(north.get("/").body.contains("South: a bot that looks ahead · "));
    assert_eq!(give(&north, "North", ""), fine());
}

#[test]
fn before_anybody_has_chosen_a_person_may_come_for_a_bot() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let (north, mut other) = (server.player(), Browser::new(server.port));
    other.follow(&server.links.seats[0].1);
    assert_eq!(give(&north, "South", ""), (200, String::new()));
    let mut south = Browser::new(server.port);
    south.follow(&link(&north, "South"));
    assert_eq!(give(&south, "South", "greedy"), (200, String::new()));
    assert_eq!(decide(&north).status, 200);
    assert_eq!(give(&south, "South", ""), (200, String::new()), "it is his own");
    // Of an open seat that a bot has taken the lobby says nothing.
    let begun = server.new_game(&north, &server.form().replace("South=mine", "South=open"));
    let table = begun.header("location").unwrap().split_once('?').unwrap().0.to_owned();
    let host = Browser { table, ..north };
    assert!(Browser::new(server.port).get("/").body.contains("Sit down as South"));
    assert_eq!(give(&host, "South", "greedy"), (200, String::new()));
    assert!(!Browser::new(server.port).get("/").body.contains("Sit down as South"));
    let path = format!("{}sit?seat=South", host.table);
    let sits = server.post(&Browser::new(server.port), &path, "application/x-www-form-urlencoded", "");
    assert_eq!(said(&sits), (409, "serve::refused".to_owned()));
}

#[test]
fn whoever_follows_a_link_to_a_download_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), Seating::Bots);
    let north = server.player();
    let page = north.ask("save");
    assert_eq!((page.status, page.header("content-disposition")), (200, None), "{page:?}");
    assert!(page.body.contains("<form method=\"post\"><button"), "{page:?}");
    assert!(page.body.contains("from then on nobody else can sit down at this table"), "{page:?}");
    assert_eq!(facts(data.path(), &north)["told"], false);
    // A form elsewhere does not do it either.
    let path = format!("{}save?seat=North", north.table);
    let elsewhere = north.send("POST", &path, &[("Origin", "https://elsewhere.example")], "").unwrap();
    assert_eq!(said(&elsewhere), (403, "serve::host".to_owned()));
    assert_eq!(facts(data.path(), &north)["told"], false);
    let file = north.tell("save", &json!({})).unwrap();
    assert!(file.header("content-disposition").is_some_and(|how| how.starts_with("attachment")), "{file:?}");
    assert_eq!(facts(data.path(), &north)["told"], true);
    assert!(!north.ask("save").body.contains("from then on"), "it is no news");
}
