//! What is answered of whole pages: outline, folding, links, layout, colours; and what is called at a place.

use serde_json::{Value, json};

use crate::client::{edited, uri, words};
use crate::room::{FORD, Room};

fn names(symbols: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for symbol in symbols.as_array().into_iter().flatten() {
        found.push(symbol["name"].as_str().unwrap().to_owned());
        found.extend(names(&symbol["children"]).into_iter().map(|name| format!("  {name}")));
    }
    found
}

#[test]
fn a_page_has_an_outline() {
    let room = Room::new();
    let mut client = room.client();
    let found = names(&client.ask_page("documentSymbol", &room.ford()).unwrap());
    let expected = [
        "side",
        "  Red",
        "  Blue",
        "weather",
        "  Dry",
        "  Wet",
        "  Snow",
        "area",
        "  hill",
        "  worth",
        "road",
        "piece",
        "  owner",
        "  steps",
        "  at",
        "  strength",
        "area",
        "road",
        "piece",
        "Dawn",
        "night march",
        "  Forbidden",
        "  Allowed",
        "rival",
        "  blue",
        "army",
        "held",
        "power",
        "  hill",
        "game",
        "turn",
        "  march",
        "    peace",
        "    night",
        "  wait",
        "march",
    ];
    assert_eq!(found, expected);
    let variant = room.path("ford/variants/floods/floods.blazon");
    assert_eq!(
        names(&client.ask_page("documentSymbol", &variant).unwrap()),
        ["in rule power", "  wet", "replace march"]
    );
}

#[test]
fn names_are_found_in_all_games() {
    let room = Room::new();
    let mut client = room.client();
    let mut found = |query: &str| -> Vec<String> {
        let answer = client.request("workspace/symbol", json!({ "query": query })).unwrap();
        let all = answer.as_array().unwrap().iter();
        let mut names: Vec<String> = all.map(|one| one["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(found("nmarch"), ["night march"]);
    assert_eq!(found("wet"), ["Wet", "weather", "wet"]);
}

#[test]
fn items_braces_and_comments_fold() {
    let room = Room::new();
    let mut client = room.client();
    let text = "-- One\n-- two.\n\nstep game {\n  if yes {\n    win(Red)\n  }\n}\nrule a: number = 1\n";
    client.write(&room.ford(), text);
    let ranges = client.ask_page("foldingRange", &room.ford()).unwrap();
    let ranges = ranges.as_array().unwrap().iter();
    let found: Vec<_> =
        ranges.map(|one| (one["startLine"].as_u64().unwrap(), one["endLine"].as_u64().unwrap())).collect();
    assert_eq!(found, [(0, 1), (3, 7), (4, 5)]);
}

#[test]
fn citations_are_links() {
    let room = Room::new();
    let mut client = room.client();
    let links = client.ask_page("documentLink", &room.ford()).unwrap();
    let links = links.as_array().unwrap();
    assert_eq!(links.len(), FORD.matches('@').count());
    assert_eq!(words(FORD, &links[0]["range"]), "@1");
    assert_eq!(links[0]["tooltip"], "@1 The map");
    assert_eq!(links[0]["target"], format!("{}#L1", uri(&room.path("ford/outline.txt"))));
}

#[test]
fn a_page_is_laid_out() {
    let room = Room::new();
    let mut client = room.client();
    let text = FORD.replace("rule army(s: side): set", "rule   army( s:side ):set");
    client.write(&room.ford(), &text);
    let asked = json!({ "textDocument": { "uri": uri(&room.ford()) }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.request("textDocument/formatting", asked.clone()).unwrap();
    let laid_out = edited(&text, &edits);
    assert!(laid_out.contains("rule army(s: side): set of piece"));
    client.write(&room.ford(), &laid_out);
    assert_eq!(client.request("textDocument/formatting", asked).unwrap(), json!([]));
}

#[test]
fn only_pages_are_laid_out() {
    let room = Room::new();
    let mut client = room.client();
    for name in ["ford/blazon.ron", "ford/roads.tsv", "ford/outline.txt"] {
        let path = room.path(name);
        client.open(&path);
        let refused = client.ask_with(
            "formatting",
            &path,
            "^",
            json!({ "options": { "tabSize": 2, "insertSpaces": true } }),
        );
        assert_eq!(refused, Err((-32803, "only pages, `*.blazon`, have a layout".to_owned())), "{name}");
    }
}

#[test]
fn names_have_colours() {
    let room = Room::new();
    let mut client = room.client();
    let text = "kind side = Red, Blue\nrule rival(s: side): side = Red\n  except blue: Blue if s = Red\n";
    client.write(&room.ford(), text);
    let answer = client.ask_page("semanticTokens/full", &room.ford()).unwrap();
    let types = [
        "class",
        "thing",
        "property",
        "variable",
        "rule",
        "step",
        "event",
        "parameter",
        "enum",
        "namespace",
        "label",
    ];
    let (mut line, mut column) = (0, 0);
    let mut found = Vec::new();
    for token in answer["data"].as_array().unwrap().chunks(5) {
        let number = |place: usize| token[place].as_u64().unwrap() as usize;
        column = if number(0) == 0 { column + number(1) } else { number(1) };
        line += number(0);
        let word = &text.lines().nth(line).unwrap()[column..column + number(2)];
        found.push(format!("{word}: {}{}", types[number(3)], if number(4) & 1 == 1 { "!" } else { "" }));
    }
    let expected = [
        "side: class!",
        "Red: thing!",
        "Blue: thing!",
        "rival: rule!",
        "s: parameter!",
        "side: class",
        "side: class",
        "Red: thing",
        "blue: label!",
        "Blue: thing",
        "s: parameter",
        "Red: thing",
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_is_called_says_what_it_takes() {
    let room = Room::new();
    let mut client = room.client();
    let mut called = |marked: &str| {
        let answer = client.ask("signatureHelp", &room.ford(), marked).unwrap();
        let signature = &answer["signatures"][0];
        (signature["label"].as_str().unwrap_or_default().to_owned(), answer["activeParameter"].as_u64())
    };
    assert_eq!(called("{ march(p, ^to) }"), ("step march(p: piece, to: area)".to_owned(), Some(1)));
    assert_eq!(called("not to.held(^s.rival)"), ("rule held(a: area, s: side): flag".to_owned(), Some(1)));
    assert_eq!(called("rule ^power"), (String::new(), None));
}
