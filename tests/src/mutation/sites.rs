//! All changes of a page, found in its tree. Data (tables of things, links, setups) stays as it is: what is printed on a
//! board is compared with the print, not shown by tests.

use std::ops::Range;

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::*;
use blazon_syntax::ast::*;

use super::names::Sorts;
use super::{Change, Operator, telling};

/// All changes of a page, in the order of their places.
pub fn all(file: &File, text: &str, sorts: &Sorts) -> Vec<Change> {
    let mut found =
        Finder { text, sorts, params: Vec::new(), rulings: Vec::new(), secret: false, changes: Vec::new() };
    for item in &file.items {
        match &item.kind {
            ItemKind::Declaration(declaration) => found.declaration(declaration),
            ItemKind::Amend(amend) => found.amend(amend),
            ItemKind::Test(_) | ItemKind::Scene(_) => {}
        }
    }
    found
        .changes
        .sort_by(|a, b| (a.span.start, a.span.end, &a.with).cmp(&(b.span.start, b.span.end, &b.with)));
    found.changes
}

struct Finder<'t> {
    text: &'t str,
    sorts: &'t Sorts,
    /// The parameters of the rule or step that is read: name and type.
    params: Vec<(&'t str, String)>,
    rulings: Vec<String>,
    /// Whether what is read says who sees what.
    secret: bool,
    changes: Vec<Change>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl<'t> Finder<'t> {
    fn push(&mut self, operator: Operator, span: Range<usize>, with: impl Into<String>) {
        let (with, rulings) = (with.into(), self.rulings.clone());
        if self.text[span.clone()] != with {
            self.changes.push(Change { operator, span, with, rulings, secret: self.secret });
        }
    }

    fn declaration(&mut self, declaration: &'t Declaration) {
        match declaration {
            Declaration::Rule(rule) => self.rule(rule),
            Declaration::Step(step) => {
                self.bind(&step.params);
                step.laws.iter().for_each(|law| self.visit_clause(law));
                self.visit_block(&step.body);
                self.params.clear();
            }
            Declaration::Kind(kind) => {
                kind.members.iter().for_each(|member| self.member(member));
                kind.members.iter().for_each(|member| self.drop_member(member));
            }
            Declaration::Fact(fact) => fact.value.iter().for_each(|value| self.visit_expr(value)),
            Declaration::State(state) => self.state(state),
            Declaration::Watch(watch) => {
                self.condition(&watch.condition);
                self.visit_block(&watch.body);
            }
            Declaration::Table(_)
            | Declaration::Links(_)
            | Declaration::Grid(_)
            | Declaration::Setup(_)
            | Declaration::Ruling(_)
            | Declaration::Invariant(_)
            | Declaration::Look(_)
            | Declaration::Omitted(_) => {}
        }
    }

    /// What says who sees what.
    fn secretly(&mut self, look: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.secret, true);
        look(self);
        self.secret = around;
    }

    fn member(&mut self, member: &'t Member) {
        match member {
            Member::Fact(fact) => fact.value.iter().for_each(|value| self.visit_expr(value)),
            Member::State(state) => self.state(state),
            Member::Seen(seen) => self.secretly(|finder| {
                finder.sight(&seen.when);
                seen.clauses.iter().for_each(|clause| finder.sight_clause(clause));
            }),
            Member::Back(back) => self.secretly(|finder| {
                finder.back_names(&back.names);
                back.clauses.iter().for_each(|clause| finder.back_clause(clause));
            }),
        }
    }

    /// Who sees a thing.
    fn sight(&mut self, condition: &'t Expr) {
        self.condition(condition);
        self.operands(condition);
    }

    /// A clause of that.
    fn sight_clause(&mut self, clause: &'t Clause) {
        self.visit_clause(clause);
        if let ClauseKind::Except { when: Some(when), .. } = &clause.kind {
            self.operands(when);
        }
    }

    /// Each operand of `and` and `or` goes.
    fn operands(&mut self, condition: &Expr) {
        let ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) = &condition.kind else { return };
        let (left, right) = (range(a.span), range(b.span));
        self.push(Operator::OperandDeleted, left.start..right.start, "");
        self.push(Operator::OperandDeleted, left.end..right.end, "");
        self.operands(a);
        self.operands(b);
    }

    /// Each of several names goes, with a comma.
    fn back_names(&mut self, names: &[Name]) {
        for (place, name) in names.iter().enumerate() {
            let span = range(name.span);
            let gone = match (place.checked_sub(1), names.get(place + 1)) {
                (Some(before), _) => range(names[before].span).end..span.end,
                (None, Some(next)) => span.start..range(next.span).start,
                (None, None) => continue,
            };
            self.push(Operator::BackNameDeleted, gone, "");
        }
    }

    /// A clause of a back goes, and each of its names.
    fn back_clause(&mut self, clause: &Clause) {
        self.delete(Operator::ClauseDeleted, clause.span, &clause.cites);
        if let ClauseKind::Modify { value, .. } = &clause.kind {
            let names: Vec<Name> = Back::names(value).cloned().collect();
            self.back_names(&names);
        }
    }

    /// A `seen by` goes with its clauses, a `back` of one name as a whole.
    fn drop_member(&mut self, member: &Member) {
        let whole = |span: Span, clauses: &[Clause]| clauses.iter().fold(span, |all, one| all.to(one.span));
        match member {
            Member::Seen(seen) => self.secretly(|finder| {
                finder.delete(Operator::SeenDeleted, whole(seen.span, &seen.clauses), &seen.cites);
            }),
            Member::Back(back) if back.names.len() == 1 => self.secretly(|finder| {
                finder.delete(Operator::BackNameDeleted, whole(back.span, &back.clauses), &back.cites);
            }),
            Member::Back(_) | Member::Fact(_) | Member::State(_) => {}
        }
    }

    fn state(&mut self, state: &'t State) {
        self.numbers_of(&state.ty);
        state.start.iter().for_each(|start| self.visit_expr(start));
    }

    fn rule(&mut self, rule: &'t Rule) {
        self.bind(&rule.params);
        self.numbers_of(&rule.ty);
        rule.base.iter().for_each(|base| self.visit_expr(base));
        self.rows(&rule.rows);
        rule.clauses.iter().for_each(|clause| self.visit_clause(clause));
        self.params.clear();
    }

    fn bind(&mut self, params: &'t [Param]) {
        for param in params {
            self.numbers_of(&param.ty);
            self.params.push((&param.name.text, self.text[range(param.ty.span)].to_owned()));
        }
    }

    /// The bounds of a type that is a range, made narrower: a wider one lets nothing happen that did not before.
    fn numbers_of(&mut self, ty: &Type) {
        let TypeKind::Range(low, high) = ty.kind else { return };
        let span = range(ty.span);
        let Some(dots) = self.text[span.clone()].find("..") else { return };
        let rest = self.text[span.start + dots + 2..span.end].chars();
        let digits = rest.take_while(|c| c.is_ascii_digit() || *c == '-').count();
        let (first, second) =
            (span.start..span.start + dots, span.start + dots + 2..span.start + dots + 2 + digits);
        self.push(Operator::Number, first, (low + 1).to_string());
        self.push(Operator::Number, second, (high - 1).to_string());
    }

    /// A table. Two headings beside each other with the same cells below them may change places.
    fn rows(&mut self, rows: &[Row]) {
        for (place, row) in rows.iter().enumerate() {
            self.row(&row.cells, if place == 0 { &rows[1..] } else { &[] });
        }
    }

    /// Cells beside each other; `below` are the rows of which they are the headings.
    fn row(&mut self, cells: &[Name], below: &[Row]) {
        for (place, pair) in cells.windows(2).enumerate() {
            let same = |row: &Row| {
                row.cells.get(place).map(|n| &n.text) == row.cells.get(place + 1).map(|n| &n.text)
            };
            if !below.is_empty() && below.iter().all(same) {
                continue;
            }
            let (left, right) = (range(pair[0].span), range(pair[1].span));
            let both = left.start..right.end;
            let between = &self.text[left.end..right.start];
            let with = format!("{}{between}{}", &self.text[right.clone()], &self.text[left.clone()]);
            self.push(Operator::CellsSwapped, both, with);
        }
    }

    fn amend(&mut self, amend: &'t Amend) {
        match &amend.kind {
            AmendKind::Inside { part, changes } => {
                let around = self.secret;
                self.secret |= matches!(part.kind, PartKind::Seen | PartKind::Back);
                for change in changes {
                    self.amend(change);
                    if let (PartKind::Seen, Some(when)) = (part.kind, condition_of(change)) {
                        self.operands(when);
                    }
                }
                self.secret = around;
            }
            AmendKind::Replace {
                new: Node::Member(member @ (Member::Seen(_) | Member::Back(_))), ..
            } => {
                self.member(member);
                let operator = match member {
                    Member::Seen(_) => Operator::SeenDeleted,
                    Member::Back(_) | Member::Fact(_) | Member::State(_) => Operator::BackNameDeleted,
                };
                self.secretly(|finder| finder.delete(operator, amend.span, &amend.cites));
            }
            AmendKind::Add(node) | AmendKind::Replace { new: node, .. } => {
                self.node(node);
                if let (AmendKind::Add(_), Node::Member(member)) = (&amend.kind, node) {
                    self.drop_member(member);
                }
            }
            AmendKind::Hook { body, .. } => self.visit_block(body),
            AmendKind::Under { condition, changes } => {
                let known = self.rulings.len();
                let mut named = Rulings { sorts: self.sorts, found: Vec::new() };
                named.visit_expr(condition);
                self.rulings.extend(named.found);
                self.condition(condition);
                changes.iter().for_each(|change| self.amend(change));
                self.rulings.truncate(known);
            }
            AmendKind::Cite(_) | AmendKind::Members { .. } | AmendKind::Remove(_) | AmendKind::Waive(_) => {}
        }
    }

    fn node(&mut self, node: &'t Node) {
        match node {
            Node::Declaration(declaration) => self.declaration(declaration),
            Node::Member(member) => self.member(member),
            Node::Clause(clause) => self.visit_clause(clause),
            Node::Option(option) => self.visit_option(option),
            Node::When(when) => self.visit_block(&when.body),
            Node::Rows(rows) => rows.iter().for_each(|row| self.row(&row.cells, &[])),
            Node::FactValue { values, .. } => values.iter().for_each(|value| self.visit_expr(value)),
            Node::NamedRows(_) | Node::Placing(_) | Node::Links(_) | Node::Things(_) | Node::Test(_) => {}
        }
    }

    /// A condition, and the same with `not` before it.
    fn condition(&mut self, condition: &'t Expr) {
        self.negate(condition);
        self.visit_expr(condition);
    }

    /// The same condition with `not` before it.
    fn negate(&mut self, condition: &Expr) {
        if !matches!(condition.kind, ExprKind::Not(_)) {
            let span = range(condition.span);
            let with = format!("not ({})", &self.text[span.clone()]);
            self.push(Operator::NotAdded, span, with);
        }
    }

    /// A part goes with its citations and, in a line of statements, the `;` beside it.
    fn delete(&mut self, operator: Operator, span: Span, cites: &[Cite]) {
        let mut gone = range(cites.iter().fold(span, |all, cite| all.to(cite.span)));
        let after = self.text[gone.end..].trim_start_matches(' ');
        if after.starts_with(';') {
            gone.end = self.text.len() - after.len() + 1;
        } else if self.text[..gone.start].trim_end_matches(' ').ends_with(';') {
            gone.start = self.text[..gone.start].trim_end_matches(' ').len() - 1;
        }
        self.push(operator, gone, "");
    }

    /// `if CONDITION` or `where CONDITION` goes.
    fn drop_condition(&mut self, from: Span, condition: &Expr) {
        let end = condition.span.end as usize;
        let start = from.end.min(condition.span.start) as usize;
        let between = &self.text[start..condition.span.start as usize];
        let word = ["where", "if"].into_iter().filter_map(|word| between.rfind(word)).max();
        if let Some(at) = word {
            self.push(Operator::ConditionDropped, start + at..end, "");
        }
    }

    /// The sign between two operands.
    fn sign(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Range<usize>> {
        let between = self.text.get(a.span.end as usize..b.span.start as usize)?;
        let at = between.find(op.sign()).filter(|_| !between.contains("--"))? + a.span.end as usize;
        Some(at..at + op.sign().len())
    }

    fn binary(&mut self, op: BinaryOp, a: &'t Expr, b: &'t Expr) {
        use BinaryOp as B;
        let (operator, others): (Operator, &[&str]) = match op {
            B::Or => (Operator::AndOr, &["and"]),
            B::And => (Operator::AndOr, &["or"]),
            B::Equal => (Operator::Comparison, &["!="]),
            B::NotEqual => (Operator::Comparison, &["="]),
            B::Less => (Operator::Comparison, &["<=", ">="]),
            B::AtMost => (Operator::Comparison, &["<", ">"]),
            B::Greater => (Operator::Comparison, &[">=", "<="]),
            B::AtLeast => (Operator::Comparison, &[">", "<"]),
            B::In => (Operator::Comparison, &["not in"]),
            B::NotIn => (Operator::Comparison, &["in"]),
            B::Plus => (Operator::Sign, &["-"]),
            B::Minus => (Operator::Sign, &["+"]),
            B::Times | B::Over | B::Both => (Operator::Sign, &[]),
        };
        if let Some(span) = self.sign(op, a, b) {
            others.iter().for_each(|&other| self.push(operator, span.clone(), other));
        }
    }

    fn names(&mut self, name: &Name) {
        let span = range(name.span);
        if self.text.get(span.clone()) != Some(&name.text) {
            return;
        }
        if let Some(place) = self.params.iter().position(|(param, _)| *param == name.text) {
            let ty = &self.params[place].1;
            let other = self.params.iter().find(|(param, other)| *param != name.text && other == ty);
            if let Some((other, _)) = other {
                self.push(Operator::NameSwapped, span, (*other).to_owned());
            }
        } else if let Some(other) = self.sorts.other(&name.text) {
            self.push(Operator::NameSwapped, span, other);
        }
    }
}

/// The condition of an exception that a change adds or puts.
fn condition_of(change: &Amend) -> Option<&Expr> {
    let (AmendKind::Add(node) | AmendKind::Replace { new: node, .. }) = &change.kind else { return None };
    let Node::Clause(Clause { kind: ClauseKind::Except { when, .. }, .. }) = node else { return None };
    when.as_ref()
}

/// The rulings that a condition asks for.
struct Rulings<'t> {
    sorts: &'t Sorts,
    found: Vec<String>,
}

impl<'t> Visit<'t> for Rulings<'t> {
    fn visit_expr(&mut self, expr: &'t Expr) {
        if let ExprKind::Call(call) = &expr.kind
            && self.sorts.is_ruling(&call.name.text)
        {
            self.found.push(call.name.text.clone());
        }
        walk_expr(self, expr);
    }
}

impl<'t> Visit<'t> for Finder<'t> {
    fn visit_text(&mut self, _: &'t Text) {}

    fn visit_statement(&mut self, statement: &'t Statement) {
        if telling::only(statement) {
            return;
        }
        let cites = &statement.cites;
        match &statement.kind {
            StatementKind::Do(_) => self.delete(Operator::CallDeleted, statement.span, cites),
            StatementKind::Assign { .. } | StatementKind::Stop | StatementKind::Return(_) => {
                self.delete(Operator::StatementDeleted, statement.span, cites);
            }
            StatementKind::If(condition, ..) | StatementKind::While(condition, _) => self.negate(condition),
            StatementKind::For { sources, filter: Some(filter), .. } => {
                self.negate(filter);
                if let Some(last) = sources.last() {
                    self.drop_condition(last.span, filter);
                }
            }
            StatementKind::For { filter: None, .. }
            | StatementKind::With { .. }
            | StatementKind::Let(..)
            | StatementKind::Case { .. }
            | StatementKind::Choose(_)
            | StatementKind::Say { .. } => {}
        }
        walk_statement(self, statement);
    }

    fn visit_option(&mut self, option: &'t ChoiceOption) {
        for binder in &option.binders {
            if let Some(filter) = &binder.filter {
                self.negate(filter);
                self.drop_condition(binder.source.span, filter);
            }
        }
        walk_option(self, option);
    }

    fn visit_clause(&mut self, clause: &'t Clause) {
        let (operator, value, when) = match &clause.kind {
            ClauseKind::Except { beats: _, value, when } => (Operator::ExceptDeleted, value, when.as_ref()),
            ClauseKind::Modify { minus: _, value, when } => (Operator::ClauseDeleted, value, when.as_ref()),
            ClauseKind::Need { when, condition, reason: _ } => {
                when.iter().for_each(|when| self.negate(when));
                self.negate(condition);
                (Operator::NeedDeleted, condition, None)
            }
            // Without it the rules do the same, or are refused.
            ClauseKind::Known { when } => {
                self.secretly(|finder| {
                    finder.delete(Operator::ReleaseDeleted, clause.span, &clause.cites);
                    when.iter().for_each(|when| finder.negate(when));
                });
                return walk_clause(self, clause);
            }
        };
        self.delete(operator, clause.span, &clause.cites);
        if let Some(when) = when {
            self.negate(when);
            self.drop_condition(value.span, when);
        }
        walk_clause(self, clause);
    }

    fn visit_query(&mut self, query: &'t Query) {
        if let Some(filter) = &query.filter {
            self.negate(filter);
            self.drop_condition(query.source.span, filter);
        }
        walk_query(self, query);
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Number(number) => {
                for other in [number - 1, number + 1] {
                    self.push(Operator::Number, range(expr.span), other.to_string());
                }
            }
            ExprKind::Flag(flag) => {
                let other = if *flag { "no" } else { "yes" };
                self.push(Operator::NameSwapped, range(expr.span), other);
            }
            ExprKind::Thing(name) => {
                if let Some(other) = self.sorts.thing(name) {
                    self.push(Operator::NameSwapped, range(expr.span), other);
                }
            }
            ExprKind::Not(inner) => {
                let (start, end) = (expr.span.start as usize, inner.span.start as usize);
                let word = self.text[start..end].find("not").map(|at| start + at);
                if let Some(at) = word {
                    self.push(Operator::NotDropped, at..at + 4, "");
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Call(call) | ExprKind::Dot(_, call) => self.names(&call.name),
            ExprKind::Text(_)
            | ExprKind::None
            | ExprKind::Rounded(..)
            | ExprKind::Range(..)
            | ExprKind::Otherwise(..)
            | ExprKind::Query(_)
            | ExprKind::List(_) => {}
        }
        walk_expr(self, expr);
    }
}
