//! Laws: the needs of a step bind every option that does it.

use std::collections::{BTreeSet, HashSet};

use blazon_book::{Need, build, title_of};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;
use blazon_syntax::ast::visit::{Visit, walk_expr};

use crate::analysis::late_laws::Inherited;
use crate::hygiene::{marked, with_marks};
use crate::infer::clauses::rules::same;
use crate::infer::options::can::call_of;
use crate::infer::options::offers::is_woven;
use crate::infer::options::substitute_names::put_in;
use crate::project::{Layer, Parsed};
use crate::resolve::checker::Checker;
use crate::resolve::env::{Env, presences};

impl Checker<'_> {
    /// The need of every option that does a step, with the step's arguments put in place of its parameters. What the option
    /// calls its variables is known to the arguments alone: the law means what it means where it is written. What it warns of
    /// is kept, if this `is_option` (and no question whether it is open), until it is known of all.
    pub(crate) fn inherited_laws(&mut self, env: &mut Env, body: &ast::Block, is_option: bool) -> Vec<Need> {
        let mut laws = Laws { is_option, ..Laws::default() };
        let given = env.mark_names(OF_OPTION);
        // A law is not written beside the option.
        let beside = self.beside.take();
        let around = self.own_text.replace(body.span);
        // What the option has named so far, as it is worked out where the option is offered.
        let mut lets: Vec<(String, ast::Expr)> = Vec::new();
        let asked = |env: &Env, lets: &[(String, ast::Expr)], expr: &ast::Expr| {
            let is_variable = |name: &str| {
                env.find(&marked(name, OF_OPTION)).is_some() && !lets.iter().any(|(own, _)| own == name)
            };
            let mut expr = with_marks(expr, &is_variable, OF_OPTION);
            put_in(&mut expr, lets);
            expr
        };
        for statement in &body.statements {
            match &statement.kind {
                ast::StatementKind::Let(name, value) => {
                    let value = asked(env, &lets, value);
                    if let Some((call, _)) = done(&value).filter(|_| self.is_effect(env, &value)) {
                        laws.luck.push((call.name.span, value.span));
                    }
                    lets.insert(0, (name.text.clone(), value));
                }
                ast::StatementKind::Do(expr) => {
                    let Some((call, args)) = done(expr) else { continue };
                    let args: Vec<ast::Expr> = args.into_iter().map(|arg| asked(env, &lets, arg)).collect();
                    laws.done = (statement.span, args.clone());
                    self.laws_of(env, &call.name, args, &mut laws);
                }
                ast::StatementKind::If(..)
                | ast::StatementKind::For { .. }
                | ast::StatementKind::With { .. }
                | ast::StatementKind::While(..)
                | ast::StatementKind::Case { .. }
                | ast::StatementKind::Stop
                | ast::StatementKind::Return(_)
                | ast::StatementKind::Choose(_)
                | ast::StatementKind::Say { .. }
                | ast::StatementKind::Assign { .. } => {}
            }
        }
        env.unmark(given);
        self.beside = beside;
        self.own_text = around;
        laws.needs
    }

    /// Keeps what was warned of in a law where an option inherits it.
    fn keep_warnings(&mut self, law: Span, said: usize, is_option: bool) {
        let warnings: Vec<Diagnostic> =
            self.diagnostics.extract_if(said.., |said| !said.is_error()).collect();
        if !is_option {
            return;
        }
        *self.laws_asked.entry(law).or_default() += 1;
        for warning in warnings {
            let is_same = |old: &Diagnostic| (old.span, &old.message) == (warning.span, &warning.message);
            match self.laws_warned.iter_mut().find(|(of, old, _)| *of == law && is_same(old)) {
                Some((.., options)) => *options += 1,
                None => self.laws_warned.push((law, warning, 1)),
            }
        }
    }

    /// Warns of what holds of a law in every option that inherits it; in one alone it may be what the law is there for.
    pub(crate) fn warn_of_laws(&mut self) {
        for (law, warning, options) in std::mem::take(&mut self.laws_warned) {
            if self.laws_asked.get(&law) == Some(&options) {
                self.diagnostics.push(warning);
            }
        }
    }

    /// Says that a law is asked where an option is offered, and what it is asked of is known only when the option is done.
    fn asked_too_early(&mut self, step: &ast::Name, law: Span, luck: Span) {
        let message = format!("what `{}` is done with is not known yet where its law is asked", step.text);
        self.diagnostics.push(
            Diagnostic::error("rules::effect", step.span, message)
                .label("a law is asked where the option is offered")
                .related(luck, "this is decided only when the option is carried out")
                .related(law, "the law")
                .help("decide it before the choice, or take the law's place by `if … { … }` around what is done"),
        );
    }

    /// Warns of laws that bind nothing, since no option does their step. The library may offer more than a game uses, and
    /// what stood below a variant is not its fault. Beside an error it might be the error's consequence, and is not said.
    pub(crate) fn laws_for_nothing(&mut self) {
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let merged = self.merged;
        // Steps that are made of one another have one law.
        let mut told = self.laws_met.clone();
        for step in &merged.steps {
            let judged = |layer: Layer| self.parsed.is_judged(layer);
            let laws =
                step.step.laws.iter().filter(|law| self.parsed.layer_of(law.span.source).is_some_and(judged));
            for law in laws.filter(|law| told.insert(law.span)).collect::<Vec<_>>() {
                if let Some(option) = behind_option(self.parsed, law.span) {
                    let name = &option.name.text;
                    self.diagnostics.push(
                        Diagnostic::error("rules::dead", law.span, "this need belongs to no option")
                            .label(format!("behind the block of `{name}` it is a law of the step around"))
                            .related(option.name.span, "the option")
                            .help(format!(
                                "the needs of an option stand before its block: write this line between the heading of `{name}` and its `{{`"
                            )),
                    );
                    continue;
                }
                self.diagnostics.push(
                    Diagnostic::warning("rules::dead", law.span, "this law binds nothing")
                        .label(format!("no option does `{}`", step.step.name.text))
                        .help("a law binds the options that do its step, not inside `if` or a loop; to leave the step, write `before … { if … { return } }`"),
                );
            }
        }
    }

    /// The laws of a step that is done with these arguments, and of those that it does in the same way: each once.
    fn laws_of(&mut self, env: &mut Env, call: &ast::Name, args: Vec<ast::Expr>, laws: &mut Laws) {
        let merged = self.merged;
        if merged.steps.iter().all(|step| step.step.laws.is_empty()) {
            return;
        }
        let mut to_do = vec![Done { name: call.clone(), args, guards: Vec::new() }];
        while let Some(done) = to_do.pop() {
            let Some(place) = merged.steps.place(&done.name.text) else { continue };
            let declared = &merged.steps[place].step;
            if declared.params.len() != done.args.len() || !laws.met.insert((place, done.printed())) {
                continue;
            }
            // The laws are checked as if they stood in the option, their parameters bound to the arguments' text.
            let bound: Vec<(String, ast::Expr)> =
                declared.params.iter().map(|param| param.name.text.clone()).zip(done.args.clone()).collect();
            for law in &declared.laws {
                self.laws_met.insert(law.span);
                let law = done.guarded(crate::infer::options::substitute_names::clause(law, &bound));
                self.law(env, &done.name, &law, laws);
            }
            let mut inner = Vec::new();
            passed_on(&declared.body, &bound, &mut Vec::new(), &done.guards, &mut inner);
            to_do.extend(inner.into_iter().rev());
        }
    }

    /// Notes what a law, with the arguments put in, is asked of that its step is done with.
    fn note_inherited(&mut self, name: &ast::Name, law: &ast::Clause, laws: &Laws) {
        struct Args<'l>(&'l [ast::Expr], BTreeSet<usize>);
        impl<'t> Visit<'t> for Args<'_> {
            fn visit_expr(&mut self, expr: &'t ast::Expr) {
                let args = self.0.iter().enumerate();
                self.1.extend(args.filter(|(_, arg)| arg.same_as(expr)).map(|(place, _)| place));
                walk_expr(self, expr);
            }
        }
        if !laws.is_option {
            return;
        }
        let (at, args) = &laws.done;
        let mut asked = Args(args, BTreeSet::new());
        asked.visit_clause(law);
        if !asked.1.is_empty() {
            let new = || Inherited { law: law.span, step: name.text.clone(), args: BTreeSet::new() };
            self.laws_at.entry(*at).or_insert_with(new).args.extend(asked.1);
        }
    }

    /// A law with the arguments put in becomes a need.
    fn law(&mut self, env: &mut Env, name: &ast::Name, law: &ast::Clause, laws: &mut Laws) {
        if let Some(luck) = laws.decided_by(law) {
            self.asked_too_early(name, law.span, luck);
            return;
        }
        self.note_inherited(name, law, laws);
        let said = self.diagnostics.len();
        // Its own names are noted where it stands.
        let need = self.unnoted(|checker| checker.need(env, law));
        // It may be right of what other options do its step with.
        let at = laws.done.0;
        for wrong in self.diagnostics[said..].iter_mut().filter(|said| said.is_error() && !at.is_empty()) {
            wrong.related.push((at, "the law is asked of this, where the option is offered".to_owned()));
        }
        // As of needs, the later are asked only where the earlier hold.
        env.know(need.iter().flat_map(|need| presences(&need.condition, true)).collect());
        self.keep_warnings(law.span, said, laws.is_option);
        let is_new = |need: &Need| {
            !laws.needs.iter().any(|old| old.span == need.span && same(&old.condition, &need.condition))
        };
        if let Some(need) = need
            && build::constant(&need.condition) != Some(true)
            && is_new(&need)
        {
            laws.needs.push(need);
        }
    }
}

/// A step that is done, with what, and under which conditions that are written outside of it.
struct Done {
    name: ast::Name,
    args: Vec<ast::Expr>,
    guards: Vec<ast::Expr>,
}

impl Done {
    /// What tells it from others of the same step.
    fn printed(&self) -> String {
        let texts: Vec<String> = self.args.iter().chain(&self.guards).map(ast::print::expr).collect();
        texts.join("; ")
    }

    /// A law that binds only where the conditions hold.
    fn guarded(&self, mut law: ast::Clause) -> ast::Clause {
        if let ast::ClauseKind::Need { when, .. } = &mut law.kind {
            for guard in self.guards.iter().rev() {
                *when = Some(match when.take() {
                    Some(inner) => {
                        let span = inner.span;
                        let (left, right) = (Box::new(guard.clone()), Box::new(inner));
                        ast::Expr { kind: ast::ExprKind::Binary(ast::BinaryOp::And, left, right), span }
                    }
                    None => guard.clone(),
                });
            }
        }
        law
    }
}

/// The steps that a body does in the same way, in order: with what the step itself was done with, unchanged, or with things
/// and numbers. A body that another one stands in the place of under a condition is done where that does not hold.
fn passed_on(
    body: &ast::Block,
    bound: &[(String, ast::Expr)],
    rebound: &mut Vec<String>,
    guards: &[ast::Expr],
    found: &mut Vec<Done>,
) {
    let mark = rebound.len();
    for statement in &body.statements {
        let mut add = |value: &ast::Expr, rebound: &[String]| {
            let Some((call, args)) = done(value) else { return };
            let passed: Option<Vec<ast::Expr>> =
                args.into_iter().map(|arg| passed(arg, bound, rebound)).collect();
            found.extend(passed.map(|args| Done { name: call.name.clone(), args, guards: guards.to_vec() }));
        };
        match &statement.kind {
            ast::StatementKind::Do(expr) => add(expr, rebound),
            // A step that returns something does what it was made of so.
            ast::StatementKind::Let(name, value) => {
                if is_made(value) {
                    add(value, rebound);
                }
                rebound.push(name.text.clone());
            }
            ast::StatementKind::Return(Some(value)) if is_made(value) => add(value, rebound),
            ast::StatementKind::If(condition, then, otherwise) if is_woven(statement, condition) => {
                let mut holds = condition.clone();
                put_in(&mut holds, bound);
                let fails = ast::Expr {
                    kind: ast::ExprKind::Not(Box::new(holds.clone())),
                    span: holds.span.before(),
                };
                for (block, guard) in [(Some(then), holds), (otherwise.as_ref(), fails)] {
                    if let Some(block) = block {
                        let guards: Vec<ast::Expr> = guards.iter().cloned().chain([guard]).collect();
                        passed_on(block, bound, rebound, &guards, found);
                    }
                }
            }
            ast::StatementKind::Return(_)
            | ast::StatementKind::If(..)
            | ast::StatementKind::For { .. }
            | ast::StatementKind::With { .. }
            | ast::StatementKind::While(..)
            | ast::StatementKind::Case { .. }
            | ast::StatementKind::Stop
            | ast::StatementKind::Choose(_)
            | ast::StatementKind::Say { .. }
            | ast::StatementKind::Assign { .. } => {}
        }
    }
    rebound.truncate(mark);
}

/// What is passed on unchanged, as the step itself was done with it.
fn passed(arg: &ast::Expr, bound: &[(String, ast::Expr)], rebound: &[String]) -> Option<ast::Expr> {
    match &arg.kind {
        ast::ExprKind::Call(call) if call.args.is_empty() && !rebound.contains(&call.name.text) => {
            bound.iter().find(|(name, _)| *name == call.name.text).map(|(_, given)| given.clone())
        }
        ast::ExprKind::Thing(_) | ast::ExprKind::Number(_) | ast::ExprKind::Flag(_) => Some(arg.clone()),
        ast::ExprKind::Text(_)
        | ast::ExprKind::None
        | ast::ExprKind::Call(_)
        | ast::ExprKind::Dot(..)
        | ast::ExprKind::Not(_)
        | ast::ExprKind::Binary(..)
        | ast::ExprKind::Rounded(..)
        | ast::ExprKind::Range(..)
        | ast::ExprKind::Otherwise(..)
        | ast::ExprKind::Query(_)
        | ast::ExprKind::List(_) => None,
    }
}

/// Whether a step is done that was made of another, to stand between what changes hang around it.
pub(crate) fn is_made(value: &ast::Expr) -> bool {
    done(value).is_some_and(|(call, _)| title_of(&call.name.text) != call.name.text)
}

/// What an option inherits.
#[derive(Default)]
struct Laws {
    is_option: bool,
    needs: Vec<Need>,
    /// Where the step is done that is looked at, and with what.
    done: (Span, Vec<ast::Expr>),
    /// The steps whose laws were looked at, and with what they are done.
    met: HashSet<(usize, String)>,
    /// What a `let` of the option takes from luck or from a step: the name of that, and all of it.
    luck: Vec<(Span, Span)>,
}

impl Laws {
    /// What a law, with the arguments put in, would take from luck or from a step.
    fn decided_by(&self, law: &ast::Clause) -> Option<Span> {
        struct Looked<'l>(&'l [(Span, Span)], Option<Span>);
        impl<'t> Visit<'t> for Looked<'_> {
            fn visit_expr(&mut self, expr: &'t ast::Expr) {
                if let ast::ExprKind::Call(call) | ast::ExprKind::Dot(_, call) = &expr.kind
                    && let Some((_, whole)) = self.0.iter().find(|(name, _)| *name == call.name.span)
                {
                    self.1 = Some(*whole);
                }
                walk_expr(self, expr);
            }
        }
        let mut looked = Looked(&self.luck, None);
        if !self.luck.is_empty() {
            looked.visit_clause(law);
        }
        looked.1
    }
}

/// The mark of the variables of an option where its laws are asked.
pub(crate) const OF_OPTION: &str = "option";

/// The step that is done, and with what.
fn done(expr: &ast::Expr) -> Option<(&ast::Call, Vec<&ast::Expr>)> {
    let (target, call) = call_of(expr)?;
    Some((call, target.into_iter().chain(&call.args).collect()))
}

/// The option that a law stands behind, in one opened step: there its writer may have meant a need of the option.
fn behind_option(parsed: &Parsed, law: Span) -> Option<&ast::ChoiceOption> {
    fn within(changes: &[ast::Amend], law: Span) -> Option<&ast::ChoiceOption> {
        let mut option = None;
        for change in changes {
            match &change.kind {
                ast::AmendKind::Add(ast::Node::Option(added)) => option = Some(added),
                ast::AmendKind::Add(ast::Node::Clause(clause)) if clause.span == law => return option,
                ast::AmendKind::Add(ast::Node::Clause(_)) => {}
                ast::AmendKind::Inside { changes, .. } | ast::AmendKind::Under { changes, .. } => {
                    if let Some(found) = within(changes, law) {
                        return Some(found);
                    }
                    option = None;
                }
                ast::AmendKind::Add(_)
                | ast::AmendKind::Cite(_)
                | ast::AmendKind::Members { .. }
                | ast::AmendKind::Hook { .. }
                | ast::AmendKind::Replace { .. }
                | ast::AmendKind::Remove(_)
                | ast::AmendKind::Waive(_) => option = None,
            }
        }
        None
    }
    let (_, file) = parsed.files.iter().find(|(_, file)| file.source == law.source)?;
    file.items.iter().find_map(|item| match &item.kind {
        ast::ItemKind::Amend(amend) => within(std::slice::from_ref(amend), law),
        ast::ItemKind::Declaration(_) | ast::ItemKind::Test(_) | ast::ItemKind::Scene(_) => None,
    })
}
