//! The loop: one message after the other, in the order in which they come.
//!
//! Notifications change texts at once, a request is answered of the texts as they are then. So no answer is ever of
//! another text than the question. What takes longer is done elsewhere: see [`crate::background`].

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types as lsp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::amendments::{Amendment, Amendments};
use crate::background::{Background, Job};
use crate::capabilities::{self, Editor};
use crate::documents::Document;
use crate::inbox::{Inbox, Next};
use crate::outbox::Outbox;
use crate::requests::{self, Refusal};
use crate::running::{Running, Tables};
use crate::transport::BROKEN;
use crate::trying::{self, Found, Results, Trial};
use crate::uris;
use crate::workspace::{Stack, Workspace};

/// How often the disk is looked at for an editor that does not tell of files that change.
const LOOK: Duration = Duration::from_secs(2);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the library; that of the program, if none.
    pub library: Option<PathBuf>,
    /// Where boards keep their tables: hover tells what rules are worth in the game under way. Nowhere, if none.
    pub tables: Option<Tables>,
    /// How long nothing must be written before the game is checked as a whole.
    pub pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { library: None, tables: None, pause: Duration::from_millis(100) }
    }
}

/// How far a conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nobody has said hello.
    Silent,
    /// It goes on.
    Talking,
    /// Goodbye is said; only the end may follow.
    Ended,
}

/// A server for one editor.
#[derive(Debug)]
pub struct Server {
    /// What is open.
    pub workspace: Workspace,
    /// What the editor can do.
    pub editor: Editor,
    /// What it is told unasked.
    pub outbox: Outbox,
    /// What the last tests have shown.
    pub results: Results,
    /// The game that is under way.
    pub running: Running,
    amendments: BTreeMap<PathBuf, Amendments>,
    /// Pages that are open and belong to no game, and why.
    lost: BTreeMap<PathBuf, String>,
    /// What is open and no file yet.
    unsaved: BTreeSet<lsp::Uri>,
    background: Option<Background>,
    settings: Settings,
    stage: Stage,
    /// Whether texts have changed that nobody has checked yet.
    is_dirty: bool,
    /// Whether all variants are to be checked, too.
    is_saved: bool,
}

/// Serves an editor until it says goodbye or goes away. Answers whether it said goodbye before it went.
pub fn serve(connection: Connection, settings: Settings) -> bool {
    let sender = connection.sender.clone();
    let reply = sender.clone();
    // Where nobody listens any more nothing need be said.
    let outbox = Outbox::new(move |message| drop(sender.send(message)));
    let mut server = Server::new(outbox, settings);
    let mut inbox = Inbox::new(connection);
    loop {
        let answer = match inbox.next(server.patience()) {
            Next::Message(Message::Request(request)) => Some(server.request(request)),
            Next::Message(Message::Notification(notification)) if notification.method == "exit" => break,
            Next::Message(Message::Notification(notification)) => {
                server.notified(notification);
                None
            }
            // What the server asks of an editor needs no answer.
            Next::Message(Message::Response(_)) => None,
            Next::TakenBack(id) => {
                let why = "the editor has taken this back".to_owned();
                Some(Response::new_err(id, ErrorCode::RequestCanceled as i32, why))
            }
            Next::Quiet => {
                if catch_unwind(AssertUnwindSafe(|| server.look())).is_err() {
                    server.workspace.forget();
                }
                None
            }
            Next::End => break,
        };
        if answer.is_some_and(|answer| reply.send(answer.into()).is_err()) {
            break;
        }
        if inbox.is_empty() {
            server.check();
        }
    }
    server.stage == Stage::Ended
}

impl Server {
    /// A server that has heard nothing.
    pub fn new(outbox: Outbox, settings: Settings) -> Self {
        let workspace = Workspace::new(settings.library.clone());
        Self {
            workspace,
            editor: Editor::default(),
            outbox,
            results: Results::default(),
            running: Running::new(settings.tables.clone()),
            amendments: BTreeMap::new(),
            lost: BTreeMap::new(),
            unsaved: BTreeSet::new(),
            background: None,
            settings,
            stage: Stage::Silent,
            is_dirty: false,
            is_saved: true,
        }
    }

    /// Answers a request; one that fails harms no other.
    pub fn request(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let answered = answered.unwrap_or_else(|_| {
            self.workspace.forget();
            let message = format!("`{method}` failed: that is a mistake of Blazon; please report it");
            Err(Refusal::new(ErrorCode::InternalError, message))
        });
        match answered {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err(refusal) => {
                Response::new_err(id, refusal.code, blazon_diagnostics::harmless(&refusal.message))
            }
        }
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        match (self.stage, method) {
            (Stage::Silent, "initialize") => Ok(self.hello(&params)),
            (Stage::Silent, _) => Err(Refusal::new(
                ErrorCode::ServerNotInitialized,
                "the editor has not said hello: `initialize`",
            )),
            (Stage::Talking, "initialize") => {
                Err(Refusal::new(ErrorCode::InvalidRequest, "the editor has said hello before"))
            }
            (Stage::Talking, "shutdown") => {
                self.stage = Stage::Ended;
                self.background = None;
                Ok(Value::Null)
            }
            (Stage::Talking, _) => {
                let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
                let uri = uri.and_then(|uri| lsp::Uri::parse(uri).ok());
                let answer = requests::answer(self, method, params);
                // Why nothing is known of such a page is said in it; said again to each of these, it would be shown at
                // every touch of a key.
                let is_refused = |refusal: &Refusal| refusal.code == ErrorCode::RequestFailed as i32;
                match answer {
                    Err(refusal)
                        if is_refused(&refusal)
                            && requests::is_unasked(method)
                            && uri.is_some_and(|uri| self.is_lost(&uri)) =>
                    {
                        Ok(Value::Null)
                    }
                    answer => answer,
                }
            }
            (Stage::Ended, _) => Err(Refusal::new(ErrorCode::InvalidRequest, "the editor has said goodbye")),
        }
    }

    /// Says what can be done, and takes in what the editor says of itself.
    fn hello(&mut self, params: &Value) -> Value {
        self.editor = Editor::of(params);
        self.workspace.encoding = self.editor.encoding;
        let folder = |value: &Value| {
            let uri: lsp::Uri = serde_json::from_value(value.clone()).ok()?;
            uris::path_of(&uri)
        };
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let named = folders.into_iter().flatten().filter_map(|one| folder(one.get("uri")?));
        self.workspace.folders = named.collect();
        if self.workspace.folders.is_empty() {
            self.workspace.folders.extend(params.get("rootUri").and_then(folder));
        }
        let library = params.pointer("/initializationOptions/library").and_then(Value::as_str);
        if self.workspace.library.is_none() {
            self.workspace.library = library.map(PathBuf::from);
        }
        self.stage = Stage::Talking;
        match Background::start(self.outbox.clone(), self.results.clone(), self.settings.pause) {
            Ok(background) => self.background = Some(background),
            Err(error) => {
                self.outbox.log(format!("nothing will be checked: no thread can be started: {error}"))
            }
        }
        capabilities::answer(&self.editor)
    }

    /// How long the next word of the editor is waited for before the disk is looked at; for ever where the editor tells
    /// of what changes there.
    fn patience(&self) -> Option<Duration> {
        let has_open = self.workspace.documents().iter().next().is_some();
        (has_open && self.stage == Stage::Talking && !self.editor.watches).then_some(LOOK)
    }

    /// Looks whether the disk says something else now.
    pub fn look(&mut self) {
        let is_found = |path: &PathBuf| self.workspace.belongs(path).is_ok();
        let is_found = self.lost.keys().cloned().collect::<Vec<_>>().iter().any(is_found);
        if self.workspace.look() || is_found {
            self.is_dirty = true;
            // What changed may be the page of a variant that nobody has open.
            self.is_saved = true;
        }
    }

    /// Whether a text is open that belongs to no game.
    fn is_lost(&mut self, uri: &lsp::Uri) -> bool {
        let Some(path) = uris::path_of(uri) else { return self.unsaved.contains(uri) };
        self.workspace.documents().get(&path).is_some() && self.workspace.belongs(&path).is_err()
    }

    /// Takes in a notification; one that is not of its form is noted and changes nothing.
    pub fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // What cannot be read may be the hello itself: whoever waits for its answer learns why none comes.
        let is_heard = match self.stage {
            Stage::Silent => method == BROKEN,
            Stage::Talking => true,
            Stage::Ended => false,
        };
        if !is_heard {
            return;
        }
        let taken = catch_unwind(AssertUnwindSafe(|| self.take(&method, params)));
        match taken {
            Ok(Ok(())) => {}
            Ok(Err(why)) => self.outbox.log(format!("`{method}`: {why}")),
            Err(_) => {
                self.workspace.forget();
                self.outbox.log(format!("`{method}` failed: that is a mistake of Blazon; please report it"));
            }
        }
    }

    fn take(&mut self, method: &str, params: Value) -> Result<(), String> {
        match method {
            "initialized" => self.watch(),
            "textDocument/didOpen" => {
                let lsp::DidOpenTextDocumentParams { text_document: opened } = read(params)?;
                self.is_dirty = true;
                let Some(path) = uris::path_of(&opened.uri) else {
                    self.unsaved.insert(opened.uri);
                    return Ok(());
                };
                self.workspace.open(path, Document::new(opened.uri, opened.version, &opened.text));
            }
            "textDocument/didChange" => {
                let changed: lsp::DidChangeTextDocumentParams = read(params)?;
                let lsp::VersionedTextDocumentIdentifier { version, text_document_identifier } =
                    changed.text_document;
                if self.unsaved.contains(&text_document_identifier.uri) {
                    return Ok(());
                }
                let path = file(&text_document_identifier.uri)?;
                let encoding = self.editor.encoding;
                let change =
                    |document: &mut Document| document.change(version, changed.content_changes, encoding);
                if !self.workspace.change(&path, change) {
                    return Err(format!("`{}` is not open", blazon::shown(&path)));
                }
                self.is_dirty = true;
            }
            "textDocument/didClose" => {
                let closed: lsp::DidCloseTextDocumentParams = read(params)?;
                let lsp::TextDocumentIdentifier { uri } = closed.text_document;
                self.is_dirty = true;
                if self.unsaved.remove(&uri) {
                    return Ok(());
                }
                self.workspace.close(&file(&uri)?);
                // What is on the disk counts again, and it was saved meanwhile.
                self.look();
            }
            "textDocument/didSave" => {
                let saved: lsp::DidSaveTextDocumentParams = read(params)?;
                file(&saved.text_document.uri)?;
                self.look();
                self.is_dirty = true;
                self.is_saved = true;
            }
            "workspace/didChangeWatchedFiles" => {
                let changed: lsp::DidChangeWatchedFilesParams = read(params)?;
                if changed.changes.iter().any(|event| uris::path_of(&event.uri).is_some()) {
                    self.look();
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                let changed: lsp::DidChangeWorkspaceFoldersParams = read(params)?;
                let gone: Vec<PathBuf> =
                    changed.event.removed.iter().filter_map(|one| uris::path_of(&one.uri)).collect();
                self.workspace.folders.retain(|folder| !gone.contains(folder));
                self.workspace
                    .folders
                    .extend(changed.event.added.iter().filter_map(|one| uris::path_of(&one.uri)));
            }
            BROKEN => {
                let why = params.get("why").and_then(Value::as_str);
                self.outbox.log(why.unwrap_or("a message cannot be read"));
            }
            // The rest is not for us.
            _ => {}
        }
        Ok(())
    }

    /// Asks to be told of files that change.
    fn watch(&self) {
        if !self.editor.watches {
            return;
        }
        // A folder that goes is one event, which tells of none of the files in it.
        let globs = [
            "**/*.blazon",
            "**/blazon.ron",
            "**/*.tsv",
            "**/*.txt",
            "**/map.svg",
            "**/variants",
            "**/variants/*",
            "**/tests",
        ];
        let watchers: Vec<Value> = globs.map(|glob| json!({ "globPattern": glob })).to_vec();
        let registration = json!({
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": watchers },
        });
        let params = json!({ "registrations": [registration] });
        let id = lsp_server::RequestId::from("files".to_owned());
        self.outbox.send(Request { id, method: "client/registerCapability".to_owned(), params }.into());
    }

    /// Has what changed checked, when somebody has time.
    pub fn check(&mut self) {
        if !std::mem::take(&mut self.is_dirty) {
            return;
        }
        let open: Vec<PathBuf> = self.workspace.documents().iter().map(|(path, _)| path.to_owned()).collect();
        let mut stacks: BTreeMap<PathBuf, Vec<Stack>> = BTreeMap::new();
        self.lost.clear();
        for path in open {
            let belongs = match self.workspace.belongs(&path) {
                Ok(belongs) => belongs,
                Err(why) => {
                    self.lost.insert(path, why);
                    continue;
                }
            };
            let wanted = stacks.entry(belongs.game).or_insert_with(|| vec![Stack::new()]);
            if !wanted.contains(&belongs.stack) {
                wanted.push(belongs.stack);
            }
        }
        let is_saved = std::mem::take(&mut self.is_saved);
        let mut games = Vec::new();
        for (folder, mut wanted) in stacks {
            let Some((_, game)) = self.workspace.games().find(|(known, _)| *known == folder) else {
                continue;
            };
            // A variant that lies apart from its game is what is written; the game inside the program is sound.
            if game.texts.rules.root.is_none() {
                wanted.retain(|stack| !stack.is_empty());
            } else if is_saved {
                let documents = self.workspace.documents();
                let all =
                    (0..game.texts.rules.variants.len()).map(|place| game.texts.alone(place, documents));
                let others: Vec<Stack> = all.filter(|stack| !wanted.contains(stack)).collect();
                wanted.extend(others);
            }
            games.push((folder, game.texts.clone(), wanted));
        }
        let job = Job {
            games,
            lost: self.lost.clone(),
            unsaved: self.unsaved.clone(),
            documents: self.workspace.documents().clone(),
            encoding: self.editor.encoding,
        };
        if let Some(background) = &self.background {
            background.check(job);
        }
    }

    /// Does what a lens offers.
    ///
    /// # Errors
    /// In words, if there is no such command, or what it is given is not of its form.
    pub fn execute(&mut self, command: &str, arguments: &[Value]) -> Result<(), String> {
        let word = |place: usize| {
            let value = arguments.get(place).and_then(Value::as_str);
            value.ok_or_else(|| format!("`{command}` needs {} texts", place + 1))
        };
        if command == trying::SAY {
            self.outbox.show(lsp::MessageType::Info, word(0)?);
            return Ok(());
        }
        let uri = lsp::Uri::parse(word(0)?)
            .map_err(|error| format!("`{command}` needs the address of a page: {error}"))?;
        let path = file(&uri)?;
        let only = match command {
            trying::TEST => Some((path.clone(), word(1)?.to_owned())),
            trying::TEST_ALL => None,
            _ => return Err(format!("there is no command `{command}`")),
        };
        let belongs = self.workspace.belongs(&path)?;
        let Some((game, background)) = self.workspace.game(&belongs).zip(self.background.as_ref()) else {
            return Err("this game is not known any more".to_owned());
        };
        let trial = Trial {
            project: game.texts.project(&belongs.stack, self.workspace.documents()),
            files: game.texts.file_diagnostics(&belongs.stack),
            ground: game.texts.ground.clone(),
            encoding: self.editor.encoding,
            only,
        };
        let found = Found {
            results: self.results.clone(),
            outbox: self.outbox.clone(),
            telling: background.telling(),
            refreshes: self.editor.refreshes,
        };
        trying::start(trial, found).map_err(|error| format!("no thread can be started: {error}"))
    }

    /// Who changes what in the game that a file belongs to.
    pub fn amendments(&mut self, path: &Path) -> Vec<Amendment> {
        let Ok(belongs) = self.workspace.belongs(path) else { return Vec::new() };
        let Some(game) = self.workspace.game(&belongs) else { return Vec::new() };
        let known = self.amendments.entry(belongs.game.clone()).or_default();
        known.all(&game.texts, self.workspace.documents())
    }

    /// A text that is open, or one of the disk.
    ///
    /// # Errors
    /// In words, if it is neither.
    pub fn text(&mut self, uri: &lsp::Uri) -> Result<Document, String> {
        let path = file(uri)?;
        if let Some(document) = self.workspace.documents().get(&path) {
            return Ok(document.clone());
        }
        let (belongs, _, source) = self.workspace.source(uri)?;
        let read = self.workspace.read(&belongs).ok_or("this game is not known any more")?;
        let text = read.source(source).map(|source| source.text.clone()).unwrap_or_default();
        Ok(Document::new(uri.clone(), 0, &text))
    }

    /// The names of all games that are known in which the letters of a query stand.
    pub fn workspace_symbols(&mut self, query: &str) -> Vec<lsp::WorkspaceSymbol> {
        let mut found: Vec<lsp::WorkspaceSymbol> = Vec::new();
        for folder in self.workspace.manifests() {
            let Ok(belongs) = self.workspace.belongs(&folder.join(blazon::MANIFEST)) else { continue };
            let Some(read) = self.workspace.read(&belongs) else { continue };
            for symbol in crate::features::symbols::of_game(&read, query) {
                if !found.contains(&symbol) {
                    found.push(symbol);
                }
            }
        }
        found
    }

    /// The text of a page that lies inside the program.
    pub fn inside(&mut self, uri: &lsp::Uri) -> Option<String> {
        let name = uri.path().trim_start_matches('/').to_owned();
        let games: Vec<PathBuf> = self.workspace.games().map(|(folder, _)| folder.to_owned()).collect();
        for game in games {
            // One game may be gone, and another one have the page.
            let Ok(belongs) = self.workspace.belongs(&game.join(blazon::MANIFEST)) else { continue };
            let Some(read) = self.workspace.read(&belongs) else { continue };
            let found = read.parsed.sources.iter().find(|(id, source)| {
                *source.name == *name && matches!(read.home(*id), Some(crate::workspace::Home::Inside))
            });
            if let Some((_, source)) = found {
                return Some(source.text.to_string());
            }
        }
        None
    }
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, String> {
    serde_json::from_value(params).map_err(|error| format!("what is told is not of its form: {error}"))
}

fn file(uri: &lsp::Uri) -> Result<PathBuf, String> {
    uris::path_of(uri).ok_or_else(|| format!("`{}` is no file", uri.scheme()))
}
