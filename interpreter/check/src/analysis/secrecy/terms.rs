//! Expressions of many rules and steps side by side: every variable has a number of its own in one space.

use std::collections::HashMap;
use std::rc::Rc;

use blazon_book::walk::{Put, VisitMut, substitute, walk_expr_mut};
use blazon_book::{Base, Comparison, Expr, ExprKind, KindId, LocalId, Rule, RuleBody, RuleId, Type, build};
use blazon_diagnostics::Span;

use super::Secrecy;

/// A value of a rule, and what holds where it is the answer.
pub(super) type Alternative = (Vec<Expr>, Expr);

pub(super) fn local(id: LocalId, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Local(id), ty, span }
}

pub(super) fn flag(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, ty: Type::of(Base::Flag), span }
}

pub(super) fn equal(a: Expr, b: Expr) -> Expr {
    let span = b.span;
    flag(ExprKind::Compare(Comparison::Equal, Box::new(a), Box::new(b)), span)
}

/// A thing in a set; equal to it, if it is a thing.
pub(super) fn member(thing: Expr, of: Expr) -> Expr {
    match (of.kind, of.ty.base) {
        (ExprKind::ToSet(one), _) => equal(thing, *one),
        (kind, Base::Set(_)) => {
            let of = Expr { kind, ..of };
            let span = of.span;
            flag(ExprKind::In(Box::new(thing), Box::new(of)), span)
        }
        (kind, _) => equal(thing, Expr { kind, ..of }),
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    let span = expr.span;
    build::not(expr, span)
}

/// The kind of what a set or a thing holds.
pub(super) fn kind_of(expr: &Expr) -> Option<KindId> {
    expr.ty.base.kind()
}

/// The variables that stand free or bound in an expression.
pub(super) fn locals_of(expr: &Expr) -> Vec<LocalId> {
    let mut all = Vec::new();
    blazon_book::walk::each_expr(expr, &mut |e| {
        if let ExprKind::Local(local) = e.kind
            && !all.contains(&local)
        {
            all.push(local);
        }
    });
    all
}

/// Gives the variables of one span of numbers new ones, and puts expressions for some.
pub(super) struct Renewal<'n> {
    pub(super) map: HashMap<LocalId, Put>,
    pub(super) own: std::ops::Range<u32>,
    pub(super) next: &'n mut u32,
}

impl Renewal<'_> {
    pub(super) fn apply(&mut self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        self.visit_expr_mut(&mut expr);
        expr
    }

    fn renewed(&mut self, local: LocalId) -> LocalId {
        if !self.own.contains(&local.0) {
            return local;
        }
        *self.next += 1;
        let new = LocalId(*self.next);
        self.map.insert(local, Put::Renamed(new));
        new
    }
}

impl VisitMut for Renewal<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let ExprKind::Local(local) = &mut expr.kind else { return walk_expr_mut(self, expr) };
        match self.map.get(local) {
            Some(Put::Renamed(new)) => *local = *new,
            Some(Put::Expr(with)) => {
                expr.kind = with.kind.clone();
                expr.ty.optional &= with.ty.optional;
            }
            None => *local = self.renewed(*local),
        }
    }

    fn visit_binding_mut(&mut self, local: &mut LocalId) {
        if *local == LocalId::NONE {
            return;
        }
        *local = match self.map.get(local) {
            Some(Put::Renamed(new)) => *new,
            Some(Put::Expr(_)) | None => self.renewed(*local),
        };
    }
}

impl Secrecy<'_> {
    pub(super) fn fresh(&mut self) -> LocalId {
        self.next += 1;
        LocalId(self.next)
    }

    /// An expression of a rule, asked of these.
    pub(super) fn of_rule(&mut self, expr: &Expr, args: &[Expr]) -> Expr {
        let mut map: HashMap<LocalId, Put> = HashMap::new();
        for (place, arg) in args.iter().enumerate() {
            map.insert(LocalId(place as u32), Put::Expr(arg.clone()));
        }
        let mut expr = expr.clone();
        let next = &mut self.next;
        substitute(&mut expr, &mut map, &mut |_| {
            *next += 1;
            LocalId(*next)
        });
        expr
    }

    /// An expression with another in the place of a variable.
    pub(super) fn put(&mut self, expr: &Expr, place: LocalId, with: &Expr) -> Expr {
        let mut map = HashMap::from([(place, Put::Expr(with.clone()))]);
        let mut expr = expr.clone();
        let next = &mut self.next;
        substitute(&mut expr, &mut map, &mut |_| {
            *next += 1;
            LocalId(*next)
        });
        expr
    }

    /// What a rule may answer: each value with what holds where it is the answer, the base last. None for tables,
    /// permissions, and rules with modifiers. Of several exceptions that hold each may be the one that decides.
    pub(super) fn alternatives(&mut self, id: RuleId, args: &[Expr]) -> Option<Vec<Alternative>> {
        let book = self.book;
        let rule: &Rule = book.rule(id);
        let RuleBody::Value { base, exceptions, modifiers } = &rule.body else { return None };
        if !modifiers.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        let mut none = Vec::new();
        for exception in exceptions {
            let when = exception.when.as_ref().map(|when| self.of_rule(when, args));
            let value = self.of_rule(&exception.value, args);
            none.extend(when.clone().map(not));
            all.push((when.into_iter().collect(), value));
        }
        // Where an exception always holds, the base never decides; which of the exceptions does, `beats` may say.
        if exceptions.iter().all(|exception| exception.when.is_some()) {
            let base = self.of_rule(base, args);
            all.push((none, base));
        }
        Some(all)
    }

    /// Who sees a thing: the condition of its kind.
    pub(super) fn seen(&mut self, viewer: &Expr, thing: &Expr) -> Option<Expr> {
        let book = self.book;
        let seen = book.kind(kind_of(thing)?).seen.as_ref()?;
        Some(self.of_rule(&seen.when, &[viewer.clone(), thing.clone()]))
    }
}

/// What is shared by many.
pub(super) type Shared = Rc<Expr>;
