//! What happened.

use std::collections::BTreeMap;

use blazon_machine::save::argument;
use blazon_machine::{Event as Raw, NOTHING};
use serde::Serialize;

use super::{Argument, Arguments};
use crate::game::Game;
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
        let mut known = BTreeMap::new();
        for player in game.players() {
            let told = game.tell(event, Some(player));
            if told != text {
                known.insert(game.player_name(player), told);
            }
        }
        Self { what: Happened::of(game, event), text, known }
    }

    /// What a player may know of it, in words; nothing if there is nothing to tell him.
    pub fn known_to(&self, player: &str) -> Option<&str> {
        self.known.get(player).unwrap_or(&self.text).as_deref()
    }
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
