//! Who sits at the table: people, and programs that play.

use std::str::FromStr;

use blazon::{Game, OptionId, PlayerId};
use blazon_book::Book;
use blazon_machine::Machine;
use blazon_machine::bots::{Bot, Effort, Flat, Pick, Random, Search};

use crate::exit::{Failure, Result};

/// What can sit on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person.
    Human,
    /// Picks an option's name first, then one of its options.
    Random,
    /// Picks any option.
    Even,
    /// Looks a little ahead.
    Greedy,
    /// Looks far ahead and takes its time.
    Search,
}

const NAMES: [(&str, Seat); 5] = [
    ("human", Seat::Human),
    ("random", Seat::Random),
    ("even", Seat::Even),
    ("greedy", Seat::Greedy),
    ("search", Seat::Search),
];

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let names = NAMES.map(|(name, _)| name);
        match NAMES.iter().find(|(name, _)| *name == text.trim()) {
            Some((_, seat)) => Ok(*seat),
            None => Err(format!("nobody is called so; there are {}", blazon_diagnostics::list(names, "and"))),
        }
    }
}

/// All seats, by the players' places in their kind.
pub struct Seats {
    seats: Vec<Seat>,
    bots: Vec<Option<Box<dyn Bot>>>,
}

impl Seats {
    /// Seats as they were asked for: one for all, or one for each at the table in order, or by name.
    ///
    /// # Errors
    /// If there are too many, or a name is unknown.
    pub fn new(book: &Book, asked: &[(Option<String>, Seat)], seed: u64) -> Result<Self> {
        let things = &book.kind(book.player).things;
        let mut seats = vec![Seat::Human; things.len()];
        if let [(None, seat)] = asked {
            seats.fill(*seat);
        } else {
            let mut next = book.players.iter();
            for (name, seat) in asked {
                let place = match name {
                    None => next.next().map(|&player| player as usize),
                    Some(name) => {
                        let named = |place: &usize| things[*place].name.to_lowercase() == name.to_lowercase();
                        book.players.iter().map(|&player| player as usize).find(named)
                    }
                };
                match place {
                    Some(place) => seats[place] = *seat,
                    None => {
                        let names: Vec<&str> = book
                            .players
                            .iter()
                            .map(|&player| things[player as usize].name.as_str())
                            .collect();
                        let names = blazon_diagnostics::list(&names, "and");
                        return Err(Failure::Usage(match name {
                            Some(name) => format!("no player is called `{name}`; there are {names}"),
                            None => format!("there are more seats than players; there are {names}"),
                        }));
                    }
                }
            }
        }
        let bot = |(place, seat): (usize, &Seat)| seat.bot(seed.wrapping_add(place as u64));
        let bots = seats.iter().enumerate().map(bot).collect();
        Ok(Self { seats, bots })
    }

    /// Whether a person sits there.
    pub fn is_human(&self, player: PlayerId) -> bool {
        self.seats.get(player.index()).is_none_or(|seat| *seat == Seat::Human)
    }

    /// Who sits there.
    pub fn seat(&self, player: PlayerId) -> Seat {
        self.seats.get(player.index()).copied().unwrap_or(Seat::Human)
    }

    /// How many people play, of those at the table.
    pub fn humans(&self, book: &Book) -> usize {
        book.players.iter().filter(|&&player| self.is_human(player.into())).count()
    }

    /// What the program on a seat chooses; nothing where a person sits.
    pub fn decide(&mut self, game: &mut Game, player: PlayerId) -> Option<OptionId> {
        let bot = self.bots.get_mut(player.index())?.as_mut()?;
        Some(game.ask(player, bot.as_mut()))
    }

    /// The same for a machine that belongs to no game.
    pub fn pick(&mut self, machine: &mut Machine, player: u32) -> Option<usize> {
        let bot = self.bots.get_mut(player as usize)?.as_mut()?;
        Some(bot.decide(machine, player))
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = NAMES.iter().find(|(_, seat)| seat == self).map_or("", |(name, _)| name);
        f.pad(name)
    }
}

impl Seat {
    fn bot(self, seed: u64) -> Option<Box<dyn Bot>> {
        Some(match self {
            Self::Human => return None,
            Self::Random => Box::new(Random::new(seed, Pick::ByName)),
            Self::Even => Box::new(Random::new(seed, Pick::Evenly)),
            Self::Greedy => Box::new(Flat::new(seed, Effort::QUICK)),
            Self::Search => Box::new(Search::new(seed, Effort::THOROUGH)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_have_names() {
        assert_eq!("greedy".parse(), Ok(Seat::Greedy));
        assert!("nobody".parse::<Seat>().unwrap_err().contains("human"));
    }
}
