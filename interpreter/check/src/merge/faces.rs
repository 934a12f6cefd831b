//! Who sees what of a kind: `seen by` is a rule of the viewer and the thing, and `back` one whose answer is a set of names.
//! The kind only names them. So their clauses are written, added, replaced, removed, woven and printed as those of rules.

use std::sync::Arc;

use blazon_diagnostics::{Article, Span};
use blazon_syntax::ast::{self, Name, Param, Rule, Type, TypeKind};

use crate::merge::merged::MergedRule;
use crate::project::Layer;

/// One of the two rules that a kind names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// `seen by v: …`
    Seen,
    /// `back: …`
    Back,
}

impl Side {
    /// The words that it begins with.
    pub fn words(self) -> &'static str {
        match self {
            Self::Seen => "seen by",
            Self::Back => "back",
        }
    }
}

/// The rule that a line of a kind's body is; none for facts and states.
pub(crate) fn rule_of(kind: &Name, member: &ast::Member) -> Option<(Side, Rule)> {
    let rule = |text, params, base, clauses: &[ast::Clause], cites: &[ast::Cite], span: Span, end| Rule {
        name: Name { text, span: Span { end, ..span } },
        params,
        ty: named("flag", span),
        title: None,
        base: Some(base),
        rows: Vec::new(),
        clauses: clauses.to_vec(),
        cites: cites.to_vec(),
        span,
    };
    let article = Article(&kind.text);
    match member {
        ast::Member::Seen(seen) => {
            let (name, end) = (format!("who sees {article}"), seen.viewer.span.end);
            let params = heading(kind, &seen.viewer);
            Some((
                Side::Seen,
                rule(name, params, seen.when.clone(), &seen.clauses, &seen.cites, seen.span, end),
            ))
        }
        ast::Member::Back(back) => {
            let name = format!("the back of {article}");
            let base = ast::Back::listed(&back.names, back.span);
            let end = back.span.start + Side::Back.words().len() as u32;
            Some((Side::Back, rule(name, Vec::new(), base, &back.clauses, &back.cites, back.span, end)))
        }
        ast::Member::Fact(_) | ast::Member::State(_) => None,
    }
}

/// The parameters of the rule that says who sees a thing of a kind: the viewer, and the thing under the name of its kind.
pub(crate) fn heading(kind: &Name, viewer: &Name) -> Vec<Param> {
    let viewer = Param { name: viewer.clone(), ty: named("player", viewer.span) };
    let thing = Param { name: kind.clone(), ty: named(&kind.text, kind.span) };
    vec![viewer, thing]
}

/// Adds to one of the two what another page says of it: a game adds to the back that its library gives.
pub(crate) fn join(old: &mut MergedRule, more: Rule) {
    let bases = [&old.rule.base, &more.base].into_iter().flatten();
    let names: Vec<Name> = bases.flat_map(ast::Back::names).cloned().collect();
    let base = ast::Back::listed(&names, old.rule.span);
    let rule = Arc::make_mut(&mut old.rule);
    rule.base = Some(base);
    rule.clauses.extend(more.clauses);
    rule.cites.extend(more.cites);
}

/// One of the two as it is declared.
pub(crate) fn declared(rule: Rule, layer: Layer) -> MergedRule {
    MergedRule { rule: rule.into(), layer, promised: None, is_amended: false, edits: Vec::new() }
}

/// A type that nobody writes.
fn named(text: &str, span: Span) -> Type {
    Type { kind: TypeKind::Named(Name { text: text.to_owned(), span }), optional: false, span }
}
