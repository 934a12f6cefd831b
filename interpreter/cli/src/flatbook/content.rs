//! What is declared: kinds with their things, states, rules, setups, rulings.

use std::collections::BTreeSet;

use blazon_check::book::{
    Book, ColumnId, Expr, KindId, Need, Role, Rule, RuleBody, RuleId, StepId, TestLineKind,
};
use blazon_diagnostics::Span;

use super::Pages;
use crate::terminal::{columns_of, kinds, values};

/// Rules and steps that tests, setups and watches made for themselves.
#[derive(Default)]
struct Made {
    rules: BTreeSet<RuleId>,
    steps: BTreeSet<StepId>,
}

impl<'a> Pages<'a> {
    /// The whole book.
    pub fn all(&mut self) {
        let made = self.made();
        self.front();
        self.heading("Things");
        for kind in kinds(self.book) {
            self.kind(kind);
        }
        self.heading("Facts and states of no one thing");
        for column in 0..self.book.columns.len() as u32 {
            let column = self.book.column(ColumnId(column));
            if column.keys.len() != 1 {
                let text = self.origins.slice(column.span);
                self.part(0, column.span, text, &column.cites);
            }
        }
        self.heading("Rules");
        for (place, rule) in self.book.rules.iter().enumerate() {
            if !made.rules.contains(&RuleId(place as u32)) {
                self.rule(rule);
            }
        }
        self.heading("Steps");
        let book: &'a Book = self.book;
        for (place, step) in book.steps.iter().enumerate() {
            if !made.steps.contains(&StepId(place as u32)) {
                self.step(step);
            }
        }
        if !self.book.watches.is_empty() {
            self.heading("Watches");
        }
        for watch in &self.book.watches {
            let head = self.origins.head(watch.span);
            self.part(0, watch.span, head, &[]);
            let body = book.step(watch.body);
            self.locals = &body.locals;
            self.block(1, &body.body);
        }
        self.heading("Setups");
        for setup in &self.book.setups {
            let head = self.origins.head(setup.span);
            self.part(0, setup.span, head, &[]);
            self.placings(&self.book.step(setup.body).body);
        }
        if !self.book.rulings.is_empty() {
            self.heading("Rulings");
        }
        for ruling in &self.book.rulings {
            let value = ruling.values.get(ruling.chosen).map(String::as_str).unwrap_or_default();
            let others: Vec<&str> =
                ruling.values.iter().map(String::as_str).filter(|other| *other != value).collect();
            let text = format!("ruling {} = {value} (not {})", ruling.name, others.join(", "));
            self.said_of(0, ruling.span, &text, &ruling.cites);
        }
    }

    fn front(&mut self) {
        let book = self.book;
        let mut title = format!("{} {}", book.title, book.version);
        for (variant, version) in &book.variants {
            title += &format!(" + {variant} {version}");
        }
        self.said(0, &title);
        let players: Vec<String> =
            book.players.iter().map(|&player| values::thing(book, book.player, player)).collect();
        self.said(0, &format!("players: {}", players.join(", ")));
        self.said(0, &format!("begins: {}", book.step(book.begins).name));
    }

    fn made(&self) -> Made {
        let mut made = Made::default();
        made.steps.extend(self.book.setups.iter().map(|setup| setup.body));
        made.steps.extend(self.book.watches.iter().map(|watch| watch.body));
        for line in self.book.tests.iter().flat_map(|test| &test.lines) {
            match &line.kind {
                TestLineKind::Set(step) | TestLineKind::Play(step) => {
                    made.steps.insert(*step);
                }
                TestLineKind::Expect(conditions) => {
                    for condition in conditions {
                        made.rules.insert(condition.condition);
                        made.rules.extend(condition.actual);
                    }
                }
                _ => {}
            }
        }
        made
    }

    /// A kind, its facts and states, and each thing with all that is printed on it.
    fn kind(&mut self, id: KindId) {
        let kind = self.book.kind(id);
        let ends =
            kind.ends.map(|(a, b)| format!(" = {} - {}", self.book.kind(a).name, self.book.kind(b).name));
        let text = format!("kind {} ({}){}", kind.name, kind.plural, ends.unwrap_or_default());
        self.said_of(0, kind.span, &text, &[]);
        let columns: Vec<ColumnId> = columns_of(self.book, id).collect();
        for &column in &columns {
            let column = self.book.column(column);
            let text = self.origins.slice(column.span);
            self.part(1, column.span, text, &column.cites);
        }
        if let Some(seen) = &kind.seen {
            let viewer = seen.locals.first().map_or("v", |local| local.name.as_str());
            let text = format!("seen by {viewer}: {}", self.origins.slice(seen.when.span));
            self.part(1, seen.when.span, &text, &[]);
            let mut back: Vec<&str> =
                kind.back.iter().map(|&column| self.book.column(column).name.as_str()).collect();
            if kind.name_on_back {
                back.insert(0, "name");
            }
            self.said_of(1, kind.span, &format!("back: {}", back.join(", ")), &[]);
        }
        let mut lists = Vec::new();
        let printed = |column: &ColumnId| matches!(self.book.column(*column).role, Role::Fact(_));
        if !columns.iter().any(printed) {
            // Nothing is printed on them: those of one line stand in one line.
            for things in
                kind.things.chunk_by(|a, b| self.origins.of(a.span, 0) == self.origins.of(b.span, 0))
            {
                let names: Vec<&str> = things.iter().map(|thing| thing.name.as_str()).collect();
                lists.push((things[0].span, names.join(", ")));
            }
            for (span, names) in lists {
                self.said_of(2, span, &names, &[]);
            }
            return;
        }
        for (place, thing) in kind.things.iter().enumerate() {
            let mut facts = Vec::new();
            for &column in &columns {
                let column = self.book.column(column);
                if let Role::Fact(constants) = &column.role
                    && let Some(text) =
                        constants.get(place).and_then(|c| values::constant(self.book, column.ty, c))
                {
                    facts.push(if text == "yes" {
                        column.name.clone()
                    } else {
                        format!("{} {text}", column.name)
                    });
                }
            }
            let colon = if facts.is_empty() { "" } else { ": " };
            self.said_of(2, thing.span, &format!("{}{colon}{}", thing.name, facts.join("; ")), &[]);
        }
    }

    fn rule(&mut self, rule: &Rule) {
        match &rule.body {
            RuleBody::Value { base, exceptions, modifiers } => {
                self.base(rule, base);
                for exception in exceptions {
                    let text = self.origins.slice(exception.span);
                    self.part(1, exception.span, text, &exception.cites);
                }
                for modifier in modifiers {
                    let text = self.origins.slice(modifier.span);
                    self.part(1, modifier.span, text, &modifier.cites);
                }
            }
            RuleBody::Permission(needs) => {
                let first = needs.iter().map(|need| need.span).find(|span| within(*span, rule.span));
                let head = first.map_or_else(
                    || self.origins.slice(rule.span),
                    |first| self.origins.between(rule.span, first.start),
                );
                self.part(0, rule.span, head, &rule.cites);
                self.needs(1, needs);
            }
            RuleBody::Table(_) => {
                let text = self.origins.slice(rule.span);
                self.part(0, rule.span, text, &rule.cites);
            }
        }
    }

    /// The head of a rule with its base; a base from elsewhere stands on a line of its own.
    fn base(&mut self, rule: &Rule, base: &Expr) {
        if within(base.span, rule.span) {
            let text = self.origins.between(rule.span, base.span.end);
            self.part(0, rule.span, text, &rule.cites);
        } else {
            let text = self.origins.slice(rule.span);
            let head = text.split_once(" = ").map_or(text, |(head, _)| head);
            self.part(0, rule.span, &format!("{head} ="), &rule.cites);
            let text = self.origins.slice(base.span);
            self.part(1, base.span, text, &[]);
        }
    }

    pub(super) fn needs(&mut self, depth: usize, needs: &[Need]) {
        for need in needs {
            let text = self.origins.slice(need.span);
            self.part(depth, need.span, text, &need.cites);
        }
    }
}

/// Whether a span lies in another one.
pub(super) fn within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && inner.start >= outer.start && inner.end <= outer.end
}
