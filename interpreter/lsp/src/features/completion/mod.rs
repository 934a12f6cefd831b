//! What can be written at a place: of the closed vocabulary only what fits there.

mod candidates;
mod context;
mod types;

pub use candidates::options;
use context::{Context, Expected, Readable};
pub use context::{chain, context};
pub use types::{Signature, called};

use blazon_diagnostics::Span;
use blazon_syntax::{GoingOn, going_on};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, Documentation, TextEdit,
};

use crate::workspace::Page;

/// How many are offered at once; more are offered when more is written.
const MOST: usize = 400;

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The words.
    pub text: String,
    /// What it is, for its sign.
    pub kind: CompletionItemKind,
    /// A few words beside it: its type.
    pub detail: String,
    /// How near it is: what is near stands first.
    pub rank: u8,
}

impl Candidate {
    /// A candidate.
    pub fn new(
        text: impl Into<String>,
        kind: CompletionItemKind,
        detail: impl Into<String>,
        rank: u8,
    ) -> Self {
        Self { text: text.into(), kind, detail: detail.into(), rank }
    }
}

/// The name that is supposed to stand where nothing stands yet.
const SUPPOSED: &str = "x";

/// The same where a condition is to be followed by another.
const SUPPOSED_CASE: &str = "x: x";

/// The text of a page with a name where one is expected and with what closes the brackets that are open there, if the item
/// cannot be read without: what has no name behind its dot, or a bracket that is still open, is no item, and nothing would be
/// known of its variables.
pub fn supposed(page: &Page, offset: u32) -> Option<String> {
    let text = &page.text()?.text;
    let (before, after) = (text.get(..offset as usize)?, text.get(offset as usize..)?);
    let is_word = |c: char| c.is_alphanumeric();
    if after.starts_with(is_word) {
        return None;
    }
    let takes_name = match context(text, offset as usize).expected {
        Expected::Asked(_)
        | Expected::Value(_)
        | Expected::Argument(..)
        | Expected::Given(_)
        | Expected::Pick => true,
        Expected::Nothing
        | Expected::Item
        | Expected::Statement
        | Expected::TestLine
        | Expected::Paragraph
        | Expected::Type
        | Expected::Kind
        | Expected::Part
        | Expected::Cell(..)
        | Expected::Placed
        | Expected::Clause
        | Expected::Member
        | Expected::Condition
        | Expected::Named(_)
        | Expected::RulingValue(_) => false,
    };
    // It is enough to look where something is wrong with the syntax.
    let wrong = page.book.checked.diagnostics.iter().filter(|said| said.code.starts_with("syntax::"));
    let mut wrong = wrong.filter_map(|said| said.span).filter(|span| span.source == page.source);
    if !takes_name || wrong.next().is_none() {
        return None;
    }
    let name = match is_case(before, after) {
        _ if before.ends_with(is_word) => "",
        true => SUPPOSED_CASE,
        false => SUPPOSED,
    };
    let closing = context::closing(before, after);
    let is_other = !name.is_empty() || !closing.is_empty();
    is_other.then(|| [before, name, &closing, after].concat())
}

/// Whether the case of a need is written, `needs label if …`, and not yet what is needed in it.
fn is_case(before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let rest = after.split('\n').next().unwrap_or_default();
    let case = line.rfind("needs ").and_then(|at| Some(&line[at + line[at..].find("if ")?..]));
    case.is_some_and(|case| !case.contains(':')) && !rest.contains(':')
}

/// What can be written at an offset of a page; `known` is the page as it is supposed to be.
pub fn completion(page: &Page, known: &Page, offset: u32) -> CompletionList {
    let Some(source) = page.text() else { return CompletionList::default() };
    let at = offset as usize;
    let context = context(&source.text, at);
    let mut found = candidates::of(known, offset, &context);
    let going = going(&source.text, &context);
    // Where a value may begin, what it is says whether it can be denied.
    let denial = going.as_ref().filter(|going| going.begins).map(|_| "not");
    for word in going.iter().flat_map(|going| &going.words).filter(|word| denial != Some(**word)) {
        if !found.iter().any(|candidate| candidate.text == *word) {
            found.push(Candidate::new(*word, CompletionItemKind::Keyword, "", 6));
        }
    }
    found.sort_by(|a, b| (a.rank, &a.text).cmp(&(b.rank, &b.text)));
    found.dedup_by(|a, b| a.text == b.text);
    let begun = |candidate: &Candidate| start_of(&source.text, &context.starts, at, &candidate.text);
    let begun = found.iter().filter_map(|candidate| Some((candidate, begun(candidate)?)));
    // Behind a value no other begins: only its name may go on.
    let last = context.starts.last().copied();
    let fits = |(candidate, start): &(&Candidate, Start)| {
        going.as_ref().is_none_or(|going| {
            going.begins
                || !context.expected.is_value()
                || start.begins && Some(start.at) != last
                || going.words.contains(&candidate.text.as_str())
        })
    };
    let begun = begun.filter(fits);
    // If there are too many, those are left out that only hold the letters somewhere.
    let (whole, parts): (Vec<_>, Vec<_>) = begun.partition(|(_, start)| start.begins);
    let shown = whole.into_iter().chain(parts).take(MOST).map(|(candidate, start)| {
        let range = page.read().range(Span::new(page.source, start.at, at));
        item(candidate, TextEdit { range, new_text: candidate.text.clone() })
    });
    let items: Vec<CompletionItem> = shown.collect();
    let is_incomplete = items.len() >= MOST || context.starts.len() > 1;
    CompletionList { is_incomplete, items, ..CompletionList::default() }
}

/// With what the text before the word at the cursor goes on.
fn going(text: &str, context: &Context) -> Option<GoingOn> {
    let end = *context.starts.last()?;
    let (start, is_item) = match context.readable? {
        Readable::Item => (0, true),
        Readable::Hole(start) => (start, false),
    };
    going_on(text.get(start..end)?, is_item)
}

/// Where the words begin that a candidate goes on.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: usize,
    /// Whether it begins with them, and does not only hold their letters.
    begins: bool,
}

/// Where the words begin that a candidate goes on: the longest run that it begins with, or else the last word, if its
/// letters stand in the candidate.
fn start_of(text: &str, starts: &[usize], at: usize, candidate: &str) -> Option<Start> {
    let lower = candidate.to_lowercase();
    let written = |start: usize| {
        let words = text.get(start..at).unwrap_or_default();
        let folded = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if words.ends_with(char::is_whitespace) && !folded.is_empty() { folded + " " } else { folded }
    };
    let begins = starts.iter().find(|start| lower.starts_with(&written(**start)));
    begins.map(|at| Start { at: *at, begins: true }).or_else(|| {
        let last = *starts.last()?;
        let mut letters = lower.chars();
        let holds = written(last).chars().all(|wanted| letters.any(|c| c == wanted));
        holds.then_some(Start { at: last, begins: false })
    })
}

fn item(candidate: &Candidate, edit: TextEdit) -> CompletionItem {
    CompletionItem {
        label: candidate.text.clone(),
        kind: Some(candidate.kind),
        detail: (!candidate.detail.is_empty()).then(|| candidate.detail.clone()),
        sort_text: Some(format!("{}{}", candidate.rank, candidate.text.to_lowercase())),
        filter_text: Some(candidate.text.clone()),
        text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
        documentation: None::<Documentation>,
        ..CompletionItem::default()
    }
}
