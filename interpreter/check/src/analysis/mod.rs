//! What can only be seen of the whole book: cycles, loops without end, states outside their scope, names never used.

pub(crate) mod among_tests;
mod endless;
mod falls;
mod idle;
pub(crate) mod late_laws;
mod lost;
mod never_gets;
mod of_tests;
mod overwritten;
mod read_path;
pub(crate) mod scopes;
mod secrecy;
mod starts;
mod taken_twice;
mod test_lines;
mod unseated;
mod unset;
mod unused;
mod unwatched;
mod watches;

pub use among_tests::is_about_tests;
pub(crate) use endless::endless;
pub(crate) use falls::falls;
pub(crate) use late_laws::late_laws;
pub(crate) use never_gets::never_gets;
pub(crate) use of_tests::OfTests;
pub(crate) use overwritten::overwritten;
pub(crate) use secrecy::leaks;
pub(crate) use starts::starts;
pub(crate) use taken_twice::taken_twice;
pub(crate) use unseated::unseated;
pub(crate) use unwatched::unwatched;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};

use blazon_book::graph::{Join, Numbers, components, handed_on};
use blazon_book::walk::{Deeds, Reads};
use blazon_book::{Book, ColumnId, Expr, RuleId, StepId, Value};
use blazon_diagnostics::{Diagnostic, Span};

/// What every rule and step reads and does, directly and through others.
#[derive(Default)]
pub(crate) struct Calls {
    pub(crate) rules: Vec<Reads>,
    pub(crate) steps: Vec<Reads>,
    /// The steps that each step does.
    pub(crate) does: Vec<Vec<usize>>,
    /// The columns that each step sets.
    sets: Vec<BTreeSet<ColumnId>>,
    /// Whether each step may win the game.
    wins: Vec<bool>,
    /// The columns that each rule reads, itself or through others.
    rule_columns: Vec<Numbers>,
    /// The columns that each step reads, itself or through rules.
    step_columns: Vec<Numbers>,
}

impl Calls {
    pub(crate) fn of(book: &Book) -> Self {
        let rules: Vec<Reads> = book.rules.iter().map(Reads::of_rule).collect();
        let asks: Vec<Vec<usize>> = rules.iter().map(asked).collect();
        let own = rules.iter().map(|reads| reads.columns.iter().map(|column| column.0 as usize).collect());
        let deeds: Vec<Deeds> = book.steps.iter().map(|step| Deeds::of_block(&step.body)).collect();
        let does = |deeds: &Deeds| deeds.steps.iter().map(|step| step.0 as usize).collect();
        let mut calls = Self {
            rule_columns: handed_on(&asks, own.collect()),
            steps: book.steps.iter().map(|step| Reads::of_block(&step.body)).collect(),
            does: deeds.iter().map(does).collect(),
            wins: deeds.iter().map(|deeds| deeds.wins).collect(),
            sets: deeds.into_iter().map(|deeds| deeds.writes).collect(),
            rules,
            ..Self::default()
        };
        calls.step_columns = calls.steps.iter().map(|reads| calls.through_rules(reads)).collect();
        calls
    }

    /// The columns that an expression reads, through all rules.
    pub(crate) fn reads(&self, expr: &Expr) -> Numbers {
        self.through_rules(&Reads::of_expr(expr))
    }

    /// The columns that a rule reads, itself or through others.
    fn rules_read(&self, rule: RuleId) -> impl Iterator<Item = ColumnId> + '_ {
        let columns = self.rule_columns.get(rule.0 as usize).into_iter().flat_map(Numbers::iter);
        columns.map(|column| ColumnId(column as u32))
    }

    fn through_rules(&self, reads: &Reads) -> Numbers {
        let mut columns: Numbers = reads.columns.iter().map(|column| column.0 as usize).collect();
        for rule in &reads.rules {
            if let Some(theirs) = self.rule_columns.get(rule.0 as usize) {
                columns.join(theirs);
            }
        }
        columns
    }

    /// Whether a step, or one that it does, sets one of these states.
    fn may_set(&self, step: StepId, columns: &Numbers) -> bool {
        let sets = |step: &StepId| &self.sets[step.0 as usize];
        self.reachable(step, &[]).iter().flat_map(sets).any(|column| columns.contains(column.0 as usize))
    }

    /// Whether a step, or one that it does, sets this state.
    fn may_set_one(&self, step: StepId, column: ColumnId) -> bool {
        self.may_set(step, &std::iter::once(column.0 as usize).collect())
    }

    /// Adds the columns that are read to find a value, through all rules and steps.
    fn join_read_for(&self, value: &Value, columns: &mut Numbers) {
        match value {
            Value::Expr(expr) | Value::Die(expr) => {
                columns.join(&self.reads(expr));
            }
            Value::Dice(a, b) | Value::Draw(a, b) => {
                columns.join(&self.reads(a));
                columns.join(&self.reads(b));
            }
            Value::Step(step, args) => {
                for arg in args {
                    columns.join(&self.reads(arg));
                }
                for step in self.reachable(*step, &[]) {
                    columns.join(&self.step_columns[step.0 as usize]);
                }
            }
        }
    }

    /// A step and all that it does, without those in `stop`, in order.
    fn reachable(&self, from: StepId, stop: &[StepId]) -> Vec<StepId> {
        self.reachable_from(&[from], stop)
    }

    /// The steps that no other does: where a game, or a test, begins.
    fn first(&self) -> Vec<StepId> {
        let mut is_done = vec![false; self.does.len()];
        self.does.iter().flatten().for_each(|&step| is_done[step] = true);
        let steps = is_done.iter().enumerate().filter(|(_, is_done)| !**is_done);
        steps.map(|(step, _)| StepId(step as u32)).collect()
    }

    /// As [`Calls::reachable`], from any of these.
    fn reachable_from(&self, from: &[StepId], stop: &[StepId]) -> Vec<StepId> {
        let mut seen = vec![false; self.does.len()];
        stop.iter().for_each(|step| seen[step.0 as usize] = true);
        let mut found = Vec::new();
        let mut waiting: Vec<usize> = from.iter().map(|step| step.0 as usize).collect();
        while let Some(step) = waiting.pop() {
            if std::mem::replace(&mut seen[step], true) {
                continue;
            }
            found.push(StepId(step as u32));
            waiting.extend(&self.does[step]);
        }
        found.sort_unstable();
        found
    }
}

fn asked(reads: &Reads) -> Vec<usize> {
    reads.rules.iter().map(|rule| rule.0 as usize).collect()
}

/// Rules and steps that lead back to themselves.
pub(crate) fn cycles(book: &Book, calls: &Calls, diagnostics: &mut Vec<Diagnostic>) {
    let rules: Vec<Vec<usize>> = calls.rules.iter().map(asked).collect();
    for cycle in find_cycles(&rules) {
        let names: Vec<&str> = cycle.iter().map(|i| book.rules[*i].name.as_str()).collect();
        let spans: Vec<Span> = cycle.iter().map(|i| book.rules[*i].span).collect();
        diagnostics.push(cycle_message("rules::cycle", "rule", &names, &spans));
    }
    for cycle in find_cycles(&calls.does) {
        let names: Vec<&str> = cycle.iter().map(|i| book.steps[*i].name.as_str()).collect();
        let spans: Vec<Span> = cycle.iter().map(|i| book.steps[*i].span).collect();
        diagnostics.push(cycle_message("steps::cycle", "step", &names, &spans));
    }
}

fn cycle_message(code: &'static str, what: &str, names: &[&str], spans: &[Span]) -> Diagnostic {
    // Of a long way the beginning is told.
    const TOLD: usize = 8;
    let quoted = |name: &&str| format!("`{name}`");
    let mut path: Vec<String> = names.iter().take(TOLD).map(quoted).collect();
    let more = names.len().saturating_sub(TOLD);
    if more > 0 {
        path.push(format!("{more} more"));
    }
    path.extend(names.first().map(quoted));
    let mut diagnostic = Diagnostic::error(
        code,
        spans[0],
        format!("the {what} `{}` leads back to itself", names[0]),
    )
    .label(path.join(" → "))
    .help(if what == "rule" {
        "what is reached in many hops is asked with `reach`; otherwise one of them must not ask the next"
    } else {
        "repeat with `while` or `for` instead of doing the step again from within"
    });
    for (name, span) in names.iter().zip(spans).take(TOLD).skip(1) {
        diagnostic = diagnostic.related(*span, format!("by way of `{name}`"));
    }
    diagnostic
}

/// One cycle for each set of nodes that lead to each other: the shortest from the first of them back to it.
pub(crate) fn find_cycles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    for component in components(next) {
        let Some(&start) = component.iter().min() else { continue };
        if component.len() > 1 || next[start].contains(&start) {
            cycles.extend(way_back(next, start));
        }
    }
    cycles.sort_unstable();
    cycles
}

/// The shortest way from a node to itself.
fn way_back(next: &[Vec<usize>], start: usize) -> Option<Vec<usize>> {
    let mut from: HashMap<usize, usize> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for &to in next.get(node)? {
            if to == start {
                let before = |node: &usize| from.get(node).copied();
                let mut way: Vec<usize> = std::iter::successors(Some(node), before).collect();
                way.reverse();
                return Some(way);
            }
            if let Entry::Vacant(place) = from.entry(to) {
                place.insert(node);
                waiting.push_back(to);
            }
        }
    }
    None
}
