//! Loops and cases.

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::{Base, Block, Expr, ExprKind, Statement, StatementKind, Type, Value};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::queries::implied;
use crate::infer::statements::{Around, gaps};
use crate::resolve::checker::{Checker, Env, presences};

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
    ) -> Option<StatementKind> {
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
            Base::Numbers => Type::of(Base::Number(NUMBER.0, NUMBER.1)),
            Base::Number(lo, hi) => Type::of(Base::Number(lo, hi)),
            Base::Dice => Type::of(Base::Number(1, 255)),
            Base::Flag | Base::Text | Base::Point | Base::Permission | Base::Nothing => {
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
        env.forget_states();
        let mark = env.mark();
        let local = env.bind(&name.text, element);
        if let [source] = &checked[..] {
            let known = implied(&build::to_set(source.clone()), local);
            env.know(known);
        }
        let filter = match filter {
            None => None,
            Some(filter) => {
                let checked = self.flag(env, filter)?;
                let known = presences(&checked, true);
                env.know(known);
                Some(checked)
            }
        };
        let body = self.block(env, body, Around { loops: around.loops + 1, ..around });
        env.back(mark);
        let otherwise = otherwise.map(|block| self.block(env, block, around));
        env.forget_states();
        Some(StatementKind::For { local, sources: checked, filter, body, otherwise })
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
    ) -> Option<StatementKind> {
        let (value, ty) = self.value(env, subject, None)?;
        if ty.optional {
            if let Value::Expr(value) = &value {
                self.absent(value);
            }
            return None;
        }
        let universe: Vec<(i64, i64)> = match ty.base {
            Base::Thing(kind) => vec![(0, self.kinds[kind.0 as usize].things.len() as i64 - 1)],
            Base::Number(lo, hi) => vec![(lo, hi)],
            Base::Flag => vec![(0, 1)],
            Base::Set(_)
            | Base::Dice
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing => {
                let shown = self.show_one(ty);
                self.error(
                    "types::mismatch",
                    subject.span,
                    format!("a case looks at a thing or a number, not at {shown}"),
                );
                return None;
            }
        };
        let local = self.take(env, value, ty, subject.span, out);
        let mut arms = Vec::new();
        let mut covered: Vec<(i64, i64, Span)> = Vec::new();
        for when in whens {
            let mut ranges = Vec::new();
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
                covered.push((range.0, range.1, value.span));
                ranges.push(range);
            }
            let mark = env.mark();
            let mut body = self.block(env, &when.body, around);
            env.back(mark);
            if let Some(title) = &when.title {
                let text = self.text(env, title);
                let cites = self.cites(&when.cites);
                body.insert(
                    0,
                    Statement { kind: StatementKind::Say { announce: true, text }, cites, span: when.span },
                );
            }
            self.check_cites(&when.cites);
            arms.push((ranges, body));
        }
        let gaps = gaps(&universe, &covered);
        let otherwise = otherwise.map(|block| self.block(env, block, around));
        match (&gaps[..], &otherwise) {
            ([], Some(_)) => self.diagnostics.push(Diagnostic::warning(
                "steps::case",
                span,
                "every case is covered, so `else` is never reached",
            )),
            ([], None) | (_, Some(_)) => {}
            (gaps, None) => {
                let named: Vec<String> = match ty.base {
                    Base::Thing(kind) => gaps
                        .iter()
                        .flat_map(|(lo, hi)| *lo..=*hi)
                        .map(|thing| self.kinds[kind.0 as usize].things[thing as usize].name.clone())
                        .collect(),
                    Base::Flag
                    | Base::Number(..)
                    | Base::Set(_)
                    | Base::Dice
                    | Base::Text
                    | Base::Point
                    | Base::Permission
                    | Base::Numbers
                    | Base::Nothing => gaps
                        .iter()
                        .map(|(lo, hi)| if lo == hi { lo.to_string() } else { format!("{lo}..{hi}") })
                        .collect(),
                };
                self.diagnostics.push(
                    Diagnostic::error(
                        "steps::case",
                        span,
                        format!("nothing is said for {}", blazon_diagnostics::list(&named, "and")),
                    )
                    .help("add `when …` for each, or `else { … }`"),
                );
            }
        }
        env.forget_states();
        Some(StatementKind::Case { subject: local, arms, otherwise })
    }

    pub(crate) fn case_value(&mut self, env: &mut Env, value: &ast::Expr, ty: Type) -> Option<(i64, i64)> {
        if let ast::ExprKind::Range(lo, hi) = &value.kind
            && let (ast::ExprKind::Number(lo), ast::ExprKind::Number(hi)) = (&lo.kind, &hi.kind)
        {
            return Some((*lo, *hi));
        }
        let checked = self.typed(env, value, ty)?;
        let ExprKind::Word(word) = checked.kind else {
            self.error("steps::case", value.span, "a case is a thing or a number as written");
            return None;
        };
        Some((word, word))
    }
}
