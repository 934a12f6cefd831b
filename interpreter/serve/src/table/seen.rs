//! What a seat has been shown: its picture in pieces, each with the version at which it last changed, so that a page
//! gets what is new to it and nothing else.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use crate::draw::{Decision, Fragment, Picks};
use crate::problem::Problem;

/// How many versions back a page is told only what changed.
const BACK: usize = 64;

/// What a seat sees at a moment.
pub struct Now {
    /// The pieces of its picture.
    pub fragments: Vec<Fragment>,
    /// What is asked, without its number; none when the game is over.
    pub decision: Option<Decision>,
    /// What its options mean.
    pub picks: Picks,
    /// The lines of the log that it may read, by number.
    pub lines: Vec<u32>,
    /// The rest.
    pub rest: Rest,
}

/// What changes with almost everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// How the game ended, in words.
    pub over: Option<String>,
    /// By which paragraphs, with their titles.
    pub by: Vec<(String, String)>,
    /// Whether this seat may take something back.
    pub undo: bool,
    /// How many choices there have been.
    pub choices: usize,
    /// The page's title.
    pub title: String,
}

/// What a seat has been shown.
pub struct Seen {
    /// Grows when something changed for this seat.
    pub version: u64,
    /// The version at which its decision last changed: an answer to another one is stale.
    pub number: u64,
    /// What its options mean.
    pub picks: Picks,
    /// What was done at the table when this was looked at.
    pub at: u64,
    /// Before this version everything is told anew.
    floor: u64,
    parts: BTreeMap<(&'static str, String), Part>,
    decision: Option<Decision>,
    lines: Vec<u32>,
    /// The versions at which the log changed, and how many lines stayed.
    cuts: VecDeque<(u64, usize)>,
    rest: Rest,
}

struct Part {
    /// Empty: it is gone.
    html: Box<str>,
    changed: u64,
    /// Its place in the picture.
    place: u32,
}

/// What a page is told.
#[derive(Serialize)]
struct Update<'a> {
    #[serde(flatten)]
    refused: Option<Refused<'a>>,
    version: u64,
    whole: bool,
    fragments: Vec<(&'a str, &'a str, &'a str)>,
    log: Log<'a>,
    over: Option<&'a str>,
    by: &'a [(String, String)],
    undo: bool,
    choices: usize,
    title: &'a str,
    decision: Option<&'a Decision>,
}

/// Why what a page wanted was not done.
#[derive(Serialize)]
struct Refused<'a> {
    error: &'a str,
    code: &'a str,
}

#[derive(Serialize)]
struct Log<'a> {
    from: usize,
    lines: Vec<&'a str>,
}

impl Seen {
    /// What is shown first.
    pub fn new(version: u64, at: u64, now: Now) -> Self {
        let Now { fragments, decision, picks, lines, rest } = now;
        let part = |(place, Fragment { layer, id, html }): (usize, Fragment)| {
            ((layer, id), Part { html: html.into_boxed_str(), changed: version, place: place as u32 })
        };
        Self {
            version,
            number: version,
            picks,
            at,
            floor: version,
            parts: fragments.into_iter().enumerate().map(part).collect(),
            decision: decision.map(|decision| Decision { number: version, ..decision }),
            lines,
            cuts: VecDeque::new(),
            rest,
        }
    }

    /// Takes over what is to be seen now; answers whether it is something else than before.
    pub fn look(&mut self, at: u64, now: Now) -> bool {
        let next = self.version + 1;
        let mut changed = self.take_parts(next, now.fragments);
        if self.lines != now.lines {
            let same = self.lines.iter().zip(&now.lines).take_while(|(a, b)| a == b).count();
            self.cuts.push_back((next, same));
            self.lines = now.lines;
            changed = true;
        }
        let is_same = match (&self.decision, &now.decision) {
            (Some(before), Some(now)) => asks_the_same(before, now),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_same {
            self.number = next;
        }
        let decision = now.decision.map(|decision| Decision { number: self.number, ..decision });
        changed |= self.decision != decision;
        self.decision = decision;
        changed |= self.rest != now.rest;
        (self.rest, self.picks, self.at) = (now.rest, now.picks, at);
        if changed {
            self.version = next;
            self.forget_oldest();
        }
        changed
    }

    fn take_parts(&mut self, next: u64, fragments: Vec<Fragment>) -> bool {
        let mut changed = false;
        let mut before = std::mem::take(&mut self.parts);
        for (place, Fragment { layer, id, html }) in fragments.into_iter().enumerate() {
            let (key, place) = ((layer, id), place as u32);
            let part = match before.remove(&key) {
                Some(part) if *part.html == *html => Part { place, ..part },
                _ => {
                    changed = true;
                    Part { html: html.into_boxed_str(), changed: next, place }
                }
            };
            self.parts.insert(key, part);
        }
        for (key, part) in before {
            // What is gone is told as long as there are pages that may still have it.
            let was_gone = part.html.is_empty();
            if was_gone && part.changed < self.floor {
                continue;
            }
            changed |= !was_gone;
            let since = if was_gone { part.changed } else { next };
            self.parts.insert(key, Part { html: Box::default(), changed: since, place: 0 });
        }
        changed
    }

    fn forget_oldest(&mut self) {
        self.floor = self.floor.max(self.version.saturating_sub(BACK as u64));
        while self.cuts.front().is_some_and(|(version, _)| *version <= self.floor) {
            self.cuts.pop_front();
        }
    }

    /// What a page is told that has seen a version, as JSON, and why what it wanted was not done, if so; `line` knows the
    /// lines by number.
    pub fn update<'a>(
        &'a self,
        since: u64,
        refused: Option<&Problem>,
        line: impl Fn(u32) -> &'a str,
    ) -> Result<String, Problem> {
        let whole = since < self.floor || since > self.version;
        let since = if whole { 0 } else { since };
        let news = |part: &Part| part.changed > since && !(whole && part.html.is_empty());
        let cuts = self.cuts.iter().filter(|(version, _)| *version > since).map(|(_, same)| *same);
        let from = if whole { 0 } else { cuts.min().unwrap_or(self.lines.len()) };
        let update = Update {
            refused: refused.map(|problem| Refused { error: &problem.text, code: problem.code }),
            version: self.version,
            whole,
            fragments: self.in_order(news),
            log: Log { from, lines: self.lines[from..].iter().map(|&number| line(number)).collect() },
            over: self.rest.over.as_deref(),
            by: &self.rest.by,
            undo: self.rest.undo,
            choices: self.rest.choices,
            title: &self.rest.title,
            decision: self.decision.as_ref(),
        };
        serde_json::to_string(&update).map_err(|error| Problem::internal(error.to_string()))
    }

    /// Whether this seat may take something back.
    pub fn may_undo(&self) -> bool {
        self.rest.undo
    }

    /// The pieces of the picture as they are now: layer, id, markup.
    pub fn pieces(&self) -> Vec<(&str, &str, &str)> {
        self.in_order(|part| !part.html.is_empty())
    }

    /// Some pieces of the picture in the order in which they were drawn.
    fn in_order(&self, wanted: impl Fn(&Part) -> bool) -> Vec<(&str, &str, &str)> {
        let mut parts: Vec<_> = self.parts.iter().filter(|(_, part)| wanted(part)).collect();
        parts.sort_by_key(|(_, part)| part.place);
        parts.into_iter().map(|((layer, id), part)| (*layer, id.as_str(), &*part.html)).collect()
    }

    /// About how many bytes it takes.
    #[cfg(test)]
    pub fn memory(&self) -> usize {
        let parts =
            self.parts.iter().map(|((layer, id), part)| layer.len() + id.len() + part.html.len() + 96);
        // Its texts, each with what holds it.
        let decision = serde_json::to_string(&self.decision).map_or(0, |text| 2 * text.len());
        parts.sum::<usize>() + decision + 4 * self.lines.capacity() + self.picks.memory()
    }
}

/// Whether a seat is asked the same as before. Where it is to decide itself, it is, whoever else has chosen meanwhile: its
/// answer is not stale for that.
fn asks_the_same(before: &Decision, now: &Decision) -> bool {
    // One by one: whoever adds to what is asked says here whether an answer is stale by it.
    let Decision {
        seat,
        deciders,
        yours,
        number: _,
        badge,
        prompt,
        paragraphs,
        verbs,
        options,
        names,
        groups,
    } = before;
    (*yours && now.yours || *deciders == now.deciders)
        && (yours, seat, badge, prompt) == (&now.yours, &now.seat, &now.badge, &now.prompt)
        && (paragraphs, verbs, options) == (&now.paragraphs, &now.verbs, &now.options)
        && (names, groups) == (&now.names, &now.groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(parts: &[(&str, &str)], decision: &str, lines: &[u32]) -> Now {
        let fragment = |(id, html): &(&str, &str)| Fragment {
            layer: "pieces",
            id: (*id).to_owned(),
            html: (*html).to_owned(),
        };
        Now {
            fragments: parts.iter().map(fragment).collect(),
            decision: Some(Decision { prompt: decision.to_owned(), ..Decision::default() }),
            picks: Picks::default(),
            lines: lines.to_vec(),
            rest: Rest::default(),
        }
    }

    fn told(seen: &Seen, since: u64) -> serde_json::Value {
        let lines = ["a", "b", "c", "d"];
        let text = seen.update(since, None, |line| lines[line as usize]).expect("JSON");
        serde_json::from_str(&text).expect("JSON")
    }

    #[test]
    fn a_page_is_told_what_is_new_to_it() {
        let mut seen = Seen::new(10, 0, now(&[("x", "one"), ("y", "two")], "go", &[0]));
        assert!(!seen.look(1, now(&[("x", "one"), ("y", "two")], "go", &[0])), "nothing is new");
        assert_eq!((seen.version, seen.number), (10, 10));
        assert!(seen.look(2, now(&[("x", "one"), ("z", "three")], "go", &[0, 1])));
        assert_eq!((seen.version, seen.number), (11, 10), "the same is asked");
        let news = told(&seen, 10);
        assert_eq!(news["fragments"], serde_json::json!([["pieces", "y", ""], ["pieces", "z", "three"]]));
        assert_eq!(news["log"], serde_json::json!({"from": 1, "lines": ["b"]}));
        assert_eq!((&news["whole"], &news["decision"]["number"]), (&false.into(), &10.into()));
        assert_eq!(told(&seen, 11)["fragments"], serde_json::json!([]));
        assert_eq!(told(&seen, 11)["log"], serde_json::json!({"from": 2, "lines": []}));
        for strange in [0, 9, 12] {
            let whole = told(&seen, strange);
            assert_eq!(whole["whole"], true);
            assert_eq!(
                whole["fragments"],
                serde_json::json!([["pieces", "x", "one"], ["pieces", "z", "three"]])
            );
            assert_eq!(whole["log"]["lines"], serde_json::json!(["a", "b"]));
        }
    }

    #[test]
    fn an_answer_is_not_stale_because_others_have_chosen() {
        let asked = |deciders: &[&str], yours: bool, prompt: &str| {
            let deciders = deciders.iter().map(|&name| name.to_owned()).collect();
            let decision = Decision { deciders, yours, prompt: prompt.to_owned(), ..Decision::default() };
            Now { decision: Some(decision), ..now(&[], "", &[]) }
        };
        let mut seen = Seen::new(1, 0, asked(&["A", "B"], true, "which?"));
        assert!(seen.look(1, asked(&["A"], true, "which?")), "the page is told who has chosen");
        assert_eq!((seen.version, seen.number), (2, 1));
        assert_eq!(told(&seen, 1)["decision"]["deciders"], serde_json::json!(["A"]));
        assert!(seen.look(2, asked(&["A"], true, "where?")));
        assert_eq!((seen.version, seen.number), (3, 3));
        seen.look(3, asked(&["B", "C"], false, "where?"));
        seen.look(4, asked(&["C"], false, "where?"));
        assert_eq!((seen.version, seen.number), (5, 5), "who waits is shown anew for whom");
    }

    #[test]
    fn a_log_that_was_cut_and_grew_is_told_from_where_it_differs() {
        let mut seen = Seen::new(1, 0, now(&[], "one", &[0, 1, 2]));
        seen.look(1, now(&[], "two", &[0]));
        assert_eq!(seen.number, 2);
        seen.look(2, now(&[], "three", &[0, 3]));
        assert_eq!(told(&seen, 1)["log"], serde_json::json!({"from": 1, "lines": ["d"]}));
        assert_eq!(told(&seen, 2)["log"], serde_json::json!({"from": 1, "lines": ["d"]}));
    }

    #[test]
    fn what_is_long_ago_is_told_as_a_whole() {
        let mut seen = Seen::new(1, 0, now(&[("x", "0")], "go", &[]));
        for turn in 0..200u64 {
            seen.look(turn, now(&[(if turn == 3 { "y" } else { "x" }, &turn.to_string())], "go", &[]));
        }
        assert_eq!(told(&seen, 5)["whole"], true);
        assert_eq!(told(&seen, seen.version - 3)["whole"], false);
        assert_eq!(seen.parts.len(), 1, "what has been gone for long is forgotten");
    }
}
