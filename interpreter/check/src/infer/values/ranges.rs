//! Ranges of numbers: what surely fits, what never does, and what must be looked at while playing.
//!
//! Every expression's type says between which numbers it lies ([`blazon_book::Arithmetic::range`] and its like). What
//! lies inside the range that it is given to is proven; what lies wholly outside is a mistake of the page; the rest is
//! kept in its range while playing ([`ExprKind::Kept`], and by rules, steps and states themselves).

use blazon_book::build::NUMBER;
use blazon_book::{
    Arithmetic, AssignOp, Base, Comparison, Expr, ExprKind, Keeper, LocalId, Rule, RuleBody, Type, Value,
    bounds, fits,
};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::infer::slips::is_written_number;
use crate::project::Layer;
use crate::resolve::checker::{Checker, Function};

impl Checker<'_> {
    /// An argument of a function, kept in the range of its parameter.
    pub(crate) fn kept(&mut self, arg: Expr, function: Function, place: usize) -> Expr {
        let local = LocalId(place as u32);
        let (keeper, name) = match function {
            Function::Rule(id) => {
                let rule = &self.rules[id.0 as usize];
                (Keeper::RuleParameter(id, local), format!("`{}` of `{}`", rule.params[place].0, rule.name))
            }
            Function::Step(id) => {
                let step = &self.steps[id.0 as usize];
                (Keeper::StepParameter(id, local), format!("`{}` of `{}`", step.params[place].0, step.name))
            }
            Function::Column(_)
            | Function::Plural(_)
            | Function::Links(_)
            | Function::Neighbours(_)
            | Function::Between(_)
            | Function::Ends(_)
            | Function::Ruling(_) => return arg,
        };
        let want = self.param(function, place);
        let (have, span) = (bounds(arg.ty), arg.span);
        if fits(have, want) || matches!(arg.kind, ExprKind::Absent) {
            return arg;
        }
        self.never_fits(have, want, &name, span);
        let ty = Type { base: want.base, optional: arg.ty.optional };
        Expr { kind: ExprKind::Kept(keeper, Box::new(arg)), ty, span }
    }

    /// Complains of numbers that all lie outside a range.
    pub(crate) fn never_fits(&mut self, (lo, hi): (i64, i64), want: Type, what: &str, span: Span) {
        let (least, most) = bounds(want);
        if (least, most) == NUMBER || (lo <= most && least <= hi) {
            return;
        }
        let have =
            if lo == hi { format!("{lo}") } else { format!("{}..{}", lo.max(NUMBER.0), hi.min(NUMBER.1)) };
        self.diagnostics.push(
            Diagnostic::error(
                "types::range",
                span,
                format!("{have} never fits {what}, which is {least}..{most}"),
            )
            .label(have)
            .help("write a number in that range, or widen the range where it is declared"),
        );
    }

    /// Complains of a rule whose answer, or one of whose answers, always lies outside its range.
    pub(crate) fn rule_range(&mut self, rule: &Rule) {
        let RuleBody::Value { base, exceptions, modifiers } = &rule.body else { return };
        let what = format!("what `{}` gives", rule.name);
        if !modifiers.is_empty() {
            self.never_fits(rule.reach(), rule.ty, &what, base.span);
            return;
        }
        for value in std::iter::once(base).chain(exceptions.iter().map(|exception| &exception.value)) {
            self.given(value, rule.ty, &what);
        }
    }

    /// Complains of a value that can never be given to something.
    pub(crate) fn given(&mut self, value: &Expr, ty: Type, what: &str) {
        if matches!(value.ty.base, Base::Number(..)) && !matches!(value.kind, ExprKind::Absent) {
            self.never_fits(bounds(value.ty), ty, what, value.span);
        }
    }

    /// Warns of a comparison of two numbers whose ranges leave only one answer.
    pub(crate) fn settled(&mut self, op: Comparison, a: &Expr, b: &Expr, span: Span) {
        let is_number = |side: &Expr| matches!(side.ty.base, Base::Number(..));
        let is_written = |side: &Expr| matches!(side.kind, ExprKind::Word(_));
        if !is_number(a) || !is_number(b) || is_written(a) && is_written(b) {
            return;
        }
        let ((a_lo, a_hi), (b_lo, b_hi)) = (bounds(a.ty), bounds(b.ty));
        let apart = a_hi < b_lo || b_hi < a_lo;
        let same = a_lo == a_hi && (a_lo, a_hi) == (b_lo, b_hi) && !a.ty.optional && !b.ty.optional;
        let (always, never) = match op {
            Comparison::Equal => (same, apart),
            Comparison::NotEqual => (apart, same),
            Comparison::Less => (a_hi < b_lo, b_hi <= a_lo),
            Comparison::AtMost => (a_hi <= b_lo, b_hi < a_lo),
        };
        if !always && !never {
            return;
        }
        let lies: Vec<String> = [a, b]
            .into_iter()
            .filter(|side| !is_written(side))
            .map(|side| {
                let (lo, hi) = bounds(side.ty);
                format!("`{}` lies in {lo}..{hi}", self.parsed.sources.slice(side.span))
            })
            .collect();
        let how = if always { "always" } else { "never" };
        let help = "compare with a number in the range, widen the range, or take the comparison out";
        self.is_settled(span, &format!("this {how} holds"), lies.join(", "), help);
    }

    /// Warns where `min` or `max` always gives the number that is written in it, whatever the other is: a bound that stands on
    /// the wrong side.
    pub(crate) fn always_the_bound(&mut self, op: Arithmetic, a: &Expr, b: &Expr, span: Span) {
        if self.are_same(a, b) {
            let label = "both sides are the same".to_owned();
            self.is_settled(span, "there is nothing to choose from", label, "compare with something else");
            return;
        }
        let is_written = |side: &Expr| matches!(side.kind, ExprKind::Word(_));
        let (bound, other) = match (is_written(a), is_written(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return,
        };
        let ((number, _), (least, most)) = (bounds(bound.ty), bounds(other.ty));
        let is_min = matches!(op, Arithmetic::Min);
        let (is_always, word) = if is_min { (number <= least, "max") } else { (most <= number, "min") };
        // Of one that can only be the bound itself nothing is cut off.
        if is_always && !other.ty.optional && least < most {
            let label = format!("`{}` lies in {least}..{most}", self.parsed.sources.slice(other.span));
            let help = format!(
                "a number is kept at most by `min(most, n)` and at least by `max(least, n)`: perhaps `{word}` is meant"
            );
            self.is_settled(span, &format!("this is always {number}"), label, &help);
        }
    }

    /// Warns of a quotient that loses by rounding all that it is about: it is 0 whatever is divided.
    pub(crate) fn nothing_left(&mut self, op: Arithmetic, a: &Expr, b: &Expr, span: Span) {
        let ((least, most), by) = (bounds(a.ty), bounds(b.ty));
        let help = "multiply first, and divide what comes of it: `3 * n / 4`";
        if op.range((least, most), by) == (0, 0) && (least, most) != (0, 0) && !a.ty.optional {
            let label = match is_written_number(a) {
                true => "a quotient is a whole number, rounded".to_owned(),
                false => format!("`{}` lies in {least}..{most}", self.parsed.sources.slice(a.span)),
            };
            self.is_settled(span, "this is always 0", label, help);
        }
    }

    /// Warns of a range that never has anything in it; whether it is one.
    pub(crate) fn nothing_between(&mut self, lo: &Expr, hi: &Expr, span: Span) -> bool {
        let ((least, _), (_, most)) = (bounds(lo.ty), bounds(hi.ty));
        let is_empty = least > most;
        if is_empty {
            let is_written = matches!((&lo.kind, &hi.kind), (ExprKind::Word(_), ExprKind::Word(_)));
            self.turned_round((least, most), is_written, span);
        }
        is_empty
    }

    /// Warns of a number that always lies in a range, or never.
    pub(crate) fn within(&mut self, value: &Expr, lo: &Expr, hi: &Expr, span: Span) {
        if matches!(value.kind, ExprKind::Word(_)) {
            return;
        }
        let ((least, most), from, to) = (bounds(value.ty), bounds(lo.ty), bounds(hi.ty));
        let always = from.1 <= least && most <= to.0 && !value.ty.optional;
        let never = most < from.0 || to.1 < least;
        if always || never {
            let how = if always { "always" } else { "never" };
            let help =
                "ask for numbers that it has, widen the range that it lies in, or take the question out";
            let label = format!("`{}` lies in {least}..{most}", self.parsed.sources.slice(value.span));
            self.is_settled(span, &format!("this {how} holds"), label, help);
        }
    }

    /// Warns of a case that a number never comes to.
    pub(crate) fn case_between(&mut self, (lo, hi): (i64, i64), ty: Type, span: Span) {
        let Base::Number(least, most) = ty.base else { return };
        if lo > hi {
            self.turned_round((lo, hi), true, span);
        } else if hi < least || most < lo {
            let help = "write a number in the range, widen the range, or take the case out";
            let label = format!("it looks at a number in {least}..{most}");
            self.is_settled(span, "this case never comes up", label, help);
        } else if lo < least || most < hi {
            let beyond = if lo < least { lo } else { hi };
            let label = format!("it looks at a number in {least}..{most}");
            let help = "keep to that range, or widen it where the number is from";
            self.is_settled(span, &format!("the {beyond} of this case never comes up"), label, help);
        }
    }

    /// Warns of a range whose ends stand the wrong way round.
    fn turned_round(&mut self, (lo, hi): (i64, i64), is_written: bool, span: Span) {
        let mut help = "the smaller number stands first".to_owned();
        if is_written {
            help += &format!(": `{hi}..{lo}`");
        }
        let label = format!("{lo} is more than {hi}");
        self.is_settled(span, "there is never anything in this range", label, &help);
    }

    /// Warns where a ruling is compared with a number that is none of its values.
    pub(crate) fn ruled_out(&mut self, ruling: &ast::Expr, value: &Expr, span: Span) {
        let (Some(name), ExprKind::Word(number)) = (ruling.as_name(), &value.kind) else { return };
        let functions = self.functions.get(name.as_ref()).map_or(&[][..], Vec::as_slice);
        let [Function::Ruling(place)] = functions[..] else { return };
        if !matches!(value.ty.base, Base::Number(..)) {
            return;
        }
        let values = self.rulings[place].values.clone();
        if !values.contains(&number.to_string()) {
            let message = format!("the ruling `{name}` is never {number}");
            let label = format!("it is {}", blazon_diagnostics::list(&values, "or"));
            self.is_settled(span, &message, label, "write one of its values");
        }
    }

    /// Warns of what could only ever come out in one way. Whoever plays by the library cannot mend it.
    pub(crate) fn is_settled(&mut self, span: Span, message: &str, label: String, help: &str) {
        if self.parsed.layer_of(span.source) != Some(Layer::Library) {
            let said = Diagnostic::warning("lint::settled", span, message.to_owned());
            self.diagnostics.push(said.label(label).help(help));
        }
    }

    /// Complains of a change that always leads a state out of its range.
    pub(crate) fn assigned(&mut self, name: &str, ty: Type, op: AssignOp, value: &Value) {
        let Value::Expr(value) = value else { return };
        let ((lo, hi), (a, b)) = (bounds(ty), bounds(value.ty));
        let what = format!("`{name}`");
        match op {
            AssignOp::Set => self.given(value, ty, &what),
            AssignOp::Add => self.never_fits((lo + a, hi + b), ty, &what, value.span),
            AssignOp::Take => self.never_fits((lo - b, hi - a), ty, &what, value.span),
        }
    }
}
