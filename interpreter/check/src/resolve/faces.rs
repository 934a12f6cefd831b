//! Who sees the faces of a kind, and what stands on the backs.

use blazon_book::build::{self, constant};
use blazon_book::{
    Base, ColumnId, Expr, ExprKind, KindId, Local, LocalId, Rule, RuleBody, RuleId, Seen, Type,
};
use blazon_diagnostics::{Article, Diagnostic, Span};
use blazon_syntax::ast::{self, Back, ClauseKind, Name};

use crate::resolve::checker::{Checker, Function, Signature};

impl Checker<'_> {
    /// Who sees the faces of all kinds, and what stands on the backs.
    pub(crate) fn hidden_faces(&mut self) {
        let merged = self.merged;
        for (place, kind) in merged.kinds.iter().enumerate() {
            if let Some(seen) = &kind.seen {
                self.kinds[place].seen = Some(self.seen(KindId(place as u32), &seen.rule));
            }
            if let Some(back) = &kind.back {
                self.back(KindId(place as u32), &back.rule);
                if kind.seen.is_none() {
                    self.back_of_the_open(&kind.name, back.rule.span);
                }
            }
        }
    }

    /// Warns of a back where everybody sees the face: it was meant to be hidden.
    fn back_of_the_open(&mut self, kind: &Name, back: Span) {
        let kind = &kind.text;
        let message = format!("everybody sees the face of {}, so its back shows nowhere", Article(kind));
        let help = format!("say who sees it, `seen by v: v = {kind}.…`, or take the back out");
        self.warn(Diagnostic::warning("rules::dead", back, message).help(help));
    }

    /// Who sees a thing of a kind.
    fn seen(&mut self, kind: KindId, rule: &ast::Rule) -> Seen {
        for clause in rule.clauses.iter().filter(|clause| matches!(clause.kind, ClauseKind::Known { .. })) {
            self.diagnostics.push(
                Diagnostic::error(
                    "types::mismatch",
                    clause.span,
                    "who sees a face is known to all in any case",
                )
                .help("take the line out; to let all see a face, write `except label: yes if …`"),
            );
        }
        let types = [self.player, kind].map(|kind| Type::of(Base::Thing(kind)));
        let params = rule.params.iter().map(|param| param.name.text.clone()).zip(types).collect();
        let name = rule.name.text.clone();
        let signature = Signature { name, params, ty: Some(Type::of(Base::Flag)), span: rule.name.span };
        let checked = self.checked_rule(rule, signature);
        let locals = checked.locals.clone();
        if let Some(when) = written_out(&checked) {
            let has_clauses =
                matches!(&checked.body, RuleBody::Value { exceptions, .. } if !exceptions.is_empty());
            let rule = has_clauses.then(|| self.add_rule(checked));
            return Seen { locals, when, rule };
        }
        let span = checked.span;
        let id = self.add_rule(checked);
        Seen { when: asked(id, &locals, span), locals, rule: Some(id) }
    }

    /// What stands on the back of a kind: what is printed there first, with what clauses add and without what they take.
    fn back(&mut self, kind: KindId, rule: &ast::Rule) {
        let mut names: Vec<&Name> = rule.base.iter().flat_map(Back::names).collect();
        let printed = names.len();
        let mut taken: Vec<&Name> = Vec::new();
        for clause in &rule.clauses {
            let ClauseKind::Modify { minus, value, when } = &clause.kind else { continue };
            if let Some(when) = when {
                self.back_condition(when);
            }
            for name in Back::names(value) {
                let is_there = names[..printed].iter().any(|old| old.text == name.text);
                if !minus && is_there {
                    self.needless(name, "the back shows this already");
                }
                if *minus { &mut taken } else { &mut names }.push(name);
            }
        }
        for name in &taken {
            let is_known = self.on_back(kind, name).is_some();
            if is_known && !names.iter().any(|old| old.text == name.text) {
                self.needless(name, "the back does not show this");
            }
        }
        for name in names {
            if let Some(found) = self.on_back(kind, name)
                && !taken.iter().any(|other| other.text == name.text)
            {
                self.show_on_back(kind, found);
            }
        }
    }

    fn show_on_back(&mut self, kind: KindId, found: Shown) {
        let info = &mut self.kinds[kind.0 as usize];
        match found {
            Shown::Name => info.name_on_back = true,
            Shown::Column(column) if !info.back.contains(&column) => info.back.push(column),
            Shown::Column(_) => {}
        }
    }

    /// Backs are the same for the whole game.
    fn back_condition(&mut self, when: &ast::Expr) {
        self.diagnostics.push(
            Diagnostic::error("types::mismatch", when.span, "what a back shows hangs on no condition")
                .label("this condition")
                .help("take it out; or let everybody see the whole face while it holds: `except label: yes if …` below `seen by`"),
        );
    }

    /// A name in a clause that changes nothing.
    fn needless(&mut self, name: &Name, message: &str) {
        self.diagnostics.push(
            Diagnostic::warning("rules::dead", name.span, message.to_owned())
                .label("so this changes nothing")
                .help("mend the name, or take it out"),
        );
    }

    /// What a name on a back means.
    fn on_back(&mut self, kind: KindId, name: &Name) -> Option<Shown> {
        if name.text == "name" {
            return Some(Shown::Name);
        }
        let named =
            |column: &blazon_book::Column| column.name == name.text && column.keys.first() == Some(&kind);
        if let Some(column) = self.columns.iter().position(named) {
            let column = ColumnId(column as u32);
            self.used.note(Function::Column(column));
            self.use_function(name.span, Function::Column(column));
            return Some(Shown::Column(column));
        }
        let askable = self.askable(kind);
        let near = self.merged.guesses.near_miss(&name.text, askable.iter().map(String::as_str));
        let near = near.map(str::to_owned);
        let of = Article(&self.kinds[kind.0 as usize].name).to_string();
        let message = format!("{of} has no fact or state `{}` to show on its back", name.text);
        let mut diagnostic = Diagnostic::error("names::unknown", name.span, message);
        if let Some(near) = near {
            diagnostic = diagnostic.did_you_mean(near);
        }
        self.diagnostics.push(diagnostic);
        None
    }
}

/// What stands on a back.
#[derive(Clone, Copy)]
enum Shown {
    /// The name of the thing.
    Name,
    /// A fact or state of it.
    Column(ColumnId),
}

/// A rule that says who sees a thing as one condition: its value, if it has no exceptions; where all of them say yes, or
/// all say no, none disputes another, and whichever holds decides.
fn written_out(rule: &Rule) -> Option<Expr> {
    let RuleBody::Value { base, exceptions, .. } = &rule.body else { return None };
    let said: Option<Vec<bool>> = exceptions.iter().map(|exception| constant(&exception.value)).collect();
    let (said, span) = (said?, base.span);
    let whens = exceptions
        .iter()
        .map(|exception| exception.when.clone().unwrap_or_else(|| build::flag(true, exception.span)));
    match said[..] {
        [] => Some(base.clone()),
        [first, ..] if said.iter().any(|other| *other != first) => None,
        [true, ..] => Some(build::or([base.clone()].into_iter().chain(whens).collect(), span)),
        [false, ..] => {
            let nots = whens.map(|when| {
                let at = when.span;
                build::not(when, at)
            });
            Some(build::and([base.clone()].into_iter().chain(nots).collect(), span))
        }
    }
}

/// A rule of the viewer and the thing, asked of them.
fn asked(rule: RuleId, locals: &[Local], span: Span) -> Expr {
    let local =
        |place: u32| Expr { kind: ExprKind::Local(LocalId(place)), ty: locals[place as usize].ty, span };
    Expr { kind: ExprKind::Rule(rule, vec![local(0), local(1)]), ty: Type::of(Base::Flag), span }
}
