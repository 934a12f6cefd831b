//! Makes checked expressions, folding what is constant: rulings are constants, and what they decide must cost nothing.

use blazon_diagnostics::Span;

use crate::{Arithmetic, Base, Comparison, Expr, ExprKind, KindId, Quantifier, Type};

/// The bounds of `number`: wide enough for any game, narrow enough that sums of them cannot overflow.
pub const NUMBER: (i64, i64) = (-1_000_000_000, 1_000_000_000);

/// A hole of a type, with the parts that could be typed.
pub fn hole(ty: Type, parts: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Invalid(parts), ty, span }
}

/// A constant number.
pub fn number(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Word(value), ty: Type::of(Base::Number(value, value)), span }
}

/// A constant flag.
pub fn flag(value: bool, span: Span) -> Expr {
    Expr { kind: ExprKind::Word(i64::from(value)), ty: Type::of(Base::Flag), span }
}

/// A constant thing.
pub fn thing(kind: KindId, thing: u32, span: Span) -> Expr {
    Expr { kind: ExprKind::Word(i64::from(thing)), ty: Type::of(Base::Thing(kind)), span }
}

/// A thing as a set; a set stays as it is.
pub fn to_set(expr: Expr) -> Expr {
    let Some(kind) = expr.ty.base.kind() else { return expr };
    if matches!(expr.ty.base, Base::Set(_)) {
        return expr;
    }
    let span = expr.span;
    Expr { kind: ExprKind::ToSet(Box::new(expr)), ty: Type::of(Base::Set(kind)), span }
}

/// The value of a constant flag.
pub fn constant(expr: &Expr) -> Option<bool> {
    match (&expr.kind, expr.ty.base) {
        (ExprKind::Word(word), Base::Flag) => Some(*word != 0),
        _ => None,
    }
}

/// `not`, folded. One that is written nowhere has an empty place: what it takes away is then said as it is written.
pub fn not(expr: Expr, span: Span) -> Expr {
    match (constant(&expr), &expr.kind) {
        (Some(value), _) => flag(!value, span),
        (None, ExprKind::Not(inner)) if span.is_empty() => (**inner).clone(),
        (None, ExprKind::Not(inner)) => Expr { span, ..(**inner).clone() },
        (None, _) => Expr { kind: ExprKind::Not(Box::new(expr)), ty: Type::of(Base::Flag), span },
    }
}

/// `and`, folded: what is constant is left out or decides.
pub fn and(parts: Vec<Expr>, span: Span) -> Expr {
    let mut kept = Vec::new();
    for part in parts {
        match (constant(&part), part.kind) {
            (Some(false), _) => return flag(false, span),
            (Some(true), _) => {}
            (None, ExprKind::And(inner)) => kept.extend(inner),
            (None, kind) => kept.push(Expr { kind, ..part }),
        }
    }
    match kept.len() {
        0 => flag(true, span),
        1 => kept.remove(0),
        _ => Expr { kind: ExprKind::And(kept), ty: Type::of(Base::Flag), span },
    }
}

/// `or`, folded likewise.
pub fn or(parts: Vec<Expr>, span: Span) -> Expr {
    let mut kept = Vec::new();
    for part in parts {
        match (constant(&part), part.kind) {
            (Some(true), _) => return flag(true, span),
            (Some(false), _) => {}
            (None, ExprKind::Or(inner)) => kept.extend(inner),
            (None, kind) => kept.push(Expr { kind, ..part }),
        }
    }
    match kept.len() {
        0 => flag(false, span),
        1 => kept.remove(0),
        _ => Expr { kind: ExprKind::Or(kept), ty: Type::of(Base::Flag), span },
    }
}

/// A comparison, folded if both sides are constant or one side is absent and the other cannot be.
pub fn compare(op: Comparison, a: Expr, b: Expr, span: Span) -> Expr {
    if let (ExprKind::Word(x), ExprKind::Word(y)) = (&a.kind, &b.kind) {
        return flag(
            match op {
                Comparison::Equal => x == y,
                Comparison::NotEqual => x != y,
                Comparison::Less => x < y,
                Comparison::AtMost => x <= y,
            },
            span,
        );
    }
    // What is certain is never absent.
    let absent = |e: &Expr| matches!(e.kind, ExprKind::Absent);
    if (absent(&a) && !b.ty.optional) || (absent(&b) && !a.ty.optional) {
        return flag(op == Comparison::NotEqual, span);
    }
    Expr { kind: ExprKind::Compare(op, Box::new(a), Box::new(b)), ty: Type::of(Base::Flag), span }
}

/// Arithmetic on numbers: folded if both sides are constant; its type is as narrow as its operands tell.
pub fn arithmetic(op: Arithmetic, a: Expr, b: Expr, span: Span) -> Expr {
    let (Base::Number(a_lo, a_hi), Base::Number(b_lo, b_hi)) = (a.ty.base, b.ty.base) else {
        return a;
    };
    if let (ExprKind::Word(x), ExprKind::Word(y)) = (&a.kind, &b.kind) {
        let folded = op.apply(*x, *y).filter(|value| (NUMBER.0..=NUMBER.1).contains(value));
        if let Some(value) = folded {
            return number(value, span);
        }
    }
    let (lo, hi) = op.range((a_lo, a_hi), (b_lo, b_hi));
    let ty = Type::of(Base::Number(lo, hi));
    Expr { kind: ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), ty, span }
}

/// The type of one of the numbers `1..n`.
pub fn element_of_numbers(source: &Expr) -> Type {
    let (lo, hi) = if let ExprKind::Range(lo, hi) = &source.kind {
        (crate::bounds(lo.ty).0, crate::bounds(hi.ty).1)
    } else {
        NUMBER
    };
    // Of no numbers there is no element, and any type is true of it.
    Type::of(if lo <= hi { Base::Number(lo, hi) } else { Base::Number(lo, lo) })
}

/// Whether a set cannot be empty.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
pub fn never_empty(expr: &Expr, kinds: &[crate::Kind]) -> bool {
    match &expr.kind {
        ExprKind::Everything(kind) => !kinds[kind.0 as usize].things.is_empty(),
        ExprKind::Players => true,
        ExprKind::ToSet(thing) => !thing.ty.optional,
        ExprKind::List(items) => items.iter().any(|item| !item.ty.optional),
        // From the greatest that the one can be to the least that the other can be.
        ExprKind::Range(lo, hi) => crate::bounds(lo.ty).1 <= crate::bounds(hi.ty).0,
        ExprKind::Sets(crate::SetOp::Union, a, b) => never_empty(a, kinds) || never_empty(b, kinds),
        ExprKind::Query(query) => {
            matches!(
                query.quantifier,
                Quantifier::All | Quantifier::Most | Quantifier::Least | Quantifier::Reach
            ) && query.filter.is_none()
                && never_empty(&query.source, kinds)
        }
        _ => false,
    }
}
