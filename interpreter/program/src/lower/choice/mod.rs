//! Choices: who is asked, what is asked, and what each option does.

mod certain;
mod enumerate_options;
mod hoist;
mod option_plan;

use blazon_book::{ChoiceOption, Choose, Chooser, ExprKind, LocalId, Piece, Text};

use crate::ir::{ChoiceInfo, EachInfo, Holds, Op, OptionInfo, OptionParam, Reg};
use crate::lower::function_builder::{FunctionBuilder, Label};

impl FunctionBuilder<'_> {
    /// A choice. No temporaries may be in use.
    pub fn choose(&mut self, choose: &Choose) {
        self.look_at_watches(self.step);
        let number = self.lowering.program.choices.len();
        if number > usize::from(u16::MAX) || choose.options.len() > usize::from(u16::MAX) {
            self.lowering.too_large(choose.span, "the book has too many choices".to_owned());
            return;
        }
        let choice = number as u16;
        let scope = self.open();
        let each = self.each_info(choose, choice);
        let (who, enumerate, domain, after) = (self.label(), self.label(), self.label(), self.label());
        // Nested choices come behind this one; it is filled in when it is known.
        self.lowering.program.choices.push(ChoiceInfo {
            step: self.step,
            question: self.keys.question(),
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
        self.offers(&choose.options, scratch, true);
        self.emit(Op::Done);
        self.entry(domain);
        self.offers(&choose.options, scratch, false);
        self.emit(Op::Done);
        let mut options: Vec<OptionInfo> =
            choose.options.iter().map(|option| self.side_of_option(option, scratch)).collect();
        self.release(mark);

        for (option, info) in choose.options.iter().zip(&mut options) {
            self.keys.enter_option(&option.name);
            self.body(option, info, choose, choice, after);
            self.keys.leave_option();
        }
        let otherwise = choose.otherwise.as_ref().map(|block| {
            let entry = self.label();
            self.entry(entry);
            self.block(block);
            self.jump(after);
            entry.0
        });
        let info = &mut self.lowering.program.choices[number];
        info.who_reg = who_reg;
        info.prompt = prompt.map(|label| label.0);
        info.options = options;
        info.otherwise = otherwise;
        self.entry(after);
        self.close(scope);
    }

    fn each_info(&mut self, choose: &Choose, choice: u16) -> Option<EachInfo> {
        let Chooser::Each(local, _) = &choose.by else { return None };
        let params = choose.options.iter().map(|option| option.binders.len()).max().unwrap_or(0);
        let words = 1 + params as u16;
        let players = self.book.kind(self.book.player).things.len() as u16;
        let local = self.place(*local);
        let slots = self.local(players.saturating_mul(words).saturating_add(1));
        self.note(slots, Holds::Answers(choice));
        Some(EachInfo { local, slots, words })
    }

    fn side_text(&mut self, text: &blazon_book::Text) -> Label {
        let label = self.label();
        self.entry(label);
        let mark = self.mark();
        let text = self.text(text, false);
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
            let kind = var.ty.base.kind();
            let name = var.name.clone();
            let shows = |text: &Text| text.pieces.iter().any(|piece| is_shown(piece, binder.local));
            let told = option.label.as_ref().is_none_or(shows);
            params.push(OptionParam { name, kind, local: 0, scratch, named: binder.by_name, told });
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

    fn body(
        &mut self,
        option: &ChoiceOption,
        info: &mut OptionInfo,
        choose: &Choose,
        choice: u16,
        after: Label,
    ) {
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
}

/// Whether a piece of a text shows a variable itself.
fn is_shown(piece: &Piece, local: LocalId) -> bool {
    match piece {
        Piece::Hole(hole) => matches!(hole.kind, ExprKind::Local(shown) if shown == local),
        Piece::Plain(_) | Piece::Plural(_) => false,
    }
}
