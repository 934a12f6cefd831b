//! Values that a state never gets: it begins with one, in a setup or by its start, and each line that sets it gives it
//! another. What asks for a value that none of them gives is never so, however the game goes.

use std::collections::BTreeSet;

use blazon_book::walk::{Visit, each_expr, walk_expr, walk_statement};
use blazon_book::{
    AssignOp, Base, Book, Column, ColumnId, Comparison, Expr, ExprKind, Role, RuleId, Start, Statement,
    StatementKind, StepId, Value, bounds,
};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::of_tests::OfTests;
use crate::infer::exclusive::written;
use crate::project::Parsed;

/// Warns of each comparison of a state with what it never gets, and of each state that is only set to what it begins with.
/// What a test sets is not counted. Whoever plays by the library, or lays something on a game, cannot mend theirs.
pub(crate) fn never_gets(
    book: &Book,
    of_tests: &OfTests,
    parsed: &Parsed,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut gets: Vec<Option<Gets>> =
        book.columns.iter().map(|column| Gets::begins(parsed, column)).collect();
    let setups: BTreeSet<StepId> = book.setups.iter().map(|setup| setup.body).collect();
    let steps = (0..).map(StepId).zip(&book.steps).filter(|(id, _)| !of_tests.steps.contains(id));
    for (id, step) in steps.clone() {
        if !parsed.tests.contains(&step.span.source) {
            Setter { book, parsed, gets: &mut gets, is_setup: setups.contains(&id) }.visit_block(&step.body);
        }
    }
    let is_judged = |span: Span| parsed.is_judged_at(span);
    for (column, slot) in book.columns.iter().zip(&mut gets) {
        let Some(Gets { set: Some(set), values, is_absent, .. }) = slot else { continue };
        let is_one = values.is_single() && !*is_absent || values.is_empty();
        if is_one && is_judged(column.span) && is_judged(*set) {
            let message = format!("nothing sets `{}` to anything but what it begins as", column.name);
            let said = Diagnostic::warning("lint::never-set", *set, message)
                .related(column.span, "declared here")
                .help(
                    "set it to something else here, or take it out: what never changes is a fact or a rule",
                );
            diagnostics.push(said);
            *slot = None;
        }
    }
    let asked = gets.into_iter().zip(&book.columns);
    let gets =
        asked.map(|(gets, column)| gets.filter(|gets| gets.set.is_some() && !gets.is_all(book, column)));
    let mut asker = Asker { book, parsed, gets: gets.collect(), found: Vec::new() };
    // That it always holds is what an invariant says.
    let invariants: BTreeSet<RuleId> = book.invariants.iter().map(|invariant| invariant.rule).collect();
    let rules = (0..).map(RuleId).zip(&book.rules);
    let rules = rules.filter(|(id, _)| !of_tests.rules.contains(id) && !invariants.contains(id));
    rules.for_each(|(_, rule)| asker.visit_rule(rule));
    steps.for_each(|(_, step)| asker.visit_block(&step.body));
    book.watches.iter().for_each(|watch| asker.visit_expr(&watch.condition));
    diagnostics.extend(asker.found.into_iter().filter(|said| said.span.is_some_and(is_judged)));
}

/// The values that are known to be given to a state.
#[derive(Clone, Debug)]
enum Values {
    /// These things, or `no` and `yes` as 0 and 1.
    Words(BTreeSet<i64>),
    /// Numbers from one to another; none if the first is greater.
    Numbers(i64, i64),
}

impl Values {
    fn is_empty(&self) -> bool {
        match self {
            Self::Words(words) => words.is_empty(),
            Self::Numbers(lo, hi) => lo > hi,
        }
    }

    fn is_single(&self) -> bool {
        match self {
            Self::Words(words) => words.len() == 1,
            Self::Numbers(lo, hi) => lo == hi,
        }
    }
}

/// What a state gets.
#[derive(Clone, Debug)]
struct Gets {
    values: Values,
    is_absent: bool,
    /// The first line that sets it, setups left out.
    set: Option<Span>,
}

impl Gets {
    /// What a state begins as; nothing of a fact, and of what this does not tell.
    fn begins(parsed: &Parsed, column: &Column) -> Option<Self> {
        let Role::State { start, fresh } = &column.role else { return None };
        let values = if matches!(column.ty.base, Base::Number(..)) {
            Values::Numbers(1, 0)
        } else if matches!(column.ty.base, Base::Flag | Base::Thing(_)) {
            Values::Words(BTreeSet::new())
        } else {
            return None;
        };
        let mut gets = Self { values, is_absent: false, set: None };
        match start {
            Some(Start { value, .. }) => gets.join(parsed, value)?,
            None if column.ty.optional => gets.is_absent = true,
            // It is set before it is read.
            None if !fresh.is_empty() && column.ty.base != Base::Flag => return None,
            None => {
                let (lo, hi) = bounds(column.ty);
                let nearest = 0.clamp(lo, hi.max(lo));
                gets.join_range(nearest, nearest);
            }
        }
        Some(gets)
    }

    /// Adds what an expression gives; nothing if that is not known.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn join(&mut self, parsed: &Parsed, value: &Expr) -> Option<()> {
        match &value.kind {
            ExprKind::Absent => self.is_absent = true,
            ExprKind::Choice(_, a, b) | ExprKind::Otherwise(a, b) => {
                self.join(parsed, a)?;
                self.join(parsed, b)?;
            }
            ExprKind::Kept(_, inner) => self.join(parsed, inner)?,
            ExprKind::Word(_) => {
                let word = written(&parsed.sources, value)?;
                self.join_range(word, word);
            }
            _ if matches!(self.values, Values::Numbers(..)) && is_of_page(parsed, value) => {
                let (lo, hi) = bounds(value.ty);
                self.is_absent |= value.ty.optional;
                self.join_range(lo, hi);
            }
            _ => return None,
        }
        Some(())
    }

    fn join_range(&mut self, from: i64, to: i64) {
        match &mut self.values {
            Values::Words(words) => words.extend(from..=to),
            Values::Numbers(lo, hi) if *lo > *hi => (*lo, *hi) = (from, to),
            Values::Numbers(lo, hi) => (*lo, *hi) = ((*lo).min(from), (*hi).max(to)),
        }
    }

    /// Whether a state gets all that its type has.
    fn is_all(&self, book: &Book, column: &Column) -> bool {
        match (&self.values, column.ty.base) {
            (Values::Numbers(lo, hi), _) => {
                let (least, most) = bounds(column.ty);
                *lo <= least && most <= *hi
            }
            (Values::Words(words), Base::Thing(kind)) => words.len() >= book.kind(kind).things.len(),
            (Values::Words(words), _) => words.len() >= 2,
        }
    }
}

/// Whether all numbers in an expression stand on the page: a ruling is another number in another reading.
fn is_of_page(parsed: &Parsed, value: &Expr) -> bool {
    let mut all = true;
    each_expr(value, &mut |part| {
        all &= !matches!(part.kind, ExprKind::Word(_)) || written(&parsed.sources, part).is_some();
    });
    all
}

/// Gathers what lines set.
struct Setter<'a> {
    book: &'a Book,
    parsed: &'a Parsed,
    gets: &'a mut Vec<Option<Gets>>,
    is_setup: bool,
}

impl<'b> Visit<'b> for Setter<'_> {
    fn visit_statement(&mut self, statement: &'b Statement) {
        if let StatementKind::Assign { column, op, value, .. } = &statement.kind
            && let Some(slot) = self.gets.get_mut(column.0 as usize)
            && let Some(gets) = slot
        {
            let ty = self.book.column(*column).ty;
            let (least, most) = bounds(ty);
            let known = match (op, value) {
                (AssignOp::Set, Value::Expr(value)) => gets.join(self.parsed, value),
                (AssignOp::Add | AssignOp::Take, Value::Expr(value))
                    if matches!(ty.base, Base::Number(..)) && is_of_page(self.parsed, value) =>
                {
                    let (lo, hi) = bounds(value.ty);
                    let (lo, hi) = if *op == AssignOp::Add { (lo, hi) } else { (-hi, -lo) };
                    if hi > 0 {
                        gets.join_range(most, most);
                    }
                    if lo < 0 {
                        gets.join_range(least, least);
                    }
                    Some(())
                }
                _ => None,
            };
            if !self.is_setup && !statement.span.is_empty() {
                gets.set.get_or_insert(statement.span);
            }
            if known.is_none() {
                *slot = None;
            }
        }
        walk_statement(self, statement);
    }
}

/// Looks for what asks for other values.
struct Asker<'a> {
    book: &'a Book,
    parsed: &'a Parsed,
    /// Of those states that do not get all.
    gets: Vec<Option<Gets>>,
    found: Vec<Diagnostic>,
}

impl Asker<'_> {
    /// What is never, or always, so.
    fn answer(&self, expr: &Expr) -> Option<(ColumnId, bool)> {
        let ExprKind::Compare(how, a, b) = &expr.kind else { return None };
        let sources = &self.parsed.sources;
        let (column, word, turned) = if let ExprKind::Column(column, _) = a.kind {
            (column, written(sources, b)?, false)
        } else if let ExprKind::Column(column, _) = b.kind {
            (column, written(sources, a)?, true)
        } else {
            return None;
        };
        let gets = self.gets.get(column.0 as usize)?.as_ref()?;
        let is = match (&gets.values, how) {
            (Values::Words(words), Comparison::Equal | Comparison::NotEqual) => {
                (!words.contains(&word)).then_some(*how == Comparison::NotEqual)
            }
            (Values::Words(_), Comparison::Less | Comparison::AtMost) => None,
            _ if gets.is_absent => None,
            (Values::Numbers(lo, hi), _) if lo > hi => None,
            (Values::Numbers(lo, hi), Comparison::Equal | Comparison::NotEqual) => {
                (word < *lo || *hi < word).then_some(*how == Comparison::NotEqual)
            }
            (Values::Numbers(lo, hi), Comparison::Less) if turned => one(word < *lo, word >= *hi),
            (Values::Numbers(lo, hi), Comparison::AtMost) if turned => one(word <= *lo, word > *hi),
            (Values::Numbers(lo, hi), Comparison::Less) => one(*hi < word, *lo >= word),
            (Values::Numbers(lo, hi), Comparison::AtMost) => one(*hi <= word, *lo > word),
        };
        is.map(|is| (column, is))
    }
}

/// An answer that is sure.
fn one(always: bool, never: bool) -> Option<bool> {
    (always || never).then_some(always)
}

impl<'b> Visit<'b> for Asker<'_> {
    fn visit_expr(&mut self, expr: &'b Expr) {
        if !expr.span.is_empty()
            && let Some((column, is)) = self.answer(expr)
        {
            let declared = self.book.column(column);
            let (how, so) = if is { ("always", "otherwise") } else { ("never", "so") };
            let message = format!("this {how} holds: nothing makes `{}` {so}", declared.name);
            let mut said = Diagnostic::warning("lint::settled", expr.span, message);
            let gets = self.gets[column.0 as usize].as_ref();
            said = said.label(match gets.map(|gets| &gets.values) {
                Some(Values::Numbers(lo, hi)) => format!("it is {lo}..{hi} all the time"),
                Some(Values::Words(_)) | None => "it begins as another, and no line gives it this".to_owned(),
            });
            if let Some(set) = gets.and_then(|gets| gets.set) {
                said = said.related(set, "set here");
            }
            self.found.push(
                said.related(declared.span, "declared here")
                    .help("set it to this where that is to happen, or ask for something else"),
            );
        }
        walk_expr(self, expr);
    }
}
