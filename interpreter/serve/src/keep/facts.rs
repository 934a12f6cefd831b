//! What is played at a table and who sits where: `table.json`.

use std::collections::{BTreeMap, BTreeSet};

use blazon::bots::Skill;
use serde::{Deserialize, Serialize};

use crate::shelf::Wanted;

/// How many browsers may hold a seat; the first is forgotten for the next.
const BROWSERS: usize = 16;
/// The word for a person on a seat.
const HUMAN: &str = "human";

/// What is played at a table and who sits where.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// The form of the file.
    pub format: u32,
    /// The game, as it is named to the server.
    pub game: String,
    /// Its own name.
    pub title: String,
    /// The folders of its variants.
    pub variants: Vec<String>,
    /// The rulings asked for.
    pub rulings: Vec<(String, String)>,
    /// The setup.
    pub setup: String,
    /// The seed of its chance. It never leaves the server but in a save.
    pub seed: u64,
    /// The digest of the rules' text.
    pub rules: String,
    /// How often the game has gone on by other rules: its log begins anew then. 0: never.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub course: u32,
    /// Whether it goes on from a saved game, `begin.game`, which must be there then.
    #[serde(default)]
    pub saved: bool,
    /// Whether its log was begun: then it must be there. Tables of older servers had none before the first choice.
    #[serde(default)]
    pub logged: bool,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// Whether the server made it by itself.
    #[serde(default)]
    pub ready: bool,
    /// The players in the order of the rules.
    pub seats: Vec<Seat>,
    /// Who may look on.
    pub watch: Access,
    /// Which browser may change seats: a hash; the empty text is nobody.
    pub owner: String,
    /// Whether somebody has been told the whole game while it was under way, or before it began here: no other may sit down
    /// any more.
    #[serde(default)]
    pub told: bool,
    /// The table that came after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A player of the rules, and who plays him.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seat {
    /// The player's name.
    pub player: String,
    /// Who.
    pub sits: Sits,
    /// Whether whoever comes to the lobby may take it.
    #[serde(default)]
    pub open: bool,
    /// Who may play him.
    pub access: Access,
    /// Where he is called when it is his turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
}

impl Seat {
    /// Whether a person plays it, or has taken it and may play it again.
    pub fn is_manned(&self) -> bool {
        self.sits.is_human() || !self.access.browsers.is_empty()
    }

    /// Whether whoever comes to the lobby may take it now: one that a bot plays nobody takes behind its back.
    pub fn is_open(&self) -> bool {
        self.open && self.sits.is_human()
    }
}

/// Who plays a player. It is written as a word: `human`, or a bot's skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Sits {
    /// A person.
    Human,
    /// A bot of a skill.
    Bot(Skill),
}

impl Sits {
    /// Whether a person does.
    pub fn is_human(&self) -> bool {
        self.bot().is_none()
    }

    /// The skill of the bot that does.
    pub fn bot(&self) -> Option<&Skill> {
        match self {
            Self::Human => None,
            Self::Bot(skill) => Some(skill),
        }
    }
}

impl TryFrom<String> for Sits {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        if word == HUMAN { Ok(Self::Human) } else { word.parse().map(Self::Bot) }
    }
}

impl From<Sits> for String {
    fn from(sits: Sits) -> Self {
        match sits {
            Sits::Human => HUMAN.to_owned(),
            Sits::Bot(skill) => skill.to_string(),
        }
    }
}

/// Who may do something: whoever has the link, and the browsers that have shown it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Access {
    /// The hash of the link's secret; the empty text fits none.
    pub link: String,
    /// The hashes of the browsers' secrets.
    pub browsers: Vec<String>,
}

impl Access {
    /// Whether a browser has it.
    pub fn has(&self, browser: Option<&str>) -> bool {
        browser.is_some_and(|browser| self.browsers.iter().any(|other| other == browser))
    }

    /// A browser has it from now on.
    pub fn give(&mut self, browser: &str) {
        if !self.has(Some(browser)) {
            self.browsers.push(browser.to_owned());
            let over = self.browsers.len().saturating_sub(BROWSERS);
            self.browsers.drain(..over);
        }
    }
}

/// What a line of a saved game begins with that says which seats bots play.
const BOTS: &str = "// Bots: ";

/// Which seats bots played when a game was saved, and which bots, by their names; none if its text does not say so.
pub fn bots_of(saved: &str) -> BTreeMap<String, String> {
    let line = saved.lines().rev().find_map(|line| line.strip_prefix(BOTS));
    line.and_then(|names| serde_json::from_str(names).ok()).unwrap_or_default()
}

impl Facts {
    /// The number of this form of the file.
    pub const FORMAT: u32 = 1;

    /// The players that a browser may play, by place.
    pub fn seats_of(&self, browser: Option<&str>) -> Vec<usize> {
        let has = |place: &usize| self.seats[*place].access.has(browser);
        (0..self.seats.len()).filter(has).collect()
    }

    /// Whether a browser may look on: it plays, it has the link, or it made the table.
    pub fn may_watch(&self, browser: Option<&str>) -> bool {
        self.watch.has(browser) || self.is_owner(browser) || !self.seats_of(browser).is_empty()
    }

    /// Whether a browser made the table.
    pub fn is_owner(&self, browser: Option<&str>) -> bool {
        browser.is_some_and(|browser| browser == self.owner)
    }

    /// Whether one browser has all seats that no bot has, and nobody else looks on: only then its rules may become others
    /// while it is played.
    pub fn is_in_one_hand(&self) -> bool {
        let first = self.seats.iter().flat_map(|seat| &seat.access.browsers).next();
        let looks_on = |browser: &String| Some(browser) != first;
        self.is_alone(first.map(String::as_str)) && !self.watch.browsers.iter().any(looks_on)
    }

    /// Whether a browser may say who sits on a seat: it has it, or it made the table and nobody has sat down there. Whoever
    /// made the table must not come in behind one who has.
    pub fn may_reseat(&self, seat: usize, browser: Option<&str>) -> bool {
        let access = &self.seats[seat].access;
        access.has(browser) || self.is_owner(browser) && access.browsers.is_empty()
    }

    /// Whether a bot's hand would be told: a seat that nobody has is to be given to a person, and others have sat down, who
    /// took it for a bot's. Before anybody has chosen they may see who comes to play against them.
    pub fn tells_a_hand(&self, seat: usize, browser: Option<&str>) -> bool {
        let others = |seat: &Seat| seat.access.browsers.iter().any(|other| Some(other.as_str()) != browser);
        !self.seats[seat].is_manned() && self.seats.iter().any(others)
    }

    /// Which seats bots play, as a line of a saved game that only [`bots_of`] reads.
    pub fn bots_line(&self) -> String {
        let bots = self.seats.iter().filter_map(|seat| Some((&seat.player, seat.sits.bot()?.to_string())));
        let bots: BTreeMap<&String, String> = bots.collect();
        match serde_json::to_string(&bots) {
            Ok(names) if !bots.is_empty() => format!("\n{BOTS}{names}\n"),
            Ok(_) | Err(_) => String::new(),
        }
    }

    /// What is played here.
    pub fn wanted(&self) -> Wanted {
        let (game, variants) = (self.game.clone(), self.variants.clone());
        Wanted { game, variants, rulings: self.rulings.clone() }.sorted()
    }

    /// The name of the log.
    pub fn log(&self) -> String {
        match self.course {
            0 => "log.jsonl".to_owned(),
            course => format!("log-{course}.jsonl"),
        }
    }

    /// Whether nobody else's secret can be at stake: every seat is this browser's alone or a bot's.
    pub fn is_alone(&self, browser: Option<&str>) -> bool {
        let others = |seat: &Seat| seat.access.browsers.iter().any(|other| Some(other.as_str()) != browser);
        let fine = |seat: &Seat| !others(seat) && (!seat.sits.is_human() || seat.access.has(browser));
        !self.seats_of(browser).is_empty() && self.seats.iter().all(fine)
    }
}

impl Facts {
    /// The people of another table sit down here: their browsers come along, their links do not.
    pub fn seats_from(&mut self, other: &Self) {
        for (seat, before) in self.seats.iter_mut().zip(&other.seats) {
            seat.access.browsers.clone_from(&before.access.browsers);
            seat.webhook.clone_from(&before.webhook);
        }
        self.watch.browsers.clone_from(&other.watch.browsers);
        self.owner.clone_from(&other.owner);
    }

    /// A browser takes a seat, and all that its link opens, but none that is a bot's alone.
    pub fn take(&mut self, seat: usize, browser: &str) {
        for place in self.manned_with(seat) {
            let seat = &mut self.seats[place];
            seat.access.give(browser);
            seat.open = false;
        }
    }

    /// A seat, and the others that its link opens.
    pub fn opened_with(&self, seat: usize) -> Vec<usize> {
        let link = self.seats.get(seat).map(|seat| seat.access.link.as_str()).unwrap_or_default();
        let same =
            |place: &usize| *place == seat || !link.is_empty() && self.seats[*place].access.link == link;
        (0..self.seats.len()).filter(same).collect()
    }

    /// The same without those that are bots' alone.
    pub fn manned_with(&self, seat: usize) -> Vec<usize> {
        self.opened_with(seat).into_iter().filter(|&place| self.seats[place].is_manned()).collect()
    }

    /// Whether bots play all that the link of a seat opens: nobody sits down there, as long as it is shown as theirs.
    pub fn is_bots(&self, seat: usize) -> bool {
        self.opened_with(seat).iter().all(|&place| !self.seats[place].sits.is_human())
    }

    /// Whether a browser has all that the link of a seat opens, or of spectators.
    pub fn has_opened(&self, seat: Option<usize>, browser: &str) -> bool {
        let has = |access: &Access| access.has(Some(browser));
        match seat {
            Some(seat) => {
                let seats = self.manned_with(seat);
                !seats.is_empty() && seats.iter().all(|&seat| has(&self.seats[seat].access))
            }
            None => has(&self.watch),
        }
    }

    /// A seat, and the others that a new link for it is to open: where somebody has been told the whole game, those that
    /// the same browsers have, since whoever comes must take them all.
    pub fn linked_with(&self, seat: usize) -> Vec<usize> {
        let Some(hands) = self.seats.get(seat).map(|seat| &seat.access.browsers) else { return Vec::new() };
        let same = |other: &Seat| {
            let browsers = &other.access.browsers;
            self.told && other.is_manned() && browsers.iter().all(|browser| hands.contains(browser))
        };
        (0..self.seats.len()).filter(|&place| place == seat || same(&self.seats[place])).collect()
    }

    /// Whether a browser has every seat that people have: nobody plays against it who could know more, or less.
    pub fn has_all(&self, browser: &str) -> bool {
        self.seats.iter().filter(|seat| seat.is_manned()).all(|seat| seat.access.has(Some(browser)))
    }

    /// The hashes of all browsers that have something here.
    pub fn browsers(&self) -> BTreeSet<&str> {
        let seats = self.seats.iter().map(|seat| &seat.access);
        let shown = seats.chain([&self.watch]).flat_map(|access| &access.browsers);
        shown.chain([&self.owner]).map(String::as_str).filter(|browser| !browser.is_empty()).collect()
    }

    /// Whether a browser's hash is known here.
    pub fn knows(&self, browser: &str) -> bool {
        self.may_watch(Some(browser))
    }

    /// One link opens all seats: people play at one screen.
    pub fn share_link(&mut self, hashed: &str) {
        for seat in &mut self.seats {
            hashed.clone_into(&mut seat.access.link);
        }
    }

    /// Another link for a seat, or for spectators, by its secret's hash; where somebody has been told the whole game, for all
    /// seats in that hand.
    pub fn link_anew(&mut self, seat: Option<usize>, hashed: &str) {
        match seat {
            Some(seat) => {
                for seat in self.linked_with(seat) {
                    hashed.clone_into(&mut self.seats[seat].access.link);
                }
            }
            None => hashed.clone_into(&mut self.watch.link),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sits_is_written_as_a_word() {
        for word in ["human", "random", "greedy", "search", "search@2000"] {
            let json = format!("\"{word}\"");
            let sits: Sits = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&sits).unwrap(), json);
            assert_eq!(sits.is_human(), word == "human");
        }
        assert!(serde_json::from_str::<Sits>("\"nobody\"").is_err());
    }
}
