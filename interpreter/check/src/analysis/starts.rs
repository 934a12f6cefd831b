//! Where states begin: a start that follows from what is printed can be worked out for each thing, and must lie in the
//! range of its state.

use std::collections::BTreeMap;

use blazon_book::{
    Base, Book, Column, Comparison, Constant, Expr, ExprKind, LocalId, Role, Rule, RuleBody, Start, bounds,
    fits,
};
use blazon_diagnostics::Diagnostic;

/// Of a state with more values than this not every one is worked out.
const MOST: usize = 1 << 16;

/// Rules that ask rules are followed so far.
const DEPTH: usize = 32;

/// A value that is printed or follows from what is; none if it is absent.
type Word = Option<i64>;

/// The values of variables.
type Values = BTreeMap<LocalId, Word>;

/// Complains of each state that begins outside its range.
pub(crate) fn starts(book: &Book, diagnostics: &mut Vec<Diagnostic>) {
    for column in &book.columns {
        let Role::State { start: Some(start), .. } = &column.role else { continue };
        let (have, (least, most)) = (bounds(start.value.ty), bounds(column.ty));
        // What lies outside for all things is said where the type of the start is looked at.
        let never = have.0 > most || have.1 < least;
        if matches!(column.ty.base, Base::Number(..)) && !fits(have, column.ty) && !never {
            diagnostics.extend(outside(book, column, start, (least, most)));
        }
    }
}

/// The first thing, or things, for which a state begins outside its range.
fn outside(book: &Book, column: &Column, start: &Start, (least, most): (i64, i64)) -> Option<Diagnostic> {
    let all: usize = column.keys.iter().map(|key| book.kind(*key).things.len()).product();
    let mut found: Vec<(Vec<u32>, i64)> = Vec::new();
    for place in 0..all.min(MOST) {
        let things = book.keys_of(column, place);
        let values =
            things.iter().enumerate().map(|(key, &thing)| (LocalId(key as u32), Some(i64::from(thing))));
        let value = word(book, &start.value, &values.collect(), 0).flatten();
        found.extend(value.filter(|value| !(least..=most).contains(value)).map(|value| (things, value)));
    }
    let (things, value) = found.first()?;
    let things =
        || things.iter().zip(&column.keys).map(|(thing, key)| &book.kind(*key).things[*thing as usize]);
    let names: Vec<&str> = things().map(|thing| thing.name.as_str()).collect();
    let of = match names.is_empty() {
        true => String::new(),
        false => format!(" of {}", names.join(", ")),
    };
    let message = format!("`{}`{of} begins at {value}, outside {least}..{most}", column.name);
    let mut said = Diagnostic::error("types::range", start.value.span, message);
    said = match found.len() - 1 {
        0 => said,
        more => said.label(format!("and {more} more do so")),
    };
    for thing in things() {
        said = said.related(thing.span, format!("`{}`", thing.name));
    }
    Some(said.help(format!(
        "widen the range of `{}` so that {value} lies in it, or mend what is printed or written here",
        column.name
    )))
}

/// What an expression gives, as far as that follows from what is printed.
#[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
fn word(book: &Book, expr: &Expr, values: &Values, depth: usize) -> Option<Word> {
    let of = |expr: &Expr| word(book, expr, values, depth);
    let flag = |expr: &Expr| of(expr).flatten().map(|word| word != 0);
    let from = |flag: bool| Some(Some(i64::from(flag)));
    match &expr.kind {
        ExprKind::Word(word) => Some(Some(*word)),
        ExprKind::Absent => Some(None),
        ExprKind::Local(local) => values.get(local).copied(),
        ExprKind::Kept(_, inner) => of(inner),
        ExprKind::Column(column, keys) => {
            let column = book.column(*column);
            let Role::Fact(printed) = &column.role else { return None };
            let mut place = 0;
            for (key, kind) in keys.iter().zip(&column.keys) {
                let thing = usize::try_from(of(key)??).ok()?;
                place = place * book.kind(*kind).things.len() + thing;
            }
            match printed.get(place)? {
                Constant::Word(word) => Some(Some(*word)),
                Constant::Absent => Some(None),
                Constant::Set(_) | Constant::Text(_) | Constant::Point(..) => None,
            }
        }
        ExprKind::Each(local, source, body) if !matches!(source.ty.base, Base::Set(_)) => {
            let source = of(source)?;
            if source.is_none() {
                return (expr.ty.optional).then_some(None);
            }
            let mut values = values.clone();
            values.insert(*local, source);
            word(book, body, &values, depth)
        }
        ExprKind::Arithmetic(op, a, b) => op.apply(of(a)??, of(b)??).map(Some),
        ExprKind::Otherwise(a, b) => match of(a)? {
            Some(word) => Some(Some(word)),
            None => of(b),
        },
        ExprKind::Choice(when, a, b) => {
            if flag(when)? {
                of(a)
            } else {
                of(b)
            }
        }
        ExprKind::Not(inner) => from(!flag(inner)?),
        ExprKind::And(parts) => {
            let parts: Option<Vec<bool>> = parts.iter().map(flag).collect();
            from(parts?.into_iter().all(|part| part))
        }
        ExprKind::Or(parts) => {
            let parts: Option<Vec<bool>> = parts.iter().map(flag).collect();
            from(parts?.into_iter().any(|part| part))
        }
        ExprKind::Compare(op, a, b) => match (op, of(a)?, of(b)?) {
            (Comparison::Equal, a, b) => from(a == b),
            (Comparison::NotEqual, a, b) => from(a != b),
            (Comparison::Less, Some(a), Some(b)) => from(a < b),
            (Comparison::AtMost, Some(a), Some(b)) => from(a <= b),
            (Comparison::Less | Comparison::AtMost, ..) => None,
        },
        ExprKind::Rule(rule, args) if depth < DEPTH => {
            let args: Option<Vec<Word>> = args.iter().map(of).collect();
            let args = args?.into_iter().enumerate().map(|(place, arg)| (LocalId(place as u32), arg));
            answer(book, book.rules.get(rule.0 as usize)?, &args.collect(), depth + 1)
        }
        _ => None,
    }
}

/// What a rule gives, if at most one of its exceptions holds.
fn answer(book: &Book, rule: &Rule, args: &Values, depth: usize) -> Option<Word> {
    let RuleBody::Value { base, exceptions, modifiers } = &rule.body else { return None };
    let holds = |when: &Option<Expr>| match when {
        Some(when) => word(book, when, args, depth).flatten().map(|word| word != 0),
        None => Some(true),
    };
    let mut decides = None;
    for exception in exceptions {
        if holds(&exception.when)? && decides.replace(&exception.value).is_some() {
            return None;
        }
    }
    let Some(mut value) = word(book, decides.unwrap_or(base), args, depth)? else { return Some(None) };
    for modifier in modifiers {
        if holds(&modifier.when)? {
            let more = word(book, &modifier.value, args, depth)??;
            value += if modifier.minus { -more } else { more };
        }
    }
    Some(Some(value))
}
