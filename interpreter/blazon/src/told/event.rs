//! What happened.

use std::collections::BTreeMap;

use blazon_machine::save::argument;
use blazon_machine::{Event as Raw, NOTHING};
use serde::Serialize;

use super::{Argument, Arguments};
use crate::game::Game;
use crate::ids::PlayerId;
use crate::present::values;

/// Something that happened, as an umpire knows it. What a player may know of it stands in [`Self::known_to`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// What.
    #[serde(flatten)]
    pub what: Happened,
    /// The whole of it in words; nothing if there is nothing to tell.
    pub text: Option<String>,
    /// What each player may know of it, by name, where that is not the whole.
    #[serde(rename = "for", skip_serializing_if = "BTreeMap::is_empty")]
    pub known: BTreeMap<String, Option<String>>,
    /// The arguments of an option as each player may know them, by name, where they are others.
    #[serde(rename = "args_for", skip_serializing_if = "BTreeMap::is_empty")]
    pub meant: BTreeMap<String, Arguments>,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Happened {
    /// An option was taken.
    Chosen {
        /// For whom: the player that the rules asked.
        player: String,
        /// Its name.
        option: Option<String>,
        /// Its arguments.
        args: Arguments,
        /// Whether it was the only one and so taken unasked.
        forced: bool,
    },
    /// The rules said something.
    Said,
    /// Dice were rolled.
    Rolled {
        /// The sides of each.
        sides: i64,
        /// What fell.
        dice: Vec<u8>,
    },
    /// Things were drawn.
    Drawn {
        /// Their kind.
        kind: String,
        /// Which.
        things: Vec<String>,
    },
    /// The game is over.
    Over {
        /// Who won.
        winner: Option<String>,
    },
}

impl Event {
    /// An event of a game in words and names.
    pub fn of(game: &Game, event: &Raw) -> Self {
        let text = game.tell(event, None);
        let what = Happened::of(game, event);
        let (mut known, mut meant) = (BTreeMap::new(), BTreeMap::new());
        for player in game.players() {
            let told = game.tell(event, Some(player)).or_else(|| count_of_drawn(game, event));
            if told != text {
                known.insert(game.player_name(player), told);
            }
            if let Happened::Chosen { args, .. } = &what {
                let read = as_read(game, event, player, args);
                meant.extend((read != *args).then(|| (game.player_name(player), read)));
            }
        }
        Self { what, text, known, meant }
    }

    /// What a player may know of it, in words; nothing if there is nothing to tell him.
    pub fn known_to(&self, player: &str) -> Option<&str> {
        self.known.get(player).unwrap_or(&self.text).as_deref()
    }
}

/// The arguments of an option that was taken, as far as a player may know them.
fn as_read(game: &Game, event: &Raw, player: PlayerId, args: &Arguments) -> Arguments {
    let read = game.machine().event_args(event, Some(player.into()));
    let as_read = |((name, arg), read): ((&str, &Argument), Option<String>)| {
        let is_thing = matches!(arg, Argument::Name(_));
        read.map(|read| (name.to_owned(), if is_thing { Argument::Name(read) } else { arg.clone() }))
    };
    args.iter().zip(read).filter_map(as_read).collect()
}

/// What everybody may know of a draw of things with hidden faces: how many they were.
fn count_of_drawn(game: &Game, event: &Raw) -> Option<String> {
    let Raw::Drawn { kind, things, .. } = event else { return None };
    let kind = game.book().kind(*kind);
    let noun = if things.len() == 1 { &kind.name } else { &kind.plural };
    (kind.seen.is_some() && !kind.name_on_back).then(|| format!("{} {noun}", things.len()))
}

impl Happened {
    fn of(game: &Game, event: &Raw) -> Self {
        let program = game.program();
        let book = game.book();
        match event {
            Raw::Chosen { asked, choice, option, args, forced, .. } => {
                let info = program.choices.get(*choice as usize);
                let info = info.and_then(|choice| choice.options.get(*option as usize));
                let params = info.into_iter().flat_map(|info| &info.params);
                let named = params.zip(args).map(|(param, &arg)| {
                    let value = match param.kind {
                        _ if arg == NOTHING => Argument::Nothing,
                        None => Argument::Number(arg),
                        kind => Argument::Name(argument(program, kind, arg)),
                    };
                    (param.name.clone(), value)
                });
                Self::Chosen {
                    player: game.player_name((*asked).into()),
                    option: info.map(|info| info.name.clone()),
                    args: named.collect(),
                    forced: *forced,
                }
            }
            Raw::Said { .. } => Self::Said,
            Raw::Rolled { sides, dice, .. } => Self::Rolled { sides: *sides, dice: dice.clone() },
            Raw::Drawn { kind, things, .. } => {
                let things = things.iter().map(|&thing| values::thing(book, *kind, thing));
                Self::Drawn { kind: book.kind(*kind).name.clone(), things: things.collect() }
            }
            Raw::Over { winner } => {
                Self::Over { winner: winner.map(|winner| game.player_name(winner.into())) }
            }
        }
    }
}
