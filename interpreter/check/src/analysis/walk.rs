//! Walks over checked expressions and statements.

use blazon_book::{
    Block, Chooser, Expr, ExprKind, LocalId, Piece, Rule, RuleBody, StatementKind, Text, Value,
};

/// Calls `found` with an expression and all its parts.
pub(crate) fn each_expr(expr: &Expr, found: &mut dyn FnMut(&Expr)) {
    found(expr);
    for part in expr.parts() {
        each_expr(part, found);
    }
}

/// An expression with one variable replaced.
pub(crate) fn replace_local(expr: &Expr, local: LocalId, by: &Expr) -> Expr {
    let again = |e: &Expr| Box::new(replace_local(e, local, by));
    let all = |list: &[Expr]| list.iter().map(|e| replace_local(e, local, by)).collect::<Vec<_>>();
    let kind = match &expr.kind {
        ExprKind::Local(id) if *id == local => return Expr { span: expr.span, ..by.clone() },
        ExprKind::Column(id, args) => ExprKind::Column(*id, all(args)),
        ExprKind::Rule(id, args) => ExprKind::Rule(*id, all(args)),
        ExprKind::List(args) => ExprKind::List(all(args)),
        ExprKind::And(args) => ExprKind::And(all(args)),
        ExprKind::Or(args) => ExprKind::Or(all(args)),
        ExprKind::Links(kind, a) => ExprKind::Links(*kind, again(a)),
        ExprKind::Neighbours(kind, a) => ExprKind::Neighbours(*kind, again(a)),
        ExprKind::Ends(kind, a) => ExprKind::Ends(*kind, again(a)),
        ExprKind::ToSet(a) => ExprKind::ToSet(again(a)),
        ExprKind::Not(a) => ExprKind::Not(again(a)),
        ExprKind::Odd(a) => ExprKind::Odd(again(a)),
        ExprKind::Between(kind, a, b) => ExprKind::Between(*kind, again(a), again(b)),
        ExprKind::Each(it, a, b) => ExprKind::Each(*it, again(a), again(b)),
        ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, again(a), again(b)),
        ExprKind::In(a, b) => ExprKind::In(again(a), again(b)),
        ExprKind::Arithmetic(op, a, b) => ExprKind::Arithmetic(*op, again(a), again(b)),
        ExprKind::Sets(op, a, b) => ExprKind::Sets(*op, again(a), again(b)),
        ExprKind::Range(a, b) => ExprKind::Range(again(a), again(b)),
        ExprKind::Otherwise(a, b) => ExprKind::Otherwise(again(a), again(b)),
        ExprKind::Within(a, b, c) => ExprKind::Within(again(a), again(b), again(c)),
        ExprKind::Choice(a, b, c) => ExprKind::Choice(again(a), again(b), again(c)),
        ExprKind::Query(query) => {
            let mut query = query.clone();
            query.source = replace_local(&query.source, local, by);
            query.filter = query.filter.as_ref().map(|e| replace_local(e, local, by));
            query.by = query.by.as_ref().map(|e| replace_local(e, local, by));
            query.within = query.within.as_ref().map(|e| replace_local(e, local, by));
            ExprKind::Query(query)
        }
        other => other.clone(),
    };
    Expr { kind, ty: expr.ty, span: expr.span }
}

/// Something that a body does, for [`each_effect`].
pub(crate) enum Found<'a> {
    /// An expression is asked.
    Expr(&'a Expr),
    /// A step is done.
    Step(blazon_book::StepId),
}

/// Calls `found` with all expressions, steps and states set of a body, in the written order.
pub(crate) fn each_effect(block: &Block, found: &mut dyn FnMut(&Found<'_>)) {
    for statement in block {
        match &statement.kind {
            StatementKind::Let(_, value) => value_effects(value, found),
            StatementKind::Assign { keys, value, .. } => {
                exprs(keys, found);
                value_effects(value, found);
            }
            StatementKind::If(condition, then, otherwise) => {
                found(&Found::Expr(condition));
                each_effect(then, found);
                each_effect(otherwise, found);
            }
            StatementKind::For { sources, filter, body, otherwise, .. } => {
                exprs(sources, found);
                exprs(filter.as_slice(), found);
                each_effect(body, found);
                if let Some(otherwise) = otherwise {
                    each_effect(otherwise, found);
                }
            }
            StatementKind::While(condition, body) => {
                found(&Found::Expr(condition));
                each_effect(body, found);
            }
            StatementKind::Case { arms, otherwise, .. } => {
                for (_, body) in arms {
                    each_effect(body, found);
                }
                if let Some(otherwise) = otherwise {
                    each_effect(otherwise, found);
                }
            }
            StatementKind::Return(Some(value)) => value_effects(value, found),
            StatementKind::Choose(choose) => {
                let (Chooser::One(who) | Chooser::Each(_, who)) = &choose.by;
                found(&Found::Expr(who));
                if let Some(prompt) = &choose.prompt {
                    text_effects(prompt, found);
                }
                for option in &choose.options {
                    for binder in &option.binders {
                        found(&Found::Expr(&binder.source));
                        exprs(binder.filter.as_slice(), found);
                    }
                    for need in &option.needs {
                        found(&Found::Expr(&need.condition));
                        if let Some(reason) = &need.reason {
                            text_effects(reason, found);
                        }
                    }
                    if let Some(label) = &option.label {
                        text_effects(label, found);
                    }
                    each_effect(&option.body, found);
                }
                if let Some(otherwise) = &choose.otherwise {
                    each_effect(otherwise, found);
                }
            }
            StatementKind::Say { text, .. } => text_effects(text, found),
            StatementKind::Do(step, args) => {
                exprs(args, found);
                found(&Found::Step(*step));
            }
            StatementKind::Win(player) => found(&Found::Expr(player)),
            StatementKind::Stop | StatementKind::Return(None) => {}
        }
    }
}

fn exprs(list: &[Expr], found: &mut dyn FnMut(&Found<'_>)) {
    for expr in list {
        found(&Found::Expr(expr));
    }
}

fn value_effects(value: &Value, found: &mut dyn FnMut(&Found<'_>)) {
    match value {
        Value::Expr(expr) | Value::Die(expr) => found(&Found::Expr(expr)),
        Value::Step(step, args) => {
            exprs(args, found);
            found(&Found::Step(*step));
        }
        Value::Dice(a, b) | Value::Draw(a, b) => {
            found(&Found::Expr(a));
            found(&Found::Expr(b));
        }
    }
}

/// The expressions of a text.
pub(crate) fn text_effects(text: &Text, found: &mut dyn FnMut(&Found<'_>)) {
    for piece in &text.pieces {
        if let Piece::Hole(expr) = piece {
            found(&Found::Expr(expr));
        }
    }
}

/// All expressions of a rule.
pub(crate) fn each_rule_expr(rule: &Rule, f: &mut impl FnMut(&Expr)) {
    match &rule.body {
        RuleBody::Value { base, exceptions, modifiers } => {
            f(base);
            for exception in exceptions {
                f(&exception.value);
                exception.when.iter().for_each(&mut *f);
            }
            for modifier in modifiers {
                f(&modifier.value);
                modifier.when.iter().for_each(&mut *f);
            }
        }
        RuleBody::Permission(needs) => {
            for need in needs {
                f(&need.condition);
                if let Some(reason) = &need.reason {
                    text_effects(reason, &mut |found| {
                        if let Found::Expr(expr) = found {
                            f(expr);
                        }
                    });
                }
            }
        }
        RuleBody::Table(_) => {}
    }
}
