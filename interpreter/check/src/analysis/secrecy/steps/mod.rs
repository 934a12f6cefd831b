//! What happens, and who can see that it does.
//!
//! The text of a step is gone through once, with what is known at each place. What shows (who is asked and what he may
//! choose, what is said, rolled, drawn and set for all to see, and that it happens at all) may hang only on what those
//! see whom it is shown to. What a step cannot know of its parameters its callers must.
//!
//! * [`values`], [`choices`]: statements with parts of their own;
//! * [`order`]: whether it counts in which order the turns of a loop come;
//! * [`shown`]: texts, and whether a demand is met.

mod choices;
mod order;
mod shown;
mod values;

use std::collections::HashMap;
use std::rc::Rc;

use blazon_book::graph::Join;
use blazon_book::walk::{ExprKey, Put};
use blazon_book::{
    Base, Block, Expr, ExprKind, KindId, LocalId, Statement, StatementKind, StepId, Type, Watch, build,
};
use blazon_diagnostics::Span;
use rustc_hash::FxHashMap;

use super::demand::{Asked, Demand};
use super::facts::Facts;
use super::names::{GoesBy, Places};
use super::report::Shown;
use super::summaries::Wanting;
use super::terms::{Renewal, equal, kind_of, local, member, not};
use super::{Effects, Secrecy, deeper};

/// Who must see.
#[derive(Clone)]
pub(super) enum Viewer {
    /// All.
    Everybody,
    /// One player.
    One(Expr),
}

/// What a step asks of those who do it.
pub(super) struct StepSummary {
    params: Vec<LocalId>,
    pending: Vec<Pending>,
    /// What it returns goes by, if not by pieces alone.
    by_name: Option<GoesBy>,
    own: std::ops::Range<u32>,
}

/// What the caller must know.
#[derive(Clone)]
struct Pending {
    demand: Demand,
    viewer: Viewer,
    shown: Shown,
    /// The states that have changed since the step began.
    changed: Effects,
}

/// Where the text is gone through.
#[derive(Clone, Default)]
struct Place {
    facts: Facts,
    /// The states set since the step began.
    changed: Effects,
    /// What decides whether this happens, where nobody sees that it does.
    quiet: Vec<Demand>,
    /// The things that have been named aloud.
    named: Vec<ExprKey>,
}

/// A step being gone through.
struct Walk {
    /// Its first variable.
    base: u32,
    params: Vec<LocalId>,
    pending: Vec<Pending>,
    /// What it returns goes by, on the way so far.
    by_name: Option<GoesBy>,
    /// Whether it has returned something on the way so far.
    returns: bool,
    locals: Vec<Type>,
}

impl Walk {
    fn of(base: u32, params: Vec<LocalId>, locals: Vec<Type>) -> Self {
        Self { base, params, pending: Vec::new(), by_name: None, returns: false, locals }
    }
}

/// Without those of which another asks the same for the same place already: a step that does another twice, which does a third
/// twice, would ask that four times.
fn tidied(all: Vec<Pending>) -> Vec<Pending> {
    let viewer = |pending: &Pending| match &pending.viewer {
        Viewer::Everybody => None,
        Viewer::One(who) => Some(ExprKey::of(who)),
    };
    let mut known: FxHashMap<_, Vec<(Wanting, Effects)>> = FxHashMap::default();
    let mut kept = Vec::new();
    for pending in all {
        let place = (ExprKey::of(&pending.demand.thing), viewer(&pending), pending.shown.span());
        let (others, wanting) = (known.entry(place).or_default(), Wanting::of(&pending.demand));
        let is_known = |(other, changed): &(Wanting, Effects)| {
            let as_changed =
                changed.writes == pending.changed.writes && changed.set_to == pending.changed.set_to;
            other.covers(&wanting) && as_changed
        };
        if !others.iter().any(is_known) {
            others.push((wanting, pending.changed.clone()));
            kept.push(pending);
        }
    }
    kept
}

impl Secrecy<'_> {
    /// Goes through a step, and all steps that it does, once for each choice of parameters that are given by name.
    pub(super) fn step(&mut self, id: StepId, by_name: Places) -> Rc<StepSummary> {
        let key = (id, by_name);
        if let Some(summary) = self.steps.get(&key) {
            return summary.clone();
        }
        let book = self.book;
        let step = book.step(id);
        let start = self.next + 1;
        let (mut walk, _) = self.walk_of(id, &key.1);
        let mut place = Place::default();
        deeper(|| self.block(&step.body, &mut place, &mut walk));
        let Walk { params, pending, by_name, .. } = walk;
        let pending = tidied(pending);
        let summary = Rc::new(StepSummary { params, pending, by_name, own: start..self.next + 1 });
        self.steps.insert(key, summary.clone());
        summary
    }

    /// A step that is done by the game itself: nobody else knows more.
    pub(super) fn root(&mut self, id: StepId) {
        let summary = self.step(id, Places::new());
        self.conclude(&summary.pending);
    }

    /// Tells of what is not known to be seen, where nobody is left who could know more.
    fn conclude(&mut self, pending: &[Pending]) {
        for pending in pending {
            if !self.is_seen(&pending.demand, &pending.viewer, &Facts::default()) {
                self.tell(&pending.demand, &pending.viewer, &pending.shown);
            }
        }
    }

    /// Whether a player sees a thing he knows: what decides it of other things he must see himself. What it asks of the thing
    /// that is seen, or not, is known to all.
    pub(super) fn label(&mut self, kind: KindId) {
        let book = self.book;
        let Some(seen) = &book.kind(kind).seen else { return };
        let base = self.next + 1;
        self.next += seen.locals.len() as u32;
        let [viewer, thing] = [LocalId(base), LocalId(base + 1)];
        let types: Vec<Type> = seen.locals.iter().map(|local| local.ty).collect();
        let mut walk = Walk::of(base, vec![viewer, thing], types);
        let when = self.own(&seen.when, &walk);
        let demands = self.demands(&when).into_iter();
        let others =
            demands.filter(|demand| !matches!(demand.thing.kind, ExprKind::Local(own) if own == thing));
        let viewer = Viewer::One(Self::variable(&walk, LocalId(0), seen.when.span));
        let shown = Shown::Face(seen.when.span, kind);
        self.settle(others.collect(), &viewer, &shown, &mut Place::default(), &mut walk);
        self.conclude(&walk.pending);
    }

    /// What a watch does, as its condition becomes true; and whether it does is seen.
    pub(super) fn watch(&mut self, watch: &Watch) {
        let mut walk = Walk::of(0, Vec::new(), Vec::new());
        let mut place = Place::default();
        let effects = self.effects[watch.body.0 as usize].clone();
        self.governs(&watch.condition, &effects, &mut place, &mut walk);
        self.know(&mut place.facts, watch.condition.clone());
        self.inline(watch.body, &[], place, &mut walk);
        self.conclude(&walk.pending);
    }

    /// A step gone through where it is done, for what decides it there and nobody sees.
    fn inline(&mut self, id: StepId, args: &[Expr], mut place: Place, walk: &mut Walk) {
        let by_name = self.given_by_name(args);
        let book = self.book;
        let step = book.step(id);
        let (mut inner, params) = self.walk_of(id, &by_name);
        inner.params = std::mem::take(&mut walk.params);
        inner.pending = std::mem::take(&mut walk.pending);
        for (param, arg) in params.iter().zip(args) {
            self.know(&mut place.facts, equal(param.clone(), arg.clone()));
        }
        deeper(|| self.block(&step.body, &mut place, &mut inner));
        walk.params = inner.params;
        walk.pending = inner.pending;
    }

    /// A step about to be gone through, and its parameters.
    fn walk_of(&mut self, id: StepId, by_name: &Places) -> (Walk, Vec<Expr>) {
        let book = self.book;
        let step = book.step(id);
        let base = self.next + 1;
        self.next += step.locals.len() as u32;
        let params: Vec<LocalId> = (0..step.params as u32).map(|place| LocalId(base + place)).collect();
        let args: Vec<Expr> =
            params.iter().zip(&step.locals).map(|(name, param)| local(*name, param.ty, step.span)).collect();
        self.are_names(&args, by_name);
        (Walk::of(base, params, step.locals.iter().map(|local| local.ty).collect()), args)
    }

    /// An expression of the step, in the one space of variables.
    fn own(&mut self, expr: &Expr, walk: &Walk) -> Expr {
        let map: HashMap<LocalId, Put> = (0..walk.locals.len() as u32)
            .map(|place| (LocalId(place), Put::Renamed(LocalId(walk.base + place))))
            .collect();
        let mut next = self.next;
        let expr = Renewal { map, own: 0..0, next: &mut next }.apply(expr);
        self.next = next;
        expr
    }

    fn variable(walk: &Walk, name: LocalId, at: Span) -> Expr {
        local(LocalId(walk.base + name.0), walk.locals[name.0 as usize], at)
    }

    fn block(&mut self, block: &Block, place: &mut Place, walk: &mut Walk) {
        for statement in block {
            self.statement(statement, place, walk);
        }
    }

    fn statement(&mut self, statement: &Statement, place: &mut Place, walk: &mut Walk) {
        if self.gives_up() {
            return;
        }
        let at = statement.span;
        match &statement.kind {
            StatementKind::Let(name, value) => self.let_(*name, value, at, place, walk),
            StatementKind::Assign { column, keys, op, value } => {
                let keys: Vec<Expr> = keys.iter().map(|key| self.own(key, walk)).collect();
                self.assign(*column, &keys, *op, value, at, place, walk);
            }
            StatementKind::If(condition, yes, no) => self.if_(condition, yes, no, place, walk),
            StatementKind::For { local, sources, filter, body, otherwise } => {
                self.for_(*local, sources, filter.as_ref(), body, otherwise.as_ref(), place, walk);
            }
            StatementKind::While(condition, body) => {
                let condition = self.own(condition, walk);
                self.change(&self.effects_of(body), place);
                self.governs(&condition, &self.effects_of(body), place, walk);
                let mut inner = place.clone();
                self.know(&mut inner.facts, condition.clone());
                self.block(body, &mut inner, walk);
                if !leaves(body) {
                    self.know(&mut place.facts, not(condition));
                }
            }
            StatementKind::Case { subject, arms, otherwise } => {
                let subject = Self::variable(walk, *subject, at);
                let is_thing = self.is_hidden(kind_of(&subject));
                let blocks: Vec<&Block> = arms.iter().map(|(_, block)| block).chain(otherwise).collect();
                let mut effects = Effects::default();
                blocks.iter().for_each(|block| effects.join(&self.effects_of(block)));
                self.governs(&subject, &effects, place, walk);
                if is_thing {
                    let which = Demand::of(subject.clone(), Asked::Name, at);
                    self.decides(vec![which], &subject, &effects, place, walk);
                }
                self.branches(&blocks, &effects, place, walk);
            }
            StatementKind::Stop => {}
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    let before = std::mem::replace(&mut walk.returns, true);
                    let given = self.value(value, at, place, walk);
                    // What is a name from one `return` and a piece from another is both.
                    walk.by_name = match (walk.by_name, given) {
                        (None, None) => None,
                        (None, Some(given)) if !before => Some(given),
                        (Some(one), Some(other)) if one == other => Some(one),
                        (Some(_), _) | (None, Some(_)) => Some(GoesBy::Both),
                    };
                }
            }
            StatementKind::Choose(choose) => self.choose(choose, place, walk),
            StatementKind::Say { announce, text } => {
                if *announce {
                    self.name_aloud(text, place, walk);
                } else {
                    self.text(text, None, true, place, walk);
                }
            }
            StatementKind::Do(step, args) => {
                self.call_step(*step, args, at, place, walk);
            }
            StatementKind::Win(who) => {
                let who = self.own(who, walk);
                let demands = self.demands(&who);
                self.settle(demands, &Viewer::Everybody, &Shown::Winner(at), place, walk);
            }
            StatementKind::Invalid(_) => {}
        }
    }

    fn branches(&mut self, blocks: &[&Block], effects: &Effects, place: &mut Place, walk: &mut Walk) {
        for block in blocks {
            let mut inner = place.clone();
            self.block(block, &mut inner, walk);
        }
        self.change(effects, place);
    }

    fn if_(&mut self, condition: &Expr, yes: &Block, no: &Block, place: &mut Place, walk: &mut Walk) {
        let condition = self.own(condition, walk);
        let mut effects = self.effects_of(yes);
        effects.join(&self.effects_of(no));
        let before = place.quiet.len();
        self.governs(&condition, &effects, place, walk);
        let (mut then, mut other) = (place.clone(), place.clone());
        self.know(&mut then.facts, condition.clone());
        self.know(&mut other.facts, not(condition.clone()));
        self.block(yes, &mut then, walk);
        self.block(no, &mut other, walk);
        place.quiet.truncate(before);
        let (yes_ends, no_ends) = (ends(yes), ends(no));
        if yes_ends && !no_ends {
            *place = other;
        } else if no_ends && !yes_ends {
            *place = then;
        } else {
            self.change(&effects, place);
        }
        place.quiet.truncate(before);
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of the statement")]
    fn for_(
        &mut self,
        name: LocalId,
        sources: &[Expr],
        filter: Option<&Expr>,
        body: &Block,
        otherwise: Option<&Block>,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        let effects = self.effects_of(body);
        let plain_filter = filter;
        // Whether it is done for one at least decides whether the other block is.
        let mut governed = effects.clone();
        otherwise.iter().for_each(|block| governed.join(&self.effects_of(block)));
        let at = sources.first().map_or(Span::default(), |source| source.span);
        let variable = Self::variable(walk, name, at);
        let before = place.quiet.len();
        let mut inner = place.clone();
        let sources: Vec<Expr> = sources.iter().map(|source| self.own(source, walk)).collect();
        let mut members = Vec::new();
        for source in &sources {
            self.governs(source, &governed, place, walk);
            if kind_of(source).is_some() {
                members.extend(self.demands_of_member(&variable, source));
            }
        }
        if kind_of(&variable).is_some() {
            let cases = sources.iter().map(|source| member(variable.clone(), source.clone())).collect();
            self.know(&mut inner.facts, build::or(cases, at));
        }
        let filter = filter.map(|filter| self.own(filter, walk));
        if let (true, Some(filter)) = (members.is_empty(), &filter) {
            let key = ExprKey::of(&variable);
            members = self.demands(filter);
            members.retain(|demand| ExprKey::of(&demand.thing) == key);
        }
        inner.quiet.clone_from(&place.quiet);
        let is_name = |demand: &&Demand| demand.asked == Asked::Name;
        if let (Some(name), true) = (members.iter().find(is_name), !members.iter().all(|d| is_name(&d))) {
            // By its name in one case, by its piece in another: whether there is one asks both.
            let both = Demand { asked: Asked::Face, ..name.clone() };
            self.decides(vec![both], &variable, &governed, &mut inner, walk);
        }
        self.meet(&variable, members);
        let order = Demand::of(variable.clone(), Asked::Name, at);
        let before_changes = inner.clone();
        self.change(&effects, &mut inner);
        if let Some(filter) = filter {
            self.governs(&filter, &governed, &mut inner, walk);
            self.know(&mut inner.facts, filter);
        }
        // They come in the order of their names, and who is asked, or what is said, of one after the other shows it.
        let several = !matches!(
            &sources[..],
            [Expr { kind: ExprKind::ToSet(_), .. }] | [Expr { ty: Type { base: Base::Thing(_), .. }, .. }]
        );
        if several
            && self.is_hidden(kind_of(&variable))
            && (effects.speaks || self.goes_in_order(name, plain_filter, body))
        {
            let mut around = before_changes;
            around.facts.join(&inner.facts);
            self.settle(vec![order], &Viewer::Everybody, &Shown::Order(at), &mut around, walk);
        }
        self.block(body, &mut inner, walk);
        self.change(&effects, place);
        if let Some(otherwise) = otherwise {
            place.quiet.extend(inner.quiet);
            let mut other = place.clone();
            self.block(otherwise, &mut other, walk);
            self.change(&self.effects_of(otherwise), place);
        }
        place.quiet.truncate(before);
    }

    /// States have changed.
    fn change(&mut self, effects: &Effects, place: &mut Place) {
        if effects.writes.is_empty() {
            return;
        }
        place.changed.join(effects);
        place.facts.forget(&effects.writes, &effects.set_to);
    }

    /// A condition, or the source of a loop, decides whether something happens.
    fn governs(&mut self, condition: &Expr, effects: &Effects, place: &mut Place, walk: &mut Walk) {
        let demands = self.demands(condition);
        self.decides(demands, condition, effects, place, walk);
    }

    /// What is asked decides whether something happens.
    fn decides(
        &mut self,
        demands: Vec<Demand>,
        condition: &Expr,
        effects: &Effects,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        if demands.is_empty() || effects.is_nothing() {
            return;
        }
        if effects.shows {
            self.settle(demands, &Viewer::Everybody, &Shown::Course(condition.span), place, walk);
        } else {
            place.quiet.extend(demands);
        }
    }

    /// A variable meets the things of a source: what made them members is known of it.
    fn meet(&mut self, variable: &Expr, members: Vec<Demand>) {
        let ExprKind::Local(own) = variable.kind else { return };
        if !members.is_empty() {
            self.names.insert(own, (own, Rc::new(members)));
        }
    }
}

/// Whether what follows a block is never reached by way of it.
fn ends(block: &Block) -> bool {
    block.last().is_some_and(|last| {
        matches!(last.kind, StatementKind::Stop | StatementKind::Return(_) | StatementKind::Win(_))
    })
}

/// Whether a loop may be left from within.
fn leaves(block: &Block) -> bool {
    block.iter().any(|statement| {
        matches!(statement.kind, StatementKind::Stop | StatementKind::Return(_))
            || statement.blocks().into_iter().any(leaves)
    })
}
