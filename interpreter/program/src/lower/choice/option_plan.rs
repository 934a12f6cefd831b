//! How the open options are found: every condition is tested as soon as its parameters are known. What does not depend on a
//! parameter is computed outside its loop: see `hoist.rs`.

use std::collections::{BTreeSet, HashMap};

use blazon_book::walk::{ExprKey, each_part_mut};
use blazon_book::{
    Base, ChoiceOption, ColumnId, Comparison, Expr, ExprKind, LocalId, Need, RuleBody, RuleId, Type,
};

use crate::lower::choice::certain::{certain, settle};
use crate::lower::expression::inline;
use crate::lower::function_builder::FunctionBuilder;

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
    pub fn level(&self, expr: &Expr, binders: &[LocalId]) -> usize {
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
        // What may have no answer is asked where the rules ask it: those before it may see to it that it has one.
        let level = match self.never_fails(&condition) {
            true => self.level(&condition, binders).min(natural),
            false => natural,
        };
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
                    && self.is_fixed(other, binders.split_at(binder))
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
    fn is_fixed(&self, expr: &Expr, (before, after): (&[LocalId], &[LocalId])) -> bool {
        match &expr.kind {
            ExprKind::Word(_) => true,
            ExprKind::Local(local) => {
                let var = self.vars.get(local.0 as usize);
                let certain = var.is_some_and(|var| !var.ty.optional) && !self.lazies.contains_key(local);
                // A parameter that comes later may have its register from before: nothing stands there yet.
                let is_there = || !after.contains(local) && var.is_some_and(|var| var.reg.is_some());
                certain && (before.contains(local) || is_there())
            }
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
pub(crate) fn present(path: &Expr) -> Expr {
    let optional = Type { optional: true, ..path.ty };
    let there = Expr { ty: optional, ..path.clone() };
    let absent = Expr { kind: ExprKind::Absent, ty: optional, span: path.span };
    let kind = ExprKind::Compare(Comparison::NotEqual, Box::new(there), Box::new(absent));
    Expr { kind, ty: Type::of(Base::Flag), span: path.span }
}
