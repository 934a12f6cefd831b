//! Rules: bases, exceptions, modifiers, permissions; those that are tables stand in [`super::rule_tables`].

use std::collections::{HashMap, HashSet};

use blazon_book::build;
use blazon_book::build::NUMBER;
use blazon_book::walk::ExprKey;
use blazon_book::{Base, Exception, Expr, ExprKind, Modifier, Rule, RuleBody, Type};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;
use indexmap::IndexMap;

use crate::analysis::find_cycles;
use crate::infer::holes::UNKNOWN;
use crate::merge::merged::is_promise;
use crate::merge::print::rule_heading;
use crate::project::Layer;
use crate::resolve::checker::{Checker, Signature};
use crate::resolve::citations::cited;
use crate::resolve::env::{BRACES, Env};

/// The clauses of a rule that gives a value, as far as they are checked.
#[derive(Default)]
struct Clauses<'r> {
    exceptions: Vec<Exception>,
    modifiers: Vec<Modifier>,
    /// The labels that an exception outranks, and its place.
    beats: Vec<(&'r [ast::Name], usize)>,
    /// Whether one of them is wrong.
    broken: bool,
}

/// What stands before the value of a clause.
#[derive(Clone, Copy)]
enum Sort<'r> {
    /// `except`, and what it outranks.
    Exception(&'r [ast::Name]),
    /// `+` or `-`; whether it takes away.
    Modifier(bool),
}

impl Clauses<'_> {
    /// Keeps a clause of which not all could be typed.
    fn keep(&mut self, clause: &ast::Clause, value: Expr, when: Option<Expr>) {
        let label = clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default();
        let cites = clause.cites.iter().map(|cite| cite.text.clone()).collect();
        let span = clause.span;
        match &clause.kind {
            ast::ClauseKind::Except { .. } => {
                self.exceptions.push(Exception { label, beats: Vec::new(), value, when, cites, span });
            }
            ast::ClauseKind::Modify { minus, .. } => {
                self.modifiers.push(Modifier { label, minus: *minus, value, when, cites, span });
            }
            ast::ClauseKind::Need { .. } | ast::ClauseKind::Known { .. } => {}
        }
    }
}

impl Checker<'_> {
    /// Checks the body of the rule at a place of the merged tree.
    pub(crate) fn rule(&mut self, place: usize) -> Rule {
        let merged = self.merged;
        let signature = self.rules[place].clone();
        self.checked_rule(&merged.rules[place].rule, signature)
    }

    /// Checks the body of a rule.
    pub(crate) fn checked_rule(&mut self, rule: &ast::Rule, signature: Signature) -> Rule {
        let mut env = Env::default();
        for ((_, ty), param) in signature.params.iter().zip(&rule.params) {
            env.bind_name(&param.name, *ty);
        }
        let params = signature.params.len();
        let (body, complete) = match signature.ty {
            Some(ty) => self.rule_body(&mut env, rule, ty),
            None => self.quietly(|checker| (checker.value_rule(&mut env, rule, UNKNOWN).0, false)),
        };
        let known = self.releases(&mut env, rule);
        self.is_partial |= !complete;
        let last = rule.clauses.last().map_or(rule.span, |clause| clause.span);
        let span = rule.base.as_ref().map_or(rule.span, |base| rule.span.to(base.span)).to(last);
        self.note_scope(&env, span);
        let cites = cited(&rule.cites);
        let checked = Rule {
            name: signature.name,
            title: rule.title.as_ref().and_then(ast::Text::plain),
            params,
            locals: env.locals,
            ty: signature.ty.unwrap_or(UNKNOWN),
            known,
            body,
            cites,
            span: rule.span,
        };
        if complete {
            self.rule_range(&checked);
        }
        checked
    }

    /// Where a rule says that its answer is known to all.
    fn releases(&mut self, env: &mut Env, rule: &ast::Rule) -> Vec<blazon_book::Release> {
        let mut releases = Vec::new();
        for clause in &rule.clauses {
            let ast::ClauseKind::Known { when } = &clause.kind else { continue };
            let when = match when {
                None => None,
                Some(written) => {
                    let checked = self.flag(env, written);
                    Some(self.or_hole(env, checked, written, Type::of(Base::Flag)))
                }
            };
            let cites = cited(&clause.cites);
            releases.push(blazon_book::Release { when, cites, span: clause.span });
        }
        releases
    }

    /// How a rule is answered; and whether all of it could be typed.
    fn rule_body(&mut self, env: &mut Env, rule: &ast::Rule, ty: Type) -> (RuleBody, bool) {
        if is_promise(rule) {
            let is_of_library = self.parsed.layer_of(rule.name.span.source) == Some(Layer::Library);
            let said = match is_of_library {
                true => {
                    let message = format!(
                        "the library leaves `{}` to the game, and the game does not say it",
                        rule.name.text
                    );
                    let said = Diagnostic::error("rules::promise", rule.name.span, message);
                    said.label("promised here")
                        .help(format!("write in the game: `rule {} = …`", rule_heading(rule)))
                }
                false => {
                    let message = format!("nothing says what `{}` gives", rule.name.text);
                    Diagnostic::error("rules::no-value", rule.name.span, message).help(format!(
                        "write the value behind its heading: `rule {} = …`",
                        rule_heading(rule)
                    ))
                }
            };
            self.diagnostics.push(said);
            return self.quietly(|checker| (checker.value_rule(env, rule, ty).0, false));
        }
        if ty.base == Base::Permission {
            return (self.permission(env, rule), true);
        }
        if !rule.rows.is_empty() {
            return match self.rule_table(env, rule, ty) {
                Some(table) => (table, true),
                None => (self.table_hole(rule, ty), false),
            };
        }
        self.value_rule(env, rule, ty)
    }

    fn permission(&mut self, env: &mut Env, rule: &ast::Rule) -> RuleBody {
        let mut needs = Vec::new();
        let never = format!("`{}` never permits anything", rule.name.text);
        if let Some(base) = &rule.base {
            self.diagnostics.push(
                Diagnostic::error("types::mismatch", base.span, "a permission has no value of its own")
                    .help("write its conditions as `needs label: … else \"…\"`"),
            );
        }
        for clause in &rule.clauses {
            if matches!(clause.kind, ast::ClauseKind::Known { .. }) {
                continue;
            }
            if let Some((mut need, ruled)) = self.ruled_need(env, clause) {
                if need.cites.is_empty() {
                    need.cites = rule.cites.iter().map(|cite| cite.text.clone()).collect();
                }
                self.decided(env, &need.condition, ruled, Some(&never));
                self.asks_no_more(env, &need.condition, ruled);
                self.suppose(env, &need.condition, true, ruled);
                if build::constant(&need.condition) != Some(true) {
                    needs.push(need);
                }
            } else {
                needs.push(self.need_hole(env, clause));
            }
        }
        RuleBody::Permission(needs)
    }

    /// A base with its clauses; and whether all of it could be typed.
    fn value_rule(&mut self, env: &mut Env, rule: &ast::Rule, ty: Type) -> (RuleBody, bool) {
        let (base, mut complete) = match &rule.base {
            Some(base) => {
                let checked = self.typed(env, base, ty);
                let complete = checked.is_some();
                (self.or_hole(env, checked, base, ty), complete)
            }
            None => {
                self.error(
                    "rules::no-value",
                    rule.name.span,
                    format!("the rule `{}` has clauses but no value", rule.name.text),
                );
                (self.empty_hole(ty, Vec::new(), rule.name.span), false)
            }
        };
        for clause in &rule.clauses {
            let ast::ClauseKind::Except { beats, .. } = &clause.kind else { continue };
            beats.iter().for_each(|name| self.use_label(name, &rule.clauses));
        }
        let mut checked = Clauses::default();
        for clause in &rule.clauses {
            if self.misread_label(env, rule, clause) {
                checked.broken = true;
                self.quietly(|checker| checker.value_clause(env, clause, ty, &mut checked));
            } else {
                self.value_clause(env, clause, ty, &mut checked);
            }
        }
        let Clauses { mut exceptions, mut modifiers, beats, broken } = checked;
        if matches!(ty.base, Base::Set(_)) {
            // Of numbers the order is nothing; a set would hold what is both added and taken, or not, by which comes last.
            modifiers.sort_by_key(|modifier| modifier.minus);
        }
        for (names, place) in beats {
            let outranked = self.outranked(rule, names, place, &exceptions);
            exceptions[place].beats = outranked;
        }
        self.find_beaten(&exceptions);
        self.find_clashes(&exceptions);
        complete &= !broken;
        (RuleBody::Value { base, exceptions, modifiers }, complete)
    }

    /// Checks an exception or a modifier; one that never holds is left out.
    fn value_clause<'r>(
        &mut self,
        env: &mut Env,
        clause: &'r ast::Clause,
        ty: Type,
        checked: &mut Clauses<'r>,
    ) {
        let (sort, value, when) = match &clause.kind {
            ast::ClauseKind::Except { beats, value, when } => (Sort::Exception(beats), value, when),
            ast::ClauseKind::Modify { minus, value, when } => (Sort::Modifier(*minus), value, when),
            ast::ClauseKind::Known { .. } => return,
            ast::ClauseKind::Need { .. } => {
                self.diagnostics.push(
                    Diagnostic::error(
                        "types::mismatch",
                        clause.span,
                        "`needs` belongs to permissions and options",
                    )
                    .help("this rule gives a value: write `except label: … if …`"),
                );
                return;
            }
        };
        let mark = env.mark();
        let (when, holds) = match when {
            None => (None, Some(true)),
            Some(written) => {
                let (Some(when), ruled) = self.ruled_flag(env, written) else {
                    checked.broken = true;
                    let when = self.hole(env, written, Type::of(Base::Flag));
                    let value = self.hole(env, value, ty);
                    checked.keep(clause, value, Some(when));
                    return;
                };
                self.decided(env, &when, ruled, None);
                self.suppose(env, &when, true, ruled);
                let holds = build::constant(&when);
                if holds == Some(false) && !ruled {
                    self.diagnostics.push(
                        Diagnostic::warning("rules::dead", clause.span, "this clause never holds")
                            .help("mend its condition, or take it out"),
                    );
                }
                (Some(when), holds)
            }
        };
        let cites = cited(&clause.cites);
        let want = match sort {
            Sort::Exception(_) => Some(ty),
            Sort::Modifier(_) => self.summand(ty, clause.span),
        };
        let typed = want.and_then(|want| self.typed(env, value, want));
        let Some(value) = typed else {
            checked.broken |= want.is_some();
            let value = self.hole(env, value, want.unwrap_or(UNKNOWN));
            env.back(&mark, BRACES);
            checked.keep(clause, value, when);
            return;
        };
        env.back(&mark, BRACES);
        if holds == Some(false) {
            return;
        }
        let label = clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default();
        let span = clause.span;
        match sort {
            Sort::Exception(names) => {
                checked.beats.push((names, checked.exceptions.len()));
                checked.exceptions.push(Exception { label, beats: Vec::new(), value, when, cites, span });
            }
            Sort::Modifier(minus) => {
                checked.modifiers.push(Modifier { label, minus, value, when, cites, span })
            }
        }
    }

    /// The type of what a modifier adds to a value of a type.
    fn summand(&mut self, ty: Type, span: Span) -> Option<Type> {
        match ty.base {
            Base::Set(_) => Some(ty),
            // Nothing is added to what is absent.
            Base::Number(..) => Some(Type::of(Base::Number(NUMBER.0, NUMBER.1))),
            Base::Flag
            | Base::Thing(_)
            | Base::Dice
            | Base::Die
            | Base::Text
            | Base::Point
            | Base::Permission
            | Base::Numbers
            | Base::Nothing
            | Base::Unknown => {
                self.error("types::mismatch", span, "only numbers and sets can be added to");
                None
            }
        }
    }

    /// The places of the exceptions that one outranks, by their labels.
    fn outranked(
        &mut self,
        rule: &ast::Rule,
        names: &[ast::Name],
        place: usize,
        exceptions: &[Exception],
    ) -> Vec<usize> {
        let mut outranked = Vec::new();
        for name in names {
            let labelled = |clause: &ast::Clause| clause.label.as_ref().is_some_and(|l| l.text == name.text);
            match exceptions.iter().position(|e| e.label == name.text) {
                Some(other) if other != place => outranked.push(other),
                Some(_) => self.error("rules::clash", name.span, "a clause cannot outrank itself"),
                // Its condition may have been decided by a ruling, and then it is gone.
                None if rule.clauses.iter().any(labelled) => {}
                None if self.beaten_is_removed(rule, name) => {}
                None => {
                    let labels = exceptions.iter().map(|e| e.label.as_str());
                    let near = self.merged.guesses.near_miss(&name.text, labels).map(str::to_owned);
                    let mut diagnostic = Diagnostic::error(
                        "names::unknown",
                        name.span,
                        format!("`{}` has no exception `{}` to outrank", rule.name.text, name.text),
                    );
                    if let Some(near) = near {
                        diagnostic = diagnostic.did_you_mean(near);
                    }
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        outranked
    }

    /// Exceptions that outrank each other in a circle: where all of them hold, none would decide.
    fn find_beaten(&mut self, exceptions: &[Exception]) {
        let beats: Vec<Vec<usize>> = exceptions.iter().map(|exception| exception.beats.clone()).collect();
        for circle in find_cycles(&beats) {
            let Some((&last, others)) = circle.split_last() else { continue };
            let names: Vec<String> = others.iter().map(|other| exceptions[*other].label.clone()).collect();
            let message = format!(
                "`{}` outranks itself, by way of {}",
                exceptions[last].label,
                blazon_diagnostics::list(&names, "and")
            );
            let mut said = Diagnostic::error("rules::clash", exceptions[last].span, message)
                .label("where all of these hold, none would decide")
                .help("say of two clauses that can hold together only which of them outranks the other: leave one `beats` out");
            for other in others {
                said = said.related(exceptions[*other].span, format!("`{}`", exceptions[*other].label));
            }
            self.diagnostics.push(said);
        }
    }

    /// Exceptions that surely hold together with different values, without an order. Each is told with the first one
    /// that it clashes with: a page of them would fill a book with pairs.
    fn find_clashes(&mut self, exceptions: &[Exception]) {
        let beaten =
            |(i, e): (usize, &Exception)| e.beats.iter().map(|&b| (i.min(b), i.max(b))).collect::<Vec<_>>();
        let ordered: HashSet<(usize, usize)> = exceptions.iter().enumerate().flat_map(beaten).collect();
        // The exceptions so far that hold whenever a condition does (`None`: always), by their values.
        let mut together: HashMap<Option<ExprKey>, IndexMap<i64, Vec<usize>>> = HashMap::new();
        let mut all: IndexMap<i64, Vec<usize>> = IndexMap::new();
        for (place, exception) in exceptions.iter().enumerate() {
            let ExprKind::Word(value) = exception.value.kind else { continue };
            let when = exception.when.as_ref().map(ExprKey::of);
            let clash = |known: &IndexMap<i64, Vec<usize>>| {
                let others =
                    known.iter().filter(|(other, _)| **other != value).flat_map(|(_, places)| places);
                others.copied().find(|&other| !ordered.contains(&(other, place)))
            };
            let first = match &when {
                None => clash(&all),
                Some(_) => {
                    let found = [&when, &None].map(|key| together.get(key).and_then(clash));
                    found.into_iter().flatten().min()
                }
            };
            if let Some(first) = first {
                self.clash(&exceptions[first], exception, true);
            } else {
                let before = exceptions[..place].iter().enumerate().take(MOST_IMPLIED);
                let mut unordered = before.filter(|(other, _)| !ordered.contains(&(*other, place)));
                let found = unordered
                    .find_map(|(_, other)| Some((other, self.surely_clash(exceptions, [other, exception])?)));
                if let Some((other, is_second)) = found
                    && ![other, exception].iter().any(|clause| self.is_wrong_within(clause.span))
                {
                    self.clash(other, exception, is_second);
                }
            }
            all.entry(value).or_default().push(place);
            together.entry(when).or_default().entry(value).or_default().push(place);
        }
    }

    /// Of two exceptions that say different things, if one holds only where the other does and no third that may hold there
    /// outranks either, whether that is the second.
    fn surely_clash(&self, all: &[Exception], [first, second]: [&Exception; 2]) -> Option<bool> {
        let (ExprKind::Word(a), ExprKind::Word(b)) = (&first.value.kind, &second.value.kind) else {
            return None;
        };
        let (Some(one), Some(other)) = (&first.when, &second.when) else { return None };
        if a == b {
            return None;
        }
        let (narrow, is_second) = match (self.implies(other, one), self.implies(one, other)) {
            (true, _) => (other, true),
            (false, true) => (one, false),
            (false, false) => return None,
        };
        let is_one = |place: &usize| [first, second].iter().any(|one| std::ptr::eq(&all[*place], *one));
        let outranks = |third: &&Exception| third.beats.iter().any(is_one);
        let may_hold = |third: &Exception| third.when.as_ref().is_none_or(|when| self.can_both(narrow, when));
        (!all.iter().filter(outranks).any(may_hold)).then_some(is_second)
    }

    /// Whether something is wrong within a clause, from which more might follow.
    fn is_wrong_within(&self, clause: Span) -> bool {
        let is_there = |said: &Diagnostic| said.is_error() && said.span.is_some_and(|at| clause.contains(at));
        self.diagnostics.iter().any(is_there)
    }

    /// Complains of two exceptions that hold together. It may be the first that holds where the other does not need to, and so
    /// should outrank it.
    fn clash(&mut self, first: &Exception, second: &Exception, is_second: bool) {
        let is_one_layer =
            self.parsed.layer_of(first.span.source) == self.parsed.layer_of(second.span.source);
        let mend = match first.label.is_empty() && !is_one_layer {
            // Who writes a variant cannot give the game's clause a label.
            true => "the first has no label by which it could be outranked: let their conditions exclude each other, or \
                     write the rule anew, `replace rule …`"
                .to_owned(),
            false => {
                let (above, below) = if is_second { (second, first) } else { (first, second) };
                format!("say which outranks the other: `except {} beats {}: …`", label(above), label(below))
            }
        };
        self.diagnostics.push(
            Diagnostic::error(
                "rules::clash",
                second.span,
                "two exceptions hold together and say different things",
            )
            .label("the second")
            .related(first.span, "the first")
            .help(mend),
        );
    }
}

/// An exception is compared in its conditions with so many before it.
const MOST_IMPLIED: usize = 64;

fn label(exception: &Exception) -> &str {
    if exception.label.is_empty() { "label" } else { &exception.label }
}

/// Whether two expressions are the same, wherever they stand and whatever their own variables are called.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    ExprKey::of(a) == ExprKey::of(b)
}
