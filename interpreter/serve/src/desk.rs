//! The language server for whoever changes rules in the browser, beside the board: the same one that editors use, asked
//! within the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::problem::Problem;

/// Rules may be nested deeply, and this thread reads them.
const DEEP: usize = 64 << 20;

/// So long is waited for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A language server with the pages that are open in one browser.
pub struct Desk {
    tell: Box<dyn Fn(Message) + Send + Sync>,
    heard: Arc<Heard>,
    next: AtomicI32,
    /// What its tokens can be.
    pub legend: Value,
    /// For each open page its address, its version and its text.
    open: Mutex<BTreeMap<PathBuf, (String, i32, String)>>,
}

/// What the language server has said.
#[derive(Default)]
struct Heard {
    said: Mutex<Said>,
    news: Condvar,
}

#[derive(Default)]
struct Said {
    /// Which questions somebody waits for. An answer to another is let go.
    awaited: BTreeSet<i32>,
    answers: BTreeMap<i32, Value>,
    /// What is wrong with each page, by its address, and with which version of its text.
    messages: BTreeMap<String, (Value, Option<i64>)>,
    is_over: bool,
}

impl Heard {
    /// Waits for the answer to a question that is asked meanwhile, for a while.
    fn answer(&self, id: i32, patience: Duration, ask: impl FnOnce()) -> Option<Value> {
        self.said().awaited.insert(id);
        ask();
        let waiting = |said: &mut Said| !said.answers.contains_key(&id) && !said.is_over;
        let waited = self.news.wait_timeout_while(self.said(), patience, waiting);
        let (mut said, _) = waited.unwrap_or_else(PoisonError::into_inner);
        // One that comes later is for nobody any more.
        said.awaited.remove(&id);
        said.answers.remove(&id)
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_in(&self, message: Message) {
        let mut said = self.said();
        match message {
            Message::Response(response) => {
                let id = response.id.to_string().parse::<i32>();
                if let Some(id) = id.ok().filter(|id| said.awaited.contains(id)) {
                    said.answers.insert(id, response.response_result.unwrap_or(Value::Null));
                }
            }
            Message::Notification(Notification { method, mut params }) => {
                if let ("textDocument/publishDiagnostics", Some(uri)) =
                    (method.as_str(), params["uri"].as_str().map(str::to_owned))
                {
                    let version = params["version"].as_i64();
                    said.messages.insert(uri, (params["diagnostics"].take(), version));
                }
            }
            // It asks to have files watched, which it is told of all the same.
            Message::Request(_) => {}
        }
        self.news.notify_all();
    }
}

impl Desk {
    /// A language server for a game's folder, which tells what rules are worth at the table of another folder and nowhere else.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn new(root: &Path, library: Option<&Path>, table: &Path) -> Result<Self, Problem> {
        let (ours, theirs) = Connection::memory();
        let settings = blazon_lsp::Settings {
            library: library.map(Path::to_owned),
            tables: Some(blazon_lsp::Tables::One(table.to_owned())),
            pause: Duration::from_millis(30),
        };
        let none =
            |error: std::io::Error| Problem::internal(format!("the language server does not start: {error}"));
        let serving = std::thread::Builder::new().name("editor".to_owned()).stack_size(DEEP);
        serving.spawn(move || blazon_lsp::serve(theirs, settings)).map_err(none)?;
        let heard = Arc::new(Heard::default());
        let (listening, receiver, sender) = (heard.clone(), ours.receiver, ours.sender);
        let listens = std::thread::Builder::new().spawn(move || {
            receiver.into_iter().for_each(|message| listening.take_in(message));
            listening.said().is_over = true;
            listening.news.notify_all();
        });
        listens.map_err(none)?;
        // It ends when this does.
        let tell = Box::new(move |message| drop(sender.send(message)));
        let (next, legend, open) = (AtomicI32::new(1), Value::Null, Mutex::default());
        let mut desk = Self { tell, heard, next, legend, open };
        let folder = address(root)?;
        let able = desk.ask(
            "initialize",
            json!({
                "processId": null, "rootUri": folder, "workspaceFolders": [{ "uri": folder, "name": "game" }],
                "capabilities": { "general": { "positionEncodings": ["utf-16"] } },
            }),
        )?;
        desk.legend = able["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
        desk.say("initialized", json!({}));
        Ok(desk)
    }

    fn say(&self, method: &str, params: Value) {
        (self.tell)(Message::Notification(Notification { method: method.to_owned(), params }));
    }

    /// Asks something of the texts as they are.
    ///
    /// # Errors
    /// If no answer comes.
    pub fn ask(&self, method: &str, params: Value) -> Result<Value, Problem> {
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let request = Request { id: RequestId::from(id), method: method.to_owned(), params };
        let answer = self.heard.answer(id, PATIENCE, || (self.tell)(Message::Request(request)));
        answer.ok_or_else(|| Problem::internal("the language server does not answer"))
    }

    /// Lays a text over that of the disk; answers the page's address.
    ///
    /// # Errors
    /// If the path has no address.
    pub fn put(&self, path: &Path, text: &str) -> Result<String, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((uri, version, known)) = open.get_mut(path) {
            if *known != text {
                (*version, *known) = (*version + 1, text.to_owned());
                self.say("textDocument/didChange", json!({
                    "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }],
                }));
            }
            return Ok(uri.clone());
        }
        let uri = address(path)?;
        self.say(
            "textDocument/didOpen",
            json!({
                "textDocument": { "uri": uri, "languageId": "blazon", "version": 1, "text": text },
            }),
        );
        open.insert(path.to_owned(), (uri.clone(), 1, text.to_owned()));
        Ok(uri)
    }

    /// A file was written.
    pub fn saved(&self, path: &Path) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((uri, ..)) = open.get(path) {
            self.say("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        }
    }

    /// What is wrong with a page that is open, as far as it is known, and whether that was said of its text as it is.
    pub fn messages(&self, path: &Path) -> (Value, bool) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((uri, now, _)) = open.get(path) else { return (json!([]), false) };
        let said = self.heard.said();
        let (messages, version) = said.messages.get(uri).cloned().unwrap_or((json!([]), None));
        (messages, version == Some(i64::from(*now)))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.say("exit", Value::Null);
    }
}

fn address(path: &Path) -> Result<String, Problem> {
    let uri = blazon_lsp::uri_of(path).map(|uri| uri.to_string());
    uri.ok_or_else(|| Problem::internal("a path that has no address"))
}

#[cfg(test)]
mod tests {
    use lsp_server::Response;

    use super::*;

    #[test]
    fn answers_that_come_too_late_are_let_go() {
        let heard = Heard::default();
        let answers = |id: i32| heard.take_in(Message::Response(Response::new_ok(RequestId::from(id), id)));
        assert_eq!(heard.answer(1, PATIENCE, || answers(1)), Some(json!(1)));
        assert_eq!(heard.answer(2, Duration::from_millis(1), || {}), None);
        for late in [1, 2, 3] {
            answers(late);
        }
        let said = heard.said();
        assert_eq!((said.awaited.len(), said.answers.len()), (0, 0));
    }
}
