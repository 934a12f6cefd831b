//! The parts of a merged tree in order, found by name without looking through all of them.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use blazon_syntax::ast;
use rustc_hash::FxHashMap;

use crate::merge::merged::{MergedColumn, MergedKind, MergedRule, MergedStep, same_rule};

/// What has a name of its own.
pub(crate) trait Named {
    fn name(&self) -> &str;
}

impl Named for MergedKind {
    fn name(&self) -> &str {
        &self.name.text
    }
}

impl Named for MergedColumn {
    fn name(&self) -> &str {
        &self.decl.name().text
    }
}

impl Named for MergedRule {
    fn name(&self) -> &str {
        &self.rule.name.text
    }
}

impl Named for MergedStep {
    fn name(&self) -> &str {
        &self.step.name.text
    }
}

impl Named for ast::Name {
    fn name(&self) -> &str {
        &self.text
    }
}

impl Named for Arc<ast::Setup> {
    fn name(&self) -> &str {
        &self.name.text
    }
}

impl Named for ast::Ruling {
    fn name(&self) -> &str {
        &self.name.text
    }
}

impl Named for ast::Invariant {
    fn name(&self) -> &str {
        &self.name.text
    }
}

impl Named for ast::Look {
    fn name(&self) -> &str {
        &self.name.text
    }
}

impl Named for ast::Watch {
    fn name(&self) -> &str {
        &self.name.text
    }
}

/// Of the grids of one kind only one is meant.
impl Named for Arc<ast::Grid> {
    fn name(&self) -> &str {
        &self.kind.text
    }
}

/// Parts in order. Names do not change while they are in it.
#[derive(Clone, Debug)]
pub(crate) struct NamedList<T> {
    parts: Vec<T>,
    /// The places of each name.
    places: FxHashMap<String, Vec<usize>>,
}

impl<T> Default for NamedList<T> {
    fn default() -> Self {
        Self { parts: Vec::new(), places: FxHashMap::default() }
    }
}

impl<T: Named> NamedList<T> {
    /// One more, at the end.
    pub fn push(&mut self, part: T) {
        self.places.entry(part.name().to_owned()).or_default().push(self.parts.len());
        self.parts.push(part);
    }

    /// Takes one out; those behind it move up.
    pub fn remove(&mut self, place: usize) -> T {
        let part = self.parts.remove(place);
        #[allow(clippy::iter_over_hash_type, reason = "each by itself: no order")]
        for places in self.places.values_mut() {
            places.retain(|&other| other != place);
            places.iter_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        }
        part
    }

    /// Puts them in the order of their keys.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.parts.sort_by_key(key);
        self.places.clear();
        for (place, part) in self.parts.iter().enumerate() {
            self.places.entry(part.name().to_owned()).or_default().push(place);
        }
    }

    /// All of them, in order.
    pub fn into_parts(self) -> Vec<T> {
        self.parts
    }

    /// Where the parts of a name are, in order.
    pub fn named(&self, name: &str) -> &[usize] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }

    /// Where the first part of a name is.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.named(name).first().copied()
    }

    /// The first part of a name.
    pub fn find(&self, name: &str) -> Option<&T> {
        self.place(name).map(|place| &self.parts[place])
    }
}

impl NamedList<MergedRule> {
    /// Where the rule is that is one with another.
    pub fn same(&self, rule: &ast::Rule) -> Option<usize> {
        self.named(&rule.name.text).iter().copied().find(|&place| same_rule(&self.parts[place].rule, rule))
    }
}

impl<T> Deref for NamedList<T> {
    type Target = [T];

    fn deref(&self) -> &Self::Target {
        &self.parts
    }
}

impl<T> DerefMut for NamedList<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.parts
    }
}

impl<'l, T> IntoIterator for &'l NamedList<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.iter()
    }
}
