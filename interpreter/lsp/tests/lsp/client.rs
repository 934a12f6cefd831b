//! An editor by script: it talks to a server in the same process.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use blazon_lsp::{Settings, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// How long an answer is waited for before the test fails.
const LONGEST: Duration = Duration::from_secs(120);

/// An editor.
pub struct Client {
    connection: Option<Connection>,
    server: Option<JoinHandle<bool>>,
    next: i32,
    /// What was last said of each file.
    pub published: BTreeMap<String, Value>,
    /// How often something was said of each file.
    pub sayings: BTreeMap<String, usize>,
    /// Everything else that was told unasked: method and what it held.
    pub told: Vec<(String, Value)>,
    versions: BTreeMap<PathBuf, i32>,
    texts: BTreeMap<PathBuf, String>,
}

impl Client {
    /// An editor with a folder open, that counts columns in UTF-16.
    pub fn new(folder: &Path) -> Self {
        Self::with(folder, Settings { pause: Duration::ZERO, ..Settings::default() }, json!({}))
    }

    /// An editor that can do certain things.
    pub fn with(folder: &Path, settings: Settings, capabilities: Value) -> Self {
        let mut client = Self::silent(settings);
        let folders = json!([{ "uri": uri(folder), "name": "rules" }]);
        let hello = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders });
        client.request("initialize", hello).expect("a server says hello");
        client.notify("initialized", json!({}));
        client
    }

    /// One that has not said hello.
    pub fn silent(settings: Settings) -> Self {
        let (theirs, ours) = Connection::memory();
        let server = std::thread::Builder::new().stack_size(64 << 20).spawn(move || serve(theirs, settings));
        Self {
            connection: Some(ours),
            server: Some(server.expect("a thread")),
            next: 0,
            published: BTreeMap::new(),
            sayings: BTreeMap::new(),
            told: Vec::new(),
            versions: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().expect("a connection")
    }

    /// Tells something.
    pub fn notify(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection().sender.send(notification.into()).expect("a server listens");
    }

    /// Asks something; what is refused comes with its code.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection().sender.send(request.into()).expect("a server listens");
        loop {
            match self.receive(LONGEST).unwrap_or_else(|| panic!("no answer to {method}")) {
                Message::Response(response) if response.id == id => {
                    return response.response_result.map_err(|error| (error.code, error.message));
                }
                Message::Response(other) => panic!("an answer to nothing: {other:?}"),
                other @ (Message::Request(_) | Message::Notification(_)) => self.take(other),
            }
        }
    }

    fn receive(&self, longest: Duration) -> Option<Message> {
        self.connection().receiver.recv_timeout(longest).ok()
    }

    fn take(&mut self, message: Message) {
        let (method, params) = match message {
            Message::Notification(Notification { method, params }) => (method, params),
            Message::Request(Request { method, params, .. }) => (method, params),
            Message::Response(response) => panic!("{response:?}"),
        };
        if method == "textDocument/publishDiagnostics" {
            let uri = params["uri"].as_str().unwrap().to_owned();
            *self.sayings.entry(uri.clone()).or_default() += 1;
            self.published.insert(uri, params);
        } else {
            self.told.push((method, params));
        }
    }

    /// Waits until something is told that fits.
    pub fn wait(&mut self, what: &str, fits: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !fits(self) {
            assert!(begun.elapsed() < LONGEST, "waited in vain for {what}");
            if let Some(message) = self.receive(Duration::from_millis(200)) {
                self.take(message);
            }
        }
    }

    /// Opens a file of the disk.
    pub fn open(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).unwrap();
        self.open_as(path, &text);
    }

    /// Opens a file with another text.
    pub fn open_as(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "blazon", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.versions.insert(path.to_owned(), 1);
        self.texts.insert(path.to_owned(), text.to_owned());
    }

    /// Writes a text that is open to the disk, as it is on the screen.
    pub fn save(&mut self, path: &Path) {
        std::fs::write(path, self.text(path)).unwrap();
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// Closes a text that is open.
    pub fn close(&mut self, path: &Path) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
        self.versions.remove(path);
        self.texts.remove(path);
    }

    /// Puts another text in the place of one that is open.
    pub fn write(&mut self, path: &Path, text: &str) {
        self.change(path, json!([{ "text": text }]));
        self.texts.insert(path.to_owned(), text.to_owned());
    }

    /// Changes a text that is open.
    pub fn change(&mut self, path: &Path, changes: Value) {
        let version = self.versions.get_mut(path).expect("it is open");
        *version += 1;
        let document = json!({ "uri": uri(path), "version": *version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Notes which text a file has after a change of a part of it.
    pub fn remember(&mut self, path: &Path, text: &str) {
        self.texts.insert(path.to_owned(), text.to_owned());
    }

    /// The text of a file as it was last written.
    pub fn text(&self, path: &Path) -> String {
        self.texts.get(path).cloned().unwrap_or_else(|| std::fs::read_to_string(path).unwrap())
    }

    /// The place of `^` in a piece of a file.
    pub fn place(&self, path: &Path, marked: &str) -> Value {
        let text = self.text(path);
        let at = text.find(&marked.replacen('^', "", 1)).unwrap_or_else(|| panic!("{marked}"));
        position(&text, at + marked.find('^').expect("a mark"))
    }

    /// Asks something of a place.
    pub fn ask(&mut self, method: &str, path: &Path, marked: &str) -> Result<Value, (i32, String)> {
        self.ask_with(method, path, marked, json!({}))
    }

    /// Asks something of a place, with more words.
    pub fn ask_with(
        &mut self,
        method: &str,
        path: &Path,
        marked: &str,
        more: Value,
    ) -> Result<Value, (i32, String)> {
        let mut params =
            json!({ "textDocument": { "uri": uri(path) }, "position": self.place(path, marked) });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Asks something of a whole file.
    pub fn ask_page(&mut self, method: &str, path: &Path) -> Result<Value, (i32, String)> {
        self.request(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri(path) } }))
    }

    /// What is said of a file as it was last written, as `line: severity code message`.
    pub fn said(&mut self, path: &Path) -> Vec<String> {
        let (uri, version) = (uri(path), self.versions.get(path).copied());
        self.wait("messages", |client| {
            client
                .published
                .get(&uri)
                .is_some_and(|said| version.is_none() || said["version"] == json!(version))
        });
        self.last(path)
    }

    /// What was last said of a file, whichever text of it that was; nothing if nothing was.
    pub fn last(&self, path: &Path) -> Vec<String> {
        let said = self.published.get(&uri(path)).and_then(|said| said["diagnostics"].as_array());
        let said = said.into_iter().flatten();
        said.map(|one| {
            let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
            let severity =
                ["", "error", "warning", "information", "hint"][one["severity"].as_u64().unwrap() as usize];
            format!(
                "{line}: {severity}[{}] {}",
                one["code"].as_str().unwrap(),
                one["message"].as_str().unwrap()
            )
        })
        .collect()
    }

    /// Says goodbye; whether the server ended as it should.
    pub fn end(&mut self) -> bool {
        let ended = self.request("shutdown", Value::Null).is_ok();
        self.notify("exit", Value::Null);
        ended & self.server.take().unwrap().join().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Without a connection the server ends; a test that fails already need not fail again.
        self.connection = None;
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

/// The address of a file.
pub fn uri(path: &Path) -> String {
    let shown = path.display().to_string();
    let escaped: String =
        shown.chars().map(|c| if c == ' ' { "%20".to_owned() } else { c.to_string() }).collect();
    format!("file://{escaped}")
}

/// Line and column in UTF-16 of a byte.
pub fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column: usize =
        before[before.rfind('\n').map_or(0, |at| at + 1)..].chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": column })
}

/// The byte of a place.
pub fn offset(text: &str, place: &Value) -> usize {
    let (line, mut left) =
        (place["line"].as_u64().unwrap() as usize, place["character"].as_u64().unwrap() as usize);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut at = start;
    for c in text[start..].chars() {
        if left < c.len_utf16() || c == '\n' {
            break;
        }
        left -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

/// The words of a range.
pub fn words<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[offset(text, &range["start"])..offset(text, &range["end"])]
}

/// A text with the edits that a server answered.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<(usize, usize, String)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap().to_owned();
            (offset(text, &range["start"]), offset(text, &range["end"]), new)
        })
        .collect();
    edits.sort();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}
