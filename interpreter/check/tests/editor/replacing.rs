//! One page, or one variant, is replaced after another: what is said is what a fresh check says, and only what is new is
//! parsed.

use blazon_check::project::{ParseCache, Project, parse, parse_anyway, parse_with};
use blazon_check::{Settings, check};
use blazon_diagnostics::Diagnostic;
use blazon_fixtures::tries;

use crate::loading::game;

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

fn said(project: &Project, cache: &mut ParseCache) -> Vec<Diagnostic> {
    check(&parse_anyway(project, cache), &Settings::default()).diagnostics
}

/// Takes a few characters out of a text and puts a few others in.
fn edit(text: &mut String, dice: &mut Dice) {
    const PIECES: [&str; 12] =
        ["x", " ", "\n", "}", "{", "(", "Red", " := ", "\"", "-- ", "rule a: flag = yes\n", "é"];
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let first = dice.below(places.len());
    let last = (first + dice.below(4)).min(places.len() - 1);
    text.replace_range(places[first]..places[last], PIECES[dice.below(PIECES.len())]);
}

fn edits(name: &str, count: usize, seed: u64) {
    let mut untouched = game(name, &[]);
    // The pages of tests are most of a game, and read like any other.
    untouched.game.pages.retain(|page| !page.name.contains("/tests/"));
    let mut project = untouched.clone();
    let (mut cache, mut dice) = (ParseCache::default(), Dice(seed));
    said(&project, &mut cache);
    for round in 0..count {
        let place = dice.below(project.game.pages.len());
        if dice.below(3) == 0 {
            project.game.pages[place].text.clone_from(&untouched.game.pages[place].text);
        }
        edit(&mut project.game.pages[place].text, &mut dice);
        let before = cache.parsed();
        let incremental = said(&project, &mut cache);
        assert!(cache.parsed() - before <= 1, "{name} {round}: only the page that changed is parsed");
        assert_eq!(incremental, said(&project, &mut ParseCache::default()), "{name} {round}");
    }
}

#[test]
fn many_edits_of_the_first_game() {
    edits("richard-iii", tries(40, 100), 0x5eed_0001);
}

#[test]
fn many_edits_of_the_second_game() {
    edits("lionheart", tries(40, 100), 0x5eed_0002);
}

#[test]
fn many_edits_of_the_smallest_game() {
    edits("salt-road", tries(40, 100), 0x5eed_0003);
}

#[test]
fn a_page_that_moved_is_parsed_again() {
    let mut project = game("salt-road", &[]);
    let mut cache = ParseCache::default();
    let first = said(&project, &mut cache);
    let all = cache.parsed();
    assert_eq!(said(&project, &mut cache), first);
    assert_eq!(cache.parsed(), all, "nothing changed");
    project.game.pages.swap(0, 1);
    assert!(said(&project, &mut cache).iter().all(|d| !d.is_error()), "{first:?}");
    assert_eq!(cache.parsed(), all + 2);
}

#[test]
fn with_one_variant_after_another_the_game_is_parsed_once() {
    let mut cache = ParseCache::default();
    let stacks = ["chalus-1733", "limoges", "all-castles"];
    let mut before = 0;
    for (place, variant) in stacks.iter().enumerate() {
        let project = game("lionheart", &[variant]);
        let shared = parse_with(&project, &mut cache).expect("a manifest that can be read");
        let pages: usize =
            project.variants.iter().map(|folder| folder.pages.len() + folder.tests.len()).sum();
        let parsed = cache.parsed() - before;
        assert!(place == 0 || parsed == pages, "{variant}: {parsed} pages were parsed, not {pages}");
        before = cache.parsed();
        let fresh = parse(&project).expect("a manifest that can be read");
        let checked = |parsed| check(&parsed, &Settings::default());
        let (shared, fresh) = (checked(shared), checked(fresh));
        assert_eq!(shared.diagnostics, fresh.diagnostics, "{variant}");
        assert_eq!(format!("{:?}", shared.book), format!("{:?}", fresh.book), "{variant}");
    }
}
