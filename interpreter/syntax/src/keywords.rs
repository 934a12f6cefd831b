//! The words of the language: one table of keywords, of where each stands and of its rule in the grammar. The lists that
//! lexing, line joining, recovery and messages go by are made of it.

use blazon_grammar::Rule;

use crate::messages::Group;

/// Where a keyword stands: bits of [`Keyword::classes`].
pub(crate) mod class {
    /// Only where the grammar says; no list holds it.
    pub(crate) const NONE: u16 = 0;
    /// Begins a declaration at the margin.
    pub(crate) const DECLARATION: u16 = 1;
    /// Begins a change of what is declared elsewhere.
    pub(crate) const CHANGE: u16 = 1 << 1;
    /// Begins a test, or what tests share.
    pub(crate) const TEST: u16 = 1 << 2;
    /// Begins an item at the left margin.
    pub(crate) const ITEM: u16 = DECLARATION | CHANGE | TEST;
    /// Stands between names and ends them.
    pub(crate) const INNER: u16 = 1 << 3;
    /// Cannot begin a name.
    pub(crate) const OPENING: u16 = 1 << 4;
    /// Opens a query.
    pub(crate) const QUERY: u16 = 1 << 5;
    /// Begins a line within an item and ends what is open, beside those that begin items.
    pub(crate) const LINE: u16 = 1 << 6;
    /// Continues the line above when a line begins with it (`else` does so unless it follows a `}`).
    pub(crate) const JOINING: u16 = 1 << 7;
    /// Begins something whose block may stand on a later line.
    pub(crate) const HEAD: u16 = 1 << 8;
    /// Stands before the name of what it declares.
    pub(crate) const NAMED: u16 = 1 << 9;
    /// Begins a statement.
    pub(crate) const STATEMENT: u16 = 1 << 10;
    /// Begins a line of a test.
    pub(crate) const TEST_LINE: u16 = 1 << 11;
    /// What `in` opens, beside steps, options and cases.
    pub(crate) const OPENED: u16 = 1 << 12;
}

/// A word of the language, or two that stand together.
#[derive(Debug)]
pub(crate) struct Keyword {
    /// As written.
    pub word: &'static str,
    /// As it stands in messages: between backticks.
    pub shown: &'static str,
    /// What sort of thing is expected where it is.
    pub group: Group,
    /// Where it stands.
    pub classes: u16,
}

impl Keyword {
    /// Whether it stands in one of these places.
    pub(crate) const fn is(&self, classes: u16) -> bool {
        self.classes & classes != 0
    }
}

/// Makes the table, and what finds a keyword by its rule of the grammar.
macro_rules! keywords {
    ($($word:literal $(= $rule:ident)? : $Group:ident [$($class:ident)|*];)*) => {
        /// All keywords.
        pub(crate) const KEYWORDS: &[Keyword] = &[$(Keyword {
            word: $word,
            shown: concat!("`", $word, "`"),
            group: Group::$Group,
            classes: $(class::$class)|*,
        }),*];

        /// The keyword that a rule of the grammar reads.
        pub(crate) fn keyword(rule: Rule) -> Option<&'static Keyword> {
            let word = match rule {
                $($(Rule::$rule => $word,)?)*
                _ => return None,
            };
            KEYWORDS.iter().find(|keyword| keyword.word == word)
        }

        /// The rules of the grammar that read keywords, as a pattern.
        macro_rules! keyword_rules {
            () => { $($(| blazon_grammar::Rule::$rule)?)* };
        }
        pub(crate) use keyword_rules;
    };
}

keywords! {
    // What begins items.
    "kind" = kw_kind: Other [DECLARATION | OPENED | NAMED | HEAD];
    "fact" = kw_fact: Other [DECLARATION | OPENED | NAMED];
    "state" = kw_state: Other [DECLARATION | NAMED];
    "rule" = kw_rule: Other [DECLARATION | OPENED | NAMED];
    "step" = kw_step: Other [DECLARATION | NAMED];
    "table" = kw_table: Other [DECLARATION | OPENED];
    "links" = kw_links: Other [DECLARATION | OPENED];
    "grid" = kw_grid: Other [DECLARATION];
    "setup" = kw_setup: Other [DECLARATION | OPENED | NAMED];
    "ruling" = kw_ruling: Other [DECLARATION | TEST_LINE | NAMED];
    "whenever" = kw_whenever: Other [DECLARATION | NAMED];
    "invariant" = kw_invariant: Other [DECLARATION | NAMED];
    "look" = kw_look: Other [DECLARATION];
    "omitted" = kw_omitted: Other [DECLARATION];
    "test" = kw_test: Other [TEST];
    "scene" = kw_scene: Other [TEST | NAMED];
    "in" = kw_in: Other [CHANGE | INNER | HEAD];
    "before" = kw_before: Other [CHANGE | HEAD];
    "after" = kw_after: Other [CHANGE | HEAD];
    "under" = kw_under: Other [CHANGE | HEAD];
    "replace" = kw_replace: Other [CHANGE | HEAD];
    "remove" = kw_remove: Other [CHANGE];
    "waive" = kw_waive: Other [CHANGE];
    "cite" = kw_cite: Other [CHANGE];
    // What begins lines inside items.
    "let" = kw_let: Other [OPENING | LINE | STATEMENT];
    "for" = kw_for: Other [OPENING | LINE | STATEMENT | HEAD];
    "with" = kw_with: Other [OPENING | LINE | STATEMENT | HEAD];
    "while" = kw_while: Other [OPENING | LINE | STATEMENT | HEAD];
    "stop" = kw_stop: Other [OPENING | LINE | STATEMENT];
    "return" = kw_return: Other [OPENING | LINE | STATEMENT];
    "choose" = kw_choose: Other [OPENING | LINE | STATEMENT | HEAD];
    "case" = kw_case: Other [OPENING | LINE | STATEMENT | HEAD];
    "when" = kw_when: Other [OPENING | LINE | HEAD];
    "option" = kw_option: Other [OPENING | LINE | NAMED | HEAD];
    "needs" = kw_needs: Other [OPENING | LINE];
    "except" = kw_except: Other [OPENING | LINE];
    "known to all" = kw_known: Other [NONE];
    "say" = kw_say: Other [OPENING | LINE | STATEMENT];
    "announce" = kw_announce: Other [OPENING | LINE | STATEMENT];
    "offer" = kw_offer: Other [LINE | TEST_LINE];
    "refuse" = kw_refuse: Other [LINE | TEST_LINE];
    "expect" = kw_expect: Other [LINE | TEST_LINE];
    "position" = kw_position: Other [LINE | TEST_LINE | HEAD];
    "cards" = kw_cards: Other [TEST_LINE];
    "dice" = kw_dice: Other [TEST_LINE];
    "fails" = kw_fails: Other [TEST_LINE];
    "from" = kw_from: Other [TEST_LINE];
    "play" = kw_play: Other [TEST_LINE];
    "back" = kw_back: Other [NONE];
    "others" = kw_others: Other [NONE];
    "seen by" = kw_seen: Other [NONE];
    "sees" = kw_sees: Other [NONE];
    "does not see" = kw_does_not_see: Other [NONE];
    "can tell whether" = kw_can_tell: Other [NONE];
    "cannot tell whether" = kw_cannot_tell: Other [NONE];
    // What stands between names and values.
    "and" = kw_and: Other [INNER | JOINING];
    "or" = kw_or: Other [INNER | JOINING];
    "not" = kw_not: More [INNER];
    "where" = kw_where: Other [INNER | JOINING];
    "by" = kw_by: Other [INNER | JOINING];
    "within" = kw_within: Other [INNER | JOINING];
    "beside" = kw_beside: More [NONE];
    "choice" = kw_choice: Other [NONE];
    "whole" = kw_whole: Other [NONE];
    "named" = kw_named: Other [NONE];
    "otherwise" = kw_otherwise: Operator [INNER | JOINING];
    "if" = kw_if: Other [INNER | STATEMENT | HEAD];
    "else" = kw_else: Other [INNER | JOINING];
    "beats" = kw_beats: More [INNER | JOINING];
    "each" = kw_each: More [NONE];
    "fresh each" = kw_fresh: Other [NONE];
    "set of" = kw_set_of: Other [NONE];
    // What begins a value.
    "all": Value [OPENING | QUERY];
    "any": Value [OPENING | QUERY];
    "count": Value [OPENING | QUERY];
    "first": Value [OPENING | QUERY];
    "most": Value [OPENING | QUERY];
    "least": Value [OPENING | QUERY];
    "highest": Value [OPENING | QUERY];
    "lowest": Value [OPENING | QUERY];
    "every" = kw_every: Value [OPENING | QUERY];
    "min": Value [QUERY];
    "max": Value [QUERY];
    "total": Value [OPENING | QUERY];
    "reach": Value [OPENING | QUERY];
    "yes": Value [OPENING];
    "no": Value [OPENING];
    "none": Value [OPENING];
}

/// How many keywords stand in one of these places.
const fn count(classes: u16) -> usize {
    let (mut at, mut found) = (0, 0);
    while at < KEYWORDS.len() {
        found += KEYWORDS[at].is(classes) as usize;
        at += 1;
    }
    found
}

/// The keywords that stand in one of these places.
const fn words<const N: usize>(classes: u16) -> [&'static str; N] {
    let (mut at, mut found, mut words) = (0, 0, [""; N]);
    while at < KEYWORDS.len() {
        if KEYWORDS[at].is(classes) {
            words[found] = KEYWORDS[at].word;
            found += 1;
        }
        at += 1;
    }
    words
}

/// What may begin an item at the left margin.
pub(crate) static ITEM_WORDS: [&str; count(class::ITEM)] = words(class::ITEM);

/// What changes what is declared elsewhere.
pub(crate) static CHANGE_WORDS: [&str; count(class::CHANGE)] = words(class::CHANGE);

/// Inner words: they stand between names and end them.
pub(crate) static INNER_WORDS: [&str; count(class::INNER)] = words(class::INNER);

/// Words that cannot begin a name.
pub(crate) static OPENING_WORDS: [&str; count(class::OPENING)] = words(class::OPENING);

/// The words that open a query.
pub static QUANTIFIERS: [&str; count(class::QUERY)] = words(class::QUERY);

/// Words that begin a line within an item, beside those that begin items.
pub(crate) static LINE_WORDS: [&str; count(class::LINE)] = words(class::LINE);

/// Inner words that continue the line above when a line begins with them.
pub(crate) static JOINING_WORDS: [&str; count(class::JOINING)] = words(class::JOINING);

/// Words that begin something whose block may stand on a later line.
pub(crate) static HEAD_WORDS: [&str; count(class::HEAD)] = words(class::HEAD);

/// Words before the name of what they declare.
pub(crate) static NAMED_WORDS: [&str; count(class::NAMED)] = words(class::NAMED);

/// A place where keywords can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeywordPlace {
    /// At the left margin.
    Margin,
    /// At the beginning of a statement.
    Statement,
    /// At the beginning of a line of a test.
    TestLine,
    /// At the beginning of a value.
    Value,
    /// Behind a value, before the next.
    Between,
    /// Behind `in` at the left margin.
    Opened,
}

/// The keywords that can be written at a place, in the order of the table.
pub fn keywords_at(place: KeywordPlace) -> impl Iterator<Item = &'static str> {
    let classes = match place {
        KeywordPlace::Margin => class::ITEM,
        KeywordPlace::Statement => class::STATEMENT,
        KeywordPlace::TestLine => class::TEST_LINE,
        KeywordPlace::Value => class::QUERY,
        KeywordPlace::Between => class::INNER,
        KeywordPlace::Opened => class::OPENED,
    };
    KEYWORDS.iter().filter(move |keyword| keyword.is(classes)).map(|keyword| keyword.word)
}

/// Whether a word cannot be, or cannot begin, a name.
pub fn is_reserved(word: &str) -> bool {
    reserved(word)
}

/// Whether an item may begin with that word.
pub(crate) fn begins_item(word: &str) -> bool {
    ITEM_WORDS.contains(&word)
}

/// Whether the word cannot be, or cannot begin, a name.
pub(crate) fn reserved(word: &str) -> bool {
    INNER_WORDS.contains(&word) || OPENING_WORDS.contains(&word)
}
