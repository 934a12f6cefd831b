//! What changes put into a body and took out of it, so that it is seen when one was made within what another one puts anew.
//!
//! Who puts an option or a case anew had the printed one in sight. What others hung on its parts is looked for in the new
//! one; what they put there, or took out, can not be had as well. Parts are told apart by where they are written.

use std::collections::{BTreeMap, BTreeSet};

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::{Visit, walk_option, walk_statement};
use blazon_syntax::ast::{Block, ChoiceOption, Expr, Statement, StatementKind, print};

use super::Ground;
use super::address::{Outcome, at};
use super::bodies::add_part;
use crate::hygiene::plain;
use crate::merge::edits::{Edit, Opened, PartEdit, StepEdit};
use crate::merge::order::{Order, Standing};
use crate::project::Layer;

/// Who made a change, and where it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct By {
    pub layer: Layer,
    pub span: Span,
}

/// What was done to the parts of one body.
#[derive(Default)]
pub(super) struct Within {
    /// Options and cases that were put in the place of others, and those that were added.
    put: BTreeMap<Span, By>,
    added: BTreeMap<Span, Added>,
    /// Those that stand within what was put.
    owned: BTreeMap<Span, By>,
    /// Options that were put with nothing of what hung in them.
    wholes: BTreeMap<Span, By>,
    /// What was taken out: the parts that it stood in.
    taken: Vec<(Vec<Span>, By)>,
    /// The names of those that went with what they stood in.
    lost: Vec<(String, Lost)>,
    /// What was added to what another change then put anew, and what came of it there.
    rehung: Vec<Rehung>,
    /// Changes of which one leaves nothing of the other.
    fights: Vec<(By, By)>,
}

/// An option or a case that a change adds.
#[derive(Clone)]
pub(super) struct Added {
    pub by: By,
    path: Vec<Opened>,
    pub part: PartEdit,
    under: Option<Expr>,
}

/// Something that was added to what another change put anew.
pub(super) struct Rehung {
    pub added: Added,
    pub ground: Ground,
    pub outcome: Outcome,
}

/// Who left no room for a part, and whether nothing from below was meant to have any.
#[derive(Clone, Copy)]
pub(super) struct Lost {
    by: By,
    pub whole: bool,
}

impl Lost {
    /// What stands there now.
    pub fn ground(self) -> Ground {
        Ground { layer: self.by.layer, span: self.by.span, is_put: true, is_part: true }
    }
}

/// How a part is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A case has no `whole`: what lies below and finds no place in the new one goes.
    PutCase,
    PutOption,
    /// With nothing of what hung on it.
    Whole,
    Remove,
}

impl Change {
    fn is_put(self) -> bool {
        matches!(self, Self::PutCase | Self::PutOption)
    }
}

impl Within {
    /// An option or case is added.
    pub fn add(&mut self, part: Span, path: &[Opened], edit: &Edit<StepEdit>) {
        let StepEdit::Part(_, added) = &edit.kind else { return };
        let (path, part_edit, under) = (path.to_vec(), added.clone(), edit.under.clone());
        self.added.insert(part, Added { by: By::of(edit), path, part: part_edit, under });
    }

    /// An option or a case gives way to another, or to nothing. What stood in it is there no more; what was added to it is
    /// added to the new one.
    pub fn replace(
        &mut self,
        old: Old<'_>,
        new: Option<(Span, &mut Block)>,
        change: Change,
        by: By,
        order: &Order,
    ) {
        self.touch(old.span, by, order);
        let inner = parts(old.body);
        let mut met: Vec<By> = inner.iter().filter_map(|part| self.put.get(&part.span).copied()).collect();
        if !change.is_put() {
            met.extend(inner.iter().filter_map(|part| Some(self.added.get(&part.span)?.by)));
        }
        met.extend(self.taken.iter().filter(|(around, _)| around.contains(&old.span)).map(|&(_, by)| by));
        met.into_iter().for_each(|other| self.meet(other, by, order));
        let mut names = BTreeSet::new();
        match new {
            Some((span, body)) => {
                for part in parts(body) {
                    self.owned.insert(part.span, by);
                    names.extend(part.names);
                }
                self.put.insert(span, by);
                if change.is_put() {
                    self.rehang(&inner, old.is, body, by);
                } else {
                    self.wholes.insert(span, by);
                }
            }
            None => self.taken.push((old.around, by)),
        }
        let lost = inner.into_iter().flat_map(|part| part.names).filter(|name| !names.contains(name));
        let lost = lost.map(|name| (name, Lost { by, whole: change != Change::PutOption }));
        self.lost.extend(lost);
    }

    /// What was added to the old one is added to the new one.
    pub fn rehang_on(&mut self, old: &Old<'_>, new: &mut Block, by: By) {
        self.rehang(&parts(old.body), old.is, new, by);
    }

    fn rehang(&mut self, inner: &[Part], is_old: &dyn Fn(&Opened) -> bool, new: &mut Block, by: By) {
        let added = inner.iter().filter_map(|part| self.added.get(&part.span)).cloned();
        for added in added.collect::<Vec<_>>() {
            let begins = added.path.iter().position(is_old).map_or(0, |at| at + 1);
            let outcome = at(new, &added.path[begins..], &mut |target| {
                add_part(target, &added.part, added.under.as_ref())
            });
            let ground = Ground { layer: by.layer, span: by.span, is_put: true, is_part: true };
            self.rehung.push(Rehung { added, ground, outcome });
        }
    }

    /// Something puts, or takes out, a part, or what hangs on one: it cannot have meant one that a neighbour put there.
    pub fn touch(&mut self, part: Span, by: By, order: &Order) {
        if let Some(&owner) = self.owned.get(&part) {
            self.meet(owner, by, order);
        }
    }

    /// Something hangs on a part of a body: not in what a neighbour put whole, for that has nothing of what others hang there.
    pub fn hang(&mut self, part: Span, body: &Block, by: By, order: &Order) {
        if self.wholes.is_empty() {
            return;
        }
        let around = surroundings(body).remove(&part).unwrap_or_default();
        let met: Vec<By> = around.iter().filter_map(|outer| self.wholes.get(outer).copied()).collect();
        met.into_iter().filter(|other| other.layer != by.layer).for_each(|other| self.meet(other, by, order));
    }

    fn meet(&mut self, one: By, other: By, order: &Order) {
        if matches!(order.of(one.layer, other.layer), Standing::Beside | Standing::Same) {
            self.fights.push((one, other));
        }
    }

    /// Who left no room for a part of this name.
    pub fn lost(&self, name: &str) -> Option<Lost> {
        self.lost.iter().rev().find(|(lost, _)| lost == name).map(|&(_, lost)| lost)
    }

    /// The options that layers have added of which a layer knows nothing: it means none of them.
    pub fn strange(&self, layer: Layer, order: &Order) -> BTreeSet<Span> {
        let is_known = |by: &Added| matches!(order.of(layer, by.by.layer), Standing::Same | Standing::Above);
        self.added.iter().filter(|(_, added)| !is_known(added)).map(|(part, _)| *part).collect()
    }

    /// Who added an option or a case, or put it there, by itself or together with what it stands in.
    pub fn owner(&self, part: Span) -> Option<Layer> {
        let added = self.added.get(&part).map(|added| added.by);
        added
            .or_else(|| [&self.put, &self.owned].into_iter().find_map(|by| by.get(&part).copied()))
            .map(|by| by.layer)
    }

    /// What was added to what another change put anew.
    pub fn take_rehung(&mut self) -> Vec<Rehung> {
        std::mem::take(&mut self.rehung)
    }

    /// Changes of which one leaves nothing of the other.
    pub fn take_fights(&mut self) -> Vec<(By, By)> {
        std::mem::take(&mut self.fights)
    }
}

impl By {
    /// Who makes a change.
    pub fn of<K>(edit: &Edit<K>) -> Self {
        Self { layer: edit.layer, span: edit.span }
    }
}

/// An option or a case that gives way.
pub(super) struct Old<'t> {
    /// Whether it is what a change opens, and still is in the new one.
    pub is: &'t dyn Fn(&Opened) -> bool,
    pub span: Span,
    pub body: &'t Block,
    /// What it stands in.
    pub around: Vec<Span>,
}

/// An option or a case within a body.
struct Part {
    /// The name of the option, or the values of the case.
    names: Vec<String>,
    span: Span,
    around: Vec<Span>,
}

/// The options and cases of a body, outer before inner.
fn parts(body: &Block) -> Vec<Part> {
    let mut parts = Parts { around: Vec::new(), found: Vec::new() };
    parts.visit_block(body);
    parts.found
}

/// For each option and case of a body those that it stands in.
pub(super) fn surroundings(body: &Block) -> BTreeMap<Span, Vec<Span>> {
    parts(body).into_iter().map(|part| (part.span, part.around)).collect()
}

struct Parts {
    around: Vec<Span>,
    found: Vec<Part>,
}

impl Parts {
    fn enter(&mut self, names: Vec<String>, span: Span) {
        self.found.push(Part { names, span, around: self.around.clone() });
        self.around.push(span);
    }
}

impl<'t> Visit<'t> for Parts {
    fn visit_option(&mut self, option: &'t ChoiceOption) {
        self.enter(vec![plain(&option.name.text).to_owned()], option.span);
        walk_option(self, option);
        self.around.pop();
    }

    fn visit_statement(&mut self, statement: &'t Statement) {
        let StatementKind::Case { whens, otherwise, .. } = &statement.kind else {
            return walk_statement(self, statement);
        };
        for when in whens {
            self.enter(when.values.iter().map(print::expr).collect(), when.span);
            self.visit_block(&when.body);
            self.around.pop();
        }
        otherwise.iter().for_each(|block| self.visit_block(block));
    }

    fn visit_expr(&mut self, _: &'t Expr) {}
}
