//! A thousand games of the 1460 campaign between random players: every one comes to a proper end, and after every
//! decision what must always hold does.

use blazon_tests::game;
use blazon_tests::invariants::{Board, machine, play};

#[test]
fn a_thousand_games_come_to_a_proper_end_and_the_board_stays_sound() {
    let program = game("richard-iii", &[]);
    let board = Board::new(&program.book);
    let mut machine = machine(&program);
    for seed in 0..1000 {
        play(&mut machine, seed, |machine| board.check(machine)).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn straight_play_equals_saving_and_resuming_after_every_decision() {
    let program = game("richard-iii", &[]);
    let (mut straight, mut resumed) = (machine(&program), machine(&program));
    for seed in 0..20 {
        let mut positions = Vec::new();
        let straight = play(&mut straight, seed, |machine| {
            positions.push(machine.snapshot());
            Ok(())
        });
        straight.unwrap_or_else(|wrong| panic!("{wrong}"));
        let mut taken = 0;
        let resumed = play(&mut resumed, seed, |machine| {
            assert_eq!(machine.snapshot(), positions[taken], "seed {seed}, decision {taken}");
            let text = machine.snapshot().to_text();
            let position = blazon_kernel::Position::from_text(&text).expect("what was saved");
            // A machine that has seen nothing of the game goes on from the text alone.
            if taken % 50 == 0 {
                *machine = blazon_tests::invariants::machine(&program);
            }
            if !machine.deciders().is_empty() || taken % 50 == 0 {
                machine.restore(&position).expect("what was saved");
            }
            taken += 1;
            Ok(())
        });
        resumed.unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(taken, positions.len());
    }
}
