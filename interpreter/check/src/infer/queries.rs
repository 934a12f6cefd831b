//! Queries: `all`, `any`, `count`, `first`, `most`, `least`, `total`, `reach`.

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::walk::ExprKey;
use blazon_book::{Base, Comparison, Expr, ExprKind, KindId, LocalId, Quantifier, Query, Type};
use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast;

use crate::resolve::checker::{Checker, Env, path_key, presences};

impl Checker<'_> {
    pub(crate) fn query(
        &mut self,
        env: &mut Env,
        query: &ast::Query,
        hint: Option<KindId>,
        span: Span,
    ) -> Option<Expr> {
        let quantifier = quantifier(query.quantifier);
        if let Some(by) = &query.by
            && !matches!(
                quantifier,
                Quantifier::Most | Quantifier::Least | Quantifier::Total | Quantifier::Reach
            )
        {
            self.error("types::mismatch", by.span, "`by` belongs to `most`, `least`, `total` and `reach`");
            return None;
        }
        let mut source = self.expr(env, &query.source, hint)?;
        let Some(name) = &query.name else {
            return self.ready(quantifier, source, span);
        };
        if source.ty.base == Base::Numbers {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::not-a-set",
                    source.span,
                    "numbers are not asked one by one in a query",
                )
                .help("use a loop: `for n in 1..4 { … }`"),
            );
            return None;
        }
        let element = match source.ty.base {
            Base::Dice => Type::of(Base::Number(1, 255)),
            Base::Flag
            | Base::Number(..)
            | Base::Thing(_)
            | Base::Set(_)
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => match source.ty.base.kind() {
                Some(kind) => {
                    source = build::to_set(source);
                    Type::of(Base::Thing(kind))
                }
                None => {
                    let shown = self.show_one(source.ty);
                    self.error(
                        "types::not-a-set",
                        source.span,
                        format!("a query goes through a set, but this is {shown}"),
                    );
                    return None;
                }
            },
        };
        let mark = env.mark();
        let local = env.bind_name(name, element);
        env.know(implied(&source, local));
        let filter = match &query.filter {
            None => None,
            Some(filter) => {
                let said = self.diagnostics.len();
                let checked = self.flag(env, filter);
                match &checked {
                    Some(checked) => {
                        let known = presences(checked, true);
                        env.know(known);
                    }
                    None => self.compare_outside(quantifier, filter, span, said),
                }
                Some(checked)
            }
        };
        let by = match (&query.by, quantifier) {
            (Some(by), Quantifier::Reach) => {
                let checked = self.expr(env, by, None);
                let want = Type::of(Base::Set(source.ty.base.kind()?));
                Some(checked.and_then(|checked| self.coerce(checked, want)))
            }
            (Some(by), _) => Some(self.number(env, by)),
            (None, Quantifier::Most | Quantifier::Least | Quantifier::Total | Quantifier::Reach) => {
                self.diagnostics.push(
                    Diagnostic::error("types::mismatch", span, "this query needs `by …`")
                        .help("as in `most b in force by b.strength`"),
                );
                Some(None)
            }
            (None, _) => None,
        };
        self.note_scope(env, span);
        env.leave(mark, "its query");
        let within = match &query.within {
            Some(within) if quantifier == Quantifier::Reach => Some(self.number(env, within)?),
            Some(within) => {
                self.error("types::mismatch", within.span, "`within` belongs to `reach`");
                return None;
            }
            None => None,
        };
        // An error in a part is reported already; the whole cannot be used then.
        let filter = match filter {
            Some(None) => return None,
            Some(filter) => filter,
            None => None,
        };
        let by = match by {
            Some(None) => return None,
            Some(by) => by,
            None => None,
        };
        if source.ty.base == Base::Dice
            && !matches!(quantifier, Quantifier::Any | Quantifier::Count | Quantifier::Total)
        {
            self.error("types::not-a-set", span, "dice can be asked `any`, `count` and `total`");
            return None;
        }
        let filter = filter.filter(|filter| build::constant(filter) != Some(true));
        Some(self.make_query(quantifier, local, source, filter, by, within, span))
    }

    /// Where what a query counts was meant to be compared, and its last condition is compared instead: says where the
    /// brackets stand.
    fn compare_outside(&mut self, quantifier: Quantifier, filter: &ast::Expr, span: Span, said: usize) {
        use ast::BinaryOp::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
        let ast::ExprKind::Binary(Equal | NotEqual | Less | AtMost | Greater | AtLeast, left, _) =
            &filter.kind
        else {
            return;
        };
        let counts = matches!(quantifier, Quantifier::Count | Quantifier::Total);
        let sources = &self.parsed.sources;
        let Some(mismatch) = self.diagnostics[said..].last_mut() else { return };
        let here = mismatch.span.is_some_and(|at| at == filter.span || at == left.span);
        if !counts || !here || mismatch.code != "types::mismatch" {
            return;
        }
        let query = sources.slice(Span { end: left.span.end, ..span });
        let rest = sources.slice(Span { start: left.span.end, ..filter.span });
        let meant = format!("({query}){rest}");
        mismatch.help = Some(format!("to compare what is counted, put the query in brackets: `{meant}`"));
        let whole = Span { end: filter.span.end, ..span };
        mismatch.fixes.push(Fix::replace("put the query in brackets", whole, meant));
    }

    /// `any S`, `count S`, `first S`, `all S` of a ready set.
    fn ready(&mut self, quantifier: Quantifier, source: Expr, span: Span) -> Option<Expr> {
        if quantifier == Quantifier::Any && matches!(source.ty.base, Base::Thing(_) | Base::Number(..)) {
            let ty = Type { optional: true, ..source.ty };
            let absent = Expr { kind: ExprKind::Absent, ty, span };
            return Some(build::compare(Comparison::NotEqual, source, absent, span));
        }
        if source.ty.base == Base::Dice && quantifier == Quantifier::Count {
            let mut env = Env::default();
            let local = env.bind("", Type::of(Base::Number(1, 255)));
            return Some(self.make_query(quantifier, local, source, None, None, None, span));
        }
        let Some(kind) = source.ty.base.kind() else {
            let shown = self.show_one(source.ty);
            let message = format!("this asks a set, but it is {shown}");
            let mut diagnostic = Diagnostic::error("types::not-a-set", source.span, message);
            if matches!(source.ty.base, Base::Flag | Base::Permission) {
                diagnostic = diagnostic.help("a flag is asked as it is: take out the word before it");
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        let source = build::to_set(source);
        if matches!(quantifier, Quantifier::Most | Quantifier::Least | Quantifier::Total | Quantifier::Reach)
        {
            self.error("types::mismatch", span, "this query needs a variable: `most b in … by …`");
            return None;
        }
        if quantifier == Quantifier::All {
            return Some(source);
        }
        // No variable is read, so any number serves.
        let local = LocalId::NONE;
        let _ = kind;
        Some(self.make_query(quantifier, local, source, None, None, None, span))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a query")]
    fn make_query(
        &self,
        quantifier: Quantifier,
        local: blazon_book::LocalId,
        source: Expr,
        filter: Option<Expr>,
        by: Option<Expr>,
        within: Option<Expr>,
        span: Span,
    ) -> Expr {
        let kind = source.ty.base.kind();
        let set = || kind.map_or(Base::Dice, Base::Set);
        let ty = match quantifier {
            Quantifier::All | Quantifier::Most | Quantifier::Least | Quantifier::Reach => Type::of(set()),
            Quantifier::Any => Type::of(Base::Flag),
            Quantifier::Count => {
                let most = kind.map_or(255, |kind| self.kinds[kind.0 as usize].things.len() as i64);
                Type::of(Base::Number(0, most))
            }
            Quantifier::Total => {
                // As often as there are things, or dice.
                let most = kind.map_or(24, |kind| self.kinds[kind.0 as usize].things.len() as i64);
                let (lo, hi) = by.as_ref().map_or(NUMBER, |by| blazon_book::bounds(by.ty));
                let (lo, hi) = (lo.min(0).saturating_mul(most), hi.max(0).saturating_mul(most));
                Type::of(Base::Number(lo.max(NUMBER.0), hi.min(NUMBER.1)))
            }
            Quantifier::First => {
                let certain = filter.is_none() && build::never_empty(&source, &self.kinds);
                let base = kind.map_or(Base::Number(1, 255), Base::Thing);
                Type { base, optional: !certain }
            }
        };
        // `all b in S` with no condition is S.
        if quantifier == Quantifier::All && filter.is_none() {
            return source;
        }
        Expr {
            kind: ExprKind::Query(Box::new(Query { quantifier, local, source, filter, by, within })),
            ty,
            span,
        }
    }
}

/// What is present when a variable runs through a set: `to in b.at.neighbours` makes `b.at` certain, and the
/// border between `b.at` and `to`.
pub(crate) fn implied(source: &Expr, local: LocalId) -> Vec<ExprKey> {
    let mut known = Vec::new();
    if let ExprKind::ToSet(thing) = &source.kind {
        known.extend(path_key(thing));
    }
    if let ExprKind::Query(query) = &source.kind
        && matches!(query.quantifier, Quantifier::All | Quantifier::Most | Quantifier::Least)
    {
        known.extend(implied(&query.source, local));
    }
    if let ExprKind::Sets(blazon_book::SetOp::Both | blazon_book::SetOp::Without, a, _) = &source.kind {
        known.extend(implied(a, local));
    }
    if let ExprKind::Each(it, inner, body) = &source.kind {
        // If there is an element, the source is there.
        known.extend(path_key(inner));
        if let ExprKind::Neighbours(kind, of) = &body.kind
            && matches!(of.kind, ExprKind::Local(l) if l == *it)
            && matches!(inner.ty.base, Base::Thing(_))
        {
            known.extend(between(*kind, inner, local));
        }
    }
    if let ExprKind::Neighbours(kind, of) = &source.kind {
        known.extend(between(*kind, of, local));
    }
    known
}

fn between(kind: KindId, of: &Expr, local: LocalId) -> Option<ExprKey> {
    Some(ExprKey::between(kind, &path_key(of)?, &ExprKey::local(local)))
}

fn quantifier(quantifier: ast::Quantifier) -> Quantifier {
    match quantifier {
        ast::Quantifier::All => Quantifier::All,
        ast::Quantifier::Any => Quantifier::Any,
        ast::Quantifier::Count => Quantifier::Count,
        ast::Quantifier::First => Quantifier::First,
        ast::Quantifier::Most => Quantifier::Most,
        ast::Quantifier::Least => Quantifier::Least,
        ast::Quantifier::Total => Quantifier::Total,
        ast::Quantifier::Reach => Quantifier::Reach,
    }
}
