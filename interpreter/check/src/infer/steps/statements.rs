//! Statements of steps: effects, choices, loops, and where luck may stand.

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::{
    AssignOp, Base, Block, ColumnId, Expr, ExprKind, Local, Role, Statement, StatementKind, StepId, Type,
    Value,
};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::holes::UNKNOWN;
use crate::infer::options::inherited_needs::is_made;
use crate::resolve::checker::{Checker, Function};
use crate::resolve::citations::cited;
use crate::resolve::env::{BRACES, Env, path_key};
use crate::resolve::homonyms::is_built_in;

/// What is known of the step around a statement.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around {
    /// What the step returns.
    pub returns: Option<Type>,
    /// How many loops are open: `stop` leaves the innermost.
    pub loops: usize,
    /// Whether this belongs to the answer of one of several who are asked at once: nothing in it leaves what stands
    /// around the choice, since the answers of the others are still to be carried out.
    pub each: bool,
}

impl Checker<'_> {
    pub(crate) fn block(&mut self, env: &mut Env, block: &ast::Block, around: Around) -> Block {
        self.block_with_ends(env, block, around).0
    }

    /// The same, and how many statements there are up to the end of each that is written.
    pub(crate) fn block_with_ends(
        &mut self,
        env: &mut Env,
        block: &ast::Block,
        around: Around,
    ) -> (Block, Vec<usize>) {
        let mark = env.mark();
        let (mut statements, mut ends) = (Vec::new(), Vec::new());
        // What has left before is said where it left.
        let mut is_reached = !env.has_left();
        let mut before: Option<(&ast::Statement, bool)> = None;
        for statement in &block.statements {
            if let Some((previous, is_ruled)) = before
                && is_reached
                && env.has_left()
            {
                is_reached = false;
                self.never_reached(statement, previous, is_ruled);
            }
            let rulings = self.rulings_read;
            self.statement(env, statement, around, &mut statements);
            before = Some((statement, self.rulings_read > rulings));
            ends.push(statements.len());
        }
        self.note_scope(env, block.span);
        env.end(&mark, BRACES);
        (statements, ends)
    }

    /// Warns of a statement that no way leads to, since the one before it leads on nowhere. What is woven together of parts that
    /// lead on nowhere together is not its writer's fault, nor what comes of a ruling.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is said")]
    fn never_reached(&mut self, statement: &ast::Statement, previous: &ast::Statement, is_ruled: bool) {
        let (here, there) = (statement.span, previous.span);
        let is_written_so = here.source == there.source && there.end <= here.start && !is_ruled;
        let why = match &previous.kind {
            ast::StatementKind::Stop | ast::StatementKind::Return(_) => "the step or loop is left here",
            ast::StatementKind::Do(value) if !is_ruled && !is_made(value) => "the game is over here",
            ast::StatementKind::If(..)
            | ast::StatementKind::With { .. }
            | ast::StatementKind::Case { .. }
            | ast::StatementKind::While(..)
            | ast::StatementKind::For { .. }
            | ast::StatementKind::Choose(_)
                if is_written_so =>
            {
                "no way leads on from here"
            }
            _ => return,
        };
        self.diagnostics.push(
            Diagnostic::warning("steps::unreachable", here, "this is never reached").related(there, why),
        );
    }

    pub(crate) fn statement(
        &mut self,
        env: &mut Env,
        statement: &ast::Statement,
        around: Around,
        out: &mut Block,
    ) {
        let span = statement.span;
        let cites: Vec<String> = cited(&statement.cites);
        let kind = match &statement.kind {
            ast::StatementKind::Let(name, value) => {
                // What is wrong is bound all the same, so that one slip is one message.
                let rulings = self.rulings_read;
                let (value, ty) = match self.value(env, value, None, out) {
                    Some(value) => value,
                    None => (Value::Expr(self.hole(env, value, UNKNOWN)), UNKNOWN),
                };
                let is_ruled = self.rulings_read > rulings;
                self.forget_after(env, &value);
                let local = self.bind(env, name, ty);
                env.ruled.extend(is_ruled.then_some(local));
                if matches!(value, Value::Expr(_) | Value::Die(_) | Value::Dice(..)) {
                    self.named_by_let(name);
                }
                Some(StatementKind::Let(local, value))
            }
            ast::StatementKind::If(condition, then, otherwise) => {
                let rulings = self.rulings_read;
                let checked = self.condition(env, condition, out);
                let is_ruled = self.rulings_read > rulings;
                let condition = self.or_hole(env, checked, condition, Type::of(Base::Flag));
                self.decided(env, &condition, is_ruled, None);
                let mark = env.mark();
                self.suppose(env, &condition, true, is_ruled);
                let then = self.block(env, then, around);
                let one = env.back(&mark, BRACES);
                self.suppose(env, &condition, false, is_ruled);
                let otherwise =
                    otherwise.as_ref().map(|block| self.block(env, block, around)).unwrap_or_default();
                let other = env.way();
                env.meet(vec![one, other]);
                Some(match build::constant(&condition) {
                    Some(true) => StatementKind::If(condition, then, Vec::new()),
                    Some(false) => StatementKind::If(condition, Vec::new(), otherwise),
                    None => StatementKind::If(condition, then, otherwise),
                })
            }
            ast::StatementKind::For { name, sources, filter, body, otherwise } => {
                let filter = filter.as_ref();
                Some(self.for_loop(env, name, sources, filter, body, otherwise.as_ref(), around, span))
            }
            ast::StatementKind::With { name, value, body, otherwise } => {
                Some(self.with(env, name, value, body, otherwise.as_ref(), around, out))
            }
            ast::StatementKind::While(condition, body) => {
                // Before each turn but the first the block was done.
                self.forget_all(env, &self.writes.between_turns(body));
                let (checked, is_ruled) = self.ruled_flag(env, condition);
                let condition = self.or_hole(env, checked, condition, Type::of(Base::Flag));
                let mark = env.mark();
                self.suppose(env, &condition, true, is_ruled);
                env.enter_loop();
                let body = self.block(env, body, Around { loops: around.loops + 1, ..around });
                env.back(&mark, BRACES);
                let mut ways = env.leave_loop();
                if build::constant(&condition) != Some(true) {
                    self.suppose(env, &condition, false, is_ruled);
                    ways.push(env.way());
                }
                env.meet(ways);
                Some(StatementKind::While(condition, body))
            }
            ast::StatementKind::Case { subject, whens, otherwise } => {
                Some(self.case(env, subject, whens, otherwise.as_ref(), around, span, out))
            }
            ast::StatementKind::Stop => {
                if around.loops == 0 && around.each {
                    self.leaves_answers("stop", span);
                    None
                } else if around.loops == 0 {
                    self.diagnostics.push(
                        Diagnostic::error(
                            "steps::unreachable",
                            span,
                            "`stop` leaves a loop, but there is none around it",
                        )
                        .help("to leave the step, write `return`"),
                    );
                    None
                } else {
                    env.stop();
                    Some(StatementKind::Stop)
                }
            }
            ast::StatementKind::Return(value) => {
                let checked = self.return_(env, value.as_ref(), around, span, out);
                env.leave();
                checked
            }
            ast::StatementKind::Choose(choose) => {
                Some(StatementKind::Choose(Box::new(self.choose(env, choose, around))))
            }
            ast::StatementKind::Say { announce, text } => {
                Some(StatementKind::Say { announce: *announce, text: self.text(env, text) })
            }
            ast::StatementKind::Assign { target, op, value } => {
                self.assign(env, target, *op, value, span, out)
            }
            ast::StatementKind::Do(expr) => self.do_step(env, expr),
        };
        if kind.is_none() {
            env.forget_limits();
        }
        let kind = match (kind, &statement.kind) {
            (Some(kind), _) => kind,
            (None, ast::StatementKind::Assign { target, value, .. }) => {
                self.statement_hole(env, &[target, value], span)
            }
            (None, ast::StatementKind::Do(expr) | ast::StatementKind::Return(Some(expr))) => {
                self.statement_hole(env, &[expr], span)
            }
            (None, _) => self.statement_hole(env, &[], span),
        };
        out.push(Statement { kind, cites, span });
    }

    pub(crate) fn forget_after(&mut self, env: &mut Env, value: &Value) {
        if let Value::Step(step, _) = value {
            self.forget_step(env, *step);
        }
    }

    /// A condition, which may be a roll or a step's answer: then a variable takes it first.
    pub(crate) fn condition(&mut self, env: &mut Env, expr: &ast::Expr, out: &mut Block) -> Option<Expr> {
        if !self.is_effect(env, expr) {
            return self.flag(env, expr);
        }
        let (value, ty) = self.value(env, expr, None, out)?;
        if ty.base != Base::Flag {
            let shown = self.show_one(ty);
            self.error(
                "types::mismatch",
                expr.span,
                format!("a yes or no is needed here, but this is {shown}"),
            );
            return None;
        }
        let local = self.take(env, value, ty, expr.span, out);
        Some(Expr { kind: ExprKind::Local(local), ty, span: expr.span })
    }

    pub(crate) fn take(
        &mut self,
        env: &mut Env,
        value: Value,
        ty: Type,
        span: Span,
        out: &mut Block,
    ) -> blazon_book::LocalId {
        let local = env.bind("", ty);
        self.forget_after(env, &value);
        out.push(Statement { kind: StatementKind::Let(local, value), cites: Vec::new(), span });
        local
    }

    /// Whether a step is done, or luck asked, by this expression. A variable outranks a step of its name.
    pub(crate) fn is_effect(&self, env: &Env, expr: &ast::Expr) -> bool {
        let (ast::ExprKind::Call(call) | ast::ExprKind::Dot(_, call)) = &expr.kind else { return false };
        let alone = matches!(expr.kind, ast::ExprKind::Call(_)) && call.args.is_empty();
        if alone && env.find(&call.name.text).is_some() {
            return false;
        }
        let name = call.name.text.as_str();
        let values = called(expr).map_or(0, |(_, args)| args.len());
        let is_step = |all: &Vec<Function>| all.iter().all(|function| matches!(function, Function::Step(_)));
        self.is_luck(name, values)
            || !is_built_in(name, values) && self.functions.get(name).is_some_and(is_step)
    }

    /// Whether luck is asked by a name: with so many values nothing else is, and otherwise what has the name.
    pub(crate) fn is_luck(&self, name: &str, values: usize) -> bool {
        matches!(name, "roll" | "roll again" | "draw")
            && (is_built_in(name, values) || !self.functions.contains_key(name))
    }

    /// What stands right after `let`, `:=`, `case`, `return`: a value, a roll, a draw, or a step that returns.
    pub(crate) fn value(
        &mut self,
        env: &mut Env,
        expr: &ast::Expr,
        want: Option<Type>,
        out: &mut Block,
    ) -> Option<(Value, Type)> {
        if self.is_effect(env, expr)
            && let Some((call, args)) = called(expr)
        {
            let luck = self.is_luck(&call.name.text, args.len()).then_some(call.name.text.as_str());
            return match luck.unwrap_or_default() {
                "roll" => self.roll(env, &args, expr.span),
                "roll again" => self.roll_again(env, &args, want, expr.span, out),
                "draw" => self.draw(env, &args, want, expr.span, out),
                _ => {
                    let (step, args) = self.step_call(env, call, &args, expr.span)?;
                    let Some(ty) = self.steps[step.0 as usize].ty else {
                        self.diagnostics.push(
                            Diagnostic::error("types::mismatch", expr.span, format!("`{}` returns nothing", call.name.text))
                                .help("give the step a type, `step name(…): number { … return … }`, or do it alone on a line"),
                        );
                        return None;
                    };
                    Some((Value::Step(step, args), ty))
                }
            };
        }
        let checked = match want {
            Some(want) => self.typed(env, expr, want)?,
            None => self.expr(env, expr, None)?,
        };
        if matches!(checked.ty.base, Base::Nothing | Base::Numbers | Base::Permission) {
            let shown = self.show(checked.ty);
            self.error("types::mismatch", expr.span, format!("`{shown}` alone is no value to keep"));
            return None;
        }
        let ty = checked.ty;
        Some((Value::Expr(checked), widen(ty)))
    }

    fn step_call(
        &mut self,
        env: &mut Env,
        call: &ast::Call,
        args: &[&ast::Expr],
        span: Span,
    ) -> Option<(StepId, Vec<Expr>)> {
        let functions = self.functions.get(&call.name.text).cloned().unwrap_or_default();
        let step = functions.iter().find_map(|f| if let Function::Step(id) = f { Some(*id) } else { None });
        let Some(step) = step else {
            if functions.is_empty() {
                self.unknown_step(env, &call.name);
            } else {
                self.diagnostics.push(
                    Diagnostic::error(
                        "rules::effect",
                        span,
                        format!("`{}` is not a step, so it does nothing alone on a line", call.name.text),
                    )
                    .help("set a state with `:=`, or use the value in an `if` or a `let`"),
                );
            }
            return None;
        };
        self.used.note(Function::Step(step));
        self.use_function(call.name.span, Function::Step(step));
        let params = self.steps[step.0 as usize].params.clone();
        if params.len() != args.len() {
            let declared = self.steps[step.0 as usize].span;
            self.diagnostics.push(
                Diagnostic::error(
                    "types::arity",
                    span,
                    format!("`{}` is done with {} but takes {}", call.name.text, args.len(), params.len()),
                )
                .related(declared, "it is declared here"),
            );
            return None;
        }
        let mut checked: Vec<Option<Expr>> = Vec::new();
        for (place, (arg, (_, ty))) in args.iter().zip(&params).enumerate() {
            let arg = self.typed(env, arg, *ty);
            checked.push(arg.map(|arg| self.kept(arg, Function::Step(step), place)));
        }
        Some((step, checked.into_iter().collect::<Option<_>>()?))
    }

    fn do_step(&mut self, env: &mut Env, expr: &ast::Expr) -> Option<StatementKind> {
        let Some((call, args)) = called(expr) else {
            self.diagnostics.push(
                Diagnostic::error(
                    "rules::effect",
                    expr.span,
                    "this is a value; alone on a line it does nothing",
                )
                .help("name a step to do, or set a state with `:=`"),
            );
            return None;
        };
        if call.name.text == "win" && (args.len() == 1 || !self.functions.contains_key("win")) {
            let [player] = args[..] else {
                self.error("types::arity", expr.span, "`win` takes the player who wins");
                return None;
            };
            let want = Type::of(Base::Thing(self.player));
            let player = self.typed(env, player, want);
            env.leave();
            return player.map(StatementKind::Win);
        }
        if let ast::ExprKind::Dot(target, _) = &expr.kind
            && let Some(name) = self.unknown_beginning(env, target)
        {
            self.unknown(env, name);
            return None;
        }
        let (step, args) = self.step_call(env, call, &args, expr.span)?;
        self.forget_step(env, step);
        if self.sure_wins.contains(&(step.0 as usize)) {
            env.leave();
        }
        Some(StatementKind::Do(step, args))
    }

    /// Complains of what would leave a choice by each before all answers are carried out.
    fn leaves_answers(&mut self, word: &str, span: Span) {
        let message = format!("`{word}` leaves a choice in which several are asked at once");
        self.diagnostics.push(
            Diagnostic::error("steps::unreachable", span, message)
                .label("the answers of the others would never be carried out")
                .help("note in a state what was answered, and ask it behind the choice: `if … { stop }`"),
        );
    }

    fn return_(
        &mut self,
        env: &mut Env,
        value: Option<&ast::Expr>,
        around: Around,
        span: Span,
        out: &mut Block,
    ) -> Option<StatementKind> {
        if around.each {
            self.leaves_answers("return", span);
            return None;
        }
        match (value, around.returns) {
            (None, None) => Some(StatementKind::Return(None)),
            (Some(value), Some(ty)) => {
                let (checked, have) = self.value(env, value, Some(ty), out)?;
                if !matches!(checked, Value::Expr(_)) && have.base != ty.base && !both_numbers(have, ty) {
                    let (have, ty) = (self.show_one(have), self.show_one(ty));
                    self.error("types::mismatch", span, format!("the step returns {ty}, but this is {have}"));
                    return None;
                }
                if let Value::Expr(value) = &checked {
                    self.given(value, ty, "what the step returns");
                }
                Some(StatementKind::Return(Some(checked)))
            }
            (Some(value), None) => {
                self.diagnostics.push(
                    Diagnostic::error("types::mismatch", value.span, "this step returns nothing")
                        .help("give it a type: `step name(…): number { … }`"),
                );
                None
            }
            (None, Some(ty)) => {
                let shown = self.show_one(ty);
                self.error(
                    "types::mismatch",
                    span,
                    format!("this step returns {shown}, so `return` needs one"),
                );
                None
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ effects

    /// Of a state of a whole set that should be set it is not asked how it is told, but gone through.
    fn set_of_each(&mut self, before: usize, target: Span) {
        let said = self.diagnostics.get_mut(before..).into_iter().flatten();
        for asked in said.filter(|asked| asked.code == "types::number-of-set" && asked.span == Some(target)) {
            "this sets a state of a whole set".clone_into(&mut asked.message);
            asked.help = Some("set it of each: `for x in … { x.… := … }`".to_owned());
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of the statement")]
    #[allow(clippy::wildcard_enum_match_arm, reason = "only a state can be set: everything else is refused")]
    fn assign(
        &mut self,
        env: &mut Env,
        target: &ast::Expr,
        op: ast::AssignOp,
        value: &ast::Expr,
        span: Span,
        out: &mut Block,
    ) -> Option<StatementKind> {
        let said = self.diagnostics.len();
        let Some(checked) = self.expr(env, target, None) else {
            self.set_of_each(said, target.span);
            return None;
        };
        let (column, mut keys) = match checked.kind {
            ExprKind::Column(column, keys) => {
                self.used.take_back(Function::Column(column));
                self.set.insert(column);
                (column, keys)
            }
            ExprKind::Each(_, of, _) => {
                let several = "what is set here may be absent, or several";
                let said = self.sets_several(&of).unwrap_or_else(|| {
                    Diagnostic::error("types::absent", target.span, several)
                        .help("ask for it first: `with a = b.at { a.x := … }`")
                });
                self.diagnostics.push(said);
                return None;
            }
            _ => {
                self.diagnostics.push(
                    Diagnostic::error("types::not-assignable", target.span, "only a state can be set").help(
                        "a rule follows from states and a variable never changes: set the state itself",
                    ),
                );
                return None;
            }
        };
        let ty = self.columns[column.0 as usize].ty;
        if matches!(self.columns[column.0 as usize].role, Role::Fact(_)) {
            let declared = self.columns[column.0 as usize].span;
            let name = self.columns[column.0 as usize].name.clone();
            self.diagnostics.push(
                Diagnostic::error(
                    "types::not-assignable",
                    target.span,
                    format!("`{name}` is a fact: it is printed and never changes"),
                )
                .related(declared, "declared as a fact here")
                .help("declare it as a `state`, or in a variant `replace state …`"),
            );
            return None;
        }
        let op = match op {
            ast::AssignOp::Set => AssignOp::Set,
            ast::AssignOp::Add => AssignOp::Add,
            ast::AssignOp::Take => AssignOp::Take,
        };
        if op != AssignOp::Set && (!matches!(ty.base, Base::Set(_) | Base::Number(..)) || ty.optional) {
            let shown = self.show_one(ty);
            self.error(
                "types::mismatch",
                span,
                format!("`+=` and `-=` change numbers and sets, but this is {shown}"),
            );
            return None;
        }
        let want = match (op, ty.base) {
            (AssignOp::Set, _) | (_, Base::Set(_)) => ty,
            _ => Type::of(Base::Number(NUMBER.0, NUMBER.1)),
        };
        let written = value;
        let (value, have) = self.value(env, value, Some(want), out)?;
        if !matches!(value, Value::Expr(_)) && have.base != want.base && !both_numbers(have, want) {
            let (have, want) = (self.show_one(have), self.show_one(want));
            self.error("types::mismatch", span, format!("{want} is needed here, but this is {have}"));
            return None;
        }
        let name = self.columns[column.0 as usize].name.clone();
        self.assigned(&name, ty, op, &value);
        self.sets_the_same((column, &keys), op, &value, span);
        let known = env.known();
        self.forget_after(env, &value);
        if env.known() < known {
            // The value comes first: what a step done for it may change is not known where the state is looked up.
            match self.expr(env, target, None)?.kind {
                ExprKind::Column(_, later) => {
                    self.used.take_back(Function::Column(column));
                    keys = later;
                }
                _ => {
                    let written = self.parsed.sources.slice(written.span);
                    let mend = format!(
                        "name the value first, `let x = {written}`, then ask whether this is still there: `if any … {{ … := x }}`"
                    );
                    self.diagnostics.push(
                        Diagnostic::error(
                            "types::absent",
                            target.span,
                            "what is set here may be gone by then",
                        )
                        .label("the step that gives the value is done first, and may change this")
                        .help(mend),
                    );
                    return None;
                }
            }
        }
        let place = Expr { kind: ExprKind::Column(column, keys.clone()), ty, span };
        let is = match &value {
            Value::Expr(value) if op == AssignOp::Set => self.limit_set(&place, value),
            Value::Expr(_) | Value::Step(..) | Value::Die(_) | Value::Dice(..) | Value::Draw(..) => None,
        };
        if let Some(is) = &is {
            self.set_once_more(env, is);
        }
        env.forget(|set| set == column);
        if op == AssignOp::Set && keys.iter().all(|key| stays(key, column)) {
            if ty.optional && !have.optional {
                env.know(path_key(&place).into_iter().collect());
            }
            env.limit(is.into_iter().collect());
        }
        Some(StatementKind::Assign { column, keys, op, value })
    }
}

/// Whether a key is the same after a state has been set.
fn stays(key: &Expr, set: ColumnId) -> bool {
    path_key(key).is_some_and(|key| !key.asks_rules() && !key.reads(set))
}

/// A call or dot with all its arguments, the target first.
fn called(expr: &ast::Expr) -> Option<(&ast::Call, Vec<&ast::Expr>)> {
    match &expr.kind {
        ast::ExprKind::Call(call) => Some((call, call.args.iter().collect())),
        ast::ExprKind::Dot(target, call) => {
            Some((call, std::iter::once(&**target).chain(&call.args).collect()))
        }
        ast::ExprKind::Text(_)
        | ast::ExprKind::Number(_)
        | ast::ExprKind::Flag(_)
        | ast::ExprKind::None
        | ast::ExprKind::Thing(_)
        | ast::ExprKind::Not(_)
        | ast::ExprKind::Binary(..)
        | ast::ExprKind::Rounded(..)
        | ast::ExprKind::Range(..)
        | ast::ExprKind::Otherwise(..)
        | ast::ExprKind::Query(_)
        | ast::ExprKind::List(_) => None,
    }
}

/// A variable of a constant's type may hold any number.
fn widen(ty: Type) -> Type {
    match ty.base {
        Base::Number(lo, hi) if lo == hi => Type { base: Base::Number(NUMBER.0, NUMBER.1), ..ty },
        Base::Flag
        | Base::Number(..)
        | Base::Thing(_)
        | Base::Set(_)
        | Base::Dice
        | Base::Die
        | Base::Text
        | Base::Point
        | Base::Permission
        | Base::Numbers
        | Base::Nothing
        | Base::Unknown => ty,
    }
}

fn both_numbers(a: Type, b: Type) -> bool {
    matches!((a.base, b.base), (Base::Number(..), Base::Number(..)))
}

/// What of a universe is not covered.
pub(crate) fn gaps(universe: &[(i64, i64)], covered: &[(i64, i64, Span)]) -> Vec<(i64, i64)> {
    let mut covered: Vec<(i64, i64)> = covered.iter().map(|(lo, hi, _)| (*lo, *hi)).collect();
    covered.sort_unstable();
    let mut gaps = Vec::new();
    for &(lo, hi) in universe {
        let mut next = lo;
        for &(a, b) in &covered {
            if a > next && next <= hi {
                gaps.push((next, hi.min(a - 1)));
            }
            next = next.max(b.saturating_add(1));
        }
        if next <= hi {
            gaps.push((next, hi));
        }
    }
    gaps
}

/// The locals of an environment, as the book keeps them.
pub(crate) fn locals(env: Env) -> Vec<Local> {
    env.locals
}
