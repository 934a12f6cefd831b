//! Where the rules tell what not everybody sees: a page that a designer wants to read.

use std::collections::BTreeSet;

use blazon_diagnostics::{Article, Span};

use crate::walk::{Visit, each_expr, walk_block, walk_option, walk_statement};
use crate::*;

/// A place where the rules give something away.
#[derive(Clone, Debug)]
pub struct Told {
    /// What is told, in words.
    pub what: String,
    /// The paragraphs by which it is told.
    pub cites: Vec<String>,
    /// Where that is said.
    pub span: Span,
}

impl Book {
    /// Where hidden things are told to all: rules that are known to all, what is announced, names that are said, and choices
    /// whose line says what a hidden state is set to; in the order of the pages.
    pub fn told(&self) -> Vec<Told> {
        let mut all = Vec::new();
        for rule in &self.rules {
            for release in &rule.known {
                let when = if release.when.is_some() { ", in a case" } else { "" };
                let what = format!("what `{}` answers{when}", rule.name);
                all.push(Told { what, cites: release.cites.clone(), span: release.span });
            }
        }
        let mut aloud = Aloud { book: self, all };
        self.steps.iter().for_each(|step| aloud.visit_block(&step.body));
        let mut all = aloud.all;
        all.sort_by_key(|told| told.span);
        all.dedup_by_key(|told| told.span);
        all
    }

    /// The kind of a thing or of a set of things that has a face not all see.
    fn hidden(&self, expr: &Expr) -> Option<&Kind> {
        let kind = self.kind(expr.ty.base.kind()?);
        (kind.seen.is_some() && !kind.name_on_back).then_some(kind)
    }
}

/// Looks for what is said aloud.
struct Aloud<'b> {
    book: &'b Book,
    all: Vec<Told>,
}

impl<'b> Visit<'b> for Aloud<'b> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Say { announce: true, text } = &statement.kind {
            let hidden = text.pieces.iter().find_map(|piece| match piece {
                Piece::Hole(expr) => self.book.hidden(expr),
                Piece::Plain(_) | Piece::Plural(_) => None,
            });
            if let Some(kind) = hidden {
                let what = format!("the name of {}, announced", Article(&kind.name));
                self.all.push(Told { what, cites: statement.cites.clone(), span: statement.span });
            }
        }
        walk_statement(self, statement);
    }

    fn visit_option(&mut self, option: &'b ChoiceOption) {
        for binder in option.binders.iter().filter(|binder| binder.by_name) {
            if let Some(kind) = self.book.hidden(&binder.source) {
                let what = format!("the name of {}, by whoever takes `{}`", Article(&kind.name), option.name);
                self.all.push(Told { what, cites: option.cites.clone(), span: option.span });
            }
        }
        self.said_by_line(option);
        walk_option(self, option);
    }
}

impl<'b> Aloud<'b> {
    /// A state on a face that an option sets to what its line says: all read the line of what was chosen.
    fn said_by_line(&mut self, option: &'b ChoiceOption) {
        let mut said = BTreeSet::new();
        let binders: BTreeSet<LocalId> = option.binders.iter().map(|binder| binder.local).collect();
        let mut note = |expr: &Expr| {
            // A thing with a hidden face is said by its back.
            if let ExprKind::Local(local) = expr.kind
                && binders.contains(&local)
                && self.book.hidden(expr).is_none()
            {
                said.insert(local);
            }
        };
        match &option.label {
            Some(text) => text.pieces.iter().for_each(|piece| {
                if let Piece::Hole(expr) = piece {
                    each_expr(expr, &mut note);
                }
            }),
            None => {
                for binder in option.binders.iter().filter(|b| self.book.hidden(&b.source).is_none()) {
                    said.insert(binder.local);
                }
            }
        }
        if said.is_empty() {
            return;
        }
        let mut sets = Sets { said: &said, found: Vec::new() };
        walk_block(&mut sets, &option.body);
        for (column, keys, statement) in sets.found {
            let owner = keys.iter().find_map(|key| self.book.hidden(key));
            let Some(kind) = owner.filter(|kind| !kind.back.contains(&column)) else { continue };
            let (state, kind) = (&self.book.column(column).name, Article(&kind.name));
            let what = format!("`{state}` of {kind}, by the line of whoever takes `{}`", option.name);
            self.all.push(Told { what, cites: statement.cites.clone(), span: statement.span });
        }
    }
}

/// Looks for states that are set by what a line says.
struct Sets<'b, 's> {
    said: &'s BTreeSet<LocalId>,
    found: Vec<(ColumnId, &'b [Expr], &'b Statement)>,
}

impl<'b> Visit<'b> for Sets<'b, '_> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Assign { column, keys, value: Value::Expr(value), .. } = &statement.kind {
            let mut is_said = false;
            each_expr(value, &mut |expr| {
                is_said |= matches!(expr.kind, ExprKind::Local(local) if self.said.contains(&local));
            });
            if is_said {
                self.found.push((*column, keys, statement));
            }
        }
        walk_statement(self, statement);
    }
}
