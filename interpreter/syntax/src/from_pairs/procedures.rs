//! Steps, statements and choices.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_grammar::{Node, Rule};

use super::{Built, Parts, Tree, internal};
use crate::ast::{
    AssignOp, Binder, Block, ChoiceOption, Choose, Chooser, Cite, Name, Statement, StatementKind, Step, When,
};
use crate::lexer::MAX_DEPTH;

impl Tree {
    /// A step.
    pub(super) fn step(&mut self, node: Node<'_>) -> Built<Step> {
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let name = self.name(&parts.next()?);
        let params = self.params(parts.take(Rule::params))?;
        let ty = parts.take(Rule::type_).map(|ty| self.ty(ty)).transpose()?;
        let mut laws = Vec::new();
        for law in parts.run(Rule::need) {
            laws.push(self.clause(law)?);
        }
        let (body, span) = self.body(&mut parts, &mut cites)?;
        let cites = self.close_cites(cites, parts.span);
        Ok(Step { name, params, ty, laws, body, before: 0, cites, span })
    }

    /// The block that comes next, and the span of what stands before it.
    pub(super) fn body(&mut self, parts: &mut Parts<'_>, cites: &mut Vec<Cite>) -> Built<(Block, Span)> {
        let body = self.block(parts.next()?, cites)?;
        let span = Span { end: body.span.start + 1, ..parts.span };
        Ok((body, span))
    }

    /// A block; the citations after its opening brace belong to what it is the body of.
    pub(super) fn block(&mut self, node: Node<'_>, cites: &mut Vec<Cite>) -> Built<Block> {
        let mut parts = self.parts(node);
        cites.extend(parts.cites());
        let span = parts.span;
        let mut statements = Vec::new();
        for statement in parts.rest {
            statements.push(self.statement(statement)?);
        }
        Ok(Block { statements, span })
    }

    /// A statement.
    pub(super) fn statement(&mut self, node: Node<'_>) -> Built<Statement> {
        let rule = node.as_rule();
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let kind = match rule {
            Rule::let_line => StatementKind::Let(self.name(&parts.next()?), self.expr(parts.next()?)?),
            Rule::if_block => self.if_block(&mut parts, &mut cites)?,
            Rule::for_block => {
                let name = self.name(&parts.next()?);
                let sources = parts.run(Rule::range_expr);
                let sources = self.exprs(sources)?;
                let filter = self.filter(parts.take(Rule::where_part))?;
                let body = self.block(parts.next()?, &mut cites)?;
                let otherwise = self.else_part(&mut parts, &mut cites)?;
                StatementKind::For { name, sources, filter, body, otherwise }
            }
            Rule::with_block => {
                let name = self.name(&parts.next()?);
                let value = self.expr(parts.next()?)?;
                let body = self.block(parts.next()?, &mut cites)?;
                let otherwise = self.else_part(&mut parts, &mut cites)?;
                StatementKind::With { name, value, body, otherwise }
            }
            Rule::while_block => {
                let condition = self.expr(parts.next()?)?;
                StatementKind::While(condition, self.block(parts.next()?, &mut cites)?)
            }
            Rule::case_block => {
                let subject = self.expr(parts.next()?)?;
                let mut whens = Vec::new();
                for when in parts.run(Rule::when_part) {
                    whens.push(self.when(when)?);
                }
                let otherwise =
                    parts.take(Rule::block).map(|block| self.block(block, &mut cites)).transpose()?;
                StatementKind::Case { subject, whens, otherwise }
            }
            Rule::stop_line => StatementKind::Stop,
            Rule::return_line => {
                StatementKind::Return(parts.take(Rule::expr).map(|value| self.expr(value)).transpose()?)
            }
            Rule::choose => return self.choose(parts, cites),
            Rule::say_line => {
                let announce = parts.next()?.as_str().trim() == "announce";
                StatementKind::Say { announce, text: self.text(parts.next()?)? }
            }
            Rule::action | Rule::assignment => {
                let target = self.expr(parts.next()?)?;
                match parts.take(Rule::assign_op) {
                    Some(op) => {
                        let op = match op.as_str().trim() {
                            ":=" => AssignOp::Set,
                            "+=" => AssignOp::Add,
                            _ => AssignOp::Take,
                        };
                        StatementKind::Assign { target, op, value: self.expr(parts.next()?)? }
                    }
                    None => StatementKind::Do(target),
                }
            }
            _ => return Err(internal(parts.span)),
        };
        let cites = self.close_cites(cites, parts.span);
        Ok(Statement { kind, cites, span: parts.span })
    }

    /// `if … else if … else …`: from the last part to the first, each the `else` of the one before.
    fn if_block(&mut self, parts: &mut Parts<'_>, cites: &mut Vec<Cite>) -> Built<StatementKind> {
        let span = parts.span;
        let mut branches = Vec::new();
        for branch in parts.run(Rule::if_part) {
            if branches.len() >= MAX_DEPTH {
                return Err(Box::new(
                    Diagnostic::error("syntax::depth", self.span(&branch), "too many `else if` in a row")
                        .label(format!("more than {MAX_DEPTH}"))
                        .help("write a `case`, or split the step"),
                ));
            }
            let mut branch = self.parts(branch);
            let own = branch.cites();
            let mut inner = own;
            let condition = self.expr(branch.next()?)?;
            let block = self.block(branch.next()?, &mut inner)?;
            branches.push((condition, block, inner, branch.span));
        }
        let mut otherwise = self.else_part(parts, cites)?;
        while let Some((condition, block, own, at)) = branches.pop() {
            if branches.is_empty() {
                cites.extend(own);
                return Ok(StatementKind::If(condition, block, otherwise));
            }
            let span = Span { end: otherwise.as_ref().map_or(block.span.end, |b: &Block| b.span.end), ..at };
            let kind = StatementKind::If(condition, block, otherwise);
            let cites = self.close_cites(own, span);
            otherwise = Some(Block { statements: vec![Statement { kind, cites, span }], span });
        }
        Err(super::internal(span))
    }

    fn else_part(&mut self, parts: &mut Parts<'_>, cites: &mut Vec<Cite>) -> Built<Option<Block>> {
        let Some(part) = parts.take(Rule::else_part) else { return Ok(None) };
        let mut part = self.parts(part);
        cites.extend(part.cites());
        self.block(part.next()?, cites).map(Some)
    }

    /// A case.
    pub(super) fn when(&mut self, node: Node<'_>) -> Built<When> {
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let values = parts.run(Rule::range_expr);
        let values = self.exprs(values)?;
        let beside = self.beside(&mut parts)?;
        let title = parts.take(Rule::text).map(|title| self.text(title)).transpose()?;
        let (body, span) = self.body(&mut parts, &mut cites)?;
        let cites = self.close_cites(cites, parts.span);
        Ok(When { values, beside, title, body, cites, span })
    }

    fn choose(&mut self, mut parts: Parts<'_>, mut cites: Vec<Cite>) -> Built<Statement> {
        let name = parts.take(Rule::choice_name).map(|name| self.name(&name));
        let first = parts.next()?;
        let mut end = self.span(&first).end;
        let by = if first.as_rule() == Rule::each {
            let mut each = self.parts(first);
            let name = self.name(&each.next()?);
            let source = self.expr(each.next()?)?;
            Chooser::Each { name, source, filter: self.filter(each.take(Rule::where_part))? }
        } else {
            Chooser::One(self.expr(first)?)
        };
        let prompt = parts.take(Rule::text).map(|prompt| self.text(prompt)).transpose()?;
        end = prompt.as_ref().map_or(end, |prompt| prompt.span.end);
        let mut options = Vec::new();
        for option in parts.run(Rule::option) {
            options.push(self.option(option)?);
        }
        let otherwise = self.else_part(&mut parts, &mut cites)?;
        let cites = self.close_cites(cites, parts.span);
        let choose = Choose {
            name,
            by,
            prompt,
            options,
            otherwise,
            cites: cites.clone(),
            span: Span { end, ..parts.span },
        };
        Ok(Statement { kind: StatementKind::Choose(Box::new(choose)), cites, span: parts.span })
    }

    /// An option.
    pub(super) fn option(&mut self, node: Node<'_>) -> Built<ChoiceOption> {
        let mut parts = self.parts(node);
        let mut cites = parts.cites();
        let name = self.name(&parts.next()?);
        let mut binders = Vec::new();
        if let Some(list) = parts.take(Rule::binders) {
            for binder in self.parts(list).run(Rule::binder) {
                binders.push(self.binder(binder)?);
            }
        }
        let beside = self.beside(&mut parts)?;
        let label = parts.take(Rule::text).map(|label| self.text(label)).transpose()?;
        let mut needs = Vec::new();
        for need in parts.run(Rule::need) {
            needs.push(self.clause(need)?);
        }
        let (body, span) = self.body(&mut parts, &mut cites)?;
        let cites = self.close_cites(cites, parts.span);
        Ok(ChoiceOption { name, binders, beside, label, needs, body, cites, span })
    }

    fn binder(&mut self, node: Node<'_>) -> Built<Binder> {
        let mut parts = self.parts(node);
        let by_name = parts.take(Rule::by_name).is_some();
        let name: Name = self.name(&parts.next()?);
        let source = parts.next()?;
        let source = self.among(true, |tree| tree.expr(source))?;
        Ok(Binder { by_name, name, source, filter: self.filter(parts.take(Rule::where_part))? })
    }
}
