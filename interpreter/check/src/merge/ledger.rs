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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Something is hung on it or done within it.
    Hang,
    /// It is added, under a name that two cannot have.
    Add,
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
const HELP: &str =
    "keep one of them, or let the manifest of one name the other in `after:`: then it has the last word";

/// The same where one layer does both.
const ONE_LAYER: &str =
    "keep one of them: the order of the page says nothing; `replace` puts something in another's place";

/// The same where both add something.
const BOTH_ADD: &str = "give one of them another name; or let the manifest of one name the other in `after:`, and write `replace` there";

/// How it is ended that one changes what another adds.
const NEIGHBOUR: &str =
    "a variant can change what lies below it: let its manifest name the other in `after:`";

/// All pairs that cannot be played together.
pub(crate) fn clashes(entries: &[Entry], order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let mut found: Vec<(&Entry, &Entry)> = Vec::new();
    each_pair(entries, &mut |a, b| {
        let (first, second) = if key(a) <= key(b) { (a, b) } else { (b, a) };
        if meet(first, second, order) {
            found.push((first, second));
        }
    });
    found.sort_by_key(|(first, second)| (key(second), key(first), first.path != second.path));
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

/// Looks at all pairs that could meet: at one part, but of what only hangs there; and what settles a part with what is done within
/// it. Of thousands of things that hang on one part no two are looked at.
fn each_pair<'e>(entries: &'e [Entry], look: &mut impl FnMut(&'e Entry, &'e Entry)) {
    let (mut hung, mut others): (ByPath<'e>, ByPath<'e>) = Default::default();
    for entry in entries {
        let of = if entry.op == Op::Hang { &mut hung } else { &mut others };
        of.entry(&entry.path).or_default().push(entry);
    }
    for (path, others) in &others {
        for (place, a) in others.iter().enumerate() {
            others[place + 1..].iter().for_each(|b| look(a, b));
            if matches!(a.op, Op::Add | Op::Whole | Op::Remove) {
                hung.get(path).into_iter().flatten().for_each(|b| look(a, b));
            }
        }
    }
    for inner in entries {
        for length in 1..inner.path.len() {
            let around = others.get(&inner.path[..length]).into_iter().flatten();
            around.filter(|outer| outer.op != Op::Hang).for_each(|outer| look(outer, inner));
        }
    }
}

/// Changes by the part that they change.
type ByPath<'e> = BTreeMap<&'e [String], Vec<&'e Entry>>;

/// Whether it puts something in the place of the part, or takes it away.
fn settles(entry: &Entry) -> bool {
    matches!(entry.op, Op::Put | Op::Whole | Op::Remove)
}

/// Of two changes the one that adds something, and the one that changes that, or something in it.
fn added_by_other<'e>(a: &'e Entry, b: &'e Entry) -> Option<(&'e Entry, &'e Entry)> {
    let of = |added: &'e Entry, changed: &'e Entry| {
        let is_met = added.op == Op::Add && changed.path.starts_with(&added.path);
        let is_other = changed.op != Op::Add || changed.path.len() > added.path.len();
        (is_met && is_other).then_some((added, changed))
    };
    of(a, b).or_else(|| of(b, a))
}

/// The order in which two are told: by layer, then by place.
fn key(entry: &Entry) -> (Layer, Span) {
    (entry.layer, entry.span)
}

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
        (Op::Hang, Op::Hang | Op::Add | Op::Put)
        | (Op::Add | Op::Put, Op::Hang)
        | (Op::Add, Op::Put)
        | (Op::Put, Op::Add)
        | (Op::Remove, Op::Remove) => false,
        (Op::Add, Op::Add) => true,
        (Op::Put, Op::Put) => !a.conditional && !b.conditional,
        (Op::Hang | Op::Add | Op::Put, Op::Remove | Op::Whole) => !b.conditional,
        (Op::Remove | Op::Whole, Op::Hang | Op::Add | Op::Put) => !a.conditional,
        (Op::Remove | Op::Whole, Op::Whole) | (Op::Whole, Op::Remove) => !a.conditional || !b.conditional,
    }
}

/// Whether what is done to a part leaves nothing of what is done within it.
fn within(outer: &Entry, inner: &Entry) -> bool {
    if outer.conditional {
        return false;
    }
    match outer.op {
        Op::Hang | Op::Add => false,
        Op::Put => !inner.conditional && !matches!(inner.op, Op::Hang | Op::Add),
        Op::Whole | Op::Remove => true,
    }
}
