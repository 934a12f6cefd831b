//! Luck: dice that are rolled, those that are rolled again, and what is drawn.

use blazon_book::build;
use blazon_book::{
    Base, Block, Constant, Expr, ExprKind, LocalId, MAX_DICE, Quantifier, Query, Role, SetOp, Type, Value,
    bounds,
};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

/// The most sides of a die.
const MOST_SIDES: i64 = 255;

impl Checker<'_> {
    /// `roll(d6)`, `roll(p.die, 3)`
    pub(crate) fn roll(&mut self, env: &mut Env, args: &[&ast::Expr], span: Span) -> Option<(Value, Type)> {
        let (die, count) = match args {
            [die] => (die, None),
            [die, count] => (die, Some(count)),
            _ => {
                self.diagnostics.push(
                    Diagnostic::error("types::arity", span, "`roll` takes a die and perhaps how many")
                        .help("as in `roll(d6)` or `roll(d6, b.strength)`"),
                );
                return None;
            }
        };
        let die = self.die(env, die)?;
        let ty = Type::of(Base::Number(1, self.most_sides(&die)));
        Some(match count {
            None => (Value::Die(die), ty),
            Some(count) => {
                let count = self.number(env, count)?;
                self.how_many(&count);
                (Value::Dice(die, count), Type::of(Base::Dice))
            }
        })
    }

    /// Complains of a number of dice that can never be rolled at once.
    fn how_many(&mut self, count: &Expr) {
        let (lo, hi) = bounds(count.ty);
        if lo <= MAX_DICE as i64 && 0 <= hi {
            return;
        }
        let have = if lo == hi { format!("{lo}") } else { format!("{lo}..{hi}") };
        let message = format!("{have} dice can never be rolled at once");
        self.diagnostics.push(
            Diagnostic::error("types::range", count.span, message)
                .label(have)
                .help(format!("dice are rolled 0 to {MAX_DICE} at once: write such a number")),
        );
    }

    /// A die that is to be rolled.
    fn die(&mut self, env: &mut Env, written: &ast::Expr) -> Option<Expr> {
        if let ast::ExprKind::Range(lo, hi) = &written.kind
            && let (ast::ExprKind::Number(1), ast::ExprKind::Number(sides)) = (&lo.kind, &hi.kind)
            && (1..=MOST_SIDES).contains(sides)
        {
            return Some(build::number(*sides, written.span));
        }
        let die = self.expr(env, written, None)?;
        if die.ty.base != Base::Die {
            self.no_die(written.span);
            return None;
        }
        self.coerce(die, Type::of(Base::Die))
    }

    pub(crate) fn no_die(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error("types::mismatch", span, "this is no die")
                .help("a die is `d6`, `d10` … up to `d255`, or a rule or fact of type `die`"),
        );
    }

    /// How many sides a die has at most, as far as that can be seen.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn most_sides(&self, die: &Expr) -> i64 {
        match &die.kind {
            ExprKind::Word(sides) => *sides,
            ExprKind::Column(column, _) => match &self.columns[column.0 as usize].role {
                Role::Fact(values) => {
                    let sides = values.iter().filter_map(|value| match value {
                        Constant::Word(sides) => Some(*sides),
                        Constant::Absent | Constant::Set(_) | Constant::Text(_) | Constant::Point(..) => None,
                    });
                    sides.max().unwrap_or(MOST_SIDES)
                }
                Role::State { .. } => MOST_SIDES,
            },
            _ => MOST_SIDES,
        }
    }

    /// `roll again(d6, all d in shots where d = 1)`: all dice of `shots`, those picked rolled anew.
    pub(crate) fn roll_again(
        &mut self,
        env: &mut Env,
        args: &[&ast::Expr],
        want: Option<Type>,
        span: Span,
        out: &mut Block,
    ) -> Option<(Value, Type)> {
        let says_which =
            "as in `roll again(d6, all d in shots where d = 1)`: it gives all of `shots`, those rolled anew";
        let [die, pick] = args else {
            self.diagnostics.push(
                Diagnostic::error("types::arity", span, "`roll again` takes a die, and which dice of which")
                    .help(says_which),
            );
            return None;
        };
        let die = self.die(env, die);
        let picks = matches!(&pick.kind, ast::ExprKind::Query(query) if query.name.is_some());
        let picked = self.expr(env, pick, None)?;
        if picked.ty.base != Base::Dice || !picks {
            let message = "here stands which dice of which are rolled again";
            self.diagnostics.push(Diagnostic::error("types::mismatch", pick.span, message).help(says_which));
            return None;
        }
        let die = die?;
        // What is picked without a condition is all of them.
        let whole = if let ExprKind::Query(query) = &picked.kind { &query.source } else { &picked }.clone();
        let dice = Type::of(Base::Dice);
        let local = |local: LocalId| Expr { kind: ExprKind::Local(local), ty: dice, span };
        let picked = self.take(env, Value::Expr(picked), dice, pick.span, out);
        let count = asked(Quantifier::Count, local(picked), Type::of(Base::Number(0, MAX_DICE as i64)), span);
        let rolled = self.take(env, Value::Dice(die, count), dice, span, out);
        let joined = |op, a, b| Expr { kind: ExprKind::Sets(op, Box::new(a), Box::new(b)), ty: dice, span };
        let kept = joined(SetOp::Without, whole, local(picked));
        self.given_value(joined(SetOp::Union, kept, local(rolled)), want)
    }

    /// `draw(deck, 3)`, a set; `draw(deck)`, one thing, or nothing from an empty set.
    pub(crate) fn draw(
        &mut self,
        env: &mut Env,
        args: &[&ast::Expr],
        want: Option<Type>,
        span: Span,
        out: &mut Block,
    ) -> Option<(Value, Type)> {
        let (set, count) = match args {
            [set] => (set, None),
            [set, count] => (set, Some(count)),
            _ => {
                self.diagnostics.push(
                    Diagnostic::error("types::arity", span, "`draw` takes a set and perhaps how many")
                        .help("as in `draw(deck, 7)`, or `draw(deck)` for one"),
                );
                return None;
            }
        };
        let set = self.expr(env, set, None);
        let count = match count {
            Some(count) => self.number(env, count),
            None => Some(build::number(1, span)),
        };
        let (set, count, is_one) = (set?, count?, args.len() == 1);
        if bounds(count.ty).1 < 0 {
            let said =
                Diagnostic::error("types::range", count.span, "fewer than 0 things can never be drawn");
            self.diagnostics.push(said.help("say how many, 0 or more"));
        }
        let Some(kind) = set.ty.base.kind() else {
            let shown = self.show_one(set.ty);
            self.error("types::not-a-set", set.span, format!("`draw` takes from a set, but this is {shown}"));
            return None;
        };
        let set = build::to_set(set);
        let (ty, certain) = (Type::of(Base::Set(kind)), build::never_empty(&set, &self.kinds));
        let drawn = Value::Draw(set, count);
        if !is_one {
            return Some((drawn, ty));
        }
        let drawn = self.take(env, drawn, ty, span, out);
        let drawn = Expr { kind: ExprKind::Local(drawn), ty, span };
        let ty = Type { base: Base::Thing(kind), optional: !certain };
        let one = asked(Quantifier::First, drawn, ty, span);
        self.given_value(one, want)
    }

    /// A value made of what luck gave, as it is wanted.
    fn given_value(&mut self, value: Expr, want: Option<Type>) -> Option<(Value, Type)> {
        let value = match want {
            Some(want) => self.coerce(value, want)?,
            None => value,
        };
        let ty = value.ty;
        Some((Value::Expr(value), ty))
    }
}

/// A query of a ready set, or of dice.
fn asked(quantifier: Quantifier, source: Expr, ty: Type, span: Span) -> Expr {
    let query = Query { quantifier, local: LocalId::NONE, source, filter: None, by: None, within: None };
    Expr { kind: ExprKind::Query(Box::new(query)), ty, span }
}
