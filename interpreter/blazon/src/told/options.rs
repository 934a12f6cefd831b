//! What is asked, what is open, and what is refused.

use std::fmt;

use blazon_book::{Base, KindId, Type};
use blazon_machine::{Machine, NOTHING};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::apart::tell_apart;
use crate::game::Game;
use crate::ids::{OptionId, PlayerId};

/// An argument of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Argument {
    /// No thing and no number.
    Nothing,
    /// A number.
    Number(i64),
    /// A thing by its name, or by its back if its face is hidden.
    Name(String),
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("none"),
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// The arguments of an option by name, in the order of the rules; which order does not matter when they are compared.
#[derive(Clone, Debug, Default, Eq)]
pub struct Arguments(Vec<(String, Argument)>);

impl Arguments {
    /// Names and values in the order of the rules.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Argument)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The argument of a name.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, Argument)> for Arguments {
    fn from_iter<T: IntoIterator<Item = (String, Argument)>>(args: T) -> Self {
        Self(args.into_iter().collect())
    }
}

impl PartialEq for Arguments {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// An open option by its numbers: what stands behind an [`Offer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// What to choose it by, until the next choice.
    pub id: OptionId,
    /// Its place among the options of the choice.
    pub option: u16,
    /// Its arguments: things by their places in their kinds, or numbers; [`NOTHING`] where there is neither.
    pub args: Vec<i64>,
}

/// An open option as it is offered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    /// What to choose it by, until the next choice.
    pub id: OptionId,
    /// Its name.
    pub option: String,
    /// Its arguments, as the player may know them.
    pub args: Arguments,
    /// Its line.
    pub label: String,
    /// What tells it from others of the same line, as the player sees it: `port Bergen`. Mostly empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub apart: String,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
}

/// What a player is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// Who is asked.
    pub player: String,
    /// All who must decide now.
    pub deciders: Vec<String>,
    /// How many decisions were taken before.
    pub decision: u64,
    /// The words of the rules; empty if they give none.
    pub prompt: String,
    /// The paragraphs of the decision.
    pub paragraphs: Vec<String>,
    /// All that is open.
    pub options: Vec<Offer>,
}

/// An option that is not open, and the first need that refuses it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// Its name.
    pub option: String,
    /// Its arguments, as the player may know them.
    pub args: Arguments,
    /// Its line.
    pub label: String,
    /// Why not: the need's own words, or its condition as written.
    pub reason: String,
    /// The need's label, or an empty text.
    pub need: String,
    /// The paragraphs of the need.
    pub paragraphs: Vec<String>,
    /// File and line of the need.
    pub place: Option<String>,
}

/// Whether an option is open, or why not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "standing", rename_all = "lowercase")]
pub enum Standing {
    /// It is open.
    Open,
    /// It is refused by a need.
    Refused(Refusal),
    /// It is not among what can be asked about here.
    Outside,
}

/// An argument as a viewer may know it; a hidden thing is told by its back.
pub(crate) fn argument(machine: &mut Machine, kind: Option<KindId>, arg: i64, viewer: PlayerId) -> Argument {
    match kind {
        _ if arg == NOTHING => Argument::Nothing,
        None => Argument::Number(arg),
        Some(kind) => {
            let ty = Type::maybe(Base::Thing(kind));
            Argument::Name(machine.show(ty, &[arg as u64], Some(viewer.into())))
        }
    }
}

/// The name and arguments of an option of what is being decided.
fn meaning(game: &mut Game, option: u16, args: &[i64], viewer: PlayerId) -> Option<(String, Arguments)> {
    let program = game.program().clone();
    let choice = program.choices.get(usize::from(u16::from(game.choice()?)))?;
    let info = choice.options.get(usize::from(option))?;
    let named = info.params.iter().zip(args);
    let named =
        named.map(|(param, &arg)| (param.name.clone(), game.argument(param.kind, arg, viewer))).collect();
    Some((info.name.clone(), named))
}

pub(crate) fn offers(game: &mut Game, player: PlayerId) -> Vec<Offer> {
    let open = game.machine.options(player.into());
    let open: Vec<(u16, Vec<i64>)> = open.iter().map(|open| (open.option, open.args.to_vec())).collect();
    let mut offers = Vec::with_capacity(open.len());
    for (place, (option, args)) in open.into_iter().enumerate() {
        let Some((name, args)) = meaning(game, option, &args, player) else { continue };
        let info = game.machine.choice().and_then(|choice| choice.options.get(usize::from(option)));
        let paragraphs = info.map(|info| info.cites.clone()).unwrap_or_default();
        let label = game.machine.label(player.into(), place, Some(player.into()));
        offers.push(Offer { id: place.into(), option: name, args, label, apart: String::new(), paragraphs });
    }
    tell_apart(game, player, &mut offers);
    offers
}

pub(crate) fn question(game: &mut Game, player: PlayerId) -> Question {
    Question {
        player: game.player_name(player),
        deciders: game.deciders().into_iter().map(|decider| game.player_name(decider)).collect(),
        decision: game.taken(),
        prompt: game.prompt(player),
        paragraphs: game.paragraphs(),
        options: game.options(player),
    }
}

pub(crate) fn refusals(game: &mut Game, player: PlayerId) -> Vec<Refusal> {
    let refused = game.machine.refused(player.into());
    let mut told = Vec::with_capacity(refused.len());
    for refusal in refused {
        let Some((option, args)) = meaning(game, refusal.option, &refusal.args, player) else { continue };
        let sources = game.sources();
        let place = sources.find(refusal.span.source).map(|_| sources.place(refusal.span));
        told.push(Refusal {
            option,
            args,
            label: refusal.label,
            reason: refusal.reason,
            need: refusal.need,
            paragraphs: refusal.cites,
            place,
        });
    }
    told
}
