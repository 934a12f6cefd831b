//! `can march(p, to)`: whether an option is open, and why not. It becomes a permission that the checker makes: what an
//! option takes its variables from, what it needs, and the laws that it inherits.

use std::collections::HashSet;

use blazon_book::build::NUMBER;
use blazon_book::walk::{Visit, walk_expr};
use blazon_book::{Base, Expr, ExprKind, LocalId, Need, Rule, RuleBody, RuleId, Type, build, title_of};
use blazon_diagnostics::{Diagnostic, Span, list};
use blazon_syntax::ast;

use crate::infer::options::offers::{Offer, address, is_put_under};
use crate::infer::values::queries::implied;
use crate::merge::{need_that, not};
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::{Env, Way, presences};

/// What begins the name of such a permission.
pub(crate) const CAN: &str = "can ";

/// A permission that was made of an option.
#[derive(Clone, Debug)]
pub(crate) struct MadePermission {
    rule: RuleId,
    /// What it is asked with, in order.
    params: Vec<(Source, Type)>,
}

/// What a permission is made of, and where it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    /// The option, by its place among all.
    place: usize,
    /// Whether it is asked whether the option is there at all, not whether it is open: what changes have put it under.
    there: bool,
    /// Whether it is asked beside it: its choice is there, and what is known around that is known.
    beside: bool,
}

/// What is known around a choice of which an option is asked for beside it.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// The choice, counted as in [`Offer::choice`].
    choice: usize,
    /// How many of the variables in sight are bound around it.
    names: usize,
    /// The way to it.
    way: Way,
}

/// Where a value comes from that the permission is asked with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// A parameter of the step.
    Step(usize),
    /// Who is asked, where several are asked at once.
    Each,
    /// What is bound around the choice, where it is asked beside the option.
    Around(String),
    /// A variable of the option.
    Binder(usize),
}

/// The step that a question names: `in turn(s)`.
#[derive(Clone, Copy)]
pub(crate) struct Within<'e> {
    pub call: &'e ast::Call,
    pub target: Option<&'e ast::Expr>,
    pub span: Span,
}

impl<'e> Within<'e> {
    fn args(self) -> Vec<&'e ast::Expr> {
        self.target.into_iter().chain(&self.call.args).collect()
    }
}

impl Checker<'_> {
    /// Whether a name asks for an option: nothing else bears it.
    pub(crate) fn asks_option(&self, env: &Env, name: &ast::Name) -> bool {
        name.text.starts_with(CAN)
            && !self.functions.contains_key(&name.text)
            && env.find(&name.text).is_none()
    }

    /// `can march(p, to) in turn(s)`, written with the sign of membership.
    pub(crate) fn can_within(
        &mut self,
        env: &mut Env,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Option<Expr>> {
        let (target, call) = call_of(left)?;
        let (step_target, step) = call_of(right)?;
        let is_step = self
            .functions
            .get(&step.name.text)
            .is_some_and(|all| all.iter().any(|function| matches!(function, Function::Step(_))));
        if !self.asks_option(env, &call.name) || !is_step || env.find(&step.name.text).is_some() {
            return None;
        }
        let args: Vec<&ast::Expr> = target.into_iter().chain(&call.args).collect();
        let within = Within { call: step, target: step_target, span: right.span };
        Some(self.can(env, &call.name, &args, Some(within), span))
    }

    /// The permission that an option is.
    pub(crate) fn can(
        &mut self,
        env: &mut Env,
        name: &ast::Name,
        args: &[&ast::Expr],
        within: Option<Within<'_>>,
        span: Span,
    ) -> Option<Expr> {
        let meant = self.offers_meant(env, name, args.len(), within)?;
        // A body that is under way stands to its end, whatever comes of its condition meanwhile. Done with something else it is
        // another one.
        let is_around = within.is_none_or(|within| within.args().is_empty());
        let is_beside = |place: &usize| is_around && self.beside_of(*place).is_some();
        let near: Vec<usize> = meant.iter().copied().filter(is_beside).collect();
        let beside = !near.is_empty();
        let meant = if beside { near } else { meant };
        let mut ask = |checker: &mut Self, place: usize, there: bool| {
            let made = checker.made_permission(env, Asked { place, there, beside }, name)?;
            let given = checker.asked_with(env, (name, args, within), place, &made, span)?;
            Some(Expr { kind: ExprKind::Rule(made.rule, given), ty: Type::of(Base::Permission), span })
        };
        // Of several that stand under conditions the one is asked that is there, so it says why it is refused.
        let (&last, others) = meant.split_last()?;
        let mut asked = ask(self, last, false)?;
        for &place in others.iter().rev() {
            let is_there = ask(self, place, true)?;
            let is_open = ask(self, place, false)?;
            let kind = ExprKind::Choice(Box::new(is_there), Box::new(is_open), Box::new(asked));
            asked = Expr { kind, ty: Type::of(Base::Permission), span };
        }
        Some(asked)
    }

    /// What is known around the choice of an option, if it is asked beside it.
    fn beside_of(&self, place: usize) -> Option<&Beside> {
        self.beside.as_ref().filter(|beside| beside.choice == self.offers[place].choice)
    }

    /// What those who ask for an option of this choice beside it know, now that what stands around it has been looked at.
    pub(crate) fn known_beside(&self, env: &Env, choose: &ast::Choose) -> Option<Beside> {
        let choice = *self.choices.get(&address(&choose.options))?;
        Some(Beside { choice, names: env.names.len(), way: env.way() })
    }

    /// The options that are meant: one, or those that stand in one place under different conditions.
    fn offers_meant(
        &mut self,
        env: &Env,
        name: &ast::Name,
        count: usize,
        within: Option<Within<'_>>,
    ) -> Option<Vec<usize>> {
        let asked = name.text.strip_prefix(CAN).unwrap_or_default();
        let (option, beside) = match asked.split_once(" beside ") {
            Some((option, beside)) => (option, Some(beside)),
            None => (asked, None),
        };
        let all: Vec<usize> =
            (0..self.offers.len()).filter(|&place| self.offers[place].name() == option).collect();
        if all.is_empty() {
            self.unknown_option(env, name, option);
            return None;
        }
        let is_meant = |place: &usize| {
            let offer = &self.offers[*place];
            let in_step = within.is_none_or(|within| offer.step_name == within.call.name.text);
            in_step && beside.is_none_or(|beside| offer.stands_beside(beside))
        };
        let meant: Vec<usize> = all.iter().copied().filter(is_meant).collect();
        let Some(&first) = meant.first() else {
            let homes: Vec<&str> = all.iter().map(|&place| self.offers[place].step_name).collect();
            let at = within.map_or(name.span, |within| within.span);
            let said = Diagnostic::error("names::unknown", at, format!("no option `{option}` stands here"));
            self.diagnostics.push(said.help(format!("it stands in {}", list(&homes, "and"))));
            return None;
        };
        let pairs =
            meant.iter().enumerate().flat_map(|(at, one)| meant[at + 1..].iter().map(move |two| (one, two)));
        let together = pairs.map(|(&one, &two)| (&self.offers[one], &self.offers[two]));
        if let Some((one, two)) =
            together.into_iter().find(|(one, two)| one.choice != two.choice && !one.excludes(two))
        {
            let (one, two) = (one.option, two.option);
            let help = format!(
                "say in which step, `{CAN}{option}(…) in {}(…)`, or what it stands beside: `{CAN}{option} beside …(…)`",
                self.offers[first].step_name
            );
            let said = Diagnostic::error("names::ambiguous", name.span, "several options have this name");
            let said = said.label("which is meant?").related(one.span, "this one");
            self.diagnostics.push(said.related(two.span, "or this one").help(help));
            return None;
        }
        for &place in &meant {
            let wanted = self.offers[place].option.binders.len();
            if wanted != count {
                let message = format!("the option `{option}` is asked with {count} but takes {wanted}");
                let declared = self.offers[place].option.span;
                let said = Diagnostic::error("types::arity", name.span, message);
                self.diagnostics.push(said.related(declared, "the option"));
                return None;
            }
        }
        Some(meant)
    }

    fn unknown_option(&mut self, env: &Env, name: &ast::Name, option: &str) {
        let known = self.offers.iter().map(Offer::name);
        let near = self.merged.guesses.near_miss(option, known).map(str::to_owned);
        let Some(near) = near else { return self.unknown(env, name) };
        let message = format!("no option is called `{option}`");
        let said = Diagnostic::error("names::unknown", name.span, message).label("not known");
        self.diagnostics.push(said.did_you_mean(format!("{CAN}{near}")));
    }

    /// The values that a made permission is asked with.
    fn asked_with(
        &mut self,
        env: &mut Env,
        (name, args, within): (&ast::Name, &[&ast::Expr], Option<Within<'_>>),
        place: usize,
        made: &MadePermission,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let offer = self.offers[place].clone();
        let mut around: Vec<(String, Type)> =
            offer.step.map(|step| self.steps[step].params.clone()).unwrap_or_default();
        if let Some(each) = offer.each {
            around.push((each.text.clone(), Type::of(Base::Thing(self.player))));
        }
        let written = within.map(|within| within.args()).filter(|args| !args.is_empty());
        if let (Some(written), Some(within)) = (&written, within)
            && written.len() != around.len()
        {
            let message =
                format!("`{}` is asked with {} but takes {}", offer.step_name, written.len(), around.len());
            self.error("types::arity", within.span, message);
            return None;
        }
        // Within a step that was made of it, too, it is the same step.
        let own = offer.step.is_some()
            && self.around.is_some_and(|step| title_of(&self.steps[step].name) == offer.step_name);
        let mut given = Vec::new();
        let variable = |env: &Env, local: LocalId| Expr {
            kind: ExprKind::Local(local),
            ty: env.locals[local.0 as usize].ty,
            span,
        };
        for (source, ty) in &made.params {
            let ty = *ty;
            let value = match source {
                Source::Binder(place) => self.typed(env, args[*place], ty),
                Source::Around(called) => {
                    let names = self.beside_of(place).map_or(0, |beside| beside.names);
                    let bound = env.names[..names].iter().rfind(|(name, _)| name == called);
                    bound.map(|&(_, local)| variable(env, local))
                }
                Source::Step(_) | Source::Each => {
                    let place = if let Source::Step(place) = source { *place } else { around.len() - 1 };
                    let called = &around[place].0;
                    match (&written, env.find(called).filter(|_| own)) {
                        (Some(written), _) => self.typed(env, written[place], ty),
                        (None, Some(local)) => Some(variable(env, local)),
                        (None, None) => {
                            self.step_unsaid(name, &offer, called, &around);
                            None
                        }
                    }
                }
            };
            given.push(value);
        }
        given.into_iter().collect()
    }

    /// Complains of a question that does not say with what the step is done.
    fn step_unsaid(&mut self, name: &ast::Name, offer: &Offer<'_>, called: &str, around: &[(String, Type)]) {
        let names: Vec<&str> = around.iter().map(|(name, _)| name.as_str()).collect();
        let (option, step) = (&name.text, &offer.step_name);
        let message = format!("the option `{}` asks for `{called}` of `{step}`", offer.name());
        self.diagnostics.push(
            Diagnostic::error("types::arity", name.span, message)
                .related(offer.option.span, "the option")
                .help(format!(
                    "say with what the step is done: `{option}(…) in {step}({})`",
                    names.join(", ")
                )),
        );
    }

    /// The permission of an option, made when it is first asked for.
    fn made_permission(&mut self, env: &Env, asked: Asked, name: &ast::Name) -> Option<MadePermission> {
        if let Some(made) = self.permissions.get(&asked) {
            if made.is_none() {
                let option = self.offers[asked.place].option.span;
                let message = format!("`{}` asks for itself", name.text);
                self.diagnostics.push(
                    Diagnostic::error("rules::cycle", name.span, message)
                        .related(option, "whether this is open hangs on whether it is open")
                        .help("ask in one of them for what the other needs, by a rule of its own"),
                );
            }
            return made.clone();
        }
        let offer = self.offers[asked.place].clone();
        let unknown = offer.asks_for_variable().filter(|_| !asked.beside);
        if let Some((variable, at)) = unknown {
            let message =
                format!("the option `{}` asks for `{variable}`, which only its step knows", offer.name());
            self.diagnostics.push(
                Diagnostic::error("names::scope", name.span, message)
                    .related(at, format!("it asks for `{variable}` here"))
                    .help("what is named by `let` or a loop around the choice is not known elsewhere: ask it of the step's parameters, or keep it in a state"),
            );
            return None;
        }
        self.permissions.insert(asked, None);
        let step = std::mem::replace(&mut self.around, offer.step);
        let beside = if asked.beside { self.beside.clone() } else { self.beside.take() };
        let said = self.diagnostics.len();
        let made = self.unnoted(|checker| checker.make_offer(env, &offer, asked));
        let wrong: Vec<Diagnostic> = self.diagnostics.drain(said..).filter(Diagnostic::is_error).collect();
        // What is wrong with an option is said where it stands; what is so only where it is asked is said there.
        let (cycles, wrong): (Vec<_>, Vec<_>) =
            wrong.into_iter().partition(|said| said.code == "rules::cycle");
        self.diagnostics.extend(cycles.into_iter().next());
        self.wrong_elsewhere.extend(wrong.into_iter().next().map(|wrong| (name.clone(), wrong)));
        self.around = step;
        self.beside = beside;
        self.permissions.insert(asked, made.clone());
        made
    }

    /// Complains of options that cannot be asked where they are, though nothing is wrong with them where they stand.
    pub(crate) fn say_wrong_elsewhere(&mut self) {
        let errors = self.diagnostics.iter().filter(|said| said.is_error());
        let said: HashSet<Span> = errors.filter_map(|said| said.span).collect();
        for (name, wrong) in std::mem::take(&mut self.wrong_elsewhere) {
            let Some(at) = wrong.span.filter(|at| !said.contains(at)) else { continue };
            let message = format!("`{}` asks what is known only where the option stands", name.text);
            self.diagnostics.push(
                Diagnostic::error("names::scope", name.span, message)
                    .label("asked here")
                    .related(at, format!("elsewhere: {}", wrong.message))
                    .help("let the option ask a rule of its own, which says what holds elsewhere, or ask beside it: in what another option of the same choice needs"),
            );
        }
    }

    fn make_offer(&mut self, env: &Env, offer: &Offer<'_>, asked: Asked) -> Option<MadePermission> {
        let mut all: Vec<(Source, ast::Name, Type)> = Vec::new();
        if asked.beside {
            let names = self.beside.as_ref().map_or(0, |beside| beside.names);
            all.extend(env.names[..names].iter().map(|(name, local)| {
                let (span, ty) = (env.spans[local.0 as usize], env.locals[local.0 as usize].ty);
                (Source::Around(name.clone()), ast::Name { text: name.clone(), span }, ty)
            }));
        } else {
            if let Some(step) = offer.step {
                let merged = self.merged;
                let params = merged.steps[step].step.params.iter().zip(self.steps[step].params.clone());
                let params = params.enumerate();
                all.extend(
                    params.map(|(place, (param, (_, ty)))| (Source::Step(place), param.name.clone(), ty)),
                );
            }
            if let Some(each) = offer.each {
                all.push((Source::Each, each.clone(), Type::of(Base::Thing(self.player))));
            }
        }
        let types = self.binder_types(offer, &all)?;
        for (place, (binder, ty)) in offer.option.binders.iter().zip(types).enumerate() {
            all.push((Source::Binder(place), binder.name.clone(), ty));
        }
        // Of what stands around only what is asked for; also what is named where it turns out not to be needed.
        let times = |checker: &Self| -> Vec<usize> {
            all.iter()
                .map(|(_, name, _)| checker.named.get(&name.span).copied().unwrap_or_default())
                .collect()
        };
        let before = times(self);
        let (_, needs) = self.offer_needs(env, offer, asked, &all);
        let mut read = Read(times(self).iter().zip(&before).map(|(now, before)| now > before).collect());
        needs.iter().for_each(|need| read.need(need));
        let all: Vec<(Source, ast::Name, Type)> = all
            .into_iter()
            .zip(read.0)
            .filter(|((source, ..), read)| *read || matches!(source, Source::Binder(_)))
            .map(|(param, _)| param)
            .collect();
        let (env, needs) = self.offer_needs(env, offer, asked, &all);
        let cites: Vec<String> = offer.option.cites.iter().map(|cite| cite.text.clone()).collect();
        let rule = self.add_rule(Rule {
            known: Vec::new(),
            name: format!("{CAN}{}{}", offer.name(), if asked.there { ": is it there" } else { "" }),
            title: None,
            params: all.len(),
            locals: env.locals,
            ty: Type::of(Base::Permission),
            body: RuleBody::Permission(needs),
            cites,
            span: offer.option.span,
        });
        Some(MadePermission { rule, params: all.into_iter().map(|(source, _, ty)| (source, ty)).collect() })
    }

    /// What the variables of an option hold.
    fn binder_types(&mut self, offer: &Offer<'_>, around: &[(Source, ast::Name, Type)]) -> Option<Vec<Type>> {
        let mut env = Env::default();
        for (_, name, ty) in around {
            env.bind_name(name, *ty);
        }
        let mut types = Vec::new();
        for binder in &offer.option.binders {
            let bound = self.binder(&mut env, binder)?;
            let ty = env.locals[bound.local.0 as usize].ty;
            // What is asked for may lie outside; that is for the need to say.
            let is_number = matches!(ty.base, Base::Number(..));
            types.push(if is_number { Type::of(Base::Number(NUMBER.0, NUMBER.1)) } else { ty });
        }
        Some(types)
    }

    /// All that must hold for an option to be open, asked with these parameters.
    fn offer_needs(
        &mut self,
        known: &Env,
        offer: &Offer<'_>,
        asked: Asked,
        params: &[(Source, ast::Name, Type)],
    ) -> (Env, Vec<Need>) {
        let mut env = Env::default();
        for (_, name, ty) in params {
            env.bind_name(name, *ty);
        }
        let around = self.beside.clone();
        if let Some(beside) = &mut self.beside {
            // What is known around the choice, of the variables as they are called in the permission.
            let names = known.names[..beside.names].iter();
            let called = names.filter_map(|(name, local)| Some((*local, env.find(name)?))).collect();
            env.go_back(beside.way.renamed(&called));
            beside.names = params.iter().filter(|(source, ..)| !matches!(source, Source::Binder(_))).count();
            beside.way = env.way();
        }
        let cites: Vec<String> = offer.option.cites.iter().map(|cite| cite.text.clone()).collect();
        let mut needs = Vec::new();
        let guards = if asked.beside { &[] } else { &*offer.guards };
        for &(guard, holds) in guards {
            // Where another body stands there is nothing to choose.
            let condition = if holds { guard.clone() } else { not(guard) };
            if let Some(need) = self.need(&mut env, &need_that(condition, guard.span)) {
                hold(&mut env, need, &cites, &mut needs);
            }
        }
        let (under, own): (Vec<_>, Vec<_>) =
            offer.option.needs.iter().partition(|need| is_put_under(offer.option, need));
        for clause in under {
            let Some(need) = self.need(&mut env, clause) else { continue };
            hold(&mut env, need, &cites, &mut needs);
        }
        if !asked.there {
            for binder in &offer.option.binders {
                self.offered(&mut env, binder, &cites, &mut needs);
            }
            for clause in own {
                let Some(need) = self.need(&mut env, clause) else { continue };
                hold(&mut env, need, &cites, &mut needs);
            }
            for need in self.inherited_laws(&mut env, &offer.option.body, false) {
                hold(&mut env, need, &cites, &mut needs);
            }
        }
        self.beside = around;
        (env, needs)
    }

    /// That a value lies where the variable of an option comes from.
    fn offered(&mut self, env: &mut Env, binder: &ast::Binder, cites: &[String], needs: &mut Vec<Need>) {
        let span = binder.source.span;
        let name = ast::Expr {
            kind: ast::ExprKind::Call(ast::Call { name: binder.name.clone(), args: Vec::new() }),
            span: binder.name.span,
        };
        let source = self.expr(env, &binder.source, None);
        let (left, right) = (Box::new(name.clone()), Box::new(binder.source.clone()));
        let member = ast::Expr { kind: ast::ExprKind::Binary(ast::BinaryOp::In, left, right), span };
        let pieces = vec![ast::Piece::Hole(name), ast::Piece::Plain(" is not offered".to_owned())];
        let reason = self.text(env, &ast::Text { pieces, span });
        let need = |condition: Expr| Need {
            label: String::new(),
            reason: (condition.ty.base != Base::Permission).then(|| reason.clone()),
            condition,
            cites: Vec::new(),
            span,
        };
        if let Some(condition) = self.flag(env, &member) {
            hold(env, need(condition), cites, needs);
        }
        if let (Some(source), Some(local)) = (source, env.find(&binder.name.text)) {
            let known = implied(&build::to_set(source), local);
            env.know(known);
        }
        if let Some(filter) = &binder.filter
            && let Some(condition) = self.flag(env, filter)
        {
            hold(env, need(condition), cites, needs);
        }
    }
}

/// Adds a need, on which the later ones may rely.
fn hold(env: &mut Env, mut need: Need, cites: &[String], needs: &mut Vec<Need>) {
    if need.cites.is_empty() {
        need.cites = cites.to_vec();
    }
    let known = presences(&need.condition, true);
    env.know(known);
    if build::constant(&need.condition) != Some(true) {
        needs.push(need);
    }
}

/// A call, with the target of its dot.
pub(crate) fn call_of(expr: &ast::Expr) -> Option<(Option<&ast::Expr>, &ast::Call)> {
    match &expr.kind {
        ast::ExprKind::Call(call) => Some((None, call)),
        ast::ExprKind::Dot(target, call) => Some((Some(target), call)),
        ast::ExprKind::Text(_)
        | ast::ExprKind::Number(_)
        | ast::ExprKind::Flag(_)
        | ast::ExprKind::None
        | ast::ExprKind::Thing(_)
        | ast::ExprKind::Not(_)
        | ast::ExprKind::Binary(..)
        | ast::ExprKind::Range(..)
        | ast::ExprKind::Rounded(..)
        | ast::ExprKind::Otherwise(..)
        | ast::ExprKind::Query(_)
        | ast::ExprKind::List(_) => None,
    }
}

/// Which of the first variables are read.
struct Read(Vec<bool>);

impl Read {
    fn need(&mut self, need: &Need) {
        self.visit_expr(&need.condition);
        need.reason.iter().for_each(|reason| self.visit_text(reason));
    }
}

impl<'b> Visit<'b> for Read {
    fn visit_expr(&mut self, expr: &'b Expr) {
        if let ExprKind::Local(LocalId(local)) = &expr.kind
            && let Some(read) = self.0.get_mut(*local as usize)
        {
            *read = true;
        }
        walk_expr(self, expr);
    }
}
