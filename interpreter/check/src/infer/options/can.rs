//! `can march(p, to)`: whether an option is open, and why not. It becomes a permission that the checker makes: what an
//! option takes its variables from, what it needs, and the laws that it inherits.

use blazon_book::build::NUMBER;
use blazon_book::walk::{Visit, walk_expr};
use blazon_book::{Base, Expr, ExprKind, LocalId, Need, Rule, RuleBody, RuleId, Type, build, title_of};
use blazon_diagnostics::{Diagnostic, Span, list};
use blazon_syntax::ast;

use crate::infer::options::offers::Offer;
use crate::infer::values::queries::implied;
use crate::merge::{need_that, not};
use crate::resolve::checker::{Checker, Function};
use crate::resolve::env::{Env, presences};

/// What begins the name of such a permission.
pub(crate) const CAN: &str = "can ";

/// A permission that was made of an option.
#[derive(Clone, Debug)]
pub(crate) struct MadePermission {
    rule: RuleId,
    /// What it is asked with, in order.
    params: Vec<(Source, Type)>,
}

/// Where a value comes from that the permission is asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// A parameter of the step.
    Step(usize),
    /// Who is asked, where several are asked at once.
    Each,
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
        let offers = self.offers_meant(env, name, args.len(), within)?;
        let mut asked = Vec::new();
        for place in offers {
            let made = self.made_permission(place, name)?;
            let given = self.asked_with(env, (name, args, within), place, &made, span)?;
            let kind = ExprKind::Rule(made.rule, given);
            asked.push(Expr { kind, ty: Type::of(Base::Permission), span });
        }
        // Where one option stands in the place of another under a condition, one of them must be open.
        match asked.len() {
            1 => asked.pop(),
            _ => Some(build::or(asked, span)),
        }
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
        for &(source, ty) in &made.params {
            let value = match source {
                Source::Binder(place) => self.typed(env, args[place], ty),
                Source::Step(_) | Source::Each => {
                    let place = if let Source::Step(place) = source { place } else { around.len() - 1 };
                    let called = &around[place].0;
                    match (&written, env.find(called).filter(|_| own)) {
                        (Some(written), _) => self.typed(env, written[place], ty),
                        (None, Some(local)) => Some(Expr {
                            kind: ExprKind::Local(local),
                            ty: env.locals[local.0 as usize].ty,
                            span,
                        }),
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
    fn made_permission(&mut self, place: usize, name: &ast::Name) -> Option<MadePermission> {
        if let Some(made) = self.permissions.get(&place) {
            if made.is_none() {
                let option = self.offers[place].option.span;
                let message = format!("`{}` asks for itself", name.text);
                self.diagnostics.push(
                    Diagnostic::error("rules::cycle", name.span, message)
                        .related(option, "whether this is open hangs on whether it is open")
                        .help("ask in one of them for what the other needs, by a rule of its own"),
                );
            }
            return made.clone();
        }
        let offer = self.offers[place].clone();
        if let Some((asked, at)) = offer.asks_for_variable() {
            let message =
                format!("the option `{}` asks for `{asked}`, which only its step knows", offer.name());
            self.diagnostics.push(
                Diagnostic::error("names::scope", name.span, message)
                    .related(at, format!("it asks for `{asked}` here"))
                    .help("what is named by `let` or a loop around the choice is not known elsewhere: ask it of the step's parameters, or keep it in a state"),
            );
            return None;
        }
        self.permissions.insert(place, None);
        let step = std::mem::replace(&mut self.around, offer.step);
        let said = self.diagnostics.len();
        let made = self.unnoted(|checker| checker.make_offer(&offer));
        // What is wrong with an option is said where it stands.
        let cycle = self.diagnostics.drain(said..).find(|said| said.code == "rules::cycle");
        self.diagnostics.extend(cycle);
        self.around = step;
        self.permissions.insert(place, made.clone());
        made
    }

    fn make_offer(&mut self, offer: &Offer<'_>) -> Option<MadePermission> {
        let types = self.binder_types(offer)?;
        let mut all: Vec<(Source, ast::Name, Type)> = Vec::new();
        if let Some(step) = offer.step {
            let merged = self.merged;
            let params = merged.steps[step].step.params.iter().zip(self.steps[step].params.clone());
            let params = params.enumerate();
            all.extend(params.map(|(place, (param, (_, ty)))| (Source::Step(place), param.name.clone(), ty)));
        }
        if let Some(each) = offer.each {
            all.push((Source::Each, each.clone(), Type::of(Base::Thing(self.player))));
        }
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
        let (_, needs) = self.offer_needs(offer, &all);
        let mut read = Read(times(self).iter().zip(&before).map(|(now, before)| now > before).collect());
        needs.iter().for_each(|need| read.need(need));
        let all: Vec<(Source, ast::Name, Type)> = all
            .into_iter()
            .zip(read.0)
            .filter(|((source, ..), read)| *read || matches!(source, Source::Binder(_)))
            .map(|(param, _)| param)
            .collect();
        let (env, needs) = self.offer_needs(offer, &all);
        let cites: Vec<String> = offer.option.cites.iter().map(|cite| cite.text.clone()).collect();
        let rule = self.add_rule(Rule {
            known: Vec::new(),
            name: format!("{CAN}{}", offer.name()),
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
    fn binder_types(&mut self, offer: &Offer<'_>) -> Option<Vec<Type>> {
        let mut env = Env::default();
        if let Some(step) = offer.step {
            for (name, ty) in self.steps[step].params.clone() {
                env.bind(&name, ty);
            }
        }
        if let Some(each) = offer.each {
            env.bind_name(each, Type::of(Base::Thing(self.player)));
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
    fn offer_needs(&mut self, offer: &Offer<'_>, params: &[(Source, ast::Name, Type)]) -> (Env, Vec<Need>) {
        let mut env = Env::default();
        for (_, name, ty) in params {
            env.bind_name(name, *ty);
        }
        let cites: Vec<String> = offer.option.cites.iter().map(|cite| cite.text.clone()).collect();
        let mut needs = Vec::new();
        for &(guard, holds) in offer.guards.iter() {
            // Where another body stands there is nothing to choose.
            let condition = if holds { guard.clone() } else { not(guard) };
            if let Some(need) = self.need(&mut env, &need_that(condition, guard.span)) {
                hold(&mut env, need, &cites, &mut needs);
            }
        }
        for binder in &offer.option.binders {
            self.offered(&mut env, binder, &cites, &mut needs);
        }
        for clause in &offer.option.needs {
            let Some(need) = self.need(&mut env, clause) else { continue };
            hold(&mut env, need, &cites, &mut needs);
        }
        for need in self.inherited_laws(&mut env, &offer.option.body, false) {
            hold(&mut env, need, &cites, &mut needs);
        }
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
