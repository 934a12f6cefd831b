//! What stands in the tree where the text has an error: a hole, with those of its parts that can be typed. An error is
//! said where it is found; what is looked at for a hole's sake says nothing more.

use blazon_book::build;
use blazon_book::{Base, Expr, ExprKind, Need, StatementKind, Type};
use blazon_diagnostics::Span;
use blazon_syntax::ast;

use crate::resolve::checker::Checker;
use crate::resolve::env::{BRACES, Env};

/// The type of what is not known: nothing is said of what it is used for.
pub(crate) const UNKNOWN: Type = Type { base: Base::Unknown, optional: false };

impl Checker<'_> {
    /// Does something without a word about what is wrong with it.
    pub(crate) fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let said = self.diagnostics.len();
        let found = look(self);
        self.diagnostics.truncate(said);
        found
    }

    /// What was checked; a hole, if that failed.
    pub(crate) fn or_hole(
        &mut self,
        env: &mut Env,
        checked: Option<Expr>,
        expr: &ast::Expr,
        ty: Type,
    ) -> Expr {
        match checked {
            Some(checked) => checked,
            None => self.hole(env, expr, ty),
        }
    }

    /// A hole in the place of an expression.
    pub(crate) fn hole(&mut self, env: &mut Env, expr: &ast::Expr, ty: Type) -> Expr {
        let parts = self.parts(env, &[expr]);
        self.empty_hole(ty, parts, expr.span)
    }

    /// A hole with parts that are typed already.
    pub(crate) fn empty_hole(&mut self, ty: Type, parts: Vec<Expr>, span: Span) -> Expr {
        self.note_hole(span);
        build::hole(ty, parts, span)
    }

    /// A hole in the place of a statement.
    pub(crate) fn statement_hole(
        &mut self,
        env: &mut Env,
        exprs: &[&ast::Expr],
        span: Span,
    ) -> StatementKind {
        self.note_hole(span);
        StatementKind::Invalid(self.parts(env, exprs))
    }

    /// A need of which only the heading is known.
    pub(crate) fn need_hole(&mut self, env: &mut Env, clause: &ast::Clause) -> Need {
        let condition = match &clause.kind {
            ast::ClauseKind::Need { condition, .. } => self.hole(env, condition, Type::of(Base::Flag)),
            ast::ClauseKind::Except { .. }
            | ast::ClauseKind::Modify { .. }
            | ast::ClauseKind::Known { .. } => self.empty_hole(Type::of(Base::Flag), Vec::new(), clause.span),
        };
        Need {
            label: clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default(),
            condition,
            reason: None,
            cites: clause.cites.iter().map(|cite| cite.text.clone()).collect(),
            span: clause.span,
        }
    }

    fn note_hole(&mut self, span: Span) {
        self.first_hole.get_or_insert(span);
    }

    /// The parts of expressions that can be typed, though the wholes cannot.
    fn parts(&mut self, env: &mut Env, exprs: &[&ast::Expr]) -> Vec<Expr> {
        let mut found = Vec::new();
        self.quietly(|checker| {
            for expr in exprs {
                checker.parts_of(env, expr, &mut found);
            }
        });
        found
    }

    fn part(&mut self, env: &mut Env, expr: &ast::Expr, found: &mut Vec<Expr>) -> Option<Type> {
        let Some(part) = self.expr(env, expr, None) else {
            self.parts_of(env, expr, found);
            return None;
        };
        let ty = part.ty;
        found.push(part);
        Some(ty)
    }

    fn parts_of(&mut self, env: &mut Env, expr: &ast::Expr, found: &mut Vec<Expr>) {
        match &expr.kind {
            ast::ExprKind::Number(_)
            | ast::ExprKind::Flag(_)
            | ast::ExprKind::None
            | ast::ExprKind::Thing(_) => {}
            ast::ExprKind::Text(text) => {
                for piece in &text.pieces {
                    if let ast::Piece::Hole(hole) | ast::Piece::Plural(hole, _) = piece {
                        self.part(env, hole, found);
                    }
                }
            }
            ast::ExprKind::Call(call) => self.parts_of_call(env, None, call, found),
            ast::ExprKind::Dot(target, call) => self.parts_of_call(env, Some(target), call, found),
            ast::ExprKind::Not(inner) | ast::ExprKind::Rounded(_, inner) => {
                self.part(env, inner, found);
            }
            ast::ExprKind::Binary(_, a, b) | ast::ExprKind::Range(a, b) | ast::ExprKind::Otherwise(a, b) => {
                self.part(env, a, found);
                self.part(env, b, found);
            }
            ast::ExprKind::Query(query) => self.parts_of_query(env, query, found),
            ast::ExprKind::List(items) => {
                for item in items {
                    self.part(env, item, found);
                }
            }
        }
    }

    fn parts_of_call(
        &mut self,
        env: &mut Env,
        target: Option<&ast::Expr>,
        call: &ast::Call,
        found: &mut Vec<Expr>,
    ) {
        for part in target.into_iter().chain(&call.args) {
            self.part(env, part, found);
        }
    }

    fn parts_of_query(&mut self, env: &mut Env, query: &ast::Query, found: &mut Vec<Expr>) {
        let source = self.part(env, &query.source, found);
        let mark = env.mark();
        if let Some(name) = &query.name {
            let element = source.and_then(|ty| ty.base.kind());
            env.bind_name(name, element.map_or(UNKNOWN, |kind| Type::of(Base::Thing(kind))));
        }
        for part in query.filter.iter().chain(&query.by).chain(&query.holds) {
            self.part(env, part, found);
        }
        self.note_scope(env, query.source.span.to(query.filter.as_ref().unwrap_or(&query.source).span));
        env.back(&mark, BRACES);
        if let Some(within) = &query.within {
            self.part(env, within, found);
        }
    }
}

/// Whether an expression is a hole.
pub(crate) fn is_hole(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Invalid(_))
}
