//! Small pieces of syntax that amendments are made of.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{
    self, BinaryOp, Block, Clause, ClauseKind, Expr, ExprKind, Name, PlacingLine, Statement, StatementKind,
};

pub(in crate::merge) fn restrict(clause: &mut Clause, condition: &Expr) {
    match &mut clause.kind {
        ClauseKind::Except { when, .. } | ClauseKind::Modify { when, .. } | ClauseKind::Known { when } => {
            *when = Some(match when.take() {
                None => condition.clone(),
                Some(old) => binary(BinaryOp::And, condition.clone(), old),
            });
        }
        ClauseKind::Need { condition: need, .. } => {
            let old = need.clone();
            *need = binary(BinaryOp::Or, not(condition), old);
        }
    }
}

pub(crate) fn need_that(condition: Expr, span: Span) -> Clause {
    Clause {
        kind: ClauseKind::Need { when: None, condition, reason: None },
        label: None,
        cites: Vec::new(),
        span,
    }
}

pub(in crate::merge) fn need_not(condition: &Expr, span: Span) -> Clause {
    need_that(not(condition), span)
}

pub(in crate::merge) fn conjunction(parts: &[Expr]) -> Expr {
    let mut parts = parts.iter().cloned();
    let first = parts.next().unwrap_or(Expr { kind: ExprKind::Flag(true), span: Span::default() });
    parts.fold(first, |all, part| binary(BinaryOp::And, all, part))
}

pub(in crate::merge) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = right.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

/// A denial that stands on no page: its place is empty, so that nobody shows the words of what it denies as its own.
pub(crate) fn not(expr: &Expr) -> Expr {
    Expr { kind: ExprKind::Not(Box::new(expr.clone())), span: expr.span.before() }
}

pub(in crate::merge) fn block(statements: Vec<Statement>) -> Block {
    let span = statements.first().map_or(Span::default(), |s| s.span);
    Block { statements, span }
}

pub(in crate::merge) fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, cites: Vec::new(), span }
}

pub(in crate::merge) fn call_of(step: &ast::Step, span: Span) -> Statement {
    let args = step
        .params
        .iter()
        .map(|param| Expr {
            kind: ExprKind::Call(ast::Call { name: param.name.clone(), args: Vec::new() }),
            span: param.name.span,
        })
        .collect();
    let call = ast::Call { name: step.name.clone(), args };
    let call = Expr { kind: ExprKind::Call(call), span };
    let kind = if step.ty.is_some() { StatementKind::Return(Some(call)) } else { StatementKind::Do(call) };
    statement(kind, span)
}

pub(in crate::merge) fn label_text(clause: &Clause) -> String {
    clause.label.as_ref().map(|label| label.text.clone()).unwrap_or_default()
}

pub(in crate::merge) fn unlabelled(span: Span) -> Diagnostic {
    Diagnostic::error("amend::missing", span, "what replaces a clause needs that clause's label")
        .help("write the label and a colon before it: `replace except city: 6 if …`")
}

/// Whether two headings fix the same columns to the same values.
pub(in crate::merge) fn same_fixed(a: &[(Name, Expr)], b: &[(Name, Expr)]) -> bool {
    let same = |((a, x), (b, y)): (&(Name, Expr), &(Name, Expr))| a.text == b.text && x.same_as(y);
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// A line added to a setup joins the group of its heading, if there is one.
pub(in crate::merge) fn merge_placing(lines: &mut Vec<PlacingLine>, line: &PlacingLine) {
    if let PlacingLine::Group { heading, lines: more } = line {
        for old in lines.iter_mut() {
            if let PlacingLine::Group { heading: there, lines } = old
                && there.text == heading.text
            {
                for line in more {
                    merge_placing(lines, line);
                }
                return;
            }
        }
    }
    lines.push(line.clone());
}

/// Puts a line in the place of the one that says the same; `entry` is what a line calls the state that it sets.
pub(in crate::merge) fn replace_placing(
    lines: &mut Vec<PlacingLine>,
    line: &PlacingLine,
    entry: &dyn Fn(&Expr) -> String,
) -> bool {
    match line {
        PlacingLine::Assign(new) => {
            let StatementKind::Assign { target, .. } = &new.kind else { return false };
            let wanted = entry(target);
            for old in lines.iter_mut() {
                if let PlacingLine::Assign(Statement { kind: StatementKind::Assign { target, .. }, .. }) = old
                    && entry(target) == wanted
                {
                    *old = line.clone();
                    return true;
                }
            }
            false
        }
        PlacingLine::Placed { things, .. } => {
            let found = things.iter().all(|(thing, _)| remove_placed(lines, &thing.text));
            lines.push(line.clone());
            found
        }
        PlacingLine::Group { heading, lines: more } => {
            let mut found = true;
            for line in more {
                if let PlacingLine::Placed { things, .. } = line {
                    for (thing, _) in things {
                        found &= remove_placed(lines, &thing.text);
                    }
                }
            }
            merge_placing(lines, &PlacingLine::Group { heading: heading.clone(), lines: more.clone() });
            found
        }
        PlacingLine::Others { .. } => {
            let found = remove_others(lines);
            lines.push(line.clone());
            found
        }
    }
}

/// Takes out the lines that give certain states a value.
pub(in crate::merge) fn drop_settings(lines: &mut Vec<PlacingLine>, is_meant: &dyn Fn(&Expr) -> bool) {
    lines.retain_mut(|line| match line {
        PlacingLine::Assign(Statement { kind: StatementKind::Assign { target, op, .. }, .. }) => {
            *op != ast::AssignOp::Set || !is_meant(target)
        }
        PlacingLine::Group { lines, .. } => {
            drop_settings(lines, is_meant);
            true
        }
        PlacingLine::Assign(_) | PlacingLine::Placed { .. } | PlacingLine::Others { .. } => true,
    });
}

/// Takes out the line that says where all others stand, below whichever headings.
fn remove_others(lines: &mut Vec<PlacingLine>) -> bool {
    let before = lines.len();
    lines.retain(|line| !matches!(line, PlacingLine::Others { .. }));
    let mut found = lines.len() < before;
    for line in lines {
        if let PlacingLine::Group { lines, .. } = line {
            found |= remove_others(lines);
        }
    }
    found
}

pub(in crate::merge) fn remove_placed(lines: &mut Vec<PlacingLine>, thing: &str) -> bool {
    let mut gone = false;
    for line in lines.iter_mut() {
        match line {
            PlacingLine::Placed { things, .. } => {
                let before = things.len();
                things.retain(|(name, _)| name.text != thing);
                gone |= things.len() < before;
            }
            PlacingLine::Group { lines, .. } => gone |= remove_placed(lines, thing),
            PlacingLine::Others { .. } | PlacingLine::Assign(_) => {}
        }
    }
    lines.retain(|line| !matches!(line, PlacingLine::Placed { things, .. } if things.is_empty()));
    gone
}
