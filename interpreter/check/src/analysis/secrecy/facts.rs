//! What is known at a place, and what follows from it.
//!
//! A fact is a flag that holds there. It is taken apart as it is added: a flag rule into the cases of its answer, a member
//! of a set into what made it one. Where there are several cases each is kept, and what follows must follow from all.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use blazon_book::graph::Numbers;
use blazon_book::walk::{ExprKey, each_expr};
use blazon_book::{
    Base, ColumnId, Comparison, Expr, ExprKind, LocalId, Quantifier, RuleBody, SetOp, Type, build,
};

use super::Secrecy;
use super::terms::{self, Shared, equal, flag, local, locals_of, member, not};

/// How deep cases stand within cases.
const DEPTH: usize = 3;
/// How many cases of one fact are looked at.
const CASES: usize = 8;
/// How many facts are kept.
const MANY: usize = 600;

/// Something that holds, or fails.
pub(super) struct Fact {
    expr: Shared,
    /// Of what holds or fails.
    key: ExprKey,
    holds: bool,
    reads: Numbers,
    locals: Vec<LocalId>,
    /// The two sides, where it says that they are equal.
    sides: Option<[Rc<Keyed>; 2]>,
    hash: u64,
    /// What it comes to, as soon as that is asked.
    parts: OnceCell<Held>,
}

/// What a fact comes to.
enum Held {
    /// No more than itself.
    Whole,
    /// All of these.
    All(Vec<Known>),
    /// One of several.
    Cases(Vec<Vec<Known>>),
}

/// What may be known.
#[derive(Clone)]
enum Known {
    /// This.
    Fact(Rc<Fact>),
    /// Nothing that has to do with who sees what.
    Nothing,
    /// It cannot be.
    Never,
}

/// The facts that were looked at before.
pub(super) type Looked = HashMap<(ExprKey, bool), Rc<Fact>>;

/// What is known.
#[derive(Clone, Default)]
pub(super) struct Facts {
    all: Vec<Rc<Fact>>,
    cases: Vec<Rc<Vec<Facts>>>,
    /// What was known of the members of a set when it got its name.
    sets: BTreeMap<LocalId, (LocalId, Rc<Facts>)>,
    /// This cannot be.
    absurd: bool,
}

/// What an expression comes to, where it holds.
enum Parts {
    Whole,
    All(Vec<Expr>),
    Cases(Vec<Vec<Expr>>),
}

impl Facts {
    /// Forgets what reads a state that has changed. A flag that was set for good stays set.
    pub(super) fn forget(&mut self, columns: &Numbers, set_to: &[Numbers; 2]) {
        // A flag that is only ever set stays set; one that is only ever taken back stays taken back.
        let is_kept = |fact: &Fact| {
            let ExprKind::Column(column, _) = &fact.expr.kind else { return false };
            let (column, other) = (column.0 as usize, &set_to[usize::from(fact.holds)]);
            !other.contains(column) && fact.reads.iter().all(|read| read == column || !columns.contains(read))
        };
        let keeps = |fact: &Rc<Fact>| fact.reads.is_disjoint(columns) || is_kept(fact);
        self.all.retain(keeps);
        let cases = std::mem::take(&mut self.cases);
        for case in cases {
            let mut alternatives: Vec<Facts> = case.iter().cloned().collect();
            alternatives.iter_mut().for_each(|facts| facts.forget(columns, set_to));
            if alternatives
                .iter()
                .all(|facts| facts.absurd || !facts.all.is_empty() || !facts.cases.is_empty())
            {
                self.cases.push(Rc::new(alternatives));
            }
        }
        for (_, facts) in self.sets.values_mut() {
            Rc::make_mut(facts).forget(columns, set_to);
        }
    }

    /// What is known here and there.
    pub(super) fn join(&mut self, other: &Self) {
        self.all.extend(other.all.iter().cloned());
        self.cases.extend(other.cases.iter().cloned());
        self.sets.extend(other.sets.iter().map(|(k, v)| (*k, v.clone())));
        let denied = |fact: &Rc<Fact>| self.has_hashed(&fact.key, fact.hash, !fact.holds);
        self.absurd = self.absurd || other.absurd || other.all.iter().any(denied);
    }

    /// The facts that have to do with some variables, by way of others, too.
    pub(super) fn about(&self, wanted: &[LocalId]) -> Vec<Shared> {
        let mut locals: Vec<LocalId> = wanted.to_vec();
        let mut taken = vec![false; self.all.len()];
        let mut found = Vec::new();
        loop {
            let before = found.len();
            for (place, fact) in self.all.iter().enumerate() {
                if !taken[place] && (fact.locals.is_empty() || fact.locals.iter().any(|l| locals.contains(l)))
                {
                    taken[place] = true;
                    found.push(if fact.holds {
                        fact.expr.clone()
                    } else {
                        Rc::new(not((*fact.expr).clone()))
                    });
                    locals.extend(fact.locals.iter().copied());
                }
            }
            if found.len() == before || found.len() > 60 {
                return found;
            }
        }
    }

    /// Whether it has to do with one of these, or with nothing that has a name.
    fn is_about(&self, locals: &[LocalId]) -> bool {
        let about = |fact: &Rc<Fact>| {
            fact.locals.is_empty() || fact.locals.iter().any(|local| locals.contains(local))
        };
        self.all.iter().any(about)
            || self.cases.iter().any(|case| case.iter().any(|facts| facts.is_about(locals)))
    }

    fn has(&self, key: &ExprKey, holds: bool) -> bool {
        self.has_hashed(key, hash_of(key), holds)
    }

    fn has_hashed(&self, key: &ExprKey, hash: u64, holds: bool) -> bool {
        self.all.iter().any(|fact| fact.hash == hash && fact.holds == holds && fact.key == *key)
    }

    /// Whether it is a variable of which nothing is known: it equals itself alone.
    fn is_free(&self, expr: &Expr) -> bool {
        let ExprKind::Local(local) = expr.kind else { return false };
        !self.all.iter().any(|fact| fact.locals.contains(&local))
    }

    /// What equals something, itself first.
    fn equals(&self, expr: &Expr) -> Vec<Rc<Keyed>> {
        self.equals_within(Rc::new(Keyed::of(expr.clone())), 0)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are asked of nothing")]
    fn equals_within(&self, expr: Rc<Keyed>, depth: usize) -> Vec<Rc<Keyed>> {
        let mut all = vec![expr];
        let mut at = 0;
        while at < all.len() && all.len() < 12 {
            let one = all[at].clone();
            at += 1;
            // What is asked of equals is equal.
            if let ExprKind::Column(_, of) | ExprKind::Rule(_, of) = &one.expr.kind
                && let [of] = &of[..]
                && depth < 2
            {
                for other in self.equals_within(Rc::new(Keyed::of(of.clone())), depth + 1).iter().skip(1) {
                    let kind = match &one.expr.kind {
                        ExprKind::Rule(rule, _) => ExprKind::Rule(*rule, vec![other.expr.clone()]),
                        ExprKind::Column(column, _) => ExprKind::Column(*column, vec![other.expr.clone()]),
                        _ => continue,
                    };
                    let (ty, span) = (one.expr.ty, one.expr.span);
                    let other = Keyed::of(Expr { kind, ty, span });
                    if !all.iter().any(|old| old.is(&other)) {
                        all.push(Rc::new(other));
                    }
                }
            }
            for sides in self.all.iter().filter(|fact| fact.holds).filter_map(|fact| fact.sides.as_ref()) {
                let [a, b] = sides;
                let other = if a.is(&one) {
                    b
                } else if b.is(&one) {
                    a
                } else {
                    continue;
                };
                if !all.iter().any(|old| old.is(other)) {
                    all.push(other.clone());
                }
            }
        }
        all
    }
}

/// An expression with its key.
struct Keyed {
    expr: Expr,
    key: ExprKey,
    hash: u64,
}

impl Keyed {
    fn of(expr: Expr) -> Self {
        let key = ExprKey::of(&expr);
        let hash = hash_of(&key);
        Self { expr, key, hash }
    }

    fn is(&self, other: &Self) -> bool {
        self.hash == other.hash && self.key == other.key
    }
}

/// Different keys have different hashes, nearly always.
fn hash_of(key: &ExprKey) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// A comparison in one form: equal or not, the sides in order; presence as inequality with nothing.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others have one form")]
fn canonical(expr: Expr) -> (Expr, bool) {
    match expr.kind {
        ExprKind::Not(inner) => {
            let (expr, holds) = canonical(*inner);
            (expr, !holds)
        }
        ExprKind::Compare(op @ (Comparison::Equal | Comparison::NotEqual), a, b) => {
            let (a, b) = if ExprKey::of(&a) <= ExprKey::of(&b) { (a, b) } else { (b, a) };
            let expr = Expr { kind: ExprKind::Compare(Comparison::Equal, a, b), ..expr };
            (expr, op == Comparison::Equal)
        }
        ExprKind::Query(query)
            if query.quantifier == Quantifier::Any
                && query.filter.is_none()
                && matches!(query.source.kind, ExprKind::ToSet(_)) =>
        {
            let ExprKind::ToSet(one) = query.source.kind else { unreachable!("looked at above") };
            let ty = one.ty;
            let nothing = Expr { kind: ExprKind::Absent, ty, span: one.span };
            let (expr, holds) = canonical(equal(*one, nothing));
            (expr, !holds)
        }
        kind => (Expr { kind, ..expr }, true),
    }
}

/// Whether it ties variables to each other.
fn is_tie(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Compare(Comparison::Equal, ..) | ExprKind::In(..))
}

impl Secrecy<'_> {
    /// Adds a fact, if it can have to do with who sees what.
    pub(super) fn know(&mut self, facts: &mut Facts, fact: Expr) {
        self.add(facts, fact, 0);
    }

    /// Notes what holds of the members of a set as it gets its name.
    pub(super) fn know_set(&mut self, facts: &mut Facts, name: LocalId, set: &Expr) {
        let Some(kind) = terms::kind_of(set) else { return };
        let one = self.fresh();
        let of = local(one, Type::of(Base::Thing(kind)), set.span);
        let mut inner = Facts::default();
        inner.sets.clone_from(&facts.sets);
        self.add(&mut inner, member(of, set.clone()), 0);
        inner.sets.clear();
        facts.sets.insert(name, (one, Rc::new(inner)));
    }

    fn add(&mut self, facts: &mut Facts, fact: Expr, depth: usize) {
        let known = self.look(fact);
        self.add_known(facts, &known, depth);
    }

    /// What a flag says that holds.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only comparisons have sides")]
    fn look(&mut self, fact: Expr) -> Known {
        let (expr, holds) = canonical(fact);
        if let Some(constant) = build::constant(&expr) {
            return if constant == holds { Known::Nothing } else { Known::Never };
        }
        if let ExprKind::Compare(Comparison::Equal, a, b) = &expr.kind {
            let is_there = |e: &Expr| !e.ty.optional && !matches!(e.kind, ExprKind::Absent);
            let nothing = |e: &Expr| matches!(e.kind, ExprKind::Absent);
            if nothing(a) && is_there(b) || nothing(b) && is_there(a) {
                return if holds { Known::Never } else { Known::Nothing };
            }
        }
        if !self.can_matter(&expr) {
            return Known::Nothing;
        }
        let key = (ExprKey::of(&expr), holds);
        if let Some(fact) = self.looked.get(&key) {
            return Known::Fact(fact.clone());
        }
        let sides = match &expr.kind {
            ExprKind::Compare(Comparison::Equal, a, b) => {
                let side = |side: &Expr| Rc::new(Keyed::of(side.clone()));
                Some([side(a), side(b)])
            }
            _ => None,
        };
        let (reads, locals) = (self.calls.reads(&expr), locals_of(&expr));
        let (expr, parts) = (Rc::new(expr), OnceCell::new());
        let hash = hash_of(&key.0);
        let fact = Rc::new(Fact { expr, key: key.0.clone(), holds, reads, locals, sides, hash, parts });
        self.looked.insert(key, fact.clone());
        Known::Fact(fact)
    }

    /// Whether it can have to do with who sees what.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others read nothing themselves")]
    fn can_matter(&self, expr: &Expr) -> bool {
        let (mut matters, mut reads) = (false, false);
        each_expr(expr, &mut |e| match &e.kind {
            ExprKind::Column(column, _) => {
                reads = true;
                matters |= self.matters.contains(column.0 as usize);
            }
            ExprKind::Rule(rule, _) => {
                let (rule_matters, rule_reads) = self.rules_matter[rule.0 as usize];
                matters |= rule_matters;
                reads |= rule_reads;
            }
            _ => {}
        });
        matters || !reads && is_tie(expr)
    }

    fn add_known(&mut self, facts: &mut Facts, known: &Known, depth: usize) {
        let fact = match known {
            Known::Nothing => return,
            Known::Never => {
                facts.absurd = true;
                return;
            }
            Known::Fact(fact) => fact,
        };
        if facts.all.len() > MANY || facts.has_hashed(&fact.key, fact.hash, fact.holds) {
            return;
        }
        facts.absurd |= facts.has_hashed(&fact.key, fact.hash, !fact.holds);
        facts.all.push(fact.clone());
        // What a set's members are depends on where it got its name.
        let made;
        let parts = if let (ExprKind::In(_, set), true) = (&fact.expr.kind, fact.holds)
            && matches!(set.kind, ExprKind::Local(_))
        {
            let parts = self.parts(&fact.expr, true, facts);
            made = self.held(parts);
            &made
        } else {
            if fact.parts.get().is_none() {
                let parts = self.parts(&fact.expr, fact.holds, facts);
                let parts = self.held(parts);
                let _ = fact.parts.set(parts);
            }
            fact.parts.get_or_init(|| Held::Whole)
        };
        match parts {
            Held::Whole => {}
            Held::All(parts) => parts.iter().for_each(|part| self.add_known(facts, part, depth)),
            Held::Cases(cases) if cases.len() == 1 => {
                cases.iter().flatten().for_each(|part| self.add_known(facts, part, depth));
            }
            Held::Cases(cases) if depth < DEPTH && cases.len() <= CASES => {
                self.add_cases(facts, cases, depth)
            }
            Held::Cases(_) => {}
        }
    }

    fn add_cases(&mut self, facts: &mut Facts, cases: &[Vec<Known>], depth: usize) {
        let mut alternatives = Vec::new();
        for case in cases {
            let mut inner = Facts { sets: facts.sets.clone(), ..Facts::default() };
            case.iter().for_each(|part| self.add_known(&mut inner, part, depth + 1));
            inner.sets.clear();
            if !inner.absurd {
                alternatives.push(inner);
            }
        }
        match alternatives.len() {
            0 => facts.absurd = true,
            1 => facts.join(&alternatives[0]),
            _ => facts.cases.push(Rc::new(alternatives)),
        }
    }

    fn held(&mut self, parts: Parts) -> Held {
        let mut look = |all: Vec<Expr>| all.into_iter().map(|one| self.look(one)).collect::<Vec<Known>>();
        match parts {
            Parts::Whole => Held::Whole,
            Parts::All(all) => Held::All(look(all)),
            // A case of which nothing is known makes the others worth nothing.
            Parts::Cases(cases) => {
                let cases: Vec<Vec<Known>> = cases.into_iter().map(look).collect();
                let says = |case: &Vec<Known>| case.iter().any(|known| !matches!(known, Known::Nothing));
                if cases.iter().all(says) { Held::Cases(cases) } else { Held::Whole }
            }
        }
    }

    /// Takes a fact apart.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what says no more than itself")]
    fn parts(&mut self, expr: &Expr, holds: bool, facts: &Facts) -> Parts {
        match (&expr.kind, holds) {
            (ExprKind::And(all), true) => Parts::All(all.clone()),
            (ExprKind::Or(all), false) => Parts::All(all.iter().cloned().map(not).collect()),
            (ExprKind::Or(all), true) => Parts::Cases(all.iter().map(|one| vec![one.clone()]).collect()),
            (ExprKind::And(all), false) => {
                Parts::Cases(all.iter().map(|one| vec![not(one.clone())]).collect())
            }
            (ExprKind::Choice(c, a, b), _) => {
                let turned = |e: &Expr| if holds { e.clone() } else { not(e.clone()) };
                Parts::Cases(vec![vec![(**c).clone(), turned(a)], vec![not((**c).clone()), turned(b)]])
            }
            (ExprKind::Rule(id, args), _) => self.rule_parts(*id, args, holds),
            (ExprKind::In(thing, set), true) => self.member_parts(thing, set, facts),
            (ExprKind::Compare(Comparison::Equal, a, b), true) => {
                let turned = self.equal_parts(a, b);
                if matches!(turned, Parts::Whole) { self.equal_parts(b, a) } else { turned }
            }
            (ExprKind::Each(y, source, body), true) => {
                let one = self.fresh();
                let kind = terms::kind_of(source);
                let Some(kind) = kind else { return Parts::Whole };
                let of = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *y, &of);
                Parts::All(vec![member(of, (**source).clone()), body])
            }
            (ExprKind::Query(query), true) if query.quantifier == Quantifier::Any => {
                let Some(kind) = terms::kind_of(&query.source) else { return Parts::Whole };
                let one = self.fresh();
                let of = local(one, Type::of(Base::Thing(kind)), query.source.span);
                let filter = query.filter.as_ref().map(|filter| self.put(filter, query.local, &of));
                Parts::All([member(of, query.source.clone())].into_iter().chain(filter).collect())
            }
            _ => Parts::Whole,
        }
    }

    fn rule_parts(&mut self, id: blazon_book::RuleId, args: &[Expr], holds: bool) -> Parts {
        let book = self.book;
        if let RuleBody::Permission(needs) = &book.rule(id).body {
            let needs: Vec<Expr> = needs.iter().map(|need| self.of_rule(&need.condition, args)).collect();
            return if holds { Parts::All(needs) } else { Parts::Whole };
        }
        let Some(alternatives) = self.alternatives(id, args) else { return Parts::Whole };
        let turned = |value: Expr| if holds { value } else { not(value) };
        Parts::Cases(
            alternatives
                .into_iter()
                .filter(|(_, value)| build::constant(value) != Some(!holds))
                .map(|(mut when, value)| {
                    when.push(turned(value));
                    when
                })
                .collect(),
        )
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of other sets no more is known")]
    fn member_parts(&mut self, thing: &Expr, set: &Expr, facts: &Facts) -> Parts {
        let of = |set: &Expr| member(thing.clone(), set.clone());
        match &set.kind {
            ExprKind::ToSet(one) => Parts::All(vec![equal(thing.clone(), (**one).clone())]),
            ExprKind::List(all) => {
                Parts::Cases(all.iter().map(|one| vec![equal(thing.clone(), one.clone())]).collect())
            }
            ExprKind::Sets(SetOp::Union, a, b) => Parts::Cases(vec![vec![of(a)], vec![of(b)]]),
            ExprKind::Sets(SetOp::Both, a, b) => Parts::All(vec![of(a), of(b)]),
            ExprKind::Sets(SetOp::Without, a, b) => Parts::All(vec![of(a), not(of(b))]),
            ExprKind::Choice(c, a, b) => {
                Parts::Cases(vec![vec![(**c).clone(), of(a)], vec![not((**c).clone()), of(b)]])
            }
            ExprKind::Query(query) if query.quantifier != Quantifier::Reach => {
                let filter = query.filter.as_ref().map(|filter| self.put(filter, query.local, thing));
                Parts::All([of(&query.source)].into_iter().chain(filter).collect())
            }
            ExprKind::Each(y, source, body) => {
                let Some(kind) = terms::kind_of(source) else { return Parts::Whole };
                let one = self.fresh();
                let local = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *y, &local);
                Parts::All(vec![member(local, (**source).clone()), of(&body)])
            }
            ExprKind::Local(name) => {
                let Some((one, known)) = facts.sets.get(name).cloned() else { return Parts::Whole };
                let about = known
                    .all
                    .iter()
                    .map(|f| if f.holds { (*f.expr).clone() } else { not((*f.expr).clone()) });
                let about: Vec<Expr> = about.collect();
                let mut parts: Vec<Expr> = about.iter().map(|fact| self.put(fact, one, thing)).collect();
                for case in &known.cases {
                    let cases: Vec<Expr> = case
                        .iter()
                        .map(|facts| {
                            let all = facts.all.iter().map(|f| {
                                let e = (*f.expr).clone();
                                if f.holds { e } else { not(e) }
                            });
                            build::and(all.collect(), thing.span)
                        })
                        .collect();
                    let case = build::or(cases, thing.span);
                    parts.push(self.put(&case, one, thing));
                }
                Parts::All(parts)
            }
            ExprKind::Rule(id, args) => self.rule_member_parts(thing, *id, args),
            _ => Parts::Whole,
        }
    }

    fn rule_member_parts(&mut self, thing: &Expr, id: blazon_book::RuleId, args: &[Expr]) -> Parts {
        if let Some(alternatives) = self.alternatives(id, args) {
            let with = |(mut when, value): (Vec<Expr>, Expr)| {
                when.push(member(thing.clone(), value));
                when
            };
            return Parts::Cases(alternatives.into_iter().map(with).collect());
        }
        let book = self.book;
        let RuleBody::Value { base, exceptions, modifiers } = &book.rule(id).body else {
            return Parts::Whole;
        };
        let values = std::iter::once((None, base))
            .chain(exceptions.iter().map(|e| (e.when.as_ref(), &e.value)))
            .chain(modifiers.iter().filter(|m| !m.minus).map(|m| (m.when.as_ref(), &m.value)));
        let mut cases = Vec::new();
        for (when, value) in values {
            let when = when.map(|when| self.of_rule(when, args));
            let value = self.of_rule(value, args);
            cases.push(when.into_iter().chain([member(thing.clone(), value)]).collect());
        }
        Parts::Cases(cases)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of other values no more is known")]
    fn equal_parts(&mut self, thing: &Expr, value: &Expr) -> Parts {
        let certain = !thing.ty.optional && !matches!(thing.kind, ExprKind::Absent);
        match &value.kind {
            ExprKind::Rule(id, args) if certain && matches!(value.ty.base, Base::Thing(_)) => {
                let Some(alternatives) = self.alternatives(*id, args) else { return Parts::Whole };
                let cases =
                    alternatives.into_iter().filter(|(_, value)| !matches!(value.kind, ExprKind::Absent));
                let with = |(mut when, value): (Vec<Expr>, Expr)| {
                    when.push(equal(thing.clone(), value));
                    when
                };
                Parts::Cases(cases.map(with).collect())
            }
            ExprKind::Query(query) if certain && query.quantifier == Quantifier::First => {
                let filter = query.filter.as_ref().map(|filter| self.put(filter, query.local, thing));
                Parts::All([member(thing.clone(), query.source.clone())].into_iter().chain(filter).collect())
            }
            ExprKind::Otherwise(a, b) if certain => Parts::Cases(vec![
                vec![equal(thing.clone(), (**a).clone())],
                vec![equal(thing.clone(), (**b).clone())],
            ]),
            ExprKind::Choice(c, a, b) => Parts::Cases(vec![
                vec![(**c).clone(), equal(thing.clone(), (**a).clone())],
                vec![not((**c).clone()), equal(thing.clone(), (**b).clone())],
            ]),
            ExprKind::Each(y, source, body) if certain => {
                let Some(kind) = terms::kind_of(source) else { return Parts::Whole };
                let one = self.fresh();
                let of = local(one, Type::of(Base::Thing(kind)), source.span);
                let body = self.put(body, *y, &of);
                Parts::All(vec![member(of, (**source).clone()), equal(thing.clone(), body)])
            }
            _ => Parts::Whole,
        }
    }

    /// Whether something is known as it stands, without looking at cases.
    pub(super) fn is_plain_in(&mut self, goal: &Expr, facts: &Facts) -> bool {
        facts.absurd || self.holds(goal, facts, true, 0)
    }

    /// Whether something follows from what is known.
    pub(super) fn follows(&mut self, goal: &Expr, facts: &Facts) -> bool {
        let locals = locals_of(goal);
        self.follows_within(goal, &locals, facts, 0)
    }

    fn follows_within(&mut self, goal: &Expr, locals: &[LocalId], facts: &Facts, depth: usize) -> bool {
        if facts.absurd || self.holds(goal, facts, true, 0) {
            return true;
        }
        if depth >= DEPTH {
            return false;
        }
        (0..facts.cases.len()).any(|place| {
            if !facts.cases[place].iter().any(|case| case.is_about(locals)) {
                return false;
            }
            let mut rest = facts.clone();
            let cases = rest.cases.remove(place);
            cases.iter().all(|case| {
                let mut facts = rest.clone();
                facts.join(case);
                self.follows_within(goal, locals, &facts, depth + 1)
            })
        })
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "others hold where they are known to")]
    fn holds(&mut self, goal: &Expr, facts: &Facts, wanted: bool, depth: usize) -> bool {
        let (goal, turned) = canonical(goal.clone());
        let wanted = wanted == turned;
        if let Some(constant) = build::constant(&goal) {
            return constant == wanted;
        }
        if facts.has(&ExprKey::of(&goal), wanted) {
            return true;
        }
        if depth > 8 {
            return false;
        }
        match &goal.kind {
            ExprKind::And(all) if wanted => all.iter().all(|one| self.holds(one, facts, true, depth + 1)),
            ExprKind::And(all) => all.iter().any(|one| self.holds(one, facts, false, depth + 1)),
            ExprKind::Or(all) if wanted => all.iter().any(|one| self.holds(one, facts, true, depth + 1)),
            ExprKind::Or(all) => all.iter().all(|one| self.holds(one, facts, false, depth + 1)),
            ExprKind::Choice(c, a, b) => {
                let (yes, no) =
                    (self.holds(c, facts, true, depth + 1), self.holds(c, facts, false, depth + 1));
                (no || self.holds(a, facts, wanted, depth + 1))
                    && (yes || self.holds(b, facts, wanted, depth + 1))
            }
            ExprKind::Rule(id, args) => self.rule_holds(*id, args, facts, wanted, depth),
            ExprKind::Compare(Comparison::Equal, a, b) => self.equal_holds(a, b, facts, wanted),
            ExprKind::In(thing, set) if wanted => self.member_holds(thing, set, facts, depth),
            ExprKind::In(thing, set) => {
                let ExprKind::List(items) = &set.kind else { return false };
                items.iter().all(|item| self.equal_holds(thing, item, facts, false))
            }
            ExprKind::Column(column, keys) => self.alias_holds(*column, keys, &goal, facts, wanted),
            _ => false,
        }
    }

    /// A flag of something that equals another of which it is known.
    fn alias_holds(
        &mut self,
        column: ColumnId,
        keys: &[Expr],
        goal: &Expr,
        facts: &Facts,
        wanted: bool,
    ) -> bool {
        let [key] = keys else { return false };
        facts.equals(key).into_iter().skip(1).any(|other| {
            let goal = flag(ExprKind::Column(column, vec![other.expr.clone()]), goal.span);
            facts.has(&ExprKey::of(&goal), wanted)
        })
    }

    fn rule_holds(
        &mut self,
        id: blazon_book::RuleId,
        args: &[Expr],
        facts: &Facts,
        wanted: bool,
        depth: usize,
    ) -> bool {
        let book = self.book;
        if let RuleBody::Permission(needs) = &book.rule(id).body {
            let needs: Vec<Expr> = needs.iter().map(|need| self.of_rule(&need.condition, args)).collect();
            return wanted && needs.iter().all(|need| self.holds(need, facts, true, depth + 1));
        }
        let Some(alternatives) = self.alternatives(id, args) else { return false };
        let Some(((_, base), exceptions)) = alternatives.split_last() else { return false };
        let certain = exceptions.iter().any(|(when, value)| {
            when.iter().all(|when| self.holds(when, facts, true, depth + 1))
                && self.holds(value, facts, wanted, depth + 1)
        });
        certain
            || self.holds(base, facts, wanted, depth + 1)
                && exceptions.iter().all(|(when, value)| {
                    self.holds(value, facts, wanted, depth + 1)
                        || when.iter().any(|when| self.holds(when, facts, false, depth + 1))
                })
    }

    fn equal_holds(&mut self, a: &Expr, b: &Expr, facts: &Facts, wanted: bool) -> bool {
        if wanted && (facts.is_free(a) || facts.is_free(b)) {
            return ExprKey::of(a) == ExprKey::of(b);
        }
        let (of_a, of_b) = (facts.equals(a), facts.equals(b));
        if wanted {
            return of_b.iter().any(|b| of_a.iter().any(|a| a.is(b)));
        }
        let word = |all: &[Rc<Keyed>]| {
            all.iter().find_map(|e| if let ExprKind::Word(word) = e.expr.kind { Some(word) } else { None })
        };
        if let (Some(a), Some(b)) = (word(&of_a), word(&of_b)) {
            return a != b;
        }
        // What equals something that is surely there, or is in a set, is there.
        let is_nothing = |e: &Expr| matches!(e.kind, ExprKind::Absent);
        let path = if is_nothing(b) { &of_a } else { &of_b };
        let is_there = |e: &Rc<Keyed>| !e.expr.ty.optional && !is_nothing(&e.expr);
        (is_nothing(a) || is_nothing(b)) && (path.iter().any(is_there) || Self::in_some_set(path, facts))
    }

    fn in_some_set(of: &[Rc<Keyed>], facts: &Facts) -> bool {
        facts.all.iter().filter(|fact| fact.holds).any(|fact| {
            let ExprKind::In(thing, _) = &fact.expr.kind else { return false };
            let key = ExprKey::of(thing);
            of.iter().any(|one| one.key == key)
        })
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of other sets it must be known")]
    fn member_holds(&mut self, thing: &Expr, set: &Expr, facts: &Facts, depth: usize) -> bool {
        let mut of = |set: &Expr, wanted: bool| {
            let goal = member(thing.clone(), set.clone());
            self.holds(&goal, facts, wanted, depth + 1)
        };
        match &set.kind {
            ExprKind::ToSet(one) => of(one, true),
            ExprKind::List(items) => {
                let equals = facts.equals(thing);
                items.iter().any(|item| {
                    let key = ExprKey::of(item);
                    equals.iter().any(|equal| equal.key == key)
                })
            }
            ExprKind::Sets(SetOp::Union, a, b) => of(a, true) || of(b, true),
            ExprKind::Sets(SetOp::Both, a, b) => of(a, true) && of(b, true),
            ExprKind::Sets(SetOp::Without, a, b) => of(a, true) && of(b, false),
            ExprKind::Query(query) if query.quantifier == Quantifier::All => {
                if !of(&query.source, true) {
                    return false;
                }
                let Some(filter) = &query.filter else { return true };
                let filter = self.put(filter, query.local, thing);
                self.holds(&filter, facts, true, depth + 1)
            }
            ExprKind::Rule(id, args) => {
                let Some(alternatives) = self.alternatives(*id, args) else { return false };
                let [(_, base)] = &alternatives[..] else { return false };
                let goal = member(thing.clone(), base.clone());
                self.holds(&goal, facts, true, depth + 1)
            }
            ExprKind::Everything(_) => true,
            _ => false,
        }
    }
}
