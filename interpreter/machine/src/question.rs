//! What is being decided: the choice, who is asked, and what is open to each.

use crate::vm::options::Options;

/// What is being decided. Buffers are kept from one decision to the next.
#[derive(Clone, Default)]
pub(crate) struct Decision {
    pub choice: Option<u16>,
    pub pc: usize,
    pub base: usize,
    /// The first `live` of these are asked.
    pub pendings: Vec<Pending>,
    pub live: usize,
    deciders: Vec<u32>,
    /// Of a choice by each: who answered because nothing else was open.
    pub forced: Vec<u32>,
    nothing: Options,
}

/// Somebody who is asked.
#[derive(Clone, Default)]
pub(crate) struct Pending {
    /// Whom the rules ask.
    pub asked: u32,
    /// Who decides for him.
    pub decider: u32,
    pub options: Options,
}

impl Decision {
    /// Becomes like another, in the buffers that are there.
    pub fn copy(&mut self, other: &Self) {
        (self.choice, self.pc, self.base, self.live) = (other.choice, other.pc, other.base, other.live);
        if self.pendings.len() < other.live {
            self.pendings.resize_with(other.live, Pending::default);
        }
        for (own, pending) in self.pendings.iter_mut().zip(&other.pendings).take(other.live) {
            (own.asked, own.decider) = (pending.asked, pending.decider);
            own.options.copy(&pending.options);
        }
        self.deciders.clone_from(&other.deciders);
        self.forced.clone_from(&other.forced);
    }

    pub fn clear(&mut self) {
        self.choice = None;
        self.live = 0;
        self.deciders.clear();
        self.forced.clear();
    }

    pub fn choice(&self) -> Option<u16> {
        self.choice
    }

    /// The choice's place in the code and its frame.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.choice.map(|_| (self.pc, self.base))
    }

    pub fn deciders(&self) -> &[u32] {
        &self.deciders
    }

    /// The first question that a player has to answer.
    pub fn find(&self, player: u32) -> Option<usize> {
        self.pendings[..self.live].iter().position(|p| p.decider == player)
    }

    pub fn options(&self, player: u32) -> &Options {
        self.find(player).map_or(&self.nothing, |i| &self.pendings[i].options)
    }

    /// Who is asked, each with who decides for him.
    pub fn questions(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pendings[..self.live].iter().map(|pending| (pending.asked, pending.decider))
    }

    /// For whom a player decides first.
    pub fn asked(&self, player: u32) -> Option<u32> {
        self.find(player).map(|i| self.pendings[i].asked)
    }

    /// Somebody is asked; his options are those in `options`, which gets an old buffer back.
    pub fn add(&mut self, asked: u32, decider: u32, options: &mut Options) {
        if self.live == self.pendings.len() {
            self.pendings.push(Pending::default());
        }
        let pending = &mut self.pendings[self.live];
        (pending.asked, pending.decider) = (asked, decider);
        std::mem::swap(&mut pending.options, options);
        self.live += 1;
        if !self.deciders.contains(&decider) {
            self.deciders.push(decider);
        }
    }

    pub fn remove(&mut self, place: usize) {
        self.pendings[place..self.live].rotate_left(1);
        self.live -= 1;
        self.deciders.clear();
        for pending in &self.pendings[..self.live] {
            if !self.deciders.contains(&pending.decider) {
                self.deciders.push(pending.decider);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(asked: &[(u32, u32)]) -> Decision {
        let mut decision = Decision { choice: Some(3), pc: 5, base: 7, ..Decision::default() };
        for &(asked, decider) in asked {
            decision.add(asked, decider, &mut Options::default());
        }
        decision
    }

    #[test]
    fn a_decision_is_copied_over_a_longer_and_over_a_shorter_one() {
        let one = decision(&[(0, 1), (2, 1)]);
        for others in [&[(4, 4), (5, 5), (6, 6)][..], &[(4, 4)], &[]] {
            let mut copy = decision(others);
            copy.copy(&one);
            assert_eq!(copy.place(), one.place());
            assert_eq!(copy.deciders(), one.deciders());
            assert!(copy.questions().eq(one.questions()));
            assert_eq!((copy.find(1), copy.find(4)), (Some(0), None));
        }
    }
}
