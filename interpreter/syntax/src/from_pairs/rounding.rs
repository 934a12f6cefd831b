//! `rounded` behind a name: the grammar reads it as a part of the name, where the name ends a quotient it is taken off.

use blazon_diagnostics::Span;

use super::fold;
use crate::ast::{Expr, ExprKind, Name, Rounding};

/// Takes the words of rounding off the end of what divides; `written` is its text.
pub(super) fn split_off(written: &str, divisor: &mut Expr) -> Option<(Rounding, Span)> {
    let name = last_name(divisor)?;
    let written = written.trim_end();
    let start = written.rfind("rounded")?;
    let (before, words) = written.split_at(start);
    let rounding = Rounding::written(words)?;
    // The name must go on before it, and end a word there.
    let kept = before.trim_end();
    let known = name.text.strip_suffix(&fold(words))?;
    if known.trim().is_empty() || kept.len() == before.len() {
        return None;
    }
    let end = name.span.end;
    let span = Span { start: end - words.len() as u32, ..name.span };
    name.text = known.trim_end().to_owned();
    name.span.end = end - (written.len() - kept.len()) as u32;
    divisor.span.end = name.span.end;
    Some((rounding, Span { end, ..span }))
}

/// The name with which an expression ends, if nothing stands behind it.
fn last_name(expr: &mut Expr) -> Option<&mut Name> {
    match &mut expr.kind {
        ExprKind::Call(call) | ExprKind::Dot(_, call) if call.args.is_empty() => Some(&mut call.name),
        ExprKind::Text(_)
        | ExprKind::Number(_)
        | ExprKind::Flag(_)
        | ExprKind::None
        | ExprKind::Thing(_)
        | ExprKind::Call(_)
        | ExprKind::Dot(..)
        | ExprKind::Not(_)
        | ExprKind::Binary(..)
        | ExprKind::Rounded(..)
        | ExprKind::Range(..)
        | ExprKind::Otherwise(..)
        | ExprKind::Query(_)
        | ExprKind::List(_) => None,
    }
}
