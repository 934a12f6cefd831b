//! Where the rules tell what not everybody sees: a page that a designer wants to read.

use blazon_diagnostics::{Article, Span};

use crate::walk::{Visit, walk_option, walk_statement};
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
    /// Where hidden things are told to all: rules that are known to all, what is announced, names that are said; in the
    /// order of the pages.
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
        walk_option(self, option);
    }
}
