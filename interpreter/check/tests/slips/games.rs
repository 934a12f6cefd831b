//! Slips of one letter in names and keywords of whole games, drawn by dice that fall alike in each run.

use blazon_check::project::{ParseCache, Project, parse_anyway};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Format, Style, render};
use blazon_fixtures::tries;

use crate::loading::game;
use crate::{KEYWORDS, names, slips};

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// The messages about a project, each by itself.
fn said(project: &Project, cache: &mut ParseCache) -> Vec<String> {
    let parsed = parse_anyway(project, cache);
    let mut diagnostics = check(&parsed, &Settings::default()).diagnostics;
    diagnostics.sort_by_key(|d| (d.stage, d.span.map(|span| (span.source, span.start))));
    let style = Style { color: false, unicode: true, width: 110 };
    diagnostics
        .iter()
        .map(|d| render(std::slice::from_ref(d), &parsed.sources, Format::Human, style))
        .collect()
}

/// The words of a page outside texts, remarks and citations: where each stands.
fn words(page: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let end = [" --", " @"].iter().filter_map(|sign| line.find(sign)).min();
        let code = if line.starts_with("--") { &line[..0] } else { &line[..end.unwrap_or(line.len())] };
        for piece in code.split('"').step_by(2) {
            for word in piece.split(|c: char| !c.is_alphabetic()).filter(|word| word.is_ascii()) {
                found.push((at + word.as_ptr() as usize - line.as_ptr() as usize, word));
            }
        }
        at += line.len();
    }
    found
}

/// What a message says without the lines of the page that it shows.
fn words_of(message: &str) -> String {
    message.lines().filter(|line| !line.contains(" │ ")).collect::<Vec<_>>().join("\n")
}

#[derive(Default)]
struct Count {
    all: usize,
    caught: usize,
    named: usize,
    first: usize,
}

/// Makes slips in the words of a game that are chosen, and counts what is said of them.
fn slip(name: &str, seed: u64, wanted: usize, chosen: &dyn Fn(&str) -> bool, count: &mut Count) {
    let (mut cache, mut dice) = (ParseCache::default(), Dice(seed));
    let mut project = game(name, &[]);
    let before = said(&project, &mut cache);
    let places: Vec<(usize, usize, String)> = project
        .game
        .pages
        .iter()
        .enumerate()
        .filter(|(_, page)| !page.name.contains("/tests/") && !page.name.contains("board"))
        .flat_map(|(page, text)| {
            words(&text.text).into_iter().map(move |(at, word)| (page, at, word.to_owned()))
        })
        .filter(|(_, _, word)| chosen(word))
        .collect();
    for _ in 0..wanted {
        let (page, at, word) = &places[dice.below(places.len())];
        let all = slips(word);
        let slip = &all[dice.below(all.len())];
        let whole = project.game.pages[*page].text.clone();
        project.game.pages[*page].text.replace_range(*at..at + word.len(), slip);
        let said: Vec<String> =
            said(&project, &mut cache).into_iter().filter(|message| !before.contains(message)).collect();
        project.game.pages[*page].text = whole.clone();
        let is_named = |message: &String| names(&words_of(message), word);
        count.all += 1;
        count.caught += usize::from(!said.is_empty());
        count.named += usize::from(said.iter().any(is_named));
        count.first += usize::from(said.first().is_some_and(is_named));
        if !said.iter().any(is_named) && std::env::var_os("BLAZON_SLIPS").is_some() {
            let line = whole[..*at].rfind('\n').map_or(0, |newline| newline + 1);
            let first = said.first().map(|message| message.lines().take(4).collect::<Vec<_>>().join(" "));
            println!(
                "{word} -> {slip}: {}\n      {}",
                whole[line..].lines().next().unwrap_or(""),
                first.unwrap_or_default()
            );
        }
    }
}

#[test]
fn slips_in_the_names_of_games_are_told() {
    let keyword = |word: &str| KEYWORDS.split_whitespace().any(|keyword| keyword == word);
    let mut count = Count::default();
    for (name, seed) in [("richard-iii", 7), ("lionheart", 11)] {
        slip(name, seed, tries(30, 100), &|word| word.len() > 2 && !keyword(word), &mut count);
    }
    let Count { all, caught, named, first } = count;
    println!("{all} slips in names: {caught} caught, {named} named, {first} in the first message");
    let (least, clear, at_once) = tries((55, 53, 52), (184, 177, 176));
    assert!(caught >= least && named >= clear && first >= at_once, "{caught}, {named}, {first} of {all}");
}

#[test]
fn slips_in_the_keywords_of_games_are_told() {
    let keyword = |word: &str| KEYWORDS.split_whitespace().any(|keyword| keyword == word);
    let mut count = Count::default();
    for (name, seed) in [("richard-iii", 3), ("lionheart", 5)] {
        slip(name, seed, 30, &keyword, &mut count);
    }
    let Count { all, caught, named, first } = count;
    println!("{all} slips in keywords: {caught} caught, {named} named, {first} in the first message");
    assert!(caught == all && named >= 55 && first >= 55, "{caught}, {named}, {first} of {all}");
}
