//! Queries as they are written: what they go through, their conditions and keys. What each becomes is in `query_forms`.

use blazon_book::build::{self, NUMBER};
use blazon_book::walk::ExprKey;
use blazon_book::{Base, Comparison, Expr, ExprKind, KindId, LocalId, Quantifier, Type};
use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast;
use blazon_syntax::ast::Quantifier as Word;

use crate::infer::values::query_forms::Parts;
use crate::resolve::checker::Checker;
use crate::resolve::env::{Env, path_key};

/// The number of a flag that is a key: what is true counts more.
const FLAG: Type = Type { base: Base::Number(0, 1), optional: false };

impl Checker<'_> {
    pub(crate) fn query(
        &mut self,
        env: &mut Env,
        query: &ast::Query,
        hint: Option<KindId>,
        span: Span,
    ) -> Option<Expr> {
        let word = query.quantifier;
        let rulings = self.rulings_read;
        let source = self.expr(env, &query.source, hint)?;
        let is_ruled = self.rulings_read > rulings;
        let Some(name) = &query.name else {
            return self.ready(word, source, span);
        };
        let (source, element) = self.gone_through(word, source, span)?;
        let mark = env.mark();
        let local = self.bind(env, name, element);
        env.ruled.extend(is_ruled.then_some(local));
        let before = env.way();
        env.know(implied(&source, local));
        // Whether a way can be gone, and what it costs, may be asked of where it begins alone.
        let is_way = word == Word::Way;
        let times = self.times_named(env, local);
        let filter = query.filter.as_ref().map(|filter| self.query_condition(env, word, filter, span));
        if let (Some(written), Some(Some(_)), false) = (&query.filter, &filter, is_way) {
            self.condition_asks(env, local, times, written.span);
        }
        if word == Word::Reach {
            // What holds where it starts need not hold of what is reached.
            env.go_back(before);
        }
        let times = self.times_named(env, local);
        let by = self.keys(env, query, source.ty.base.kind(), span);
        if by.is_some() && !is_way {
            self.key_asks(env, local, times, query);
        }
        let times = self.times_named(env, local);
        let holds = query.holds.as_ref().map(|holds| self.flag(env, holds));
        if let (Some(written), Some(Some(_))) = (&query.holds, &holds) {
            self.condition_asks(env, local, times, written.span);
        }
        self.note_scope(env, span);
        env.back(&mark, "its query");
        let within = match &query.within {
            Some(within) => Some(self.number(env, within)?),
            None => None,
        };
        // An error in a part is reported already; the whole cannot be used then.
        let (filter, by, holds) = (whole(filter)?, by?, whole(holds)?);
        let filter = filter.filter(|filter| build::constant(filter) != Some(true));
        Some(self.formed(env, word, Parts { local, source, filter, by, within, holds, span }))
    }

    /// What a query goes through, and the type of its variable.
    fn gone_through(&mut self, word: Word, source: Expr, span: Span) -> Option<(Expr, Type)> {
        match (source.ty.base, source.ty.base.kind()) {
            (Base::Dice, _) if word == Word::Reach => {
                self.error("types::not-a-set", source.span, "nothing leads from one die to another");
                None
            }
            (Base::Dice, _) => Some((source, Type::of(Base::Number(1, 255)))),
            (_, Some(kind)) => Some((build::to_set(source), Type::of(Base::Thing(kind)))),
            (Base::Numbers, None) => {
                if let Some(help) = no_numbers(word) {
                    let message = format!("`{}` gives things, and numbers are none", said(word));
                    self.diagnostics.push(Diagnostic::error("types::not-a-set", span, message).help(help));
                    return None;
                }
                let element = build::element_of_numbers(&source);
                Some((source, element))
            }
            (_, None) => {
                let shown = self.show_one(source.ty);
                let message = format!("a query goes through a set, but this is {shown}");
                let mut said = Diagnostic::error("types::not-a-set", source.span, message);
                if matches!(source.ty.base, Base::Number(..)) {
                    let written = self.parsed.sources.slice(source.span);
                    said = said.help(format!("a range of numbers has two ends: `1..{written}`"));
                }
                self.diagnostics.push(said);
                None
            }
        }
    }

    /// The condition of a `where`; what it asks for is known behind it.
    fn query_condition(&mut self, env: &mut Env, word: Word, filter: &ast::Expr, span: Span) -> Option<Expr> {
        let said = self.diagnostics.len();
        let (checked, ruled) = self.ruled_flag(env, filter);
        match &checked {
            Some(checked) => {
                self.decided(env, checked, ruled, None);
                self.suppose(env, checked, true, ruled);
            }
            None => self.compare_outside(word, filter, span, said),
        }
        checked
    }

    /// What stands behind `by`.
    fn keys(
        &mut self,
        env: &mut Env,
        query: &ast::Query,
        kind: Option<KindId>,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let word = query.quantifier;
        if query.by.is_empty() && needs_by(word) {
            let like = if word == Word::Reach {
                "reach a in start by a.neighbours"
            } else {
                "b in force by b.strength"
            };
            let like = if word == Word::Reach { like.to_owned() } else { format!("{} {like}", word.word()) };
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", span, "this query needs `by …`")
                    .help(format!("as in `{like}`")),
            );
            return None;
        }
        let mut keys = Vec::new();
        for key in &query.by {
            keys.push(if word == Word::Reach {
                let checked = if let ast::ExprKind::Query(way) = &key.kind
                    && way.quantifier == Word::Way
                {
                    self.ways(env, query, way, key.span)
                } else {
                    self.expr(env, key, None)
                };
                let want = Type::of(Base::Set(kind?));
                checked.and_then(|checked| self.coerce(checked, want))
            } else if word == Word::Way {
                self.cost(env, key)
            } else if word.compares() {
                self.key(env, key)
            } else {
                let said = self.diagnostics.len();
                let checked = self.number(env, key);
                if matches!(word, Word::Min | Word::Max) {
                    self.otherwise_outside(key, span, said);
                }
                checked
            });
        }
        keys.into_iter().collect()
    }

    /// The ways that a `reach` goes, which has a variable for where they lead.
    fn ways(&mut self, env: &mut Env, reach: &ast::Query, way: &ast::Query, span: Span) -> Option<Expr> {
        let ways = self.query(env, way, None, span);
        if let (Some(cost), None) = (way.by.first(), &reach.within) {
            let help =
                "say how much may be spent behind `within`; if any way may be gone, leave out what it costs";
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", cost.span, "ways that cost something need `within …`")
                    .help(help),
            );
            return None;
        }
        ways
    }

    /// What a way costs: a number, absent where it cannot be gone.
    fn cost(&mut self, env: &mut Env, key: &ast::Expr) -> Option<Expr> {
        let cost = self.expr(env, key, None)?;
        if !matches!(cost.ty.base, Base::Number(..) | Base::Nothing | Base::Unknown) {
            let shown = self.show_one(cost.ty);
            self.error("types::mismatch", key.span, format!("a way costs a number, but this is {shown}"));
            return None;
        }
        let want = Type { optional: true, ..Type::of(Base::Number(NUMBER.0, NUMBER.1)) };
        let cost = self.coerce(cost, want)?;
        if blazon_book::bounds(cost.ty).1 < 0 {
            self.diagnostics.push(
                Diagnostic::error("types::range", key.span, "a way cannot cost less than nothing")
                    .help("where no way leads its cost is absent: `none`"),
            );
            return None;
        }
        Some(cost)
    }

    /// Where `otherwise` was meant for a greatest or least number that there may not be, and stands behind the key: says
    /// where the brackets stand.
    fn otherwise_outside(&mut self, key: &ast::Expr, span: Span, said: usize) {
        let ast::ExprKind::Otherwise(value, _) = &key.kind else { return };
        let Some(needless) = self.diagnostics[said..].last_mut() else { return };
        if needless.code != "types::absent" || needless.span != Some(key.span) {
            return;
        }
        let sources = &self.parsed.sources;
        let query = sources.slice(Span { end: value.span.end, ..span });
        let rest = sources.slice(Span { start: value.span.end, ..key.span });
        let meant = format!("({query}){rest}");
        needless.help =
            Some(format!("to say what holds where there is none, put the query in brackets: `{meant}`"));
        needless.fixes =
            vec![Fix::replace("put the query in brackets", Span { end: key.span.end, ..span }, meant)];
    }

    /// What things are compared by: a number, or a flag, which counts more if it is true.
    fn key(&mut self, env: &mut Env, key: &ast::Expr) -> Option<Expr> {
        let checked = self.expr(env, key, None)?;
        match checked.ty.base {
            Base::Flag | Base::Permission => {}
            Base::Number(lo, hi) => return self.coerce(checked, Type::of(Base::Number(lo, hi))),
            Base::Thing(_)
            | Base::Set(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(checked.ty);
                let message = format!("a query compares by numbers and flags, but this is {shown}");
                let said = Diagnostic::error("types::mismatch", key.span, message);
                let help = "a key that is a condition stands in brackets: `most p in army by (p.rank = Guard), p.steps`";
                self.diagnostics.push(said.help(help));
                return None;
            }
        }
        let span = key.span;
        let [yes, no] = [1, 0].map(|number| Box::new(build::number(number, span)));
        Some(Expr { kind: ExprKind::Choice(Box::new(checked), yes, no), ty: FLAG, span })
    }

    /// Where what a query counts was meant to be compared, and its last condition is compared instead: says where the
    /// brackets stand.
    fn compare_outside(&mut self, word: Word, filter: &ast::Expr, span: Span, said: usize) {
        use ast::BinaryOp::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
        let ast::ExprKind::Binary(Equal | NotEqual | Less | AtMost | Greater | AtLeast, left, _) =
            &filter.kind
        else {
            return;
        };
        let counts = matches!(word, Word::Count | Word::Total);
        let sources = &self.parsed.sources;
        let Some(mismatch) = self.diagnostics[said..].last_mut() else { return };
        let here = mismatch.span.is_some_and(|at| at == filter.span || at == left.span);
        if !counts || !here || mismatch.code != "types::mismatch" {
            return;
        }
        let query = sources.slice(Span { end: left.span.end, ..span });
        let rest = sources.slice(Span { start: left.span.end, ..filter.span });
        let meant = format!("({query}){rest}");
        mismatch.help = Some(format!("to compare what is counted, put the query in brackets: `{meant}`"));
        let whole = Span { end: filter.span.end, ..span };
        mismatch.fixes.push(Fix::replace("put the query in brackets", whole, meant));
    }

    /// `any S`, `count S`, `first S`, `all S` of a ready set.
    fn ready(&mut self, word: Word, source: Expr, span: Span) -> Option<Expr> {
        if word == Word::Any {
            self.always_there(&source, span);
        }
        if word == Word::Any && matches!(source.ty.base, Base::Thing(_) | Base::Number(..) | Base::Die) {
            let ty = Type { optional: true, ..source.ty };
            let absent = Expr { kind: ExprKind::Absent, ty, span };
            return Some(build::compare(Comparison::NotEqual, source, absent, span));
        }
        let is_dice = source.ty.base == Base::Dice;
        if source.ty.base.kind().is_none() && !is_dice {
            let shown = self.show_one(source.ty);
            let message = format!("this asks a set, but it is {shown}");
            let mut diagnostic = Diagnostic::error("types::not-a-set", source.span, message);
            if matches!(source.ty.base, Base::Flag | Base::Permission) {
                diagnostic = diagnostic.help("a flag is asked as it is: take out the word before it");
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        let source = if is_dice { source } else { build::to_set(source) };
        let quantifier = match word {
            Word::All => return Some(source),
            Word::Any => Quantifier::Any,
            Word::Count => Quantifier::Count,
            Word::First => Quantifier::First,
            Word::Most
            | Word::Least
            | Word::Highest
            | Word::Lowest
            | Word::Total
            | Word::Reach
            | Word::Way
            | Word::Every
            | Word::Min
            | Word::Max => {
                self.needs_variable(word, &source, span);
                return None;
            }
        };
        // No variable is read, so any number serves.
        Some(self.query_of(quantifier, LocalId::NONE, source, None, None, span))
    }
}

impl Checker<'_> {
    /// Complains of a query without a variable where one is needed, and says how it is written.
    fn needs_variable(&mut self, word: Word, source: &Expr, span: Span) {
        let of = self.parsed.sources.slice(source.span);
        let is_dice = source.ty.base == Base::Dice;
        // Of dice the variable is the number that a die shows; it must not be called as the dice are.
        let name = match (is_dice, of) {
            (true, "d") => "n",
            (true, _) => "d",
            (false, "b") => "a",
            (false, _) => "b",
        };
        let key = if is_dice { name.to_owned() } else { format!("{name}.…") };
        let like = format!("{} {name} in {of} by {key}", word.word());
        self.diagnostics.push(
            Diagnostic::error("types::mismatch", span, "this query needs a variable")
                .help(format!("as in `{like}`")),
        );
    }

    /// Warns of `any x` where x is known to be there: the answer is always yes, so something else was meant.
    fn always_there(&mut self, source: &Expr, span: Span) {
        let certain = match (&source.kind, source.ty.base) {
            // Look-alikes by their name.
            (ExprKind::List(all), Base::Set(_)) => !all.is_empty(),
            (_, Base::Thing(_) | Base::Number(..)) => !source.ty.optional,
            (
                _,
                Base::Set(_)
                | Base::Flag
                | Base::Dice
                | Base::Die
                | Base::Text
                | Base::Point
                | Base::Permission
                | Base::Numbers
                | Base::Nothing
                | Base::Unknown,
            ) => false,
        };
        if !certain {
            return;
        }
        let label = format!("`{}` is always there", self.parsed.sources.slice(source.span));
        let help = "`any` asks whether something is there; to ask whether it is a certain one, compare: `… = …`, `… in [ …, … ]`";
        self.is_settled(span, "this always holds", label, help);
    }
}

/// Whether a query needs a `by`. One that takes none is read without it.
fn needs_by(word: Word) -> bool {
    match word {
        Word::Most
        | Word::Least
        | Word::Highest
        | Word::Lowest
        | Word::Min
        | Word::Max
        | Word::Total
        | Word::Reach => true,
        Word::All | Word::Any | Word::Count | Word::First | Word::Every | Word::Way => false,
    }
}

/// How a query is called: what a `reach` goes by has no word of its own.
fn said(word: Word) -> &'static str {
    if word == Word::Way { Word::Reach.word() } else { word.word() }
}

/// What to write instead of a query that gives things, where it goes through numbers; nothing if it gives none.
fn no_numbers(word: Word) -> Option<&'static str> {
    match word {
        Word::Any | Word::Every | Word::Count | Word::First | Word::Max | Word::Min | Word::Total => None,
        Word::All => Some(
            "ask them `any`, `every`, `count`, `first`, `max`, `min` or `total`; a loop goes through them: `for n in 1..4 { … }`",
        ),
        Word::Most | Word::Highest | Word::Least | Word::Lowest => Some(
            "the first number of which something holds is `first n in 1..4 where …`, the greatest value of one \
             `max n in 1..4 by …`",
        ),
        Word::Reach | Word::Way => Some("it begins at a thing, and `by` says what is next to it"),
    }
}

/// A part that may be left out; nothing if it is there and wrong.
#[allow(clippy::option_option, reason = "the outer says whether it is right, the inner whether it is there")]
fn whole<T>(part: Option<Option<T>>) -> Option<Option<T>> {
    match part {
        Some(part) => part.map(Some),
        None => Some(None),
    }
}

/// What is present when a variable runs through a set: `to in b.at.neighbours` makes `b.at` certain, and the
/// border between `b.at` and `to`.
pub(crate) fn implied(source: &Expr, local: LocalId) -> Vec<ExprKey> {
    let mut known = Vec::new();
    if let ExprKind::ToSet(thing) = &source.kind {
        known.extend(path_key(thing));
    }
    if let ExprKind::Query(query) = &source.kind
        && matches!(query.quantifier, Quantifier::All | Quantifier::Most | Quantifier::Least)
    {
        known.extend(implied(&query.source, local));
    }
    if let ExprKind::Sets(blazon_book::SetOp::Both | blazon_book::SetOp::Without, a, _) = &source.kind {
        known.extend(implied(a, local));
    }
    if let ExprKind::Each(it, inner, body) = &source.kind {
        // If there is an element, the source is there.
        known.extend(path_key(inner));
        if let ExprKind::Neighbours(kind, of) = &body.kind
            && matches!(of.kind, ExprKind::Local(l) if l == *it)
            && matches!(inner.ty.base, Base::Thing(_))
        {
            known.extend(between(*kind, inner, local));
        }
    }
    if let ExprKind::Neighbours(kind, of) = &source.kind {
        known.extend(between(*kind, of, local));
    }
    known
}

fn between(kind: KindId, of: &Expr, local: LocalId) -> Option<ExprKey> {
    Some(ExprKey::between(kind, &path_key(of)?, &ExprKey::local(local)))
}
