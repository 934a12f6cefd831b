//! `can march(p, to)`: whether an option is open, and why not. Which option is meant, and with what it is asked; it becomes a
//! permission that is made of it ([`super::made`]).

use blazon_book::{Base, Expr, ExprKind, LocalId, StepId, Type, title_of};
use blazon_diagnostics::{Diagnostic, Span, list};
use blazon_syntax::ast;

use crate::hygiene::marked;
use crate::infer::options::inherited_needs::OF_OPTION;
use crate::infer::options::made::{Asked, MadePermission, Source};
use crate::infer::options::offers::{Offer, address};
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::{Env, Way};

/// What begins the name of such a permission.
pub(crate) const CAN: &str = "can ";

/// What is known around a choice of which an option is asked for beside it.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// The choice, counted as in [`Offer::choice`].
    pub choice: usize,
    /// How many of the variables in sight are bound around it.
    pub names: usize,
    /// The way to it.
    pub way: Way,
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
        // What the option does not hang on must fit, too.
        for (place, arg) in written.iter().flatten().enumerate() {
            let is_each = place + 1 == around.len() && offer.each.is_some();
            let source = if is_each { Source::Each } else { Source::Step(place) };
            if made.params.iter().all(|(asked, _)| *asked != source) {
                let given = self.typed(env, arg, around[place].1)?;
                if let (Source::Step(_), Some(step)) = (source, offer.step) {
                    self.kept(given, Function::Step(StepId(step as u32)), place);
                }
            }
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
                    let found = env.find(called).or_else(|| {
                        // What an option is done with is asked in its law as it stands in the option.
                        let is_own = self.own_text.is_some_and(|own| own.contains(name.span));
                        env.find(&marked(called, OF_OPTION)).filter(|_| is_own)
                    });
                    match (&written, found.filter(|_| own)) {
                        (Some(written), _) => {
                            let given = self.typed(env, written[place], ty);
                            match (source, offer.step) {
                                (Source::Step(_), Some(step)) => given.map(|given| {
                                    self.kept(given, Function::Step(StepId(step as u32)), place)
                                }),
                                _ => given,
                            }
                        }
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
