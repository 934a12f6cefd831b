//! `any` of the things that hold a variable, asked the other way round: the variable is in the set of what they hold.

use std::collections::HashMap;

use blazon_book::walk::{Put, substitute};
use blazon_book::{Base, Comparison, Expr, ExprKind, LocalId, Quantifier, Query, Type};

use crate::lower::expression::inline;
use crate::lower::function_builder::FunctionBuilder;

impl FunctionBuilder<'_> {
    /// `any b in S where b.at = x` as `x in S.at`, for one of these variables.
    pub fn image(&mut self, expr: &Expr, variables: &[LocalId]) -> Option<Expr> {
        let ExprKind::Query(query) = &expr.kind else { return None };
        let Base::Set(kind) = query.source.ty.base else { return None };
        if query.quantifier != Quantifier::Any || !variables.iter().any(|local| self.mentions(expr, *local)) {
            return None;
        }
        let thing = Type::of(Base::Thing(kind));
        let local = if query.local == LocalId::NONE { self.fresh(thing) } else { query.local };
        let mut conditions = Vec::new();
        let source = inline::source(self, local, &query.source, &mut conditions);
        if let Some(filter) = &query.filter {
            inline::conjuncts(self, filter, true, 0, &mut conditions);
        }
        let place =
            conditions.iter().position(|condition| self.held(condition, local, variables).is_some())?;
        let (mut body, variable) = self.held(&conditions.remove(place), local, variables)?;
        let ExprKind::Local(x) = variable.kind else { return None };
        let parts = || conditions.iter().chain([&source]);
        // What the others take to be present may be so because of the one that is gone.
        let alone =
            parts().all(|part| !self.mentions(part, x) && self.guards(part).is_some_and(|g| g.is_empty()));
        if !alone || variable.ty.optional {
            return None;
        }
        let span = expr.span;
        let set = source.ty;
        let filter = match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(Expr { kind: ExprKind::And(conditions), ty: Type::of(Base::Flag), span }),
        };
        let all = Query { quantifier: Quantifier::All, local, source, filter, by: None, within: None };
        let all = Expr { kind: ExprKind::Query(Box::new(all)), ty: set, span };
        let each = self.fresh(thing);
        let mut map = HashMap::from([(local, Put::Renamed(each))]);
        substitute(&mut body, &mut map, &mut |local| local);
        // A thing that holds nothing adds nothing.
        body.ty.optional = matches!(body.ty.base, Base::Thing(_));
        let Base::Thing(value) = variable.ty.base else { return None };
        let held = ExprKind::Each(each, Box::new(all), Box::new(body));
        let held = Expr { kind: held, ty: Type::of(Base::Set(value)), span };
        let kind = ExprKind::In(Box::new(variable), Box::new(held));
        Some(Expr { kind, ty: Type::of(Base::Flag), span })
    }

    /// What a condition `b.at = x`, or `x in b.sets`, asks of its own variable, and the other one.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn held(&self, condition: &Expr, own: LocalId, variables: &[LocalId]) -> Option<(Expr, Expr)> {
        let fits = |body: &Expr, variable: &Expr| match variable.kind {
            ExprKind::Local(x) => {
                variables.contains(&x)
                    && self.mentions(body, own)
                    && !self.mentions(body, x)
                    && self.is_whole(body, own)
            }
            _ => false,
        };
        let (body, variable) = match &condition.kind {
            ExprKind::Compare(Comparison::Equal, a, b) if matches!(a.ty.base, Base::Thing(_)) => {
                if fits(a, b) { (a, b) } else { (b, a) }
            }
            ExprKind::In(thing, set) => (set, thing),
            _ => return None,
        };
        fits(body, variable).then(|| ((**body).clone(), (**variable).clone()))
    }

    /// Whether a value is quickly found of every thing, whether or not anybody asks for it: an entry of a column. It takes
    /// nothing else to be present.
    fn is_whole(&self, body: &Expr, own: LocalId) -> bool {
        let ExprKind::Column(_, keys) = &body.kind else { return false };
        let plain = keys.iter().all(|key| matches!(key.kind, ExprKind::Local(_)));
        let alone = matches!(keys.as_slice(), [Expr { kind: ExprKind::Local(l), .. }] if *l == own);
        plain && (alone || self.guards(body).is_some_and(|guards| guards.is_empty()))
    }
}
