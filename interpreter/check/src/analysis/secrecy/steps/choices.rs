//! Who is asked, what he is offered, and why not.

use blazon_book::graph::Join;
use blazon_book::walk::ExprKey;
use blazon_book::{Base, Binder, ChoiceOption, Choose, Chooser, Expr, ExprKind, Type};

use super::super::demand::{Asked, Demand};
use super::super::facts::Facts;
use super::super::report::Shown;
use super::super::terms::{equal, kind_of, local, member, not};
use super::super::{Effects, Secrecy};
use super::{Place, Viewer, Walk};

impl Secrecy<'_> {
    pub(super) fn choose(&mut self, choose: &Choose, place: &mut Place, walk: &mut Walk) {
        // Watches look before anybody is asked.
        let mut writes = self.watched.clone();
        self.change(&writes, place);
        let mut around = place.clone();
        let asked = match &choose.by {
            Chooser::One(by) => {
                let by = self.own(by, walk);
                let demands = self.demands(&by);
                self.settle(demands, &Viewer::Everybody, &Shown::Asked(by.span), place, walk);
                self.who_is_asked(by, &mut around, walk)
            }
            Chooser::Each(name, source) => {
                let at = source.span;
                let source = self.own(source, walk);
                let demands = self.demands(&source);
                self.settle(demands, &Viewer::Everybody, &Shown::Asked(at), place, walk);
                let variable = Self::variable(walk, *name, at);
                self.know(&mut around.facts, member(variable.clone(), source));
                self.who_is_asked(variable, &mut around, walk)
            }
        };
        let viewer = Viewer::One(asked);
        if let Some(prompt) = &choose.prompt {
            self.text(prompt, Some(&viewer), true, &mut around, walk);
        }
        choose.options.iter().for_each(|option| writes.join(&self.effects_of(&option.body)));
        // Of several who are asked at once one's block comes after another's.
        let between =
            if matches!(choose.by, Chooser::Each(..)) { writes.clone() } else { Effects::default() };
        for option in &choose.options {
            self.option(option, &viewer, around.clone(), &between, walk);
        }
        if let Some(otherwise) = &choose.otherwise {
            let mut inner = around.clone();
            self.block(otherwise, &mut inner, walk);
            writes.join(&self.effects_of(otherwise));
        }
        self.change(&writes, place);
    }

    fn option(
        &mut self,
        option: &ChoiceOption,
        asked: &Viewer,
        mut place: Place,
        between: &Effects,
        walk: &mut Walk,
    ) {
        for binder in &option.binders {
            self.binder(binder, option, asked, &mut place, walk);
        }
        // Whoever is asked says a name: his menu has the names, and why one is refused is told by name.
        let variables = option.binders.iter().filter(|binder| binder.by_name);
        let by_name: Vec<ExprKey> = variables
            .map(|binder| ExprKey::of(&Self::variable(walk, binder.local, binder.source.span)))
            .collect();
        for need in &option.needs {
            let condition = self.own(&need.condition, walk);
            let demands = self.demands(&condition);
            let shown = Shown::Need(need.condition.span, option.name.clone());
            self.settle(demands, asked, &shown, &mut place, walk);
            if let Some(reason) = &need.reason {
                let mut refused = place.clone();
                self.know(&mut refused.facts, not(condition.clone()));
                refused.named.extend(by_name.iter().cloned());
                self.text(reason, Some(asked), false, &mut refused, walk);
            }
            self.know(&mut place.facts, condition);
        }
        if let Some(label) = &option.label {
            let mut called = place.clone();
            called.named.extend(by_name);
            self.text(label, Some(asked), true, &mut called, walk);
        }
        self.change(between, &mut place);
        self.block(&option.body, &mut place, walk);
    }

    fn binder(
        &mut self,
        binder: &Binder,
        option: &ChoiceOption,
        asked: &Viewer,
        place: &mut Place,
        walk: &mut Walk,
    ) {
        let source = self.own(&binder.source, walk);
        let filter = binder.filter.as_ref().map(|filter| self.own(filter, walk));
        let domain = |at| Shown::Domain(at, option.name.clone());
        let demands = self.demands(&source);
        self.settle(demands, asked, &domain(source.span), place, walk);
        let variable = Self::variable(walk, binder.local, source.span);
        if kind_of(&source).is_some() {
            let mut members = self.demands_of_member(&variable, &source);
            let key = ExprKey::of(&variable);
            let ours = |demand: &Demand| ExprKey::of(&demand.thing) == key;
            let of_filter = filter.as_ref().map(|filter| self.demands(filter)).unwrap_or_default();
            members.extend(of_filter.into_iter().filter(ours));
            self.know(&mut place.facts, member(variable.clone(), source.clone()));
            self.named_rightly(binder.by_name, &variable, &source, asked, &place.facts, &mut members);
            let name = members.iter().find(|demand| demand.asked == Asked::Name).cloned();
            let is_both = members.iter().any(|demand| demand.asked != Asked::Name);
            if let Some(name) = name.filter(|_| is_both && !binder.by_name) {
                // Names in one case and pieces in another: whoever is asked must see which piece a name is.
                let at = filter.as_ref().map_or(source.span, |filter| filter.span);
                self.settle(vec![Demand { asked: Asked::Face, ..name }], asked, &domain(at), place, walk);
            }
            self.meet(&variable, members);
            if let (ExprKind::Local(name), false) = (&variable.kind, binder.by_name) {
                self.chosen.insert(*name);
            }
        }
        if let Some(filter) = filter {
            // Now that the variable has met the source, more may be asked.
            let demands = self.demands(&filter);
            self.settle(demands, asked, &domain(filter.span), place, walk);
            self.know(&mut place.facts, filter);
        }
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
        let face = Demand::of(variable.clone(), Asked::Face, source.span);
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
    fn who_is_asked(&mut self, by: Expr, around: &mut Place, walk: &mut Walk) -> Expr {
        let Some(chooser) = self.book.chooser else { return by };
        let span = by.span;
        let ty = Type::of(Base::Thing(self.book.player));
        let asked = Expr { kind: ExprKind::Rule(chooser, vec![by]), ty, span };
        let demands = self.demands(&asked);
        self.settle(demands, &Viewer::Everybody, &Shown::Asked(span), around, walk);
        let name = self.fresh();
        let who = local(name, ty, span);
        self.know(&mut around.facts, equal(who.clone(), asked));
        who
    }
}
