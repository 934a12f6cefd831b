//! What is said where a change names what is not there: what is, as far as that is short.

use blazon_diagnostics::{Diagnostic, Span, list};
use blazon_syntax::ast::{self, Name};

use super::Amender;
use crate::merge::merged::type_text;
use crate::merge::sort::Sort;
use crate::merge::visit::read_choices;

impl Amender<'_> {
    pub(super) fn missing(&mut self, what: &Sort, name: &Name, names: &[String]) {
        if self.removes && self.is_agreed(what, name) {
            // Who knows of this layer and not of the other must find it taken out by this one, too.
            self.note_removed(what.clone(), name);
            return;
        }
        let diagnostic = crate::merge::weave::missing(self.merged, self.order, self.layer, what, name, names);
        self.diagnostics.extend(diagnostic);
    }

    /// Whether another layer has taken the part out already.
    pub(super) fn is_agreed(&self, what: &Sort, name: &Name) -> bool {
        let mut removed = self.merged.removed.iter();
        removed.any(|old| old.what == *what && old.name == name.text && old.layer != self.layer)
    }

    /// Complains of an option that is named outside a step.
    pub(super) fn option_outside(&mut self, name: &Name, span: Span) {
        let offers = |step: &&ast::Step| options(step).contains(&name.text);
        let steps = self.merged.steps.iter().map(|step| &*step.step);
        let homes: Vec<&str> = steps.filter(offers).map(|step| step.name.text.as_str()).collect();
        let diagnostic = Diagnostic::error("amend::missing", span, "an option belongs to a step");
        let option = &name.text;
        self.diagnostics.push(match homes[..] {
            [home] => diagnostic.help(format!(
                "open the step that offers it first: `in step {home} {{ in option {option} {{ … }} }}`"
            )),
            [] => diagnostic.help("open the step first: `in step give orders { in option march { … } }`"),
            _ => diagnostic.help(format!(
                "open one of the steps that offer it first, {}: `in step … {{ in option {option} {{ … }} }}`",
                list(homes, "or")
            )),
        });
    }

    /// Complains of the columns in brackets behind a table or a list of links: none of the kind has them.
    pub(super) fn no_such_columns(&mut self, name: &Name, part: &ast::Part, tables: bool) {
        let (word, what) = if tables { ("table", "table") } else { ("links", "list of links") };
        let lists = self.listings(tables).into_iter().map(|(kind, fixed)| (kind, columns(fixed)));
        let lists: Vec<(&Name, String)> = lists.collect();
        let kind = &name.text;
        let mut headings: Vec<String> = lists
            .iter()
            .filter(|(other, _)| other.text == *kind && self.is_known(other))
            .map(|(_, columns)| format!("{word} {kind}{columns}"))
            .collect();
        headings.dedup();
        let wanted = columns(&part.fixed);
        let mut diagnostic =
            Diagnostic::error("amend::missing", part.span, format!("no {what} of `{kind}` has{wanted}"))
                .label("brackets single out one of several");
        let known = lists.into_iter().filter(|(other, _)| other.text == *kind && self.is_known(other));
        for (other, _) in known.take(3) {
            diagnostic = diagnostic.related(other.span, format!("a {what} of this kind"));
        }
        self.diagnostics.push(diagnostic.help(format!(
            "there is {}: open that, or list anew at the margin: `{word} {kind}{wanted}`",
            list(&headings, "and")
        )));
    }

    /// Complains of a rule that is not there with the parameters written; whether there are rules of its name.
    pub(super) fn other_parameters(&mut self, rule: &ast::Rule) -> bool {
        let merged = &self.merged;
        let named: Vec<&ast::Rule> =
            merged.rules.named(&rule.name.text).iter().map(|place| &*merged.rules[*place].rule).collect();
        if named.is_empty() {
            return false;
        }
        let headings: Vec<String> = named.iter().map(|rule| heading(rule)).collect();
        let message = format!("there is no rule `{}` to change", heading(rule));
        let mut diagnostic = Diagnostic::error("amend::missing", rule.name.span, message)
            .label("not with these parameters")
            .help(format!("there is {}: write its parameters", list(&headings, "and")));
        for other in named.into_iter().take(3) {
            diagnostic = diagnostic.related(other.name.span, "a rule of this name");
        }
        self.diagnostics.push(diagnostic);
        true
    }
}

/// Columns with one value, as they stand in brackets behind a kind.
pub(super) fn columns(fixed: &[(Name, ast::Expr)]) -> String {
    let shown: Vec<String> = fixed
        .iter()
        .map(|(column, value)| match matches!(value.kind, ast::ExprKind::Flag(true)) {
            true => column.text.clone(),
            false => format!("{}: {}", column.text, ast::print::expr(value)),
        })
        .collect();
    if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) }
}

/// The names of the options that a step offers.
fn options(step: &ast::Step) -> Vec<String> {
    let mut names = Vec::new();
    read_choices(&step.body, &mut |choose| {
        names.extend(choose.options.iter().map(|option| option.name.text.clone()));
    });
    names
}

/// The name of a rule with its parameters, as it is written.
fn heading(rule: &ast::Rule) -> String {
    let params: Vec<String> =
        rule.params.iter().map(|param| format!("{}: {}", param.name.text, type_text(&param.ty))).collect();
    match params.is_empty() {
        true => rule.name.text.clone(),
        false => format!("{}({})", rule.name.text, params.join(", ")),
    }
}
