//! Turns of a loop that can go by and change nothing: no state is set, nobody is asked, nothing is rolled. The next turn is the
//! same, and so are all after it.

use blazon_book::walk::Deeds;
use blazon_book::{Block, Expr, Statement, StatementKind, Value};
use blazon_diagnostics::{Diagnostic, Span};

use crate::project::{Layer, Parsed};

/// Warns of a loop of which a turn can go by like this, at the way that it goes.
pub(super) fn idle_turn(parsed: &Parsed, condition: &Expr, body: &Block, diagnostics: &mut Vec<Diagnostic>) {
    // Whoever plays by the library cannot mend it.
    let is_of_library = parsed.layer_of(condition.span.source) == Some(Layer::Library);
    // Where all of its turns are such it has been told.
    let Some(way) = idle(body).filter(|way| !way.0.is_empty() && !is_of_library) else { return };
    let message = "a turn of this loop can change nothing, and then it never ends".to_owned();
    let mut said = Diagnostic::warning("lint::may-not-end", condition.span, message)
        .label("this holds again after such a turn");
    for (span, words) in way.0 {
        said = said.related(span, words);
    }
    diagnostics.push(said.help("set something on this way, too, or leave the loop with `stop`"));
}

/// Where a way through a block turns off from what is done on others.
#[derive(Default)]
struct Way(Vec<(Span, &'static str)>);

/// A way through a block on which nothing is set, asked, rolled or left. Only what is decided by a condition counts: a loop
/// through a set that may be empty is taken to go on.
fn idle(block: &Block) -> Option<Way> {
    let mut way = Way::default();
    for statement in block {
        way.0.extend(idle_past(statement)?.0);
    }
    Some(way)
}

fn idle_past(statement: &Statement) -> Option<Way> {
    let turned = |span: Span, words: &'static str, way: Way| Way([vec![(span, words)], way.0].concat());
    match &statement.kind {
        StatementKind::Let(_, Value::Expr(_)) | StatementKind::Say { .. } => Some(Way::default()),
        StatementKind::If(condition, then, otherwise) => {
            let past = idle(otherwise).map(|way| turned(condition.span, "where this does not hold", way));
            past.or_else(|| idle(then).map(|way| turned(condition.span, "where this holds", way)))
        }
        StatementKind::Case { arms, otherwise, .. } => {
            let past = otherwise.iter().find_map(idle);
            let past = past.or_else(|| arms.iter().find_map(|(_, block)| idle(block)));
            past.map(|way| turned(statement.span, "in one of these cases", way))
        }
        StatementKind::Choose(choose) => {
            let past = idle(choose.otherwise.as_ref()?)?;
            Some(turned(statement.span, "where nothing is open", past))
        }
        // What is gone through, or named, is mostly there: `while any tents { with a = first tents { … } }`.
        StatementKind::For { otherwise: Some(block), .. } => {
            Some(turned(statement.span, "where it is absent", idle(block)?))
        }
        StatementKind::For { .. } => (Deeds::of_statement(statement) == Deeds::default()).then(Way::default),
        StatementKind::While(..)
        | StatementKind::Let(..)
        | StatementKind::Assign { .. }
        | StatementKind::Stop
        | StatementKind::Return(_)
        | StatementKind::Do(..)
        | StatementKind::Win(_)
        | StatementKind::Invalid(_) => None,
    }
}
