//! Choices: who is asked, what is open, what can be asked about, and what each option does.

use blazon_check::book::{Base, ChoiceOption, Choose, Chooser, Comparison, Expr, ExprKind, LocalId, Need, Type};

use crate::frame::{Fx, Label};
use crate::inline;
use crate::ir::{ChoiceInfo, EachInfo, Op, OptionInfo, OptionParam, Reg};
use crate::queries::Through;
use crate::walk;

impl Fx<'_> {
    /// A choice. No temporaries may be in use.
    pub fn choose(&mut self, choose: &Choose) {
        self.look_at_watches(self.step);
        let number = self.lo.program.choices.len();
        if number > usize::from(u16::MAX) || choose.options.len() > usize::from(u16::MAX) {
            self.lo.too_large(choose.span, "the book has too many choices".to_owned());
            return;
        }
        let choice = number as u16;
        let scope = self.open();
        let each = self.each_info(choose);
        let (who, enumerate, domain, after) = (self.label(), self.label(), self.label(), self.label());
        // Nested choices come behind this one; it is filled in when it is known.
        self.lo.program.choices.push(ChoiceInfo {
            step: self.step,
            who: who.0,
            who_reg: 0,
            enumerate: enumerate.0,
            domain: domain.0,
            prompt: None,
            options: Vec::new(),
            otherwise: None,
            after: after.0,
            each,
            cites: choose.cites.clone(),
            span: choose.span,
        });
        self.emit(Op::Choose { choice });
        let mark = self.mark();
        let params = choose.options.iter().map(|option| option.binders.len()).max().unwrap_or(0);
        let scratch = self.temp(params as u16);

        self.entry(who);
        let asked = match &choose.by {
            Chooser::One(who) | Chooser::Each(_, who) => who,
        };
        let who_reg = self.own(asked);
        self.emit(Op::Done);
        if let (Chooser::Each(local, _), Some(each)) = (&choose.by, each) {
            self.bind_var(*local, each.local);
        }
        let prompt = choose.prompt.as_ref().map(|prompt| self.side_text(prompt));
        self.entry(enumerate);
        for (place, option) in choose.options.iter().enumerate() {
            self.offer(place as u16, option, scratch, true);
        }
        self.emit(Op::Done);
        self.entry(domain);
        for (place, option) in choose.options.iter().enumerate() {
            self.offer(place as u16, option, scratch, false);
        }
        self.emit(Op::Done);
        let mut options: Vec<OptionInfo> =
            choose.options.iter().map(|option| self.side_of_option(option, scratch)).collect();
        self.release(mark);

        for (option, info) in choose.options.iter().zip(&mut options) {
            self.body(option, info, choose, choice, after);
        }
        let otherwise = choose.otherwise.as_ref().map(|block| {
            let entry = self.label();
            self.entry(entry);
            self.block(block);
            self.jump(after);
            entry.0
        });
        let info = &mut self.lo.program.choices[number];
        info.who_reg = who_reg;
        info.prompt = prompt.map(|label| label.0);
        info.options = options;
        info.otherwise = otherwise;
        self.entry(after);
        self.close(scope);
    }

    fn each_info(&mut self, choose: &Choose) -> Option<EachInfo> {
        let Chooser::Each(local, _) = &choose.by else { return None };
        let params = choose.options.iter().map(|option| option.binders.len()).max().unwrap_or(0);
        let words = 1 + params as u16;
        let players = self.book.kind(self.book.player).things.len() as u16;
        let local = self.place(*local);
        let slots = self.local(players.saturating_mul(words).saturating_add(1));
        Some(EachInfo { local, slots, words })
    }

    fn side_text(&mut self, text: &blazon_check::book::Text) -> Label {
        let label = self.label();
        self.entry(label);
        let mark = self.mark();
        let text = self.text(text);
        self.emit(Op::Text { text });
        self.emit(Op::Done);
        self.release(mark);
        label
    }

    /// An option's line and its explanation; its parameters are in temporaries.
    fn side_of_option(&mut self, option: &ChoiceOption, scratch: Reg) -> OptionInfo {
        let span = std::mem::replace(&mut self.span, option.span);
        let mut params = Vec::new();
        for (place, binder) in option.binders.iter().enumerate() {
            let scratch = scratch + place as u16;
            self.bind_var(binder.local, scratch);
            let var = &self.book.step(self.step).locals[binder.local.0 as usize];
            let kind = walk::kind_of(var.ty.base);
            params.push(OptionParam { name: var.name.clone(), kind, local: 0, scratch });
        }
        let label = option.label.as_ref().map(|text| self.side_text(text).0);
        let explain = self.label();
        self.entry(explain);
        option.needs.iter().for_each(|need| self.explain(need));
        self.emit(Op::Done);
        self.span = span;
        OptionInfo {
            name: option.name.clone(),
            params,
            body: 0,
            label,
            explain: explain.0,
            cites: option.cites.clone(),
            span: option.span,
        }
    }

    fn body(&mut self, option: &ChoiceOption, info: &mut OptionInfo, choose: &Choose, choice: u16, after: Label) {
        let span = std::mem::replace(&mut self.span, option.span);
        let body = self.label();
        info.body = body.0;
        self.entry(body);
        let scope = self.open();
        for (binder, param) in option.binders.iter().zip(&mut info.params) {
            param.local = self.place(binder.local);
        }
        if let Chooser::Each(local, _) = &choose.by {
            self.keys.loops.push(*local);
            self.statements(&option.body);
            self.keys.loops.pop();
            self.close(scope);
            self.emit(Op::EachNext { choice });
        } else {
            self.statements(&option.body);
            self.close(scope);
            self.jump(after);
        }
        self.span = span;
    }

    // --------------------------------------------------------------------------------------- what is open

    /// Emits an option for all its arguments: with its needs those that are open, without them all.
    fn offer(&mut self, place: u16, option: &ChoiceOption, scratch: Reg, with_needs: bool) {
        let span = std::mem::replace(&mut self.span, option.span);
        let mark = self.mark();
        let needs = if with_needs { option.needs.as_slice() } else { &[] };
        let levels = self.levels(option, needs);
        let end = self.label();
        for condition in &levels[0] {
            self.jump_when(condition, false, end);
        }
        if option.binders.is_empty() {
            self.emit(Op::Emit { option: place, args: scratch, count: 0 });
        } else {
            self.offer_from(place, option, &levels, 0, scratch, end);
        }
        self.set(end);
        self.release(mark);
        self.span = span;
    }

    /// The conditions by the number of parameters that must be known to test them.
    fn levels(&mut self, option: &ChoiceOption, needs: &[Need]) -> Vec<Vec<Expr>> {
        let all = option.binders.len();
        let mut levels: Vec<Vec<Expr>> = vec![Vec::new(); all + 1];
        let mut conditions: Vec<(Expr, usize)> = Vec::new();
        for (place, binder) in option.binders.iter().enumerate() {
            conditions.extend(binder.filter.iter().map(|filter| (filter.clone(), place + 1)));
        }
        conditions.extend(needs.iter().map(|need| (need.condition.clone(), all)));
        let book = self.book.clone();
        for (condition, natural) in conditions {
            let mut parts = Vec::new();
            inline::conjuncts(self, &condition, true, 0, &mut parts);
            for part in parts {
                let known = option.binders.iter().rposition(|binder| walk::mentions(&part, binder.local));
                let level = known.map_or(0, |place| place + 1).min(natural);
                let vars = &self.vars;
                let optional = |local: LocalId| vars.get(local.0 as usize).is_some_and(|var| var.ty.optional);
                match walk::assumed(&book, &optional, &part) {
                    Some(guards) if level < natural => {
                        // Asked earlier than it stands: what it takes to be present is asked before it.
                        levels[level].extend(guards.into_iter().map(present));
                        levels[level].push(part);
                    }
                    Some(_) => levels[level].push(part),
                    None => levels[natural].push(part),
                }
            }
        }
        levels
    }

    fn offer_from(
        &mut self,
        place: u16,
        option: &ChoiceOption,
        levels: &[Vec<Expr>],
        depth: usize,
        scratch: Reg,
        exit: Label,
    ) {
        let binder = &option.binders[depth];
        let (through, mut rest) = self.candidates(binder.local, &binder.source, &levels[depth + 1]);
        if let (Through::Set(set, words), Base::Set(kind)) = (&through, binder.source.ty.base)
            && self.lo.program.kinds[kind.0 as usize].groups.is_some()
        {
            self.sift(binder.local, *set, *words, &rest);
            self.emit(Op::Alike { set: *set, kind: kind.0 as u16 });
            rest.clear();
        }
        let head = self.begin_loop(binder.local, &through, Some(scratch + depth as u16), exit);
        for condition in &rest {
            self.jump_when(condition, false, head);
        }
        if depth + 1 == option.binders.len() {
            let count = option.binders.len() as u16;
            self.emit(Op::Emit { option: place, args: scratch, count });
            self.jump(head);
        } else {
            self.offer_from(place, option, levels, depth + 1, scratch, head);
        }
    }
}

/// Says that something is present.
fn present(path: &Expr) -> Expr {
    let optional = Type { optional: true, ..path.ty };
    let there = Expr { ty: optional, ..path.clone() };
    let absent = Expr { kind: ExprKind::Absent, ty: optional, span: path.span };
    let kind = ExprKind::Compare(Comparison::NotEqual, Box::new(there), Box::new(absent));
    Expr { kind, ty: Type::of(Base::Flag), span: path.span }
}
