//! Weaves rules and steps out of their declarations and of what changes hung on them.
//!
//! The law: a declaration is a body, and what a change adds is hung on it. Another body in its place keeps what is hung;
//! what finds no hold there is told, and `whole` says that it goes, too. What a layer below put or removed *within* the
//! old body went with it: whoever wrote the new one had it in sight. A body under a condition is an exception: it stands
//! there while the condition holds, and everything that is hung holds in both. Nothing depends on the order of pages.

mod address;
mod bodies;
mod clauses;
mod conditions;
mod headed;
mod headings;
mod hooks;
mod rules;
mod sight;
mod slots;
mod steps;
mod within;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use blazon_diagnostics::{Diagnostic, Span, list};
use blazon_syntax::ast::{Expr, Name, Param, PartKind};

use crate::merge::edits::Edit;
use crate::merge::ledger;
use crate::merge::merged::{Merged, Removed, exists};
use crate::merge::order::{Order, Standing};
use crate::merge::sort::Sort;
use crate::merge::visit::read_choices;
use crate::project::Layer;
use address::Outcome;
pub(super) use rules::asked;
pub(super) use slots::Meant;

/// Weaves everything.
pub(crate) fn weave(merged: &mut Merged, order: &Order, diagnostics: &mut Vec<Diagnostic>) {
    let mut weaver = Weaver { merged, order, diagnostics, parameters: HashMap::new() };
    weaver.rules();
    weaver.steps();
    weaver.sight();
}

struct Weaver<'a> {
    merged: &'a mut Merged,
    order: &'a Order,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The names that mean parameters by another heading than the one that is printed, as they are written.
    parameters: HashMap<Span, String>,
}

impl<K> Edit<K> {
    /// Who makes the change, and when it holds.
    fn change<'e>(&'e self, order: &'e Order) -> clauses::Change<'e> {
        clauses::Change { layer: self.layer, under: self.under.as_ref(), span: self.span, order }
    }
}

/// What a change is hung on: a body, with who wrote it.
#[derive(Clone, Copy)]
struct Ground {
    layer: Layer,
    /// The heading of the body.
    span: Span,
    /// Whether a change put it there.
    is_put: bool,
    /// Whether it is an option or a case of the body.
    is_part: bool,
}

/// The change that looks for a hold.
#[derive(Clone, Copy)]
struct Hung {
    layer: Layer,
    span: Span,
    /// Whether it adds something that every body must have room for.
    adds: bool,
    /// Whether it takes something out, always: who finds it taken out already agrees.
    drops: bool,
}

impl Weaver<'_> {
    /// Says of a change what came of it in the bodies, where it did not find its part.
    fn settle(&mut self, hung: Hung, owner: Owner<'_>, outcomes: Vec<(Ground, Outcome)>) {
        if outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Done)) {
            return;
        }
        if self.diagnostics.iter().any(|said| said.code == "amend::clash" && said.span == Some(hung.span)) {
            // The ledger shows the two.
            return;
        }
        let done = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Done));
        let mut said = false;
        for (ground, outcome) in outcomes {
            let standing = self.order.of(hung.layer, ground.layer);
            let lost = ground.is_put && matches!(standing, Standing::Below | Standing::Beside);
            match outcome {
                Outcome::Done => {}
                // Who wrote the new body had it in sight and wrote it himself.
                Outcome::Exists(_) if standing == Standing::Below => {}
                Outcome::Exists(old) => self.diagnostics.push(exists(owner.what, hung.span, old)),
                Outcome::Several(spans) => self.diagnostics.push(several(hung.span, &spans, hung.adds)),
                Outcome::Missing { .. } | Outcome::Homeless if said || done && !hung.adds => {}
                Outcome::Missing { .. } | Outcome::Homeless if lost => {
                    said = true;
                    self.diagnostics.push(nothing_left(ground, hung.span, owner));
                }
                Outcome::Missing { name, kind, known } => {
                    said = true;
                    self.missing((hung.layer, hung.drops), &owner.sort(kind), &name, &known);
                }
                Outcome::Homeless => {
                    said = true;
                    self.diagnostics.push(owner.homeless(hung.span));
                }
            }
        }
    }

    /// What a change names is not there; whose it is, and whether it takes that out.
    fn missing(&mut self, (layer, drops): (Layer, bool), what: &Sort, name: &Name, known: &[String]) {
        let removed = taken_out(self.merged, self.order, layer, what, name);
        let standing = removed.map(|removed| self.order.of(layer, removed.layer));
        if drops && standing.is_some_and(|standing| standing != Standing::Same) {
            // Who knows of this one and not of the other must find it taken out by him, too.
            self.note_removed(what.clone(), name, layer);
        }
        match standing {
            // The ledger shows the two; or what hung on the part went with it.
            Some(Standing::Beside | Standing::Below) => return,
            Some(Standing::Above) if drops => return,
            Some(Standing::Same | Standing::Above) | None => {}
        }
        let diagnostic = missing(self.merged, self.order, layer, what, name, known);
        self.diagnostics.extend(diagnostic);
    }

    /// Notes that something is there no more.
    fn note_removed(&mut self, what: Sort, name: &Name, layer: Layer) {
        self.merged.removed.push(Removed { what, name: name.text.clone(), layer, span: name.span });
    }

    /// The same of all pairs: of a part that stands in several bodies once.
    fn meetings(&mut self, met: BTreeSet<(Span, Span)>) {
        met.into_iter().for_each(|(first, second)| self.meeting(first, second));
    }

    /// Changes of which one leaves nothing of the other, unless the ledger shows them.
    fn fights(&mut self, mut fights: Vec<(within::By, within::By)>) {
        for (one, other) in &mut fights {
            if (one.layer, one.span) > (other.layer, other.span) {
                std::mem::swap(one, other);
            }
        }
        fights.sort_by_key(|(one, other)| (other.layer, other.span, one.span));
        fights.dedup_by_key(|(one, other)| (other.span, one.span));
        for (one, other) in fights {
            let is_told = |said: &Diagnostic| {
                said.code == "amend::clash" && (said.span == Some(other.span) || said.span == Some(one.span))
            };
            if !self.diagnostics.iter().any(is_told) {
                self.diagnostics.push(ledger::fight(one.span, other.span, one.layer == other.layer));
            }
        }
    }

    /// Two bodies under conditions that can hold together, and nothing says which outranks the other.
    fn meeting(&mut self, first: Span, second: Span) {
        self.diagnostics.push(
            Diagnostic::error("amend::clash", second, "both can hold, and each changes the same part")
                .label("the second")
                .related(first, "the first")
                .help("let their conditions exclude each other: `under storm and not truce { … }`; a variant that names the other in its `after:` has the last word"),
        );
    }
}

/// Whose part is changed.
#[derive(Clone, Copy)]
struct Owner<'a> {
    /// The rule, or the step.
    name: &'a Name,
    /// What it begins with on the page.
    word: &'static str,
    /// The option whose need it is.
    option: Option<&'a str>,
    /// What the part is called, if it has a name.
    what: &'a str,
}

impl Owner<'_> {
    /// What sort of part is missed.
    fn sort(&self, kind: PartKind) -> Sort {
        let name = self.name.text.clone();
        match (kind, self.option) {
            (PartKind::Rule, _) if self.word != "step" => Sort::ClauseOf(name),
            (PartKind::Rule, Some(option)) => Sort::NeedOf(option.to_owned()),
            (PartKind::Rule, None) => Sort::NeedOf(name),
            (PartKind::When, _) => Sort::CaseOf(name),
            (PartKind::Choice, _) => Sort::ChoiceOf(name),
            (
                PartKind::Option
                | PartKind::Kind
                | PartKind::Step
                | PartKind::Table
                | PartKind::Links
                | PartKind::Setup
                | PartKind::Seen
                | PartKind::Back,
                _,
            ) => Sort::OptionOf(name),
        }
    }

    fn homeless(&self, span: Span) -> Diagnostic {
        let message = format!("the step `{}` has nothing to add this to", self.name.text);
        Diagnostic::error("amend::missing", span, message)
            .label("an option needs a choice, and a `when` a `case`")
            .related(self.name.span, "the step")
            .help("write it before or after the step: `before … { choose by … { … } }`; or open the option that the choice stands in")
    }
}

/// Where a part was taken out; of several places one that the layer knows of.
fn taken_out<'m>(
    merged: &'m Merged,
    order: &Order,
    layer: Layer,
    what: &Sort,
    name: &Name,
) -> Option<&'m Removed> {
    let all = merged.removed.iter().filter(|r| r.what == *what && r.name == name.text);
    all.min_by_key(|r| matches!(order.of(layer, r.layer), Standing::Beside | Standing::Below))
}

/// What is said where something is missed; nothing, if that is known from something else that is said.
pub(super) fn missing(
    merged: &Merged,
    order: &Order,
    layer: Layer,
    what: &Sort,
    name: &Name,
    known: &[String],
) -> Option<Diagnostic> {
    if let Some(removed) = taken_out(merged, order, layer, what, name) {
        let help = match order.of(layer, removed.layer) {
            Standing::Same => "do one or the other",
            Standing::Above | Standing::Below | Standing::Beside => {
                "the two cannot be played together as they are; change one of them"
            }
        };
        let message = format!("the {what} `{}` is there no more", name.text);
        let diagnostic = Diagnostic::error("amend::clash", name.span, message);
        let related = diagnostic.label("to be changed here").related(removed.span, "it is taken out here");
        return Some(related.help(help));
    }
    let diagnostic =
        Diagnostic::error("amend::missing", name.span, what.missed(&name.text)).label("not found");
    if let (Sort::Step, Some((home, option))) = (what, offered(merged, name)) {
        let name = &name.text;
        return Some(diagnostic.label("this is an option").related(option, format!("of `{home}`")).help(
            format!(
                "nothing hangs on an option: hang it on a step that the option does, or change the option, \
             `in step {home} {{ in option {name} {{ … }} }}`"
            ),
        ));
    }
    if let Some(near) = merged.guesses.near_miss(&name.text, known.iter().map(String::as_str)) {
        return Some(diagnostic.did_you_mean(near));
    }
    // `orders` for `give orders`.
    let shares = |other: &&String| other.split(' ').any(|word| name.text.split(' ').any(|own| own == word));
    let alike: Vec<&String> = known.iter().filter(shares).collect();
    Some(if (1..=MOST_SHOWN).contains(&known.len()) {
        diagnostic.help(format!("there are only {}", list(known, "and")))
    } else if (1..=MOST_SHOWN).contains(&alike.len()) {
        diagnostic.help(format!("perhaps {} is meant", list(alike, "or")))
    } else {
        diagnostic.help(
            "what is changed must exist: `blazon print` shows all names; something new is written without `in` \
             and `replace`",
        )
    })
}

/// A step that offers an option of that name, and where.
fn offered(merged: &Merged, name: &Name) -> Option<(String, Span)> {
    merged.steps.iter().find_map(|step| {
        let mut found = None;
        read_choices(&step.step.body, &mut |choose| {
            let mut options = choose.options.iter();
            found = found.or_else(|| {
                options.find(|option| option.name.text == name.text).map(|option| option.name.span)
            });
        });
        Some((step.step.name.text.clone(), found?))
    })
}

/// So many names of parts are listed.
const MOST_SHOWN: usize = 12;

fn several(span: Span, places: &[Span], adds: bool) -> Diagnostic {
    let message = if adds { "this could be added to several places" } else { "several have this name" };
    let mut diagnostic = Diagnostic::error("amend::ambiguous", span, message).label("which is meant?");
    for (place, span) in places.iter().enumerate().take(MOST_SHOWN) {
        diagnostic = diagnostic.related(*span, if place == 0 { "this one" } else { "or this one" });
    }
    diagnostic.help("say what it stands beside: `option dig beside march`, `in option wait beside go { … }`; or name the choice (`choose orders by …`) and open it: `in choice orders { … }`")
}

fn nothing_left(ground: Ground, hung: Span, owner: Owner<'_>) -> Diagnostic {
    let head = match owner.word {
        // A kind names them: they have no other name.
        word @ ("seen by" | "back") => word.to_owned(),
        word => format!("{word} {}", owner.name.text),
    };
    let (message, help) = match ground.is_part {
        true => (
            "this leaves no place for what hangs in it".to_owned(),
            "keep in the new body what that names; an option with `replace whole option …` says that it goes, too"
                .to_owned(),
        ),
        false => (
            format!("this `{}` leaves no place for what hangs on it", owner.name.text),
            format!(
                "keep in the new body what that names, or write `replace whole {head} …`: then it goes, too"
            ),
        ),
    };
    Diagnostic::error("amend::clash", ground.span, message)
        .label("another body is put here")
        .related(hung, "this finds no hold in it")
        .help(help)
}

/// The bodies of one rule or step, beside the printed one, those that outrank others first.
fn ranked<B>(
    weaver: &mut Weaver<'_>,
    mut bodies: Vec<B>,
    layer: impl Fn(&B) -> Layer,
    condition: impl for<'b> Fn(&'b B) -> Option<&'b Expr>,
    span: impl Fn(&B) -> Span,
) -> Vec<B> {
    by_rank(&mut bodies, weaver.order, &layer, &condition);
    for (place, a) in bodies.iter().enumerate() {
        for b in &bodies[place + 1..] {
            let ordered = matches!(weaver.order.of(layer(a), layer(b)), Standing::Above | Standing::Below);
            let (Some(one), Some(other)) = (condition(a), condition(b)) else { continue };
            if !ordered && !conditions::exclude_each_other(one, other) {
                weaver.meeting(span(b).min(span(a)), span(b).max(span(a)));
            }
        }
    }
    bodies
}

/// Puts first what outranks others: of changes under conditions those of the higher layer.
fn by_rank<T>(
    changes: &mut Vec<T>,
    order: &Order,
    layer: impl Fn(&T) -> Layer,
    condition: impl for<'c> Fn(&'c T) -> Option<&'c Expr>,
) {
    // Those of one layer, or side by side, stand by the words of their conditions: neither pages nor names decide.
    changes.sort_by_key(|change| condition(change).map(blazon_syntax::ast::print::expr));
    let mut waiting = std::mem::take(changes);
    while !waiting.is_empty() {
        let is_below =
            |change: &T| waiting.iter().any(|other| order.of(layer(other), layer(change)) == Standing::Above);
        let next = waiting.iter().position(|change| !is_below(change)).unwrap_or(0);
        changes.push(waiting.remove(next));
    }
}

/// The parameters of a rule or step as each layer finds them.
struct Headings(BTreeMap<Layer, Vec<Param>>);

impl Headings {
    /// What a change of a layer calls them: as the last body does that it knows of.
    fn found_by(&self, layer: Layer, order: &Order) -> &[Param] {
        let is_known = |body: Layer| matches!(order.of(layer, body), Standing::Same | Standing::Above);
        let known = self.0.iter().rev().find(|(body, _)| is_known(**body));
        known.map_or(&[], |(_, params)| params)
    }
}
