//! The values of rules in the position as it is, for whoever writes the rules: he sees everything.

use blazon_book::{Base, Rule, RuleId, Type};
use blazon_diagnostics::{did_you_mean, list, near_miss};
use blazon_machine::{Fault, NOTHING};

use super::Game;
use crate::error::{Error, Result};
use crate::present::harmless;
use crate::told::{Argument, Value};

impl Game {
    /// What a rule gives in the position as it is, by the rule's name and its arguments in their order: numbers, things
    /// by their names (capitals aside), `yes` and `no` by these names.
    ///
    /// Nothing is hidden from whoever asks: this is for those who write the rules, not for a seat.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such rule or thing, or the rule takes other arguments; [`Error::Fault`] if the
    /// rule fails, or asks for a state that does not exist now.
    pub fn value_of(&mut self, rule: &str, args: &[Argument]) -> Result<Value> {
        let (rule, words) = self.rule_of(rule, args)?;
        self.value_by_id(rule, &words)
    }

    /// The same by the rule's number; the arguments are words: numbers, places of things, [`NOTHING`].
    ///
    /// # Errors
    /// [`Error::Fault`] as [`Self::value_of`], and if the arguments are not as many words as the rule takes.
    pub fn value_by_id(&mut self, rule: RuleId, args: &[i64]) -> Result<Value> {
        let words = self.answer(rule, args)?;
        let ty = self.book().rule(rule).ty;
        let value = self.machine.value(ty, &words);
        Ok(value.map_or(Value::Nothing, |value| Value::of(self.book(), &value)))
    }

    /// The same in words.
    ///
    /// # Errors
    /// As [`Self::value_by_id`].
    pub fn worth(&mut self, rule: RuleId, args: &[i64]) -> Result<String> {
        let words = self.answer(rule, args)?;
        let ty = self.book().rule(rule).ty;
        Ok(self.machine.show(ty, &words, None))
    }

    /// What a rule answers as words, or why it cannot.
    pub(crate) fn answer(&mut self, rule: RuleId, args: &[i64]) -> Result<Vec<u64>> {
        if let Some((state, step)) = self.machine.gone(rule) {
            let (state, step) = (&self.book().column(state).name, &self.book().step(step).name);
            let message = format!("`{state}` exists only during `{step}`, and that is not under way");
            let fault = Fault { code: "names::scope", message, stack: Vec::new() };
            return Err(self.failed(fault));
        }
        self.machine.ask(rule, args).map_err(|fault| self.failed(fault))
    }

    /// The rule of a name and its arguments as words.
    fn rule_of(&self, name: &str, args: &[Argument]) -> Result<(RuleId, Vec<i64>)> {
        let book = self.book();
        let named: Vec<(RuleId, &Rule)> = (0..).map(RuleId).zip(&book.rules).collect();
        let of_name = |(_, rule): &&(RuleId, &Rule)| rule.name == name;
        let mut wrong = None;
        for (id, rule) in named.iter().filter(of_name) {
            match self.words(rule, args) {
                Ok(words) => return Ok((*id, words)),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        Err(wrong.unwrap_or_else(|| {
            let near = near_miss(name, book.rules.iter().map(|rule| rule.name.as_str()));
            let near = near.map_or_else(String::new, |near| format!("; {}", did_you_mean(near)));
            Error::unknown("names::unknown", format!("there is no rule `{}`{near}", harmless(name)))
        }))
    }

    /// Arguments as the words of a rule's parameters.
    fn words(&self, rule: &Rule, args: &[Argument]) -> Result<Vec<i64>> {
        let params = &rule.locals[..rule.params];
        if params.len() != args.len() {
            let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            let takes = if names.is_empty() { "nothing".to_owned() } else { list(&names, "and") };
            let message = format!("`{}` takes {takes}, and was given {}", rule.name, args.len());
            return Err(Error::unknown("types::arity", message));
        }
        params.iter().zip(args).map(|(param, arg)| self.word(&param.name, param.ty, arg)).collect()
    }

    fn word(&self, param: &str, ty: Type, arg: &Argument) -> Result<i64> {
        let other = || {
            let message = format!("`{}` is no value of `{param}`", harmless(&arg.to_string()));
            Error::unknown("types::mismatch", message)
        };
        match (ty.base, arg) {
            (_, Argument::Nothing) if ty.optional => Ok(NOTHING),
            (Base::Number(lo, hi), Argument::Number(number)) if (lo..=hi).contains(number) => Ok(*number),
            (Base::Flag, Argument::Name(name)) if name == "yes" || name == "no" => {
                Ok(i64::from(name == "yes"))
            }
            (Base::Thing(kind), Argument::Name(name)) => {
                let things = &self.book().kind(kind).things;
                let lower = name.to_lowercase();
                let found = things.iter().position(|thing| thing.name.to_lowercase() == lower);
                found.map(|place| place as i64).ok_or_else(|| {
                    let message =
                        format!("no {} is called `{}`", self.book().kind(kind).name, harmless(name));
                    let near = near_miss(name, things.iter().map(|thing| thing.name.as_str()));
                    let near = near.map_or_else(String::new, |near| format!("; {}", did_you_mean(near)));
                    Error::unknown("names::unknown", message + &near)
                })
            }
            (_, Argument::Nothing | Argument::Number(_) | Argument::Name(_)) => Err(other()),
        }
    }
}
