//! Who sits at the table: people, and programs that play.

use std::str::FromStr;

use blazon::{Game, OptionId, PlayerId};
use blazon_book::Book;
use blazon_machine::bots::{Bot, Skill};

use crate::exit::{Failure, Result};

/// What can sit on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person.
    Human,
    /// A program.
    Bot(Skill),
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text.trim() {
            "human" => Ok(Self::Human),
            skill => skill.parse().map(Self::Bot),
        }
    }
}

/// Whether a program finds the rule in a book that it is to judge by.
///
/// # Errors
/// If it does not: it would play on, and judge by nothing.
pub fn may_judge(book: &Book, skill: &Skill) -> Result<()> {
    skill.may_judge(book).map_err(Failure::Usage)
}

/// The first of some programs that plays as one before it, with that one.
pub fn twins(skills: &[Skill]) -> Option<(&Skill, &Skill)> {
    skills.iter().enumerate().find_map(|(place, skill)| {
        let other = skills[..place].iter().find(|other| other.plays_as(skill))?;
        Some((other, skill))
    })
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
            seats.fill(seat.clone());
        } else {
            let (mut next, mut named) = (book.players.iter(), Vec::new());
            for (name, seat) in asked {
                let place = match name {
                    None => next.next().map(|&player| player as usize),
                    Some(name) => {
                        let is_called =
                            |place: &usize| things[*place].name.to_lowercase() == name.to_lowercase();
                        book.players.iter().map(|&player| player as usize).find(is_called)
                    }
                };
                match place {
                    Some(place) if named.contains(&place) => {
                        return Err(Failure::Usage(format!("two are named for {}", things[place].name)));
                    }
                    Some(place) => {
                        named.push(place);
                        seats[place] = seat.clone();
                    }
                    None => {
                        let names: Vec<&str> = book
                            .players
                            .iter()
                            .map(|&player| things[player as usize].name.as_str())
                            .collect();
                        let names = blazon_diagnostics::list(&names, "and");
                        return Err(Failure::Usage(match name {
                            Some(name) => format!("no player is called `{name}`; there are {names}"),
                            None => {
                                let count = asked.iter().filter(|(name, _)| name.is_none()).count();
                                format!("{count} players are named for {} seats: {names}", book.players.len())
                            }
                        }));
                    }
                }
            }
        }
        for seat in &seats {
            if let Seat::Bot(skill) = seat {
                may_judge(book, skill)?;
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

    /// The programs that sit at a table without people, by the players' places in their kind; whoever has no seat is
    /// played at random.
    ///
    /// # Errors
    /// If a person sits at the table.
    pub fn skills(&self, book: &Book) -> Result<Vec<Skill>> {
        let things = &book.kind(book.player).things;
        let skill = |(place, seat): (usize, &Seat)| match seat {
            Seat::Bot(skill) => Ok(skill.clone()),
            Seat::Human if !book.players.contains(&(place as u32)) => Ok(Skill::RANDOM),
            Seat::Human => Err(Failure::Usage(format!(
                "nobody sits at the keyboard here: say which program plays {}",
                things[place].name
            ))),
        };
        self.seats.iter().enumerate().map(skill).collect()
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
}

/// Who plays, as it is asked for on the command line.
pub fn written(players: &[(Option<String>, impl std::fmt::Display)]) -> String {
    let players = players.iter().map(|(name, seat)| match name {
        Some(name) => format!("{name}={seat}"),
        None => seat.to_string(),
    });
    players.collect::<Vec<_>>().join(",")
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Human => f.pad("human"),
            Self::Bot(skill) => skill.fmt(f),
        }
    }
}

impl Seat {
    fn bot(&self, seed: u64) -> Option<Box<dyn Bot>> {
        match self {
            Self::Human => None,
            Self::Bot(skill) => Some(skill.bot(seed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_have_names() {
        assert_eq!("greedy".parse(), Ok(Seat::Bot(Skill::GREEDY)));
        assert_eq!("human".parse(), Ok(Seat::Human));
        assert!("nobody".parse::<Seat>().is_err());
    }
}
