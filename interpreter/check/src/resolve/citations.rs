//! Citations: every paragraph named must be in the outline.

use blazon_diagnostics::{Diagnostic, Fix, did_you_mean};
use blazon_syntax::ast::Cite;

use crate::resolve::checker::Checker;

impl Checker<'_> {
    /// The paragraphs cited, checked.
    pub(crate) fn cites(&mut self, cites: &[Cite]) -> Vec<String> {
        self.check_cites(cites);
        texts(cites)
    }

    /// The paragraphs that a test cites, checked.
    pub(crate) fn test_cites(&mut self, cites: &[Cite]) -> Vec<String> {
        self.check_test_cites(cites);
        texts(cites)
    }

    /// Complains of paragraphs that are not in the outline, where there is one.
    pub(crate) fn check_cites(&mut self, cites: &[Cite]) {
        self.check_known(cites, false);
    }

    /// The same, but a test may also cite statements, examples and rulings by their ids.
    pub(crate) fn check_test_cites(&mut self, cites: &[Cite]) {
        self.check_known(cites, true);
    }

    fn check_known(&mut self, cites: &[Cite], statements: bool) {
        let parsed = self.parsed;
        for cite in cites {
            let known = !parsed.has_outline
                || self.paragraphs.contains(cite.text.as_str())
                || statements && (parsed.statements.is_empty() || parsed.statements.contains(&cite.text));
            if known || self.is_said_at(cite.span) {
                continue;
            }
            let numbers = parsed.outline.iter().map(|(number, _)| number.as_str());
            let ids = parsed.statements.iter().filter(|_| statements).map(String::as_str);
            let near = self.merged.guesses.near_miss(&cite.text, numbers.chain(ids)).map(str::to_owned);
            let what = if statements { "paragraph or statement" } else { "paragraph" };
            let mut diagnostic = Diagnostic::error(
                "cites::unknown",
                cite.span,
                format!("the outline has no {what} `{}`", cite.text),
            );
            diagnostic = match near {
                Some(near) => {
                    let near = format!("@{near}");
                    let fix = Fix::replace(format!("write `{near}`"), cite.span, near.clone());
                    diagnostic.help(did_you_mean(near)).fix(fix)
                }
                None => diagnostic.help("cite a paragraph of the outline, or add the paragraph to it"),
            };
            self.diagnostics.push(diagnostic);
        }
    }
}

fn texts(cites: &[Cite]) -> Vec<String> {
    cites.iter().map(|cite| cite.text.clone()).collect()
}
