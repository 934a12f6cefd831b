//! Conditions that say nothing new where they stand. Each leaves of a number, a thing or a flag only some values, and is
//! itself a question that is answered; what is known of it on the way there, from conditions that hold or do not and from
//! what was just set, may leave nothing of these, or nothing else: `c = Foot and c = Guns`, an option that needs both, an
//! `else if` of which the `if` before takes all, an `if` in another.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use blazon_book::walk::ExprKey;
use blazon_book::{Base, Comparison, Expr, ExprKind, MOST};
use blazon_diagnostics::{Diagnostic, Sources, Span};

use crate::infer::slips::is_written_number;
use crate::project::Layer;
use crate::resolve::checker::Checker;
use crate::resolve::env::{By, Env, Limit, path_key, presences};

/// What is left of something: from where to where its numbers lie, or the places of things in their kind.
type Left = (i64, i64);

/// A longer range is not gone through value by value.
const LONG: i64 = 1_000;

impl<'p> Checker<'p> {
    /// Goes on where a condition holds, or does not: what is there then, and how far values go. What hangs on a ruling is
    /// otherwise in another reading: only what is there is known of it.
    pub(crate) fn suppose(&self, env: &mut Env, condition: &Expr, holds: bool, is_ruled: bool) {
        env.know(presences(condition, holds));
        if !is_ruled {
            env.limit(self.limits(holds, condition));
        }
    }

    /// Goes on where a condition holds, in a step of its own, which knows none of the condition's variables.
    pub(crate) fn suppose_apart(&self, env: &mut Env, condition: &Expr, is_ruled: bool) {
        let is_known = |key: &ExprKey| key.renamed(|_| None).is_some();
        let mut there = presences(condition, true);
        there.retain(is_known);
        env.know(there);
        if !is_ruled {
            let mut limits = self.limits(true, condition);
            limits.retain(|limit| is_known(&limit.key));
            env.limit(limits);
        }
    }

    /// Goes on where a law holds: so far only other laws are asked.
    pub(crate) fn suppose_of_law(&self, env: &mut Env, law: &Expr, is_ruled: bool) {
        if !is_ruled {
            env.limit(self.limits(true, law));
        }
    }

    /// What a condition that holds, or does not, tells of values.
    fn limits(&self, holds: bool, condition: &Expr) -> Vec<Rc<Limit>> {
        let by = if holds { By::Held } else { By::Failed };
        let all = self.left(holds, condition).into_iter();
        all.filter_map(|told| limit(told.key, told.left, by, condition.span)).collect()
    }

    /// Why one condition never holds, or fails, where another holds, or fails.
    pub(crate) fn never_both(&self, one: (bool, &Expr), other: (bool, &Expr)) -> Option<Never<'p>> {
        self.never_where(&self.limits(one.0, one.1), other, Reach::Anywhere).map(|(_, never)| never)
    }

    /// Why a condition never holds, or fails, where so much is known; and by what of it.
    fn never_where<'k>(
        &self,
        known: &'k [Rc<Limit>],
        (holds, condition): (bool, &Expr),
        reach: Reach,
    ) -> Option<(&'k Limit, Never<'p>)> {
        if known.is_empty() || condition.span.is_empty() {
            return None;
        }
        self.left(holds, condition).into_iter().find_map(|Told { asked, key, left: is, is_answer }| {
            // What is absent is no number: neither of those that one leaves nor of those that the other does.
            let may_be_neither =
                |limit: &Limit| limit.by == By::Failed && !holds && !is_answer && asked.ty.optional;
            let apart = |limit: &&Rc<Limit>| {
                limit.key == key
                    && reach.takes(limit.span, asked.span)
                    && (limit.left.1 < is.0 || is.1 < limit.left.0)
                    && !may_be_neither(limit)
            };
            let limit: &Limit = known.iter().find(apart)?;
            let is_single = limit.left.0 == limit.left.1 && is.0 == is.1;
            let text = self.parsed.sources.slice(asked.span);
            Some((
                limit,
                match (asked.ty.base, is_single) {
                    _ if is_answer => Never::Asked,
                    (Base::Flag, _) => Never::Flag(text),
                    (_, true) => Never::Two(text),
                    (_, false) => Never::Apart,
                },
            ))
        })
    }

    /// What a condition that holds, or does not, leaves of what it compares with something written, and what it answers: of
    /// each of its parts, and of the whole. A ruling is another number in another reading.
    fn left<'e>(&self, holds: bool, condition: &'e Expr) -> Vec<Told<'e>> {
        let whole = std::slice::from_ref(condition);
        let (parts, whole) = match (&condition.kind, holds) {
            (ExprKind::And(parts), true) | (ExprKind::Or(parts), false) => (parts.as_slice(), whole),
            _ => (whole, &[][..]),
        };
        let left = parts.iter().filter_map(|part| {
            let (asked, left) = self.left_by(holds, part)?;
            Some(Told { asked, key: ExprKey::of(asked), left, is_answer: false })
        });
        left.chain(parts.iter().chain(whole).filter_map(|part| answer(holds, part))).collect()
    }

    /// Whether conditions that hold, or do not, leave some value to all that they compare with something written.
    pub(crate) fn can_be(&self, conditions: &[(&Expr, bool)]) -> bool {
        let mut left: BTreeMap<ExprKey, (Left, BTreeSet<i64>)> = BTreeMap::new();
        for &(condition, holds) in conditions {
            let told = self.left_by(holds, condition).map(|(asked, is)| (asked, Some(is), None));
            let told =
                told.or_else(|| self.left_out(holds, condition).map(|(asked, not)| (asked, None, Some(not))));
            let Some((asked, is, not)) = told else { continue };
            // What is absent is no value: a comparison with it fails and leaves nothing else, and it is none of those left out.
            if asked.ty.optional && !holds {
                continue;
            }
            let all = if asked.ty.optional { (-MOST, MOST) } else { self.universe(asked.ty) };
            let (range, out) = left.entry(ExprKey::of(asked)).or_insert((all, BTreeSet::new()));
            if let Some((lo, hi)) = is {
                *range = (range.0.max(lo), range.1.min(hi));
            }
            out.extend(not.into_iter().flat_map(|(lo, hi)| lo..=hi));
        }
        left.into_values().all(|((lo, hi), out)| hi - lo + 1 > out.range(lo..=hi.max(lo)).count() as i64)
    }

    /// Whether two conditions may hold together.
    pub(crate) fn can_both(&self, one: &Expr, other: &Expr) -> bool {
        let all = parts(one).iter().chain(parts(other)).map(|part| (part, true));
        self.can_be(&all.collect::<Vec<_>>())
    }

    /// Whether one condition, which can hold, holds only where another does.
    pub(crate) fn implies(&self, one: &Expr, other: &Expr) -> bool {
        let mut held: Vec<(&Expr, bool)> = parts(one).iter().map(|part| (part, true)).collect();
        if !self.can_be(&held) {
            return false;
        }
        parts(other).iter().all(|part| {
            held.push((part, false));
            let never = !self.can_be(&held);
            held.pop();
            never
        })
    }

    /// The values that a condition which holds, or does not, leaves out; not of a range that is too long to be gone through.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn left_out<'e>(&self, holds: bool, part: &'e Expr) -> Option<(&'e Expr, Left)> {
        match &part.kind {
            ExprKind::Within(asked, lo, hi) if !holds => {
                let (lo, hi) = (self.written(lo)?, self.written(hi)?);
                (hi - lo <= LONG).then_some((&**asked, (lo, hi)))
            }
            ExprKind::Compare(how, a, b) => {
                let leaves_out = match how {
                    Comparison::Equal => !holds,
                    Comparison::NotEqual => holds,
                    Comparison::Less | Comparison::AtMost => false,
                };
                let asked = match (self.written(a), self.written(b)) {
                    (None, Some(is)) => (&**a, (is, is)),
                    (Some(is), None) => (&**b, (is, is)),
                    (None, None) | (Some(_), Some(_)) => return None,
                };
                leaves_out.then_some(asked)
            }
            _ => None,
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn left_by<'e>(&self, holds: bool, part: &'e Expr) -> Option<(&'e Expr, Left)> {
        let (asked, left): (&Expr, Left) = match &part.kind {
            ExprKind::Not(inner) => return self.left_by(!holds, inner),
            ExprKind::Within(asked, lo, hi) if holds => (asked, (self.written(lo)?, self.written(hi)?)),
            ExprKind::Compare(how, a, b) => {
                let (asked, is, turned) = match (self.written(a), self.written(b)) {
                    (None, Some(is)) => (a, is, false),
                    (Some(is), None) => (b, is, true),
                    _ => return None,
                };
                let left = match (how, holds, turned) {
                    (Comparison::Equal, true, _) | (Comparison::NotEqual, false, _) => (is, is),
                    (Comparison::Equal, false, _) | (Comparison::NotEqual, true, _) => return None,
                    (Comparison::Less, true, false) | (Comparison::AtMost, false, true) => (-MOST, is - 1),
                    (Comparison::AtMost, true, false) | (Comparison::Less, false, true) => (-MOST, is),
                    (Comparison::Less, true, true) | (Comparison::AtMost, false, false) => (is + 1, MOST),
                    (Comparison::AtMost, true, true) | (Comparison::Less, false, false) => (is, MOST),
                };
                (asked, left)
            }
            _ if part.ty.base == Base::Flag && path_key(part).is_some() => {
                (part, (i64::from(holds), i64::from(holds)))
            }
            _ => return None,
        };
        (!matches!(asked.kind, ExprKind::Word(_))).then_some((asked, left))
    }

    fn written(&self, expr: &Expr) -> Option<i64> {
        written(&self.parsed.sources, expr)
    }

    /// What is known of a state after something was written into it.
    pub(crate) fn limit_set(&self, place: &Expr, value: &Expr) -> Option<Rc<Limit>> {
        let is = self.written(value)?;
        limit(ExprKey::of(place), (is, is), By::Set, place.span)
    }

    /// Warns of a state that is set to what it is known to be.
    pub(crate) fn set_once_more(&mut self, env: &Env, set: &Limit) {
        let is_known = |limit: &&Rc<Limit>| {
            limit.key == set.key
                && limit.left == set.left
                && limit.by != By::Failed
                && Reach::Page.takes(limit.span, set.span)
        };
        if let Some(known) = env.limits().iter().find(is_known) {
            let words = if known.by == By::Set { "set here" } else { "by this" };
            let message = "this leaves the state as it is";
            let said = Diagnostic::warning("lint::changes-nothing", set.span, message)
                .label("it is known to be this");
            self.warn(said.related(known.span, words).help("set it to something else, or take the line out"));
        }
    }

    /// Warns of a condition that never holds where it stands, with what follows from that, or of a part of it that never or
    /// always does.
    pub(crate) fn decided(&mut self, env: &Env, condition: &Expr, is_ruled: bool, what: Option<&str>) {
        if env.limits().is_empty() || is_ruled {
            return;
        }
        let reach = if what.is_some() { Reach::Anywhere } else { Reach::Page };
        if let Some((limit, never)) = self.never_where(env.limits(), (true, condition), reach) {
            return self.is_decided(condition.span, limit, Some(never), what);
        }
        let mut parts = vec![condition];
        while let Some(part) = parts.pop() {
            if let ExprKind::And(inner) | ExprKind::Or(inner) = &part.kind {
                parts.extend(inner);
                continue;
            }
            if let ExprKind::Not(inner) = &part.kind
                && matches!(inner.kind, ExprKind::And(_) | ExprKind::Or(_))
            {
                parts.push(inner);
                continue;
            }
            if let Some((limit, never)) = self.never_where(env.limits(), (true, part), Reach::Page) {
                return self.is_decided(part.span, limit, Some(never), None);
            }
            if let Some((limit, _)) = self
                .never_where(env.limits(), (false, part), Reach::Page)
                .filter(|(limit, _)| limit.by != By::Failed)
            {
                return self.is_decided(part.span, limit, None, None);
            }
        }
    }

    /// Warns of a condition that stands below another and never holds where that does.
    pub(crate) fn never_under(&mut self, above: &Expr, condition: &Expr) {
        let known = self.limits(true, above);
        if let Some((limit, never)) = self.never_where(&known, (true, condition), Reach::Page) {
            self.is_decided(condition.span, limit, Some(never), None);
        }
    }

    /// Warns of an option, or a permission, that can never be, by a law of what is done in it.
    pub(crate) fn decided_by_law(&mut self, env: &Env, condition: &Expr, what: &str) {
        if let Some((limit, never)) = self.never_where(env.limits(), (true, condition), Reach::Anywhere) {
            self.is_decided(condition.span, limit, Some(never), Some(what));
        }
    }

    /// Warns of a need that a change hangs on something, or another page, where one that stands there asks as much or more: who
    /// wants to ask for less puts it in the place of that.
    pub(crate) fn asks_no_more(&mut self, env: &Env, need: &Expr, is_ruled: bool) {
        let layer = |span: Span| self.parsed.layer_of(span.source);
        let is_beneath = |limit: &&Rc<Limit>| {
            limit.by == By::Held
                && limit.span.source != need.span.source
                && match (layer(limit.span), layer(need.span)) {
                    (Some(below @ Layer::Variant(_)), above) => above == Some(below),
                    (below, above) => below.is_some() && below <= above,
                }
        };
        if is_ruled {
            return;
        }
        let beneath: Vec<Rc<Limit>> = env.limits().iter().filter(is_beneath).cloned().collect();
        if let Some((limit, _)) = self.never_where(&beneath, (false, need), Reach::Anywhere) {
            let message = "this need changes nothing: it always holds where another does";
            let said = Diagnostic::warning("lint::changes-nothing", need.span, message)
                .label("asks for no more than that")
                .related(limit.span, "this must hold, too");
            self.warn(
                said.help("who wants to ask for less puts it in the other's place: `replace needs LABEL: …`"),
            );
        }
    }

    fn is_decided(&mut self, span: Span, limit: &Limit, never: Option<Never<'p>>, what: Option<&str>) {
        let (message, apart, words) = match (limit.by, never) {
            (By::Held, Some(_)) => {
                ("this never holds where an earlier condition does", "no number does for both", "the earlier")
            }
            (By::Held, None) => {
                ("this always holds where an earlier condition does", "nothing else is left", "the earlier")
            }
            (By::Set, Some(_)) => {
                ("this never holds after what was set", "no number does for both", "set here")
            }
            (By::Set, None) => ("this always holds after what was set", "nothing else is left", "set here"),
            (By::Failed, _) => (
                "this never comes up: what it asks for is taken by a condition before it",
                "every such number is taken before",
                "by this",
            ),
        };
        let message = what.map_or_else(|| message.to_owned(), |what| format!("{what}: {message}"));
        let label = never.map_or_else(|| apart.to_owned(), |never| never.said(apart));
        let said =
            Diagnostic::warning("lint::settled", span, message).label(label).related(limit.span, words);
        self.warn(said.help("one of the two was meant to ask something else, or is not needed"));
    }
}

/// A number, a thing, `yes` or `no` that stands on the page.
pub(crate) fn written(sources: &Sources, expr: &Expr) -> Option<i64> {
    let ExprKind::Word(word) = expr.kind else { return None };
    let text = sources.slice(expr.span);
    let is_written = if expr.ty.base == Base::Flag {
        matches!(text, "yes" | "no")
    } else if is_written_number(expr) {
        text.chars().any(|sign| sign.is_ascii_digit())
    } else {
        text.starts_with(|sign: char| sign.is_uppercase() || sign == '\'')
    };
    is_written.then_some(word)
}

/// What is told of a value.
struct Told<'e> {
    asked: &'e Expr,
    key: ExprKey,
    left: Left,
    /// Whether it is a question that is answered, not what one compares.
    is_answer: bool,
}

/// The answer to a question that holds, or does not; of what is on the way there a path is told as what it is.
fn answer(holds: bool, asked: &Expr) -> Option<Told<'_>> {
    if let ExprKind::Not(inner) = &asked.kind {
        return answer(!holds, inner);
    }
    let is_question = asked.ty.base == Base::Flag && !matches!(asked.kind, ExprKind::Word(_));
    if !is_question || path_key(asked).is_some() {
        return None;
    }
    let (key, is_so) = ExprKey::of_question(asked);
    let holds = i64::from(holds == is_so);
    Some(Told { asked, key, left: (holds, holds), is_answer: true })
}

/// What must hold so that a condition does.
fn parts(condition: &Expr) -> &[Expr] {
    if let ExprKind::And(parts) = &condition.kind { parts } else { std::slice::from_ref(condition) }
}

/// From where something may be known.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// From the same page: what changes are put together of may ask what another page has asked.
    Page,
    /// From any: an option that can never be chosen is nobody's wish.
    Anywhere,
}

impl Reach {
    /// Whether what is known from one place decides what is asked at another. What is looked at once more decides nothing of
    /// itself, nor does what no page says.
    fn takes(self, known: Span, asked: Span) -> bool {
        let is_same = known.source == asked.source;
        (self == Self::Anywhere || is_same)
            && !known.contains(asked)
            && !known.is_empty()
            && !asked.is_empty()
    }
}

/// How far something goes, if it can be known again.
pub(crate) fn limit(key: ExprKey, left: Left, by: By, span: Span) -> Option<Rc<Limit>> {
    (!key.is_open()).then(|| Rc::new(Limit { key, left, by, span }))
}

/// Why two conditions never hold together.
#[derive(Clone, Copy)]
pub(crate) enum Never<'p> {
    /// This would have to be two things, or two numbers, at once.
    Two(&'p str),
    /// This would have to hold and not to hold.
    Flag(&'p str),
    /// The same was asked before, and the answer was the other.
    Asked,
    /// No number is left by both.
    Apart,
}

impl Never<'_> {
    /// In words, with those for numbers.
    pub fn said(self, apart: &str) -> String {
        match self {
            Self::Two(asked) => format!("`{asked}` is one thing at a time"),
            Self::Flag(asked) => format!("`{asked}` is not both `yes` and `no`"),
            Self::Asked => "the same is asked before".to_owned(),
            Self::Apart => apart.to_owned(),
        }
    }
}
