//! Rules: which value and clauses stand, and which clauses and rows hang on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blazon_diagnostics::Diagnostic;
use blazon_syntax::ast::{self, Clause, ClauseKind, Expr, ExprKind, Name, Row, Rule};

use super::address::Outcome;
use super::clauses::Clauses;
use super::headings::{Heading, Renaming, fits, misfit, rename_clauses, rename_expr, told_apart};
use super::{Ground, Headings, Hung, Owner, Weaver, clauses, conditions, ranked};
use crate::hygiene::Asked;
use crate::merge::edits::{ClauseEdit, Edit, RuleEdit};
use crate::merge::faces::Side;
use crate::merge::merged::MergedRule;
use crate::merge::named_list::NamedList;
use crate::merge::order::Standing;
use crate::merge::pieces::not;
use crate::merge::sort::Sort;
use crate::project::Layer;
use crate::references::DefinitionKind;

/// One of the bodies of a rule.
struct Body {
    under: Option<Expr>,
    /// The heading that the condition speaks of, if it is not the one that its layer finds.
    names: Option<Vec<ast::Param>>,
    rule: Rule,
    layer: Layer,
    whole: bool,
    is_put: bool,
}

type Edits = Vec<Edit<RuleEdit>>;

impl Weaver<'_> {
    pub(super) fn rules(&mut self) {
        let rules = std::mem::take(&mut self.merged.rules);
        let (mut woven, mut made) = (Vec::new(), Vec::new());
        for rule in rules.into_parts() {
            woven.push(if rule.edits.is_empty() { rule } else { self.rule(rule, "rule", &mut made) });
        }
        for kind in 0..self.merged.kinds.len() {
            self.faces(kind, &mut made);
        }
        let mut list = NamedList::default();
        woven.into_iter().chain(made).for_each(|rule| list.push(rule));
        self.merged.rules = list;
    }

    /// Who sees a kind, and what its back shows.
    fn faces(&mut self, kind: usize, made: &mut Vec<MergedRule>) {
        let of = &mut self.merged.kinds[kind];
        let (seen, back) = (of.seen.take(), of.back.take());
        let mut woven = |face: Option<MergedRule>, side: Side| {
            face.map(|face| match face.edits.is_empty() {
                true => face,
                false => self.rule(face, side.words(), made),
            })
        };
        let (seen, back) = (woven(seen, Side::Seen), woven(back, Side::Back));
        let of = &mut self.merged.kinds[kind];
        (of.seen, of.back) = (seen, back);
    }

    /// A rule with all that hangs on it; `word` is what it begins with on the page.
    fn rule(&mut self, mut merged: MergedRule, word: &'static str, made: &mut Vec<MergedRule>) -> MergedRule {
        let mut edits = std::mem::take(&mut merged.edits);
        edits.sort_by_key(|edit| edit.layer);
        let promised = merged.promised;
        let (mut printed, others, hung) = self.rule_bodies(merged, edits);
        let mut others = ranked(self, others, |b| b.layer, |b| b.under.as_ref(), |b| b.rule.span);
        self.rows(&mut printed, &hung);
        self.fit_rules(&printed.rule, &mut others);
        if !others.is_empty() {
            set_table_apart(&mut printed, made);
        }
        let (own, bases) = self.bases(&mut printed, &others, made);
        let clauses = self.clauses(word, (&printed, &others), own, &bases, &hung);
        let mut rule = printed.rule;
        rule.clauses = clauses;
        for edit in hung {
            if let RuleEdit::Cites(cites) = edit.kind {
                rule.cites.extend(cites);
            }
        }
        MergedRule { rule: rule.into(), layer: printed.layer, promised, is_amended: true, edits: Vec::new() }
    }

    fn rule_bodies(&mut self, merged: MergedRule, edits: Edits) -> (Body, Vec<Body>, Edits) {
        let mut headings = Headings(BTreeMap::from([(Layer::Library, merged.rule.params.clone())]));
        let mut printed = Body {
            under: None,
            names: None,
            rule: Arc::unwrap_or_clone(merged.rule),
            layer: merged.layer,
            whole: false,
            is_put: false,
        };
        let (mut others, mut hung) = (Vec::<Body>::new(), Vec::new());
        for edit in edits {
            let Edit { layer, under, names, kind, span } = edit;
            let RuleEdit::Body { rule, whole } = kind else {
                hung.push(Edit { layer, under, names, kind, span });
                continue;
            };
            let mut body = Body { under, names, rule: *rule, layer, whole, is_put: true };
            if body.under.is_some() {
                others.push(body);
                continue;
            }
            if whole {
                others.retain(|other| other.layer >= layer);
                hung.retain(|edit: &Edit<RuleEdit>| edit.layer >= layer);
            }
            if !body.rule.rows.is_empty() {
                // A table printed anew keeps its title, unless it brings one.
                body.rule.title = body.rule.title.or(printed.rule.title.take());
            }
            headings.0.insert(layer, body.rule.params.clone());
            self.merged.unseen.heading(&printed.rule.params, Some(&printed.rule.ty));
            printed = body;
        }
        self.tell_apart(&mut printed, &others, &hung, &headings);
        for body in &mut others {
            let names = body.names.as_deref().unwrap_or_else(|| headings.found_by(body.layer, self.order));
            if let Some(under) = &mut body.under
                && let Some(mut renaming) = Renaming::new(names, &printed.rule.params, &mut self.parameters)
            {
                renaming.condition(under);
                self.diagnostics.extend(renaming.told(&printed.rule.name, "rule"));
            }
        }
        for edit in &mut hung {
            let names = edit.names.clone();
            let names = names.as_deref().unwrap_or_else(|| headings.found_by(edit.layer, self.order));
            if let Some(mut renaming) = Renaming::new(names, &printed.rule.params, &mut self.parameters) {
                renaming.rule_edit(edit);
                self.diagnostics.extend(renaming.told(&printed.rule.name, "rule"));
            }
        }
        (printed, others, hung)
    }

    /// Lets nobody mean the parameters of the printed heading by what the heading that he has in sight does not call so.
    fn tell_apart(&mut self, printed: &mut Body, others: &[Body], hung: &Edits, headings: &Headings) {
        let bodies = others.iter().flat_map(|body| {
            let found = body.names.as_deref().unwrap_or_else(|| headings.found_by(body.layer, self.order));
            [
                (body.rule.params.as_slice(), Asked::in_rule(&body.rule.base, &body.rule.clauses)),
                (found, Asked::in_rule(&body.under, [])),
            ]
        });
        let hung = hung.iter().filter_map(|edit| {
            let RuleEdit::Clause(ClauseEdit::Add(clause) | ClauseEdit::Put(clause)) = &edit.kind else {
                return None;
            };
            let found = edit.names.as_deref().unwrap_or_else(|| headings.found_by(edit.layer, self.order));
            Some((found, Asked::in_rule(&edit.under, [clause])))
        });
        let is_table = !printed.rule.rows.is_empty();
        let apart = told_apart(&printed.rule.params, bodies.chain(hung.filter(|_| !is_table)));
        let rule = &mut printed.rule;
        let own = std::mem::replace(&mut rule.params, apart);
        if is_table {
            // The columns of a table are called by its parameters.
            let captured = own.iter().zip(&rule.params).find(|(own, apart)| own.name.text != apart.name.text);
            if let Some((param, _)) = captured {
                let name = &param.name.text;
                let message =
                    format!("this table calls a parameter `{name}`, which is something else to others");
                self.diagnostics.push(
                    Diagnostic::error("names::ambiguous", param.name.span, message)
                        .label("the parameter")
                        .help(
                            "give it another name: what stands in its place under a condition speaks of something that \
                             is called so",
                        ),
                );
            }
            rule.params = own;
            return;
        }
        if let Some(base) = &mut rule.base {
            rename_expr(base, &own, &rule.params, &mut self.parameters);
        }
        rename_clauses(&mut rule.clauses, &own, &rule.params, &mut self.parameters);
    }

    /// Rules under conditions have headings of their own, which must fit the printed one.
    fn fit_rules(&mut self, printed: &Rule, others: &mut [Body]) {
        for body in others {
            let rule = &mut body.rule;
            if !fits(heading(rule), heading(printed)) {
                self.diagnostics.push(misfit(heading(rule), heading(printed)));
                continue;
            }
            self.merged.unseen.heading(&rule.params, Some(&rule.ty));
            if !rule.rows.is_empty() {
                // A table keeps its names: its columns are called by them.
                continue;
            }
            let from = rule.params.clone();
            if let Some(base) = &mut rule.base {
                rename_expr(base, &from, &printed.params, &mut self.parameters);
            }
            rename_clauses(&mut rule.clauses, &from, &printed.params, &mut self.parameters);
            rule.params.clone_from(&printed.params);
        }
    }

    /// Rows that are added to a rule that is a table, and rows that are put.
    fn rows(&mut self, printed: &mut Body, hung: &Edits) {
        for edit in hung {
            let (rows, puts) = match &edit.kind {
                RuleEdit::Rows(rows) => (rows, false),
                RuleEdit::PutRows(rows) => (rows, true),
                RuleEdit::Body { .. } | RuleEdit::Clause(_) | RuleEdit::Cites(_) => continue,
            };
            let below = self.order.of(edit.layer, printed.layer) == Standing::Below;
            for row in rows {
                let wanted = asked(&printed.rule, row);
                let rule = &printed.rule;
                let there = printed.rule.rows.iter().skip(1).position(|old| asked(rule, old) == wanted);
                match there {
                    // Who printed the table anew had these in sight.
                    _ if below && puts => {}
                    Some(_) if below => {}
                    Some(place) if puts => printed.rule.rows[place + 1] = row.clone(),
                    None if puts => {
                        let what = Sort::RowOf(printed.rule.name.text.clone());
                        self.missing((edit.layer, false), &what, &Name { text: wanted, span: row.span }, &[]);
                    }
                    Some(_) | None => printed.rule.rows.push(row.clone()),
                }
            }
        }
    }

    /// The clauses that belong to the bodies, and the labels under which the values of those under conditions stand.
    fn bases(
        &mut self,
        printed: &mut Body,
        others: &[Body],
        made: &mut Vec<MergedRule>,
    ) -> (Clauses, Vec<Name>) {
        let mut all = Clauses::default();
        let mut labels: Vec<Name> = Vec::new();
        let conditions: Vec<&Expr> = others.iter().filter_map(|body| body.under.as_ref()).collect();
        let elsewhere: Vec<Expr> = conditions.iter().map(|condition| not(condition)).collect();
        all.body(printed.layer, None, &elsewhere, std::mem::take(&mut printed.rule.clauses));
        for (place, body) in others.iter().enumerate() {
            let when = conditions::stands(&conditions, place);
            let mut label =
                Name { text: format!("{} (replaced)", body.rule.name.text), span: body.rule.name.span };
            while labels.iter().any(|other| other.text == label.text) {
                label.text.push('\'');
            }
            let mut own = body.rule.clauses.clone();
            own.iter_mut().for_each(|clause| outrank(clause, std::slice::from_ref(&label)));
            if let Some(value) = base_of(body, conditions[place], &printed.rule, made) {
                own.push(Clause {
                    kind: ClauseKind::Except { beats: Vec::new(), value, when: None },
                    label: Some(label.clone()),
                    cites: body.rule.cites.clone(),
                    span: body.rule.span,
                });
                labels.push(label);
            }
            all.body(body.layer, body.under.as_ref(), &[when], own);
        }
        (all, labels)
    }

    /// The clauses of the rule: those of its bodies, and those that hang on it.
    fn clauses(
        &mut self,
        word: &'static str,
        (printed, others): (&Body, &[Body]),
        mut all: Clauses,
        bases: &[Name],
        hung: &Edits,
    ) -> Vec<Clause> {
        let name = &printed.rule.name;
        let (span, is_put) = (printed.rule.span, printed.is_put);
        let ground = Ground { layer: printed.layer, span, is_put, is_part: false };
        let mut met = BTreeSet::new();
        // Exceptions that hang on the rule hold whichever value stands below them.
        for (edit, change) in added_first(hung) {
            let mut change = change.clone();
            if let ClauseEdit::Add(clause) | ClauseEdit::Put(clause) = &mut change {
                outrank(clause, bases);
            }
            let is_above = |by| self.order.of(edit.layer, by) == Standing::Below;
            let free = others.iter().filter(|body| body.whole && is_above(body.layer));
            let free: Vec<&Expr> = free.filter_map(|body| body.under.as_ref()).collect();
            let uses = &mut self.merged.uses;
            let mut found = |label: &Name, declared| uses.note(label.span, DefinitionKind::Clause, declared);
            let outcome = all.apply(&change, edit.change(self.order), &free, &mut found, &mut met);
            if let (ClauseEdit::Drop(label), Outcome::Done, None) = (&change, &outcome, &edit.under) {
                self.note_removed(Sort::ClauseOf(name.text.clone()), label, edit.layer);
            }
            if is_gone(&change, edit.under.as_ref(), &outcome)
                && self.order.of(edit.layer, printed.layer) == Standing::Below
            {
                continue;
            }
            let what = clauses::label(&change).map(|label| label.text.clone()).unwrap_or_default();
            let owner = Owner { name, word, option: None, what: &what };
            let drops = matches!((&change, &edit.under), (ClauseEdit::Drop(_), None));
            let hung = Hung { layer: edit.layer, span: edit.span, adds: false, drops };
            self.settle(hung, owner, vec![(ground, outcome)]);
        }
        self.meetings(met);
        all.woven(self.order)
    }
}

/// Whether a change names what is no more in the new body: what layers below did within the old one went with that.
pub(super) fn is_gone(change: &ClauseEdit, under: Option<&Expr>, outcome: &Outcome) -> bool {
    match (change, outcome) {
        (ClauseEdit::Drop(_), Outcome::Missing { .. }) => true,
        (ClauseEdit::Put(_), Outcome::Missing { .. }) => under.is_none(),
        (ClauseEdit::Add(_) | ClauseEdit::Put(_) | ClauseEdit::Drop(_), _) => false,
    }
}

/// The changes of clauses in the order in which they are made.
fn added_first(hung: &Edits) -> Vec<(&Edit<RuleEdit>, &ClauseEdit)> {
    let changes = hung.iter().filter_map(|edit| match &edit.kind {
        RuleEdit::Clause(change) => Some((edit, change)),
        RuleEdit::Body { .. } | RuleEdit::Rows(_) | RuleEdit::PutRows(_) | RuleEdit::Cites(_) => None,
    });
    let mut edits: Vec<(&Edit<RuleEdit>, &ClauseEdit)> = changes.collect();
    edits.sort_by_key(|(edit, change)| clauses::rank(change, edit.layer, edit.under.is_some()));
    edits
}

/// Lets an exception outrank values that stand under conditions.
fn outrank(clause: &mut Clause, values: &[Name]) {
    match &mut clause.kind {
        ClauseKind::Except { beats, .. } => beats.extend(values.iter().cloned()),
        ClauseKind::Modify { .. } | ClauseKind::Need { .. } | ClauseKind::Known { .. } => {}
    }
}

/// A rule that is a table becomes one that asks the table, which stays as it is printed under a name of its own.
fn set_table_apart(printed: &mut Body, made: &mut Vec<MergedRule>) {
    if printed.rule.rows.is_empty() {
        return;
    }
    let mut table = printed.rule.clone();
    table.name.text.push_str(" (printed)");
    printed.rule.rows = Vec::new();
    printed.rule.title = None;
    printed.rule.base = Some(asked_by(&table.name, &printed.rule));
    made.push(MergedRule {
        rule: table.into(),
        layer: printed.layer,
        promised: None,
        is_amended: true,
        edits: Vec::new(),
    });
}

/// What a rule gives that stands under a condition; a table is put under a name of its own.
fn base_of(body: &Body, condition: &Expr, printed: &Rule, made: &mut Vec<MergedRule>) -> Option<Expr> {
    if body.rule.rows.is_empty() {
        return body.rule.base.clone();
    }
    let mut table = body.rule.clone();
    table.name.text.push_str(&format!(" (under {})", ast::print::expr(condition)));
    let base = asked_by(&table.name, printed);
    made.push(MergedRule {
        rule: table.into(),
        layer: body.layer,
        promised: None,
        is_amended: true,
        edits: Vec::new(),
    });
    Some(base)
}

/// A rule asked of the parameters of another.
fn asked_by(name: &Name, rule: &Rule) -> Expr {
    let call = |name: &Name, args| Expr {
        kind: ExprKind::Call(ast::Call { name: name.clone(), args }),
        span: rule.span,
    };
    call(name, rule.params.iter().map(|param| call(&param.name, Vec::new())).collect())
}

fn heading(rule: &Rule) -> Heading<'_> {
    Heading { name: &rule.name, params: &rule.params, ty: Some(&rule.ty) }
}

/// What a row of a rule's table asks of the parameters to the left.
pub(in crate::merge) fn asked(rule: &Rule, row: &Row) -> String {
    let params: Vec<&str> = rule.params.iter().map(|param| param.name.text.as_str()).collect();
    let heading = rule.rows.first().map(|row| row.cells.as_slice()).unwrap_or_default();
    let leading = heading.iter().take_while(|cell| params.contains(&cell.text.as_str())).count();
    row.cells.iter().take(leading).map(|cell| cell.text.clone()).collect::<Vec<_>>().join(" | ")
}
