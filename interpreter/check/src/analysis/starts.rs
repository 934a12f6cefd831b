//! Where states begin: a start that follows from what is printed can be worked out for each thing, and must lie in the
//! range of its state.

use std::collections::BTreeMap;

use blazon_book::{
    Arithmetic, Base, Book, Column, Comparison, Constant, Expr, ExprKind, LocalId, Role, Rule, RuleBody,
    Start, bounds, fits,
};
use blazon_diagnostics::Diagnostic;

/// Of a state with more values than this not every one is worked out.
const MOST: usize = 1 << 16;

/// Rules that ask rules are followed so far.
const DEPTH: usize = 32;

/// So many parts of expressions are looked at in all; of what is left then nothing is known before the game begins.
const PARTS: u32 = 1 << 22;

/// A value that is printed or follows from what is; none if it is absent.
type Word = Option<i64>;

/// The values of variables.
type Values = BTreeMap<LocalId, Word>;

/// Complains of each state that begins outside its range.
pub(crate) fn starts(book: &Book, diagnostics: &mut Vec<Diagnostic>) {
    let mut evaluator = Evaluator { book, left: PARTS };
    for column in &book.columns {
        let Role::State { start: Some(start), .. } = &column.role else { continue };
        let (have, (least, most)) = (bounds(start.value.ty), bounds(column.ty));
        // What lies outside for all things is said where the type of the start is looked at.
        let never = have.0 > most || have.1 < least;
        if matches!(column.ty.base, Base::Number(..)) && !fits(have, column.ty) && !never {
            diagnostics.extend(outside(&mut evaluator, column, start, (least, most)));
        }
    }
}

/// The first thing, or things, for which a state begins outside its range.
fn outside(
    evaluator: &mut Evaluator<'_>,
    column: &Column,
    start: &Start,
    (least, most): (i64, i64),
) -> Option<Diagnostic> {
    let book = evaluator.book;
    let all: usize = column.keys.iter().map(|key| book.kind(*key).things.len()).product();
    let mut found: Vec<(Vec<u32>, i64)> = Vec::new();
    for place in 0..all.min(MOST) {
        let things = book.keys_of(column, place);
        let values =
            things.iter().enumerate().map(|(key, &thing)| (LocalId(key as u32), Some(i64::from(thing))));
        let value = evaluator.word(&start.value, &values.collect(), 0).flatten();
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

/// Works out what follows from what is printed.
struct Evaluator<'b> {
    book: &'b Book,
    /// So many parts may still be looked at.
    left: u32,
}

impl Evaluator<'_> {
    /// What an expression gives, as far as that follows from what is printed.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn word(&mut self, expr: &Expr, values: &Values, depth: usize) -> Option<Word> {
        self.left = self.left.checked_sub(1)?;
        let book = self.book;
        let from = |flag: bool| Some(Some(i64::from(flag)));
        match &expr.kind {
            ExprKind::Word(word) => Some(Some(*word)),
            ExprKind::Absent => Some(None),
            ExprKind::Local(local) => values.get(local).copied(),
            ExprKind::Kept(_, inner) => self.word(inner, values, depth),
            ExprKind::Column(column, keys) => {
                let column = book.column(*column);
                let Role::Fact(printed) = &column.role else { return None };
                let mut place = 0;
                for (key, kind) in keys.iter().zip(&column.keys) {
                    let thing = usize::try_from(self.word(key, values, depth)??).ok()?;
                    place = place * book.kind(*kind).things.len() + thing;
                }
                match printed.get(place)? {
                    Constant::Word(word) => Some(Some(*word)),
                    Constant::Absent => Some(None),
                    Constant::Set(_) | Constant::Text(_) | Constant::Point(..) => None,
                }
            }
            ExprKind::Each(local, source, body) if !matches!(source.ty.base, Base::Set(_)) => {
                let source = self.word(source, values, depth)?;
                if source.is_none() {
                    return (expr.ty.optional).then_some(None);
                }
                let mut values = values.clone();
                values.insert(*local, source);
                self.word(body, &values, depth)
            }
            ExprKind::Arithmetic(op, a, b) => {
                op.apply(self.word(a, values, depth)??, self.word(b, values, depth)??).map(Some)
            }
            ExprKind::Otherwise(a, b) => match self.word(a, values, depth)? {
                Some(word) => Some(Some(word)),
                None => self.word(b, values, depth),
            },
            ExprKind::Choice(when, a, b) => {
                let taken = if self.flag(when, values, depth)? { a } else { b };
                self.word(taken, values, depth)
            }
            ExprKind::Not(inner) => from(!self.flag(inner, values, depth)?),
            ExprKind::And(parts) => from(self.flags(parts, values, depth)?.into_iter().all(|part| part)),
            ExprKind::Or(parts) => from(self.flags(parts, values, depth)?.into_iter().any(|part| part)),
            ExprKind::Compare(op, a, b) => {
                match (op, self.word(a, values, depth)?, self.word(b, values, depth)?) {
                    (Comparison::Equal, a, b) => from(a == b),
                    (Comparison::NotEqual, a, b) => from(a != b),
                    (Comparison::Less, Some(a), Some(b)) => from(a < b),
                    (Comparison::AtMost, Some(a), Some(b)) => from(a <= b),
                    (Comparison::Less | Comparison::AtMost, ..) => None,
                }
            }
            ExprKind::Rule(rule, args) if depth < DEPTH => {
                let args: Option<Vec<Word>> = args.iter().map(|arg| self.word(arg, values, depth)).collect();
                let args = args?.into_iter().enumerate().map(|(place, arg)| (LocalId(place as u32), arg));
                self.answer(book.rules.get(rule.0 as usize)?, &args.collect(), depth + 1)
            }
            _ => None,
        }
    }

    /// The same of a condition.
    fn flag(&mut self, expr: &Expr, values: &Values, depth: usize) -> Option<bool> {
        self.word(expr, values, depth).flatten().map(|word| word != 0)
    }

    fn flags(&mut self, parts: &[Expr], values: &Values, depth: usize) -> Option<Vec<bool>> {
        parts.iter().map(|part| self.flag(part, values, depth)).collect()
    }

    /// What a rule gives, if at most one of its exceptions holds.
    fn answer(&mut self, rule: &Rule, args: &Values, depth: usize) -> Option<Word> {
        let RuleBody::Value { base, exceptions, modifiers } = &rule.body else { return None };
        let mut decides = None;
        for exception in exceptions {
            if self.holds(exception.when.as_ref(), args, depth)?
                && decides.replace(&exception.value).is_some()
            {
                return None;
            }
        }
        let Some(mut value) = self.word(decides.unwrap_or(base), args, depth)? else { return Some(None) };
        for modifier in modifiers {
            if self.holds(modifier.when.as_ref(), args, depth)? {
                let more = self.word(&modifier.value, args, depth)??;
                let op = if modifier.minus { Arithmetic::Minus } else { Arithmetic::Plus };
                value = op.apply(value, more)?;
            }
        }
        Some(Some(value))
    }

    /// Whether a clause holds.
    fn holds(&mut self, when: Option<&Expr>, args: &Values, depth: usize) -> Option<bool> {
        when.map_or(Some(true), |when| self.flag(when, args, depth))
    }
}
