//! `with`: a block that is done once, if what it names is there; and loops that should be one.

use blazon_book::build;
use blazon_book::{Base, Block, Comparison, Expr, ExprKind, Statement, StatementKind, Type, Value};
use blazon_diagnostics::{Diagnostic, Fix, Span};
use blazon_syntax::ast;

use crate::infer::steps::statements::Around;
use crate::infer::values::queries::implied;
use crate::resolve::checker::Checker;
use crate::resolve::env::{Env, path_key};

impl Checker<'_> {
    #[allow(clippy::too_many_arguments, reason = "the parts of the statement")]
    pub(crate) fn with(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        written: &ast::Expr,
        body: &ast::Block,
        otherwise: Option<&ast::Block>,
        around: Around,
        out: &mut Block,
    ) -> StatementKind {
        let Some((value, ty)) = self.one_value(env, written, out) else {
            let sources = std::slice::from_ref(written);
            return self.loop_hole(env, name, sources, None, body, otherwise, around);
        };
        self.forget_after(env, &value);
        let source = match value {
            Value::Expr(source) => source,
            value @ (Value::Step(..) | Value::Die(_) | Value::Dice(..) | Value::Draw(..)) => {
                let local = self.take(env, value, ty, written.span, out);
                Expr { kind: ExprKind::Local(local), ty, span: written.span }
            }
        };
        // A loop of at most one turn does the same in fewer instructions; but `stop` would leave it.
        if stops_here(body) {
            return self.with_in_if(env, name, source, body, otherwise, around, out);
        }
        let mark = env.mark();
        let local = self.bind(env, name, Type::of(ty.base));
        know_source(env, &source, local);
        let body = self.block(env, body, around);
        let one = env.back(&mark, "its `with`");
        let otherwise = otherwise.map(|block| self.block(env, block, around));
        let other = env.way();
        env.meet(vec![one, other]);
        StatementKind::For { local, sources: vec![source], filter: None, body, otherwise }
    }

    /// What `with` names: one thing or number that may be absent.
    fn one_value(&mut self, env: &mut Env, written: &ast::Expr, out: &mut Block) -> Option<(Value, Type)> {
        let (value, ty) = self.value(env, written, None, out)?;
        if !matches!(ty.base, Base::Thing(_) | Base::Number(..) | Base::Die) {
            let shown = self.show_one(ty);
            let message = format!("`with` names one thing or number that may be absent, but this is {shown}");
            let said = Diagnostic::error("types::mismatch", written.span, message);
            let is_set = matches!(ty.base, Base::Set(_));
            let mend = if is_set {
                "go through a set with `for`, or write `first` before it"
            } else {
                "name it with `let`"
            };
            self.diagnostics.push(said.help(mend));
            return None;
        }
        if !ty.optional {
            let said = Diagnostic::warning("types::absent", written.span, "this is never absent");
            self.diagnostics.push(said.help("name it with `let`, which needs no braces"));
        }
        Some((value, ty))
    }

    /// The block in an `if`, so that a `stop` in it leaves the loop around.
    #[allow(clippy::too_many_arguments, reason = "the parts of the statement")]
    fn with_in_if(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        source: Expr,
        body: &ast::Block,
        otherwise: Option<&ast::Block>,
        around: Around,
        out: &mut Block,
    ) -> StatementKind {
        let (ty, span) = (source.ty, source.span);
        let taken = self.take(env, Value::Expr(source.clone()), ty, span, out);
        let taken = Expr { kind: ExprKind::Local(taken), ty, span };
        let absent = Expr { kind: ExprKind::Absent, ty: Type { optional: true, ..ty }, span };
        let is_there = build::compare(Comparison::NotEqual, taken.clone(), absent, span);
        let mark = env.mark();
        let local = self.bind(env, name, Type::of(ty.base));
        know_source(env, &source, local);
        let there = Value::Expr(Expr { ty: Type::of(ty.base), ..taken });
        let first = Statement { kind: StatementKind::Let(local, there), cites: Vec::new(), span };
        let body = self.block(env, body, around);
        let one = env.back(&mark, "its `with`");
        let otherwise = otherwise.map(|block| self.block(env, block, around)).unwrap_or_default();
        let other = env.way();
        env.meet(vec![one, other]);
        StatementKind::If(is_there, std::iter::once(first).chain(body).collect(), otherwise)
    }

    /// Warns of a loop that has at most one turn.
    pub(crate) fn loop_of_one(
        &mut self,
        name: &ast::Name,
        source: &Expr,
        heading: Span,
        filter: Option<&ast::Expr>,
        fits: bool,
    ) {
        let written = self.parsed.sources.slice(source.span);
        let said = |message: &str| Diagnostic::warning("lint::loop-of-one", source.span, message);
        let meant = format!("with {} = {written}", name.text);
        let said = match source.ty.optional {
            false => said("this is one, and never absent: a loop goes through several")
                .help(format!("name it with `let {} = {written}`", name.text)),
            true => {
                let said = said("this is at most one: a loop goes through several");
                match filter {
                    Some(filter) => {
                        let filter = self.parsed.sources.slice(filter.span);
                        said.help(format!("write `{meant} {{ if {filter} {{ … }} }}`"))
                    }
                    None if fits => said.help(format!("write `{meant} {{ … }}`")).fix(Fix::replace(
                        format!("write `{meant}`"),
                        heading,
                        meant,
                    )),
                    None => {
                        said.help(format!("write `{meant} {{ … }}`; a `stop` in it leaves the loop around"))
                    }
                }
            }
        };
        self.diagnostics.push(said);
    }
}

/// Where something has been found there, so has all that led to it.
fn know_source(env: &mut Env, source: &Expr, local: blazon_book::LocalId) {
    let known = implied(&build::to_set(source.clone()), local);
    env.know(known.into_iter().chain(path_key(source)).collect());
}

/// Whether a `stop` in a block leaves what stands around it.
pub(crate) fn stops_here(block: &ast::Block) -> bool {
    use ast::StatementKind::{Assign, Case, Choose, Do, For, If, Let, Return, Say, Stop, While, With};
    let any = |block: &Option<ast::Block>| block.as_ref().is_some_and(stops_here);
    block.statements.iter().any(|statement| match &statement.kind {
        Stop => true,
        If(_, then, otherwise) => stops_here(then) || any(otherwise),
        With { body, otherwise, .. } => stops_here(body) || any(otherwise),
        Case { whens, otherwise, .. } => whens.iter().any(|when| stops_here(&when.body)) || any(otherwise),
        Choose(choose) => {
            choose.options.iter().any(|option| stops_here(&option.body)) || any(&choose.otherwise)
        }
        For { otherwise, .. } => any(otherwise),
        Let(..) | While(..) | Return(_) | Say { .. } | Assign { .. } | Do(_) => false,
    })
}
