//! Rules that are changed while a game is under way.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Browser;
use crate::server::{Server, two_rivers};

/// A game whose files can be changed, a server, and who plays North there.
struct Table {
    folder: tempfile::TempDir,
    server: Option<Server>,
    north: Browser,
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).map(drop).unwrap()
        }
    }
}

/// What is seen of the game, without what counts pages and versions.
fn face(update: &Value) -> Value {
    let mut face = update.clone();
    for name in ["version", "whole"] {
        face.as_object_mut().unwrap().remove(name);
    }
    if let Some(decision) = face["decision"].as_object_mut() {
        decision.remove("number");
    }
    face
}

fn labels(update: &Value) -> Vec<String> {
    let options = update["decision"]["options"].as_array().cloned().unwrap_or_default();
    options.iter().map(|option| option[2].as_str().unwrap().to_owned()).collect()
}

/// What the strip says, without its tags.
fn strip(update: &Value) -> String {
    let fragments = update["fragments"].as_array().unwrap();
    let html =
        fragments.iter().find(|fragment| fragment[1] == "strip").map_or("", |f| f[2].as_str().unwrap());
    let mut text = String::new();
    let mut tag = false;
    for letter in html.chars() {
        match letter {
            '<' => tag = true,
            '>' => {
                tag = false;
                text.push(' ');
            }
            letter if !tag => text.push(letter),
            _ => {}
        }
    }
    let text = text.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// By which nobody is ever left with one choice.
const WAVES: (&str, &str) = (
    "option rest \"Rest\" { return }",
    "option rest \"Rest\" { return }\n      option wave \"Wave\" { return }",
);

impl Table {
    /// Begins a game in which nobody is ever left with one choice.
    fn begin(args: &[&str]) -> Self {
        Self::begin_with(WAVES, args)
    }

    fn begin_with(change: (&str, &str), args: &[&str]) -> Self {
        Self::begin_with_all(&[change], args)
    }

    fn begin_with_all(changes: &[(&str, &str)], args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&two_rivers(), &folder.path().join("two-rivers"));
        let page = folder.path().join("two-rivers/2-play.blazon");
        let text = std::fs::read_to_string(&page).unwrap();
        let text = changes.iter().fold(text, |text, (from, to)| text.replace(from, to));
        std::fs::write(&page, text).unwrap();
        let mut table = Self { folder, server: None, north: Browser::new(0) };
        let server = table.start(args);
        table.north = server.player();
        table.server = Some(server);
        table
    }

    fn start(&self, args: &[&str]) -> Server {
        let game = self.folder.path().join("two-rivers").display().to_string();
        Server::start(&game, &self.folder.path().join("data"), args)
    }

    fn page(&self, name: &str) -> PathBuf {
        self.folder.path().join("two-rivers").join(name)
    }

    /// Writes a page anew with a text in the place of another; answers what stood there.
    fn edit(&self, name: &str, from: &str, to: &str) -> String {
        let path = self.page(name);
        let before = std::fs::read_to_string(&path).unwrap();
        assert!(before.contains(from), "{from}");
        std::fs::write(&path, before.replacen(from, to, 1)).unwrap();
        before
    }

    /// Waits until something is to be seen.
    fn until(&self, what: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..600 {
            let update = self.north.update();
            if what(&update) {
                return update;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let update = self.north.update();
        panic!("it never comes: {:?}, {}", labels(&update), strip(&update));
    }

    /// Takes the option of a line, and waits for the next turn.
    fn take(&self, label: &str) -> Value {
        let update = self.north.wait_for_turn();
        let place = labels(&update).iter().position(|other| other == label);
        let place = place.unwrap_or_else(|| panic!("no `{label}` in {:?}", labels(&update)));
        let answer = self.north.choose(&update, place);
        assert_eq!(answer.status, 200, "{answer:?}");
        self.north.wait_for_turn()
    }

    fn design(&self, act: &str) -> crate::client::Answer {
        self.north.tell("design", &json!({ "act": act })).unwrap()
    }

    /// Where something stands in a page, as messages name places.
    fn place(&self, name: &str, words: &str) -> String {
        let text = std::fs::read_to_string(self.page(name)).unwrap();
        let line = text.lines().position(|line| line.contains(words)).unwrap();
        let column = text.lines().nth(line).unwrap().find(words).unwrap();
        format!("two-rivers/{name}:{}:{}", line + 1, column + 1)
    }

    fn kept(&self, name: &str) -> String {
        let mut tables = self.folder.path().join("data").read_dir().unwrap().flatten().map(|e| e.path());
        let table = tables.find(|path| path.join("table.json").exists()).unwrap();
        std::fs::read_to_string(table.join(name)).unwrap_or_default()
    }
}

const ROOM: &str = "b.realm = a.realm else";
const TIRED: &str = "b.realm = a.realm and b.tired else";
const MOVES: &str = "        needs a.may enter(to)\n";
const CLIMB: &str =
    "        needs a.may enter(to)\n        needs slow: to != Hill else \"nobody climbs\" @2\n";

#[test]
fn a_rule_that_is_changed_opens_what_it_refused_and_undone_all_is_as_before() {
    let table = Table::begin(&[]);
    let before = table.north.wait_for_turn();
    assert!(!labels(&before).contains(&"Grey moves to Ford".to_owned()), "{:?}", labels(&before));
    let mut events = table.north.listen();
    events.next();
    let page = table.edit("2-play.blazon", ROOM, TIRED);
    let now = table.until(|update| labels(update).contains(&"Grey moves to Ford".to_owned()));
    events.next();
    let said = strip(&now);
    assert!(said.starts_with("The rules have changed: the same game, the same decision"), "{said}");
    let place = table.place("2-play.blazon", "needs room");
    let came = format!("North: Grey moves to Ford was refused: Ford is crowded §2.1 {place}");
    assert!(said.contains(&came), "{said}");
    assert!(said.contains("+ needs room: not any b in armies"), "{said}");
    std::fs::write(table.page("2-play.blazon"), page).unwrap();
    let again = table.until(|update| strip(update).is_empty());
    assert_eq!(face(&again), face(&before));
    assert_eq!(table.kept("log.jsonl"), "", "nothing was done");
}

#[test]
fn other_words_are_those_of_the_whole_log_and_nothing_else_is_otherwise() {
    let table = Table::begin(&[]);
    table.take("Brown moves to Hill");
    let log = |update: &Value| update["log"]["lines"].to_string();
    let before = table.north.update();
    assert!(log(&before).contains("moves to"), "{}", log(&before));
    table.edit("2-play.blazon", "{a} moves to {to}", "{a} wanders to {to}");
    let now = table.until(|update| labels(update).iter().any(|label| label.contains("wanders to")));
    let now = if log(&now).contains("wanders to") { now } else { table.north.update() };
    assert!(log(&now).contains("wanders to") && !log(&now).contains("moves to"), "{}", log(&now));
    assert_eq!(strip(&now), "");
    assert_eq!(now["undo"], before["undo"]);
    assert_eq!(table.kept("log.jsonl").lines().count(), 1);
    let update = table.take("Grey wanders to Ford");
    assert!(!labels(&update).is_empty());
    assert_eq!(table.kept("log.jsonl").lines().count(), 2);
}

#[test]
fn whoever_chooses_goes_on_by_the_new_rules_and_they_are_kept() {
    let table = Table::begin(&[]);
    table.edit("2-play.blazon", ROOM, TIRED);
    table.until(|update| labels(update).contains(&"Grey moves to Ford".to_owned()));
    let update = table.take("Grey moves to Ford");
    assert_eq!(strip(&update), "");
    assert_eq!(table.kept("log-1.jsonl").lines().count(), 1);
    let before = face(&table.north.update());
    let Table { folder, server, north } = table;
    server.unwrap().kill();
    let mut table = Table { folder, server: None, north };
    let server = table.start(&[]);
    table.north = table.north.at(server.port);
    table.server = Some(server);
    assert_eq!(face(&table.north.update()), before);
}

#[test]
fn rules_with_a_mistake_keep_no_table_from_going_on_and_are_mended_there() {
    let mut table = Table::begin(&[]);
    let played = labels(&table.take("Brown moves to Hill"));
    let page = table.edit("2-play.blazon", ROOM, "b.realm = a.relm else");
    table.server.take().unwrap().kill();
    let server = table.start(&[]);
    assert!(server.said.contains("where it stood"), "{}", server.said);
    table.north = table.north.at(server.port);
    table.server = Some(server);
    let now = table.north.update();
    assert_eq!(labels(&now), played);
    assert!(strip(&now).starts_with("The rules have an error: the board stays as it is"), "{}", strip(&now));
    assert!(table.north.get("/").body.contains("cannot be played"));
    std::fs::write(table.page("2-play.blazon"), page.replace(ROOM, TIRED)).unwrap();
    let mended = table.until(|update| strip(update).starts_with("The rules have changed"));
    assert!(labels(&mended).contains(&"Grey moves to Ford".to_owned()), "{:?}", labels(&mended));
}

#[test]
fn a_need_that_is_added_parts_the_game_where_it_refuses() {
    let table = Table::begin(&[]);
    table.take("Brown moves to Hill");
    let played = table.take("Grey moves to Ford");
    table.edit("2-play.blazon", MOVES, CLIMB);
    let parted = table.until(|update| strip(update).contains("parts"));
    let said = strip(&parted);
    assert!(said.starts_with("The game parts at choice 1: North: move(Brown, Hill)"), "{said}");
    let place = table.place("2-play.blazon", "needs slow");
    assert!(said.contains("it is refused: nobody climbs §2 ") && said.contains(&place), "{said}");
    assert!(said.contains("Because of:"), "{said}");
    assert!(said.contains("+ needs slow: to != Hill else \"nobody climbs\" @2"), "{said}");
    assert!(!labels(&parted).contains(&"Brown moves to Hill".to_owned()));
    let refused = table.north.choose(&parted, 0);
    assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("serve::parted")));

    // Without the choice that cannot be taken the rest can: it was open then, too.
    assert_eq!(table.design("without").status, 200);
    let without = strip(&table.north.update());
    assert!(without.starts_with("The game parts at choice 1: North: move(Grey, Ford)"), "{without}");

    assert_eq!(table.design("stay").status, 200);
    let stays = table.north.update();
    assert_eq!(strip(&stays), "This table stays with the rules before the change Take the changed rules in");
    assert_eq!(labels(&stays), labels(&played));

    // Other rules are tried; back at those that were turned down, the game stays with the old ones again.
    let page = table.edit("2-play.blazon", "to != Hill", "to = Ford");
    table.until(|update| strip(update).contains("parts"));
    std::fs::write(table.page("2-play.blazon"), page).unwrap();
    let back = table.until(|update| strip(update).starts_with("This table stays"));
    assert_eq!(labels(&back), labels(&played));
    assert_eq!(table.design("take").status, 200);
    assert!(strip(&table.north.update()).starts_with("The game parts at choice 1: North: move(Brown, Hill)"));
    assert_eq!(table.design("stay").status, 200);
    // Once more, and on from there.
    table.edit("2-play.blazon", "to != Hill", "to = Ford");
    table.until(|update| strip(update).contains("parts"));
    assert_eq!(table.design("go").status, 200);
    let on = table.north.update();
    assert_eq!((strip(&on), on["choices"].as_u64()), (String::new(), Some(0)));
    assert_eq!(table.kept("log.jsonl").lines().count(), 2, "the log as it was is left");
    assert_eq!(table.kept("log-1.jsonl"), "");
    table.take("Rest");
}

#[test]
fn where_another_choice_was_the_only_one_that_is_said() {
    let table = Table::begin_with(("", ""), &[]);
    table.take("Brown moves to Hill");
    table.edit("2-play.blazon", MOVES, CLIMB);
    let said = strip(&table.until(|update| strip(update).contains("parts")));
    let only = "by these rules `North: rest` was the only choice before it and taken unasked; South is asked, not North";
    assert!(said.contains(only), "{said}");
    assert!(said.contains("+ needs slow: to != Hill else \"nobody climbs\" @2"), "{said}");
}

#[test]
fn while_the_rules_have_errors_the_board_stays_and_says_so() {
    let table = Table::begin(&[]);
    let before = table.north.wait_for_turn();
    let page = table.edit("2-play.blazon", "a.tired", "a.tird");
    let wrong = table.until(|update| !strip(update).is_empty());
    let said = strip(&wrong);
    assert!(said.starts_with("The rules have an error: the board stays as it is"), "{said}");
    assert!(
        said.contains("two-rivers/2-play.blazon:11:") && said.contains("did you mean `tired`?"),
        "{said}"
    );
    assert_eq!(labels(&wrong), labels(&before), "{said}");
    let played = table.take("Rest");
    assert!(strip(&played).starts_with("The rules have"), "it is still said");
    std::fs::write(table.page("2-play.blazon"), page).unwrap();
    table.until(|update| strip(update).is_empty());
}

#[test]
fn a_secret_that_is_told_is_said_after_the_board_has_changed() {
    let table = Table::begin(&[]);
    table.edit("2-play.blazon", "in rule enemies { known to all }", "-- nothing is told here");
    let said = strip(&table.until(|update| strip(update).contains("hidden::leak")));
    assert!(said.starts_with("The rules have changed; here nothing is otherwise"), "{said}");
    assert!(said.contains("They are in force here, but nobody else can play by them:"), "{said}");
}

#[test]
fn what_parts_the_game_and_tells_a_secret_is_said_as_both() {
    let table = Table::begin(&[]);
    table.take("Brown moves to Hill");
    let path = table.page("2-play.blazon");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace(MOVES, CLIMB).replace("in rule enemies { known to all }", "-- nothing is told");
    std::fs::write(&path, text).unwrap();
    let said = strip(&table.until(|update| strip(update).contains("hidden::leak")));
    assert!(said.starts_with("The game parts at choice 1: North: move(Brown, Hill)"), "{said}");
    assert!(said.contains("They are in force here, but nobody else can play by them:"), "{said}");
}

#[test]
fn where_others_play_no_rule_changes_and_the_rules_outlive_their_files() {
    let table = Table::begin(&[]);
    let mut other = Browser::new(table.north.port);
    other.follow(&table.server.as_ref().unwrap().links[0]);
    let before = face(&table.north.update());
    table.edit("2-play.blazon", ROOM, TIRED);
    // A table of one's own beside it shows when the change has been seen.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(face(&table.north.update()), before);
    let told = table.design("go");
    assert_eq!((told.status, &told.json()["code"]), (403, &json!("serve::secret")));
    let Table { folder, server, north } = table;
    server.unwrap().kill();
    let mut table = Table { folder, server: None, north };
    let server = table.start(&["--no-watch"]);
    table.north = table.north.at(server.port);
    table.server = Some(server);
    assert_eq!(face(&table.north.update()), before);
}

#[test]
fn everything_on_the_page_leads_to_its_line() {
    let table = Table::begin(&[]);
    let update = table.north.wait_for_turn();
    let number = update["decision"]["number"].as_u64().unwrap();
    let option = labels(&update).iter().position(|label| label == "Rest").unwrap();
    let places = |what: &str| table.north.ask(what).json();
    let at = |places: &Value| places[0]["at"].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        at(&places(&format!("where?number={number}&option={option}"))),
        table.place("2-play.blazon", "option rest")
    );
    assert_eq!(at(&places("where")), table.place("2-play.blazon", "choose by r"));
    let thing = places("where?thing=t4-0");
    let names: Vec<&str> = thing.as_array().unwrap().iter().map(|p| p["what"].as_str().unwrap()).collect();
    assert_eq!(names, ["Grey", "kind army", "state realm", "state at", "state tired"], "{thing}");
    table.take("Rest");
    let line = places("where?line=0");
    assert!(at(&line).starts_with("two-rivers/2-play.blazon:"), "{line}");
}

#[test]
fn whoever_comes_to_look_on_ends_what_is_tried() {
    let table = Table::begin(&[]);
    table.take("Brown moves to Hill");
    let before = table.take("Grey moves to Ford");
    table.edit("2-play.blazon", MOVES, CLIMB);
    table.until(|update| strip(update).contains("parts"));
    Browser::new(table.north.port).follow(&table.server.as_ref().unwrap().links[1]);
    let after = table.north.update();
    assert_eq!((strip(&after), labels(&after)), (String::new(), labels(&before)));
    let rest = labels(&after).iter().position(|label| label == "Rest").unwrap();
    assert_eq!(
        table.north.choose(&after, rest).status,
        200,
        "nobody is left with rules that nobody can turn down"
    );
}

#[test]
fn a_mistake_in_a_page_tells_nothing_but_a_value_does() {
    let table = Table::begin(&[]);
    let told = || table.kept("table.json").contains("\"told\": true");
    let page = table.edit("2-play.blazon", "a.tired", "a.tird");
    table.until(|update| !strip(update).is_empty());
    assert!(!told());
    std::fs::write(table.page("2-play.blazon"), &page).unwrap();
    table.until(|update| strip(update).is_empty());
    let at = page.lines().position(|line| line.contains("needs room")).unwrap();
    let column = page.lines().nth(at).unwrap().find("realm").unwrap();
    let asked =
        json!({ "name": "two-rivers/2-play.blazon", "text": page, "line": at, "character": column + 1 });
    let hover = table.north.tell("edit/look", &asked).unwrap().json()["hover"].clone();
    assert!(hover.to_string().contains("realm"), "{hover}");
    assert!(told());
}

#[test]
fn what_a_rule_gives_now_is_told_of_the_table_beside_it() {
    let weary = "rule weary(r: realm): number = count a in armies where a.realm = r and a.tired\nrule other(r: realm)";
    let table = Table::begin_with_all(&[WAVES, ("rule other(r: realm)", weary)], &[]);
    let page = std::fs::read_to_string(table.page("2-play.blazon")).unwrap();
    let line = page.lines().position(|line| line.contains("rule weary")).unwrap();
    let asked = json!({ "name": "two-rivers/2-play.blazon", "text": page, "line": line, "character": 6 });
    let worth = || {
        let told = table.north.tell("edit/look", &asked).unwrap().json()["hover"].to_string();
        let now =
            told.split_once("*On the board* ").map(|(_, now)| now.split('"').next().unwrap().to_owned());
        now.unwrap_or_else(|| panic!("{told}"))
    };
    table.north.wait_for_turn();
    assert_eq!(worth(), "now: North 0, South 0");
    // Another table of the same game goes further.
    let lobby = table.north.get("/").body;
    let game = lobby.split("name=\"game\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let form = format!("game={}&seat.North=mine&seat.South=mine", game.replace('/', "%2F"));
    let origin = format!("http://127.0.0.1:{}", table.north.port);
    let headers = [("Origin", &*origin), ("Content-Type", "application/x-www-form-urlencoded")];
    let begun = table.north.send("POST", "/new", &headers, &form).unwrap();
    let path = begun.header("location").unwrap().split_once("?seat=").unwrap().0.to_owned();
    let other = Browser { table: path, ..table.north.clone() };
    let update = other.update();
    let moves = labels(&update).iter().position(|label| label.contains("moves")).unwrap();
    assert_eq!(other.choose(&update, moves).status, 200);
    assert_eq!(worth(), "now: North 0, South 0");
    // What is done and taken back here is told at once.
    let takes = |label: &str| {
        let update = table.north.update();
        let place = labels(&update).iter().position(|other| other == label).unwrap();
        assert_eq!(table.north.choose(&update, place).status, 200);
    };
    takes("Brown moves to Hill");
    assert_eq!(worth(), "now: North 1, South 0");
    takes("Grey moves to Ford");
    assert_eq!(worth(), "now: North 2, South 0");
    assert_eq!(table.north.tell("undo", &json!({})).unwrap().status, 200);
    assert_eq!(worth(), "now: North 1, South 0");
    // So it is in the copy, which the designer's own editor reads.
    let name = table.north.table.trim_matches('/').trim_start_matches("t/");
    let save =
        std::fs::read_to_string(table.folder.path().join("data").join(name).join("save.game")).unwrap();
    assert_eq!(save.matches("option: \"move\"").count(), 1, "{save}");
}

#[test]
fn a_variant_is_played_with_those_that_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("two-rivers");
    copy(&two_rivers(), &game);
    let snow = game.join("variants/snow");
    std::fs::create_dir_all(&snow).unwrap();
    let manifest = "Variant(name: \"Snow\", game: \"Two Rivers\", needs: [\"Floods\"])";
    std::fs::write(snow.join("blazon.ron"), manifest).unwrap();
    std::fs::write(snow.join("snow.blazon"), "invariant snow: 1 < 2\n").unwrap();
    let server = Server::start(&game.display().to_string(), &folder.path().join("data"), &[]);
    let north = server.player();
    let lobby = north.get("/").body;
    assert!(lobby.contains("Snow (with Floods)"), "{lobby}");
    let key = lobby.split("name=\"game\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let form = format!("game={}&variant=snow&seat.North=mine&seat.South=mine", key.replace('/', "%2F"));
    let origin = format!("http://127.0.0.1:{}", north.port);
    let headers = [("Origin", &*origin), ("Content-Type", "application/x-www-form-urlencoded")];
    let begun = north.send("POST", "/new", &headers, &form).unwrap();
    assert_eq!(begun.status, 303, "{}", begun.body);
    let lobby = north.get("/").body;
    assert!(lobby.contains(" + floods + snow"), "{lobby}");
}

#[test]
fn a_page_of_the_library_is_for_designers_only() {
    let table = Table::begin(&[]);
    assert_eq!(table.north.ask("edit/page?name=two-rivers/2-play.blazon").status, 200);
    for strange in ["..%2Fblazon.ron", "%2Fetc%2Fpasswd", "two-rivers%2F..%2F..%2Fx", "two-rivers"] {
        assert_eq!(table.north.ask(&format!("edit/page?name={strange}")).status, 404, "{strange}");
    }
    Browser::new(table.north.port).follow(&table.server.as_ref().unwrap().links[1]);
    let refused = table.north.ask("edit/page?name=turns.blazon");
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("serve::secret")));
    let page = table.north.ask("").body;
    assert!(page.contains("only at a table that is all yours") && !page.contains("href=\"#edit=\""));
}

#[test]
fn who_only_reaches_this_machine_changes_no_page() {
    let table = Table::begin(&[]);
    let mut stranger = Browser::new(table.north.port);
    let lobby = stranger.get("/").body;
    let game = lobby.split("name=\"game\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let form = format!("game={}&seat.North=mine&seat.South=mine", game.replace('/', "%2F"));
    let origin = format!("http://127.0.0.1:{}", stranger.port);
    let headers = [("Origin", &*origin), ("Content-Type", "application/x-www-form-urlencoded")];
    let begun = stranger.send("POST", "/new", &headers, &form).unwrap();
    assert_eq!(begun.status, 303, "{begun:?}");
    stranger.cookie = begun.header("set-cookie").and_then(|it| it.split(';').next()).map(str::to_owned);
    let (path, seat) = begun.header("location").unwrap().split_once("?seat=").unwrap();
    (stranger.table, stranger.seat) = (path.to_owned(), seat.to_owned());
    assert_eq!(stranger.ask("update").status, 200, "he is a designer at a table of his own");
    let refused = stranger.ask("edit/page?name=two-rivers/2-play.blazon");
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("serve::secret")));
    let page = std::fs::read_to_string(table.page("2-play.blazon")).unwrap();
    let save = json!({ "name": "two-rivers/2-play.blazon", "text": "-- by a stranger", "print": "" });
    assert_eq!(stranger.tell("edit/save", &save).unwrap().status, 403);
    assert_eq!(std::fs::read_to_string(table.page("2-play.blazon")).unwrap(), page);
    let page = stranger.ask("").body;
    assert!(page.contains("the link which blazon serve printed") && !page.contains("href=\"#edit=\""));
    assert!(table.north.ask("").body.contains("href=\"#edit=\""));
}

#[test]
fn a_place_opens_in_the_editor_of_the_designer_alone() {
    let table = Table::begin(&["--editor", "zed"]);
    let page = table.page("2-play.blazon").canonicalize().unwrap();
    let at = table.place("2-play.blazon", "needs room");
    let (_, place) = at.split_once(':').unwrap();
    let link = |at: &str| table.north.ask(&format!("edit/link?at={at}")).json()["link"].clone();
    assert_eq!(link(&at), json!(format!("zed://file{}:{place}", page.display())));
    assert_eq!(link("two-rivers/2-play.blazon"), json!(format!("zed://file{}:1:1", page.display())));
    for strange in
        ["turns.blazon:1:1", "../x.blazon:1:1", "/etc/passwd:1:1", "x", ":1:1", "two-rivers/../x:0"]
    {
        assert_eq!(link(strange), Value::Null, "{strange}");
    }
    assert!(table.north.ask("").body.contains(" data-editor"));
    let mut other = Browser::new(table.north.port);
    other.follow(&table.server.as_ref().unwrap().links[1]);
    for browser in [&table.north, &other] {
        let refused = browser.ask(&format!("edit/link?at={at}"));
        assert_eq!(refused.status, 403, "{refused:?}");
        assert!(!format!("{refused:?}").contains("zed:"), "{refused:?}");
        assert!(!browser.ask("").body.contains(" data-editor"));
    }
}

#[test]
fn without_an_editor_a_place_has_no_link() {
    let table = Table::begin(&[]);
    let at = table.place("2-play.blazon", "needs room");
    assert_eq!(table.north.ask(&format!("edit/link?at={at}")).json(), json!({ "link": null }));
    assert!(!table.north.ask("").body.contains(" data-editor"));
}

#[test]
fn what_opens_no_editor_is_told_before_anything_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::server::command(folder.path(), &["--editor", "javascript:{path}"]);
    let told = command.output().unwrap();
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(!told.status.success());
    assert!(
        said.contains(
            "`javascript:{path}` opens no editor: `javascript:` is for browsers themselves; write the link"
        ),
        "{said}"
    );
}

#[test]
fn a_page_that_is_renamed_into_its_place_counts_and_so_does_a_folder_that_comes_back() {
    let table = Table::begin(&[]);
    let page = table.page("2-play.blazon");
    let before = std::fs::read_to_string(&page).unwrap();
    let aside = page.with_extension("new");
    let save = |text: &str| {
        std::fs::write(&aside, text).unwrap();
        std::fs::rename(&aside, &page).unwrap();
    };
    save(&before.replacen(ROOM, TIRED, 1));
    table.until(|update| labels(update).contains(&"Grey moves to Ford".to_owned()));
    save(&before);
    table.until(|update| strip(update).is_empty());
    let folder = page.parent().unwrap();
    let away = folder.with_file_name("away");
    for text in [before.replacen(ROOM, TIRED, 1), before.clone()] {
        std::fs::rename(folder, &away).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(away.join("2-play.blazon"), &text).unwrap();
        std::fs::rename(&away, folder).unwrap();
        let opens = text != before;
        table.until(|update| labels(update).contains(&"Grey moves to Ford".to_owned()) == opens);
    }
    save(&before.replacen(ROOM, TIRED, 1));
    table.until(|update| labels(update).contains(&"Grey moves to Ford".to_owned()));
}
