//! The visitor: what the parts of everything in the typed tree are, in the written order.
//!
//! Every method of [`Visit`] goes on to the parts by the `walk_…` of its name; who overrides one and still wants the
//! parts calls that himself. A new expression or statement is entered here, and the compiler asks for it.

use crate::*;

/// Something that looks at the typed tree. `'b` is the life of the tree.
pub trait Visit<'b> {
    /// A rule.
    fn visit_rule(&mut self, rule: &'b Rule) {
        walk_rule(self, rule);
    }
    /// A need of a rule or of an option.
    fn visit_need(&mut self, need: &'b Need) {
        walk_need(self, need);
    }
    /// A block.
    fn visit_block(&mut self, block: &'b Block) {
        walk_block(self, block);
    }
    /// A statement.
    fn visit_statement(&mut self, statement: &'b Statement) {
        walk_statement(self, statement);
    }
    /// A choice.
    fn visit_choose(&mut self, choose: &'b Choose) {
        walk_choose(self, choose);
    }
    /// An option of a choice.
    fn visit_option(&mut self, option: &'b ChoiceOption) {
        walk_option(self, option);
    }
    /// What a variable or state is set to.
    fn visit_value(&mut self, value: &'b Value) {
        walk_value(self, value);
    }
    /// A step that is done, as a statement or for its value; the parts are its arguments.
    fn visit_step_call(&mut self, step: StepId, args: &'b [Expr]) {
        let _ = step;
        args.iter().for_each(|arg| self.visit_expr(arg));
    }
    /// A text with holes.
    fn visit_text(&mut self, text: &'b Text) {
        walk_text(self, text);
    }
    /// An expression.
    fn visit_expr(&mut self, expr: &'b Expr) {
        walk_expr(self, expr);
    }
    /// A variable where it is bound; [`LocalId::NONE`] for a query without one. It comes before whatever reads it.
    fn visit_binding(&mut self, local: LocalId) {
        let _ = local;
    }
}

/// The parts of a rule; a table has none.
pub fn walk_rule<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, rule: &'b Rule) {
    match &rule.body {
        RuleBody::Value { base, exceptions, modifiers } => {
            visitor.visit_expr(base);
            for exception in exceptions {
                visitor.visit_expr(&exception.value);
                exception.when.iter().for_each(|when| visitor.visit_expr(when));
            }
            for modifier in modifiers {
                visitor.visit_expr(&modifier.value);
                modifier.when.iter().for_each(|when| visitor.visit_expr(when));
            }
        }
        RuleBody::Permission(needs) => needs.iter().for_each(|need| visitor.visit_need(need)),
        RuleBody::Table(_) => {}
    }
}

/// The parts of a need.
pub fn walk_need<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, need: &'b Need) {
    visitor.visit_expr(&need.condition);
    need.reason.iter().for_each(|reason| visitor.visit_text(reason));
}

/// The statements of a block.
pub fn walk_block<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, block: &'b Block) {
    block.iter().for_each(|statement| visitor.visit_statement(statement));
}

/// The parts of a statement.
pub fn walk_statement<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, statement: &'b Statement) {
    match &statement.kind {
        StatementKind::Let(local, value) => {
            visitor.visit_value(value);
            visitor.visit_binding(*local);
        }
        StatementKind::Assign { column: _, keys, op: _, value } => {
            keys.iter().for_each(|key| visitor.visit_expr(key));
            visitor.visit_value(value);
        }
        StatementKind::If(condition, then, otherwise) => {
            visitor.visit_expr(condition);
            visitor.visit_block(then);
            visitor.visit_block(otherwise);
        }
        StatementKind::For { local, sources, filter, body, otherwise } => {
            sources.iter().for_each(|source| visitor.visit_expr(source));
            visitor.visit_binding(*local);
            filter.iter().for_each(|filter| visitor.visit_expr(filter));
            visitor.visit_block(body);
            otherwise.iter().for_each(|block| visitor.visit_block(block));
        }
        StatementKind::While(condition, body) => {
            visitor.visit_expr(condition);
            visitor.visit_block(body);
        }
        StatementKind::Case { subject: _, arms, otherwise } => {
            arms.iter().for_each(|(_, body)| visitor.visit_block(body));
            otherwise.iter().for_each(|block| visitor.visit_block(block));
        }
        StatementKind::Return(value) => value.iter().for_each(|value| visitor.visit_value(value)),
        StatementKind::Choose(choose) => visitor.visit_choose(choose),
        StatementKind::Say { announce: _, text } => visitor.visit_text(text),
        StatementKind::Do(step, args) => visitor.visit_step_call(*step, args),
        StatementKind::Win(player) => visitor.visit_expr(player),
        StatementKind::Invalid(parts) => parts.iter().for_each(|part| visitor.visit_expr(part)),
        StatementKind::Stop => {}
    }
}

/// The parts of a choice.
pub fn walk_choose<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, choose: &'b Choose) {
    match &choose.by {
        Chooser::One(player) => visitor.visit_expr(player),
        Chooser::Each(local, players) => {
            visitor.visit_expr(players);
            visitor.visit_binding(*local);
        }
    }
    choose.prompt.iter().for_each(|prompt| visitor.visit_text(prompt));
    choose.options.iter().for_each(|option| visitor.visit_option(option));
    choose.otherwise.iter().for_each(|block| visitor.visit_block(block));
}

/// The parts of an option. Its needs come before its label, for only an open option is shown.
pub fn walk_option<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, option: &'b ChoiceOption) {
    for binder in &option.binders {
        visitor.visit_expr(&binder.source);
        visitor.visit_binding(binder.local);
        binder.filter.iter().for_each(|filter| visitor.visit_expr(filter));
    }
    option.needs.iter().for_each(|need| visitor.visit_need(need));
    option.label.iter().for_each(|label| visitor.visit_text(label));
    visitor.visit_block(&option.body);
}

/// The parts of a value.
pub fn walk_value<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, value: &'b Value) {
    match value {
        Value::Expr(expr) | Value::Die(expr) => visitor.visit_expr(expr),
        Value::Step(step, args) => visitor.visit_step_call(*step, args),
        Value::Dice(a, b) | Value::Draw(a, b) => {
            visitor.visit_expr(a);
            visitor.visit_expr(b);
        }
    }
}

/// The holes of a text.
pub fn walk_text<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, text: &'b Text) {
    for piece in &text.pieces {
        match piece {
            Piece::Hole(expr) => visitor.visit_expr(expr),
            Piece::Plural(Plural { of, several, .. }) => {
                of.iter().for_each(|of| visitor.visit_expr(of));
                visitor.visit_expr(several);
            }
            Piece::Plain(_) => {}
        }
    }
}

/// The direct parts of an expression.
pub fn walk_expr<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, expr: &'b Expr) {
    match &expr.kind {
        ExprKind::Word(_)
        | ExprKind::Absent
        | ExprKind::Everything(_)
        | ExprKind::Players
        | ExprKind::Winner
        | ExprKind::Local(_) => {}
        ExprKind::Column(_, all)
        | ExprKind::Rule(_, all)
        | ExprKind::And(all)
        | ExprKind::Or(all)
        | ExprKind::List(all)
        | ExprKind::Invalid(all) => all.iter().for_each(|part| visitor.visit_expr(part)),
        ExprKind::Links(_, a)
        | ExprKind::Neighbours(_, a)
        | ExprKind::Ends(_, a)
        | ExprKind::ToSet(a)
        | ExprKind::Not(a)
        | ExprKind::Odd(a)
        | ExprKind::Kept(_, a) => visitor.visit_expr(a),
        ExprKind::Each(local, a, b) => {
            visitor.visit_expr(a);
            visitor.visit_binding(*local);
            visitor.visit_expr(b);
        }
        ExprKind::Between(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::In(a, b)
        | ExprKind::Arithmetic(_, a, b)
        | ExprKind::Sets(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Otherwise(a, b) => {
            visitor.visit_expr(a);
            visitor.visit_expr(b);
        }
        ExprKind::Within(a, b, c) | ExprKind::Choice(a, b, c) => {
            visitor.visit_expr(a);
            visitor.visit_expr(b);
            visitor.visit_expr(c);
        }
        ExprKind::Query(query) => walk_query(visitor, query),
    }
}

/// The parts of a query, as [`super::visit_mut`] has them.
fn walk_query<'b, V: Visit<'b> + ?Sized>(visitor: &mut V, query: &'b Query) {
    visitor.visit_expr(&query.source);
    visitor.visit_binding(query.local);
    for part in [&query.filter, &query.by, &query.within].into_iter().flatten() {
        visitor.visit_expr(part);
    }
}
