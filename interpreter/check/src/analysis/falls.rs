//! Where dice may fall outside a range: what hangs on dice alone comes to each of its numbers some day, and must fit where
//! it is given to.
//!
//! Said is only what is sure. What a condition looks at may be kept back by it from whatever is done afterwards, so nothing
//! is said there of dice that one has seen; and of what is added to something else only if the range has no room for all
//! falls, whatever that is.

use std::collections::{BTreeMap, BTreeSet};

use blazon_book::graph::{Join, Numbers};
use blazon_book::walk::{Deeds, Named, Visit, walk_expr, walk_option, walk_statement};
use blazon_book::{
    Arithmetic, AssignOp, Base, Book, ChoiceOption, ColumnId, Expr, ExprKind, Keeper, LocalId, Quantifier,
    RuleBody, Statement, StatementKind, Step, StepId, Type, Value, bounds, fits,
};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;
use crate::project::{Layer, Parsed};

/// Warns of each range that some fall of the dice does not fit, whatever else there is. Whoever plays by the library
/// cannot mend it.
pub(crate) fn falls(book: &Book, calls: &Calls, parsed: &Parsed, diagnostics: &mut Vec<Diagnostic>) {
    for (place, step) in book.steps.iter().enumerate() {
        if !Deeds::of_block(&step.body).rolls {
            continue;
        }
        let mut seen = Seen::of(book, calls, StepId(place as u32));
        seen.visit_block(&step.body);
        let (declared, kept_back, asked) = (Names::new(), Names::new(), Numbers::default());
        let mut judge = Judge { book, parsed, step, seen: &seen, declared, kept_back, asked, diagnostics };
        judge.visit_block(&step.body);
    }
}

/// What dice come to.
#[derive(Clone, Debug)]
struct Fall {
    /// The least and the greatest.
    range: (i64, i64),
    /// Whether something is added to them, or taken, that hangs on no dice.
    moved: bool,
    /// The same with what is added, where that is one of some written numbers by a rule: one clause of it at a time. And the
    /// states that the rule reads: what asks of them may keep it back.
    whole: Option<(i64, i64)>,
    reads: Numbers,
    /// The dice that it hangs on: the variables that they fell into.
    dice: Names,
}

type Names = BTreeSet<LocalId>;

impl Fall {
    /// Of dice alone.
    fn of(range: (i64, i64), dice: Names) -> Self {
        Self { range, moved: false, whole: Some(range), reads: Numbers::default(), dice }
    }

    /// With something added, as far as it is known what.
    fn moved(mut self, whole: Option<(i64, i64)>, reads: Numbers) -> Self {
        self.reads.join(&reads);
        Self { moved: true, whole, ..self }
    }
}

/// What a step rolls, and where it hands that on.
struct Seen<'b> {
    book: &'b Book,
    calls: &'b Calls,
    /// The states that the step sets, itself or by others: they may hold what was rolled.
    touched: Numbers,
    /// The variables that hang on dice alone.
    falls: BTreeMap<LocalId, Fall>,
    /// Several dice: how many, and with how many sides.
    dice: BTreeMap<LocalId, (i64, i64)>,
    /// The variables that luck or another step gives.
    rolled: Names,
    /// What each variable is made of, by the variables that it names.
    lets: BTreeMap<LocalId, (&'b Value, Names)>,
    /// What each state is set to.
    sets: Vec<(ColumnId, Names)>,
    /// What each step is told.
    told: Vec<(StepId, Names)>,
}

impl<'b> Seen<'b> {
    fn of(book: &'b Book, calls: &'b Calls, step: StepId) -> Self {
        let mut touched = Numbers::default();
        for done in calls.reachable(step, &[]) {
            touched.join(&calls.sets[done.0 as usize].iter().map(|column| column.0 as usize).collect());
        }
        Self {
            book,
            calls,
            touched,
            falls: BTreeMap::new(),
            dice: BTreeMap::new(),
            rolled: Names::new(),
            lets: BTreeMap::new(),
            sets: Vec::new(),
            told: Vec::new(),
        }
    }

    /// What an expression comes to, if it hangs on dice and what is written alone, and on no die twice.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others it is not known")]
    fn fall(&self, expr: &Expr) -> Option<Fall> {
        match &expr.kind {
            ExprKind::Word(word) => Some(Fall::of((*word, *word), Names::new())),
            ExprKind::Local(local) => self.falls.get(local).cloned(),
            ExprKind::Kept(_, inner) => self.fall(inner),
            ExprKind::Arithmetic(op, a, b) => self.worked_out(*op, a, b),
            ExprKind::Query(query) if query.filter.is_none() => {
                let ExprKind::Local(dice) = query.source.kind else { return None };
                let &(count, sides) = self.dice.get(&dice)?;
                let by = query.by.as_ref()?;
                let range = match query.quantifier {
                    _ if !matches!(by.kind, ExprKind::Local(by) if by == query.local) => return None,
                    Quantifier::Total => (count, count * sides),
                    Quantifier::Max | Quantifier::Min if count > 0 => (1, sides),
                    _ => return None,
                };
                Some(Fall::of(range, Names::from([dice])))
            }
            _ => None,
        }
    }

    fn worked_out(&self, op: Arithmetic, a: &Expr, b: &Expr) -> Option<Fall> {
        let moves = matches!(op, Arithmetic::Plus | Arithmetic::Minus);
        match (self.fall(a), self.fall(b)) {
            (Some(a), Some(b)) if a.dice.is_disjoint(&b.dice) && (moves || !a.moved && !b.moved) => {
                let (range, moved) = (op.range(a.range, b.range), a.moved || b.moved);
                let whole = a.whole.zip(b.whole).map(|(a, b)| op.range(a, b));
                let mut reads = a.reads;
                reads.join(&b.reads);
                Some(Fall { range, moved, whole, reads, dice: &a.dice | &b.dice })
            }
            (Some(fall), None) if moves && self.is_steady(b) => {
                let more = fall.whole.zip(self.written(b)).map(|(fall, more)| op.range(fall, more));
                Some(fall.moved(more, self.calls.reads(b)))
            }
            (None, Some(fall)) if moves && self.is_steady(a) => {
                let more = fall.whole.zip(self.written(a)).map(|(fall, more)| op.range(more, fall));
                let range = op.range((0, 0), fall.range);
                Some(Fall { range, ..fall }.moved(more, self.calls.reads(a)))
            }
            _ => None,
        }
    }

    /// The least and the greatest of the numbers that a rule gives by what is written in it, one clause at a time: a modifier of
    /// the dice. Other clauses, and several at once, may lead further.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others it is not known")]
    fn written(&self, expr: &Expr) -> Option<(i64, i64)> {
        let rule = match expr.kind {
            ExprKind::Rule(rule, _) => rule,
            ExprKind::Local(local) => match self.lets.get(&local)?.0 {
                Value::Expr(value) => return self.written(value),
                Value::Step(..) | Value::Die(_) | Value::Dice(..) | Value::Draw(..) => return None,
            },
            _ => return None,
        };
        let RuleBody::Value { base, exceptions, modifiers } = &self.book.rule(rule).body else { return None };
        let base = constant(base)?;
        let exceptions = exceptions.iter().filter_map(|exception| constant(&exception.value));
        let modifiers = modifiers.iter().filter_map(|modifier| {
            let more = constant(&modifier.value)?;
            Some(if modifier.minus { base - more } else { base + more })
        });
        let (mut least, mut most) = (base, base);
        for number in exceptions.chain(modifiers) {
            (least, most) = (least.min(number), most.max(number));
        }
        Some((least, most))
    }

    /// Whether something is the same however the dice of the step fall.
    fn is_steady(&self, expr: &Expr) -> bool {
        if !self.calls.reads(expr).is_disjoint(&self.touched) {
            return false;
        }
        let mut waiting = Vec::from_iter(names(|named| named.visit_expr(expr)));
        let mut seen = Names::new();
        while let Some(local) = waiting.pop() {
            if self.rolled.contains(&local) {
                return false;
            }
            if let Some((value, parts)) = self.lets.get(&local).filter(|_| seen.insert(local)) {
                let mut columns = Numbers::default();
                self.calls.join_read_for(value, &mut columns);
                if !columns.is_disjoint(&self.touched) {
                    return false;
                }
                waiting.extend(parts);
            }
        }
        true
    }

    /// Whether a state that dice are added to may hold them already.
    fn may_hold(&self, column: ColumnId, fall: &Fall) -> bool {
        let hangs = |names: &Names| {
            names.iter().any(|name| {
                fall.dice.contains(name)
                    || self.falls.get(name).is_some_and(|made| !made.dice.is_disjoint(&fall.dice))
            })
        };
        let own = self.sets.iter().filter(|(other, names)| *other == column && hangs(names)).count();
        own > 1 || self.told.iter().any(|(step, names)| hangs(names) && self.calls.may_set_one(*step, column))
    }

    /// What a variable or a state is set to.
    fn value(&self, value: &Value, own: LocalId) -> Option<Fall> {
        match value {
            Value::Expr(expr) => self.fall(expr).filter(|fall| !fall.dice.is_empty()),
            Value::Die(sides) => Some(Fall::of((1, constant(sides)?), Names::from([own]))),
            Value::Step(..) | Value::Dice(..) | Value::Draw(..) => None,
        }
    }

    /// All variables that a condition may keep back from somewhere: those that it looks at, itself or by way of others, of
    /// states, or of the steps that set them.
    fn kept_back(&self, mut asked: Names, mut columns: Numbers) -> Names {
        let calls = self.calls;
        let mut followed = Names::new();
        loop {
            for (column, names) in &self.sets {
                if columns.contains(column.0 as usize) {
                    asked.extend(names);
                }
            }
            for (step, names) in &self.told {
                if calls.may_set(*step, &columns) {
                    asked.extend(names);
                }
            }
            let Some(&next) = asked.difference(&followed).next() else { return asked };
            followed.insert(next);
            if let Some((value, parts)) = self.lets.get(&next) {
                asked.extend(parts);
                calls.join_read_for(value, &mut columns);
            }
        }
    }

    /// The same of conditions.
    fn kept_back_by<'e>(&self, conditions: impl IntoIterator<Item = &'e Expr>) -> Names {
        let (mut asked, mut columns) = (Names::new(), Numbers::default());
        for condition in conditions {
            asked.extend(names(|named| named.visit_expr(condition)));
            columns.join(&self.calls.reads(condition));
        }
        self.kept_back(asked, columns)
    }
}

impl<'b> Visit<'b> for Seen<'b> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others set nothing")]
    fn visit_statement(&mut self, statement: &'b Statement) {
        match &statement.kind {
            StatementKind::Let(local, value) => {
                self.lets.insert(*local, (value, names(|named| named.visit_value(value))));
                if !matches!(value, Value::Expr(_)) {
                    self.rolled.insert(*local);
                }
                if let Value::Dice(sides, count) = value
                    && let (Some(sides), Some(count)) = (constant(sides), constant(count))
                {
                    self.dice.insert(*local, (count, sides));
                }
                if let Some(fall) = self.value(value, *local) {
                    self.falls.insert(*local, fall);
                }
            }
            StatementKind::Assign { column, keys, value, .. } => {
                let mut named = names(|named| named.visit_value(value));
                named.extend(names(|named| keys.iter().for_each(|key| named.visit_expr(key))));
                self.sets.push((*column, named));
            }
            _ => {}
        }
        walk_statement(self, statement);
    }

    fn visit_step_call(&mut self, step: StepId, args: &'b [Expr]) {
        self.told.push((step, names(|named| args.iter().for_each(|arg| named.visit_expr(arg)))));
        args.iter().for_each(|arg| self.visit_expr(arg));
    }
}

/// What decides in a part of a step whether something is done.
#[derive(Default)]
struct Conditions<'b> {
    asked: Vec<&'b Expr>,
    cases: Names,
}

impl<'b> Visit<'b> for Conditions<'b> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others decide nothing themselves")]
    fn visit_statement(&mut self, statement: &'b Statement) {
        match &statement.kind {
            StatementKind::If(condition, ..) | StatementKind::While(condition, _) => {
                self.asked.push(condition)
            }
            StatementKind::For { sources, filter, .. } => self.asked.extend(sources.iter().chain(filter)),
            StatementKind::Case { subject, .. } => {
                self.cases.insert(*subject);
            }
            _ => {}
        }
        walk_statement(self, statement);
    }

    fn visit_option(&mut self, option: &'b ChoiceOption) {
        for binder in &option.binders {
            self.asked.extend(std::iter::once(&binder.source).chain(&binder.filter));
        }
        self.asked.extend(option.needs.iter().map(|need| &need.condition));
        walk_option(self, option);
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others every part is asked")]
    fn visit_expr(&mut self, expr: &'b Expr) {
        match &expr.kind {
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Choice(..) => self.asked.push(expr),
            ExprKind::Query(query) => self.asked.extend(&query.filter),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The variables that something names.
fn names(of: impl FnOnce(&mut Named)) -> Names {
    let mut named = Named::default();
    of(&mut named);
    named.0
}

/// A number, or the sides of a die, if it is written.
fn constant(expr: &Expr) -> Option<i64> {
    if let ExprKind::Word(word) = expr.kind { Some(word) } else { None }
}

/// Looks at every place of a step where a range is kept, in the order in which it is done.
struct Judge<'a, 'b> {
    book: &'a Book,
    parsed: &'a Parsed,
    step: &'b Step,
    seen: &'a Seen<'b>,
    /// The variables that have a value here.
    declared: Names,
    /// Those that a condition may keep back from here.
    kept_back: Names,
    /// The states that a condition has asked of so far.
    asked: Numbers,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'b> Judge<'_, 'b> {
    /// Goes on behind a condition.
    fn pass(&mut self, condition: &'b Expr) {
        self.visit_expr(condition);
        self.kept_back.extend(self.seen.kept_back_by([condition]));
        self.asked.join(&self.seen.calls.reads(condition));
    }

    /// Goes through what is done again and again: what it has asked of dice that fell before, it may have asked in any turn.
    fn repeat(&mut self, statement: &'b Statement) {
        let mut within = Conditions::default();
        within.visit_statement(statement);
        within.asked.iter().for_each(|condition| {
            self.asked.join(&self.seen.calls.reads(condition));
        });
        let mut asked = self.seen.kept_back_by(within.asked);
        asked.extend(self.seen.kept_back(within.cases, Numbers::default()));
        self.kept_back.extend(asked.intersection(&self.declared));
    }

    /// Warns of what some fall of the dice leads out of the range of a type, as which it is called so.
    fn judge(&mut self, fall: Option<Fall>, ty: Type, span: Span, name: impl FnOnce() -> String) {
        let Some(fall) = fall.filter(|fall| fall.dice.is_disjoint(&self.kept_back)) else { return };
        let (range, (least, most)) = (fall.range, bounds(ty));
        let is_number = matches!(ty.base, Base::Number(..));
        let has_room = match fall.moved {
            true => range.1 - range.0 <= most - least,
            false => fits(range, ty),
        };
        // By the dice and the clauses of a rule, of which nothing has asked.
        let whole = fall.whole.filter(|_| fall.moved && has_room && fall.reads.is_disjoint(&self.asked));
        let whole = whole.filter(|&whole| !fits(whole, ty));
        let has_room = has_room && whole.is_none();
        // What never fits is an error.
        let never = !fall.moved && (range.1 < least || most < range.0);
        if !is_number || has_room || never || self.parsed.layer_of(span.source) == Some(Layer::Library) {
            return;
        }
        let name = name();
        let (message, label) = match fall.moved && whole.is_none() {
            true => {
                let apart = range.1 - range.0 + 1;
                let message = format!("not all that is rolled here can fit {name}, which is {least}..{most}");
                (message, format!("by the dice alone {apart} numbers in a row"))
            }
            false => {
                let message = format!("what is rolled here may not fit {name}, which is {least}..{most}");
                let (lo, hi) = whole.unwrap_or(range);
                (message, format!("{lo}..{hi}"))
            }
        };
        let said = Diagnostic::warning("lint::may-not-fit", span, message).label(label);
        self.diagnostics.push(said.help(
            "widen the range where it is declared, or say what happens then: ask first, or keep it within by `min` and `max`",
        ));
    }
}

impl<'b> Visit<'b> for Judge<'_, 'b> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the parts of all others are done in turn")]
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Assign { column, op, value, .. } = &statement.kind {
            let fall = self.seen.value(value, LocalId::NONE).and_then(|fall| match op {
                AssignOp::Set => Some(fall),
                AssignOp::Add | AssignOp::Take if self.seen.may_hold(*column, &fall) => None,
                AssignOp::Add | AssignOp::Take => Some(fall.moved(None, Numbers::default())),
            });
            let column = self.book.column(*column);
            let span = if let Value::Expr(value) = value { value.span } else { statement.span };
            self.judge(fall, column.ty, span, || format!("`{}`", column.name));
        } else if let StatementKind::Return(Some(value)) = &statement.kind {
            let ty = self.step.ty.unwrap_or(Type::of(Base::Nothing));
            let name = || format!("what `{}` returns", self.step.title());
            self.judge(self.seen.value(value, LocalId::NONE), ty, statement.span, name);
        }
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                self.pass(condition);
                self.visit_block(then);
                self.visit_block(otherwise);
            }
            StatementKind::While(condition, body) => {
                self.repeat(statement);
                self.pass(condition);
                self.visit_block(body);
            }
            StatementKind::For { sources, filter, body, otherwise, .. } => {
                self.repeat(statement);
                sources.iter().chain(filter).for_each(|condition| self.pass(condition));
                self.visit_block(body);
                otherwise.iter().for_each(|block| self.visit_block(block));
            }
            StatementKind::Case { subject, .. } => {
                self.kept_back.extend(self.seen.kept_back(Names::from([*subject]), Numbers::default()));
                walk_statement(self, statement);
            }
            _ => walk_statement(self, statement),
        }
    }

    fn visit_binding(&mut self, local: LocalId) {
        self.declared.insert(local);
    }

    fn visit_option(&mut self, option: &'b ChoiceOption) {
        for binder in &option.binders {
            self.pass(&binder.source);
            self.visit_binding(binder.local);
            binder.filter.iter().for_each(|filter| self.pass(filter));
        }
        for need in &option.needs {
            self.pass(&need.condition);
            need.reason.iter().for_each(|reason| self.visit_text(reason));
        }
        option.label.iter().for_each(|label| self.visit_text(label));
        self.visit_block(&option.body);
    }

    /// What stands behind another part may be asked only where that lets it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others every part is asked")]
    fn visit_expr(&mut self, expr: &'b Expr) {
        match &expr.kind {
            ExprKind::Kept(keeper, inner) => {
                let book = self.book;
                let fall = self.seen.fall(inner);
                self.judge(fall, book.kept_type(*keeper), inner.span, || named(book, *keeper));
            }
            ExprKind::And(all) | ExprKind::Or(all) => return all.iter().for_each(|part| self.pass(part)),
            ExprKind::Choice(condition, yes, no) => {
                self.pass(condition);
                return [yes, no].into_iter().for_each(|part| self.visit_expr(part));
            }
            ExprKind::Query(query) => {
                self.visit_expr(&query.source);
                self.visit_binding(query.local);
                query.filter.iter().for_each(|filter| self.pass(filter));
                return query.by.iter().chain(&query.within).for_each(|part| self.visit_expr(part));
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// What keeps a range, in words.
fn named(book: &Book, keeper: Keeper) -> String {
    match keeper {
        Keeper::Rule(rule) => format!("what `{}` gives", book.rule(rule).name),
        Keeper::RuleParameter(rule, local) => {
            let rule = book.rule(rule);
            format!("`{}` of `{}`", rule.locals[local.0 as usize].name, rule.name)
        }
        Keeper::Step(step) => format!("what `{}` returns", book.step(step).title()),
        Keeper::StepParameter(step, local) => {
            let step = book.step(step);
            format!("`{}` of `{}`", step.locals[local.0 as usize].name, step.title())
        }
    }
}
