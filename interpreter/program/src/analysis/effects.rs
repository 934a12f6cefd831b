//! What rules and steps do, found before anything is lowered: columns read and written, dice, choices, watches.

use std::collections::{BTreeSet, HashSet};

use blazon_book::graph::{Join, Numbers, handed_on};
use blazon_book::walk::{Deeds, Reads, each_expr, each_expr_of_block, each_expr_of_rule};
use blazon_book::{Base, Block, Book, ColumnId, Expr, ExprKind, Role, RuleId, StepId, TestLineKind};

use crate::analysis::harmless::{rules_that_fail, rules_that_stop};
use crate::analysis::parts::Groups;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The states that a rule reads, itself or through others.
    pub rule_reads: Vec<Numbers>,
    /// Whether a rule asks for the winner, itself or through others.
    pub rule_winner: Vec<bool>,
    /// Whether a rule may stop a game, itself or through others.
    pub rule_stops: Vec<bool>,
    /// Whether a rule may have no answer, itself or through others.
    pub rule_fails: Vec<bool>,
    /// Whether a step may roll or draw before it has ended.
    pub rolls: Vec<bool>,
    /// Whether a step does a part of itself.
    pub is_split: Vec<bool>,
    /// Whether a step may stand still at a choice.
    pub pauses: Vec<bool>,
    /// The states that may change before a step has ended, by it or by what it does.
    pub changes: Vec<Numbers>,
    /// The states that a step resets when it begins and ends.
    pub scoped: Vec<Vec<ColumnId>>,
    /// The watches that are looked at in a step: before its choices and, unless it is a part of another, when it ends.
    pub watched: Vec<Vec<usize>>,
    /// The steps named in some watch's `awake`.
    pub awake: BTreeSet<StepId>,
    /// The columns of one key holding a thing that are compared in some query.
    pub compared: HashSet<ColumnId>,
    /// Whether somebody asks for the winner.
    pub winner: bool,
}

/// Whether a column has one key and holds a thing.
pub(crate) fn is_thing_of_one_key(book: &Book, column: ColumnId) -> bool {
    let column = book.column(column);
    column.keys.len() == 1 && matches!(column.ty.base, Base::Thing(_))
}

impl Uses {
    pub fn new(book: &Book) -> Self {
        let mut uses = Self::default();
        uses.rules(book);
        uses.steps(book);
        uses.queries(book);
        uses
    }

    /// Whether a rule reads nothing but what is printed, and its parameters.
    pub fn is_printed(&self, rule: RuleId) -> bool {
        let place = rule.0 as usize;
        self.rule_reads[place].is_empty() && !self.rule_winner[place]
    }

    /// The states that an expression reads, itself or through rules.
    pub fn reads(&self, book: &Book, expr: &Expr) -> Numbers {
        let direct = Reads::of_expr(expr);
        let mut all = states(book, &direct);
        for rule in &direct.rules {
            if let Some(reads) = self.rule_reads.get(rule.0 as usize) {
                all.join(reads);
            }
        }
        all
    }

    /// The states that may change while a block of a step is done.
    pub fn changes_of(&self, book: &Book, step: StepId, block: &Block) -> Numbers {
        let deeds = Deeds::of_block(block);
        let mut all = numbers(&deeds.writes);
        for callee in &deeds.steps {
            all.join(&self.changes[callee.0 as usize]);
        }
        if deeds.chooses {
            for watch in self.watched.get(step.0 as usize).into_iter().flatten() {
                all.join(&self.changes[book.watches[*watch].body.0 as usize]);
            }
        }
        all
    }

    /// Whether an expression asks for the winner, itself or through rules.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these read something; the parts of all others are looked at by themselves"
    )]
    pub fn asks_winner(&self, expr: &Expr) -> bool {
        self.leads_to_winner(&Reads::of_expr(expr))
    }

    fn leads_to_winner(&self, reads: &Reads) -> bool {
        let through = |rule: &RuleId| self.rule_winner.get(rule.0 as usize).copied().unwrap_or(false);
        reads.winner || reads.rules.iter().any(through)
    }

    /// Each rule's expressions are looked at once; what they read is then handed on to those that ask.
    fn rules(&mut self, book: &Book) {
        let (mut asks, mut reads, mut winner): (Vec<Vec<usize>>, _, _) = (Vec::new(), Vec::new(), Vec::new());
        for rule in &book.rules {
            let direct = Reads::of_rule(rule);
            reads.push(states(book, &direct));
            winner.push(direct.winner);
            asks.push(direct.rules.iter().map(|rule| rule.0 as usize).collect());
        }
        self.rule_stops = rules_that_stop(book, &asks);
        self.rule_fails = rules_that_fail(book, &asks);
        self.rule_reads = handed_on(&asks, reads);
        self.rule_winner = handed_on(&asks, winner);
        self.winner = self.rule_winner.contains(&true);
    }

    fn steps(&mut self, book: &Book) {
        let count = book.steps.len();
        self.scoped = vec![Vec::new(); count];
        for (place, column) in book.columns.iter().enumerate() {
            if let Role::State { fresh, .. } = &column.role {
                for step in fresh {
                    self.scoped[step.0 as usize].push(ColumnId(place as u32));
                }
            }
        }
        let (mut writes, mut calls, mut rolls, mut pauses) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut groups = Groups::new(count);
        for (place, step) in book.steps.iter().enumerate() {
            let mut deeds = Deeds::of_block(&step.body);
            deeds.writes.extend(&self.scoped[place]);
            writes.push(numbers(&deeds.writes));
            let parts: Vec<StepId> =
                deeds.steps.iter().copied().filter(|step| book.step(*step).is_part).collect();
            parts.iter().for_each(|part| groups.join(place, part.0 as usize));
            self.is_split.push(!parts.is_empty());
            calls.push(deeds.steps.iter().map(|step| step.0 as usize).collect());
            rolls.push(deeds.rolls);
            pauses.push(deeds.chooses);
            self.winner |= self.leads_to_winner(&Reads::of_block(&step.body));
        }
        self.watches(book, &groups.together(&writes), &mut calls);
        self.changes = handed_on(&calls, writes);
        self.rolls = handed_on(&calls, rolls);
        self.pauses = handed_on(&calls, pauses);
    }

    /// Finds where each watch is looked at, by what each step sets together with its parts: it may do the watch's block, too.
    fn watches(&mut self, book: &Book, writes: &[Numbers], calls: &mut [Vec<usize>]) {
        let quiet = quiet(book);
        let mut setters: Vec<Vec<usize>> = vec![Vec::new(); book.columns.len()];
        for (step, writes) in writes.iter().enumerate() {
            if !quiet.contains(&StepId(step as u32)) {
                writes.iter().for_each(|column| setters[column].push(step));
            }
        }
        self.watched = vec![Vec::new(); book.steps.len()];
        for (place, watch) in book.watches.iter().enumerate() {
            let reads = self.reads(book, &watch.condition);
            self.winner |= self.asks_winner(&watch.condition);
            self.awake.extend(&watch.awake);
            for &step in reads.iter().flat_map(|column| &setters[column]) {
                if self.watched[step].last() != Some(&place) {
                    self.watched[step].push(place);
                    calls[step].push(watch.body.0 as usize);
                }
            }
        }
    }

    /// The columns that stand on one side of `=`, or left of `in`, asked of a variable.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these read something; the parts of all others are looked at by themselves"
    )]
    fn queries(&mut self, book: &Book) {
        let mut compared = HashSet::new();
        let mut note = |expr: &Expr| {
            let sides: &[&Expr] = match &expr.kind {
                ExprKind::Compare(_, a, b) => &[a, b],
                ExprKind::In(a, _) => &[a],
                _ => &[],
            };
            for side in sides {
                if let ExprKind::Column(column, keys) = &side.kind
                    && matches!(keys.as_slice(), [Expr { kind: ExprKind::Local(_), .. }])
                    && is_thing_of_one_key(book, *column)
                {
                    compared.insert(*column);
                }
            }
        };
        book.rules.iter().for_each(|rule| each_expr_of_rule(rule, &mut note));
        book.steps.iter().for_each(|step| each_expr_of_block(&step.body, &mut note));
        book.watches.iter().for_each(|watch| each_expr(&watch.condition, &mut note));
        let seen = book.kinds.iter().filter_map(|kind| kind.seen.as_ref());
        seen.for_each(|seen| each_expr(&seen.when, &mut note));
        self.compared = compared;
    }
}

/// The states among what is read.
fn states(book: &Book, reads: &Reads) -> Numbers {
    let is_state = |column: &&ColumnId| matches!(book.column(**column).role, Role::State { .. });
    reads.columns.iter().filter(is_state).map(|column| column.0 as usize).collect()
}

fn numbers(columns: &BTreeSet<ColumnId>) -> Numbers {
    columns.iter().map(|column| column.0 as usize).collect()
}

/// The steps that lay a position out: no watch looks at them.
fn quiet(book: &Book) -> HashSet<StepId> {
    let mut quiet: HashSet<StepId> = book.setups.iter().map(|setup| setup.body).collect();
    for test in &book.tests {
        for line in &test.lines {
            if let TestLineKind::Set(step) = line.kind {
                quiet.insert(step);
            }
        }
    }
    quiet
}
