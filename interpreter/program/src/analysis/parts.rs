//! Steps that changes have split into parts: what hangs around a step and what is printed in it are one step, for watches too.

use blazon_book::graph::{Join, Numbers};

/// Which steps belong together, by their numbers: each leads to another of its group or to itself.
pub(super) struct Groups(Vec<usize>);

impl Groups {
    /// Each by itself.
    pub fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Puts the groups of two together.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other)] = one.min(other);
    }

    fn first(&self, mut step: usize) -> usize {
        while self.0[step] != step {
            step = self.0[step];
        }
        step
    }

    /// What each sets, with what is set in its group.
    pub fn together(&self, writes: &[Numbers]) -> Vec<Numbers> {
        let mut all = writes.to_vec();
        for (step, own) in writes.iter().enumerate() {
            all[self.first(step)].join(own);
        }
        (0..all.len()).map(|step| all[self.first(step)].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_of_a_group_sets_all_of_it_set() {
        let mut groups = Groups::new(5);
        groups.join(3, 4);
        groups.join(1, 4);
        let set = |numbers: &[usize]| numbers.iter().copied().collect::<Numbers>();
        let writes = [set(&[7]), set(&[]), set(&[]), set(&[2]), set(&[3])];
        let all: Vec<Vec<usize>> =
            groups.together(&writes).iter().map(|numbers| numbers.iter().collect()).collect();
        assert_eq!(all, [vec![7], vec![2, 3], vec![], vec![2, 3], vec![2, 3]]);
    }
}
