//! Slips of the pen that are no errors: the page can be played, but what stands there says nothing, or something else than
//! it seems to. Conditions that do not ask of what is gone through, names that hide others or that nothing uses, things
//! compared with themselves, states that nothing sets.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use blazon_book::walk::ExprKey;
use blazon_book::{Arithmetic, AssignOp, Base, ColumnId, Comparison, Expr, ExprKind, LocalId, Type, Value};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::hygiene::plain;
use crate::project::Layer;
use crate::resolve::checker::Checker;
use crate::resolve::env::Env;

impl Checker<'_> {
    /// Binds a variable that the text names; warns if another of this name is known there, which it hides.
    pub(crate) fn bind(&mut self, env: &mut Env, name: &ast::Name, ty: Type) -> LocalId {
        // What a change names by `let` is its own, but may hide a parameter from its own lines.
        let hidden = env
            .find(&name.text)
            .or_else(|| env.find(plain(&name.text)))
            .map(|local| env.spans[local.0 as usize]);
        if let Some(first) = hidden.filter(|span| *span != Span::default() && *span != name.span) {
            let message = format!("`{0}` is known here already: this hides it", plain(&name.text));
            let said = Diagnostic::warning("names::twice", name.span, message)
                .related(first, "the other comes up here")
                .help("give one of them another name");
            self.warn(said);
        }
        env.bind_name(name, ty)
    }

    /// How often the text has named a variable so far.
    pub(crate) fn times_named(&self, env: &Env, local: LocalId) -> usize {
        self.named.get(&env.spans[local.0 as usize]).copied().unwrap_or_default()
    }

    /// Warns of a part of a query, a loop or an option that is asked for each of its things, and does not ask of them: it
    /// has not named the variable since it was named so many `times`.
    fn asks_of(&mut self, env: &Env, local: LocalId, times: usize, part: Span, help: &str) {
        if self.times_named(env, local) > times {
            return;
        }
        let name = &env.locals[local.0 as usize].name;
        let message = format!("this does not ask of `{name}`: it is the same for each");
        self.warn(Diagnostic::warning("lint::same-for-each", part, message).help(help));
    }

    /// Warns of a condition that does not ask of the variable before it.
    pub(crate) fn condition_asks(&mut self, env: &Env, local: LocalId, times: usize, part: Span) {
        let name = &env.locals[local.0 as usize].name;
        let help = format!("ask something of `{name}`, or ask this beside it, with `if` or `and`");
        self.asks_of(env, local, times, part, &help);
    }

    /// Warns of the end of a `where` behind `not any` that does not ask of what is looked for: it is read as asked beside the
    /// question, and is turned round with it.
    pub(crate) fn turned_too(&mut self, env: &Env, written: &ast::Query, asked: &Expr) {
        let (ast::Quantifier::Any, Some(name), ExprKind::Query(query)) =
            (written.quantifier, &written.name, &asked.kind)
        else {
            return;
        };
        let Some(ExprKind::And(parts)) = query.filter.as_ref().map(|filter| &filter.kind) else { return };
        let asks = |part: &&Expr| part.mentions(query.local);
        let (Some(last), true) = (parts.last(), parts.iter().any(|part| asks(&part))) else { return };
        // What changes have put there has no place of its own.
        let is_written = written.filter.as_ref().is_some_and(|filter| filter.span.end == last.span.end);
        if asks(&last) || !is_written || env.locals.get(query.local.0 as usize).is_none() {
            return;
        }
        let words = self.parsed.sources.slice(last.span);
        let message = format!(
            "this is asked within `where`, and `not` turns it round, too: it is so if `{words}` is not"
        );
        let help = format!(
            "asked beside it, it stands first, or behind brackets: `{words} and not any {0} in …`; if it belongs to the `where`, \
             put it before what asks of `{0}`",
            name.text
        );
        self.warn(Diagnostic::warning("lint::same-for-each", last.span, message).help(help));
    }

    /// As [`Self::condition_asks`], for a loop, whose condition is asked at each turn: what the turns before may have changed
    /// is not the same for each.
    pub(crate) fn filter_asks(
        &mut self,
        env: &Env,
        local: LocalId,
        times: usize,
        filter: &Expr,
        body: &ast::Block,
    ) {
        let (key, changed) = (ExprKey::of(filter), self.writes.between_turns(body));
        let changes = |column| self.is_written_in(&changed, column);
        if changed.is_empty() || !key.asks_rules() && !key.columns().any(changes) {
            self.condition_asks(env, local, times, filter.span);
        }
    }

    /// Warns of a variable of an option that its line does not tell, so that several lines read alike, and of one that neither
    /// needs nor what is done ask for.
    pub(crate) fn taken_for_nothing(&mut self, env: &Env, local: LocalId, is_told: bool, is_taken: bool) {
        let (name, span) = (&env.locals[local.0 as usize].name, env.spans[local.0 as usize]);
        let (message, help) = match (is_told, is_taken) {
            (_, false) => (
                format!("whichever `{name}` is taken, the option does the same"),
                format!("do something with `{name}`, or take it out of the option"),
            ),
            (false, true) => (
                format!("the option's line does not tell `{name}`: for each of them it reads the same"),
                format!(
                    "name it in the line: `{{{name}}}`; without a line of its own an option tells all that it takes"
                ),
            ),
            (true, true) => return,
        };
        self.warn(Diagnostic::warning("lint::same-for-each", span, message).help(help));
    }

    /// Warns of a key that does not ask of the variable of its query.
    pub(crate) fn key_asks(&mut self, env: &Env, local: LocalId, times: usize, query: &ast::Query) {
        let (Some(name), Some(key)) = (&query.name, query.by.first()) else { return };
        let sources = &self.parsed.sources;
        let counted = match &query.filter {
            Some(filter) => sources.slice(name.span.to(filter.span)),
            None => sources.slice(query.source.span),
        };
        let help = if query.quantifier == ast::Quantifier::Total {
            format!("write how often: `{} * count {counted}`", sources.slice(key.span))
        } else {
            format!("ask something of `{}`", name.text)
        };
        self.asks_of(env, local, times, key.span, &help);
    }

    /// Warns of something that is compared with itself. Whether it was.
    pub(crate) fn with_itself(&mut self, op: Comparison, a: &Expr, b: &Expr, span: Span) -> bool {
        let is_same = self.are_same(a, b);
        if is_same && !is_written_number(a) {
            let how = match op {
                Comparison::Equal | Comparison::AtMost => "always",
                Comparison::NotEqual | Comparison::Less => "never",
            };
            let label = "both sides are the same".to_owned();
            self.is_settled(span, &format!("this {how} holds"), label, "compare with something else");
        }
        is_same
    }

    /// Warns of what is named twice in a list.
    pub(crate) fn listed_twice(&mut self, listed: &[Expr], message: &str) {
        let mut first: HashMap<ExprKey, Span> = HashMap::new();
        for item in listed {
            match first.entry(ExprKey::of(item)) {
                Entry::Vacant(empty) => drop(empty.insert(item.span)),
                Entry::Occupied(other) => {
                    let said = Diagnostic::warning("lint::settled", item.span, message)
                        .related(*other.get(), "the first time")
                        .help("take one of them out; or another was meant");
                    self.warn(said);
                }
            }
        }
    }

    /// Whether two expressions are written alike, at two places, and mean the same.
    pub(crate) fn are_same(&self, a: &Expr, b: &Expr) -> bool {
        // The text is looked at first: of a long chain each part is compared with all before it.
        let [one, other] = [a, b].map(|side| self.parsed.sources.slice(side.span));
        a.span != b.span && one == other && ExprKey::of(a) == ExprKey::of(b)
    }

    /// Notes a variable that `let` names: something should use it.
    pub(crate) fn named_by_let(&mut self, name: &ast::Name) {
        self.lets.insert(name.span, name.text.clone());
    }

    /// Warns of a state that nothing asks for.
    pub(crate) fn only_set(&mut self, name: &ast::Name) {
        let message = format!("nothing asks for the state `{}`: it is only set", name.text);
        self.if_right.push(idle(name.span, message));
    }

    /// Warns of a state that nothing sets.
    pub(crate) fn never_set(&mut self, name: &ast::Name) {
        let message = format!("nothing sets the state `{}`: it stays as it starts", name.text);
        let said = Diagnostic::warning("lint::never-set", name.span, message);
        let help = "set it in a step or a setup; what never changes is a fact or a rule";
        self.if_right.push(said.help(help));
    }

    /// Warns of a change that leaves a state as it is.
    pub(crate) fn sets_the_same(
        &mut self,
        (column, keys): (ColumnId, &[Expr]),
        op: AssignOp,
        value: &Value,
        span: Span,
    ) {
        let Value::Expr(value) = value else { return };
        let leaves = match op {
            AssignOp::Set => is_state(value, column, keys),
            // A ruling may be 0 in one reading.
            AssignOp::Add | AssignOp::Take => self.parsed.sources.slice(value.span) == "0",
        };
        let takes_all = |side: &Expr| is_state(side, column, keys);
        if let (AssignOp::Take, ExprKind::Arithmetic(Arithmetic::Max, a, b)) = (op, &value.kind)
            && (takes_all(a) || takes_all(b))
        {
            let message = "this takes all there is, or more";
            let help = "`min` takes what is wanted and no more than there is: `x -= min(2, x)`";
            self.is_settled(value.span, message, "no less than the whole".to_owned(), help);
        }
        if leaves {
            let said = Diagnostic::warning("lint::changes-nothing", span, "this leaves the state as it is");
            self.warn(said.help("set it to something else, or take the line out"));
        }
    }

    /// Warns of two halves that say the same, where the page joins them by this word: what changes are put together of may
    /// ask twice. What hangs on a ruling is otherwise in another reading.
    pub(crate) fn same_halves(&mut self, word: &str, a: &Expr, b: &Expr, is_ruled: bool, span: Span) {
        let between = Span { start: a.span.end, end: b.span.start, ..a.span };
        let is_behind = a.span.source == b.span.source && between.start < between.end && !a.span.is_empty();
        let is_written = is_behind && {
            let signs = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
            self.parsed.sources.slice(between).trim_matches(signs) == word
        };
        if !is_written {
            // What stands under a condition asks the contrary.
            if is_behind && word == "and" && !is_ruled {
                self.never_under(a, b);
            }
            return;
        }
        if self.are_same(a, b) {
            let said =
                Diagnostic::warning("lint::settled", span, format!("both sides of `{word}` are the same"));
            self.warn(said.help("one of them was meant to be something else, or is not needed"));
        } else if !is_ruled && let Some(never) = self.never_both((word == "and", a), (word == "and", b)) {
            let (how, apart, help) = match word {
                "and" => (
                    "never",
                    "no number does for both",
                    "join them with `or`, if either will do; or one was meant to ask something else",
                ),
                _ => (
                    "always",
                    "every number does for one of them",
                    "join them with `and`, if it shall be neither; or one was meant to ask something else",
                ),
            };
            let said = Diagnostic::warning("lint::settled", span, format!("this {how} holds"));
            self.warn(said.label(never.said(apart)).help(help));
        }
    }

    /// Warns of a slip. Whoever plays by the library cannot mend it.
    pub(crate) fn warn(&mut self, said: Diagnostic) {
        let source = said.span.map(|span| span.source);
        if source.is_some_and(|source| self.parsed.layer_of(source) != Some(Layer::Library)) {
            self.diagnostics.push(said);
        }
    }
}

/// The warning of something that nothing uses.
pub(crate) fn idle(span: Span, message: String) -> Diagnostic {
    let said = Diagnostic::warning("names::unused", span, message);
    said.help("take it out, or is it misspelt where it is meant?")
}

/// Whether an expression is a number that stands on the page.
pub(crate) fn is_written_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Word(_)) && matches!(expr.ty.base, Base::Number(..))
}

/// Whether an expression is what a state is.
fn is_state(expr: &Expr, column: ColumnId, keys: &[Expr]) -> bool {
    let ExprKind::Column(other, of) = &expr.kind else { return false };
    *other == column && of.iter().map(ExprKey::of).eq(keys.iter().map(ExprKey::of))
}
