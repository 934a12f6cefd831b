//! The open options of a player: what they are called, how they are listed, and which one some words mean.

use std::fmt::Write;

use blazon::present::cited;
use blazon::present::option_search::{self, Words};
use blazon::told::Offer;
use blazon::{Game, OptionId, PlayerId};

use super::layout::hanging;
use crate::console::{harmless, paint, style};

/// More options than this are listed in brief.
const MANY: usize = 24;
/// A name with more options than this is listed in brief then.
const SEVERAL: usize = 6;
/// More options than this are only counted, those of long names by their first argument.
const CROWD: usize = 60;
/// A name with more options than this is long.
const LONG: usize = 12;

/// An open option as a player reads it.
pub struct Open {
    /// What to choose it by.
    pub id: OptionId,
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its line.
    pub label: String,
    /// What tells it from others of the same line.
    pub apart: String,
    /// Its paragraphs.
    pub cites: Vec<String>,
    words: Words,
}

impl Open {
    /// The number that it is listed and typed by.
    pub fn number(&self) -> usize {
        self.id.index() + 1
    }

    /// What tells it from others, behind its line.
    pub fn apart(&self) -> String {
        if self.apart.is_empty() {
            return String::new();
        }
        paint(style::FAINT, format!(" · {}", harmless(&self.apart)))
    }
}

impl From<Offer> for Open {
    fn from(offer: Offer) -> Self {
        let args: Vec<String> = offer.args.iter().map(|(_, value)| value.to_string()).collect();
        let line =
            if offer.apart.is_empty() { &offer.label } else { &format!("{} {}", offer.label, offer.apart) };
        let words = words_of(&offer.option, &args, line);
        let Offer { id, option: name, label, apart, paragraphs: cites, .. } = offer;
        Self { id, name, args, label, apart, cites, words }
    }
}

/// The words by which an option is found.
pub fn words_of(name: &str, args: &[String], label: &str) -> Words {
    Words::new(&format!("{name} {}", args.join(" ")), label)
}

/// All open options of a player.
pub fn all(game: &mut Game, player: PlayerId) -> Vec<Open> {
    game.options(player).into_iter().map(Open::from).collect()
}

/// What a player means by some words: a number as listed, or words of the option.
pub fn meant<'a>(typed: &str, open: &'a [Open]) -> Vec<&'a Open> {
    let typed = typed.trim();
    if let Ok(number) = typed.parse::<usize>() {
        let listed = open.iter().find(|option| option.number() == number);
        // A number may also be an argument: `pay 3`, or just `3` where there are fewer options.
        if listed.is_some() {
            return listed.into_iter().collect();
        }
    }
    option_search::find(typed, open.iter().map(|option| &option.words))
        .into_iter()
        .map(|place| &open[place])
        .collect()
}

/// The options that a line may mean which is a command as well: those that the line fits and whose name or line begins with its
/// first word. A command of one word, such as `undo`, is meant as such unless it is all of an option's words.
pub fn begun_by<'a>(typed: &str, open: &'a [Open]) -> Vec<&'a Open> {
    let mut begun = meant(typed, open);
    begun.retain(|option| option.words.are_begun_by(typed));
    begun
}

/// For what options are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// As a question is put: many in brief, without their lines; of very many, the long names are only counted.
    Asked,
    /// As those that some words mean: many in brief.
    Found,
    /// As all are wanted: line by line.
    All,
}

/// Lists options, those of one name together.
pub fn list(open: &[&Open], listed: Listed, width: usize) -> String {
    let mut out = String::new();
    let digits = open.iter().map(|option| (option.number()).to_string().len()).max().unwrap_or(1);
    let mut names: Vec<&str> = Vec::new();
    for option in open {
        if !names.contains(&option.name.as_str()) {
            names.push(&option.name);
        }
    }
    let (mut counted, mut in_brief) = (None, false);
    for name in &names {
        let group: Vec<&Open> = open.iter().filter(|option| option.name == *name).copied().collect();
        if names.len() > 1 || open.len() > MANY {
            out += &heading(name, &group);
        }
        let long = group.len() > LONG && group[0].args.len() > 1;
        if open.len() > CROWD && long && listed == Listed::Asked {
            out += &counts(&group, width);
            counted = counted.or(Some(format!("{name} {}", group[0].args[0].to_lowercase())));
        } else if group.len() > CROWD && group[0].args.len() == 1 && listed == Listed::Asked {
            out += &brief(&group[..LONG], width);
            out += &more(group.len() - LONG);
            counted = counted.or(Some(format!("{name} {}", group[LONG].args[0].to_lowercase())));
        } else if open.len() > MANY
            && group.len() > SEVERAL
            && !group[0].args.is_empty()
            && listed != Listed::All
        {
            out += &brief(&group, width);
            in_brief = true;
        } else {
            for option in group {
                let number = paint(style::STRONG, format!("{:>digits$}", option.number()));
                let _ = writeln!(out, "  {number}  {}{}", harmless(&option.label), option.apart());
            }
        }
    }
    let hint = match counted {
        Some(words) => format!("  type `{words}` to see some of them, `list` to see all"),
        None if in_brief && listed == Listed::Asked => "  `list` shows them line by line".to_owned(),
        None => return out,
    };
    let _ = writeln!(out, "{}", paint(style::FAINT, hint));
    out
}

/// The first arguments, with how many options each has.
fn counts(group: &[&Open], width: usize) -> String {
    let runs: Vec<&[&Open]> = group.chunk_by(|a, b| a.args[0] == b.args[0]).collect();
    let shown = runs.iter().take(CROWD);
    let items: Vec<String> = shown
        .map(|run| format!("{} {}", harmless(&run[0].args[0]), paint(style::FAINT, run.len())))
        .collect();
    let rest = runs.len().saturating_sub(CROWD);
    hanging("  ", &items, ", ", width) + &if rest > 0 { more(rest) } else { String::new() }
}

/// How many are not listed.
fn more(count: usize) -> String {
    format!("  {}\n", paint(style::FAINT, format!("and {count} more")))
}

fn heading(name: &str, group: &[&Open]) -> String {
    let cites: String = group.first().map(|option| cited(&option.cites)).unwrap_or_default();
    let count = if group.len() > SEVERAL { format!(" ({})", group.len()) } else { String::new() };
    format!("{}{}{}\n", paint(style::CARE, name), paint(style::FAINT, count), paint(style::PLACE, cites))
}

/// By the first arguments, the last ones in a row with their numbers.
fn brief(group: &[&Open], width: usize) -> String {
    let mut out = String::new();
    let first = |option: &Open| option.args[..option.args.len().saturating_sub(1)].join(", ");
    for run in group.chunk_by(|a, b| first(a) == first(b)) {
        let items: Vec<String> = run
            .iter()
            .map(|option| {
                let last = option.args.last().map(String::as_str).unwrap_or_default();
                format!("{}\u{a0}{}{}", paint(style::STRONG, option.number()), harmless(last), option.apart())
            })
            .collect();
        let first = first(run[0]);
        let first = if first.is_empty() { String::new() } else { format!("{}:  ", harmless(&first)) };
        out += &hanging(&format!("  {first}"), &items, "  ", width);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(count: usize) -> Vec<Open> {
        let open = |index: usize| {
            let (args, label) = (vec![format!("Hex {index}")], format!("Go to hex {index}"));
            let words = words_of("go", &args, &label);
            let name = "go".to_owned();
            Open { id: index.into(), name, args, label, apart: String::new(), cites: Vec::new(), words }
        };
        (0..count).map(open).collect()
    }

    #[test]
    fn a_thousand_options_fit_on_the_screen() {
        let open = places(1000);
        let all: Vec<&Open> = open.iter().collect();
        let brief = list(&all, Listed::Asked, 80);
        assert!(brief.lines().count() < 10, "{brief}");
        assert!(brief.contains("and 988 more") && brief.contains("to see some of them"), "{brief}");
        assert!(list(&all, Listed::Found, 80).contains("Hex 999"));
        assert_eq!(list(&all, Listed::All, 80).matches("Go to hex").count(), 1000);
        let few = list(&all[..30], Listed::Asked, 80);
        assert!(few.contains("Hex 29") && !few.contains("Go to"), "{few}");
        assert!(few.contains("`list` shows them line by line"), "{few}");
        assert_eq!(meant("go hex 777", &open).len(), 1);
    }
}
