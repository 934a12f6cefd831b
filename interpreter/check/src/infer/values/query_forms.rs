//! What queries become. The typed tree has fewer than the text: `every` is a denied `any`, `highest` the first of `most`,
//! and `most` by several keys asks those that are left by the next key.

use std::collections::HashMap;

use blazon_book::build::{self, NUMBER};
use blazon_book::walk::{Put, substitute};
use blazon_book::{Base, Expr, ExprKind, LocalId, Quantifier, Query, Type};
use blazon_diagnostics::Span;
use blazon_syntax::ast::Quantifier as Word;

use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

/// The parts of a query with a variable, all of them typed.
pub(crate) struct Parts {
    pub local: LocalId,
    pub source: Expr,
    pub filter: Option<Expr>,
    /// The first key first.
    pub by: Vec<Expr>,
    pub within: Option<Expr>,
    pub holds: Option<Expr>,
    pub span: Span,
}

impl Checker<'_> {
    /// A query with a variable.
    pub(crate) fn formed(&self, env: &mut Env, word: Word, mut parts: Parts) -> Expr {
        let span = parts.span;
        match word {
            Word::All => self.plain(Quantifier::All, parts),
            Word::Any => self.plain(Quantifier::Any, parts),
            Word::Count => self.plain(Quantifier::Count, parts),
            Word::First => self.plain(Quantifier::First, parts),
            Word::Total => self.plain(Quantifier::Total, parts),
            Word::Reach => self.plain(Quantifier::Reach, parts),
            // Without what they cost ways are hops.
            Word::Way if parts.by.is_empty() => self.plain(Quantifier::All, parts),
            Word::Way => self.plain(Quantifier::Ways, parts),
            Word::Most => self.compared(env, Quantifier::Most, parts),
            Word::Least => self.compared(env, Quantifier::Least, parts),
            Word::Highest => self.one_of(env, Quantifier::Most, parts),
            Word::Lowest => self.one_of(env, Quantifier::Least, parts),
            Word::Max => self.plain(Quantifier::Max, parts),
            Word::Min => self.plain(Quantifier::Min, parts),
            Word::Every => {
                let failing = parts.holds.take().map(|holds| build::not(holds, span));
                parts.filter = Some(build::and(parts.filter.into_iter().chain(failing).collect(), span));
                build::not(self.plain(Quantifier::Any, parts), span)
            }
        }
    }

    fn plain(&self, quantifier: Quantifier, mut parts: Parts) -> Expr {
        let by = (!parts.by.is_empty()).then(|| parts.by.remove(0));
        let mut query = self.query_of(quantifier, parts.local, parts.source, parts.filter, by, parts.span);
        if let ExprKind::Query(of) = &mut query.kind {
            // A set with no condition is what it goes through, and keeps its own hops.
            of.within = parts.within.or(of.within.take());
        }
        query
    }

    /// The set of the greatest or least: of those with the best first key those with the best second, and so on.
    fn compared(&self, env: &mut Env, quantifier: Quantifier, parts: Parts) -> Expr {
        let Parts { local, source, filter, by, span, .. } = parts;
        let ty = Type::of(source.ty.base.kind().map_or(Base::Number(1, 255), Base::Thing));
        let mut keys = by.into_iter();
        let mut best = self.query_of(quantifier, local, source, filter, keys.next(), span);
        for mut key in keys {
            let next = env.bind("", ty);
            let mut map = HashMap::from([(local, Put::Renamed(next))]);
            substitute(&mut key, &mut map, &mut |bound| bound);
            best = self.query_of(quantifier, next, best, None, Some(key), span);
        }
        best
    }

    /// The first of the greatest or least.
    fn one_of(&self, env: &mut Env, quantifier: Quantifier, parts: Parts) -> Expr {
        let span = parts.span;
        let best = self.compared(env, quantifier, parts);
        self.query_of(Quantifier::First, LocalId::NONE, best, None, None, span)
    }

    /// A query of the typed tree.
    pub(crate) fn query_of(
        &self,
        quantifier: Quantifier,
        local: LocalId,
        source: Expr,
        filter: Option<Expr>,
        by: Option<Expr>,
        span: Span,
    ) -> Expr {
        // `all b in S` with no condition is S.
        if quantifier == Quantifier::All && filter.is_none() {
            return source;
        }
        let ty = self.type_of_query(quantifier, &source, filter.is_some(), by.as_ref());
        let query = Query { quantifier, local, source, filter, by, within: None };
        Expr { kind: ExprKind::Query(Box::new(query)), ty, span }
    }

    fn type_of_query(
        &self,
        quantifier: Quantifier,
        source: &Expr,
        filtered: bool,
        by: Option<&Expr>,
    ) -> Type {
        let certain = !filtered && build::never_empty(source, &self.kinds);
        let kind = source.ty.base.kind();
        let numbers = (source.ty.base == Base::Numbers).then(|| build::element_of_numbers(source));
        // How often something is gone through.
        let most = || match (kind, numbers.map(blazon_book::bounds)) {
            (Some(kind), _) => self.kinds[kind.0 as usize].things.len() as i64,
            (None, Some((lo, hi))) => (hi - lo + 1).min(NUMBER.1),
            (None, None) => blazon_book::MAX_DICE as i64,
        };
        match quantifier {
            Quantifier::All | Quantifier::Most | Quantifier::Least | Quantifier::Reach | Quantifier::Ways => {
                Type::of(kind.map_or(Base::Dice, Base::Set))
            }
            Quantifier::Any => Type::of(Base::Flag),
            Quantifier::Count if source.ty.base == Base::Dice => Type::of(Base::Number(0, 255)),
            Quantifier::Count => Type::of(Base::Number(0, most())),
            Quantifier::Total => {
                let most = most();
                let (lo, hi) = by.map_or(NUMBER, |by| blazon_book::bounds(by.ty));
                let (lo, hi) = (lo.min(0).saturating_mul(most), hi.max(0).saturating_mul(most));
                Type::of(Base::Number(lo.max(NUMBER.0), hi.min(NUMBER.1)))
            }
            Quantifier::Max | Quantifier::Min => {
                let (lo, hi) = by.map_or(NUMBER, |by| blazon_book::bounds(by.ty));
                Type { base: Base::Number(lo, hi), optional: !certain }
            }
            Quantifier::First => match (kind, numbers) {
                (Some(kind), _) => Type { base: Base::Thing(kind), optional: !certain },
                (None, Some(number)) => Type { optional: !certain, ..number },
                // Of dice: the first, or none of them.
                (None, None) => Type::of(Base::Dice),
            },
        }
    }
}
