//! Conditions that never hold together: each leaves of something only what the other rules out. `c = Foot and c = Guns`,
//! `n > 4 and n < 3`, an option that needs both, an `else if` of which the `if` before takes all.

use blazon_book::{Binder, Comparison, Expr, ExprKind, MOST, Need, StatementKind};
use blazon_diagnostics::{Diagnostic, Span};

use crate::infer::slips::is_written_number;
use crate::resolve::checker::Checker;

/// What is left of something: from where to where its numbers lie, or the places of things in their kind.
type Left = (i64, i64);

impl<'p> Checker<'p> {
    /// What is asked in vain where one condition holds, or not, and another as well.
    pub(crate) fn never_both(&self, one: (bool, &Expr), other: (bool, &Expr)) -> Option<Never<'p>> {
        let before = self.left(one.0, one.1);
        if before.is_empty() {
            return None;
        }
        self.left(other.0, other.1).into_iter().find_map(|(asked, is)| {
            let apart = |was: Left| was.1 < is.0 || is.1 < was.0;
            let mut same = before.iter().filter(|(was, left)| apart(*left) && self.are_same(was, asked));
            let are_single = |(_, was): &(&Expr, Left)| was.0 == was.1 && is.0 == is.1;
            if are_single(same.next()?) {
                return Some(Never::Two(self.parsed.sources.slice(asked.span)));
            }
            // What is absent is no number: neither of those that one leaves nor of those that the other does.
            let may_be_neither = !one.0 && !other.0 && asked.ty.optional;
            (!may_be_neither).then_some(Never::Apart)
        })
    }

    /// What a condition that holds, or does not, leaves of what it compares with something written. A ruling is another number
    /// in another reading.
    fn left<'e>(&self, holds: bool, condition: &'e Expr) -> Vec<(&'e Expr, Left)> {
        let parts = match (&condition.kind, holds) {
            (ExprKind::And(parts), true) | (ExprKind::Or(parts), false) => parts.as_slice(),
            _ => std::slice::from_ref(condition),
        };
        parts.iter().filter_map(|part| self.left_by(holds, part)).collect()
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn left_by<'e>(&self, holds: bool, part: &'e Expr) -> Option<(&'e Expr, Left)> {
        let (asked, left) = match &part.kind {
            ExprKind::Not(inner) => return self.left_by(!holds, inner),
            ExprKind::Within(asked, lo, hi) if holds => (asked, (self.written(lo)?, self.written(hi)?)),
            ExprKind::Compare(how, a, b) => {
                let (asked, is, turned) = match (self.written(a), self.written(b)) {
                    (None, Some(is)) => (a, is, false),
                    (Some(is), None) => (b, is, true),
                    _ => return None,
                };
                let left = match (how, holds, turned) {
                    (Comparison::Equal, true, _) | (Comparison::NotEqual, false, _) => (is, is),
                    (Comparison::Equal, false, _) | (Comparison::NotEqual, true, _) => return None,
                    (Comparison::Less, true, false) | (Comparison::AtMost, false, true) => (-MOST, is - 1),
                    (Comparison::AtMost, true, false) | (Comparison::Less, false, true) => (-MOST, is),
                    (Comparison::Less, true, true) | (Comparison::AtMost, false, false) => (is + 1, MOST),
                    (Comparison::AtMost, true, true) | (Comparison::Less, false, false) => (is, MOST),
                };
                (asked, left)
            }
            _ => return None,
        };
        (!matches!(asked.kind, ExprKind::Word(_))).then_some((&**asked, left))
    }

    /// A number or a thing that stands on the page.
    fn written(&self, expr: &Expr) -> Option<i64> {
        let ExprKind::Word(word) = expr.kind else { return None };
        let text = self.parsed.sources.slice(expr.span);
        let is_written = match is_written_number(expr) {
            true => text.chars().any(|sign| sign.is_ascii_digit()),
            false => text.starts_with(|sign: char| sign.is_uppercase() || sign == '\''),
        };
        is_written.then_some(word)
    }

    /// Warns of an option, or a permission, that can never be: two of the conditions that it needs rule each other out.
    pub(crate) fn needs_exclude(&mut self, binders: &[Binder], needs: &[Need], what: &str) {
        let filters =
            binders.iter().filter_map(|binder| binder.filter.as_ref()).map(|filter| (filter.span, filter));
        let all: Vec<(Span, &Expr)> =
            filters.chain(needs.iter().map(|need| (need.span, &need.condition))).collect();
        for (place, (span, condition)) in all.iter().enumerate() {
            let mut before = all[..place].iter();
            let found = before.find_map(|(other, earlier)| {
                Some((*other, self.never_both((true, earlier), (true, condition))?))
            });
            if let Some((other, never)) = found {
                let message = format!("{what}: this never holds where an earlier condition does");
                self.excluded(*span, message, never.said("no number does for both"), (other, "the earlier"));
            }
        }
    }

    /// Warns of each `else if` that comes after a condition which holds whenever its own does.
    pub(crate) fn else_excludes(&mut self, condition: &Expr, mut otherwise: &[blazon_book::Statement]) {
        while let [statement] = otherwise
            && let StatementKind::If(second, _, other) = &statement.kind
        {
            if let Some(never) = self.never_both((false, condition), (true, second)) {
                let message =
                    "this never comes up: what it asks for is taken by a condition before it".to_owned();
                let label = never.said("every such number is taken before");
                self.excluded(second.span, message, label, (condition.span, "by this"));
            }
            otherwise = other;
        }
    }

    fn excluded(&mut self, span: Span, message: String, label: String, (other, words): (Span, &str)) {
        let said = Diagnostic::warning("lint::settled", span, message).label(label).related(other, words);
        self.warn(said.help("one of the two was meant to ask something else, or is not needed"));
    }
}

/// Why two conditions never hold together.
#[derive(Clone, Copy)]
pub(crate) enum Never<'p> {
    /// This would have to be two things, or two numbers, at once.
    Two(&'p str),
    /// No number is left by both.
    Apart,
}

impl Never<'_> {
    /// In words, with those for numbers.
    pub fn said(self, apart: &str) -> String {
        match self {
            Self::Two(asked) => format!("`{asked}` is one thing at a time"),
            Self::Apart => apart.to_owned(),
        }
    }
}
