//! Look-alikes: things of one name. The name means any of them: what is compared with it, or looked for in it, is compared
//! with all; where a set may stand, it is the set of them all.

use blazon_book::{Base, Expr, ExprKind, KindId, Quantifier, Query, SetOp, Type, build};
use blazon_diagnostics::Span;

use crate::resolve::checker::Checker;

impl Checker<'_> {
    /// All things of the name that stands here, as a set, if there are several.
    pub(crate) fn look_alikes(&self, expr: &Expr) -> Option<Expr> {
        let (&ExprKind::Word(thing), Base::Thing(kind)) = (&expr.kind, expr.ty.base) else { return None };
        let things = &self.kinds[kind.0 as usize].things;
        let group = things.get(usize::try_from(thing).ok()?)?.group;
        let all: Vec<Expr> = (0..things.len() as u32)
            .filter(|&other| things[other as usize].group == group)
            .map(|other| build::thing(kind, other, expr.span))
            .collect();
        let ty = Type::of(Base::Set(kind));
        (all.len() > 1).then_some(Expr { kind: ExprKind::List(all), ty, span: expr.span })
    }

    /// The places of all that a thing's name means, which stand one after another: in a case, and in a table's rows.
    pub(crate) fn named_alike(&self, kind: KindId, thing: i64) -> (i64, i64) {
        let things = &self.kinds[kind.0 as usize].things;
        let group = usize::try_from(thing).ok().and_then(|thing| things.get(thing)).map(|thing| thing.group);
        let last = things.iter().rposition(|other| Some(other.group) == group);
        (group.map_or(thing, i64::from), last.map_or(thing, |last| last as i64))
    }

    /// `x = AP2`: whether one of two things is any of those that the other names.
    pub(crate) fn equal_to_any(&self, equal: bool, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        let found = match (self.look_alikes(a), self.look_alikes(b)) {
            (Some(all), Some(_)) => {
                let ExprKind::List(all) = all.kind else { return None };
                let same = all.iter().any(
                    |one| matches!((&one.kind, &b.kind), (ExprKind::Word(x), ExprKind::Word(y)) if x == y),
                );
                build::flag(same, span)
            }
            (Some(all), None) => self.any_in(b, all, span),
            (None, Some(all)) => self.any_in(a, all, span),
            (None, None) => return None,
        };
        Some(if equal { found } else { build::not(found, span) })
    }

    fn any_in(&self, thing: &Expr, all: Expr, span: Span) -> Expr {
        let kind = ExprKind::In(Box::new(thing.clone()), Box::new(all));
        Expr { kind, ty: Type::of(Base::Flag), span }
    }

    /// `AP2 in S`: whether any of those that the name means is in a set.
    pub(crate) fn any_of_them_in(&self, thing: &Expr, set: &Expr, span: Span) -> Option<Expr> {
        let all = self.look_alikes(thing)?;
        let ty = set.ty;
        let both = ExprKind::Sets(SetOp::Both, Box::new(all), Box::new(set.clone()));
        let source = Expr { kind: both, ty, span };
        let query = Query {
            quantifier: Quantifier::Any,
            local: blazon_book::LocalId::NONE,
            source,
            filter: None,
            by: None,
            within: None,
        };
        Some(Expr { kind: ExprKind::Query(Box::new(query)), ty: Type::of(Base::Flag), span })
    }
}
