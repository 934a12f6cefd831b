//! Which way to go from a node: the upper confidence bound of what is available, more ways the more often one was there.
//!
//! The bound is `q + c * sqrt(log2(a + 1) / (n + 1))`: `n` visits of the way, `a` times that it was available, and `q` the
//! mean of its visits and of a few that are made up, which are worth what it promises (Auer, Cesa-Bianchi, Fischer 2002,
//! UCB1; with availability for visits of the parent as in Cowling, Powley, Whitehouse 2012). The logarithm is a polygon
//! through the powers of two: with addition, multiplication, division and square root alone the same comes out on every
//! machine.
//!
//! Ways are widened step by step (Coulom 2007): from a node that was visited `v` times `2 + 2 * sqrt(v)` ways are tried,
//! first those that promise most.

use super::node::{NodeId, Tree};

/// How much a way is worth that has been tried little, against one that is good.
const CURIOSITY: f64 = 0.25;
/// So many visits what a way promises stands for.
const PROMISE: f64 = 2.0;
/// How many ways are tried from a node that was never visited, and how many more for the root of its visits.
const WIDTH: (f64, f64) = (2.0, 2.0);

/// A way on from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// What it means.
    pub key: u64,
    /// What it promises before it is tried, 0 to 1.
    pub promise: f64,
}

/// The place among the ways from a node of the one to go, and notes which were available. Equals are settled by the
/// order of the ways. Nothing if there is no way.
pub(super) fn select(tree: &mut Tree, from: NodeId, ways: &[Way]) -> Option<usize> {
    let children: Vec<Option<NodeId>> = ways.iter().map(|way| tree.child(from, way.key)).collect();
    for &child in children.iter().flatten() {
        tree.offer(child);
    }
    let tried = children.iter().flatten().count();
    let width = WIDTH.0 + WIDTH.1 * f64::from(tree.node(from).visits).sqrt();
    let untried = (0..ways.len()).filter(|&place| children[place].is_none());
    let next = best(untried.map(|place| (place, ways[place].promise)));
    if next.is_some() && (tried as f64) < width {
        return next;
    }
    let bounds = ways.iter().zip(&children).enumerate().filter_map(|(place, (way, child))| {
        let node = tree.node((*child)?);
        let visits = f64::from(node.visits);
        let mean = (node.sum + PROMISE * way.promise) / (visits + PROMISE);
        let available = u64::from(node.available.max(1)) + 1;
        Some((place, mean + CURIOSITY * (log2(available) / (visits + 1.0)).sqrt()))
    });
    best(bounds)
}

/// The place of the way from a node that was gone most often, the better of equals.
pub(super) fn most_visited(tree: &Tree, from: NodeId, ways: &[Way]) -> Option<usize> {
    let visited = ways.iter().enumerate().filter_map(|(place, way)| {
        let node = tree.node(tree.child(from, way.key)?);
        // A mean is at most 1, so it only settles equals.
        Some((place, f64::from(node.visits) + node.sum / (f64::from(node.visits) + 1.0)))
    });
    best(visited)
}

/// The first of the greatest.
fn best(values: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let greater = |best: Option<(usize, f64)>, one: (usize, f64)| match best {
        Some(best) if best.1 >= one.1 => Some(best),
        _ => Some(one),
    };
    values.fold(None, greater).map(|(place, _)| place)
}

/// The logarithm to base 2 of a number from 1 on, between powers of two along straight lines.
fn log2(number: u64) -> f64 {
    let whole = number.max(1).ilog2();
    let power = (1u64 << whole) as f64;
    f64::from(whole) + (number.max(1) as f64 - power) / power
}

#[cfg(test)]
mod tests {
    use super::super::node::ROOT;
    use super::*;

    fn ways(promises: &[f64]) -> Vec<Way> {
        promises.iter().enumerate().map(|(key, &promise)| Way { key: key as u64, promise }).collect()
    }

    #[test]
    fn the_logarithm_is_right_at_powers_and_rises() {
        assert_eq!([1, 2, 4, 1 << 20].map(log2), [0.0, 1.0, 2.0, 20.0]);
        assert_eq!(log2(3), 1.5);
        assert!((1..2000).all(|number| log2(number) < log2(number + 1)));
        assert!((1..2000u32).all(|number| (log2(number.into()) - f64::from(number).log2()).abs() < 0.09));
    }

    #[test]
    fn what_promises_most_is_tried_first_and_the_rest_later() {
        let mut tree = Tree::new(1000);
        let ways = ways(&[0.1, 0.9, 0.5, 0.4, 0.3, 0.2]);
        let mut order = Vec::new();
        for _ in 0..200 {
            let place = select(&mut tree, ROOT, &ways).unwrap();
            let (child, is_new) = tree.grow(ROOT, ways[place].key).unwrap();
            tree.visit(ROOT, 0.0);
            tree.visit(child, 0.5);
            if is_new {
                order.push(place);
            }
        }
        assert_eq!(order, [1, 2, 3, 4, 5, 0]);
    }

    #[test]
    fn the_better_way_is_gone_more_often_and_taken() {
        let mut tree = Tree::new(1000);
        let ways = ways(&[0.5, 0.5, 0.5]);
        for _ in 0..300 {
            let place = select(&mut tree, ROOT, &ways).unwrap();
            let (child, _) = tree.grow(ROOT, ways[place].key).unwrap();
            tree.visit(ROOT, 0.0);
            tree.visit(child, [0.2, 0.8, 0.4][place]);
        }
        assert_eq!(most_visited(&tree, ROOT, &ways), Some(1));
        let visits = ways.iter().map(|way| tree.node(tree.child(ROOT, way.key).unwrap()).visits);
        assert!(visits.clone().all(|visits| visits > 0) && visits.max().unwrap() > 200);
    }

    #[test]
    fn a_way_that_is_seldom_there_is_not_passed_over_for_it() {
        // Available in every tenth world only; in those it is compared by its own count.
        let mut tree = Tree::new(1000);
        let ways = ways(&[0.5, 0.5]);
        let mut taken = 0;
        for turn in 0..1000 {
            let there = if turn % 10 == 0 { &ways[..] } else { &ways[..1] };
            let place = select(&mut tree, ROOT, there).unwrap();
            let (child, _) = tree.grow(ROOT, ways[place].key).unwrap();
            tree.visit(ROOT, 0.0);
            tree.visit(child, [0.4, 0.7][place]);
            taken += usize::from(place == 1);
        }
        assert!(taken > 80, "{taken} of 100");
    }

    #[test]
    fn without_ways_there_is_none_and_a_full_tree_stops() {
        let mut tree = Tree::new(2);
        assert_eq!(select(&mut tree, ROOT, &[]), None);
        assert_eq!(most_visited(&tree, ROOT, &ways(&[0.5])), None);
        assert_eq!(tree.grow(ROOT, 1), Some((1, true)));
        assert_eq!(tree.grow(ROOT, 2), None);
        assert_eq!(tree.grow(ROOT, 1), Some((1, false)));
        assert_eq!(tree.len(), 2);
    }
}
