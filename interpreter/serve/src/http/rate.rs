//! How often somebody may ask, or make a table: a bucket for each browser that has a seat here, and for each address of the
//! others.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::hall::Rate;

/// So many are remembered; then all that are full again are forgotten, and if none is, every other one.
const REMEMBERED: usize = 10_000;

/// How often somebody may ask.
#[derive(Default)]
pub struct Rates {
    buckets: Mutex<BTreeMap<Asker, Bucket>>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Asker {
    Browser(String),
    Address(IpAddr),
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    /// Whether somebody may do it once more.
    pub fn allows(&self, browser: Option<&str>, address: IpAddr, rate: Rate) -> bool {
        let asker = match browser {
            Some(browser) => Asker::Browser(browser.to_owned()),
            None => Asker::Address(address),
        };
        let (each, most) = (f64::from(rate.a_minute) / 60.0, f64::from(rate.at_once));
        let now = Instant::now();
        let refilled =
            |bucket: &Bucket| (bucket.left + now.duration_since(bucket.at).as_secs_f64() * each).min(most);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= REMEMBERED {
            buckets.retain(|_, bucket| refilled(bucket) < most);
        }
        if buckets.len() >= REMEMBERED {
            let mut stays = false;
            buckets.retain(|_, _| {
                stays = !stays;
                stays
            });
        }
        let bucket = buckets.entry(asker).or_insert(Bucket { left: most, at: now });
        (bucket.left, bucket.at) = (refilled(bucket), now);
        let allowed = bucket.left >= 1.0;
        if allowed {
            bucket.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: Rate = Rate { a_minute: 0, at_once: 5 };

    #[test]
    fn a_bucket_empties_and_others_have_their_own() {
        let rates = Rates::default();
        let (one, two) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        assert!((0..5).all(|_| rates.allows(None, one, FIVE)));
        assert!(!rates.allows(None, one, FIVE));
        assert!(rates.allows(None, two, FIVE) && rates.allows(Some("b"), one, FIVE));
    }

    #[test]
    fn no_more_are_remembered_than_there_is_room_for() {
        let rates = Rates::default();
        for number in 0..3 * REMEMBERED as u32 {
            rates.allows(None, IpAddr::V4(number.into()), FIVE);
        }
        assert!(rates.buckets.lock().unwrap().len() <= REMEMBERED);
    }
}
