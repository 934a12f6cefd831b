//! Texts: what their holes can show, and the words that hang on how many are spoken of.

use blazon_book::build;
use blazon_book::meant::PLURAL;
use blazon_book::{
    Base, Comparison, Expr, ExprKind, KindId, LocalId, Piece, Plural, Quantifier, Query, Text, Type,
};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::holes::UNKNOWN;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::Env;

impl Checker<'_> {
    /// A text with its holes.
    pub fn text(&mut self, env: &mut Env, text: &ast::Text) -> Text {
        let mut pieces = Vec::new();
        for piece in &text.pieces {
            match piece {
                ast::Piece::Plain(plain) => pieces.push(Piece::Plain(plain.clone())),
                ast::Piece::Hole(expr) => pieces.extend(self.shown_in_text(env, expr).map(Piece::Hole)),
                ast::Piece::Plural(expr, words) => pieces.extend(self.plural(env, expr, words)),
            }
        }
        Text { pieces, span: text.span }
    }

    /// The value of a hole. What cannot be shown is left out once it is told.
    fn shown_in_text(&mut self, env: &mut Env, expr: &ast::Expr) -> Option<Expr> {
        let Some(checked) = self.expr(env, expr, None) else {
            return Some(self.hole(env, expr, UNKNOWN));
        };
        let checked = Self::shown(expr, checked);
        if matches!(checked.ty.base, Base::Numbers | Base::Nothing | Base::Permission) {
            let shown = self.show_one(checked.ty);
            self.error("types::mismatch", expr.span, format!("{shown} cannot be shown in a text"));
            return None;
        }
        Some(checked)
    }

    /// The words of one or of several: of one if a number is one, if a set has one member, if a thing is not spoken of as
    /// several.
    fn plural(&mut self, env: &mut Env, expr: &ast::Expr, words: &ast::Plural) -> Option<Piece> {
        let Some(checked) = self.expr(env, expr, None) else {
            return Some(Piece::Hole(self.hole(env, expr, UNKNOWN)));
        };
        let checked = Self::shown(expr, checked);
        let span = expr.span;
        let (of, several) = match checked.ty.base {
            Base::Number(..) => (None, is_not_one(checked, span)),
            Base::Set(_) | Base::Dice => {
                let count = self.count_of(env, checked, span)?;
                (None, is_not_one(count, span))
            }
            Base::Thing(kind) => {
                let several = match self.spoken_of(kind) {
                    Some(plural) => self.lift(env, plural, checked.clone(), Vec::new(), span)?,
                    None => build::flag(false, span),
                };
                (Some(checked), several)
            }
            Base::Flag
            | Base::Permission
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(checked.ty);
                let message = format!("{shown} does not say whether one or several are spoken of");
                let said = Diagnostic::error("types::mismatch", span, message);
                self.diagnostics.push(said.help("a number, a set or a thing does: `{hits: hit | hits}`"));
                return None;
            }
        };
        let (one, many) = (words.one.clone(), words.many.clone());
        // Where it is known, the words are plain.
        Some(match build::constant(&several) {
            Some(several) => Piece::Plain(if several { many } else { one }),
            None => Piece::Plural(Plural { of, several, one, many }),
        })
    }

    fn count_of(&self, env: &mut Env, set: Expr, span: Span) -> Option<Expr> {
        let (local, most) = match set.ty.base.kind() {
            Some(kind) => (LocalId::NONE, self.kinds[kind.0 as usize].things.len() as i64),
            None => (env.bind("", Type::of(Base::Number(1, 255))), 255),
        };
        let (quantifier, filter, by, within) = (Quantifier::Count, None, None, None);
        let query = Query { quantifier, local, source: set, filter, by, within };
        Some(Expr { kind: ExprKind::Query(Box::new(query)), ty: Type::of(Base::Number(0, most)), span })
    }

    /// The flag of a kind that says so, if it has one.
    fn spoken_of(&self, kind: KindId) -> Option<Function> {
        self.functions.get(PLURAL)?.iter().copied().find(|function| match function {
            Function::Column(id) => {
                let column = &self.columns[id.0 as usize];
                column.keys == [kind] && column.ty.base == Base::Flag
            }
            Function::Rule(id) => {
                let rule = &self.rules[id.0 as usize];
                let of_kind = |ty: Type| ty == Type::of(Base::Thing(kind));
                matches!(&rule.params[..], [(_, ty)] if of_kind(*ty)) && rule.ty == Some(Type::of(Base::Flag))
            }
            Function::Step(_)
            | Function::Plural(_)
            | Function::Links(_)
            | Function::Neighbours(_)
            | Function::Between(_)
            | Function::Ends(_)
            | Function::Ruling(_) => false,
        })
    }
}

fn is_not_one(number: Expr, span: Span) -> Expr {
    build::compare(Comparison::NotEqual, number, build::number(1, span), span)
}
