//! Asks rules in a position, and what their clauses asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use blazon_book::{Base, Book, Expr, ExprKind, Role, RuleBody, RuleId, Type};
use blazon_machine::Value as RawValue;

use super::probes::{Probe, Probes, Reading, What};
use super::told::{Answer, Held, Read, Reads, Traced};
use super::words::called;
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

/// A position that is asked.
pub(super) struct Asking<'a> {
    pub tracer: &'a Tracer,
    pub game: &'a mut Game,
    pub book: Arc<Book>,
    /// What was traced already, so that nothing is told twice.
    done: BTreeSet<(RuleId, Vec<i64>)>,
}

impl<'a> Asking<'a> {
    fn new(tracer: &'a Tracer, game: &'a mut Game) -> Self {
        let book = game.book().clone();
        Self { tracer, game, book, done: BTreeSet::new() }
    }

    fn rule(&mut self, id: RuleId, args: &[i64], depth: usize) -> Traced {
        let book = self.book.clone();
        let rule = book.rule(id);
        self.done.insert((id, args.to_vec()));
        let answer = self.game.answer(id, args);
        let value = self.told(rule.ty, answer);
        let is_question = book.questions.contains(&id);
        let looked = self.clauses(id, rule, args);
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
        traced.deeper = self.deeper(rules, depth);
        traced
    }

    /// Traces rules that were asked, if it is to go deeper.
    fn deeper(&mut self, rules: Vec<(RuleId, Vec<i64>)>, depth: usize) -> Vec<Traced> {
        let mut deeper = Vec::new();
        for (rule, args) in rules {
            let wanted = depth > 0 && self.tracer.probes.contains_key(&rule) && self.done.len() < MOST;
            if wanted && !self.done.contains(&(rule, args.clone())) {
                deeper.push(self.rule(rule, &args, depth - 1));
            }
        }
        deeper
    }

    /// Whether a flag holds.
    pub fn holds(&mut self, rule: RuleId, args: &[i64]) -> Held {
        match self.game.answer(rule, args).as_deref() {
            Ok([0, ..]) => Held::No,
            Ok([1, ..]) => Held::Yes,
            Ok(_) | Err(_) => Held::Failed,
        }
    }

    /// What a rule gives.
    pub fn value(&mut self, rule: RuleId, args: &[i64]) -> Answer {
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
}
