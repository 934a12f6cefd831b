//! What the grammar engine would have taken where it stopped, as a sentence.

use blazon_grammar::Rule;

use crate::keywords::class;
use crate::messages::rule_names::{Description, Group, describe};

/// What the engine would have taken, each once.
pub(super) struct Expected {
    all: Vec<Description>,
    groups: Vec<Group>,
}

impl Expected {
    pub(super) fn new(positives: &[Rule]) -> Self {
        let mut expected = Expected { all: Vec::new(), groups: Vec::new() };
        for description in positives.iter().copied().filter_map(describe) {
            if !expected.groups.contains(&description.group) {
                expected.groups.push(description.group);
            }
            if !expected.expects(description.words) {
                expected.all.push(description);
            }
        }
        let strong = |group: &Group| !matches!(group, Group::More);
        if expected.groups.iter().any(strong) {
            let weak: Vec<&str> = positives
                .iter()
                .filter_map(|&r| describe(r))
                .filter(|d| d.group == Group::More)
                .map(|d| d.words)
                .collect();
            expected.all.retain(|description| !weak.contains(&description.words));
        }
        expected
    }

    pub(super) fn has(&self, group: Group) -> bool {
        self.groups.contains(&group)
    }

    pub(super) fn expects(&self, words: &str) -> bool {
        self.all.iter().any(|description| description.words == words)
    }

    /// Whether nothing else was expected.
    pub(super) fn only(&self, words: &str) -> bool {
        self.all.len() == 1 && self.expects(words)
    }

    pub(super) fn keywords(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().filter_map(|description| description.keyword).map(|keyword| keyword.word)
    }

    /// "`option` or `}`": long lists of keywords become what they begin, and what ends something comes last.
    pub(super) fn sentence(&self) -> String {
        let mut all = self.all.clone();
        for category in &CATEGORIES {
            let opened = category.needs.is_none_or(|words| all.iter().any(|d| d.words == words));
            if opened && all.iter().filter(|description| category.holds(description)).count() >= 4 {
                all.retain(|description| {
                    !category.holds(description) && description.words != category.phrase
                });
                all.insert(0, Description { words: category.phrase, group: Group::Other, keyword: None });
            }
        }
        const CLOSERS: [&str; 4] = ["`}`", "`)`", "`]`", "the end of the line"];
        let mut words: Vec<&str> = all.iter().map(|description| description.words).collect();
        words.sort_by_key(|word| {
            CLOSERS.iter().position(|closer| closer == word).map_or(0, |place| place + 1)
        });
        match words.as_slice() {
            [] => "something else".to_owned(),
            [one] => (*one).to_owned(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }
}

/// The steps, options and cases that can be opened.
const OPENED: &str = "`step`, `option`";

/// What keywords begin that are too many to list.
struct Category {
    /// Its keywords.
    class: u16,
    /// What else counts among them.
    others: &'static [&'static str],
    /// What must be expected, too.
    needs: Option<&'static str>,
    /// What is said instead.
    phrase: &'static str,
}

impl Category {
    fn holds(&self, description: &Description) -> bool {
        self.others.contains(&description.words)
            || description.keyword.is_some_and(|keyword| keyword.is(self.class))
    }
}

const CATEGORIES: [Category; 5] = [
    Category {
        class: class::OPENED,
        others: &[OPENED],
        needs: Some(OPENED),
        phrase: "what is opened (`rule`, `step`, `option` …)",
    },
    Category {
        class: class::TEST_LINE,
        others: &["a thing"],
        needs: None,
        phrase: "a line of a test (`Red: …`, `expect` …)",
    },
    Category {
        class: class::DECLARATION,
        others: &[],
        needs: None,
        phrase: "a declaration (`rule`, `step` …)",
    },
    Category {
        class: class::CHANGE,
        others: &["a change"],
        needs: None,
        phrase: "a change (`in`, `replace` …)",
    },
    Category { class: class::STATEMENT, others: &["a value", "a thing"], needs: None, phrase: "a statement" },
];
