//! Puts expressions in the place of names in a clause: how a law of a step becomes a need of an option.

use blazon_syntax::ast::{Call, Clause, ClauseKind, Expr, ExprKind, Piece, Query, Text};

/// A clause with names replaced.
pub(crate) fn clause(clause: &Clause, bound: &[(String, Expr)]) -> Clause {
    let mut clause = clause.clone();
    if let ClauseKind::Need { condition, reason } = &mut clause.kind {
        *condition = expr(condition, bound);
        if let Some(reason) = reason {
            *reason = text(reason, bound);
        }
    }
    clause
}

fn text(text: &Text, bound: &[(String, Expr)]) -> Text {
    let pieces = text
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Plain(plain) => Piece::Plain(plain.clone()),
            Piece::Hole(hole) => Piece::Hole(expr(hole, bound)),
        })
        .collect();
    Text { pieces, span: text.span }
}

fn expr(old: &Expr, bound: &[(String, Expr)]) -> Expr {
    let boxed = |e: &Expr| Box::new(expr(e, bound));
    let kind = match &old.kind {
        ExprKind::Call(call) if call.args.is_empty() => {
            if let Some((_, new)) = bound.iter().find(|(name, _)| *name == call.name.text) {
                return Expr { kind: new.kind.clone(), span: old.span };
            }
            old.kind.clone()
        }
        ExprKind::Call(call) => ExprKind::Call(arguments(call, bound)),
        ExprKind::Dot(target, call) => ExprKind::Dot(boxed(target), arguments(call, bound)),
        ExprKind::Not(inner) => ExprKind::Not(boxed(inner)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
        ExprKind::Range(a, b) => ExprKind::Range(boxed(a), boxed(b)),
        ExprKind::Otherwise(a, b) => ExprKind::Otherwise(boxed(a), boxed(b)),
        ExprKind::List(items) => ExprKind::List(items.iter().map(|item| expr(item, bound)).collect()),
        ExprKind::Query(query) => {
            // The query's own variable hides a parameter of that name.
            let inner: Vec<(String, Expr)> = bound
                .iter()
                .filter(|(name, _)| query.name.as_ref().is_none_or(|own| own.text != *name))
                .cloned()
                .collect();
            ExprKind::Query(Box::new(Query {
                quantifier: query.quantifier,
                name: query.name.clone(),
                source: expr(&query.source, bound),
                filter: query.filter.as_ref().map(|e| expr(e, &inner)),
                by: query.by.as_ref().map(|e| expr(e, &inner)),
                within: query.within.as_ref().map(|e| expr(e, bound)),
            }))
        }
        ExprKind::Text(inner) => ExprKind::Text(text(inner, bound)),
        ExprKind::Number(_) | ExprKind::Flag(_) | ExprKind::None | ExprKind::Thing(_) => old.kind.clone(),
    };
    Expr { kind, span: old.span }
}

fn arguments(call: &Call, bound: &[(String, Expr)]) -> Call {
    Call { name: call.name.clone(), args: call.args.iter().map(|arg| expr(arg, bound)).collect() }
}
