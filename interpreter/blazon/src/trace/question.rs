//! A question to the rules, as somebody writes it.

use blazon_check::Settings;

use super::Tracer;
use crate::compile::{Reading, Selection};
use crate::error::Result;
use crate::load::Rules;

/// The name of the page that a question stands on.
const PAGE: &str = "question";

impl Rules {
    /// What is wanted of these rules, with a question to them: a rule with arguments, an option with arguments, any
    /// expression. The rules that it asks are traced so many levels down.
    ///
    /// # Errors
    /// As [`Self::program`]; and [`crate::Error::Rules`] if the question is wrong, with the question as a page of its own.
    pub fn tracer(&mut self, wanted: &Selection, question: &str, depth: usize) -> Result<Tracer> {
        // What is wrong with the rules by themselves is told first.
        self.program(wanted)?;
        let stack = self.stack(&wanted.variants)?;
        let settings = Settings {
            setup: wanted.setup.clone(),
            rulings: wanted.rulings.clone(),
            invariants: wanted.invariants,
            unproved: true,
            ..Settings::default()
        };
        let mut reading = Reading::new(self, &stack);
        reading.leave_out_tests();
        reading.ask(PAGE, question);
        let program = reading.compile(&settings).into_program()?;
        Tracer::new(&program.book, &program.book.questions, depth)
    }
}
