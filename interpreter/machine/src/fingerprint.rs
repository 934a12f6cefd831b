//! A hash of everything in a program that play depends on, the same on every machine.
//!
//! Places in files and the words of texts are left out: mending a spelling does not make a saved game foreign.

use std::fmt::{self, Debug, Write};

use blazon_kernel::chance;
use blazon_program::Program;

struct Hasher(u64, u64);

impl Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.1 += text.len() as u64;
        Ok(())
    }
}

impl Hasher {
    fn add(&mut self, value: &impl Debug) {
        // The writer never fails.
        let _ = write!(self, "{value:?};");
    }
}

/// The hash.
pub(crate) fn of(program: &Program) -> u64 {
    let mut hasher = Hasher(0xcbf2_9ce4_8422_2325, 0);
    hasher.add(&program.code);
    hasher.add(&program.columns);
    hasher.add(&program.facts);
    hasher.add(&program.state_words);
    hasher.add(&program.pool);
    hasher.add(&program.numbers);
    hasher.add(&program.kinds);
    hasher.add(&program.scopes);
    hasher.add(&program.starts);
    hasher.add(&program.seen);
    for table in &program.tables {
        hasher.add(&(table.leading, &table.across, &table.rows, &table.cells));
    }
    for function in &program.functions {
        hasher.add(&(function.entry, function.param_words, function.result_words));
        hasher.add(&(function.local_words, function.frame_words));
    }
    for choice in &program.choices {
        hasher.add(&(
            choice.step,
            choice.who,
            choice.who_reg,
            choice.enumerate,
            choice.otherwise,
            choice.after,
        ));
        hasher.add(&choice.each);
        for option in &choice.options {
            hasher.add(&(&option.name, option.body));
            for param in &option.params {
                hasher.add(&(param.kind, param.local));
            }
        }
    }
    for kind in &program.book.kinds {
        for thing in &kind.things {
            hasher.add(&thing.name);
        }
    }
    for setup in &program.book.setups {
        hasher.add(&(&setup.name, setup.body));
    }
    hasher.add(&(program.book.player, &program.book.players, program.book.begins));
    chance::mix(hasher.0, hasher.1)
}
