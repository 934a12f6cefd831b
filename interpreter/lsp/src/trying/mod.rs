//! Trying out: tests run from the editor, in a thread of their own, and what they have shown.

mod results;
mod run;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use blazon::testing::Written;
use blazon::{Reading, Settings};
use blazon_check::project::Project;
use blazon_diagnostics::Diagnostic;
use blazon_program::coverage::{Site, What};
use lsp_types::{DiagnosticSeverity, MessageType, Uri};

use crate::background::Telling;
use crate::cores::DEEP;
use crate::diagnostics::shown;
use crate::outbox::Outbox;
use crate::places::Encoding;
use crate::workspace::{Ground, Read};

pub use results::{OfPage, Results};
pub use run::{Outcome, run};

/// The command that runs one test: the page and the test's name.
pub const TEST: &str = "blazon.test";
/// The command that runs all tests of a game or variant, and counts what comes up: a page of it.
pub const TEST_ALL: &str = "blazon.testAll";
/// The command that shows a sentence.
pub const SAY: &str = "blazon.say";
/// How many gaps of a page are told as messages.
const MOST: usize = 200;

/// What is to be tried.
#[derive(Debug)]
pub struct Trial {
    /// The game with its variants.
    pub project: Project,
    /// What is wrong with its files.
    pub files: Vec<Diagnostic>,
    /// What names count from.
    pub ground: Ground,
    /// How columns are counted.
    pub encoding: Encoding,
    /// The page and the name of the one test that is wanted; all, if none.
    pub only: Option<(PathBuf, String)>,
}

/// Where what was found out goes.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was found out before.
    pub results: Results,
    /// What the editor is told.
    pub outbox: Outbox,
    /// Who tells what is wrong with files.
    pub telling: Telling,
    /// Whether the editor can be asked to look at lenses again.
    pub refreshes: bool,
}

/// Tries it while nobody waits.
///
/// # Errors
/// If no thread can be started.
pub fn start(trial: Trial, found: Found) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("tests".to_owned()).stack_size(DEEP);
    thread.spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().stack_size(DEEP).build();
        let all = || match &pool {
            Ok(pool) => pool.install(|| found.all(&trial)),
            Err(_) => found.all(&trial),
        };
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(all));
        if tried.is_err() {
            found.outbox.show(
                MessageType::Error,
                "the tests failed to run: that is a mistake of Blazon; please report it",
            );
        }
    })?;
    Ok(())
}

impl Found {
    fn all(&self, trial: &Trial) {
        let reading = Reading::of(&trial.project, trial.files.clone());
        let Some(parsed) = reading.parsed.clone() else {
            self.outbox.show(MessageType::Error, "no test was run: the manifest cannot be read");
            return;
        };
        let read = Read::new(parsed, &trial.ground, trial.encoding);
        let wanted = |test: &Written| match &trial.only {
            Some((path, name)) => test.name == *name && read.source_of(path) == Some(test.span.source),
            None => true,
        };
        let settings = Settings { coverage: trial.only.is_none(), ..Settings::default() };
        let outcome = run(&reading, wanted, &settings);
        if let Some(first) = outcome.failed.first() {
            let place = first.span.map(|span| format!(" ({})", read.place(span))).unwrap_or_default();
            self.outbox.show(
                MessageType::Error,
                format!("no test was run: mend the errors first: {}{place}", first.message),
            );
            return;
        }
        self.note(&read, &outcome.tried);
        if trial.only.is_none() {
            self.count(&read, &outcome.counts);
        }
        self.say(&outcome.tried, trial.only.is_some());
        self.telling.again();
        if self.refreshes {
            self.outbox.refresh("workspace/codeLens/refresh");
        }
    }

    /// Notes which tests passed, and what is wrong with the others.
    fn note(&self, read: &Read, tried: &[run::Tried]) {
        for run::Tried { span, name, failures } in tried {
            let Some((uri, source)) = read.uri(span.source).zip(read.source(span.source)) else { continue };
            let failures: Vec<_> = failures
                .iter()
                .map(|failure| shown(failure, read.range(failure.span.unwrap_or(*span)), read))
                .collect();
            self.results.note(&uri, &source.text, |page| {
                page.tests.insert(name.clone(), failures.is_empty());
                page.failures.insert(name.clone(), failures);
            });
        }
    }

    /// Notes what came up how often.
    fn count(&self, read: &Read, counts: &BTreeMap<Site, [u64; 2]>) {
        let mut pages: BTreeMap<Uri, (Arc<str>, OfPage)> = BTreeMap::new();
        for (site, counted) in counts {
            let Some((uri, source)) = read.uri(site.span.source).zip(read.source(site.span.source)) else {
                continue;
            };
            let (_, page) = pages.entry(uri).or_insert_with(|| (source.text.clone(), OfPage::default()));
            let range = read.range(site.span);
            if matches!(site.what, What::Step | What::Rule | What::Taken) {
                page.counts.push((range, counted[0]));
            }
            // What a step that was never done holds was never reached either: the step says it.
            let is_outer = !matches!(site.what, What::Line | What::Open);
            if let Some(said) = site.what.gap(*counted).filter(|said| is_outer && said.contains("never")) {
                let words = (range, format!("{} in the last tests", site.told(said)));
                if !page.never.contains(&words) {
                    page.never.push(words);
                }
            }
        }
        for (uri, (text, counted)) in pages {
            self.results.note(&uri, &text, |page| {
                page.is_counted = true;
                page.counts = counted.counts;
                page.never = counted.never;
                page.never.truncate(MOST);
            });
        }
    }

    fn say(&self, tried: &[run::Tried], is_one: bool) {
        let failed: Vec<&run::Tried> = tried.iter().filter(|tried| !tried.failures.is_empty()).collect();
        let (kind, message) = match (tried, failed.as_slice()) {
            ([], _) => (MessageType::Warning, "there is no such test".to_owned()),
            ([one], []) if is_one => (MessageType::Info, format!("passed: {}", one.name)),
            (all, []) => (MessageType::Info, format!("{} passed, 0 failed", all.len())),
            ([one], [_]) if is_one => {
                let first = one.failures.first().map(|failure| failure.message.clone()).unwrap_or_default();
                (MessageType::Error, format!("FAILED: {}\n{first}", one.name))
            }
            (all, [first, ..]) => {
                let passed = all.len() - failed.len();
                let (count, name) = (failed.len(), &first.name);
                (MessageType::Error, format!("{passed} passed, {count} failed; the first: {name}"))
            }
        };
        self.outbox.show(kind, message);
    }
}

/// What never came up in a page, as messages.
pub fn never(page: &OfPage) -> Vec<lsp_types::Diagnostic> {
    let message = |(range, words): &(lsp_types::Range, String)| lsp_types::Diagnostic {
        range: *range,
        severity: Some(DiagnosticSeverity::Information),
        code: Some(lsp_types::Code::String("tests::never".to_owned())),
        source: Some(crate::diagnostics::SOURCE.to_owned()),
        message: lsp_types::Message::String(words.clone()),
        ..lsp_types::Diagnostic::default()
    };
    page.never.iter().map(message).collect()
}
