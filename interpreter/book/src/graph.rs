//! Who leads to whom: what is handed on along the edges of a graph, each node looked at once, however they are linked.
//!
//! Rules ask rules and steps do steps. What one of them reads or sets, it reads or sets through all that it leads to; a
//! chain of thousands must not be walked once for each of its links.

use std::sync::Arc;

use blazon_kernel::bits;

/// What grows when things come together.
pub trait Join {
    /// Takes in what another holds.
    fn join(&mut self, other: &Self);
}

impl Join for bool {
    fn join(&mut self, other: &Self) {
        *self |= other;
    }
}

/// A set of numbers, as bits from its first word to its last. A copy costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The number of the first word.
    first: usize,
    words: Arc<Vec<u64>>,
}

impl Numbers {
    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a number is in.
    pub fn contains(&self, number: usize) -> bool {
        (number / 64)
            .checked_sub(self.first)
            .is_some_and(|word| bits::has(&self.words, word * 64 + number % 64))
    }

    /// Whether no number is in both.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let start = self.first.max(other.first);
        let end = self.end().min(other.end());
        (start..end).all(|word| self.word(word) & other.word(word) == 0)
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let start = self.first * 64;
        bits::iter(&self.words).map(move |number| start + number)
    }

    /// The word behind the last one.
    fn end(&self) -> usize {
        self.first + self.words.len()
    }

    fn word(&self, word: usize) -> u64 {
        word.checked_sub(self.first).and_then(|place| self.words.get(place)).copied().unwrap_or(0)
    }

    fn holds(&self, other: &Self) -> bool {
        (other.first..other.end()).all(|word| other.word(word) & !self.word(word) == 0)
    }
}

impl Join for Numbers {
    /// Where one holds the other, the memory is shared: a chain of steps that set the same states has one set.
    fn join(&mut self, other: &Self) {
        if Arc::ptr_eq(&self.words, &other.words) && self.first == other.first || self.holds(other) {
            return;
        }
        if other.holds(self) {
            self.clone_from(other);
            return;
        }
        let first = self.first.min(other.first);
        let end = self.end().max(other.end());
        let words = (first..end).map(|word| self.word(word) | other.word(word)).collect();
        *self = Self { first, words: Arc::new(words) };
    }
}

impl FromIterator<usize> for Numbers {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let numbers: Vec<usize> = numbers.into_iter().collect();
        let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Self::default();
        };
        let first = least / 64;
        let mut words = vec![0; most / 64 + 1 - first];
        for number in &numbers {
            words[number / 64 - first] |= 1 << (number % 64);
        }
        Self { first, words: Arc::new(words) }
    }
}

/// What every node has, itself or through those that it leads to. Edges to nowhere lead to nothing.
pub fn handed_on<T: Join + Clone>(next: &[Vec<usize>], mut own: Vec<T>) -> Vec<T> {
    for component in components(next) {
        let Some((&head, others)) = component.split_first() else { continue };
        let mut all = own[head].clone();
        others.iter().for_each(|&node| all.join(&own[node]));
        // Components come after those that they lead to, which have all that they ever get; edges inside add nothing.
        for &to in component.iter().flat_map(|&node| &next[node]) {
            if let Some(theirs) = own.get(to) {
                all.join(theirs);
            }
        }
        component.iter().for_each(|&node| own[node] = all.clone());
    }
    own
}

/// The nodes that lead to each other, each component after all those that it leads to (Tarjan's algorithm, without
/// recursion).
pub fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut found = Components { place: vec![0; next.len()], ..Components::default() };
    for start in 0..next.len() {
        if found.place[start] == 0 {
            found.from(start, next);
        }
    }
    found.components
}

#[derive(Default)]
struct Components {
    /// When a node was reached first, from 1 on; 0: not yet; `DONE`: its component is known.
    place: Vec<usize>,
    count: usize,
    /// The nodes whose component is not known yet.
    open: Vec<usize>,
    components: Vec<Vec<usize>>,
}

const DONE: usize = usize::MAX;

/// A node under way.
struct Visit {
    node: usize,
    /// The next of its edges.
    edge: usize,
    /// The earliest open node that it leads back to.
    low: usize,
}

impl Components {
    fn enter(&mut self, node: usize) -> Visit {
        self.count += 1;
        self.place[node] = self.count;
        self.open.push(node);
        Visit { node, edge: 0, low: self.count }
    }

    fn from(&mut self, start: usize, next: &[Vec<usize>]) {
        let mut path = vec![self.enter(start)];
        while let Some(visit) = path.last_mut() {
            if let Some(&to) = next[visit.node].get(visit.edge) {
                visit.edge += 1;
                match self.place.get(to) {
                    Some(0) => {
                        let entered = self.enter(to);
                        path.push(entered);
                    }
                    Some(&DONE) | None => {}
                    Some(&place) => visit.low = visit.low.min(place),
                }
                continue;
            }
            let (node, low) = (visit.node, visit.low);
            path.pop();
            if let Some(caller) = path.last_mut() {
                caller.low = caller.low.min(low);
            }
            if low == self.place[node] {
                self.close(node);
            }
        }
    }

    /// All open nodes from this one on are a component.
    fn close(&mut self, node: usize) {
        let start = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
        let component = self.open.split_off(start);
        component.iter().for_each(|&node| self.place[node] = DONE);
        self.components.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_one_component_behind_what_they_lead_to() {
        // 0 → 1 → 2 → 0, 2 → 3, 4 alone, 3 → 3, 4 → nowhere.
        let next = [vec![1], vec![2], vec![0, 3], vec![3], vec![9]];
        let mut components = components(&next);
        components.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(components, [vec![3], vec![0, 1, 2], vec![4]]);
    }

    #[test]
    fn a_long_chain_is_handed_on_at_once() {
        let count = 50_000;
        let next: Vec<Vec<usize>> = (0..count).map(|node| vec![node + 1]).collect();
        let own = (0..count).map(|node| [node / 1000].into_iter().collect::<Numbers>()).collect();
        let all = handed_on(&next, own);
        assert_eq!(all[0].iter().count(), 50);
        assert_eq!(all[49_999].iter().collect::<Vec<_>>(), [49]);
        assert!(Arc::ptr_eq(&all[100].words, &all[200].words), "what is the same is kept once");
    }

    #[test]
    fn sets_far_apart_come_together() {
        let far: Numbers = [70_000, 70_001].into_iter().collect();
        assert!(far.contains(70_001) && !far.contains(1) && !far.contains(70_002) && !far.contains(700_000));
        let mut both: Numbers = [3].into_iter().collect();
        assert!(both.is_disjoint(&far) && !both.is_empty());
        both.join(&far);
        assert_eq!(both.iter().collect::<Vec<_>>(), [3, 70_000, 70_001]);
        assert!(!both.is_disjoint(&far));
        both.join(&far);
        assert_eq!(both.iter().count(), 3);
        assert!(Numbers::default().is_empty() && Numbers::default().is_disjoint(&far));
        assert_eq!(handed_on(&[vec![1], vec![0]], vec![false, true]), [true, true]);
    }
}
