//! The way from a step to a state that it reads, through the rules that it asks: a message about the state shows the
//! place where somebody can mend it.

use std::collections::{BTreeMap, VecDeque};

use blazon_book::walk::{each_expr_of_block, each_expr_of_rule};
use blazon_book::{Book, ColumnId, Expr, ExprKind, RuleId, StepId};
use blazon_diagnostics::Span;

use crate::analysis::Calls;

/// The places on the way, from the step to the state.
pub(crate) struct Way(Vec<Span>);

impl Way {
    /// The place to show: the one in the page read last, for a variant stands behind its game and a game behind its
    /// library, and who changed something last is who can mend it.
    pub(crate) fn shown(&self, otherwise: Span) -> Span {
        self.0.iter().copied().max_by_key(|span| span.source).unwrap_or(otherwise)
    }

    /// Where the state itself is read.
    pub(crate) fn read(&self, otherwise: Span) -> Span {
        self.0.last().copied().unwrap_or(otherwise)
    }

    /// Whether the place to show is the one where the state is read.
    pub(crate) fn is_direct(&self) -> bool {
        let nowhere = Span::default();
        self.shown(nowhere) == self.read(nowhere)
    }
}

/// What is looked for in an expression.
#[derive(Clone, Copy)]
enum Sought {
    Column(ColumnId),
    Rule(RuleId),
}

impl Sought {
    fn is(self, expr: &Expr) -> bool {
        match (&expr.kind, self) {
            (ExprKind::Column(column, _), Self::Column(sought)) => *column == sought,
            (ExprKind::Rule(rule, _), Self::Rule(sought)) => *rule == sought,
            _ => false,
        }
    }

    /// The first place in a step.
    fn in_step(self, book: &Book, step: StepId) -> Option<Span> {
        let mut place = None;
        each_expr_of_block(&book.step(step).body, &mut |expr| {
            if place.is_none() && self.is(expr) {
                place = Some(expr.span);
            }
        });
        place
    }

    /// The first place in a rule.
    fn in_rule(self, book: &Book, rule: RuleId) -> Option<Span> {
        let mut place = None;
        each_expr_of_rule(book.rule(rule), &mut |expr| {
            if place.is_none() && self.is(expr) {
                place = Some(expr.span);
            }
        });
        place
    }
}

impl Calls {
    /// The shortest way from a step to a state.
    pub(crate) fn way_to(&self, book: &Book, step: StepId, column: ColumnId) -> Way {
        if let Some(place) = Sought::Column(column).in_step(book, step) {
            return Way(vec![place]);
        }
        let mut from: BTreeMap<RuleId, Option<RuleId>> = BTreeMap::new();
        let mut waiting: VecDeque<RuleId> = VecDeque::new();
        for rule in &self.steps[step.0 as usize].rules {
            from.insert(*rule, None);
            waiting.push_back(*rule);
        }
        while let Some(rule) = waiting.pop_front() {
            let Some(reads) = self.rules.get(rule.0 as usize) else { continue };
            if reads.columns.contains(&column) {
                return Way(self.places(book, step, column, rule, &from));
            }
            for next in &reads.rules {
                if !from.contains_key(next) {
                    from.insert(*next, Some(rule));
                    waiting.push_back(*next);
                }
            }
        }
        Way(Vec::new())
    }

    /// The places on the way to the rule that reads the state.
    fn places(
        &self,
        book: &Book,
        step: StepId,
        column: ColumnId,
        reader: RuleId,
        from: &BTreeMap<RuleId, Option<RuleId>>,
    ) -> Vec<Span> {
        let mut places: Vec<Span> = Sought::Column(column).in_rule(book, reader).into_iter().collect();
        let mut rule = reader;
        while let Some(Some(asker)) = from.get(&rule) {
            places.extend(Sought::Rule(rule).in_rule(book, *asker));
            rule = *asker;
        }
        places.extend(Sought::Rule(rule).in_step(book, step));
        places.reverse();
        places
    }
}
