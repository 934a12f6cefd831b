//! What expressions, rules and bodies read, ask and do, each by itself: what they do through others is found by whoever
//! knows the others.

use std::collections::BTreeSet;

use crate::walk::{Visit, walk_choose, walk_expr, walk_statement};
use crate::*;

/// What is read and asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Facts and states.
    pub columns: BTreeSet<ColumnId>,
    /// Rules.
    pub rules: BTreeSet<RuleId>,
    /// Whether somebody asks who has won.
    pub winner: bool,
}

impl Reads {
    /// Of an expression.
    pub fn of_expr(expr: &Expr) -> Self {
        let mut reads = Self::default();
        reads.visit_expr(expr);
        reads
    }

    /// Of a rule, the reasons of its needs included.
    pub fn of_rule(rule: &Rule) -> Self {
        let mut reads = Self::default();
        reads.visit_rule(rule);
        reads
    }

    /// Of one statement and all that stands in it.
    pub fn of_statement(statement: &Statement) -> Self {
        let mut reads = Self::default();
        reads.visit_statement(statement);
        reads
    }

    /// Of a body.
    pub fn of_block(block: &Block) -> Self {
        let mut reads = Self::default();
        reads.visit_block(block);
        reads
    }
}

impl<'b> Visit<'b> for Reads {
    fn visit_expr(&mut self, expr: &'b Expr) {
        if let ExprKind::Column(column, _) = &expr.kind {
            self.columns.insert(*column);
        }
        if let ExprKind::Rule(rule, _) = &expr.kind {
            self.rules.insert(*rule);
        }
        self.winner |= matches!(expr.kind, ExprKind::Winner);
        walk_expr(self, expr);
    }
}

/// The variables that something names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named(pub BTreeSet<LocalId>);

impl<'b> Visit<'b> for Named {
    fn visit_expr(&mut self, expr: &'b Expr) {
        if let ExprKind::Local(local) = expr.kind {
            self.0.insert(local);
        }
        walk_expr(self, expr);
    }

    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Case { subject, .. } = &statement.kind {
            self.0.insert(*subject);
        }
        walk_statement(self, statement);
    }
}

/// What a body does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// The states that it sets.
    pub writes: BTreeSet<ColumnId>,
    /// The steps that it does.
    pub steps: BTreeSet<StepId>,
    /// Whether it rolls or draws.
    pub rolls: bool,
    /// Whether it offers a choice.
    pub chooses: bool,
    /// Whether it may win the game.
    pub wins: bool,
}

impl Deeds {
    /// Of a body.
    pub fn of_block(block: &Block) -> Self {
        let mut deeds = Self::default();
        deeds.visit_block(block);
        deeds
    }

    /// Of one statement and all that stands in it.
    pub fn of_statement(statement: &Statement) -> Self {
        let mut deeds = Self::default();
        deeds.visit_statement(statement);
        deeds
    }
}

impl<'b> Visit<'b> for Deeds {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Assign { column, .. } = &statement.kind {
            self.writes.insert(*column);
        }
        self.wins |= matches!(statement.kind, StatementKind::Win(_));
        walk_statement(self, statement);
    }

    fn visit_choose(&mut self, choose: &'b Choose) {
        self.chooses = true;
        walk_choose(self, choose);
    }

    fn visit_value(&mut self, value: &'b Value) {
        match value {
            Value::Expr(_) => {}
            Value::Step(step, args) => self.visit_step_call(*step, args),
            Value::Die(_) | Value::Dice(..) | Value::Draw(..) => self.rolls = true,
        }
    }

    fn visit_step_call(&mut self, step: StepId, _: &'b [Expr]) {
        self.steps.insert(step);
    }

    /// Expressions do nothing.
    fn visit_expr(&mut self, _: &'b Expr) {}
}
