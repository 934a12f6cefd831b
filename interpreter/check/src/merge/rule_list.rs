//! The rules of a merged tree, found by name without looking through all of them.

use std::ops::{Deref, DerefMut};

use blazon_syntax::ast;
use rustc_hash::FxHashMap;

use crate::merge::merged::{MergedRule, same_rule};

/// Rules in order. Names do not change while they are in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleList {
    rules: Vec<MergedRule>,
    /// The places of each name.
    places: FxHashMap<String, Vec<usize>>,
}

impl RuleList {
    /// One more, at the end.
    pub fn push(&mut self, rule: MergedRule) {
        self.places.entry(rule.rule.name.text.clone()).or_default().push(self.rules.len());
        self.rules.push(rule);
    }

    /// Takes one out; those behind it move up.
    pub fn remove(&mut self, place: usize) -> MergedRule {
        let rule = self.rules.remove(place);
        #[allow(clippy::iter_over_hash_type, reason = "each by itself: no order")]
        for places in self.places.values_mut() {
            places.retain(|&other| other != place);
            places.iter_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        }
        rule
    }

    /// All of them, in order.
    pub fn into_iter(self) -> impl Iterator<Item = MergedRule> {
        self.rules.into_iter()
    }

    /// Where the rules of a name are, in order.
    pub fn named(&self, name: &str) -> &[usize] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }

    /// Where the rule is that is one with another.
    pub fn same(&self, rule: &ast::Rule) -> Option<usize> {
        self.named(&rule.name.text).iter().copied().find(|&place| same_rule(&self.rules[place].rule, rule))
    }
}

impl Deref for RuleList {
    type Target = [MergedRule];

    fn deref(&self) -> &Self::Target {
        &self.rules
    }
}

impl DerefMut for RuleList {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.rules
    }
}
