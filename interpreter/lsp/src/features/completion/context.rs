//! What is being written at a place: by the signs and words before it, whatever is wrong with the page.

use blazon_syntax::{Token, TokenKind, is_reserved, tokens};

/// What is expected at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing that can be listed: a comment, a text, a new name.
    Nothing,
    /// An item.
    Item,
    /// A statement of a block.
    Statement,
    /// A line of a test.
    TestLine,
    /// What can be asked of the value before the dot; the tokens before it.
    Asked(Vec<String>),
    /// A value; of what it is compared with or set to, the tokens, if that is known.
    Value(Vec<String>),
    /// An argument: the name that is called, what stands before its dot, and which argument.
    Argument(String, bool, usize),
    /// A paragraph.
    Paragraph,
    /// A type.
    Type,
    /// A kind.
    Kind,
    /// What sort of thing is opened or taken away.
    Part,
    /// What stands in a column of a table, by the table and the heading of the column.
    Cell(Table, String),
    /// What a position or a setup places, and where.
    Placed,
    /// A line below the heading of a rule: another clause, or the rest of its value.
    Clause,
    /// A line within a kind.
    Member,
    /// A condition under which something is changed: of a ruling mostly.
    Condition,
    /// The name of something that was declared, by the word before it.
    Named(&'static str),
    /// An option, behind the name of a player.
    Pick,
    /// A value of a ruling, by its name.
    RulingValue(String),
    /// What a rule gives, by its name.
    Given(String),
}

impl Expected {
    /// Whether a value is expected, or what is asked of one.
    pub fn is_value(&self) -> bool {
        match self {
            Self::Asked(_) | Self::Value(_) | Self::Argument(..) | Self::Given(_) | Self::Condition => true,
            Self::Nothing
            | Self::Item
            | Self::Statement
            | Self::TestLine
            | Self::Paragraph
            | Self::Type
            | Self::Kind
            | Self::Part
            | Self::Cell(..)
            | Self::Placed
            | Self::Clause
            | Self::Member
            | Self::Named(_)
            | Self::Pick
            | Self::RulingValue(_) => false,
        }
    }
}

/// What a table is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Table {
    /// The things of a kind: a column is a fact.
    Things,
    /// A rule, by its name: a column is a parameter, or a value.
    Rule(String),
}

/// The place and what was written of a name there.
#[derive(Clone, Debug)]
pub struct Context {
    /// What is expected.
    pub expected: Expected,
    /// Where the words before the cursor begin, all that could belong to one name, the longest run first.
    pub starts: Vec<usize>,
    /// Whether it is in a test.
    pub in_test: bool,
    /// Where the text begins that the grammar can be asked with what it goes on; an item, unless it is a hole.
    pub readable: Option<Readable>,
    /// The rule, step or option whose parts are written where it is amended, outer before inner.
    pub amended: Vec<String>,
}

/// What the grammar can read of a text before the cursor.
#[derive(Clone, Copy, Debug)]
pub enum Readable {
    /// All of it, which ends in an item.
    Item,
    /// What stands in a hole, from here.
    Hole(usize),
}

impl Context {
    fn new(expected: Expected, start: usize) -> Self {
        Self { expected, starts: vec![start], in_test: false, readable: None, amended: Vec::new() }
    }
}

/// What an item is, by the words that it begins with.
const NAMES: [&str; 12] = [
    "rule", "step", "kind", "option", "setup", "ruling", "fact", "state", "clause", "links", "table", "scene",
];

/// Looks at a text before an offset.
pub fn context(text: &str, offset: usize) -> Context {
    let nothing = Context::new(Expected::Nothing, offset);
    let Some(before) = text.get(..offset) else { return nothing };
    let all = tokens(before);
    if in_comment(before, &all) {
        return nothing;
    }
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    if before[line..].chars().all(char::is_alphanumeric) {
        return Context::new(Expected::Item, line);
    }
    let item = item_of(before, &all);
    let in_test = item.first().is_some_and(|head| ["test", "scene"].contains(&head.text(before)));
    let amended = amended(before, item);
    // Blanks at the end belong to what is written, but to no token.
    let of_hole = |start: usize| Context {
        readable: Some(Readable::Hole(start)),
        ..within(before.get(start..).unwrap_or_default(), start, &[])
    };
    let found = match all.last() {
        // A text without its end is one token to the end of the line.
        Some(last) if last.kind == TokenKind::Text && is_open(last.text(before)) => {
            match hole(last.text(before)) {
                Some(inner) => of_hole(last.end - inner.len()),
                None => return nothing,
            }
        }
        // A brace at the end of such a line is a sign of its own.
        Some(last) if last.kind == TokenKind::Open(b'{') && opens_hole(before, &all) => of_hole(last.end),
        Some(last) if last.kind == TokenKind::Cite && last.end == offset => {
            Context::new(Expected::Paragraph, last.start)
        }
        Some(_) | None if before.ends_with('@') => Context::new(Expected::Paragraph, offset - 1),
        Some(_) | None if before[line..].trim_start().starts_with('|') => cell(before, line, item),
        Some(_) | None => {
            let is_begun = !before[line..].trim().is_empty();
            Context { readable: is_begun.then_some(Readable::Item), ..within(before, 0, item) }
        }
    };
    Context { in_test, amended, ..found }
}

/// What closes the brackets and braces of an item that are open at a place and stay so to its end, or to where what stands
/// around them is closed. The item ends where a line begins at the margin.
pub fn closing(before: &str, after: &str) -> String {
    let all = tokens(before);
    let mut open: Vec<char> = Vec::new();
    for (opens, sign) in brackets(item_of(before, &all)) {
        if opens {
            open.push(sign);
        } else {
            open.pop();
        }
    }
    let is_next = |line: &str| !line.starts_with([' ', '\t', '\r', '\n', '}', ')', ']', '-', '|']);
    let mut end = after.find('\n').map_or(after.len(), |newline| newline + 1);
    while let Some(line) = after[end..].split_inclusive('\n').next().filter(|line| !is_next(line)) {
        end += line.len();
    }
    let (mut closing, mut inner) = (String::new(), 0_usize);
    for (opens, sign) in brackets(&tokens(&after[..end])) {
        if opens {
            inner += 1;
        } else if inner > 0 {
            inner -= 1;
        } else {
            // What stands within what is closed here must be closed before.
            while let Some(own) = open.pop().filter(|own| *own != sign) {
                closing.push(own);
            }
        }
    }
    closing.extend(open.iter().rev());
    closing
}

/// The brackets and braces among tokens: whether each opens, and the sign that closes it.
fn brackets(tokens: &[Token]) -> impl Iterator<Item = (bool, char)> {
    tokens.iter().filter_map(|token| {
        if let TokenKind::Open(sign) = token.kind {
            let closes = [(b'(', ')'), (b'[', ']'), (b'{', '}')];
            closes.into_iter().find(|(opens, _)| *opens == sign).map(|(_, closes)| (true, closes))
        } else if let TokenKind::Close(sign) = token.kind {
            Some((false, char::from(sign)))
        } else {
            None
        }
    })
}

/// Whether the brace that a text ends in stands in a text without an end.
fn opens_hole(before: &str, all: &[Token]) -> bool {
    let [.., text, brace] = all else { return false };
    text.kind == TokenKind::Text && is_open(text.text(before)) && text.end == brace.start
}

/// What is expected in a row of a table, the last line of a text: what the heading of the column says.
fn cell(before: &str, line: usize, item: &[Token]) -> Context {
    let row = &before[line..];
    let above: Vec<&str> =
        before[..line].lines().rev().take_while(|line| line.trim_start().starts_with('|')).collect();
    let cells = |row: &str| -> Vec<String> { row.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let heading = above.last().and_then(|heading| cells(heading).into_iter().nth(cells(row).len() - 1));
    // A cell may hold several things.
    let last = row.rfind(['|', ',']).map_or(0, |at| at + 1);
    let start = line + last + (row[last..].len() - row[last..].trim_start().len());
    let words: Vec<&str> = item.iter().map(|token| token.text(before)).collect();
    let table = match words.first() {
        Some(&"table") => Some(Table::Things),
        Some(&"rule") => Some(Table::Rule(heading_name(&words))),
        Some(_) | None => None,
    };
    let expected = match (table, heading) {
        (Some(table), Some(heading)) => Expected::Cell(table, heading),
        (Some(_) | None, _) => Expected::Nothing,
    };
    Context::new(expected, start)
}

/// Whether a text ends in the braces of a position or a setup, and not in a bracket there.
fn in_placing(before: &[Token], text: &str, head: &str) -> bool {
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut first = head;
    let mut begins = false;
    for token in before {
        let word = token.text(text);
        match token.kind {
            TokenKind::Open(sign) => {
                let is_inside = open.last().is_some_and(|(is_placing, _)| *is_placing);
                let is_placing = is_inside || first == "position" || (head == "setup" && open.is_empty());
                open.push((is_placing, sign == b'{'));
                begins |= sign == b'{';
            }
            TokenKind::Close(_) => {
                open.pop();
                begins = true;
            }
            TokenKind::Newline => begins = true,
            TokenKind::Sign if word == ";" => begins = true,
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Sign => {
                if std::mem::take(&mut begins) {
                    first = word;
                }
            }
        }
    }
    open.last() == Some(&(true, true))
}

/// What stands in the bracket behind `position` or the name of a setup: a kind, then its states.
fn placing_key(before: &[Token], text: &str) -> Option<Expected> {
    let open =
        before.iter().rposition(|token| matches!(token.kind, TokenKind::Open(_) | TokenKind::Close(_)))?;
    let line =
        before[..open].iter().rposition(|token| token.kind == TokenKind::Newline).map_or(0, |at| at + 1);
    let first = before[line..].first()?.text(text);
    if before[open].kind != TokenKind::Open(b'(') || !["position", "setup"].contains(&first) {
        return None;
    }
    let has_kind = before[open..].iter().any(|token| token.text(text) == ":");
    Some(if has_kind { Expected::Named("state") } else { Expected::Kind })
}

/// What `in rule`, `in step`, `before` and their like open, by name.
fn amended(text: &str, item: &[Token]) -> Vec<String> {
    let words: Vec<&str> = item.iter().map(|token| token.text(text)).collect();
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let name = match *word {
            "in" if matches!(words.get(place + 1), Some(&("rule" | "step" | "option"))) => {
                &words[place + 2..]
            }
            "before" | "after" if place == 0 => &words[1..],
            _ => continue,
        };
        let name: Vec<&str> =
            name.iter().copied().take_while(|word| word.chars().all(char::is_alphanumeric)).collect();
        found.push(name.join(" "));
    }
    found
}

/// The tokens of the item that a text ends in.
fn item_of<'t>(text: &str, all: &'t [Token]) -> &'t [Token] {
    let at_margin = |token: &Token| {
        token.kind == TokenKind::Word && (token.start == 0 || text[..token.start].ends_with('\n'))
    };
    let first = all.iter().rposition(at_margin).unwrap_or(0);
    &all[first..]
}

fn in_comment(before: &str, all: &[Token]) -> bool {
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let covered = |at: usize| {
        all.iter().rev().take_while(|token| token.end > line).any(|token| token.start <= at && at < token.end)
    };
    before[line..].match_indices("--").any(|(at, _)| !covered(line + at))
}

fn is_open(text: &str) -> bool {
    text.len() < 2 || !text.ends_with('"')
}

/// The beginning of the hole that a text ends in.
fn hole(text: &str) -> Option<&str> {
    let at = text.rfind('{')?;
    let inner = &text[at + 1..];
    (!inner.contains(['}', ':'])).then_some(inner)
}

/// What is expected at the end of a text.
fn within(text: &str, shift: usize, item: &[Token]) -> Context {
    let own;
    let item = if item.is_empty() {
        own = tokens(text);
        &own[..]
    } else {
        item
    };
    let end = text.len();
    // The words that are being written.
    let mut first = item.len();
    let mut starts = Vec::new();
    while let Some(token) = first.checked_sub(1).and_then(|place| item.get(place)) {
        let is_near = text[token.end..].starts_with(' ') || token.end == end || starts.last().is_some();
        let is_word = matches!(token.kind, TokenKind::Word | TokenKind::Quoted);
        if !is_word || !is_near || (is_reserved(token.text(text)) && token.end != end) {
            break;
        }
        if starts.is_empty() && token.end != end {
            // A blank has ended the last word: a new one begins, which may go on a name.
            starts.push(end + shift);
        }
        first -= 1;
        starts.push(token.start + shift);
        if starts.len() > 6 {
            break;
        }
    }
    if starts.is_empty() {
        starts.push(end + shift);
    }
    starts.reverse();
    let expected = expected(text, item, first);
    Context { starts, ..Context::new(expected, end) }
}

/// What is expected behind the tokens `item[..first]`, where words follow.
fn expected(text: &str, item: &[Token], first: usize) -> Expected {
    let before = &item[..first];
    let words: Vec<&str> = before.iter().map(|token| token.text(text)).collect();
    let line = before.iter().rposition(|token| token.kind == TokenKind::Newline).map_or(0, |at| at + 1);
    let on_line = &words[line..];
    let mut written: Vec<&str> = item[first..].iter().map(|token| token.text(text)).collect();
    if item.last().is_none_or(|last| last.end < text.len()) {
        // A blank has ended the last word.
        written.push("");
    }
    let head = words.first().copied().or(written.first().copied()).unwrap_or_default();
    if let Some(named) = of_line(on_line, &written, head) {
        return named;
    }
    let is_set = matches!(words.last(), Some(&("." | "=" | ":=" | "+=" | "-=")));
    if !is_set && in_placing(before, text, head) {
        return Expected::Placed;
    }
    if let Some(key) = placing_key(before, text) {
        return key;
    }
    // Behind its sign a kind lists new names, or says what its links lie between.
    if head == "kind" && words.contains(&"=") && !words.contains(&"{") {
        return if words.last() == Some(&",") { Expected::Nothing } else { Expected::Kind };
    }
    let subject = &before[..first.saturating_sub(1)];
    match words.last().copied().unwrap_or_default() {
        "." => return Expected::Asked(chain(subject, text)),
        "=" if head == "rule" && line == 0 && !words[..words.len() - 1].contains(&"=") => {
            return Expected::Given(heading_name(&words));
        }
        "=" | "!=" | ":=" | "+=" | "-=" | "<" | ">" | "<=" | ">=" => {
            return match on_line {
                ["ruling", rest @ .., _] => Expected::RulingValue(rest.join(" ")),
                // What is counted is no number, how many there are is.
                _ if is_counted(subject, text) => Expected::Value(Vec::new()),
                _ => Expected::Value(chain(subject, text)),
            };
        }
        ":" if matches!(head, "test" | "scene") && on_line.len() <= 4 => return Expected::Pick,
        ":" if matches!(on_line.first(), Some(&("except" | "+" | "-"))) => {
            return match head {
                "rule" => Expected::Given(heading_name(&words)),
                "in" => Expected::Given(heading_name(&words[1..])),
                _ => Expected::Value(Vec::new()),
            };
        }
        ":" if is_heading(&words) => return Expected::Type,
        "(" | "," => return inside(before, text, head),
        _ => {}
    }
    let begins = on_line.is_empty() || matches!(words.last(), Some(&"{" | &"}" | &";"));
    match (begins, head) {
        (true, "test" | "scene") => Expected::TestLine,
        (true, "step" | "whenever" | "in" | "before" | "after" | "replace") => Expected::Statement,
        (true, "kind") => Expected::Member,
        (true, "rule") => Expected::Clause,
        (true, "setup" | "links" | "table") => Expected::Nothing,
        _ => Expected::Value(Vec::new()),
    }
}

/// The name in the heading of a rule: behind the first word.
fn heading_name(words: &[&str]) -> String {
    let name = words.iter().skip(1).copied().take_while(|word| word.chars().all(char::is_alphanumeric));
    name.collect::<Vec<_>>().join(" ")
}

/// What a line says by its first words: `in rule`, `from`, `remove clause`.
fn of_line(on_line: &[&str], written: &[&str], head: &str) -> Option<Expected> {
    let words: Vec<&str> = on_line.iter().chain(written).copied().collect();
    let only_words = on_line.iter().all(|word| word.chars().all(char::is_alphanumeric));
    if !only_words {
        return None;
    }
    let in_test = matches!(head, "test" | "scene");
    let named = |word: &str| NAMES.into_iter().find(|name| *name == word).map(Expected::Named);
    match words.as_slice() {
        ["from", ..] if in_test => Some(Expected::Named("setup")),
        ["ruling", ..] if in_test => Some(Expected::Named("ruling")),
        ["expect", ..] if in_test => Some(Expected::Value(Vec::new())),
        ["play", ..] if in_test => Some(Expected::Named("step")),
        ["offer" | "refuse", ..] if in_test => Some(Expected::Named("player")),
        ["before" | "after", ..] if !in_test => Some(Expected::Named("step")),
        ["under", ..] => Some(Expected::Condition),
        ["waive", ..] => Some(Expected::Named("clause")),
        ["in" | "replace" | "remove" | "cite", _] | ["replace", "whole", _] => Some(Expected::Part),
        ["replace", "whole", sort, ..] | ["in" | "replace" | "remove" | "cite", sort, ..] => named(sort),
        ["table" | "links" | "grid", ..] => Some(Expected::Kind),
        [
            "kind" | "rule" | "step" | "setup" | "ruling" | "whenever" | "invariant" | "fact" | "state"
            | "scene",
            ..,
        ] => Some(Expected::Nothing),
        ["let", ..] | ["option", ..] | ["except", _] => Some(Expected::Nothing),
        _ => None,
    }
}

/// Whether a colon ends a name that has a type: in the heading of an item, before its body.
fn is_heading(words: &[&str]) -> bool {
    let declares = |word: &&str| matches!(*word, "rule" | "step" | "fact" | "state");
    let line = words.iter().rposition(|word| word.starts_with('\n')).map_or(0, |at| at + 1);
    let head = words[line..].iter().find(|word| **word != "in");
    let body = words[line..].iter().any(|word| matches!(*word, "=" | "{"));
    head.is_some_and(declares) && !body
}

/// What is expected behind an opening bracket or a comma.
fn inside(before: &[Token], text: &str, head: &str) -> Expected {
    let (mut depth, mut place) = (0_usize, 0_usize);
    for at in (0..before.len()).rev() {
        match before[at].kind {
            TokenKind::Close(_) => depth += 1,
            TokenKind::Open(b'(') if depth == 0 => return called(&before[..at], text, place, head),
            TokenKind::Open(_) if depth == 0 => return Expected::Value(Vec::new()),
            TokenKind::Open(_) => depth -= 1,
            TokenKind::Sign if depth == 0 && before[at].text(text) == "," => place += 1,
            TokenKind::Newline if depth == 0 && place == 0 => return Expected::Value(Vec::new()),
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Newline
            | TokenKind::Sign => {}
        }
    }
    Expected::Value(Vec::new())
}

/// What is called before a bracket.
fn called(before: &[Token], text: &str, place: usize, head: &str) -> Expected {
    let name = chain(before, text);
    let words: Vec<&str> = before.iter().map(|token| token.text(text)).collect();
    let line = before.iter().rposition(|token| token.kind == TokenKind::Newline).map_or(0, |at| at + 1);
    match words[line..].first() {
        Some(&("fact" | "state")) => return Expected::Kind,
        Some(&("rule" | "step" | "option")) => return Expected::Nothing,
        _ if matches!(head, "rule" | "step")
            && line == 0
            && !words.contains(&"=")
            && !words.contains(&"{") =>
        {
            return Expected::Nothing;
        }
        _ => {}
    }
    match name.split_last() {
        Some((name, rest)) => {
            Expected::Argument(name.clone(), rest.last().is_some_and(|sign| sign == "."), place)
        }
        None => Expected::Value(Vec::new()),
    }
}

/// Whether what a run of tokens ends in is counted: `count s.army`.
fn is_counted(before: &[Token], text: &str) -> bool {
    let first = before.len() - chain_of(before, text).1;
    first.checked_sub(1).and_then(|place| before.get(place)).is_some_and(|word| word.text(text) == "count")
}

/// The names and dots, arguments left out, that a run of tokens ends in: `b`, `.`, `home area`.
pub fn chain(before: &[Token], text: &str) -> Vec<String> {
    chain_of(before, text).0
}

/// The same, and how many tokens that are.
fn chain_of(before: &[Token], text: &str) -> (Vec<String>, usize) {
    let mut found: Vec<String> = Vec::new();
    let mut at = before.len();
    let mut depth = 0_usize;
    let mut name: Vec<&str> = Vec::new();
    while at > 0 {
        at -= 1;
        let token = before[at];
        let word = token.text(text);
        match token.kind {
            TokenKind::Close(_) => depth += 1,
            TokenKind::Open(_) if depth == 0 => {
                at += 1;
                break;
            }
            TokenKind::Open(_) => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Word | TokenKind::Quoted if !is_reserved(word) => name.insert(0, word),
            TokenKind::Sign if word == "." => {
                found.insert(0, std::mem::take(&mut name).join(" "));
                found.insert(0, word.to_owned());
            }
            TokenKind::Word
            | TokenKind::Text
            | TokenKind::Quoted
            | TokenKind::Cite
            | TokenKind::Row
            | TokenKind::Newline
            | TokenKind::Sign => {
                at += 1;
                break;
            }
        }
    }
    if !name.is_empty() || !found.is_empty() {
        found.insert(0, name.join(" "));
    }
    (found, before.len() - at)
}
