//! Printed values that are written as expressions: the value that a fact has everywhere, a fixed column, a value put in
//! another's place. They are typed and folded like any expression, and what is left must be constant.

use blazon_book::{Base, Constant, Expr, ExprKind, SetOp, Type};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

impl Checker<'_> {
    /// The value of a constant expression; `column` is the fact that it is printed under, for messages.
    pub(crate) fn constant(
        &mut self,
        written: &ast::Expr,
        ty: Type,
        column: Option<&str>,
    ) -> Option<Constant> {
        let span = written.span;
        match (&written.kind, ty.base) {
            (ast::ExprKind::None, _) => return self.blank_value(ty, span),
            (ast::ExprKind::Text(text), Base::Text) => {
                let plain = text.plain();
                if plain.is_none() {
                    self.diagnostics.push(
                        Diagnostic::error("tables::cell", span, "a printed text is the same for every game")
                            .help("write it without braces"),
                    );
                }
                return plain.map(Constant::Text);
            }
            (_, Base::Point) => {
                self.wrong_value(ty, "one value is", span, column, "a point is two numbers: `590, 1590`");
                return None;
            }
            _ => {}
        }
        let value = self.typed(&mut Env::default(), written, ty)?;
        let Some(constant) = self.folded(&value, ty) else {
            self.diagnostics.push(
                Diagnostic::error("tables::cell", span, "a printed value is a constant, and this is none")
                    .help("it can be worked out of numbers, things and rulings; what facts, rules and states say comes later"),
            );
            return None;
        };
        if let (Constant::Word(number), Base::Number(lo, hi)) = (&constant, ty.base)
            && !(lo..=hi).contains(number)
        {
            let number = format!("`{number}` is");
            self.wrong_value(ty, &number, span, column, "the number lies outside the range of its type");
            return None;
        }
        Some(constant)
    }

    /// The value of several expressions: the members of a set, the two numbers of a point.
    pub(crate) fn constants(
        &mut self,
        written: &[ast::Expr],
        ty: Type,
        column: Option<&str>,
    ) -> Option<Constant> {
        match (written, ty.base) {
            ([one], _) => self.constant(one, ty, column),
            ([across, down], Base::Point) => {
                let number =
                    Type::of(Base::Number(blazon_book::build::NUMBER.0, blazon_book::build::NUMBER.1));
                match (self.constant(across, number, column)?, self.constant(down, number, column)?) {
                    (Constant::Word(across), Constant::Word(down)) => Some(Constant::Point(across, down)),
                    _ => None,
                }
            }
            (all, Base::Set(_)) => {
                let mut members = Vec::new();
                for one in all {
                    if let Constant::Set(more) = self.constant(one, ty, column)? {
                        members.extend(more);
                    }
                }
                Some(Constant::Set(ordered(members)))
            }
            (all, _) => {
                let span = all.first()?.span.to(all.last()?.span);
                self.wrong_value(ty, "several values are", span, column, "write one value");
                None
            }
        }
    }

    /// The value of a blank; where there is none, that is said.
    pub(crate) fn blank_value(&mut self, ty: Type, span: Span) -> Option<Constant> {
        let blank = Self::blank(ty);
        if blank.is_none() {
            let shown = self.show_one(ty);
            self.error("tables::cell", span, format!("this cell is blank, but {shown} is needed"));
        }
        blank
    }

    /// Complains of a printed value that is not of its column's type: `value_is` begins what is said of it.
    pub(crate) fn wrong_value(
        &mut self,
        ty: Type,
        value_is: &str,
        span: Span,
        column: Option<&str>,
        help: &str,
    ) {
        if ty.base == Base::Unknown {
            return; // What is wrong with the type is said where it is written.
        }
        let shown = self.show_one(ty);
        let of = match column {
            Some(column) => format!("`{column}` is {shown}"),
            None => format!("{shown} stands here"),
        };
        let message = format!("{of}, and {value_is} none");
        self.diagnostics.push(Diagnostic::error("tables::cell", span, message).help(help));
    }

    /// What is left of an expression, if that is a constant.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn folded(&self, value: &Expr, ty: Type) -> Option<Constant> {
        match ty.base {
            Base::Set(_) => Some(Constant::Set(ordered(self.members(value)?))),
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => match value.kind {
                ExprKind::Word(word) => Some(Constant::Word(word)),
                ExprKind::Absent => Some(Constant::Absent),
                _ => None,
            },
        }
    }

    /// The members of a constant set, in any order.
    fn members(&self, set: &Expr) -> Option<Vec<u32>> {
        match &set.kind {
            ExprKind::Absent => Some(Vec::new()),
            ExprKind::Word(thing) => Some(vec![u32::try_from(*thing).ok()?]),
            ExprKind::ToSet(thing) => self.members(thing),
            ExprKind::List(things) => {
                let things: Option<Vec<Vec<u32>>> = things.iter().map(|thing| self.members(thing)).collect();
                Some(things?.concat())
            }
            ExprKind::Everything(kind) => {
                Some((0..self.kinds[kind.0 as usize].things.len() as u32).collect())
            }
            ExprKind::Players => Some(self.players.clone()),
            ExprKind::Sets(op, a, b) => {
                let (mut a, b) = (self.members(a)?, self.members(b)?);
                match op {
                    SetOp::Union => a.extend(b),
                    SetOp::Both => a.retain(|thing| b.contains(thing)),
                    SetOp::Without => a.retain(|thing| !b.contains(thing)),
                }
                Some(a)
            }
            ExprKind::Winner
            | ExprKind::Invalid(_)
            | ExprKind::Local(_)
            | ExprKind::Column(..)
            | ExprKind::Rule(..)
            | ExprKind::Links(..)
            | ExprKind::Neighbours(..)
            | ExprKind::Between(..)
            | ExprKind::Ends(..)
            | ExprKind::Each(..)
            | ExprKind::Not(_)
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Compare(..)
            | ExprKind::In(..)
            | ExprKind::Within(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Odd(_)
            | ExprKind::Kept(..)
            | ExprKind::Range(..)
            | ExprKind::Otherwise(..)
            | ExprKind::Query(_)
            | ExprKind::Choice(..) => None,
        }
    }
}

/// The members of a set as it is kept: ascending, each once.
pub(crate) fn ordered(mut members: Vec<u32>) -> Vec<u32> {
    members.sort_unstable();
    members.dedup();
    members
}
