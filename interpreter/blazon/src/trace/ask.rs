//! Asks the clauses of a rule in a position, in the order in which the machine would look at them.

use std::collections::BTreeSet;

use blazon_book::{
    Base, Book, Exception, Expr, ExprKind, Modifier, Need, Role, Rule, RuleBody, RuleId, RuleTable, Type,
};
use blazon_diagnostics::Span;
use blazon_machine::Value as RawValue;

use super::probes::{Pair, Probe, Probes, Reading, What};
use super::told::{Answer, Clause, Held, Paragraph, Part, Read, Reads, Sort, Traced};
use super::{MOST, Tracer};
use crate::error::{Error, Result};
use crate::game::Game;
use crate::present::values;
use crate::told::Value;

/// A question that is a rule with arguments is answered by that rule, any other by itself.
pub(super) fn question(tracer: &Tracer, game: &mut Game, question: RuleId) -> Traced {
    let book = game.book().clone();
    let mut asking = Asking::new(tracer, game);
    let only = match (&book.rule(question).body, tracer.probes.get(&question)) {
        (
            RuleBody::Value { base: Expr { kind: ExprKind::Rule(asked, _), .. }, .. },
            Some(Probes::Value { base, .. }),
        ) => {
            let whole = base.reads.iter().find(|reading| reading.what == What::Rule(*asked));
            let args = whole.and_then(|reading| asking.args(reading, &[]).ok());
            args.map(|args| (*asked, args))
        }
        _ => None,
    };
    match only {
        Some((rule, args)) => asking.rule(rule, &args, tracer.depth),
        None => asking.rule(question, &[], tracer.depth),
    }
}

/// A rule with arguments.
pub(super) fn rule(tracer: &Tracer, game: &mut Game, rule: RuleId, args: &[i64]) -> Traced {
    Asking::new(tracer, game).rule(rule, args, tracer.depth)
}

struct Asking<'a> {
    tracer: &'a Tracer,
    game: &'a mut Game,
    book: std::sync::Arc<Book>,
    /// What was traced already, so that nothing is told twice.
    done: BTreeSet<(RuleId, Vec<i64>)>,
}

/// What came of the clauses: their telling, and what those that decided asked.
#[derive(Default)]
struct Looked<'p> {
    clauses: Vec<Clause>,
    deciding: Vec<&'p Probe>,
}

impl<'a> Asking<'a> {
    fn new(tracer: &'a Tracer, game: &'a mut Game) -> Self {
        let book = game.book().clone();
        Self { tracer, game, book, done: BTreeSet::new() }
    }

    fn rule(&mut self, id: RuleId, args: &[i64], depth: usize) -> Traced {
        let (book, tracer) = (self.book.clone(), self.tracer);
        let rule = book.rule(id);
        self.done.insert((id, args.to_vec()));
        let answer = self.game.answer(id, args);
        let value = self.told(rule.ty, answer);
        let is_question = book.questions.contains(&id);
        let mut looked = Looked::default();
        match (&rule.body, tracer.probes.get(&id)) {
            (
                RuleBody::Value { exceptions, modifiers, .. },
                Some(Probes::Value { base, exceptions: asked, modifiers: more }),
            ) => {
                self.exceptions(exceptions, asked, args, &mut looked);
                self.base(rule, base, args, &mut looked);
                self.modifiers(modifiers, more, args, &mut looked);
            }
            (RuleBody::Permission(needs), Some(Probes::Permission(asked))) => {
                self.needs(needs, asked, args, &mut looked);
            }
            (RuleBody::Table(table), Some(Probes::Table)) => {
                looked.clauses.extend(self.row(rule, table, args))
            }
            (RuleBody::Value { .. } | RuleBody::Permission(_) | RuleBody::Table(_), _) => {}
        }
        let params = &rule.locals[..rule.params];
        let asked = if is_question { self.text(rule.span) } else { self.called(&rule.name, params, args) };
        let (reads, rules) = self.reads(&looked.deciding, &asked, args);
        let mut traced = Traced {
            asked,
            rule: (!is_question).then(|| rule.name.clone()),
            title: rule.title.clone(),
            paragraphs: self.paragraphs(&rule.cites),
            place: self.place(rule.span),
            value,
            clauses: looked.clauses,
            reads,
            deeper: Vec::new(),
        };
        for (rule, args) in rules {
            let wanted = depth > 0 && tracer.probes.contains_key(&rule) && self.done.len() < MOST;
            if wanted && !self.done.contains(&(rule, args.clone())) {
                traced.deeper.push(self.rule(rule, &args, depth - 1));
            }
        }
        traced
    }

    /// The exceptions: of those that hold one decides that no other holding one outranks.
    fn exceptions<'p>(
        &mut self,
        exceptions: &[Exception],
        asked: &'p [Pair],
        args: &[i64],
        looked: &mut Looked<'p>,
    ) {
        let holds: Vec<(Held, Vec<Part>)> = asked.iter().map(|pair| self.when(pair, args)).collect();
        let held = |place: usize| holds.get(place).is_some_and(|(held, _)| *held == Held::Yes);
        let beaten = |place: usize| {
            let mut others = exceptions.iter().enumerate();
            others.any(|(other, by)| other != place && held(other) && by.beats.contains(&place))
        };
        for (place, (exception, pair)) in exceptions.iter().zip(asked).enumerate() {
            let mut clause = self.clause(
                Sort::Exception,
                &exception.label,
                pair.when.as_ref(),
                exception.span,
                &exception.cites,
            );
            (clause.held, clause.parts) = holds[place].clone();
            clause.decides = held(place) && !beaten(place);
            clause.beats = exception.beats.iter().map(|&beaten| exceptions[beaten].label.clone()).collect();
            self.give(&mut clause, pair, args, looked);
        }
    }

    fn modifiers<'p>(
        &mut self,
        modifiers: &[Modifier],
        asked: &'p [Pair],
        args: &[i64],
        looked: &mut Looked<'p>,
    ) {
        for (modifier, pair) in modifiers.iter().zip(asked) {
            let sort = if modifier.minus { Sort::Minus } else { Sort::Plus };
            let mut clause =
                self.clause(sort, &modifier.label, pair.when.as_ref(), modifier.span, &modifier.cites);
            (clause.held, clause.parts) = self.when(pair, args);
            clause.decides = clause.held == Held::Yes;
            self.give(&mut clause, pair, args, looked);
        }
    }

    /// Whether a clause holds; one without a condition always does.
    fn when(&mut self, pair: &Pair, args: &[i64]) -> (Held, Vec<Part>) {
        pair.when.as_ref().map_or((Held::Yes, Vec::new()), |when| self.condition(when, args))
    }

    /// Adds a clause, with its value if it holds.
    fn give<'p>(&mut self, clause: &mut Clause, pair: &'p Pair, args: &[i64], looked: &mut Looked<'p>) {
        if clause.held == Held::Yes {
            clause.value = Some(self.value(pair.value.rule, args));
        }
        if clause.decides {
            looked.deciding.extend(pair.when.iter().chain([&pair.value]));
        }
        looked.clauses.push(clause.clone());
    }

    /// The base: it is looked at where no exception holds.
    fn base<'p>(&mut self, rule: &Rule, base: &'p Probe, args: &[i64], looked: &mut Looked<'p>) {
        let decides = looked.clauses.iter().all(|clause| clause.held == Held::No);
        let mut clause = self.clause(Sort::Base, "", None, base.span, &rule.cites);
        clause.condition = self.text(base.span);
        clause.decides = decides;
        clause.held = if decides { Held::Yes } else { Held::NotAsked };
        if decides {
            clause.value = Some(self.value(base.rule, args));
            looked.deciding.push(base);
        }
        looked.clauses.push(clause);
    }

    /// The needs: the first that fails refuses, and none behind it is looked at.
    fn needs<'p>(&mut self, needs: &[Need], asked: &'p [Probe], args: &[i64], looked: &mut Looked<'p>) {
        let mut refused = false;
        for (need, probe) in needs.iter().zip(asked) {
            let mut clause = self.clause(Sort::Need, &need.label, Some(probe), need.span, &need.cites);
            clause.condition = self.need_text(need);
            clause.reason =
                need.reason.as_ref().map(|reason| self.text(reason.span).trim_matches('"').to_owned());
            if !refused {
                (clause.held, clause.parts) = self.condition(probe, args);
                refused = clause.held != Held::Yes;
                clause.decides = refused;
                if refused {
                    looked.deciding = vec![probe];
                } else {
                    looked.deciding.push(probe);
                }
            }
            looked.clauses.push(clause);
        }
        if !refused {
            looked.clauses.iter_mut().for_each(|clause| clause.decides = true);
        }
    }

    /// The condition of a need as written, with the case in which it binds.
    fn need_text(&self, need: &Need) -> String {
        let condition = need.condition.span;
        let whole = self.text(Span { end: condition.end, ..need.span });
        let written = whole.strip_prefix("needs").filter(|_| condition.source == need.span.source);
        let Some(written) = written.map(str::trim_start) else {
            // What an option takes a variable from.
            let is_source = matches!(need.condition.kind, ExprKind::In(..) | ExprKind::Within(..));
            return if is_source { format!("among {}", self.text(condition)) } else { self.text(condition) };
        };
        let written = written.strip_prefix(need.label.as_str()).unwrap_or(written).trim_start();
        written.strip_prefix(':').unwrap_or(written).trim_start().to_owned()
    }

    /// The row of a table that answers.
    fn row(&self, rule: &Rule, table: &RuleTable, args: &[i64]) -> Option<Clause> {
        let value = |local: blazon_book::LocalId| args.get(local.0 as usize).copied();
        let within = |(lo, hi): (i64, i64), value: i64| lo <= value && value <= hi;
        let leads = |(ranges, _): &(Vec<(i64, i64)>, _)| {
            ranges
                .iter()
                .zip(&table.leading)
                .all(|(range, local)| value(*local).is_some_and(|v| within(*range, v)))
        };
        let row = table.rows.iter().position(leads)?;
        let across = value(table.across)?;
        let column = table.headings.iter().position(|heading| within(*heading, across))?;
        let printed = table.printed.get(row + 1).map(|cells| cells.join(" | ")).unwrap_or_default();
        let heading = table.printed.first().and_then(|cells| cells.get(table.leading.len() + column));
        let mut clause = self.clause(Sort::Row, "", None, rule.span, &rule.cites);
        clause.condition = format!("| {printed} |");
        clause.held = Held::Yes;
        clause.decides = true;
        clause.label = heading.cloned().unwrap_or_default();
        Some(clause)
    }

    fn clause(&self, sort: Sort, label: &str, when: Option<&Probe>, span: Span, cites: &[String]) -> Clause {
        Clause {
            sort,
            label: label.to_owned(),
            condition: when.map(|when| self.text(when.span)).unwrap_or_default(),
            held: Held::NotAsked,
            decides: false,
            value: None,
            reason: None,
            beats: Vec::new(),
            parts: Vec::new(),
            paragraphs: self.paragraphs(cites),
            place: self.place(span),
            origin: self.origin(span),
        }
    }

    /// Whether a condition holds, and its parts up to the one that decided it.
    fn condition(&mut self, probe: &Probe, args: &[i64]) -> (Held, Vec<Part>) {
        let held = self.holds(probe.rule, args);
        let mut parts = Vec::new();
        if let Some(joined) = &probe.joined {
            let mut decided = false;
            for &(rule, span) in &joined.parts {
                let held = if decided { Held::NotAsked } else { self.holds(rule, args) };
                decided |= held == Held::Failed || held == if joined.until { Held::Yes } else { Held::No };
                parts.push(Part { text: self.text(span), held });
            }
            // What the checker joined was written as one.
            let once: BTreeSet<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            if once.len() < parts.len() {
                parts.clear();
            }
        }
        (held, parts)
    }

    fn holds(&mut self, rule: RuleId, args: &[i64]) -> Held {
        match self.game.answer(rule, args).as_deref() {
            Ok([0, ..]) => Held::No,
            Ok([1, ..]) => Held::Yes,
            Ok(_) | Err(_) => Held::Failed,
        }
    }

    fn value(&mut self, rule: RuleId, args: &[i64]) -> Answer {
        let ty = self.book.rule(rule).ty;
        let answer = self.game.answer(rule, args);
        self.told(ty, answer)
    }

    fn told(&self, ty: Type, answer: Result<Vec<u64>>) -> Answer {
        let value = |words: Vec<u64>| self.game.machine.value(ty, &words);
        match answer.map(value) {
            Ok(Some(value)) => {
                let words = match (ty.base, &value) {
                    (Base::Die, RawValue::Number(sides)) => format!("d{sides}"),
                    (_, value) => values::value(&self.book, value),
                };
                Answer { value: Some(Value::of(&self.book, &value)), words, failed: false }
            }
            Ok(None) => Answer::default(),
            Err(Error::Fault(failure)) => {
                Answer { value: None, words: failure.fault.message.clone(), failed: true }
            }
            Err(other) => Answer { value: None, words: other.to_string(), failed: true },
        }
    }

    /// What some expressions asked, each once and not what was asked as a whole; and the rules among it with their arguments.
    fn reads(
        &mut self,
        probes: &[&Probe],
        whole: &str,
        args: &[i64],
    ) -> (Vec<Read>, Vec<(RuleId, Vec<i64>)>) {
        let (mut reads, mut rules): (Vec<Read>, Vec<(RuleId, Vec<i64>)>) = (Vec::new(), Vec::new());
        for reading in probes.iter().flat_map(|probe| &probe.reads) {
            let so = |asking: &mut Self, &(rule, wanted): &(RuleId, bool)| {
                asking.holds(rule, args) == if wanted { Held::Yes } else { Held::No }
            };
            if !reading.guards.iter().all(|guard| so(self, guard)) {
                continue;
            }
            let Ok(given) = self.args(reading, args) else { continue };
            let read = self.read(reading, &given, args);
            if read.asked != whole && reads.iter().all(|other| other.asked != read.asked) {
                reads.push(read);
                if let What::Rule(rule) = reading.what {
                    rules.push((rule, given));
                }
            }
        }
        (reads, rules)
    }

    fn read(&mut self, reading: &Reading, given: &[i64], args: &[i64]) -> Read {
        let book = self.book.clone();
        let (what, asked, span) = match reading.what {
            What::Rule(rule) => {
                let rule = book.rule(rule);
                (Reads::Rule, self.called(&rule.name, &rule.locals[..rule.params], given), rule.span)
            }
            What::Column(column) => {
                let column = book.column(column);
                let keys = column.keys.iter().zip(given);
                let keys: Vec<String> =
                    keys.map(|(&kind, &key)| values::thing(&book, kind, key as u32)).collect();
                let what = if matches!(column.role, Role::Fact(_)) { Reads::Fact } else { Reads::State };
                (what, called(&column.name, &keys), column.span)
            }
            What::Query => (Reads::Query, self.text(reading.span), reading.span),
        };
        Read { what, asked, value: self.value(reading.value, args), place: self.place(span) }
    }

    /// The arguments that something is asked with, as words.
    fn args(&mut self, reading: &Reading, args: &[i64]) -> Result<Vec<i64>> {
        let mut given = Vec::new();
        for &arg in &reading.args {
            given.extend(self.game.answer(arg, args)?.into_iter().map(|word| word as i64));
        }
        Ok(given)
    }

    /// A rule with its arguments in words.
    fn called(&self, name: &str, params: &[blazon_book::Local], args: &[i64]) -> String {
        let mut rest = args;
        let mut words = Vec::new();
        for param in params {
            let count = self.game.program().words_of(param.ty).min(rest.len());
            let (own, others) = rest.split_at(count);
            let own: Vec<u64> = own.iter().map(|&word| word as u64).collect();
            let value = self.game.machine.value(param.ty, &own);
            words.push(value.map_or_else(String::new, |value| values::value(&self.book, &value)));
            rest = others;
        }
        called(name, &words)
    }

    /// What is written somewhere, on one line.
    fn text(&self, span: Span) -> String {
        let written = self.book.sources.slice(span);
        written.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn paragraphs(&self, cites: &[String]) -> Vec<Paragraph> {
        let title = |number: &String| {
            let found = self.book.outline.iter().find(|(other, _)| other == number);
            found.map(|(_, title)| title.clone()).unwrap_or_default()
        };
        let mut once: Vec<&String> = Vec::new();
        cites.iter().for_each(|number| {
            if !once.contains(&number) {
                once.push(number)
            }
        });
        once.into_iter().map(|number| Paragraph { number: number.clone(), title: title(number) }).collect()
    }

    fn place(&self, span: Span) -> Option<String> {
        let source = self.book.sources.find(span.source)?;
        Some(format!("{}:{}", source.name, source.line_col(span.start).0))
    }

    /// Whose page something stands on.
    fn origin(&self, span: Span) -> String {
        let on =
            |page: &&blazon_book::PageDigest| page.items.iter().any(|item| item.span.source == span.source);
        self.book.digest.pages.iter().find(on).map(|page| page.layer.to_string()).unwrap_or_default()
    }
}

fn called(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}
