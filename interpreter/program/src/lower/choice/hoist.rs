//! What the conditions of an option ask that is known before a loop is taken out of it, as a lazy value: the same question is
//! one value, of all options of a choice where it depends on no parameter.

use std::collections::{BTreeSet, HashMap};

use blazon_book::walk::{ExprKey, Put, each_expr, each_part_mut, substitute};
use blazon_book::{Base, Comparison, Expr, ExprKind, LocalId, Quantifier, Query, Type};
use blazon_kernel::bits;

use crate::lower::choice::option_plan::Level;
use crate::lower::expression::inline;
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::query::set_predicates::{SetPredicate, Subject};

/// Whether an expression asks a rule without parameters.
fn is_of_position(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Rule(_, args) if args.is_empty())
}

/// Whether an expression says of a path whether it is present: what stands beside it may rest on that, and must still be seen to.
fn says_presence(expr: &Expr) -> bool {
    let mut says = false;
    each_expr(expr, &mut |e| {
        let may_be_absent = e.ty.optional && !matches!(e.kind, ExprKind::Absent);
        says |= may_be_absent && ExprKey::of_path(e).is_some();
    });
    says
}

impl FunctionBuilder<'_> {
    /// Takes out of every condition and source what is known before its level.
    pub fn hoist_all(
        &mut self,
        binders: &[LocalId],
        levels: &mut [Level],
        shared: &mut HashMap<ExprKey, Expr>,
        outer: &mut Vec<LocalId>,
    ) {
        let mut by_level: Vec<HashMap<ExprKey, Expr>> = vec![HashMap::new(); binders.len() + 1];
        std::mem::swap(&mut by_level[0], shared);
        levels[0].conditions.iter_mut().for_each(|condition| self.share(condition, &mut by_level));
        for (place, level) in levels.iter_mut().enumerate().skip(1) {
            for condition in &mut level.conditions {
                if place > 1 {
                    self.as_kept_set(condition, binders, place, &mut by_level);
                }
                self.hoist(condition, place, binders, &mut by_level);
            }
            if let Some(source) = &mut level.source {
                self.hoist(source, place - 1, binders, &mut by_level);
            }
        }
        // What arguments became is hoisted, too; then everything lazy that is used is given to its level.
        let mut used: BTreeSet<LocalId> = BTreeSet::new();
        let mut open: Vec<Expr> = Vec::new();
        for level in levels.iter() {
            open.extend(level.conditions.iter().chain(&level.source).cloned());
        }
        while let Some(expr) = open.pop() {
            let mut found = Vec::new();
            each_expr(&expr, &mut |e| {
                if let ExprKind::Local(local) = e.kind {
                    found.push(local);
                }
            });
            for local in found {
                if self.lazies.contains_key(&local) && used.insert(local) {
                    let Some(mut expr) = self.lazies.get(&local).map(|lazy| lazy.expr.clone()) else {
                        continue;
                    };
                    let level = self.level(&expr, binders);
                    // What depends on a variable of the value itself cannot be known outside it.
                    let mut bound = Vec::from_iter(expr.own_variable());
                    if level == 0 {
                        each_part_mut(&mut expr, &mut |part| self.share(part, &mut by_level));
                    }
                    each_part_mut(&mut expr, &mut |part| {
                        self.hoist_in(part, level, binders, &mut by_level, &mut bound);
                    });
                    if let Some(lazy) = self.lazies.get_mut(&local) {
                        lazy.expr = expr.clone();
                    }
                    open.push(expr);
                }
            }
        }
        self.write_back(binders, levels, &mut used);
        for local in used {
            let Some(lazy) = self.lazies.get(&local) else { continue };
            match self.level(&lazy.expr, binders) {
                0 if outer.contains(&local) => {}
                0 => outer.push(local),
                level => levels[level].lazies.push(local),
            }
        }
        std::mem::swap(&mut by_level[0], shared);
    }

    /// What is asked but once, where it is known, need not be kept.
    fn write_back(&mut self, binders: &[LocalId], levels: &mut [Level], used: &mut BTreeSet<LocalId>) {
        let mut times: HashMap<LocalId, usize> = HashMap::new();
        let mut count = |expr: &Expr| {
            each_expr(expr, &mut |e| {
                if let ExprKind::Local(local) = e.kind {
                    *times.entry(local).or_default() += 1;
                }
            });
        };
        levels.iter().for_each(|level| level.conditions.iter().chain(&level.source).for_each(&mut count));
        used.iter().filter_map(|local| self.lazies.get(local)).for_each(|lazy| count(&lazy.expr));
        for (place, level) in levels.iter_mut().enumerate().skip(1) {
            for condition in &mut level.conditions {
                let mut once = HashMap::new();
                each_expr(condition, &mut |e| {
                    if let ExprKind::Local(local) = e.kind
                        && times.get(&local) == Some(&1)
                        && let Some(lazy) = self.lazies.get(&local)
                        && self.level(&lazy.expr, binders) == place
                    {
                        once.insert(local, Put::Expr(lazy.expr.clone()));
                    }
                });
                once.keys().for_each(|local| {
                    used.remove(local);
                });
                substitute(condition, &mut once, &mut |local| local);
            }
        }
    }

    /// Replaces the parts of an expression that are worth it and known before `level` by lazy values.
    fn hoist(
        &mut self,
        expr: &mut Expr,
        level: usize,
        binders: &[LocalId],
        by_level: &mut [HashMap<ExprKey, Expr>],
    ) {
        // Asked as a whole, nothing beside it rests on what it says.
        let own = self.level(expr, binders);
        if own < level && own > 0 && self.as_member(expr, binders[own - 1], by_level) {
            return;
        }
        self.hoist_in(expr, level, binders, by_level, &mut Vec::new());
    }

    fn hoist_in(
        &mut self,
        expr: &mut Expr,
        level: usize,
        binders: &[LocalId],
        by_level: &mut [HashMap<ExprKey, Expr>],
        bound: &mut Vec<LocalId>,
    ) {
        let own = self.level(expr, binders);
        if own < level && own > 0 && !says_presence(expr) && self.as_member(expr, binders[own - 1], by_level)
        {
            return;
        }
        if own < level
            && self.is_worth_keeping(expr)
            && !bound.iter().any(|local| self.mentions(expr, *local))
            && self.known(expr).is_none()
        {
            expr.kind = self.kept(expr.clone(), own, by_level).kind;
            return;
        }
        if let Some(body) = inline::write_out(self, expr, inline::MIDDLE) {
            *expr = Expr { ty: expr.ty, ..body };
            self.hoist_in(expr, level, binders, by_level, bound);
            return;
        }
        if let Some(image) = self.image(expr, binders)
            && let ExprKind::In(_, held) = &image.kind
            && self.level(held, binders) < own
        {
            *expr = image;
        }
        if let ExprKind::Query(query) = &mut expr.kind {
            self.split(query, level, binders, by_level, bound);
        }
        let mark = bound.len();
        bound.extend(expr.own_variable());
        each_part_mut(expr, &mut |part| self.hoist_in(part, level, binders, by_level, bound));
        bound.truncate(mark);
    }

    /// Keeps what rules without parameters answer that the options of a choice ask before all else, such as which event is
    /// under way: they all ask the same.
    fn share(&mut self, expr: &mut Expr, by_level: &mut [HashMap<ExprKey, Expr>]) {
        if is_of_position(expr) {
            if self.known(expr).is_none() && inline::write_out(self, expr, inline::MIDDLE).is_none() {
                expr.kind = self.kept(expr.clone(), 0, by_level).kind;
            }
            return;
        }
        each_part_mut(expr, &mut |part| self.share(part, by_level));
    }

    /// Asks of a thing what is printed of it, and of nothing else, as whether it is in a set: that is made but once, before
    /// the loop over such things. Answers whether it does.
    fn as_member(&mut self, expr: &mut Expr, of: LocalId, by_level: &mut [HashMap<ExprKey, Expr>]) -> bool {
        let ty = self.vars[of.0 as usize].ty;
        let Base::Thing(kind) = ty.base else { return false };
        let is_asked = matches!(expr.ty.base, Base::Flag) && self.kind_words(kind) == 1 && !ty.optional;
        // A flag of the thing is read as quickly.
        if !is_asked || matches!(expr.kind, ExprKind::Column(..) | ExprKind::Not(_) | ExprKind::Word(_)) {
            return false;
        }
        let Some(set) = self.known_mask(expr, Subject { local: of, kind }) else { return false };
        let thing = |place: usize, span| Expr { kind: ExprKind::Word(place as i64), ty, span };
        let things = bits::iter(&set).map(|place| thing(place, expr.span)).collect();
        let set = Expr { kind: ExprKind::List(things), ty: Type::of(Base::Set(kind)), span: expr.span };
        let set = self.kept(set, 0, by_level);
        let thing = Expr { kind: ExprKind::Local(of), ty, span: expr.span };
        expr.kind = ExprKind::In(Box::new(thing), Box::new(set));
        true
    }

    /// Asks what is printed of a thing and something that is known before all loops, as whether the thing is in a set: that
    /// is found but once.
    fn as_kept_set(
        &mut self,
        condition: &mut Expr,
        binders: &[LocalId],
        level: usize,
        by_level: &mut [HashMap<ExprKey, Expr>],
    ) {
        if let ExprKind::Not(inner) = &mut condition.kind {
            return self.as_kept_set(inner, binders, level, by_level);
        }
        if let ExprKind::Compare(op @ Comparison::NotEqual, ..) = &mut condition.kind {
            *op = Comparison::Equal;
            self.as_kept_set(condition, binders, level, by_level);
            if let ExprKind::Compare(op, ..) = &mut condition.kind {
                *op = Comparison::NotEqual;
            } else {
                condition.kind = ExprKind::Not(Box::new(condition.clone()));
            }
            return;
        }
        let of = binders[level - 1];
        let ty = self.vars[of.0 as usize].ty;
        let Base::Thing(kind) = ty.base else { return };
        let with = match self.mask(condition, Subject { local: of, kind }) {
            Some(SetPredicate::Printed(_, _, with) | SetPredicate::PrintedIn(_, with)) => with,
            _ => return,
        };
        if self.level(&with, binders) > 0 || ty.optional || !self.stands_alone(condition) {
            return;
        }
        let (local, span) = (self.fresh(ty), condition.span);
        let mut filter = condition.clone();
        let thing = Expr { kind: ExprKind::Local(local), ty, span };
        substitute(&mut filter, &mut HashMap::from([(of, Put::Expr(thing))]), &mut |local| local);
        let ty_of_set = Type::of(Base::Set(kind));
        let all = Query {
            quantifier: Quantifier::All,
            local,
            source: Expr { kind: ExprKind::Everything(kind), ty: ty_of_set, span },
            filter: Some(filter),
            by: None,
            within: None,
        };
        let all = Expr { kind: ExprKind::Query(Box::new(all)), ty: ty_of_set, span };
        let thing = Expr { kind: ExprKind::Local(of), ty, span };
        condition.kind = ExprKind::In(Box::new(thing), Box::new(self.kept(all, 0, by_level)));
    }

    /// A lazy value of a level; the same expression is the same value.
    fn kept(&mut self, expr: Expr, level: usize, by_level: &mut [HashMap<ExprKey, Expr>]) -> Expr {
        let key = ExprKey::of(&expr);
        if let Some(lazy) = by_level[level].get(&key) {
            return lazy.clone();
        }
        let lazy = self.lazy(expr);
        by_level[level].insert(key, lazy.clone());
        lazy
    }

    /// Takes the conditions of a query that are known before `level` out of it: what they leave is kept.
    fn split(
        &mut self,
        query: &mut Query,
        level: usize,
        binders: &[LocalId],
        by_level: &mut [HashMap<ExprKey, Expr>],
        bound: &[LocalId],
    ) {
        let Base::Set(kind) = query.source.ty.base else { return };
        if query.local == LocalId::NONE {
            query.local = self.fresh(Type::of(Base::Thing(kind)));
        }
        let (span, set, flag) = (query.source.span, query.source.ty, Type::of(Base::Flag));
        let mut conditions = Vec::new();
        let source = inline::source(self, query.local, &query.source, &mut conditions);
        if matches!(source.kind, ExprKind::Each(..)) {
            return;
        }
        if let Some(filter) = &query.filter {
            inline::conjuncts(self, filter, true, 0, &mut conditions);
        }
        let all = |mut conditions: Vec<Expr>| match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(Expr { kind: ExprKind::And(conditions), ty: flag, span }),
        };
        let is_known = |builder: &Self, expr: &Expr| {
            let early = builder.level(expr, binders) < level
                && builder.guards(expr).is_some_and(|guards| guards.is_empty());
            early && !bound.iter().any(|local| builder.mentions(expr, *local))
        };
        // What must be asked of one thing after the other is asked of those few that the rest leaves.
        let (mut known, mut rest): (Vec<Expr>, Vec<Expr>) = (Vec::new(), Vec::new());
        let of = Subject { local: query.local, kind };
        for condition in conditions {
            let is_early = is_known(self, &condition) && self.never_fails(&condition);
            match is_early && self.mask(&condition, of).is_some() {
                true => known.push(condition),
                false => rest.push(condition),
            }
        }
        let source_is_known = is_known(self, &source);
        if !source_is_known || known.len() < 2 || rest.is_empty() {
            if matches!(query.source.kind, ExprKind::Sets(..)) {
                return;
            }
            (query.source, query.filter) = (source, all(known.into_iter().chain(rest).collect()));
            return;
        }
        let (local, inner) = (query.local, self.fresh(Type::of(Base::Thing(kind))));
        let mut known = all(known);
        if let Some(known) = &mut known {
            let mut map = HashMap::from([(local, Put::Renamed(inner))]);
            substitute(known, &mut map, &mut |local| local);
        }
        let own = known.iter().chain([&source]).map(|expr| self.level(expr, binders)).max().unwrap_or(0);
        let some = Query {
            quantifier: Quantifier::All,
            local: inner,
            source,
            filter: known,
            by: None,
            within: None,
        };
        let some = Expr { kind: ExprKind::Query(Box::new(some)), ty: set, span };
        (query.source, query.filter) = (self.kept(some, own, by_level), all(rest));
    }

    /// Whether an expression costs more than to keep its value.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn is_worth_keeping(&self, expr: &Expr) -> bool {
        match &expr.kind {
            // Ways are a part of the `reach` that goes them, and no set that could be kept: what they cost would be lost.
            ExprKind::Query(query) => query.quantifier != Quantifier::Ways,
            ExprKind::Rule(..) | ExprKind::Between(..) | ExprKind::Choice(..) => true,
            ExprKind::Each(_, source, body) => {
                matches!(source.ty.base, Base::Set(_)) || self.is_worth_keeping(body)
            }
            // What is compared is kept: others compare it with something else.
            ExprKind::Compare(_, a, b) if is_of_position(a) && self.known(b).is_some() => false,
            ExprKind::Compare(_, a, b) => self.is_worth_keeping(a) || self.is_worth_keeping(b),
            _ => false,
        }
    }
}
