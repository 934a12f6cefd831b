//! Every message that a bad rules text can cause: the mistake made in a small game, and the whole text of what is said.
//! A fixture in `reject` changes the game as `common` says; what must come out is its section `message`.

mod common;

use blazon_fixtures::{Section, each};
use common::{checked, tests};

#[test]
fn every_mistake_is_told() {
    each(&tests().join("reject"), |fixture| {
        let (_, said) = checked(&fixture.sections);
        assert!(!said.is_empty(), "{}: nothing is said", fixture.name);
        vec![Section::new("message", &said)]
    });
}

#[test]
fn the_game_without_mistakes_is_checked_without_a_word() {
    assert_eq!(checked(&[]).1, "");
}
