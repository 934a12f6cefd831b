//! How far the interpreted rules are from the same thing by hand: the orders of two hundred positions of random play of
//! Richard III, found by the rules and by `native.rs`.

use std::hint::black_box;
use std::sync::Arc;

use blazon_kernel::Position;
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Pick, Random};
use blazon_program::Program;

use crate::native::{Board, Order};
use crate::work;

/// The positions.
pub struct Yardstick {
    machine: Machine,
    positions: Vec<(Position, u32)>,
    boards: Vec<Board>,
    orders: Vec<Order>,
}

impl Yardstick {
    /// Every seventh decision of some games, where it asks for orders.
    pub fn new(program: &Arc<Program>) -> Self {
        let mut machine = work::machine(program);
        let mut positions: Vec<(Position, u32)> = Vec::new();
        let mut boards: Vec<Board> = Vec::new();
        for seed in 0.. {
            machine.start(program.book.default_setup, seed).expect("a game");
            let mut bot = Random::new(seed, Pick::ByName);
            while let Some(&player) = machine.deciders().first() {
                if machine.taken().is_multiple_of(7)
                    && let Some(board) = Board::read(&machine, boards.last())
                {
                    positions.push((machine.snapshot(), player));
                    boards.push(board);
                }
                let index = bot.decide(&mut machine, player);
                machine.choose(player, index).expect("a legal choice");
            }
            if positions.len() >= 200 {
                break;
            }
        }
        Self { machine, positions, boards, orders: Vec::new() }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// All orders of all positions, by the rules. Every one is looked at, since the machine may have found whole sets of
    /// them at once.
    pub fn by_rules(&mut self) {
        for (position, player) in &self.positions {
            self.machine.restore(position).expect("a position");
            self.machine.options(*player).iter().for_each(|open| {
                black_box(open);
            });
        }
    }

    /// All orders of all positions, by hand.
    pub fn by_hand(&mut self) {
        for board in &self.boards {
            board.orders(&mut self.orders);
            black_box(&self.orders);
        }
    }
}
