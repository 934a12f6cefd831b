//! Choices: who chooses, the options, their needs.

use blazon_book::build;
use blazon_book::graph::Numbers;
use blazon_book::{Base, Binder, ChoiceOption, Choose, Chooser, Expr, ExprKind, LocalId, Need, Type};
use blazon_diagnostics::Diagnostic;
use blazon_syntax::ast;

use crate::infer::holes::UNKNOWN;
use crate::infer::steps::statements::Around;
use crate::infer::values::queries::implied;
use crate::merge::Sort;
use crate::resolve::checker::Checker;
use crate::resolve::citations::cited;
use crate::resolve::env::{BRACES, Env, Way, presences};

impl Checker<'_> {
    pub(crate) fn choose(&mut self, env: &mut Env, choose: &ast::Choose, around: Around) -> Choose {
        self.forget_watched(env);
        let mark = env.mark();
        let by = self.chooser(env, &choose.by);
        let prompt = choose.prompt.as_ref().map(|text| self.text(env, text));
        let inside = match &by {
            Chooser::One(_) => around,
            Chooser::Each(..) => Around { loops: 0, each: true, ..around },
        };
        // The answers of several are carried out one after the other, but each was offered before.
        let before = match &by {
            Chooser::One(_) => Numbers::default(),
            Chooser::Each(..) => self.writes.of_blocks(choose.options.iter().map(|option| &option.body)),
        };
        let mut ways = Vec::new();
        let known = self.known_beside(env, choose);
        let beside = std::mem::replace(&mut self.beside, known);
        let options: Vec<ChoiceOption> = choose
            .options
            .iter()
            .map(|option| {
                let (option, way) = self.option(env, option, inside, &before);
                ways.push(way);
                option
            })
            .collect();
        self.beside = beside;
        env.back(&mark, "its choice");
        if let Chooser::Each(..) = by {
            // What one of them finds out the next may change.
            self.forget_all(env, &before);
            ways = vec![env.way()];
            env.back(&mark, "its choice");
        }
        let otherwise = choose.otherwise.as_ref().map(|block| self.block(env, block, around));
        if otherwise.is_some() || ways.is_empty() {
            ways.push(env.way());
        }
        env.meet(ways);
        if otherwise.is_none() && !self.always_open(&options) {
            let mut said = Diagnostic::error(
                "steps::choice-empty",
                choose.span,
                "it can happen that no option is open here",
            );
            let mut help = "say what happens then, `} else { … }`, or add an option that is always open";
            // Perhaps there was one, and a change has taken it out.
            let step = self.around.map(|step| Sort::OptionOf(self.steps[step].name.clone()));
            for removed in self.merged.removed.iter().filter(|removed| Some(&removed.what) == step.as_ref()) {
                said = said.related(removed.span, "an option is taken out here");
                help = "leave that option in, or add one that is always open";
            }
            self.diagnostics.push(said.help(help));
        }
        let cites = cited(&choose.cites);
        Choose { by, prompt, options, otherwise, cites, span: choose.span }
    }

    fn chooser(&mut self, env: &mut Env, by: &ast::Chooser) -> Chooser {
        let player = Type::of(Base::Thing(self.player));
        match by {
            ast::Chooser::One(who) => {
                let checked = self.typed(env, who, player);
                Chooser::One(self.or_hole(env, checked, who, player))
            }
            ast::Chooser::Each { name, source, filter } => {
                let players = Type::of(Base::Set(self.player));
                let checked = self.expr(env, source, Some(self.player)).and_then(|s| self.coerce(s, players));
                let source = self.or_hole(env, checked, source, players);
                let local = self.bind(env, name, player);
                let times = self.times_named(env, local);
                let filter = filter.as_ref().map(|filter| {
                    let checked = self.flag(env, filter);
                    if let Some(condition) = &checked {
                        self.condition_asks(env, local, times, filter.span);
                        env.know(presences(condition, true));
                    }
                    self.or_hole(env, checked, filter, Type::of(Base::Flag))
                });
                let Some(filter) = filter else { return Chooser::Each(local, source) };
                let (span, ty) = (source.span, source.ty);
                let query = blazon_book::Query {
                    quantifier: blazon_book::Quantifier::All,
                    local,
                    source,
                    filter: Some(filter),
                    by: None,
                    within: None,
                };
                Chooser::Each(local, Expr { kind: ExprKind::Query(Box::new(query)), ty, span })
            }
        }
    }

    /// An option, and the way through it. What may be changed before it is carried out is given.
    pub(crate) fn option(
        &mut self,
        env: &mut Env,
        option: &ast::ChoiceOption,
        around: Around,
        before: &Numbers,
    ) -> (ChoiceOption, Way) {
        let mark = env.mark();
        let mut binders = Vec::new();
        let mut complete = true;
        for binder in &option.binders {
            binders.push(match self.binder(env, binder) {
                Some(binder) => binder,
                None => {
                    complete = false;
                    self.binder_hole(env, binder)
                }
            });
        }
        if complete {
            let kinds =
                binders.iter().map(|binder| env.locals[binder.local.0 as usize].ty.base.kind()).collect();
            let key = (option.name.text.clone(), binders.len());
            self.option_kinds.entry(key).or_default().insert(kinds);
        }
        let checked = if complete {
            self.option_body(env, option, binders, around, before)
        } else {
            self.quietly(|checker| checker.option_body(env, option, binders, around, before))
        };
        (checked, env.back(&mark, "its option"))
    }

    /// Needs, label and body of an option whose variables are known.
    fn option_body(
        &mut self,
        env: &mut Env,
        option: &ast::ChoiceOption,
        binders: Vec<Binder>,
        around: Around,
        before: &Numbers,
    ) -> ChoiceOption {
        self.note_scope(env, option.span);
        let said = self.diagnostics.len();
        // Of what a later one is taken from the later one tells.
        let mut locals: Vec<LocalId> = binders.iter().map(|binder| binder.local).collect();
        locals.retain(|&local| {
            let source = |binder: &Binder| binder.source.mentions(local);
            !binders.iter().any(|binder| source(binder) || binder.local != local && asks_of(binder, local))
        });
        let before_needs = self.how_often(env, &locals);
        let mut needs = Vec::new();
        let never = format!("the option `{}` is never open", option.name.text);
        for clause in &option.needs {
            if let Some((mut need, ruled)) = self.ruled_need(env, clause) {
                if need.cites.is_empty() {
                    need.cites = option.cites.iter().map(|cite| cite.text.clone()).collect();
                }
                self.decided(env, &need.condition, ruled, Some(&never));
                self.asks_no_more(env, &need.condition, ruled);
                self.suppose(env, &need.condition, true, ruled);
                if build::constant(&need.condition) == Some(false) && !ruled {
                    self.diagnostics.push(
                        Diagnostic::error("steps::unreachable", need.span, never.clone())
                            .label("this never holds")
                            .related(option.span, "the option")
                            .help("mend the condition, or take the option out"),
                    );
                }
                if build::constant(&need.condition) != Some(true) {
                    needs.push(need);
                }
            } else {
                needs.push(self.need_hole(env, clause));
            }
        }
        let (rulings, known) = (self.rulings_read, env.limits().to_vec());
        let laws = self.inherited_laws(env, &option.body, true);
        let is_ruled = self.rulings_read > rulings;
        for need in laws {
            self.decided_by_law(env, &need.condition, &never);
            self.suppose_of_law(env, &need.condition, is_ruled);
            needs.push(need);
        }
        // What laws say is for other laws: what an option does is written without them.
        env.forget_limits();
        env.limit(known);
        let before_label = self.how_often(env, &locals);
        let label = option.label.as_ref().map(|text| self.text(env, text));
        let before_body = self.how_often(env, &locals);
        self.forget_all(env, before);
        // Where something is done what was known before the choice may hold no more.
        let beside = self.beside.take();
        let body = self.block(env, &option.body, around);
        self.beside = beside;
        let after_body = self.how_often(env, &locals);
        // What is wrong may have been meant to name it.
        if self.diagnostics.get(said..).is_none_or(|said| said.iter().any(Diagnostic::is_error)) {
            locals.clear();
        }
        for (place, local) in locals.into_iter().enumerate() {
            let is_told = label.is_none() || before_label[place] < before_body[place];
            // What only a need asks for may be where something happens.
            let is_asked =
                before_needs[place] < before_label[place] || before_body[place] < after_body[place];
            let is_taken = !does_anything(&option.body) || is_asked;
            self.taken_for_nothing(env, local, is_told, is_taken);
        }
        ChoiceOption {
            name: option.name.text.clone(),
            binders,
            label,
            needs,
            body,
            cites: cited(&option.cites),
            span: option.span,
        }
    }

    /// How often the text has named variables so far.
    fn how_often(&self, env: &Env, locals: &[LocalId]) -> Vec<usize> {
        locals.iter().map(|&local| self.times_named(env, local)).collect()
    }

    pub(crate) fn binder(&mut self, env: &mut Env, binder: &ast::Binder) -> Option<Binder> {
        let rulings = self.rulings_read;
        let source = self.expr(env, &binder.source, None)?;
        let is_ruled = self.rulings_read > rulings;
        let (source, element) = match source.ty.base {
            Base::Set(kind) | Base::Thing(kind) => (build::to_set(source), Type::of(Base::Thing(kind))),
            Base::Numbers => {
                let element = build::element_of_numbers(&source);
                (source, element)
            }
            Base::Flag
            | Base::Number(..)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Nothing
            | Base::Unknown => {
                let shown = self.show_one(source.ty);
                self.error(
                    "types::not-a-set",
                    binder.source.span,
                    format!("an option goes through a set, but this is {shown}"),
                );
                return None;
            }
        };
        let local = self.bind(env, &binder.name, element);
        env.ruled.extend(is_ruled.then_some(local));
        let known = implied(&source, local);
        env.know(known);
        let filter = match &binder.filter {
            None => None,
            Some(filter) => {
                let times = self.times_named(env, local);
                let (checked, ruled) = self.ruled_flag(env, filter);
                if let Some(checked) = &checked {
                    self.condition_asks(env, local, times, filter.span);
                    self.decided(env, checked, ruled, None);
                    self.suppose(env, checked, true, ruled);
                }
                // Where the condition is wrong it is still known what the variable is.
                Some(self.or_hole(env, checked, filter, Type::of(Base::Flag)))
            }
        };
        Some(Binder { by_name: binder.by_name, local, source, filter })
    }

    /// A variable of an option of which not all is known.
    fn binder_hole(&mut self, env: &mut Env, binder: &ast::Binder) -> Binder {
        let source = self.hole(env, &binder.source, UNKNOWN);
        let local = env.bind_name(&binder.name, UNKNOWN);
        let filter = binder.filter.as_ref().map(|filter| self.hole(env, filter, Type::of(Base::Flag)));
        Binder { by_name: binder.by_name, local, source, filter }
    }

    /// A need of an option, a rule or a law.
    pub(crate) fn need(&mut self, env: &mut Env, clause: &ast::Clause) -> Option<Need> {
        self.ruled_need(env, clause).map(|(need, _)| need)
    }

    /// The same, and whether a ruling is read in its condition.
    pub(crate) fn ruled_need(&mut self, env: &mut Env, clause: &ast::Clause) -> Option<(Need, bool)> {
        let ast::ClauseKind::Need { when, condition, reason } = &clause.kind else {
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", clause.span, "only `needs …` may stand here")
                    .help("exceptions and modifiers belong to rules that give a value"),
            );
            return None;
        };
        let mark = env.mark();
        let (case, of_case) = match when {
            None => (None, false),
            Some(when) => {
                let (checked, ruled) = self.ruled_flag(env, when);
                let case = self.or_hole(env, checked, when, Type::of(Base::Flag));
                // The need is asked only in this case, so what is asked in the case is there.
                self.decided(env, &case, ruled, None);
                self.suppose(env, &case, true, ruled);
                (Some(case), ruled)
            }
        };
        let (condition, ruled) = self.ruled_flag(env, condition);
        if let (Some(_), Some(condition)) = (&case, &condition) {
            self.decided(env, condition, ruled || of_case, None);
        }
        let reason = reason.as_ref().map(|text| self.text(env, text));
        env.back(&mark, BRACES);
        let ruled = ruled || of_case;
        let condition = match (case, condition) {
            (Some(case), Some(condition)) => Some(in_case(case, condition)),
            (_, condition) => condition,
        };
        let need = Need {
            label: clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default(),
            condition: condition?,
            reason,
            cites: cited(&clause.cites),
            span: clause.span,
        };
        Some((need, ruled))
    }
}

/// A need that binds only in a case. A permission keeps its place, so that it can give its reason.
fn in_case(case: Expr, condition: Expr) -> Expr {
    let (span, ty) = (condition.span, condition.ty);
    if ty.base != Base::Permission {
        let denied = case.span.before();
        return build::or(vec![build::not(case, denied), condition], span);
    }
    let always = build::flag(true, span);
    match build::constant(&case) {
        Some(true) => condition,
        Some(false) => always,
        None => {
            let parts = (Box::new(case), Box::new(condition), Box::new(always));
            Expr { kind: ExprKind::Choice(parts.0, parts.1, parts.2), ty, span }
        }
    }
}

/// Whether what something is taken from hangs on a variable.
fn asks_of(binder: &Binder, local: LocalId) -> bool {
    binder.filter.as_ref().is_some_and(|filter| filter.mentions(local))
}

/// Whether a block sets or does something, besides going on.
fn does_anything(block: &ast::Block) -> bool {
    let acts = |statement: &ast::Statement| {
        !matches!(
            statement.kind,
            ast::StatementKind::Stop | ast::StatementKind::Return(_) | ast::StatementKind::Say { .. }
        )
    };
    block.statements.iter().any(acts)
}
