//! Ranges of numbers: what surely fits, what never does, and what must be looked at while playing.
//!
//! Every expression's type says between which numbers it lies ([`blazon_book::Arithmetic::range`] and its like). What
//! lies inside the range that it is given to is proven; what lies wholly outside is a mistake of the page; the rest is
//! kept in its range while playing ([`ExprKind::Kept`], and by rules, steps and states themselves).

use blazon_book::build::NUMBER;
use blazon_book::{
    AssignOp, Base, Expr, ExprKind, Keeper, LocalId, Rule, RuleBody, Type, Value, bounds, fits,
};
use blazon_diagnostics::{Diagnostic, Span};

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
