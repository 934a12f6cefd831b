//! The permissions that the checker makes of options: what an option takes its variables from, what it needs, and the laws
//! that it inherits, asked with what it hangs on.

use std::collections::HashSet;

use blazon_book::build::NUMBER;
use blazon_book::walk::{Visit, walk_expr};
use blazon_book::{Base, Expr, ExprKind, LocalId, Need, Rule, RuleBody, RuleId, Type, build};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::options::can::CAN;
use crate::infer::options::offers::{Offer, is_put_under};
use crate::infer::values::queries::implied;
use crate::merge::{need_that, not};
use crate::resolve::checker::Checker;
use crate::resolve::env::{Env, presences};

/// The code of what always holds, or never.
const SETTLED: &str = "lint::settled";

/// A permission that was made of an option.
#[derive(Clone, Debug)]
pub(crate) struct MadePermission {
    pub rule: RuleId,
    /// What it is asked with, in order.
    pub params: Vec<(Source, Type)>,
}

/// What a permission is made of, and where it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    /// The option, by its place among all.
    pub place: usize,
    /// Whether it is asked whether the option is there at all, not whether it is open: what changes have put it under.
    pub there: bool,
    /// Whether it is asked beside it: its choice is there, and what is known around that is known.
    pub beside: bool,
}

/// Where a value comes from that the permission is asked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A parameter of the step.
    Step(usize),
    /// Who is asked, where several are asked at once.
    Each,
    /// What is bound around the choice, where it is asked beside the option.
    Around(String),
    /// A variable of the option.
    Binder(usize),
}

impl Checker<'_> {
    /// The permission of an option, made when it is first asked for.
    pub(super) fn made_permission(
        &mut self,
        env: &Env,
        asked: Asked,
        name: &ast::Name,
    ) -> Option<MadePermission> {
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
        let (wrong, warned): (Vec<_>, Vec<_>) =
            self.diagnostics.drain(said..).partition(Diagnostic::is_error);
        let settled =
            warned.iter().filter(|said| said.code == SETTLED).filter_map(|said| said.span).collect();
        // What is wrong with an option is said where it stands; what is so only where it is asked is said there.
        let (cycles, wrong): (Vec<_>, Vec<_>) =
            wrong.into_iter().partition(|said| said.code == "rules::cycle");
        self.diagnostics.extend(cycles.into_iter().next());
        if !asked.beside && !asked.there {
            self.settled_elsewhere.insert(asked.place, settled);
        }
        self.wrong_elsewhere.extend(wrong.into_iter().next().map(|wrong| (name.clone(), wrong)));
        self.around = step;
        self.beside = beside;
        // What could not be made is tried again where it is asked once more: it asks for something else than for itself.
        match &made {
            Some(made) => self.permissions.insert(asked, Some(made.clone())),
            None => self.permissions.remove(&asked),
        };
        made
    }

    /// Complains of options that cannot be asked where they are, though nothing is wrong with them where they stand; and of
    /// nothing that always holds where they stand and may fail elsewhere.
    pub(crate) fn say_wrong_elsewhere(&mut self) {
        for (place, settled) in std::mem::take(&mut self.settled_elsewhere) {
            let needs = &self.offers[place].option.needs;
            let is_needed =
                |at: Span| needs.iter().any(|need| need.span.contains(at)) && !settled.contains(&at);
            self.diagnostics.retain(|said| said.code != SETTLED || !said.span.is_some_and(is_needed));
        }
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
