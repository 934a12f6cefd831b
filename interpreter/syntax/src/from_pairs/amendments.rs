//! Changes of the book.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_grammar::{Node, Rule};

use super::{Built, Parts, Tree, internal};
use crate::ast::{Amend, AmendKind, Cite, FactLine, Name, Node as Added, Part, PartKind, Removable};

impl Tree {
    /// A change, or a thing that stands in an opened part; in a kind's body, facts and states are members.
    pub(super) fn change(&mut self, node: Node<'_>, in_kind: bool) -> Built<Amend> {
        let span = self.span(&node);
        let rule = node.as_rule();
        let mut cites = Vec::new();
        let kind = match rule {
            Rule::citing => {
                let mut parts = self.parts(node);
                cites = parts.cites();
                if cites.is_empty() {
                    let end = Span { start: span.end, ..span };
                    return Err(Box::new(
                        Diagnostic::error(
                            "syntax::expected",
                            end,
                            "`cite` gives paragraphs, and there is none",
                        )
                        .label("here")
                        .help("as in `cite rule pinned @5.22`"),
                    ));
                }
                self.citing(parts)?
            }
            Rule::inside => {
                let inner = self.parts(node).next()?;
                if inner.as_rule() == Rule::in_fact {
                    return self.members(inner, span);
                }
                self.inside(inner, &mut cites)?
            }
            Rule::hook => {
                let mut parts = self.parts(node);
                cites = parts.cites();
                let before = parts.next()?.as_str().trim() == "before";
                let step = self.name(&parts.next()?);
                let within = parts.take(Rule::name).map(|within| self.name(&within));
                let body = self.block(parts.next()?, &mut cites)?;
                AmendKind::Hook { before, step, within, body }
            }
            Rule::under | Rule::rule_under | Rule::procedure_under => {
                let mut parts = self.parts(node);
                cites = parts.cites();
                let condition = self.expr(parts.next()?)?;
                AmendKind::Under { condition, changes: self.changes(parts, false)? }
            }
            Rule::waive => {
                let mut parts = self.parts(node);
                cites = parts.cites();
                AmendKind::Waive(self.name(&parts.next()?))
            }
            Rule::remove => {
                let mut parts = self.parts(node);
                cites = parts.cites();
                AmendKind::Remove(self.removable(parts.next()?)?)
            }
            Rule::replace
            | Rule::rule_replace
            | Rule::procedure_replace
            | Rule::kind_replace
            | Rule::back_replace
            | Rule::table_replace
            | Rule::links_replace
            | Rule::setup_replace => {
                let mut parts = self.parts(node);
                cites = parts.cites();
                let whole = parts.take(Rule::whole).is_some();
                let new = self.added(parts.next()?, in_kind, &mut cites)?;
                AmendKind::Replace { new, whole }
            }
            _ => AmendKind::Add(self.added(node, in_kind, &mut cites)?),
        };
        let cites = self.close_cites(cites, span);
        Ok(Amend { kind, cites, span })
    }

    /// The changes in a body; rows that follow one another are one change.
    fn changes(&mut self, parts: Parts<'_>, in_kind: bool) -> Built<Vec<Amend>> {
        let mut changes: Vec<Amend> = Vec::new();
        for part in parts.rest {
            let next = self.change(part, in_kind)?;
            let merged = match (changes.last_mut(), &next.kind) {
                (
                    Some(Amend { kind: AmendKind::Add(Added::Rows(rows)), span, .. }),
                    AmendKind::Add(Added::Rows(more)),
                ) => {
                    rows.extend(more.iter().cloned());
                    *span = span.to(next.span);
                    true
                }
                (
                    Some(Amend { kind: AmendKind::Add(Added::NamedRows(rows)), span, .. }),
                    AmendKind::Add(Added::NamedRows(more)),
                ) => {
                    rows.extend(more.iter().cloned());
                    *span = span.to(next.span);
                    true
                }
                _ => false,
            };
            if !merged {
                changes.push(next);
            }
        }
        Ok(changes)
    }

    /// `cite option march in give orders @5.2`
    fn citing(&mut self, mut parts: Parts<'_>) -> Built<AmendKind> {
        let word = parts.next()?;
        let start = self.span(&word);
        let kind = match word.as_str().trim() {
            "rule" => PartKind::Rule,
            "step" => PartKind::Step,
            "option" => PartKind::Option,
            "table" => PartKind::Table,
            "links" => PartKind::Links,
            _ => return Err(internal(start)),
        };
        let name = self.name(&parts.next()?);
        let mut span = start.to(name.span);
        let fixed = self.fixed(parts.take(Rule::fixed), &mut span.end)?;
        let beside = self.beside(&mut parts)?;
        let around = parts.take(Rule::name).map(|name| {
            let name = self.name(&name);
            Part { kind: PartKind::Step, span: name.span, name, fixed: Vec::new(), beside: None }
        });
        if let (Some(step), false) = (&around, kind == PartKind::Option) {
            return Err(Box::new(
                Diagnostic::error("syntax::expected", step.span, "only an option stands in a step")
                    .label("this is left out")
                    .help("as in `cite rule pinned @5.22`, `cite option march in give orders @5.2`"),
            ));
        }
        let part = Part { kind, name, fixed, beside, span };
        Ok(AmendKind::Cite(around.into_iter().chain([part]).collect()))
    }

    /// `in fact guards(North Gate) { + Archers; - Spearmen }`
    fn members(&mut self, node: Node<'_>, span: Span) -> Built<Amend> {
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let name = self.name(&parts.next()?);
        let args = self.parts(parts.next()?).run(Rule::expr);
        let args = self.exprs(args)?;
        let mut lines = Vec::new();
        for line in parts.run(Rule::fact_line) {
            let mut line = self.parts(line);
            cites.extend(line.cites());
            let minus = line.next()?.as_str().trim() == "-";
            let members = line.run(Rule::expr);
            lines.push(FactLine { minus, members: self.exprs(members)?, span: line.span });
        }
        let cites = self.close_cites(cites, span);
        Ok(Amend { kind: AmendKind::Members { name, args, lines }, cites, span })
    }

    /// `in PART { … }`
    fn inside(&mut self, node: Node<'_>, cites: &mut Vec<Cite>) -> Built<AmendKind> {
        let rule = node.as_rule();
        let start = self.span(&node);
        let mut parts = self.parts(node);
        cites.extend(parts.cites());
        let kind = match rule {
            Rule::in_rule => PartKind::Rule,
            Rule::in_kind => PartKind::Kind,
            Rule::in_seen => PartKind::Seen,
            Rule::in_back => PartKind::Back,
            Rule::in_table => PartKind::Table,
            Rule::in_links => PartKind::Links,
            Rule::in_setup => PartKind::Setup,
            Rule::in_procedure => match parts.next()?.as_str().trim() {
                "step" => PartKind::Step,
                "option" => PartKind::Option,
                "when" => PartKind::When,
                "choice" => PartKind::Choice,
                _ => return Err(internal(start)),
            },
            _ => return Err(internal(start)),
        };
        // The back of a kind is the only part without a name.
        let name = match kind {
            PartKind::Back => word(start, "back"),
            _ => self.name(&parts.next()?),
        };
        let mut span: Span = start.to(name.span);
        span.end = name.span.end;
        let fixed = self.fixed(parts.take(Rule::fixed), &mut span.end)?;
        let beside = self.beside(&mut parts)?;
        let changes = self.changes(parts, kind == PartKind::Kind)?;
        Ok(AmendKind::Inside { part: Part { kind, name, fixed, beside, span }, changes })
    }

    /// What is added or put in another's place.
    fn added(&mut self, node: Node<'_>, in_kind: bool, cites: &mut Vec<Cite>) -> Built<Added> {
        Ok(match node.as_rule() {
            Rule::fact | Rule::state if in_kind => Added::Member(self.member(node)?),
            Rule::seen | Rule::back => Added::Member(self.member(node)?),
            Rule::exception | Rule::modifier | Rule::need | Rule::known | Rule::back_clause => {
                Added::Clause(self.clause(node)?)
            }
            Rule::option => Added::Option(self.option(node)?),
            Rule::when_part => Added::When(self.when(node)?),
            Rule::row => Added::Rows(vec![self.row(node)?]),
            Rule::named_row => Added::NamedRows(vec![self.named_row(node)?]),
            Rule::others | Rule::group | Rule::placed | Rule::assignment => {
                Added::Placing(self.placing_line(node)?)
            }
            Rule::link_list => Added::Links(self.link_list(node, cites)?),
            Rule::things => Added::Things(self.things(node)),
            Rule::things_line => {
                let mut parts = self.parts(node);
                cites.extend(parts.cites());
                let things = parts.next()?;
                Added::Things(self.things(things))
            }
            Rule::test => Added::Test(self.test(node)?),
            Rule::fact_value => {
                let mut parts = self.parts(node);
                cites.extend(parts.cites());
                let name: Name = self.name(&parts.next()?);
                let args = self.parts(parts.next()?).run(Rule::expr);
                let args = self.exprs(args)?;
                let values = parts.run(Rule::expr);
                Added::FactValue { name, args, values: self.exprs(values)? }
            }
            _ => Added::Declaration(self.declaration(node)?),
        })
    }

    /// `beside march`
    pub(super) fn beside(&mut self, parts: &mut Parts<'_>) -> Built<Option<Name>> {
        let Some(beside) = parts.take(Rule::beside) else { return Ok(None) };
        let name = self.parts(beside).next()?;
        Ok(Some(self.name(&name)))
    }

    /// What is removed.
    fn removable(&mut self, node: Node<'_>) -> Built<Removable> {
        Ok(match node.as_rule() {
            Rule::link => Removable::Link(self.link(node)?),
            Rule::removed_test => {
                let name = self.parts(node).next()?;
                Removable::Test(self.words(name)?.as_name())
            }
            Rule::removed => {
                let mut parts = self.parts(node);
                let what = self.name(&parts.next()?);
                let name = self.name(&parts.next()?);
                Removable::Named { what, name, beside: self.beside(&mut parts)? }
            }
            Rule::thing => Removable::Thing(self.name(&node)),
            _ => return Err(internal(self.span(&node))),
        })
    }
}

/// A name that is the keyword at the beginning of a span.
fn word(within: Span, text: &str) -> Name {
    Name { text: text.to_owned(), span: Span { end: within.start + text.len() as u32, ..within } }
}
