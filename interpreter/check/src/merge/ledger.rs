//! Every change that the variants make, by the part that it changes, and the law of pairs: which two of them cannot both
//! have their way. The law speaks of parts and of who knows of whom, never of what was written first.
//!
//! | one \ the other, at the same part | hang | put | whole | remove |
//! | --- | --- | --- | --- | --- |
//! | hang on it | agree | agree | clash | clash |
//! | put another body in its place | agree | clash | clash | clash |
//! | put all anew (`whole`) | clash | clash | clash | clash |
//! | remove it | clash | clash | clash | agree |
//!
//! Where one changes a part of what the other changes: `whole` and remove clash with everything within; to put a body
//! clashes with what puts or removes a part of that body. What is hung within another's body is looked for in the new
//! body when it is woven. Two that add something of one name clash, and so does what adds something with what changes
//! that without knowing of it. Under a condition, to put or remove something is an exception: those meet when they are woven.
//! Lines that set one state in a setup meet when it is known which they mean.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Span};

use crate::merge::order::{Order, Standing};
use crate::project::Layer;

/// What is done to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    /// Something is hung on it or done within it.
    Hang,
    /// It is added, under a name that two cannot have.
    Add,
    /// It is declared: that two declare it is told by who reads the pages.
    Declare,
    /// Another body, line, row, value comes in its place.
    Put,
    /// It comes anew, with nothing of what was hung on it.
    Whole,
    Remove,
}

/// One change.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// From the item to the part in it, outer before inner.
    pub path: Vec<String>,
    pub op: Op,
    pub layer: Layer,
    /// Whether it stands under a condition.
    pub conditional: bool,
    pub span: Span,
}

/// How a clash is ended.
pub(crate) const HELP: &str =
    "keep one of them, or let the manifest of one name the other in `after:`: then it has the last word";

/// The same where one layer does both.
const ONE_LAYER: &str =
    "keep one of them: the order of the page says nothing; `replace` puts something in another's place";

/// The same where both add something.
const BOTH_ADD: &str = "give one of them another name; or let the manifest of one name the other in `after:`, and write `replace` there";

/// How it is ended that one changes what another adds.
pub(crate) const NEIGHBOUR: &str =
    "a variant can change what lies below it: let its manifest name the other in `after:`";

/// What cannot be played together. Of thousands that fight over one place no pair is formed but the one that is told: of
/// each change the first that it meets.
pub(crate) fn clashes(entries: &[Entry], order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|entry| key(entry));
    let parts = Parts::of(&entries);
    // For each place and what is said there the first pair.
    let mut told: BTreeMap<(Span, bool), (&Entry, &Entry)> = BTreeMap::new();
    for &entry in &entries {
        for other in parts.around(entry).filter(|other| !std::ptr::eq(*other, entry)) {
            let (first, second) = if key(entry) <= key(other) { (entry, other) } else { (other, entry) };
            if !meet(first, second, order) {
                continue;
            }
            let changed = added_by_other(first, second).filter(|_| first.layer != second.layer);
            let place = changed.map_or((second.span, false), |(_, changed)| (changed.span, true));
            let pair = told.entry(place).or_insert((first, second));
            if rank(first, second) < rank(pair.0, pair.1) {
                *pair = (first, second);
            }
        }
    }
    let mut found: Vec<(&Entry, &Entry)> = told.into_values().collect();
    found.sort_by_key(|(first, second)| rank(first, second));
    // Two that meet at several parts are told once.
    found.dedup_by_key(|(first, second)| (key(second), key(first)));
    for (first, second) in found {
        let one_layer = first.layer == second.layer;
        if let Some((added, changed)) = added_by_other(first, second).filter(|_| !one_layer) {
            diagnostics.push(
                Diagnostic::error("amend::clash", changed.span, "this changes what a variant beside it adds")
                    .label("changed here")
                    .related(added.span, "added here")
                    .help(NEIGHBOUR),
            );
            continue;
        }
        if first.path == second.path && (first.op, second.op) == (Op::Add, Op::Add) && !one_layer {
            diagnostics.push(two(first.span, second.span).help(BOTH_ADD));
            continue;
        }
        if first.path == second.path {
            diagnostics.push(fight(first.span, second.span, one_layer));
            continue;
        }
        let diagnostic = Diagnostic::error("amend::clash", second.span, "two changes fight over one place");
        let diagnostic = if first.path.len() < second.path.len() {
            diagnostic.label("of this nothing is left").related(first.span, "by this")
        } else {
            diagnostic.label("this leaves nothing of the other").related(first.span, "the other")
        };
        diagnostics.push(diagnostic.help(if one_layer { ONE_LAYER } else { HELP }));
    }
}

/// What is said of two changes of one part.
pub(crate) fn fight(first: Span, second: Span, one_layer: bool) -> Diagnostic {
    two(first, second).help(if one_layer { ONE_LAYER } else { HELP })
}

fn two(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("amend::clash", second, "two changes fight over one place")
        .label("the second")
        .related(first, "the first")
}

/// The order in which pairs are told; where two changes meet at several parts, first the part that both change.
fn rank(first: &Entry, second: &Entry) -> (Key, Key, bool) {
    (key(second), key(first), first.path != second.path)
}

/// Of the changes of each part the first of every sort. Whether two changes meet hangs on nothing else: so nobody needs to
/// look at the others.
struct Parts<'e> {
    at: BTreeMap<&'e [String], Sorts<'e>>,
    /// What is done within a part that somebody changes.
    within: BTreeMap<&'e [String], Sorts<'e>>,
}

/// The first changes by layer, by what they do and by whether they stand under a condition: two of each, since one of
/// them may be the one that a partner is looked for.
type Sorts<'e> = BTreeMap<(Layer, Op, bool), Vec<&'e Entry>>;

impl<'e> Parts<'e> {
    /// Of changes in their order.
    fn of(entries: &[&'e Entry]) -> Self {
        let mut parts = Self { at: BTreeMap::new(), within: BTreeMap::new() };
        for &entry in entries {
            note(parts.at.entry(&entry.path).or_default(), entry);
        }
        for &entry in entries {
            for around in prefixes(entry).filter(|around| parts.at.contains_key(around)) {
                note(parts.within.entry(around).or_default(), entry);
            }
        }
        parts
    }

    /// Those at the part of a change, around it and within it.
    fn around<'p>(&'p self, entry: &'e Entry) -> impl Iterator<Item = &'e Entry> + 'p {
        let at = std::iter::once(entry.path.as_slice()).chain(prefixes(entry));
        let at = at.filter_map(|path| self.at.get(path));
        at.chain(self.within.get(entry.path.as_slice())).flat_map(BTreeMap::values).flatten().copied()
    }
}

fn note<'e>(sorts: &mut Sorts<'e>, entry: &'e Entry) {
    let first = sorts.entry((entry.layer, entry.op, entry.conditional)).or_default();
    if first.len() < 2 {
        first.push(entry);
    }
}

/// The parts around what is changed.
fn prefixes(entry: &Entry) -> impl Iterator<Item = &[String]> {
    (1..entry.path.len()).map(|length| &entry.path[..length])
}

/// Whether it brings something of a name.
fn adds(entry: &Entry) -> bool {
    matches!(entry.op, Op::Add | Op::Declare)
}

/// Whether it puts something in the place of the part, or takes it away.
fn settles(entry: &Entry) -> bool {
    matches!(entry.op, Op::Put | Op::Whole | Op::Remove)
}

/// Of two changes the one that adds something, and the one that changes that, or something in it.
fn added_by_other<'e>(a: &'e Entry, b: &'e Entry) -> Option<(&'e Entry, &'e Entry)> {
    let of = |added: &'e Entry, changed: &'e Entry| {
        let is_met = adds(added) && changed.path.starts_with(&added.path);
        let is_other = !adds(changed) || changed.path.len() > added.path.len();
        (is_met && is_other).then_some((added, changed))
    };
    of(a, b).or_else(|| of(b, a))
}

/// The order in which two are told: by layer, then by place.
fn key(entry: &Entry) -> Key {
    (entry.layer, entry.span)
}

type Key = (Layer, Span);

fn meet(a: &Entry, b: &Entry, order: &Order) -> bool {
    match order.of(a.layer, b.layer) {
        Standing::Above | Standing::Below => false,
        // A slip: the same thing changed twice in one place.
        Standing::Same => {
            // What it adds it need not change again; what hangs on a removed part hangs on nothing.
            let changed = (a.op == Op::Add || settles(a)) && (b.op == Op::Add || settles(b));
            let both = changed && (settles(a) || settles(b));
            a.path == b.path && !a.conditional && !b.conditional && both
        }
        Standing::Beside if added_by_other(a, b).is_some() => true,
        Standing::Beside if a.path == b.path => same_part(a, b),
        Standing::Beside if b.path.starts_with(&a.path) => within(a, b),
        Standing::Beside if a.path.starts_with(&b.path) => within(b, a),
        Standing::Beside => false,
    }
}

fn same_part(a: &Entry, b: &Entry) -> bool {
    match (a.op, b.op) {
        (Op::Hang, Op::Hang | Op::Add | Op::Declare | Op::Put)
        | (Op::Add | Op::Declare | Op::Put, Op::Hang)
        | (Op::Add | Op::Declare, Op::Put)
        | (Op::Put, Op::Add | Op::Declare)
        | (Op::Declare, Op::Declare | Op::Add)
        | (Op::Add, Op::Declare)
        | (Op::Remove, Op::Remove) => false,
        (Op::Add, Op::Add) => true,
        (Op::Put, Op::Put) => !a.conditional && !b.conditional,
        (Op::Hang | Op::Add | Op::Declare | Op::Put, Op::Remove | Op::Whole) => !b.conditional,
        (Op::Remove | Op::Whole, Op::Hang | Op::Add | Op::Declare | Op::Put) => !a.conditional,
        (Op::Remove | Op::Whole, Op::Whole) | (Op::Whole, Op::Remove) => !a.conditional || !b.conditional,
    }
}

/// Whether what is done to a part leaves nothing of what is done within it.
fn within(outer: &Entry, inner: &Entry) -> bool {
    if outer.conditional {
        return false;
    }
    match outer.op {
        Op::Hang | Op::Add | Op::Declare => false,
        Op::Put => !inner.conditional && !matches!(inner.op, Op::Hang | Op::Add | Op::Declare),
        Op::Whole | Op::Remove => true,
    }
}
