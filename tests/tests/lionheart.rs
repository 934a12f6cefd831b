//! Random games, hundreds or a thousand, of Richard I the Lionheart: every one comes to a proper end, and after every decision what
//! must always hold does; also under random rulings and variants, and saved and resumed everywhere.

use blazon_fixtures::tries;
use blazon_tests::games::{End, play_many, play_random_settings, resume_everywhere};
use blazon_tests::invariants::Worth;
use blazon_tests::{game, game_with_invariants};

#[test]
fn games_come_to_a_proper_end_and_the_map_stays_sound() {
    let program = game_with_invariants("lionheart");
    assert!(program.book.invariants.len() >= 7);
    let worth = Worth::new(&program.book);
    play_many(&program, tries(300, 1000), End::MayBeDrawn, || {
        let mut worth = worth.clone();
        move |machine| worth.check(machine)
    });
}

#[test]
fn games_with_random_rulings_and_variants() {
    play_random_settings("lionheart", tries(8, 20), 10, End::MayBeDrawn, |program| {
        let mut worth = Worth::new(&program.book);
        move |machine| worth.check(machine)
    });
}

#[test]
fn straight_play_equals_saving_and_resuming_after_every_decision() {
    resume_everywhere(&game("lionheart", &[]), 10, End::MayBeDrawn);
}
