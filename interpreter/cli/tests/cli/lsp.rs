//! `blazon lsp`: an editor at its standard input and output.

use crate::common::Room;

fn message(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn an_editor_says_hello_and_goodbye() {
    let room = Room::empty();
    let said: String = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        r#"{"no json"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ]
    .map(message)
    .concat();
    let run = room.run(&["lsp", "--stdio"], &said);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains(r#""positionEncoding":"utf-16""#), "{}", run.out);
    assert!(
        run.out.contains("window/logMessage") && run.out.contains("a message cannot be read"),
        "{}",
        run.out
    );
    assert!(run.out.contains(r#""id":2,"result":null"#), "{}", run.out);
}

#[test]
fn an_editor_that_goes_away_is_told_of() {
    let room = Room::empty();
    let run = room.run(&["lsp"], "");
    assert_eq!((run.code, run.err.as_str()), (3, "error: the editor went away without a goodbye\n"));
    let run = room.run(&["lsp", "--library", "nowhere"], "");
    assert_eq!((run.code, run.err.as_str()), (3, "error: the library `nowhere` is no folder\n"));
}
