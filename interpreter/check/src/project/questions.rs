//! A question beside the rules: one expression on a page of its own, which changes nothing.

use std::sync::Arc;

use blazon_diagnostics::SourceId;
use blazon_syntax::parse_expression;

use crate::project::Parsed;

impl Parsed {
    /// Lays a question beside the rules, as a page of a name; [`blazon_book::Book::questions`] has it when it is checked.
    /// It is a single expression, so no declaration and no change can stand in it; what is wrong with it is said as of
    /// any page.
    pub fn ask(&mut self, page: &str, question: &str) -> SourceId {
        let source = Arc::make_mut(&mut self.sources).add(page, question);
        match parse_expression(source, question) {
            Ok(expression) => self.questions.push(expression),
            Err(wrong) => self.diagnostics.extend(wrong),
        }
        source
    }
}
