//! Slips around the labels of clauses: a sign or word that is missing turns the label into something else that can be
//! read.

use blazon_diagnostics::{Diagnostic, Fix, slips_between};
use blazon_syntax::ast::{self, BinaryOp};

use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

impl Checker<'_> {
    /// Whether the label of a clause was surely meant in another way; then that is said.
    pub(crate) fn misread_label(&mut self, env: &Env, rule: &ast::Rule, clause: &ast::Clause) -> bool {
        let said = match &clause.label {
            Some(label) => misspelt_beats(rule, label),
            None => self.label_without_colon(env, clause),
        };
        let is_misread = said.is_some();
        self.diagnostics.extend(said);
        is_misread
    }

    /// `except wales = 3`, where nothing is called `wales`.
    fn label_without_colon(&self, env: &Env, clause: &ast::Clause) -> Option<Diagnostic> {
        let (ast::ClauseKind::Except { value, .. } | ast::ClauseKind::Modify { value, .. }) = &clause.kind
        else {
            return None;
        };
        let ast::ExprKind::Binary(BinaryOp::Equal, left, right) = &value.kind else { return None };
        let ast::ExprKind::Call(call) = &left.kind else { return None };
        if !call.args.is_empty() || self.is_known(env, &call.name.text) {
            return None;
        }
        let (name, value) = (&call.name.text, self.parsed.sources.slice(right.span));
        let between = blazon_diagnostics::Span { start: left.span.end, end: right.span.start, ..left.span };
        Some(
            Diagnostic::error("names::unknown", call.name.span, format!("nothing is called `{name}`"))
                .label("is this the label?")
                .help(format!("a label ends with a colon: `{name}: {value}`"))
                .fix(Fix::replace(format!("write `{name}: {value}`"), between, ": ")),
        )
    }
}

/// `except high baets low: …`, where another clause is called `low`.
fn misspelt_beats(rule: &ast::Rule, label: &ast::Name) -> Option<Diagnostic> {
    let is_other = |name: &str| {
        let labels = rule.clauses.iter().filter_map(|clause| clause.label.as_ref());
        labels.into_iter().any(|other| other.text == name && other.span != label.span)
    };
    let mut blanks = label.text.match_indices(' ').map(|(at, _)| at).peekable();
    while let Some(before) = blanks.next() {
        let Some(&after) = blanks.peek() else { break };
        let word = &label.text[before + 1..after];
        if slips_between(word, "beats") == 1 && is_other(&label.text[after + 1..]) {
            let meant = format!("{} beats{}", &label.text[..before], &label.text[after..]);
            let message = format!("a word of the language is misspelt: `{word}`");
            return Some(
                Diagnostic::error("names::unknown", label.span, message)
                    .label("all this is a label now")
                    .help(blazon_diagnostics::did_you_mean("beats"))
                    .fix(Fix::replace("write `beats`", label.span, meant)),
            );
        }
    }
    None
}
