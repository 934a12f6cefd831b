//! Checks whole games while nobody waits for it, and tells the editor what is wrong with them.
//!
//! The newest texts are checked once nothing was written for a moment: the game by itself, then with each variant of which
//! a page is open; after something was saved with each of the others, too. What was said of texts that have changed
//! since is thrown away.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use blazon_check::project::{Layer, ParseCache};
use blazon_diagnostics::SourceId;
use lsp_types::{Code, Diagnostic, DiagnosticSeverity, Range, Uri};

use crate::checking;
use crate::cores::DEEP;
use crate::diagnostics;
use crate::documents::Documents;
use crate::outbox::Outbox;
use crate::places::Encoding;
use crate::trying::Results;
use crate::uris;
use crate::workspace::{Read, Stack, Texts};

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Job {
    /// Each game with the stacks to be looked at, the game itself among them.
    pub games: Vec<(PathBuf, Texts, Vec<Stack>)>,
    /// The pages that belong to no game, and why.
    pub lost: BTreeMap<PathBuf, String>,
    /// What is no file yet.
    pub unsaved: BTreeSet<Uri>,
    /// What is on the screen.
    pub documents: Documents,
    /// How columns are counted.
    pub encoding: Encoding,
}

/// A thread that checks.
#[derive(Debug)]
pub struct Background {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the two threads share.
#[derive(Debug, Default)]
pub struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    job: Option<Job>,
    /// Whether what is known is to be told again, since tests have shown something.
    again: bool,
    stops: bool,
}

/// Has all that is known told again. Any thread may.
#[derive(Clone, Debug)]
pub struct Telling(Arc<Shared>);

impl Telling {
    /// Tells it again.
    pub fn again(&self) {
        self.0.state().again = true;
        self.0.wake.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether what is being checked is old.
    fn is_old(&self) -> bool {
        let state = self.state();
        state.job.is_some() || state.stops
    }
}

impl Background {
    /// Starts the thread; it waits so long after each change.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(outbox: Outbox, results: Results, pause: Duration) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let thread = std::thread::Builder::new().name("checker".to_owned()).stack_size(DEEP);
        let work = move || Checker::new(outbox, results).run(&theirs, pause);
        Ok(Self { shared, thread: Some(thread.spawn(work)?) })
    }

    /// Who has all that is known told again.
    pub fn telling(&self) -> Telling {
        Telling(self.shared.clone())
    }

    /// Checks this next; what waited is forgotten.
    pub fn check(&self, job: Job) {
        self.shared.state().job = Some(job);
        self.shared.wake.notify_all();
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.shared.state().stops = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // It has told its mistakes itself.
            let _ = thread.join();
        }
    }
}

/// What is wrong with which file, for a game with a stack.
type Found = BTreeMap<Uri, Vec<Diagnostic>>;

/// A game, by its folder, and the variants on it, by theirs: places among them are others when a folder comes or goes.
type Key = (PathBuf, Vec<String>);

struct Checker {
    outbox: Outbox,
    results: Results,
    /// What was on the screen when something was last told.
    documents: Documents,
    caches: BTreeMap<Key, ParseCache>,
    found: BTreeMap<Key, Found>,
    /// What is said of pages that belong to no game.
    of_lost: Found,
    /// What was last told of each file.
    told: BTreeMap<Uri, Told>,
}

/// What was told of a file: of which text that is open, by its opening and version, and what.
type Told = (Option<(u64, i32)>, Vec<Diagnostic>);

impl Checker {
    fn new(outbox: Outbox, results: Results) -> Self {
        Self {
            outbox,
            results,
            documents: Documents::default(),
            caches: BTreeMap::new(),
            found: BTreeMap::new(),
            of_lost: Found::new(),
            told: BTreeMap::new(),
        }
    }

    fn run(mut self, shared: &Shared, pause: Duration) {
        loop {
            let mut state = shared.state();
            while state.job.is_none() && !state.stops && !state.again {
                state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let again = std::mem::take(&mut state.again) && state.job.is_none();
            drop(state);
            if again {
                self.tell(&self.documents.clone(), &[]);
            }
            // Whoever writes goes on writing.
            let job = loop {
                let Some(job) = shared.state().job.take() else { break None };
                let state = shared.state();
                let waited =
                    shared.wake.wait_timeout_while(state, pause, |state| state.job.is_none() && !state.stops);
                let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                if state.stops {
                    return;
                }
                if timeout.timed_out() || state.job.is_none() {
                    break Some(job);
                }
            };
            if shared.state().stops {
                return;
            }
            let Some(job) = job else { continue };
            if catch_unwind(AssertUnwindSafe(|| self.job(&job, shared))).is_err() {
                self.caches.clear();
                self.outbox.log("this game cannot be checked: that is a mistake of Blazon; please report it");
            }
        }
    }

    fn job(&mut self, job: &Job, shared: &Shared) {
        let known: BTreeMap<&PathBuf, &Texts> =
            job.games.iter().map(|(folder, texts, _)| (folder, texts)).collect();
        let is_known = |(folder, variants): &Key| {
            let Some(texts) = known.get(folder) else { return false };
            // The last lies on what it needs, which its manifest may have changed since.
            let last = variants.last().map(|key| texts.place_of(key));
            last.is_none_or(|place| {
                place.is_some_and(|place| texts.keys(&texts.alone(place, &job.documents)) == *variants)
            })
        };
        self.caches.retain(|key, _| is_known(key));
        self.found.retain(|key, _| is_known(key));
        self.of_lost = of_lost(job);
        for (game, (folder, texts, stacks)) in job.games.iter().enumerate() {
            // What was found out of their pages before is of another text, until it is their turn.
            let later: Vec<PathBuf> =
                job.games.iter().skip(game + 1).map(|(folder, ..)| folder.clone()).collect();
            for (place, stack) in stacks.iter().enumerate() {
                // The first is always ended: somebody who writes without a pause still learns something.
                if place > 0 && shared.is_old() {
                    return;
                }
                self.stack(job, folder, texts, stack);
                let variants = stacks.iter().skip(place + 1).flatten();
                let variants = variants.filter_map(|&variant| texts.folder_of(variant));
                let waiting: Vec<PathBuf> = variants.chain(later.iter().cloned()).collect();
                self.tell(&job.documents, &waiting);
            }
        }
        self.tell(&job.documents, &[]);
    }

    /// Checks a game with a stack.
    fn stack(&mut self, job: &Job, folder: &Path, texts: &Texts, stack: &Stack) {
        let project = texts.project(stack, &job.documents);
        let key = (folder.to_owned(), texts.keys(stack));
        let mut cache = self.caches.remove(&key).unwrap_or_default();
        let said = checking::all(&project, texts.file_diagnostics(stack), &mut cache);
        // Trees take many megabytes: those of variants are kept only where somebody writes one.
        let is_open = |path: &std::path::Path| {
            let inside =
                stack.iter().filter_map(|&place| texts.folder_of(place)).any(|own| path.starts_with(own));
            inside || stack.is_empty()
        };
        if job.documents.iter().any(|(path, _)| is_open(path)) {
            self.caches.insert(key.clone(), cache);
        }
        let manifest = match stack.last().and_then(|&place| texts.folder_of(place)) {
            Some(variant) => variant.join(blazon::MANIFEST),
            None => folder.join(blazon::MANIFEST),
        };
        let Some(fallback) = uris::uri_of(&manifest) else { return };
        let read = Read::new(said.parsed, &texts.ground, job.encoding);
        let mut found = diagnostics::by_file(&said.diagnostics, &read, &fallback);
        if let Some((name, sources)) = &said.map
            && let Some(uri) = uris::uri_of(&texts.ground.root.join(name))
        {
            let source = sources.get(SourceId(0));
            let shown = said.about_map.iter().map(|diagnostic| {
                let span = diagnostic.span.unwrap_or_default();
                diagnostics::shown(diagnostic, job.encoding.range(source, span), &read)
            });
            found.entry(uri).or_default().extend(shown);
        }
        if !stack.is_empty() {
            self.only_with_the_variant(folder, &fallback, &read, &mut found);
        }
        self.found.insert(key, found);
    }

    /// Of what is said of the game's own pages with a variant leaves what is not said without, and says so.
    fn only_with_the_variant(&self, folder: &Path, fallback: &Uri, read: &Read, found: &mut Found) {
        let Some(alone) = self.found.get(&(folder.to_owned(), Vec::new())) else { return };
        let names: Vec<String> =
            read.parsed.variants.iter().map(|variant| format!("`{}`", variant.name)).collect();
        let sources = read.parsed.sources.iter().map(|(id, _)| id);
        let others = sources.filter(|id| !matches!(read.layer(*id), Some(Layer::Variant(_))));
        let others: BTreeSet<Uri> = others.filter_map(|id| read.uri(id)).collect();
        // What has no place in any file is said of the game already.
        let manifest = |folder: &Path| uris::uri_of(&folder.join(blazon::MANIFEST));
        let of_game = manifest(folder).and_then(|uri| alone.get(&uri)).map(Vec::as_slice).unwrap_or_default();
        if let Some(said) = found.get_mut(fallback) {
            said.retain(|one| one.range != Range::default() || !of_game.contains(one));
        }
        for (uri, said) in found.iter_mut().filter(|(uri, _)| others.contains(uri)) {
            let known = alone.get(uri).map(Vec::as_slice).unwrap_or_default();
            said.retain(|one| !known.contains(one));
            for one in said {
                if let lsp_types::Message::String(words) = &mut one.message {
                    *words += &format!("\nThis is so with the variant {}.", names.join(", "));
                }
            }
        }
    }

    /// Tells the editor what is new; of what is open in some folders later.
    fn tell(&mut self, documents: &Documents, waiting: &[PathBuf]) {
        let mut all = Found::new();
        // Of what is open under the editor's own address: it may write letters in it that the server does not, and what is
        // said under one address takes back what was said under the other.
        let open_as = |uri: &Uri| {
            let open = uris::path_of(uri).and_then(|path| documents.get(&path));
            open.map_or_else(|| uri.clone(), |open| open.uri.clone())
        };
        for found in self.found.values().chain([&self.of_lost]) {
            for (uri, said) in found {
                let known = all.entry(open_as(uri)).or_default();
                for one in said {
                    if !known.contains(one) {
                        known.push(one.clone());
                    }
                }
            }
        }
        let has = |uri: &Uri, text: &str| {
            let open =
                uris::path_of(uri).and_then(|path| documents.get(&path).map(|open| *open.text() == *text));
            open.unwrap_or(true)
        };
        for (uri, shown) in self.results.told(has) {
            all.entry(open_as(&uri)).or_default().extend(shown);
        }
        for (_, document) in documents.iter() {
            all.entry(document.uri.clone()).or_default();
        }
        for uri in self.told.keys() {
            all.entry(uri.clone()).or_default();
        }
        let mut told = std::mem::take(&mut self.told);
        for (uri, said) in all {
            let path = uris::path_of(&uri);
            let open = path.as_ref().and_then(|path| documents.get(path));
            let waits = path.iter().any(|path| waiting.iter().any(|folder| path.starts_with(folder)));
            if open.is_some() && waits {
                let before = told.remove(&uri);
                self.told.extend(before.map(|before| (uri, before)));
                continue;
            }
            let version = open.map(|open| open.version);
            let now = (open.map(|open| (open.opening, open.version)), said);
            if told.remove(&uri).unwrap_or_default() != now {
                self.outbox.publish(uri.clone(), version, now.1.clone());
            }
            // Of what is closed, nothing is what is said until something is.
            if now != Told::default() {
                self.told.insert(uri, now);
            }
        }
        self.documents = documents.clone();
    }
}

/// What is said of pages that belong to no game: that, and why.
fn of_lost(job: &Job) -> Found {
    let said = |severity, message: &str| Diagnostic {
        severity: Some(severity),
        code: Some(Code::String("files::missing".to_owned())),
        source: Some(diagnostics::SOURCE.to_owned()),
        message: lsp_types::Message::String(blazon_diagnostics::harmless(message)),
        ..Diagnostic::default()
    };
    let lost = job.lost.iter().filter_map(|(path, why)| {
        let open = job.documents.get(path)?;
        Some((open.uri.clone(), vec![said(DiagnosticSeverity::Error, why)]))
    });
    // A page inside the program is no page to be saved.
    let unsaved = job.unsaved.iter().filter(|uri| uri.scheme() != uris::INSIDE).map(|uri| {
        let why = "this page is checked once it is saved in the folder of a game";
        (uri.clone(), vec![said(DiagnosticSeverity::Information, why)])
    });
    lost.chain(unsaved).collect()
}
