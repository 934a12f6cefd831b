//! What a text asks of hidden faces.
//!
//! A reader who does not see a thing may not read what is asked of it either, unless that stands on its back. So beside
//! each hole of a text that asks such things stand its *guards*: the sets of all things on whose faces the value in it
//! hangs, worked out in the very order in which the value is. Where the reader does not see one of them, he reads `?`.
//! What rules ask is gathered in rules made for that, only for those that a text needs; a book that hides nothing, or
//! shows nothing of what it hides, stays as it is.

use std::collections::HashMap;
use std::sync::Arc;

use blazon_book::graph::components;
use blazon_book::walk::{Reads, Visit};
use blazon_book::{
    Base, Book, ColumnId, Comparison, Expr, ExprKind, KindId, LocalId, Piece, Quantifier, Query, Role, Rule,
    RuleBody, RuleId, SetOp, Statement, StatementKind, Text, Type, build, walk,
};
use blazon_diagnostics::Span;

/// What is asked of the faces of hidden kinds.
#[derive(Debug, Default)]
pub(crate) struct Faces {
    /// The kinds whose faces not everybody sees.
    kinds: Vec<KindId>,
    /// For a rule and a kind the rule that gives the things on whose faces its answer hangs; `None`: on none.
    asked: HashMap<(RuleId, KindId), Option<RuleId>>,
    /// The rules made, which come behind those of the book.
    made: Vec<Rule>,
}

impl Faces {
    /// The book with the rules that the guards of its texts ask.
    pub fn of(book: Arc<Book>) -> (Arc<Book>, Self) {
        let hidden = |(_, kind): &(usize, &blazon_book::Kind)| kind.seen.is_some();
        let kinds = book.kinds.iter().enumerate().filter(hidden).map(|(place, _)| KindId(place as u32));
        let mut faces = Self { kinds: kinds.collect(), ..Self::default() };
        if faces.kinds.is_empty() {
            return (book, faces);
        }
        let mut holes = Holes(Vec::new());
        book.steps.iter().for_each(|step| holes.visit_block(&step.body));
        book.rules.iter().for_each(|rule| holes.visit_rule(rule));
        faces.rules(&book, &holes.0);
        for hole in holes.0 {
            faces.guards(&book, hole);
        }
        if faces.made.is_empty() {
            return (book, faces);
        }
        let mut with = Book::clone(&book);
        with.rules.append(&mut faces.made);
        (Arc::new(with), faces)
    }

    /// Gathers what rules ask, of those that lead from some text: each after the rules that it asks, for a chain of them
    /// may be as long as a page.
    fn rules(&mut self, book: &Book, holes: &[&Expr]) {
        let places = |reads: Reads| reads.rules.into_iter().map(|rule| rule.0 as usize).collect::<Vec<_>>();
        // What stands in a table is printed under names.
        let asks = |rule: &Rule| match rule.body {
            RuleBody::Table(_) => Vec::new(),
            RuleBody::Value { .. } | RuleBody::Permission(_) => places(Reads::of_rule(rule)),
        };
        let asks: Vec<Vec<usize>> = book.rules.iter().map(asks).collect();
        let mut is_asked = vec![false; book.rules.len()];
        let mut open: Vec<usize> = holes.iter().flat_map(|hole| places(Reads::of_expr(hole))).collect();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut is_asked[place], true) {
                open.extend(&asks[place]);
            }
        }
        for place in components(&asks).into_iter().flatten().filter(|&place| is_asked[place]) {
            for kind in self.kinds.clone() {
                self.rule(book, RuleId(place as u32), kind);
            }
        }
    }

    /// The sets of things on whose faces a value hangs, one for each kind of which there are some.
    pub fn guards(&mut self, book: &Book, hole: &Expr) -> Vec<Expr> {
        let kinds = self.kinds.clone();
        kinds.into_iter().filter_map(|kind| self.asked_by(book, hole, kind)).collect()
    }

    /// The things of a kind on whose faces a value hangs.
    fn asked_by(&mut self, book: &Book, expr: &Expr, kind: KindId) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Word(_) if expr.ty.base == Base::Thing(kind) && !book.kind(kind).name_on_back => {
                Some(build::to_set(expr.clone()))
            }
            ExprKind::Word(_)
            | ExprKind::Absent
            | ExprKind::Everything(_)
            | ExprKind::Players
            | ExprKind::Winner
            | ExprKind::Local(_) => None,
            ExprKind::Column(column, keys) => {
                let mut parts = self.all(book, keys, kind);
                let of = book.column(*column).keys.iter().zip(keys);
                if !is_open(book, kind, *column) {
                    parts
                        .extend(of.filter(|(of, _)| **of == kind).map(|(_, key)| build::to_set(key.clone())));
                }
                union(parts, kind, span)
            }
            ExprKind::Rule(rule, args) => {
                let mut parts = self.all(book, args, kind);
                if let Some(made) = self.rule(book, *rule, kind) {
                    parts.push(Expr { kind: ExprKind::Rule(made, args.clone()), ty: set_of(kind), span });
                }
                union(parts, kind, span)
            }
            ExprKind::Links(..) | ExprKind::Neighbours(..) | ExprKind::Ends(..) | ExprKind::Between(..) => {
                let mut parts = Vec::new();
                for of in expr.parts() {
                    let printed = of.ty.base.kind() == Some(kind) && !book.kind(kind).name_on_back;
                    parts.extend(printed.then(|| build::to_set(of.clone())));
                    parts.extend(self.asked_by(book, of, kind));
                }
                union(parts, kind, span)
            }
            ExprKind::ToSet(a) | ExprKind::Not(a) | ExprKind::Odd(a) | ExprKind::Kept(_, a) => {
                self.asked_by(book, a, kind)
            }
            ExprKind::Compare(_, a, b)
            | ExprKind::In(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Sets(_, a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Otherwise(a, b) => {
                let parts = [a, b].into_iter().filter_map(|part| self.asked_by(book, part, kind)).collect();
                union(parts, kind, span)
            }
            ExprKind::Within(a, b, c) => {
                let parts =
                    [a, b, c].into_iter().filter_map(|part| self.asked_by(book, part, kind)).collect();
                union(parts, kind, span)
            }
            ExprKind::And(all) => self.one_after_another(book, all, kind, true),
            ExprKind::Or(all) => self.one_after_another(book, all, kind, false),
            ExprKind::List(all) | ExprKind::Invalid(all) => {
                let parts = self.all(book, all, kind);
                union(parts, kind, span)
            }
            ExprKind::Choice(condition, then, otherwise) => {
                let asked = self.asked_by(book, condition, kind);
                let (then, otherwise) =
                    (self.asked_by(book, then, kind), self.asked_by(book, otherwise, kind));
                let rest = either(condition, then, otherwise, kind);
                union(asked.into_iter().chain(rest).collect(), kind, span)
            }
            ExprKind::Each(local, source, body) => {
                let asked = self.asked_by(book, source, kind);
                let body = self.asked_by(book, body, kind);
                let each = body.map(|body| each(*local, build::to_set((**source).clone()), body, kind));
                union(asked.into_iter().chain(each).collect(), kind, span)
            }
            ExprKind::Query(query) => self.query(book, query, expr, kind),
        }
    }

    fn all(&mut self, book: &Book, all: &[Expr], kind: KindId) -> Vec<Expr> {
        all.iter().filter_map(|part| self.asked_by(book, part, kind)).collect()
    }

    /// Of conditions of which a later one is asked only if those before it hold (or fail).
    fn one_after_another(&mut self, book: &Book, all: &[Expr], kind: KindId, holds: bool) -> Option<Expr> {
        let mut asked: Option<Expr> = None;
        for condition in all.iter().rev() {
            let (then, otherwise) = if holds { (asked, None) } else { (None, asked) };
            let rest = either(condition, then, otherwise, kind);
            let own = self.asked_by(book, condition, kind);
            asked = union(own.into_iter().chain(rest).collect(), kind, condition.span);
        }
        asked
    }

    fn query(&mut self, book: &Book, query: &Query, expr: &Expr, kind: KindId) -> Option<Expr> {
        let span = expr.span;
        let mut parts: Vec<Expr> = self.asked_by(book, &query.source, kind).into_iter().collect();
        parts.extend(query.within.as_ref().and_then(|within| self.asked_by(book, within, kind)));
        let filter = query.filter.as_ref().and_then(|filter| self.asked_by(book, filter, kind));
        let by = query.by.as_ref().and_then(|by| self.asked_by(book, by, kind));
        let things = query.source.ty.base.kind();
        if matches!(query.source.ty.base, Base::Numbers | Base::Dice) {
            let by = match &query.filter {
                Some(filter) => either(filter, by, None, kind),
                None => by,
            };
            let each = |asked: Expr| each(query.local, query.source.clone(), asked, kind);
            parts.extend(filter.into_iter().chain(by).map(each));
            return union(parts, kind, span);
        }
        let (Some(of), true) = (things, query.quantifier != Quantifier::Reach) else {
            // What is reached in the end is not known before: then it hangs on all faces.
            parts.extend((filter.is_some() || by.is_some()).then(|| everything(kind, span)));
            return union(parts, kind, span);
        };
        let members = members(query, of, span);
        let source = build::to_set(query.source.clone());
        parts.extend(filter.map(|asked| each(query.local, source, asked, kind)));
        parts.extend(by.map(|asked| each(query.local, members.clone(), asked, kind)));
        if query.quantifier == Quantifier::First && of == kind && !book.kind(kind).name_on_back {
            // Which of several is the first in print hangs on who they are.
            let one = build::compare(Comparison::AtMost, count(&members), build::number(1, span), span);
            parts.extend(either(&one, None, Some(members), kind));
        }
        union(parts, kind, span)
    }

    /// The rule that gives the things of a kind on whose faces the answer of a rule hangs.
    fn rule(&mut self, book: &Book, id: RuleId, kind: KindId) -> Option<RuleId> {
        if let Some(made) = self.asked.get(&(id, kind)) {
            return *made;
        }
        let rule = book.rules.get(id.0 as usize)?;
        let made = self.unless_known(book, rule, kind).map(|base| {
            self.made.push(Rule {
                known: Vec::new(),
                name: format!("the faces asked by {}", rule.name),
                title: None,
                params: rule.params,
                locals: rule.locals.clone(),
                ty: set_of(kind),
                body: RuleBody::Value { base, exceptions: Vec::new(), modifiers: Vec::new() },
                cites: rule.cites.clone(),
                span: rule.span,
            });
            RuleId((book.rules.len() + self.made.len()) as u32 - 1)
        });
        self.asked.insert((id, kind), made);
        made
    }

    /// What a rule asks where its answer is not known to all: what it is asked of is another matter.
    fn unless_known(&mut self, book: &Book, rule: &Rule, kind: KindId) -> Option<Expr> {
        let whens: Option<Vec<Expr>> = rule.known.iter().map(|known| known.when.clone()).collect();
        let asked = self.body(book, rule, kind);
        match whens {
            None => None,
            Some(whens) if whens.is_empty() => asked,
            Some(whens) => either(&build::or(whens, rule.span), None, asked, kind),
        }
    }

    fn body(&mut self, book: &Book, rule: &Rule, kind: KindId) -> Option<Expr> {
        match &rule.body {
            // Its rows are printed under names.
            RuleBody::Table(_) => {
                let params = rule.locals.iter().take(rule.params).enumerate();
                let given =
                    params.filter(|(_, param)| param.ty.base.kind() == Some(kind)).map(|(place, param)| {
                        let given = ExprKind::Local(LocalId(place as u32));
                        build::to_set(Expr { kind: given, ty: param.ty, span: rule.span })
                    });
                let given = given.filter(|_| !book.kind(kind).name_on_back).collect();
                union(given, kind, rule.span)
            }
            RuleBody::Permission(needs) => {
                let conditions: Vec<Expr> = needs.iter().map(|need| need.condition.clone()).collect();
                self.one_after_another(book, &conditions, kind, true)
            }
            RuleBody::Value { base, exceptions, modifiers } => {
                let mut parts = Vec::new();
                let clauses = exceptions.iter().map(|exception| (&exception.when, &exception.value));
                let clauses =
                    clauses.chain(modifiers.iter().map(|modifier| (&modifier.when, &modifier.value)));
                for (when, value) in clauses {
                    let asked = self.asked_by(book, value, kind);
                    match when {
                        None => parts.extend(asked),
                        Some(when) => {
                            parts.extend(self.asked_by(book, when, kind));
                            parts.extend(either(when, asked, None, kind));
                        }
                    }
                }
                let whens: Option<Vec<Expr>> =
                    exceptions.iter().map(|exception| exception.when.clone()).collect();
                if let (Some(whens), Some(asked)) = (whens, self.asked_by(book, base, kind)) {
                    parts.extend(either(&build::or(whens, rule.span), None, Some(asked), kind));
                }
                union(parts, kind, rule.span)
            }
        }
    }
}

/// Whether a fact or state of a hidden thing tells nothing to those who do not see its face: it stands on the back, is
/// printed beside a name that does, or can hold but one value where nobody sees the face by it.
fn is_open(book: &Book, kind: KindId, column: ColumnId) -> bool {
    let info = book.kind(kind);
    let printed = matches!(book.column(column).role, Role::Fact(_));
    info.back.contains(&column)
        || (info.name_on_back && printed)
        || info.seen.as_ref().is_some_and(|seen| shows(&seen.when, column))
}

/// Whether a face is seen by everybody where a flag holds, or something is there: who does not see it knows that it isn't.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not recognised tells nothing")]
fn shows(when: &Expr, column: ColumnId) -> bool {
    match &when.kind {
        ExprKind::Or(all) => all.iter().any(|part| shows(part, column)),
        ExprKind::Column(of, _) => *of == column && when.ty.base == Base::Flag,
        ExprKind::Compare(Comparison::NotEqual, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Column(of, _), ExprKind::Absent) | (ExprKind::Absent, ExprKind::Column(of, _)) => {
                *of == column
            }
            _ => false,
        },
        ExprKind::Query(query) if query.quantifier == Quantifier::Any && query.filter.is_none() => {
            let source = if let ExprKind::ToSet(inner) = &query.source.kind { inner } else { &query.source };
            matches!(&source.kind, ExprKind::Column(of, _) if *of == column)
        }
        _ => false,
    }
}

fn set_of(kind: KindId) -> Type {
    Type::of(Base::Set(kind))
}

fn everything(kind: KindId, span: Span) -> Expr {
    Expr { kind: ExprKind::Everything(kind), ty: set_of(kind), span }
}

/// All parts as one set.
fn union(parts: Vec<Expr>, kind: KindId, span: Span) -> Option<Expr> {
    parts.into_iter().reduce(|a, b| Expr {
        kind: ExprKind::Sets(SetOp::Union, Box::new(a), Box::new(b)),
        ty: set_of(kind),
        span,
    })
}

/// The one or the other; nothing if both are.
fn either(condition: &Expr, then: Option<Expr>, otherwise: Option<Expr>, kind: KindId) -> Option<Expr> {
    if then.is_none() && otherwise.is_none() {
        return None;
    }
    match build::constant(condition) {
        Some(true) => return then,
        Some(false) => return otherwise,
        None => {}
    }
    let span = condition.span;
    let or_none = |part: Option<Expr>| {
        Box::new(part.unwrap_or(Expr { kind: ExprKind::List(Vec::new()), ty: set_of(kind), span }))
    };
    let choice = ExprKind::Choice(Box::new(condition.clone()), or_none(then), or_none(otherwise));
    Some(Expr { kind: choice, ty: set_of(kind), span })
}

/// What is asked of each member of a set, joined.
fn each(local: blazon_book::LocalId, source: Expr, body: Expr, kind: KindId) -> Expr {
    let span = body.span;
    Expr { kind: ExprKind::Each(local, Box::new(source), Box::new(body)), ty: set_of(kind), span }
}

/// The things that a query goes through and keeps.
fn members(query: &Query, of: KindId, span: Span) -> Expr {
    let source = build::to_set(query.source.clone());
    let Some(filter) = &query.filter else { return source };
    let all = Query {
        quantifier: Quantifier::All,
        local: query.local,
        source,
        filter: Some(filter.clone()),
        by: None,
        within: None,
    };
    Expr { kind: ExprKind::Query(Box::new(all)), ty: set_of(of), span }
}

fn count(members: &Expr) -> Expr {
    let query = Query {
        quantifier: Quantifier::Count,
        local: blazon_book::LocalId::NONE,
        source: members.clone(),
        filter: None,
        by: None,
        within: None,
    };
    let ty = Type::of(Base::Number(0, build::NUMBER.1));
    Expr { kind: ExprKind::Query(Box::new(query)), ty, span: members.span }
}

/// The holes of all texts that are read by players as they may.
struct Holes<'b>(Vec<&'b Expr>);

impl<'b> Visit<'b> for Holes<'b> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if !matches!(statement.kind, StatementKind::Say { announce: true, .. }) {
            walk::walk_statement(self, statement);
        }
    }

    fn visit_text(&mut self, text: &'b Text) {
        let hole = |piece: &'b Piece| match piece {
            Piece::Hole(hole) => Some(hole),
            Piece::Plural(plural) => Some(plural.of.as_ref().unwrap_or(&plural.several)),
            Piece::Plain(_) => None,
        };
        self.0.extend(text.pieces.iter().filter_map(hole));
    }

    /// Texts stand in no expression.
    fn visit_expr(&mut self, _: &'b Expr) {}
}
