//! Where brackets must stand: signs whose order of binding is known to the grammar, but not to everybody who reads the
//! page. What is written without them is read by the order of binding all the same, told with a mend that writes them
//! as it was read.

use blazon_diagnostics::{Diagnostic, Edit, Fix, Span};
use blazon_grammar::{Node, Rule};

use crate::ast::{BinaryOp, Quantifier, Query};

/// The signs that join sets as well as numbers: beside a query they can be taken for a part of what it asks.
pub(super) fn joins_sets(operator: BinaryOp) -> bool {
    match operator {
        BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Both => true,
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::AtMost
        | BinaryOp::Greater
        | BinaryOp::AtLeast
        | BinaryOp::In
        | BinaryOp::NotIn
        | BinaryOp::Times
        | BinaryOp::Over => false,
    }
}

/// `a or b and c`: `ors` and `ands` are the signs of one expression, `parts` what `and` joins in it beside an `or`.
pub(super) fn and_beside_or(or: Span, parts: &[Span]) -> Option<Diagnostic> {
    let first = parts.first()?;
    let diagnostic = Diagnostic::error(
        "syntax::brackets",
        *first,
        "`and` and `or` stand beside each other without brackets",
    )
    .label("this was read as one part")
    .related(or, "beside this `or`")
    .help("put what belongs together in brackets: `a or (b and c)`, or `(a or b) and c`");
    Some(diagnostic.fix(bracketed("put brackets around what `and` joins", parts)))
}

/// `count S - T`: a query of a ready set, beside a sign that could belong to the set. `joined` is what it would ask then.
pub(super) fn query_beside_sign(query: Span, of: &Query, joined: Span, sign: Span) -> Diagnostic {
    let word = of.quantifier.word();
    let alone = bracketed("put brackets around the query", &[query]);
    let whole = bracketed("put brackets around what it asks", &[joined]);
    // A number is added to; a flag has no sum, and of two sets the one that the sign makes is meant.
    let fixes = match of.quantifier {
        Quantifier::Count | Quantifier::Total => [alone, whole],
        Quantifier::All
        | Quantifier::Any
        | Quantifier::First
        | Quantifier::Most
        | Quantifier::Least
        | Quantifier::Highest
        | Quantifier::Lowest
        | Quantifier::Reach
        | Quantifier::Way
        | Quantifier::Every
        | Quantifier::Min
        | Quantifier::Max => [whole, alone],
    };
    Diagnostic::error("syntax::brackets", query, format!("`{word}` stands beside a sign without brackets"))
        .label("this was read as one part")
        .related(sign, "the sign")
        .help(format!("put what belongs together in brackets: `({word} a) - b`, or `{word} (a - b)`"))
        .with_fixes(fixes)
}

/// `all x in A + B`: a part of a query that a sign joins.
pub(super) fn sign_in_query(part: Span, sign: Span) -> Diagnostic {
    Diagnostic::error("syntax::brackets", part, "a part of a query is joined by a sign without brackets")
        .label("this was read as one part")
        .related(sign, "the sign")
        .help("put what belongs together in brackets: `all x in (a + b)`, `total x in s by (x.n + 1)`")
        .fix(bracketed("put brackets around the part", &[part]))
}

/// `f(most x in s by a, b)`: a comma behind `by` that could begin another key, or the next of a list. `query` is where the
/// whole is read, `keys` its part behind `by`.
pub(super) fn keys_in_list(
    query: Span,
    keys: &Node<'_>,
    span: impl Fn(&Node<'_>) -> Span,
) -> Option<Diagnostic> {
    let rest = &keys.get_input()[keys.as_span().end()..];
    let is_last = !rest.trim_start().starts_with(',');
    let mut each = keys.clone().into_inner().filter(|node| node.as_rule() == Rule::sum);
    let (first, second) = (each.next()?, each.next());
    if is_last && second.is_none() {
        return None;
    }
    let alone =
        bracketed("put brackets around the query with one key", &[Span { end: span(&first).end, ..query }]);
    let whole = bracketed("put brackets around the query with all keys", &[query]);
    let fixes = if second.is_some() { vec![whole, alone] } else { vec![alone] };
    let diagnostic = Diagnostic::error(
        "syntax::brackets",
        query,
        "it cannot be seen whether the comma belongs to `by` or to the list around the query",
    )
    .label("this was read as one part")
    .help("put the query in brackets, with all that it compares: `[(most x in s by a, b), y]`");
    Some(diagnostic.with_fixes(fixes))
}

/// A mend that puts brackets around places.
fn bracketed(title: &str, places: &[Span]) -> Fix {
    let at = |span: Span, at: u32, sign: &str| Edit {
        span: Span { start: at, end: at, ..span },
        replacement: sign.to_owned(),
    };
    let edits = places.iter().flat_map(|&span| [at(span, span.start, "("), at(span, span.end, ")")]);
    Fix { title: title.to_owned(), edits: edits.collect() }
}
