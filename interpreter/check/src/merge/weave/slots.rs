//! Slots: the places in which options stand. Two options of one name in one step are two parts: what tells them apart is the
//! choice that they stand in, whatever is put there or taken out.

use std::collections::BTreeSet;

use blazon_diagnostics::Span;
use blazon_syntax::ast::visit::{VisitMut, walk_option_mut};
use blazon_syntax::ast::{Block, ChoiceOption, Choose, Expr, Name, PartKind, When};

use super::address::{cases, choices, has_value};
use crate::hygiene::{marked, plain};
use crate::merge::edits::Opened;

/// A place for an option in a choice: all bodies of the option stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::merge) struct Slot {
    /// Where the choice is written.
    choice: Span,
    name: String,
}

impl Slot {
    /// The place of that name in a choice.
    pub fn of(choice: Span, name: &Name) -> Self {
        Self { choice, name: name.text.clone() }
    }

    /// Its name where no other choice of a body has one that is called so, else with the place of the choice.
    pub fn key(&self, body: &Block) -> String {
        let is_other = |choose: &Choose| {
            choose.span != self.choice && choose.options.iter().any(|option| option.name.text == self.name)
        };
        match choices(body).any(is_other) {
            true => format!("option {} at {}:{}", self.name, self.choice.source.0, self.choice.start),
            false => format!("option {}", self.name),
        }
    }

    /// The slot of another name in the same choice.
    pub fn beside(&self, name: &Name) -> Self {
        Self::of(self.choice, name)
    }

    /// The options that stand in it.
    pub fn options<'t>(&self, body: &'t Block) -> impl Iterator<Item = &'t ChoiceOption> {
        let all = choices(body).filter(|choose| choose.span == self.choice);
        all.flat_map(|choose| &choose.options).filter(|option| option.name.text == self.name)
    }
}

/// What a change means by the option that it opens.
pub(in crate::merge) enum Meant {
    Slot(Slot),
    /// Nothing in the body says which: it may be any that is called so.
    Name(String),
}

impl Meant {
    /// The option at the end of a path, also where it stands there no more, or not yet.
    pub fn of(body: &Block, path: &[Opened]) -> Self {
        let named = || Self::Name(path.last().map(|opened| opened.name.text.clone()).unwrap_or_default());
        let Some((last, around)) = path.split_last() else { return named() };
        let Some(found) = around.iter().try_fold(Part::Block(body), |part, opened| part.open(opened)) else {
            return named();
        };
        found.choice_of(last).map_or_else(named, |choose| Self::Slot(Slot::of(choose.span, &last.name)))
    }

    /// Whether that may be what it means.
    pub fn may_be(&self, slot: &Slot) -> bool {
        match self {
            Self::Slot(own) => own == slot,
            Self::Name(name) => *name == slot.name,
        }
    }

    /// What the ledger calls it, by the body of the step as it is declared.
    pub fn key(&self, body: &Block) -> String {
        match self {
            Self::Slot(slot) => slot.key(body),
            Self::Name(name) => format!("option {name}"),
        }
    }

    /// What stands in the same choice under another name.
    pub fn beside(&self, name: &Name) -> Self {
        match self {
            Self::Slot(slot) => Self::Slot(slot.beside(name)),
            Self::Name(_) => Self::Name(name.text.clone()),
        }
    }

    /// The slot, if it is known.
    pub fn slot(&self) -> Option<&Slot> {
        match self {
            Self::Slot(slot) => Some(slot),
            Self::Name(_) => None,
        }
    }
}

/// Whether a body has what a path opens, and one thing that it can mean.
pub(super) fn has(body: &Block, path: &[Opened]) -> bool {
    path.iter().try_fold(Part::Block(body), |part, opened| part.open(opened)).is_some()
}

/// Marks the names of some options, so that no path leads to them, or takes the marks away.
pub(super) fn veil(body: &mut Block, options: &BTreeSet<Span>, is_veiled: bool) {
    struct Veil<'o>(&'o BTreeSet<Span>, bool);
    impl<'t> VisitMut<'t> for Veil<'_> {
        fn visit_option_mut(&mut self, option: &'t mut ChoiceOption) {
            if self.0.contains(&option.span) {
                let name = &mut option.name.text;
                *name = if self.1 { marked(name, "veiled") } else { plain(name).to_owned() };
            }
            walk_option_mut(self, option);
        }
        fn visit_expr_mut(&mut self, _: &'t mut Expr) {}
    }
    if !options.is_empty() {
        Veil(options, is_veiled).visit_block_mut(body);
    }
}

/// What is opened on the way.
#[derive(Clone, Copy)]
enum Part<'t> {
    Block(&'t Block),
    Choice(&'t Choose),
}

impl<'t> Part<'t> {
    fn open(self, opened: &Opened) -> Option<Self> {
        match (self, opened.kind) {
            (Part::Block(block), PartKind::When) => {
                let has = |whens: &[When], name: &Name| whens.iter().any(|when| has_value(when, name));
                let is_meant = |whens: &&[When]| {
                    has(whens, &opened.name) && opened.beside.as_ref().is_none_or(|name| has(whens, name))
                };
                let mut all = cases(block).into_iter().map(|(_, whens)| whens).filter(is_meant);
                let whens = all.next().filter(|_| all.next().is_none())?;
                let when = whens.iter().find(|when| has_value(when, &opened.name))?;
                Some(Part::Block(&when.body))
            }
            (Part::Block(block), PartKind::Choice) => {
                let is_named =
                    |choose: &&Choose| choose.name.as_ref().is_some_and(|name| name.text == opened.name.text);
                only(choices(block).filter(is_named)).map(Part::Choice)
            }
            (Part::Choice(_), PartKind::When | PartKind::Choice) => None,
            (
                _,
                PartKind::Option
                | PartKind::Kind
                | PartKind::Rule
                | PartKind::Step
                | PartKind::Table
                | PartKind::Links
                | PartKind::Setup
                | PartKind::Seen
                | PartKind::Back,
            ) => {
                let choose = self.choice_of(opened)?;
                let option = choose.options.iter().find(|option| option.name.text == opened.name.text)?;
                Some(Part::Block(&option.body))
            }
        }
    }

    /// The choice in which an option stands, or stood: there what stands beside it still tells.
    fn choice_of(self, opened: &Opened) -> Option<&'t Choose> {
        let block = match self {
            Part::Choice(choose) => return Some(choose),
            Part::Block(block) => block,
        };
        let has =
            |choose: &Choose, name: &Name| choose.options.iter().any(|option| option.name.text == name.text);
        let stands = |choose: &&Choose| {
            has(choose, &opened.name) && opened.beside.as_ref().is_none_or(|name| has(choose, name))
        };
        let stood = |choose: &&Choose| opened.beside.as_ref().is_some_and(|name| has(choose, name));
        if choices(block).any(|choose| stands(&choose)) {
            only(choices(block).filter(stands))
        } else {
            only(choices(block).filter(stood))
        }
    }
}

/// The one that there is.
fn only<'t>(mut all: impl Iterator<Item = &'t Choose>) -> Option<&'t Choose> {
    all.next().filter(|_| all.next().is_none())
}
