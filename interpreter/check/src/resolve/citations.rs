//! Citations: every paragraph that a page names must be in the outline, wherever it stands.

use std::collections::{BTreeMap, BTreeSet};

use blazon_diagnostics::{Diagnostic, Fix, did_you_mean};
use blazon_syntax::ast::{Cite, Declaration, Item, ItemKind};

use crate::merge::order::{Order, Standing};
use crate::project::Layer;
use crate::resolve::checker::Checker;

impl Checker<'_> {
    /// Complains of paragraphs that are not in the outline, where there is one. A test may cite statements, examples and
    /// rulings by their ids, too.
    pub(crate) fn check_cites(&mut self) {
        let parsed = self.parsed;
        if !parsed.has_outline {
            return;
        }
        self.check_omitted();
        let statements: BTreeSet<&str> = parsed.statements.iter().map(String::as_str).collect();
        for (_, file) in parsed.files.iter().filter(|(layer, _)| *layer != Layer::Library) {
            // Who plays leaves the tests out: what stands in no other item is one.
            let mut rules =
                file.items.iter().filter(|item| !is_of_tests(item)).map(|item| item.span).peekable();
            for cite in &file.cites {
                // Both stand in the written order.
                while rules.next_if(|item| item.end <= cite.span.start).is_some() {}
                let is_in_test = rules.peek().is_none_or(|item| cite.span.start < item.start);
                let text = cite.text.as_str();
                let is_statement = is_in_test && (statements.is_empty() || statements.contains(text));
                if !is_statement && !self.paragraphs.contains(text) {
                    self.no_paragraph(cite, is_in_test);
                }
            }
        }
    }

    /// Complains of paragraphs that are said to have no rule and that one carries out all the same, or that are accounted for
    /// twice, or without a word.
    fn check_omitted(&mut self) {
        let parsed = self.parsed;
        let order = Order::new(&parsed.variants);
        let mut omitted: Vec<(Layer, &Cite)> = Vec::new();
        // Of each paragraph the first citation in each layer.
        let mut carried: BTreeMap<&str, BTreeMap<Layer, &Cite>> = BTreeMap::new();
        for (layer, file) in &parsed.files {
            for item in file.items.iter().filter(|item| !is_of_tests(item)) {
                if let ItemKind::Declaration(Declaration::Omitted(line)) = &item.kind {
                    if line.reason.plain().is_some_and(|reason| reason.trim().is_empty()) {
                        let message = "`omitted` says why a paragraph has no rule, and this says nothing";
                        let said = Diagnostic::warning("cites::omitted", line.reason.span, message);
                        self.diagnostics.push(said.help("write the reason between the quotes"));
                    }
                    omitted.extend(line.cites.iter().map(|cite| (*layer, cite)));
                } else {
                    // They stand in the written order.
                    let first = file.cites.partition_point(|cite| cite.span.start < item.span.start);
                    let cites =
                        file.cites.iter().skip(first).take_while(|cite| cite.span.start < item.span.end);
                    for cite in cites {
                        carried.entry(&cite.text).or_default().entry(*layer).or_insert(cite);
                    }
                }
            }
        }
        let mut met: BTreeMap<(Layer, &str), &Cite> = BTreeMap::new();
        for (layer, cite) in omitted {
            let paragraph = &cite.text;
            if let Some(first) = met.insert((layer, paragraph), cite) {
                let message = format!("the paragraph `{paragraph}` is accounted for twice");
                let said = Diagnostic::warning("cites::twice", cite.span, message);
                self.diagnostics.push(said.related(first.span, "first here").help("take one of the two out"));
            }
            // A variant may carry out what its game leaves out.
            let knows = |other: Layer| matches!(order.of(layer, other), Standing::Same | Standing::Above);
            let by =
                carried.get(paragraph.as_str()).and_then(|by| by.iter().find(|(other, _)| knows(**other)));
            if let Some((_, by)) = by {
                let message =
                    format!("the paragraph `{paragraph}` is said to have no rule, and one cites it");
                let said = Diagnostic::warning("cites::omitted", cite.span, message);
                self.diagnostics.push(
                    said.related(by.span, "carried out here")
                        .help("take the paragraph out of this line, or out of that"),
                );
            }
        }
    }

    fn no_paragraph(&mut self, cite: &Cite, is_in_test: bool) {
        let parsed = self.parsed;
        let numbers = parsed.outline.iter().map(|(number, _)| number.as_str());
        let ids = parsed.statements.iter().filter(|_| is_in_test).map(String::as_str);
        let near = self.merged.guesses.near_miss(&cite.text, numbers.chain(ids)).map(str::to_owned);
        let what = if is_in_test { "paragraph or statement" } else { "paragraph" };
        let message = format!("the outline has no {what} `{}`", cite.text);
        let mut diagnostic = Diagnostic::error("cites::unknown", cite.span, message);
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

/// Whether an item is a test or a scene.
fn is_of_tests(item: &Item) -> bool {
    item.test().is_some() || matches!(item.kind, ItemKind::Scene(_))
}

/// The paragraphs cited.
pub(crate) fn cited(cites: &[Cite]) -> Vec<String> {
    cites.iter().map(|cite| cite.text.clone()).collect()
}
