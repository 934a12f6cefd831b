//! Pages as they are while somebody works: half written, not saved, gone, with other ends of lines, with signs that are
//! wide.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{Client, edited, uri, words};
use crate::room::{FORD, Room};

/// The texts of files as they would be with a new name, as they are on the screen else.
fn renamed(
    room: &Room,
    client: &mut Client,
    page: &std::path::Path,
    marked: &str,
    new: &str,
) -> Result<BTreeMap<String, String>, String> {
    let asked = client.ask_with("rename", page, marked, json!({ "newName": new }));
    let answer = asked.map_err(|(_, message)| message)?;
    let mut changed = BTreeMap::new();
    for (file, edits) in answer["changes"].as_object().unwrap() {
        let name = room.shown(file);
        let text = client.text(&room.path(&name));
        changed.insert(name, edited(&text, edits));
    }
    Ok(changed)
}

#[test]
fn columns_are_right_behind_wide_signs() {
    let room = Room::new();
    let mut client = room.client();
    let text = FORD
        .replace("-- Who is against whom.", "-- 🐎🐎 Who is against whom. 𝔘")
        .replace("\"{p} to {to}\" @2", "\"🐎 {p} 𝔘 to {to}\" @2 -- 🐎")
        .replace("\"{to} is held by {s.rival}\"", "\"🔥é {to} is held by {s.rival}\"");
    client.write(&room.ford(), &text);
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    let changed = renamed(&room, &mut client, &room.ford(), "option march(^p in", "mover").unwrap();
    let page = &changed["ford/ford.blazon"];
    assert!(page.contains("\"🐎 {mover} 𝔘 to {to}\" @2 -- 🐎"), "{page}");
    let changed = renamed(&room, &mut client, &room.ford(), "🔥é {^to} is", "goal").unwrap();
    let page = &changed["ford/ford.blazon"];
    assert!(
        page.contains("\"🐎 {p} 𝔘 to {goal}\" @2") && page.contains("\"🔥é {goal} is held by {s.rival}\""),
        "{page}"
    );
    let hover = client.ask("hover", &room.ford(), "is held by {s.^rival}").unwrap();
    assert_eq!(words(&text, &hover["range"]), "rival");
    let marked = client.ask("documentHighlight", &room.ford(), "🔥é {^to} is").unwrap();
    assert!(marked.as_array().unwrap().iter().all(|one| words(&text, &one["range"]) == "to"), "{marked}");
}

#[test]
fn pages_with_other_ends_of_lines_are_like_all() {
    let room = Room::new();
    for file in [
        "ford/ford.blazon",
        "ford/roads.tsv",
        "ford/tests/tests.blazon",
        "ford/variants/floods/floods.blazon",
        "ford/blazon.ron",
    ] {
        room.put(file, room.read(file).replace('\n', "\r\n"));
    }
    let mut client = room.client();
    assert_eq!(client.said(&room.ford()), Vec::<String>::new());
    let before = room.read("ford/ford.blazon");
    let changed = renamed(&room, &mut client, &room.ford(), "| ^Old Mill", "Weir").unwrap();
    for (file, text) in &changed {
        assert_eq!(*text, room.read(file).replace("Old Mill", "Weir"), "{file}");
    }
    assert_eq!(changed.len(), 4);
    let changed = renamed(&room, &mut client, &room.ford(), "kind side    = ^Red", "Green").unwrap();
    assert!(changed["ford/blazon.ron"].contains("[\"Green\", \"Blue\"]"));
    let found =
        client.ask("definition", &room.path("ford/variants/floods/floods.blazon"), "in rule ^power").unwrap();
    assert_eq!(words(&before, &found[0]["range"]), "power");
    // An edit of a part, and what is known then.
    let at = client.place(&room.ford(), "needs night: ^night march");
    let end = client.place(&room.ford(), "Allowed or p.power > 0^");
    client.change(&room.ford(), json!([{ "range": { "start": at, "end": end }, "text": "p.\r\n" }]));
    let text = before.replace("night march = Allowed or p.power > 0", "p.\r\n");
    client.remember(&room.ford(), &text);
    let offered = client.ask("completion", &room.ford(), "needs night: p.^").unwrap();
    let labels: Vec<&str> =
        offered["items"].as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["at", "march", "owner", "power", "steps", "strength"]);
}

#[test]
fn edits_go_into_what_stands_on_the_screen() {
    let room = Room::new();
    let mut client = room.client();
    let floods = room.path("ford/variants/floods/floods.blazon");
    client.open(&floods);
    // Nothing of this is saved.
    client.write(&room.ford(), &format!("-- A new line.\n-- 🐎\n{FORD}"));
    let variant = client.text(&floods);
    client.write(
        &floods,
        &format!("-- And here.\n{variant}in rule rival {{ except tie: Red if power(Guard) > 9 }}\n"),
    );
    let changed = renamed(&room, &mut client, &floods, "if ^power(Guard)", "might").unwrap();
    assert!(changed["ford/ford.blazon"].starts_with("-- A new line.\n-- 🐎\n-- The Ford"), "{changed:?}");
    assert!(changed["ford/ford.blazon"].contains("rule might(p: piece)"), "{changed:?}");
    let page = &changed["ford/variants/floods/floods.blazon"];
    assert!(page.contains("in rule might {") && page.contains("if might(Guard) > 9"), "{page}");
}

#[test]
fn a_page_that_is_gone_says_nothing_any_more() {
    let room = Room::new();
    room.put("ford/more.blazon", "rule twice(p: piece): number = 2 * p.power\n");
    let mut client = room.client();
    let with = json!({ "context": { "includeDeclaration": false } });
    let uses = |client: &mut Client| -> Vec<String> {
        let found = client.ask_with("references", &room.ford(), "rule ^power", with.clone()).unwrap();
        found.as_array().unwrap().iter().map(|one| room.shown(one["uri"].as_str().unwrap())).collect()
    };
    assert!(uses(&mut client).contains(&"ford/more.blazon".to_owned()));
    std::fs::remove_file(room.path("ford/more.blazon")).unwrap();
    std::fs::remove_dir_all(room.path("ford/variants")).unwrap();
    // A new name goes by what is there now, told or not.
    let changed = renamed(&room, &mut client, &room.ford(), "rule ^power", "might").unwrap();
    assert_eq!(changed.keys().collect::<Vec<_>>(), ["ford/ford.blazon"]);
    assert_eq!(uses(&mut client), ["ford/ford.blazon"]);
    // One that is open is still there.
    let tests = room.path("ford/tests/tests.blazon");
    client.open(&tests);
    std::fs::remove_file(&tests).unwrap();
    let changed = renamed(&room, &mut client, &room.ford(), "| ^Guard", "Watch").unwrap();
    assert!(changed["ford/tests/tests.blazon"].contains("march(Watch, Old Mill)"), "{changed:?}");
    client.close(&tests);
    let changed = renamed(&room, &mut client, &room.ford(), "| ^Guard", "Watch").unwrap();
    assert!(!changed.contains_key("ford/tests/tests.blazon"), "{changed:?}");
    // The game itself.
    std::fs::remove_file(room.path("ford/blazon.ron")).unwrap();
    let refused = renamed(&room, &mut client, &room.ford(), "rule ^power", "might").unwrap_err();
    assert!(refused.contains("there is no blazon.ron"), "{refused}");
}

#[test]
fn what_cannot_be_read_keeps_no_old_name() {
    let room = Room::new();
    let mut client = room.client();
    // Behind what is amiss the name stands in an item that nobody can read.
    let broken =
        format!("{FORD}rule doubled(p: piece): number = 2 * (p.power\nrule other(p: piece): number = 3\n");
    client.write(&room.ford(), &broken);
    let refused = renamed(&room, &mut client, &room.ford(), "rule ^power", "might").unwrap_err();
    assert_eq!(
        refused,
        "`power` stands in ford.blazon:60 too, in what cannot be read: mend that first, or it would keep the old name"
    );
    // What is amiss elsewhere is no reason.
    let changed = renamed(&room, &mut client, &room.ford(), "rule ^rival", "foe").unwrap();
    assert!(changed["ford/ford.blazon"].contains("{s.foe}"));
    // Half a line, in the page of a variant.
    client.write(&room.ford(), FORD);
    let floods = room.path("ford/variants/floods/floods.blazon");
    client.open(&floods);
    let variant = client.text(&floods);
    client.write(
        &floods,
        &variant.replace(
            "+ wet: 1 if p.at = Old Mill",
            "+ wet: 1 if p.at = Old Mill and\n  + dry: 1 if p.strength >",
        ),
    );
    let refused = renamed(&room, &mut client, &room.ford(), "state ^strength", "force").unwrap_err();
    assert!(refused.starts_with("`strength` stands in variants/floods/floods.blazon:4 too"), "{refused}");
    // In a comment or a text it is a word.
    client.write(&floods, &format!("{variant}rule x: number = ( -- strength\n"));
    assert!(renamed(&room, &mut client, &room.ford(), "state ^strength", "force").is_ok());
}

#[test]
fn half_a_page_is_answered_for() {
    let room = Room::new();
    let mut client = room.client();
    let whole: Vec<usize> = FORD.char_indices().map(|(at, _)| at).step_by(23).collect();
    for at in whole {
        let text = &FORD[..at];
        client.write(&room.ford(), text);
        let here = crate::client::position(text, text.len());
        let params = json!({
            "textDocument": { "uri": uri(&room.ford()) }, "position": here, "newName": "another",
            "context": { "includeDeclaration": true, "diagnostics": [] }, "range": { "start": here, "end": here },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        for method in [
            "completion",
            "hover",
            "definition",
            "references",
            "rename",
            "signatureHelp",
            "codeAction",
            "formatting",
        ] {
            if let Err((code, message)) = client.request(&format!("textDocument/{method}"), params.clone()) {
                assert_ne!(code, -32603, "{method} at {at}: {message}");
            }
        }
    }
}

#[test]
fn names_lead_from_a_variant_to_its_game_and_on() {
    let room = Room::new();
    let floods = room.path("ford/variants/floods/floods.blazon");
    room.put("ford/variants/floods/more.blazon", "rule deep(a: area): flag = yes\nin rule held { + x: 1 }\nin step turn { in option march { needs deep: not to.deep else \"too deep\" } }\n");
    // Another, of a game that lies inside the program.
    room.put("away/blazon.ron", "Variant(name: \"Away\", game: \"The Salt Road\", game_version: \"1\")");
    let away = room.put(
        "away/away.blazon",
        "-- Elsewhere.\nin rule wealth { + far: 2 if s.rich }\nrule rich(s: side): flag = s.points > 3\n",
    );
    let mut client = room.client();
    client.open(&floods);
    client.open(&away);
    let place = |room: &Room, found: &Value| -> Vec<String> {
        let line = |one: &Value| {
            format!(
                "{}:{}",
                room.shown(one["uri"].as_str().unwrap()),
                one["range"]["start"]["line"].as_u64().unwrap() + 1
            )
        };
        found.as_array().unwrap().iter().map(line).collect()
    };
    let more = room.path("ford/variants/floods/more.blazon");
    client.open(&more);
    let found = client.ask("definition", &more, "in option ^march").unwrap();
    assert_eq!(place(&room, &found), ["ford/ford.blazon:52"]);
    let found = client.ask("definition", &more, "not ^to.deep").unwrap();
    assert_eq!(place(&room, &found), ["ford/ford.blazon:52"]);
    let hover = client.ask("hover", &more, "in rule ^held").unwrap();
    assert!(hover.to_string().contains("rule held(a: area, s: side): flag"), "{hover}");
    let found = client.ask("definition", &away, "if s.^rich").unwrap();
    assert_eq!(place(&room, &found), ["away/away.blazon:3"]);
    assert_eq!(client.ask("definition", &away, "in rule ^wealth").unwrap(), Value::Null);
    let hover = client.ask("hover", &away, "in rule ^wealth").unwrap();
    assert!(hover.to_string().contains("rule wealth(s: side): number"), "{hover}");
    let changed = renamed(&room, &mut client, &away, "if s.^rich", "wealthy").unwrap();
    assert_eq!(changed.keys().map(String::as_str).collect::<Vec<_>>(), ["away/away.blazon"]);
    let refused = renamed(&room, &mut client, &away, "in rule ^wealth", "riches").unwrap_err();
    assert!(
        refused.starts_with("`wealth` is used in `")
            && refused.ends_with("to change the game, open a folder with its pages"),
        "{refused}"
    );
}

/// Slips, by what stands in the place of what.
const SLIPS: [(&str, &str); 26] = [
    ("number = p.strength", "number = p.strenght"),
    ("p.owner = s and any", "p.ownr = s and any"),
    ("if s = Red", "if s == Red"),
    ("if s = Red", "if s = Redd"),
    ("if s = Red", "when s = Red"),
    ("needs peace: not to", "needs peace: !to"),
    ("needs peace: not to.held(s.rival)", "needs peace: not to.helt(s.rival)"),
    ("  Guard: Ford", "  Gaurd: Ford"),
    ("Levy: Beacon", "Levy: Becon"),
    ("kind road    = area - area", "kind road    = aera - area"),
    ("rule held(a: area", "rule held(a: aera"),
    ("all p in pieces where", "all p in piece where"),
    ("all p in pieces where p.owner = s and any p.at", "all p in pieces where p.owner = s && any p.at"),
    ("for s in sides { turn(s) }", "for s in sides { trun(s) }"),
    ("p.strength := p.steps", "p.strength = p.steps"),
    ("{ p.at := to }", "{ p.at = to }"),
    ("night march = Allowed", "night march = Alowed"),
    ("win(Red)", "win(Redd)"),
    ("state at       : area?", "state at       : area"),
    ("choose by s \"Move", "chose by s \"Move"),
    ("step march(p: piece", "stpe march(p: piece"),
    ("| Guard  | Red   | 3     |", "| Guard  | Rde   | 3     |"),
    ("links road \"roads.tsv\"", "links road \"road.tsv\""),
    ("fact hill: flag", "fact hill: bool"),
    ("+ hill: 1 if", "+ hill 1 if"),
    ("for n in 1..3", "for n in 1...3"),
];

/// Slips in the page of a variant and in tests.
const SLIPS_ELSEWHERE: [(&str, &str, &str); 16] = [
    (FLOODS, "in rule power", "in rule pwoer"),
    (FLOODS, "replace step march(p", "replace step mrach(p"),
    (FLOODS, "to: area) {", "to: aera) {"),
    (FLOODS, "if p.at = Old Mill", "if p.at = Old Mil"),
    (FLOODS, "if p.at = Old Mill", "if p.att = Old Mill"),
    (FLOODS, "in rule power", "inn rule power"),
    (FLOODS, "-- The river rises.\n", "under night march = Alowed { in rule power { + x: 1 } }\n"),
    (FLOODS, "-- The river rises.\n", "in table area { remove Becon }\n"),
    (FLOODS, "-- The river rises.\n", "in step turn { in option marhc { needs far: to != Ford } }\n"),
    (FLOODS, "-- The river rises.\n", "in step turn { waive paece }\n"),
    (FLOODS, "-- The river rises.\n", "look Bleu: azure\n"),
    (FLOODS, "-- The river rises.\n", "look Blue: azur\n"),
    (TESTS, "from Dawn", "from Dwan"),
    (TESTS, "Red: march(Guard", "Red: mrach(Guard"),
    (TESTS, "play turn(Red)", "play trun(Red)"),
    (TESTS, "expect Guard.at = Old Mill", "expect Gaurd.at = Old Mill"),
];
const FLOODS: &str = "ford/variants/floods/floods.blazon";
const TESTS: &str = "ford/tests/tests.blazon";

/// Applies every mend that is offered for a page, each by itself, and looks what is said then; how many there were.
fn mends(client: &mut Client, page: &std::path::Path, wrong: &str, slip: &str) -> usize {
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let asked =
        json!({ "textDocument": { "uri": uri(page) }, "range": whole, "context": { "diagnostics": [] } });
    client.write(page, wrong);
    let before = client.said(page);
    assert!(!before.is_empty(), "{slip}: nothing is said");
    let actions = client.request("textDocument/codeAction", asked).unwrap();
    for action in actions.as_array().unwrap() {
        let title = &action["title"];
        let Some(edits) = action["edit"]["changes"].get(uri(page)) else {
            assert!(title.as_str().unwrap().contains("declared"), "{slip}: {title}");
            continue;
        };
        client.write(page, &edited(wrong, edits));
        let after = client.said(page);
        let message = action["diagnostics"][0]["message"].as_str().unwrap();
        assert!(!after.iter().any(|said| said.ends_with(message)), "{slip}: {title} leaves {message}");
        let code = |said: &String| said.split("] ").next().unwrap().split(": ").nth(1).unwrap().to_owned();
        let codes: Vec<String> = before.iter().map(code).collect();
        let new: Vec<&String> = after.iter().filter(|said| !codes.contains(&code(said))).collect();
        assert!(new.is_empty(), "{slip}: {title} brings {new:?}");
    }
    actions.as_array().unwrap().len()
}

#[test]
fn a_mend_takes_its_message_away_and_brings_no_other() {
    let room = Room::new();
    let mut client = room.client();
    let mut mended = 0;
    for (right, slip) in SLIPS {
        assert!(FORD.contains(right), "{right}");
        let wrong = FORD.replacen(right, slip, 1);
        let count = mends(&mut client, &room.ford(), &wrong, slip);
        let with_returns = wrong.replace('\n', "\r\n");
        assert_eq!(mends(&mut client, &room.ford(), &with_returns, slip), count, "{slip} with CRLF");
        mended += count;
    }
    client.write(&room.ford(), FORD);
    assert!(mended >= 18, "{mended}");
}

#[test]
fn mends_elsewhere_do_so_too() {
    let room = Room::new();
    let mut client = room.client();
    let mut mended = 0;
    for (file, right, slip) in SLIPS_ELSEWHERE {
        let page = room.path(file);
        client.open(&page);
        let text = room.read(file);
        assert!(text.contains(right), "{right}");
        mended += mends(&mut client, &page, &text.replacen(right, slip, 1), slip);
        client.close(&page);
    }
    assert!(mended >= 12, "{mended}");
}
