//! Look-alikes: things of one name. The name is the set of them all. A thing that is compared with it, or looked for, may
//! be any of them; what is printed is the same on each, so that it can be asked of the name. Where one thing must stand,
//! nothing says which of them is meant, and that is an error.

use blazon_book::{Base, Expr, ExprKind, KindId, Quantifier, Query, Role, SetOp, Type, build};
use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast;

use crate::resolve::checker::{Checker, Function};

impl Checker<'_> {
    /// All things that bear the name of this one. They stand one after another.
    pub(crate) fn named_alike(&self, kind: KindId, thing: u32) -> std::ops::RangeInclusive<u32> {
        self.kinds[kind.0 as usize].alike(thing)
    }

    /// What the name of a thing means: the thing, or the set of all that look alike.
    pub(crate) fn all_named(&self, kind: KindId, thing: u32, span: Span) -> Expr {
        let all = self.named_alike(kind, thing);
        if all.start() == all.end() {
            return build::thing(kind, thing, span);
        }
        let all = all.map(|thing| build::thing(kind, thing, span)).collect();
        Expr { kind: ExprKind::List(all), ty: Type::of(Base::Set(kind)), span }
    }

    /// Whether an expression is the name of look-alikes, as it was written and read.
    pub(crate) fn names_several(written: &ast::Expr, read: &Expr) -> bool {
        matches!((&written.kind, &read.kind), (ast::ExprKind::Thing(_), ExprKind::List(_)))
    }

    /// What a fact is asked of: of look-alikes any, as the same is printed on each.
    pub(crate) fn asked_of(&self, function: Function, written: &ast::Expr, read: Expr) -> Expr {
        let Function::Column(column) = function else { return read };
        if !matches!(self.columns[column.0 as usize].role, Role::Fact(_)) {
            return read;
        }
        Self::shown(written, read)
    }

    /// A name as it is shown: of look-alikes once.
    pub(crate) fn shown(written: &ast::Expr, read: Expr) -> Expr {
        if let (ExprKind::List(all), true) = (&read.kind, Self::names_several(written, &read)) {
            return all[0].clone();
        }
        read
    }

    /// The kind, the first and the number of the look-alikes whose set an expression is.
    fn alike_in(&self, set: &Expr) -> Option<(KindId, u32, usize)> {
        let (ExprKind::List(all), Base::Set(kind)) = (&set.kind, set.ty.base) else { return None };
        let ExprKind::Word(first) = all.first()?.kind else { return None };
        let named = self.named_alike(kind, u32::try_from(first).ok()?);
        let same = all.len() > 1
            && named.clone().count() == all.len()
            && all
                .iter()
                .zip(named.clone())
                .all(|(one, thing)| matches!(one.kind, ExprKind::Word(word) if word == i64::from(thing)));
        same.then_some((kind, *named.start(), all.len()))
    }

    /// What is said more where something is asked of the name of look-alikes as if it were one thing.
    pub(crate) fn label_alike(&self, set: &Expr, diagnostic: Diagnostic) -> Diagnostic {
        let Some((kind, first, count)) = self.alike_in(set) else { return diagnostic };
        let info = &self.kinds[kind.0 as usize];
        diagnostic
            .label(format!("`{}` is the name of {count} {}", info.things[first as usize].name, info.plural))
    }

    /// Complains of a state that is set of all look-alikes at once.
    pub(crate) fn sets_several(&self, set: &Expr) -> Option<Diagnostic> {
        let (kind, first, count) = self.alike_in(set)?;
        let name = ast::print::thing(&self.kinds[kind.0 as usize].things[first as usize].name);
        let help = format!(
            "say which, `(first {name}).STATE := …`, or go through them, `for x in {name} {{ … }}`; in a setup or a position \
             place one after another, `{name}, {name}: …`"
        );
        Some(self.which_alike(kind, first, count, set.span).help(help))
    }

    /// Complains of the name of look-alikes where one thing is needed. False if it is none.
    pub(crate) fn says_which(&mut self, set: &Expr) -> bool {
        let Some((kind, first, count)) = self.alike_in(set) else { return false };
        let which = self.which_alike(kind, first, count, set.span);
        self.diagnostics.push(which);
        true
    }

    /// A thing by its name where one must stand and no query can say which.
    pub(crate) fn only_thing(&mut self, name: &str, kind: KindId, span: Span) -> Option<u32> {
        let (_, thing) = self.thing(name, Some(kind), span)?;
        self.is_alone(kind, thing, span).then_some(thing)
    }

    /// Whether a thing has its name for itself; if not, that is said.
    pub(crate) fn is_alone(&mut self, kind: KindId, thing: u32, span: Span) -> bool {
        let count = self.named_alike(kind, thing).count();
        if count > 1 {
            let which = self.which_alike(kind, thing, count, span);
            self.diagnostics
                .push(which.help("give each a row and a name of its own: only so can one be meant here"));
        }
        count == 1
    }

    /// The error of a name that means several things where one is needed.
    pub(crate) fn which_alike(&self, kind: KindId, first: u32, count: usize, span: Span) -> Diagnostic {
        let info = &self.kinds[kind.0 as usize];
        let (name, printed) = (&info.things[first as usize].name, info.things[first as usize].span);
        let quoted = ast::print::thing(name);
        let message = format!("`{name}` is the name of {count} {}, but one is needed here", info.plural);
        Diagnostic::error("names::ambiguous", span, message)
            .label("which of them?")
            .related(printed, "they look alike: nothing printed tells one from the other")
            .help(format!(
                "say which: `first {quoted}`, `first x in {quoted} where …`; or do it for each: `for x in {quoted} {{ … }}`"
            ))
    }

    /// `x = AP2`: whether one of two things is any of those that the other names.
    pub(crate) fn equal_to_any(
        &self,
        (a, a_named): (&Expr, bool),
        (b, b_named): (&Expr, bool),
        span: Span,
    ) -> Option<Expr> {
        if a.ty.base.kind() != b.ty.base.kind() {
            return None;
        }
        let thing = |expr: &Expr| matches!(expr.ty.base, Base::Thing(_));
        let any_in = |thing: &Expr, all: &Expr| {
            let kind = ExprKind::In(Box::new(thing.clone()), Box::new(all.clone()));
            Expr { kind, ty: Type::of(Base::Flag), span }
        };
        match (a_named, b_named) {
            (true, true) => Some(build::flag(self.alike_in(a) == self.alike_in(b), span)),
            (true, false) if thing(b) => Some(any_in(b, a)),
            (false, true) if thing(a) => Some(any_in(a, b)),
            _ => None,
        }
    }

    /// `AP2 in S`: whether any of those that the name means is in a set.
    pub(crate) fn any_of_them_in(&self, all: Expr, set: Expr, span: Span) -> Expr {
        let ty = set.ty;
        let both = ExprKind::Sets(SetOp::Both, Box::new(all), Box::new(set));
        let source = Expr { kind: both, ty, span };
        let query = Query {
            quantifier: Quantifier::Any,
            local: blazon_book::LocalId::NONE,
            source,
            filter: None,
            by: None,
            within: None,
        };
        Expr { kind: ExprKind::Query(Box::new(query)), ty: Type::of(Base::Flag), span }
    }
}
