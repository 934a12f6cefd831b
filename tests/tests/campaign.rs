//! A thousand games of the 1460 campaign between random players: every one comes to a proper end, and after every
//! decision the invariants of the rules hold.

use blazon_tests::games::{End, play_many, resume_everywhere};
use blazon_tests::{game, game_with_invariants};

#[test]
fn a_thousand_games_come_to_a_proper_end_and_the_board_stays_sound() {
    let program = game_with_invariants("richard-iii");
    assert!(program.book.invariants.len() >= 6);
    play_many(&program, 1000, End::HasWinner, || |_| Ok(()));
}

#[test]
fn straight_play_equals_saving_and_resuming_after_every_decision() {
    resume_everywhere(&game("richard-iii", &[]), 20, End::HasWinner);
}
