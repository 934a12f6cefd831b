//! Near misses for unknown names, and lists of names in a sentence.

use std::cell::Cell;

/// How far a guess may go.
#[derive(Clone, Copy)]
struct Policy {
    /// What is longer is not worth a comparison.
    longest: usize,
    /// How many slips are allowed in a name of so many letters.
    slips: fn(usize) -> usize,
    /// Whether a candidate that is the name itself is an answer.
    itself: bool,
}

/// The candidate that was probably meant by `name`, if one is close enough.
///
/// A letter too many, too few, wrong, or two letters swapped count as one slip; one is allowed in a short name, and
/// one for every three letters in a longer one, up to four. Capitals count only between equals, and the words of a
/// name may stand in another order. A name that is the beginning of exactly one candidate, up to a whole word, is
/// taken as cut short. Among equals the first candidate wins, so the answer does not depend on chance.
pub fn near_miss<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = |letters| match letters {
        0 | 1 => 0,
        2..=5 => 1,
        _ => (letters / 3).min(4),
    };
    closest(name, candidates, Policy { longest: 80, slips, itself: false })
}

/// Guesses at names, as long as they do not take too long.
///
/// A page with thousands of mistakes beside thousands of names would be compared name by name for minutes, and nobody
/// reads so many guesses. After so many comparisons nothing is guessed any more. The answers depend on the pages alone.
#[derive(Clone, Debug)]
pub struct Guesses {
    left: Cell<usize>,
}

impl Default for Guesses {
    fn default() -> Self {
        Self { left: Cell::new(1_000_000) }
    }
}

impl Guesses {
    /// Whether nothing is guessed any more: then the names need not be gathered either.
    pub fn are_over(&self) -> bool {
        self.left.get() == 0
    }

    /// As [`near_miss`].
    pub fn near_miss<'a>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.are_over() {
            return None;
        }
        let counted = candidates.into_iter().inspect(|_| self.left.set(self.left.get().saturating_sub(1)));
        near_miss(name, counted)
    }
}

/// The keyword that was probably meant by `word`, if one is close enough. Keywords are short and look alike, so fewer
/// slips are allowed in them than in a name. A keyword itself may stand where it is not expected, perhaps with a
/// capital: then it is the answer.
pub fn near_keyword<'a>(word: &str, keywords: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = |letters| match letters {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    closest(&word.to_lowercase(), keywords, Policy { longest: 20, slips, itself: true })
}

/// How many slips lie between two words: a letter too many, too few or wrong, or two letters swapped, is one.
pub fn slips_between(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// What is said of a near miss.
pub fn did_you_mean(near: impl AsRef<str>) -> String {
    format!("did you mean `{}`?", near.as_ref())
}

fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, policy: Policy) -> Option<&'a str> {
    let letters = name.chars().count();
    if letters == 0 || letters > policy.longest {
        return None;
    }
    let allowed = (policy.slips)(letters);
    let small = name.to_lowercase();
    let ordered = in_order(&small);
    let blanks = small.contains(' ');
    let wanted = letters_of(&small);
    let mut best: Option<((usize, usize), &str)> = None;
    let mut longer: Option<&str> = None;
    let mut several = false;

    for candidate in candidates {
        let length = candidate.chars().count();
        if candidate == name && !policy.itself || length > policy.longest {
            continue;
        }
        let other = candidate.to_lowercase();
        if letters > 2
            && other.strip_prefix(small.as_str()).is_some_and(|rest| rest.starts_with([' ', '(', '-']))
        {
            several |= longer.is_some_and(|known| known != candidate);
            longer = longer.or(Some(candidate));
        }
        if length.abs_diff(letters) > allowed {
            continue;
        }
        // A book may have many thousands of names: most have other letters, and need no closer look.
        if apart(&wanted, &letters_of(&other)) > allowed {
            continue;
        }
        // Swapped words are one slip.
        let slips = strsim::osa_distance(&small, &other);
        let swapped = if blanks { 1 + strsim::osa_distance(&ordered, &in_order(&other)) } else { usize::MAX };
        let rank = (slips.min(swapped), strsim::osa_distance(name, candidate));
        if rank.0 <= allowed && rank.0 < length && best.is_none_or(|(known, _)| rank < known) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate).or(if several { None } else { longer })
}

/// How often each letter stands in a name, without blanks. Letters far apart in Unicode share a place.
fn letters_of(name: &str) -> [u8; 64] {
    let mut counts = [0u8; 64];
    for letter in name.chars().filter(|letter| !letter.is_whitespace()) {
        let count = &mut counts[letter as usize % 64];
        *count = count.saturating_add(1);
    }
    counts
}

/// The least number of slips between names with these letters: each mends one letter too many and one too few.
fn apart(these: &[u8; 64], those: &[u8; 64]) -> usize {
    let (mut more, mut fewer) = (0, 0);
    for (this, that) in these.iter().zip(those) {
        more += usize::from(this.saturating_sub(*that));
        fewer += usize::from(that.saturating_sub(*this));
    }
    more.max(fewer)
}

/// The words of a name in alphabetical order.
fn in_order(name: &str) -> String {
    let mut words: Vec<&str> = name.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

/// So many words stand in a list; of more the first are told, and how many there are besides.
const MOST_LISTED: usize = 24;

/// The words as a list in a sentence, each in backquotes: `` `a`, `b` or `c` ``. Of very many, as of all the things of a
/// game, only the first: a list is for finding the one that is meant, and may be said of each slip of a page.
pub fn list<W: AsRef<str>>(words: impl IntoIterator<Item = W>, conjunction: &str) -> String {
    few(MOST_LISTED, words, conjunction)
}

/// The same of at most so many words.
pub fn few<W: AsRef<str>>(most: usize, words: impl IntoIterator<Item = W>, conjunction: &str) -> String {
    let mut all = words.into_iter();
    let mut words: Vec<String> = all.by_ref().take(most).map(|word| format!("`{}`", word.as_ref())).collect();
    match all.count() {
        0 => {}
        more => words.push(format!("{more} more")),
    }
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} {conjunction} {last}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] = [
        "Harbour",
        "Harbour Mill",
        "Old Mill",
        "North Ridge",
        "South Ridge",
        "points left",
        "hand",
        "Étang Noir",
        "First Foot",
    ];

    #[test]
    fn near_misses_are_found() {
        let near = |name| near_miss(name, NAMES);
        assert_eq!(near("hnad"), Some("hand"), "two letters swapped");
        assert_eq!(near("hnda"), None, "two swaps in a short name");
        assert_eq!(near("Habrour"), Some("Harbour"));
        assert_eq!(near("harbour"), Some("Harbour"), "only a capital is missing");
        assert_eq!(near("Harbor"), Some("Harbour"));
        assert_eq!(near("Norht Rigde"), Some("North Ridge"));
        assert_eq!(near("left points"), Some("points left"), "words swapped");
        assert_eq!(near("Etang noir"), Some("Étang Noir"));
        assert_eq!(near("points"), Some("points left"), "cut short");
        assert_eq!(near("First"), Some("First Foot"));
    }

    #[test]
    fn far_names_are_not() {
        let near = |name| near_miss(name, NAMES);
        assert_eq!(near(""), None);
        assert_eq!(near("x"), None);
        assert_eq!(near("Swamp"), None);
        assert_eq!(near(&"Harbour".repeat(1000)), None);
        assert_eq!(near_miss("no", ["if", "at"]), None);
        assert_eq!(near_miss("a", ["b", "c"]), None);
        assert_eq!(near_miss("West", ["West Gate", "West Wall"]), None, "two could be meant");
        assert_eq!(near_miss("hand", ["hand"]), None, "the name itself is no news");
    }

    #[test]
    fn guessing_ends() {
        let guesses = Guesses::default();
        let names = vec!["somebody"; 600_000];
        let guess = || guesses.near_miss("sombody", names.iter().copied());
        assert_eq!(guess(), Some("somebody"));
        assert!(!guesses.are_over());
        assert_eq!(guess(), Some("somebody"), "what was begun is ended");
        assert!(guesses.are_over());
        assert_eq!(guess(), None);
    }

    #[test]
    fn capitals_decide_between_equals() {
        assert_eq!(near_miss("Milll", ["mill", "Mill"]), Some("Mill"));
        assert_eq!(near_miss("milll", ["Mill", "mill"]), Some("mill"));
        assert_eq!(near_miss("cot", ["cat", "cut"]), Some("cat"), "the first of equals");
    }

    #[test]
    fn keywords_are_found_closer_by() {
        let near = |word| near_keyword(word, ["kind", "fact", "state", "rule", "whenever"]);
        assert_eq!(near("rul"), Some("rule"));
        assert_eq!(near("Rule"), Some("rule"), "only the capital is wrong");
        assert_eq!(near("rule"), Some("rule"), "the word itself, where it does not belong");
        assert_eq!(near("sttae"), Some("state"), "two letters swapped");
        assert_eq!(near("wenevr"), Some("whenever"), "two slips in a long word");
        assert_eq!(near("wnevr"), None, "three");
        assert_eq!(near("fakd"), None, "two slips in a short word");
        assert_eq!(near("k"), None);
        assert_eq!(near(""), None);
        assert_eq!(near_miss("rule", ["rule"]), None, "a name itself is no news");
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list(["a", "b", "c"], "or"), "`a`, `b` or `c`");
        assert_eq!(list(["a", "b"], "and"), "`a` and `b`");
        assert_eq!(list(vec!["a".to_owned()], "or"), "`a`");
        assert_eq!(list(Vec::<&str>::new(), "or"), "");
        assert_eq!(few(2, ["a", "b"], "and"), "`a` and `b`");
        assert_eq!(few(2, ["a", "b", "c"], "and"), "`a`, `b` and 1 more");
        // Said of each slip of a page, a list of all its names would be as long as the page.
        let many = list((0..1000).map(|number| number.to_string()), "and");
        assert!(many.starts_with("`0`, `1`, ") && many.ends_with(", `23` and 976 more"), "{many}");
    }
}
