//! How well a player made of code plays, as it is written on a command line or in a file: `random`, `even`, `greedy`,
//! `search`, with how many positions it tries for a decision (`search@2000`) and by which rule it judges them
//! (`greedy:thrift`).

use std::fmt;
use std::str::FromStr;

use blazon_book::{Book, RuleId};

use super::{Bot, Effort, Flat, OUTLOOK, Pick, Random, Search};

/// How a player made of code chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// An option's name first, then one of its options.
    Random,
    /// Any option.
    Even,
    /// The best of what it tries, little as that is.
    Greedy,
    /// The best of what it tries in games that go on sensibly.
    Search,
}

/// All ways by their names.
const WAYS: [(&str, Way); 4] =
    [("random", Way::Random), ("even", Way::Even), ("greedy", Way::Greedy), ("search", Way::Search)];

/// How well a player made of code plays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Skill {
    /// How it chooses.
    pub way: Way,
    /// How many positions it tries for one decision; nothing where it tries none, or the usual number.
    pub positions: Option<usize>,
    /// The rule by which it judges positions, if it is another than `outlook`.
    pub outlook: Option<String>,
}

impl Skill {
    /// One that picks at random: a name first, then one of its options.
    pub const RANDOM: Self = Self { way: Way::Random, positions: None, outlook: None };
    /// One that plays sensibly and keeps nobody waiting.
    pub const GREEDY: Self = Self { way: Way::Greedy, positions: None, outlook: None };
    /// One that thinks a good while.
    pub const SEARCH: Self = Self { way: Way::Search, positions: None, outlook: None };

    /// How hard it thinks; nothing if it does not.
    pub fn effort(&self) -> Option<Effort> {
        let usual = match self.way {
            Way::Random | Way::Even => return None,
            Way::Greedy => Effort::QUICK,
            Way::Search => Effort::THOROUGH,
        };
        Some(Effort { positions: self.positions.unwrap_or(usual.positions), ..usual })
    }

    /// Whether it plays as another one, whatever they are called: `greedy` tries the usual number of positions, and so does
    /// who is told that number.
    pub fn plays_as(&self, other: &Self) -> bool {
        let of = |skill: &Self| {
            let effort = skill.effort();
            let outlook = effort.map(|_| skill.outlook.clone().unwrap_or_else(|| OUTLOOK.to_owned()));
            (skill.way, effort.map(|effort| effort.positions), outlook)
        };
        of(self) == of(other)
    }

    /// About how many positions a decision of its takes: 1 where it does not think.
    pub fn cost(&self) -> usize {
        self.effort().map_or(1, |effort| effort.positions.max(1))
    }

    /// Whether it finds the rule in a book that it is to judge by: otherwise it would play on, and judge by nothing.
    ///
    /// # Errors
    /// In words, if it does not.
    pub fn may_judge(&self, book: &Book) -> Result<(), String> {
        match self.outlook.as_deref().filter(|rule| book.outlook(rule).is_none()) {
            None => Ok(()),
            Some(rule) => Err(format!(
                "`{self}` cannot judge: there is no rule `{rule}` of one player that gives a number; by default it is \
                 `{OUTLOOK}`"
            )),
        }
    }

    /// The rule of a book that it judges by; nothing if it judges nothing, or the book has none.
    pub fn judges_by(&self, book: &Book) -> Option<RuleId> {
        self.effort().and_then(|_| book.outlook(self.outlook.as_deref().unwrap_or(OUTLOOK)))
    }

    /// A player of this skill; the same seed plays the same.
    pub fn bot(&self, seed: u64) -> Box<dyn Bot> {
        let effort = self.effort().unwrap_or(Effort::QUICK);
        match self.way {
            Way::Random => Box::new(Random::new(seed, Pick::ByName)),
            Way::Even => Box::new(Random::new(seed, Pick::Evenly)),
            Way::Greedy => Box::new(Flat::new(seed, effort).by(self.outlook.as_deref())),
            Way::Search => Box::new(Search::new(seed, effort).by(self.outlook.as_deref())),
        }
    }
}

impl FromStr for Skill {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (head, outlook) = match text.split_once(':') {
            Some((head, rule)) => (head, Some(rule.split_whitespace().collect::<Vec<_>>().join(" "))),
            None => (text, None),
        };
        let (name, positions) = match head.split_once('@') {
            Some((name, positions)) => (name, Some(positions.trim())),
            None => (head, None),
        };
        let name = name.trim();
        let Some(&(_, way)) = WAYS.iter().find(|(known, _)| *known == name) else {
            return Err(format!(
                "nobody is called `{name}`; there are {}, with `@1000` for how many positions they try and `:rule` for \
                 the rule that they judge by",
                blazon_diagnostics::list(WAYS.map(|(name, _)| name), "and")
            ));
        };
        let thinks = matches!(way, Way::Greedy | Way::Search);
        if !thinks && (positions.is_some() || outlook.is_some()) {
            return Err(format!("`{name}` tries no positions and judges none; write `{name}` alone"));
        }
        let positions = match positions.map(|positions| (positions, positions.parse::<usize>())) {
            None => None,
            Some((_, Ok(count @ 1..=100_000_000))) => Some(count),
            Some((given, _)) => {
                return Err(format!(
                    "`{given}` is no number of positions; write 1 to 100000000 behind the `@`"
                ));
            }
        };
        if outlook.as_ref().is_some_and(String::is_empty) {
            return Err("the name of a rule is missing behind the `:`".to_owned());
        }
        Ok(Self { way, positions, outlook })
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = WAYS.iter().find(|(_, way)| *way == self.way).map_or("", |(name, _)| name).to_owned();
        if let Some(positions) = self.positions {
            text += &format!("@{positions}");
        }
        if let Some(outlook) = &self.outlook {
            text += &format!(":{outlook}");
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_are_read_as_they_are_written() {
        for text in
            ["random", "even", "greedy", "search", "search@2000", "greedy:thrift", "search@50:long view"]
        {
            assert_eq!(text.parse::<Skill>().unwrap().to_string(), text);
        }
        assert_eq!("search@50".parse::<Skill>().unwrap().cost(), 50);
        assert_eq!(Skill::RANDOM.cost(), 1);
    }

    #[test]
    fn what_is_no_skill_says_what_there_is() {
        assert!("nobody".parse::<Skill>().unwrap_err().contains("greedy"));
        assert!("random@5".parse::<Skill>().unwrap_err().contains("tries no positions"));
        for text in ["search@0", "search@many", "search@", "greedy:"] {
            assert!(text.parse::<Skill>().is_err(), "{text}");
        }
    }
}
