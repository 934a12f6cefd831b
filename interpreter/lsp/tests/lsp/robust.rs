//! Whatever is said, in whatever order, the server answers.

use lsp_server::{Connection, Message};
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::room::{FORD, Room};

#[test]
fn hello_comes_first_and_goodbye_last() {
    let room = Room::new();
    let mut client = Client::silent(blazon_lsp::Settings::default());
    let asked =
        json!({ "textDocument": { "uri": uri(&room.ford()) }, "position": { "line": 0, "character": 0 } });
    assert_eq!(client.request("textDocument/hover", asked.clone()).unwrap_err().0, -32002);
    client.notify("textDocument/didOpen", json!({}));
    assert!(client.request("initialize", json!({ "capabilities": {} })).is_ok());
    assert_eq!(client.request("initialize", json!({})).unwrap_err().0, -32600);
    assert_eq!(
        client.request("no/such", json!({})).unwrap_err(),
        (-32601, "`no/such` is not known here".to_owned())
    );
    client.request("shutdown", Value::Null).unwrap();
    assert_eq!(client.request("textDocument/hover", asked).unwrap_err().0, -32600);
}

#[test]
fn a_server_ends_with_its_editor() {
    let room = Room::new();
    assert!(room.client().end());
}

const REQUESTS: [&str; 20] = [
    "hover",
    "definition",
    "completion",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "codeAction",
    "documentLink",
    "signatureHelp",
    "semanticTokens/full",
    "prepareCallHierarchy",
    "formatting",
    "documentSymbol",
    "foldingRange",
    "codeLens",
    "inlayHint",
    "selectionRange",
    "declaration",
    "typeDefinition",
];

#[test]
fn anything_can_be_asked() {
    let room = Room::new();
    let mut client = room.client();
    let ford = uri(&room.ford());
    let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
    let wrong = [
        Value::Null,
        json!([]),
        json!("x"),
        json!({ "textDocument": 1 }),
        json!({ "textDocument": { "uri": "nothing" }, "position": far }),
        json!({ "textDocument": { "uri": "untitled:new" }, "position": far }),
        json!({ "textDocument": { "uri": "file:///no/such/page.blazon" }, "position": far }),
        json!({ "textDocument": { "uri": "file:///" }, "position": far }),
        json!({ "textDocument": { "uri": 5 }, "position": { "line": -1, "character": 0.5 } }),
    ];
    for method in REQUESTS {
        for params in &wrong {
            let answer = client.request(&format!("textDocument/{method}"), params.clone());
            assert!(answer.is_err(), "{method} {params}: {answer:?}");
        }
        let place = json!({
            "textDocument": { "uri": ford }, "position": far, "newName": "", "context": { "includeDeclaration": true, "diagnostics": [] },
            "range": { "start": far, "end": { "line": 0, "character": 0 } }, "options": { "tabSize": 0, "insertSpaces": false },
        });
        // Refused or answered, but not failed.
        if let Err((code, message)) = client.request(&format!("textDocument/{method}"), place) {
            assert_ne!(code, -32603, "{method}: {message}");
        }
    }
}

#[test]
fn anything_can_be_told() {
    let room = Room::new();
    let mut client = room.client();
    let ford = uri(&room.ford());
    let document = |version: i64| json!({ "uri": ford, "version": version });
    let change = |start: u32, end: u32, text: &str| json!({ "range": { "start": { "line": start, "character": 9 }, "end": { "line": end, "character": 0 } }, "text": text });
    for (method, params) in [
        (
            "textDocument/didChange",
            json!({ "textDocument": { "uri": "file:///x", "version": 1 }, "contentChanges": [] }),
        ),
        (
            "textDocument/didChange",
            json!({ "textDocument": document(7), "contentChanges": [change(900, 0, "x"), change(3, 1, "\u{0}\u{feff}𝔘")] }),
        ),
        (
            "textDocument/didChange",
            json!({ "textDocument": document(-7), "contentChanges": [{ "text": 5 }] }),
        ),
        (
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": "untitled:1", "languageId": "", "version": 1, "text": "rule" } }),
        ),
        (
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": "file:///away/../away/./none/a.blazon", "languageId": "", "version": 1, "text": "rule" } }),
        ),
        ("textDocument/didClose", json!({ "textDocument": { "uri": "file:///never/opened" } })),
        ("textDocument/didSave", json!({ "textDocument": { "uri": ford } })),
        ("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": ford, "type": 77 }] })),
        (
            "workspace/didChangeWorkspaceFolders",
            json!({ "event": { "added": [{ "uri": "x:y", "name": "" }], "removed": [] } }),
        ),
        ("$/cancelRequest", json!({ "id": "none" })),
        ("$/blazon/broken", json!(null)),
        ("workspace/didChangeConfiguration", json!(3)),
    ] {
        client.notify(method, params);
        let alive = client.request("workspace/symbol", json!({ "query": "x" }));
        assert!(alive.is_ok(), "{method}: {alive:?}");
    }
    let failed = client.told.iter().filter(|(_, params)| params.to_string().contains("a mistake of Blazon"));
    assert_eq!(failed.count(), 0, "{:?}", client.told);
}

#[test]
fn strange_files_are_told_of() {
    let room = Room::new();
    room.put("ford/bad.blazon", b"rule \xff\xfe");
    let mut client = room.client();
    let manifest = uri(&room.path("ford/blazon.ron"));
    client.wait("the file", |client| client.published.contains_key(&manifest));
    let said = client.published[&manifest]["diagnostics"][0]["message"].as_str().unwrap().to_owned();
    assert_eq!(
        said,
        "`bad.blazon` is not UTF-8 text: see byte 6 in line 1\nsave it as plain text in the encoding UTF-8"
    );
    let long = format!("{FORD}\n-- {}\n", "x".repeat(4 << 20));
    client.write(&room.ford(), &long);
    assert!(client.ask("hover", &room.ford(), "rule ^power").is_ok());
    client.write(&room.ford(), &"{(".repeat(200_000));
    assert!(client.ask_page("foldingRange", &room.ford()).is_ok());
}

#[test]
fn a_page_without_a_game_is_told_so() {
    let room = Room::new();
    let lone = room.put("lone/page.blazon", "rule a: number = 1\n");
    let mut client = room.client();
    client.open(&lone);
    let shown = blazon::shown(&lone);
    let why = format!("there is no blazon.ron in a folder around `{shown}`: a page belongs to a game");
    assert_eq!(client.said(&lone), [format!("1: error[files::missing] {why}")]);
    // What editors ask by themselves is not refused as well: they would show that at every touch of a key.
    assert_eq!(client.ask("hover", &lone, "rule ^a"), Ok(Value::Null));
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink"] {
        assert_eq!(client.ask_page(method, &lone), Ok(Value::Null), "{method}");
    }
    assert_eq!(client.ask("prepareRename", &lone, "rule ^a"), Err((-32803, why)));
    let asked =
        json!({ "textDocument": { "uri": uri(&lone) }, "options": { "tabSize": 2, "insertSpaces": true } });
    assert_eq!(
        client.request("textDocument/formatting", asked).unwrap(),
        json!([]),
        "it is laid out nevertheless"
    );
}

#[test]
fn a_page_that_is_not_saved_yet_belongs_to_its_game() {
    let room = Room::new();
    let mut client = room.client();
    let page = room.path("ford/new.blazon");
    client.open_as(&page, "rule strong(p: piece): flag = p.power > 2\n");
    let hover = client.ask("hover", &page, "p.^power").unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("rule power(p: piece)"), "{hover}");
}

#[test]
fn a_page_finds_its_game_when_that_comes() {
    let room = Room::new();
    let lone = room.put("lone/page.blazon", "rule a: number = b\n");
    let mut client = room.client();
    client.open(&lone);
    assert_eq!(client.said(&lone).len(), 1);
    room.put("lone/blazon.ron", "Variant(name: \"Lone\", game: \"No Such Game\")");
    client.save(&lone);
    let said = "1: error[files::missing] the game `No Such Game` of this variant was not found";
    client.wait("the game that there is not", |client| {
        client.last(&lone).iter().any(|one| one.starts_with(said))
    });
    room.put(
        "lone/blazon.ron",
        "Game(name: \"Lone\", player: \"side\", players: [\"Red\"], begins: \"game\")",
    );
    client.save(&lone);
    client.wait("its game", |client| client.last(&lone).iter().all(|one| !one.contains("files::missing")));
    assert!(client.ask("hover", &lone, "rule ^a").is_ok_and(|hover| hover != Value::Null));
}

#[test]
fn a_page_that_is_no_file_yet_is_told_so() {
    let room = Room::new();
    let mut client = room.client();
    let document = json!({ "uri": "untitled:New", "languageId": "blazon", "version": 1, "text": "rule" });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    client.wait("a word about it", |client| client.published.contains_key("untitled:New"));
    let said = &client.published["untitled:New"]["diagnostics"];
    assert_eq!(said[0]["message"], "this page is checked once it is saved in the folder of a game");
    assert_eq!(said[0]["severity"], 3);
    let change = json!({ "textDocument": { "uri": "untitled:New", "version": 2 }, "contentChanges": [{ "text": "" }] });
    client.notify("textDocument/didChange", change);
    let asked = json!({ "textDocument": { "uri": "untitled:New" } });
    assert_eq!(client.request("textDocument/foldingRange", asked.clone()), Ok(Value::Null));
    client.notify("textDocument/didClose", asked);
    client.wait("that it is gone", |client| client.published["untitled:New"]["diagnostics"] == json!([]));
    assert!(client.told.iter().all(|(method, _)| method != "window/logMessage"), "{:?}", client.told);
}

#[test]
fn what_is_taken_back_is_not_answered() {
    let (theirs, ours) = Connection::memory();
    let tell = |message: Value| ours.sender.send(serde_json::from_value(message).unwrap()).unwrap();
    tell(json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    tell(json!({ "id": 2, "method": "workspace/symbol", "params": { "query": "" } }));
    tell(json!({ "id": "three", "method": "workspace/symbol", "params": { "query": "" } }));
    tell(json!({ "method": "$/cancelRequest", "params": { "id": "three" } }));
    tell(json!({ "method": "$/cancelRequest", "params": { "id": 77 } }));
    tell(json!({ "method": "$/cancelRequest", "params": {} }));
    tell(json!({ "id": 4, "method": "shutdown" }));
    drop(ours.sender);
    assert!(blazon_lsp::serve(theirs, blazon_lsp::Settings::default()), "goodbye is said");
    let answers: Vec<(String, Option<i32>)> = ours
        .receiver
        .iter()
        .filter_map(|message| match message {
            Message::Response(answer) => {
                Some((answer.id.to_string(), answer.response_result.err().map(|error| error.code)))
            }
            Message::Request(_) | Message::Notification(_) => None,
        })
        .collect();
    let answers: Vec<(&str, Option<i32>)> = answers.iter().map(|(id, code)| (id.as_str(), *code)).collect();
    assert_eq!(answers, [("1", None), ("2", None), ("\"three\"", Some(-32800)), ("4", None)]);
}

#[test]
fn a_hello_that_cannot_be_read_is_told_of() {
    let mut client = Client::silent(blazon_lsp::Settings::default());
    client.notify("$/blazon/broken", json!({ "why": "a message cannot be read" }));
    client.wait("a word about it", |client| {
        client.told.iter().any(|(method, _)| method == "window/logMessage")
    });
}

#[test]
fn a_hidden_page_is_no_page_of_its_game() {
    let room = Room::new();
    let hidden = room.put("ford/.old/page.blazon", "rule power(p: piece): number = 1\n");
    let mut client = room.client();
    client.open(&hidden);
    let shown = blazon::shown(&hidden);
    let why = format!("`{shown}` is no page of its game: what is called by a dot and a name is not read");
    client.wait("a word about it", |client| {
        client.last(&hidden) == [format!("1: error[files::missing] {why}")]
    });
    assert_eq!(client.said(&room.ford()), Vec::<String>::new(), "the game has one such rule");
    assert_eq!(client.ask("hover", &hidden, "rule ^power"), Ok(Value::Null));
}
