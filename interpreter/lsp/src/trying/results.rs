//! What the last tests have shown, until the texts that they stand in change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lsp_types::{Diagnostic, Range, Uri};

/// What was found out about a page.
#[derive(Clone, Debug, Default)]
pub struct OfPage {
    /// The page as it was then: what is found is forgotten when it is another.
    pub text: Arc<str>,
    /// Tests by name: whether each passed.
    pub tests: BTreeMap<String, bool>,
    /// Lines of tests that failed.
    pub failures: BTreeMap<String, Vec<Diagnostic>>,
    /// What never came up: where, and in words.
    pub never: Vec<(Range, String)>,
    /// How often what stands there came up.
    pub counts: Vec<(Range, u64)>,
    /// Whether it was counted what comes up.
    pub is_counted: bool,
}

/// What was found out, by page. Shared between threads.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pages: Arc<Mutex<BTreeMap<Uri, OfPage>>>,
}

impl Results {
    fn pages(&self) -> MutexGuard<'_, BTreeMap<Uri, OfPage>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was found out about a page, if it still has that text.
    pub fn of(&self, uri: &Uri, text: &str) -> Option<OfPage> {
        self.pages().get(uri).filter(|page| *page.text == *text).cloned()
    }

    /// Notes something about a page; what was known of another text of it is forgotten.
    pub fn note(&self, uri: &Uri, text: &Arc<str>, note: impl FnOnce(&mut OfPage)) {
        let mut pages = self.pages();
        let page = pages.entry(uri.clone()).or_default();
        if page.text != *text {
            *page = OfPage { text: text.clone(), ..OfPage::default() };
        }
        note(page);
    }

    /// The failures and gaps of all pages that have a text still, as messages.
    pub fn told(&self, has: impl Fn(&Uri, &str) -> bool) -> BTreeMap<Uri, Vec<Diagnostic>> {
        let pages = self.pages();
        let now = pages.iter().filter(|(uri, page)| has(uri, &page.text));
        let told = |page: &OfPage| {
            let failures = page.failures.values().flatten().cloned();
            failures.chain(super::never(page)).collect()
        };
        now.map(|(uri, page)| (uri.clone(), told(page))).collect()
    }
}
