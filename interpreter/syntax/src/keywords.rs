//! The words of the language: keywords, reserved words, near misses.

/// What may begin an item at the left margin.
pub(crate) const ITEM_WORDS: [&str; 20] = [
    "kind", "fact", "state", "rule", "step", "table", "links", "grid", "setup", "ruling", "whenever",
    "omitted", "test", "in", "before", "after", "under", "replace", "remove", "waive",
];

/// Inner words: they stand between names and end them.
pub(crate) const INNER_WORDS: [&str; 11] =
    ["and", "or", "not", "in", "where", "by", "within", "otherwise", "if", "else", "beats"];

/// Words that cannot begin a name.
pub(crate) const OPENING_WORDS: [&str; 24] = [
    "all", "any", "count", "first", "most", "least", "total", "reach", "yes", "no", "none", "let", "for",
    "while", "stop", "return", "choose", "case", "when", "option", "needs", "except", "say", "announce",
];

/// The words that open a query.
pub(crate) const QUANTIFIERS: [&str; 8] = ["all", "any", "count", "first", "most", "least", "total", "reach"];

/// Words that begin a line within an item, beside those that begin items.
pub(crate) const LINE_WORDS: [&str; 17] = [
    "let", "for", "while", "stop", "return", "choose", "case", "when", "option", "needs", "except", "say",
    "announce", "offer", "refuse", "expect", "position",
];

/// Inner words that continue the line above when a line begins with them (`else` does so unless it follows a `}`).
pub(crate) const JOINING_WORDS: [&str; 8] =
    ["and", "or", "where", "by", "within", "otherwise", "beats", "else"];

/// Whether an item may begin with that word.
pub(crate) fn begins_item(word: &str) -> bool {
    ITEM_WORDS.contains(&word)
}

/// Whether the word cannot be, or cannot begin, a name.
pub(crate) fn reserved(word: &str) -> bool {
    INNER_WORDS.contains(&word) || OPENING_WORDS.contains(&word)
}

/// The candidate that the word was probably meant to be.
pub(crate) fn near_miss<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if !(2..=20).contains(&length) {
        return None;
    }
    let word = word.to_lowercase();
    let allowed = if length < 5 { 1 } else { 2 };
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
