//! What a book has for its tests alone: steps that set the position, and rules that are asked. A test may try what no game
//! comes to.

use std::collections::BTreeSet;

use blazon_book::{Book, Pick, RuleId, StepId, TestLineKind};

/// The steps and rules that only tests do and ask.
#[derive(Debug, Default)]
pub(crate) struct OfTests {
    pub(crate) steps: BTreeSet<StepId>,
    pub(crate) rules: BTreeSet<RuleId>,
}

impl OfTests {
    pub(crate) fn of(book: &Book) -> Self {
        let mut all = Self::default();
        for line in book.tests.iter().flat_map(|test| &test.lines) {
            for expectation in line.kind.expectations() {
                all.rules.insert(expectation.condition);
                all.rules.extend(expectation.actual);
            }
            match &line.kind {
                TestLineKind::Set(step) | TestLineKind::Play(step) => {
                    all.steps.insert(*step);
                }
                TestLineKind::Decide(_, pick)
                | TestLineKind::Offer(_, pick)
                | TestLineKind::Refuse(_, pick, _) => all.pick(pick),
                TestLineKind::From(_)
                | TestLineKind::Dice(_)
                | TestLineKind::Cards(_)
                | TestLineKind::Expect(_)
                | TestLineKind::Sees(..)
                | TestLineKind::Tells(..)
                | TestLineKind::Fails(_) => {}
            }
        }
        all
    }

    fn pick(&mut self, pick: &Pick) {
        self.rules.extend(pick.asked.iter().map(|(_, rule)| *rule));
    }
}
