//! Expressions, texts and the values of rulings in the words of the language.

use super::{BinaryOp, Call, Expr, ExprKind, Piece, Precedence, Quantifier, Query, RulingValue, Text};

/// The value of a ruling as it is written, on the command line as well.
pub fn ruling_value(value: &RulingValue) -> String {
    match value {
        RulingValue::Flag(true) => "yes".to_owned(),
        RulingValue::Flag(false) => "no".to_owned(),
        RulingValue::Number(number) => number.to_string(),
        RulingValue::Thing(name) => name.text.clone(),
    }
}

/// A text with its quotes, its holes in braces.
pub fn text(text: &Text) -> String {
    let pieces: String = text
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Plain(plain) => plain.clone(),
            Piece::Hole(hole) => format!("{{{}}}", expr(hole)),
            Piece::Plural(of, words) => format!("{{{}: {} | {}}}", expr(of), words.one, words.many),
        })
        .collect();
    format!("\"{pieces}\"")
}

/// An expression in the words of the language.
pub fn expr(whole: &Expr) -> String {
    let around = precedence(&whole.kind);
    match &whole.kind {
        ExprKind::Text(inner) => text(inner),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Flag(true) => "yes".to_owned(),
        ExprKind::Flag(false) => "no".to_owned(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Thing(name) => thing(name),
        ExprKind::Call(inner) => call(inner),
        ExprKind::Dot(target, inner) => format!("{}.{}", inside(target, Precedence::Value), call(inner)),
        ExprKind::Not(inner) => format!("not {}", inside(inner, Precedence::Comparison)),
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            // `and` beside `or` stands in brackets, though it binds more tightly.
            let part =
                |part: &Expr| if is(part, BinaryOp::And) { bracketed(part) } else { inside(part, around) };
            format!("{} or {}", part(a), part(b))
        }
        ExprKind::Binary(op, a, b) => {
            // Left-associative: the right side needs brackets where it binds equally, but of `and` and `or`.
            let right = if around >= Precedence::Comparison { around.tighter() } else { around };
            format!("{} {} {}", inside(a, around), op.sign(), inside(b, right))
        }
        ExprKind::Rounded(rounding, quotient) => {
            format!("{} {}", inside(quotient, around), rounding.words())
        }
        ExprKind::Range(lo, hi) => {
            format!("{}..{}", inside(lo, Precedence::Sum), inside(hi, Precedence::Sum))
        }
        ExprKind::Otherwise(value, fallback) => {
            let (value, fallback) = (inside(value, Precedence::Value), inside(fallback, Precedence::Value));
            format!("{value} otherwise {fallback}")
        }
        ExprKind::List(items) => format!("[{}]", listed(items)),
        ExprKind::Query(of) => query(of),
    }
}

fn query(query: &Query) -> String {
    let word = query.quantifier.word();
    let Some(name) = &query.name else {
        // A ready set, or a query of its own (`first least h in …`).
        let is_query = matches!(query.source.kind, ExprKind::Query(_));
        let source = if is_query { expr(&query.source) } else { inside(&query.source, Precedence::Value) };
        return format!("{word} {source}");
    };
    // A way has no word of its own.
    let blank = if word.is_empty() { "" } else { " " };
    let source = if let ExprKind::Range(lo, hi) = &query.source.kind {
        format!("{}..{}", one_value(lo), one_value(hi))
    } else {
        one_value(&query.source)
    };
    let mut written = format!("{word}{blank}{} in {source}", name.text);
    if let Some(filter) = &query.filter {
        written += &format!(" where {}", expr(filter));
    }
    if !query.by.is_empty() {
        let keys: Vec<String> = query.by.iter().map(one_value).collect();
        written += &format!(" by {}", keys.join(", "));
    }
    if let Some(within) = &query.within {
        written += &format!(" within {}", one_value(within));
    }
    if let Some(holds) = &query.holds {
        written += &format!(": {}", expr(holds));
    }
    written
}

/// Values with commas between them: a query stands in brackets where a comma behind it could belong to its `by`.
pub fn listed(items: &[Expr]) -> String {
    let last = items.len().saturating_sub(1);
    let shown = items.iter().enumerate().map(|(place, item)| match keys_at_end(item) {
        Some(keys) if keys > 1 || place < last => bracketed(item),
        _ => expr(item),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// A value that is followed by a comma: see [`listed`].
pub fn before_comma(item: &Expr) -> String {
    if keys_at_end(item).is_some() { bracketed(item) } else { expr(item) }
}

/// How many keys the query has with which an expression ends, if a comma behind it would be read as one more.
fn keys_at_end(of: &Expr) -> Option<usize> {
    let ExprKind::Query(query) = &of.kind else { return None };
    let last = match (&query.name, &query.holds, &query.filter) {
        (None, ..) => &query.source,
        (_, Some(holds), _) => holds,
        _ if query.quantifier.compares() && query.within.is_none() && !query.by.is_empty() => {
            return Some(query.by.len());
        }
        (_, _, Some(filter)) if query.by.is_empty() && query.within.is_none() => filter,
        _ => match query.by.as_slice() {
            [way] if is_way(way) && query.within.is_none() => way,
            _ => return None,
        },
    };
    keys_at_end(last)
}

/// The name of a thing, in quotes if it needs them.
pub fn thing(name: &str) -> String {
    blazon_diagnostics::written_thing(name)
}

fn call(call: &Call) -> String {
    let name = &call.name.text;
    if call.args.is_empty() { name.clone() } else { format!("{name}({})", listed(&call.args)) }
}

/// How tightly an expression binds.
fn precedence(kind: &ExprKind) -> Precedence {
    match kind {
        ExprKind::Query(_) => Precedence::Query,
        ExprKind::Binary(operator, ..) => operator.precedence(),
        ExprKind::Rounded(..) => Precedence::Product,
        ExprKind::Not(_) => Precedence::Not,
        ExprKind::Range(..) => Precedence::Range,
        ExprKind::Otherwise(..) => Precedence::Otherwise,
        ExprKind::Text(_)
        | ExprKind::Number(_)
        | ExprKind::Flag(_)
        | ExprKind::None
        | ExprKind::Thing(_)
        | ExprKind::Call(_)
        | ExprKind::Dot(..)
        | ExprKind::List(_) => Precedence::Value,
    }
}

/// A part, in brackets if it binds less tightly than what is around it.
fn inside(part: &Expr, around: Precedence) -> String {
    let text = expr(part);
    if precedence(&part.kind) < around { format!("({text})") } else { text }
}

/// A part of a query: in brackets where a sign that also joins sets would stand beside its words.
fn one_value(part: &Expr) -> String {
    if is_way(part) {
        expr(part)
    } else if is(part, BinaryOp::Both) {
        bracketed(part)
    } else {
        inside(part, Precedence::Product)
    }
}

/// Whether a key is what a `reach` goes by, with a variable of its own.
fn is_way(key: &Expr) -> bool {
    matches!(&key.kind, ExprKind::Query(query) if query.quantifier == Quantifier::Way)
}

fn bracketed(part: &Expr) -> String {
    format!("({})", expr(part))
}

/// Whether an expression is two joined by this operator.
fn is(part: &Expr, operator: BinaryOp) -> bool {
    matches!(&part.kind, ExprKind::Binary(op, ..) if *op == operator)
}
