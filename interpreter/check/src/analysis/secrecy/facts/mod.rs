//! What is known at a place.
//!
//! A fact is a flag that holds there. It is taken apart as it is added: a flag rule into the cases of its answer, a member
//! of a set into what made it one. Where there are several cases each is kept, and what follows must follow from all.
//!
//! * [`equality`]: which expressions are known to be equal;
//! * [`parts`]: what a fact comes to;
//! * [`prove`]: what follows.

mod equality;
mod parts;
mod prove;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use blazon_book::graph::Numbers;
use blazon_book::walk::ExprKey;
use blazon_book::{Base, Expr, ExprKind, LocalId, Type};
use rustc_hash::FxHashMap;

use super::Secrecy;
use super::terms::{self, Shared, local, member, not};
use equality::Keyed;
pub(super) use equality::hash_of;

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
    /// The two sides, where it holds that they are equal.
    sides: Option<[Rc<Keyed>; 2]>,
    hash: u64,
    /// What it comes to, as soon as that is asked.
    parts: OnceCell<Held>,
}

impl Fact {
    /// Where something equals a word: what, and which word.
    fn said(&self) -> Option<(&Keyed, i64)> {
        let [a, b] = self.sides.as_ref()?;
        let word = |side: &Keyed| if let ExprKind::Word(word) = side.expr.kind { Some(word) } else { None };
        word(b).map(|word| (&**a, word)).or_else(|| word(a).map(|word| (&**b, word)))
    }
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
pub(super) type Looked = FxHashMap<(ExprKey, bool), Rc<Fact>>;

/// What is known.
#[derive(Clone, Default)]
pub(super) struct Facts {
    all: Vec<Rc<Fact>>,
    /// Those among them that say that two things are equal.
    ties: Vec<Rc<Fact>>,
    cases: Vec<Rc<Vec<Facts>>>,
    /// What was known of the members of a set when it got its name.
    sets: BTreeMap<LocalId, (LocalId, Rc<Facts>)>,
    /// This cannot be.
    absurd: bool,
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
        self.ties.retain(keeps);
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
        self.ties.extend(other.ties.iter().cloned());
        self.cases.extend(other.cases.iter().cloned());
        self.sets.extend(other.sets.iter().map(|(k, v)| (*k, v.clone())));
        self.absurd = self.absurd || other.absurd || other.all.iter().any(|fact| self.denies(fact));
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

    /// Whether a fact cannot be besides these: its contrary is known, or what it says equals one thing equals another.
    fn denies(&self, fact: &Fact) -> bool {
        let says_other = |(of, word): (&Keyed, i64)| {
            let mut said = self.ties.iter().filter_map(|tie| tie.said());
            said.any(|(other, known)| word != known && of.is(other))
        };
        self.has_hashed(&fact.key, fact.hash, !fact.holds) || fact.said().is_some_and(says_other)
    }

    fn has(&self, key: &ExprKey, holds: bool) -> bool {
        self.has_hashed(key, hash_of(key), holds)
    }

    fn has_hashed(&self, key: &ExprKey, hash: u64, holds: bool) -> bool {
        self.all.iter().any(|fact| fact.hash == hash && fact.holds == holds && fact.key == *key)
    }
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
        facts.absurd |= facts.denies(fact);
        facts.all.push(fact.clone());
        if fact.sides.is_some() {
            facts.ties.push(fact.clone());
        }
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
}
