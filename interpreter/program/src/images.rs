//! `any` of the things that hold a variable, asked the other way round: the variable is in the set of what they hold.

use blazon_check::book::{Base, Comparison, Expr, ExprKind, LocalId, Quantifier, Query, Type};

use crate::frame::Fx;
use crate::inline;
use crate::walk;

impl Fx<'_> {
    /// `any b in S where b.at = x` as `x in S.at`, for one of these variables.
    pub fn image(&mut self, expr: &Expr, variables: &[LocalId]) -> Option<Expr> {
        let ExprKind::Query(query) = &expr.kind else { return None };
        let Base::Set(kind) = query.source.ty.base else { return None };
        if query.quantifier != Quantifier::Any || !variables.iter().any(|local| self.mentions(expr, *local)) {
            return None;
        }
        let thing = Type::of(Base::Thing(kind));
        let local = if query.local == walk::NO_LOCAL { self.fresh(thing) } else { query.local };
        let mut conditions = Vec::new();
        let source = inline::source(self, local, &query.source, &mut conditions);
        if let Some(filter) = &query.filter {
            inline::conjuncts(self, filter, true, 0, &mut conditions);
        }
        let holds = |condition: &Expr| held(condition, local, variables);
        let place = conditions.iter().position(|condition| holds(condition).is_some())?;
        let (column, variable) = holds(&conditions.remove(place))?;
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
        let mut column = column;
        let each = self.fresh(thing);
        if let ExprKind::Column(_, keys) = &mut column.kind {
            *keys = vec![Expr { kind: ExprKind::Local(each), ty: thing, span }];
        }
        column.ty.optional = true;
        let Base::Thing(value) = variable.ty.base else { return None };
        let held = ExprKind::Each(each, Box::new(all), Box::new(column));
        let held = Expr { kind: held, ty: Type::of(Base::Set(value)), span };
        let kind = ExprKind::In(Box::new(variable), Box::new(held));
        Some(Expr { kind, ty: Type::of(Base::Flag), span })
    }
}

/// What a condition `b.at = x` compares.
fn held(condition: &Expr, own: LocalId, variables: &[LocalId]) -> Option<(Expr, Expr)> {
    let ExprKind::Compare(Comparison::Equal, a, b) = &condition.kind else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(column, variable)| {
        let (ExprKind::Column(_, keys), ExprKind::Local(x)) = (&column.kind, &variable.kind) else {
            return None;
        };
        let of_own = matches!(keys.as_slice(), [Expr { kind: ExprKind::Local(l), .. }] if *l == own);
        let fits = of_own && variables.contains(x) && matches!(column.ty.base, Base::Thing(_));
        fits.then(|| ((**column).clone(), (**variable).clone()))
    })
}
