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
use super::terms::{kind_of, local, locals_of};

/// Some of the parameters, by their places.
pub(super) type Places = Vec<usize>;

impl Secrecy<'_> {
    /// Which of these go by names alone, by their places: whoever is given one knows it by its name.
    pub(super) fn given_by_name(&mut self, args: &[Expr]) -> Places {
        let mut places = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            if self.is_hidden(kind_of(arg)) && self.goes_by_name(arg) {
                places.push(place);
            }
        }
        places
    }

    /// Whether what makes a thing a member of a set, or the value of an expression, is its name alone.
    pub(super) fn goes_by_name(&mut self, expr: &Expr) -> bool {
        are_by_name(&self.members(expr))
    }

    /// Whether its name has to do with what makes a thing a member of a set, or the value of an expression.
    pub(super) fn is_of_names(&mut self, expr: &Expr) -> bool {
        self.members(expr).iter().any(|demand| demand.asked == Asked::Name)
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
        for param in by_name.iter().filter_map(|place| params.get(*place)) {
            let (ExprKind::Local(of), Some(kind)) = (&param.kind, kind_of(param)) else { continue };
            let name = self.fresh();
            let one = local(name, Type::of(Base::Thing(kind)), param.span);
            self.names.insert(*of, (name, Rc::new(vec![Demand::of(one, Asked::Name, param.span)])));
        }
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
