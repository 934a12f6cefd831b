//! The variables of a rule or step, and what is known to be there where the reader has come to.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use blazon_book::walk::{ExprKey, Put, VisitMut, substitute, walk_expr_mut};
use blazon_book::{Base, ColumnId, Expr, ExprKind, Local, LocalId, Type};
use blazon_diagnostics::Span;
use blazon_syntax::ast;

use crate::hygiene::{marked, plain};

/// What a block is called in messages.
pub(crate) const BRACES: &str = "the braces around it";

/// The variables of one rule or step while it is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    pub locals: Vec<Local>,
    /// Where the text names each; nowhere for those of the checker's own.
    pub spans: Vec<Span>,
    pub names: Vec<(String, LocalId)>,
    /// Those whose values hang on a ruling: what follows from their ranges holds by one reading only.
    pub ruled: HashSet<LocalId>,
    /// Those that are known no more, with where they were bound, and in what they were known.
    pub ended: Vec<(String, Span, &'static str)>,
    /// The way to here.
    way: Way,
    /// For each loop around, the ways that lead out of it by `stop`.
    stops: Vec<Vec<Way>>,
}

/// A way through a step, as far as it has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// Paths known to be present on it, by [`path_key`].
    present: Rc<Vec<ExprKey>>,
    /// What is known of numbers, things and flags on it.
    limits: Rc<Vec<Rc<Limit>>>,
    /// Whether it has left the step or the loop: it does not lead on.
    left: bool,
}

impl Way {
    /// What is known on it of the variables that are called otherwise, and of what is no variable.
    pub fn renamed(&self, called: &HashMap<LocalId, LocalId>) -> Self {
        let renamed = |key: &ExprKey| key.renamed(|local| called.get(&local).copied());
        let limit = |limit: &Rc<Limit>| {
            Some(Rc::new(Limit {
                key: renamed(&limit.key)?,
                left: limit.left,
                by: limit.by,
                span: limit.span,
            }))
        };
        Self {
            present: Rc::new(self.present.iter().filter_map(renamed).collect()),
            limits: Rc::new(self.limits.iter().filter_map(limit).collect()),
            left: false,
        }
    }
}

/// What is known of a number, a thing or a flag: from where to where it lies, a thing by its place in its kind, `no` as 0 and
/// `yes` as 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// Of what.
    pub key: ExprKey,
    /// The lowest and the highest that it can be.
    pub left: (i64, i64),
    /// What tells so, and where.
    pub by: By,
    pub span: Span,
}

/// What tells how far a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A condition that holds here.
    Held,
    /// A condition that does not hold here. Then the value may be absent as well.
    Failed,
    /// What was written into a state.
    Set,
}

/// How far names went, and which way led there, to go back to.
pub(crate) struct Mark {
    names: usize,
    way: Way,
}

impl Env {
    pub fn bind(&mut self, name: &str, ty: Type) -> LocalId {
        self.bind_at(name, ty, Span::default())
    }

    /// As [`Env::bind`], for a variable that the text names.
    pub fn bind_name(&mut self, name: &ast::Name, ty: Type) -> LocalId {
        self.bind_at(&name.text, ty, name.span)
    }

    /// As [`Env::bind`], for a variable that stands for what is declared elsewhere.
    pub fn bind_at(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.spans.push(span);
        self.locals.push(Local { name: plain(name).to_owned(), ty });
        if !name.is_empty() {
            self.names.push((name.to_owned(), id));
        }
        id
    }

    /// Gives all variables marks, so that a name of a text that is not written here means none of them, until they are given
    /// back by [`Env::unmark`].
    pub fn mark_names(&mut self, mark: &str) -> Vec<(String, LocalId)> {
        let given = self.names.iter().map(|(name, local)| (marked(name, mark), *local)).collect();
        std::mem::replace(&mut self.names, given)
    }

    /// Gives back the names that were there.
    pub fn unmark(&mut self, names: Vec<(String, LocalId)>) {
        self.names = names;
    }

    pub fn find(&self, name: &str) -> Option<LocalId> {
        self.names.iter().rev().find(|(other, _)| other == name).map(|(_, id)| *id)
    }

    pub fn mark(&self) -> Mark {
        Mark { names: self.names.len(), way: self.way() }
    }

    /// Ends the names that came up since, in what is called so in messages; what was found out is still known.
    pub fn end(&mut self, mark: &Mark, within: &'static str) {
        let spans = &self.spans;
        let ended = self.names.drain(mark.names.min(self.names.len())..);
        self.ended.extend(ended.map(|(name, local)| (name, spans[local.0 as usize], within)));
    }

    /// Goes back to the mark, as [`Env::end`], and gives the way that was gone since: what it found out is not known, and
    /// what it changed did not happen.
    pub fn back(&mut self, mark: &Mark, within: &'static str) -> Way {
        self.end(mark, within);
        std::mem::replace(&mut self.way, mark.way.clone())
    }

    /// The way to here.
    pub fn way(&self) -> Way {
        self.way.clone()
    }

    /// Knows again what was known on a way, and no more.
    pub fn go_back(&mut self, way: Way) {
        self.way = way;
    }

    /// Goes on from where ways meet: what is known on each of those that lead here is known.
    pub fn meet(&mut self, ways: Vec<Way>) {
        let left = ways.iter().all(|way| way.left);
        let mut leading = ways.into_iter().filter(|way| left || !way.left);
        let Some(Way { mut present, mut limits, .. }) = leading.next() else {
            self.way.left = true;
            return;
        };
        for way in leading {
            keep_common(&mut present, &way.present);
            keep_common(&mut limits, &way.limits);
        }
        self.way = Way { present, limits, left };
    }

    /// Nothing behind this is reached.
    pub fn leave(&mut self) {
        self.way.left = true;
    }

    /// Whether nothing here is reached.
    pub fn has_left(&self) -> bool {
        self.way.left
    }

    /// A loop begins.
    pub fn enter_loop(&mut self) {
        self.stops.push(Vec::new());
    }

    /// The innermost loop is left here by `stop`.
    pub fn stop(&mut self) {
        let way = self.way();
        self.stops.last_mut().into_iter().for_each(|stops| stops.push(way.clone()));
        self.leave();
    }

    /// A loop ends: the ways that have led out of it by `stop`.
    pub fn leave_loop(&mut self) -> Vec<Way> {
        self.stops.pop().unwrap_or_default()
    }

    pub fn know(&mut self, keys: Vec<ExprKey>) {
        if !keys.is_empty() {
            Rc::make_mut(&mut self.way.present).extend(keys);
        }
    }

    /// Knows how far some values go. Of what was learned long ago nothing is kept, so that each line costs the same.
    pub fn limit(&mut self, limits: Vec<Rc<Limit>>) {
        const MOST: usize = 100;
        if !limits.is_empty() {
            let known = Rc::make_mut(&mut self.way.limits);
            known.extend(limits);
            known.drain(..known.len().saturating_sub(MOST));
        }
    }

    /// What is known of how far values go.
    pub fn limits(&self) -> &[Rc<Limit>] {
        &self.way.limits
    }

    /// Where a statement is wrong nobody knows what it would have set.
    pub fn forget_limits(&mut self) {
        self.way.limits = Rc::default();
    }

    /// How much is known to be present.
    pub fn known(&self) -> usize {
        self.way.present.len()
    }

    /// Whether anything is known.
    pub fn knows_any(&self) -> bool {
        !self.way.present.is_empty() || !self.way.limits.is_empty()
    }

    /// Whether something is known to be present.
    pub fn knows(&self, key: &ExprKey) -> bool {
        self.way.present.contains(key)
    }

    /// After any effect only what does not depend on states is still known.
    pub fn forget_states(&mut self) {
        self.keep(|key| !key.reads_columns() && !key.asks_rules());
    }

    /// After these states were set, what depends on them, or on any rule, is not known any more.
    pub fn forget(&mut self, is_set: impl Fn(ColumnId) -> bool) {
        self.keep(|key| !key.asks_rules() && !key.columns().any(&is_set));
    }

    fn keep(&mut self, is_kept: impl Fn(&ExprKey) -> bool) {
        if !self.way.present.iter().all(&is_kept) {
            Rc::make_mut(&mut self.way.present).retain(&is_kept);
        }
        if !self.way.limits.iter().all(|limit| is_kept(&limit.key)) {
            Rc::make_mut(&mut self.way.limits).retain(|limit| is_kept(&limit.key));
        }
    }
}

/// Keeps what another list has as well. Ways that meet have parted from one: they mostly begin alike.
fn keep_common<T: Clone + PartialEq>(list: &mut Rc<Vec<T>>, other: &Rc<Vec<T>>) {
    if Rc::ptr_eq(list, other) {
        return;
    }
    let alike = list.iter().zip(&**other).take_while(|(one, two)| one == two).count();
    let mut place = 0;
    Rc::make_mut(list).retain(|item| {
        place += 1;
        place <= alike || other[alike..].contains(item)
    });
}

/// The key under which it is kept that a path is present: a variable, fact, state, rule or link, asked of whatever it may be.
/// What asks of `none` is not kept, nor what is not known yet.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others are no paths")]
pub(crate) fn path_key(expr: &Expr) -> Option<ExprKey> {
    match &expr.kind {
        ExprKind::Word(_)
        | ExprKind::Local(_)
        | ExprKind::Column(..)
        | ExprKind::Rule(..)
        | ExprKind::Between(..)
        | ExprKind::Each(..) => {
            let key = ExprKey::of(expr);
            (!key.names_none() && !key.is_open()).then_some(key)
        }
        _ => None,
    }
}

/// What is present where a condition holds (or, with `holds` false, where it does not).
#[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
pub(crate) fn presences(expr: &Expr, holds: bool) -> Vec<ExprKey> {
    match &expr.kind {
        ExprKind::Not(inner) => presences(inner, !holds),
        ExprKind::And(parts) if holds => parts.iter().flat_map(|part| presences(part, true)).collect(),
        ExprKind::Or(parts) if !holds => parts.iter().flat_map(|part| presences(part, false)).collect(),
        ExprKind::Compare(op, a, b) => {
            let equal = *op == blazon_book::Comparison::Equal;
            let absent = |e: &Expr| matches!(e.kind, ExprKind::Absent);
            if equal != holds && (absent(a) || absent(b)) {
                // not (x = none), x != none
                return there(if absent(a) { b } else { a });
            }
            if equal == holds && !a.ty.optional && !absent(a) {
                return there(b);
            }
            if equal == holds && !b.ty.optional && !absent(b) {
                return there(a);
            }
            Vec::new()
        }
        ExprKind::In(element, _) if holds => there(element),
        // A flag asked of what may be absent holds only where it is there.
        ExprKind::Each(_, source, body) if holds && expr.ty.base == Base::Flag => {
            path_key(source).into_iter().chain(presences(body, true)).collect()
        }
        _ => Vec::new(),
    }
}

/// What is present where an expression is: itself, and what it is asked of.
fn there(expr: &Expr) -> Vec<ExprKey> {
    let mut known: Vec<ExprKey> = path_key(expr).into_iter().collect();
    if let ExprKind::Each(_, source, _) = &expr.kind
        && !matches!(source.ty.base, Base::Set(_))
    {
        known.extend(there(source));
        // Asked once more, it is asked of what is known to be there.
        let mut asked = expr.clone();
        Certain.visit_expr_mut(&mut asked);
        known.extend(path_key(&asked));
    }
    known
}

/// Asks at once what was asked only if something is there.
struct Certain;

impl VisitMut for Certain {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        walk_expr_mut(self, expr);
        if let ExprKind::Each(local, source, body) = &mut expr.kind
            && !matches!(source.ty.base, Base::Set(_))
        {
            let put = Expr { ty: Type { optional: false, ..source.ty }, ..(**source).clone() };
            let mut asked = (**body).clone();
            substitute(&mut asked, &mut HashMap::from([(*local, Put::Expr(put))]), &mut |local| local);
            *expr = asked;
        }
    }
}
