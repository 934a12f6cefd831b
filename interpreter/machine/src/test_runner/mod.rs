//! Runs the tests that stand in rules texts.

mod sight;
mod told;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use blazon_book::walk::Deeds;
use blazon_book::{Base, ColumnId, Expectation, KindId, Pick, Role, Test, TestLine, TestLineKind, Type};
use blazon_diagnostics::Span;
use blazon_program::Program;
use blazon_program::ir::ABSENT;

use crate::decision::standing::{Refusal, Standing};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::view::exists;

pub use told::by_meaning;
use told::{summary, unasked};

/// What came of a test.
#[derive(Clone, Debug)]
pub struct TestReport {
    /// The test's name.
    pub name: String,
    /// Whether every line held.
    pub passed: bool,
    /// The lines that did not.
    pub failures: Vec<Failure>,
    /// What it shows: the test's own citations, and the paragraphs of what it chose and of what refused it.
    pub cites: Vec<String>,
    /// How often each site of a program that counts came up, and how often it held.
    pub hits: Vec<[u64; 2]>,
}

/// A line that did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where.
    pub span: Span,
    /// One sentence: what is wrong.
    pub message: String,
    /// What was expected, where that can be said.
    pub expected: Option<String>,
    /// What there was instead.
    pub actual: Option<String>,
    /// Who is asked what, and what is open: of the option that the line speaks of, each by itself.
    pub position: String,
    /// What was taken unasked, as the only open option, since the last line of the test that played on.
    pub unasked: Vec<String>,
    /// The line of the test that takes up the scene in which this one stands.
    pub from: Option<Span>,
    /// The line of the rules at which the game stopped, if it did.
    pub stopped: Option<Span>,
}

/// The seed of all tests.
const SEED: u64 = 1;

/// Runs one test. Lines after a decision that failed are not run; expectations are all looked at.
pub fn run_test(program: &Arc<Program>, test: &Test) -> TestReport {
    match Machine::new(program.clone()) {
        Ok(machine) => run_on(machine, test),
        Err(fault) => TestReport {
            name: test.name.clone(),
            passed: false,
            failures: vec![Failure {
                span: test.span,
                message: fault.to_string(),
                expected: None,
                actual: None,
                position: String::new(),
                unasked: Vec::new(),
                from: None,
                stopped: None,
            }],
            cites: test.cites.clone(),
            hits: Vec::new(),
        },
    }
}

/// Runs one test on a machine that is there already; whatever it played before is forgotten.
pub fn run_on(machine: Machine, test: &Test) -> TestReport {
    let mut run = Run {
        machine,
        failures: Vec::new(),
        cites: Vec::new(),
        fault: None,
        stopped: None,
        from: None,
        unasked: Vec::new(),
        is_told: false,
        set: BTreeSet::new(),
    };
    run.all(test);
    if !run.failures.is_empty() {
        // Once more, to tell what was taken unasked: who listens to everything is slower.
        run.is_told = true;
        run.all(test);
    }
    run.cites.sort();
    run.cites.dedup();
    TestReport {
        name: test.name.clone(),
        passed: run.failures.is_empty(),
        failures: run.failures,
        cites: run.cites,
        hits: run.machine.hits().to_vec(),
    }
}

struct Run {
    machine: Machine,
    failures: Vec<Failure>,
    cites: Vec<String>,
    /// A fault that the next line may be waiting for.
    fault: Option<(Fault, Span)>,
    /// Where the rules stood when they failed, until that is told.
    stopped: Option<Span>,
    /// The line that takes up the scene which is played.
    from: Option<Span>,
    /// What was taken unasked by the last line that played on.
    unasked: Vec<String>,
    /// Whether that is noted.
    is_told: bool,
    /// The states that the test has set itself since its last beginning.
    set: BTreeSet<ColumnId>,
}

/// An option's standing, for all that a pick can mean.
enum Found {
    /// The place among the open options, and which of those that it stands for.
    Open(usize, Option<usize>),
    Refused(Refusal),
    Outside,
    /// No option of that name and number of arguments is asked.
    Unknown,
}

impl Run {
    /// Runs all lines, from nothing.
    fn all(&mut self, test: &Test) {
        self.failures.clear();
        self.cites.clone_from(&test.cites);
        self.unasked.clear();
        self.set.clear();
        self.machine.clear();
        self.machine.count_sites();
        self.machine.record(self.is_told);
        self.machine.script_dice(Vec::new());
        self.machine.script_draws(Vec::new());
        for line in &test.lines {
            self.from = line.from;
            if !self.line(line) {
                break;
            }
        }
        if let Some((fault, span)) = self.fault.take() {
            self.stopped_by(&fault);
            self.fail(span, format!("the game stops: {fault}"), None, None, None);
        }
    }

    /// Runs a line; says whether the next one can be run.
    fn line(&mut self, line: &TestLine) -> bool {
        let span = line.span;
        if let TestLineKind::Fails(text) = &line.kind {
            return match self.fault.take() {
                Some((fault, _)) if fault.code == text || fault.to_string().contains(text.as_str()) => true,
                Some((fault, _)) => {
                    self.stopped_by(&fault);
                    self.fail(span, "it fails otherwise", Some(text.clone()), Some(fault.to_string()), None)
                }
                None => self.fail(span, "the line before should have failed", Some(text.clone()), None, None),
            };
        }
        if self.fault.is_some() {
            return false;
        }
        match &line.kind {
            TestLineKind::From(setup) => {
                self.set.clear();
                let placed = self.machine.place(*setup, SEED);
                self.after(placed, span)
            }
            TestLineKind::Set(step) => {
                self.set.extend(Deeds::of_block(&self.machine.program().book.step(*step).body).writes);
                let set = self.machine.set(*step);
                self.after(set, span)
            }
            TestLineKind::Play(step) => {
                let played = self.machine.play(*step);
                self.after(played, span)
            }
            TestLineKind::Dice(dice) => {
                self.machine.script_dice(dice.clone());
                true
            }
            TestLineKind::Cards(cards) => {
                self.machine.script_draws(cards.clone());
                true
            }
            TestLineKind::Decide(player, pick) => {
                self.worked_out(pick, span).is_some_and(|pick| self.decide(*player, &pick, span))
            }
            TestLineKind::Offer(player, pick) => {
                self.worked_out(pick, span).is_some_and(|pick| self.offer(*player, &pick, span))
            }
            TestLineKind::Refuse(player, pick, reason) => self
                .worked_out(pick, span)
                .is_some_and(|pick| self.refuse(*player, &pick, reason.as_deref(), span)),
            TestLineKind::Expect(conditions) => {
                for condition in conditions {
                    self.expect(condition);
                }
                true
            }
            TestLineKind::Sees(player, sees, things) => {
                for (kind, alike) in things {
                    self.sees(*player, *sees, *kind, alike, span);
                }
                true
            }
            TestLineKind::Tells(player, can, condition) => {
                self.tells(*player, *can, condition);
                true
            }
            TestLineKind::Fails(_) => true,
        }
    }

    fn after(&mut self, result: Result<(), Fault>, span: Span) -> bool {
        if self.is_told {
            self.unasked = unasked(&mut self.machine);
        }
        if let Err(fault) = result {
            self.fault = Some((fault, span));
        }
        true
    }

    /// Notes a failure, perhaps of a line about an option; the test ends.
    fn fail(
        &mut self,
        span: Span,
        message: impl Into<String>,
        expected: Option<String>,
        actual: Option<String>,
        about: Option<&Pick>,
    ) -> bool {
        let position = summary(&mut self.machine, about);
        let (unasked, from) = (self.unasked.clone(), self.from);
        let (message, stopped) = (message.into(), self.stopped.take());
        self.failures.push(Failure { span, message, expected, actual, position, unasked, from, stopped });
        false
    }

    /// Keeps, for the failure that is told next, which line of the rules it comes from.
    fn stopped_by(&mut self, fault: &Fault) {
        self.stopped = fault.stack.first().map(|frame| frame.span);
    }

    /// Whether a player is asked now; a failure if not.
    fn is_asked(&mut self, player: u32, pick: &Pick, span: Span) -> bool {
        if self.machine.deciders().contains(&player) {
            return true;
        }
        let name = self.machine.player_name(player);
        let message = match self.machine.deciders() {
            [] => format!("nothing is asked, so {name} cannot choose `{}`", pick.text),
            [other] => format!("{} is asked, not {name}", self.machine.player_name(*other)),
            _ => format!("{name} is not asked"),
        };
        self.fail(span, message, Some(format!("{name}: {}", pick.text)), None, None)
    }

    /// A pick with those arguments that are worked out here; a failure, and nothing, where one is absent or cannot be asked.
    fn worked_out<'p>(&mut self, pick: &'p Pick, span: Span) -> Option<Cow<'p, Pick>> {
        if pick.asked.is_empty() {
            return Some(Cow::Borrowed(pick));
        }
        let mut pick = pick.clone();
        for (place, rule) in std::mem::take(&mut pick.asked) {
            let ty = self.machine.program().book.rule(rule).ty;
            let value = match self.machine.ask(rule, &[]) {
                Ok(words) => words.first().map_or(ABSENT, |&word| word as i64),
                Err(fault) => {
                    self.stopped_by(&fault);
                    self.fail(span, format!("`{}` cannot be asked: {fault}", pick.text), None, None, None);
                    return None;
                }
            };
            if value == ABSENT {
                let message = format!("argument {} of `{}` is none", place + 1, pick.text);
                self.fail(
                    span,
                    message,
                    Some("a thing or a number".to_owned()),
                    Some("none".to_owned()),
                    None,
                );
                return None;
            }
            pick.args[place] = self.all_alike(ty, value);
        }
        Some(Cow::Owned(pick))
    }

    /// What a value can mean: a look-alike stands for all of its group.
    fn all_alike(&self, ty: Type, value: i64) -> Vec<(Option<KindId>, i64)> {
        let Base::Thing(kind) = ty.base else { return vec![(None, value)] };
        let book = &self.machine.program().book;
        book.kind(kind).alike(value as u32).map(|thing| (Some(kind), i64::from(thing))).collect()
    }

    fn decide(&mut self, player: u32, pick: &Pick, span: Span) -> bool {
        if !self.is_asked(player, pick, span) {
            return false;
        }
        match self.find(player, pick) {
            Found::Open(index, member) => {
                self.cite(player, index);
                self.machine.bring_forward(player, index, member);
                let chosen = self.machine.choose(player, index);
                self.after(chosen, span)
            }
            other @ (Found::Refused(_) | Found::Outside | Found::Unknown) => self.not_open(other, pick, span),
        }
    }

    fn offer(&mut self, player: u32, pick: &Pick, span: Span) -> bool {
        if !self.is_asked(player, pick, span) {
            return false;
        }
        match self.find(player, pick) {
            Found::Open(index, _) => {
                self.cite(player, index);
                true
            }
            other @ (Found::Refused(_) | Found::Outside | Found::Unknown) => {
                self.not_open(other, pick, span);
                true
            }
        }
    }

    fn not_open(&mut self, found: Found, pick: &Pick, span: Span) -> bool {
        let actual = match found {
            Found::Refused(refusal) if refusal.reason.is_empty() => "refused".to_owned(),
            Found::Refused(refusal) => {
                let cites: Vec<String> = refusal.cites.iter().map(|cite| format!(" @{cite}")).collect();
                format!("refused: {}{}", refusal.reason, cites.concat())
            }
            Found::Outside => "not among what can be chosen here".to_owned(),
            Found::Unknown => "another question is asked".to_owned(),
            Found::Open(..) => "open".to_owned(),
        };
        let message = format!("`{}` is not open", pick.text);
        self.fail(span, message, Some("open".to_owned()), Some(actual), Some(pick))
    }

    fn refuse(&mut self, player: u32, pick: &Pick, reason: Option<&str>, span: Span) -> bool {
        if !self.is_asked(player, pick, span) {
            return false;
        }
        let expected =
            |reason: Option<&str>| Some(reason.map_or("refused".to_owned(), |r| format!("refused: {r}")));
        match (self.find(player, pick), reason) {
            (Found::Open(..), _) => {
                let message = format!("`{}` is open", pick.text);
                self.fail(span, message, expected(reason), Some("open".to_owned()), Some(pick));
            }
            (Found::Refused(refusal), Some(reason)) if refusal.reason != reason => {
                let actual = Some(format!("refused: {}", refusal.reason));
                let message = format!("`{}` is refused for another reason", pick.text);
                self.fail(span, message, expected(Some(reason)), actual, Some(pick));
            }
            (Found::Refused(refusal), _) => self.cites.extend(refusal.cites),
            (Found::Outside, None) => {}
            (Found::Outside, Some(_)) => {
                let actual = Some("not among what can be chosen here".to_owned());
                let message = format!("`{}` cannot be asked about", pick.text);
                self.fail(span, message, expected(reason), actual, Some(pick));
            }
            (Found::Unknown, _) => {
                let message =
                    format!("nobody asks about `{}` here: it is no option of this question", pick.text);
                let actual = Some("another question is asked".to_owned());
                self.fail(span, message, expected(reason), actual, Some(pick));
            }
        }
        true
    }

    /// The state that an expectation asks for and that does not exist now, and the step during which it does.
    fn gone(&self, condition: &Expectation) -> Option<(String, String)> {
        let book = &self.machine.program().book;
        let under_way = self.machine.under_way();
        let mut lives = condition.lives.iter().filter(|column| !self.set.contains(column));
        let column = book.column(*lives.find(|column| !exists(book, **column, &under_way))?);
        let Role::State { fresh, .. } = &column.role else { return None };
        Some((column.name.clone(), book.step(*fresh.first()?).name.clone()))
    }

    fn expect(&mut self, condition: &Expectation) {
        if let Some((state, step)) = self.gone(condition) {
            let message = format!("`{state}` exists only during `{step}`, and that is not under way");
            self.fail(condition.span, message, Some(condition.text.clone()), None, None);
            return;
        }
        match self.machine.ask(condition.condition, &[]) {
            Ok(words) if words.first().is_some_and(|&word| word != 0) => {}
            Ok(_) => {
                let actual = condition.actual.and_then(|rule| {
                    let words = self.machine.ask(rule, &[]).ok()?;
                    let ty = self.machine.program().book.rule(rule).ty;
                    let shown = self.machine.show(ty, &words, None);
                    Some(match &*condition.actual_of {
                        "" => shown,
                        of => format!("{of} = {shown}"),
                    })
                });
                let message = format!("`{}` does not hold", condition.text);
                self.fail(condition.span, message, Some(condition.text.clone()), actual, None);
            }
            Err(fault) => {
                self.stopped_by(&fault);
                let message = format!("`{}` cannot be asked: {fault}", condition.text);
                self.fail(condition.span, message, Some(condition.text.clone()), None, None);
            }
        }
    }

    /// Looks for what a pick can mean: open options first, then those that can be asked about.
    fn find(&mut self, player: u32, pick: &Pick) -> Found {
        let Some(info) = self.machine.choice() else { return Found::Unknown };
        let options: Vec<_> = info
            .options
            .iter()
            .enumerate()
            .filter(|(_, option)| option.name == pick.name && option.params.len() == pick.args.len())
            .map(|(i, option)| (i as u16, option.params.iter().map(|param| param.kind).collect::<Vec<_>>()))
            .collect();
        if options.is_empty() {
            return Found::Unknown;
        }
        let machine = &self.machine;
        let meant = |option: u16, args: &[i64]| {
            options.iter().any(|(o, kinds)| {
                *o == option
                    && kinds.iter().zip(args).zip(&pick.args).all(|((&kind, &arg), readings)| {
                        readings.iter().any(|&(k, value)| k == kind && machine.alike(kind, value, arg))
                    })
            })
        };
        if let Some((place, member)) = machine.options(player).meant(meant) {
            return Found::Open(place, member);
        }
        let mut refused: Option<Refusal> = None;
        for (option, kinds) in &options {
            for args in readings(kinds, pick) {
                match self.machine.why(player, *option, &args) {
                    Standing::Refused(refusal) => {
                        // Of several bodies the one is meant that stands.
                        let is_better = refused.as_ref().is_none_or(|first| !first.stands && refusal.stands);
                        if is_better {
                            refused = Some(refusal);
                        }
                    }
                    Standing::Open | Standing::Outside => {}
                }
            }
        }
        refused.map_or(Found::Outside, Found::Refused)
    }

    fn cite(&mut self, player: u32, index: usize) {
        let Some(info) = self.machine.choice() else { return };
        if let Some(option) =
            self.machine.options(player).get(index).and_then(|o| info.options.get(o.option as usize))
        {
            self.cites.extend(option.cites.iter().cloned());
        }
    }
}

/// All combinations of readings that fit the kinds.
fn readings(kinds: &[Option<blazon_book::KindId>], pick: &Pick) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for (kind, readings) in kinds.iter().zip(&pick.args) {
        let fitting: Vec<i64> = readings.iter().filter(|(k, _)| k == kind).map(|&(_, value)| value).collect();
        all = all
            .into_iter()
            .flat_map(|before: Vec<i64>| {
                fitting
                    .iter()
                    .map(move |&value| before.iter().copied().chain([value]).collect())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}
