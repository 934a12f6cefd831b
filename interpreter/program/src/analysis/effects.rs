//! What rules and steps do, found before anything is lowered: columns read and written, dice, choices, watches.

use std::collections::{BTreeSet, HashSet};

use blazon_book::walk::{Deeds, Reads, each_expr, each_expr_of_block, each_expr_of_rule};
use blazon_book::{Base, Block, Book, ColumnId, Expr, ExprKind, Role, RuleId, StepId, TestLineKind};

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The states that a rule reads, itself or through others.
    pub rule_reads: Vec<BTreeSet<ColumnId>>,
    /// Whether a rule asks for the winner, itself or through others.
    pub rule_winner: Vec<bool>,
    /// Whether a step may roll or draw before it has ended.
    pub rolls: Vec<bool>,
    /// Whether a step may stand still at a choice.
    pub pauses: Vec<bool>,
    /// The states that may change before a step has ended, by it or by what it does.
    pub changes: Vec<BTreeSet<ColumnId>>,
    /// The states that a step resets when it begins and ends.
    pub scoped: Vec<Vec<ColumnId>>,
    /// The watches that are looked at in a step.
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

    /// The states that an expression reads, itself or through rules.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these read something; the parts of all others are looked at by themselves"
    )]
    pub fn reads(&self, book: &Book, expr: &Expr) -> BTreeSet<ColumnId> {
        let direct = Reads::of_expr(expr);
        let mut all = states(book, &direct);
        for rule in &direct.rules {
            all.extend(self.rule_reads.get(rule.0 as usize).into_iter().flatten());
        }
        all
    }

    /// The states that may change while a block of a step is done.
    pub fn changes_of(&self, book: &Book, step: StepId, block: &Block) -> BTreeSet<ColumnId> {
        let deeds = Deeds::of_block(block);
        let mut all = deeds.writes;
        for callee in &deeds.steps {
            all.extend(&self.changes[callee.0 as usize]);
        }
        if deeds.chooses {
            for watch in self.watched.get(step.0 as usize).into_iter().flatten() {
                all.extend(&self.changes[book.watches[*watch].body.0 as usize]);
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

    /// Rules are asked by others, never by themselves. Their expressions are looked at once; what they ask is then
    /// handed on until nothing new is found.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these read something; the parts of all others are looked at by themselves"
    )]
    fn rules(&mut self, book: &Book) {
        let count = book.rules.len();
        self.rule_reads = vec![BTreeSet::new(); count];
        self.rule_winner = vec![false; count];
        let mut asks: Vec<BTreeSet<RuleId>> = Vec::with_capacity(count);
        for (place, rule) in book.rules.iter().enumerate() {
            let direct = Reads::of_rule(rule);
            self.rule_reads[place] = states(book, &direct);
            self.rule_winner[place] = direct.winner;
            asks.push(direct.rules);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (place, asked) in asks.iter().enumerate() {
                let before = (self.rule_reads[place].len(), self.rule_winner[place]);
                let mut reads = std::mem::take(&mut self.rule_reads[place]);
                for rule in asked {
                    let rule = rule.0 as usize;
                    // A rule that asks itself finds nothing new there.
                    reads.extend(&self.rule_reads[rule]);
                    self.rule_winner[place] |= self.rule_winner[rule];
                }
                self.rule_reads[place] = reads;
                changed |= before != (self.rule_reads[place].len(), self.rule_winner[place]);
            }
        }
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
        let mut writes: Vec<BTreeSet<ColumnId>> =
            self.scoped.iter().map(|columns| columns.iter().copied().collect()).collect();
        let mut calls: Vec<BTreeSet<StepId>> = vec![BTreeSet::new(); count];
        self.rolls = vec![false; count];
        self.pauses = vec![false; count];
        for (place, step) in book.steps.iter().enumerate() {
            let deeds = Deeds::of_block(&step.body);
            writes[place].extend(deeds.writes);
            calls[place] = deeds.steps;
            (self.rolls[place], self.pauses[place]) = (deeds.rolls, deeds.chooses);
            self.winner |= self.leads_to_winner(&Reads::of_block(&step.body));
        }
        let quiet = quiet(book);
        self.watched = vec![Vec::new(); count];
        for (place, watch) in book.watches.iter().enumerate() {
            let reads = self.reads(book, &watch.condition);
            self.winner |= self.asks_winner(&watch.condition);
            self.awake.extend(&watch.awake);
            for step in 0..count {
                if !quiet.contains(&StepId(step as u32)) && !writes[step].is_disjoint(&reads) {
                    self.watched[step].push(place);
                    calls[step].insert(watch.body);
                }
            }
        }
        self.changes = writes;
        let mut changed = true;
        while changed {
            changed = false;
            for (step, callees) in calls.iter().enumerate() {
                for callee in callees {
                    let callee = callee.0 as usize;
                    let before = self.changes[step].len();
                    let more = self.changes[callee].clone();
                    self.changes[step].extend(more);
                    changed |= before != self.changes[step].len();
                    changed |=
                        self.rolls[callee] && !self.rolls[step] || self.pauses[callee] && !self.pauses[step];
                    self.rolls[step] |= self.rolls[callee];
                    self.pauses[step] |= self.pauses[callee];
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
fn states(book: &Book, reads: &Reads) -> BTreeSet<ColumnId> {
    let is_state = |column: &ColumnId| matches!(book.column(*column).role, Role::State { .. });
    reads.columns.iter().copied().filter(is_state).collect()
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
