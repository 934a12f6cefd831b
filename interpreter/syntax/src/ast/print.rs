//! Expressions, texts and the values of rulings in the words of the language.

use super::{BinaryOp, Call, Expr, ExprKind, Piece, Quantifier, RulingValue, Text};

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
        })
        .collect();
    format!("\"{pieces}\"")
}

/// An expression in the words of the language.
pub fn expr(whole: &Expr) -> String {
    let around = strength(&whole.kind);
    match &whole.kind {
        ExprKind::Text(inner) => text(inner),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Flag(true) => "yes".to_owned(),
        ExprKind::Flag(false) => "no".to_owned(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Thing(name) => {
            if name.starts_with(char::is_uppercase) {
                name.clone()
            } else {
                format!("'{name}'")
            }
        }
        ExprKind::Call(inner) => call(inner),
        ExprKind::Dot(target, inner) => format!("{}.{}", inside(target, 10), call(inner)),
        ExprKind::Not(inner) => format!("not {}", inside(inner, 4)),
        ExprKind::Binary(op, a, b) => {
            let op = match op {
                BinaryOp::Or => "or",
                BinaryOp::And => "and",
                BinaryOp::Equal => "=",
                BinaryOp::NotEqual => "!=",
                BinaryOp::Less => "<",
                BinaryOp::AtMost => "<=",
                BinaryOp::Greater => ">",
                BinaryOp::AtLeast => ">=",
                BinaryOp::In => "in",
                BinaryOp::NotIn => "not in",
                BinaryOp::Plus => "+",
                BinaryOp::Minus => "-",
                BinaryOp::Times => "*",
                BinaryOp::Over => "/",
                BinaryOp::Both => "&",
            };
            // Left-associative: the right side needs brackets at equal strength.
            format!("{} {op} {}", inside(a, around), inside(b, around + u8::from(around >= 4)))
        }
        ExprKind::Range(lo, hi) => format!("{}..{}", inside(lo, 6), inside(hi, 6)),
        ExprKind::Otherwise(value, fallback) => {
            format!("{} otherwise {}", inside(value, 10), inside(fallback, 10))
        }
        ExprKind::List(items) => {
            let items: Vec<String> = items.iter().map(expr).collect();
            format!("[{}]", items.join(", "))
        }
        ExprKind::Query(query) => {
            let word = match query.quantifier {
                Quantifier::All => "all",
                Quantifier::Any => "any",
                Quantifier::Count => "count",
                Quantifier::First => "first",
                Quantifier::Most => "most",
                Quantifier::Least => "least",
                Quantifier::Total => "total",
                Quantifier::Reach => "reach",
            };
            match &query.name {
                // A ready set, or a query of its own (`first least h in …`).
                None if matches!(query.source.kind, ExprKind::Query(_)) => {
                    format!("{word} {}", expr(&query.source))
                }
                None => format!("{word} {}", inside(&query.source, 10)),
                Some(name) => {
                    let part = |word: &str, part: &Option<Expr>| {
                        part.as_ref().map(|p| format!(" {word} {}", expr(p))).unwrap_or_default()
                    };
                    format!(
                        "{word} {} in {}{}{}{}",
                        name.text,
                        inside(&query.source, 6),
                        part("where", &query.filter),
                        part("by", &query.by),
                        part("within", &query.within)
                    )
                }
            }
        }
    }
}

fn call(call: &Call) -> String {
    let args: Vec<String> = call.args.iter().map(expr).collect();
    if args.is_empty() { call.name.text.clone() } else { format!("{}({})", call.name.text, args.join(", ")) }
}

/// How tightly an operator binds; a part that binds less tightly than what is around it stands in brackets.
fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Query(_) => 0,
        ExprKind::Binary(BinaryOp::Or, ..) => 1,
        ExprKind::Binary(BinaryOp::And, ..) => 2,
        ExprKind::Not(_) => 3,
        ExprKind::Binary(
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::AtMost
            | BinaryOp::Greater
            | BinaryOp::AtLeast
            | BinaryOp::In
            | BinaryOp::NotIn,
            ..,
        ) => 4,
        ExprKind::Range(..) => 5,
        ExprKind::Binary(BinaryOp::Plus | BinaryOp::Minus, ..) => 6,
        ExprKind::Binary(..) => 7,
        ExprKind::Otherwise(..) => 8,
        _ => 10,
    }
}

fn inside(part: &Expr, around: u8) -> String {
    let text = expr(part);
    if strength(&part.kind) < around { format!("({text})") } else { text }
}
