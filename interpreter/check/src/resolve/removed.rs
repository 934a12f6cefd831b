//! Complaints about names of what a change took out: they show where.

use blazon_diagnostics::Diagnostic;
use blazon_syntax::ast;

use crate::merge::Sort;
use crate::resolve::checker::Checker;

impl Checker<'_> {
    /// A complaint about a name that nothing bears; where a change took out what bore it, that place is shown.
    pub fn say_unknown(&mut self, name: &str, mut diagnostic: Diagnostic) {
        if let Some(removed) = self.merged.removed.iter().find(|removed| removed.name == name) {
            diagnostic.fixes.clear();
            diagnostic = diagnostic
                .related(removed.span, "it is taken out here")
                .help("take it out where it is used, too, or leave it in");
        }
        self.diagnostics.push(diagnostic);
    }

    /// Complains that a clause which another outranks was taken out; answers whether it was.
    pub(crate) fn beaten_is_removed(&mut self, rule: &ast::Rule, name: &ast::Name) -> bool {
        let what = Sort::ClauseOf(rule.name.text.clone());
        let removed = self.merged.removed.iter().find(|r| r.what == what && r.name == name.text);
        let Some(removed) = removed else { return false };
        let at = [Some(name.span), Some(removed.span)];
        if self.diagnostics.iter().any(|said| said.code == "amend::clash" && at.contains(&said.span)) {
            return true; // The two fight over it.
        }
        self.diagnostics.push(
            Diagnostic::error(
                "amend::clash",
                name.span,
                format!("`{}` no longer has the clause `{}`", rule.name.text, name.text),
            )
            .label("to be outranked here")
            .related(removed.span, "it is taken out here")
            .help("leave it in, or outrank nothing"),
        );
        true
    }
}
