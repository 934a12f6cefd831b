//! What an expression says, in the words of the rules: for those who are told why a rule answered as it did.

use blazon_diagnostics::{Sources, Span};

use crate::{Book, Expr, ExprKind};

impl Book {
    /// What is written somewhere, on one line.
    pub fn text(&self, span: Span) -> String {
        text(&self.sources, span)
    }

    /// What a condition says: as it is written, and where variants put several together, in words that say the same.
    pub fn words(&self, condition: &Expr) -> String {
        words(&self.sources, condition)
    }

    /// What a need asks, apart from the cases in which it binds.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others bind always")]
    pub fn needed(&self, condition: &Expr) -> Needed {
        let words = |part: &Expr| words(&self.sources, part);
        match &condition.kind {
            ExprKind::Or(parts) if parts.first().is_some_and(|part| is_case(part, condition)) => {
                let cases: Vec<&Expr> = parts.iter().take_while(|part| is_case(part, condition)).collect();
                let alone = cases.len() == 1;
                Needed {
                    cases: cases.into_iter().map(|part| case(&self.sources, part, alone)).collect(),
                    words: text(&self.sources, condition.span),
                }
            }
            ExprKind::Choice(case, then, _) => Needed { cases: vec![words(case)], words: words(then) },
            _ => Needed { cases: Vec::new(), words: words(condition) },
        }
    }
}

/// What a need says, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// It binds only where all of these hold: so it is written, or a variant says so. The first parts of its condition
    /// deny them, in this order.
    pub cases: Vec<String>,
    /// What must hold then.
    pub words: String,
}

/// Whether a part of a need's condition only says where it does not bind: it stands in front of what is written there.
fn is_case(part: &Expr, condition: &Expr) -> bool {
    !is_within(part.span, condition.span)
}

/// The case that a part of a need's condition denies; alone it needs no brackets.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others are denied by a word")]
fn case(sources: &Sources, part: &Expr, alone: bool) -> String {
    match &part.kind {
        ExprKind::Not(inner) if part.span.is_empty() && alone => words(sources, inner),
        ExprKind::Not(inner) if part.span.is_empty() => inner_words(sources, inner),
        _ => format!("not {}", inner_words(sources, part)),
    }
}

fn text(sources: &Sources, span: Span) -> String {
    sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a variant changes under a condition does not hold elsewhere: such a denial stands on no page, its place is empty.
/// And conditions that were joined stand apart.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others are written as they are")]
fn words(sources: &Sources, expr: &Expr) -> String {
    let parts = match &expr.kind {
        ExprKind::Not(inner) if expr.span.is_empty() => {
            return format!("not {}", inner_words(sources, inner));
        }
        ExprKind::And(parts) | ExprKind::Or(parts) => parts,
        _ => return text(sources, expr.span),
    };
    if parts.iter().all(|part| is_within(part.span, expr.span)) {
        return text(sources, expr.span);
    }
    let word = if matches!(expr.kind, ExprKind::And(_)) { " and " } else { " or " };
    parts.iter().map(|part| inner_words(sources, part)).collect::<Vec<_>>().join(word)
}

/// The same where it stands beside or behind another word: what is several words by itself stands in brackets.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others need no brackets")]
fn inner_words(sources: &Sources, expr: &Expr) -> String {
    let words = words(sources, expr);
    match expr.kind {
        ExprKind::And(_) | ExprKind::Or(_) => format!("({words})"),
        _ => words,
    }
}

/// Whether something stands within a place of a page.
fn is_within(part: Span, whole: Span) -> bool {
    !part.is_empty() && whole.contains(part)
}
