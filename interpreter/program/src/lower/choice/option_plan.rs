//! How the open options are found: every condition is tested as soon as its parameters are known, and what does not
//! depend on a parameter is computed outside its loop.

use std::collections::{BTreeSet, HashMap};

use blazon_book::walk::{ExprKey, Put, each_expr, each_part_mut, substitute};
use blazon_book::{
    Base, ChoiceOption, ColumnId, Comparison, Expr, ExprKind, LocalId, Need, Quantifier, Query, RuleBody,
    RuleId, Type,
};

use crate::lower::choice::certain::{certain, settle};
use crate::lower::expression::inline;
use crate::lower::function_builder::FunctionBuilder;
use crate::lower::query::set_predicates::Subject;

/// What is done where a parameter is bound; level 0 is before the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// Where the parameter comes from.
    pub source: Option<Expr>,
    /// What is tested there.
    pub conditions: Vec<Expr>,
    /// The lazy values that change with the parameter.
    pub lazies: Vec<LocalId>,
}

/// How an option is found.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Its levels, one more than it has parameters.
    pub levels: Vec<Level>,
    /// Columns of parameters that are the same for all their things.
    pub fixed: Vec<(LocalId, ColumnId)>,
}

/// A condition, and after how many parameters it stands.
type Placed = (Expr, usize);

impl FunctionBuilder<'_> {
    /// The levels of an option. Lazy values of level 0 are shared by all options of a choice.
    pub fn plan(
        &mut self,
        option: &ChoiceOption,
        needs: &[Need],
        shared: &mut HashMap<ExprKey, Expr>,
        outer: &mut Vec<LocalId>,
    ) -> Plan {
        let binders: Vec<LocalId> = option.binders.iter().map(|binder| binder.local).collect();
        let all = binders.len();
        let mut levels: Vec<Level> = (0..=all).map(|_| Level::default()).collect();
        let mut placed: Vec<Placed> = Vec::new();
        self.planning = all > 1;
        for (place, binder) in option.binders.iter().enumerate() {
            let mut of_source = Vec::new();
            let source = match binder.source.ty.base {
                Base::Set(_) => inline::source(self, binder.local, &binder.source, &mut of_source),
                Base::Flag
                | Base::Number(..)
                | Base::Thing(_)
                | Base::Dice
                | Base::Die
                | Base::Text
                | Base::Point
                | Base::Permission
                | Base::Numbers
                | Base::Nothing
                | Base::Unknown => binder.source.clone(),
            };
            levels[place + 1].source = Some(source);
            binder.filter.iter().for_each(|filter| inline::conjuncts(self, filter, true, 0, &mut of_source));
            placed.extend(of_source.into_iter().map(|condition| (condition, place + 1)));
        }
        for need in needs {
            let mut parts = Vec::new();
            inline::conjuncts(self, &need.condition, true, 0, &mut parts);
            placed.extend(parts.into_iter().map(|part| (part, all)));
        }
        self.planning = false;
        let fixed = self.use_equalities(&binders, &mut placed, &mut levels);
        let mut said: HashMap<ExprKey, usize> = HashMap::new();
        for (condition, natural) in placed {
            self.place_condition(condition, natural, &binders, &mut levels, &mut said);
        }
        for place in 1..levels.len() {
            let (before, here) = levels.split_at_mut(place);
            here.iter_mut().take(1).filter_map(|level| level.source.as_mut()).for_each(|source| {
                settle(source, &certain(before));
            });
        }
        self.hoist_all(&binders, &mut levels, shared, outer);
        Plan { levels, fixed }
    }

    /// After how many parameters an expression is known.
    fn level(&self, expr: &Expr, binders: &[LocalId]) -> usize {
        binders.iter().rposition(|local| self.mentions(expr, *local)).map_or(0, |place| place + 1)
    }

    /// Puts a condition where it can be tested first. What it takes to be present is then asked before it. `said` has the
    /// conditions so far, with the first level of each.
    fn place_condition(
        &mut self,
        condition: Expr,
        natural: usize,
        binders: &[LocalId],
        levels: &mut [Level],
        said: &mut HashMap<ExprKey, usize>,
    ) {
        let level = self.level(&condition, binders).min(natural);
        let mut condition = condition;
        settle(&mut condition, &certain(&levels[..=level]));
        let key = ExprKey::of(&self.expanded(&condition));
        if said.get(&key).is_some_and(|&said| said <= level) {
            return;
        }
        let mut note = |key: ExprKey, level: usize| {
            let first = said.entry(key).or_insert(level);
            *first = level.min(*first);
        };
        match self.guards(&condition) {
            Some(guards) if level < natural => {
                for guard in &guards {
                    if !levels[..=level].iter().any(|level| says_present(&level.conditions, guard)) {
                        let guard = present(guard);
                        note(ExprKey::of(&self.expanded(&guard)), level);
                        levels[level].conditions.push(guard);
                    }
                }
                note(key, level);
                levels[level].conditions.push(condition);
            }
            Some(_) => {
                note(key, level);
                levels[level].conditions.push(condition);
            }
            None => {
                note(key, natural);
                levels[natural].conditions.push(condition);
            }
        }
    }

    /// `b.side = s` lets `s` stand for `b.side` in everything else.
    fn use_equalities(
        &mut self,
        binders: &[LocalId],
        placed: &mut [Placed],
        levels: &mut [Level],
    ) -> Vec<(LocalId, ColumnId)> {
        let mut equal: Vec<(usize, ColumnId, LocalId, Expr)> = Vec::new();
        for (place, (condition, _)) in placed.iter().enumerate() {
            let ExprKind::Compare(Comparison::Equal, a, b) = &condition.kind else { continue };
            for (own, other) in [(a, b), (b, a)] {
                if let ExprKind::Column(column, keys) = &own.kind
                    && let [Expr { kind: ExprKind::Local(local), .. }] = keys.as_slice()
                    && let Some(binder) = binders.iter().position(|b| b == local)
                    && self.is_fixed(other, &binders[..binder])
                    // What is said twice, as by a domain and by a need, may vanish but once.
                    && !equal.iter().any(|(_, said, of, _)| (*said, *of) == (*column, *local))
                {
                    equal.push((place, *column, *local, (**other).clone()));
                    break;
                }
            }
        }
        let fixed = equal.iter().map(|(_, column, local, _)| (*local, *column)).collect();
        for (own, column, local, value) in equal {
            let mut put = |expr: &mut Expr| replace(expr, column, local, &value);
            for (place, (condition, _)) in placed.iter_mut().enumerate() {
                if place != own {
                    put(condition);
                }
            }
            levels.iter_mut().filter_map(|level| level.source.as_mut()).for_each(&mut put);
            #[allow(clippy::iter_over_hash_type, reason = "each by itself: no order")]
            for lazy in self.lazies.values_mut() {
                put(&mut lazy.expr);
            }
        }
        self.lazy_dependences();
        fixed
    }

    /// A value that is known before a parameter, and surely there.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn is_fixed(&self, expr: &Expr, before: &[LocalId]) -> bool {
        match &expr.kind {
            ExprKind::Word(_) => true,
            ExprKind::Local(local) => {
                let var = self.vars.get(local.0 as usize);
                let certain = var.is_some_and(|var| !var.ty.optional) && !self.lazies.contains_key(local);
                certain && (before.contains(local) || var.is_some_and(|var| var.reg.is_some()))
            }
            _ => false,
        }
    }

    /// Takes out of every condition and source what is known before its level.
    fn hoist_all(
        &mut self,
        binders: &[LocalId],
        levels: &mut [Level],
        shared: &mut HashMap<ExprKey, Expr>,
        outer: &mut Vec<LocalId>,
    ) {
        let mut by_level: Vec<HashMap<ExprKey, Expr>> = vec![HashMap::new(); binders.len() + 1];
        std::mem::swap(&mut by_level[0], shared);
        for (place, level) in levels.iter_mut().enumerate().skip(1) {
            for condition in &mut level.conditions {
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
            match is_known(self, &condition) && self.mask(&condition, of).is_some() {
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
            ExprKind::Rule(..) | ExprKind::Query(_) | ExprKind::Between(..) => true,
            ExprKind::Each(_, source, body) => {
                matches!(source.ty.base, Base::Set(_)) || self.is_worth_keeping(body)
            }
            ExprKind::Compare(_, a, b) => self.is_worth_keeping(a) || self.is_worth_keeping(b),
            _ => false,
        }
    }

    // --------------------------------------------------------------------------------------------- groups

    /// The columns through which alone an expression reads a variable: things that agree in them agree in all.
    pub fn read_through(&self, expr: &Expr, local: LocalId) -> Option<BTreeSet<ColumnId>> {
        let mut columns = BTreeSet::new();
        self.gather_reads(expr, local, 0, &mut columns)?;
        Some(columns)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
    fn gather_reads(
        &self,
        expr: &Expr,
        local: LocalId,
        depth: usize,
        columns: &mut BTreeSet<ColumnId>,
    ) -> Option<()> {
        let is_it = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == local);
        match &expr.kind {
            ExprKind::Local(l) if *l == local => return None,
            ExprKind::Local(l) => {
                if let Some(lazy) =
                    self.lazies.get(l).filter(|lazy| depth == 0 && lazy.depends.contains(&local))
                {
                    return self.gather_reads(&lazy.expr, local, depth, columns);
                }
            }
            ExprKind::Column(column, keys) if keys.len() == 1 && is_it(&keys[0]) => {
                if !self.has_index(*column) {
                    return None;
                }
                columns.insert(*column);
                return Some(());
            }
            ExprKind::Rule(rule, args) => {
                for (place, arg) in args.iter().enumerate() {
                    if is_it(arg) {
                        self.rule_reads(*rule, LocalId(place as u32), depth + 1, columns)?;
                    } else {
                        self.gather_reads(arg, local, depth, columns)?;
                    }
                }
                return Some(());
            }
            _ => {}
        }
        expr.parts().into_iter().try_for_each(|part| self.gather_reads(part, local, depth, columns))
    }

    fn rule_reads(
        &self,
        rule: RuleId,
        param: LocalId,
        depth: usize,
        columns: &mut BTreeSet<ColumnId>,
    ) -> Option<()> {
        let table = matches!(self.book.rule(rule).body, RuleBody::Table(_));
        if depth > 8 || table {
            return None;
        }
        let conditions = self.book.rule(rule).conditions();
        conditions.into_iter().try_for_each(|expr| self.gather_reads(expr, param, depth, columns))
    }
}

/// Puts a value in place of a column of a variable.
fn replace(expr: &mut Expr, column: ColumnId, local: LocalId, value: &Expr) {
    if let ExprKind::Column(c, keys) = &expr.kind
        && *c == column
        && matches!(keys.as_slice(), [Expr { kind: ExprKind::Local(l), .. }] if *l == local)
    {
        expr.kind = value.kind.clone();
        expr.ty = Type { base: expr.ty.base, optional: false };
        return;
    }
    each_part_mut(expr, &mut |part| replace(part, column, local, value));
}

/// Whether one of these conditions says that something is present.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised takes the general way")]
fn says_present(conditions: &[Expr], path: &Expr) -> bool {
    let key = ExprKey::of_path(path);
    key.is_some()
        && conditions.iter().any(|condition| {
            let (compared, how) = match &condition.kind {
                ExprKind::Not(inner) => (&**inner, Comparison::Equal),
                _ => (condition, Comparison::NotEqual),
            };
            match &compared.kind {
                ExprKind::Compare(op, a, b) if *op == how => {
                    matches!(b.kind, ExprKind::Absent) && ExprKey::of_path(a) == key
                }
                _ => false,
            }
        })
}

/// Says that something is present.
fn present(path: &Expr) -> Expr {
    let optional = Type { optional: true, ..path.ty };
    let there = Expr { ty: optional, ..path.clone() };
    let absent = Expr { kind: ExprKind::Absent, ty: optional, span: path.span };
    let kind = ExprKind::Compare(Comparison::NotEqual, Box::new(there), Box::new(absent));
    Expr { kind, ty: Type::of(Base::Flag), span: path.span }
}
