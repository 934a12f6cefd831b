//! Names and types of expressions: every name resolved, every dot lifted, every absence accounted for.

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::{Base, Expr, ExprKind, KindId, Type};
use blazon_diagnostics::{Diagnostic, Fix, Span, written_thing};
use blazon_syntax::ast;

use crate::resolve::checker::Checker;
use crate::resolve::env::{Env, path_key};

impl Checker<'_> {
    /// Checks an expression; `hint` is the kind expected there, which decides between things of one name.
    pub fn expr(&mut self, env: &mut Env, expr: &ast::Expr, hint: Option<KindId>) -> Option<Expr> {
        let span = expr.span;
        let checked = match &expr.kind {
            ast::ExprKind::Number(number) => build::number(*number, span),
            ast::ExprKind::Flag(flag) => build::flag(*flag, span),
            ast::ExprKind::None => Expr { kind: ExprKind::Absent, ty: Type::maybe(Base::Nothing), span },
            ast::ExprKind::Text(text) => {
                let said =
                    Diagnostic::error("types::mismatch", span, "a text cannot be used as a value here");
                let thing = text.plain().filter(|name| self.things.contains_key(name));
                let thing = thing.map(|name| written_thing(&name));
                self.diagnostics.push(match thing {
                    Some(thing) => said
                        .help(format!("a thing stands without such quotes: `{thing}`"))
                        .fix(Fix::replace(format!("write `{thing}`"), span, thing)),
                    None => said,
                });
                return None;
            }
            ast::ExprKind::Thing(name) => {
                if !self.things.contains_key(name)
                    && let Some(small) = self.small_name(Some(env), name)
                {
                    let message = format!("there is no thing `{name}`");
                    let unknown = Diagnostic::error("names::unknown", span, message);
                    self.diagnostics.push(unknown.label("not known").did_you_mean(small));
                    return None;
                }
                let (kind, thing) = self.thing(name, hint, span)?;
                self.all_named(kind, thing, span)
            }
            ast::ExprKind::Call(call) => {
                if let Some(local) = env.find(&call.name.text).filter(|_| call.args.is_empty()) {
                    let ty = env.locals[local.0 as usize].ty;
                    if ty.base == Base::Unknown {
                        self.use_local(env, call.name.span, local);
                        return None; // What went wrong with it is said where it was bound.
                    }
                    self.use_local(env, call.name.span, local);
                    Expr { kind: ExprKind::Local(local), ty, span }
                } else {
                    self.apply(env, &call.name, None, &call.args, span)?
                }
            }
            ast::ExprKind::Dot(target, call) => {
                self.apply(env, &call.name, Some(target), &call.args, span)?
            }
            ast::ExprKind::Not(inner) => {
                let asked = self.flag(env, inner)?;
                if let ast::ExprKind::Query(written) = &inner.kind {
                    self.turned_too(env, written, &asked);
                }
                build::not(asked, span)
            }
            ast::ExprKind::Binary(op, left, right) => self.binary(env, *op, left, right, hint, span)?,
            ast::ExprKind::Rounded(rounding, quotient) => self.rounded(env, *rounding, quotient, span)?,
            ast::ExprKind::Range(lo, hi) => {
                let rulings = self.rulings_read;
                let (lo, hi) = (self.number(env, lo), self.number(env, hi));
                let (lo, hi) = (lo?, hi?);
                if self.rulings_read == rulings {
                    self.nothing_between(&lo, &hi, span);
                }
                Expr { kind: ExprKind::Range(Box::new(lo), Box::new(hi)), ty: Type::of(Base::Numbers), span }
            }
            ast::ExprKind::Otherwise(value, fallback) => self.otherwise(env, value, fallback, hint, span)?,
            ast::ExprKind::Query(query) => self.query(env, query, hint, span)?,
            ast::ExprKind::List(items) => self.list(env, items, hint, span)?,
        };
        Some(narrowed(env, checked))
    }

    /// How a set is made a yes or no: `all a in S where C` is written by whoever means each, and names those for which it is so.
    fn each_or_one(&self, expr: &ast::Expr) -> String {
        let one = "write `any` before it to ask whether there is one".to_owned();
        let ast::ExprKind::Query(query) = &expr.kind else { return one };
        let (ast::Quantifier::All, Some(name), Some(filter)) = (query.quantifier, &query.name, &query.filter)
        else {
            return one;
        };
        let [source, filter] =
            [query.source.span, filter.span].map(|span| self.parsed.sources.slice(span).to_owned());
        let name = &name.text;
        format!(
            "whether it is so of each is asked by `every {name} in {source}: {filter}`, whether of one by \
             `any {name} in {source} where {filter}`"
        )
    }

    /// An expression that must be a flag (or a permission, which is then asked for its answer alone).
    pub fn flag(&mut self, env: &mut Env, expr: &ast::Expr) -> Option<Expr> {
        let checked = self.expr(env, expr, None)?;
        self.yes_or_no(checked, expr)
    }

    /// The same of one that is checked already.
    fn yes_or_no(&mut self, checked: Expr, expr: &ast::Expr) -> Option<Expr> {
        match checked.ty.base {
            Base::Flag | Base::Permission => Some(checked),
            Base::Set(_) | Base::Thing(_) => {
                let shown = self.show_one(checked.ty);
                let is_there = matches!(expr.kind, ast::ExprKind::Thing(_))
                    || matches!(checked.ty.base, Base::Thing(_)) && !checked.ty.optional;
                let help = match is_there {
                    true => format!("compare it: `… = {}`", self.parsed.sources.slice(expr.span)),
                    false => self.each_or_one(expr),
                };
                self.diagnostics.push(
                    Diagnostic::error(
                        "types::mismatch",
                        expr.span,
                        format!("a yes or no is needed here, but this is {shown}"),
                    )
                    .help(help),
                );
                None
            }
            Base::Number(..) => {
                let written = self.parsed.sources.slice(expr.span);
                // What a query asks reaches as far to the right as it can.
                let is_open = matches!(&expr.kind, ast::ExprKind::Query(query) if query.name.is_some());
                let written = if is_open { format!("({written})") } else { written.to_owned() };
                let shown = self.show_one(checked.ty);
                let said = Diagnostic::error(
                    "types::mismatch",
                    expr.span,
                    format!("a yes or no is needed here, but this is {shown}"),
                );
                let is_literal = matches!(expr.kind, ast::ExprKind::Number(_));
                let help = format!("compare it: `{written} = 0`, `{written} > 0`");
                self.diagnostics.push(if is_literal { said } else { said.help(help) });
                None
            }
            Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(checked.ty);
                self.error(
                    "types::mismatch",
                    expr.span,
                    format!("a yes or no is needed here, but this is {shown}"),
                );
                None
            }
        }
    }

    /// The same, and whether a ruling is read in it: what follows from that may be constant, and is no slip.
    pub fn ruled_flag(&mut self, env: &mut Env, expr: &ast::Expr) -> (Option<Expr>, bool) {
        let before = self.rulings_read;
        let checked = self.flag(env, expr);
        (checked, self.rulings_read > before)
    }

    /// An expression that must be a number.
    pub fn number(&mut self, env: &mut Env, expr: &ast::Expr) -> Option<Expr> {
        let checked = self.expr(env, expr, None)?;
        self.coerce(checked, Type::of(Base::Number(NUMBER.0, NUMBER.1)))
    }

    /// An expression of a type.
    pub fn typed(&mut self, env: &mut Env, expr: &ast::Expr, want: Type) -> Option<Expr> {
        let hint = want.base.kind();
        let checked = self.expr(env, expr, hint)?;
        match (checked.ty.base, want.base) {
            (Base::Set(_), Base::Flag) => self.yes_or_no(checked, expr),
            _ => self.coerce(checked, want),
        }
    }

    /// Fits an expression to a type, where the language does that silently; otherwise complains.
    pub fn coerce(&mut self, expr: Expr, want: Type) -> Option<Expr> {
        let span = expr.span;
        if want.base == Base::Unknown {
            return None; // What is wrong with the type is said where it is written.
        }
        let fits = match (expr.ty.base, want.base) {
            (Base::Nothing, Base::Set(_)) => {
                return Some(Expr { kind: ExprKind::List(Vec::new()), ty: want, span });
            }
            (Base::Nothing, Base::Thing(_) | Base::Number(..) | Base::Die) if want.optional => {
                return Some(Expr { ty: want, ..expr });
            }
            (Base::Thing(kind), Base::Set(wanted)) if kind == wanted => {
                return Some(build::to_set(expr));
            }
            (Base::Set(kind), Base::Thing(wanted)) if kind == wanted && self.says_which(&expr) => {
                return None;
            }
            (Base::Flag | Base::Permission, Base::Flag | Base::Permission)
            | (Base::Number(..), Base::Number(..)) => true,
            (have, want) => have == want,
        };
        if !fits {
            let (have, wanted) = (self.show_one(expr.ty), self.show_one(want));
            let mut diagnostic = Diagnostic::error(
                "types::mismatch",
                span,
                format!("{wanted} is needed here, but this is {have}"),
            );
            if let (Base::Dice, Base::Number(..)) = (expr.ty.base, want.base) {
                let dice = self.parsed.sources.slice(span);
                let dice = if dice.contains([' ', '(']) { "dice" } else { dice };
                diagnostic = diagnostic.help(format!(
                    "several dice are no number: their sum is `total n in {dice} by n`, the highest \
                     `max n in {dice} by n`, and so many show a 6: `count n in {dice} where n = 6`"
                ));
            }
            if let (Base::Set(kind), Base::Thing(wanted)) = (expr.ty.base, want.base)
                && kind == wanted
            {
                diagnostic = diagnostic
                    .help("a set may hold several: write `first` before it, or ask for each with `for`");
            } else if let (Base::Nothing, _) = (expr.ty.base, want.base) {
                diagnostic = diagnostic.help("this may never be absent; its type has no `?`");
            } else if let (Base::Flag, Base::Number(..)) = (expr.ty.base, want.base) {
                diagnostic = diagnostic.help(
                    "a query takes all that stands behind its `where`: to compare what it counts, put it in brackets, `(count b in … where …) > 1`",
                );
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        if expr.ty.optional && !want.optional {
            self.absent(&expr);
            return None;
        }
        Some(expr)
    }

    /// Complains of something that may be absent where it is needed.
    pub fn absent(&mut self, expr: &Expr) {
        let shown = self.show_one(expr.ty);
        let said =
            Diagnostic::error("types::absent", expr.span, "this may be absent, but one is needed here")
                .label(shown);
        let said = match self.otherwise_within(expr.span) {
            Some((query, meant)) => said
                .help(format!(
                    "`otherwise` belongs to what stands right before it: put the query in brackets, `{meant}`"
                ))
                .fix(Fix::replace("put the query in brackets", query, meant)),
            None => said.help(
                "say what holds otherwise (`… otherwise …`), ask for it with `with`, or first ask `if any …`",
            ),
        };
        self.diagnostics.push(said);
    }

    /// Where `otherwise` was meant for a query and stands within it, behind what is never absent: what was meant. It is
    /// said once, so the warning that `otherwise` is never used is taken back.
    fn otherwise_within(&mut self, query: Span) -> Option<(Span, String)> {
        const PICK_ONE: [&str; 5] = ["first", "highest", "lowest", "max", "min"];
        let written = self.parsed.sources.slice(query);
        let word = written.split_whitespace().next()?;
        if !PICK_ONE.contains(&word) || written.contains('\n') {
            return None;
        }
        let warned = self.diagnostics.iter().rposition(|said| {
            let within =
                |at: Span| at.source == query.source && query.start < at.start && at.end == query.end;
            said.code == "types::absent" && !said.is_error() && said.span.is_some_and(within)
        })?;
        let at = self.diagnostics[warned].span?;
        let inner = self.parsed.sources.slice(at);
        let (before, _) = inner.split_at(inner.find(" otherwise ")?);
        let (asked, rest) = written.split_at((at.start - query.start) as usize + before.len());
        let meant = format!("({asked}){rest}");
        self.diagnostics.remove(warned);
        Some((query, meant))
    }

    fn otherwise(
        &mut self,
        env: &mut Env,
        value: &ast::Expr,
        fallback: &ast::Expr,
        hint: Option<KindId>,
        span: Span,
    ) -> Option<Expr> {
        let value = self.expr(env, value, hint)?;
        let hint = value.ty.base.kind().or(hint);
        let fallback = self.expr(env, fallback, hint)?;
        if !value.ty.optional {
            let mut diagnostic = Diagnostic::warning(
                "types::absent",
                span,
                "this is never absent, so `otherwise` is never used",
            )
            .help("take `otherwise …` away");
            let cut = Span { start: value.span.end, end: span.end, ..span };
            // Not where the value stands in brackets.
            if self.parsed.sources.slice(cut).trim_start().starts_with("otherwise") {
                diagnostic = diagnostic.fix(Fix::replace("take `otherwise …` away", cut, ""));
            }
            self.diagnostics.push(diagnostic);
            return Some(value);
        }
        let base = match (value.ty.base, fallback.ty.base) {
            (Base::Number(a, b), Base::Number(c, d)) => Base::Number(a.min(c), b.max(d)),
            (base, _) => base,
        };
        let ty = Type { base, optional: fallback.ty.optional };
        let fallback = self.coerce(fallback, Type { base, optional: true })?;
        Some(Expr { kind: ExprKind::Otherwise(Box::new(value), Box::new(fallback)), ty, span })
    }

    fn list(&mut self, env: &mut Env, items: &[ast::Expr], hint: Option<KindId>, span: Span) -> Option<Expr> {
        let mut kind = hint;
        let mut parts = Vec::new();
        for item in items {
            let part = self.expr(env, item, kind)?;
            let Some(found) = part.ty.base.kind() else {
                let message = format!("a list holds things, but this is {}", self.show_one(part.ty));
                let mut diagnostic = Diagnostic::error("types::mismatch", item.span, message);
                if matches!(part.ty.base, Base::Number(..)) {
                    diagnostic = diagnostic
                        .help("ask for numbers by a range, `n in 6..7`, or one by one: `n = 6 or n = 9`");
                }
                self.diagnostics.push(diagnostic);
                return None;
            };
            kind = Some(found);
            if let (ExprKind::List(all), ast::ExprKind::Thing(_)) = (&part.kind, &item.kind) {
                parts.extend(all.iter().cloned());
            } else {
                parts.push(self.coerce(part, Type::maybe(Base::Thing(found)))?);
            }
        }
        let kind = kind?;
        self.listed_twice(&parts, "this stands in the list already: it is there once");
        Some(Expr { kind: ExprKind::List(parts), ty: Type::of(Base::Set(kind)), span })
    }
}

/// What is known to be present is no longer optional.
pub(crate) fn narrowed(env: &Env, mut expr: Expr) -> Expr {
    if expr.ty.optional
        && env.known() > 0
        && expr.ty.base != Base::Nothing
        && let Some(key) = path_key(&expr)
        && env.knows(&key)
    {
        expr.ty.optional = false;
    }
    expr
}
