//! What goes by its name, and what by its back.
//!
//! A thing is known as the piece that lies there or as the name that is printed, by what made it a member of a set or the
//! value of an expression. It stays what it is through `let`, loops, parameters, answers of steps: who is given a set of
//! names asks where they lie as whoever names them would.

use std::rc::Rc;

use blazon_book::walk::each_expr;
use blazon_book::{Base, Comparison, Expr, ExprKind, LocalId, RuleBody, RuleId, Type};

use super::demand::{Asked, Demand};
use super::terms::{kind_of, local, locals_of, member};
use super::{Secrecy, deeper};

/// By what a thing is known, or those of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GoesBy {
    /// By its name.
    Name,
    /// By its name in one case, by its piece in another.
    Both,
    /// By neither: the set is of all things.
    Neither,
}

/// Some of the parameters, by their places: those that do not go by pieces alone.
pub(super) type Places = Vec<(usize, GoesBy)>;

impl Secrecy<'_> {
    /// Which of these go by names, by their places: whoever is given one knows it as whoever gives it does.
    pub(super) fn given_by_name(&mut self, args: &[Expr]) -> Places {
        let mut places = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            if !self.is_hidden(kind_of(arg)) {
                continue;
            }
            if let Some(goes_by) = self.goes_by_name(arg) {
                places.push((place, goes_by));
            } else if matches!(arg.ty.base, Base::Set(_))
                && self.members(arg).is_empty()
                && self.origins(arg).iter().all(|origin| self.is_followed(origin))
            {
                places.push((place, GoesBy::Neither));
            }
        }
        places
    }

    /// Whether names have to do with what makes a thing a member of a set, or the value of an expression; and whether where
    /// pieces lie has, too.
    pub(super) fn goes_by_name(&mut self, expr: &Expr) -> Option<GoesBy> {
        if !self.is_hidden(kind_of(expr)) {
            return None;
        }
        let members = self.members(expr);
        let is_name = |demand: &Demand| demand.asked == Asked::Name;
        let all = if members.iter().all(is_name) { GoesBy::Name } else { GoesBy::Both };
        members.iter().any(is_name).then_some(all)
    }

    /// The variables, known outside an expression, that may be its value or a member of it: what is asked of that is asked
    /// of them.
    pub(super) fn origins(&mut self, expr: &Expr) -> Vec<Expr> {
        let mut all = Vec::new();
        if self.is_hidden(kind_of(expr)) {
            self.add_origins(expr, &mut all);
        }
        all
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "what else gives things gives them by itself")]
    fn add_origins(&mut self, expr: &Expr, all: &mut Vec<Expr>) {
        match &expr.kind {
            ExprKind::Local(_) if matches!(expr.ty.base, Base::Thing(_)) => all.push(expr.clone()),
            ExprKind::Local(set) => all.extend(self.held.get(set).cloned().unwrap_or_default()),
            ExprKind::ToSet(one) => self.add_origins(one, all),
            ExprKind::List(items) => items.iter().for_each(|item| self.add_origins(item, all)),
            ExprKind::Sets(_, a, b) | ExprKind::Otherwise(a, b) | ExprKind::Choice(_, a, b) => {
                self.add_origins(a, all);
                self.add_origins(b, all);
            }
            ExprKind::Query(query) => self.add_origins(&query.source, all),
            ExprKind::Each(own, source, body) => {
                let mut inner = Vec::new();
                self.add_origins(body, &mut inner);
                let is_own = |one: &Expr| matches!(one.kind, ExprKind::Local(local) if local == *own);
                if inner.iter().any(is_own) {
                    self.add_origins(source, all);
                }
                all.extend(inner.into_iter().filter(|one| !is_own(one)));
            }
            ExprKind::Rule(rule, args) => {
                for place in self.passed_on(*rule).iter() {
                    self.add_origins(&args[*place], all);
                }
            }
            _ => {}
        }
    }

    /// The parameters that a rule may answer with, or with members of them.
    fn passed_on(&mut self, id: RuleId) -> Rc<Vec<usize>> {
        if let Some(places) = self.passed.get(&id) {
            return places.clone();
        }
        let places = Rc::new(deeper(|| self.find_passed_on(id)));
        self.passed.insert(id, places.clone());
        places
    }

    /// Follows a set that a rule is given, as a member of it would be: what is asked of its members is asked of what whoever
    /// gives it put in.
    pub(super) fn follow(&mut self, param: &Expr) {
        let set = matches!(param.ty.base, Base::Set(_)).then_some(&param.kind);
        if let (Some(ExprKind::Local(own)), Some(kind)) = (set, kind_of(param)) {
            self.held.insert(*own, vec![local(*own, Type::of(Base::Thing(kind)), param.span)]);
        }
    }

    /// Whether this stands for the members of a set that is followed.
    pub(super) fn is_followed(&self, one: &Expr) -> bool {
        let is_set = |own| self.held.contains_key(&own);
        matches!(one.ty.base, Base::Thing(_)) && matches!(one.kind, ExprKind::Local(own) if is_set(own))
    }

    fn find_passed_on(&mut self, id: RuleId) -> Vec<usize> {
        let book = self.book;
        let rule = book.rule(id);
        let mut all = Vec::new();
        if let RuleBody::Value { base, exceptions, modifiers } = &rule.body
            && self.is_hidden(rule.ty.base.kind())
        {
            let values = exceptions.iter().map(|e| &e.value).chain(modifiers.iter().map(|m| &m.value));
            let given: Vec<Expr> = (rule.locals[..rule.params].iter())
                .map(|param| local(self.fresh(), param.ty, rule.span))
                .collect();
            given.iter().for_each(|one| self.follow(one));
            for value in values.chain([base]) {
                let value = self.of_rule(value, &given);
                let found: Vec<LocalId> = self.origins(&value).iter().flat_map(locals_of).collect();
                let is_found = |one: &Expr| locals_of(one).iter().any(|own| found.contains(own));
                all.extend(given.iter().enumerate().filter(|(_, one)| is_found(one)).map(|(place, _)| place));
            }
        }
        all
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
        for (place, param) in params.iter().enumerate() {
            let ExprKind::Local(own) = param.kind else { continue };
            let goes_by = by_name.iter().find(|(other, _)| *other == place).map(|(_, goes_by)| *goes_by);
            self.goes_by(param, own, goes_by);
        }
    }

    /// Notes what a variable goes by; one of which nothing is said goes by pieces.
    pub(super) fn goes_by(&mut self, variable: &Expr, own: LocalId, goes_by: Option<GoesBy>) {
        let Some(kind) = kind_of(variable).filter(|kind| self.is_hidden(Some(*kind))) else { return };
        let asked: &[Asked] = match goes_by {
            Some(GoesBy::Name) => &[Asked::Name],
            Some(GoesBy::Both) => &[Asked::Name, Asked::Back],
            // Of one thing that is known as a piece its name is asked, as of any that is.
            None if matches!(variable.ty.base, Base::Set(_)) => &[Asked::Back],
            Some(GoesBy::Neither) | None => return,
        };
        let name = self.fresh();
        let one = local(name, Type::of(Base::Thing(kind)), variable.span);
        let members = asked.iter().map(|asked| Demand::of(one.clone(), *asked, variable.span)).collect();
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

    /// The things, known outside an expression, that a variable is held against in it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others bind nothing and compare nothing")]
    pub(super) fn held_against(&mut self, expr: &Expr, name: LocalId) -> Vec<Expr> {
        let is_own = |side: &Expr| matches!(side.kind, ExprKind::Local(local) if local == name);
        let (mut others, mut sets, mut inside) = (Vec::new(), Vec::new(), vec![name]);
        each_expr(expr, &mut |part| match &part.kind {
            ExprKind::Query(query) => inside.push(query.local),
            ExprKind::Each(local, ..) => inside.push(*local),
            ExprKind::Compare(Comparison::Equal | Comparison::NotEqual, a, b) => {
                let other = if is_own(a) { b } else { a };
                if (is_own(a) || is_own(b)) && !matches!(other.kind, ExprKind::Word(_) | ExprKind::Absent) {
                    others.push((**other).clone());
                }
            }
            ExprKind::In(thing, set) if is_own(thing) => sets.push((**set).clone()),
            _ => {}
        });
        for set in sets {
            others.extend(self.origins(&set));
        }
        others.retain(|other| locals_of(other).iter().all(|local| !inside.contains(local)));
        others
    }
}

/// Whether what makes a thing a member is its name alone.
pub(super) fn are_by_name(members: &[Demand]) -> bool {
    !members.is_empty() && members.iter().all(|demand| demand.asked == Asked::Name)
}
