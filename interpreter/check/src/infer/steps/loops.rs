//! Loops and cases.

use blazon_book::build;
use blazon_book::walk::ExprKey;
use blazon_book::{Base, Block, Expr, ExprKind, Statement, StatementKind, Thing, Type, Value};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::exclusive::limit;
use crate::infer::holes::UNKNOWN;
use crate::infer::steps::statements::{Around, gaps};
use crate::infer::steps::with::stops_here;
use crate::infer::values::queries::implied;
use crate::project::Layer;
use crate::resolve::checker::Checker;
use crate::resolve::citations::cited;
use crate::resolve::env::{BRACES, By, Env, Way};

/// An arm of a case: the ranges that it is for, and what then.
type Arm = (Vec<(i64, i64)>, Block);

/// A range that a case covers, and where it says so.
type Covered = (i64, i64, Span);

impl Checker<'_> {
    #[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
    pub(crate) fn for_loop(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        sources: &[ast::Expr],
        filter: Option<&ast::Expr>,
        body: &ast::Block,
        otherwise: Option<&ast::Block>,
        around: Around,
        span: Span,
    ) -> StatementKind {
        let rulings = self.rulings_read;
        let Some((checked, element)) = self.loop_sources(env, sources) else {
            return self.loop_hole(env, name, sources, filter, body, otherwise, around);
        };
        let is_ruled = self.rulings_read > rulings;
        if let ([source], [written]) = (&checked[..], sources)
            && matches!(source.ty.base, Base::Thing(_) | Base::Number(..))
        {
            let heading = Span { end: written.span.end, ..span };
            self.loop_of_one(name, source, heading, filter, !stops_here(body));
        }
        let sources = checked;
        // Whoever names things one by one may want one to come twice.
        if sources.iter().all(|source| matches!(source.ty.base, Base::Set(_))) {
            self.listed_twice(&sources, "this is gone through already: its things come twice");
        }
        let mark = env.mark();
        let local = self.bind(env, name, element);
        env.ruled.extend(is_ruled.then_some(local));
        if let [source] = &sources[..] {
            let known = implied(&build::to_set(source.clone()), local);
            env.know(known);
        }
        // At each turn but the first the body was done since.
        self.forget_all(env, &self.writes.between_turns(body));
        env.enter_loop();
        let mut broken = false;
        let filter = filter.map(|filter| {
            let times = self.times_named(env, local);
            let (checked, is_ruled) = self.ruled_flag(env, filter);
            broken = checked.is_none();
            if let Some(checked) = &checked {
                self.filter_asks(env, local, times, checked, body);
            }
            let checked = self.or_hole(env, checked, filter, Type::of(Base::Flag));
            self.decided(env, &checked, is_ruled, None);
            self.suppose(env, &checked, true, is_ruled);
            checked
        });
        let inner = Around { loops: around.loops + 1, ..around };
        let body = self.block_unless(broken, env, body, inner);
        let last_turn = env.back(&mark, "its loop");
        let mut ways = env.leave_loop();
        let otherwise = otherwise.map(|block| self.block_unless(broken, env, block, around));
        ways.extend([last_turn, env.way()]);
        env.meet(ways);
        StatementKind::For { local, sources, filter, body, otherwise }
    }

    /// A block; quietly, if the heading above it is wrong.
    pub(crate) fn block_unless(
        &mut self,
        broken: bool,
        env: &mut Env,
        block: &ast::Block,
        around: Around,
    ) -> Block {
        if broken {
            return self.quietly(|checker| checker.block(env, block, around));
        }
        self.block(env, block, around)
    }

    /// A loop over what cannot be gone through: its body is looked at, but nothing is said of it.
    #[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
    pub(crate) fn loop_hole(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        sources: &[ast::Expr],
        filter: Option<&ast::Expr>,
        body: &ast::Block,
        otherwise: Option<&ast::Block>,
        around: Around,
    ) -> StatementKind {
        let sources = sources.iter().map(|source| self.hole(env, source, UNKNOWN)).collect();
        let mark = env.mark();
        let local = env.bind_name(name, UNKNOWN);
        let filter = filter.map(|filter| self.hole(env, filter, Type::of(Base::Flag)));
        env.enter_loop();
        let body = self.block_unless(true, env, body, Around { loops: around.loops + 1, ..around });
        let last_turn = env.back(&mark, "its loop");
        let mut ways = env.leave_loop();
        let otherwise = otherwise.map(|block| self.block_unless(true, env, block, around));
        ways.extend([last_turn, env.way()]);
        env.meet(ways);
        StatementKind::For { local, sources, filter, body, otherwise }
    }

    /// The sources of a loop and what its variable holds.
    fn loop_sources(&mut self, env: &mut Env, sources: &[ast::Expr]) -> Option<(Vec<Expr>, Type)> {
        let mut checked = Vec::new();
        let mut hint = None;
        for source in sources {
            let source = self.expr(env, source, hint);
            hint = source.as_ref().and_then(|s| s.ty.base.kind()).or(hint);
            checked.push(source);
        }
        let checked: Vec<Expr> = checked.into_iter().collect::<Option<_>>()?;
        let first = checked.first()?;
        let element = match first.ty.base {
            Base::Set(kind) | Base::Thing(kind) => Type::of(Base::Thing(kind)),
            Base::Numbers => build::element_of_numbers(first),
            Base::Number(lo, hi) => Type::of(Base::Number(lo, hi)),
            Base::Dice => Type::of(Base::Number(1, 255)),
            Base::Flag
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(first.ty);
                self.error(
                    "types::not-a-set",
                    first.span,
                    format!("a loop goes through a set, but this is {shown}"),
                );
                return None;
            }
        };
        if checked.len() > 1 {
            for source in &checked {
                if source.ty.base.kind() != element.base.kind() || element.base.kind().is_none() {
                    self.error(
                        "types::mismatch",
                        source.span,
                        "the sources of a loop must all be things of one kind",
                    );
                    return None;
                }
            }
        }
        Some((checked, element))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a case")]
    pub(crate) fn case(
        &mut self,
        env: &mut Env,
        subject: &ast::Expr,
        whens: &[ast::When],
        otherwise: Option<&ast::Block>,
        around: Around,
        span: Span,
        out: &mut Block,
    ) -> StatementKind {
        let rulings = self.rulings_read;
        let Some((value, ty, universe)) = self.case_subject(env, subject, out) else {
            return self.case_hole(env, subject, whens, otherwise, around, out);
        };
        let is_ruled = self.rulings_read > rulings;
        let asked = match &value {
            Value::Expr(asked) if !is_ruled => Some(asked.clone()),
            Value::Expr(_) | Value::Step(..) | Value::Die(_) | Value::Dice(..) | Value::Draw(..) => None,
        };
        let local = self.take(env, value, ty, subject.span, out);
        let (arms, covered, mut ways) = self.arms(env, whens, (ty, is_ruled, asked.as_ref()), around);
        let otherwise = otherwise.map(|block| self.block(env, block, around));
        self.cover_cases(&gaps(&[universe], &covered), ty, otherwise.is_some(), span);
        if otherwise.is_some() || ways.is_empty() {
            ways.push(env.way());
        }
        env.meet(ways);
        StatementKind::Case { subject: local, arms, otherwise }
    }

    /// A case of what cannot be told apart: its arms are looked at, but nothing is said of them, nor found out.
    fn case_hole(
        &mut self,
        env: &mut Env,
        subject: &ast::Expr,
        whens: &[ast::When],
        otherwise: Option<&ast::Block>,
        around: Around,
        out: &mut Block,
    ) -> StatementKind {
        let value = Value::Expr(self.hole(env, subject, UNKNOWN));
        let subject = self.take(env, value, UNKNOWN, subject.span, out);
        let mark = env.mark();
        let (arms, ..) = self.quietly(|checker| checker.arms(env, whens, (UNKNOWN, false, None), around));
        let otherwise = otherwise.map(|block| self.block_unless(true, env, block, around));
        env.back(&mark, BRACES);
        StatementKind::Case { subject, arms, otherwise }
    }

    /// What a case looks at: its value, its type, and all that it can be.
    fn case_subject(
        &mut self,
        env: &mut Env,
        subject: &ast::Expr,
        out: &mut Block,
    ) -> Option<(Value, Type, (i64, i64))> {
        let (value, ty) = self.value(env, subject, None, out)?;
        if ty.optional {
            if let Value::Expr(value) = &value {
                self.absent(value);
            }
            return None;
        }
        let universe = match ty.base {
            Base::Thing(kind) => (0, self.kinds[kind.0 as usize].things.len() as i64 - 1),
            Base::Number(lo, hi) => (lo, hi),
            Base::Flag => (0, 1),
            Base::Set(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(ty);
                self.error(
                    "types::mismatch",
                    subject.span,
                    format!("a case looks at a thing or a number, not at {shown}"),
                );
                return None;
            }
        };
        Some((value, ty, universe))
    }

    /// The arms of a case, what they cover, and the ways through them.
    fn arms(
        &mut self,
        env: &mut Env,
        whens: &[ast::When],
        (ty, is_ruled, asked): (Type, bool, Option<&Expr>),
        around: Around,
    ) -> (Vec<Arm>, Vec<Covered>, Vec<Way>) {
        let (mut arms, mut ways) = (Vec::new(), Vec::new());
        let mut covered: Vec<Covered> = Vec::new();
        for when in whens {
            let mut ranges = Vec::new();
            let rulings = self.rulings_read;
            for value in &when.values {
                let Some(range) = self.case_value(env, value, ty) else { continue };
                if let Some((.., first)) = covered.iter().find(|(lo, hi, _)| range.0 <= *hi && *lo <= range.1)
                {
                    let first = *first;
                    self.diagnostics.push(
                        Diagnostic::error("steps::case", value.span, "this case is taken already")
                            .related(first, "taken here"),
                    );
                }
                if !is_ruled {
                    self.case_between(range, ty, value.span);
                }
                covered.push((range.0, range.1, value.span));
                ranges.push(range);
            }
            let mark = env.mark();
            if let (Some(asked), [value], [range]) = (asked, &when.values[..], &ranges[..])
                && self.rulings_read == rulings
            {
                env.limit(limit(ExprKey::of(asked), *range, By::Held, value.span).into_iter().collect());
            }
            let mut body = self.block(env, &when.body, around);
            ways.push(env.back(&mark, BRACES));
            if let Some(title) = &when.title {
                let text = self.text(env, title);
                let cites = cited(&when.cites);
                body.insert(
                    0,
                    Statement { kind: StatementKind::Say { announce: true, text }, cites, span: when.span },
                );
            }
            arms.push((ranges, body));
        }
        (arms, covered, ways)
    }

    /// Says what no arm covers, or that `else` has nothing left.
    fn cover_cases(&mut self, gaps: &[(i64, i64)], ty: Type, has_else: bool, span: Span) {
        match (gaps, has_else) {
            ([], true) => self.diagnostics.push(Diagnostic::warning(
                "steps::case",
                span,
                "every case is covered, so `else` is never reached",
            )),
            ([], false) | (_, true) => {}
            (gaps, false) => {
                let mut help = "add `when …` for each, or `else { … }`".to_owned();
                let mut named: Vec<String> = match ty.base {
                    Base::Thing(kind) => {
                        let things = gaps.iter().flat_map(|(lo, hi)| *lo..=*hi);
                        let things = things.map(|thing| &self.kinds[kind.0 as usize].things[thing as usize]);
                        // A variant brings along what happens with its own things.
                        let below = self.parsed.layer_of(span.source);
                        let brought = |thing: &&Thing| {
                            let layer = self.parsed.layer_of(thing.span.source);
                            matches!(layer, Some(Layer::Variant(_))) && layer != below
                        };
                        if let Some(thing) = things.clone().find(brought) {
                            let name = ast::print::thing(&thing.name);
                            help = format!(
                                "the variant that adds `{name}` says what happens: `in step … {{ when {name} {{ … }} }}`"
                            );
                        }
                        things.map(|thing| ast::print::thing(&thing.name)).collect()
                    }
                    Base::Flag
                    | Base::Number(..)
                    | Base::Set(_)
                    | Base::Dice
                    | Base::Die
                    | Base::Text
                    | Base::Point
                    | Base::Permission
                    | Base::Numbers
                    | Base::Nothing
                    | Base::Unknown => gaps
                        .iter()
                        .map(|(lo, hi)| if lo == hi { lo.to_string() } else { format!("{lo}..{hi}") })
                        .collect(),
                };
                // Of several that look alike one is enough.
                named.dedup();
                self.diagnostics.push(
                    Diagnostic::error(
                        "steps::case",
                        span,
                        format!("nothing is said for {}", blazon_diagnostics::list(&named, "and")),
                    )
                    .help(help),
                );
            }
        }
    }

    pub(crate) fn case_value(&mut self, env: &mut Env, value: &ast::Expr, ty: Type) -> Option<(i64, i64)> {
        if let ast::ExprKind::Range(lo, hi) = &value.kind
            && let (ast::ExprKind::Number(lo), ast::ExprKind::Number(hi)) = (&lo.kind, &hi.kind)
        {
            return Some((*lo, *hi));
        }
        let read = self.expr(env, value, ty.base.kind())?;
        if let ExprKind::List(all) = &read.kind
            && let [first, .., last] = &all[..]
            && Self::names_several(value, &read)
            && read.ty.base.kind() == ty.base.kind()
            && let (ExprKind::Word(first), ExprKind::Word(last)) = (&first.kind, &last.kind)
        {
            return Some((*first, *last)); // For all that look alike, which stand one after another.
        }
        let ExprKind::Word(word) = self.coerce(read, ty)?.kind else {
            self.error("steps::case", value.span, "a case is a thing or a number as written");
            return None;
        };
        Some((word, word))
    }
}
