//! Headings: what stands in a heading's place has its own names, and must fit. What hangs on a rule or step says the
//! names that it found there.

use std::collections::HashMap;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::visit::VisitMut;
use blazon_syntax::ast::{Block, Clause, Expr, Name, Param, Type, TypeKind, When};

use crate::hygiene::{Asked, Variables, marked, plain};
use crate::merge::edits::{ClauseEdit, Edit, PartEdit, RuleEdit, StepEdit};
use crate::merge::merged::type_text;

/// What a rule or step is asked with, and what it gives.
#[derive(Clone, Copy)]
pub(super) struct Heading<'a> {
    pub name: &'a Name,
    pub params: &'a [Param],
    pub ty: Option<&'a Type>,
}

/// Whether a heading takes the same values as another and gives the same.
pub(super) fn fits(new: Heading<'_>, old: Heading<'_>) -> bool {
    // The step or rule keeps its own heading, so a range that is narrower here would hold nowhere.
    let range = |ty: &Type| match ty.kind {
        TypeKind::Range(lo, hi) => Some((lo, hi)),
        TypeKind::Named(_) | TypeKind::SetOf(_) => None,
    };
    let same =
        |a: &Type, b: &Type| type_text(a) == type_text(b) && range(a) == range(b) && a.optional == b.optional;
    new.params.len() == old.params.len()
        && new.params.iter().zip(old.params).all(|(a, b)| same(&a.ty, &b.ty))
        && match (new.ty, old.ty) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
}

/// What is said where one does not fit.
pub(super) fn misfit(new: Heading<'_>, old: Heading<'_>) -> Diagnostic {
    let name = &new.name.text;
    let at = new.params.iter().map(|param| param.ty.span).fold(new.name.span, Span::to);
    Diagnostic::error(
        "types::mismatch",
        at,
        format!("under a condition `{name}` takes and gives what it always does"),
    )
    .label("this heading does not fit")
    .related(old.name.span, format!("the heading: `{}`", written(old)))
    .help("keep the types of the heading; the names may be others")
}

fn written(heading: Heading<'_>) -> String {
    let ty = |ty: &Type| {
        let name = match ty.kind {
            TypeKind::Range(lo, hi) => format!("{lo}..{hi}"),
            TypeKind::Named(_) | TypeKind::SetOf(_) => type_text(ty),
        };
        if ty.optional { format!("{name}?") } else { name }
    };
    let params: Vec<String> =
        heading.params.iter().map(|param| format!("{}: {}", param.name.text, ty(&param.ty))).collect();
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    format!("{}{params}{}", heading.name.text, heading.ty.map(|t| format!(": {}", ty(t))).unwrap_or_default())
}

/// The names of one heading for those of another: by their places, where both take the same; else by the names.
pub(super) struct Renaming<'p> {
    pairs: Vec<(String, String)>,
    /// The parameters that the other heading does not have.
    gone: Vec<String>,
    /// Where one of those is meant.
    lost: Vec<(Span, String)>,
    /// Is told where parameters are meant, and how that is written.
    parameters: &'p mut HashMap<Span, String>,
}

impl<'p> Renaming<'p> {
    /// None if the heading is the same.
    pub fn new(from: &[Param], to: &[Param], parameters: &'p mut HashMap<Span, String>) -> Option<Self> {
        let same = |a: &Param, b: &Param| a.name.span == b.name.span && a.name.text == b.name.text;
        if from.len() == to.len() && from.iter().zip(to).all(|(a, b)| same(a, b)) {
            return None;
        }
        let takes = |param: &Param| (type_text(&param.ty), param.ty.optional);
        let is_alike = from.len() == to.len() && from.iter().zip(to).all(|(a, b)| takes(a) == takes(b));
        let (mut pairs, mut gone) = (Vec::new(), Vec::new());
        for (place, param) in from.iter().enumerate() {
            let name = &param.name.text;
            let is_called = |other: &&Param| plain(&other.name.text) == plain(name);
            match if is_alike { to.get(place) } else { to.iter().find(is_called) } {
                Some(other) => pairs.push((name.clone(), other.name.text.clone())),
                None => gone.push(name.clone()),
            }
        }
        Some(Self { pairs, gone, lost: Vec::new(), parameters })
    }

    /// What is said where a parameter is meant that the other heading, which stands there, does not have.
    pub fn told(self, heading: &Name, word: &str) -> Option<Diagnostic> {
        let (at, name) = self.lost.into_iter().next()?;
        let message =
            format!("this `{}` takes no `{name}`, of which something speaks that hangs on it", heading.text);
        let help = format!(
            "keep the parameter, or write `replace whole {word} {} …`: then what hangs there goes, too",
            heading.text
        );
        Some(
            Diagnostic::error("amend::clash", heading.span, message)
                .label("another heading is put here")
                .related(at, "this finds no hold in it")
                .help(help),
        )
    }

    /// Renames wherever it walks.
    fn variables(&mut self) -> Variables<impl FnMut(&mut Name)> {
        Variables(|name: &mut Name| self.name(name))
    }

    fn name(&mut self, name: &mut Name) {
        if let Some((_, to)) = self.pairs.iter().find(|(from, _)| *from == name.text) {
            let written = std::mem::replace(&mut name.text, to.clone());
            self.parameters.insert(name.span, written);
        } else if self.gone.contains(&name.text) {
            self.lost.push((name.span, name.text.clone()));
        }
    }

    pub fn rule_edit(&mut self, edit: &mut Edit<RuleEdit>) {
        edit.under.iter_mut().for_each(|under| self.variables().visit_expr_mut(under));
        match &mut edit.kind {
            RuleEdit::Clause(edit) => self.clause_edit(edit),
            RuleEdit::Body { .. } | RuleEdit::Rows(_) | RuleEdit::PutRows(_) | RuleEdit::Cites(_) => {}
        }
    }

    pub fn step_edit(&mut self, edit: &mut Edit<StepEdit>) {
        if matches!(edit.kind, StepEdit::HookOf { .. }) {
            // It sees the parameters of the step around which it stands.
            return;
        }
        edit.under.iter_mut().for_each(|under| self.variables().visit_expr_mut(under));
        match &mut edit.kind {
            StepEdit::Law(edit) | StepEdit::Need(_, edit) => self.clause_edit(edit),
            StepEdit::Part(_, PartEdit::AddOption(option) | PartEdit::PutOption { option, .. }) => {
                self.variables().visit_option_mut(option);
            }
            StepEdit::Part(_, PartEdit::AddWhen(when) | PartEdit::PutWhen(when)) => self.when(when),
            StepEdit::Hook { body, .. } => self.variables().visit_block_mut(body),
            StepEdit::Body { .. }
            | StepEdit::Part(_, PartEdit::DropOption(_) | PartEdit::DropWhen(_))
            | StepEdit::HookOf { .. }
            | StepEdit::Cites(..) => {}
        }
    }

    /// When a body stands.
    pub fn condition(&mut self, under: &mut Expr) {
        self.variables().visit_expr_mut(under);
    }

    /// Statements around a step, and when they run.
    pub fn hook(&mut self, under: Option<&mut Expr>, body: &mut Block) {
        let mut variables = self.variables();
        under.into_iter().for_each(|under| variables.visit_expr_mut(under));
        variables.visit_block_mut(body);
    }

    fn clause_edit(&mut self, edit: &mut ClauseEdit) {
        match edit {
            ClauseEdit::Add(clause) | ClauseEdit::Put(clause) => self.variables().visit_clause_mut(clause),
            ClauseEdit::Drop(_) => {}
        }
    }

    fn when(&mut self, when: &mut When) {
        let mut variables = self.variables();
        when.values.iter_mut().for_each(|value| variables.visit_expr_mut(value));
        when.title.iter_mut().for_each(|title| variables.visit_text_mut(title));
        variables.visit_block_mut(&mut when.body);
    }
}

/// Gives a body the names of another heading.
pub(super) fn rename_block(
    block: &mut Block,
    from: &[Param],
    to: &[Param],
    parameters: &mut HashMap<Span, String>,
) {
    if let Some(mut renaming) = Renaming::new(from, to, parameters) {
        renaming.variables().visit_block_mut(block);
    }
}

/// The same with clauses.
pub(super) fn rename_clauses(
    clauses: &mut [Clause],
    from: &[Param],
    to: &[Param],
    parameters: &mut HashMap<Span, String>,
) {
    if let Some(mut renaming) = Renaming::new(from, to, parameters) {
        let mut variables = renaming.variables();
        clauses.iter_mut().for_each(|clause| variables.visit_clause_mut(clause));
    }
}

/// The same with a value.
pub(super) fn rename_expr(
    expr: &mut Expr,
    from: &[Param],
    to: &[Param],
    parameters: &mut HashMap<Span, String>,
) {
    if let Some(mut renaming) = Renaming::new(from, to, parameters) {
        renaming.variables().visit_expr_mut(expr);
    }
}

/// The parameters of a heading, marked where they are called as something of which others speak that have another heading in
/// sight, without that name: there it means something else.
pub(super) fn told_apart<'b>(
    params: &[Param],
    others: impl Iterator<Item = (&'b [Param], Asked)>,
) -> Vec<Param> {
    let mut params = params.to_vec();
    for (own, asked) in others {
        for param in &mut params {
            let name = &param.name.text;
            if asked.has(name) && !own.iter().any(|own| own.name.text == *name) {
                param.name.text = marked(name, "heading");
            }
        }
    }
    params
}
