//! What happens, and who can see that it does.
//!
//! The text of a step is gone through once, with what is known at each place. What shows (who is asked and what he may
//! choose, what is said, rolled, drawn and set for all to see, and that it happens at all) may hang only on what those
//! see whom it is shown to. What a step cannot know of its parameters its callers must.

use std::collections::HashMap;
use std::rc::Rc;

use blazon_book::graph::{Join, Numbers};
use blazon_book::walk::{ExprKey, Put};
use blazon_book::{
    AssignOp, Base, Block, Choose, Chooser, Expr, ExprKind, LocalId, Piece, Role, Statement, StatementKind,
    StepId, Text, Type, Value, Watch, build,
};
use blazon_diagnostics::Span;

use super::facts::Facts;
use super::reads::{Asked, Demand, name_of};
use super::report::Shown;
use super::terms::{Renewal, Shared, equal, kind_of, local, locals_of, member, not};
use super::{Effects, Secrecy};

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
#[derive(Clone)]
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
    locals: Vec<Type>,
}

impl Secrecy<'_> {
    /// Goes through a step, and all steps that it does, once.
    pub(super) fn step(&mut self, id: StepId) -> Rc<StepSummary> {
        if let Some(summary) = &self.steps[id.0 as usize] {
            return summary.clone();
        }
        let book = self.book;
        let step = book.step(id);
        let start = self.next + 1;
        let base = start;
        self.next += step.locals.len() as u32;
        let params: Vec<LocalId> = (0..step.params as u32).map(|place| LocalId(base + place)).collect();
        let mut walk = Walk {
            base,
            params: params.clone(),
            pending: Vec::new(),
            locals: step.locals.iter().map(|local| local.ty).collect(),
        };
        let mut place = Place {
            facts: Facts::default(),
            changed: Effects::default(),
            quiet: Vec::new(),
            named: Vec::new(),
        };
        self.block(&step.body, &mut place, &mut walk);
        let summary = Rc::new(StepSummary { params, pending: walk.pending, own: start..self.next + 1 });
        self.steps[id.0 as usize] = Some(summary.clone());
        summary
    }

    /// A step that is done by the game itself: nobody else knows more.
    pub(super) fn root(&mut self, id: StepId, known: Option<Expr>) {
        let summary = self.step(id);
        let mut facts = Facts::default();
        if let Some(known) = known {
            self.know(&mut facts, known);
        }
        for pending in &summary.pending {
            let mut facts = facts.clone();
            facts.forget(&pending.changed.writes, &pending.changed.set_to);
            if !self.is_seen(&pending.demand, &pending.viewer, &facts) {
                self.tell(&pending.demand, &pending.viewer, &pending.shown);
            }
        }
    }

    /// What a watch does, as its condition becomes true; and whether it does is seen.
    pub(super) fn watch(&mut self, watch: &Watch) {
        let demands = self.demands(&watch.condition);
        let effects = self.effects[watch.body.0 as usize].clone();
        for demand in demands {
            if effects.shows && !self.is_seen(&demand, &Viewer::Everybody, &Facts::default()) {
                self.tell(&demand, &Viewer::Everybody, &Shown::Course(watch.condition.span));
            }
        }
        self.root(watch.body, Some(watch.condition.clone()));
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
                let blocks: Vec<&Block> = arms.iter().map(|(_, block)| block).chain(otherwise).collect();
                let mut effects = Effects::default();
                blocks.iter().for_each(|block| effects.join(&self.effects_of(block)));
                self.governs(&subject, &effects, place, walk);
                self.branches(&blocks, &effects, place, walk);
            }
            StatementKind::Stop => {}
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.value(value, at, place, walk);
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
            StatementKind::Do(step, args) => self.call_step(*step, args, at, place, walk),
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
        let at = sources.first().map_or(Span::default(), |source| source.span);
        let variable = Self::variable(walk, name, at);
        let before = place.quiet.len();
        let mut inner = place.clone();
        let sources: Vec<Expr> = sources.iter().map(|source| self.own(source, walk)).collect();
        let mut members = Vec::new();
        for source in &sources {
            self.governs(source, &effects, place, walk);
            if kind_of(source).is_some() {
                members.extend(self.demands_of_member(&variable, source));
            }
        }
        if kind_of(&variable).is_some() {
            let cases = sources.iter().map(|source| member(variable.clone(), source.clone())).collect();
            self.know(&mut inner.facts, build::or(cases, at));
        }
        self.meet(&variable, members);
        inner.quiet.clone_from(&place.quiet);
        let order = name_of(&variable, at);
        let before_changes = inner.clone();
        self.change(&effects, &mut inner);
        if let Some(filter) = filter {
            let filter = self.own(filter, walk);
            self.governs(&filter, &effects, &mut inner, walk);
            self.know(&mut inner.facts, filter);
        }
        // They come in the order of their names, and who is asked, or what is said, of one after the other shows it.
        let several = !matches!(
            &sources[..],
            [Expr { kind: ExprKind::ToSet(_), .. }] | [Expr { ty: Type { base: Base::Thing(_), .. }, .. }]
        );
        if effects.speaks && several && self.is_hidden(kind_of(&variable)) {
            let mut around = before_changes;
            around.facts.join(&inner.facts);
            self.settle(vec![order], &Viewer::Everybody, &Shown::Order(at), &mut around, walk);
        }
        self.block(body, &mut inner, walk);
        place.quiet.truncate(before);
        self.change(&effects, place);
        if let Some(otherwise) = otherwise {
            self.block(otherwise, place, walk);
        }
    }

    fn let_(&mut self, name: LocalId, value: &Value, at: Span, place: &mut Place, walk: &mut Walk) {
        let variable = Self::variable(walk, name, at);
        let ExprKind::Local(own) = variable.kind else { return };
        match value {
            Value::Expr(expr) => {
                let expr = self.own(expr, walk);
                let demands = self.demands(&expr);
                let known: Vec<Shared> = place.facts.about(&locals_of(&expr));
                let labels = demands.into_iter().map(|mut demand| {
                    demand.facts.extend(known.iter().cloned());
                    demand
                });
                let labels: Vec<Demand> = labels.collect();
                if !labels.is_empty() {
                    self.labels.insert(own, Rc::new(labels));
                }
                if kind_of(&expr).is_some() {
                    let members = self.demands_of_member(&variable, &expr);
                    self.meet(&variable, members);
                }
                if matches!(expr.ty.base, Base::Set(_)) {
                    let mut facts = std::mem::take(&mut place.facts);
                    self.know_set(&mut facts, own, &expr);
                    place.facts = facts;
                } else {
                    self.know(&mut place.facts, equal(variable, expr));
                }
            }
            Value::Draw(set, _) => {
                self.value(value, at, place, walk);
                let set = self.own(set, walk);
                let members = self.demands_of_member(&variable, &set);
                self.meet(&variable, members);
                let mut facts = std::mem::take(&mut place.facts);
                self.know_set(&mut facts, own, &set);
                place.facts = facts;
            }
            Value::Step(..) | Value::Die(_) | Value::Dice(..) => self.value(value, at, place, walk),
        }
    }

    /// What is set, rolled, drawn or returned: all see that it is.
    fn value(&mut self, value: &Value, at: Span, place: &mut Place, walk: &mut Walk) {
        match value {
            Value::Expr(expr) => {
                let expr = self.own(expr, walk);
                let demands = self.demands(&expr);
                self.settle(demands, &Viewer::Everybody, &Shown::Answer(at), place, walk);
            }
            Value::Step(step, args) => self.call_step(*step, args, at, place, walk),
            Value::Die(sides) => self.rolled(&[sides], at, place, walk),
            Value::Dice(sides, count) => self.rolled(&[sides, count], at, place, walk),
            Value::Draw(set, count) => self.rolled(&[set, count], at, place, walk),
        }
    }

    fn rolled(&mut self, parts: &[&Expr], at: Span, place: &mut Place, walk: &mut Walk) {
        for part in parts {
            let part = self.own(part, walk);
            let demands = self.demands(&part);
            self.settle(demands, &Viewer::Everybody, &Shown::Luck(at), place, walk);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of the statement")]
    fn assign(
        &mut self,
        column: blazon_book::ColumnId,
        keys: &[Expr],
        op: AssignOp,
        value: &Value,
        at: Span,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        let face = keys.iter().find(|key| self.asked_of(column, key) == Some(Asked::Face)).cloned();
        let pure = if let Value::Expr(expr) = value { Some(self.own(expr, walk)) } else { None };
        let mut demands = pure.as_ref().map(|expr| self.demands(expr)).unwrap_or_default();
        for key in keys {
            demands.extend(self.demands(key));
        }
        if pure.is_none() {
            self.value(value, at, place, walk);
        }
        let shown = Shown::State(at, column);
        match face {
            // Who sees the thing sees what is set.
            Some(thing) => {
                let name = self.fresh();
                let viewer = local(name, Type::of(Base::Thing(self.book.player)), at);
                let mut inner = place.clone();
                if let Some(seen) = self.seen(&viewer, &thing) {
                    self.know(&mut inner.facts, seen);
                }
                demands.extend(std::mem::take(&mut inner.quiet));
                self.settle(demands, &Viewer::One(viewer), &shown, &mut inner, walk);
            }
            None => {
                for key in keys {
                    if self.asked_of(column, key) == Some(Asked::Back) {
                        demands.push(Demand {
                            thing: key.clone(),
                            asked: Asked::Back,
                            facts: Vec::new(),
                            trail: vec![key.span],
                            column: Some(column),
                            released: Vec::new(),
                        });
                    }
                }
                self.settle(demands, &Viewer::Everybody, &shown, place, walk);
            }
        }
        let flag = match (op, pure.as_ref().and_then(build::constant)) {
            (AssignOp::Set, constant) => constant,
            (AssignOp::Add | AssignOp::Take, _) => None,
        };
        let set: Numbers = [column.0 as usize].into_iter().collect();
        let other = |of: bool| if flag == Some(of) { Numbers::default() } else { set.clone() };
        let effects =
            Effects { set_to: [other(false), other(true)], writes: set.clone(), ..Effects::default() };
        self.change(&effects, place);
        if let (AssignOp::Set, Some(value)) = (op, pure) {
            let ty = self.book.column(column).ty;
            let target = Expr { kind: blazon_book::ExprKind::Column(column, keys.to_vec()), ty, span: at };
            let reads_itself = self.calls.reads(&value).contains(column.0 as usize);
            match flag {
                Some(true) => self.know(&mut place.facts, target),
                Some(false) => self.know(&mut place.facts, not(target)),
                None if reads_itself || !matches!(ty.base, Base::Thing(_)) => {}
                None => self.know(&mut place.facts, equal(target, value)),
            }
        }
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

    fn call_step(&mut self, id: StepId, args: &[Expr], at: Span, place: &mut Place, walk: &mut Walk) {
        let args: Vec<Expr> = args.iter().map(|arg| self.own(arg, walk)).collect();
        let effects = self.effects[id.0 as usize].clone();
        for arg in &args {
            let demands = self.demands(arg);
            if !demands.is_empty() && !effects.is_nothing() {
                self.settle(demands, &Viewer::Everybody, &Shown::Given(arg.span), place, walk);
            }
        }
        let summary = self.step(id);
        for pending in &summary.pending {
            let map = summary.params.iter().copied().zip(args.iter().cloned().map(Put::Expr)).collect();
            let mut next = self.next;
            let mut renewal = Renewal { map, own: summary.own.clone(), next: &mut next };
            let mut demand = pending.demand.clone();
            demand.thing = renewal.apply(&demand.thing);
            demand.facts = demand.facts.iter().map(|fact| Rc::new(renewal.apply(fact))).collect();
            demand.released = demand.released.iter().map(|when| Rc::new(renewal.apply(when))).collect();
            let by_way = |expr: &Expr| locals_of(expr).iter().any(|local| summary.params.contains(local));
            let asked = if let Viewer::One(one) = &pending.viewer { by_way(one) } else { false };
            if asked || by_way(&pending.demand.thing) {
                demand.trail.insert(0, at);
            }
            let viewer = match &pending.viewer {
                Viewer::Everybody => Viewer::Everybody,
                Viewer::One(one) => Viewer::One(renewal.apply(one)),
            };
            self.next = next;
            let mut then = place.clone();
            self.change(&pending.changed, &mut then);
            self.settle(vec![demand], &viewer, &pending.shown, &mut then, walk);
        }
        let mut effects = effects;
        effects.join(&self.watched);
        self.change(&effects, place);
    }

    fn choose(&mut self, choose: &Choose, place: &mut Place, walk: &mut Walk) {
        let mut writes = self.watched.clone();
        let mut around = place.clone();
        let asked = match &choose.by {
            Chooser::One(by) => {
                let by = self.own(by, walk);
                let demands = self.demands(&by);
                self.settle(demands, &Viewer::Everybody, &Shown::Asked(by.span), place, walk);
                self.who_is_asked(by, &mut around)
            }
            Chooser::Each(name, source) => {
                let at = source.span;
                let source = self.own(source, walk);
                let demands = self.demands(&source);
                self.settle(demands, &Viewer::Everybody, &Shown::Asked(at), place, walk);
                let variable = Self::variable(walk, *name, at);
                self.know(&mut around.facts, member(variable.clone(), source));
                self.who_is_asked(variable, &mut around)
            }
        };
        let viewer = Viewer::One(asked);
        if let Some(prompt) = &choose.prompt {
            self.text(prompt, Some(&viewer), true, &mut around, walk);
        }
        for option in &choose.options {
            let mut inner = around.clone();
            for binder in &option.binders {
                let source = self.own(&binder.source, walk);
                let demands = self.demands(&source);
                let shown = Shown::Domain(source.span, option.name.clone());
                self.settle(demands, &viewer, &shown, &mut inner, walk);
                let variable = Self::variable(walk, binder.local, source.span);
                if kind_of(&source).is_some() {
                    let mut members = self.demands_of_member(&variable, &source);
                    if let Some(filter) = &binder.filter {
                        let filter = self.own(filter, walk);
                        let key = ExprKey::of(&variable);
                        let ours = |demand: &Demand| ExprKey::of(&demand.thing) == key;
                        members.extend(self.demands(&filter).into_iter().filter(ours));
                    }
                    self.know(&mut inner.facts, member(variable.clone(), source.clone()));
                    self.named_rightly(
                        binder.by_name,
                        &variable,
                        &source,
                        &viewer,
                        &inner.facts,
                        &mut members,
                    );
                    self.meet(&variable, members);
                }
                if let Some(filter) = &binder.filter {
                    let filter = self.own(filter, walk);
                    let demands = self.demands(&filter);
                    let shown = Shown::Domain(filter.span, option.name.clone());
                    self.settle(demands, &viewer, &shown, &mut inner, walk);
                    self.know(&mut inner.facts, filter);
                }
            }
            for need in &option.needs {
                let condition = self.own(&need.condition, walk);
                let demands = self.demands(&condition);
                let shown = Shown::Need(need.condition.span, option.name.clone());
                self.settle(demands, &viewer, &shown, &mut inner, walk);
                if let Some(reason) = &need.reason {
                    let mut refused = inner.clone();
                    self.know(&mut refused.facts, not(condition.clone()));
                    self.text(reason, Some(&viewer), false, &mut refused, walk);
                }
                self.know(&mut inner.facts, condition);
            }
            if let Some(label) = &option.label {
                self.text(label, Some(&viewer), true, &mut inner, walk);
            }
            self.block(&option.body, &mut inner, walk);
            writes.join(&self.effects_of(&option.body));
        }
        if let Some(otherwise) = &choose.otherwise {
            let mut inner = around.clone();
            self.block(otherwise, &mut inner, walk);
            writes.join(&self.effects_of(otherwise));
        }
        self.change(&writes, place);
    }

    /// An option's variable goes through pieces or through names, and says which.
    fn named_rightly(
        &mut self,
        by_name: bool,
        variable: &Expr,
        source: &Expr,
        asked: &Viewer,
        known: &Facts,
        members: &mut Vec<Demand>,
    ) {
        if !self.is_hidden(kind_of(source)) {
            // A variant may have turned all faces up.
            return;
        }
        let of_name = members.iter().all(|demand| demand.asked == Asked::Name);
        let face = Demand {
            thing: variable.clone(),
            asked: Asked::Face,
            facts: Vec::new(),
            trail: vec![source.span],
            column: None,
            released: Vec::new(),
        };
        match members.iter().find(|demand| demand.asked != Asked::Name) {
            Some(demand) if by_name => {
                let demand = demand.clone();
                self.misnamed(&demand, source);
            }
            None if !by_name && !members.is_empty() && !self.is_seen(&face, asked, known) => {
                self.unnamed(source)
            }
            Some(_) | None => {}
        }
        if by_name && of_name && members.is_empty() {
            members.push(Demand { asked: Asked::Name, ..face });
        }
    }

    /// Who is asked where a choice is by somebody, as the rule that says who decides has it.
    fn who_is_asked(&mut self, by: Expr, around: &mut Place) -> Expr {
        let Some(chooser) = self.book.chooser else { return by };
        let span = by.span;
        let ty = Type::of(Base::Thing(self.book.player));
        let asked = Expr { kind: ExprKind::Rule(chooser, vec![by]), ty, span };
        let name = self.fresh();
        let who = local(name, ty, span);
        self.know(&mut around.facts, equal(who.clone(), asked));
        who
    }

    /// A text. Things are shown by face or back to each reader, and so is what is asked of them; him who is asked
    /// something it must tell all that it seems to. What it asks of others by way of rules all must see who read it.
    fn text(
        &mut self,
        text: &Text,
        asked: Option<&Viewer>,
        is_for_all: bool,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        for piece in &text.pieces {
            let expr = match piece {
                Piece::Hole(expr) => expr,
                Piece::Plural(plural) if plural.of.is_none() => &plural.several,
                // Of a thing that the reader doesn't see the words are those of one.
                Piece::Plural(_) | Piece::Plain(_) => continue,
            };
            let expr = self.own(expr, walk);
            let demands = self.demands(&expr);
            let (plain, deep): (Vec<Demand>, Vec<Demand>) =
                demands.into_iter().partition(|demand| is_plain(demand, walk));
            let shown = Shown::Text(expr.span);
            if let Some(viewer) = asked {
                self.settle(plain, viewer, &shown, place, walk);
            }
            let readers = asked.filter(|_| !is_for_all).unwrap_or(&Viewer::Everybody);
            self.settle(deep, readers, &shown, place, walk);
        }
    }

    /// What is announced by name is known from here on.
    fn name_aloud(&mut self, text: &Text, place: &mut Place, walk: &Walk) {
        for piece in &text.pieces {
            let Piece::Hole(expr) = piece else { continue };
            let expr = self.own(expr, walk);
            if self.is_hidden(expr.ty.base.thing()) {
                place.named.push(ExprKey::of(&expr));
            }
        }
    }

    /// Each of these must be seen by the viewer. What cannot be known here is left to those who do the step.
    fn settle(
        &mut self,
        demands: Vec<Demand>,
        viewer: &Viewer,
        shown: &Shown,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        for demand in demands {
            if self.is_met(&demand, viewer, place, walk) {
                continue;
            }
            let mut demand = demand;
            let mut about = locals_of(&demand.thing);
            if let Viewer::One(one) = viewer {
                about.extend(locals_of(one));
            }
            demand.facts.extend(place.facts.about(&about));
            walk.pending.push(Pending {
                demand,
                viewer: viewer.clone(),
                shown: shown.clone(),
                changed: place.changed.clone(),
            });
        }
    }

    fn is_met(&mut self, demand: &Demand, viewer: &Viewer, place: &Place, walk: &Walk) -> bool {
        let is_state = demand.column.is_some_and(|column| {
            demand.asked == Asked::Face && matches!(self.book.column(column).role, Role::State { .. })
        });
        if !is_state && place.named.contains(&ExprKey::of(&demand.thing)) {
            return true;
        }
        match (&demand.thing.kind, demand.asked) {
            (ExprKind::Absent, _) => return true,
            (_, Asked::Face) => {}
            (ExprKind::Local(name), asked) => {
                let members = self.names.get(name).map(|(_, members)| members.clone());
                let met = |asked| members.as_ref().is_some_and(|all| all.iter().any(|d| d.asked == asked));
                let is_parameter = walk.params.contains(name);
                match asked {
                    // A variable that goes through names alone is a name.
                    Asked::Name if met(Asked::Name) && !met(Asked::Back) && !met(Asked::Face) => return true,
                    Asked::Back
                        if !is_parameter && (!met(Asked::Name) || met(Asked::Back) || met(Asked::Face)) =>
                    {
                        return true;
                    }
                    Asked::Name | Asked::Back | Asked::Face => {}
                }
            }
            (ExprKind::Word(_), Asked::Name) => return true,
            (_, Asked::Back) if !matches!(demand.thing.kind, ExprKind::Word(_)) => return true,
            (_, Asked::Name | Asked::Back) => {}
        }
        self.is_seen(demand, viewer, &place.facts)
    }

    /// Whether the viewer sees the thing, as far as is known.
    fn is_seen(&mut self, demand: &Demand, viewer: &Viewer, known: &Facts) -> bool {
        let viewer = match viewer {
            Viewer::One(one) => one.clone(),
            Viewer::Everybody => {
                let name = self.fresh();
                local(name, Type::of(Base::Thing(self.book.player)), demand.thing.span)
            }
        };
        let Some(goal) = self.seen(&viewer, &demand.thing) else { return true };
        if self.is_plain_in(&goal, known) {
            return true;
        }
        let mut facts = known.clone();
        for fact in &demand.facts {
            self.know(&mut facts, (**fact).clone());
        }
        self.follows(&goal, &facts) || demand.released.iter().any(|when| self.follows(when, &facts))
    }
}

/// Whether a demand is of a variable of the step itself: what is asked of it in a text shows as its back.
fn is_plain(demand: &Demand, walk: &Walk) -> bool {
    let own = walk.base..walk.base + walk.locals.len() as u32;
    locals_of(&demand.thing).iter().all(|local| own.contains(&local.0))
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
