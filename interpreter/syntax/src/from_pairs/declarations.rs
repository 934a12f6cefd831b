//! Kinds, facts, states, rules, rulings, watches, invariants.

use std::sync::Arc;

use blazon_diagnostics::{Diagnostic, Span};
use blazon_grammar::{Node, Rule};

use super::{Built, Parts, Tree, internal};
use crate::ast::{
    Back, Clause, ClauseKind, Declaration, Fact, Invariant, Kind, Look, Member, Name, Omitted, Param,
    Rule as RuleNode, Ruling, RulingValue, Seen, State, Watch,
};

/// The words of a release, which are its label.
const KNOWN: &str = "known to all";

impl Tree {
    /// A declaration.
    pub(super) fn declaration(&mut self, node: Node<'_>) -> Built<Declaration> {
        let span = self.span(&node);
        Ok(match node.as_rule() {
            Rule::kind => Declaration::Kind(self.kind(node)?),
            Rule::fact => Declaration::Fact(self.fact(node)?),
            Rule::state => Declaration::State(self.state(node)?),
            Rule::rule_item => Declaration::Rule(Arc::new(self.rule(node)?)),
            Rule::step => Declaration::Step(Arc::new(self.step(node)?)),
            Rule::table => Declaration::Table(Arc::new(self.table(node)?)),
            Rule::links => Declaration::Links(Arc::new(self.links(node)?)),
            Rule::grid => Declaration::Grid(Arc::new(self.grid(node)?)),
            Rule::setup => Declaration::Setup(Arc::new(self.setup(node)?)),
            Rule::ruling => Declaration::Ruling(self.ruling(node)?),
            Rule::watch => Declaration::Watch(self.watch(node)?),
            Rule::invariant => Declaration::Invariant(self.invariant(node)?),
            Rule::look => Declaration::Look(self.look(node)?),
            Rule::omitted => Declaration::Omitted(self.omitted(node)?),
            _ => return Err(internal(span)),
        })
    }

    fn kind(&mut self, node: Node<'_>) -> Built<Kind> {
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let name = self.name(&parts.next()?);
        let plural = match parts.take(Rule::plural) {
            Some(plural) => Some(self.only_name(plural)?),
            None => None,
        };
        let ends = match parts.take(Rule::ends) {
            Some(ends) => {
                let mut ends = self.parts(ends);
                Some((self.name(&ends.next()?), self.name(&ends.next()?)))
            }
            None => None,
        };
        let things = parts.take(Rule::things).map(|things| self.things(things)).unwrap_or_default();
        let mut members = Vec::new();
        if let Some(body) = parts.take(Rule::kind_body) {
            let mut body = self.parts(body);
            cites.extend(body.cites());
            for member in body.rest {
                members.push(self.member(member)?);
            }
        }
        let cites = self.close_cites(cites, parts.span);
        Ok(Kind { name, plural, ends, things, members, cites })
    }

    /// The things of a list.
    pub(super) fn things(&mut self, node: Node<'_>) -> Vec<Name> {
        let things = self.parts(node).run(Rule::thing);
        self.names(things)
    }

    fn only_name(&mut self, node: Node<'_>) -> Built<Name> {
        let name = self.parts(node).next()?;
        Ok(self.name(&name))
    }

    /// A line of a kind's body.
    pub(super) fn member(&mut self, node: Node<'_>) -> Built<Member> {
        Ok(match node.as_rule() {
            Rule::fact => Member::Fact(self.fact(node)?),
            Rule::state => Member::State(self.state(node)?),
            Rule::seen => {
                let mut parts = self.parts(node);
                let viewer = self.name(&parts.next()?);
                let when = self.expr(parts.next()?)?;
                let own = parts.cites();
                let span = Span { end: when.span.end, ..parts.span };
                let clauses = self.clauses(&mut parts)?;
                let cites = self.close_cites(own, parts.span);
                Member::Seen(Seen { viewer, when, clauses, cites, span })
            }
            Rule::back => {
                let mut parts = self.parts(node);
                let names = self.back_names(parts.next()?);
                let own = parts.cites();
                let end = names.last().map_or(parts.span.end, |name| name.span.end);
                let span = Span { end, ..parts.span };
                let clauses = self.clauses(&mut parts)?;
                let cites = self.close_cites(own, parts.span);
                Member::Back(Back { names, clauses, cites, span })
            }
            _ => return Err(internal(self.span(&node))),
        })
    }

    /// The clauses that stand below something.
    fn clauses(&mut self, parts: &mut Parts<'_>) -> Built<Vec<Clause>> {
        parts.rest.by_ref().map(|clause| self.clause(clause)).collect()
    }

    fn back_names(&mut self, node: Node<'_>) -> Vec<Name> {
        let names = self.parts(node).run(Rule::name);
        self.names(names)
    }

    fn keys(&mut self, node: Option<Node<'_>>) -> Vec<Name> {
        let Some(node) = node else { return Vec::new() };
        let keys = self.parts(node).run(Rule::name);
        self.names(keys)
    }

    pub(super) fn fact(&mut self, node: Node<'_>) -> Built<Fact> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let keys = self.keys(parts.take(Rule::keys));
        let ty = self.ty(parts.next()?)?;
        let value = parts.take(Rule::expr).map(|value| self.expr(value)).transpose()?;
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Fact { name, keys, ty, value, cites, span: parts.span })
    }

    pub(super) fn state(&mut self, node: Node<'_>) -> Built<State> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let keys = self.keys(parts.take(Rule::keys));
        let ty = self.ty(parts.next()?)?;
        let start = parts.take(Rule::expr).map(|value| self.expr(value)).transpose()?;
        let fresh = self.keys(parts.take(Rule::fresh));
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(State { name, keys, ty, start, fresh, cites, span: parts.span })
    }

    fn rule(&mut self, node: Node<'_>) -> Built<RuleNode> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let params = self.params(parts.take(Rule::params))?;
        let last = parts.next()?;
        let mut span = parts.span;
        span.end = self.span(&last).end;
        let ty = self.ty(last)?;
        let title = match parts.take(Rule::title) {
            Some(title) => {
                let text = self.parts(title).next()?;
                Some(self.words(text)?)
            }
            None => None,
        };
        span.end = title.as_ref().map_or(span.end, |title| title.span.end);
        let base = match parts.take(Rule::expr) {
            Some(base) => {
                span.end = self.span(&base).end;
                Some(self.expr(base)?)
            }
            None => None,
        };
        let own = parts.cites();
        let (mut rows, mut clauses) = (Vec::new(), Vec::new());
        for part in parts.rest {
            if part.as_rule() == Rule::row {
                rows.push(self.row(part)?);
            } else {
                clauses.push(self.clause(part)?);
            }
        }
        let cites = self.close_cites(own, parts.span);
        Ok(RuleNode { name, params, ty, title, base, rows, clauses, cites, span })
    }

    /// The parameters of a rule or step.
    pub(super) fn params(&mut self, node: Option<Node<'_>>) -> Built<Vec<Param>> {
        let Some(node) = node else { return Ok(Vec::new()) };
        let mut params = Vec::new();
        for param in self.parts(node).run(Rule::param) {
            let mut parts = self.parts(param);
            let name = self.name(&parts.next()?);
            params.push(Param { name, ty: self.ty(parts.next()?)? });
        }
        Ok(params)
    }

    /// An exception, a modifier, a need or a release.
    pub(super) fn clause(&mut self, node: Node<'_>) -> Built<Clause> {
        let rule = node.as_rule();
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let mut label = None;
        let kind = match rule {
            Rule::exception => {
                let mut beats = Vec::new();
                if let Some(beating) = parts.take(Rule::beating) {
                    let mut beating = self.parts(beating);
                    label = Some(self.name(&beating.next()?));
                    if let Some(beaten) = beating.take(Rule::beaten) {
                        let names = self.parts(beaten).run(Rule::label_name);
                        beats = self.names(names);
                    }
                }
                let value = self.expr(parts.next()?)?;
                ClauseKind::Except {
                    beats,
                    value,
                    when: self.condition(parts.take(Rule::condition), &mut cites)?,
                }
            }
            Rule::modifier => {
                let minus = parts.next()?.as_str().trim() == "-";
                label = self.label(parts.take(Rule::label))?;
                let value = self.expr(parts.next()?)?;
                ClauseKind::Modify {
                    minus,
                    value,
                    when: self.condition(parts.take(Rule::condition), &mut cites)?,
                }
            }
            Rule::back_clause => {
                let minus = parts.next()?.as_str().trim() == "-";
                label = self.label(parts.take(Rule::label))?;
                let names = parts.next()?;
                let span = self.span(&names);
                let names = self.back_names(names);
                ClauseKind::Modify {
                    minus,
                    value: Back::listed(&names, span),
                    when: self.condition(parts.take(Rule::condition), &mut cites)?,
                }
            }
            Rule::need => {
                let mut when = None;
                if let Some(case) = parts.take(Rule::need_case) {
                    let mut case = self.parts(case);
                    label = case.take(Rule::label_name).map(|name| self.name(&name));
                    when = Some(self.expr(case.next()?)?);
                } else {
                    label = self.label(parts.take(Rule::label))?;
                }
                let condition = self.expr(parts.next()?)?;
                let reason = parts.take(Rule::text).map(|reason| self.text(reason)).transpose()?;
                ClauseKind::Need { when, condition, reason }
            }
            Rule::known => {
                let when = self.condition(parts.take(Rule::condition), &mut cites)?;
                label = Some(Name { text: KNOWN.to_owned(), span: parts.span });
                ClauseKind::Known { when }
            }
            _ => return Err(internal(parts.span)),
        };
        let cites = self.close_cites(cites, parts.span);
        Ok(Clause { kind, label, cites, span: parts.span })
    }

    fn label(&mut self, node: Option<Node<'_>>) -> Built<Option<Name>> {
        node.map(|label| self.only_name(label)).transpose()
    }

    fn condition(
        &mut self,
        node: Option<Node<'_>>,
        cites: &mut Vec<Name>,
    ) -> Built<Option<crate::ast::Expr>> {
        let Some(node) = node else { return Ok(None) };
        let mut parts = self.parts(node);
        cites.extend(parts.cites());
        self.expr(parts.next()?).map(Some)
    }

    fn ruling(&mut self, node: Node<'_>) -> Built<Ruling> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let mut values = Vec::new();
        for value in parts.run(Rule::ruling_value) {
            values.push(self.ruling_value(value)?);
        }
        let question = parts.take(Rule::text).map(|question| self.words(question)).transpose()?;
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Ruling { name, values, question, cites, span: parts.span })
    }

    /// A value of a ruling.
    pub(super) fn ruling_value(&mut self, node: Node<'_>) -> Built<RulingValue> {
        let value = self.parts(node).next()?;
        Ok(match value.as_rule() {
            Rule::flag => RulingValue::Flag(value.as_str().trim() == "yes"),
            Rule::number => RulingValue::Number(self.number(&value)?),
            Rule::thing => RulingValue::Thing(self.name(&value)),
            _ => return Err(internal(self.span(&value))),
        })
    }

    fn watch(&mut self, node: Node<'_>) -> Built<Watch> {
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let name = self.name(&parts.next()?);
        let condition = self.expr(parts.next()?)?;
        let (body, span) = self.body(&mut parts, &mut cites)?;
        let cites = self.close_cites(cites, parts.span);
        Ok(Watch { name, condition, body, cites, span })
    }

    fn invariant(&mut self, node: Node<'_>) -> Built<Invariant> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let condition = self.expr(parts.next()?)?;
        let reason = parts.take(Rule::text).map(|reason| self.text(reason)).transpose()?;
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Invariant { name, condition, reason, cites, span: parts.span })
    }

    fn look(&mut self, node: Node<'_>) -> Built<Look> {
        let mut parts = self.parts(node);
        let name = self.name(&parts.next()?);
        let (mut values, mut nothing) = (Vec::new(), None);
        while let Some(value) = parts.take(Rule::look_value) {
            let span = self.span(&value);
            match value.into_inner().find(|of| of.as_rule() == Rule::name) {
                Some(name) => values.push(self.name(&name)),
                None if nothing.is_none() && values.is_empty() => nothing = Some(span),
                None => self.none_beside(span),
            }
        }
        if let Some(nothing) = nothing.filter(|_| !values.is_empty()) {
            self.none_beside(nothing);
            values.clear();
        }
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Look { name, values, cites, span: parts.span })
    }

    /// Of `none` beside something that is drawn.
    fn none_beside(&mut self, span: Span) {
        let said = Diagnostic::error("looks::part", span, "`none` stands alone");
        self.wrong
            .push(said.label("beside something else").help("leave it out, or all that stands beside it"));
    }

    fn omitted(&mut self, node: Node<'_>) -> Built<Omitted> {
        let mut parts = self.parts(node);
        let reason = self.words(parts.next()?)?;
        let cites = self.close_cites(parts.cites(), parts.span);
        Ok(Omitted { cites, reason, span: parts.span })
    }
}
