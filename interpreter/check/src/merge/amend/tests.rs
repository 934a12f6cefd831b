//! `replace test "…"` and `remove test "…"`: a variant says which tests of what it changes it means to change.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{self, Name};

use super::{Amender, Place};
use crate::merge::ledger::Op;
use crate::merge::merged::{MergedTest, test_twice};
use crate::merge::order::Standing;
use crate::merge::sort::Sort;

impl Amender<'_> {
    /// Puts a test in the place of the one that shows the same.
    pub(super) fn replace_test(&mut self, place: &Place, test: &ast::Test, span: Span) {
        let name = test.name.as_name();
        if !self.at_margin(place, span) {
            return;
        }
        if let Some(found) = self.find_test(&name) {
            self.note(vec![node(&name)], Op::Put, span);
            let own = |other: &&MergedTest| other.layer == self.layer && other.name() == name.text;
            if let Some(first) = self.merged.tests.iter().find(own) {
                self.diagnostics.push(test_twice(&name, first.test.name.span));
            }
            let (test, layer) = (test.clone().into(), self.layer);
            self.merged.tests[found] =
                MergedTest { test, layer, declared: self.merged.tests[found].declared };
        }
    }

    /// Takes a test out: what it shows does not hold any more.
    pub(super) fn remove_test(&mut self, place: &Place, name: &Name, span: Span) {
        if !self.at_margin(place, span) {
            return;
        }
        if let Some(found) = self.find_test(name) {
            self.merged.tests.remove(found);
            self.note(vec![node(name)], Op::Remove, span);
            self.note_removed(Sort::Test, name);
        }
    }

    fn at_margin(&mut self, place: &Place, span: Span) -> bool {
        if matches!(place, Place::Top) {
            return !self.is_conditional(span);
        }
        let diagnostic = Diagnostic::error("amend::missing", span, "a test belongs to no part");
        self.diagnostics.push(diagnostic.help("write `replace test` and `remove test` at the margin"));
        false
    }

    /// A test of what lies below: the layer itself writes its own as they should be, and of those beside it it knows
    /// nothing.
    fn find_test(&mut self, name: &Name) -> Option<usize> {
        let names: Vec<String> = self.merged.tests.iter().map(MergedTest::name).collect();
        let standing = |test: usize| self.order.of(self.layer, self.merged.tests[test].declared);
        let named: Vec<usize> = (0..names.len()).filter(|&place| names[place] == name.text).collect();
        let mut found = named.iter().copied().filter(|&test| standing(test) == Standing::Above);
        let (first, second) = (found.next(), found.next());
        let is_removed =
            self.merged.removed.iter().any(|old| old.what == Sort::Test && old.name == name.text);
        if let (None, Some(&other), false) = (first, named.first(), is_removed) {
            let at = self.merged.tests[other].test.name.span;
            let (related, help) = match standing(other) {
                Standing::Same => (
                    "this stands in the same layer",
                    "change or take out that one itself: `replace test` and `remove test` speak of what lies below",
                ),
                Standing::Beside | Standing::Above | Standing::Below => (
                    "a variant that this one does not know of has one",
                    "let the manifest of this variant name the other in `after:`",
                ),
            };
            self.diagnostics.push(
                Diagnostic::error("amend::missing", name.span, Sort::Test.missed(&name.text))
                    .label("not below this")
                    .related(at, related)
                    .help(help),
            );
            return None;
        }
        if let (Some(first), Some(second)) = (first, second) {
            let place = |test: usize| self.merged.tests[test].test.name.span;
            self.diagnostics.push(
                Diagnostic::error(
                    "names::ambiguous",
                    name.span,
                    format!("there are two tests \"{}\"", name.text),
                )
                .related(place(first), "one")
                .related(place(second), "another")
                .help("give one of them another name"),
            );
            return None;
        }
        if first.is_none() {
            self.missing(&Sort::Test, name, &names);
        }
        first
    }
}

/// What tells a test from other parts.
fn node(name: &Name) -> String {
    format!("test {}", name.text)
}
