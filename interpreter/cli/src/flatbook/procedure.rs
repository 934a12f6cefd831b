//! What is done: steps, statement by statement, with the statements of amendments in their places.

use blazon_check::book::{Base, Choose, Statement, StatementKind, Step};
use blazon_diagnostics::Span;

use super::Pages;
use super::content::within;
use crate::terminal::values;

impl<'a> Pages<'a> {
    /// A step with all that happens in it.
    pub(super) fn step(&mut self, step: &'a Step) {
        self.locals = &step.locals;
        let head = self.origins.head(step.span);
        self.part(0, step.span, head, &step.cites);
        self.block(1, &step.body);
    }

    /// Statements in order. What the checker made of one place is told once, and a variable that it made for the next
    /// statement not at all.
    pub(super) fn block(&mut self, depth: usize, block: &[Statement]) {
        let mut last: Option<Span> = None;
        for (place, statement) in block.iter().enumerate() {
            let made = matches!(statement.kind, StatementKind::Let(..))
                && block.get(place + 1).is_some_and(|next| within(statement.span, next.span));
            if !made && (last != Some(statement.span) || has_parts(&statement.kind)) {
                self.statement(depth, statement);
            }
            last = Some(statement.span);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            // A change under a ruling that does not hold.
            StatementKind::If(_, then, otherwise) if then.is_empty() && otherwise.is_empty() => {}
            StatementKind::If(condition, then, otherwise) => {
                // A condition from elsewhere is that of an amendment.
                if within(condition.span, span) {
                    let head = self.origins.head(span);
                    self.part(depth, span, head, &statement.cites);
                } else {
                    let text = format!("under {}", self.origins.slice(condition.span));
                    self.part(depth, condition.span, &text, &statement.cites);
                }
                self.block(depth + 1, then);
                if !otherwise.is_empty() {
                    self.said_of(depth, otherwise[0].span, "else", &[]);
                    self.block(depth + 1, otherwise);
                }
            }
            StatementKind::For { body, otherwise, .. } => {
                let head = self.origins.head(span);
                self.part(depth, span, head, &statement.cites);
                self.block(depth + 1, body);
                self.otherwise(depth, otherwise.as_deref());
            }
            StatementKind::While(_, body) => {
                let head = self.origins.head(span);
                self.part(depth, span, head, &statement.cites);
                self.block(depth + 1, body);
            }
            StatementKind::Case { subject, arms, otherwise } => {
                let of = self.locals.get(subject.0 as usize).map(|local| local.ty.base);
                let head = self.origins.head(span);
                self.part(depth, span, head, &statement.cites);
                for (ranges, arm) in arms {
                    let value = |value: i64| match (of, u32::try_from(value)) {
                        (Some(Base::Thing(kind)), Ok(thing)) => values::thing(self.book, kind, thing),
                        _ => value.to_string(),
                    };
                    let range = |&(from, to): &(i64, i64)| match from == to {
                        true => value(from),
                        false => format!("{}..{}", value(from), value(to)),
                    };
                    let ranges: Vec<String> = ranges.iter().map(range).collect();
                    let place = arm.first().map_or(span, |first| first.span);
                    self.said_of(depth + 1, place, &format!("when {}", ranges.join(", ")), &[]);
                    self.block(depth + 2, arm);
                }
                self.otherwise(depth + 1, otherwise.as_deref());
            }
            StatementKind::Choose(choose) => self.choose(depth, span, choose),
            _ => {
                let text = self.origins.head(span);
                self.part(depth, span, text, &statement.cites);
            }
        }
    }

    fn otherwise(&mut self, depth: usize, otherwise: Option<&[Statement]>) {
        let Some(otherwise) = otherwise else { return };
        match otherwise.first() {
            Some(first) => self.said_of(depth, first.span, "else", &[]),
            None => self.said(depth, "else nothing"),
        }
        self.block(depth + 1, otherwise);
    }

    fn choose(&mut self, depth: usize, span: Span, choose: &Choose) {
        let head = self.origins.head(span);
        self.part(depth, span, head, &choose.cites);
        for option in &choose.options {
            let need = option.needs.iter().map(|need| need.span).find(|need| within(*need, option.span));
            let head = self.origins.head(option.span);
            let head = match need {
                Some(need) if (need.start - option.span.start) < head.len() as u32 => {
                    self.origins.between(option.span, need.start)
                }
                _ => head,
            };
            self.part(depth + 1, option.span, head, &option.cites);
            self.needs(depth + 2, &option.needs);
            self.block(depth + 2, &option.body);
        }
        self.otherwise(depth, choose.otherwise.as_deref());
    }

    /// The lines of a setup: each once, although each may set many states.
    pub(super) fn placings(&mut self, body: &[Statement]) {
        let mut told: Vec<String> = Vec::new();
        for statement in body {
            let origin = self.origins.of(statement.span, 0);
            if !told.contains(&origin) {
                let text = self.origins.slice(statement.span);
                self.part(1, statement.span, text, &statement.cites);
                told.push(origin);
            }
        }
    }
}

/// Whether a statement has statements in it.
fn has_parts(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::If(..)
            | StatementKind::For { .. }
            | StatementKind::While(..)
            | StatementKind::Case { .. }
            | StatementKind::Choose(_)
    )
}
