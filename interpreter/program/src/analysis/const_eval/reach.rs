//! What is reached from a set, in hops or by ways that cost something, where that can be known.

use std::collections::BinaryHeap;

use blazon_book::{LocalId, Query};
use blazon_kernel::bits;
use smallvec::smallvec;

use super::{Bits, Eval, Known};
use crate::ir::ABSENT;

impl Eval<'_> {
    /// All that is reached from a set in so many hops.
    pub(super) fn reached(&mut self, set: Bits, query: &Query) -> Option<Bits> {
        let by = query.by.as_ref()?;
        let most = query.within.as_ref().map_or(Some(i64::MAX), |within| self.number(within))?;
        if let Some(ways) = query.ways() {
            return self.reached_by_ways(set, query.local, ways, most);
        }
        let (mut reached, mut edge, mut hops) = (set.clone(), set, 0);
        while hops < most && edge.iter().any(|&word| word != 0) {
            let mut found: Bits = smallvec![0; edge.len()];
            for thing in bits::iter(&edge) {
                self.env.push((query.local, Known::Word(thing as i64)));
                let next = self.set(by);
                self.env.pop();
                found.iter_mut().zip(next?).for_each(|(all, next)| *all |= next);
            }
            for ((edge, reached), found) in edge.iter_mut().zip(&mut reached).zip(found) {
                *edge = found & !*reached;
                *reached |= *edge;
            }
            hops += 1;
        }
        Some(reached)
    }

    /// All that is reached by ways that do not cost more than so much together (Dijkstra 1959).
    fn reached_by_ways(&mut self, start: Bits, here: LocalId, ways: &Query, most: i64) -> Option<Bits> {
        let mut reached = start;
        let mut left: Vec<Option<i64>> = vec![None; reached.len() * 64];
        // The thing with the most left first.
        let mut open = BinaryHeap::new();
        if most >= 0 {
            for thing in bits::iter(&reached) {
                left[thing] = Some(most);
                open.push((most, thing));
            }
        }
        while let Some((most, thing)) = open.pop() {
            if left[thing] != Some(most) {
                continue;
            }
            self.env.push((here, Known::Word(thing as i64)));
            let costs = self.costs(ways);
            self.env.pop();
            for (to, cost) in costs? {
                let more = most.checked_sub(cost).filter(|more| *more >= 0);
                if more.is_some() && more > left[to] {
                    left[to] = more;
                    bits::insert(&mut reached, to);
                    open.extend(more.map(|more| (more, to)));
                }
            }
        }
        Some(reached)
    }

    /// What the ways from a thing cost, by where they lead. A cost less than nothing is for the game to stop at.
    fn costs(&mut self, ways: &Query) -> Option<Vec<(usize, i64)>> {
        let mut costs = Vec::new();
        for to in bits::iter(&self.set(&ways.source)?) {
            self.env.push((ways.local, Known::Word(to as i64)));
            let is_way = ways.filter.as_ref().map_or(Some(true), |filter| self.flag(filter));
            let cost = match (is_way, &ways.by) {
                (Some(true), Some(by)) => self.number(by),
                (Some(_), _) => Some(ABSENT),
                (None, _) => None,
            };
            self.env.pop();
            match cost? {
                ABSENT => {}
                cost if cost < 0 => return None,
                cost => costs.push((to, cost)),
            }
        }
        Some(costs)
    }
}
