//! Tests.

use blazon_diagnostics::{Diagnostic, Fix};
use blazon_grammar::{Node, Rule};

use super::{Built, Tree, internal};
use crate::ast::{Call, Name, Scene, Test, TestLine, TestLineKind};

impl Tree {
    /// A test.
    pub(super) fn test(&mut self, node: Node<'_>) -> Built<Test> {
        let mut parts = self.parts(node);
        let own = parts.cites();
        let name = self.words(parts.next()?)?;
        let mut span = parts.span;
        span.end = name.span.end;
        let mut lines = Vec::new();
        for line in parts.rest {
            lines.push(self.test_line(line)?);
        }
        let cites = self.close_cites(own, parts.span);
        Ok(Test { name, lines, cites, span })
    }

    /// A scene.
    pub(super) fn scene(&mut self, node: Node<'_>) -> Built<Scene> {
        let mut parts = self.parts(node);
        let own = parts.cites();
        let name = self.name(&parts.next()?);
        let mut span = parts.span;
        span.end = name.span.end;
        let mut lines = Vec::new();
        for line in parts.rest {
            lines.push(self.test_line(line)?);
        }
        let cites = self.close_cites(own, parts.span);
        Ok(Scene { name, lines, cites, span })
    }

    fn test_line(&mut self, node: Node<'_>) -> Built<TestLine> {
        let rule = node.as_rule();
        let span = self.span(&node);
        if rule == Rule::assignment {
            let sign = node.clone().into_inner().find(|part| part.as_rule() == Rule::assign_op);
            if let Some(sign) = sign.filter(|_| node.as_str().starts_with("expect ")) {
                let written = node.as_str().trim_end().replacen(sign.as_str(), "=", 1);
                let at = self.span(&sign);
                let said = Diagnostic::error("syntax::expected", at, "expected `=`")
                    .label(format!("found `{}`", sign.as_str()))
                    .help(format!("`expect` compares: `{written}`"))
                    .fix(Fix::replace("write `=`", at, "="));
                return Err(Box::new(said));
            }
            let statement = self.statement(node)?;
            let cites = statement.cites.clone();
            return Ok(TestLine { kind: TestLineKind::Assign(statement), cites, span });
        }
        let mut parts = self.parts(node);
        let own = parts.cites();
        let kind = match rule {
            Rule::from => TestLineKind::From(self.name(&parts.next()?)),
            Rule::position => TestLineKind::Position(self.placing(parts.next()?)?),
            Rule::test_ruling => {
                TestLineKind::Ruling(self.name(&parts.next()?), self.ruling_value(parts.next()?)?)
            }
            Rule::play => TestLineKind::Play(self.call(parts.next()?)?),
            Rule::dice => {
                let dice: Built<Vec<i64>> =
                    parts.run(Rule::number).iter().map(|die| self.number(die)).collect();
                TestLineKind::Dice(dice?)
            }
            Rule::cards => {
                let cards = parts.run(Rule::thing);
                TestLineKind::Cards(self.names(cards))
            }
            Rule::expect => {
                let conditions = parts.run(Rule::expr);
                TestLineKind::Expect(self.exprs(conditions)?)
            }
            Rule::fails => TestLineKind::Fails(self.words(parts.next()?)?),
            Rule::offer => {
                let (who, deed) = self.deed(parts.next()?)?;
                TestLineKind::Offer(who, deed)
            }
            Rule::refuse => {
                let (who, deed) = self.deed(parts.next()?)?;
                let reason = parts.take(Rule::text).map(|reason| self.words(reason)).transpose()?;
                TestLineKind::Refuse(who, deed, reason)
            }
            Rule::sight => {
                let who = self.name(&parts.next()?);
                let sees = parts.next()?.as_rule() == Rule::kw_sees;
                let things = parts.run(Rule::thing);
                TestLineKind::Sight { who, sees, things: self.names(things) }
            }
            Rule::telling => {
                let who = self.name(&parts.next()?);
                let can = parts.next()?.as_rule() == Rule::kw_can_tell;
                TestLineKind::Telling { who, can, condition: self.expr(parts.next()?)? }
            }
            Rule::decision => {
                let (who, deed) = self.deed(parts.next()?)?;
                TestLineKind::Decide(who, deed)
            }
            _ => return Err(internal(span)),
        };
        let cites = self.close_cites(own, span);
        Ok(TestLine { kind, cites, span })
    }

    fn deed(&mut self, node: Node<'_>) -> Built<(Name, Call)> {
        let mut parts = self.parts(node);
        Ok((self.name(&parts.next()?), self.call(parts.next()?)?))
    }
}
