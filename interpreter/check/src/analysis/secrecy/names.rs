//! What goes by its name, and what by its back.
//!
//! A thing is known as the piece that lies there or as the name that is printed, by what made it a member of a set or the
//! value of an expression. It stays what it is through `let`, loops, parameters, answers of steps: who is given a set of
//! names asks where they lie as whoever names them would.

use std::rc::Rc;

use blazon_book::walk::each_expr;
use blazon_book::{Base, Comparison, Expr, ExprKind, LocalId, Type};

use super::Secrecy;
use super::reads::{Asked, Demand};
use super::terms::{kind_of, local, locals_of, member};

/// Some of the parameters, by their places: those that go by names, and whether by pieces, too.
pub(super) type Places = Vec<(usize, bool)>;

impl Secrecy<'_> {
    /// Which of these go by names, by their places: whoever is given one knows it as whoever gives it does.
    pub(super) fn given_by_name(&mut self, args: &[Expr]) -> Places {
        let mut places = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            if let Some(both) = self.goes_by_name(arg) {
                places.push((place, both));
            }
        }
        places
    }

    /// Whether names have to do with what makes a thing a member of a set, or the value of an expression; if so, whether
    /// where pieces lie has, too.
    pub(super) fn goes_by_name(&mut self, expr: &Expr) -> Option<bool> {
        if !self.is_hidden(kind_of(expr)) {
            return None;
        }
        let members = self.members(expr);
        let is_name = |demand: &Demand| demand.asked == Asked::Name;
        members.iter().any(is_name).then(|| !members.iter().all(is_name))
    }

    /// What makes a thing a member of a set, or the value of an expression.
    fn members(&mut self, expr: &Expr) -> Vec<Demand> {
        let Some(kind) = kind_of(expr) else { return Vec::new() };
        let name = self.fresh();
        let one = local(name, Type::of(Base::Thing(kind)), expr.span);
        self.demands_of_member(&one, expr)
    }

    /// Notes which parameters are given by name.
    pub(super) fn are_names(&mut self, params: &[Expr], by_name: &Places) {
        for (place, both) in by_name {
            let Some(ExprKind::Local(param)) = params.get(*place).map(|param| &param.kind) else { continue };
            self.is_name(&params[*place], *param, *both);
        }
    }

    /// Notes that a variable goes by names, and perhaps by pieces, too.
    pub(super) fn is_name(&mut self, variable: &Expr, own: LocalId, both: bool) {
        let Some(kind) = kind_of(variable) else { return };
        let name = self.fresh();
        let one = local(name, Type::of(Base::Thing(kind)), variable.span);
        let mut members = vec![Demand::of(one.clone(), Asked::Name, variable.span)];
        if both {
            members.push(Demand::of(one, Asked::Back, variable.span));
        }
        self.names.insert(own, (name, Rc::new(members)));
    }

    /// Who learns which pieces these names are must see them.
    pub(super) fn pieces_of(&mut self, names: &Expr) -> Option<Demand> {
        if let ExprKind::ToSet(one) = &names.kind {
            return self.pieces_of(one);
        }
        self.goes_by_name(names)?;
        let is_known = matches!(names.kind, ExprKind::Local(_) | ExprKind::Word(_));
        if is_known && matches!(names.ty.base, Base::Thing(_)) {
            return Some(Demand::of(names.clone(), Asked::Face, names.span));
        }
        let name = self.fresh();
        let one = local(name, Type::of(Base::Thing(kind_of(names)?)), names.span);
        let facts = vec![Rc::new(member(one.clone(), names.clone()))];
        Some(Demand { facts, ..Demand::of(one, Asked::Face, names.span) })
    }
}

/// The things, known outside an expression, that a variable is held against in it.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others bind nothing and compare nothing")]
pub(super) fn held_against(expr: &Expr, name: LocalId) -> Vec<Expr> {
    let (mut others, mut inside) = (Vec::new(), vec![name]);
    each_expr(expr, &mut |part| match &part.kind {
        ExprKind::Query(query) => inside.push(query.local),
        ExprKind::Each(local, ..) => inside.push(*local),
        ExprKind::Compare(Comparison::Equal | Comparison::NotEqual, a, b) => {
            let is_own = |side: &Expr| matches!(side.kind, ExprKind::Local(local) if local == name);
            let other = if is_own(a) { b } else { a };
            if (is_own(a) || is_own(b)) && !matches!(other.kind, ExprKind::Word(_) | ExprKind::Absent) {
                others.push((**other).clone());
            }
        }
        _ => {}
    });
    others.retain(|other| locals_of(other).iter().all(|local| !inside.contains(local)));
    others
}

/// Whether what makes a thing a member is its name alone.
pub(super) fn are_by_name(members: &[Demand]) -> bool {
    !members.is_empty() && members.iter().all(|demand| demand.asked == Asked::Name)
}
