//! A file made ready for the grammar: its tokens, the text that the grammar reads, what that found wrong.

use std::ops::Range;

use blazon_diagnostics::SourceId;

use crate::ast::Cite;
use crate::lexer::{Fault, Token, lex};
use crate::line_joining::lay_out;

/// A file made ready for the grammar.
pub(crate) struct Ready<'t> {
    /// The file.
    pub source: SourceId,
    /// Its text.
    pub text: &'t str,
    /// Its text for the grammar: its line ends are those that end something.
    pub laid: String,
    /// All tokens.
    pub tokens: Vec<Token>,
    /// What is to be read as blanks.
    pub blanks: Vec<Range<usize>>,
    /// Citations taken out of joined lines.
    pub strays: Vec<Cite>,
    /// What the first reading found wrong, in the order of the text.
    pub faults: Vec<Fault>,
}

impl<'t> Ready<'t> {
    /// Makes a file ready.
    pub(crate) fn new(source: SourceId, text: &'t str) -> Self {
        let lexed = lex(source, text);
        let layout = lay_out(source, text, &lexed, false);
        let mut faults = lexed.faults;
        faults.extend(layout.faults);
        faults.sort_by_key(|fault| fault.at);
        let (laid, strays) = (layout.text, layout.strays);
        Self { source, text, laid, tokens: lexed.tokens, blanks: lexed.blanks, strays, faults }
    }
}
