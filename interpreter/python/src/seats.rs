//! Which program sits where: `"greedy@200"` for all, one for each player in order, or by the players' names.

use blazon::bots::{Bot, Skill};
use blazon::{OptionId, PlayerId};
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

/// The programs of a table, on the thread that plays.
pub struct Bots(Vec<Box<dyn Bot>>);

impl Bots {
    /// One for each seat, with seeds of their own.
    pub fn new(skills: &[Skill], seed: u64) -> Self {
        let bots = skills.iter().enumerate();
        Self(bots.map(|(place, skill)| skill.bot(seed.wrapping_add(place as u64))).collect())
    }

    /// What a player's program takes.
    pub fn ask(&mut self, game: &mut blazon::Game, player: PlayerId) -> OptionId {
        match self.0.get_mut(player.index()) {
            Some(bot) => game.ask(player, bot.as_mut()),
            None => OptionId::default(),
        }
    }
}
