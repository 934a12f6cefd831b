//! The rules that are added to a book so that the clauses of others can be asked one by one: each gives what one
//! expression of a clause gives, of the same parameters.

use std::collections::{BTreeMap, HashMap};

use blazon_book::walk::{Put, Reads as Names, substitute};
use blazon_book::{
    Base, Book, ColumnId, Comparison, Expr, ExprKind, Needed, Query, Rule, RuleBody, RuleId, Type, build,
};
use blazon_diagnostics::Span;

/// Of no more numbers that a query goes through it is told what is asked of each: of more it would be told of some only.
const FEW: i64 = 12;
/// No more is told of numbers where so much is told already: queries may stand within each other.
const MUCH: usize = 400;

/// What can be asked of the clauses of a rule.
#[derive(Clone, Debug)]
pub(super) enum Probes {
    /// Base, exceptions, modifiers.
    Value { base: Probe, exceptions: Vec<Pair>, modifiers: Vec<Pair> },
    /// The conditions of its needs.
    Permission(Vec<Probe>),
    /// The book itself has all that there is to know.
    Table,
}

/// A clause with a value: when it holds, and what it gives.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub when: Option<Probe>,
    pub value: Probe,
}

/// An expression that can be asked.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    /// The rule that gives its value.
    pub rule: RuleId,
    pub span: Span,
    /// What it says.
    pub words: String,
    /// The cases of a need.
    pub cases: Vec<String>,
    /// What it is made of, if that is several by `and` or `or`.
    pub joined: Option<Joined>,
    /// What it asks.
    pub reads: Vec<Reading>,
}

/// The parts of a condition.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// The answer of a part after which no other is looked at: no of `and`, yes of `or`.
    pub until: bool,
    pub parts: Vec<(RuleId, String)>,
    /// So many of the first parts deny the cases of a need.
    pub cases: usize,
}

/// Something that an expression asks.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub what: What,
    pub value: RuleId,
    pub args: Vec<RuleId>,
    /// It is only asked where these flags are so.
    pub guards: Vec<(RuleId, bool)>,
    pub span: Span,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Rule(RuleId),
    Column(ColumnId),
    /// A query, or something asked of each thing of a set.
    Query,
}

/// The book with what can be asked of some rules, and of those that they ask, so many levels down.
pub(super) fn add(book: &Book, rules: &[RuleId], depth: usize) -> (Book, BTreeMap<RuleId, Probes>) {
    let mut adder = Adder { book, added: Vec::new(), first: book.rules.len() as u32 };
    let mut probes = BTreeMap::new();
    let mut level: Vec<RuleId> = rules.to_vec();
    // A question that is nothing but a rule is no level of its own.
    let questions = rules.iter().filter(|rule| book.questions.contains(rule));
    level.extend(questions.flat_map(|rule| Names::of_rule(book.rule(*rule)).rules));
    for _ in 0..=depth {
        let mut next = Vec::new();
        for id in level {
            if let std::collections::btree_map::Entry::Vacant(free) = probes.entry(id) {
                free.insert(adder.rule(book.rule(id)));
                next.extend(Names::of_rule(book.rule(id)).rules);
            }
        }
        level = next;
    }
    let mut book = book.clone();
    book.rules.extend(adder.added);
    (book, probes)
}

struct Adder<'a> {
    book: &'a Book,
    added: Vec<Rule>,
    /// The number of the first rule that is added.
    first: u32,
}

impl Adder<'_> {
    fn rule(&mut self, rule: &Rule) -> Probes {
        match &rule.body {
            RuleBody::Table(_) => Probes::Table,
            RuleBody::Permission(needs) => {
                Probes::Permission(needs.iter().map(|need| self.need(rule, &need.condition)).collect())
            }
            RuleBody::Value { base, exceptions, modifiers } => Probes::Value {
                base: self.probe(rule, base),
                exceptions: exceptions
                    .iter()
                    .map(|exception| self.pair(rule, exception.when.as_ref(), &exception.value))
                    .collect(),
                modifiers: modifiers
                    .iter()
                    .map(|modifier| self.pair(rule, modifier.when.as_ref(), &modifier.value))
                    .collect(),
            },
        }
    }

    fn pair(&mut self, rule: &Rule, when: Option<&Expr>, value: &Expr) -> Pair {
        Pair { when: when.map(|when| self.probe(rule, when)), value: self.probe(rule, value) }
    }

    fn need(&mut self, rule: &Rule, condition: &Expr) -> Probe {
        let Needed { cases, words } = self.book.needed(condition);
        let mut probe = self.probe(rule, condition);
        if let Some(joined) = &mut probe.joined {
            joined.cases = cases.len();
            joined.parts.iter_mut().zip(&cases).for_each(|((_, words), case)| words.clone_from(case));
        }
        Probe { words, cases, ..probe }
    }

    fn probe(&mut self, rule: &Rule, expr: &Expr) -> Probe {
        let asked = self.add(rule, expr);
        let mut reads = Vec::new();
        self.reads(rule, expr, &mut Vec::new(), &mut reads);
        // The value of a query that is all of the expression is told already.
        reads.retain(|read| read.what != What::Query || read.span != expr.span);
        let words = self.book.words(expr);
        Probe {
            rule: asked,
            span: expr.span,
            words,
            cases: Vec::new(),
            joined: self.joined(rule, expr),
            reads,
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not joined is one")]
    fn joined(&mut self, rule: &Rule, expr: &Expr) -> Option<Joined> {
        let (parts, until) = match &expr.kind {
            ExprKind::And(parts) => (parts, false),
            ExprKind::Or(parts) => (parts, true),
            _ => return None,
        };
        let parts = parts.iter().map(|part| (self.add(rule, part), self.book.words(part))).collect();
        Some(Joined { until, parts, cases: 0 })
    }

    /// A rule that gives what an expression of another one gives.
    fn add(&mut self, rule: &Rule, expr: &Expr) -> RuleId {
        let ty = if expr.ty.base == Base::Permission { Type::of(Base::Flag) } else { expr.ty };
        self.added.push(Rule {
            name: rule.name.clone(),
            title: None,
            params: rule.params,
            locals: rule.locals.clone(),
            ty,
            known: Vec::new(),
            body: RuleBody::Value { base: expr.clone(), exceptions: Vec::new(), modifiers: Vec::new() },
            cites: rule.cites.clone(),
            span: expr.span,
        });
        RuleId(self.first + self.added.len() as u32 - 1)
    }

    /// What an expression asks. Of what it asks for each thing of a set only the whole has one value; and what stands
    /// behind something that decides whether it is asked at all is asked only then.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what asks nothing by itself goes on to its parts")]
    fn reads(
        &mut self,
        rule: &Rule,
        expr: &Expr,
        guards: &mut Vec<(RuleId, bool)>,
        found: &mut Vec<Reading>,
    ) {
        let before = guards.len();
        match &expr.kind {
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let goes_on = matches!(expr.kind, ExprKind::And(_));
                for (place, part) in parts.iter().enumerate() {
                    self.reads(rule, part, guards, found);
                    if place + 1 < parts.len() {
                        guards.push((self.add(rule, part), goes_on));
                    }
                }
            }
            ExprKind::Choice(test, yes, no) => {
                self.reads(rule, test, guards, found);
                let held = self.add(rule, test);
                for (part, so) in [(yes, true), (no, false)] {
                    guards.push((held, so));
                    self.reads(rule, part, guards, found);
                    guards.truncate(before);
                }
            }
            ExprKind::Otherwise(value, instead) => {
                self.reads(rule, value, guards, found);
                guards.push((self.add(rule, &is_absent(value)), true));
                self.reads(rule, instead, guards, found);
            }
            ExprKind::Rule(asked, args) => {
                self.read(rule, expr, What::Rule(*asked), args, guards, found);
                args.iter().for_each(|arg| self.reads(rule, arg, guards, found));
            }
            ExprKind::Column(column, keys) => {
                self.read(rule, expr, What::Column(*column), keys, guards, found);
                keys.iter().for_each(|key| self.reads(rule, key, guards, found));
            }
            ExprKind::Query(query) => {
                self.read(rule, expr, What::Query, &[], guards, found);
                self.reads(rule, &query.source, guards, found);
                self.of_numbers(rule, query, guards, found);
            }
            ExprKind::Each(_, source, _) => {
                self.read(rule, expr, What::Query, &[], guards, found);
                self.reads(rule, source, guards, found);
            }
            // `every` is a denied query: the answer is that of the whole.
            ExprKind::Not(inner) if inner.span == expr.span && matches!(inner.kind, ExprKind::Query(_)) => {
                self.read(rule, expr, What::Query, &[], guards, found);
                inner.parts().into_iter().take(1).for_each(|source| self.reads(rule, source, guards, found));
                if let ExprKind::Query(query) = &inner.kind {
                    self.of_numbers(rule, query, guards, found);
                }
            }
            _ => expr.parts().into_iter().for_each(|part| self.reads(rule, part, guards, found)),
        }
        guards.truncate(before);
    }

    /// What a query asks of each of a few numbers, such as what a die may show: there are no things that could be looked up.
    fn of_numbers(
        &mut self,
        rule: &Rule,
        query: &Query,
        guards: &mut Vec<(RuleId, bool)>,
        found: &mut Vec<Reading>,
    ) {
        let ExprKind::Range(lo, hi) = &query.source.kind else { return };
        let (&ExprKind::Word(lo), &ExprKind::Word(hi)) = (&lo.kind, &hi.kind) else { return };
        if hi.saturating_sub(lo) >= FEW {
            return;
        }
        let before = guards.len();
        for number in lo..=hi {
            if found.len() > MUCH {
                return;
            }
            let of = |part: &Expr| {
                let mut part = part.clone();
                let mut put = HashMap::from([(query.local, Put::Expr(build::number(number, part.span)))]);
                substitute(&mut part, &mut put, &mut |local| local);
                part
            };
            if let Some(filter) = query.filter.as_ref().map(of) {
                self.reads(rule, &filter, guards, found);
                guards.push((self.add(rule, &filter), true));
            }
            if let Some(by) = query.by.as_ref().map(of) {
                self.reads(rule, &by, guards, found);
            }
            guards.truncate(before);
        }
    }

    fn read(
        &mut self,
        rule: &Rule,
        expr: &Expr,
        what: What,
        args: &[Expr],
        guards: &[(RuleId, bool)],
        found: &mut Vec<Reading>,
    ) {
        if is_told(expr.ty.base) && args.iter().all(|arg| is_told(arg.ty.base)) {
            let value = self.add(rule, expr);
            let args = args.iter().map(|arg| self.add(rule, arg)).collect();
            found.push(Reading { what, value, args, guards: guards.to_vec(), span: expr.span });
        }
    }
}

/// Whether a value of a type can be given by a rule and put in words.
fn is_told(base: Base) -> bool {
    match base {
        Base::Flag | Base::Number(..) | Base::Thing(_) | Base::Set(_) | Base::Permission | Base::Die => true,
        Base::Dice | Base::Text | Base::Point | Base::Numbers | Base::Nothing | Base::Unknown => false,
    }
}

/// Whether an expression is absent.
fn is_absent(expr: &Expr) -> Expr {
    let absent = Expr { kind: ExprKind::Absent, ty: expr.ty, span: expr.span };
    let kind = ExprKind::Compare(Comparison::Equal, Box::new(expr.clone()), Box::new(absent));
    Expr { kind, ty: Type::of(Base::Flag), span: expr.span }
}
