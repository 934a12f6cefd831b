//! Which browsers have something at some table. Every request asks, and changes are few: so it is written down, and not
//! looked for at all tables.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::keep::Facts;

/// The browsers that have something at some table, by their hashes.
#[derive(Clone, Default)]
pub struct Browsers(Arc<RwLock<HashMap<String, usize>>>);

impl Browsers {
    /// Whether a browser has something at some table.
    pub fn know(&self, browser: &str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(browser)
    }

    /// A table has other browsers than before; it had none if it is new.
    pub fn change(&self, before: Option<&Facts>, after: &Facts) {
        let before = before.map(Facts::browsers).unwrap_or_default();
        let after = after.browsers();
        if before == after {
            return;
        }
        let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for &browser in after.difference(&before) {
            *tables.entry(browser.to_owned()).or_default() += 1;
        }
        for &browser in before.difference(&after) {
            if let Some(count) = tables.get_mut(browser) {
                *count -= 1;
                if *count == 0 {
                    tables.remove(browser);
                }
            }
        }
    }
}
