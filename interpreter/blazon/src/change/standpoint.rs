//! What can be seen of a position: what is asked, what is open and what refused, what every state holds, what rules give.

use std::collections::BTreeMap;

use blazon_book::{Base, Book, Local, RuleId, Type};

use super::difference::Difference;
use crate::error::Result;
use crate::game::Game;
use crate::told::{Refusal, View};

/// So many values of rules are looked at; the rest is counted.
const MOST_VALUES: usize = 40_000;

/// A position as its designer sees it, who may see all: to be held beside the same position under other rules.
#[derive(Clone, Debug, Default)]
pub struct Standpoint {
    /// What is asked of whom, in words; empty when the game is over.
    pub(super) asked: String,
    /// By player, option and arguments: the line.
    pub(super) open: BTreeMap<Choice, String>,
    pub(super) refused: BTreeMap<Choice, Refusal>,
    pub(super) view: Option<View>,
    /// By rule and argument.
    pub(super) values: BTreeMap<Asked, Answer>,
    /// How many values were not looked at.
    pub(super) unread: usize,
}

/// A choice by meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Choice {
    pub player: String,
    pub option: String,
    pub args: Vec<(String, String)>,
}

/// A rule, and the thing that it is asked about, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asked {
    pub rule: String,
    pub kind: String,
    pub thing: String,
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub value: String,
    /// File and line of the rule.
    pub place: String,
}

impl Standpoint {
    /// The position where a game stands.
    ///
    /// # Errors
    /// [`crate::Error::Fault`] if the rules fail that say who sees what.
    pub fn of(game: &mut Game) -> Result<Self> {
        let mut seen = Self { view: Some(game.view(None)?), ..Self::default() };
        let deciders = game.deciders();
        let mut prompts = Vec::new();
        for player in deciders {
            let name = game.player_name(player);
            prompts.push(format!("{name}: {}", game.prompt(player)));
            for offer in game.options(player) {
                let args = plain(&offer.args);
                seen.open.insert(Choice { player: name.clone(), option: offer.option, args }, offer.label);
            }
            for refusal in game.refusals(player) {
                let args = plain(&refusal.args);
                let choice = Choice { player: name.clone(), option: refusal.option.clone(), args };
                seen.refused.insert(choice, refusal);
            }
        }
        seen.asked = prompts.join(" · ");
        seen.read_rules(game);
        Ok(seen)
    }

    /// What is otherwise in another position, mostly the same one under later rules.
    pub fn difference(&self, after: &Self) -> Difference {
        Difference::between(self, after)
    }

    /// Asks every rule that needs nothing, or one thing.
    fn read_rules(&mut self, game: &mut Game) {
        let book = game.book().clone();
        for (id, rule) in book.rules.iter().enumerate() {
            let Some(kind) = asked_about(&book, &rule.locals[..rule.params]) else { continue };
            if matches!(rule.ty.base, Base::Permission | Base::Nothing | Base::Numbers | Base::Unknown) {
                continue;
            }
            let things = kind.map_or(1, |kind| kind.things.len());
            let place = book.sources.place(rule.span);
            if self.values.len() + things > MOST_VALUES {
                self.unread += things;
                continue;
            }
            for thing in 0..things {
                let args: Vec<i64> = kind.map(|_| thing as i64).into_iter().collect();
                // A rule that fails where nobody asks it says nothing here.
                let Ok(words) = game.machine.ask(RuleId(id as u32), &args) else { continue };
                let value = game.machine.show(rule.ty, &words, None);
                let (of, thing) = match kind {
                    Some(kind) => (kind.name.clone(), kind.things[thing].name.clone()),
                    None => (String::new(), String::new()),
                };
                let asked = Asked { rule: rule.name.clone(), kind: of, thing };
                self.values.insert(asked, Answer { value, place: place.clone() });
            }
        }
    }
}

/// The kind of things that a rule is asked about: inside `None` if it needs nothing, nothing at all if it needs more.
fn asked_about<'b>(book: &'b Book, params: &[Local]) -> Option<Option<&'b blazon_book::Kind>> {
    match params {
        [] => Some(None),
        [Local { ty: Type { base: Base::Thing(kind), .. }, .. }] => Some(Some(book.kind(*kind))),
        _ => None,
    }
}

fn plain(args: &crate::told::Arguments) -> Vec<(String, String)> {
    args.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
}
