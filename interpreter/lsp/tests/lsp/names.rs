//! Where names are declared and used, and other names for them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{Client, edited, words};
use crate::room::{FORD, Room};

/// Locations as `file:line words`.
fn shown(room: &Room, locations: &Value) -> Vec<String> {
    let mut shown: Vec<String> = locations
        .as_array()
        .unwrap()
        .iter()
        .map(|location| {
            let file = room.shown(location["uri"].as_str().unwrap());
            let text = std::fs::read_to_string(room.path(&file)).unwrap();
            let line = location["range"]["start"]["line"].as_u64().unwrap() + 1;
            format!("{}:{line} {}", file.trim_start_matches("ford/"), words(&text, &location["range"]))
        })
        .collect();
    shown.sort();
    shown
}

#[test]
fn names_lead_to_their_declarations() {
    let room = Room::new();
    let mut client = room.client();
    let mut leads = |marked: &str| shown(&room, &client.ask("definition", &room.ford(), marked).unwrap());
    assert_eq!(leads("p.^power > 0"), ["ford.blazon:43 power"]);
    assert_eq!(leads("all p in ^pieces"), ["ford.blazon:8 piece"]);
    assert_eq!(leads("{ march(p, ^to) }"), ["ford.blazon:52 to"]);
    assert_eq!(leads("Levy: ^Beacon"), ["ford.blazon:20 Beacon"]);
    assert_eq!(
        leads("win(Red)                                                        @^4"),
        ["outline.txt:4 4 Victory"]
    );
}

#[test]
fn uses_are_found_in_tests_tables_and_variants() {
    let room = Room::new();
    let mut client = room.client();
    let with = json!({ "context": { "includeDeclaration": true } });
    let mut uses = |marked: &str| {
        shown(&room, &client.ask_with("references", &room.ford(), marked, with.clone()).unwrap())
    };
    let mill = [
        "ford.blazon:19 Old Mill",
        "ford.blazon:32 Old Mill",
        "roads.tsv:2 Old Mill",
        "roads.tsv:3 Old Mill",
        "tests/tests.blazon:4 Old Mill",
        "tests/tests.blazon:5 Old Mill",
        "variants/floods/floods.blazon:3 Old Mill",
    ];
    assert_eq!(uses("  Scouts: ^Old Mill"), mill);
    let power = ["ford.blazon:43 power", "ford.blazon:54 power", "variants/floods/floods.blazon:2 power"];
    assert_eq!(uses("p.^power > 0"), power);
    let march = ["ford.blazon:55 march", "ford.blazon:59 march", "variants/floods/floods.blazon:5 march"];
    assert_eq!(uses("{ ^march(p, to) }"), march);
}

#[test]
fn a_name_is_marked_in_its_page() {
    let room = Room::new();
    let mut client = room.client();
    let marked = client.ask("documentHighlight", &room.ford(), "rule ^power").unwrap();
    let lines = marked
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["range"]["start"]["line"].clone(), one["kind"].clone()));
    assert_eq!(lines.collect::<Vec<_>>(), [(json!(42), json!(3)), (json!(53), json!(2))]);
}

/// Renames, and writes what comes of it.
fn rename(
    room: &Room,
    client: &mut Client,
    marked: &str,
    new: &str,
) -> Result<BTreeMap<String, String>, String> {
    let asked = client.ask_with("rename", &room.ford(), marked, json!({ "newName": new }));
    let answer = asked.map_err(|(_, message)| message)?;
    let mut changed = BTreeMap::new();
    for (uri, edits) in answer["changes"].as_object().unwrap() {
        let file = room.shown(uri);
        let text = edited(&std::fs::read_to_string(room.path(&file)).unwrap(), edits);
        changed.insert(file, text);
    }
    Ok(changed)
}

#[test]
fn a_new_name_reaches_every_page() {
    let room = Room::new();
    let mut client = room.client();
    let changed = rename(&room, &mut client, "  Scouts: ^Old Mill", "Weir").unwrap();
    let files: Vec<&str> = changed.keys().map(String::as_str).collect();
    assert_eq!(
        files,
        [
            "ford/ford.blazon",
            "ford/roads.tsv",
            "ford/tests/tests.blazon",
            "ford/variants/floods/floods.blazon"
        ]
    );
    assert!(changed.values().all(|text| !text.contains("Old Mill") && text.contains("Weir")));
    let changed = rename(&room, &mut client, "kind ^side", "party").unwrap();
    assert!(changed["ford/blazon.ron"].contains("player: \"party\","), "{changed:?}");
    assert!(
        changed["ford/ford.blazon"].contains("for s in parties")
            || changed["ford/ford.blazon"].contains("for s in partys")
    );
    let changed = rename(&room, &mut client, "Dawn (^piece: at)", "unit").unwrap();
    assert!(changed["ford/ford.blazon"].contains("all p in units where"));
    let changed = rename(&room, &mut client, "setup ^Dawn", "Noon").unwrap();
    assert!(changed["ford/blazon.ron"].contains("setup: \"Noon\","));
    assert!(changed["ford/tests/tests.blazon"].contains("from Noon"));
    let changed = rename(&room, &mut client, "kind side    = ^Red", "Green").unwrap();
    assert!(changed["ford/blazon.ron"].contains("players: [\"Green\", \"Blue\"]"));
    let changed = rename(&room, &mut client, "option ^march", "advance").unwrap();
    assert!(changed["ford/tests/tests.blazon"].contains("Red: advance(Guard"));
    assert!(changed["ford/ford.blazon"].contains("{ march(p, to) }"), "the step keeps its name");
    let changed = rename(&room, &mut client, "needs ^peace", "calm").unwrap();
    assert_eq!(changed.len(), 1);
}

#[test]
fn a_value_of_a_ruling_is_renamed_where_it_is_declared() {
    let room = Room::new();
    let mut client = room.client();
    let changed = rename(&room, &mut client, "Forbidden or ^Allowed", "Possible").unwrap();
    let page = &changed["ford/ford.blazon"];
    assert!(page.contains("Forbidden or Possible") && page.contains("night march = Possible"), "{page}");
    // One that no page asks for.
    let changed = rename(&room, &mut client, "^Forbidden or", "Impossible").unwrap();
    assert!(changed["ford/ford.blazon"].contains("Impossible or Allowed"));
    assert_eq!(
        rename(&room, &mut client, "option ^wait", "march").unwrap_err(),
        "there is an option `march` already, in ford.blazon:52"
    );
}

#[test]
fn a_new_name_goes_where_the_files_have_the_old_one_now() {
    let room = Room::new();
    let mut client = room.client();
    rename(&room, &mut client, "rule ^power", "might").unwrap();
    // Nobody tells that the page of the variant has another line.
    let floods = room.path("ford/variants/floods/floods.blazon");
    let text = std::fs::read_to_string(&floods).unwrap();
    std::fs::write(
        &floods,
        format!("-- When the power of the water is great, nobody goes by the mill.\n{text}"),
    )
    .unwrap();
    let changed = rename(&room, &mut client, "rule ^power", "might").unwrap();
    let changed = &changed["ford/variants/floods/floods.blazon"];
    assert!(changed.starts_with("-- When the power of the water"), "{changed}");
    assert!(changed.contains("in rule might"), "{changed}");
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    let room = Room::new();
    let mut client = room.client();
    let mut refused = |marked: &str, new: &str| rename(&room, &mut client, marked, new).unwrap_err();
    assert_eq!(refused("rule ^power", "rival"), "there is a rule `rival` already, in ford.blazon:39");
    assert_eq!(refused("rule ^power", "if"), "`if` is a word of the language and cannot begin a name");
    assert_eq!(
        refused("rule ^power", "full and by"),
        "`and` is a word of the language and cannot stand in a name"
    );
    assert_eq!(
        refused("rule ^power", "Might"),
        "the name of a rule begins with a small letter; `Might` does not"
    );
    assert_eq!(refused("rule ^power", "a+b"), "`+` cannot stand in a name: names are made of words");
    assert_eq!(refused("rule ^power", "  "), "a name has at least one word");
    assert_eq!(refused("rule ^power", "power"), "it is called `power` already");
    assert_eq!(
        refused("rule ^power", "chooser"),
        "`chooser` means something by itself: what is called so is asked for by this name"
    );
    assert_eq!(refused("-- Who ^plays", "x"), "no name that can be changed stands here");
    let shadowed = refused("rule held(^a: area", "s");
    assert!(
        shadowed.starts_with("`s` cannot be the name: ") || shadowed.starts_with("with the name `s`"),
        "{shadowed}"
    );
}

#[test]
fn the_library_inside_the_program_keeps_its_names() {
    let room = Room::new();
    let manifest = std::fs::read_to_string(room.path("ford/blazon.ron")).unwrap();
    room.put(
        "ford/blazon.ron",
        manifest.replace(
            "player: \"side\",\n    players",
            "uses: [\"sides\"],\n    player: \"side\",\n    players",
        ),
    );
    let mut client = Client::new(&room.folder());
    let page = room.put("ford/more.blazon", "rule foe(s: side): side? = s.other\n");
    client.open(&page);
    let place = client.place(&page, "side? = s.^other");
    let asked =
        json!({ "textDocument": { "uri": crate::client::uri(&page) }, "position": place, "newName": "x" });
    let (_, message) = client.request("textDocument/rename", asked.clone()).unwrap_err();
    println!("{message}");
    let definition = client.request("textDocument/definition", asked).unwrap();
    assert_eq!(definition, Value::Null, "this editor does not open what lies inside the program");
}

#[test]
fn what_can_be_renamed_is_shown_first() {
    let room = Room::new();
    let mut client = room.client();
    let answer = client.ask("prepareRename", &room.ford(), "all p in ^pieces").unwrap();
    assert_eq!((words(FORD, &answer["range"]), &answer["placeholder"]), ("pieces", &json!("piece")));
    assert!(client.ask("prepareRename", &room.ford(), "-- Who ^plays").is_err());
}
