//! What is wrong is said of all files while they are written.

use serde_json::json;

use crate::client::Client;
use crate::room::{FORD, Room};

#[test]
fn what_is_wrong_is_said_and_taken_back() {
    let room = Room::new();
    let mut client = room.client();
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    client.write(&room.ford(), &FORD.replace("number = p.strength", "number = p.strenght"));
    let expected = "43: error[names::unknown] `strenght` cannot be asked of a piece (no such thing)\ndid you mean `strength`?";
    assert_eq!(client.said(&room.ford()), [expected]);
    client.write(&room.ford(), FORD);
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
}

#[test]
fn what_a_change_breaks_elsewhere_is_said_there() {
    let room = Room::new();
    let mut client = room.client();
    let variant = room.path("ford/variants/floods/floods.blazon");
    client.open(&variant);
    assert_eq!(client.said(&variant), Vec::<String>::new());
    client.write(
        &room.ford(),
        &FORD.replace("rule power(p: piece)", "rule might(p: piece)").replace("p.power", "p.might"),
    );
    let tests = room.path("ford/tests/tests.blazon");
    let uri = crate::client::uri(&variant);
    client.wait("the variant's mistakes", |client| client.published[&uri]["diagnostics"] != json!([]));
    let said = client.published[&uri]["diagnostics"][0]["message"].as_str().unwrap().to_owned();
    assert!(said.starts_with("there is no rule `power`"), "{said}");
    assert!(!client.published.contains_key(&crate::client::uri(&tests)), "nothing is wrong there");
}

#[test]
fn columns_are_counted_as_agreed() {
    let room = Room::new();
    let text = FORD.replace("-- Who is against whom.", "-- 𝔘.").replace("\"Wait\" { }", "\"𝔘\" { waits }");
    let column = |capabilities| {
        let mut client = Client::with(
            &room.folder(),
            blazon_lsp::Settings { library: None, tables: None, pause: std::time::Duration::ZERO },
            capabilities,
        );
        client.open_as(&room.ford(), &text);
        assert_eq!(client.said(&room.ford()).len(), 1);
        let said = &client.published[&crate::client::uri(&room.ford())]["diagnostics"][0];
        said["range"]["start"]["character"].as_u64().unwrap()
    };
    assert_eq!(column(json!({})), 23);
    assert_eq!(column(json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } })), 25);
}

#[test]
fn a_manifest_that_cannot_be_read_is_said_there() {
    let room = Room::new();
    let mut client = room.client();
    let manifest = room.path("ford/blazon.ron");
    client.open_as(&manifest, "Game(");
    let said = client.said(&manifest);
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("1: error[files::manifest]"), "{said:?}");
    assert!(client.ask("hover", &room.ford(), "number = p.^strength").is_ok(), "the pages are still known");
}

/// A mistake in the page of the game, and what is said of it.
const WRONG: (&str, &str) = ("number = p.strength", "number = p.strenght");

/// An editor with a page of tests open, and the page of the game with a mistake that is not saved.
fn with_a_mistake(room: &Room) -> (Client, std::path::PathBuf) {
    let mut client = room.client();
    let tests = room.path("ford/tests/tests.blazon");
    client.open(&tests);
    client.write(&room.ford(), &FORD.replace(WRONG.0, WRONG.1));
    assert_eq!(client.said(&room.ford()).len(), 1);
    (client, tests)
}

#[test]
fn what_was_saved_stays_when_the_page_is_closed() {
    let room = Room::new();
    let (mut client, tests) = with_a_mistake(&room);
    client.save(&room.ford());
    client.close(&room.ford());
    // What is said of the next text is of the disk, too.
    client.write(&tests, "-- Nothing.\n");
    assert_eq!(client.said(&tests), Vec::<String>::new());
    assert_eq!(client.last(&room.ford()).len(), 1, "the mistake is on the disk");
    room.put("ford/ford.blazon", FORD);
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": crate::client::uri(&room.ford()), "type": 2 }] }),
    );
    client.wait("the mend", |client| client.last(&room.ford()).is_empty());
}

#[test]
fn what_was_not_saved_is_forgotten() {
    let room = Room::new();
    let (mut client, _) = with_a_mistake(&room);
    client.close(&room.ford());
    client.wait("that all is well", |client| client.last(&room.ford()).is_empty());
}

#[test]
fn the_disk_is_looked_at_for_an_editor_that_does_not_watch_it() {
    let room = Room::new();
    let mut client = room.client();
    let tests = room.path("ford/tests/tests.blazon");
    client.open(&tests);
    client.close(&room.ford());
    assert_eq!(client.said(&tests), Vec::<String>::new());
    room.put("ford/ford.blazon", FORD.replace(WRONG.0, WRONG.1));
    client.wait("the mistake", |client| !client.last(&room.ford()).is_empty());
    room.put("ford/ford.blazon", FORD);
    client.wait("the mend", |client| client.last(&room.ford()).is_empty());
}

#[test]
fn a_variant_that_comes_or_goes_takes_nothing_from_another() {
    let room = Room::new();
    let manifest = "Variant(name: \"Wolves\", game: \"The Ford\")";
    room.put("ford/variants/wolves/blazon.ron", manifest);
    let wolves = room.put("ford/variants/wolves/wolves.blazon", "in rule powr {\n  + wolf: 1\n}\n");
    let mut client = room.client();
    client.wait("the mistake", |client| client.last(&wolves).len() == 1);
    // The variant before it goes, and it is mended.
    std::fs::remove_dir_all(room.path("ford/variants/floods")).unwrap();
    client.save(&room.ford());
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    client.open_as(&wolves, "in rule power {\n  + wolf: 1\n}\n");
    client.save(&wolves);
    client.wait("the mend", |client| client.last(&wolves).is_empty());
    assert!(client.ask("hover", &wolves, "in rule ^power").is_ok());
    // One comes before it.
    room.put("ford/variants/bears/blazon.ron", manifest.replace("Wolves", "Bears"));
    let bears = room.put("ford/variants/bears/bears.blazon", "in rule powr {\n  + bear: 1\n}\n");
    client.open(&bears);
    client.wait("its own mistake", |client| client.last(&bears).len() == 1);
    assert_eq!(client.last(&wolves), Vec::<String>::new());
    assert!(client.ask("hover", &wolves, "in rule ^power").is_ok());
}

#[test]
fn an_address_may_be_written_otherwise() {
    let room = Room::new();
    for (name, text) in
        [("blazon.ron", room.read("ford/blazon.ron")), ("roads.tsv", room.read("ford/roads.tsv"))]
    {
        room.put(&format!("a (copy)!/{name}"), text);
    }
    let page = room.put("a (copy)!/ford.blazon", FORD.replace(WRONG.0, WRONG.1));
    room.put("a (copy)!/outline.txt", room.read("ford/outline.txt"));
    let mut client = Client::new(&room.folder());
    // As VS Code writes it.
    let uri = crate::client::uri(&page)
        .replace("a (copy)!", "a%20%28copy%29%21")
        .replace("a%20(copy)!", "a%20%28copy%29%21");
    let document = json!({ "uri": uri, "languageId": "blazon", "version": 1, "text": room.read("a (copy)!/ford.blazon") });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    client.wait("the mistake", |client| {
        client.published.get(&uri).is_some_and(|said| said["diagnostics"] != json!([]))
    });
    assert_eq!(client.published.len(), 1, "{:?}", client.published.keys());
}

#[test]
fn what_has_no_place_is_said_of_the_game_alone() {
    let room = Room::new();
    let manifest = room.path("ford/blazon.ron");
    room.put("ford/blazon.ron", room.read("ford/blazon.ron").replace("\"game\"", "\"gaem\""));
    let mut client = room.client();
    client.wait("the unknown step", |client| !client.last(&manifest).is_empty());
    // All variants are looked at after a save.
    client.save(&room.ford());
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    // The variant comes behind the game: what is told of the next text comes behind both.
    let floods = room.path("ford/variants/floods/floods.blazon");
    client.open(&floods);
    client.wait("the variant", |client| client.published.contains_key(&crate::client::uri(&floods)));
    client.write(&room.ford(), "");
    client.wait("what is wrong now", |client| !client.last(&floods).is_empty());
    assert_eq!(client.last(&room.path("ford/variants/floods/blazon.ron")), Vec::<String>::new());
}

#[test]
fn what_was_said_is_not_said_again() {
    let room = Room::new();
    for name in ["wolves", "bears", "ants"] {
        room.put(
            &format!("ford/variants/{name}/blazon.ron"),
            format!("Variant(name: \"{name}\", game: \"The Ford\")"),
        );
        room.put(&format!("ford/variants/{name}/{name}.blazon"), "in rule power { + more: 1 }\n");
    }
    let last = room.put("ford/variants/wolves/wolves.blazon", "in rule powr { + more: 1 }\n");
    let mut client = room.client();
    // The game and four variants are looked at, that with the mistake as the last.
    client.wait("the mistake", |client| client.last(&last).len() == 1);
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    assert_eq!(client.sayings[&crate::client::uri(&room.ford())], 1);
    // A text that is opened again is told of again, whatever its version is.
    client.close(&room.ford());
    client.published.clear();
    client.open(&room.ford());
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
}

#[test]
fn what_a_variant_needs_is_laid_beneath_it_as_its_manifest_says_now() {
    let room = Room::new();
    let alone = "Variant(name: \"Wolves\", game: \"The Ford\")";
    let needy = "Variant(name: \"Wolves\", game: \"The Ford\", needs: [\"Floods\"])";
    let manifest = room.put("ford/variants/wolves/blazon.ron", alone);
    room.put("ford/variants/floods/more.blazon", "rule deep: number = 1\n");
    let wolves = room.put("ford/variants/wolves/wolves.blazon", "in rule power {\n  + wolf: deep\n}\n");
    let mut client = room.client();
    client.open(&wolves);
    assert_eq!(client.said(&wolves).len(), 1, "nobody knows of `deep`");
    // Not saved yet.
    client.open_as(&manifest, needy);
    client.wait("that it is known", |client| client.last(&wolves).is_empty());
    assert_eq!(client.last(&manifest), Vec::<String>::new());
    assert!(client.ask("hover", &wolves, "wolf: ^deep").unwrap().to_string().contains("number"));
    client.write(&manifest, alone);
    client.wait("that it is not", |client| client.last(&wolves).len() == 1);
}
