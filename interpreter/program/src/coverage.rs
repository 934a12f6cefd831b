//! A book that counts what comes up in it: every line, condition, need, option, case and row has a site, and the program
//! that is made of it counts at each how often it came up, and how often it held. It plays as the book itself does, only
//! more slowly; the program of a book that does not count knows nothing of all this.

use std::collections::BTreeSet;

use blazon_book::build::{flag, number};
use blazon_book::walk::{Reads, Visit};
use blazon_book::{
    Base, Block, Book, ChoiceOption, Comparison, Expr, ExprKind, Local, LocalId, Need, Rule, RuleBody,
    RuleId, RuleTable, Statement, StatementKind, StepId, TestLineKind, Type,
};
use blazon_diagnostics::Span;

use crate::Program;

/// Something that can come up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub what: What,
    /// Its name, or that of the rule, step or option that it belongs to.
    pub name: String,
}

/// What can come up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A step is done.
    Step,
    /// A rule gives its base value, or looks at its table.
    Rule,
    /// A statement is reached.
    Line,
    /// The condition of an `if` or `while`.
    Branch,
    /// A case of a `case`.
    Case,
    /// An option is open.
    Open,
    /// An option is taken.
    Taken,
    /// A need.
    Need,
    /// An exception of a rule.
    Exception,
    /// A modifier of a rule.
    Modifier,
    /// A row of a rule's table.
    Row,
    /// The condition of a `whenever`.
    Watch,
}

impl What {
    /// It in a word.
    pub fn word(self) -> &'static str {
        match self {
            What::Step => "step",
            What::Rule => "rule",
            What::Line => "line",
            What::Branch => "condition",
            What::Case => "case",
            What::Open | What::Taken => "option",
            What::Need => "need",
            What::Exception => "exception",
            What::Modifier => "modifier",
            What::Row => "row",
            What::Watch => "watch",
        }
    }

    /// What is to be said of how often it came up and how often it held, if anything is: it never came up, or always came
    /// out one way.
    pub fn gap(self, [came, held]: [u64; 2]) -> Option<&'static str> {
        match (self, came, held) {
            (What::Step, 0, _) => Some("was never done"),
            (What::Rule, 0, _) => Some("was never asked for its value"),
            (What::Line, 0, _) => Some("was never reached"),
            (What::Case, 0, _) => Some("never came"),
            (What::Open, 0, _) => Some("was never open"),
            (What::Taken, 0, _) => Some("was never taken"),
            (What::Row, 0, _) => Some("was never looked up"),
            (What::Branch | What::Need | What::Exception | What::Modifier, 0, _) => Some("was never asked"),
            (What::Need, came, held) if came == held => Some("never refused"),
            (What::Branch, came, held) if came == held => Some("always held"),
            (What::Watch | What::Branch | What::Need | What::Exception | What::Modifier, _, 0) => {
                Some("never held")
            }
            _ => None,
        }
    }
}

impl Site {
    /// It and what is to be said of it, as the beginning of a sentence.
    pub fn told(&self, said: &str) -> String {
        let (what, name) = (self.what.word(), &self.name);
        match self.what {
            What::Line | What::Branch | What::Case => format!("a {what} of `{name}` {said}"),
            What::Step
            | What::Rule
            | What::Open
            | What::Taken
            | What::Need
            | What::Exception
            | What::Modifier
            | What::Row
            | What::Watch => format!("the {what} `{name}` {said}"),
        }
    }
}

/// The sites of the rules that somebody asks who looks on, as bots ask how things look, themselves or through others, and
/// that nothing which happens in the game leads to: that they did not come up in it says nothing.
pub fn sites_aside(program: &Program, asked: &[RuleId]) -> Vec<Site> {
    let book = &program.book;
    let mut played = Reads::default();
    for step in &book.steps {
        played.visit_block(&step.body);
    }
    for watch in &book.watches {
        played.visit_expr(&watch.condition);
    }
    for seen in book.kinds.iter().filter_map(|kind| kind.seen.as_ref()) {
        played.visit_expr(&seen.when);
        played.rules.extend(seen.rule);
    }
    played.rules.extend(book.chooser);
    let played = led_to(book, played.rules);
    let looked_at: BTreeSet<RuleId> =
        led_to(book, asked.iter().copied().collect()).difference(&played).copied().collect();
    let of_rules = program.site_rules.iter().zip(&program.sites);
    of_rules
        .filter(|(rule, _)| rule.is_some_and(|rule| looked_at.contains(&rule)))
        .map(|(_, site)| site.clone())
        .collect()
}

/// These rules, and those that they ask, themselves or through others.
fn led_to(book: &Book, mut rules: BTreeSet<RuleId>) -> BTreeSet<RuleId> {
    let mut waiting: Vec<RuleId> = rules.iter().copied().collect();
    while let Some(next) = waiting.pop() {
        let Some(rule) = book.rules.get(next.0 as usize) else { continue };
        waiting.extend(Reads::of_rule(rule).rules.into_iter().filter(|&asked| rules.insert(asked)));
    }
    rules
}

/// A book that counts.
pub(crate) struct Counting {
    /// The book.
    pub book: Book,
    /// What it counts.
    pub sites: Vec<Site>,
    /// The rule that each site is a part of, if it is one of a rule.
    pub rules: Vec<Option<RuleId>>,
}

/// The book that counts. What only sets positions up, and tests, is left as it is.
pub(crate) fn counting(book: &Book) -> Counting {
    let mut book = book.clone();
    let rule = RuleId(book.rules.len() as u32);
    let mut counter = Counter { rule, sites: Vec::new(), within: None, rules: Vec::new() };
    let (steps, rules) = aside(&book);
    for (place, step) in book.steps.iter_mut().enumerate() {
        if !steps.contains(&StepId(place as u32)) {
            // What changes make of a step is the step to whoever reads its page.
            let name = step.title().to_owned();
            counter.block(&mut step.body, &name);
            if !step.is_part {
                step.body.insert(0, counter.mark(What::Step, &name, step.span));
            }
        }
    }
    let mut tables = Vec::new();
    let first = book.rules.len() as u32 + 1;
    for (place, rule) in book.rules.iter_mut().enumerate() {
        let id = RuleId(place as u32);
        if !rules.contains(&id) {
            counter.within = Some(id);
            counter.rule(rule, first, &mut tables);
        }
    }
    counter.within = None;
    for watch in &mut book.watches {
        counter.condition(&mut watch.condition, What::Watch, &watch.name.clone(), watch.span);
    }
    for kind in &mut book.kinds {
        let Some(seen) = &mut kind.seen else { continue };
        if let Some(rule) = seen.rule {
            // Who sees it is asked of the rule, whose clauses are counted.
            let of = |place: usize| local(LocalId(place as u32), seen.locals[place].ty, seen.when.span);
            seen.when.kind = ExprKind::Rule(rule, vec![of(0), of(1)]);
        }
    }
    book.counter = Some(counter.rule);
    book.rules.push(counting_rule());
    book.rules.extend(tables);
    Counting { book, sites: counter.sites, rules: counter.rules }
}

/// The steps and rules that belong to setups, tests and invariants.
fn aside(book: &Book) -> (BTreeSet<StepId>, BTreeSet<RuleId>) {
    let mut steps: BTreeSet<StepId> = book.setups.iter().map(|setup| setup.body).collect();
    let mut rules: BTreeSet<RuleId> = book.invariants.iter().map(|invariant| invariant.rule).collect();
    for line in book.tests.iter().flat_map(|test| &test.lines) {
        if let TestLineKind::Set(step) | TestLineKind::Play(step) = &line.kind {
            steps.insert(*step);
        }
        for expectation in line.kind.expectations() {
            rules.insert(expectation.condition);
            rules.extend(expectation.actual);
        }
    }
    (steps, rules)
}

/// The rule that stands for counting: it is never asked, the lowering knows it.
fn counting_rule() -> Rule {
    let local = |name: &str, ty| Local { name: name.to_owned(), ty };
    Rule {
        known: Vec::new(),
        name: "counting".to_owned(),
        title: None,
        params: 2,
        locals: vec![local("held", Type::of(Base::Flag)), local("site", number(0, Span::default()).ty)],
        ty: Type::of(Base::Flag),
        body: RuleBody::Value {
            base: flag(true, Span::default()),
            exceptions: Vec::new(),
            modifiers: Vec::new(),
        },
        cites: Vec::new(),
        span: Span::default(),
    }
}

struct Counter {
    /// The rule that stands for counting.
    rule: RuleId,
    sites: Vec<Site>,
    /// The rule whose parts are counted now.
    within: Option<RuleId>,
    rules: Vec<Option<RuleId>>,
}

impl Counter {
    /// A flag that is counted.
    fn counted(&mut self, held: Expr, what: What, name: &str, place: Span) -> Expr {
        let span = held.span;
        let site = number(self.sites.len() as i64, span);
        self.sites.push(Site { span: place, what, name: name.to_owned() });
        self.rules.push(self.within);
        Expr { kind: ExprKind::Rule(self.rule, vec![held, site]), ty: Type::of(Base::Flag), span }
    }

    fn condition(&mut self, condition: &mut Expr, what: What, name: &str, place: Span) {
        let held = std::mem::replace(condition, flag(true, place));
        *condition = self.counted(held, what, name, place);
    }

    /// A statement that does nothing but count.
    fn mark(&mut self, what: What, name: &str, place: Span) -> Statement {
        let reached = self.counted(flag(true, place), what, name, place);
        let kind = StatementKind::If(reached, Vec::new(), Vec::new());
        Statement { kind, span: place, cites: Vec::new() }
    }

    fn block(&mut self, block: &mut Block, name: &str) {
        for mut statement in std::mem::take(block) {
            block.push(self.mark(What::Line, name, statement.span));
            self.statement(&mut statement, name);
            block.push(statement);
        }
    }

    fn statement(&mut self, statement: &mut Statement, name: &str) {
        let span = statement.span;
        match &mut statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                let place = condition.span;
                self.condition(condition, What::Branch, name, place);
                self.block(then, name);
                self.block(otherwise, name);
            }
            StatementKind::While(condition, body) => {
                let place = condition.span;
                // `while yes` is no condition, but how one goes on until something ends it.
                if !matches!(condition.kind, ExprKind::Word(1)) {
                    self.condition(condition, What::Branch, name, place);
                }
                self.block(body, name);
            }
            StatementKind::For { body, otherwise, .. } => {
                self.block(body, name);
                otherwise.iter_mut().for_each(|block| self.block(block, name));
            }
            StatementKind::Case { arms, otherwise, .. } => {
                for (_, arm) in arms {
                    let place = arm.first().map_or(span, |first| first.span);
                    self.block(arm, name);
                    arm.insert(0, self.mark(What::Case, name, place));
                }
                otherwise.iter_mut().for_each(|block| self.block(block, name));
            }
            StatementKind::Choose(choose) => {
                choose.options.iter_mut().for_each(|option| self.option(option));
                choose.otherwise.iter_mut().for_each(|block| self.block(block, name));
            }
            StatementKind::Let(..)
            | StatementKind::Assign { .. }
            | StatementKind::Stop
            | StatementKind::Return(_)
            | StatementKind::Say { .. }
            | StatementKind::Do(..)
            | StatementKind::Win(_)
            | StatementKind::Invalid(_) => {}
        }
    }

    fn option(&mut self, option: &mut ChoiceOption) {
        let (name, span) = (option.name.clone(), option.span);
        self.needs(&mut option.needs, &name);
        let condition = self.counted(flag(true, span), What::Open, &name, span);
        option.needs.push(Need { label: String::new(), condition, reason: None, cites: Vec::new(), span });
        self.block(&mut option.body, &name);
        option.body.insert(0, self.mark(What::Taken, &name, span));
    }

    fn needs(&mut self, needs: &mut [Need], name: &str) {
        for need in needs {
            // A permission gives reasons of its own, and its needs are counted themselves.
            if need.reason.is_some() || !gives_reasons(&need.condition) {
                let name = if need.label.is_empty() { name } else { &need.label };
                let (name, place) = (name.to_owned(), need.span);
                self.condition(&mut need.condition, What::Need, &name, place);
            }
        }
    }

    fn rule(&mut self, rule: &mut Rule, first: u32, tables: &mut Vec<Rule>) {
        let name = rule.name.clone();
        match &mut rule.body {
            RuleBody::Permission(needs) => self.needs(needs, &name),
            RuleBody::Value { base, exceptions, modifiers } => {
                let asked = self.counted(flag(true, base.span), What::Rule, &name, rule.span);
                for exception in exceptions {
                    let place = exception.span;
                    let mut when = exception.when.take().unwrap_or_else(|| flag(true, place));
                    let label = if exception.label.is_empty() { &name } else { &exception.label };
                    self.condition(&mut when, What::Exception, &label.clone(), place);
                    exception.when = Some(when);
                }
                for modifier in modifiers {
                    let place = modifier.span;
                    let mut when = modifier.when.take().unwrap_or_else(|| flag(true, place));
                    let label = if modifier.label.is_empty() { &name } else { &modifier.label };
                    self.condition(&mut when, What::Modifier, &label.clone(), place);
                    modifier.when = Some(when);
                }
                *base = either(asked, base);
            }
            RuleBody::Table(table) => {
                let id = RuleId(first + tables.len() as u32);
                let found = self.row(table, &rule.locals, &name, rule.span);
                let argument = |place: usize| local(LocalId(place as u32), rule.locals[place].ty, rule.span);
                let args = (0..rule.params).map(argument).collect();
                let asked = Expr { kind: ExprKind::Rule(id, args), ty: rule.ty, span: rule.span };
                let body = RuleBody::Value {
                    base: either(found, &asked),
                    exceptions: Vec::new(),
                    modifiers: Vec::new(),
                };
                let name = format!("{} (printed)", rule.name);
                let body = std::mem::replace(&mut rule.body, body);
                tables.push(Rule { body, name, ..rule.clone() });
            }
        }
    }

    /// A flag that counts the row that is asked for.
    fn row(&mut self, table: &RuleTable, locals: &[Local], name: &str, span: Span) -> Expr {
        let mut rows = Vec::new();
        for (place, row) in table.rows.iter().enumerate() {
            let mut parts: Vec<Expr> = Vec::new();
            for (leading, range) in table.leading.iter().zip(&row.ranges) {
                parts.push(within(*leading, locals[leading.0 as usize].ty, *range, span));
            }
            let printed = table.printed.get(place + 1).map(|cells| cells.join(" | ")).unwrap_or_default();
            let name = format!("{name} | {printed} |");
            parts.push(self.counted(flag(true, row.span), What::Row, &name, row.span));
            rows.push(Expr { kind: ExprKind::And(parts), ty: Type::of(Base::Flag), span });
        }
        let found = Expr { kind: ExprKind::Or(rows), ty: Type::of(Base::Flag), span };
        self.counted(found, What::Rule, name, span)
    }
}

/// A value, after a flag was worked out.
fn either(counted: Expr, value: &Expr) -> Expr {
    let again = || Box::new(value.clone());
    Expr { kind: ExprKind::Choice(Box::new(counted), again(), again()), ty: value.ty, span: value.span }
}

fn local(id: LocalId, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Local(id), ty, span }
}

/// Whether a variable lies in a range of numbers, or is a thing.
fn within(id: LocalId, ty: Type, (lo, hi): (i64, i64), span: Span) -> Expr {
    let word = |value: i64| Box::new(Expr { kind: ExprKind::Word(value), ty, span });
    let value = Box::new(local(id, ty, span));
    let kind = if let Base::Number(..) = ty.base {
        ExprKind::Within(value, word(lo), word(hi))
    } else {
        ExprKind::Compare(Comparison::Equal, value, word(lo))
    };
    Expr { kind, ty: Type::of(Base::Flag), span }
}

/// Whether a condition says by itself why it does not hold.
fn gives_reasons(condition: &Expr) -> bool {
    condition.ty.base == Base::Permission || condition.parts().into_iter().any(gives_reasons)
}
