//! The way from a step to a state that it reads, through the rules that it asks: a message about the state shows the
//! place where somebody can mend it.

use std::collections::{BTreeMap, VecDeque};

use blazon_book::{Book, ColumnId, Expr, ExprKind, RuleId, StepId};
use blazon_diagnostics::Span;

use crate::analysis::Calls;
use crate::analysis::walk::{Found, each_effect, each_expr, each_rule_expr};

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
    fn within(self, expr: &Expr, place: &mut Option<Span>) {
        each_expr(expr, &mut |part| {
            let is_it = match (&part.kind, self) {
                (ExprKind::Column(column, _), Self::Column(sought)) => *column == sought,
                (ExprKind::Rule(rule, _), Self::Rule(sought)) => *rule == sought,
                _ => false,
            };
            if is_it && place.is_none() {
                *place = Some(part.span);
            }
        });
    }

    fn in_step(self, book: &Book, step: StepId) -> Option<Span> {
        let mut place = None;
        each_effect(&book.step(step).body, &mut |found| {
            if let Found::Expr(expr) = found {
                self.within(expr, &mut place);
            }
        });
        place
    }

    fn in_rule(self, book: &Book, rule: RuleId) -> Option<Span> {
        let mut place = None;
        each_rule_expr(&book.rules[rule.0 as usize], &mut |expr| self.within(expr, &mut place));
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
            let Some(uses) = self.rules.get(rule.0 as usize) else { continue };
            if uses.columns.contains(&column) {
                return Way(self.places(book, step, column, rule, &from));
            }
            for next in &uses.rules {
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
