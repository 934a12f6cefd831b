//! Which program sits where: `"greedy@200"` for all, one for each player in order, or by the players' names.

use std::collections::BTreeMap;

use blazon::PlayerId;
use blazon::bots::{Bot, Skill};
use blazon_book::Book;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString};

use crate::error::{names, unknown};

/// A program by its name.
///
/// # Errors
/// `UnknownError` if there is none of that name, or it is to judge by a rule that there is not.
pub fn skill(py: Python<'_>, book: &Book, text: &str) -> PyResult<Skill> {
    let skill: Skill = text.parse().map_err(|why: String| unknown(py, &why))?;
    skill.may_judge(book).map_err(|why| unknown(py, &why))?;
    Ok(skill)
}

/// The names of the players at the table.
pub fn players(book: &Book) -> Vec<String> {
    let things = &book.kind(book.player).things;
    let seated = book.players.iter().filter_map(|&player| things.get(player as usize));
    seated.map(|thing| thing.name.clone()).collect()
}

/// Who plays, by the players' places in their kind; whoever has no seat, or is not named, plays at random.
///
/// # Errors
/// As [`skill`], and `UnknownError` if a player is named that there is not, or there are more programs than players.
pub fn skills(book: &Book, asked: &Bound<'_, PyAny>) -> PyResult<Vec<Skill>> {
    let py = asked.py();
    let mut skills = vec![Skill::RANDOM; book.kind(book.player).things.len()];
    if let Ok(one) = asked.cast::<PyString>() {
        let one = skill(py, book, one.to_str()?)?;
        for &player in &book.players {
            if let Some(seat) = skills.get_mut(player as usize) {
                *seat = one.clone();
            }
        }
        return Ok(skills);
    }
    let seated = players(book);
    let mut seat = |place: usize, text: &str| -> PyResult<()> {
        let skill = skill(py, book, text)?;
        if let Some(seat) = book.players.get(place).and_then(|&player| skills.get_mut(player as usize)) {
            *seat = skill;
        }
        Ok(())
    };
    if let Ok(by_name) = asked.cast::<PyDict>() {
        for (name, text) in by_name {
            let name: String = name.extract()?;
            let found = seated.iter().position(|other| other.to_lowercase() == name.to_lowercase());
            let Some(place) = found else {
                let message = format!("no player is called `{name}`; there are {}", names(&seated));
                return Err(unknown(py, &message));
            };
            seat(place, &text.extract::<String>()?)?;
        }
        return Ok(skills);
    }
    let in_order: Vec<String> = asked.extract()?;
    if in_order.len() > seated.len() {
        let message = format!("there are more programs than players; there are {}", names(&seated));
        return Err(unknown(py, &message));
    }
    for (place, text) in in_order.iter().enumerate() {
        seat(place, text)?;
    }
    Ok(skills)
}

/// The programs that were asked in a game. Each is made when it is first asked, and knows from then on what it was asked, chose
/// and learned.
#[derive(Default)]
pub struct Bots(BTreeMap<(PlayerId, Skill), Box<dyn Bot>>);

impl Bots {
    /// The program of a skill that a player has; a new one plays by the seed.
    pub fn of(&mut self, player: PlayerId, skill: &Skill, seed: u64) -> &mut dyn Bot {
        let made = || new(player, skill, seed);
        self.0.entry((player, skill.clone())).or_insert_with(made).as_mut()
    }

    /// The same program as it is now; what the other is asked this one does not know.
    pub fn twin_of(&self, player: PlayerId, skill: &Skill, seed: u64) -> Box<dyn Bot> {
        match self.0.get(&(player, skill.clone())) {
            Some(bot) => bot.twin(),
            None => new(player, skill, seed),
        }
    }

    /// They will not be asked for a while.
    pub fn rest(&mut self) {
        self.0.values_mut().for_each(|bot| bot.rest());
    }
}

impl Clone for Bots {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|(key, bot)| (key.clone(), bot.twin())).collect())
    }
}

/// A program for a player, with a seed of its own.
fn new(player: PlayerId, skill: &Skill, seed: u64) -> Box<dyn Bot> {
    skill.bot(seed.wrapping_add(u64::from(u32::from(player))))
}
