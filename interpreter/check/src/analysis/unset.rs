//! States that exist only while a step is under way are set before anything reads them: followed through all that can
//! happen between the beginning of the step and the place that reads, steps that are done there, watches that wake up,
//! and steps that make the state fresh again.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use blazon_book::graph::components;
use blazon_book::walk::{Visit, walk_expr};
use blazon_book::{
    AssignOp, Block, Book, Choose, Chooser, ColumnId, Expr, ExprKind, Role, Statement, StatementKind, StepId,
    Value, build,
};
use blazon_diagnostics::{Diagnostic, Span};

use crate::analysis::Calls;
use crate::analysis::scopes::Scoped;
use crate::analysis::watches::surely_there;

/// Since when a state has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Since {
    /// Since the step that is looked at began, for which it is fresh.
    Beginning,
    /// Since this place, where a step began and ended for which it is fresh.
    Again(Span, StepId),
    /// Since the end of the step that is looked at, for which it is fresh.
    Ended(StepId),
}

/// Why a state may have no value: because it had none when the step began that is looked at, or since something in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Why {
    from_before: bool,
    since: Option<Since>,
}

/// The states that may have no value at a place.
type Open = BTreeMap<ColumnId, Why>;

/// The states that may have no value at a place; nothing if it is never reached. Ways on which none of them is set share
/// what holds where they part.
type Place = Option<Rc<Open>>;

/// Where something is read, and the watch that reads it.
#[derive(Clone, Copy, Debug)]
struct Reader {
    span: Span,
    watch: Option<usize>,
}

/// What a step asks of the states, and how it leaves them.
#[derive(Clone, Debug, Default)]
struct Summary {
    /// What it reads, itself or through what it does, as it is when the step begins.
    reads: BTreeMap<ColumnId, Reader>,
    /// What may have no value at its end.
    end: Place,
}

/// Complains of each state that is read where it need not have been set.
pub(crate) fn read_unset(book: &Book, calls: &Calls, scoped: &Scoped, diagnostics: &mut Vec<Diagnostic>) {
    if scoped.is_empty() {
        return;
    }
    let mut all = All::new(book, calls, scoped);
    for component in components(&all.next) {
        let mut changed = true;
        while changed {
            changed = false;
            for &step in &component {
                let (summary, _) = all.step(step);
                let before = &all.summaries[step];
                let is_same = summary.end == before.end && summary.reads.keys().eq(before.reads.keys());
                changed |= !is_same;
                all.summaries[step] = summary;
            }
        }
    }
    for step in 0..book.steps.len() {
        for ((column, _), read) in all.step(step).1 {
            // What is read outside is complained of already.
            let reads = calls.step_columns[step].contains(column.0 as usize);
            if !(reads && all.is_outside(step, column)) {
                diagnostics.push(said(book, StepId(step as u32), column, read));
            }
        }
    }
}

/// A read of a state that may have no value.
#[derive(Clone, Copy, Debug)]
struct Unset {
    at: Span,
    since: Since,
    /// Where it is read in another step.
    within: Option<Reader>,
}

fn said(book: &Book, step: StepId, column: ColumnId, read: Unset) -> Diagnostic {
    let (declared, step) = (book.column(column), book.step(step));
    let name = &declared.name;
    let message = match read.since {
        Since::Beginning => format!("`{name}` is read here before it is set"),
        Since::Again(_, by) => {
            format!("`{name}` is read here, but `{}` has made it fresh since it was set", book.step(by).name)
        }
        Since::Ended(by) => {
            format!("`{name}` is read when `{}` ends, which makes it fresh", book.step(by).name)
        }
    };
    let mut said = Diagnostic::error("names::scope", read.at, message);
    match read.within {
        Some(Reader { watch: Some(watch), span }) => {
            let watch = &book.watches[watch];
            said = said.label(format!("`whenever {}` may come up here", watch.name));
            said = said.related(span, "and reads it");
        }
        Some(Reader { watch: None, span }) => {
            said = said.related(span, "it is read here, which is done there")
        }
        None => {}
    }
    match read.since {
        Since::Beginning => said
            .related(declared.span, "it has no start value")
            .help(format!("set it first: `{name} := …` at the top of `{}`", step.name)),
        Since::Again(at, by) => {
            let by = &book.step(by).name;
            if at != read.at {
                said = said.related(at, format!("`{by}` may begin and end here"));
            }
            said.related(declared.span, format!("fresh each time that `{by}` begins and ends"))
                .help(format!("set it again before it is read: `{name} := …`"))
        }
        Since::Ended(by) => {
            let by = &book.step(by).name;
            said.related(declared.span, format!("fresh each time that `{by}` begins and ends")).help(format!(
                "write `?` behind the type of `{name}`: then it is absent there, which can be asked"
            ))
        }
    }
}

/// What is known of all steps.
struct All<'b> {
    book: &'b Book,
    calls: &'b Calls,
    scoped: &'b Scoped,
    summaries: Vec<Summary>,
    /// The steps that each step does, what its watches do included.
    next: Vec<Vec<usize>>,
    /// The watches that are looked at in each step.
    watched: Vec<Vec<usize>>,
    /// For each watch that sleeps at times, in which steps it may be awake while they are under way, and when they end.
    awake: Vec<Option<[BTreeSet<usize>; 2]>>,
    /// For each watch the states that surely exist while it is awake: of others it is complained that it touches them.
    there: Vec<BTreeSet<ColumnId>>,
    /// For each state, the steps that may be under way while it exists.
    inside: BTreeMap<ColumnId, BTreeSet<usize>>,
    /// For each state, the steps that may be done while it does not exist.
    outside: BTreeMap<ColumnId, Vec<StepId>>,
}

impl<'b> All<'b> {
    fn new(book: &'b Book, calls: &'b Calls, scoped: &'b Scoped) -> Self {
        let mut setters: Vec<Vec<usize>> = vec![Vec::new(); book.columns.len()];
        for (column, setters) in book.columns.iter().zip(&mut setters) {
            if let Role::State { fresh, .. } = &column.role {
                setters.extend(fresh.iter().map(|step| step.0 as usize));
            }
        }
        for (step, sets) in calls.sets.iter().enumerate() {
            sets.iter().for_each(|column| setters[column.0 as usize].push(step));
        }
        let (mut watched, mut next) = (vec![Vec::new(); book.steps.len()], calls.does.clone());
        for (place, watch) in book.watches.iter().enumerate() {
            let reads = calls.reads(&watch.condition);
            let steps: BTreeSet<usize> = reads.iter().flat_map(|column| &setters[column]).copied().collect();
            for step in steps {
                watched[step].push(place);
                next[step].push(watch.body.0 as usize);
            }
        }
        let behind = |steps: &[StepId]| {
            let mut found = BTreeSet::new();
            let mut waiting: Vec<usize> =
                steps.iter().flat_map(|step| &next[step.0 as usize]).copied().collect();
            while let Some(step) = waiting.pop() {
                if found.insert(step) {
                    waiting.extend(&next[step]);
                }
            }
            found
        };
        let with = |steps: &[StepId]| {
            let behind = behind(steps);
            let mut all = behind.clone();
            all.extend(steps.iter().map(|step| step.0 as usize));
            [all, behind]
        };
        let awake = book.watches.iter().map(|watch| (!watch.awake.is_empty()).then(|| with(&watch.awake)));
        let awake = awake.collect();
        let there = (0..book.watches.len()).map(|watch| surely_there(book, calls, scoped, watch)).collect();
        let inside = scoped.iter().map(|(column, scope)| {
            let [all, _] = with(scope);
            (*column, all)
        });
        let inside = inside.collect();
        let outside = scoped.iter().map(|(column, scope)| (*column, calls.reachable(book.begins, scope)));
        let outside = outside.collect();
        let summaries = vec![Summary::default(); book.steps.len()];
        Self { book, calls, scoped, summaries, next, watched, awake, there, inside, outside }
    }

    fn is_outside(&self, step: usize, column: ColumnId) -> bool {
        self.outside[&column].binary_search(&StepId(step as u32)).is_ok()
    }

    /// The watches that may be awake in a step, or at its end.
    fn watches(&self, step: usize, at_end: bool) -> impl Iterator<Item = usize> + '_ {
        self.watched[step].iter().copied().filter(move |&watch| {
            self.awake[watch].as_ref().is_none_or(|steps| steps[usize::from(at_end)].contains(&step))
        })
    }

    /// What a step asks and does, as far as the others are known; and what it reads itself that may have no value.
    fn step(&self, step: usize) -> (Summary, BTreeMap<(ColumnId, Since), Unset>) {
        let id = StepId(step as u32);
        let own = |scope: &[StepId]| scope.contains(&id);
        let open = self.scoped.iter().map(|(column, scope)| {
            let why = match own(scope) {
                true => Why { from_before: false, since: Some(Since::Beginning) },
                false => Why { from_before: true, since: None },
            };
            (*column, why)
        });
        let mut flow = Flow {
            all: self,
            step,
            place: Some(Rc::new(open.collect())),
            loops: Vec::new(),
            end: None,
            reads: BTreeMap::new(),
            unset: BTreeMap::new(),
        };
        flow.block(&self.book.step(id).body);
        flow.place = join(flow.end.take(), flow.place);
        let span = self.book.step(id).span;
        if let Some(open) = &mut flow.place {
            let open = Rc::make_mut(open);
            for (column, scope) in self.scoped {
                if own(scope) {
                    open.insert(*column, Why { from_before: false, since: Some(Since::Ended(id)) });
                }
            }
        }
        flow.watches(span, true);
        (Summary { reads: flow.reads, end: flow.place }, flow.unset)
    }
}

fn join(a: Place, b: Place) -> Place {
    let (mut a, b) = match (a, b) {
        (Some(a), Some(b)) if !Rc::ptr_eq(&a, &b) => (a, b),
        (a, b) => return a.or(b),
    };
    let all = Rc::make_mut(&mut a);
    for (column, why) in b.iter() {
        let both = all.entry(*column).or_default();
        both.from_before |= why.from_before;
        both.since = match (both.since, why.since) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    Some(a)
}

/// The way through one step.
struct Flow<'a, 'b> {
    all: &'a All<'b>,
    step: usize,
    /// What has no value where it has come.
    place: Place,
    /// The same where each of the loops around is left.
    loops: Vec<Place>,
    /// The same where the step is left.
    end: Place,
    reads: BTreeMap<ColumnId, Reader>,
    unset: BTreeMap<(ColumnId, Since), Unset>,
}

impl Flow<'_, '_> {
    fn read(&mut self, column: ColumnId, at: Span, within: Option<Reader>) {
        let Some(why) = self.place.as_ref().and_then(|open| open.get(&column)).copied() else { return };
        if let Some(Reader { watch: Some(watch), .. }) = within
            && !self.all.there[watch].contains(&column)
        {
            return;
        }
        if why.from_before {
            self.reads.entry(column).or_insert(within.unwrap_or(Reader { span: at, watch: None }));
        }
        if let Some(since) = why.since {
            let found = Unset { at, since, within };
            let first = self.unset.entry((column, since)).or_insert(found);
            if at.start < first.at.start {
                *first = found;
            }
        }
    }

    /// Reads all that stands in something, by one of the methods of the visitor.
    fn look(&mut self, visit: impl FnOnce(&mut Columns<'_>)) {
        if self.place.as_ref().is_none_or(|open| open.is_empty()) {
            return;
        }
        let mut columns = Columns { all: self.all, found: Vec::new() };
        visit(&mut columns);
        for (column, span) in columns.found {
            self.read(column, span, None);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.look(|columns| columns.visit_expr(expr));
    }

    fn value(&mut self, value: &Value, at: Span) {
        match value {
            Value::Expr(expr) | Value::Die(expr) => self.expr(expr),
            Value::Dice(a, b) | Value::Draw(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Value::Step(step, args) => {
                args.iter().for_each(|arg| self.expr(arg));
                self.done(step.0 as usize, at, None);
            }
        }
    }

    /// A step is done.
    fn done(&mut self, step: usize, at: Span, watch: Option<usize>) {
        let all = self.all;
        let summary = &all.summaries[step];
        for (column, reader) in &summary.reads {
            let reader = Reader { watch: watch.or(reader.watch), ..*reader };
            self.read(*column, at, Some(reader));
        }
        let (Some(open), Some(end)) = (&self.place, &summary.end) else {
            self.place = None;
            return;
        };
        let mut after = Open::new();
        for (column, left) in end.iter() {
            let mut why = match (left.from_before, open.get(column)) {
                (true, Some(before)) => *before,
                _ => Why::default(),
            };
            if let Some(Since::Again(_, by) | Since::Ended(by)) = left.since
                && all.inside[column].contains(&self.step)
            {
                let again = Since::Again(at, by);
                why.since = Some(why.since.map_or(again, |since| since.min(again)));
            }
            if why != Why::default() {
                after.insert(*column, why);
            }
        }
        self.place = Some(Rc::new(after));
    }

    /// The watches are looked at.
    fn watches(&mut self, at: Span, at_end: bool) {
        let all = self.all;
        for watch in all.watches(self.step, at_end) {
            if self.place.is_none() {
                return;
            }
            let mut columns = Columns { all, found: Vec::new() };
            columns.visit_expr(&all.book.watches[watch].condition);
            for (column, span) in columns.found {
                self.read(column, at, Some(Reader { span, watch: Some(watch) }));
            }
            let before = self.place.clone();
            self.done(all.book.watches[watch].body.0 as usize, at, Some(watch));
            self.place = join(before, self.place.take());
        }
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    /// A block that is done from a place; gives where it comes to, and stands where it stood.
    fn way(&mut self, from: &Place, block: &Block) -> Place {
        let here = std::mem::replace(&mut self.place, from.clone());
        self.block(block);
        std::mem::replace(&mut self.place, here)
    }

    /// Does something again until nothing new is found; gives what is so before each turn, and after each.
    fn turns(&mut self, mut turn: impl FnMut(&mut Self)) -> [Place; 2] {
        let mut head = self.place.clone();
        loop {
            self.place.clone_from(&head);
            turn(self);
            let after = self.place.take();
            let next = join(head.clone(), after.clone());
            if next == head {
                return [head, after];
            }
            head = next;
        }
    }

    fn statement(&mut self, statement: &Statement) {
        if self.place.is_none() {
            return;
        }
        let span = statement.span;
        match &statement.kind {
            StatementKind::Let(_, value) => self.value(value, span),
            StatementKind::Assign { column, keys, op, value } => {
                self.value(value, span);
                keys.iter().for_each(|key| self.expr(key));
                if *op == AssignOp::Set
                    && keys.is_empty()
                    && let Some(open) = self.place.as_mut().filter(|open| open.contains_key(column))
                {
                    Rc::make_mut(open).remove(column);
                }
            }
            StatementKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let here = self.place.take();
                let known = build::constant(condition);
                let then = if known == Some(false) { None } else { self.way(&here, then) };
                let otherwise = if known == Some(true) { None } else { self.way(&here, otherwise) };
                self.place = join(then, otherwise);
            }
            StatementKind::For { sources, filter, body, otherwise, .. } => {
                sources.iter().for_each(|source| self.expr(source));
                let some =
                    filter.is_none() && sources.iter().any(|s| build::never_empty(s, &self.all.book.kinds));
                let before = if some { None } else { self.place.clone() };
                self.loops.push(None);
                let [head, after] = self.turns(|flow| {
                    filter.iter().for_each(|filter| flow.expr(filter));
                    flow.block(body);
                });
                // Where a filter leaves out all, what stands behind is done, too, but for what stands in `else`.
                let passed = if filter.is_some() && otherwise.is_none() { join(head, after) } else { after };
                let none = match otherwise {
                    Some(otherwise) => self.way(&before, otherwise),
                    None => before,
                };
                let left = self.loops.pop().flatten();
                self.place = join(join(passed, left), none);
            }
            StatementKind::While(condition, body) => {
                self.loops.push(None);
                let [head, _] = self.turns(|flow| {
                    flow.expr(condition);
                    flow.block(body);
                });
                let left = self.loops.pop().flatten();
                let over = if build::constant(condition) == Some(true) { None } else { head };
                self.place = join(over, left);
            }
            StatementKind::Case { arms, otherwise, .. } => {
                let here = self.place.take();
                let mut after = None;
                for body in arms.iter().map(|(_, body)| body).chain(otherwise) {
                    after = join(after, self.way(&here, body));
                }
                self.place = after;
            }
            StatementKind::Stop => {
                let here = self.place.take();
                if let Some(left) = self.loops.last_mut() {
                    *left = join(left.take(), here);
                }
            }
            StatementKind::Return(value) => {
                value.iter().for_each(|value| self.value(value, span));
                self.end = join(self.end.take(), self.place.take());
            }
            StatementKind::Choose(choose) => self.choose(choose),
            StatementKind::Say { text, .. } => self.look(|columns| columns.visit_text(text)),
            StatementKind::Do(step, args) => {
                args.iter().for_each(|arg| self.expr(arg));
                self.done(step.0 as usize, span, None);
            }
            StatementKind::Win(player) => self.expr(player),
            StatementKind::Invalid(parts) => parts.iter().for_each(|part| self.expr(part)),
        }
    }

    fn choose(&mut self, choose: &Choose) {
        self.watches(choose.span, false);
        let (Chooser::One(who) | Chooser::Each(_, who)) = &choose.by;
        self.expr(who);
        self.look(|columns| {
            choose.prompt.iter().for_each(|prompt| columns.visit_text(prompt));
            for option in &choose.options {
                for binder in &option.binders {
                    columns.visit_expr(&binder.source);
                    binder.filter.iter().for_each(|filter| columns.visit_expr(filter));
                }
                option.needs.iter().for_each(|need| columns.visit_need(need));
                option.label.iter().for_each(|label| columns.visit_text(label));
            }
        });
        let here = self.place.clone();
        let mut after = None;
        match &choose.by {
            Chooser::One(_) => {
                for option in &choose.options {
                    after = join(after, self.way(&here, &option.body));
                }
            }
            // The answers are carried out one after the other; it may be that nobody is asked.
            Chooser::Each(..) => {
                let [head, _] = self.turns(|flow| {
                    let here = flow.place.clone();
                    let mut after = None;
                    for option in &choose.options {
                        after = join(after, flow.way(&here, &option.body));
                    }
                    flow.place = after;
                });
                after = head;
            }
        }
        if let Some(otherwise) = &choose.otherwise {
            after = join(after, self.way(&here, otherwise));
        }
        self.place = after;
    }
}

/// The states that something reads, itself or through rules, with the places.
struct Columns<'a> {
    all: &'a All<'a>,
    found: Vec<(ColumnId, Span)>,
}

impl<'b> Visit<'b> for Columns<'_> {
    fn visit_expr(&mut self, expr: &'b Expr) {
        let scoped = self.all.scoped;
        if let ExprKind::Column(column, _) = &expr.kind
            && scoped.contains_key(column)
        {
            self.found.push((*column, expr.span));
        }
        if let ExprKind::Rule(rule, _) = &expr.kind {
            let read = self.all.calls.rules_read(*rule).filter(|column| scoped.contains_key(column));
            self.found.extend(read.map(|column| (column, expr.span)));
        }
        walk_expr(self, expr);
    }
}
