//! What is said of a name.

use blazon_lsp::Tables;
use serde_json::Value;

use crate::client::words;
use crate::room::{FORD, Room};

fn hover(room: &Room, marked: &str) -> (String, String) {
    let mut client = room.client();
    let answer = client.ask("hover", &room.ford(), marked).unwrap();
    let said = answer["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let at = if answer == Value::Null { "" } else { words(FORD, &answer["range"]) };
    (at.to_owned(), said)
}

#[test]
fn a_rule_has_its_heading_comment_paragraphs_and_changes() {
    let room = Room::new();
    let (at, said) = hover(&room, "p.^power > 0");
    assert_eq!(at, "power");
    let expected = "```blazon\nrule power(p: piece): number = p.strength\n```\n\n\
                    @3 Combat\n\nAmended by:\n- Floods: in rule power (variants/floods/floods.blazon:2)";
    assert_eq!(said, expected);
    let (_, said) = hover(&room, "held by {s.^rival}");
    let expected = "```blazon\nrule rival(s: side): side = Red\n```\n\n\
                    Who is against whom.\n\n@2 The turn";
    assert_eq!(said, expected);
}

#[test]
fn a_variable_has_its_type() {
    let room = Room::new();
    assert_eq!(hover(&room, "{ march(^p, to) }").1, "```blazon\np: piece\n```");
    assert_eq!(hover(&room, "where p.owner = ^s and").1, "```blazon\ns: side\n```");
    assert_eq!(hover(&room, "for ^n in 1..3").1, "", "nothing uses it");
}

#[test]
fn a_thing_has_its_facts_and_a_state_its_type() {
    let room = Room::new();
    let (at, said) = hover(&room, "  Scouts: ^Old Mill");
    assert_eq!((at.as_str(), said.as_str()), ("Old Mill", "```blazon\nOld Mill: area\n```\n\nworth: 1"));
    let (_, said) = hover(&room, "number = p.^strength");
    let expected = "```blazon\nstate strength : 0..4 = piece.steps                             @3\n```\n\n\
                    What is left of it.\n\n@3 Combat";
    assert_eq!(said, expected);
}

#[test]
fn a_citation_has_its_title() {
    let room = Room::new();
    assert_eq!(
        hover(&room, "step game {                                                       @^2"),
        ("@2".to_owned(), "**@2** The turn".to_owned())
    );
}

#[test]
fn nothing_is_said_of_nothing() {
    let room = Room::new();
    assert_eq!(hover(&room, "-- The Fo^rd: a small"), (String::new(), String::new()));
    assert_eq!(
        hover(&room, "step ^game").1,
        "```blazon\nstep game                                                       @2\n```"
            .replace("                                                       @2", "")
            + "\n\n@2 The turn"
    );
}

/// A game that is under way at a table, as the server of boards keeps it.
fn table(room: &Room, name: &str, choices: usize) -> std::path::PathBuf {
    let path = room.path("ford").display().to_string();
    let mut rules = blazon::Loader::new().find(&path).unwrap();
    let mut game = blazon::Game::new(rules.program(&blazon::Selection::default()).unwrap()).unwrap();
    game.begin(1).unwrap();
    for _ in 0..choices {
        let player = game.decider().unwrap();
        let march = game.options(player).remove(0);
        game.choose(player, march.id).unwrap();
    }
    let tables = room.path("tables");
    std::fs::create_dir_all(tables.join(name)).unwrap();
    std::fs::write(tables.join(name).join("save.game"), game.save().unwrap()).unwrap();
    tables
}

#[test]
fn a_rule_is_told_with_what_it_is_worth_on_the_board() {
    let room = Room::new();
    let tables = Some(Tables::Newest(table(&room, "one", 1)));
    let settings = blazon_lsp::Settings { tables, ..blazon_lsp::Settings::default() };
    let mut client = crate::client::Client::with(&room.path("ford"), settings, serde_json::json!({}));
    client.open(&room.ford());
    let mut said = |marked: &str| {
        let answer = client.ask("hover", &room.ford(), marked).unwrap();
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let power = said("p.^power > 0");
    assert!(power.ends_with("*On the board* now: Guard 3, Scouts 2, Levy 5"), "{power}");
    let rival = said("held by {s.^rival}");
    assert!(rival.ends_with("*On the board* now: Red Blue, Blue Red"), "{rival}");
    // More than one thing would be needed.
    assert!(!said("not to.^held(").contains("On the board"));
}

#[test]
fn of_a_table_that_is_named_no_other_is_told() {
    let room = Room::new();
    let tables = table(&room, "one", 1);
    let worth = |tables| {
        let settings = blazon_lsp::Settings { tables: Some(tables), ..blazon_lsp::Settings::default() };
        let mut client = crate::client::Client::with(&room.path("ford"), settings, serde_json::json!({}));
        client.open(&room.ford());
        let answer = client.ask("hover", &room.ford(), "p.^power > 0").unwrap();
        let said = answer["contents"]["value"].as_str().unwrap_or_default().to_owned();
        said.split_once("*On the board* ").map(|(_, now)| now.to_owned())
    };
    let now = Some("now: Guard 3, Scouts 2, Levy 5".to_owned());
    assert_eq!(worth(Tables::Newest(tables.clone())), now);
    assert_eq!(worth(Tables::One(tables.join("one"))), now);
    // Where nothing is under way yet, nothing is told of another.
    std::fs::create_dir(tables.join("two")).unwrap();
    assert_eq!(worth(Tables::One(tables.join("two"))), None);
}
