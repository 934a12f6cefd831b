//! Operators between two expressions: what each takes and what it becomes, by the types of its operands.

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::{Arithmetic, Base, Comparison, Expr, ExprKind, KindId, SetOp, Type};
use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast::{self, BinaryOp, Rounding};

use crate::infer::slips::is_written_number;
use crate::resolve::checker::Checker;
use crate::resolve::env::{BRACES, Env};

impl Checker<'_> {
    /// An operator between two expressions.
    pub(crate) fn binary(
        &mut self,
        env: &mut Env,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<KindId>,
        span: Span,
    ) -> Option<Expr> {
        let sum = match op {
            BinaryOp::And | BinaryOp::Or => return self.joined(env, op == BinaryOp::And, left, right, span),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let rulings = self.rulings_read;
                let (a, b) = self.pair(env, left, right, hint)?;
                let named =
                    [(left, &a), (right, &b)].map(|(written, read)| Self::names_several(written, read));
                if let Some(any) = self.equal_to_any((&a, named[0]), (&b, named[1]), span) {
                    return Some(if op == BinaryOp::Equal { any } else { build::not(any, span) });
                }
                if self.rulings_read == rulings {
                    let op = if op == BinaryOp::Equal { Comparison::Equal } else { Comparison::NotEqual };
                    if !self.with_itself(op, &a, &b, span) {
                        self.settled(op, &a, &b, span);
                    }
                } else {
                    self.ruled_out(left, &b, span);
                    self.ruled_out(right, &a, span);
                }
                return self.equal(op == BinaryOp::Equal, a, b, span);
            }
            BinaryOp::Less => return self.ordered(env, Comparison::Less, left, right, false, span),
            BinaryOp::AtMost => return self.ordered(env, Comparison::AtMost, left, right, false, span),
            BinaryOp::Greater => return self.ordered(env, Comparison::Less, left, right, true, span),
            BinaryOp::AtLeast => return self.ordered(env, Comparison::AtMost, left, right, true, span),
            BinaryOp::In => {
                return match self.can_within(env, left, right, span) {
                    Some(asked) => asked,
                    None => self.member(env, left, right, span),
                };
            }
            BinaryOp::NotIn => {
                let found = self.member(env, left, right, span)?;
                return Some(build::not(found, span));
            }
            BinaryOp::Minus if is_link(left, right) => return self.link(left, right, hint, span),
            BinaryOp::Plus => (Some(SetOp::Union), Some(Arithmetic::Plus)),
            BinaryOp::Minus => (Some(SetOp::Without), Some(Arithmetic::Minus)),
            BinaryOp::Both => (Some(SetOp::Both), None),
            BinaryOp::Times => (None, Some(Arithmetic::Times)),
            BinaryOp::Over => (None, Some(Arithmetic::Over)),
        };
        let rulings = self.rulings_read;
        let (a, b) = self.pair(env, left, right, hint)?;
        if op == BinaryOp::Over && self.rulings_read == rulings {
            self.divided_by_zero(&b);
            self.nothing_left(Arithmetic::Over, &a, &b, span);
        }
        if op == BinaryOp::Minus && !is_written_number(&a) {
            self.same_halves("-", &a, &b, false, span);
        }
        self.sum(sum, a, b, span)
    }

    /// Complains of a divisor that is 0 as it is written.
    fn divided_by_zero(&mut self, divisor: &Expr) {
        if matches!(divisor.kind, ExprKind::Word(0)) && matches!(divisor.ty.base, Base::Number(..)) {
            self.diagnostics.push(
                Diagnostic::error("types::range", divisor.span, "nothing can be divided by 0")
                    .label("this is 0, always")
                    .help("divide by another number"),
            );
        }
    }

    /// A quotient that is rounded.
    pub(crate) fn rounded(
        &mut self,
        env: &mut Env,
        rounding: Rounding,
        quotient: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let ast::ExprKind::Binary(BinaryOp::Over, left, right) = &quotient.kind else {
            return self.expr(env, quotient, None);
        };
        let op = match rounding {
            Rounding::Down => Arithmetic::Over,
            Rounding::Up => Arithmetic::OverUp,
            Rounding::Nearest => Arithmetic::OverNearest,
        };
        let rulings = self.rulings_read;
        let (a, b) = self.pair(env, left, right, None)?;
        if self.rulings_read == rulings {
            self.divided_by_zero(&b);
            self.nothing_left(op, &a, &b, span);
        }
        self.sum((None, Some(op)), a, b, span)
    }

    /// `and`, `or`: the right side knows what is present if the left side is decided.
    fn joined(
        &mut self,
        env: &mut Env,
        and: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        if self.several_compared(env, and, left, right) {
            return None;
        }
        let rulings = self.rulings_read;
        let first = self.flag(env, left);
        let mark = env.mark();
        if let Some(first) = &first {
            self.suppose(env, first, and, self.rulings_read > rulings);
        }
        let second = self.flag(env, right);
        env.back(&mark, BRACES);
        let (first, second) = (first?, second?);
        let is_ruled = self.rulings_read > rulings;
        self.same_halves(if and { "and" } else { "or" }, &first, &second, is_ruled, span);
        let parts = vec![first, second];
        Some(if and { build::and(parts, span) } else { build::or(parts, span) })
    }

    /// `c = Foot or Guns`: behind a comparison stands more of what it compares with. Whether it is that; then it is said
    /// how several are compared.
    fn several_compared(&mut self, env: &mut Env, and: bool, left: &ast::Expr, right: &ast::Expr) -> bool {
        let is_written =
            |part: &ast::Expr| matches!(part.kind, ast::ExprKind::Thing(_) | ast::ExprKind::Number(_));
        let (mut more, mut compared) = (vec![right], left);
        while let ast::ExprKind::Binary(BinaryOp::And | BinaryOp::Or, before, last) = &compared.kind {
            // Of `c = Foot or Guns or Horse` all are one slip.
            if is_written(last) {
                more.push(last);
                compared = before;
            } else {
                compared = last;
            }
        }
        let ast::ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), asked, first) = &compared.kind
        else {
            return false;
        };
        let things = matches!(first.kind, ast::ExprKind::Thing(_));
        let alike =
            |part: &&ast::Expr| is_written(part) && matches!(part.kind, ast::ExprKind::Thing(_)) == things;
        more.push(first);
        if !more.iter().all(alike) {
            return false;
        }
        more.reverse();
        if self.flag(env, compared).is_none() {
            return true; // What is wrong with the comparison is said.
        }
        let sources = &self.parsed.sources;
        let (asked, second) = (sources.slice(asked.span), sources.slice(more[1].span));
        let parts = more.iter().map(|part| sources.slice(part.span));
        let equal = *op == BinaryOp::Equal;
        let meant = if things {
            let word = if equal { "in" } else { "not in" };
            format!("{asked} {word} [{}]", parts.collect::<Vec<_>>().join(", "))
        } else {
            let (sign, word) = if equal { ("=", " or ") } else { ("!=", " and ") };
            parts.map(|part| format!("{asked} {sign} {part}")).collect::<Vec<_>>().join(word)
        };
        let word = if and { "and" } else { "or" };
        let message = format!("`{word}` joins what is yes or no, and `{second}` is neither");
        self.diagnostics.push(
            Diagnostic::error("types::mismatch", more[1].span, message)
                .help(format!("to compare with several: `{meant}`"))
                .fix(Fix::replace(format!("write `{meant}`"), compared.span.to(right.span), meant)),
        );
        true
    }

    /// Two numbers compared, the right with the left if `turned`.
    fn ordered(
        &mut self,
        env: &mut Env,
        op: Comparison,
        left: &ast::Expr,
        right: &ast::Expr,
        turned: bool,
        span: Span,
    ) -> Option<Expr> {
        let rulings = self.rulings_read;
        let (a, b) = (self.number(env, left), self.number(env, right));
        let (a, b) = if turned { (b?, a?) } else { (a?, b?) };
        if self.rulings_read == rulings && !self.with_itself(op, &a, &b, span) {
            self.settled(op, &a, &b, span);
        }
        Some(build::compare(op, a, b, span))
    }

    /// The link between two things.
    fn link(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<KindId>,
        span: Span,
    ) -> Option<Expr> {
        let (ast::ExprKind::Thing(from), ast::ExprKind::Thing(to)) = (&left.kind, &right.kind) else {
            return None;
        };
        let link_hint = hint.filter(|kind| self.kinds[kind.0 as usize].ends.is_some());
        let (kind, link) = self.link_named(from, to, link_hint, span)?;
        if let Some((end, _)) = self.kinds[kind.0 as usize].ends {
            for (name, at) in [(from, left.span), (to, right.span)] {
                if let Some(thing) = self.thing_of(name, end) {
                    self.use_thing(at, end, thing);
                }
            }
        }
        Some(build::thing(kind, link, span))
    }

    /// Two operands, the one that needs no hint first.
    fn pair(
        &mut self,
        env: &mut Env,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<KindId>,
    ) -> Option<(Expr, Expr)> {
        if is_bare(left) && !is_bare(right) {
            let b = self.expr(env, right, hint)?;
            let a = self.expr(env, left, b.ty.base.kind().or(hint))?;
            return Some((a, b));
        }
        let a = self.expr(env, left, hint);
        let b = self.expr(env, right, a.as_ref().and_then(|a| a.ty.base.kind()).or(hint));
        Some((a?, b?))
    }

    fn equal(&mut self, equal: bool, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        let op = if equal { Comparison::Equal } else { Comparison::NotEqual };
        match (a.ty.base, b.ty.base) {
            (Base::Set(x), Base::Set(y)) if x == y => {}
            (Base::Set(x), Base::Thing(y)) | (Base::Thing(x), Base::Set(y)) if x == y => {
                self.diagnostics.push(
                    Diagnostic::error("types::mismatch", span, "a set and a single thing are never compared")
                        .help("ask `in` for membership"),
                );
                return None;
            }
            (Base::Thing(x), Base::Thing(y)) if x == y => {}
            (Base::Thing(_) | Base::Number(..) | Base::Die, Base::Nothing)
            | (Base::Nothing, Base::Thing(_) | Base::Number(..) | Base::Die) => {}
            (Base::Die, Base::Die)
            | (Base::Number(..), Base::Number(..))
            | (Base::Flag | Base::Permission, Base::Flag | Base::Permission) => {}
            _ => {
                self.not_compared(&a, &b, span);
                return None;
            }
        }
        let nothing = |e: &Expr| e.ty.base == Base::Nothing;
        if a.ty.optional && b.ty.optional && !nothing(&a) && !nothing(&b) && !self.are_same(&a, &b) {
            self.diagnostics.push(
                Diagnostic::warning(
                    "lint::absent-equals",
                    span,
                    "both sides may be absent, and then they count as equal",
                )
                .help("if that is not meant, ask first: `any … and … = …`"),
            );
        }
        Some(build::compare(op, a, b, span))
    }

    /// Complains of two values that are never compared.
    fn not_compared(&mut self, a: &Expr, b: &Expr, span: Span) {
        let (x, y) = (self.show_one(a.ty), self.show_one(b.ty));
        let set = match (a.ty.base, b.ty.base) {
            (Base::Set(_), Base::Nothing) => Some(a),
            (Base::Nothing, Base::Set(_)) => Some(b),
            _ => None,
        };
        if let Some(set) = set {
            let shown = self.parsed.sources.slice(set.span);
            let message = "a set is never absent: it can be empty";
            let said = Diagnostic::error("types::mismatch", span, message);
            self.diagnostics.push(said.help(format!("ask `any {shown}` or `not any {shown}`")));
            return;
        }
        let is_shown = |base: Base| matches!(base, Base::Text | Base::Point);
        let message = match is_shown(a.ty.base) || is_shown(b.ty.base) {
            true => format!("{} can be shown, but not compared", if is_shown(a.ty.base) { x } else { y }),
            false => format!("{x} is never {y}, so comparing them says nothing"),
        };
        self.error("types::mismatch", span, message);
    }

    fn member(&mut self, env: &mut Env, left: &ast::Expr, right: &ast::Expr, span: Span) -> Option<Expr> {
        if let ast::ExprKind::Range(lo, hi) = &right.kind {
            let before = self.rulings_read;
            let value = self.number(env, left);
            let rulings = self.rulings_read;
            let (lo, hi) = (self.number(env, lo), self.number(env, hi));
            let (lo, hi) = (lo?, hi?);
            let is_written = self.rulings_read == rulings;
            let is_empty = is_written && self.nothing_between(&lo, &hi, right.span);
            let value = value?;
            if is_written && before == rulings && !is_empty {
                self.within(&value, &lo, &hi, span);
            }
            return Some(Expr {
                kind: ExprKind::Within(Box::new(value), Box::new(lo), Box::new(hi)),
                ty: Type::of(Base::Flag),
                span,
            });
        }
        let (element, set) = if is_bare(right) {
            let element = self.expr(env, left, None)?;
            let hint = element.ty.base.kind();
            (element, self.expr(env, right, hint)?)
        } else {
            let set = self.expr(env, right, None)?;
            let hint = set.ty.base.kind();
            (self.expr(env, left, hint)?, set)
        };
        let Some(kind) = set.ty.base.kind() else {
            let shown = self.show_one(set.ty);
            self.error("types::not-a-set", set.span, format!("`in` asks a set, but this is {shown}"));
            return None;
        };
        let set = self.coerce(set, Type::of(Base::Set(kind)))?;
        if Self::names_several(left, &element) && element.ty.base.kind() == Some(kind) {
            return Some(self.any_of_them_in(element, set, span));
        }
        let element = self.coerce(element, Type::maybe(Base::Thing(kind)))?;
        Some(Expr { kind: ExprKind::In(Box::new(element), Box::new(set)), ty: Type::of(Base::Flag), span })
    }

    /// An operation on two sets or on two numbers.
    fn sum(
        &mut self,
        (sets, numbers): (Option<SetOp>, Option<Arithmetic>),
        a: Expr,
        b: Expr,
        span: Span,
    ) -> Option<Expr> {
        if let Some(kind) = a.ty.base.kind().or(b.ty.base.kind()) {
            let Some(op) = sets else {
                self.error("types::mismatch", span, "sets are joined by `+`, `-` and `&` only");
                return None;
            };
            let set = Type::of(Base::Set(kind));
            let (a, b) = (self.coerce(a, set)?, self.coerce(b, set)?);
            return Some(Expr { kind: ExprKind::Sets(op, Box::new(a), Box::new(b)), ty: set, span });
        }
        if a.ty.base == Base::Dice && b.ty.base == Base::Dice {
            return match sets {
                Some(op @ (SetOp::Union | SetOp::Without)) => Some(Expr {
                    kind: ExprKind::Sets(op, Box::new(a), Box::new(b)),
                    ty: Type::of(Base::Dice),
                    span,
                }),
                Some(SetOp::Both) | None => {
                    self.error("types::mismatch", span, "dice are joined by `+` and parted by `-` only");
                    None
                }
            };
        }
        if let Some(dice) = [&a, &b].into_iter().find(|side| side.ty.base == Base::Dice) {
            let written = self.parsed.sources.slice(dice.span);
            let said = Diagnostic::error("types::mismatch", span, "dice are joined with dice only");
            let help = format!("to count with what they show, add it up: `(total d in {written} by d)`");
            self.diagnostics.push(said.help(help));
            return None;
        }
        let number = Type::of(Base::Number(NUMBER.0, NUMBER.1));
        let (a, b) = (self.coerce(a, number)?, self.coerce(b, number)?);
        let Some(op) = numbers else {
            self.error("types::mismatch", span, "`&` joins sets, not numbers");
            return None;
        };
        Some(build::arithmetic(op, a, b, span))
    }
}

/// Whether a kind must be expected for an operand to be understood.
fn is_bare(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Thing(_) | ast::ExprKind::None => true,
        ast::ExprKind::List(items) => items.iter().all(is_bare),
        ast::ExprKind::Binary(BinaryOp::Minus, a, b) => is_link(a, b),
        ast::ExprKind::Text(_)
        | ast::ExprKind::Number(_)
        | ast::ExprKind::Flag(_)
        | ast::ExprKind::Call(_)
        | ast::ExprKind::Dot(..)
        | ast::ExprKind::Not(_)
        | ast::ExprKind::Binary(..)
        | ast::ExprKind::Rounded(..)
        | ast::ExprKind::Range(..)
        | ast::ExprKind::Otherwise(..)
        | ast::ExprKind::Query(_) => false,
    }
}

/// Whether two operands of a minus name the ends of a link.
fn is_link(a: &ast::Expr, b: &ast::Expr) -> bool {
    matches!(a.kind, ast::ExprKind::Thing(_)) && matches!(b.kind, ast::ExprKind::Thing(_))
}
